"""The formulas that are cited are those that run: every one is entered when the book does its work without its engine.

In a process of its own, with `REFERENCE_TREE_ENGINE=off`, every learner, pruning and way of selecting goes through the
tables of the textbooks under a tracer. A public function of the book whose docstring cites one of the notes N0 to N4 as
its source has to be among those entered, or stand below with a reason.

    python -m tests.test_the_book_runs      # names those that are not entered
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from reference_tree.learners.criteria import Criterion
from tools.entered import SWITCH, Function, functions, package, traced

BOOK = (
    "measures",
    "splitting",
    "learners",
    "pruning",
    "selection",
    "ensembles",
    "data",
    "predictor.py",
    "tree.py",
    "node.py",
)
"""The folders and modules of the book."""

READ_ONLY = {
    "entropy_of_distribution": "of probabilities, for whoever has no counts",
    "entropy_of_proportion": "the same of two classes",
    "maximum_entropy": "what an entropy is at most: a law, which the tests hold",
    "joint_distribution": "N0 defines it, and nothing is computed by it",
    "known_class_shares": "the shares p̃ of counts, of which the entropy takes the counts",
    "multiway_candidates": "all candidates of a node, which a decision lists when it is asked for them",
    "linear_splits": "the same of a node with linear tests",
    "regret": "what a search for a linear test missed: asked of a decision afterwards",
    "expected_information_gain": "what a question gains by chance: the measure of a bias, for a reader",
    "expected_gini_decrease": "the same of the Gini index",
    "adjusted_information_gain": "a gain less what it is by chance",
    "adjusted_gini_decrease": "the same of the Gini index",
    "variance": "of values, for whoever has no moments",
    "variance_reduction": "the same",
    "customers": "a table for an experiment with trees",
    "bars": "the same of pictures",
    "bright": "the same",
    "longest_lines": "columns made of pictures",
}
"""Functions that no learner calls, for a reader or for the derivation, each with its reason."""


def everything() -> None:
    """All that the book does, on the tables of the textbooks."""
    import reference_tree as rt
    from reference_tree.ensembles.adaboost import training_error_bound
    from reference_tree.measures.class_probability import LeafCounts, estimates
    from reference_tree.pruning.choosing_alpha import choose
    from reference_tree.pruning.cost_complexity import cost_complexity, pruning_path, weakest_links
    from reference_tree.pruning.cost_function import cost, cost_function
    from reference_tree.pruning.error_based import ErrorBased, error_based
    from reference_tree.pruning.pre_pruning import PrePruning
    from reference_tree.pruning.reduced_error import best_first, bottom_up
    from reference_tree.selection.cross_validation import folds, simplest_near_best, trials
    from reference_tree.selection.holdout import Split, error, holdout
    from reference_tree.selection.overfitting import complexity_curve, learning_curve, overfits
    from reference_tree.splitting.continuous_bisection import best_cuts
    from reference_tree.splitting.discretization import Bin, discretize
    from reference_tree.splitting.one_hot_encoding import one_hot

    tables = partial(map, rt.textbook)
    categories = list(tables(("play-tennis", "watermelon-2.0", "loan", "cats-categorical", "visitor")))
    mixed = list(tables(("golf", "watermelon-3.0", "cats")))
    gaps, numbers, plane = tables(("watermelon-2.0a", "cats-regression", "watermelon-3.0a"))
    training, validation = tables(("watermelon-2.0-train", "watermelon-2.0-validation"))
    tennis, golf, cats = categories[0], mixed[0], mixed[2]

    # The learners.
    for table in (*categories, *mixed, gaps):
        for profile in rt.C45.profiles:
            rt.C45.like(profile).grow(table)
        for branching in ("subset", "one-vs-rest", "multiway"):
            for criterion in ("gini", "entropy", "misclassification"):
                rt.CART(branching=branching, criterion=criterion).grow(table)
    for table in (*mixed, gaps):
        rt.ID3.like("zhou").grow(table)
    for table in categories:
        rt.ID3().grow(table)
        rt.ID3(epsilon=Fraction(1, 10), max_depth=2).grow(table)
    for missing in ("fractions", "surrogates"):
        rt.CART(missing=missing).grow(gaps)
    of_numbers: tuple[Criterion, ...] = ("squared_error", "absolute_error", "variance_n_minus_1")
    for criterion in of_numbers:
        rt.CART(criterion=criterion).grow(numbers)
    rt.CART(min_impurity_decrease=Fraction(1, 10)).grow(tennis)
    rt.CART.like("rpart", min_samples_split=2, min_samples_leaf=1).grow(tennis)
    for search in ("exhaustive", "cart-lc", "oc1", "lda"):
        rt.CART(branching="linear", search=search).grow(plane)

    # Gradient boosting.
    for table in (tennis, numbers, gaps, rt.textbook("contact-lenses")):
        rt.GradientBoosting(base=rt.GradientTree(max_depth=2, gamma=Fraction(1, 10)), trees=2).grow(table).predict(
            table
        )
    shares = dict.fromkeys(("colsample_bytree", "colsample_bylevel", "colsample_bynode"), Fraction(1, 2))
    boosted = rt.GradientBoosting(base=rt.GradientTree(**shares), trees=2, subsample=Fraction(1, 2)).grow(golf)  # type: ignore[arg-type]
    list(map(float, boosted.distribution(golf)[0].values()))
    # Ensembles.
    for together in (rt.Bagging(base=rt.ID3(), trees=3), rt.RandomForest(base=rt.ID3(), trees=3)):
        together.grow(tennis).votes(next(tennis.rows()))

    # Boosting.
    training_error_bound([found.error for found in rt.AdaBoost(trees=3).rounds(tennis)])
    for algorithm in ("m1", "samme"):
        rt.AdaBoost(trees=3, algorithm=algorithm, resample=True).grow(tennis).predict(tennis)
    rt.BoostingTree(trees=3).grow(numbers).predict(numbers)

    # The prunings.
    rt.Optimal().grow(tennis)
    tree, other = rt.ID3().grow(tennis), rt.ID3().grow(training)
    cost_function(tree, 3)
    cost(tree, 1)
    rt.prune(tree, "pessimistic", tennis)
    rt.prune(tree, "minimum-error", tennis)
    rt.prune(tree, "critical-value", tennis, critical_value=1)
    for on_equal in ("prune", "keep"):
        bottom_up(other, validation, on_equal)
        best_first(other, validation, on_equal)
    for risk in (None, "entropy"):
        pruning_path(tree, risk=risk)
    weakest_links(cost_complexity(tree, 0))
    choose(rt.C45().grow, golf, folds(golf, 3, seed=1), unseen="majority")
    for rules in (ErrorBased(), ErrorBased.like("c45-r8")):
        error_based(rt.C45().grow(golf), golf, rules)
    for rule in ("stop", "split"):
        PrePruning(rt.ID3(), rule).grow(training, validation)

    # What is done to a table before growing.
    bins = [Bin.parse("low", "(-inf, 70]"), Bin.parse("high", "(70, inf)")]
    rt.C45().grow(discretize(golf, "temperature", bins))
    rt.CART().grow(one_hot(tennis))
    best_cuts(cats.sample(), "weight")

    # Selection and prediction.
    rt.ID3().grow(holdout(tennis, seed=1).training)
    tried = trials(range(3), lambda depth: rt.C45(max_depth=depth).grow, cats, folds(cats, 5, seed=1))
    simplest_near_best(tried)
    rt.select(rt.C45(), cats, 5, seed=1, max_depth=range(3))
    split, stump = Split(training, validation), rt.ID3(max_depth=1)
    complexity_curve(range(3), lambda depth: rt.ID3(max_depth=depth).grow, split)
    learning_curve(stump.grow, split, [5, 10], seed=1)
    overfits(other, stump.grow(training), training, validation)
    for name, estimate in estimates().items():
        tree.distribution(tennis, estimate=name)
        estimate.of(LeafCounts(weight=2, rows=5, classes=2, prior=Fraction(9, 14), m=2))
    for grown, table in ((tree, tennis), (rt.C45().grow(gaps), gaps), (rt.CART().grow(numbers), numbers)):
        error(grown, table)
        grown.check(table)
        list(grown.rules())
        for row in table.rows() if table is not numbers else ():
            grown.distribution(row)
            grown.predict(row)
            list(grown.way(row))


def cited() -> Iterator[Function]:
    """The public functions of the book that cite a note."""
    for path in sorted(package().rglob("*.py")):
        if path.relative_to(package()).parts[0] in BOOK:
            for _, function in functions(path):
                if function.source and not function.engine and not function.name.split(".")[-1].startswith("_"):
                    yield function


def not_entered() -> list[Function]:
    """Those of them that the book never enters."""
    found = set(traced(everything))
    return [function for function in cited() if function not in found]


@pytest.mark.slow
def test_every_formula_that_cites_a_note_is_entered() -> None:
    command = [sys.executable, "-m", "tests.test_the_book_runs"]
    environment = {**os.environ, SWITCH: "off"}
    root = Path(__file__).parents[1]
    run = subprocess.run(command, cwd=root, env=environment, capture_output=True, encoding="utf-8", check=True)
    assert [line for line in run.stdout.splitlines() if line.split()[-1] not in READ_ONLY] == []


@pytest.mark.slow
def test_what_is_only_read_is_there() -> None:
    assert READ_ONLY.keys() <= {function.name for function in cited()}


if __name__ == "__main__":
    os.environ[SWITCH] = "off"
    for missed in not_entered():
        print(f"{missed.file}:{missed.first} {missed.name}")
