"""Verdicts: the sentences, where the derivation's own tests do not read them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference_tree.data.missing import Missing, Surrogate
from reference_tree.data.questions import Subset, Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.splitting.candidate import Candidate
from reference_tree.views.verdicts import (
    BARRED,
    Given,
    average,
    barred_together,
    hidden,
    silent,
    stand_ins,
    without_answer,
)

TABLE = Partition((), ((2, 1), (0, 3)), (1, 0))
ASKED = Candidate(Threshold("x\n", Fraction(5, 2)), TABLE, ("gini_decrease",))


@pytest.mark.parametrize("profile", ["c45-r8", "weka-j48"])
def test_every_rule_that_bars_a_question_has_its_words(profile: str) -> None:
    for name in ("golf", "iris", "watermelon-3.0"):
        decision = C45.like(profile).decide(textbook(name).sample())
        assert {c.barred for c in decision.candidates} - {None, "average", "not-best"} <= set(BARRED)


@pytest.mark.parametrize(
    ("missing", "way"),
    [
        (Missing(shares=(Fraction(1, 2), Fraction(1, 2))), "down every branch, by the shares 0.5, 0.5."),
        (Missing(to=1), "to >2.5."),
        (Missing(stays=True), "nowhere, and answered here."),
        (Missing(), "refused."),
    ],
)
def test_where_a_row_goes(missing: Missing, way: str) -> None:
    assert without_answer(ASKED, missing, "1 row") == f"Without an answer to x\\n<=2.5 (1 row): {way}"


def test_a_surrogate_that_is_turned_round() -> None:
    surrogate = Surrogate(Subset("b", ("p",)), (1, 0), Fraction(2, 3))
    missing = Missing(surrogates=(surrogate, Surrogate(Threshold("z", 1), (0, 1), 1)), stays=True)
    assert list(stand_ins(ASKED, missing)) == [
        ("b", "agrees in 2/3 ≈ 0.666667: in {p} → >2.5; not in {p} → <=2.5"),
        ("z", "agrees in 1: <=1 → <=2.5; >1 → >2.5"),
    ]
    assert without_answer(ASKED, missing, "1 row").endswith(
        "asked the questions below instead; if they answer none of them, nowhere."
    )


def test_what_is_said_of_many() -> None:
    cuts = [ASKED] * 5
    assert hidden("x", 1, 5, cuts) == "Of the 5 cuts of x that are tried, the best one is shown."
    assert hidden("x", 2, 5, cuts) == "Of the 5 cuts of x that are tried, 2 of the best are shown."
    assert barred_together("x", "zero-gain", 1, cuts) == (
        "Of the 5 cuts of x, 1 is no candidate: no gain is left (zero-gain)."
    )
    assert barred_together("x", "min-samples-leaf", 5, cuts) == (
        "x is no candidate: a branch is too small, wherever it is parted (min-samples-leaf)."
    )
    subsets = [Candidate(Subset("b", ("p",)), TABLE, ("gini_decrease",))] * 5
    assert hidden("b", 1, 5, subsets) == "Of the 5 ways to part the values of b that are tried, the best one is shown."


def test_what_has_one_value_or_none() -> None:
    table = Table.from_columns({"x": ["1.50", None], "b": ["p", "p"], "y": ["n", "m"]})
    sample = table.sample()
    assert silent(sample, table.schema.attribute("x")) == "x is no candidate: all rows with a value have x=1.5."
    assert silent(sample, table.schema.attribute("b")) == "b is no candidate: all rows have b=p."


def test_a_lowered_average_is_said_to_be_lowered() -> None:
    table = textbook("golf")
    learner = C45.like("c45-r8")
    tree = learner.grow(table)
    given = Given(tree, learner.grower().options, False, {})
    decision = learner.decide(table.sample())
    assert average(given, decision) == "The average gain less 0.001 is 0.146438; windy falls short of it."
