"""Scores of sides: the score of a set of points as one side of a split, and the test that makes it.

A search, be it exhaustive or not, moves among *sides*: sets of points, a bit for each. What it needs to know of a side
is the sample partition it makes, and how good that is. A test is written only for the sides that matter in the end.

1. `LinearSplit` is a side with its partition; its `test` is the inequality that makes it.
2. `SideScores` are the scores of sides. A side is barred, and has no score, if it or the rest is empty, or lighter
   than the minimum.
3. `in_order` puts equal splits in order: fewest coordinates, the first coordinates, the lowest weights and threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from reference_tree.data.points import Points, Vector
from reference_tree.data.questions import Linear
from reference_tree.data.sample import Counts, Partition
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.continuous_bisection import midpoint
from reference_tree.splitting.linear.algebra import coprime, dot
from reference_tree.splitting.linear.dichotomies import Side
from reference_tree.splitting.linear.widest_margin import simplest_direction

Score: TypeAlias = Callable[[Sequence[Any]], Number]
"""What the rows of a partition are worth, the more the better: `information_gain`, `gini_decrease`,
`variance_reduction`, or any other measure to which the order of the two rows does not matter."""

_Pair: TypeAlias = tuple[Counts, Counts]

_BYTE = 8


@dataclass(frozen=True)
class LinearSplit:
    """Points divided in two by a hyperplane.

    Args:
        points: all of them.
        inside: those on one side: bit i is set if it has point i.
        rows: the target inside and outside, summed up.
        direction: in which a search told the sides apart; none: `simplest_direction` is taken.

    Raises:
        ValueError: asked for the test or the table, the direction does not tell the sides apart.

    Example:
        >>> from reference_tree.data.linear_tests import Coordinate
        >>> from reference_tree.data.targets import Classes
        >>> corners = ((0, 0), (0, 2), (2, 0), (2, 2))
        >>> points = Points((Coordinate("x"), Coordinate("y")), corners, ((1,),) * 4, (1,) * 4, (0,), Classes(("a",)))
        >>> for side in (0b0011, 0b0101, 0b0111):
        ...     test = LinearSplit(points, side, ((3,), (1,))).test
        ...     print(test.name, test.interval)
        x<=1 (0, 2)
        y<=1 (0, 2)
        x+y<=3 (2, 4)
    """

    points: Points = field(repr=False)
    inside: Side
    rows: tuple[Counts, Counts]
    direction: Vector | None = field(default=None, compare=False)

    @property
    def test(self) -> Linear:
        """The inequality: along the direction, the threshold is midway between the two sides."""
        return self._test_and_side[0]

    @property
    def table(self) -> Partition:
        """The sample partition of the test."""
        test, is_first = self._test_and_side
        return Partition(test.outcomes, self.rows if is_first else self.rows[::-1], self.points.unknown)

    @cached_property
    def _test_and_side(self) -> tuple[Linear, bool]:
        """The test, and whether the points inside take its first branch."""
        sides: tuple[list[Vector], list[Vector]] = ([], [])
        for place, point in enumerate(self.points.values):
            # The points inside are the first list.
            sides[1 - (self.inside >> place & 1)].append(point)
        weights = simplest_direction(*sides) if self.direction is None else coprime(self.direction)
        inside, outside = ([dot(weights, point) for point in side] for side in sides)
        # The sides are sets of points, and say nothing of a direction: the values along it tell which of them is below
        # the threshold.
        is_first = max(inside) < min(outside)
        a, b = (max(inside), min(outside)) if is_first else (max(outside), min(inside))
        if not a < b:
            raise ValueError(f"no plane of the direction {self.direction} has the two sides on either side of it")
        terms = tuple((c, weight) for c, weight in zip(self.points.coordinates, weights, strict=True) if weight)
        return Linear(terms, midpoint(a, b), (simplest(Fraction(a)), simplest(Fraction(b)))), is_first

    @property
    def order(self) -> tuple[Any, ...]:
        """What equal splits are ordered by."""
        places = tuple(self.points.coordinates.index(coordinate) for coordinate, _ in self.test.weights)
        return len(places), places, tuple(weight for _, weight in self.test.weights), self.test.threshold


def in_order(splits: Iterable[LinearSplit]) -> list[LinearSplit]:
    """Equal splits in order: fewest coordinates, then the first ones, then the lowest weights, the lowest threshold."""
    return sorted(splits, key=lambda split: split.order)


class SideScores:
    """The score of each side of some points.

    Args:
        points: the sample, as points.
        score: the measure of the rows of a partition.
        minimum: the least weight of a side.

    Example:
        >>> from reference_tree.data.points import gathered
        >>> from reference_tree.data.linear_tests import Coordinate
        >>> from reference_tree.data.targets import Classes
        >>> from reference_tree.measures.gini_index import gini_decrease
        >>> rows = [({"x": 0}, (1, 0)), ({"x": 1}, (0, 1)), ({"x": 2}, (0, 2))]
        >>> points = gathered([Coordinate("x")], rows, Classes(("no", "yes")))
        >>> scores = SideScores(points, gini_decrease)
        >>> scores.rows(0b001), scores.score(0b001), scores.score(0b111) is None
        (((1, 0), (0, 3)), Fraction(3, 8), True)
        >>> [split.test.name for split in scores.best([0b001, 0b011])]
        ['x<=0.5']
    """

    def __init__(
        self,
        points: Points,
        score: Score = information_gain,
        minimum: Rational = 0,
    ) -> None:
        self.points, self.minimum, self._score = points, minimum, score
        # The weight stands beside the counts: which column it is, or which sum of them, depends on the target.
        self._sums = _SubsetSums([(*row, weight) for row, weight in zip(points.rows, points.weights, strict=True)])
        self._known: dict[_Pair, Number] = {}

    def rows(self, side: Side) -> tuple[Counts, Counts]:
        """The target inside and outside, summed up."""
        inside, outside = self._weighed(side)
        return inside[:-1], outside[:-1]

    def score(self, side: Side) -> Number | None:
        """What it is worth; none if it is barred."""
        pair = self._pair(side)
        return None if pair is None else self._worth(pair)

    def best(self, sides: Sequence[Side]) -> list[LinearSplit]:
        """All sides of largest score that are not barred, as splits."""
        return [self.split(sides[place]) for place, _ in self.leading(sides)]

    def leading(self, sides: Sequence[Side]) -> list[tuple[int, Number]]:
        """The places of the best of these sides, each with its score."""
        # Sides that make the same pair of rows are equally good, so each pair is looked at once.
        alike: dict[_Pair, list[int]] = {}
        for place, side in enumerate(sides):
            if (pair := self._pair(side)) is not None:
                alike.setdefault(pair, []).append(place)
        return sorted((place, self._worth(pair)) for pair in best(alike, self._worth) for place in alike[pair])

    def split(self, side: Side, direction: Vector | None = None) -> LinearSplit:
        """A side as a split."""
        return LinearSplit(self.points, side, self.rows(side), direction)

    def _pair(self, side: Side) -> _Pair | None:
        """The rows of the two sides with their weights, the smaller first; none if the side is barred."""
        inside, outside = self._weighed(side)
        # The measure does not mind the order of its two rows, so that a side and its complement are scored once.
        lightest = min(inside[-1], outside[-1])
        if not lightest or lightest < self.minimum:
            return None
        return (inside, outside) if inside < outside else (outside, inside)

    def _worth(self, pair: _Pair) -> Number:
        if pair not in self._known:
            self._known[pair] = self._score([row[:-1] for row in pair])
        return self._known[pair]

    def _weighed(self, side: Side) -> tuple[Counts, Counts]:
        inside = self._sums.of(side)
        return inside, tuple(both - part for both, part in zip(self._sums.whole, inside, strict=True))


class _SubsetSums:
    """Sums of rows over sets: those over each eight rows are added up once for all."""

    def __init__(self, rows: Sequence[Counts]) -> None:
        self._zero: Counts = (0,) * (len(rows[0]) if rows else 0)
        self._of_byte = [self._subsets(rows[start : start + _BYTE]) for start in range(0, len(rows), _BYTE)]
        self.whole = self.of((1 << len(rows)) - 1)

    def _subsets(self, rows: Sequence[Counts]) -> list[Counts]:
        sums = [self._zero]
        for row in rows:
            sums += [tuple(map(sum, zip(found, row, strict=True))) for found in sums]
        return sums

    def of(self, side: Side) -> Counts:
        """The sum over a set."""
        # A side has as many bits as points; a table of 256 sums for each byte makes its sum eight times shorter.
        parts = [sums[side >> start * _BYTE & 255] for start, sums in enumerate(self._of_byte)]
        return tuple(map(sum, zip(self._zero, *parts, strict=True)))
