"""Tests: the kinds of test that a node can have.

A test sends a row to one of its branches: the one whose *outcome*, a condition on a value, holds for the row.

- `Multiway`: one branch for each value of a categorical attribute.
- `Subset`: two branches, a set of values against the rest; `SeenSubset` treats some values of the rest as missing.
- `Threshold`: two branches of a continuous attribute, at most t against more (or less than t against at least).
- `Linear`: two branches of a weighted sum of attributes, at most t against more.

A row whose value is missing does not answer. There are five rules for its route (`Missing`), and a node records which
one its learner chose:

1. *fractions*: the row goes down every branch, weighted by the share of the training rows that took it (C4.5).
2. *surrogates*: other tests are tried in turn, and the first one with an outcome decides the branch (CART).
3. *branch*: all such rows take one branch; with surrogates, it takes the rows that answer none of them.
4. *stay*: such rows take no branch; the node itself answers them.
5. *aggregate*: the row goes down every branch, whole, and the counts of the leaves that it reaches are added up (PMML).

A node with none of these refuses a row without an answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar, NamedTuple, TypeAlias, TypeVar

from reference_tree.data.errors import InputError
from reference_tree.data.linear_tests import Coordinate, Linear
from reference_tree.data.outcomes import NodeTest, Outcome, Row, UnseenValueError, number_in
from reference_tree.data.schema import Attribute, Schema
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import formula


@dataclass(frozen=True)
class Multiway(NodeTest):
    """One branch for each declared value of a categorical attribute.

    Example:
        >>> test = Multiway("outlook", ("overcast", "rainy", "sunny"))
        >>> test.branch({"outlook": "rainy"}), test.step(2)
        (1, 'outlook=sunny')
    """

    kind: ClassVar[str] = "multiway"
    attribute: str
    values: tuple[str, ...]

    @classmethod
    @lru_cache(maxsize=1024)  # the test occurs at every node
    def on(cls, attribute: Attribute) -> Multiway:
        """The multiway test on an attribute's whole domain."""
        return cls(attribute.name, attribute.domain)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """`= v` for each value v."""
        return tuple(Outcome("is", value) for value in self.values)

    def branch_of(self, found: str | Rational) -> int | None:
        """The branch of a value, by a look-up: an ID column has a branch for each row."""
        return self._branches.get(found)

    @cached_property
    def _branches(self) -> Mapping[object, int]:
        return {value: branch for branch, value in enumerate(self.values)}


@dataclass(frozen=True)
class Subset(NodeTest):
    """A set of values against the rest.

    Example:
        >>> Subset("outlook", ("overcast",)).branch({"outlook": "rainy"})
        1
    """

    kind: ClassVar[str] = "subset"
    attribute: str
    values: tuple[str, ...]

    @property
    def name(self) -> str:
        """The condition of the first branch."""
        return self.step(0)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """`in` the set, `not in` the set."""
        return (Outcome("in", self.values), Outcome("not_in", self.values))

    def branch_of(self, found: str | Rational) -> int | None:
        """The branch of a value, by a look-up: the set may have thousands of names."""
        return 0 if found in self._named else 1

    @cached_property
    def _named(self) -> frozenset[object]:
        return frozenset(self.values)


@dataclass(frozen=True)
class SeenSubset(Subset):
    """A set of values against the rest, where some values count as missing.

    Args:
        attribute: the name of the attribute.
        values: the set.
        unseen: the values that count as missing.

    Example:
        >>> test = SeenSubset("colour", ("red",), ("green",))
        >>> [test.branch({"colour": colour}) for colour in ("red", "blue", "green", None)]
        [0, 1, None, None]
    """

    unseen: tuple[str, ...]

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """`in` the set, and `not in` the set or the unseen values."""
        return (Outcome("in", self.values), Outcome("not_in", (*self.values, *self.unseen)))

    def branch_of(self, found: str | Rational) -> int | None:
        """The branch of a value; None if it is unseen."""
        return None if found in self._unseen else super().branch_of(found)

    @cached_property
    def _unseen(self) -> frozenset[object]:
        return frozenset(self.unseen)

    def branch(self, row: Row) -> int | None:
        """The branch a row takes; None if its value is missing or unseen.

        Raises:
            InputError: the row has no such attribute.
        """
        try:
            return super().branch(row)
        except UnseenValueError:
            return None


