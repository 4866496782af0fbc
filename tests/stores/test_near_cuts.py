"""The cuts that come back from a database include the best, whatever their number and their weights."""

from __future__ import annotations

from fractions import Fraction
from operator import attrgetter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.questions import Threshold
from reference_tree.exact.choosing import best
from reference_tree.splitting.candidate import MEASURES, Candidate
from reference_tree.splitting.continuous_bisection import (
    CutSearch,
    cuts_of_weight,
    gap_around,
    number_of_cuts,
    promising_cuts,
)
from reference_tree.splitting.surrogates import surrogates
from reference_tree.stores import columns
from reference_tree.stores import near_cuts as near_cuts_
from reference_tree.stores.near_cuts import can_estimate
from reference_tree.twins import by_the_book
from tests.every import of_every
from tests.stores.databases import stored
from tests.stores.numbers import noted, of_all_numbers

rows = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(-4, 4), st.sampled_from([0.1, 0.30000000000000004, 0.3])),
        st.integers(0, 3),
        st.integers(1, 3),
    ),
    min_size=4,
    max_size=30,
)


searched = given(
    cells=rows,
    minimum=st.integers(0, 3),
    weighted=st.booleans(),
    known=st.sampled_from([1, 2000]),
    pieces=st.sampled_from([1, 16]),
)


def made(measure: str, cells: Any, *, weighted: bool, decimal: str) -> rt.Table | None:
    """A table of the cells, with quarters as the numbers to be predicted or as the weights; none without a known x."""
    x, y, w = (list(column) for column in zip(*cells, strict=True))
    if all(value is None for value in x):
        return None
    is_class = measure != "variance_reduction"
    kinds: dict[str, Any] = {"categorical": ["y"], "continuous": ["x"]} if is_class else {"continuous": ["x", "y"]}
    numbers = {"x": [None if value is None else float(value) for value in x], "w": w, "y": y}
    if decimal == "w" or not is_class:
        numbers[decimal] = [value / 4 for value in numbers[decimal]]
    if not weighted:
        del numbers["w"]
    return rt.Table.from_columns(numbers, "y", weights="w" if weighted else None, **kinds)


@pytest.mark.parametrize("measure", ["gini_decrease", "gain", "variance_reduction"])
@searched
def test_the_best_cuts_are_among_them_with_the_right_counts(
    measure: str, cells: Any, minimum: int, weighted: bool, known: int, pieces: int
) -> None:
    table = made(measure, cells, weighted=weighted, decimal="y")
    if table is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "KNOWN", known)
        patch.setattr(columns, "PIECES", pieces)  # 1: bins hold several values
        sample = stored(table).sample()
        search = CutSearch(measure, minimum)
        assert can_estimate(sample, search)
        found = promising_cuts(sample, ["x"], search)
    with by_the_book():
        every = promising_cuts(table.sample(), ["x"], search)
    counted = {(test.threshold, tuple(part.rows), part.unknown) for test, part in every}
    assert {(test.threshold, tuple(part.rows), part.unknown) for test, part in found} <= counted

    def winners(cuts: Any) -> list[Any]:
        each = [Candidate(test, part, (measure,)) for test, part in cuts]
        return [one.test for one in best(each, attrgetter("score"))] if each else []

    assert winners(found) == winners(every)
    assert measure in MEASURES


