"""Parameters: what the arguments of estimators mean, one record each; and rows and labels as people hold them.

A parameter that a program has is one of three here. It *works*; it *steers* the machinery of the program, and is taken
without effect; or it would *change* the result in a way that this package has not, and is refused by name unless it
has a value that changes nothing.

1. `works`, `steers` and `changes` are fields of an estimator, which is a dataclass; its signature follows from them.
2. `check_parameters` refuses what cannot be had, when the estimator is fitted.
3. `seed_of` makes a seed of whatever scikit-learn takes for a random state.
4. Rows are a frame, an array or a list of lists, and become columns (`columns_of`). What cannot be rows is refused in a
   line, in the words that scikit-learn looks for.
5. Predictions are an array where numpy is loaded, and a list where it is not (`array_of`).
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from math import ceil
from typing import Any, Literal, NamedTuple

from reference_tree.data.columns import Column
from reference_tree.data.errors import InputError, shown
from reference_tree.data.frames import frame_columns, is_frame, without_gaps
from reference_tree.data.held import Floats, written
from reference_tree.data.schema import is_missing
from reference_tree.learners.recorded import Option


class Parameter(NamedTuple):
    """The record of a parameter."""

    effect: Literal["works", "steers", "changes"]
    """Whether it works, steers machinery, or would change the result."""
    meaning: str
    """The meaning in a few words; for one that would change the result, what to do instead."""
    usual: Any = None
    """The value that None stands for."""
    plain: Sequence[Any] = ()
    """The values of one that would change the result at which it changes nothing."""


def works(default: Any, meaning: str = "", usual: Any = None, of: Option | None = None) -> Any:
    """A parameter that works as in the program.

    Args:
        default: the default, as the program has it.
        meaning: the meaning in a few words.
        usual: the value that None stands for.
        of: the option of a learner that it sets; the first sentence of its words comes first.
    """
    # The learner's own words come first, so that an option has one description.
    words = "; ".join(filter(None, ["" if of is None else of.words.partition(". ")[0], meaning]))
    # XGBoost's parameters have None as default, and the value that it stands for is another one.
    kept = Parameter("works", words, default if usual is None else usual)
    return field(default=default, metadata={"parameter": kept})


def steers(meaning: str, default: Any = None) -> Any:
    """A parameter that steers machinery: any value is taken, and nothing depends on it."""
    return field(default=default, metadata={"parameter": Parameter("steers", meaning)})


def changes(instead: str, *plain: Any, default: Any = None) -> Any:
    """A parameter that would change the result, and is refused.

    Args:
        instead: what to do, or what is done here.
        plain: the values at which it changes nothing; None and the default are two of them.
        default: the default, as the program has it.
    """
    # None and the program's own default always leave the result as it is.
    kept = Parameter("changes", instead, default, (None, default, *plain))
    return field(default=default, metadata={"parameter": kept})


def parameters_of(kind: type) -> dict[str, Parameter]:
    """The records of the parameters of an estimator, by name."""
    # A dataclass collects the fields of its bases, in order: a signature and this table agree.
    stated = fields(kind) if is_dataclass(kind) else ()
    return {one.name: one.metadata["parameter"] for one in stated if "parameter" in one.metadata}


def check_parameters(estimator: Any) -> None:
    """Refuse a parameter that would change the result.

    Raises:
        InputError: there is one; the message says what to do.
    """
    for name, record in parameters_of(type(estimator)).items():
        if record.effect == "changes":
            check_plain(name, getattr(estimator, name), record)


def check_plain(name: str, value: Any, record: Parameter) -> None:
    """Refuse a value that would change the result.

    Example:
        >>> check_plain("booster", "gbtree", Parameter("changes", "...", None, (None, "gbtree")))
        >>> check_plain("booster", "dart", Parameter("changes", "...", None, (None, "gbtree")))
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: booster='dart' would change the result, and is not done here: ...
    """
    # By identity first: NaN is not equal to itself.
    if not any(value is one or _equal(value, one) for one in record.plain):
        raise InputError(f"{name}={shown(value)} would change the result, and is not done here: {record.meaning}")


OF_FIT: Mapping[str, Parameter] = {
    name: Parameter("changes", instead, None, (None,))
    for name, instead in {
        "base_margin": "margins of single rows are not taken; base_score is for all",
        "base_margin_eval_set": "margins of single rows are not taken; base_score is for all",
        "xgb_model": "an ensemble is grown from the start; give n_estimators the sum of the rounds",
        "feature_weights": "all columns are drawn alike; leave it out",
    }.items()
}
"""The arguments of XGBoost's `fit` and `predict` that would change the result."""


