"""Languages: each number, name and text as Python and each dialect of SQL have it."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.held import Form, held
from reference_tree.data.outcomes import Outcome
from reference_tree.exact.rationals import rational
from reference_tree.views.trees.languages import DIALECTS, Python, cut
from tests.every import of_every
from tests.strategies import fractions

FORMS: tuple[Form, ...] = ("written", "exact", "double", "float32")

thresholds = st.one_of(
    st.floats(-1e30, 1e30).map(Fraction),
    st.decimals(-1000, 1000, places=3).map(Fraction),
    fractions(-9, 9, max_denominator=99),
)


@given(
    threshold=thresholds,
    relation=st.sampled_from(["le", "gt", "lt", "ge"]),
    form=st.sampled_from(FORMS),
    steps=st.integers(-3, 3),
)
def test_the_cut_of_doubles(threshold: Fraction, relation: str, form: Form, steps: int) -> None:
    outcome = Outcome(relation, threshold)
    found = cut(outcome, form)
    for start in (found, float(threshold), float(held(threshold, "float32"))):
        number = start
        for _ in range(abs(steps)):
            number = math.nextafter(number, math.copysign(math.inf, steps))
        assert Outcome(relation, Fraction(found)).holds(Fraction(number)) == outcome.holds(held(number, form))


@of_every(
    [
        ("standard", "written", "4.9", "4.9"),
        ("standard", "written", "1/3", "0.3333333333333333E0"),
        ("standard", "written", "1e-7", "0.0000001"),
        ("standard", "written", "9007199254740994", "9007199254740994"),
        ("standard", "double", "5.5", "5.5"),
        ("standard", "double", "4.9", "4.9E0"),
        ("standard", "float32", "4.9", "4.90000033378601E0"),
        ("standard", "written", "0.1234567890123456812", "0.12345678901234568E0"),
        ("postgresql", "written", "0.1234567890123456812", "0.1234567890123456812"),
    ]
)
def test_a_number_in_sql(dialect: str, form: Form, number: str, written: str) -> None:
    value = held(rational(number), form)
    attribute = rt.Attribute("x", held=form)
    assert DIALECTS[dialect].compared(attribute, Outcome("le", value)) == f'"x" <= {written}'


def test_a_threshold_beyond_doubles() -> None:
    for outcome in (Outcome("le", Fraction(-(10**400))), Outcome("lt", Fraction(10**400))):
        with pytest.raises(rt.InputError, match=r"no double is near -?10{400}, with which x is compared; write json"):
            DIALECTS["standard"].compared(rt.Attribute("x"), outcome)
        assert "e+" not in Python(1).compared(rt.Attribute("x"), outcome)


def test_texts_and_names() -> None:
    text = "it's a \\ and ${x}\n`\""
    assert {name: (each.text(text), each.name(rt.Attribute('a`"b'))) for name, each in DIALECTS.items()} == {
        "standard": ("'it''s a \\ and ${x}\n`\"'", '"a`""b"'),
        "sqlite": ("'it''s a \\ and ${x}\n`\"'", '`a``"b`'),
        "postgresql": ("E'it''s a \\\\ and ${x}\n`\"'", '"a`""b"'),
        "duckdb": ("'it''s a \\ and ${x}\n`\"'", '"a`""b"'),
        "spark": ("'it\\'s a \\\\ and \\u0024{x}\n`\"'", '`a``"b`'),
        "mysql": (f"_utf8mb4 X'{text.encode().hex().upper()}'", '`a``"b`'),
        "bigquery": ("'it\\'s a \\\\ and ${x}\\n`\"'", '`a\\`"b`'),
        "snowflake": ("'it\\'s a \\\\ and ${x}\n`\"'", '"a`""b"'),
    }


def test_a_category_that_spells_a_number_is_also_that_number() -> None:
    codes = rt.Attribute("c", ("2.5", "TRUE", "x", "7", "07.0"))
    found = {value: Python(1).among(codes, (value,)) for value in codes.domain}
    assert found == {
        "2.5": "row['c'] in ('2.5', 2.5)",
        "TRUE": "row['c'] in ('TRUE', True)",
        "x": "row['c'] == 'x'",
        "7": "row['c'] in ('7', 7)",
        "07.0": "row['c'] == '07.0'",
    }
