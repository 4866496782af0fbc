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
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import share_against
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.exponentials import softmax_bounds
from reference_tree.exact.log_sums import log
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import nearest_single
from reference_tree.programs.boosters import BoosterParameters

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

SHORT = 44
"""The number of bits of the short whole numbers."""

Ends: TypeAlias = tuple[Fraction, Fraction]
"""The lower and the upper bound of a number."""
Four: TypeAlias = tuple[Rational, Rational, Rational, Rational]
"""The lower and the upper bound of g, and those of h."""
Margins: TypeAlias = tuple[Ends, ...]
"""The bounds of the margins of a row: one margin, or one for each class."""


class EnclosedSums(NamedTuple):
    """The lower and upper bounds of G and H of some rows."""

    g_low: int
    g_high: int
    h_low: int
    h_high: int

    def __add__(self, other: EnclosedSums) -> EnclosedSums:  # type: ignore[override]
        return EnclosedSums(*(one + its for one, its in zip(self, other, strict=True)))

    def __sub__(self, other: EnclosedSums) -> EnclosedSums:
        return EnclosedSums(*(one - its for one, its in zip(self, other, strict=True)))


@dataclass(frozen=True)
class EnclosedDerivatives:
    """The lower and upper bounds of the derivatives of all rows, in whole units of 1/scale."""

    g: Sequence[tuple[int, int]]
    h: Sequence[tuple[int, int]]
    scale: int
    weights: Sequence[int] = field(default=(), repr=False)
    """The weights of the rows, for a program whose tests are judged by these and not by h."""

    @cached_property
    def bounds(self) -> list[list[int]]:
        """The lower bounds of g, its upper bounds, and those of h."""
        return [[ends[end] for ends in column] for column in (self.g, self.h) for end in (0, 1)]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.g)

    @property
    def is_alike(self) -> bool:
        """Whether all rows have one h."""
        return all(h == self.h[0] for h in self.h)

    @property
    def largest(self) -> int:
        """The largest |g| of a row."""
        return max((max(abs(low), abs(high)) for low, high in self.g), default=0)

    def sums(self, rows: Collection[int]) -> EnclosedSums:
        """The bounds of G and H of some rows.

        Example:
            >>> EnclosedDerivatives([(-2, -1), (3, 3), (5, 7)], [(1, 1), (1, 2), (4, 4)], 1).sums([0, 2])
            EnclosedSums(g_low=3, g_high=6, h_low=5, h_high=5)
        """
        return EnclosedSums(*(sum(map(column.__getitem__, rows)) for column in self.bounds))

    def prefixes(self, rows: Sequence[int], ends: Sequence[int]) -> Iterator[EnclosedSums]:
        """The bounds of G and H of the first rows, as many as each end says; the ends rise.

        Example:
            >>> known = EnclosedDerivatives([(-2, -1), (3, 3), (1, 1)], [(1, 1), (1, 2), (0, 0)], 1)
            >>> list(known.prefixes([0, 2, 1], [1, 3]))
            [EnclosedSums(g_low=-2, g_high=-1, h_low=1, h_high=1), EnclosedSums(g_low=2, g_high=3, h_low=2, h_high=3)]
        """
        parts = [rows[begin:end] for begin, end in pairwise([0, *ends])]
        columns = [accumulate([sum(map(column.__getitem__, part)) for part in parts]) for column in self.bounds]
        yield from map(EnclosedSums._make, zip(*columns, strict=True))


