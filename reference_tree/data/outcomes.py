"""Outcomes: the conditions on the branches of a test, and the protocol of all tests.

A test sends a row to one of its branches. It is a sequence of *outcomes*, one for each branch. An outcome is a
condition on a value, and a row takes the branch whose outcome holds. Outcomes are data: they are compared, printed and
written to a tree document without being run. The tests themselves are in `data.questions`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from reference_tree.data.errors import InputError, option
from reference_tree.data.schema import is_missing, label
from reference_tree.exact.rationals import Rational, decimal_text, exactly, rational

Row: TypeAlias = Mapping[str, str | Rational | None]
"""A row to be tested: attribute → value; only the attributes that a test names are needed."""


@dataclass(frozen=True)
class Outcome:
    """A condition on one value, which labels a branch.

    Args:
        relation: `is`, `is_not`, `in`, `not_in`, `le`, `gt`, `lt` or `ge`.
        value: a category, a tuple of categories, or a number.

    Example:
        >>> Outcome("is", "sunny").holds("sunny"), Outcome("le", 75).holds(76)
        (True, False)
        >>> from fractions import Fraction
        >>> Outcome("le", Fraction(151, 2)).step("humidity")
        'humidity<=75.5'
    """

    relation: str
    value: Any

    _HOLDS: ClassVar[dict[str, Callable[[Any, Any], bool]]] = {
        "is": operator.eq,
        "is_not": operator.ne,
        "in": lambda found, values: found in values,
        "not_in": lambda found, values: found not in values,
        "le": operator.le,
        "gt": operator.gt,
        "lt": operator.lt,
        "ge": operator.ge,
    }
    _SIGN: ClassVar[dict[str, str]] = {
        "is": "=", "is_not": "≠", "in": " in ", "not_in": " not in ", "le": "<=", "gt": ">", "lt": "<", "ge": ">=",
    }  # fmt: skip

    def holds(self, found: str | Rational) -> bool:
        """Whether a value meets the condition."""
        return self._HOLDS[self.relation](found, self.value)

    @property
    def written(self) -> str:
        """The value as text.

        Example:
            >>> Outcome("in", ("", "sunny")).written        # a category without a name is still to be seen
            "{'', sunny}"
        """
        if self.relation in ("le", "gt", "lt", "ge"):
            return decimal_text(self.value)
        return _visible(self.value) if isinstance(self.value, str) else "{" + ", ".join(map(_visible, self.value)) + "}"

    @property
    def plain(self) -> Outcome:
        """The condition in its simplest form: for a set of one value, `is` or `is_not` that value.

        Example:
            >>> Outcome("in", ("no",)).plain.step("job"), Outcome("not_in", ("no",)).plain.step("job")
            ('job=no', 'job≠no')
        """
        if self.relation not in ("in", "not_in") or len(self.value) != 1:
            return self
        return Outcome("is" if self.relation == "in" else "is_not", *self.value)

    @property
    def sign(self) -> str:
        """The relation as text: `=`, `<=`, ` in `."""
        return self._SIGN[self.relation]

    @property
    def label(self) -> str:
        """The condition without its attribute: `sunny`, `<=75`."""
        return self.written if self.relation == "is" else f"{self.sign}{self.written}".strip()

    def step(self, attribute: str) -> str:
        """The condition as text: `outlook=sunny`, `humidity<=75`."""
        return f"{attribute}{self.sign}{self.written}"


def _visible(category: str) -> str:
    return category or "''"


class NodeTest:
    """The base of all tests: their outcomes are conditions on one value, and exclude one another.

    The value is that of an `attribute`. A linear test computes its value from several attributes; there `attribute` is
    the text of the sum, and `attributes` are the columns that a row must have.
    """

    kind: ClassVar[str]
    attribute: str

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the attributes that the test needs."""
        return (self.attribute,)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The conditions of the branches, in branch order."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The text of the test at a node: the attribute, if the test has a branch for each value."""
        return self.attribute

    def step(self, branch: int) -> str:
        """The condition of a branch as text."""
        return self.outcomes[branch].step(self.attribute)

    def branch(self, row: Row) -> int | None:
        """The branch a row takes; None if its value is missing.

        Raises:
            InputError: the row has no such attribute, its value is of another kind, or no outcome holds for it.
        """
        if (cell := cell_of(row, self.attribute)) is None:
            return None
        found = self.value_of(cell)
        if (branch := self.branch_of(found)) is None:
            raise UnseenValueError(self.attribute, str(found))
        return branch

    def branch_of(self, found: str | Rational) -> int | None:
        """The branch whose outcome holds for a value; None if no outcome does."""
        return next((branch for branch, outcome in enumerate(self.outcomes) if outcome.holds(found)), None)

    def value_of(self, cell: object) -> str | Rational:
        """The value of a cell for this test: the name of a category, or an exact number, just as in a table."""
        return label(cell)


class UnseenValueError(InputError):
    """A value for which a test has no branch."""

    def __init__(self, attribute: str, found: str) -> None:
        super().__init__(
            f"the value {found!r} of {attribute} was not seen in training; {option('unseen', 'majority')} answers"
        )


def cell_of(row: Row, attribute: str) -> str | Rational | None:
    """The value of an attribute in a row; None if it is missing, as None or as a frame marks it.

    Raises:
        InputError: the row has no such attribute.
    """
    if attribute not in row:
        raise not_there(attribute)
    return None if is_missing(cell := row[attribute]) else cell


def not_there(attribute: str) -> InputError:
    """The error for a row without an attribute that a test needs."""
    return InputError(f"the row has no value for {attribute}, which the tree asks for")


def number_in(cell: object, test: str) -> Rational:
    """The exact number in a cell.

    Args:
        cell: a number, or the text of one.
        test: the name of the test, or of the coordinate, that needs it.

    Raises:
        InputError: the cell holds no number.
    """
    try:
        return rational(cell) if isinstance(cell, str) else exactly(cell)
    except (TypeError, ValueError) as error:
        raise InputError(f"{error}; the tree asks for {test}") from None
