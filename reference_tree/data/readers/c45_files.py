r"""C4.5: Quinlan's files, `STEM.names` with the declarations, `STEM.data` with the rows, and `STEM.test` with others.

1. The first entry of `.names` lists the classes: `Play, Don't Play.`
2. Every further entry is an attribute, `NAME: VALUE, VALUE, ...` with its domain, whose order is kept, or `NAME: KIND`.
   KIND is `continuous`, `discrete N` (at most N values, which the rows show) or `ignore` (the column is left out).
3. A row of `.data` has the values of the attributes in that order, separated by commas, and its class last.
   The column of the classes is called `class`. A `?` is a missing value.
4. `|` begins a comment. A full stop or the end of the line ends an entry; after a comma it continues on the next line.
   Names may hold blanks (several count as one) and full stops that no blank follows; a backslash removes the special
   meaning of any character.

`STEM.test` has the form of `STEM.data`: rows to be predicted, or counted.

UCI's `.names` is often prose, a description under numbered headings. Then the rows of the file beside it are read as
those of a CSV file without a header, and a remark says so. A `.names` file that is mostly declarations is none, and a
fault in it is refused.

C5.0 may name the target instead of listing classes: its first entry is then the name of an attribute, `NAME.`. That is
read too, and its `label` is read as `ignore`. Its formulas (`:=`), dates and ordered values are refused.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from reference_tree.data.columns import Column
from reference_tree.data.errors import InputError, InputWarning, listed, wording
from reference_tree.data.readers.csv_files import csv_table, separator_of
from reference_tree.data.readers.raw import PLAIN, Layout, Raw, RawRow, marks, raw_table
from reference_tree.data.readers.text import check_file, read_text
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import shortened

MISSING = ("?",)
"""The values that are missing, unless the caller says otherwise."""

CLASS = "class"
"""The name of the column that holds the classes."""

_COMMENT = re.compile(r"(\\.)|\|[^\n]*")
_NAME = re.compile(r"\s*((?:[^\\.:,\n]++|\\.?|\.(?!\s|\Z))*+)([.:,\n]|\Z)", re.DOTALL | re.ASCII)
_WORD = re.compile(r"\S+", re.ASCII)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_DISCRETE = re.compile(r"discrete\s*(\d+)", re.ASCII)
_OF_C50 = re.compile(r"=.*|\[ordered\].*|date|time|timestamp")


class _Name(NamedTuple):
    """A name or value, as C4.5's `ReadName` finds it in both files."""

    text: str
    end: str
    """The sign that ends it: a comma, a colon, a full stop or a line feed; empty at the end of the file."""
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


def read_c45(path: Path, layout: Layout = PLAIN) -> Raw:
    """The raw table in a pair of files, given the path of either.

    Raises:
        InputError: one of the two is missing, or see `c45_table` and `read_text`.
    """
    check_file(path)
    other = beside(path)
    if not other.exists():
        option = wording("header=False", "--no-header")
        advice = "" if _is_names(path) else f"; what has no header, either, is read with {option}"
        raise InputError(f"has no {other.name} beside it; both are needed{advice}", path=str(path))
    names, data = (path, other) if _is_names(path) else (other, path)
    declarations, rows = (read_text(file, layout.encoding, layout.largest) for file in (names, data))
    if is_prose(declarations, str(names)):
        message = f"is a description and declares nothing; the columns of {data.name} are c1, c2, ..."
        warnings.warn(InputWarning(f"{names}: {message}, and the last is the usual target"), stacklevel=3)
        separator = layout.separator or separator_of(rows, str(data))
        return csv_table(rows, str(data), layout.missing, separator, header=False, decimal=layout.decimal)
    return c45_table(declarations, rows, str(names), str(data), layout.missing)


