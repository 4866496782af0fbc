"""What a column is, and what its cells mean."""

from __future__ import annotations

import tracemalloc
from bisect import bisect_right
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.columns import Column, Origin, encode, infer
from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute, Cells, Codes, Numbers, SortedNumbers, WrittenNumbers, codes_of, label
from reference_tree.exact.rationals import Rational, exactly, rational
from tests.every import of_every
from tests.strategies import fractions

FILE = Origin("weather.csv", [2, 3, 5, 7])


def inferred(
    *cells: object, declared: Attribute | None = None, categorical: str = "", continuous: str = ""
) -> Attribute:
    return infer(Column("c", cells, declared), FILE, [categorical], [continuous])


@of_every([("1", "2.5", "-3e2"), ("1", None, ".5"), (1, 2.5, Fraction(1, 3), Decimal("0.1")), ("1", 2), ("007",)])
def test_numbers_make_a_continuous_column(cells: tuple[object, ...]) -> None:
    assert inferred(*cells) == Attribute("c")


@of_every(
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
    ]
)
def test_anything_else_is_categorical_its_values_by_code_point(cells: tuple[object, ...], values: tuple[str]) -> None:
    assert inferred(*cells) == Attribute("c", values)


@given(st.permutations(["10", "b", None, "c", "9", "a", "b"]))
def test_the_order_of_rows_does_not_matter(cells: list[str | None]) -> None:
    assert inferred(*cells) == Attribute("c", ("10", "9", "a", "b", "c"))


def test_nan_among_numbers_is_an_error_with_its_line() -> None:
    with pytest.raises(
        InputError, match=r"^weather.csv, line 5, column c: NaN is not a finite number; a missing value is"
    ):
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
    with pytest.raises(InputError, match="column c: is declared both categorical and continuous; choose one"):
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


@of_every(
    [
        ("tall", "'tall' is not a number"),
        ("1e999", "'1e999' has more than 400 digits"),
        ("inf", "is not a finite number"),
        (float("nan"), "nan is not a finite number"),
        ([1], "[1] is not a number"),
    ]
)
def test_what_is_no_number_is_named_with_its_line(cell: object, reason: str) -> None:
    with pytest.raises(InputError, match=r"^weather.csv, line 3, column c: ") as error:
        encode(Column("c", ["1", cell]), Attribute("c"), FILE)
    assert reason in str(error.value)


def test_without_a_file_a_row_is_named_by_its_number() -> None:
    assert str(Origin().error("is wrong", 4, "wind")) == "column wind: row 5: is wrong"
    assert str(Origin(None, [1, 3]).error("is wrong", 1)) == "row 3: is wrong"
    assert str(FILE.error("is wrong")) == "weather.csv: is wrong"


@of_every([("sunny", "sunny"), (True, "True"), (3, "3"), (Fraction(1, 2), "1/2")])
def test_a_category_has_a_name(cell: object, name: str) -> None:
    assert label(cell) == name


def test_numbers_of_all_kinds_stand_side_by_side() -> None:
    cells = (0.5, 2.0, -0.0, 0.5, "0.5", 2, 0.0, Fraction(1, 2))
    found = encode(Column("c", cells), Attribute("c"), FILE)
    assert found == [Fraction(1, 2), 2, 0, Fraction(1, 2), Fraction(1, 2), 2, 0, Fraction(1, 2)]
    assert list(found.codes) == [1, 2, 0, 1, 1, 2, 0, 1]
    with pytest.raises(InputError, match="nan is not a finite number"):
        encode(Column("c", (0.5, float("nan"))), Attribute("c"), FILE)


plain = st.decimals(-(10**6), 10**6, allow_nan=False, allow_infinity=False, places=2).map(str)
ragged = st.one_of(plain, st.floats(-1e20, 1e20).map(repr), st.integers(-(10**30), 10**30).map(str), st.just("+.5"))
odd = [".", "-", "1.", "1/3", "nan", "1\n2", "2\n", "1_0", "\u0661", " 1", "x", "1e399", "0e401", "9" * 201, "9" * 401]
odd += ["1." + "0" * 399, "1." + "0" * 400, "1e-99", "7.25e+099", "1.2.3", ".-5", "--1", ""]
texts = st.one_of(
    *(st.lists(st.one_of(st.none(), cells)) for cells in (plain, ragged, st.one_of(plain, st.sampled_from(odd))))
)
floats = st.one_of(st.floats(), st.floats(-2, 2, width=16))
values = st.lists(st.one_of(st.none(), st.integers(), fractions(), st.booleans(), floats, st.decimals(), plain))
columns = st.one_of(texts, st.lists(st.one_of(st.none(), floats)), st.lists(st.integers(-(2**70), 2**70)), values)


