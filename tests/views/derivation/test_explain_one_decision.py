"""One decision: what it shows of itself is what the derivation of the whole tree shows of that node."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.learners.growing import revisit


@pytest.mark.one_in(5, 10)
@pytest.mark.parametrize(
    ("name", "learner"),
    [
        ("play-tennis", rt.ID3()),
        ("watermelon-3.0", rt.ID3.like("zhou")),
        ("watermelon-2.0a", rt.C45()),
        ("watermelon-3.0", rt.C45.like("weka-j48")),
        ("cats", rt.CART()),
        ("cats-regression", rt.CART()),
        ("cats-regression", rt.CART(criterion="absolute_error")),
        ("watermelon-2.0a", rt.CART.like("rpart")),
        ("watermelon-3.0", rt.CART(priors={"是": Fraction(1, 5), "否": Fraction(4, 5)})),
        ("watermelon-3.0a", rt.CART(branching="linear")),
    ],
)
@pytest.mark.parametrize("format", ["text", "markdown"])
def test_a_decision_is_worked_out_as_in_its_tree(name: str, learner: Any, format: Any) -> None:
    table = rt.textbook(name)
    tree = learner.grow(table)
    for visit in revisit(tree, learner, table):
        if tree.nodes[visit.number].stop == "collapsed":  # by what was grown below, of which a decision knows nothing
            continue
        page = rt.explain_decision(visit.decision, format=format, every=True)
        assert page == rt.explain(tree, table, format=format, node=tree.path(visit.number), every=True)


def test_a_decision_without_a_place_is_refused() -> None:
    decision = rt.ID3().decide(rt.textbook("play-tennis").sample())
    decision.made = None
    assert repr(decision) == "<Decision: outlook, gain 0.24675>"
    with pytest.raises(rt.InputError, match="does not say by whom and where"):
        rt.explain_decision(decision)
