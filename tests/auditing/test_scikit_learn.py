"""scikit-learn's trees, audited: every node is optimal, and a fault planted by hand is named, it and no other node."""

from __future__ import annotations

import importlib
import importlib.util
import json
from dataclasses import replace
from fractions import Fraction
from math import ceil, nextafter
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing import audit
from reference_tree.data.errors import InputError
from reference_tree.tree import Program
from reference_tree.tree_document import from_json, predictor_from_json
from tests.auditing.planted import KINDS, TABLES, fitted
from tests.peers import sklearn_faults
from tests.peers.boosted_faults import Case
from tests.peers.conforming import table_of
from tests.peers.recordings import RECORDINGS, Recording

needs_scikit_learn = pytest.mark.skipif(importlib.util.find_spec("sklearn") is None, reason="there is no scikit-learn")
CRITERIA = {"gini": "gini", "entropy": "entropy", "squared-error": "squared_error"}
RECORDED = [recording for recording in RECORDINGS if recording.program == "scikit-learn"]


@pytest.mark.one_in(6, 12)
@pytest.mark.parametrize("recording", RECORDED, ids=lambda recording: recording.name)
def test_recorded_trees_are_right(recording: Recording) -> None:
    tree = replace(from_json(recording.text()), program=Program("scikit-learn", numbers="float32"))
    found = audit(tree, table_of(recording), rt.CART.like("scikit-learn", criterion=CRITERIA[recording.setting]))
    assert found.is_right, found.wrong[0]


@needs_scikit_learn
@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_every_node_is_right(name: str) -> None:
    for criterion in ("squared_error",) if name == "diabetes" else ("gini", "entropy"):
        tree = fitted(name, criterion)
        learner = rt.CART.like("scikit-learn", criterion=criterion)
        found = audit(from_json(tree.written), tree.table, learner)
        assert found.is_right, found.wrong[0]
        assert found.counts.keys() <= {"optimal", "optimal-tied"}
        assert len(found.findings) == tree.model.tree_.node_count


@needs_scikit_learn
@pytest.mark.parametrize("leaves", [4, 7, 12])
@pytest.mark.parametrize("name", TABLES)
def test_leaves_under_a_cap_are_split_best_first(name: str, leaves: int) -> None:
    tree = fitted(name, "squared_error" if name == "diabetes" else "gini")
    capped = type(tree.model)(max_leaf_nodes=leaves, random_state=0).fit(tree.x, tree.y)
    assert audit(capped, tree.table, rt.CART.like("scikit-learn"), max_leaves=leaves).is_right


@needs_scikit_learn
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [TABLES[0], *(pytest.param(name, marks=pytest.mark.more) for name in TABLES[1:])])
def test_a_planted_fault_is_named_and_nothing_else(name: str, kind: str) -> None:
    """Thirty of each kind, and ten on the large table. A threshold that moves no row is no fault: nothing is found."""
    tree, chance, faults = fitted(name, "squared_error" if name == "diabetes" else "gini"), Random(7), 0
    tries = 10 if name == "diabetes" else 30
    for _ in range(tries):
        planted = KINDS[kind](tree, chance)
        found = audit(from_json(json.dumps(planted.document)), tree.table, rt.CART.like("scikit-learn"), ranks=False)
        assert [finding.number for finding in found.wrong] == [planted.node] * planted.is_fault
        faults += planted.is_fault
    assert faults >= tries // 3


def iris() -> tuple[Any, Any, rt.Table]:
    """The numbers of the program, its classes, and the same rows as a table."""
    data = importlib.import_module("sklearn.datasets").load_iris()
    columns = {f"x{place}": data.data[:, place].tolist() for place in range(4)}
    table = rt.Table.from_columns({**columns, "y": [str(one) for one in data.target]}, "y", categorical=["y"])
    return data.data, data.target, table


FORESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "a forest": ("RandomForestClassifier", {"n_estimators": 5}),
    "of entropy, and shallow": ("RandomForestClassifier", {"n_estimators": 3, "criterion": "entropy", "max_depth": 2}),
    "whole, of capped trees": ("RandomForestClassifier", {"n_estimators": 3, "bootstrap": False, "max_leaf_nodes": 4}),
    "a bag": ("BaggingClassifier", {"n_estimators": 4}),
    "of parts of rows and columns": ("BaggingClassifier", {"n_estimators": 4, "max_features": 2, "max_samples": 0.5}),
    "of parts drawn once": ("BaggingClassifier", {"n_estimators": 3, "max_samples": 0.5, "bootstrap": False}),
    "extra trees": ("ExtraTreesClassifier", {"n_estimators": 4}),
    "extra trees of drawn rows, capped": (
        "ExtraTreesClassifier",
        {"n_estimators": 3, "bootstrap": True, "max_leaf_nodes": 9},
    ),
}


@needs_scikit_learn
@pytest.mark.parametrize("name", FORESTS)
def test_every_node_of_a_forest_is_right(name: str) -> None:
    kind, options = FORESTS[name]
    X, y, table = iris()
    model = getattr(importlib.import_module("sklearn.ensemble"), kind)(**options, random_state=0).fit(X, y)
    found = audit(model, table)
    assert found.is_right, found.wrong[0]
    assert len(found.findings) == sum(one.tree_.node_count for one in model.estimators_)
    assert "not judged" not in found.summary


@needs_scikit_learn
@pytest.mark.filterwarnings("ignore:When fitting Bagging")
@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize("kind", ["RandomForestClassifier", "BaggingClassifier", "BaggingRegressor"])
def test_weights_decide_what_is_drawn_or_go_into_the_trees(kind: str, bootstrap: bool) -> None:
    """scikit-learn 1.9 draws rows by their weights; where it draws none of a forest, its trees are grown with them."""
    chance = Random(4)
    x, w = [float(chance.randrange(5)) for _ in range(20)], [chance.choice([1, 2, 0.5]) for _ in range(20)]
    y: list[Any] = [chance.choice([1.0, 2.0, 5.0] if "Regressor" in kind else [*"abc"]) for _ in x]
    options = {"n_estimators": 4, "bootstrap": bootstrap, "random_state": 1}
    model = getattr(importlib.import_module("sklearn.ensemble"), kind)(**options)
    model.fit([[one] for one in x], y, sample_weight=w)
    categorical = [] if "Regressor" in kind else ["y"]
    table = rt.Table.from_columns({"x0": x, "w": w, "y": y}, "y", weights="w", categorical=categorical)
    found = audit(model, table)
    assert found.is_right, found.wrong[0]


@needs_scikit_learn
def test_a_fault_in_a_forest_is_named_in_its_tree() -> None:
    """A cut moved to the next value of its own attribute gains less; a leaf of another class is wrong."""
    X, y, table = iris()
    model = importlib.import_module("sklearn.ensemble").RandomForestClassifier(3, random_state=0).fit(X, y)
    (document,) = rt.read_foreign(model, target="y")
    changed = json.loads(json.dumps(document))
    root = changed["trees"][1]["nodes"][0]
    place = [one["name"] for one in changed["attributes"]].index(root["test"]["attribute"])
    drawn = [value for value, times in zip(X[:, place], changed["trees"][1]["drawn"], strict=True) if times]
    root["test"]["threshold"] = moved = str(float(min(drawn)) + 0.01)
    for branch, relation in zip(root["branches"], ("le", "gt"), strict=True):
        branch["when"] = {relation: moved}
    (first, *_) = audit(predictor_from_json(json.dumps(changed)), table).wrong
    assert (first.tree, first.number, first.verdict) == (1, 0, "wrong-threshold")
    changed = json.loads(json.dumps(document))
    leaf = next(node for node in changed["trees"][2]["nodes"] if node.get("stop") == "pure")
    leaf["label"] = next(label for label in "012" if label != leaf["label"])
    (only,) = audit(predictor_from_json(json.dumps(changed)), table).wrong
    assert (only.tree, only.number, only.verdict) == (2, leaf["id"], "wrong-leaf")


