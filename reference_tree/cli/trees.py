"""Trees on the command line: a tree document, or the file of another program; this is where all commands read them."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from typing import Any

from reference_tree.cli.learning import layout_of
from reference_tree.cli.options import ensemble_flags, learner_flags
from reference_tree.cli.tables import table_under
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.programs.reading import names_tree, predictor_of_file
from reference_tree.tree import Tree
from reference_tree.tree_document.form import LARGEST

GROWING = (
    "learner", "profile", "without", "categorical", "continuous", "option", "pre_prune", "on_equal", "choose",
    "label", "ensemble", "ensemble_option", "jobs", "holdout", "folds", "stratified", "oob",
)  # fmt: skip
"""The options of the commands that grow a tree, or judge one that they grow, besides those of learners."""


def check_not_grown(
    options: argparse.Namespace, more: Collection[str] = (), but: Collection[str] = (), why: str = ""
) -> None:
    """Refuse the options for growing, where no tree is grown.

    Args:
        options: of the command; `data` is the document.
        more: other options that have no effect then.
        but: those that have one.
        why: the reason that no tree is grown, if it is not that a document holds it.

    Raises:
        InputError: such an option is given.
    """
    for name in (*learner_flags(), *GROWING, *ensemble_flags(), *more):
        value = getattr(options, name, None)
        if name not in but and value not in (None, []):
            flag = f"--{'no-' * (value is False)}{name.replace('_', '-')}"
            why = why or f"{options.data} holds a tree that is grown"
            raise InputError(f"{flag} is for growing, and {why}; leave {flag} out")


def reading_options(options: argparse.Namespace) -> dict[str, Any]:
    """How the file of a tree is read: the arguments of `predictor_of_file` that a command has options for."""
    return {
        "largest": options.largest or LARGEST,
        "ignore_members": getattr(options, "ignore_member", []),
        "iterations": getattr(options, "iterations", None),
        "output": getattr(options, "model_output", None),
    }


def check_not_read(options: argparse.Namespace) -> None:
    """Refuse the options for the file of another program, where a tree is grown.

    Raises:
        InputError: such an option is given.
    """
    for name in ("ignore_member", "iterations", "model_output"):
        if getattr(options, name):
            name = f"--{name.replace('_', '-')}"
            raise InputError(f"{name} is for a tree of another program, and {options.data} is none; leave it out")


def predictor_in(path: str, options: argparse.Namespace) -> Tree | Ensemble:
    """The tree or the ensemble in a file.

    Args:
        path: of the file.
        options: of the command; `target` is the column that is predicted, where the program that wrote it does not say,
            and `largest` the most bytes that are read.

    Raises:
        InputError: it cannot be read, holds neither, or predicts another column.
    """
    target = getattr(options, "target", None)
    rows = getattr(options, "data", "") if getattr(options, "tree", None) == path else ""
    if rows and not names_tree(path) and names_tree(rows):
        right = f"{options.called} {rows} {path}"
        raise InputError(f"is no tree, and {rows} is one; the tree comes first: {right}", path=path)
    found = predictor_of_file(path, target, **reading_options(options))
    if target not in (None, found.target.name):
        raise InputError(f"--target {target}: the {found.called} predicts {found.target.name}", path=path)
    return found


def judged_by(options: argparse.Namespace) -> tuple[Tree | Ensemble, Table]:
    """The tree or the ensemble of a command TREE ROWS, and the rows.

    Raises:
        InputError: either cannot be read, or they do not fit together.
    """
    found = predictor_in(options.data, options)
    return found, table_under(options.rows, found.target, found.attributes, layout_of(options), options.weights)


def tree_in(path: str, options: argparse.Namespace) -> Tree:
    """The tree in a file.

    Raises:
        InputError: it cannot be read, or holds no tree.
    """
    found = predictor_in(path, options)
    if isinstance(found, Ensemble):
        raise InputError("holds an ensemble, and this is for one tree; grow one with --round M", path=path)
    return found
