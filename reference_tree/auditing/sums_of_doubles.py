r"""Sums of doubles: how far what a program worked out may be from what is exact.

A program adds up n doubles with an error of at most n·2⁻⁵³ of the sum of their sizes. Errors and scores are differences
of sums of w·y² or w·|y|, so that much of them may be lost where numbers are of very different size. Within `ROUNDED`
of what is added up

1. an error that a node states is right, and so is a mean;
2. a question is as good as the best one;
3. a question is worth as much as a bound asks for, or less.

scikit-learn makes a leaf where the impurity that it found is at most `EPSILON`, and no leaf where all rows agree and it
found more (`found_no_impurity`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from reference_tree.data.sample import Counts
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.node import Derivatives, Node

ROUNDED = Fraction(1, 2**40)
"""How far a sum that a program added up in doubles may be from the exact one, in proportion to what is added up."""

EPSILON = Fraction(1, 2**52)
"""scikit-learn's `EPSILON`: an impurity of no more is none; a decrease may fall short of its bound by so much."""


def is_near(difference: Number, added: Counts, *, absolute: bool = False) -> bool:
    """Whether two figures may differ by so much, and be one to a program.

    Args:
        difference: of sums over rows.
        added: the moments of the rows that were added up.
        absolute: whether |y| was added up, and not y²; their sum is at most √(n·Σy²).

    Example:
        >>> is_near(5, (6, 2 * 10**12 + 10, 2 * 10**24 + 30)), is_near(5, (4, 10, 30))
        (True, False)
    """
    w, _, squares = map(Fraction, added)
    off = abs(Fraction(cast(Rational, difference)))  # of numbers to be predicted every figure is rational
    return bool(off**2 <= ROUNDED**2 * w * squares) if absolute else bool(off <= ROUNDED * squares)


def is_near_mean(difference: Rational, found: Counts) -> bool:
    """Whether a mean may be off by so much: that of |y| is at most 1 + Σy²/n.

    Args:
        difference: by how much it is off.
        found: the moments of what arrives at the node.
    """
    return bool(abs(Fraction(difference)) <= ROUNDED * (1 + Fraction(found[2]) / found[0]))


def found_no_impurity(node: Node) -> bool | None:
    """Whether a program found no impurity at a node, by what the node states; none if it does not state that.

    Example:
        >>> found_no_impurity(Node((2, 6, 18), 3)), found_no_impurity(Node((2, 6, 20), 3))
        (True, False)
    """
    if isinstance(node.label, str) or isinstance(node.counts, Derivatives) or not node.counts[0]:
        return None
    return Fraction(node.error) <= EPSILON * node.counts[0]
