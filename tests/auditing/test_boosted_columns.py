"""Columns by ranks: rows are sent as the questions themselves send them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.auditing.boosted_columns import columns_of, left_of
from reference_tree.data.questions import Subset, Test, Threshold

ROWS = [(3, "a"), (1, "b"), (None, None), (2, "c"), (3, "a"), (1, None)]
TABLE = rt.Table.from_rows([{"x": x, "c": c, "y": number} for number, (x, c) in enumerate(ROWS)], "y")
TESTS: list[Test] = [
    *(Threshold("x", at, strict=strict) for at in (0, 1, 2, 3, 4) for strict in (False, True)),
    *(Subset("c", values) for values in (("a",), ("b", "c"), ("a", "b", "c"))),
]


@given(st.sampled_from(TESTS), st.sampled_from([0, 1]))
def test_rows_go_as_the_question_says(test: Test, default: int) -> None:
    (name,) = test.attributes
    column: list[Any] = [x if name == "x" else c for x, c in ROWS]
    expected = {
        row for row, value in enumerate(column) if (default if value is None else test.branch({name: value})) == 0
    }
    assert left_of(test, default, columns_of(TABLE)[name], range(len(ROWS))) == expected


def test_bins_are_those_of_the_rows() -> None:
    column = columns_of(TABLE, {"x": [7, 5, None, 5, 7, 5]})["x"]
    assert list(column.bins) == [5, 5, 7]
    assert list(columns_of(TABLE)["c"].values) == ["a", "b", "c"]
