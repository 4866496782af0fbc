"""AdaBoost in the manner of scikit-learn, with the names of its parameters."""

from __future__ import annotations

from typing import Any, Literal

from reference_tree.data.table import Table
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.importance import impurity_importance
from reference_tree.estimators.arrays import array_of, plain
from reference_tree.estimators.classes import Classifier
from reference_tree.learners.options import Options
from reference_tree.tree import Unseen


class AdaBoostClassifier(Classifier):
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
            base=self.estimator or AdaBoost().base,
            trees=plain(self.n_estimators),
            algorithm=self.algorithm,
            resample=self.resample,
            seed=plain(self.random_state),
        )

    def _grown(self, table: Table) -> Ensemble:
        return self.ensemble().grow(table)

    @property
    def feature_importances_(self) -> Any:
        """By impurity, as shares; correctly rounded. Each tree counts alike, whatever its vote."""
        return array_of([float(share) for share in impurity_importance(self.tree_, normalised=True).values()], float)
