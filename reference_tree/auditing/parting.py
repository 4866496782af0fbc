"""Parting alike: whether two questions divide the rows of a sample in the same way.

Questions are judged by what they do. A threshold may lie anywhere in the gap between two values; of a set of values
either side can be named, and values that no row has may stand on either. Two questions about different attributes are
different ones, even if they happen to divide the rows alike: they divide other rows otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference_tree.data.questions import Linear, Multiway, SeenSubset, Subset, Test, Threshold
from reference_tree.data.sample import Sample


def parts_like(one: Test, other: Test, sample: Sample) -> bool:
    """Whether two questions part a sample in the same way.

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
    if one == other:
        return True
    if isinstance(one, Threshold) and isinstance(other, Threshold):
        return one.attribute == other.attribute and _is_same_cut(one, other, sample)
    if isinstance(one, Linear) and isinstance(other, Linear):
        return _is_same_line(one, other, sample)
    if isinstance(one, Multiway | Subset) and isinstance(other, Multiway | Subset):
        return one.attribute == other.attribute and sides(one, sample) == sides(other, sample)
    return False


def _is_same_cut(one: Threshold, other: Threshold, sample: Sample) -> bool:
    """One of two cuts has all rows below it that the other has; so they are the same if as much weight is there."""
    return sample.partition(one).rows == sample.partition(other).rows


def _is_same_line(one: Linear, other: Linear, sample: Sample) -> bool:
    names = tuple(dict.fromkeys((*one.attributes, *other.attributes)))
    points = sample.points([name for name in (a.name for a in sample.schema.attributes) if name in names])
    first, second = ([_side(test, point, points.coordinates) for point in points.values] for test in (one, other))
    return first in (second, [not side for side in second])


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
    domain = sample.schema.attribute(test.attribute)
    table = sample.partition(Multiway.on(domain))
    unseen = test.unseen if isinstance(test, SeenSubset) else ()
    present = [v for v, row in zip(domain.domain, table.rows, strict=True) if any(row) and v not in unseen]
    if isinstance(test, Multiway):
        return frozenset(frozenset([value]) for value in present)
    inside = frozenset(value for value in present if value in test.values)
    return frozenset(filter(None, (inside, frozenset(present) - inside)))


def is_asked(branching: str, test: Test, sample: Sample) -> bool:
    """Whether a learner of this branching asks questions of this kind, whatever they are worth.

    Args:
        branching: how attributes are asked: `multiway`, `one-vs-rest`, `subset` or `linear`.
        test: the question.
        sample: the rows that are asked.
    """
    if isinstance(test, Linear) or branching == "linear":
        return isinstance(test, Linear) and branching == "linear"
    if isinstance(test, Threshold):
        return True
    parts = sides(test, sample)
    if branching == "multiway":
        return all(len(part) == 1 for part in parts)
    return len(parts) <= 2 and (branching == "subset" or any(len(part) == 1 for part in parts))
