"""Numbers in a golden: each form means the number."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given

from reference_tree.conformance.numbers import exact_json, number_json, table_json
from reference_tree.data.sample import Partition
from reference_tree.exact.binomial_limits import upper_limit
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.radicals import root
from reference_tree.measures.gain_ratio import gain_ratio
from tests.every import of_every
from tests.strategies import fractions


@of_every(
    [
        (3, "3"),
        (Fraction(-12, 35), "-12/35"),
        (log(8), "3"),
        (log(9) - 2 * log(3), "0"),
        (log(6) - 1, {"over": "1", "log2": {"6": "1", "2": "-1"}}),
        (gain_ratio([[1, 0], [0, 1]]), "1"),
        (
            log(3) / log(5),
            {"numerator": {"over": "1", "log2": {"3": "1"}}, "denominator": {"over": "1", "log2": {"5": "1"}}},
        ),
        (
            log(3) / log(5) - log(7) / log(5),
            {
                "minuend": {
                    "numerator": {"over": "1", "log2": {"3": "1"}},
                    "denominator": {"over": "1", "log2": {"5": "1"}},
                },
                "subtrahend": {
                    "numerator": {"over": "1", "log2": {"7": "1"}},
                    "denominator": {"over": "1", "log2": {"5": "1"}},
                },
            },
        ),
        (
            log(9) / log(3) - log(3) / log(5),
            {
                "minuend": "2",
                "subtrahend": {
                    "numerator": {"over": "1", "log2": {"3": "1"}},
                    "denominator": {"over": "1", "log2": {"5": "1"}},
                },
            },
        ),
        (log(9) / log(3) - log(5) / log(25), "3/2"),
        ((log(3) + Fraction(1, 128)) / log(2) - log(3) / log(2), "1/128"),
        (
            root(3) - 2 * root(Fraction(1, 2), Fraction(1, 3)),
            {
                "constant": "0",
                "radicals": [
                    {"coefficient": "-2", "base": "1/2", "exponent": "1/3"},
                    {"coefficient": "1", "base": "3", "exponent": "1/2"},
                ],
            },
        ),
        (root(Fraction(1, 4)) + 1, "3/2"),
        (
            1 + 3 * upper_limit(1, 3, Fraction(1, 4)),
            {"constant": "1", "limits": [{"coefficient": "3", "errors": 1, "rows": 3, "confidence": "1/4"}]},
        ),
        (2 * upper_limit(3, 3, Fraction(1, 4)), "2"),
    ]
)
def test_the_exact_form(number: Number, exact: object) -> None:
    assert exact_json(number) == exact


@given(fractions(-1000, 1000))
def test_a_rational_comes_back(value: Fraction) -> None:
    written = number_json(value)
    assert Fraction(written["exact"]) == value
    assert float.fromhex(written["double"]) == value.numerator / value.denominator
    assert abs(Fraction(written["digits"]) - value) <= abs(value) / 10**19


def test_a_table_keeps_the_unknown_apart() -> None:
    table = Partition((), ((1, Fraction(1, 2)), (0, 3)), (Fraction(1, 3), 0))
    assert table_json(table) == {"rows": [["1", "1/2"], ["0", "3"]], "unknown": ["1/3", "0"]}


@given(fractions(max_denominator=2**70))
def test_digits_read_back_as_the_same_double(number: Fraction) -> None:
    written = number_json(number)
    assert float(written["digits"]).hex() == written["double"]


def test_a_number_next_to_the_middle_of_two_doubles_has_more_digits() -> None:
    above = Fraction(2**53 + 1, 2**53) + Fraction(1, 2**80)
    written = number_json(above)
    assert len(written["digits"]) > 21
    assert float(written["digits"]) == float(above) != float(written["digits"][:21])
