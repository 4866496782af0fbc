"""Stopping: each rule, its bound, and which comes first; the records of rules, and a rule that is made up here."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from dataclasses import fields
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given

from reference_tree.data.questions import Multiway
from reference_tree.data.table import Table
from reference_tree.data.targets import Classes
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.learners.options import Options
from reference_tree.learners.place import Answer, Place
from reference_tree.learners.stopping.bounds import (
    Stops,
    decreases_too_little,
    falls_short,
    gains_nothing,
    is_deepest,
    is_empty,
    is_exhausted,
    is_pure,
    is_small,
    rules,
)
from reference_tree.measures.information_gain import information_gain
from tests import oracles, strategies
from tests.every import of_every
from tests.made_up import House
from tests.strategies import fractions

SAMPLE = Table.from_columns({"a": ["x", "y"], "y": ["no", "yes"]}).sample()
ROOT = Place.root(SAMPLE)
DEEP, _ = ROOT.children(SAMPLE, Multiway("a", ("x", "y")), Answer("no", (1, 1)))[0]
COUNTS: list[tuple[Any, ...]] = [(0, 0), (0, 3), (2, 1), (Fraction(1, 3), 0), (Fraction(1, 3), Fraction(1, 2))]


@pytest.mark.covers("N0 EN §3.1 step (1)", "N1 §1.4 step 1", "N2 §1 case 1", "N4 Learning Process: one class")
def test_empty_and_pure() -> None:
    assert [is_empty(counts) for counts in COUNTS] == [True, False, False, False, False]
    assert [is_pure(Classes(("a", "b")), counts) for counts in COUNTS] == [False, True, False, True, False]


@pytest.mark.covers("N0 EN §3.1 step (2)", "N1 §1.4 step 2")
def test_no_attribute_is_left() -> None:
    assert not is_exhausted(ROOT)
    assert is_exhausted(DEEP)


@pytest.mark.covers("N4 Learning Process: maximum depth")
@of_every([
    (ROOT, None, False), (ROOT, 0, True), (ROOT, 1, False), (DEEP, None, False), (DEEP, 1, True), (DEEP, 2, False),
])  # fmt: skip
def test_the_root_has_depth_0(place: Place, most: int | None, stops: bool) -> None:
    """A tree of maximum depth 1 splits once."""
    assert is_deepest(place, most) == stops


@pytest.mark.covers("N4 Learning Process: few examples")
@given(strategies.fractional_counts)
def test_as_many_rows_as_a_split_needs_are_enough(counts: list[Any]) -> None:
    n, hair = sum(counts), Fraction(1, 10**30)
    assert not is_small(sum(counts), n)
    assert is_small(sum(counts), n + hair)
    assert not is_small(sum(counts), n - hair)


@pytest.mark.covers("N0 EN §3.1 step (4)", "N1 §1.4 step 4", "N1 §1.4 step 5", "N4 Learning Process: threshold")
@given(strategies.partitions(), fractions(0, 1, max_denominator=6))
def test_a_score_of_epsilon_is_enough(table: list[list[int]], epsilon: Fraction) -> None:
    assert falls_short(information_gain(table), epsilon) == (not oracles.gains_at_least(table, epsilon))


def test_no_bound_forbids_nothing_not_even_what_makes_things_worse() -> None:
    assert not decreases_too_little(Fraction(-1, 6), 1, 1, 0)
    assert decreases_too_little(Fraction(-1, 6), 1, 1, Fraction(1, 10**9))


def test_epsilon_at_one_bit() -> None:
    gain = information_gain([[3, 0, 0], [0, 1, 2]])  # 0.9999999999999998 in floats
    assert not falls_short(gain, 1)
    assert falls_short(gain, 1 + Fraction(1, 10**19))
    assert falls_short(gain, 1 + Fraction(1, 10**300))
    assert not falls_short(gain, 1 - Fraction(1, 10**300))


def test_an_epsilon_of_0_stops_only_what_is_below_it() -> None:
    assert not falls_short(information_gain([[1, 1], [1, 1]]), 0)
    assert falls_short(Fraction(-1, 6), 0)


@pytest.mark.covers("N4 Learning Process: decision 2", "N4 Putting it together: step 4")
def test_the_first_rule_that_holds_is_the_reason() -> None:
    """Empty, pure, no attributes, maximum depth, minimum samples: a pure node is pure whatever else holds."""
    order = ["empty", "pure", "no-attributes", "max-depth", "min-samples-split"]
    for counts, place, depth, minimum in product(COUNTS, (ROOT, DEEP), (None, 0, 1, 2), (0, 3, 4)):
        holds = {
            "empty": is_empty(counts),
            "pure": is_pure(Classes(("a", "b")), counts),
            "no-attributes": is_exhausted(place),
            "max-depth": is_deepest(place, depth),
            "min-samples-split": is_small(sum(counts), minimum),
        }
        expected = next((rule for rule in order if holds[rule]), None)
        assert (
            Stops({"max_depth": depth, "min_samples_split": minimum}).before(Classes(("a", "b")), counts, place)
            == expected
        )
    assert Stops({}).before(Classes(("a", "b")), (2, 1), ROOT) is None


def test_only_a_gain_above_0_is_a_gain() -> None:
    assert gains_nothing(information_gain([[1, 1], [1, 1]]))
    assert not gains_nothing(information_gain([[10**9, 10**9], [10**9, 10**9 + 1]]))
    assert gains_nothing(Fraction(-1, 6))


@given(fractions(0, 1, max_denominator=9), fractions(0, 1, max_denominator=9))
def test_a_decrease_counts_by_the_share_of_its_node(score: Fraction, share: Fraction) -> None:
    hair = Fraction(1, 10**30)
    assert not decreases_too_little(score, share, 1, score * share)
    assert decreases_too_little(score, share, 1, score * share + hair)
    assert decreases_too_little(score, 7 * share, 7, score * share + hair)


def test_without_a_bound_nothing_decreases_too_little() -> None:
    assert not decreases_too_little(0, 0, 1, 0)


def test_no_bound_is_set_unless_told() -> None:
    """The best question of play tennis gains a quarter of a bit, about."""
    outlook = ID3().decide(textbook("play-tennis").sample()).winners[0]
    assert Stops({}).after(outlook) is None
    assert Stops({"epsilon": Fraction(1, 4)}).after(outlook) == "epsilon"
    assert Stops({"min_impurity_decrease": Fraction(1, 4)}).after(outlook) == "min-impurity-decrease"


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
from reference_tree.learners.stopping.bounds import StoppingRule


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
