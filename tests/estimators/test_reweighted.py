"""AdaBoost as an estimator: the ensemble of the learner, and scikit-learn's own checks."""

from __future__ import annotations

from typing import Any

import pytest

import reference_tree as rt
from reference_tree.ensembles.adaboost import AdaBoost

IRIS = rt.textbook("iris")
ROWS = [[float(row[a.name] or 0) for a in IRIS.schema.attributes] for row in IRIS.rows()]
SPECIES = [row["species"] for row in IRIS.rows()]
DEEPER = rt.CART(max_depth=2)


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


@pytest.mark.slow  # it fits some hundred tables
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_own_checks() -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    found = checks.check_estimator(rt.AdaBoostClassifier(n_estimators=3), on_fail=None, on_skip=None)
    assert {one["check_name"]: str(one["exception"]) for one in found if one["status"] == "failed"} == {}
