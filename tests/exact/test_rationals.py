"""Numbers as they are written: held against the number parsers of `fractions` and `decimal`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.rationals import (
    DIGITS,
    OWN_DIGITS,
    ascending,
    decimal_text,
    decimals,
    exact_text,
    exactly,
    integer,
    integer_text,
    is_not_a_number,
    is_number,
    over_common_denominator,
    rational,
    shortened,
    simplest,
)
from tests.every import of_every
from tests.strategies import fractions

signs = st.sampled_from(["", "+", "-"])
digits = st.text("0123456789", min_size=1, max_size=30)
exponents = st.one_of(st.just(""), st.builds("{}{}{}".format, st.sampled_from("eE"), signs, st.integers(0, 400)))
written = st.builds(
    "{}{}{}".format,
    signs,
    st.one_of(digits, digits.map("{}.".format), digits.map(".{}".format), st.builds("{}.{}".format, digits, digits)),
    exponents,
)
quotients = st.builds("{}{}/{}".format, signs, digits, st.integers(1, 10**20))


@given(written)
def test_a_decimal_is_the_value_that_is_written(text: str) -> None:
    assert is_number(text)
    assert rational(text) == Fraction(text)


@given(quotients)
def test_a_fraction_is_the_value_that_is_written(text: str) -> None:
    assert is_number(text)
    assert rational(text) == Fraction(text)


@given(st.one_of(written, quotients))
def test_a_whole_value_is_an_int(text: str) -> None:
    assert isinstance(rational(text), int) == (Fraction(text).denominator == 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "-",
        "+.",
        "e5",
        "1e",
        "1e+",
        "1.2.3",
        "1/2/3",
        "/3",
        "1/",
        "1.5/2",
        "1e2/3",
        "1/2e3",
        "1/-2",
        "--1",
        "0x10",
        "1_000",
        "1,5",
        "1 000",
        " 1",
        "1 ",
        "1\n",
        "½",
        "١",
        "−1",
        "sunny",
        "digits",
        "1e5.0",
    ],
)
def test_what_is_no_number_is_refused(text: str) -> None:
    assert not is_number(text)
    with pytest.raises(ValueError, match="is not a number"):
        rational(text)


@of_every(["NaN", "nan", "-nan", "inf", "+Inf", "-INFINITY"])
def test_nan_and_infinity_are_refused_as_such(text: str) -> None:
    assert is_not_a_number(text)
    assert not is_number(text)
    with pytest.raises(ValueError, match="is not a finite number"):
        rational(text)


@of_every(["1" * DIGITS, "-" + "1" * DIGITS, "." + "1" * DIGITS, "1e400", "1e-400", "1e+0400"])
def test_long_numbers_are_read(text: str) -> None:
    assert rational(text) == Fraction(text)


@of_every(
    [
        "1" * (DIGITS + 1),
        "-1." + "1" * DIGITS,
        "1/" + "1" * (DIGITS + 1),
        "1e401",
        "1e-401",
        "1e" + "9" * 5000,
        "1" * 5000,
        "1e" + "0" * 5000,
        "1e999999999999",
    ]
)
def test_longer_numbers_are_refused_at_once_and_in_short(text: str) -> None:
    assert is_number(text)
    with pytest.raises(ValueError, match="has more than 400 digits or an exponent beyond 400") as error:
        rational(text)
    assert len(str(error.value)) < 120


def test_what_the_package_writes_itself_may_be_longer() -> None:
    midpoint = (rational("1e-400") + rational("2e-400")) / Fraction(2)
    with pytest.raises(ValueError, match="has more than 400 digits"):
        rational(decimal_text(midpoint))
    assert rational(decimal_text(midpoint), OWN_DIGITS) == midpoint
    assert rational("9" * 5000, OWN_DIGITS) == 10**5000 - 1
    with pytest.raises(ValueError, match=f"has more than {OWN_DIGITS} digits"):
        rational("9" * (OWN_DIGITS + 1), OWN_DIGITS)
    with pytest.raises(ValueError, match="or an exponent beyond 400"):
        rational("1e401", OWN_DIGITS)


@of_every(
    [Fraction(3**10_000, 7**6_000), Fraction(7**6_000, 2**10_000), -Fraction(1, 5**7_000), 10**9_000, -(3**9_000)]
)
def test_numbers_of_thousands_of_digits_are_written_and_read(value: int | Fraction) -> None:
    for text in (exact_text(value), decimal_text(value)):
        assert rational(text, OWN_DIGITS) == value


@given(st.one_of(fractions(), st.integers()))
def test_an_exact_number_is_written_in_lowest_terms(value: int | Fraction) -> None:
    assert exact_text(value) == str(value)


@of_every(["1/0", "0/0", "-3/000"])
def test_a_zero_denominator_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="has the denominator 0"):
        rational(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_its_own_binary_value(number: float) -> None:
    assert exactly(number) == Fraction.from_float(number)


@given(st.one_of(st.integers(), fractions(), st.decimals(-1000, 1000, places=5)))
def test_exact_numbers_stay_what_they_are(number: int | Fraction | Decimal) -> None:
    assert exactly(number) == number


@of_every([0.1, 1e-300, 5e-324, 1.7e308])
def test_the_decimal_of_a_float_is_as_exact_as_the_float(number: float) -> None:
    assert exactly(Decimal(number)) == exactly(number) == Fraction(number)


@of_every([float("nan"), float("inf"), float("-inf"), Decimal("NaN"), Decimal("Infinity")])
def test_no_number_is_nan_or_infinite(number: object) -> None:
    with pytest.raises(ValueError, match="is not a finite number"):
        exactly(number)


@of_every(["1", None, [1], 1j])
def test_only_a_real_number_is_a_number(thing: object) -> None:
    with pytest.raises(TypeError, match="is not a number"):
        exactly(thing)


@given(fractions())
def test_simplest_keeps_the_value(value: Fraction) -> None:
    assert simplest(value) == value
    assert isinstance(simplest(value), int) == (value.denominator == 1)


@given(st.one_of(fractions(), st.integers(), written.map(rational)))
def test_a_value_is_written_as_it_can_be_read(value: int | Fraction) -> None:
    assert rational(decimal_text(value), OWN_DIGITS) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=7))
def test_a_terminating_value_is_written_as_a_decimal(value: Decimal) -> None:
    text = decimal_text(Fraction(value))
    assert Decimal(text) == value
    assert text == "0" or text.lstrip("-") == f"{abs(value):f}".rstrip("0").rstrip(".")


@of_every([(0, "0"), (Fraction(1, 8), "0.125"), (Fraction(-1, 20), "-0.05"), (100, "100"), (Fraction(-22, 7), "-22/7")])
def test_data_values_are_written(value: int | Fraction, text: str) -> None:
    assert decimal_text(value) == text


@given(st.lists(st.one_of(fractions(), st.integers(-10, 10), st.floats(-1, 1).map(Fraction))))
def test_ascending_sorts_distinct_values(values: list[int | Fraction]) -> None:
    assert list(ascending(values)) == sorted(set(values))


def test_ascending_sorts_fractions_without_a_short_common_denominator() -> None:
    primes = [n for n in range(2, 5000) if all(n % d for d in range(2, int(n**0.5) + 1))]
    values = [Fraction(n + 1, n) for n in primes]
    assert list(ascending(values)) == values[::-1]


@pytest.mark.slow
@given(st.text())
def test_a_shortened_text_is_short(text: str) -> None:
    assert shortened(text)[1:4] == repr(text)[1:4] or len(text) > 40
    assert len(shortened("x" * len(text))) <= 42


@given(st.lists(st.one_of(written, st.decimals(0, 99, places=2).map(str)), min_size=1))
def test_decimals_read_at_once_are_the_values_that_are_written(texts: list[str]) -> None:
    found = decimals(texts)
    if found is not None:
        multiples, denominator = found
        assert [Fraction(multiple, denominator) for multiple in multiples] == list(map(Fraction, texts))
    else:
        assert any(len(text) > 200 or "e" in text.lower() for text in texts)


@given(st.lists(st.sampled_from(["1", "1.5", "2.25", "-3e2"])), st.text("0123456789.eE+-/_ \n\u0661nx"))
def test_texts_are_read_at_once_only_if_each_is_a_decimal(texts: list[str], strange: str) -> None:
    if decimals([*texts, strange]) is not None:
        assert is_number(strange)
        assert "/" not in strange


def test_none_of_no_texts_is_read_at_once() -> None:
    assert decimals([]) is None


@given(st.lists(st.one_of(st.none(), fractions(), st.integers())))
def test_numbers_over_a_common_denominator(values: list[int | Fraction | None]) -> None:
    multiples, denominator = over_common_denominator(values)
    assert [None if one is None else Fraction(one) / denominator for one in multiples] == values


@contextmanager
def limit(digits: int) -> Iterator[None]:
    """Python's limit on the conversion of integers; 0 is none."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(digits)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def by_python(value: int) -> str:
    with limit(0):
        return str(value)


