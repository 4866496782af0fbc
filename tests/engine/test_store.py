"""The store of the engine: whatever is asked, the answer is that of the rows counted one by one, types included."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing, Multiway, Threshold
from reference_tree.data.table import Table
from reference_tree.data.targets import Branches, Classes
from reference_tree.engine.deferred import deferred
from reference_tree.engine.integer_columns import multiples
from reference_tree.engine.store import Store, whole_sample
from reference_tree.splitting.missing_rules import without_value
from reference_tree.twins import by_the_book
from tests.data.test_sample import of_the_book
from tests.oracles import Counted
from tests.sample_stores import assert_alike, assert_alike_all_the_way_down, large_table, questions, tables
from tests.strategies import fractions


def stored(table: Table) -> Store:
    sample = whole_sample(table)
    assert isinstance(sample, Store)
    return sample


@pytest.mark.slow
@given(tables(), st.integers(0, 2**20))
def test_it_answers_as_the_store_of_the_book(table: Table, seed: int) -> None:
    assert_alike_all_the_way_down(table, stored, of_the_book, seed, types=True)


LARGE: dict[str, dict[str, Any]] = {
    "plain": {"size": 260},
    "nothing missing": {"size": 60, "missing": 0.0},
    "everything missing": {"size": 30, "missing": 1.0},
    "whole weights": {"size": 200, "weights": (1, 2, 7)},
    "weights of missing values": {"size": 200, "weights": (1, Fraction(1, 3), Fraction(5, 13), Fraction(2, 7))},
    "one weight": {"size": 60, "weights": (Fraction(2, 3),)},
    "floats": {"size": 60, "weights": (0.1, 0.2, 1.0)},
}


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.parametrize(
    "options",
    [pytest.param(made, id=kind, marks=pytest.mark.slow if made["size"] > 100 else ()) for kind, made in LARGE.items()],
)
def test_more_rows_of_many_values(options: dict[str, Any], numeric: bool) -> None:
    table = large_table(7, numeric=numeric, **options)
    assert_alike_all_the_way_down(table, stored, Counted, 5, depth=1)


@pytest.mark.parametrize("classes", [8, 9, pytest.param(300, marks=pytest.mark.slow)])
def test_as_many_classes_as_it_likes(classes: int) -> None:
    """Few classes are counted as bytes, and 300 fit in none."""
    size = max(40, 2 * classes)
    columns: dict[str, list[Any]] = {
        "a": [None if place % 7 == 0 else f"v{place % 3}" for place in range(size)],
        "x": [place % 11 for place in range(size)],
        "y": [f"c{place % classes:03}" for place in range(size)],
    }
    table = Table.from_columns(columns)
    assert_alike_all_the_way_down(table, stored, Counted, 1, depth=1)
    labels = stored(table).cells(range(size))
    assert isinstance(labels, bytes) == (classes <= 256)


def test_an_id_column() -> None:
    ids = [f"v{row:03}" for row in range(300)] + [None, None]
    table = Table.from_columns({"id": ids, "y": ["ny"[row % 2] for row in range(300)] + ["n", "y"]})
    share = Fraction(1, 300)
    parts = stored(table).split(Multiway.on(table.schema.attribute("id")), Missing((share,) * 300))
    assert {part.total() for part in parts} == {(1 + share, share), (share, 1 + share)}


LONG = deferred(Fraction(3**600, 7**600))
"""A share that is not multiplied out."""


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("share", [Fraction(1, 300), LONG], ids=["short", "long"])
def test_an_id_column_of_rows_that_weigh_more_than_one(share: Any) -> None:
    """Of 300 values, and once more below: weights are multiplied, and not set anew."""
    columns: dict[str, list[Any]] = {
        "id": [f"v{row:03}" for row in range(300)] + [None, None],
        "x": [row % 2 for row in range(300)] + [None, 1],
        "y": ["ny"[row % 2] for row in range(300)] + ["n", "y"],
        "w": [2 + row % 3 for row in range(300)] + [5, 7],
    }
    table = Table.from_columns(columns, "y", weights="w")
    question, again = Multiway.on(table.schema.attribute("id")), Threshold("x", Fraction(1, 2))
    down = [Missing((share,) * 300), Missing((share, Fraction(1, 3)))]
    parts, others = (sample.split(question, down[0]) for sample in (stored(table), of_the_book(table)))
    for part, other in zip(parts, others, strict=True):
        assert part.total() == other.total()
        halves = zip(part.split(again, down[1]), other.split(again, down[1]), strict=True)
        assert all(half.total() == its.total() for half, its in halves)
    assert parts[0].total() == (2 + 5 * share, 7 * share)


def test_a_sample_without_rows_answers_too() -> None:
    for numeric in (False, True):
        table = large_table(5, 40, numeric)
        below = Threshold("all", -1)
        empty, other = stored(table).split(below)[0], of_the_book(table).split(below)[0]
        assert not any(empty.total())
        assert_alike(empty, other, questions(table), types=True)
        assert [part.total() for part in empty.split(Threshold("x", 3))] == [empty.total()] * 2


def test_questions_change_nothing() -> None:
    table = large_table(9, 60, False, weights=(1, 2))
    sample, before = stored(table), of_the_book(table)
    for test in questions(table):
        sample.split(test)
        sample.partition(test)
    assert_alike(sample, before, questions(table))


def test_equal_numbers_that_are_different_objects() -> None:
    many = Table.from_columns({"a": [0.5, Fraction(1, 2), 0.25, 0.5] * 9, "y": list("nyny") * 9})
    few = Table.from_columns({"a": [Fraction(n, 7) for n in range(40)] + [Fraction(3, 7)], "y": ["n"] * 41})
    for table in (many, few):
        assert_alike(stored(table), of_the_book(table), [Threshold("a", Fraction(1, 2))], types=True)


# How it does it.


def test_weights_with_long_denominators_are_integers_over_one_unit() -> None:
    table = Table.from_columns({"a": [None, 1, 2, 3], "b": [None, 4, 2, 2], "y": list("nyyn")})
    first, _ = stored(table).split(Threshold("a", 2), Missing((Fraction(2, 7), Fraction(5, 7))))
    assert first.unit == Fraction(1, 7)
    assert sorted((first.weights or {}).values()) == [2, 7, 7]
    assert (first.ordered("b").rows, first.ordered("b").unknown) == ([(0, 1), (0, 1)], (Fraction(2, 7), 0))


def test_weights_that_come_to_the_same_are_not_kept() -> None:
    """A row of weight 1/2, and one of weight 1 of which half comes here."""
    table = Table.from_columns(
        {"a": ["p", None, "q"], "y": list("nnn"), "w": [Fraction(1, 2), 1, 1]}, target="y", weights="w"
    )
    part, _ = stored(table).split(Multiway.on(table.schema.attribute("a")), Missing((Fraction(1, 2), Fraction(1, 2))))
    assert (part.weights, part.unit) == (None, Fraction(1, 2))


def test_a_column_in_which_all_values_differ_has_no_ranks() -> None:
    table = large_table(3, 50, numeric=False)
    sample = stored(table)
    assert sample.order("all").ranks is None
    assert sample.order("x").ranks == sorted(sample.order("x").ranks or ())


@given(st.lists(fractions(0, 9, max_denominator=30).filter(bool), min_size=1, max_size=9))
def test_multiples_of_the_largest_unit(weights: list[Fraction]) -> None:
    whole, unit = multiples(weights)
    assert [each * unit for each in whole] == weights
    smaller = [Fraction(weight) / (2 * Fraction(unit)) for weight in weights]
    assert any(each.denominator > 1 for each in smaller)


def test_what_is_not_there_is_left_out() -> None:
    table = Table.from_columns({"a": [1, None, 3], "b": [1, 2, 3], "y": list("nyn")})
    against = stored(table).against(Branches(Threshold("a", 2)))
    assert (against.total(), against.ordered("b").values) == ((1, 1), [1, 3])
    assert stored(table).against(Classes(("y",))).total() == (1,)
    with pytest.raises(InputError, match="the attribute c is categorical"):
        stored(Table.from_columns({"c": ["p"], "y": ["n"]})).ordered("c")


def test_a_table_of_another_kind_is_kept_by_the_book() -> None:
    """The engine's columns are those of a `Table`; who brings rows of their own is answered too."""
    table = large_table(1, 20, numeric=False)

    class Rows:
        name, schema = "rows", table.schema

        def sample(self) -> Any:
            return whole_sample(self)

        def rows(self) -> Any:
            return table.rows()

        def weighted(self) -> Any:
            return table.weighted()

    assert_alike(Rows().sample(), of_the_book(table), questions(table), types=True)


def test_the_rows_may_come_in_any_order() -> None:
    table = large_table(11, 40, numeric=True, weights=(1, 3))
    rows = list(zip(table.rows(), table.weighted(), strict=True))
    random.Random(2).shuffle(rows)
    assert_alike(stored(table), Counted(table, rows), questions(table))


def parts(table: Table) -> list[Any]:
    """The root, and the parts of its first question."""
    first, root = table.schema.attributes[0], stored(table)
    test = Threshold(first.name, 1) if first.values is None else Multiway.on(first)
    shares = Missing(tuple(Fraction(1, len(test.outcomes)) for _ in test.outcomes))
    return [root, *root.split(test, shares)]


@given(tables())
def test_the_rows_without_a_value(table: Table) -> None:
    """Counted by the book, at the root and below: of the same types."""
    for sample in parts(table):
        for attribute in table.schema.attributes:
            with by_the_book():
                expected = without_value(sample, attribute)
            found = without_value(sample, attribute)
            assert found == expected
            assert list(map(type, found)) == list(map(type, expected))
