"""Invariants: no tree that is wrong in any respect passes for that of its table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Coordinate, Linear, Missing, Multiway, Subset, Surrogate, Threshold
from reference_tree.data.readers import read
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.invariants import check_nodes, faults_of_missing
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.growing import revisit
from reference_tree.learners.id3 import ID3
from reference_tree.node import Deviations, Node, TreeError
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json
from tests import strategies
from tests.every import of_every
from tests.peers.data_sets import FOLDER
from tests.peers.recordings import RECORDINGS, Recording
from tests.strategies import fractions
from tests.test_tree import COLOUR, PLAY, STUMP_TABLE, TREE, chain, stump


def wrong_nodes(tree: Tree) -> Iterator[tuple[str, Tree]]:
    """Trees that differ from a good one in one node, in one respect."""

    def changed(number: int, **changes: Any) -> Tree:
        nodes = list(tree.nodes)
        nodes[number] = replace(nodes[number], **changes)
        return replace(tree, nodes=tuple(nodes))

    classes = tree.target.domain
    for number, node in enumerate(tree.nodes):
        first, *rest = node.counts
        yield f"counts of {number}", changed(number, counts=(first + 1, *rest))
        yield f"counts of {number}, half a row", changed(number, counts=(first + Fraction(1, 2), *rest))
        yield f"prior of {number}", changed(number, prior=not node.prior)
        if node.counts[::-1] != node.counts:
            yield f"counts of {number}, turned", changed(number, counts=node.counts[::-1])
        for label in classes:
            if label != node.label and label not in node.tied:
                yield f"label of {number}", changed(number, label=label)
        yield f"tie of {number}", changed(number, tied=() if node.tied else classes)
        if node.test is None:
            for stop in {"pure", "empty", None} - {node.stop}:
                yield f"reason of {number}", changed(number, stop=stop)
            yield f"leaf {number} with a question", changed(number, test=Multiway(tree.attributes[0].name, ("x",)))
            yield f"leaf {number} with branches", changed(number, branches=(number + 1,))
        else:
            yield f"reason of {number}", changed(number, stop="pure")
            yield f"no question at {number}", changed(number, test=None)
            yield f"branches of {number}, turned", changed(number, branches=node.branches[::-1])
            yield f"a branch of {number} less", changed(number, branches=node.branches[:-1])
            yield f"a branch of {number} twice", changed(number, branches=(*node.branches[:-1], node.branches[0]))
            yield f"{number} leads to itself", changed(number, branches=(number, *node.branches[1:]))
            yield f"{number} leads nowhere", changed(number, branches=(*node.branches[:-1], len(tree.nodes)))
            yield f"{number} leads back", changed(number, branches=(*node.branches[:-1], -1))
            assert isinstance(node.test, Multiway)
            values = node.test.values
            yield f"outcomes of {number}, turned", changed(number, test=replace(node.test, values=values[::-1]))
            fewer = replace(node.test, values=values[:-1])
            yield f"an outcome of {number} less", changed(number, test=fewer)
            yield f"an attribute of {number} that is none", changed(number, test=replace(node.test, attribute="?"))
            yield f"a number asked at {number}", changed(number, test=Threshold(node.test.attribute, 1))
            for attribute in tree.attributes:
                if attribute.name != node.test.attribute and len(attribute.domain) != len(values):
                    yield f"another question at {number}", changed(number, test=Multiway.on(attribute))
        if node.test is not None:
            shares = [Fraction(1, len(node.branches))] * len(node.branches)
            yield (
                f"shares of {number}",
                changed(number, missing=Missing((*shares[:-2], shares[0] / 2, shares[0] * 3 / 2))),
            )
            yield f"a share of {number} less", changed(number, missing=Missing((Fraction(1),)))
    yield "a node less", replace(tree, nodes=tree.nodes[:-1])
    yield "a node more", replace(tree, nodes=(*tree.nodes, tree.nodes[-1]))
    yield "no node", replace(tree, nodes=())
    yield "classes turned", replace(tree, target=replace(tree.target, values=classes[::-1]))
    yield "another target", replace(tree, target=replace(tree.target, name="?"))


@of_every(list(wrong_nodes(TREE)))
def test_no_wrong_tree_passes(named: tuple[str, Tree]) -> None:
    _, wrong = named
    with pytest.raises(TreeError, match=r"^(the tree predicts|node \d+|node -1)"):
        wrong.check(PLAY)


def test_no_wrong_tree_with_empty_leaves_and_ties_passes() -> None:
    melons = textbook("watermelon-2.0-train")
    tree = ID3().grow(melons)
    tree.check(melons)
    assert any(node.prior for node in tree.nodes)
    assert any(node.tied for node in tree.nodes)
    passed = []
    for name, wrong in wrong_nodes(tree):
        try:
            wrong.check(melons)
            passed.append(name)
        except TreeError:
            pass
    assert passed == ["outcomes of 9, turned"]  # a true tree: its outer branches have the same counts


def test_a_label_may_be_any_of_a_tie_and_its_empty_leaves_repeat_it() -> None:
    assert COLOUR.nodes[1].tied
    other = replace(COLOUR, nodes=(COLOUR.nodes[0], replace(COLOUR.nodes[1], label="yes"), COLOUR.nodes[2]))
    other.check(STUMP_TABLE)


def test_branches_may_stand_in_any_order_if_the_counts_say_so() -> None:
    """Somebody else's tree may list its branches otherwise."""
    blue, red = Node((0, 1), "yes", stop="pure"), Node((1, 1), "no", stop="unknown", tied=("no", "yes"))
    green = Node((0, 1), "yes", stop="pure")
    stump(Multiway("colour", ("red", "green", "blue")), red, green, blue).check(STUMP_TABLE)
    with pytest.raises(TreeError, match=r"node 1 has the counts \(1, 1\); \(0, 1\) arrive"):
        stump(Multiway("colour", ("blue", "green", "red")), red, green, blue).check(STUMP_TABLE)


