"""Real numbers: what every exact number can do, shown on the smallest one there is."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given

from reference_tree.exact.reals import Number, Real
from tests.strategies import fractions


class Root(Real):
    """The root of 2, plus a rational."""

    def __init__(self, more: Fraction) -> None:
        self.more = more

    def compare(self, other: Number) -> int:
        rest = Fraction(other) - self.more
        return 1 if rest < 0 or rest * rest < 2 else -1

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        low = math.isqrt(2 << 2 * bits)
        more = self.more * 2**bits
        return low + math.floor(more), low + 1 + math.ceil(more), 1 << bits

    def as_rational(self) -> Fraction | None:
        return None


rationals = fractions(-3, 3, max_denominator=1000)


@given(rationals, rationals)
def test_every_relation_is_that_of_the_comparison(more: Fraction, other: Fraction) -> None:
    root, larger = Root(more), Root(more).compare(other) > 0
    assert (root > other, root >= other, root < other, root <= other) == (larger, larger, not larger, not larger)
    assert root != other


@given(rationals)
def test_the_double_is_the_nearest(more: Fraction) -> None:
    root, found = Root(more), float(Root(more))
    for neighbour in (math.nextafter(found, -math.inf), math.nextafter(found, math.inf)):
        halfway = (Fraction(found) + Fraction(neighbour)) / 2
        assert (root > halfway) == (found > neighbour)
    assert hash(root) == hash(found)


def test_what_is_no_number_is_compared_by_somebody_else() -> None:
    assert Root(Fraction()) != "1.41"
    with pytest.raises(TypeError):
        assert Root(Fraction()) < "1.41"


def test_infinities_lie_beyond() -> None:
    root = Root(Fraction())
    assert -math.inf < root < math.inf
    assert not root < math.nan
    assert not root > math.nan
