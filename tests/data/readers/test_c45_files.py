"""C4.5's pair of files, with Quinlan's golf as the model."""

from __future__ import annotations

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers.c45_files import c45_table, read_c45
from reference_tree.data.readers.raw import Raw
from reference_tree.data.schema import Attribute
from tests.every import of_every

NAMES = """| golf
Play, Don't Play.

outlook: sunny, overcast,   | goes on
         rain.
temperature: continuous.
humidity:    continuous
windy:       true, false.   | the wind
"""

DATA = """sunny, 85, 85, false, Don't Play
overcast, 83, ?, false, Play.  | a comment

?, 70.5, .96, true,Play
"""


def raw(names: str = NAMES, data: str = DATA, missing: list[str] | None = None) -> Raw:
    return c45_table(names, data, "golf.names", "golf.data", missing)


def fault(names: str = NAMES, data: str = DATA) -> str:
    with pytest.raises(InputError) as error:
        raw(names, data)
    assert len(str(error.value).splitlines()) == 1
    return str(error.value)


def test_declarations_are_kept_in_their_order() -> None:
    assert [column.declared for column in raw().columns] == [
        Attribute("outlook", ("sunny", "overcast", "rain")),
        Attribute("temperature"),
        Attribute("humidity"),
        Attribute("windy", ("true", "false")),
        Attribute("class", ("Play", "Don't Play")),
    ]
    assert raw().target == "class"


def test_rows_are_kept_with_their_lines() -> None:
    assert [column.cells for column in raw().columns] == [
        ("sunny", "overcast", None),
        ("85", "83", "70.5"),
        ("85", None, ".96"),
        ("false", "false", "true"),
        ("Don't Play", "Play", "Play"),
    ]
    assert (raw().origin.path, raw().origin.lines) == ("golf.data", [1, 2, 4])


@of_every(
    [
        ("a b", "a b"),
        ("a   b", "a b"),
        ("  a\t b ", "a b"),
        ("a.b", "a.b"),
        ("1.5", "1.5"),
        (r"a\, b", "a, b"),
        (r"10\:30", "10:30"),
        (r"a\|b", "a|b"),
        (r"a\\", "a\\"),
        (r"etc\.", "etc."),
        (r"\a", "a"),
        ("a.", "a"),
    ]
)
def test_names(written: str, name: str) -> None:
    assert raw("x, y.\na: continuous.", f"1, {written}\n").columns[-1].cells == (name,)
    assert raw(f"other, {written}\na: continuous.", "1, other\n").columns[-1].declared == Attribute(
        "class", ("other", name)
    )


def test_a_column_can_be_ignored() -> None:
    table = raw("a, b.\nid: ignore.\nx: continuous.\ncase: label.\n", "7, 1, one, a\n8, 2, two, b\n")
    assert [(column.name, column.cells) for column in table.columns] == [("x", ("1", "2")), ("class", ("a", "b"))]


def test_discrete_values_are_those_of_the_rows_by_code_point() -> None:
    table = raw("a, b.\nx: discrete 3.\n", "10, a\n9, b\n?, a\n")
    assert table.columns[0].declared == Attribute("x", ("10", "9"))


def test_the_target_can_be_an_attribute() -> None:
    table = raw("y.\ny: low, high.\nx: continuous.\n", "low, 1\nhigh, 2\n")
    assert table.target == "y"
    assert [column.name for column in table.columns] == ["y", "x"]


def test_a_missing_class_is_none() -> None:
    assert raw("a, b.\nx: continuous.\n", "1, ?\n2, a\n").columns[-1].cells == (None, "a")


def test_other_marks_of_missing_values() -> None:
    assert raw("a, b.\nx: continuous.\n", "na, a\n", missing=["na"]).columns[0].cells == (None,)


