"""Treatment: the changes that a model makes to a value before a test.

A model of another program may state, for an attribute, how values are treated that are no plain ones. In this order:

1. A value that *stands for a missing one*, as -999 may, is missing.
2. An *invalid* value, which is not among the valid ones, is refused, missing, replaced, or kept.
3. An *outlier*, a valid number outside of [low, high], is missing, or becomes the nearest bound.
4. A *missing* value is refused, or replaced.

A replacement is not treated again. A row with a value that is refused has no prediction, whether a test needs
for the value or not.

A treatment belongs to an attribute, as the form of its numbers does (`reference_tree.data.held`). So a row alone, a
table and a frame are treated where they are read (`reference_tree.data.asked`), and all that follows sees the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, shown
from reference_tree.data.held import Form, held
from reference_tree.exact.rationals import Rational, decimal_text

Value: TypeAlias = str | Rational
"""The name of a category, or a number."""
Invalid: TypeAlias = Literal["error", "missing", "value", "keep"]
"""The rule for invalid values: refused, missing, replaced by a value, or kept as they are, and no outliers."""


class ValueRange(NamedTuple):
    """Valid numbers, between two bounds; None for a side without a bound.

    Example:
        >>> ValueRange(0, 10, above=False).holds(0), ValueRange(0, 10).holds(0), ValueRange(0).holds(11)
        (True, False, True)
    """

    low: Rational | None = None
    high: Rational | None = None
    above: bool = True
    """Whether the low bound itself is no part of it."""
    below: bool = True
    """Whether the high bound itself is no part of it."""

    def holds(self, number: Rational) -> bool:
        """Whether a number lies in it."""
        is_low = self.low is not None and (number < self.low or (self.above and number == self.low))
        is_high = self.high is not None and (number > self.high or (self.below and number == self.high))
        return not is_low and not is_high


class Outliers(NamedTuple):
    """The bounds of the numbers that are no outliers, and the rule for the others."""

    low: Rational | None
    high: Rational | None
    missing: bool
    """Whether an outlier is missing; otherwise it becomes the nearest bound."""

    def treated(self, number: Rational) -> Rational | None:
        """A number, or its replacement.

        Example:
            >>> Outliers(10, 90, missing=False).treated(-3), Outliers(10, 90, missing=True).treated(91)
            (10, None)
        """
        if self.low is not None and number < self.low:
            return None if self.missing else self.low
        if self.high is not None and number > self.high:
            return None if self.missing else self.high
        return number


@dataclass(frozen=True)
class Treatment:
    """The treatment of the values of one attribute.

    Args:
        absent: the values that stand for a missing one.
        outliers: the bounds beyond which a number is an outlier.
        valid: the valid values; together with the intervals. If there are neither, all values are valid.
        intervals: the intervals of valid numbers.
        not_valid: values that are invalid by name.
        invalid: the rule for invalid values.
        instead: the value that replaces an invalid one, if that is the rule.
        whole: whether a number that is no whole one is invalid.
        missing: the value that replaces a missing one; None if none does.
        required: whether a missing value is refused.
        form: the form in which numbers are compared here; None for that of the attribute.

    Example:
        >>> treatment = Treatment(absent=(-999,), outliers=Outliers(0, 120, missing=False), missing=30)
        >>> [treatment.treated(age, "age") for age in (-999, None, -3, 50)]
        [30, 30, 0, 50]
        >>> Treatment(valid=("male", "female")).treated("other", "sex")
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: the value 'other' of sex is invalid for this model, which knows ...
    """

    absent: tuple[Value, ...] = ()
    outliers: Outliers | None = None
    valid: tuple[Value, ...] = ()
    intervals: tuple[ValueRange, ...] = ()
    not_valid: tuple[Value, ...] = ()
    invalid: Invalid = "error"
    instead: Value | None = None
    whole: bool = False
    missing: Value | None = None
    required: bool = False
    form: Form | None = None

    def treated(self, value: Value | None, name: str, form: Form = "written") -> Value | None:
        """A value, or its replacement; None for a missing one.

        Args:
            value: the value.
            name: the name of the attribute.
            form: how the attribute holds numbers.

        Raises:
            InputError: the value is refused.
        """
        found = self._known(value, name, form)
        if found is not None:
            return found
        if self.required:
            raise InputError(f"the value of {name} is missing, which this model calls invalid")
        return self.missing

    def _known(self, value: Value | None, name: str, form: Form) -> Value | None:
        """The value if it is known and valid, or its replacement; None if it is missing."""
        compared = value if value is None or isinstance(value, str) else held(value, self.form or form)
        if compared is None or compared in self._absent:
            return None
        if not self._is_valid(compared):
            return self._instead_of(value, name)
        if self.outliers is None or isinstance(compared, str):
            return value
        found = self.outliers.treated(compared)
        return value if found == compared else found

    def _instead_of(self, value: Value | None, name: str) -> Value | None:
        """The replacement of an invalid value."""
        if self.invalid == "error":
            raise InputError(f"the value {shown(_text(value))} of {name} is invalid for this model, {self._valid_ones}")
        return {"missing": None, "value": self.instead, "keep": value}[self.invalid]

    def _is_valid(self, value: Value) -> bool:
        if value in self.not_valid or (self.whole and not isinstance(value, str) and value.denominator != 1):
            return False
        if not self.valid and not self.intervals:
            return True
        return value in self._valid or (not isinstance(value, str) and any(one.holds(value) for one in self.intervals))

    @property
    def _valid_ones(self) -> str:
        if self.valid and not self.intervals:
            return f"which knows {', '.join(map(_text, self.valid[:10]))}"
        return "which states the valid ones"

    @cached_property
    def _absent(self) -> frozenset[Value]:
        return frozenset(self.absent)

    @cached_property
    def _valid(self) -> frozenset[Value]:
        return frozenset(self.valid)


def _text(value: Value | None) -> str:
    return value if isinstance(value, str) else decimal_text(Fraction(value or 0))


def treated_cells(cells: Sequence[Value | None], treatment: Treatment, name: str, form: Form) -> Sequence[Value | None]:
    """The cells of a column, each different value treated once.

    Example:
        >>> treated_cells(["a", None], Treatment(missing="b"), "x", "written")
        ['a', 'b']
    """
    known: dict[Value | None, Value | None] = {}
    for cell in cells:
        if cell not in known:
            known[cell] = treatment.treated(cell, name, form)
    return [known[cell] for cell in cells]
