"""Minimum-error pruning: the least expected error of all prunings, and the two estimates where they meet."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.pruning.comparing import ComparedPruning
from reference_tree.pruning.minimum_error import MINIMUM_ERROR, laplace_error, m_error
from reference_tree.selection.holdout import divided
from reference_tree.tree import Tree
from tests.pruning.prunings import prunings, small_trees, structure
from tests.strategies import fractions


def minimum_error(tree: Tree, **record: str) -> ComparedPruning:
    found = MINIMUM_ERROR.perform(tree, record, None, None)
    assert isinstance(found, ComparedPruning)
    return found


def expected_error(tree: Tree, m: Fraction | None) -> Fraction:
    """Of a row like those of the sample: the errors that the leaves expect, each by its share."""
    whole = [Fraction(count) for count in tree.nodes[0].counts]
    added = Fraction(sum(1 for count in whole if count)) if m is None else m
    found = Fraction(0)
    for leaf in (tree.nodes[number] for number in tree.leaves()):
        n = Fraction(leaf.weight)
        if n:
            place = tree.target.domain.index(str(leaf.label))
            prior = 1 / added if m is None else whole[place] / sum(whole)
            found += n / sum(whole) * (1 - (leaf.counts[place] + prior * added) / (n + added))
    return found


amounts = st.none() | fractions(min_value=0, max_value=9, max_denominator=4)


@given(small_trees(most=400), amounts)
def test_no_pruning_expects_less_and_none_that_expects_as_little_is_smaller(tree: Tree, m: Fraction | None) -> None:
    found = minimum_error(tree, **({} if m is None else {"m": str(m)})).tree
    expected = min((expected_error(one, m), len(one.nodes)) for one in prunings(tree))
    assert (expected_error(found, m), len(found.nodes)) == expected


@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 6))
def test_laplace_is_the_m_estimate_with_equal_priors_and_a_row_for_each_class(wrong: int, right: int, k: int) -> None:
    assert laplace_error(wrong + right, right, k) == m_error(wrong + right, right, Fraction(1, k), Fraction(k))


def test_by_hand() -> None:
    """Two of five wrong: (5 − 3 + 1)/7; below, leaves of 2 and 3 rows: 2/5·1/4 + 3/5·1/5."""
    rainy, sunny, root = minimum_error(rt.ID3().grow(rt.textbook("play-tennis"))).decisions
    assert (rainy.leaf, rainy.subtree) == (sunny.leaf, sunny.subtree) == (Fraction(3, 7), Fraction(11, 50))
    assert (root.leaf, root.subtree) == (Fraction(3, 8), Fraction(43, 210))


def test_without_rows_of_the_prior_it_is_the_share_of_the_mistakes() -> None:
    melons = rt.C45().grow(rt.textbook("watermelon-2.0"))
    assert any(not node.weight for node in melons.nodes)
    assert minimum_error(melons, m="0").decisions[-1].leaf == Fraction(8, 17)
    assert m_error(5, 3, Fraction(1, 2), 0) == Fraction(2, 5)


def test_a_declared_class_that_no_row_has_is_not_counted() -> None:
    iris = rt.textbook("iris")
    table = divided(iris, [row for row, one in enumerate(iris.rows()) if one["species"] == "setosa"]).training
    assert len(table.schema.target.domain) == 3
    assert minimum_error(rt.CART().grow(table)).decisions[-1].leaf == Fraction(100 - 50 + 2 - 1, 100 + 2)


@pytest.mark.parametrize(("options", "message"), [({"m": -1}, "number from 0, not -1"), ({"m": "x"}, "m: 'x' is not")])
def test_what_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rt.InputError, match=message):
        rt.prune(rt.CART().grow(rt.textbook("iris")), "minimum-error", **options)


def test_a_pruned_tree_is_a_fixed_point() -> None:
    once = minimum_error(rt.CART().grow(rt.textbook("iris"))).tree
    assert structure(minimum_error(once).tree) == structure(once)
