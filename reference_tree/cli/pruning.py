"""Pruning on the command line: from options to a record, and from there to a tree, its decisions, or the sequence of α.

`run_prune` prunes, and prints the tree; or with `--show` a table of the decisions, with `--explain` their arithmetic,
and with `--path` the sequence of α.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from reference_tree.cli.commands import FORMATS, written
from reference_tree.cli.learning import layout_of, remark_left_out
from reference_tree.cli.output import deliver, remark, show_step, wipe
from reference_tree.cli.tables import rows_of, table_under
from reference_tree.cli.trees import tree_in
from reference_tree.data.errors import InputError, listed, option
from reference_tree.data.table import Table, in_memory
from reference_tree.exact.rationals import exact_text
from reference_tree.learners.c45 import C45
from reference_tree.pruning.choosing_alpha import COST_COMPLEXITY, Choice, PathPruning
from reference_tree.pruning.cost_complexity import Path, pruning_path
from reference_tree.pruning.error_based import usual_options
from reference_tree.pruning.method import methods
from reference_tree.pruning.prune import check_options, chosen_alpha, options_of, record_of
from reference_tree.pruning.record import perform
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Title, digits_of
from reference_tree.views.derivation.cost_pruning import bound, path_legend, path_table
from reference_tree.views.derivation.prunings import called, derive_pruning
from reference_tree.views.derivation.writers import WRITERS, page
from reference_tree.views.plots.curves import choice_curve
from reference_tree.views.wording import one_line

ALSO: Mapping[str, tuple[str, ...]] = {COST_COMPLEXITY.name: ("path",)}
"""The options that a method has on the command line alone."""

PAGE_FORMS = tuple(WRITERS)
"""How decisions can be printed."""


def run_prune(options: argparse.Namespace) -> None:
    """`prune TREE DATA`: prune a tree and print it, or its decisions."""
    given = given_to(options)
    _check_format(options)
    tree = tree_in(options.tree, options)
    if tree.silent & {"counts", "inner-counts"}:
        message = "the tree does not state the counts of its nodes, which pruning needs"
        raise InputError(message, path=options.tree)
    data = rows_of(tree, options.data, layout_of(options), options.weights)
    is_named = options.method is not None
    if not is_named:
        options.method, given = usual_method(tree, data)
        chosen = [f"--method {options.method}", *(f"{option(name)} {value}" for name, value in given.items())]
        remark(f"no method is named: {' '.join(chosen)}")
    data = in_memory(data) if "folds" in given else data  # they number the rows
    remark_left_out(data)
    source, columns = options.validation, (tree.target, tree.attributes)
    layout = layout_of(options)
    validation = None if source is None else table_under(source, *columns, layout, options.weights)
    try:
        choice = chosen_alpha(tree, data, given, show_step) if "folds" in given else None
    except InputError as error:
        message = error.message if is_named else f"{error.message}; say --method"
        raise InputError(message, path=options.tree) from None
    finally:
        wipe()
    if options.path:
        deliver(_path(tree, choice, options), options.output)
        return
    record = record_of(tree, options.method, given, choice)
    try:
        act = perform(tree, record, data, validation)
    except InputError as error:
        raise InputError(error.message, path=source or options.tree) from None
    if options.show or options.explain:
        title = Title(f"A tree for {one_line(data.name)}, pruned by {called(record)}")
        blocks = [title, *derive_pruning(act, choice, in_full=options.explain)]
        deliver(page(blocks, options.format, digits_of(tree)), options.output)
    else:
        deliver(written(act.after, options), options.output)


# What the options mean.


def usual_method(tree: Tree, data: Table) -> tuple[str, dict[str, Any]]:
    """The method for a tree if none is named, and its options: that of the tree's learner, or one that every tree has.

    Args:
        tree: the tree.
        data: the rows that it was grown from.

    Example:
        >>> import reference_tree as rt
        >>> golf = rt.textbook("golf")
        >>> usual_method(rt.C45().grow(golf), golf)
        ('error-based', {})
        >>> usual_method(rt.CART().grow(golf), golf)
        ('cost-complexity', {'folds': 10})
    """
    if tree.grower.name != C45.name:
        return "cost-complexity", {"folds": min(10, len(data))} if len(data) > 1 else {"alpha": 0}
    return "error-based", usual_options(tree, data)


def given_to(options: argparse.Namespace) -> dict[str, Any]:
    """The options that are given to the method.

    Raises:
        InputError: it has no such option, or lacks one; or there is no method that has it.
    """
    every = dict.fromkeys((*(name for method in methods().values() for name in method.options), "path"))
    given = {name: value for name in every if (value := getattr(options, name)) is not None}
    if options.method is None and given:
        names = [name for name in methods() if {*given} <= {*options_of(name, ALSO)}]
        if len(names) != 1:
            whose = listed([*map(option, given)])
            raise InputError(f"say whose option {whose} is: --method {' or '.join(names or methods())}")
        (options.method,) = names
    if options.method is not None:
        check_options(options.method, given, ALSO)
    return given


def _check_format(options: argparse.Namespace) -> None:
    given = [name for name in ("path", "show", "explain") if getattr(options, name)]
    if len(given) > 1:
        raise InputError(f"{option(given[0])} and {option(given[1])} print different things; choose one of them")
    allowed = {"path": (*PAGE_FORMS, "json", "svg"), "show": PAGE_FORMS, "explain": PAGE_FORMS}.get("".join(given))
    if allowed is None and options.format not in FORMATS:
        raise InputError(f"a tree is not printed as {options.format}; with --show or --explain its decisions are")
    if allowed is not None and options.format not in allowed:
        *most, last = allowed
        formats = f"{', '.join(most)} or {last}"
        raise InputError(f"with {option(given[0])}, the format is {formats}, not {options.format}")


# What is printed.


def _path(tree: Tree, choice: Choice | None, options: argparse.Namespace) -> str:
    """The sequence of α, as a table, as JSON, or as a curve."""
    profile = options.profile or "cart-1984"
    path = pruning_path(tree, profile, options.risk)
    if options.format == "svg":
        if choice is None:
            raise InputError("a curve needs the losses on rows held out, too; say --folds K")
        return choice_curve(choice)
    if options.format != "json":
        found = PathPruning(tree, path, path.steps[0], profile, options.risk)
        blocks = [path_legend(found, choice), path_table(path, choice), *(bound(choice) if choice is not None else ())]
        return page(blocks, options.format)
    entries = ",\n ".join(json.dumps(entry, ensure_ascii=False) for entry in path_json(path, choice))
    return f"[{entries}]\n"


def path_json(path: Path, choice: Choice | None = None) -> list[dict[str, object]]:
    """The sequence as data; with the figures of cross-validation for each tree, if there are any.

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
