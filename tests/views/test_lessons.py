"""Lessons: the steps on the board lead to the very score that the learner computed."""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.criteria import CRITERIA
from reference_tree.learners.id3 import ID3
from reference_tree.views.lesson import scored
from reference_tree.views.lessons import LESSONS, absolute_error_lesson


@pytest.mark.parametrize("learner", [ID3(), C45(), CART()])
def test_every_score_that_a_learner_judges_by_has_its_lesson(learner: Any) -> None:
    assert learner.decide(textbook("play-tennis").sample()).judged_by in LESSONS


def test_every_criterion_has_its_lesson() -> None:
    judged_by = {criterion.scores[-1] for criterion in CRITERIA.values()}
    assert judged_by - set(LESSONS) == {"absolute_error_reduction"}
    assert absolute_error_lesson([1, 2, 6]).score.text == "ΔSAD(D, A)"


def test_the_last_step_is_the_score() -> None:
    for name, lesson in LESSONS.items():
        for candidate in CART().decide(textbook("play-tennis").sample()).candidates if name == "gini_decrease" else ():
            *_, last = lesson.equations("A", scored(candidate))
            assert last.worked.value == candidate.scores[name]
            assert last.in_full
