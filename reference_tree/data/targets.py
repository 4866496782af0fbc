"""Targets: what is counted in the columns of a sample partition.

A row of s_ij sums up some rows of the data. What it has to hold depends on what is predicted:

- `Classes`: the weight of each class.
- `Moments`: of a numeric target the weight w, and the weighted sums of y and of y². They give mean and variance.
- `Values`: of a numeric target the weight of each distinct value. It takes longer, and gives medians too.
- `Branches`: the weight of each answer to another question. A surrogate is judged by how well it foretells them.
- `Gradients`: the weight, and the weighted sums of the first and second derivatives of a loss, which boosting fits.

In each case the rows of s_ij are tuples of exact numbers that add up over disjoint samples.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias

from reference_tree.data.questions import Row, Test, UnseenValueError
from reference_tree.data.schema import Schema
from reference_tree.exact.intervals import Interval
from reference_tree.exact.rationals import Rational, decimal_text, simplest
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import START_BITS

Counts: TypeAlias = tuple[Rational, ...]
"""One row of s_ij, exact and additive: the weight of each class, or what else the target counts."""


def plus(one: Counts, other: Counts) -> Counts:
    """Two rows added, cell by cell.

    Example:
        >>> plus((1, 2), (0, 3))
        (1, 5)
    """
    return tuple(_simplest(a + b) for a, b in zip(one, other, strict=True))


def minus(whole: Counts, part: Counts) -> Counts:
    """A row without a part of it, cell by cell.

    Example:
        >>> minus((1, 5), (0, 3))
        (1, 2)
    """
    return tuple(_simplest(a - b) for a, b in zip(whole, part, strict=True))


def added(rows: Iterable[Counts]) -> Counts:
    """The sum of some rows; of none, the empty row.

    Example:
        >>> added([(1, 2), (0, 3), (4, 0)])
        (5, 5)
    """
    return tuple(_simplest(sum(column)) for column in zip(*rows, strict=True))


def _simplest(number: Rational) -> Rational:
    # A subclass of Fraction may be too long to be asked for its denominator.
    return simplest(number) if type(number) is Fraction else number


class Target(Protocol):
    """What the columns are."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names."""

    def counted(self, row: Row, name: str, weight: Rational) -> Counts | None:
        """What one row of the data counts as; none if there is nothing to count.

        Args:
            row: attribute → value.
            name: of the column that is predicted.
            weight: of the row.
        """

    def weight(self, row: Counts) -> Rational:
        """The weight of the rows of data that a row of the partition sums up."""

    def is_pure(self, row: Counts) -> bool:
        """Whether they all have the same target; False if there are none."""


class _Counted:
    """Targets whose columns are weights: each row of the data stands in one of them."""

    columns: tuple[str, ...]

    def column(self, row: Row, name: str) -> int | None:
        """The column in which a row of the data stands."""
        raise NotImplementedError

    def counted(self, row: Row, name: str, weight: Rational) -> Counts | None:
        """The weight of the row in its column, and 0 in the others."""
        column = self.column(row, name)
        return None if column is None else tuple(weight if j == column else 0 for j in range(len(self.columns)))

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

    @cached_property
    def _places(self) -> Mapping[Any, int]:
        return {label: place for place, label in enumerate(self.columns)}

    def column(self, row: Row, name: str) -> int | None:
        """That of the row's class."""
        return self._places.get(row[name])


@dataclass(frozen=True)
class Values(_Counted):
    """The weight of each distinct number, ascending."""

    numbers: Sequence[Rational]

    @cached_property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The numbers as text."""
        return tuple(map(decimal_text, self.numbers))

    @cached_property
    def _places(self) -> Mapping[Any, int]:
        return {number: place for place, number in enumerate(self.numbers)}

    def column(self, row: Row, name: str) -> int | None:
        """That of the row's number."""
        return self._places.get(row[name])


