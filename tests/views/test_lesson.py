"""A lesson: scores in worked numbers are the scores, and only the steps that there are get shown."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.measures.variance import variance
from reference_tree.views.lesson import of_moments, scored, unfolded
from reference_tree.views.lessons import LESSONS
from reference_tree.views.notation import opened, text
from tests.strategies import tables_with_gaps


@given(tables_with_gaps())
def test_scores_in_worked_numbers_are_the_scores(table: Table) -> None:
    for learner in (C45(), CART(), CART(criterion="entropy")):
        for candidate in learner.decide(table.sample()).candidates:
            if candidate.barred not in ("candidate", "min-samples-leaf"):
                found = scored(candidate).scores
                assert found.keys() == candidate.scores.keys()
                for name, score in candidate.scores.items():
                    assert isinstance(found[name], Worked)
                    assert found[name].value == score


def test_a_score_that_is_not_there_has_no_step() -> None:
    (cut, *_) = (c for c in C45().decide(textbook("golf").sample()).candidates if c.test.kind == "threshold")
    names = [equation.symbol.text for equation in LESSONS["ratio"].equations("x", scored(cut))]
    assert names == ["H(D|x)", "g(D, x)", "H_x(D)", "g_R(D, x)"]


def test_a_formula_can_be_written_into_another_one() -> None:
    row = work([4, 10, 30])
    assert text(opened(of_moments(variance)(row))) == "5/4"
    assert text(opened(unfolded(of_moments(variance))(row))) == "(30 − 10² / 4) / 4"
    assert unfolded(of_moments(variance))(row).value == Fraction(5, 4)
