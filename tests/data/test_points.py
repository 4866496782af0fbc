"""Points: which numbers a row is, and how rows become points."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given

from reference_tree.data.errors import InputError
from reference_tree.data.points import coordinates_of, gathered
from reference_tree.data.questions import Coordinate
from reference_tree.data.table import Table
from reference_tree.data.targets import Classes
from reference_tree.splitting.one_hot_encoding import one_hot
from tests.strategies import mixed_tables

CATS = Table.from_columns({"ear": ["oval", "pointy", "floppy"], "weight": [7, 9, 8], "cat": ["no", "yes", "no"]})


def test_a_category_has_a_coordinate_for_each_value() -> None:
    assert [c.name for c in coordinates_of(CATS.schema)] == ["[ear=floppy]", "[ear=oval]", "[ear=pointy]", "weight"]
    assert coordinates_of(CATS.schema, ["weight"]) == (Coordinate("weight"),)
    assert coordinates_of(CATS.schema, ["weight", "ear"]) == coordinates_of(CATS.schema)  # in table order


@pytest.mark.parametrize(("name", "message"), [("cat", "is the target"), ("tail", "there is no attribute 'tail'")])
def test_what_is_no_attribute_is_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        coordinates_of(CATS.schema, [name])


@given(mixed_tables())
def test_points_are_the_rows_one_hot_encoded(table: Table) -> None:
    """Each distinct row that is known as a whole is a point of its own, with the weight it has in the table."""
    target = table.schema.target
    coordinates = coordinates_of(table.schema)
    ones = [
        tuple(w if label == row[target.name] else 0 for label in target.domain)
        for row, w in zip(table.rows(), table.weighted(), strict=True)
    ]
    points = gathered(coordinates, zip(table.rows(), ones, strict=True), Classes(target.domain))
    expected: Counter[object] = Counter()
    unknown: Counter[object] = Counter()
    for row, weight in zip(one_hot(table).rows(), table.weighted(), strict=True):
        cells = [value for name, value in row.items() if name != target.name]
        label = row[target.name]
        if None in cells:
            unknown[label] += weight  # type: ignore[assignment]
        else:
            expected[tuple(Fraction(value) for value in cells), label] += weight  # type: ignore[arg-type,assignment]
    assert list(points.values) == sorted(points.values)
    assert {
        (point, label): weight
        for point, row in zip(points.values, points.rows, strict=True)
        for label, weight in zip(target.domain, row, strict=True)
        if weight
    } == expected
    assert points.weights == tuple(map(sum, points.rows))
    assert points.unknown == tuple(unknown[label] for label in target.domain)
