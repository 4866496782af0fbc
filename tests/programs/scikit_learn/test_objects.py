"""Fitted trees and forests of scikit-learn: what is read of them answers every row as they do."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import predictor_from_json
from tests.programs.documents import float32_rows, tree_of

np: Any = pytest.importorskip("numpy")
datasets: Any = pytest.importorskip("sklearn.datasets")
ensemble: Any = pytest.importorskip("sklearn.ensemble")
tree: Any = pytest.importorskip("sklearn.tree")

IRIS = datasets.load_iris(return_X_y=True)
SPECIES = np.array(["setosa", "versicolor", "virginica"])[IRIS[1]]
DIABETES = datasets.load_diabetes(return_X_y=True)


def rows_of(X: Any) -> list[Any]:
    return float32_rows(X, [f"x{place}" for place in range(X.shape[1])])


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_a_classifier_answers_and_counts_as_it_does(criterion: str) -> None:
    X, _ = IRIS
    model = tree.DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, SPECIES)
    (document,) = read_foreign(model, target="species")
    found = tree_of(document)
    assert found.predict(rows_of(X)) == list(model.predict(X))
    shares = [list(map(float, each.values())) for each in found.distribution(rows_of(X))]
    assert shares == model.predict_proba(X).tolist()
    assert document["nodes"][0]["counts"] == dict.fromkeys(sorted(set(SPECIES)), "50")
    assert len(document["nodes"]) == model.tree_.node_count


def test_thresholds_are_the_doubles_themselves() -> None:
    X, y = IRIS
    model = tree.DecisionTreeClassifier(random_state=0).fit(X, y)
    (document,) = read_foreign(model)
    thresholds = [node["test"]["threshold"] for node in document["nodes"] if "test" in node]
    held = [each for each, left in zip(model.tree_.threshold, model.tree_.children_left, strict=True) if left >= 0]
    assert list(map(float, thresholds)) == held
    assert "0.800000011920928955078125" in thresholds  # never 0.8


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_a_regressor_answers_with_the_same_doubles(criterion: str) -> None:
    X, y = DIABETES
    model = tree.DecisionTreeRegressor(criterion=criterion, random_state=0, max_depth=6).fit(X, y)
    (document,) = read_foreign(model)
    assert list(map(float, tree_of(document).predict(rows_of(X)))) == list(model.predict(X))
    assert (document["program"].get("silent") == ["counts"]) == (criterion == "poisson")


def test_weights_that_are_no_whole_numbers_are_stated_as_the_shares_give_them() -> None:
    X, _ = IRIS
    model = tree.DecisionTreeClassifier(random_state=0).fit(X, SPECIES, np.linspace(0.1, 1, len(X)))
    (document,) = read_foreign(model)
    assert "silent" not in document["program"]
    whole = sum(map(Fraction, document["nodes"][0]["counts"].values()))
    assert abs(float(whole) - model.tree_.weighted_n_node_samples[0]) < 1e-12
    assert tree_of(document).predict(rows_of(X)) == list(model.predict(X))


@pytest.mark.parametrize(
    "model",
    [
        ensemble.RandomForestClassifier(5, random_state=0),
        ensemble.ExtraTreesClassifier(5, random_state=0),
        ensemble.BaggingClassifier(n_estimators=5, max_features=2, random_state=0),
        ensemble.BaggingClassifier(n_estimators=5, max_samples=3, random_state=0),
    ],
    ids=lambda model: f"{type(model).__name__}",
)
def test_a_forest_answers_as_it_does_and_so_does_each_of_its_trees(model: Any) -> None:
    X, _ = IRIS
    model.fit(X, SPECIES)
    (document,) = read_foreign(model)
    found: Any = predictor_from_json(json.dumps(document))
    shares = [list(map(float, each.values())) for each in found.distribution(rows_of(X))]
    assert np.allclose(shares, model.predict_proba(X), atol=1e-12)
    chosen = getattr(model, "estimators_features_", [range(4)] * 5)
    for member, tree_, features in zip(found.members, model.estimators_, chosen, strict=True):
        names = model.classes_[tree_.predict(X[:, list(features)]).astype(int)]
        assert member.tree.predict(rows_of(X)) == list(names)


@pytest.mark.parametrize("classes", [2, 3])
def test_adaboost_answers_as_it_does_and_each_tree_has_its_names(classes: int) -> None:
    X, y = IRIS
    few = y < classes
    X, names = X[few] + np.sin(np.arange(few.sum()) * 7).reshape(-1, 1), np.array(SPECIES)[few]
    model = ensemble.AdaBoostClassifier(n_estimators=5, random_state=0, learning_rate=0.5).fit(X, names)
    (document,) = read_foreign(model)
    found: Any = predictor_from_json(json.dumps(document))
    assert found.predict(rows_of(X)) == list(model.predict(X))
    shares = [list(map(float, each.values())) for each in found.distribution(rows_of(X))]
    assert np.allclose(shares, model.predict_proba(X), atol=1e-12)
    for one, member in zip(found.members, model.estimators_, strict=True):
        assert one.tree.predict(rows_of(X)) == list(member.predict(X))


def test_how_often_each_row_was_drawn_for_a_tree_is_stated() -> None:
    X, _ = IRIS
    model = ensemble.RandomForestClassifier(3, random_state=0).fit(X, SPECIES)
    (document,) = read_foreign(model)
    for member, drawn in zip(document["trees"], model.estimators_samples_, strict=True):
        assert member["drawn"] == np.bincount(drawn, minlength=150).tolist()
    assert "silent" not in document["program"]
    assert document["learner"]["options"]["told"]["draws"] == {
        "most": 2, "thresholds": False, "trees": [{"seed": member.random_state} for member in model.estimators_],
    }  # fmt: skip
    (document,) = read_foreign(ensemble.RandomForestClassifier(2, bootstrap=False, max_features=None).fit(X, SPECIES))
    assert all("drawn" not in member for member in document["trees"])
    assert "silent" not in document["program"]


def test_the_parameters_of_training_are_stated_and_those_that_cannot_be_repeated() -> None:
    X, _ = IRIS
    (document,) = read_foreign(tree.DecisionTreeClassifier(criterion="log_loss", max_depth=3).fit(X, SPECIES))
    assert document["learner"]["options"]["told"] == {
        "criterion": "entropy", "max_depth": 3, "min_samples_split": "2", "min_samples_leaf": "1",
        "min_impurity_decrease": "0",
    }  # fmt: skip
    (document,) = read_foreign(ensemble.ExtraTreesClassifier(2, class_weight="balanced").fit(X, SPECIES))
    assert document["learner"]["options"]["told"]["class_weight"] == "balanced"
    (document,) = read_foreign(tree.DecisionTreeClassifier(class_weight={SPECIES[0]: 2}).fit(X, SPECIES))
    assert list(document["learner"]["options"]["told"]["class_weight"].values()) == ["2", "1", "1"]
    (document,) = read_foreign(ensemble.ExtraTreesClassifier(2, min_weight_fraction_leaf=0.1).fit(X, SPECIES))
    assert Fraction(document["learner"]["options"]["told"]["min_weight_fraction_leaf"]) == Fraction(0.1)


@pytest.mark.parametrize(
    ("model", "silent", "unlike"),
    [
        (tree.DecisionTreeClassifier(max_features=2), ["draws"], []),
        (tree.DecisionTreeClassifier(max_features=2, random_state=np.random.RandomState(0)), ["draws"], []),
        (tree.DecisionTreeClassifier(max_features=2, random_state=0, ccp_alpha=0.01), ["draws"], []),
        (tree.ExtraTreeClassifier(), ["draws"], ["splitter random"]),
    ],
)
def test_draws_that_do_not_follow_from_a_number_are_not_known(model: Any, silent: list[str], unlike: list[str]) -> None:
    (document,) = read_foreign(model.fit(IRIS[0], SPECIES))
    assert document["program"]["silent"] == silent
    assert document["learner"]["options"].get("unlike", []) == unlike
    assert "draws" not in document["learner"]["options"]["told"]


def test_the_features_of_each_tree_of_a_bag_and_the_order_of_its_nodes_are_stated() -> None:
    base = tree.DecisionTreeClassifier(max_features=1, max_leaf_nodes=4)
    model = ensemble.BaggingClassifier(base, 2, max_features=2, random_state=0).fit(IRIS[0], SPECIES)
    (document,) = read_foreign(model)
    for entry, member, chosen in zip(
        document["learner"]["options"]["told"]["draws"]["trees"],
        model.estimators_,
        model.estimators_features_,
        strict=True,
    ):
        assert entry["offered"] == [f"x{place}" for place in chosen]
        assert sorted(entry["made"]) == list(range(member.tree_.node_count))


def test_splits_on_categories_are_refused_by_name() -> None:
    model = tree.DecisionTreeClassifier().fit(IRIS[0], SPECIES)
    model.categorical_features = [0]  # as later versions have it
    with pytest.raises(InputError, match="tests of categories are not read; encode the"):
        read_foreign(model)


def test_a_tree_that_met_some_of_the_classes_has_their_names() -> None:
    X, y = IRIS
    model = ensemble.BaggingClassifier(n_estimators=1, random_state=0).fit(X, SPECIES)
    model.estimators_ = [tree.DecisionTreeClassifier().fit(X[y != 1], y[y != 1])]  # as bagging numbers them
    (document,) = read_foreign(model)
    found: Any = predictor_from_json(json.dumps(document))
    assert found.members[0].tree.target.values == ("setosa", "versicolor", "virginica")
    assert found.predict(rows_of(X[-1:])) == ["virginica"] == list(model.predict(X[-1:]))


def test_a_row_without_a_value_goes_where_the_tree_learned_to_send_it() -> None:
    X, y = IRIS
    X = X.copy()
    X[::3, 2] = X[::4, 3] = np.nan
    model = tree.DecisionTreeClassifier(random_state=0).fit(X, y)
    (document,) = read_foreign(model)
    assert tree_of(document).predict(rows_of(X)) == list(map(str, model.predict(X)))
    assert "340282346638528859811704183484516925440" in str(document)  # whether there is a value, an infinity to it


def test_names_can_be_given() -> None:
    X, y = IRIS
    model = tree.DecisionTreeClassifier(random_state=0).fit(X, y)
    (document,) = read_foreign(model, target="kind", attributes=["a", "b", "c", "d"], classes=["x", "y", "z"])
    assert document["target"] == {"name": "kind", "kind": "categorical", "classes": ["x", "y", "z"]}
    with pytest.raises(InputError, match="4 features, and 2 different names"):
        read_foreign(model, attributes=["a", "b"])


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        ({0: 0}, {}, "node 0 is reached by two branches, or lies below itself"),
        ({}, {0: 1}, "node 1 is reached by two branches"),
        ({}, {0: 7}, "a branch leads to node 7, and there is none"),
        ({0: -1}, {}, "no branch leads to node 1"),
    ],
)
def test_arrays_that_are_no_tree_are_refused(left: dict[int, int], right: dict[int, int], message: str) -> None:
    model = tree.DecisionTreeClassifier(max_depth=1).fit([[0], [1]], [*"ab"])
    for name, changed in (("children_left", left), ("children_right", right)):
        for node, to in changed.items():
            getattr(model.tree_, name)[node] = to
    with pytest.raises(InputError, match=message):
        read_foreign(model)


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(InputError, match="has no tree_"):
        read_foreign(ensemble.HistGradientBoostingClassifier(), program="scikit_learn")
    with pytest.raises(InputError, match="RandomForestClassifier is not fitted, or is no tree of a program"):
        read_foreign(ensemble.RandomForestClassifier())
