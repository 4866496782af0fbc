"""Trees: what they answer, how they are read as rules and paths, and that none passes for what it is not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing, Multiway, Subset, Test, Threshold
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Place, majority
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Grower, Node, Tree
from reference_tree.tree_document import from_json, to_json
from reference_tree.views.trees.text import to_text
from tests import strategies
from tests.every import of_every

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


@pytest.mark.covers("N2 §1 definition")
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
    assert shared(SIZE, size=(Fraction(0), Fraction(1))).ends({"size": None}) == ((2, 1),)


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


@pytest.mark.covers("N1 §1.1 (2)", "N3 Decision Trees", "N4 Decision trees model: decision nodes")
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


def test_with_priors_the_classes_are_as_common_as_they_say() -> None:
    """p(j|t) is π_j·N_j(t)/N_j, over the sum of these: Breiman's estimate, by hand."""
    golf = textbook("golf")
    tree = CART(priors={"no": 1, "yes": 3}, max_depth=1).grow(golf)
    row = next(iter(golf.rows()))
    (leaf,) = (number for number, _ in tree.ends(row))
    no, yes = (Fraction(count) for count in tree.nodes[leaf].counts)
    by_hand = [1 * no / 5, 3 * yes / 9]
    assert list(tree.distribution(row).values()) == [share / sum(by_hand) for share in by_hand]
    assert replace(tree, nodes=(replace(tree.nodes[0], test=None, branches=()),)).distribution(row) == {
        "no": Fraction(1, 4), "yes": Fraction(3, 4)
    }  # fmt: skip


def test_losses_change_the_answer_and_not_the_distribution() -> None:
    """A row that goes both ways gets the cheapest answer to the mixture; what is likely stays likely."""
    table = Table.from_columns({"x": ["p", "p", "p", "q", "q"], "y": ["a", "a", "b", "a", "b"]})
    plain, costly = (CART(missing="fractions", loss=loss).grow(table) for loss in (None, {"b": {"a": 2}}))
    assert plain.nodes[0].test is not None
    row = {"x": None}
    assert plain.distribution(row) == costly.distribution(row) == {"a": Fraction(3, 5), "b": Fraction(2, 5)}
    assert (plain.predict(row), costly.predict(row)) == ("a", "b")  # to miss b costs 2·2/5, to miss a 3/5


def test_priors_that_are_none_are_said_to_be_so() -> None:
    strange = replace(TREE, grower=Grower("cart", None, {"priors": {"no": {}, "maybe": 1}}))
    with pytest.raises(InputError, match="the priors and losses that this tree records cannot be used"):
        strange.distribution({"outlook": "sunny", "humidity": "high"})


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


