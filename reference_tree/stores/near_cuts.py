"""Near cuts: the cuts of a continuous attribute that can be the best, by bins once, and then a zoom.

1. Of all nodes of a level the database counts the rows by *bin*: a whole number that rises with the values
   (`StoredColumn.bins`). The running sums of the counts are the cuts between two bins.
2. A bin is left out if no cut within it, nor at its ends, can be as good as the best of these (`bounds`). Equal stays.
3. *Zoom*: the rows of the bins that are left are counted by value, again in one query for all nodes.

Bins decide what is asked, and never what is answered: with `EVERY` all are zoomed into, and the answers are the same.
Scores are computed here, in doubles of a proven error; whatever is nearer to the best comes back with exact counts, and
the learner compares it exactly. Where the cuts of several attributes are wanted, and they have the same rows, the best
of all leaves out bins of each. *Beside the near cuts* the next best are found among the same bins.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate
from operator import add, sub
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.targets import minus
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.continuous_bisection import (
    Cut,
    CutSearch,
    cuts_of_weight,
    lists_all,
    midpoint,
    number_of_cuts,
    promising_cuts,
    values_around,
)
from reference_tree.stores.bounds import MEASURES, Bin, CutMeasure, Whole
from reference_tree.stores.engines import Asked, abreast, joined
from reference_tree.stores.samples import CHANGED, SQLSample, StoredTable, TargetSums, branch_of, cells, sums_of
from reference_tree.twins import fast_form_of

EVERY = False
"""Whether every bin is zoomed into: for tests."""

LISTED = 1_000
"""Of an attribute with more cuts at a node, an explanation lists the best and the next best alone."""

STRIDE = 1 << 20
"""More than the number of any bin."""

SIZES = {128: 16, 16: 2, 2: 0}
"""How many numbers a bin has, and the smaller ones that it is zoomed into; 0 is a value."""

FEW, FEW_WHERE_DEAR = 16, 1_000
"""A bin of no more rows is zoomed into by value; the latter where a query is dear by itself."""


@fast_form_of(promising_cuts, of=SQLSample)
def near_cuts(sample: SQLSample, attributes: Sequence[str], search: CutSearch) -> list[Cut]:
    """The cuts of some attributes that can be the best of all; each attribute's, where one is asked for."""
    if not attributes or not_binned(sample, search):
        return promising_cuts.__wrapped__(sample, attributes, search)  # type: ignore[attr-defined,no-any-return]
    together, found = len(attributes) > 1, list[Cut]()
    names = tuple(attributes) if together else asked_with(sample, *attributes)
    for beside in (False, True)[: 1 + bool(search.without)]:
        key = ("near", names, together, search.measure, search.minimum, beside)
        of = sample.ask(key, partial(_near_of_all, names, search, together=together, beside=beside))
        found += [cut for name in attributes for cut in of[name]]
    place = {name: at for at, name in enumerate(attributes)}
    found = [cut for cut in found if (cut.test.attribute, cut.test.interval) not in search.without]
    return sorted(found, key=lambda cut: (place[cut.test.attribute], cut.test.threshold))


@fast_form_of(cuts_of_weight, of=SQLSample)
def near_weight(sample: SQLSample, attribute: str, low: Rational, high: Rational) -> list[Cut]:
    """The cuts whose lower side weighs as much as wanted."""
    if not adds_up(sample):
        return cuts_of_weight.__wrapped__(sample, attribute, low, high)  # type: ignore[attr-defined,no-any-return]
    column = binned([sample], [attribute])[0][attribute]
    least, most = (bound * column.sums.weights.scale for bound in (low, high))
    while True:
        weights = [column.weight(left) for left in column.lefts]
        sides = zip(column.bins, [0, *weights], weights, strict=False)
        near = [one for one, start, end in sides if one.size and end >= least and start <= most]
        if not near:
            break
        zoom([sample], [(0, column, near)])
    wanted = [at for at, left in enumerate(column.lefts) if least <= column.weight(left) <= most]
    return [cut for at in wanted for cut in column.cut(at)]


@fast_form_of(number_of_cuts, of=SQLSample)
def counted_cuts(sample: SQLSample, attribute: str, minimum: Rational = 0, gap: Rational = 0) -> int:
    """The number of cuts that may be made."""
    if minimum or gap:
        return number_of_cuts.__wrapped__(sample, attribute, minimum, gap)  # type: ignore[attr-defined,no-any-return]
    return sample.ask(("cuts", attribute), partial(_numbers_of_cuts, attribute=attribute))


