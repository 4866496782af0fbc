"""Surrogates: every stand-in tried on the rows themselves, and the association of the book."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.data.questions import SeenSubset, Subset, Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.data.targets import Branches
from reference_tree.programs.cart_options import DENOMINATORS
from reference_tree.programs.rpart.rules import primary_known
from reference_tree.splitting.surrogates import (
    agreement,
    association,
    best_surrogate,
    both_known,
    larger_side,
    surrogates,
)
from tests.every import of_every
from tests.strategies import fractions, tables_with_gaps

PRIMARY = Threshold("x", Fraction(3, 2))
Rows = list[tuple[dict[str, Any], Fraction]]


def weighted(table: Table) -> Rows:
    return [(row, Fraction(w)) for row, w in zip(table.rows(), table.weighted(), strict=True)]


def stand_ins(rows: Rows, name: str, domain: tuple[str, ...] | None) -> Iterator[Any]:
    """Every way to ask an attribute: a function from a value to whether it is on the left, with what it sends where."""
    found = {row[name] for row, _ in rows} - {None}
    if domain is None:
        for a, b in pairwise(sorted(found)):
            cut = Fraction(a + b) / 2
            yield lambda value, cut=cut: value <= cut
            yield lambda value, cut=cut: value > cut
    else:
        for size in range(len(found) + 1):
            for some in combinations(sorted(found), size):
                yield lambda value, some=some: value in some


def right_by(rows: Rows, name: str, is_left: Any) -> Fraction:
    """The weight of the rows with both values and that a stand-in sends where they belong."""
    return sum(
        (w for row, w in rows if None not in (row["x"], row[name]) and is_left(row[name]) == (row["x"] <= 1)),
        Fraction(0),
    )


def judged_by(rows: Rows, name: str, style: str) -> tuple[Fraction, Fraction]:
    """The weight that belongs left, and right, of the rows an agreement is a share of."""
    known = [
        (row, w) for row, w in rows if row["x"] is not None and (style == "primary-known" or row[name] is not None)
    ]
    left = sum((w for row, w in known if row["x"] <= 1), Fraction(0))
    return left, sum((w for _, w in known), Fraction(0)) - left


def asks_x(table: Table) -> bool:
    names = [attribute.name for attribute in table.schema.attributes]
    values = [cell for cell in table.columns.get("x", ()) if cell is not None]
    return "x" in names and len(names) > 1 and any(v > 1 for v in values) and any(v <= 1 for v in values)


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("style", DENOMINATORS)
@given(table=tables_with_gaps().filter(asks_x))
def test_no_stand_in_agrees_more(style: str, table: Table) -> None:
    rows = weighted(table)
    found = {s.test.attribute: s for s in surrogates(table.sample(), PRIMARY, DENOMINATORS[style], minimum=0)}
    for attribute in table.schema.attributes:
        if attribute.name == "x":
            continue
        left, right = judged_by(rows, attribute.name, style)
        best = max(
            (right_by(rows, attribute.name, s) for s in stand_ins(rows, attribute.name, attribute.values)), default=0
        )
        if not best > max(left, right):  # no better than to send all rows to the larger side
            assert attribute.name not in found
            continue
        surrogate = found[attribute.name]
        assert surrogate.agreement == best / (left + right)
        sent = {
            cell: surrogate.branches[surrogate.test.branch({attribute.name: cell}) or 0]
            for cell in cells(rows, attribute.name)
        }
        assert right_by(rows, attribute.name, lambda value, sent=sent: sent[value] == 0) == best


def cells(rows: Rows, name: str) -> set[Any]:
    return {row[name] for row, _ in rows} - {None}


@pytest.mark.slow
@given(tables_with_gaps().filter(asks_x))
def test_the_best_come_first_and_equals_in_table_order(table: Table) -> None:
    found = surrogates(table.sample(), PRIMARY)
    names = [attribute.name for attribute in table.schema.attributes]
    keys = [(-surrogate.agreement, names.index(surrogate.test.attribute)) for surrogate in found]
    assert keys == sorted(keys)
    assert len({surrogate.test.attribute for surrogate in found}) == len(found)
    assert surrogates(table.sample(), PRIMARY, most=1) == found[:1]
    assert surrogates(table.sample(), PRIMARY, most=0) == ()


@given(fractions(1, 9), fractions(1, 9), fractions(0, 1))
def test_association_is_the_share_of_errors_saved(left: Fraction, right: Fraction, share: Fraction) -> None:
    """Breiman's formula, in probabilities."""
    total = left + right
    p = agreement(share * total, (left, right))
    assert p == share
    smaller = min(left, right) / total
    assert association(share * total, (left, right)) == (smaller - (1 - p)) / smaller