@dataclass(frozen=True)
class Threshold(NodeTest):
    """A continuous attribute compared with a number.

    Args:
        attribute: the name of the attribute.
        threshold: the number t.
        interval: where t may lie without any training row changing sides: [a, b) for `<=`, (a, b] for `<`.
        strict: whether the test is `< t` instead of `<= t`.

    Example:
        >>> from fractions import Fraction
        >>> test = Threshold("humidity", Fraction(153, 2), (75, 78))
        >>> test.branch({"humidity": 75}), test.branch({"humidity": 78}), test.name
        (0, 1, 'humidity<=76.5')
    """

    kind: ClassVar[str] = "threshold"
    attribute: str
    threshold: Rational
    interval: tuple[Rational, Rational] | None = None
    strict: bool = False

    # A node may have thousands of cuts, each of which is looked up, and to hash a fraction takes long.
    def __hash__(self) -> int:
        return hash((self.attribute, *self.threshold.as_integer_ratio(), self.strict))

    @property
    def name(self) -> str:
        """The condition of the first branch."""
        return self.step(0)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """`<= t` and `> t`; `< t` and `>= t` where the test is strict."""
        below, above = ("lt", "ge") if self.strict else ("le", "gt")
        return (Outcome(below, self.threshold), Outcome(above, self.threshold))

    def branch_of(self, found: str | Rational) -> int:
        """The branch of a number, compared with the threshold once."""
        return int(found >= self.threshold if self.strict else found > self.threshold)  # type: ignore[operator]

    def place_in(self, values: Sequence[Rational]) -> int:
        """How many of some values take the first branch.

        Args:
            values: ascending.

        Example:
            >>> Threshold("x", 4).place_in([1, 4, 9]), Threshold("x", 4, strict=True).place_in([1, 4, 9])
            (2, 1)
        """
        return (bisect_left if self.strict else bisect_right)(values, self.threshold)

    def value_of(self, cell: object) -> Rational:
        """The exact number in a cell.

        Raises:
            InputError: the cell holds none.
        """
        if type(cell) is int or type(cell) is Fraction:
            return cell
        return number_in(cell, self.name)  # the name takes long to make, and only a message needs it


Test: TypeAlias = Multiway | Subset | Threshold | Linear
"""Any test of a node."""


def fits(test: Test, schema: Schema) -> bool:
    """Whether a test can be asked of a table: every attribute is a column of it, and of the right kind.

    Example:
        >>> wind = Attribute("wind", ("strong", "weak"))
        >>> fits(Threshold("wind", 1), Schema((wind,), Attribute("play", ("no", "yes"))))
        False
    """
    known = {attribute.name: attribute for attribute in schema.attributes}
    if not all(name in known for name in test.attributes):
        return False
    if isinstance(test, Linear):
        return all((known[c.attribute].values is None) == (c.value is None) for c, _ in test.weights)
    return (known[test.attribute].values is None) == isinstance(test, Threshold)


# Missing answers.


Rows = TypeVar("Rows")
"""A set of rows, in the form in which a sample keeps them."""


