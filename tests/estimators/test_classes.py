"""Estimators: what pipelines and grid searches of scikit-learn ask for, and lists where nothing is loaded."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.estimators import Estimator
from tests.every import of_every

ESTIMATORS = [rt.ID3Classifier, rt.C45Classifier, rt.CARTClassifier, rt.CARTRegressor]
ROWS = [list(row.values())[:-1] for row in rt.textbook("golf").rows()]
LABELS = [row["play"] for row in rt.textbook("golf").rows()]


@pytest.mark.slow
def test_lists_are_enough_and_nothing_else_is_loaded() -> None:
    script = (
        "import sys, reference_tree as rt; m = rt.CARTClassifier().fit([['a', 1], ['b', 2]], [0, 1]);"
        "print(m.predict([['a', 2]]), m.predict_proba([['a', 2]]), m.score([['a', 1]], [0]), m.classes_);"
        "print('numpy' in sys.modules, 'sklearn' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert printed == "[0] [[1.0, 0.0]] 1.0 [0, 1]\nFalse False\n"


@of_every(
    [
        (rt.C45Classifier(), rt.C45()),
        (rt.C45Classifier(profile="weka-j48", min_samples_leaf=3), rt.C45.like("weka-j48", min_samples_leaf=3)),
        (rt.CARTClassifier(criterion="entropy", max_depth=2), rt.CART(criterion="entropy", max_depth=2)),
        (rt.CARTClassifier(profile="rpart"), rt.CART.like("rpart")),
    ]
)
def test_the_tree_is_that_of_the_learner(estimator: Any, learner: Any) -> None:
    golf = rt.textbook("golf")
    names = [attribute.name for attribute in golf.schema.attributes]
    columns: dict[str, Any] = {name: [row[place] for row in ROWS] for place, name in enumerate(names)}
    expected = learner.grow(rt.Table.from_columns({**columns, "play": LABELS}))
    model = estimator.fit(ROWS, LABELS)
    for place, name in enumerate(names):
        columns[f"x{place}"] = columns.pop(name)
    assert [(node.counts, node.label) for node in model.tree_.nodes] == [(n.counts, n.label) for n in expected.nodes]
    assert list(model.predict(ROWS)) == expected.predict(golf)


def test_parameters_that_prune() -> None:
    grown = rt.CARTClassifier().fit(ROWS, LABELS).tree_
    pruned = rt.CARTClassifier(ccp_alpha=Fraction(1, 7)).fit(ROWS, LABELS).tree_
    assert len(pruned.nodes) < len(grown.nodes)
    assert len(rt.ID3Classifier(alpha=100).fit(ROWS, LABELS).tree_.nodes) == 1
    assert len(rt.C45Classifier(confidence=0.01).fit(ROWS, LABELS).tree_.nodes) == 1


def test_parameters_are_read_and_set() -> None:
    model = rt.CARTClassifier(max_depth=3)
    assert repr(model) == "CARTClassifier(max_depth=3)"
    assert model.set_params(criterion="entropy") is model
    assert model.get_params()["criterion"] == "entropy"
    with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
        model.set_params(depth=3)


def test_a_parameter_that_there_is_not_is_told_with_the_one_that_is_near() -> None:
    with pytest.raises(
        TypeError, match=r"no parameter 'depth' of CARTClassifier \(did you mean max_depth\?\); there are"
    ):
        rt.CARTClassifier(depth=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"no parameter 'estimators' of XGBRegressor .*did you mean n_estimators"):
        rt.XGBRegressor(estimators=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match=r"Invalid parameter 'maxdepth' .* \(did you mean max_depth\?\)"):
        rt.CARTClassifier().set_params(maxdepth=3)


def test_weights_count_as_repeated_rows() -> None:
    weights = [place % 3 for place in range(len(ROWS))]
    rows = [row for row, weight in zip(ROWS, weights, strict=True) for _ in range(weight)]
    labels = [label for label, weight in zip(LABELS, weights, strict=True) for _ in range(weight)]
    one, other = rt.C45Classifier().fit(ROWS, LABELS, weights), rt.C45Classifier().fit(rows, labels)
    assert [node.counts for node in one.tree_.nodes] == [node.counts for node in other.tree_.nodes]
    assert one.score(ROWS, LABELS, weights) == other.score(rows, labels)


@of_every(
    [
        (([[1], [2]], [0]), "X has 2 rows and y 1"),
        (([[1], [2, 3]], [0, 1]), "different numbers of cells"),
        (([1, 2], [0, 1]), "Expected 2D array, got 1D array instead"),
        (([], []), "X has 0 samples"),
        (([[1], [2]], None), "requires y to be passed"),
        (([[1], [2]], [0.5, 1.5]), "Unknown label type: continuous"),
        (([[1], [2]], [0, 1], [0, 0]), "every sample_weight is zero"),
        (([[1], [2]], [0, 1], [1]), "sample_weight has 1 entries for 2 rows"),
        (([[float("inf")], [2]], [0, 1]), "inf is not a finite number"),
        (([[1], [2]], [1, "a"]), "classes of several types: int, str"),
        (([[1], [2]], [1, True]), "classes of several types: bool, int"),
        (([[1], [2]], [1, None]), "Input y contains NaN"),
        (([[1], [2]], [[0, 1], [1, 0]]), "one class a row"),
        (([[1], [2]], [0, 1], 2.0), "sample_weight is a sequence"),
    ]
)
def test_what_cannot_be_fitted_is_told(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rt.CARTClassifier().fit(*arguments)


def test_what_was_not_fitted_or_has_other_columns_is_told() -> None:
    with pytest.raises(ValueError, match="has not been fitted; call fit first"):
        rt.CARTClassifier().predict([[1]])
    with pytest.raises(ValueError, match="X has 1 features, but CARTClassifier is expecting 2"):
        rt.CARTClassifier().fit([[1, 2], [2, 3]], [0, 1]).predict([[1]])


def test_what_was_not_seen_is_answered_by_the_majority_or_refused() -> None:
    model = rt.ID3Classifier().fit([["a"], ["b"], ["b"]], ["n", "y", "y"])
    assert list(model.predict([["c"]])) == ["y"]
    with pytest.raises(rt.InputError, match="c"):
        model.set_params(unseen="error").predict([["c"]])


def test_columns_that_no_question_asks_are_not_read() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    X = numpy.array([[1.0, 5.0], [2.0, 5.0]])
    frame = pandas.DataFrame(X, columns=["a", "b"])
    for rows, other in ((X, numpy.array([[2.5, math.inf]])), (frame, frame.assign(b=[object(), object()]).tail(1))):
        model = rt.CARTClassifier().fit(rows, [0, 1])
        assert list(model.predict(other)) == [1]
        leaf = rt.CARTClassifier(max_depth=0).fit(rows, [1, 1])
        assert list(leaf.predict(rows)) == [1, 1]
    with pytest.raises(rt.InputError, match="X has 1 features"):
        rt.CARTClassifier().fit(X, [0, 1]).predict(X[:, 1:])
    with pytest.raises(ValueError, match="seen at fit time, yet now missing"):
        rt.CARTClassifier().fit(frame, [0, 1]).predict(frame[["b"]])


def test_scores_are_those_of_the_definition() -> None:
    model = rt.CARTRegressor(max_depth=1).fit([[1], [2], [3], [4]], [1.5, 2.5, 7.0, 9.0])
    assert list(model.predict([[1], [4]])) == [2.0, 8.0]
    left, around = Fraction(1, 4) * 2 + 2, sum((Fraction(y) - 5) ** 2 for y in (1.5, 2.5, 7, 9))
    assert model.score([[1], [2], [3], [4]], [1.5, 2.5, 7.0, 9.0]) == float(1 - left / around)
    assert rt.CARTRegressor().fit([[1], [2]], [0.1, 0.1]).score([[1], [2]], [0.1, 0.1]) == 1


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    for model in (rt.ID3Classifier, rt.C45Classifier, rt.CARTClassifier):
        deep = model(max_depth=numpy.int64(1)).fit(ROWS, LABELS).tree_
        assert deep.nodes == model(max_depth=1).fit(ROWS, LABELS).tree_.nodes


# With scikit-learn, pandas and Polars.


@pytest.fixture
def sklearn() -> Any:
    return pytest.importorskip("sklearn")


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_own_checks(kind: type[Estimator]) -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    found = checks.check_estimator(kind(), on_fail=None, on_skip=None)
    assert len(found) > 50
    failed = {check["check_name"]: str(check["exception"]) for check in found if check["status"] == "failed"}
    assert failed == {}


@pytest.mark.slow
def test_a_pipeline_is_searched(sklearn: Any) -> None:
    datasets, selection, pipeline, preprocessing, trees = (
        import_module(f"sklearn.{name}")
        for name in ("datasets", "model_selection", "pipeline", "preprocessing", "tree")
    )
    X, y = datasets.load_wine(return_X_y=True, as_frame=True)
    X = X.iloc[:, :4]
    grid = {"cartclassifier__max_depth": [1, 3], "cartclassifier__criterion": ["gini", "entropy"]}
    search = selection.GridSearchCV(
        pipeline.make_pipeline(preprocessing.StandardScaler(), rt.CARTClassifier()), grid, cv=3
    ).fit(X, y)
    assert search.best_params_["cartclassifier__max_depth"] == 3
    theirs = selection.cross_val_score(trees.DecisionTreeClassifier(max_depth=3, random_state=0), X, y, cv=3).mean()
    ours = selection.cross_val_score(rt.CARTClassifier(max_depth=3), X, y, cv=3).mean()
    assert ours == pytest.approx(theirs, abs=0.03)


def test_frames_keep_their_names_and_categories(sklearn: Any) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {"size": [1.5, 2.5, None, 4.0], "colour": ["red", "blue", "red", "blue"]}
    frame = pandas.DataFrame(columns).astype({"colour": "category"})
    model = rt.C45Classifier().fit(frame, pandas.Series([True, False, True, False]))
    assert list(model.feature_names_in_) == ["size", "colour"]
    assert [attribute.kind for attribute in model.tree_.attributes] == ["continuous", "categorical"]
    assert model.predict(frame).tolist() == [True, False, True, False]
    assert model.predict(polars.DataFrame(columns)).tolist() == [True, False, True, False]
    with pytest.raises(ValueError, match="Feature names must be in the same order"):
        model.predict(frame[["colour", "size"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.predict_proba(frame).shape == (4, 2)


def test_a_float_is_the_price_of_a_leaf_as_it_is_written() -> None:
    model = rt.CARTClassifier(ccp_alpha=0.3).fit([[0]] * 3 + [[1]] * 7, [0] * 3 + [1] * 7)
    assert len(list(model.tree_.leaves())) == 1


@pytest.mark.parametrize("profile", ["c45-r8", "weka-j48"])
def test_c45_is_pruned_by_the_rules_of_its_profile(profile: str) -> None:
    rows, labels = [[1.0], [2.0], [None], [4.0], [5.0], [3.0], [1.0], [5.0]], [*"aabbbaab"]
    model = rt.C45Classifier(profile=profile, confidence=0.25).fit(rows, labels)
    assert model.tree_.grower.options["pruning"][0]["profile"] == profile


def test_c45_is_pruned_where_rows_are_divided() -> None:
    """By the limit of release 8, which takes parts of rows; the binomial limit counts whole ones."""
    X: list[list[Any]] = [["a", None], ["b", 2.5], ["b", 2], ["a", 1], ["a", 1], ["b", 3], ["a", 4]]
    y = [1, 0, 1, 0, 1, 0, 0]
    model = rt.C45Classifier(confidence=0.25).fit(X, y)
    table = rt.Table.from_columns(
        {"x0": [row[0] for row in X], "x1": [row[1] for row in X], "y": list(map(str, y))}, categorical=["y"]
    )
    assert model.tree_.nodes == rt.prune(rt.C45().grow(table), "error-based", table, limit="table").nodes
