"""AdaBoost and the boosting tree as estimators: the ensemble of the learner, and scikit-learn's own checks."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.views.derivation.ensembles import explained_round
from tests.every import of_every

IRIS = rt.textbook("iris")
ROWS = [[float(row[a.name] or 0) for a in IRIS.schema.attributes] for row in IRIS.rows()]
SPECIES = [row["species"] for row in IRIS.rows()]
DEEPER = rt.CART(max_depth=2)


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize(
    ("model", "learner"),
    [
        (rt.AdaBoostClassifier(n_estimators=4), AdaBoost(trees=4, algorithm="samme")),
        (rt.AdaBoostClassifier(DEEPER, n_estimators=3), AdaBoost(base=DEEPER, trees=3, algorithm="samme")),
        (
            rt.AdaBoostClassifier(n_estimators=3, algorithm="m1", resample=True, random_state=5),
            AdaBoost(trees=3, resample=True, seed=5),
        ),
    ],
    ids=["stumps", "deeper", "drawn"],
)
def test_the_ensemble_is_that_of_the_learner(model: Any, learner: AdaBoost) -> None:
    assert model.ensemble() == learner
    expected = learner.grow(IRIS)
    model.fit(ROWS, SPECIES)
    assert [m.weight for m in model.tree_.members] == [m.weight for m in expected.members]
    assert list(model.predict(ROWS)) == expected.predict(IRIS)
    assert [list(row) for row in model.predict_proba(ROWS)] == [
        [float(share) for share in row.values()] for row in expected.distribution(IRIS)
    ]


def test_stumps_that_all_ask_the_same_owe_everything_to_it() -> None:
    model = rt.AdaBoostClassifier(n_estimators=3).fit([[1, 0], [2, 0], [3, 0], [4, 0]], ["a", "b", "b", "a"])
    assert list(model.feature_importances_) == [1, 0]


X8_2 = [[x] for x in range(1, 11)]
Y8_2 = [5.56, 5.70, 5.91, 6.40, 6.80, 7.05, 8.90, 8.70, 9.00, 9.05]


def test_a_boosting_tree_answers_as_li_hang_prints_it() -> None:
    model = rt.BoostingTreeRegressor(n_estimators=6).fit(X8_2, Y8_2)
    printed = [5.63, 5.63, 5.82, 6.56, 6.83, 6.83, 8.95, 8.95, 8.95, 8.95]
    assert [float(y) for y in model.predict(X8_2)] == pytest.approx(printed, abs=0.011)  # he rounds in between
    assert model.score(X8_2, Y8_2) == pytest.approx(1 - 0.1722 / 19.0, abs=1e-2)
    assert list(model.feature_importances_) == [1]


@of_every([(0.3, 5), (0.31, 4), (100, 1)])
def test_its_rounds_end_with_the_loss(loss: Any, rounds: int) -> None:
    model = rt.BoostingTreeRegressor(loss=loss).fit(X8_2, Y8_2)
    assert len(model.tree_.members) == rounds
    assert rt.BoostingTreeRegressor(loss=loss).get_params()["loss"] == loss


@pytest.mark.parametrize("depth", [1, 2])
def test_a_boosting_tree_is_scikit_learns_trees_fitted_to_residuals(depth: int) -> None:
    trees = pytest.importorskip("sklearn.tree")
    rows = [row[:3] for row in ROWS]
    left = [row[3] for row in ROWS]
    base = rt.CART(max_depth=depth)
    assert rt.BoostingTreeRegressor(base, n_estimators=3).ensemble() == BoostingTree(base=base, trees=3)
    model = rt.BoostingTreeRegressor(base, n_estimators=3).fit(rows, left)
    predicted = [0.0] * len(rows)
    for _ in range(3):
        steps = trees.DecisionTreeRegressor(max_depth=depth).fit(rows, left).predict(rows)
        predicted = [one + step for one, step in zip(predicted, steps, strict=True)]
        left = [one - step for one, step in zip(left, steps, strict=True)]
    assert [float(y) for y in model.predict(rows)] == pytest.approx(predicted)


@pytest.mark.slow  # it fits some hundred tables
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [rt.AdaBoostClassifier, rt.BoostingTreeRegressor])
def test_scikit_learns_own_checks(kind: Any) -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    found = checks.check_estimator(kind(n_estimators=3), on_fail=None, on_skip=None)
    assert len(found) > 40
    assert {one["check_name"]: str(one["exception"]) for one in found if one["status"] == "failed"} == {}


@pytest.mark.slow
def test_a_learning_rate_and_the_rounds_one_by_one() -> None:
    model = rt.AdaBoostClassifier(DEEPER, n_estimators=4, learning_rate=0.5).fit(ROWS, SPECIES)
    assert model.ensemble() == AdaBoost(base=DEEPER, trees=4, algorithm="samme", rate=Fraction(1, 2))
    odds = [(1 - e) / e * 2 for e in model.estimator_errors_]
    assert list(model.estimator_weights_) == pytest.approx([math.log(each) / 2 for each in odds])
    stages = [list(stage) for stage in model.staged_predict(ROWS)]
    assert stages[-1] == list(model.predict(ROWS))
    assert [list(row) for row in [*model.staged_predict_proba(ROWS)][-1]] == [*map(list, model.predict_proba(ROWS))]
    assert [*model.staged_score(ROWS, SPECIES)][-1] == model.score(ROWS, SPECIES)
    assert list(model.estimators_[0].predict(ROWS)) == stages[0]


@pytest.mark.slow
def test_a_learning_rate_is_that_of_scikit_learn() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    theirs = ensemble.AdaBoostClassifier(n_estimators=5, learning_rate=0.5, random_state=0).fit(ROWS, SPECIES)
    ours = rt.AdaBoostClassifier(rt.CART(max_depth=1), n_estimators=5, learning_rate=0.5).fit(ROWS, SPECIES)
    assert list(ours.estimator_weights_) == pytest.approx(list(theirs.estimator_weights_))
    assert list(ours.estimator_errors_) == pytest.approx(list(theirs.estimator_errors_))
    assert list(ours.predict(ROWS)) == list(theirs.predict(ROWS))


def test_a_round_with_a_rate_is_derived() -> None:
    table = rt.textbook("li-hang-8.1")
    model = AdaBoost(trees=2, rate=Fraction(1, 2)).grow(table)
    derived = " ".join(map(str, explained_round(model, table, 1)))
    assert "are multiplied by 1.527525; then all are divided by their sum" in derived  # the root of 7/3
