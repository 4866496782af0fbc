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


@pytest.mark.one_in(1, 3)
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
    model: Any = kind(n_estimators=3)
    found = checks.check_estimator(model, on_fail=None, on_skip=None, expected_failed_checks=BY_WEIGHT)
    assert len(found) > 50
    failed = {check["check_name"]: str(check["exception"]) for check in found if check["status"] == "failed"}
    assert failed == {}


@pytest.mark.slow
def test_idioms_of_scikit_learn() -> None:
    numpy = pytest.importorskip("numpy")
    usual = RandomForestClassifier(n_estimators=3, max_features=2).fit(ROWS, SPECIES)
    for given in ({"max_features": 0.5, "n_jobs": -1}, {"max_features": numpy.int64(2), "random_state": None}):
        parameters: dict[str, Any] = {"n_estimators": 3, "verbose": 1, **given}
        assert RandomForestClassifier(**parameters).fit(ROWS, SPECIES).tree_.members == usual.tree_.members
    drawn = [
        RandomForestClassifier(3, random_state=numpy.random.RandomState(seed)).fit(ROWS, SPECIES) for seed in (1, 1, 2)
    ]
    assert drawn[0].tree_ == drawn[1].tree_ != drawn[2].tree_
    with pytest.raises(rt.InputError, match=r"warm_start=True would change the result.*say n_estimators"):
        RandomForestClassifier(warm_start=True).fit(ROWS, SPECIES)
    with pytest.raises(rt.InputError, match="max_features: a share is above 0"):
        RandomForestClassifier(max_features=1.5).fit(ROWS, SPECIES)


def test_balanced_classes_weigh_the_same() -> None:
    few = [*range(50), *range(50, 60), *range(100, 105)]
    rows, names = [ROWS[place] for place in few], [SPECIES[place] for place in few]
    model = BaggingClassifier(n_estimators=1, bootstrap=False, class_weight="balanced").fit(rows, names)
    by_hand = [Fraction(65, 3 * names.count(name)) for name in names]
    assert model.tree_ == BaggingClassifier(n_estimators=1, bootstrap=False).fit(rows, names, by_hand).tree_
    assert model.tree_.members[0].tree.nodes[0].counts == (Fraction(65, 3),) * 3
    given = rt.CARTClassifier(class_weight={"setosa": 3}).fit(rows, names)
    assert given.tree_.nodes[0].counts == (150, 10, 5)


def test_each_tree_is_an_estimator() -> None:
    model = BaggingClassifier(rt.C45(), n_estimators=3).fit(ROWS, SPECIES)
    assert [type(each) for each in model.estimators_] == [rt.C45Classifier] * 3
    votes = [list(each.predict(ROWS)) for each in model.estimators_]
    most = [max(sorted(set(column)), key=column.count) for column in zip(*votes, strict=True)]
    assert most == list(model.predict(ROWS))


def test_shares_of_rows_are_counts() -> None:
    shares = RandomForestRegressor(n_estimators=2, min_samples_leaf=0.1, min_samples_split=0.3)
    widths = [row[3] for row in ROWS]
    counts = RandomForestRegressor(n_estimators=2, min_samples_leaf=15, min_samples_split=45)
    assert shares.fit(ROWS, widths).tree_ == counts.fit(ROWS, widths).tree_
    least = RandomForestRegressor(n_estimators=2, min_weight_fraction_leaf=0.1, min_samples_split=45)
    assert least.fit(ROWS, widths).tree_ == counts.tree_