_HEADING = re.compile(
    r"^\s*\d+\s*[.)]?\s*(?:title|sources?|past usage|relevant information|number of (?:instances|attributes)"
    r"|attribute information|missing attribute|class distribution)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LIST = r"[^,\s][^,]*(?:,[^,]+)+,?"
_CLASSES = re.compile(_LIST)
_DECLARING = re.compile(rf"[^:]+:\s*(?:continuous|discrete\s*\d+|ignore|label|{_LIST})\s*\.?\s*")
"""A line that lists the values of an attribute, or names its kind."""
_SENTENCE = 3
"""A line with more words is no name of a class."""


def is_prose(text: str, path: str) -> bool:
    r"""Whether a `.names` file describes the data in words: it cannot be read, and few of its lines declare anything.

    Example:
        >>> is_prose("1. Title: Plants\n2. Sources: nobody\n", "plants.names")
        True
        >>> is_prose("yes, no.\nwind: weak, strong.\nspeed continuous.\n", "days.names")
        False
    """
    try:
        if len(_declarations(text, path)[0]) > 1:
            return False
    except InputError:
        pass
    if _HEADING.search(text):
        return True
    lines = [line for line in _COMMENT.sub(lambda match: match[1] or "", text).splitlines() if line.strip()]
    declaring = sum(_DECLARING.fullmatch(line) is not None for line in lines)
    declaring += any(_CLASSES.fullmatch(line) for line in lines[:1])
    if not declaring:  # a line of several words is a sentence
        return any(len(line.split()) > _SENTENCE for line in lines)
    return len(lines) > 2 and 3 * declaring < len(lines)


def beside(path: Path) -> Path:
    """The other file of the pair, packed or not; that of the declarations has the rows of `.data` beside it."""
    plain = _unpacked(path)
    suffix = ".data" if _is_names(path) else ".names"
    other = plain.with_suffix(suffix.upper() if plain.suffix.isupper() else suffix)
    packed = other.with_name(f"{other.name}.gz")
    first, second = (other, packed) if plain == path else (packed, other)
    return second if second.exists() and not first.exists() else first


def _unpacked(path: Path) -> Path:
    """The name of a file without the suffix of a packed one."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def _is_names(path: Path) -> bool:
    return _unpacked(path).suffix.lower() == ".names"


def c45_table(names: str, data: str, names_path: str, data_path: str, missing: Collection[str] | None = None) -> Raw:
    r"""The raw table in a pair of texts.

    Args:
        names: the declarations.
        data: the rows.
        names_path: the name of the declarations in messages.
        data_path: the name of the rows in messages.
        missing: the values that are missing; None for `MISSING`.

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
    return raw._replace(columns=columns, classes=(target,))


def _declarations(text: str, path: str) -> tuple[list[_Declared], str]:
    """The columns in the order of the data, and the one that is the target."""
    classes, *entries = _entries(text, path)
    if classes.name is not None:
        raise _fault("the first entry is an attribute; list the classes before it", path, classes.line, classes.name)
    declared = [_declared(entry, path) for entry in entries]
    target = classes.values[0] if len(classes.values) == 1 else CLASS
    if len(classes.values) > 1:
        declared.append(_Declared(CLASS, Attribute(CLASS, _domain(classes, path))))
    elif target not in [each.name for each in declared]:
        raise _fault(f"one class, {shortened(target)}, is too few; list all, or name an attribute", path, classes.line)
    _check_names([(entry.name, entry.line) for entry in entries], path, CLASS if target == CLASS else None)
    return declared, target


def _check_names(names: list[tuple[str | None, int]], path: str, reserved: str | None) -> None:
    seen = {reserved}
    for name, line in names:
        if name in seen:
            other = "the column of the classes" if name == reserved else "another attribute"
            raise _fault(f"{name} is the name of {other} as well; rename it", path, line)
        seen.add(name)


def _declared(entry: _Entry, path: str) -> _Declared:
    """The column that an entry declares."""
    if entry.name is None:
        message = f"{shortened(', '.join(entry.values))} has no colon; an attribute is NAME: VALUE, VALUE, ..."
        raise _fault(message, path, entry.line)
    kind = entry.values[0]
    if _OF_C50.fullmatch(kind):
        message = f"{shortened(kind)} is C5.0's and not read; use values, continuous, discrete N or ignore"
        raise _fault(message, path, entry.line, entry.name)
    if len(entry.values) > 1:
        return _Declared(entry.name, Attribute(entry.name, _domain(entry, path)))
    if kind == "continuous":
        return _Declared(entry.name, Attribute(entry.name))
    if kind in ("ignore", "label"):
        return _Declared(entry.name, is_ignored=True)
    if (discrete := _DISCRETE.fullmatch(kind)) and len(discrete[1]) < 10:
        return _Declared(entry.name, limit=int(discrete[1]))
    message = f"one value, {shortened(kind)}, is too few; list all, or say continuous, discrete N or ignore"
    raise _fault(message, path, entry.line, entry.name)


def _domain(entry: _Entry, path: str) -> tuple[str, ...]:
    """The values of an entry, all different."""
    if twice := [value for value, times in Counter(entry.values).items() if times > 1]:
        message = f"the value {shortened(twice[0])} occurs twice; take one out"
        raise _fault(message, path, entry.line, entry.name or CLASS)
    return entry.values


def _with_values(column: Column, declared: _Declared, path: str) -> Column:
    """The column, with the values of its rows as its domain if it is `discrete N`, sorted by code point."""
    if declared.limit is None:
        return column
    values = sorted({str(cell) for cell in column.cells if cell is not None})
    if len(values) > declared.limit:
        message = f"has {len(values)} values where {declared.limit} are declared: {listed(values)}"
        raise InputError(message, path=path, column=column.name)
    return Column(column.name, column.cells, Attribute(column.name, tuple(values)))


def _entries(text: str, path: str) -> list[_Entry]:
    """The entries of `.names`, at least one."""
    entries = [_entry(names, path) for names in _lists(text, path)]
    if not entries:
        raise InputError("there are no entries; the first lists the classes", path=path)
    return entries


def _entry(names: list[_Name], path: str) -> _Entry:
    head, *rest = names
    attribute, values = (head.text, rest) if head.end == ":" else (None, names)
    for value in values:
        if value.end == ":":
            message = f"the list before {shortened(value.text)} ends in a comma; end it with a full stop"
            raise _fault(message, path, value.line)
    return _Entry(attribute, tuple(value.text for value in values), head.line)


def _rows(text: str, path: str, absent: Collection[str]) -> list[RawRow]:
    """The rows of `.data`."""
    rows = []
    for names in _lists(text, path):
        if colon := next((name for name in names if name.end == ":"), None):
            message = f"a colon after {shortened(colon.text)}; where it belongs to a value, write a backslash before it"
            raise _fault(message, path, colon.line)
        rows.append(RawRow(names[0].line, [None if name.text in absent else name.text for name in names]))
    return rows


def _lists(text: str, path: str) -> Iterator[list[_Name]]:
    """The names of a text, grouped into the lists that commas and colons join."""
    found: list[_Name] = []
    for name in _names(text):
        if not name.text:
            message = f"nothing stands before {shortened(name.end)}; write ? for a missing value"
            raise _fault(message, path, name.line)
        found.append(name)
        if name.end not in (",", ":"):
            yield found
            found = []
    if found:
        raise _fault(f"{shortened(found[-1].end)} ends the file; something has to follow it", path, found[-1].line)


def _names(text: str) -> Iterator[_Name]:
    """Every name of a text, without comments, escapes and needless blanks."""
    uncommented = _COMMENT.sub(lambda match: match[1] or "", text)
    line, counted = 1, 0
    for match in _NAME.finditer(uncommented):
        line, counted = line + uncommented.count("\n", counted, match.start(1)), match.start(1)
        name, end = " ".join(match[1].split() if match[1].isascii() else _WORD.findall(match[1])), match[2]
        if name or end:
            yield _Name(_ESCAPE.sub(r"\1", name) if "\\" in name else name, end, line)


def _fault(message: str, path: str, line: int, column: str | None = None) -> InputError:
    return InputError(message, path=path, line=line, column=column)
