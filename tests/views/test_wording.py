"""Wording: whatever the data calls its columns and values, it neither breaks a view nor gets lost."""

from __future__ import annotations

import html
import re
import time
import unicodedata
from decimal import Decimal
from fractions import Fraction
from statistics import fmean
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.linear_tests import Coordinate, Linear
from reference_tree.data.questions import Multiway, Outcome, SeenSubset, Subset, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.learners.cart import CART
from reference_tree.measures.variance import moments
from reference_tree.node import Deviations, Node
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json, to_json
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.trees.text import to_dot, to_mermaid, to_rules, to_text
from reference_tree.views.wording import (
    amount,
    answers,
    arrived,
    asked,
    below,
    caption,
    counts_of,
    cut_short,
    dot_name,
    fill,
    markdown_name,
    name_of,
    one_line,
    padded,
    spread_of,
    tex_name,
    weight_text,
    width,
    written,
    xml_name,
)
from tests.every import of_every
from tests.strategies import fractions

names = st.text(max_size=12)
plain = st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), max_size=12)


def test_a_long_name_is_cut_in_one_pass() -> None:
    before = time.process_time()
    assert cut_short("纹" * 200_000, 9) == "纹纹纹纹…"
    assert cut_short("e\N{COMBINING ACUTE ACCENT}" * 5, 4) == "e\N{COMBINING ACUTE ACCENT}" * 3 + "…"
    assert time.process_time() - before < 2


@given(names)
def test_one_line_is_one_printable_line(name: str) -> None:
    assert one_line(name).isprintable()
    assert len(one_line(name).splitlines()) <= 1


@given(plain)
def test_a_printable_name_stays_as_it_is(name: str) -> None:
    assert one_line(name) == name


@given(names)
def test_xml_reads_the_name_back(name: str) -> None:
    element = ElementTree.fromstring(f'<text title="{xml_name(name)}">{xml_name(name)}</text>')
    assert (element.text or "") == element.get("title") == one_line(name)


@given(names)
def test_markdown_has_no_bare_character_of_its_own(name: str) -> None:
    written = markdown_name(name)
    bare = html.unescape("".join(c for i, c in enumerate(written) if c != "\\" or written[i - 1 : i] == "\\"))
    for special in "`*_[]|":
        assert written.count(special) == written.count("\\" + special)
    assert "$" not in written
    assert "<" not in written
    assert len(bare) >= len(name.replace("\\", ""))


@given(names)
def test_the_group_of_a_tex_name_closes_at_its_end(name: str) -> None:
    depth, group = 0, tex_name(name).removeprefix(r"\text")
    for i, character in enumerate(group):
        if group[i - 1 : i] != "\\":
            depth += {"{": 1, "}": -1}.get(character, 0)
        assert (depth > 0) == (i < len(group) - 1)


@of_every(
    [
        ("a--b", r"\text{a-{}-b}"),
        ("50 % of $1 & #2", r"\text{50 \% of \$1 \& \#2}"),
        ("a|b <c>", r"\text{a\textbar{}b \textless{}c\textgreater{}}"),
        ("x^2~{y}", r"\text{x\textasciicircum{}2\textasciitilde{}\{y\}}"),
    ]
)
def test_tex_names(name: str, expected: str) -> None:
    assert tex_name(name) == expected


@given(names)
def test_a_quoted_string_of_dot_ends_where_it_should(name: str) -> None:
    written = dot_name(name)
    unescaped = written.replace("\\\\", "").replace('\\"', "")
    assert '"' not in unescaped
    assert "\\" not in unescaped


@given(st.text(alphabet=st.sampled_from("a纹é\u0301，x "), max_size=20))
def test_width_counts_columns(text: str) -> None:
    narrow = [c for c in text if unicodedata.east_asian_width(c) not in ("W", "F") and not unicodedata.combining(c)]
    wide = [c for c in text if c in "纹，"]
    assert width(text) == len(narrow) + 2 * len(wide)


@given(st.lists(st.text(alphabet="ab纹", min_size=1, max_size=9), max_size=15), st.integers(4, 30))
def test_fill_loses_nothing_and_overflows_by_single_pieces_only(pieces: list[str], room: int) -> None:
    lines = list(fill(pieces, room))
    assert " ".join(lines).split() == pieces
    assert all(width(line) <= room or " " not in line for line in lines)


@given(st.text(alphabet="a纹", max_size=8))
def test_padded_is_as_wide_as_it_is_told(text: str) -> None:
    assert width(padded(text, 20, left=True)) == width(padded(text, 20, left=False)) == 20
    assert padded(text, 20, left=True).startswith(text)
    assert padded(text, 20, left=False).endswith(text)


# Figures.

CLASSES = Tree(Attribute("y", ("好", "a\tb", "c")), (), ())
NUMBERS = Tree(Attribute("y"), (Attribute("x"),), ())


@of_every(
    [
        (0, False, "0 rows"),
        (1, False, "1 row"),
        (14, False, "14 rows"),
        (1, True, "a weight of 1"),
        (Fraction(5, 2), True, "a weight of 2.5"),
        (Fraction(1, 3), True, "a weight of 1/3"),
    ]
)
def test_amounts(weight: Any, weighted: bool, expected: str) -> None:
    assert amount(weight, weighted=weighted) == expected


