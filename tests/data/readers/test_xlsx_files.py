"""Workbooks: what openpyxl writes is read as it was meant; dates are those of the standard library."""

from __future__ import annotations

import contextlib
import io
import warnings
import zipfile
from datetime import date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers import read
from reference_tree.data.readers.raw import Layout
from reference_tree.data.readers.xlsx_files import _date, xlsx_table
from tests.every import of_every

PARTS = {
    "xl/workbook.xml": '<workbook xmlns="{m}" xmlns:r="{r}"><sheets><sheet name="a" r:id="x"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="{p}"><Relationship Id="x" Target="worksheets/s.xml"/>'
    "</Relationships>",
    "xl/sharedStrings.xml": '<sst xmlns="{m}"><si><t>x</t></si><si><r><t>cl</t></r><r><t>ass</t></r></si></sst>',
    "xl/styles.xml": '<styleSheet xmlns="{m}"><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm"/></numFmts>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    "xl/worksheets/s.xml": '<worksheet xmlns="{m}"><sheetData>'
    '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="inlineStr"><is><t>day</t></is></c>'
    '<c r="D2" t="s"><v>1</v></c></row>'
    '<row r="3"><c r="B3"><v>5.0999999999999996</v></c><c r="C3" s="1"><v>41288</v></c>'
    '<c r="D3" t="str"><v>p</v></c></row>'
    '<row r="5"><c r="B5" t="e"><v>#N/A</v></c><c r="C5" s="2"><v>41290.5</v></c><c r="D5" t="b"><v>1</v></c></row>'
    '<row r="6"><c r="B6"><v>4</v></c><c r="C6" s="2"><v>41291</v></c><c r="D6" t="b"><v>0</v></c></row>'
    "</sheetData></worksheet>",
}
NAMESPACES = {
    "m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "p": "http://schemas.openxmlformats.org/package/2006/relationships",
}


