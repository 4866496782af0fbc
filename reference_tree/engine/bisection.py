"""Bisection: the cuts of continuous attributes that can be the best, found by estimates.

1. `places` finds the cuts that may be made: where the value changes, far enough, and with enough weight on both sides.
2. `boundaries` keeps the cuts at which the class changes: no other cut is better than all of these.
3. `scanned` estimates the score of each (`scans`, `square_scans`).
4. `promising_cuts` keeps the cuts that can still be the best of all attributes: nearly always a single one. Only these
   are counted exactly.

*Boundary points.* If a cut has only rows of one class next to it on both sides, one of its neighbours is better: as
rows of that class move over it, the gain is a convex function of their number, strictly so unless all rows are of that
class, and such a function is never largest in the middle. So the cut is left out if both neighbours may be made.

Source:
    [FayyadIrani1992 §2]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, chain, compress, count, islice, pairwise
from math import ceil
from operator import add, mul, ne, sub
from typing import Any, NamedTuple

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Sample
from reference_tree.data.targets import Classes, Moments, Values
from reference_tree.engine import scans, square_scans
from reference_tree.engine.integer_columns import SortedRun, multiples, taker
from reference_tree.engine.scans import Estimates
from reference_tree.engine.store import Store
from reference_tree.exact.rationals import Rational
from reference_tree.splitting import continuous_bisection
from reference_tree.splitting.continuous_bisection import Cut, CutSearch, midpoint
from reference_tree.twins import fast_form_of

CLASSES = ("gain", "gini_decrease")
"""Strictly concave measures, whose best cuts are boundary points."""
MISTAKES = "misclassification_decrease"
NUMBERS = ("variance_reduction", "sample_variance_reduction")
ABSOLUTE = "absolute_error_reduction"
ESTIMATED = frozenset({*CLASSES, MISTAKES, *NUMBERS, ABSOLUTE})
"""The measures that have estimates. Cuts are judged by any other as the book does it."""


class EstimatedCuts(NamedTuple):
    """The cuts of some attributes that were estimated."""

    run: SortedRun
    """The rows of the sample, sorted by each of these attributes."""
    flags: bytes
    """For each place behind one of these rows, 1 if there is a cut that was estimated, else 0."""
    estimates: Estimates
    most: Any
    """The largest estimate."""

    @property
    def least(self) -> Fraction:
        """A lower bound of the score of the best cut."""
        return Fraction(self.most - self.estimates.slack) * self.estimates.unit

    @property
    def first(self) -> int:
        """The place of the first cut with the largest estimate."""
        return next(islice(compress(count(1), self.flags), self.estimates.values.index(self.most), None))

    def near(self, least: Fraction | None = None) -> list[int]:
        """The places of the cuts whose score may reach `least`, or if that is None, the best score of these cuts."""
        values, slack, unit, *_ = self.estimates
        if least is None:
            floor, first = self.most - 2 * slack, values.index(self.most)
            if max([*values[:first], *values[first + 1 :]], default=floor - 1) < floor:  # nearly always
                return [self.first]
        elif (exactly := least / unit - Fraction(slack)) > self.most:
            return []
        else:
            floor = type(slack)(exactly // 1 if isinstance(slack, int) else exactly)
        return [place for place, value in zip(compress(count(1), self.flags), values, strict=True) if value >= floor]

    def located(self) -> Iterator[tuple[str, Located]]:
        """Each attribute that has a cut here, with its place among the attributes and its estimates."""
        n, last = self.run.size, 0
        for at, name in enumerate(self.run.names):
            first, last = last, last + self.flags.count(1, at * n, (at + 1) * n)
            if first < last:
                yield name, Located(self, at, slice(first, last))


class Located(NamedTuple):
    """The cuts of one attribute among those of several."""

    among: EstimatedCuts
    at: int
    """The place of the attribute."""
    mine: slice
    """Its estimates."""

    @property
    def alone(self) -> EstimatedCuts:
        """The cuts of this attribute alone."""
        run, n, estimates = self.among.run, self.among.run.size, self.among.estimates
        if len(run.names) == 1:
            return self.among
        here = slice(self.at * n, (self.at + 1) * n)
        values, tops = estimates.values[self.mine], estimates.tops and estimates.tops[self.mine]
        return EstimatedCuts(
            run.at(self.at), self.among.flags[here], estimates._replace(values=values, tops=tops), max(values)
        )


# Cuts that may be made.


def places(sample: Store, run: SortedRun, minimum: Rational = 0, gap: Rational = 0) -> bytes:
    """For each place behind a row, 1 if a cut may be made there, else 0.

    Args:
        sample: the rows at the node.
        run: the same rows, sorted by some attributes.
        minimum: the least weight of a side.
        gap: no cut is made between two values that lie no further apart than this.
    """
    n = run.size
    between = (b"\1" * (n - 1) + b"\0") * len(run.names)
    flags = between if run.ranks is None else _both(between, bytes(map(ne, run.ranks[1:], run.ranks)) + b"\0")
    for at, name in enumerate(run.names if gap else ()):
        rows = run.rows[at * n : (at + 1) * n]
        reach, close = sample.columns.reach(name, gap)
        if not close.isdisjoint(rows):
            codes, apart = sample.columns.codes[name], bytearray(flags)
            for place, (row, after) in enumerate(pairwise(rows), at * n):
                if row in close and codes[after] <= reach[codes[row]]:
                    apart[place] = 0
            flags = bytes(apart)
    if minimum <= sample.unit:  # no row weighs less
        return flags
    return _both(flags, _large_enough(sample, run, minimum))


def _known_places(sample: Store, run: SortedRun, minimum: Rational, gap: Rational) -> bytes:
    """The result of `places`, computed once."""
    known: bytes = sample.once((run.names[0], minimum, gap), lambda: places(sample, run, minimum, gap))
    return known


def _but(
    sample: Store, run: SortedRun, flags: bytes, without: Collection[tuple[str, tuple[Rational, Rational]]]
) -> bytes:
    """The search without some cuts."""
    left = bytearray(flags)
    for name, (low, _) in without:
        if name in run.names:
            codes, at = sample.columns.codes[name], run.names.index(name) * run.size
            highest = bisect_right(sample.columns.domain(name), low) - 1
            left[bisect_right(run.rows, highest, at, at + run.size, key=codes.__getitem__) - 1] = 0
    return bytes(left)


def _large_enough(sample: Store, run: SortedRun, minimum: Rational) -> bytes:
    """For each place, 1 if there is enough weight on both sides, else 0."""
    n, rows, weights, least = run.size, run.rows, sample.weights, ceil(Fraction(minimum) / sample.unit)
    found = b""
    for at in range(0, len(rows), n or 1):
        few = few_above = min(least - 1, n)
        if weights is not None:  # the number of rows, from either end, that together weigh too little
            few = _too_few((weights[rows[place]] for place in range(at, at + n)), least, n)
            few_above = _too_few((weights[rows[place]] for place in range(at + n - 1, at - 1, -1)), least, n)
        found += (bytes(few) + b"\1" * (n - 1 - few - few_above) + bytes(few_above + 1))[:n]
    return found


def _too_few(weights: Iterable[Rational], least: int, n: int) -> int:
    """The largest number of leading weights, of n, whose sum stays below `least`."""
    return next((few for few, weight in enumerate(accumulate(weights)) if weight >= least), n)


def _both(some: bytes, others: bytes) -> bytes:
    """1 where both have a 1, else 0: one operation on long integers, with a byte for each place."""
    return (int.from_bytes(some, "big") & int.from_bytes(others, "big")).to_bytes(len(some), "big")


def boundaries(labels: Sequence[int], cuts: bytes, n: int) -> bytes:
    """The cuts at which the class changes, and those next to a place without a cut.

    If a sample is of one class, all cuts are equal, and all are kept.

    Args:
        labels: the class of each row, sorted by one attribute after the other.
        cuts: for each place behind a row, 1 if there is a cut, else 0.
        n: how many rows each attribute has.

    Source:
        [FayyadIrani1992 §2]
    """
    changed, size = _changes(labels), len(cuts)
    if 1 not in changed:
        return cuts
    # One operation on long integers, with a byte for each place. A cut is kept if the class changes there, or if there
    # is no cut at the place before (several rows share the value below, or too few would be left) or at the place
    # after. The ends of an attribute count as cuts.
    here = int.from_bytes(cuts, "big")
    ends = here | int.from_bytes((bytes(n - 1) + b"\1") * (size // n), "big")
    both = (ends >> 8 | 1 << 8 * (size - 1)) & ends << 8
    found = here & (int.from_bytes(changed, "big") | ~both)
    return found.to_bytes(size, "big")


def _changes(labels: Sequence[int]) -> bytes:
    """For each row, 1 if the class of the next row differs, else 0; 0 for the last row."""
    if not isinstance(labels, bytes):
        return bytes(map(ne, labels[1:], labels)) + b"\0"
    # The byte string, as one long integer, is compared with itself shifted by one place: one operation for all rows.
    whole = int.from_bytes(labels, "big")
    return (whole ^ whole >> 8).to_bytes(len(labels), "big")[1:].translate(_TRUTH) + b"\0"


_TRUTH = bytes([0]) + bytes([1]) * 255
# For `bytes.translate`: 0 stays 0, and all others become 1.


# Estimates of the scores.


def scanned(
    sample: Store,
    measure: str,
    minimum: Rational = 0,
    gap: Rational = 0,
    every: bool = False,
    class_weights: Sequence[int] | None = None,
    without: Collection[tuple[str, tuple[Rational, Rational]]] = (),
) -> list[EstimatedCuts]:
    """The cuts of all continuous attributes with their estimates, without runs in which no cut may be made.

    Args:
        sample: the rows at the node.
        measure: the name of a measure of `CLASSES` or `NUMBERS`, `MISTAKES`, or `absolute_error_reduction`.
        minimum: as for `places`.
        gap: as for `places`.
        every: whether every cut is estimated, and not only those that can be the best.
        class_weights: the factor of each class column.
        without: as for `CutSearch`.
    """
    options = measure, minimum, gap, every, class_weights, without
    found = [_scanned_run(sample, run, *options) for run in sample.runs]
    return [cuts for cuts in found if cuts is not None]


# Each run is scanned alone: where values are missing, an attribute may have a run and a minimum of its own.
def _scanned_run(
    sample: Store,
    run: SortedRun,
    measure: str,
    minimum: Rational,
    gap: Rational,
    every: bool,
    class_weights: Sequence[int] | None,
    without: Collection[tuple[str, tuple[Rational, Rational]]],
) -> EstimatedCuts | None:
    """The cuts of a run with their estimates, computed once; None if no cut may be made."""

    def find() -> EstimatedCuts | None:
        flags = _but(sample, run, _known_places(sample, run, minimum, gap), without)
        return scan(sample, run, flags, measure, every, class_weights) if 1 in flags else None

    key = run.names[0], measure, minimum, gap, every, class_weights, without
    known: EstimatedCuts | None = sample.once(key, find)
    return known


def options_of(search: CutSearch) -> tuple[Any, ...]:
    """The options of `scanned` for a search, all of them: one search has one key, so its cuts are scanned once."""
    return (*search[:3], bool(search.slack or search.without), search.class_weights, search.without)


def scanned_each(sample: Store, search: CutSearch) -> Mapping[str, Located]:
    """For each attribute in which a cut may be made, its cuts with their estimates."""
    options = options_of(search)

    def locate() -> dict[str, Located]:
        return dict(chain.from_iterable(one.located() for one in scanned(sample, *options)))

    known: Mapping[str, Located] = sample.once(("each", *options), locate)
    return known


def _scanned_alone(sample: Store, name: str, search: CutSearch) -> EstimatedCuts | None:
    """The cuts of one attribute with their estimates; None if no cut may be made."""
    run, _ = sample.runs_of[name]
    if len(run.names) > 1:
        located = scanned_each(sample, search).get(name)
        return located.alone if located else None
    return _scanned_run(sample, run, *options_of(search))


def scan(
    sample: Store,
    run: SortedRun,
    flags: bytes,
    measure: str,
    every: bool = False,
    class_weights: Sequence[int] | None = None,
) -> EstimatedCuts:
    """Some cuts with their estimates.

    Args:
        sample: the rows at the node.
        run: the same rows, sorted by some attributes.
        flags: for each place behind a row, 1 if there is a cut, else 0; at least one is 1.
        measure: as for `scanned`.
        every: as for `scanned`.
        class_weights: as for `scanned`.
    """
    if isinstance(sample.target, Classes):
        cells = sample.cells(run.rows)
        flags = boundaries(cells, flags, run.size) if measure in CLASSES and not every else flags
        estimates = _of_classes(sample, run, cells, flags, measure, class_weights)
    else:
        estimates = _of_numbers(sample, run, flags, measure)
    return EstimatedCuts(run, flags, estimates, max(estimates.values))


def _of_classes(
    sample: Store,
    run: SortedRun,
    cells: Sequence[int],
    flags: bytes,
    measure: str,
    class_weights: Sequence[int] | None,
) -> Estimates:
    n = run.size
    if measure == MISTAKES:
        return scans.mistakes(cells, _weighed(cells, sample.multiples(run.rows), class_weights), flags, n)
    short, shift = sample.short_weights
    weights = None if short is None else list(map(short.__getitem__, run.rows))
    if class_weights is not None:
        weights = _weighed(cells, weights, class_weights)
    if weights is not None:
        weighed = scans.entropy_of_weights if measure == "gain" else square_scans.squares_of_class_weights
        found = weighed(cells, weights, flags, n, shift > 0)
        return found._replace(slack=found.slack * max(class_weights)) if class_weights else found
    alike = scans.entropy_of_classes if measure == "gain" else square_scans.squares_of_classes
    return alike(cells, flags, sample.counted.sums(cells[:n], None))


def _of_numbers(sample: Store, run: SortedRun, flags: bytes, measure: str) -> Estimates:
    n, rows = run.size, run.rows
    of_reduction = measure == "variance_reduction"
    if sample.weights is None and (of_reduction or (measure == "sample_variance_reduction" and sample.unit == 1)):
        # Subtracting a constant from every y changes no variance, and makes the squares short.
        steps, unit = square_scans.centred(sample.cells(rows[:n]))
        alike = square_scans.squares_of_numbers if of_reduction else square_scans.variances_of_numbers
        return alike(taker(rows)(dict(zip(rows, steps, strict=False))), flags, n, unit)
    cells = sample.cells(rows)
    if of_reduction:
        short, shift = sample.short_weights
        weights = [] if short is None else list(map(short.__getitem__, rows))
        return square_scans.squares_of_weighted_numbers(cells, weights, flags, n, shift > 0)
    if measure == "sample_variance_reduction":
        return square_scans.variances(cells, sample.multiples(rows), flags, sample.unit, n)
    assert isinstance(sample.target, Values)
    columns, places = sample.columns, sample.counted.places
    whole = columns.whole_values if sample.target is columns.values else multiples(sample.target.numbers)[0]
    whole = whole if places is None else list(map(whole.__getitem__, places[0]))
    return scans.deviations(cells, sample.multiples(rows), whole, flags, n)


def _weighed(
    cells: Sequence[int], weights: Sequence[int] | None, class_weights: Sequence[int] | None
) -> list[int] | None:
    """The weights of the rows, multiplied by those of their classes; None if every row weighs 1."""
    if class_weights is None:
        return None if weights is None else list(weights)
    each = map(class_weights.__getitem__, cells)
    return list(each) if weights is None else list(map(mul, weights, each))


# The fast forms.


@fast_form_of(continuous_bisection.number_of_cuts)
def number_of_cuts(sample: Sample, attribute: str, minimum: Rational = 0, gap: Rational = 0) -> int:
    """The number of cuts that may be made."""
    if not isinstance(sample, Store):
        return continuous_bisection.number_of_cuts.__wrapped__(sample, attribute, minimum, gap)  # type: ignore[attr-defined,no-any-return]
    run, at = sample.runs_of[attribute]
    n = run.size
    return _known_places(sample, run, minimum, gap).count(1, at * n, (at + 1) * n)


@fast_form_of(continuous_bisection.promising_cuts)
def promising_cuts(sample: Sample, attributes: Sequence[str], search: CutSearch) -> list[Cut]:
    """The cuts of some attributes that can be the best of all."""
    slack, ties = search.slack, search.ties
    if not isinstance(sample, Store) or not _can_judge(sample, search.measure):
        textbook = continuous_bisection.promising_cuts.__wrapped__  # type: ignore[attr-defined]
        return textbook(sample, attributes, search)  # type: ignore[no-any-return]
    if 1 < len(attributes) == len(sample.runs_of):
        found = scanned(sample, *options_of(search))
    else:
        each = [_scanned_alone(sample, name, search) for name in attributes]
        found = [cuts for cuts in each if cuts is not None]
    least = max([one.least for one in found]) if len(found) > 1 else None
    if least is None and not ties and not slack:  # there is no other run to compare with
        near = [first_of(sample, one) for one in found]
    else:
        near = [_within(sample, one, slack) if slack else one.near(least) for one in found]
    cuts = [cut for one, at in zip(found, near, strict=True) if at for cut in _cuts_at(sample, one, at, ties)]
    return cuts if len(found) < 2 else sorted(cuts, key=lambda cut: attributes.index(cut.test.attribute))


@fast_form_of(continuous_bisection.values_around)
def values_around(sample: Sample, test: Threshold) -> tuple[Rational | None, Rational | None]:
    """The values of a sample next to a threshold, found by their ranks; None on a side where there is none."""
    if not isinstance(sample, Store) or test.attribute not in sample.schema.numbers:
        textbook = continuous_bisection.values_around.__wrapped__  # type: ignore[attr-defined]
        return textbook(sample, test)  # type: ignore[no-any-return]
    numbers, cut = sample.columns.domain(test.attribute), sample.columns.cut(test)
    ranks = {*sample.take(sample.columns.codes[test.attribute])} - {len(numbers)}
    below = max((rank for rank in ranks if rank < cut), default=None)
    above = min((rank for rank in ranks if rank >= cut), default=None)
    return None if below is None else numbers[below], None if above is None else numbers[above]


def first_of(sample: Store, one: EstimatedCuts) -> list[int]:
    """The place of the first of the best cuts of a run, if it is known; otherwise all places where it may be."""
    if not one.estimates.slack:
        return [one.first]
    if len(near := one.near()) < 2:
        return near
    n = one.run.size
    if not one.estimates.squares:  # cuts whose sides have the same counts have the same score
        whole = sample.count(one.run.rows[:n])
        alike = {frozenset((tuple(left), tuple(map(sub, whole, left)))) for left in _lefts(sample, one.run, near)}
        return near[:1] if len(alike) == 1 else near
    found, most, over = near[0], -1, 1
    for place, top in zip(near, _tops(sample, one, near), strict=True):
        bottom = (size := (place - 1) % n + 1) * (n - size)
        if top * over > most * bottom:
            found, most, over = place, top, bottom
    return [found]


def _lefts(sample: Store, run: SortedRun, at: Sequence[int]) -> Iterator[list[int]]:
    """The counts of the rows below some cuts, whose places ascend; each row is counted once for each attribute."""
    n, behind, left = run.size, 0, list[int]()
    for place in at:
        first = (place - 1) // n * n
        more = sample.count(run.rows[max(first, behind) : place])
        if first < behind:
            more = sample.count_from(partial(map, add, left, more), run.rows[first:place])
        left, behind = more, place
        yield left


def _tops(sample: Store, one: EstimatedCuts, near: Sequence[int]) -> Iterable[int]:
    """The sum of (n·l - k·c)² at some places, exactly; see `Estimates`."""
    if one.estimates.tops:
        top_at = dict(zip(compress(count(1), one.flags), one.estimates.tops, strict=False))
        return map(top_at.__getitem__, near)
    n, rows = one.run.size, one.run.rows[: one.run.size]
    which = max(map(sample.counted.of.__getitem__, rows)) if isinstance(sample.target, Classes) else 1
    whole = sample.count(rows)[which]  # the two squares of two classes are equal; for numbers the column is Σ y
    lefts = zip(near, _lefts(sample, one.run, near), strict=True)
    return ((n * left[which] - ((place - 1) % n + 1) * whole) ** 2 for place, left in lefts)


def _can_judge(sample: Store, measure: str) -> bool:
    if isinstance(sample.target, Classes):
        return measure in (*CLASSES, MISTAKES)
    if isinstance(sample.target, Values):
        return measure == ABSOLUTE
    return isinstance(sample.target, Moments) and measure in NUMBERS


def _within(sample: Store, one: EstimatedCuts, slack: Rational) -> list[int]:
    """The places at which a walk can end if a cut replaces the kept one only when it is better by more than a slack.

    The cuts are taken from the best one down, as long as each is within the slack of the one before, allowing for the
    error of the estimates. Every other cut is worse than all of these by more than the slack. So the walk takes the
    first of these cuts that it meets, whatever was kept before it, and takes none of the other cuts after that.
    """
    values, off, unit, *_ = one.estimates
    short, _ = sample.short_weights
    weight = (sum(map(short.__getitem__, sample.rows)) if short else 0) + len(sample.rows)  # at least
    step = 2 * off + ceil(slack * weight / unit)
    floor, lower = max(values) + 1, max(values)
    while lower < floor:
        floor = lower
        lower = min(value for value in values if value >= floor - step)
    return [place for place, value in zip(compress(count(1), one.flags), values, strict=True) if value >= floor]


def _cuts_at(sample: Store, one: EstimatedCuts, at: Sequence[int], ties: bool) -> Iterator[Cut]:
    """The cuts at some places, ascending, with their partitions; without ties only the first of equal partitions."""
    run, n, rows, unknown = one.run, one.run.size, one.run.rows, sample.unknown(one.run)
    known = sample.count_from(partial(map, sub, sample.whole, unknown), rows[:n])
    seen: set[frozenset[tuple[int, ...]]] = set()
    for place, left in zip(at, _lefts(sample, run, at), strict=True):
        right = sample.count_from(partial(map, sub, known, left), rows[place : place + n - (place % n or n)])
        if not ties and len(at) > 1:
            sides = frozenset((tuple(left), tuple(right)))
            if sides in seen:
                continue
            seen.add(sides)
        name = run.names[(place - 1) // n]
        codes, numbers = sample.columns.codes[name], sample.columns.domain(name)
        low, high = numbers[codes[rows[place - 1]]], numbers[codes[rows[place]]]
        test = Threshold(name, midpoint(low, high), (low, high))
        yield Cut(test, sample.table(test, (left, right), unknown))
