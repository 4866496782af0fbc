"""The store: a sample as the numbers of its rows, over columns of integers.

A table is kept once, as columns of small integers; a sample is a list of row numbers with their weights. There is one
form for every kind of table: the column of a continuous attribute holds the rank of each row's value. The rows of a
sample are put in order by sorting these ranks, and the parts of the sample keep that order.

Weights are kept as whole multiples of a unit that all weights of a sample share. So weights with long denominators,
which missing values produce, are added as integers. Where all rows weigh the same, no weights are kept.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.data import sample as book
from reference_tree.data.errors import InputError
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import REFUSED, Linear, Missing, Multiway, SeenSubset, Test, Threshold
from reference_tree.data.sample import Data, Ordered, Partition, Sample, sample_text
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.table import is_in_memory
from reference_tree.data.targets import Branches, Classes, Counts, Gradients, Moments, Target, Values, target_of
from reference_tree.engine.derivative_columns import derivatives
from reference_tree.engine.integer_columns import (
    Columns,
    Counted,
    Rows,
    SortedRun,
    counted,
    multiples,
    taker,
)
from reference_tree.engine.whole_rows import (
    WeightSums,
    WholeRows,
    any_deferred,
    fine_multiples,
    shortened,
    spread,
    times,
)
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.splitting import missing_rules
from reference_tree.twins import fast_form_of


class Store:
    """A sample; see `reference_tree.data.sample.Sample` for the meaning of its methods.

    Args:
        columns: the columns of the table.
        counted: the value of each row that is counted.
        rows: the rows of the sample.
        weights: the weight of each row, as a multiple of `unit`; None if all rows weigh one unit.
        unit: the unit that all weights are multiples of.
    """

    # Nearly half of the samples of a tree are leaves, which need few of these; so each is computed on demand.
    _total: Counts | None = None
    _whole: Sequence[Any] | None = None
    _take: Callable[[Any], Sequence[Any]] | None = None
    _runs: list[SortedRun] | None = None
    _units: Sequence[Rational] | None = None
    _short_weights: tuple[Mapping[int, int] | None, int] | None = None
    _scanned: dict[Any, list[tuple[Any, Any]]] | None = None
    _sums: WeightSums | None = None
    """The sums of weights that are asked for, if some weights are deferred."""

    def __init__(
        self, columns: Columns, counted: Counted, rows: Rows, weights: Mapping[int, int] | None, unit: Rational
    ) -> None:
        self.columns, self.counted, self.rows, self.weights, self.unit = columns, counted, rows, weights, unit

    def __repr__(self) -> str:
        return sample_text(self)

    def __reduce__(self) -> tuple[type[Store], tuple[Any, ...]]:
        """A copy finds anew what is kept for later."""
        return Store, (self.columns, self.counted, self.rows, self.weights, self.unit)

    @property
    def schema(self) -> Schema:
        """The schema of the table."""
        return self.columns.schema

    @property
    def target(self) -> Target:
        """The target whose columns are counted."""
        return self.counted.target

    def once(self, key: tuple[Any, ...], find: Callable[[], Any]) -> Any:
        """The result of a search, made once per key. Only the first item of a key is hashed."""
        if self._scanned is None:
            self._scanned = {}
        alike = self._scanned.setdefault(key[0], [])
        for known, found in alike:
            if known == key:
                return found
        alike.append((key, found := find()))
        return found

    @property
    def take(self) -> Callable[[Any], Sequence[Any]]:
        """A function that takes the cells of the sample's rows from a column."""
        if self._take is None:
            self._take = taker(self.rows)
        return self._take

    # Counting.

    def total(self) -> Counts:
        """The counts of the whole sample."""
        if self._total is None:
            self._total = self.in_units(self.whole)
        return self._total

    @property
    def whole(self) -> Sequence[Any]:
        """The counts of the whole sample, in whole units."""
        if self._whole is None:
            self._whole = self.count(self.rows)
        return self._whole

    def cells(self, rows: Rows) -> Sequence[int]:
        """The counted value of each of some rows; as bytes where there are few classes."""
        found = taker(rows)(self.counted.of)
        return bytes(found) if self.counted.width <= 256 and isinstance(self.target, Classes) else found

    @property
    def short_weights(self) -> tuple[Mapping[int, int] | None, int]:
        """The weight of each row divided by 2^shift and rounded down; and the shift.

        The shift keeps the sum of the weights short, yet long enough for estimates: for n rows the sum has 18 bits more
        than n, and at least 30.
        """
        if self._short_weights is None:
            weights, shift = self.weights, 0
            if weights is not None and any_deferred(self.take(weights)):
                weights, shift = shortened(self.rows, self.take(weights))
            elif weights is not None:
                floors = self.take(weights)
                if shift := max(0, sum(floors).bit_length() - max(30, len(floors).bit_length() + 18)):
                    weights = {row: floor >> shift for row, floor in zip(self.rows, floors, strict=True)}
            self._short_weights = weights, shift
        return self._short_weights

    def multiples(self, rows: Rows) -> list[int] | None:
        """The weights of some rows, as multiples of the unit; None if all rows weigh one unit."""
        weights = self.weights
        return None if weights is None else list(map(weights.__getitem__, rows))

    @property
    def units(self) -> Sequence[Rational]:
        """The unit of each counted column; empty if all units are 1."""
        if self._units is None:
            of = self.counted.units
            self._units = (
                of if self.unit == 1 else [times(1, unit * self.unit) for unit in of or [1] * self.counted.width]
            )
        return self._units

    def in_units(self, whole: Sequence[Any]) -> Counts:
        """A row of s_ij, given in whole units, multiplied by its units."""
        return spread(map(times, whole, self.units) if self.units else whole, self.counted.places)

    def table(self, test: Test, whole: Sequence[Sequence[int]], unknown: Sequence[int]) -> Partition:
        """The partition of a test, from the counts of its outcomes and of the rows without one, all whole."""
        units, places = self.units, self.counted.places
        of_unknown = self.in_units(unknown) if places or any(unknown) else (0,) * len(unknown)
        if not (units or places):
            nothing = self.in_units([0] * len(unknown))
            rows_of_s = tuple([self.in_units(row) if any(row) else nothing for row in whole])
            return Partition(test.outcomes, rows_of_s, of_unknown)
        rows = WholeRows(tuple(map(tuple, whole)), units or [1] * len(unknown), tuple(unknown), places)
        return Partition(test.outcomes, rows, of_unknown)

    def count(self, rows: Rows) -> list[int]:
        """The row of s_ij of some rows of the data, in whole units."""
        if not rows:
            return [0] * self.counted.width
        cells, weights = (self.take if rows is self.rows else taker(rows))(self.counted.of), self.multiples(rows)
        if self._sums is not None and weights is not None and isinstance(self.target, Classes):
            return self._sums.of_cells(cells, weights, self.counted.width)
        return self.counted.sums(cells, weights)

    def count_from(self, known: Callable[[], Iterable[Any]], rows: Rows) -> list[Any]:
        """The row of s_ij of some rows, from counts that are known; with deferred weights they are counted anew.

        A difference of two deferred sums that is 0 does not show it, and sums of the same weights are kept.
        """
        return list(known()) if self._sums is None else self.count(rows)

    # Asking.

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a test."""
        # The test has a branch for each value of the table, in its order: the code of a row is its branch.
        if isinstance(test, Multiway) and test.values == self.columns.domain(test.attribute):
            *counts, unknown = self._counts_of_values(test.attribute)
        else:
            *counts, unknown = map(self.count, self.answers(test, self.rows))
        return self.table(test, counts, unknown)

    def _counts_of_values(self, attribute: str) -> list[list[int]]:
        """The row of s_ij of each value of an attribute, and of no value; those that no row has share one list."""
        found = [[0] * self.counted.width] * (len(self.columns.domain(attribute)) + 1)
        for code, counts in self.counts_of_present(attribute).items():
            found[code] = counts
        return found

    def counts_of_present(self, attribute: str) -> dict[int, list[int]]:
        """Code → the row of s_ij, for each value that some row has; the last code is that of no value."""
        rows_of: dict[int, list[int]] = {}
        for row, code in zip(self.rows, self.take(self.columns.codes[attribute]), strict=True):
            rows_of.setdefault(code, []).append(row)
        return {code: self.count(rows) for code, rows in rows_of.items()}

    def answers(self, test: Test, rows: Rows) -> list[list[int]]:
        """The rows that give each answer, followed by the rows that give none."""
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
        """The rows below a threshold, the rows above it, and the rows without a value."""
        name, columns = test.attribute, self.columns
        key, first, last = columns.codes[name], columns.cut(test), len(columns.schema.numbers[name])
        below = [row for row in rows if key[row] < first]
        above = [row for row in rows if first <= key[row] < last]
        known = len(below) + len(above) == len(rows)
        return [below, above, [] if known else [row for row in rows if key[row] >= last]]

    def _branches(self, test: Any, codes: Sequence[int], nowhere: int) -> Iterable[int | None]:
        """The branch of each code; the one after the last for a missing value, None if no outcome holds."""
        domain = self.columns.domain(test.attribute)
        # A value for which no outcome holds has no branch; a surrogate test counts it as missing.
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
    def runs(self) -> list[SortedRun]:
        """The rows sorted by each continuous attribute. Attributes known of every row share one run."""
        if self._runs is None:
            numbers = (attribute.name for attribute in self.schema.attributes if attribute.values is None)
            found = [self._sorted(name, self.rows) for name in numbers]
            complete = [run for run in found if len(run.rows) == len(self.rows)]
            self._runs = [run for run in found if len(run.rows) < len(self.rows)]
            if complete:
                self._runs.append(self._together(complete))
        return self._runs

    @property
    def runs_of(self) -> Mapping[str, tuple[SortedRun, int]]:
        """For each continuous attribute its run, and its place among the attributes of the run."""

        def find() -> dict[str, tuple[SortedRun, int]]:
            return {name: (run, at) for run in self.runs for at, name in enumerate(run.names)}

        known: Mapping[str, tuple[SortedRun, int]] = self.once(("runs",), find)
        return known

    def sorted_by(self, names: Sequence[str], rows: Rows) -> SortedRun:
        """Some rows, which have values of some continuous attributes, sorted by each in turn."""
        return self._together([self._sorted(name, rows) for name in names])

    def _together(self, runs: Sequence[SortedRun]) -> SortedRun:
        """Runs of the same rows as one."""
        names = [name for run in runs for name in run.names]
        rows = [row for run in runs for row in run.rows]
        if all(run.ranks is None for run in runs):
            return SortedRun(names, rows, None)
        return SortedRun(names, rows, [rank for run in runs for rank in self.values_of(run.names[0], run.rows)])

    def _sorted(self, name: str, rows: Rows) -> SortedRun:
        """Those of some rows that have a value of a continuous attribute, sorted by it."""
        codes, missing = self.columns.codes[name], len(self.schema.numbers[name])
        rows = sorted(rows, key=codes.__getitem__)
        if rows and codes[rows[-1]] == missing:
            del rows[bisect_left(rows, missing, key=codes.__getitem__) :]
        return SortedRun((name,), rows, None if name in self.columns.distinct else self.values_of(name, rows))

    def order(self, attribute: str) -> SortedRun:
        """The rows that have a value of a continuous attribute, by ascending values."""
        run, at = self.runs_of.get(attribute, (None, 0))
        return run.at(at) if run else self._sorted(attribute, self.rows)

    def unknown(self, run: SortedRun) -> list[int]:
        """The counts of the rows that are not in a run, in whole units."""
        if run.size == len(self.rows):
            return [0] * self.counted.width
        known = set(run.rows)
        return self.count([row for row in self.rows if row not in known])

    def values_of(self, attribute: str, rows: Rows) -> list[int]:
        """The ranks of some rows' values of a continuous attribute."""
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
        *answers, unknown = self.answers(test, self.rows)
        if not unknown:
            parts = [self.of(rows) for rows in answers]
        else:
            routes = missing.routes(unknown, len(answers), self.answers)
            parts = [self._part([(answer, 1), *more]) for answer, more in zip(answers, routes, strict=True)]
        if self._runs is not None:
            for part in parts:
                # Only parts that may be split need sorted rows. Whether a part is pure does not depend on the units.
                counts = tuple(part.whole)
                if len(part.rows) > 1 and not self.target.is_pure(counts):
                    some = set(part.rows)
                    part._runs = [run.within(some) for run in self._runs]
        return parts

    def against(self, target: Target) -> Store:
        """The rows counted by another target, without the rows that have no value there."""
        width = len(target.columns)
        # A row without an outcome of the test predicts no branch, and is left out.
        if isinstance(target, Branches):
            branch_of: dict[int, int] = {}
            for branch, rows in enumerate(self.answers(target.test, self.rows)[:-1]):
                branch_of |= dict.fromkeys(rows, branch)
            return self.counting(Counted(target, branch_of, 1, width), list(branch_of))
        if isinstance(target, Gradients):
            found = derivatives(self.columns, target, self.weights, self.unit, self._most)
            return self.counting(found, self.rows)
        if target == target_of(self.schema) or isinstance(target, Moments):
            return self.counting(counted(self.columns, target), self.rows)
        labels = target.numbers if isinstance(target, Values) else target.columns
        name = self.schema.target.name
        domain, of = self.columns.domain(name), self.columns.codes[name]
        # The codes of the table are the columns of the target already.
        if list(labels) == list(domain):
            return self.counting(Counted(target, of, 1, width), self.rows)
        places = {label: place for place, label in enumerate(labels)}
        column_of = {row: places.get(domain[of[row]]) for row in self.rows}
        known = [row for row, column in column_of.items() if column is not None]
        return self.counting(Counted(target, column_of, 1, width), known)

    @property
    def _most(self) -> int:
        """The weight of all rows, in whole units."""
        return len(self.rows) if self.weights is None else sum(self.weights.values())

    def counting(self, counted: Counted, rows: Rows) -> Store:
        """Some of the rows, counted by another target."""
        found = Store(self.columns, counted, rows, self.weights, self.unit)
        if len(rows) == len(self.rows):
            found._runs = self.runs
        found._sums = self._sums
        return found

    def of(self, rows: Rows) -> Store:
        """Some of the rows."""
        found = Store(self.columns, self.counted, rows, self.weights, self.unit)
        found._units, found._sums = self._units, self._sums
        return found

    def part_of(self, rows: Rows, whole: Sequence[Any]) -> Store:
        """Some of the rows, whose counts are known already."""
        found = self.of(rows)
        found._whole = whole
        return found

    def _part(self, groups: Sequence[tuple[Rows, Rational]]) -> Store:
        """The part made up of some groups of rows, the weights of each group multiplied by a factor."""
        groups = [(rows, factor) for rows, factor in groups if rows and factor]
        rows = [row for part, _ in groups for row in part]
        if all(factor == 1 for _, factor in groups):
            return self.of(rows)
        weights, unit = self._multiplied(groups)
        part = Store(self.columns, self.counted, rows, weights, unit)
        part._sums = WeightSums() if weights is not None and any_deferred(weights.values()) else None
        return part

    def _multiplied(self, groups: Sequence[tuple[Rows, Rational]]) -> tuple[Mapping[int, int] | None, Rational]:
        """The weights of some groups of rows, those of each group multiplied by a factor; and their unit."""
        weights = self.weights
        if any_deferred(factor for _, factor in groups) or (weights and any_deferred(weights.values())):
            weighed: dict[int, Rational] = {}
            for rows, factor in groups:
                products: dict[int, Rational] = {}  # many rows share one weight
                for row in rows:
                    weight = weights[row] if weights else 1
                    if id(weight) not in products:
                        products[id(weight)] = weight * factor
                    weighed[row] = products[id(weight)]
            return fine_multiples(weighed, self.unit)
        common = math.lcm(*(factor.denominator for _, factor in groups))
        found: dict[int, int] = {}
        for rows, factor in groups:
            whole = factor.numerator * (common // factor.denominator)
            found.update((row, whole if weights is None else weights[row] * whole) for row in rows)
        # The largest common divisor goes into the unit, so the integers stay short from node to node.
        divisor = math.gcd(*found.values())
        unit = simplest(Fraction(self.unit * divisor) / common)
        reduced = {row: weight // divisor for row, weight in found.items()}
        return (None if all(weight == 1 for weight in reduced.values()) else reduced), unit


@fast_form_of(book.whole_sample)
def whole_sample(table: Data) -> Any:
    """All rows of a table, as the sample that reaches the root."""
    if not is_in_memory(table):
        return book.whole_sample.__wrapped__(table)  # type: ignore[attr-defined]
    schema = table.schema
    names = [attribute.name for attribute in (*schema.attributes, schema.target)]
    # Python shares one object for each integer below 257. Larger ranks would be objects of their own in a list.
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
    """The counts of the rows without a value of an attribute; no other rows are counted."""
    if not isinstance(sample, Store):
        return missing_rules.without_value.__wrapped__(sample, attribute)  # type: ignore[attr-defined,no-any-return]
    columns, name = sample.columns, attribute.name
    if name in columns.complete:
        return sample.in_units([0] * sample.counted.width)
    codes, missing = columns.codes[name], len(columns.domain(name))
    return sample.in_units(sample.count([row for row in sample.rows if codes[row] == missing]))
