"""Points: the sample as a linear test sees it, a cloud of weighted points.

A linear test uses several attributes at once, so it depends on which values occur *together*. No partition by a single
attribute shows that. `Points` holds each distinct combination once, with the summed counts of its rows: GROUP BY all
coordinates. A row of the data has no identity here either.

1. `coordinates_of` lists the coordinates of a schema: one for a continuous attribute, and for a categorical one of k
   values k of them, which are 0 or 1.
2. `gathered` groups rows into points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Coordinate
from reference_tree.data.questions import Row as Cells
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Counts, Target, plus
from reference_tree.exact.rationals import Rational

Vector: TypeAlias = tuple[Rational, ...]
"""A point: one number for each coordinate."""


class Points(NamedTuple):
    """Weighted points with their targets: parallel tuples, ascending."""

    coordinates: tuple[Coordinate, ...]
    """The coordinates that the numbers of a point belong to."""
    values: tuple[Vector, ...]
    """The distinct points, in lexicographic order."""
    rows: tuple[Counts, ...]
    """The counts of each point: the weight of each class, or the other columns of the target."""
    weights: tuple[Rational, ...]
    """The weight of each point."""
    unknown: Counts
    """The counts of the rows in which any of the attributes is missing."""
    target: Target
    """The target whose columns are counted."""


def coordinates_of(schema: Schema, attributes: Sequence[str] | None = None) -> tuple[Coordinate, ...]:
    """The coordinates of some attributes.

    Args:
        schema: the columns.
        attributes: the names of the attributes; None for all but the target.

    Returns:
        The coordinates in table order, whatever the order of the names; those of a categorical attribute in the order
        of its values.

    Raises:
        InputError: an attribute does not exist, or is the target.

    Example:
        >>> from reference_tree.data.schema import Attribute
        >>> cats = Schema((Attribute("ear", ("oval", "pointy")), Attribute("weight")), Attribute("cat", ("no", "yes")))
        >>> [coordinate.name for coordinate in coordinates_of(cats)]
        ['[ear=oval]', '[ear=pointy]', 'weight']

    Source:
        [N4 One-hot encoding: k features], [N4 One-hot encoding: neural networks]
    """
    for name in attributes or ():
        if schema.attribute(name) == schema.target:
            raise InputError(f"{name} is the target and cannot be a coordinate; name attributes")
    wanted = [a for a in schema.attributes if attributes is None or a.name in attributes]
    values = {attribute.name: (None,) if attribute.values is None else attribute.values for attribute in wanted}
    return tuple(Coordinate(name, value) for name, each in values.items() for value in each)


def gathered(coordinates: Sequence[Coordinate], rows: Iterable[tuple[Cells, Counts]], target: Target) -> Points:
    """Rows grouped into points.

    Args:
        coordinates: the coordinates of a point.
        rows: pairs of a row of the data, attribute → value, and its counts.
        target: the target whose columns are counted.

    Example:
        >>> from reference_tree.data.targets import Classes
        >>> rows = [({"x": 2}, (1, 0)), ({"x": 1}, (0, 1)), ({"x": 2}, (0, 3)), ({"x": None}, (1, 0))]
        >>> points = gathered([Coordinate("x")], rows, Classes(("no", "yes")))
        >>> points.values, points.rows, points.weights, points.unknown
        (((1,), (2,)), ((0, 1), (1, 3)), (1, 4), (1, 0))
    """
    zero: Counts = (0,) * len(target.columns)
    found: dict[Vector | None, Counts] = {None: zero}
    for cells, row in rows:
        known = all(cells[one.attribute] is not None for one in coordinates)
        point = tuple(one.of(cells[one.attribute]) for one in coordinates) if known else None
        found[point] = plus(found.get(point, zero), row)
    unknown = found.pop(None)
    points = sorted((point, row) for point, row in found.items() if point is not None)
    return Points(
        tuple(coordinates),
        tuple(point for point, _ in points),
        tuple(row for _, row in points),
        tuple(target.weight(row) for _, row in points),
        unknown,
        target,
    )