@needs_scikit_learn
def test_a_worse_cut_of_the_same_attribute_is_told_where_attributes_were_drawn() -> None:
    """Without counts nothing but the question itself speaks against it."""
    X, y, table = iris()
    model = importlib.import_module("sklearn.tree").DecisionTreeClassifier(max_features=1).fit(X, y)
    (document,) = rt.read_foreign(model, target="y")
    assert document["program"]["silent"] == ["draws"]
    root = document["nodes"][0]
    document["program"]["silent"].append("counts")
    document["nodes"] = [
        {key: value for key, value in node.items() if key not in ("counts", "tied")} for node in document["nodes"]
    ]
    assert audit(predictor_from_json(json.dumps(document)), table).at(0).verdict == "optimal"
    root = document["nodes"][0]
    place = [one["name"] for one in document["attributes"]].index(root["test"]["attribute"])
    root["test"]["threshold"] = moved = str(float(X[:, place].min()) + 0.01)
    for branch, relation in zip(root["branches"], ("le", "gt"), strict=True):
        branch["when"] = {relation: moved}
    finding = audit(predictor_from_json(json.dumps(document)), table).at(0)
    assert finding.verdict == "suboptimal"
    assert finding.regret is not None
    assert finding.regret.best.startswith(root["test"]["attribute"])


@needs_scikit_learn
@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        (
            "ExtraTreesClassifier",
            {"n_estimators": 2, "ccp_alpha": 0.01},
            "trained with splitter random, which an audit",
        ),
        (
            "AdaBoostRegressor",
            {"n_estimators": 2, "random_state": 0},
            "predicts a weighted median, which no document has, and draws the rows of each tree by weights that it",
        ),
    ],
)
def test_what_cannot_be_repeated_is_refused(kind: str, options: dict[str, Any], message: str) -> None:
    X, y, table = iris()
    model = getattr(importlib.import_module("sklearn.ensemble"), kind)(**options).fit(X, y)
    with pytest.raises(InputError, match=message):
        audit(model, table)


BOOSTED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "scikit-learn": ("sklearn.ensemble", "HistGradientBoostingClassifier", {"max_iter": 3}),
    "XGBoost": ("xgboost", "XGBClassifier", {"n_estimators": 3, "reg_lambda": 2, "tree_method": "exact"}),
}


@needs_scikit_learn
@pytest.mark.parametrize("program", BOOSTED)
def test_a_fitted_boosted_model_is_audited_as_the_object_that_it_is(program: str) -> None:
    """The training parameters are read from the object: under another λ its leaves would be wrong."""
    module, kind, options = BOOSTED[program]
    X, y, table = iris()
    model = getattr(pytest.importorskip(module), kind)(**options).fit(X, y)
    found = audit(model, table)
    assert found.is_right, found.wrong[0]
    assert len(found.trees) == 9
    assert found.verdicts != rt.audit(rt.CART().grow(table), table).verdicts
    assert not any("reg_lambda" in remark for remark in found.assumed)
    assert not audit(model, table, told={"reg_lambda": "1/2"}).is_right


@needs_scikit_learn
def test_a_boosted_model_of_drawn_rows_is_refused() -> None:
    X, y, table = iris()
    model = pytest.importorskip("xgboost").XGBClassifier(n_estimators=1, subsample=0.5).fit(X, y)
    with pytest.raises(
        InputError, match=r"trained with subsample 0\.5, which an audit cannot repeat: train it without"
    ):
        audit(model, table)


def test_classes_in_another_order_are_refused_and_not_exchanged() -> None:
    trees = pytest.importorskip("sklearn.tree")
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": ["2", "2", "10", "10"]}, categorical=["y"])
    model = trees.DecisionTreeClassifier().fit([[1], [2], [3], [4]], [2, 2, 10, 10])
    with pytest.raises(rt.InputError, match="its classes are 2, 10, and here 10, 2 in another order"):
        rt.audit(model, table)


