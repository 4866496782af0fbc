"""What older releases of scikit-learn do wrong is remarked on, and what of it cannot be repeated is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.programs.practices import practice_of
from reference_tree.tree import Program

GAPS = rt.Table.from_columns({"x": [1, 2, None], "w": [1, 1, 2], "y": [1, 2, 4]}, "y", weights="w", continuous=["y"])
WHOLE = rt.Table.from_columns({"x": [1, 2, 3], "w": [1, 1, 2], "y": [1, 2, 4]}, "y", weights="w", continuous=["y"])
MEDIANS: dict[str, Any] = {"criterion": "absolute_error"}


def remarks(version: str | None, table: rt.Table, told: dict[str, Any], name: str = "scikit-learn") -> list[str]:
    tree = replace(rt.CART().grow(WHOLE), program=Program(name, version, "float32"))
    return [one.partition(":")[0] for one in practice_of(tree).faults(tree, table, told)]


@pytest.mark.parametrize(
    ("version", "gaps", "medians"), [("1.6.1", 1, 1), ("1.7.2", 1, 1), ("1.8.0", 1, 0), ("1.9.1", 0, 0), (None, 0, 0)]
)
def test_the_release_decides(version: str | None, gaps: int, medians: int) -> None:
    assert len(remarks(version, GAPS, {})) == gaps
    assert len(remarks(version, WHOLE, MEDIANS)) == medians
    assert len(remarks(version, GAPS, MEDIANS)) == gaps + medians
    assert remarks(version, GAPS, MEDIANS, "XGBoost") == []


def test_rows_that_weigh_the_same_have_right_medians() -> None:
    even = replace(WHOLE, weights=None)
    assert remarks("1.6.1", even, MEDIANS) == []


def test_thresholds_drawn_among_gaps_are_refused() -> None:
    told = {"draws": {"thresholds": True, "trees": []}}
    with pytest.raises(InputError, match=r"scikit-learn 1\.8\.0 drew its thresholds among rows without a value"):
        remarks("1.8.0", GAPS, told)
    assert remarks("1.9.1", GAPS, told) == remarks("1.8.0", WHOLE, told) == []
