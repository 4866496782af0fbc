"""Short programs that people write for XGBoost and scikit-learn, run as they are and with only the import changed.

Each program ends with `found`, a list of results. Of XGBoost's classes the results are compared: labels and texts have
to be the same, and numbers the same up to float32. The draws and the default trees of scikit-learn's classes are others
than those of this package, so that of these programs only the form of the results is compared, and how good they are.
"""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.programs.xgboost.bins import release_of

pytestmark = [pytest.mark.oracles, pytest.mark.slow]

DATA = """
import warnings; warnings.simplefilter("ignore")
import numpy as np, pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline, Pipeline
from sklearn.preprocessing import LabelEncoder, StandardScaler
from sklearn.metrics import accuracy_score, classification_report, confusion_matrix, mean_squared_error, roc_auc_score
"""

XGBOOST = {
    "train/test split": """
X, y = load_iris(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=42)
model = XGBClassifier(n_estimators=20, max_depth=4, learning_rate=0.1, n_jobs=-1, verbosity=0)
model.fit(X_train, y_train)
found = [model.predict(X_test), accuracy_score(y_test, model.predict(X_test)), model.predict_proba(X_test)]
""",
    "binary, with everything said": """
data = load_breast_cancer()
X_train, X_test, y_train, y_test = train_test_split(data.data, data.target, random_state=7)
model = XGBClassifier(objective="binary:logistic", n_estimators=8, max_depth=3, learning_rate=0.3, gamma=0.1,
                      reg_alpha=0.1, reg_lambda=2, subsample=1.0, colsample_bytree=1.0, min_child_weight=2,
                      scale_pos_weight=0.6, random_state=42, tree_method="hist", device="cpu", booster="gbtree")
y_pred = model.fit(X_train, y_train).predict(X_test)
found = [y_pred, confusion_matrix(y_test, y_pred), roc_auc_score(y_test, model.predict_proba(X_test)[:, 1])]
""",
    "several classes, num_class and mlogloss": """
X, y = load_wine(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=1)
model = XGBClassifier(objective="multi:softprob", num_class=3, eval_metric="mlogloss", n_estimators=10)
model.fit(X_train, y_train)
found = [model.predict(X_test), classification_report(y_test, model.predict(X_test)), model.predict_proba(X_test)]
""",
    "early stopping": """
data = load_breast_cancer()
X_train, X_val, y_train, y_val = train_test_split(data.data, data.target, random_state=3)
model = XGBClassifier(n_estimators=200, learning_rate=0.6, max_depth=2, early_stopping_rounds=3, eval_metric="logloss")
model.fit(X_train, y_train, eval_set=[(X_val, y_val)], verbose=False)
found = [model.best_iteration, model.best_score, model.predict(X_val), model.evals_result()["validation_0"]["logloss"]]
""",
    "regression and RMSE": """
X, y = load_diabetes(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
reg = XGBRegressor(n_estimators=30, max_depth=3, learning_rate=0.1)
reg.fit(X_train, y_train, eval_set=[(X_train, y_train), (X_test, y_test)], verbose=10)
found = [np.sqrt(mean_squared_error(y_test, reg.predict(X_test))), reg.predict(X_test), reg.score(X_test, y_test)]
""",
    "grid search": """
X, y = load_iris(return_X_y=True)
grid = GridSearchCV(XGBClassifier(n_estimators=5, eval_metric="mlogloss"),
                    {"max_depth": [1, 3], "learning_rate": [0.1, 0.5]}, cv=3, scoring="accuracy")
grid.fit(X, y)
found = [grid.best_params_["max_depth"], grid.best_score_, grid.cv_results_["mean_test_score"], grid.predict(X)]
""",
    "pipeline": """
X, y = load_wine(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=5)
pipe = Pipeline([("scale", StandardScaler()), ("model", XGBClassifier(n_estimators=5, max_depth=2))])
pipe.set_params(model__learning_rate=0.5).fit(X_train, y_train)
found = [pipe.predict(X_test), pipe.score(X_test, y_test)]
""",
    "cross validation": """
X, y = load_iris(return_X_y=True)
model = XGBClassifier(n_estimators=5, max_depth=3, random_state=None)
found = [cross_val_score(model, X, y, cv=StratifiedKFold(3, shuffle=True, random_state=0)),
         cross_val_predict(model, X, y, cv=3)]
""",
    "feature importance of a frame": """
data = load_wine(as_frame=True)
model = XGBClassifier(n_estimators=5, importance_type="gain").fit(data.data, data.target)
series = pd.Series(model.feature_importances_, index=data.feature_names).sort_values(ascending=False)
found = [list(series.index[:3]), series.values, list(model.feature_names_in_),
         sorted(model.get_booster().get_score(importance_type="weight").items())]
""",
    "missing values and a code for them": """
X, y = load_iris(return_X_y=True)
X[::7, 2] = np.nan
X[1::5, 3] = -999
model = XGBClassifier(n_estimators=6, missing=-999).fit(np.where(np.isnan(X), -999, X), y)
found = [model.predict(np.where(np.isnan(X), -999, X)), model.predict_proba(np.where(np.isnan(X), -999, X))]
""",
    "weights of rows": """
X, y = load_breast_cancer(return_X_y=True)
weight = np.where(y == 0, 3.0, 1.0)
model = XGBClassifier(n_estimators=4, max_depth=3).fit(X, y, sample_weight=weight)
found = [model.predict(X), model.predict(X, output_margin=True), model.predict_proba(X, iteration_range=(0, 2))]
""",
    "save and load": """
import os, tempfile
X, y = load_diabetes(return_X_y=True)
reg = XGBRegressor(n_estimators=6, max_depth=3).fit(X, y)
path = os.path.join(tempfile.mkdtemp(), "model.json")
reg.save_model(path)
again = XGBRegressor()
again.load_model(path)
found = [reg.predict(X), again.predict(X), again.get_booster().num_boosted_rounds()]
""",
    "leaves": """
X, y = load_iris(return_X_y=True)
model = XGBClassifier(n_estimators=4, max_depth=2).fit(X, y)
found = [model.apply(X), model.get_booster().get_dump()[0].split(" ")[0], model.n_classes_, model.classes_]
""",
    "a label encoder": """
names = np.array(["setosa", "versicolor", "virginica"])[load_iris().target]
encoder = LabelEncoder()
y = encoder.fit_transform(names)
model = XGBClassifier(n_estimators=3, base_score=0.5).fit(load_iris().data, y)
found = [encoder.inverse_transform(model.predict(load_iris().data)), model.get_params()["n_estimators"]]
""",
    "several metrics of a regression": """
X, y = load_diabetes(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
reg = XGBRegressor(n_estimators=300, early_stopping_rounds=5, eval_metric=["mae", "rmse"], max_depth=2,
                   learning_rate=0.5)
reg.fit(X_train, y_train, eval_set=[(X_test, y_test)], verbose=0)
found = [reg.best_iteration, reg.evals_result()["validation_0"]["mae"], reg.predict(X_test)]
""",
}
"""Programs for `from xgboost import XGBClassifier, XGBRegressor`."""

