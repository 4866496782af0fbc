"""Samples in the orders of their attributes: held against counting row by row, whatever is counted."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.missing import Missing, Surrogate
from reference_tree.data.numbering import NARROW
from reference_tree.data.orders import Orders
from reference_tree.data.questions import Coordinate, Linear, Multiway, Subset, Test, Threshold
from reference_tree.data.sample import Ordered, Sample
from reference_tree.data.table import Table
from reference_tree.data.targets import Branches, Classes, Moments, Target, Values
from tests import strategies
from tests.oracles import Counted

close = st.sampled_from([2**53, 2**53 + 1, Fraction(10**17 + 1, 10**17), 1, Fraction(1, 3), -5])
"""Numbers that floats cannot tell apart."""


@st.composite
def tables(draw: st.DrawFn, rows: int = 14) -> Table:
    """Small tables with a target of either kind, of categories and numbers, with gaps and weights."""
    size = draw(st.integers(1, rows))

    def column(cells: st.SearchStrategy[Any], gaps: bool = True) -> list[Any]:
        return draw(st.lists(st.one_of(st.none(), cells) if gaps else cells, min_size=size, max_size=size))

    numeric = draw(st.booleans())
    columns: dict[str, Sequence[object]] = {
        "colour": column(st.sampled_from("rgb")),
        "mark": column(st.sampled_from("st")),
        "x": column(st.integers(0, 5)),
        "z": column(close),
        "w": column(strategies.weights if draw(st.booleans()) else st.just(1), gaps=False),
        "y": column(close if numeric else st.sampled_from("abc"), gaps=False),
    }
    continuous = ["x", "z", *(["y"] if numeric else [])]
    return Table.from_columns(
        columns, target="y", weights="w", continuous=continuous, categorical=[*columns.keys() - {*continuous, "w"}]
    )


def questions(table: Table) -> list[Test]:
    """A question of each kind about each attribute."""
    found: list[Test] = []
    for attribute in table.schema.attributes:
        if attribute.values is None:
            numbers = table.schema.numbers[attribute.name] or (0,)
            found.append(Threshold(attribute.name, numbers[len(numbers) // 2], strict=True))
            found.append(Threshold(attribute.name, Fraction(sum(numbers)) / len(numbers)))
        else:
            found.append(Multiway.on(attribute))
            found.append(Multiway(attribute.name, attribute.values[::-1][:1]))
            found.append(Subset(attribute.name, attribute.values[:1]))
    if all(attribute.values is None for attribute in table.schema.attributes[2:4]) and len(table.schema.attributes) > 3:
        found.append(Linear.of({Coordinate("x"): 2, Coordinate("z"): -1}, Fraction(1, 2)))
    return found


def as_rows(ordered: Ordered) -> list[tuple[Any, ...]]:
    """Rank, target and weight of each row; equal values stand in any order."""
    targets = [target * ordered.grain for target in ordered.targets]
    return sorted(zip(ordered.values, targets, ordered.weights, strict=True))


def assert_alike(memory: Sample, counted: Counted, tests: list[Test]) -> None:
    assert memory.target == counted.target
    assert memory.total() == counted.total()
    for test in tests:
        assert memory.partition(test) == counted.partition(test), test
    for attribute in memory.schema.attributes:
        if attribute.values is None:
            found, expected = memory.ordered(attribute.name), counted.ordered(attribute.name)
            assert as_rows(found) == as_rows(expected)
            assert (found.gaps, found.unknown) == (expected.gaps, expected.unknown)
            assert list(found.values) == [found.values[place] for place in range(len(found.values))]
            assert found.values[1:3] == list(found.values)[1:3]


def targets(table: Table, tests: list[Test], chance: random.Random) -> list[Target]:
    """Other things to count."""
    found: list[Target] = [Branches(chance.choice(tests))]
    target = table.schema.target
    if target.values is None:
        numbers = table.schema.numbers[target.name]
        found += [Moments(), Values(numbers), Values(tuple(chance.sample(numbers, (len(numbers) + 1) // 2)))]
    else:
        found.append(Classes(target.values))
    return chance.sample(found, len(found))


def rule(table: Table, test: Test, tests: list[Test], chance: random.Random) -> Missing:
    """Where rows go that do not answer."""
    branches = len(test.outcomes)
    kind = chance.choice(["fractions", "surrogates", "branch", "stay", "none"])
    if kind == "fractions":
        return Missing(shares=tuple(Fraction(chance.randrange(5), 6) for _ in range(branches)))
    if kind == "surrogates":
        asked = [one for one in tests if len(one.outcomes) == 2 and one.kind != "multiway"]
        chosen = [
            Surrogate(one, tuple(chance.randrange(branches) for _ in range(2)), Fraction(1))
            for one in chance.sample(asked, min(2, len(asked)))
            if branches
        ]
        return Missing(surrogates=tuple(chosen), to=chance.choice([None, branches - 1]) if branches else None)
    return {"branch": Missing(to=0 if branches else None), "stay": Missing(stays=True), "none": Missing()}[kind]


def assert_alike_all_the_way_down(table: Table, seed: int, depth: int = 3) -> None:
    chance = random.Random(seed)
    tests = questions(table)
    pending: list[tuple[Sample, Counted, int]] = [(table.sample(), Counted(table), depth)]
    while pending:
        memory, counted, more = pending.pop()
        assert_alike(memory, counted, tests)
        for target in targets(table, tests, chance)[: 1 if len(counted.rows) > 50 else None]:
            assert_alike(memory.against(target), counted.against(target), tests)
        if more:
            test = chance.choice(tests)
            missing = rule(table, test, tests, chance)
            both = list(zip(memory.split(test, missing), counted.split(test, missing), strict=True))
            pending += [(part, other, more - 1) for part, other in both[:3]]


@given(tables(), st.integers(0, 2**20))
def test_small_tables(table: Table, seed: int) -> None:
    assert_alike_all_the_way_down(table, seed)


def large_table(seed: int, size: int, numeric: bool, weighted: bool, missing: float = 0.1) -> Table:
    chance = random.Random(seed)

    def cell(value: Any) -> Any:
        return None if chance.random() < missing else value

    columns: dict[str, list[Any]] = {
        "colour": [cell(chance.choice("rgb")) for _ in range(size)],
        "x": [cell(chance.randrange(12)) for _ in range(size)],
        "z": [cell(Fraction(chance.randrange(3 * 10**4), 1000)) for _ in range(size)],
        "all": [Fraction(place * 7919 % size, 3) for place in range(size)],
        "w": [chance.choice([1, 2, Fraction(1, 3)]) if weighted else 1 for _ in range(size)],
        "y": [Fraction(chance.randrange(40), 8) if numeric else chance.choice("ab") for _ in range(size)],
    }
    continuous = ["x", "z", "all", *(["y"] if numeric else [])]
    return Table.from_columns(columns, target="y", weights="w", continuous=continuous)


@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("size", [NARROW, NARROW + 1, 330])
def test_large_tables(size: int, weighted: bool, numeric: bool) -> None:
    """More rows than a byte can number, and the samples below that are numbered anew."""
    assert_alike_all_the_way_down(large_table(size, size, numeric, weighted), size, depth=1)


@pytest.mark.parametrize("numeric", [False, True])
def test_halves_of_many_rows(numeric: bool) -> None:
    """Where every row answers, the rows of one part are those that are not in the other."""
    table = large_table(11, 700, numeric, weighted=False)
    for value in (20, 110, 118, 200):
        test = Threshold("all", value)
        for part, other in zip(table.sample().split(test), Counted(table).split(test), strict=True):
            assert_alike(part, other, [Threshold("x", 5), test])


def test_few_equal_values_among_many_rows() -> None:
    table = large_table(3, 600, numeric=False, weighted=False, missing=0.0)
    assert 0 < list(table.sample().ordered("z").gaps).count(0) < 10
    assert table.sample().ordered("all").gaps == b"\1" * 599
    assert_alike(table.sample(), Counted(table), [])


def test_an_order_is_found_again_where_it_was_let_go() -> None:
    """A part of one class keeps no orders. It gives them all the same."""
    table = Table.from_columns({"a": [3, 1, 2, None, 5], "b": [1, 2, 3, 4, 4], "y": list("nnnny")})
    sample: Sample = table.sample()
    pure, _ = sample.split(Threshold("b", Fraction(7, 2)))
    assert isinstance(pure, Orders)
    assert not pure._orders
    assert list(pure.ordered("a").values) == [0, 1, 2]
    assert_alike(pure, Counted(table).split(Threshold("b", Fraction(7, 2)))[0], [])


def test_weights_with_long_denominators_are_integers_over_one_unit() -> None:
    shares = (Fraction(2, 7), Fraction(5, 7))
    table = Table.from_columns({"a": [None, 1, 2, 3], "b": [None, 4, 2, 2], "y": list("nyyn")})
    sample: Sample = table.sample()
    first, _ = sample.split(Threshold("a", 2), Missing(shares))
    assert isinstance(first, Orders)
    assert first._unit == Fraction(1, 7)
    assert sorted((first._weights or {}).values()) == [2, 7, 7]
    ordered = first.ordered("b")
    assert (list(ordered.weights), ordered.unknown) == ([1, 1], (Fraction(2, 7), 0))


def test_rows_that_do_not_answer_are_left_out_against_branches() -> None:
    table = Table.from_columns({"a": [1, None, 3], "b": [1, 2, 3], "y": list("nyn")})
    against = table.sample().against(Branches(Threshold("a", 2)))
    assert against.total() == (1, 1)
    assert list(against.ordered("b").values) == [0, 2]


def test_equal_numbers_that_are_different_objects() -> None:
    many = Table.from_columns({"a": [0.5, Fraction(1, 2), 0.25, 0.5] * 9, "y": list("nyny") * 9})
    few = Table.from_columns({"a": [Fraction(n, 7) for n in range(40)] + [Fraction(3, 7)], "y": ["n"] * 41})
    for table in (many, few):
        assert_alike(table.sample(), Counted(table), [Threshold("a", Fraction(1, 2))])


def test_a_sample_without_rows() -> None:
    table = large_table(5, 300, numeric=True, weighted=False)
    empty = table.sample().split(Threshold("all", -1))[0]
    assert empty.total() == (0, 0, 0)
    assert empty.partition(Threshold("x", 3)).rows == ((0, 0, 0), (0, 0, 0))
    assert empty.ordered("z").gaps == b""
    assert [part.total() for part in empty.split(Threshold("x", 3))] == [(0, 0, 0)] * 2


def complete_table(seed: int, size: int, classes: int, weight: Any = 1) -> Table:
    """Every row has a value of each attribute but one; some values are shared."""
    chance = random.Random(seed)
    columns: dict[str, list[Any]] = {
        "few": [chance.randrange(9) for _ in range(size)],
        "gaps": [chance.choice([None, 1, 2]) for _ in range(size)],
        "nearly": [chance.randrange(40 * size) for _ in range(size)],
        "all": [place * 7919 % size for place in range(size)],
        "w": [weight] * size,
        "y": [chance.randrange(classes) for _ in range(size)],
    }
    return Table.from_columns(
        columns, target="y", weights="w", categorical=["y"], continuous=["few", "gaps", "nearly", "all"]
    )


@pytest.mark.parametrize("classes", [2, 140])
@pytest.mark.parametrize("size", [9, NARROW + 1, 700])
def test_joined_orders_are_the_orders_one_behind_the_other(size: int, classes: int) -> None:
    """At the root and below, where the classes come from the marks of a split, or are looked up."""
    table = complete_table(size, size, classes, Fraction(2, 3))
    pending: list[tuple[Sample, Sample]] = [(table.sample(), Counted(table))]
    for cut in (size // 2, 3 * size // 4):
        memory, counted = pending[-1]
        test = Threshold("all", cut)
        pending += zip(memory.split(test), counted.split(test), strict=True)
    for memory, counted in pending:
        assert isinstance(memory, Orders)
        if memory.target.is_pure(memory.total()):  # nobody asks for its orders
            continue
        for names in (["few", "nearly", "all"], ["all", "few"]):
            found = memory.joined(["gaps", *names])
            assert found is not None
            assert (found.attributes, found.unit) == (names, Fraction(2, 3))
            orders = [memory.ordered(name) for name in names]
            assert found.labels == b"".join(bytes(order.targets) for order in orders)
            assert found.gaps == b"\1".join(order.gaps for order in orders)
            for name, order in zip(names, orders, strict=True):
                assert as_rows(order) == as_rows(counted.ordered(name))


def test_orders_that_are_not_joined() -> None:
    table = complete_table(1, 20, 2)
    sample: Sample = table.sample()
    assert isinstance(sample, Orders)
    assert sample.joined(["gaps"]) is None
    pure = sample.against(Classes(("0",)))
    assert isinstance(pure, Orders)
    assert pure.split(Threshold("all", 9))[0].total() == (table.sample().split(Threshold("all", 9))[0].total()[0],)
    shares = Missing((Fraction(1, 3), Fraction(2, 3)))
    weighed = sample.split(Threshold("gaps", 1), shares)[0]
    assert isinstance(weighed, Orders)
    assert weighed.joined(["all"]) is None
    numbers = large_table(3, 20, numeric=True, weighted=False).sample()
    assert isinstance(numbers, Orders)
    assert numbers.joined(["all"]) is None
