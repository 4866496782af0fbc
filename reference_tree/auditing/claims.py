"""Claims: the learner and the rows that a tree says it was grown by and from.

1. A tree of this package records its learner with every option. A tree of another program states its training
   parameters, and is checked against the learner in the dialect of that program (`PROGRAMS`).
2. Its rows are those of the table as the program saw them: rounded to doubles or float32, and in an ensemble only the
   rows drawn for the tree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

from reference_tree.auditing.adaboost import rounds
from reference_tree.auditing.boosters import training_of
from reference_tree.auditing.finding import Fault
from reference_tree.auditing.releases import known_faults
from reference_tree.auditing.rounded import as_seen, binned
from reference_tree.auditing.row_weights import drawn_rows
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Data, Sample
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.registry import ENSEMBLES, ensemble_learner_of
from reference_tree.exact.rationals import Rational, decimal_text, is_number, rational, shortened
from reference_tree.exact.rounding import nearest_double
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Learner
from reference_tree.learners.registry import learner_named, learner_of
from reference_tree.programs.cart_options import ProgramCART
from reference_tree.programs.reading import read_foreign
from reference_tree.programs.scikit_learn.draws import DrawnByProgram, Draws, RowBounds
from reference_tree.programs.scikit_learn.members import class_texts
from reference_tree.programs.spark.profile import bin_ends
from reference_tree.stores.sql import SQLTable
from reference_tree.tree import Tree
from reference_tree.tree_document import predictor_from_json
from reference_tree.tree_document.form import FOREIGN
from reference_tree.tree_document.strict import closed, items, number, texts

PROGRAMS: Mapping[str, tuple[str, str]] = {
    "scikit-learn": ("cart", "scikit-learn"),
    "rpart": ("cart", "rpart"),
    "Weka J48": ("c45", "weka-j48"),
    "C4.5": ("c45", "c45-r8"),
    "Spark MLlib": ("cart", "spark"),
}
"""The learner and the profile for the trees of each program, unless something else is stated."""

SHARE_OF_WEIGHT = "min_weight_fraction_leaf"

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
        whole, assumed = with_bins([tree], as_seen(table, tree))
        seen, weighed = drawn_rows(whole, tree, None, parameters_of(tree))
        by = with_draws(by_rows(learner or recorded(tree), tree, table, seen), tree, seen)
        yield Claim(tree, by, seen, assumed=_noted(tree, seen, assumed, weighed))
        return
    trees = [member.tree for member in tree.members]
    if tree.grower.name in ENSEMBLES and learner is None:
        decided = ensemble_learner_of(tree.grower).decided(tree, table)
        for number, (one, (by, rows)) in enumerate(zip(trees, decided, strict=True)):
            yield Claim(one, by, rows, number)
        return
    if (boosted := parameters_of(trees[0]).get("boosted")) is not None:
        yield from _boosted_claims(tree, table, learner, boosted)
        return
    programs = {one.program: one for one in trees}
    alike = {program: with_bins(trees, as_seen(table, one)) for program, one in programs.items()}
    for number, (one, member) in enumerate(zip(trees, tree.members, strict=True)):
        seen, assumed = alike[one.program]
        own, weighed = drawn_rows(seen, one, member.drawn, parameters_of(one))
        by = by_rows(learner or recorded(one), one, table, own)
        noted = _noted(one, own, assumed, weighed)
        yield Claim(one, with_draws(by, one, own, number), own, number, assumed=noted)


def _noted(tree: Tree, table: Table, *assumed: str) -> str:
    """What is assumed about the rows of a tree, and what its release is known to do wrong with them."""
    return "; ".join([*filter(None, assumed), *known_faults(tree, table, parameters_of(tree))])


def _boosted_claims(tree: Ensemble, table: Table, learner: Learner | None, boosted: object) -> Iterator[Claim]:
    """The claims of the trees of AdaBoost, whose rows have other weights in each round."""

    def by(one: Tree, rows: Table, number: int) -> Learner:
        return with_draws(by_rows(learner or recorded(one), one, rows, rows), one, rows, number)

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


def counted_once(table: Data) -> Sample | None:
    """The rows, each counted once, whatever it weighs; None if they count once anyway."""
    if not isinstance(table, Table) or {*table.weighted()} == {1}:
        return None
    return replace(table, weights=None).sample()


def by_rows(learner: Learner, tree: Tree, table: Table, own: Table) -> Learner:
    """The learner with the bounds of scikit-learn and rpart, which count rows instead of weights.

    A branch that is not empty has a row, and a node that is not pure has two, so the least bounds forbid nothing.

    Args:
        learner: the learner whose bounds are weights.
        tree: the tree.
        table: all rows.
        own: the rows of the tree, with the weights that they have there.

    Raises:
        InputError: rows have weights, and a bound of rpart asks for more rows.
    """
    program = "" if tree.program is None else tree.program.name
    if program == SPARK and isinstance(learner, ProgramCART):
        learner = between_bins(learner, tree, own)
    rows = own if program == "scikit-learn" else table
    least: Rational = 0
    if program == "scikit-learn" and isinstance(learner, CART):
        learner, least = of_shares(learner, tree, table, own)
    if program not in ("scikit-learn", "rpart", SPARK) or all(weight == 1 for weight in rows.weighted()):
        if not least or not isinstance(learner, CART):
            return learner
        return replace(learner, min_samples_leaf=max(learner.min_samples_leaf, least))
    if not isinstance(learner, CART):
        return learner
    plain, bounds = replace(learner, min_samples_split=0, min_samples_leaf=least), RowBounds()
    if program == "scikit-learn":
        bounds = RowBounds(max(2, learner.min_samples_split), max(1, learner.min_samples_leaf))
        names = tuple(attribute.name for attribute in tree.attributes)
        return plain if bounds == RowBounds() else DrawnByProgram(plain, names, bounds=bounds)
    for name, least in zip(("min_samples_split", "min_samples_leaf"), bounds, strict=True):
        if getattr(learner, name) > least:
            stated = f"{name} {decimal_text(getattr(learner, name))}"
            raise InputError(f"rows have weights, and {program}'s {stated} counts rows, which an audit cannot repeat")
    return plain


def of_shares(learner: CART, tree: Tree, table: Table, own: Table) -> tuple[CART, Rational]:
    """The learner whose bounds are numbers of rows where they are shares, and the least weight of a branch.

    A share of the rows is multiplied in doubles, and rounded up; one of the weight is multiplied in doubles.

    Args:
        learner: the learner; a bound on leaves below 1, or on splits up to 1, is a share of all rows.
        tree: the tree, which may state a share of the weight.
        table: all rows, drawn or not.
        own: the rows of the tree, with the weights that they have there.

    Raises:
        InputError: what is stated is no share of the weight.

    Example:
        >>> import reference_tree as rt
        >>> golf = rt.textbook("golf")
        >>> of_shares(rt.CART(min_samples_leaf=Fraction(1, 10)), rt.CART().grow(golf), golf, golf)[0].min_samples_leaf
        2
    """
    split, leaf = learner.min_samples_split, learner.min_samples_leaf
    if 0 < split <= 1:
        learner = replace(learner, min_samples_split=max(2, ceil(part_of(split, len(table)))))
    if 0 < leaf < 1:
        learner = replace(learner, min_samples_leaf=ceil(part_of(leaf, len(table))))
    stated = str(parameters_of(tree).get(SHARE_OF_WEIGHT, 0))
    if not is_number(stated) or not 0 <= rational(stated) < 1:
        raise InputError(f"{SHARE_OF_WEIGHT} {shortened(stated)}: it is a share of the weight, from 0 to below 1")
    return learner, part_of(rational(stated), sum(own.weighted())) if rational(stated) else 0


def part_of(share: Rational, whole: Rational) -> Fraction:
    """A share of rows or of weight, multiplied in doubles.

    Example:
        >>> part_of(Fraction(1, 10), 30)
        Fraction(3, 1)
    """
    return Fraction(nearest_double(Fraction(nearest_double(Fraction(share))) * whole))


def with_draws(learner: Learner, tree: Tree, table: Table, number: int = 0) -> Learner:
    """The learner that replays what scikit-learn drew for a tree; the same learner if nothing is known of draws.

    Args:
        learner: the learner that decides among what was drawn.
        tree: the tree, whose training parameters state the draws.
        table: its rows.
        number: its number in an ensemble.

    Raises:
        InputError: what is stated of the draws is no such statement, or speaks of other trees.
    """
    stated = parameters_of(tree).get("draws")
    if stated is None or not isinstance(learner, CART | DrawnByProgram):
        return learner
    replayed = learner if isinstance(learner, DrawnByProgram) else DrawnByProgram(learner, ())
    try:
        entry = closed(stated, ["trees"], ["most", "thresholds"])
        one = closed(entry["trees"][number], [], ["seed", "offered", "made", "impure"])
        offered = one.get("offered", [attribute.name for attribute in tree.attributes])
        names = tuple(table.schema.attribute(name).name for name in texts(offered))
        if "most" not in entry:
            return replace(replayed, offered=names)
        made = tuple(map(_whole, one.get("made", range(len(tree.nodes)))))
        if len(made) != len(tree.nodes) or len(set(made)) < len(made):
            raise ValueError("its nodes were made one after the other, each once")
        impure = frozenset(map(_whole, one.get("impure", ())))
        at_random = entry.get("thresholds") is True
        vary = _release(tree) >= (1, 8)
        draws = Draws(_whole(one["seed"]), _whole(entry["most"]), at_random, "made" in one, made, impure, vary)
        return replace(replayed, offered=names, draws=draws)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(f"what was drawn for the tree is not stated as it should be: {error}") from None


def _release(tree: Tree) -> tuple[int, ...]:
    """The release of the program of a tree, as numbers; a late one if it is not known."""
    version = "" if tree.program is None or tree.program.version is None else tree.program.version
    parts = version.split(".")[:2]
    return tuple(map(int, parts)) if len(parts) == 2 and all(map(str.isdecimal, parts)) else (99,)


def _whole(value: object) -> int:
    """A whole number that is not negative, and fits into 32 bits."""
    if type(value) is not int or not 0 <= value < 1 << 32:
        raise ValueError(f"{shortened(str(value))} is no whole number from 0 to 2^32 - 1")
    return value


SPARK = "Spark MLlib"
MOST_BINS = 32
"""The largest number of bins of Spark, unless something else is told."""


def with_bins(trees: Sequence[Tree], seen: Table) -> tuple[Table, str]:
    """The rows as Spark divides them into bins, if it took these from some of the rows, and what is assumed.

    Which rows it drew is not known. The bins are taken to be those of the cuts that its trees ask.

    Args:
        trees: the trees of one model.
        seen: the rows, as the program holds their numbers.
    """
    if trees[0].program is None or trees[0].program.name != SPARK:
        return seen, ""
    most = parameters_of(trees[0]).get("max_bins", MOST_BINS)
    if not draws_for_bins(most, len(seen)):
        return seen, ""
    bins: dict[str, Sequence[Rational]] = {}
    for name in (one.name for one in seen.schema.attributes if one.values is None):
        if has_more(seen, name, most):
            tests = (node.test for tree in trees for node in tree.nodes)
            bins[name] = sorted(
                {one.threshold for one in tests if isinstance(one, Threshold) and one.attribute == name}
            )
    drawn = f"{SPARK} took its bins from rows that it drew: they are taken to be those of the cuts that its trees ask"
    return (binned(seen, bins), drawn) if bins else (seen, "")


def draws_for_bins(most: int, rows: int) -> bool:
    """Whether Spark takes its bins, of which there are at most so many, from some of the rows."""
    return rows > max(min(most, rows) ** 2, 10_000)


def has_more(table: Data, name: str, most: int) -> bool:
    """Whether an attribute has more numbers than `most`; a database is not asked for all of them, if it is known."""
    column = table.stored[name] if isinstance(table, SQLTable) else None
    return (column is not None and len(column.some) > most) or len(table.schema.numbers[name]) > most


def between_bins(learner: ProgramCART, tree: Tree, seen: Table) -> ProgramCART:
    """The learner that cuts only between the bins of Spark, if it took them from all rows.

    Args:
        learner: the learner.
        tree: the tree.
        seen: the rows, as the program holds their numbers; those of `with_bins`, if it drew rows for its bins.

    Raises:
        InputError: it asks for an order of categories.
    """
    most = min(parameters_of(tree).get("max_bins", MOST_BINS), len(seen))
    target, cuts = seen.schema.target, dict[str, Any]()
    sample, is_drawn = seen.sample(), draws_for_bins(most, len(seen))
    for attribute in seen.schema.attributes:
        if attribute.values is None and not is_drawn and has_more(seen, attribute.name, most):
            ordered = sample.ordered(attribute.name)
            cuts[attribute.name] = bin_ends(ordered, sample.target.weight, most)
        if attribute.values is not None and len(target.values or ()) > 2 and 2 ** len(attribute.values) > most + 2:
            raise InputError(
                f"Spark does not try all sets of the {len(attribute.values)} values of {attribute.name} for more than "
                "two classes, which an audit cannot repeat"
            )
    return replace(learner, cuts=cuts) if cuts else learner


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
