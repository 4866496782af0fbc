r"""Workbooks: the first sheet of the `.xlsx` files of Excel.

A workbook is a zip archive of XML. The parts that are needed:

1. `xl/workbook.xml` lists the sheets, and the relations beside it say in which file each is.
2. `xl/sharedStrings.xml` holds the texts, to which the cells of a sheet refer by number.
3. `xl/styles.xml` says which cells are dates: a date is a number of days, shown in a format of years, months and days.

A number is a double, written to seventeen digits; it stands for the shortest decimal of that double, which is what a
person typed. A date becomes 2013-01-14, a date with a time 2013-01-14 07:30:00. The value of a formula is the one that
Excel saved. Everything else is as in a CSV file: the first row names the columns, and `#N/A` among numbers is missing.
"""

from __future__ import annotations

import io
import posixpath
import re
import warnings
import zipfile
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import count
from xml.etree import ElementTree
from xml.parsers import expat

from reference_tree.data.errors import InputError, InputWarning, shown
from reference_tree.data.readers.csv_files import grid_table
from reference_tree.data.readers.raw import PLAIN, Layout, Raw
from reference_tree.data.readers.text import too_large

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_PACKAGE = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(officeDocument|spreadsheetml)/(relationships|main)")

_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
"""The numbers of the built-in formats of dates and times."""

_NO_PARTS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')
"""The parts of a format that are no letters of a date: texts, colours and conditions."""

_PLACE = re.compile(r"([A-Z]{1,3})(\d+)")
_MOST_COLUMNS = 16_384


def xlsx_table(content: bytes, path: str, layout: Layout = PLAIN) -> Raw:
    """The raw table in the first sheet of a workbook.

    Args:
        content: the bytes of the file.
        path: its name in messages.
        layout: whether the first row names the columns, which cells are missing values, and the most bytes that the
            file may unpack to.

    Raises:
        InputError: it is no workbook or a damaged one, it unpacks to too much, or the sheet holds no table.

    Warns:
        InputWarning: there are other sheets.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            book = _Book(archive, path, layout.largest or max(1 << 26, 100 * len(content)))
            rows = list(book.rows())
    except (zipfile.BadZipFile, zlib.error, KeyError, OSError, EOFError, RuntimeError, NotImplementedError) as error:
        raise InputError(f"is no workbook that can be read: {error}", path=path) from None
    except (ElementTree.ParseError, ValueError, IndexError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"is a damaged workbook: {error}; save it anew, or as CSV", path=path) from None
    if not rows:
        raise InputError("its first sheet is empty; a header and at least one row are needed", path=path)
    width = max(len(cells) for _, cells in rows)
    left = min(next(place for place, cell in enumerate(cells) if cell) for _, cells in rows)
    return grid_table(((number, (cells + [""] * (width - len(cells)))[left:]) for number, cells in rows), path, layout)


class _Book:
    """A workbook, with a bound on the unpacked bytes of all its parts."""

    def __init__(self, archive: zipfile.ZipFile, path: str, largest: int) -> None:
        self._archive, self._path, self._largest, self._read = archive, path, largest, 0
        self._names = set(archive.namelist())
        workbook = self._part("xl/workbook.xml")
        sheets = workbook.findall(f"{_MAIN}sheets/{_MAIN}sheet")
        if len(sheets) > 1:
            others = f"{len(sheets) - 1} other sheet{'s are' if len(sheets) > 2 else ' is'} left out"
            message = f"the first sheet, {shown(sheets[0].get('name'))}, is read, and {others}"
            warnings.warn(InputWarning(f"{path}: {message}"), stacklevel=4)
        relations = self._part("xl/_rels/workbook.xml.rels")
        targets = {one.get("Id"): one.get("Target", "") for one in relations.iter(f"{_PACKAGE}Relationship")}
        self._sheet = posixpath.normpath(posixpath.join("/xl", targets[sheets[0].get(_RELATION)])).lstrip("/")
        properties = workbook.find(f"{_MAIN}workbookPr")
        self._since_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self._texts = [_text(one) for one in self._parts("xl/sharedStrings.xml", "si")]
        self._dates = self._date_styles()

    def _part(self, name: str) -> ElementTree.Element:
        with self._archive.open(name) as file:
            content = file.read(self._largest - self._read + 1)
        self._read += len(content)
        if self._read > self._largest:
            raise too_large(self._largest, self._path)
        if _declares_a_type(content):
            raise InputError("its XML declares entities, as no program writes them", path=self._path)
        return ElementTree.fromstring(_STRICT.sub(_transitional, content))

    def _parts(self, name: str, kind: str) -> Sequence[ElementTree.Element]:
        return self._part(name).findall(f"{_MAIN}{kind}") if name in self._names else []

    def _date_styles(self) -> Collection[int]:
        """The numbers of the styles that show a number as a date."""
        if "xl/styles.xml" not in self._names:
            return ()
        styles = self._part("xl/styles.xml")
        dates = set(_DATES)
        for one in styles.iter(f"{_MAIN}numFmt"):
            number, form = int(one.get("numFmtId", "0")), _NO_PARTS.sub("", one.get("formatCode", "")).lower()
            is_date = re.search("[ymdh]", form) is not None and "general" not in form
            dates = dates | {number} if is_date else dates - {number}
        formats = styles.findall(f"{_MAIN}cellXfs/{_MAIN}xf")
        return {place for place, one in enumerate(formats) if int(one.get("numFmtId", "0")) in dates}

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The rows that are not blank, each with its number, as texts."""
        numbers = count(1)
        for row in self._part(self._sheet).iter(f"{_MAIN}row"):
            number = int(row.get("r") or next(numbers))
            cells: list[str] = []
            for cell in row.iter(f"{_MAIN}c"):
                place = _column_of(cell.get("r"), len(cells))
                if place >= _MOST_COLUMNS:
                    raise InputError("the row has a cell beyond column XFD", path=self._path, line=number)
                cells += [""] * (place + 1 - len(cells))
                cells[place] = self._written(cell).strip()
            if any(cells):
                yield number, cells

    def _written(self, cell: ElementTree.Element) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            inline = cell.find(f"{_MAIN}is")
            return "" if inline is None else _text(inline)
        text = cell.findtext(f"{_MAIN}v") or ""
        if kind == "s":
            return self._texts[int(text)]
        if kind == "b":
            return "TRUE" if text == "1" else "FALSE"
        if kind != "n" or not text:
            return text.replace("T", " ") if kind == "d" else text
        number = repr(float(text)).removesuffix(".0")
        return _date(Fraction(number), self._since_1904) if int(cell.get("s", "0")) in self._dates else number


