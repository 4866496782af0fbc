"""Scoring on the command line: how well a tree, or a learner, predicts rows whose truth is known.

1. `predictions` are the rows that are judged, each with its truth, its prediction and its weight: of a tree that is
   given, of one that grows without the rows held out, or of one for each fold that grows without it.
2. `run_score` prints the accuracy and who is taken for whom, or the errors of numbers.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.cli.ensembles import check_options, ensemble_learner
from reference_tree.cli.learning import layout_of, learner_of, load_for_learner
from reference_tree.cli.output import deliver, show_step, wipe
from reference_tree.cli.tables import table_under
from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import Rational, decimal_text, exact_text
from reference_tree.exact.rounding import decimal, significant
from reference_tree.learners.growing import grow
from reference_tree.selection.cross_validation import folds, splits
from reference_tree.selection.holdout import Split, holdout
from reference_tree.tree import Tree
from reference_tree.tree_document import read_predictor
from reference_tree.views.derivation.blocks import Block, DecisionTable, Facts, Title
from reference_tree.views.derivation.explain import WRITERS
from reference_tree.views.names import one_line

FORMATS = (*WRITERS, "json")
"""How a score can be printed."""


class Scored(NamedTuple):
    """A row that was judged."""

    truth: Any
    found: Any
    weight: Rational


def run_score(options: argparse.Namespace) -> None:
    """`score TREE DATA`, or `score DATA` for a learner: the accuracy and the confusion, or the errors of numbers."""
    check_options(options)
    facts, target, rows = predictions(options)
    if options.format == "json":
        deliver(json.dumps({**dict(facts), **_json(target, rows)}, ensure_ascii=False, indent=1) + "\n", options.output)
        return
    page = [Title("How well rows are predicted"), *_told(facts, target, rows)]
    deliver("".join(f"{line}\n" for line in WRITERS[options.format](page)), options.output)


def predictions(options: argparse.Namespace) -> tuple[list[tuple[str, str]], Attribute, list[Scored]]:
    """What was judged, in words; the target; and each row with its truth and its prediction.

    Raises:
        InputError: the tree or the rows cannot be read, or a way to divide them is said for a tree that has grown.
    """
    if options.data.endswith(".json"):
        if options.rows is None:
            raise InputError(f"score {options.data} DATA: say on which rows")
        for flag in ("holdout", "folds", "learner", "profile", "ensemble"):
            if getattr(options, flag) is not None:
                raise InputError(f"--{flag} is for growing, and {options.data} holds a tree that is grown")
        tree = read_predictor(options.data)
        table = table_under(options.rows, tree.target, tree.attributes, layout_of(options), options.weights)
        return [(tree.called, options.data), ("rows", options.rows)], tree.target, list(_scored(tree, table))
    if options.rows is not None:
        raise InputError(f"{options.data} is no tree document; say score TREE.json DATA, or score DATA alone")
    if options.holdout is not None and options.folds is not None:
        raise InputError("--holdout and --folds are two ways to divide the rows; say one")
    table, seed = load_for_learner(options), options.seed or 0
    parts: Sequence[Split]
    if options.holdout is not None:
        parts = [holdout(table, seed, options.holdout, stratified=options.stratified)]
        how = f"{len(parts[0].validation)} rows held out, drawn by seed {seed}"
    else:
        count = 10 if options.folds is None else options.folds
        parts = list(splits(table, folds(table, count, seed, stratified=options.stratified)))
        how = f"{count} folds, dealt by seed {seed}"
    found: list[Scored] = []
    try:
        for number, part in enumerate(parts, start=1):
            show_step(number, len(parts))
            found += _scored(_grown(options, part.training), part.validation)
    except InputError as error:
        raise InputError(error.message, path=options.data) from None
    finally:
        wipe()
    who = f"{options.learner}, profile {options.profile}" if options.profile else options.learner
    if options.ensemble is not None:
        who = f"{options.ensemble} of {who}"
    return [("learner", who), ("data", options.data), ("judged on", how)], table.schema.target, found


def _grown(options: argparse.Namespace, table: Table) -> Tree | Ensemble:
    if options.ensemble is None:
        return grow(learner_of(options), table)
    learner, _ = ensemble_learner(options, table)
    return learner.grow(table, jobs=1 if options.jobs is None else options.jobs)


def _scored(tree: Any, table: Any) -> Iterator[Scored]:
    truths = (row[table.schema.target.name] for row in table.rows())
    return map(Scored, truths, tree.predict(table, "majority"), table.weighted())


def accuracy(rows: Sequence[Scored]) -> Fraction:
    """The share of the weight that is predicted right.

    Example:
        >>> accuracy([Scored("a", "a", 2), Scored("a", "b", 1)])
        Fraction(2, 3)
    """
    return Fraction(sum(row.weight for row in rows if row.truth == row.found)) / sum(row.weight for row in rows)


def mean_error(rows: Sequence[Scored], power: int) -> Fraction:
    """The weighted mean of the absolute errors, or of their squares.

    Example:
        >>> rows = [Scored(3, 1, 1), Scored(2, 2, 3)]
        >>> mean_error(rows, 1), mean_error(rows, 2)
        (Fraction(1, 2), Fraction(1, 1))
    """
    errors = (abs(Fraction(row.truth) - Fraction(row.found)) ** power * row.weight for row in rows)
    return Fraction(sum(errors)) / sum(row.weight for row in rows)


def confusion(target: Attribute, rows: Sequence[Scored]) -> list[list[Rational]]:
    """The weight of the rows of each class, by what is predicted of them.

    Example:
        >>> confusion(Attribute("y", ("a", "b")), [Scored("a", "a", 2), Scored("a", "b", 1)])
        [[2, 1], [0, 0]]
    """
    weight: Counter[tuple[Any, Any]] = Counter()
    for row in rows:
        weight[row.truth, row.found] += row.weight  # type: ignore[assignment]
    return [[weight[truth, found] for found in target.domain] for truth in target.domain]


def _json(target: Attribute, rows: Sequence[Scored]) -> dict[str, Any]:
    if target.values is None:
        return {
            "mean_squared_error": exact_text(mean_error(rows, 2)),
            "mean_absolute_error": exact_text(mean_error(rows, 1)),
        }
    counts = [list(map(exact_text, line)) for line in confusion(target, rows)]
    return {"accuracy": exact_text(accuracy(rows)), "classes": list(target.domain), "confusion": counts}


def _told(facts: list[tuple[str, str]], target: Attribute, rows: Sequence[Scored]) -> Iterator[Block]:
    weight = decimal_text(sum((row.weight for row in rows), Fraction(0)))
    known = [(name, one_line(fact)) for name, fact in facts]
    if target.values is None:
        square = mean_error(rows, 2)
        yield Facts(
            (
                *known,
                ("mean squared error", significant(square, 6)),
                ("its root", significant(root(square), 6)),
                ("mean absolute error", significant(mean_error(rows, 1), 6)),
            )
        )
        return
    right = accuracy(rows)
    of = f"{decimal_text(right * Fraction(weight))} of {weight}"
    yield Facts((*known, ("accuracy", f"{decimal(right)}, {of}"), ("error rate", decimal(1 - right))))
    classes = list(map(one_line, target.domain))
    lines: list[tuple[str, ...]] = []
    for name, counts in zip(classes, confusion(target, rows), strict=True):
        share = Fraction(counts[len(lines)]) / sum(counts) if any(counts) else None
        lines.append((name, *map(decimal_text, counts), "" if share is None else decimal(share, 4)))
    head = ("class", *classes, "of them right")
    yield DecisionTable("The rows of each class, by what is predicted", head, "l" + "r" * (len(head) - 1), lines)
