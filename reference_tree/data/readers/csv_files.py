r"""CSV: comma-separated values, as RFC 4180 has them, and tab-separated ones.

1. The first line that is not blank names the columns, unless the caller says that it does not: then they are `c1`,
   `c2`, and so on. A first column without a name numbers the rows, as pandas and R write them, and is left out. R also
   writes one name less than there are columns, which is accepted if cells are not separated by commas.
2. The separator is the one that the caller states; or that a first line `sep=;` states, as Excel writes it; or a tab,
   if the file's name ends in `.tsv`, or in `.tab` and the first line has one; or else the one of comma, semicolon, tab
   and bar, or of the full-width forms of the first two, that is most frequent in the first line. If that has none of
   them, and as many words as the second, blanks separate cells; several count as one.
3. Every further row has a cell for each column. Blank lines are skipped.
4. A cell in double quotes may hold anything: separators, line breaks, blanks that count, and a quote written twice.
5. A column without a name and without a value is left out: some programs write one behind the last column, at the end
   of the header or of the rows only.
6. Numbers have a decimal point; or a comma, if the caller says so, or if cells are not separated by commas and the
   column has numbers that can be read in no other way. Thousands separators are no part of a number.
7. Blanks around a cell, quoted or not, are ignored, though RFC 4180 keeps them: many published files have a blank after
   each comma.

`?`, an empty cell and `NA` are missing values unless the caller names others; and so are the codes that
`reference_tree.data.spellings` knows, such as `N/A` or a period, where all other cells of a column are numbers. Quotes
make no difference to that: many programs quote every cell they write.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError, InputWarning, wording
from reference_tree.data.readers.orange_files import MISSING as OF_ORANGE
from reference_tree.data.readers.orange_files import Header, header_of, under_header
from reference_tree.data.readers.raw import Layout, Raw, RawRow, marks, raw_table
from reference_tree.data.readers.text import format_of
from reference_tree.exact.rationals import is_number, shortened

MISSING = ("?", "", "NA")
"""The cells that are missing values, unless the caller says otherwise."""

SEPARATORS = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "bars",
    "，": "full-width commas",
    "；": "full-width semicolons",
}
"""The separators that are tried, unless the caller states one."""

_SEP_LINE = re.compile(r"\n*+sep=(.)\n")
"""A line that is no row: it states the separator."""

_WITH_COMMA = re.compile(r"[+-]?(?:\d+|\d*,\d+)(?:[eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})*")
"""Numbers with at most one decimal comma; and numbers whose commas may separate thousands."""

_NO_TABLES = {
    "HTML or XML": re.compile(r"\s*+<(?:!doctype|html|\?xml)\b", re.IGNORECASE),
    "JSON": re.compile(r'\s*+(?:\{\s*+"|\[\s*+[\[{])'),
}
"""The beginnings of texts that are no tables of cells."""

IN_JSON = _NO_TABLES["JSON"]

_WORD = re.compile(r'"[^"]*"|\S+', re.ASCII)

_QUOTED = r'"([^"]*+(?:""[^"]*+)*+)"'


def separator_of(text: str, path: str) -> str:
    r"""The separator of a text: the stated one, a tab in a `.tsv` file, or the most frequent one of its first line.

    Example:
        >>> separator_of("wind; 'speed, km/h'; play\n", "a.csv"), separator_of('"a,b,c"\td\n', "a.txt")
        (';', '\t')
        >>> separator_of("wind\n", "a.csv"), separator_of("wind\n", "a.tsv")
        (',', '\t')
        >>> separator_of("wind  play\nweak  yes\n", "a.txt"), separator_of("sep=|\nwind;speed|play\n", "a.csv")
        (' ', '|')
    """
    if stated := _SEP_LINE.match(text):
        return stated[1]
    if format_of(path) == ".tsv":
        return "\t"
    line = re.sub(_QUOTED, "", text.lstrip("\n")).partition("\n")[0]
    if format_of(path) == ".tab" and "\t" in line:
        return "\t"
    found = max(SEPARATORS, key=line.count)
    header, first = [*text.lstrip("\n").split("\n", 2), ""][:2]
    names, words = len(_WORD.findall(header)), len(_WORD.findall(first))
    alike = words == names or (words == names + 1 and first.startswith('"'))  # R quotes the names of rows
    return " " if found not in line and names > 1 and alike else found


def csv_table(
    text: str,
    path: str,
    missing: Collection[str] | None = None,
    separator: str = ",",
    header: bool = True,
    decimal: str | None = None,
) -> Raw:
    r"""The raw table in a text of comma-separated values.

    Args:
        text: header and rows, lines ending in a line feed.
        path: the name of the text in messages.
        missing: the cells that are missing values; None for `MISSING`.
        separator: the sign between cells.
        header: whether the first line names the columns.
        decimal: the decimal mark of numbers; None to infer it for each column.

    Raises:
        InputError: the text is JSON, HTML or XML, a quote is misplaced or never closed, a column has no name or that
            of another, or a row has more or fewer cells than there are columns; or the separator is not one sign, or
            the decimal mark is neither point nor comma.

    Example:
        >>> raw = csv_table('wind, note\nweak, "calm, dry"\n?, "a ""gale"" "\n', "weather.csv")
        >>> [(column.name, column.cells) for column in raw.columns]
        [('wind', ('weak', None)), ('note', ('calm, dry', 'a "gale" '))]
    """
    if not isinstance(separator, str) or len(separator) != 1 or separator.isalnum() or separator in '"\n':
        raise InputError(f"{separator!r} cannot separate cells; a separator is one sign, such as ; or a tab", path=path)
    if decimal not in (None, ".", ","):
        raise InputError(f"decimals follow a point or a comma, not {decimal!r}", path=path)
    if kind := next((kind for kind, begins in _NO_TABLES.items() if begins.match(text)), None):
        advice = "end its name in .json" if kind == "JSON" else "save the table as CSV"
        raise InputError(f"is {kind}, and no CSV; {advice}", path=path)
    absent, text = marks(missing, MISSING), _SEP_LINE.sub("\n", text) if _SEP_LINE.match(text) else text
    if separator == " ":
        text = re.sub("^ +| +$", "", text, flags=re.MULTILINE)
    declared, names_end, further = _declared(text, path, separator) if header and separator != " " else (None, 0, "")
    if declared is not None and missing is None:
        absent = frozenset(OF_ORANGE)
    before, behind = text[:names_end], text[names_end + len(further) :]
    if columns := _columns(before + behind, separator):
        names = _names((1, [column[0] for column in columns]), path, separator, header)
        known = [Column(name, _without(absent, column[header:])) for name, column in zip(names, columns, strict=True)]
        first = 1 + header + further.count("\n")
        raw, first_line = Raw(known, Origin(path, range(first, len(columns[0]) + first - header))), 1
    else:
        text = "".join([before, "\n" * further.count("\n"), behind])
        raw, first_line = _of_lines(_rows(text, path, separator), path, separator, header, absent)
    raw = _named(raw if declared is None else under_header(raw, declared), first_line)
    marked = [
        replace(one, decimal=decimal or decimal_of(one, separator), has_codes=missing is None) for one in raw.columns
    ]
    return raw._replace(columns=marked)


def grid_table(lines: Iterator[tuple[int, list[str]]], path: str, layout: Layout) -> Raw:
    """The raw table of a grid of cells that are texts, such as a sheet of a workbook.

    Args:
        lines: the rows that are not blank, each with its number; at least one.
        path: the name of the file in messages.
        layout: whether the first row names the columns, and which cells are missing values.

    Raises:
        InputError: as for `csv_table`.
    """
    rows = list(lines)
    declared = header_of(_first_lines(rows), path, rows[0][0]) if layout.header else None
    usual = MISSING if declared is None else OF_ORANGE
    if declared is not None:
        rows = [rows[0], *(row for row in rows[1:] if row[0] >= rows[0][0] + declared.lines)]
    raw, first_line = _of_lines(iter(rows), path, "\t", layout.header, marks(layout.missing, usual))
    raw = _named(raw if declared is None else under_header(raw, declared), first_line)
    columns = [replace(column, has_codes=layout.missing is None) for column in raw.columns]
    return raw._replace(columns=columns)


def _of_lines(
    lines: Iterator[tuple[int, list[str]]], path: str, separator: str, header: bool, absent: frozenset[str]
) -> tuple[Raw, int]:
    first = next(lines)
    names = _names(first, path, separator, header)
    further = lines if header else chain([first], lines)
    rows = [RawRow(line, [None if cell in absent else cell for cell in cells]) for line, cells in further]
    return raw_table(rows, _with_surplus(names, rows, separator), path), first[0]


def _with_surplus(names: list[str], rows: list[RawRow], separator: str) -> list[str]:
    """The names, with an empty one if each row has one more cell: a last one without a value, or a first one as in R.

    If commas separate cells, any other surplus cell is more likely a value that contains a comma.
    """
    if {len(row.cells) for row in rows} != {len(names) + 1}:
        return names
    if all(row.cells[-1] is None for row in rows):
        return [*names, ""]
    are_names = separator != "," and len({row.cells[0] for row in rows}) == len(rows) > 1
    return ["", *names] if are_names else names


def _without(absent: frozenset[str], cells: tuple[str, ...]) -> tuple[str | None, ...]:
    return cells if absent.isdisjoint(cells) else tuple([None if cell in absent else cell for cell in cells])


def _columns(text: str, separator: str) -> list[tuple[str, ...]] | None:
    """The columns of a plain table with their headers, in a tenth of the time of reading row by row; otherwise None.

    A table is plain if it has at least two columns and rows, no blank or ragged lines, and no quotes that matter.
    """
    if separator == " ":
        return None
    text = text.rstrip("\n")
    if '"' in text:
        if not _plain(separator).fullmatch(text):
            return None
        text = text.replace('"', "")
    width = text.partition("\n")[0].count(separator) + 1
    cells = text.replace("\n", separator + "\n").split(separator)
    # Each line end now begins a cell. The table is regular if exactly the cells of the first column begin with one,
    # except the header.
    first = "".join(cells[::width]).split("\n")
    if not 1 < len(first) == text.count("\n") + 1 == len(cells) / width or width == 1:
        return None
    # Joined and split again, the cells of a column are adjacent in memory, which makes all later steps faster.
    others = ("\n".join(cells[place::width]).split("\n") for place in range(1, width))
    return [tuple(map(str.strip, column)) for column in (first, *others)]


def _plain(separator: str) -> re.Pattern[str]:
    """The pattern of a text whose quotes enclose only cells that would be the same without them."""
    sign = re.escape(separator)
    blanks, inner, edge = rf"[^\S\n{sign}]*+", rf'[^"\n{sign}]', rf'[^"\s{sign}]'
    quoted = rf'{blanks}"(?:{edge}(?:{inner}*{edge})?)?"{blanks}'
    return re.compile(rf"(?:(?:{quoted}|{inner}*+)(?:[\n{sign}]|\Z))*+")


def _first_lines(rows: Sequence[tuple[int, list[str]]]) -> list[list[str]]:
    """The cells of the first three lines of a grid, blank ones too."""
    cells, last = dict(rows[:3]), rows[-1][0]
    return [cells.get(line, [""]) for line in range(rows[0][0], min(rows[0][0] + 3, last + 1))]


def _declared(text: str, path: str, separator: str) -> tuple[Header | None, int, str]:
    """The header of Orange's, if it is one; the place where the names end, and the further lines of the header."""
    at = len(text) - len(text.lstrip("\n"))
    line, cell = at + 1, _cell(separator)
    found: list[tuple[list[str], int]] = []
    while at < len(text) and len(found) < 3:
        cells, at = _row(text, at, cell, path)
        found.append((cells, at))
    declared = header_of([cells for cells, _ in found], path, line)
    end = found[0][1]
    return declared, end, "" if declared is None or declared.lines == 1 else text[end : found[2][1]]


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
    """The pattern of one cell and the separator or line end after it."""
    sign = re.escape(separator)
    blanks = rf"[^\S\n{sign}]*+"
    several = "+" if separator == " " else ""
    return re.compile(rf'(?:{blanks}{_QUOTED}{blanks}|([^"\n{sign}]*+))({sign}{several}|\n|\Z)')