def check_arguments(**given: Any) -> None:
    """Refuse arguments of `OF_FIT` that would change the result."""
    for name, value in given.items():
        check_plain(name, value, OF_FIT[name])


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    # An array has no single truth value, so it equals no plain value.
    except (TypeError, ValueError):  # an array compares cell by cell
        return False


LARGEST_SEED = 2**31 - 1


def seed_of(random_state: Any) -> int:
    """The seed for a random state: a whole number, None, or a generator of numpy, from which one number is drawn.

    None stands for 0: the same call gives the same result each time.

    Raises:
        InputError: it is nothing of these.

    Example:
        >>> seed_of(None), seed_of(7)
        (0, 7)
    """
    if random_state is None:
        return 0
    # numpy's Generator draws by `integers`, its older RandomState by `randint`; numpy itself is not needed.
    draw = getattr(random_state, "integers", None) or getattr(random_state, "randint", None)
    try:
        # `__index__` takes every whole number, also numpy's, and no float.
        return int(draw(LARGEST_SEED)) if callable(draw) else random_state.__index__()
    except (AttributeError, TypeError):
        raise InputError(f"random_state: a seed is a whole number, not {random_state!r}") from None


def jobs_of(n_jobs: Any) -> Any:
    """The number of processes that work at once: none is one, and -1 one on each processor.

    Example:
        >>> jobs_of(None), jobs_of(3), jobs_of(-1) >= 1
        (1, 3, True)
    """
    if n_jobs is None:
        return 1
    asked = n_jobs.item() if hasattr(n_jobs, "item") else n_jobs
    # As joblib counts: -1 is all processors, -2 all but one.
    return max(1, (os.cpu_count() or 1) + 1 + asked) if isinstance(asked, int) and asked < 0 else asked


def count_of(given: Any, rows: int) -> Any:
    """The number of rows that a parameter means: a float below 1 is their share, rounded up.

    Example:
        >>> count_of(0.1, 15), count_of(3, 15), count_of(1.0, 15)
        (2, 3, 1.0)
    """
    # As in scikit-learn, a whole number is a number of rows, and a float a share of them.
    return ceil(given * rows) if isinstance(given, float) and 0 < given < 1 else given


def table_of(kind: type) -> str:
    """The parameters of an estimator as a table of Markdown.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Estimator:
        ...     rounds: int | None = works(None, "how many rounds", 100)
        ...     jobs: int | None = steers("trees are grown one after the other")
        >>> print(table_of(Estimator))
        | parameter | default | | meaning |
        |:--|:--|:--|:--|
        | `rounds` | 100 | works | how many rounds |
        | `jobs` | | without effect | trees are grown one after the other |
    """
    # The page of estimators is made of these records.
    effects = {"works": "works", "steers": "without effect", "changes": "refused"}
    lines = ["| parameter | default | | meaning |", "|:--|:--|:--|:--|"]
    for name, record in parameters_of(kind).items():
        usual = "" if record.usual is None else f"{record.usual} "
        lines.append(f"| `{name}` | {usual}| {effects[record.effect]} | {record.meaning} |")
    return "\n".join(lines)


__all__ = [
    "Parameter",
    "changes",
    "check_arguments",
    "check_parameters",
    "count_of",
    "jobs_of",
    "parameters_of",
    "seed_of",
    "steers",
    "table_of",
    "works",
]


# What comes in.


def columns_of(X: Any, floats: Floats = "written", only: Collection[int] | None = None) -> list[Column]:
    """The columns of rows, whatever holds them.

    Args:
        X: the rows.
        floats: how a float is read.
        only: the places of columns that have to be read; None for all. Others of a frame or an array may have no cells.
    """
    # scikit-learn's tests look for these words in the message.
    if hasattr(X, "tocsr") or hasattr(X, "tocoo"):
        raise TypeError("Sparse data was passed for X, but dense data is required; use X.toarray()")
    if is_frame(X):
        # Reading a frame's column is slow, so a tree asks only for those that it tests.
        if only is None or not has_names(X):
            return frame_columns(X, floats)
        names = list(X.columns)
        wanted = [names[place] for place in only if place < len(names)]
        known = {column.name: column for column in frame_columns(X, floats, wanted)}
        return [known.get(name, Column(name, ())) for name in names]
    # From here on it is an array, or rows of cells.
    X = _unwrapped(X)
    if isinstance(X, str | bytes) or not hasattr(X, "__iter__"):
        raise InputError(f"Expected 2D array, got {shown(X)}: rows are a frame, an array or a list of lists")
    dtype = getattr(X, "dtype", None)
    if getattr(dtype, "kind", "") == "c":
        raise InputError("Complex data not supported")
    # An array of numbers is read by columns: `tolist` gives Python's own numbers.
    if getattr(dtype, "kind", "") in ("i", "u", "f") and X.ndim == 2 and X.size:
        places = range(len(X.T)) if only is None else only
        columns = [without_gaps(cells.tolist(), f"x{p}") if p in places else () for p, cells in enumerate(X.T)]
    else:
        columns = _columns_of_rows(X.tolist() if hasattr(X, "tolist") else [*X])
    # To grow, a float is the decimal that is written; to answer, the tree reads it in its own form.
    read = columns if floats == "exact" else [written(cells, dtype) for cells in columns]
    return [Column(f"x{place}", cells, dtype=dtype) for place, cells in enumerate(read)]


