"""Held numbers: a value is what the form makes of it, and a threshold has one place among the doubles."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.held import LARGEST_SINGLE, Form, held, last_double, reread
from reference_tree.data.schema import Attribute
from tests.strategies import fractions

numpy = pytest.importorskip("numpy")

FORMS: tuple[Form, ...] = get_args(Form)
every_form = pytest.mark.parametrize("form", FORMS)
doubles = st.floats(allow_nan=False, allow_infinity=False)
singles = st.floats(allow_nan=False, allow_infinity=False, width=32)


def is_below(double: float, threshold: Fraction, form: Form, strict: bool) -> bool:
    try:
        value = held(double, form)
    except InputError:
        return double < 0
    return bool(value < threshold or (value == threshold and not strict))


thresholds = st.one_of(
    st.builds(Fraction, doubles),
    st.builds(Fraction, singles),
    st.builds(lambda number: Fraction(repr(number)), doubles),
    fractions(),
    st.sampled_from([Fraction(0), Fraction(LARGEST_SINGLE), -Fraction(LARGEST_SINGLE), Fraction(10) ** 320]),
)


@every_form
@given(threshold=thresholds, other=st.one_of(doubles, singles), strict=st.booleans())
def test_the_last_double_parts_all_doubles_as_the_threshold_does(
    form: Form, threshold: Fraction, other: float, strict: bool
) -> None:
    cut = last_double(threshold, form, strict=strict)
    nearby = [cut, math.nextafter(cut, math.inf), math.nextafter(cut, -math.inf), other]
    for double in filter(math.isfinite, nearby):
        assert (double <= cut) == is_below(double, threshold, form, strict)


@given(doubles, doubles)
def test_the_forms_of_a_double(one: float, other: float) -> None:
    """Numpy rounds to float32 as programs do; of two doubles, the larger never becomes the smaller number."""
    for form in FORMS:
        found = []
        for double in sorted((one, other)):
            with numpy.errstate(over="ignore"):
                single = float(numpy.float32(double))
            if form == "float32" and math.isinf(single):
                with pytest.raises(InputError, match="is too large for a float32"):
                    held(double, form)
                continue
            found.append(held(double, form))
            assert found[-1] == Fraction(repr(double) if form == "written" else single if form == "float32" else double)
        assert found == sorted(found)


@pytest.mark.parametrize(
    ("number", "form", "expected"),
    [
        (0.1, "written", Fraction(1, 10)),
        (numpy.float32(0.1), "written", Fraction(1, 10)),
        (numpy.float32(0.1), "double", Fraction(float(numpy.float32(0.1)))),
        (Decimal("0.1"), "exact", Fraction(1, 10)),
        (Decimal("0.1"), "double", Fraction(0.1)),
        (Fraction(1, 10), "float32", Fraction(float(numpy.float32(0.1)))),
        ("1/10", "double", Fraction(0.1)),
        ("0.1", "written", "0.1"),
        ("red", "double", "red"),
        (math.inf, "float32", math.inf),
        (numpy.int64(2**60 + 1), "double", 2**60),
        (2**60 + 1, "exact", 2**60 + 1),
    ],
)
def test_numbers_of_all_kinds(number: Any, form: Form, expected: Any) -> None:
    assert held(number, form) == expected


@given(doubles, singles)
def test_a_written_number_that_was_held_in_binary_is_written_again(double: float, single: float) -> None:
    assert reread(held(repr(double), "double"), "double", "written") == Fraction(repr(double))
    short = Fraction(str(numpy.float32(single)))
    assert reread(held(short, "float32"), "float32", "written") == short
    assert reread(Fraction(double) + Fraction(1, 3), "exact", "written") == Fraction(double) + Fraction(1, 3)


def test_a_table_in_another_form() -> None:
    table = rt.Table.from_columns({"x": ["0.1", None, "2"], "w": ["a", "b", "c"], "y": ["0.1", "0.2", "0.3"]})
    double = table.rounded("double")
    assert double.schema.attribute("x").held == double.schema.target.held == "double"
    assert list(double.columns["x"]) == [Fraction(0.1), None, 2]
    assert double.rounded("double") is double
    assert double.holding({"x": "written", "y": "written"}).columns == table.columns
    with pytest.raises(InputError, match=r"column x: .* is too large for a float32"):
        rt.Table.from_columns({"x": ["1e39", "2"], "y": ["a", "b"]}).holding({"x": "float32"})
    assert Attribute("x").held == "written"
