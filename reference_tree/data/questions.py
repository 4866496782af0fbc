"""Questions: the tests a node can ask.

A test sends a row to one of its branches: the one whose *outcome*, a condition on a value, holds for the row.

- `Multiway`: one branch for each value of a categorical attribute.
- `Subset`: two branches, a set of values against the rest; `SeenSubset` treats some values of the rest as missing.
- `Threshold`: two branches of a continuous attribute, at most t against more (or less than t against at least).
- `Linear`: two branches of a weighted sum of attributes, at most t against more.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.linear_tests import Coordinate, Linear
from reference_tree.data.outcomes import Outcome, Question, Row, UnseenValueError, number_in
from reference_tree.data.schema import Attribute, Schema
from reference_tree.exact.rationals import Rational


@dataclass(frozen=True)
class Multiway(Question):
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
    @lru_cache(maxsize=1024)  # the same question is asked at every node
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
class Subset(Question):
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
class Threshold(Question):
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
"""Any question that a node can ask."""


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


# Paths. A node is named by the conditions that lead to it from the root: `/outlook=sunny/humidity<=75`.


def path_step(test: Test, branch: int, *, plain: bool = False) -> str:
    r"""The condition of a branch as a step of a path, with `/`, `=` and `\` escaped in names and values.

    Args:
        test: the question.
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
    "Coordinate",
    "Linear",
    "Multiway",
    "Outcome",
    "Question",
    "Row",
    "SeenSubset",
    "Subset",
    "Test",
    "Threshold",
    "UnseenValueError",
    "fits",
    "parse_path",
    "path_step",
]
