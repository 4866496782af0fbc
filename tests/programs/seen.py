"""What the pages say of other programs, and a run that sees it again: `python -m tests.programs.seen`.

A sentence about a program is true of the releases in which it was seen. Each `Claim` names a page, some words of its
sentence, and a run of the program that holds exactly if the sentence does. `RECORD` has the releases in which all
claims about a program held; the page of decisions shows it, and `report` lists what the newest release no longer does.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests" / "recorded" / "seen.toml"

PACKAGES = {"scikit-learn": ("scikit-learn",), "XGBoost": ("xgboost-cpu", "xgboost")}
"""Program → the names of its packages."""


@dataclass(frozen=True)
class Claim:
    """A sentence about a program, and the run that sees whether it is so."""

    program: str
    page: str
    words: str
    holds: Callable[[], bool]


CLAIMS: list[Claim] = []


def says(program: str, page: str, words: str) -> Callable[[Callable[[], bool]], Callable[[], bool]]:
    """A function that sees whether the sentence of a page with these words is so."""

    def record(holds: Callable[[], bool]) -> Callable[[], bool]:
        CLAIMS.append(Claim(program, page, words, holds))
        return holds

    return record


def release(program: str) -> str | None:
    """The release of a program that is installed; None if it is not."""
    for package in PACKAGES[program]:
        try:
            return version(package)
        except PackageNotFoundError:
            continue
    return None


def recorded() -> dict[str, list[str]]:
    """Program → the releases in which all claims about it were seen to hold."""
    found: dict[str, list[str]] = tomllib.loads(RECORD.read_text(encoding="utf-8"))
    return found


def no_longer() -> Iterator[Claim]:
    """The claims that do not hold in the releases that are installed."""
    for claim in CLAIMS:
        if release(claim.program) is not None and not claim.holds():
            yield claim


# scikit-learn.


def _tree(rows: Any, target: Any, **parameters: Any) -> Any:
    DecisionTreeClassifier = import_module("sklearn.tree").DecisionTreeClassifier

    return DecisionTreeClassifier(**{"random_state": 0, **parameters}).fit(rows, target)


XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


@says("scikit-learn", "decisions", "50 orders of iris under one seed gave one tree, 50 seeds gave eight")
def _seeds_decide() -> bool:
    np = import_module("numpy")
    load_iris = import_module("sklearn.datasets").load_iris
    export_text = import_module("sklearn.tree").export_text

    X, y = load_iris(return_X_y=True)
    orders = [np.random.default_rng(seed).permutation(len(y)) for seed in range(50)]
    by_order = {export_text(_tree(X[order], y[order])) for order in orders}
    by_seed = {export_text(_tree(X, y, random_state=seed)) for seed in range(50)}
    return len(by_order) == 1 and len(by_seed) == 8


@says("scikit-learn", "decisions", "classes sorted; it has no categorical attributes")
def _classes_are_sorted() -> bool:
    try:
        _tree([["a"], ["b"]], [0, 1])
    except ValueError:
        return list(_tree([[1], [2]], ["q", "p"]).classes_) == ["p", "q"]
    return False


@says("scikit-learn", "decisions", "attributes are looked at in an order drawn from `random_state`")
def _attributes_are_drawn() -> bool:
    return {int(_tree([[0, 0], [1, 1]], [0, 1], random_state=seed).tree_.feature[0]) for seed in range(20)} == {0, 1}


@says("scikit-learn", "decisions", "C4.5, J48, Id3, scikit-learn | the first class")
def _the_first_of_equal_classes() -> bool:
    return list(_tree([[1], [1]], ["q", "p"]).predict([[1]])) == ["p"]


@says("scikit-learn", "decisions", "both branches have at least 1 row; a column of equal values is passed over")
def _a_constant_column_is_passed_over() -> bool:
    return {int(_tree([[5, 0], [5, 1]], [0, 1], random_state=seed).tree_.feature[0]) for seed in range(9)} == {1}


@says("scikit-learn", "decisions", "midpoint of values rounded to 32 bits, `<=`; a gap of 10⁻⁷ counts as none")
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


@says("scikit-learn", "decisions", "the root has depth 0; a leaf below `min_samples_split` = 2")
def _bounds() -> bool:
    stump = _tree(*XOR, max_depth=1)
    decrease = _tree([[0], [1]], [0, 1], min_impurity_decrease=0.5)
    return bool(
        stump.get_depth() == 1 and _tree([[0], [1]], [0, 1]).min_samples_split == 2 and decrease.get_depth() == 1
    )


@says("scikit-learn", "decisions", "| scikit-learn | splits |")
def _zero_gain_splits() -> bool:
    return bool(_tree(*XOR).score(*XOR) == 1)


@says("scikit-learn", "decisions", "the side that scores better")
def _missing_goes_to_the_better_side() -> bool:
    gap = float("nan")
    tree = _tree([[1], [2], [3], [gap]], [0, 0, 1, 1])
    other = _tree([[1], [2], [3], [gap]], [0, 1, 1, 0], max_depth=1)
    return list(tree.predict([[gap]])) == [1] and list(other.predict([[gap]])) == [0]


@says("scikit-learn", "decisions", "where the node has no gap, the one with more rows")
def _without_a_gap_the_larger_side() -> bool:
    gap = float("nan")
    tree = _tree([[1], [2], [3]], [0, 0, 1])
    return list(tree.predict([[gap]])) == [0] and list(_tree([[1], [2], [3]], [0, 1, 1]).predict([[gap]])) == [1]


@says("scikit-learn", "decisions", r"$\lfloor\sqrt n\rfloor$ for classes, all for numbers")
def _most_attributes_of_forests() -> bool:
    module = import_module("sklearn.ensemble")
    RandomForestClassifier, RandomForestRegressor = module.RandomForestClassifier, module.RandomForestRegressor

    return bool(RandomForestClassifier().max_features == "sqrt" and RandomForestRegressor().max_features == 1.0)


@says("scikit-learn", "decisions", "goes on until a drawn attribute is not constant at the node")
def _draws_go_on() -> bool:
    rows = [[5] * 9 + [0], [5] * 9 + [1]]
    return {int(_tree(rows, [0, 1], max_features=1, random_state=seed).tree_.feature[0]) for seed in range(20)} == {9}


@says("scikit-learn", "decisions", "keeps a perfect tree beside the others, with a vote of 1")
def _a_perfect_tree_of_adaboost() -> bool:
    AdaBoostClassifier = import_module("sklearn.ensemble").AdaBoostClassifier

    perfect = AdaBoostClassifier(random_state=0).fit([[0], [1]], [0, 1])
    try:
        AdaBoostClassifier(random_state=0).fit([[0], [0]], [0, 1])
    except ValueError:
        return list(perfect.estimator_weights_[: len(perfect.estimators_)]) == [1.0]
    return False


@says("scikit-learn", "decisions", "equal widths; a cut belongs to the interval above it")
def _bins() -> bool:
    KBinsDiscretizer = import_module("sklearn.preprocessing").KBinsDiscretizer

    cut = KBinsDiscretizer(2, encode="ordinal", strategy="uniform").fit([[0.0], [2.0]])
    return float(cut.transform([[1.0]])[0][0]) == 1


@says("scikit-learn", "decisions", "the impurity the tree was grown by; cuts one link at a time")
def _links_are_cut_one_by_one() -> bool:
    load_iris = import_module("sklearn.datasets").load_iris

    # Two links of iris have one price: if both went at once, it would stand there once.
    X, y = load_iris(return_X_y=True)
    path = _tree(X, y, criterion="entropy").cost_complexity_pruning_path(X, y)
    prices = [round(float(price), 9) for price in path.ccp_alphas]
    return len(prices) > len(set(prices)) and abs(path.impurities[-1] - math.log2(3)) < 1e-9


@says("scikit-learn", "measures/entropy_more", 'asked for with `criterion="entropy"`; the default is Gini')
def _gini_is_the_default() -> bool:
    tree = _tree([[0], [1]], [0, 1], criterion="entropy")
    return float(tree.tree_.impurity[0]) == 1 and _tree([[0], [1]], [0, 1]).criterion == "gini"


@says("scikit-learn", "measures/variance_more", "rpart and scikit-learn divide by $n$")
def _variance_has_n_below() -> bool:
    DecisionTreeRegressor = import_module("sklearn.tree").DecisionTreeRegressor

    return float(DecisionTreeRegressor().fit([[0], [1]], [0.0, 2.0]).tree_.impurity[0]) == 1


@says("scikit-learn", "ensembles/ensemble", "| scikit-learn | `mean`, under the name of a vote |")
def _forests_take_the_mean() -> bool:
    RandomForestClassifier = import_module("sklearn.ensemble").RandomForestClassifier

    forest = RandomForestClassifier(7, max_depth=1, random_state=0).fit([[0], [0], [0], [1]], [0, 0, 1, 1])
    means = sum(tree.predict_proba([[0.0]]) for tree in forest.estimators_) / 7
    return bool(abs(means - forest.predict_proba([[0.0]])).max() < 1e-12)


# XGBoost.


def _booster(rows: Any, target: Any, rounds: int = 1, **parameters: Any) -> Any:
    xgboost = import_module("xgboost")

    given = {"max_depth": 1, "lambda": 0, "min_child_weight": 0, "eta": 1, "base_score": 0, "tree_method": "exact"}
    return xgboost.train({**given, **parameters}, xgboost.DMatrix(rows, label=target), rounds)


def _nodes(booster: Any, tree: int = 0) -> Any:
    return json.loads(booster.get_dump(dump_format="json", with_stats=True)[tree])


@says("XGBoost", "decisions", "| XGBoost | the attribute with the lower index |")
def _the_lower_index() -> bool:
    np = import_module("numpy")

    rows = np.array([[0, 0], [1, 1], [2, 2]], dtype=float)
    return bool(_nodes(_booster(rows, [0, 0, 1]))["split"] == "f0")


@says("XGBoost", "decisions", "| XGBoost | 32-bit midpoint, `<` |")
def _below_the_midpoint() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    booster = _booster(np.array([[1.0], [2.0]]), [0, 1])
    (answer,) = booster.predict(xgboost.DMatrix(np.array([[1.5]])))
    return _nodes(booster)["split_condition"] == 1.5 and float(answer) == 1


@says("XGBoost", "decisions", "classes have to be numbered from 0")
def _classes_have_numbers() -> bool:
    np, xgboost = import_module("numpy"), import_module("xgboost")

    try:
        xgboost.XGBClassifier(n_estimators=1).fit(np.array([[0.0], [1.0], [2.0]]), [1, 2, 3])
    except ValueError:
        return True
    return False


@says("XGBoost", "decisions", "| XGBoost | does not |")
def _zero_gain_does_not_split() -> bool:
    np = import_module("numpy")

    return "leaf" in _nodes(_booster(np.array(XOR[0], dtype=float), XOR[1], base_score=0.5))


@says("XGBoost", "decisions", "the better side, of equals the right one, so in a column with gaps elsewhere")
def _the_side_of_gaps() -> bool:
    np = import_module("numpy")

    gap = float("nan")
    learnt = [_nodes(_booster(np.array([[1.0], [3.0], [gap]]), [0, 1, y])) for y in (0, 1)]
    plain = _nodes(_booster(np.array([[1.0], [3.0]]), [0, 1]))
    sides = [(node["missing"] == node["yes"], node["missing"] == node["no"]) for node in (*learnt, plain)]
    return sides == [(True, False), (False, True), (True, False)]


@says("XGBoost", "ensembles/gradient_boosting", "XGBoost prints the same gain: without the factor ½")
def _the_gain_of_exercise_5_2() -> bool:
    np = import_module("numpy")

    y = [4.50, 4.75, 4.91, 5.34, 5.80, 7.05, 7.90, 8.23, 8.70, 9.00]
    stump = _nodes(_booster(np.arange(1.0, 11).reshape(-1, 1), y, base_score=6.618))
    return bool(abs(stump["gain"] - 24.2736) < 1e-3)


@says("XGBoost", "decisions", "this gain; more than 10⁻⁶; less than γ is pruned, from below")
def _gamma_prunes() -> bool:
    np = import_module("numpy")

    rows, target = np.array([[1.0], [2.0]]), [0, 1]
    gain = _nodes(_booster(rows, target, base_score=0.5))["gain"]
    kept, gone = (_nodes(_booster(rows, target, base_score=0.5, gamma=gain * share)) for share in (0.99, 1.01))
    return "leaf" not in kept and "leaf" in gone


def main() -> None:
    """Print what was seen of each program, and in which release."""
    for program in PACKAGES:
        claims = [claim for claim in CLAIMS if claim.program == program]
        print(f"{program} {release(program)}: {sum(claim.holds() for claim in claims)} of {len(claims)} claims hold")
    for claim in no_longer():
        print(f"  no longer so: {claim.page}: {claim.words}")


if __name__ == "__main__":
    main()
