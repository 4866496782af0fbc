"""Places: a way back to the root that costs only memory; answers; overrides, which choose among equals alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway, Test, Threshold, parse_path
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Answer, Place, Ties, answer_of, cheapest, majority, path_text
from reference_tree.measures.misclassification import Costs
from tests import strategies
from tests.every import of_every

TABLE = Table.from_columns({"a/b": ["x", "y", "x"], "c": ["u", "u", "v"], "d": [1, 2, 3], "y": ["no", "yes", "yes"]})
ANSWER = Answer("yes", (1, 2))
AB, C, D = Multiway("a/b", ("x", "y")), Multiway("c", ("u", "v")), Threshold("d", 2)


def child(place: Place, test: Test, branch: int) -> Place:
    """The place below a test, whatever rows reach it."""
    return place.children(TABLE.sample(), test, ANSWER)[branch][0]


def test_the_root() -> None:
    root = Place.root(TABLE.sample())
    assert (root.depth, root.parent, root.inherited) == (0, None, None)
    assert root.available == {"a/b", "c", "d"}
    assert path_text(root) == "/"
    assert root.is_at(())
    assert not root.is_at(("0",))


@pytest.mark.covers("N0 EN §3.1 step (6)", "N1 §1.4 step 6")
def test_a_multiway_question_is_used_up_and_a_threshold_is_not() -> None:
    root = Place.root(TABLE.sample())
    below = child(root, AB, 1)
    assert (below.depth, below.parent, below.branch, below.inherited) == (1, root, 1, ANSWER)
    assert below.available == {"c", "d"}
    assert child(below, D, 0).available == {"c", "d"}
    assert child(child(below, D, 0), C, 0).available == {"d"}


def test_paths_lead_to_their_place_and_no_other() -> None:
    root = Place.root(TABLE.sample())
    place = child(child(root, AB, 1), D, 0)
    assert path_text(place) == r"/a\/b=y/d<=2"
    assert place.steps() == [(1, r"a\/b=y"), (0, "d<=2")]
    for path in (path_text(place), r"/1/0", r"/a\/b=y/0", "/1/d<=2"):
        assert place.is_at(parse_path(path))
    for path in ("/", "/1", r"/a\/b=x/0", "/1/1", "/1/0/0", "/0/1"):
        assert not place.is_at(parse_path(path))


@given(strategies.categorical_tables(), st.integers(0, 3))
def test_children_are_the_parts_of_the_sample(table: Table, index: int) -> None:
    sample = table.sample()
    test = Multiway.on(table.schema.attributes[index % len(table.schema.attributes)])
    children = Place.root(sample).children(sample, test, ANSWER)
    assert [place.branch for place, _ in children] == list(range(len(test.values)))
    assert [part.total() for _, part in children] == list(sample.partition(test).rows)


@pytest.mark.slow
def test_a_chain_of_places_can_be_walked_and_forgotten() -> None:
    """Fifty thousand deep: neither the way back nor the end of the chain recurs."""
    place = Place.root(TABLE.sample())
    for _ in range(50_000):
        place = place._replace(parent=place, test=D, branch=1, depth=place.depth + 1)
    assert len(place.steps()) == place.depth == 50_000
    assert place.is_at(("1",) * 50_000)
    del place


def test_an_answer_is_that_of_the_node_itself_unless_told() -> None:
    assert Answer("no", (5, 5)) == Answer("no", (5, 5), (), prior=False)


# Answers.

CLASSES = Attribute("y", ("a", "b", "c", "d", "e", "f"))


@given(strategies.counts(smallest=6, cells=st.integers(0, 3)))
def test_the_majority_is_the_first_of_the_most_common_classes(counts: list[int]) -> None:
    answer = majority(CLASSES, tuple(counts), None)
    most = [label for label, count in zip("abcdef", counts, strict=True) if all(count >= other for other in counts)]
    assert answer.label == most[0]
    assert answer.tied == (tuple(most) if len(most) > 1 else ())
    assert (answer.counts, answer.prior) == (tuple(counts), False)


def test_without_rows_the_answer_above_holds_and_no_tie_is_inherited() -> None:
    above = Answer("b", (3, 3), ("a", "b"))
    assert majority(CLASSES, (0,) * 6, above) == Answer("b", (3, 3), (), True)


@pytest.mark.parametrize("target", [CLASSES, Attribute("y")])
def test_without_rows_and_without_a_node_above_there_is_no_answer(target: Attribute) -> None:
    with pytest.raises(ValueError, match="no row reaches the root"):
        answer_of(target, (0,) * 6, None)


def test_numbers_whose_sum_is_0_have_a_mean() -> None:
    assert answer_of(Attribute("y"), (2, 0, 8), None) == Answer(0, (2, 0, 8))
    assert answer_of(Attribute("y"), (2, 0, 0), None) == Answer(0, (2, 0, 0))


def test_without_rows_the_mean_is_that_above() -> None:
    above = Answer(Fraction(5, 2), (2, 5, 13))
    assert answer_of(Attribute("y"), (0, 0, 0), above) == Answer(Fraction(5, 2), (2, 5, 13), prior=True)


CREDIT = Attribute("credit", ("bad", "fair", "good"))


@given(strategies.counts(3, 3), st.lists(st.integers(0, 4), min_size=6, max_size=6))
def test_the_cheapest_answer_by_hand(counts: list[int], prices: list[int]) -> None:
    pairs = [(right, answer) for right in CREDIT.domain for answer in CREDIT.domain if right != answer]
    loss: dict[str, dict[str, Any]] = {right: {} for right in CREDIT.domain}
    for (right, answer), price in zip(pairs, prices, strict=True):
        loss[right][answer] = price + (1 if answer == CREDIT.domain[0] else 0)
    if any(not any(row.values()) for row in loss.values()):
        return
    costs = Costs.of(CREDIT, tuple(counts), None, loss)
    count = dict(zip(CREDIT.domain, counts, strict=True))
    each = {a: sum(n * loss[right].get(a, 0) for right, n in count.items()) for a in CREDIT.domain}
    least = tuple(label for label in CREDIT.domain if each[label] == min(each.values()))
    found = cheapest(CREDIT, tuple(counts), costs, None)
    assert found.label == least[0]
    assert found.tied == (least if len(least) > 1 else ())


def test_without_rows_the_answer_is_that_above() -> None:
    above = Answer("fair", (0, 2, 1), ("fair", "bad"))
    found = cheapest(CREDIT, (0, 0, 0), Costs((1, 1, 1), ()), above)
    assert (found.label, found.counts, found.tied, found.prior) == ("fair", (0, 2, 1), (), True)


# Overrides of ties.

COLUMNS = {"a": list("xxyy"), "b": list("xyxy"), "c": list("xxyy"), "y": ["no", "yes", "yes", "no"]}
TIED = Table.from_columns(COLUMNS)  # an exclusive or: all three gain 0


def test_without_an_override_the_first_of_equals() -> None:
    decision = ID3().decide(TIED.sample())
    assert [winner.test.attribute for winner in decision.winners] == ["a", "b", "c"]
    assert decision.chosen is decision.winners[0]
    assert (decision.answer.label, decision.answer.tied) == ("no", ("no", "yes"))


@of_every(["a", "b", "c"])
def test_any_winner_can_be_chosen(attribute: str) -> None:
    decision = ID3(ties=Ties(choose={"/": attribute})).decide(TIED.sample())
    assert decision.chosen is not None
    assert decision.chosen.test.attribute == attribute
    assert [winner.test.attribute for winner in decision.winners] == ["a", "b", "c"]


@pytest.mark.parametrize("label", ["no", "yes"])
def test_any_majority_class_can_be_the_label(label: str) -> None:
    tree = ID3(ties=Ties(label={"/": label})).grow(TIED)
    assert (tree.nodes[0].label, tree.nodes[0].tied) == (label, ("no", "yes"))
    tree.check(TIED)


def test_an_override_holds_at_its_node_alone_however_it_is_named() -> None:
    for path in ("/a=y", "/1"):
        tree = ID3(ties=Ties(choose={path: "b"}, label={path: "yes"})).grow(TIED)
        assert [node.label for node in tree.nodes[:1]] == ["no"]
        assert tree.nodes[tree.find("/a=y")].label == "yes"
        assert tree.nodes[tree.find("/a=x")].label == "no"
        tree.check(TIED)


def test_below_a_chosen_tie_the_empty_branch_has_the_chosen_label() -> None:
    columns = {"a": list("xxyyz"), "b": ["u", "u", "v", "v", "w"], "y": ["no", "yes", "yes", "yes", "no"]}
    table = Table.from_columns(columns)
    usual = ID3().grow(table)
    node = usual.find("/a=x")
    assert usual.nodes[node].tied == ("no", "yes")
    tree = ID3(ties=Ties(label={"/a=x": "yes"})).grow(table)
    assert tree.nodes[node].label == "yes"
    tree.check(table)


@of_every(
    [
        ({"/": "outlook"}, r"Ties\(choose={'/': 'outlook'}\): that is no exact winner there; the winners are a, b, c"),
        ({"/": "y"}, "no exact winner"),
        ({"/a=x": "c"}, "no exact winner there; the winners are b"),
        ({"/a=x/b=x": "c"}, r"that node is a leaf \(pure\)"),
        ({"/b=x": "a"}, "there is no node at '/b=x'"),
        ({"/7": "a"}, "there is no node"),
        ({"a": "a"}, "does not begin with /"),
    ]
)
def test_anything_but_a_winner_is_refused(choose: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ID3(ties=Ties(choose=choose)).grow(TIED)


@of_every(
    [
        ({"/": "maybe"}, "that is no majority class there; it is no, yes"),
        ({"/a=x/b=x": "yes"}, "that is no majority class there; it is no"),
        ({"/nowhere": "no"}, "there is no node"),
    ]
)
def test_anything_but_a_majority_class_is_refused(label: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ID3(ties=Ties(label=label)).grow(TIED)


@pytest.mark.parametrize("paths", [("/a=x", "/0"), ("/0", "/a=x")])
def test_a_node_that_is_named_twice_is_refused(paths: tuple[str, str]) -> None:
    """By its condition and by its branch's number: whichever came first would win."""
    with pytest.raises(InputError, match=f"choose: {paths[0]} and {paths[1]}: these are one node"):
        ID3(ties=Ties(choose=dict.fromkeys(paths, "b"))).grow(TIED)
    with pytest.raises(InputError, match=f"label: {paths[0]} and {paths[1]}: these are one node"):
        ID3(ties=Ties(label=dict(zip(paths, ("yes", "no"), strict=True)))).grow(TIED)


