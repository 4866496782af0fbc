"""Costs: the cheapest answer, and how priors and losses are told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.learners.cart import CART
from reference_tree.learners.costs import LOSS, PRIORS, cheapest
from reference_tree.learners.place import Answer
from reference_tree.measures.misclassification import Costs
from tests import strategies

CREDIT = Attribute("credit", ("bad", "fair", "good"))


@given(strategies.counts(3, 3), st.lists(st.integers(0, 4), min_size=6, max_size=6))
def test_the_cheapest_answer_by_hand(counts: list[int], prices: list[int]) -> None:
    pairs = [(right, answer) for right in CREDIT.domain for answer in CREDIT.domain if right != answer]
    loss: dict[str, dict[str, Any]] = {right: {} for right in CREDIT.domain}
    for (right, answer), price in zip(pairs, prices, strict=True):
        loss[right][answer] = price + (1 if answer == CREDIT.domain[0] else 0)
    if any(not any(row.values()) for row in loss.values()):
        return
    costs = Costs.of(CREDIT, tuple(counts), None, loss)
    count = dict(zip(CREDIT.domain, counts, strict=True))
    each = {a: sum(n * loss[right].get(a, 0) for right, n in count.items()) for a in CREDIT.domain}
    least = tuple(label for label in CREDIT.domain if each[label] == min(each.values()))
    found = cheapest(CREDIT, tuple(counts), costs, None)
    assert found.label == least[0]
    assert found.tied == (least if len(least) > 1 else ())


def test_without_rows_the_answer_is_that_above() -> None:
    above = Answer("fair", (0, 2, 1), ("fair", "bad"))
    found = cheapest(CREDIT, (0, 0, 0), Costs((1, 1, 1), ()), above)
    assert (found.label, found.counts, found.tied, found.prior) == ("fair", (0, 2, 1), (), True)


@pytest.mark.parametrize(
    "options", [{"priors": {"a": -1}}, {"loss": {"a": {"b": -1}}}, {"priors": {"a": float("nan")}}]
)
def test_what_is_no_cost_is_refused(options: Any) -> None:
    with pytest.raises(ValueError, match=r"is not negative|finite"):
        CART(**options)


def test_a_prior_and_a_loss_may_be_0() -> None:
    learner = CART(priors={"no": 0, "yes": 1}, loss={"no": {"yes": 0}})
    assert (learner.priors, learner.loss) == ({"no": 0, "yes": 1}, {"no": {"yes": 0}})


@pytest.mark.parametrize("written", [{"priors": {"a": 1}}, {"priors": "1"}, {"loss": {"a": "1"}}, {"loss": {"a": 1.5}}])
def test_a_document_writes_costs_as_text(written: Any) -> None:
    with pytest.raises(InputError, match="these are not the options of cart"):
        CART.of({**CART().grower().options, **written})


@pytest.mark.parametrize("option", [PRIORS, LOSS])
def test_no_costs_are_written_as_null(option: Any) -> None:
    assert option["codec"].read(None) is None
    with pytest.raises(ValueError, match="1 is not the text of a number"):
        option["codec"].read({"a": 1})


def test_numbers_may_be_given_as_text() -> None:
    """No float is a third, and a tree document holds texts as well."""
    priors: Any = {"bad": "1/3", "fair": "0.25", "good": "5/12"}
    loss: Any = {"bad": {"good": "5/2"}}
    learner = CART(priors=priors, loss=loss)
    assert learner.priors == {"bad": Fraction(1, 3), "fair": Fraction(1, 4), "good": Fraction(5, 12)}
    assert learner.loss == {"bad": {"good": Fraction(5, 2)}}
    assert CART.of(learner.grower().options) == learner


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"priors": {"no": "half"}}, "a prior of no: 'half' is not a number"),
        ({"priors": {"no": None}}, "a prior of no: None is not a number"),
        ({"priors": {"no": [1]}}, r"a prior of no: \[1\] is not a number"),
        ({"priors": {"no": float("nan")}}, "a prior of no: nan is not a finite number"),
        ({"priors": 5}, "a prior is given for each class by its name, not as 5"),
        ({"loss": [1]}, r"a loss is given for each class and answer by their names, not as \[1\]"),
        ({"loss": {"no": 5}}, "a loss is given for each class by its name, not as 5"),
        ({"loss": {"no": {"yes": "dear"}}}, "a loss of yes: 'dear' is not a number"),
    ],
)
def test_what_is_no_number_is_refused_in_one_line(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        CART(**options)
