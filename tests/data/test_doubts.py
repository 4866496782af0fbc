"""Columns that are perhaps not what they seem are said."""

from __future__ import annotations

import io
import pathlib
import random
import warnings

import pytest

from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers import read
from reference_tree.data.table import Table
from tests.every import of_every


def doubts(text: str, **options: object) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read(io.StringIO(text), **options)  # type: ignore[arg-type]
    assert all(issubclass(warning.category, InputWarning) for warning in caught)
    return [str(warning.message) for warning in caught]


def read_silently(text: str) -> Table:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read(io.StringIO(text))


@of_every(["1,234", "5%", "abc", "12 kg"])
def test_one_odd_cell_among_numbers_is_said(strange: str) -> None:
    text = "age,risk\n" + f'31,low\n27,high\n"{strange}",low\n54,low\n'
    (found,) = doubts(text)
    assert found.startswith(f"the open file: column age: 3 of 4 cells are numbers, but for '{strange}'")
    assert doubts(text, missing=["?", strange]) == []
    assert doubts(text, categorical=["age"]) == []


@of_every(["-", "N/A", "null", ".", "#N/A", "NaN", "<NA>", "none", "—", "#DIV/0!"])
def test_a_code_that_is_the_only_text_among_numbers_is_missing_and_said(code: str) -> None:
    text = f"age,risk\n31,low\n27,high\n{code},low\n54,low\n"
    (found,) = doubts(text)
    assert found == (
        f"the open file: column age: {code!r} among numbers, 1 cell, is read as a missing value "
        "(say categorical=['age'] if it is a category)"
    )
    with pytest.warns(InputWarning):
        assert list(read(io.StringIO(text)).columns["age"]) == [31, 27, None, 54]
    assert doubts(text, missing=["?", code]) == doubts(text, categorical=["age"]) == []
    assert len(doubts(text, continuous=["age"])) == 1


def test_one_number_and_a_dash_are_categories() -> None:
    with pytest.warns(InputWarning, match="2 of 3 cells are numbers, but for '-'; it is read as categories"):
        table = read(io.StringIO("seen,y\n1,a\n-,b\n1,b\n"))
    assert table.schema.attributes[0].values == ("-", "1")


def test_a_code_in_the_target_leaves_its_row_out() -> None:
    with pytest.warns(InputWarning, match="'.' among numbers, 1 cell, is read as a missing value"):
        table = read(io.StringIO("x,y\n1,1.5\n2,.\n3,2.5\n"))
    assert (len(table), table.left_out, table.schema.target.values) == (2, 1, None)


@of_every(["N/A", "null", "#N/A", "NaN", "n.a."])
def test_a_code_among_words_is_said(code: str) -> None:
    (found,) = doubts(f"when,y\nnow,a\n{code},b\nlater,a\nnow,b\n")
    assert f"column when: {code!r} among words is read as a category (say missing=[{code!r}]" in found
    assert doubts("when,y\nnow,a\nnone,b\nlater,a\nnow,b\n") == [], "none is a word"


@of_every(["-999", "-1", "9999", "-99.0"])
def test_a_number_that_stands_apart_is_said(code: str) -> None:
    numbers = "".join(f"{n % 10},{'ab'[n % 2]}\n" for n in range(30))
    (found,) = doubts(f"x,y\n{numbers}{code},a\n{code},b\n")
    number = code.removesuffix(".0")
    assert found.endswith(
        f"column x: {number}, 2 times, stands apart from the other numbers "
        f"(say missing=['{code}'] if it means a missing value)"
    )
    assert doubts(f"x,y\n{numbers}{code},a\n{code},b\n", missing=[code]) == []


