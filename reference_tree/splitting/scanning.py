"""Scanning: the best cuts of continuous attributes, found in one pass over the rows in their order.

This is the fast twin of `continuous_bisection`, which counts the whole sample again for each cut. It gives the same
cuts and the same winners:

1. `scanned_cuts` has every cut with its sample partition, counted from the last one on.
2. `finalists` judges every cut of an attribute by a whole-number estimate (`judging`) and keeps those that can still be
   the best: nearly always a single one. `leaders` does so for all attributes of a sample together.
3. `best_cuts` compares what is left exactly.

Source:
    [FayyadIrani1992 §2], [Breiman1984 §2.4]
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, count, pairwise
from operator import add, mul, sub
from typing import Any, TypeAlias, overload

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Ordered, Partition, Sample, in_units, sums
from reference_tree.data.targets import Target
from reference_tree.exact.choosing import Bounds, best, mixture, near_best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import variance_reduction
from reference_tree.splitting.continuous_bisection import Cut, midpoint
from reference_tree.splitting.judging import JUDGES, Judged, Scale, judged, judged_together
from reference_tree.splitting.score_bounds import table_bounds

Sums: TypeAlias = Sequence[int]
"""A row of s_ij in whole units."""

SCORES: Mapping[str, Callable[[Any], Number]] = {
    "gain": information_gain,
    "gini_decrease": gini_decrease,
    "variance_reduction": variance_reduction,
}
"""The measures, by name: the exact score of the rows of a table."""


class Finalist:
    """A cut that may be the best. Whatever is known of it is counted when it is asked for."""

    __slots__ = ("_bounds", "_cut", "_key", "among", "place")

    def __init__(self, among: Finalists, place: int) -> None:
        self.among, self.place = among, place
        self._cut: Cut | None = None
        self._bounds: Bounds | None = None
        self._key: Hashable = None

    @property
    def cut(self) -> Cut:
        """The question and its sample partition."""
        if self._cut is None:
            self._cut = self.among.cut_at(self.place)
        return self._cut

    @property
    def bounds(self) -> Bounds:
        """Between which integers its score lies; see `table_bounds`."""
        if self._bounds is None:
            self._bounds = table_bounds(self.cut.table, self.among.measure, self.among.scale)
        return self._bounds

    @property
    def key(self) -> Hashable:
        """What two finalists of one sample can share only if their scores are the same."""
        if self._key is None:
            self._key = self.among.key_at(self.place)
        return self._key


class Finalists(Sequence[Finalist]):
    """The cuts of one attribute that may be the best, thresholds ascending.

    `cuts` says how many cuts there are, and `tries` how many of them leave at least the minimum on both sides.

    Args:
        sample: the rows at the node.
        found: the cuts of the attribute, judged.
        measure: what they were judged by.
        scale: by what each class was multiplied.
    """

    __slots__ = (
        "_finalists", "_lefts", "_ordered", "_sample", "_whole",
        "attribute", "cuts", "measure", "scale", "scores", "tries",
    )  # fmt: skip

    def __init__(self, sample: Sample, found: Judged, measure: str, scale: Scale) -> None:
        self.attribute, self._ordered, self.cuts, self.tries, self.scores = found
        self.measure, self.scale, self._sample = measure, scale, sample
        self._finalists: list[Finalist] | None = None
        self._lefts: dict[int, Sums] = {}
        self._whole: Sums = ()

    @property
    def _kept(self) -> list[Finalist]:
        if self._finalists is None:
            places = self.scores.near_best() if self.tries else []
            self._finalists = [Finalist(self, place) for place in places]
        return self._finalists

    def __len__(self) -> int:
        return len(self._kept)

    @overload
    def __getitem__(self, place: int) -> Finalist: ...
    @overload
    def __getitem__(self, place: slice) -> list[Finalist]: ...
    def __getitem__(self, place: int | slice) -> Finalist | list[Finalist]:
        return self._kept[place]

    def _sides(self, place: int) -> tuple[Sums, Sums]:
        """What is on the left of a finalist, and what is on the right."""
        if not self._lefts:
            places = [finalist.place for finalist in self._kept]
            self._lefts = dict(zip(places, _lefts(self._sample.target, self._ordered, places), strict=True))
            self._whole = _whole(self._sample.target, self._ordered)
        left = self._lefts[place]
        return left, _minus(self._whole, left)

    def __iter__(self) -> Iterator[Finalist]:
        return iter(self._kept)

    def cut_at(self, place: int) -> Cut:
        """The cut of a finalist."""
        return _cut(self._sample, self.attribute, self._ordered, place, *self._sides(place))

    def key_at(self, place: int) -> Hashable:
        """The key of a finalist; see `Finalist.key`."""
        sides = self._sides(place)
        if self.measure == "variance_reduction":  # Σ s²/w of both sides says it all
            return frozenset((side[0], side[1]) for side in sides)
        if self.scale is None and self._ordered.multiples is None:
            return _kind(*map(tuple, sides))
        if self.scale is not None:
            sides = (list(map(mul, self.scale, sides[0])), list(map(mul, self.scale, sides[1])))
        return mixture(sides), mixture([list(map(add, *sides))])


@lru_cache(maxsize=1 << 14)
def _kind(left: tuple[int, ...], right: tuple[int, ...]) -> Hashable:
    """The key of a cut that leaves so many rows of each class on its sides. Few rows meet again and again."""
    return mixture((left, right)), mixture([list(map(add, left, right))])


def finalists(
    sample: Sample,
    attribute: str,
    measure: str,
    minimum: Rational = 0,
    scale: Scale = None,
    boundaries: bool = True,
) -> Finalists:
    """All cuts of a continuous attribute that can be the best by a measure.

    Args:
        sample: the rows at the node.
        attribute: the name of a continuous attribute.
        measure: `gain`, `gini_decrease` or `variance_reduction`; where values are missing, the share of the known rows
            times the score on them.
        minimum: the least weight of a side. Cuts that leave less are out of the question before anything else.
        scale: a positive integer for each class, by which its column is multiplied before it is judged.
        boundaries: judge only places where the class changes, if no cut is barred.

    Returns:
        Thresholds ascending; every cut of largest score is among them. Their `bounds` may be compared with those of
        other attributes of the sample, and with `table_bounds`.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": ["no", "yes", "yes", "no"]})
        >>> found = finalists(table.sample(), "x", "gain")
        >>> [finalist.cut.test.name for finalist in found], found.cuts, found.tries
        (['x<=1.5', 'x<=3.5'], 3, 3)

    Source:
        [N2 §4.1 order], [N2 §4.1 Gain]
    """
    return Finalists(sample, judged(sample, attribute, measure, minimum, scale, not boundaries), measure, scale)


def leaders(
    sample: Sample,
    attributes: Iterable[str],
    measure: str,
    minimum: Rational = 0,
    scale: Scale = None,
) -> list[Finalist]:
    """The finalists of some attributes that can be the best of all of them.

    Args:
        sample: the rows at the node.
        attributes: the names of continuous attributes.
        measure: as for `finalists`.
        minimum: as for `finalists`.
        scale: as for `finalists`.

    Returns:
        In the order of the attributes, then of the thresholds.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"a": [1, 2, 3, 4], "b": [4, 3, 2, 1], "y": ["no", "no", "yes", "yes"]})
        >>> [finalist.cut.test.name for finalist in leaders(table.sample(), ["a", "b"], "gain")]
        ['a<=2.5', 'b<=2.5']
    """
    names = list(attributes)
    joined = sample.joined(names) if measure in JUDGES and scale is None else None
    found = [] if joined is None else judged_together(sample, joined, measure, minimum)
    together = [] if joined is None else joined.attributes
    rest = [] if together == names else [name for name in names if name not in together]
    rival: Judged | None = None
    for attribute in rest:
        one = judged(sample, attribute, measure, minimum, scale, rival=rival)
        found.append(one)
        if rival is None or one.scores.most > rival.scores.most:
            rival = one
    if rest:
        found.sort(key=lambda one: names.index(one.attribute))
    leading = [finalist for one in _ahead(found) for finalist in Finalists(sample, one, measure, scale)]
    if len(leading) < 2:
        return leading
    bounds = {finalist.key: finalist for finalist in leading}
    if len(bounds) == 1:
        return leading
    return near_best(leading, lambda finalist: bounds[finalist.key].bounds)


def _ahead(found: list[Judged]) -> list[Judged]:
    """The attributes whose best cut can be the best of all."""
    tried = [one for one in found if one.tries]
    if len({one.scores.rate for one in tried}) > 1:
        return near_best(tried, lambda one: one.scores.bounds())
    floor = max([one.scores.most - one.scores.slack for one in tried], default=0)
    return [one for one in tried if one.scores.most + one.scores.slack >= floor]


def best_cuts(sample: Sample, attribute: str, measure: str = "gain", minimum: Rational = 0) -> list[Cut]:
    """The cuts of a continuous attribute that nothing beats, as `continuous_bisection.best_cuts` finds them.

    Args:
        sample: the rows at the node.
        attribute: the name of a continuous attribute.
        measure: as for `finalists`.
        minimum: the least weight of a side.

    Returns:
        The exact winners, thresholds ascending; none if there is nothing to cut.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": [5, 5, 7, 9]})
        >>> [cut.test.name for cut in best_cuts(table.sample(), "x", "variance_reduction")]
        ['x<=2.5']

    Source:
        [N2 §4.1 Gain], [N2 §4.1 choice]
    """
    found = finalists(sample, attribute, measure, minimum)
    near = near_best(found, lambda finalist: finalist.bounds) if len(found) > 1 else found
    score = SCORES[measure]
    winners = best(near, lambda finalist: score(finalist.cut.table.rows), lambda finalist: finalist.key)
    return [finalist.cut for finalist in winners]


def scanned_cuts(sample: Sample, attribute: str) -> Iterator[Cut]:
    """Every cut with its sample partition, thresholds ascending, as `continuous_bisection.cuts` has them.

    Each is counted from the one before: all cuts together take a single pass over the rows.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"weight": [7, 9, 9, 12], "cat": ["yes", "yes", "no", "no"]})
        >>> for test, partition in scanned_cuts(table.sample(), "weight"):
        ...     print(test.name, test.interval, partition.rows)
        weight<=8 (7, 9) ((0, 1), (2, 1))
        weight<=10.5 (9, 12) ((1, 2), (1, 0))

    Source:
        [N2 §4.1 bisection], [N2 §4.1 D_t]
    """
    ordered = sample.ordered(attribute)
    places = list(compress(count(1), ordered.gaps))
    whole = _whole(sample.target, ordered)
    for place, left in zip(places, _lefts(sample.target, ordered, places), strict=True):
        yield _cut(sample, attribute, ordered, place, left, _minus(whole, left))


def _whole(target: Target, ordered: Ordered) -> Sums:
    return sums(target, ordered.targets, ordered.multiples)


def _lefts(target: Target, ordered: Ordered, places: Sequence[int]) -> Iterator[Sums]:
    """What is on the left of some places, ascending; each is counted from the one before."""
    digits, weights = ordered.targets, ordered.multiples
    left: Sums | None = None
    for start, place in pairwise((0, *places)):
        moved = sums(target, digits[start:place], None if weights is None else weights[start:place])
        left = moved if left is None else list(map(add, left, moved))
        yield left


def _cut(sample: Sample, attribute: str, ordered: Ordered, place: int, left: Sums, right: Sums) -> Cut:
    numbers = sample.schema.numbers[attribute]
    below, above = numbers[ordered.values[place - 1]], numbers[ordered.values[place]]
    test = Threshold(attribute, midpoint(below, above), (below, above))
    rows = tuple(in_units(sample.target, side, ordered.unit, ordered.grain) for side in (left, right))
    return Cut(test, Partition(test.outcomes, rows, ordered.unknown))


def _minus(whole: Sums, part: Sums) -> Sums:
    return list(map(sub, whole, part))


__all__ = [
    "SCORES",
    "Finalist",
    "Finalists",
    "Scale",
    "best_cuts",
    "finalists",
    "leaders",
    "scanned_cuts",
    "table_bounds",
]
