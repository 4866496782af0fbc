"""Stopping: each rule, its bound, and which comes first."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given

from reference_tree.data.questions import Multiway
from reference_tree.data.table import Table
from reference_tree.data.targets import Classes
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Answer, Place
from reference_tree.learners.stopping.bounds import (
    decreases_too_little,
    falls_short,
    gains_nothing,
    is_deepest,
    is_empty,
    is_exhausted,
    is_pure,
    is_small,
)
from reference_tree.learners.stopping.rule import Stops
from reference_tree.measures.information_gain import information_gain
from tests import oracles, strategies
from tests.every import of_every
from tests.strategies import fractions

SAMPLE = Table.from_columns({"a": ["x", "y"], "y": ["no", "yes"]}).sample()
ROOT = Place.root(SAMPLE)
DEEP, _ = ROOT.children(SAMPLE, Multiway("a", ("x", "y")), Answer("no", (1, 1)))[0]
COUNTS: list[tuple[Any, ...]] = [(0, 0), (0, 3), (2, 1), (Fraction(1, 3), 0), (Fraction(1, 3), Fraction(1, 2))]


@pytest.mark.covers("N0 EN §3.1 step (1)", "N1 §1.4 step 1", "N2 §1 case 1", "N4 Learning Process: one class")
def test_empty_and_pure() -> None:
    assert [is_empty(counts) for counts in COUNTS] == [True, False, False, False, False]
    assert [is_pure(Classes(("a", "b")), counts) for counts in COUNTS] == [False, True, False, True, False]


@pytest.mark.covers("N0 EN §3.1 step (2)", "N1 §1.4 step 2")
def test_no_attribute_is_left() -> None:
    assert not is_exhausted(ROOT)
    assert is_exhausted(DEEP)


@pytest.mark.covers("N4 Learning Process: maximum depth")
@of_every([
    (ROOT, None, False), (ROOT, 0, True), (ROOT, 1, False), (DEEP, None, False), (DEEP, 1, True), (DEEP, 2, False),
])  # fmt: skip
def test_the_root_has_depth_0(place: Place, most: int | None, stops: bool) -> None:
    """A tree of maximum depth 1 splits once."""
    assert is_deepest(place, most) == stops


@pytest.mark.covers("N4 Learning Process: few examples")
@given(strategies.fractional_counts)
def test_as_many_rows_as_a_split_needs_are_enough(counts: list[Any]) -> None:
    n, hair = sum(counts), Fraction(1, 10**30)
    assert not is_small(sum(counts), n)
    assert is_small(sum(counts), n + hair)
    assert not is_small(sum(counts), n - hair)


@pytest.mark.covers("N0 EN §3.1 step (4)", "N1 §1.4 step 4", "N1 §1.4 step 5", "N4 Learning Process: threshold")
@given(strategies.partitions(), fractions(0, 1, max_denominator=6))
def test_a_score_of_epsilon_is_enough(table: list[list[int]], epsilon: Fraction) -> None:
    assert falls_short(information_gain(table), epsilon) == (not oracles.gains_at_least(table, epsilon))


def test_no_bound_forbids_nothing_not_even_what_makes_things_worse() -> None:
    assert not decreases_too_little(Fraction(-1, 6), 1, 1, 0)
    assert decreases_too_little(Fraction(-1, 6), 1, 1, Fraction(1, 10**9))


def test_epsilon_at_one_bit() -> None:
    gain = information_gain([[3, 0, 0], [0, 1, 2]])  # 0.9999999999999998 in floats
    assert not falls_short(gain, 1)
    assert falls_short(gain, 1 + Fraction(1, 10**19))
    assert falls_short(gain, 1 + Fraction(1, 10**300))
    assert not falls_short(gain, 1 - Fraction(1, 10**300))


def test_an_epsilon_of_0_stops_only_what_is_below_it() -> None:
    assert not falls_short(information_gain([[1, 1], [1, 1]]), 0)
    assert falls_short(Fraction(-1, 6), 0)


@pytest.mark.covers("N4 Learning Process: decision 2", "N4 Putting it together: step 4")
def test_the_first_rule_that_holds_is_the_reason() -> None:
    """Empty, pure, no attributes, maximum depth, minimum samples: a pure node is pure whatever else holds."""
    order = ["empty", "pure", "no-attributes", "max-depth", "min-samples-split"]
    for counts, place, depth, minimum in product(COUNTS, (ROOT, DEEP), (None, 0, 1, 2), (0, 3, 4)):
        holds = {
            "empty": is_empty(counts),
            "pure": is_pure(Classes(("a", "b")), counts),
            "no-attributes": is_exhausted(place),
            "max-depth": is_deepest(place, depth),
            "min-samples-split": is_small(sum(counts), minimum),
        }
        expected = next((rule for rule in order if holds[rule]), None)
        assert (
            Stops({"max_depth": depth, "min_samples_split": minimum}).before(Classes(("a", "b")), counts, place)
            == expected
        )
    assert Stops({}).before(Classes(("a", "b")), (2, 1), ROOT) is None


def test_only_a_gain_above_0_is_a_gain() -> None:
    assert gains_nothing(information_gain([[1, 1], [1, 1]]))
    assert not gains_nothing(information_gain([[10**9, 10**9], [10**9, 10**9 + 1]]))
    assert gains_nothing(Fraction(-1, 6))


@given(fractions(0, 1, max_denominator=9), fractions(0, 1, max_denominator=9))
def test_a_decrease_counts_by_the_share_of_its_node(score: Fraction, share: Fraction) -> None:
    hair = Fraction(1, 10**30)
    assert not decreases_too_little(score, share, 1, score * share)
    assert decreases_too_little(score, share, 1, score * share + hair)
    assert decreases_too_little(score, 7 * share, 7, score * share + hair)


def test_without_a_bound_nothing_decreases_too_little() -> None:
    assert not decreases_too_little(0, 0, 1, 0)


def test_no_bound_is_set_unless_told() -> None:
    """The best question of play tennis gains a quarter of a bit, about."""
    outlook = ID3().decide(textbook("play-tennis").sample()).winners[0]
    assert Stops({}).after(outlook) is None
    assert Stops({"epsilon": Fraction(1, 4)}).after(outlook) == "epsilon"
    assert Stops({"min_impurity_decrease": Fraction(1, 4)}).after(outlook) == "min-impurity-decrease"
