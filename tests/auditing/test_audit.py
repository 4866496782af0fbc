"""Audits: what learners and other programs grew is right, and what cannot be audited is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.auditing import audit
from reference_tree.auditing.report import report
from reference_tree.data.questions import Subset, Threshold
from reference_tree.ensembles.derivatives import given as given_derivatives
from reference_tree.learners.decision import Learner
from reference_tree.tree import Grower, Program
from reference_tree.tree_document import from_json, to_json
from tests import strategies
from tests.auditing.trees import GROWN, SIZES, TABLE, changed, verdicts
from tests.every import of_every
from tests.peers import test_j48_trees, test_rpart_trees, test_simple_cart_trees
from tests.peers.conforming import table_of
from tests.peers.recordings import Recording

LEARNERS: dict[str, Any] = {
    "id3": rt.ID3(),
    "id3 zhou": rt.ID3.like("zhou"),
    "c45": rt.C45(),
    "c45 li-hang": rt.C45.like("li-hang", epsilon=Fraction(1, 10)),
    "c45-r8": rt.C45.like("c45-r8"),
    "weka-j48": rt.C45.like("weka-j48"),
    "cart": rt.CART(),
    "cart multiway": rt.CART(branching="multiway", missing="fractions"),
    "cart one-vs-rest": rt.CART(branching="one-vs-rest", criterion="entropy", max_depth=2),
    "cart linear": rt.CART(branching="linear"),
    "cart priors": rt.CART(loss={"no": {"yes": 3}}),
    "rpart": rt.CART.like("rpart", min_samples_split=2, min_samples_leaf=1),
    "scikit-learn": rt.CART.like("scikit-learn", min_samples_leaf=2),
    "optimal": rt.Optimal(max_depth=2),
}


@of_every(LEARNERS)
def test_what_a_learner_grew_is_right(name: str) -> None:
    table = TABLE.without(["x", "z"]) if name == "id3" else TABLE
    tree = LEARNERS[name].grow(table)
    found = audit(from_json(to_json(tree)), table)
    assert found.is_right, found.wrong[0]
    assert len(found.findings) == len(tree.nodes)


@of_every(["squared_error", "variance_n_minus_1", "absolute_error"])
def test_so_is_a_tree_of_numbers(criterion: Any) -> None:
    found = audit(rt.CART(criterion=criterion).grow(SIZES), SIZES)
    assert found.is_right, found.wrong[0]


@given(strategies.categorical_tables(), st.sampled_from([rt.ID3(), rt.C45(), rt.CART(), rt.CART(criterion="entropy")]))
def test_any_tree_that_a_learner_grew_is_right(table: rt.Table, learner: Any) -> None:
    found = audit(learner.grow(table), table)
    assert found.is_right, found.wrong[0]


ENSEMBLES: dict[str, Any] = {
    "bagging": rt.Bagging(base=rt.CART(), trees=3, seed=1),
    "forest": rt.RandomForest(trees=3, seed=1),
    "adaboost": rt.AdaBoost(trees=3),
}


@of_every(ENSEMBLES)
def test_an_ensemble_is_audited_tree_by_tree(name: str) -> None:
    ensemble = ENSEMBLES[name].grow(TABLE)
    found = audit(ensemble, TABLE)
    assert found.is_right, found.wrong[0]
    assert [finding.tree for finding in found.findings if finding.number == 0] == [*range(len(ensemble.members))]
    if name == "adaboost":  # what the next trees are grown from depends on the trees before
        return
    spoilt = ensemble.members[1]._replace(tree=changed(ensemble.members[1].tree, 0, label="maybe"))
    wrong = audit(replace(ensemble, members=(ensemble.members[0], spoilt)), TABLE).wrong
    assert [(finding.tree, finding.number, finding.verdict) for finding in wrong] == [(1, 0, "wrong-leaf")]


def test_gradient_boosting_by_squared_error_is_audited_exactly() -> None:
    ensemble = rt.GradientBoosting(trees=3).grow(SIZES)
    found = audit(ensemble, SIZES)
    assert found.is_right, found.wrong[0]


def test_a_tree_that_was_fitted_to_given_derivatives() -> None:
    """Derivatives that are exact numbers have exact gains; another threshold, or another value of a leaf, is named."""
    columns = {"x": [1, 2, 3, 4, 5, 6], "g": [-1, -1, 2, 1, 3, -2], "h": [1, 1, 1, 2, 1, 1], "y": [0] * 6}
    data: Any = given_derivatives(rt.Table.from_columns(columns), "g", "h")
    tree = rt.GradientTree(reg_lambda=1, max_depth=2, rate=1).grow(data)
    assert len(tree.nodes) > 3
    assert verdicts(tree, table=data) == {}
    test = tree.nodes[0].test
    assert isinstance(test, Threshold)
    spoilt = changed(tree, 0, test=Threshold(test.attribute, test.threshold + 1))
    assert verdicts(spoilt, table=data) == {0: ["wrong-threshold"]}
    last = len(tree.nodes) - 1
    assert verdicts(changed(tree, last, label=Fraction(1, 3)), table=data) == {last: ["wrong-leaf"]}


RECORDED: list[tuple[Recording, Any, Any]] = [
    *((one, test_j48_trees.learner_of(one), table_of) for one in test_j48_trees.J48_TREES),
    *((one, test_rpart_trees.learner_of(one), test_rpart_trees.known_rows) for one in test_rpart_trees.RPART_TREES),
    *(
        (one, rt.CART.like("cart-1984", **test_simple_cart_trees.SETTINGS), table_of)
        for one in test_simple_cart_trees.SIMPLE_CART_TREES
        if one.data not in test_simple_cart_trees.UNLIKE_NODES
    ),
]
QUICK = ("weather", "contact", "iris", "labor", "wine", "glass", "cars", "cpu")


@pytest.mark.one_in(4, 12)
@pytest.mark.parametrize(
    ("recording", "learner", "rows"),
    [
        pytest.param(*one, id=one[0].name, marks=() if one[0].data.startswith(QUICK) else pytest.mark.slow)
        for one in RECORDED
    ],
)
def test_trees_of_other_programs_are_right(recording: Recording, learner: Learner, rows: Any) -> None:
    """Fractions of a row are rounded there; and rpart prunes as it grows, if its complexity parameter says so."""
    tree = replace(from_json(recording.text()), program=Program(recording.program))
    pruned = recording.setting in test_rpart_trees.PRUNED
    found = audit(tree, rows(recording), learner, pruned=pruned)
    assert found.is_right, found.wrong[0]


def test_an_estimator_is_audited_by_what_it_grew() -> None:
    rows, labels = [["red", 1.5], ["blue", 2.5], ["red", 3]], ["a", "b", "b"]
    table = rt.Table.from_columns({"x0": [row[0] for row in rows], "x1": [row[1] for row in rows], "y": labels})
    for model in (rt.CARTClassifier(), rt.BaggingClassifier(n_estimators=2, bootstrap=False)):
        found = audit(model.fit(rows, labels), table)
        assert found.counts.keys() <= {"optimal", "optimal-tied"}
        assert not found.wrong
    with pytest.raises(rt.InputError):
        audit(rt.CARTClassifier(), table)


def test_what_is_refused() -> None:
    with pytest.raises(rt.InputError, match="does not say which learner grew it"):
        audit(replace(GROWN, grower=Grower()), TABLE)
    turned = rt.Table.from_columns({**{n: [*c] for n, c in TABLE.columns.items()}, "y": [*"nnnyyyyn"]})
    with pytest.raises(rt.InputError, match="its classes are no, yes, and here n, y"):
        audit(GROWN, turned)
    target = rt.Attribute("y", ("yes", "no"))
    other = replace(TABLE, schema=replace(TABLE.schema, target=target))
    with pytest.raises(rt.InputError, match="its classes are no, yes, and here yes, no in another order"):
        audit(GROWN, other)
    with pytest.raises(rt.InputError, match="is another attribute in this table"):
        list(audit(changed(GROWN, 0, test=Subset("x", ("a",))), TABLE))
    with pytest.raises(rt.InputError, match="at least one leaf, and the cap is 0"):
        audit(GROWN, TABLE, max_leaves=0)
    (boosted,) = rt.read_foreign('[{"nodeid": 0, "leaf": 0.5}]', target="y")
    with pytest.raises(rt.InputError, match="fitted to what the trees before it left undone"):
        audit(rt.predictor_from_json(json.dumps(boosted)), SIZES, rt.CART())
    with pytest.raises(rt.InputError, match="there is no node 99"):
        audit(GROWN, TABLE).at(99)


@pytest.mark.slow
def test_a_boosted_model_of_another_program_is_audited_by_its_derivatives() -> None:
    """XGBoost's own leaves are right by the parameters it was given, and not by another λ."""
    tests = Path(__file__).parents[1]
    data = tests / "recorded" / "data" / "pima.arff"
    table = rt.read(data)
    found = tests / "programs" / "recorded" / "xgboost" / "pima.json"
    (document,) = rt.read_foreign(found, target=table.schema.target.name, classes=table.schema.target.domain)
    model = rt.predictor_from_json(json.dumps(document))
    assert audit(model, table).is_right
    assert any(found.faults for found in audit(model, table, told={"reg_lambda": "0"}))
    with pytest.raises(rt.InputError, match="a boosted model has no learner, no validation, no pruning and no cap"):
        audit(model, table, rt.CART())
    with pytest.raises(rt.InputError, match="told is for boosted models of other programs"):
        audit(GROWN, TABLE, told={"reg_lambda": "0"})
    with pytest.raises(rt.InputError, match="there is no parameter 'lambda' of boosting"):
        audit(model, table, told={"lambda": "0"})
    numbers = rt.read(data, target="age").without(["class"])
    with pytest.raises(rt.InputError, match="there is no column 'mass'"):
        audit(model, table.without(["mass"]))
    with pytest.raises(rt.InputError, match="the model has 2 classes, and age is of numbers; read it as categorical"):
        audit(model, numbers)


