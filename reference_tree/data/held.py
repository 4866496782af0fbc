"""Held numbers: the forms in which tables, trees and programs hold numbers, and how one form becomes another.

A file holds the decimal 0.1, a program a double, which is a little more than 0.1, or a float32, which is a little more
still. Where a value lies on a threshold, these differ in the answer. So the attributes of a tree and of a table record
the `Form` in which their numbers are held, and a value is converted to the form of the tree before it is compared with
a threshold. Everything after that is exact. The forms are:

- `written`: a float is the decimal by which it is written. All other numbers are their own values.
- `exact`: a float is its exact value. All other numbers are their own values.
- `double`: every number is the double nearest to it.
- `float32`: every number is the float32 nearest to the double nearest to it, as in programs.

Some programs know a category by its number alone, its *code*, and ask for the code of any number. Then the form is that
of a categorical attribute:

- `whole`: the double nearest to a number, cut off to a whole number: 0.7 and -0.5 are 0.
- `code`: the float32 nearest to a number, cut off likewise; negative numbers, and those from 2²⁴ up, have no code.

1. `held` converts a number to a form, `reread` a number that another form holds, and `cut_off` a number to a code.
2. `last_double` gives a threshold as a double, for code that compares doubles.
3. `written`, `rewritten` and `shortest` give floats as the decimals by which they are written.

The conversion to each form is monotone: of two doubles, the larger never becomes the smaller number.
"""

from __future__ import annotations

import math
import numbers
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from operator import le, lt
from typing import Any, Literal, TypeAlias, overload

from reference_tree.data.errors import InputError, shown
from reference_tree.exact.rationals import Rational, exactly, is_number, rational, simplest
from reference_tree.exact.rounding import nearest_single

Form: TypeAlias = Literal["written", "exact", "double", "float32", "whole", "code"]
"""How numbers are held."""

CODES: tuple[Form, ...] = ("whole", "code")
"""The forms in which numbers are categories."""

MOST_CODES = 1 << 24
"""The first number that a float32 cannot tell from the next; no category has a code from here up."""

BINARY: tuple[Form, ...] = ("double", "float32")
"""The forms in which every number is a float."""

Floats: TypeAlias = Literal["written", "exact"]
"""How a float is read: as the shortest decimal that names it, or as its exact value."""


def held(number: Any, form: Form) -> Any:
    """A number in the form in which it is held.

    Args:
        number: a number of Python or numpy, or the text of one. Anything else is returned unchanged.
        form: the form.

    Raises:
        InputError: the number is too large for the form.

    Example:
        >>> [held(0.5, form) for form in ("written", "exact", "double", "float32")]
        [Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)]
        >>> [held("0.1", form) > Fraction(1, 10) for form in ("exact", "double", "float32")]
        [False, True, True]
        >>> float(held("0.1", "float32"))
        0.10000000149011612
    """
    if form == "written":
        return rewritten(number)
    try:
        exact = rational(number) if isinstance(number, str) else exactly(number)
    except (TypeError, ValueError):
        return number
    return exact if form == "exact" else simplest(Fraction(nearest(exact, form)))


def cut_off(number: Rational, form: Form) -> int | None:
    """The code of the category that a program takes a number for; None if it has none.

    Args:
        number: the number.
        form: `whole` or `code`.

    Example:
        >>> [cut_off(Fraction(text), "whole") for text in ("0.7", "-0.5", "2.99999999", "-1")]
        [0, 0, 2, -1]
        >>> [cut_off(Fraction(text), "code") for text in ("0.7", "-0.5", "2.99999999", "1e8")]
        [0, None, 3, None]
    """
    try:
        double = nearest(number, "float32" if form == "code" else "double")
    except InputError:
        return None
    return None if form == "code" and not 0 <= double < MOST_CODES else int(double)


def nearest(number: Rational, form: Form) -> float:
    """The double nearest to a number, or if the form is `float32`, the float32 nearest to that.

    Raises:
        InputError: the number is too large for the form.

    Example:
        >>> nearest(Fraction(9, 10), "double"), nearest(Fraction(9, 10), "float32")
        (0.9, 0.8999999761581421)
    """
    try:
        double = number.numerator / number.denominator  # Python rounds a quotient of integers correctly
        return nearest_single(double) if form == "float32" else double
    except OverflowError:
        raise InputError(f"{shown(number)} is too large for a {form}") from None


