"""The command line: grow, explain, predict, golden, data.

Every command reads a file, or a textbook data set by name, does one thing, and prints it or writes it to `--output`.
Bad input gets one line on standard error and the exit status 2. A file is written under a temporary name and moved into
place, so that a failure loses nothing.
"""

from __future__ import annotations

import argparse
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from reference_tree import __version__
from reference_tree.conformance.cases import Case, case, cases
from reference_tree.conformance.goldens import csv_text, golden
from reference_tree.data.errors import InputError
from reference_tree.data.readers import read
from reference_tree.data.readers.rows import read_rows
from reference_tree.data.table import Table
from reference_tree.data.textbook import describe, names, textbook
from reference_tree.exact.log_sums import UndecidedError
from reference_tree.exact.rationals import Rational, decimal_text, rational
from reference_tree.learners.growing import grow
from reference_tree.learners.registry import LEARNERS, learner_named
from reference_tree.tree import Tree
from reference_tree.tree_document import read_tree, to_json
from reference_tree.views.dot import to_dot
from reference_tree.views.explain import explain
from reference_tree.views.rules import to_rules
from reference_tree.views.text import to_text

_STEP = 500
"""After so many nodes the count on the terminal moves on."""

FORMATS: dict[str, Callable[[Tree], str]] = {"text": to_text, "rules": to_rules, "json": to_json, "dot": to_dot}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: of the command line, without the program's name; none: those of this process.

    Returns:
        The exit status: 0, or 2 for bad input.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        options = parser().parse_args(arguments)
        options.run(options)
    except (InputError, UndecidedError) as error:
        print(f"reference-tree: {error}", file=sys.stderr)
        return 2
    except ValueError as error:
        if "integer string conversion" not in str(error):  # Python's own limit on writing integers
            raise
        print("reference-tree: a weight has come to have more digits than can be written", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read our output has seen enough
        _forget_output()
    except KeyboardInterrupt:
        return 130
    return 0


# The commands.


def run_grow(options: argparse.Namespace) -> None:
    """`grow DATA`: grow a tree and print it."""
    table = load(options)
    _deliver(FORMATS[options.format](_grown(options, table)), options.output)


def run_explain(options: argparse.Namespace) -> None:
    """`explain DATA`: the worked derivation of a tree."""
    table = load(options)
    _deliver(explain(_grown(options, table), table, format=options.format, node=options.node), options.output)


def run_predict(options: argparse.Namespace) -> None:
    """`predict TREE DATA`: a label for each row, or P(Y|X)."""
    tree = read_tree(options.tree)
    answer = _distribution if options.proba else _label
    rows = (
        _textbook_for(tree, options.data).rows()
        if options.data in names()
        else read_rows(options.data, tree.attributes, options.na)
    )
    lines = []
    for number, row in enumerate(rows, start=1):
        try:
            lines.append(answer(tree, row, options.unseen))
        except InputError as error:
            raise InputError(f"row {number}: {error.message}", path=options.data) from None
    head = csv_text(tree.target.domain, []) if options.proba else ""
    _deliver(head + "".join(f"{line}\n" for line in lines), options.output)


def run_golden(options: argparse.Namespace) -> None:
    """`golden [CASE…]`: write golden cases, one JSON file a case."""
    if options.list:
        _deliver("".join(f"{name:42} {found.title}\n" for name, found in cases().items()), options.output)
        return
    chosen = [case(name) for name in options.cases] or list(cases().values())
    if options.to is None:
        if len(chosen) > 1:
            raise InputError("more than one golden case needs a folder to be written to: --to FOLDER")
        _deliver(golden(chosen[0]), options.output)
        return
    for found in chosen:
        _write_case(Path(options.to), found)


def run_data(options: argparse.Namespace) -> None:
    """`data`: the textbook data sets with their provenance."""
    chosen = [options.name] if options.name else names()
    _deliver("\n".join(_described(name) for name in chosen), options.output)


# Input and output.


def load(options: argparse.Namespace) -> Table:
    """The table that the options name; rows without a target are counted on standard error."""
    if not (options.data in names() or Path(options.data).suffix or Path(options.data).exists()):
        raise InputError(f"{options.data!r} is no file, and no textbook data set; there are {', '.join(names())}")
    if options.data in names():
        table = _textbook(options)
    else:
        chosen: dict[str, Any] = {
            "weights": options.weights,
            "categorical": options.categorical,
            "continuous": options.continuous,
        }
        table = read(options.data, options.target, missing=options.na, **chosen)
    if options.without:
        table = table.without(options.without)
    if table.left_out:
        rows = "1 row" if table.left_out == 1 else f"{table.left_out} rows"
        print(f"reference-tree: left out without a target: {rows}", file=sys.stderr)
    return table


def _textbook(options: argparse.Namespace) -> Table:
    target = describe(options.data).target
    if options.target not in (None, target):
        raise InputError(f"--target is for files; {options.data} has the target {target}")
    for given, flag in ((options.weights, "--weights"), (options.na, "--na")):
        if given is not None:
            raise InputError(f"{flag} is for files; {options.data} is a textbook data set")
    return textbook(options.data, options.categorical, options.continuous)


def _textbook_for(tree: Tree, name: str) -> Table:
    """A textbook data set whose numbers are categories where the tree has them so."""
    categories = {attribute.name for attribute in tree.attributes if attribute.values is not None}
    return textbook(name, [a.name for a in textbook(name).schema.attributes if a.name in categories])


def _grown(options: argparse.Namespace, table: Table) -> Tree:
    names = ("profile", "epsilon", "max_depth", "min_samples_split", "min_samples_leaf")
    given = {name: getattr(options, name) for name in names}
    overrides: dict[str, Any] = {"choose": dict(options.choose), "label": dict(options.label)}
    chosen = {name: value for name, value in given.items() if value is not None}
    learner = learner_named(options.learner, **chosen, **overrides)
    if not sys.stderr.isatty():
        return grow(learner, table)
    tree = grow(learner, table, _progress)
    print("\r\x1b[K", end="", file=sys.stderr)
    return tree


def _progress(nodes: int) -> None:
    """Show on a terminal that long work goes on."""
    if nodes % _STEP == 0:
        print(f"\r{nodes} nodes", end="", file=sys.stderr, flush=True)


def _label(tree: Tree, row: Any, unseen: Any) -> str:
    return str(tree.predict(row, unseen))


def _distribution(tree: Tree, row: Any, unseen: Any) -> str:
    return ",".join(str(share) for share in tree.distribution(row, unseen).values())


def _write_case(folder: Path, found: Case) -> None:
    file = folder / f"{found.id}.json"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a folder: {error.strerror}", path=str(file.parent)) from None
    _deliver(golden(found), str(file))


def _described(name: str) -> str:
    table, found = textbook(name), describe(name)
    attributes = ", ".join(attribute.name for attribute in table.schema.attributes)
    lines = [
        f"{name}: {found.title}",
        f"  {len(table)} rows; {attributes} → {table.schema.target.name}",
        f"  from {found.provenance}",
        f"  used for {found.used_for}",
    ]
    return "\n".join(lines) + "\n"


def _deliver(text: str, output: str | None) -> None:
    """Print, or write to a file: under a temporary name, moved into place once it is whole."""
    if output is None:
        _print(text)
        return
    target = Path(output)
    try:
        if target.exists() and not target.is_file():  # a device or a pipe is written to, never replaced
            target.write_text(text, encoding="utf-8", newline="\n")
        else:
            _replace(target.resolve(), text)  # where a link leads to a file, that file
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path=output) from None


