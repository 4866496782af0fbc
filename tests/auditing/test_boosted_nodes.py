"""Nodes of boosted trees: what is compared in whole numbers, held against fractions."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.auditing.boosted_nodes import Enclosures, columns_of, left_of, score
from reference_tree.auditing.program_derivatives import BITS, EnclosedDerivatives, EnclosedSums
from reference_tree.data.questions import Subset, Test, Threshold
from reference_tree.programs.boosters import BoosterParameters


def test_sums_are_as_wide_as_their_rows() -> None:
    known = EnclosedDerivatives([(-2, -1), (3, 3), (5, 7)], [(1, 1), (1, 2), (4, 4)], 1)
    assert known.sums([0, 2]) == EnclosedSums(3, 6, 5, 5)
    low, high = score([EnclosedSums(-1, 2, 1, 2)], 0, 0)
    assert low == 0
    assert high == 4


def test_every_cut_is_scored_between_its_bounds_and_has_the_sums_of_its_rows() -> None:
    """Rows without a value go either way; the sums of a side are counted row by row."""
    chance = Random(3)
    for _ in range(20):
        columns = {name: [chance.choice([None, 1, 2, 3, 4]) for _ in range(12)] for name in "ab"}
        table = rt.Table.from_columns({**columns, "y": [0] * 12}, "y", continuous=["a", "b"])
        lows = [chance.randrange(-9, 9) for _ in range(12)]
        known = EnclosedDerivatives([(g, g + chance.randrange(3)) for g in lows], [(2, 3)] * 12, 7)
        judge = Enclosures(BoosterParameters(min_child_weight=0), columns_of(table), known, (Fraction(0), Fraction(0)))
        root = judge.root()
        whole, seen = known.sums(root.rows), set()
        for low, high, may_be_barred, cut in judge.scored(root):
            left = root.side(cut)
            assert cut.sums == known.sums(sorted(left))
            exact = score([cut.sums, whole - cut.sums], judge.reg_lambda, judge.least)
            assert low <= exact[0] * 2**BITS <= exact[1] * 2**BITS <= high <= exact[1] * 2**BITS + 2
            assert not may_be_barred
            seen.add((cut.attribute, left))
            above = chance.choice([Fraction(0), exact[0] - 1, exact[1] / 2, exact[1]])
            some = {(one.attribute, one.rows, one.takes_unknown) for *_, one in judge.scored(root, above)}
            assert exact[1] <= above or (cut.attribute, cut.rows, cut.takes_unknown) in some
        assert seen == {(name, side) for name in "ab" for side in sides(columns[name])}


def sides(column: list[int | None]) -> set[frozenset[int]]:
    """The left sides of all cuts: of those that have a value the lower ones, with the others or without them."""
    unknown = {row for row, value in enumerate(column) if value is None}
    values = sorted({value for value in column if value is not None})
    found = set()
    for cut in values:
        below = {row for row, value in enumerate(column) if value is not None and value <= cut}
        found |= {frozenset(below), frozenset(below | unknown)}
    return {side for side in found if 0 < len(side) < len(column)}


def test_rows_that_are_estimated_by_h_are_off_by_half_a_row_for_each_bin() -> None:
    table = rt.Table.from_columns({"a": [1, 2, 3, 4], "y": ["n", "n", "n", "y"]})
    known = EnclosedDerivatives([(0, 0)] * 4, [(1, 1)] * 4, 1)
    whole = EnclosedSums(0, 0, 100, 100)
    for h, estimated, counted in ((25, (False, True), True), (17, (True, True), True), (30, (False, False), False)):
        rows, own = ((18, 82) if counted else (30, 70)), EnclosedSums(0, 0, h, h)
        for loss, by_h in (("logistic", True), ("logistic", False), ("squared_error", True)):
            booster = BoosterParameters(min_samples_leaf=20, loss=loss, rows_by_h=by_h)
            judge = Enclosures(booster, columns_of(table), known, (Fraction(0), Fraction(0)))
            is_estimated = by_h and loss == "logistic"
            assert judge.few(rows, own, whole, 4) == (estimated if is_estimated else (counted, counted))
    booster = BoosterParameters(min_samples_leaf=20, loss="logistic", rows_by_h=True)
    judge = Enclosures(booster, columns_of(table), known, (Fraction(0),) * 2)
    assert judge.few((30, 70), EnclosedSums(0, 0, 21, 21), whole, 4) == (False, True)


def test_an_attribute_that_gains_nothing_at_a_node_is_dropped_below_it() -> None:
    """Of `b` every question leaves both sides alike; of `a` the two halves differ."""
    table = rt.Table.from_columns({"a": [1, 1, 2, 2], "b": [1, 2, 1, 2], "y": ["n", "n", "y", "y"]})
    known = EnclosedDerivatives([(1, 1), (1, 1), (-1, -1), (-1, -1)], [(1, 1)] * 4, 1)
    for drops, gamma, dropped in ((True, 0, "b"), (True, 4, "ab"), (False, 0, "")):
        booster = BoosterParameters(drops=drops, gamma=gamma, reg_lambda=0, epsilon=0, min_child_weight=1)
        judge = Enclosures(booster, columns_of(table), known, (Fraction(0), Fraction(0)))
        assert judge.dropped(judge.root()) == frozenset(dropped)
        root = judge.root()._replace(dropped=frozenset("a"))
        assert {barred for *_, barred, cut in judge.scored(root) if cut.attribute == "a"} == {True}


def test_a_question_that_is_no_edge_of_bins_keeps_no_attribute() -> None:
    table = rt.Table.from_columns({"a": [1, 1, 2, 2], "y": ["n", "n", "y", "y"]})
    known = EnclosedDerivatives([(1, 1), (1, 1), (-1, -1), (-1, -1)], [(1, 1)] * 4, 1)
    booster = BoosterParameters(drops=True, reg_lambda=0, epsilon=0, min_child_weight=1)
    for bins, dropped in (([0, 0, 1, 1], ""), ([0, 0, 0, 0], "a")):
        judge = Enclosures(booster, columns_of(table, {"a": bins}), known, (Fraction(0), Fraction(0)))
        assert judge.dropped(judge.root()) == frozenset(dropped)


def test_a_side_needs_a_sum_that_is_no_whole_number() -> None:
    """Of four rows with an H of 1 each, the cuts leave 1, 2 and 3 of them on the left."""
    table = rt.Table.from_columns({"a": [1, 2, 3, 4], "y": ["n", "n", "y", "y"]})
    known = EnclosedDerivatives([(1, 1), (1, 1), (-1, -1), (-1, -1)], [(1, 1)] * 4, 1)
    for least, rows in ((Fraction(3, 2), [2]), (1, [1, 2, 3]), (Fraction(5, 2), [])):
        booster = BoosterParameters(reg_lambda=0, min_child_weight=least)
        judge = Enclosures(booster, columns_of(table), known, (Fraction(0), Fraction(0)))
        assert [cut.rows for *_, cut in judge.scored(judge.root())] == rows


# Columns by ranks: rows are sent as the questions themselves send them.

ROWS = [(3, "a"), (1, "b"), (None, None), (2, "c"), (3, "a"), (1, None)]
TABLE = rt.Table.from_rows([{"x": x, "c": c, "y": number} for number, (x, c) in enumerate(ROWS)], "y")
TESTS: list[Test] = [
    *(Threshold("x", at, strict=strict) for at in (0, 1, 2, 3, 4) for strict in (False, True)),
    *(Subset("c", values) for values in (("a",), ("b", "c"), ("a", "b", "c"))),
]


@given(st.sampled_from(TESTS), st.sampled_from([0, 1]))
def test_rows_go_as_the_question_says(test: Test, default: int) -> None:
    (name,) = test.attributes
    column: list[Any] = [x if name == "x" else c for x, c in ROWS]
    expected = {
        row for row, value in enumerate(column) if (default if value is None else test.branch({name: value})) == 0
    }
    assert left_of(test, default, columns_of(TABLE)[name], range(len(ROWS))) == expected


def test_bins_are_those_of_the_rows() -> None:
    column = columns_of(TABLE, {"x": [7, 5, None, 5, 7, 5]})["x"]
    assert list(column.bins) == [5, 5, 7]
    assert list(columns_of(TABLE)["c"].values) == ["a", "b", "c"]
