"""Targets: the columns of a sample partition, and how rows are counted in them.

A row of s_ij sums up some rows of the data. Its columns depend on what is predicted:

- `Classes`: the weight of each class.
- `Moments`: for a numeric target the weight w, and the weighted sums of y and of y². They give mean and variance.
- `Values`: for a numeric target the weight of each distinct value. It takes longer, and gives medians too.
- `Branches`: the weight of each outcome of another test. A surrogate is judged by how well it predicts them.
- `Gradients`: the weight, and the weighted sums of the first and second derivatives of a loss, for boosting.

In each case the rows of s_ij are tuples of exact numbers that add up over disjoint samples.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias

from reference_tree.data.questions import Row, Test, UnseenValueError
from reference_tree.data.schema import Attribute, Schema
from reference_tree.exact.intervals import Interval
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.reals import Number, simplified
from reference_tree.exact.rounding import START_BITS

Counts: TypeAlias = tuple[Rational, ...]
"""One row of s_ij, exact and additive: the weight of each class, or the other columns of the target."""


def plus(one: Counts, other: Counts) -> Counts:
    """The sum of two rows, cell by cell.

    Example:
        >>> plus((1, 2), (0, 3))
        (1, 5)
    """
    return tuple(simplified(a + b) for a, b in zip(one, other, strict=True))


def minus(whole: Counts, part: Counts) -> Counts:
    """The difference of a row and a part of it, cell by cell.

    Example:
        >>> minus((1, 5), (0, 3))
        (1, 2)
    """
    return tuple(simplified(a - b) for a, b in zip(whole, part, strict=True))


def added(rows: Iterable[Counts]) -> Counts:
    """The sum of some rows; the empty row if there are none.

    Example:
        >>> added([(1, 2), (0, 3), (4, 0)])
        (5, 5)
    """
    return tuple(simplified(sum(column)) for column in zip(*rows, strict=True))


def most_common(target: Attribute, counts: Counts) -> list[str]:
    r"""The classes of largest weight: the majority class, and those tied with it.

    $$\operatorname*{arg\,max}_{j} |C_j|$$

    Args:
        target: the classes.
        counts: |C_1|, ..., |C_K|.

    Returns:
        At least one, in class order.

    Example:
        >>> most_common(Attribute("y", ("a", "b", "c")), (5, 3, 5))
        ['a', 'c']

    Source:
        [Breiman1984 §2.4]
    """
    largest = max(counts)
    return [label for label, count in zip(target.domain, counts, strict=True) if count == largest]


class Target(Protocol):
    """The columns of a sample partition."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""

    def counted(self, row: Row, name: str, weight: Rational) -> Counts:
        """The counts of one row of the data; all are 0 if it has no value to count.

        Args:
            row: attribute → value.
            name: the name of the column that is predicted.
            weight: the weight of the row.
        """

    def weight(self, row: Counts) -> Rational:
        """The weight of the rows of data that a row of the partition sums up."""

    def is_pure(self, row: Counts) -> bool:
        """Whether all rows of data that it sums up have the same target; False if there are none."""


class _Counted:
    """The base of targets whose columns are weights: each row of the data is counted in one column."""

    columns: tuple[str, ...]

    def weight(self, row: Counts) -> Rational:
        """The sum of the cells."""
        return sum(row)

    def is_pure(self, row: Counts) -> bool:
        """Whether all weight is in one cell."""
        return len(row) - row.count(0) == 1


@dataclass(frozen=True)
class Classes(_Counted):
    """The weight of each class.

    Example:
        >>> Classes(("no", "yes")).weight((5, 9)), Classes(("no", "yes")).is_pure((0, 4))
        (14, True)
    """

    columns: tuple[str, ...]

    def counted(self, row: Row, name: str, weight: Rational) -> Counts:
        """The weight of the row at its class, and 0 at the others."""
        return tuple(weight if label == row[name] else 0 for label in self.columns)


@dataclass(frozen=True)
class Values(_Counted):
    """The weight of each distinct number, ascending."""

    numbers: Sequence[Rational]

    @cached_property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The numbers as text."""
        return tuple(map(decimal_text, self.numbers))

    def counted(self, row: Row, name: str, weight: Rational) -> Counts:
        """The weight of the row at its number, and 0 at the others."""
        return tuple(weight if number == row[name] else 0 for number in self.numbers)


@dataclass(frozen=True)
class Branches(_Counted):
    """The weight of each outcome of another test; rows without an outcome are left out."""

    test: Test

    @cached_property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The conditions of the branches."""
        return tuple(outcome.label for outcome in self.test.outcomes)

    def counted(self, row: Row, name: str, weight: Rational) -> Counts:
        """The weight of the row at the branch that it takes, and 0 at the others."""
        try:
            taken = self.test.branch(row)
        except UnseenValueError:
            taken = None
        return tuple(weight if branch == taken else 0 for branch in range(len(self.columns)))