def test_a_branch_for_every_row() -> None:
    blue, green = Node((0, 1), "yes", stop="pure"), Node((0, 1), "yes", stop="pure")
    with pytest.raises(TreeError, match="node 0 has no branch for some of the rows"):
        stump(Multiway("colour", ("blue", "green")), blue, green).check(STUMP_TABLE)


@given(strategies.mixed_tables(), st.sampled_from(["at-most", "below"]))
def test_the_interval_of_a_threshold_is_that_of_its_neighbours(table: Table, relation: str) -> None:
    """Made wider, it does not hold if a value lies in between; moved away from the threshold, it never does."""
    learner = CART.with_options(threshold=relation)
    tree, numbers = learner.grow(table), table.schema.numbers["size"]
    tree.check(table)
    for visit in revisit(tree, learner, table):
        node = tree.nodes[visit.number]
        if not isinstance(node.test, Threshold):
            continue
        assert node.test.interval is not None
        low, high = node.test.interval
        values = set(visit.sample.ordered("size").values)
        wider = [(a, high) for a in numbers if a < low] + [(low, b) for b in numbers if b > high]
        for interval in [*wider, (high, high + 1), (low - 1, low)]:
            test = replace(node.test, interval=interval)
            nodes = (*tree.nodes[: visit.number], replace(node, test=test), *tree.nodes[visit.number + 1 :])
            if interval not in wider or any(interval[0] < value < interval[1] for value in values):
                with pytest.raises(TreeError, match=f"node {visit.number} asks .* not the same question anywhere"):
                    replace(tree, nodes=nodes).check(table)
            else:
                replace(tree, nodes=nodes).check(table)


def test_the_interval_of_a_sum_begins_at_one() -> None:
    table = textbook("watermelon-3.0a")
    tree = CART(branching="linear").grow(table)
    test = tree.nodes[0].test
    assert isinstance(test, Linear)
    assert test.interval is not None
    wrong = replace(test, interval=(test.interval[0] - 1, test.interval[1]))
    with pytest.raises(TreeError, match=r"node 0 asks .* not the same question anywhere"):
        replace(tree, nodes=(replace(tree.nodes[0], test=wrong), *tree.nodes[1:])).check(table)


def test_a_categorical_attribute_is_asked_once_on_a_path() -> None:
    colour = Multiway.on(STUMP_TABLE.schema.attribute("colour"))
    blue, green = (Node((0, 1), "yes", stop="pure"),) * 2
    empty = Node((0, 0), "no", stop="empty", prior=True)
    again = Node((1, 1), "no", colour, (4, 5, 6), tied=("no", "yes"))
    red = Node((1, 1), "no", stop="unknown", tied=("no", "yes"))
    root = Node((1, 3), "yes", colour, (1, 2, 3))
    tree = Tree(STUMP_TABLE.schema.target, STUMP_TABLE.schema.attributes, (root, blue, green, again, empty, empty, red))
    with pytest.raises(TreeError, match="node 3 tests an attribute a second time"):
        tree.check(STUMP_TABLE)


