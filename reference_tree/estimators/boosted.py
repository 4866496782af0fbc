"""Gradient boosting in the manner of XGBoost: its two classes, with its parameters and methods.

A program that says `from xgboost import XGBClassifier` runs with `from reference_tree.estimators import XGBClassifier`
in its place. What it grows is what XGBoost grows, but for what float32 makes of it, and for draws, which are those of
this package. A parameter that would change the result in a way that is not done here is refused by name.

Releases of XGBoost differ (`RELEASES` of `reference_tree.programs.xgboost.bins`). The newest that is known is imitated,
or the one that the parameter `release` names.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from math import nan
from os import PathLike, fspath
from typing import Any, ClassVar, Self, cast

from reference_tree.data.columns import Column
from reference_tree.data.errors import InputError, InputWarning, no_such
from reference_tree.data.held import Floats, held_as, rewritten
from reference_tree.data.schema import is_missing
from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import Margins, targets
from reference_tree.ensembles.ensemble import Ensemble, Member, margins
from reference_tree.ensembles.gradient_boosting import GradientBoosting, mean_target
from reference_tree.ensembles.importance import split_importance
from reference_tree.estimators.booster import Booster, Penalties, best_of, in_levels, start_of
from reference_tree.estimators.classes import Classifier, Regressor
from reference_tree.estimators.evaluation import Evaluated, Watch, named
from reference_tree.estimators.parameters import (
    array_of,
    changes,
    check_arguments,
    columns_of,
    entries_of,
    plain,
    seed_of,
    steers,
    works,
)
from reference_tree.exact.rationals import Rational, exactly
from reference_tree.exact.rounding import significant
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.node import Derivatives
from reference_tree.programs.reading import predictor_of_file
from reference_tree.programs.releases import newer
from reference_tree.programs.xgboost.bins import NEWEST, Release, binned, release_of
from reference_tree.tree import Unseen

OBJECTIVES: Mapping[str, str] = {
    "reg:squarederror": "squared_error",
    "binary:logistic": "logistic",
    "multi:softprob": "softmax",
    "multi:softmax": "softmax",
}
"""XGBoost's name of a loss → ours."""

# `approx` makes its bins anew in each round, and is not imitated.
METHODS: Mapping[str | None, str] = {
    None: "xgboost-hist", "auto": "xgboost-hist", "hist": "xgboost-hist", "exact": "xgboost",
}  # fmt: skip
"""The tree methods → the profile of the trees."""


OPTIONS = GradientTree.options()

DRAWN = "drawn by this package"


