"""Judging: one question at a time is worth what it is worth among all, whoever judges it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import reference_tree as rt
from reference_tree.auditing.judge import Appraisal
from reference_tree.auditing.judging import DecidedArrival, LearnerJudge, way_of
from reference_tree.auditing.stated import Closeness, Stated
from reference_tree.data.questions import Missing, Multiway, Subset, Test, Threshold
from reference_tree.data.sample import Sample
from reference_tree.learners.decision import Learner
from reference_tree.learners.place import Place
from reference_tree.node import Deviations, Node
from reference_tree.splitting.candidate import UNSCORED
from reference_tree.tree import Program
from tests.auditing.test_audit import LEARNERS
from tests.auditing.trees import TABLE
from tests.every import of_every


@of_every([name for name in LEARNERS if name != "cart linear"])
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


def way_there(learner: Learner, tree: rt.Tree, node: Node, sample: Sample, test: Test) -> Missing:
    at = DecidedArrival(Place.root(sample), sample, learner.decide(sample))
    return way_of(LearnerJudge(learner, Closeness.of(tree)), tree, node, at, test)


def test_what_is_not_stated_is_not_judged() -> None:
    sample, learner = TABLE.sample(), rt.CART()
    judge, at = (
        LearnerJudge(learner, Closeness(TABLE.schema.target)),
        DecidedArrival(Place.root(sample), sample, learner.decide(sample)),
    )
    asks = Threshold("x", Fraction(7, 2))
    assert judge.judge(at, Stated(test=asks)) == Appraisal("optimal")
    wrong = judge.judge(at, Stated((5, 4), "maybe", asks))
    assert [one.verdict for one in wrong.faults] == ["wrong-counts", "wrong-leaf"]
    early = judge.judge(at, Stated(stop="max-depth"))
    assert (early.verdict, early.choice) == ("stopped-early", early.faults[0])
    assert early.faults[0].rule == "stop.max-depth"
    other = Stated(test=Multiway("c", ("a", "b", "c")))
    assert judge.judge(at, other).faults[0].rule == "branching"


def test_a_question_of_another_kind_is_another_one_where_this_is_said() -> None:
    table = rt.Table.from_columns({"c": [*"aabb"], "y": [*"nnyy"]})
    sample, learner = table.sample(), rt.CART()
    at = DecidedArrival(Place.root(sample), sample, learner.decide(sample))
    asks = Stated(test=Multiway("c", ("a", "b")))
    strict = LearnerJudge(learner, Closeness(table.schema.target), by_kind=True)
    assert strict.judge(at, asks).faults[0].rule == "branching"
    assert not replace(strict, by_kind=False).judge(at, asks).faults


def test_where_a_row_goes_by_another_of_the_best_questions_and_the_other_way_round() -> None:
    columns: dict[str, list[Any]] = {"a": [1, 1, 2, 2, None], "c": [*"uuvv", None], "y": [*"nnyyy"]}
    table = rt.Table.from_columns(columns)
    sample, learner = table.sample(), rt.CART(missing="branch")
    decision = learner.decide(sample)
    at, judge = (
        DecidedArrival(Place.root(sample), sample, decision),
        LearnerJudge(learner, Closeness(table.schema.target)),
    )
    assert decision.chosen is not None
    assert decision.chosen.test.attribute == "a"
    of_c = learner.decide(table.without(["a"]).sample()).missing
    assert judge.way(at, Subset("c", ("u",))) == of_c == Missing(to=0)
    assert judge.way(at, Subset("c", ("v",))) == Missing(to=1)
    assert judge.way(at, Threshold("a", 5)) is None


def test_where_a_row_goes_of_which_a_tree_says_nothing() -> None:
    table = rt.Table.from_columns({"x": [1, 2, None, 4, 5], "y": [*"nnnyy"]})
    tree = rt.CART(missing="fractions").grow(table)
    silent = replace(tree, program=Program("p", silent=frozenset({"missing"})))
    for learner, way in ((rt.CART(missing="fractions"), "shares"), (rt.CART(missing="branch"), "to")):
        sample = table.sample()
        decision = learner.decide(sample)
        node = replace(tree.nodes[0], missing=Missing())
        for test in (decision.winners[0].test, Threshold("x", Fraction(3, 2))):
            assert getattr(way_there(learner, silent, node, sample, test), way) not in (None, ())
    assert way_there(learner, tree, tree.nodes[0], sample, decision.winners[0].test) == tree.nodes[0].missing


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
    there = way_there(learner, silent, replace(silent.nodes[0], test=other_way), table.sample(), other_way)
    assert there.shares == (Fraction(2, 5), Fraction(3, 5))


@of_every([(2**45, []), (-(2**45), []), (2**30, ["stopped-early"])])
def test_a_leaf_may_miss_a_bound_by_rounding(below: int, verdicts: list[str]) -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [*"nnyy"]})  # x<=2.5 takes half
    leaf = rt.CART(max_depth=0).grow(table)
    foreign = replace(leaf, program=Program("a program", numbers="double"))
    found = rt.audit(foreign, table, rt.CART(min_impurity_decrease=Fraction(1, 2) - Fraction(1, below)))
    assert [finding.verdict for finding in found.wrong] == verdicts


def test_of_questions_that_tie_each_is_stopped_by_itself() -> None:
    """Three questions have the largest gain at one node; the chi-squared test finds one of them relevant."""
    melons, learner = rt.textbook("watermelon-2.0"), rt.ID3.with_options(chi_squared=Fraction(19, 20))
    leaf = learner.grow(melons)
    asked = replace(learner, ties=rt.Ties(choose={"/纹理=清晰": "触感"})).grow(melons)
    assert leaf.nodes[leaf.find("/纹理=清晰")].stop == "chi-squared"
    assert asked.nodes[asked.find("/纹理=清晰")].test is not None
    told = replace(learner, ties=rt.Ties(choose={"/纹理=清晰": "根蒂"}))
    for tree in (leaf, replace(asked, grower=learner.grower())):
        assert rt.audit(tree, melons).is_right
        assert rt.audit(tree, melons, told).is_right
    assert not rt.audit(asked, melons, rt.ID3.with_options(chi_squared=Fraction(99, 100))).is_right, (
        "then none of the three is"
    )
