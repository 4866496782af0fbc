"""Pruning on the command line: from options to a record, and from there to a tree, its decisions, or the sequence of α.

1. `record_of` makes of the options the record that the pruned tree will keep. An option that only another method has,
   and one that a method cannot do without, are told in one line.
2. `chosen_alpha` grows trees without each fold and chooses α by them.
3. `run_prune` prunes, and prints the tree; or with `--show` a table of the decisions, with `--explain` their
   arithmetic, and with `--path` the sequence of α.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

from reference_tree.cli.commands import FORMATS
from reference_tree.cli.learning import layout_of, remark_left_out
from reference_tree.cli.output import deliver, show_step, wipe
from reference_tree.cli.tables import rows_of, table_under
from reference_tree.data.errors import InputError, listed
from reference_tree.data.table import Table
from reference_tree.exact.rationals import exact_text
from reference_tree.learners.options import Options
from reference_tree.learners.registry import learner_of
from reference_tree.learners.ties import Ties
from reference_tree.pruning.choosing_alpha import Choice, choose, loss_by, losses
from reference_tree.pruning.cost_complexity import Path, pruning_path
from reference_tree.pruning.error_based import ErrorBased
from reference_tree.pruning.error_limits import LIMITS
from reference_tree.pruning.record import PathPruning, Record, perform
from reference_tree.pruning.risks import convention
from reference_tree.selection.cross_validation import folds
from reference_tree.selection.overfitting import Point
from reference_tree.tree import Tree
from reference_tree.tree_document import read_tree
from reference_tree.views.derivation.blocks import Title
from reference_tree.views.derivation.cost_pruning import bound, path_legend, path_table
from reference_tree.views.derivation.explain import WRITERS
from reference_tree.views.derivation.prunings import METHODS, derive_pruning
from reference_tree.views.names import one_line
from reference_tree.views.plots.curves import validation_curve

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "cost-function": ("alpha",),
    "cost-complexity": ("alpha", "profile", "risk", "folds", "seed", "standard_errors", "path"),
    "reduced-error": ("validation", "order", "ties"),
    "error-based": ("confidence", "profile", "limit", "raising"),
}
"""The options of each method."""

TOLD = tuple(WRITERS)
"""How decisions can be printed."""


def run_prune(options: argparse.Namespace) -> None:
    """`prune TREE DATA`: prune a tree and print it, or its decisions."""
    _check_options(options)
    tree = read_tree(options.tree)
    data = rows_of(tree, options.data, layout_of(options), options.weights)
    remark_left_out(data)
    source, columns = options.validation, (tree.target, tree.attributes)
    validation = None if source is None else table_under(source, *columns, layout_of(options), options.weights)
    choice = None if options.folds is None else chosen_alpha(tree, data, options)
    if options.path:
        deliver(_path(tree, data, choice, options), options.output)
        return
    record = record_of(tree, options, choice)
    try:
        act = perform(tree, record, data, validation)
    except InputError as error:
        raise InputError(error.message, path=source or options.tree) from None
    if options.show or options.explain:
        title = Title(f"A tree for {one_line(data.name)}, pruned by {METHODS[options.method].name}")
        page = [title, *derive_pruning(act, choice, in_full=options.explain)]
        deliver("".join(f"{line}\n" for line in WRITERS[options.format](page)), options.output)
    else:
        deliver(FORMATS[options.format](act.after), options.output)


# What the options mean.


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _check_options(options: argparse.Namespace) -> None:
    """Refuse what the method has not, and what does not go together."""
    known = OPTIONS[options.method]
    every = dict.fromkeys(name for names in OPTIONS.values() for name in names)
    given = [name for name in every if getattr(options, name) is not None]
    for name in given:
        if name not in known:
            others = listed([method for method, names in OPTIONS.items() if name in names])
            flags = ", ".join(map(_flag, known))
            raise InputError(f"{_flag(name)} is an option of {others}, not of {options.method}, which has {flags}")
    _check_needs(options, given)
    _check_format(options)


def _check_needs(options: argparse.Namespace, given: list[str]) -> None:
    method = options.method
    if method == "cost-function" and "alpha" not in given:
        raise InputError("cost-function needs the price of a leaf in bits: --alpha NUMBER")
    if method == "reduced-error" and "validation" not in given:
        raise InputError("reduced-error needs rows that the tree was not grown from: --validation FILE")
    if method == "cost-complexity":
        if "alpha" in given and ("folds" in given or "path" in given):
            other = "folds" if "folds" in given else "path"
            raise InputError(f"--alpha says which tree to take, and {_flag(other)} looks at all of them; leave one out")
        if not {"alpha", "folds", "path"} & set(given):
            raise InputError("cost-complexity needs --alpha NUMBER, --folds K to choose it, or --path to see them all")
        for name in ("seed", "standard_errors"):
            if name in given and "folds" not in given:
                raise InputError(f"{_flag(name)} is for choosing α by cross-validation; say --folds K, too")


def _check_format(options: argparse.Namespace) -> None:
    said = [name for name in ("path", "show", "explain") if getattr(options, name)]
    if len(said) > 1:
        raise InputError(f"{_flag(said[0])} and {_flag(said[1])} print different things; say one of them")
    allowed = {"path": (*TOLD, "json", "svg"), "show": TOLD, "explain": TOLD}.get("".join(said))
    if allowed is None and options.format not in FORMATS:
        raise InputError(f"a tree is not printed as {options.format}; with --show or --explain its decisions are")
    if allowed is not None and options.format not in allowed:
        *most, last = allowed
        formats = f"{', '.join(most)} or {last}"
        raise InputError(f"with {_flag(said[0])}, the format is {formats}, not {options.format}")


def record_of(tree: Tree, options: argparse.Namespace, choice: Choice | None = None) -> Record:
    """What the pruned tree will say of its pruning.

    Args:
        tree: before it is pruned.
        options: of the command.
        choice: the cross-validation that chose α, if one did.

    Raises:
        InputError: there is no such profile, or an option cannot have this value.
    """
    record: dict[str, Any] = {"method": options.method}
    if options.method == "cost-function":
        return {**record, "alpha": exact_text(options.alpha)}
    if options.method == "reduced-error":
        return {**record, "order": options.order or "bottom-up", "on_equal": options.ties or "prune"}
    if options.method == "error-based":
        return {**record, **_error_rules(options).options()}
    convention(tree, _profile(options), options.risk)  # which refuses what it does not know
    record |= {"profile": _profile(options), "alpha": _alpha(tree, options, choice)}
    record |= {} if options.risk is None else {"risk": options.risk}
    if choice is None:
        return record
    errors = exact_text(_standard_errors(options))
    return {**record, "folds": options.folds, "seed": _seed(options), "standard_errors": errors}


def _error_rules(options: argparse.Namespace) -> ErrorBased:
    rules: dict[str, Any] = {
        "confidence": options.confidence,
        "limit": None if options.limit is None else LIMITS[options.limit],
        "raising": options.raising,
    }
    given = {name: value for name, value in rules.items() if value is not None}
    return ErrorBased(**given) if options.profile is None else ErrorBased.like(options.profile, **given)


def _profile(options: argparse.Namespace) -> str:
    return options.profile or "cart-1984"


def _seed(options: argparse.Namespace) -> int:
    return 0 if options.seed is None else int(options.seed)


def _standard_errors(options: argparse.Namespace) -> Fraction:
    return Fraction(1 if options.standard_errors is None else options.standard_errors)


def _alpha(tree: Tree, options: argparse.Namespace, choice: Choice | None) -> str:
    """The price that was given, or the least one of the tree that was chosen, in the unit of the profile."""
    if choice is None:
        return exact_text(options.alpha)
    return str(pruning_path(tree, _profile(options), options.risk).steps[choice.chosen].alpha)


def chosen_alpha(tree: Tree, data: Table, options: argparse.Namespace) -> Choice:
    """What cross-validation says of the sequence of a tree: its learner grows the others.

    Raises:
        InputError: the tree does not say who grew it, or another tree comes of these rows; or there are no such folds.
    """
    try:
        learner = learner_of(tree.grower)
    except InputError as error:
        raise InputError(f"--folds grows the tree anew, and {error.message}", path=options.tree) from None
    assert isinstance(learner, Options)
    if learner.grow(data).nodes != tree.nodes:
        raise InputError("--folds grows the tree anew, and another one comes of these rows", path=options.tree)
    apart = replace(learner, ties=Ties())  # an override of a tie is for the tree of all rows
    held_out = folds(data, options.folds, _seed(options))
    done = count(1)

    def grow(part: Table) -> Tree:
        show_step(next(done), len(held_out) + 1)
        return apart.grow(part)

    try:
        return choose(grow, data, held_out, _profile(options), options.risk, _standard_errors(options))
    finally:
        wipe()


# What is printed.


def _path(tree: Tree, data: Table, choice: Choice | None, options: argparse.Namespace) -> str:
    """The sequence of α, as a table, as JSON, or as a curve."""
    path = pruning_path(tree, _profile(options), options.risk)
    if options.format == "svg":
        if choice is None:
            raise InputError("a curve needs the losses on rows held out, too; say --folds K")
        return loss_curve(choice, data)
    if options.format != "json":
        found = PathPruning(tree, path, path.steps[0], _profile(options), options.risk)
        page = [path_legend(found, choice), path_table(path, choice), *(bound(choice) if choice is not None else ())]
        return "".join(f"{line}\n" for line in WRITERS[options.format](page))
    entries = ",\n ".join(json.dumps(entry, ensure_ascii=False) for entry in path_json(path, choice))
    return f"[{entries}]\n"


def loss_curve(choice: Choice, data: Table) -> str:
    """The mean loss of each tree of a sequence over its leaves, on the rows it was grown from and in cross-validation.

    Args:
        choice: the cross-validation of the sequence.
        data: the rows.
    """
    path, steps = choice.path, choice.path.steps
    weight = Fraction(sum(data.weighted()))
    lost = losses(path, 0, data, "error", loss_by(path.tree))
    points = [
        Point(len(path.at(step).leaves()), once / weight, estimate.risk)
        for step, (once, _), estimate in zip(steps, lost, choice.estimates, strict=True)
    ]
    return validation_curve(points, "number of leaves", measure="mean loss", marked=[points[choice.chosen].value])


def path_json(path: Path, choice: Choice | None = None) -> list[dict[str, object]]:
    """The sequence as data; with what cross-validation says of each tree, if it was asked.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> path_json(pruning_path(ID3().grow(textbook("loan"))))[1]
        {'alpha': '1/5', 'leaves': 1, 'risk': '2/5'}
    """
    entries = path.as_data()
    if choice is None:
        return entries
    for number, (entry, estimate) in enumerate(zip(entries, choice.estimates, strict=True)):
        entry |= {
            "cross_validated": exact_text(estimate.risk),
            "squared_standard_error": exact_text(estimate.squared_standard_error),
            "chosen": number == choice.chosen,
        }
    return entries