class _FoundError(Exception):
    """The search is for the beginning of a text."""


def _declares_a_type(content: bytes) -> bool:
    """Whether a text of XML, in any encoding, declares a document type, and in it perhaps entities.

    Example:
        >>> text = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'
        >>> [_declares_a_type(text.encode(encoding)) for encoding in ("utf-8", "utf-16")]
        [True, True]
        >>> _declares_a_type(b"<a>&lt;!DOCTYPE</a>")
        False
    """
    found = []

    def stop(*declared: object) -> None:
        found.append(len(declared) > 2)  # an element has two: its name and its attributes
        raise _FoundError

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = parser.StartElementHandler = stop
    with suppress(_FoundError, expat.ExpatError):  # a fault is found again where the text is parsed
        parser.Parse(content, True)
    return found == [True]


def _transitional(match: re.Match[bytes]) -> bytes:
    """The name that a kind of element has outside of the strict form."""
    return b"http://schemas.openxmlformats.org/" + match[1] + b"/2006/" + match[2]


def _text(element: ElementTree.Element) -> str:
    """The text of its runs, without the marks of how it is pronounced."""
    runs = [element, *element.findall(f"{_MAIN}r")]
    return "".join(run.findtext(f"{_MAIN}t") or "" for run in runs)


def _column_of(place: str | None, otherwise: int) -> int:
    """The number of a column, from 0: that of `AB7` is 27."""
    if (match := _PLACE.fullmatch(place or "")) is None:
        return otherwise
    number = 0
    for letter in match[1]:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _date(days: Fraction, since_1904: bool) -> str:
    """The date, or the time of a day, that a number of days is.

    Example:
        >>> _date(Fraction(41288), False), _date(Fraction(165155, 4), False), _date(Fraction(1, 4), False)
        ('2013-01-14', '2013-01-14 18:00:00', '06:00:00')
    """
    seconds = round(days * 86_400)
    day, second = divmod(seconds, 86_400)
    time = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
    if day <= 0 and not since_1904:
        return time if seconds >= 0 else str(days)
    date = _calendar(day + (1462 if since_1904 else 0))
    return f"{date} {time}" if second else date


def _calendar(day: int) -> str:
    """The date of a day, counted as Excel does: day 60 is the 29th of February 1900, which there was not."""
    if day == 60:
        return "1900-02-29"
    since_march = day + 693_899 + (day < 60)  # from the first of March of the year 0, so that a leap day ends a year
    cycle, rest = divmod(since_march, 146_097)  # days of 400 years
    year = (rest - rest // 1460 + rest // 36_524 - rest // 146_096) // 365
    rest -= 365 * year + year // 4 - year // 100
    month = (5 * rest + 2) // 153
    date, is_next = rest - (153 * month + 2) // 5 + 1, month > 9
    return f"{400 * cycle + year + is_next:04}-{month - 9 if is_next else month + 3:02}-{date:02}"


__all__ = ["xlsx_table"]
