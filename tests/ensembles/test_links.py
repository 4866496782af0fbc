"""Links against mathematics in doubles, and against laws that hold exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.ensembles.links import LINKS, exponential, linked, log1p_exp, sigmoid, signed_square
from tests.every import of_every

SUMS = st.fractions(-30, 30, max_denominator=10**6)


@of_every(
    [
        ("exp", math.exp),
        ("sigmoid", lambda f: 1 / (1 + math.exp(-f))),
        ("log1p-exp", lambda f: math.log1p(math.exp(f))),
        ("signed-square", lambda f: f * abs(f)),
    ]
)
def test_a_link_is_that_of_doubles(link: str, of_doubles: Callable[[float], float]) -> None:
    for f in (-20.5, -1.25, -0.001, 0.0, 0.3, 2.0, 33.0):
        assert math.isclose(float(LINKS[link](Fraction(f))), of_doubles(f), rel_tol=1e-14), f


@given(SUMS)
def test_laws_of_the_links(f: Fraction) -> None:
    assert float(exponential(f)) == pytest.approx(1 / float(exponential(-f)), rel=1e-14)
    assert float(sigmoid(f)) + float(sigmoid(-f)) == pytest.approx(1, rel=1e-14)
    assert float(log1p_exp(f)) - float(log1p_exp(-f)) == pytest.approx(float(f), rel=1e-12, abs=1e-12)
    assert signed_square(f) == -signed_square(-f)
    assert abs(signed_square(f)) == f * f


def test_a_sum_is_rounded_once() -> None:
    assert float(linked("exp", 1, "exact")) == math.e
    assert linked("exp", 1, "float32") == Fraction(11401300, 2**22)  # e is 2.718281828, and float32 has 24 digits
    assert linked("signed-square", Fraction(1, 3), "exact") == Fraction(1, 9)
    assert linked("exp", 0, "float32") == linked("exp", 0, "exact") == 1


@of_every([("exact", 1000, "too large for a double"), ("float32", 100, "too large for a float32")])
def test_what_no_float_holds_is_refused(form: str, f: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        linked("exp", f, form)  # type: ignore[arg-type]
