"""What a session could decide: connections are known by their class, and what cannot be spelled is refused."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from decimal import Decimal
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.stores import columns, engines
from reference_tree.stores.engines import ENGINES
from reference_tree.stores.sessions import CONNECTIONS, TRIED, answered, module_of, refuse_decided
from tests.stores.databases import stored
from tests.views.trees.engines import started


def test_each_engine_has_a_connection_and_is_tried() -> None:
    assert {*CONNECTIONS.values()} == {*TRIED} == {*ENGINES}


class Own(sqlite3.Connection):
    """A connection of a class of one's own."""


def test_a_connection_is_known_by_its_class_and_what_is_none_is_named() -> None:
    connection = sqlite3.connect(":memory:", factory=Own)
    connection.execute("CREATE TABLE t AS SELECT 1 AS x, 'p' AS y UNION SELECT 2, 'q'")
    assert rt.CART().grow(rt.sql(connection, "t")).nodes[0].counts == (1, 1)
    for other in (connection.cursor(), sqlite3, None, "shop.db"):
        with pytest.raises(rt.InputError, match=rf"^{type(other).__name__} is no connection of sqlite3, duckdb"):
            rt.sql(other, "t")


def test_a_relation_is_no_connection_and_no_name() -> None:
    connection = pytest.importorskip("duckdb").connect()
    connection.execute("CREATE TABLE t AS SELECT 1 AS x, 'p' AS y")
    relation = connection.table("t")
    with pytest.raises(
        rt.InputError, match=r"^DuckDBPyRelation is no connection of .* of a cursor, a relation or a data"
    ):
        rt.sql(relation, "t")
    with pytest.raises(rt.InputError, match=r"^a DuckDBPyRelation is no name of a table or a view, and no SELECT$"):
        rt.sql(connection, relation)


@pytest.mark.parametrize("how", ["weights", "continuous"])
def test_booleans_are_no_numbers(how: str) -> None:
    connection = pytest.importorskip("duckdb").connect()
    connection.execute("CREATE TABLE t AS SELECT * FROM (VALUES (1, true, 'p'), (2, false, 'q')) v(x, b, y)")
    options: Any = {how: "b" if how == "weights" else ["b"]}
    with pytest.raises(rt.InputError, match=r"^t, column b: holds booleans, which are no numbers; cast it"):
        rt.sql(connection, "t", **options)
    assert rt.sql(connection, "t").schema.attribute("b").values == ("False", "True")


def test_a_list_of_what_can_be_read_cannot_be_read() -> None:
    connection = pytest.importorskip("duckdb").connect()
    for cell in ("[1.5]", "['a']", "['a'::ENUM('a')]", "{'a': 1}", "date '2000-01-01'", "uuid()"):
        with pytest.raises(
            rt.InputError, match=r"column x: .* is neither a number nor a category; cast it in a SELECT$"
        ):
            rt.sql(connection, f"SELECT {cell} AS x, 1 AS y")
    data = rt.sql(connection, "SELECT uuid() AS id, 1 AS x, 'p' AS y", without=["id"])
    assert [one.name for one in data.schema.attributes] == ["x"], "what is not asked may have any type"


