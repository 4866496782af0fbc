"""The estimators: `fit` and `predict` for a learner and its tree."""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Literal, Self

from reference_tree.data.asked import unlabelled
from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError, hint, no_such
from reference_tree.data.held import Floats, rewritten, written
from reference_tree.data.schema import Attribute, label
from reference_tree.data.table import Table, assemble
from reference_tree.estimators.parameters import (
    array_of,
    changes,
    check_categories,
    check_names,
    check_parameters,
    class_of,
    columns_of,
    count_of,
    entries_of,
    has_names,
    not_fitted,
    parameters_of,
    plain,
    steers,
    works,
)
from reference_tree.exact.rationals import Rational, exactly
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.measures.contingency import Contingency
from reference_tree.pruning.cost_complexity import cost_complexity
from reference_tree.pruning.cost_function import cost_function
from reference_tree.pruning.error_based import ErrorBased, error_based, usual_options
from reference_tree.tree import Tree, Unseen

TARGET, WEIGHT = "y", "weight"

OPTIONS = CART.options()

SHARE = "a float below 1: the share of the rows"

PARAMETERS: Mapping[str, str] = {
    "trees": "n_estimators", "base": "estimator", "seed": "random_state", "attributes": "max_features",
    "rate": "learning_rate",
}  # fmt: skip
"""The options of learners for which estimators have the names that programs have: option → parameter."""


