"""Arrays: rows and labels as people hold them, and answers as they expect them.

Rows are a frame, an array or a list of lists, and become columns. Answers are an array where numpy is loaded, and a
list where it is not. What cannot be rows is refused in a line, in the words that scikit-learn looks for.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

from reference_tree.data.columns import Column, check_cells
from reference_tree.data.errors import InputError, shown
from reference_tree.data.frames import frame_columns, is_frame, without_gaps
from reference_tree.data.held import Floats, written
from reference_tree.data.schema import is_missing

# What comes in.


def columns_of(X: Any, floats: Floats = "written") -> list[Column]:
    """The columns of rows, whatever holds them; floats as they are written, or as they are."""
    if hasattr(X, "tocsr") or hasattr(X, "tocoo"):
        raise TypeError("Sparse data was passed for X, but dense data is required; use X.toarray()")
    if is_frame(X):
        return frame_columns(X, floats)
    X = _unwrapped(X)
    if isinstance(X, str | bytes) or not hasattr(X, "__iter__"):
        raise InputError(f"Expected 2D array, got {shown(X)}: rows are a frame, an array or a list of lists")
    dtype = getattr(X, "dtype", None)
    if getattr(dtype, "kind", "") == "c":
        raise InputError("Complex data not supported")
    if getattr(dtype, "kind", "") in ("i", "u", "f") and X.ndim == 2 and X.size:
        columns = [without_gaps(cells) for cells in X.T.tolist()]
    else:
        columns = _columns_of_rows(X.tolist() if hasattr(X, "tolist") else [*X])
    read = columns if floats == "exact" else [written(cells, dtype) for cells in columns]
    return [Column(f"x{place}", cells, dtype=dtype) for place, cells in enumerate(read)]


def _columns_of_rows(rows: list[Any]) -> list[Sequence[Any]]:
    """The cells of each column of rows that may hold anything."""
    if not rows:
        raise InputError("X has 0 samples; at least one is needed")
    rows = [row.tolist() if hasattr(row, "tolist") else row for row in rows]
    if not all(isinstance(row, Sequence) and not isinstance(row, str) for row in rows):
        raise InputError("Expected 2D array, got 1D array instead: rows are lists of cells. Reshape your data")
    if any(len(row) != len(rows[0]) for row in rows):
        raise InputError("the rows of X have different numbers of cells")
    if not rows[0]:
        raise InputError(f"0 feature(s) (shape=({len(rows)}, 0)) while a minimum of 1 is required.")
    if any(isinstance(cell, list) for row in rows for cell in row):
        raise InputError("Found array with dim 3, while dim <= 2 is required: a cell is a text or a number")
    columns = [without_gaps(cells) for cells in zip(*rows, strict=True)]
    for place, cells in enumerate(columns):
        check_cells(cells, f"x{place}")
    return columns


def _unwrapped(X: Any) -> Any:
    """The array of an object that only states how to convert it to one."""
    numpy = sys.modules.get("numpy")
    return numpy.asarray(X) if numpy and hasattr(X, "__array__") and not hasattr(X, "tolist") else X


def check_categories(columns: Sequence[Column]) -> None:
    """Refuse values that are no category: a gap, a NaN or an infinity."""
    for column in columns:
        for row, cell in enumerate(column.cells, start=1):
            if cell is None or cell in ("inf", "-inf") or cell in (float("inf"), float("-inf")):
                raise InputError(
                    f"Input X contains NaN or infinity (row {row}); ID3 has no rule for that", column=column.name
                )


def entries_of(y: Any, name: str) -> list[Any]:
    """A column of values."""
    if y is None:
        raise InputError(f"requires {name} to be passed, but the target {name} is None")
    if getattr(getattr(y, "dtype", None), "kind", "") == "c":
        raise InputError("Complex data not supported")
    y = _unwrapped(y)
    if not hasattr(y, "__iter__") or isinstance(y, str):
        raise InputError(f"{name} is a sequence with an entry a row, not {y!r}")
    cells = y.to_list() if hasattr(y, "to_list") else y.tolist() if hasattr(y, "tolist") else [*y]
    if cells and all(isinstance(cell, list) and len(cell) == 1 for cell in cells):
        cells = [cell for (cell,) in cells]
        exceptions: Any = sys.modules.get("sklearn.exceptions")
        category = exceptions.DataConversionWarning if exceptions else UserWarning
        message = f"A column-vector {name} was passed when a 1d array was expected; it is read as one"
        warnings.warn(message, category, stacklevel=3)
    for cell in cells:
        if isinstance(cell, float) and not abs(cell) < float("inf"):
            raise InputError(f"Input {name} contains NaN or infinity")
    return list(cells)


def class_of(cell: Any) -> Any:
    """A class, unchanged; a value that is no class is refused."""
    if is_missing(cell):
        raise InputError(f"Input y contains NaN: {cell!r} is no class")
    if isinstance(cell, list | dict | set):
        raise InputError(f"y has one class a row, not {cell!r}")
    if isinstance(cell, float) and not cell.is_integer():
        raise InputError(f"Unknown label type: continuous ({cell}); a regressor predicts numbers")
    return cell


def has_names(X: Any) -> bool:
    """Whether the columns have names of their own."""
    return is_frame(X) and all(isinstance(name, str) for name in X.columns)


def check_names(found: Sequence[str], expected: Sequence[str]) -> None:
    """Refuse columns that are not those of the fit, in the words in which scikit-learn does.

    Raises:
        ValueError: they differ, or stand in another order.
    """
    if list(found) == list(expected):
        return
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(found) - set(expected))
    missing = sorted(set(expected) - set(found))
    for names, what in (
        (unseen, "Feature names unseen at fit time"),
        (missing, "Feature names seen at fit time, yet now missing"),
    ):
        if names:
            message += f"{what}:\n" + "".join(f"- {name}\n" for name in names)
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise ValueError(message)


def plain(value: Any) -> Any:
    """A parameter; a number of numpy becomes one of Python."""
    return value.item() if hasattr(value, "item") else value


# What goes out.


def array_of(values: list[Any], dtype: Any = None) -> Any:
    """An array where numpy is loaded, otherwise the list."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return values
    if dtype is not None and not isinstance(dtype, numpy.dtype | type):
        dtype = None  # a type of pandas or Polars
    return numpy.array(values, dtype=dtype)


def not_fitted(message: str) -> Exception:
    """The error for an estimator that was never fitted: scikit-learn's own, where that is loaded."""
    exceptions: Any = sys.modules.get("sklearn.exceptions")
    return exceptions.NotFittedError(message) if exceptions else InputError(message)
