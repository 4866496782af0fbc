r"""Links: the functions by which a boosting program turns the sum of its trees into the number that it predicts.

| link | predicted from the sum F | objectives |
|:--|:--|:--|
| `exp` | e^F | Poisson, gamma and Tweedie regression; the hazard of Cox; accelerated failure times |
| `sigmoid` | 1/(1 + e^-F) | a probability that is a number of the data |
| `log1p-exp` | ln(1 + e^F) | LightGBM's `cross_entropy_lambda` |
| `signed-square` | F·abs(F) | LightGBM's regression with `reg_sqrt` |

Each is an exact real number, which is enclosed as narrowly as needed and rounded once, to the double or the float32
that is nearest to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import e

from reference_tree.data.errors import InputError
from reference_tree.data.held import Form, held
from reference_tree.ensembles.losses import share_against
from reference_tree.exact.exponentials import exp_bounds
from reference_tree.exact.intervals import Interval, Refined
from reference_tree.exact.log_sums import log
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.reals import Number, Real


def exponential(f: Rational) -> Number:
    """e^F, as an exact number.

    Example:
        >>> exponential(0), float(exponential(1)), float(exponential(-1))
        (1, 2.718281828459045, 0.36787944117144233)

    Source:
        [Friedman2001 §4.6]
    """
    return Refined(partial(_exponential, f)) if f else 1


def _exponential(f: Rational, bits: int) -> Interval:
    most = f if f > 0 else -f
    spare = int(most * 3 // 2) + 2  # e^-F has so many zeros behind the point
    low, high = (Fraction(end, 1 << bits + spare) for end in exp_bounds(-most, bits + spare))
    return Interval(low, high) if f < 0 else 1 / Interval(low, high)


def sigmoid(f: Rational) -> Number:
    """1/(1 + e^-F), as an exact number.

    Example:
        >>> sigmoid(0), float(sigmoid(2))
        (Fraction(1, 2), 0.8807970779778824)

    Source:
        [FriedmanHastieTibshirani2000 §4]
    """
    return Refined(partial(share_against, (-f,))) if f else Fraction(1, 2)


def log1p_exp(f: Rational) -> Number:
    """ln(1 + e^F), as an exact number.

    Example:
        >>> float(log1p_exp(0)), float(log1p_exp(Fraction(-7, 2)))
        (0.6931471805599453, 0.029750418272620566)

    Source:
        [FriedmanHastieTibshirani2000 §4]
    """
    return Refined(partial(_log1p_exp, f)) if f else log(2, e)


def _log1p_exp(f: Rational, bits: int) -> Interval:
    inner = 1 + _exponential(f, bits)
    low, high = (log(Fraction(end), e).enclosure(bits) for end in (inner.low, inner.high))
    return Interval(Fraction(low[0], low[2]), Fraction(high[1], high[2]))


def signed_square(f: Rational) -> Number:
    """F·abs(F): the square, with the sign of F.

    Example:
        >>> signed_square(3), signed_square(Fraction(-1, 2))
        (9, Fraction(-1, 4))

    Source:
        [Friedman2001 §4.1]. The trees are grown for the root of the target.
    """
    return f * f if f > 0 else -f * f


LINKS: Mapping[str, Callable[[Rational], Number]] = {
    "exp": exponential,
    "sigmoid": sigmoid,
    "log1p-exp": log1p_exp,
    "signed-square": signed_square,
}
"""The links by the names that a document records as the rule of its sums."""


def linked(link: str, f: Rational, form: Form) -> Rational:
    """The number that a link makes of a sum, rounded to the float in which it is predicted.

    Args:
        link: the name of the link.
        f: the sum F.
        form: the form in which the program holds its sums; a double, unless that is `float32`.

    Raises:
        InputError: no float is as large.

    Example:
        >>> float(linked("exp", 1, "float32")), linked("signed-square", Fraction(1, 3), "exact")
        (2.7182817459106445, Fraction(1, 9))
    """
    found = LINKS[link](f)
    if isinstance(found, Real):
        try:
            found = float(found)
        except OverflowError:
            raise InputError(f"the {link} of the sum {decimal_text(f)} is too large for a double") from None
    elif form == "exact":
        return Fraction(found)
    rounded: Rational = held(found, form if form in ("double", "float32") else "exact")
    return rounded
