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

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, Protocol, TypeAlias, get_args

from reference_tree.data.columns import Column, check_cells, label
from reference_tree.data.errors import InputError, shown
from reference_tree.data.held import Floats, written
from reference_tree.data.schema import Attribute

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
    names = list(frame.columns)
    if twice := next((name for name, times in Counter(names).items() if times > 1), None):
        raise InputError("stands twice; give each column a name of its own", column=str(twice))
    wanted = [name for name in names if only is None or name in only]
    return [_column(str(name), frame[name], numbers) for name in wanted]


def _column(name: str, series: Series, numbers: Floats) -> Column:
    cells = read_cells(series.to_list(), name, numbers, series.dtype)
    return Column(name, cells, _declared(name, series.dtype), series.dtype)


def read_cells(cells: Sequence[Any], name: str, numbers: Floats, dtype: object = None) -> Sequence[Any]:
    """The cells of a column as they are handed over in Python, with gaps as None and floats as they are to be read.

    Args:
        cells: the cells.
        name: the name of the column, for messages.
        numbers: how a float is read.
        dtype: the type that the column declares.

    Raises:
        InputError: there is no such form of numbers, or a cell is neither a text nor a number.

    Example:
        >>> read_cells([0.1, float("nan")], "size", "written"), read_cells([0.1, None], "size", "exact")
        (['0.1', None], [0.1, None])
    """
    if numbers not in get_args(Floats):
        raise InputError(f"numbers is 'written' or 'exact', not {numbers!r}")
    known = without_gaps(cells)
    check_cells(known, name)
    return written(known, dtype) if numbers == "written" else known


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
