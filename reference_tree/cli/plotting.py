"""Plotting on the command line: the drawings of `views.plots` that no other command prints, as SVG.

1. `entropy` and `gain` are the curves of a measure.
2. `regions` grows a tree from two columns of numbers, and draws how it divides their plane.
3. `overfitting` and `learning` grow trees from some of the rows and judge them by the others: over an option, and over
   the number of rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from reference_tree.cli.learning import grown, load, load_for_learner, validation_in
from reference_tree.cli.output import deliver, wipe
from reference_tree.cli.selecting import ERROR, fitting, varied
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.selection.holdout import Split, holdout
from reference_tree.selection.overfitting import complexity_curve, learning_curve
from reference_tree.views.plots.curves import entropy_curve, gain_curve, validation_curve
from reference_tree.views.plots.plane import to_plane


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
    return entropy_curve(with_gini=options.gini)


def _gain(options: argparse.Namespace) -> str:
    return gain_curve(load(options), options.attribute)


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
    fit = fitting(options, option.name, len(option.values))
    points = complexity_curve(option.values, fit, split_of(options, table))
    return validation_curve(points, option.flag, measure=ERROR[table.schema.target.kind])


def _learning(options: argparse.Namespace) -> str:
    table = load_for_learner(options)
    split = split_of(options, table)
    sizes = options.sizes or sorted({-(-len(split.training) * tenth // 10) for tenth in range(1, 11)})
    fit = fitting(options, None, len(sizes))(None)
    points = learning_curve(fit, split, sizes, options.seed or 0)
    return validation_curve(points, "number of training rows", measure=ERROR[table.schema.target.kind])


def split_of(options: argparse.Namespace, table: Table) -> Split:
    """The rows to grow from and the rows to judge by: as the seed divides them, or of two files.

    Raises:
        InputError: the share leaves a part without rows, or the other file cannot be read or cannot answer.
    """
    if options.validation is None:
        return holdout(table, options.seed or 0, options.holdout or Fraction(1, 3), stratified=options.stratified)
    return Split(table, validation_in(options.validation, table, options))


PLOTS: Mapping[str, Plot] = {
    "entropy": Plot("the entropy of two classes over the share of one", _entropy),
    "gain": Plot("the information gain of a column of numbers at each cut", _gain),
    "regions": Plot("how a tree of two columns of numbers divides their plane", _regions),
    "overfitting": Plot(
        "the errors on rows grown from and held out, over a bound such as --max-depth 0-8", _overfitting
    ),
    "learning": Plot("the errors on rows grown from and held out, over the number of rows", _learning),
}
"""The kinds of drawings."""