def one_by_one(cells: list[Any]) -> list[Rational | None] | InputError:
    """What the cells are, or the first fault, with nothing read at once."""
    found: list[Rational | None] = []
    for row, cell in enumerate(cells):
        try:
            found.append(None if cell is None else rational(cell) if isinstance(cell, str) else exactly(cell))
        except ValueError as fault:
            message = f"{fault}; correct it, make it None where it is missing, or say categorical=['c']"
            return Origin().error(message, row, "c")
    return found


@given(columns)
def test_numbers_read_at_once_are_those_read_one_by_one(cells: list[Any]) -> None:
    expected = one_by_one(cells)
    if isinstance(expected, InputError):
        with pytest.raises(InputError) as refused:
            encode(Column("c", cells), Attribute("c"), Origin())
        assert str(refused.value) == str(expected)
        return
    found = encode(Column("c", cells), Attribute("c"), Origin())
    numbers = sorted({number for number in expected if number is not None})
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))
    assert found.values == tuple(numbers)
    assert list(found.codes) == [len(numbers) if one is None else numbers.index(one) for one in expected]


@given(texts)
def test_a_column_is_continuous_if_each_text_is_a_number_but_no_fraction(cells: list[str | None]) -> None:
    known = {cell for cell in cells if cell is not None}
    expected = one_by_one(cells)
    if not isinstance(expected, InputError):
        assert (inferred_kind(cells) == "continuous") == (bool(known) and not any("/" in text for text in known))
    elif "digits" not in str(expected) and "finite" not in str(expected):
        assert inferred_kind(cells) in ("categorical", "refused")


def inferred_kind(cells: list[Any]) -> str:
    try:
        return infer(Column("c", cells), Origin(), (), ()).kind
    except InputError:
        return "refused"


@given(columns, st.data())
def test_numbers_are_a_tuple_and_cells_a_list_to_everyone(cells: list[Any], data: st.DataObject) -> None:
    expected = one_by_one(cells)
    if isinstance(expected, InputError):
        return
    found = encode(Column("c", cells), Attribute("c"), Origin())
    numbers = tuple(sorted({number for number in expected if number is not None}))
    several = slice(*data.draw(st.tuples(st.integers(-3, 3), st.integers(-3, 3))))
    for one, other in ((found.values, numbers), (found, expected)):
        assert one == other
        assert other == one
        assert (len(one), repr(one), one[several]) == (len(other), repr(other), other[several])
        assert [one[place] for place in range(-len(one), len(one))] == [*other, *other]
        assert one != other[1:] or not other
    assert hash(found.values) == hash(numbers)
    assert [bisect_right(found.values, number) for number in numbers] == [*range(1, len(numbers) + 1)]
    assert found == encode(Column("c", expected), Attribute("c"), Origin())
    assert found.values == SortedNumbers(numbers)
    assert list(codes_of(found.values, found)) == list(codes_of(numbers, expected)) == list(found.codes)


@given(columns, st.data())
def test_some_cells_are_those_of_some_rows(cells: list[Any], data: st.DataObject) -> None:
    if not cells or isinstance(one_by_one(cells), InputError):
        return
    rows = data.draw(st.lists(st.integers(0, len(cells) - 1)))
    taken = encode(Column("c", cells), Attribute("c"), Origin()).take(rows)
    again = encode(Column("c", [cells[row] for row in rows]), Attribute("c"), Origin())
    assert (taken, taken.values, list(taken.codes)) == (again, again.values, list(again.codes))


def test_some_cells_of_categories_keep_all_codes() -> None:
    taken = encode(Column("c", ["1", None, "3", "2"]), DECLARED, FILE).take([3, 1, 1])
    assert taken == [0, None, None]
    assert list(taken.codes) == [0, 3, 3]


