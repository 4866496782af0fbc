"""XGBoost's classes beside XGBoost itself: the same parameters, and programs with only the import changed."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.estimators import parameters
from reference_tree.estimators.parameters import check_plain, parameters_of
from reference_tree.programs.xgboost.bins import release_of

pytestmark = pytest.mark.oracles


@pytest.fixture
def xgboost() -> Any:
    pytest.importorskip("sklearn")
    return pytest.importorskip("xgboost")


def both(xgboost: Any, kind: str, parameters: dict[str, Any]) -> tuple[Any, Any]:
    """An estimator of this package that imitates the installed release, and XGBoost's own."""
    return getattr(rt, kind)(**parameters, release=xgboost.__version__), getattr(xgboost, kind)(**parameters)


# Arguments.


@pytest.mark.parametrize("kind", ["XGBClassifier", "XGBRegressor"])
def test_each_argument_of_xgboost_is_known(xgboost: Any, kind: str) -> None:
    theirs, ours = getattr(xgboost, kind), getattr(rt, kind)
    known, given = ours().get_params(), theirs().get_params()
    assert set(given) <= set(known)
    same_in_words = {"objective": given["objective"]}  # None means the same here
    if given["enable_categorical"] is not None:
        same_in_words["enable_categorical"] = release_of(xgboost.__version__).enables_categories
    assert {name: value for name, value in given.items() if known[name] != value and value == value} == same_in_words
    for method in ("fit", "predict", "apply", "score", "evals_result", "save_model", "load_model"):
        names = [set(inspect.signature(getattr(each, method)).parameters) for each in (theirs, ours)]
        assert names[0] <= names[1], method
    if kind == "XGBClassifier":
        names = [set(inspect.signature(each.predict_proba).parameters) for each in (theirs, ours)]
        assert names[0] <= names[1]


VALUES: dict[str, Any] = {
    "booster": "dart", "grow_policy": "lossguide", "max_leaves": 3, "max_delta_step": 1, "num_parallel_tree": 2,
    "sampling_method": "gradient_based", "monotone_constraints": {"x0": 1}, "interaction_constraints": [[0, 1]],
    "feature_types": ["c"], "feature_weights": [1, 2], "multi_strategy": "multi_output_tree", "callbacks": [print],
}  # fmt: skip


def test_what_would_change_the_result_is_refused_by_name_in_a_line() -> None:
    records = parameters_of(rt.XGBClassifier)
    assert {name for name, record in records.items() if record.effect == "changes"} == set(VALUES)
    for name, value in VALUES.items():
        with pytest.raises(rt.InputError, match=f"^{name}=.* would change the result") as found:
            rt.XGBClassifier(**{name: value}).fit([[1], [2]], [0, 1])
        assert "\n" not in str(found.value)
    for name, record in parameters.OF_FIT.items():
        with pytest.raises(rt.InputError, match=f"^{name}="):
            check_plain(name, [1], record)


def test_what_steers_machinery_has_no_effect() -> None:
    rows, labels = [[1], [2], [3], [4]], [0, 1, 0, 1]
    plain = rt.XGBClassifier(n_estimators=2, min_child_weight=0).fit(rows, labels).tree_
    for name, record in parameters_of(rt.XGBClassifier).items():
        if record.effect == "steers":
            given: dict[str, Any] = {name: 1}
            assert rt.XGBClassifier(n_estimators=2, min_child_weight=0, **given).fit(rows, labels).tree_ == plain


# Results.


def shares(numpy: Any) -> tuple[Any, Any, Any]:
    """Three classes of 80, 15 and 5 in a hundred, and weights."""
    chance = numpy.random.default_rng(7)  # 5 and 6 tie at a node, in which XGBoost's sums decide
    X = chance.normal(size=(300, 4))
    order = numpy.argsort(X[:, 0] + chance.normal(size=300) / 2)
    y = numpy.zeros(300, int)
    y[order[240:285]], y[order[285:]] = 1, 2
    return X, y, chance.integers(1, 5, 300)


