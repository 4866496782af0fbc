r"""The χ² test: a node is split only by a test that is very unlikely to be irrelevant.

If the outcomes of a test have nothing to do with the classes, each branch has the classes in the proportions of the
node, up to chance. χ² adds up how far the branches are from that. For an irrelevant test and enough rows it is
nearly distributed as the sum of the squares of some independent normal deviates: one for each degree of freedom. The
hypothesis of irrelevance is rejected with a confidence of 99 %, say, if less than χ² has at least that probability.

A count of 0 or 1 where 5 are expected is evidence; where 0.1 is expected, the distribution is not that of χ². Quinlan
asks for expected counts that are not very small; as he does, the rule trusts its user in that.

1. `chi_squared` is the statistic of a test, `degrees_of_freedom` the number of deviates.
2. `confidence` is the probability of less than that, enclosed as narrowly as needed: no table, and no rounding.
3. `is_irrelevant` is the rule `chi-squared`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt

from reference_tree.data.errors import InputError, number_of, wording
from reference_tree.data.targets import Classes, Target
from reference_tree.exact.exponentials import exp_bounds
from reference_tree.exact.intervals import Interval, Refined
from reference_tree.exact.log_sums import Number
from reference_tree.exact.quantiles import pi_bounds
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import formula
from reference_tree.learners.recorded import Option, number
from reference_tree.learners.stopping.bounds import StoppingRule
from reference_tree.measures.conditional_entropy import Table, by_class
from reference_tree.measures.entropy import total
from reference_tree.splitting.candidate import Candidate


@formula
def chi_squared(table: Table) -> Number:
    r"""The χ² statistic of a test.

    $$\chi^2 = \sum_{i=1}^{v} \sum_{j=1}^{K} \frac{(s_{ij} - s'_{ij})^2}{s'_{ij}}
    \qquad s'_{ij} = \frac{s_{i\cdot}\, s_{\cdot j}}{s}$$

    Args:
        table: the sample partition s_ij: for each branch the weight of each class.

    Returns:
        χ², where s'_ij is the weight that is expected if the test is irrelevant. Branches and classes without any
        weight are left out. It is 0 if all branches have the classes in the same proportions.

    Example:
        >>> chi_squared([[2, 3], [4, 0], [3, 2]])       # outlook, of play tennis
        Fraction(266, 75)
        >>> chi_squared([[1, 2], [2, 4]])
        Fraction(0, 1)

    Source:
        [Quinlan1986 §5]
    """
    # Empty branches and classes have no expectation to be compared with; they add no degree of freedom either.
    classes, n = by_class(table), total(by_class(table))
    return sum(
        (cell - total(row) * classes[j] / n) ** 2 / (total(row) * classes[j] / n)
        for row in table
        if any(row)
        for j, cell in enumerate(row)
        if classes[j]
    )


def degrees_of_freedom(table: Table) -> int:
    """The degrees of freedom of a test: one less than its branches, times one less than its classes.

    A branch or a class without any weight does not count.

    Example:
        >>> degrees_of_freedom([[2, 3], [4, 0], [3, 2]])
        2

    Source:
        [Quinlan1986 §5]. Quinlan has two classes.
    """
    return (sum(map(any, table)) - 1) * (sum(map(bool, by_class(table))) - 1)


def confidence(statistic: Rational, freedom: int) -> Number:
    r"""The confidence with which irrelevance is rejected: the probability that chance alone makes χ² smaller.

    $$P(k, \chi^2) = e^{-x} \sum_{j} \frac{x^j}{\Gamma(j + 1)} \qquad x = \frac{\chi^2}{2}, \quad
    j = \tfrac{k}{2}, \tfrac{k}{2} + 1, \ldots$$

    Args:
        statistic: χ².
        freedom: k, the degrees of freedom, at least 1.

    Example:
        >>> float(confidence(Fraction(384, 100), 1)), float(confidence(Fraction(921, 100), 2))
        (0.9499564787512949, 0.9899982979952945)

    Source:
        [Quinlan1986 §5]. Quinlan looks it up in a table.
    """
    if statistic == 0:
        return Fraction(0)
    x = Fraction(statistic) / 2
    return Refined(lambda bits: _enclosed(x, freedom, bits), lambda: (x, freedom))


@lru_cache(maxsize=1 << 10)
def _enclosed(x: Fraction, freedom: int, bits: int) -> Interval:
    r"""An enclosure of the probability that is about 2^-bits wide.

    For even k the sum of all terms from j = 0 is 1, for odd k that from j = 1/2 is erf(√x). So the probability is a
    share of this sum, and the terms are needed up to a factor alone.
    """
    share = _share(x, freedom, bits)
    return share * _erf_of_root(x, bits) if freedom % 2 else share


def _share(x: Fraction, freedom: int, bits: int) -> Interval:
    """The share of the terms from j = k/2 in the sum of all terms, from the largest term to either side."""
    # The terms are taken relative to the largest, x^j/Γ(j + 1) at j ≈ x: each further one is the one before times x/j,
    # or j/x on the way down. So none exceeds 1, and the factor that all share cancels in the quotient.
    width = bits + 2 * ceil(x).bit_length() + 16
    least = Fraction(freedom % 2, 2)
    largest = least + max(0, floor(x - least))
    sums = [[0, 0], [0, 0]]  # bounds of the sums of the terms below k/2, and from there on

    def add(j: Fraction, low: int, high: int) -> None:
        part = sums[2 * j >= freedom]
        part[0], part[1] = part[0] + low, part[1] + high

    j, low, high = largest, 1 << width, 1 << width
    while low:
        add(j, low, high)
        j += 1
        low, high = _times(low, high, x / j)
    rest = ceil(high * j / (j - x))  # they fall at least as in a geometric series
    j, low, high = largest, 1 << width, 1 << width
    while low and j > least:
        low, high = _times(low, high, j / x)
        j -= 1
        add(j, low, high)
    rest += ceil(high * (j - least))  # they are smaller still
    (below_low, below_high), (here_low, here_high) = sums
    return Interval(
        Fraction(here_low, here_low + below_high + rest), Fraction(here_high + rest, here_high + rest + below_low)
    )


def _times(low: int, high: int, ratio: Fraction) -> tuple[int, int]:
    return low * ratio.numerator // ratio.denominator, -(-high * ratio.numerator // ratio.denominator)


def _erf_of_root(x: Fraction, bits: int) -> Interval:
    """erf(√x), the sum of the terms for odd k: the first one is e^-x·√(4x/π)."""
    if x > bits:  # 1 - erf(√x) < e^-x
        return Interval(1 - Fraction(1, 1 << bits), 1)
    width = bits + 2 * ceil(x) + 16
    (low, high), (small, large) = exp_bounds(-x, width), pi_bounds(width)
    low = low * isqrt((4 * x.numerator << 3 * width) // (x.denominator * large)) >> width
    high = (high * (isqrt((4 * x.numerator << 3 * width) // (x.denominator * small)) + 1) >> width) + 1
    total_low, total_high, j = low, high, Fraction(1, 2)
    while high > 1 or j < 2 * x:
        j += 1
        low, high = _times(low, high, x / j)
        total_low, total_high = total_low + low, total_high + high
    # The rest is at most as much as the last term.
    return Interval(Fraction(total_low, 1 << width), Fraction(total_high + high, 1 << width))


def is_irrelevant(winner: Candidate, least: Rational) -> bool:
    """Whether the irrelevance of the best test cannot be rejected with the confidence: the rule `chi-squared`.

    Args:
        winner: the best test; its rows with a value are counted.
        least: the least confidence; 0 for no test.

    Source:
        [Quinlan1986 §5]. Quinlan tests no attribute that fails, and may choose another; here, as with the other rules,
        a node whose *best* test fails is a leaf.
    """
    # Not computed without a bound: the distribution takes longer than the score of the test.
    return least > 0 and bool(_confidence(winner) < least)


def _confidence(winner: Candidate) -> Number:
    return confidence(chi_squared(winner.table.rows), degrees_of_freedom(winner.table.rows))


def _facts(table: Table) -> Mapping[str, Number]:
    freedom = degrees_of_freedom(table)
    return {"statistic": chi_squared(table), "freedom": f"{number_of(freedom, 'degree')} of freedom"}


def _check(target: Target, bound: Rational) -> None:
    if bound and not isinstance(target, Classes):
        raise InputError(
            f"{wording('chi_squared', '--option chi_squared')} compares classes, and the target is a number"
        )


CHI_SQUARED = StoppingRule(
    name="chi-squared",
    words="the best test may be irrelevant: χ² = {statistic}, with {freedom}, rejects that with a confidence of "
    "{comparison}",
    message="the best test may be irrelevant by the χ² test",
    after=lambda winner, weight, whole, bound: is_irrelevant(winner, bound),
    option="chi_squared",
    usual=0,
    figure=lambda winner, score, share: _confidence(winner),
    facts=lambda winner: _facts(winner.table.rows),
    misapplied="stop.chi-squared",
    described=Option(
        0,
        number(lambda value: 0 <= value < 1, "a number from 0, and below 1"),
        "a χ² test has to reject with at least this confidence that the best test is irrelevant. 0: no test",
        since="2026-11-27",
    ),
    check=_check,
)
