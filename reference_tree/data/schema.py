"""The schema: the names of the columns of a table, and their possible values.

An attribute is categorical, with a finite domain of values in a fixed order, or continuous, with exact numbers. In
memory a categorical cell is the *code* of its value (its place in the domain), and a continuous cell is the *rank* of
its number among the distinct numbers of the column: both are small integers that are fast to count and compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from reference_tree.data.errors import InputError, no_such
from reference_tree.data.held import Form
from reference_tree.exact.rationals import Rational, exactly, rational

Kind = Literal["categorical", "continuous"]


@dataclass(frozen=True)
class Attribute:
    """A column: its name, and its domain.

    Args:
        name: the name of the column.
        values: the domain of a categorical attribute, in order; None for a continuous one.
        given: for categories that were no texts in Python: name → the object that was handed over.
        held: the form in which the numbers of a continuous attribute are held; a value is converted to it before a tree
            compares the value (`reference_tree.data.held`).

    Example:
        >>> Attribute("outlook", ("overcast", "rainy", "sunny")).kind, Attribute("humidity").kind
        ('categorical', 'continuous')
    """

    name: str
    values: tuple[str, ...] | None = None
    given: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    held: Form = field(default="written", compare=False, repr=False)

    @property
    def kind(self) -> Kind:
        """`categorical` or `continuous`."""
        return "continuous" if self.values is None else "categorical"

    @property
    def domain(self) -> tuple[str, ...]:
        """The values of a categorical attribute, in order.

        Raises:
            InputError: the attribute is continuous.
        """
        if self.values is None:
            raise InputError(f"the attribute {self.name} is continuous and has no list of values")
        return self.values

    def returned(self, value: Any) -> Any:
        """A value as it was handed over: the number 1 rather than its name `1`.

        Example:
            >>> Attribute("y", ("0", "1"), {"0": 0, "1": 1}).returned("1"), Attribute("y", ("0", "1")).returned("1")
            (1, '1')
        """
        return self.given.get(value, value) if self.given else value

    def category(self, value: object) -> str:
        """The name of a category that is handed over: its text, or the name of the only category with its number.

        A program that holds a column with a gap as floats writes 1.0 for 1. TRUE and false, in upper or lower case,
        have the numbers of Python's True and False.

        Example:
            >>> codes = Attribute("code", ("1", "2"))
            >>> [codes.category(value) for value in ("1", 1.0, True, 7.0, "1.0")]
            ['1', '1', '1', '7.0', '1']
            >>> Attribute("windy", ("FALSE", "TRUE")).category(True)
            'TRUE'
        """
        name = value if isinstance(value, str) else str(value)
        if name in self._names:
            return name
        return self._by_number.get(_number(value), name)

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.domain)

    @cached_property
    def _by_number(self) -> dict[Fraction | None, str]:
        """The category of each number that belongs to exactly one category."""
        numbers = [_number(self.returned(value)) for value in self.domain]
        pairs = zip(numbers, self.domain, strict=True)
        times = Counter(numbers)
        return {number: name for number, name in pairs if number is not None and times[number] == 1}


def _number(value: object) -> Fraction | None:
    """The number that a value is, or that its text spells; None if there is none."""
    if isinstance(value, str) and value.lower() in ("false", "true"):
        return Fraction(value.lower() == "true")
    try:
        return Fraction(rational(value) if isinstance(value, str) else exactly(value))
    except (TypeError, ValueError):
        return None


@dataclass(frozen=True)
class Schema:
    """The columns of a table: the attributes that can be tested, and the target that is predicted.

    Args:
        attributes: the attributes in table order, without the target.
        target: the column that is predicted.
        numbers: for each continuous column its distinct numbers, ascending: rank → exact number.
    """

    attributes: tuple[Attribute, ...]
    target: Attribute
    numbers: Mapping[str, Sequence[Rational]] = field(default_factory=dict, compare=False, repr=False)

    def attribute(self, name: str) -> Attribute:
        """The attribute of this name, or the target if it has this name.

        Raises:
            InputError: there is none.
        """
        if name not in self._by_name:
            raise InputError(no_such("attribute", name, self._by_name))
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> Mapping[str, Attribute]:
        return {attribute.name: attribute for attribute in (*self.attributes, self.target)}
