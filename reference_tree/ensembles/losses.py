r"""Losses: what boosting makes small, and its first two derivatives.

A row is known by what is to be said of it, y, and by what the ensemble has said so far, the *margin* F: a number, or
for more than two classes a number for each. A loss l(y, F) is replaced by its expansion about F, of which

$$g = \frac{\partial l}{\partial F}, \qquad h = \frac{\partial^2 l}{\partial F^2}$$

are all that the next tree is told.

| loss | l(y, F) | g | h |
|:--|:--|:--|:--|
| `squared_error` | (F - y)²/2 | F - y | 1 |
| `logistic` | ln(1 + e^F) - y·F | p - y | p(1 - p) |
| `softmax` | ln Σ e^F_k - F_y | p_k - [y = k] | 2·p_k(1 - p_k) |

with p = σ(F), or p_k the share of e^F_k. Where an exponential is irrational, derivatives are cut to a number of bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from reference_tree.exact.exponentials import logistic_bounds, softmax_bounds
from reference_tree.exact.intervals import Interval
from reference_tree.exact.rationals import Rational

Margins: TypeAlias = tuple[Rational, ...]
"""What an ensemble has said of a row: one number, or one for each class."""


class Case(NamedTuple):
    """What the derivatives of a row are made of."""

    y: Rational
    """The number, or the place of the class."""
    margins: Margins


def squared_error(case: Case, of: int, bits: int) -> tuple[Interval, Interval]:
    r"""The derivatives of half of the squared error.

    $$l = \tfrac{1}{2} (F - y)^2, \qquad g = F - y, \qquad h = 1$$

    Source:
        [Friedman2001 §4.1], [LiHang2019 §8.4.2]. Without the ½ both derivatives are twice as large, and leaves are the
        same while λ is 0.
    """
    residual = case.margins[0] - case.y
    return Interval(residual, residual), Interval(1, 1)


def logistic(case: Case, of: int, bits: int) -> tuple[Interval, Interval]:
    r"""The derivatives of the negative log-likelihood of two classes, y being 0 or 1.

    $$l = \ln(1 + e^F) - y F, \qquad g = p - y, \qquad h = p (1 - p), \qquad p = \frac{1}{1 + e^{-F}}$$

    Source:
        [Friedman2000 §4]
    """
    p = probability(case.margins, bits)[1]
    return p - case.y, p * (1 - p)


def softmax(case: Case, of: int, bits: int) -> tuple[Interval, Interval]:
    r"""The derivatives of the negative log-likelihood of K classes by the margin of one of them.

    $$l = \ln \sum_k e^{F_k} - F_y, \qquad g_k = p_k - [y = k], \qquad h_k = 2 p_k (1 - p_k), \qquad
    p_k = \frac{e^{F_k}}{\sum_j e^{F_j}}$$

    Source:
        [Friedman2001 §4.6]. The second derivative is p_k(1 - p_k); XGBoost's `multi:softprob` doubles it, and it is
        XGBoost's that is meant here.
    """
    p = probability(case.margins, bits)[of]
    return p - int(case.y == of), 2 * p * (1 - p)


def probability(margins: Margins, bits: int) -> list[Interval]:
    """The probability of each class, enclosed: of two classes, by the margin of the second.

    Where all margins are equal, none is irrational, and they are exact.

    Example:
        >>> probability((0,), 10), probability((7, 7, 7), 10)[0]
        ([Interval(1/2, 1/2), Interval(1/2, 1/2)], Interval(1/3, 1/3))
    """
    if len(margins) == 1 and margins[0]:
        low, high = logistic_bounds(margins[0], bits)
        p = Interval(Fraction(low, 1 << bits), Fraction(high, 1 << bits))
        return [1 - p, p]
    if len(set(margins)) == 1:
        share = Fraction(1, max(2, len(margins)))
        return [Interval(share, share)] * max(2, len(margins))
    return [
        Interval(Fraction(low, 1 << bits), Fraction(high, 1 << bits)) for low, high in softmax_bounds(margins, bits)
    ]


class Loss(NamedTuple):
    """A loss, and what it means to predict by it."""

    derivatives: Callable[[Case, int, int], tuple[Interval, Interval]]
    """From a case, the place of the class whose margin is meant, and a number of bits: g and h, enclosed."""
    combine: str
    """How the answers of the trees are combined (`ensemble.COMBINATIONS`)."""
    classes: int | None
    """How many classes it is for, 0 for any number; none: for numbers."""


LOSSES: Mapping[str, Loss] = {
    "squared_error": Loss(squared_error, "sum", None),
    "logistic": Loss(logistic, "logistic", 2),
    "softmax": Loss(softmax, "softmax", 0),
}
"""The losses by the names under which a document records them."""
