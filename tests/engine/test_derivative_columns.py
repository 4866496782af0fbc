"""Derivative columns: integers against the rows themselves, and doubles that hold integers against these."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.table import Table
from reference_tree.data.targets import DerivativeTerm, Gradients
from reference_tree.engine.derivative_columns import CaseDerivatives, RowDerivatives, WholeGradients, derivatives
from tests.engine.test_integer_columns import FRACTIONS, assert_sums, columns_of, weights_of
from tests.strategies import fractions

SECOND = st.lists(fractions(0, 5, max_denominator=9), min_size=12, max_size=12)


@given(FRACTIONS, SECOND, st.data())
def test_derivatives(g: list[Fraction], h: list[Fraction], data: st.DataObject) -> None:
    """Both are in one number, whatever the sign of the first."""
    labels = [f"c{row:02}" for row in range(len(g))]
    table = Table.from_columns({"x": [0] * len(g), "y": labels}, target="y")
    terms = {label: DerivativeTerm(one, 0, other) for label, one, other in zip(labels, g, h, strict=False)}
    weights = data.draw(weights_of(len(table)))
    target, most = Gradients(terms), len(table) if weights is None else sum(weights)
    how = derivatives(columns_of(table), target, None if weights is None else dict(enumerate(weights)), 1, most)
    assert_sums(table, target, how, weights)


def test_derivatives_that_are_integers_are_read_as_numbers() -> None:
    whole = CaseDerivatives([-3, 5], [2, 0], (Fraction(1, 4), Fraction(1, 2)), (1, 3))
    target = WholeGradients({"a": DerivativeTerm(0, 0, 0), "b": DerivativeTerm(0, 0, 0)}, whole=whole)
    assert target.g == {"a": Fraction(-3, 4), "b": Fraction(5, 4)}
    assert target.h == {"a": 1, "b": 0}
    assert target.off == Fraction(3, 2)


long = st.integers(-(1 << 90), 1 << 90) | st.integers(-9, 9)
bounds = fractions(0, 9, max_denominator=9) | st.just(Fraction(1, 1 << 70))


@given(st.lists(st.tuples(long, long.map(abs)), min_size=1, max_size=9), st.integers(0, 5), bounds, st.data())
def test_doubles_are_exact_sums_that_lack_what_they_say(
    cases: list[tuple[int, int]], lack: int, penalty: Fraction, data: st.DataObject
) -> None:
    (g, h), weights = zip(*cases, strict=True), data.draw(weights_of(len(cases)))
    whole = CaseDerivatives(g, h, (Fraction(1, 8), Fraction(1, 4)), (lack, lack))
    of_row = [1] * len(cases) if weights is None else weights
    weighed = None if weights is None else dict(enumerate(weights))
    rows = RowDerivatives(whole, range(len(cases)), weighed, 1, sum(of_row))
    doubles = rows.doubles(penalty, 0, 1, 0)
    if doubles is None:  # a row may have no H beside that of all rows
        assert min(h) << 48 <= sum(of_row) * max(h)
        return
    columns = zip((doubles.g, doubles.h), (g, h), whole.units, doubles.units, doubles.off, strict=True)
    for column, exact, of_exact, unit, off in columns:
        known = sum(map(int, column))
        assert sum(column) == known == -sum(-one for one in reversed(column))
        true = sum(weight * one for weight, one in zip(of_row, exact, strict=True))
        assert known * unit <= true * of_exact
        assert (true + lack * sum(of_row)) * of_exact <= (known + sum(of_row) * off) * unit
    unit, held = doubles.units[1], doubles.bounds
    assert held.reg_lambda * unit <= penalty <= (held.reg_lambda + held.lambda_off) * unit
    assert held.min_child_weight - 1 < 1 / unit <= held.min_child_weight
    assert sum(doubles.h) + 2 * held.reg_lambda < 2**53
