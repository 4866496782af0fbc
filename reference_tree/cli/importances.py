"""Feature importance on the command line, of a tree or of an ensemble."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping

from reference_tree.cli.output import deliver
from reference_tree.cli.trees import judged_by
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.ensembles.importance import (
    gain_importance,
    impurity_importance,
    out_of_bag_importance,
    permutation_importance,
)
from reference_tree.ensembles.registry import ensemble_learner_of
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import significant
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.programs.reading import names_tree
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Block, DecisionTable, Facts, Title
from reference_tree.views.derivation.writers import page
from reference_tree.views.plots.bars import importance_bars
from reference_tree.views.wording import one_line

Weighing = Callable[[Tree | Ensemble, Table, int], Mapping[str, Number]]


def _by_gain(predictor: Tree | Ensemble, table: Table, seed: int) -> Mapping[str, Number]:
    if not isinstance(predictor, Ensemble) or predictor.grower.name != GradientBoosting.name:
        raise InputError("--importance gain is for gradient boosting; say --importance impurity")
    base = ensemble_learner_of(predictor.grower).base
    assert isinstance(base, GradientTree)
    return gain_importance(predictor, base.reg_lambda)


def _out_of_bag(predictor: Tree | Ensemble, table: Table, seed: int) -> Mapping[str, Number]:
    if not isinstance(predictor, Ensemble):
        raise InputError("--importance out-of-bag is for a bag or a forest; say --importance permutation")
    return out_of_bag_importance(predictor, table, seed)


IMPORTANCES: Mapping[str, Weighing] = {
    "impurity": lambda predictor, table, seed: impurity_importance(predictor),
    "gain": _by_gain,
    "permutation": permutation_importance,
    "out-of-bag": _out_of_bag,
}
"""How attributes can be weighed, by name."""

DRAWING = ("permutation", "out-of-bag")
"""Those that exchange rows by draws."""


def run_importance(options: argparse.Namespace) -> None:
    """`score TREE DATA --importance KIND`: the attributes, the most important one first.

    Raises:
        InputError: the tree or the rows cannot be read, or cannot be weighed so.
    """
    if not names_tree(options.data) or options.rows is None:
        raise InputError("--importance is that of a tree that has grown; say score TREE.json DATA --importance KIND")
    predictor, table = judged_by(options)
    found = IMPORTANCES[options.importance](predictor, table, options.seed or 0)
    if options.format == "svg":
        deliver(importance_bars(found), options.output)
        return
    names = sorted(found, key=found.__getitem__, reverse=True)  # equals stay in table order
    if options.format == "json":
        figures = {name: float(found[name]) for name in names}
        result = {predictor.called: options.data, "rows": options.rows, "importance": options.importance, "of": figures}
        deliver(json.dumps(result, ensure_ascii=False, indent=1) + "\n", options.output)
        return
    lines = [(one_line(name), significant(found[name], 6)) for name in names]
    facts = ((predictor.called, one_line(options.data)), ("rows", one_line(options.rows)))
    blocks: list[Block] = [
        Title("Feature importance"),
        Facts((*facts, ("by", options.importance))),
        DecisionTable("The attributes, the most important one first", ("attribute", "importance"), "lr", lines),
    ]
    deliver(page(blocks, options.format), options.output)
