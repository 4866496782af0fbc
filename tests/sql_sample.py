"""A sample that lives in a database: every question of the protocol `Sample` is answered by `SELECT ... GROUP BY`.

The table `cells` has a column for each column of the data, and the weight of each row as text. A number is kept as a
whole multiple of the unit of its column, as SQL's DECIMAL does, so that it compares exactly.

A sample is a list of parts, each a WHERE clause and a weight that its rows are multiplied by: 1, until rows without an
answer go down several branches. No row is in two of them. What a database cannot do exactly, it is not asked to do:
it counts, and fractions are added up here, one for each group.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor, lcm
from operator import add
from typing import Any, TypeAlias

from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import Linear, Outcome, Row, Test
from reference_tree.data.sample import Counts, Ordered, Partition
from reference_tree.data.schema import Schema
from reference_tree.data.table import Table
from reference_tree.data.targets import Branches, Classes, Moments, Target
from reference_tree.exact.rationals import Rational, simplest

Part: TypeAlias = tuple[str, Rational]
"""A WHERE clause, and what the weight of its rows is multiplied by."""

SIGNS = {"is": "=", "in": "IN", "not_in": "NOT IN", "le": "<=", "gt": ">", "lt": "<", "ge": ">="}


def quoted(name: str) -> str:
    """The name of a column."""
    return '"' + name.replace('"', '""') + '"'


class SQLTable:
    """A table in a database; see `reference_tree.data.sample.Data` for what its methods mean."""

    left_out = 0
    """How many rows had no target: only rows that have one are written down."""

    def __init__(self, table: Table) -> None:
        self.name, self.schema = table.name, table.schema
        self.names = [attribute.name for attribute in (*table.schema.attributes, table.schema.target)]
        self.units = {n: Fraction(1, lcm(*(v.denominator for v in vs))) for n, vs in table.schema.numbers.items()}
        self.database = sqlite3.connect(":memory:")
        self.database.execute(f"CREATE TABLE cells (weight_of_row TEXT, {', '.join(map(quoted, self.names))})")
        lines = (
            [str(weight), *(self._kept(name, row[name]) for name in self.names)]
            for row, weight in zip(table.rows(), table.weighted(), strict=True)
        )
        self.database.executemany(f"INSERT INTO cells VALUES ({', '.join('?' * (len(self.names) + 1))})", lines)

    def _kept(self, name: str, cell: Any) -> Any:
        return cell if cell is None or name not in self.units else int(cell / self.units[name])

    def row(self, names: Sequence[str], cells: Sequence[Any]) -> Row:
        """Some cells of a row, numbers again where they are numbers."""
        return {name: self._read(name, cell) for name, cell in zip(names, cells, strict=True)}

    def _read(self, name: str, cell: Any) -> Any:
        return cell if cell is None or name not in self.units else simplest(cell * self.units[name])

    def sample(self) -> SQLSample:
        """All rows."""
        values = self.schema.target.values
        return SQLSample(self, Moments() if values is None else Classes(values), [("TRUE", 1)])

    def __len__(self) -> int:
        return len(self.weighted())

    def rows(self) -> Iterator[Row]:
        """Each row, in the order in which they were written down."""
        wanted = ", ".join(map(quoted, self.names))
        return (self.row(self.names, found) for found in self.database.execute(f"SELECT {wanted} FROM cells"))

    def weighted(self) -> list[Rational]:
        """The weight of each row."""
        return [simplest(Fraction(text)) for (text,) in self.database.execute("SELECT weight_of_row FROM cells")]

    def conditions(self, test: Test) -> list[str]:
        """The condition of each branch of a test."""
        asked, unit = quoted(test.attributes[0]), self.units.get(test.attributes[0])
        if isinstance(test, Linear):
            scale = lcm(*(self.units[c.attribute].denominator for c, _ in test.weights if c.value is None))
            asked, unit = " + ".join(self._term(c, weight, scale) for c, weight in test.weights), Fraction(1, scale)
        return [f"({asked}) {SIGNS[outcome.relation]} {_literal(outcome, unit)}" for outcome in test.outcomes]

    def _term(self, coordinate: Any, weight: int, scale: int) -> str:
        if coordinate.value is not None:
            return f"{weight * scale} * ({quoted(coordinate.attribute)} = {_text(coordinate.value)})"
        return f"{weight * scale // self.units[coordinate.attribute].denominator} * {quoted(coordinate.attribute)}"


def _literal(outcome: Outcome, unit: Fraction | None) -> str:
    value = outcome.value
    if unit is not None:  # x <= t if and only if x is at most the largest multiple of the unit up to t
        return str((ceil if outcome.relation in ("lt", "ge") else floor)(value / unit))
    return _text(value) if isinstance(value, str) else f"({', '.join(map(_text, value))})"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


class SQLSample:
    """A sample; see `reference_tree.data.sample.Sample` for what its methods mean."""

    def __init__(self, table: SQLTable, target: Target, parts: Sequence[Part]) -> None:
        self._table, self.target, self._parts = table, target, parts

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self._table.schema

    def total(self) -> Counts:
        """The row of the whole sample."""
        return self._grouped([]).get((), self._nothing)

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question."""
        branches = " ".join(f"WHEN {when} THEN {i}" for i, when in enumerate(self._table.conditions(test)))
        found = self._grouped([f"CASE {branches} END"])
        rows = tuple(found.get((branch,), self._nothing) for branch in range(len(test.outcomes)))
        return Partition(test.outcomes, rows, found.get((None,), self._nothing))

    def ordered(self, attribute: str) -> Ordered:
        """The sample partition of a continuous attribute, value by value."""
        found, unit = self._grouped([quoted(attribute)]), self._table.units[attribute]
        unknown = found.pop((None,), self._nothing)
        return Ordered(
            [simplest(key * unit) for (key,) in sorted(found)], [found[key] for key in sorted(found)], unknown
        )

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as points."""
        found = self._grouped([*map(quoted, attributes)])
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
        conditions.append(f"({' OR '.join(conditions)}) IS NOT TRUE")
        found = [[(f"{where} AND {condition}", weight) for where, weight in parts] for condition in conditions]
        exists = "SELECT EXISTS (SELECT 1 FROM cells WHERE {})"
        return [[p for p in some if self._table.database.execute(exists.format(p[0])).fetchone()[0]] for some in found]

    def _grouped(self, keys: Sequence[str]) -> dict[tuple[Any, ...], Counts]:
        """What is counted for each combination of some keys: GROUP BY key, target, weight."""
        target, name = self.target, self.schema.target.name
        needed = target.test.attributes if isinstance(target, Branches) else (name,)
        columns = [*keys, *map(quoted, needed), "weight_of_row"]
        query = "SELECT {}, COUNT(*) FROM cells WHERE {} GROUP BY {}"
        found: dict[tuple[Any, ...], Counts] = {}
        for where, share in self._parts:
            groups = ", ".join(str(place + 1) for place in range(len(columns)))
            for *cells, weight, n in self._table.database.execute(query.format(", ".join(columns), where, groups)):
                key, row = tuple(cells[: len(keys)]), self._table.row(needed, cells[len(keys) :])
                counts = target.counted(row, name, simplest(share * Fraction(weight) * n))
                if counts is not None:
                    found[key] = tuple(map(add, found.get(key, self._nothing), counts))
        return found
