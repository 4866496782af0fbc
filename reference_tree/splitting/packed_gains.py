r"""Packed gains: which multiway split gains most, looked up rather than computed.

Of the gain of a question, only the conditional entropy depends on the question:

$$|D|\,H(D|A) = \sum_i \left( t(s_{i\cdot}) - \sum_j t(s_{ij}) \right), \qquad t(n) = n \log_2 n$$

Where the partitions of a sample come as strings of bytes (`packed_rows`), that is looked up for each of them: small
samples have the same tables again and again. The least sum has the largest gain. What is looked up are integers that
enclose the true sums; of small samples they prove even that two sums are the same.

*Why small samples need no exact arithmetic.* With n rows, the sums of two questions differ by log2 P/Q, where P and Q
are products of powers c^c of counts that add up to at most 2n in each: whole numbers of at most $n^{2n}$. If they are
not the same, the larger is at least 1 + 1/Q times the smaller, and $\log_2(1 + x) \ge x$ up to x = 1. So sums that
differ at all differ by at least $n^{-2n}$ bits. Estimates that are closer than that are estimates of the same number.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain

from reference_tree.data.packed_rows import unpacked
from reference_tree.data.questions import Multiway
from reference_tree.data.sample import PackedTables
from reference_tree.exact.choosing import n_log_n
from reference_tree.exact.logarithms import log2_floor

FINE = 256
"""Where a cell is a byte, so that there are at most 255 rows, sums are estimated in units of 2^-256; else of 2^-64."""
SLACK = 1 << 16
"""By how many units two estimates differ at most if the sums are the same."""
# A packed row has at most 2^13 bytes, and so has the table of an attribute at most 2^13 cells and 2^13 sums of rows. Of
# each the term is short by less than 3 units: those of the sums make an estimate too small by less than 3·2^13, those
# of the cells too large by less than 3·2^13. So two estimates of one number differ by less than 6·2^13.
PROVING = 25
"""The most rows of which estimates tell whether two sums are the same."""
# Sums that differ do so by at least n^(-2n), their estimates by SLACK less. For n = 25 that is 2·25·log2 25 = 232.2,
# and 2^(256 - 232.3) - 2^16 > 2^16.
_REMEMBERED = 1 << 24
"""So many bytes of tables are remembered of a number of classes; then they are forgotten all at once."""


_OVERHEAD = 200
"""About so many bytes it takes to remember a table, however short it is."""


class LeftOpen(dict[bytes, int]):
    """What questions leave open: packed table → |D|·H(D|A), estimated when it is met for the first time.

    Example:
        >>> LeftOpen(2, 1)[bytes([1, 1, 0, 5])] >> FINE       # two rows of which one is of each class: 2 bits
        2
        >>> LeftOpen(2, 1)[bytes([0, 3, 7, 0])]               # pure rows, exactly
        0
    """

    def __init__(self, classes: int, wide: int) -> None:
        super().__init__()
        self._bytes = 0
        self._classes, self._wide, self._term = classes, wide, _fine_n_log_n if wide == 1 else _n_log_n

    def __missing__(self, table: bytes) -> int:
        rows = unpacked(table, self._classes, self._wide)
        found = sum(map(self._term, map(sum, rows))) - sum(map(self._term, chain.from_iterable(rows)))
        if self._wide == 1:  # hardly two large samples are alike
            self._bytes += len(table) + _OVERHEAD
            if self._bytes > _REMEMBERED:
                self.clear()
                self._bytes = len(table) + _OVERHEAD
            self[table] = found
        return found


left_open = lru_cache(maxsize=16)(LeftOpen)
"""The memory for tables of so many classes, whose cells take so many bytes."""


@cache
def _fine_n_log_n(n: int) -> int:
    """2^256·n·log2 n from below, by less than 3, as n ≤ 255; exact for 0 and 1."""
    return n * log2_floor(n, FINE + 8) >> 8 if n else 0


_n_log_n = lru_cache(maxsize=1 << 16)(n_log_n)
# To look up what is remembered takes half as long as to ask `n_log_n`.


def leading(packed: PackedTables, available: frozenset[str]) -> tuple[list[Multiway], bool]:
    """The multiway splits that can gain most, and whether it is certain that all of these do.

    Args:
        packed: the partitions of a sample; no value is missing.
        available: the names of the attributes that may be asked.

    Returns:
        The questions in table order, each with at least two branches, and whether they are known to gain the same.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> packed = textbook("play-tennis").sample().packed()
        >>> found, equal = leading(packed, frozenset({"outlook", "temperature", "humidity", "wind"}))
        >>> [test.name for test in found], equal
        (['outlook'], True)

    Source:
        [N0 EN §2 eq. (2)], [N0 EN §2 eq. (3)]
    """
    total, tests, tables, whole, wide = packed
    known = left_open(len(total), wide)
    sums = list(map(known.__getitem__, tables))
    least = min(sums, default=0)
    limit = least + SLACK
    found = [place for place, left in enumerate(sums) if left <= limit]
    # What is asked must be available, and have two branches. A question with one branch leaves all open that is open.
    if limit >= known[whole] or not available.issuperset([tests[place].attribute for place in found]):
        asked = [place for place in range(len(tests)) if tests[place].attribute in available]
        asked = [place for place in asked if sum(map(any, unpacked(tables[place], len(total), wide))) > 1]
        least = min([sums[place] for place in asked], default=0)
        found = [place for place in asked if sums[place] <= least + SLACK]
    # A sum that is estimated at 0 is one of pure rows, and exact.
    return [tests[place] for place in found], len(found) < 2 or sum(total) <= PROVING or least == 0


__all__ = ["FINE", "PROVING", "SLACK", "LeftOpen", "leading", "left_open"]