@of_every(
    [
        ("| nothing\n", "golf.names: there are no entries; the first lists the classes"),
        ("x: continuous.\na, b.\n", "golf.names, line 1, column x: the first entry is an attribute; list the classes"),
        ("a.\nx: continuous.\n", "golf.names, line 1: one class, 'a', is too few; list all, or name an attribute"),
        ("a, b, a.\nx: continuous.\n", "golf.names, line 1, column class: the value 'a' occurs twice; take one out"),
        ("a, b.\nx: p, q, p.\n", "golf.names, line 2, column x: the value 'p' occurs twice; take one out"),
        ("a, b.\nx: p, q.\n\nx: r, s.\n", "golf.names, line 4: x is the name of another attribute as well; rename it"),
        (
            "a, b.\nclass: p, q.\n",
            "golf.names, line 2: class is the name of the column of the classes as well; rename it",
        ),
        ("a, b.\nx p, q.\n", "golf.names, line 2: 'x p, q' has no colon; an attribute is NAME: VALUE, VALUE, ..."),
        ("a, b.\nx: p.\n", "golf.names, line 2, column x: one value, 'p', is too few; list all, or say continuous"),
        ("a, b.\nx: discrete.\n", "golf.names, line 2, column x: one value, 'discrete', is too few"),
        (
            "a, b.\nx: p, q,\ny: continuous.\n",
            "golf.names, line 3: the list before 'y' ends in a comma; end it with a full",
        ),
        ("a, b.\nx: p,, q.\n", "golf.names, line 2: nothing stands before ','"),
        ("a, b.\n: p, q.\n", "golf.names, line 2: nothing stands before ':'"),
        ("a, b.\nx: p, q,", "golf.names, line 2: ',' ends the file; something has to follow it"),
        ("a, b.\nx:", "golf.names, line 2: ':' ends the file; something has to follow it"),
        (
            "a, b.\nx := y + 1.\n",
            "golf.names, line 2, column x: '= y + 1' is C5.0's and not read; use values, continuous",
        ),
        ("a, b.\nx: [ordered] low, high.\n", "golf.names, line 2, column x: '[ordered] low' is C5.0's and not read"),
        ("a, b.\nx: date.\n", "golf.names, line 2, column x: 'date' is C5.0's and not read"),
    ]
)
def test_a_bad_declaration_names_the_line(names: str, message: str) -> None:
    assert fault(names=names).startswith(message)


@of_every(
    [
        (
            "sunny, 85, 85, false\n",
            "golf.data, line 1: the row has 4 values for 5 columns; write ? for a missing value",
        ),
        ("\nsunny, 85, 85, false, Play, 1\n", "golf.data, line 2: the row has 6 values for 5 columns"),
        ("sunny, 85,, false, Play\n", "golf.data, line 1: nothing stands before ','; write ? for a missing value"),
        (
            "sunny, 10:30, 85, false, Play\n",
            "golf.data, line 1: a colon after '10'; where it belongs to a value, write",
        ),
        ("sunny, 85, 85, false,", "golf.data, line 1: ',' ends the file"),
    ]
)
def test_a_bad_row_names_the_line(data: str, message: str) -> None:
    assert fault(data=data).startswith(message)


def test_more_values_than_declared() -> None:
    message = fault("a, b.\nx: discrete 2.\n", "1, a\n2, a\n3, b\n")
    assert message == "golf.data, column x: has 3 values where 2 are declared: 1, 2, 3"


@pytest.mark.parametrize("named", ["golf.names", "golf.data"])
def test_either_of_the_pair_can_be_named(tmp_path: Path, named: str) -> None:
    (tmp_path / "golf.names").write_text(NAMES, encoding="utf-8")
    (tmp_path / "golf.data").write_text(DATA, encoding="utf-8")
    assert read_c45(tmp_path / named).columns == raw().columns


@pytest.mark.parametrize("named", ["golf.names", "golf.data"])
@pytest.mark.parametrize("packed", [("golf.names", "golf.data"), ("golf.names",), ("golf.data",)])
def test_either_of_the_pair_can_be_packed(tmp_path: Path, named: str, packed: tuple[str, ...]) -> None:
    for name, text in (("golf.names", NAMES), ("golf.data", DATA)):
        content = text.encode()
        (tmp_path / (f"{name}.gz" if name in packed else name)).write_bytes(
            gzip.compress(content) if name in packed else content
        )
    assert read_c45(tmp_path / (f"{named}.gz" if named in packed else named)).columns == raw().columns


