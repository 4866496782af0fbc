"""SQL: a table in a database as data to grow a tree from, to explain it, to prune it and to audit it.

Every query of `reference_tree.data.sample.Sample` is a `SELECT ... GROUP BY`. The database counts rows; weights,
shares and scores are computed here, exactly, from the groups. So a tree, its ties and its margins are those of the same
rows in memory. A threshold is asked with a number that the column can hold, the largest that is not above it, so no
rounding moves a row. Nothing is written into the database. Its rows may not change meanwhile: a transaction of the
caller sees to that.

1. `sql` gives the data, `SQLTable`; `columns` says how cells become values.
2. `samples` answers the queries, `near_cuts` finds the cuts that can be the best, `growing` goes level by level.
3. `engines` has what each engine writes in its own way, and `sessions` what no session may decide.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import count as counter
from itertools import repeat
from typing import Any

from reference_tree.data.errors import InputError, no_such, shown
from reference_tree.data.held import Form
from reference_tree.data.linear_tests import Linear
from reference_tree.data.outcomes import Outcome
from reference_tree.data.questions import Row, Test
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.table import Table, are_few
from reference_tree.data.targets import target_of
from reference_tree.exact.rationals import Rational
from reference_tree.stores.binned_cuts import bin_of
from reference_tree.stores.columns import ColumnReader, Numbers, StoredColumn, exact
from reference_tree.stores.engines import Asked, Database
from reference_tree.stores.samples import Level, PathPart, SQLSample
from reference_tree.stores.whole_numbers import WholeNumbers, whole_numbers, whole_weights

KEPT = 20_000
"""Of no fewer rows bins are kept, where the engine has a place for them."""

POINTS = 30_000
"""The most values in one condition; SQLite takes 32 766."""


def sql(
    connection: Any,
    source: str,
    target: str | None = None,
    *,
    weights: str | None = None,
    without: Collection[str] = (),
    categorical: Collection[str] = (),
    continuous: Collection[str] = (),
    known: Sequence[Attribute] = (),
) -> SQLTable:
    """A table, a view or a SELECT of a database as data for learners.

    Args:
        connection: an open connection of `sqlite3`, `duckdb` or `psycopg`, or a session of Spark. It stays the
            caller's.
        source: the name of a table or a view, `schema.name` included, or a SELECT.
        target: the column to predict; the last one if not given. Rows without a value there are left out, and counted.
        weights: the column that holds the weight of each row.
        without: columns that are no attributes.
        categorical: columns to be read as categories even if they hold numbers; `*` means all.
        continuous: columns to be read as numbers.
        known: columns as a tree knows them, such as its `attributes` and its `target`; other columns are left out.

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
    database, rows = opened(connection, source)
    names = database.names(rows)
    if known:
        target = target or known[-1].name
        without = [*without, *(name for name in names if name not in {one.name for one in known})]
    for name in (target, weights, *without, *categorical, *continuous):
        if name not in (None, "*", *names):
            raise database.error(no_such("column", str(name), names))
    chosen = target or [name for name in names if name not in (weights, *without)][-1]
    if chosen == weights or chosen in without:
        raise database.error(f"{chosen} is the target; name another one")
    kept = [name for name in names if name not in (chosen, weights, *without)]
    reader = ColumnReader(database, rows, categorical, continuous, {one.name: one for one in known})
    where = f"{database.quoted(chosen)} IS NOT NULL"
    found = reader.columns([*kept, chosen], where, chosen)
    if not found[chosen].some:
        raise database.error("no row has a value here, and it is to be predicted", column=chosen)
    weight = None
    if weights is not None:
        weight = ColumnReader(database, rows, (), (weights,)).columns([weights], where)[weights]
        if weight.has_gaps or min(map(exact, weight.ends or weight.values)) <= 0:
            raise database.error("a weight is a positive number", column=weights)
    where = f"{found[chosen].sql} IS NOT NULL"  # NaN is missing, too
    numbers = Numbers({name: one for name, one in found.items() if one.attribute.values is None})
    *attributes, last = (one.attribute for one in found.values())
    return SQLTable(database, rows, Schema(tuple(attributes), last, numbers), found, weight, f"({where})")


