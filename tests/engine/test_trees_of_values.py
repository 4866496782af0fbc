"""Trees of values: the tree is the book's, node by node, whatever ties, weighs or stops."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.engine.trees_of_values import grown
from reference_tree.learners.c45 import C45
from reference_tree.learners.growing import grow, grown_below
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Place, Ties
from reference_tree.tree import Node, Tree
from reference_tree.twins import by_the_book
from tests import strategies
from tests.engine.test_store import stored
from tests.every import of_every
from tools.benchmarks.generated import categorical


def plain(table: Table, learner: ID3) -> Tree:
    with by_the_book():
        return learner.grow(table)


def walked(table: Table, learner: Any) -> list[Node] | None:
    """What the walk gives, if it takes the learner and the rows."""
    sample = stored(table)
    return grown(learner, sample, Place.root(sample))


def assert_the_same(table: Table, learner: ID3) -> None:
    expected = plain(table, learner)
    assert learner.grow(table) == expected
    found = walked(table, learner)
    assert found is None or tuple(found) == expected.nodes


learners = st.builds(
    ID3,
    epsilon=st.sampled_from([0, 0, 0, 0.5]),
    max_depth=st.sampled_from([None, None, 0, 1, 2]),
    min_samples_split=st.sampled_from([0, 3, Fraction(5, 2)]),
    min_samples_leaf=st.sampled_from([0, 0, 1, 2]),
)


@given(strategies.columns(rows=16, values=4, classes=4), learners)
def test_rows_that_weigh_alike(columns: dict[str, list[Any]], learner: ID3) -> None:
    assert_the_same(Table.from_columns(columns), learner)


@given(
    strategies.columns(rows=16, values=4, classes=4),
    st.sampled_from([strategies.weights, st.integers(1, 10**30), st.sampled_from([0.1, 1.5]), st.just(Fraction(2, 3))]),
    learners,
    st.data(),
)
def test_rows_of_all_weights(columns: dict[str, list[Any]], weights: Any, learner: ID3, data: st.DataObject) -> None:
    size = len(columns["y"])
    drawn = data.draw(st.lists(weights, min_size=size, max_size=size))
    assert_the_same(Table.from_columns({**columns, "w": drawn}, target="y", weights="w"), learner)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "values", "classes"), [(400, 4, 2), (400, 3, 40), (60, 40, 3), (300, 2, 2)])
def test_larger_tables(rows: int, values: int, classes: int) -> None:
    case = categorical(rows, attributes=6, values=values, classes=classes)
    table = case.table()
    assert walked(table, ID3()) is not None
    assert_the_same(table, ID3())
    for whole in (True, False):
        assert_the_same(case.weighing(whole).table(), ID3())


@of_every([ID3(epsilon=1), ID3(min_samples_leaf=2), ID3(ties=Ties({"/": "outlook"})), C45()])
def test_others_are_left_to_the_book(learner: Any) -> None:
    assert walked(textbook("play-tennis"), learner) is None


def test_rows_of_another_kind_are_left_to_the_book() -> None:
    assert walked(textbook("golf"), ID3()) is None
    gaps = Table.from_columns({"a": ["p", None, "q"], "y": ["n", "y", "n"]})
    assert walked(gaps, ID3()) is None
    with pytest.raises(InputError, match="has missing values"):
        ID3().grow(gaps)
    with by_the_book():
        sample = textbook("play-tennis").sample()
    assert grown(ID3(), sample, Place.root(sample)) is None


def test_a_place_below_the_root() -> None:
    """The depth, the attributes that are left and the answer above come with the place."""
    table = textbook("play-tennis")
    for path, depth in (((0,), 1), ((1,), 2), ((2, 0), 2)):
        sample: Sample = stored(table)
        place = Place.root(sample)
        for branch in path:
            decision = ID3().decide(sample, place)
            assert decision.chosen is not None
            place, sample = place.children(sample, decision.chosen.test, decision.answer)[branch]
        learner = ID3(max_depth=depth)
        nodes = grown(learner, sample, place)
        assert nodes is not None
        with by_the_book():
            assert grown_below(learner, sample, place).nodes == tuple(nodes)


def test_no_row_at_all() -> None:
    """A place that no row reaches says what the node above says."""
    sample = stored(Table.from_columns({"a": list("ppqq"), "y": list("nnny")}))
    decision = ID3().decide(sample)
    assert decision.chosen is not None
    place, part = Place.root(sample).children(sample, decision.chosen.test, decision.answer)[0]
    nothing = part.split(decision.chosen.test)[1]
    assert grown(ID3(), nothing, place) == [Node((0, 0), "n", stop="empty", prior=True)]


@pytest.mark.slow
def test_progress_is_told_of_every_node() -> None:
    table, counts, expected = categorical(200).table(), list[int](), list[int]()
    grow(ID3(), table, counts.append)
    with by_the_book():
        grow(ID3(), table, expected.append)
    assert counts == expected == list(range(1, len(expected) + 1))


def test_leaves_that_are_alike_are_one() -> None:
    nodes = ID3().grow(categorical(300, values=9).table()).nodes
    leaves = [node for node in nodes if node.test is None]
    assert any(leaf.stop == "empty" for leaf in leaves)
    assert len({id(leaf) for leaf in leaves if leaf.stop in ("empty", "pure")}) < len(leaves) / 5
