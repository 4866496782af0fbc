"""Rules: exactly one fits each row, and what they say of their coverage is counted in the data."""

from __future__ import annotations

import re
from itertools import islice

import pytest
from hypothesis import given

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.trees.rules import lines, to_rules
from tests.strategies import categorical_tables
from tests.views.chains import chain
from tests.views.regression import regression_tree

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


def test_a_name_cannot_break_its_line() -> None:
    tree = Tree(Attribute("y\n", ("n\r",)), (), (Node((1,), "n\r", stop="pure"),))
    assert to_rules(tree) == "always then y\\n=n\\r (1 of 1)\n"


def test_numbers_have_their_size_and_error() -> None:
    assert to_rules(regression_tree()).splitlines()[1:3] == [
        "if ear in {pointy} and face not in {round} then weight=9.2 (n 1, sse 0)",
        "if ear not in {pointy} and age<=2.5 and face in {round} then weight=17.6667 (n 3, sse 12.6667)",
    ]
    assert to_rules(regression_tree()).endswith("then weight=14.56 (no row)\n")


def test_rules_that_nobody_could_read_are_refused_in_a_line() -> None:
    with pytest.raises(InputError, match="1250075000 conditions"):
        to_rules(chain(50_000))


def test_the_first_rules_of_a_chain_of_fifty_thousand_questions() -> None:
    assert list(islice(lines(chain(50_000)), 3)) == [
        "if x<=0 then y=no (1 of 1)",
        "if x>0 and x<=1 then y=no (1 of 1)",
        "if x>0 and x>1 and x<=2 then y=no (1 of 1)",
    ]