def opened(connection: Any, source: str) -> tuple[Database, str]:
    """A connection, and a table, a view or a SELECT as it stands in a query.

    Example:
        >>> import sqlite3
        >>> opened(sqlite3.connect(":memory:"), "main.orders")[1]
        '`main`.`orders`'
    """
    if not isinstance(source, str) or not source.strip():
        what = (
            f"a {type(source).__name__}" if hasattr(source, "columns") else shown(source)
        )  # a relation shows its rows
        raise InputError(f"{what} is no name of a table or a view, and no SELECT")
    source = source.strip().rstrip(";")
    is_query = re.match(r"(?is)(?>\s+|--[^\n]*\n|/\*.*?\*/)*+(select|with|values|from)\b\s*\S|\(", source)
    database = Database(connection, "a query" if is_query else source).checked()
    if is_query and database.engine.mark == "%s":
        source = source.replace("%", "%%")  # no place of a parameter
    return database, f"({source}\n) AS source" if is_query else ".".join(map(database.quoted, source.split(".")))


class SQLTable:
    """Data in a database; see `reference_tree.data.sample.Data` for what its methods mean.

    Args:
        database: runs queries.
        source: the source in a query.
        schema: the attributes and the target.
        columns: every attribute and the target, by name.
        weight: the column of the weights; None if all rows weigh 1.
        where: the condition of the rows that have a target.
    """

    def __init__(
        self,
        database: Database,
        source: str,
        schema: Schema,
        columns: Mapping[str, StoredColumn],
        weight: StoredColumn | None,
        where: str,
    ) -> None:
        self.database, self.source, self.schema, self.stored = database, source, schema, columns
        self.weight, self.where, self.name = weight, where, database.name

    def known_as(self, known: Sequence[Attribute]) -> SQLTable:
        """The same rows as a tree reads them: with its categories, and numbers in the form in which it holds them."""
        mine = {one.name: one for one in known if one.name in self.stored}
        if all(
            self.schema.attribute(name) == one and self.schema.attribute(name).held == one.held
            for name, one in mine.items()
        ):
            return self
        reader = ColumnReader(self.database, self.source, known=mine)
        return self._with(reader.columns([name for name in self.stored if name in mine], self.where))

    def under_names(self, known: Mapping[str, Attribute]) -> SQLTable:
        """The same rows with the names that a tree has for their categories; its numbers stay as they are."""
        found = {name: column.calling(known.get(name)) for name, column in self.stored.items()}
        return self if all(found[name] is column for name, column in self.stored.items()) else self._with(found)

    def _with(self, columns: Mapping[str, StoredColumn]) -> SQLTable:
        """The same rows with other columns in the place of some."""
        found = {**self.stored, **columns}
        *attributes, last = (one.attribute for one in found.values())
        numbers = Numbers({name: one for name, one in found.items() if one.attribute.values is None})
        schema = Schema(tuple(attributes), last, numbers)
        return SQLTable(self.database, self.source, schema, found, self.weight, self.where)

    def binned(self, bins: Mapping[str, Sequence[tuple[float, float]]]) -> SQLTable:
        """The same rows with a number for each bin; see `reference_tree.data.table.binned`.

        Args:
            bins: column → for each of its bins the number at its end and the number for all numbers in it, ascending;
                of the last bin both are the latter, for it has no end.
        """
        reader, engine, found = ColumnReader(self.database, self.source), self.database.engine, {}
        for name, of in bins.items():
            column = self.stored[name]
            whens = [f"WHEN {column.sql} <= {engine.double_of(end)} THEN {engine.double_of(one)}" for end, one in of]
            whens.append(f"WHEN {column.sql} IS NOT NULL THEN {engine.double_of(of[-1][1])}")
            case = f"CASE {' '.join(whens)} END"
            cells = reader.cells(case, self.where)
            ends = [min(cells), max(cells)] if cells else []
            found[name] = replace(column, sql=case, some=cells, rest=None, kinds={float}, places=None, ends=ends)
        return self._with(found)

    @property
    def is_read_in_part(self) -> bool:
        """Whether only some of the values of a column are read, for it has many."""
        return any(column.rest is not None for column in self.stored.values())

    def has_more_numbers(self, name: str, most: int) -> bool:
        """Whether a column has more than `most` numbers; if those that are read decide it, no more are asked for."""
        return len(self.stored[name].some) > most or len(self.schema.numbers[name]) > most

    def rounded(self, numbers: Form) -> SQLTable:
        """The same rows as a program holds them, as for `Table.rounded`."""
        held = [replace(one, held=numbers) for one in self.schema.attributes if one.values is None]
        if (target := self.schema.target).values is None:
            held.append(replace(target, held="double"))
        return self.known_as(held)

    def may_be_classes(self) -> bool:
        """Whether the target has few whole numbers, as `Table.may_be_classes` says."""
        column = self.stored[self.schema.target.name]
        return column.attribute.values is None and column.rest is None and are_few(column.values, len(self))

    def classified(self) -> SQLTable:
        """The same rows with the numbers of the target as classes."""
        target = self.schema.target
        if target.values is not None:
            return self
        reader = ColumnReader(self.database, self.source, categorical=(target.name,))
        return self._with(reader.columns([target.name], self.where))

    def __repr__(self) -> str:
        attributes = ", ".join(attribute.name for attribute in self.schema.attributes)
        return f"<SQLTable {self.name}: {attributes} → {self.schema.target.name}>"

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        query = f"SELECT COUNT(CASE WHEN {self.where} THEN 1 END), COUNT(*) FROM {self.source}"
        ((rows, all_rows),) = self.asked(Asked(query))
        return rows, all_rows - rows

    def __len__(self) -> int:
        return self._sizes[0]

    @property
    def left_out(self) -> int:
        """How many rows have no target."""
        return self._sizes[1]

    def in_memory(self) -> Table:
        """The same rows as a table in memory, for what numbers the rows: folds, hold-out sets, draws, boosting."""
        names, cells = list(self.stored), list(zip(*self._all, strict=True))
        columns: dict[str, Any] = {}
        for name, raws in zip(names, cells[:-1], strict=True):
            values = self.schema.attribute(name).values
            found = list(map(self.stored[name].value, raws))
            columns[name] = found if values is None else [None if one is None else values.index(one) for one in found]
        weights = None if self.weight is None else list(self.weighted())
        return Table(self.name, self.schema, columns, weights, self.left_out)

    def __getattr__(self, name: str) -> Any:
        if name in ("columns", "codes", "take", "without", "predicting"):
            raise InputError(f"{self.name}: this needs the rows one by one; in_memory() makes a table of them")
        raise AttributeError(name)

    def sample(self) -> SQLSample:
        """All rows that have a target."""
        return SQLSample(self, target_of(self.schema), [PathPart(())], Level())

    def rows(self) -> Iterator[Row]:
        """Each row as a mapping of column to value. They are fetched once, and kept."""
        names = list(self.stored)
        return (self.row(names, cells) for *cells, _ in self._all)

    def weighted(self) -> Sequence[Rational]:
        """The weight of each row, in the order of `rows`."""
        return [1] * len(self) if self.weight is None else [self.weight_of(weight) for *_, weight in self._all]

    @cached_property
    def _all(self) -> list[tuple[Any, ...]]:
        wanted = ", ".join([*(column.sql for column in self.stored.values()), self.weight.sql if self.weight else "1"])
        return self.asked(Asked(f"SELECT {wanted} FROM {self.source} WHERE {self.where}"))

    def asked(self, query: Asked) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return self.database.asked(query)

    def weight_of(self, raw: Any) -> Rational:
        """A weight that a query returned."""
        weight: Rational = 1 if self.weight is None else self.weight.value(raw)
        return weight

    # What the database can add up by itself.

    @cached_property
    def whole_weights(self) -> WholeNumbers | None:
        """The weights as whole numbers; None if they cannot be counted so."""
        return whole_weights(self.weight, self.database, self.source, self.where, len(self))

    @cached_property
    def whole_numbers(self) -> WholeNumbers | None:
        """A numeric target as whole numbers; None if it cannot be counted so."""
        column, weights = self.stored[self.schema.target.name], self.whole_weights
        if weights is None:
            return None
        return whole_numbers(column, self.database, self.source, self.where, len(self) * weights.most)

    @cached_property
    def has_functions(self) -> bool:
        """Whether the database has the natural logarithm and the square root."""
        try:
            two = f"CAST(2 AS {self.database.engine.double})"
            ((log, root),) = self.asked(Asked(f"SELECT LN({two}), SQRT({two})"))
        except InputError:
            return False
        return bool(abs(log - math.log(2)) < 1e-15 and abs(root - math.sqrt(2)) < 1e-15)

    is_kept = False

    @contextmanager
    def kept(self) -> Iterator[SQLTable]:
        """The same rows with the bins of their numbers, kept by Spark while a tree is grown.

        They are this table itself where the engine does not keep them, no bins are needed, or the rows are few.
        """
        engine, quoted = self.database.engine, self.database.quoted
        numbers = [one.name for one in self.schema.attributes if one.values is None]
        if not (engine.stacked and numbers and len(self) >= KEPT and self.whole_weights):
            yield self
            return
        there = copy(self)
        if self.schema.target.values is None:
            there.__dict__["whole_numbers"] = self.whole_numbers  # which is not to be asked again
        names = [*self.stored, *([self.weight.attribute.name] if self.weight else [])]
        folded = {name.casefold() for name in names}
        free = (quoted(name) for name in map("b{}".format, counter()) if name not in folded)
        bins = dict(zip(numbers, free, strict=False))
        wanted = [*map(quoted, names), *(f"{bin_of(self.stored[name], engine)} AS {of}" for name, of in bins.items())]
        there.stored = {name: replace(one, bin=bins.get(name, "")) for name, one in self.stored.items()}
        query = Asked(f"SELECT {', '.join(wanted)} FROM {self.source} WHERE {self.where}")
        with self.database.kept(query) as rows:
            there.source, there.where, there.is_kept = rows, "1 = 1", True
            yield there

    def row(self, names: Sequence[str], cells: Sequence[Any]) -> Row:
        """Cells that a query returned as values."""
        return {name: self.stored[name].value(cell) for name, cell in zip(names, cells, strict=True)}

    def conditions(self, test: Test) -> list[Asked]:
        """The condition of each outcome of a test."""
        if isinstance(test, Linear):
            return self._sides(test)
        column = self.stored[test.attributes[0]]
        return [condition(column, outcome, self.database.engine.mark) for outcome in test.outcomes]

    def _sides(self, test: Linear) -> list[Asked]:
        """The condition of each side of a linear test: the points that lie there; a sum would be rounded."""
        names = [self.stored[name].sql for name in test.attributes]
        found = self.asked(Asked(f"SELECT DISTINCT {', '.join(names)} FROM {self.source} WHERE {self.where}"))
        sides: list[list[tuple[Any, ...]]] = [[] for _ in test.outcomes]
        for point in found:
            side = test.branch(self.row(test.attributes, point))
            if side is not None:
                sides[side].append(point)
        if len(found) * len(names) > POINTS:
            raise InputError(f"a linear test is asked point by point, and these are {len(found)}; read a smaller table")
        engine = self.database.engine
        mark, key = f"({', '.join(repeat(engine.mark, len(names)))})", f"({', '.join(names)})"
        return [
            Asked(
                f"{key} IN {engine.points.format(', '.join(repeat(mark, len(points))))}" if points else "FALSE",
                tuple(one for point in points for one in point),
            )
            for points in sides
        ]


def condition(column: StoredColumn, outcome: Outcome, mark: str) -> Asked:
    """The condition of an outcome on a column; `mark` is the place of a parameter."""
    if outcome.relation in ("is", "in", "not_in"):
        raws = column.raws([outcome.value] if outcome.relation == "is" else outcome.value)
        within = f"{column.sql} IN ({', '.join(repeat(mark, len(raws)))})" if raws else "FALSE"
        if outcome.relation == "not_in":
            return Asked(f"({column.sql} IS NOT NULL AND NOT ({within}))", raws)
        return Asked(within, raws)
    is_lower = outcome.relation in ("le", "lt")
    last = column.last(outcome.value, strict=outcome.relation in ("lt", "ge"))
    if last is None:
        return Asked("FALSE" if is_lower else f"{column.sql} IS NOT NULL")
    return Asked(f"{column.sql} {'<=' if is_lower else '>'} {mark}", (last,))


__all__ = ["SQLTable", "condition", "opened", "sql"]
