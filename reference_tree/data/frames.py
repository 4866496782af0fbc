"""Frames: tables that a program has in memory, read without importing the libraries that made them.

| thing | columns |
| --- | --- |
| a frame of pandas or Polars | as it names them |
| a table of Arrow, a relation of DuckDB, the result of a query: a cursor of `sqlite3` or another database | the same |
| an array of numpy of two dimensions, or a list of rows that are lists | `names`, or `c1`, `c2`, ... |
| an array of numpy with named fields, a list of named tuples | the names of the fields |
| a list of dictionaries, or a dictionary of columns | their keys |

pandas and Polars give a frame's columns by name, and a column's cells as a list; nothing else is needed. The cells
mean:

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

from reference_tree.data.columns import Column, check_cells
from reference_tree.data.errors import InputError, shown
from reference_tree.data.held import FiniteFloats, Floats, are_finite, is_float, written
from reference_tree.data.schema import Attribute, is_missing, label

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
    def columns(self) -> Any:
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


class _FrameCells(list[Any]):
    """The cells of a column, and the type that the library declares."""

    dtype: object = None

    @classmethod
    def of(cls, cells: Iterable[Any], dtype: object) -> _FrameCells:
        made = cls(cells)
        made.dtype = dtype
        return made


_ARROW = {"float": "float32", "halffloat": "float16", "double": "float64"}
"""Arrow's name of a type of floats → numpy's name."""


def columns_of(thing: Any, names: Sequence[str] | None = None) -> Mapping[str, Iterable[object]] | Frame:
    """The columns of anything that is a table, by name; a frame as it is.

    Args:
        thing: one of the things listed above.
        names: the names of the columns of an array, or of rows that are lists.

    Raises:
        InputError: it is no table, or its rows have different lengths; or names are given to columns that have names.

    Example:
        >>> columns_of([("weak", 1), ("strong", 2)], ["wind", "speed"])
        {'wind': ('weak', 'strong'), 'speed': (1, 2)}
    """
    kind = type(thing)
    own: Sequence[Any] | None = None
    cells: Sequence[Iterable[Any]]
    if isinstance(thing, Mapping):
        own, cells = list(thing), list(thing.values())
    elif hasattr(kind, "column_names") and hasattr(kind, "column"):
        own, columns = thing.column_names, [thing.column(place) for place in range(len(thing.column_names))]
        cells = [_FrameCells.of(one.to_pylist(), _ARROW.get(str(one.type))) for one in columns]
    elif hasattr(kind, "fetchall"):
        own, rows = _fetched(thing)
        cells = _turned(rows, len(own))
    elif is_frame(thing):
        return thing  # type: ignore[no-any-return]
    elif hasattr(kind, "tolist") and hasattr(kind, "dtype"):
        own, cells = _of_array(thing)
    elif hasattr(kind, "__iter__") and not isinstance(thing, str | bytes):
        own, cells = _of_rows(list(thing))
    else:
        file = "; read makes one of a file" if hasattr(thing, "__fspath__") or isinstance(thing, str) else ""
        raise InputError(f"{shown(thing)} is no table: a frame, an array, the result of a query, or rows{file}")
    if own is not None and names is not None:
        raise InputError("names are for an array and for rows that are lists; these columns have names of their own")
    wanted = own or names or [f"c{place}" for place, _ in enumerate(cells, 1)]
    if twice := next((name for name, times in Counter(map(str, wanted)).items() if times > 1), None):
        raise InputError("occurs twice; give each column a name of its own", column=twice)
    if len(wanted) != len(cells):
        raise InputError(f"there are {len(wanted)} names for {len(cells)} columns")
    return dict(zip(map(str, wanted), cells, strict=True))


def _fetched(query: Any) -> tuple[Sequence[str], list[Any]]:
    """The names and the rows of the result of a query."""
    described = getattr(query, "description", None)
    if described is None and not hasattr(type(query), "keys"):
        raise InputError("no query was run that has rows; run a SELECT first")
    names = list(query.keys()) if described is None else [one[0] for one in described]
    return names, query.fetchall()


def _of_array(array: Any) -> tuple[Sequence[str] | None, Sequence[Iterable[Any]]]:
    """The names, if it has any, and the columns of an array."""
    if fields := getattr(array.dtype, "names", None):
        return fields, [_FrameCells.of(array[name].tolist(), array.dtype[name]) for name in fields]
    if len(array.shape) != 2:
        raise InputError(f"the array has {len(array.shape)} dimensions; a table has two")
    return None, [_FrameCells.of(cells, array.dtype) for cells in array.T.tolist()]


def _of_rows(rows: list[Any]) -> tuple[Sequence[str] | None, Sequence[Iterable[Any]]]:
    """The names, if they have any, and the columns of rows."""
    if not rows:
        raise InputError("there are no rows; at least one is needed")
    fields = getattr(type(rows[0]), "_fields", None)
    if fields is None and as_mapping(rows[0]) is not None:
        columns = by_name(rows)
        return list(columns), list(columns.values())
    for number, row in enumerate(rows, start=1):
        if isinstance(row, str | bytes) or not hasattr(type(row), "__len__") or not hasattr(type(row), "__iter__"):
            raise InputError(f"row {number}: {shown(row)} is no row; a row is a mapping of column to value, or a list")
    return fields, _turned(rows, len(rows[0]))


def by_name(rows: Iterable[Any]) -> dict[str, list[object]]:
    """The columns of rows that are mappings, in the order of `in_order`; a key that a row lacks is missing.

    Raises:
        InputError: a row is no mapping.

    Example:
        >>> by_name([{"wind": "weak", "play": "yes"}, {"wind": None, "rain": True, "play": "no"}])
        {'wind': ['weak', None], 'rain': [None, True], 'play': ['yes', 'no']}
    """
    found = []
    for number, row in enumerate(rows if hasattr(rows, "__iter__") else [rows], start=1):
        if (mapping := as_mapping(row)) is None:
            raise InputError(f"row {number}: {shown(row)} is no mapping of column to value")
        found.append(mapping)
    return {name: [row.get(name) for row in found] for name in in_order(found)}


def in_order(rows: Sequence[Collection[str]]) -> list[str]:
    """The keys of all rows: those of the first, and each other one behind the key that it follows in its row.

    The last key of the first row stays the last, for it is predicted if nothing else is said.

    Example:
        >>> in_order([["wind", "play"], ["wind", "rain", "play"], ["play", "note"]])
        ['wind', 'rain', 'note', 'play']
    """
    names = list(next((row for row in rows if row), ()))
    known = set(names)
    for row in rows:
        place = -1
        for name in () if known.issuperset(row) else row:
            if name in known:
                place = names.index(name)
            else:
                place = min(place + 1, len(names) - 1)
                names.insert(place, name)
                known.add(name)
    return names


def _turned(rows: Sequence[Any], width: int) -> Sequence[Iterable[Any]]:
    """Rows as columns."""
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise InputError(f"row {number} has {len(row)} cells for {width} columns")
    return list(zip(*rows, strict=True)) if rows else [()] * width


def frame_columns(frame: Frame, numbers: Floats = "written", only: Collection[str] | None = None) -> list[Column]:
    """The raw columns of a frame.

    Args:
        frame: a frame of pandas or Polars, a table of Arrow, or a relation of DuckDB.
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
    if isinstance(columns := columns_of(frame), Mapping):  # of Arrow or DuckDB
        return [given_column(columns[name], name, numbers) for name in columns if only is None or name in only]
    names = list(frame.columns)
    if twice := next((name for name, times in Counter(names).items() if times > 1), None):
        raise InputError("occurs twice; give each column a name of its own", column=str(twice))
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
    known = without_gaps(cells, name)
    return written(known, dtype) if numbers == "written" else known


