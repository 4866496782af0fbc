"""Formulas: every score that a learner judges by has its own."""

from __future__ import annotations

from typing import Any

from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.criteria import CRITERIA
from reference_tree.learners.id3 import ID3
from reference_tree.views.derivation.formulas import AVERAGE, FORMULAS, absolute_error_formulas, costly_formulas, scored
from reference_tree.views.derivation.notation import text
from tests.every import of_every


@of_every([ID3(), C45(), CART()])
def test_every_score_that_a_learner_judges_by_has_its_formulas(learner: Any) -> None:
    assert learner.decide(textbook("play-tennis").sample()).judged_by in FORMULAS


def test_every_criterion_has_its_formulas() -> None:
    judged_by = {criterion.scores[-1] for criterion in CRITERIA.values()}
    assert judged_by - set(FORMULAS) == {"absolute_error_reduction"}
    assert absolute_error_formulas([1, 2, 6]).score.symbol.text == "ΔSAD(D, A)"


def test_the_average_has_its_summands() -> None:
    gains = [scored(c).scores["gain"] for c in C45().decide(textbook("play-tennis").sample()).candidates]
    assert text(AVERAGE.quantity(gains)) == "(0.246750 + 0.029223 + 0.151836 + 0.048127) / 4"


def test_every_formula_is_written_in_general() -> None:
    for formulas in (*FORMULAS.values(), absolute_error_formulas([1, 2]), costly_formulas([[0, 1], [1, 0]])):
        written = [symbol.text for symbol, _ in formulas.legend]
        for step in (*formulas.whole, formulas.score):
            assert f"{step.symbol.text} = {step.general.text}" in written