@of_every([range(-30, 30), range(90, 105), [-1, 0, 1], range(9990, 10010), [5, 7, -2, -1]])
def test_a_number_among_its_like_is_not_doubted(numbers: list[int]) -> None:
    assert doubts("x,y\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in [*numbers, *numbers])) == []


def test_dates_are_said_and_can_be_had_in_order() -> None:
    text = "day,y\n" + "".join(f"2013-{n % 12 + 1:02}-14,{'ab'[n % 2]}\n" for n in range(24))
    (found,) = doubts(text)
    assert "column day: 12 dates are read as categories (say continuous=['day'] to have them in order" in found
    assert doubts(text, continuous=["day"]) == []
    assert read(io.StringIO(text), continuous=["day"]).columns["day"][:2] == [20130114, 20130214]


@of_every(["{0}.{1:02}.2013", "{0}/{1}/2013", "{1}/{0}/13", "{0}-Jan-2013", "2013-{1:02}-{0} 12:30+01:00"])
def test_dates_in_other_orders_are_called_dates(form: str) -> None:
    text = "day,y\n" + "".join(f"{form.format(n + 1, n % 12 + 1)},{'ab'[n % 2]}\n" for n in range(12, 24))
    (found,) = doubts(text)
    assert "column day: 12 dates are read as categories (write them as 2013-01-14, and say continuous=['day']" in found
    assert doubts("day,y\n2013-01-14 12:30,a\n2013-01-15 8:30,b\n")[0].count("2 dates are read as categories (say cont")


def test_a_date_that_is_no_number_is_refused_with_the_same_advice() -> None:
    with pytest.raises(InputError, match="'1/1/2024' is not a number; write dates as 2013-01-14, make it"):
        read(io.StringIO("day,y\n1/1/2024,a\n2/1/2024,b\n"), continuous=["day"])


@of_every(["{0} kg", "{0}m²", "-{0}.5 C", "{0}:3{1}", "0{1}:{0}:59"])
def test_numbers_with_a_unit_and_times_are_no_names_of_rows(form: str) -> None:
    text = "x,y\n" + "".join(f"{form.format(n + 10, n % 10)},{'ab'[n % 2]}\n" for n in range(12))
    (found,) = doubts(text)
    assert "column x: its cells look like numbers with a unit, or times, such as '" in found


@of_every(["{0} kg,{0} lb", "{0}-A,{0}-B", "A{0},B{0}"])
def test_numbers_in_two_units_and_codes_are_names_of_rows(form: str) -> None:
    text = "x,y\n" + "".join(f"{form.format(n + 10).split(',')[n % 2]},{'ab'[n % 2]}\n" for n in range(12))
    (found,) = doubts(text)
    assert "column x: 12 values in 12 rows look like names of the rows" in found


@pytest.mark.parametrize("code", ["N/A", "NaN", "", "?", "NA"])
@pytest.mark.parametrize("as_target", [True, False])
def test_numbers_0_and_1_with_gaps(code: str, as_target: bool) -> None:
    gaps = f"column z: {code!r} among numbers, 1 cell, is read as a missing value "
    gaps += "(say categorical=['z'] if it is a category)"
    classes = "column z: its two values, 0 and 1, are read as classes (say continuous=['z'] to predict a number)"
    cells = ["0", "1", code, "1", "0", "1"]
    rows = [
        (f"{n % 3}.5", "ab"[n % 2], cell) if as_target else (cell, f"{n % 3}.5", "ab"[n % 2])
        for n, cell in enumerate(cells)
    ]
    text = ("x,w,z" if as_target else "z,x,w") + "\n" + "".join(",".join(row) + "\n" for row in rows)
    expected = [gaps] * (code in ("N/A", "NaN")) + [classes] * as_target
    assert doubts(text) == [f"the open file: {line}" for line in expected]
    assert list(read_silently(text).remarks) == expected


def test_tables_in_memory_have_the_same_remarks() -> None:
    rows = [{"id": n, "x": -999 if n == 7 else n % 5, "when": f"1{n % 3}.01.2013", "y": n % 2} for n in range(20)]
    assert Table.of(rows).remarks == (
        "column id: its cells number the rows; an attribute with another value in each row is of no use "
        "(say table.without(['id']))",
        "column x: -999, once, stands apart from the other numbers (make it None if it means a missing value)",
        "column when: 3 dates are read as categories (write them as 2013-01-14, and say continuous=['when'] "
        "to have them in order, 2013-01-14 as the number 20130114)",
        "column y: its two values, 0 and 1, are read as classes (say continuous=['y'] to predict a number)",
    )
    assert [line[:9] for line in Table.of(rows).without(["id"]).remarks] == ["column x:", "column wh", "column y:"]
    assert Table.from_rows(rows, continuous=["y"]).remarks == Table.of(rows).remarks[:-1]
    assert Table.from_columns({"zip": ["007", "123", "456"], "y": ["a", "b", "c"]}).remarks == (
        "column zip: some numbers begin with 0, as codes do, and are read without it (say categorical=['zip'])",
    )
    assert Table.from_columns({"x": [1, 5, 7], "y": ["a", "b", "a"]}).remarks == ()


@of_every(
    [
        ("1 2 3 4 5 6", ["its cells number the rows"]),
        ("105 103 101 104 102 199", ["a whole number of its own in each row"]),
        ("a b c d e f", ["6 values in 6 rows look like names"]),
        ("a b a b a b", []),
        ("1.5 2 2.5 3 3.5 4", []),
    ]
)
def test_row_numbers_of_small_tables_are_said(cells: str, says: list[str]) -> None:
    text = "id,x,y\n" + "".join(f"{cell},{n % 4},{'ab'[n % 2]}\n" for n, cell in enumerate(cells.split()))
    found = doubts(text)
    assert len(found) == len(says)
    assert all(part in whole for part, whole in zip(says, found, strict=True))


def test_strings_of_an_arff_file_that_name_rows_are_said() -> None:
    header = "@relation r\n@attribute note string\n@attribute kind {p, q}\n@attribute y {a, b}\n@data\n"
    (found,) = doubts(header + "".join(f"'said {n}', {'pq'[n % 2]}, {'ab'[n % 2]}\n" for n in range(20)))
    assert "column note: 20 values in 20 rows look like names of the rows" in found


@of_every(
    [
        (["1.234,50", "12,5", "7"], "1.234,50"),
        (["$12.00", "$1,250.00", "$7.5"], "$1,250.00"),
        (["12 €", "1 250 €", "7,50 €"], "1 250 €"),
        (["5%", "12.5 %", "100%"], "100%"),
        (["EUR 3", "USD -4.5", "3 CHF"], "3 CHF"),
        (["-1'250.00", "12", "3"], "-1'250.00"),
        (["−3", "−4.5", "2"], "−3"),
    ]
)
def test_numbers_that_are_written_for_people_are_said(cells: list[str], shown: str) -> None:
    text = "price;risk\n" + "".join(
        f"{cell};{risk}\n" for cell, risk in zip(cells, ["low", "high", "low"], strict=True)
    )
    (found,) = doubts(text)
    assert repr(shown) in found
    assert "as categories (write numbers as -1234.5, without currencies, percent signs, " in found


@of_every(["2019-01-05", "12.05.2019", "12:30", "1/2/2019", "1.2.3", "A12", "5kg", "%"])
def test_what_is_no_amount_is_not_doubted(cell: str) -> None:
    assert doubts(f"when;risk\n{cell};low\n{cell}x;high\n7;low\n") == []


@of_every([("00501", True), ("007", True), ("0", False), ("0.5", False), ("10", False)])
def test_numbers_that_begin_with_zeros_are_said(cell: str, is_code: bool) -> None:
    text = f"zip,risk\n501,low\n{cell},high\n90210,low\n"
    warning = "column zip: some numbers begin with 0, as codes do, and are read without it (say categorical=['zip'])"
    assert doubts(text) == [f"the open file: {warning}"] * is_code
    assert doubts(text, categorical=["zip"]) == doubts(text, continuous=["zip"]) == []


def test_classes_that_name_the_rows_are_said() -> None:
    rows = [(place % 3, f"c{place}") for place in range(20)]
    (found,) = doubts("x,y\n" + "".join(f"{x},{y}\n" for x, y in rows))
    assert "column y: 20 classes in 20 rows look like names of the rows, which no tree can learn" in found
    assert doubts("x,y\n" + "".join(f"{x},{y[:2]}\n" for x, y in rows)) == []


def test_decimal_commas_that_may_part_thousands_are_said() -> None:
    (found,) = doubts("price;risk\n1,234;low\n2,500;high\n")
    assert found.endswith("signs between thousands; or, if they have decimal commas, say decimal=',')")


def test_categories_that_are_no_numbers_are_not_doubted() -> None:
    assert doubts("size,risk\n1,low\nsmall,high\nlarge,low\n") == []
    assert doubts("size,risk\n1,low\n2,high\n?,low\n") == []


def test_columns_that_tell_rows_apart_are_said() -> None:
    draw = random.Random(1)
    rows = [(f"n{place}", place, draw.random(), "ab"[place % 2]) for place in range(1, 21)]
    text = "name,number,x,y\n" + "".join(f"{name},{number},{x},{y}\n" for name, number, x, y in rows)
    one, two = doubts(text)
    assert "column name: 20 values in 20 rows look like names of the rows" in one
    assert "column number: its cells number the rows" in two
    assert doubts(text, categorical=["name"], continuous=["number"]) == []
    few = "name,y\n" + "".join(f"n{place},{'ab'[place % 2]}\n" for place in range(9))
    assert doubts(few) == []


def test_a_header_of_numbers_may_be_a_row() -> None:
    (found,) = doubts("5.1,3.5,setosa\n4.9,3.0,setosa\n")
    assert found.startswith("the open file: most names of the columns are numbers: if the first line is a row, ")
    assert doubts("5.1,3.5,setosa\n4.9,3.0,setosa\n", header=False) == []
    assert doubts("2019,change,y\n1,2,a\n") == []


def test_a_header_of_categories_may_be_a_row() -> None:
    (found,) = doubts("low,small,2,yes\nhigh,small,3,no\nlow,big,2,yes\n")
    assert found == (
        "the open file: each name of a column could be a cell of it: if the first line is a row, there is no header "
        "(header=False)"
    )
    assert doubts("low,small,2,yes\nhigh,small,3,no\nlow,big,2,yes\n", header=False) == []
    assert doubts("low,size,2,yes\nhigh,small,3,no\nlow,big,2,yes\n") == []


def test_a_column_that_is_nearly_numbers_is_not_called_one_of_names() -> None:
    cells = "".join(f"{number}.5,{'low' if number % 2 else 'high'}\n" for number in range(20))
    (found,) = doubts(f"price,risk\n{cells}n/a*,low\n")
    assert "20 of 21 cells are numbers" in found


def test_points_beside_decimal_commas_may_part_thousands(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "shop.csv"
    path.write_text("size;price;bought\n1,5;300;no\n2,5;900;no\n3,5;1.200;yes\n4,5;1.500;yes\n", encoding="utf-8")
    with pytest.warns(InputWarning) as said:
        read(path)
    expected = "column price: 1.200 is read with a decimal point, beside decimal commas"
    assert any(expected in str(one.message) for one in said)
    with pytest.warns(InputWarning, match=r"write numbers as -1234\.5"):
        read(path, decimal=",")


def test_a_target_that_numbers_the_rows_is_said() -> None:
    (found,) = doubts("x,id\n" + "".join(f"{n % 3}.5,{n}\n" for n in range(20)))
    assert "column id: what is predicted numbers the rows (say target=... if another is predicted)" in found


def test_several_codes_are_said_together() -> None:
    (found,) = doubts("x,y\n1.5,a\n-,b\nnull,a\n2.5,b\n")
    assert found.endswith(
        "'-', 'null' among numbers, 2 cells, are read as missing values (say categorical=['x'] if they are categories)"
    )


def test_numbers_beside_a_text_in_python_are_doubted_as_in_a_file() -> None:
    cells: list[object] = [31, 27.5, "n/a", 54]
    (remark,) = Table.from_columns({"age": cells, "risk": ["low", "high", "low", "low"]}).remarks
    assert remark.startswith("column age: 3 of 4 cells are numbers, but for 'n/a'; it is read as categories")
