r"""Bounds: how good a cut within a bin can be, from the counts before the bin and those in it.

A measure is a function of *pairs*, each of two sums over the rows on the left: x, and the weight L of the rows that the
pair is about. Of all rows of the node these are X and N. Let $R = N - L$.

| measure | pairs | a pair counts |
| --- | --- | --- |
| Gini, twoing | a class against all others | $e = (N x - X L)^2 / L R$ |
| squared error | x is the sum of ŷ | $e$ |
| gain | a class against those after it | $g(x) + g(L - x) - g(L)$ on each side, $g(t) = t \ln t$ |

The sum over the pairs is larger where the cut is better, and depends on nothing else. For Gini,
$\sum_j l_j^2 / L + \sum_j r_j^2 / R = \sum_j n_j^2 / N + \sum_j e_j / N$; for the squared error the same with one
term; the gain of several classes is that of the first against the others, and of these among themselves (the chain rule
of the entropy). Twoing is $(\sum_j \sqrt{e_j})^2$, up to a constant.

*The theorem.* What a pair counts is convex in (x, L). For e, as $N / L R = 1 / L + 1 / R$, and for the gain it is a sum
of functions $t^2 / u$, or $t \ln (t / u)$, of linear t and u > 0, each the perspective of a convex function of t. A
convex function on a polygon is at most its largest value at a corner: each point is a mean of the corners, and the
function of a mean is at most the mean of its values. So all that is left is a polygon in which the left side of each
cut within the bin lies.

1. *Classes.* The bin adds between none and all c of the rows of the class, and between none and all d of the others: a
   box of four corners. With two classes this is the box of left counts.
2. *Numbers.* The bin adds k of its m units of weight, with a sum between $k \cdot lowest$ and $k \cdot highest$, and so
   do the m - k units that are left out. With s the sum of all, the two conditions on either side meet at
   $k = (s - m \cdot lowest) / (highest - lowest)$: a parallelogram, whose other corners are (0, 0) and (s, m).

The largest value of a sum is at most the sum of the largest values of its terms. As the first and the last corner are
the cuts at the ends of the bin, a bin beside a cut is never worse than this cut.

*Rounding.* u is 2⁻⁵³. Of $e$ the two terms of the quotient are whole numbers, and Python divides these correctly
rounded: its relative error is u; the sum, the root and the square of k pairs have at most (2k + 6)·u. In the gain each
logarithm is within 4u, and the terms of a pair and their partial sums are at most 6·N ln N: the error is at most
100·k·u·N ln N. `SAFETY` doubles these twice: for two numbers that are compared, and for the bound itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

SAFETY = 4
UNIT = 2.0**-53

Whole: TypeAlias = Sequence[int]
"""Sums in whole units: the weight of each class; of numbers the weight, and the sums of ŷ and ŷ²."""
Pair: TypeAlias = tuple[int, int]
"""x and L."""


class CountedBin(NamedTuple):
    """The rows of a bin, or of a value."""

    number: int
    """Bins are numbered in the order of their values."""
    size: int
    """How many numbers it has; 0 of a value."""
    value: object
    """The cell, if all its rows have one."""
    sums: Whole
    low: int = 0
    """The least ŷ."""
    high: int = 0
    """The largest ŷ."""


def squared(x: int, left: int, whole: int, n: int) -> float:
    """What a pair counts for Gini, twoing and the squared error.

    Example:
        >>> squared(2, 2, 2, 4), squared(1, 2, 2, 4), squared(0, 0, 2, 4)
        (4.0, 0.0, 0.0)
    """
    sides = left * (n - left)
    return (n * x - whole * left) ** 2 / sides if sides else 0.0


def informed(x: int, left: int, whole: int, n: int) -> float:
    """What a pair counts for the gain."""
    # Each sum is taken once: a bin asks three times for it.
    log, other, right = math.log, left - x, n - left
    far, rest = whole - x, right - whole + x
    found = (x and x * log(x)) + (other and other * log(other)) - (left and left * log(left))
    return found + (far and far * log(far)) + (rest and rest * log(rest)) - (right and right * log(right))


class CutMeasure(NamedTuple):
    """A measure of cuts, by pairs."""

    counted: Callable[[int, int, int, int], float]
    """What a pair counts, from x, L, X and N."""
    pairs: Callable[[Whole], Sequence[Pair]]
    """The pairs of sums over some rows."""
    of_numbers: bool = False
    apart: bool = False
    """Whether the roots are added up; their sum is compared, which is its square as well."""

    def scored(self, bins: Sequence[CountedBin], whole: Whole) -> tuple[list[float], list[float]]:
        """The score of the cut behind each bin or value, and a bound of those within it and at its ends.

        Args:
            bins: bins and values, ascending.
            whole: the sums over all of them.
        """
        sides, of = [self.pairs(one.sums) for one in bins], self.counted
        scores, bounds = [0.0] * len(bins), [0.0] * len(bins)
        for place, (total, n) in enumerate(self.pairs(whole)):
            x, left, here = 0, 0, of(0, 0, total, n)
            for at, one in enumerate(bins):
                (c, m), before = sides[at][place], here
                here = of(x + c, left + m, total, n)
                most = before if before > here else here
                if one.size:
                    most = max(most, *(self._inside(x, left, c, m, total, n, one)))
                x, left = x + c, left + m
                scores[at] += math.sqrt(here) if self.apart else here
                bounds[at] += math.sqrt(most) if self.apart else most
        return scores, bounds

    def _inside(self, x: int, left: int, c: int, m: int, total: int, n: int, one: CountedBin) -> tuple[float, float]:
        """What a pair counts at the two other corners of a bin, which adds c and m to x and L."""
        of = self.counted
        if not self.of_numbers:
            return of(x + c, left + c, total, n), of(x, left + m - c, total, n)
        unit = one.high - one.low or 1  # all is multiplied by it, and stays whole
        k, x, left, total, n = c - m * one.low, x * unit, left * unit, total * unit, n * unit
        rest = m * unit - k
        high, low = of(x + k * one.high, left + k, total, n), of(x + rest * one.low, left + rest, total, n)
        return high / unit / unit, low / unit / unit

    def reach(self, whole: Whole, most: float) -> float:
        """How far below the largest score that of the best cut can be computed."""
        size, n = len(whole), self.pairs(whole)[0][1]
        if self.counted is informed:
            return SAFETY * 100 * size * UNIT * n * math.log(max(n, 2))
        return SAFETY * (2 * size + 8) * UNIT * most


def each_class(sums: Whole) -> Sequence[Pair]:
    """Each class against all others; of two classes once.

    Example:
        >>> each_class((1, 2, 4)), each_class((1, 2))
        ([(1, 7), (2, 7), (4, 7)], [(1, 3)])
    """
    left = sum(sums)
    return [(x, left) for x in (sums if len(sums) > 2 else sums[:1])]


def chain(sums: Whole) -> Sequence[Pair]:
    """Each class against those after it.

    Example:
        >>> chain((1, 2, 4))
        [(1, 7), (2, 6)]
    """
    return [(x, sum(sums[place:])) for place, x in enumerate(sums[:-1] or sums)]


MEASURES: Mapping[str, CutMeasure] = {
    "gini_decrease": CutMeasure(squared, each_class),
    "twoing": CutMeasure(squared, each_class, apart=True),
    "gain": CutMeasure(informed, chain),
    "variance_reduction": CutMeasure(squared, lambda sums: [(sums[1], sums[0])], of_numbers=True),
}
"""The measures of cuts that are found among bins."""

__all__ = ["MEASURES", "CountedBin", "CutMeasure"]
