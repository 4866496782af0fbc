r"""Measures of numbers that are given one by one.

The measures of `reference_tree.measures.variance` are functions of moments, since a partition counts moments. Here the
values are summed up first. A sample that `moments` has summed up already is accepted as well.

1. `variance` is the variance of some numbers.
2. `variance_reduction` is its decrease by a test, from the numbers of each part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from reference_tree.exact.log_sums import Number
from reference_tree.measures import variance as of_moments
from reference_tree.measures.variance import Moments, moments

Values: TypeAlias = Moments | Sequence[Number]
"""A sample of numbers: its values, each of weight 1, or its moments."""


def variance(values: Values, unbiased: bool = False) -> Number:
    r"""The variance of some numbers.

    $$\sigma^2 = \frac{1}{n} \sum_i (y_i - \bar y)^2 \qquad s^2 = \frac{1}{n - 1} \sum_i (y_i - \bar y)^2$$

    Args:
        values: y_1, ..., y_n, at least one.
        unbiased: whether to divide by n - 1.

    Raises:
        TypeError: the values are no sequence of numbers.
        ValueError: there are none.

    Example:
        >>> variance([1, 2, 6]), variance([1, 2, 6], unbiased=True), variance(moments([1, 2, 6]))
        (Fraction(14, 3), Fraction(7, 1), Fraction(14, 3))

    Source:
        [N4 Regression Tree: variance reduction], [Breiman1984 §8.3]
    """
    return (of_moments.sample_variance if unbiased else of_moments.variance)(_summed(values))


def variance_reduction(parts: Iterable[Values], unbiased: bool = False) -> Number:
    r"""The reduction of the variance by a test, from the numbers of each outcome.

    $$\Delta = \sigma^2(S) - \sum_{i=1}^{V} \frac{n_i}{n} \sigma^2(S_i)$$

    Args:
        parts: the values of each part; an empty part adds nothing.
        unbiased: whether to divide by n - 1 everywhere. The reduction can then be negative.

    Raises:
        TypeError: a part is no sequence of numbers.
        ValueError: there are no values.

    Example:
        >>> variance_reduction([[1, 2], [6]])
        Fraction(9, 2)

    Source:
        [N4 Regression Tree: variance reduction], [Breiman1984 §8.3]
    """
    # The empty part changes no sum, and makes one of no parts at all: that is refused as an empty sample.
    return of_moments.variance_reduction([Moments(0, 0, 0), *map(_summed, parts)], unbiased)


def _summed(values: Values) -> Moments:
    if isinstance(values, Moments):
        return values
    numbers: Any = values.tolist() if hasattr(values, "tolist") else values  # numpy's whole numbers overflow
    if isinstance(numbers, str) or not isinstance(numbers, Iterable):
        raise TypeError(f"{numbers!r} is given, where the numbers of a sample are summed up")
    values = list(numbers)
    for value in values:
        if value is None or isinstance(value, str | Sequence):
            raise TypeError(f"{value!r} is given, where a number of a sample is summed up")
    return moments(values)