@given(strategies.categorical_tables(), strategies.categorical_tables())
def test_a_tree_is_that_of_its_own_table(table: Table, other: Table) -> None:
    """A tree passes on another table only if just as many rows of each class go each way."""
    tree = ID3().grow(table)
    tree.check(table)
    try:
        tree.check(other)
    except TreeError:
        return
    counts = [0] * len(tree.nodes)
    for row in other.rows():
        ((number, _),) = tree.ends(row)
        while number >= 0:
            counts[number] += 1
            number = tree.parents[number][0]
    assert counts == [sum(node.counts) for node in tree.nodes]


@given(st.integers(0, 40))
def test_a_chain_is_checked_without_recursion(extra: int) -> None:
    length = 60 + extra
    columns: dict[str, list[Any]] = {"x": list(range(length + 1)), "y": ["no"] * length + ["yes"]}
    table = Table.from_columns(columns)
    good = chain(length)
    nodes = []
    for number, node in enumerate(good.nodes):
        left = length - number // 2
        nodes.append(
            replace(node, counts=(left, 1), tied=("no", "yes") if left == 1 else ())
            if node.test
            else replace(node, stop="pure")
        )
    replace(good, nodes=tuple(nodes)).check(table)


def test_counts_of_any_length_are_checked_and_shown() -> None:
    """Weights of missing values have thousands of digits; Python writes no integer that long."""
    long = Fraction(3**20_000 + 1, 3**20_000)
    table = Table.from_columns({"size": [1, 2], "y": ["no", "yes"], "w": [long, 3]}, target="y", weights="w")
    question = Threshold("size", 1)
    leaves = (Node((long, 0), "no", stop="pure"), Node((0, 3), "yes", stop="pure"))
    tree = Tree(table.schema.target, table.schema.attributes, (Node((long, 3), "yes", question, (1, 2)), *leaves))
    tree.check(table)
    wrong = replace(tree, nodes=(replace(tree.nodes[0], counts=(1, 3)), *leaves))
    with pytest.raises(TreeError, match=r"node 0 has the counts \(1, 3\); \(1, 3\) arrive"):
        wrong.check(table)


def test_shares_are_those_of_the_rows_that_answer() -> None:
    """Whether or not a row is without an answer: a row to come may be."""
    for name in ("watermelon-2.0a", "golf"):
        table = textbook(name)
        tree = C45().grow(table)
        for number, node in enumerate(tree.nodes):
            turned = node.missing.shares[::-1]
            if turned == node.missing.shares:
                continue
            wrong = replace(
                tree, nodes=tuple(replace(n, missing=Missing(turned)) if n is node else n for n in tree.nodes)
            )
            with pytest.raises(TreeError, match=rf"^node {number} has the shares"):
                wrong.check(table)


# Numbers.

NUMBERS = Table.from_columns({"x": [1, 2, 3, 4, 5], "y": [1, 2, 6, 2, 6], "w": [1, 1, 1, 2, 1]}, "y", weights="w")
"""Below x = 2.5 the numbers 1 and 2; above it 6, 2, 2 and 6."""


def numeric(*nodes: Node) -> Tree:
    return Tree(NUMBERS.schema.target, NUMBERS.schema.attributes, nodes)


HALF = Threshold("x", Fraction(5, 2))
MEANS = numeric(
    Node((6, 19, 85), Fraction(19, 6), HALF, (1, 2)),
    Node((2, 3, 5), Fraction(3, 2), stop="max-depth"),
    Node((4, 16, 80), 4, stop="max-depth"),
)
MEDIANS = numeric(
    Node(Deviations(6, 2, 9), 2, HALF, (1, 2)),
    Node(Deviations(2, Fraction(3, 2), 1), Fraction(3, 2), stop="max-depth"),
    Node(Deviations(4, 4, 8), 4, stop="max-depth"),
)


def test_means_and_medians_are_those_of_the_rows() -> None:
    MEANS.check(NUMBERS)
    MEDIANS.check(NUMBERS)
    assert MEANS.mean_squared_error(NUMBERS) == (Fraction(1, 2) + 16) / 6


@of_every([Fraction(2), Fraction(5, 2), Fraction(6)])
def test_any_number_in_the_middle_is_a_median(median: Fraction) -> None:
    """Two of weight 2 on either side of the gap from 2 to 6."""
    *others, _ = MEDIANS.nodes
    numeric(*others, Node(Deviations(4, median, 8), median, stop="max-depth")).check(NUMBERS)


