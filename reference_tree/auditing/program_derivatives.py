r"""The margins of the rows and their derivatives in a boosting program, enclosed with all of its roundings.

A boosted tree is fitted to the derivatives of a loss at the margins of the trees before it, and a program rounds both.

1. `start_of` encloses the margin with which all rows begin. A probability that the program turned into a logit in its
   own floats is known up to some units in the last place.
2. `Replay` replays the margins, addition by addition, in the floats of the program. Rounding is monotone, so the ends
   of an enclosure are replayed one by one; where they are the same number, the margin is known exactly.
3. `derivatives` encloses g and h of each row at its margin. Those of squared error are one subtraction, and exact where
   the margin is. A probability is enclosed, with all the rounding that the program may have done.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias, cast

from reference_tree.auditing.boosters import Booster
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.losses import share_against
from reference_tree.exact.intervals import Interval
from reference_tree.exact.log_sums import LogSum, log
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import nearest_single

BITS = 64
"""The number of bits to which a probability is enclosed, before the rounding of the program is added."""

UNIT = 1 << BITS
"""The number of such units in 1."""

DIGITS = {"float32": 24, "double": 53}
"""The binary digits of a float."""

ULP = {floats: Fraction(1, 2**digits) for floats, digits in DIGITS.items()}
"""The relative error of one rounding."""

OPERATIONS = 8
"""The number of roundings allowed between a margin and its probability: an exponential that is off by some units in the
last place, a sum, a quotient."""

LEAST_H = Fraction(1, 10**16)
"""The value to which a program may raise a smaller second derivative."""

Ends: TypeAlias = tuple[Fraction, Fraction]
"""The lower and the upper bound of a number."""
Margins: TypeAlias = tuple[Ends, ...]
"""The bounds of the margins of a row: one margin, or one for each class."""


class Sums(NamedTuple):
    """The lower and upper bounds of G and H of some rows."""

    g_low: int
    g_high: int
    h_low: int
    h_high: int

    def __add__(self, other: Sums) -> Sums:  # type: ignore[override]
        return Sums(*(one + its for one, its in zip(self, other, strict=True)))

    def __sub__(self, other: Sums) -> Sums:
        return Sums(*(one - its for one, its in zip(self, other, strict=True)))


@dataclass(frozen=True)
class Known:
    """The lower and upper bounds of the derivatives of all rows, in whole units of 1/scale."""

    g: Sequence[tuple[int, int]]
    h: Sequence[tuple[int, int]]
    scale: int

    @cached_property
    def bounds(self) -> list[list[int]]:
        """The lower bounds of g, its upper bounds, and those of h."""
        return [[ends[end] for ends in column] for column in (self.g, self.h) for end in (0, 1)]

    def sums(self, rows: Collection[int]) -> Sums:
        """The bounds of G and H of some rows.

        Example:
            >>> Known([(-2, -1), (3, 3), (5, 7)], [(1, 1), (1, 2), (4, 4)], 1).sums([0, 2])
            Sums(g_low=3, g_high=6, h_low=5, h_high=5)
        """
        return Sums(*(sum(map(column.__getitem__, rows)) for column in self.bounds))

    def prefixes(self, rows: Sequence[int]) -> list[tuple[int, ...]]:
        """The bounds of G and H of the first row, of the first two rows, and so on: four running sums.

        Example:
            >>> Known([(-2, -1), (3, 3)], [(1, 1), (1, 2)], 1).prefixes([0, 1])
            [(-2, -1, 1, 1), (1, 2, 2, 3)]
        """
        return list(zip(*(accumulate(map(column.__getitem__, rows)) for column in self.bounds), strict=True))


def known(pairs: Sequence[tuple[Interval, Interval]]) -> Known:
    """Enclosed derivatives in whole units, exact where the ends are rationals with a common denominator.

    Example:
        >>> half = Interval(Fraction(1, 2), Fraction(1, 2))
        >>> known([(half, Interval(Fraction(1, 8), Fraction(1, 4)))])
        Known(g=[(4, 4)], h=[(1, 2)], scale=8)
    """
    different = {id(pair): pair for pair in pairs}
    scale = math.lcm(*{end.denominator for pair in different.values() for one in pair for end in _ends(one)})
    found = {
        key: [
            (low.numerator * (scale // low.denominator), high.numerator * (scale // high.denominator))
            for low, high in map(_ends, pair)
        ]
        for key, pair in different.items()
    }
    g, h = zip(*(found[id(pair)] for pair in pairs), strict=True)
    return Known(list(g), list(h), scale)


def _ends(it: Interval) -> tuple[Rational, Rational]:
    return it.low, it.high


# Margins.


def rounded(number: Rational, floats: str) -> Fraction:
    """The nearest float. Rounding to a double first does not change it for a sum or a difference of two floats.

    Example:
        >>> rounded(Fraction(1, 3), "float32")
        Fraction(11184811, 33554432)
    """
    double = number.numerator / number.denominator
    return Fraction(nearest_single(double) if floats == "float32" else double)


def targets_of(table: Table, floats: str) -> list[Rational]:
    """The target of each row: the place of its class, or the number, as the program holds it."""
    column: Any = table.columns[table.schema.target.name]
    return list(column) if table.schema.target.values is not None else [rounded(one, floats) for one in column]


def start_of(booster: Booster, ensemble: Ensemble, table: Table) -> Margins:
    """The margins of all rows before the first tree.

    Args:
        booster: the parameters of the program.
        ensemble: the model, which states its start unless that is the average of the data.
        table: the rows.

    Raises:
        InputError: a class has no row, so that its share has no logarithm.
    """
    if not booster.from_average:
        return tuple(_started(one, booster.margins) for one in ensemble.start)
    targets, weights = targets_of(table, booster.targets), list(map(Fraction, table.weighted()))
    n, ulp = sum(weights, Fraction(0)), ULP["double"]
    if booster.loss == "squared_error":
        weighed = [weight * Fraction(y) for weight, y in zip(weights, targets, strict=True)]
        off = (len(targets) + 2) * ulp * sum(map(abs, weighed)) / n
        mean = sum(weighed, Fraction(0)) / n
        return ((mean - off, mean + off),)
    counts = [Fraction(0)] * len(table.schema.target.domain)
    for weight, place in zip(weights, targets, strict=True):
        counts[int(place)] += weight
    if not all(counts):
        raise InputError("the sums start from the shares of the classes, and a class of the model has no row")
    if booster.loss == "logistic":
        return (_started(log(Fraction(counts[1], counts[0]), math.e), "double"),)
    return tuple(_started(log(Fraction(count, n), math.e), "double") for count in counts)


def _started(start: Number, floats: str) -> Ends:
    r"""A start as the program has it: a float, or the logit of a probability p that it worked out in its floats.

    Three roundings, of p, 1/p and 1/p - 1, move the logit F by $u/(1-p)$, $u/(1-p)$ and $u$, where u is the relative
    error of one, and the logarithm is off by $2u|F|$. The bound is twice their sum.
    """
    if isinstance(start, int | Fraction):
        whole = rounded(start, floats)
        return whole, whole
    low, high, scale = cast(LogSum, start).enclosure(BITS)
    ends = Fraction(low, scale), Fraction(high, scale)
    f = max(map(abs, ends))
    other = share_against((-ends[1],), BITS)  # p; 1/(1 - p) = 1 + p/(1 - p)
    off = 2 * ULP[floats] * (2 / (1 - Fraction(other.high)) + 1 + 2 * f)
    return rounded(ends[0] - off, floats), rounded(ends[1] + off, floats)


class Replay:
    """The margins of all rows, replayed tree by tree.

    Args:
        steps: for each tree, the bounds of the value that it adds to each row; later ones may still change.
        start: the margins of all rows before the first tree.
        booster: the parameters of the program; they name the floats in which margins are added up.
    """

    def __init__(self, steps: Sequence[Sequence[Ends]], start: Margins, booster: Booster) -> None:
        self.steps, self.start, self.booster = steps, start, booster
        self._done = 0
        self._now = [[ends] * len(steps[0]) for ends in start]

    def before(self, number: int) -> list[Margins]:
        """The margins of all rows before a tree was grown; with several classes, before its round."""
        sums, floats = len(self.start), self.booster.margins
        if number // sums * sums < self._done:
            self._done, self._now = 0, [[ends] * len(self.steps[0]) for ends in self.start]
        for done in range(self._done, number // sums * sums):
            now, steps = self._now[done % sums], self.steps[done]
            # a leaf of the first round may hold the start already: it is the rounded sum of both
            first = self.booster.from_average and done < sums
            moved: dict[tuple[int, int], Ends] = {}  # rows of the same history share their margins
            for margin, step in zip(now, steps, strict=True):
                if (id(margin), id(step)) not in moved:
                    moved[id(margin), id(step)] = step if first else _moved(margin, step, floats)
            self._now[done % sums] = [moved[pair] for pair in zip(map(id, now), map(id, steps), strict=True)]
        self._done = number // sums * sums
        return list(zip(*self._now, strict=True))


def _moved(margin: Ends, step: Ends, floats: str) -> Ends:
    low, high = rounded(margin[0] + step[0], floats), margin[1] + step[1]
    return low, low if margin[0] == margin[1] and step[0] == step[1] else rounded(high, floats)


# Derivatives.


def derivatives(
    booster: Booster,
    targets: Sequence[Rational],
    margins: Sequence[Margins],
    of: int = 0,
    weights: Sequence[Fraction] | None = None,
) -> Known:
    """The bounds of g and h of each row, with the roundings that the program may have made.

    Args:
        booster: the parameters of the program.
        targets: the target of each row, as the program holds it.
        margins: the margins of each row, enclosed.
        of: the class with respect to whose margin the derivatives are taken.
        weights: the weight of each row, as the program holds it; None if each is 1.

    Example:
        >>> ends = [((Fraction(0), Fraction(0)),)]
        >>> derivatives(Booster(loss="logistic"), [1], ends)        # p = 1/2, which a float holds
        Known(g=[(-2, -2)], h=[(1, 1)], scale=4)

    Source:
        [ChenGuestrin2016 §2.2 eq. (3)], [Moore1966]
    """
    found: dict[tuple[int, ...], tuple[Interval, Interval]] = {}
    cases = [(id(y), *map(id, ends)) for y, ends in zip(targets, margins, strict=True)]
    for case, y, ends in zip(cases, targets, margins, strict=True):
        if case not in found:
            found[case] = _enclosed(booster, y, ends, of)
    pairs = [found[case] for case in cases]
    if weights is not None:
        pairs = [(_weighed(g, w), _weighed(h, w)) for (g, h), w in zip(pairs, weights, strict=True)]
    return known(pairs)


def _weighed(it: Interval, weight: Fraction) -> Interval:
    """A derivative, times the weight of its row: one more rounding, to a float32."""
    low, high = (rounded(end * weight, "float32") for end in (it.low, it.high))
    return Interval(low, high)


def _enclosed(booster: Booster, y: Rational, margins: Margins, of: int) -> tuple[Interval, Interval]:
    if booster.loss == "squared_error":
        low, high = (rounded(end - y, "float32" if booster.newton else "double") for end in margins[0])
        return Interval(low, high), Interval(1, 1)
    logistic = booster.loss == "logistic"
    p, right = _probability(margins, of, logistic), int(y == 1 if logistic else y == of)
    factor: Rational = 1 if logistic else booster.second
    g, h = p - right, _of_h(p, factor)
    if _is_held(g) and _is_held(h) and _is_held(p):
        return g, h
    return _widened(p, right, Fraction(factor), DIGITS[booster.margins])


def _widened(p: Interval, right: int, factor: Fraction, digits: int) -> tuple[Interval, Interval]:
    """G and h of an enclosed probability, with the roundings of the program, in whole units of 2^-BITS.

    Args:
        p: the probability.
        right: 1 if the row has the class, else 0.
        factor: h is so many times p(1 - p).
        digits: the binary digits of the floats in which the probability was worked out.
    """
    low, high = math.floor(p.low * UNIT), math.ceil(p.high * UNIT)
    low, high = max(0, low - _off(low, OPERATIONS, digits)), min(UNIT, high + _off(high, OPERATIONS, digits))
    ends = [end * (UNIT - end) * factor.numerator // (factor.denominator * UNIT) for end in (low, high)]
    largest = factor.numerator * UNIT // (4 * factor.denominator) if 2 * low < UNIT < 2 * high else max(ends)
    h_low, h_high = min(ends) - _off(min(ends), 4), largest + 1 + _off(largest, 4) + math.ceil(LEAST_H * UNIT)
    g_low, g_high = low - right * UNIT, high - right * UNIT
    off = _off(max(-g_low, g_high), 1)
    numbers = (Fraction(number, UNIT) for number in (g_low - off, g_high + off, max(0, h_low), h_high))
    return Interval(next(numbers), next(numbers)), Interval(next(numbers), next(numbers))


def _off(number: int, roundings: int, digits: int = 24) -> int:
    """The most that some roundings change a number of such units."""
    return (number * roundings >> digits) + 1


def _probability(margins: Margins, of: int, logistic: bool) -> Interval:
    """The probability of a class: it rises with its own margin and falls with the margins of the other classes."""
    own = margins[0 if logistic else of]
    others: list[Ends] = [(Fraction(0), Fraction(0))] if logistic else [*margins[:of], *margins[of + 1 :]]
    low = share_against(tuple(sorted(other[1] - own[0] for other in others)), BITS)
    if own[0] == own[1] and all(other[0] == other[1] for other in others):
        return low
    return Interval(low.low, share_against(tuple(sorted(other[0] - own[1] for other in others)), BITS).high)


def _of_h(p: Interval, factor: Rational) -> Interval:
    """factor·p(1 - p), which is largest where p is ½."""
    ends = sorted(factor * end * (1 - end) for end in (Fraction(p.low), Fraction(p.high)))
    return Interval(ends[0], factor * Fraction(1, 4) if p.low < Fraction(1, 2) < p.high else ends[1])


def _is_held(it: Interval) -> bool:
    """Whether the interval is a single number that is a float32."""
    return it.low == it.high == rounded(it.low, "float32")


__all__ = ["Replay", "derivatives", "start_of"]
