"""How often a greedy search finds a smallest tree: the brute force is right where the answer is known."""

from __future__ import annotations

from itertools import product

from tests.greedy import SIZES, Function, Size, found, functions, greedy, smallest


def on_all_rows(bits: int, label: object) -> Function:
    """A function of so many bits on all rows; x0 is the lowest bit."""
    return frozenset((row, int(label([row >> bit & 1 for bit in range(bits)]))) for row in range(2**bits))  # type: ignore[operator]


def test_functions_whose_smallest_tree_is_known() -> None:
    assert smallest(on_all_rows(3, lambda x: 1)) == 1
    assert smallest(on_all_rows(3, lambda x: x[1])) == 2
    assert smallest(on_all_rows(3, lambda x: x[0] and x[1] and x[2])) == 4
    assert smallest(on_all_rows(3, lambda x: sum(x) % 2)) == 8


def test_the_multiplexer_misleads_the_gain() -> None:
    """x0 says which of the others counts, and gains nothing by itself."""
    multiplexer = on_all_rows(3, lambda x: x[1] if x[0] else x[2])
    assert (smallest(multiplexer), greedy(multiplexer, 3)) == (4, 6)


def test_no_tree_is_smaller_than_a_smallest_one() -> None:
    for size in SIZES[:3]:
        for function in functions(size, 20):
            assert greedy(function, size.bits) >= smallest(function)


def test_of_two_bits_greedy_is_always_best() -> None:
    for labels in product((0, 1), repeat=4):
        function = frozenset(enumerate(labels))
        assert greedy(function, 2) == smallest(function)


def test_it_is_found_more_rarely_the_more_bits_there_are() -> None:
    shares = [found(size, 50) for size in SIZES]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 30 > 10 > shares[-1]


def test_the_functions_are_those_asked_for_and_always_the_same() -> None:
    [first, second] = functions(Size(5, 3), 2)
    assert [first, second] == list(functions(Size(5, 3), 2))
    assert len(first) == len({row for row, _ in first}) == 5
