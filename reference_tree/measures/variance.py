r"""Variance: the impurity of a sample with a numeric target.

A sample of numbers is described by three moments: its weight w, the sum of the weighted values wy, and the sum of the
weighted squares wyy. They add up over the parts of a split as counts do, so a partition of a numeric target is a table
whose rows are moments, and the measures below are functions of these.

1. `moments` sums values up.
2. `mean` is the prediction of a leaf, and `sse` the squared error of that prediction.
3. `variance` is that error per row (σ², with n); `sample_variance` divides by n-1.
4. `split_error` is the squared error after a split, and `variance_reduction` its decrease per row: the regression
   tree's information gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from reference_tree.exact.log_sums import Number
from reference_tree.exact.worked import formula
from reference_tree.measures.measure import Measure, Quantity


class Moments(NamedTuple):
    """The sums that describe a sample of numbers; they add up over disjoint samples."""

    w: Number
    """The weight: the number of values if each counts once."""
    wy: Number
    """The sum of the values."""
    wyy: Number
    """The sum of their squares."""


def moments(values: Sequence[Number]) -> Moments:
    r"""The moments of some values, each of weight 1.

    $$w = n, \qquad wy = \sum_i y_i, \qquad wyy = \sum_i y_i^2$$

    Example:
        >>> moments([1, 2, 6])
        Moments(w=3, wy=9, wyy=41)

    Source:
        [Breiman1984 §8.3]
    """
    # Moments are exact, and add up without loss. So the differences below may cancel: nothing was rounded before.
    return Moments(len(values), sum(values), sum(y * y for y in values))


@formula
def mean(sample: Moments) -> Number:
    r"""The mean: the constant with the smallest squared error, and so a leaf's prediction.

    $$\bar y = \frac{1}{n} \sum_i y_i$$

    Raises:
        ValueError: the sample is empty.

    Example:
        >>> mean(moments([1, 2, 6]))
        Fraction(3, 1)

    Source:
        [N4 Regression Tree: prediction], [Breiman1984 §8.3]
    """
    w, wy, _ = _known(sample)
    return wy / w


# In floats this form loses digits where the mean is large beside the spread. Here it may be used, as the sums are
# exact.
@formula
def sse(sample: Moments) -> Number:
    r"""The sum of squared errors about the mean.

    $$\mathrm{SSE} = \sum_i (y_i - \bar y)^2 = \sum_i y_i^2 - \frac{(\sum_i y_i)^2}{n}$$

    Raises:
        ValueError: the sample is empty.

    Example:
        >>> sse(moments([1, 2, 6]))
        Fraction(14, 1)

    Source:
        [Breiman1984 §8.3], [LiHang2019 §5.5.1]
    """
    w, wy, wyy = _known(sample)
    return wyy - wy**2 / w


@formula
def variance(sample: Moments) -> Number:
    r"""The variance of a sample: its squared error per unit of weight.

    $$\sigma^2 = \frac{1}{n} \sum_i (y_i - \bar y)^2$$

    Raises:
        ValueError: the sample is empty.

    Example:
        >>> variance(moments([1, 2, 6]))
        Fraction(14, 3)

    Source:
        [N4 Regression Tree: variance reduction], [Breiman1984 §8.3]. Divided by n, so that a split can never raise it;
        the figures of N4's course are those of `sample_variance`.
    """
    return sse(sample) / _known(sample)[0]


@formula
def sample_variance(sample: Moments) -> Number:
    r"""The unbiased variance, as in the course behind N4.

    $$s^2 = \frac{1}{n - 1} \sum_i (y_i - \bar y)^2$$

    Returns:
        s²; 0 for a sample of one row, where the formula has no value.

    Raises:
        ValueError: the sample is empty, or its weight is below 1.

    Example:
        >>> sample_variance(moments([1, 2, 6])), sample_variance(moments([4])) == 0
        (Fraction(7, 1), True)

    Source:
        [N4 Regression Tree: variance reduction], [Ng2022]. N4 leaves open which variance is meant; the figures of its
        course are of this one. With it a split can raise the weighted variance: of 0, 1 | 0, 1 by 1/6.
    """
    # A single row has no spread to estimate: the quotient would be 0/0, and its squared error, 0, stands in its place.
    w = _known(sample)[0]
    if w < 1:
        raise ValueError(f"a variance with n - 1 needs a weight of at least 1, not {w}")
    return sse(sample) / (w - 1) if w > 1 else sse(sample)


@formula
def split_error(table: Sequence[Moments]) -> Number:
    r"""The squared error if each part of a split predicts its own mean.

    $$m = \sum_{i=1}^{V} \mathrm{SSE}(S_i)$$

    Args:
        table: the moments of each part; an empty part adds nothing.

    Returns:
        The error, never more than that of the whole.

    Example:
        >>> split_error([moments([1, 2]), moments([6])])
        Fraction(1, 2)

    Source:
        [LiHang2019 §5.5.1], [Breiman1984 §8.3]
    """
    return sum(sse(part) for part in table if part[0])


# With n the reduction is the variance of the parts' means, Σ r_i·(ȳ_i - ȳ)², so it is never negative. With n - 1 the
# parts are divided by smaller numbers than the whole, and it can be.
@formula
def variance_reduction(table: Sequence[Moments], unbiased: bool = False) -> Number:
    r"""The reduction of the variance by a test.

    $$\Delta = \sigma^2(S) - \sum_{i=1}^{V} \frac{n_i}{n} \sigma^2(S_i)$$

    Args:
        table: the moments of each part; an empty part adds nothing.
        unbiased: whether to use `sample_variance` everywhere, as in the course behind N4. The reduction can then be
            negative.

    Returns:
        The reduction; with σ² (n) never negative.

    Example:
        >>> variance_reduction([moments([0, 1]), moments([0, 1])])
        Fraction(0, 1)
        >>> variance_reduction([moments([0, 1]), moments([0, 1])], unbiased=True)
        Fraction(-1, 6)
        >>> pointed, floppy = moments([7.2, 9.2, 8.4, 7.6, 10.2]), moments([8.8, 15.0, 11.0, 18.0, 20.0])
        >>> round(variance_reduction([pointed, floppy], unbiased=True), 2)      # as the course prints it
        8.84

    Source:
        [N4 Regression Tree: variance reduction], [N4 figure: regression splits], [MorganSonquist1963], [Breiman1984
        §8.3]. N4 calls the weights counts and the result information gain: they are shares of the node, n_i/n, and it
        is a reduction of variance.
    """
    spread = sample_variance if unbiased else variance
    whole = Moments(*map(sum, zip(*table, strict=True)))
    return spread(whole) - sum(part[0] / whole.w * spread(part) for part in table if part[0])


def _known(sample: Sequence[Number]) -> Sequence[Number]:
    """The moments of a sample, which must have rows."""
    if len(sample) != 3:
        raise ValueError("a sample of numbers is given by its three moments; moments([1, 2, 6]) sums them up")
    if not sample[0] > 0:
        raise ValueError("an empty sample has neither mean nor variance")
    return sample


_MEAN = Quantity("ȳ(D) = Σy / n", "the mean of the numbers y of n rows", mean)
SSE = Quantity("SSE(D) = Σ(y − ȳ)² = Σy² − (Σy)² / n", "the sum of their squared distances from it", sse)

SPLIT_ERROR = Measure(name="split_error", of=split_error, counted="moments", decreases=False)

VARIANCE_REDUCTION = Measure(
    name="variance_reduction",
    of=variance_reduction,
    counted="moments",
    rule="measure.variance",
    called="variance reduction",
    criterion="squared_error",
    beside=("split_error",),
    strictly_concave=True,
    whole=(_MEAN, SSE, Quantity("σ²(D) = SSE(D) / n", "the same per row: their variance", variance)),
    steps=(
        Quantity("SSE(D, A) = Σ_i SSE(D_i)", "the sum that is left when each part has its own mean", "split_error"),
        Quantity(
            "Δσ²(D, A) = σ²(D) − Σ_i r_i·σ²(D_i)",
            "the variance reduction: the decrease of the variance by the test",
            "variance_reduction",
        ),
    ),
)

SAMPLE_VARIANCE_REDUCTION = Measure(
    name="sample_variance_reduction",
    of=partial(variance_reduction, unbiased=True),
    counted="moments",
    rule="measure.sample-variance",
    called="variance reduction",
    criterion="variance_n_minus_1",
    least=1,
    whole=(
        _MEAN,
        SSE,
        Quantity("s²(D) = SSE(D) / (n − 1)", "their variance with n − 1; 0 for a single row", sample_variance),
    ),
    steps=(
        Quantity(
            "Δs²(D, A) = s²(D) − Σ_i r_i·s²(D_i)",
            "the variance reduction: the decrease of the variance by the test, which can be below 0",
            "sample_variance_reduction",
        ),
    ),
)
