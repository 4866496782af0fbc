"""scikit-learn: how its trees become documents, and what it does where the books leave a choice."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reference_tree.data.schema import Attribute
from tests.peers import scikit_learn
from tests.peers.data_sets import data_set
from tests.peers.tiny import ALIKE, SYMMETRIC, XOR, Grow, asked, nodes, tiny

SOURCE = {"program": "scikit-learn", "version": "0", "command": ""}


def held(**arrays: Any) -> SimpleNamespace:
    """A stump as scikit-learn holds it: arrays with a place for each node."""
    stump = {"children_left": [1, -1, -1], "children_right": [2, -1, -1], "feature": [0, -2, -2]}
    return SimpleNamespace(**stump, **arrays)


def test_shares_of_classes_become_counts(tmp_path: Path) -> None:
    data = tiny(tmp_path, ["1 n", "2 p", "3 p"], [Attribute("a"), Attribute("class", ("m", "n", "p"))])
    shares = [[[1 / 3, 2 / 3]], [[1.0, 0.0]], [[0.0, 1.0]]]  # it knows nothing of a class without rows
    tree = held(threshold=[1.5, -2.0, -2.0], weighted_n_node_samples=[3.0, 1.0, 2.0], value=shares)
    root, low, high = nodes(scikit_learn.convert(tree, data, SOURCE))
    assert (root["counts"], root["label"]) == ({"n": "1", "p": "2"}, "p")
    assert root["test"] == {"kind": "threshold", "attribute": "a", "threshold": "1.5"}
    assert root["branches"] == [{"when": {"le": "1.5"}, "to": 1}, {"when": {"gt": "1.5"}, "to": 2}]
    assert (low["stop"], high["stop"]) == ("pure", "pure")


def test_impurity_becomes_a_sum_of_squares(tmp_path: Path) -> None:
    data = tiny(tmp_path, ["1 1", "2 2", "3 4"], [Attribute("a"), Attribute("y")])
    tree = held(
        threshold=[2.5, -2.0, -2.0],
        weighted_n_node_samples=[3.0, 2.0, 1.0],
        value=[[[7 / 3]], [[1.5]], [[4.0]]],
        impurity=[14 / 9, 0.25, 0.0],
    )
    root, low, high = nodes(scikit_learn.convert(tree, data, SOURCE))
    assert (root["n"], root["mean"], root["sse"]) == ("3", "7/3", "14/3")
    assert (low["sse"], low["stop"], high["sse"], high["stop"]) == ("1/2", "unknown", "0", "pure")


# What scikit-learn does.


@pytest.fixture
def grow(tmp_path: Path) -> Grow:
    if missing := scikit_learn.absent():
        pytest.skip(missing)
    return lambda rows, criterion="gini": nodes(scikit_learn.grow([(tiny(tmp_path, rows), criterion)])[0])


oracles = pytest.mark.oracles
every_criterion = pytest.mark.parametrize("criterion", ["gini", "entropy"])


@oracles
@every_criterion
def test_a_gain_of_zero_splits(grow: Grow, criterion: str) -> None:
    assert len(grow(XOR, criterion)) == 7


@oracles
@every_criterion
def test_the_lowest_of_equal_cuts_wins(grow: Grow, criterion: str) -> None:
    assert asked(grow(SYMMETRIC, criterion)[0]) == ("a", "2.5")


@oracles
def test_which_of_equal_attributes_wins_depends_on_the_seed(grow: Grow, tmp_path: Path) -> None:
    assert grow(ALIKE)
    *columns, target = zip(*tiny(tmp_path, ALIKE).numbers(), strict=True)
    classifier = importlib.import_module("sklearn.tree").DecisionTreeClassifier
    trees = [classifier(random_state=seed).fit(list(zip(*columns, strict=True)), target) for seed in range(10)]
    assert {int(tree.tree_.feature[0]) for tree in trees} == {0, 1}


@oracles
def test_a_threshold_lies_between_values_in_32_bits(grow: Grow) -> None:
    assert asked(grow(["0.6 n", "1 p"])[0]) == ("a", "0.800000011920929")


@oracles
@pytest.mark.parametrize(("gap", "size"), [("1.00000011", 1), ("1.0000003", 3)])
def test_values_within_a_ten_millionth_are_equal(grow: Grow, gap: str, size: int) -> None:
    assert len(grow(["1 n", f"{gap} p"])) == size


@oracles
def test_the_seed_decides_what_iris_looks_like() -> None:
    if missing := scikit_learn.absent():
        pytest.skip(missing)
    *columns, target = zip(*data_set("iris").numbers(), strict=True)
    rows = list(zip(*columns, strict=True))
    classifier = importlib.import_module("sklearn.tree").DecisionTreeClassifier
    trees = [classifier(random_state=seed).fit(rows, target).tree_ for seed in range(50)]
    assert len({json.dumps([tree.feature.tolist(), tree.threshold.tolist()]) for tree in trees}) > 1
