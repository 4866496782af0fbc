"""Judging: one question at a time is worth what it is worth among all, whoever judges it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.judging import Judge, way_of
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Subset, Threshold
from reference_tree.learners.place import Place
from reference_tree.node import Deviations
from reference_tree.splitting.candidate import UNSCORED
from reference_tree.tree import Program
from tests.auditing.test_audit import LEARNERS
from tests.auditing.trees import SIZES, TABLE


@pytest.mark.parametrize("name", [name for name in LEARNERS if name != "cart linear"])
def test_one_question_has_the_scores_that_it_has_among_all(name: str) -> None:
    """And the rule that bars it by its partition; not those that compare it with others."""
    learner, table = LEARNERS[name], TABLE.without(["x", "z"]) if name == "id3" else TABLE
    sample, place = table.sample(), Place.root(table.sample())
    listed = learner.decide(sample).candidates
    assert listed
    for candidate in listed:
        one = learner.judge_one(sample, place, candidate.test)
        assert one.table.rows == candidate.table.rows
        if candidate.barred in UNSCORED:
            assert one.barred == candidate.barred
        else:
            assert one.scores == candidate.scores


def test_the_learners_around_a_learner() -> None:
    forest = rt.RandomForest(trees=1, attributes=1, seed=3).learner(0)
    sample, place = TABLE.sample(), Place.root(TABLE.sample())
    seen = {c.test.attribute for c in forest.decide(sample).candidates}
    best = {
        name: rt.CART().decide(TABLE.without([*{"x", "z", "c"} - {name}]).sample()).winners[0].test for name in "xzc"
    }
    bars = {name: forest.judge_one(sample, place, test).barred for name, test in best.items()}
    assert {name for name, bar in bars.items() if bar is None} == seen
    assert set(bars.values()) == {None, "not-drawn"}


MEANS = rt.CART().grow(SIZES)


def judge(**program: Any) -> Judge:
    tree = replace(MEANS, program=Program("p", **program)) if program else MEANS
    return Judge(tree, rt.CART())


def test_numbers_of_ours_are_exact_and_those_of_a_program_are_rounded() -> None:
    found = (3, 9, 41)
    near = (3, 9, 41 + Fraction(1, 2**45))
    assert judge().alike(found, found, found)
    assert not judge().alike(near, found, found)
    assert judge(numbers="double").alike(near, found, found)
    assert not judge(numbers="double").alike((3, 9, 42), found, found)
    assert judge(numbers="double", silent=frozenset({"errors"})).alike((3, 9, 42), found, found)
    assert not judge(numbers="double").alike((4, 9, 41), found, found)
    assert not judge().alike(Deviations(3, 2, 4), Deviations(3, 2, 5), found)


def test_an_error_is_as_exact_as_the_sums_above_that_it_was_subtracted_from() -> None:
    """Below 10¹², 10¹², 1, 2, 3, 4 scikit-learn 1.9.1 says that 1, 2, 3, 4 have no error; it is 5."""
    found, own = (4, 10, 30), (4, 10, 25)
    program = judge(numbers="double")
    assert program.alike(own, found, (6, 2 * 10**12 + 10, 2 * 10**24 + 30))
    assert not program.alike(own, found, (6, 210, 20030))
    sizes, there = Deviations(4, Fraction(5, 2), 4), Deviations(4, Fraction(5, 2), Fraction(39, 10))
    assert program.alike(there, sizes, (6, 2 * 10**12 + 10, 2 * 10**24 + 30))
    assert not program.alike(there, sizes, (6, 210, 20030))
    assert not judge().alike(own, found, (6, 2 * 10**12 + 10, 2 * 10**24 + 30)), "ours are exact"


def test_a_number_of_weighted_rows_is_a_sum_of_doubles() -> None:
    program = judge(numbers="double")
    assert program.alike((Fraction(0.1 + 0.2), 1, 7), (Fraction(3, 10), 1, 7), (1, 1, 7))
    assert not judge().alike((Fraction(0.1 + 0.2), 1, 7), (Fraction(3, 10), 1, 7), (1, 1, 7))


def test_fractions_of_a_row_are_rounded_where_a_program_prints_them() -> None:
    tree = rt.CART().grow(TABLE)
    printed, found = (2, Fraction("0.333333")), (2, Fraction(1, 3))
    assert not Judge(tree, rt.CART()).alike(printed, found, found)
    program = Judge(replace(tree, program=Program("p")), rt.CART())
    assert program.alike(printed, found, found)
    assert not program.alike((2, Fraction("0.3334")), found, found)
    assert not program.alike((2, Fraction("0.999999999")), (2, 1), found), "a whole row is a whole row"


def test_where_a_row_goes_of_which_a_tree_says_nothing() -> None:
    table = rt.Table.from_columns({"x": [1, 2, None, 4, 5], "y": [*"nnnyy"]})
    tree = rt.CART(missing="fractions").grow(table)
    silent = replace(tree, program=Program("p", silent=frozenset({"missing"})))
    for learner, way in ((rt.CART(missing="fractions"), "shares"), (rt.CART(missing="branch"), "to")):
        sample = table.sample()
        decision = learner.decide(sample)
        node = replace(tree.nodes[0], missing=Missing())
        for test in (decision.winners[0].test, Threshold("x", Fraction(3, 2))):
            assert getattr(way_of(silent, node, decision, sample, test), way) not in (None, ())
    assert way_of(tree, tree.nodes[0], decision, sample, decision.winners[0].test) == tree.nodes[0].missing


def test_a_median_may_be_any() -> None:
    table = rt.Table.from_columns({"x": [1, 1, 1, 1], "y": [1, 2, 6, 20]})
    tree = rt.CART(criterion="absolute_error").grow(table)
    for label, right in ((2, True), (4, True), (6, True), (7, False), (1, False)):
        sad = sum(abs(y - label) for y in (1, 2, 6, 20))
        node = replace(tree.nodes[0], label=label, counts=Deviations(4, label, sad))
        found = rt.audit(replace(tree, nodes=(node,)), table).findings[0]
        assert ("wrong-leaf" in [fault.verdict for fault in found.faults]) != right


def test_a_row_without_an_answer_goes_by_the_shares_of_the_branches_as_the_tree_has_them() -> None:
    """A subset and its complement part alike, the other way round."""
    columns: dict[str, list[Any]] = {"c": [*"aaab", None, "c"], "y": ["no", "no", "no", "yes", "yes", "yes"]}
    table = rt.Table.from_columns(columns)
    learner = rt.CART.like("cart-1984", missing="spread")
    decision = learner.decide(table.sample())
    assert decision.chosen is not None
    assert decision.chosen.test == Subset("c", ("a",))
    assert decision.missing.shares == (Fraction(3, 5), Fraction(2, 5))
    silent = replace(learner.grow(table), program=Program("a program", silent=frozenset({"missing"})))
    other_way = Subset("c", ("b", "c"))
    there = way_of(silent, replace(silent.nodes[0], test=other_way), decision, table.sample(), other_way)
    assert there.shares == (Fraction(2, 5), Fraction(3, 5))


@pytest.mark.parametrize(("below", "verdicts"), [(2**45, []), (-(2**45), []), (2**30, ["stopped-early"])])
def test_a_leaf_may_miss_a_bound_by_rounding(below: int, verdicts: list[str]) -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [*"nnyy"]})  # x<=2.5 takes half
    leaf = rt.CART(max_depth=0).grow(table)
    foreign = replace(leaf, program=Program("a program", numbers="double"))
    found = rt.audit(foreign, table, rt.CART(min_impurity_decrease=Fraction(1, 2) - Fraction(1, below)))
    assert [finding.verdict for finding in found.wrong] == verdicts
