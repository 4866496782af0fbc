"""Needs: what a case asks of a program, seen in its data, its learner and its numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from reference_tree.conformance.needs import NEEDS
from tests.conformance.test_goldens import DECIDED, IDS, load
from tests.every import of_every

NEEDED = {
    "id3/play-tennis": [],
    "id3/visitor-just-above-one-bit": ["exact"],
    "id3/watermelon-2.0-train-zhou": ["choices"],
    "id3/watermelon-3.0": ["cuts", "dialect:zhou"],
    "cart/golf-priors": ["cuts", "priors", "subsets"],
    "cart/golf-losses": ["cuts", "losses", "subsets"],
    "cart/exclusive-or-linear": ["cuts", "linear"],
    "cart/watermelon-2.0a-surrogates": ["missing", "subsets", "surrogates"],
    "boosting/exclusive-or": ["subsets", "weights"],
    "draws/digits": ["draws"],
    "ensemble/gradient-of-li-hang-8.2": ["cuts", "gradients", "regression"],
    "formula/entropy-pure": [],
    "generated/forty-values": ["many-values", "subsets"],
    "prune/watermelon-2.0-post-pruning": ["choices"],
    "regression/large-numbers": ["cuts", "exact", "regression"],
}


@of_every(NEEDED)
def test_what_a_case_needs(name: str) -> None:
    assert load(name)["needs"] == NEEDED[name]


@of_every(IDS)
def test_needs_are_known_words_in_order(name: str) -> None:
    needs = load(name)["needs"]
    assert needs == sorted(set(needs))
    assert all(word in NEEDS or word.startswith("dialect:") for word in needs)


def test_every_word_is_needed_by_a_case_but_those_of_rows_to_come() -> None:
    assert set(NEEDS) - {word for name in IDS for word in load(name)["needs"]} <= {"unseen"}


def in_doubles(number: dict[str, Any]) -> float:
    return float.fromhex(number["double"])


@of_every(DECIDED)
def test_doubles_tell_the_best_from_the_next_unless_the_case_is_for_exact_programs(name: str) -> None:
    document = load(name)
    margins = [decision["margin"] for decision in document["expected"]["decisions"] if decision["margin"]]
    scores = [
        {in_doubles(candidates[place]["scores"][decision["judged_by"]]) for place in (winner, next_best)}
        for decision in document["expected"]["decisions"]
        for candidates in [decision["candidates"]]
        if (next_best := decision["runner_up"]) is not None
        for winner in decision["winners"][:1]
        if decision["judged_by"] != "ratio" and in_doubles(decision["margin"])
    ]
    if "exact" not in document["needs"]:
        assert all(len(pair) == 2 for pair in scores)
        assert all(not in_doubles(margin) or abs(in_doubles(margin)) > 1e-14 for margin in margins)


def test_a_double_cannot_tell_the_bound_from_the_gain() -> None:
    document = load("id3/visitor-just-above-one-bit")
    bound = Fraction(document["learner"]["options"]["epsilon"])
    root = document["expected"]["decisions"][0]
    assert float(bound) == in_doubles(root["candidates"][root["winners"][0]]["scores"]["gain"])
    assert root["stop"] == "epsilon"
