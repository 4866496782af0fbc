r"""Scores of cuts: a whole-number estimate of every cut of an attribute, in a few table look-ups each.

A learner asks every continuous attribute for its best cut, so nearly all of its time goes into scores that come to
nothing. They need not be exact, then, as long as it is known how wrong they can be. An *estimate* is an integer, and
`Scores` say how far it may be off.

1. `gain_judge` and `gini_judge` make a `Judge` for a node from the number of rows of each class, which is the same for
   all attributes: there the tables are looked up once.
2. A judge goes along the classes in the order of an attribute. A row moves from the right side to the left one, which
   changes one class on each side.
3. `squares_of_numbers` does the same for squared errors.

A cut is named by its place k: it has k rows on the left. Estimates are of |D|·score, D being the rows whose value is
known, and in units of the weights. `flags` say at which of the places 1, 2, ..., n - 1 there is a cut to judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, compress, count, pairwise
from math import isqrt
from operator import add
from typing import NamedTuple, Protocol, TypeVar

from reference_tree.exact.choosing import Bounds, n_log_n, n_log_n_table

PLACES = 32
"""Estimates of gains are in units of 2^-32."""

_SMALL = 1024
"""Tables for so few rows are kept: nearly all nodes are that small, and they meet again and again."""
_TINY = 12
"""Of so few rows each order of the classes is judged only once."""
_LARGE = 400
"""From so many rows on, whole blocks of cuts are ruled out together."""

Made = TypeVar("Made")


class Scores(NamedTuple):
    """Estimates of some cuts of one attribute.

    The true score of a cut of estimate e, times |D|, is between e - slack and e + slack, times the rate.
    """

    flags: bytes
    """Of the places 1, 2, ..., those at which there is a cut that was judged: 1 or 0."""
    estimates: Sequence[int]
    """The estimate of each."""
    slack: int
    """How far an estimate may be off, on either side."""
    rate: tuple[int, int]
    """The numerator and the denominator of the rate, which gives units of 2^-32."""

    @property
    def places(self) -> list[int]:
        """The places of the cuts that were judged."""
        return list(_places(self.flags))

    def near_best(self) -> list[int]:
        """The places of the cuts that can still be the best.

        Example:
            >>> Scores(bytes([1, 0, 1, 1]), [90, 99, 101], 2, (1, 1)).near_best()
            [3, 4]
        """
        floor = max(self.estimates, default=0) - 2 * self.slack
        return [place for place, e in zip(_places(self.flags), self.estimates, strict=True) if e >= floor]

    def bounds(self) -> Bounds:
        """Between which numbers the largest score lies, in units of 2^-32.

        Example:
            >>> Scores(bytes([1, 0, 1, 1]), [90, 99, 101], 2, (1, 1)).bounds()
            Bounds(low=99, high=104)
        """
        most, (top, bottom) = max(self.estimates), self.rate
        return Bounds((most - self.slack) * top // bottom, (most + self.slack) * top // bottom + 1)


class Judge(Protocol):
    """Judges cuts by the classes in the order of an attribute."""

    def __call__(self, labels: Sequence[int], flags: bytes, every: bool = True) -> Scores:
        """The estimates of the cuts at the flags; of those that can be the best, if not every cut is wanted."""


def _remembered(make: Callable[[int], Made]) -> Callable[[int], Made]:
    """What is made once for each small n, and for the last few large ones: those of one node."""
    of_few, of_many = lru_cache(maxsize=_SMALL)(make), lru_cache(maxsize=8)(make)
    return lambda n: of_few(n) if n < _SMALL else of_many(n)


def _judging(make: Callable[[tuple[int, ...]], Judge]) -> Callable[[tuple[int, ...]], Judge]:
    """Judges for some numbers of rows of each class, remembered likewise."""

    def made(classes: tuple[int, ...]) -> Judge:
        judge = make(classes)
        return lru_cache(maxsize=1024)(judge) if sum(classes) <= _TINY and len(classes) <= 256 else judge

    of_few, of_many = lru_cache(maxsize=_SMALL)(made), lru_cache(maxsize=1)(made)
    return lambda classes: of_few(classes) if sum(classes) < _SMALL else of_many(classes)


# Information gain. With t(n) = n·log2 n, of n rows with c_j of class j,
#
#     n·gain = t(n) - Σ_j t(c_j) + Σ_j [t(l_j) + t(c_j - l_j)] - [t(k) + t(n - k)]
#
# for a cut with k rows on the left, l_j of class j. Everything in brackets is a pair.


@_remembered
def pairs(n: int) -> list[int]:
    """For k = 0, ..., n the terms k·log2 k + (n - k)·log2 (n - k), in units of 2^-32, from below: each by less than 4.

    Example:
        >>> [pair >> 32 for pair in pairs(4)]
        [8, 4, 4, 4, 8]
    """
    terms = _terms(n.bit_length())[: n + 1]
    half = [below + above for below, above in zip(terms[: n // 2 + 1], reversed(terms), strict=False)]
    return half + half[: n - n // 2][::-1]


@cache
def _terms(length: int) -> list[int]:
    """The terms n·log2 n of all n of so many bits, in units of 2^-32, from below: each by less than 2."""
    # `n_log_n` is short by less than 2 units of 2^-64, and the cut to 32 places by less than 1.
    return [term >> PLACES for term in n_log_n_table((1 << length) - 1)]


@_remembered
def steps(n: int) -> list[int]:
    """The differences of `pairs(n)`: what it means that one more of n rows goes to the left."""
    return [after - before for before, after in pairwise(pairs(n))]


@_judging
def gain_judge(classes: tuple[int, ...]) -> Judge:
    """Judges by information gain.

    Args:
        classes: the number of rows of each class.

    Example:
        >>> scores = gain_judge((2, 2))(bytes([0, 0, 1, 1]), bytes([1, 1, 1]))      # the classes in order; all cuts
        >>> [f"{estimate / 2**32 / 4:.4f}" for estimate in scores.estimates]
        ['0.3113', '1.0000', '0.3113']
    """
    n, present = sum(classes), [label for label, size in enumerate(classes) if size]
    of_sides, whole = pairs(n), n_log_n(n) >> PLACES
    if len(present) == 2:
        return _gain_of_two(classes, present[1], of_sides)
    # Of each class two terms are added and one is subtracted; one is added for the whole, two subtracted for the sides.
    # Each is short by less than 2.
    slack = 4 * len(present) + 4

    def judge(labels: Sequence[int], flags: bytes, every: bool = True) -> Scores:
        # The i-th row of a class takes the i-th step of that class, wherever it stands.
        of_class = [iter(steps(size)) for size in classes]
        moved = accumulate(map(next, map(of_class.__getitem__, labels)))
        sides = compress(zip(moved, of_sides[1:], strict=True), flags)
        return Scores(flags, [whole + cells - of_side for cells, of_side in sides], slack, (1, 1))

    return judge


def _gain_of_two(classes: tuple[int, ...], one: int, of_sides: list[int]) -> Judge:
    """The same for two classes: how many rows of the one are on the left says everything."""
    n, ones = sum(classes), classes[one]
    whole = (n_log_n(n) >> PLACES) - (n_log_n(ones) >> PLACES) - (n_log_n(n - ones) >> PLACES)
    of_ones, of_others = [whole + pair for pair in pairs(ones)], pairs(n - ones)

    def estimates(places: Iterable[int], left: Iterable[int]) -> list[int]:
        return [of_ones[a] + of_others[k - a] - of_sides[k] for k, a in zip(places, left, strict=True)]

    # 1 + 4 terms are added, 2 + 2 subtracted.
    return _Two(n, one, estimates, lambda flags, found: Scores(flags, found, 10, (1, 1))).judge


# Gini and squared error. Both come down to squares: with l_j of c_j rows of class j on the left, or a sum of s of the
# whole sum S of the targets,
#
#     n·decrease = Σ_j d_j² / (n·k·(n - k)), d_j = n·l_j - k·c_j;    n·reduction = d² / (n·k·(n - k)), d = n·s - k·S.


@_remembered
def reciprocals(n: int) -> tuple[list[int], int]:
    """For k = 1, ..., n - 1 the number 1 / (k·(n - k)), in units of 2^-bits, from below; and the bits.

    There are so many of them that each number is too small by less than its 2^-24th part.
    """
    bits = 2 * n.bit_length() + 22
    return [0, *((1 << bits) // (k * (n - k)) for k in range(1, n)), 0], bits


def _of_squares(n: int, flags: bytes, estimates: Sequence[int], bits: int, times: int) -> Scores:
    """Scores from the sums of squares, each over k·(n - k) and in units of 2^-bits."""
    # Each estimate e is below the truth by less than truth·2^-24, so by less than e·2^-23 + 1.
    slack = (max(estimates, default=0) >> 23) + 1
    return Scores(flags, estimates, slack, (times << PLACES, n << bits))


@_judging
def gini_judge(classes: tuple[int, ...]) -> Judge:
    """Judges by the decrease of Gini.

    Args:
        classes: the number of rows of each class.

    Example:
        >>> scores = gini_judge((2, 2))(bytes([0, 0, 1, 1]), bytes([1, 1, 1]))      # the classes in order; all cuts
        >>> top, bottom = scores.rate
        >>> [f"{estimate * top / bottom / 2**32 / 4:.4f}" for estimate in scores.estimates]
        ['0.1667', '0.5000', '0.1667']
    """
    n, present = sum(classes), [label for label, size in enumerate(classes) if size]
    if len(present) == 2:
        return _gini_of_two(classes, present[1])
    # Σ_j (n·l_j - k·c_j)² = n²·Σ l_j² - 2·n·k·Σ l_j·c_j + k²·Σ c_j². One more row of class j adds the next odd number
    # to the first sum, and c_j to the second.
    (inverse, bits), whole = reciprocals(n), sum(size * size for size in classes)

    def judge(labels: Sequence[int], flags: bytes, every: bool = True) -> Scores:
        odd = [iter(range(1, 2 * size, 2)) for size in classes]
        squares = accumulate(map(next, map(odd.__getitem__, labels)))
        mixed = accumulate(map(classes.__getitem__, labels))
        both = compress(zip(count(1), squares, mixed), flags)
        estimates = [(n * (n * a - 2 * k * b) + k * k * whole) * inverse[k] for k, a, b in both]
        return _of_squares(n, flags, estimates, bits, 1)

    return judge


def _gini_of_two(classes: tuple[int, ...], one: int) -> Judge:
    """The same for two classes, where one square is the other."""
    n, ones = sum(classes), classes[one]
    inverse, bits = reciprocals(n)

    def estimates(places: Iterable[int], left: Iterable[int]) -> list[int]:
        return [(d := n * a - k * ones) * d * inverse[k] for k, a in zip(places, left, strict=True)]

    return _Two(n, one, estimates, lambda flags, found: _of_squares(n, flags, found, bits, 2)).judge


def squares_of_numbers(numbers: Sequence[int], flags: bytes) -> Scores:
    """The reduction of the squared error by cuts of rows with a numeric target.

    Args:
        numbers: the targets in the order of the attribute.
        flags: where to cut.
    """
    n, whole = len(numbers), sum(numbers)
    inverse, bits = reciprocals(n)
    left = compress(accumulate(numbers), flags)
    estimates = [(d := n * s - k * whole) * d * inverse[k] for k, s in zip(_places(flags), left, strict=True)]
    return _of_squares(n, flags, estimates, bits, 1)


class _Two(NamedTuple):
    """What judges two classes, of which the number of rows of the one on the left says everything."""

    size: int
    """The number of rows."""
    one: int
    """The class that is counted."""
    estimates: Callable[[Iterable[int], Iterable[int]], list[int]]
    """The estimates for some places, and how many rows of the class are on the left of each."""
    scores: Callable[[bytes, list[int]], Scores]
    """Scores of flags and estimates."""

    def judge(self, labels: Sequence[int], flags: bytes, every: bool = True) -> Scores:
        """The estimates of all cuts; or, where there are many rows, of all that can be the best."""
        marked = bytes(labels).translate(_only(self.one))
        if every or self.size < _LARGE:
            left = compress(accumulate(marked), flags)
            return self.scores(flags, self.estimates(_places(flags), left))
        return self._block_by_block(marked, flags)

    def _block_by_block(self, marked: bytes, flags: bytes) -> Scores:
        """Scores of the cuts in those blocks of rows that can have the best one.

        Of z others and a of the class on the left, |D|·score is a convex function, and 0 where z to a is as in the
        whole sample. So it grows with a where the class is frequent on the left, and with z where it is rare. In the
        rectangle that a block of rows leads through it is therefore largest at a corner that the rows may pass by:
        where all of the class in the block come first, or all others.
        """
        size = isqrt(self.size)
        starts = range(0, self.size, size)
        ones = list(accumulate((marked.count(1, start, start + size) for start in starts), initial=0))
        others = [place - a for place, a in zip((*starts, self.size), ones, strict=True)]
        limits = [
            max(corners)
            for corners in zip(
                self.estimates(map(add, others[:-1], ones[1:]), ones[1:]),
                self.estimates(map(add, others[1:], ones[:-1]), ones[:-1]),
                strict=True,
            )
        ]
        found: dict[int, list[int]] = {}
        best = 0
        for block in sorted(range(len(limits)), key=limits.__getitem__, reverse=True):
            if limits[block] + 2 * self.scores(b"", [limits[block]]).slack < best:
                break
            start = starts[block]
            here = flags[start : start + size]
            left = compress(accumulate(marked[start : start + size], initial=ones[block]), b"\0" + here)
            found[block] = self.estimates(compress(count(start + 1), here), left)
            best = max([best, *found[block]])
        judged = b"".join(
            flags[start : start + size] if block in found else bytes(size) for block, start in enumerate(starts)
        )
        return self.scores(judged[: len(flags)], [estimate for block in sorted(found) for estimate in found[block]])


def _places(flags: bytes) -> Iterator[int]:
    return compress(count(1), flags)


@cache
def _only(label: int) -> bytes:
    """For `bytes.translate`: 1 for this label and 0 for all others."""
    return bytes(int(other == label) for other in range(256))
