r"""C4.5: Quinlan's pair of files, `STEM.names` with the declarations and `STEM.data` with the rows.

1. The first entry of `.names` lists the classes: `Play, Don't Play.`
2. Every further entry is an attribute, `NAME: VALUE, VALUE, ...` with its domain, whose order is kept, or `NAME: KIND`.
   KIND is `continuous`, `discrete N` (at most N values, which the rows show) or `ignore` (the column is left out).
3. A row of `.data` has the values of the attributes in that order, separated by commas, and its class last.
   The column of the classes is called `class`. A `?` is a missing value.
4. `|` begins a comment. A full stop or the end of the line ends an entry; after a comma it goes on in the next line.
   Names may hold blanks (several count as one) and full stops that no blank follows; a backslash takes the special
   meaning from any character.

C5.0 may name the target instead of listing classes: a first entry `NAME.` that is also the name of an attribute. That is
read too, and its `label` is read as `ignore`. Its formulas (`:=`), dates and ordered values are refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from reference_tree.data.columns import Column
from reference_tree.data.errors import InputError, listed
from reference_tree.data.readers.raw import Raw, Row, marks, raw_table
from reference_tree.data.readers.text import read_text
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import shortened

MISSING = ("?",)
"""The values that are missing, unless the caller says otherwise."""

CLASS = "class"
"""The name of the column that holds the classes."""

_COMMENT = re.compile(r"(\\.)|\|[^\n]*")
_NAME = re.compile(r"\s*((?:[^\\.:,\n]++|\\.?|\.(?!\s|\Z))*+)([.:,\n]|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_DISCRETE = re.compile(r"discrete\s*(\d+)", re.ASCII)
_OF_C50 = re.compile(r"=.*|\[ordered\].*|date|time|timestamp")


class _Name(NamedTuple):
    """A name or value, as C4.5's `ReadName` finds them in both files."""

    text: str
    end: str
    """What ends it: a comma, a colon, a full stop or a line feed; nothing at the end of the file."""
    line: int


class _Entry(NamedTuple):
    """An entry of `.names`: the list of classes (no name), or an attribute."""

    name: str | None
    values: tuple[str, ...]
    line: int


class _Declared(NamedTuple):
    """A column of `.data`."""

    name: str
    attribute: Attribute | None = None
    """None, if its values are not declared."""
    limit: int | None = None
    """N, for `discrete N`."""
    is_ignored: bool = False


def read_c45(path: Path, missing: Collection[str] | None = None) -> Raw:
    """The raw table in a pair of files of which either is named.

    Raises:
        InputError: one of the two is missing, or see `c45_table` and `read_text`.
    """
    beside = _beside(path)
    if path.exists() and not beside.exists():
        raise InputError(f"has no {beside.name} beside it; both are needed", path=str(path))
    names, data = (path, beside) if path.suffix.lower() == ".names" else (beside, path)
    return c45_table(read_text(names), read_text(data), str(names), str(data), missing)


def _beside(path: Path) -> Path:
    """The other file of the pair."""
    suffix = ".data" if path.suffix.lower() == ".names" else ".names"
    return path.with_suffix(suffix.upper() if path.suffix.isupper() else suffix)


def c45_table(names: str, data: str, names_path: str, data_path: str, missing: Collection[str] | None = None) -> Raw:
    r"""The raw table in a pair of texts.

    Args:
        names: the declarations.
        data: the rows.
        names_path: what the declarations are called, for messages.
        data_path: what the rows are called.
        missing: the values that are missing; `MISSING` if none are given.

    Raises:
        InputError: an entry or a row cannot be read, or is of a kind that is refused.

    Example:
        >>> names = "Play, Don't Play.   | classes\nwindy: true, false.\nhumidity: continuous.\n"
        >>> raw = c45_table(names, "false, 85, Don't Play\n?, 78, Play\n", "golf.names", "golf.data")
        >>> [(column.name, column.cells) for column in raw.columns]
        [('windy', ('false', None)), ('humidity', ('85', '78')), ('class', ("Don't Play", 'Play'))]
    """
    declared, target = _declarations(names, names_path)
    rows = _rows(data, data_path, marks(missing, MISSING))
    raw = raw_table(rows, [each.name for each in declared], data_path, [each.attribute for each in declared])
    pairs = zip(raw.columns, declared, strict=True)
    columns = [_with_values(column, each, data_path) for column, each in pairs if not each.is_ignored]
    return raw._replace(columns=columns, target=target)


def _declarations(text: str, path: str) -> tuple[list[_Declared], str]:
    """The columns, and the one that is the target."""
    first, *entries = _entries(text, path)
    if first.name is not None:
        message = f"{shortened(first.name)} is an attribute; the first entry lists the classes"
        raise InputError(message, path=path, line=first.line)
    declared = [_declared(entry, path) for entry in entries]
    names = [each.name for each in declared]
    if len(first.values) == 1:
        if first.values[0] in names:
            return declared, first.values[0]
        message = f"there is one class, {shortened(first.values[0])}; list at least two, or name an attribute"
        raise InputError(message, path=path, line=first.line)
    declared.append(_Declared(CLASS, Attribute(CLASS, first.values)))
    for place, entry in enumerate(entries):
        if entry.name in (CLASS, *names[:place]):
            raise InputError("stands twice, or is the column of the classes; rename it", path=path, line=entry.line,
                             column=entry.name)
    return declared, CLASS
