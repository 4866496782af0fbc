"""Least cost: the recurrence on its own, and where it ends."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.learners.least_cost import State, Subproblems, Worth, members, together
from tests.every import of_every


def parity(bits: int, limit: int = 10**6, **bounds: int) -> Subproblems:
    """All rows of so many bits, and whether an odd number of them is 1."""
    rows = list(product((0, 1), repeat=bits))
    ones = [sum(1 << place for place, row in enumerate(rows) if row[bit]) for bit in range(bits)]
    counts = [(1 - sum(row) % 2, sum(row) % 2) for row in rows]
    return Subproblems(counts, [(2**2**bits - 1 ^ one, one) for one in ones], min, sum, limit=limit, **bounds)


@of_every([1, 2, 3, 4])
def test_a_parity_takes_every_row(bits: int) -> None:
    everything = State(2**2**bits - 1, None)
    assert parity(bits).solve([everything])[everything] == Worth(0, 2**bits)


def test_what_is_solved_on_the_way_is_every_cube() -> None:
    """A set of rows is given by which bits are known, and what they are: 3 to the power of the bits."""
    assert len(parity(4).solve([State(2**16 - 1, None)])) == 3**4


def test_questions_that_divide_rows_alike_are_one_whatever_their_branches() -> None:
    """Two branches, three, one, and two beside rows that take neither; some share their first branch."""
    chance = Random(1)
    for _ in range(200):
        first, second = chance.getrandbits(5), chance.getrandbits(5)
        rest = 31 ^ first
        kinds = [(first, rest), (first, rest & second, rest & ~second), (31,), (first, rest & second), (rest, first)]
        questions = chance.sample(kinds, 3)
        rows = chance.randrange(1, 32)
        found = Subproblems([(1, 2)] * 5, questions, min, sum).splits(State(rows, 2))
        parts = {frozenset(part & rows for part in one if part & rows) for one in questions}
        assert len(found) == sum(len(one) > 1 for one in parts)
        assert {*map(frozenset, found)} == {frozenset(State(part, 1) for part in one) for one in parts if len(one) > 1}


def test_bounds() -> None:
    for levels in (0, 1):
        assert parity(2).solve([State(15, levels)])[State(15, levels)] == Worth(2, 1)
    assert parity(2).solve([State(15, 2)])[State(15, 2)] == Worth(0, 4)
    for bound in ("min_samples_split", "min_samples_leaf"):
        assert parity(2, **{bound: 2}).solve([State(15, None)])[State(15, None)].cost == (0 if "split" in bound else 2)
        assert parity(2, **{bound: 3}).solve([State(15, None)])[State(15, None)].cost == 2
    assert parity(2, alpha=1).solve([State(15, None)])[State(15, None)] == Worth(3, 1)


def test_a_branch_of_just_enough_rows() -> None:
    """An exclusive or of two bits, and a third that says nothing: four leaves of two rows each."""
    rows = list(product((0, 1), repeat=3))
    ones = [sum(1 << place for place, row in enumerate(rows) if row[bit]) for bit in range(3)]
    counts = [(1, 0) if a == b else (0, 1) for a, b, _ in rows]
    everything = State(255, None)
    for least, expected in ((1, Worth(0, 4)), (2, Worth(0, 4)), (3, Worth(4, 1))):
        search = Subproblems(counts, [(255 ^ one, one) for one in ones], min, sum, min_samples_leaf=least)
        assert search.solve([everything])[everything] == expected


def test_an_end_is_put_to_the_search() -> None:
    # of a parity of three bits, the whole, six halves and twelve pairs are asked three questions each
    assert parity(3, limit=57).solve([State(255, None)])
    with pytest.raises(InputError, match="tries more than 56 tests; choose a smaller --max-depth, leave"):
        parity(3, limit=56).solve([State(255, None)])


def test_unless_another_end_is_put_it_lies_at_two_million_questions() -> None:
    search = Subproblems([(1,)], [], min, sum)
    search.check(2_000_000)
    with pytest.raises(InputError, match="tries more than 2000000 tests"):
        search.check(2_000_001)


def of_two(rows: list[tuple[Any, Any]], **bounds: Any) -> Worth:
    """The best tree for two rows that one question tells apart."""
    return Subproblems(rows, [(0b01, 0b10)], min, sum, **bounds).solve([State(0b11, None)])[State(0b11, None)]


def test_a_question_has_to_save_as_much_as_epsilon() -> None:
    """As a leaf two are wrong, and one after the question: it saves one."""
    assert of_two([(2, 1), (0, 1)], epsilon=1) == Worth(1, 2)
    assert of_two([(2, 1), (0, 1)], epsilon=Fraction(3, 2)) == Worth(2, 1)


def test_each_branch_has_to_weigh_enough() -> None:
    assert [of_two([(1, 0), (0, 5)], min_samples_leaf=least) for least in (1, 3)] == [Worth(0, 2), Worth(1, 1)]


def test_without_bounds_a_little_is_enough() -> None:
    """What the question saves is a tenth, and so is what a branch weighs."""
    tenth = Fraction(1, 10)
    assert of_two([(tenth, 0), (0, tenth)]) == Worth(0, 2)
    assert of_two([(tenth, 0), (0, tenth)], min_samples_split=1) == Worth(tenth, 1)


def test_rows_that_are_wrong_by_themselves_are_no_reason_to_stop_elsewhere() -> None:
    search = Subproblems([(5, 5), (1, 0), (0, 1)], [(0b011, 0b100)], min, sum)
    assert search.solve([State(0b110, None)])[State(0b110, None)] == Worth(0, 2)


def test_small_parts() -> None:
    assert together([], {}) == Worth(0, 0)
    assert list(members(0)) == []
