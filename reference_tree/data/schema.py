"""The schema: what the columns of a table are called, and what can stand in them.

An attribute is categorical, with a finite domain of values in a fixed order, or continuous, with exact numbers. In
memory a categorical cell is the *code* of its value (its place in the domain) and a continuous one the *rank* of its
number among the distinct numbers of the column: both are small integers that can be counted and compared at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from reference_tree.data.errors import InputError, no_such
from reference_tree.exact.rationals import Rational

Kind = Literal["categorical", "continuous"]


@dataclass(frozen=True)
class Attribute:
    """A column: its name, and its domain.

    Args:
        name: what the column is called.
        values: the domain of a categorical attribute, in order; none for a continuous one.
        given: what was handed over in Python where it was no text: value → the thing that it names.

    Example:
        >>> Attribute("outlook", ("overcast", "rainy", "sunny")).kind, Attribute("humidity").kind
        ('categorical', 'continuous')
    """

    name: str
    values: tuple[str, ...] | None = None
    given: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)

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
        """A value as it was handed over: 1 rather than its name `1`.

        Example:
            >>> Attribute("y", ("0", "1"), {"0": 0, "1": 1}).returned("1"), Attribute("y", ("0", "1")).returned("1")
            (1, '1')
        """
        return self.given.get(value, value) if self.given else value


@dataclass(frozen=True)
class Schema:
    """The columns of a table: the attributes that can be tested, and the target that is predicted.

    Args:
        attributes: in table order, without the target.
        target: the column that is predicted.
        numbers: for each continuous attribute its distinct numbers, ascending: rank → exact number.
    """

    attributes: tuple[Attribute, ...]
    target: Attribute
    numbers: Mapping[str, Sequence[Rational]] = field(default_factory=dict, compare=False, repr=False)

    def attribute(self, name: str) -> Attribute:
        """The attribute of this name, the target among them.

        Raises:
            InputError: there is none.
        """
        for attribute in (*self.attributes, self.target):
            if attribute.name == name:
                return attribute
        raise InputError(no_such("attribute", name, [known.name for known in (*self.attributes, self.target)]))
