"""Selecting on the command line: which bound on the size of a tree rows that were held out ask for.

1. `varied` finds the option that was given several values, and puts these in order, simple trees first.
2. `fitting` gives for each value what grows a tree with it, and shows how far it has come.
3. `run_select` prints what cross-validation finds for each value: as a table, as JSON, or as a curve.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple

from reference_tree.cli.learning import learner_of, load_for_learner
from reference_tree.cli.output import deliver
from reference_tree.cli.progress import show_step, wipe
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import decimal_text, exact_text
from reference_tree.exact.rounding import decimal, significant
from reference_tree.selection.cross_validation import Fit, Trial, best, folds, mean, simplest_near_best, trials
from reference_tree.selection.overfitting import mean_curve
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Block, DecisionTable, Facts, Sentence, Title
from reference_tree.views.derivation.writers import WRITERS, page
from reference_tree.views.names import one_line
from reference_tree.views.plots.curves import validation_curve

BOUNDS = ("max_depth", "min_samples_split", "min_samples_leaf", "epsilon", "min_impurity_decrease")
"""The options that can be given several values: the bounds on the size of a tree."""

ERROR = {"categorical": "error rate", "continuous": "mean squared error"}
"""What a tree is judged by, for each kind of target."""

FORMATS = (*WRITERS, "json", "svg")
"""How a selection can be printed."""


class Varied(NamedTuple):
    """An option with several values."""

    name: str
    """As the learner has it."""
    values: tuple[Any, ...]
    """From the simplest tree to the most complex."""

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return self.name.replace("_", "-")


def varied(options: argparse.Namespace) -> Varied:
    """The one option that was given several values.

    Raises:
        InputError: none was, or two were.

    Example:
        >>> varied(argparse.Namespace(**{**dict.fromkeys(BOUNDS), "max_depth": (2,), "epsilon": (0, 1)}))
        Varied(name='epsilon', values=(1, 0))
    """
    several = [name for name in BOUNDS if len(getattr(options, name) or ()) > 1]
    if len(several) != 1:
        found = " and ".join(f"--{name.replace('_', '-')}" for name in several)
        fault = f"{found} have several values" if several else "no option has several values"
        raise InputError(f"{fault}; give them to one, as in --max-depth 0-8 or --epsilon 0,0.1")
    (name,) = several
    return Varied(name, tuple(sorted(set(getattr(options, name)), reverse=name != "max_depth")))


def fitting(options: argparse.Namespace, name: str | None, trees: int) -> Callable[[Any], Fit]:
    """For a value of an option, what grows a tree with it.

    Args:
        options: of the command. What they say of exact ties and of draws is not for the learner.
        name: of the option; none: the value makes no difference.
        trees: how many there will be, for whoever waits for them.

    Raises:
        InputError: the options fit no learner, or, when a tree is grown, the learner has no rule for the table.
    """
    done = count(1)
    if name is None and any(len(getattr(options, bound) or ()) > 1 for bound in BOUNDS):
        raise InputError("an option has several values, and here each has one; select and plot overfitting vary it")
    single = {bound: found[0] for bound in BOUNDS if (found := getattr(options, bound))}
    # An override of a tie is for one tree, and the seed of the command for the division.
    apart: dict[str, Any] = {"seed": None, "choose": [], "label": []}

    def with_value(value: Any) -> Fit:
        given = {**vars(options), **apart, **single, **({} if name is None else {name: value})}
        learner = learner_of(argparse.Namespace(**given))

        def grow(table: Table) -> Tree:
            show_step(next(done), trees)
            try:
                return learner.grow(table)
            except InputError as error:
                raise InputError(error.message, path=options.data) from None

        return grow

    return with_value


def run_select(options: argparse.Namespace) -> None:
    """`select DATA`: cross-validate an option, and say which of its values to take."""
    option, table, seed = varied(options), load_for_learner(options), options.seed or 0
    held_out = folds(table, options.folds, seed, stratified=options.stratified is not False)
    try:
        fit = fitting(options, option.name, len(option.values) * len(held_out))
        tried = trials(option.values, fit, table, held_out)
    finally:
        wipe()
    chosen = simplest_near_best(tried, options.standard_errors)
    if options.format == "svg":
        measure, marked = ERROR[table.schema.target.kind], [chosen.value]
        text = validation_curve(mean_curve(tried), option.flag, measure=measure, marked=marked)
    elif options.format == "json":
        text = _json(option, tried, chosen, {"folds": options.folds, "seed": seed})
    else:
        blocks = _blocks(options, option, table, tried, chosen)
        text = page(blocks, options.format)
    deliver(text, options.output)


def _json(option: Varied, tried: Sequence[Trial[Any]], chosen: Trial[Any], division: dict[str, int]) -> str:
    entries = [
        {
            "value": exact_text(trial.value),
            "errors": list(map(exact_text, trial.errors)),
            "training_errors": list(map(exact_text, trial.training_errors)),
            "mean": exact_text(trial.mean),
            "squared_standard_error": exact_text(trial.squared_standard_error),
        }
        for trial in tried
    ]
    values = {"least": exact_text(best(tried).value), "chosen": exact_text(chosen.value)}
    return json.dumps({"option": option.name, **division, **values, "trials": entries}, indent=1) + "\n"


def _blocks(
    options: argparse.Namespace, option: Varied, table: Table, tried: Sequence[Trial[Any]], chosen: Trial[Any]
) -> Iterator[Block]:
    """A page about a selection: what was tried on what, the errors, and what is chosen."""
    yield Title(f"Cross-validation of {option.flag} on {one_line(table.name)}")
    division = f"{options.folds}, dealt by seed {options.seed or 0}"
    yield Facts((("learner", options.profile or options.learner), ("folds", division)))
    measure = ERROR[table.schema.target.kind]
    head = (option.flag, "on training rows", "on rows held out", "SE", "")
    means = [_means(trial, trial is best(tried), trial is chosen) for trial in tried]
    yield DecisionTable(f"The {measure}, the mean of the folds", head, "rrrrl", means)
    folded = (option.flag, *(str(fold) for fold in range(1, options.folds + 1)))
    rows = [(decimal_text(trial.value), *(_figure(found, trial) for found in trial.errors)) for trial in tried]
    yield DecisionTable(f"The {measure} on each fold", folded, "r" * len(folded), rows)
    errors = decimal_text(options.standard_errors)
    within = f"with a mean within {errors} standard error{'' if errors == '1' else 's'} of the least"
    yield Sentence(f"Chosen is the simplest {within}: --{option.flag} {decimal_text(chosen.value)}.")


def _means(trial: Trial[Any], least: bool, chosen: bool) -> tuple[str, ...]:
    square = trial.squared_standard_error
    figures = (mean(trial.training_errors), trial.mean, root(square) if square else Fraction(0))
    note = ", ".join(["least"] * least + ["chosen"] * chosen)
    return (decimal_text(trial.value), *(_figure(figure, trial) for figure in figures), note)


def _figure(error: Number, trial: Trial[Any]) -> str:
    return decimal(error, 4) if trial.kind == "categorical" else significant(error, 6)
