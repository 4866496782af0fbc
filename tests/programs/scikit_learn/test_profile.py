"""CART as scikit-learn's trees have it: one category at a time, and no cut between values that float32 makes equal."""

from __future__ import annotations

import importlib
import importlib.util
from fractions import Fraction
from typing import Any

import pytest

from reference_tree.data.questions import Subset
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.cart import CART
from reference_tree.programs.scikit_learn.profile import too_close


def test_scikit_learn_asks_for_one_category_as_if_each_were_a_column() -> None:
    tree = CART.like("scikit-learn").grow(textbook("play-tennis"))
    assert all(len(node.test.values) == 1 for node in tree.nodes if isinstance(node.test, Subset))


@pytest.mark.skipif(importlib.util.find_spec("sklearn") is None, reason="there is no scikit-learn")
@pytest.mark.parametrize("start", [1e-8, 0.001, 0.3, 0.5, 0.999, 1.0, 1.999, 2.0, 100.0, -0.7, -1.5])
def test_scikit_learn_takes_the_same_values_for_one(start: float) -> None:
    """Neighbouring float32s, and values some 1e-7 apart: a tree of two rows has a cut between them, or none."""
    numpy = importlib.import_module("numpy")
    grower = importlib.import_module("sklearn.tree").DecisionTreeClassifier
    low = numpy.float32(start)
    above, others = low, [numpy.float32(start + gap) for gap in (5e-8, 9.9e-8, 1.01e-7, 1.5e-7, 2e-7)]
    for _ in range(4):
        above = numpy.nextafter(above, numpy.float32(numpy.inf))
        others.append(above)
    for high in others:
        if high == low:
            continue
        is_cut = grower().fit([[low], [high]], [0, 1]).tree_.node_count > 1
        table = Table.from_columns({"x": [float(low), float(high)], "y": ["n", "y"]})
        assert too_close(*(Fraction(float(value)) for value in (low, high))) != is_cut
        assert (CART.like("scikit-learn").decide(table.sample()).chosen is not None) == is_cut


def test_where_the_best_cut_may_not_be_made_the_next_one_is() -> None:
    """And among all questions: the next best one need not be near the first."""
    columns: dict[str, list[Any]] = {"x": [1, Fraction(10000001, 10000000), 2, 3], "z": [1, 1, 1, 2], "y": [*"nyyy"]}
    table = Table.from_columns(columns)
    decision = CART.like("scikit-learn").decide(table.sample())
    assert CART().decide(table.sample()).winners[0].test.threshold < 2  # type: ignore[union-attr]
    assert {winner.test.attribute for winner in decision.winners} == {"x"}
    assert [c.barred for c in decision.candidates] == ["cut-gap", None, None, None]
    best = max((c for c in decision.candidates if c.barred is None), key=lambda c: c.score)
    assert decision.winners[0] == best
    assert decision.chosen is not None
