"""Columns: the types of a column of a database, and its values from its cells.

- Integers and decimals stand for themselves. A double stands for the shortest decimal that names it, as in a file.
- Texts are categories, compared as bytes whatever the collation of the column; so are booleans, but in SQLite, which
  stores 0 and 1, they are numbers.
- NULL and NaN are missing values. Dates, arrays, JSON and blobs are refused; a SELECT can cast them.

Only some distinct numbers of a column are read; all of them where they are few, or where something asks for them.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

from reference_tree.data.columns import Column, Origin, encode, infer
from reference_tree.data.errors import columns_option
from reference_tree.data.held import BINARY, CODES, Form, held, last_double, rewritten, written
from reference_tree.data.schema import Attribute, is_missing
from reference_tree.exact.rationals import Rational, exactly, shortened
from reference_tree.stores.engines import Asked, Database, Engine, Rows, abreast

KNOWN = 2_000
"""A column of numbers with more distinct values than this is not read whole."""

PIECES = 16
"""The pieces of a column in which its bins have one width."""


def exact(raw: Any, form: Form = "written") -> Any:
    """A cell as an exact number; if it is held as it is written, a float as the shortest decimal that names it.

    Example:
        >>> exact(0.1), exact(Decimal("0.10")), exact(3), exact(None), exact(0.5, "double")
        (Fraction(1, 10), Fraction(1, 10), 3, None, Fraction(1, 2))
    """
    return None if raw is None else exactly(rewritten(raw) if form == "written" else raw)


@dataclass(frozen=True)
class StoredColumn:
    """A column of the database.

    Args:
        sql: the column in a query.
        attribute: its attribute.
        some: distinct cells: all of them, unless `rest` says how they are read.
        rest: reads all distinct cells; None if they are known.
        has_gaps: whether a cell is missing.
    """

    sql: str
    attribute: Attribute
    some: Sequence[Any]
    rest: Callable[[], Sequence[Any]] | None
    has_gaps: bool
    kinds: Collection[type]
    """The types of its cells."""
    places: int | None
    """How many decimals each cell has; None if they differ, or are doubles."""
    ends: Sequence[Any] = ()
    """The least and the largest cell of a column of numbers."""
    called: Mapping[str, str] = field(default_factory=dict)
    """The names that a tree has for its categories, where they are others."""
    bin: str = ""
    """Its bins in a query, where they are kept."""

    def calling(self, known: Attribute | None) -> StoredColumn:
        """The column with the names that a tree has for its categories; several numbers may have one code."""
        was = self.attribute
        if known is None or known.values is None or was.values is None:
            return self
        called = {value: known.category(was.returned(value)) for value in was.values}
        domain = tuple(dict.fromkeys(called.values()))
        if domain == was.values or (len(domain) < len(called) and known.held not in CODES):
            return self
        return replace(self, called=called, attribute=Attribute(was.name, domain))

    @cached_property
    def _pairs(self) -> list[tuple[Any, Any]]:
        """The exact number or the name of each distinct cell, and the cell; ascending."""
        raws = self.some if self.rest is None else self.rest()
        names, form = self.attribute.values, self.attribute.held
        if names is None:
            values: list[Any] = [exact(raw, form) for raw in raws]
        else:
            labels = Column(self.attribute.name, written(raws)).labels
            called = Column(self.attribute.name, [self.called.get(str(one), one) for one in labels])
            values = [names[code] for code in encode(called, self.attribute, Origin())] if raws else []
        return sorted(zip(values, raws, strict=True), key=lambda pair: pair[0])

    @cached_property
    def values(self) -> Sequence[Any]:
        """The distinct values, ascending."""
        return [value for value, _ in self._pairs]

    @cached_property
    def _of_name(self) -> Mapping[Any, list[Any]]:
        cells: dict[Any, list[Any]] = {}  # in SQLite, 1 and '1' have one name
        for name, raw in self._pairs:
            cells.setdefault(name, []).append(raw)
        return cells

    @cached_property
    def _name_of(self) -> Mapping[Any, Any]:
        return {None: None, **{raw: name for name, raw in self._pairs}}

    def value(self, raw: Any) -> Any:
        """The exact number or the name of a cell."""
        return self._name_of[raw] if self.attribute.values is not None else exact(raw, self.attribute.held)

    def raws(self, names: Collection[str]) -> tuple[Any, ...]:
        """The cells of some categories."""
        return tuple(raw for name in names for raw in self._of_name.get(name, ()))

    def last(self, threshold: Rational, *, strict: bool) -> Any:
        """The largest number that the column can hold on the lower side of a threshold; None if there is none.

        Args:
            threshold: the threshold t.
            strict: whether the lower side is `< t` instead of `<= t`.
        """
        if {*self.kinds} == {float}:
            form: Form = "written" if self.attribute.held == "written" else "exact"
            found = last_double(threshold, form, strict=strict)
            return found if math.isfinite(found) else None
        if self.places is not None:
            units = threshold * 10**self.places
            last = math.ceil(units) - 1 if strict else math.floor(units)
            if abs(last) < 2**62:
                return last if Decimal not in self.kinds else Decimal(last).scaleb(-self.places)
        end = (bisect_left if strict else bisect_right)(self.values, threshold)
        return self._pairs[end - 1][1] if end else None

    def bins(self, cell: str, count: int, engine: Engine) -> str:
        """A whole number in SQL that does not fall where the column rises: its bin, of about so many.

        The cells that are known divide the column into pieces, and each piece into bins of one width. Each operation in
        doubles keeps the order, and the numbers of two pieces lie so far apart that no rounding exchanges them. The
        bins decide how much is read, and nothing else.

        Args:
            cell: the cell as a double, in SQL.
            count: the number of bins.
            engine: how it writes doubles.
        """
        double = engine.double_of
        known = sorted(float(one) for one in (*self.some, *self.ends))
        if not known or max(map(abs, known)) > 2.0**1000:
            return "0"
        ends = sorted({*known[:: max(len(known) // PIECES, 1)], known[-1]})
        whens, per = [f"WHEN {cell} < {double(ends[0])} THEN 0"], count // PIECES + 2
        for at, (low, high) in enumerate(pairwise(ends)):
            width, first = per * (PIECES if high == ends[-1] else 1), 2 * per * (at + 1)
            scale = width / (high - low)
            inside = f"CAST({cell} * {double(scale)} + {double(first - low * scale)} AS INTEGER)"
            is_apart = max(abs(low), abs(high)) * scale < 2.0**40
            whens.append(f"WHEN {cell} < {double(high)} THEN {inside if is_apart else first}")
        return f"CASE {' '.join(whens)} ELSE {2 * per * (len(ends) + PIECES)} END"


class Numbers(Mapping[str, Sequence[Rational]]):
    """The distinct numbers of each continuous column, read when something asks for them.

    Args:
        columns: the continuous columns, by name.
    """

    def __init__(self, columns: Mapping[str, StoredColumn]) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> Sequence[Rational]:
        return self._columns[name].values

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


@dataclass(frozen=True)
class ColumnReader:
    """Reads the types of the columns of a source.

    Args:
        database: the connection.
        source: the source in a query.
        categorical: columns to be read as categories even if they hold numbers; `*` means all.
        continuous: columns to be read as numbers.
        known: columns as a tree knows them: with their categories, or the form in which it holds their numbers.
    """

    database: Database
    source: str
    categorical: Collection[str] = ()
    continuous: Collection[str] = ()
    known: Mapping[str, Attribute] = field(default_factory=dict)

    def cells(self, sql: str, where: str) -> list[Any]:
        """The distinct cells of a column without missing values."""
        return without_missing(self.database.asked(self._distinct(sql, where)))

    def _distinct(self, sql: str, where: str, most: int | None = None) -> Asked:
        """The query for the distinct cells: all of them, or at least so many."""
        limit = "" if most is None else f" LIMIT {most + 2}"  # NULL and NaN may be two of them
        return Asked(f"SELECT DISTINCT {sql} FROM {self.source} WHERE {where}{limit}")

    def columns(self, names: Sequence[str], where: str, target: str | None = None) -> dict[str, StoredColumn]:
        """Some columns, from their distinct cells; what they ask at one time is one query, where a query is dear.

        Raises:
            InputError: a cell is neither a number nor a category, or no finite number; or the engine cannot compare it.
        """
        found = dict[str, StoredColumn]()
        for some in abreast(names, self.database.engine):
            readings = {name: self._column(name, where, is_target=name == target) for name in some}
            answers: Mapping[str, Any] = dict.fromkeys(some)
            while answers:
                queries = dict[str, Asked]()
                for name, rows in answers.items():
                    with self.database.naming(name):
                        try:
                            queries[name] = readings[name].send(rows)
                        except StopIteration as end:
                            found[name] = end.value
                answers = self.database.together(queries)
        return {name: found[name] for name in names}

    def _column(self, name: str, where: str, *, is_target: bool) -> Generator[Asked, Rows, StoredColumn]:
        """Reads a column; it gives a query, and gets its rows."""
        database, engine, origin = self.database, self.database.engine, Origin(self.database.name)
        sql, nan = database.cells(self.source, name)
        spelled = sql
        some = without_missing((yield self._distinct(sql, where, KNOWN + 1)))
        known = self.known.get(name)
        is_name = bool({name, "*"} & {*self.categorical}) or (known is not None and known.values is not None)
        if known is not None and known.held in BINARY and not any(isinstance(raw, str) for raw in some):
            sql, nan = self._in_floats(sql, known.held), nan and engine.double
            some = [float(held(raw, known.held)) for raw in map(exact, some)]
            some = list(dict.fromkeys(some))
        rest: Callable[[], Sequence[Any]] | None = None
        kinds = set(map(type, some))
        if len(some) > KNOWN:
            kinds = self._kinds(sql, where) or kinds
            if str in kinds or is_name:
                some = self.cells(spelled, where)
            else:
                rest = partial(self.cells, sql, where)
        is_text = str in kinds
        for raw in some:
            if not isinstance(raw, str | int | float | Decimal):
                kind = type(raw).__name__
                raise database.error(f"{kind} is neither a number nor a category; cast it in a SELECT", column=name)
        is_number = name in self.continuous or (known is not None and known.values is None)
        if is_text and is_number:
            raise database.error("holds texts, which are not ordered as numbers; cast it in a SELECT", column=name)
        if is_text and len(kinds) > 1 and not is_name:
            such = shortened(min(raw for raw in some if isinstance(raw, str)))
            names = f"say {columns_option('categorical', name)} if all are names"
            missing = f"NULLIF({database.quoted(name)}, {such}) in a SELECT if it means a missing value"
            raise database.error(f"holds numbers and texts, such as {such}; {names}, or {missing}", column=name)
        if bool in kinds and is_number:
            raise database.error("holds booleans, which are no numbers; cast it in a SELECT", column=name)
        if nan:
            sql = yield from self._without_nan(sql, nan, where)
        two = is_target and not is_number and len(some) == 2
        if two:  # of three rows two have the same value, as a target of classes has
            query = f"SELECT {database.quoted(name)} FROM {self.source} WHERE {where} LIMIT 3"
            two = len((yield Asked(query))) > 2
        categorical = (*self.categorical, name) if is_text or two else self.categorical
        attribute = known or infer(Column(name, written(some)), origin, categorical, self.continuous)
        outer = f", MIN({sql}), MAX({sql})" if kinds and kinds <= {int, float, Decimal} else ""
        query = f"SELECT COUNT({sql}), COUNT(*){outer} FROM {self.source} WHERE {where}"
        ((there, rows, *ends),) = yield Asked(query)
        ends = [end for end in ends if not is_missing(end)]
        for end in ends:
            if not math.isfinite(end):
                raise database.error(f"{end} is no finite number; leave such rows out in a SELECT", column=name)
            if {int, float} <= kinds and abs(end) >= 2**53:
                raise database.error(
                    "holds whole numbers and doubles, of 2^53 or more; cast them to one in a SELECT", column=name
                )
        places = self._places(sql, some, where) if kinds <= {int, Decimal} else None
        return StoredColumn(sql, attribute, some, rest, there < rows, kinds, places, ends)

    def _in_floats(self, sql: str, form: Form) -> str:
        """A column of numbers in a query, in the form in which a tree holds them."""
        engine = self.database.engine
        if form == "float32" and not engine.single:
            raise self.database.error("the tree holds numbers as float32, which this engine lacks; take in_memory()")
        single = f"CAST(CAST({sql} AS {engine.double}) AS {engine.single})" if form == "float32" else sql
        return f"CAST({single} AS {engine.double})"

    def _kinds(self, sql: str, where: str) -> set[type]:
        """The types of all cells, of an engine in which they differ from row to row."""
        if self.database.engine.types:
            return set()
        found = self.database.asked(Asked(f"SELECT DISTINCT TYPEOF({sql}) FROM {self.source} WHERE {where}"))
        types = {"integer": int, "real": float, "text": str, "blob": bytes}
        return {types[kind] for (kind,) in found if kind in types}

    def _places(self, sql: str, some: Sequence[Any], where: str) -> int | None:
        """The number of decimals of all cells, which are whole numbers or decimals; None if they differ."""
        places = {-int(raw.as_tuple().exponent) if isinstance(raw, Decimal) else 0 for raw in some}
        if self.database.engine.scale and max(places, default=0):
            scale = self.database.engine.scale.format(sql)
            places = {
                *self.database.asked(Asked(f"SELECT MIN({scale}), MAX({scale}) FROM {self.source} WHERE {where}"))[0]
            }
        return max(places.pop(), 0) if len(places) == 1 else None

    def _without_nan(self, sql: str, of: str, where: str) -> Generator[Asked, Rows, str]:
        """A column of numbers in a query, with NULL in the place of NaN, which compares as the largest number."""
        nan = f"CAST('NaN' AS {of})"
        query = f"SELECT MAX({sql}) FROM {self.source} WHERE {where} AND CAST({sql} AS {of}) = {nan}"
        return f"NULLIF({sql}, {nan})" if (yield Asked(query)) != [(None,)] else sql


def without_missing(rows: Rows) -> list[Any]:
    """The cells of the rows of one column that are no missing values."""
    return [raw for (raw,) in rows if not is_missing(raw)]


__all__ = ["ColumnReader", "Numbers", "StoredColumn", "exact"]
