"""The derivation as a page: KaTeX typesets its formulas, Markdown reads its tables, and its arithmetic is right."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.worked import work
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Ties
from reference_tree.measures.entropy import entropy
from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import (
    Drawing,
    Equation,
    Equations,
    Facts,
    Legend,
    NodeHeading,
    Sentence,
    Symbol,
    Title,
)
from reference_tree.views.derivation.explain import explain
from reference_tree.views.derivation.writers.pages import markdown
from tests.strategies import categorical_tables
from tests.views.arithmetic import evaluated_tex

TYPESETTER = Path(__file__).parents[3] / "docs" / "tools" / "typeset.mjs"

STRANGE = [
    "a|b",
    "$5 & $6",
    "`code`",
    "*b* _c_",
    "<i>x</i>",
    "\\frac{1}",
    "50 %",
    "纹理",
    "x_1^2",
    "[a](b)",
    "#1",
    "~",
    "a--b",
    "two\nlines",
]
"""Names in which Markdown, TeX or HTML would read something."""


def written(table: Table, learner: ID3 | C45 | CART | None = None) -> str:
    return explain((learner or ID3()).grow(table), table, format="markdown")


def formulas(text: str) -> list[str]:
    """The formulas of a page, as any reader of Markdown with mathematics would find them."""
    text = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(`+) ?.+? ?\1(?!`)", "", text)
    displayed = re.findall(r"^\$\$\n(.*?)\n\$\$$", text, re.MULTILINE | re.DOTALL)
    text = re.sub(r"^\$\$\n.*?\n\$\$$", "", text, flags=re.MULTILINE | re.DOTALL)
    return [*displayed, *re.findall(r"(?<![\\$])\$([^$\n]+)\$", text)]


@pytest.fixture
def typeset() -> Callable[[list[str]], list[str]]:
    """KaTeX, in its strictest mode: what it complains of."""
    node = shutil.which("node")
    if node is None or not (TYPESETTER.parent / "node_modules" / "katex").exists():
        pytest.skip("KATEX IS NOT INSTALLED: no one checks that it reads our TeX (npm ci --prefix docs/tools)")

    def complaints(texts: list[str]) -> list[str]:
        questions = "".join(json.dumps({"tex": text, "display": "aligned" in text}) + "\n" for text in texts)
        run = subprocess.run([node, TYPESETTER], input=questions, capture_output=True, encoding="utf-8", check=True)
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(answers) == len(texts)
        return [
            f"{answer['error']} in {text}" for text, answer in zip(texts, answers, strict=True) if "error" in answer
        ]

    return complaints


@pytest.mark.parametrize("name", ["play-tennis", "watermelon-2.0", "play-tennis-id"])
def test_katex_typesets_every_formula(name: str, typeset: Callable[[list[str]], list[str]]) -> None:
    found = formulas(written(textbook(name)))
    assert len(found) > 20
    assert typeset(found) == []


@pytest.mark.parametrize(
    ("name", "learner"),
    [
        ("golf", CART(max_depth=1)),
        ("golf", CART(max_depth=1, priors={"no": 1, "yes": 1})),
        ("golf", CART(max_depth=1, loss={"yes": {"no": 5}}, losses="generalized-gini")),
        ("watermelon-2.0a", CART(max_depth=1)),
        ("watermelon-2.0a", C45(max_depth=1)),
        ("golf", C45.like("c45-r8", max_depth=1)),
        ("li-hang-5.2", CART(max_depth=2)),
        ("li-hang-5.2", CART(max_depth=2, criterion="variance_n_minus_1")),
        ("li-hang-5.2", CART(max_depth=2, criterion="absolute_error")),
    ],
    ids=range(9),
)
def test_katex_typesets_the_formulas_of_every_score(
    name: str, learner: CART | C45, typeset: Callable[[list[str]], list[str]]
) -> None:
    found = formulas(written(textbook(name), learner))
    assert len(found) > 5
    assert typeset(found) == []


def test_katex_typesets_strange_names(typeset: Callable[[list[str]], list[str]]) -> None:
    cells = {name: [f"{name}{i % 2}" for i in range(4)] for name in STRANGE}
    text = written(Table.from_columns({**cells, "y$": ["|", "$", "|", "纹"]}))
    assert typeset(formulas(text)) == []


def rows_of(text: str) -> list[list[str]]:
    """The cells of all tables."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_strange_names_stay_in_their_cells() -> None:
    cells = {name: [f"{name}{i % 2}" for i in range(4)] for name in STRANGE}
    text = written(Table.from_columns({**cells, "y": ["|", "$", "|", "$"]}), ID3(max_depth=1))
    found = rows_of(text)
    for name in STRANGE:
        shown = name.replace("\n", "\\n")
        plain = [[html.unescape(re.sub(r"\\(.)", r"\1", cell)) for cell in row] for row in found]
        assert [shown, "$", "|", "$H(D_i)$"] in plain
        assert [f"{shown}0", "0", "2", "$0$"] in plain
        assert any(row[0] == shown and row[1] == "1" for row in plain), "in the ranking"


