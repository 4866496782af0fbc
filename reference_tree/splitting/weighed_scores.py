r"""Scores of cuts of rows of different weights: an estimate of every cut, with a bound of its error.

The same as `cut_scores` for weights that no table has room for. A missing value divides its row among all branches, so
weights become fractions whose denominators double in length from level to level; over their common unit they are
integers of thousands of digits.

1. `shortened` cuts them to 60 bits in all. The rows with the longest weights are so estimated too.
2. `estimated` is a term n·log2 n, from a table of the first thirteen digits and a straight line.
3. `weighed_gain`, `weighed_gini` and `weighed_squares` go along the rows in the order of the attribute.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, chain, compress, repeat

from reference_tree.exact.choosing import n_log_n
from reference_tree.splitting.cut_scores import PLACES, Scores

_LONG = 60
"""The most bits that the weights have in all."""


def shortened(weights: Sequence[int]) -> tuple[Sequence[int], int]:
    """The weights over 2^shift, cut after the point so that their sum is below 2^60; and the shift.

    Example:
        >>> shortened([3, 5]), shortened([1 << 100, 1 << 98])
        (([3, 5], 0), ([576460752303423488, 144115188075855872], 41))
    """
    shift = max(0, sum(weights).bit_length() - _LONG)
    return ([weight >> shift for weight in weights], shift) if shift else (weights, 0)


def weighed_gain(labels: Sequence[int], weights: Sequence[int], width: int, flags: bytes) -> Scores:
    """The gain of cuts of rows of any weights; classes in the order of the attribute."""
    weights, shift = shortened(weights)
    whole = sum(weights)
    right = [0] * width
    for label, weight in zip(labels, weights, strict=True):
        right[label] += weight
    left, terms = [0] * width, list(map(estimated, right))
    cells, start, k = sum(terms), estimated(whole) - sum(terms), 0
    estimates = []
    for label, weight, flag in zip(labels, weights, chain(flags, repeat(0)), strict=False):
        left[label] += weight
        right[label] -= weight
        term = estimated(left[label]) + estimated(right[label])
        cells += term - terms[label]
        terms[label] = term
        k += weight
        if flag:
            estimates.append(start + cells - estimated(k) - estimated(whole - k))
    # An estimated term is short by less than x·2^-25 + 2 units. Cells, sides and classes sum to `whole` each: together
    # less than 4·whole·2^7, and 2 for each term. If weights were cut, each by less than 1: to take a weight of x from a
    # cell changes t(cell) - t(side) by less than x·(62 + 2), and the same once more for t(class) - t(whole): less than
    # 2^7·n·2^32, which `whole` ≥ 2^58 outweighs 2^9-fold as long as n < 2^26.
    return Scores.of(flags, estimates, (whole << 10) + 8 * width + 8, (1 << shift, 1))


def weighed_gini(labels: Sequence[int], weights: Sequence[int], width: int, flags: bytes) -> Scores:
    """The decrease of Gini of cuts of rows of any weights; classes in the order of the attribute."""
    weights, shift = shortened(weights)
    whole = sum(weights)
    size, left = [0] * width, [0] * width
    for label, weight in zip(labels, weights, strict=True):
        size[label] += weight
    squares = mixed = k = 0
    all_squares = sum(found * found for found in size)
    sums, below = [], []
    for label, weight, flag in zip(labels, weights, chain(flags, repeat(0)), strict=False):
        squares += weight * (2 * left[label] + weight)
        mixed += weight * size[label]
        left[label] += weight
        k += weight
        if flag:
            sums.append(whole * whole * squares - 2 * whole * k * mixed + k * k * all_squares)
            below.append(k)
    return _weighed(whole, flags, below, sums, 4 * len(labels) if shift else 0, shift)


def weighed_squares(numbers: Sequence[int], weights: Sequence[int], flags: bytes) -> Scores:
    """The reduction of the squared error by cuts of rows of any weights; arguments as for `squares_of_numbers`."""
    weights, shift = shortened(weights)
    whole = sum(weights)
    products = [number * weight for number, weight in zip(numbers, weights, strict=True)]
    total = sum(products)
    below = list(compress(accumulate(weights), flags))
    left = compress(accumulate(products), flags)
    sums = [(whole * s - k * total) ** 2 for k, s in zip(below, left, strict=True)]
    spread = max(numbers, default=0) - min(numbers, default=0)
    cut = 4 * len(numbers) * spread * spread if shift else 0
    return _weighed(whole, flags, below, sums, cut, shift)


def _weighed(whole: int, flags: bytes, below: list[int], sums: list[int], cut: int, shift: int) -> Scores:
    """Scores from the sums of squares d² with a weight of `below` on the left.

    Args:
        whole: all weight.
        flags: where the cuts are.
        below: the weight on the left of each.
        sums: the sum of squares of each.
        cut: by how much a score may be off because weights were cut.
        shift: by how many bits they were.
    """
    # Σ l²/k changes by less than twice a weight that is taken away, in units of the squared range of the targets (of 1,
    # for classes): on either side, and for all rows together, which makes 4 for each row.
    estimates = [
        (square << PLACES) // (k * (whole - k)) if 0 < k < whole else 0 for k, square in zip(below, sums, strict=True)
    ]
    slack = 1 + (cut * whole << PLACES)
    return Scores.of(flags, estimates, slack, (1 << shift, whole))


_TABLE_BITS = 13


def estimated(n: int) -> int:
    r"""2^32 · n·log2 n from below: short by less than 2 for n < 2^13, and by less than n·2^7 otherwise.

    Example:
        >>> estimated(8) >> 32, estimated(8 << 90) // (8 << 90) >> 32
        (24, 93)
    """
    length = n.bit_length()
    if length <= _TABLE_BITS:
        return n_log_n(n) >> PLACES
    # Thirteen digits are looked up, and between two logarithms in the table a straight line is drawn. The logarithm is
    # above it, by less than (2^-12)²/(8·ln 2) < 2^-26; 24 more digits are used, the rest is worth less than 2^-35.
    digits = n >> length - 37 if length > 37 else n << 37 - length
    head, tail = digits >> 24, digits & 0xFFFFFF
    logs = _log_table()
    log = logs[head - 4096] + ((logs[head - 4095] - logs[head - 4096]) * tail >> 24)
    return n * (((length - _TABLE_BITS) << PLACES) + log)


@cache
def _log_table() -> list[int]:
    """2^32 times the logarithms of 4096, ..., 8192, from below: each short by less than 1."""
    return [n_log_n(n) // n >> PLACES for n in range(4096, 8193)]
