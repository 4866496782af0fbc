"""A practice says nothing of what it leaves out; bounds that count rows are refused where rows have weights."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import reference_tree as rt
from reference_tree.programs.practice import BOUNDS, PAIRS, Practice, by_rows, error_based

GOLF = rt.textbook("golf")
HALVES = replace(GOLF, weights=[Fraction(1, 2)] * len(GOLF))


def test_a_practice_that_says_nothing_changes_nothing() -> None:
    tree, learner, none = rt.CART().grow(GOLF), rt.CART(), Practice()
    assert none.bounded(learner, tree, {}, GOLF, GOLF) is learner
    assert none.held([tree], {}, GOLF) == (GOLF, "")
    assert not [*none.faults(tree, GOLF, {})]
    assert not none.priors(tree)
    assert not none.costs(tree)
    assert not none.may_be_pruned(tree)
    assert none.printed_options(tree) is None


def test_pairs_are_of_two_bounds_and_a_pruned_tree_has_no_cap() -> None:
    assert len({frozenset(pair) for pair in PAIRS}) == len(PAIRS) == len(BOUNDS) * (len(BOUNDS) - 1) // 2 - 1
    assert ("ccp_alpha", "max_leaf_nodes") not in PAIRS


def test_bounds_on_rows_are_those_on_weights_where_each_row_weighs_one() -> None:
    learner = rt.CART(min_samples_leaf=5)
    assert by_rows(learner, "a program", GOLF) is learner
    assert by_rows(rt.CART(), "a program", HALVES) == rt.CART(min_samples_split=0, min_samples_leaf=0)
    with pytest.raises(rt.InputError, match="a program's min_samples_leaf 5 counts rows, which an audit cannot repeat"):
        by_rows(learner, "a program", HALVES)


def test_a_record_of_a_pruning_can_be_performed() -> None:
    grown = rt.C45.like("weka-j48").grow(GOLF)
    record = error_based("weka-j48", "normal", "1/4", raising=True)
    assert rt.prune(grown, "error-based", GOLF, profile="weka-j48").grower.options["pruning"] == [record]
