r"""ARFF, as Weka writes it: the round trips quote as `weka.core.Utils.quote` does."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers import read, read_raw
from reference_tree.data.readers.arff_files import arff_table
from reference_tree.data.readers.raw import Raw
from reference_tree.data.schema import Attribute
from tests.every import of_every

WEATHER = """% The weather data.
@RELATION weather

@Attribute outlook {sunny, overcast, rainy}   % in the order of the book
@attribute temperature REAL
@attribute 'wind speed'\tnumeric
@attribute note string
@attribute play{yes,no}

@DATA
% five of fourteen
sunny, 85, 1.5, 'very hot', no
overcast,83,?,cool,yes
rainy\t70 0 ? yes

rainy,65,2,'?',?   % nobody knows
"""


def raw(text: str, missing: list[str] | None = None) -> Raw:
    return arff_table(text, "weather.arff", missing)


def one(cell: str, kind: str = "string", missing: list[str] | None = None) -> object:
    """What is read for a single cell."""
    return raw(f"@attribute a {kind}\n@attribute b string\n@data\n{cell}, end\n", missing).columns[0].cells[0]


def fault(text: str) -> str:
    with pytest.raises(InputError) as error:
        raw(text)
    assert len(str(error.value).splitlines()) == 1
    return str(error.value)


def test_declarations_are_kept_in_their_order() -> None:
    assert [column.declared for column in raw(WEATHER).columns] == [
        Attribute("outlook", ("sunny", "overcast", "rainy")),
        Attribute("temperature"),
        Attribute("wind speed"),
        Attribute("note", ("?", "cool", "very hot")),
        Attribute("play", ("yes", "no")),
    ]


def test_rows_are_kept_with_their_lines() -> None:
    assert [column.cells for column in raw(WEATHER).columns] == [
        ("sunny", "overcast", "rainy", "rainy"),
        ("85", "83", "70", "65"),
        ("1.5", None, "0", "2"),
        ("very hot", "cool", None, "?"),
        ("no", "yes", "yes", None),
    ]
    assert raw(WEATHER).origin.lines == [12, 13, 14, 16]
    assert raw(WEATHER).weights is None


@of_every(
    [
        ("'a b'", "a b"),
        ('"a, b"', "a, b"),
        (r"'don\'t'", "don't"),
        (r'"a \"b\""', 'a "b"'),
        ('"don\'t"', "don't"),
        (r"'a\\b'", r"a\b"),
        (r"'50\%'", "50%"),
        ("'50%'", "50%"),
        ("'{a}'", "{a}"),
        (r"'a\nb\tc\rd'", "a\nb\tc\rd"),
        (r"'\u6708'", "月"),
        (r"'\u67'", "u67"),
        (r"'\ud83d\ude00'", "😀"),
        ("''", ""),
        ("' a '", " a "),
        (r"a\b", r"a\b"),
        ("?", None),
        ("'?'", "?"),
        ('"?"', "?"),
        ("NA", "NA"),
        ("@data", "@data"),
    ]
)
def test_quotes_and_escapes(cell: str, value: str | None) -> None:
    assert one(cell) == value


@of_every([r"'\ud83d'", r"'\ude00\ud83d'", r'"a\ud800b"'])
def test_half_a_character_is_an_error(half: str) -> None:
    with pytest.raises(InputError, match=r"weather.arff, line 4, column 1: .* has half a character"):
        one(half)


def test_other_marks_of_missing_values() -> None:
    assert one("NA", missing=["NA"]) is None
    assert one("?", missing=["NA"]) == "?"


def test_weights_of_rows() -> None:
    table = raw("@attribute a {x, y}\n@attribute c {n, p}\n@data\nx, n, {0.5}\ny, p\nx, p {3} % three\n")
    assert table.weights == "{weight}"
    assert [(column.name, column.cells) for column in table.columns][-1] == ("{weight}", ("0.5", "1", "3"))


@of_every([" ", "\t", ",", " , ", ",\t", "  "])
def test_values_are_separated_by_commas_or_blanks(blank: str) -> None:
    text = f"@attribute a string\n@attribute b string\n@data\nx{blank}'y z'\n"
    assert [column.cells for column in raw(text).columns] == [("x",), ("y z",)]


def test_a_domain_may_be_separated_by_blanks_and_hold_anything() -> None:
    text = "@attribute a { 'x y' z, '%', \"}\", v }\n@data\n'%'\n"
    assert raw(text).columns[0].declared == Attribute("a", ("x y", "z", "%", "}", "v"))


HEAD = "@relation r\n@attribute a {x, y}\n@attribute n numeric\n@data\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "x, 1\ny\n", "weather.arff, line 6: the row has 1 value for 2 columns; write ? for a missing value"),
        (
            HEAD + "x, 1, 2\n",
            "weather.arff, line 5: the row has 3 values for 2 columns; put a value that holds a comma",
        ),
        (HEAD + "x, 1\n{0 x, 1 2}\n", "weather.arff, line 6: sparse rows are not read; write every value of every row"),
        (HEAD + "x,, 1\n", "weather.arff, line 5, column 3: a value is empty; write ? where it is missing"),
        (HEAD + ", 1\n", "weather.arff, line 5, column 1: a value is empty; write ? where it is missing"),
        (HEAD + "'x, 1\n", "weather.arff, line 5, column 1: the quote that opens here is never closed"),
        (HEAD + "x, '1'2\n", "weather.arff, line 5, column 4: text follows the closing quote"),
        (
            HEAD + "x%, 1\n",
            "weather.arff, line 5, column 1: 'x%, 1' cannot be read; put a value with braces, quotes or %",
        ),
        (HEAD + "don't, 1\n", 'weather.arff, line 5, column 1: "don\'t, 1" cannot be read; put a value with braces'),
        (HEAD + "x, 1, {1, 2}\n", "weather.arff, line 5, column 7: '{1, 2}' cannot be read"),
        (HEAD + "x, 1}\n", "weather.arff, line 5, column 5: '}' cannot be read"),
        (
            "@attribute a {x}\nx\n",
            "weather.arff, line 2: 'x' is not a declaration; @attribute or @data is expected here",
        ),
        ("@attribute a {x}\n@end a\n", "weather.arff, line 2: '@end a' is not a declaration"),
        ("@attribute a {x}\n", "weather.arff: there is no @data line; the rows come after one"),
        ("@data\n1\n", "weather.arff, line 1: there is no @attribute before @data; declare each column"),
        ("@attribute a {x\n@data\n", "weather.arff, line 1: the domain is not closed; end it with } on the same line"),
        ("@attribute a {x, 'y}\n@data\n", "weather.arff, line 1, column 18: the quote that opens here is never closed"),
        ("@attribute a {x, y, x}\n@data\n", "weather.arff, line 1: the value 'x' occurs twice in the domain; take one"),
        ("@attribute a {}\n@data\n", "weather.arff, line 1: the domain is empty; list its values"),
        ("@attribute a {x} y\n@data\n", "weather.arff, line 1: 'y' after the domain cannot be read; take it out"),
        ("@attribute\n@data\n", "weather.arff, line 1, column 11: a value is empty"),
        (
            "@attribute a\n@data\n",
            "weather.arff, line 1: the type '' is none of numeric, real, integer, string and {a, b",
        ),
        ("@attribute a b c\n@data\n", "weather.arff, line 1: the type 'b c' is none of numeric, real, integer, string"),
        (
            "@attribute a date 'yyyy'\n",
            "weather.arff, line 1: dates are not read; declare it numeric, or give the dates a",
        ),
        ("@attribute a DATE\n", "weather.arff, line 1: dates are not read"),
        ("@attribute a relational\n", "weather.arff, line 1: relational attributes are not read; leave it out"),
        (
            "@attribute a real\n@attribute A real\n@attribute 'a' real\n@data\n",
            "weather.arff, line 3: the attribute 'a' is",
        ),
    ],
)
def test_bad_input_names_the_line(text: str, message: str) -> None:
    assert fault(text).startswith(message)


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "weather.arff").write_text(WEATHER.replace("\n", "\r\n"), encoding="utf-8-sig", newline="")
    assert read_raw(tmp_path / "weather.arff").columns == raw(WEATHER).columns


def weka_quoted(value: str) -> str:
    """A value as Weka writes it."""
    if value in ("", "?") or any(sign in value for sign in " '\"\\,{}%\n\r\t") or value != value.strip():
        escapes = {"\\": r"\\", "'": r"\'", "\t": r"\t", "\n": r"\n", "\r": r"\r", '"': r"\"", "%": r"\%"}
        return "'" + "".join(escapes.get(sign, sign) for sign in value) + "'"
    return value


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Z"]) | st.sampled_from(" \t\n\r'\"\\,{}%?"))
domains = st.lists(texts, min_size=1, max_size=6, unique=True)


@given(domains, st.lists(texts.filter(lambda name: name.strip() != ""), min_size=2, max_size=2, unique=True), st.data())
def test_what_weka_writes_is_read(domain: list[str], names: list[str], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(st.sampled_from(domain), texts), min_size=1))
    lines = [f"@attribute {weka_quoted(names[0])} {{{','.join(map(weka_quoted, domain))}}}"]
    lines += [f"@attribute {weka_quoted(names[1])} string", "@data"]
    lines += [f"{weka_quoted(value)},{weka_quoted(note)}" for value, note in rows]
    first, second = raw("\n".join(lines)).columns
    assert (first.name, second.name) == tuple(names)
    assert first.declared == Attribute(names[0], tuple(domain))
    assert list(zip(first.cells, second.cells, strict=True)) == rows


def test_a_file_of_keel_is_read() -> None:
    text = (
        "@relation iris\n@attribute SepalLength real [4.3, 7.9]\n@attribute Count integer[0,5]\n"
        "@attribute Class {Iris-setosa, Iris-virginica}\n@attribute Site {a, b}\n"
        "@inputs SepalLength, Count, Site\n@outputs Class\n@data\n"
        "5.1, 3, Iris-setosa, a\n<null>, 2, Iris-virginica, b\n"
    )
    raw = arff_table(text, "iris.dat")
    assert raw.target == "Class"
    assert [column.cells for column in raw.columns][:2] == [("5.1", None), ("3", "2")]
    assert [column.declared and column.declared.kind for column in raw.columns] == ["continuous"] * 2 + [
        "categorical"
    ] * 2
    table = read(io.StringIO(text))
    assert (table.schema.target.name, len(table)) == ("Class", 2)


def test_blanks_beyond_ascii_are_part_of_a_value() -> None:
    """As in Weka 3.6.14, where U+00A0, U+2003 and U+3000 part nothing, and each sign up to U+0020 does."""
    text = (
        "@relation r\n@attribute x\u3000y real\n@attribute a {a\u00a0b,\u3000c , d\u2003e, f\u000bg}\n"
        "@attribute y {p,q}\n@data\n7,a\u00a0b,p\n8\t\u3000c q\n9,d\u2003e,p\n\u00a09,g,p\n"
    )
    raw = arff_table(text, "r.arff")
    assert raw.columns[0].name == "x\u3000y"
    assert raw.columns[1].declared == Attribute("a", ("a\u00a0b", "\u3000c", "d\u2003e", "f", "g"))
    assert raw.columns[1].cells == ("a\u00a0b", "\u3000c", "d\u2003e", "g")
    assert raw.columns[0].cells[3] == "\u00a09"


KEEL = (
    "@relation r\n@attribute x REAL [4.3, 7.9]\n@attribute n numeric[1,2]\n@attribute z Integer [ -1 , 2 ] % z\n"
    "@attribute k {1,2}\n@attribute Class {p,q}\n{roles}@data\n5,1,1,1,p\n6,2,<null>,2,q\n"
)


def keel(roles: str) -> Raw:
    return arff_table(KEEL.replace("{roles}", roles), "iris.arff")


def test_ranges_behind_any_numeric_type_are_not_needed() -> None:
    raw = keel("@inputs x, n, z, k\n@outputs Class\n")
    assert [column.declared for column in raw.columns[:3]] == [Attribute("x"), Attribute("n"), Attribute("z")]
    assert raw.columns[2].cells == ("1", None)


def test_what_is_neither_input_nor_output_is_left_out() -> None:
    with pytest.warns(InputWarning, match=r"iris\.arff: n: neither among @inputs nor among @outputs, and left out"):
        raw = keel("@inputs x, z,k\n@output Class\n")
    assert ([column.name for column in raw.columns], raw.target) == (["x", "z", "k", "Class"], "Class")
    assert keel("@input x n z k\n").target == "Class"
    assert keel("@inputs x,n,z\n").classes == ["k", "Class"]
    assert keel("@outputs k, Class\n").classes == ["k", "Class"]
    assert keel("").classes == []


@of_every(
    [
        ("@outputs Klass\n", "line 7: there is no attribute 'Klass' (did you mean Class?)"),
        ("@inputs x, y\n", "there is no attribute 'y'"),
        ("@inputs x {y}\n", "cannot be read"),
        ("@inputs x\n@input z\n", "comes after line 7; leave one"),
    ]
)
def test_a_role_of_no_attribute_is_refused(roles: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        keel(roles)
    assert told in str(error.value)
