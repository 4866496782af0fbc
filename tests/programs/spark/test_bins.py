"""Bins of Spark: where it drew rows for them, they are those of the cuts that its trees ask."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.questions import Threshold
from reference_tree.programs.boosters import PARAMETERS
from reference_tree.programs.spark import bins
from reference_tree.tree import Grower, Program, Tree
from reference_tree.tree_document.form import FOREIGN
from tests.auditing.trees import changed
from tests.stores.databases import stored


def of_spark(tree: Tree) -> Tree:
    """A tree as Spark's reader gives it."""
    grower = Grower(
        FOREIGN, options={PARAMETERS: {"criterion": "gini", "max_depth": 2, "max_bins": 4, "merge_leaves": True}}
    )
    return replace(tree, grower=grower, program=Program("Spark MLlib", numbers="double"))


@pytest.mark.parametrize("is_stored", [False, True])
def test_where_spark_drew_rows_for_its_bins_they_are_those_of_the_cuts_that_it_asks(
    is_stored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [bins.draws_for_bins(32, rows) for rows in (10_000, 10_001)] == [False, True]
    assert not bins.draws_for_bins(200, 40_000)
    monkeypatch.setattr(bins, "draws_for_bins", lambda *_: True)
    iris = rt.textbook("iris").rounded("double")
    coarse: Any = bins.binned(iris, {one.name: [3, 5] for one in iris.schema.attributes})
    grown = rt.CART.like("spark", max_depth=2).grow(coarse)
    asked = {node.test.threshold for node in grown.nodes if isinstance(node.test, Threshold)}
    assert asked == {3, 5}
    data: Any = stored(rt.textbook("iris")) if is_stored else rt.textbook("iris")
    found = rt.audit(of_spark(grown), data)
    assert found.is_right, str(found)
    assert "they are taken to be those of the cuts that its trees ask" in found.summary
    wrong = changed(grown, 0, test=replace(grown.nodes[0].test, attribute="sepal width"))  # type: ignore[type-var]
    assert not rt.audit(of_spark(wrong), data).is_right
