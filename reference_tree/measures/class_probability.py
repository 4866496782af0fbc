r"""Class probabilities: estimates of the probability of a class from the rows of a leaf.

The share of a class among the rows of a leaf is its relative frequency. If few rows arrive, it is too sure: a leaf with
a single row says that no other class is possible. The other estimates add some rows that nobody has seen. Laplace's
adds one of each class, the m-estimate m rows that are divided as the whole sample is; so the fewer rows a leaf has, the
closer it is to the prior probabilities.

1. `relative_frequency`, `laplace` and `m_estimate` are the estimates.
2. `ProbabilityEstimate` is the record of an estimate: a new one is a module of this folder with its formula and its
   record. `estimates` has all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import formula
from reference_tree.records import records


# The three estimates are one family: m = 0 in `m_estimate` gives the relative frequency, and m = k with the prior 1/k
# of each class gives Laplace's estimate. As m grows, the estimate tends to the prior.
@formula
def relative_frequency(count: Number, rows: Number) -> Number:
    r"""The relative frequency of a class: the estimate of largest likelihood.

    $$p_c = \frac{n_c}{n}$$

    Args:
        count: n_c, the weight of the class.
        rows: n, the weight of all rows.

    Example:
        >>> relative_frequency(3, 3), relative_frequency(2, 5)
        (Fraction(1, 1), Fraction(2, 5))

    Source:
        [N1 §1.1 (2)]
    """
    return count / rows


@formula
def laplace(count: Number, rows: Number, classes: int) -> Number:
    r"""The estimate of Laplace, by his rule of succession: one row of each class is added.

    $$p_c = \frac{n_c + 1}{n + k}$$

    Args:
        count: n_c, the weight of the class.
        rows: n, the weight of all rows.
        classes: k, the number of classes.

    Example:
        >>> laplace(3, 3, 2), laplace(0, 0, 2)
        (Fraction(4, 5), Fraction(1, 2))

    Source:
        [NiblettBratko1986], [Cestnik1990]
    """
    return (count + 1) / (rows + classes)


@formula
def m_estimate(count: Number, rows: Number, prior: Number, m: Number) -> Number:
    r"""The m-estimate: m rows are added that are divided as the whole sample is.

    $$p_c = \frac{n_c + m\, p_{0c}}{n + m}$$

    Args:
        count: n_c, the weight of the class.
        rows: n, the weight of all rows.
        prior: p_0c, the prior probability of the class: its share in the whole sample.
        m: how many rows the prior is worth.

    Example:
        >>> from fractions import Fraction
        >>> m_estimate(3, 3, Fraction(9, 14), 2), m_estimate(0, 0, Fraction(9, 14), 2)
        (Fraction(6, 7), Fraction(9, 14))

    Source:
        [Cestnik1990]. With m = k and equal priors it is that of Laplace.
    """
    return (count + m * prior) / (rows + m)


class LeafCounts(NamedTuple):
    """A class at a leaf, with everything that an estimate may use."""

    weight: Rational
    """The weight of the class."""
    rows: Rational
    """The weight of all rows."""
    classes: int
    """The number of classes."""
    prior: Rational
    """The share of the class in the whole sample."""
    m: Rational
    """How many rows the prior is worth."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ProbabilityEstimate:
    """An estimate of the probability of a class at a leaf.

    Args:
        name: its name in Python and on the command line.
        words: the estimate in words.
        of: the probability. The probabilities of all classes add up to 1.
    """

    name: str
    words: str
    of: Callable[[LeafCounts], Number]


# The formulas keep the arguments that their sources give them. The records give all of them one signature, so that
# whoever estimates need not know which figures an estimate uses.
RELATIVE_FREQUENCY = ProbabilityEstimate(
    name="relative-frequency",
    words="the share of the class",
    of=lambda here: relative_frequency(here.weight, here.rows),
)
LAPLACE = ProbabilityEstimate(
    name="laplace",
    words="the share with one more row of each class",
    of=lambda here: laplace(here.weight, here.rows, here.classes),
)
M_ESTIMATE = ProbabilityEstimate(
    name="m-estimate",
    words="the share with m more rows, divided as the sample is",
    of=lambda here: m_estimate(here.weight, here.rows, here.prior, here.m),
)


@cache
def estimates() -> Mapping[str, ProbabilityEstimate]:
    """All estimates, by name.

    Example:
        >>> list(estimates())
        ['relative-frequency', 'laplace', 'm-estimate']
    """
    return {record.name: record for record in records(ProbabilityEstimate)}
