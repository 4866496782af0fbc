"""The dialects of C4.5: what release 8 and J48 do that the books do not, one difference at a time.

What J48 does was seen at Weka itself (tests/peers/test_weka.py asks it the same questions); the oracle of release 8
is in test_c45_by_the_book.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.learners.c45 import C45, MEASURED, RatioCandidate
from reference_tree.learners.growing import revisit
from reference_tree.programs.c45.release8 import (
    as_in_any_branch,
    at_midpoint,
    every_branch,
    kept_whole,
    log_of_tries,
    no_charge,
    two_large_branches,
)
from reference_tree.programs.c45_options import ChargedCandidate, ProgramC45, first_kept, table_weight
from reference_tree.tree_document import from_json, to_json
from tests.every import of_every
from tests.learners.decisions import at, names, scores
from tests.oracles import exact_value
from tests.strategies import tables_with_gaps

R8, J48 = C45.like("c45-r8"), C45.like("weka-j48")
programs = pytest.mark.parametrize("profile", ["c45-r8", "weka-j48"])
every_profile = st.sampled_from(sorted(C45.profiles))


def table(columns: dict[str, list[Any]], **options: Any) -> Table:
    numbers = [name for name, cells in columns.items() if name != "y" and isinstance(cells[0], int | Fraction)]
    return Table.from_columns(columns, target="y", categorical=["*"], continuous=numbers, **options)


def number_and_class(text: str) -> Table:
    """`1n 2p` → two rows of a number and a class."""
    cells = text.split()
    return table({"a": [Fraction(cell[:-1]) for cell in cells], "y": [cell[-1] for cell in cells]})


def asked(learner: C45, rows: Table) -> list[str]:
    """What the nodes of a tree ask, in preorder."""
    return [node.test.name for node in learner.grow(rows).nodes if node.test]


# ---------------------------------------------------------------------------------------------------- whole decisions


@pytest.mark.slow
@given(tables_with_gaps(rows=12), every_profile)
def test_every_candidate_is_listed_once_and_the_winners_are_among_them(table: Table, profile: str) -> None:
    learner = C45.like(profile)
    for visit in revisit(learner.grow(table), learner, table):
        decision = visit.decision
        if decision.stop in (None, "epsilon", "zero-gain", "average", "no-candidates", "min-samples-leaf"):
            listed = [candidate.test for candidate in decision.candidates]
            attributes = visit.place.attributes(table.schema)
            assert listed == [q.test for attribute in attributes for q in learner.questions(visit.sample, attribute)]
        assert all(any(winner is candidate for candidate in decision.candidates) for winner in decision.winners)
        assert all(winner.barred is None for winner in decision.winners)
        allowed = [candidate for candidate in decision.candidates if candidate.barred is None]
        assert bool(allowed) == bool(decision.winners)
        with mpmath.workdps(100):
            top = max((exact_value(c.scores["ratio"]) for c in allowed), default=0)
            assert not allowed or any(exact_value(w.scores["ratio"]) == top for w in decision.winners)


@given(tables_with_gaps(rows=12), every_profile, st.randoms(use_true_random=False))
def test_the_order_of_rows_is_no_matter(table: Table, profile: str, chance: Any) -> None:
    rows = [{**row, "w": weight} for row, weight in zip(table.rows(), table.weighted(), strict=True)]
    chance.shuffle(rows)
    domains = {a.name: a.values for a in (*table.schema.attributes, table.schema.target)}
    shuffled = Table.from_rows(
        rows,
        "y",
        weights="w",
        categorical=["*"],
        continuous=[name for name, values in domains.items() if values is None],
    )
    assert C45.like(profile).grow(shuffled).nodes == C45.like(profile).grow(table).nodes


@pytest.mark.slow
@given(tables_with_gaps(rows=12), every_profile)
def test_a_tree_is_what_it_claims_to_be_and_comes_back_from_its_document(table: Table, profile: str) -> None:
    tree = C45.like(profile).grow(table)
    tree.check(table)
    assert from_json(to_json(tree)) == tree
    assert C45.of(tree.grower.options, profile) == C45.like(profile)


@given(tables_with_gaps(rows=12), every_profile)
def test_the_weight_of_the_table_is_known_at_every_node(table: Table, profile: str) -> None:
    learner = C45.like(profile)
    for visit in revisit(learner.grow(table), learner, table):
        assert table_weight(visit.place, visit.sample) == sum(table.weighted())


def test_a_profile_is_a_list_of_options_and_nothing_else() -> None:
    for profile, (_, options, *_) in C45.profiles.items():
        assert C45.with_options(**options).grower().options == C45.like(profile).grower().options
    assert C45.like("c45-r8", min_samples_leaf=1).min_samples_leaf == 1


# ---------------------------------------------------------------------------------------------- the figures of tables


@programs
def test_golf(profile: str) -> None:
    """The tree that release 8 prints, which comes with this table: the threshold is a value of the table."""
    assert asked(C45.like(profile), textbook("golf")) == ["outlook", "windy", "humidity<=75"]
    whole = C45.like(profile, collapse=kept_whole)
    decision = at("golf", learner=whole)
    humidity = next(c for c in decision.candidates if c.test.attribute == "humidity" and c.barred == "zero-gain")
    assert scores(decision, "gain")["outlook"] == "0.246750"
    # Nine values on fourteen rows; eight cuts, of which those that leave one row on a side are not tried.
    tried = [c for c in decision.candidates if c.test.attribute == "humidity" and c.barred != "min-samples-leaf"]
    assert humidity.scores["penalty"] == tried[0].scores["penalty"]
    assert 2 ** (14 * float(humidity.scores["penalty"])) == pytest.approx(len(tried))
    assert max(c.scores["net_gain"] for c in tried) < 0


def test_the_root_of_watermelon_3_depends_on_the_c45_meant() -> None:
    assert names(at("watermelon-3.0")) == ["含糖率<=0.126"]
    for profile in ("c45-r8", "weka-j48"):
        decision = at("watermelon-3.0", learner=C45.like(profile, collapse=kept_whole))
        assert names(decision) == ["纹理"]
        assert scores(decision, "gain")["纹理"] == "0.380592"
    # It is the penalty that makes the difference, and no other rule.
    assert names(at("watermelon-3.0", learner=C45.like("c45-r8", penalty=no_charge, collapse=kept_whole))) != ["纹理"]


def test_the_penalty_on_watermelon_3() -> None:
    decision = at("watermelon-3.0", learner=C45.like("c45-r8", collapse=kept_whole))
    sugar = [c for c in decision.candidates if c.test.attribute == "含糖率" and c.scores]
    density = [c for c in decision.candidates if c.test.attribute == "密度" and c.scores]
    assert (len(sugar), len(density)) == (14, 14)  # of 16 cuts each, those with one row on a side are not tried
    best = max(sugar, key=lambda c: c.scores["gain"])
    assert decimal(best.scores["gain"]) == "0.349294"
    assert decimal(best.scores["net_gain"]) == decimal(best.scores["gain"] - best.scores["penalty"])
    assert 17 * float(best.scores["penalty"]) == pytest.approx(float(mpmath.log(14, 2)))


# ------------------------------------------------------------------------------------------------------- an ID column


@of_every([("play-tennis-id", "day"), ("cats-id", "id"), ("loan-id", "ID")])
def test_the_rule_of_two_branches_saves_c45_from_an_id(name: str, attribute: str) -> None:
    assert names(at(name)) == [attribute]
    for profile in ("c45-r8", "weka-j48"):
        decision = at(name, learner=C45.like(profile, collapse=kept_whole))
        barred = {c.test.attribute: c.barred for c in decision.candidates}
        assert barred[attribute] == "min-samples-leaf"
        assert names(decision) != [attribute]
    # Where one row is enough for a branch, it is back; but of loan it no longer raises the average for the others.
    back = names(at(name, learner=C45.like("c45-r8", min_samples_leaf=1, collapse=kept_whole))) == [attribute]
    assert back == (name != "loan-id")


# ------------------------------------------------------------------------------------------------- one rule at a time


@programs
def test_two_rows_on_each_side_of_a_cut_and_a_tenth_of_the_rows_per_class(profile: str) -> None:
    learner = C45.like(profile)
    few = number_and_class(" ".join(f"{x}{'n' if x <= 5 else 'p'}" for x in range(1, 101)))
    assert asked(learner, few)[0] == "a<=5"  # 0.1 · 100 / 2 = 5
    fewer = number_and_class(" ".join(f"{x}{'n' if x <= 4 else 'p'}" for x in range(1, 101)))
    assert asked(learner, fewer)[0] == "a<=5"  # 4 would be pure, but leaves too few on the left
    assert asked(C45.like(profile, cut_minimum=as_in_any_branch), fewer)[0] == "a<=4"


@programs
def test_only_what_is_known_demands_a_share_on_each_side(profile: str) -> None:
    """A tenth of 40 known rows per class is 2, of all 60 rows it would be 3."""
    rows = table({"a": [1] * 2 + [2] * 38 + [None] * 20, "y": list("nn" + "p" * 38 + "np" * 10)})
    decision = C45.like(profile).decide(rows.sample())
    assert decision.chosen is not None
    assert decision.chosen.test.name == "a<=1"
    assert decision.candidates[0] is decision.chosen


@programs
def test_a_cut_is_charged_for_the_cuts_that_were_tried(profile: str) -> None:
    # gain = 0.2516, and 3 of 5 cuts leave two rows on each side: log2(3) / 6 = 0.2642
    rows = "1n 2n 3p 4p 5n 6n"
    assert asked(C45.like(profile), number_and_class(rows)) == []
    assert asked(C45.like(profile, penalty=no_charge, collapse=kept_whole), number_and_class(rows)) != []
    assert len(asked(C45.like(profile), number_and_class(f"{rows} {rows}"))) > 0


@programs
def test_a_gap_of_a_hundred_thousandth_is_not_cut(profile: str) -> None:
    assert asked(C45.like(profile), number_and_class("1.00001n 1.00002p " * 10)) == []
    assert asked(C45.like(profile), number_and_class("1.00001n 1.000021p " * 10)) == ["a<=1.00001"]
    assert asked(C45.like(profile, cut_gap=0), number_and_class("1.00001n 1.00002p " * 10)) == ["a<=1.00001"]
    # Nor is any gap of a chain; but what lies between two chains is.
    chain = number_and_class("0n 0.00001n 0.00002n 0.00003n 1p 1.00001p 1.00002p 1.00003p")
    assert asked(C45.like(profile), chain) == ["a<=0.00003"]
    decision = C45.like(profile).decide(chain.sample())
    assert [c.barred for c in decision.candidates] == ["cut-gap"] * 3 + [None] + ["cut-gap"] * 3
    assert decision.winners[0].scores["penalty"] == 0  # a single cut was tried


@programs
def test_the_threshold_is_the_largest_value_of_the_whole_table_below_the_midpoint(profile: str) -> None:
    left = [(x, "0", label) for x, label in [(1, "n"), (2, "n"), (10, "p"), (11, "p")] for _ in range(4)]
    right = [(x, "1", "q") for x in (4, 5, 7, 8) for _ in range(4)]
    a, b, y = zip(*left, *right, strict=True)
    rows = table({"a": list(a), "b": list(b), "y": list(y)})
    tree = C45.like(profile).grow(rows)
    # Below b the midpoint of 2 and 10 is 6; the 5 lies on the other side of b.
    test = tree.nodes[1].test
    assert isinstance(test, Threshold)
    assert (test.name, test.interval) == ("a<=5", (2, 10))
    midway = C45.like(profile, threshold=at_midpoint).grow(rows).nodes[1].test
    assert midway is not None
    assert midway.name == "a<=6"


def test_with_unknown_as_an_outcome_the_split_information_is_another() -> None:
    rows = table({"a": ["p", "p", "q", "q", None, None], "y": list("nnyyny")})
    plain, unknown = C45().decide(rows.sample()).winners[0], R8.decide(rows.sample()).winners[0]
    assert plain.scores["split_information"] == 1
    assert decimal(unknown.scores["split_information"]) == "1.584963"  # log2 3
    assert plain.scores["gain"] == unknown.scores["gain"] == Fraction(2, 3)


def test_very_many_values_are_left_out_of_the_average() -> None:
    """Of ten rows three values are many: the gain of `many` would keep `plain` from competing."""
    columns = {
        "many": list("aaabbbcccc"), "plain": list("ppppqqqqqp"), "poor": list("ststststst"), "y": list("nnnyyyynny"),
    }  # fmt: skip
    decision = R8.decide(table(columns).sample())
    counted = [c for c in decision.candidates if c.test.attribute in ("plain", "poor")]
    assert decision.evidence["average"] == sum(c.scores["gain"] for c in counted) * Fraction(1, 2)
    alone = R8.decide(table({"many": columns["many"], "few": ["p"] * 10, "y": columns["y"]}).sample())
    assert (alone.stop, alone.winners) == ("average", ())  # nobody to average over


# ---------------------------------------------------------------------------------------------------- nothing to gain

XOR = {"a": list("0011" * 2), "b": list("0101" * 2), "y": list("nyyn" * 2)}
XOR_IN_NUMBERS = {name: [int(cell) for cell in cells] if name != "y" else cells for name, cells in XOR.items()}


def test_an_exclusive_or() -> None:
    assert asked(C45(), table(XOR)) == ["a", "b", "b"]
    assert asked(R8, table(XOR)) == ["a", "b", "b"]  # a gain of 0 is one
    assert asked(J48, table(XOR)) == []
    # A cut has to gain something in both programs.
    assert asked(C45(), table(XOR_IN_NUMBERS)) == ["a<=0.5", "b<=0.5", "b<=0.5"]
    assert asked(R8, table(XOR_IN_NUMBERS)) == asked(J48, table(XOR_IN_NUMBERS)) == []
    assert {learner.decide(table(XOR_IN_NUMBERS).sample()).stop for learner in (R8, J48)} == {"zero-gain"}
    for learner, bar in ((J48, "zero-gain"), (R8, None)):
        decision = learner.decide(table(XOR).sample())
        assert {c.barred for c in decision.candidates} == {bar}
        assert decision.stop == bar


@programs
def test_a_subtree_that_saves_no_error_is_collapsed(profile: str) -> None:
    rows = number_and_class("1n " * 10 + "2n " * 6 + "2p " * 4)
    assert asked(C45.like(profile, collapse=kept_whole), rows) == ["a<=1"]
    leaf = C45.like(profile).grow(rows).nodes
    assert [(node.stop, node.label, node.counts) for node in leaf] == [("collapsed", "n", (16, 4))]


# -------------------------------------------------------------------------------------------------------------- slack


@pytest.mark.slow
@given(tables_with_gaps(rows=12), st.sampled_from([Fraction(1, 10), Fraction(1, 3), Fraction(1, 10**6)]))
def test_a_walk_along_the_cuts_in_reach_ends_where_one_along_all_ends(table: Table, slack: Fraction) -> None:
    learner = C45.like("weka-j48", slack=slack, penalty=no_charge, cut_gain="any", min_samples_leaf=0, cut_minimum=as_in_any_branch, branch_minimum=every_branch)  # fmt: skip # noqa: E501
    sample = table.sample()
    for attribute in table.schema.attributes:
        if attribute.values is None:
            questions = learner.questions(sample, attribute)
            every = [c for c in questions if isinstance(c, ChargedCandidate) and c.barred is None]
            kept = None
            for cut in every:
                with mpmath.workdps(60):
                    gain = exact_value(cut.net_gain)
                    if (
                        kept is None
                        or gain
                        > exact_value(kept.net_gain)
                        + mpmath.mpf(slack.numerator) / slack.denominator
                        + mpmath.mpf(10) ** -40
                    ):
                        kept = cut
            group = learner.best_questions(sample, attribute)
            assert (group[0].test if group else None) == (kept.test if kept else None)


# ----------------------------------------------------------------------------------------------- one against the rest


def test_a_column_of_numbers_without_any_is_not_asked() -> None:
    columns = {"gap": [None] * 60, "x": range(60), "y": ["n"] * 30 + ["y"] * 30}
    tree = C45.like("c45-r8").grow(Table.from_columns(columns, continuous=["gap"]))
    assert [node.test.attribute for node in tree.nodes if node.test] == ["x"]


def test_one_value_against_the_rest_may_be_asked_again() -> None:
    columns = {"a": list("ppqqrrss"), "y": list("nnyynnzz")}
    tree = ProgramC45(branching="one-vs-rest").grow(table(columns))
    assert len([node for node in tree.nodes if node.test and node.test.attribute == "a"]) > 1
    assert all(node.test is None or node.test.kind == "subset" for node in tree.nodes)
    tree.check(table(columns))
    assert tree.accuracy(table(columns)) == 1


def test_the_value_is_that_of_the_best_ratio_and_not_of_the_best_gain() -> None:
    columns = {"a": list("qpppprrpqr"), "y": list("nnynnynnyn")}
    decision = ProgramC45(branching="one-vs-rest").decide(table(columns).sample())
    best = {
        score: max(decision.candidates, key=lambda c, score=score: c.scores[score]).test.name  # type: ignore[misc]
        for score in ("gain", "ratio")
    }
    assert best == {"gain": "a in {p}", "ratio": "a in {q}"}
    assert names(decision) == ["a in {q}"]
    assert sorted(c.barred or "" for c in decision.candidates) == ["", "not-best", "not-best"]


def test_a_single_value_is_no_question() -> None:
    for columns in ({"a": list("ppp"), "y": list("nny")}, {"a": [None] * 3, "y": list("nny")}):
        decision = ProgramC45(branching="one-vs-rest").decide(table(columns).sample())  # type: ignore[arg-type]
        assert (decision.stop, [c.barred for c in decision.candidates]) == ("no-candidates", ["candidate"])


# ------------------------------------------------------------------------------------------------------------ corners


@pytest.mark.parametrize("profile", sorted(C45.profiles))
@pytest.mark.parametrize(
    ("columns", "stops"),
    [
        ({"a": ["p"], "x": [1], "y": ["n"]}, {"pure"}),
        ({"a": ["p"] * 5, "x": [1] * 5, "y": ["n"] * 5}, {"pure"}),
        ({"a": ["p"] * 5, "x": [1] * 5, "y": list("nnyyy")}, {"no-candidates"}),
        ({"x": [1, 2], "y": list("ny")}, {"min-samples-leaf", None}),
    ],
)
def test_small_tables(profile: str, columns: dict[str, list[Any]], stops: set[str | None]) -> None:
    assert C45.like(profile).decide(table(columns).sample()).stop in stops


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("profile", sorted(C45.profiles))
def test_thirty_classes_and_an_attribute_of_forty_values(profile: str) -> None:
    classes = [f"c{k:02}" for k in range(30)]
    rows = table({
        "x": [k // 4 for k in range(120)],
        "a": [f"v{k % 40:02}" for k in range(120)],
        "y": [classes[k // 4] for k in range(120)],
    })  # fmt: skip
    tree = C45.like(profile).grow(rows)
    tree.check(rows)
    assert tree.accuracy(rows) == 1
    assert len(tree.leaves()) >= 30


@of_every(sorted(C45.profiles))
def test_numbers_that_no_double_tells_apart(profile: str) -> None:
    near = [Fraction(10**17 + k, 10**17) for k in (0, 1)]
    huge = [2**53 + k for k in (0, 1)]
    for low, high in (near, huge):
        rows = table({"x": [low] * 4 + [high] * 4, "y": list("nnnnyyyy")})
        learner = C45.like(profile, cut_gap=0)
        tree = learner.grow(rows)
        assert tree.accuracy(rows) == 1
        test = tree.nodes[0].test
        assert isinstance(test, Threshold)
        assert low <= test.threshold < high


def test_weights_of_a_third() -> None:
    rows = table({"a": list("ppqqq"), "w": [Fraction(1, 3)] * 5, "y": list("nnyyy")}, weights="w")
    assert asked(C45(), rows) == ["a"]
    assert R8.grow(rows).nodes[0].stop == "min-samples-leaf"  # two thirds of a row are less than two
    assert asked(C45.like("c45-r8", min_samples_leaf=Fraction(2, 3)), rows) == ["a"]
    assert R8.grow(rows).nodes[0].counts == (Fraction(2, 3), 1)


# -------------------------------------------------------------------------------------------- one walk, with some slack


def charged(rows: Sequence[Sequence[int]], **options: Any) -> ChargedCandidate:
    return ChargedCandidate(Threshold("x", 0), Partition((), tuple(map(tuple, rows)), (0, 0)), MEASURED, **options)


def ladder(*sizes: int) -> list[ChargedCandidate]:
    """Questions of growing gain: of a hundred rows of each class so many are told apart."""
    return [charged([(100 - size, 0), (size, 100)]) for size in sizes]


def gain(question: RatioCandidate) -> Any:
    return question.gain


def test_a_walk_with_slack_depends_on_what_came_before() -> None:
    a, b, c = ladder(10, 9, 8)
    gains = [float(one.scores["gain"]) for one in (a, b, c)]
    assert gains[0] < gains[1] < gains[2]
    one_step, two_steps = max(gains[1] - gains[0], gains[2] - gains[1]), gains[2] - gains[0]
    slack = Fraction((one_step + two_steps) / 2)
    assert first_kept([a, b, c], gain, slack) is c  # two steps above a, which was kept before b
    assert first_kept([b, c, a], gain, slack) is b  # c is but one step above it
    assert first_kept([a, b, c], gain, 0) is c
    assert first_kept([a, a, b, b], gain, 0) is b


def test_with_slack_the_first_is_listed_though_it_is_not_the_best() -> None:
    worse, better = ladder(9, 8)
    groups = [[worse], [better]]
    assert ProgramC45(slack=1).winners(groups) == (worse, better)
    assert ProgramC45().winners(groups) == (better,)


def test_a_charge_makes_an_equal_question_worse() -> None:
    free, dear = charged([(6, 0), (0, 6)]), charged([(6, 0), (0, 6)], penalty=log_of_tries(3, 12))
    assert dear.net_gain < free.net_gain == free.scores["gain"] == 1
    assert ProgramC45().winners([[dear], [free]]) == (free,)


# -------------------------------------------------------------------------------------------------------- the options


def test_profiles_differ_from_the_defaults_in_options_that_there_are() -> None:
    for learner, options, *_ in C45.profiles.values():
        assert set(options) <= {option.name for option in fields(learner)}


def test_the_two_programs_differ_in_three_options() -> None:
    release_8, j48 = R8.grower().options, J48.grower().options
    assert {name: (release_8[name], j48[name]) for name in release_8 if release_8[name] != j48[name]} == {
        "zero_gain": ("splits", "stops"),
        "least_split_information": ("0.001", "0"),
        "slack": ("0", "0.000001"),
    }


@programs
def test_a_document_spells_out_every_option(profile: str) -> None:
    learner = C45.like(profile, cut_gap=Fraction(1, 3), branching="one-vs-rest", branch_minimum=two_large_branches)
    written = learner.grower().options
    assert set(written) == {name for name, option in ProgramC45.options().items() if not option.since}
    assert C45.of(written, profile) == learner
    assert (written["cut_gap"], written["branch_minimum"]) == ("1/3", "two")


def test_who_asks_for_an_option_of_the_programs_gets_the_learner_that_has_it() -> None:
    assert C45.with_options(max_depth=1) == C45(max_depth=1)
    dialect = C45.with_options(slack=1)
    assert (type(dialect), dialect.profile) == (ProgramC45, None)
    assert C45.of(dialect.grower().options) == dialect
    with pytest.raises(TypeError):
        C45.with_options(slacks=1)


@of_every([
        {"branching": "subset"}, {"zero_gain": "perhaps"}, {"cut_gain": 1}, {"slack": float("inf")},
        {"penalty": lambda tries, weight: None}, {"threshold": "middle"}, {"collapse": None}, {"missing": "branch"},
    ])  # fmt: skip
def test_what_is_no_value_of_an_option_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, InputError)):
        C45.with_options(**options)