def test_counts_of_classes() -> None:
    assert arrived(CLASSES, Node((0, Fraction(1, 2), 3), "c")) == [r"a\tb 0.5", "c 3"]
    assert arrived(CLASSES, Node((0, 1, 3), "c"), all_of_them=True) == ["好 0", r"a\tb 1", "c 3"]
    assert counts_of(("a", "b"), (0, 0), all_of_them=False) == []


@given(fractions(min_value=0, max_value=1000, max_denominator=10**6))
def test_a_weight_is_itself_or_rounded_and_then_says_so(weight: Fraction) -> None:
    text = weight_text(weight)
    assert len(text) <= 20
    if text.startswith("≈ "):
        assert abs(Fraction(text[2:]) - weight) <= weight / 10**5
    else:
        assert Fraction(text) == weight


def test_a_weight_of_thousands_of_digits_is_written_all_the_same() -> None:
    assert weight_text(Fraction(10**5000 + 1, 3 * 10**5000)) == "≈ 0.333333"


@given(st.lists(st.decimals(-50, 50, places=2), min_size=1, max_size=8))
def test_numbers_have_their_size_and_their_squared_error(values: list[Any]) -> None:
    counts: Any = tuple(moments([Fraction(value) for value in values]))
    n, error = spread_of(Node(counts, 0))
    assert n == f"n {len(values)}"
    floats = [float(value) for value in values]
    expected = sum((value - fmean(floats)) ** 2 for value in floats)
    assert float(error.removeprefix("sse ")) == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_a_question_also_shows_the_mean_and_a_leaf_shows_it_elsewhere() -> None:
    assert arrived(NUMBERS, Node((4, 10, 30), Fraction(5, 2), Threshold("x", 1), (1, 2))) == [
        "n 4",
        "mean 2.5",
        "sse 5",
    ]
    assert arrived(NUMBERS, Node((4, 10, 30), Fraction(5, 2), stop="pure")) == ["n 4", "sse 5"]


def test_medians_have_their_absolute_deviation() -> None:
    node = Node(Deviations(4, 2, Fraction(11, 3)), 2, Threshold("x", 1), (1, 2))
    assert arrived(NUMBERS, node) == ["n 4", "median 2", "sad 3.66667"]


def test_nothing_is_said_of_what_nobody_counted() -> None:
    assert arrived(NUMBERS, Node((0, 0, 0), Fraction(5, 2))) == []
    assert arrived(CLASSES, Node((0, 0, 0), "c")) == []


def test_a_question_is_called_by_its_attribute_and_a_leaf_by_its_answer() -> None:
    assert name_of(Node((4, 10, 30), Fraction(5, 2), Threshold("x", 1), (1, 2))) == "x"
    assert [name_of(Node((0, 1, 0), "a\tb")), name_of(Node((4, 10, 30), Fraction(5, 2)))] == ["a\\tb", "2.5"]


def test_a_caption_is_filled_line_by_line() -> None:
    node = Node((12, 34, 56), "c")
    assert caption(CLASSES, node, 15) == ["c", "好 12, a\\tb 34,", "c 56"]
    assert caption(CLASSES, Node((0, 0, 0), "c", prior=True)) == ["c", "no row"]
    assert caption(CLASSES, Node((0, 0, 0), "c")) == ["c"]


def test_the_ways_from_a_node_are_its_branches() -> None:
    node = Node((1, 1, 1), "c", Multiway("x", ("p", "q", "r")), (1, 5, 9))
    assert [(branch, outcome.value) for branch, outcome in below(node)] == [(1, "p"), (5, "q"), (9, "r")]
    assert list(below(Node((1, 1, 1), "c"))) == []


@of_every(
    [
        (Subset("job", ("no",)), "job=no", ("no", "≠no")),
        (Subset("job", ("",)), "job=''", ("''", "≠''")),
        (Subset("job", ("a", "b")), "job in {a, b}", ("in {a, b}", "not in {a, b}")),
        (SeenSubset("job", ("a",), ("c",)), "job=a", ("a", "not in {a, c}")),
        (Threshold("x\n", Fraction(5, 2)), "x\\n<=2.5", ("<=2.5", ">2.5")),
        (Linear(((Coordinate("a"), 2), (Coordinate("b"), -1)), -3), "2*a-b<=-3", ("<=-3", ">-3")),
        (
            Linear(((Coordinate("a"), 1234567), (Coordinate("b"), 7654321)), 5000),
            "1235*a+7654*b<=5",
            ("<=5", ">5"),
        ),
    ]
)
def test_a_question_in_a_derivation(test: Any, question: str, found: tuple[str, ...]) -> None:
    assert asked(test) == question
    assert answers(test) == found


def test_a_number_of_many_digits_is_rounded_where_a_person_reads() -> None:
    """And stays exact in the document; that of a double is shown as it is."""
    huge, fine = 10**399, Fraction(0.1)
    table = Table.from_columns({"x": [huge, 3 * huge + 1], "y": ["a", "b"]})
    tree = CART(min_samples_leaf=1).grow(table)
    for view in (to_text, to_rules, to_dot, to_mermaid, to_svg):
        shown = re.sub(' data-path="[^"]*"', "", view(tree))  # which programs read
        assert not re.search(r"\d{60}", shown)
        assert "2e+399" in re.sub("#43;", "+", shown)
    assert from_json(to_json(tree)) == tree
    assert written(Outcome("le", fine)) == str(Decimal.from_float(0.1))
    assert written(Outcome("le", Fraction(1, 10**70 + 1))) == f"{Decimal(1) / (10**70 + 1):.0e}"
