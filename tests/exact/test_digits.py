"""Digits of long integers, held against Python's own conversion with its limit lifted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.digits import integer, integer_text
from tests.every import of_every


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
