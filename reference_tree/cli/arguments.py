"""Arguments: the commands, and the options each has. Those that several commands share stand in `options`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NoReturn

from reference_tree import __version__
from reference_tree.checking.report_pages import PAGES
from reference_tree.cli.attributing import add_attributing, add_explained, run_attributions
from reference_tree.cli.auditing import run_audit
from reference_tree.cli.commands import FORMATS, run_explain, run_grow, run_predict
from reference_tree.cli.comparing import add_comparing, add_fingerprinting, run_compare, run_fingerprint
from reference_tree.cli.completion import add_completion
from reference_tree.cli.datasets import run_data
from reference_tree.cli.fuzzing import add_fuzzing, run_fuzz
from reference_tree.cli.goldens import add_checking, add_goldens, add_paging, run_check, run_golden, run_report
from reference_tree.cli.options import (
    add_conflicts,
    add_data,
    add_dialect,
    add_division,
    add_ensemble,
    add_format,
    add_ignored,
    add_largest,
    add_layout,
    add_learner,
    add_option,
    add_pair,
    add_pre_pruning,
    add_round,
    add_stratified,
    apart,
    digits,
    is_for,
    number,
    several,
    share,
    whole,
)
from reference_tree.cli.output import deliver
from reference_tree.cli.plotting import PLOTS, run_plot
from reference_tree.cli.pruning import run_prune
from reference_tree.cli.reporting import add_reporting, run_bug
from reference_tree.cli.scoring import FORMATS as SCORE_FORMATS
from reference_tree.cli.scoring import IMPORTANCES, run_score
from reference_tree.cli.selecting import FORMATS as SELECTION_FORMATS
from reference_tree.cli.selecting import run_select
from reference_tree.data.errors import InputError, hint
from reference_tree.data.writers import WRITERS as TABLE_FORMATS
from reference_tree.findings_output import FORMATS as FINDING_FORMATS
from reference_tree.measures.class_probability import estimates
from reference_tree.pruning.method import methods
from reference_tree.splitting.discretizers import discretizers
from reference_tree.views.derivation.numerals import MOST_PLACES, PLACES
from reference_tree.views.derivation.writers import WRITERS

_INVALID = re.compile(r"(argument .*?: invalid choice: '(.*?)') \(choose from (.*)\)", re.DOTALL)

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "grow": ("fit", "train", "learn", "build"),
    "score": ("test", "evaluate", "accuracy", "cross-validate", "cv"),
    "explain": ("show", "derive"),
    "select": ("tune", "grid-search"),
    "compare": ("diff", "equal", "equivalent", "same"),
    "data": ("datasets", "tables", "split"),
    "cart": ("tree", "decision-tree", "scikit-learn", "sklearn", "rpart", "regression"),
    "c45": ("j48", "c4.5", "c50", "c5.0", "weka"),
    "forest": ("random-forest", "randomforest", "rf"),
    "gradient": ("xgboost", "lightgbm", "gbm", "gbdt", "gradient-boosting", "boosting"),
    "bagging": ("bag", "bootstrap"),
}
"""Commands and learners → the names of other programs for it, or for its nearest relative."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As always; but an unknown word is an error of the command, which knows the words near it."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            near = hint(rest[0].partition("=")[0], self._option_string_actions)
            self.error(f"{' '.join(rest)} is no option or argument here{near}")
        return found, rest

    def error(self, message: str) -> NoReturn:
        if choice := _INVALID.fullmatch(message):
            fault, name, choices = choice.groups()
            known = [one.strip("'") for one in choices.split(", ")]  # some Pythons quote them, some do not
            same = next((one for one in known if name.casefold() in SYNONYMS.get(one, ())), None)
            near = hint(name, known) if same is None else f" (did you mean {same}?)"
            message = f"{fault}{near} (choose from {choices})"
        print(f"{self.prog}: {InputError(message)}; see {self.prog} --help", file=sys.stderr)
        sys.exit(2)