def test_a_bound_may_be_a_number_of_numpy() -> None:
    trees, numpy = pytest.importorskip("sklearn.tree"), pytest.importorskip("numpy")
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [*"aabb"]})
    model = trees.DecisionTreeClassifier(min_samples_leaf=numpy.int64(2)).fit([[1], [2], [3], [4]], [*"aabb"])
    assert "min_samples_leaf 2" in str(rt.audit(model, table))


def test_numbers_of_very_different_size_are_subtracted_and_no_count_is_wrong() -> None:
    trees = pytest.importorskip("sklearn.tree")
    x, y = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1e12, 1e12, 1.0, 2.0, 3.0, 4.0]
    model = trees.DecisionTreeRegressor(max_depth=1).fit([[one] for one in x], y)
    assert model.tree_.impurity[2] < 0, "its variance is 5/4"
    assert rt.audit(model, rt.Table.from_columns({"x": x, "y": y}, continuous=["y"])).is_right


CLASSIFIERS, REGRESSORS = ("gini", "entropy"), ("squared_error", "absolute_error")


@needs_scikit_learn
@pytest.mark.parametrize("weights", [(1, 2, 3), (0.5, 0.25), (0.1, 0.2, 0.3)])
@pytest.mark.parametrize("criterion", [*CLASSIFIERS, *REGRESSORS])
def test_bounds_count_rows_whatever_they_weigh(criterion: str, weights: tuple[float, ...]) -> None:
    """Two rows of weight 1/4 may be parted; and of weights that are decimals, sums and ties are those of doubles."""
    trees, chance = importlib.import_module("sklearn.tree"), Random(3)
    by_class = criterion in CLASSIFIERS
    kind = trees.DecisionTreeClassifier if by_class else trees.DecisionTreeRegressor
    for _ in range(25):
        x = [chance.choice([1.0, 2.0, 3.0, 4.0]) for _ in range(9)]
        y, w = (
            [chance.choice([*"abc"] if by_class else [1.0, 2.0, 5.0]) for _ in x],
            [chance.choice(weights) for _ in x],
        )
        model = kind(criterion=criterion, random_state=0).fit([[one] for one in x], y, sample_weight=w)
        numbers = [] if by_class else ["y"]
        found = audit(model, rt.Table.from_columns({"x": x, "w": w, "y": y}, "y", weights="w", continuous=numbers))
        assert found.is_right, found.wrong[0]


def rows_with_gaps(seed: int) -> tuple[list[list[float]], list[str], rt.Table]:
    """Rows of few values, some of them missing, whose classes are not equally frequent."""
    chance = Random(seed)
    X = [[chance.choice([0.0, 1.0, 2.0, 3.0, 4.0, float("nan")]) for _ in range(4)] for _ in range(70)]
    y = [chance.choice("aaab" if row[0] > 1 else "abbc") for row in X]
    columns = {f"x{place}": [None if row[place] != row[place] else row[place] for row in X] for place in range(4)}
    return X, y, rt.Table.from_columns({**columns, "y": y}, "y")


BOUNDED: dict[str, dict[str, Any]] = {
    "leaves of three": {"min_samples_leaf": 3},
    "splits of nine": {"min_samples_split": 9},
    "both, capped": {"min_samples_leaf": 2, "min_samples_split": 7, "max_leaf_nodes": 9},
    "equal classes": {"class_weight": "balanced"},
    "equal classes, and leaves of two": {"class_weight": "balanced", "min_samples_leaf": 2},
    "classes that weigh more": {"class_weight": {"a": 1, "b": 5, "c": 0.3}, "min_samples_leaf": 2},
    "a share of the rows": {"min_samples_leaf": 0.1, "min_samples_split": 0.3},
    "a share of the weight": {"min_weight_fraction_leaf": 0.07},
    "a share of the weight, of equal classes": {"class_weight": "balanced", "min_weight_fraction_leaf": 0.07},
    "both shares": {
        "class_weight": {"a": 1, "b": 5, "c": 0.3},
        "min_samples_leaf": 0.05,
        "min_weight_fraction_leaf": 0.1,
    },
}


