"""Claims: the learner and the rows that a tree says it was grown by and from.

1. A tree of this package records its learner with every option. A tree of another program states its training
   parameters, and is checked against the learner in the dialect of that program (`programs.practices`).
2. Its rows are those of the table as the program saw them: rounded to doubles or float32, and in an ensemble only the
   rows drawn for the tree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.auditing.adaboost import rounds
from reference_tree.auditing.finding import Fault
from reference_tree.auditing.rounded import as_seen
from reference_tree.auditing.stated import Closeness
from reference_tree.data.errors import InputError
from reference_tree.data.sample import Data, Sample
from reference_tree.data.table import Table, is_in_memory
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.registry import ENSEMBLES, ensemble_learner_of
from reference_tree.learners.criteria import deviations
from reference_tree.learners.decision import Learner
from reference_tree.learners.registry import learner_named, learner_of
from reference_tree.node import Deviations
from reference_tree.programs.boosters import training_of
from reference_tree.programs.practices import (
    PRACTICES,
    SHARE_OF_WEIGHT,
    WeighedRows,
    class_texts,
    possible_rows,
    practice_of,
    replayed,
)
from reference_tree.programs.reading import read_foreign
from reference_tree.tree import Tree
from reference_tree.tree_document import predictor_from_json
from reference_tree.tree_document.form import FOREIGN
from reference_tree.tree_document.strict import closed, items, number

PROGRAMS: Mapping[str, tuple[str, str]] = {
    name: (one.learner, one.profile) for name, one in PRACTICES.items() if one.learner
}
"""The learner and the profile for the trees of each program, unless something else is stated."""

OF_TREES = (
    "max_leaves", "pruned", "draws", "class_weight", "boosted", "drawn_once", "max_bins", "row_weights", SHARE_OF_WEIGHT
)  # fmt: skip
"""The parameters of a program that no learner has: when a tree had to end, that it was pruned, what was drawn, what the
classes weigh, the rate and the errors of AdaBoost, into how many bins its numbers were divided, and the least share of
the weight in a branch. Earlier documents say of a tree that its attributes were `drawn_once`, and not which."""


class Claim(NamedTuple):
    """A tree, and what it claims to have been grown by and from."""

    tree: Tree
    learner: Learner
    table: Data
    number: int | None = None
    """The number of the tree, if there are several."""
    faults: tuple[Fault, ...] = ()
    """The faults of what is stated about the tree as a whole."""
    assumed: str = ""
    """What is assumed about its rows."""


def claims_of(tree: Tree | Ensemble, table: Table, learner: Learner | None = None) -> Iterator[Claim]:
    """The claim of a tree, or of each tree of an ensemble.

    Args:
        tree: the tree or the ensemble.
        table: the rows, as they are given.
        learner: the learner that is assumed to have grown it; None for the one that it records.

    Raises:
        InputError: the tree records no learner.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> [one.learner == rt.ID3() for one in claims_of(rt.ID3().grow(days), days)]
        [True]
    """
    if isinstance(tree, Tree):
        whole, assumed = _held([tree], table, tree)
        seen, weighed = drawn_rows(whole, tree, None, parameters_of(tree))
        by = _learner(learner or recorded(tree), tree, table, seen)
        yield Claim(tree, by, seen, assumed=_noted(tree, seen, assumed, weighed))
        return
    trees = [member.tree for member in tree.members]
    # An ensemble of this package knows the learner and the rows of each of its trees.
    if tree.grower.name in ENSEMBLES and learner is None:
        decided = ensemble_learner_of(tree.grower).decided(tree, table)
        for number, (one, (by, rows)) in enumerate(zip(trees, decided, strict=True)):
            yield Claim(one, by, rows, number)
        return
    # The rows of AdaBoost have other weights in each round, so that its trees are not judged one by one.
    if (boosted := parameters_of(trees[0]).get("boosted")) is not None:
        yield from _boosted_claims(tree, table, learner, boosted)
        return
    # The trees of one program share their rows as it held them: these are made once.
    programs = {one.program: one for one in trees}
    alike = {program: _held(trees, table, one) for program, one in programs.items()}
    for number, (one, member) in enumerate(zip(trees, tree.members, strict=True)):
        seen, assumed = alike[one.program]
        own, weighed = drawn_rows(seen, one, member.drawn, parameters_of(one))
        by = _learner(learner or recorded(one), one, table, own, number)
        yield Claim(one, by, own, number, assumed=_noted(one, own, assumed, weighed))


def _noted(tree: Tree, table: Table, *assumed: str) -> str:
    """What is assumed about the rows of a tree, and what its release is known to do wrong with them."""
    return "; ".join([*filter(None, assumed), *practice_of(tree).faults(tree, table, parameters_of(tree))])


def _held(trees: Sequence[Tree], table: Table, one: Tree) -> tuple[Any, str]:
    """The rows as the program of a tree held them, in the bins of all its trees, and what is assumed about that."""
    # The bins of a program follow from all trees of a model, and not from one of them.
    seen = as_seen(table, one)
    return practice_of(trees[0]).held(trees, parameters_of(trees[0]), seen)


def _learner(learner: Learner, tree: Tree, table: Table, own: Table, number: int = 0) -> Learner:
    """The learner that repeats a tree: its bounds count as those of the program, and draws are replayed."""
    # The bounds first, then the draws: a learner that replays draws keeps the bounds in its own form.
    told = parameters_of(tree)
    return replayed(practice_of(tree).bounded(learner, tree, told, table, own), tree, told, own, number)


def _boosted_claims(tree: Ensemble, table: Table, learner: Learner | None, boosted: object) -> Iterator[Claim]:
    """The claims of the trees of AdaBoost, whose rows have other weights in each round."""

    def by(one: Tree, rows: Table, number: int) -> Learner:
        return _learner(learner or recorded(one), one, rows, rows, number)

    try:
        entry = closed(boosted, ["rate", "errors"])
        rate, errors = Fraction(number(entry["rate"])), [Fraction(number(one)) for one in items(entry["errors"])]
        if len(errors) != len(tree.members):
            raise ValueError(f"there are {len(errors)} errors of {len(tree.members)} trees")
    except (TypeError, ValueError) as error:
        raise InputError(f"what is stated of the boosting is not as it should be: {error}") from None
    seen = as_seen(table, tree.members[0].tree)
    found = rounds(tree, seen, by, rate, errors)
    for place, (member, one) in enumerate(zip(tree.members, found, strict=True)):
        yield Claim(member.tree, one.learner, one.table, place, one.faults)


def drawn_rows(table: Table, tree: Tree, drawn: Sequence[int] | None, told: Mapping[str, Any]) -> WeighedRows:
    """The rows that were drawn for a tree, with the weights that they have there.

    Args:
        table: the rows, as the program saw them.
        tree: a tree, alone or of an ensemble.
        drawn: how often each row was drawn for it; None if each was drawn once.
        told: what its document states of the training.

    Raises:
        InputError: the weights of the classes are not stated as they should be.
    """
    stated = told.get("class_weight")
    if drawn is None and stated is None and getattr(table, "weights", None) is None:  # a database has none of its own
        return WeighedRows(table)
    # The likeliest weights come first; they hold if nothing else is possible.
    first, *others = possible_rows(table, drawn, stated, told.get("row_weights"))
    # Where the document is silent, the root decides: it states what its rows weigh.
    if not others or agrees(tree, first.table):
        return first
    return next((one for one in others if agrees(tree, one.table)), first)


def agrees(tree: Tree, table: Table) -> bool:
    """Whether the root of a tree states what these rows weigh, and what their error is, as far as it states any."""
    root, sample = tree.nodes[0], table.sample()
    total = sample.total()
    found = deviations(sample) if isinstance(root.counts, Deviations) else total
    if not any(root.counts) or len(root.counts) != len(found):
        return True
    return Closeness.of(tree, len(table)).rows(root.counts, found, total)


def counted_once(table: Data) -> Sample | None:
    """The rows, each counted once, whatever it weighs; None if they count once anyway."""
    if not is_in_memory(table) or {*table.weighted()} == {1}:
        return None
    return replace(table, weights=None).sample()


def predictor_of(model: Any, table: Table) -> Tree | Ensemble:
    """The tree or the ensemble of a fitted object, with the column names of a table.

    Raises:
        InputError: no reader knows it, or it has several trees and it is not known how they are combined.
    """
    schema = table.schema
    names = [attribute.name for attribute in schema.attributes]
    features = list(map(str, getattr(model, "feature_names_in_", ())))
    if sorted(features) == sorted(names):  # in the order of the model, which may differ
        names = features
    classes, own = schema.target.values or (), class_texts(model) or []
    if sorted(own) == sorted(classes):  # in the order of the model, which may differ
        classes = tuple(own)
    found = read_foreign(model, target=schema.target.name, attributes=names, classes=classes)
    if len(found) != 1:
        raise InputError(f"holds {len(found)} trees, and not how they are combined; read_foreign reads each")
    return predictor_from_json(json.dumps(found[0]))


def parameters_of(tree: Tree) -> Mapping[str, Any]:
    """The training parameters that the document of a program states, by the names of the learner's options.

    Raises:
        InputError: the training of the program cannot be repeated.
    """
    return training_of(tree.grower.options if tree.grower.name == FOREIGN else {})


def recorded(tree: Tree) -> Learner:
    """The learner that a tree records; for a tree of another program, the learner in that program's dialect."""
    if tree.grower.name == FOREIGN:
        parameters = parameters_of(tree)
        if known := PROGRAMS.get(tree.program.name if tree.program else ""):
            name, profile = known
            options = {option: value for option, value in parameters.items() if option not in OF_TREES}
            usual = learner_named(name, profile=profile).grower()
            return learner_of(replace(usual, options={**usual.options, **options}))
        raise InputError("the tree does not say which learner grew it; say which one it is held against")
    return learner_of(tree.grower)