@cache
def parser() -> argparse.ArgumentParser:
    """The commands and their options: made once, so a command leaves the lists alone that are defaults here."""
    top = _Parser(
        prog="reference-tree", description="The executable specification of decision trees.", allow_abbrev=False
    )
    top.add_argument("--version", action="version", version=__version__)
    top.set_defaults(run=lambda _: deliver(top.format_help(), None))
    commands = top.add_subparsers(metavar="COMMAND", parser_class=_Parser)

    grow_command = _command(commands, run_grow, "grow", "grow a tree, or an ensemble, and print it")
    add_data(grow_command)
    add_learner(grow_command)
    add_pre_pruning(grow_command)
    add_ensemble(grow_command)
    add_round(grow_command)
    what = "fit a tree of gradient boosting to the first and second derivatives in these columns"
    grow_command.add_argument("--gradients", nargs=2, metavar=("G", "H"), help=what)
    add_format(grow_command, FORMATS)
    add_dialect(grow_command)
    _add_explaining(_command(commands, run_explain, "explain", "show the worked derivation of a tree"))
    _add_predicting(_command(commands, run_predict, "predict", "predict the target of rows by a tree, or an ensemble"))
    _add_pruning(_command(commands, run_prune, "prune", "prune a tree and print it"))
    _add_auditing(_command(commands, run_audit, "audit", "check every node of a tree against its data and its learner"))
    add_goldens(_command(commands, run_golden, "golden", "write golden cases"))
    check_command = _command(commands, run_check, "check", "check a program's answers against the golden cases")
    add_checking(check_command)
    add_format(check_command, FINDING_FORMATS)
    purpose = "make a page of what check --report wrote, of one program or more, or a badge (svg)"
    report_command = _command(commands, run_report, "report", purpose)
    add_paging(report_command)
    add_format(report_command, PAGES)
    purpose = "draw cases that a program claims, and report its mistakes"
    add_fuzzing(_command(commands, run_fuzz, "fuzz", purpose))
    purpose = "choose the value of an option by cross-validation, among several: --max-depth 0-8"
    _add_selecting(_command(commands, run_select, "select", purpose))
    purpose = "evaluate a tree, or a learner by rows held out: accuracy and confusion matrix, or errors"
    _add_scoring(_command(commands, run_score, "score", purpose))
    _add_plots(commands.add_parser("plot", help="draw a curve or the regions of a tree, as SVG", allow_abbrev=False))
    purpose = "list the textbook data sets, or write a table: divided, in bins, encoded"
    _add_rewriting(_command(commands, run_data, "data", purpose))
    purpose = "the part of each attribute in the answers of a tree or an ensemble: exact Shapley values"
    add_attributing(_command(commands, run_attributions, "attributions", purpose), TREE)
    purpose = "decide whether two models are the same function of all rows, and show a row where they are not"
    add_comparing(_command(commands, run_compare, "compare", purpose), TREE)
    purpose = "print the fingerprint of a model: the same for all forms of the same function"
    add_fingerprinting(_command(commands, run_fingerprint, "fingerprint", purpose), TREE)
    purpose = "write the report of a command that goes wrong, with the smallest table that shows it"
    add_reporting(_command(commands, run_bug, "bug", purpose))
    purpose = "print a script that completes commands and options in a shell"
    add_completion(commands.add_parser("completion", help=purpose, allow_abbrev=False), commands.choices)
    help_command = commands.add_parser("help", help="show this help, or that of a command", allow_abbrev=False)
    help_command.add_argument("command", metavar="COMMAND", nargs="?", choices=[*commands.choices], help="the command")
    help_command.set_defaults(run=lambda of: deliver(commands.choices.get(of.command, top).format_help(), None))
    return top


def _command(
    commands: Any, run: Callable[[argparse.Namespace], int | None], name: str, purpose: str
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.", allow_abbrev=False
    )
    command.set_defaults(run=run, called=name)
    files: dict[str, Any] = {"nargs": "+"} if run is run_data else {}
    command.add_argument("--output", "-o", metavar="FILE", help="write to a file instead of printing", **files)
    return command


