r"""Derivative columns: the derivatives of the rows of a table, as integers and as doubles.

1. `CaseDerivatives` are both derivatives of each case of a round, as integers from below.
2. `derivatives` puts both of a row into one integer, so that a single sum adds up both: G·2^shift + H.
3. `Doubles` are the same, cut to doubles that hold integers, with the `Bounds` of a learner in their units.

*Doubles that hold integers.* A double holds every integer of up to 53 bits. Derivatives are multiplied or divided by a
power of two, and rounded down, so that the rows of the table together need no more than 51 bits: no sum of theirs
rounds, whatever its order. A row lacks less than one unit by this, besides what its integers lack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt
from typing import Any, NamedTuple

from reference_tree.data.targets import Gradients
from reference_tree.engine.integer_columns import Columns, Counted, multiples
from reference_tree.exact.rationals import Rational

BITS = 51
"""The bits of the sum of all rows; a sum that is too large by the cutting of each row still has fewer than 53."""


class CaseDerivatives(NamedTuple):
    """Both derivatives of each case, in whole units, rounded down."""

    g: Sequence[int]
    h: Sequence[int]
    units: tuple[Rational, Rational]
    """The unit of each."""
    off: tuple[int, int] = (0, 0)
    """The most by which each may be too small, in its unit."""

    @classmethod
    def of(cls, target: Gradients, cases: Sequence[object]) -> CaseDerivatives:
        """Those of any derivatives."""
        whole, unit = multiples([*(target.g[case] for case in cases), *(target.h[case] for case in cases)])
        off = ceil(Fraction(target.off) / Fraction(unit))
        return cls(whole[: len(cases)], whole[len(cases) :], (unit, unit), (off, off))


@dataclass(frozen=True, eq=False)
class WholeGradients(Gradients):
    """Derivatives that are known as integers; the terms they are made of are written on demand.

    Args:
        whole: both derivatives of each case, in the order of the terms.
    """

    whole: CaseDerivatives = field(kw_only=True)

    @cached_property
    def g(self) -> Mapping[Any, Rational]:
        """Class → lower bound of g_i."""
        return dict(zip(self.terms, (self.whole.units[0] * one for one in self.whole.g), strict=True))

    @cached_property
    def h(self) -> Mapping[Any, Rational]:
        """Class → lower bound of h_i."""
        return dict(zip(self.terms, (self.whole.units[1] * one for one in self.whole.h), strict=True))

    @cached_property
    def off(self) -> Rational:
        """The most by which a derivative may be too small; 0 if all are exact."""
        return max(off * unit for off, unit in zip(self.whole.off, self.whole.units, strict=True))


class Bounds(NamedTuple):
    """The numbers of a learner that are compared with sums, in the units of these sums."""

    reg_lambda: float
    """λ, rounded down."""
    lambda_off: float
    """The most by which it may be too small."""
    reg_alpha: float
    """α, as the nearest double."""
    min_child_weight: float
    """The least H of a side, rounded up."""
    epsilon: float
    """ε, as the nearest double."""

    def scores(self, lefts: Sequence[float], heights: Sequence[float], whole: tuple[float, float]) -> list[float]:
        """The estimates of some cuts, from G and H + λ of their left sides, and the sums of these of both sides."""
        g, h = whole
        if not self.reg_alpha:
            return [
                one * one / high + (other := g - one) * other / (h - high)
                for one, high in zip(lefts, heights, strict=True)
            ]
        alpha = self.reg_alpha
        return [
            max(abs(one) - alpha, 0.0) ** 2 / high + max(abs(g - one) - alpha, 0.0) ** 2 / (h - high)
            for one, high in zip(lefts, heights, strict=True)
        ]

    def score(self, g: float, h: float) -> float:
        """G²/(H + λ) of some rows, from their H + λ."""
        return max(abs(g) - self.reg_alpha, 0.0) ** 2 / h

    def error(self, most: float, least: float, off: tuple[float, float]) -> float:
        """A bound of the error of a quotient without its roundings; see `gradient_scans`.

        Args:
            most: the largest quotient.
            least: the least H + λ.
            off: how much G and H may lack.
        """
        q = sqrt(most / least)
        return (2 * q * off[0] + q * q * off[1] + off[0] * off[0] / least) * (1 + 2.0**-20)


class Doubles(NamedTuple):
    """Both derivatives of each row, times its weight, as doubles that hold integers."""

    g: Sequence[float]
    h: Sequence[float]
    off: tuple[float, float]
    """The most by which each may be too small, for a row that weighs one unit."""
    units: tuple[Fraction, Fraction]
    """The unit of each, for rows that weigh one unit."""
    least_h: float
    """The least H of a row."""
    bounds: Bounds


class RowDerivatives:
    """The derivatives of the rows of a sample.

    Args:
        cases: those of each case.
        codes: the case of each row of the table.
        weights: row → its weight, as a multiple of `unit`; None if all weigh one unit.
        unit: the unit.
        most: the weight of all rows, in whole units.
    """

    def __init__(
        self,
        cases: CaseDerivatives,
        codes: Sequence[int],
        weights: Mapping[int, int] | None,
        unit: Rational,
        most: int,
    ) -> None:
        self.cases, self.codes, self.weights, self.unit, self.most = cases, codes, weights, unit, most
        self._kept: tuple[tuple[Rational, ...], Doubles | None] | None = None

    @cached_property
    def _largest(self) -> tuple[int, int]:
        """The largest derivatives in absolute value, times the weight of all rows."""
        return max(map(abs, self.cases.g)) * self.most, max(self.cases.h) * self.most

    def doubles(self, *bounds: Rational) -> Doubles | None:
        """The doubles for λ, α, the least H of a side, and ε; None if one of these is too large or too small."""
        if self._kept is None or self._kept[0] != bounds:  # as a rule, all nodes of a tree ask for the same
            self._kept = bounds, self._doubles(*bounds)
        return self._kept[1]

    def _doubles(
        self, reg_lambda: Rational, reg_alpha: Rational, min_child_weight: Rational, epsilon: Rational
    ) -> Doubles | None:
        g_unit, h_unit = (Fraction(unit) * self.unit for unit in self.cases.units)
        whole_g, whole_h = self._largest
        # H + 2λ is the sum of both sides, each with its λ.
        shifts = whole_g.bit_length() - BITS, ceil(whole_h + 2 * reg_lambda / h_unit).bit_length() - BITS
        g_unit, h_unit = g_unit * Fraction(2) ** shifts[0], h_unit * Fraction(2) ** shifts[1]
        exact_lambda, unit = reg_lambda / h_unit, g_unit * g_unit / h_unit
        h = _cut(self.cases.h, shifts[1])
        whole_lambda, least_h = exact_lambda.numerator // exact_lambda.denominator, min(h)
        try:
            bounds = Bounds(
                float(whole_lambda),
                float(exact_lambda.denominator > 1),
                float(reg_alpha / g_unit),
                float(ceil(min_child_weight / h_unit)),
                float(epsilon / unit),
            )
        except OverflowError:
            return None
        if not least_h + whole_lambda or bounds.reg_alpha > 2.0**200:  # a side might have no H, and so no score
            return None
        off = [
            float(1 - (-lack >> shift) if shift > 0 else lack << -shift)
            for lack, shift in zip(self.cases.off, shifts, strict=True)
        ]
        g, codes, weights = _cut(self.cases.g, shifts[0]), self.codes, self.weights
        g_of, h_of = [g[code] for code in codes], [h[code] for code in codes]
        if weights is not None:
            for row, weight in weights.items():
                g_of[row], h_of[row] = weight * g_of[row], weight * h_of[row]
        return Doubles(g_of, h_of, (off[0], off[1]), (g_unit, h_unit), least_h, bounds)


def _cut(whole: Sequence[int], shift: int) -> list[float]:
    """Integers divided by 2^shift and rounded down, or multiplied by 2^-shift, as doubles."""
    return [float(one >> shift) for one in whole] if shift > 0 else [float(one << -shift) for one in whole]


def derivatives(
    columns: Columns, target: Gradients, weights: Mapping[int, int] | None, unit: Rational, most: int
) -> Counted:
    """Both derivatives of each row of a table as one number, so that a single sum adds up both.

    Args:
        columns: the columns of the table.
        target: the derivatives of each class; no second derivative is negative.
        weights: row → its weight, as a multiple of `unit`; None if all weigh one unit.
        unit: the unit.
        most: the weight of all rows, in whole units, which bounds every sum of second derivatives.
    """
    name = columns.schema.target.name
    cases = target.whole if isinstance(target, WholeGradients) else CaseDerivatives.of(target, columns.domain(name))
    shift = (max(cases.h) * most).bit_length()
    both = [(one << shift) + other for one, other in zip(cases.g, cases.h, strict=True)]
    codes = columns.codes[name]
    units = () if cases.units == (1, 1) else (1, *cases.units)
    rows = RowDerivatives(cases, codes, weights, unit, most)
    return Counted(target, [both[code] for code in codes], cases.units[0], len(target.columns), units, shift, rows=rows)
