"""Packed rows: held against counting row by row. More of the same is in `test_bit_sets`, down several splits."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from reference_tree.data.bit_sets import Rows
from reference_tree.data.missing import Missing
from reference_tree.data.packed_rows import LONGEST, PackedRows, unpacked
from reference_tree.data.questions import Multiway, Subset
from reference_tree.data.table import Table
from tests import strategies
from tests.oracles import Counted


def drawn(rows: int, values: int = 3, classes: int = 2, missing: float = 0.0, seed: int = 0) -> Table:
    """A table of two attributes, of which only the first one lacks values."""
    chance = random.Random(seed)
    first = [None if chance.random() < missing else f"v{chance.randrange(values)}" for _ in range(rows)]
    second = [f"w{chance.randrange(values)}" for _ in range(rows)]
    labels = [f"c{row if row < classes else chance.randrange(classes):03}" for row in range(rows)]
    return Table.from_columns({"a": first, "b": second, "y": labels})


def packed_rows(table: Table) -> PackedRows:
    """The table's sample, which is packed."""
    sample = table.sample()
    assert isinstance(sample, PackedRows)
    return sample


def crosstab(table: Table, name: str) -> dict[Any, Counter[Any]]:
    """Value → class → number of rows."""
    found: dict[Any, Counter[Any]] = {}
    for row in table.rows():
        found.setdefault(row[name], Counter())[row["y"]] += 1
    return found


def assert_counted(table: Table) -> None:
    sample, counted = packed_rows(table), {name: crosstab(table, name) for name in "ab"}
    classes = table.schema.target.domain
    for attribute in table.schema.attributes:
        of = counted[attribute.name]
        partition = sample.partition(Multiway.on(attribute))
        assert partition.rows == tuple(tuple(of.get(v, Counter())[c] for c in classes) for v in attribute.domain)
        assert partition.unknown == tuple(of.get(None, Counter())[c] for c in classes)
        for part, row in zip(sample.split(Multiway.on(attribute)), partition.rows, strict=True):
            assert part.total() == row
    packed = sample.packed()
    for test, table_of in zip(packed.tests, packed.tables, strict=True):
        assert tuple(unpacked(table_of, len(classes), packed.wide)) == sample.partition(test).rows
    assert unpacked(packed.whole, len(classes), packed.wide) == [sample.total()] == [packed.total]


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("classes", [1, 2, 3, 20])
@pytest.mark.parametrize("rows", [20, 255, 256, 511])
def test_sums_of_few_rows(rows: int, classes: int, missing: float) -> None:
    """A cell takes a byte for up to 255 rows, and two for more."""
    table = drawn(rows, classes=classes, missing=missing)
    assert_counted(table)
    assert packed_rows(table).packed().wide == (1 if rows <= 255 else 2)


@pytest.mark.parametrize(("rows", "wide"), [(65_535, 2), (65_536, 4)])
def test_sums_of_many_rows(rows: int, wide: int) -> None:
    """A cell takes four bytes for more than 65 535 rows."""
    table = drawn(rows, missing=0.3)
    assert_counted(table)
    assert packed_rows(table).packed().wide == wide


@pytest.mark.parametrize("rows", [255, 256, 65_536])
def test_a_cell_can_hold_all_rows(rows: int) -> None:
    """No carry goes over into the next cell."""
    table = Table.from_columns({"a": ["x"] * rows, "b": ["x"] * (rows - 1) + ["y"], "y": ["no"] * rows})
    sample = table.sample()
    assert sample.partition(Multiway("a", ("x",))).rows == ((rows,),)
    assert sample.partition(Multiway("b", ("x", "y"))).rows == ((rows - 1,), (1,))


@given(strategies.categorical_tables())
def test_the_tables_are_those_of_the_partitions(table: Table) -> None:
    packed, counted = packed_rows(table).packed(), Counted(table)
    for test, cells in zip(packed.tests, packed.tables, strict=True):
        assert tuple(unpacked(cells, len(packed.total), packed.wide)) == counted.partition(test).rows


def test_which_tables_are_packed() -> None:
    """Such as have no weights and no numbers, and whose rows are no longer than they may be."""
    fits, too_long = [[f"v{row % values}" for row in range(2 * values)] for values in (LONGEST // 2 - 1, LONGEST // 2)]
    for column, kind in ((fits, PackedRows), (too_long, Rows)):
        assert isinstance(Table.from_columns({"a": column, "y": [*"ny"] * (len(column) // 2)}).sample(), kind)
    weighed = Table.from_columns({"a": ["x", "z"], "y": ["no", "yes"], "w": [1, 2]}, target="y", weights="w")
    assert isinstance(weighed.sample(), Rows)


def test_rows_that_divide_are_left_to_the_sets() -> None:
    table = drawn(400, missing=0.2)
    test = Multiway.on(table.schema.attributes[0])
    shares = Missing((Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)))
    parts = zip(table.sample().split(test, shares), Counted(table).split(test, shares), strict=True)
    assert all(part.total() == other.total() for part, other in parts)
    for stays in (Missing(), Missing(stays=True)):
        parts = zip(table.sample().split(test, stays), Counted(table).split(test, stays), strict=True)
        assert all(isinstance(part, PackedRows) and part.total() == other.total() for part, other in parts)


def test_parts_by_a_set_of_values_are_packed_too() -> None:
    table = drawn(400, missing=0.2)
    test = Subset("a", ("v0", "v2"))
    for part, other in zip(table.sample().split(test), Counted(table).split(test), strict=True):
        assert isinstance(part, PackedRows)
        assert part.partition(Multiway("b", ("w0", "w1", "w2"))) == other.partition(Multiway("b", ("w0", "w1", "w2")))


def test_no_attribute_at_all() -> None:
    sample = packed_rows(Table.from_columns({"y": ["no", "yes", "no"]}))
    assert (sample.total(), sample.packed().tables) == ((2, 1), [])
