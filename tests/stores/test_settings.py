"""No setting of a session decides a tree: trees are grown and audited as in memory, or the session is refused."""

from __future__ import annotations

import datetime
import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from importlib import import_module
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.stores import columns, near_cuts, sql
from tests.stores.databases import Remembering
from tests.stores.settings import SETTINGS, Setting
from tests.views.trees.engines import started

MARKS = {store: (pytest.mark.oracles, pytest.mark.spark) if store == "spark" else (pytest.mark.oracles,)
         for store in ("postgresql", "spark")}  # fmt: skip
COLOURS = ("a", "A", "a ", "b", "B", "é", "É")
TYPES: Mapping[str, Mapping[str, str]] = {
    "sqlite": {"size": "REAL", "price": "REAL", "age": "INTEGER", "colour": "TEXT", "kind": "TEXT",
               "y": "REAL", "w": "REAL"},
    "duckdb": {"size": "DOUBLE", "price": "DECIMAL(10, 2)", "age": "BIGINT", "colour": "VARCHAR", "kind": "VARCHAR",
               "y": "DECIMAL(12, 3)", "w": "DOUBLE"},
    "postgresql": {"size": "DOUBLE PRECISION", "price": "NUMERIC", "age": "BIGINT", "colour": "TEXT", "kind": "TEXT",
                   "y": "NUMERIC(12, 3)", "w": "DOUBLE PRECISION"},
    "spark": {"size": "double", "price": "decimal(10,2)", "age": "bigint", "colour": "string", "kind": "string",
              "y": "decimal(12,3)", "w": "double"},
}  # fmt: skip
"""The columns of the table, by store."""


def rows(seed: int, n: int = 150) -> list[tuple[Any, ...]]:
    """A random table: doubles of all digits, decimals, whole numbers, texts that differ in case alone, and gaps.

    Doubles come in pairs whose first fifteen digits are the same.
    """
    chance, found = Random(seed), list[tuple[Any, ...]]()
    for _ in range(n):
        size = chance.choice([0.1, 0.2, 0.3, 0.7]) * chance.choice([1, 3])
        size = math.nextafter(size, 9) if (is_large := chance.random() < 0.5) else size
        price = Decimal(chance.randrange(-999, 1000)).scaleb(-2)
        age, colour = chance.randrange(-40, 41), chance.choice(COLOURS)
        y = Decimal(chance.randrange(1000)).scaleb(-3) + (3 if is_large else 0) + (colour in "aBé") * 2
        kind = ["no", "No", "yes"][(is_large + (colour in "aBé") + (price > 0)) % 3 if chance.random() < 0.9 else 0]
        gaps = [chance.random() < 0.05 for _ in range(3)]
        cells = [None if gap else cell for gap, cell in zip(gaps, (size, price, colour), strict=True)]
        found.append((cells[0], cells[1], age, cells[2], kind, y, chance.choice([0.1, 0.25, 1.0, 1 / 3, 2 / 3])))
    return found


CELLS = rows(3)
CLASSES = {"target": "kind", "without": ["y", "w"]}
LEARNERS: Sequence[tuple[Any, Mapping[str, Any]]] = (
    (rt.ID3(max_depth=1), {"target": "colour", "without": ["size", "price", "age", "y", "w"]}),
    (rt.CART(criterion="squared_error", max_depth=2), {"target": "y", "without": ["kind"], "weights": "w"}),
)


@pytest.fixture(scope="module", name="servers")
def _servers() -> Iterator[Servers]:
    """The servers that were started, by store; they are ended at last."""
    with ExitStack() as ends:
        yield Servers(ends)


class Servers(dict[str, Any]):
    """The servers by their stores; each starts when it is first needed."""

    def __init__(self, ends: ExitStack) -> None:
        super().__init__()
        self.ends = ends

    def __missing__(self, store: str) -> Any:
        self[store] = self.ends.enter_context(started(store, parts=2))
        return self[store]