RARE: list[dict[str, Any]] = [
    {"n_estimators": 1},
    {"n_estimators": 10, "max_depth": 3},
    {"n_estimators": 3, "base_score": 0.5},
    {"n_estimators": 3, "base_score": [0.5, 0.25, 0.125]},
    {"n_estimators": 5, "tree_method": "exact", "max_depth": 2},
]


@pytest.mark.parametrize("parameters", RARE, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_rare_classes(xgboost: Any, parameters: dict[str, Any], weighted: bool) -> None:
    numpy: Any = import_module("numpy")
    X, y, weights = shares(numpy)
    weights = weights if weighted else None
    ours, theirs = (one.fit(X, y, sample_weight=weights) for one in both(xgboost, "XGBClassifier", parameters))
    margins = [each.predict(X, output_margin=True) for each in (ours, theirs)]
    assert abs(margins[0] - margins[1]).max() < 1e-5
    assert (ours.predict(X) == theirs.predict(X)).all()


CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("XGBClassifier", "iris", {"n_estimators": 8, "early_stopping_rounds": 2}),
    ("XGBClassifier", "breast_cancer", {"n_estimators": 4, "scale_pos_weight": 2, "eval_metric": ["error", "auc"]}),
    ("XGBClassifier", "breast_cancer", {"n_estimators": 3, "reg_alpha": 0.5, "gamma": 1, "importance_type": "cover"}),
    ("XGBClassifier", "wine", {"n_estimators": 3, "max_bin": 16, "eval_metric": "merror", "importance_type": "weight"}),
    ("XGBRegressor", "diabetes", {"n_estimators": 20, "max_depth": 3, "early_stopping_rounds": 2}),
    ("XGBRegressor", "diabetes", {"n_estimators": 5, "reg_alpha": 3, "base_score": 100, "eval_metric": "mae"}),
    ("XGBRegressor", "diabetes", {"n_estimators": 3, "tree_method": "exact", "max_depth": 2, "gamma": 9}),
]


def rows_of(name: str, gaps: float = 0) -> Any:
    """The rows of a data set of scikit-learn in two parts, some of their values missing."""
    numpy, datasets = import_module("numpy"), import_module("sklearn.datasets")
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    if gaps:
        X = numpy.where(numpy.random.default_rng(3).random(X.shape) < gaps, numpy.nan, X)
    split: Any = import_module("sklearn.model_selection").train_test_split
    return split(X, y, random_state=0)


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "data", "parameters"), CASES, ids=str)
@pytest.mark.parametrize("gaps", [0, 0.1])
def test_everything_that_a_fit_gives(
    xgboost: Any, tmp_path: Path, kind: str, data: str, parameters: dict[str, Any], gaps: float
) -> None:
    X, X_test, y, y_test = rows_of(data, gaps)
    sets = [(X, y), (X_test, y_test)]
    ours, theirs = (one.fit(X, y, eval_set=sets, verbose=False) for one in both(xgboost, kind, parameters))
    size = abs(theirs.predict(X, output_margin=True)).max() * 1e-6

    def near(one: Any, other: Any) -> bool:
        return bool(abs(one - other).max() <= max(size, 1e-5))

    margins = ours.predict(X_test, output_margin=True)
    assert near(margins, theirs.predict(X_test, output_margin=True))
    first = {"output_margin": True, "iteration_range": (0, 2)}
    assert near(ours.predict(X_test, **first), theirs.predict(X_test, **first))
    if kind == "XGBClassifier":
        assert (ours.predict(X_test) == theirs.predict(X_test)).all()
        assert near(ours.predict_proba(X_test), theirs.predict_proba(X_test))
    assert ours.score(X_test, y_test) == pytest.approx(theirs.score(X_test, y_test))
    assert near(ours.feature_importances_, theirs.feature_importances_)
    for name, metrics in theirs.evals_result().items():
        for metric, values in metrics.items():
            assert ours.evals_result()[name][metric] == pytest.approx(values, rel=1e-5, abs=1e-7)
    if "early_stopping_rounds" in parameters:
        assert ours.best_iteration == theirs.best_iteration
        assert ours.best_score == pytest.approx(theirs.best_score)

    ours.save_model(tmp_path / "ours.json")
    loaded = getattr(xgboost, kind)()
    loaded.load_model(tmp_path / "ours.json")
    assert near(margins, loaded.predict(X_test, output_margin=True))
    assert (ours.apply(X_test) == loaded.apply(X_test)).all()
    assert ours.get_booster().get_dump() == [
        tree.replace(",missing", ",missing") for tree in loaded.get_booster().get_dump()
    ]
    for by in ("weight", "gain", "cover", "total_gain", "total_cover"):
        score = loaded.get_booster().get_score(importance_type=by)
        assert ours.get_booster().get_score(importance_type=by) == pytest.approx(score, rel=1e-4)
    theirs.save_model(tmp_path / "theirs.json")
    read = getattr(rt, kind)()
    read.load_model(tmp_path / "theirs.json")
    assert near(read.predict(X_test, output_margin=True), theirs.predict(X_test, output_margin=True))


