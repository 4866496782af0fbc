"""Choosing: all the best of some candidates, decided without rounding.

Equal best splits are common, so the answer is never one candidate but the *set* of exact maxima; which of them is taken
is a documented rule of the learner. Exact comparison is slow, so it is kept for near-ties:

1. `near_best` drops every candidate that an integer estimate with a proven bound shows to be worse than another one.
2. `best` compares what is left exactly. Candidates with the same *signature* are equal without any arithmetic.

`n_log_n` is the estimate that entropies are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from reference_tree.exact.log_sums import Number
from reference_tree.exact.logarithms import log2_floor

Item = TypeVar("Item")

ESTIMATE_BITS = 64
"""Estimates are integers in units of 2^-64."""


class Bounds(NamedTuple):
    """An integer estimate of a score: low ≤ score < high, in any unit that the candidates share."""

    low: int
    high: int


@lru_cache(maxsize=1 << 20)
def n_log_n(n: int) -> int:
    r"""2^64 · n·log2 n from below: an integer T with T ≤ 2^64 · n·log2 n < T + 2; 0 for n = 0.

    Entropies are differences of such terms: $nH = n\log_2 n - \sum_j c_j\log_2 c_j$. As the terms are integers, their
    sums are exact, the same in any order and on any machine, and the error of a sum of m terms is below 2m units.

    Example:
        >>> n_log_n(4) == 8 << 64, n_log_n(1), n_log_n(0)
        (True, 0, 0)
    """
    # With s extra bits, s the length of n: n·L ≤ 2^(64+s)·n·log2 n < n·(L + 2), and 2n·2^-s < 2 with the cut still
    # below 1 in all, as one more bit is taken.
    extra = n.bit_length() + 1
    return n * log2_floor(n, ESTIMATE_BITS + extra) >> extra if n else 0


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

    Example:
        >>> multiset([(1, 2), (0, 3)]) == multiset([(3, 0), (2, 1)])
        True
    """
    return tuple(sorted(tuple(sorted(row)) for row in table))
