"""What a column is, and what its cells mean."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.columns import Column, Origin, encode, infer, label
from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute

FILE = Origin("weather.csv", [2, 3, 5, 7])


def inferred(
    *cells: object, declared: Attribute | None = None, categorical: str = "", continuous: str = ""
) -> Attribute:
    return infer(Column("c", cells, declared), FILE, [categorical], [continuous])


@pytest.mark.parametrize(
    "cells",
    [("1", "2.5", "-3e2"), ("1", None, ".5"), (1, 2.5, Fraction(1, 3), Decimal("0.1")), ("1", 2), ("007",)],
)
def test_numbers_make_a_continuous_column(cells: tuple[object, ...]) -> None:
    assert inferred(*cells) == Attribute("c")


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("b", "a", None, "b"), ("a", "b")),
        (("1", "x"), ("1", "x")),
        (("1/3", "2/3"), ("1/3", "2/3")),
        (("digits", "digits"), ("digits",)),
        (("nan", "NaN"), ("NaN", "nan")),
        (("nan", "1", "x"), ("1", "nan", "x")),
        ((True, False), ("False", "True")),
        ((1, "x"), ("1", "x")),
        ((None, None), ()),
        (("是", "否"), ("否", "是")),
        (("10", "9", "x"), ("10", "9", "x")),
    ],
)
def test_anything_else_is_categorical_its_values_by_code_point(cells: tuple[object, ...], values: tuple[str]) -> None:
    assert inferred(*cells) == Attribute("c", values)


@given(st.permutations(["10", "b", None, "c", "9", "a", "b"]))
def test_the_order_of_rows_does_not_matter(cells: list[str | None]) -> None:
    assert inferred(*cells) == Attribute("c", ("10", "9", "a", "b", "c"))


def test_nan_among_numbers_is_an_error_with_its_line() -> None:
    with pytest.raises(InputError, match=r"^weather.csv, line 5, column c: NaN is not a finite number; mark a missing"):
        inferred("1", None, "NaN", "2")


def test_a_number_that_is_too_long_is_no_category() -> None:
    assert inferred("1", "9" * 500) == Attribute("c")


DECLARED = Attribute("c", ("2", "1", "3"))


def test_the_caller_goes_before_the_format_and_the_format_before_the_cells() -> None:
    assert inferred("1", "2", declared=DECLARED) == DECLARED
    assert inferred("1", "2", declared=DECLARED, continuous="c") == Attribute("c")
    assert inferred("1", "2", declared=DECLARED, categorical="c") == DECLARED
    assert inferred("1", "2", declared=Attribute("c"), categorical="c") == Attribute("c", ("1", "2"))
    assert inferred("1", "2", categorical="c") == Attribute("c", ("1", "2"))
    assert inferred("1", "2", categorical="*") == Attribute("c", ("1", "2"))
    assert inferred("1", "2", categorical="*", continuous="c") == Attribute("c")
    assert inferred("1", "2", categorical="other") == Attribute("c")


def test_a_column_is_not_both() -> None:
    with pytest.raises(InputError, match="column c: is said to be both categorical and continuous; say one"):
        inferred("1", categorical="c", continuous="c")


def test_categories_become_codes() -> None:
    assert encode(Column("c", ["1", None, "3", "2"]), DECLARED, FILE) == [1, None, 2, 0]
    assert encode(Column("c", [1, None]), DECLARED, FILE) == [1, None]


def test_numbers_become_exact() -> None:
    assert encode(Column("c", ["0.1", None, "1/3", 0.5]), Attribute("c"), FILE) == [
        Fraction(1, 10),
        None,
        Fraction(1, 3),
        Fraction(1, 2),
    ]


def test_a_value_outside_the_domain_is_named_with_its_line() -> None:
    with pytest.raises(InputError) as error:
        encode(Column("c", ["1", None, "4", "5"]), DECLARED, FILE)
    assert str(error.value) == "weather.csv, line 5, column c: '4' is not among the declared values: 2, 1, 3"


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("tall", "'tall' is not a number"),
        ("1e999", "'1e999' has more than 400 digits"),
        ("inf", "is not a finite number"),
        (float("nan"), "nan is not a finite number"),
        ([1], "[1] is not a number"),
    ],
)
def test_what_is_no_number_is_named_with_its_line(cell: object, reason: str) -> None:
    with pytest.raises(InputError, match=r"^weather.csv, line 3, column c: ") as error:
        encode(Column("c", ["1", cell]), Attribute("c"), FILE)
    assert reason in str(error.value)


def test_without_a_file_a_row_is_named_by_its_number() -> None:
    assert str(Origin().error("is wrong", 4, "wind")) == "column wind: row 5: is wrong"
    assert str(Origin(None, [1, 3]).error("is wrong", 1)) == "row 3: is wrong"
    assert str(FILE.error("is wrong")) == "weather.csv: is wrong"


@pytest.mark.parametrize(("cell", "name"), [("sunny", "sunny"), (True, "True"), (3, "3"), (Fraction(1, 2), "1/2")])
def test_a_category_has_a_name(cell: object, name: str) -> None:
    assert label(cell) == name


def test_numbers_of_all_kinds_stand_side_by_side() -> None:
    cells = (0.5, 2.0, -0.0, 0.5, "0.5", 2, 0.0, Fraction(1, 2))
    found = encode(Column("c", cells), Attribute("c"), FILE)
    assert found == [Fraction(1, 2), 2, 0, Fraction(1, 2), Fraction(1, 2), 2, 0, Fraction(1, 2)]
    assert list(found.codes) == [1, 2, 0, 1, 1, 2, 0, 1]
    with pytest.raises(InputError, match="nan is not a finite number"):
        encode(Column("c", (0.5, float("nan"))), Attribute("c"), FILE)