@of_every(
    [
        (MEANS, 0, {"counts": (6, 18, 85)}, r"has the moments \(6, 18, 85\); \(6, 19, 85\) arrive"),
        (MEANS, 0, {"counts": (6, 19, 86)}, "has the moments"),
        (MEANS, 1, {"label": 2}, "has the label 2; the mean is 1.5"),
        (MEANS, 2, {"stop": "pure"}, "gives the reason pure"),
        (MEANS, 2, {"stop": "empty"}, "gives the reason empty"),
        (MEANS, 2, {"prior": True}, "is marked as prior=True"),
        (MEDIANS, 1, {"label": 3}, "has the label 3, which is no median"),
        (MEDIANS, 2, {"label": 3}, "has the deviations"),
        (MEDIANS, 2, {"counts": Deviations(4, 4, 9)}, r"has the deviations \(4, 4, 9\); they are \(4, 4, 8\)"),
        (MEDIANS, 0, {"counts": Deviations(5, 2, 9)}, "has the deviations"),
        (MEDIANS, 0, {"counts": (6, 19, 85)}, "has the label 2; the mean is"),
    ]
)
def test_no_wrong_number_passes(tree: Tree, number: int, wrong: dict[str, Any], message: str) -> None:
    nodes = list(tree.nodes)
    nodes[number] = replace(nodes[number], **wrong)
    with pytest.raises(TreeError, match=f"^node {number} {message}"):
        numeric(*nodes).check(NUMBERS)


@st.composite
def numeric_tables(draw: st.DrawFn) -> Table:
    """Small tables of a category and two numbers, the last of which is predicted; with gaps and weights."""
    size = draw(st.integers(1, 8))

    def column(cells: st.SearchStrategy[Any], gaps: bool = True) -> list[Any]:
        return draw(st.lists(st.one_of(st.none(), cells) if gaps else cells, min_size=size, max_size=size))

    columns = {
        "a": column(st.sampled_from("pqr")),
        "x": column(st.integers(0, 4)),
        "w": column(strategies.weights, gaps=False),
        "y": column(st.one_of(st.integers(-3, 3), fractions(-1, 1, max_denominator=3)), gaps=False),
    }
    return Table.from_columns(columns, weights="w", categorical=["a"], continuous=["x", "y"])


@given(
    numeric_tables(),
    st.sampled_from(["squared_error", "absolute_error"]),
    st.sampled_from(["surrogates", "fractions", "branch", "stay"]),
    st.sampled_from(["subset", "multiway"]),
)
def test_every_regression_tree_keeps_its_word(table: Table, criterion: Any, missing: Any, branching: Any) -> None:
    tree = CART(criterion=criterion, missing=missing, branching=branching).grow(table)
    tree.check(table)
    nothing: dict[str, Any] = {attribute.name: None for attribute in table.schema.attributes}
    for row in [*table.rows(), nothing]:
        ends = tree.ends(row)
        assert sum(share for _, share in ends) == 1
        assert tree.predict(row) == sum(share * Fraction(tree.nodes[number].label) for number, share in ends)


@given(numeric_tables())
def test_the_error_of_a_tree_is_that_of_its_leaves(table: Table) -> None:
    """Where each row ends in one place, be it a leaf or a node where it stays."""
    tree = CART(missing="branch").grow(table)
    errors = sum(tree.nodes[number].error for number in tree.leaves())
    assert tree.mean_squared_error(table) * sum(table.weighted()) == errors


# Rows that do not answer.

GAPS = Table.from_columns(
    {"x": [1, 2, None, None, None], "c": ["p", "q", "p", None, "r"], "y": ["no", "yes", "no", "yes", "yes"]}
)
AT_ONE = Threshold("x", Fraction(3, 2))
P = Surrogate(Subset("c", ("p",)), (0, 1), 1)


def gapped(missing: Missing, left: tuple[int, int], right: tuple[int, int]) -> Tree:
    """x<=1.5, and what then is on either side."""

    def leaf(counts: tuple[int, int]) -> Node:
        tied = ("no", "yes") if counts[0] == counts[1] else ()
        label = "no" if counts[0] >= counts[1] else "yes"
        return Node(counts, label, stop="max-depth" if all(counts) else "pure", tied=tied)

    nodes = (Node((2, 3), "yes", AT_ONE, (1, 2), missing=missing), leaf(left), leaf(right))
    return Tree(GAPS.schema.target, GAPS.schema.attributes, nodes)


@of_every(
    [
        (Missing(to=1), (1, 0), (1, 3)),
        (Missing(to=0), (2, 2), (0, 1)),
        (Missing(stays=True), (1, 0), (0, 1)),
        (Missing(surrogates=(P,), to=1), (2, 0), (0, 3)),
        (Missing(surrogates=(P,), stays=True), (2, 0), (0, 2)),
        (Missing(surrogates=(P._replace(branches=(1, 0)),), to=0), (1, 2), (1, 1)),
    ]
)
def test_each_rule_sends_the_rows_its_own_way(missing: Missing, left: Any, right: Any) -> None:
    gapped(missing, left, right).check(GAPS)
    for other in (Missing(to=1), Missing(to=0), Missing(stays=True), Missing(surrogates=(P,), to=1), Missing()):
        if other != missing:
            with pytest.raises(TreeError, match=r"^node \d "):
                gapped(other, left, right).check(GAPS)