def given_column(cells: Any, name: str, numbers: Floats) -> Column:
    """A raw column of cells as they are handed over in Python.

    Raises:
        InputError: they are no list of cells, or see `read_cells`.
    """
    if isinstance(cells, str | bytes | Mapping) or not hasattr(cells, "__iter__"):
        raise InputError(f"{shown(cells)} is no list of cells", column=name)
    found, dtype = list(cells), getattr(cells, "dtype", None)
    is_of_floats = any(map(is_float, set(map(type, found)))) and dtype is None
    return Column(name, read_cells(found, name, numbers, dtype), dtype="float64" if is_of_floats else dtype)


_NEVER_MISSING = {str, int, bool, NoneType}


def without_gaps(cells: Sequence[Any], name: str) -> Sequence[Any]:
    """The cells of a column, with `None` in the place of each that is missing.

    Raises:
        InputError: a cell is neither a text nor a number.

    Example:
        >>> without_gaps([1.5, float("nan"), None], "size"), without_gaps(["a", float("nan")], "name")
        ([1.5, None, None], ['a', None])
    """
    kinds = set(map(type, cells))
    if kinds <= _NEVER_MISSING:
        return cells
    if kinds == {float} and are_finite(cells):
        return FiniteFloats(cells)
    if kinds <= {float, *_NEVER_MISSING}:
        return [None if cell != cell else cell for cell in cells]
    known = [None if is_missing(cell) else cell for cell in cells]
    check_cells(known, name)
    return known


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
