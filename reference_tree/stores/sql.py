"""SQL: a table in a database as data to grow a tree from, to explain it and to prune it.

Every question of `reference_tree.data.sample.Sample` is a `SELECT ... GROUP BY`. The database counts rows; weights,
shares and scores are computed here, exactly, from the groups. So a tree, its ties and its margins are those of the same
rows in memory. What is read:

- Integers and decimals stand for themselves. A double stands for the shortest decimal that names it, as in a file.
- Texts are categories, compared as bytes whatever the collation of the column; so are booleans, but in SQLite, which
  stores 0 and 1, they are numbers.
- NULL and NaN are missing values. Dates, arrays, JSON and blobs are refused; a SELECT can cast them.

A sample is a list of parts, each a condition of its rows and a share that their weights are multiplied by: 1, until
rows without an answer go down several branches. No row is in two of them. A threshold is asked with a value of the
column, the largest that is not above it, so no rounding moves a row. Nothing is written into the database. Its rows may
not change meanwhile: a transaction of the caller sees to that.

1. `sql` gives the data, `SQLTable`.
2. `SQLSample` answers the questions.
3. `Dialect` is what an engine writes in its own way.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from operator import add
from typing import Any, NamedTuple, Protocol, TypeAlias

from reference_tree.data.columns import Column, Origin, encode, infer
from reference_tree.data.errors import InputError, no_such, shown
from reference_tree.data.held import written
from reference_tree.data.linear_tests import Linear
from reference_tree.data.outcomes import Outcome
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import REFUSED, Missing, Row, Test
from reference_tree.data.sample import Counts, Ordered, Partition
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.table import Table
from reference_tree.data.targets import Branches, Target, target_of
from reference_tree.exact.rationals import Rational, simplest


class Connection(Protocol):
    """An open connection, as `sqlite3`, `duckdb` and `psycopg` have it."""

    def execute(self, query: Any, parameters: Any = ..., /) -> Any:
        """Run a query; its result has `fetchall`."""


class Dialect(NamedTuple):
    """What an engine writes in its own way."""

    mark: str
    """The place of a parameter."""
    text: str
    """A column of text that is compared as bytes."""
    column: str = "{}"
    """A column of any type, so that DISTINCT keeps texts apart whose bytes differ."""


DIALECTS: Mapping[str, Dialect] = {
    "sqlite3": Dialect("?", "{}", "{} COLLATE BINARY"),
    "duckdb": Dialect("?", "{}"),
    "psycopg": Dialect("%s", '{} COLLATE "C"'),
}
"""The dialect of each engine, by the module of its connections."""

POINTS = 30_000
"""The most values in one condition; SQLite takes 32 766."""

Asked: TypeAlias = tuple[str, tuple[Any, ...]]
"""A piece of SQL, and its parameters."""


@dataclass(frozen=True)
class StoredColumn:
    """A column of the database.

    Args:
        sql: the column in a query.
        attribute: its attribute.
        raw: its distinct values as the database has them, in the order of `values`.
        values: the same as exact numbers, ascending, or as names of categories.
    """

    sql: str
    attribute: Attribute
    raw: Sequence[Any]
    values: Sequence[Any]

    @cached_property
    def of_raw(self) -> Mapping[Any, Any]:
        """The exact number or the name of each value."""
        return {None: None, **dict(zip(self.raw, self.values, strict=True))}

    @cached_property
    def of_name(self) -> Mapping[str, Any]:
        """The value of each category as the database has it."""
        return dict(zip(self.values, self.raw, strict=True))


def sql(
    connection: Connection,
    source: str,
    target: str | None = None,
    *,
    weights: str | None = None,
    without: Collection[str] = (),
    categorical: Collection[str] = (),
    continuous: Collection[str] = (),
) -> SQLTable:
    """A table, a view or a SELECT of a database as data for learners.

    Args:
        connection: an open connection of `sqlite3`, `duckdb` or `psycopg`. It stays the caller's.
        source: the name of a table or a view, `schema.name` included, or a SELECT.
        target: the column to predict; the last one if not given. Rows without a value there are left out, and counted.
        weights: the column that holds the weight of each row.
        without: columns that are no attributes.
        categorical: columns to be read as categories even if they hold numbers; `*` means all.
        continuous: columns to be read as numbers.

    Raises:
        InputError: the connection is none of these, the query fails, there is no such column, no row has a target, or a
            column holds what is neither a number nor a category.

    Example:
        >>> import sqlite3
        >>> import reference_tree as rt
        >>> shop = sqlite3.connect(":memory:")
        >>> _ = shop.execute("CREATE TABLE orders (size REAL, colour TEXT, bought TEXT)")
        >>> rows = [(0.1, "red", "no"), (0.2, "blue", "yes"), (0.3, "red", "yes")]
        >>> _ = shop.executemany("INSERT INTO orders VALUES (?, ?, ?)", rows)
        >>> orders = sql(shop, "orders")
        >>> orders
        <SQLTable orders: size, colour → bought>
        >>> print(rt.to_text(rt.CART().grow(orders)), end="")
        size <= 0.15: no (no 1)
        size > 0.15: yes (yes 2)
    """
    engine = type(connection).__module__.partition(".")[0].removeprefix("_")
    if engine not in DIALECTS:
        raise InputError(f"{shown(connection)} is no connection of {', '.join(DIALECTS)}")
    reader = _Reader(connection, engine, source)
    names = reader.names()
    said = [name for name in (target, weights, *without, *categorical, *continuous) if name not in (None, "*")]
    for name in said:
        if name not in names:
            raise reader.error(no_such("column", name, names))
    chosen = target or [name for name in names if name != weights][-1]
    if chosen == weights or chosen in without:
        raise reader.error(f"{chosen} is the target; name another one")
    kept = [name for name in names if name not in (chosen, weights, *without)]
    return reader.table([*kept, chosen], weights, categorical, continuous)


class _Reader:
    """Reads what the columns of a source are."""

    def __init__(self, connection: Connection, engine: str, source: str) -> None:
        self.connection, self.engine, self.source = connection, engine, source.strip().rstrip(";")
        self.dialect = DIALECTS[engine]
        is_query = re.match(r"(?is)\s*(select|with|values|from)\b\s*\S|\(", self.source)
        self.rows = f"({self.source}\n) AS source" if is_query else ".".join(map(self.quoted, self.source.split(".")))
        self.name = "a query" if is_query else self.source

    def error(self, message: str, column: str | None = None) -> InputError:
        return InputError(message, path=self.name, column=column)

    def quoted(self, name: str) -> str:
        found = '"' + name.replace('"', '""') + '"'
        return found.replace("%", "%%") if self.dialect.mark == "%s" else found

    def asked(self, query: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        try:
            found = self.connection.execute(query, parameters)
            return list(found.fetchall())
        except Exception as error:
            if type(error).__module__.partition(".")[0].removeprefix("_") != self.engine:
                raise
            raise self.error(f"{self.engine} says: {str(error).strip().splitlines()[0]}") from None

    def names(self) -> list[str]:
        try:
            cursor = self.connection.execute(f"SELECT * FROM {self.rows} LIMIT 0")
        except Exception as error:
            if type(error).__module__.partition(".")[0].removeprefix("_") != self.engine:
                raise
            raise self.error(f"{self.engine} says: {str(error).strip().splitlines()[0]}") from None
        names = [str(column[0]) for column in cursor.description]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise self.error("stands twice; give each column a name of its own", column=twice)
        return names

    def table(
        self, names: Sequence[str], weights: str | None, categorical: Collection[str], continuous: Collection[str]
    ) -> SQLTable:
        chosen = names[-1]
        where = f"{self.quoted(chosen)} IS NOT NULL"
        found = {name: self.column(name, where, categorical, continuous, name == chosen) for name in names}
        weight = None if weights is None else self.column(weights, where, (), (weights,), is_target=False)
        if not found[chosen].values:
            raise self.error("no row has a value here, and it is to be predicted", column=chosen)
        if weight is not None and (None in self.raws(weights or "", where) or min(weight.values) < 0):
            raise self.error("a weight is missing or negative", column=weights)
        where = f"{found[chosen].sql} IS NOT NULL"  # NaN is missing, too
        ((left_out,),) = self.asked(f"SELECT COUNT(*) FROM {self.rows} WHERE NOT ({where})")
        numbers = {name: one.values for name, one in found.items() if one.attribute.values is None}
        *attributes, target = (found[name].attribute for name in names)
        schema = Schema(tuple(attributes), target, numbers)
        return SQLTable(self, self.name, schema, found, weight, f"({where})", left_out)

    def raws(self, name: str, where: str) -> list[Any]:
        """The distinct values of a column as the database has them."""
        sql = self.dialect.column.format(self.quoted(name))
        return [raw for (raw,) in self.asked(f"SELECT DISTINCT {sql} FROM {self.rows} WHERE {where}")]

    def repeats(self, name: str, where: str) -> bool:
        """Whether two of three rows have the same value, as a target of classes has."""
        return len(self.asked(f"SELECT {self.quoted(name)} FROM {self.rows} WHERE {where} LIMIT 3")) > 2

    def column(
        self, name: str, where: str, categorical: Collection[str], continuous: Collection[str], is_target: bool
    ) -> StoredColumn:
        """What a column holds, from its distinct values."""
        sql, raws = self.dialect.column.format(self.quoted(name)), self.raws(name, where)
        if any(isinstance(raw, float | Decimal) and math.isnan(raw) for raw in raws):  # NaN compares as the largest
            sql = f"NULLIF({sql}, CAST('NaN' AS DOUBLE PRECISION))"
        raws = [raw for raw in raws if raw is not None and not (isinstance(raw, float | Decimal) and math.isnan(raw))]
        for raw in raws:
            if not isinstance(raw, str | int | float | Decimal):
                kind = type(raw).__name__
                raise self.error(f"{kind} is neither a number nor a category; cast it in a SELECT", column=name)
        is_text = any(isinstance(raw, str) for raw in raws)
        if is_text and name in continuous:
            raise self.error("holds texts, which the database does not order as numbers; cast it in a SELECT", name)
        if is_text:
            sql, categorical = self.dialect.text.format(sql), (*categorical, name)
        column = Column(name, written(raws))
        origin = Origin(self.name)
        if is_target and name not in continuous and len(raws) == 2 and self.repeats(name, where):
            categorical = (*categorical, name)
        attribute = infer(column, origin, categorical, continuous)
        cells = encode(column, attribute, origin) if raws else []
        values = list(cells) if attribute.values is None else [attribute.values[code] for code in cells]
        order = sorted(range(len(raws)), key=values.__getitem__)
        return StoredColumn(sql, attribute, [raws[at] for at in order], [values[at] for at in order])


class SQLTable:
    """Data in a database; see `reference_tree.data.sample.Data` for what its methods mean.

    Args:
        reader: runs queries.
        name: the name of the source in messages.
        schema: the attributes and the target.
        columns: every attribute and the target, by name.
        weight: the column of the weights; None if all rows weigh 1.
        where: the condition of the rows that have a target.
        left_out: how many rows have none.
    """

    def __init__(
        self,
        reader: _Reader,
        name: str,
        schema: Schema,
        columns: Mapping[str, StoredColumn],
        weight: StoredColumn | None,
        where: str,
        left_out: int,
    ) -> None:
        self._reader, self.name, self.schema, self.stored = reader, name, schema, columns
        self.weight, self._where, self.left_out = weight, where, left_out

    def __repr__(self) -> str:
        attributes = ", ".join(attribute.name for attribute in self.schema.attributes)
        return f"<SQLTable {self.name}: {attributes} → {self.schema.target.name}>"

    def __len__(self) -> int:
        return len(self._all)

    def in_memory(self) -> Table:
        """The same rows as a table in memory, for what numbers the rows: folds, hold-out sets, draws, boosting."""
        names, cells = list(self.stored), list(zip(*self._all, strict=True))
        columns: dict[str, Any] = {}
        for name, raws in zip(names, cells[:-1], strict=True):
            values = self.schema.attribute(name).values
            found = list(map(self.stored[name].of_raw.__getitem__, raws))
            columns[name] = found if values is None else [None if one is None else values.index(one) for one in found]
        weights = None if self.weight is None else list(self.weighted())
        return Table(self.name, self.schema, columns, weights, self.left_out)

    def __getattr__(self, name: str) -> Any:
        if name in ("columns", "codes", "take", "without", "predicting"):
            raise InputError(f"{self.name}: this needs the rows one by one; in_memory() makes a table of them")
        raise AttributeError(name)

    def sample(self) -> SQLSample:
        """All rows that have a target."""
        return SQLSample(self, target_of(self.schema), [((self._where, ()), 1)])

    def rows(self) -> Iterator[Row]:
        """Each row as a mapping of column to value. They are fetched once, and kept."""
        names = list(self.stored)
        return (self.row(names, cells) for *cells, _ in self._all)

    def weighted(self) -> Sequence[Rational]:
        """The weight of each row, in the order of `rows`."""
        return [self.weight_of(weight) for *_, weight in self._all]

    @cached_property
    def _all(self) -> list[tuple[Any, ...]]:
        wanted = ", ".join([*(column.sql for column in self.stored.values()), self.weight_sql])
        return self.grouped(f"SELECT {wanted} FROM {self.source} WHERE {self._where}", ())

    @property
    def source(self) -> str:
        """The source in a query."""
        return self._reader.rows

    @property
    def weight_sql(self) -> str:
        """The weight of a row in a query."""
        return "1" if self.weight is None else self.weight.sql

    def weight_of(self, raw: Any) -> Rational:
        """A weight that a query returned."""
        return 1 if self.weight is None else self.weight.of_raw[raw]

    def grouped(self, query: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return self._reader.asked(query, parameters)

    def row(self, names: Sequence[str], cells: Sequence[Any]) -> Row:
        """Cells that a query returned as values."""
        return {name: self.stored[name].of_raw[cell] for name, cell in zip(names, cells, strict=True)}

    def conditions(self, test: Test) -> list[Asked]:
        """The condition of each outcome of a test."""
        if isinstance(test, Linear):
            return self._sides(test)
        column = self.stored[test.attributes[0]]
        return [self._condition(column, outcome) for outcome in test.outcomes]

    def _sides(self, test: Linear) -> list[Asked]:
        """The condition of each side of a linear test: the points that lie there; a sum would be rounded."""
        names = [self.stored[name].sql for name in test.attributes]
        found = self.grouped(f"SELECT DISTINCT {', '.join(names)} FROM {self.source} WHERE {self._where}", ())
        sides: list[list[tuple[Any, ...]]] = [[] for _ in test.outcomes]
        for point in found:
            side = test.branch(self.row(test.attributes, point))
            if side is not None:
                sides[side].append(point)
        if len(found) * len(names) > POINTS:
            raise InputError(f"a linear test is asked point by point, and these are {len(found)}; read a smaller table")
        mark = f"({', '.join(repeat(self._reader.dialect.mark, len(names)))})"
        return [
            (
                f"({', '.join(names)}) IN (VALUES {', '.join(repeat(mark, len(points)))})" if points else "FALSE",
                tuple(one for point in points for one in point),
            )
            for points in sides
        ]

    def _condition(self, column: StoredColumn, outcome: Outcome) -> Asked:
        mark = self._reader.dialect.mark
        if outcome.relation in ("is", "in", "not_in"):
            wanted = [outcome.value] if outcome.relation == "is" else outcome.value
            raws = tuple(column.of_name[value] for value in wanted if value in column.of_name)
            within = f"{column.sql} IN ({', '.join(repeat(mark, len(raws)))})" if raws else "FALSE"
            if outcome.relation == "not_in":
                return f"({column.sql} IS NOT NULL AND NOT ({within}))", raws
            return within, raws
        # The values are ascending: those below the threshold, or not above it, end with a value of the column.
        bisect = bisect_left if outcome.relation in ("lt", "ge") else bisect_right
        if end := bisect(column.values, outcome.value):
            return f"{column.sql} {'<=' if outcome.relation in ('le', 'lt') else '>'} {mark}", (column.raw[end - 1],)
        return ("FALSE" if outcome.relation in ("le", "lt") else f"{column.sql} IS NOT NULL"), ()


Part: TypeAlias = tuple[Asked, Rational]
"""A condition, and what the weight of its rows is multiplied by."""


class SQLSample:
    """A sample in a database; see `reference_tree.data.sample.Sample` for what its methods mean."""

    def __init__(self, table: SQLTable, target: Target, parts: Sequence[Part]) -> None:
        self._table, self.target, self._parts = table, target, parts

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self._table.schema

    def total(self) -> Counts:
        """The counts of the whole sample."""
        return self._grouped([]).get((), self._nothing)

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question: GROUP BY answer, target."""
        conditions = self._table.conditions(test)
        branches = " ".join(f"WHEN {condition} THEN {place}" for place, (condition, _) in enumerate(conditions))
        parameters = tuple(one for _, some in conditions for one in some)
        case = f"CASE {branches} END" if branches else "CAST(NULL AS INTEGER)"  # a column may hold NULL alone
        found = self._grouped([(case, parameters)])
        rows = tuple(found.get((branch,), self._nothing) for branch in range(len(test.outcomes)))
        return Partition(test.outcomes, rows, found.get((None,), self._nothing))

    def ordered(self, attribute: str) -> Ordered:
        """The sample partition of a continuous attribute, value by value: GROUP BY value, target."""
        column = self._table.stored[attribute]
        found = {column.of_raw[key]: row for (key,), row in self._grouped([(column.sql, ())]).items()}
        unknown = found.pop(None, self._nothing)
        values = sorted(found)
        return Ordered(values, [found[value] for value in values], unknown)

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as points: GROUP BY all these attributes at once."""
        found = self._grouped([(self._table.stored[name].sql, ()) for name in attributes])
        rows = ((self._table.row(attributes, key), counts) for key, counts in found.items())
        return gathered(coordinates_of(self.schema, attributes), rows, self.target)

    def split(self, test: Test, missing: Missing = REFUSED) -> list[SQLSample]:
        """The parts that give each answer, in branch order."""
        *answers, unknown = self._answers(test, self._parts)
        for part, route in zip(answers, missing.routes(unknown, len(answers), self._answers), strict=True):
            part += [(where, share * weight) for some, share in route if share for where, weight in some]
        return [SQLSample(self._table, self.target, part) for part in answers]

    def against(self, target: Target) -> SQLSample:
        """The same rows with other columns; those that have nothing to count there are left out."""
        parts = self._parts
        if isinstance(target, Branches):
            parts = [part for some in self._answers(target.test, parts)[:-1] for part in some]
        return SQLSample(self._table, target, parts)

    @property
    def _nothing(self) -> Counts:
        return (0,) * len(self.target.columns)

    def _answers(self, test: Test, parts: Sequence[Part]) -> list[list[Part]]:
        """The parts that give each answer, and after them those that give none; without those that have no rows."""
        conditions = self._table.conditions(test)
        either = " OR ".join(f"({condition})" for condition, _ in conditions)
        conditions.append((f"({either}) IS NOT TRUE", tuple(one for _, some in conditions for one in some)))
        found = [
            [((f"{where} AND {condition}", (*before, *more)), share) for (where, before), share in parts]
            for condition, more in conditions
        ]
        return [[part for part in some if self._exists(part)] for some in found]

    def _exists(self, part: Part) -> bool:
        (where, parameters), _ = part
        query = f"SELECT EXISTS (SELECT 1 FROM {self._table.source} WHERE {where})"
        return bool(self._table.grouped(query, parameters)[0][0])

    def _grouped(self, keys: Sequence[Asked]) -> dict[tuple[Any, ...], Counts]:
        """The counts for each combination of some keys: GROUP BY key, target, weight."""
        target, name = self.target, self.schema.target.name
        needed = target.test.attributes if isinstance(target, Branches) else (name,)
        columns = [*(key for key, _ in keys), *(self._table.stored[one].sql for one in needed), self._table.weight_sql]
        groups = ", ".join(str(place + 1) for place in range(len(columns)))
        asked = tuple(one for _, some in keys for one in some)
        found: dict[tuple[Any, ...], Counts] = {}
        for (where, parameters), share in self._parts:
            query = f"SELECT {', '.join(columns)}, COUNT(*) FROM {self._table.source} WHERE {where} GROUP BY {groups}"
            for *cells, weight, n in self._table.grouped(query, (*asked, *parameters)):
                key, row = tuple(cells[: len(keys)]), self._table.row(needed, cells[len(keys) :])
                counts = target.counted(row, name, simplest(Fraction(share * self._table.weight_of(weight) * n)))
                if any(counts):
                    found[key] = tuple(map(add, found.get(key, self._nothing), counts))
        return found


__all__ = ["SQLSample", "SQLTable", "sql"]
