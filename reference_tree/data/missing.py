"""Missing answers: the route of a row that does not answer a question.

There are four rules, and a node records which one its learner chose:

1. *fractions*: the row goes down every branch, weighted by the share of the training rows that took it (C4.5).
2. *surrogates*: other questions are asked in turn, and the first one that is answered decides the branch (CART).
3. *branch*: all such rows take one branch; with surrogates, it takes the rows that answer none of them.
4. *stay*: such rows take no branch; the node itself answers them.

A node with none of these refuses a row without an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Row, Test
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import formula

Rows = TypeVar("Rows")
"""A set of rows, in the form in which a sample keeps them."""


class Surrogate(NamedTuple):
    """A question that stands in for another one.

    Source:
        [Breiman1984 §5.3]
    """

    test: Test
    """The question."""
    branches: tuple[int, ...]
    """For each of its outcomes the branch it stands for: (0, 1), or (1, 0) if the two are exchanged."""
    agreement: Rational
    """Of the rows that answer both questions, the share that both send to the same branch."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The rule for a row without an answer.

    Args:
        shares: the fraction of the row that goes down each branch; empty if the row is not divided.
        surrogates: the questions that are asked instead, the best one first.
        to: the branch that the row takes when no other rule applies; None if there is no such branch.
        stays: whether the node itself answers the row when no other rule applies.

    Example:
        >>> Missing(to=1).rule, Missing().rule
        ('branch', 'error')
    """

    shares: tuple[Rational, ...] = ()
    surrogates: tuple[Surrogate, ...] = ()
    to: int | None = None
    stays: bool = False

    @property
    def rule(self) -> str:
        """The name of the rule: `fractions`, `surrogates`, `branch`, `stay` or `error`."""
        if self.shares:
            return "fractions"
        if self.surrogates:
            return "surrogates"
        return "branch" if self.to is not None else "stay" if self.stays else "error"

    def ways(self, test: Test, row: Row) -> list[tuple[int | None, Rational]]:
        """The branches that a row takes, each with its share of the row; the branch None means that it stays.

        Args:
            test: the question of the node.
            row: attribute → value.

        Raises:
            InputError: the answer is missing and there is no rule, an attribute is absent, or a value has no branch.

        Example:
            >>> from reference_tree.data.questions import Threshold
            >>> Missing(shares=(1, 0)).ways(Threshold("x", 2), {"x": None})
            [(0, 1)]
        """
        branch = test.branch(row)
        if branch is not None:
            return [(branch, 1)]
        if self.shares:
            return [(way, share) for way, share in enumerate(self.shares) if share]
        if (instead := self.stand_in(row)) is not None:
            surrogate, outcome = instead
            return [(surrogate.branches[outcome], 1)]
        if self.to is None and not self.stays:
            raise no_rule(test)
        return [(self.to, 1)]

    def stand_in(self, row: Row) -> tuple[Surrogate, int] | None:
        """The first surrogate that a row answers, with the number of its outcome; None if it answers none.

        Raises:
            InputError: as for `ways`.
        """
        for surrogate in self.surrogates:
            outcome = surrogate.test.branch(row) if all(name in row for name in surrogate.test.attributes) else None
            if outcome is not None:
                return surrogate, outcome
        return None

    def routes(
        self, unknown: Rows, branches: int, answers: Callable[[Test, Rows], Sequence[Rows]]
    ) -> list[list[tuple[Rows, Rational]]]:
        """The routes of a set of rows without an answer: for each branch the sets that it gets, each with its share.

        Args:
            unknown: the rows.
            branches: the number of branches.
            answers: splits a set of rows by another question: a set for each answer, then the rows that give none.
        """
        if self.shares:
            return [[(unknown, share)] for share in self.shares]
        found: list[list[tuple[Rows, Rational]]] = [[] for _ in range(branches)]
        for surrogate in self.surrogates:
            *answered, unknown = answers(surrogate.test, unknown)
            for to, rows in zip(surrogate.branches, answered, strict=True):
                found[to].append((rows, 1))
        if self.to is not None:
            found[self.to].append((unknown, 1))
        return found


REFUSED = Missing()
"""No rule: a row without an answer is refused."""


@formula
def child_weight(weight: Number, share: Number) -> Number:
    r"""The weight in a branch of a row without an answer.

    $$w \leftarrow \tilde r_v \cdot w$$

    The weight is *multiplied* by the share of the branch and never set anew: a row that lacks two answers on its way
    down has the product of two shares, and its parts in all leaves add up to its weight at the root, which is 1 unless
    the table says otherwise. A row that answers keeps its weight and goes down one branch.

    Args:
        weight: w, the weight of the row at the node.
        share: r̃_v, the share of the branch: see `reference_tree.splitting.missing_values.branch_shares`.

    Example:
        >>> from fractions import Fraction
        >>> once = child_weight(1, Fraction(7, 15))
        >>> once, child_weight(once, Fraction(5, 7))
        (Fraction(7, 15), Fraction(1, 3))

    Source:
        [N2 §4.2 problem b], [N2 §4.2 summary step 1], [N2 §4.2 summary step 7], [N2 §4.2 summary step 8], [Zhou2016
        §4.4.2]. The seventh step of N2's summary forgets the weight the row had before (decision missing.weights).
    """
    return share * weight


def no_rule(test: Test) -> InputError:
    """The error for a missing value at a node that has no rule for it."""
    return InputError(f"the value of {test.attribute} is missing, and this tree has no rule for that")
