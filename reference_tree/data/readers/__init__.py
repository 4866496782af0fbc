"""Readers: from a file to a table.

Each format has a module. It finds the names of the columns, the cells of the rows, and the declarations of the format
itself. The rest is common to all: `reference_tree.data.table.assemble` infers types, makes values exact, and separates
the target.

| file | module | declares its columns |
| --- | --- | --- |
| `.csv`, `.tsv`, `.tab`, `.psv`, `.txt`, `.dat` | `csv_files` | no: they are inferred |
| the same, with Orange's header | `orange_files` | yes |
| `.json`, `.jsonl`, `.ndjson` | `json_files` | no |
| `.xlsx` | `xlsx_files` | no |
| `.arff`, KEEL's `.dat` | `arff_files` | yes |
| `.names` with `.data` or `.test` | `c45_files` | yes |
| `.parquet` | `parquet_files` | yes |

An open file can be read as well: standard input, or a text in memory. Its name or its first word tells its format. A
packed file has `.gz`, `.bz2`, `.xz` or `.zip` after the suffix that tells its format.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from reference_tree.data.columns import Column
from reference_tree.data.errors import InputError, InputWarning, listed, wording
from reference_tree.data.readers.arff_files import BEGINNING, arff_table
from reference_tree.data.readers.c45_files import read_c45
from reference_tree.data.readers.csv_files import IN_JSON, csv_table, separator_of
from reference_tree.data.readers.json_files import json_table
from reference_tree.data.readers.memory import refuse_beyond_memory
from reference_tree.data.readers.parquet_files import parquet_table
from reference_tree.data.readers.raw import PLAIN, Layout, Raw
from reference_tree.data.readers.text import Source, check_file, decode, format_of, name_of, read_bytes, title_of
from reference_tree.data.readers.xlsx_files import xlsx_table
from reference_tree.data.table import Table, assemble

SEPARATED, ARFF, C45, JSON = (
    (".csv", ".tsv", ".tab", ".psv", ".txt", ".dat"),
    (".arff",),
    (".names", ".data", ".test"),
    (".json", ".jsonl", ".ndjson"),
)
"""The suffixes of the texts that can be read."""

BINARY = {".xlsx": (b"PK\3\4", xlsx_table), ".parquet": (b"PAR1", parquet_table)}
"""The suffix of a file that is no text → its first bytes, and its reader."""


def read(
    source: Source,
    target: str | None = None,
    *,
    weights: str | None = None,
    categorical: Collection[str] = (),
    continuous: Collection[str] = (),
    missing: Collection[str] | None = None,
    separator: str | None = None,
    header: bool = True,
    decimal: str | None = None,
    encoding: str | None = None,
    largest: int | None = None,
) -> Table:
    """The table in a file.

    Args:
        source: the path of a file of one of the formats above, packed or not, or of one of the files `.names`, `.data`
            and `.test`; or a file that is open.
        target: the column to predict; if not given, the one that the format says, otherwise the last. Where the format
            says several, one of them has to be given, and the others are left out.
        weights: the column that holds the weight of each row; an ARFF file may hold weights of its own.
        categorical: columns to be read as categories even if they hold numbers; `*` means all.
        continuous: columns to be read as numbers.
        missing: the cells that are missing values; if not given, `?`, an empty cell and `NA` in a `.csv` or `.tsv`
            file, which declares nothing, and `?` in the other formats; and the codes, such as `N/A`, that are the only
            texts among numbers.
        separator: the mark between the cells of a file that is neither ARFF nor C4.5's; if not given, a tab in a
            `.tsv` file, otherwise the commonest mark of the first line: commas, semicolons, tabs or bars.
        header: whether the first line of such a file names the columns; if not, they are `c1`, `c2`, ...
        decimal: the mark before the decimals of its numbers, a point or a comma; if not given, a comma in a column
            whose numbers have one, unless commas separate cells or may part thousands.
        encoding: the encoding of its text, as Python names it; if not given, UTF-8, or UTF-16, or the one that
            `reference_tree.data.readers.text` guesses, and says.
        largest: the most bytes that a packed file may unpack to; if not given, eight million, or a hundred times its
            size.

    Returns:
        The table, named as the file without its suffix.

    Raises:
        InputError: the file cannot be read; the message names the line, the column and the remedy.

    Warns:
        InputWarning: the first column has no name and is left out; or a column is doubtful, see
            `reference_tree.data.doubts`.
    """
    raw = read_raw(source, Layout(missing, separator, header, decimal, encoding, largest))
    name = name_of(source)
    if weights and raw.weights:
        raise InputError("the rows state weights of their own; name no other", path=name, column=weights)
    raw, chosen = _with_one_class(raw, target, name)
    table = assemble(raw.columns, chosen, weights or raw.weights, categorical, continuous, title_of(name), raw.origin)
    numeric = _numeric(table)
    commas = [column.name for column in raw.columns if column.decimal == "," and column.name in numeric]
    if decimal is None and commas:
        option = wording("decimal='.'", "--decimal .")
        message = f"the numbers of {listed(commas)} have decimal commas (if these part thousands, say {option})"
        warnings.warn(InputWarning(f"{name}: {message}"), stacklevel=2)
        for column, text in _with_points(raw.columns, table):
            message = f"column {column}: {text} is read with a decimal point, beside decimal commas"
            message = f"{message} (if it parts thousands, write {text.replace('.', '')})"
            warnings.warn(InputWarning(f"{name}: {message}"), stacklevel=2)
    if target is None and raw.behind is not None:
        option = wording(f"target={raw.behind!r}", f"--target {raw.behind}")
        message = f"{table.schema.target.name}, the last column of the first row, is predicted"
        message = f"{message}; other rows have {raw.behind} behind it (say {option} to predict that)"
        warnings.warn(InputWarning(f"{name}: {message}"), stacklevel=2)
    for remark in table.remarks:
        warnings.warn(InputWarning(f"{name}: {remark}"), stacklevel=2)
    return table


def _with_one_class(raw: Raw, target: str | None, path: str) -> tuple[Raw, str | None]:
    """The columns without further classes, and the column to predict; None for the last.

    Raises:
        InputError: the format declares several classes, and none is chosen.
    """
    if target is None and len(raw.classes) > 1:
        option = wording(f"target={raw.classes[0]!r}", f"--target {raw.classes[0]}")
        raise InputError(f"{listed(raw.classes)} are classes, and one is predicted; say {option}", path=path)
    chosen = raw.classes[0] if target is None and raw.classes else target
    others = [name for name in raw.classes if name != chosen] if chosen in raw.classes else []
    if others:
        message = f"{listed(others)}: a class as well, and left out"
        warnings.warn(InputWarning(f"{path}: {message}"), stacklevel=3)
    return raw._replace(columns=[column for column in raw.columns if column.name not in others]), chosen


def _numeric(table: Table) -> set[str]:
    schema = table.schema
    return {attribute.name for attribute in (*schema.attributes, schema.target) if attribute.values is None}


_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")
"""A number whose point may part its thousands."""


def _with_points(columns: Sequence[Column], table: Table) -> Iterator[tuple[str, str]]:
    """The columns of numbers whose points may all part thousands, each with a text that has one."""
    numeric = _numeric(table)
    for column in columns:
        texts = sorted(text for text in column.texts if "." in text)
        if column.decimal == "." and column.name in numeric and texts and all(map(_THOUSANDS.fullmatch, texts)):
            yield column.name, texts[0]


def read_raw(source: Source, layout: Layout = PLAIN) -> Raw:
    """The columns of a file before they have types.

    Raises:
        InputError: the file cannot be read.
    """
    name, is_path = name_of(source), isinstance(source, str | os.PathLike)
    end = format_of(name)
    if end in C45 and is_path and (layout.header or end == ".names"):
        return read_c45(Path(name), layout)
    if (
        end not in (*SEPARATED, *ARFF, *JSON, *BINARY)
        and is_path
        and layout.header
        and not name.lower().endswith(".zip")
    ):
        check_file(name)
        known = ", ".join((*SEPARATED, *ARFF, *C45, *JSON, *BINARY))
        raise InputError(f"files of this kind are not read; a table is one of {known}; save it as one", path=name)
    if is_path and os.path.isfile(name):
        refuse_beyond_memory(os.path.getsize(name), name)
    content = read_bytes(source, layout.largest)
    refuse_beyond_memory(len(content), name)
    for kind, (begins, reader) in BINARY.items():
        if end == kind or content.startswith(begins):
            return reader(content, name, layout)
    text = decode(content, name, layout.encoding)
    if end in ARFF or (end not in (".csv", ".tsv") and BEGINNING.match(text)):
        return arff_table(text, name, layout.missing)
    if end in JSON or (end not in SEPARATED and IN_JSON.match(text)):
        return json_table(text, name, layout.missing)
    separator = separator_of(text, name) if layout.separator is None else layout.separator
    return csv_table(text, name, layout.missing, separator, layout.header, layout.decimal)


__all__ = ["read", "read_raw"]
