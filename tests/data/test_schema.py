"""Attributes and schemas."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute, Schema
from tests.every import of_every

WIND, HUMIDITY, PLAY = Attribute("wind", ("weak", "strong")), Attribute("humidity"), Attribute("play", ("no", "yes"))
SCHEMA = Schema((WIND, HUMIDITY), PLAY, {"humidity": (70, Fraction(155, 2))})


@pytest.mark.covers("N2 §2.1 step 2")
def test_an_attribute_with_values_is_categorical() -> None:
    assert WIND.kind == "categorical"
    assert WIND.domain == ("weak", "strong")


def test_an_attribute_without_values_is_continuous() -> None:
    assert HUMIDITY.kind == "continuous"
    with pytest.raises(InputError, match="humidity is continuous and has no list of values"):
        _ = HUMIDITY.domain


def test_a_domain_without_values_is_still_categorical() -> None:
    assert Attribute("empty", ()).kind == "categorical"


@of_every([WIND, HUMIDITY, PLAY])
def test_an_attribute_is_found_by_its_name_and_so_is_the_target(attribute: Attribute) -> None:
    assert SCHEMA.attribute(attribute.name) is attribute


def test_an_unknown_attribute_is_named_beside_the_known_ones() -> None:
    with pytest.raises(
        InputError, match=r"there is no attribute 'windy' \(did you mean wind\?\); there are wind, humidity"
    ):
        SCHEMA.attribute("windy")
