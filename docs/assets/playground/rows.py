"""The playground's rows: the table whose cells can be changed, and a row that is predicted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, is_number, rational
from reference_tree.exact.rounding import significant
from reference_tree.tree import Tree
from reference_tree.views.wording import width

ROWS = 200
"""So many rows of a table are shown, and can be changed."""


class Cells(NamedTuple):
    """What a reader has before them: the cells of a table as a file has them."""

    names: list[str]
    rows: dict[int, list[str]]
    """By their numbers from 1; those that are deleted are not there."""
    known: int
    """How many rows the table had at first."""
    last: int
    """The number of the last row, deleted or not."""


def table_html(cells: Cells, table: Table, fixed: bool = False) -> Iterator[str]:
    """The table, each cell a field; the target is the last column. Rows that were added are always shown.

    Unless the rows are fixed, each can be copied and deleted, and a column can be read as another kind.
    """
    names, rows = cells.names, cells.rows
    schema = {one.name: one for one in (*table.schema.attributes, table.schema.target)}
    for place, name in enumerate(names):
        values = schema[name].values if name in schema else None
        if values is not None and len(values) <= ROWS:
            options = "".join(f'<option value="{escape(value)}">' for value in values)
            yield f'<datalist id="values-{place}">{options}</datalist>'
    yield f'<table class="rows" data-next="{cells.last + 1}"><thead><tr><td></td>'
    yield from (f"<th scope=col>{escape(name)}{'' if fixed else _kind(schema.get(name))}</th>" for name in names)
    yield "</tr></thead><tbody>"
    shown = {number: row for number, row in rows.items() if number <= ROWS or number > cells.known}
    widths = [max(map(width, column)) for column in zip(*shown.values(), strict=True)]
    for number, row in shown.items():
        yield f"<tr><th scope=row>{number}"
        if not fixed:
            yield f' <button type=button data-copy={number} aria-label="copy row {number}">+</button>'
            yield f'<button type=button data-delete={number} aria-label="delete row {number}">−</button>'
        yield "</th>"
        for place, cell in enumerate(row):
            marked = _mark(schema.get(names[place]), cell) if place == len(row) - 1 else ""
            yield f'<td>{marked}<input value="{escape(cell)}" style="width:{max(widths[place], 2)}ch"'
            yield f' list="values-{place}"'
            yield f' data-cell="{number},{place + 1}" aria-label="row {number}, {escape(names[place])}"></td>'
        yield "</tr>"
    yield "</tbody></table>"
    if len(rows) > len(shown):
        yield f"<p>{len(rows) - len(shown)} more rows are used and not shown.</p>"


def _mark(target: Attribute | None, cell: str) -> str:
    """The mark of a class."""
    values = target.values if target else None
    return f'<i class="k{values.index(cell)}"></i>' if values and cell in values else ""


def _kind(column: Attribute | None) -> str:
    """A button that has a column read as the other kind; texts that are no numbers have none."""
    if column is None or not all(map(is_number, column.values or ())):
        return ""
    sign, other = ("123", "categorical") if column.values is None else ("abc", "continuous")
    said = "numbers; read it as categories" if column.values is None else "categories; read it as numbers"
    named = f"data-kind='{escape(column.name)}' data-to={other}"
    return f' <button type=button {named} title="{said}" aria-label="{escape(column.name)} is {said}">{sign}</button>'


class Predicted(NamedTuple):
    """What a tree says of a row."""

    said: str
    """The answer, or why there is none."""
    way: frozenset[int]
    """The numbers of the nodes that the row reaches."""


def predicted(tree: Tree, table: Table, given: Sequence[str]) -> Predicted:
    """What a tree says of a row that a reader gave; a cell that is not given is missing.

    Args:
        tree: the tree.
        table: the table whose attributes it asks.
        given: `attribute=value` for each cell.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> predicted(rt.ID3().grow(days), days, ["outlook=sunny", "humidity=high"])
        Predicted(said='no', way=frozenset({0, 5, 6}))
    """
    cells = cells_given(table, given)
    if not cells:
        return Predicted("", frozenset())
    try:
        row = row_of(table, given)
        way = frozenset(number for number, _, _ in tree.way(row))
        answer = tree.predict(row)
    except (InputError, ValueError) as error:
        return Predicted(str(error), frozenset())
    return Predicted(answer if isinstance(answer, str) else significant(answer, 6), way)


def row_of(table: Table, given: Sequence[str]) -> dict[str, str | Rational | None]:
    """The row that is given, as a tree reads it.

    Raises:
        ValueError: a cell is no number where one is needed.
    """
    cells = cells_given(table, given)
    return {
        one.name: cell if (cell := cells.get(one.name)) is None or one.values is not None else rational(cell)
        for one in table.schema.attributes
    }


def cells_given(table: Table, given: Sequence[str]) -> dict[str, str]:
    """Attribute → the cell that is given."""
    names = [one.name for one in table.schema.attributes]
    pairs = ((name, cell[len(name) + 1 :].strip()) for cell in given for name in names if cell.startswith(f"{name}="))
    return {name: value for name, value in pairs if value}


def row_html(tree: Tree, table: Table, names: Sequence[str], given: Sequence[str]) -> Iterator[str]:
    """A field for each attribute that the tree asks, and what the tree says of the row."""
    cells, asked = cells_given(table, given), {one for node in tree.nodes if node.test for one in node.test.attributes}
    yield "<p class=asked>A row to be predicted: "
    for one in table.schema.attributes:
        if one.name in asked:
            yield f'<label>{escape(one.name)} <input size="8" data-row="{escape(one.name)}" '
            yield f'list="values-{names.index(one.name)}" value="{escape(cells.get(one.name, ""))}"></label> '
    yield "</p>"
    if said := predicted(tree, table, given).said:
        yield f"<p class=answer>{escape(table.schema.target.name)}: {_mark(table.schema.target, said)}"
        yield f"<strong>{escape(said)}</strong></p>"


def quality(tree: Tree, table: Table, held: Table | None) -> str:
    """How many of the rows a tree is right about; of numbers, the mean of the squared errors."""
    found = [f"training rows: {_right(tree, table)}"]
    if held is not None:
        found.append(f"rows held out: {_right(tree, held)}")
    return f"<p class=quality>{escape('; '.join(found))}.</p>"


def _right(tree: Tree, table: Table) -> str:
    if not len(table):
        return "none"
    if tree.target.values is not None:
        share = tree.accuracy(table, "majority")
        return f"{significant(share * len(table), 6)} of {len(table)} right ({significant(100 * share, 4)} %)"
    return f"mean squared error {significant(tree.mean_squared_error(table, 'majority'), 4)}"
