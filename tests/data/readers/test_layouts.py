"""How files are written: separators, headers, packing and open files."""

from __future__ import annotations

import csv
import gzip
import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers import read
from reference_tree.data.table import Table
from reference_tree.learners.cart import CART

HEADER = ["wind", "speed", "play"]
ROWS = [["weak", "7.5", "yes"], ["strong", "31", "no"], ["weak, then none", "2", "yes"]]


def rows_of(table: Table) -> list[list[object]]:
    return [list(row.values()) for row in table.rows()]


def written(separator: str, header: bool = True) -> str:
    """The rows as the standard library writes them."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows([HEADER, *ROWS] if header else ROWS)
    return text.getvalue()


@pytest.fixture
def expected(tmp_path: Path) -> list[list[object]]:
    (tmp_path / "expected.csv").write_text(written(","), encoding="utf-8")
    return rows_of(read(tmp_path / "expected.csv"))


@pytest.mark.parametrize(
    ("name", "separator"),
    [("a.csv", ";"), ("a.csv", "|"), ("a.csv", "\t"), ("a.txt", ";"), ("a.txt", "\t"), ("a.txt", ","), ("a.tsv", "\t")],
)
def test_the_first_line_shows_what_separates(tmp_path: Path, name: str, separator: str, expected: object) -> None:
    (tmp_path / name).write_text(written(separator), encoding="utf-8")
    assert rows_of(read(tmp_path / name)) == expected
    assert rows_of(read(tmp_path / name, separator=separator)) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blanks_separate_where_nothing_else_does(tmp_path: Path, end: str, expected: object) -> None:
    lines = ["wind  speed   play", " weak     7.5  yes", "strong   31     no ", '"weak, then none" 2 yes', ""]
    (tmp_path / "a.txt").write_text(end.join(lines), encoding="utf-8")
    assert rows_of(read(tmp_path / "a.txt")) == rows_of(read(tmp_path / "a.txt", separator=" ")) == expected
    (tmp_path / "b.txt").write_text("a name\nbut one\nwith more words\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.txt, line 3: the row has 3 values for 2 columns"):
        read(tmp_path / "b.txt")


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
def test_a_first_line_says_what_separates(tmp_path: Path, separator: str, expected: object) -> None:
    (tmp_path / "a.csv").write_text(f"sep={separator}\n{written(separator)}", encoding="utf-8")
    assert rows_of(read(tmp_path / "a.csv")) == rows_of(read(tmp_path / "a.csv", separator=separator)) == expected
    (tmp_path / "b.csv").write_text("sep=;\na;b\n1;2;3\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.csv, line 3: "):
        read(tmp_path / "b.csv")


def test_what_is_packed_is_unpacked_whatever_its_name(tmp_path: Path, expected: object) -> None:
    packed = gzip.compress(written(",").encode())
    (tmp_path / "a.csv").write_bytes(packed)
    assert rows_of(read(tmp_path / "a.csv")) == rows_of(read(io.BytesIO(packed))) == expected
    with pytest.raises(InputError, match="cannot be unpacked by gzip"):
        read(io.BytesIO(packed[:20]))


@pytest.mark.parametrize("separator", ["^", "]", "\\", "-", "~", " ", ":", "*", "."])
def test_any_sign_can_separate(tmp_path: Path, separator: str) -> None:
    rows = [["a1", "b1"], ["x", "y"], ["7", "z"]]
    (tmp_path / "a.csv").write_text("".join(f"{one}{separator}{two}\n" for one, two in rows), encoding="utf-8")
    assert rows_of(read(tmp_path / "a.csv", separator=separator)) == rows[1:]


COMMAS = "size;depth;kind\n1,5;3;a\n-0,25;,5;b\n2;1,5;a\n"


def numbers_of(table: Table, name: str) -> list[object]:
    return [row[name] for row in table.rows()]


def test_decimal_commas_are_read_where_nothing_else_can_be_meant(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(COMMAS, encoding="utf-8")
    with pytest.warns(InputWarning, match=r"a\.csv: the numbers of size, depth have decimal commas"):
        table = read(tmp_path / "a.csv")
    assert numbers_of(table, "size") == [Fraction(3, 2), Fraction(-1, 4), 2]
    assert numbers_of(table, "depth") == [3, Fraction(1, 2), Fraction(3, 2)]
    (tmp_path / "points.csv").write_text(COMMAS.replace(",", "."), encoding="utf-8")
    assert CART().grow(table).nodes == CART().grow(read(tmp_path / "points.csv")).nodes


@pytest.mark.filterwarnings("ignore::reference_tree.data.errors.InputWarning")
def test_who_says_what_stands_before_decimals_is_heard(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(COMMAS.replace("1,5", "1,500").replace("-0,25", "2,250"), encoding="utf-8")
    columns = {decimal: numbers_of(read(tmp_path / "a.csv", decimal=decimal), "size") for decimal in (None, ".", ",")}
    assert columns[None] == columns["."] == ["1,500", "2,250", "2"]  # thousands, perhaps: they are read as they stand
    assert columns[","] == [Fraction(3, 2), Fraction(9, 4), 2]
    with pytest.raises(InputError, match="decimals follow a point or a comma, not ';'"):
        read(tmp_path / "a.csv", decimal=";")


def test_categories_with_a_comma_keep_it(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(COMMAS, encoding="utf-8")
    assert numbers_of(read(tmp_path / "a.csv", categorical=["size", "depth"]), "size") == ["1,5", "-0,25", "2"]


def test_beside_decimal_commas_a_point_is_in_no_number(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("size;kind\n1.500;a\n2,5;b\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2, column size: '1\.500' has no decimal comma; correct it"):
        read(tmp_path / "a.csv", decimal=",", continuous=["size"])


def test_columns_with_neither_name_nor_value_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b,,\n1,2,,\n3,4,,\n", encoding="utf-8")
    (tmp_path / "rows.csv").write_text("a,b,,\n\n1,2,,\n3,4,,\n", encoding="utf-8")  # which is cut by rows
    for name in ("a.csv", "rows.csv"):
        with pytest.warns(InputWarning) as caught:
            table = read(tmp_path / name)
        assert [list(row.values()) for row in table.rows()] == [[1, 2], [3, 4]]
        text = "has neither a name nor a value, and is left out"
        assert [str(one.message) for one in caught] == [f"{tmp_path / name}: column {place} {text}" for place in (3, 4)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read_by_its_mark(tmp_path: Path, encoding: str) -> None:
    text = "größe\tkind\r\n1\ta\r\n2\tb\r\n"
    marked = text if encoding == "utf-16" else "\ufeff" + text
    (tmp_path / "a.txt").write_bytes(marked.encode(encoding))
    assert [dict(row) for row in read(tmp_path / "a.txt").rows()] == [
        {"größe": 1, "kind": "a"},
        {"größe": 2, "kind": "b"},
    ]


@pytest.mark.parametrize("separator", ["", ";;", "a", "7", '"', "\n"])
def test_what_cannot_separate_is_refused(tmp_path: Path, separator: str) -> None:
    (tmp_path / "a.csv").write_text("a,b\nx,y\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.csv: .* cannot separate cells; a separator is one sign"):
        read(tmp_path / "a.csv", separator=separator)


@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a.data"])
@pytest.mark.parametrize("quoted", [False, True])
def test_without_a_header_the_columns_have_numbers(tmp_path: Path, name: str, quoted: bool) -> None:
    rows = ROWS if quoted else ROWS[:2]
    text = "".join(",".join(f'"{cell}"' if quoted else cell for cell in row) + "\n" for row in rows)
    (tmp_path / name).write_text(text, encoding="utf-8")
    table = read(tmp_path / name, header=False)
    assert [attribute.name for attribute in (*table.schema.attributes, table.schema.target)] == ["c1", "c2", "c3"]
    assert [row[0] for row in rows_of(table)] == [row[0] for row in rows]
    (tmp_path / name).write_text("7,a\n8,b\nx\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 3: the row has 1 value for 2 columns"):
        read(tmp_path / name, header=False)
    (tmp_path / name).write_text("1e999,a\n8,b\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1, column c1: '1e999' has more than 400 digits"):
        read(tmp_path / name, header=False)


def test_a_packed_file_is_unpacked(tmp_path: Path, expected: object) -> None:
    for name in ("a.csv.gz", "B.CSV.GZ", "c.txt.gz"):
        (tmp_path / name).write_bytes(gzip.compress(written(",").encode()))
        assert rows_of(read(tmp_path / name)) == expected
    assert read(tmp_path / "a.csv.gz").name == "a"


def test_a_file_that_is_badly_packed_is_refused(tmp_path: Path) -> None:
    content = gzip.compress(written(",").encode())
    for wrong in (b"a,b\n1,2\n", content[: len(content) // 2], content[:12] + b"\xff\xff\xff" + content[15:]):
        (tmp_path / "a.csv.gz").write_bytes(wrong)
        with pytest.raises(InputError, match=r"a\.csv\.gz: cannot be unpacked by gzip"):
            read(tmp_path / "a.csv.gz")


def test_an_open_file_is_read(tmp_path: Path, expected: object) -> None:
    assert rows_of(read(io.StringIO(written(";")))) == expected
    assert rows_of(read(io.BytesIO(written(",").encode()))) == expected
    with (tmp_path / "expected.csv").open(encoding="utf-8", newline="") as file:
        table = read(file)
    assert (rows_of(table), table.name) == (expected, "expected")
    arff = "% days\n\n@RELATION days\n@attribute wind {weak,strong}\n@attribute play {no,yes}\n@data\nweak,yes\n"
    assert rows_of(read(io.StringIO(arff))) == [["weak", "yes"]]
    with pytest.raises(InputError, match=r"^the open file, line 3: the row has 1 value"):
        read(io.StringIO("a,b\n1,2\n3\n"))


def test_a_first_column_without_a_name_is_left_out() -> None:
    """As `DataFrame.to_csv()` of pandas and `write.csv` of R write it."""
    for text in (",wind,play\n0,weak,yes\n1,strong,no\n", '"","wind","play"\n"1","weak","yes"\n"2","strong","no"\n'):
        with pytest.warns(InputWarning, match="the first column has no name and is left out"):
            table = read(io.StringIO(text))
        assert rows_of(table) == [["weak", "yes"], ["strong", "no"]]
        with pytest.raises(InputError, match="line 3: the row has 2 values for 3 columns"):
            read(io.StringIO(",wind,play\n0,weak,yes\n1,strong\n"))


@pytest.mark.parametrize("separator", [" ", "\t", ";"])
def test_names_of_rows_as_r_writes_them_are_left_out(tmp_path: Path, separator: str, expected: object) -> None:
    """As `write.table` of R writes it: a header of one name less than there are columns."""
    lines = [
        [f'"{name}"' for name in HEADER],
        *([f'"{n}"', f'"{a}"', b, f'"{c}"'] for n, (a, b, c) in enumerate(ROWS, 1)),
    ]
    (tmp_path / "a.txt").write_text("".join(separator.join(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.warns(InputWarning, match="the first column has no name and is left out"):
        assert rows_of(read(tmp_path / "a.txt")) == expected


@pytest.mark.parametrize("separator", [",", ";"])
def test_separators_at_the_end_of_rows_alone_end_no_cell(tmp_path: Path, separator: str, expected: object) -> None:
    head, *lines = written(separator).splitlines()
    (tmp_path / "a.csv").write_text(head + "".join(f"\n{line}{separator}" for line in lines), encoding="utf-8")
    with pytest.warns(InputWarning, match="column 4 has neither a name nor a value, and is left out"):
        assert rows_of(read(tmp_path / "a.csv")) == expected


@pytest.mark.parametrize(
    "text", ["name,x,y\nKing, Ada,1,a\nKing, Bo,2,b\n", "x;y\n1;2;a\n1;3;b\n", "x;y\n1;2;a\n", "x;y\n1;2;a\n2;b\n"]
)
def test_another_surplus_cell_is_no_name_of_a_row(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.csv, line 2: the row has \d values for \d columns"):
        read(tmp_path / "a.csv")


@pytest.mark.parametrize("decimal", [None, ","])
@pytest.mark.filterwarnings("ignore::reference_tree.data.errors.InputWarning")
def test_decimal_commas_are_kept_where_a_row_has_no_target(tmp_path: Path, decimal: str | None) -> None:
    (tmp_path / "a.csv").write_text("x;w;y\n1,5;0,5;a\n2,5;1;b\n3,5;2;\n4,25;1;b\n", encoding="utf-8")
    table = read(tmp_path / "a.csv", weights="w", decimal=decimal)
    assert [row["x"] for row in table.rows()] == [Fraction(3, 2), Fraction(5, 2), Fraction(17, 4)]
    assert list(table.weighted()) == [Fraction(1, 2), 1, 1]


@pytest.mark.filterwarnings("ignore::reference_tree.data.errors.InputWarning")
def test_decimal_commas_with_exponents(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x;y\n1,5E-05;a\n2,5e+3;b\n4,0E2;b\n", encoding="utf-8")
    assert [row["x"] for row in read(tmp_path / "a.csv").rows()] == [Fraction(15, 10**6), 2500, 400]


def test_a_number_with_a_comma_is_told_how_to_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x;y\n1.5;a\n1,5;b\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"make it \? where it is missing, say decimal=',' if decimals have commas, or"
    ):
        read(tmp_path / "a.csv", continuous=["x"])


def test_no_column_is_called_by_a_star() -> None:
    options: list[dict[str, Any]] = [{"target": "*"}, {"weights": "*"}, {"continuous": "*"}]
    for option in options:
        with pytest.raises(InputError, match=r"there is no column '\*'; there are x, y"):
            Table.from_columns({"x": [1, 2], "y": ["a", "b"]}, **option)
    assert Table.from_columns({"x": [1, 2], "y": ["a", "b"]}, categorical="*").schema.attributes[0].values == ("1", "2")


def test_a_weight_that_is_no_number() -> None:
    with pytest.raises(InputError, match=r"column w: row 2: 'foo' is not a number; a weight is a positive number$"):
        Table.from_columns({"w": ["1", "foo"], "x": [1, 2], "y": ["a", "b"]}, weights="w")
