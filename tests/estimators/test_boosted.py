"""XGBoost's classes: N4's two snippets, its parameters, and what they mean to the learner."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError, InputWarning
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.learners.gradient_tree import GradientTree
from tests.every import of_every

IRIS = [list(row.values()) for row in rt.textbook("iris").rows()]
X = [row[:-1] for row in IRIS]
SPECIES = [row[-1] for row in IRIS]

CLASSIFICATION = """
from xgboost import XGBClassifier

model = XGBClassifier()

model.fit(X_train, y_train)
y_pred = model.predict(X_test)
"""
REGRESSION = CLASSIFICATION.replace("XGBClassifier", "XGBRegressor")


def run(snippet: str, y: list[Any]) -> Any:
    """A snippet as N4 prints it, with the import changed; ten rounds will do for a test."""
    changed = snippet.replace("from xgboost import", "from reference_tree.estimators import")
    changed = changed.replace("()\n", "(n_estimators=10)\n")
    found: dict[str, Any] = {"X_train": X[::2], "y_train": y[::2], "X_test": X[1::2]}
    exec(changed, found)
    return list(found["y_pred"])


@pytest.mark.slow
@pytest.mark.covers("N4 XGBoost: classification")
def test_the_snippet_for_classification_runs() -> None:
    found = run(CLASSIFICATION, SPECIES)
    assert sum(one == other for one, other in zip(found, SPECIES[1::2], strict=True)) >= 70  # of 75


@pytest.mark.covers("N4 XGBoost: regression")
def test_the_snippet_for_regression_runs() -> None:
    widths = [float(Fraction(str(row[3]))) for row in X]
    found = run(REGRESSION, widths)
    errors = [abs(one - other) for one, other in zip(found, widths[1::2], strict=True)]
    assert sum(errors) / len(errors) < 0.15


@pytest.mark.covers("N4 XGBoost: qualities")
def test_parameters_are_those_of_the_learner() -> None:
    model = rt.XGBClassifier(
        n_estimators=7, max_depth=2, learning_rate=0.1, reg_lambda=0.5, gamma=0.25, min_child_weight=2, subsample=0.5,
        colsample_bytree=0.75, colsample_bylevel=0.5, colsample_bynode=0.25, base_score=0.5,
        objective="binary:logistic", random_state=3,
    )  # fmt: skip
    tenth = Fraction(1, 10)
    base = GradientTree.like(
        "xgboost-hist", max_depth=2, rate=tenth, reg_lambda=Fraction(1, 2), gamma=Fraction(1, 4), min_child_weight=2,
        colsample_bytree=Fraction(3, 4), colsample_bylevel=Fraction(1, 2), colsample_bynode=Fraction(1, 4), seed=3,
    )  # fmt: skip
    half = Fraction(1, 2)
    assert model.boosting() == GradientBoosting(
        base=base, trees=7, loss="auto", base_score=half, class_start="shares", subsample=half, seed=3
    )
    assert base.epsilon == Fraction(1, 10**6)
    assert base.threshold == "next"


@pytest.mark.oracles
def test_the_usual_parameters_are_those_of_xgboost() -> None:
    xgboost = pytest.importorskip("xgboost")
    found = xgboost.XGBRegressor(tree_method="exact").fit([[1.0], [2.0]], [1.0, 2.0]).get_booster().save_config()
    for name, value in (
        ("eta", 0.3), ("lambda", 1), ("gamma", 0), ("max_depth", 6), ("min_child_weight", 1), ("subsample", 1)
    ):  # fmt: skip
        text = found.split(f'"{name}":"')[1].split('"')[0]
        assert float(text) == pytest.approx(value, rel=1e-6)


def test_a_number_can_stand_for_a_gap() -> None:
    rows, y = [[1.0], [2.0], [-999.0], [4.0]], [1, 1, 5, 5]
    gaps = [[1.0], [2.0], [None], [4.0]]
    one = rt.XGBRegressor(n_estimators=3, missing=-999).fit(rows, y)
    other = rt.XGBRegressor(n_estimators=3).fit(gaps, y)
    assert one.tree_ == other.tree_
    assert list(one.predict(rows)) == list(other.predict(gaps))


def test_probabilities_add_up_to_one_and_the_largest_is_predicted() -> None:
    model = rt.XGBClassifier(n_estimators=2, max_depth=2).fit(X, SPECIES)
    for shares, label in zip(model.predict_proba(X), model.predict(X), strict=True):
        assert sum(shares) == pytest.approx(1, abs=1e-15)
        assert list(model.classes_)[list(shares).index(max(shares))] == label


def test_an_objective_that_is_none() -> None:
    with pytest.raises(rt.InputError, match="there is no objective 'binary:logistics'"):
        rt.XGBClassifier(objective="binary:logistics").fit(X, SPECIES)


# Releases.


def test_the_newest_release_is_imitated_unless_another_is_named() -> None:
    """On twelve numbers in four bins the rules differ: XGBoost 3.4.1 asks at 3, 6 and 9, and 3.2.0 at 3, 6 and 8."""
    rows, y = [[number] for number in range(12)], [0, 0, 0, 5, 5, 5, 1, 1, 1, 1, 7, 7]

    def thresholds(release: str | None) -> list[int]:
        model = rt.XGBRegressor(n_estimators=1, max_depth=3, max_bin=4, min_child_weight=0, release=release)
        return sorted(
            {int(node.test.threshold) for node in model.fit(rows, y).tree_.members[0].tree.nodes if node.test}
        )

    assert thresholds("3.2") == thresholds("3.2.0") == [3, 6, 8]
    assert thresholds(None) == thresholds("3.3") == thresholds("3.4.1") == [3, 6, 9]


def test_rows_that_weigh_nothing_count_for_the_size_of_a_sketch() -> None:
    rows = [[(number * 7919) % 400] for number in range(400)]
    y = [(number * 31) % 17 for (number,) in rows]

    def asked(rows: list[list[int]], y: list[int], weights: list[int]) -> Any:
        model = rt.XGBRegressor(n_estimators=1, max_depth=4, max_bin=4).fit(rows, y, sample_weight=weights)
        return [node.test for node in model.tree_.members[0].tree.nodes]

    without = asked(rows, y, [1] * 400)
    assert asked([*rows, *[[0]] * 10_000], [*y, *[0] * 10_000], [1] * 400 + [0] * 10_000) != without
    assert asked([*rows, *[[0]] * 10_000], [*y, *[0] * 10_000], [1] * 400 + [0] * 10_000)[0] is not None
    assert asked([*rows, [0]], [*y, 0], [1] * 400 + [0]) == without


def test_columns_of_many_categories_are_refused_as_releases_say() -> None:
    rows, y = [[colour] for colour in "abcdabcd"], [1, 2, 3, 4, 1, 2, 3, 4]
    with pytest.raises(rt.InputError, match="it has 4 categories, which XGBoost would split into sets"):
        rt.XGBRegressor(n_estimators=1).fit(rows, y)
    for parameters in ({"release": "3.2"}, {"enable_categorical": False}, {"max_cat_to_onehot": 5}):
        rt.XGBRegressor(n_estimators=1, **parameters).fit(rows, y)
    with pytest.raises(rt.InputError, match="it has 4 categories"):
        rt.XGBRegressor(n_estimators=1, release="3.2", enable_categorical=True).fit(rows, y)


def test_a_release_that_is_newer_than_the_newest_tried_gives_a_remark() -> None:
    model = rt.XGBRegressor(n_estimators=1, release="3.99.0")
    with pytest.warns(
        InputWarning, match=r"release: XGBoost 3\.99\.0 is newer than 3\.4\.1, the newest release that was"
    ):
        model.fit([[1], [2]], [1, 2])


@pytest.mark.parametrize("name", ["reg:absoluteerror", "reg:quantileerror"])
@pytest.mark.parametrize(("release", "why"), [("3.3", "quantile|median of the residuals"), (None, "smoothed")])
def test_an_objective_that_a_release_fits_in_its_own_way_is_refused_by_name(
    name: str, release: str | None, why: str
) -> None:
    with pytest.raises(rt.InputError, match=f"objective='{name}' is not done here: in XGBoost 3.*({why})") as found:
        rt.XGBRegressor(objective=name, release=release).fit([[1], [2]], [1, 2])
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("release", ["3.1.3", "new", 3])
def test_a_release_that_is_not_known_is_refused(release: Any) -> None:
    with pytest.raises(rt.InputError, match=f"^release='{release}'"):
        rt.XGBRegressor(release=release).fit([[1], [2]], [1, 2])


@pytest.mark.slow  # it fits some hundred tables
@pytest.mark.parametrize("kind", [rt.XGBClassifier, rt.XGBRegressor])
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_own_checks(kind: Any) -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    found = checks.check_estimator(kind(n_estimators=2), on_fail=None, on_skip=None)
    failed = {check["check_name"]: str(check["exception"]) for check in found if check["status"] == "failed"}
    assert failed == {}


@pytest.mark.parametrize("kind", [rt.XGBClassifier, rt.RandomForestClassifier, rt.BaggingClassifier, rt.CARTClassifier])
def test_numbers_of_numpy_are_parameters(kind: Any) -> None:
    numpy = pytest.importorskip("numpy")
    usual = {"n_estimators": 3, "random_state": 4, "max_depth": 2, "min_samples_leaf": 1}
    given = {name: value for name, value in usual.items() if name in kind().get_params()}
    rows, classes = [[1], [2], [3], [4]], ["a", "b", "a", "b"]
    found = kind(**{name: numpy.int64(value) for name, value in given.items()}).fit(rows, classes)
    assert found.tree_ == kind(**given).fit(rows, classes).tree_


def test_the_methods_are_two_and_the_third_is_refused() -> None:
    assert rt.XGBClassifier(tree_method="hist", n_jobs=4).boosting() == rt.XGBClassifier().boosting()
    assert rt.XGBClassifier(tree_method="exact").boosting().base.profile == "xgboost"
    with pytest.raises(rt.InputError, match="say hist or exact"):
        rt.XGBClassifier(tree_method="approx").fit(X, SPECIES)


@pytest.mark.parametrize("kind", ["f4", "f8", "i8"])
def test_a_number_may_stand_for_a_gap_in_any_precision(kind: str) -> None:
    numpy = pytest.importorskip("numpy")
    rows = numpy.array([[-999], [1], [2], [3], [-999], [5], [6], [-999]], dtype=kind)
    model = rt.XGBClassifier(n_estimators=1, min_child_weight=0, missing=-999.0).fit(rows, [1, 0, 0, 0, 1, 0, 1, 1])
    assert model.tree_.members[0].tree.nodes[0].test.name == "x0<6"


def test_a_gap_of_single_precision_is_one_in_prediction_too() -> None:
    numpy = pytest.importorskip("numpy")
    rows = numpy.array([[0.1], [1], [2], [3], [0.1], [5], [6], [0.1]], dtype="f4")
    model = rt.XGBClassifier(n_estimators=1, min_child_weight=0, missing=0.1).fit(rows, [1, 0, 0, 0, 1, 0, 1, 1])
    found = [share > 0.5 for _, share in model.predict_proba(rows)]
    assert found == [True, False, False, False, True, False, True, True]


def test_only_the_number_itself_stands_for_a_gap() -> None:
    numpy = pytest.importorskip("numpy")
    near = [[2**53 + 1], [2**53 + 1], [7], [7]]
    model = rt.XGBClassifier(n_estimators=1, min_child_weight=0, missing=2**53).fit(near, [1, 1, 0, 0])
    assert model.tree_.members[0].tree.nodes[0].test is not None
    single = numpy.array(near, dtype="f4")
    assert rt.XGBClassifier(n_estimators=1, missing=1e300).fit(single, [1, 1, 0, 0]).tree_ is not None


@of_every([(False, True), (0.0, 1.0), (0, 1)])
def test_classes_that_equal_0_and_1_are_whole_numbers_as_in_xgboost(low_and_high: tuple[Any, Any]) -> None:
    x, y = [[1.0], [2.0], [3.0], [4.0]], [low_and_high[place] for place in (0, 0, 1, 1)]
    model = rt.XGBClassifier(n_estimators=2, min_child_weight=0).fit(x, y, eval_set=[(x, y)], verbose=False)
    found = model.predict(x)
    assert [repr(getattr(each, "item", lambda each=each: each)()) for each in found] == ["0", "0", "1", "1"]
    assert [*map(int, model.classes_)] == [0, 1]
    assert model.score(x, y) == 1


@pytest.mark.parametrize("release", ["3.2", "3.3", "3.4"])
def test_a_root_that_a_release_leaves_at_0_is_refused_by_name(release: str) -> None:
    model = rt.XGBRegressor(
        n_estimators=1, min_child_weight=4, base_score=0, learning_rate=1, reg_lambda=0, release=release
    )
    if release == "3.4":
        assert model.fit([[1], [2], [3]], [0, 1, 5]).predict([[1]])[0] == 2
    else:
        message = f"a root has an H of 3, and min_child_weight is more: XGBoost {release} leaves"
        with pytest.raises(InputError, match=message):
            model.fit([[1], [2], [3]], [0, 1, 5])
