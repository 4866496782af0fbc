"""Gaps and dates are known as people write them; the numbers of dates are in the order of the dates."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.spellings import GAPS, digits_of_date, is_gap
from reference_tree.exact.rationals import rational
from tests.every import of_every

MOMENTS = st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 31))


@given(MOMENTS, MOMENTS)
def test_the_numbers_of_dates_have_their_order(one: datetime, other: datetime) -> None:
    first, second = (digits_of_date(moment.isoformat(" ", "microseconds")) for moment in (one, other))
    assert first is not None
    assert second is not None
    assert (rational(first) < rational(second)) == (one < other)
    day = digits_of_date(one.date().isoformat())
    assert day is not None
    assert rational(day) <= rational(first) < rational(day) + 1


@given(MOMENTS, st.integers(0, 400))
def test_the_parts_of_a_date_may_be_written_with_one_digit(moment: datetime, days: int) -> None:
    day = (moment + timedelta(days=days) if moment.year < 9990 else moment).date()
    assert digits_of_date(f"{day.year}/{day.month}/{day.day}") == digits_of_date(day.isoformat())


@of_every(["13-01-14", "2013-01/14", "2013", "2013-00-10", "2013-01-14 24:00", "1.5", "", "x"])
def test_what_is_no_date_of_this_form_is_none(text: str) -> None:
    assert digits_of_date(text) is None


@of_every(["0", "1", "no", "yes", "a", "-1", "north", "NAM"])
def test_no_value_is_taken_for_a_gap(text: str) -> None:
    assert not is_gap(text, among_numbers=True)


def test_gaps_are_known_in_upper_and_lower_case() -> None:
    assert all(is_gap(gap) and is_gap(gap.upper()) for gap in GAPS)