def table_of(**columns: list[Any]) -> Table:
    return Table.from_columns({**columns, "y": ["n"] * len(columns["x"])}, categorical=["y"])


def test_a_threshold_can_stand_in_the_other_way_round() -> None:
    table = table_of(x=[1, 1, 2, 2], z=[9, 8, 3, 4])
    [found] = surrogates(table.sample(), PRIMARY)
    assert (found.test.name, found.branches, found.agreement) == ("z<=6", (1, 0), 1)


def test_of_equal_thresholds_the_lowest_stands_in() -> None:
    """Three of four rows are sent where they belong by the cut after the first, and by that before the last."""
    table = table_of(x=[1, 2, 1, 2], z=[1, 2, 3, 4])
    found = best_surrogate(table.sample().against(Branches(PRIMARY)), table.schema.attribute("z"))
    assert found is not None
    assert (found.surrogate.test.name, found.surrogate.agreement) == ("z<=1.5", Fraction(3, 4))
    assert found.surrogate.branches == (0, 1)
    assert found.association == Fraction(1, 2)


@pytest.mark.parametrize(("x", "left"), [([1, 1, 1, 1, 2, 2, 2], "pq"), ([1, 1, 1, 2, 2, 2, 2], "p")])
def test_an_even_value_goes_with_the_majority(x: list[int], left: str) -> None:
    table = table_of(x=x, a=list("pppqqrr") if left == "pq" else list("ppqqrrr"))
    [found] = surrogates(table.sample(), PRIMARY)
    assert found.test == Subset("a", tuple(left))
    assert (found.branches, found.agreement) == ((0, 1), Fraction(6, 7))


def test_without_a_majority_an_even_value_goes_right() -> None:
    table = table_of(x=[1, 1, 1, 2, 2, 2], a=list("ppqqrr"))
    [found] = surrogates(table.sample(), PRIMARY)
    assert (found.test, found.branches) == (Subset("a", ("p",)), (0, 1))


def test_a_threshold_that_is_right_as_often_either_way_is_asked_the_straight_way() -> None:
    table = table_of(x=[1, 2, 1, 2], z=[1, 1, 2, 2])
    found = best_surrogate(table.sample().against(Branches(PRIMARY)), table.schema.attribute("z"))
    assert found is not None
    assert (found.surrogate.branches, found.surrogate.agreement, found.association) == ((0, 1), Fraction(1, 2), 0)


@pytest.mark.parametrize(("weight", "names"), [(Fraction(1), ["z", "a"]), (Fraction(99, 100), ["a"])])
def test_unless_told_so_a_threshold_sends_one_row_either_way_and_a_set_need_not_err(
    weight: Fraction, names: list[str]
) -> None:
    columns: dict[str, list[Any]] = {"x": [1, 2], "z": [1, 2], "a": ["p", "q"], "w": [weight] * 2, "y": ["n", "n"]}
    table = Table.from_columns(columns, target="y", weights="w")
    against = table.sample().against(Branches(PRIMARY))
    assert [surrogate.test.attribute for surrogate in surrogates(table.sample(), PRIMARY)] == names
    assert [name for name in "za" if best_surrogate(against, table.schema.attribute(name))] == names


def test_the_set_without_the_last_value_is_named() -> None:
    table = table_of(x=[2, 2, 1, 1], a=list("ppqq"))
    [found] = surrogates(table.sample(), PRIMARY)
    assert (found.test, found.branches) == (Subset("a", ("p",)), (1, 0))


