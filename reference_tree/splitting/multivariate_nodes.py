r"""Multivariate nodes: a node that asks for a linear combination of attributes.

A cut of one attribute divides the space of the rows by a hyperplane parallel to an axis, and a border that is slanted
takes a staircase of such cuts. A multivariate node asks for a weighted sum instead,

$$w_1 a_1(x) + \dots + w_d a_d(x) \leq t,$$

so its hyperplane may lie anywhere: the tree is a tree of linear classifiers, one a node, and piecewise linear as a
whole. The question is then how to find a good hyperplane.

1. `linear_splits` are all of them. Of all hyperplanes that divide the rows in the same way one is as good as another,
   so there are finitely many; of d attributes and n rows O(n^d), which take O(n^(d+1)) steps.
2. `best_linear_splits` are the best of these: a true optimum, for any measure, with all ties. It is what a heuristic
   can be held against, where it can be had; beyond a stated number of steps it is refused.
3. `SEARCHES` are the ways to look for a good split by name: `exhaustive`, and the heuristics `cart-lc`, `oc1` and
   `lda`, which take any number of rows and attributes.
4. `regret` is by how much a split falls short of the optimum.
5. `LinearCandidate` is a split that competes at a node.

The rows are points: a categorical attribute has a coordinate for each value (one-hot), and a row with a missing value
is no point and has no answer. A node may well ask for the same attributes as the node above it.

Source:
    [N2 §5], [Zhou2016 §4.5]. N2 has it that a multivariate tree tries to be a linear classifier: each of its nodes is
    one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Protocol

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
from reference_tree.splitting.candidate import Candidate, Measure, RuleId
from reference_tree.splitting.linear.cart_lc import cart_lc
from reference_tree.splitting.linear.dichotomies import dichotomies
from reference_tree.splitting.linear.discriminant import linear_discriminant
from reference_tree.splitting.linear.oc1 import oc1
from reference_tree.splitting.linear.side_scores import LinearSplit, Score, SideScores, in_order
from reference_tree.splitting.linear.widest_margin import varying_coordinates


class Search(Protocol):
    """A way to look for good splits of points."""

    def __call__(self, points: Points, score: Score, minimum: Rational, chance: Chance, /) -> list[LinearSplit]:
        """The splits that are best as far as it knows.

        Args:
            points: the sample, as points.
            score: what is to be large.
            minimum: the least weight of a side.
            chance: where draws come from, if it makes any.

        Returns:
            Equal ones, in order; none, if nothing can be divided.
        """


def points_of(table: Table, attributes: Sequence[str] | None = None) -> Points:
    """The rows of a table as points.

    Args:
        table: the rows.
        attributes: those that are to be asked for; none: all.

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
    """What is counted, and of each row of the table how much."""
    cells, weights = table.columns[table.schema.target.name], table.weighted()
    pairs = [(y, w) for y, w in zip(cells, weights, strict=True) if y is not None]  # a table has no row without target
    if table.schema.target.values is None:
        return Moments(), ((w, w * y, w * y * y) for y, w in pairs)
    width = len(table.schema.target.domain)
    return Classes(table.schema.target.domain), (tuple(w * (y == code) for code in range(width)) for y, w in pairs)


def linear_splits(points: Points) -> Iterator[LinearSplit]:
    """Every way to divide points by a hyperplane.

    Each comes with its sample partition; its test is made when it is asked for. It uses as few coordinates as possible,
    of these the first, and lies as far as possible from the points on either side.

    Args:
        points: the sample, as points.

    Returns:
        The side that is named is the one without the last point, and they come in the order of their bit masks. On a
        single coordinate they are the cuts between neighbouring values, thresholds ascending.

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
        score: what the rows of a partition are worth, such as `information_gain`, `gini_decrease` or, for a numeric
            target, `variance_reduction`.
        minimum: the least weight of a side.

    Returns:
        All of them, exactly equal: fewest coordinates first, then by the coordinates, the weights and the threshold.
        None, if nothing can be divided.

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
    """The dichotomies of points, if tests for them can be found at all: better to say so before they are listed."""
    varying_coordinates(points.values)
    return dichotomies(points.values)


def regret(split: LinearSplit, score: Score = information_gain, minimum: Rational = 0) -> Number:
    """By how much a split falls short of the best there is: 0 for one of the best, and never negative.

    Args:
        split: any.
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
    (best, *_) = scores.best(dichotomies(split.points.values))
    return scores.score(best.inside) - reached


def _found(split: LinearSplit | None) -> list[LinearSplit]:
    return [] if split is None else [split]


SEARCHES: Mapping[str, Search] = {
    "exhaustive": lambda points, score, minimum, chance: best_linear_splits(points, score, minimum),
    "cart-lc": lambda points, score, minimum, chance: _found(cart_lc(points, score, minimum)),
    "oc1": lambda points, score, minimum, chance: _found(oc1(points, chance, score, minimum)),
    "lda": lambda points, score, minimum, chance: _found(linear_discriminant(points, score, minimum)),
}
"""The searches by the names under which a tree document records them."""


class LinearCandidate(Candidate):
    """A split of points as a candidate.

    To write its test down, the widest margin has to be found. There may be thousands of candidates, and only the
    tests of the best are asked for, so each is made when it is asked for.

    Args:
        split: the split.
        measured: the names of the scores it is given; the last one decides.
        barred: the rule that excludes it, if one does.
        counted_in: the table that is measured, of the rows of the two sides.
        measures: what the names mean.
    """

    def __init__(
        self,
        split: LinearSplit,
        measured: tuple[str, ...],
        barred: RuleId | None,
        counted_in: Partition,
        measures: Mapping[str, Measure],
    ) -> None:
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
        """The points on the one side: no two candidates have the same."""
        return self.split.inside
