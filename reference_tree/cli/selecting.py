"""Selecting on the command line: which value of an option rows that were held out ask for.

1. `varied` finds the option that was given several values; those of a bound go from simple trees to complex ones, any
   others as they were given.
2. `fitting` gives for each value the function that grows a tree or an ensemble with it, and shows how far it has come.
3. `run_select` prints the results of cross-validation for each value: as a table, as JSON, or as a curve.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from reference_tree.cli.learning import check_options, ensemble_learner, learner_of, load, load_for_learner
from reference_tree.cli.options import ensemble_flags, learner_flags
from reference_tree.cli.output import deliver, remark, show_step, wipe
from reference_tree.cli.scoring import who_learns
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.log_sums import Number
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import Rational, decimal_text, exact_text, is_number, rational
from reference_tree.exact.rounding import decimal, significant
from reference_tree.selection.cross_validation import Fit, Trial, best, folds, mean, simplest_near_best, trials
from reference_tree.selection.overfitting import mean_curve
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Block, DecisionTable, Facts, Sentence, Title
from reference_tree.views.derivation.writers import WRITERS, page
from reference_tree.views.plots.curves import validation_curve
from reference_tree.views.wording import one_line

BOUNDS = ("min_samples_split", "min_samples_leaf", "epsilon", "min_impurity_decrease")
"""The options whose larger values make simpler trees."""

LIMITS = ("max_depth", "trees")
"""The options whose smaller values make simpler trees."""

FLAGS = (*learner_flags(), *ensemble_flags())
"""The options that can be given several values by a flag of their own."""

PAIRS = ("option", "ensemble_option")
"""The options that name another one; given twice, that has several values."""

ERROR = {"categorical": "error rate", "continuous": "mean squared error"}
"""The figure that judges a tree, for each kind of target."""

FORMATS = (*WRITERS, "json", "svg")
"""How a selection can be printed."""


class Varied(NamedTuple):
    """An option with several values."""

    name: str
    """As the learner has it."""
    values: tuple[Any, ...]
    """From the simplest tree to the most complex."""
    among: str | None = None
    """The option that names it: one of `PAIRS`; None if it has a flag of its own."""

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return self.name.replace("_", "-") if self.among is None else self.name

    def given(self, options: argparse.Namespace, value: Any) -> dict[str, Any]:
        """The options of the command with one of the values."""
        if self.among is None:
            return {self.name: value}
        others = [pair for pair in getattr(options, self.among) if pair[0] != self.name]
        return {self.among: [*others, [self.name, exact_text(value) if isinstance(value, int | Fraction) else value]]}


def _several(options: argparse.Namespace) -> Iterator[Varied]:
    for name in FLAGS:
        given = getattr(options, name, None)
        if isinstance(given, tuple) and len(found := dict.fromkeys(map(_number, given))) > 1:
            known = name in (*LIMITS, *BOUNDS)
            # from the simplest tree on: the first of equal ones is chosen
            yield Varied(name, tuple(sorted(found, reverse=name in BOUNDS) if known else found))
    for among in PAIRS:
        pairs: dict[str, dict[Any, None]] = {}
        for name, value in getattr(options, among, None) or ():
            pairs.setdefault(name, {})[_number(value)] = None
        yield from (Varied(name, tuple(found), among) for name, found in pairs.items() if len(found) > 1)


def _number(value: Any) -> Any:
    return rational(value) if isinstance(value, str) and is_number(value) else value


def varied(options: argparse.Namespace) -> Varied:
    """The one option that was given several values.

    Raises:
        InputError: none was, or two were.

    Example:
        >>> varied(argparse.Namespace(max_depth=(2,), epsilon=(0, 1)))
        Varied(name='epsilon', values=(1, 0), among=None)
    """
    several = list(_several(options))
    if len(several) != 1:
        found = " and ".join(f"--{one.flag}" for one in several)
        fault = f"{found} have several values" if several else "no option has several values"
        raise InputError(f"{fault}; give them to one, as in --max-depth 0-8 or --epsilon 0,0.1")
    return several[0]


def fitting(options: argparse.Namespace, option: Varied | None, trees: int, table: Table) -> Callable[[Any], Fit]:
    """For a value of an option, the function that grows a tree or an ensemble with it.

    Args:
        options: of the command. Their choices about exact ties and draws are not for the learner of one tree. They get
            `each`, the options of one value, with the learner that was chosen.
        option: the option; none: the value makes no difference.
        trees: how many there will be, for whoever waits for them.
        table: the data.

    Raises:
        InputError: the options fit no learner, or, when a tree is grown, the learner has no rule for the table.
    """
    done = count(1)
    if option is None and (found := next(_several(options), None)):
        raise InputError(
            f"--{found.flag} has several values, and here each has one; select and plot overfitting vary it"
        )
    single = {name: given[0] for name in FLAGS if isinstance(given := getattr(options, name, None), tuple)}
    # An override of a tie is for one tree, and the seed of the command for the division.
    apart: dict[str, Any] = {"choose": [], "label": []}
    together = getattr(options, "ensemble", None) is not None
    if not together:
        apart["seed"] = None

    def with_value(value: Any) -> Fit:
        given = {**vars(options), **apart, **single, **({} if option is None else option.given(options, value))}
        each, message = argparse.Namespace(**given), None
        make: Callable[[Table], Tree | Ensemble]
        if together:
            learner, message = ensemble_learner(each, table)
            make = partial(learner.grow, jobs=1 if options.jobs is None else options.jobs)
        else:
            make = learner_of(each).grow
        if message and "each" not in options:
            remark(message)
        options.each = each

        def grow(table: Table) -> Tree | Ensemble:
            show_step(next(done), trees)
            try:
                return make(table)
            except InputError as error:
                raise InputError(error.message, path=options.data) from None

        return grow

    return with_value


def run_select(options: argparse.Namespace) -> None:
    """`select DATA`: cross-validate an option, and say which of its values to take."""
    check_options(options)
    option, seed = varied(options), options.seed or 0
    table = load_for_learner(options) if options.ensemble is None else load(options)
    held_out = folds(table, options.folds, seed, stratified=options.stratified is not False)
    try:
        fit = fitting(options, option, len(option.values) * len(held_out), table)
        tried = trials(option.values, fit, table, held_out)
    finally:
        wipe()
    chosen = simplest_near_best(tried, options.standard_errors)
    if options.format == "svg":
        measure, marked = ERROR[table.schema.target.kind], [chosen.value]
        if any(isinstance(value, str) for value in option.values):
            raise InputError(f"--format svg draws numbers, and {option.flag} has words among its values")
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
            "value": _text(trial.value, exact_text),
            "errors": list(map(exact_text, trial.errors)),
            "training_errors": list(map(exact_text, trial.training_errors)),
            "mean": exact_text(trial.mean),
            "squared_standard_error": exact_text(trial.squared_standard_error),
        }
        for trial in tried
    ]
    values = {"least": _text(best(tried).value, exact_text), "chosen": _text(chosen.value, exact_text)}
    return json.dumps({"option": option.name, **division, **values, "trials": entries}, indent=1) + "\n"


def _blocks(
    options: argparse.Namespace, option: Varied, table: Table, tried: Sequence[Trial[Any]], chosen: Trial[Any]
) -> Iterator[Block]:
    """A page about a selection: the values and the rows, the errors, and the choice."""
    yield Title(f"Cross-validation of {option.flag} on {one_line(table.name)}")
    division = f"{options.folds}, dealt by seed {options.seed or 0}"
    yield Facts((("learner", who_learns(options.each)), ("folds", division)))
    measure = ERROR[table.schema.target.kind]
    head = (option.flag, "on training rows", "on rows held out", "SE", "")
    means = [_means(trial, trial is best(tried), trial is chosen) for trial in tried]
    yield DecisionTable(f"The {measure}, the mean of the folds", head, "rrrrl", means)
    folded = (option.flag, *(str(fold) for fold in range(1, options.folds + 1)))
    rows = [(_text(trial.value), *(_figure(found, trial) for found in trial.errors)) for trial in tried]
    yield DecisionTable(f"The {measure} on each fold", folded, "r" * len(folded), rows)
    errors = decimal_text(options.standard_errors)
    within = f"with a mean within {errors} standard error{'' if errors == '1' else 's'} of the least"
    flag = f"--{option.flag}" if option.among is None else f"--{option.among.replace('_', '-')} {option.name}"
    first = "simplest" if option.name in (*LIMITS, *BOUNDS) else "first"
    yield Sentence(f"Chosen is the {first} {within}: {flag} {_text(chosen.value)}.")


def _text(value: Any, written: Callable[[Rational], str] = decimal_text) -> str:
    return value if isinstance(value, str) else written(value)


def _means(trial: Trial[Any], least: bool, chosen: bool) -> tuple[str, ...]:
    square = trial.squared_standard_error
    figures = (mean(trial.training_errors), trial.mean, root(square) if square else Fraction(0))
    note = ", ".join(["least"] * least + ["chosen"] * chosen)
    return (_text(trial.value), *(_figure(figure, trial) for figure in figures), note)


def _figure(error: Number, trial: Trial[Any]) -> str:
    return decimal(error, 4) if trial.kind == "categorical" else significant(error, 6)
