"""The pages of *Learn* keep what they promise: a picture, the function in full, exercises with computed answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import reference_tree as rt
from docs.tools import lesson
from reference_tree.measures.entropy import entropy

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "measures": "entropy conditional_entropy information_gain gain_ratio gini_index misclassification variance",
    "splitting": "multiway binary_subsets ordered_subsets continuous_bisection discretization missing_values "
    "surrogates one_hot_encoding multivariate_nodes",
    "learners": "id3 extended_id3 c45 cart stopping",
    "pruning": "cost_function cost_complexity reduced_error error_based pre_pruning choosing_alpha side_by_side",
    "ensembles": "ensemble bagging random_forest importance adaboost boosting_tree gradient_boosting",
    "selection": "holdout cross_validation overfitting",
}
LEARN = [f"{folder}/{name}" for folder, names in PAGES.items() for name in names.split()]
every_page = pytest.mark.parametrize("page", LEARN)

BLOCK = re.compile(r"^ *```python exec=\"on\"(?P<options>[^\n]*)\n(?P<code>.*?)^ *```$", re.MULTILINE | re.DOTALL)
DRAWN = re.compile(r"\b(?:to_svg|to_plane|candidate_bars|fold_rows|\w+_(?:curve|lines|rounds))\(")
EXERCISE = re.compile(
    r"^\*\*\d\.\*\* (?P<question>.+?)^```python exec=\"on\"[^\n]*\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)


def text_of(page: str) -> str:
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


@every_page
def test_there_is_a_picture(page: str) -> None:
    drawn = [found for found in BLOCK.finditer(text_of(page)) if DRAWN.search(found["code"])]
    assert any('html="on"' in found["options"] for found in drawn)


@pytest.mark.parametrize("page", [page for page in LEARN if page.startswith(("learners/", "pruning/", "ensembles/"))])
def test_where_a_tree_is_taught_a_tree_is_drawn(page: str) -> None:
    blocks = [found["code"] for found in BLOCK.finditer(text_of(page))]
    assert any("to_svg(" in code for code in blocks)
    if page.startswith("pruning/"):
        assert any("pruned=" in code for code in blocks), "before and after, what was cut off faint"


@every_page
def test_there_are_three_exercises_with_computed_answers(page: str) -> None:
    exercises = list(EXERCISE.finditer(text_of(page).partition("\n## Exercises\n")[2]))
    assert len(exercises) >= 3
    for found in exercises:
        assert "answer" in found["code"]
        assert "```" not in found["question"], "the answer of a question follows it"


@pytest.mark.parametrize(
    "page", [page for page in LEARN if page not in {"pruning/side_by_side", "ensembles/gradient_boosting"}]
)
def test_the_function_stands_on_the_page_as_it_is_in_the_package(page: str) -> None:
    assert "print(source(" in text_of(page)


@every_page
def test_running_text_cites_no_note_that_a_reader_does_not_have(page: str) -> None:
    said = re.sub(r"<a id=[^>]*></a>", "", text_of(page))
    assert not re.findall(r"\bN[0-4]\b", said)


def test_a_function_is_shown_without_its_docstring() -> None:
    shown = lesson.source(entropy)
    assert shown.startswith("```python\n")
    assert "def entropy(" in shown
    assert '"""' not in shown
    assert "return" in shown


def test_a_table_a_figure_and_an_answer() -> None:
    assert lesson.tabulated(["a", "b"], [[1, 2]], "lr") == "| a | b |\n| :-- | --: |\n| 1 | 2 |\n"
    days = lesson.data(rt.textbook("play-tennis"), "day").splitlines()
    assert len(days) == 16
    assert days[0] == "| day | outlook | temperature | humidity | wind | play |"
    assert days[-1] == "| 14 | rainy | mild | high | strong | no |"
    assert "**?**" in lesson.data(rt.textbook("watermelon-2.0a"))
    small, wide = (f'<svg viewBox="0 0 {width} 9" width="{width}" height="9"></svg>' for width in (200, 1000))
    assert "tabindex" not in lesson.figure(small, "a caption")
    assert 'tabindex="0" role="region" aria-label="&quot;wide&quot;"' in lesson.figure(wide, '"wide"')
    assert lesson.beside({"one": small, "two": small}).count("<figure") == 2
    folded = lesson.answer("first", "second")
    assert folded == '??? success answer "Answer"\n\n    first\n\n    second\n\n'


def test_a_worksheet_on_paper_has_no_answers() -> None:
    style = (DOCS / "assets" / "pictures.css").read_text(encoding="utf-8")
    assert re.search(r"@media print \{\s*\.md-typeset details\.answer \{ display: none; \}\s*\}", style)
    assert "assets/pictures.css" in (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
