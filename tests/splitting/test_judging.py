"""Judging cuts: which may be made, and which are boundaries."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.sample import Ordered, gaps
from reference_tree.data.table import Table
from reference_tree.splitting.judging import allowed, boundaries, judged


def ordered(values: list[int], multiples: list[int] | None, unit: Any) -> Ordered:
    return Ordered(values, bytes(len(values)), gaps(values), multiples, unit, 1, (0,))


weights = st.one_of(st.none(), st.lists(st.integers(1, 5), min_size=8, max_size=8))


@given(st.integers(0, 8), weights, st.sampled_from([1, 2, Fraction(1, 3)]), st.fractions(-1, 30))
def test_the_places_that_leave_enough_on_both_sides(n: int, multiples: Any, unit: Any, minimum: Any) -> None:
    found = ordered(list(range(n)), None if multiples is None else multiples[:n], unit)
    first, last = allowed(found, minimum)
    sizes = found.weights
    for place in range(1, n):
        enough = sum(sizes[:place]) >= minimum and sum(sizes[place:]) >= minimum
        assert (first <= place <= last) == enough


def textbook_boundaries(labels: bytes, cuts: bytes) -> set[int]:
    """Fayyad and Irani: a cut, unless all rows of the value below and of the value above are of one class."""
    values = [0]
    for cut in cuts:
        values.append(values[-1] + cut)
    classes = {value: {label for v, label in zip(values, labels, strict=True) if v == value} for value in values}
    return {
        place
        for place, cut in enumerate(cuts, 1)
        if cut and len(classes[values[place - 1]] | classes[values[place]]) > 1
    }


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_no_boundary_is_left_out(size: int) -> None:
    """All of them are there; a few cuts next to a shared value are too. In a sample of one class all cuts are."""
    for labels, cuts in product(product(range(3), repeat=size), product(range(2), repeat=size - 1)):
        found = boundaries(bytes(labels), bytes(cuts))
        places = {place for place, flag in enumerate(found, 1) if flag}
        expected = textbook_boundaries(bytes(labels), bytes(cuts))
        assert expected <= places <= {place for place, cut in enumerate(cuts, 1) if cut}
        if not expected:
            assert bool(places) == any(cuts)
        elif all(cuts):
            assert places == expected


def test_a_rule_that_bars_cuts_makes_every_other_count() -> None:
    """Classes 1, 1, 1, 0 with a minimum of 2: the boundary is barred, and the cut in the middle is the best."""
    sample = Table.from_columns({"x": [1, 2, 3, 4], "y": list("bbba")}).sample()
    assert judged(sample, "x", "gain").scores.places == [3]
    found = judged(sample, "x", "gain", minimum=2)
    assert (found.scores.places, found.cuts, found.tries) == ([2], 3, 1)
    assert judged(sample, "x", "gain", every=True).scores.places == [1, 2, 3]


def test_tiny_samples_are_judged_once() -> None:
    first = Table.from_columns({"x": [1, 2, 3], "y": list("aba")}).sample()
    other = Table.from_columns({"x": [4, 7, 9], "y": list("cdc")}).sample()
    assert judged(first, "x", "gain").scores is judged(other, "x", "gain").scores
    assert judged(first, "x", "gini_decrease").scores is not judged(first, "x", "gain").scores
