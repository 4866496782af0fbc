"""The worksheet: the tables that a learner judges by, and who is best in them."""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.growing import grow, revisit
from reference_tree.views.verdicts import Given
from reference_tree.views.worksheet import Worksheet


def root(learner: Any, table: Table) -> Worksheet:
    tree = grow(learner, table)
    return Worksheet.of(Given(tree, learner.grower().options, False, {}), learner, next(revisit(tree, learner, table)))


def test_rows_are_counted_as_priors_and_losses_weigh_them() -> None:
    assert root(CART(), textbook("golf")).whole() == (5, 9)
    assert root(CART(priors={"no": 1, "yes": 1}), textbook("golf")).whole() == (45, 45)
    assert root(CART(loss={"yes": {"no": 5}}), textbook("golf")).whole() == (5, 45)


def test_the_columns_of_numbers() -> None:
    assert root(CART(), textbook("li-hang-5.2")).columns == ("n", "Σy", "Σy²")
    by_values = root(CART(criterion="absolute_error"), textbook("li-hang-5.2"))
    assert by_values.columns[:2] == ("4.5", "4.75")
    assert by_values.whole() == (1,) * 10


def test_rows_without_an_answer_are_counted_in_where_the_rule_says_so() -> None:
    table = textbook("watermelon-2.0a")
    for missing, counted_in in (("better-side", True), ("surrogates", False)):
        sheet = root(CART(missing=missing), table)
        assert sheet.decision.chosen is not None
        judged = sheet.judged(sheet.decision.chosen)
        assert any(judged.table.unknown) != counted_in
        assert sum(map(sum, judged.table.rows)) == (17 if counted_in else 15)


@pytest.mark.parametrize(
    "learner",
    [CART(), CART(criterion="entropy"), CART(priors={"no": 1, "yes": 1}), CART(loss={"yes": {"no": 5}}), C45()],
    ids=range(5),
)
def test_judging_again_gives_the_same_scores(learner: Any) -> None:
    sheet = root(learner, textbook("golf"))
    for candidate in sheet.decision.candidates:
        if not candidate.barred:
            assert sheet.judged(candidate).scores == candidate.scores


@pytest.mark.parametrize("name", ["golf", "iris", "watermelon-3.0", "li-hang-5.2"])
def test_the_runner_up_is_that_of_the_decision(name: str) -> None:
    learners = [CART()] if name == "li-hang-5.2" else [CART(), CART(criterion="entropy"), C45(), C45.like("c45-r8")]
    for learner in learners:
        sheet = root(learner, textbook(name))
        second, expected = sheet.runner_up(), sheet.decision.runner_up
        assert (second and second.test) == (expected and expected.test)


def test_the_best_by_estimates_are_the_best() -> None:
    sheet = root(CART(), textbook("iris"))
    found = sheet.best([c for c in sheet.decision.candidates if not c.barred])
    assert {one.test for one in found} == {winner.test for winner in sheet.decision.winners}


def test_the_share_heeds_priors() -> None:
    assert root(CART(priors={"no": 1, "yes": 1}), textbook("golf")).share() == 1
    assert root(C45(), textbook("golf")).share() == 1
