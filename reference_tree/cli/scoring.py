"""Scoring on the command line: how well a tree or a learner predicts, and how important its attributes are.

1. `predictions` are the rows that are judged, counted by their truth and their prediction: of a tree that is given, of
   one that grows without the rows held out, or of one for each fold that grows without it.
2. `run_score` prints the accuracy and who is taken for whom, or the errors of numbers.
3. `run_importances` prints the importance of each attribute of a tree or of an ensemble.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from operator import add
from typing import Any

from reference_tree.cli.learning import check_options, ensemble_learner, learner_of, load, load_for_learner, of_file
from reference_tree.cli.output import deliver, remark, show_step, wipe
from reference_tree.cli.trees import check_not_grown, check_not_read, judged_by
from reference_tree.data.errors import InputError, number_of
from reference_tree.data.table import Table
from reference_tree.ensembles.bagging import out_of_bag
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.ensembles.importance import (
    gain_importance,
    impurity_importance,
    out_of_bag_importance,
    permutation_importance,
)
from reference_tree.ensembles.learner import EnsembleLearner
from reference_tree.ensembles.registry import ensemble_learner_of
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import decimal_text, exact_text
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import decimal, significant
from reference_tree.learners.decision import Learner
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.growing import grow
from reference_tree.measures.contingency import Contingency
from reference_tree.programs.reading import names_tree
from reference_tree.selection.cross_validation import folds, splits
from reference_tree.selection.holdout import Split, holdout
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Block, DecisionTable, Facts, Title
from reference_tree.views.derivation.writers import WRITERS, page
from reference_tree.views.plots.bars import importance_bars
from reference_tree.views.wording import amount, one_line

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


FORMATS = (*WRITERS, "json", "svg")
"""How a score can be printed; as SVG, an importance alone."""


def run_score(options: argparse.Namespace) -> None:
    """`score TREE DATA`, or `score DATA` for a learner: the accuracy and the confusion, or the errors of numbers."""
    if names_tree(options.data):
        check_not_grown(options, but=["seed"] if options.importance in DRAWING else [])
    check_options(options)
    if options.importance is not None:
        run_importance(options)
        return
    if options.format == "svg":
        raise InputError("--format svg draws an importance; say --importance, too")
    facts, found = predictions(options)
    if options.format == "json":
        deliver(json.dumps({**dict(facts), **_json(found)}, ensure_ascii=False, indent=1) + "\n", options.output)
        return
    blocks = [Title("How well rows are predicted"), *_blocks(facts, found)]
    deliver(page(blocks, options.format), options.output)


def predictions(options: argparse.Namespace) -> tuple[list[tuple[str, str]], Contingency]:
    """The judged model, in words; and the rows by their truth and their prediction.

    Raises:
        InputError: the tree or the rows cannot be read, or there are two ways to divide them.
    """
    if names_tree(options.data):
        if options.rows is None:
            raise InputError(f"score {options.data} DATA: say on which rows")
        tree, table = judged_by(options)
        return [(tree.called, options.data), ("rows", options.rows)], tree.contingency(table, "majority")
    if options.rows is not None:
        swapped = f"; the tree comes first: score {options.rows} {options.data}" if names_tree(options.rows) else ""
        raise InputError(
            f"{options.data} is no tree document{swapped or '; say score TREE.json DATA, or score DATA alone'}"
        )
    check_not_read(options)
    ways = [f"--{way}" for way in ("holdout", "folds", "oob") if getattr(options, way) is not None]
    if len(ways) > 1:
        raise InputError(f"{' and '.join(ways)} are two ways to divide the rows; choose one")
    if options.oob and options.ensemble is None:
        raise InputError("--oob is for ensembles; say --ensemble, too")
    if options.oob and options.stratified is not None:
        raise InputError("--stratified is for a division of the rows, and --oob divides none; leave one out")
    table, learner = learnt_from(options)
    seed, stratified = options.seed or 0, options.stratified is not False
    if options.oob:
        assert isinstance(learner, EnsembleLearner)
        with of_file(options.data):
            jobs = 1 if options.jobs is None else options.jobs
            ensemble = learner.grow(table, partial(show_step, of=learner.trees), jobs)
            if (judged := out_of_bag(ensemble, table).contingency) is None:
                raise InputError("every row was drawn for every tree: none is left to judge them; say more --trees")
        how = f"{amount(judged.total, weighted=False)} out of bag, by the trees for which they were not drawn"
        return [("learner", who_learns(options)), ("data", options.data), ("judged on", how)], judged
    parts: Sequence[Split]
    if options.holdout is not None:
        parts = [holdout(table, seed, options.holdout, stratified=stratified)]
        how = f"{number_of(len(parts[0].validation), 'row')} held out, drawn by seed {seed}"
    else:
        count = min(10, len(table)) if options.folds is None else options.folds
        parts = list(splits(table, folds(table, count, seed, stratified=stratified)))
        how = f"{count} folds, dealt by seed {seed}"
    found: list[Contingency] = []
    try:
        for number, part in enumerate(parts, start=1):
            show_step(number, len(parts))
            found.append(grown(learner, part.training, options.jobs).contingency(part.validation, "majority"))
    except InputError as error:
        raise InputError(error.message, path=options.data) from None
    finally:
        wipe()
    return [("learner", who_learns(options)), ("data", options.data), ("judged on", how)], reduce(add, found)


def who_learns(options: argparse.Namespace) -> str:
    """The learner, in words."""
    who = f"{options.learner}, profile {options.profile}" if options.profile else options.learner
    return who if options.ensemble is None else f"{options.ensemble} of {who}"


def learnt_from(options: argparse.Namespace) -> tuple[Table, Learner | EnsembleLearner]:
    """The table that the options name, and who is to learn from it.

    Raises:
        InputError: the table cannot be read, or the options fit no learner.
    """
    if options.ensemble is None:
        return load_for_learner(options), learner_of(options)
    table = load(options)
    learner, message = ensemble_learner(options, table)
    if message:
        remark(message)
    return table, learner


def grown(learner: Learner | EnsembleLearner, table: Table, jobs: int | None) -> Tree | Ensemble:
    """The tree, or the ensemble."""
    if isinstance(learner, EnsembleLearner):
        return learner.grow(table, jobs=1 if jobs is None else jobs)
    return grow(learner, table)


def _json(found: Contingency) -> dict[str, Any]:
    if found.classes is None:
        return {
            "mean_squared_error": exact_text(found.mean_squared_error),
            "mean_absolute_error": exact_text(found.mean_absolute_error),
            "baseline": {"mean_squared_error": exact_text(found.baseline.mean_squared_error)},
        }
    counts = [list(map(exact_text, line)) for line in found.confusion]
    baseline = {"accuracy": exact_text(found.baseline.accuracy)}
    right = exact_text(found.accuracy)
    return {"accuracy": right, "classes": list(found.classes), "confusion": counts, "baseline": baseline}


def _blocks(facts: list[tuple[str, str]], found: Contingency) -> Iterator[Block]:
    known = [(name, one_line(fact)) for name, fact in facts]
    baseline = found.baseline
    constant = next(prediction for _, prediction in baseline.weights)
    if found.classes is None:
        square, usual = found.mean_squared_error, baseline.mean_squared_error
        worse = ": these predictions are worse" if square > usual else ""
        yield Facts(
            (
                *known,
                ("mean squared error", significant(square, 6)),
                ("its root", significant(root(square), 6)),
                ("mean absolute error", significant(found.mean_absolute_error, 6)),
                ("baseline", f"{significant(usual, 6)} if always {significant(constant, 6)}{worse}"),
                ("R²", decimal(found.determination)),
            )
        )
        return
    right = found.accuracy
    of = f"{decimal_text(right * found.total)} of {decimal_text(found.total)}"
    worse = ": these predictions are worse" if right < baseline.accuracy else ""
    always = f"{decimal(baseline.accuracy)} if always {one_line(constant)}{worse}"
    yield Facts(
        (*known, ("accuracy", f"{decimal(right)}, {of}"), ("error rate", decimal(1 - right)), ("baseline", always))
    )
    classes = list(map(one_line, found.classes))
    lines: list[tuple[str, ...]] = []
    for name, counts in zip(classes, found.confusion, strict=True):
        share = Fraction(counts[len(lines)]) / sum(counts) if any(counts) else None
        lines.append((name, *map(decimal_text, counts), "" if share is None else decimal(share, 4)))
    head = ("class", *classes, "of them right")
    yield DecisionTable("The rows of each class, by what is predicted", head, "l" + "r" * (len(head) - 1), lines)
