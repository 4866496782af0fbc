"""Hold-out: every class gives its share, the same seed the same rows, and a part knows nothing of the other."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil, floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.selection.holdout import dealt, divided, error, holdout, take
from tests import strategies
from tests.every import of_every
from tests.strategies import fractions

shares = fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)
seeds = st.integers(0, 10**6)


def numbered(classes: str) -> Table:
    """A table whose first column numbers the rows."""
    return Table.from_columns({"row": list(range(len(classes))), "y": list(classes)}, categorical=["y"])


def rows(table: Table) -> list[Any]:
    return list(table.columns["row"])


@pytest.mark.covers("N2 §3.1 hold-out", "N3 Avoiding Overfitting: validation set", "N3 Reduced-Error Pruning: split")
@given(st.text("abc", min_size=2, max_size=60), shares, seeds, st.booleans())
def test_a_table_is_divided_and_each_class_gives_its_share(
    classes: str, share: Fraction, seed: int, stratified: bool
) -> None:
    table = numbered(classes)
    if not 1 <= share * len(classes) <= len(classes) - 1:
        with pytest.raises(InputError, match="leaves a part without rows"):
            holdout(table, seed, share, stratified=stratified)
        return
    split = holdout(table, seed, share, stratified=stratified)
    training, validation = rows(split.training), rows(split.validation)
    assert sorted(training + validation) == list(range(len(classes)))
    assert training == sorted(training), "in the order of the file"
    assert validation == sorted(validation)
    assert len(validation) in (floor(share * len(classes)), ceil(share * len(classes)))
    if stratified:
        held = Counter(classes[row] for row in validation)
        for label, count in Counter(classes).items():
            assert floor(share * count) <= held[label] <= ceil(share * count)


def test_the_rows_that_a_seed_means_will_never_change() -> None:
    marked = numbered("a" * 50 + "b" * 50 + "c" * 50)
    first = holdout(marked, seed=1)
    assert [len(first.training), len(first.validation)] == [100, 50]
    assert rows(holdout(marked, seed=1).validation)[:12] == [5, 8, 14, 21, 26, 27, 28, 32, 34, 36, 38, 39]
    assert rows(holdout(marked, seed=2).validation)[:12] == [0, 4, 5, 6, 8, 23, 25, 26, 31, 32, 36, 39]
    unstratified = holdout(marked, seed=1, stratified=False)
    assert rows(unstratified.validation)[:12] == [0, 8, 9, 13, 14, 16, 22, 25, 28, 29, 33, 36]


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("stratified", [True, False])
def test_all_rows_are_held_out_about_equally_often(stratified: bool) -> None:
    """Two of ten rows, 600 times: 120 for each, be its class rare or common, first or last."""
    table, share = numbered("aaaabbbbbb"), Fraction(1, 5)
    parts = (holdout(table, seed, share, stratified=stratified).validation for seed in range(600))
    counts = Counter(row for part in parts for row in rows(part))
    assert set(counts) == set(range(10))
    assert all(85 < count < 155 for count in counts.values()), counts


@given(st.text("abc", min_size=1, max_size=30), seeds)
def test_rows_are_dealt_class_by_class(classes: str, seed: int) -> None:
    order = dealt(numbered(classes), Chance(seed))
    assert sorted(order) == list(range(len(classes)))
    assert [classes[row] for row in order] == sorted(classes)


def test_a_numeric_target_has_no_classes_to_deal_by() -> None:
    table = Table.from_columns({"x": list(range(9)), "y": list(range(9))})
    assert dealt(table, Chance(4)) == dealt(table, Chance(4), stratified=False)
    split = holdout(table, seed=4)
    assert (len(split.training), len(split.validation)) == (6, 3)


@of_every([0, 1, -1, 2, Fraction(3, 2), float("nan"), float("inf"), "half"])
def test_a_share_that_is_none_is_refused(share: Any) -> None:
    with pytest.raises(InputError, match="lies between 0 and 1"):
        holdout(rt.textbook("play-tennis"), 1, share)


# ------------------------------------------------------------------------------------------------------- taking rows


@given(strategies.mixed_tables(), st.data())
def test_what_is_taken_is_what_is_there(table: Table, data: st.DataObject) -> None:
    numbers = data.draw(st.lists(st.integers(0, len(table) - 1), min_size=1, max_size=20))
    part, whole = take(table, numbers), list(table.rows())
    assert list(part.rows()) == [whole[number] for number in numbers]
    assert list(part.weighted()) == [table.weighted()[number] for number in numbers]
    assert part.schema.attributes == table.schema.attributes
    assert sum(part.sample().total()) == sum(part.weighted())
    known = {row["size"] for row in part.rows()} - {None}
    assert part.schema.numbers["size"] == tuple(sorted(known))  # type: ignore[type-var]


def test_a_threshold_does_not_know_the_rows_that_were_held_out() -> None:
    table = Table.from_columns({"x": [0, 4, 5, 10], "y": ["no", "yes", "no", "yes"]})
    tree = rt.C45().grow(take(table, [0, 3]))
    assert [node.test.name for node in tree.nodes if node.test] == ["x<=5"]
    assert tree == rt.C45().grow(Table.from_columns({"x": [0, 10], "y": ["no", "yes"]}))


def test_a_value_that_no_row_has_can_still_come() -> None:
    table = rt.textbook("play-tennis")
    cloudless = [number for number, row in enumerate(table.rows()) if row["outlook"] != "overcast"]
    tree = rt.ID3().grow(take(table, cloudless))
    root = next(n for n in tree.nodes if n.test is not None and n.test.attribute == "outlook")
    assert len(root.branches) == 3
    assert error(tree, table) < 1


def test_no_rows_are_no_table() -> None:
    with pytest.raises(InputError, match="there are no rows"):
        take(rt.textbook("play-tennis"), [])
    with pytest.raises(InputError, match="there are no rows"):
        divided(rt.textbook("play-tennis"), range(14))


# ----------------------------------------------------------------------------------------------------------- the error


@given(strategies.categorical_tables(rows=14), strategies.categorical_tables(rows=14))
def test_the_error_is_what_is_wrong_row_by_row(table: Table, other: Table) -> None:
    tree = rt.ID3(max_depth=1).grow(table)
    found = [tree.predict(row, "majority") != row["y"] for row in table.rows()]
    assert error(tree, table) == Fraction(sum(found), len(found))
    assert error(tree, table) == 1 - tree.accuracy(table)


def test_the_error_counts_weights() -> None:
    table = Table.from_columns({"a": ["u", "v"], "y": ["no", "yes"], "w": [1, 3]}, "y", weights="w")
    assert error(rt.ID3(max_depth=0).grow(table), table) == Fraction(1, 4)


def test_another_target_is_refused() -> None:
    with pytest.raises(InputError, match="predicts play"):
        error(rt.ID3().grow(rt.textbook("play-tennis")), rt.textbook("loan"))


@of_every([0.0001, Fraction(1, 10**300), 1e-300])
def test_a_share_that_leaves_no_row_says_so(share: Any) -> None:
    with pytest.raises(InputError, match="of 150 rows leaves a part without rows"):
        holdout(rt.textbook("iris"), 1, share)


def test_a_share_that_no_generator_could_draw_is_refused() -> None:
    with pytest.raises(InputError, match="a denominator of at most 2\\^64"):
        holdout(rt.textbook("iris"), 1, Fraction(1, 3) + Fraction(1, 10**30))


@pytest.mark.parametrize("row", [-1, 14])
def test_a_row_that_is_not_there_is_refused(row: int) -> None:
    for act in (lambda: divided(rt.textbook("play-tennis"), [0, row]), lambda: take(rt.textbook("play-tennis"), [row])):
        with pytest.raises(InputError, match=f"there is no row {row}; the rows are 0 to 13"):
            act()
