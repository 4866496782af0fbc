r"""Absolute error: the distances of a sample of numbers from its median.

Outliers dominate the squared error of a regression tree, but not the absolute error: a leaf then predicts the *median*,
which a few outliers hardly move, and the score of a test is the decrease of the sum of the distances to it. A
median cannot be computed from sums, so a sample is given here by the weight of each distinct number.

1. `median` is the prediction of a leaf.
2. `absolute_deviation` is the error of that prediction, the sum of the absolute deviations (SAD).
3. `absolute_error_reduction` is the decrease of that error by a test, per unit of weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from reference_tree.exact.log_sums import Number
from reference_tree.exact.worked import formula
from reference_tree.measures.conditional_entropy import Table, by_class
from reference_tree.measures.entropy import total
from reference_tree.measures.measure import Measure, Quantity


@formula
def median(weights: Sequence[Number], numbers: Sequence[Number]) -> Number:
    r"""The median: a constant with the smallest absolute error, and so a leaf's prediction.

    $$\tilde y = \operatorname*{arg\,min}_c \sum_i |y_i - c|$$

    Half of the weight lies on each side of it. If every point between two numbers has this property, it is the midpoint
    of the two.

    Args:
        weights: the weight of each number in the sample, none negative, at least one positive.
        numbers: the distinct numbers, ascending.

    Raises:
        ValueError: a weight is negative, or none is positive.

    Example:
        >>> median([1, 1, 1], [1, 2, 6]), median([1, 1, 1, 1], [1, 2, 6, 7]), median([5, 1, 2], [1, 2, 6])
        (2, Fraction(4, 1), 1)

    Source:
        [Breiman1984 §8.11]
    """
    # The error is convex and piecewise linear in the constant: its slope is the weight below less the weight above.
    # Where exactly half of the weight lies below a gap, the slope there is 0, and every constant of the gap is equally
    # good.
    n = total(weights)
    below = list(accumulate(weights))
    lower = next(y for y, weight in zip(numbers, below, strict=True) if 2 * weight >= n)
    upper = next(y for y, weight in zip(numbers, below, strict=True) if 2 * weight > n)
    return lower if lower == upper else (lower + upper) / Fraction(2)


@formula
def absolute_deviation(weights: Sequence[Number], numbers: Sequence[Number]) -> Number:
    r"""The sum of absolute deviations from the median.

    $$\mathrm{SAD} = \sum_i |y_i - \tilde y|$$

    Args:
        weights: the weight of each number in the sample.
        numbers: the distinct numbers, ascending.

    Raises:
        ValueError: a weight is negative, or none is positive.

    Example:
        >>> absolute_deviation([1, 1, 1], [1, 2, 6])
        Fraction(5, 1)

    Source:
        [Breiman1984 §8.11]
    """
    # There is no formula by sums, as there is for squares: every distance changes with the median, which each part has
    # its own.
    middle = median(weights, numbers)
    return sum(weight * abs(y - middle) for weight, y in zip(weights, numbers, strict=True) if weight)


@formula
def absolute_error_reduction(table: Table, numbers: Sequence[Number]) -> Number:
    r"""The reduction of the absolute error by a test, per unit of weight.

    $$\Delta = \frac{1}{n} \left( \mathrm{SAD}(S) - \sum_{i=1}^{V} \mathrm{SAD}(S_i) \right)$$

    Args:
        table: for each outcome the weight of each number; an empty row adds nothing.
        numbers: the distinct numbers, ascending.

    Returns:
        The reduction, never negative: each part could still predict the median of the whole.

    Raises:
        ValueError: a weight is negative, none is positive, or the rows differ in length.

    Example:
        >>> absolute_error_reduction([[1, 1, 0], [0, 0, 1]], [1, 2, 6])
        Fraction(4, 3)

    Source:
        [Breiman1984 §8.11]
    """
    # Not negative: the median of a part is no worse for its rows than that of the whole. But a test whose parts all
    # have the median of the whole scores 0, even if it sorts the numbers by their distance from it.
    whole = by_class(table)
    left = sum(absolute_deviation(row, numbers) for row in table if any(row))
    return (absolute_deviation(whole, numbers) - left) / total(whole)


ABSOLUTE_ERROR_REDUCTION = Measure(
    name="absolute_error_reduction",
    of=absolute_error_reduction,
    counted="numbers",
    rule="measure.absolute-error",
    called="error reduction",
    criterion="absolute_error",
    whole=(
        Quantity(
            "ỹ(D) = median of y",
            "at most half of their numbers y are smaller, and at most half larger; between two, it is their mean",
            median,
        ),
        Quantity("SAD(D) = Σ|y − ỹ|", "the sum of the distances of their numbers from it", absolute_deviation),
    ),
    steps=(
        Quantity(
            "ΔSAD(D, A) = (SAD(D) − Σ_i SAD(D_i)) / |D|",
            "the error reduction: the decrease of that sum by the test, for each row",
            "absolute_error_reduction",
        ),
    ),
)
