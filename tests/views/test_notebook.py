"""What a notebook shows of a tree, a decision and a table."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

import reference_tree as rt
from reference_tree.views.notebook import ATTRIBUTES, NODES, REACHED, ROWS


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


def test_a_table_is_printed_by_its_first_rows() -> None:
    long = rt.Table.from_columns({"a": ["\x1b", *["x"] * 19], "y": ["n", "yes"] * 10}, name="days")
    lines = str(long).split("\n")
    assert lines[:4] == ["days: 20 rows", "a     y", "\\x1b  n", "x     yes"]
    assert (len(lines), lines[-1]) == (ROWS + 3, "…     …")
    assert str(long.head(1)).split("\n")[0] == "days: 1 row"
    assert "\n" not in repr(long)


def test_a_decision_is_its_derivation_and_a_large_one_a_line() -> None:
    sample = rt.textbook("play-tennis").sample()
    decision: Any = rt.ID3().decide(sample)
    assert decision._repr_markdown_() == rt.explain_decision(decision, format="markdown")
    assert r"\begin{aligned}" in decision._repr_markdown_()
    assert repr(decision.winners) == "(<Candidate outlook: gain 0.24675>,)"
    many: dict[str, Any] = {f"x{place}": ["a", "b"] for place in range(ATTRIBUTES + 1)}
    wide: Any = rt.ID3().decide(rt.Table.from_columns({**many, "y": ["n", "y"]}).sample())
    assert wide._repr_markdown_() is None
    long = {"x": list(range(REACHED + 1)), "y": ["n", *"y" * REACHED]}
    tall: Any = rt.CART().decide(rt.Table.from_columns(long).sample())
    assert tall._repr_markdown_() is None


@pytest.mark.slow
def test_what_is_long_has_a_short_line() -> None:
    count = 100_000
    names, classes = [f"v{place}" for place in range(count)], [*"ny"] * (count // 2)
    table = rt.Table.from_columns({"x": list(range(count)), "z": names, "y": classes})
    sample = table.sample()
    shown = [table, table.columns, sample, table.schema.numbers, rt.CART(max_depth=0).decide(sample)]
    assert [len(repr(thing)) for thing in shown if len(repr(thing)) > 1000] == []
    few = rt.C45().decide(table.take(range(1000)).sample()).candidates
    assert max(len(repr(one)) for one in few) < 100


def test_a_contingency_table_is_its_confusion() -> None:
    days = rt.textbook("play-tennis")
    found: Any = rt.ID3(max_depth=1).grow(days).contingency(days)
    cells = [cell.text for cell in ElementTree.fromstring(found._repr_html_()).iter("td")]
    assert cells == ["no", "3", "2", "yes", "2", "7"]
    numbers: Any = rt.Contingency.of([1], [1])
    assert numbers._repr_html_() is None
