"""Contenders: bounds that decide never decide wrongly; who may compete; who wins whichever question is sent."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_tree.learners.c45_rules import log_of_tries
from reference_tree.learners.contenders import (
    Contender,
    Group,
    Score,
    Setting,
    above_average,
    average_gain,
    best_of,
    everyone,
    exceeds,
    first_kept,
    is_more_than,
    near_average,
    ordinary,
    possible_winners,
)
from reference_tree.splitting.ratio_bounds import UNIT

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.table import Table
from reference_tree.exact.choosing import Bounds
from reference_tree.exact.log_sums import LogSum
from reference_tree.learners.c45 import C45
from reference_tree.splitting.missing_values import split_information_of_known, split_information_with_unknown
from tests.oracles import exact_value
from tests.strategies import tables_with_gaps

SCORES: tuple[Score, ...] = ("net_gain", "split_information", "ratio")


def contender(rows: Sequence[Sequence[int]], unknown: Sequence[int] = (0, 0), **charged: Any) -> Contender:
    table = Partition((), tuple(map(tuple, rows)), tuple(unknown))
    return Contender(Threshold(charged.pop("name", "x"), 0), table, ("gain",), **charged)


ROWS = 12


@st.composite
def tables_of_a_node(draw: st.DrawFn) -> Contender:
    """A question about the same twelve rows, six of each class; some of them may not answer."""
    cells = [draw(st.integers(0, 3)) for _ in range(4)]
    left = 6 - cells[0] - cells[1], 6 - cells[2] - cells[3]
    third = tuple(draw(st.integers(0, n)) for n in left)
    rows = (cells[0], cells[2]), (cells[1], cells[3]), third
    assume(sum(1 for row in rows if any(row)) > 1)
    opinion = draw(st.sampled_from([split_information_of_known, split_information_with_unknown]))
    penalty = draw(st.one_of(st.none(), st.sampled_from([2, 3, 4, 11])))
    unknown = tuple(n - k for n, k in zip(left, third, strict=True))
    charge = None if penalty is None else log_of_tries(penalty, ROWS)
    return contender(rows, unknown, split_information=opinion, penalty=charge)


# ------------------------------------------------------------------------------------------------------------- bounds


@given(tables_of_a_node())
def test_every_score_lies_within_its_bounds(one: Contender) -> None:
    for score in SCORES:
        low, high = one.bounds(score)
        with mpmath.workdps(200):
            value = exact_value(one.score(score)) * one.unit(score)
            assert low <= value < high
    assert one.unit("ratio") == UNIT
    assert one.weight == ROWS


margins = st.sampled_from([Fraction(0), Fraction(1, 10**6), Fraction(1, 20), Fraction(1, 2), Fraction(1)])


@given(tables_of_a_node(), tables_of_a_node(), st.sampled_from(SCORES), margins)
def test_one_exceeds_another_exactly_if_its_score_does(
    one: Contender, other: Contender, score: Score, by: Fraction
) -> None:
    with mpmath.workdps(200):
        difference = (
            exact_value(one.score(score)) - exact_value(other.score(score)) - mpmath.mpf(by.numerator) / by.denominator
        )
        assert exceeds(one, other, score, by) == (difference > mpmath.mpf(10) ** -150)
        assert is_more_than(one, score, by) == (
            exact_value(one.score(score)) - mpmath.mpf(by.numerator) / by.denominator > mpmath.mpf(10) ** -150
        )


def test_a_margin_that_is_met_exactly_is_not_exceeded() -> None:
    pure, mixed = contender([(2, 0), (0, 2)]), contender([(1, 1), (1, 1)])
    assert not exceeds(pure, mixed, "net_gain", 1)
    assert exceeds(pure, mixed, "net_gain", Fraction(999_999, 10**6))
    assert not is_more_than(pure, "ratio", 1)
    assert is_more_than(pure, "ratio", 1 - Fraction(1, 10**30))


@given(tables_with_gaps(rows=10), st.sampled_from(["zhou", "li-hang", "c45-r8", "weka-j48"]))
def test_without_any_bounds_the_decision_is_the_same(table: Table, profile: str) -> None:
    learner = C45.like(profile)
    expected = learner.decide(table.sample())
    with pytest.MonkeyPatch.context() as patch:
        wide = Bounds(-(1 << 200), 1 << 200)
        patch.setattr(Contender, "bounds", lambda self, name: wide)
        for name in ("gain_bounds", "ratio_bounds", "cost_bounds"):
            patch.setattr(Contender, name, wide)
        found = learner.decide(table.sample())
    assert [winner.test for winner in found.winners] == [winner.test for winner in expected.winners]
    assert (found.stop, found.evidence) == (expected.stop, expected.evidence)


# --------------------------------------------------------------------------------------------------------- one of many


def ladder(*sizes: int) -> list[Contender]:
    """Questions of growing gain: of a hundred rows of each class so many are told apart."""
    return [contender([(100 - size, 0), (size, 100)]) for size in sizes]


def test_a_walk_with_slack_depends_on_what_came_before() -> None:
    a, b, c = ladder(10, 9, 8)
    gains = [float(one.net_gain) for one in (a, b, c)]
    assert gains[0] < gains[1] < gains[2]
    one_step, two_steps = max(gains[1] - gains[0], gains[2] - gains[1]), gains[2] - gains[0]
    slack = Fraction((one_step + two_steps) / 2)
    assert first_kept([a, b, c], "net_gain", slack) is c  # two steps above a, which was kept before b
    assert first_kept([b, c, a], "net_gain", slack) is b  # c is but one step above it
    assert first_kept([a, b, c], "net_gain", 0) is c
    assert first_kept([a, a, b, b], "net_gain", 0) is b


@given(st.lists(tables_of_a_node(), min_size=1, max_size=6), st.sampled_from(["net_gain", "ratio"]), margins)
def test_what_a_walk_keeps_is_within_the_slack_of_the_best(
    walk: list[Contender], score: Score, slack: Fraction
) -> None:
    kept = first_kept(walk, score, slack)
    assert not any(exceeds(one, kept, score, slack) for one in walk)
    if not slack:
        assert kept is next(one for one in walk if not any(exceeds(other, one, score) for other in walk))


def test_equal_tables_are_equal_whatever_the_order() -> None:
    same = [contender([(3, 1), (0, 2)]), contender([(0, 2), (3, 1)]), contender([(3, 1), (2, 0)])]
    assert best_of(same[:2], "net_gain") == same[:2]
    assert len(best_of([*same[:2], contender([(3, 0), (0, 3)])], "net_gain")) == 1


# ---------------------------------------------------------------------------------------------------- who may compete


SETTING = Setting(Schema((Attribute("x"), Attribute("a", tuple("pqr"))), Attribute("y", ("n", "p"))), lambda: 12)


def test_equal_gains_are_at_least_their_average() -> None:
    groups = [[contender([(1, 0), (0, 4)])] for _ in range(3)]
    competing, evidence = above_average(groups, SETTING)
    assert competing == groups
    assert dict(evidence) == {"average": groups[0][0].net_gain}
    assert everyone(groups, SETTING) == (groups, {})
    assert len(evidence) == 1
    with pytest.raises(KeyError):
        evidence["something else"]


def test_near_the_average_is_enough_for_the_programs() -> None:
    """Two gains, of 1 and of 0 less a penalty: their average lies half their difference above the lower one."""
    for distance, competing in ((Fraction(2, 1000), 2), (Fraction(2001, 1_000_000), 1)):
        groups = [[contender([(6, 0), (0, 6)])], [contender([(6, 0), (0, 6)], penalty=LogSum({}, distance))]]
        assert len(near_average(groups, SETTING)[0]) == competing
        assert len(above_average(groups, SETTING)[0]) == 1


@pytest.mark.parametrize(("weight", "many"), [(14, False), (10, True), (Fraction(101, 10), False)])
def test_very_many_values_are_three_tenths_of_the_rows(weight: Fraction, many: bool) -> None:
    found = ordinary(SETTING._replace(weight=lambda: weight))
    assert found == ({"x"} if many else {"x", "a"})


def test_if_all_attributes_have_very_many_values_all_count() -> None:
    schema = Schema((Attribute("a", tuple("pqr")), Attribute("b", tuple("pqrs"))), Attribute("y", ("n", "p")))
    assert ordinary(Setting(schema, lambda: 10)) == {"a", "b"}
    assert ordinary(Setting(schema, lambda: 11)) == {"a"}


def test_one_that_is_left_out_of_the_average_can_win_all_the_same() -> None:
    many = contender([(6, 0), (0, 6)], name="a")
    plain = contender([(5, 1), (1, 5)])
    setting = SETTING._replace(weight=lambda: 10)
    competing, evidence = near_average([[many], [plain]], setting)
    assert competing == [[many], [plain]]
    assert evidence["average"] == plain.net_gain
    assert near_average([[many]], setting) == ([], {})  # nobody to average over: nobody competes


@given(st.lists(tables_of_a_node(), min_size=1, max_size=5))
def test_the_average_is_that_of_the_net_gains(ones: list[Contender]) -> None:
    groups = [[one] for one in ones]
    with mpmath.workdps(200):
        mean = mpmath.fsum(exact_value(one.net_gain) for one in ones) / len(ones)
        assert abs(exact_value(average_gain(groups)) - mean) < mpmath.mpf(10) ** -180
        competing = above_average(groups, SETTING)[0]
        expected = [group for group in groups if exact_value(group[0].net_gain) > mean - mpmath.mpf(10) ** -150]
    assert competing == expected


# ------------------------------------------------------------------------------------------------------------ who wins


@given(st.lists(st.lists(tables_of_a_node(), min_size=1, max_size=3), min_size=1, max_size=4))
def test_the_winners_are_those_of_all_ways_to_send_one_of_each_group(groups: list[list[Contender]]) -> None:
    with mpmath.workdps(200):
        value = {id(one): exact_value(one.scores["ratio"]) for group in groups for one in group}
        expected = set()
        for sent in product(*groups):
            top = max(value[id(one)] for one in sent)
            expected |= {id(one) for one in sent if value[id(one)] > top - mpmath.mpf(10) ** -150}
    found: tuple[Group, ...] = (possible_winners(groups),)
    assert {id(one) for one in found[0]} == expected
    assert len(found[0]) == len(expected)
    assert found[0][0] is first_kept((group[0] for group in groups), "ratio", 0)


def test_with_slack_the_first_is_listed_though_it_is_not_the_best() -> None:
    worse, better = ladder(9, 8)
    slack = Fraction(1)
    assert possible_winners([[worse], [better]], slack) == (worse, better)
    assert possible_winners([[worse], [better]]) == (better,)
