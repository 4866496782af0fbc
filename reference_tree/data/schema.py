"""The schema: the names of the columns of a table, and their possible values.

An attribute is categorical, with a finite domain of values in a fixed order, or continuous, with exact numbers. In
memory a categorical cell is the *code* of its value (its place in the domain), and a continuous cell is the *rank* of
its number among the distinct numbers of the column: both are small integers that are fast to count and compare.

A table of a million cells has to fit in memory, so categories and numbers are not objects of their own there.
`SortedNumbers` holds the different numbers of a column in an array; `Cells` holds the codes or ranks of the rows in
another. Both make exact numbers on demand, and compare as the tuple or the list would.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import eq
from typing import Any, Literal, TypeAlias, overload

from reference_tree.data.errors import InputError, no_such
from reference_tree.data.held import CODES, Form, cut_off
from reference_tree.data.spellings import Texts
from reference_tree.data.treatment import Treatment
from reference_tree.exact.rationals import Rational, decimals, exactly, rational, simplest

Codes: TypeAlias = Sequence[int | None]
Numbers: TypeAlias = Sequence[Rational | None]
Multiple: TypeAlias = Rational | float

Kind = Literal["categorical", "continuous"]

_NOTHING: Mapping[str, object] = {}
"""The declaration of categories for most attributes; a table may have a million."""


@dataclass(frozen=True)
class Attribute:
    """A column: its name, and its domain.

    Args:
        name: the name of the column.
        values: the domain of a categorical attribute, in order; None for a continuous one.
        given: for categories that were no texts in Python: name → the object that was handed over.
        held: the form in which the numbers of an attribute are held; a value is converted to it before a tree compares
            the value (`reference_tree.data.held`). That of a categorical attribute is one of codes, or `written`.
        texts: how texts that are no numbers are numbers of a continuous attribute (`reference_tree.data.spellings`).
        treatment: the treatment of a value by a model before a test sees it; None if nothing; of a table's column what
            was done (`reference_tree.data.treatment`).

    Example:
        >>> Attribute("outlook", ("overcast", "rainy", "sunny")).kind, Attribute("humidity").kind
        ('categorical', 'continuous')

    Source:
        [N2 §2.1 step 2]
    """

    name: str
    values: tuple[str, ...] | None = None
    given: Mapping[str, object] = field(default_factory=lambda: _NOTHING, compare=False, repr=False)
    held: Form = field(default="written", compare=False, repr=False)
    texts: Texts = field(default="", compare=False, repr=False)
    treatment: Treatment | None = field(default=None, compare=False, repr=False)

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
            >>> Attribute("code", ("0", "1"), held="whole").category(0.7)  # as LightGBM reads it
            '0'
        """
        name = value if isinstance(value, str) else str(value)
        if name in self._names:
            return name
        number = _number(value)
        if self.held in CODES and number is not None:
            code = cut_off(number, self.held)
            return name if code is None else str(code)
        return self._by_number.get(number, name)

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


# The cells of a column.

_SHOWN = 20
"""The most numbers or cells of a column that its text form shows."""


