"""The pages of *Learn*, and those that teach more: each has the parts of the recipe, or a reason why not.

`PARTS` says how a part is recognised on a page, and `APART` which page goes without which part. So the two are a matrix
of pages and parts, and `python -m tests.docs.test_learn` prints it.
"""

from __future__ import annotations

import re
from pathlib import Path

import reference_tree as rt
from docs.tools import lesson
from docs.tools.blocks import blocks
from docs.tools.pages import BENEATH, beneath
from reference_tree.measures.entropy import entropy
from tests.docs.record import RECORD
from tests.every import of_every

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "measures": "entropy conditional_entropy information_gain gain_ratio gini_index misclassification variance",
    "splitting": "multiway binary_subsets ordered_subsets continuous_bisection discretization missing_values "
    "surrogates one_hot_encoding multivariate_nodes",
    "learners": "id3 extended_id3 c45 cart stopping",
    "pruning": "cost_function cost_complexity reduced_error error_based pre_pruning choosing_alpha side_by_side",
    "ensembles": "ensemble bagging random_forest importance adaboost boosting_tree gradient_boosting",
    "attribution": "shapley",
    "selection": "holdout cross_validation overfitting",
}
LEARN = ["learn/what_is_a_tree", "six_trees", "learn/is_it_right"]
LEARN += [f"{folder}/{name}" for folder, names in PAGES.items() for name in names.split()]
every_page = of_every(LEARN)

