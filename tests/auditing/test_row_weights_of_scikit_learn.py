"""Models of scikit-learn that were fitted to weighted rows: the right ones are right, without any option."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import reference_tree as rt

ensemble: Any = pytest.importorskip("sklearn.ensemble")
trees: Any = pytest.importorskip("sklearn.tree")

KINDS: dict[str, dict[str, Any]] = {
    "DecisionTreeClassifier": {}, "ExtraTreeClassifier": {}, "DecisionTreeRegressor": {"criterion": "absolute_error"},
    "RandomForestClassifier": {"n_estimators": 2}, "ExtraTreesClassifier": {"n_estimators": 2},
    "RandomForestRegressor": {"n_estimators": 2, "max_samples": 0.7},
    "BaggingRegressor": {"n_estimators": 2, "max_samples": 0.7},
    "GradientBoostingClassifier": {"n_estimators": 2, "max_depth": 2},
    "GradientBoostingRegressor": {"n_estimators": 2, "max_depth": 2},
    "HistGradientBoostingClassifier": {"max_iter": 2, "min_samples_leaf": 2},
    "HistGradientBoostingRegressor": {"max_iter": 2, "min_samples_leaf": 2},
}  # fmt: skip
WEIGHTS = ((1, 2, 3), (0.5, 0.25), (0.1, 0.2, 0.3), (1.25, 0.5))


def cases(kind: str) -> Iterator[dict[str, Any]]:
    """The options of a class: with and without weights of classes."""
    yield KINDS[kind]
    if kind == "GradientBoostingClassifier" or kind.endswith("Regressor"):
        return
    yield {**KINDS[kind], "class_weight": "balanced"}
    names = [0, 1, 2] if kind.startswith("Hist") else ["a", "b", "c"]  # it looks up the places of the classes
    yield {**KINDS[kind], "class_weight": dict(zip(names, (2, 0.5, 1), strict=True))}
    if kind in ("RandomForestClassifier", "ExtraTreesClassifier"):
        yield {**KINDS[kind], "class_weight": "balanced_subsample", "bootstrap": True}
        yield {**KINDS[kind], "class_weight": "balanced", "bootstrap": False}


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_right_weighted_models_are_right_without_any_option(kind: str) -> None:
    nodes, numeric = 0, kind.endswith("Regressor")
    for number, options in enumerate(list(cases(kind)) * 2):
        chance = Random(number)
        x = [[float(chance.randrange(6)), round(chance.uniform(0, 9), 1)] for _ in range(24)]
        y: list[Any] = [chance.choice([1.0, 2.5, 5.0, 7.0] if numeric else [*"aabc"]) for _ in x]
        w = [chance.choice(WEIGHTS[number % len(WEIGHTS)]) for _ in x]
        made = (getattr(trees, kind, None) or getattr(ensemble, kind))(random_state=number, **options)
        model = made.fit(x, y, sample_weight=w)
        columns = {"p": [row[0] for row in x], "q": [row[1] for row in x], "w": w, "y": y}
        table = rt.Table.from_columns(columns, "y", weights="w", continuous=["p", "q", *["y"][: int(numeric)]])
        found = rt.audit(model, table)
        assert found.is_right, (options, found.wrong[0])
        nodes += len(found.findings)
    assert nodes > 20


def test_a_planted_fault_in_a_weighted_boosted_tree_is_named() -> None:
    """A leaf that forgets the weights of its rows."""
    x, y, w = [[0], [1], [2], [3]], [0.0, 0.0, 1.0, 5.0], [1, 2, 2, 1]
    model = ensemble.GradientBoostingRegressor(n_estimators=1, max_depth=1).fit(x, y, sample_weight=w)
    table = rt.Table.from_columns({"x": [0, 1, 2, 3], "w": w, "y": y}, "y", weights="w", continuous=["y"])
    assert rt.audit(model, table).is_right
    model.estimators_[0, 0].tree_.value[1, 0, 0] += 0.01
    (wrong,) = rt.audit(model, table).wrong
    assert (wrong.number, wrong.verdict) == (1, "wrong-leaf")


def test_residuals_that_are_roundings_are_no_impurity() -> None:
    """scikit-learn makes a leaf where the variance that it finds is at most 2⁻⁵²."""
    x, y = [[0], [0], [1], [1], [2], [2]], [0.1, 0.1, 0.2, 0.2, 0.3, 0.3]
    for weights_of in (None, [0.1, 0.7, 0.2, 0.3, 0.3, 5.5]):
        model = ensemble.GradientBoostingRegressor(n_estimators=3, learning_rate=1).fit(x, y, sample_weight=weights_of)
        columns: dict[str, Any] = {"x": [row[0] for row in x], "y": y}
        named = None if weights_of is None else "w"
        if weights_of is not None:
            columns["w"] = weights_of
        table = rt.Table.from_columns(columns, "y", weights=named, continuous=["x", "y"])
        assert rt.audit(model, table).is_right


def test_weights_of_classes_of_a_histogram_model_are_looked_up_by_their_places() -> None:
    """scikit-learn 1.4 to 1.9: the nine-fold weight of class 1 is that of the second class, which is 2."""
    x, y = [[0.0]] * 4, [1, 1, 2, 2]
    model = ensemble.HistGradientBoostingClassifier(max_iter=1, class_weight={1: 9}).fit(x, y)
    assert list(model.predict([[0]])) == [2]
    (document,) = rt.read_foreign(model)
    assert document["learner"]["options"]["told"]["class_weight"] == {"1": "1", "2": "9"}
