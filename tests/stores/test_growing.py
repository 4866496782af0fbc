"""Trees grown level by level are numbered as those that are grown branch by branch."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.learners.growing import grow, revisit
from reference_tree.stores import columns
from reference_tree.stores.engines import Asked
from reference_tree.twins import by_the_book
from tests.every import of_every
from tests.sample_stores import tables
from tests.stores.databases import stored


def is_small(number: Any) -> bool:
    return bool(abs(number) < 2**52 and number % 1 == 0)


@given(tables(rows=10))
def test_the_tree_is_that_of_the_book(table: rt.Table) -> None:
    is_whole = all(weight == 1 for weight in table.weighted())
    learner = rt.CART() if table.schema.target.values is None else rt.C45()
    if not is_whole or not all(is_small(n) for one in table.schema.numbers.values() for n in one):
        return  # the database of this test holds doubles
    grown = grow(learner, stored(table))
    with by_the_book():
        assert grow(learner, table).nodes == grown.nodes


def test_a_tree_may_be_deep() -> None:
    """SQLite parses some eighteen CASEs within another, less within subqueries."""
    numbers = list(range(30))
    table = rt.Table.from_columns({"x": numbers, "y": ["ab"[n % 2] for n in numbers]})
    assert grow(rt.CART(), stored(table)).nodes == grow(rt.CART(), table).nodes


@of_every([12, 14, 18])
def test_rows_that_change_while_they_are_read_are_one_line(when: int) -> None:
    database, asked = sqlite3.connect(":memory:"), list[Asked]()
    database.execute("CREATE TABLE t (a, b, y)")
    rows = [(n, n * 7 % 10, "ab"[n * 3 % 7 > 2]) for n in range(50)]
    database.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    there = rt.sql(database, "t")
    ask = there.database.asked

    def changing(query: Asked) -> Any:
        asked.append(query)
        if len(asked) == when:
            database.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        return ask(query)

    there.database.asked = changing  # type: ignore[method-assign]
    with pytest.raises(rt.InputError, match="the rows change while they are read; open a transaction"):
        rt.CART().grow(there)


@given(tables(rows=12), st.sampled_from(["surrogates", "branch", "fractions", "stay", "spread"]), st.booleans())
def test_what_is_predicted_is_counted_as_row_by_row(table: rt.Table, missing: Any, half: bool) -> None:
    if not all(is_small(n) for one in table.schema.numbers.values() for n in one):
        return  # the database of this test holds doubles
    there = stored(table)
    tree = rt.CART(missing=missing, max_depth=3).grow(table.head(max(len(table) // 2, 1)) if half else table)
    if half and table.schema.target.values is not None:
        tree = replace(tree, nodes=(replace(tree.nodes[0], label=tree.target.domain[-1]), *tree.nodes[1:]))
    for data in (there, table):
        assert tree.contingency(data, "majority") == tree.contingency(table, "majority")
    assert tree.predict(there, "majority") == tree.predict(table, "majority")


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("learner", [rt.CART(), rt.CART(criterion="squared_error")])
def test_a_tree_is_judged_by_counts_and_pruned_by_counts(learner: Any) -> None:
    numbers = list(range(400))
    y: list[Any] = (
        [n // 7 % 3 for n in numbers] if learner.criterion == "squared_error" else ["abc"[n // 7 % 3] for n in numbers]
    )
    table = rt.Table.from_columns({"x": [n * 37 % 400 / 8 for n in numbers], "z": numbers, "y": y}, continuous=["z"])
    there = stored(table)
    tree = learner.grow(table.take(range(0, 400, 2)))
    asked, fetched = there.database.queries, there.database.fetched
    assert tree.contingency(there).weights == tree.contingency(table).weights
    assert there.database.queries - asked <= 3
    assert there.database.fetched - fetched <= 3 * len(tree.leaves()) + 2
    fetched = there.database.fetched
    assert rt.prune(tree, "reduced-error", validation=there) == rt.prune(tree, "reduced-error", validation=table)
    assert there.database.fetched - fetched <= 4 * len(tree.nodes)


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("learner", "missing"), [(rt.C45(), False), (rt.CART(), False), (rt.CART(), True)])
def test_error_based_pruning_raises_branches_by_counts(
    learner: Any, missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(5)
    x, z = ([round(chance.gauss(0, 1), 3) for _ in range(300)] for _ in range(2))
    y = ["ab"[a + b + chance.gauss(0, 1) > 0] for a, b in zip(x, z, strict=True)]
    table = rt.Table.from_columns({"x": [a if chance.randrange(9) or not missing else None for a in x], "z": z, "y": y})
    monkeypatch.setattr(columns, "KNOWN", 3)
    there, tree = stored(table), learner.grow(table)
    fetched = there.database.fetched
    pruned = rt.prune(tree, "error-based", data=there)
    assert pruned == rt.prune(tree, "error-based", data=table)
    assert len(pruned.nodes) < len(tree.nodes)
    assert there.database.fetched - fetched < 15 * len(tree.nodes)


def test_the_nodes_of_a_level_are_asked_together() -> None:
    """A tree of 31 nodes on five levels: each level is counted once, and its questions are asked once."""
    numbers = list(range(64))
    table = rt.Table.from_columns({"x": numbers, "y": [f"k{number // 4:02}" for number in numbers]})
    learner = rt.CART(criterion="entropy")
    tree = learner.grow(table)
    assert len(tree.nodes) == 31
    there, queries = stored(table), list[str]()
    there.database.connection.set_trace_callback(queries.append)
    assert [found.number for found in revisit(tree, learner, there)] == list(range(31))
    assert len(queries) <= 2 * 5 + 1
