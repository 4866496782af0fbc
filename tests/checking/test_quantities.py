"""Quantities: read exactly, however they are written, and held against their tolerance."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from reference_tree.checking.quantities import off, quantity, settled, shown
from tests.checking.answering import GOLDENS
from tests.every import of_every


def numbers(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value] if "digits" in value else [one for part in value.values() for one in numbers(part)]
    return [one for part in value for one in numbers(part)] if isinstance(value, list) else []


@of_every(["c45/golf", "c45/watermelon-2.0a", "cart/golf", "prune/golf-error-based", "boosting/li-hang-8.1"])
def test_every_form_of_a_golden_is_read_as_the_digits_beside_it(name: str) -> None:
    """The digits are decimals, which Python's own decimals read."""
    found = numbers(json.loads((GOLDENS / f"{name}.json").read_text(encoding="utf-8"))["expected"])
    assert found
    for number in found:
        digits = Fraction(Decimal(number["digits"]))
        for form in (number, number["double"], float.fromhex(number["double"])):
            assert abs(quantity(form).value - digits) <= Fraction(1, 10**15) * max(Fraction(1), abs(digits))
        exact = number["exact"]
        if isinstance(exact, str) or exact.keys().isdisjoint(("radicals", "limits")):
            assert abs(quantity(exact).value - digits) <= Fraction(1, 10**18) * max(Fraction(1), abs(digits))


def test_a_double_stands_for_its_own_value_and_a_text_for_what_is_written() -> None:
    assert quantity(0.1).value == Fraction(3602879701896397, 2**55)
    assert quantity("0.1").value == Fraction(1, 10)
    assert (quantity(0.1).is_double, quantity("0x1p-3").is_double, quantity("0.1").is_double) == (True, True, False)


@pytest.mark.parametrize(
    "given",
    [True, None, [], {}, "", "one", "nan", "0x", "0x1p99999", "1/0", {"exact": {"over": "0", "log2": {"2": "1"}}},
     {"exact": {"over": "1", "log2": {"0": "1"}}}, {"exact": {"over": "1"}}, {"numerator": "1", "denominator": "0"},
     {"exact": {"over": [], "log2": {}}}, "9" * 200_000, {"double": 7}],
)  # fmt: skip
def test_what_is_no_number_is_refused(given: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (each says something else)
        quantity(given)


def test_a_pure_sample_has_an_entropy_of_exactly_0() -> None:
    """The form log n - Σ k log k / n is not always 0 there in doubles."""
    assert not off("entropy", 0.0, Fraction(0))
    assert "where nothing is allowed" in off("entropy", 1.1102230246251565e-16, Fraction(0))


def test_a_difference_may_be_off_by_what_its_parts_may_be() -> None:
    total = [Fraction(9), Fraction(5)]
    assert not off("gain", 2.0**-49, Fraction(0), total)
    assert off("gain", 2.0**-47, Fraction(0), total)


def test_what_is_shown_is_short_and_an_irrational_number_settled() -> None:
    assert shown(Fraction(10) ** 400) == "a number of more than 60 digits"
    assert settled(quantity({"over": "1", "log2": {"3": "1"}}).value) ** 2 > Fraction(25121, 10000)