class SortedNumbers(Sequence[Rational]):
    """Different exact numbers, ascending: a tuple of them in a tenth of its memory.

    Args:
        multiples: whole multiples of 1/`denominator`, ascending; or floats, each for its own binary value; or any
            exact numbers.
        denominator: the denominator of all multiples.

    Example:
        >>> found = SortedNumbers(array("q", [-5, 20, 125]), 10)
        >>> found, found[1], found[1:]
        ((Fraction(-1, 2), 2, Fraction(25, 2)), 2, (2, Fraction(25, 2)))
        >>> found == (Fraction(-1, 2), 2, Fraction(25, 2))
        True
    """

    __slots__ = ("denominator", "multiples")

    def __init__(self, multiples: Sequence[Multiple], denominator: int = 1) -> None:
        self.multiples, self.denominator = multiples, denominator

    @classmethod
    def of(cls, multiples: Sequence[Any], denominator: int = 1) -> SortedNumbers:
        """The numbers of these multiples, which are different and ascending; in an array, if they fit."""
        try:
            is_float = isinstance(next(iter(multiples), 0), float)
            return cls(array("d", multiples) if is_float else array("q", multiples), denominator)
        except (OverflowError, TypeError):  # an integer beyond 64 bits, or a fraction
            return cls(multiples, denominator)

    def at(self, places: Iterable[int]) -> SortedNumbers:
        """The numbers at some places, ascending."""
        return SortedNumbers.of([self.multiples[place] for place in places], self.denominator)

    def up_to(self, number: Rational) -> int:
        """How many of the numbers are at most a given one, without making exact numbers of them.

        Example:
            >>> [SortedNumbers(array("d", [0.1, 0.2, 0.3])).up_to(number) for number in (Fraction(1, 5), 0.2, 1)]
            [1, 2, 3]
        """
        scaled = Fraction(number) * self.denominator if self.denominator > 1 else Fraction(number)
        if not isinstance(self.multiples, array) or abs(scaled) >= 1 << 1023:
            return bisect_right(self.multiples, scaled)
        if self.multiples.typecode == "d":  # the largest float that is at most the number
            nearest = float(scaled)
            return bisect_right(self.multiples, nearest if nearest <= scaled else math.nextafter(nearest, -math.inf))
        return bisect_right(self.multiples, scaled.numerator // scaled.denominator)

    def __len__(self) -> int:
        return len(self.multiples)

    @overload
    def __getitem__(self, place: int) -> Rational: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Rational, ...]: ...
    def __getitem__(self, place: int | slice) -> Rational | tuple[Rational, ...]:
        if isinstance(place, slice):
            return tuple(map(self._exact, self.multiples[place]))
        return self._exact(self.multiples[place])

    def __iter__(self) -> Iterator[Rational]:
        return map(self._exact, self.multiples)

    def _exact(self, multiple: Multiple) -> Rational:
        numerator, denominator = multiple.as_integer_ratio()
        return simplest(Fraction(numerator, denominator * self.denominator))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SortedNumbers) and self.denominator == other.denominator:
            return len(self) == len(other) and all(map(eq, self.multiples, other.multiples))
        return tuple(self) == tuple(other) if isinstance(other, SortedNumbers | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        shown = [*map(repr, self[:_SHOWN]), *["..."] * (len(self) > _SHOWN)]
        return f"({', '.join(shown)}{',' * (len(shown) == 1)})"


class WrittenNumbers(SortedNumbers):
    """Different exact numbers, ascending: the decimals by which doubles are written.

    Doubles and their decimals have the same order, for each decimal is nearer to its double than to any other. So ranks
    are those of the doubles, and a decimal is written only when a number is read.

    Args:
        doubles: finite doubles, ascending.

    Example:
        >>> found = WrittenNumbers(array("d", [0.1, 2.0, 1e22]))
        >>> found, found.up_to(Fraction(1, 10)), found.up_to(Fraction(1, 11))
        ((Fraction(1, 10), 2, 10000000000000000000000), 1, 0)
        >>> found == SortedNumbers([1, 20, 10**23], 10)
        True
    """

    __slots__ = ("_whole", "doubles")

    def __init__(self, doubles: Sequence[float]) -> None:
        self.doubles = doubles
        self._whole: SortedNumbers | None = None

    @classmethod
    def of(cls, multiples: Sequence[Any], denominator: int = 1) -> WrittenNumbers:
        """The decimals of these doubles, which are different and ascending."""
        return cls(array("d", multiples))

    def whole(self) -> SortedNumbers:
        """The numbers as multiples of a common unit: for who reads them all."""
        if self._whole is None:
            texts = list(map(repr, self.doubles))
            found: tuple[Sequence[Rational], int] = decimals(texts) or (list(map(rational, texts)), 1)
            self._whole = SortedNumbers.of(*found)
        return self._whole

    @property
    def multiples(self) -> Sequence[Multiple]:  # type: ignore[override]
        """The numbers in multiples of their unit."""
        return self.whole().multiples

    @property
    def denominator(self) -> int:  # type: ignore[override]
        """The denominator of the unit."""
        return self.whole().denominator

    def at(self, places: Iterable[int]) -> WrittenNumbers:
        """The numbers at some places, ascending."""
        return WrittenNumbers.of([self.doubles[place] for place in places])

    def up_to(self, number: Rational) -> int:
        """How many of the numbers are at most a given one."""
        if abs(Fraction(number)) >= 1 << 1023:
            return bisect_right(self, number)
        # Rounding keeps the order: only the decimal of the nearest double may lie on either side.
        place = bisect_left(self.doubles, nearest := float(number))
        is_nearest = place < len(self) and self.doubles[place] == nearest
        return place + (is_nearest and Fraction(self[place]) <= Fraction(number))

    def __len__(self) -> int:
        return len(self.doubles)

    @overload
    def __getitem__(self, place: int) -> Rational: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Rational, ...]: ...
    def __getitem__(self, place: int | slice) -> Rational | tuple[Rational, ...]:
        found = self.doubles[place]
        return _written(found) if isinstance(found, float) else tuple(map(_written, found))

    def __iter__(self) -> Iterator[Rational]:
        return iter(self.whole())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, WrittenNumbers):
            return len(self) == len(other) and all(map(eq, self.doubles, other.doubles))
        return self.whole() == other

    __hash__ = SortedNumbers.__hash__