def test_the_denominators_differ_where_the_stand_in_is_missing() -> None:
    table = table_of(x=[1, 1, 2, 2, 2, None], z=[1, 1, 2, 2, None, 1])
    assert surrogates(table.sample(), PRIMARY, both_known)[0].agreement == 1
    assert surrogates(table.sample(), PRIMARY, primary_known)[0].agreement == Fraction(4, 5)


def test_a_threshold_has_to_send_enough_either_way() -> None:
    table = table_of(x=[1, 1, 1, 2, 2, 2], z=[0, 5, 6, 7, 7, 7])
    assert surrogates(table.sample(), PRIMARY, minimum=3)[0].test.name == "z<=6.5"
    assert surrogates(table.sample(), PRIMARY, minimum=4) == ()


def test_a_set_may_have_to_err() -> None:
    """The rule of rpart: one that errs on fewer than two rows is no surrogate; a threshold may be perfect."""
    for table, errs in (
        (table_of(x=[1, 1, 1, 2, 2, 2], a=list("pppqqq"), z=[1, 1, 1, 2, 2, 2]), 0),
        (table_of(x=[1, 1, 1, 2, 2, 2], a=list("ppqqqq"), z=[1, 1, 1, 2, 2, 2]), 1),
        (table_of(x=[1, 1, 1, 1, 2, 2, 2, 2], a=list("pppqqqqp"), z=[1, 1, 1, 1, 2, 2, 2, 2]), 2),
    ):
        for errors in range(4):
            found = {s.test.attribute for s in surrogates(table.sample(), PRIMARY, errors=errors)}
            assert found == ({"a", "z"} if errs >= errors else {"z"})


def test_where_all_rows_that_answer_both_are_on_one_side_nothing_stands_in() -> None:
    table = table_of(x=[1, 1, 2], z=[1, 2, None])
    assert surrogates(table.sample(), PRIMARY) == ()


@given(st.lists(st.integers(0, 4), min_size=2, max_size=4))
def test_the_larger_side(weights: list[int]) -> None:
    assume(any(weights))
    found = larger_side(Partition((), tuple((w,) for w in weights), (0,)))
    assert (found is None) == (sorted(weights)[-1] == sorted(weights)[-2])
    assert found is None or weights[found] == max(weights)


def test_of_a_value_that_no_row_has_a_set_says_nothing_if_it_is_told_so() -> None:
    columns: dict[str, list[Any]] = {"x": [1, 1, 2, 2, None], "b": ["p", "p", "q", "p", "r"], "y": list("nnyyy")}
    sample = Table.from_columns(columns).sample()
    ((found,), (usual,)) = surrogates(sample, PRIMARY, seen=True), surrogates(sample, PRIMARY)
    assert found.test == SeenSubset("b", ("p",), ("r",))
    assert usual.test == Subset("b", ("p",))
    assert (found.branches, found.agreement) == (usual.branches, usual.agreement)
    assert [one.test.branch({"b": "r"}) for one in (found, usual)] == [None, 1]


@of_every([(5, "7/2"), (3, "5/2"), (2, "4"), (6, "4"), (9, "4"), (None, "4")])
def test_the_gap_of_a_threshold_ends_at_a_value_without_the_first_answer_if_it_is_told_so(
    value: int | None, threshold: str
) -> None:
    """A table and what rpart makes of it (`tests/peers/test_rpart.py`); elsewhere the gap is that of 2 and 6."""
    sample = table_of(x=[1] * 6 + [2] * 6 + [None], z=[1, 1, 1, 2, 2, 6, 6, 6, 6, 7, 7, 2, value]).sample()
    ((found,), (usual,)) = (surrogates(sample, PRIMARY, seen=seen) for seen in (True, False))
    assert isinstance(found.test, Threshold)
    assert found.test.threshold == Fraction(threshold)
    assert isinstance(usual.test, Threshold)
    assert (usual.test.threshold, usual.test.interval) == (4, (2, 6))
    assert (found.branches, found.agreement) == (usual.branches, usual.agreement)
    assert sample.against(Branches(PRIMARY)).partition(found.test).rows == ((5, 1), (1, 5))
