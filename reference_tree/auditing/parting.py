"""Parting alike: whether two questions divide the rows of a sample in the same way.

Questions are judged by what they do. A threshold may lie anywhere in the gap between two values; of a set of values
either side can be named, and values that no row has may stand on either. The branches may then stand in another order,
and `branches_alike` says in which. Two questions about different attributes are different ones, even if they happen to
divide the rows alike, because they divide other rows differently.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference_tree.data.questions import Linear, Multiway, SeenSubset, Subset, Test, Threshold
from reference_tree.data.sample import Sample
from reference_tree.splitting.branching import LINEAR, branchings


def parts_like(one: Test, other: Test, sample: Sample) -> bool:
    """Whether two questions divide a sample in the same way.

    Args:
        one: a question.
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
        one: a question.
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
    """For each of two linear questions, the places of the points on both sides."""
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
    inside = frozenset(value for value in present if value in test.values)
    return [inside, frozenset(present) - inside]


def is_asked(branching: str, test: Test, sample: Sample) -> bool:
    """Whether a learner of this branching asks questions of this kind, whatever their score.

    Args:
        branching: the name of the rule by which attributes are asked.
        test: the question.
        sample: the rows that are asked.
    """
    rule = branchings()[branching]
    if isinstance(test, Linear) or rule is LINEAR:
        return isinstance(test, Linear) and rule is LINEAR
    return isinstance(test, Threshold) or rule.asks([*sides(test, sample)])
