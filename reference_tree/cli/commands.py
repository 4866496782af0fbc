"""Commands: each reads what its options name, does one thing, and delivers it.

`row_named` reads the row of `--predict`: its number in the file, from 1, rows without a target included; or
`name=value` pairs, where a missing value is `?`, or nothing.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from reference_tree.attribution.attributions import Attributions, shapley_values
from reference_tree.cli.learning import check_options, grown, grown_together, layout_of, load, numbered, validation_of
from reference_tree.cli.output import deliver, reading, remark, watched
from reference_tree.cli.tables import engine_of, opened, refuse_for_textbook, stored_rows
from reference_tree.cli.trees import check_not_grown, check_not_read, predictor_in
from reference_tree.data.errors import InputError, listed, number_of
from reference_tree.data.questions import Row
from reference_tree.data.readers.raw import Layout
from reference_tree.data.readers.rows import read_rows
from reference_tree.data.schema import Attribute
from reference_tree.data.textbook import is_textbook, textbook
from reference_tree.data.writers import csv_text
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rationals import Rational, decimal_text, exact_text, rational
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import significant
from reference_tree.predictor import USUAL_ESTIMATE
from reference_tree.programs.printouts import is_in_doubt
from reference_tree.programs.reading import names_tree
from reference_tree.tree import Tree, Unseen
from reference_tree.tree_document import to_json
from reference_tree.views.derivation.attributions import derive_values
from reference_tree.views.derivation.blocks import Block, NodeHeading, Scope, digits_of
from reference_tree.views.derivation.ensembles import SUMS, derive_votes, explained_round
from reference_tree.views.derivation.explain import explain_discretization, explained
from reference_tree.views.derivation.numerals import USUAL
from reference_tree.views.derivation.prediction import derive_prediction
from reference_tree.views.derivation.writers import page
from reference_tree.views.trees.code import to_python, to_sql
from reference_tree.views.trees.pmml import to_pmml
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.trees.text import to_dot, to_mermaid, to_rules, to_text, to_texts
from reference_tree.views.wording import cut_short, one_line

FORMATS: Mapping[str, Callable[[Tree], str]] = {
    "text": to_text, "rules": to_rules, "json": to_json, "dot": to_dot, "mermaid": to_mermaid, "svg": to_svg,
    "python": to_python, "sql": to_sql, "pmml": to_pmml,
}  # fmt: skip
"""The forms in which a tree can be printed."""

TOGETHER: Mapping[str, Callable[[Ensemble], str]] = {
    "text": to_texts, "json": to_json, "python": to_python, "sql": to_sql,
}  # fmt: skip
"""The forms in which an ensemble can be printed."""


def written(tree: Tree | Ensemble, options: argparse.Namespace) -> str:
    """A tree, or an ensemble, in the format of the options."""
    if options.dialect is not None:
        return to_sql(tree, options.dialect)
    return TOGETHER[options.format](tree) if isinstance(tree, Ensemble) else FORMATS[options.format](tree)


def run_grow(options: argparse.Namespace) -> None:
    """`grow DATA`: grow a tree, or an ensemble, and print it."""
    check_options(options)
    table = load(options, stays=options.ensemble is None and not options.gradients)
    if options.ensemble is None:
        deliver(written(grown(options, table, validation_of(options, table)), options), options.output)
        return
    if options.round is None and options.format not in TOGETHER:
        raise InputError(f"{options.format} shows one tree; say --round M, or --format {' or '.join(TOGETHER)}")
    ensemble = grown_together(options, table)
    if options.round is None:
        deliver(written(ensemble, options), options.output)
    else:
        deliver(written(numbered(ensemble, options.round).tree, options), options.output)


def run_explain(options: argparse.Namespace) -> None:
    """`explain DATA`: the worked derivation of a tree; of the way of a row down it, or of the intervals of a column."""
    check_options(options)
    if options.predict is not None:
        _explain_prediction(options)
        return
    if options.discretize is not None:
        reads = ("without", "categorical", "continuous")
        check_not_grown(options, ["round", "rows"], reads, "--discretize shows how a column is cut before that")
        text = explain_discretization(
            load(options), *options.discretize,
            format=options.format, every=options.all, digits=options.digits, exact=options.exact,
        )  # fmt: skip
        deliver(text, options.output)
        return
    if options.rows is not None:
        raise InputError(f"a second file, {options.rows}, is for the path of a row; say --predict ROW, too")
    if names_tree(options.data):
        advice = "--predict ROW goes down the tree"
        raise InputError(f"holds a tree, and a derivation begins with its data; {advice}", path=options.data)
    check_not_read(options)
    table = load(options, stays=options.ensemble is None)
    if options.ensemble is not None:
        if options.round is None:
            raise InputError(
                "an ensemble has many trees; say --round M for one of them, or --predict ROW for their vote"
            )
        ensemble = grown_together(options, table)
        tree = numbered(ensemble, options.round).tree
        scope = Scope(options.node, options.all, digits_of(tree, options.digits, exact=options.exact))
        blocks = explained_round(ensemble, table, options.round, scope)
    else:
        validation = validation_of(options, table)
        tree = grown(options, table, validation)
        scope = Scope(options.node, options.all, digits_of(tree, options.digits, exact=options.exact))
        blocks = explained(tree, table, scope, validation)
    deliver(page(watched(blocks, NodeHeading), options.format, scope.digits), options.output)


def _explain_prediction(options: argparse.Namespace) -> None:
    """The way of one row down the tree of a document, or down a tree grown from the data."""
    tree: Tree | Ensemble
    if names_tree(options.data):
        check_not_grown(options, ["target", "weights"])
        tree, source = predictor_in(options.data, options), options.rows
    else:
        check_not_read(options)
        table = load(options)
        together = options.ensemble is not None
        tree = grown_together(options, table) if together else grown(options, table, validation_of(options, table))
        source = options.rows or options.data
    if options.round is not None:
        if isinstance(tree, Tree):
            raise InputError("--round is the number of a tree of an ensemble, and this is a single tree; leave it out")
        tree = numbered(tree, options.round).tree
    named = options.predict.strip()
    if named.isdecimal() and source is None:
        raise InputError(
            f"--predict {named} counts rows; say which, too: explain {options.data} DATA --predict {named}"
        )
    layout = layout_of(options)
    row = row_named(
        named, tree.attributes, lambda: rows_in(tree, source or "", tree.attributes, layout), layout.missing
    )
    table_name = source if source and is_textbook(source) else Path(source or "").stem
    name = f"row {named} of {table_name}" if named.isdecimal() else "a row"
    unseen: Unseen = options.unseen or "error"
    blocks: Iterator[Block]
    if options.attributions:
        blocks, digits = derive_values(attributed(options, tree, [row]), 0, name), USUAL
    elif isinstance(tree, Tree):
        blocks, digits = derive_prediction(tree, row, unseen, name), USUAL
    else:
        if options.exact:
            raise InputError("--exact is for one tree; say --round M, too, or leave it out")
        blocks, digits = derive_votes(tree, row, unseen, name, options.digits), SUMS
    digits = digits._replace(places=options.digits, exact=options.exact)
    deliver(page(blocks, options.format, digits), options.output)


def run_predict(options: argparse.Namespace) -> None:
    """`predict TREE DATA`: a label for each row, or P(Y|X); a line each, or a table with the truth."""
    tree = predictor_in(options.tree, options)
    if options.proba and tree.target.values is None:
        raise InputError(
            f"the {tree.called} predicts a number, which has no P(Y|X); leave out --proba", path=options.tree
        )
    estimate, m = options.estimate or USUAL_ESTIMATE, 2 if options.m is None else options.m
    in_table = options.format == "csv"
    lines, with_truth, doubtful = list[list[str]](), False, list[str]()
    known = (*tree.attributes, tree.target) if in_table else tree.attributes
    for number, (line, row) in enumerate(rows_in(tree, options.data, known, layout_of(options)), start=1):
        try:
            label = [] if options.proba and not in_table else [_written(tree.predict(row, options.unseen), options)]
            asked = partial(tree.distribution, unseen=options.unseen, estimate=estimate, m=m)
            shares = [*asked(row).values()] if options.proba else []
            doubtful += [str(number)] if isinstance(tree, Tree) and is_in_doubt(tree, row, options.unseen) else []
        except InputError as error:
            if is_textbook(options.data):
                raise InputError(f"row {line}: {error.message}", path=options.data) from None
            raise InputError(error.message, path=options.data, line=line) from None
        with_truth = in_table and tree.target.name in row
        truth = [_written(row[tree.target.name], options)] if with_truth else []
        before = [str(number)] if in_table else []
        lines.append([*before, *label, *truth, *(_share(share, options) for share in shares)])
    if doubtful:
        lie = "row lies" if len(doubtful) == 1 else "rows lie"
        near = f"within the rounding of a printed threshold: {listed(doubtful)}"
        remark(f"{len(doubtful)} {lie} {near}; the program may answer otherwise")
    classes = map(one_line, tree.target.domain) if options.proba else ()
    head = ["row", "prediction", *(["actual"] if with_truth else [])] if in_table else []
    if in_table or options.proba:
        deliver(csv_text([*head, *classes], lines), options.output)
    else:
        deliver("".join(f"{line}\n" for (line,) in lines), options.output)


def rows_in(
    tree: Tree | Ensemble, source: str, known: Sequence[Attribute], layout: Layout
) -> Iterator[tuple[int, Row]]:
    """The rows to be predicted, each with its line in the file."""
    if engine_of(source) is not None:
        return stored_rows(source, layout.table, known)
    if not is_textbook(source):
        with reading(source):
            return read_rows(opened(source), known, layout)
    refuse_for_textbook(source, layout, None)
    categories = {attribute.name for attribute in tree.attributes if attribute.values is not None}
    schema = textbook(source).schema
    # Numbers of a textbook are categories where the tree has them so.
    table = textbook(source, [attribute.name for attribute in schema.attributes if attribute.name in categories])
    return enumerate(table.rows(), start=1)


def _written(value: Any, options: argparse.Namespace) -> str:
    """A label, or a number as a decimal to twelve digits or exactly; empty if it is not known."""
    if value is None or isinstance(value, str):
        return one_line(value or "")
    return decimal_text(value) if options.exact else _decimal(value)


def _share(share: Number, options: argparse.Namespace) -> str:
    """The share of a class; an irrational share has no exact form."""
    if isinstance(share, int | Fraction):
        return exact_text(share) if options.exact else _decimal(share)
    if options.exact:
        raise InputError("the shares are irrational, and have no fraction; leave out --exact", path=options.tree)
    return significant(share, 12)


def _decimal(value: Rational) -> str:
    """A number to twelve digits, correctly rounded; with an exponent, where there would be many zeros."""
    if value == 0 or 1 <= abs(Fraction(value)) * 10**6 < 10**21:
        return significant(value, 12)
    with localcontext(prec=12, Emin=MIN_EMIN, Emax=MAX_EMAX):
        return str(Decimal(value.numerator) / Decimal(value.denominator)).lower()


def attributed(options: argparse.Namespace, predictor: Tree | Ensemble, rows: Sequence[Any]) -> Attributions:
    """The Shapley values of some rows by the options of a command; what was taken is said."""
    background = None
    if options.background is not None:
        layout = layout_of(options)
        background = [row for _, row in rows_in(predictor, options.background, predictor.attributes, layout)]
    found = shapley_values(predictor, rows, background=background, cover=options.cover, values=options.values)
    by = f"the cover {found.cover}" if background is None else number_of(len(background), "background row")
    remark(f"{found.value_function.replace('_', '-')} values of {found.explained.of}, by {by}")
    return found


# One row, as the command line names it.

MISSING = ("?", "")
"""The names of a missing value besides those of `--na`."""


def row_named(
    text: str,
    attributes: Sequence[Attribute],
    rows: Callable[[], Iterator[tuple[int, Row]]],
    missing: Collection[str] | None = None,
) -> Row:
    r"""The row that a text names.

    Args:
        text: a number from 1, or `name=value,...`; a comma, an equals sign and a backslash in a name or a value are
            written `\,`, `\=` and `\\`.
        attributes: those that the row can have.
        rows: reads the rows that a number counts.
        missing: the names of a missing value; none: `?` or nothing.

    Raises:
        InputError: it names none.

    Example:
        >>> wind, speed = Attribute("wind", ("weak", "strong")), Attribute("speed")
        >>> row_named("wind=weak, speed=7.5", [wind, speed], lambda: iter(()))
        {'wind': 'weak', 'speed': Fraction(15, 2)}
    """
    if re.fullmatch(r"\s*[0-9]+\s*", text):
        return _numbered(text.strip(), list(rows()))
    known = {attribute.name: attribute for attribute in attributes}
    row: dict[str, str | Rational | None] = {}
    for pair in re.findall(r"(?:\\.|[^\\,])+", text, re.DOTALL):
        if (parts := re.fullmatch(r"((?:\\.|[^\\=])+)=(.*)", pair, re.DOTALL)) is None:
            raise InputError(f"--predict {text}: {pair.strip()!r} is no name=value; a row is {FORMS}")
        name, value = (re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL).strip() for part in parts.groups())
        if name not in known:
            raise InputError(f"--predict {text}: the tree knows no {name!r}; it knows {listed(known)}")
        if name in row:
            raise InputError(f"--predict {text}: {name} is given twice; give it once")
        row[name] = _value(text, known[name], value, MISSING if missing is None else missing)
    if not row:
        raise InputError(f"--predict {text!r}: a row is {FORMS}")
    return row


FORMS = "the number of a row of the data, from 1, or name=value pairs with commas between them"
"""How a row is named."""


def _numbered(number: str, rows: Sequence[tuple[int, Row]]) -> Row:
    place = int(number) if len(number) < 10 else 0
    if not 1 <= place <= len(rows):
        raise InputError(
            f"--predict {cut_short(number, 20)}: there is no such row; there are {len(rows)}, and the first is 1"
        )
    return rows[place - 1][1]


def _value(text: str, attribute: Attribute, value: str, missing: Collection[str]) -> str | Rational | None:
    if value in missing:
        return None
    if attribute.values is not None:
        return value
    try:
        return rational(value)
    except ValueError as error:
        raise InputError(f"--predict {text}: {attribute.name} is a number: {error}") from None
