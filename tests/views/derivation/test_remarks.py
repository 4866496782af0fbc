"""Remarks: the sentences, where the derivation's own tests do not read them."""

from __future__ import annotations

from fractions import Fraction
from string import Formatter
from typing import Any

import pytest

from reference_tree.data.questions import Missing, Subset, Surrogate, Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.growing import grow, revisit
from reference_tree.learners.id3 import ID3
from reference_tree.learners.stopping.bounds import rules
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree_document import STOPS
from reference_tree.views.derivation.remarks import (
    BARRED,
    REASONS,
    barred_together,
    below_average,
    leaf,
    ranked,
    surrogates,
    without_answer,
    without_question,
)
from reference_tree.views.derivation.worked_nodes import Given, WorkedNode
from tests.every import of_every

TABLE = Partition((), ((2, 1), (0, 3)), (1, 0))
THIRDS = (Fraction(1, 3), Fraction(2, 3))
CANDIDATE = Candidate(Threshold("x\n", Fraction(5, 2)), TABLE, ("gini_decrease",))


@pytest.mark.parametrize("profile", ["c45-r8", "weka-j48"])
def test_every_rule_that_bars_a_question_has_its_words(profile: str) -> None:
    for name in ("golf", "iris", "watermelon-3.0"):
        decision = C45.like(profile).decide(textbook(name).sample())
        assert {c.barred for c in decision.candidates} - {None, "average", "not-best"} <= set(BARRED)


@of_every(
    [
        (
            Missing(shares=(Fraction(1, 3), Fraction(2, 3))),
            "go down every branch, by the shares r̃_i: <=2.5 1/3, >2.5 2/3.",
        ),
        (Missing(to=1), "go to >2.5."),
        (Missing(stays=True), "go nowhere, and get the prediction of this node."),
        (Missing(), "are refused."),
    ]
)
def test_where_a_row_goes(missing: Missing, way: str) -> None:
    assert without_answer(CANDIDATE, missing, "1 row") == f"Rows without an outcome of x\\n<=2.5 (1 row) {way}"


def test_a_surrogate_that_is_turned_round() -> None:
    surrogate = Surrogate(Subset("b", ("p",)), (1, 0), Fraction(2, 3))
    missing = Missing(surrogates=(surrogate, Surrogate(Threshold("z", 1), (0, 1), 1)), stays=True)
    assert list(surrogates(CANDIDATE, missing)) == [
        ("b", "agrees in 2/3 ≈ 0.666667: p → >2.5; ≠p → <=2.5"),
        ("z", "agrees in 1: <=1 → <=2.5; >1 → >2.5"),
    ]
    assert without_answer(CANDIDATE, missing, "1 row").endswith(
        "are sent by the surrogate tests below; if none has an outcome, they go nowhere."
    )


def test_what_is_said_of_many() -> None:
    cuts = [CANDIDATE] * 5
    assert barred_together("x", "zero-gain", 1, cuts) == (
        "Of the 5 cuts of x, 1 is no candidate: no gain is left (zero-gain)."
    )
    assert barred_together("x", "min-samples-leaf", 5, cuts) == (
        "x is no candidate: a branch is too small, wherever it is parted (min-samples-leaf)."
    )


def test_what_has_one_value_or_none() -> None:
    table = Table.from_columns({"x": ["1.50", None], "b": ["p", "p"], "y": ["n", "m"]})
    sample = table.sample()
    assert (
        without_question(sample, table.schema.attribute("x")) == "x is no candidate: all rows with a value have x=1.5."
    )
    assert without_question(sample, table.schema.attribute("b")) == "b is no candidate: all rows have b=p."


def test_a_lowered_average_is_said_to_be_lowered() -> None:
    table = textbook("golf")
    learner = C45.like("c45-r8")
    tree = learner.grow(table)
    root = WorkedNode.of(Given(tree, learner.grower().options, False, {}), learner, next(revisit(tree, learner, table)))
    assert below_average(root) == "The gain of windy is below ḡ − 0.001: it may not win."


