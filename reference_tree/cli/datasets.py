"""Data sets on the command line: listed, described, and written as files.

1. Without a name, the textbook data sets are listed; with one, a table is described.
2. `--discretize` puts intervals in the place of numbers, `--one-hot` a column of 0 and 1 in the place of each value,
   and `--holdout` divides the rows into two files, before anything else: held-out rows must not decide a cut.
   `--bootstrap` draws as many rows as there are, with replacement.
3. The suffix of the file, or `--format`, says how a table is written. Anything that the form loses is reported on
   standard error, with the options that read the same table back.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from reference_tree.cli.learning import load
from reference_tree.cli.output import deliver, remark
from reference_tree.data.errors import InputError, listed, number_of
from reference_tree.data.table import Table
from reference_tree.data.textbook import describe, is_textbook, names, textbook
from reference_tree.data.writers import SEPARATORS, WRITERS, undeclared, weight_column
from reference_tree.ensembles.bagging import bootstrap
from reference_tree.selection.holdout import holdout, take
from reference_tree.splitting.discretization import discretize
from reference_tree.splitting.discretizers import bins_of
from reference_tree.splitting.one_hot_encoding import one_hot
from reference_tree.tree_document.files import deliver_all
from reference_tree.views.wording import one_line

READING = ("target", "weights", "without", "categorical", "continuous", "na", "separator", "decimal", "header")
"""The options that say how a table is read."""


def run_data(options: argparse.Namespace) -> None:
    """`data [DATA]`: the textbook data sets with their provenance, or a table, described or written."""
    form = _form(options)
    if options.data is None:
        if form is not None or any(getattr(options, name) not in (None, [], True) for name in READING):
            raise InputError("no table is named that could be written; say data DATA, then what is to be done with it")
        deliver("\n".join(_described(name, textbook(name)) for name in names()), _only_output(options))
    elif form is None:
        table = load(options)
        text = (
            _described(options.data, table) if is_textbook(options.data) else f"{options.data}:\n{_columns_of(table)}\n"
        )
        deliver(text, _only_output(options))
    else:
        _write(_parts(options, load(options)), form, options.output)


def _form(options: argparse.Namespace) -> str | None:
    """The form in which the table is written; None if it is not written."""
    changed = options.discretize or options.one_hot or options.holdout is not None or options.bootstrap is not None
    if options.format is not None:
        return str(options.format)
    forms = {Path(file).suffix.lower().removeprefix(".") for file in options.output or ()} - {"", "txt"}
    changed = changed or "-" in (options.output or ())
    if strange := sorted(forms - set(WRITERS)):
        raise InputError(f"a table is written as {listed(WRITERS)}, not as {strange[0]}; say --format")
    if len(forms) > 1:
        raise InputError(f"two forms are asked for, {listed(sorted(forms))}; choose one, or give --format")
    return next(iter(forms), "csv" if changed else None)


def _only_output(options: argparse.Namespace) -> str | None:
    if len(options.output or ()) > 1:
        raise InputError(f"one file is written, and {len(options.output)} are named; --holdout SHARE makes two")
    return options.output[0] if options.output else None


def _parts(options: argparse.Namespace, table: Table) -> Sequence[Table]:
    """The tables to be written: one, or the training rows and the rows held back."""
    if options.holdout is None:
        _only_output(options)
        parts: Sequence[Table] = (table if options.bootstrap is None else _bootstrapped(options, table),)
    elif len(options.output or ()) != 2:
        raise InputError("--holdout makes two files; name both: --output TRAINING VALIDATION")
    else:
        stratified = options.stratified is not False
        parts = holdout(table, options.seed or 0, options.holdout, stratified=stratified)
    names = [attribute for attribute, _ in options.discretize]
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise InputError(f"--discretize {twice[0]} is given twice; give it once")
    for attribute, how in options.discretize:
        bins, found = bins_of(parts[0], attribute, how)
        if found:
            remark(f"{one_line(attribute)}: {found}")
        parts = [discretize(part, attribute, bins) for part in parts]
    if options.one_hot:
        attributes = None if "*" in options.one_hot else options.one_hot
        parts = [one_hot(part, attributes) for part in parts]
    return parts


def _bootstrapped(options: argparse.Namespace, table: Table) -> Table:
    """The rows that are drawn for a tree of an ensemble, in the order of the file, each as often as it was drawn."""
    if options.bootstrap < 1:
        raise InputError("--bootstrap M: the draws for tree M of an ensemble; the first is 1")
    drawn = bootstrap(len(table), options.seed or 0, options.bootstrap - 1)
    return take(table, [row for row, times in enumerate(drawn) for _ in range(times)])


def _write(parts: Sequence[Table], form: str, outputs: Sequence[str] | None) -> None:
    texts = [WRITERS[form](part) for part in parts]
    if outputs:
        if len(set(outputs)) < len(outputs):
            raise InputError("is named twice; each file needs a name of its own", path=outputs[0])
        files = {output: text for output, text in zip(outputs, texts, strict=True) if output != "-"}
        deliver_all(files)
        for text in (text for output, text in zip(outputs, texts, strict=True) if output == "-"):
            deliver(text, None)
    else:
        deliver(texts[0], None)
    for place, part in enumerate(parts):
        if form != "arff" and (message := unsaid(part, SEPARATORS[form])):
            remark(f"{outputs[place] if outputs else 'the table'}: {message}")


def unsaid(table: Table, separator: str = ",") -> str:
    """The options that a reader of the CSV file needs, in words; empty if it needs none.

    Example:
        >>> unsaid(one_hot(Table.from_columns({"ear": ["oval", "pointy"], "cat": ["yes", "no"]})))
        "read it with --categorical '*'"
        >>> unsaid(textbook("golf"))
        ''
    """
    missing = undeclared(table, separator)
    every = len(missing.categorical) > 1 and not table.schema.numbers
    flags = [f"--categorical {quote(name)}" for name in (["*"] if every else missing.categorical)]
    flags += [f"--continuous {quote(name)}" for name in missing.continuous]
    flags += [] if table.weights is None else [f"--weights {quote(weight_column(table))}"]
    parts = [f"read it with {' '.join(flags)}"] if flags else []
    if missing.values:
        what = f"the values of {listed(missing.values)}, or their order"
        parts.append(f"a CSV file does not keep {what}; an .arff file does")
    return "; ".join(parts)


def _described(name: str, table: Table) -> str:
    found = describe(name)
    lines = [f"{name}: {found.title}", _columns_of(table)]
    return "\n".join([*lines, f"  from {found.provenance}", f"  used for {found.used_for}"]) + "\n"


def _columns_of(table: Table) -> str:
    """The number of rows of a table, and its columns."""
    attributes = ", ".join(one_line(attribute.name) for attribute in table.schema.attributes)
    return f"  {number_of(len(table), 'row')}; {attributes} → {one_line(table.schema.target.name)}"
