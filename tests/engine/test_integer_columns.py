"""Columns of a table as integers."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Threshold
from reference_tree.data.schema import Attribute, Schema
from reference_tree.engine.integer_columns import Columns, multiples
from tests.strategies import fractions

HUMIDITY, PLAY = Attribute("humidity"), Attribute("play", ("no", "yes"))
NUMBERS = st.sets(fractions(0, 3, max_denominator=4), min_size=1).map(lambda numbers: tuple(sorted(numbers)))


def columns(numbers: tuple[Fraction, ...]) -> Columns:
    """A row for each number."""
    codes = list(range(len(numbers)))
    return Columns(Schema((HUMIDITY,), PLAY, {"humidity": numbers}), {"humidity": codes, "play": [0] * len(codes)})


@given(NUMBERS, fractions(0, 2, max_denominator=4))
def test_how_far_close_numbers_reach(numbers: tuple[Fraction, ...], width: Fraction) -> None:
    close = [[rank for rank, other in enumerate(numbers) if abs(other - number) <= width] for number in numbers]
    reach, rows = columns(numbers).reach("humidity", width)
    assert reach == [max(ranks) for ranks in close]
    assert rows == {row for row, ranks in enumerate(close) if max(ranks) > row}


@given(NUMBERS, fractions(-1, 4, max_denominator=8), st.booleans())
def test_the_lowest_rank_above_a_threshold(numbers: tuple[Fraction, ...], threshold: Fraction, strict: bool) -> None:
    below = [n for n in numbers if (n < threshold if strict else n <= threshold)]
    assert columns(numbers).cut(Threshold("humidity", threshold, strict=strict)) == len(below)


@given(st.lists(fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=60), min_size=1))
def test_multiples_are_the_weights_in_the_largest_unit(weights: list[Fraction]) -> None:
    whole, unit = multiples(weights)
    assert [multiple * unit for multiple in whole] == weights
    assert all(isinstance(multiple, int) for multiple in whole)
    assert not any(all(multiple % p == 0 for multiple in whole) for p in (2, 3, 5, 7))
