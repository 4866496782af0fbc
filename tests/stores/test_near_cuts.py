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
from reference_tree.learners.growing import grow, revisit
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
from reference_tree.stores import sql as sql_
from reference_tree.stores.engines import Asked
from reference_tree.stores.near_cuts import not_binned
from reference_tree.twins import by_the_book
from tests.every import of_every
from tests.stores.databases import stored

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
        assert not not_binned(sample, search)
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
    monkeypatch.setattr(near_cuts_, "FEW", 2)  # so that bins are zoomed into by smaller ones
    near = promising_cuts(stored(table).sample(), ["x"], CutSearch(measure, 1 + seed))
    with by_the_book():
        every = promising_cuts(table.sample(), ["x"], CutSearch(measure, 1 + seed))
    winners = best([Candidate(test, part, (measure,)) for test, part in every], attrgetter("score"))
    assert {one.test for one in winners} <= {cut.test for cut in near}
    assert len(near) < 20


@pytest.mark.parametrize("measure", ["gini_decrease", "gain", "variance_reduction"])
def test_all_columns_are_asked_in_one_query(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a query is dear by itself, the near cuts of each column are still those that it has alone."""
    chance, is_class = Random(3), measure != "variance_reduction"
    held: dict[str, Any] = {
        "a": [chance.randrange(-41, 40, 2) / 8 for _ in range(90)],
        "b": [chance.choice([None, chance.randrange(-4001, 4000, 2) / 8]) for _ in range(90)],
        "few": [chance.choice([0.5, 1.5, None]) for _ in range(90)],
        "whole": [chance.choice([2**61 + 1, -(2**61) - 1, chance.randrange(99)]) for _ in range(90)],
        "none": [None] * 90,
        "c": [chance.randrange(1, 10**6, 2) / 8 for _ in range(90)],
    }
    held["y"] = [(a > 0) * 2 + chance.randrange(3) for a in held["a"]]
    kinds: dict[str, Any] = {"categorical": ["y"]} if is_class else {}
    table = rt.Table.from_columns(held, "y", continuous=["few", "none", *([] if is_class else ["y"])], **kinds)
    monkeypatch.setattr(columns, "KNOWN", 20)
    monkeypatch.setattr(near_cuts_, "FEW_WHERE_DEAR", 4)
    names, search, duckdb = [*held][:-1], CutSearch(measure, 2), pytest.importorskip("duckdb")
    alone, together = (stored(table, duckdb.connect(), types=("DOUBLE", "TEXT")) for _ in range(2))
    dear = {"packed": "ROW(*COLUMNS(*))", "stacked": "UNNEST([{1}])"}
    together.database.engine = together.database.engine._replace(**dear)
    asked, ask = list[str](), together.database.asked

    def asking(query: Asked) -> Any:
        asked.append(query.sql)
        return ask(query)

    together.database.asked = asking
    whole = alone.sample(), together.sample()
    parts = (sample.split(Threshold("a", Fraction(1, 3))) for sample in whole)
    for asks, (one, other) in zip([1, 1, 0], [whole, *zip(*parts, strict=True)], strict=True):
        asked.clear()
        found = [cut for name in names for cut in promising_cuts(other, [name], search)]
        assert found == [cut for name in names for cut in promising_cuts(one, [name], search)]
        assert len({cut.test.attribute for cut in found}) == 5
        assert len([sql for sql in asked if " AS k" in sql]) == asks, "the samples of a level share them"
        assert len([sql for sql in asked if "AS code" in sql]) <= 4 * asks


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
        found = cuts_of_weight(there, "x", low, low + Fraction(more, 2))
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


def test_what_is_not_found_by_bins_is_counted_value_by_value_and_says_why() -> None:
    sample = stored(rt.textbook("golf")).sample()
    for search, why in (
        (CutSearch("misclassification_decrease"), "the measure misclassification_decrease"),
        (CutSearch("gain", gap=1), "a smallest gap"),
        (CutSearch("gain", class_weights=(1, 2)), "weights of classes"),
    ):
        assert not_binned(sample, search) == why
        assert len(promising_cuts(sample, ["humidity"], search)) > 3


LEARNERS = [
    rt.CART(max_depth=3),
    rt.CART(criterion="entropy", max_depth=3, min_samples_leaf=2),
    rt.CART(criterion="twoing", max_depth=2),
    rt.C45(max_depth=3),
    rt.CART(criterion="squared_error", max_depth=3),
]


@pytest.mark.one_in(10, 40)
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: getattr(one, "criterion", "ratio"))
@pytest.mark.parametrize("name", ["sqlite", "duckdb"])
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_the_tree_its_ties_and_its_margins_are_those_in_memory(
    learner: Any, name: str, every: bool, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bins decide what is asked and never what is answered: with and without the bound, and with bins that are kept."""
    chance, is_class = Random(seed), getattr(learner, "criterion", "gini") != "squared_error"
    n, digits, classes = chance.choice([12, 60, 150]), chance.choice([0, 1, 3]), chance.choice([2, 3, 5])
    x, z, u = ([round(chance.gauss(0, 2), digits) for _ in range(n)] for _ in range(3))
    held: dict[str, Any] = {"x": x, "z": [None if not chance.randrange(6) and seed % 2 else one for one in z], "u": u}
    y = [(a > 0.5) * 2 + (c > 0) + chance.randrange(2) for a, c in zip(x, u, strict=True)]
    held["w"], held["y"] = [chance.randint(1, 4) / 4 for _ in x], [one % classes if is_class else one / 4 for one in y]
    if seed % 3:
        del held["w"]
    kinds: dict[str, Any] = {"categorical": ["y"], "continuous": ["x", "z", "u"]}
    if not is_class:
        kinds = {"continuous": ["x", "z", "u", "y"]}
    table = rt.Table.from_columns(held, "y", weights="w" if "w" in held else None, **kinds)
    monkeypatch.setattr(columns, "KNOWN", 3)
    monkeypatch.setattr(near_cuts_, "EVERY", every)
    monkeypatch.setattr(near_cuts_, "FEW", 2)
    monkeypatch.setattr(sql_, "KEPT", 0)
    connection = None if name == "sqlite" else pytest.importorskip("duckdb").connect()
    there = stored(table, connection, types=("NUMERIC" if name == "sqlite" else "DOUBLE", "TEXT"))
    tree = learner.grow(there)
    assert tree.nodes == learner.grow(table).nodes
    for one, other in zip(revisit(tree, learner, there), revisit(tree, learner, table), strict=True):
        here, expected = one.decision, other.decision
        assert (here.winners, here.next_best, here.margin) == (expected.winners, expected.next_best, expected.margin)


def test_what_was_kept_is_released_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_, "KEPT", 0)
    connection = pytest.importorskip("duckdb").connect()
    there = stored(rt.textbook("iris"), connection, types=("DOUBLE", "TEXT"))
    kept = "SELECT table_name FROM duckdb_tables() WHERE temporary"
    asked = list[Any]()

    def growing(_: int) -> None:
        asked.append(connection.execute(kept).fetchall())
        if len(asked) > 8:
            raise KeyboardInterrupt

    assert grow(rt.CART(max_depth=1), there, growing).depth == 1
    assert len(asked[0]) == 1, "one table beside the database, while a tree is grown"
    assert connection.execute(kept).fetchall() == []
    with pytest.raises(KeyboardInterrupt):
        grow(rt.CART(), there, growing)
    assert connection.execute(kept).fetchall() == []


def test_many_nodes_of_many_classes_have_long_keys() -> None:
    """Keys of nodes, bins and classes do not fit into 32 bits."""
    n = 120
    held: dict[str, Any] = {"kind": [f"k{row // 2:02}" for row in range(n)], "x": [float(row) for row in range(n)]}
    held["y"] = [f"c{row % 60:02}" for row in range(n)]
    table = rt.Table.from_columns(held)
    there = stored(table, pytest.importorskip("duckdb").connect(), types=("DOUBLE", "TEXT"))
    learner = rt.C45(max_depth=2)
    assert learner.grow(there).nodes == learner.grow(table).nodes