IMITATING = """
from functools import partial
from reference_tree import estimators
XGBClassifier = partial(estimators.XGBClassifier, release="{release}")
XGBRegressor = partial(estimators.XGBRegressor, release="{release}")
"""

SCIKIT_LEARN = {
    "a forest": """
X, y = load_iris(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
clf = RandomForestClassifier(n_estimators=20, max_features="sqrt", n_jobs=-1, random_state=42, oob_score=True)
clf.fit(X_train, y_train)
found = [clf.predict(X_test), clf.score(X_test, y_test), len(clf.estimators_), clf.oob_score_, clf.feature_importances_]
""",
    "a forest of balanced classes": """
X, y = load_breast_cancer(return_X_y=True)
clf = RandomForestClassifier(10, max_depth=3, max_features=0.3, class_weight="balanced", verbose=0,
                             random_state=np.random.RandomState(0))
clf.fit(X[::2], y[::2])
found = [clf.predict(X[1::2]), clf.score(X[1::2], y[1::2]), clf.predict_proba(X[1::2])]
""",
    "a forest of numbers": """
X, y = load_diabetes(return_X_y=True)
reg = RandomForestRegressor(n_estimators=10, max_features=1.0, min_samples_leaf=0.02, max_depth=5, random_state=None)
reg.fit(X[::2], y[::2])
found = [reg.predict(X[1::2]), reg.score(X[::2], y[::2]), reg.estimators_[0].predict(X[:3])]
""",
    "a bag": """
X, y = load_wine(return_X_y=True)
clf = BaggingClassifier(n_estimators=10, oob_score=True, random_state=1).fit(X[::2], y[::2])
found = [clf.predict(X[1::2]), clf.score(X[1::2], y[1::2])]
""",
    "AdaBoost in stages": """
X, y = load_iris(return_X_y=True)
clf = AdaBoostClassifier(n_estimators=10, learning_rate=0.5, random_state=0).fit(X, y)
found = [clf.predict(X), clf.score(X, y), clf.estimator_weights_, clf.estimator_errors_, len(clf.estimators_),
         [len(stage) for stage in clf.staged_predict(X)], [stage.shape for stage in clf.staged_predict_proba(X)],
         list(clf.staged_score(X, y))]
""",
    "a grid of forests": """
X, y = load_iris(return_X_y=True)
grid = GridSearchCV(make_pipeline(StandardScaler(), RandomForestClassifier(n_estimators=5, random_state=0)),
                    {"randomforestclassifier__max_depth": [1, 3]}, cv=3).fit(X, y)
found = [grid.best_score_, cross_val_score(grid.best_estimator_, X, y, cv=3)]
""",
}
"""Programs for `from sklearn.ensemble import ...`."""