def _print(text: str) -> None:
    """Print, and see at once whether it arrives."""
    if sys.stdout is None:
        raise InputError("there is no standard output; name a file with --output")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _forget_output()
        raise InputError(f"cannot be written: {error.strerror}", path="standard output") from None


def _forget_output() -> None:
    """Give up what could not be printed: it must not be tried again on the way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace(target: Path, text: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".reference-tree-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


# The options.


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
    grow_command.add_argument("--format", choices=FORMATS, default="text", help="how to print it (default: text)")

    explain_command = _command(commands, run_explain, "explain", "show the worked derivation of a tree")
    _add_data(explain_command)
    _add_learner(explain_command)
    explain_command.add_argument(
        "--format", choices=("text", "markdown"), default="text", help="how to print it (default: text)"
    )
    explain_command.add_argument(
        "--node", metavar="PATH", help="one node only: / is the root, /outlook=sunny a node below it"
    )

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


def _add_missing_markers(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--na", metavar="TEXT", action="append", help="a cell that means a missing value (default: ?, empty and NA)"
    )


def _add_learner(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--learner", choices=LEARNERS, default="id3", help="who decides (default: id3)")
    add("--profile", metavar="NAME", help="the dialect to follow: c45 has zhou (its default) and li-hang")
    add("--epsilon", type=_number, metavar="NUMBER", help="a split needs at least this score (default: 0)")
    add("--max-depth", type=_depth, metavar="DEPTH", help="no node lies deeper; the root is 0 (default: no limit)")
    add("--min-samples-split", type=_number, metavar="WEIGHT", help="a node with less is a leaf (default: 0)")
    add("--min-samples-leaf", type=_number, metavar="WEIGHT", help="no branch with any rows gets less (default: 0)")
    _add_override(command, "--choose", "ATTRIBUTE", "which of the exact winners at a node to take")
    _add_override(command, "--label", "CLASS", "which of the equal majorities at a node to answer")


def _add_override(command: argparse.ArgumentParser, flag: str, what: str, purpose: str) -> None:
    command.add_argument(flag, nargs=2, metavar=("PATH", what), action="append", default=[], help=purpose)


def _number(text: str) -> Rational:
    try:
        value = rational(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if value < 0:
        raise argparse.ArgumentTypeError(f"{decimal_text(value)} is negative")
    return value


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is not a depth: 0, 1, 2, ...")
    return int(text)
