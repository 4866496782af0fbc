"""Targets: what is counted in the columns of a sample partition.

A row of s_ij sums up some rows of the data. What it has to hold depends on what is predicted:

- `Classes`: the weight of each class.
- `Moments`: of a numeric target the weight w, and the weighted sums of y and of y². They give mean and variance.
- `Values`: of a numeric target the weight of each distinct value. It takes longer, and gives medians too.
- `Branches`: the weight of each answer to another question. A surrogate is judged by how well it foretells them.

Whatever it is, rows are tuples of exact numbers that add up over disjoint samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeAlias

from reference_tree.data.questions import Test
from reference_tree.exact.rationals import Rational, decimal_text

Row: TypeAlias = tuple[Rational, ...]


class Target(Protocol):
    """What the columns are."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names."""

    def weight(self, row: Row) -> Rational:
        """The weight of the rows of data that a row of the partition sums up."""

    def is_pure(self, row: Row) -> bool:
        """Whether they all have the same target; not, if there are none."""


class _Counted:
    """Targets whose columns are weights."""

    def weight(self, row: Row) -> Rational:
        """The sum of the cells."""
        return sum(row)

    def is_pure(self, row: Row) -> bool:
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


@dataclass(frozen=True)
class Values(_Counted):
    """The weight of each distinct number, ascending."""

    numbers: Sequence[Rational]

    @property
    def columns(self) -> tuple[str, ...]:
        """The numbers as text."""
        return tuple(map(decimal_text, self.numbers))


@dataclass(frozen=True)
class Branches(_Counted):
    """The weight of each answer to another question; rows that do not answer it are left out."""

    test: Test

    @property
    def columns(self) -> tuple[str, ...]:
        """The conditions on its branches."""
        return tuple(outcome.label for outcome in self.test.outcomes)


@dataclass(frozen=True)
class Moments:
    """The sums that mean and variance are made of.

    Example:
        >>> Moments().weight((3, 9, 41)), Moments().is_pure((3, 9, 41)), Moments().is_pure((3, 9, 27))
        (3, False, True)
    """

    columns: ClassVar[tuple[str, ...]] = ("w", "wy", "wyy")

    def weight(self, row: Row) -> Rational:
        """The first of them."""
        return row[0]

    def is_pure(self, row: Row) -> bool:
        """Whether w·Σy² = (Σy)², that is, whether the variance is 0."""
        w, wy, wyy = row
        return bool(w) and w * wyy == wy * wy
