"""Decisions: majorities, the runner-up, the margin."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision, Winners, too_small
from reference_tree.learners.growing import revisit
from reference_tree.learners.id3 import ID3
from reference_tree.learners.options import Options
from reference_tree.learners.place import Answer, Place
from reference_tree.measures.information_gain import information_gain
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.splitting.candidate import Candidate
from reference_tree.views.derivation.explain import explain_decision
from tests import oracles
from tests.strategies import mixed_tables

tables = (
    st.lists(st.integers(0, 4), min_size=2, max_size=2)
    .map(lambda row: [row, [4 - count for count in row]])
    .filter(lambda table: all(map(any, table)))
)
"""Tables of one sample, four rows of each class: only of one sample are gains ever compared."""


def candidate(table: list[list[int]], barred: str | None = None) -> Candidate:
    partition = Partition((), tuple(map(tuple, table)), (0, 0))
    return Candidate(Multiway(str(table), ("x", "y")), partition, ("gain",), barred)


def decided(tables: list[list[list[int]]], *barred: list[list[int]]) -> Decision:
    """A decision for tables of one sample: those of largest gain win."""
    most = max((information_gain(table) for table in tables), default=None)
    candidates = [candidate(table) for table in tables]
    winners = tuple(c for c in candidates if c.scores["gain"] == most)
    everyone = (*(candidate(table, "candidate") for table in barred), *candidates)
    return Decision((1, 1), Answer("a", (1, 1)), None, lambda: everyone, winners, winners[0] if winners else None)


@given(st.lists(tables, max_size=5), tables)
def test_the_margin_is_to_the_best_that_does_not_win(tables: list[list[list[int]]], barred: list[list[int]]) -> None:
    decision = decided(tables, barred)
    second, margin = decision.runner_up, decision.margin
    with mpmath.workdps(60):
        gains = [oracles.exact_value(information_gain(table)) for table in tables]
        losers = [gain for gain in gains if gain < max(gains) - mpmath.mpf(10) ** -50]
        if not losers:
            assert second is margin is None
            return
        equal = [table for table, gain in zip(tables, gains, strict=True) if abs(gain - max(losers)) < 1e-50]
        assert second is not None
        assert second.table.rows == tuple(map(tuple, equal[0]))
        assert [one.table.rows for one in decision.next_best] == [tuple(map(tuple, table)) for table in equal]
        assert abs(oracles.exact_value(margin) - (max(gains) - max(losers))) < 1e-50


def test_a_leaf_has_no_margin() -> None:
    decision = Decision((3, 0), Answer("a", (3, 0)), "pure")
    assert decision.margin is decision.runner_up is None


ONE, TWO, THREE = candidate([[0, 3], [3, 0]]), candidate([[0, 1], [1, 0]]), candidate([[1, 2], [2, 1]])


def test_winners_are_a_sequence_that_asks_for_more_than_the_first_only_if_it_must() -> None:
    asked: list[bool] = []

    def winning(ties: bool) -> list[Candidate]:
        asked.append(ties)
        return [ONE, TWO, THREE] if ties else [ONE, THREE]

    winners = Winners(winning)
    assert winners[0] is ONE
    assert asked == [False]
    assert (winners[-1], winners[1:], len(winners), asked) == (THREE, (TWO, THREE), 3, [False, True])
    assert winners == (ONE, TWO, THREE)
    others: list[object] = [(ONE, TWO), (ONE, TWO, TWO), 3]
    assert not any(winners == other for other in others)
    assert Winners(lambda ties: []) == ()


def test_what_is_listed_in_part_matters_only_where_something_wins() -> None:
    def decision(*winners: Candidate) -> Decision:
        return Decision((1, 1), Answer("a", (1, 1)), None, tuple, winners, unlisted=lambda: ["x"])

    assert decision().listed_in_part == ()
    assert decision(ONE).listed_in_part == ("x",)


def test_the_margin_of_a_leaf_is_that_of_its_first_winner() -> None:
    """By the gain ratio, whoever can win some resolution of ties wins, with whatever ratio."""
    decision = Decision((1, 1), Answer("a", (1, 1)), "epsilon", lambda: (ONE, TWO, THREE), (ONE, THREE))
    assert decision.margin == information_gain([[0, 3], [3, 0]]) - information_gain([[0, 1], [1, 0]]) == 0


def test_one_split_that_is_too_small_is_reason_enough() -> None:
    assert too_small([candidate([[1, 1]], "candidate"), candidate([[1, 0], [0, 1]], "min-samples-leaf")]) == (
        "min-samples-leaf"
    )
    assert too_small([candidate([[1, 1]], "candidate")]) == too_small([]) == "no-candidates"


def test_a_decision_is_a_line_with_six_digits_of_its_score() -> None:
    """Of 15 loans 9 are granted: all 6 to those who own a house, and 3 to the others."""
    of_all, of_others = (
        -sum(p * mpmath.log(p, 2) for p in (q, 1 - q)) for q in (mpmath.mpf(9) / 15, mpmath.mpf(3) / 9)
    )
    gain = mpmath.nstr(of_all - of_others * 9 / 15, 6)
    assert repr(ID3().decide(textbook("loan").sample())) == f"<Decision at /: 有自己的房子, gain {gain}>"


def test_where_it_was_made_is_no_part_of_a_decision() -> None:
    leaf = ID3(max_depth=0).decide(textbook("play-tennis").sample())
    assert leaf.made is not None
    assert replace(leaf, made=None) == leaf
    assert replace(leaf, total=(1, 2)) != leaf


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "learner",
    [ID3(), C45(), C45.like("weka-j48"), CART(), CART(max_depth=0)],
    ids=["id3", "c45", "weka-j48", "cart", "leaf"],
)
def test_a_copy_of_a_decision_equals_it_and_can_be_explained(learner: Options) -> None:
    sample = textbook("play-tennis").sample()
    decision = learner.decide(sample)
    for copied in (copy.deepcopy(decision), pickle.loads(pickle.dumps(decision))):
        assert copied == decision
        assert (copied.candidates, copied.margin) == (decision.candidates, decision.margin)
        assert explain_decision(copied) == explain_decision(decision)
    assert decision != learner.decide(sample.split(Multiway("wind", ("strong", "weak")))[0])


def test_a_copy_of_a_pre_pruned_decision_is_pre_pruned() -> None:
    rows = textbook("play-tennis")
    few = rows.take([0, 4, 9])
    learner = PrePruning(ID3())
    place = Place.root(rows.sample())._replace(holdout=few.sample())
    decision = learner.decide(rows.sample(), place)
    assert pickle.loads(pickle.dumps(decision)) == decision
    deeper = place._replace(holdout=few.take([0]).sample())
    assert learner.decide(rows.sample(), deeper).stop == copy.deepcopy(learner.decide(rows.sample(), deeper)).stop


@pytest.mark.slow
@settings(max_examples=60)
@given(mixed_tables(), st.sampled_from([None, "entropy"]), st.sampled_from([*CART.profiles, *C45.profiles]))
def test_the_next_best_found_without_all_candidates_are_those_among_all(
    table: Table, criterion: str | None, profile: str
) -> None:
    numeric = table.schema.target.values is None
    learners: list[Options] = [CART() if criterion is None or numeric else CART(criterion="entropy")]
    learners += [CART.like(profile)] if profile in CART.profiles else [] if numeric else [C45.like(profile)]
    for learner in learners:
        try:
            decisions = [visit.decision for visit in revisit(learner.grow(table), learner, table)]
        except InputError:  # a program that takes no such table
            continue
        for decision in decisions:
            every = replace(decision, beside=None)
            assert [one.score for one in decision.next_best] == [one.score for one in every.next_best]
            assert list(decision.next_best) == list(every.next_best)
            assert decision.margin == every.margin
