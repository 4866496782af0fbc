r"""CSV: comma-separated values, as RFC 4180 has them, and tab-separated ones.

1. The first line that is not blank names the columns.
2. Every further row has a cell for each column. Blank lines are skipped.
3. A cell in double quotes may hold anything: separators, line breaks, blanks that count, and a quote written twice.
4. Around a cell, in quotes or not, blanks do not count, though RFC 4180 counts them: many published files have a blank
   after each comma.

`?`, an empty cell and `NA` are missing values unless the caller names others. Quotes make no difference to that: many
programs quote every cell they write.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError
from reference_tree.data.readers.raw import Raw, Row, marks, raw_table
from reference_tree.data.readers.text import read_text
from reference_tree.exact.rationals import shortened

MISSING = ("?", "", "NA")
"""The cells that are missing values, unless the caller says otherwise."""

_NAMED = {",": "commas", "\t": "tabs"}

_QUOTED = r'"([^"]*+(?:""[^"]*+)*+)"'


def read_csv(path: Path, missing: Collection[str] | None = None) -> Raw:
    """The raw table in a file of comma-separated values; tab-separated, where its name ends in `.tsv`.

    Raises:
        InputError: see `csv_table` and `read_text`.
    """
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    return csv_table(read_text(path), str(path), missing, separator)


def csv_table(text: str, path: str, missing: Collection[str] | None = None, separator: str = ",") -> Raw:
    r"""The raw table in a text of comma-separated values.

    Args:
        text: header and rows, lines ending in a line feed.
        path: its name, for messages.
        missing: the cells that are missing values; `MISSING` if none are given.
        separator: what stands between cells.

    Raises:
        InputError: a quote is misplaced or never closed, a column has no name or another's, or a row has not as many
            cells as there are columns.

    Example:
        >>> raw = csv_table('wind, note\nweak, "calm, dry"\n?, "a ""gale"" "\n', "weather.csv")
        >>> [(column.name, column.cells) for column in raw.columns]
        [('wind', ('weak', None)), ('note', ('calm, dry', 'a "gale" '))]
    """
    absent = marks(missing, MISSING)
    if columns := _columns(text, separator):
        names = _checked((1, [column[0] for column in columns]), path, separator)
        known = [Column(name, _without(absent, column[1:])) for name, column in zip(names, columns, strict=True)]
        return Raw(known, Origin(path, range(2, len(columns[0]) + 1)))
    lines = _rows(text, path, separator)
    header = next(lines)
    names = _checked(header, path, separator)
    rows = [Row(line, [None if cell in absent else cell for cell in cells]) for line, cells in lines]
    return raw_table(rows, names, path)


def _without(absent: frozenset[str], cells: tuple[str, ...]) -> tuple[str | None, ...]:
    return cells if absent.isdisjoint(cells) else tuple([None if cell in absent else cell for cell in cells])


def _columns(text: str, separator: str) -> list[tuple[str, ...]] | None:
    """The columns of a plain table, header and all, cut at once in a tenth of the time that its rows would take.

    Plain is a table of at least two columns and rows, without blank or ragged lines, whose quotes change nothing.
    """
    if '"' in text:
        if not _plain(separator).fullmatch(text):
            return None
        text = text.replace('"', "")
    width, text = text.partition("\n")[0].count(separator) + 1, text.rstrip("\n")
    cells = text.replace("\n", separator + "\n").split(separator)
    # Each line end now begins a cell. All do in the first column, and every cell of it but the header has one.
    first = "".join(cells[::width]).split("\n")
    if not 1 < len(first) == text.count("\n") + 1 == len(cells) / width or width == 1:
        return None
    # Joined and split once more, the cells of a column stand side by side in memory, and all that follows is faster.
    others = ("\n".join(cells[place::width]).split("\n") for place in range(1, width))
    return [tuple(map(str.strip, column)) for column in (first, *others)]


def _plain(separator: str) -> re.Pattern[str]:
    """What a text looks like in which quotes stand only around cells that would be the same without them."""
    blanks, inner, edge = rf"[^\S\n{separator}]*+", rf'[^"\n{separator}]', rf'[^"\s{separator}]'
    quoted = rf'{blanks}"(?:{edge}(?:{inner}*{edge})?)?"{blanks}'
    return re.compile(rf"(?:(?:{quoted}|{inner}*+)(?:[\n{separator}]|\Z))*+")


def _rows(text: str, path: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the line on which it begins."""
    cell = _cell(separator)
    line, at = 1, 0
    while at < len(text):
        cells, end = _row(text, at, cell, path)
        if len(cells) > 1 or text[at:end].strip():
            yield line, cells
        line, at = line + text.count("\n", at, end), end


def _cell(separator: str) -> re.Pattern[str]:
    """What one cell and the separator or line end after it look like."""
    blanks = rf"[^\S\n{separator}]*+"
    return re.compile(rf'(?:{blanks}{_QUOTED}{blanks}|([^"\n{separator}]*+))({separator}|\n|\Z)')


def _row(text: str, at: int, cell: re.Pattern[str], path: str) -> tuple[list[str], int]:
    """The cells of the row that begins here, and where the next one does."""
    cells = []
    while match := cell.match(text, at):
        quoted, plain, end = match.groups()
        cells.append(plain.strip() if quoted is None else quoted.replace('""', '"'))
        at = match.end()
        if end in ("\n", ""):
            return cells, at
    raise _misplaced_quote(text, at, path)


def _misplaced_quote(text: str, at: int, path: str) -> InputError:
    """The error for a cell that is neither quoted nor free of quotes."""
    opening = text.index('"', at)
    line = text.count("\n", 0, opening) + 1
    place = opening - text.rfind("\n", 0, opening)
    if text[at:opening].strip():
        message = "a quote within a cell; put the whole cell in quotes and write the quote twice"
    elif closing := re.compile(_QUOTED).match(text, opening):
        ends = text.count("\n", 0, closing.end()) + 1
        message = f"the quote that opens here closes on line {ends} before more text; write a quote within a cell twice"
    else:
        message = "the quote that opens here is never closed"
    return InputError(message, path=path, line=line, column=place)


def _checked(header: tuple[int, list[str]], path: str, separator: str) -> list[str]:
    """The names of the columns."""
    line, names = header
    seen: set[str] = set()
    for place, name in enumerate(names, 1):
        if not name:
            raise InputError(f"cell {place} of the header is empty; name the column", path=path, line=line)
        if name in seen:
            raise InputError("stands twice in the header; rename one", path=path, line=line, column=name)
        seen.add(name)
    if len(names) == 1 and (other := re.search(r"[;|,\t]", names[0])):
        found = f"the header is one cell, {shortened(names[0])}, with {other[0]!r} in it"
        raise InputError(f"{found}; separate cells by {_NAMED[separator]}", path=path, line=line)
    return names
