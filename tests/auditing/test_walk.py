"""The walk: of a spoilt tree the node is named that was spoilt, and no other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing import audit
from reference_tree.data.questions import Multiway, Subset, Threshold
from reference_tree.tree import Grower, Program
from tests.auditing.trees import GROWN, LEFT, SIZES, TABLE, changed, leaf, verdicts
from tests.every import of_every


def test_the_tree_that_is_spoilt_below() -> None:
    assert [node.test.name if node.test else node.label for node in GROWN.nodes] == [
        "x<=3.5", "no", "x<=7.5", "yes", "no",
    ]  # fmt: skip


@of_every([3, Fraction(10, 3), Fraction(399, 100)])
def test_a_threshold_anywhere_in_the_gap_is_right(threshold: Any) -> None:
    assert verdicts(changed(GROWN, 0, test=Threshold("x", threshold))) == {}


@of_every([Fraction(299, 100), 4, 5, 100])
def test_a_threshold_that_moves_a_row_is_named_once(threshold: Any) -> None:
    tree = changed(GROWN, 0, test=Threshold("x", threshold))
    assert verdicts(tree) == {0: ["wrong-threshold"]}
    (wrong,) = audit(tree, TABLE).wrong
    assert wrong.faults[0].message == f"it asks {tree.nodes[0].test.name}, but its branches have the rows of x<=3.5"  # type: ignore[union-attr]


def test_a_threshold_that_is_mended_may_be_bad_as_well() -> None:
    """The rows were divided at 1.5, which is not the best cut, and the tree asks 2.5."""
    tree = rt.CART().grow(TABLE.take([0, 1, 2, 3, 4, 5, 6, 7]))
    other = rt.Tree(tree.target, tree.attributes, (
        replace(tree.nodes[0], test=Threshold("x", Fraction(5, 2)), branches=(1, 2)),
        leaf(replace(tree.nodes[1], counts=(1, 0), label="no")),
        leaf(replace(tree.nodes[2], counts=(3, 4), label="yes")),
    ), tree.grower)  # fmt: skip
    assert verdicts(other) == {0: ["wrong-threshold", "suboptimal"], 2: ["stopped-early"]}


def test_counts_and_labels() -> None:
    assert verdicts(changed(GROWN, LEFT, counts=(4, 0))) == {LEFT: ["wrong-counts"]}
    assert verdicts(changed(GROWN, 0, counts=(5, 4))) == {0: ["wrong-counts"]}
    assert verdicts(changed(GROWN, LEFT, label="yes")) == {LEFT: ["wrong-leaf"]}
    assert verdicts(changed(GROWN, 0, label="yes")) == {}, "four of each class: either is right"


def test_the_error_of_a_branch_is_its_own_fault() -> None:
    tree = rt.CART(max_depth=1).grow(SIZES)
    (w, wy, wyy), table = tree.nodes[1].counts, {"table": SIZES}
    assert verdicts(changed(tree, 1, counts=(w, wy, wyy + 1)), **table) == {1: ["wrong-counts"]}
    assert verdicts(changed(tree, 1, label=0), **table) == {1: ["wrong-leaf"]}
    assert verdicts(changed(tree, 1, counts=(w + 1, wy, wyy)), **table) == {1: ["wrong-counts"]}


def test_another_attribute_is_the_cause_of_what_is_below() -> None:
    tree = changed(GROWN, 0, test=Threshold("z", Fraction(3, 2)))
    found = audit(tree, TABLE).wrong
    assert (found[0].number, found[0].verdict) == (0, "wrong-threshold")
    assert {one.cause for one in found[1:]} == {0}


def test_a_question_that_is_not_the_best_one() -> None:
    tree = rt.CART().grow(TABLE.without(["x"]))
    wrong = {one.number: one for one in audit(tree, TABLE).wrong}
    regret = wrong[0].regret
    assert wrong[0].verdict == "suboptimal"
    assert regret is not None
    gains = {c.test.name: c.score for c in rt.CART().decide(TABLE.sample()).candidates}  # by listing all of them
    assert (regret.best, regret.best_score, regret.weight) == ("x<=3.5", max(gains.values()), 8)
    assert regret.per_row == max(gains.values()) - gains[wrong[0].said]
    assert regret.in_all == 8 * regret.per_row
    assert (regret.rank, regret.among) == (1 + sum(g > gains[wrong[0].said] for g in gains.values()), len(gains))
    assert regret.margin == max(gains.values()) - sorted(set(gains.values()))[-2]


def test_a_leaf_where_no_rule_stops() -> None:
    stump = rt.CART(max_depth=1).grow(TABLE)
    assert verdicts(stump) == {}
    assert verdicts(stump, rt.CART()) == {2: ["stopped-early"]}
    assert verdicts(stump, rt.CART(), pruned=True) == {}
    assert verdicts(stump, rt.CART(), max_leaves=2) == {}
    assert verdicts(stump, rt.CART(), max_leaves=3) == {2: ["stopped-early"]}


def test_a_question_where_a_rule_stops() -> None:
    found = audit(GROWN, TABLE, rt.CART(max_depth=0)).wrong
    assert [(one.number, one.verdict, one.faults[0].rule, one.cause) for one in found] == [
        (0, "split-too-far", "stop.max-depth", None),
        (2, "split-too-far", "stop.max-depth", 0),
    ]


@of_every(
    [
        (Subset("c", ("a", "b")), rt.CART(branching="multiway"), "branching"),
        (Threshold("x", 100), rt.CART(), "candidate"),
        (Threshold("x", Fraction(3, 2)), rt.CART(min_samples_leaf=2), "bound.min-samples-leaf"),
        (Multiway("c", ("a", "b", "c")), rt.CART(), "branching"),
    ]
)
def test_what_may_not_be_asked(test: Any, learner: Any, rule: str) -> None:
    parts = TABLE.sample().split(test)
    below = [rt.Node(part.total(), "no", stop="unknown") for part in parts]
    root = rt.Node((4, 4), "no", test, tuple(range(1, len(parts) + 1)))
    tree = rt.Tree(TABLE.schema.target, TABLE.schema.attributes, (root, *below))
    finding = audit(tree, TABLE, learner).at(0)
    assert (finding.verdict, finding.faults[0].rule) == ("not-a-candidate", rule)


def test_an_attribute_of_c45_that_may_not_compete() -> None:
    """Its ratio may be large, and its gain is below the average."""
    learner = rt.C45()
    table = rt.textbook("watermelon-2.0")
    decision = learner.decide(table.sample())
    below = next(c for c in decision.candidates if c.barred == "average")
    parts = table.sample().split(below.test)
    nodes = [rt.Node(part.total(), "是", stop="unknown") for part in parts]
    root = rt.Node(table.sample().total(), "否", below.test, tuple(range(1, len(parts) + 1)))
    finding = audit(rt.Tree(table.schema.target, table.schema.attributes, (root, *nodes)), table, learner).at(0)
    assert (finding.verdict, finding.faults[0].rule) == ("not-a-candidate", "c45.average")


def test_what_c45_takes_back_in_the_end() -> None:
    learner = rt.C45.like("weka-j48")
    table = rt.textbook("iris")
    whole = rt.C45.like("weka-j48", collapse=rt.programs.c45.release8.kept_whole).grow(table)
    finished = learner.grow(table)
    assert len(whole.nodes) > len(finished.nodes)
    assert verdicts(finished, learner, table=table) == {}
    taken_back = verdicts(replace(whole, grower=Grower()), learner, table=table)
    assert set(map(tuple, taken_back.values())) == {("split-too-far",)}


def test_leaves_that_say_that_they_were_pruned() -> None:
    stump = changed(rt.CART(max_depth=1).grow(TABLE), 2, stop="pruned")
    found = audit(stump, TABLE, rt.CART())
    assert found.is_right
    assert found.assumed == ["leaves that say that they were pruned may be where the learner would split"]


# What is not stated is not judged.


def test_a_program_that_is_silent() -> None:
    silent = Program("a program", silent=frozenset({"counts", "inner-labels"}))
    tree = replace(changed(changed(GROWN, 0, label="maybe"), LEFT, counts=(0, 0)), program=silent)
    assert verdicts(tree) == {}
    found = audit(replace(changed(tree, 0, test=Threshold("x", 5))), TABLE)
    assert found.wrong[0].verdict == "suboptimal"
    assert found.assumed == ["not stated and not judged: the prediction of an inner node",
                             "not stated and not judged: the counts of a node"]  # fmt: skip


def test_counts_of_leaves_alone_are_judged() -> None:
    silent = Program("a program", silent=frozenset({"inner-counts"}))
    nodes = tuple(node if node.test is None else replace(node, counts=(0, 0)) for node in GROWN.nodes)
    tree = replace(GROWN, nodes=nodes, program=silent)
    assert verdicts(tree) == {}
    assert verdicts(changed(tree, LEFT, counts=(4, 0))) == {LEFT: ["wrong-counts"]}


def test_a_tree_without_counts_tells_none() -> None:
    nodes = tuple(replace(node, counts=(0, 0)) for node in GROWN.nodes)
    found = audit(replace(GROWN, nodes=nodes), TABLE)
    assert found.is_right
    assert found.assumed == ["not stated and not judged: the counts of a node"]


@pytest.mark.slow
def test_a_long_chain() -> None:
    """Nothing recurses over the depth of a tree."""
    n = 1200
    table = rt.Table.from_columns({"x": [*range(n)], "y": ["p" if i % 2 else "n" for i in range(n)]})
    nodes: list[rt.Node] = []
    for i in range(n - 1):
        left = n - i
        counts = ((left + (i % 2 == 0)) // 2, (left + (i % 2)) // 2)
        nodes.append(rt.Node(counts, "n", Threshold("x", Fraction(2 * i + 1, 2)), (2 * i + 1, 2 * i + 2)))
        nodes.append(rt.Node((int(i % 2 == 0), i % 2), "p" if i % 2 else "n", stop="pure"))
    last = (n - 1) % 2
    nodes.append(rt.Node((1 - last, last), "p" if last else "n", stop="pure"))
    found = audit(rt.Tree(table.schema.target, table.schema.attributes, tuple(nodes)), table, rt.CART(), ranks=False)
    assert len(found.findings) == 2 * n - 1


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("silent", [{"inner-counts"}, {"counts"}])
def test_a_moved_threshold_is_the_cause_where_inner_nodes_tell_no_counts(silent: set[str]) -> None:
    iris = rt.textbook("iris")
    tree = rt.C45().grow(iris)
    told = replace(tree, program=Program("a program", silent=frozenset(silent)))
    assert rt.audit(told, iris, rt.C45()).is_right
    for number, node in enumerate(tree.nodes):
        if isinstance(node.test, Threshold):
            moved = changed(told, number, test=Threshold(node.test.attribute, node.test.threshold - Fraction(3, 5)))
            wrong = rt.audit(moved, iris, rt.C45(), ranks=False).wrong
            assert [finding.number for finding in wrong if finding.cause is None] == [number]
