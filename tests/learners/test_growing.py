"""Growing: preorder without recursion, and the same decisions met again."""

from __future__ import annotations

import inspect
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway, Threshold
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.growing import grow, revisit
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import path_text
from reference_tree.programs.c45.release8 import kept_whole
from reference_tree.tree import Tree
from tests import strategies


@pytest.mark.covers(
    "N0 EN §3.1 step (5)",
    "N4 Putting it together: step 1",
    "N4 Putting it together: step 3",
    "N3 ID3 algorithm: step 3",
)
def test_play_tennis_node_by_node() -> None:
    tree = grow(ID3(), textbook("play-tennis"))
    assert [(tree.path(number), node.label, node.counts, node.stop) for number, node in enumerate(tree.nodes)] == [
        ("/", "yes", (5, 9), None),
        ("/outlook=overcast", "yes", (0, 4), "pure"),
        ("/outlook=rainy", "yes", (2, 3), None),
        ("/outlook=rainy/wind=strong", "no", (2, 0), "pure"),
        ("/outlook=rainy/wind=weak", "yes", (0, 3), "pure"),
        ("/outlook=sunny", "no", (3, 2), None),
        ("/outlook=sunny/humidity=high", "no", (3, 0), "pure"),
        ("/outlook=sunny/humidity=normal", "yes", (0, 2), "pure"),
    ]


@given(strategies.categorical_tables())
def test_nodes_are_in_preorder(table: Table) -> None:
    """A child stands behind its parent, and all of its subtree before the next child."""
    tree = grow(ID3(), table)
    ends = list(range(1, len(tree.nodes) + 1))  # the end of each subtree
    for number in reversed(range(len(tree.nodes))):
        if branches := tree.nodes[number].branches:
            assert branches == (number + 1, *(ends[below] for below in branches[:-1]))
            ends[number] = ends[branches[-1]]
    assert ends[0] == len(tree.nodes)


@given(strategies.categorical_tables())
def test_a_tree_met_again_decides_as_before(table: Table) -> None:
    learner = ID3()
    tree = learner.grow(table)
    visits = list(revisit(tree, learner, table))
    assert [visit.number for visit in visits] == list(range(len(tree.nodes)))
    for visit in visits:
        node = tree.nodes[visit.number]
        assert visit.sample.total() == node.counts == visit.decision.total
        assert path_text(visit.place) == tree.path(visit.number)
        assert visit.place.depth == tree.depths()[visit.number]
        assert visit.decision.stop == node.stop


LEARNERS: list[ID3 | C45 | CART] = [
    C45(),
    C45.like("weka-j48", collapse=kept_whole),
    CART(),
    CART(missing="better-side"),
    CART(criterion="entropy", branching="multiway", missing="fractions"),
    CART(priors={"no": 1, "yes": 4, "maybe": 1}),
    CART(loss={"no": {"yes": 9}, "yes": {"maybe": 2}}),
]


def assert_asked_at_each_node(learner: ID3 | C45 | CART, table: Table) -> None:
    """Growing asks once for all leaves that get the same rows, below the same answer; here it is asked for each."""
    tree = learner.grow(table)
    for visit in revisit(tree, learner, table):
        node, decision, answer = tree.nodes[visit.number], visit.decision, visit.decision.answer
        assert (node.counts, node.label, node.stop) == (decision.total, answer.label, decision.stop)
        assert (node.tied, node.prior, node.missing) == (answer.tied, answer.prior, decision.missing)


@pytest.mark.covers("N2 §1 recursion", "N2 §2.1 step 7", "N4 Decision tree learning", "N4 Putting it together")
@given(strategies.categorical_tables())
def test_every_leaf_is_what_id3_says_of_it(table: Table) -> None:
    assert_asked_at_each_node(ID3(), table)


@pytest.mark.one_in(3, 9)
@pytest.mark.parametrize("learner", LEARNERS, ids=map(str, range(len(LEARNERS))))
@given(strategies.mixed_tables())
def test_every_leaf_is_what_the_learner_says_of_it(learner: C45 | CART, table: Table) -> None:
    if table.schema.target.domain == ("maybe", "no", "yes") or learner in LEARNERS[:5]:
        assert_asked_at_each_node(learner, table)


@given(strategies.mixed_tables(), st.sampled_from(["squared_error", "absolute_error"]))
def test_every_number_is_what_the_learner_says_of_it(table: Table, criterion: Any) -> None:
    if any(value is not None for value in table.columns["size"]):
        assert_asked_at_each_node(CART(criterion=criterion), table.predicting("size"))


