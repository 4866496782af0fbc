"""Linear tests: a weighted sum of attributes against a number.

1. `Coordinate` is what is summed up: a continuous attribute, or whether a categorical one has a certain value.
2. `Linear` is the test. Its weights have one form only, so that equal tests are equal text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import ClassVar, NamedTuple, TypeAlias

from reference_tree.data.columns import label
from reference_tree.data.errors import InputError
from reference_tree.data.outcomes import Outcome, Question, Row, cell_of, number_in
from reference_tree.exact.rationals import Rational, simplest


class Coordinate(NamedTuple):
    """A number that a row has, by which it is a point: a continuous attribute, or whether a category is a certain one.

    A categorical attribute of k values has k coordinates, of which one is 1 and the others are 0 (one-hot encoding).

    Example:
        >>> Coordinate("weight").of("7.5"), Coordinate("ear", "pointy").of("pointy"), Coordinate("ear", "oval").of("?")
        (Fraction(15, 2), 1, 0)
        >>> Coordinate("weight").name, Coordinate("ear", "pointy").name
        ('weight', '[ear=pointy]')
    """

    attribute: str
    """The name of the attribute."""
    value: str | None = None
    """The category that counts as 1; none for a continuous attribute."""

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
class Linear(Question):
    r"""A weighted sum of attributes against a number: a node of a multivariate tree.

    $$\sum_i w_i a_i(x) \leq t$$

    Equal tests have equal text, for the weights have one form: they are coprime integers, none is 0, and the first is
    positive. Any inequality can be written so (`of`), unless it has to be turned round.

    Args:
        weights: the coordinates, each with its weight w_i; those of attributes in table order, then in the order of
            values.
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
        object.__setattr__(self, "attribute", _sum_text(self.weights))

    @classmethod
    def of(
        cls, weights: Mapping[Coordinate, Rational], threshold: Rational, interval: Interval | None = None
    ) -> Linear:
        """The test with these weights, scaled to coprime integers; those that are 0 are left out.

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
        """The branch a row takes; none if the value of any of the attributes is missing.

        Raises:
            InputError: the row lacks one of the attributes, or has a category where a number is meant.
        """
        cells = {name: cell_of(row, name) for name in self.attributes}
        if any(cell is None for cell in cells.values()):
            return None
        return self.branch_of(sum(self.part(name, cell) for name, cell in cells.items()))

    def part(self, attribute: str, cell: object) -> Rational:
        """What one attribute contributes to the sum, by its value.

        Example:
            >>> test = Linear(((Coordinate("weight"), 3), (Coordinate("ear", "oval"), -2)), 20)
            >>> test.name, test.part("weight", 7), test.part("ear", "oval"), test.part("ear", "pointy")
            ('3*weight-2*[ear=oval]<=20', 21, -2, 0)
        """
        return sum(weight * c.of(cell) for c, weight in self.weights if c.attribute == attribute)


def _sum_text(weights: tuple[tuple[Coordinate, int], ...]) -> str:
    """A weighted sum as text: `2*a-b+[ear=oval]`."""
    terms = ((weight, coordinate.name) for coordinate, weight in weights)
    signed = (("-" if weight < 0 else "+") + (f"{abs(weight)}*" if abs(weight) > 1 else "") + n for weight, n in terms)
    return "".join(signed).removeprefix("+")


def _quoted(name: str) -> str:
    """A name as it stands in a sum: in quotes if it has a sign of the sum in it, so that different sums differ."""
    return name if re.fullmatch(r'[^-+*=\[\]"]+', name) else '"' + name.replace('"', '""') + '"'
