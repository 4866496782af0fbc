"""Audits: trees that a learner grew are right; of a spoilt one the node is named that was spoilt, and no other."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.auditing import audit
from reference_tree.data.questions import Multiway, Subset, Threshold
from reference_tree.ensembles.derivatives import given as given_derivatives
from reference_tree.learners.decision import Learner
from reference_tree.tree import Grower, Program, Tree
from reference_tree.tree_document import from_json, to_json
from tests import strategies
from tests.auditing.trees import SIZES, TABLE, changed, leaf
from tests.programs import test_j48_trees, test_rpart_trees, test_simple_cart_trees
from tests.programs.conforming import table_of
from tests.programs.recordings import Recording

LEARNERS: dict[str, Any] = {
    "id3": rt.ID3(),
    "id3 zhou": rt.ID3.like("zhou"),
    "c45": rt.C45(),
    "c45 li-hang": rt.C45.like("li-hang", epsilon=Fraction(1, 10)),
    "c45-r8": rt.C45.like("c45-r8"),
    "weka-j48": rt.C45.like("weka-j48"),
    "cart": rt.CART(),
    "cart multiway": rt.CART(branching="multiway", missing="fractions"),
    "cart one-vs-rest": rt.CART(branching="one-vs-rest", criterion="entropy", max_depth=2),
    "cart linear": rt.CART(branching="linear"),
    "cart priors": rt.CART(loss={"no": {"yes": 3}}),
    "rpart": rt.CART.like("rpart", min_samples_split=2, min_samples_leaf=1),
    "scikit-learn": rt.CART.like("scikit-learn", min_samples_leaf=2),
    "optimal": rt.Optimal(max_depth=2),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_what_a_learner_grew_is_right(name: str) -> None:
    table = TABLE.without(["x", "z"]) if name == "id3" else TABLE
    tree = LEARNERS[name].grow(table)
    found = audit(from_json(to_json(tree)), table)
    assert found.is_right, found.wrong[0]
    assert len(found.findings) == len(tree.nodes)


@pytest.mark.parametrize("criterion", ["squared_error", "variance_n_minus_1", "absolute_error"])
def test_so_is_a_tree_of_numbers(criterion: str) -> None:
    found = audit(rt.CART(criterion=criterion).grow(SIZES), SIZES)
    assert found.is_right, found.wrong[0]


@given(strategies.categorical_tables(), st.sampled_from([rt.ID3(), rt.C45(), rt.CART(), rt.CART(criterion="entropy")]))
def test_any_tree_that_a_learner_grew_is_right(table: rt.Table, learner: Any) -> None:
    found = audit(learner.grow(table), table)
    assert found.is_right, found.wrong[0]


ENSEMBLES: dict[str, Any] = {
    "bagging": rt.Bagging(base=rt.CART(), trees=3, seed=1),
    "forest": rt.RandomForest(trees=3, seed=1),
    "adaboost": rt.AdaBoost(trees=3),
}


@pytest.mark.parametrize("name", ENSEMBLES)
def test_an_ensemble_is_audited_tree_by_tree(name: str) -> None:
    ensemble = ENSEMBLES[name].grow(TABLE)
    found = audit(ensemble, TABLE)
    assert found.is_right, found.wrong[0]
    assert [finding.tree for finding in found.findings if finding.number == 0] == [*range(len(ensemble.members))]
    if name == "adaboost":  # what the next trees are grown from depends on the trees before
        return
    spoilt = ensemble.members[1]._replace(tree=changed(ensemble.members[1].tree, 0, label="maybe"))
    wrong = audit(replace(ensemble, members=(ensemble.members[0], spoilt)), TABLE).wrong
    assert [(finding.tree, finding.number, finding.verdict) for finding in wrong] == [(1, 0, "wrong-leaf")]


def test_gradient_boosting_by_squared_error_is_audited_exactly() -> None:
    ensemble = rt.GradientBoosting(trees=3).grow(SIZES)
    found = audit(ensemble, SIZES)
    assert found.is_right, found.wrong[0]


def test_a_tree_that_was_fitted_to_given_derivatives() -> None:
    """Derivatives that are exact numbers have exact gains; another threshold, or another value of a leaf, is named."""
    columns = {"x": [1, 2, 3, 4, 5, 6], "g": [-1, -1, 2, 1, 3, -2], "h": [1, 1, 1, 2, 1, 1], "y": [0] * 6}
    data: Any = given_derivatives(rt.Table.from_columns(columns), "g", "h")
    tree = rt.GradientTree(reg_lambda=1, max_depth=2, rate=1).grow(data)
    assert len(tree.nodes) > 3
    assert verdicts(tree, table=data) == {}
    test = tree.nodes[0].test
    assert isinstance(test, Threshold)
    spoilt = changed(tree, 0, test=Threshold(test.attribute, test.threshold + 1))
    assert verdicts(spoilt, table=data) == {0: ["wrong-threshold"]}
    last = len(tree.nodes) - 1
    assert verdicts(changed(tree, last, label=Fraction(1, 3)), table=data) == {last: ["wrong-leaf"]}


RECORDED: list[tuple[Recording, Any, Any]] = [
    *((one, test_j48_trees.learner_of(one), table_of) for one in test_j48_trees.J48_TREES),
    *((one, test_rpart_trees.learner_of(one), test_rpart_trees.known_rows) for one in test_rpart_trees.RPART_TREES),
    *(
        (one, rt.CART.like("cart-1984", **test_simple_cart_trees.SETTINGS), table_of)
        for one in test_simple_cart_trees.SIMPLE_CART_TREES
        if one.data not in test_simple_cart_trees.UNLIKE_NODES
    ),
]
QUICK = ("weather", "contact", "iris", "labor", "wine", "glass", "cars", "cpu")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("recording", "learner", "rows"),
    [
        pytest.param(*one, id=one[0].name, marks=() if one[0].data.startswith(QUICK) else pytest.mark.slow)
        for one in RECORDED
    ],
)
def test_trees_of_other_programs_are_right(recording: Recording, learner: Learner, rows: Any) -> None:
    """Fractions of a row are rounded there; and rpart prunes as it grows, if its complexity parameter says so."""
    tree = replace(from_json(recording.text()), program=Program(recording.program))
    pruned = recording.setting in test_rpart_trees.PRUNED
    found = audit(tree, rows(recording), learner, pruned=pruned)
    assert found.is_right, found.wrong[0]


# What can be wrong.

GROWN = rt.CART().grow(TABLE)
RIGHT, LEFT = 2, 1
"""The nodes below the root: of x<=3.5 the left one is pure."""


def verdicts(tree: Tree, learner: Any = None, **options: Any) -> dict[int, list[str]]:
    """What is wrong at which node."""
    found = audit(tree, options.pop("table", TABLE), learner, **options).findings
    return {one.number: [fault.verdict for fault in one.faults] for one in found if one.faults and not one.excused}


def test_the_tree_that_is_spoilt_below() -> None:
    assert [node.test.name if node.test else node.label for node in GROWN.nodes] == [
        "x<=3.5", "no", "x<=7.5", "yes", "no",
    ]  # fmt: skip


@pytest.mark.parametrize("threshold", [3, Fraction(10, 3), Fraction(399, 100)])
def test_a_threshold_anywhere_in_the_gap_is_right(threshold: Any) -> None:
    assert verdicts(changed(GROWN, 0, test=Threshold("x", threshold))) == {}


@pytest.mark.parametrize("threshold", [Fraction(299, 100), 4, 5, 100])
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


@pytest.mark.parametrize(
    ("test", "learner", "rule"),
    [
        (Subset("c", ("a", "b")), rt.CART(branching="multiway"), "branching"),
        (Threshold("x", 100), rt.CART(), "candidate"),
        (Threshold("x", Fraction(3, 2)), rt.CART(min_samples_leaf=2), "bound.min-samples-leaf"),
        (Multiway("c", ("a", "b", "c")), rt.CART(), "branching"),
    ],
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
    assert (finding.verdict, finding.faults[0].rule) == ("suboptimal", "c45.average")


def test_what_c45_takes_back_in_the_end() -> None:
    learner = rt.C45.like("weka-j48")
    table = rt.textbook("iris")
    whole = rt.C45.like("weka-j48", collapse=rt.dialects.collapsing.kept_whole).grow(table)
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


# What is not told is not judged.


def test_a_program_that_is_silent() -> None:
    silent = Program("a program", silent=frozenset({"counts", "inner-labels"}))
    tree = replace(changed(changed(GROWN, 0, label="maybe"), LEFT, counts=(0, 0)), program=silent)
    assert verdicts(tree) == {}
    found = audit(replace(changed(tree, 0, test=Threshold("x", 5))), TABLE)
    assert found.wrong[0].verdict == "suboptimal"
    assert found.assumed == ["not told and not judged: what a node answers that asks",
                             "not told and not judged: what reaches a node"]  # fmt: skip


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
    assert found.assumed == ["not told and not judged: what reaches a node"]


def test_what_is_refused() -> None:
    with pytest.raises(rt.InputError, match="does not say which learner grew it"):
        audit(replace(GROWN, grower=Grower()), TABLE)
    turned = rt.Table.from_columns({**{n: [*c] for n, c in TABLE.columns.items()}, "y": [*"nnnyyyyn"]})
    with pytest.raises(rt.InputError, match="its classes are no, yes, and here n, y"):
        audit(GROWN, turned)
    target = rt.Attribute("y", ("yes", "no"))
    other = replace(TABLE, schema=replace(TABLE.schema, target=target))
    with pytest.raises(rt.InputError, match="its classes are no, yes, and here yes, no in another order"):
        audit(GROWN, other)
    with pytest.raises(rt.InputError, match="is another attribute in this table"):
        list(audit(changed(GROWN, 0, test=Subset("x", ("a",))), TABLE))
    with pytest.raises(rt.InputError, match="at least one leaf, and the cap is 0"):
        audit(GROWN, TABLE, max_leaves=0)
    (boosted,) = rt.read_foreign('[{"nodeid": 0, "leaf": 0.5}]', target="y")
    with pytest.raises(rt.InputError, match="fitted to what the trees before it left undone"):
        audit(rt.predictor_from_json(json.dumps(boosted)), SIZES, rt.CART())
    with pytest.raises(rt.InputError, match="there is no node 99"):
        audit(GROWN, TABLE).at(99)


def test_one_node_is_judged_as_among_all() -> None:
    found = audit(GROWN, TABLE)
    assert [found.at(number) for number in range(5)] == list(found.findings)


def test_the_summary() -> None:
    assert str(audit(GROWN, TABLE)) == "5 nodes are right; cart"
    assert str(audit(GROWN, TABLE, rt.CART(max_depth=0))) == (
        "1 of 5 nodes is wrong, from which 1 follow; cart, max_depth 0"
    )


@pytest.mark.slow
def test_a_long_chain() -> None:
    """Nothing recurses over the depth of a tree."""
    n = 3000
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
