"""XGBoost and LightGBM."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tests.peers.seen.record import RELEASES, package, says
from tests.peers.seen.scikit_learn import XOR

RELEASES["XGBoost"] = package("xgboost-cpu", "xgboost")
RELEASES["LightGBM"] = package("lightgbm")


def _booster(rows: Any, target: Any, rounds: int = 1, **parameters: Any) -> Any:
    xgboost = import_module("xgboost")

    given = {"max_depth": 1, "lambda": 0, "min_child_weight": 0, "eta": 1, "base_score": 0, "tree_method": "exact"}
    return xgboost.train({**given, **parameters}, xgboost.DMatrix(rows, label=target), rounds)


def _nodes(booster: Any, tree: int = 0) -> Any:
    return json.loads(booster.get_dump(dump_format="json", with_stats=True)[tree])


@says(
    "XGBoost",
    "decisions: | XGBoost | the attribute with the lower index |",
)
def _the_lower_index() -> bool:
    np = import_module("numpy")

    rows = np.array([[0, 0], [1, 1], [2, 2]], dtype=float)
    return bool(_nodes(_booster(rows, [0, 0, 1]))["split"] == "f0")


@says(
    "XGBoost",
    "decisions: | XGBoost | 32-bit midpoint, `<` |",
    "decisions: | C4.5, scikit-learn, XGBoost | 32-bit floats |",
    "foreign: | XGBoost | float32 | `<` |",
    "decisions: | scikit-learn, XGBoost | thresholds |",
    "decisions: | rpart, scikit-learn, XGBoost | make no empty branches |",
    "splitting/one_hot_encoding: | scikit-learn, XGBoost on plain numbers | yes: they compare numbers",
    "splitting/multiway: used by rpart, scikit-learn and XGBoost.",
)
def _below_the_midpoint() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    booster = _booster(np.array([[1.0], [2.0]]), [0, 1])
    (answer,) = booster.predict(xgboost.DMatrix(np.array([[1.5]])))
    return _nodes(booster)["split_condition"] == 1.5 and float(answer) == 1


@says("XGBoost", "decisions: classes have to be numbered from 0")
def _classes_have_numbers() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    try:
        xgboost.XGBClassifier(n_estimators=1).fit(np.array([[0.0], [1.0], [2.0]]), [1, 2, 3])
    except ValueError:
        return True
    return False


@says(
    "XGBoost",
    "decisions: | XGBoost | does not |",
    "decisions: | C4.5, J48, rpart, scikit-learn, XGBoost | a greedy search alone |",
    "decisions: | XGBoost | a split has to gain more than 10⁻⁶; afterwards what gained less than γ is pruned |",
)
def _zero_gain_does_not_split() -> bool:
    np = import_module("numpy")

    return "leaf" in _nodes(_booster(np.array(XOR[0], dtype=float), XOR[1], base_score=0.5))


@says(
    "XGBoost",
    "decisions: the better side, of equals the right one, so in a column with gaps elsewhere",
    "decisions: | XGBoost | a side that is learnt |",
    "decisions: | scikit-learn, XGBoost | send the row to one side, as a whole |",
    "decisions: | scikit-learn, XGBoost | the side learnt in training |",
    "splitting/missing_values_more: | XGBoost | the missing values tried on either side | a default side, learnt for",
)
def _the_side_of_gaps() -> bool:
    np = import_module("numpy")

    gap = float("nan")
    learnt = [_nodes(_booster(np.array([[1.0], [3.0], [gap]]), [0, 1, y])) for y in (0, 1)]
    plain = _nodes(_booster(np.array([[1.0], [3.0]]), [0, 1]))
    sides = [(node["missing"] == node["yes"], node["missing"] == node["no"]) for node in (*learnt, plain)]
    return sides == [(True, False), (False, True), (True, False)]


@says(
    "XGBoost",
    "ensembles/gradient_boosting_more: XGBoost prints the same gain: without the factor ½",
    "decisions: | XGBoost | [what first and second derivatives gain](#gradient.gain) |",
    "decisions: | XGBoost | gradients: for squared error and λ = 0 the same as $n$ |",
    "measures/entropy_more: | XGBoost | | 32-bit gradients | not used: it fits derivatives of the loss |",
)
def _the_gain_of_exercise_5_2() -> bool:
    np = import_module("numpy")

    y = [4.50, 4.75, 4.91, 5.34, 5.80, 7.05, 7.90, 8.23, 8.70, 9.00]
    stump = _nodes(_booster(np.arange(1.0, 11).reshape(-1, 1), y, base_score=6.618))
    return bool(abs(stump["gain"] - 24.2736) < 1e-3)


@says(
    "XGBoost",
    "decisions: this gain; more than 10⁻⁶; less than γ is pruned, from below",
)
def _gamma_prunes() -> bool:
    np = import_module("numpy")

    rows, target = np.array([[1.0], [2.0]]), [0, 1]
    gain = _nodes(_booster(rows, target, base_score=0.5))["gain"]
    kept, gone = (_nodes(_booster(rows, target, base_score=0.5, gamma=gain * share)) for share in (0.99, 1.01))
    return "leaf" not in kept and "leaf" in gone


@says(
    "XGBoost",
    "decisions: | XGBoost, `hist` (its default) | the better side; the right one of equals, and where the node has no",
)
def _the_side_of_gaps_in_histograms() -> bool:
    np = import_module("numpy")

    gap = float("nan")
    rows = [[1.0], [1.0], [3.0], [3.0], [gap], [gap]]
    nodes = [_nodes(_booster(np.array(rows), [0, 0, 1, 1, y, y], tree_method="hist")) for y in (0, 1)]
    nodes += [_nodes(_booster(np.array(rows[:4]), [0, 0, 1, 1], tree_method="hist"))]
    return [node["missing"] == node["no"] for node in nodes] == [False, True, True]


@says(
    "XGBoost",
    "decisions: | XGBoost, `hist` (its default) | this gain; more than 10⁻⁶ and at least γ, at once: nothing is grown",
)
def _histograms_do_not_look_below_a_poor_split() -> bool:
    np = import_module("numpy")

    # The root gains 0.05, and below it there is more: `exact` finds it, and `hist` does not look.
    x, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), [0.1, 1, 1, 0.4]
    trees = [
        _nodes(_booster(x, y, max_depth=2, gamma=0.1, base_score=0.625, tree_method=one)) for one in ("exact", "hist")
    ]
    return ["leaf" in tree for tree in trees] == [False, True]


@says(
    "XGBoost",
    "decisions: | `stop.min-child-weight`{#stop.min-child-weight} |",
    "decisions: | XGBoost | both branches have a hessian of at least `min_child_weight` |",
)
def _the_least_hessian() -> bool:
    np = import_module("numpy")

    rows, y = np.array([[1.0], [2.0], [3.0]]), [0, 1, 1]
    return ["leaf" in _nodes(_booster(rows, y, base_score=0.5, min_child_weight=least)) for least in (1, 1.5)] == [
        False,
        True,
    ]


@says("XGBoost", "decisions: | rpart, scikit-learn, XGBoost | again: their questions have two answers |")
def _a_number_is_asked_again() -> bool:
    np = import_module("numpy")

    tree = _nodes(_booster(np.array([[1.0], [2.0], [3.0]]), [0, 5, 0], max_depth=2, base_score=0.5))
    return {"f0"} == {tree["split"], *(child["split"] for child in tree["children"] if "split" in child)} and len(
        str(tree).split("'split'")
    ) == 3


@says("XGBoost", "decisions: | scikit-learn, XGBoost | an error |")
def _a_row_without_a_target_is_refused() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    try:
        _booster(np.array([[1.0], [2.0]]), [0, float("nan")])
    except xgboost.core.XGBoostError:
        return True
    return False


@says("XGBoost", "decisions: | scikit-learn, XGBoost | the user says |")
def _the_objective_says_what_is_predicted() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    rows = np.array([[1.0], [2.0]])
    answers = [
        _booster(rows, [0, 1], objective=one).predict(xgboost.DMatrix(rows))
        for one in ("reg:squarederror", "binary:hinge")
    ]
    return answers[0].dtype == answers[1].dtype and set(map(float, answers[1])) <= {0.0, 1.0}


@says(
    "XGBoost",
    "ensembles/boosting_tree_more: scikit-learn and XGBoost begin with the mean of the targets and not with 0,",
    "auditing: XGBoost 3.2 grew it, and estimated its own start.",
)
def _the_start_is_the_mean() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    x, y = np.arange(256.0).reshape(-1, 1), np.arange(256.0) % 7
    model = xgboost.train({}, xgboost.DMatrix(x, label=y), 1)
    config = json.loads(model.save_config())
    start = config["learner"]["learner_model_param"]["base_score"].strip("[]")
    text = json.dumps(config)
    depth = max(line.count("\t") for line in model.get_dump()[0].splitlines())
    return (
        abs(float(start) - float(y.mean())) < 1e-5
        and depth == 6
        and ('"eta": "0.300000012"' in text or '"learning_rate": "0.300000012"' in text)
    )


@says(
    "XGBoost",
    "ensembles/gradient_boosting_more: | | as it is told | XGBoost |",
    "ensembles/gradient_boosting_more: XGBoost does not reweight rows, takes no vote, and does not draw rows by how",
    "ensembles/adaboost: [XGBoost](gradient_boosting.md) neither draws by weights nor counts votes.",
    "foreign: XGBoost adds up the values of its trees in float32 (`sums`)",
    "foreign: XGBoost's are rounded to float32 after each tree, as there, and a sum is the same to the bit.",
)
def _the_answer_is_a_sum_in_float32() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    rows = np.random.default_rng(0).random((60, 3))
    model = _booster(rows, rows[:, 0] * 7 + rows[:, 1], 9, max_depth=3, eta=0.3)
    again = _booster(rows, rows[:, 0] * 7 + rows[:, 1], 9, max_depth=3, eta=0.3, seed=9)  # nothing is drawn
    leaves = model.predict(xgboost.DMatrix(rows), pred_leaf=True)
    values = [_leaf_values(_nodes(model, tree)) for tree in range(9)]
    answers = model.predict(xgboost.DMatrix(rows))
    for row, answer in zip(leaves, answers, strict=True):
        total = np.float32(0)
        for tree, leaf in enumerate(row):
            total = np.float32(total + np.float32(values[tree][int(leaf)]))
        if total != answer:
            return False
    return bool(model.get_dump() == again.get_dump())


def _leaf_values(node: Any) -> dict[int, float]:
    if "leaf" in node:
        return {node["nodeid"]: node["leaf"]}
    return {name: value for child in node["children"] for name, value in _leaf_values(child).items()}


@says("XGBoost", "ensembles/gradient_boosting_more: as in XGBoost since 3.1 (`class_start` of `GradientBoosting`)")
def _several_classes_start_at_logarithms() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    y = [0] * 4 + [1] * 2 + [2] * 2
    data = xgboost.DMatrix(np.zeros((8, 1)), label=y)
    model = xgboost.train({"objective": "multi:softprob", "num_class": 3}, data, 1)
    margin = xgboost.train({"objective": "multi:softprob", "num_class": 3, "eta": 0}, data, 1).predict(
        data, output_margin=True
    )[0]
    logs = np.log(np.array([4, 2, 2]) / 8)
    return model is not None and bool(abs(margin - (logs - logs.mean())).max() < 1e-5)


@says(
    "XGBoost",
    "ensembles/importance: | XGBoost | `gain`: the average gain of a question about it; as sums, `total_gain`",
)
def _importance_is_gain() -> bool:
    np = import_module("numpy")

    rows = np.random.default_rng(0).random((60, 2))
    model = _booster(rows, rows[:, 0] + rows[:, 1] ** 2, max_depth=3)
    gains: dict[str, list[float]] = {}
    stack = [_nodes(model)]
    while stack:
        node = stack.pop()
        if "split" in node:
            gains.setdefault(node["split"], []).append(node["gain"])
            stack += node["children"]
    mean, total = model.get_score(importance_type="gain"), model.get_score(importance_type="total_gain")
    return all(
        abs(mean[one] - sum(some) / len(some)) < 1e-3 and abs(total[one] - sum(some)) < 1e-2
        for one, some in gains.items()
    )


@says(
    "XGBoost",
    "data/held: | `code` | the nearest float32, cut off; negative numbers, and those from 2²⁴ up, are no category |",
)
def _a_code_is_cut_off() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    rows = np.array([[0.0], [1.0], [2.0]] * 5)
    data = xgboost.DMatrix(rows, label=[0, 5, 9] * 5, feature_types=["c"], enable_categorical=True)
    model = xgboost.train(
        {"tree_method": "hist", "min_child_weight": 0, "lambda": 0, "eta": 1, "max_cat_to_onehot": 9}, data, 1
    )
    asked = xgboost.DMatrix(np.array([[1.0], [1.7], [2.0], [2.9]]), feature_types=["c"], enable_categorical=True)
    one, cut, two, cut_too = model.predict(asked)
    return bool(one == cut != two == cut_too)


@says(
    "XGBoost",
    "estimators: Releases of XGBoost differ.",
    'dialects/xgboost: | trees are dropped out (DART) | with `booster="dart"` | with `booster="dart"` | with',
)
def _rate_drop_alone() -> bool:
    np = import_module("numpy")

    rows = np.random.default_rng(0).random((60, 3))
    y = rows[:, 0] + rows[:, 1]
    plain, dropped = (_booster(rows, y, 8, rate_drop=rate, tree_method="hist").get_dump() for rate in (0, 0.9))
    release = tuple(map(int, str(RELEASES["XGBoost"]()).split(".")[:2]))
    return bool((plain != dropped) == (release >= (3, 4)))


@says(
    "XGBoost",
    "auditing: - **A dump** of XGBoost has only trees.",
    "foreign: A dump: also the objective, where the sums start, the names of categories |",
    "auditing: LightGBM's text has all of them, its JSON has the rate, and XGBoost's model has the objective and the",
    "auditing: `booster.save_config()` writes XGBoost's other options",
)
def _what_a_model_states() -> bool:
    np = import_module("numpy")

    model = _booster(np.array([[1.0], [2.0]]), [0, 1])
    learner = json.loads(model.save_raw("json"))["learner"]
    dump, config = "".join(model.get_dump(dump_format="json")), model.save_config()
    return (
        "objective" in learner
        and "base_score" in learner["learner_model_param"]
        and "max_depth" not in json.dumps(learner)
        and ("objective" not in dump and "base_score" not in dump and '"max_depth":"1"' in config.replace(" ", ""))
    )


@says(
    "XGBoost",
    "auditing: - **XGBoost's `approx`** makes its bins anew for each tree, by quantiles weighed by h.",
    "auditing: LightGBM, and XGBoost where its thresholds are values of the data, are judged among the cuts",
)
def _approx_makes_its_bins_anew() -> bool:
    np = import_module("numpy")

    rows = np.random.default_rng(1).random((3000, 1)) ** 3
    y = (rows[:, 0] > 0.3).astype(float)
    cuts = {}
    for method in ("approx", "hist"):
        model = _booster(
            rows, y, 12, tree_method=method, max_bin=6, objective="binary:logistic", base_score=0.5, max_depth=6
        )
        cuts[method] = {
            node.split("<")[1].split("]")[0] for tree in model.get_dump() for node in tree.splitlines() if "<" in node
        }
    return len(cuts["hist"]) <= 6 < len(cuts["approx"])


# LightGBM.


def _light(rows: Any, target: Any, rounds: int = 1, **parameters: Any) -> Any:
    lightgbm = import_module("lightgbm")

    given = {
        "min_data_in_leaf": 1,
        "min_data_in_bin": 1,
        "min_sum_hessian_in_leaf": 0,
        "verbose": -1,
        "learning_rate": 1,
        "num_threads": 1,
    }
    categories = parameters.pop("categorical_feature", "auto")
    data = lightgbm.Dataset(rows, label=target, categorical_feature=categories)
    return lightgbm.train({**given, **parameters}, data, rounds)


@says("LightGBM", "foreign: | LightGBM | double | `<=` |")
def _light_asks_at_most() -> bool:
    np = import_module("numpy")

    near = 1 + 2.0**-40
    model = _light(np.array([[1.0], [1.0], [near], [near]] * 3), [0, 0, 1, 1] * 3)
    at = model.dump_model()["tree_info"][0]["tree_structure"]
    low, high = model.predict(np.array([[at["threshold"]], [near]]))
    return bool(at["decision_type"] == "<=" and low < high)


@says("LightGBM", "auditing: LightGBM starts from the average of the data, which its first leaves include.")
def _light_starts_from_the_average() -> bool:
    np = import_module("numpy")

    model = _light(np.array([[1.0], [2.0], [3.0], [4.0]]), [10, 10, 20, 20], learning_rate=0.5)
    leaves = [
        child["leaf_value"]
        for child in (
            model.dump_model()["tree_info"][0]["tree_structure"][side] for side in ("left_child", "right_child")
        )
    ]
    return all(abs(leaf - expected) < 1e-6 for leaf, expected in zip(leaves, (12.5, 17.5), strict=True))


@says("LightGBM", "auditing: - **LightGBM's counts**: it estimates the rows of a side from its H, bin by bin.")
def _light_estimates_counts() -> bool:
    np = import_module("numpy")

    rng = np.random.default_rng(0)
    rows = rng.random((400, 4))
    model = _light(
        rows,
        (rows[:, 0] + 0.3 * rng.random(400) > 0.6).astype(int),
        30,
        objective="binary",
        min_data_in_leaf=20,
        num_leaves=15,
    )
    leaves = model.predict(rows, pred_leaf=True)
    return min(int(count) for tree in leaves.T for count in np.unique(tree, return_counts=True)[1]) < 20


@says("LightGBM", "auditing: LightGBM drops an attribute below a node where none of its questions gains;")
def _light_drops_an_attribute() -> bool:
    np = import_module("numpy")

    # b gains nothing at the root, and everything below it.
    a, b = np.repeat([0.0, 1], 8), np.tile(np.repeat([0.0, 1], 4), 2)
    y = a * 10 + np.where(a == b, 1.0, -1.0)
    nodes = _light(np.column_stack([a, b]), y).dump_model()["tree_info"][0]
    return int(nodes["num_leaves"]) == 2


@says("LightGBM", "auditing: A tree of one leaf adds nothing, or the start")
def _a_tree_of_one_leaf() -> bool:
    np = import_module("numpy")

    model = _light(np.zeros((8, 1)), [1.0, 3] * 4)
    return bool(model.predict(np.zeros((1, 1)))[0] == 2)


@says(
    "LightGBM",
    "auditing: LightGBM's text has all of them, its JSON has the rate, and XGBoost's model has the objective and the",
    "foreign: what inner nodes would answer, but with six digits |",
)
def _what_a_light_model_states() -> bool:
    np = import_module("numpy")

    model = _light(np.array([[1.0], [2.0], [3.0], [4.0]]), [10, 10, 20, 20.5], lambda_l2=3, learning_rate=0.25)
    text, dump = model.model_to_string(), model.dump_model()
    tree = dump["tree_info"][0]
    return (
        "[lambda_l2: 3]" in text
        and tree["shrinkage"] in {0.25, 1}
        and "lambda_l2" not in json.dumps(dump)
        and "internal_value" in tree["tree_structure"]
    )


@says("LightGBM", "data/held: | `whole` | the nearest double, cut off: 0.7 and -0.5 are 0 | LightGBM |")
def _a_category_of_light_is_cut_off() -> bool:
    np = import_module("numpy")

    rows = np.array([[0.0], [1.0], [2.0]] * 40)
    model = _light(rows, [0, 5, 9] * 40, categorical_feature=[0], min_data_per_group=1, cat_smooth=0, cat_l2=0)
    zero, near, below, one = model.predict(np.array([[0.0], [0.7], [-0.5], [1.0]]))
    return bool(zero == near == below != one)


@says("LightGBM", "foreign: LightGBM's sums are exact here, so the last digits of an answer differ.")
def _light_adds_in_doubles() -> bool:
    np = import_module("numpy")

    rows = np.random.default_rng(0).random((60, 3))
    model = _light(rows, rows[:, 0] * 7 + rows[:, 1], 9)
    each = [model.predict(rows, start_iteration=tree, num_iteration=1) for tree in range(9)]
    total = each[0]
    for one in each[1:]:
        total = total + one
    return bool((total == model.predict(rows)).all())


@says(
    "LightGBM",
    "foreign: | XGBoost `reg:squarederror`, `reg:squaredlogerror`,",
    "foreign: | XGBoost `count:poisson`, `reg:gamma`,",
    "foreign: | XGBoost `reg:logistic`; LightGBM `cross_entropy` | its logistic function, as a number |",
    "foreign: | LightGBM `cross_entropy_lambda` | the logarithm of 1 and e to the power of the sum |",
    "foreign: | LightGBM `regression` with `reg_sqrt` | its square, with its sign |",
)
def _what_light_makes_of_the_sum() -> bool:
    np = import_module("numpy")

    rows = np.random.default_rng(0).random((80, 2))
    made: dict[str, Callable[[Any], Any]] = {
        **dict.fromkeys(["regression", "regression_l1", "huber", "fair", "quantile", "mape"], lambda sums: sums),
        **dict.fromkeys(["poisson", "gamma", "tweedie"], np.exp),
        **dict.fromkeys(["cross_entropy", "binary"], lambda sums: 1 / (1 + np.exp(-sums))),
        "cross_entropy_lambda": lambda sums: np.log1p(np.exp(sums)),
    }
    for objective, of in made.items():
        y = (rows[:, 0] > 0.5).astype(float) if objective == "binary" else rows[:, 0] * 0.9 + 0.05
        model = _light(rows, y, 3, objective=objective)
        if abs(of(model.predict(rows, raw_score=True)) - model.predict(rows)).max() > 1e-9:
            return False
    model = _light(rows, rows[:, 0] - 0.5, 3, objective="regression", reg_sqrt=True)
    sums = model.predict(rows, raw_score=True)
    return bool(abs(np.sign(sums) * sums**2 - model.predict(rows)).max() < 1e-9)


@says(
    "XGBoost",
    "foreign: | XGBoost `reg:squarederror`, `reg:squaredlogerror`,",
    "foreign: | XGBoost `count:poisson`, `reg:gamma`,",
    "foreign: | XGBoost `reg:logistic`; LightGBM `cross_entropy` | its logistic function, as a number |",
)
def _what_xgboost_makes_of_the_sum() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    rows = np.random.default_rng(0).random((80, 2))
    made: dict[str, Callable[[Any], Any]] = {
        **dict.fromkeys(
            ["reg:squarederror", "reg:squaredlogerror", "reg:absoluteerror", "reg:pseudohubererror", "binary:logitraw"],
            lambda sums: sums,
        ),
        **dict.fromkeys(["count:poisson", "reg:gamma", "reg:tweedie", "survival:cox"], np.exp),
        **dict.fromkeys(["reg:logistic", "binary:logistic"], lambda sums: 1 / (1 + np.exp(-sums))),
    }
    for objective, of in made.items():
        y = (rows[:, 0] > 0.5).astype(float) if objective.startswith("binary") else rows[:, 0] * 0.9 + 0.05
        model = xgboost.train({"objective": objective}, xgboost.DMatrix(rows, label=y), 3)
        data = xgboost.DMatrix(rows)
        if abs(of(model.predict(data, output_margin=True)) - model.predict(data)).max() > 1e-5:
            return False
    return True


def _stump_and_bias(**contributions: Any) -> tuple[Any, float]:
    """A stump of XGBoost whose sides have other shares of H than of rows, and what it states besides contributions."""
    np, xgboost = import_module("numpy"), import_module("xgboost")

    rows = np.array([[place] for place in range(8)], dtype=float)
    matrix = xgboost.DMatrix(rows, label=[0, 0, 0, 0, 0, 0, 1, 1], weight=[1, 1, 1, 1, 1, 1, 5, 5])
    given = {"max_depth": 1, "lambda": 0, "min_child_weight": 0, "eta": 1, "base_score": 0.5, "tree_method": "exact"}
    booster = xgboost.train(given, matrix, 1)
    return _nodes(booster), float(booster.predict(matrix, **contributions)[0][-1])


@says("XGBoost", "attribution/shapley_more: | XGBoost, `pred_contribs` | path-dependent | sums of second")
def _contributions_are_weighed_by_hessians() -> bool:
    root, bias = _stump_and_bias(pred_contribs=True)
    mean = sum(one["leaf"] * one["cover"] for one in root["children"]) / root["cover"]
    return bool(root["cover"] == 16 and abs(bias - 0.5 - mean) < 1e-6)


@says(
    "XGBoost",
    "attribution/shapley_more: | XGBoost, `approx_contribs` | none: the parts of the path | sums of second",
)
def _approximate_contributions_are_parts_of_the_path() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    booster = _booster(rows, [0, 1, 2, 6], max_depth=2)
    found = booster.predict(xgboost.DMatrix(rows), pred_contribs=True, approx_contribs=True)[3].tolist()
    # the root tests the first attribute, whose means are 1/2 and 4; below it the second one leads from 4 to 6
    return all(abs(one - other) < 1e-6 for one, other in zip(found, [1.75, 2, 2.25], strict=True))


@says("LightGBM", "attribution/shapley_more: | LightGBM, `pred_contrib` | path-dependent | counts of rows, even if")
def _contributions_of_lightgbm_are_weighed_by_counts() -> bool:
    np, lightgbm = import_module("numpy"), import_module("lightgbm")

    rows = np.array([[place] for place in range(40)], dtype=float)
    target, weight = np.array([0.0] * 30 + [1.0] * 10), np.array([1.0] * 30 + [5.0] * 10)
    given = {"num_leaves": 2, "min_data_in_leaf": 1, "boost_from_average": False, "learning_rate": 1, "verbose": -1}
    model = lightgbm.train(given, lightgbm.Dataset(rows, target, weight=weight), 1)
    bias = float(model.predict(rows, pred_contrib=True)[0][-1])
    return abs(bias - float(model.predict(rows).mean())) < 1e-9