def test_markdown_makes_the_page_that_is_meant() -> None:
    library = pytest.importorskip("markdown")
    pytest.importorskip("pymdownx")
    cells = {name: [f"{name}{i % 2}" for i in range(4)] for name in STRANGE}
    text = written(Table.from_columns({**cells, "y": ["|", "$", "|", "$"]}), ID3(max_depth=1))
    extensions = ["tables", "pymdownx.arithmatex", "pymdownx.superfences"]
    page = library.markdown(text, extensions=extensions, extension_configs={"pymdownx.arithmatex": {"generic": True}})
    cells_of_page = [
        html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", page)
    ]
    for name in STRANGE:
        assert name.replace("\n", "\\n") in cells_of_page
        assert f"{name}1".replace("\n", "\\n") in cells_of_page
    assert page.count('class="arithmatex"') == len(formulas(text))
    assert "<em>" not in page
    assert "<i>" not in page


def equations(text: str) -> Iterator[list[str]]:
    """The sides of every equation, its symbol left out."""
    for formula in formulas(text):
        lines = re.sub(r"\\(begin|end)\{aligned\}|\\text\{ (bits?|exactly)\}", "", formula)
        joined = re.sub(r" \\\\\n&(\\quad)?", " ", lines)
        for equation in joined.split("\\\\\n"):
            _, ampersand, right = equation.rpartition("&=")
            sides = re.split(r"=|\\approx", right)
            if ampersand or all(side.strip() for side in sides[1:] or [""]):
                yield sides


def assert_arithmetic(text: str) -> int:
    """Check that all sides of every equation are equal; how many equations there were."""
    found = list(equations(text.partition("\n## ")[2] or text))  # what comes before are the general formulas
    for sides in found:
        first, *others = map(evaluated_tex, sides)
        assert others == pytest.approx([first] * len(others), abs=2e-6), sides
    return len(found)


SMALL = r"""
| a | $H$ |
| b | $\frac{1}{2} = 0.5$ |

$$
\begin{aligned}
H &= 1 \\
&\quad + 1 \approx 2 \\
&= \tfrac{4}{2} \text{ exactly} \\
g &= 3
\end{aligned}
$$
"""


def test_equations_are_found() -> None:
    assert [[side.strip() for side in sides] for sides in equations(SMALL)] == [
        ["1  + 1", "2", r"\tfrac{4}{2}"],
        ["3"],
        [r"\frac{1}{2}", "0.5"],
    ]
    with pytest.raises(AssertionError):
        assert_arithmetic("| b | $\\frac{1}{2} \\approx 0.6$ |")


def test_the_arithmetic_of_a_textbook() -> None:
    assert assert_arithmetic(written(textbook("watermelon-2.0"))) > 50


@given(categorical_tables(rows=8))
def test_the_arithmetic_of_any_table(table: Table) -> None:
    assert_arithmetic(written(table))


@pytest.mark.slow
def test_it_says_what_the_text_says() -> None:
    table, learner = textbook("watermelon-2.0"), ID3(ties=Ties(choose={"/纹理=清晰": "触感"}))
    tree = learner.grow(table)
    plain, page = explain(tree, table), explain(tree, table, format="markdown")
    for pattern in (r"behind by [\d.]+", r"Split on .*", r"Leaf: .*", r"chosen of .*(?= \||$)"):
        flat = page.replace(" |", "")
        assert re.findall(pattern.split("(?=")[0], plain) == re.findall(pattern.split("(?=")[0], flat)
    decimals = re.compile(r"\d\.\d{6}")
    assert sorted(decimals.findall(plain)) == sorted(decimals.findall(page))


def test_a_long_sum_goes_on_in_the_next_line() -> None:
    equation = Equation(Symbol("H", "H"), entropy(work([1] * 30)), "bits")
    lines = list(markdown([Equations((equation,))]))
    assert lines[:2] == ["$$", r"\begin{aligned}"]
    assert len(lines) > 6
    assert lines[2].startswith(r"H &= \frac{1}{30} \log_2 \frac{30}{1} + ")
    assert all(line.startswith(r"&\quad + ") for line in lines[3:-2])
    assert all(line.endswith(r" \\") for line in lines[2:-3])
    assert lines[-3].endswith(r"\approx 4.906891 \text{ bits}")


LEAF = Tree(Attribute("y", ("```",)), (), (Node((1,), "```", stop="pure"),))
"""A tree whose one answer would end a block of code."""


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (Title("ID3 on a_b"), [r"# ID3 on a\_b"]),
        (Facts((("data", "3 rows"),)), ["- data: 3 rows"]),
        (Legend(((Symbol("w", "w"), "a|b 2"),)), ["|  | is |", "| :-- | :-- |", "| $w$ | a\\|b 2 |"]),
        (Sentence("Leaf: <b>, because 0.2 < ε."), ["Leaf: &#60;b>, because 0.2 &#60; ε."]),
        (
            NodeHeading("/a=`b", "2 rows", ("No 1", "Yes 1"), ("No 1", "Yes 1")),
            ["## `` /a=`b ``", "", "2 rows: No 1, Yes 1"],
        ),
        (Drawing("The tree", LEAF), ["## The tree", "", "````text", "``` (``` 1)", "````"]),
    ],
)
def test_written_by_hand(block: Any, expected: list[str]) -> None:
    assert list(markdown([block])) == expected
