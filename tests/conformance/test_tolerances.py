"""Tolerances: wide enough for a right program in doubles, and too narrow for a wrong one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from reference_tree.conformance.tolerances import SCALES, tolerance, tolerances
from tests.conformance.test_goldens import DECIDED, IDS, load
from tests.every import of_every

SKEWED = [Fraction(99), Fraction(1)]


def test_a_quantity_has_one_line() -> None:
    assert all(line.times in {*SCALES, "judged_by"} for line in tolerances().values())
    assert tolerance("gain").bound == Fraction(1, 2**48)


def quantities(part: Any, name: str) -> Iterator[str]:
    """The member that holds each number in a part of a golden; of what speaks for the classes, the one for all."""
    if isinstance(part, list):
        for inner in part:
            yield from quantities(inner, name)
    elif isinstance(part, dict):
        is_number, is_votes = set(part) == {"exact", "double", "digits"}, "answers" in part and "scores" in part
        found = {"scores": list(part["scores"].values())} if is_votes else {} if is_number else part
        yield from [name] if is_number else []
        for member, inner in found.items():
            yield from quantities(inner, member)


@of_every(IDS)
def test_every_number_of_a_golden_has_a_line(name: str) -> None:
    document = load(name)
    for quantity in quantities(document["expected"], document.get("quantity", "")):
        assert tolerance(quantity).quantity == quantity, "a score without a line of its own has that of other scores"


@pytest.mark.slow
@of_every(DECIDED)
def test_the_nearest_double_of_every_score_conforms(name: str) -> None:
    for decision in load(name)["expected"]["decisions"]:
        total = [Fraction(weight) for weight in decision["total"]]
        named = [*(item for one in decision["candidates"] for item in one["scores"].items())]
        named += [("margin", decision["margin"])] if decision["margin"] else []
        for quantity, number in named:
            given, value = Fraction(float.fromhex(number["double"])), Fraction(number["digits"])
            assert tolerance(quantity).allows(given, value, total, decision["judged_by"]), (quantity, decision["node"])


def test_a_gini_value_in_doubles_conforms_and_one_of_n_minus_1_does_not() -> None:
    in_doubles = 1 - sum((count / 100) ** 2 for count in (99.0, 1.0))
    exact = 1 - sum(((count / 100) ** 2 for count in SKEWED), Fraction(0))
    assert abs(Fraction(in_doubles) - exact) > 4 * math.ulp(in_doubles)  # so that units in the last place fail it
    assert tolerance("gini").allows(Fraction(in_doubles), exact)
    assert not tolerance("gini").allows(exact * 100 / 99, exact)


def test_a_price_of_a_leaf_in_doubles_conforms() -> None:
    assert Fraction(0.5 - 0.49) - Fraction(1, 100) > 4 * math.ulp(0.01)
    assert tolerance("alpha").allows(Fraction(0.5 - 0.49), Fraction(1, 100))


def test_an_entropy_of_0_is_0_and_nothing_near_it() -> None:
    assert not tolerance("entropy").allows(Fraction(1, 2**60), Fraction(0))
    assert tolerance("entropy").allows(Fraction(0), Fraction(0))


@of_every([(1, 1), (2, 1), (8, 3)])
def test_a_gain_of_more_classes_may_differ_more(classes: int, factor: int) -> None:
    assert tolerance("gain").reach(Fraction(1), [Fraction(1)] * classes) == factor * Fraction(1, 2**48)


def test_what_arrives_gives_the_scale_of_a_difference() -> None:
    assert tolerance("gini_decrease").reach(Fraction(0), SKEWED) * 2**44 == Fraction(198, 10000)
    assert tolerance("misclassification_decrease").reach(Fraction(0), SKEWED) * 2**44 == Fraction(1, 100)
    moments = [Fraction(2), Fraction(3), Fraction(10)]
    assert tolerance("split_error").reach(Fraction(0), moments) * 2**44 == 10
    assert tolerance("variance_reduction").reach(Fraction(0), moments) * 2**44 == 5
    assert tolerance("absolute_error_reduction").reach(Fraction(0), moments) * 2**44 == 5


def test_a_margin_may_differ_by_twice_what_its_scores_may() -> None:
    assert tolerance("margin").reach(Fraction(1), judged_by="ratio") == 2 * tolerance("ratio").bound


def test_a_saving_may_differ_as_much_as_the_squares_it_is_taken_from() -> None:
    assert tolerance("saving").reach(Fraction(0), [Fraction(2), Fraction(3), Fraction(10)]) * 2**44 == 10
    assert tolerance("cost").reach(Fraction(1, 2)) * 2**44 == 1
