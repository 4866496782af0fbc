"""The store: a sample as the numbers of its rows, over columns of integers.

A table is kept once, as columns of small integers; a sample is a list of row numbers and what its rows weigh. There is
one form for every kind of table: the column of a continuous attribute holds for each row the rank of its value. The
rows of a sample are put in order by sorting these ranks, and its parts keep the order.

Weights are kept as whole multiples of a unit that all weights of a sample share, so that those with long denominators,
as missing values make them, are added as integers. Where no row weighs more than another, no weights are kept at all.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.data import weighted_rows
from reference_tree.data.errors import InputError
from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import Linear, Multiway, SeenSubset, Test, Threshold
from reference_tree.data.sample import Data, Ordered, Partition, Sample, sample_text
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.table import Table
from reference_tree.data.targets import Branches, Classes, Counts, Gradients, Moments, Target, Values, target_of
from reference_tree.engine.counted import Counted, counted, derivatives
from reference_tree.engine.integer_columns import Columns, Rows, multiples, taker
from reference_tree.engine.long_weights import any_deferred, fine_multiples, floor_of
from reference_tree.engine.runs import Run
from reference_tree.engine.whole_rows import WholeRows, spread, times
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.learners import missing_rules
from reference_tree.twins import fast_form_of


class Store:
    """A sample; see `reference_tree.data.sample.Sample` for what its methods mean.

    Args:
        columns: of the table.
        counted: what is counted of each row.
        rows: the rows of the sample.
        weights: the weight of each row, as a multiple of `unit`; none: all are one unit.
        unit: what all weights are multiples of.
    """

    # Nearly half of the samples of a tree are leaves, for which little is needed: these are computed on demand.
    _total: Counts | None = None
    _whole: Sequence[Any] | None = None
    _take: Callable[[Any], Sequence[Any]] | None = None
    _runs: list[Run] | None = None
    _parts: dict[int, tuple[Test, list[list[int]]]] | None = None
    _tables: dict[int, tuple[Test, Partition]] | None = None
    _units: Sequence[Rational] | None = None
    _short_weights: tuple[Mapping[int, int] | None, int] | None = None
    _scanned: list[tuple[Any, Any]] | None = None

    def __init__(
        self, columns: Columns, counted: Counted, rows: Rows, weights: Mapping[int, int] | None, unit: Rational
    ) -> None:
        self.columns, self.counted, self.rows, self.weights, self.unit = columns, counted, rows, weights, unit

    def __repr__(self) -> str:
        return sample_text(self)

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self.columns.schema

    @property
    def target(self) -> Target:
        """What is counted."""
        return self.counted.target

    def once(self, key: tuple[Any, ...], find: Callable[[], Any]) -> Any:
        """The result of a search among the cuts, made once. Comparing keys is faster than hashing their fractions."""
        if self._scanned is None:
            self._scanned = []
        for known, found in self._scanned:
            if known == key:
                return found
        self._scanned.append((key, found := find()))
        return found

    @property
    def take(self) -> Callable[[Any], Sequence[Any]]:
        """Takes the cells of the rows from a column."""
        if self._take is None:
            self._take = taker(self.rows)
        return self._take

    # Counting.

    def total(self) -> Counts:
        """The row of the whole sample."""
        if self._total is None:
            self._total = self.in_units(self.whole)
        return self._total

    @property
    def whole(self) -> Sequence[Any]:
        """The row of the whole sample, in whole units."""
        if self._whole is None:
            self._whole = self.counted.sums(self.take(self.counted.of), self.multiples(self.rows))
        return self._whole

    def cells(self, rows: Rows) -> Sequence[int]:
        """What is counted of some rows; of few classes, as bytes."""
        found = taker(rows)(self.counted.of)
        return bytes(found) if self.counted.width <= 256 and isinstance(self.target, Classes) else found

    @property
    def short_weights(self) -> tuple[Mapping[int, int] | None, int]:
        """For each row of the sample its weight over 2^shift, cut after the point; and the shift.

        So many places are left that their sum is short, and yet long enough for estimates: for n rows it has 18 more
        than n, and 30 at least.
        """
        if self._short_weights is None:
            weights, shift = self.weights, 0
            if weights is not None:
                floors = self.take(weights)
                floors = [floor_of(weight, 0) for weight in floors] if any_deferred(floors) else floors
                if shift := max(0, sum(floors).bit_length() - max(30, len(floors).bit_length() + 18)):
                    weights = {row: floor >> shift for row, floor in zip(self.rows, floors, strict=True)}
            self._short_weights = weights, shift
        return self._short_weights

    def multiples(self, rows: Rows) -> list[int] | None:
        """The weights of some rows."""
        weights = self.weights
        return None if weights is None else list(map(weights.__getitem__, rows))

    @property
    def units(self) -> Sequence[Rational]:
        """What each column counts in; nothing, if that is 1."""
        if self._units is None:
            of = self.counted.units
            self._units = (
                of if self.unit == 1 else [times(1, unit * self.unit) for unit in of or [1] * self.counted.width]
            )
        return self._units

    def in_units(self, whole: Sequence[Any]) -> Counts:
        """A row of s_ij with its units put in."""
        return spread(map(times, whole, self.units) if self.units else whole, self.counted.places)

    def table(self, test: Test, whole: Sequence[Sequence[int]], unknown: Sequence[int]) -> Partition:
        """The partition of a question, from its rows in whole units and that of those that do not answer."""
        units, places = self.units, self.counted.places
        of_unknown = self.in_units(unknown) if places or any(unknown) else (0,) * len(unknown)
        if not (units or places) or (self.weights is not None and any(map(any_deferred, whole))):
            return Partition(test.outcomes, tuple(map(self.in_units, whole)), of_unknown)
        rows = WholeRows(tuple(map(tuple, whole)), units or [1] * len(unknown), tuple(unknown), places)
        return Partition(test.outcomes, rows, of_unknown)

    def count(self, rows: Rows) -> list[int]:
        """The row of s_ij of some rows of the data, in whole units."""
        return (
            self.counted.sums(taker(rows)(self.counted.of), self.multiples(rows)) if rows else [0] * self.counted.width
        )

    # Asking.

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question."""
        if self._tables is not None and id(test) in self._tables:
            return self._tables[id(test)][1]
        parts = self.answers(test, self.rows)
        *rows, unknown = map(self.count, parts)
        table = self.table(test, rows, unknown)
        self._keep(test, parts, table)
        return table

    def part(self, test: Test, sides: list[list[int]], table: Partition) -> None:
        """Keep how a question parts the rows, as it may be chosen; but not if some rows do not answer it."""
        if len(sides[0]) + len(sides[1]) == len(self.rows):
            self._keep(test, [*sides, []], table)

    def _keep(self, test: Test, parts: list[list[int]] | None, table: Partition) -> None:
        """Keep the parts and the table of a question: most likely the sample is split by one of the last ones."""
        self._tables = {} if self._tables is None else self._tables
        self._tables[id(test)] = test, table
        if parts is not None:
            self._parts = {} if self._parts is None else self._parts
            self._parts[id(test)] = test, parts

    def answers(self, test: Test, rows: Rows) -> list[list[int]]:
        """The rows that give each answer, and after them those that give none."""
        if isinstance(test, Threshold):
            return self._sides(test, rows)
        nowhere = len(test.outcomes)
        parts: list[list[int]] = [[] for _ in range(nowhere + 1)]
        if isinstance(test, Multiway) and test.values == self.columns.domain(test.attribute):
            codes = self.columns.codes[test.attribute]
            for row in rows:
                parts[codes[row]].append(row)
            return parts
        if isinstance(test, Linear):
            branches: Iterable[int | None] = [self._branch_of_sum(test, row) for row in rows]
        else:
            branches = self._branches(test, taker(rows)(self.columns.codes[test.attribute]), nowhere)
        for row, branch in zip(rows, branches, strict=True):
            if branch is not None:
                parts[branch].append(row)
        return parts

    def _sides(self, test: Threshold, rows: Rows) -> list[list[int]]:
        """The rows below a threshold, those above, and those that have no value."""
        name, columns = test.attribute, self.columns
        key, first, last = columns.codes[name], columns.cut(test), len(columns.schema.numbers[name])
        below = [row for row in rows if key[row] < first]
        above = [row for row in rows if first <= key[row] < last]
        known = len(below) + len(above) == len(rows)
        return [below, above, [] if known else [row for row in rows if key[row] >= last]]

    def _branches(self, test: Any, codes: Sequence[int], nowhere: int) -> Iterable[int | None]:
        """The branch of each code; the one after the last for a missing value, none if no outcome holds."""
        domain = self.columns.domain(test.attribute)
        # A value for which no outcome holds has no branch; for a surrogate that leaves it open it counts as missing.
        left_open = nowhere if isinstance(test, SeenSubset) else None
        branch_of = {code: test.branch_of(domain[code]) for code in set(codes) if code < len(domain)}
        branch_of = {code: left_open if branch is None else branch for code, branch in branch_of.items()}
        branch_of[len(domain)] = nowhere
        return [branch_of[code] for code in codes]

    def _branch_of_sum(self, test: Linear, row: int) -> int:
        branch = test.branch({name: self._cell(name, row) for name in test.attributes})
        return len(test.outcomes) if branch is None else branch

    def _cell(self, name: str, row: int) -> Any:
        domain, code = self.columns.domain(name), self.columns.codes[name][row]
        return domain[code] if code < len(domain) else None

    @property
    def runs(self) -> list[Run]:
        """The rows in the order of each continuous attribute; of those that all rows have a value for, in one run."""
        if self._runs is None:
            found = [self._sorted(attribute.name) for attribute in self.schema.attributes if attribute.values is None]
            complete = [run for run in found if len(run.rows) == len(self.rows)]
            self._runs = [run for run in found if len(run.rows) < len(self.rows)]
            if complete:
                names = [name for run in complete for name in run.names]
                rows = [row for run in complete for row in run.rows]
                ranks = [rank for run in complete for rank in self.values_of(run.names[0], run.rows)]
                distinct = all(run.ranks is None for run in complete)
                self._runs.append(Run(names, rows, None if distinct else ranks))
        return self._runs

    def _sorted(self, name: str) -> Run:
        """The rows that have a value of a continuous attribute."""
        codes, missing = self.columns.codes[name], len(self.schema.numbers[name])
        rows = sorted(self.rows, key=codes.__getitem__)
        if rows and codes[rows[-1]] == missing:
            del rows[bisect_left(rows, missing, key=codes.__getitem__) :]
        return Run((name,), rows, None if name in self.columns.distinct else self.values_of(name, rows))

    def order(self, attribute: str) -> Run:
        """The rows that have a value of a continuous attribute, by ascending values."""
        runs = [run for run in self.runs if attribute in run.names]
        return runs[0].of(attribute) if runs else self._sorted(attribute)

    def unknown(self, run: Run) -> list[int]:
        """The row of those that are not in a run, in whole units."""
        if run.size == len(self.rows):
            return [0] * self.counted.width
        known = set(run.rows)
        return self.count([row for row in self.rows if row not in known])

    def values_of(self, attribute: str, rows: Rows) -> list[int]:
        """The ranks of some rows."""
        return list(map(self.columns.codes[attribute].__getitem__, rows))

    def ordered(self, attribute: str) -> Ordered:
        """The sample partition of a continuous attribute, value by value.

        Raises:
            InputError: the attribute is categorical.
        """
        if self.schema.attribute(attribute).values is not None:
            raise InputError(f"the attribute {attribute} is categorical: its values have no order")
        run = self.order(attribute)
        groups: dict[int, list[int]] = {}
        for row, rank in zip(run.rows, self.values_of(attribute, run.rows), strict=True):
            groups.setdefault(rank, []).append(row)
        numbers = self.schema.numbers[attribute]
        values = [numbers[rank] for rank in groups]
        rows = [self.in_units(self.count(group)) for group in groups.values()]
        return Ordered(values, rows, self.in_units(self.unknown(run)))

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as points."""
        coordinates = coordinates_of(self.schema, attributes)
        names = list(dict.fromkeys(coordinate.attribute for coordinate in coordinates))
        alike: dict[tuple[int, ...], list[int]] = {}
        for row, *codes in zip(self.rows, *(self.take(self.columns.codes[name]) for name in names), strict=True):
            alike.setdefault(tuple(codes), []).append(row)
        cells = ({name: self._cell(name, rows[0]) for name in names} for rows in alike.values())
        counts = (self.in_units(self.count(rows)) for rows in alike.values())
        return gathered(coordinates, zip(cells, counts, strict=True), self.target)

    # Parting.

    def split(self, test: Test, missing: Missing = REFUSED) -> list[Store]:
        """The parts that give each answer, in branch order."""
        known = None if self._parts is None else self._parts.get(id(test))
        *answers, unknown = self.answers(test, self.rows) if known is None else known[1]
        if not unknown:
            parts = [self.of(rows) for rows in answers]
            if self._tables is not None and id(test) in self._tables:
                rows = self.partition(test).rows
                whole = rows.whole if isinstance(rows, WholeRows) else [None] * len(parts) if self.units else rows
                for part, total, in_units in zip(parts, whole, rows, strict=True):  # they need not be counted again
                    part._whole, part._total = total, in_units
        else:
            routes = missing.routes(unknown, len(answers), self.answers)
            parts = [self._part([(answer, 1), *more]) for answer, more in zip(answers, routes, strict=True)]
        if self._runs is not None:
            for part in parts:
                # Only parts that may be split need an order. Whether a part is pure does not depend on the units.
                counts = tuple(part.whole)
                if len(part.rows) > 1 and not self.target.is_pure(counts):
                    some = set(part.rows)
                    part._runs = [run.within(some) for run in self._runs]
        return parts

    def against(self, target: Target) -> Store:
        """The same rows with other columns; those that have nothing to count there are left out."""
        width = len(target.columns)
        if isinstance(target, Branches):
            branch_of: dict[int, int] = {}
            for branch, rows in enumerate(self.answers(target.test, self.rows)[:-1]):
                branch_of |= dict.fromkeys(rows, branch)
            return self.counting(Counted(target, branch_of, 1, width), list(branch_of))
        if isinstance(target, Gradients):
            return self.counting(derivatives(self.columns, target, self._most), self.rows)
        if target == target_of(self.schema) or isinstance(target, Moments):
            return self.counting(counted(self.columns, target), self.rows)
        labels = target.numbers if isinstance(target, Values) else target.columns
        name = self.schema.target.name
        domain, of = self.columns.domain(name), self.columns.codes[name]
        if list(labels) == list(domain):
            return self.counting(Counted(target, of, 1, width), self.rows)
        places = {label: place for place, label in enumerate(labels)}
        column_of = {row: places.get(domain[of[row]]) for row in self.rows}
        known = [row for row, column in column_of.items() if column is not None]
        return self.counting(Counted(target, column_of, 1, width), known)

    @property
    def _most(self) -> int:
        """What all rows weigh, in whole units."""
        return len(self.rows) if self.weights is None else sum(self.weights.values())

    def counting(self, counted: Counted, rows: Rows) -> Store:
        """Some rows, of which something else is counted."""
        found = Store(self.columns, counted, rows, self.weights, self.unit)
        if len(rows) == len(self.rows):
            self._parts = found._parts = {} if self._parts is None else self._parts
            found._runs = self.runs
        return found

    def of(self, rows: Rows) -> Store:
        """Some of the rows."""
        found = Store(self.columns, self.counted, rows, self.weights, self.unit)
        found._units = self._units
        return found

    def part_of(self, rows: Rows, whole: Sequence[Any]) -> Store:
        """Some of the rows, which are counted already."""
        found = self.of(rows)
        found._whole = whole
        return found

    def _part(self, groups: Sequence[tuple[Rows, Rational]]) -> Store:
        """The part made up of some groups of rows, the weight of each multiplied by a factor."""
        groups = [(rows, factor) for rows, factor in groups if rows and factor]
        rows = [row for part, _ in groups for row in part]
        if all(factor == 1 for _, factor in groups):
            return self.of(rows)
        weights, unit = self._multiplied(groups)
        return Store(self.columns, self.counted, rows, weights, unit)

    def _multiplied(self, groups: Sequence[tuple[Rows, Rational]]) -> tuple[Mapping[int, int] | None, Rational]:
        """The weights of some groups of rows, each multiplied by a factor; and their unit."""
        weights = self.weights
        if any_deferred(factor for _, factor in groups) or (weights and any_deferred(weights.values())):
            weighed = {row: (weights[row] if weights else 1) * factor for rows, factor in groups for row in rows}
            return fine_multiples(weighed, self.unit)
        common = math.lcm(*(factor.denominator for _, factor in groups))
        found: dict[int, int] = {}
        for rows, factor in groups:
            whole = factor.numerator * (common // factor.denominator)
            found.update((row, whole if weights is None else weights[row] * whole) for row in rows)
        divisor = math.gcd(*found.values())
        unit = simplest(Fraction(self.unit * divisor) / common)
        reduced = {row: weight // divisor for row, weight in found.items()}
        return (None if all(weight == 1 for weight in reduced.values()) else reduced), unit


@fast_form_of(weighted_rows.whole_sample)
def whole_sample(table: Data) -> Any:
    """All rows of a table, as the sample that reaches the root."""
    if not isinstance(table, Table):
        return weighted_rows.whole_sample.__wrapped__(table)  # type: ignore[attr-defined]
    schema = table.schema
    names = [attribute.name for attribute in (*schema.attributes, schema.target)]
    # A small code is an object that is there already; a rank would be one of its own in a list.
    codes = {name: table.codes(name) for name in names}
    columns = Columns(schema, {name: list(of) if len(set(of)) < 256 else of for name, of in codes.items()})
    weights: Mapping[int, int] | None = None
    unit: Rational = 1
    if table.weights is not None:
        whole, unit = multiples(table.weights)
        weights = None if set(whole) == {1} else dict(enumerate(whole))
    return Store(columns, counted(columns, target_of(schema)), list(range(columns.size)), weights, unit)


@fast_form_of(missing_rules.without_value)
def without_value(sample: Sample, attribute: Attribute) -> Counts:
    """The row of those that have no value of an attribute; no other row is counted."""
    if not isinstance(sample, Store):
        return missing_rules.without_value.__wrapped__(sample, attribute)  # type: ignore[attr-defined,no-any-return]
    columns, name = sample.columns, attribute.name
    if name in columns.complete:
        return sample.in_units([0] * sample.counted.width)
    codes, missing = columns.codes[name], len(columns.domain(name))
    return sample.in_units(sample.count([row for row in sample.rows if codes[row] == missing]))
