"""The derivation as a page of its own: whole, safe whatever the data is called, and its arithmetic right."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.pruning.record import perform
from reference_tree.views.derivation.blocks import Drawing
from reference_tree.views.derivation.ensembles import explained_round
from reference_tree.views.derivation.explain import explain
from reference_tree.views.derivation.prunings import derive_pruning
from reference_tree.views.derivation.writers import WRITERS
from reference_tree.views.derivation.writers.pages import html
from tests.strategies import categorical_tables
from tests.views.arithmetic import evaluated
from tests.views.chains import chain
from tests.views.derivation.writers.test_markdown import STRANGE
from tests.views.mathml import CHILDREN, ELEMENTS, sides
from tests.views.pruned import FULL, RECORDS, RPART, TRAINING, VALIDATION

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    *STRANGE,
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style>",
    "&lt;",
    "\x1b[2J",
    "-->",
    "]]>",
]
"""Names in which HTML, TeX or a terminal would read something."""

LEARNERS = {
    "play-tennis": rt.ID3(),
    "watermelon-2.0a": rt.C45(max_depth=2),
    "golf": rt.C45.like("c45-r8"),
    "li-hang-5.2": rt.CART(max_depth=3),
    "iris": rt.CART(max_depth=2, criterion="entropy"),
    "loan": rt.CART(criterion="gini"),
}
"""Classes and numbers, gaps and cuts."""


def read(page: str) -> Element:
    """A page as a tree of elements; it is strict enough to be read as XML."""
    assert page.startswith("<!DOCTYPE html>\n")
    return fromstring(page.partition("\n")[2])


def rows(page: Element) -> list[list[str]]:
    """The sides of every equation."""
    found: list[list[str]] = []
    for row in page.iter("mtr"):
        left, right = row
        if len(left) and right[0].text in ("=", "≈"):
            found.append([])
            found[-1] += sides(right)[1:]
        elif right[0].tag == "mspace":
            further = sides(right)
            found[-1][-1] += further[0]
            found[-1] += further[1:]
    return found


def assert_formulas(page: Element) -> int:
    """Check that every formula is MathML of the right form, and that all sides of every equation are equal."""
    for math in page.iter("math"):
        for part in math.iter():
            assert part.tag in ELEMENTS
            assert len(part) == CHILDREN.get(part.tag, len(part)), part.tag
    for found in (equations := rows(page)):
        first, *others = map(evaluated, found)
        assert others == pytest.approx([first] * len(others), abs=2e-6), found
    return len(equations)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", LEARNERS)
def test_a_page_is_whole(name: str) -> None:
    table = rt.textbook(name)
    text = explain(LEARNERS[name].grow(table), table, format="html")
    page = read(text)
    assert assert_formulas(page) > 3
    assert len(list(page.iter(f"{SVG}svg"))) == 1
    assert not list(page.iter("script"))
    assert not re.findall(r"\b(?:src|href|url|@import)\b", text)
    assert set(re.findall(r"https?://[^\"]*", text)) == {"http://www.w3.org/2000/svg"}


@pytest.mark.one_in(3, 6)
@pytest.mark.parametrize("name", LEARNERS)
def test_it_says_what_the_text_says(name: str) -> None:
    table = rt.textbook(name)
    tree = LEARNERS[name].grow(table)
    page, plain = read(explain(tree, table, format="html")), explain(tree, table)
    decimals = re.compile(r"\d+\.\d{6}(?!\d)")
    assert {found for text in page.itertext() for found in decimals.findall(text)} == set(decimals.findall(plain))


@given(categorical_tables(rows=8))
def test_the_arithmetic_of_any_table(table: Table) -> None:
    assert_formulas(read(explain(rt.ID3().grow(table), table, format="html")))


def test_hostile_names_stay_text() -> None:
    cells = {name: [f"{name}{i % 2}" for i in range(4)] for name in HOSTILE}
    table = Table.from_columns({**cells, "<b>y": ["<i>", "&", "<i>", "&"]}, name="<title>")
    text = explain(rt.ID3().grow(table), table, format="html")
    assert "\x1b" not in text
    page = read(text)
    assert {part.tag for part in page.iter() if not part.tag.startswith(SVG)} <= ELEMENTS | {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "dl", "dt", "dd", "p", "code", "div", "table",
        "caption", "tr", "th", "td",
    }  # fmt: skip
    assert not list(page.iter("script"))
    cells_of_page = {"".join(cell.itertext()) for cell in page.iter("th")} | {cell.text for cell in page.iter("td")}
    for name in HOSTILE:
        assert name.replace("\n", "\\n").replace("\x1b", "\\x1b") in cells_of_page
    assert page.findtext("head/title") == "ID3 on <title>"


def test_prunings_and_rows_have_pages() -> None:
    table = rt.textbook("play-tennis")
    tree = rt.ID3().grow(table)
    act = perform(tree, {"method": "cost-function", "alpha": "4"})
    page = read("\n".join(WRITERS["html"](derive_pruning(act))))
    assert assert_formulas(page) == 6
    assert [found.text for found in page.iter("h2")][-1] == "The pruned tree"
    row = read(rt.explain_prediction(tree, {"outlook": "overcast"}, format="html"))
    assert [part.text for part in row.iter("p")][-1] == "Prediction: yes."


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("record", [record for record in RECORDS if record != RPART], ids=str)
def test_every_pruning_has_a_page(record: dict[str, Any]) -> None:
    page = read("\n".join(WRITERS["html"](derive_pruning(perform(FULL, record, TRAINING, VALIDATION)))))
    assert [found.text for found in page.iter("h2")][-1] == "The pruned tree"


def test_a_tree_of_gradient_boosting_has_a_page() -> None:
    table = rt.textbook("li-hang-8.2")
    blocks = explained_round(rt.GradientBoosting(trees=1).grow(table), table, 1)
    assert "λ" in "".join(read("\n".join(WRITERS["html"](blocks))).itertext())


def test_a_large_tree_is_text() -> None:
    drawn = list(html([Drawing("The tree", chain(99))]))
    as_text = list(html([Drawing("The tree", chain(100))]))
    assert any(line.startswith("<svg") for line in drawn)
    assert as_text[as_text.index("<pre>") + 1].startswith("x &lt;= 0: no")