def reread(number: Rational, was: Form, form: Form) -> Rational:
    """A number that one form holds, in another form.

    Example:
        >>> tenth = held("0.1", "float32")
        >>> reread(tenth, "float32", "written"), reread(tenth, "float32", "double") == tenth
        (Fraction(1, 10), True)
    """
    if form in BINARY:
        return simplest(Fraction(nearest(number, form)))
    if form == "exact" or was == "written":
        return number
    try:
        double = number.numerator / number.denominator
    except OverflowError:
        return number
    if Fraction(double) != number:
        return number  # no float held it
    return rational(shortest(double, "f") if was == "float32" else str(double))


def last_double(threshold: Rational, form: Form, *, strict: bool = False) -> float:
    """The largest double on the lower side of a threshold, if doubles are compared as a form holds them.

    A finite double x is held as `held(x, form)`, which is at most the threshold (if `strict`: below it) if and only if
    x is at most `last_double(threshold, form)`. So code that compares doubles gives the answers of the tree. The
    result is -inf if no double is on that side. A double that is too large for a float32 is above every threshold.

    Args:
        threshold: the threshold t.
        form: how the tree holds the numbers that it compares with t.
        strict: whether the lower side is `< t` instead of `<= t`.

    Example:
        >>> [last_double(Fraction("4.9"), form) for form in ("written", "exact")]  # the double 4.9 is above 4.9
        [4.9, 4.8999999999999995]
        >>> tenth = held("0.1", "float32")
        >>> last_double(tenth, "float32"), last_double(tenth, "float32", strict=True)
        (0.1000000052154064, 0.09999999776482582)
    """
    below = lt if strict else le
    if form in ("exact", *BINARY) and -LARGEST_SINGLE / 2 < threshold < LARGEST_SINGLE / 2:
        # Of the two neighbours of the threshold that the form has, its nearest one is the lower or the upper one.
        last = nearest(threshold, form)
        if form != "float32":
            return last if below(Fraction(last), threshold) else math.nextafter(last, -math.inf)
        single = last if below(Fraction(last), threshold) else -next_single(-last)
        # Doubles up to the middle of two float32 become the lower one; the middle itself the even one.
        middle = (single + next_single(single)) / 2
        return middle if nearest_single(middle) == single else math.nextafter(middle, -math.inf)

    def is_below(double: float) -> bool:
        try:
            return bool(below(held(double, form), threshold))
        except InputError:  # too large for the form
            return double < 0

    # Decimals have no steps, and beyond the largest numbers there are none: a few doubles are tried.
    found = _near(threshold, form, below)
    while math.isfinite(found) and not is_below(found):
        found = math.nextafter(found, -math.inf)
    while (above := math.nextafter(found, math.inf)) < math.inf and is_below(above):
        found = above
    return found


def _near(threshold: Rational, form: Form, below: Callable[[Any, Any], Any]) -> float:
    """A double that is at most a few steps from the largest one on the lower side of a threshold."""
    largest = sys.float_info.max if form != "float32" else LARGEST_SINGLE
    try:
        near = threshold.numerator / threshold.denominator
        if form != "float32":
            return near
        near = nearest_single(near)
    except OverflowError:
        near = largest if threshold > 0 else -largest
        if form != "float32":
            return near
    if not below(near, threshold):
        near = -next_single(-near)
    return (near + next_single(near)) / 2  # below the middle of two adjacent float32, doubles become the lower one


LARGEST_SINGLE = 2.0**128 - 2.0**104
"""The largest float32."""


def next_single(single: float) -> float:
    """The float32 after another one; 2¹²⁸, which is too large for one, after the largest.

    Example:
        >>> next_single(1.0), next_single(0.0) == 2.0**-149
        (1.0000001192092896, True)
    """
    if single >= LARGEST_SINGLE:
        return 2.0**128
    if single < -LARGEST_SINGLE:
        return -LARGEST_SINGLE
    (bits,) = struct.unpack("<i", struct.pack("<f", single + 0.0))  # -0 becomes 0
    return float(struct.unpack("<f", struct.pack("<i", bits + 1 if single >= 0 else bits - 1))[0])


# Floats as the decimals by which they are written.


class FiniteFloats(list[float]):
    """Finite floats, none of which is missing: they need no further check."""


