"""Readers: from a file to a table.

Each format has a module. It finds the names of the columns, the cells of the rows, and what the format itself says of
them. The rest is the same for all: `reference_tree.data.table.assemble` infers types, makes values exact, and sets the
target apart.

| file | module | declares its columns |
| --- | --- | --- |
| `.csv`, `.tsv` | `csv_files` | no: they are inferred |
| `.arff` | `arff_files` | yes |
| `.names` with `.data` | `c45_files` | yes |
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path

from reference_tree.data.errors import InputError
from reference_tree.data.readers.arff_files import read_arff
from reference_tree.data.readers.c45_files import read_c45
from reference_tree.data.readers.csv_files import read_csv
from reference_tree.data.readers.raw import Raw
from reference_tree.data.readers.text import check_file
from reference_tree.data.table import Table, assemble

_READERS: dict[str, Callable[[Path, Collection[str] | None], Raw]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".arff": read_arff,
    ".names": read_c45,
    ".data": read_c45,
}


def read(
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    weights: str | None = None,
    categorical: Collection[str] = (),
    continuous: Collection[str] = (),
    missing: Collection[str] | None = None,
) -> Table:
    """The table in a file.

    Args:
        path: of a `.csv`, `.tsv` or `.arff` file, or of either of a pair `.names` and `.data`.
        target: the column to predict; if not given, the one that the format says, otherwise the last.
        weights: the column that holds the weight of each row; an ARFF file may hold weights of its own.
        categorical: columns to be read as categories whatever they hold; `*` means all.
        continuous: columns to be read as numbers.
        missing: the cells that are missing values; if not given, `?`, an empty cell and `NA` in a `.csv` or `.tsv`
            file, which declares nothing, and `?` in the other formats.

    Returns:
        The table, named as the file without its suffix.

    Raises:
        InputError: the file cannot be read; the message names the line, the column and what to do.
    """
    raw = read_raw(path, missing)
    file = Path(path)
    if weights and raw.weights:
        raise InputError("the rows state weights of their own; name no other", path=str(file), column=weights)
    chosen = raw.target if target is None else target
    return assemble(raw.columns, chosen, weights or raw.weights, categorical, continuous, file.stem, raw.origin)


def read_raw(path: str | os.PathLike[str], missing: Collection[str] | None = None) -> Raw:
    """The columns of a file before anything has a type.

    Raises:
        InputError: the file cannot be read.
    """
    file = Path(path)
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        check_file(file)
        raise InputError(f"files of this kind are not read; a table is one of {', '.join(_READERS)}", path=str(file))
    return reader(file, missing)


__all__ = ["read", "read_raw"]
