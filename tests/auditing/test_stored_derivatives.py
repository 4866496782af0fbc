"""Derivatives worked out by a database enclose the exact ones, and lie near those enclosed in memory."""

from __future__ import annotations

import sqlite3
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.program_derivatives import derivatives
from reference_tree.auditing.stored_derivatives import ENDS, derived, staged, unit_of
from reference_tree.stores.engines import ENGINES

margins = st.one_of(st.floats(-40, 40), st.sampled_from([0.0, 800.0, -800.0]))


@pytest.mark.parametrize(("loss", "classes"), [("squared_error", 1), ("logistic", 1), ("softmax", 3)])
@given(rows=st.lists(st.tuples(st.tuples(margins, margins, margins), st.integers(0, 2)), min_size=1, max_size=8))
def test_they_enclose_what_memory_encloses(loss: str, classes: int, rows: list[tuple[tuple[float, ...], int]]) -> None:
    booster = Booster(loss=loss, margins="double", targets="double", gains="double", second=1)
    ends = [tuple((Fraction(one), Fraction(one)) for one in of[:classes]) for of, _ in rows]
    targets = [min(y, 1) if loss == "logistic" else y for _, y in rows]
    expected = derivatives(booster, targets, ends)
    database, engine = sqlite3.connect(":memory:"), ENGINES["sqlite3"]
    names = [f"{end}{place}" for place in range(classes) for end in "lh"]
    database.execute(f"CREATE TABLE given (y, w, {', '.join(names)})")
    for (of, _), y in zip(rows, targets, strict=True):
        cells = [one for margin in of[:classes] for one in (margin, margin)]
        database.execute(f"INSERT INTO given VALUES (?, 1, {', '.join('?' * len(cells))})", [y, *cells])
    widest = max(abs(margin) for of, _ in rows for margin in of)
    unit = unit_of(widest + 2 if loss == "squared_error" else 1.0, len(rows), engine)
    stages = derived(booster, classes, 0, widest, engine, unit)
    found = database.execute(*staged("given", stages, list(ENDS))).fetchall()
    near = Fraction(int(widest) + 2, 2**20)
    for four, g, h in zip(found, expected.g, expected.h, strict=True):
        ours = [Fraction(one, 2**unit) for one in four]
        its = [Fraction(end, expected.scale) for end in (*g, *h)]
        for (low, high), (its_low, its_high) in zip((ours[:2], ours[2:]), (its[:2], its[2:]), strict=True):
            assert low <= high
            assert max(low, its_low) <= min(high, its_high), "the true value lies in both"
        assert all(abs(one - other) <= near for one, other in zip(ours, its, strict=True))