BLOCK = re.compile(r"^ *```python exec=\"on\"(?P<options>[^\n]*)\n(?P<code>.*?)^ *```$", re.MULTILINE | re.DOTALL)
DRAWN = re.compile(
    r"\b(?:to_svg|to_plane|candidate_bars|fold_rows|\w+_(?:curve|lines|rounds))\(|page\(wheel\(|docs\.tools\.(?:played|ideas)"
)
EXERCISE = re.compile(
    r"^\*\*\d\.\*\* (?P<question>.+?)^```python exec=\"on\"[^\n]*\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)


PATH = re.findall(
    r"- (\S+)\.md",
    (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8").partition("- Learn:")[2].partition("- Look up:")[0],
)
"""The pages of *Learn*, in order."""

PARTS = {
    "one sentence": r"^\*\*[A-Z][^*]+(?:\*[^*]+\*[^*]+)*\*\*$",
    "formula": r"^\$\$",
    "symbols": r"^\| symbol \| what it is \|$",
    "rows": r"\b(?:data|listed)\(|page\(wheel\(",
    "what competes, drawn": r"\b(?:candidate_bars|gain_curve|cost_lines|validation_curve)\(",
    "tree": r"\bto_svg\(|page\(wheel\(",
    "why it wins": r"\.margin\b|\.winners\b|best_cuts\(|wins by|share it|on_equal|parted_by|one standard error"
    r"|cost the same",
    "function": r"\bprint\((?:folded\([^\n]*)?source\(",
    "floats and programs": r"^## (?:What floats|What others|Other programs|What the sources say|With XGBoost's names)",
    "exercises": r"^## Exercises \{data-search-exclude\}$",
}
"""Part → how it is recognised in the source of a page."""

FIRST = "the first page comes before any formula"
OTHERS = "it compares what other pages teach"
TWO = "two numbers compete at each node, and stand in a table"
NO_CHOICE = "nothing is chosen among questions here"

APART = {
    "learn/what_is_a_tree": dict.fromkeys(
        ["formula", "symbols", "what competes, drawn", "why it wins", "floats and programs"], FIRST
    ),
    "learners/stopping": {"why it wins": NO_CHOICE},
    "pruning/pre_pruning": {"what competes, drawn": TWO},
    "pruning/reduced_error": {"what competes, drawn": TWO},
    "pruning/cost_function": {"what competes, drawn": "five prunings at five prices, in a table"},
    "pruning/cost_complexity": {"rows": "150 irises are too many to read"},
    "pruning/error_based": {"what competes, drawn": "three numbers compete at each node, and stand in a table"},
    "splitting/multivariate_nodes": {
        "what competes, drawn": "136 lines are too many to draw; a table has the best five"
    },
    "ensembles/bagging": dict.fromkeys(["what competes, drawn", "why it wins"], NO_CHOICE),
    "ensembles/random_forest": dict.fromkeys(["what competes, drawn", "why it wins"], NO_CHOICE),
    "attribution/shapley": dict.fromkeys(["what competes, drawn", "why it wins"], NO_CHOICE),
    "selection/overfitting": {
        "why it wins": NO_CHOICE,
        "floats and programs": "a definition, which no program computes",
    },
    "selection/holdout": dict.fromkeys(["what competes, drawn", "why it wins"], NO_CHOICE),
    "six_trees": dict.fromkeys(["formula", "symbols", "what competes, drawn", "floats and programs"], OTHERS),
    "learn/is_it_right": dict.fromkeys(["formula", "symbols"], "it judges by the formulas of other pages"),
}
"""Page → the parts that it goes without, and why."""

PAGE_OF_WORDS, PATH_OF_WORDS = 300, 5000
"""The most words of prose of a page, and of the whole path: an evening."""

DOWN = "[More exercises, floats, programs, proofs, the module]({}_more.md)."
"""How a page ends that has another one beneath it."""

NO_PROSE = re.compile(
    r"\A---\n.*?\n---\n|^ *```.*?^ *```$|\$\$.*?\$\$|<svg.*?</svg>|<figcaption.*?</figcaption>|^ *\|[^\n]*$"
    r"|^:::[^\n]*(?:\n +[^\n]*)*|<[^>]+>|\$[^$\n]*\$|`[^`]*`|(?<=\])\([^)]*\)|^ *\?\?\?[^\n]*",
    re.MULTILINE | re.DOTALL,
)
"""What is not prose: front matter, code, formulas, drawings, captions, tables, modules, tags, addresses of links."""

SCREEN = 45
"""So many lines of code are seen at once."""


def text_of(page: str) -> str:
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def in_depth(page: str) -> str:
    """A page together with the one beneath it, if it has one."""
    below = beneath(DOCS / f"{page}.md")
    return text_of(page) + (below.read_text(encoding="utf-8") if below.exists() else "")


def words_of(text: str) -> int:
    """How many words of prose there are in a text in Markdown."""
    return len(re.findall(r"[^\W\d_][\w'’-]*", NO_PROSE.sub(" ", text)))


def words_on(page: str) -> int:
    """How many words of prose a reader reads on a page: what is written, and what its blocks print."""
    record = (RECORD / f"{page}.txt").read_text(encoding="utf-8")
    printed = dict(re.findall(r"^--- block (\d+)\n(.*?)(?=^--- block|\Z)", record, re.MULTILINE | re.DOTALL))
    silent = {"html", "result"}
    said = [
        printed.get(str(n), "") for n, one in enumerate(blocks(DOCS / f"{page}.md"), 1) if not silent & {*one.options}
    ]
    return words_of(text_of(page)) + sum(map(words_of, said))


def has(page: str) -> dict[str, bool]:
    """Which parts a page has, or the one beneath it."""
    return {part: re.search(mark, in_depth(page), re.MULTILINE) is not None for part, mark in PARTS.items()}


@of_every(PATH)
def test_the_recipe(page: str) -> None:
    apart = APART.get(page, {})
    assert {part for part, there in has(page).items() if not there} == set(apart)


@of_every(PATH)
def test_one_idea_and_its_formula_come_first(page: str) -> None:
    opening = text_of(page).partition("\n## ")[0]
    for part in {"one sentence", "formula", "symbols"} - set(APART.get(page, {})):
        assert re.search(PARTS[part], opening, re.MULTILINE), part


@of_every([f"{place}{page}" for place in ("", "zh/") for page in PATH])
def test_the_idea_is_seen_or_played_with_before_its_formula(page: str) -> None:
    before, formula, _ = text_of(page).partition("\n$$")
    if formula:
        idea = re.search(r"^\*\*.+\*\*$", before, re.MULTILINE | re.DOTALL)
        assert idea is not None
        assert any(DRAWN.search(found["code"]) for found in BLOCK.finditer(before, idea.end()))


@of_every(PATH)
def test_the_function_is_whole_on_one_screen(page: str) -> None:
    records = [RECORD / f"{page}.txt", RECORD / f"{page}{BENEATH}.txt"]
    printed = "".join(record.read_text(encoding="utf-8") for record in records if record.exists())
    for code in re.findall(r"^ *```python\n(.*?)^ *```$", printed, re.MULTILINE | re.DOTALL):
        assert code.count("\n") <= SCREEN


@of_every(PATH)
def test_a_page_is_short(page: str) -> None:
    assert words_on(page) <= PAGE_OF_WORDS


def test_the_path_is_walked_in_an_evening() -> None:
    assert sum(map(words_on, PATH)) <= PATH_OF_WORDS


def test_words_are_counted() -> None:
    assert words_of("---\nsearch:\n---\n# One page\n\nIt is $x$ `code` [a link](to.md).\n\n| a | b |\n\n$$x$$\n") == 6
    assert words_of('```python\nprint(1)\n```\n??? answer "Answer"\n\n    Don\'t say so.\n') == 3


@of_every(PATH)
def test_what_is_not_for_the_evening_stands_beneath(page: str) -> None:
    text, below = text_of(page), beneath(DOCS / f"{page}.md")
    assert "\n::: " not in text
    assert not re.search(PARTS["floats and programs"], text, re.MULTILINE)
    if below.exists():
        assert text.endswith(f"\n\n{DOWN.format(Path(page).name)}\n")
        assert f"]({Path(page).name}.md)" in below.read_text(encoding="utf-8").partition("\n## ")[0]


@of_every([*PATH, "decisions", "views", "learners/extended_id3", "cli", "howto/teacher"])
def test_a_reader_of_english_reads_no_chinese(page: str) -> None:
    record = RECORD / f"{page}.txt"
    printed = record.read_text(encoding="utf-8") if record.exists() else ""
    assert not re.findall(r"[\u2e80-\u9fff]+", text_of(page) + printed), "a table in Chinese has a twin: NAME-en"


def test_nothing_stands_beneath_no_page() -> None:
    below = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob(f"*{BENEATH}.md")}
    assert below <= {f"{page}{BENEATH}.md" for page in PATH}


def test_the_list_of_exceptions_is_short() -> None:
    assert len(PATH) == 30
    assert set(APART) <= set(PATH)
    assert sum(map(len, APART.values())) <= len(PATH) * len(PARTS) // 8


@every_page
def test_there_is_a_picture(page: str) -> None:
    drawn = [found for found in BLOCK.finditer(text_of(page)) if DRAWN.search(found["code"])]
    assert any('html="on"' in found["options"] for found in drawn)


@of_every([page for page in LEARN if page.startswith(("learners/", "pruning/", "ensembles/"))])
def test_where_a_tree_is_taught_a_tree_is_drawn(page: str) -> None:
    codes = [found["code"] for found in BLOCK.finditer(text_of(page))]
    assert any("to_svg(" in code for code in codes)
    if page.startswith("pruning/"):
        assert any("pruned=" in code for code in codes), "before and after, what was cut off faint"


@every_page
def test_there_are_three_exercises_with_computed_answers(page: str) -> None:
    text, head = in_depth(page), "More exercises" if page in PATH else "Exercises"
    exercises = list(EXERCISE.finditer(text.partition(f"\n## {head} {{data-search-exclude}}\n")[2]))
    assert len(exercises) >= 3
    for found in exercises:
        assert "answer" in found["code"]
        assert "```" not in found["question"], "the answer of a question follows it"


@of_every(PATH)
def test_an_exercise_on_the_page_answers_back(page: str) -> None:
    here = text_of(page).partition("\n## Exercises {data-search-exclude}\n")[2]
    assert re.search(r"print\((?:exercise|three_questions)\(", here)
    assert not EXERCISE.search(here), "those with folded answers stand one click down"


@of_every([page for page in LEARN if page != "pruning/side_by_side"])
def test_the_function_stands_on_the_page_as_it_is_in_the_package(page: str) -> None:
    assert re.search(PARTS["function"], in_depth(page))


@every_page
def test_running_text_cites_no_note_that_a_reader_does_not_have(page: str) -> None:
    said = re.sub(r"<a id=[^>]*></a>", "", in_depth(page))
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
    assert days[-1] == '| 14 | rainy | mild | high | strong | <i class="k0"></i> no |'
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


if __name__ == "__main__":
    for one in PATH:
        print(f"{one:32}", "  ".join(part if there else f"({part})" for part, there in has(one).items()))
