"""Choosing: all the best of some candidates, decided without rounding.

Equal best splits are common, so the answer is never one candidate but the *set* of exact maxima; which of them is taken
is a documented rule of the learner. Exact comparison is slow, so it is kept for near-ties:

1. `near_best` drops every candidate that an integer estimate with a proven bound shows to be worse than another one.
2. `best` compares what is left exactly. Candidates with the same *signature* are equal without any arithmetic:
   `mixture` is one for entropy and Gini, `multiset` for every measure that depends on no order.

`n_log_n` is the estimate that entropies are made of.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from threading import Lock
from typing import NamedTuple, TypeVar

from reference_tree.exact.log_sums import Number
from reference_tree.exact.logarithms import log2_floor, log2_of_base
from reference_tree.exact.long_numbers import any_deferred
from reference_tree.exact.rationals import Rational

Item = TypeVar("Item")

ESTIMATE_BITS = 64
"""Estimates are integers in units of 2^-64."""


class Bounds(NamedTuple):
    """An integer estimate of a score: low ≤ score < high, in any unit that the candidates share."""

    low: int
    high: int


LIMIT = 1 << 20
"""Below it, n·log2 n is read from a table, which grows as it is needed."""

_LOG_BITS = 96
_logs = [0, 0]
_terms = [0, 0]
# For each n of the table 2^96·log2 n and 2^64·n·log2 n, both from below.
_LENGTHENING = Lock()
# The table is there for all threads; one at a time makes it longer.


def n_log_n(n: int) -> int:
    r"""2^64 · n·log2 n from below: an integer T with T ≤ 2^64 · n·log2 n < T + 2; 0 for n = 0.

    Entropies are differences of such terms: $nH = n\log_2 n - \sum_j c_j\log_2 c_j$. As the terms are integers, their
    sums are exact, the same in any order and on any machine, and the error of a sum of m terms is below 2m units.

    Example:
        >>> n_log_n(4) == 8 << 64, n_log_n(1), n_log_n(0)
        (True, 0, 0)
    """
    if n < len(_terms):
        return _terms[n]
    if n < LIMIT:
        _extend(min(2 * n, LIMIT))
        return _terms[n]
    # With `extra` more bits, log2_floor is short of 2^(64+extra)·log2 n by less than 2. Times n and over 2^extra that
    # is less than 2n/2^extra, at most 1; and the cut after the point loses less than 1 more.
    extra = n.bit_length() + 1
    return n * log2_floor(n, ESTIMATE_BITS + extra) >> extra


def n_log_n_table(n: int) -> list[int]:
    """The values of `n_log_n` from 0 to n.

    Example:
        >>> n_log_n_table(2) == [0, 0, 2 << 64]
        True
    """
    if n >= len(_terms):
        _extend(n + 1)
    return _terms[: n + 1]


def _extend(size: int) -> None:
    r"""Lengthen the table to this many entries.

    $$\log_2 2k = 1 + \log_2 k, \qquad
    \log_2 (2k+1) = \log_2 2k + \frac{2}{\ln 2} \operatorname{artanh} \frac{1}{4k+1}$$
    """
    # The series of artanh x is x + x³/3 + x⁵/5 + ... Each power is a quotient cut after the point, and short by less
    # than 2; as the squares are at least 25, there are at most 22 of them before none is left. So the sum is short by
    # less than 2·(1 + 1/3 + 1/5 + ...) < 6 for the powers, 22 for the cuts after dividing by 3, 5, ..., and 1 for the
    # terms left out. Nothing is lost by doubling: the logarithm of n < 2^20 is short by less than 20·29 units of 2^-96,
    # and n·log2 n by less than 2^20·580·2^-96 < 2^-66. The cut to 64 places loses less than 1 unit more.
    factor = 2 * log2_of_base(math.e, _LOG_BITS)[0]
    with _LENGTHENING:
        for n in range(len(_logs), size):
            if n % 2 == 0:
                log = _logs[n // 2] + (1 << _LOG_BITS)
            else:
                log, power, odd, square = _logs[n - 1], factor // (2 * n - 1), 1, (2 * n - 1) ** 2
                while power:
                    log += power // odd
                    power, odd = power // square, odd + 2
            _logs.append(log)
            _terms.append(n * log >> _LOG_BITS - ESTIMATE_BITS)


def near_best(candidates: Iterable[Item], bounds: Callable[[Item], Bounds]) -> list[Item]:
    """The candidates that can still be a maximum: those whose upper bound is above the largest lower bound.

    Example:
        >>> near_best(["a", "b", "c"], {"a": Bounds(3, 5), "b": Bounds(1, 3), "c": Bounds(4, 6)}.get)
        ['a', 'c']
    """
    bounded = [(bounds(candidate), candidate) for candidate in candidates]
    floor = max((bound.low for bound, _ in bounded), default=0)
    return [candidate for bound, candidate in bounded if bound.high > floor]


def best(
    candidates: Iterable[Item], score: Callable[[Item], Number], signature: Callable[[Item], Hashable] | None = None
) -> list[Item]:
    """All candidates with the largest score, in their order.

    Args:
        candidates: any; the best of none are none.
        score: an exact number for each.
        signature: candidates with the same signature are known to have the same score; none: each is its own.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> best(["2·log 3", "3", "log 9"], {"2·log 3": 2 * log(3), "3": 3, "log 9": log(9)}.get)
        ['2·log 3', 'log 9']
    """
    groups: dict[Hashable, list[tuple[int, Item]]] = {}
    for place, candidate in enumerate(candidates):
        groups.setdefault(place if signature is None else signature(candidate), []).append((place, candidate))
    if len(groups) <= 1:
        return [candidate for group in groups.values() for _, candidate in group]
    winners: list[list[tuple[int, Item]]] = []
    highest: Number = None
    for group in groups.values():
        found = score(group[0][1])
        if highest is None or found > highest:
            winners, highest = [group], found
        elif found == highest:
            winners.append(group)
    return [
        candidate for _, candidate in sorted((pair for group in winners for pair in group), key=lambda pair: pair[0])
    ]


def multiset(table: Sequence[Sequence[Number]]) -> Hashable:
    """A signature for measures that depend on no order: equal tables up to the order of rows and of the cells in a row.

    Only where nothing is unknown: otherwise the classes of those that answer differ from question to question.

    Cells that are 0 say nothing, and of many classes a small sample has few: they are left out.

    Example:
        >>> multiset([(1, 2), (0, 3)]) == multiset([(3, 0), (2, 1)])
        True
    """
    return tuple(sorted(tuple(sorted(filter(None, row))) for row in table))


def mixture(table: Sequence[Sequence[Rational]]) -> Hashable:
    r"""A signature for what a partition leaves mixed: partitions of one sample that share it gain the same.

    That holds for every measure that takes $\sum_i w_i\,\varphi(\text{row}_i)$ from what is the same for the whole
    sample, where φ depends on the shares of the classes alone, in any order, and is 0 for a single class: entropy and
    Gini. So pure rows say nothing, and a row counts as often as its cells, in lowest terms.

    Example:
        >>> mixture([(2, 4), (0, 3)]) == mixture([(2, 1), (1, 2), (3, 0)]) == frozenset({((1, 2), 2)})
        True
    """
    found: dict[tuple[int, ...], Rational] = {}
    for row in table:
        cells: list[Number] = sorted([cell for cell in row if cell])
        if len(cells) > 1 and any_deferred(cells):
            found[tuple(cells)] = found.get(tuple(cells), 0) + 1  # lowest terms would have to be multiplied out
        elif len(cells) > 1:
            common = math.lcm(*(cell.denominator for cell in cells))
            whole = [cell.numerator * (common // cell.denominator) for cell in cells]
            divisor = math.gcd(*whole)
            kind = tuple(cell // divisor for cell in whole)
            found[kind] = found.get(kind, 0) + (divisor if common == 1 else Fraction(divisor, common))
    return frozenset(found.items())
