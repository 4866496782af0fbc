"""What a notebook shows of a tree and of a table."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import reference_tree as rt
from reference_tree.views.notebook import NODES, ROWS


def test_a_tree_is_its_drawing_and_a_large_one_a_line() -> None:
    tree: Any = rt.ID3().grow(rt.textbook("play-tennis"))
    assert tree._repr_svg_() == rt.to_svg(tree)
    columns: dict[str, Any] = {"x": list(range(NODES)), "y": ["ab"[place % 2] for place in range(NODES)]}
    large: Any = rt.CART().grow(rt.Table.from_columns(columns))
    assert len(large.nodes) > NODES
    assert large._repr_svg_() is None


def test_a_table_is_its_first_rows() -> None:
    columns: dict[str, Any] = {"a<b": ["\x1b[2J", *["x&y"] * 19], "x": [1 / 3] * 20, "y": [None, *["n"] * 19]}
    table: Any = rt.Table.from_columns(columns, name="<days>")
    found = ElementTree.fromstring(table._repr_html_())
    assert [cell.text for cell in found.iter("th")] == ["a<b", "x", "y"]
    rows = list(found.iter("tr"))[1:]
    assert len(rows) == ROWS + 1
    assert [cell.text for cell in rows[0]] == ["x&y", "0.333333333", "n"]
    assert "\x1b" not in table._repr_html_()
