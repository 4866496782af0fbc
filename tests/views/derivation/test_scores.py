"""Scores: the steps that are shown lead to the very score that the learner computed, and only those there are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.criteria import CRITERIA
from reference_tree.learners.id3 import ID3
from reference_tree.measures.variance import variance
from reference_tree.views.derivation.notation import opened, text
from reference_tree.views.derivation.scores import FORMULAS, absolute_error_formulas, of_moments, scored, unfolded
from tests.strategies import tables_with_gaps


@pytest.mark.parametrize("learner", [ID3(), C45(), CART()])
def test_every_score_that_a_learner_judges_by_has_its_formulas(learner: Any) -> None:
    assert learner.decide(textbook("play-tennis").sample()).judged_by in FORMULAS


def test_every_criterion_has_its_formulas() -> None:
    judged_by = {criterion.scores[-1] for criterion in CRITERIA.values()}
    assert judged_by - set(FORMULAS) == {"absolute_error_reduction"}
    assert absolute_error_formulas([1, 2, 6]).score.text == "ΔSAD(D, A)"


def test_the_last_step_is_the_score() -> None:
    for name, formulas in FORMULAS.items():
        for candidate in CART().decide(textbook("play-tennis").sample()).candidates if name == "gini_decrease" else ():
            *_, last = formulas.equations("A", scored(candidate))
            assert last.worked.value == candidate.scores[name]
            assert last.in_full


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
    names = [equation.symbol.text for equation in FORMULAS["ratio"].equations("x", scored(cut))]
    assert names == ["H(D|x)", "g(D, x)", "H_x(D)", "g_R(D, x)"]


def test_a_formula_can_be_written_into_another_one() -> None:
    row = work([4, 10, 30])
    assert text(opened(of_moments(variance)(row))) == "5/4"
    assert text(opened(unfolded(of_moments(variance))(row))) == "(30 − 10² / 4) / 4"
    assert unfolded(of_moments(variance))(row).value == Fraction(5, 4)
