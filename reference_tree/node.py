"""The node: the counts of its rows, its answer, and its test.

The *counts* of a node describe the rows that reach it. They depend on the target of the tree:

- classes: the weight of each, in class order;
- numbers, by squared error: the moments (w, Σwy, Σwy²), which add up over the branches, and from which mean and squared
  error follow;
- numbers, by absolute error: `Deviations`, since sums would not be enough;
- a term of a boosted sum: `Derivatives`, the sums of the first and second derivatives of a loss.

If no row arrives, or none was counted, all of them are 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from reference_tree.data.questions import REFUSED, Missing, Test
from reference_tree.data.sample import Counts
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.measures.variance import Moments, sse

Label: TypeAlias = str | Rational
"""The answer of a node: a class, or a number."""


class TreeError(ValueError):
    """A tree that is not what it claims to be, with the node and its fault."""


class Deviations(NamedTuple):
    """The counts of a node in a tree that was grown by absolute error.

    Example:
        >>> Node(Deviations(3, 2, 5), 2, stop="max-depth").error        # of the numbers 1, 2 and 6
        5
    """

    w: Rational
    """The weight."""
    median: Rational
    """The median, which the node answers; 0 if no row arrives."""
    sad: Rational
    """The sum of the absolute deviations from it."""


class Derivatives(NamedTuple):
    """The counts of a node in a tree that was fitted to the derivatives of a loss.

    Source:
        [ChenGuestrin2016 §2.2 eq. (4)]
    """

    n: Rational
    """The weight."""
    g: Rational
    """The sum of the first derivatives."""
    h: Rational
    """The sum of the second derivatives."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node.

    Args:
        counts: the weight of each class of its rows, their moments, `Deviations` or `Derivatives`.
        label: the majority class, or the number it predicts.
        test: the test; None for a leaf.
        branches: the numbers of the nodes below, in the order of the test's outcomes.
        stop: the reason that it is a leaf; None for an inner node.
        tied: all classes that share the majority, if there are several.
        prior: whether no row reaches it, so that the label is that of the node above.
        missing: where a row that does not answer goes.

    Example:
        >>> Node((5, 9), "yes").weight, Node((3, 9, 41), 3).weight
        (14, 3)
    """

    counts: Counts
    label: Label
    test: Test | None = None
    branches: tuple[int, ...] = ()
    stop: str | None = None
    tied: tuple[str, ...] = ()
    prior: bool = False
    missing: Missing = REFUSED

    @property
    def weight(self) -> Rational:
        """The weight of the rows that reach it."""
        return sum(self.counts) if isinstance(self.label, str) else self.counts[0]

    @property
    def error(self) -> Rational:
        """The distance of its numbers from its answer: squared, or absolute in a tree grown by absolute error.

        Raises:
            ValueError: the node answers with a class, or with a term of a sum.

        Example:
            >>> Node((3, 9, 41), 3).error
            14
        """
        if isinstance(self.label, str):
            raise ValueError("a class is right or wrong, and never far away")
        if isinstance(self.counts, Derivatives):
            raise ValueError("a term of a sum is not right or wrong by itself")
        if isinstance(self.counts, Deviations):
            return self.counts.sad
        return simplest(Fraction(sse(Moments(*self.counts)))) if self.counts[0] else 0
