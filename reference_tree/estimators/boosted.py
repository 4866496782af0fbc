"""Gradient boosting in the manner of XGBoost: its two classes, with the names of its parameters.

A program that says `from xgboost import XGBClassifier` runs with `from reference_tree.estimators import XGBClassifier`
in its place. What it grows is what XGBoost grows with `tree_method="exact"`, but for what float32 makes of it, and for
draws, which are those of this package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reference_tree.data.columns import Column
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.held import Floats, held_as
from reference_tree.data.table import Table
from reference_tree.dialects import xgboost  # noqa: F401  (it adds the profile)
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.ensembles.importance import gain_importance
from reference_tree.estimators.arrays import array_of, columns_of, plain
from reference_tree.estimators.classes import Classifier, Estimator, Regressor
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.tree import Unseen

OBJECTIVES: Mapping[str, str] = {
    "reg:squarederror": "squared_error",
    "binary:logistic": "logistic",
    "multi:softprob": "softmax",
    "multi:softmax": "softmax",
}
"""XGBoost's name of a loss → ours."""


class XGBEstimator(Estimator):
    """Gradient boosting; a float is the decimal by which it is written.

    Args:
        n_estimators: how many rounds.
        max_depth: no node lies deeper; the root is 0.
        learning_rate: η, by which the value of each leaf is multiplied.
        reg_lambda: λ, the penalty on large leaves.
        gamma: a split that gains less is taken back, unless one below it stays.
        min_child_weight: the least sum of second derivatives of a side.
        subsample: the share of the rows that a tree is grown from.
        colsample_bytree: the share of the columns that a tree may ask.
        colsample_bylevel: of these, the share that the nodes of one depth may ask.
        colsample_bynode: of these, the share that a node may ask.
        base_score: the first prediction for every row; none: the mean, or the share of the second class.
        objective: the loss, by XGBoost's name: `reg:squarederror`, `binary:logistic`, `multi:softprob`; none: what the
            target asks for.
        missing: the number that stands for a missing value, besides NaN and None.
        tree_method: `exact`, which is also what `auto` and none stand for here: every question is tried.
        n_jobs: taken for XGBoost's sake; rounds wait for each other, and nothing depends on it.
        random_state: the seed of what is drawn.

    Source:
        [N4 XGBoost: qualities], [ChenGuestrin2016 §2.2]
    """

    unseen: Unseen = "majority"

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_depth: int | None = 6,
        learning_rate: Any = 0.3,
        reg_lambda: Any = 1,
        gamma: Any = 0,
        min_child_weight: Any = 1,
        subsample: Any = 1,
        colsample_bytree: Any = 1,
        colsample_bylevel: Any = 1,
        colsample_bynode: Any = 1,
        base_score: Any = None,
        objective: str | None = None,
        missing: Any = None,
        tree_method: str | None = None,
        n_jobs: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_estimators, self.max_depth, self.learning_rate = n_estimators, max_depth, learning_rate
        self.reg_lambda, self.gamma, self.min_child_weight = reg_lambda, gamma, min_child_weight
        self.subsample, self.colsample_bytree = subsample, colsample_bytree
        self.colsample_bylevel, self.colsample_bynode = colsample_bylevel, colsample_bynode
        self.base_score, self.objective, self.missing, self.random_state = base_score, objective, missing, random_state
        self.tree_method, self.n_jobs = tree_method, n_jobs

    def boosting(self) -> GradientBoosting:
        """The learner with these parameters.

        Raises:
            InputError: there is no such objective, or not every question would be tried.

        Source:
            [N4 XGBoost: classification], [N4 XGBoost: regression], [N4 XGBoost: qualities]. N4 imports the classes from
            `xgboost`, and calls them without any parameter.
        """
        if self.objective not in (None, *OBJECTIVES):
            raise InputError(no_such("objective", str(self.objective), OBJECTIVES))
        if self.tree_method not in (None, "auto", "exact"):
            raise InputError(f"tree_method={self.tree_method!r} leaves questions out; here it is 'exact'")
        tree = GradientTree.like(
            "xgboost",
            max_depth=plain(self.max_depth),
            rate=self._decimal("learning_rate"),
            reg_lambda=self._decimal("reg_lambda"),
            gamma=self._decimal("gamma"),
            min_child_weight=self._decimal("min_child_weight"),
            colsample_bytree=self._decimal("colsample_bytree"),
            colsample_bylevel=self._decimal("colsample_bylevel"),
            colsample_bynode=self._decimal("colsample_bynode"),
            seed=plain(self.random_state),
        )
        return GradientBoosting(
            base=tree,
            trees=plain(self.n_estimators),
            loss="auto" if self.objective is None else OBJECTIVES[self.objective],
            base_score=None if self.base_score is None else self._decimal("base_score"),
            subsample=self._decimal("subsample"),
            seed=plain(self.random_state),
        )

    def _grown(self, table: Table) -> Ensemble:
        return self.boosting().grow(table)

    @property
    def feature_importances_(self) -> Any:
        """The average gain of the questions about each column, as shares; correctly rounded."""
        found = gain_importance(self.tree_, self._decimal("reg_lambda"), normalised=True)
        return array_of([float(share) for share in found.values()], float)

    def _columns(self, X: Any, floats: Floats = "written") -> list[Column]:
        columns = columns_of(X, floats)
        if self.missing is None or self.missing != self.missing:
            return columns
        found = []
        for column in columns:
            gaps = held_as(self.missing, column.dtype)
            found.append(replace(column, cells=[None if cell in gaps else cell for cell in column.cells]))
        return found


class XGBClassifier(XGBEstimator, Classifier):
    """Gradient boosting for classes, with the parameters of `XGBEstimator`.

    Example:
        >>> X_train, y_train, X_test = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1], [[1.5], [3.5]]
        >>> model = XGBClassifier(min_child_weight=0)
        >>> y_pred = model.fit(X_train, y_train).predict(X_test)
        >>> [int(label) for label in y_pred]
        [0, 1]
    """


class XGBRegressor(XGBEstimator, Regressor):
    """Gradient boosting for numbers, with the parameters of `XGBEstimator`.

    Example:
        >>> X_train, y_train, X_test = [[1.0], [2.0], [3.0], [4.0]], [1, 1, 5, 5], [[1.5], [3.5]]
        >>> model = XGBRegressor(n_estimators=50)
        >>> y_pred = model.fit(X_train, y_train).predict(X_test)
        >>> [round(float(number), 3) for number in y_pred]
        [1.001, 4.999]
    """