def bins_forms() -> str:
    """The common names of the options that cut a column into intervals."""
    return "; ".join([
        "cuts, 70,75", "'Cold (-inf, 70); Warm [70, inf)'", *(one.form for one in discretizers().values())
    ])  # fmt: skip


def _add_explaining(command: argparse.ArgumentParser) -> None:
    add_data(command)
    add_learner(command)
    add_pre_pruning(command)
    add_ensemble(command)
    add_round(command)
    add_format(command, WRITERS)
    command.add_argument(
        "--node", metavar="PATH", help="one node only: / is the root, /outlook=sunny or /2 a node below it"
    )
    what = "with --predict, the Shapley values of the row, leaf by leaf"
    command.add_argument("--attributions", action="store_const", const=True, help=what)
    add_explained(command, "--attributions")
    on_the_way = "--predict shows the nodes on the path of a row, and {}; leave one out".format
    add_conflicts(
        command,
        is_for("unseen", "the path of a row", "--predict ROW"),
        is_for("attributions", "a row", "--predict ROW"),
        apart("predict", "node", on_the_way("--node one of all")),
        apart("predict", "all", on_the_way("--all every one")),
        *(
            apart("discretize", name, f"--discretize shows how a column is cut, and --{name} a tree; leave one out")
            for name in ("predict", "node")
        ),
    )
    what = f"in the place of a tree, how a column is cut into intervals, as by data --discretize: {bins_forms()}"
    command.add_argument("--discretize", nargs=2, metavar=("NAME", "BINS"), help=what)
    command.add_argument("--all", action="store_true", help="every node of a large tree, not the root alone")
    command.add_argument(
        "--digits",
        type=digits,
        metavar="N",
        default=PLACES,
        help=f"decimals of what is rounded (default: {PLACES}; at most {MOST_PLACES})",
    )
    command.add_argument("--exact", action="store_true", help="fractions and sums of logarithms in full")

    _add_prediction(command)


TREE = "a tree document, as grow --format json writes it, or what another program wrote"
"""The help text for a tree argument."""


def _add_predicting(command: argparse.ArgumentParser) -> None:
    command.add_argument("tree", metavar="TREE", help=TREE)
    add_ignored(command)
    command.add_argument("data", metavar="DATA", help="a file or the name of a textbook data set")
    add_conflicts(
        command, is_for("estimate", "P(Y|X)", "--proba"), is_for("m", "an m-estimate", "--estimate m-estimate")
    )
    command.add_argument("--proba", action="store_true", help="print P(Y|X), one column for each class")
    said = "; ".join(f"{one.name}: {one.words}" for one in estimates().values())
    command.add_argument("--estimate", choices=[*estimates()], help=f"how a tree estimates P(Y|X) at a leaf; {said}")
    command.add_argument("--m", type=number, metavar="M", help="the weight of the prior in an m-estimate, in rows")
    command.add_argument("--exact", action="store_true", help="print exact numbers: fractions, not decimals")
    add_format(command, ("text", "csv"))
    command.add_argument(
        "--unseen",
        choices=("error", "majority"),
        default="error",
        help="what to do with a value the tree has no branch for",
    )
    add_layout(command)