def test_a_column_that_is_gone_is_no_text() -> None:
    """Between double quotes SQLite would take its name for a text, the same in each row."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t AS SELECT 1 AS x, 'p' AS y UNION SELECT 2, 'q'")
    there = rt.sql(connection, "t")
    connection.execute("ALTER TABLE t RENAME COLUMN x TO z")
    with pytest.raises(rt.InputError, match="t: sqlite3 says: no such column: x"):
        rt.CART().grow(there)


def test_a_session_that_gives_other_values_is_refused() -> None:
    connection = sqlite3.connect(":memory:")
    refuse_decided(connection, "sqlite3")
    connection.create_function("abs", 1, lambda number: number)
    with pytest.raises(rt.InputError, match=r"^ABS\(-3\) is -3 in this session, where the engine itself says 3; hand"):
        refuse_decided(connection, "sqlite3")


def test_the_factory_of_the_caller_stays() -> None:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    assert answered(connection, "sqlite3", "SELECT 1 AS a", ()).fetchall() == [(1,)]
    assert connection.row_factory is sqlite3.Row
    assert connection.execute("SELECT 1 AS a").fetchone()["a"] == 1


@pytest.mark.parametrize("name", ["sqlite", "duckdb"])
@pytest.mark.parametrize("learner", [rt.CART(max_depth=2), rt.CART(criterion="entropy", max_depth=2)])
def test_each_statement_spells_its_orders(name: str, learner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noted(connection: Any, module: str, sql: str, parameters: tuple[Any, ...]) -> Any:
        asked.append(sql)
        return answered(connection, module, sql, parameters)

    monkeypatch.setattr(engines, "answered", noted)
    monkeypatch.setattr(columns, "KNOWN", 3)  # so that rows are counted by bins
    connection = None if name == "sqlite" else pytest.importorskip("duckdb").connect()
    there = stored(rt.textbook("iris"), connection, types=("DOUBLE", "TEXT"))
    assert rt.audit(learner.grow(there), there, learner).is_right
    orders = [term for sql in asked for found in re.findall(r"ORDER BY ([^()]*)", sql) for term in found.split(",")]
    assert orders
    assert not [term for term in orders if not re.search(r"(ASC|DESC) NULLS (FIRST|LAST)( LIMIT \d+)?\s*$", term)]
    assert not [sql for sql in asked if re.search(r"(GROUP|ORDER) BY \d", sql)]


@pytest.mark.oracles
def test_what_postgresql_holds_is_read_or_refused_in_a_line() -> None:
    with started("postgresql") as server:
        connection = server.connection  # type: ignore[union-attr]
        connection.execute("CREATE TABLE t (x NUMERIC, r REAL, y TEXT, day DATE, b BOOLEAN)")
        for row in range(9):
            cells = ["NaN" if row == 3 else row / 2, row / 7, "pq"[row > 4], "2000-01-01", row > 2]
            connection.execute("INSERT INTO t VALUES (%s, %s, %s, %s, %s)", cells)
        there = rt.sql(connection, "SELECT x, y FROM t")
        assert there.stored["x"].has_gaps, "NaN is a missing value"
        assert sum(there.sample().ordered("x").unknown) == 1
        assert [one.values for one in rt.sql(connection, "SELECT x, y FROM t WHERE x = 'NaN'").schema.attributes]
        assert rt.sql(connection, "SELECT x % 2 AS x, y FROM t WHERE y LIKE '%' AND y <> '%s'").stored["x"].has_gaps
        assert Decimal("0.5") in there.stored["x"].some
        numbers = rt.sql(connection, "SELECT r, y FROM t").schema.numbers["r"]
        assert float(numbers[1]) == 0.1428571492433548, "the number that a REAL is, as queries compare it"
        two = rt.sql(connection, 'SELECT r AS a, x AS "A", y FROM t')
        assert [one.name for one in two.schema.attributes] == ["a", "A"]
        cases = {
            "SELECT 'Infinity'::NUMERIC AS x, y FROM t": "column x: Infinity is no finite number",
            "SELECT day, y FROM t": "column day: date is neither a number nor a category",
            "SELECT ARRAY[r] AS x, y FROM t": r"column x: real\[\] is neither a number nor a category",
            "SELECT 1::MONEY AS x, y FROM t": "column x: money is neither a number nor a category",
            "SELECT r FROM nope%": 'psycopg says: syntax error at or near "%"',
        }
        for source, says in cases.items():
            with pytest.raises(rt.InputError, match=says):
                rt.sql(connection, source)
        for weights, says in {
            "b": "holds booleans, which are no numbers",
            "x": "a weight is a positive number",
        }.items():
            with pytest.raises(rt.InputError, match=says):
                rt.sql(connection, "SELECT x, b, r, y FROM t", weights=weights)

        async def waits() -> Any:
            driver: Any = pytest.importorskip("psycopg")
            return await driver.AsyncConnection.connect(host=connection.info.host, user="asked", dbname="postgres")

        async def is_refused() -> None:
            waiting = await waits()
            with pytest.raises(rt.InputError, match=r"^AsyncConnection is no connection of"):
                module_of(waiting)
            await waiting.close()

        asyncio.run(is_refused())
