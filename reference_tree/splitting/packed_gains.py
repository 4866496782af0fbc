r"""Packed gains: which multiway split gains most, told from words.

Of the gain of a question, only the conditional entropy depends on the question:

$$|D|\,H(D|A) = \sum_i e(A_i), \qquad e(s_{i1}, \dots, s_{iK}) = t(s_{i\cdot}) - \sum_j t(s_{ij}), \qquad
t(n) = n \log_2 n$$

Where the rows of s_ij are packed into words (`packed_rows`), e is looked up word by word, and the attributes with the
smallest sums lead. The sums are integers that enclose the true ones; of small samples they prove even that two are the
same.

*Why small samples need no exact arithmetic.* With n rows, the sums of two questions differ by log2 P/Q, where P and Q
are products of powers c^c of counts, in each of which the counts that multiply add up to at most 2n: whole numbers of
at most $n^{2n}$. If P is not Q, one is at least 1/Q times larger than the other, and $\log_2(1 + x) \ge x$ up to 1. So
sums that differ at all differ by at least $n^{-2n}$ bits. Estimates that are closer than that are estimates of one and
the same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate

from reference_tree.data.packed_rows import unpacking
from reference_tree.data.sample import PackedTables, Span
from reference_tree.exact.choosing import n_log_n
from reference_tree.exact.logarithms import log2_floor

_FINE = 256
"""Of samples of at most 255 rows, e is estimated in units of 2^-256; of others in units of 2^-64."""
_PROVING = 25
"""The most rows of which estimates tell whether two sums are the same."""
# With at most 256 words of 9 terms, each of which is off by less than 3 units, a sum is off by less than 2^13, and the
# difference of two by less than 2^14. That is below n^(-2n) for n = 25: 2·25·log2 25 = 232.2, and 232.2 + 14 < 256.
_REMEMBERED = 1 << 16
"""So many words are looked up; then the memory is emptied."""


class Impurities(dict[int, int]):
    """Word → e, each computed when it is met for the first time.

    Example:
        >>> Impurities(2, 8)[0x0101] >> _FINE       # two rows, one of each class: 2 bits
        2
        >>> Impurities(2, 8)[0x0500]                # a pure row, exactly
        0
    """

    def __init__(self, classes: int, bits: int) -> None:
        super().__init__()
        self._row, self._term = unpacking(classes, bits), _fine_n_log_n if bits == 8 else n_log_n

    def __missing__(self, word: int) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        row = self._row[word]
        self[word] = found = self._term(sum(row)) - sum(map(self._term, row))
        return found


impurities = cache(Impurities)
"""What the words of so many classes of so many bits are worth."""


@lru_cache(maxsize=256)
def _fine_n_log_n(n: int) -> int:
    """2^256·n·log2 n from below, by less than 3, as n ≤ 255; exact for 0 and 1."""
    return n * log2_floor(n, _FINE + 8) >> 8 if n else 0


def leading(tables: PackedTables, available: frozenset[str]) -> tuple[list[str], bool]:
    """The attributes whose multiway split can gain most, and whether it is certain that all of these do.

    Args:
        tables: the partitions of a sample; no value is missing.
        available: the names of the attributes that may be asked.

    Returns:
        The names in table order, and whether they are all equal. Attributes without two branches are out of the
        question; without any other there is none.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> tables = textbook("play-tennis").sample().packed()
        >>> leading(tables, frozenset(span.attribute for span in tables.spans))
        (['outlook'], True)

    Source:
        [N0 EN §2 eq. (2)], [N0 EN §2 eq. (3)]
    """
    words, total = tables.words, sum(tables.total)
    until = list(accumulate(map(impurities(len(tables.total), tables.bits).__getitem__, words), initial=0))
    spans = [span for span in tables.spans if span.attribute in available]
    open_to = [until[stop] - until[start] for _, start, stop in spans]
    slack = 3 * (len(tables.total) + 1) * max([stop - start for _, start, stop in spans], default=0)
    while open_to:
        least = min(open_to)
        near = [span for span, e in zip(spans, open_to, strict=True) if e <= least + slack]
        found = [span.attribute for span in near if _branches(words, span) > 1]
        if len(found) == len(near):
            # A sum of 0 is one of pure rows, which is as true as it is exact.
            return found, len(found) == 1 or total <= _PROVING or least == 0
        # A constant attribute gains nothing. If it can lead, those that can be asked are compared among themselves.
        both = [(span, e) for span, e in zip(spans, open_to, strict=True) if _branches(words, span) > 1]
        spans, open_to = [span for span, _ in both], [e for _, e in both]
    return [], True


def _branches(words: Sequence[int], span: Span) -> int:
    """The number of values that some row has."""
    return span.stop - span.start - words[span.start : span.stop].count(0)


__all__ = ["Impurities", "impurities", "leading"]