@of_every(
    [
        ({"size": 1}, {1: 1}),
        ({"size": 2, "colour": "red"}, {5: 1}),
        ({"size": 2, "colour": "blue"}, {3: 1}),
        ({"size": None, "colour": "green"}, {1: QUARTER, 4: 1 - QUARTER}),
        ({"size": 2, "colour": None}, {4: THIRD, 5: 1 - THIRD}),
        ({"size": None, "colour": None}, {1: QUARTER, 4: THIRD * (1 - QUARTER), 5: (1 - THIRD) * (1 - QUARTER)}),
    ]
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


# Numbers.

SMALL, LARGE = Node((2, 3, 5), Fraction(3, 2), stop="max-depth"), Node((4, 16, 80), 4, stop="max-depth")
NUMERIC = Tree(
    Attribute("y"),
    (Attribute("x"),),
    (
        Node((6, 19, 85), Fraction(19, 6), Threshold("x", 2), (1, 2), missing=Missing((THIRD, 1 - THIRD))),
        SMALL,
        LARGE,
    ),
)


def test_a_regression_tree_answers_with_the_mean_of_the_leaf() -> None:
    assert [NUMERIC.predict({"x": x}) for x in (1, 3)] == [Fraction(3, 2), 4]
    assert NUMERIC.predict({"x": None}) == THIRD * Fraction(3, 2) + (1 - THIRD) * 4
    assert type(NUMERIC.predict({"x": 3})) is int
    assert [rule.label for rule in NUMERIC.rules()] == [Fraction(3, 2), 4]


def test_a_row_that_stays_gets_the_mean_of_the_node() -> None:
    stays = replace(NUMERIC, nodes=(replace(NUMERIC.nodes[0], missing=Missing(stays=True)), SMALL, LARGE))
    assert stays.predict({"x": None}) == Fraction(19, 6)
    assert stays.ends({"x": None}) == ((0, 1),)


def test_numbers_have_an_error_and_classes_an_accuracy() -> None:
    columns: dict[str, list[Any]] = {"x": [1, 3], "y": [2, 1], "w": [3, 1]}
    table = Table.from_columns(columns, target="y", weights="w")
    assert NUMERIC.mean_squared_error(table) == (3 * Fraction(1, 4) + 9) / 4
    with pytest.raises(InputError, match="the tree predicts a number, y: ask for its mean squared error"):
        NUMERIC.accuracy(table)
    with pytest.raises(InputError, match=r"the tree predicts a number, y, and has no P\(Y\|X\)"):
        NUMERIC.distribution({"x": 1})
    with pytest.raises(InputError, match="the tree predicts a class, y: ask for its accuracy"):
        SIZE.mean_squared_error(STUMP_TABLE)
    with pytest.raises(InputError, match="the tree has y as categorical, the table as continuous"):
        SIZE.accuracy(table)
    with pytest.raises(InputError, match="the tree predicts y, but the target is x"):
        NUMERIC.mean_squared_error(Table.from_columns(columns, target="x"))


# As rules and paths.


@pytest.mark.covers("N1 §1.1 (1)")
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


@pytest.mark.slow
def test_a_chain_of_fifty_thousand_questions_is_a_tree_like_any_other() -> None:
    tree = chain(50_000)
    assert tree.predict({"x": 10**6}) == "yes"
    assert tree.ends({"x": 10**6}) == ((100_000, 1),)
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


# Trees that were grown deep.


def alternating(size: int) -> Table:
    """Numbers whose classes alternate, so that no cut is better than the one that takes a single row away."""
    return Table.from_columns({"x": list(range(size)), "y": ["no", "yes"] * (size // 2) + ["no"] * (size % 2)})


class Peeler(ID3):
    """A learner that takes away the smallest number, one after another."""

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        place = place or Place.root(sample)
        total = sample.total()
        decision = Decision(total, majority(sample.schema.target, total, None), "pure")
        if sample.target.is_pure(total):
            return decision
        test = Threshold("x", place.depth)
        return replace(decision, stop=None, chosen=Candidate(test, sample.partition(test), ()))


def assert_deep(tree: Tree, depth: int, table: Table) -> None:
    """Assert that a tree is as deep as that and right, and that it can be written."""
    assert max(tree.depths()) == depth
    tree.check(table)
    assert [tree.predict({"x": x}) for x in (0, 1, depth - 1, depth)] == [
        row["y"] for row in table.rows() if row["x"] in (0, 1, depth - 1, depth)
    ]
    assert from_json(to_json(tree)) == tree
    assert to_text(tree).count("\n") == 2 * depth


@pytest.mark.slow
def test_a_tree_of_depth_fifteen_hundred_grows() -> None:
    table = alternating(1501)
    assert_deep(Peeler().grow(table), 1500, table)


@pytest.mark.slow
def test_cart_follows_a_chain_as_deep_as_the_rows_ask_for() -> None:
    table = alternating(501)
    assert_deep(CART().grow(table), 500, table)


@pytest.mark.parametrize("wrong", [7, ["1/2"], {"no": {"yes": {"no": "1"}}}, {"no": 5}])
@pytest.mark.parametrize("name", ["priors", "loss"])
def test_priors_and_losses_that_are_none_are_told(name: str, wrong: Any) -> None:
    deep = wrong
    for _ in range(900):
        deep = {"a": deep}
    for each in (wrong, deep):
        tree = replace(TREE, grower=replace(TREE.grower, options={**TREE.grower.options, name: each}))
        with pytest.raises(InputError, match="the priors and losses that this tree records cannot be used: "):
            tree.distribution({"outlook": "overcast"})


def test_a_tree_is_shown_in_a_line() -> None:
    assert repr(TREE) == "<Tree for play: 8 nodes, 5 leaves, grown by id3>"
    assert repr(Tree(Attribute("y", ("n",)), (), (Node((1,), "n", stop="pure"),))) == "<Tree for y: 1 node, 1 leaf>"