def test_a_row_without_an_answer_needs_a_rule() -> None:
    with pytest.raises(TreeError, match="node 0 has no rule for the rows that arrive with a missing value"):
        gapped(Missing(), (1, 0), (0, 1)).check(GAPS)


@of_every(
    [
        (Missing((1,)), "has not one share for each branch"),
        (Missing((1, 0), to=0), "divides a row with a missing value, and sends it elsewhere too"),
        (Missing(to=2), "sends a row with a missing value to branch 2"),
        (Missing(to=-1), "sends a row with a missing value to branch -1"),
        (Missing(to=1, stays=True), "or keeps it"),
        (Missing(surrogates=(P,)), "no way for a row without a value for any of them"),
        (Missing(surrogates=(P._replace(branches=(0, 2)),), to=0), "which does not lead to its branches"),
        (Missing(surrogates=(P._replace(branches=(0,)),), to=0), "which does not lead to its branches"),
    ]
)
def test_a_rule_goes_one_way_that_is_there(missing: Missing, message: str) -> None:
    tree = gapped(missing, (1, 0), (0, 1))
    assert message in next(faults_of_missing(tree.nodes[0]))
    with pytest.raises(TreeError, match=message):
        tree.check(GAPS)


def test_a_surrogate_asks_what_is_there() -> None:
    stranger = Surrogate(Threshold("c", 1), (0, 1), 1)
    with pytest.raises(TreeError, match="node 0 asks for c<=1, which the table has not, or not of that kind"):
        gapped(Missing(surrogates=(stranger,), to=1), (2, 0), (0, 3)).check(GAPS)


def test_the_attributes_of_a_sum_are_there() -> None:
    stranger = Linear(((Coordinate("size"), 1), (Coordinate("mass"), 1)), 3)
    with pytest.raises(TreeError, match="which the table has not"):
        stump(stranger, *COLOUR.nodes[1:]).check(STUMP_TABLE)


# Costs.


def test_a_label_that_costs_decide_need_not_be_the_majority() -> None:
    costly = replace(COLOUR, nodes=(replace(COLOUR.nodes[0], label="no"), *COLOUR.nodes[1:]))
    check_nodes(costly.target, costly.nodes, STUMP_TABLE, by_majority=False)
    with pytest.raises(TreeError, match="node 0 has the label no; the majority is yes"):
        costly.check(STUMP_TABLE)
    maybe = replace(costly, nodes=(replace(COLOUR.nodes[0], label="maybe"), *COLOUR.nodes[1:]))
    with pytest.raises(TreeError, match="node 0 has the label maybe"):
        check_nodes(maybe.target, maybe.nodes, STUMP_TABLE, by_majority=False)


@pytest.mark.parametrize("options", [{"loss": {"no": {"yes": 5}}}, {"priors": {"no": 3, "yes": 1}}])
def test_where_costs_decide_the_label_is_the_cheapest_answer(options: dict[str, Any]) -> None:
    table = textbook("golf")
    tree = CART(max_depth=1, **options).grow(table)
    tree.check(table)
    plain = CART(max_depth=1).grow(table)
    assert [node.label for node in tree.nodes] != [node.label for node in plain.nodes]
    for number, node in enumerate(tree.nodes):
        nodes = list(tree.nodes)
        nodes[number] = replace(node, label="no" if node.label == "yes" else "yes")
        with pytest.raises(TreeError, match=f"node {number} has the label .*; the cheapest prediction is {node.label}"):
            replace(tree, nodes=tuple(nodes)).check(table)


# What other programs grew.

CHECKED = [
    recording
    for recording in RECORDINGS
    if recording.data in ("weather-nominal", "weather-numeric", "contact-lenses", "iris", "cpu", "cars", "glass")
    and recording.setting in ("unpruned", "uncollapsed", "binary", "full", "gini", "information", "anova", "entropy")
]


@pytest.mark.one_in(1, 6)
@pytest.mark.parametrize("recording", CHECKED, ids=[recording.name for recording in CHECKED])
def test_the_trees_of_other_programs_are_what_they_claim_to_be(recording: Recording) -> None:
    """Read from their documents and held against the rows, exactly; these have no weight that a double has rounded."""
    from_json(recording.text()).check(read(FOLDER / f"{recording.data}.arff"))