class Surrogate(NamedTuple):
    """A test that stands in for another one.

    Source:
        [Breiman1984 §5.3]
    """

    test: Test
    """The test."""
    branches: tuple[int, ...]
    """For each of its outcomes the branch it stands for: (0, 1), or (1, 0) if the two are exchanged."""
    agreement: Rational
    """Of the rows with an outcome of both tests, the share that both send to the same branch."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The rule for a row without an answer.

    Args:
        shares: the fraction of the row that goes down each branch; empty if the row is not divided. If each is 1, the
            counts of the leaves are added up.
        surrogates: the tests that replace it, the best one first.
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
        """The name of the rule: `fractions`, `aggregate`, `surrogates`, `branch`, `stay` or `error`."""
        if self.shares:
            return "aggregate" if self.aggregates else "fractions"
        if self.surrogates:
            return "surrogates"
        return "branch" if self.to is not None else "stay" if self.stays else "error"

    @property
    def aggregates(self) -> bool:
        """Whether a row goes down every branch whole, each share being 1.

        Example:
            >>> Missing(shares=(1, 1)).aggregates, Missing(shares=(0, 1)).aggregates
            (True, False)
        """
        return len(self.shares) > 1 and all(share == 1 for share in self.shares)

    def ways(self, test: Test, row: Row) -> list[tuple[int | None, Rational]]:
        """The branches that a row takes, each with its share of the row; the branch None means that it stays.

        Args:
            test: the test of the node.
            row: attribute → value.

        Raises:
            InputError: the answer is missing and there is no rule, an attribute is absent, or a value has no branch.

        Example:
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
            raise NoRuleError(test.attribute)
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
            answers: splits a set of rows by another test: a set for each outcome, then the rows without one.
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


class NoRuleError(InputError):
    """A value is missing at a node that has no rule for it.

    Args:
        attribute: the attribute that it asks.
    """

    def __init__(self, attribute: str) -> None:
        super().__init__(f"the value of {attribute} is missing, and this tree has no rule for that")
        self.attribute = attribute


# Paths. A node is named by the conditions that lead to it from the root: `/outlook=sunny/humidity<=75`.


def path_step(test: Test, branch: int, *, plain: bool = False) -> str:
    r"""The condition of a branch as a step of a path, with `/`, `=` and `\` escaped in names and values.

    Args:
        test: the test.
        branch: the number of the branch.
        plain: whether a set of one value is written as this value, as in a derivation.

    Example:
        >>> print(path_step(Multiway("in/out", ("a=b", "c")), 0))
        in\/out=a\=b
        >>> path_step(Subset("job", ("no",)), 1), path_step(Subset("job", ("no",)), 1, plain=True)
        ('job not in {no}', 'job≠no')
    """
    outcome = test.outcomes[branch].plain if plain else test.outcomes[branch]
    return f"{_escape(test.attribute)}{outcome.sign}{_escape(outcome.written)}"


def parse_path(path: str) -> tuple[str, ...]:
    r"""The steps of a path, still escaped; each is a condition or a branch number.

    Raises:
        InputError: the path does not begin with `/`, a step is empty, or a `\` escapes nothing.

    Example:
        >>> parse_path("/"), parse_path("/outlook=sunny/1"), parse_path(r"/in\/out=a")
        ((), ('outlook=sunny', '1'), ('in\\/out=a',))
    """
    if not isinstance(path, str) or not path.startswith("/"):
        raise InputError(f"the path {path!r} does not begin with /; the root is /")
    steps: list[str] = re.findall(r"(?:\\.|[^\\/])+", path, re.DOTALL)
    if path != "/" + "/".join(steps):
        raise InputError(f"the path {path!r} has an empty step, or ends in the middle of one")
    return tuple(steps)


def _escape(text: str) -> str:
    return re.sub(r"[/=\\]", r"\\\g<0>", text)


__all__ = [
    "REFUSED",
    "Coordinate",
    "Linear",
    "Missing",
    "Multiway",
    "NoRuleError",
    "NodeTest",
    "Outcome",
    "Row",
    "SeenSubset",
    "Subset",
    "Surrogate",
    "Test",
    "Threshold",
    "UnseenValueError",
    "child_weight",
    "fits",
    "parse_path",
    "path_step",
]