@dataclass(kw_only=True, eq=False, repr=False)
class XGBEstimator(Evaluated):
    """Gradient boosting, with the parameters of XGBoost 3; `table_of` prints what is done with each.

    Source:
        [N4 XGBoost: qualities], [ChenGuestrin2016 §2.2]
    """

    n_estimators: int | None = works(None, "the number of rounds", 100)
    max_depth: int | None = works(None, "0: no limit", 6, OPTIONS["max_depth"])
    learning_rate: Any = works(None, "", 0.3, OPTIONS["rate"])
    reg_lambda: Any = works(None, "", 1, OPTIONS["reg_lambda"])
    reg_alpha: Any = works(None, "", 0, OPTIONS["reg_alpha"])
    gamma: Any = works(
        None, "γ: a split that gains less is not made; by `exact` it is taken back, unless one below it stays", 0
    )
    min_child_weight: Any = works(None, "", 1, OPTIONS["min_child_weight"])
    subsample: Any = works(None, DRAWN, 1, GradientBoosting.options()["subsample"])
    colsample_bytree: Any = works(None, DRAWN, 1, OPTIONS["colsample_bytree"])
    colsample_bylevel: Any = works(None, "", 1, OPTIONS["colsample_bylevel"])
    colsample_bynode: Any = works(None, "", 1, OPTIONS["colsample_bynode"])
    scale_pos_weight: Any = works(None, "by how much the rows of the second of two classes weigh more", 1)
    base_score: Any = works(
        None, "the first prediction for every row: a number, a probability, or a margin for each of several classes"
    )
    objective: str | None = works(None, "the loss: `reg:squarederror`, `binary:logistic`, `multi:softprob`")
    num_class: int | None = steers("the classes are counted")
    missing: Any = works(nan, "the number that stands for a missing value, besides NaN and None")
    tree_method: str | None = works(None, "`hist` or `exact`; `approx` is refused", "hist")
    max_bin: int | None = works(None, "the most bins of a column, between which `hist` cuts", 256)
    eval_metric: Any = works(
        None, "for `eval_set`: `rmse`, `mae`; `logloss`, `error`, `auc`; `mlogloss`, `merror`; or several of them"
    )
    early_stopping_rounds: int | None = works(
        None, "the rounds end when the last metric of the last set has not improved for so many"
    )
    importance_type: str | None = works(None, "`gain`, `weight`, `cover`, `total_gain`, `total_cover`", "gain")
    random_state: Any = works(None, "the seed of the random draws: a number, or a generator of numpy", 0)
    enable_categorical: bool | None = works(
        None, "whether `max_cat_to_onehot` counts; None: as in the release, True since 3.3. Categories are tested one "
        "against the rest"
    )  # fmt: skip
    max_cat_to_onehot: int | None = works(
        None, "a column of as many categories or more is refused if `enable_categorical` is set", 4
    )
    release: str | None = works(None, "the release of XGBoost that is imitated, as `3.2`; None: the newest known here")
    n_jobs: int | None = steers("rounds wait for each other")
    verbosity: int | None = steers("`verbose` of `fit` prints the metrics")
    device: str | None = steers("there is no other device")
    validate_parameters: bool | None = steers("parameters are always checked")
    max_cat_threshold: int | None = steers("categories are tested one against the rest")
    use_label_encoder: bool | None = steers("classes may be anything")
    booster: str | None = changes("its trees are those of gbtree", "gbtree")
    grow_policy: str | None = changes("trees grow by depth; say depthwise", "depthwise")
    max_leaves: int | None = changes("trees have no limit of leaves; say max_depth", 0)
    max_delta_step: Any = changes("steps have no limit; say learning_rate", 0)
    sampling_method: str | None = changes("rows are drawn alike; say uniform", "uniform")
    num_parallel_tree: int | None = changes("a round grows one tree; RandomForestClassifier grows forests", 1)
    monotone_constraints: Any = changes("splits are not constrained; leave it out", (), "()", {}, [])
    interaction_constraints: Any = changes("splits are not constrained; leave it out", (), "", "[]", [])
    feature_types: Any = changes("the columns say it; give a frame with categories")
    feature_weights: Any = changes("columns are drawn alike; leave it out")
    multi_strategy: str | None = changes("each tree adds to one class", "one_output_per_tree")
    callbacks: Any = changes("nothing is called; say early_stopping_rounds, or verbose of fit", (), [])

    unseen: ClassVar[Unseen] = "majority"  # type: ignore[misc]

    def _is_known(self, name: str) -> Any:
        """The value of a parameter, and what XGBoost takes for None."""
        # The record of the parameter knows what its None stands for.
        value = plain(getattr(self, name))
        return self.__dataclass_fields__[name].metadata["parameter"].usual if value is None else value

    def _decimal(self, name: str) -> Rational:
        """A parameter that is a number, a float as the decimal by which it is written."""
        try:
            return exactly(rewritten(self._is_known(name)))
        except (TypeError, ValueError) as error:
            raise InputError(f"{name}: {error}") from None

    def boosting(self) -> GradientBoosting:
        """The learner with these parameters.

        Raises:
            InputError: there is no such objective, or no such tree method.

        Source:
            [N4 XGBoost: classification], [N4 XGBoost: regression], [N4 XGBoost: qualities]. N4 imports the classes from
            `xgboost`, and calls them without any parameter.
        """
        # A method decides where trees may be cut, so an unknown one is not replaced.
        if self.tree_method not in METHODS:
            raise InputError(f"tree_method={self.tree_method!r} bins the rows anew in each round; say hist or exact")
        seed = seed_of(self.random_state)
        tree = GradientTree.like(
            METHODS[self.tree_method],
            max_depth=self._is_known("max_depth") or None,
            rate=self._decimal("learning_rate"),
            **{
                name: self._decimal(name)
                for name in (
                    "reg_lambda", "reg_alpha", "gamma", "min_child_weight",
                    "colsample_bytree", "colsample_bylevel", "colsample_bynode",
                )
            },
            seed=seed,
        )  # fmt: skip
        # A list has a start for each class, which `_start` hands over.
        several = isinstance(plain(self.base_score), Sequence)
        return GradientBoosting(
            base=tree,
            trees=self._is_known("n_estimators"),
            loss=cast(Any, self._loss()),  # the learner refuses others
            base_score=None if self.base_score is None or several else self._decimal("base_score"),
            class_start="shares",
            subsample=self._decimal("subsample"),
            seed=seed,
        )

    def _release(self) -> Release:
        """The record of the release that is imitated."""
        return release_of(None if self.release is None else str(self.release))

    def _loss(self) -> str:
        # A function would decide in floats.
        if callable(self.objective):
            raise InputError("objective: a function is not called here; given(table, g, h) takes derivatives")
        # Some losses set their leaves in another way, by release.
        if (reason := self._release().unlike.get(str(self.objective))) is not None:
            name, release = self.objective, self._release().name
            raise InputError(
                f"objective={name!r} is not done here: in XGBoost {release}, {reason}; say reg:squarederror"
            )
        if self.objective not in (None, *OBJECTIVES):
            raise InputError(no_such("objective", str(self.objective), OBJECTIVES))
        return "auto" if self.objective is None else OBJECTIVES[self.objective]

    # Growing.

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        base_margin: Any = None,
        eval_set: Sequence[tuple[Any, Any]] | None = None,
        verbose: bool | int | None = True,
        xgb_model: Any = None,
        sample_weight_eval_set: Sequence[Any] | None = None,
        base_margin_eval_set: Any = None,
        feature_weights: Any = None,
    ) -> Self:
        """Grow the trees.

        Args:
            X: the rows: a frame of pandas or Polars, an array, or a list of lists.
            y: the class of each, or the number.
            sample_weight: the weight of each; none: all one. A row of weight 0 is left out.
            base_margin: refused, as are `xgb_model`, `base_margin_eval_set` and `feature_weights`.
            eval_set: pairs of rows and what is true of them, for which the metrics are worked out after each round.
            verbose: whether the metrics are printed; or after how many rounds.
            xgb_model: refused.
            sample_weight_eval_set: for each pair the weights of its rows.
            base_margin_eval_set: refused.
            feature_weights: refused.

        Returns:
            The estimator.

        Raises:
            InputError: see `Table.from_frame` and the learner.
        """
        check_arguments(
            base_margin=base_margin, xgb_model=xgb_model, base_margin_eval_set=base_margin_eval_set,
            feature_weights=feature_weights,
        )  # fmt: skip
        # XGBoost's own words.
        if self.early_stopping_rounds is not None and not eval_set:
            raise InputError("early_stopping_rounds: must have at least 1 validation dataset; give fit an eval_set")
        sets = [
            (X_, y_, None if sample_weight_eval_set is None else sample_weight_eval_set[place])
            for place, (X_, y_) in enumerate(eval_set or ())
        ]
        # A release after the newest known is imitated as that one, with a remark.
        if (remark := newer("XGBoost", None if self.release is None else str(self.release))) is not None:
            warnings.warn(InputWarning(f"release: {remark}"), stacklevel=2)
        self._left_out = dict[str, int]()
        return self._fit(X, y, sample_weight, partial(self._boosted, sets=sets, every=int(verbose or 0)))

    def _grown(self, table: Table) -> Ensemble:
        return self._boosted(table, sets=[], every=0)

    def _boosted(self, table: Table, sets: Sequence[tuple[Any, Any, Any]], every: int) -> Ensemble:
        """The ensemble, and what was watched on the way."""
        # First what is refused; then float32, the bins, the start, and the rounds.
        self._check_categories(table)
        learner = self.boosting()
        loss = learner.loss_for(table.schema.target)
        # XGBoost holds every number as float32, so equal float32s are one value.
        table = table.rounded("float32")
        rows = self._binned(table)
        start = self._start(learner, rows)
        patience = plain(self.early_stopping_rounds)
        self._watch = Watch([], named(self.eval_metric, loss.combine), every, patience)
        self._watch.watched = [
            self._watched(f"validation_{place}", each, table, start) for place, each in enumerate(sets)
        ]
        grown: list[Member] = []
        members = learner.members(rows, start)
        # Rounds are grown one by one: a watcher may end them.
        for number in range(1, learner.trees + 1):
            # A round has a tree for each sum.
            of_round = list(islice(members, len(start)))
            self._check_roots(of_round)
            grown += of_round
            if not self._watch.after(of_round, last=number == learner.trees):
                break
        self._best = self._watch.found()
        return learner.ensemble(rows, grown, loss.combine, start)

    def _binned(self, table: Table) -> Table:
        """The rows that trees are grown from."""
        # Bins are chosen before the weights of the second class are raised.
        factor, histograms = self._decimal("scale_pos_weight"), METHODS[self.tree_method] == "xgboost-hist"
        rules, left_out = self._release().sketch, getattr(self, "_left_out", {})
        found = binned(table, self._is_known("max_bin"), rules, left_out) if histograms else table
        if factor == 1 or len(table.schema.target.values or ()) > 2:
            return found
        ys = targets(table)
        return replace(found, weights=[w * factor if y == 1 else w for w, y in zip(table.weighted(), ys, strict=True)])

    def _check_roots(self, members: Iterable[Member]) -> None:
        """Refuse a root that the release leaves at 0."""
        least = self._decimal("min_child_weight")
        for root in (one.tree.nodes[0] for one in members if self._release().light_is_idle):
            if isinstance(root.counts, Derivatives) and root.counts.h < least:
                raise InputError(
                    f"a root has an H of {significant(root.counts.h, 6)}, and min_child_weight is more: XGBoost "
                    f"{self._release().name} leaves it at 0, which is not done here; say release={NEWEST!r}, or less"
                )

    def _check_categories(self, table: Table) -> None:
        """Refuse columns of categories that XGBoost asks in another way."""
        # None leaves the choice to the release.
        asked = self.enable_categorical
        if not (self._release().enables_categories if asked is None else asked):
            return
        most = self._is_known("max_cat_to_onehot")
        for attribute in table.schema.attributes:
            if attribute.values is not None and len(attribute.values) >= most:
                raise InputError(
                    f"it has {len(attribute.values)} categories, which XGBoost would split into sets; "
                    f"with max_cat_to_onehot={len(attribute.values) + 1} it asks one against the rest, as here",
                    column=attribute.name,
                )

    def _start(self, learner: GradientBoosting, table: Table) -> Margins:
        """The margins before the first round."""
        loss, given = learner.loss_for(table.schema.target), plain(self.base_score)
        # With scale_pos_weight XGBoost starts from one step of Newton's method; else from the mean.
        if given is None and loss.classes == 2 and self._decimal("scale_pos_weight") != 1:
            return (4 * mean_target(table) - 2,)  # a step of Newton's method from 0
        if given is None or (loss.classes != 0 and not isinstance(given, Sequence)):
            return learner.start(table, loss)
        size = len(table.schema.target.domain) if loss.classes == 0 else 1
        # One score for all margins, or one for each.
        scores = list(given) if isinstance(given, Sequence) else [given] * size
        if len(scores) != size:
            raise InputError(f"base_score: there are {len(scores)} numbers for {size} margins")
        if loss.classes != 0:
            return replace(learner, base_score=exactly(rewritten(scores[0]))).start(table, loss)
        return tuple(exactly(rewritten(plain(score))) for score in scores)

    # Answering.

    def _part(self, iteration_range: tuple[int, int] | None) -> Ensemble:
        """The rounds that answer: those asked for, else up to the best one, else all."""
        self._check_fitted()
        found: Ensemble = self.tree_
        each = len(found.start)
        # An end of 0 means: as far as it makes sense.
        (begin, end), rounds = map(plain, iteration_range or (0, 0)), len(found.members) // each
        if not end:
            end = rounds if self._best is None else self._best[0] + 1
        if not 0 <= begin < end <= rounds:
            raise InputError(f"iteration_range={(begin, end)}: the rounds go from 0 to {rounds}, and one is needed")
        return found.part(range(begin * each, end * each))

    def predict(
        self,
        X: Any,
        *,
        output_margin: bool = False,
        validate_features: bool = True,
        base_margin: Any = None,
        iteration_range: tuple[int, int] | None = None,
    ) -> Any:
        """The class of each row, or the number.

        Args:
            X: the rows.
            output_margin: whether the sums of the trees are returned instead, of several classes one for each.
            validate_features: columns are always checked.
            base_margin: refused.
            iteration_range: the rounds that answer, as `(0, 10)`; none: all, or those up to the best one.
        """
        check_arguments(base_margin=base_margin)
        ensemble, table = self._part(iteration_range), self._table_of(X)
        if output_margin:
            found = [[*map(float, margins(ensemble, ends))] for ends in ensemble.ends_of(table, self.unseen)]
            return array_of([row[0] for row in found] if len(ensemble.start) == 1 else found, float)
        return self._answers(ensemble, table)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """As of every estimator, by the rounds up to the best one."""
        return self._scored(self._part(None).predict(self._table_of(X), self.unseen), y, sample_weight)

    def apply(self, X: Any, iteration_range: tuple[int, int] | None = None) -> Any:
        """The leaf of each row in each tree, by XGBoost's numbers, which go level by level."""
        ensemble, table = self._part(iteration_range), self._table_of(X)
        # Our nodes are in preorder; XGBoost counts level by level.
        numbers = [{at: n for n, at in enumerate(in_levels(member.tree))} for member in ensemble.members]
        reached = ensemble.ends_of(table, self.unseen)
        return array_of([[of[end[0][0]] for of, end in zip(numbers, ends, strict=True)] for ends in reached], None)

    @property
    def feature_importances_(self) -> Any:
        """The importance of each column by the tests about it, as shares; correctly rounded."""
        self._check_fitted()
        by = self._is_known("importance_type")
        found = split_importance(self.tree_, by, *self._penalties(), normalised=True)
        return array_of([float(share) for share in found.values()], float)

    @property
    def intercept_(self) -> Any:
        """The start of the sums; of two classes, as a probability."""
        self._check_fitted()
        return array_of(start_of(self.tree_), float)

    def _penalties(self) -> Penalties:
        return Penalties(self._decimal("reg_lambda"), self._decimal("reg_alpha"))

    def get_num_boosting_rounds(self) -> int:
        """The number of rounds that are asked for."""
        return int(self._is_known("n_estimators"))

    def get_xgb_params(self) -> dict[str, Any]:
        """The parameters that XGBoost hands on to its learner."""
        own = {"importance_type", "enable_categorical", "missing", "n_estimators", "callbacks", "early_stopping_rounds"}
        return {name: value for name, value in self.get_params().items() if name not in own}

    # Models.

    def get_booster(self) -> Booster:
        """The trees in the form of XGBoost's models."""
        self._check_fitted()
        attributes = {}
        if self._best is not None:
            attributes = {"best_iteration": str(self._best[0]), "best_score": repr(self._best[1])}
        names = list(map(str, getattr(self, "feature_names_in_", ())))
        return Booster(self.tree_, names, self._penalties(), attributes)

    def save_model(self, fname: str | PathLike[str]) -> None:
        """Write a file of JSON that XGBoost loads.

        Raises:
            InputError: the name does not end in .json, or a test is about categories.
        """
        self.get_booster().save_model(fname)

    def load_model(self, fname: str | PathLike[str]) -> None:
        """Read a model that XGBoost or `save_model` wrote as JSON. Classes are 0, 1, ...

        Raises:
            InputError: it is none, or its objective is not that of this estimator.
        """
        # The reader of XGBoost's models, with all of its refusals.
        found = predictor_of_file(fspath(fname))
        if not isinstance(found, Ensemble) or (found.target.values is None) != (self.kind == "regressor"):
            raise InputError(f"{fname}: that is no model of a {self.kind}")
        # A model does not know labels, so classes are 0, 1, ...
        classes = {name: place for place, name in enumerate(found.target.values or ())}
        self.tree_ = replace(found, target=replace(found.target, given=classes))
        self.n_features_in_, self._watch = len(found.attributes), None
        if classes:
            self.classes_ = array_of([*classes.values()])
        with open(fname, encoding="utf-8") as file:
            learner = json.load(file)["learner"]
        self._best = best_of(learner.get("attributes", {}))
        if names := learner.get("feature_names"):
            self.feature_names_in_ = array_of(names, object)

    def _weighing(self, columns: Sequence[Column], weights: Any, name: str) -> list[Column]:
        found = super()._weighing(columns, weights, name)
        # XGBoost counts rows of weight 0 when it sizes a sketch.
        self._left_out = {one.name: _known(one) - _known(other) for one, other in zip(columns, found, strict=False)}
        return found

    def _columns(self, X: Any, floats: Floats = "written", only: Collection[int] | None = None) -> list[Column]:
        columns = columns_of(X, floats, only)
        # NaN is missing anyway.
        if self.missing is None or self.missing != self.missing:
            return columns
        found = []
        for column in columns:
            # The number as the column would hold it: 0.1 in a float32 array is another one.
            gaps = held_as(self.missing, column.dtype)
            found.append(replace(column, cells=[None if cell in gaps else cell for cell in column.cells]))
        return found


