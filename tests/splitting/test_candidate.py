"""Candidates: what can split, and what a table is worth."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Multiway
from reference_tree.data.sample import Partition
from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.gini_index import gini_decrease, gini_index
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import moments, sse, variance_reduction
from reference_tree.splitting.candidate import MEASURES, Candidate, barring_rule, large_enough, of_known, two_branches
from tests import strategies

weights = st.lists(st.one_of(st.just(0), strategies.weights), max_size=5)


def partition_of(table: list[list[Any]]) -> Partition:
    test = Multiway("a", tuple(map(str, range(len(table)))))
    return Partition(test.outcomes, tuple(map(tuple, table)), (0,) * len(table[0]))


@given(weights, strategies.weights)
def test_rules_about_branches(weights: list[Fraction], minimum: Fraction) -> None:
    reached = [weight for weight in weights if weight > 0]
    assert two_branches(weights) == (len(reached) > 1)
    assert large_enough(weights, minimum) == (min(reached, default=minimum) >= minimum)


@given(strategies.partitions(), st.integers(0, 20))
def test_the_rule_that_bars_a_candidate(table: list[list[int]], minimum: int) -> None:
    reached = [sum(row) for row in table if any(row)]
    expected = "candidate" if len(reached) < 2 else "min-samples-leaf" if min(reached) < minimum else None
    assert barring_rule(partition_of(table), minimum) == expected


@given(strategies.partitions())
def test_a_branch_of_exactly_the_minimum_may_compete(table: list[list[int]]) -> None:
    reached = [sum(row) for row in table if any(row)]
    if len(reached) > 1:
        assert barring_rule(partition_of(table), min(reached)) is None
        assert barring_rule(partition_of(table), min(reached) + Fraction(1, 10**20)) == "min-samples-leaf"


@given(strategies.partitions().filter(lambda table: sum(1 for row in table if any(row)) > 1))
def test_scores_are_those_of_the_measures(table: list[list[int]]) -> None:
    measured = ("gain", "split_information", "ratio", "gini_index", "gini_decrease")
    candidate = Candidate(Multiway("a", ("x",)), partition_of(table), measured)
    assert tuple(candidate.scores) == measured
    assert candidate.scores["gain"] == information_gain(table)
    assert candidate.scores["ratio"] == gain_ratio(table)
    assert candidate.scores["gini_decrease"] == gini_decrease(table)
    assert candidate.scores["gain"] == candidate.scores["ratio"].numerator


def test_scores_are_computed_when_they_are_asked_for_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr("reference_tree.splitting.candidate.MEASURES", {"gain": asked.append})
    candidate = Candidate(Multiway("a", ("x",)), partition_of([[1, 0], [0, 1]]), ("gain", "ratio"))
    assert candidate.scores is candidate.scores
    assert (list(candidate.scores), "gain" in candidate.scores, "gini" in candidate.scores) == (["gain", "ratio"], 1, 0)
    assert asked == []
    assert candidate.scores["gain"] is candidate.scores["gain"]
    assert len(asked) == 1
    with pytest.raises(KeyError, match="gini"):
        candidate.scores["gini"]


def test_a_copy_of_scores_has_the_numbers() -> None:
    scores = Candidate(Multiway("a", ("x",)), partition_of([[1, 0], [0, 1]]), ("gini_decrease",)).scores
    assert pickle.loads(pickle.dumps(scores)) == scores == {"gini_decrease": Fraction(1, 2)}
    assert repr(scores) == "{'gini_decrease': Fraction(1, 2)}"


def test_a_barred_candidate_has_no_scores() -> None:
    """Its split information is 0, and its ratio undefined."""
    constant = partition_of([[3, 4], [0, 0]])
    candidate = Candidate(Multiway("a", ("x", "y")), constant, ("gain", "ratio"), barring_rule(constant, 0))
    assert (candidate.barred, candidate.scores) == ("candidate", {})


parts_of_numbers = st.lists(st.lists(st.integers(-3, 3), max_size=4), min_size=2, max_size=4).filter(
    lambda parts: sum(1 for part in parts if part) > 1
)


@given(parts_of_numbers)
def test_scores_of_numbers(parts: list[list[int]]) -> None:
    table = partition_of([list(moments(part)) for part in parts])
    measured = ("split_error", "variance_reduction", "sample_variance_reduction")
    scores = Candidate(Multiway("a", ("x",)), table, measured).scores
    assert scores["split_error"] == sum(sse(moments(part)) for part in parts if part)
    assert scores["variance_reduction"] == variance_reduction([moments(part) for part in parts])
    assert scores["sample_variance_reduction"] == variance_reduction([moments(part) for part in parts], unbiased=True)


@given(strategies.partitions().filter(lambda table: any(map(any, table))), st.lists(st.integers(0, 5), min_size=4))
def test_what_is_not_known_makes_a_score_count_less(table: list[list[int]], lost: list[int]) -> None:
    """Decrease of Gini and gain alike, by the share of those who answer."""
    known, unknown = sum(map(sum, table)), tuple(lost[: len(table[0])])
    gappy = partition_of(table)._replace(unknown=unknown)
    share = Fraction(known, known + sum(unknown))
    assert MEASURES["gini_decrease"](gappy) == share * gini_decrease(table)
    assert MEASURES["gain"](gappy) == share * information_gain(table)
    assert of_known(gini_index)(gappy) == share * gini_index(table)


@given(parts_of_numbers, st.lists(st.integers(-3, 3), max_size=4))
def test_the_same_for_numbers(parts: list[list[int]], lost: list[int]) -> None:
    table = partition_of([list(moments(part)) for part in parts])._replace(unknown=tuple(moments(lost)))
    known = sum(map(len, parts))
    expected = Fraction(known, known + len(lost)) * variance_reduction([moments(part) for part in parts])
    assert MEASURES["variance_reduction"](table) == expected


def test_a_learner_can_bring_its_own_measures() -> None:
    table = partition_of([[1, 0], [0, 1]])
    own = Candidate(Multiway("a", ("x",)), table, ("gain",), measures={"gain": lambda table: len(table.rows)})
    assert own.scores == {"gain": 2}
    assert own == Candidate(Multiway("a", ("x",)), table, ("gain",))


def test_the_weight_of_numbers_is_not_the_sum_of_their_moments() -> None:
    table = partition_of([[1, 5, 25], [2, 3, 5]])
    assert barring_rule(table, 2, weight=lambda row: row[0]) == "min-samples-leaf"
    assert barring_rule(table, 2) is None


def test_how_a_candidate_is_shown() -> None:
    question, table = Multiway("a", ("x", "y")), partition_of([[2, 0], [0, 2]])
    assert repr(Candidate(question, table, ("gain", "ratio", "gini_decrease"))) == "<Candidate a: gini_decrease 0.5>"
    below = Candidate(question, table, ("gain",), barred="average")
    assert repr(below) == "<Candidate a: gain 1, barred by average>"
    assert repr(Candidate(question, table, ("gain",), barred="candidate")) == "<Candidate a: barred by candidate>"


def test_rows_without_an_answer_count_among_moments_though_their_sum_is_0() -> None:
    known = (moments([1, 3]), moments([5, 7]))
    table = Partition(("", ""), known, moments([-1, 1]))  # type: ignore[arg-type]  # outcomes are not looked at
    assert MEASURES["variance_reduction"](table) == Fraction(4, 6) * variance_reduction(known)