@of_every([3, 300, 70_000])
def test_codes_take_few_bytes(size: int) -> None:
    cells = encode(Column("c", range(size)), Attribute("c"), FILE)
    assert list(cells.codes) == list(range(size))
    assert memoryview(cells.codes).itemsize == {3: 1, 300: 2, 70_000: 4}[size]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "cells", [[f"{row * 7 % 9973}.{row:06}" for row in range(9973)], [1 / n for n in range(1, 9974)]]
)
def test_different_decimals_and_floats_take_ten_bytes_each(cells: list[object]) -> None:
    """Two of them for the code; a fraction alone would take a hundred."""
    tracemalloc.start()
    found = encode(Column("c", cells), Attribute("c"), FILE)
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(found.values) == len(cells)
    assert size < 11 * len(cells)


def test_a_list_of_codes_is_as_good_as_cells() -> None:
    categories: Codes = [1, None, 0]
    numbers: Numbers = [5, None, Fraction(1, 2)]
    assert list(codes_of(range(2), categories)) == [1, 2, 0]
    assert list(codes_of((Fraction(1, 2), 2, 5), numbers)) == [2, 3, 0]
    ranks = Cells(SortedNumbers([1, 10], 2), [1, 2, 0])
    assert list(codes_of((Fraction(1, 2), 2, 5), ranks)) == [2, 3, 0]
    assert codes_of(ranks.values, ranks) is ranks.codes


finite = st.floats(allow_nan=False, allow_infinity=False)
bounds = st.one_of(finite.map(Fraction), fractions(), st.just(Fraction(10) ** 400), st.just(-(Fraction(10) ** 400)))


@given(st.sets(finite), st.sets(st.integers(-(2**70), 2**70)), st.integers(1, 12), bounds)
def test_how_many_numbers_are_at_most_another(floats: set[float], whole: set[int], over: int, number: Fraction) -> None:
    """Of floats, of integers over one denominator, and of others; also at a number of theirs."""
    for numbers in (
        SortedNumbers.of(sorted(floats)),
        SortedNumbers.of(sorted(whole), over),
        SortedNumbers.of([Fraction(n, 3) for n in sorted(whole)]),
        WrittenNumbers.of(sorted(floats)),
    ):
        for each in (number, *numbers):
            assert numbers.up_to(each) == sum(1 for one in numbers if one <= each)


@given(st.lists(finite | st.sampled_from([0.0, -0.0, 0.1, 3.0, 1e22]), min_size=1, max_size=9), st.data())
def test_written_floats_are_their_decimals(floats: list[float], data: st.DataObject) -> None:
    """A column of floats is that of its texts in every respect, but that nothing was written."""
    rest = {"y": data.draw(st.lists(st.sampled_from("ab"), min_size=len(floats), max_size=len(floats)))}
    found, texts = (rt.Table.from_columns({"x": cells, **rest}) for cells in (floats, list(map(repr, floats))))
    assert (found.schema, found.columns, found.remarks) == (texts.schema, texts.columns, texts.remarks)
    numbers, expected = found.schema.numbers.get("x"), texts.schema.numbers.get("x")
    assert numbers == expected
    assert list(found.codes("x")) == list(texts.codes("x"))
    if numbers is not None and expected is not None:
        assert isinstance(numbers, WrittenNumbers)
        several = slice(*data.draw(st.tuples(st.integers(-3, 3), st.integers(-3, 3))))
        assert (repr(numbers), hash(numbers), numbers[several]) == (repr(expected), hash(expected), expected[several])
        assert [numbers[place] for place in range(len(numbers))] == list(numbers) == list(expected)
        rows = data.draw(st.lists(st.integers(0, len(floats) - 1), min_size=1))
        assert found.take(rows).columns == texts.take(rows).columns


def test_thresholds_of_floats_are_midpoints_of_decimals() -> None:
    table = rt.Table.from_columns({"x": [0.1, 0.2, 0.2, 0.7], "y": ["no", "no", "no", "yes"]})
    (test,) = (node.test for node in rt.CART().grow(table).nodes if node.test)
    assert test.name == "x<=0.45"


def test_the_name_of_a_text_of_a_subclass_is_a_plain_text() -> None:
    class Text(str):
        """As numpy's texts are."""

        def __repr__(self) -> str:
            return "np.str_('no')"

    table = rt.Table.of([{"a": 1, "y": Text("no")}, {"a": 2, "y": Text("yes")}], "y")
    assert [type(name) for name in table.schema.target.values or ()] == [str, str]
    assert "np.str_" not in rt.to_python(rt.CART().grow(table))
