"""Attributes and schemas."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute, Schema

WIND, HUMIDITY, PLAY = Attribute("wind", ("weak", "strong")), Attribute("humidity"), Attribute("play", ("no", "yes"))
SCHEMA = Schema((WIND, HUMIDITY), PLAY, {"humidity": (70, Fraction(155, 2))})


def test_an_attribute_with_values_is_categorical() -> None:
    assert WIND.kind == "categorical"
    assert WIND.domain == ("weak", "strong")


def test_an_attribute_without_values_is_continuous() -> None:
    assert HUMIDITY.kind == "continuous"
    with pytest.raises(InputError, match="humidity is continuous and has no list of values"):
        _ = HUMIDITY.domain


def test_a_domain_without_values_is_still_categorical() -> None:
    assert Attribute("empty", ()).kind == "categorical"


@pytest.mark.parametrize("attribute", [WIND, HUMIDITY, PLAY])
def test_an_attribute_is_found_by_its_name_and_so_is_the_target(attribute: Attribute) -> None:
    assert SCHEMA.attribute(attribute.name) is attribute


def test_an_unknown_attribute_is_named_beside_the_known_ones() -> None:
    with pytest.raises(InputError, match="there is no attribute 'windy'; there are wind, humidity"):
        SCHEMA.attribute("windy")


def test_a_rank_stands_for_a_number() -> None:
    assert [SCHEMA.value("humidity", rank) for rank in (0, 1)] == [70, Fraction(155, 2)]


@given(st.sets(st.fractions(0, 3, max_denominator=4)), st.fractions(0, 2, max_denominator=4))
def test_how_far_close_numbers_reach(numbers: set[Fraction], width: Fraction) -> None:
    ascending = tuple(sorted(numbers))
    schema = Schema((HUMIDITY,), PLAY, {"humidity": ascending})
    close = [[rank for rank, other in enumerate(ascending) if abs(other - number) <= width] for number in ascending]
    assert schema.reach("humidity", width) == (
        [max(ranks) for ranks in close] if any(len(ranks) > 1 for ranks in close) else None
    )


def test_schemas_that_are_equal_keep_what_they_found_apart() -> None:
    """The numbers of a column are no part of what makes two schemas equal."""
    one, other = (Schema((HUMIDITY,), PLAY, {"humidity": numbers}) for numbers in [(1, 2, 3), (1, 5, 6)])
    assert one == other
    assert (one.reach("humidity", 1), other.reach("humidity", 1)) == ([1, 2, 2], [0, 2, 2])
    assert one.reach("humidity", 1) is one.reach("humidity", 1)