def workbook(**changed: str | None) -> bytes:
    """A workbook whose parts are those above, some of them changed, by the last word of their name."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in PARTS.items():
            part = changed.get(Path(name).name.split(".")[0], text)
            if part is not None:
                for key, address in NAMESPACES.items():
                    part = part.replace(f"{{{key}}}", address)
                archive.writestr(name, part)
    return file.getvalue()


@of_every(
    [
        ("utf-8", "", 1),
        ("utf-16", "", 1),
        ("utf-16", f"<!--{'x' * 2000}-->", 1),
        ("iso-8859-1", "", 1),
        ("utf-16", "", 0),
    ]
)
def test_a_part_with_entities_is_refused_in_any_encoding(encoding: str, before: str, entities: int) -> None:
    """A short text in place of a cell; without the entity the same part is read."""
    declared = '<!DOCTYPE worksheet [<!ENTITY short "p">]>' * entities
    sheet = PARTS["xl/worksheets/s.xml"].replace("<v>p</v>", "<v>&short;</v>" if entities else "<v>p</v>")
    text = f'<?xml version="1.0" encoding="{encoding}"?>{before}{declared}{sheet}'.replace("{m}", NAMESPACES["m"])
    whole, file = io.BytesIO(workbook(s=None)), io.BytesIO()
    with zipfile.ZipFile(whole) as read_from, zipfile.ZipFile(file, "w") as archive:
        for name in read_from.namelist():
            archive.writestr(name, read_from.read(name))
        archive.writestr("xl/worksheets/s.xml", text.encode(encoding))
    if not entities:
        assert xlsx_table(file.getvalue(), "a.xlsx") == xlsx_table(workbook(), "a.xlsx")
        return
    with pytest.raises(InputError, match=r"^a\.xlsx: its XML declares entities"):
        xlsx_table(file.getvalue(), "a.xlsx")


def test_the_cells_of_a_sheet_are_what_a_person_typed() -> None:
    raw = xlsx_table(workbook(), "a.xlsx")
    assert {column.name: list(column.cells) for column in raw.columns} == {
        "x": ["5.1", "#N/A", "4"],
        "day": ["2013-01-14", "2013-01-16 12:00:00", "2013-01-17"],
        "class": ["p", "TRUE", "FALSE"],
    }
    assert list(raw.origin.lines or ()) == [3, 5, 6]


@of_every(
    [
        ({"s": None}, "is no workbook that can be read"),
        ({"s": "<worksheet"}, "is a damaged workbook"),
        ({"s": '<worksheet xmlns="{m}"/>'}, "its first sheet is empty"),
        ({"sharedStrings": '<!DOCTYPE x [<!ENTITY y "z">]><sst xmlns="{m}"/>'}, "its XML declares entities"),
        ({"sharedStrings": '<sst xmlns="{m}"/>'}, "is a damaged workbook: list index out of range"),
        ({"s": PARTS["xl/worksheets/s.xml"].replace("B3", "ZZZ3")}, "the row has a cell beyond column XFD"),
    ]
)
def test_a_damaged_workbook_is_refused_in_one_line(changed: dict[str, str | None], message: str) -> None:
    with pytest.raises(InputError) as error:
        xlsx_table(workbook(**changed), "a.xlsx")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_what_a_workbook_unpacks_to_is_bounded() -> None:
    content = workbook(sharedStrings='<sst xmlns="{m}">' + "<si><t>x</t></si>" * 10_000 + "</sst>")
    with pytest.raises(InputError, match="unpacks to more than 100000 bytes"):
        xlsx_table(content, "a.xlsx", Layout(largest=100_000))


@given(st.integers(61, 2_900_000), st.integers(0, 86_399))
def test_dates_are_those_of_the_standard_library(day: int, second: int) -> None:
    moment = datetime(1899, 12, 30) + timedelta(days=day, seconds=second)
    written = moment.isoformat(" ") if second else moment.date().isoformat()
    assert _date(day + Fraction(second, 86_400), since_1904=False) == written
    assert _date(Fraction(day - 1462), since_1904=True)[:10] == moment.date().isoformat() or day < 1523


def test_the_first_days_are_those_of_excel() -> None:
    assert [_date(Fraction(day), since_1904=False) for day in (1, 59, 60, 61)] == [
        "1900-01-01", "1900-02-28", "1900-02-29", "1900-03-01",
    ]  # fmt: skip
    assert _date(Fraction(0), since_1904=True) == "1904-01-01"


@pytest.mark.oracles
def test_what_openpyxl_writes_is_read(tmp_path: Path) -> None:
    openpyxl: Any = pytest.importorskip("openpyxl")
    book, path = openpyxl.Workbook(), tmp_path / "a.xlsx"
    sheet = book.active
    sheet.append(["größe", "am", "um", "n", "ok", "class"])
    rows: list[list[Any]] = [
        [n / 10, date(2020, 2, 28) + timedelta(n), datetime(2021, 1, 1, n), n, n % 2 == 0, "风é"[n % 2]]
        for n in range(9)
    ]
    for row in rows:
        sheet.append(row)
    book.create_sheet("other")
    book.save(path)
    with pytest.warns(InputWarning, match="the first sheet, 'Sheet', is read, and 1 other sheet is left out"):
        table = read(path, continuous=["am", "um", "n"])
    found = list(table.rows())
    assert [float(row["größe"]) for row in found] == [row[0] for row in rows]  # type: ignore[arg-type]
    assert [row["am"] for row in found] == [int(row[1].strftime("%Y%m%d")) for row in rows]
    assert [row["ok"] for row in found] == [str(row[4]).upper() for row in rows]
    assert [row["class"] for row in found] == [row[5] for row in rows]


@given(st.integers(0, len(workbook()) - 1), st.integers(1, 255))
def test_a_changed_byte_is_no_traceback(place: int, change: int) -> None:
    content = bytearray(workbook())
    content[place] ^= change
    with warnings.catch_warnings(), contextlib.suppress(InputError):
        warnings.simplefilter("ignore")
        xlsx_table(bytes(content), "a.xlsx")