def known(fours: Sequence[Sequence[Rational]], unit: int = 1) -> EnclosedDerivatives:
    """The bounds of g and h of each row in whole units, exact where they are rationals with a common denominator.

    Args:
        fours: for each row the lower and the upper bound of g, and those of h, as multiples of 1/unit.
        unit: the number of units in 1.

    Example:
        >>> known([(Fraction(1, 2), Fraction(1, 2), Fraction(1, 8), Fraction(1, 4))])
        EnclosedDerivatives(g=[(4, 4)], h=[(1, 2)], scale=8)
    """
    # Many rows share one object for their bounds: each is brought to whole units once.
    different = {id(four): four for four in fours}
    scale = math.lcm(*{end.denominator for four in different.values() for end in four})
    found = {key: [end.numerator * (scale // end.denominator) for end in four] for key, four in different.items()}
    # Small whole numbers add up faster, so that common factors are divided out.
    common = math.gcd(unit * scale, *(end for four in found.values() for end in four)) if unit > 1 else 1
    pairs = {
        key: ((four[0] // common, four[1] // common), (four[2] // common, four[3] // common))
        for key, four in found.items()
    }
    g, h = zip(*(pairs[id(four)] for four in fours), strict=True)
    return EnclosedDerivatives(list(g), list(h), unit * scale // common)


class Short(NamedTuple):
    """The lower bounds of the derivatives in short whole numbers: units of 2^drop of those of the derivatives.

    A sum of n of the numbers is at most the true sum, and falls short of it by less than n·off.
    """

    numbers: Sequence[int]
    drop: int
    off: int

    @classmethod
    def of(cls, ends: Sequence[tuple[int, int]]) -> Short:
        # Shifting right rounds down, also below 0; `off` is the most that a row then falls short of its upper bound.
        size = max((max(abs(low), abs(high)).bit_length() for low, high in ends), default=0)
        drop = max(0, size - SHORT)
        off = max(((high >> drop) - (low >> drop) for low, high in ends), default=0) + 1
        return cls([low >> drop for low, _ in ends], drop, off)


# Margins.


def rounded(number: Rational, floats: str) -> Fraction:
    """The nearest float. Rounding to a double first does not change it for a sum or a difference of two floats.

    Example:
        >>> rounded(Fraction(1, 3), "float32")
        Fraction(11184811, 33554432)
    """
    # Division of whole numbers is rounded correctly, so the double is the nearest one.
    double = number.numerator / number.denominator
    return Fraction(nearest_single(double) if floats == "float32" else double)


def targets_of(table: Table, floats: str) -> list[Rational]:
    """The target of each row: the place of its class, or the number, as the program holds it."""
    column: Any = table.columns[table.schema.target.name]
    return list(column) if table.schema.target.values is not None else [rounded(one, floats) for one in column]


def start_of(booster: BoosterParameters, ensemble: Ensemble, table: Table) -> Margins:
    """The margins of all rows before the first tree.

    Args:
        booster: the parameters of the program.
        ensemble: the model, which states its start unless that is the average of the data.
        table: the rows.

    Raises:
        InputError: a class has no row, so that its share has no logarithm.
    """
    # The model states its start, or it is the average of the data as the program added it up.
    if not booster.from_average:
        return tuple(_started(one, booster.margins) for one in ensemble.start)
    if booster.loss == "squared_error":
        targets, weights = targets_of(table, booster.targets), list(map(Fraction, table.weighted()))
        n, ulp = sum(weights, Fraction(0)), ULP["double"]
        weighed = [weight * Fraction(y) for weight, y in zip(weights, targets, strict=True)]
        # A sum of n doubles errs by at most n units in the last place of the sum of sizes; two more are for the product
        # with the weight and for the quotient.
        off = (len(targets) + 2) * ulp * sum(map(abs, weighed)) / n
        mean = sum(weighed, Fraction(0)) / n
        return ((mean - off, mean + off),)
    counts = table.sample().total()
    if not all(counts):
        raise InputError("the sums start from the shares of the classes, and a class of the model has no row")
    # The start of a class is the logarithm of its share, or of the ratio of both shares.
    if booster.loss == "logistic":
        return (_started(log(Fraction(counts[1], counts[0]), math.e), "double"),)
    return tuple(_started(log(Fraction(count, sum(counts)), math.e), "double") for count in counts)


def _started(start: Number, floats: str) -> Ends:
    r"""A start as the program has it: a float, or the logit of a probability p that it worked out in its floats.

    Three roundings, of p, 1/p and 1/p - 1, move the logit F by $u/(1-p)$, $u/(1-p)$ and $u$, where u is the relative
    error of one, and the logarithm is off by $2u|F|$. The bound is twice their sum.
    """
    if isinstance(start, int | Fraction):
        whole = rounded(start, floats)
        return whole, whole
    low, high, scale = start.enclosure(BITS)
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

    def __init__(self, steps: Sequence[Sequence[Ends]], start: Margins, booster: BoosterParameters) -> None:
        self.steps, self.start, self.booster = steps, start, booster
        self._done = 0
        self._now = [[ends] * len(steps[0]) for ends in start]

    def before(self, number: int) -> list[Margins]:
        """The margins of all rows before a tree was grown; with several classes, before its round."""
        sums, floats = len(self.start), self.booster.margins
        # Margins only grow forward: for an earlier tree the replay begins again.
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
    booster: BoosterParameters,
    targets: Sequence[Rational],
    margins: Sequence[Margins],
    of: int = 0,
    weights: Sequence[Fraction] | None = None,
) -> EnclosedDerivatives:
    """The bounds of g and h of each row, with the roundings that the program may have made.

    Args:
        booster: the parameters of the program.
        targets: the target of each row, as the program holds it.
        margins: the margins of each row, enclosed.
        of: the class with respect to whose margin the derivatives are taken.
        weights: the weight of each row, as the program holds it; None if each is 1.

    Example:
        >>> ends = [((Fraction(0), Fraction(0)),)]
        >>> derivatives(BoosterParameters(loss="logistic"), [1], ends)        # p = 1/2, which a float holds
        EnclosedDerivatives(g=[(-2, -2)], h=[(1, 1)], scale=4)

    Source:
        [ChenGuestrin2016 §2.2 eq. (3)], [Moore1966]
    """
    unit = 1 if booster.loss == "squared_error" else UNIT
    if weights is not None and unit == 1 and booster.rounds_once:
        return _weighted_differences(booster, targets, margins, weights)
    found: dict[tuple[int, ...], Four] = {}
    cases = [(id(y), *map(id, ends)) for y, ends in zip(targets, margins, strict=True)]
    for case, y, ends in zip(cases, targets, margins, strict=True):
        # Rows of one target and one history share their derivatives.
        if case not in found:
            found[case] = _enclosed(booster, y, ends, of)
    fours = [found[case] for case in cases]
    if weights is None:
        return known(fours, unit)
    # one more rounding: GradientBoosting holds derivatives as doubles, the others as float32
    floats = "float32" if booster.newton else "double"
    weighed = [
        tuple(rounded(end * weight / unit, floats) for end in four) for four, weight in zip(fours, weights, strict=True)
    ]
    return _with_weights(booster, weighed, weights)


def _weighted_differences(
    booster: BoosterParameters, targets: Sequence[Rational], margins: Sequence[Margins], weights: Sequence[Fraction]
) -> EnclosedDerivatives:
    """The derivatives of squared error in a program that multiplies the difference by the weight before it rounds."""
    floats = "float32" if booster.newton else "double"
    fours = []
    for y, ((low, high),), weight in zip(targets, margins, weights, strict=True):
        ends = (rounded(rounded(end - y, "double") * weight, floats) for end in (low, high))
        fours.append((*ends, *[rounded(weight, floats)] * 2))
    return _with_weights(booster, fours, weights)


def _with_weights(
    booster: BoosterParameters, fours: Sequence[Sequence[Rational]], weights: Sequence[Fraction]
) -> EnclosedDerivatives:
    """The bounds, with the weights of the rows where tests are judged by these."""
    if booster.newton:
        return known(fours)
    unit = Fraction(1, math.lcm(*{weight.denominator for weight in weights}))
    found = known([*fours, (unit,) * 4])  # so that the weights are whole, too
    whole = [weight.numerator * (found.scale // weight.denominator) for weight in weights]
    return EnclosedDerivatives(found.g[:-1], found.h[:-1], found.scale, whole)


def _enclosed(booster: BoosterParameters, y: Rational, margins: Margins, of: int) -> Four:
    """The bounds of g and h; those of a probability in units of 2^-BITS."""
    if booster.loss == "squared_error":
        low, high = (rounded(end - y, "float32" if booster.newton else "double") for end in margins[0])
        return low, high, 1, 1
    logistic = booster.loss == "logistic"
    right, factor = int(y == 1 if logistic else y == of), Fraction(1 if logistic else booster.second)
    zero = (Fraction(0),) * 2
    own, *others = [margins[0], zero] if logistic else [margins[of], *margins[:of], *margins[of + 1 :]]
    # Where all margins are equal, each class has the share 1/K, which a float may hold exactly: then nothing was
    # rounded.
    if all(other == own for other in others) and own[0] == own[1]:
        p = Fraction(1, 1 + len(others))  # it may be a float, and so may its derivatives
        g, h = p - right, factor * p * (1 - p)
        if all(one == rounded(one, "float32") for one in (p, g, h)):
            return g * UNIT, g * UNIT, h * UNIT, h * UNIT
    return _widened(*_probability(own, others), right, factor, DIGITS[booster.margins])


def _probability(own: Ends, others: Sequence[Ends]) -> tuple[int, int]:
    """The bounds of the probability of a class: it rises with its own margin, and falls with those of the others.

    Where its logit lies within a width w, p changes by at most w·p(1 - p)·e^w.
    """
    low, high = softmax_bounds([0, *(other[1] - own[0] for other in others)], BITS)[0]
    if all(least is most for least, most in (own, *others)):  # as the margins of rows are whose history is exact
        return low, high
    width = own[1] - own[0] + max(other[1] - other[0] for other in others)
    if width > Fraction(1, 1024):
        return low, softmax_bounds([0, *(other[0] - own[1] for other in others)], BITS)[0][1]
    more = high * (UNIT - low) * width.numerator * 513 // (width.denominator * 512 * UNIT) + 1
    return low, min(UNIT, high + more)


def _widened(low: int, high: int, right: int, factor: Fraction, digits: int) -> Four:
    """G and h of an enclosed probability, with the roundings of the program, in units of 2^-BITS.

    Args:
        low: the lower bound of the probability.
        high: its upper bound.
        right: 1 if the row has the class, else 0.
        factor: h is so many times p(1 - p).
        digits: the binary digits of the floats in which the probability was worked out.
    """
    # h = p(1 - p) rises up to p = 1/2 and falls beyond: it is least at an end, and largest at 1/2 if that lies between.
    low, high = max(0, low - _off(low, OPERATIONS, digits)), min(UNIT, high + _off(high, OPERATIONS, digits))
    ends = [end * (UNIT - end) * factor.numerator // (factor.denominator * UNIT) for end in (low, high)]
    largest = factor.numerator * UNIT // (4 * factor.denominator) if 2 * low < UNIT < 2 * high else max(ends)
    h_low, h_high = min(ends) - _off(min(ends), 4), largest + 1 + _off(largest, 4) + math.ceil(LEAST_H * UNIT)
    g_low, g_high = low - right * UNIT, high - right * UNIT
    off = _off(max(-g_low, g_high), 1)
    return g_low - off, g_high + off, max(0, h_low), h_high


def _off(number: int, roundings: int, digits: int = 24) -> int:
    """The most that some roundings change a number of such units."""
    return (number * roundings >> digits) + 1


__all__ = ["Replay", "derivatives", "start_of"]
