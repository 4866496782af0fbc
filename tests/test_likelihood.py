"""Maximum likelihood: N·gain is the rise of the log-likelihood of the classes, exactly, and of a tree the sum of these.

The likelihood is a product of fractions, row by row, and so an oracle that knows neither entropies nor logarithms.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import log
from reference_tree.learners.growing import revisit
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.information_gain import information_gain
from reference_tree.tree import Tree
from tests import strategies
from tests.strategies import Counts, Partition

bases = st.sampled_from([2, math.e])
"""Bits and nats."""


def likelihood(counts: Sequence[int], weights: Sequence[int]) -> Fraction:
    """The probability of a row's class, for all rows multiplied, if the classes are as common as the weights say."""
    return prod((Fraction(w, sum(weights)) ** n for n, w in zip(counts, weights, strict=True) if n), start=Fraction(1))


def of_the_tree(tree: Tree, table: Table) -> Fraction:
    """The same if each row has the distribution of the leaf that it comes to."""
    rows = list(table.rows())
    return prod((Fraction(tree.distribution(row)[str(row["y"])]) for row in rows), start=Fraction(1))


@pytest.mark.covers("N0 EN §2 maximum likelihood")
@given(strategies.counts(), st.data(), bases)
def test_relative_frequencies_make_the_classes_most_likely(counts: Counts, data: st.DataObject, base: Any) -> None:
    """The largest likelihood has the logarithm -n·H, and no other distribution reaches it."""
    assert -sum(counts) * entropy(counts, base) == log(likelihood(counts, counts), base)
    other = data.draw(st.lists(st.integers(1, 40), min_size=len(counts), max_size=len(counts)))
    same = all(n * sum(other) == w * sum(counts) for n, w in zip(counts, other, strict=True))
    assert (likelihood(counts, other) == likelihood(counts, counts)) == same
    assert likelihood(counts, other) <= likelihood(counts, counts)


@given(strategies.partitions(), bases)
def test_the_gain_of_all_rows_is_the_rise_of_the_log_likelihood(table: Partition, base: Any) -> None:
    whole = [sum(column) for column in zip(*table, strict=True)]
    n, before = sum(whole), likelihood(whole, whole)
    after = prod((likelihood(row, row) for row in table), start=Fraction(1))
    assert n * information_gain(table, base) == log(after / before, base)
    assert -n * conditional_entropy(table, base) == log(after, base)


def of_the_groups(table: Table) -> Fraction:
    """The same if rows that are alike have a distribution of their own: what every tree grown to the end comes to."""
    groups: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    for row in table.rows():
        groups[tuple(row[a.name] for a in table.schema.attributes)][str(row["y"])] += 1
    counts = ([group[label] for label in table.schema.target.domain] for group in groups.values())
    return prod((likelihood(group, group) for group in counts), start=Fraction(1))


def gains(tree: Tree, learner: Any, table: Table) -> Any:
    """For each node that asks: how many rows it has, times the gain of its question."""
    decisions = [visit.decision for visit in revisit(tree, learner, table)]
    return sum((sum(one.total) * one.chosen.scores["gain"] for one in decisions if one.chosen is not None), 0)


@pytest.mark.covers("N1 §1.4 maximum likelihood")
@given(strategies.categorical_tables())
def test_id3_takes_the_question_that_raises_the_likelihood_most(table: Table) -> None:
    """Of all stumps; and of a whole tree, the gains of its rows are what the likelihood has risen by."""
    learner, root = rt.ID3(), rt.ID3(max_depth=0).grow(table)
    stumps = {}
    for name in (attribute.name for attribute in table.schema.attributes):
        others = [other.name for other in table.schema.attributes if other.name != name]
        stumps[name] = of_the_tree(rt.ID3(max_depth=1).grow(table.without(others)), table)
    decision = learner.decide(table.sample())
    if max(stumps.values()) > of_the_tree(root, table):
        assert decision.chosen is not None
        assert stumps[decision.chosen.test.attribute] == max(stumps.values())
    tree = learner.grow(table)
    assert of_the_tree(tree, table) == of_the_groups(table)
    assert gains(tree, learner, table) == log(of_the_tree(tree, table) / of_the_tree(root, table))


@pytest.mark.covers("N1 §1.5 maximum likelihood")
@given(strategies.categorical_tables())
def test_a_tree_of_c45_raises_it_by_its_gains_too(table: Table) -> None:
    learner, root = rt.C45.like("li-hang"), rt.C45(max_depth=0).grow(table)
    tree = learner.grow(table)
    assert of_the_tree(tree, table) == of_the_groups(table)
    assert gains(tree, learner, table) == log(of_the_tree(tree, table) / of_the_tree(root, table))


def test_the_largest_ratio_need_not_be_the_largest_likelihood() -> None:
    """So the remark is true of ID3 alone: the question of larger ratio here makes the classes less likely."""
    fine, coarse = [[1, 0]] * 3 + [[0, 1]] * 5, [[3, 1], [0, 4]]
    assert gain_ratio(fine) < gain_ratio(coarse)
    assert prod(likelihood(row, row) for row in fine) == 1 > prod(likelihood(row, row) for row in coarse)
