"""Judging cuts: which may be made, and which are boundaries."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_tree.data.orders import Orders
from reference_tree.splitting.judging import Judged, allowed, boundaries, judged, judged_together
from reference_tree.splitting.scanning import SCORES, best_cuts, leaders

from reference_tree.data.sample import Ordered, gaps
from reference_tree.data.table import Table
from reference_tree.splitting import judging


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


def by_place(one: Judged) -> dict[int, int]:
    return dict(zip(one.scores.places, one.scores.estimates, strict=True))


def columns_of(chance: random.Random, size: int, attributes: int, classes: int) -> dict[str, list[Any]]:
    """Attributes that tell more or less of the class, with equal values and without."""
    classes_of = [chance.randrange(classes) for _ in range(size)]
    found: dict[str, list[Any]] = {}
    for place in range(attributes):
        spread = chance.choice([1, 3, 20])
        steps = chance.choice([4, 10**6])
        found[f"a{place}"] = [int((label + spread * chance.random()) * steps) for label in classes_of]
    return {**found, "y": [f"c{label}" for label in classes_of]}


@pytest.mark.parametrize("measure", ["gain", "gini_decrease"])
@pytest.mark.parametrize("large", [2, 12, 400])
@pytest.mark.parametrize("minimum", [0, 1, Fraction(5, 2), 40])
def test_judged_together_as_one_by_one(measure: str, large: int, minimum: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same attributes can have the best cut, by the same cuts and estimates; with stretches and without."""
    monkeypatch.setattr(judging, "LARGE", large)
    for seed in range(60):
        chance = random.Random(seed)
        size, attributes, classes = chance.choice([2, 3, 8, 40, 90]), chance.randrange(1, 6), chance.choice([2, 2, 4])
        sample = Table.from_columns(columns_of(chance, size, attributes, classes)).sample()
        names = [f"a{place}" for place in chance.sample(range(attributes), chance.randrange(1, attributes + 1))]
        assert isinstance(sample, Orders)
        joined = sample.joined(names)
        if joined is None:  # a sample of one class keeps no orders
            continue
        found = {one.attribute: one for one in judged_together(sample, joined, measure, minimum)}
        each = {name: judged(sample, name, measure, minimum, every=True) for name in names}
        tried = [one for one in each.values() if one.tries]
        most = max((one.scores.most for one in tried), default=0)
        slack = max((one.scores.slack for one in tried), default=0)
        assert set(found) == {one.attribute for one in tried if one.scores.most >= most - 2 * slack}
        for name, one in found.items():
            assert (one.cuts, one.tries, one.scores.most) == (each[name].cuts, each[name].tries, each[name].scores.most)
            assert by_place(one).items() <= by_place(each[name]).items()
            assert one.ordered.gaps == each[name].ordered.gaps


@pytest.mark.parametrize(
    ("measure", "labels"),
    [("gain", ("nynynnynnn", "nyynnnnynn")), ("gini_decrease", ("ynnynnynn", "nyynnynnn"))],
)
def test_ties_whose_estimates_differ(measure: str, labels: tuple[str, str]) -> None:
    """Of (7, 3) rows a cut at (4, 3)|(3, 0) gains what (1, 2)|(6, 1) does, and the estimates are a unit apart."""
    rows = sorted(labels[0])
    columns: dict[str, list[Any]] = {"y": rows}
    for name, order in zip("ab", labels, strict=True):
        standing = {label: iter([place for place, here in enumerate(order) if here == label]) for label in "ny"}
        columns[name] = [next(standing[label]) for label in rows]
    sample = Table.from_columns(columns, target="y").sample()
    assert isinstance(sample, Orders)
    joined = sample.joined("ab")
    assert joined is not None
    found = judged_together(sample, joined, measure)
    assert [one.attribute for one in found] == ["a", "b"]
    assert found[0].scores.most != found[1].scores.most
    scores = [SCORES[measure](cut.table.rows) for name in "ab" for cut in best_cuts(sample, name, measure)]
    assert all(score == scores[0] for score in scores)
    assert {finalist.cut.test.attribute for finalist in leaders(sample, "ab", measure)} == {"a", "b"}


def test_a_value_shared_up_to_the_last_row_is_no_reason_to_cut_there() -> None:
    """Between two orders there is no cut, and none of the cuts beside it is taken for one at a shared value."""
    sample = Table.from_columns({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4], "y": list("nyyy")}).sample()
    assert isinstance(sample, Orders)
    joined = sample.joined("ab")
    assert joined is not None
    assert [one.scores.places for one in judged_together(sample, joined, "gain")] == [[1], [1]]