@dataclass(frozen=True)
class Moments:
    """The sums from which mean and variance are computed.

    Example:
        >>> Moments().weight((3, 9, 41)), Moments().is_pure((3, 9, 41)), Moments().is_pure((3, 9, 27))
        (3, False, True)
    """

    columns: ClassVar[tuple[str, ...]] = ("w", "wy", "wyy")

    def counted(self, row: Row, name: str, weight: Rational) -> Counts:
        """w, w·y and w·y²."""
        y: Any = row[name]
        return weight, weight * y, weight * y * y

    def weight(self, row: Counts) -> Rational:
        """The first of them."""
        return row[0]

    def is_pure(self, row: Counts) -> bool:
        """Whether w·Σy² = (Σy)², that is, whether the variance is 0."""
        w, wy, wyy = row
        return bool(w) and w * wyy == wy * wy


class DerivativeTerm(NamedTuple):
    """The terms of a row's derivatives: g = a + b·p and h = c·p(1 - p), or without a p, g = a and h = c."""

    constant: Rational
    """a."""
    coefficient: Rational
    """b."""
    h: Rational
    """c."""
    symbol: Hashable = None
    """A key that identifies the number p; None if there is no p."""

    def at(self, p: Number) -> tuple[Number, Number]:
        """Both derivatives, from the value of p."""
        if self.symbol is None:
            return self.constant, self.h
        return self.constant + self.coefficient * p, self.h * p * (1 - p)


@dataclass(frozen=True, eq=False)
class Gradients:
    r"""The sums by which boosting chooses tests: n, G = Σ g_i and H = Σ h_i.

    g_i and h_i are the first and second derivative of the loss of a row at the prediction of the ensemble so far. Rows
    of one class have the same derivatives: the classes are the *cases* of a round.

    Irrational derivatives are rounded down to a number of bits, each too small by at most `off`. The sums over rows of
    weight n are then too small by at most n·off: the rows of a partition stay exact and additive, and each determines
    the width of its own enclosure.

    Args:
        terms: class → the terms of its derivatives.
        value: gives the number of a symbol, enclosed to a number of bits; None if there are no symbols.
        bits: the number of bits.

    Example:
        >>> target = Gradients({"low": DerivativeTerm(-1, 0, 1), "high": DerivativeTerm(2, 0, 1)})
        >>> target.counted({"y": "high"}, "y", 3)
        (3, 6, 3)

    Source:
        [ChenGuestrin2016 §2.2 eq. (3)]
    """

    columns: ClassVar[tuple[str, ...]] = ("n", "g", "h")

    terms: Mapping[Any, DerivativeTerm]
    value: Callable[[Any, int], Interval] | None = None
    bits: int = START_BITS

    @cached_property
    def _enclosed(self) -> Mapping[Any, tuple[Interval, Interval]]:
        found = {}
        for case, term in self.terms.items():
            known = term.symbol is None or self.value is None
            g, h = term.at(None if known else self.value(term.symbol, self.bits))  # type: ignore[misc]
            found[case] = (Interval(g, g), Interval(h, h)) if known else (g, h)
        return found

    @cached_property
    def g(self) -> Mapping[Any, Rational]:
        """Class → lower bound of g_i."""
        return {case: g.low for case, (g, _) in self._enclosed.items()}

    @cached_property
    def h(self) -> Mapping[Any, Rational]:
        """Class → lower bound of h_i."""
        return {case: h.low for case, (_, h) in self._enclosed.items()}

    @cached_property
    def off(self) -> Rational:
        """The most by which a derivative may be too small; 0 if all are exact."""
        if self.value is None or all(term.symbol is None for term in self.terms.values()):
            return 0
        return max(end.high - end.low for pair in self._enclosed.values() for end in pair)

    def counted(self, row: Row, name: str, weight: Rational) -> Counts:
        """w, w·g and w·h."""
        case = row[name]
        return weight, weight * self.g[case], weight * self.h[case]

    def at(self, bits: int) -> Gradients:
        """The derivatives rounded down to this many bits, or more."""
        return self if bits <= self.bits or not self.off else Gradients(self.terms, self.value, bits)

    def enclosed(self, row: Counts) -> tuple[Rational, Interval, Interval]:
        """A row of the partition as n and the enclosures of G and H."""
        n, g, h = row
        return n, Interval(g, g + n * self.off), Interval(h, h + n * self.off)

    def weight(self, row: Counts) -> Rational:
        """The first of them."""
        return row[0]

    def is_pure(self, row: Counts) -> bool:
        """Always False: among rows of equal derivatives no test has a gain above 0, so no rule is needed."""
        return False


def target_of(schema: Schema) -> Target:
    """The default target of a table: its classes, or the moments of a numeric target."""
    return Moments() if schema.target.values is None else Classes(schema.target.values)