def _add_auditing(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("tree", metavar="TREE", help="a document of a tree or an ensemble, or what another program wrote of one")
    add_ignored(command)
    add_data(command)
    add("--pruned", action="store_true", help="the tree was pruned: a leaf may be where the learner would split")
    add("--max-leaves", type=whole, metavar="N", help="the program's limit on leaves")
    what = "what may be supposed where a program does not tell its training: names, or none (default: all)"
    add("--assume", metavar="NAMES", help=what)
    add("--node", metavar="PATH", help="one node only, by its path or its number")
    add("--round", type=whole, metavar="M", help="of an ensemble, the tree of --node; the first is 1")
    what = "write the smallest rows on which a node of a tree is wrong here, with the tree"
    add("--reduce", metavar="FOLDER", help=what)
    what = "the training parameters of a boosted model of XGBoost, as its save_config wrote them"
    add("--config", metavar="FILE", help=what)
    add("--jobs", type=whole, metavar="N", help="trees of a boosted model judged in parallel (default: 1)")
    what = "audit these Shapley values of the rows, and not the tree: a table with a column for each attribute"
    add("--attributions", metavar="FILE", help=what)
    add_explained(command, "--attributions")
    add_format(command, FINDING_FORMATS)
    add_learner(command)
    add_pre_pruning(command)


def _add_selecting(command: argparse.ArgumentParser) -> None:
    add_data(command)
    add_learner(command, for_many=True)
    add_ensemble(command, for_many=True)
    _add_folds(command)
    add_format(command, SELECTION_FORMATS)


def _add_scoring(command: argparse.ArgumentParser) -> None:
    add_data(command)
    command.add_argument("rows", metavar="ROWS", nargs="?", help="the rows that evaluate the tree of a document DATA")
    add_ignored(command)
    add_learner(command)
    add_ensemble(command)
    add = command.add_argument
    add("--holdout", type=share, metavar="SHARE", help="evaluate on this share of the rows, and grow from the others")
    add("--folds", type=whole, metavar="K", help="cross-validation: the number of folds (default: 10)")
    what = "out-of-bag: evaluate each row by the trees for which it was not drawn"
    add("--importance", choices=tuple(IMPORTANCES), help="the feature importance of the tree in a document")
    add("--oob", action="store_const", const=True, help=what)
    add_stratified(command)
    add_format(command, SCORE_FORMATS)


def _add_prediction(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group(
        "the path of one row",
        "With --predict, DATA may also be a tree document, NAME.json, and no tree is grown then. A row is named by "
        "its number in the file, from 1, or by name=value pairs, as in outlook=sunny,wind=?; ? is a missing value, and "
        "\\, and \\= and \\\\ stand for these characters in a name or a value.",
    )
    group.add_argument("--predict", metavar="ROW", help="show the path of this row to its prediction")
    group.add_argument("rows", metavar="ROWS", nargs="?", help="the rows that ROW counts, if not those of DATA")
    add_ignored(group)
    group.add_argument(
        "--unseen",
        choices=("error", "majority"),
        help="what to do with a value the tree has no branch for (default: error)",
    )


def _add_pruning(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("tree", metavar="TREE", help=TREE)
    add_ignored(command)
    add("data", metavar="DATA", help="the data it was grown from: a file or the name of a textbook data set")
    usual = "error-based for trees of C4.5, otherwise cost-complexity by cross-validation"
    add("--method", choices=tuple(methods()), help=f"the pruning method (default: {usual})")
    _add_pruning_options(command)
    group = command.add_argument_group("what is printed")
    add_format(group, dict.fromkeys((*FORMATS, *WRITERS)))
    add_dialect(group)
    add = group.add_argument
    add("--show", action="store_true", help="every decision on a line, then the tree; as text, markdown or html")
    add(
        "--explain",
        action="store_true",
        help="every decision with its arithmetic, then the tree; as text, markdown or html",
    )
    add("--path", action="store_true", default=None, help="the sequence of α; as text, markdown, html, json, or svg")
    command.add_argument("--weights", metavar="NAME", help="the column that holds the weight of each row")
    add_layout(command)


def _add_pruning_options(command: argparse.ArgumentParser) -> None:
    """The options of every method, in a group of its own; those that several methods have come first."""
    every = [pair for method in methods().values() for pair in method.options.items()]
    shared = {name: one for name, one in every if every.count((name, one)) > 1}
    for name, one in shared.items():
        add_option(command.add_argument, name, one)
    for called, method in methods().items():
        own = {name: one for name, one in method.options.items() if name not in shared}
        group = command.add_argument_group(called) if own else command
        for name, one in own.items():
            add_option(group.add_argument, name, one)


def _add_rewriting(command: argparse.ArgumentParser) -> None:
    add_data(command, nargs="?")
    add = command.add_argument
    add_pair(add, "--discretize", ("NAME", "BINS"), f"intervals in the place of numbers: {bins_forms()}")
    what = "a column of 0 and 1 for each value of a column of categories (default: of all)"
    add_conflicts(
        command,
        is_for("stratified", "a division of the rows", "--holdout SHARE"),
        is_for("seed", "rows that are drawn", "--holdout SHARE", "--bootstrap"),
        apart("holdout", "bootstrap", "--holdout and --bootstrap are two ways to draw rows; choose one"),
    )
    add("--one-hot", metavar="NAME", action="append", nargs="?", const="*", default=[], help=what)
    add("--holdout", type=share, metavar="SHARE", help="divide the rows: two files, the second with this share")
    what = "draw as many rows as there are, with replacement: those for tree M of an ensemble (default: 1)"
    add("--bootstrap", type=whole, metavar="M", nargs="?", const=1, help=what)
    add_division(command)
    add("--format", choices=tuple(TABLE_FORMATS), help="how to write it (default: as the file's name says, or csv)")


def _add_folds(command: argparse.ArgumentParser) -> None:
    command.add_argument("--folds", type=whole, metavar="K", default=10, help="the number of folds (default: 10)")
    add_division(command)
    command.add_argument(
        "--standard-errors",
        type=number,
        metavar="M",
        default=1,
        help="the number of standard errors by which a simpler tree may be worse (default: 1)",
    )


def _add_plots(command: argparse.ArgumentParser) -> None:
    kinds = command.add_subparsers(required=True, metavar="KIND", dest="kind", parser_class=_Parser)
    of = {kind: _command(kinds, run_plot, kind, plot.purpose) for kind, plot in PLOTS.items()}
    for command in of.values():
        command.set_defaults(formats=("svg",), format=None)
    of["entropy"].add_argument("--gini", action="store_true", help="draw the Gini value as well")
    of["entropy"].add_argument("--error", action="store_true", help="draw the misclassification rate as well")
    what = "draw the gain of these parts, each of them the weights of two classes, as in --split 3,2 0,4 2,3"
    of["entropy"].add_argument("--split", type=several(number), nargs="+", metavar="A,B", help=what)
    for kind in ("gain", "candidates", "regions", "overfitting", "learning", "folds", "rounds"):
        add_data(of[kind])
    add_learner(of["candidates"])
    of["candidates"].add_argument("--node", metavar="PATH", default="/", help="where in the tree (default: the root)")
    of["folds"].add_argument("--folds", type=whole, metavar="K", default=10, help="the number of folds (default: 10)")
    add_division(of["folds"])
    of["rounds"].add_argument("x", metavar="X", help="the column across")
    add_learner(of["rounds"])
    add_ensemble(of["rounds"])
    for kind in ("cut", "cost", "rows"):
        of[kind].add_argument("tree", metavar="TREE", help=TREE)
        add_ignored(of[kind])
        if kind != "rows":
            add_largest(of[kind])
    of["cut"].add_argument("pruned", metavar="PRUNED", help="the document of the pruned tree")
    of["rows"].add_argument("data", metavar="DATA", help="the rows: a file or the name of a textbook data set")
    of["rows"].add_argument("--row", type=whole, metavar="N", help="one row only, by its number from 1")
    of["rows"].add_argument("--weights", metavar="NAME", help="the column that holds the weight of each row")
    add_layout(of["rows"])
    of["gain"].add_argument("attribute", metavar="NAME", help="the column of numbers")
    of["regions"].add_argument("x", metavar="X", help="the column across")
    of["regions"].add_argument("y", metavar="Y", help="the column upwards")
    add_learner(of["regions"])
    for kind in ("overfitting", "learning"):
        add_learner(of[kind], for_many=True)
        add = of[kind].add_mutually_exclusive_group().add_argument
        add("--holdout", type=share, metavar="SHARE", help="the share of the rows held out (default: 1/3)")
        add("--validation", metavar="FILE", help="the rows held out: a file, or a textbook data set")
        add_division(of[kind])
    sizes = "from how many rows to grow, as in 10,20,50 (default: each tenth)"
    of["learning"].add_argument("--sizes", type=several(whole), metavar="NUMBERS", help=sizes)
