"""Bagging and random forests in the manner of scikit-learn, with the names of its parameters.

What is fitted is an ensemble of this package, as `tree_`. Its draws are those of this package, and it votes unless
`combine` says to take the mean of the distributions, as scikit-learn does.
"""

from __future__ import annotations

from typing import Any, Literal

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.bagging import Bagging, out_of_bag
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.importance import impurity_importance
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.estimators.arrays import array_of, plain
from reference_tree.estimators.classes import Classifier, Estimator, Regressor
from reference_tree.learners.cart import CART
from reference_tree.learners.options import Options
from reference_tree.tree import Unseen


class BaggingEstimator(Estimator):
    """Bagging.

    Args:
        estimator: the learner of the trees, as `rt.C45()`; none: CART.
        n_estimators: how many trees.
        bootstrap: whether rows are drawn, with replacement.
        combine: how the trees answer: by `vote`, or by the `mean` of their distributions. Numbers have their mean.
        oob_score: whether the rows that were not drawn judge the trees: then there is an `oob_score_`, the accuracy, or
            for numbers R², as of `score`.
        n_jobs: how many trees are grown at once, each in a process of its own; none: one.
        random_state: the seed of what is drawn.
        unseen: what to do with a value that no branch is there for: `majority`, or `error`.

    Source:
        [Breiman1996 §1]
    """

    oob_score_: float

    def __init__(
        self,
        estimator: Options | None = None,
        *,
        n_estimators: int = 100,
        bootstrap: bool = True,
        combine: Literal["vote", "mean"] = "vote",
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: int = 0,
        unseen: Unseen = "majority",
    ) -> None:
        self.estimator, self.n_estimators, self.bootstrap = estimator, n_estimators, bootstrap
        self.combine, self.oob_score, self.n_jobs = combine, oob_score, n_jobs
        self.random_state, self.unseen = random_state, unseen

    def ensemble(self) -> Bagging:
        """The learner with these parameters."""
        return Bagging(base=CART() if self.estimator is None else self.estimator, **self._options())

    def _options(self) -> dict[str, Any]:
        return {
            "trees": plain(self.n_estimators), "resample": self.bootstrap, "combine": self.combine,
            "seed": plain(self.random_state),
        }  # fmt: skip

    def _grown(self, table: Table) -> Ensemble:
        found = self.ensemble().grow(table, jobs=1 if self.n_jobs is None else plain(self.n_jobs))
        if self.oob_score:
            if (judged := out_of_bag(found, table).contingency) is None:
                raise InputError("every row was drawn for every tree: none is left for oob_score")
            self.oob_score_ = float(self._worth(judged))
        return found

    @property
    def feature_importances_(self) -> Any:
        """By impurity, as shares; correctly rounded."""
        return array_of([float(share) for share in impurity_importance(self.tree_, normalised=True).values()], float)


class ForestEstimator(BaggingEstimator):
    """A random forest of CART's trees.

    Args:
        n_estimators: how many trees.
        criterion: what questions are judged by; none: Gini for classes, the squared error for numbers.
        max_depth: no node lies deeper; the root is 0.
        min_samples_split: a node with less is a leaf.
        min_samples_leaf: no branch with any rows gets less.
        max_features: how many attributes a node draws: `sqrt`, `log2`, `third`, `all`, or a number; none: all.
        bootstrap: as for `BaggingEstimator`, as are `combine`, `oob_score`, `n_jobs`, `random_state` and `unseen`.

    Source:
        [Breiman2001 §4]
    """

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        criterion: str | None = None,
        max_depth: int | None = None,
        min_samples_split: Any = 2,
        min_samples_leaf: Any = 1,
        max_features: str | int | None = "sqrt",
        bootstrap: bool = True,
        combine: Literal["vote", "mean"] = "vote",
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: int = 0,
        unseen: Unseen = "majority",
    ) -> None:
        self.n_estimators, self.criterion, self.max_depth = n_estimators, criterion, max_depth
        self.min_samples_split, self.min_samples_leaf = min_samples_split, min_samples_leaf
        self.max_features, self.bootstrap, self.combine = max_features, bootstrap, combine
        self.oob_score, self.n_jobs, self.random_state, self.unseen = oob_score, n_jobs, random_state, unseen

    def ensemble(self) -> RandomForest:
        """The learner with these parameters."""
        base = CART(
            criterion=self.criterion or "auto",
            max_depth=plain(self.max_depth),
            min_samples_split=plain(self.min_samples_split),
            min_samples_leaf=plain(self.min_samples_leaf),
        )
        attributes = "all" if self.max_features is None else plain(self.max_features)
        return RandomForest(base=base, attributes=attributes, **self._options())


class BaggingClassifier(BaggingEstimator, Classifier):
    """Bagging for classes, with the parameters of `BaggingEstimator`.

    Example:
        >>> from reference_tree.learners.id3 import ID3
        >>> model = BaggingClassifier(ID3(), n_estimators=5).fit([["a"], ["b"], ["b"]], ["n", "y", "y"])
        >>> [str(label) for label in model.predict([["a"], ["b"]])], model.tree_
        (['n', 'y'], <Ensemble for y: 5 trees, combined by vote, grown by bagging>)
    """


class BaggingRegressor(BaggingEstimator, Regressor):
    """Bagging for numbers, with the parameters of `BaggingEstimator`."""


class RandomForestClassifier(ForestEstimator, Classifier):
    """A random forest for classes, with the parameters of `ForestEstimator`."""


class RandomForestRegressor(ForestEstimator, Regressor):
    """A random forest for numbers, with the parameters of `ForestEstimator`."""