@dataclass(frozen=True)
class Branches(_Counted):
    """The weight of each answer to another question; rows that do not answer it are left out."""

    test: Test

    @cached_property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The conditions on its branches."""
        return tuple(outcome.label for outcome in self.test.outcomes)

    def column(self, row: Row, name: str) -> int | None:
        """That of the branch the row takes."""
        try:
            return self.test.branch(row)
        except UnseenValueError:
            return None


@dataclass(frozen=True)
class Moments:
    """The sums that mean and variance are made of.

    Example:
        >>> Moments().weight((3, 9, 41)), Moments().is_pure((3, 9, 41)), Moments().is_pure((3, 9, 27))
        (3, False, True)
    """

    columns: ClassVar[tuple[str, ...]] = ("w", "wy", "wyy")

    def counted(self, row: Row, name: str, weight: Rational) -> Counts | None:
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


class Term(NamedTuple):
    """What the derivatives of a row are made of: g = a + b·p and h = c·p(1 - p); or g = a and h = c, without a p."""

    constant: Rational
    """a."""
    coefficient: Rational
    """b."""
    h: Rational
    """c."""
    symbol: Hashable = None
    """Which number p is; none: there is none."""

    def at(self, p: Number) -> tuple[Number, Number]:
        """Both derivatives, from the value of p."""
        if self.symbol is None:
            return self.constant, self.h
        return self.constant + self.coefficient * p, self.h * p * (1 - p)


@dataclass(frozen=True, eq=False)
class Gradients:
    r"""The sums that boosting chooses questions by: n, G = Σ g_i and H = Σ h_i.

    g_i and h_i are the first and second derivative of the loss of a row at what the ensemble predicts for it so far.
    Rows of one class have the same: the classes are the *cases* of a round.

    Where derivatives are irrational they are cut to a number of bits, each too small by at most `off`. The sums over
    rows of weight n are then too small by at most n·off: the rows of a partition stay exact and additive, and say by
    themselves how narrowly they enclose.

    Args:
        terms: class → what its derivatives are made of.
        value: gives what a symbol stands for, enclosed to a number of bits; none: there are no symbols.
        bits: the number of bits.

    Example:
        >>> target = Gradients({"low": Term(-1, 0, 1), "high": Term(2, 0, 1)})
        >>> target.counted({"y": "high"}, "y", 3)
        (3, 6, 3)

    Source:
        [ChenGuestrin2016 §2.2 eq. (3)]
    """

    columns: ClassVar[tuple[str, ...]] = ("n", "g", "h")

    terms: Mapping[Any, Term]
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
        """Class → g_i, from below."""
        return {case: g.low for case, (g, _) in self._enclosed.items()}

    @cached_property
    def h(self) -> Mapping[Any, Rational]:
        """Class → h_i, from below."""
        return {case: h.low for case, (_, h) in self._enclosed.items()}

    @cached_property
    def off(self) -> Rational:
        """By how much a derivative may be too small; 0: they are exact."""
        if self.value is None or all(term.symbol is None for term in self.terms.values()):
            return 0
        return max(end.high - end.low for pair in self._enclosed.values() for end in pair)

    def counted(self, row: Row, name: str, weight: Rational) -> Counts | None:
        """w, w·g and w·h."""
        case = row[name]
        return weight, weight * self.g[case], weight * self.h[case]

    def at(self, bits: int) -> Gradients:
        """The same cut to so many bits, or more."""
        return self if bits <= self.bits or not self.off else Gradients(self.terms, self.value, bits)

    def enclosed(self, row: Counts) -> tuple[Rational, Interval, Interval]:
        """A row of the partition as what is known of it: n, and two intervals."""
        n, g, h = row
        return n, Interval(g, g + n * self.off), Interval(h, h + n * self.off)

    def weight(self, row: Counts) -> Rational:
        """The first of them."""
        return row[0]

    def is_pure(self, row: Counts) -> bool:
        """Never: rows of equal derivatives have no question that gains anything, and need no rule."""
        return False


def target_of(schema: Schema) -> Target:
    """What is counted unless something else is asked for: the classes, or the moments of a numeric target."""
    return Moments() if schema.target.values is None else Classes(schema.target.values)
