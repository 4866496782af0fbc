"""Cuts that are found by bins and a zoom are those in memory, with and without the bound, whatever the bins."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.questions import Threshold
from reference_tree.learners.growing import revisit
from reference_tree.splitting.continuous_bisection import CutSearch, promising_cuts
from reference_tree.stores import binned_cuts, columns
from reference_tree.stores.binned_cuts import not_binned
from tests.stores.databases import stored
from tests.stores.numbers import noted, of_all_numbers


def binned(there: Any, packed: str = "") -> Any:
    """A store in which cuts are found by bins as they are in Spark: column by column, or all in one query."""
    there.database.engine = there.database.engine._replace(packed=packed, stacked="UNNEST([{1}])")
    return there


@pytest.mark.parametrize("measure", ["gini_decrease", "gain", "variance_reduction"])
def test_all_columns_are_asked_in_one_query(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a query is dear by itself, the near cuts of each column are still those that it has alone."""
    table = of_all_numbers(Random(3), is_class=measure != "variance_reduction")
    monkeypatch.setattr(columns, "KNOWN", 20)
    monkeypatch.setattr(binned_cuts, "FEW", 4)
    monkeypatch.setattr(binned_cuts, "TOGETHER", 4)
    names, search, duckdb = (
        [one.name for one in table.schema.attributes],
        CutSearch(measure, 2),
        pytest.importorskip("duckdb"),
    )
    alone, together = (stored(table, duckdb.connect(), types=("DOUBLE", "TEXT")) for _ in range(2))
    alone, together = binned(alone), binned(together, packed="ROW(*COLUMNS(*))")
    asked = noted(together)
    whole = alone.sample(), together.sample()
    parts = (sample.split(Threshold("a", Fraction(1, 3))) for sample in whole)
    for asks, (one, other) in zip([1, 1, 0], [whole, *zip(*parts, strict=True)], strict=True):
        asked.clear()
        assert promising_cuts(other, names, search) == promising_cuts(one, names, search) != []
        assert len([sql for sql in asked if " AS k" in sql]) == asks, "the samples of a level share them"
        assert len([sql for sql in asked if " AS of_bin" in sql]) <= 4 * asks


LEARNERS = [
    rt.CART(max_depth=3),
    rt.CART(criterion="entropy", max_depth=3, min_samples_leaf=2),
    rt.CART(criterion="twoing", max_depth=2),
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
    """Bins decide what is asked and never what is answered: with and without the bound."""
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
    monkeypatch.setattr(binned_cuts, "EVERY", every)
    monkeypatch.setattr(binned_cuts, "FEW", 2)  # so that bins are zoomed into by smaller ones
    monkeypatch.setattr(binned_cuts, "TOGETHER", 2)
    connection = None if name == "sqlite" else pytest.importorskip("duckdb").connect()
    there = binned(stored(table, connection, types=("NUMERIC" if name == "sqlite" else "DOUBLE", "TEXT")))
    tree = learner.grow(there)
    assert tree.nodes == learner.grow(table).nodes
    for one, other in zip(revisit(tree, learner, there), revisit(tree, learner, table), strict=True):
        here, expected = one.decision, other.decision
        assert (here.winners, here.next_best, here.margin) == (expected.winners, expected.next_best, expected.margin)


def test_many_nodes_of_many_classes_have_long_keys() -> None:
    """Keys of nodes, columns and bins do not fit into 32 bits."""
    n = 120
    held: dict[str, Any] = {"x": [float(row) for row in range(n)], "z": [float(row * 7 % n) for row in range(n)]}
    held["y"] = [f"c{row % 60:02}" for row in range(n)]
    table = rt.Table.from_columns(held)
    there = binned(stored(table, pytest.importorskip("duckdb").connect(), types=("DOUBLE", "TEXT")))
    learner = rt.CART(max_depth=4)
    assert learner.grow(there).nodes == learner.grow(table).nodes


def test_what_is_not_found_by_bins_says_why() -> None:
    there, names = stored(rt.textbook("golf")), ["temperature", "humidity"]
    assert not_binned(there.sample(), names, CutSearch("gain")) == "an engine that estimates scores faster"
    sample = binned(there).sample()
    for search, why in (
        (CutSearch("misclassification_decrease"), "the measure misclassification_decrease"),
        (CutSearch("gain", gap=1), "a smallest gap"),
        (CutSearch("gain", class_weights=(1, 2)), "weights of classes"),
        (CutSearch("gain"), ""),
    ):
        assert not_binned(sample, names, search) == why
        assert len(promising_cuts(sample, names, search)) > 3 or not why
    assert not_binned(sample, names[:1], CutSearch("gain")) == "the best cut of each attribute"