def test_the_learner_is_asked_at_the_nodes_of_somebody_elses_tree() -> None:
    """A tree that asks for wind first: what ID3 would do at its root, and below."""
    table = textbook("play-tennis")
    wind = Multiway.on(table.schema.attribute("wind"))
    tree = ID3(max_depth=1).grow(table)
    other = replace(tree, nodes=(replace(tree.nodes[0], test=wind, branches=(1, 2)), *tree.nodes[1:3]))
    visits = list(revisit(other, ID3(), table))
    chosen = [visit.decision.chosen.test.attribute for visit in visits if visit.decision.chosen]
    assert chosen == ["outlook", "outlook", "outlook"]
    assert [visit.sample.total() for visit in visits] == [(5, 9), (3, 3), (2, 6)]


def test_a_tree_of_another_table_is_refused() -> None:
    table = textbook("play-tennis")
    tree = ID3().grow(table)
    with pytest.raises(InputError, match="it predicts play, and the target here is 好瓜"):
        list(revisit(tree, ID3(), textbook("watermelon-2.0")))
    columns = {"outlook": ["sunny"] * 2, "wind": ["weak"] * 2, "humidity": ["high"] * 2, "play": ["no", "yes"]}
    with pytest.raises(InputError, match="another attribute in this table"):
        list(revisit(tree, ID3(), Table.from_columns(columns)))
    with pytest.raises(InputError, match="there is no attribute 'outlook'"):
        list(revisit(tree, ID3(), table.without(["outlook"])))
    threshold = replace(tree, nodes=(replace(tree.nodes[0], test=Threshold("outlook", 1)), *tree.nodes[1:]))
    with pytest.raises(InputError, match="another attribute in this table"):
        list(revisit(threshold, ID3(), table))


def test_classes_in_another_order_are_refused() -> None:
    """Counts are by position: with another order of classes they would be those of other classes."""
    table = textbook("play-tennis")
    tree = ID3().grow(table)
    turned = replace(table, schema=replace(table.schema, target=replace(table.schema.target, values=("yes", "no"))))
    with pytest.raises(InputError, match="its classes are no, yes, and here yes, no in another order"):
        list(revisit(tree, ID3(), turned))
    one_class = Table.from_columns({"outlook": ["sunny"], "play": ["no"]})
    with pytest.raises(InputError, match="its classes are no, yes, and here no"):
        list(revisit(tree, ID3(), one_class))


def test_a_target_of_another_kind_is_refused_with_the_way_to_read_it() -> None:
    class OfNumbers(CART):
        predicts = frozenset({"continuous"})

    with pytest.raises(InputError, match="the target y is continuous, and this learner predicts classes; say categ"):
        grow(C45(), Table.from_columns({"a": list("pq"), "y": [1, 2]}))
    with pytest.raises(InputError, match="the target y is categorical, and this learner predicts numbers; say cont"):
        grow(OfNumbers(), Table.from_columns({"a": list("pq"), "y": list("ny")}))


def test_a_continuous_target_is_refused() -> None:
    table = Table.from_columns({"a": ["x", "y"], "y": [1, 2]})
    for act in (lambda: grow(ID3(), table), lambda: list(revisit(Tree(table.schema.target, (), ()), ID3(), table))):
        with pytest.raises(InputError, match="the target y is continuous"):
            act()


@pytest.mark.slow
def test_a_chain_of_three_hundred_nodes_is_grown_without_recursion() -> None:
    """Each attribute is 1 for one row alone, and classes alternate, so each question splits off one row."""
    size = 300
    columns = {f"a{k:03}": ["1" if row == k else "0" for row in range(size)] for k in range(size)}
    classes = ["odd" if row % 2 else "even" for row in range(size)]
    table = Table.from_columns({**columns, "y": classes}, categorical="*")
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(len(inspect.stack()) + 100)
        tree = ID3().grow(table)
        tree.check(table)
        visits = sum(1 for _ in revisit(tree, ID3(max_depth=0), table))
    finally:
        sys.setrecursionlimit(limit)
    assert max(tree.depths()) == size // 2  # deeper than the frames that were left
    assert visits == len(tree.nodes) == size + 1


def test_only_leaves_that_do_not_depend_on_their_place_are_used_again() -> None:
    """Two rows of two classes arrive twice: once nothing tells them apart, once `b` does."""
    table = Table.from_columns({"a": [*"ppqqrrrrr"], "b": [*"ssstsssss"], "y": [*"nynynnnnn"]})
    tree = ID3().grow(table)
    assert tree.nodes[tree.find("/a=p")].stop == "no-candidates"
    assert tree.nodes[tree.find("/a=q")].test == Multiway("b", ("s", "t"))
    assert_asked_at_each_node(ID3(), table)


def test_an_empty_leaf_answers_what_is_above_it() -> None:
    """The same rows arrive at both empty leaves, namely none; but above the one it is no, above the other yes."""
    table = Table.from_columns({"a": [*"ppppppqqqqqq"], "b": [*"ssssstsssssu"], "y": [*"nnnnnyyyyyyn"]})
    tree = ID3().grow(table)
    assert [tree.nodes[tree.find(path)].label for path in ("/a=p/b=u", "/a=q/b=t")] == ["n", "y"]
    assert_asked_at_each_node(ID3(), table)
