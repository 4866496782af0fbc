"""Parting: whether two tests divide the rows of a sample in the same way, and which one divides them as stated.

Tests are judged by what they do. A threshold may lie anywhere in the gap between two values; of a set of values
either side can be named, and values that no row has may stand on either. The branches may then stand in another order,
and `branches_alike` says in which. Two tests about different attributes are different ones, even if they happen to
divide the rows alike, because they divide other rows differently.

One wrong threshold moves rows, and then every count below it is wrong as well. The counts of the branches show where
the threshold was: at most one cut of the attribute divides the rows so (`mended`). The node is blamed once, and the
nodes below are judged by the rows that its counts imply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from reference_tree.data.questions import Linear, Missing, Multiway, SeenSubset, Subset, Test, Threshold
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.targets import minus, plus
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.branching import LINEAR, branchings
from reference_tree.splitting.continuous_bisection import cuts_of_weight
from reference_tree.splitting.missing_values import branch_shares


def parts_like(one: Test, other: Test, sample: Sample) -> bool:
    """Whether two tests divide a sample in the same way.

    Args:
        one: a test.
        other: another one.
        sample: the rows that are asked.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, 4, 9], "c": [*"aba"], "y": ["no", "yes", "yes"]}).sample()
        >>> [parts_like(Threshold("x", 2), Threshold("x", t), sample) for t in (3, 4)]
        [True, False]
        >>> parts_like(Subset("c", ("a",)), Subset("c", ("b",)), sample)
        True
    """
    return branches_alike(one, other, sample) is not None


def branches_alike(one: Test, other: Test, sample: Sample) -> tuple[int, ...] | None:
    """For each branch of `one`, the branch of `other` with the same rows; None if they divide the rows differently.

    Args:
        one: a test.
        other: another one.
        sample: the rows that are asked.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"c": [*"aba"], "y": ["no", "yes", "yes"]}).sample()
        >>> branches_alike(Subset("c", ("a",)), Subset("c", ("b",)), sample)
        (1, 0)
    """
    if one == other:
        return tuple(range(len(one.outcomes)))
    match one, other:
        case Threshold(attribute=name), Threshold(attribute=its) if name == its:
            # the rows below the lower cut are below the other one, too: they are the same if they weigh the same
            return (0, 1) if sample.partition(one).rows == sample.partition(other).rows else None
        case Linear(), Linear():
            return _matched(*_points(one, other, sample))
        case ((Multiway() | Subset()), (Multiway() | Subset())) if one.attribute == other.attribute:
            return _matched(_values(one, sample), _values(other, sample))
    return None


def _matched(first: Sequence[frozenset[Any]], second: Sequence[frozenset[Any]]) -> tuple[int, ...] | None:
    """For each part, the place of the equal part in the second list; empty parts take the places that are left."""
    if set(filter(None, first)) != set(filter(None, second)):
        return None
    found = [second.index(part) if part else None for part in first]
    free = (place for place in range(max(len(first), len(second))) if place not in found)
    return tuple(next(free) if place is None else place for place in found)


def _points(one: Linear, other: Linear, sample: Sample) -> list[list[frozenset[int]]]:
    """For each of two linear tests, the places of the points on both sides."""
    # Two linear tests are compared on the points that rows have in all attributes of both.
    names = tuple(dict.fromkeys((*one.attributes, *other.attributes)))
    points = sample.points([name for name in (a.name for a in sample.schema.attributes) if name in names])
    found = []
    for test in (one, other):
        below = {place for place, point in enumerate(points.values) if _side(test, point, points.coordinates)}
        found.append([frozenset(below), frozenset(range(len(points.values))) - below])
    return found


def _side(test: Linear, point: Sequence[Any], coordinates: Sequence[Any]) -> bool:
    weights = dict(test.weights)
    whole = sum(weights.get(coordinate, 0) * number for coordinate, number in zip(coordinates, point, strict=True))
    return bool(whole <= test.threshold)


def sides(test: Multiway | Subset, sample: Sample) -> frozenset[frozenset[str]]:
    """The values that some row has, branch by branch; branches without any are left out.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"c": [*"aba"], "y": ["no", "yes", "yes"]}).sample()
        >>> sorted(map(sorted, sides(Subset("c", ("a", "z")), sample)))
        [['a'], ['b']]
    """
    return frozenset(filter(None, _values(test, sample)))


def _values(test: Multiway | Subset, sample: Sample) -> list[frozenset[str]]:
    """The values that some row has, branch by branch."""
    domain = sample.schema.attribute(test.attribute)
    table = sample.partition(Multiway.on(domain))
    unseen = test.unseen if isinstance(test, SeenSubset) else ()
    present = [v for v, row in zip(domain.domain, table.rows, strict=True) if any(row) and v not in unseen]
    if isinstance(test, Multiway):
        return [frozenset({value} & {*present}) for value in test.values]
    # Values that no row has may stand on either side, and are no difference.
    inside = frozenset(value for value in present if value in test.values)
    return [inside, frozenset(present) - inside]


def is_asked(branching: str, test: Test, sample: Sample) -> bool:
    """Whether a learner of this branching has tests of this kind, whatever their score.

    Args:
        branching: the name of the rule by which attributes are asked.
        test: the test.
        sample: the rows that are asked.
    """
    rule = branchings()[branching]
    if isinstance(test, Linear) or rule is LINEAR:
        return isinstance(test, Linear) and rule is LINEAR
    return isinstance(test, Threshold) or rule.asks([*sides(test, sample)])


# The rows that a node says its branches have.

Alike = Callable[[Counts, Counts], bool]
"""Decides whether stated counts agree with those found."""


def fit(stated: Sequence[Counts], found: Iterable[Counts], alike: Alike, but: int = 0) -> bool:
    """Whether the counts of branches agree with the parts of a sample, with at most `but` exceptions."""
    return sum(not alike(claimed, counted) for claimed, counted in zip(stated, found, strict=True)) <= but


def mended(
    test: Test, sample: Sample, missing: Missing, stated: Sequence[Counts], alike: Alike, off: Rational = 0
) -> Threshold | None:
    """The cut of the same attribute that divides the rows as the branches say; None if there is none.

    Args:
        test: the test of the node.
        sample: the rows at the node.
        missing: the rule for rows without an outcome.
        stated: the counts of the branches.
        alike: compares them with the counts found.
        off: the largest difference of the weights of counts that are alike.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, 4, 9], "y": ["no", "yes", "yes"]}).sample()
        >>> mended(Threshold("x", 5), sample, Missing(), [(1, 0), (0, 2)], tuple.__eq__).name
        'x<=2.5'
    """
    if not isinstance(test, Threshold):
        return None
    weigh = sample.target.weight
    # Where the rows without a value went left, or were divided, they are taken off the stated weight before a cut is
    # sought.
    lower: Rational = weigh(stated[0])
    if missing.to == 0 or missing.shares:
        unknown, whole = weigh(sample.partition(test).unknown), weigh(sample.total())
        lower = lower - unknown if missing.to == 0 else lower * Fraction(whole - unknown, whole or 1)
    # Few cuts leave this weight below: each is tried by all that the branches state.
    for cut in cuts_of_weight(sample, test.attribute, lower - off, lower + off):
        rows = list(cut.table.rows)
        if any(cut.table.unknown) and missing.to is not None:  # they are on one side, wherever the threshold is
            rows[missing.to] = minus(sample.total(), rows[1 - missing.to])
        elif any(cut.table.unknown) and missing.shares:  # they are divided as the rows that answer are
            shares = branch_shares([[sample.target.weight(row)] for row in rows])
            rows = [
                plus(row, tuple(share * weight for weight in cut.table.unknown))
                for row, share in zip(rows, shares, strict=True)
            ]
        if fit(stated, rows, alike):
            return replace(cut.test, strict=test.strict)
    return None
