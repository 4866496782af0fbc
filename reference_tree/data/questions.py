"""Questions: the tests a node can ask, and the outcomes they have.

A test sends a row to one of its branches. It is a sequence of *outcomes*, one a branch, each a condition on the value
of an attribute, and a row takes the branch of the outcome that holds. Outcomes are data: they are compared, printed and
written to a tree document without being run.

- `Multiway`: one branch for each value of a categorical attribute.
- `Subset`: two branches, a set of values against the rest.
- `Threshold`: two branches of a continuous attribute, at most t against more (or less than t against at least).
- `Linear`: two branches of a weighted sum of attributes, at most t against more.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any, ClassVar, NamedTuple, TypeAlias

from reference_tree.data.columns import label
from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, decimal_text, exactly, rational, simplest

Row: TypeAlias = Mapping[str, str | Rational | None]
"""A row as it is asked: attribute → value; only the attributes that a question names are needed."""


@dataclass(frozen=True)
class Outcome:
    """A condition on one value: what stands on a branch.

    Args:
        relation: `is`, `in`, `not_in`, `le`, `gt`, `lt` or `ge`.
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
        "in": lambda found, values: found in values,
        "not_in": lambda found, values: found not in values,
        "le": operator.le,
        "gt": operator.gt,
        "lt": operator.lt,
        "ge": operator.ge,
    }
    _SIGN: ClassVar[dict[str, str]] = {
        "is": "=", "in": " in ", "not_in": " not in ", "le": "<=", "gt": ">", "lt": "<", "ge": ">=",
    }  # fmt: skip

    def holds(self, found: str | Rational) -> bool:
        """Whether a value meets the condition."""
        return self._HOLDS[self.relation](found, self.value)

    @property
    def written(self) -> str:
        """The value as text."""
        if self.relation in ("is", "in", "not_in"):
            return self.value if isinstance(self.value, str) else "{" + ", ".join(self.value) + "}"
        return decimal_text(self.value)

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


class Question:
    """What all tests share: their outcomes are conditions on one value, and exclude one another.

    The value is that of an `attribute`. A linear test makes a value of its own, from several; there `attribute` is the
    text of the sum, and `attributes` are the columns that a row must have.
    """

    kind: ClassVar[str]
    attribute: str

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the attributes that a row is asked for."""
        return (self.attribute,)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """One a branch, in branch order."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The test as it is written over a node: the attribute, for a test with a branch for each value."""
        return self.attribute

    def step(self, branch: int) -> str:
        """The condition of a branch as text."""
        return self.outcomes[branch].step(self.attribute)

    def branch(self, row: Row) -> int | None:
        """The branch a row takes; none if its value is missing.

        Raises:
            InputError: the row has no such attribute, its value is of another kind, or no outcome holds for it.
        """
        cell = _looked_up(row, self.attribute)
        if cell is None:
            return None
        found = self.value_of(cell)
        branch = self.branch_of(found)
        if branch is None:
            raise UnseenValueError(self.attribute, str(found))
        return branch

    def branch_of(self, found: str | Rational) -> int | None:
        """The branch whose outcome holds for a value; none if none does."""
        return next((branch for branch, outcome in enumerate(self.outcomes) if outcome.holds(found)), None)

    def value_of(self, cell: object) -> str | Rational:
        """What a cell means to this test: the name of a category, or an exact number, just as in a table."""
        return label(cell)


class UnseenValueError(InputError):
    """A value for which a test has no branch."""

    def __init__(self, attribute: str, found: str) -> None:
        super().__init__(f"the value {found!r} of {attribute} was not seen in training; --unseen majority answers")


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
    def on(cls, attribute: Attribute) -> Multiway:
        """The multiway test on an attribute's whole domain."""
        return cls(attribute.name, attribute.domain)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """`= v` for each value v."""
        return tuple(Outcome("is", value) for value in self.values)

    def branch_of(self, found: str | Rational) -> int | None:
        """The branch of a value, looked up: an ID column has a branch for each row."""
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


@dataclass(frozen=True)
class Threshold(Question):
    """A continuous attribute against a number.

    Args:
        attribute: its name.
        threshold: the number t.
        interval: where t may lie without any training row changing sides: [a, b) for `<=`, (a, b] for `<`.
        strict: ask `< t` instead of `<= t`.

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

    def value_of(self, cell: object) -> Rational:
        """The exact number in a cell.

        Raises:
            InputError: the cell holds none.
        """
        return _number(cell, self.name)


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
        return _number(cell, self.name) if self.value is None else int(label(cell) == self.value)


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
        cells = {name: _looked_up(row, name) for name in self.attributes}
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


Test: TypeAlias = Multiway | Subset | Threshold | Linear
"""Any question that a node can ask."""


# Paths. A node is named by the conditions that lead to it from the root: `/outlook=sunny/humidity<=75`.


def path_step(test: Test, branch: int) -> str:
    r"""The condition of a branch as it stands in a path, where `/`, `=` and `\` in names and values are escaped.

    Example:
        >>> print(path_step(Multiway("in/out", ("a=b", "c")), 0))
        in\/out=a\=b
    """
    outcome = test.outcomes[branch]
    return f"{_escape(test.attribute)}{outcome.sign}{_escape(outcome.written)}"


def parse_path(path: str) -> tuple[str, ...]:
    r"""The steps of a path, still escaped; each a condition or a branch number.

    Raises:
        InputError: the path does not begin with `/`, a step is empty, or a `\` escapes nothing.

    Example:
        >>> parse_path("/"), parse_path("/outlook=sunny/1"), parse_path(r"/in\/out=a")
        ((), ('outlook=sunny', '1'), ('in\\/out=a',))
    """
    if not path.startswith("/"):
        raise InputError(f"the path {path!r} does not begin with /; the root is /")
    steps: list[str] = re.findall(r"(?:\\.|[^\\/])+", path, re.DOTALL)
    if path != "/" + "/".join(steps):
        raise InputError(f"the path {path!r} has an empty step, or ends in the middle of one")
    return tuple(steps)


def _escape(text: str) -> str:
    return re.sub(r"[/=\\]", r"\\\g<0>", text)


def _looked_up(row: Row, attribute: str) -> str | Rational | None:
    if attribute not in row:
        raise InputError(f"the row has no value for {attribute}, which the tree asks for")
    return row[attribute]


def _number(cell: object, asked: str) -> Rational:
    """The exact number in a cell."""
    try:
        return rational(cell) if isinstance(cell, str) else exactly(cell)
    except (TypeError, ValueError) as error:
        raise InputError(f"{error}; the tree asks for {asked}") from None


def _sum_text(weights: tuple[tuple[Coordinate, int], ...]) -> str:
    """A weighted sum as text: `2*a-b+[ear=oval]`."""
    terms = ((weight, coordinate.name) for coordinate, weight in weights)
    signed = (("-" if weight < 0 else "+") + (f"{abs(weight)}*" if abs(weight) > 1 else "") + n for weight, n in terms)
    return "".join(signed).removeprefix("+")


def _quoted(name: str) -> str:
    """A name as it stands in a sum: in quotes if it has a sign of the sum in it, so that different sums differ."""
    return name if re.fullmatch(r'[^-+*=\[\]"]+', name) else '"' + name.replace('"', '""') + '"'