@needs_scikit_learn
@pytest.mark.parametrize("kind", ["DecisionTree", "RandomForest", "ExtraTrees", "Bagging"])
@pytest.mark.parametrize("name", BOUNDED)
def test_rows_are_counted_and_classes_weighed_as_in_the_program(kind: str, name: str) -> None:
    """A row that was drawn several times, or that weighs more than others, counts once."""
    options, several = BOUNDED[name], {} if kind == "DecisionTree" else {"n_estimators": 2}
    trees, ensembles = importlib.import_module("sklearn.tree"), importlib.import_module("sklearn.ensemble")
    for seed in range(2):
        X, y, table = rows_with_gaps(seed)
        if kind == "Bagging":
            bounds = {key: value for key, value in options.items() if key != "class_weight"}
            model = ensembles.BaggingClassifier(trees.DecisionTreeClassifier(**bounds), 2, random_state=seed)
        else:
            drawn = {} if kind != "ExtraTrees" else {"bootstrap": True}
            module = trees if kind == "DecisionTree" else ensembles
            model = getattr(module, f"{kind}Classifier")(**several, **options, **drawn, random_state=seed)
        found = audit(model.fit(X, y), table)
        assert found.is_right, found.wrong[0]
        for one in ("min_samples_leaf", "min_samples_split"):
            bound = options.get(one, 0)
            assert not bound or kind == "Bagging" or f"{one} {ceil(bound * 70) if bound < 1 else bound}" in str(found)


@needs_scikit_learn
def test_a_share_is_multiplied_in_doubles_and_rounded_up_and_a_fault_is_named() -> None:
    """A tenth, as a double, is more than 1/10, so that 30 rows have 3 of them; and the bound is told by hand, too."""
    trees = importlib.import_module("sklearn.tree")
    chance = Random(1)
    x, y = [float(chance.randrange(30)) for _ in range(30)], [chance.choice("ab") for _ in range(30)]
    table = rt.Table.from_columns({"x": x, "y": y}, "y")
    bounds: list[dict[str, Any]] = [{"min_samples_leaf": 0.1}, {"min_weight_fraction_leaf": 0.1}]
    for options in bounds:
        model = trees.DecisionTreeClassifier(**options, random_state=0).fit([[one] for one in x], y)
        assert audit(model, table).is_right
        assert "min_samples_leaf 3" in str(audit(model, table))
        free = trees.DecisionTreeClassifier(random_state=0).fit([[one] for one in x], y)
        (document,) = rt.read_foreign(free, target="y", attributes=["x"])
        document["learner"]["options"]["told"] = {}
        tree = predictor_from_json(json.dumps(document))
        assert audit(tree, table).is_right
        assert not audit(tree, table, **options).is_right


@needs_scikit_learn
def test_a_subtree_left_out_under_a_cap_is_named_where_rows_are_counted_and_nothing_is_drawn() -> None:
    options = {**sklearn_faults.WEIGHED, "max_leaf_nodes": 9}
    model = sklearn_faults.trained(Case(sklearn_faults.TREE, "three", options), 0)
    planted = sklearn_faults.dropped(model, Random(0))
    assert planted is not None
    assert model.wrong(planted.document)[1] == [(planted.tree, planted.node)]


@needs_scikit_learn
def test_classes_weigh_the_same_among_the_rows_of_each_tree() -> None:
    kind = importlib.import_module("sklearn.ensemble").RandomForestClassifier
    for seed, bootstrap in ((0, True), (1, False)):
        X, y, table = rows_with_gaps(seed)
        model = kind(3, class_weight="balanced_subsample", bootstrap=bootstrap, random_state=seed).fit(X, y)
        found = audit(model, table)
        assert found.is_right, found.wrong[0]
        (document,) = rt.read_foreign(model, target="y", classes=[*"abc"])
        document["learner"]["options"]["told"]["class_weight"] = {"a": "1", "b": "1", "c": "1"}
        assert audit(predictor_from_json(json.dumps(document)), table).wrong[0].verdict == "wrong-counts"