def run(head: str, program: str) -> list[Any]:
    """What a program finds."""
    names: dict[str, Any] = {}
    exec(DATA + head + program, names)
    return list(names["found"])


def flat(found: Any) -> list[Any]:
    """The numbers and texts of a result."""
    if hasattr(found, "tolist"):
        found = found.tolist()
    return [each for part in found for each in flat(part)] if isinstance(found, list | tuple) else [found]


@pytest.fixture(autouse=True)
def programs() -> None:
    for name in ("sklearn", "pandas"):
        pytest.importorskip(name)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", XGBOOST)
def test_a_program_for_xgboost_finds_the_same(name: str) -> None:
    version = pytest.importorskip("xgboost").__version__
    heads = [f"from {each} import XGBClassifier, XGBRegressor\n" for each in ("xgboost", "reference_tree.estimators")]
    if release_of(version) != release_of():  # the newest is imitated with only the import changed
        heads[1] = IMITATING.format(release=version)
    theirs, ours = (run(head, XGBOOST[name]) for head in heads)
    for one, other in zip(theirs, ours, strict=True):
        for each, same in zip(flat(one), flat(other), strict=True):
            assert same == (pytest.approx(each, rel=1e-5, abs=2e-6) if isinstance(each, float) else each)


@pytest.mark.parametrize("name", SCIKIT_LEARN)
def test_a_program_for_scikit_learn_runs(name: str) -> None:
    classes = "AdaBoostClassifier, BaggingClassifier, RandomForestClassifier, RandomForestRegressor\n"
    heads = [f"from {each} import {classes}" for each in ("sklearn.ensemble", "reference_tree.estimators")]
    theirs, ours = (run(head, SCIKIT_LEARN[name]) for head in heads)
    for one, other in zip(theirs, ours, strict=True):
        sizes = [len(flat(each)) for each in (one, other)]
        assert sizes[0] == sizes[1]
        if sizes[0] == 1:
            assert flat(other)[0] == pytest.approx(flat(one)[0], abs=0.06)
