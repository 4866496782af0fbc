"""Learning on the command line: from options to a table, a tree and an ensemble, and the rows of pre-pruning.

`--ensemble` says the ensemble method; the options of a single tree are those of its base learner. The others are as the
learner of the ensemble has them.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from reference_tree.cli.options import ensemble_flags, flag, learner_flags
from reference_tree.cli.output import reading, remark, show, show_step, wipe
from reference_tree.cli.tables import STANDARD_INPUT, engine_of, opened, refuse_for_textbook, stored, table_under
from reference_tree.data.errors import InputError, columns_option, hint, listed, no_such, number_of, shown
from reference_tree.data.readers import SEPARATED, read
from reference_tree.data.readers.raw import Layout
from reference_tree.data.readers.text import format_of
from reference_tree.data.table import Table
from reference_tree.data.textbook import is_textbook, names, textbook
from reference_tree.ensembles.derivatives import given
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.ensembles.gradient_boosting import fitted
from reference_tree.ensembles.learner import EnsembleLearner
from reference_tree.ensembles.registry import ENSEMBLES
from reference_tree.exact.rationals import decimal_text
from reference_tree.learners.decision import Learner
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.growing import grow
from reference_tree.learners.options import Options
from reference_tree.learners.recorded import Domain, Option
from reference_tree.learners.registry import FITTED, LEARNERS, learner_named
from reference_tree.programs.words import WORDS, refusal
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.selection.validation import check_validation
from reference_tree.splitting.binary_subsets import LIMIT
from reference_tree.splitting.corner_subsets import most_values
from reference_tree.splitting.missing_rules import with_gaps
from reference_tree.tree import Tree


def layout_of(options: argparse.Namespace) -> Layout:
    """How the files of a command are written, as far as its options say so."""
    separator = "\t" if options.separator == "tab" else options.separator
    of_file = (options.na, separator, options.header, options.decimal, options.encoding, options.largest)
    return Layout(*of_file, options.table)


def load(options: argparse.Namespace, *, stays: bool = False) -> Table:
    """The table that the options name; rows without a target are counted on standard error.

    Args:
        options: of the command.
        stays: whether a table of a database stays there; otherwise its rows are fetched.

    Raises:
        InputError: it cannot be read.
    """
    known = options.data == STANDARD_INPUT or is_textbook(options.data) or engine_of(options.data) is not None
    if not (known or Path(options.data).suffix or os.path.exists(options.data)):  # which is false for a name too long
        near, found = hint(options.data, names()), shown(options.data)
        raise InputError(f"{found} is no file, and no textbook data set{near}; there are {', '.join(names())}")
    if is_textbook(options.data):
        refuse_for_textbook(options.data, layout_of(options), options.weights)
        table = textbook(options.data, options.categorical, options.continuous)
        table = table if options.target is None else table.predicting(options.target)
    else:
        chosen: dict[str, Any] = {
            "target": options.target,
            "weights": options.weights,
            "categorical": options.categorical,
            "continuous": options.continuous,
        }
        layout = layout_of(options)._asdict()
        named = layout.pop("table")
        if engine_of(options.data) is not None:
            there = stored(options.data, named, without=options.without, **chosen)
            table = cast(Table, there) if stays else there.in_memory()  # it answers the same questions
        elif named is not None:
            raise InputError(f"--table is for databases, and {shown(options.data)} is none")
        else:
            with reading(options.data):
                table = read(opened(options.data), **layout, **chosen)
        if not table.schema.attributes:
            has_separators = options.data == "-" or format_of(options.data) in SEPARATED
            advice = "; --separator is the separator of cells" if has_separators else ""
            remark(f"{options.data}: there is one column alone, and no attribute{advice}")
    if options.without and engine_of(options.data) is None:
        table = table.without(options.without)
    table = _for_classes(options, table)
    remark_left_out(table)
    if table.schema.target.values is not None and sum(map(bool, table.sample().total())) == 1:
        remark(f"{options.data}: every row has one class of {table.schema.target.name}, and the tree is one leaf")
    return table


def _for_classes(options: argparse.Namespace, table: Table) -> Table:
    """The table, for a named learner that predicts classes alone with few whole numbers of its target as classes."""
    name = options.learner or next(iter(_having(options.profile)), None) if "learner" in options else None
    target, kind = table.schema.target, LEARNERS.get(name or "")
    if target.name in options.continuous or not table.may_be_classes() or "learner" not in options:
        return table
    if kind is None or "continuous" in kind.predicts:
        if not is_textbook(options.data):
            few = len(table.schema.numbers[target.name])
            advice = f"if its {few} whole numbers are classes, say {columns_option('categorical', target.name)}"
            remark(f"{target.name} is predicted as a number; {advice}")
        return table
    found = listed([str(number) for number in table.schema.numbers[target.name]])
    remark(f"{name} predicts classes: the {target.name} of {found} is read as classes, not as a number")
    return table.classified()


def _having(profile: str | None) -> list[str]:
    """The names of the learners that have a profile."""
    return [name for name, learner in LEARNERS.items() if profile in learner.profiles]


def remark_left_out(table: Table) -> None:
    """Say on standard error how many rows were left out for want of a target."""
    if table.left_out:
        remark(f"left out without a target: {number_of(table.left_out, 'row')}")


def remark_parts(options: argparse.Namespace, learner: Learner, table: Table) -> None:
    """Say on standard error that minimal weights, which were not asked for, bear on parts of rows."""
    does = {"min_samples_leaf": "bars branches", "min_samples_split": "stops nodes"}
    minima = {name: getattr(learner, name) for name in does if getattr(options, name) is None}
    divides = getattr(learner, "missing", None) == "fractions" and options.profile is None
    if divides and any(minima.values()) and with_gaps(table.sample()):
        usual = [f"{flag(name)} {decimal_text(least)} {does[name]}" for name, least in minima.items() if least]
        remark(f"rows are divided, and {' and '.join(usual)} of less weight; say 0 to lift that")


def grown(options: argparse.Namespace, table: Table, validation: Table | None = None) -> Tree:
    """The tree that the learner of the options grows.

    Args:
        options: of the command.
        table: the data.
        validation: the rows that are asked before each split, if there are any.

    Raises:
        InputError: the options fit no learner, or the learner has no rule for the table.
    """
    chosen = None
    if derivatives := getattr(options, "gradients", None):
        check_only(options, GradientTree.name, "--gradients")
    else:
        chosen = choose_learner(options, table)
    if chosen:
        remark(chosen)
    learner = learner_of(options)
    remark_parts(options, learner, table)
    with of_file(options.data):
        if derivatives:
            assert isinstance(learner, GradientTree)
            tree = fitted(learner, given(table, *derivatives))
        elif validation is None:
            tree = grow(learner, table, show)
        else:
            tree = PrePruning(learner, options.on_equal or "stop").grow(table, validation, show)
    return tree


@contextmanager
def of_file(source: str) -> Iterator[None]:
    """Name the file in any error while something is grown from it; the progress shown meanwhile is wiped."""
    try:
        yield
    except InputError as error:
        wipe()
        if error.path or error.message.startswith("--"):
            raise
        raise InputError(error.message, path=source) from None
    wipe()


def check_only(options: argparse.Namespace, learner: str, why: str) -> None:
    """Take the only learner that will do.

    Raises:
        InputError: another one is named.
    """
    if options.learner not in (None, learner):
        raise InputError(f"{why} has trees of its own, and --learner {options.learner} grows others; leave it out")
    options.learner = learner


def validation_of(options: argparse.Namespace, table: Table) -> Table | None:
    """The rows that are asked before each split; none if growing is not to ask any.

    Raises:
        InputError: they cannot be read or cannot answer.
    """
    return None if options.pre_prune is None else validation_in(options.pre_prune, table, options)


def validation_in(source: str, table: Table, options: argparse.Namespace) -> Table:
    """The rows of another file or textbook data set, read as a table is: a column has the kind and values it has there.

    Raises:
        InputError: they cannot be read, or have columns or values that the table lacks.
    """
    schema = table.schema
    validation = table_under(source, schema.target, schema.attributes, layout_of(options), options.weights)
    try:
        check_validation(validation, schema.target, schema.attributes)
    except InputError as error:
        raise InputError(error.message, path=source) from None
    return validation


def load_for_learner(options: argparse.Namespace) -> Table:
    """The table that the options name, and a learner that has rules for it, if none is named."""
    table = load(options)
    if chosen := choose_learner(options, table):
        remark(chosen)
    return table


def choose_learner(options: argparse.Namespace, table: Table) -> str | None:
    """Where no learner is named, take the one that the profile belongs to, or one that has rules for the columns.

    It is ID3 where all is categorical and known, and CART otherwise. CART asks each value against the rest where an
    attribute has too many values for each subset of them to be tried.

    Returns:
        The remark about that, if CART is taken.
    """
    kind = ENSEMBLES.get(getattr(options, "ensemble", None) or "")
    if kind is not None and kind.fits is not None:
        check_only(options, kind.fits, f"--ensemble {kind.name}")
    if options.learner is not None:
        return None
    if options.profile is not None:
        having = _having(options.profile)
        if not having:
            known = list(dict.fromkeys(profile for learner in LEARNERS.values() for profile in learner.profiles))
            raise InputError(no_such("profile", options.profile, known))
        options.learner = having[0]
        return None
    schema = table.schema
    numbers = [attribute.name for attribute in (*schema.attributes, schema.target) if attribute.values is None]
    gaps = with_gaps(table.sample())
    options.learner = "cart" if numbers or gaps else "id3"
    if options.learner == "id3":
        return None
    reason = f"{numbers[0]} is a number" if numbers else f"{gaps[0]} has gaps"
    classes = len(schema.target.values or ())
    # Planes find the best set of more values, unless classes are so many that it takes too long, or a bound bars them.
    within = most_values(classes) if classes > 2 and not options.min_samples_leaf else LIMIT
    many = [a.name for a in schema.attributes if a.values is not None and len(a.values) > within]
    if options.branching is None and many and classes > 2:
        options.branching = "one-vs-rest"
        reason += f", with --branching one-vs-rest, as {many[0]} has more than {within} values"
    return f"no learner is named: --learner cart, as {reason}"


def learner_of(options: argparse.Namespace) -> Options:
    """The learner that the options describe. The others are left to the learner, or to its profile.

    Raises:
        InputError: an option is none of this learner's, or cannot have this value.
    """
    of_ensemble = {"seed"} if getattr(options, "ensemble", None) is not None else {}
    flags, known = [name for name in learner_flags() if name not in of_ensemble], options_of(options.learner)

    def unknown(name: str) -> str:
        if said := refusal(name):
            return said
        others = [other for other in (*LEARNERS, *FITTED) if name in options_of(other)]
        there = f"an option of {listed(others)}, not of {options.learner}" if others else "no option of any learner"
        return f"is {there}; {options.learner} has {', '.join(known)}"

    options.option = [[ours_if_known(name, known), value] for name, value in options.option]
    values = values_of(options, flags, "option", known, unknown)
    ties = {"choose": pairs("--choose", options.choose), "label": pairs("--label", options.label)}
    return learner_named(options.learner, profile=options.profile, **values, **ties)


def ours_if_known(name: str, known: Mapping[str, Option]) -> str:
    """Our name of an option that another program names otherwise, if the learner has it."""
    word = WORDS.get(name)
    return word.ours if name not in known and word is not None and word.ours in known else name


def options_of(learner: str) -> Mapping[str, Option]:
    """The options of a learner and its dialects, but for ties, which have flags of their own."""
    return {name: one for name, one in {**LEARNERS, **FITTED}[learner].of_dialects().items() if name != "ties"}


def pairs(flag: str, given: list[list[str]]) -> dict[str, str]:
    """The values of an option that is given as pairs of a name and a value.

    Raises:
        InputError: a name is given twice.
    """
    found: dict[str, str] = {}
    for name, value in given:
        if name in found:
            raise InputError(f"{flag} {name} is given twice: {found[name]} and {value}; give it once")
        found[name] = value
    return found


def values_of(
    options: argparse.Namespace,
    flags: Collection[str],
    general: str,
    known: Mapping[str, Option],
    unknown: Callable[[str], str],
) -> dict[str, Any]:
    """The values of options that are given by their own flags, and by a general one as pairs of a name and a text.

    Args:
        options: of the command.
        flags: the options that have a flag of their own.
        general: the name of the general flag.
        known: the options of the learner.
        unknown: makes the message about an option that it does not have.

    Raises:
        InputError: an option is unknown or given twice, or cannot have this value.
    """
    given = {name: getattr(options, name) for name in flags if getattr(options, name) is not None}
    by_name = pairs(flag(general), getattr(options, general))
    if twice := [name for name in by_name if name in given]:
        raise InputError(f"{flag(general)} {twice[0]} is given by {flag(twice[0])}, too; give it once")
    values = {}
    for name, value in {**given, **by_name}.items():
        said = f"{flag(general)} {name}" if name in by_name else flag(name)
        if name not in known:
            raise InputError(f"{said} {unknown(name)}")
        values[name] = read_value(said, value, known[name].domain)
    return values


def read_value(flag: str, given: Any, domain: Domain) -> Any:
    """The value of an option: as it is given, unless it is a text, which is read as that of a document.

    Raises:
        InputError: the option cannot have this value.
    """
    try:
        return domain.read(_as_written(given, domain)) if isinstance(given, str) else domain.check(given)
    except ValueError as error:
        raise InputError(f"{flag} {given}: {error}") from None


def _as_written(text: str, domain: Domain) -> Any:
    """The value that a document would have: the text, unless only its meaning as JSON is one, as with `true`.

    Exact numbers stand as text in a document: so they are taken as they are written in the JSON, too.
    """
    for meant in (lambda: text, lambda: json.loads(text), lambda: json.loads(text, parse_int=str, parse_float=str)):
        try:
            domain.read(found := meant())
        except ValueError:
            continue
        return found
    return text


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
