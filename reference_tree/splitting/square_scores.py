r"""Scores of cuts by squares: the decrease of Gini, and the reduction of the squared error.

Both come down to squares. With l_j of c_j rows of class j on the left of a cut at k, or a sum of s of the whole sum S
of the targets,

$$n \cdot \mathrm{decrease} = \frac{\sum_j (n l_j - k c_j)^2}{n\,k\,(n - k)}, \qquad
n \cdot \mathrm{reduction} = \frac{(n s - k S)^2}{n\,k\,(n - k)}$$

Squares of integers are exact, and the divisor is looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, compress, count

from reference_tree.splitting.cut_scores import PLACES, Judge, OfTwo, Scores, judging, orders_in, passed_by, remembered


@remembered
def reciprocals(n: int) -> tuple[list[int], int]:
    """For k = 1, ..., n - 1 the number 1 / (k·(n - k)), in units of 2^-bits, from below; and the bits.

    There are so many of them that each number is too small by less than its 2^-24th part. For k = 0 and k = n, where
    all squares are 0, there is a 0.
    """
    bits = 2 * n.bit_length() + 22
    half = [0, *((1 << bits) // (k * (n - k)) for k in range(1, n // 2 + 1))]
    return half + half[: n - n // 2][::-1], bits


def _of_squares(n: int, flags: bytes, estimates: Sequence[int], bits: int, times: int) -> Scores:
    """Scores from the sums of squares, each over k·(n - k) and in units of 2^-bits."""
    # Each estimate e is below the truth by less than truth·2^-24, so by less than e·2^-23 + 1.
    most = max(estimates, default=0)
    return Scores(flags, estimates, (most >> 23) + 1, (times << PLACES, n << bits), most)


@judging
def gini_judge(classes: tuple[int, ...]) -> Judge:
    """Judges by the decrease of Gini.

    Args:
        classes: the number of rows of each class.

    Example:
        >>> judge, flags = gini_judge((2, 2)), bytes([1, 1, 1])     # all cuts
        >>> scores = judge.scores(flags, judge.estimates(bytes([0, 0, 1, 1]), flags))
        >>> top, bottom = scores.rate
        >>> [f"{estimate * top / bottom / 2**32 / 4:.4f}" for estimate in scores.estimates]
        ['0.1667', '0.5000', '0.1667']
    """
    return _GiniOfTwo(classes) if sum(map(bool, classes)) == 2 else _GiniOfMany(classes)


class _GiniOfMany:
    """Any number of classes."""

    def __init__(self, classes: tuple[int, ...]) -> None:
        self.classes, self._n = classes, sum(classes)
        self._squares = sum(size * size for size in classes)
        self._inverse, self._bits = reciprocals(self._n)

    def estimates(self, labels: bytes, flags: bytes, before: Sequence[int] = (), start: int = 0) -> list[int]:
        if len(labels) > self._n:
            return [e for order in orders_in(labels, flags, self._n) for e in self.estimates(*order)]
        # Σ_j (n·l_j - k·c_j)² = n²·Σ l_j² - 2·n·k·Σ l_j·c_j + k²·Σ c_j². One more row of class j adds the next odd
        # number to the first sum, and c_j to the second.
        n, whole, inverse, classes = self._n, self._squares, self._inverse, self.classes
        before = before or [0] * len(classes)
        odd = [count(2 * past + 1, 2) for past in before]
        squares = accumulate(map(next, map(odd.__getitem__, labels)), initial=sum(past * past for past in before))
        mixed = accumulate(
            map(classes.__getitem__, labels),
            initial=sum(past * size for past, size in zip(before, classes, strict=True)),
        )
        both = compress(zip(count(start), squares, mixed, strict=False), b"\0" + flags)
        return [(n * (n * a - 2 * k * b) + k * k * whole) * inverse[k] for k, a, b in both]

    def limits(self, labels: bytes, places: Sequence[int]) -> list[int]:
        if len(labels) > self._n:
            return [e for order, _ in orders_in(labels, b"", self._n) for e in self.limits(order, places)]
        passed = [passed_by(label, labels, places) for label in range(len(self.classes))]
        # As for the gain, the impurity of a side of k rows being k - Σ l_j²/k: n·decrease is the sum of Σ l_j²/k - k
        # over the sides, less that of the whole. An estimate is n·2^bits times as much.
        unit = self._n << self._bits
        left, right = [], []
        for side in zip(*passed, strict=True):
            left.append(_purity(side, unit))
            right.append(_purity([size - a for size, a in zip(self.classes, side, strict=True)], unit))
        whole = _purity(self.classes, unit)
        return [below + above - whole + 1 for below, above in zip(left, right[1:], strict=False)]

    def scores(self, flags: bytes, estimates: Sequence[int]) -> Scores:
        return _of_squares(self._n, flags, estimates, self._bits, 1)


class _GiniOfTwo(OfTwo):
    """Two classes, where one square is the other."""

    def __init__(self, classes: tuple[int, ...]) -> None:
        super().__init__(classes)
        n, ones = self.n, self.ones
        self._inverse, self._bits = reciprocals(n)
        self._of_left, self._of_place = list(range(0, n * ones + 1, n)), list(range(0, n * ones + 1, ones))

    def at(self, places: Iterable[int], left: Iterable[int]) -> list[int]:
        of_left, of_place, inverse = self._of_left, self._of_place, self._inverse  # n·a and k·c are looked up too
        return [(d := of_left[a] - of_place[k]) * d * inverse[k] for k, a in zip(places, left, strict=False)]

    def scores(self, flags: bytes, estimates: Sequence[int]) -> Scores:
        return _of_squares(self.n, flags, estimates, self._bits, 2)


def _purity(side: Sequence[int], unit: int) -> int:
    """Σ l_j²/k - k of a side of k rows, in units of which there are so many to 1, from above."""
    k = sum(side)
    return -(-unit * sum(a * a for a in side) // k) - unit * k if k else 0


def squares_of_numbers(numbers: Sequence[int], flags: bytes) -> Scores:
    """The reduction of the squared error by cuts of rows with a numeric target.

    Args:
        numbers: the targets in the order of the attribute.
        flags: where to cut.
    """
    n, whole = len(numbers), sum(numbers)
    inverse, bits = reciprocals(n)
    left = compress(accumulate(numbers), flags)
    estimates = [
        (d := n * s - k * whole) * d * inverse[k] for k, s in zip(compress(count(1), flags), left, strict=False)
    ]
    return _of_squares(n, flags, estimates, bits, 1)
