"""Auditing on the command line: any tree is checked against its data and a learner, node by node.

1. The tree says the names and the kinds of the columns, so the data are read under its schema.
2. The learner is the one that the tree records, but for what the options say; of a tree that records none it is the one
   that is named, or, where the program is known whose tree it is, the profile of that program.
3. The report is one line where all is right. The exit status is 1 if a node is wrong.
4. `--reduce FOLDER` writes the smallest rows on which a node is wrong, and the tree without the counts of the others.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reference_tree.auditing.attributions import audit_attributions
from reference_tree.auditing.audit import Audit, audit
from reference_tree.auditing.boosting import BoostedAudit, is_boosted
from reference_tree.auditing.claims import OF_TREES, PROGRAMS, parameters_of, recorded
from reference_tree.auditing.explaining import asked_for
from reference_tree.auditing.finding import Finding
from reference_tree.auditing.matching import matched_classes, matched_names, renamed, said
from reference_tree.auditing.reducing import Reduced, reduce
from reference_tree.auditing.report import judged, report
from reference_tree.cli.boosted import boosted_audit, is_dump
from reference_tree.cli.commands import rows_in
from reference_tree.cli.learning import layout_of, learner_of, load, remark_left_out, validation_in
from reference_tree.cli.options import flag, learner_flags, whole
from reference_tree.cli.output import deliver, make_folder, reading, remark, show, show_tries, wipe
from reference_tree.cli.tables import opened, table_under, with_attributes
from reference_tree.cli.trees import predictor_in, reading_options
from reference_tree.data.errors import InputError, listed, number_of
from reference_tree.data.readers import read_raw
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.table import Table
from reference_tree.data.writers import to_arff, to_csv, undeclared
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.registry import ENSEMBLES
from reference_tree.exact.rationals import is_number
from reference_tree.findings_output import FORMATS
from reference_tree.learners.decision import Learner
from reference_tree.learners.registry import learner_of as learner_by
from reference_tree.programs.boosters import CLASS_WEIGHT
from reference_tree.programs.indented import THRESHOLDS
from reference_tree.programs.practices import SHARE_OF_WEIGHT
from reference_tree.programs.reading import predictor_of_file
from reference_tree.programs.scikit_learn.members import BALANCED, BALANCED_SUBSAMPLE
from reference_tree.programs.words import WORDS, ours, with_told
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.tree import Tree
from reference_tree.tree_document.files import deliver_all
from reference_tree.tree_document.form import FOREIGN
from reference_tree.tree_document.writing import to_json

REPEATED = (
    "target", "weights", "without", "categorical", "continuous", "na", "separator", "decimal", "learner", "profile",
    "config", "max_leaves", "assume", "option", "pre_prune", "on_equal", "choose", "label", "ignore_member",
    "iterations", "model_output",
)  # fmt: skip
"""The options with values in the command that repeats a finding, besides those of learners."""


def run_audit(options: argparse.Namespace) -> int:
    """`audit TREE DATA`: check every node of a tree against the data and the learner that it claims."""
    given = argparse.Namespace(**vars(options))  # what is found out besides is found out again
    try:
        if options.attributions is not None:
            text, is_right = of_attributions(options)
        elif options.reduce is not None:
            text, is_right = _reduced(options, given), False
        else:
            text, is_right = _result(options, audited(options), given)
    except InputError as error:
        if error.path or error.message.startswith("--"):
            raise
        raise InputError(error.message, path=options.data) from None
    finally:
        wipe()
    deliver(text, options.output)
    return 0 if is_right else 1


def of_attributions(options: argparse.Namespace) -> tuple[str, bool]:
    """What is found of the attributions in a file, and whether none is wrong.

    Raises:
        InputError: the model, the rows or the attributions cannot be read.
    """
    predictor, layout = predictor_in(options.tree, options), layout_of(options)
    for name in ("reduce", "node", "round", "config", "max_leaves", "assume", "jobs"):
        if getattr(options, name) is not None:
            raise InputError(f"{flag(name)} is for the audit of a tree, and --attributions of its attributions")
    with reading(options.attributions):
        columns = {one.name: one.cells for one in read_raw(opened(options.attributions), layout).columns}
    names = [one.name for one in predictor.attributes]
    given: Any = columns
    if not {*names} & {*columns}:  # an array without names
        given = [list(cells) for cells in zip(*columns.values(), strict=True)]
    rows = [row for _, row in rows_in(predictor, options.data, predictor.attributes, layout)]
    background = None
    if options.background is not None:
        background = [row for _, row in rows_in(predictor, options.background, predictor.attributes, layout)]
    audit = audit_attributions(
        predictor, rows, given, background=background, cover=options.cover, values=options.values
    )
    return FORMATS[options.format](audit.judged, audit.summary), audit.is_right


def audited(options: argparse.Namespace) -> Audit | BoostedAudit:
    """The audit of a command `audit TREE DATA`.

    Raises:
        InputError: the tree or the data cannot be read, or no learner is known.
    """
    predictor = None if is_dump(options.tree) else _predictor(options)
    if predictor is None or is_boosted(predictor):
        return boosted_audit(options, predictor)
    return _audit(options, predictor)


def _audit(options: argparse.Namespace, predictor: Tree | Ensemble) -> Audit | BoostedAudit:
    """The audit of trees that a learner grew by counting."""
    for name in ("config", "jobs"):
        if getattr(options, name) is not None:
            of = "XGBoost" if name == "config" else "XGBoost and LightGBM"
            raise InputError(f"--{name} is for boosted models of {of}; leave it out")
    _check_assumed(options)
    table = rows_for(options, predictor)
    predictor = _with_words(options, predictor)
    learner = _learner(options, predictor)
    if learner is None and isinstance(predictor, Tree):
        _check_recorded(options, predictor)
    return audit(predictor, table, learner, **_told(options, table), progress=show)


def _with_words(options: argparse.Namespace, predictor: Tree | Ensemble) -> Tree | Ensemble:
    """The tree, with the facts that words of other programs tell; `--pruned` and `--max-leaves` may be among them."""
    told, rest = dict[str, Any](), []
    for name, value in options.option:
        word = _word(name) if name in WORDS else name
        if word == "pruned":
            options.pruned = True
        elif word == "max_leaves" and options.max_leaves is None:
            options.max_leaves = whole(value, "number of leaves")
        elif word == CLASS_WEIGHT:
            told[word] = value if value in (BALANCED, BALANCED_SUBSAMPLE) else _weights_of_classes(value)
        elif word == SHARE_OF_WEIGHT:
            told[word] = value
        else:
            rest.append([name, value])
    options.option = rest
    try:
        return with_told(predictor, told)
    except InputError as error:
        raise InputError(f"--option {', '.join(told)}: {error.message}") from None


def _weights_of_classes(text: str) -> dict[str, str]:
    """The weights of classes, as an audit says them: `p: 1, q: 2`."""
    pairs = [one.rpartition(":")[::2] for one in text.split(",")]
    if not all(label.strip() and is_number(weight.strip()) for label, weight in pairs):
        raise InputError(
            f"--option class_weight {text}: it is {BALANCED} or {BALANCED_SUBSAMPLE}, or a weight for each class, as "
            "in 'p: 1, q: 2'; a class with a comma or a colon is weighed by rt.audit"
        )
    return {label.strip(): weight.strip() for label, weight in pairs}


def _word(name: str) -> str:
    """Our name of a word of another program.

    Raises:
        InputError: it has none here.
    """
    try:
        return ours(name)
    except InputError as error:
        raise InputError(f"--option {name}: {error.message}") from None


def _check_assumed(options: argparse.Namespace) -> None:
    """Refuse a hypothesis that there is not, under the name of the option."""
    try:
        asked_for(options.assume)
    except InputError as error:
        raise InputError(f"--assume {options.assume}: {error.message}") from None


def _check_recorded(options: argparse.Namespace, tree: Tree) -> None:
    """Refuse a tree that records no learner, under its name."""
    try:
        recorded(tree)
    except InputError as error:
        raise InputError(error.message, path=options.tree) from None


def _told(options: argparse.Namespace, table: Table) -> dict[str, Any]:
    """The facts for an audit besides the tree, the rows and the learner."""
    validation = None if options.pre_prune is None else validation_in(options.pre_prune, table, options)
    return {"validation": validation, "pruned": options.pruned, "max_leaves": options.max_leaves,
            "assume": options.assume}  # fmt: skip


REWRITTEN = ("target", "weights", "without", "categorical", "continuous", "na", "separator", "decimal")
"""The options about the columns of a file that a reduced table does not need: its file, or the tree, states them."""


def reduced(options: argparse.Namespace) -> Reduced:
    """The smallest rows on which a node of the tree of a command `audit TREE DATA` is wrong.

    Raises:
        InputError: no node is wrong; or the audit is none of one tree, on rows in memory.
    """
    tree = None if is_dump(options.tree) else _predictor(options)
    if not isinstance(tree, Tree):
        raise InputError("--reduce takes one tree that a learner grew by counting, and no ensemble or boosted model")
    table = rows_for(options, tree)
    node = None if options.node is None else _node(options, tree)
    told = _told(options, table)
    return reduce(tree, table, _learner(options, tree), node=node, progress=show_tries, **told)


def _reduced(options: argparse.Namespace, given: argparse.Namespace) -> str:
    """Write the smallest rows on which a node is wrong, and the tree; the finding, and where they are."""
    found = reduced(options)
    folder, stated = Path(options.reduce), undeclared(found.table)
    declares = found.table.weights is not None or bool(stated.categorical or stated.continuous)
    file = folder / ("table.arff" if declares else "table.csv")
    make_folder(folder)
    tree = folder / "tree.json"
    deliver_all({str(tree): to_json(found.tree), str(file): (to_arff if declares else to_csv)(found.table)})
    plain: dict[str, Any] = {name: [] if isinstance(getattr(given, name), list) else None for name in REWRITTEN}
    again = argparse.Namespace(**{**vars(given), **plain, "tree": str(tree), "data": str(file), "header": True})
    one = replace(found.audit, only=(found.finding.number, 0))
    columns = len(found.table.schema.attributes)
    size = f"{number_of(len(found.table), 'row')}, {number_of(columns, 'attribute')}"
    text = _told_of_one(one, options.format, lambda finding: _command(again, finding))
    return f"{text}{size}: {file}\n" if options.format == "text" else text


def _predictor(options: argparse.Namespace) -> Tree | Ensemble:
    """The tree, or the ensemble. A printed tree does not name all values, so it is read with those of the data."""
    found = predictor_in(options.tree, options)
    if isinstance(found, Ensemble) or THRESHOLDS not in found.grower.options:
        return found
    schema = load(options).schema
    values, how = schema.target.values or (), reading_options(options)
    try:
        return predictor_of_file(options.tree, schema.target.name, schema.attributes, values, **how)
    except InputError:
        if (matched := _matched(options, found, schema)) is None:
            raise
        return matched


def _matched(options: argparse.Namespace, found: Tree, schema: Schema) -> Tree | None:
    """The printed tree under the names of the data, which it has in another form; None if all names are those."""
    values = schema.target.values or ()
    names = matched_names([one.name for one in found.attributes], [one.name for one in schema.attributes])
    labels = {str(node.label) for node in found.nodes if node.test is None} if found.target.values is not None else ()
    classes = matched_classes(sorted(labels), values) if values else {}
    if not names and not classes:
        return None
    own = {known: name for name, known in names.items()}
    attributes = [replace(one, name=own.get(one.name, one.name)) for one in schema.attributes]
    domain = [str(place) for place in range(len(values))] if classes else values
    read = predictor_of_file(options.tree, schema.target.name, attributes, domain, **reading_options(options))
    if not isinstance(read, Tree):
        return None
    remark(said(names, classes))
    return renamed(read, names, classes, values)


def _result(options: argparse.Namespace, found: Audit | BoostedAudit, given: argparse.Namespace) -> tuple[str, bool]:
    """The report, and whether all is right; of one node, if one is named."""

    def again(finding: Finding) -> str:
        return _command(given, finding)

    if options.node is None:
        return report(found, options.format, again), found.is_right
    trees = list(found.trees.values())
    place = (options.round or 1) - 1
    if not 0 <= place < len(trees):
        raise InputError(f"there is no tree {options.round}; there are {len(trees)}")
    one = replace(found, only=(_node(options, trees[place]), place))
    return _told_of_one(one, options.format, again), one.is_right


def _node(options: argparse.Namespace, tree: Tree) -> int:
    """The number of the node that is named, by its number or its path."""
    named, last = options.node, len(tree.nodes) - 1
    try:
        number = int(named) if named.isdecimal() else tree.find(named)
    except InputError as error:
        raise InputError(error.message, path=options.tree) from None
    if number > last:
        raise InputError(f"there is no node {number}; the last is {last}", path=options.tree)
    return number


def _told_of_one(one: Audit | BoostedAudit, form: str, again: Callable[[Finding], str]) -> str:
    """The report of one node; as a text, without a summary."""
    return report(one, form, again) if form != "text" else "".join(f"{line}\n" for line in judged(one, again))


def rows_for(options: argparse.Namespace, predictor: Tree | Ensemble) -> Table:
    """The data, read under the schema of the tree.

    Raises:
        InputError: a column is absent, or has a value that the tree does not know.
    """
    attributes = predictor.attributes
    if predictor.grower.name == FOREIGN:
        attributes = _all_columns(options, predictor)
    layout = layout_of(options)
    table = table_under(options.data, predictor.target, attributes, layout, options.weights, complete=True)
    remark_left_out(table)
    return with_attributes(table, attributes)


def _all_columns(options: argparse.Namespace, predictor: Tree | Ensemble) -> tuple[Attribute, ...]:
    """The attributes of the data, each as in the tree; a foreign tree may name only those that it asks."""
    options.target = predictor.target.name
    found = load(options).schema.attributes
    known = {attribute.name: attribute for attribute in predictor.attributes}
    others = [attribute.name for attribute in found if attribute.name not in known]
    if others:
        remark(f"the tree does not name {listed(others)}, which the learner may ask as well; --without leaves one out")
    there = {attribute.name for attribute in found}
    absent = [attribute for attribute in predictor.attributes if attribute.name not in there]
    return (*(known.get(attribute.name, attribute) for attribute in found), *absent)


def _learner(options: argparse.Namespace, predictor: Tree | Ensemble) -> Learner | None:
    """The learner of the options; None if the tree is to state it."""
    tree = predictor if isinstance(predictor, Tree) else predictor.members[0].tree
    grown_by, by_class = predictor.grower.name, dict[str, Any]()
    given = [options.learner, options.profile, options.option or None]
    given += [getattr(options, name) for name in learner_flags()]
    if grown_by != FOREIGN and all(one is None for one in given):
        return None
    if options.learner is None and options.profile is None:
        program = "" if tree.program is None else tree.program.name
        if grown_by in ENSEMBLES or (grown_by == FOREIGN and program not in PROGRAMS):
            raise InputError("the tree does not say which learner grew it; say --learner", path=options.tree)
        if grown_by == FOREIGN:
            options.learner, options.profile = PROGRAMS[program]
            parameters = parameters_of(tree).items()
            missing = [(name, value) for name, value in parameters if getattr(options, name, None) is None]
            missing = [(name, value) for name, value in missing if name not in OF_TREES]
            by_class = {name: value for name, value in missing if isinstance(value, Mapping)}
            options.option = [*options.option, *([name, str(one)] for name, one in missing if name not in by_class)]
            remark(f"no learner is named: --learner {options.learner} --profile {options.profile}, as for {program}")
        else:
            options.learner, options.profile = grown_by, predictor.grower.profile
            remark(f"the options that are not given are the defaults of {grown_by}, not those of the tree")
    if options.learner is None:
        from_profile = [learner for learner, profile in PROGRAMS.values() if profile == options.profile]
        options.learner = from_profile[0] if from_profile else None
    if options.learner is None:
        raise InputError(f"--profile {options.profile}: say --learner, too")
    learner = learner_of(options)
    if by_class:  # priors and losses have no text
        grower = learner.grower()
        learner = learner_by(replace(grower, options={**grower.options, **by_class}))
    if options.pre_prune is not None:
        return PrePruning(learner, options.on_equal or "stop")
    return learner


def _command(given: argparse.Namespace, finding: Finding) -> str:
    """The command that repeats a finding: the given options, and the node."""
    words = ["reference-tree", "audit", given.tree, given.data]
    for name in (*REPEATED, *learner_flags()):
        value = getattr(given, name)
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            words += _flag(name, one)
    words += ["--no-header"] * (not given.header) + ["--pruned"] * given.pruned
    if given.largest is not None:
        words += ["--largest", str(given.largest)]
    if finding.tree is not None:
        words += ["--round", str(finding.tree + 1)]
    return shlex.join([*words, "--node", str(finding.number)])


def _flag(name: str, value: Any) -> list[str]:
    """An option with its value; one that begins as an option does is written behind a sign of equality."""
    if isinstance(value, tuple | list):
        return [flag(name), *map(str, value)]
    return [f"{flag(name)}={value}"] if str(value).startswith("-") else [flag(name), str(value)]