@needs_scikit_learn
def test_weights_of_classes_that_are_not_weighed_are_refused() -> None:
    trees, ensembles = importlib.import_module("sklearn.tree"), importlib.import_module("sklearn.ensemble")
    X, y, table = rows_with_gaps(0)
    bag = ensembles.BaggingClassifier(trees.DecisionTreeClassifier(class_weight="balanced"), 2).fit(X, y)
    with pytest.raises(InputError, match="it was trained with class_weight balanced, which an audit cannot repeat"):
        audit(bag, table)
    model = trees.DecisionTreeClassifier(class_weight={"a": 2}).fit(X, y)
    (document,) = rt.read_foreign(model, target="y", classes=[*"abc"])
    document["learner"]["options"]["told"]["class_weight"] = {"a": "2"}
    with pytest.raises(InputError, match="the weights of the classes are not stated as they should be"):
        audit(predictor_from_json(json.dumps(document)), table)


@needs_scikit_learn
@pytest.mark.parametrize("bound", ["min_samples_leaf 2", "min_samples_split 3"])
def test_a_bound_on_weighted_rows_counts_rows(bound: str) -> None:
    x, y, w = [1.0, 2.0, 3.0, 4.0], [*"abab"], [2, 1, 1, 1]
    name, least = bound.split()
    kind = importlib.import_module("sklearn.tree").DecisionTreeClassifier
    model = kind(**{name: int(least)}).fit([[one] for one in x], y, sample_weight=w)
    table = rt.Table.from_columns({"x": x, "w": w, "y": y}, "y", weights="w")
    assert audit(model, table).is_right
    free, bounded = kind().fit([[one] for one in x], y, sample_weight=w), {name: int(least)}
    assert not audit(free, table, rt.CART.like("scikit-learn", **bounded)).is_right


NUMBERS = {
    "of decimals": [0.1, 0.2, 0.3, 0.4, 0.7],
    "that are large": [1e9, 1e9 + 1, 1e9 + 2],
    "of any size": [1e-6, 1.0, 1e6, 1e12, 3e-3],
}


@needs_scikit_learn
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_lost_in_doubles_makes_no_node_wrong(name: str, criterion: str) -> None:
    """Exact ties of decimals are none in doubles; and an impurity, or a decrease of it, may be lost altogether."""
    kind, chance = importlib.import_module("sklearn.tree").DecisionTreeRegressor, Random(5)
    for _ in range(40):
        x, y = ([chance.choice(values) for _ in range(12)] for values in ([1.0, 2.0, 3.0, 4.0], NUMBERS[name]))
        model = kind(criterion=criterion, min_impurity_decrease=chance.choice([0, 0, 0.05])).fit([[v] for v in x], y)
        found = audit(model, rt.Table.from_columns({"x": x, "y": y}, continuous=["y"]))
        assert found.is_right, found.wrong[0]


@needs_scikit_learn
def test_a_decrease_that_a_bound_just_allows_is_enough() -> None:
    """The decrease is 12/25, and the bound a little more. The program adds 2^-52 to what it finds."""
    x, y = [1.0, 2.0, 3.0, 4.0, 5.0], [*"aabbb"]
    kind = importlib.import_module("sklearn.tree").DecisionTreeClassifier
    table = rt.Table.from_columns({"x": x, "y": y})
    for bound, leaves in ((nextafter(0.48, 1), 2), (0.480001, 1)):
        model = kind(min_impurity_decrease=bound).fit([[v] for v in x], y)
        assert model.get_n_leaves() == leaves
        assert audit(model, table).is_right
    split = kind().fit([[v] for v in x], y)
    assert not audit(
        split, table, rt.CART.like("scikit-learn", min_impurity_decrease=Fraction(12, 25) + Fraction(1, 10**6))
    ).is_right