@fast_form_of(lists_all, of=SQLSample)
def are_few(sample: SQLSample, attribute: str, search: CutSearch) -> bool:
    """Whether an explanation lists every cut of an attribute."""
    return bool(not_binned(sample, search)) or number_of_cuts(sample, attribute) <= LISTED


@fast_form_of(values_around, of=SQLSample)
def nearest_values(sample: SQLSample, test: Threshold) -> tuple[Rational | None, Rational | None]:
    """The values of a sample next to a threshold, below it and above it; None on a side where there is none."""
    table, column = sample.table, sample.table.stored[test.attribute]
    rows = cells(table, sample.parts, [(Asked(column.sql), "v"), (branch_of(table, test), "side")])
    sides = "SELECT MAX(CASE WHEN side = 0 THEN v END), MIN(CASE WHEN side = 1 THEN v END) FROM "
    ((low, high),) = table.asked(sides + rows + " WHERE part IS NOT NULL") if sample.parts else [(None, None)]
    return column.value(low), column.value(high)


def not_binned(sample: SQLSample, search: CutSearch) -> str:
    """Why cuts are counted value by value instead of by bins; nothing if they are not.

    Example:
        >>> import sqlite3
        >>> from reference_tree.stores.sql import sql
        >>> sample = sql(sqlite3.connect(":memory:"), "SELECT 1 AS size, 'no' AS y UNION SELECT 2, 'yes'").sample()
        >>> not_binned(sample, CutSearch("gain", gap=1)), not_binned(sample, CutSearch("gain"))
        ('a smallest gap', '')
    """
    reasons = {
        f"the measure {search.measure}": search.measure not in MEASURES,
        "a smallest gap": bool(search.gap),
        "weights of classes": search.class_weights is not None,
        "counts that the database cannot add up": not adds_up(sample),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def adds_up(sample: SQLSample) -> bool:
    """Whether the database adds up the counts of cuts: they are whole numbers, and no row is divided."""
    return all(part.share == 1 for part in sample.parts) and sums_of(sample.table, sample.target) is not None


def asked_with(sample: SQLSample, attribute: str) -> Sequence[str]:
    """The continuous attributes that are asked in one query with this one, itself included."""
    names = [one.name for one in sample.schema.attributes if one.values is None]
    return next(tuple(some) for some in abreast(names, sample.table.database.engine) if attribute in some)


def _numbers_of_cuts(samples: Sequence[SQLSample], attribute: str) -> list[int]:
    """The number of cuts of an attribute in some samples: one less than the number of its values."""
    column, found = samples[0].table.stored[attribute], [0] * len(samples)
    if any(sample.parts for sample in samples):
        rows = _rows(samples, [(Asked(column.sql), "v")])
        for at, values in samples[0].table.asked(
            "SELECT node, COUNT(DISTINCT v) FROM " + rows + " WHERE v IS NOT NULL GROUP BY node"
        ):
            found[at] = values - 1
    return found


# The bins of a column, and the values of those that were zoomed into.


class BinnedColumn:
    """The rows of a sample by the bins of a column; a bin that was zoomed into is replaced by its values.

    Args:
        name: the column.
        sample: the sample.
        sums: the sums of the target.
        bins: its bins, ascending.
    """

    def __init__(self, name: str, sample: SQLSample, sums: TargetSums, bins: Sequence[Bin]) -> None:
        self.name, self.sums, self.bins = name, sums, bins
        self.column, is_dear = sample.table.stored[name], bool(sample.table.database.engine.packed)
        self._few = (FEW_WHERE_DEAR if is_dear else FEW) * sums.weights.scale
        self._scored = dict[Any, Scored]()
        self.lefts = _running(bins)
        """The sums up to each bin or value, in whole units."""
        self.whole = self.lefts[-1] if bins else sums.nothing
        self.unknown = minus(sample.total(), sums.counts(self.whole))
        if min(self.unknown[: sums.size or 1]) < 0 or (any(self.unknown) and not self.column.has_gaps):
            raise InputError(CHANGED)

    def weight(self, whole: Whole) -> int:
        """The weight of a row in whole units."""
        return sum(whole) if self.sums.size else whole[0]

    def scored(self, measure: str, least: int) -> Scored:
        """The scores of the cuts, and the bounds of the bins.

        Args:
            measure: the measure.
            least: the least weight of a side.
        """
        key = measure, least
        if key not in self._scored:
            self._scored[key] = self._score(MEASURES[measure], least)
        return self._scored[key]

    def _score(self, measure: CutMeasure, least: int) -> Scored:
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
        return Scored(allowed, inside)

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

    def finer(self, one: Bin) -> int:
        """The size of what a bin is zoomed into."""
        return SIZES[one.size] if self.weight(one.sums) > self._few else 0

    def zoomed(self, found: Mapping[int, Sequence[Bin]]) -> None:
        """Put what was found in the place of some bins.

        Args:
            found: by the number of a bin, what it consists of.

        Raises:
            InputError: it has other counts than the bin.
        """
        bins = list[Bin]()
        for one in self.bins:
            inside = found.get(one.number, ()) if one.size else ()
            if inside and tuple(map(sum, zip(*(each.sums for each in inside), strict=True))) != tuple(one.sums):
                raise InputError(CHANGED)
            bins += inside or [one]
        self.bins, self.lefts = bins, _running(bins)
        self._scored.clear()


def _running(bins: Sequence[Bin]) -> list[Whole]:
    return list(accumulate((one.sums for one in bins), lambda a, b: tuple(map(add, a, b))))


class Scored(NamedTuple):
    """The scores of a column."""

    scores: Sequence[tuple[int, float]]
    """Of the cuts that may be made; each is behind a bin or a value."""
    bounds: Sequence[tuple[Bin, float]]
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
    """The query for the bins: GROUP BY node, column, bin, class, packed into one number."""
    table, target = samples[0].table, samples[0].target
    sums, count = sums_of(table, target), len(names)
    assert sums is not None, "not_binned says so"
    columns = [(_bin(table, name), f"b{place}") for place, name in enumerate(names)]
    engine, classes = table.database.engine, f"{sums.size or 1} + {sums.code}"
    numbers = [f"{STRIDE} + {engine.down(name, str(max(SIZES)))}" for _, name in columns]
    keys = [f"((node * {count} + {at}) * {one}) * {classes}" for at, one in enumerate(numbers)]
    packed = keys[0] if count == 1 else engine.stacked.format(count, ", ".join(keys))
    wanted = ", ".join([f"{packed} AS k", *(name for _, name in sums.columns)])
    groups: list[list[Any]] = [[] for _ in range(len(samples) * count)]
    if any(sample.parts for sample in samples):
        rows = f"(SELECT {wanted} FROM " + _rows(samples, [*columns, *sums.columns]) + ") AS keys"
        for key, *row in table.asked(f"SELECT k, {_added(sums)} FROM " + rows + " WHERE k IS NOT NULL GROUP BY k"):
            rest, code = divmod(int(key), sums.size or 1)
            at, number = divmod(rest, STRIDE)
            groups[at].append((number, None, code, row))
    return [
        {
            name: BinnedColumn(name, sample, sums, _together(sums, max(SIZES), groups[at * count + place]))
            for place, name in enumerate(names)
        }
        for at, sample in enumerate(samples)
    ]


def _added(sums: TargetSums) -> str:
    """What is asked of a group."""
    return ", ".join([*sums.each, *(() if sums.size else ("MIN(y)", "MAX(y)"))])


def _together(sums: TargetSums, size: int, groups: Sequence[tuple[int, object, int, Sequence[Any]]]) -> list[Bin]:
    """The bins, or the values, of some groups, ascending: those of several classes are one.

    Args:
        sums: the sums of the target.
        size: the numbers of a bin; 0 of a value.
        groups: the number of the bin, the value, the class, and what was added up.
    """
    found, each = dict[Any, Bin](), len(sums.each)
    for number, value, code, row in groups:
        key = number if size else value  # in SQLite, 1 and 1.0 are one value
        if (before := found.get(key)) is None:
            before = found[key] = Bin(number, size, value, list(sums.nothing), *map(int, row[each:]))
        for place, more in enumerate(row[:each], code):
            before.sums[place] += int(more)  # type: ignore[index]
    return [found[key] for key in sorted(found)]


Wanted: TypeAlias = tuple[int, BinnedColumn, Sequence[Bin]]
"""The number of a sample, one of its columns, and some of the bins of it."""


def zoom(samples: Sequence[SQLSample], wanted: Sequence[Wanted]) -> None:
    """Count the rows of some bins by smaller bins; those of few rows by value."""
    table, by_name = samples[0].table, dict[str, list[Wanted]]()
    for one in wanted:
        by_name.setdefault(one[1].name, []).append(one)
    for some in abreast(list(by_name), table.database.engine):
        queries = {name: _zoom(samples, name, by_name[name]) for name in some}
        for name, rows in table.database.together(queries).items():
            sums, groups = by_name[name][0][1].sums, dict[tuple[int, int], list[Any]]()
            within = {(at, one.number + size): one.number for at, _, bins in by_name[name] for one in bins
                      for size in range(0, one.size, 2)}  # fmt: skip
            for at, number, value, code, *row in rows:
                place = at, within[at, number - number % 2]
                groups.setdefault(place, []).append((number, value, int(code), row))
            for at, column, bins in by_name[name]:
                column.zoomed(
                    {one.number: _together(sums, column.finer(one), groups.get((at, one.number), [])) for one in bins}
                )


def _zoom(samples: Sequence[SQLSample], name: str, wanted: Sequence[Wanted]) -> Asked:
    """The query for what some bins of a column consist of: GROUP BY node, bin, value, class."""
    sums, table, keys = wanted[0][1].sums, samples[0].table, dict[tuple[int, int], list[str]]()
    for at, column, bins in wanted:
        for one in bins:
            keys.setdefault((one.size, column.finer(one)), []).append(str(at * STRIDE + one.number))
    columns = [(_bin(table, name), "bin"), (Asked(table.stored[name].sql), "v"), *sums.columns]
    rows, down, pieces = _rows(samples, columns), table.database.engine.down, list[Asked]()
    for (size, finer), some in keys.items():  # a list of its own each: an engine looks it up by a table of hashes
        number, groups = "bin", ["node", "bin", *(["y"] if sums.size else []), "v"]
        if finer:  # no value, of the type of the values
            number, groups = down("bin", str(finer)), [*groups[:-1]]
            groups[1] = number
        value = "MIN(CASE WHEN 1 = 0 THEN v END)" if finer else "v"
        asked = f"SELECT node, {number} AS bin, {value} AS v, {sums.code} AS code, {_added(sums)} FROM "
        where = f" WHERE node * {STRIDE} + {down('bin', str(size))} IN ({', '.join(some)}) AND {sums.code} IS NOT NULL"
        pieces.append(asked + rows + f"{where} GROUP BY {', '.join(groups)}")
    return joined(" UNION ALL ", pieces)


def _bin(table: StoredTable, name: str) -> Asked:
    """The bin of a row."""
    column = table.stored[name]
    return Asked(column.bin or column.bins(table.database.engine))


def _rows(samples: Sequence[SQLSample], columns: Sequence[tuple[Asked, str]]) -> Asked:
    """The rows of some samples as a subquery: the number of the sample, `node`, and other columns."""
    parts = [part for sample in samples for part in sample.parts]
    owners = [at for at, sample in enumerate(samples) for _ in sample.parts]
    node = f"CASE part {' '.join(f'WHEN {part} THEN {at}' for part, at in enumerate(owners))} END"
    if owners == list(range(len(owners))):
        node = "part"
    wanted = ", ".join([f"CAST({node} AS BIGINT) AS node", *(name for _, name in columns)])  # keys are long
    return f"(SELECT {wanted} FROM " + cells(samples[0].table, parts, columns) + " WHERE part IS NOT NULL) AS nodes"


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
    names: Sequence[str], search: CutSearch, samples: Sequence[SQLSample], *, together: bool, beside: bool
) -> list[dict[str, list[Cut]]]:
    """The near cuts of some columns in some samples, or those that are near the best beside them."""
    pools = list[Pool]()
    for at, columns in enumerate(binned(samples, names)):
        alike = dict[Any, list[BinnedColumn]]()
        for name, column in columns.items():
            alike.setdefault(tuple(column.whole) if together else name, []).append(column)
        pools += [Pool(at, some, search) for some in alike.values()]
    for leaves_out in (False, True)[: 1 + beside]:
        for pool in pools if leaves_out else ():
            pool.leave_out()
        while wanted := [one for pool in pools for one in pool.wanted()]:
            zoom(samples, wanted)
    found: list[dict[str, list[Cut]]] = [{name: [] for name in names} for _ in samples]
    for pool in pools:
        sample = samples[pool.at]
        for cut in pool.near():
            found[pool.at][cut.test.attribute].append(cut)
            if sample.table.is_kept:
                sample.answers[cut.test] = cut.table
    return found


__all__ = ["adds_up", "near_cuts", "not_binned"]
