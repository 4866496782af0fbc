"""Scores: the steps that are shown lead to the very score that the learner computed, and only those there are."""

from __future__ import annotations

import pytest
from hypothesis import given

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.worked import Worked
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.programs.c45.release8 import SPLIT_INFORMATION
from reference_tree.views.derivation.formulas import FORMULAS, scored
from reference_tree.views.derivation.notation import opened, text
from tests.strategies import tables_with_gaps


def test_the_last_step_is_the_score() -> None:
    for name, formulas in FORMULAS.items():
        for candidate in CART().decide(textbook("play-tennis").sample()).candidates if name == "gini_decrease" else ():
            *_, last = formulas.equations("A", scored(candidate))
            assert last.worked.value == candidate.scores[name]


@pytest.mark.slow
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


@pytest.mark.parametrize("opinion", ["of-known", "with-unknown"])
def test_the_split_information_is_that_of_the_rows_it_is_taken_over(opinion: str) -> None:
    """With "unknown" as one more answer it is a sum over all rows D, otherwise one over D̃."""
    learner = C45.with_options(split_information=SPLIT_INFORMATION[opinion])
    candidates = learner.decide(textbook("watermelon-2.0a").sample()).candidates
    candidate = next(one for one in candidates if one.test.name == "纹理")
    found = {one.symbol.text: text(opened(one.worked)) for one in FORMULAS["ratio"].equations("A", scored(candidate))}
    over, left_out = ("H_A(D)", "H_A(D̃)") if opinion == "with-unknown" else ("H_A(D̃)", "H_A(D)")
    assert left_out not in found
    assert ("/17" in found[over]) == (opinion == "with-unknown")
