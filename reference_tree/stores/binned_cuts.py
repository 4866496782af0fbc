"""Binned cuts: the cuts of a continuous attribute that can be the best, by bins once, and then a zoom.

So they are found in Spark, where sorting is dear, and for the best cut of several attributes: the best of all leaves
out nearly all bins of each. `near_cuts` has the others; of each attribute's own best, as C4.5 asks, too many rows would
come back, and other engines estimate scores in less time.

1. Of all nodes of a level the database counts the rows by *bin*: a whole number that rises with the values
   (`StoredColumn.bins`). The running sums of the counts are the cuts between two bins.
2. A bin is left out if no cut within it, nor at its ends, can be as good as the best of these (`bounds`). Equal stays.
3. *Zoom*: the rows of the bins that are left are counted by value, again in one query for all nodes.

Bins decide what is asked, and never what is answered: with `EVERY` all are zoomed into, and the answers are the same.
Scores are computed here, in doubles of a proven error; whatever is nearer to the best comes back with exact counts, and
the learner compares it exactly. *Beside the near cuts* the next best are found among the same bins.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate
from operator import add, attrgetter, sub
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.targets import minus
from reference_tree.splitting.continuous_bisection import Cut, CutSearch, midpoint
from reference_tree.stores.bounds import MEASURES, CountedBin, CutMeasure, Whole
from reference_tree.stores.columns import StoredColumn
from reference_tree.stores.engines import Asked, Engine, abreast, joined
from reference_tree.stores.samples import CHANGED, SQLSample, StoredTable, TargetSums, adds_up, cells, sums_of

EVERY = False
"""Whether every bin is zoomed into: for tests."""

BINS = 1 << 14
"""About how many bins a column has in all but its last piece (`StoredColumn.bins`)."""

STRIDE = 1 << 20
"""More than the number of any bin."""

SIZES = {128: 16, 16: 2, 2: 0}
"""How many numbers a bin has, and the smaller ones that it is zoomed into; 0 is a value."""

FEW = 16
"""A bin of no more rows is zoomed into by value."""

TOGETHER = 50_000
"""Where all bins that are zoomed into have no more rows, each is by value: a further query costs more."""


def not_binned(sample: SQLSample, attributes: Sequence[str], search: CutSearch) -> str:
    """Why cuts are not found by bins; nothing if they are.

    Example:
        >>> import sqlite3
        >>> from reference_tree.stores.sql import sql
        >>> rows = "SELECT 1 AS a, 2 AS b, 'no' AS y UNION SELECT 2, 1, 'yes'"
        >>> sample = sql(sqlite3.connect(":memory:"), rows).sample()
        >>> not_binned(sample, ["a"], CutSearch("gain")), not_binned(sample, ["a", "b"], CutSearch("gain"))
        ('the best cut of each attribute', 'an engine that estimates scores faster')
    """
    reasons = {
        f"the measure {search.measure}": search.measure not in MEASURES,
        "a smallest gap": bool(search.gap),
        "the best cut of each attribute": len(attributes) < 2,
        "weights of classes": search.class_weights is not None,
        "an engine that estimates scores faster": not sample.table.database.engine.stacked,
        "counts that the database cannot add up": not adds_up(sample),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def binned_cuts(sample: SQLSample, attributes: Sequence[str], search: CutSearch) -> list[Cut]:
    """The cuts of some attributes that can be the best of all."""
    names, found = tuple(attributes), list[Cut]()
    for beside in (False, True)[: 1 + bool(search.without)]:
        key = ("near", names, search.measure, search.minimum, beside)
        found += sample.ask(key, partial(_near_of_all, names, search, beside=beside))
    place = {name: at for at, name in enumerate(attributes)}
    found = [cut for cut in found if (cut.test.attribute, cut.test.interval) not in search.without]
    return sorted(found, key=lambda cut: (place[cut.test.attribute], cut.test.threshold))


# The bins of a column, and the values of those that were zoomed into.


class BinnedColumn:
    """The rows of a sample by the bins of a column; a bin that was zoomed into is replaced by its values.

    Args:
        name: the column.
        sample: the sample.
        sums: the sums of the target.
        bins: its bins, ascending.
    """

    def __init__(self, name: str, sample: SQLSample, sums: TargetSums, bins: Sequence[CountedBin]) -> None:
        self.name, self.sums, self.bins = name, sums, bins
        self.column = sample.table.stored[name]
        self._scored = dict[Any, BinScores]()
        self.lefts = _running(bins)
        """The sums up to each bin or value, in whole units."""
        self.whole = self.lefts[-1] if bins else (0,) * len(sums.each)
        self.unknown = minus(sample.total(), sums.counts(self.whole))
        if sample.target.weight(self.unknown) < 0 or (any(self.unknown) and not self.column.has_gaps):
            raise InputError(CHANGED)

    def weight(self, whole: Whole) -> int:
        """The weight of a row in whole units."""
        return whole[0] if self.sums.numbers else sum(whole)

    def scored(self, measure: str, least: int) -> BinScores:
        """The scores of the cuts, and the bounds of the bins.

        Args:
            measure: the measure.
            least: the least weight of a side.
        """
        key = measure, least
        if key not in self._scored:
            self._scored[key] = self._score(MEASURES[measure], least)
        return self._scored[key]

    def _score(self, measure: CutMeasure, least: int) -> BinScores:
        scores, bounds = measure.scored(self.bins, self.whole)
        weights, n = [self.weight(left) for left in self.lefts], self.weight(self.whole)
        allowed = [
            (at, score)
            for at, (score, weight) in enumerate(zip(scores[:-1], weights, strict=False))
            if least <= weight <= n - least
        ]
        inside = [
            (one, math.inf if EVERY else bound)
            for one, bound, start, end in zip(self.bins, bounds, [0, *weights], weights, strict=False)
            if one.size and end >= least and n - start >= least
        ]
        return BinScores(allowed, inside)

    def around(self, at: int) -> tuple[Any, Any] | None:
        """The cells between which a cut lies, if they are known."""
        low, high = self.bins[at : at + 2]
        return None if low.size or high.size else (low.value, high.value)

    def cut(self, at: int) -> Iterator[Cut]:
        """The cut behind a value; none if it is not known between which values it lies."""
        if at + 1 < len(self.bins) and (cells := self.around(at)):
            low, high = map(self.column.value, cells)
            left = self.lefts[at]
            rows = self.sums.counts(left), self.sums.counts(tuple(map(sub, self.whole, left)))
            test = Threshold(self.name, midpoint(low, high), (low, high))
            yield Cut(test, Partition(test.outcomes, rows, self.unknown))

    def zoomed(self, found: Mapping[int, Sequence[CountedBin]]) -> None:
        """Put what was found in the place of some bins.

        Args:
            found: by the number of a bin, what it consists of.

        Raises:
            InputError: it has other counts than the bin.
        """
        bins = list[CountedBin]()
        for one in self.bins:
            inside = found.get(one.number, ()) if one.size else ()
            if inside and tuple(map(sum, zip(*(each.sums for each in inside), strict=True))) != tuple(one.sums):
                raise InputError(CHANGED)
            bins += inside or [one]
        self.bins, self.lefts = bins, _running(bins)
        self._scored.clear()


def _running(bins: Sequence[CountedBin]) -> list[Whole]:
    return list(accumulate((one.sums for one in bins), lambda a, b: tuple(map(add, a, b))))


class BinScores(NamedTuple):
    """The scores of a column."""

    scores: Sequence[tuple[int, float]]
    """Of the cuts that may be made; each is behind a bin or a value."""
    bounds: Sequence[tuple[CountedBin, float]]
    """Of each bin that is no value."""


def binned(samples: Sequence[SQLSample], names: Sequence[str]) -> list[dict[str, BinnedColumn]]:
    """Some columns of some samples by bins; they are asked for once."""
    found: list[dict[str, BinnedColumn]] = [{} for _ in samples]
    for some in abreast(names, samples[0].table.database.engine):
        key = ("bins", *some)
        if without := [sample for sample in samples if key not in sample.answers]:
            for sample, columns in zip(without, _binned(without, some), strict=True):
                sample.answers[key] = columns
        for of, sample in zip(found, samples, strict=True):
            of |= sample.answers[key]
    return found


def _binned(samples: Sequence[SQLSample], names: Sequence[str]) -> list[dict[str, BinnedColumn]]:
    """The query for the bins: GROUP BY node, column and bin, packed into one number."""
    table, count, size = samples[0].table, len(names), max(SIZES)
    sums = sums_of(table, samples[0].target)
    assert sums is not None, "not_binned says so"
    columns = [(_bin(table, name), f"b{place}") for place, name in enumerate(names)]
    keys = [f"(node * {count} + {at}) * {STRIDE} + {_down(name, size)}" for at, (_, name) in enumerate(columns)]
    packed = keys[0] if count == 1 else table.database.engine.stacked.format(count, ", ".join(keys))
    groups: list[list[CountedBin]] = [[] for _ in range(len(samples) * count)]
    if any(sample.parts for sample in samples):
        wanted = ", ".join([f"{packed} AS k", *_carried(sums)])
        rows = f"(SELECT {wanted} FROM " + _rows(samples, columns, sums) + ") AS keys"
        for key, *row in table.asked(f"SELECT k, {_added(sums)} FROM " + rows + " WHERE k IS NOT NULL GROUP BY k"):
            at, number = divmod(int(key), STRIDE)
            groups[at].append(_read(sums, number, size, None, row))
    by_number = attrgetter("number")
    return [
        {
            name: BinnedColumn(name, sample, sums, sorted(groups[at * count + place], key=by_number))
            for place, name in enumerate(names)
        }
        for at, sample in enumerate(samples)
    ]


def _carried(sums: TargetSums) -> list[str]:
    """What a row has beside its bins: what it adds to each column of the target, and ŷ."""
    return [*(f"c{place}" for place in range(len(sums.each))), *(["y"] if sums.numbers else [])]


def _added(sums: TargetSums) -> str:
    """What is asked of a group."""
    each = [f"CAST(SUM(c{place}) AS {sums.type})" for place in range(len(sums.each))]
    return ", ".join([*each, *(("MIN(y)", "MAX(y)") if sums.numbers else ())])


def _read(sums: TargetSums, number: int, size: int, value: object, row: Sequence[Any]) -> CountedBin:
    """A bin, or a value, of what came back."""
    each = len(sums.each)
    return CountedBin(number, size, value, tuple(map(int, row[:each])), *map(int, row[each:]))


Wanted: TypeAlias = tuple[int, BinnedColumn, Sequence[CountedBin]]
"""The number of a sample, one of its columns, and some of the bins of it."""


def zoom(samples: Sequence[SQLSample], wanted: Sequence[Wanted]) -> None:
    """Count the rows of some bins by smaller bins; those of few rows by value."""
    table, by_name, rows = samples[0].table, dict[str, list[Wanted]](), 0
    for at, column, bins in wanted:
        by_name.setdefault(column.name, []).append((at, column, bins))
        rows += sum(column.weight(one.sums) for one in bins) // column.sums.weights.scale
    few = FEW if rows > TOGETHER else TOGETHER
    for some in abreast(list(by_name), table.database.engine):
        queries = {name: _zoom(samples, name, by_name[name], few) for name in some}
        for name, found in table.database.together(queries).items():
            inside = {(at, one.number): list[CountedBin]() for at, _, bins in by_name[name] for one in bins}
            within = {at: column for at, column, _ in by_name[name]}
            for at, number, smaller, size, value, *row in found:
                inside[at, number].append(_read(within[at].sums, smaller, size, value, row))
            for at, column, bins in by_name[name]:
                column.zoomed({one.number: sorted(inside[at, one.number], key=_order) for one in bins})


def _order(one: CountedBin) -> tuple[int, Any]:
    """Bins are in the order of their numbers, and the values of a bin in their own."""
    return one.number, one.value


def _zoom(samples: Sequence[SQLSample], name: str, wanted: Sequence[Wanted], few: int) -> Asked:
    """The query for what some bins of a column consist of: GROUP BY node, bin, and smaller bin or value."""
    sums, table, keys = wanted[0][1].sums, samples[0].table, dict[tuple[int, int], list[str]]()
    for at, column, bins in wanted:
        for one in bins:
            finer = SIZES[one.size] if column.weight(one.sums) > few * sums.weights.scale else 0
            keys.setdefault((one.size, finer), []).append(str(at * STRIDE + one.number))
    columns = [(_bin(table, name), "bin"), (Asked(table.stored[name].sql), "v")]
    rows, pieces = _rows(samples, columns, sums), list[Asked]()
    for (size, finer), some in keys.items():  # a list of its own each: an engine looks it up by a table of hashes
        number = _down("bin", size)
        smaller, value, by = "0", "v", "v"
        if finer:  # no value, of the type of the values
            smaller = by = _down("bin", finer)
            value = "MIN(CASE WHEN 1 = 0 THEN v END)"
        names = f"node, {number} AS of_bin, {smaller} AS smaller, {finer} AS units, {value} AS v"
        where = f" WHERE node * {STRIDE} + {number} IN ({', '.join(some)})"
        pieces.append(f"SELECT {names}, {_added(sums)} FROM " + rows + f"{where} GROUP BY node, {number}, {by}")
    return joined(" UNION ALL ", pieces)


def _down(number: str, unit: int) -> str:
    """A whole number that is not negative, rounded down to a multiple of a unit."""
    return f"({number} - {number} % {unit})"


def _bin(table: StoredTable, name: str) -> Asked:
    """The bin of a row."""
    column = table.stored[name]
    return Asked(column.bin or bin_of(column, table.database.engine))


def bin_of(column: StoredColumn, engine: Engine) -> str:
    """The bin of a cell; NULL for none."""
    cell = f"CAST({column.sql} AS {engine.double})"
    return f"CASE WHEN {cell} IS NULL THEN NULL ELSE {column.bins(cell, BINS, engine)} END"


def _rows(samples: Sequence[SQLSample], columns: Sequence[tuple[Asked, str]], sums: TargetSums) -> Asked:
    """The rows of some samples as a subquery: the number of the sample, `node`, columns, and what is `_carried`."""
    parts = [part for sample in samples for part in sample.parts]
    owners = [at for at, sample in enumerate(samples) for _ in sample.parts]
    node = f"CASE part {' '.join(f'WHEN {part} THEN {at}' for part, at in enumerate(owners))} END"
    if owners == list(range(len(owners))):
        node = "part"
    held = [Asked(name) for _, name in columns] + ([Asked("y")] if sums.numbers else [])
    each = [one + f" AS c{place}" for place, one in enumerate(sums.each)]
    wanted = joined(", ", [Asked(f"CAST({node} AS BIGINT) AS node"), *held, *each])  # keys are long
    rows = cells(samples[0].table, parts, [*columns, *sums.columns])
    return "(SELECT " + wanted + " FROM " + rows + " WHERE part IS NOT NULL) AS nodes"


# The search.


class Pool:
    """Columns of a sample that have a value in the same rows: the best cut of one leaves out bins of the others.

    Args:
        at: the number of the sample.
        columns: the columns.
        search: the conditions of the search.
    """

    def __init__(self, at: int, columns: Sequence[BinnedColumn], search: CutSearch) -> None:
        self.at, self.columns, self.measure = at, columns, search.measure
        self.least = max(1, math.ceil(Fraction(search.minimum) * columns[0].sums.weights.scale))
        self._without = set[tuple[str, Any]]()

    def leave_out(self) -> None:
        """Leave out the near cuts from now on."""
        self._without |= {(column.name, column.around(at)) for column, at in [*self._of_near()]}

    def _scored(self) -> Iterator[tuple[BinnedColumn, Sequence[tuple[int, float]]]]:
        """The scores of the cuts of each column that may be made, and are not left out."""
        for column in self.columns:
            scores = column.scored(self.measure, self.least).scores
            left_out = {cells for name, cells in self._without if name == column.name}
            yield column, [one for one in scores if column.around(one[0]) not in left_out] if left_out else scores

    def _near(self) -> float:
        """The score from which on a cut can be the best."""
        most = max((score for _, scores in self._scored() for _, score in scores), default=-math.inf)
        whole = self.columns[0].whole
        return most if math.isinf(most) else most - MEASURES[self.measure].reach(whole, most)

    def wanted(self) -> Iterator[Wanted]:
        """The bins in which a cut can be the best."""
        near = self._near()
        for column in self.columns:
            bounds = column.scored(self.measure, self.least).bounds
            if bins := [one for one, bound in bounds if bound >= near]:
                yield self.at, column, bins

    def _of_near(self) -> Iterator[tuple[BinnedColumn, int]]:
        near = self._near()
        return ((column, at) for column, scores in self._scored() for at, score in scores if score >= near)

    def near(self) -> Iterator[Cut]:
        """The cuts that can be the best, once no bin is wanted."""
        return (cut for column, at in self._of_near() for cut in column.cut(at))


def _near_of_all(
    names: Sequence[str], search: CutSearch, samples: Sequence[SQLSample], *, beside: bool
) -> list[list[Cut]]:
    """The near cuts of some columns in some samples, or those that are near the best beside them."""
    pools = list[Pool]()
    for at, columns in enumerate(binned(samples, names)):
        alike = dict[Whole, list[BinnedColumn]]()
        for column in columns.values():
            alike.setdefault(tuple(column.whole), []).append(column)
        pools += [Pool(at, some, search) for some in alike.values()]
    for leaves_out in (False, True)[: 1 + beside]:
        for pool in pools if leaves_out else ():
            pool.leave_out()
        while wanted := [one for pool in pools for one in pool.wanted()]:
            zoom(samples, wanted)
    found: list[list[Cut]] = [[] for _ in samples]
    for pool in pools:
        sample = samples[pool.at]
        for cut in pool.near():
            found[pool.at].append(cut)
            if sample.table.is_kept:  # so that the totals of its branches are not asked
                sample.answers[cut.test] = cut.table
    return found


__all__ = ["binned_cuts", "not_binned"]