@contextmanager
def connected(store: str, servers: Servers) -> Iterator[Any]:
    """A connection of a session of its own, as far as a store has them."""
    if store == "sqlite":
        yield sqlite3.connect(":memory:")
    elif store == "duckdb":
        yield pytest.importorskip("duckdb").connect()
    elif store == "spark":
        yield Remembering(servers[store].session)  # an audit asks again what the learner asked
    else:
        host = servers[store].connection.info.host
        with import_module("psycopg").connect(
            host=host, user="asked", dbname="postgres", autocommit=True
        ) as connection:
            yield connection


def names_of(setting: Setting) -> dict[str, str]:
    """The names of the columns under a setting."""
    first, second = setting.columns or ("size", "colour")
    return {name: {"size": first, "colour": second}.get(name, name) for name in TYPES[setting.store]}


def written(connection: Any, setting: Setting) -> None:
    """Make the table `orders` under a setting."""
    types, names = {**TYPES[setting.store], **setting.types}, names_of(setting)
    if setting.store == "spark":
        spark: Any = import_module("pyspark.sql.types")
        held = {"bigint": spark.LongType(), "double": spark.DoubleType(), "date": spark.DateType()}
        held |= {
            f"decimal({digits},{places})": spark.DecimalType(digits, places) for digits, places in ((10, 2), (12, 3))
        }
        fields = [spark.StructField(names[one], held.get(kind, spark.StringType())) for one, kind in types.items()]
        cells = CELLS
        if "date" in types.values():
            cells = [(*row[:2], datetime.date(2000, 1, 1), *row[3:]) for row in CELLS]
        connection.conf.set("spark.sql.caseSensitive", "true")
        frame = connection.session.createDataFrame(cells, spark.StructType(fields))
        for one, kind in types.items():
            if "collate" in kind:
                frame = frame.withColumn(names[one], frame[names[one]].cast(kind))
        frame.localCheckpoint().createOrReplaceTempView("orders")
        connection.conf.unset("spark.sql.caseSensitive")
        return
    for statement in ("DROP TABLE IF EXISTS orders", *setting.before):
        connection.execute(statement)
    declared = ", ".join(f'"{names[one]}" {kind}' for one, kind in types.items())
    connection.execute(f"CREATE TABLE orders ({declared})")
    marks = ", ".join(["%s" if setting.store == "postgresql" else "?"] * len(types))
    run = connection.cursor() if setting.store == "postgresql" else connection
    is_lite = setting.store == "sqlite"  # which has no decimals
    rounded = [[float(one) if is_lite and isinstance(one, Decimal) else one for one in row] for row in CELLS]
    run.executemany(f"INSERT INTO orders VALUES ({marks})", rounded)


@contextmanager
def under(setting: Setting, servers: Servers) -> Iterator[Any]:
    """A connection to a database with the table, after what sets something."""
    with connected(setting.store, servers) as connection:
        written(connection, setting)
        is_set = dict[str, Any]()
        try:
            for each in setting.make:
                if callable(each):
                    each(connection)
                elif setting.store != "spark":
                    connection.execute(each)
                elif each.startswith("spark."):
                    name, _, value = each.partition("=")
                    is_set[name] = value
                    connection.conf.set(name, value)
                else:
                    connection.session.sql(each)
            yield connection
        finally:
            for name in is_set:
                connection.conf.unset(name)


def memory(how: Mapping[str, Any], names: Mapping[str, str]) -> rt.Table:
    """The same rows in memory."""
    wanted = [name for name in names.values() if name not in how["without"]]
    of = dict(zip(names.values(), zip(*CELLS, strict=True), strict=True))
    kinds = {"categorical": [one for one in (names["colour"], "kind") if one in wanted]}
    rest = {key: value for key, value in how.items() if key != "without"}
    return rt.Table.from_columns({name: list(of[name]) for name in wanted}, **rest, **kinds)  # type: ignore[arg-type]


