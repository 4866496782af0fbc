"""Plotting on the command line: the drawings of `views.plots` that no other command prints, as SVG.

1. `entropy` and `gain` are the curves of a measure; `candidates` are the tests of a node, as bars.
2. `regions` grows a tree from two columns of numbers, and draws how it divides their plane.
3. `overfitting` and `learning` grow trees from some of the rows and judge them by the others: over an option, and over
   the number of rows. `folds` are the parts in which rows are held out.
4. `cut` is a tree and its pruning, `cost` the price at which each of its prunings is the cheapest, and
   `rows` the way of some rows down it.
5. `rounds` are those of boosting, over a column of numbers.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from reference_tree.cli.learning import (
    check_options,
    ensemble_learner,
    grown,
    layout_of,
    learner_of,
    load,
    load_for_learner,
    of_file,
    validation_in,
)
from reference_tree.cli.output import deliver, remark, wipe
from reference_tree.cli.selecting import ERROR, fitting, varied
from reference_tree.cli.tables import table_under
from reference_tree.cli.trees import tree_in
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.learners.growing import revisit
from reference_tree.pruning.cost_complexity import pruning_path
from reference_tree.selection.cross_validation import folds
from reference_tree.selection.holdout import Split, holdout
from reference_tree.selection.overfitting import complexity_curve, learning_curve
from reference_tree.views.plots.bars import candidate_bars, fold_rows
from reference_tree.views.plots.curves import cost_lines, entropy_curve, gain_curve, validation_curve
from reference_tree.views.plots.plane import to_plane
from reference_tree.views.plots.rounds import adaboost_rounds, boosting_rounds
from reference_tree.views.trees.svg import to_svg


class Plot(NamedTuple):
    """A kind of drawing."""

    purpose: str
    draw: Callable[[argparse.Namespace], str]


def run_plot(options: argparse.Namespace) -> None:
    """`plot KIND`: draw a curve, or the regions of a tree."""
    try:
        drawing = PLOTS[options.kind].draw(options)
    finally:
        wipe()
    deliver(drawing, options.output)


def _entropy(options: argparse.Namespace) -> str:
    return entropy_curve(with_gini=options.gini, with_error=options.error, split=options.split)


def _gain(options: argparse.Namespace) -> str:
    return gain_curve(load(options), options.attribute)


def _candidates(options: argparse.Namespace) -> str:
    table = load_for_learner(options)
    tree, learner = grown(options, table), learner_of(options)
    number = tree.find(options.node)
    with of_file(options.data):
        found = next(visit.decision for visit in revisit(tree, learner, table) if visit.number == number)
        return candidate_bars(found)


def _cut(options: argparse.Namespace) -> str:
    tree, pruned = tree_in(options.tree, options), tree_in(options.pruned, options)
    with of_file(options.pruned):
        return to_svg(tree, pruned=pruned)


def _rows(options: argparse.Namespace) -> str:
    tree = tree_in(options.tree, options)
    table = table_under(options.data, tree.target, tree.attributes, layout_of(options), options.weights)
    if options.row is not None:
        if not 1 <= options.row <= len(table):
            raise InputError(
                f"there is no row {options.row}; there are {len(table)}, and the first is 1", path=options.data
            )
        table = table.take([options.row - 1])
    with of_file(options.data):
        return to_svg(tree, rows=table)


def _cost(options: argparse.Namespace) -> str:
    tree = tree_in(options.tree, options)
    with of_file(options.tree):
        return cost_lines(pruning_path(tree))


def _folds(options: argparse.Namespace) -> str:
    table = load(options)
    return fold_rows(table, folds(table, options.folds, options.seed or 0, stratified=options.stratified is not False))


def _rounds(options: argparse.Namespace) -> str:
    check_options(options)
    table, options.trees = load(options), options.trees or "6"
    if options.ensemble not in ("adaboost", "boosting-tree"):
        raise InputError(
            "rounds are drawn of --ensemble adaboost, for classes, and of --ensemble boosting-tree, for numbers"
        )
    learner, message = ensemble_learner(options, table)
    if message:
        remark(message)
    with of_file(options.data):
        if isinstance(learner, BoostingTree):
            return boosting_rounds(list(learner.rounds(table)), table, options.x)
        assert isinstance(learner, AdaBoost)
        return adaboost_rounds(list(learner.rounds(table)), table, options.x)


def _regions(options: argparse.Namespace) -> str:
    table = load(options)
    axes = [table.schema.attribute(name).name for name in (options.x, options.y)]
    if axes[0] == axes[1] or table.schema.target.name in axes:
        raise InputError("the axes are two attributes, neither of them the target", path=options.data)
    apart = [attribute.name for attribute in table.schema.attributes if attribute.name not in axes]
    table = table.without(apart)
    return to_plane({table.name: grown(options, table)}, table, *axes)


def _overfitting(options: argparse.Namespace) -> str:
    option, table = varied(options), load_for_learner(options)
    fit = fitting(options, option, len(option.values), table)
    points = complexity_curve(option.values, fit, split_of(options, table))
    return validation_curve(points, option.flag, measure=ERROR[table.schema.target.kind])


def _learning(options: argparse.Namespace) -> str:
    table = load_for_learner(options)
    split = split_of(options, table)
    # rounded up: of a few rows the first tenth is not empty
    sizes = options.sizes or sorted({-(-len(split.training) * tenth // 10) for tenth in range(1, 11)})
    fit = fitting(options, None, len(sizes), table)(None)
    points = learning_curve(fit, split, sizes, options.seed or 0)
    return validation_curve(points, "number of training rows", measure=ERROR[table.schema.target.kind])


def split_of(options: argparse.Namespace, table: Table) -> Split:
    """The rows to grow from and the rows to judge by: as the seed divides them, or of two files.

    Raises:
        InputError: the share leaves a part without rows, the other file cannot be read or cannot answer, or a way to
            divide the rows is given beside it.
    """
    if options.validation is None:
        share, stratified = options.holdout or Fraction(1, 3), options.stratified is not False
        return holdout(table, options.seed or 0, share, stratified=stratified)
    if options.stratified is not None or (options.seed is not None and options.kind == "overfitting"):
        flag = "--seed" if options.stratified is None else "--stratified"
        raise InputError(f"{flag} is for a division of the rows, and --validation names those to judge by")
    return Split(table, validation_in(options.validation, table, options))


PLOTS: Mapping[str, Plot] = {
    "entropy": Plot("the entropy of two classes over the share of one", _entropy),
    "gain": Plot("the information gain of a column of numbers at each cut", _gain),
    "candidates": Plot("the scores of the candidate tests of a node, as bars", _candidates),
    "regions": Plot("how a tree of two columns of numbers divides their plane", _regions),
    "overfitting": Plot(
        "the errors on rows grown from and held out, over a bound such as --max-depth 0-8", _overfitting
    ),
    "learning": Plot("the errors on rows grown from and held out, over the number of rows", _learning),
    "folds": Plot("which rows each fold holds out", _folds),
    "cut": Plot("a tree, with what a pruning cut off it faint", _cut),
    "cost": Plot("the cost of each pruning of a tree over the price of a leaf", _cost),
    "rows": Plot("the paths of some rows down a tree; a row with a missing value is divided", _rows),
    "rounds": Plot("boosting round by round, over a column of numbers", _rounds),
}
"""The kinds of drawings."""
