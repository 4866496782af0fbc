r"""Least cost: the cost of the best of all trees for some rows, by dynamic programming over subsets of rows.

The cost of a tree is a sum over its leaves of their risk and a price α,

$$C_\alpha(T) = \sum_{t \text{ leaf}} R(t) + \alpha |\tilde T|$$

so the best subtree of one branch does not depend on the other branches. The least cost of a set of rows S is that of a
leaf, or of the best test about it, which divides S into S_1, ..., S_V:

$$C^*(S) = \min \Big( R(S) + \alpha,\; \min_{q} \sum_{i=1}^{V} C^*(S_i) \Big)$$

A set of rows has the same best tree whichever tests led to it. So each set is solved once, and there are far fewer
sets than trees. Their number is still exponential in the number of attributes. Finding the tree of the fewest expected
tests is NP-complete (Hyafil and Rivest, 1976), and no fast algorithm for this problem is known. The search stops
with an error when it has tried `LIMIT` tests.

1. `Worth` is the cost of a tree and its size. Of equal costs, the smaller size is better. With α = 0 and the number of
   mistakes as risk, this gives the smallest of the trees with the fewest mistakes.
2. `Subproblems` are all sets of rows that some tests can separate; a set is a bit mask. `solve` computes the
   recurrence with a stack instead of recursion.

Source:
    [HyafilRivest1976], [NijssenFromont2007]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Counts
from reference_tree.data.targets import added
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Number, simplified

LIMIT = 2_000_000
"""The most tests that a search tries, counted separately for each set of rows."""


class Worth(NamedTuple):
    """The cost and the size of a tree: compared in this order, the smaller the better."""

    cost: Number
    """C_α(T), which includes the price of the leaves."""
    leaves: int
    """|T̃|: the leaves that some row reaches."""


class State(NamedTuple):
    """A subproblem."""

    rows: int
    """The set of rows: a bit for each row."""
    levels: int | None
    """The most tests on a path. None: no limit."""


Split: TypeAlias = Collection[State]
"""The subproblems that a test leaves: one for each branch that some row takes."""


@dataclass(frozen=True)
class Subproblems:
    """The sets of rows that tests can separate, and the bounds of their trees.

    Args:
        rows: the counts of each row; rows that no test can distinguish are one.
        tests: the rows that take each branch of each test, as bit masks.
        risk: R, computed from the summed counts of a leaf.
        weight: the weight of rows, computed from their summed counts.
        alpha: α, the price of a leaf, at least 0.
        epsilon: the least that a test has to save, together with all tests below it.
        min_samples_split: no test divides rows that weigh less.
        min_samples_leaf: the least weight of a branch that some row takes.
        limit: the most tests that are tried.

    Example:
        An exclusive or of two bits needs four leaves. A single test saves nothing, and a leaf is as good:

        >>> rows = [(1, 0), (0, 1), (0, 1), (1, 0)]
        >>> either = Subproblems(rows, [(0b0011, 0b1100), (0b0101, 0b1010)], min, sum)
        >>> everything = State(0b1111, levels=None)
        >>> either.solve([everything])[everything]
        Worth(cost=0, leaves=4)
        >>> either.solve([State(0b1111, levels=1)])[State(0b1111, levels=1)]
        Worth(cost=2, leaves=1)

    Source:
        [HyafilRivest1976], [NijssenFromont2007]. Nijssen and Fromont name a set of rows by the outcomes that lead
        to it, an itemset, and read the best tree off the lattice of these.
    """

    rows: Sequence[Counts]
    tests: Sequence[Sequence[int]]
    risk: Callable[[Counts], Number]
    weight: Callable[[Counts], Rational]
    alpha: Number = 0
    epsilon: Rational = 0
    min_samples_split: Rational = 0
    min_samples_leaf: Rational = 0
    limit: int = LIMIT

    def solve(self, wanted: Iterable[State]) -> Mapping[State, Worth]:
        """The worth of the best tree for some sets of rows, and for all sets that were solved for these.

        Raises:
            InputError: it takes too many tests.
        """
        # A stack in the place of recursion, for subproblems nest as deep as a path of the tree. A state stays on the
        # stack until its parts are solved. It may be pushed more than once before; the later copies find it in
        # `worths`.
        worths: dict[State, Worth] = {}
        opened: dict[State, Sequence[Split]] = {}
        tried, pending = 0, list(wanted)
        while pending:
            state = pending[-1]
            if state in worths:
                pending.pop()
                continue
            if state not in opened and self.is_settled(state):
                opened[state] = ()
            elif state not in opened:
                # Counted before the work is done, and by all tests, not only those that divide these rows.
                tried += len(self.tests)
                self.check(tried)
                opened[state] = self.splits(state)
            if unsolved := [part for split in opened[state] for part in split if part not in worths]:
                pending += unsolved
            else:
                worths[pending.pop()] = self.best(state, (together(split, worths) for split in opened.pop(state)))
        return worths

    def best(self, state: State, trees: Iterable[Worth]) -> Worth:
        """The recurrence: the worth of a leaf, or of the best tree that begins with a test.

        Source:
            [HyafilRivest1976], [N1 §1.6]
        """
        # Worths compare by cost, then by leaves, so the least of them is the smallest among the cheapest trees. A tree
        # has to be cheaper than the leaf even if ε is 0: of equal costs the leaf is smaller.
        leaf = Worth(self.risk_of(state.rows) + self.alpha, 1)
        tree = min(trees, default=leaf)
        return tree if leaf.cost - tree.cost >= self.epsilon and tree.cost < leaf.cost else leaf

    def splits(self, state: State) -> Sequence[Split]:
        """The subproblems of each test about a set of rows. Tests that divide it alike are one."""
        rows, levels = state
        below = None if levels is None else levels - 1
        # Tests that divide these rows alike lead to one subproblem, however they differ elsewhere. Of two sides the one
        # with the first row names the pair, so that a test and its complement are one.
        parted = {frozenset(part & rows for part in parts if part & rows) for parts in self._of_several}
        first = rows & -rows
        sides = {side if side & first else rows ^ side for side in [side & rows for side in self._sides]}
        parted |= {frozenset((side, rows ^ side)) for side in sides if side != rows}
        return [[State(part, below) for part in parts] for parts in parted if len(parts) > 1 and self.is_large(parts)]

    def is_settled(self, state: State) -> bool:
        """Whether no tree can be better than a leaf, or no test is allowed.

        A test costs at least one more leaf, and no test lowers the risk below that of single rows.
        """
        if state.levels == 0 or self.is_small(state.rows):
            return True
        # No split raises a risk, and the rows of one point cannot be separated: no tree has less risk than a leaf for
        # each point. What a tree saves is at most the difference, and its second leaf costs α.
        one_by_one = sum((risk for row, risk in self._mixed if state.rows >> row & 1), 0)
        return bool(self.risk_of(state.rows) - one_by_one <= self.alpha)

    def is_small(self, rows: int) -> bool:
        """Whether a set of rows weighs too little for a test."""
        return self.min_samples_split > 0 and self.weight(self.total(rows)) < self.min_samples_split

    def is_large(self, parts: Iterable[int]) -> bool:
        """Whether every part weighs enough."""
        # Then no part with a row is too small, and nothing needs to be weighed.
        if self.min_samples_leaf <= self._lightest:
            return True
        return all(self.weight(self.total(part)) >= self.min_samples_leaf for part in parts)

    def total(self, rows: int) -> Counts:
        """The summed counts of a set of rows."""
        return added(self.rows[row] for row in members(rows))

    def risk_of(self, rows: int) -> Number:
        """R of a leaf with a set of rows; known results are looked up, as many sets have the same counts."""
        # Looked up twice: by the set, as it comes again; and by its counts, as many sets have the same and a risk may
        # be an entropy.
        if rows not in self._risk_of_rows:
            total = self.total(rows)
            if total not in self._risk_of_total:
                self._risk_of_total[total] = simplified(self.risk(total))
            self._risk_of_rows[rows] = self._risk_of_total[total]
        return self._risk_of_rows[rows]

    def check(self, tried: int) -> None:
        """Stop a search that takes too long.

        Raises:
            InputError: more tests were tried than the limit allows.
        """
        if tried > self.limit:
            raise InputError(
                f"the search for the best of all trees tries more than {self.limit} tests; choose a smaller "
                "--max-depth, leave attributes out with --without NAME, or let --learner cart look for a good one"
            )

    @cached_property
    def _sides(self) -> Collection[int]:
        """A side of each test that divides all rows in two."""
        return {parts[0] for parts in self.tests if self._divides_in_two(parts)}

    @cached_property
    def _of_several(self) -> Sequence[Sequence[int]]:
        """The other tests."""
        return [parts for parts in self.tests if not self._divides_in_two(parts)]

    def _divides_in_two(self, parts: Sequence[int]) -> bool:
        return len(parts) == 2 and parts[0] ^ parts[1] == (1 << len(self.rows)) - 1

    @cached_property
    def _risk_of_rows(self) -> dict[int, Number]:
        return {}

    @cached_property
    def _risk_of_total(self) -> dict[Counts, Number]:
        return {}

    @cached_property
    def _mixed(self) -> Sequence[tuple[int, Number]]:
        """The rows that have a risk even in a leaf of their own, with that risk."""
        risks = ((row, self.risk_of(1 << row)) for row in range(len(self.rows)))
        return [(row, risk) for row, risk in risks if risk]

    @cached_property
    def _lightest(self) -> Rational:
        return min(map(self.weight, self.rows))


def together(split: Split, worths: Mapping[State, Worth]) -> Worth:
    """The total cost and size of the best trees for all branches of a test.

    Example:
        >>> together([State(1, None), State(2, None)], {State(1, None): Worth(2, 1), State(2, None): Worth(3, 2)})
        Worth(cost=5, leaves=3)
    """
    return Worth(sum((worths[part].cost for part in split), 0), sum(worths[part].leaves for part in split))


def members(rows: int) -> Iterator[int]:
    """The numbers of the rows in a set.

    Example:
        >>> list(members(0b1101))
        [0, 2, 3]
    """
    while rows:
        # In two's complement this is the lowest bit that is set.
        lowest = rows & -rows
        yield lowest.bit_length() - 1
        rows ^= lowest
