"""Ensembles on the command line: from options to an ensemble, and to the derivation of one of its trees.

`--ensemble` says the ensemble method; the options of a single tree are those of its base learner. What is not
given is as the learner of the ensemble has it.
"""

from __future__ import annotations

import argparse
from functools import partial

from reference_tree.cli.learning import choose_learner, learner_of, of_file, values_of
from reference_tree.cli.options import ensemble_flags, flag, learner_flags
from reference_tree.cli.output import remark
from reference_tree.cli.progress import show_step
from reference_tree.data.errors import InputError, listed
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.ensembles.learner import EnsembleLearner
from reference_tree.ensembles.registry import ENSEMBLES
from reference_tree.learners.options import Options

FOR_ONE_TREE = ("pre_prune", "on_equal", "choose", "label", "gradients")
"""The options about the nodes of one tree."""


def check_options(options: argparse.Namespace) -> None:
    """Reject ensemble options without `--ensemble`, and options of a single tree with it.

    Raises:
        InputError: such an option is given.
    """
    if options.ensemble is None:
        in_document = options.data.endswith(".json")  # which may hold an ensemble
        for name in (*ensemble_flags(), "ensemble_option", "jobs", *([] if in_document else ["round"])):
            if getattr(options, name, None) not in (None, []):
                raise InputError(f"{flag(name)} is for ensembles; say --ensemble, too")
        return
    if options.jobs is not None and options.jobs < 1:
        raise InputError(f"--jobs {options.jobs}: at least one process grows trees")
    for name in FOR_ONE_TREE:
        if getattr(options, name, None) not in (None, []):
            raise InputError(f"{flag(name)} is for one tree, and --ensemble grows many; leave it out")


def grown_together(options: argparse.Namespace, table: Table) -> Ensemble:
    """The ensemble that the learner of the options grows.

    Raises:
        InputError: the options fit no learner, or the learner has no rule for the table.
    """
    learner, message = ensemble_learner(options, table)
    if message:
        remark(message)
    with of_file(options.data):
        jobs = 1 if options.jobs is None else options.jobs
        return learner.grow(table, partial(show_step, of=learner.trees), jobs)


def ensemble_learner(options: argparse.Namespace, table: Table) -> tuple[EnsembleLearner, str | None]:
    """The learner that the options describe, and the remark about the choice of its base.

    Raises:
        InputError: an option is none of this learner's, or cannot have this value.
    """
    kind = ENSEMBLES[options.ensemble]
    known = {name: one for name, one in kind.options().items() if name != "base"}
    unknown = f"is no option of {kind.name}; it has {listed([*known])}"
    flags = (*ensemble_flags(), "seed")
    values = values_of(options, flags, "ensemble_option", known, lambda _: unknown)
    _take_usual(options, kind().base)
    message = choose_learner(options, table)
    return kind(**{**values, "base": learner_of(options)}), message


def _take_usual(options: argparse.Namespace, usual: Options) -> None:
    """Where an ensemble is for stumps, and no learner is named: the default options are those of stumps."""
    plain, given = type(usual)(), {name for name, _ in options.option}
    known = [name for name in learner_flags() if hasattr(usual, name) and getattr(usual, name) != getattr(plain, name)]
    if not known or options.learner is not None or options.profile is not None:
        return
    options.learner = usual.name
    for name in known:
        if getattr(options, name) is None and name not in given:
            setattr(options, name, getattr(usual, name))


def numbered(ensemble: Ensemble, number: int) -> Member:
    """A tree of an ensemble, by its number from 1.

    Raises:
        InputError: there is none of this number.
    """
    if not 1 <= number <= len(ensemble.members):
        raise InputError(
            f"--round {number}: there is no such tree; there are {len(ensemble.members)}, and the first is 1"
        )
    return ensemble.members[number - 1]
