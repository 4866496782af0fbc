"""Notebooks: a tree is shown as its drawing, a decision as its derivation, a table by its first rows, printed or not.

A notebook looks for a form of a value that it can show: `_repr_svg_`, `_repr_markdown_`, `_repr_html_`. Trees,
decisions and tables have these methods, which find the functions of this module when they are called. A value too large
to read is shown as one line.
"""

from __future__ import annotations

from reference_tree.data.errors import number_of
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import significant
from reference_tree.learners.decision import Decision
from reference_tree.measures.contingency import Contingency
from reference_tree.tree import Tree
from reference_tree.views.derivation.explain import explain_decision
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.wording import one_line, xml_name

ROWS, NODES = 10, 200
"""The number of rows of a table that are shown, and the most nodes of a tree that is drawn."""

REACHED, ATTRIBUTES = 2000, 20
"""The most rows and the most attributes of a decision that is derived; a larger one is shown as one line."""


def tree_svg(tree: Tree) -> str | None:
    """The drawing of a tree; None if it has more than `NODES` nodes."""
    return to_svg(tree) if len(tree.nodes) <= NODES else None


def decision_markdown(decision: Decision) -> str | None:
    """The derivation of a decision; None if it would be too long to read."""
    if decision.made is None or len(decision.made.place.available) > ATTRIBUTES:
        return None
    sample = decision.made.sample
    weight = sample.target.weight(sample.total())
    return explain_decision(decision, format="markdown") if weight <= REACHED else None


def contingency_html(found: Contingency) -> str | None:
    """The confusion matrix of the classes; None if numbers are predicted.

    Example:
        >>> print(contingency_html(Contingency.of("nny", "nyy", None, ("n", "y"))))
        <table><caption>accuracy 0.666667: confusion matrix, a column for each prediction</caption>
        <tr><th></th><th>n</th><th>y</th></tr>
        <tr><td>n</td><td>1</td><td>1</td></tr>
        <tr><td>y</td><td>0</td><td>1</td></tr>
        </table>
    """
    if found.classes is None or len(found.classes) > NODES:
        return None
    caption = f"accuracy {significant(found.accuracy, 6)}: confusion matrix, a column for each prediction"
    lines = zip(found.classes, found.confusion, strict=True)
    return _table(caption, ["", *found.classes], [[name, *map(_cell, counts)] for name, counts in lines])


def table_html(table: Table) -> str:
    """The first rows of a table.

    Example:
        >>> print(table_html(Table.from_columns({"x": [2.5, None], "y": ["<n>", "y"]}, name="days")))
        <table><caption>days: 2 rows</caption>
        <tr><th>x</th><th>y</th></tr>
        <tr><td>2.5</td><td>&lt;n&gt;</td></tr>
        <tr><td></td><td>y</td></tr>
        </table>
    """
    return _table(_caption(table), *_first_rows(table))


def _caption(table: Table) -> str:
    return f"{table.name}: {number_of(len(table), 'row')}"


def _first_rows(table: Table) -> tuple[list[str], list[list[str]]]:
    """The names of the columns, and the cells of the first rows; a line of dots for the others."""
    names = [*(attribute.name for attribute in table.schema.attributes), table.schema.target.name]
    rows = [[_cell(row[name]) for name in names] for row in table.head(ROWS).rows()]
    return names, rows + [["…"] * len(names)] * (len(table) > ROWS)


def table_text(table: Table) -> str:
    """The first rows of a table, as they are printed.

    Example:
        >>> print(table_text(Table.from_columns({"x": [2.5, None], "y": ["n", "yes"]}, name="days")))
        days: 2 rows
        x    y
        2.5  n
             yes
    """
    names, rows = _first_rows(table)
    columns = [list(map(one_line, column)) for column in zip(names, *rows, strict=True)]
    aligned = [[cell.ljust(max(map(len, column))) for cell in column] for column in columns]
    lines = ["  ".join(line).rstrip() for line in zip(*aligned, strict=True)]
    return "\n".join([one_line(_caption(table)), *lines])


def _table(caption: str, head: list[str], body: list[list[str]]) -> str:
    cells = [[f"<th>{xml_name(name)}</th>" for name in head]]
    cells += [[f"<td>{xml_name(cell)}</td>" for cell in row] for row in body]
    rows = "".join(f"<tr>{''.join(row)}</tr>\n" for row in cells)
    return f"<table><caption>{xml_name(caption)}</caption>\n{rows}</table>"


def _cell(value: str | Rational | None) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    text = decimal_text(value)
    return text if len(text) <= 12 else significant(value, 9)
