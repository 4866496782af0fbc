"""Frames: tables of pandas or Polars, read without importing either.

Both libraries give a frame's columns by name, and a column's cells as a list; nothing else is needed. The cells of a
frame mean:

- `None`, NaN, `NaT` and `NA` are missing values. (Polars tells NaN from null, but pandas has one for the other.)
- Texts and booleans are categories; a column of the library's own kind of category declares its domain, in its own
  order and with values that do not occur.
- Whole numbers, decimals and fractions stand for themselves. A float stands for the decimal by which it is written,
  2.45: the shortest that no other float is nearer to. So a frame that was read from a file gives the table of that
  file. With `numbers="exact"` a float stands for its exact value, 2.45000000000000017763568394002504646778106689453125.
- Dates, times, lists and anything else are refused: only their owner knows whether they are numbers or categories.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from types import NoneType
from typing import Any, Protocol, TypeAlias, get_args

from reference_tree.data.columns import Column, check_cells, is_float, label
from reference_tree.data.errors import InputError, shown
from reference_tree.data.schema import Attribute, Floats
from reference_tree.exact.rationals import rational

GivenRow: TypeAlias = Mapping[str, object]
"""A row as it is handed over: attribute → text, number or None."""


class Series(Protocol):
    """A column of a frame."""

    @property
    def dtype(self) -> Any:
        """The type of its cells."""

    def to_list(self) -> list[Any]:
        """Its cells as Python values."""


class Frame(Protocol):
    """A frame of either library."""

    @property
    def columns(self) -> Iterable[Any]:
        """The names of its columns."""

    def __getitem__(self, name: Any, /) -> Any:
        """The column of this name."""


def is_frame(thing: object) -> bool:
    """Whether a thing looks like a frame, rather than a mapping of columns.

    Example:
        >>> is_frame({"wind": ["weak"]})
        False
    """
    kind = type(thing)  # asking a lazy frame itself for its columns would compute them
    return not isinstance(thing, Mapping) and hasattr(kind, "columns") and hasattr(kind, "__getitem__")


def as_mapping(thing: Any) -> GivenRow | None:
    """A thing that has keys as a mapping, such as a row of a pandas frame or of a database; otherwise None."""
    if isinstance(thing, Mapping):
        return thing
    if hasattr(type(thing), "keys") and hasattr(type(thing), "__getitem__"):
        return {str(key): thing[key] for key in thing.keys()}  # noqa: SIM118
    return None


def frame_columns(frame: Frame, numbers: Floats = "written", only: Collection[str] | None = None) -> list[Column]:
    """The raw columns of a frame.

    Args:
        frame: a frame of pandas or Polars.
        numbers: how a float is read: as it is `written`, or as its `exact` value.
        only: the columns that are read; None for all.

    Raises:
        InputError: there is no such form of numbers; it is no frame or a lazy one, two columns have one name, or a cell
            is neither a text nor a number.
    """
    if not is_frame(frame):
        raise InputError(f"{shown(frame)} is no frame; a frame has columns that can be asked for by name")
    if hasattr(type(frame), "collect"):
        raise InputError("the frame is lazy, and has no cells yet; collect it first")
    if numbers not in get_args(Floats):
        raise InputError(f"numbers is 'written' or 'exact', not {numbers!r}")
    names = list(frame.columns)
    if twice := next((name for name, times in Counter(names).items() if times > 1), None):
        raise InputError("stands twice; give each column a name of its own", column=str(twice))
    wanted = [name for name in names if only is None or name in only]
    return [_column(str(name), frame[name], numbers) for name in wanted]


def _column(name: str, series: Series, floats: Floats) -> Column:
    cells = without_gaps(series.to_list())
    check_cells(cells, name)
    if floats == "written":
        cells = written(cells, series.dtype)
    return Column(name, cells, _declared(name, series.dtype), series.dtype)


def written(cells: Sequence[Any], dtype: object = None) -> Sequence[Any]:
    """Floats as the decimals by which they are written; a column of anything else stays as it is.

    Args:
        cells: the cells of a column.
        dtype: the type that the column declares: single precision needs fewer digits.

    Example:
        >>> written([0.1, None, 3]), written([0.1, "x"])
        (['0.1', None, 3], [0.1, 'x'])
    """
    kinds = set(map(type, cells))
    floats = {kind for kind in kinds if is_float(kind)}
    if not floats or str in kinds:
        return cells
    form = _SHORT.get(str(dtype).lower())
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


_SHORT = {"float32": "f", "float16": "e"}
"""The types of less than double precision → their names in `struct`."""


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
    if form := _SHORT.get(str(dtype).lower()):
        packed = _packed(float(number), form)
        found |= {shortest(float(number), form), *(struct.unpack(form, packed) if packed else ())}
    return found


def _packed(number: float, form: str) -> bytes | None:
    try:
        return struct.pack(form, number)
    except OverflowError:  # a decimal a little above the largest
        return None


_NEVER_MISSING = {str, int, bool, NoneType}


def without_gaps(cells: Sequence[Any]) -> Sequence[Any]:
    """The cells of a column, with `None` in the place of each that is missing.

    Example:
        >>> without_gaps([1.5, float("nan"), None]), without_gaps(["a", float("nan")])
        ([1.5, None, None], ['a', None])
    """
    kinds = set(map(type, cells))
    if kinds <= _NEVER_MISSING:
        return cells
    if kinds <= {float, *_NEVER_MISSING}:
        return [None if cell != cell else cell for cell in cells]
    return [None if is_missing(cell) else cell for cell in cells]


def is_missing(cell: object) -> bool:
    """Whether a cell is `None`, or a value that does not equal itself."""
    try:
        return cell is None or bool(cell != cell)  # NaN and NaT
    except (TypeError, ArithmeticError):  # comparing NA with NA gives NA; a signalling NaN must not be compared
        return True
    except ValueError:  # an array compares cell by cell
        return False


def _declared(name: str, dtype: Any) -> Attribute | None:
    """The attribute of a column of categories, if the library declares its domain.

    Polars has two kinds: an `Enum` declares its values, while a `Categorical` only collects the values that occurred.
    """
    declared = getattr(dtype, "categories", None)
    if declared is None or not hasattr(declared, "__len__"):
        return None
    values = tuple(map(label, declared))
    if len(set(values)) < len(values):
        raise InputError("has two categories that read the same", column=name)
    given = {} if all(isinstance(category, str) for category in declared) else dict(zip(values, declared, strict=True))
    return Attribute(name, values, given)
