"""AdaBoost and the boosting tree in the manner of scikit-learn, and what all ensembles of trees have there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, cast

from reference_tree.data.table import Table
from reference_tree.ensembles.adaboost import AdaBoost, Algorithm, kept
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.importance import impurity_importance
from reference_tree.estimators.classes import Classifier, Estimator, Regressor, of_one_tree
from reference_tree.estimators.parameters import array_of, plain, seed_of, works
from reference_tree.learners.options import Options
from reference_tree.tree import Unseen


class OfTrees(Estimator):
    """The part that all ensembles but gradient boosting share."""

    oob_score_: float
    """The score of the rows that were not drawn, if it is asked for."""
    estimator_errors_: Any
    """Of AdaBoost: the weighted error of each tree."""

    @property
    def estimators_(self) -> list[Estimator]:
        """The trees, each as a fitted estimator."""
        # Made anew at each call: an ensemble keeps trees, not estimators.
        return [of_one_tree(self, member.tree) for member in self.tree_.members]

    @property
    def feature_importances_(self) -> Any:
        """By impurity, as shares; correctly rounded. Each tree counts alike, whatever its vote."""
        return array_of([float(share) for share in impurity_importance(self.tree_, normalised=True).values()], float)


class InRounds(OfTrees):
    """The part that the ensembles that grow in rounds share."""

    def ensemble(self) -> AdaBoost | BoostingTree:
        """The learner with these parameters."""
        raise NotImplementedError

    def _grown(self, table: Table) -> Ensemble:
        return self.ensemble().grow(table)

    def _stages(self) -> Iterator[Ensemble]:
        found: Ensemble = self.tree_
        # The first rounds of an ensemble are what it was after them.
        return (found.part(range(rounds)) for rounds in range(1, len(found.members) + 1))

    def staged_predict(self, X: Any) -> Iterator[Any]:
        """The answers after each round."""
        table = self._table_of(X)
        return (self._answers(stage, table) for stage in self._stages())

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The score after each round."""
        table = self._table_of(X)
        return (self._scored(stage.predict(table, self.unseen), y, sample_weight) for stage in self._stages())


@dataclass(eq=False, repr=False)
class AdaBoostClassifier(InRounds, Classifier):
    """AdaBoost for classes; what is fitted is an ensemble of this package, as `tree_`.

    Example:
        >>> model = AdaBoostClassifier(n_estimators=3).fit([[1], [2], [3], [4]], ["a", "b", "b", "a"])
        >>> [str(label) for label in model.predict([[0], [2.5], [9]])], model.tree_
        (['a', 'b', 'a'], <Ensemble for y: 3 trees, combined by vote, grown by adaboost>)
        >>> [round(float(weight), 6) for weight in model.estimator_weights_], len(list(model.staged_predict([[1]])))
        ([1.098612, 1.609438, 1.386294], 3)

    Source:
        [FreundSchapire1997 §5.1], [ZhuZouRossetHastie2009 SAMME]
    """

    estimator: Options | None = works(None, "the learner of the trees; none: stumps by the share of mistakes")
    _: KW_ONLY
    n_estimators: int = works(50, of=AdaBoost.options()["trees"])
    learning_rate: Any = works(1.0, of=AdaBoost.options()["rate"])
    algorithm: Algorithm = works("samme", of=AdaBoost.options()["algorithm"])
    resample: bool = works(False, of=AdaBoost.options()["resample"])
    random_state: Any = works(None, "the seed of the random draws: a number, or a generator of numpy", 0)
    unseen: Unseen = works("majority", "a value without a branch: the `majority` is predicted, or it is an `error`")

    def ensemble(self) -> AdaBoost:
        """The learner with these parameters."""
        return AdaBoost(
            base=AdaBoost().base if self.estimator is None else self.estimator,
            trees=plain(self.n_estimators),
            rate=self._decimal("learning_rate"),
            algorithm=cast(Any, self.algorithm.lower() if isinstance(self.algorithm, str) else self.algorithm),
            resample=self.resample,
            seed=seed_of(self.random_state),
        )

    def _grown(self, table: Table) -> Ensemble:
        # The rounds are kept for their errors, and the ensemble is made of the same rounds.
        learner = self.ensemble()
        rounds = kept(list(learner.rounds(table)))
        self.estimator_errors_ = array_of([float(found.error) for found in rounds], float)
        return learner.of_rounds(table, rounds)

    @property
    def estimator_weights_(self) -> Any:
        """The weight of the vote of each tree."""
        return array_of([float(member.weight) for member in self.tree_.members], float)

    def staged_predict_proba(self, X: Any) -> Iterator[Any]:
        """P(Y|X) after each round."""
        table = self._table_of(X)
        return (self._probabilities(stage, table) for stage in self._stages())


@dataclass(eq=False, repr=False)
class BoostingTreeRegressor(InRounds, Regressor):
    """Li Hang's boosting tree for numbers; what is fitted is an ensemble of this package, as `tree_`.

    Example:
        >>> y = [5.56, 5.70, 5.91, 6.40, 6.80, 7.05, 8.90, 8.70, 9.00, 9.05]
        >>> model = BoostingTreeRegressor(n_estimators=6).fit([[x] for x in range(1, 11)], y)
        >>> [round(float(number), 2) for number in model.predict([[1], [3], [10]])], model.tree_
        ([5.63, 5.82, 8.95], <Ensemble for y: 6 trees, combined by sum, grown by boosting-tree>)

    Source:
        [LiHang2019 §8.4.2 algorithm 8.3], [Friedman2001 §4.1]
    """

    estimator: Options | None = works(None, "the learner of the trees; none: stumps by the squared error")
    _: KW_ONLY
    n_estimators: int = works(100, of=BoostingTree.options()["trees"])
    loss: Any = works(0, of=BoostingTree.options()["loss"])
    unseen: Unseen = works("majority", "a value without a branch: the `majority` is predicted, or it is an `error`")

    def ensemble(self) -> BoostingTree:
        """The learner with these parameters."""
        return BoostingTree(
            base=BoostingTree().base if self.estimator is None else self.estimator,
            trees=plain(self.n_estimators),
            loss=self._decimal("loss"),
        )