def test_a_pair_in_capitals(tmp_path: Path) -> None:
    (tmp_path / "GOLF.NAMES").write_text(NAMES, encoding="utf-8")
    (tmp_path / "GOLF.DATA").write_text(DATA, encoding="utf-8")
    assert read_c45(tmp_path / "GOLF.NAMES").columns == raw().columns


@pytest.mark.parametrize(("there", "lacks"), [("golf.names", "golf.data"), ("golf.data", "golf.names")])
def test_one_of_the_pair_is_not_enough(tmp_path: Path, there: str, lacks: str) -> None:
    (tmp_path / there).write_text(NAMES, encoding="utf-8")
    with pytest.raises(InputError, match=f"{there}: has no {lacks} beside it; both are needed"):
        read_c45(tmp_path / there)


def test_none_of_the_pair(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"golf.names: there is no such file$"):
        read_c45(tmp_path / "golf.names")


def test_rows_for_a_test_are_read_as_the_others(tmp_path: Path) -> None:
    (tmp_path / "golf.names").write_text(NAMES, encoding="utf-8")
    (tmp_path / "golf.test").write_text("|1x3 Cross validator\n" + DATA, encoding="utf-8")
    assert read_c45(tmp_path / "golf.test").columns == raw().columns
    assert len(rt.read(tmp_path / "golf.test")) == 3
    (tmp_path / "other.test").write_text(DATA, encoding="utf-8")
    with pytest.raises(InputError, match=r"has no other\.names beside it"):
        rt.read(tmp_path / "other.test")


PROSE = {
    "headings": "1. Title: Plants\n\n2. Sources:\n   (a) nobody\n\n7. Attribute Information:\n   1. length in cm\n",
    "declarations within": "1) Title: Credit\n5. Number of Instances: 690\n"
    + "".join(f"A{place}:\tcontinuous.\n" for place in range(15))
    + "8. Missing Attribute Values: none\n",
    "no headings": "Measures of plants.\nThey were taken in spring, by hand.\nThe last column has the kind of plant.\n",
    "a line": "5. Number of Instances: 150\n",
    "two words": "Plants of a garden\nin a town\nby the sea\n",
    "two sentences": "This file describes the data.\n\nThe columns are length and width in cm.\n",
}


@of_every(PROSE.values())
def test_a_description_declares_nothing(prose: str) -> None:
    for rows in ("5.1,3.5,one\n4.9,?,one\n6.2,2.2,two\n", "  5.1  3.5  one\n  4.9 ?  one\n 6.2 2.2 two\n"):
        with TemporaryDirectory() as folder:
            names, data = Path(folder, "plants.names"), Path(folder, "plants.data")
            names.write_text(prose, encoding="utf-8")
            data.write_text(rows, encoding="utf-8")
            for file in (names, data):
                with pytest.warns(InputWarning, match="plants.names: is a description and declares nothing"):
                    table = rt.read(file)
                assert [attribute.kind for attribute in table.schema.attributes] == ["continuous"] * 2
                assert table.schema.target == Attribute("c3", ("one", "two"))
                assert table.columns["c2"][1] is None


@of_every(
    [
        NAMES.replace("windy:", "windy"),
        NAMES.replace("Play, Don't Play.\n", ""),
        "yes, no.\nwindy true, false.\n",
        "yes\nx: continuous.\n",
        "yes, no.\nx: continuous.\nsize: date.\n",
    ]
)
def test_a_fault_in_declarations_is_no_description(names: str) -> None:
    with TemporaryDirectory() as folder:
        Path(folder, "golf.names").write_text(names, encoding="utf-8")
        Path(folder, "golf.data").write_text(DATA, encoding="utf-8")
        with pytest.raises(InputError, match=r"golf\.names, line"):
            rt.read(Path(folder, "golf.data"))


def test_blanks_beyond_ascii_are_part_of_a_name() -> None:
    found = raw("p, q.\nx\u3000y: a\u00a0b,  c  d, e.\n", "a\u00a0b , p\nc d,q\n")
    assert [(column.name, column.cells) for column in found.columns] == [
        ("x\u3000y", ("a\u00a0b", "c d")),
        ("class", ("p", "q")),
    ]
