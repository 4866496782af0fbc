"""Nodes of boosted trees: what is compared in whole numbers, held against fractions."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import reference_tree as rt
from reference_tree.auditing.boosted_nodes import Judge, score
from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.program_derivatives import BITS, Known, Sums


def test_sums_are_as_wide_as_their_rows() -> None:
    known = Known([(-2, -1), (3, 3), (5, 7)], [(1, 1), (1, 2), (4, 4)], 1)
    assert known.sums([0, 2]) == Sums(3, 6, 5, 5)
    low, high = score([Sums(-1, 2, 1, 2)], 0, 0)
    assert low == 0
    assert high == 4


def test_every_cut_is_scored_between_its_bounds_and_has_the_sums_of_its_rows() -> None:
    """Rows without a value go either way; the sums of a side are counted row by row."""
    chance = Random(3)
    for _ in range(20):
        columns = {name: [chance.choice([None, 1, 2, 3, 4]) for _ in range(12)] for name in "ab"}
        table = rt.Table.from_columns({**columns, "y": [0] * 12}, "y", continuous=["a", "b"])
        lows = [chance.randrange(-9, 9) for _ in range(12)]
        known = Known([(g, g + chance.randrange(3)) for g in lows], [(2, 3)] * 12, 7)
        judge = Judge(Booster(min_child_weight=0), table, known, (Fraction(0), Fraction(0)), None)
        root = judge.root()
        whole, seen = known.sums(root.rows), set()
        for low, high, may_be_barred, cut in judge.scored(root, whole):
            left = root.side(cut)
            assert cut.sums == known.sums(sorted(left))
            exact = score([cut.sums, whole - cut.sums], judge.reg_lambda, judge.least)
            assert low <= exact[0] * 2**BITS <= exact[1] * 2**BITS <= high <= exact[1] * 2**BITS + 2
            assert not may_be_barred
            seen.add((cut.attribute, left))
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
