"""Ties: an override chooses among equals, and nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.learners.ties import Ties

COLUMNS = {"a": list("xxyy"), "b": list("xyxy"), "c": list("xxyy"), "y": ["no", "yes", "yes", "no"]}
TABLE = Table.from_columns(COLUMNS)  # an exclusive or: all three gain 0


def test_without_an_override_the_first_of_equals() -> None:
    decision = ID3().decide(TABLE.sample())
    assert [winner.test.attribute for winner in decision.winners] == ["a", "b", "c"]
    assert decision.chosen is decision.winners[0]
    assert (decision.answer.label, decision.answer.tied) == ("no", ("no", "yes"))


@pytest.mark.parametrize("attribute", ["a", "b", "c"])
def test_any_winner_can_be_chosen(attribute: str) -> None:
    decision = ID3(ties=Ties(choose={"/": attribute})).decide(TABLE.sample())
    assert decision.chosen is not None
    assert decision.chosen.test.attribute == attribute
    assert [winner.test.attribute for winner in decision.winners] == ["a", "b", "c"]


@pytest.mark.parametrize("label", ["no", "yes"])
def test_any_majority_class_can_be_the_label(label: str) -> None:
    tree = ID3(ties=Ties(label={"/": label})).grow(TABLE)
    assert (tree.nodes[0].label, tree.nodes[0].tied) == (label, ("no", "yes"))
    tree.check(TABLE)


def test_an_override_holds_at_its_node_alone_however_it_is_named() -> None:
    for path in ("/a=y", "/1"):
        tree = ID3(ties=Ties(choose={path: "b"}, label={path: "yes"})).grow(TABLE)
        assert [node.label for node in tree.nodes[:1]] == ["no"]
        assert tree.nodes[tree.find("/a=y")].label == "yes"
        assert tree.nodes[tree.find("/a=x")].label == "no"
        tree.check(TABLE)


def test_below_a_chosen_tie_the_empty_branch_has_the_chosen_label() -> None:
    columns = {"a": list("xxyyz"), "b": ["u", "u", "v", "v", "w"], "y": ["no", "yes", "yes", "yes", "no"]}
    table = Table.from_columns(columns)
    usual = ID3().grow(table)
    node = usual.find("/a=x")
    assert usual.nodes[node].tied == ("no", "yes")
    tree = ID3(ties=Ties(label={"/a=x": "yes"})).grow(table)
    assert tree.nodes[node].label == "yes"
    tree.check(table)


@pytest.mark.parametrize(
    ("choose", "message"),
    [
        ({"/": "outlook"}, r"Ties\(choose={'/': 'outlook'}\): that is no exact winner there; the winners are a, b, c"),
        ({"/": "y"}, "no exact winner"),
        ({"/a=x": "c"}, "no exact winner there; the winners are b"),
        ({"/a=x/b=x": "c"}, r"that node is a leaf \(pure\)"),
        ({"/b=x": "a"}, "there is no node at '/b=x'"),
        ({"/7": "a"}, "there is no node"),
        ({"a": "a"}, "does not begin with /"),
    ],
)
def test_anything_but_a_winner_is_refused(choose: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ID3(ties=Ties(choose=choose)).grow(TABLE)


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ({"/": "maybe"}, "that is no majority class there; it is no, yes"),
        ({"/a=x/b=x": "yes"}, "that is no majority class there; it is no"),
        ({"/nowhere": "no"}, "there is no node"),
    ],
)
def test_anything_but_a_majority_class_is_refused(label: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ID3(ties=Ties(label=label)).grow(TABLE)


@pytest.mark.parametrize("paths", [("/a=x", "/0"), ("/0", "/a=x")])
def test_a_node_that_is_named_twice_is_refused(paths: tuple[str, str]) -> None:
    """By its condition and by its branch's number: whichever came first would win."""
    with pytest.raises(InputError, match=f"choose: {paths[0]} and {paths[1]}: these are one node"):
        ID3(ties=Ties(choose=dict.fromkeys(paths, "b"))).grow(TABLE)
    with pytest.raises(InputError, match=f"label: {paths[0]} and {paths[1]}: these are one node"):
        ID3(ties=Ties(label=dict(zip(paths, ("yes", "no"), strict=True)))).grow(TABLE)


def test_a_node_below_the_maximum_depth_has_no_choice() -> None:
    with pytest.raises(InputError, match=r"that node is a leaf \(max-depth\)"):
        ID3(max_depth=1, ties=Ties(choose={"/a=x": "b"})).grow(TABLE)


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
