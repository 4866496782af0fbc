"""AdaBoost and the boosting tree in the manner of scikit-learn, with the names of its parameters."""

from __future__ import annotations

from typing import Any, Literal

from reference_tree.data.table import Table
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.importance import impurity_importance
from reference_tree.estimators.arrays import array_of, plain
from reference_tree.estimators.classes import Classifier, Estimator, Regressor
from reference_tree.learners.options import Options
from reference_tree.tree import Unseen


class InRounds(Estimator):
    """What both share."""

    def ensemble(self) -> AdaBoost | BoostingTree:
        """The learner with these parameters."""
        raise NotImplementedError

    def _grown(self, table: Table) -> Ensemble:
        return self.ensemble().grow(table)

    @property
    def feature_importances_(self) -> Any:
        """By impurity, as shares; correctly rounded. Each tree counts alike, whatever its vote."""
        return array_of([float(share) for share in impurity_importance(self.tree_, normalised=True).values()], float)


class AdaBoostClassifier(InRounds, Classifier):
    """AdaBoost for classes; what is fitted is an ensemble of this package, as `tree_`.

    Args:
        estimator: the learner of the trees, as `rt.CART(max_depth=2)`; none: stumps by the share of mistakes.
        n_estimators: the most rounds there are.
        algorithm: `samme`, as in scikit-learn, or `m1`; for two classes they are the same.
        resample: whether each tree is grown from rows that are drawn by their weights.
        random_state: the seed of what is drawn.
        unseen: what to do with a value that no branch is there for: `majority`, or `error`.

    Example:
        >>> model = AdaBoostClassifier(n_estimators=3).fit([[1], [2], [3], [4]], ["a", "b", "b", "a"])
        >>> [str(label) for label in model.predict([[0], [2.5], [9]])], model.tree_
        (['a', 'b', 'a'], <Ensemble for y: 3 trees, combined by vote, grown by adaboost>)

    Source:
        [FreundSchapire1997 §5.1], [ZhuZouRossetHastie2009 SAMME]
    """

    def __init__(
        self,
        estimator: Options | None = None,
        *,
        n_estimators: int = 50,
        algorithm: Literal["samme", "m1"] = "samme",
        resample: bool = False,
        random_state: int = 0,
        unseen: Unseen = "majority",
    ) -> None:
        self.estimator, self.n_estimators, self.algorithm = estimator, n_estimators, algorithm
        self.resample, self.random_state, self.unseen = resample, random_state, unseen

    def ensemble(self) -> AdaBoost:
        """The learner with these parameters."""
        return AdaBoost(
            base=AdaBoost().base if self.estimator is None else self.estimator,
            trees=plain(self.n_estimators),
            algorithm=self.algorithm,
            resample=self.resample,
            seed=plain(self.random_state),
        )


class BoostingTreeRegressor(InRounds, Regressor):
    """Li Hang's boosting tree for numbers; what is fitted is an ensemble of this package, as `tree_`.

    Args:
        estimator: the learner of the trees, as `rt.CART(max_depth=2)`; none: stumps by the squared error.
        n_estimators: the most rounds there are.
        loss: the rounds stop once the squared error of the training rows, added up, is at most this.
        unseen: what to do with a value that no branch is there for: `majority`, or `error`.

    Example:
        >>> y = [5.56, 5.70, 5.91, 6.40, 6.80, 7.05, 8.90, 8.70, 9.00, 9.05]
        >>> model = BoostingTreeRegressor(n_estimators=6).fit([[x] for x in range(1, 11)], y)
        >>> [round(float(number), 2) for number in model.predict([[1], [3], [10]])], model.tree_
        ([5.63, 5.82, 8.95], <Ensemble for y: 6 trees, combined by sum, grown by boosting-tree>)

    Source:
        [LiHang2019 §8.4.2 algorithm 8.3], [Friedman2001 §4.1]
    """

    def __init__(
        self,
        estimator: Options | None = None,
        *,
        n_estimators: int = 100,
        loss: Any = 0,
        unseen: Unseen = "majority",
    ) -> None:
        self.estimator, self.n_estimators, self.loss, self.unseen = estimator, n_estimators, loss, unseen

    def ensemble(self) -> BoostingTree:
        """The learner with these parameters."""
        return BoostingTree(
            base=BoostingTree().base if self.estimator is None else self.estimator,
            trees=plain(self.n_estimators),
            loss=self._decimal("loss"),
        )