def test_a_node_below_the_maximum_depth_has_no_choice() -> None:
    with pytest.raises(InputError, match=r"that node is a leaf \(max-depth\)"):
        ID3(max_depth=1, ties=Ties(choose={"/a=x": "b"})).grow(TIED)


def test_overrides_come_back_from_the_options_of_a_tree() -> None:
    ties = Ties(choose={"/": "b", "/0": "a"}, label={"/": "yes", "/0": "no"})
    assert Ties.of(ties.options()) == ties
    assert list(ties.paths()) == ["/", "/0"]
    learner = ID3(ties=ties)
    assert ID3.of(learner.grower().options) == learner
    assert Ties().options() == {}


def test_the_unpruned_tree_of_the_watermelon_book_rests_on_chosen_ties() -> None:
    """Zhou's figure 4.5: the root is 脐部, one of two exact winners, and 好瓜 the answer at three tied nodes."""
    table, validation = textbook("watermelon-2.0-train"), textbook("watermelon-2.0-validation")
    decision = ID3().decide(table.sample())
    assert [winner.test.attribute for winner in decision.winners] == ["色泽", "脐部"]
    tied = {"/": (5, 5), "/脐部=稍凹": (2, 2), "/脐部=稍凹/根蒂=稍蜷/色泽=乌黑": (1, 1)}
    tree = ID3(ties=Ties(choose={"/": "脐部"}, label=dict.fromkeys(tied, "是"))).grow(table)
    tree.check(table)
    for path, counts in tied.items():
        node = tree.nodes[tree.find(path)]
        assert (node.counts, node.label, node.tied) == (counts, "是", ("否", "是"))
    asked = {path: tree.nodes[tree.find(path)].test for path in ("/脐部=凹陷", "/脐部=稍凹", "/脐部=稍凹/根蒂=稍蜷")}
    assert [test.attribute for test in asked.values() if test] == ["色泽", "根蒂", "色泽"]
    assert tree.accuracy(validation) == Fraction(3, 7)  # 42.9 %


def test_one_kind_of_override_is_one() -> None:
    assert Ties(choose={"/": "a"}).any
    assert Ties(label={"/": "a"}).any
    assert not Ties().any