class Estimator:
    """The part that all estimators share."""

    kind: ClassVar[Literal["classifier", "regressor"]] = "classifier"
    categorical: ClassVar[bool] = False
    """Whether every column is categorical, and none has gaps."""

    tree_: Any
    """The fitted `Tree` or `Ensemble`."""
    n_features_in_: int
    unseen: Unseen
    profile: str | None = None
    class_weight: Any = None

    # Parameters.

    def __new__(cls, *_: Any, **parameters: Any) -> Self:
        """Refuse a parameter that there is not, before a signature does.

        Raises:
            TypeError: there is no such parameter; the message has the one that may be meant.
        """
        # Before the dataclass complains: its message would not say which name was meant.
        for name in parameters:
            if name not in cls._names():
                raise TypeError(no_such("parameter", name, cls._names(), of=cls.__name__))
        return super().__new__(cls)

    @classmethod
    def _names(cls) -> list[str]:
        # scikit-learn's convention: the parameters are those of `__init__`.
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters: name → value."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters; the estimator itself is returned.

        Raises:
            ValueError: there is no such parameter.
        """
        for name, value in parameters.items():
            if name not in self._names():
                near = hint(name, self._names())
                # In scikit-learn's own words.
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}{near}; there are {self._names()}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        # Only what was changed is shown, as scikit-learn does.
        usual = inspect.signature(type(self).__init__).parameters
        given = self.get_params().items()
        # by repr: NaN is not equal to itself, and an array is compared cell by cell
        changed = [f"{name}={value!r}" for name, value in given if repr(value) != repr(usual[name].default)]
        return f"{type(self).__name__}({', '.join(changed)})"

    # Growing.

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree, and prune it if a parameter says so; or grow the trees of the ensemble.

        Args:
            X: the rows: a frame of pandas or Polars, an array, or a list of lists.
            y: the class of each, or the number.
            sample_weight: the weight of each; none: all one. A row of weight 0 is left out.

        Returns:
            The estimator.

        Raises:
            InputError: see `Table.from_frame` and the learner.
        """
        return self._fit(X, y, sample_weight, self._grown)

    def _fit(self, X: Any, y: Any, sample_weight: Any, grow: Callable[[Table], Any]) -> Self:
        """The estimator with what is grown from the rows."""
        # At fit, and not before: scikit-learn's clone sets parameters without looking at them.
        check_parameters(self)
        columns = self._columns(X)
        names = [column.name for column in columns]
        # The target and the weights become columns, under names that the rows do not use.
        target = self._target(y, _free(TARGET, names))
        # A shorter column would be cut off in silence by zip.
        if len(target.cells) != len(columns[0].cells):
            rows, labels = len(columns[0].cells), len(target.cells)
            raise InputError(f"X has {rows} rows and y {labels}: inconsistent numbers of samples")
        columns, weight = [*columns, target], None
        weights = self._weights(target, sample_weight)
        if weights is not None:
            weight = _free(WEIGHT, [*names, target.name])
            columns = self._weighing(columns, weights, weight)
        # ID3 takes every column for one of categories, whatever its cells are.
        categories = ["*"] if self.categorical else []
        table = assemble(columns, target.name, weight, categories, (), "X", Origin())
        try:
            self.tree_ = grow(table)
        except ValueError as error:
            # A learner names its own option; the user knows the parameter of the estimator.
            option, _, message = str(error).partition(": ")
            if option not in PARAMETERS:
                raise
            raise InputError(f"{PARAMETERS[option]}: {message}") from None
        self.n_features_in_ = len(names)
        # As in scikit-learn, an estimator that is fitted anew to an array forgets the names.
        if has_names(X):
            self.feature_names_in_ = array_of(names, object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def _decimal(self, name: str) -> Rational:
        """A parameter that is a number, a float as the decimal by which it is written.

        Raises:
            InputError: it is none.
        """
        try:
            # 0.1 is a tenth here, as its user wrote it, and not the double nearest to it.
            return exactly(rewritten(plain(getattr(self, name))))
        except (TypeError, ValueError) as error:
            raise InputError(f"{name}: {error}") from None

    def _grown(self, table: Table) -> Any:
        """The fitted tree or ensemble."""
        raise NotImplementedError

    def _target(self, y: Any, name: str) -> Column:
        raise NotImplementedError

    def _weights(self, target: Column, sample_weight: Any) -> Any:
        """The weight of each row; None if all are 1."""
        return sample_weight

    def _weighing(self, columns: Sequence[Column], weights: Any, name: str) -> list[Column]:
        """The columns of the rows that weigh something, and their weights."""
        return _weighed(columns, weights, name)

    def _columns(self, X: Any, floats: Floats = "written", only: Collection[int] | None = None) -> list[Column]:
        return columns_of(X, floats, only)

    # Answering.

    def _table_of(self, X: Any) -> Table:
        """The rows as a table that the tree can be asked about."""
        if not hasattr(self, "tree_"):
            raise not_fitted(f"this {type(self).__name__} has not been fitted; call fit first")
        # Only the columns that some node tests are read; at least one, for the number of rows.
        names = [attribute.name for attribute in self.tree_.attributes]
        asked = [place for place, name in enumerate(names) if name in self.tree_.cuts] or [0]
        columns = self._columns(X, "exact", asked)  # the tree reads them as they were read for it
        expected = self.n_features_in_
        # Names in another order would send each value to a wrong test.
        if hasattr(self, "feature_names_in_") and has_names(X):
            check_names([column.name for column in columns], list(self.feature_names_in_))
        # scikit-learn's tests look for this sentence.
        if len(columns) != expected:
            raise InputError(
                f"X has {len(columns)} features, but {type(self).__name__} is expecting {expected} features as input"
            )
        named = [replace(columns[place], name=names[place]) for place in asked]
        return unlabelled(named, self.tree_.attributes, self.tree_.target, self.tree_.cuts)

    def predict(self, X: Any) -> Any:
        """The class of each row, or the number."""
        table = self._table_of(X)
        return self._answers(self.tree_, table)

    def _answers(self, predictor: Any, table: Table) -> Any:
        """The answers of a tree or an ensemble."""
        return array_of(predictor.predict(table, self.unseen), self._dtype)

    _dtype: Any = None

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The score of the predictions: the accuracy of classes, R² of numbers; correctly rounded.

        Args:
            X: the rows.
            y: what is true of each.
            sample_weight: the weight of each; none: all one.
        """
        return self._scored(self.tree_.predict(self._table_of(X), self.unseen), y, sample_weight)

    def _scored(self, found: Sequence[Any], y: Any, sample_weight: Any) -> float:
        # Classes stay as they are, numbers become exact.
        truth = self._truth(entries_of(y, "y"))
        if len(truth) != len(found):
            raise InputError(f"X has {len(found)} rows and y {len(truth)}: inconsistent numbers of samples")
        # An exact fraction, rounded once.
        return float(self._worth(Contingency.of(truth, found, row_weights(sample_weight, len(truth)))))

    def _truth(self, y: list[Any]) -> list[Any]:
        return y

    def _worth(self, found: Contingency) -> Fraction:
        return found.accuracy

    # What scikit-learn asks.

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")

    def __sklearn_tags__(self) -> Any:
        """The tags that scikit-learn asks for; it is loaded when it asks."""
        # The caller is scikit-learn, so it is loaded.
        utils = sys.modules["sklearn.utils"]
        classifies = self.kind == "classifier"
        return utils.Tags(
            estimator_type=self.kind,
            target_tags=utils.TargetTags(required=True),
            classifier_tags=utils.ClassifierTags() if classifies else None,
            regressor_tags=None if classifies else utils.RegressorTags(),
            input_tags=utils.InputTags(allow_nan=not self.categorical, string=True, categorical=True),
        )


@dataclass(kw_only=True, eq=False, repr=False)
class TreeEstimator(Estimator):
    """The part that the estimators of one tree share. An option `None` is as the learner has it, or its profile."""

    epsilon: Any = works(None, of=OPTIONS["epsilon"])
    max_depth: int | None = works(None, of=OPTIONS["max_depth"])
    min_samples_split: Any = works(None, SHARE, of=OPTIONS["min_samples_split"])
    min_samples_leaf: Any = works(None, SHARE, of=OPTIONS["min_samples_leaf"])
    random_state: Any = steers("nothing is drawn")
    unseen: Unseen = works("majority", "a value without a branch: the `majority` is predicted, or it is an `error`")

    learner: ClassVar[type[ID3] | type[C45] | type[CART]]
    pruning: ClassVar[str]
    """The parameter that is not the learner's: it prunes the tree once it has grown."""

    def _grown(self, table: Table) -> Tree:
        # Parameters of the estimator itself; all others are options of the learner.
        own = {"profile", "unseen", "class_weight", self.pruning}
        names = [name for name, record in parameters_of(type(self)).items() if record.effect == "works"]
        parameters = {name: plain(getattr(self, name)) for name in names if name not in own}
        # None leaves the option as the learner, or its profile, has it.
        options = {name: value for name, value in parameters.items() if value is not None}
        # A share needs the number of rows, which is known only now.
        for name in options.keys() & {"min_samples_split", "min_samples_leaf"}:
            options[name] = count_of(options[name], len(table))
        make = self.learner.with_options if self.profile is None else partial(self.learner.like, self.profile)
        # The share of the whole weight is a bound like any other; the larger of the two holds.
        if (share := options.pop("min_weight_fraction_leaf", None)) is not None:
            least = exactly(rewritten(share)) * sum(table.weighted())
            options["min_samples_leaf"] = max(least, exactly(options.get("min_samples_leaf", 0)))
        tree = make(**options).grow(table)
        amount = getattr(self, self.pruning)
        return tree if amount is None else self._pruned(tree, table, self._decimal(self.pruning))

    def _pruned(self, tree: Tree, table: Table, amount: Rational) -> Tree:
        """The tree, pruned as much as the parameter says."""
        raise NotImplementedError


class Classifier(Estimator):
    """The part that classifiers share."""

    classes_: Any

    def _target(self, y: Any, name: str) -> Column:
        # Texts and whole numbers are classes as they are; everything else is looked at.
        cells = [cell if isinstance(cell, str | int) else class_of(cell) for cell in entries_of(y, "y")]
        # 1 and "1" would be one name of a class.
        if len(kinds := {type(cell) for cell in cells}) > 1:
            kinds_named = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise InputError(f"y has classes of several types: {kinds_named}; give all of them one")
        if not cells:
            raise InputError("y has no entries; at least one sample is needed")
        # As scikit-learn orders classes_: by value, so numbers by size.
        classes = sorted(set(cells))
        self.classes_ = array_of(classes, getattr(y, "dtype", None))
        self._dtype = getattr(self.classes_, "dtype", None)
        # The tree knows classes by texts, and answers with the objects that were given.
        names = {label(each): each for each in classes}
        return Column(name, cells, Attribute(name, tuple(names), names))

    def _truth(self, y: list[Any]) -> list[Any]:
        return [*map(class_of, y)]

    def predict_proba(self, X: Any) -> Any:
        """P(Y|X): a row for each row, a column for each of `classes_`; correctly rounded."""
        table = self._table_of(X)
        return self._probabilities(self.tree_, table)

    def _probabilities(self, predictor: Any, table: Table) -> Any:
        found = predictor.distribution(table, self.unseen)
        return array_of([[float(share) for share in row.values()] for row in found], float)

    def _weights(self, target: Column, sample_weight: Any) -> Any:
        """The weight of each row: that which is given, times that of its class."""
        given = self.class_weight
        if given is None:
            return sample_weight
        classes = [label(cell) for cell in target.cells]
        counts = Counter(classes)
        # n / (K · n_k), as scikit-learn has it: each class has the same weight in all.
        if given == "balanced":
            by_class = {name: Fraction(len(classes), len(counts) * count) for name, count in counts.items()}
        elif isinstance(given, Mapping):
            # A class that is not named weighs 1.
            by_class = dict.fromkeys(counts, Fraction(1))
            by_class |= {label(plain(name)): Fraction(exactly(rewritten(plain(each)))) for name, each in given.items()}
        else:
            raise InputError(f"class_weight={given!r} is not done here: say 'balanced', or class → weight")
        each = row_weights(sample_weight, len(classes)) or [1] * len(classes)
        return [weight * by_class[name] for weight, name in zip(each, classes, strict=True)]


class Regressor(Estimator):
    """The part that regressors share."""

    kind = "regressor"
    _dtype = float

    def _target(self, y: Any, name: str) -> Column:
        cells = entries_of(y, "y")
        # Numbers of the target are decimals as written, like all others.
        return Column(name, written(cells, getattr(y, "dtype", None)), Attribute(name))

    def _answers(self, predictor: Any, table: Table) -> Any:
        # Exact means, each rounded once to a double.
        return array_of([*map(float, predictor.predict(table, self.unseen))], self._dtype)

    def _truth(self, y: list[Any]) -> list[Any]:
        return [*map(Fraction, written(y))]  # as the numbers were read that it was fitted to

    def _worth(self, found: Contingency) -> Fraction:
        return found.determination


@dataclass(kw_only=True, eq=False, repr=False)
class ID3Classifier(TreeEstimator, Classifier):
    """ID3: every column is one of categories; a number in it is the name of one.

    Source:
        [Quinlan1986], [N0 EN §3.1], [N0 EN §4 eq. (5)]
    """

    learner = ID3
    pruning = "alpha"
    categorical = True

    alpha: Any = works(None, "the price of a leaf in bits, for pruning by the cost function; none: not pruned")

    def _columns(self, X: Any, floats: Floats = "written", only: Collection[int] | None = None) -> list[Column]:
        columns = columns_of(X, floats)
        check_categories(columns)
        return columns

    def _pruned(self, tree: Tree, table: Table, amount: Rational) -> Tree:
        return cost_function(tree, amount).tree


@dataclass(kw_only=True, eq=False, repr=False)
class C45Classifier(TreeEstimator, Classifier):
    """C4.5, of the books or of a program.

    Source:
        [Quinlan1993], [N0 EN §3.2]
    """

    learner = C45
    pruning = "confidence"

    profile: str | None = works(None, "the dialect: `zhou`, `li-hang`, `c45-r8` or `weka-j48`")
    confidence: Any = works(None, "CF of error-based pruning, 1/4 in the programs; none: not pruned")

    def _pruned(self, tree: Tree, table: Table, amount: Rational) -> Tree:
        # The options of pruning follow those that the tree was grown with.
        options = {**usual_options(tree, table), "confidence": amount}
        profile = options.pop("profile", None)
        rules = ErrorBased(**options) if profile is None else ErrorBased.like(profile, **options)
        return error_based(tree, table, rules).tree


@dataclass(kw_only=True, eq=False, repr=False)
class CARTEstimator(TreeEstimator):
    """CART, for classes or for numbers.

    Source:
        [Breiman1984 §2.4], [Breiman1984 §3.3]
    """

    learner = CART
    pruning = "ccp_alpha"

    profile: str | None = works(None, "the dialect: `cart-1984`, `rpart` or `scikit-learn`")
    criterion: str | None = works(None, of=OPTIONS["criterion"])
    branching: str | None = works(None, of=OPTIONS["branching"])
    missing: str | None = works(None, of=OPTIONS["missing"])
    min_impurity_decrease: Any = works(None, of=OPTIONS["min_impurity_decrease"])
    ccp_alpha: Any = works(None, "the price of a leaf, for cost-complexity pruning; none: not pruned")
    splitter: str | None = changes("all cuts are tried; say best", "best")
    max_features: Any = changes("all attributes are tried; RandomForestClassifier draws them", 1.0)
    max_leaf_nodes: int | None = changes("trees have no limit of leaves; say ccp_alpha or max_depth")
    min_weight_fraction_leaf: Any = works(None, "the least share of the weight that a branch has")
    monotonic_cst: Any = changes("splits are not constrained; leave it out")

    def _pruned(self, tree: Tree, table: Table, amount: Rational) -> Tree:
        return cost_complexity(tree, amount, self.profile or "cart-1984")


@dataclass(kw_only=True, eq=False, repr=False)
class CARTClassifier(CARTEstimator, Classifier):
    """CART for classes, with the parameters of `CARTEstimator`."""

    class_weight: Any = works(None, "class → the weight of its rows; or `balanced`: all classes weigh the same")


class CARTRegressor(CARTEstimator, Regressor):
    """CART for numbers, with the parameters of `CARTEstimator`."""


def of_one_tree(model: Estimator, tree: Tree) -> Estimator:
    """A tree of a fitted ensemble, as a fitted estimator of the learner that grew it."""
    # The learner that grew a tree says which estimator shows it.
    kinds = {ID3.name: ID3Classifier, C45.name: C45Classifier}
    usual = CARTClassifier if model.kind == "classifier" else CARTRegressor
    found: Estimator = kinds.get(tree.grower.name, usual)()
    kept = ("n_features_in_", "feature_names_in_", "classes_", "_dtype", "unseen")
    vars(found).update({name: getattr(model, name) for name in kept if hasattr(model, name)}, tree_=tree)
    return found


def _weighed(columns: Sequence[Column], weights: Any, name: str) -> list[Column]:
    """The columns of the rows that weigh something, and their weights."""
    # A row of weight 0 counts for nothing, not even as a value of a column.
    weighing = _entries(weights, len(columns[0].cells))
    kept = [row for row, weight in enumerate(weighing) if weight != 0]
    if not kept:
        raise InputError("every sample_weight is zero; at least one row counts")
    all_of_them = [*columns, Column(name, weighing)]
    return [Column(one.name, [one.cells[row] for row in kept], one.declared) for one in all_of_them]


def row_weights(weights: Any, rows: int) -> list[Rational] | None:
    """The weights by which rows are judged; None if all are 1."""
    found = None if weights is None else [*map(exactly, _entries(weights, rows))]
    if found is not None and (min(found) < 0 or not any(found)):
        raise InputError("a sample_weight is not negative, and one at least is positive")
    return found


def _entries(weights: Any, rows: int) -> list[Any]:
    found = entries_of(weights, "sample_weight")
    if len(found) != rows:
        raise InputError(f"sample_weight has {len(found)} entries for {rows} rows")
    return found


def _free(name: str, taken: Sequence[str]) -> str:
    """A name that no column has."""
    # A column may be called y.
    while name in taken:
        name += "_"
    return name
