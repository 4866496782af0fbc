"""Trees: what they answer, how they are read as rules and paths, and that none passes for what it is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Multiway, Subset, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Grower, Node, Tree, TreeError
from tests import strategies

PLAY = textbook("play-tennis")
TREE = ID3().grow(PLAY)
SUNNY = {"outlook": "sunny", "humidity": "normal"}

STUMP_TABLE = Table.from_columns(
    {"size": [1, 2, 3, 4], "colour": ["red", "blue", "green", "red"], "y": ["no", "yes", "yes", "yes"]}
)


def stump(test: Test, *leaves: Node, counts: tuple[int, ...] = (1, 3)) -> Tree:
    """A tree of one question about the stump table."""
    root = Node(counts, "yes", test, tuple(range(1, len(leaves) + 1)))
    return Tree(STUMP_TABLE.schema.target, STUMP_TABLE.schema.attributes, (root, *leaves))


SIZE = stump(Threshold("size", Fraction(3, 2)), Node((1, 0), "no", stop="pure"), Node((0, 3), "yes", stop="pure"))
RED = Subset("colour", ("red",))
COLOUR = stump(RED, Node((1, 1), "no", stop="max-depth", tied=("no", "yes")), Node((0, 2), "yes", stop="pure"))


# As a procedure.


def test_a_row_needs_only_the_attributes_it_meets() -> None:
    assert TREE.predict(SUNNY) == "yes"
    assert TREE.predict({"outlook": "overcast"}) == "yes"
    with pytest.raises(InputError, match="the row has no value for humidity"):
        TREE.predict({"outlook": "sunny"})


def test_a_missing_value_has_no_rule_here() -> None:
    with pytest.raises(InputError, match="the value of humidity is missing"):
        TREE.predict({"outlook": "sunny", "humidity": None})


def shared(tree: Tree, **shares: tuple[Fraction, ...]) -> Tree:
    """The tree with shares for the branches of the tests on some attributes."""
    nodes = (replace(n, missing=Missing(shares.get(n.test.attribute, ()))) if n.test else n for n in tree.nodes)
    return replace(tree, nodes=tuple(nodes))


def test_a_missing_value_is_the_mixture_of_all_that_it_could_be() -> None:
    outlooks = {"overcast": Fraction(4, 14), "rainy": Fraction(5, 14), "sunny": Fraction(5, 14)}
    tree = shared(TREE, outlook=tuple(outlooks.values()), wind=(Fraction(2, 5), Fraction(3, 5)))
    for row in ({"humidity": "normal", "wind": "strong"}, {"humidity": "high", "wind": None}):
        asked = {**row, "outlook": None}
        parts = [(share, tree.distribution({**row, "outlook": value})) for value, share in outlooks.items()]
        mixture = {label: sum(share * part[label] for share, part in parts) for label in ("no", "yes")}
        assert tree.distribution(asked) == mixture
        assert tree.predict(asked) == max(mixture, key=lambda label: mixture[label])
        assert sum(share for _, share in tree.ends(asked)) == 1
    with pytest.raises(InputError, match="the value of humidity is missing"):
        tree.predict({"outlook": None, "wind": "weak", "humidity": None})


def test_equally_likely_classes_are_answered_by_the_first() -> None:
    tree = shared(SIZE, size=(Fraction(1, 2), Fraction(1, 2)))
    assert tree.distribution({"size": None}) == {"no": Fraction(1, 2), "yes": Fraction(1, 2)}
    assert tree.predict({"size": None}) == "no"
    assert shared(SIZE, size=(Fraction(0), Fraction(1))).ends({"size": None}) == [(2, 1)]


def test_an_unseen_value_is_an_error_or_the_majority_so_far() -> None:
    with pytest.raises(InputError, match="the value 'foggy' of outlook was not seen in training"):
        TREE.predict({"outlook": "foggy"})
    assert TREE.predict({"outlook": "foggy"}, unseen="majority") == "yes"
    assert TREE.predict({"outlook": "sunny", "humidity": "damp"}, unseen="majority") == "no"
    assert TREE.distribution({"outlook": "sunny", "humidity": "damp"}, unseen="majority") == {
        "no": Fraction(3, 5), "yes": Fraction(2, 5),
    }  # fmt: skip


def test_thresholds_and_subsets_answer_too() -> None:
    sizes: list[Any] = [1, Fraction(3, 2), 1.51, "9"]
    assert [SIZE.predict({"size": size}) for size in sizes] == ["no", "no", "yes", "yes"]
    assert [COLOUR.predict({"colour": colour}) for colour in ("red", "blue", "violet")] == ["no", "yes", "yes"]
    for tree in (SIZE, COLOUR):
        tree.check(STUMP_TABLE)
    assert [SIZE.accuracy(STUMP_TABLE), COLOUR.accuracy(STUMP_TABLE)] == [1, Fraction(3, 4)]


@given(strategies.categorical_tables())
def test_a_row_of_the_training_table_gets_the_majority_of_the_rows_that_go_its_way(table: Table) -> None:
    tree = ID3(max_depth=2).grow(table)
    target, rows = table.schema.target, list(table.rows())
    ends = [tree.ends(row) for row in rows]
    for row, end in zip(rows, ends, strict=True):
        together = [other[target.name] for other, its in zip(rows, ends, strict=True) if its == end]
        shares = {label: Fraction(together.count(label), len(together)) for label in target.domain}
        assert tree.distribution(row) == shares
        assert shares[str(tree.predict(row))] == max(shares.values())
        ((leaf, share),) = end
        assert share == 1
        assert all(test.branch(row) == branch for test, branch in tree.conditions(leaf))
    hits = sum(tree.predict(row) == row[target.name] for row in rows)
    assert tree.accuracy(table) == Fraction(hits, len(rows))


def test_a_leaf_without_rows_has_the_distribution_above_it() -> None:
    melons = textbook("watermelon-2.0")
    tree = ID3().grow(melons)
    number = next(number for number, node in enumerate(tree.nodes) if node.prior)
    row = {test.attribute: test.outcomes[branch].value for test, branch in tree.conditions(number)}
    above = tree.nodes[tree.parents[number][0]].counts
    assert tree.distribution(row) == {
        label: Fraction(count) / sum(above) for label, count in zip(melons.schema.target.domain, above, strict=True)
    }


def test_a_tree_without_counts_has_no_distribution() -> None:
    bare = replace(SIZE, nodes=tuple(replace(node, counts=(0, 0)) for node in SIZE.nodes))
    assert bare.predict({"size": 1}) == "no"
    with pytest.raises(InputError, match="records no counts"):
        bare.distribution({"size": 1})


def test_accuracy_counts_weights_and_asks_for_the_same_target() -> None:
    columns: dict[str, list[Any]] = {"size": [1, 2], "y": ["no", "no"], "w": [Fraction(1, 3), 2]}
    assert SIZE.accuracy(Table.from_columns(columns, target="y", weights="w")) == Fraction(1, 7)
    with pytest.raises(InputError, match="the tree predicts y, but the target is w"):
        SIZE.accuracy(Table.from_columns(columns, target="w"))


# Missing values at prediction.

THIRD, QUARTER = Fraction(1, 3), Fraction(1, 4)


def gaps() -> Tree:
    """size<=1.5 by 1/4 and 3/4, and above it the colours by 1/3, 0 (nobody was blue) and 2/3."""
    colour = Multiway.on(STUMP_TABLE.schema.attribute("colour"))
    nodes = (
        Node((3, 5), "yes", Threshold("size", Fraction(3, 2)), (1, 2), missing=Missing((QUARTER, 1 - QUARTER))),
        Node((2, 0), "no", stop="pure"),
        Node((1, 5), "yes", colour, (3, 4, 5), missing=Missing((0, THIRD, 1 - THIRD))),
        Node((0, 0), "yes", stop="empty", prior=True),
        Node((1, 1), "no", stop="max-depth", tied=("no", "yes")),
        Node((0, 4), "yes", stop="pure"),
    )
    return Tree(STUMP_TABLE.schema.target, STUMP_TABLE.schema.attributes, nodes)


@pytest.mark.parametrize(
    ("row", "ends"),
    [
        ({"size": 1}, {1: 1}),
        ({"size": 2, "colour": "red"}, {5: 1}),
        ({"size": 2, "colour": "blue"}, {3: 1}),
        ({"size": None, "colour": "green"}, {1: QUARTER, 4: 1 - QUARTER}),
        ({"size": 2, "colour": None}, {4: THIRD, 5: 1 - THIRD}),
        ({"size": None, "colour": None}, {1: QUARTER, 4: THIRD * (1 - QUARTER), 5: (1 - THIRD) * (1 - QUARTER)}),
    ],
)
def test_a_row_with_gaps_ends_in_several_leaves(row: dict[str, Any], ends: dict[int, Fraction]) -> None:
    tree = gaps()
    assert dict(tree.ends(row)) == ends
    assert [number for number, _ in tree.ends(row)] == sorted(ends)  # in preorder
    mixture = dict.fromkeys(("no", "yes"), Fraction(0))
    for number, share in ends.items():
        counts = tree.nodes[number].counts if number != 3 else tree.nodes[2].counts
        for label, count in zip(mixture, counts, strict=True):
            mixture[label] += share * Fraction(count) / sum(counts)
    assert tree.distribution(row) == mixture
    assert sum(mixture.values()) == 1
    assert tree.predict(row) == (
        max(mixture, key=mixture.__getitem__) if len(ends) > 1 else tree.nodes[min(ends)].label
    )


def test_an_equal_mixture_answers_with_the_first_class() -> None:
    leaves = (Node((0, 1), "yes", stop="pure"), Node((1, 0), "no", stop="pure"))
    for shares, label in (((Fraction(1, 2), Fraction(1, 2)), "no"), ((Fraction(2, 3), THIRD), "yes")):
        tree = stump(Threshold("size", 1), *leaves)
        tree = replace(tree, nodes=(replace(tree.nodes[0], missing=Missing(shares)), *leaves))
        assert tree.predict({"size": None}) == label


def test_a_value_without_a_branch_stops_one_part_of_the_row() -> None:
    row = {"size": None, "colour": "violet"}
    with pytest.raises(InputError, match="'violet' of colour was not seen"):
        gaps().predict(row)
    assert dict(gaps().ends(row, "majority")) == {1: QUARTER, 2: 1 - QUARTER}
    assert gaps().distribution(row, "majority")["no"] == QUARTER + Fraction(3, 4) * Fraction(1, 6)


def test_a_node_without_shares_has_no_rule_for_what_is_missing() -> None:
    bare = replace(gaps(), nodes=tuple(replace(node, missing=Missing()) for node in gaps().nodes))
    with pytest.raises(InputError, match="the value of size is missing, and this tree has no rule for that"):
        bare.predict({"size": None, "colour": "red"})
    assert bare.predict({"size": 2, "colour": "red"}) == "yes"


def test_a_row_that_knows_nothing_reaches_every_leaf_of_a_long_chain() -> None:
    """All shares are 1/2: the leaf at depth d gets 2^-d of the row, and nothing recurses."""
    length = 2000
    halves = (Fraction(1, 2), Fraction(1, 2))
    tree = chain(length)
    tree = replace(tree, nodes=tuple(replace(n, missing=Missing(halves)) if n.test else n for n in tree.nodes))
    ends = tree.ends({"x": None})
    assert len(ends) == length + 1
    assert ends[0] == (1, Fraction(1, 2))
    assert sum(share for _, share in ends) == 1


@given(strategies.tables_with_gaps())
def test_shares_of_the_row_add_up_to_it(table: Table) -> None:
    tree = C45().grow(table)
    nothing: dict[str, Any] = {attribute.name: None for attribute in table.schema.attributes}
    for row in [*table.rows(), nothing]:
        assert sum(share for _, share in tree.ends(row)) == 1


@given(strategies.tables_with_gaps())
def test_of_a_row_that_knows_nothing_the_tree_says_what_its_root_does(table: Table) -> None:
    """A branch has the same share of all weight as of the known, so the shares of a row are those of the sample."""
    nothing: dict[str, Any] = {attribute.name: None for attribute in table.schema.attributes}
    tree, counts = C45().grow(table), table.sample().total()
    assert list(tree.distribution(nothing).values()) == [Fraction(count) / sum(counts) for count in counts]


@given(strategies.tables_with_gaps())
def test_what_arrives_in_training_is_what_the_rows_end_with(table: Table) -> None:
    """The weight of a node is the sum over the rows of weight times share: growing and prediction send them alike."""
    tree, classes = C45(max_depth=2).grow(table), list(table.schema.target.domain)
    arrived = [[Fraction(0)] * len(classes) for _ in tree.nodes]
    for row, weight in zip(table.rows(), table.weighted(), strict=True):
        for number, share in tree.ends(row):
            arrived[number][classes.index(str(row["y"]))] += weight * share
    for number in tree.leaves():
        assert tuple(arrived[number]) == tree.nodes[number].counts


# As rules and paths.


@given(strategies.categorical_tables())
def test_rules_exclude_each_other_and_leave_nothing_out(table: Table) -> None:
    tree = ID3().grow(table)
    rules = list(tree.rules())
    assert len(rules) == len(tree.leaves())
    for row in table.rows():
        held = [
            rule
            for rule in rules
            if all(condition in {f"{a}={v}" for a, v in row.items()} for condition in rule.conditions)
        ]
        assert len(held) == 1
        assert held[0].label == tree.predict(row)
    assert tuple(map(sum, zip(*(rule.counts for rule in rules), strict=True))) == table.sample().total()


def test_the_rules_of_play_tennis() -> None:
    assert [(rule.conditions, rule.label, rule.counts) for rule in TREE.rules()] == [
        (("outlook=overcast",), "yes", (0, 4)),
        (("outlook=rainy", "wind=strong"), "no", (2, 0)),
        (("outlook=rainy", "wind=weak"), "yes", (0, 3)),
        (("outlook=sunny", "humidity=high"), "no", (3, 0)),
        (("outlook=sunny", "humidity=normal"), "yes", (0, 2)),
    ]
    assert [rule.conditions for rule in SIZE.rules()] == [("size<=1.5",), ("size>1.5",)]


@given(strategies.categorical_tables())
def test_a_path_leads_to_its_node(table: Table) -> None:
    tree = ID3().grow(table)
    for number in range(len(tree.nodes)):
        assert tree.find(tree.path(number)) == number
        branches = "/".join(str(branch) for _, branch in tree.conditions(number))
        assert tree.find(f"/{branches}") == number
        above, branch = tree.parents[number]
        assert number == 0 or tree.nodes[above].branches[branch] == number
        assert tree.depths()[number] == len(tree.conditions(number))


def test_where_there_is_no_node() -> None:
    with pytest.raises(InputError, match="after / comes outlook=overcast, outlook=rainy, outlook=sunny"):
        TREE.find("/wind=weak")
    with pytest.raises(InputError, match="/outlook=overcast is a leaf"):
        TREE.find("/outlook=overcast/wind=weak")
    with pytest.raises(InputError, match="no node"):
        TREE.find("/3")
    assert TREE.path(TREE.find("/2/1")) == "/outlook=sunny/humidity=normal"


def test_a_chain_of_fifty_thousand_questions_is_a_tree_like_any_other() -> None:
    tree = chain(50_000)
    assert tree.predict({"x": 10**6}) == "yes"
    assert tree.ends({"x": 10**6}) == [(100_000, 1)]
    assert max(tree.depths()) == 50_000
    last = len(tree.nodes) - 1
    assert tree.find(tree.path(last)) == last


def chain(length: int) -> Tree:
    """Is x at most 0? At most 1? At most 2? And so on."""
    nodes: list[Node] = []
    for k in range(length):
        nodes.append(Node((1, 1), "no", Threshold("x", k), (2 * k + 1, 2 * k + 2), tied=("no", "yes")))
        nodes.append(Node((1, 0), "no", stop="unknown"))
    nodes.append(Node((0, 1), "yes", stop="unknown"))
    return Tree(Attribute("y", ("no", "yes")), (Attribute("x"),), tuple(nodes), Grower())


# Against its data.


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


@pytest.mark.parametrize(
    ("name", "wrong"), list(wrong_nodes(TREE)), ids=lambda value: value if isinstance(value, str) else ""
)
def test_no_wrong_tree_passes(name: str, wrong: Tree) -> None:
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


def test_a_categorical_attribute_is_asked_once_on_a_path() -> None:
    colour = Multiway.on(STUMP_TABLE.schema.attribute("colour"))
    blue, green = (Node((0, 1), "yes", stop="pure"),) * 2
    empty = Node((0, 0), "no", stop="empty", prior=True)
    again = Node((1, 1), "no", colour, (4, 5, 6), tied=("no", "yes"))
    red = Node((1, 1), "no", stop="unknown", tied=("no", "yes"))
    root = Node((1, 3), "yes", colour, (1, 2, 3))
    tree = Tree(STUMP_TABLE.schema.target, STUMP_TABLE.schema.attributes, (root, blue, green, again, empty, empty, red))
    with pytest.raises(TreeError, match="node 3 asks an attribute a second time"):
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
