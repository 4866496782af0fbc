"""Linear tests: what they ask, what their one form is, and how they are written."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.linear_tests import Coordinate, Linear
from reference_tree.data.questions import Multiway, Threshold, parse_path, path_step
from tests.every import of_every
from tests.strategies import fractions

numbers = st.one_of(st.integers(-9, 9), fractions(-9, 9, max_denominator=12))
OUTLOOK = Multiway("outlook", ("overcast", "rainy", "sunny"))
A, B, EAR = Coordinate("a"), Coordinate("b"), Coordinate("ear", "oval")
coordinates = st.builds(Coordinate, st.sampled_from(["a", "b", "c"]), st.none() | st.sampled_from(["u", "v"]))


def first(weights: dict[Coordinate, Any]) -> Any:
    return next((weight for weight in weights.values() if weight), 0)


positive_sums = st.dictionaries(coordinates, numbers, min_size=1, max_size=4).filter(
    lambda found: bool(first(found) > 0)
)


@given(positive_sums, numbers, fractions(-3, 3), fractions(-3, 3))
def test_a_linear_test_leaves_nothing_out(
    weights: dict[Coordinate, Fraction], threshold: Fraction, a: Fraction, b: Fraction
) -> None:
    row: dict[str, Any] = {"a": a, "b": b, "c": "1/2"}
    known = {c: w for c, w in weights.items() if c.value is None}
    if first(known) > 0:
        height = sum(w * Fraction(row[c.attribute]) for c, w in known.items())
        assert Linear.of(known, threshold).branch(row) == (0 if height <= threshold else 1)


@given(positive_sums, numbers, fractions(Fraction(1, 9), 9))
def test_equal_linear_tests_are_equal_text(
    weights: dict[Coordinate, Fraction], threshold: Fraction, scale: Fraction
) -> None:
    test = Linear.of(weights, threshold, (threshold, threshold + 1))
    scaled = {coordinate: weight * scale for coordinate, weight in weights.items()}
    again = Linear.of(scaled, threshold * scale, (threshold * scale, (threshold + 1) * scale))
    assert again == test
    assert again.name == test.name
    assert math.gcd(*(weight for _, weight in test.weights)) == 1
    assert test.weights[0][1] > 0


tricky = st.text(st.sampled_from('ab2+-*=[]" '), min_size=1, max_size=5)
terms = st.lists(
    st.tuples(st.builds(Coordinate, tricky, st.none() | tricky), st.integers(-3, 3).filter(bool)),
    min_size=1,
    max_size=3,
    unique_by=lambda term: term[0],
)


@given(terms, terms)
def test_different_linear_tests_are_different_text(
    one: list[tuple[Coordinate, int]], other: list[tuple[Coordinate, int]]
) -> None:
    """Whatever signs stand in the names."""
    a, b = (
        Linear(tuple((c, w // math.gcd(*(w for _, w in t)) * (1 if t[0][1] > 0 else -1)) for c, w in t), 0)
        for t in (one, other)
    )
    assert (a.name == b.name) == (a == b)


def test_categories_in_a_linear_test() -> None:
    test = Linear(((A, 2), (EAR, -3)), 1)
    assert test.name == "2*a-3*[ear=oval]<=1"
    assert test.attributes == ("a", "ear")
    assert [test.branch({"a": a, "ear": ear}) for a, ear in ((2, "oval"), (2, "pointy"), ("0.5", "?"))] == [0, 1, 0]
    assert test.part("a", "1/2") == 1
    assert [test.part("ear", ear) for ear in ("oval", "pointy")] == [-3, 0]


def test_a_linear_test_needs_all_its_attributes() -> None:
    test = Linear(((A, 1), (EAR, 1)), 1)
    assert test.branch({"a": None, "ear": "oval"}) is None
    assert test.branch({"a": 1, "ear": None}) is None
    with pytest.raises(InputError, match="the row has no value for ear"):
        test.branch({"a": None})
    with pytest.raises(InputError, match="'high' is not a number; the tree asks for a"):
        test.branch({"a": "high", "ear": "oval"})


@of_every([(), ((A, 2), (B, 4)), ((A, -1), (B, 1)), ((A, 1), (B, 0)), ((A, 0),), ((A, 1), (A, 2))])
def test_weights_of_another_form_are_refused(weights: tuple[tuple[Coordinate, int], ...]) -> None:
    with pytest.raises(InputError, match="a linear test"):
        Linear(weights, 1)


def test_an_inequality_has_to_be_turned_round() -> None:
    with pytest.raises(InputError, match="turn the inequality round"):
        Linear.of({A: 0, B: -1}, 3)
    with pytest.raises(InputError, match="coprime integers"):
        Linear.of({A: 0}, 3)


def test_how_linear_tests_are_written() -> None:
    test = Linear.of({A: Fraction(1, 2), B: Fraction(-1, 3), EAR: 1}, Fraction(1, 4), (0, 1))
    assert (test.name, test.interval) == ("3*a-2*b+6*[ear=oval]<=1.5", (0, 6))
    assert [test.step(branch) for branch in (0, 1)] == ["3*a-2*b+6*[ear=oval]<=1.5", "3*a-2*b+6*[ear=oval]>1.5"]
    assert path_step(test, 1) == r"3*a-2*b+6*[ear\=oval]>1.5"
    assert parse_path("/" + path_step(test, 1)) == (path_step(test, 1),)
    assert Linear(((Coordinate("petal-length"), 1),), 2).name == '"petal-length"<=2'
    assert [question.attributes for question in (OUTLOOK, Threshold("x", 1))] == [("outlook",), ("x",)]