class WrittenFloats(Sequence[str]):
    """The decimals by which floats are written: a list of these texts, each written when it is read.

    Args:
        floats: finite floats.

    Example:
        >>> WrittenFloats([0.1, 3.0])[0], list(WrittenFloats([0.1, 3.0]))
        ('0.1', ['0.1', '3.0'])
    """

    __slots__ = ("floats",)

    def __init__(self, floats: list[float]) -> None:
        self.floats = floats

    def __len__(self) -> int:
        return len(self.floats)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        found = self.floats[place]
        return list(map(repr, found)) if isinstance(found, list) else repr(found)

    def __iter__(self) -> Iterator[str]:
        return map(repr, self.floats)

    def count(self, value: object) -> int:
        """How many of the texts equal a value."""
        return list(self).count(value) if isinstance(value, str) else 0


def written(cells: Sequence[Any], dtype: object = None) -> Sequence[Any]:
    """Floats as the decimals by which they are written; a column with other texts than numbers stays as it is.

    Args:
        cells: the cells of a column.
        dtype: the type that the column declares: single precision needs fewer digits.

    Example:
        >>> written([0.1, None, 3]), written([0.1, "x"])
        (['0.1', None, 3], [0.1, 'x'])
    """
    form = precision(dtype)
    if isinstance(cells, FiniteFloats) and form is None:
        return WrittenFloats(cells)
    kinds = set(map(type, cells))
    floats = {kind for kind in kinds if is_float(kind)}
    if not floats or (str in kinds and not all(is_number(cell) for cell in cells if isinstance(cell, str))):
        return cells
    write = str if form is None else partial(shortest, form=form)
    return [write(cell) if type(cell) in floats else cell for cell in cells]


def rewritten(cell: Any) -> Any:
    """A float as the decimal by which it is written; anything else unchanged.

    Example:
        >>> rewritten(0.1), rewritten(7), rewritten("0.1")
        (Fraction(1, 10), 7, '0.1')
    """
    if is_float(type(cell)) and math.isfinite(cell):
        return rational(str(cell))  # numbers of single precision have a short text, too
    return cell


def precision(dtype: object) -> str | None:
    """The name in `struct` of a type of less than double precision; None for any other type.

    Example:
        >>> precision("float32"), precision("Float32"), precision("float64")
        ('f', 'f', None)
    """
    return {"float32": "f", "float16": "e"}.get(str(dtype).lower())


def shortest(number: float, form: str) -> str:
    """The shortest decimal that is nearer to this number than to any other of its precision.

    Args:
        number: the number to write.
        form: the precision, as `struct` names it: single `f`, half `e`.

    Example:
        >>> shortest(0.10000000149011612, "f"), shortest(16777216.0, "f"), shortest(float("inf"), "f")
        ('0.1', '16777216', 'inf')
    """
    written = (f"{number:.{digits}g}" for digits in range(1, 9))
    return next((text for text in written if _packed(float(text), form) == _packed(number, form)), f"{number:.9g}")


def held_as(number: float, dtype: object) -> set[float | str]:
    """The cells that may stand for a number in a column: the number, its text, and both in the precision of its type.

    Example:
        >>> held_as(0.1, "float32") == {0.1, "0.1", 0.10000000149011612}
        True
    """
    found: set[float | str] = {number, str(number), str(float(number))}
    if form := precision(dtype):
        packed = _packed(float(number), form)
        found |= {shortest(float(number), form), *(struct.unpack(form, packed) if packed else ())}
    return found


def _packed(number: float, form: str) -> bytes | None:
    try:
        return struct.pack(form, number)
    except OverflowError:  # a decimal a little above the largest
        return None


def are_finite(floats: Sequence[float]) -> bool:
    """Whether floats are all finite; they are if their sum is, for neither NaN nor an infinity is ever lost in a sum.

    Example:
        >>> are_finite([0.5, 1e308, 1e308]), are_finite([0.5, math.nan])
        (True, False)
    """
    return math.isfinite(sum(floats)) or all(map(math.isfinite, floats))


def is_float(kind: type) -> bool:
    """Whether numbers of a type have a binary value that differs from the written one: floats of any precision.

    Example:
        >>> from decimal import Decimal
        >>> is_float(float), is_float(int), is_float(Decimal), is_float(str)
        (True, False, False, False)
    """
    return issubclass(kind, numbers.Real) and not issubclass(kind, numbers.Rational)
