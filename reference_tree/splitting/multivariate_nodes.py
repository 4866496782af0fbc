r"""Multivariate nodes: nodes that test a linear combination of attributes.

A cut of one attribute divides the space of the rows by a hyperplane perpendicular to its axis, and an oblique border
takes a staircase of such cuts. A multivariate node tests a weighted sum instead,

$$w_1 a_1(x) + \dots + w_d a_d(x) \leq t,$$

so its hyperplane may have any direction: the tree has a linear classifier at each node, and is piecewise linear as a
whole. The problem is to find a good hyperplane.

1. `linear_splits` are all splits. Hyperplanes that divide the rows in the same way are equally good, so there are
   finitely many: O(n^d) for d attributes and n rows, which take O(n^(d+1)) steps.
2. `best_linear_splits` are the best of these: a true optimum, for any measure, with all ties. Heuristics can be
   compared with it where it is feasible; beyond a stated number of steps it is refused.
3. `SEARCHES` are the searches for a good split, by name: `exhaustive`, and the heuristics `cart-lc`, `oc1` and `lda`,
   which take any number of rows and attributes.
4. `regret` is the difference between a split and the optimum.
5. `LinearCandidate` is a split that competes at a node.

The rows are points: a categorical attribute has a coordinate for each value (one-hot), and a row with a missing value
is no point and has no outcome. A node may test the same attributes as the node above it.

Source:
    [N2 §5], [Zhou2016 §4.5]. N2 has it that a multivariate tree tries to be a linear classifier: each of its nodes is
    one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, Protocol, TypeAlias

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import Test
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.data.targets import Classes, Counts, Moments, Target
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.candidate import Candidate, RuleId, TableScore
from reference_tree.splitting.linear.cart_lc import cart_lc
from reference_tree.splitting.linear.dichotomies import dichotomies
from reference_tree.splitting.linear.discriminant import linear_discriminant
from reference_tree.splitting.linear.oc1 import oc1
from reference_tree.splitting.linear.side_scores import LinearSplit, Score, SideScores, in_order
from reference_tree.splitting.linear.widest_margin import varying_coordinates


class SplitSearch(Protocol):
    """A search for good splits of points."""

    def __call__(self, points: Points, score: Score, minimum: Rational, chance: Chance, /) -> list[LinearSplit]:
        """The best splits that the search finds.

        Args:
            points: the sample, as points.
            score: the score to maximize.
            minimum: the least weight of a side.
            chance: the source of random draws, if the search makes any.

        Returns:
            Splits of equal score, in order; empty if the points cannot be divided.
        """


def points_of(table: Table, attributes: Sequence[str] | None = None) -> Points:
    """The rows of a table as points.

    Args:
        table: the rows.
        attributes: the names of the attributes to use; None for all.

    Raises:
        InputError: an attribute does not exist, or is the target.

    Example:
        >>> table = Table.from_columns({"x": [2, 1, 2], "y": [0, 3, 0], "class": ["no", "yes", "yes"]})
        >>> points_of(table).values, points_of(table).rows
        (((1, 3), (2, 0)), ((0, 1), (1, 1)))
    """
    target, rows = _counted(table)
    return gathered(coordinates_of(table.schema, attributes), zip(table.rows(), rows, strict=True), target)


def _counted(table: Table) -> tuple[Target, Iterator[Counts]]:
    """The target of a table, and the counts of each of its rows."""
    cells, weights = table.columns[table.schema.target.name], table.weighted()
    pairs = [(y, w) for y, w in zip(cells, weights, strict=True) if y is not None]  # a table has no row without target
    if table.schema.target.values is None:
        return Moments(), ((w, w * y, w * y * y) for y, w in pairs)
    width = len(table.schema.target.domain)
    return Classes(table.schema.target.domain), (tuple(w * (y == code) for code in range(width)) for y, w in pairs)


# The points are grouped: rows that agree in all coordinates lie on one side of every hyperplane.
def linear_splits(points: Points) -> Iterator[LinearSplit]:
    """Every division of points by a hyperplane.

    Each comes with its sample partition; its test is made on demand. The test uses as few coordinates as possible, the
    first of these, and its hyperplane lies as far as possible from the points on either side.

    Args:
        points: the sample, as points.

    Returns:
        The splits in the order of their bit masks; the named side is the one without the last point. On a single
        coordinate they are the cuts between neighbouring values, thresholds ascending.

    Raises:
        InputError: there are too many to go through.

    Example:
        >>> table = Table.from_columns({"x": [0, 0, 1, 1], "y": [0, 1, 0, 1], "class": ["no", "yes", "yes", "no"]})
        >>> for split in linear_splits(points_of(table)):       # six, and none of them is the exclusive or
        ...     print(split.test.name, split.table.rows)
        x+y<=0.5 ((1, 0), (1, 2))
        x-y<=-0.5 ((0, 1), (2, 1))
        x<=0.5 ((1, 1), (1, 1))
        x-y<=0.5 ((2, 1), (0, 1))
        y<=0.5 ((1, 1), (1, 1))
        x+y<=1.5 ((1, 2), (1, 0))

    Source:
        [N2 §5], [Breiman1984 §5.2]
    """
    scores = SideScores(points)
    return map(scores.split, _dichotomies_to_write(points))


def best_linear_splits(points: Points, score: Score = information_gain, minimum: Rational = 0) -> list[LinearSplit]:
    r"""The splits of largest score among all that a hyperplane can make.

    $$\max_{w, t} \mathrm{score}\left( \{ x : w \cdot x \leq t \},\; \{ x : w \cdot x > t \} \right)$$

    Args:
        points: the sample, as points.
        score: the measure of the rows of a partition, such as `information_gain`, `gini_decrease` or, for a numeric
            target, `variance_reduction`.
        minimum: the least weight of a side.

    Returns:
        All splits of exactly the largest score: fewest coordinates first, then by the coordinates, the weights and the
        threshold. Empty if the points cannot be divided.

    Raises:
        InputError: there are too many to go through.

    Example:
        >>> columns = {"x": [0, 1, 2, 1, 2, 3], "y": [1, 2, 3, 0, 1, 2], "class": ["a", "a", "a", "b", "b", "b"]}
        >>> for split in best_linear_splits(points_of(Table.from_columns(columns))):
        ...     print(split.test.name, split.test.interval, split.table.rows)
        x-y<=0 (-1, 1) ((3, 0), (0, 3))

    Source:
        [N2 §5], [Zhou2016 §4.5]
    """
    return in_order(SideScores(points, score, minimum).best(_dichotomies_to_write(points)))


def _dichotomies_to_write(points: Points) -> Sequence[int]:
    """The dichotomies of points, after a check that tests for them can be found at all."""
    # Asked first, as the enumeration may take seconds, and its splits would then have no test.
    varying_coordinates(points.values)
    return dichotomies(points.values)


def regret(split: LinearSplit, score: Score = information_gain, minimum: Rational = 0) -> Number:
    """The difference between the best score and that of a split: 0 for one of the best, and never negative.

    Args:
        split: any split.
        score: the measure.
        minimum: the least weight of a side, also for the best.

    Raises:
        InputError: there are too many splits to find the best, or the sides of this one are too light.

    Example:
        >>> columns = {"x": [0, 1, 2, 1, 2, 3], "y": [1, 2, 3, 0, 1, 2], "class": ["a", "a", "a", "b", "b", "b"]}
        >>> points = points_of(Table.from_columns(columns))
        >>> float(regret(SideScores(points).split(0b000001)))      # x <= 0.5
        0.8091254953788906

    Source:
        [N2 §5]
    """
    scores = SideScores(split.points, score, minimum)
    reached = scores.score(split.inside)
    if reached is None:
        raise InputError(f"a side of {split.test.name} is lighter than the minimum, so it cannot be compared")
    # The best of all sides has a score, since that of the split has one.
    (best, *_) = scores.best(dichotomies(split.points.values))
    return scores.score(best.inside) - reached


def _found(split: LinearSplit | None) -> list[LinearSplit]:
    return [] if split is None else [split]


SearchName: TypeAlias = Literal["exhaustive", "cart-lc", "oc1", "lda"]

SEARCHES: Mapping[str, SplitSearch] = {
    "exhaustive": lambda points, score, minimum, chance: best_linear_splits(points, score, minimum),
    "cart-lc": lambda points, score, minimum, chance: _found(cart_lc(points, score, minimum)),
    "oc1": lambda points, score, minimum, chance: _found(oc1(points, chance, score, minimum)),
    "lda": lambda points, score, minimum, chance: _found(linear_discriminant(points, score, minimum)),
}
"""The searches by the names that a tree document records."""


class LinearCandidate(Candidate):
    """A split of points as a candidate.

    Making its test requires a search for the widest margin. There may be thousands of candidates, and only the tests of
    the best are needed, so each is made on demand.

    Args:
        split: the split.
        measured: the names of its scores; the last one decides.
        barred: the rule that excludes it, if one does.
        counted_in: the table that is scored, of the rows of the two sides.
        measures: the measure of each name.
    """

    def __init__(
        self,
        split: LinearSplit,
        measured: tuple[str, ...],
        barred: RuleId | None,
        counted_in: Partition,
        measures: Mapping[str, TableScore],
    ) -> None:
        # Past the frozen fields of the base, whose test and table are computed here on demand.
        self.__dict__.update(split=split, measured=measured, barred=barred, counted_in=counted_in, measures=measures)

    split: LinearSplit

    @cached_property
    def test(self) -> Test:
        """The inequality."""
        return self.split.test

    @cached_property
    def table(self) -> Partition:
        """The sample partition of the inequality."""
        return self.split.table

    @property
    def key(self) -> Hashable:
        """The bit mask of the points on the named side: no two candidates share it."""
        return self.split.inside
