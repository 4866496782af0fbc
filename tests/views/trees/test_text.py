"""A tree as text: written by hand once, and read back into the same tree for all others."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given

from reference_tree.data.questions import Subset, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.trees.text import DEEPEST, to_text
from tests.strategies import categorical_tables
from tests.views.chains import chain
from tests.views.regression import regression_tree

WATERMELON = """\
纹理 = 模糊: 否 (否 3)
纹理 = 清晰
|   根蒂 = 硬挺: 否 (否 1)
|   根蒂 = 稍蜷
|   |   色泽 = 乌黑
|   |   |   触感 = 硬滑: 是 (是 1)
|   |   |   触感 = 软粘: 否 (否 1)
|   |   色泽 = 浅白: 是 (no row; as above)
|   |   色泽 = 青绿: 是 (是 1)
|   根蒂 = 蜷缩: 是 (是 5)
纹理 = 稍糊
|   触感 = 硬滑: 否 (否 4)
|   触感 = 软粘: 是 (是 1)
"""
"""Zhou's figure 4.4."""

TARGET = Attribute("y", ("no", "yes"))


def test_zhous_figure() -> None:
    assert to_text(ID3().grow(textbook("watermelon-2.0"))) == WATERMELON


def test_a_single_leaf_is_one_line() -> None:
    assert to_text(ID3(max_depth=0).grow(textbook("play-tennis"))) == "yes (no 5, yes 9)\n"


def test_ties_and_thresholds_and_subsets() -> None:
    leaves = [Node((1, 1), "no", stop="no-candidates", tied=("no", "yes")), Node((0, 1), "yes", stop="pure")]
    below = Node((1, 2), "yes", Subset("colour", ("red", "blue")), (3, 4))
    root = Node((1, Fraction(5, 2)), "yes", Threshold("size", Fraction(3, 8)), (1, 2))
    nodes = (root, Node((0, Fraction(1, 2)), "yes", stop="pure"), below, *leaves)
    assert to_text(Tree(TARGET, (), nodes)) == (
        "size <= 0.375: yes (yes 0.5)\n"
        "size > 0.375\n"
        "|   colour in {red, blue}: no (no 1, yes 1; a tie)\n"
        "|   colour not in {red, blue}: yes (yes 1)\n"
    )


@given(categorical_tables())
def test_there_is_a_line_for_each_branch_and_its_way_is_that_of_the_node(table: Table) -> None:
    tree = ID3().grow(table)
    lines = to_text(tree).splitlines()
    if len(tree.nodes) == 1:
        assert len(lines) == 1
        return
    way: list[str] = []
    for line, number in zip(lines, range(1, len(tree.nodes)), strict=True):
        match = re.fullmatch(r"((?:\|   )*)(\w+) = (\w+)(?:: (\w+) \((.*)\))?", line)
        assert match is not None
        bars, attribute, value, label, _ = match.groups()
        way[len(bars) // 4 :] = [f"{attribute}={value}"]
        assert "/" + "/".join(way) == tree.path(number)
        assert label == (None if tree.nodes[number].test else tree.nodes[number].label)


def test_a_name_cannot_break_its_line() -> None:
    table = Table.from_columns({"a\nb": ["\r1", "2"], "y": ["n\t", "p"]})
    assert to_text(ID3().grow(table)) == "a\\nb = \\r1: n\\t (n\\t 1)\na\\nb = 2: p (p 1)\n"


REGRESSION = """\
ear in {pointy}
|   face in {round}: 8.35 (n 4, sse 5.31)
|   face not in {round}: 9.2 (n 1, sse 0)
ear not in {pointy}
|   age <= 2.5
|   |   face in {round}: 17.6667 (n 3, sse 12.6667)
|   |   face not in {round}: 9.9 (n 2, sse 2.42)
|   age > 2.5: 14.56 (no row; as above)
"""


def test_numbers_are_answered_with_their_error() -> None:
    assert to_text(regression_tree()) == REGRESSION


def test_a_leaf_that_nobody_counted_has_no_brackets() -> None:
    assert to_text(Tree(TARGET, (), (Node((0, 0), "no", stop="unknown"),))) == "no\n"


@pytest.mark.slow
def test_a_chain_of_fifty_thousand_questions() -> None:
    lines = to_text(chain(50_000)).splitlines()
    assert len(lines) == 100_000
    assert lines[2 * DEEPEST] == "|   " * DEEPEST + "x <= 40: no (no 1)"
    assert lines[2 * DEEPEST + 2] == "|   " * DEEPEST + "[41] x <= 41: no (no 1)"
    assert lines[-1] == "|   " * DEEPEST + "[49999] x > 49999: yes (yes 1)"