def test_one_node_is_judged_as_among_all() -> None:
    found = audit(GROWN, TABLE)
    assert [found.at(number) for number in range(5)] == list(found.findings)


def test_the_summary() -> None:
    assert str(audit(GROWN, TABLE)) == "5 nodes are right; cart"
    assert str(audit(GROWN, TABLE, rt.CART(max_depth=0))) == (
        "1 of 5 nodes is wrong, from which 1 follow; cart, max_depth 0"
    )


@pytest.mark.parametrize("silent", [[], ["missing"]])
@pytest.mark.parametrize("counts", [[3, 2], [2, 3], [2, 2]])
def test_gaps_without_a_rule_are_where_the_counts_show(silent: list[str], counts: list[int]) -> None:
    table = rt.Table.from_columns({"a": [1, 2, None, 4, 5], "y": [*"nnnyy"] if counts[0] == 3 else [*"nnyyy"]})
    branches = [{"when": {relation: 3.5}, "to": to} for relation, to in (("le", 1), ("gt", 2))]
    document = {
        "format": "reference-tree/tree/1",
        "target": {"name": "y", "kind": "categorical", "classes": ["n", "y"]},
        "attributes": [{"name": "a", "kind": "continuous"}],
        "learner": {"name": "unknown"},
        "program": {"name": "a program", "numbers": "double", "silent": silent},
        "nodes": [
            {
                "id": 0,
                "counts": dict(zip("ny", (3, 2) if counts[0] == 3 else (2, 3), strict=True)),
                "label": "n" if counts[0] == 3 else "y",
                "test": {"kind": "threshold", "attribute": "a", "threshold": 3.5},
                "branches": branches,
            },
            {"id": 1, "counts": {"n": counts[0]}, "label": "n", "stop": "unknown"},
            {"id": 2, "counts": {"y": counts[1]}, "label": "y", "stop": "unknown"},
        ],
    }
    found = audit(rt.from_json(json.dumps(document)), table, rt.CART())
    assert found.is_right, report(found)
    assert "rows with a missing value go where the counts of the tree show" in report(found)


def test_the_summary_names_an_option_that_documents_have_only_if_it_is_changed() -> None:
    for learner, said in (
        (rt.C45.with_options(chi_squared=Fraction(9, 10)), "c45, chi_squared 0.9"),
        (rt.C45(), "c45"),
    ):
        assert rt.audit(learner.grow(rt.textbook("golf")), rt.textbook("golf")).summary.endswith(f"; {said}")