def test_who_is_below_the_average_stays_in_the_ranking() -> None:
    """Golf: the temperature has the best ratio of all, and may not win; the outlook does."""
    table = textbook("golf")
    decision = C45().decide(table.sample())
    competing = [candidate for candidate in decision.candidates if candidate.barred in (None, "average")]
    assert [(line.name, line.fate) for line in ranked(decision, competing)] == [
        ("temperature<=84", "excluded: its gain is below the average"),
        ("outlook", "chosen"),
        ("humidity<=82.5", "excluded: its gain is below the average"),
        ("windy", "excluded: its gain is below the average"),
    ]


def test_of_equal_cuts_of_one_attribute_the_lowest_threshold_is_taken() -> None:
    """Cats: 9 and 10.6 part the weights equally well. That is no matter of the order of attributes."""
    decision = CART().decide(textbook("cats").sample())
    assert [(line.name, line.fate) for line in ranked(decision, decision.winners)] == [
        ("weight<=9", "chosen of 2 exact ties: the lowest threshold"),
        ("weight<=10.6", "exact tie"),
    ]


def test_of_equal_attributes_the_first_is_taken_and_its_lowest_threshold() -> None:
    cells = {"a": ["1", "2", "3"], "b": ["3", "2", "1"], "y": ["p", "q", "p"]}
    decision = CART().decide(Table.from_columns(cells).sample())
    fates = [line.fate for line in ranked(decision, decision.winners)]
    assert fates[0] == "chosen of 4 exact ties: the first attribute in table order, and the lowest threshold"
    assert fates[1:] == ["exact tie"] * 3


# Why a leaf is one.


def leaf_sentence(learner: Any, table: Table, path: str = "/") -> str:
    """The sentence about a leaf."""
    tree = grow(learner, table)
    given = Given(tree, learner.grower().options, False, {})
    (visit,) = (visit for visit in revisit(tree, learner, table) if visit.number == tree.find(path))
    return leaf(WorkedNode.of(given, learner, visit))


def test_every_reason_is_one_that_a_document_knows() -> None:
    assert set(REASONS) <= set(STOPS)


@of_every(
    [
        (CART(), "li-hang-5.2", "/0/0/0", "Leaf: 4.5, because all rows have one number (pure)."),
        (CART(), "golf", "/0", "Leaf: yes, because all rows have one class (pure)."),
        (
            ID3(max_depth=0),
            "golf",
            "/",
            "Leaf: yes, because its children would lie at depth 1, and 0 is the deepest allowed (max-depth).",
        ),
        (
            CART(min_samples_split=15),
            "golf",
            "/",
            "Leaf: yes, because it has 14 rows, and a split needs 15 (min-samples-split).",
        ),
        (
            CART(min_samples_leaf=8),
            "golf",
            "/",
            "Leaf: yes, because every split leaves a branch of less than 8 (min-samples-leaf).",
        ),
        (
            C45.like("c45-r8", min_samples_leaf=8),
            "golf",
            "/",
            "Leaf: yes, because every split leaves a branch that is too small (min-samples-leaf).",
        ),
        (
            CART(epsilon=Fraction(9, 10)),
            "golf",
            "/",
            "Leaf: yes, because the best Gini decrease falls short: 5/49 < ε = 0.9 (epsilon).",
        ),
    ]
)
def test_what_is_said_of_a_leaf(learner: Any, name: str, path: str, sentence: str) -> None:
    assert leaf_sentence(learner, textbook(name), path) == sentence


def test_what_a_reason_leaves_open_is_known() -> None:
    """Whatever stands in braces is an option of a learner, or known of the node."""
    winner = ID3().decide(textbook("play-tennis").sample()).winners[0]
    names = {
        name
        for rule in rules().values()
        for _, name, _, _ in Formatter().parse(rule.words)
        if name and name not in rule.facts(winner)
    }
    node = {"answer", "answer_above", "below", "arrives", "score", "comparison", "below_wrong", "wrong", "too_small"}
    assert names <= {*node, "nothing", *CART().grower().options}
