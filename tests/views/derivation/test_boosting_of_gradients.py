"""Gradients: what the derivation of a boosted tree says, held against the tree and against Li Hang's figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.views.derivation.blocks import Scope
from reference_tree.views.derivation.ensembles import explained_round
from reference_tree.views.derivation.writers.text import write


def page(data: str, number: int, node: str | None = None, trees: int = 2, **options: Any) -> str:
    learner = rt.GradientBoosting(base=rt.GradientTree(**options), trees=trees)
    table = rt.textbook(data)
    return "\n".join(write(explained_round(learner.grow(table), table, number, Scope(node, every=False))))


STUMPS: Mapping[str, Any] = {"max_depth": 1, "reg_lambda": 0, "rate": 1, "grid": None}


def test_the_second_round_of_table_8_2() -> None:
    text = page("li-hang-8.2", 2, "/", **STUMPS)
    cuts = re.findall(r"^x<=(\S+) +\S+ +\S+ +\S+ +\S+ +- +(\S+)", text, re.MULTILINE)
    assert cuts[0][0] == "3.5"
    assert len(cuts) == 9
    assert [float(gain) for _, gain in cuts] == sorted((float(gain) for _, gain in cuts), reverse=True)
    # 1.9300 is what the first tree left, and 0.8007 what the second one leaves.
    assert float(cuts[0][1]) == pytest.approx(1.930008 - 0.800675, abs=1e-6)
    assert "x<=3.5 gains most, and is asked." in text


def test_rational_figures_are_worked_out() -> None:
    text = page("li-hang-5.2", 1, **STUMPS)
    assert re.search(r"gain\(x<=5.5\) += .* ≈? ?24\.27364", text)
    assert re.search(r"^w += .*", text, re.MULTILINE)


def test_irrational_figures_are_rounded_and_not_worked_out() -> None:
    text = page("play-tennis", 2, "/", max_depth=1)
    assert "gain(humidity" not in text
    assert re.search(r"humidity=high +1\.216312 +1\.676700", text)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"max_depth": 0}, "its children would lie deeper than 0"),
        ({"min_child_weight": 20}, "every question leaves a side with an H below 20"),
        ({"gamma": 1000}, "what was asked here gains less than γ = 1000"),
        ({"epsilon": Fraction(1000)}, "no question gains more than 1000"),
        ({"min_samples_leaf": 6}, "every question leaves a side with a weight below 6"),
        ({"min_samples_split": 11}, "its weight is below 11"),
    ],
)
def test_why_a_leaf_is_one(options: Mapping[str, Any], reason: str) -> None:
    assert reason in page("li-hang-8.2", 1, **options)


def test_of_a_large_tree_only_the_root_is_worked_out() -> None:
    learner = rt.GradientBoosting(base=rt.GradientTree(max_depth=9), trees=1)
    table = rt.textbook("iris").predicting("petal width")
    ensemble = learner.grow(table)
    few, every = (
        "\n".join(write(explained_round(ensemble, table, 1, Scope(every=each)))).count("\nThe questions")
        for each in (False, True)
    )
    inner = sum(1 for node in ensemble.members[0].tree.nodes if node.test is not None)
    assert few == 1 < inner <= every


def test_a_side_for_rows_without_a_value_is_said() -> None:
    table = rt.Table.from_columns({"x": [1, 2, None, 4], "y": [1, 1, 5, 5]}, target="y")
    learner = rt.GradientBoosting(trees=1)
    text = "\n".join(write(explained_round(learner.grow(table), table, 1)))
    assert re.search(r"x<=3 .* right", text)