def _written(double: float) -> Rational:
    """The decimal by which a double is written."""
    whole, _, places = (text := repr(double)).partition(".")
    if "e" in text:
        return rational(text)
    return simplest(Fraction(int(whole + places), 10 ** len(places)))


class Cells(Sequence[Any]):
    """The cells of a column: a list of its codes (categorical) or of exact numbers, `None` where one is missing.

    Args:
        values: the possible values, ascending: the codes from 0 on, or numbers.
        codes: the place of each cell among the values; the number of values if the cell is missing.

    Example:
        >>> cells = Cells(SortedNumbers([5, 20, 125], 10), array("B", [2, 3, 1]))
        >>> cells, cells[0], cells == [Fraction(25, 2), None, 2]
        ([Fraction(25, 2), None, 2], Fraction(25, 2), True)
    """

    __slots__ = ("codes", "values")

    def __init__(self, values: range | SortedNumbers, codes: Sequence[int]) -> None:
        self.values, self.codes = values, codes

    @classmethod
    def of(
        cls, multiples: Sequence[Multiple | None], denominator: int = 1, kind: type[SortedNumbers] = SortedNumbers
    ) -> Cells:
        """The cells with these multiples of 1/`denominator` as numbers of a kind."""
        distinct: set[Any] = set(multiples)
        distinct.discard(None)
        ascending = sorted(distinct)
        code: dict[Multiple | None, int] = dict(zip(ascending, range(len(ascending)), strict=True))
        code[None] = len(ascending)
        codes = in_array(map(code.__getitem__, multiples), len(ascending))
        return cls(kind.of(ascending, denominator), codes)

    def take(self, rows: Iterable[int]) -> Cells:
        """The cells of some rows; numbers that none of these rows has are dropped from the values.

        Example:
            >>> Cells(SortedNumbers([5, 20, 125], 10), array("B", [2, 3, 1])).take([2, 1]).values
            (2,)
        """
        codes = [self.codes[row] for row in rows]
        if not isinstance(self.values, SortedNumbers):
            return Cells(self.values, in_array(codes, len(self.values)))
        left = sorted({*codes} - {len(self.values)})
        place = {code: place for place, code in enumerate([*left, len(self.values)])}
        return Cells(self.values.at(left), in_array((place[code] for code in codes), len(left)))

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, row: int) -> Any: ...
    @overload
    def __getitem__(self, row: slice) -> list[Any]: ...
    def __getitem__(self, row: int | slice) -> Any:
        if isinstance(row, slice):
            return list(Cells(self.values, self.codes[row]))
        code = self.codes[row]
        return self.values[code] if code < len(self.values) else None

    def __iter__(self) -> Iterator[Any]:
        return map([*self.values, None].__getitem__, self.codes)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Cells) and self.values == other.values:
            return len(self) == len(other) and all(map(eq, self.codes, other.codes))
        return list(self) == list(other) if isinstance(other, Cells | list) else NotImplemented

    def __repr__(self) -> str:
        return f"[{', '.join([*map(repr, self[:_SHOWN]), *['...'] * (len(self) > _SHOWN)])}]"


def in_array(codes: Iterable[int], most: int) -> array[int]:
    """Codes in an array, each in as few bytes as the largest possible code needs.

    Example:
        >>> in_array([0, 3, 2], 3).itemsize, in_array([0, 70_000], 70_000).itemsize
        (1, 4)
    """
    return array("B" if most < 1 << 8 else "H" if most < 1 << 16 else "I", list(codes))


def codes_of(values: Sequence[Rational], cells: Codes | Numbers) -> Sequence[int]:
    """The place of each cell among the ascending values; the number of values if the cell is missing.

    Example:
        >>> list(codes_of((2, Fraction(5, 2), 7), [7, None, 2]))
        [2, 3, 0]
    """
    if isinstance(cells, Cells) and (cells.values is values or cells.values == values):
        return cells.codes
    place: dict[Rational | None, int] = {value: place for place, value in enumerate(values)}
    return in_array(map({**place, None: len(place)}.__getitem__, cells), len(place))


def label(cell: object) -> str:
    """The name of a categorical value.

    Example:
        >>> label("sunny"), label(True), label(3)
        ('sunny', 'True', '3')
    """
    return str.__str__(cell) if isinstance(cell, str) else str(cell)  # numpy has texts of its own


def is_missing(cell: object) -> bool:
    """Whether a cell is `None`, or a value that does not equal itself."""
    try:
        return cell is None or bool(cell != cell)  # NaN and NaT
    except (TypeError, ArithmeticError):  # comparing NA with NA gives NA; a signalling NaN must not be compared
        return True
    except ValueError:  # an array compares cell by cell
        return False
