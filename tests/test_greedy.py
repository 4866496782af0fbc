"""How much larger a greedy tree is than a smallest one: held against brute force, and where the answer is known."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from tests.greedy import SIZES, Function, Size, functions, greedy, optimal, regrets


def smallest(function: Function) -> int:
    """The leaves of a smallest tree that fits a function, by trying every question at every node."""

    @cache
    def leaves(rows: Function) -> int:
        if len({label for _, label in rows}) <= 1:
            return 1
        halves = ((frozenset(r for r in rows if r[0] >> bit & 1), bit) for bit in range(bits))
        return min(leaves(ones) + leaves(rows - ones) for ones, _ in halves if ones and ones != rows)

    bits = max(row for row, _ in function).bit_length()
    return leaves(function)


def on_all_rows(bits: int, label: object) -> Function:
    """A function of so many bits on all rows; x0 is the lowest bit."""
    return frozenset((row, int(label([row >> bit & 1 for bit in range(bits)]))) for row in range(2**bits))  # type: ignore[operator]


@pytest.mark.parametrize("leaves", [smallest, lambda function: optimal(function, 3)])
def test_functions_whose_smallest_tree_is_known(leaves: object) -> None:
    found = [
        leaves(on_all_rows(3, label))  # type: ignore[operator]
        for label in (lambda x: 1, lambda x: x[1], lambda x: x[0] and x[1] and x[2], lambda x: sum(x) % 2)
    ]
    assert found == [1, 2, 4, 8]


def test_the_multiplexer_misleads_the_gain() -> None:
    """x0 says which of the others counts, and gains nothing by itself."""
    multiplexer = on_all_rows(3, lambda x: x[1] if x[0] else x[2])
    assert (optimal(multiplexer, 3), greedy(multiplexer, 3)) == (4, 6)


@pytest.mark.one_in(4)
@pytest.mark.covers("N1 §1.2 heuristic", "N3 ID3 algorithm: greedy")
@pytest.mark.parametrize("size", SIZES)
def test_the_optimal_tree_is_a_smallest_one_and_the_greedy_one_no_smaller(size: Size) -> None:
    for function in functions(size, 20):
        assert greedy(function, size.bits) >= optimal(function, size.bits) == smallest(function)


def test_of_two_bits_greedy_is_always_best() -> None:
    for labels in product((0, 1), repeat=4):
        function = frozenset(enumerate(labels))
        assert greedy(function, 2) == optimal(function, 2)


@pytest.mark.slow
def test_the_regret_grows_with_the_number_of_rows() -> None:
    """Whatever the number of bits: of more rows fewer trees are smallest, and more leaves are too many."""
    found = {size: regrets(size, 50) for size in SIZES}
    pairs = [(less, more) for less in SIZES for more in SIZES if more.rows > less.rows]
    assert all(found[more].count(0) < found[less].count(0) for less, more in pairs)
    assert all(sum(found[more]) > sum(found[less]) for less, more in pairs)
    assert found[SIZES[0]].count(0) > 30 > 10 > found[SIZES[-1]].count(0)


def test_the_functions_are_those_asked_for_and_always_the_same() -> None:
    [first, second] = functions(Size(5, 3), 2)
    assert [first, second] == list(functions(Size(5, 3), 2))
    assert len(first) == len({row for row, _ in first}) == 5
