"""scikit-learn: its trees, forests and bins; and those of pandas."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from tests.peers.seen.record import RELEASES, package, says

RELEASES["scikit-learn"], RELEASES["pandas"] = package("scikit-learn"), package("pandas")


def _tree(rows: Any, target: Any, **parameters: Any) -> Any:
    DecisionTreeClassifier = import_module("sklearn.tree").DecisionTreeClassifier

    return DecisionTreeClassifier(**{"random_state": 0, **parameters}).fit(rows, target)


XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


@says("scikit-learn", "decisions: 50 orders of iris under one seed gave one tree, 50 seeds gave eight")
def _seeds_decide() -> bool:
    np = import_module("numpy")
    load_iris = import_module("sklearn.datasets").load_iris
    export_text = import_module("sklearn.tree").export_text

    X, y = load_iris(return_X_y=True)
    orders = [np.random.default_rng(seed).permutation(len(y)) for seed in range(50)]
    by_order = {export_text(_tree(X[order], y[order])) for order in orders}
    by_seed = {export_text(_tree(X, y, random_state=seed)) for seed in range(50)}
    return len(by_order) == 1 and len(by_seed) == 8


@says(
    "scikit-learn",
    "decisions: classes sorted; it has no categorical attributes",
    "learners/cart_more: Li Hang; scikit-learn, after each value has become a column of its own |",
    "learners/id3_more: scikit-learn and rpart have no ID3: all their questions have two answers.",
    "six_trees: scikit-learn has no categories, so its dialect asks for one value against the rest.",
    "splitting/one_hot_encoding: | scikit-learn, XGBoost on plain numbers | yes: they compare numbers",
    "decisions: | scikit-learn, XGBoost | thresholds |",
    "decisions: | rpart, scikit-learn, XGBoost | again: their questions have two answers |",
    "decisions: | rpart, scikit-learn, XGBoost | make no empty branches |",
    "dialects/cart_programs: - `scikit-learn` has only numbers.",
    "splitting/multiway: used by rpart, scikit-learn and XGBoost.",
)
def _classes_are_sorted() -> bool:
    try:
        _tree([["a"], ["b"]], [0, 1])
    except ValueError:
        return list(_tree([[1], [2]], ["q", "p"]).classes_) == ["p", "q"]
    return False


@says(
    "scikit-learn",
    "decisions: attributes are looked at in an order drawn from `random_state`",
    "dialects/cart_programs: scikit-learn shuffles the columns at each node.",
    "learners/cart_more: | by chance | splits |",
)
def _attributes_are_drawn() -> bool:
    return {int(_tree([[0, 0], [1, 1]], [0, 1], random_state=seed).tree_.feature[0]) for seed in range(20)} == {0, 1}


@says("scikit-learn", "decisions: C4.5, J48, Id3, scikit-learn | the first class")
def _the_first_of_equal_classes() -> bool:
    return list(_tree([[1], [1]], ["q", "p"]).predict([[1]])) == ["p"]


@says("scikit-learn", "decisions: both branches have at least 1 row; a column of equal values is passed over")
def _a_constant_column_is_passed_over() -> bool:
    return {int(_tree([[5, 0], [5, 1]], [0, 1], random_state=seed).tree_.feature[0]) for seed in range(9)} == {1}


@says(
    "scikit-learn",
    "decisions: midpoint of values rounded to 32 bits, `<=`; a gap of 10⁻⁷ counts as none",
    "decisions: | C4.5, scikit-learn, XGBoost | 32-bit floats |",
    "learners/cart_more: | scikit-learn | midpoints of 32-bit numbers,",
    "foreign: | scikit-learn | float32 | `<=` |",
)
def _midpoints() -> bool:
    np = import_module("numpy")

    low, high = float(np.float32(0.1)), float(np.float32(0.4))
    middle = _tree([[0.1], [0.4]], [0, 1])
    at = float(middle.tree_.threshold[0])
    return (
        at == (low + high) / 2
        and int(middle.predict([[np.float32(at)]])[0]) == int(np.float32(at) > at)
        and _tree([[0.0], [9e-8]], [0, 1]).tree_.node_count == 1
        and _tree([[0.0], [2e-7]], [0, 1]).tree_.node_count == 3
    )


@says(
    "scikit-learn",
    "decisions: | `stop.max-depth`{#stop.max-depth} |",
    "decisions: | `stop.min-samples-split`{#stop.min-samples-split} |",
    "decisions: | `stop.min-samples-leaf`{#stop.min-samples-leaf} |",
    "decisions: the root has depth 0; a leaf below `min_samples_split` = 2",
    "learners/cart_more: | 2 to split, 1 in a branch | the side that scores better |",
    "auditing: The least numbers of rows of scikit-learn and rpart count rows whatever they weigh",
)
def _bounds() -> bool:
    stump = _tree(*XOR, max_depth=1)
    decrease = _tree([[0], [1]], [0, 1], min_impurity_decrease=0.5)
    return bool(
        stump.get_depth() == 1 and _tree([[0], [1]], [0, 1]).min_samples_split == 2 and decrease.get_depth() == 1
    )


@says(
    "scikit-learn", "auditing: is a share of the rows, rounded up, and `min_weight_fraction_leaf` is one of the weight"
)
def _bounds_may_be_shares() -> bool:
    export_text = import_module("sklearn.tree").export_text
    rows, target = [[place * 7 % 25, place * 11 % 25] for place in range(25)], [place % 3 for place in range(25)]

    def grown(**parameters: Any) -> str:
        return str(export_text(_tree(rows, target, **parameters)))

    pairs = [
        ({"min_samples_leaf": 0.1}, {"min_samples_leaf": 3}),
        ({"min_samples_split": 0.3}, {"min_samples_split": 8}),
        ({"min_weight_fraction_leaf": 0.2}, {"min_samples_leaf": 5}),
    ]
    return all(grown(**share) == grown(**rows_at_least) for share, rows_at_least in pairs)


@says(
    "scikit-learn",
    "decisions: | scikit-learn | splits |",
    "learners/cart_more: | by chance | splits |",
    "decisions: | C4.5, J48, rpart, scikit-learn, XGBoost | a greedy search alone |",
    "pruning/pre_pruning_more: none of them asks a validation set while it grows",
)
def _zero_gain_splits() -> bool:
    return bool(_tree(*XOR).score(*XOR) == 1)


@says(
    "scikit-learn",
    "decisions: the side that scores better",
    "decisions: | scikit-learn, XGBoost | send the row to one side, as a whole |",
    "decisions: | scikit-learn, XGBoost | the side learnt in training |",
    "decisions: | scikit-learn, trees | the better side, of equals the right one;",
    "dialects/cart_programs: scikit-learn gives all of them to one branch (`better-side`).",
    "splitting/missing_values_more: | scikit-learn | the missing values tried on either side | to the better side |",
    "splitting/surrogates: | scikit-learn | nothing: the side that scores better | | | |",
)
def _missing_goes_to_the_better_side() -> bool:
    gap = float("nan")
    tree = _tree([[1], [2], [3], [gap]], [0, 0, 1, 1])
    other = _tree([[1], [2], [3], [gap]], [0, 1, 1, 0], max_depth=1)
    return list(tree.predict([[gap]])) == [1] and list(other.predict([[gap]])) == [0]


@says("scikit-learn", "decisions: where the node has no gap, the one with more rows")
def _without_a_gap_the_larger_side() -> bool:
    gap = float("nan")
    tree = _tree([[1], [2], [3]], [0, 0, 1])
    return list(tree.predict([[gap]])) == [0] and list(_tree([[1], [2], [3]], [0, 1, 1]).predict([[gap]])) == [1]


@says(
    "scikit-learn",
    r"decisions: $\lfloor\sqrt n\rfloor$ for classes, all for numbers",
    "ensembles/random_forest_more: | scikit-learn | with replacement | k of n at each node |",
)
def _most_attributes_of_forests() -> bool:
    module = import_module("sklearn.ensemble")
    RandomForestClassifier, RandomForestRegressor = module.RandomForestClassifier, module.RandomForestRegressor

    return bool(RandomForestClassifier().max_features == "sqrt" and RandomForestRegressor().max_features == 1.0)


@says(
    "scikit-learn",
    "decisions: goes on until a drawn attribute is not constant at the node",
    "ensembles/random_forest_more: scikit-learn draws further until an attribute is not constant",
    "ensembles/random_forest_more: | k of n at each node | drawing goes on until one is not |",
)
def _draws_go_on() -> bool:
    rows = [[5] * 9 + [0], [5] * 9 + [1]]
    return {int(_tree(rows, [0, 1], max_features=1, random_state=seed).tree_.feature[0]) for seed in range(20)} == {9}


@says(
    "scikit-learn",
    "ensembles/adaboost_more: | a tree | why | here | scikit-learn |",
    "decisions: keeps a perfect tree beside the others, with a vote of 1",
)
def _a_perfect_tree_of_adaboost() -> bool:
    AdaBoostClassifier = import_module("sklearn.ensemble").AdaBoostClassifier

    perfect = AdaBoostClassifier(random_state=0).fit([[0], [1]], [0, 1])
    try:
        AdaBoostClassifier(random_state=0).fit([[0], [0]], [0, 1])
    except ValueError:
        return list(perfect.estimator_weights_[: len(perfect.estimators_)]) == [1.0]
    return False


@says(
    "scikit-learn",
    "decisions: equal widths; a cut belongs to the interval above it",
    "splitting/discretization: its bins of equal width include their lower end, not the upper one |",
)
def _bins() -> bool:
    KBinsDiscretizer = import_module("sklearn.preprocessing").KBinsDiscretizer

    cut = KBinsDiscretizer(2, encode="ordinal", strategy="uniform").fit([[0.0], [2.0]])
    return float(cut.transform([[1.0]])[0][0]) == 1


@says(
    "scikit-learn",
    "decisions: the impurity the tree was grown by; cuts one link at a time",
    "pruning/cost_complexity_more: scikit-learn's `cost_complexity_pruning_path` uses the impurity of growing as its",
    "pruning/risks: | scikit-learn | the impurity by which the tree was grown, weighted by the share of the rows:",
    "decisions: | rpart, scikit-learn | cost-complexity, [another risk](#cost.R) |",
    "pruning/cost_function_more: | CART, rpart, scikit-learn | [cost-complexity](cost_complexity.md): other risks,",
    "pruning/reduced_error_more: | rpart, scikit-learn | do not have it; they prune by",
    "dialects/c45_programs: | CART, rpart, scikit-learn | no; cost-complexity pruning with α = 0 does the like |",
)
def _links_are_cut_one_by_one() -> bool:
    load_iris = import_module("sklearn.datasets").load_iris

    # Two links of iris have one price: if both went at once, it would stand there once.
    X, y = load_iris(return_X_y=True)
    path = _tree(X, y, criterion="entropy").cost_complexity_pruning_path(X, y)
    prices = [round(float(price), 9) for price in path.ccp_alphas]
    return len(prices) > len(set(prices)) and abs(path.impurities[-1] - math.log2(3)) < 1e-9


@says(
    "scikit-learn",
    'measures/entropy_more: asked for with `criterion="entropy"`; the default is Gini',
    "decisions: | scikit-learn | Gini, or entropy; squared error and others for numbers |",
    "decisions: | scikit-learn | leaves out classes without weight |",
    "measures/entropy_more: | scikit-learn | base 2 | 64-bit floats |",
)
def _gini_is_the_default() -> bool:
    tree = _tree([[0], [1]], [0, 1], criterion="entropy")
    return float(tree.tree_.impurity[0]) == 1 and _tree([[0], [1]], [0, 1]).criterion == "gini"


@says(
    "scikit-learn",
    "measures/variance_more: rpart and scikit-learn divide by $n$",
    "learners/cart_more: CART divides by $n$, and so do rpart and scikit-learn",
    "decisions: | rpart, scikit-learn | squared error, that is $n$ |",
)
def _variance_has_n_below() -> bool:
    DecisionTreeRegressor = import_module("sklearn.tree").DecisionTreeRegressor

    return float(DecisionTreeRegressor().fit([[0], [1]], [0.0, 2.0]).tree_.impurity[0]) == 1


@says("scikit-learn", "ensembles/ensemble: | scikit-learn | `mean`, under the name of a vote |")
def _forests_take_the_mean() -> bool:
    RandomForestClassifier = import_module("sklearn.ensemble").RandomForestClassifier

    forest = RandomForestClassifier(7, max_depth=1, random_state=0).fit([[0], [0], [0], [1]], [0, 0, 1, 1])
    means = sum(tree.predict_proba([[0.0]]) for tree in forest.estimators_) / 7
    return bool(abs(means - forest.predict_proba([[0.0]])).max() < 1e-12)


@says("scikit-learn", "decisions: | scikit-learn, XGBoost | an error |")
def _a_row_without_a_class_is_refused() -> bool:
    try:
        _tree([[0], [1]], [0.0, float("nan")])
    except ValueError:
        return True
    return False


@says("scikit-learn", "decisions: | scikit-learn, XGBoost | the user says |")
def _the_class_says_what_is_predicted() -> bool:
    DecisionTreeRegressor = import_module("sklearn.tree").DecisionTreeRegressor

    number = float(DecisionTreeRegressor().fit([[0], [0]], [0, 1]).predict([[0]])[0])
    return number == 0.5 and int(_tree([[0], [0]], [0, 1]).predict([[0]])[0]) == 0


@says(
    "scikit-learn",
    "decisions: | scikit-learn | doubles, none below the machine epsilon |",
    "ensembles/adaboost_more: What scikit-learn does was read in its source.",
)
def _adaboost_grows_stumps_by_gini() -> bool:
    np = import_module("numpy")
    AdaBoostClassifier = import_module("sklearn.ensemble").AdaBoostClassifier

    model = AdaBoostClassifier(n_estimators=3).fit([[0], [1], [2], [3]], [0, 1, 0, 1])
    (first, *_), weight = model.estimators_, float(model.estimator_weights_[0])
    wrong = float(model.estimator_errors_[0])
    samme = abs(weight - math.log((1 - wrong) / wrong)) < 1e-9  # two classes
    return bool(first.get_depth() == 1 and first.criterion == "gini" and samme and np.finfo(float).eps > 0)


@says(
    "scikit-learn",
    "decisions: | scikit-learn, `HistGradientBoosting` | the better side; in a column without any gap, the one with",
)
def _gaps_of_histograms() -> bool:
    HistGradientBoostingRegressor = import_module("sklearn.ensemble").HistGradientBoostingRegressor

    def side(x: list[float], y: list[float]) -> bool:
        model = HistGradientBoostingRegressor(max_iter=1, max_leaf_nodes=2, min_samples_leaf=1, early_stopping=False)
        return bool(model.fit([[one] for one in x], y)._predictors[0][0].nodes["missing_go_to_left"][0])

    gap = float("nan")
    sides = [side([1, 1, 3, 3, gap, gap], [0, 0, 1, 1, y, y]) for y in (0, 1)]
    return [*sides, side([1, 1, 1, 3], [0, 0, 0, 1]), side([1, 3, 3, 3], [0, 1, 1, 1])] == [True, False, True, False]


@says(
    "scikit-learn",
    "dialects/cart_programs: scikit-learn can ask for it: where a value is missing in some rows of a node",
)
def _known_against_missing() -> bool:
    gap = float("nan")
    tree = _tree([[1], [2], [gap], [gap]], [0, 0, 1, 1])
    return math.isinf(float(tree.tree_.threshold[0])) and list(tree.predict([[7], [gap]])) == [0, 1]


@says("scikit-learn", "auditing: scikit-learn makes a leaf where the impurity that it found is at most 2⁻⁵²")
def _hardly_impure_is_pure() -> bool:
    DecisionTreeRegressor = import_module("sklearn.tree").DecisionTreeRegressor

    # The variance of 0 and d is d²/4.
    sizes = [DecisionTreeRegressor().fit([[0], [1]], [0, 2 * 2.0**-26 * of]).tree_.node_count for of in (0.99, 1.01)]
    return sizes == [1, 3]


@says(
    "scikit-learn",
    "decisions: | `stop.min-impurity-decrease`{#stop.min-impurity-decrease} |",
    "decisions: from `min_impurity_decrease` on a split, with one machine epsilon of grace |",
)
def _a_decrease_as_large_as_asked_is_enough() -> bool:
    rows, y = [[0], [1], [2]], [0, 1, 1]
    decrease = 4 / 9
    return [_tree(rows, y, min_impurity_decrease=decrease + more).get_depth() for more in (1e-16, 1e-15)] == [1, 0]


@says(
    "scikit-learn",
    "auditing: **Weights of rows** are those of the table, and each release of scikit-learn is judged by what it does",
)
def _weights_are_chances_in_forests_of_1_9() -> bool:
    RandomForestClassifier = import_module("sklearn.ensemble").RandomForestClassifier

    weights = [1.0] * 10 + [1e-9] * 10
    forest = RandomForestClassifier(5, random_state=0).fit([[x] for x in range(20)], [0, 1] * 10, sample_weight=weights)
    roots = {float(tree.tree_.weighted_n_node_samples[0]) for tree in forest.estimators_}
    return roots == {20.0} if release_number() >= (1, 9) else max(roots) < 20


def release_number() -> tuple[int, ...]:
    """(1, 9) of 1.9.1."""
    return tuple(map(int, str(RELEASES["scikit-learn"]()).split(".")[:2]))


@says(
    "scikit-learn",
    "auditing: - **scikit-learn's `GradientBoosting`** chooses its questions by the first derivatives alone",
    "ensembles/boosting_tree_more: scikit-learn and XGBoost begin with the mean of the targets and not with 0,",
)
def _gradient_boosting_of_scikit_learn() -> bool:
    GradientBoostingClassifier = import_module("sklearn.ensemble").GradientBoostingClassifier

    model = GradientBoostingClassifier(n_estimators=1, max_depth=1).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    tree = model.estimators_[0][0].tree_
    # Residuals are ±1/2, with a second derivative of 1/4: leaves of ±2. The tree itself is one of squared errors.
    start = float(model.init_.class_prior_[1])
    return (
        sorted(tree.value.ravel()[1:].round(9)) == [-2, 2]
        and tree.impurity[0] == 0.25
        and start == 0.5
        and (
            GradientBoostingClassifier().learning_rate,
            GradientBoostingClassifier().max_depth,
        )
        == (0.1, 3)
    )


@says("scikit-learn", "auditing: - **scikit-learn's `HistGradientBoosting`** keeps its trees in private members.")
def _histograms_are_private() -> bool:
    HistGradientBoostingRegressor = import_module("sklearn.ensemble").HistGradientBoostingRegressor

    model = HistGradientBoostingRegressor(max_iter=1).fit([[0], [1]], [0, 1])
    return (
        not hasattr(model, "estimators_")
        and hasattr(model, "_predictors")
        and hasattr(model._bin_mapper, "bin_thresholds_")
    )


@says(
    "scikit-learn",
    "foreign: - **Losses of scikit-learn** decide what becomes of the sum.",
)
def _what_becomes_of_the_sum() -> bool:
    module = import_module("sklearn.ensemble")
    rows, y = [[0], [0], [1], [1]], [0, 1, 1, 1]

    def share(loss: str) -> tuple[float, float]:
        model = module.GradientBoostingClassifier(loss=loss, n_estimators=3).fit(rows, y)
        return float(model.decision_function([[0]])[0]), float(model.predict_proba([[0]])[0][1])

    logit, (half, of_exponential) = share("log_loss"), share("exponential")
    poisson = module.HistGradientBoostingRegressor(loss="poisson", max_iter=3).fit([[0]] * 9, [1] * 9)
    return all(
        abs(one - other) < 1e-9
        for one, other in (
            (logit[1], 1 / (1 + math.exp(-logit[0]))),
            (of_exponential, 1 / (1 + math.exp(-2 * half))),
            (float(poisson.predict([[0]])[0]), math.exp(float(poisson._raw_predict([[0]])[0][0]))),
        )
    )


@says(
    "scikit-learn",
    "chance: | scikit-learn | NumPy's Mersenne Twister, from `random_state` |",
    "chance: folds drawn here are not the folds that scikit-learn draws from the same seed.",
)
def _draws_are_numpy_s() -> bool:
    np, KFold = import_module("numpy"), import_module("sklearn.model_selection").KFold

    order = np.arange(10)
    np.random.RandomState(7).shuffle(order)
    return set(next(iter(KFold(2, shuffle=True, random_state=7).split(range(10))))[1]) == set(order[:5])


@says(
    "scikit-learn",
    "ensembles/bagging_more: | scikit-learn | the same (`BaggingClassifier`), or a share of the rows or columns | the",
)
def _bags_take_the_mean() -> bool:
    module, trees = import_module("sklearn.ensemble"), import_module("sklearn.tree")

    base = trees.DecisionTreeClassifier(max_depth=1)
    bag = module.BaggingClassifier(base, 7, random_state=0).fit([[0], [0], [0], [1]], [0, 0, 1, 1])
    means = sum(tree.predict_proba([[0.0]]) for tree in bag.estimators_) / 7
    return bool(abs(means - bag.predict_proba([[0.0]])).max() < 1e-12) and (bag.max_samples, bag.max_features) in {
        (1.0, 1.0),
        (None, 1.0),
    }


@says(
    "scikit-learn",
    "ensembles/importance: | scikit-learn | by impurity, each tree's figures as shares before the mean is taken;",
)
def _importances_are_means_of_shares() -> bool:
    np, module = import_module("numpy"), import_module("sklearn.ensemble")

    x = np.random.default_rng(0).random((40, 3))
    forest = module.RandomForestClassifier(5, random_state=0).fit(x, x[:, 0] > x[:, 1])
    each = [tree.feature_importances_ for tree in forest.estimators_]
    return all(abs(sum(one) - 1) < 1e-9 for one in each) and bool(
        abs(np.mean(each, axis=0) - forest.feature_importances_).max() < 1e-9
    )


@says(
    "scikit-learn",
    "selection/cross_validation_more: | scikit-learn | five; for classifiers stratified, in the order of the file",
    "selection/holdout_more: | scikit-learn | `train_test_split`: a quarter by default, stratified on request |",
)
def _five_folds_and_a_quarter() -> bool:
    module = import_module("sklearn.model_selection")
    folds = module.check_cv(None, [0, 1] * 10, classifier=True)
    train, test = module.train_test_split(range(100))
    return (
        type(folds).__name__ == "StratifiedKFold"
        and folds.n_splits == 5
        and not folds.shuffle
        and (len(train), len(test)) == (75, 25)
    )


@says(
    "scikit-learn",
    "estimators: Ensembles are excused from one check, as scikit-learn's own are: that a weight of 2 has the same",
)
def _ensembles_are_excused_from_a_check() -> bool:
    excused = import_module("sklearn.utils._test_common.instance_generator")._get_expected_failed_checks
    forest = import_module("sklearn.ensemble").RandomForestClassifier()
    return any("sample_weight_equivalence" in name for name in excused(forest))


@says(
    "pandas",
    "splitting/discretization: | pandas' `cut` | bins of equal width include their upper end, as here; the ends are",
)
def _bins_of_pandas() -> bool:
    cut = import_module("pandas").cut
    # The end 0.1 + (0.4 - 0.1) / 3 is not 0.2 in binary numbers.
    return list(cut([0.0, 1.0, 2.0], 2, labels=False)) == [0, 0, 1] and list(
        cut([0.1, 0.2, 0.3, 0.4], [0.1, 0.1 + 0.1, 0.1 + 0.2, 0.4], labels=False)
    )[1:] == [0, 1, 2]
