r"""Sums of doubles: how far the results of a program may be from the exact ones.

A program adds up n doubles with an error of at most n·2⁻⁵³ of the sum of their sizes. Errors and scores are differences
of sums of w·y² or w·|y|, so they may lose much of their precision if the numbers differ much in size. Within `ROUNDED`
of the sum of sizes,

1. an error that a node states is right, and so is a mean;
2. a question is as good as the best one;
3. a question reaches a bound, or misses it.

scikit-learn makes a leaf where the impurity that it found is at most `EPSILON`, and no leaf where all rows agree and it
found more (`found_no_impurity`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from reference_tree.data.sample import Counts
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.foreign.scikit_learn import EPSILON
from reference_tree.node import Derivatives, Node

ROUNDED = Fraction(1, 2**40)
"""The error allowed for a sum of doubles in a program, in proportion to the sum of sizes."""

SMALLEST = Fraction(1, 2**1022)
"""The smallest normal double: below it a product y² loses its digits."""


def is_near(difference: Number, added: Counts, *, absolute: bool = False) -> bool:
    """Whether two figures differ so little that they may be equal to a program.

    Args:
        difference: the difference of two sums over rows.
        added: the moments of the rows that were added up.
        absolute: whether |y| was added up, and not y²; their sum is at most √(n·Σy²).

    Example:
        >>> is_near(5, (6, 2 * 10**12 + 10, 2 * 10**24 + 30)), is_near(5, (4, 10, 30))
        (True, False)
    """
    w, _, squares = map(Fraction, added)
    off = abs(Fraction(cast(Rational, difference)))  # every figure of a regression tree is rational
    return bool(off**2 <= ROUNDED**2 * w * squares) if absolute else bool(off <= ROUNDED * squares + SMALLEST * w)


def is_near_mean(difference: Rational, found: Counts) -> bool:
    """Whether a mean may be off by this difference; the mean of |y| is at most 1 + Σy²/n.

    Args:
        difference: the stated mean minus the exact one.
        found: the moments of the rows at the node.
    """
    return bool(abs(Fraction(difference)) <= ROUNDED * (1 + Fraction(found[2]) / found[0]))


def found_no_impurity(node: Node) -> bool | None:
    """Whether a program found no impurity at a node, as the node states it; None if the node does not state it.

    Example:
        >>> found_no_impurity(Node((2, 6, 18), 3)), found_no_impurity(Node((2, 6, 20), 3))
        (True, False)
    """
    if isinstance(node.label, str) or isinstance(node.counts, Derivatives) or not node.counts[0]:
        return None
    return Fraction(node.error) <= EPSILON * node.counts[0]
