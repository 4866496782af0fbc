"""The record of a stopping rule: what follows from it, and a rule that is made up here."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from dataclasses import fields
from fractions import Fraction

import pytest

from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.learners.options import Options
from reference_tree.learners.stopping.rule import Stops, rules
from tests.made_up import House


def test_every_option_of_a_rule_is_one_of_a_learner() -> None:
    known = {one.name for learner in (ID3, C45.widest or C45, CART.widest or CART) for one in fields(learner)}
    assert {rule.option for rule in rules().values() if rule.option} <= known


def test_a_rule_that_stops_has_words_for_derivations_and_audits() -> None:
    for rule in rules().values():
        assert rule.before is None or rule.after is None
        if rule.before or rule.after:
            assert rule.words
            assert rule.message


def test_copies_stop_by_the_same_rules() -> None:
    learner: Options
    for learner in (ID3(epsilon=Fraction(1, 4)), CART(min_impurity_decrease=Fraction(1, 4), max_depth=1)):
        outlook = learner.decide(textbook("play-tennis").sample()).winners[0]
        for copied in (deepcopy(learner), pickle.loads(pickle.dumps(learner))):
            assert copied.stops.after(outlook) == learner.stops.after(outlook) is not None
    record = rules()["epsilon"]
    assert pickle.loads(pickle.dumps(record)) is record


def test_only_more_than_usual_is_asking_for_more() -> None:
    assert not Stops({"epsilon": 0, "min_impurity_decrease": 0, "zero_gain": "splits", "max_depth": 3}).asks_for_more
    for bounds in ({"epsilon": 1}, {"min_impurity_decrease": Fraction(1, 9)}, {"zero_gain": "stops"}):
        assert Stops(bounds).asks_for_more
    assert not Stops({"epsilon": 1}).but(epsilon=0).asks_for_more


MADE_UP = '''
"""A rule that no book has: a node is a leaf if one class has enough of its rows."""

from reference_tree.learners.recorded import Option, number
from reference_tree.learners.stopping.rule import StoppingRule


def is_agreed(target, counts, bound):
    """Whether a class has at least a share of the rows; a bound of 0 asks for nothing."""
    return bound > 0 and max(counts) >= bound * target.weight(counts)


AGREED = StoppingRule(
    name="agreed",
    words="one class has at least {enough} of its rows",
    message="one class has enough of its rows",
    before=lambda target, counts, place, bound: is_agreed(target, counts, bound),
    option="enough",
    misapplied="stop.agreed",
    described=Option(0, number(lambda x: 0 <= x <= 1, "a share"), "the share of a class that is enough", since="2026"),
)
'''


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House.with_module("reference_tree.learners.stopping", MADE_UP, tmp_path_factory.mktemp("house"))


@pytest.mark.slow
def test_a_made_up_rule_stops_explains_and_is_audited(house: House) -> None:
    learners = ("id3", "c45", "cart")
    enough = ["--option", "enough", "0.6"]
    commands = [
        command
        for learner in learners
        for command in (
            ["grow", "play-tennis", "--learner", learner, *enough, "-o", f"{learner}.json"],
            ["explain", "play-tennis", "--learner", learner, *enough],
            ["audit", f"{learner}.json", "play-tennis"],
            ["grow", "play-tennis", "--learner", learner, "-o", f"full-{learner}.json"],
        )
    ]
    done = house.commands(*commands)
    assert not any(one.status for one in done), done
    for learner, (_, explained, audited, _) in zip(learners, zip(*[iter(done)] * 4, strict=True), strict=True):
        document = json.loads((house.folder / f"{learner}.json").read_text(encoding="utf-8"))
        assert document["learner"]["options"]["enough"] == "0.6"
        assert [node["stop"] for node in document["nodes"]] == ["agreed"]
        assert "because one class has at least 0.6 of its rows (agreed)" in explained.out
        assert audited.out.startswith("1 node is right")
        full = json.loads((house.folder / f"full-{learner}.json").read_text(encoding="utf-8"))
        assert "enough" not in full["learner"]["options"]


@pytest.mark.slow
def test_its_option_is_checked(house: House) -> None:
    too_much, elsewhere = house.commands(
        ["grow", "golf", "--learner", "cart", "--option", "enough", "2"],
        ["grow", "golf", "--learner", "optimal", "--option", "enough", "1"],
    )
    assert too_much.status == elsewhere.status == 2
    assert "--option enough 2: it is a share, not 2" in too_much.err
    assert "--option enough is an option of id3, c45, cart, not of optimal" in elsewhere.err
