"""Parquet: read by a library that is installed, for the format is no matter of a few pages.

The package needs no library. Where a Parquet file is to be read, pyarrow or else polars reads it, and their frame is
read as `Table.from_frame` reads one. If neither is installed, one line names the package.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from reference_tree.data.columns import Origin
from reference_tree.data.errors import InputError
from reference_tree.data.frames import columns_of, frame_columns, given_column
from reference_tree.data.readers.raw import PLAIN, Layout, Raw
from reference_tree.data.readers.text import TIMES, UNPACKED, too_large


def parquet_table(content: bytes, path: str, layout: Layout = PLAIN) -> Raw:
    """The raw table in a Parquet file.

    Args:
        content: the bytes of the file.
        path: its name in messages.
        layout: the most bytes that the file may unpack to, two for each cell; the format declares all else.

    Raises:
        InputError: no library is installed, or it cannot read the file; the table is too large; or a cell is neither a
            text nor a number.
    """
    name = next((name for name in ("pyarrow", "polars") if find_spec(name)), None)
    if name is None:
        raise InputError("is Parquet, which pyarrow or polars reads: pip install pyarrow, or save it as CSV", path=path)
    most = max(UNPACKED, TIMES * len(content)) if layout.largest is None else layout.largest
    try:
        frame = _by_pyarrow(content, most // 2) if name == "pyarrow" else _by_polars(content, most // 2)
    except Exception as error:  # each library has errors of its own
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"cannot be read by {name}: {reason}", path=path) from None
    if frame is None:
        raise too_large(most, path)
    columns = columns_of(frame)
    if isinstance(columns, Mapping):
        return Raw([given_column(cells, name, "written") for name, cells in columns.items()], Origin(path))
    return Raw(frame_columns(columns), Origin(path))


def _by_pyarrow(content: bytes, most: int) -> Any:
    """The table in a file; None if it has more cells than this."""
    file = import_module("pyarrow.parquet").ParquetFile(io.BytesIO(content))
    return file.read() if file.metadata.num_rows * file.metadata.num_columns <= most else None


def _by_polars(content: bytes, most: int) -> Any:
    frame = import_module("polars").scan_parquet(io.BytesIO(content))
    cells = frame.select(import_module("polars").len()).collect().item() * len(frame.collect_schema())
    return frame.collect() if cells <= most else None


__all__ = ["parquet_table"]
