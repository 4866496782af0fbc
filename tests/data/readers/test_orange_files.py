"""Orange's header, as Orange 3.40.0 reads it: each expectation was seen in its `Table.from_file`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from warnings import catch_warnings
from zipfile import ZipFile

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers.csv_files import csv_table
from reference_tree.data.readers.orange_files import header_of
from reference_tree.data.schema import Attribute
from tests.every import of_every

DAYS = "outlook\ttemp\twind\tnote\tday\tplay\nd\tc\tweak strong\tstring\tc\td\n\t\t\t\tmeta\tclass\n"
ROWS = "sunny\t85\tweak\thot\t1\tno\nrain\t.\tstrong\t\t2\tyes\n~\t70.5\t?\twet\t3\tyes\n"


def read(tmp_path: Path, text: str, name: str = "days.tab", target: str | None = None) -> rt.Table:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return rt.read(file, target)


def test_kinds_and_flags_are_read(tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match="note, day: of a kind or a role that makes no attribute"):
        table = read(tmp_path, DAYS + ROWS)
    outlook, temp, wind = table.schema.attributes
    assert (outlook.values, temp.kind, wind.values) == (("rain", "sunny"), "continuous", ("weak", "strong"))
    assert table.schema.target == Attribute("play", ("no", "yes"))
    assert [list(row.values()) for row in table.rows()] == [
        ["sunny", 85, "weak", "no"],
        ["rain", None, "strong", "yes"],
        [None, 70.5, None, "yes"],
    ]


@of_every([".csv", ".tsv", ".txt", ".tab.gz"])
def test_a_header_with_a_flag_that_is_spelled_out_is_one_in_any_file(end: str) -> None:
    sign = "," if end == ".csv" else "\t"
    text = "a\tb\ty\nd\tc\td\n\t\tclass\nu\t1\tp\nv\t2\tq\nv\t3\tq\n".replace("\t", sign)
    found = csv_table(text, f"days{end}", separator=sign)
    assert [(column.name, column.cells) for column in found.columns] == [
        ("a", ("u", "v", "v")),
        ("b", ("1", "2", "3")),
        ("y", ("p", "q", "q")),
    ]
    assert found.classes == ("y",)
    assert list(found.origin.lines or ()) == [4, 5, 6]


@of_every(
    [
        ("a,b,y\nd,c,d\nc,m,i\n", ".csv"),  # rows of letters
        ("a\tb\ty\nd\tx\td\nc\tm\ti\n", ".tab"),
        ("a\tb\ty\n1\t2\tq\n3\t4\tp\n", ".tab"),
        ("a\tb\ty\nc\td\tn\nx\ty\tz\n", ".tab"),
        ("a,b,y\nmeta,class,x\nclass,meta,y\n", ".csv"),
    ]
)
def test_rows_are_rows(text: str, end: str) -> None:
    separator = "," if end == ".csv" else "\t"
    assert len(csv_table(text, f"t{end}", separator=separator).columns[0].cells) == 2


def test_letters_alone_are_a_header_where_the_file_is_one_of_orange() -> None:
    """Orange takes them for one, too."""
    assert header_of([["a", "y"], ["c", "d"], ["m", "c"]], "t.tab") is not None
    assert header_of([["a", "y"], ["c", "d"], ["m", "c"]], "t.csv") is None


def test_the_third_line_may_be_blank(tmp_path: Path) -> None:
    table = read(tmp_path, "id\tcontinent\nd\td\n\n1\tEurope\n2\tAmerica\n")
    assert table.schema.attributes[0].values == ("1", "2")
    assert len(table) == 2


def test_lines_keep_their_numbers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 6.*the row has 2 values"):
        read(tmp_path, "a\tb\ty\nd\tc\td\n\t\tclass\nu\t1\tp\nu\t1\tp\nv\t2\n")
    with pytest.raises(InputError, match=r"line 5, column b: 'x' is not a number"):
        read(tmp_path, "a\tb\ty\nd\tc\td\n\t\tclass\nu\t1\tp\nv\tx\tq\n")
    with pytest.raises(InputError, match=r"line 6, column b: 'x' is not a number"):
        read(tmp_path, "a\tb\ty\nd\tc\td\n\t\tclass\n\nu\t1\tp\nv\tx\tq\n")


@of_every(
    [
        ("a\tb\ty\nd\tcont\td\n\t\tclass\nu\t1\tp\n", "line 2, column b: 'cont' is no kind"),
        ("a\tb\ty\nd\tc\td\n\t\tclas\nu\t1\tp\n", "line 3, column y: 'clas' is no flag"),
        ("a\tb\ty\ndiscrete\tcontinuous\tdiscrete\nu\t1\tp\n", "line 3, column a: 'u' is no flag"),
        ("a\tb\ty\nd\tt\td\n\t\tclass\nu\t1\tp\n", "line 2, column b: times are not read"),
        ("a\tb\ty\nd\tc\ts\n\t\tclass\nu\t1\tp\n", "line 2, column y: a class is no text"),
        ("a\tb\ty\nd\tc\td\n\t\tclass meta\nu\t1\tp\n", "line 3, column y: is flagged class and meta"),
        ("a\tb\ty\nd\tc\td\nw\tw\tclass\nu\t1\tp\n", "a, b are flagged weight"),
        ("a\tb\ty\nd\tc\td\n\tclass\tclass\nu\t1\tp\n", "b, y are classes, and one is predicted; say target='b'"),
        ("a\ty\nd\tp p\n\tclass\nu\tp\n", "line 2, column y: a value is listed twice"),
        ("a\ty\nd\tp q\n\tclass\nu\tx\n", "line 4, column y: 'x' is not among the declared values: p, q"),
        ("d#sex\tcC#IQ\nm\t100\nf\t110\n", "line 1, column d#sex: a kind before # is a capital letter; write D#sex"),
    ]
)
def test_what_is_not_understood_is_refused_by_name(text: str, told: str) -> None:
    with TemporaryDirectory() as folder, pytest.raises(InputError) as error, catch_warnings(action="ignore"):
        read(Path(folder), text)
    assert told in str(error.value)


def test_one_of_several_classes_is_chosen_and_the_others_are_left_out(tmp_path: Path) -> None:
    text = "a\tb\ty\nd\tc\td\n\tclass\tclass\nu\t1\tp\nv\t2\tq\n"
    with pytest.warns(InputWarning, match="b: a class as well, and left out"):
        table = read(tmp_path, text, target="y")
    assert [attribute.name for attribute in table.schema.attributes] == ["a"]


def test_weights_and_further_members_are_read(tmp_path: Path) -> None:
    text = "a\tn\ty\nd\tc\tno\\ way yes\nkey=1\tweight\tclass origin=x\\ y\nu\t2\tno way\nv\t1/2\tyes\n"
    table = read(tmp_path, text)
    assert table.schema.target.values == ("no way", "yes")
    assert list(table.weighted()) == [2, 0.5]
    assert [attribute.name for attribute in table.schema.attributes] == ["a"]


@of_every([".tab", ".csv"])
def test_prefixes_of_one_line(end: str) -> None:
    text = "D#sex\tmS#name\tN#age\tiC#no\tDc#IQ\tw#n\tplain\nm\tx\t3\t1\t100\t1\tu\nf\ty\t4\t2\t90\t2\tv\n"
    with pytest.warns(InputWarning) as remarks:
        found = csv_table(text, f"t{end}", separator="\t")
    assert "Orange's prefixes" in str(remarks[0].message)
    assert "name, no: of a kind or a role" in str(remarks[1].message)
    declared = {column.name: column.declared for column in found.columns}
    assert declared == {
        "sex": Attribute("sex", ("f", "m")),
        "age": Attribute("age"),
        "IQ": Attribute("IQ", ("100", "90")),
        "n": Attribute("n"),
        "plain": None,
    }
    assert (found.classes, found.weights) == (("IQ",), "n")


def test_a_small_letter_is_a_role_and_no_kind() -> None:
    """Orange 3.40 takes `c#age` for a class, though its own description has it for a number."""
    with pytest.warns(InputWarning):
        assert csv_table("D#sex\tc#age\nm\t3\nf\t4\n", "t.tab", separator="\t").classes == ("age",)


def test_names_with_a_number_sign_are_names() -> None:
    for name in ("C#", "d#x", "a#b", "#", "cc#x"):
        assert csv_table(f"{name},y\n1,p\n2,q\n", "t.csv").columns[0].name == name


def test_a_sheet_has_the_same_header(tmp_path: Path) -> None:
    rows = [["a", "b", "y"], ["d", "c", "d"], ["", "", "class"], ["u", "1", "p"], ["v", "2", "q"]]
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    cells = [
        f'<row r="{number}">' + "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in row) + "</row>"
        for number, row in enumerate(rows, 1)
    ]
    with ZipFile(tmp_path / "t.xlsx", "w") as book:
        book.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{relation}"><sheets><sheet name="s" r:id="r1"/></sheets></workbook>',
        )
        package = "http://schemas.openxmlformats.org/package/2006/relationships"
        target = f'<Relationships xmlns="{package}"><Relationship Id="r1" Target="sheet.xml"/></Relationships>'
        book.writestr("xl/_rels/workbook.xml.rels", target)
        book.writestr("xl/sheet.xml", f'<worksheet xmlns="{main}"><sheetData>{"".join(cells)}</sheetData></worksheet>')
    table = rt.read(tmp_path / "t.xlsx")
    assert (len(table), table.schema.target.values, table.schema.attributes[1].kind) == (2, ("p", "q"), "continuous")


def test_a_tree_predicts_rows_of_the_same_form(tmp_path: Path) -> None:
    with pytest.warns(InputWarning):
        table = read(tmp_path, DAYS + ROWS)
    tree = rt.CART().grow(table.without(["outlook", "wind"]))
    assert [tree.predict(row) for row in ({"temp": 85}, {"temp": 60})] == ["no", "yes"]