@pytest.mark.one_in(6, 12)
@pytest.mark.parametrize("measure", ["gini_decrease", "gain", "variance_reduction"])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_cut_of_many_numbers_is_found_among_the_bins(
    measure: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers that lie close, far apart, repeat, and ties that mirror the rows; of noise nearly all bins are sorted."""
    chance, is_class = Random(seed), measure != "variance_reduction"
    x = [round(chance.lognormvariate(0, 1 + seed), 3) * chance.choice([1, -1]) for _ in range(400)]
    y = [(seed % 2) * 2 * (abs(value) > 1) + chance.randrange(3) for value in x]
    kinds: dict[str, Any] = {"categorical": ["y"]} if is_class else {"continuous": ["y"]}
    held: dict[str, Any] = {"x": [*x, *(1000 - value for value in x)], "y": y + y}
    table = rt.Table.from_columns(held, "y", **kinds)
    monkeypatch.setattr(columns, "KNOWN", 20)
    monkeypatch.setattr(near_cuts_, "_number_of_bins", lambda rows, nodes: 40)
    near = promising_cuts(stored(table).sample(), ["x"], CutSearch(measure, 1 + seed))
    with by_the_book():
        every = promising_cuts(table.sample(), ["x"], CutSearch(measure, 1 + seed))
    winners = best([Candidate(test, part, (measure,)) for test, part in every], attrgetter("score"))
    assert {one.test for one in winners} <= {cut.test for cut in near}
    assert len(near) < 20


@pytest.mark.parametrize("measure", ["gini_decrease", "gain", "variance_reduction"])
@pytest.mark.parametrize("most", [0, 1_000])
def test_columns_of_one_kind_are_asked_in_one_query(measure: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a query is dear by itself, the near cuts of each column are still those that it has alone."""
    table = of_all_numbers(Random(most), is_class=measure != "variance_reduction")
    monkeypatch.setattr(columns, "KNOWN", 20)
    monkeypatch.setattr(near_cuts_, "SORTED", most)
    names, search = [one.name for one in table.schema.attributes], CutSearch(measure, 2)
    alone, together = stored(table), stored(table)
    together.database.engine = together.database.engine._replace(packed="each column")
    asked = noted(together)
    kinds_of = {near_cuts_._kind(together.stored[name]) for name in names}
    assert len(kinds_of) < len(names) - 1
    whole = alone.sample(), together.sample()
    parts = (sample.split(Threshold("a", Fraction(1, 3))) for sample in whole)
    for asks, (one, other) in zip([len(kinds_of)] * 2 + [0], [whole, *zip(*parts, strict=True)], strict=True):
        asked.clear()
        found = promising_cuts(other, names[:1], search) + promising_cuts(other, names[1:], search)
        assert found == promising_cuts(one, names, search)
        assert len({cut.test.attribute for cut in found}) == 5
        assert len([sql for sql in asked if sql.startswith("WITH binned")]) == asks, "the samples of a level share them"


@given(
    cells=rows,
    at=st.integers(-3, 3),
    low=st.integers(0, 20),
    more=st.integers(0, 3),
    weighted=st.booleans(),
    known=st.sampled_from([1, 2000]),
    pieces=st.sampled_from([1, 16]),
)
def test_cuts_of_a_weight_their_number_gaps_and_surrogates_are_those_in_memory(
    cells: Any, at: int, low: int, more: int, weighted: bool, known: int, pieces: int
) -> None:
    x, y, w = (list(column) for column in zip(*cells, strict=True))
    z = [value if row % 4 else None for row, value in enumerate(reversed(w))]
    if all(value is None for value in x) or all(value is None for value in z):
        return
    held = {"x": [None if value is None else float(value) for value in x], "z": z, "w": w, "y": y}
    if not weighted:
        del held["w"]
    table = rt.Table.from_columns(
        held, "y", weights="w" if weighted else None, continuous=["x", "z"], categorical=["y"]
    )
    test = Threshold("x", Fraction(2 * at + 1, 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "KNOWN", known)
        patch.setattr(columns, "PIECES", pieces)
        there = stored(table).sample()
        fetched = there.table.database.fetched
        found = cuts_of_weight(there, "x", low, low + Fraction(more, 2))
        assert there.table.database.fetched - fetched <= max(len(found), 2) + 4, "it asks for them alone"
        counts, gap = number_of_cuts(there, "x"), gap_around(there, test)
        listed = [surrogates(there, test, seen=seen, minimum=more) for seen in (False, True)]
    here = table.sample()
    with by_the_book():
        assert found == cuts_of_weight(here, "x", low, low + Fraction(more, 2))
        assert (counts, gap) == (number_of_cuts(here, "x"), gap_around(here, test))
        assert listed == [surrogates(here, test, seen=seen, minimum=more) for seen in (False, True)]


@pytest.mark.parametrize("measure", ["gini_decrease", "gain", "variance_reduction"])
@searched
def test_beside_the_near_cuts_the_next_best_are_found(
    measure: str, cells: Any, minimum: int, weighted: bool, known: int, pieces: int
) -> None:
    table = made(measure, cells, weighted=weighted, decimal="w")
    if table is None:
        return
    search, found = CutSearch(measure, minimum), list[Any]()
    with by_the_book():
        every = promising_cuts(table.sample(), ["x"], search)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "KNOWN", known)
        patch.setattr(columns, "PIECES", pieces)
        sample = stored(table).sample()
        while len(found) < len(every):  # the best, then the next best: no better one is left out
            others = [cut for cut in every if cut.test not in {one.test for one in found}]
            wanted = best([Candidate(*cut, (measure,)) for cut in others], attrgetter("score"))
            without = frozenset(("x", cut.test.interval) for cut in found)
            near = promising_cuts(sample, ["x"], search._replace(without=without))
            assert {one.test for one in wanted} <= {cut.test for cut in near} <= {cut.test for cut in others}
            if found:
                break
            found += [cut for cut in near if cut.test in {one.test for one in wanted}]


@of_every(["gini_decrease", "gain", "variance_reduction"])
def test_of_many_rows_the_best_cut_comes_back_nearly_alone(measure: str) -> None:
    chance, is_class = Random(3), measure != "variance_reduction"
    x = [chance.randrange(40) for _ in range(200)]
    y = [(value > 22) * 3 + chance.randrange(4) for value in x]
    kinds: dict[str, Any] = {"categorical": ["y"]} if is_class else {"continuous": ["y"]}
    table = rt.Table.from_columns({"x": x, "y": y}, "y", **kinds)
    near = promising_cuts(stored(table).sample(), ["x"], CutSearch(measure))
    with by_the_book():
        every = promising_cuts(table.sample(), ["x"], CutSearch(measure))
    (best_one,) = best([Candidate(test, part, (measure,)) for test, part in every], attrgetter("score"))
    assert [cut.test for cut in near] == [best_one.test]


def test_a_tie_of_two_cuts_comes_back_whole() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": ["n", "y", "y", "n"]})
    for measure in ("gini_decrease", "gain"):
        found = promising_cuts(stored(table).sample(), ["x"], CutSearch(measure))
        assert [cut.test.name for cut in found] == ["x<=1.5", "x<=3.5"]


def test_what_cannot_be_estimated_is_counted_value_by_value() -> None:
    sample = stored(rt.textbook("golf")).sample()
    for search in (
        CutSearch("misclassification_decrease"),
        CutSearch("gain", gap=1),
        CutSearch("gain", class_weights=(1, 2)),
    ):
        assert not can_estimate(sample, search)
        assert len(promising_cuts(sample, ["humidity"], search)) > 3
