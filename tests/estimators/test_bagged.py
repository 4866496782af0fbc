"""Ensembles as estimators: the ensemble of the learner, and scikit-learn's own checks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.ensembles.bagging import Bagging, out_of_bag
from reference_tree.ensembles.importance import impurity_importance
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.estimators import (
    BaggingClassifier,
    BaggingRegressor,
    Estimator,
    RandomForestClassifier,
    RandomForestRegressor,
)

IRIS = rt.textbook("iris")
ROWS = [[float(row[a.name] or 0) for a in IRIS.schema.attributes] for row in IRIS.rows()]
SPECIES = [row["species"] for row in IRIS.rows()]
KINDS: list[Any] = [BaggingClassifier, BaggingRegressor, RandomForestClassifier, RandomForestRegressor]

BY_WEIGHT = {
    "check_sample_weight_equivalence_on_dense_data": "a weight of 2 is no second row to draw",
    "check_sample_weight_equivalence_on_sparse_data": "the same",
}


@pytest.mark.parametrize(
    ("model", "learner"),
    [
        (BaggingClassifier(rt.C45(), n_estimators=4, random_state=3), Bagging(base=rt.C45(), trees=4, seed=3)),
        (BaggingClassifier(n_estimators=3, combine="mean"), Bagging(trees=3, combine="mean")),
        (BaggingClassifier(n_estimators=1, bootstrap=False), Bagging(trees=1, resample=False)),
        (RandomForestClassifier(n_estimators=4, n_jobs=2), RandomForest(trees=4)),
        (RandomForestClassifier(n_estimators=4, max_features=1), RandomForest(trees=4, attributes=1)),
        (
            RandomForestClassifier(
                n_estimators=2, max_features=None, criterion="entropy", max_depth=2, min_samples_leaf=4
            ),
            RandomForest(trees=2, attributes="all", base=rt.CART(criterion="entropy", max_depth=2, min_samples_leaf=4)),
        ),
    ],
    ids=["C4.5", "mean", "without draws", "forest", "one attribute", "all attributes"],
)
def test_the_ensemble_is_that_of_the_learner(model: Any, learner: Any) -> None:
    assert model.ensemble() == learner
    expected = learner.grow(IRIS)
    model.fit(ROWS, SPECIES)
    assert [m.drawn for m in model.tree_.members] == [m.drawn for m in expected.members]
    shapes = [[(n.counts, n.label) for n in m.tree.nodes] for m in model.tree_.members]
    assert shapes == [[(n.counts, n.label) for n in m.tree.nodes] for m in expected.members]
    assert list(model.predict(ROWS)) == expected.predict(IRIS)
    shares = [[float(share) for share in row.values()] for row in expected.distribution(IRIS)]
    assert [list(row) for row in model.predict_proba(ROWS)] == shares


def test_numbers_are_answered_by_the_mean() -> None:
    widths = [row[3] for row in ROWS]
    model = RandomForestRegressor(n_estimators=5, max_features="third", oob_score=True).fit(
        [row[:3] for row in ROWS], widths
    )
    numbers = [float(Fraction(member.tree.predict({"x0": 5, "x1": 3, "x2": 4}))) for member in model.tree_.members]
    assert model.predict([[5, 3, 4]])[0] == pytest.approx(sum(numbers) / 5)
    assert model.score([row[:3] for row in ROWS], widths) > 0.9
    judged: list[list[float]] = []
    for row in ROWS:
        asked = dict(zip(("x0", "x1", "x2"), row[:3], strict=True))
        place = len(judged)
        judged.append([float(t.predict(asked)) for t, _, drawn, _ in model.tree_.members if not drawn[place]])
    truths, answers = zip(
        *((w, sum(numbers) / len(numbers)) for w, numbers in zip(widths, judged, strict=True) if numbers), strict=True
    )
    left = sum((w - answer) ** 2 for w, answer in zip(truths, answers, strict=True))
    whole = sum((w - sum(truths) / len(truths)) ** 2 for w in truths)
    assert model.oob_score_ == pytest.approx(1 - left / whole)


def test_what_scikit_learn_calls_scores_and_importances() -> None:
    model = BaggingClassifier(n_estimators=8, oob_score=True).fit(ROWS, SPECIES)
    bag = Bagging(trees=8).grow(IRIS)
    assert model.oob_score_ == float(1 - (out_of_bag(bag, IRIS).error or 0))
    assert list(model.feature_importances_) == [float(v) for v in impurity_importance(bag, normalised=True).values()]
    with pytest.raises(rt.InputError, match="does not record what was drawn"):
        BaggingClassifier(n_estimators=2, bootstrap=False, oob_score=True).fit(ROWS, SPECIES)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_own_checks(kind: type[Estimator]) -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    model: Any = kind(n_estimators=5)
    found = checks.check_estimator(model, on_fail=None, on_skip=None, expected_failed_checks=BY_WEIGHT)
    assert len(found) > 50
    failed = {check["check_name"]: str(check["exception"]) for check in found if check["status"] == "failed"}
    assert failed == {}
