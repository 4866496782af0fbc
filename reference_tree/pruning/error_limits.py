r"""Error limits: the errors to expect of a leaf, given the errors that it made in training.

A leaf with N training rows, E of them wrong, will do worse than E/N on new rows. Error-based pruning uses as its error
rate the upper confidence limit U_CF(E, N): the rate at which E errors or fewer have the probability CF. The leaf is
then *estimated* to make N·U errors. This is a heuristic, as the leaf was fitted to these very rows.

Programs compute U by different rules, and so their trees differ. Each rule has a name:

1. `binomial`: U as it is defined, from the binomial distribution.
2. `table`: C4.5, release 8. The normal distribution with a correction for continuity, its deviate interpolated in a
   table of nine points; special rules below one error and near N.
3. `normal`: the same with the deviate of the normal distribution itself, and a limit of N near N.

All three are exact: sums of roots, or algebraic numbers. Without an error all three give N(1 - CF^(1/N)).

Source:
    [Quinlan1993 §4.2]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from reference_tree.data.errors import InputError, option
from reference_tree.exact.binomial_limits import upper_limit
from reference_tree.exact.log_sums import Number
from reference_tree.exact.quantiles import normal_quantile
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import significant
from reference_tree.exact.worked import formula

ErrorLimit: TypeAlias = Callable[[Rational, Rational, Fraction], Number]
"""The estimated errors N·U of a leaf, from E, N and CF."""

# As the program has them, with two decimals: better quantiles would make other trees.
TABLE: Mapping[Fraction, Fraction] = {
    Fraction(cf): Fraction(z)
    for cf, z in [
        ("0", "4"), ("0.001", "3.09"), ("0.005", "2.58"), ("0.01", "2.33"), ("0.05", "1.65"), ("0.10", "1.28"),
        ("0.20", "0.84"), ("0.40", "0.25"), ("1", "0"),
    ]
}  # fmt: skip
"""C4.5's deviates of the normal distribution: the probability to exceed z, and z."""


@lru_cache(maxsize=64)
def interpolated_deviate(confidence: Fraction) -> Fraction:
    r"""C4.5's deviate: linear between the two neighbours in its table.

    $$z = z_i + (z_{i+1} - z_i) \frac{\mathrm{CF} - \mathrm{CF}_i}{\mathrm{CF}_{i+1} - \mathrm{CF}_i}$$

    Example:
        >>> interpolated_deviate(Fraction(1, 4))        # 0.6925, where the normal distribution has 0.6745
        Fraction(277, 400)

    Source:
        [Quinlan1993 §4.2]
    """
    found: Fraction = between(confidence, *neighbours(confidence))
    return found


def neighbours(confidence: Fraction) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    """The points (CF_i, z_i) and (CF_i+1, z_i+1) of the table between which a confidence lies.

    Example:
        >>> [[str(number) for number in point] for point in neighbours(Fraction(1, 4))]
        [['1/5', '21/25'], ['2/5', '1/4']]
    """
    # A confidence that stands in the table is the upper end, and so gets its own value.
    above = next(cf for cf in TABLE if cf >= confidence)
    below = max(cf for cf in TABLE if cf < above)
    return (below, TABLE[below]), (above, TABLE[above])


def between(x: Number, left: tuple[Number, Number], right: tuple[Number, Number]) -> Number:
    """The height at x of the straight line through two points."""
    return left[1] + (right[1] - left[1]) * (x - left[0]) / (right[0] - left[0])


@lru_cache(maxsize=64)
def normal_deviate(confidence: Fraction) -> Fraction:
    """The deviate of `normal`: the double nearest to the quantile of 1 - CF.

    Example:
        >>> float(normal_deviate(Fraction(1, 4)))
        0.6744897501960817
    """
    # The nearest double is a number on which all implementations can agree; a program's own approximation may differ in
    # the last digits.
    return normal_quantile(1 - confidence)


@formula
def rate_without_error(rows: Rational, confidence: Fraction) -> Number:
    r"""The rate at which no error at all has the probability CF: (1 - U)^N = CF, solved for U.

    $$U_{\mathrm{CF}}(0, N) = 1 - \mathrm{CF}^{1/N}$$

    Example:
        >>> float(rate_without_error(6, Fraction(1, 4)))
        0.20629947401590026

    Source:
        [Quinlan1993 §4.2]
    """
    # An N-th root is irrational for most confidences: it is kept as a root, and estimates compare as sums of roots,
    # without rounding.
    return 1 - root(confidence, 1 / rows)


@formula
def rate_with_errors(errors: Rational, rows: Rational, deviate: Fraction) -> Number:
    r"""The limit by the normal distribution, with half an error added for continuity.

    $$U = \frac{E + \frac12 + \frac{z^2}{2} + \sqrt{z^2 \left((E + \frac12)\left(1 - \frac{E + 1/2}{N}\right)
    + \frac{z^2}{4}\right)}}{N + z^2}$$

    It is the larger root of the quadratic equation which states that E + 1/2 lies z standard deviations below NU.

    $$E + \tfrac12 = N U - z \sqrt{N U (1 - U)}$$

    Args:
        errors: E, so that E + 1/2 is at most N.
        rows: N.
        deviate: z.

    Example:
        >>> float(rate_with_errors(1, 16, Fraction(277, 400)))
        0.15668087239909753

    Source:
        [Quinlan1993 §4.2]
    """
    # With whole errors the distribution function jumps there: half an error more is the middle of the jump.
    seen = errors + Fraction(1, 2)
    spread = root(deviate**2 * (seen * (1 - seen / rows) + deviate**2 / 4))
    return (seen + deviate**2 / 2 + spread) / (rows + deviate**2)


