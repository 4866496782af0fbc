"""Samples in a database: rows that are counted where they are, for all nodes of a level at once.

A sample is a list of *parts*. A part is a path, the conditions of its rows from the root down, and a share that their
weights are multiplied by: 1, until rows without an answer go down several branches. No row is in two of them. A query
gives each row the number of its part by one CASE, and groups by it.

Samples of one `Level` are queried together: the first query of one of them is run for all, in one statement, and the
answers are kept. That holds while no row is divided, for then a row is in one sample of a level alone.

1. `SQLSample` answers the queries.
2. `Level` holds the samples that are asked together.
3. `counted` is the query behind them; `sums_of` are the sums of whole numbers that it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from operator import add
from typing import Any, NamedTuple, Protocol, TypeVar
from weakref import ref

from reference_tree.data.linear_tests import Linear
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import REFUSED, Missing, Multiway, Row, Test
from reference_tree.data.sample import Counts, Ordered, Partition
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Branches, Classes, Moments, Target
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.stores.columns import StoredColumn
from reference_tree.stores.engines import Asked, Database, joined
from reference_tree.stores.whole_numbers import WholeNumbers

Found = TypeVar("Found")

NESTED = 6
"""A CASE within a CASE goes no deeper than this, as SQLite parses few levels, and subqueries count, too."""

TOGETHER = 500
"""The most samples in one query."""

MOST_CLASSES = 64
"""With more classes, rows are grouped by class."""


CHANGED = "the rows change while they are read; open a transaction, or read a copy"


class StoredTable(Protocol):
    """What a sample needs of its table; `reference_tree.stores.sql.SQLTable` has it."""

    database: Database
    source: str
    """The source in a query."""
    where: str
    """The condition of the rows that count."""
    schema: Schema
    stored: Mapping[str, StoredColumn]
    """Every attribute and the target, by name."""
    weight: StoredColumn | None
    """The column of the weights; None if all rows weigh 1."""

    @property
    def whole_weights(self) -> WholeNumbers | None:
        """The weights as whole numbers; None if they cannot be counted so."""

    @property
    def whole_numbers(self) -> WholeNumbers | None:
        """A numeric target as whole numbers; None if it cannot be counted so."""

    @property
    def has_functions(self) -> bool:
        """Whether the database has the natural logarithm and the square root."""

    @property
    def is_kept(self) -> bool:
        """Whether the rows stay as they are."""

    def __len__(self) -> int:
        """The number of rows that count."""

    def asked(self, query: Asked) -> list[tuple[Any, ...]]:
        """The rows of a query."""

    def weight_of(self, raw: Any) -> Rational:
        """A weight that a query returned."""

    def row(self, names: Sequence[str], cells: Sequence[Any]) -> Row:
        """Cells that a query returned as values."""

    def conditions(self, test: Test) -> list[Asked]:
        """The condition of each outcome of a test."""

    def kept(self) -> AbstractContextManager[StoredTable]:
        """The same rows in a place of their own, with bins, if the engine has one."""


class PathPart(NamedTuple):
    """Some rows: the conditions on their path, and what their weights are multiplied by."""

    path: tuple[Asked, ...]
    share: Rational = 1


class Level:
    """The samples that are asked together: those at one depth, as far as they have been made."""

    def __init__(self) -> None:
        self._samples: list[ref[SQLSample]] = []
        self._below: Level | None = None

    @property
    def below(self) -> Level:
        """The next level."""
        self._below = self._below or Level()
        return self._below

    def add(self, sample: SQLSample) -> None:
        """Add a sample, which is asked with the others as long as something else holds it."""
        self._samples.append(ref(sample))

    def without_answer(self, key: Hashable) -> list[SQLSample]:
        """The samples that are not known to be pure, and have not been asked this."""
        alive = [sample for sample in (one() for one in self._samples) if sample is not None]
        return [sample for sample in alive if key not in sample.answers and not sample.is_pure]


class SQLSample:
    """A sample in a database; see `reference_tree.data.sample.Sample` for the meaning of its methods.

    Args:
        table: the data.
        target: the target whose columns are counted.
        parts: its rows.
        level: the samples that it is asked with; None for none.
    """

    def __init__(
        self, table: StoredTable, target: Target, parts: Sequence[PathPart], level: Level | None = None
    ) -> None:
        self.table, self.target, self.parts, self._level = table, target, parts, level
        self.answers: dict[Hashable, Any] = {}
        """The results that came with those of other samples, by query."""
        self._split: dict[tuple[Test, Missing], list[SQLSample]] = {}
        if level is not None:
            level.add(self)

    @contextmanager
    def kept(self) -> Iterator[SQLSample]:
        """The same rows, which stay as they are meanwhile, if the engine has a place for them."""
        with self.table.kept() as table:
            there = self if table is self.table else SQLSample(table, self.target, self.parts, self._level and Level())
            if "total" in self.answers:
                there.answers["total"] = self.answers["total"]
            yield there

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self.table.schema

    @property
    def is_pure(self) -> bool:
        """Whether it is known that all rows have one target, or that there are none."""
        total = self.answers.get("total")
        return total is not None and (self.target.is_pure(total) or not any(total))

    def ask(self, key: Hashable, of_all: Callable[[Sequence[SQLSample]], Sequence[Found]]) -> Found:
        """The result of a query, which is run for all samples of the level.

        Args:
            key: identifies the query.
            of_all: asks it of some samples.
        """
        if key not in self.answers:
            together = [self]
            if self._level is not None:
                together += [one for one in self._level.without_answer(key) if one is not self][: TOGETHER - 1]
            for sample, answer in zip(together, of_all(together), strict=True):
                sample.answers[key] = answer
        found: Found = self.answers[key]
        return found

    def total(self) -> Counts:
        """The counts of the whole sample."""
        return self.ask("total", lambda samples: [found.get((), self._nothing) for found in counted(samples, [])])

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a test: GROUP BY outcome, target."""
        if isinstance(test, Multiway):
            by_name = self.ask(("values", test.attribute), self._by_value(test.attribute))
            rows = tuple(by_name.get(value, self._nothing) for value in test.values)
            return Partition(test.outcomes, rows, by_name.get(None, self._nothing))
        (found,) = counted([self], [branch_of(self.table, test)])
        rows = tuple(found.get((branch,), self._nothing) for branch in range(len(test.outcomes)))
        return Partition(test.outcomes, rows, found.get((None,), self._nothing))

    def ordered(self, attribute: str) -> Ordered:
        """The sample partition of a continuous attribute, value by value: GROUP BY value, target."""
        found = dict(self.ask(("values", attribute), self._by_value(attribute)))
        unknown = found.pop(None, self._nothing)
        values = sorted(found)
        return Ordered(values, [found[value] for value in values], unknown)

    def _by_value(self, attribute: str) -> Callable[[Sequence[SQLSample]], list[dict[Any, Counts]]]:
        column = self.table.stored[attribute]

        def of_all(samples: Sequence[SQLSample]) -> list[dict[Any, Counts]]:
            groups = counted(samples, [Asked(column.sql)])
            answers: list[dict[Any, Counts]] = [{} for _ in samples]
            for answer, found in zip(answers, groups, strict=True):
                for (key,), counts in found.items():
                    add_to(answer, column.value(key), counts)
            return answers

        return of_all

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as points: GROUP BY all these attributes at once."""
        (found,) = counted([self], [Asked(self.table.stored[name].sql) for name in attributes])
        rows = ((self.table.row(attributes, key), counts) for key, counts in found.items())
        return gathered(coordinates_of(self.schema, attributes), rows, self.target)

    def split(self, test: Test, missing: Missing = REFUSED) -> list[SQLSample]:
        """The parts that give each answer, in branch order."""
        if not any(self.table.stored[name].has_gaps for name in test.attributes):
            missing = REFUSED  # every row answers
        if (test, missing) not in self._split:
            self._split[test, missing] = self._parted(test, missing)
        return self._split[test, missing]

    def _parted(self, test: Test, missing: Missing) -> list[SQLSample]:
        *answers, unknown = self._answers(test, self.parts)
        for part, route in zip(answers, missing.routes(unknown, len(answers), self._answers), strict=True):
            part += [PathPart(path, share * weight) for some, share in route if share for path, weight in some]
        is_divided = any(share != 1 for part in answers for _, share in part)
        level = None if is_divided or self._level is None else self._level.below
        if level is not None and self._split:  # these rows are in the next level already, where each is in one sample
            level = Level()
        found = [SQLSample(self.table, self.target, part, level) for part in answers]
        if (known := self.answers.get(test)) and not any(known.unknown):  # so that their totals are not asked
            for sample, row in zip(found, known.rows, strict=True):
                sample.answers["total"] = row
        return found

    def against(self, target: Target) -> SQLSample:
        """The same rows with other columns; those that have nothing to count there are left out."""
        parts = self.parts
        if isinstance(target, Branches):
            parts = [part for some in self._answers(target.test, parts)[:-1] for part in some]
        return SQLSample(self.table, target, parts)

    @property
    def _nothing(self) -> Counts:
        return (0,) * len(self.target.columns)

    def _answers(self, test: Test, parts: Sequence[PathPart]) -> list[list[PathPart]]:
        """The parts that give each answer, and after them those that give none, if there can be any."""
        conditions = self.table.conditions(test)
        has_gaps = any(self.table.stored[name].has_gaps for name in test.attributes)
        answers = [[PathPart((*path, where), share) for path, share in parts] for where in conditions]
        if not has_gaps:
            return [*answers, []]
        either = joined(" OR ", ["(" + one + ")" for one in conditions])
        none = [PathPart((*path, "(" + either + ") IS NOT TRUE"), share) for path, share in parts]
        return self._with_rows([*answers, none])

    def _with_rows(self, groups: list[list[PathPart]]) -> list[list[PathPart]]:
        """The parts that have rows, for there are soon more of them than rows. No row is in two parts."""
        parts = [part for some in groups for part in some]
        if not parts:
            return groups
        query = "SELECT DISTINCT part FROM " + cells(self.table, parts, []) + " WHERE part IS NOT NULL"
        there = {int(number) for (number,) in self.table.asked(query)}
        numbers = iter(range(len(parts)))
        return [[part for part in some if next(numbers) in there] for some in groups]


def numbered(parts: Sequence[PathPart]) -> Asked:
    """The number of the part in which a row is, as SQL: one CASE, with a CASE for each common beginning of the paths.

    Example:
        >>> low, high = Asked("a <= ?", (5,)), Asked("a > ?", (5,))
        >>> numbered([PathPart((low, Asked("b = 1"))), PathPart((low, Asked("b = 2"))), PathPart((high,))]).sql
        'CASE WHEN a <= ? THEN CASE WHEN b = 1 THEN 0 WHEN b = 2 THEN 1 END WHEN a > ? THEN 2 END'
    """
    return _case([(number, part.path) for number, part in enumerate(parts)], NESTED)


def _case(numbered_paths: Sequence[tuple[int, tuple[Asked, ...]]], deeper: int) -> Asked:
    (number, path), *others = numbered_paths
    if not others and not path:
        return Asked(str(number))
    groups: dict[Asked, list[tuple[int, tuple[Asked, ...]]]] = {}
    for number, path in numbered_paths:
        whole = not deeper or not others
        first, rest = (joined(" AND ", path), ()) if whole else (path[0], path[1:])
        groups.setdefault(first, []).append((number, rest))
    whens = ["WHEN " + first + " THEN " + _case(some, deeper - 1) for first, some in groups.items()]
    return "CASE " + joined(" ", whens) + " END"


class StoredRows(Protocol):
    """Rows of a database."""

    source: str
    """The source in a query."""
    where: str
    """The condition of the rows that count."""


def cells(table: StoredRows, parts: Sequence[PathPart], columns: Sequence[tuple[Asked, str]]) -> Asked:
    """The rows of some parts as a subquery: the number of the part, `part`, and other columns with their names."""
    number, where = numbered(parts), Asked(table.where)
    if len(parts) == 1:
        number, where = Asked("0"), joined(" AND ", [where, *parts[0].path])
    wanted = joined(", ", [number + " AS part", *(column + f" AS {name}" for column, name in columns)])
    return "(SELECT " + wanted + f" FROM {table.source} WHERE " + where + ") AS cells"


def branch_of(table: StoredTable, test: Test) -> Asked:
    """The number of the branch that a row takes by a test, as SQL; NULL for none."""
    conditions = enumerate(table.conditions(test))
    branches = joined(" ", [Asked("WHEN ") + sql + f" THEN {branch}" for branch, sql in conditions])
    return "CASE " + branches + " END" if branches.sql else Asked("CAST(NULL AS INTEGER)")


class TargetSums(NamedTuple):
    """The columns of a target as sums of whole numbers, which a database adds up without rounding."""

    columns: list[tuple[Asked, str]]
    """What is needed of a row, with its names in a subquery."""
    each: list[Asked]
    """What a row adds to each column of the target."""
    type: str
    """A type that holds the sums."""
    numbers: WholeNumbers | None
    """A numeric target as whole numbers."""
    weights: WholeNumbers
    """The weights as whole numbers."""

    def counts(self, sums: Sequence[Any]) -> Counts:
        """The counts, from what the database added up."""
        whole = tuple(map(int, sums))
        return self.weights.counts(whole if self.numbers is None else self.numbers.moments(*whole))


def sums_of(table: StoredTable, target: Target) -> TargetSums | None:
    """The sums of a target; None if its columns are no whole numbers, or too many."""
    if (weights := table.whole_weights) is None:
        return None
    weight, columns = weights.sql, list[tuple[Asked, str]]()
    if table.weight is not None:
        weight, columns = "w", [(Asked(weights.sql), "w")]
    if isinstance(target, Moments) and (numbers := table.whole_numbers) is not None:
        weight, kind = f"CAST({weight} AS {numbers.type})", numbers.type
        each = [Asked(weight), Asked(f"{weight} * y"), Asked(f"{weight} * y * y")]
        return TargetSums([*columns, (Asked(numbers.sql), "y")], each, kind, numbers, weights)
    if len(target.columns) > MOST_CLASSES:
        return None
    if isinstance(target, Branches) and not isinstance(target.test, Linear):
        each = [Asked(f"CASE WHEN y = {branch} THEN {weight} ELSE 0 END") for branch in range(len(target.columns))]
        return TargetSums([*columns, (branch_of(table, target.test), "y")], each, weights.type, None, weights)
    if not isinstance(target, Classes):
        return None
    column, mark = table.stored[table.schema.target.name], table.database.engine.mark
    each = []
    for raws in (column.raws([label]) for label in target.columns):
        is_class = f"y IN ({', '.join([mark] * len(raws))})" if raws else "1 = 0"
        each.append(Asked(f"CASE WHEN {is_class} THEN {weight} ELSE 0 END", raws))
    return TargetSums([*columns, (Asked(column.sql), "y")], each, weights.type, None, weights)


def adds_up(sample: SQLSample) -> bool:
    """Whether the database adds up the counts of cuts: they are whole numbers, and no row is divided."""
    return all(part.share == 1 for part in sample.parts) and sums_of(sample.table, sample.target) is not None


def counted(samples: Sequence[SQLSample], keys: Sequence[Asked]) -> list[dict[tuple[Any, ...], Counts]]:
    """The counts of some samples for each combination of some keys: GROUP BY part, key.

    Where the columns of the target are no sums of whole numbers, rows are grouped by target and weight, too.

    Args:
        samples: the samples, of one table and one target. No row is in two of them.
        keys: what is grouped by.
    """
    table, target = samples[0].table, samples[0].target
    owners = [(at, part) for at, sample in enumerate(samples) for part in sample.parts]
    found: list[dict[tuple[Any, ...], Counts]] = [{} for _ in samples]
    sums, parts = sums_of(table, target), [part for _, part in owners]
    columns = [(key, f"k{place}") for place, key in enumerate(keys)]
    if not owners:
        return found
    if sums is not None:
        each = joined(", ", [Asked(f"CAST(SUM({sql}) AS {sums.type})", values) for sql, values in sums.each])
        for number, key, row in _groups(table, parts, [*columns, *sums.columns], len(keys), each):
            at, part = owners[number]
            add_to(found[at], key, tuple(simplest(Fraction(part.share * one)) for one in sums.counts(row)))
        return found
    name = table.schema.target.name
    needed = target.test.attributes if isinstance(target, Branches) else (name,)
    columns += [(Asked(table.stored[one].sql), f"y{place}") for place, one in enumerate(needed)]
    columns.append((Asked("1" if table.weight is None else table.weight.sql), "w"))
    for number, key, (n,) in _groups(table, parts, columns, len(columns), Asked("COUNT(*)")):
        at, part = owners[number]
        weight = simplest(Fraction(part.share * table.weight_of(key[-1]) * int(n)))
        counts = target.counted(table.row(needed, key[len(keys) : -1]), name, weight)
        if any(counts):
            add_to(found[at], key[: len(keys)], counts)
    return found


def _groups(
    table: StoredTable, parts: Sequence[PathPart], columns: Sequence[tuple[Asked, str]], size: int, sums: Asked
) -> Iterator[tuple[int, tuple[Any, ...], Sequence[Any]]]:
    """The groups of rows by part and the first columns: the number of the part, the values, and the sums."""
    keys = ["part", *(table.database.engine.column.format(name) for _, name in columns[:size])]
    query = f"SELECT {', '.join(keys)}, " + sums + " FROM " + cells(table, parts, columns)
    query += f" WHERE part IS NOT NULL GROUP BY {', '.join(keys)}"
    for number, *row in table.asked(query):
        yield int(number), tuple(row[:size]), row[size:]


def add_to(found: dict[Any, Counts], key: Any, counts: Counts) -> None:
    """Add counts to those of a key."""
    before = found.get(key)
    found[key] = counts if before is None else tuple(map(add, before, counts))


__all__ = ["CHANGED", "Level", "PathPart", "SQLSample", "TargetSums", "adds_up", "cells", "counted", "sums_of"]
