r"""Scores of cuts: a whole-number estimate of every cut of an attribute, in a few table look-ups each.

A learner asks every continuous attribute for its best cut, so nearly all of its time goes into scores that come to
nothing. They need not be exact, then, as long as it is known how wrong they can be. An *estimate* is an integer, and
`Scores` say how far it may be off.

1. `gain_judge`, and `gini_judge` in `square_scores`, make a `Judge` for a node from the number of rows of each class,
   which is the same for all attributes: there the tables are looked up once.
2. A judge goes along the classes in the order of an attribute. A row moves from the right side to the left one, which
   changes one class on each side.
3. A judge also says how large a score can be anywhere in a stretch of rows (`limits`), for `stretches` to pass over.

A cut is named by its place k: it has k rows on the left. Estimates are of |D|·score, D being the rows whose value is
known, and in units of the weights. `flags` say at which of the places 1, 2, ..., n - 1 there is a cut to judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, compress, count, cycle, pairwise
from operator import add, sub
from typing import NamedTuple, Protocol, TypeVar

from reference_tree.exact.choosing import Bounds, n_log_n_table

PLACES = 32
"""Estimates of gains are in units of 2^-32."""

_SMALL = 1024
"""Tables for so few rows are kept: nearly all nodes are that small, and they meet again and again."""

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
    most: int
    """The largest estimate; 0 if there is none."""

    @classmethod
    def of(cls, flags: bytes, estimates: Sequence[int], slack: int, rate: tuple[int, int]) -> Scores:
        """Scores, of which the largest is looked for."""
        return cls(flags, estimates, slack, rate, max(estimates, default=0))

    @property
    def places(self) -> list[int]:
        """The places of the cuts that were judged."""
        return list(_places(self.flags))

    def near_best(self) -> list[int]:
        """The places of the cuts that can still be the best.

        Example:
            >>> Scores.of(bytes([1, 0, 1, 1]), [90, 99, 101], 2, (1, 1)).near_best()
            [3, 4]
        """
        floor = self.most - 2 * self.slack
        return [place for place, e in zip(_places(self.flags), self.estimates, strict=True) if e >= floor]

    def bounds(self) -> Bounds:
        """Between which numbers the largest score lies, in units of 2^-32.

        Example:
            >>> Scores.of(bytes([1, 0, 1, 1]), [90, 99, 101], 2, (1, 1)).bounds()
            Bounds(low=99, high=104)
        """
        top, bottom = self.rate
        return Bounds((self.most - self.slack) * top // bottom, (self.most + self.slack) * top // bottom + 1)


class Judge(Protocol):
    """Judges the cuts of rows of which there is a certain number of each class."""

    @property
    def classes(self) -> tuple[int, ...]:
        """The number of rows of each class."""

    def estimates(self, labels: bytes, flags: bytes, before: Sequence[int] = (), start: int = 0) -> list[int]:
        """The estimates of the cuts in a stretch of rows.

        Args:
            labels: the classes of the rows in the order of the attribute; or, of all rows, in the orders of several
                attributes, one behind the other.
            flags: where in the stretch there are cuts to be judged; none between two orders.
            before: how many rows of each class come before the stretch; none: it is the first.
            start: how many rows come before it.
        """

    def limits(self, labels: bytes, places: Sequence[int]) -> list[int]:
        """What no estimate of a cut exceeds between some places and the next ones, in any order of the rows there.

        Args:
            labels: the classes of all rows in the order of the attribute; or of several, one behind the other.
            places: ascending, from 0 on; the same in all orders.
        """

    def scores(self, flags: bytes, estimates: Sequence[int]) -> Scores:
        """What is known of some cuts."""


def remembered(make: Callable[[int], Made]) -> Callable[[int], Made]:
    """What is made once for each small n, and for the last few large ones: those of one node."""
    of_few, of_many = lru_cache(maxsize=_SMALL)(make), lru_cache(maxsize=8)(make)
    return lambda n: of_few(n) if n < _SMALL else of_many(n)


def judging(make: Callable[[tuple[int, ...]], Judge]) -> Callable[[tuple[int, ...]], Judge]:
    """Judges for some numbers of rows of each class, remembered likewise."""
    of_few, of_many = lru_cache(maxsize=_SMALL)(make), lru_cache(maxsize=1)(make)
    return lambda classes: of_few(classes) if sum(classes) < _SMALL else of_many(classes)


# Information gain. With t(n) = n·log2 n, of n rows with c_j of class j,
#
#     n·gain = t(n) - Σ_j t(c_j) + Σ_j [t(l_j) + t(c_j - l_j)] - [t(k) + t(n - k)]
#
# for a cut with k rows on the left, l_j of class j. Everything in brackets is a pair.


@remembered
def pairs(n: int) -> list[int]:
    """For k = 0, ..., n the terms k·log2 k + (n - k)·log2 (n - k), in units of 2^-32, from below: each by less than 4.

    Example:
        >>> [pair >> 32 for pair in pairs(4)]
        [8, 4, 4, 4, 8]
    """
    found = terms(n)
    half = [below + above for below, above in zip(found[: n // 2 + 1], reversed(found), strict=False)]
    return half + half[: n - n // 2][::-1]


def terms(n: int) -> list[int]:
    """The terms k·log2 k of k = 0, ..., n, in units of 2^-32, from below: each by less than 2."""
    return _terms(n.bit_length())[: n + 1]


@cache
def _terms(length: int) -> list[int]:
    # `n_log_n` is short by less than 2 units of 2^-64, and the cut to 32 places by less than 1.
    return [term >> PLACES for term in n_log_n_table((1 << length) - 1)]


@remembered
def steps(n: int) -> list[int]:
    """The differences of `pairs(n)`: what it means that one more of n rows goes to the left."""
    return [after - before for before, after in pairwise(pairs(n))]


@judging
def gain_judge(classes: tuple[int, ...]) -> Judge:
    """Judges by information gain.

    Args:
        classes: the number of rows of each class.

    Example:
        >>> estimates = gain_judge((2, 2)).estimates(bytes([0, 0, 1, 1]), bytes([1, 1, 1]))     # all cuts
        >>> [f"{estimate / 2**32 / 4:.4f}" for estimate in estimates]
        ['0.3113', '1.0000', '0.3113']
    """
    return _GainOfTwo(classes) if sum(map(bool, classes)) == 2 else _GainOfMany(classes)


class _GainOfMany:
    """Any number of classes."""

    def __init__(self, classes: tuple[int, ...]) -> None:
        self.classes, n = classes, sum(classes)
        self._of_sides, self._whole = pairs(n), terms(n)[n]
        # Of each class two terms are added and one is subtracted; one is added for the whole, two subtracted for the
        # sides. Each is short by less than 2.
        self._slack = 4 * sum(1 for size in classes if size) + 4

    def estimates(self, labels: bytes, flags: bytes, before: Sequence[int] = (), start: int = 0) -> list[int]:
        if len(labels) > sum(self.classes):
            return [e for order in orders_in(labels, flags, sum(self.classes)) for e in self.estimates(*order)]
        # The i-th row of a class takes the i-th step of that class, wherever it stands.
        before = before or [0] * len(self.classes)
        to = [iter(steps(size)[past : past + len(labels)]) for size, past in zip(self.classes, before, strict=True)]
        cells = self._whole + sum(
            pairs(size)[past] - pairs(size)[0] for size, past in zip(self.classes, before, strict=True) if size
        )
        moved = accumulate(map(next, map(to.__getitem__, labels)), initial=cells)
        sides = self._of_sides[start : start + len(labels) + 1]
        return [now - of_side for now, of_side in compress(zip(moved, sides, strict=True), b"\0" + flags)]

    def limits(self, labels: bytes, places: Sequence[int]) -> list[int]:
        if len(labels) > sum(self.classes):
            return [e for order, _ in orders_in(labels, b"", sum(self.classes)) for e in self.limits(order, places)]
        passed = [passed_by(label, labels, places) for label in range(len(self.classes))]
        # A side that loses rows loses impurity, whichever they are. So a cut is worth no more than with the left side
        # as it is at the place before, and the right side as it is at the place after.
        term, n = terms(sum(self.classes)), sum(self.classes)
        start = term[n] - sum(term[size] for size in self.classes)
        left = [sum(map(term.__getitem__, side)) - term[sum(side)] for side in zip(*passed, strict=True)]
        right = [
            sum(term[size - a] for size, a in zip(self.classes, side, strict=True)) - term[n - sum(side)]
            for side in zip(*passed, strict=True)
        ]
        return [start + below + above for below, above in zip(left, right[1:], strict=False)]

    def scores(self, flags: bytes, estimates: Sequence[int]) -> Scores:
        return Scores.of(flags, estimates, self._slack, (1, 1))


class OfTwo:
    """Two classes: how many rows of the one are on the left says everything."""

    def __init__(self, classes: tuple[int, ...]) -> None:
        self.classes, self.n = classes, sum(classes)
        *_, self.one = (label for label, size in enumerate(classes) if size)
        self.ones, self._only = classes[self.one], _only(self.one)

    def at(self, places: Iterable[int], left: Iterable[int]) -> list[int]:
        """The estimates for some places and the numbers of rows of the class on the left of each."""
        raise NotImplementedError

    def estimates(self, labels: bytes, flags: bytes, before: Sequence[int] = (), start: int = 0) -> list[int]:
        """See `Judge`."""
        marked, n = labels.translate(self._only), self.n
        if not start:  # with each order the count begins anew
            orders = (marked[order : order + n] for order in range(0, len(marked), n))
            left = compress(chain.from_iterable(map(accumulate, orders)), flags)
            return self.at(compress(cycle(range(1, n + 1)), flags), left)
        left = compress(accumulate(marked, initial=before[self.one]), b"\0" + flags)
        return self.at(compress(count(start + 1), flags), left)

    def limits(self, labels: bytes, places: Sequence[int]) -> list[int]:
        """See `Judge`."""
        # Of z others and a of the class on the left, |D|·score is a convex function, and 0 where z to a is as in the
        # whole sample. So it grows with a where the class is frequent on the left, and with z where it is rare. In the
        # rectangle that a stretch of rows leads through it is therefore largest at a corner that they may pass by:
        # where all of the class come first, or all others.
        before, after = [], []
        for order in range(0, len(labels), self.n):
            ones = passed_by(self.one, labels[order : order + self.n], places)
            before += ones[:-1]
            after += ones[1:]
        rise, m = list(map(sub, after, before)), len(labels) // self.n
        first = self.at(map(add, [*places[:-1]] * m, rise), after)
        last = self.at(map(sub, [*places[1:]] * m, rise), before)
        return [max(pair) for pair in zip(first, last, strict=True)]


class _GainOfTwo(OfTwo):
    def __init__(self, classes: tuple[int, ...]) -> None:
        super().__init__(classes)
        n, ones = self.n, self.ones
        whole = terms(n)[n] - terms(ones)[ones] - terms(n - ones)[n - ones]
        self._of_ones, self._of_others = [whole + pair for pair in pairs(ones)], pairs(n - ones)
        self._of_sides = pairs(n)

    def at(self, places: Iterable[int], left: Iterable[int]) -> list[int]:
        of_ones, of_others, of_sides = self._of_ones, self._of_others, self._of_sides
        return [of_ones[a] + of_others[k - a] - of_sides[k] for k, a in zip(places, left, strict=False)]

    def scores(self, flags: bytes, estimates: Sequence[int]) -> Scores:
        return Scores.of(flags, estimates, 10, (1, 1))  # 1 + 4 terms are added, 2 + 2 subtracted


def passed_by(label: int, labels: bytes, places: Sequence[int]) -> list[int]:
    """How many rows of a class are on the left of each place."""
    return list(accumulate([labels.count(label, start, end) for start, end in pairwise(places)], initial=0))


def orders_in(labels: bytes, flags: bytes, n: int) -> Iterator[tuple[bytes, bytes]]:
    """The labels and flags of each of several orders of n rows, which are one behind the other."""
    return ((labels[start : start + n], flags[start : start + n - 1]) for start in range(0, len(labels), n))


def _places(flags: bytes) -> Iterator[int]:
    return compress(count(1), flags)


@cache
def _only(label: int) -> bytes:
    """For `bytes.translate`: 1 for this label and 0 for all others."""
    return bytes(int(other == label) for other in range(256))
