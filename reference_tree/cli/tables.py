"""Tables that a tree, or another table, says how to read: the rows it was grown from, and the rows that judge it.

Nothing is inferred here. A column that is known is read as it is known, with its kind and its values; one that is not
is left out. So a value that the tree has no branch for is reported with its line and column.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from reference_tree.cli.databases import engine_of, stored_under
from reference_tree.cli.output import remark
from reference_tree.cli.progress import reading
from reference_tree.data.asked import treated
from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.readers import read_raw
from reference_tree.data.readers.raw import PLAIN, Layout, Raw
from reference_tree.data.readers.rows import under
from reference_tree.data.readers.text import Source, title_of
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table, assemble, rows_at_hand
from reference_tree.data.textbook import is_textbook, textbook
from reference_tree.stores.sql import SQLTable
from reference_tree.tree import Tree, TreeError
from reference_tree.tree_document.form import FOREIGN

STANDARD_INPUT = "-"
"""The name of standard input in a command."""


def opened(source: str) -> Source:
    """The source: standard input, or the file of this name.

    Raises:
        InputError: it is standard input, which is closed.
    """
    if source != STANDARD_INPUT:
        return source
    if sys.stdin is None:
        raise InputError("standard input is closed; name a file, or pipe one in", path=source)
    return sys.stdin.buffer


def refuse_for_textbook(name: str, layout: Layout, weights: str | None) -> None:
    """Refuse the options that describe a file where the data set is one of a textbook.

    Raises:
        InputError: one of them is given.
    """
    given = {
        "--weights": weights is not None,
        "--na": layout.missing is not None,
        "--separator": layout.separator is not None,
        "--no-header": not layout.header,
        "--decimal": layout.decimal is not None,
        "--encoding": layout.encoding is not None,
        "--table": layout.table is not None,
    }
    for flag in (flag for flag in given if given[flag]):
        kind = "databases" if flag == "--table" else "files"
        raise InputError(f"{flag} is for {kind}; {name} is a textbook data set")


def table_under(
    source: str,
    target: Attribute,
    attributes: Sequence[Attribute],
    layout: Layout = PLAIN,
    weights: str | None = None,
    *,
    complete: bool = False,
) -> Table:
    """The table in a file, or that of a textbook, read under a schema that is known.

    Args:
        source: a file, or the name of a textbook data set.
        target: the column to predict, with its classes.
        attributes: the others that are known.
        layout: how the file is written, as far as it does not say so.
        weights: the column that holds the weight of each row.
        complete: whether each attribute has to be there.

    Raises:
        InputError: it cannot be read, lacks a column that has to be there, or a cell is none of the values that are
            known.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> schema = textbook("watermelon-2.0").schema
        >>> table_under("watermelon-2.0-validation", schema.target, schema.attributes).schema.attributes[1].values
        ('硬挺', '稍蜷', '蜷缩')
    """
    if engine_of(source) is not None:
        return cast(Table, stored_under(source, layout.table, (*attributes, target), weights, complete=complete))
    known = {attribute.name: attribute for attribute in (*attributes, target)}
    name = source if is_textbook(source) else title_of(source)
    if is_textbook(source):
        raw, left_out = _of_textbook(source, known, layout, weights)
    else:
        with reading(source):
            (raw, said), left_out = under(read_raw(opened(source), layout), known), 0
            for line in said:
                remark(f"{source}: {line}")
        if weights and raw.weights:
            raise InputError("the rows state weights of their own; leave out --weights", path=source)
    weights = weights or raw.weights
    there = [column.name for column in raw.columns]
    for wanted in (target.name, *([weights] if weights else []), *(known if complete else [])):
        if wanted not in there:
            raise InputError(no_such("column", wanted, there), path=source)
    columns = [replace(column, declared=known.get(column.name)) for column in raw.columns if column.name in known]
    if weights is not None and weights not in known:
        columns += [column for column in raw.columns if column.name == weights]
    try:
        table = assemble(columns, target.name, weights, (), (), name, raw.origin)
    except InputError as error:
        raise InputError(error.message, path=source, line=error.line, column=error.column) from None
    return replace(table, left_out=table.left_out + left_out)


def _of_textbook(name: str, known: dict[str, Attribute], layout: Layout, weights: str | None) -> tuple[Raw, int]:
    """The columns of a textbook data set; where the schema has categories, its numbers are categories."""
    refuse_for_textbook(name, layout, weights)
    schema = textbook(name).schema
    there = [attribute.name for attribute in (*schema.attributes, schema.target)]
    kinds = {kind: [one for one in there if one in known and known[one].kind == kind] for kind in _KINDS}
    table = textbook(name, kinds["categorical"], kinds["continuous"])
    rows = list(table.rows())
    return Raw([Column(one, [row[one] for row in rows]) for one in there], Origin()), table.left_out


_KINDS = ("categorical", "continuous")


def rows_of(tree: Tree, source: str, layout: Layout = PLAIN, weights: str | None = None) -> Table:
    """The rows that a tree was grown from.

    Args:
        tree: the tree.
        source: where they should be.
        layout: as for `table_under`.
        weights: as for `table_under`.

    Raises:
        InputError: they cannot be read, a column is not there, or they are other rows: sent down the tree, they do not
            add up to its counts. Of a foreign tree that divides rows without an answer only the root is looked at, for
            its shares are as its program printed them.
    """
    table = tree.seen(table_under(source, tree.target, tree.attributes, layout, weights, complete=True))
    table = with_attributes(table, tree.attributes)
    try:
        _check_rows(tree, table)
    except TreeError as error:
        raise InputError(f"the tree was not grown from these rows: {error}", path=source) from None
    return table


def with_attributes(table: Table | SQLTable, attributes: Sequence[Attribute]) -> Table:
    """A table under the schema of a tree, with values treated as the tree says; a store has its schema already."""
    at_hand = rows_at_hand(table)
    if at_hand is None:
        return cast(Table, table)
    table = treated(at_hand, {one.name: one for one in attributes})
    there = {one.name: one for one in table.schema.attributes}
    under_tree = tuple(one if one.treatment is None else there[one.name] for one in attributes)
    return replace(table, schema=replace(table.schema, attributes=under_tree))


def _check_rows(tree: Tree, table: Table) -> None:
    if tree.grower.name == FOREIGN and any(node.missing.shares for node in tree.nodes):
        if tree.nodes[0].counts != table.sample().total():
            raise TreeError("node 0 has other counts")
    else:
        tree.check(table)
