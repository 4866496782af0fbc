"""Lines of a tree: the text is as it is printed in the books, and of the rules exactly one fits each row."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Subset, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.trees.text import DEEPEST, rules, to_rules, to_text
from tests.every import of_every
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
ear = pointy
|   face = round: 8.35 (n 4, sse 5.31)
|   face ≠ round: 9.2 (n 1, sse 0)
ear ≠ pointy
|   age <= 2.5
|   |   face = round: 17.6667 (n 3, sse 12.6667)
|   |   face ≠ round: 9.9 (n 2, sse 2.42)
|   age > 2.5: 14.56 (no row; as above)
"""


def test_numbers_are_answered_with_their_error() -> None:
    assert to_text(regression_tree()) == REGRESSION


@of_every(
    [
        (["1234567"] * 2, "1234567 (n 2, sse 0)"),
        (["900009007199254740993"], "900009007199254740993 (n 1, sse 0)"),
        (["0.1234567", "0.1234569"], "0.1234568 (n 2, sse 0.00000000000002)"),
        (["4", "5", "5"], "4.66667 (n 3, sse 0.666667)"),
        (["1234567", "1234567", "1234568"], "1234567.3 (n 3, sse 0.666667)"),
        (["3000000"] * 6 + ["3000001"], "3000000.1 (n 7, sse 0.857143)"),
        (["1"] * 9_998 + ["2"], "1.00010 (n 9999, sse 0.999900)"),
    ]
)
def test_a_number_that_is_rounded_shows_a_decimal(cells: list[str], shown: str) -> None:
    sums = [sum(Fraction(cell) ** power for cell in cells) for power in (1, 2)]
    node = Node((len(cells), *sums), Fraction(sums[0], len(cells)), stop="pure")
    assert to_text(Tree(Attribute("y"), (), (node,))) == f"{shown}\n"


def test_a_leaf_that_nobody_counted_has_no_brackets() -> None:
    assert to_text(Tree(TARGET, (), (Node((0, 0), "no", stop="unknown"),))) == "no\n"


@pytest.mark.slow
def test_a_chain_of_fifty_thousand_questions() -> None:
    lines = to_text(chain(50_000)).splitlines()
    assert len(lines) == 100_000
    assert lines[2 * DEEPEST] == "|   " * DEEPEST + "x <= 40: no (no 1)"
    assert lines[2 * DEEPEST + 2] == "|   " * DEEPEST + "[41] x <= 41: no (no 1)"
    assert lines[-1] == "|   " * DEEPEST + "[49999] x > 49999: yes (yes 1)"


# Rules.


PLAY_TENNIS = """\
if outlook=overcast then play=yes (4 of 4)
if outlook=rainy and wind=strong then play=no (2 of 2)
if outlook=rainy and wind=weak then play=yes (3 of 3)
if outlook=sunny and humidity=high then play=no (3 of 3)
if outlook=sunny and humidity=normal then play=yes (2 of 2)
"""


def test_play_tennis() -> None:
    assert to_rules(ID3().grow(textbook("play-tennis"))) == PLAY_TENNIS


def test_a_single_leaf_always_holds() -> None:
    assert to_rules(ID3(max_depth=0).grow(textbook("play-tennis"))) == "always then play=yes (9 of 14)\n"


@given(categorical_tables())
def test_exactly_one_rule_fits_each_row_and_its_coverage_is_counted(table: Table) -> None:
    rules = []
    for line in to_rules(ID3().grow(table)).splitlines():
        match = re.fullmatch(r"(?:if (.*)|always) then y=(\w+) \((?:(\d+) of (\d+)|no row)\)", line)
        assert match is not None
        conditions = [tuple(part.split("=")) for part in match[1].split(" and ")] if match[1] else []
        rules.append((conditions, match[2], int(match[3] or 0), int(match[4] or 0)))
    rows = list(table.rows())
    fitting = [[all(row[name] == value for name, value in rule[0]) for rule in rules] for row in rows]
    assert all(sum(fits) == 1 for fits in fitting)
    for (_, label, right, covered), fits in zip(rules, zip(*fitting, strict=True), strict=True):
        assert covered == sum(fits)
        assert right == sum(fit and row["y"] == label for fit, row in zip(fits, rows, strict=True))


def test_an_empty_branch_covers_no_row() -> None:
    assert "then 好瓜=是 (no row)" in to_rules(ID3().grow(textbook("watermelon-2.0")))


def test_a_name_cannot_break_its_rule() -> None:
    tree = Tree(Attribute("y\n", ("n\r",)), (), (Node((1,), "n\r", stop="pure"),))
    assert to_rules(tree) == "always then y\\n=n\\r (1 of 1)\n"


def test_numbers_have_their_size_and_error() -> None:
    assert to_rules(regression_tree()).splitlines()[1:3] == [
        "if ear=pointy and face≠round then weight=9.2 (n 1, sse 0)",
        "if ear≠pointy and age<=2.5 and face=round then weight=17.6667 (n 3, sse 12.6667)",
    ]
    assert to_rules(regression_tree()).endswith("then weight=14.56 (no row)\n")


@pytest.mark.slow
def test_rules_that_nobody_could_read_are_refused_in_a_line() -> None:
    with pytest.raises(InputError, match="1250075000 conditions"):
        to_rules(chain(50_000))


@pytest.mark.slow
def test_the_first_rules_of_a_chain_of_fifty_thousand_questions() -> None:
    assert list(islice(rules(chain(50_000)), 3)) == [
        "if x<=0 then y=no (1 of 1)",
        "if x>0 and x<=1 then y=no (1 of 1)",
        "if x>0 and x>1 and x<=2 then y=no (1 of 1)",
    ]
