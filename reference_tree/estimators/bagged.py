"""Bagging and random forests in the manner of scikit-learn, with the names of its parameters.

What is fitted is an ensemble of this package, as `tree_`, and its trees are `estimators_`. Its draws are those of this
package, and it votes unless `combine` says to take the mean of the distributions, as scikit-learn does.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, cast

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.bagging import Bagging, out_of_bag
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.estimators.classes import OPTIONS, SHARE, Classifier, Regressor
from reference_tree.estimators.parameters import changes, count_of, jobs_of, plain, seed_of, steers, works
from reference_tree.estimators.rounds import OfTrees
from reference_tree.exact.rationals import exactly
from reference_tree.learners.cart import CART
from reference_tree.learners.options import Options
from reference_tree.tree import Unseen


@dataclass(kw_only=True, eq=False, repr=False)
class Bagged(OfTrees):
    """The part that bags and forests share."""

    n_estimators: int = works(100, "the number of trees")
    bootstrap: bool = works(True, "whether rows are drawn, with replacement")
    combine: Literal["vote", "mean"] = works(
        "vote", "trees `vote`, or their distributions have a `mean`; numbers always have one"
    )
    oob_score: bool = works(False, "whether the rows that were not drawn judge the trees: then there is `oob_score_`")
    n_jobs: int | None = works(None, "the number of trees grown in parallel; -1: one on each processor", 1)
    random_state: Any = works(None, "the seed of the random draws: a number, or a generator of numpy", 0)
    unseen: Unseen = works("majority", "a value without a branch: the `majority` is predicted, or it is an `error`")
    verbose: int = steers("nothing is printed", 0)
    warm_start: bool = changes("all trees are grown at once; say n_estimators", False, default=False)
    max_samples: Any = changes("as many rows are drawn as there are; leave it out", 1.0)

    def ensemble(self, table: Table | None = None) -> Bagging:
        """The learner with these parameters; those that are shares need the table."""
        raise NotImplementedError

    def _options(self) -> dict[str, Any]:
        return {
            "trees": plain(self.n_estimators), "resample": self.bootstrap, "combine": self.combine,
            "seed": seed_of(self.random_state),
        }  # fmt: skip

    def _grown(self, table: Table) -> Ensemble:
        # All draws follow from the seed, so the number of processes changes nothing.
        found = self.ensemble(table).grow(table, jobs=jobs_of(self.n_jobs))
        if self.oob_score:
            # Few trees may leave no row out.
            if (judged := out_of_bag(found, table).contingency) is None:
                raise InputError("every row was drawn for every tree: none is left for oob_score")
            self.oob_score_ = float(self._worth(judged))
        return found


@dataclass(eq=False, repr=False)
class BaggingEstimator(Bagged):
    """Bagging; `table_of` prints what is done with each parameter.

    Source:
        [Breiman1996 §1]
    """

    estimator: Options | None = works(None, "the learner of the trees, as `rt.C45()`; none: CART")

    def ensemble(self, table: Table | None = None) -> Bagging:
        """The learner with these parameters."""
        return Bagging(base=CART() if self.estimator is None else self.estimator, **self._options())


@dataclass(eq=False, repr=False)
class ForestEstimator(Bagged):
    """A random forest of CART's trees; `table_of` prints what is done with each parameter.

    Source:
        [Breiman2001 §4]
    """

    n_estimators: int = works(100, "the number of trees")
    _: KW_ONLY
    criterion: str | None = works(None, "none: Gini, or the squared error", of=OPTIONS["criterion"])
    max_depth: int | None = works(None, of=OPTIONS["max_depth"])
    min_samples_split: Any = works(2, SHARE, of=OPTIONS["min_samples_split"])
    min_samples_leaf: Any = works(1, SHARE, of=OPTIONS["min_samples_leaf"])
    min_impurity_decrease: Any = works(0.0, of=OPTIONS["min_impurity_decrease"])
    max_features: Any = works(
        "sqrt",
        "the attributes drawn at a node: `sqrt`, `log2`, `third`, a number, or a float, their share; none: all",
    )
    min_weight_fraction_leaf: Any = works(0.0, "the least share of the weight that a branch has")
    max_leaf_nodes: int | None = changes("trees have no limit of leaves; say max_depth")
    ccp_alpha: Any = changes("the trees of a forest are not pruned; leave it out", 0, default=0.0)
    monotonic_cst: Any = changes("splits are not constrained; leave it out")

    def ensemble(self, table: Table | None = None) -> RandomForest:
        """The learner with these parameters; those that are shares need the table."""
        # Without a table only shares are unknown: the learner can be shown before it is fitted.
        rows, columns = (0, 0) if table is None else (len(table), len(table.schema.attributes))
        base = CART(
            criterion=cast(Any, self.criterion or "auto"),  # the learner refuses others
            max_depth=plain(self.max_depth),
            min_samples_split=count_of(plain(self.min_samples_split), rows),
            min_samples_leaf=max(
                exactly(count_of(plain(self.min_samples_leaf), rows)),
                0 if table is None else self._decimal("min_weight_fraction_leaf") * sum(table.weighted()),
            ),
            min_impurity_decrease=self._decimal("min_impurity_decrease"),
        )
        return RandomForest(base=base, attributes=_drawn(plain(self.max_features), columns), **self._options())


def _drawn(max_features: Any, columns: int) -> Any:
    """The number of attributes that are drawn: a float is their share, rounded down, but one at least."""
    if max_features is None:
        return "all"
    # Words and whole numbers are options of the learner already.
    if not isinstance(max_features, float):
        return max_features
    if not 0 < max_features <= 1:
        raise InputError(f"max_features: a share is above 0 and at most 1, not {max_features}")
    # As scikit-learn: rounded down, but one at least.
    return max(1, int(max_features * columns)) if max_features < 1 else "all"


@dataclass(eq=False, repr=False)
class BaggingClassifier(BaggingEstimator, Classifier):
    """Bagging for classes, with the parameters of `BaggingEstimator`.

    Example:
        >>> from reference_tree.learners.id3 import ID3
        >>> model = BaggingClassifier(ID3(), n_estimators=5).fit([["a"], ["b"], ["b"]], ["n", "y", "y"])
        >>> [str(label) for label in model.predict([["a"], ["b"]])], model.tree_
        (['n', 'y'], <Ensemble for y: 5 trees, combined by vote, grown by bagging>)
    """

    _: KW_ONLY
    class_weight: Any = works(None, "class → the weight of its rows; or `balanced`: all classes weigh the same")


class BaggingRegressor(BaggingEstimator, Regressor):
    """Bagging for numbers, with the parameters of `BaggingEstimator`."""


@dataclass(eq=False, repr=False)
class RandomForestClassifier(ForestEstimator, Classifier):
    """A random forest for classes, with the parameters of `ForestEstimator`.

    Example:
        >>> model = RandomForestClassifier(10, max_features=0.5, n_jobs=-1, random_state=None)
        >>> rows = [[1, 5], [2, 6], [8, 1], [9, 2]]
        >>> [str(label) for label in model.fit(rows, [*"aabb"]).predict([[1, 5]])], len(model.estimators_)
        (['a'], 10)
    """

    _: KW_ONLY
    class_weight: Any = works(None, "class → the weight of its rows; or `balanced`: all classes weigh the same")


class RandomForestRegressor(ForestEstimator, Regressor):
    """A random forest for numbers, with the parameters of `ForestEstimator`."""
