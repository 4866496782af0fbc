"""The record of a stopping rule: what follows from it, and a rule that is made up here."""

from __future__ import annotations

import pickle
from copy import deepcopy
from dataclasses import fields
from fractions import Fraction

from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.learners.options import Options
from reference_tree.learners.stopping.rule import Stops, rules


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
