"""Arguments: the commands, and the options each has."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from reference_tree import __version__
from reference_tree.cli.commands import FORMATS, run_data, run_explain, run_golden, run_grow, run_predict
from reference_tree.cli.pruning import OPTIONS, run_prune
from reference_tree.data.errors import InputError
from reference_tree.data.textbook import names
from reference_tree.exact.rationals import Rational, decimal_text, rational
from reference_tree.learners.registry import LEARNERS
from reference_tree.pruning.error_limits import LIMITS
from reference_tree.pruning.record import ORDERS
from reference_tree.pruning.risks import RISKS
from reference_tree.views.derivation.explain import WRITERS
from reference_tree.views.derivation.notation import PLACES


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {InputError(message)}; see {self.prog} --help", file=sys.stderr)
        sys.exit(2)


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = _Parser(
        prog="reference-tree", description="The executable specification of decision trees.", allow_abbrev=False
    )
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    grow_command = _command(commands, run_grow, "grow", "grow a tree and print it")
    _add_data(grow_command)
    _add_learner(grow_command)
    _add_format(grow_command, FORMATS)

    explain_command = _command(commands, run_explain, "explain", "show the worked derivation of a tree")
    _add_data(explain_command)
    _add_learner(explain_command)
    _add_format(explain_command, WRITERS)
    explain_command.add_argument(
        "--node", metavar="PATH", help="one node only: / is the root, /outlook=sunny or /2 a node below it"
    )
    explain_command.add_argument("--all", action="store_true", help="every node of a large tree, not the root alone")
    explain_command.add_argument(
        "--digits", type=_whole, metavar="N", default=PLACES, help=f"decimals of what is rounded (default: {PLACES})"
    )
    explain_command.add_argument("--exact", action="store_true", help="fractions and sums of logarithms in full")

    _add_prediction(explain_command)

    predict_command = _command(commands, run_predict, "predict", "label rows by a tree")
    predict_command.add_argument("tree", metavar="TREE", help="a tree document, as grow --format json writes it")
    predict_command.add_argument("data", metavar="DATA", help="a file or the name of a textbook data set")
    predict_command.add_argument("--proba", action="store_true", help="print P(Y|X), one column a class")
    predict_command.add_argument(
        "--unseen",
        choices=("error", "majority"),
        default="error",
        help="what to do with a value the tree has no branch for",
    )
    _add_missing_markers(predict_command)

    prune_command = _command(commands, run_prune, "prune", "prune a tree and print it")
    _add_pruning(prune_command)

    golden_command = _command(commands, run_golden, "golden", "write golden cases")
    golden_command.add_argument("cases", metavar="CASE", nargs="*", help="the id of a case (default: all)")
    golden_command.add_argument("--list", action="store_true", help="name the cases instead")
    golden_command.add_argument("--to", metavar="FOLDER", help="write one file for each case here")

    data_command = _command(commands, run_data, "data", "list the textbook data sets with their provenance")
    data_command.add_argument("name", metavar="NAME", nargs="?", choices=names(), help="one data set only")
    return top


def _command(
    commands: Any, run: Callable[[argparse.Namespace], None], name: str, purpose: str
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.", allow_abbrev=False
    )
    command.set_defaults(run=run)
    command.add_argument("--output", "-o", metavar="FILE", help="write to a file instead of printing")
    return command


def _add_format(command: argparse.ArgumentParser, formats: Any) -> None:
    command.add_argument("--format", choices=tuple(formats), default="text", help="how to print it (default: text)")


def _add_prediction(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group(
        "the way of one row",
        "With --predict, DATA may also be a tree document, NAME.json, which is not grown any more. A row is named by "
        "its number in the file, from 1, or by name=value pairs, as in outlook=sunny,wind=?; ? is a missing value, and "
        "\\, and \\= and \\\\ stand for these characters in a name or a value.",
    )
    group.add_argument("--predict", metavar="ROW", help="show how the tree comes to its answer for this row")
    group.add_argument("rows", metavar="ROWS", nargs="?", help="the rows that ROW counts, if not those of DATA")
    group.add_argument(
        "--unseen",
        choices=("error", "majority"),
        help="what to do with a value the tree has no branch for (default: error)",
    )


def _add_data(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "data", metavar="DATA", help="a .csv, .tsv, .arff or .names file, or the name of a textbook data set"
    )
    command.add_argument("--target", metavar="NAME", help="the column to predict (default: the last)")
    command.add_argument("--weights", metavar="NAME", help="the column that holds the weight of each row")
    command.add_argument("--without", metavar="NAME", action="append", default=[], help="leave an attribute out")
    command.add_argument(
        "--categorical", metavar="NAME", action="append", default=[], help="read a column as categories ('*': all)"
    )
    command.add_argument("--continuous", metavar="NAME", action="append", default=[], help="read a column as numbers")
    _add_missing_markers(command)


def _add_pruning(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("tree", metavar="TREE", help="a tree document, as grow --format json writes it")
    add("data", metavar="DATA", help="the data it was grown from: a file or the name of a textbook data set")
    add("--method", choices=tuple(OPTIONS), required=True, help="who decides what is pruned")
    add("--alpha", type=_number, metavar="NUMBER", help="the price of a leaf: in bits, or as a share of the rows")
    add("--profile", metavar="NAME", help="the dialect of cost-complexity or error-based pruning to follow")
    add("--validation", metavar="FILE", help="rows that the tree was not grown from, for reduced-error")
    _add_cost_complexity(command)
    group = command.add_argument_group("reduced-error")
    group.add_argument("--order", choices=tuple(ORDERS), help="bottom-up (default), or what helps most first")
    group.add_argument("--ties", choices=("prune", "keep"), help="where a leaf does as well (default: prune)")
    group = command.add_argument_group("error-based")
    group.add_argument("--confidence", type=_number, metavar="CF", help="smaller prunes more (default: 1/4)")
    group.add_argument("--limit", choices=tuple(LIMITS), help="how many errors are expected of a leaf")
    group.add_argument(
        "--raising", action=argparse.BooleanOptionalAction, help="whether a branch may replace its node (default: yes)"
    )
    group = command.add_argument_group("what is printed")
    add = group.add_argument
    add("--format", choices=(*FORMATS, "markdown"), default="text", help="how to print it (default: text)")
    add("--show", action="store_true", help="every decision on a line, then the tree; as text or markdown")
    add("--explain", action="store_true", help="every decision with its arithmetic, then the tree; as text or markdown")
    add("--path", action="store_true", default=None, help="the sequence of α; as text, markdown or json")
    command.add_argument("--weights", metavar="NAME", help="the column that holds the weight of each row")
    _add_missing_markers(command)


def _add_cost_complexity(command: argparse.ArgumentParser) -> None:
    add = command.add_argument_group("cost-complexity").add_argument
    add("--risk", choices=tuple(RISKS), help="what a leaf gets wrong, if not as the profile has it")
    add("--folds", type=_whole, metavar="K", help="choose α by cross-validation")
    add("--seed", type=_whole, metavar="S", help="which folds (default: 0)")
    add("--standard-errors", type=_number, metavar="M", help="how much worse a smaller tree may be (default: 1)")


def _add_missing_markers(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--na", metavar="TEXT", action="append", help="a cell that means a missing value (default: ?, empty and NA)"
    )


def _add_learner(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group(
        "the learner", "What is not given is as the learner has it, or its profile; not every learner has every option."
    )
    add = group.add_argument
    add("--learner", choices=tuple(LEARNERS), default="id3", help="who decides (default: id3)")
    add("--profile", metavar="NAME", help=f"the dialect to follow: {_profiles()}")
    add("--criterion", metavar="NAME", help="what questions are judged by: gini, entropy, squared_error, ...")
    add("--branching", metavar="NAME", help="how attributes are asked: multiway, one-vs-rest, subset, linear")
    add("--search", metavar="NAME", help="how linear tests are found: exhaustive, cart-lc, oc1 or lda")
    add("--seed", type=_whole, metavar="S", help="of a search that draws (default: 0)")
    add("--missing", metavar="RULE", help="what is done about missing values: fractions, surrogates, branch, ...")
    add("--epsilon", type=_number, metavar="NUMBER", help="a split needs at least this score")
    add("--min-impurity-decrease", type=_number, metavar="NUMBER", help="a split takes at least this from the tree's")
    add("--max-depth", type=_depth, metavar="DEPTH", help="no node lies deeper; the root is 0")
    add("--min-samples-split", type=_number, metavar="WEIGHT", help="a node with less is a leaf")
    add("--min-samples-leaf", type=_number, metavar="WEIGHT", help="no branch with any rows gets less")
    _add_pair(add, "--option", ("NAME", "VALUE"), "any other option, as the learner's page and a tree document have it")
    add(
        "--pre-prune",
        metavar="VALIDATION",
        help="split only if fewer of these rows, a file or textbook, are wrong then",
    )
    add("--on-equal", choices=("stop", "split"), help="where pre-pruning finds no difference (default: stop)")
    _add_pair(add, "--choose", ("PATH", "ATTRIBUTE"), "which of the exact winners at a node to take")
    _add_pair(add, "--label", ("PATH", "CLASS"), "which of the equal majorities at a node to answer")


def _profiles() -> str:
    """The profiles of each learner that has any."""
    return "; ".join(
        f"{name} has {', '.join(learner.profiles)}" for name, learner in LEARNERS.items() if learner.profiles
    )


def _add_pair(add: Callable[..., Any], flag: str, of: tuple[str, str], purpose: str) -> None:
    add(flag, nargs=2, metavar=of, action="append", default=[], help=purpose)


def _number(text: str) -> Rational:
    try:
        value = rational(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if value < 0:
        raise argparse.ArgumentTypeError(f"{decimal_text(value)} is negative")
    return value


def _depth(text: str) -> int:
    return _whole(text, "depth")


def _whole(text: str, what: str = "whole number") -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is not a {what}: 0, 1, 2, ...")
    return int(text)