def judged(connection: Any, names: Mapping[str, str], learners: Sequence[tuple[Any, Mapping[str, Any]]]) -> None:
    """Trees that are grown and audited where the rows are, compared with those in memory."""
    for learner, how in learners:
        how = {key: [names[one] for one in value] if key == "without" else names[value] for key, value in how.items()}
        there, here = rt.sql(connection, "orders", **how), memory(how, names)
        tree, expected = learner.grow(there), learner.grow(here)
        assert tree.nodes == expected.nodes
        assert len(tree.nodes) > 2
        found = rt.audit(expected, there, learner)
        assert found.is_right
        assert str(found) == str(rt.audit(expected, here, learner, ranks=False))
        if learner.max_depth == 2 and here.schema.target.values is not None:
            wrong = learner.grow(here.without([names["colour"]]))
            assert [one.verdict for one in rt.audit(wrong, there, learner).findings] == [
                one.verdict for one in rt.audit(wrong, here, learner, ranks=False).findings
            ]
        if here.schema.target.values is not None:
            assert expected.contingency(there) == expected.contingency(here)


@pytest.mark.parametrize(
    "setting", [pytest.param(one, id=one.name, marks=MARKS.get(one.store, ())) for one in SETTINGS]
)
def test_no_setting_of_a_session_decides_a_tree(
    setting: Setting, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "KNOWN", 6)  # so that columns are not read whole
    criterion: Any = ["gini", "entropy"][SETTINGS.index(setting) % 2]
    learners = [(rt.CART(max_depth=2, criterion=criterion), CLASSES), *LEARNERS]
    if setting.store == "spark":  # where a query takes a tenth of a second or more
        learners = [(rt.CART(max_depth=1), CLASSES)]
        monkeypatch.setattr(sql, "KEPT", 0)  # so that bins are kept
        if "exponent" in setting.what:
            monkeypatch.setattr(near_cuts, "SORTED", 0)  # so that rows are counted by bins
    with under(setting, servers) as connection:
        if setting.how != "refused":
            judged(connection, names_of(setting), learners)
            return
        with pytest.raises(rt.InputError, match=setting.says) as error:
            rt.sql(connection, "orders", target="kind")
        assert "\n" not in str(error.value)


def flags(store: str, connection: Any) -> Iterator[str]:
    """Statements that turn each flag of an engine, as it lists them itself."""
    if store == "sqlite":
        for (name,) in connection.execute("PRAGMA pragma_list").fetchall():
            if name.endswith("_limit"):  # of the memory of all connections
                continue
            found = connection.execute(f"PRAGMA {name}").fetchall()
            if len(found) == 1 and found[0] in {(0,), (1,)}:
                yield f"PRAGMA {name} = {1 - found[0][0]}"
    elif store == "duckdb":
        query = "SELECT name, value FROM duckdb_settings() WHERE input_type = 'BOOLEAN' AND value IN ('true', 'false')"
        for name, value in connection.execute(query).fetchall():
            yield f"SET {name} = {'false' if value == 'true' else 'true'}"
    else:
        query = (
            "SELECT name, setting, vartype, enumvals FROM pg_settings"
            " WHERE vartype IN ('bool', 'enum') AND context IN ('user', 'superuser')"
        )
        for name, value, kind, values in connection.execute(query).fetchall():
            others = ["off" if value == "on" else "on"] if kind == "bool" else [one for one in values if one != value]
            yield from (f"SET {name} = '{one}'" for one in others)


@pytest.mark.slow
@pytest.mark.parametrize(
    "store", ["sqlite", "duckdb", pytest.param("postgresql", marks=[pytest.mark.oracles, pytest.mark.more])]
)
def test_no_flag_that_an_engine_lists_decides_a_tree(
    store: str, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those of a release to come: it grows the tree that is grown in memory, or is refused in a line."""
    monkeypatch.setattr(columns, "KNOWN", 6)
    plain = Setting(store, "plain", "no effect", "")
    learner, how = rt.CART(max_depth=1), dict[str, Any](CLASSES)
    expected, refused = learner.grow(memory(how, names_of(plain))).nodes, dict[str, str]()
    with connected(store, servers) as connection:
        statements = list(flags(store, connection))
    assert len(statements) > 20
    for statement in statements:
        with under(plain, servers) as connection:
            try:
                connection.execute(statement)
            except Exception:  # it is set at the start alone, or needs a right
                continue
            try:
                assert learner.grow(rt.sql(connection, "orders", **how)).nodes == expected, statement
            except rt.InputError as error:
                refused[statement] = str(error)
    assert {*refused} <= REFUSED, refused


REFUSED = {"PRAGMA short_column_names = 0"}
"""The flags with which a store is refused."""
