"""AdaBoost of scikit-learn: every round is right, a fault is named in its round, and in no later one."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing import audit
from reference_tree.auditing.adaboost import error_of, normalized, reweighted, vote
from reference_tree.data.errors import InputError
from reference_tree.tree_document import predictor_from_json


def rows(seed: int, classes: int) -> tuple[list[list[float]], list[str], rt.Table]:
    """Rows of few values, with classes that two of the columns make likely."""
    chance = Random(seed)
    X = [[float(chance.randrange(8)) for _ in range(3)] for _ in range(120)]
    y = [str(int(a + b + chance.randrange(6)) % classes) for a, b, _ in X]
    columns = {name: [row[place] for row in X] for place, name in enumerate("abc")}
    return X, y, rt.Table.from_columns({**columns, "y": y}, "y", categorical=["y"])


def fitted(seed: int, classes: int, depth: int = 2, **options: Any) -> tuple[Any, rt.Table]:
    """A model of twelve rounds, and its rows."""
    ensemble, trees = pytest.importorskip("sklearn.ensemble"), pytest.importorskip("sklearn.tree")
    X, y, table = rows(seed, classes)
    base = trees.DecisionTreeClassifier(max_depth=depth, **options)
    return ensemble.AdaBoostClassifier(base, n_estimators=12, learning_rate=0.7, random_state=seed).fit(X, y), table


@pytest.mark.parametrize(
    "options", [{}, {"depth": 1}, {"depth": 3, "max_features": 2}, {"depth": 3, "splitter": "random"}]
)
@pytest.mark.parametrize("classes", [2, 3])
def test_every_node_of_every_round_is_right(classes: int, options: dict[str, Any]) -> None:
    for seed in range(2):
        model, table = fitted(seed, classes, **options)
        found = audit(model, table)
        assert found.is_right, found.wrong[0]
        assert len(found.trees) == len(model.estimators_)


@pytest.mark.parametrize("where", ["weight", "error"])
def test_a_wrong_weight_is_named_and_no_later_round(where: str) -> None:
    model, table = fitted(0, 3)
    (document,) = rt.read_foreign(model, target="y", attributes=["a", "b", "c"])
    if where == "weight":
        document["trees"][4]["weight"] = "3/2"
    else:
        document["learner"]["options"]["told"]["boosted"]["errors"][4] = "1/8"
    found = audit(predictor_from_json(json.dumps(document)), table)
    assert [(one.tree, one.number, one.verdict) for one in found.wrong] == [(4, 0, "wrong-weight")]


def test_a_wrong_leaf_is_named_and_no_later_round() -> None:
    model, table = fitted(1, 2)
    (document,) = rt.read_foreign(model, target="y", attributes=["a", "b", "c"])
    leaf = next(node for node in document["trees"][3]["nodes"] if "test" not in node and len(node["counts"]) == 2)
    leaf["label"] = "1" if leaf["label"] == "0" else "0"
    found = audit(predictor_from_json(json.dumps(document)), table)
    assert [(one.tree, one.number, one.verdict) for one in found.wrong] == [(3, leaf["id"], "wrong-leaf")]


def test_what_is_stated_has_to_be_stated_for_each_tree() -> None:
    model, table = fitted(0, 2)
    (document,) = rt.read_foreign(model, target="y", attributes=["a", "b", "c"])
    document["learner"]["options"]["told"]["boosted"]["errors"].pop()
    with pytest.raises(InputError, match="there are 11 errors of 12 trees"):
        audit(predictor_from_json(json.dumps(document)), table)


def test_a_round_by_hand() -> None:
    """Ten rows, three of them wrong: by the rule they have half of the weight in the next round."""
    weights, missed = normalized([Fraction(1)] * 10), [True] * 3 + [False] * 7
    error = error_of(weights, missed)
    assert float(error) == pytest.approx(0.3)
    after = reweighted(weights, missed, vote(error, 2, Fraction(1)))
    assert float(error_of(after, missed)) == pytest.approx(0.5)
    assert vote(Fraction(0), 2, Fraction(1)) == 1
