"""Numbers that are worked out only if integers around them do not settle a comparison."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction

from reference_tree.engine.enclosures import Enclosed
from reference_tree.exact.log_sums import log
from reference_tree.exact.logarithms import log2_floor


def convergents(count: int) -> Iterator[tuple[int, int]]:
    """Good approximations p/q of log2 3."""
    p, q, before = 1, 1, (1, 0)
    low, high = Fraction(log2_floor(3, 4000), 1 << 4000), Fraction(log2_floor(3, 4000) + 2, 1 << 4000)
    rest_low, rest_high = low, high
    p, q = int(low), 1
    for _ in range(count):
        yield p, q
        rest_low, rest_high = 1 / (rest_high - int(rest_high)), 1 / (rest_low - int(rest_low))
        digit = int(rest_low)
        (p, q), before = (digit * p + before[0], digit * q + before[1]), (p, q)


def test_near_ties_with_logarithms() -> None:
    """3^q against 2^p: the logarithms differ by less and less, and are never equal."""
    for p, q in list(convergents(40)):
        exact = log(3) * q
        low = log2_floor(3, 64) * q
        number = Enclosed(lambda low=low, q=q: (low, low + 2 * q, 64), lambda exact=exact: exact)  # type: ignore[misc]
        assert (number < p, number > p, number == p) == (exact < p, exact > p, False)
        assert (number - p < 0) == (exact < p)


def test_a_long_sum_needs_no_recursion() -> None:
    """As many numbers as a wide table has attributes, added up from either side and compared with their exact sum."""

    def third(n: int) -> Enclosed:
        return Enclosed(lambda: (5 * n, 6 * n, 4), lambda: Fraction(n, 3))

    size = 10 * sys.getrecursionlimit()
    forth, back = third(0), third(0)
    for n in range(1, size):
        forth, back = forth + third(n), n + third(n) + back
    exact = Fraction(size * (size - 1), 6)
    assert forth == exact
    assert back == 4 * exact
    assert forth < back
    assert (forth.exact, float(forth)) == (exact, float(exact))
    low, high, bits = (forth * Fraction(1, size)).enclosed
    assert low <= exact * 2**bits / size <= high


def test_only_what_has_to_be_worked_out_is() -> None:
    asked: list[str] = []

    def noted(name: str, low: int) -> Enclosed:
        def work_out() -> int:
            asked.append(name)
            return low

        return Enclosed(lambda: (low, low + 1, 0), work_out)

    one, two, three = noted("one", 1), noted("two", 2), noted("three", 3)
    assert one < three
    assert not three < one
    assert asked == []
    assert one < two
    assert sorted(asked) == ["one", "two"]