def _columns_of_rows(rows: list[Any]) -> list[Sequence[Any]]:
    """The cells of each column of rows that may hold anything."""
    if not rows:
        raise InputError("X has 0 samples; at least one is needed")
    rows = [row.tolist() if hasattr(row, "tolist") else row for row in rows]
    # A text is a sequence of letters, and no row.
    if not all(isinstance(row, Sequence) and not isinstance(row, str) for row in rows):
        raise InputError("Expected 2D array, got 1D array instead: rows are lists of cells. Reshape your data")
    if any(len(row) != len(rows[0]) for row in rows):
        raise InputError("the rows of X have different numbers of cells")
    if not rows[0]:
        raise InputError(f"0 feature(s) (shape=({len(rows)}, 0)) while a minimum of 1 is required.")
    if any(isinstance(cell, list) for row in rows for cell in row):
        raise InputError("Found array with dim 3, while dim <= 2 is required: a cell is a text or a number")
    return [without_gaps(cells, f"x{place}") for place, cells in enumerate(zip(*rows, strict=True))]


def _unwrapped(X: Any) -> Any:
    """The array of an object that only states how to convert it to one."""
    numpy = sys.modules.get("numpy")
    # An object with `__array__` alone, as scikit-learn's checks hand over.
    return numpy.asarray(X) if numpy and hasattr(X, "__array__") and not hasattr(X, "tolist") else X


def check_categories(columns: Sequence[Column]) -> None:
    """Refuse values that are no category: a gap, a NaN or an infinity."""
    for column in columns:
        for row, cell in enumerate(column.cells, start=1):
            # ID3 has a branch for each value and no rule for a gap.
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
    # Frames, arrays and lists become a list of cells.
    y = _unwrapped(y)
    if not hasattr(y, "__iter__") or isinstance(y, str):
        raise InputError(f"{name} is a sequence with an entry a row, not {y!r}")
    cells = y.to_list() if hasattr(y, "to_list") else y.tolist() if hasattr(y, "tolist") else [*y]
    # A column of shape (n, 1) is read as scikit-learn reads it, with its warning.
    if cells and all(isinstance(cell, list) and len(cell) == 1 for cell in cells):
        cells = [cell for (cell,) in cells]
        exceptions: Any = sys.modules.get("sklearn.exceptions")
        category = exceptions.DataConversionWarning if exceptions else UserWarning
        message = f"A column-vector {name} was passed when a 1d array was expected; it is read as one"
        warnings.warn(message, category, stacklevel=3)
    for cell in cells:
        # Not smaller than infinity: infinity itself, and NaN.
        if isinstance(cell, float) and not abs(cell) < float("inf"):
            raise InputError(f"Input {name} contains NaN or infinity")
    return list(cells)


def class_of(cell: Any) -> Any:
    """A class, unchanged; a value that is no class is refused."""
    if is_missing(cell):
        raise InputError(f"Input y contains NaN: {cell!r} is no class")
    if isinstance(cell, list | dict | set):
        raise InputError(f"y has one class a row, not {cell!r}")
    # 1.0 may be a class, 1.5 is a measurement.
    if isinstance(cell, float) and not cell.is_integer():
        raise InputError(f"Unknown label type: continuous ({cell}); a regressor predicts numbers")
    return cell


def has_names(X: Any) -> bool:
    """Whether the columns have names of their own."""
    # scikit-learn keeps names only if all of them are texts.
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
    # A number of numpy says it is no int, and learners take ints.
    return value.item() if hasattr(value, "item") else value


# What goes out.


def array_of(values: list[Any], dtype: Any = None) -> Any:
    """An array where numpy is loaded, otherwise the list."""
    # Never imported here: who hands over an array has loaded it.
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return values
    if dtype is not None and not isinstance(dtype, numpy.dtype | type):
        dtype = None  # a type of pandas or Polars
    return numpy.array(values, dtype=dtype)


def not_fitted(message: str) -> Exception:
    """The error for an estimator that was never fitted: scikit-learn's own, where that is loaded."""
    # A pipeline of scikit-learn catches its own class of error alone.
    exceptions: Any = sys.modules.get("sklearn.exceptions")
    return exceptions.NotFittedError(message) if exceptions else InputError(message)