sizes = st.one_of(st.integers(0, 1300), st.integers(0, 12_000))


@given(sizes, st.integers(-(10**30), 10**30))
def test_an_integer_of_any_length(zeros: int, offset: int) -> None:
    for value in (offset, 10**zeros + offset, offset * 7**zeros, -(10**zeros) + offset):
        text = integer_text(value)
        assert text == by_python(value)
        assert integer(text) == value


@of_every([599, 600, 601, 1200, 1201, 4299, 4300, 4301, 9999])
def test_around_the_places_where_it_is_cut(digits: int) -> None:
    for value in (10**digits - 1, 10**digits, 10**digits + 1, 2 ** (digits * 3)):
        assert integer_text(value) == by_python(value)
        assert integer(integer_text(value)) == value


def test_the_lowest_limit_that_python_can_have_does_no_harm() -> None:
    value = 3**20_000
    text = by_python(value)
    with limit(640):
        assert (integer_text(value), integer(text)) == (text, value)


def test_zeros_and_a_sign_in_front() -> None:
    assert [integer(text) for text in ("007", "+7", "-0", "0" * 5000)] == [7, 7, 0, 0]


@of_every(["", "-", "+-1", "1_000", " 1", "1.5", "½", "１", "9" * 700 + "x"])
def test_what_is_no_row_of_digits(text: str) -> None:
    with pytest.raises(ValueError, match="is not a row of digits"):
        integer(text)