def test_more_numbers_than_any_sketch_keeps(xgboost: Any) -> None:
    """One column of numbers whose order matters, with rows that weigh nothing: they count for the size of a sketch."""
    numpy: Any = import_module("numpy")
    chance = numpy.random.default_rng(2)
    X = chance.normal(size=(3000, 1))
    y = numpy.sin(3 * X[:, 0])
    weights = numpy.where(chance.random(3000) < 0.4, 0, chance.random(3000))
    parameters = {"n_estimators": 2, "max_depth": 5, "max_bin": 16}
    models = [one.fit(X, y, sample_weight=weights) for one in both(xgboost, "XGBRegressor", parameters)]
    asked = [
        {
            float(line.split("<")[1].split("]")[0])
            for tree in model.get_booster().get_dump()
            for line in tree.split("\n")
            if "<" in line
        }
        for model in models
    ]
    assert asked[0] == asked[1]
    assert abs(models[0].predict(X) - models[1].predict(X)).max() < 1e-6


@pytest.mark.parametrize("values", [3, 4], ids=lambda values: f"{values} categories")
def test_a_frame_with_categories(xgboost: Any, values: int) -> None:
    """Few categories are asked one against the rest by both; XGBoost splits more into sets, which is refused here."""
    pandas, numpy = pytest.importorskip("pandas"), import_module("numpy")
    chance = numpy.random.default_rng(4)
    colour = chance.integers(0, values, 200)
    frame = pandas.DataFrame({"colour": pandas.Categorical.from_codes(colour, list("abcd")[:values])})
    y = chance.normal(size=200) + numpy.array([5, 1, 7, 3])[colour]
    ours, theirs = both(xgboost, "XGBRegressor", {"n_estimators": 3, "max_depth": 2})
    if not release_of(xgboost.__version__).enables_categories:
        with pytest.raises(ValueError, match="enable_categorical"):
            theirs.fit(frame, y)
    elif values == 3:
        found = [each.fit(frame, y).predict(frame) for each in (ours, theirs)]
        assert abs(found[0] - found[1]).max() < 1e-5
    else:
        with pytest.raises(rt.InputError, match="it has 4 categories, which XGBoost would split into sets"):
            ours.fit(frame, y)
        ours, theirs = both(xgboost, "XGBRegressor", {"n_estimators": 3, "max_depth": 2, "max_cat_to_onehot": 5})
        found = [each.fit(frame, y).predict(frame) for each in (ours, theirs)]
        assert abs(found[0] - found[1]).max() < 1e-5


def test_shap_explains_a_model_by_way_of_xgboost(xgboost: Any, tmp_path: Path) -> None:
    shap = pytest.importorskip("shap")
    X, X_test, y, _ = rows_of("diabetes")
    ours = rt.XGBRegressor(n_estimators=3, max_depth=3).fit(X, y)
    ours.save_model(tmp_path / "model.json")
    booster = xgboost.Booster()
    booster.load_model(tmp_path / "model.json")
    explainer = shap.TreeExplainer(booster)
    found = explainer.shap_values(X_test)
    assert found.sum(axis=1) + explainer.expected_value == pytest.approx(ours.predict(X_test), abs=1e-2)
