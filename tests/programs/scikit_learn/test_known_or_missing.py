"""Questions whether a row has a value at all: what scikit-learn 1.9.1 grew, and what it grows where it is installed."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.finding import Findings
from reference_tree.programs.scikit_learn.objects import LARGEST
from reference_tree.tree_document.form import FOREIGN, FORMAT

AT = str(int(LARGEST))


def document(question: dict[str, Any], *leaves: dict[str, Any]) -> str:
    """A tree of one question, as `read_foreign` makes it of a fitted tree."""
    head = {
        "format": FORMAT,
        "target": {"name": "y", "kind": "categorical", "classes": ["no", "yes"]},
        "attributes": [{"name": "x", "kind": "continuous"}],
        "learner": {"name": FOREIGN, "profile": None, "options": {"told": {"criterion": "gini"}}},
        "program": {"name": "scikit-learn", "numbers": "float32"},
    }
    return json.dumps({**head, "nodes": [question, *({"id": n, **leaf} for n, leaf in enumerate(leaves, start=1))]})


def asked(threshold: str, to: int, counts: dict[str, str]) -> dict[str, Any]:
    """A root that asks of x."""
    branches = [{"when": {"le": threshold}, "to": 1}, {"when": {"gt": threshold}, "to": 2}]
    test = {"kind": "threshold", "attribute": "x", "threshold": threshold}
    missing = {"rule": "branch", "to": to}
    return {"id": 0, "counts": counts, "label": "no", "test": test, "branches": branches, "missing": missing}


def leaf(stop: str = "pure", **counts: str) -> dict[str, Any]:
    """A leaf."""
    return {"counts": counts, "label": max(counts, key=lambda name: int(counts[name])), "stop": stop}


def found(text: str, x: list[int | None], y: str) -> Findings:
    """The audit of a tree on a table of one column."""
    table = rt.Table.from_columns({"x": x, "y": [{"n": "no", "y": "yes"}[one] for one in y]})
    result = rt.audit(rt.from_json(text), table)
    assert isinstance(result, Findings)
    return result


def test_whether_a_value_is_known_may_be_the_best_question() -> None:
    tree = document(asked(AT, 2, {"no": "2", "yes": "2"}), leaf(no="2"), leaf(yes="2"))
    assert found(tree, [1, None, None, 2], "nyyn").is_right


def test_of_one_value_it_may_be_asked_and_need_not_be() -> None:
    """Before version 1.8 the program left out an attribute of one known value."""
    asks = document(asked(AT, 2, {"no": "2", "yes": "2"}), leaf(no="2"), leaf(yes="2"))
    stops = document({**leaf("unknown", no="2", yes="2"), "id": 0})
    assert found(asks, [1, None, None, 1], "nyyn").is_right
    assert found(stops, [1, None, None, 1], "nyyn").is_right
    (wrong,) = found(stops, [1, None, None, 2], "nyyn").wrong
    assert wrong.verdict == "stopped-early"


def test_a_cut_that_is_worth_less_is_told() -> None:
    tree = document(asked("1.5", 2, {"no": "2", "yes": "2"}), leaf(no="1"), leaf("max-depth", no="1", yes="2"))
    wrong = found(tree, [1, None, None, 2], "nyyn").wrong[0]
    assert wrong.verdict == "suboptimal"
    assert wrong.regret is not None
    assert float(wrong.regret.per_row) == pytest.approx(1 / 3)  # a decrease of 1/2 against 1/6


def test_it_is_told_where_a_cut_is_worth_more() -> None:
    tree = document(asked(AT, 2, {"no": "2", "yes": "2"}), leaf("max-depth", no="2", yes="1"), leaf(yes="1"))
    wrong = found(tree, [1, 1, 2, None], "nnyy").wrong[0]
    assert wrong.verdict == "suboptimal"


def test_a_tree_of_ours_does_not_ask_so() -> None:
    table = rt.Table.from_columns({"x": [1, None, None, 2], "y": ["no", "yes", "yes", "no"]})
    assert rt.audit(rt.CART.like("scikit-learn").grow(table), table).is_right


@pytest.mark.parametrize("least", [1, 2])
def test_trees_that_scikit_learn_grows_on_gaps_are_right(least: int) -> None:
    trees, nan = pytest.importorskip("sklearn.tree"), float("nan")
    chance, asking = Random(least), 0
    for _ in range(25):
        rows = [[chance.choice([1.0, 2.0, 3.0, nan, nan]) for _ in range(2)] for _ in range(9)]
        labels = [chance.choice("ab") for _ in rows]
        model = trees.DecisionTreeClassifier(min_samples_leaf=least, random_state=0).fit(rows, labels)
        columns = {f"x{j}": [None if row[j] != row[j] else row[j] for row in rows] for j in range(2)}
        result = rt.audit(model, rt.Table.from_columns({**columns, "y": labels}))
        assert result.is_right, result.wrong[0]
        asking += sum(at == float("inf") for at in model.tree_.threshold)
    assert asking > 5
