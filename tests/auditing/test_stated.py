"""Why a leaf is one, and where rows without an answer go: what a tree says of it has to be true."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.questions import Missing
from reference_tree.tree import Program
from tests.auditing.trees import GROWN, TABLE, changed, verdicts

GAPS = rt.Table.from_columns({"x": [1, 2, 3, 4, 5, None], "y": [*"nnyyyn"]})


@pytest.mark.parametrize("said", ["max-depth", "min-samples-split", "no-candidates", "empty"])
def test_a_tree_of_ours_gives_the_reason_of_its_learner(said: str) -> None:
    leaf = next(number for number, node in enumerate(GROWN.nodes) if node.stop == "pure")
    assert verdicts(changed(GROWN, leaf, stop=said)) == {leaf: ["wrong-stop"]}
    assert verdicts(changed(GROWN, leaf, stop="unknown")) == {}


def test_a_leaf_of_two_classes_is_not_pure() -> None:
    shallow = rt.CART(max_depth=1).grow(TABLE)
    (leaf,) = (number for number, node in enumerate(shallow.nodes) if node.stop == "max-depth")
    assert verdicts(changed(shallow, leaf, stop="pure")) == {leaf: ["wrong-stop"]}
    foreign = replace(changed(shallow, leaf, stop="pure"), program=Program("a program"))
    assert verdicts(foreign, rt.CART(max_depth=1)) == {leaf: ["wrong-stop"]}
    assert "wrong-stop" in verdicts(changed(shallow, leaf, stop="pure"), pruned=True)[leaf], "pruning excuses no reason"


def test_another_learner_may_have_another_reason() -> None:
    """The reason is judged where the tree is held against what it records, and by its rows otherwise."""
    leaf = next(number for number, node in enumerate(GROWN.nodes) if node.stop == "pure")
    other = changed(GROWN, leaf, stop="max-depth")
    assert verdicts(other, rt.CART(min_samples_split=3)) == {}
    assert verdicts(other, pruned=True) == {}


@pytest.mark.parametrize("rule", ["branch", "surrogates"])
def test_rows_without_an_answer_go_where_the_learner_sends_them(rule: Any) -> None:
    grown = rt.CART(missing=rule).grow(GAPS)
    missing = grown.nodes[0].missing
    assert missing.to == 1
    assert verdicts(grown, table=GAPS) == {}
    wrong = replace(missing, to=0)
    assert "wrong-missing" in verdicts(changed(grown, 0, missing=wrong), table=GAPS)[0]
    complete = rt.Table.from_columns({"x": [1, 2, 3, 4, 5], "y": [*"nnyyy"]})
    whole = rt.CART(missing="branch").grow(complete)
    assert verdicts(changed(whole, 0, missing=Missing(to=0)), table=complete) == {0: ["wrong-missing"]}
    assert verdicts(changed(whole, 0, missing=Missing(to=0)), rt.CART(missing="stay"), table=complete) == {}


def test_the_side_that_scikit_learn_learned_is_the_better_one() -> None:
    """Any right tree passes; the other side is wrong unless it is worth as much."""
    trees, nan, wrong = pytest.importorskip("sklearn.tree"), float("nan"), 0
    chance = Random(2)
    for _ in range(15):
        x = [chance.choice([1.0, 2.0, 3.0, nan]) for _ in range(10)]
        y = [chance.choice("ab") for _ in x]
        table = rt.Table.from_columns({"x0": [None if one != one else one for one in x], "y": y})
        model = trees.DecisionTreeClassifier(max_depth=1).fit([[one] for one in x], y)
        assert rt.audit(model, table).is_right
        (document,) = rt.read_foreign(model, target="y")
        root: dict[str, Any] = document["nodes"][0]
        if nan in x and "missing" in root:
            root["missing"]["to"] = 3 - root["missing"]["to"]
            found = rt.audit(rt.from_json(json.dumps(document)), table)
            wrong += "wrong-missing" in [fault.verdict for fault in found.findings[0].faults]
    assert wrong > 5
