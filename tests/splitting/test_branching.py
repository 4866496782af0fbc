"""Branchings: what follows from their records, and a branching that is made up here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from reference_tree.conformance.decisions import RULES
from reference_tree.data.textbook import textbook
from reference_tree.learners.cart import CART
from reference_tree.splitting.binary_subsets import all_subsets
from reference_tree.splitting.branching import BranchingName, branchings, of_one_attribute
from tests.every import of_every
from tests.made_up import House


def test_every_branching_of_the_package_is_known_to_type_checkers() -> None:
    assert {*of_one_attribute(), "linear"} == {*branchings()} == {*get_args(BranchingName), "linear"}
    assert {f"branching.{name}" for name in branchings()} <= {*RULES}


@of_every(list(of_one_attribute()))
def test_a_branching_recognises_its_own_questions(name: str) -> None:
    table, rule = textbook("play-tennis"), branchings()[name]
    for attribute in table.schema.attributes:
        for test, found in rule.askings(attribute, table.sample(), all_subsets):
            assert test.kind == rule.kind
            assert sum(map(any, found.rows)) > 1
    assert {one.test.kind for one in CART(branching=name).decide(table.sample()).candidates} == {rule.kind}  # type: ignore[arg-type]


MADE_UP = '''
"""A branching that no book has: the values in their order, cut in two."""

from itertools import accumulate

from reference_tree.splitting.binary_subsets import Side, groupings, partition_of_present, values_of
from reference_tree.splitting.branching import Branching


def in_order(attribute, sample, search):
    """The first values against the others."""
    table = partition_of_present(sample, attribute)
    sides = list(accumulate(values_of(table), Side.joined))
    return groupings(attribute.name, table, sides[:-1])


IN_ORDER = Branching(name="in-order", words="whether its value is one of the first", askings=in_order)
'''

RULES_OF_ROOT = """
import reference_tree as rt
from reference_tree.conformance.decisions import rules_of

learner = rt.CART(branching="in-order")
print(sorted(rule for rule in rules_of(learner.decide(rt.textbook("loan").sample()), learner) if "branching" in rule))
"""


@pytest.mark.slow
def test_a_made_up_branching_is_one_file(tmp_path: Path) -> None:
    house = House.with_module("reference_tree.splitting", MADE_UP, tmp_path)
    asked = {one: ["play-tennis", "--learner", one, "--branching", "in-order"] for one in ("cart", "optimal")}
    grown = [["grow", *options, "-o", f"{learner}.json"] for learner, options in asked.items()]
    audits = [["audit", f"{learner}.json", "play-tennis"] for learner in asked]
    *done, explained, helped = house.commands(*grown, *audits, ["explain", *asked["cart"]], ["grow", "--help"])
    assert [" are right" in one.out for one in done] == [False, False, True, True]
    for learner in asked:
        found = json.loads((tmp_path / f"{learner}.json").read_text(encoding="utf-8"))
        assert found["learner"]["options"]["branching"] == "in-order"
    assert "outlook in {overcast, rainy}" in explained.out
    assert "outlook in {rainy}" not in explained.out
    assert "subset, one-vs-rest, multiway, linear, in-order" in " ".join(helped.out.split()).replace("- ", "-")
    assert house.python(RULES_OF_ROOT) == "['branching.in-order']\n"
