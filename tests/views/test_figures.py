"""Figures: the words for what reaches a node."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from statistics import fmean
from typing import Any

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
from reference_tree.views.figures import (
    amount,
    answers,
    arrived,
    asked,
    below,
    caption,
    counts_of,
    name_of,
    spread_of,
    weight_text,
    written,
)
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.trees.text import to_dot, to_mermaid, to_rules, to_text

CLASSES = Tree(Attribute("y", ("好", "a\tb", "c")), (), ())
NUMBERS = Tree(Attribute("y"), (Attribute("x"),), ())


@pytest.mark.parametrize(
    ("weight", "weighted", "expected"),
    [
        (0, False, "0 rows"),
        (1, False, "1 row"),
        (14, False, "14 rows"),
        (1, True, "a weight of 1"),
        (Fraction(5, 2), True, "a weight of 2.5"),
        (Fraction(1, 3), True, "a weight of 1/3"),
    ],
)
def test_amounts(weight: Any, weighted: bool, expected: str) -> None:
    assert amount(weight, weighted=weighted) == expected


def test_counts_of_classes() -> None:
    assert arrived(CLASSES, Node((0, Fraction(1, 2), 3), "c")) == [r"a\tb 0.5", "c 3"]
    assert arrived(CLASSES, Node((0, 1, 3), "c"), all_of_them=True) == ["好 0", r"a\tb 1", "c 3"]
    assert counts_of(("a", "b"), (0, 0), all_of_them=False) == []


@given(st.fractions(min_value=0, max_value=1000, max_denominator=10**6))
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


@pytest.mark.parametrize(
    ("test", "question", "found"),
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
    ],
    ids=range(7),
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