def test_what_answers_by_another_estimator_is_refused() -> None:
    ensemble, trees = pytest.importorskip("sklearn.ensemble"), pytest.importorskip("sklearn.tree")
    X, y = [[place % 7, place % 5] for place in range(40)], [place % 2 for place in range(40)]
    model = ensemble.StackingClassifier([("tree", trees.DecisionTreeClassifier(max_depth=2))]).fit(X, y)
    with pytest.raises(rt.InputError, match="StackingClassifier is not read; read the trees"):
        rt.read_foreign(model)


def test_bins_that_are_made_anew_are_those_that_a_tree_asks() -> None:
    X, y = [[place % 7, place % 5] for place in range(40)], [float(place % 3) for place in range(40)]
    model = pytest.importorskip("xgboost").XGBRegressor(n_estimators=2, tree_method="approx").fit(X, y)
    columns = [list(map(float, column)) for column in zip(*X, strict=True)]
    table = rt.Table.from_columns({"a": columns[0], "b": columns[1], "y": y})
    assert rt.audit(model, table).is_right


def test_a_fitted_model_of_lightgbm_states_its_parameters() -> None:
    X = [[place * 37 % 101, place * 53 % 89] for place in range(60)]
    y = [float(a + b % 10) for a, b in X]
    columns = [list(map(float, column)) for column in zip(*X, strict=True)]
    table = rt.Table.from_columns({"a": columns[0], "b": columns[1], "y": y})
    model = pytest.importorskip("lightgbm").LGBMRegressor(n_estimators=2, min_child_samples=5, verbose=-1).fit(X, y)
    assert " 0 proved worse" in str(rt.audit(model, table))


def rows_of_lightgbm(seed: int, kind: str) -> tuple[list[list[float]], list[Any], rt.Table]:
    """Rows of two numbers, with gaps, and what is to be predicted of them."""
    chance, nan = Random(seed), float("nan")
    X = [[chance.choice([0.1, 0.5, 1.0, 2.0, 3.0, nan, chance.random()]) for _ in range(2)] for _ in range(60)]
    sums = [sum(value for value in row if value == value) + chance.random() for row in X]
    y: list[Any] = (
        sums if kind == "numbers" else [(["no", "yes", "maybe"][int(one) % (2 + (kind == "three"))]) for one in sums]
    )
    columns = {name: [None if row[j] != row[j] else row[j] for row in X] for j, name in enumerate("ab")}
    return X, y, rt.Table.from_columns({**columns, "y": y}, "y", categorical=[] if kind == "numbers" else ["y"])


@pytest.mark.parametrize("kind", ["numbers", "two", "three"])
def test_what_lightgbm_estimates_and_leaves_out_makes_no_node_wrong(kind: str) -> None:
    """It estimates rows by H, drops an attribute below where it gained nothing, and a lone leaf holds the start."""
    lightgbm = pytest.importorskip("lightgbm")
    model = lightgbm.LGBMRegressor if kind == "numbers" else lightgbm.LGBMClassifier
    for seed, (least, weight, gamma) in enumerate([(20, 0.001, 0), (5, 5, 0), (2, 1, 0.5), (35, 1, 0)]):
        X, y, table = rows_of_lightgbm(seed, kind)
        options = {"min_child_samples": least, "min_child_weight": weight, "min_split_gain": gamma, "learning_rate": 1}
        found = audit(model(n_estimators=2, verbose=-1, **options).fit(X, y), table)
        assert found.is_right, found.wrong[0]


def test_a_moved_threshold_of_lightgbm_is_named() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    X, y, table = rows_of_lightgbm(1, "two")
    text = lightgbm.LGBMClassifier(n_estimators=2, min_child_samples=5, verbose=-1).fit(X, y).booster_.model_to_string()
    (document,) = rt.read_foreign(text, target="y", attributes=["a", "b"], classes=table.schema.target.domain)
    root = document["trees"][0]["nodes"][0]
    root["test"]["threshold"] = "3"
    root["branches"][0]["when"], root["branches"][1]["when"] = {"le": "3"}, {"gt": "3"}
    found = audit(predictor_from_json(json.dumps(document)), table)
    assert (found.wrong[0].tree, found.wrong[0].number) == (0, 0)
