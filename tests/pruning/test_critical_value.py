"""Critical-value pruning: what is left are the questions that reach the critical value, and those above them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.pruning.comparing import ComparedPruning
from reference_tree.pruning.critical_value import CRITICAL_VALUE
from reference_tree.pruning.cutting import cut
from reference_tree.tree import Tree
from tests.every import of_every
from tests.pruning.prunings import small_trees, structure
from tests.strategies import fractions

SCORES = {"gain": information_gain, "gini_decrease": gini_decrease}


def critical_value(tree: Tree, critical: Fraction, measure: str) -> ComparedPruning:
    record = {"critical_value": str(critical), "measure": measure}
    found = CRITICAL_VALUE.perform(tree, record, None, None)
    assert isinstance(found, ComparedPruning)
    return found


@given(small_trees(), st.sampled_from(sorted(SCORES)), fractions(min_value=0, max_value=1, max_denominator=18))
def test_a_node_stays_if_it_or_one_below_it_reaches(tree: Tree, measure: str, critical: Fraction) -> None:
    reach = set[int]()
    for number, node in enumerate(tree.nodes):
        if node.branches and SCORES[measure]([tree.nodes[one].counts for one in node.branches]) >= critical:
            while number >= 0:
                reach.add(number)
                number = tree.parents[number][0]
    lost = [number for number, node in enumerate(tree.nodes) if node.branches and number not in reach]
    found = critical_value(tree, critical, measure)
    assert structure(found.tree) == structure(cut(tree, lost))


def test_the_second_question_of_an_exclusive_or_holds_the_first_one() -> None:
    columns = {"a": ["n", "n", "y", "y"], "b": ["n", "y", "n", "y"], "y": ["p", "q", "q", "p"]}
    tree = rt.ID3().grow(rt.Table.from_columns(columns, target="y"))
    assert structure(rt.prune(tree, "critical-value", critical_value=1)) == structure(tree), "a whole bit reaches 1"
    assert len(rt.prune(tree, "critical-value", critical_value=Fraction(101, 100)).nodes) == 1


@of_every(
    [
        (rt.ID3(), "play-tennis", "gain"),
        (rt.C45(), "golf", "ratio"),
        (rt.CART(), "golf", "gini_decrease"),
        (rt.CART(criterion="twoing"), "golf", "twoing"),
        (rt.CART(criterion="entropy"), "golf", "gain"),
    ]
)
def test_the_measure_is_that_of_growing(learner: Any, data: str, measure: str) -> None:
    tree = learner.grow(rt.textbook(data))
    (record,) = rt.prune(tree, "critical-value", critical_value=0).grower.options["pruning"]
    assert record == {"method": "critical-value", "critical_value": "0", "measure": measure}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "needs the score that a test has to reach: critical_value="),
        ({"critical_value": "much"}, "critical_value: 'much' is not a number"),
        ({"critical_value": 1, "measure": "gane"}, "did you mean gain"),
        ({"critical_value": 1, "alpha": 2}, "alpha is an option of cost-complexity, cost-function, not of"),
        ({"critical_value": 1, "beta": 2}, "beta is no option of critical-value, which has critical_value, measure"),
    ],
)
def test_what_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rt.InputError, match=message):
        rt.prune(rt.CART().grow(rt.textbook("iris")), "critical-value", **options)
