"""Linear tests: a weighted sum of attributes compared with a number.

1. `Coordinate` is a term of the sum: a continuous attribute, or an indicator of one value of a categorical attribute.
2. `Linear` is the test. Its weights have a single canonical form, so equal tests have equal text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import ClassVar, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.outcomes import NodeTest, Outcome, Row, cell_of, number_in
from reference_tree.data.schema import label
from reference_tree.exact.rationals import Rational, simplest


class Coordinate(NamedTuple):
    """A coordinate of a row as a point: a continuous attribute, or the indicator of one category.

    A categorical attribute of k values has k coordinates: one is 1 and the others are 0 (one-hot encoding).

    Example:
        >>> Coordinate("weight").of("7.5"), Coordinate("ear", "pointy").of("pointy"), Coordinate("ear", "oval").of("?")
        (Fraction(15, 2), 1, 0)
        >>> Coordinate("weight").name, Coordinate("ear", "pointy").name
        ('weight', '[ear=pointy]')
    """

    attribute: str
    """The name of the attribute."""
    value: str | None = None
    """The category that counts as 1; None for a continuous attribute."""

    @property
    def name(self) -> str:
        """The coordinate as text; a category stands in brackets, which mean 1 where it holds and 0 elsewhere."""
        return _quoted(self.attribute) if self.value is None else f"[{_quoted(self.attribute)}={_quoted(self.value)}]"

    def of(self, cell: object) -> Rational:
        """The coordinate of a row with this value.

        Raises:
            InputError: the attribute is continuous, and the cell holds no number.
        """
        return number_in(cell, self.name) if self.value is None else int(label(cell) == self.value)


Interval: TypeAlias = tuple[Rational, Rational]


@dataclass(frozen=True)
class Linear(NodeTest):
    r"""A weighted sum of attributes compared with a number: the test of a multivariate node.

    $$\sum_i w_i a_i(x) \leq t$$

    Equal tests have equal text, as the weights have a single form: they are coprime integers, none is 0, and the first
    is positive. Any inequality can be scaled to this form (`of`), unless its first weight is negative.

    Args:
        weights: the coordinates, each with its weight w_i, in the table order of their attributes, then in the order of
            their values.
        threshold: the number t.
        interval: [a, b), where t may lie without any training row changing sides.

    Raises:
        InputError: the weights are not of that form.

    Example:
        >>> test = Linear.of({Coordinate("a"): 1, Coordinate("b"): Fraction(-1, 2)}, 3)
        >>> test.name, [outcome.label for outcome in test.outcomes]
        ('2*a-b<=6', ['<=6', '>6'])
        >>> test.branch({"a": 4, "b": 2}), test.branch({"a": "4", "b": "1.9"}), test.branch({"a": 4, "b": None})
        (0, 1, None)

    Source:
        [N2 §5], [Zhou2016 §4.5]
    """

    kind: ClassVar[str] = "linear"
    weights: tuple[tuple[Coordinate, int], ...]
    threshold: Rational
    interval: Interval | None = None
    attribute: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbers = [weight for _, weight in self.weights]
        if not numbers or not all(numbers) or numbers[0] < 0 or gcd(*numbers) != 1:
            raise InputError("the weights of a linear test are coprime integers, none of them 0, the first positive")
        if len({coordinate for coordinate, _ in self.weights}) < len(numbers):
            raise InputError("a linear test has one weight for each coordinate")
        signs = (("-" if w < 0 else "+") + (f"{abs(w)}*" if abs(w) > 1 else "") + c.name for c, w in self.weights)
        object.__setattr__(self, "attribute", "".join(signs).removeprefix("+"))

    @classmethod
    def of(
        cls, weights: Mapping[Coordinate, Rational], threshold: Rational, interval: Interval | None = None
    ) -> Linear:
        """The test with these weights, scaled to coprime integers; weights of 0 are left out.

        Raises:
            InputError: the first weight that is not 0 is negative, or there is none.
        """
        known = {coordinate: weight for coordinate, weight in weights.items() if weight}
        whole = lcm(*(weight.denominator for weight in known.values()))
        common = gcd(*(int(weight * whole) for weight in known.values())) or 1
        scale = Fraction(whole, common)
        if next(iter(known.values()), 1) < 0:
            raise InputError("the first weight of a linear test is positive; turn the inequality round")
        ends = None if interval is None else (simplest(interval[0] * scale), simplest(interval[1] * scale))
        scaled = tuple((coordinate, int(weight * scale)) for coordinate, weight in known.items())
        return cls(scaled, simplest(threshold * scale), ends)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes of the coordinates, each once."""
        return tuple(dict.fromkeys(coordinate.attribute for coordinate, _ in self.weights))

    @property
    def name(self) -> str:
        """The condition of the first branch."""
        return self.step(0)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """`<= t` and `> t`; the conditions are on the sum."""
        return (Outcome("le", self.threshold), Outcome("gt", self.threshold))

    def branch(self, row: Row) -> int | None:
        """The branch a row takes; None if the value of any of the attributes is missing.

        Raises:
            InputError: the row lacks one of the attributes, or has a category where a number is meant.
        """
        cells = {name: cell_of(row, name) for name in self.attributes}
        if any(cell is None for cell in cells.values()):
            return None
        return self.branch_of(sum(self.part(name, cell) for name, cell in cells.items()))

    def part(self, attribute: str, cell: object) -> Rational:
        """The contribution of one attribute to the sum, given its value.

        Example:
            >>> test = Linear(((Coordinate("weight"), 3), (Coordinate("ear", "oval"), -2)), 20)
            >>> test.name, test.part("weight", 7), test.part("ear", "oval"), test.part("ear", "pointy")
            ('3*weight-2*[ear=oval]<=20', 21, -2, 0)
        """
        return sum(weight * c.of(cell) for c, weight in self.weights if c.attribute == attribute)


def _quoted(name: str) -> str:
    """A name as it is written in a sum: in quotes if it contains a sign of the sum, so different sums differ."""
    return name if re.fullmatch(r'[^-+*=\[\]"]+', name) else '"' + name.replace('"', '""') + '"'
