"""Samples in memory: held against counting row by row, down several splits."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.bit_sets import Block, Rows
from reference_tree.data.columns import Codes
from reference_tree.data.errors import InputError
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Multiway, Subset, Test, Threshold
from reference_tree.data.sample import Ordered, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from tests import strategies
from tests.oracles import Counted


def questions(table: Table, chance: random.Random) -> list[Test]:
    """A question of each kind that can be asked of each attribute, the branches in any order."""
    found: list[Test] = []
    for attribute in table.schema.attributes:
        if attribute.values is None:
            numbers = table.schema.numbers[attribute.name] or (0,)
            found.append(Threshold(attribute.name, chance.choice(numbers), strict=chance.random() < 0.5))
            found.append(Threshold(attribute.name, Fraction(sum(numbers)) / len(numbers)))
        else:
            values = attribute.values
            shuffled = chance.sample(values, len(values))
            found.append(Multiway.on(attribute))
            found.append(Multiway(attribute.name, tuple(shuffled)))
            found.append(Multiway(attribute.name, tuple(shuffled[: len(values) // 2])))
            found.append(Subset(attribute.name, tuple(shuffled[: len(values) // 2])))
    return found


def samples(table: Table) -> list[Sample]:
    """The table in each form in which it can be kept: what suits it best, and sets, if it has no numbers."""
    if any(attribute.values is None for attribute in (*table.schema.attributes, table.schema.target)):
        return [table.sample()]
    return [table.sample(), Rows.of(table.schema, cast(Mapping[str, Codes], table.columns), table.weights)]


def as_rows(ordered: Ordered) -> list[tuple[Any, ...]]:
    """Rank, target and weight of each row; equal values stand in any order."""
    targets = [target * ordered.grain for target in ordered.targets]
    return sorted(zip(ordered.values, targets, ordered.weights, strict=True))


def assert_alike(memory: Sample, counted: Counted, tests: list[Test]) -> None:
    """Both give the same answers to every question."""
    assert memory.schema == counted.schema
    assert memory.total() == counted.total()
    for test in tests:
        assert memory.partition(test) == counted.partition(test)
    for attribute in memory.schema.attributes:
        if attribute.kind == "continuous":
            found, expected = memory.ordered(attribute.name), counted.ordered(attribute.name)
            assert as_rows(found) == as_rows(expected)
            assert list(found.values) == list(expected.values)
            assert (found.gaps, found.unknown) == (expected.gaps, expected.unknown)


def assert_alike_all_the_way_down(table: Table, seed: int, depth: int = 3) -> None:
    """The same for the parts (a few, where there are hundreds), the parts of the parts, and so on."""
    chance = random.Random(seed)
    tests = questions(table, chance)
    for sample in samples(table):
        for test in tests:
            parts = zip(sample.split(test), Counted(table).split(test), strict=True)
            assert all(part.total() == other.total() for part, other in parts)
    pending = [(sample, Counted(table), depth) for sample in samples(table)]
    while pending:
        memory, counted, more = pending.pop()
        assert_alike(memory, counted, tests)
        if more:
            test = chance.choice(tests)
            shares = chance.choice([(), tuple(Fraction(chance.randrange(5), 4) for _ in test.outcomes)])
            both = list(zip(memory.split(test, Missing(shares)), counted.split(test, Missing(shares)), strict=True))
            assert all(part.total() == other.total() for part, other in both)
            some = both if len(both) < 6 else chance.sample(both, 4)
            pending += [(part, other, more - 1) for part, other in some]


@given(strategies.mixed_tables(), st.integers(0, 2**20))
def test_small_tables(table: Table, seed: int) -> None:
    assert_alike_all_the_way_down(table, seed)
    assert_alike_all_the_way_down(categorical_part(table), seed)


def categorical_part(table: Table) -> Table:
    """The table without its numbers: one that is kept in sets."""
    return table.without([a.name for a in table.schema.attributes if a.values is None])


def large_table(
    seed: int,
    size: int,
    levels: int = 4,
    classes: int = 2,
    missing: float = 0.1,
    weights: tuple[Any, ...] = (),
    numbers: int = 20,
) -> Table:
    chance = random.Random(seed)

    def cell(value: Any) -> Any:
        return None if chance.random() < missing else value

    columns: dict[str, list[Any]] = {
        "even": [f"v{row:04}" if row < levels else cell(f"v{chance.randrange(levels):04}") for row in range(size)],
        "rare": [cell("common" if chance.random() < 0.97 else f"rare{chance.randrange(levels)}") for _ in range(size)],
        "number": [cell(Fraction(chance.randrange(numbers), 3)) for _ in range(size)],
        "weight": [chance.choice(weights or (1,)) for _ in range(size)],
        "y": [f"c{row if row < classes else chance.randrange(classes):04}" for row in range(size)],
    }
    if not weights:
        del columns["weight"]
    names = ["even", "rare", "y"]
    return Table.from_columns(
        columns, target="y", weights="weight" if weights else None, categorical=names, continuous=["number"]
    )


LARGE: dict[str, dict[str, Any]] = {
    "plain": {"size": 700},
    "nothing missing": {"size": 300, "missing": 0.0},
    "everything missing": {"size": 40, "missing": 1.0},
    "weights": {"size": 500, "weights": (1, 2, 7)},
    "weights of missing values": {"size": 500, "weights": (1, Fraction(1, 3), Fraction(5, 13), Fraction(2, 7))},
    "as many weights as rows": {"size": 320, "weights": tuple(Fraction(1, n) for n in range(1, 400))},
    "254 values": {"size": 300, "levels": 254},
    "255 values": {"size": 300, "levels": 255},
    "256 values": {"size": 300, "levels": 256},
    "256 values with weights": {"size": 800, "levels": 256, "weights": (1, Fraction(1, 3), 2)},
    "an ID": {"size": 300, "levels": 300},
    "an ID with weights": {"size": 300, "levels": 300, "weights": (1, Fraction(1, 3))},
    "300 classes": {"size": 700, "classes": 300},
    "300 classes, 300 values": {"size": 340, "classes": 300, "levels": 300},
    "as many numbers as rows": {"size": 400, "numbers": 10**9},
    "one class": {"size": 100, "classes": 1},
}


@pytest.mark.parametrize("options", LARGE.values(), ids=LARGE)
def test_large_tables(options: dict[str, Any]) -> None:
    table = large_table(0, **options)
    assert_alike_all_the_way_down(table, 0, depth=2)
    assert_alike_all_the_way_down(categorical_part(table), 0, depth=2)


def test_small_samples_of_large_tables_are_repacked() -> None:
    """A part of one row in sixteen or fewer gets a block of its own, so that its sets are as short as it is."""
    table = categorical_part(large_table(5, 4000, weights=(1, Fraction(1, 3))))
    sample = table.sample()
    (rare,) = (part for part in sample.split(Multiway("rare", ("rare0",))))
    (common,) = (part for part in sample.split(Multiway("rare", ("common",))))
    assert isinstance(sample, Rows)
    assert isinstance(rare, Rows)
    assert isinstance(common, Rows)
    assert 10 < sum(rare.total()) < 60
    assert rare._block.size < 60
    assert common._block is sample._block
    tests = questions(table, random.Random(0))
    assert_alike(rare, Counted(table).split(Multiway("rare", ("rare0",)))[0], tests)


def test_categories_have_no_order() -> None:
    with pytest.raises(InputError, match="the attribute a is categorical"):
        GAPS.sample().ordered("a")


def test_samples_without_rows_answer_too() -> None:
    table = large_table(1, 50)
    empty = table.sample().split(Multiway("rare", ("common",)))[0].split(Multiway("rare", ("rare0",)))[0]
    assert empty.total() == (0, 0)
    for test in questions(table, random.Random(2)):
        partition = empty.partition(test)
        assert set(partition.rows) <= {(0, 0)}
        assert partition.unknown == (0, 0)
        assert all(part.total() == (0, 0) for part in empty.split(test))
    ordered = empty.ordered("number")
    assert (list(ordered.values), list(ordered.targets), ordered.gaps, ordered.unknown) == ([], [], b"", (0, 0))


def test_what_stands_in_a_block() -> None:
    block = Block(4, {"a": bytes([0, 1, 0, 2])}, {"a": ("x", "y")})
    assert block.sets("a") == (0b1010, 0b0100, 0b0001)
    assert block.everyone == 0b1111
    assert block.where("a", [True, True, False]) == 0b1110
    assert block.members(0b0100) == [False, True, False, False]
    assert block.take(0b0101).sets("a") == (0b00, 0b10, 0b01)
    assert Block(0, {"a": b""}, {"a": ("x",)}).sets("a") == (0, 0)


def test_values_that_no_row_has_are_branches_too() -> None:
    table = Table.from_columns({"a": ["x", "z"], "y": ["no", "yes"]})
    declared = Attribute("a", ("w", "x", "y", "z"))
    partition = table.sample().partition(Multiway.on(declared))
    assert partition.rows == ((0, 0), (1, 0), (0, 0), (0, 1))
    assert [outcome.value for outcome in partition.outcomes] == ["w", "x", "y", "z"]


def test_a_sample_is_not_changed_by_questions() -> None:
    table = large_table(9, 200, weights=(1, 2))
    sample, before = table.sample(), Counted(table)
    for test in questions(table, random.Random(3)):
        sample.split(test)
    assert_alike(sample, before, questions(table, random.Random(4)))


# Rows without an answer, which go down the branches by their shares.

GAPS = Table.from_columns({"a": ["p", "q", None, None, "q"], "b": ["s", None, "s", None, "t"], "y": list("nyynn")})
A, B = (Multiway.on(GAPS.schema.attribute(name)) for name in "ab")


def test_a_row_without_an_answer_goes_down_each_branch_by_its_share() -> None:
    first, second = GAPS.sample().split(A, Missing((Fraction(1, 3), Fraction(2, 3))))
    assert first.total() == (1 + Fraction(1, 3), Fraction(1, 3))
    assert second.total() == (1 + Fraction(2, 3), 1 + Fraction(2, 3))
    assert first.partition(B).unknown == (Fraction(1, 3), 0)
    assert [part.total() for part in GAPS.sample().split(A)] == [(1, 0), (1, 1)]


def test_shares_multiply_on_the_way_down_and_add_up_to_the_row() -> None:
    shares = (Fraction(1, 3), Fraction(2, 3)), (Fraction(3, 4), Fraction(1, 4))
    below = [part.split(B, Missing(shares[1])) for part in GAPS.sample().split(A, Missing(shares[0]))]
    assert below[0][1].total() == (Fraction(1, 3) * Fraction(1, 4), 0)
    whole = [sum(counts) for counts in zip(*(part.total() for parts in below for part in parts), strict=True)]
    assert tuple(whole) == GAPS.sample().total()


def test_a_branch_without_a_share_gets_nobody() -> None:
    first, second = GAPS.sample().split(A, Missing((0, 1)))
    assert (first.total(), second.total()) == ((1, 0), (2, 2))
    assert first.partition(B).unknown == (0, 0)


def test_weights_that_come_to_the_same_are_one_set() -> None:
    """Rows of weight 1/2, and rows of weight 1 of which half comes here, are counted together."""
    table = Table.from_columns(
        {"a": ["p", None, "q"], "y": list("nnn"), "w": [Fraction(1, 2), 1, 1]}, target="y", weights="w"
    )
    part, _ = table.sample().split(Multiway.on(table.schema.attribute("a")), Missing((Fraction(1, 2), Fraction(1, 2))))
    assert isinstance(part, Rows)
    assert part._parts == ((Fraction(1, 2), 0b110),)


@pytest.mark.parametrize("levels", [200, 300])
def test_shares_of_an_id_column(levels: int) -> None:
    """With more values than a byte has numbers, the parts are gathered row by row: to the same effect."""
    ids = [f"v{row:03}" for row in range(levels)] + [None, None]
    table = Table.from_columns({"id": ids, "y": ["ny"[row % 2] for row in range(levels)] + ["n", "y"]})
    share = Fraction(1, levels)
    parts = table.sample().split(Multiway.on(table.schema.attribute("id")), Missing((share,) * levels))
    assert {part.total() for part in parts} == {(1 + share, share), (share, 1 + share)}
