"""All nodes of a level are asked at once, and each row is in one part of it."""

from __future__ import annotations

import sqlite3
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.questions import Threshold
from reference_tree.learners.growing import grow, revisit
from reference_tree.splitting.continuous_bisection import CutSearch, promising_cuts
from reference_tree.stores.engines import Asked
from reference_tree.stores.samples import NESTED, PathPart, numbered
from tests.stores.databases import stored

SEARCH = CutSearch("gini_decrease", minimum=1, gap=0, slack=0, class_weights=None, ties=False)


@given(st.integers(0, 20), st.integers(2, 3 * NESTED))
def test_the_number_of_a_part_is_that_of_the_path_that_a_row_takes(x: int, depth: int) -> None:
    """A chain of thresholds: at depth d the rows with x = d leave it."""
    parts = [
        PathPart((*(Asked("x > ?", (above,)) for above in range(at)), Asked("x <= ?", (at,)))) for at in range(depth)
    ]
    number = numbered(parts)
    ((found,),) = sqlite3.connect(":memory:").execute(
        f"SELECT {number.sql} FROM (SELECT ? AS x)", (*number.parameters, x)
    )
    assert found == (x if x < depth else None)


def test_a_level_is_asked_once_for_each_attribute_and_once_for_its_counts() -> None:
    table = rt.textbook("iris")
    for learner in (rt.CART(), rt.C45()):
        there = stored(table)
        before = there.database.queries
        tree = grow(learner, there)
        levels, asked = tree.depth + 1, there.database.queries - before
        assert asked <= levels * len(table.schema.attributes) + levels + 2, "and twice before the first: sizes, LN"
        assert there.database.fetched < 40 * levels * len(table.schema.attributes)


def test_a_tree_that_is_visited_again_is_asked_by_level_too() -> None:
    there = stored(rt.textbook("golf"))
    tree = rt.C45().grow(there)
    before = there.database.queries
    visits = list(revisit(tree, rt.C45(), there))
    assert there.database.queries - before <= (tree.depth + 1) * (len(there.schema.attributes) + 1)
    assert [visit.decision.total for visit in visits] == [node.counts for node in tree.nodes]


def test_a_sample_may_be_split_by_two_tests() -> None:
    """As an audit does: by the test of the tree, and by the best one. No row is counted in one part alone."""
    table = rt.textbook("iris")
    there, here = stored(table).sample(), table.sample()
    name = "petal length"
    tests = [Threshold(name, Fraction(cut)) for cut in (2, 5)]
    parts, right = ([part for test in tests for part in root.split(test)] for root in (there, here))
    for sample, other in zip(parts, right, strict=True):
        assert sample.total() == other.total()
        assert sample.ordered("petal width") == other.ordered("petal width")
        for cut in promising_cuts(sample, [name], SEARCH):
            assert cut.table == other.partition(cut.test)
