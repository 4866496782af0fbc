"""What this package writes of a tree is read back, and is the same function of all rows: proved, not sampled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.programs.reading import predictor_of_file

LEARNERS: dict[str, Any] = {
    "ID3": rt.ID3(), "C4.5": rt.C45.like("zhou"), "release 8": rt.C45.like("c45-r8"), "CART": rt.CART(),
    "rpart": rt.CART.like("rpart"), "scikit-learn": rt.CART.like("scikit-learn"),
}  # fmt: skip
TABLES = ("play-tennis", "golf", "watermelon-3.0", "loan", "li-hang-5.2", "contact-lenses", "iris", "cats")
GROWN = [
    (learner, table)
    for table in TABLES
    for learner in LEARNERS
    if (table != "li-hang-5.2" or learner in ("CART", "rpart", "scikit-learn"))
    and (learner not in ("ID3", "scikit-learn") or table not in ("golf", "iris", "watermelon-3.0", "cats"))
]


@pytest.mark.parametrize("form", ["json", "pmml"])
@pytest.mark.parametrize(("learner", "table"), [pytest.param(*each, marks=pytest.mark.one_in(6)) for each in GROWN])
def test_a_tree_that_is_read_back(learner: str, table: str, form: str, tmp_path: Path) -> None:
    tree = LEARNERS[learner].grow(rt.textbook(table))
    path = tmp_path / f"tree.{form}"
    path.write_text(rt.to_json(tree) if form == "json" else rt.to_pmml(tree), encoding="utf-8")
    assert rt.equivalent(tree, predictor_of_file(path)).verdict == "same answers"


def test_pmml_holds_the_counts_of_divided_rows_as_decimals(tmp_path: Path) -> None:
    """So shares like 7/15 of a melon with a gap are off by less than 1e-15."""
    tree = LEARNERS["C4.5"].grow(rt.textbook("watermelon-2.0a"))
    path = tmp_path / "tree.pmml"
    path.write_text(rt.to_pmml(tree), encoding="utf-8")
    found = rt.equivalent(tree, predictor_of_file(path))
    assert found.verdict == "different"
    assert found.difference is not None
    assert abs(found.difference) < 1e-15
    path = tmp_path / "tree.json"
    path.write_text(rt.to_json(tree), encoding="utf-8")
    assert rt.equivalent(tree, predictor_of_file(path)).verdict == "same answers"
