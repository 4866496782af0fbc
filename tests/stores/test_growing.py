"""Trees grown level by level are numbered as those that are grown branch by branch."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from hypothesis import given

import reference_tree as rt
from reference_tree.learners.growing import grow
from reference_tree.stores.engines import Asked
from reference_tree.twins import by_the_book
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


@pytest.mark.parametrize("when", [12, 14, 18])
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