@formula
def errors_at(rate: Number, rows: Rational) -> Number:
    r"""The expected errors among N rows at a rate U.

    $$N \, U_{\mathrm{CF}}(E, N)$$

    Args:
        rate: U.
        rows: N.

    Example:
        >>> float(errors_at(rate_without_error(6, Fraction(1, 4)), 6))
        1.2377968440954015
        >>> float(errors_at(rate_with_errors(1, 16, Fraction(277, 400)), 16))
        2.5068939583855605

    Source:
        [Quinlan1993 §4.2]
    """
    return rows * rate


def table(errors: Rational, rows: Rational, confidence: Fraction, deviate: Fraction | None = None) -> Number:
    r"""The estimate of C4.5, release 8.

    Up to a millionth of an error counts as none; between that and 0.9999 the limit is interpolated between the limits
    for no error and for one; if E + 1/2 reaches N, two thirds (0.67) of the other rows are added.

    Args:
        errors: E.
        rows: N.
        confidence: CF.
        deviate: z; None for that of the table.

    Example:
        >>> quarter = Fraction(1, 4)
        >>> [float(table(errors, 6, quarter)) for errors in (0, 1, 6)]
        [1.2377968440954015, 2.3264854351998983, 6.0]

    Source:
        [Quinlan1993 §4.2]. The book speaks of the limits of the binomial distribution; its figure U(1, 16) = 0.157 is
        this estimate, while the binomial limit is 0.160.
    """
    if not rows:
        return 0
    # The deviate may be handed over: the interpolation below computes two limits with one.
    deviate = interpolated_deviate(confidence) if deviate is None else deviate
    if not errors:
        return errors_at(rate_without_error(rows, confidence), rows)
    if errors < Fraction(1, 10**6):
        return errors + errors_at(rate_without_error(rows, confidence), rows)
    if errors < Fraction(9999, 10**4):
        return _interpolated(errors, rows, confidence, deviate, table)
    if errors + Fraction(1, 2) >= rows:
        return errors + Fraction(67, 100) * (rows - errors)
    return errors_at(rate_with_errors(errors, rows, deviate), rows)


def normal(errors: Rational, rows: Rational, confidence: Fraction, deviate: Fraction | None = None) -> Number:
    """The estimate by the normal distribution.

    Below one error the limit is interpolated between the limits for no error and for one; if E + 1/2 reaches N it is N.

    Args:
        errors: E.
        rows: N.
        confidence: CF.
        deviate: z; None for the quantile of 1 - CF.

    Example:
        >>> quarter = Fraction(1, 4)
        >>> [float(normal(errors, 6, quarter)) for errors in (0, 1, 6)]
        [1.2377968440954015, 2.303506557968255, 6.0]
    """
    if not rows:
        return 0
    deviate = normal_deviate(confidence) if deviate is None else deviate
    if not errors:
        return errors_at(rate_without_error(rows, confidence), rows)
    if errors < 1:
        return _interpolated(errors, rows, confidence, deviate, normal)
    if errors + Fraction(1, 2) >= rows:
        return max(rows, errors)
    return errors_at(rate_with_errors(errors, rows, deviate), rows)


def _interpolated(
    errors: Rational, rows: Rational, confidence: Fraction, deviate: Fraction, rule: Callable[..., Number]
) -> Number:
    """The limit between no error and one: the *addition* to the errors is linear in them."""
    added = errors_at(rate_without_error(rows, confidence), rows)
    added_to_one = rule(1, rows, confidence, deviate) - 1
    return errors + added + errors * (added_to_one - added)


MOST_ROWS = 10**6
"""The most rows of a leaf for which the binomial limit is computed: its coefficient has about as many bits."""


def binomial(errors: Rational, rows: Rational, confidence: Fraction) -> Number:
    r"""The estimate by its definition: the upper limit of Clopper and Pearson.

    $$\sum_{k=0}^{E} \binom{N}{k} U^k (1 - U)^{N-k} = \mathrm{CF}$$

    Raises:
        InputError: a weight is a fraction, as with missing values: the binomial distribution counts rows. Or there are
            more than `MOST_ROWS`: the time grows with their number.

    Example:
        >>> quarter = Fraction(1, 4)
        >>> [float(binomial(errors, 6, quarter)) for errors in (0, 1, 6)]
        [1.2377968440954015, 2.3368769112043464, 6.0]

    Source:
        [Quinlan1993 §4.2]
    """
    if not rows:
        return 0
    # A binomial distribution counts whole rows. Nothing is rounded to make them whole: another limit is for divided
    # rows.
    e, n = Fraction(errors), Fraction(rows)
    if e.denominator != 1 or n.denominator != 1 or n > MOST_ROWS:
        kind = "whole rows" if n <= MOST_ROWS else f"at most {MOST_ROWS} rows"
        raise InputError(
            f"the binomial limit is for {kind}, and a leaf has {significant(errors, 6)} errors among "
            f"{significant(rows, 6)}; say {option('limit', 'table')}, or {option('profile', 'c45-r8')}"
        )
    return n * upper_limit(e.numerator, n.numerator, confidence)


LIMITS: Mapping[str, ErrorLimit] = {"binomial": binomial, "table": table, "normal": normal}
"""The rules by their names."""