def _known(column: Column) -> int:
    """The number of rows that have a value."""
    return sum(not is_missing(cell) for cell in column.cells)


class XGBClassifier(XGBEstimator, Classifier):
    """Gradient boosting for classes, with the parameters of `XGBEstimator`.

    Example:
        >>> X_train, y_train, X_test = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1], [[1.5], [3.5]]
        >>> model = XGBClassifier(min_child_weight=0)
        >>> y_pred = model.fit(X_train, y_train).predict(X_test)
        >>> [int(label) for label in y_pred]
        [0, 1]
    """

    @property
    def n_classes_(self) -> int:
        """The number of classes."""
        return len(self.classes_)

    def _target(self, y: Any, name: str) -> Column:
        cells = [*map(plain, entries_of(y, "y"))]
        # Classes 0 to K − 1 in any type of number are XGBoost's own.
        if all(isinstance(cell, int | float) for cell in cells) and {*cells} == {*range(len({*cells}))}:
            y = [*map(int, cells)]  # XGBoost has booleans and floats as whole numbers
        return super()._target(y, name)

    def _loss(self) -> str:
        found = super()._loss()  # XGBoost takes binary:logistic for what it calls softprob where classes are several
        return "auto" if found == "logistic" else found

    def predict_proba(
        self,
        X: Any,
        *,
        validate_features: bool = True,
        base_margin: Any = None,
        iteration_range: tuple[int, int] | None = None,
    ) -> Any:
        """P(Y|X): a row for each row, a column for each of `classes_`; correctly rounded.

        Args:
            X: the rows.
            validate_features: columns are always checked.
            base_margin: refused.
            iteration_range: the rounds that answer; none: all, or those up to the best one.
        """
        check_arguments(base_margin=base_margin)
        return self._probabilities(self._part(iteration_range), self._table_of(X))


class XGBRegressor(XGBEstimator, Regressor):
    """Gradient boosting for numbers, with the parameters of `XGBEstimator`.

    Example:
        >>> X_train, y_train, X_test = [[1.0], [2.0], [3.0], [4.0]], [1, 1, 5, 5], [[1.5], [3.5]]
        >>> model = XGBRegressor(n_estimators=50)
        >>> y_pred = model.fit(X_train, y_train).predict(X_test)
        >>> [round(float(number), 3) for number in y_pred]
        [1.001, 4.999]
    """
