"""Notebooks: a tree is shown as its drawing, a table by its first rows.

A notebook asks the value of a cell for a form it can show, `_repr_svg_` or `_repr_html_`. A tree and a table belong to
the book and know nothing of views; so they are given these forms here, when the package is imported.
"""

from __future__ import annotations

from itertools import islice

from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import significant
from reference_tree.tree import Tree
from reference_tree.views.names import xml_name
from reference_tree.views.trees.svg import to_svg

ROWS, NODES = 10, 200
"""So many rows of a table are shown. A tree of more nodes is shown in a line."""


def tree_svg(tree: Tree) -> str | None:
    """The drawing of a tree; none where it would have more than `NODES` nodes."""
    return to_svg(tree) if len(tree.nodes) <= NODES else None


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
    names = [*(attribute.name for attribute in table.schema.attributes), table.schema.target.name]
    lines = [f"<table><caption>{xml_name(table.name)}: {len(table)} rows</caption>", _line("th", names)]
    lines += [_line("td", [_cell(row[name]) for name in names]) for row in islice(table.rows(), ROWS)]
    if len(table) > ROWS:
        lines.append(_line("td", ["…"] * len(names)))
    return "\n".join([*lines, "</table>"])


def _line(kind: str, cells: list[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{xml_name(cell)}</{kind}>' for cell in cells)}</tr>"


def _cell(value: str | Rational | None) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    text = decimal_text(value)
    return text if len(text) <= 12 else significant(value, 9)


Tree._repr_svg_ = tree_svg  # type: ignore[attr-defined]
Table._repr_html_ = table_html  # type: ignore[attr-defined]
