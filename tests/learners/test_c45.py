"""C4.5: who may compete, ties, ε, missing values and other corners, options. The oracle is in test_c45_by_the_book."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45, MEASURED, RatioCandidate, above_average, average_gain, everyone
from reference_tree.learners.place import Ties
from reference_tree.views.derivation.explain import explain
from tests import oracles
from tests.every import of_every
from tests.learners.decisions import at, names, scores
from tests.oracles import exact_value
from tests.strategies import tables_with_gaps

# ------------------------------------------------------------------------------------ who may compete, and an ID column


@of_every(
    [
        ("play-tennis-id", "day", "day"),
        ("cats-id", "id", "id"),
        ("watermelon-2.0-id", "纹理", "纹理"),
        ("loan-id", "ID", "有自己的房子"),  # the ID raises the average so far that nobody else may compete
    ]
)
def test_the_ratio_does_not_always_cure_the_preference_for_an_id(name: str, root: str, plain: str) -> None:
    assert names(at(name)) == [root]
    assert names(at(name, learner=C45.like("li-hang"))) == [plain]


def test_the_figures_of_the_id_columns() -> None:
    plain = C45.like("li-hang")
    for name, attribute, ratio, other, its in (
        ("play-tennis-id", "day", "0.246966", "outlook", "0.156428"),
        ("cats-id", "id", "0.301030", "ear", "0.278072"),
    ):
        found = scores(at(name, learner=plain), "ratio")
        assert (found[attribute], found[other]) == (ratio, its)
    assert scores(at("watermelon-2.0-id"), "split_information")["编号"] == "4.087463"


def test_division_by_the_entropy_of_the_class_is_another_measure() -> None:
    """It orders as the gain does: loan cannot tell the two apart, loan with its ID can."""
    for name, alike in (("loan", True), ("loan-id", False)):
        decision = at(name, learner=C45.like("li-hang"))
        by_gain = max((c for c in decision.candidates if c.scores), key=lambda c: c.scores["gain"])
        assert (by_gain.test.attribute == decision.winners[0].test.attribute) == alike


EQUAL_GAINS: dict[str, Any] = {"a": list("pqqqq"), "b": list("qpppp"), "c": list("prrrr"), "y": list("nyyyy")}


@pytest.mark.covers("N0 EN §3.2 notice", "N2 §2.2 average")
def test_equal_gains_are_at_least_their_average() -> None:
    """In floats each gain is 0.7219280948873623 and their mean …624, so that nobody passes."""
    gain = oracles.float_gain([[1, 0], [0, 4]])
    assert (gain + gain + gain) / 3 > gain
    decision = C45().decide(Table.from_columns(EQUAL_GAINS).sample())
    assert names(decision) == ["a", "b", "c"]
    assert decision.evidence["average"] == decision.winners[0].scores["gain"]
    assert not any(candidate.barred for candidate in decision.candidates)


@pytest.mark.covers("N0 EN §3.2 notice", "N2 §2.2 average")
@given(tables_with_gaps())
def test_with_the_average_someone_is_always_left(table: Table) -> None:
    decision = C45().decide(table.sample())
    standing = [candidate for candidate in decision.candidates if candidate.scores and candidate.barred != "not-best"]
    assert not standing or any(candidate.barred is None for candidate in standing)
    assert all((c.scores["gain"] < decision.evidence["average"]) == (c.barred == "average") for c in standing)


# ----------------------------------------------------------------------------------------------------------------- ties


CUTS: dict[str, list[Any]] = {"x": [0, 0, 1, 2, 2, 3, 6], "b": list("pqqpppq"), "y": list("ynnyyny")}
"""Two cuts of x tie in gain; the ratio of the lower one is that of b, the ratio of the upper one is larger."""
LOWER_FIRST = {**CUTS, "x": [6 - x for x in CUTS["x"]]}
"""The same upside down: the lower cut has the larger ratio."""


def test_equal_cuts_of_different_ratio() -> None:
    decision = C45().decide(Table.from_columns(CUTS).sample())
    assert set(names(decision)) == {"x<=1.5", "x<=4.5", "b"}
    ratios = {winner.test.name: winner.scores["ratio"] for winner in decision.winners}
    assert ratios["x<=1.5"] == ratios["b"] < ratios["x<=4.5"]
    assert decision.chosen is not None
    assert decision.chosen.test.name == "x<=1.5"  # the lowest cut stands for x, and x is the first of equals
    assert decision.runner_up is None
    upside_down = C45().decide(Table.from_columns(LOWER_FIRST).sample())
    assert upside_down.chosen is not None
    assert upside_down.chosen.test.name == "x<=1.5"
    assert set(names(upside_down)) == {"x<=1.5", "x<=4.5", "b"}


@of_every(["x<=1.5", "x<=4.5", "b"])
def test_any_winner_can_be_asked_for(name: str) -> None:
    table = Table.from_columns(CUTS)
    tree = C45(ties=Ties(choose={"/": name})).grow(table)
    tree.check(table)
    assert tree.nodes[0].test is not None
    assert tree.nodes[0].test.name == name
    text = explain(tree, table, node="/")
    fates = dict(re.findall(r"^g_R\(D, (\S+)\) +[\d.]+ +(.*)$", text, re.MULTILINE))
    tied, told = "chosen of 2 exact ties", "the override of ties names it here"
    better, worse = (
        f"{by} by 0.086474; would be chosen if an equal cut stood for its attribute" for by in ("ahead", "behind")
    )
    assert (
        fates
        == {
            "x<=1.5": {"x<=1.5": f"{tied}: the first attribute in table order", "x<=4.5": better, "b": "exact tie"},
            "x<=4.5": {"x<=1.5": worse, "x<=4.5": f"chosen: {told}", "b": worse},
            "b": {"x<=1.5": "exact tie", "x<=4.5": better, "b": f"{tied}: {told}"},
        }[name]
    )


def test_nobody_else_can_be_asked_for() -> None:
    with pytest.raises(InputError, match=r"that is no exact winner there; the winners are x<=1.5, x<=4.5, b"):
        C45(ties=Ties(choose={"/": "x<=2.5"})).grow(Table.from_columns(CUTS))


def test_a_lower_cut_of_less_ratio_gives_way_to_another_attribute() -> None:
    """Where b comes first it is the first of equals, and what x would have been with its other cut stays a winner."""
    columns = {"b": CUTS["b"], "x": CUTS["x"], "y": CUTS["y"]}
    decision = C45().decide(Table.from_columns(columns).sample())
    assert names(decision)[0] == "b"
    assert set(names(decision)) == {"x<=1.5", "x<=4.5", "b"}


@given(tables_with_gaps())
def test_a_possible_winner_beats_all_that_is_none(table: Table) -> None:
    decision = C45.like("li-hang").decide(table.sample())
    allowed = [c for c in decision.candidates if c.barred is None]
    others = [c for c in allowed if not any(c is winner for winner in decision.winners)]
    assert all(w.scores["ratio"] > c.scores["ratio"] for w in decision.winners for c in others)
    if allowed and decision.winners:
        assert (decision.margin is None) == (not others)
        assert decision.margin is None or decision.margin > 0


# ------------------------------------------------------------------------------------------------------------------- ε


HALF: dict[str, Any] = {"a": list("sssstt"), "b": ["p", None, None, None, "q", "q"], "y": list("nynyyy")}
"""What is known of b tells the class, and half of it is known: its ratio is ρ = 1/2."""


@pytest.mark.covers("N0 EN §3.2 ratio", "N1 §1.5 step 4", "N1 §1.5 step 5")
@of_every([("0.5", None), ("0.5000000000000000001", "epsilon"), ("0.4999999999999999999", None)])
def test_epsilon_is_held_against_the_ratio(epsilon: str, stop: str | None) -> None:
    decision = C45(epsilon=Fraction(epsilon)).decide(Table.from_columns(HALF).sample())
    assert (decision.stop, names(decision)) == (stop, ["b"])
    assert decision.winners[0].scores["gain"] < Fraction(46, 100)


def test_epsilon_is_held_against_the_cut_that_is_taken() -> None:
    """Of x<=1.5 and b the ratio is 0.13, of the equal cut x<=4.5 it is 0.216."""
    table, epsilon = Table.from_columns(CUTS), Fraction(15, 100)
    decision = C45(epsilon=epsilon).decide(table.sample())
    assert (decision.stop, names(decision)[0]) == ("epsilon", "x<=1.5")
    told = C45(epsilon=epsilon, ties=Ties(choose={"/": "x<=4.5"}))
    assert names(told.decide(table.sample())) == ["x<=4.5"]  # no other winner reaches ε
    told.grow(table).check(table)
    with pytest.raises(InputError, match=r"that node is a leaf \(epsilon\)"):
        C45(epsilon=epsilon, ties=Ties(choose={"/": "b"})).grow(table)


def test_a_leaf_says_by_how_much_the_best_falls_short() -> None:
    """The first winner is told, and not an equal cut whose ratio would do."""
    table = Table.from_columns(CUTS)
    _, just_above, scale = C45().decide(table.sample()).winners[0].scores["ratio"].enclosure(80)
    for epsilon, shown in ((Fraction(15, 100), "0.130006"), (Fraction(just_above, scale), "0.130005705487")):
        tree = C45(epsilon=epsilon).grow(table)
        said = " ".join(explain(tree, table, node="/").split())
        assert f"because the best ratio falls short: {shown}" in said


# -------------------------------------------------------------------------------------------------------------- corners


def shapes(table: Table, learner: C45 | None = None) -> list[tuple[str, str, str | None]]:
    tree = (learner or C45()).grow(table)
    tree.check(table)
    assert explain(tree, table)
    return [(tree.path(number), str(node.label), node.stop) for number, node in enumerate(tree.nodes)]


def test_an_exclusive_or_is_grown_of_categories_and_of_numbers() -> None:
    for a, b in ((list("0011"), list("0101")), ([0, 0, 1, 1], [0, 1, 0, 1])):
        table = Table.from_columns({"constant": [7] * 4, "a": a, "b": b, "y": list("nyyn")})
        tree = C45().grow(table)
        assert len(tree.nodes) == 7
        assert tree.accuracy(table) == 1
        assert shapes(table, C45(epsilon=Fraction(1, 10**30))) == [("/", "n", "epsilon")]


@pytest.mark.covers("N1 §1.5 step 1", "N1 §1.5 step 2")
@of_every(
    [
        ({"a": ["p"], "y": ["n"]}, "pure"),
        ({"a": [None], "x": [None], "y": ["n"]}, "pure"),
        ({"a": ["p"] * 3, "y": list("nny")}, "no-candidates"),
        ({"x": [5] * 3, "y": list("nny")}, "no-candidates"),
        ({"x": [None] * 3, "a": [None] * 3, "y": list("nny")}, "no-candidates"),
        ({"x": [5, None, None], "a": ["p", None, None], "y": list("nny")}, "no-candidates"),
        ({"y": list("nny")}, "no-attributes"),
    ]
)
def test_one_leaf(columns: dict[str, list[Any]], stop: str) -> None:
    numbers = [name for name in columns if name == "x"]
    assert shapes(Table.from_columns(columns, categorical=["*"], continuous=numbers)) == [("/", "n", stop)]


def test_an_attribute_that_nobody_answers_in_one_branch() -> None:
    columns: dict[str, list[Any]] = {"a": list("sssstttt"), "b": [None] * 4 + list("ppqq"), "y": list("nnnyynyy")}
    table = Table.from_columns(columns)
    assert shapes(table) == [
        ("/", "n", None), ("/a=s", "n", "no-candidates"), ("/a=t", "y", None),
        ("/a=t/b=p", "n", "no-attributes"), ("/a=t/b=q", "y", "pure"),
    ]  # fmt: skip
    assert "b is no candidate: no row has a value." in explain(C45().grow(table), table, node="/a=s")


def test_where_all_known_answers_agree_the_others_are_not_said_to() -> None:
    table = Table.from_columns({"a": ["p", None, "p"], "y": list("nyn")})
    assert "a is no candidate: all rows with a value have a=p." in explain(C45().grow(table), table)


def test_a_row_whose_number_is_missing_goes_both_ways_as_often_as_it_is_asked() -> None:
    table = Table.from_columns({"x": [1, 2, 3, None], "y": list("nyny")})
    tree = C45().grow(table)
    tree.check(table)
    assert sum(sum(tree.nodes[leaf].counts) for leaf in tree.leaves()) == 4
    assert [tree.path(number) for number in tree.leaves()] == ["/x<=1.5", "/x>1.5/x<=2.5", "/x>1.5/x>2.5"]
    assert tree.distribution({"x": None}) == {"n": Fraction(3, 6), "y": Fraction(3, 6)}


def test_branches_that_are_too_small_bar_a_cut() -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4, 5], "y": list("nyyny")})
    assert [winner.test.name for winner in C45(min_samples_leaf=2).decide(table.sample()).winners] == [
        "x<=2.5", "x<=3.5",
    ]  # fmt: skip
    decision = C45(min_samples_leaf=3).decide(table.sample())
    assert (decision.stop, [c.barred for c in decision.candidates]) == ("min-samples-leaf", ["min-samples-leaf"] * 4)
    # Where a row of weight 1/2 is needed, missing values count: 1 and 1/2, not one row and two.
    shared = Table.from_columns({"x": [1, 2, None], "y": list("nyy")})
    assert C45(min_samples_leaf=1).decide(shared.sample()).stop is None
    assert C45(min_samples_leaf=Fraction(3, 2)).decide(shared.sample()).stop == "min-samples-leaf"


@pytest.mark.covers("N1 §1.5 step 6")
def test_an_attribute_of_categories_is_used_once_and_a_number_again() -> None:
    table = Table.from_columns({"x": [1, 2, 3], "a": list("ppq"), "y": list("nyn")})
    tree = C45().grow(table)
    assert [node.test.attribute for node in tree.nodes if node.test] == ["x", "x"]


@pytest.mark.slow
def test_deep_missing_values_do_not_crawl() -> None:
    """The denominators double at each level: 7 bits at the second, 60 at the sixth; the tree stays exact."""
    size = 120
    columns: dict[str, list[Any]] = {
        f"a{k}": [None if (row * 7 + k * 11) % 5 == 0 else "pqr"[(row * (k + 2) // 3) % 3] for row in range(size)]
        for k in range(5)
    }
    table = Table.from_columns({**columns, "y": ["ny"[row * row % 7 > 3] for row in range(size)]})
    tree = C45(max_depth=4).grow(table)
    tree.check(table)
    leaves = [tree.nodes[leaf].counts for leaf in tree.leaves()]
    assert max(count.denominator for counts in leaves for count in counts).bit_length() > 40
    assert sum(sum(counts) for counts in leaves) == size


def test_iris_is_no_matter_of_patience() -> None:
    table = textbook("iris")
    tree = C45().grow(table)
    tree.check(table)
    assert names(C45().decide(table.sample())) == ["petal length<=2.45", "petal width<=0.8"]
    assert tree.accuracy(table) == 1


# ------------------------------------------------------------------------------------- who may compete, and who wins

ROWS = 12


@st.composite
def questions_of_a_node(draw: st.DrawFn) -> RatioCandidate:
    """A question about the same twelve rows, six of each class; some of them may not answer."""
    cells = [draw(st.integers(0, 3)) for _ in range(4)]
    left = 6 - cells[0] - cells[1], 6 - cells[2] - cells[3]
    third = tuple(draw(st.integers(0, n)) for n in left)
    rows = (cells[0], cells[2]), (cells[1], cells[3]), third
    assume(sum(1 for row in rows if any(row)) > 1)
    return question(rows, tuple(n - k for n, k in zip(left, third, strict=True)))


def question(rows: Sequence[tuple[int, ...]], unknown: tuple[int, ...] = (0, 0)) -> RatioCandidate:
    return RatioCandidate(Threshold("x", 0), Partition((), tuple(rows), unknown), MEASURED)


@given(st.lists(questions_of_a_node(), min_size=1, max_size=5))
def test_the_average_is_that_of_the_gains(ones: list[RatioCandidate]) -> None:
    groups = [[one] for one in ones]
    with mpmath.workdps(200):
        mean = mpmath.fsum(exact_value(one.scores["gain"]) for one in ones) / len(ones)
        average = average_gain(one.scores["gain"] for one in ones)
        assert abs(exact_value(average) - mean) < mpmath.mpf(10) ** -180
        expected = [group for group in groups if exact_value(group[0].scores["gain"]) > mean - mpmath.mpf(10) ** -150]
    assert above_average(groups) == expected


@given(st.lists(st.lists(questions_of_a_node(), min_size=1, max_size=3), min_size=1, max_size=4))
def test_the_winners_are_those_of_all_ways_to_send_one_of_each_group(groups: list[list[RatioCandidate]]) -> None:
    with mpmath.workdps(200):
        value = {id(one): exact_value(one.scores["ratio"]) for group in groups for one in group}
        expected = set()
        for sent in product(*groups):
            top = max(value[id(one)] for one in sent)
            expected |= {id(one) for one in sent if value[id(one)] > top - mpmath.mpf(10) ** -150}
        first = max((group[0] for group in groups), key=lambda one: value[id(one)])
        tied = [group[0] for group in groups if value[id(group[0])] > value[id(first)] - mpmath.mpf(10) ** -150]
    found = C45().winners(groups)
    assert {id(one) for one in found} == expected
    assert len(found) == len(expected)
    assert found[0] is tied[0]


# ------------------------------------------------------------------------------------------------ options and documents


def test_profiles_name_their_differences() -> None:
    assert C45.like("zhou").grower().options == C45().grower().options
    assert C45.like("li-hang").grower().options == C45(contenders=everyone).grower().options
    assert C45.like("li-hang").profile == "li-hang"
    assert C45.like("li-hang", epsilon=1, contenders=above_average).contenders is above_average
    with pytest.raises(InputError, match="no profile 'quinlan' of c45; there are zhou, li-hang, c45-r8, weka-j48"):
        C45.like("quinlan")


@pytest.mark.parametrize("name", ["above-average", "everyone"])
def test_a_rule_is_given_by_the_name_that_a_document_has_for_it(name: str) -> None:
    options: dict[str, Any] = {"contenders": name}
    assert C45(**options).grower().options["contenders"] == name
    assert C45(**options) == C45.of({**C45().grower().options, **options})
    with pytest.raises(ValueError, match=r"contenders: there is no 'everybody' \(did you mean everyone\?\)"):
        C45(**{**options, "contenders": "everybody"})


@pytest.mark.parametrize(
    "learner",
    [
        C45(),
        C45.like("zhou", epsilon=Fraction(1, 3), min_samples_split=2),
        C45.like("li-hang", max_depth=2, ties=Ties({"/": "a"}, {"/0": "n"})),
    ],
)
def test_the_options_come_back_from_the_tree(learner: C45) -> None:
    grower = learner.grower()
    assert grower.name == "c45"
    assert C45.of(grower.options, grower.profile) == learner


def test_every_option_is_spelled_out() -> None:
    assert C45.like("li-hang", min_samples_leaf=Fraction(5, 2)).grower().options == {
        "epsilon": "0", "max_depth": None, "min_samples_split": "0", "min_samples_leaf": "2.5",
        "contenders": "everyone", "branching": "multiway", "branch_minimum": "every", "cut_minimum": "same",
        "cut_gap": "0", "penalty": "none", "cut_gain": "any", "zero_gain": "splits", "split_information": "of-known",
        "least_split_information": "0", "threshold": "midpoint", "slack": "0", "missing": "fractions",
        "collapse": "never", "ties": {"split": "first", "class": "first", "at": {}},
    }  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [{"epsilon": "a lot"}, {"contenders": "nobody"}, {"missing": "branch"}, {"max_depth": -1}, {"ties": None}],
)
def test_options_that_are_none_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="these are not the options of c45"):
        C45.of({**C45().grower().options, **change})
    with pytest.raises(InputError, match="these are not the options of c45"):
        C45.of({key: value for key, value in C45().grower().options.items() if key not in change})


@of_every([
        {"epsilon": float("nan")}, {"max_depth": -1}, {"max_depth": 1.5}, {"max_depth": True},
        {"min_samples_leaf": None}, {"contenders": lambda groups: (groups, {})},
    ])  # fmt: skip
def test_what_is_no_option_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError)):
        C45(**options)


def test_a_continuous_target_is_refused() -> None:
    with pytest.raises(InputError, match="the target y is continuous"):
        C45().grow(Table.from_columns({"a": ["p", "q"], "y": [1, 2]}))


def test_a_leaf_is_judged_by_the_ratio_too() -> None:
    assert {at("golf", path).judged_by for path in ("/", "/outlook=overcast")} == {"ratio"}
    assert "g_R(D, A)" in explain(C45(max_depth=0).grow(textbook("golf")), textbook("golf"))