def _row(text: str, at: int, cell: re.Pattern[str], path: str) -> tuple[list[str], int]:
    """The cells of the row that begins here, and the place where the next row begins."""
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


def _named(raw: Raw, header: int) -> Raw:
    """The table without a first column that has no name, and without further ones that have neither name nor value.

    Args:
        raw: the table.
        header: the line that names the columns.

    Raises:
        InputError: any other column has no name.
    """
    kept = []
    for place, column in enumerate(raw.columns, 1):
        if column.name:
            kept.append(column)
            continue
        if place == 1 and any(other.name for other in raw.columns):
            message = "the first column has no name and is left out: it should number the rows; name it to keep it"
        elif kept and all(cell is None for cell in column.cells):
            message = f"column {place} has neither a name nor a value, and is left out"
        else:
            message = f"cell {place} of the header is empty; name the column, or take out what stands above the header"
            raise InputError(message, path=raw.origin.path, line=header)
        warnings.warn(InputWarning(f"{raw.origin.path}: {message}"), stacklevel=3)
    return raw._replace(columns=kept)


def decimal_of(column: Column, separator: str) -> str:
    """The decimal mark of a column: a comma if most cells have one or none, unless it may separate thousands.

    Example:
        >>> [decimal_of(Column("size", cells), ";") for cells in (["1,5", "2"], ["1,500", "2"], ["1.5", "2"])]
        [',', '.', '.']
    """
    if separator == "," or not any("," in text for text in column.texts):
        return "."
    found = [text for text in column.texts if _WITH_COMMA.fullmatch(text)]
    return "," if 2 * len(found) > len(column.texts) and not all(map(_THOUSANDS.fullmatch, found)) else "."


def _names(first: tuple[int, list[str]], path: str, separator: str, header: bool) -> list[str]:
    """The names of the columns."""
    line, names = first
    if not header:
        return [f"c{place}" for place, _ in enumerate(names, 1)]
    option = wording("header=False", "--no-header")
    if 2 * sum(map(is_number, names)) > len(names):
        message = f"most names of the columns are numbers: if the first line is a row, there is no header ({option})"
        warnings.warn(InputWarning(f"{path}: {message}"), stacklevel=2)
    seen: set[str] = set()
    for name in names:
        if name and name in seen:
            advice = f"rename one, or say {option} if that line is a row"
            raise InputError(f"occurs twice in the header; {advice}", path=path, line=line, column=name)
        seen.add(name)
    if len(names) == 1 and (other := re.search(r"[;|,\t]", names[0])):
        found = f"the header is one cell, {shortened(names[0])}, with {other[0]!r} in it"
        wanted = SEPARATORS.get(separator, repr(separator))
        raise InputError(f"{found}; separate cells by {wanted}", path=path, line=line)
    return names
