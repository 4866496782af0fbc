"""Claims: the learner that a tree records, or that of its program; and the rows, as that program saw them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.claims import claims_of, parameters_of
from reference_tree.programs.boosters import PARAMETERS, UNLIKE
from reference_tree.tree import Grower, Program, Tree
from reference_tree.tree_document.form import FOREIGN
from tests.auditing.trees import GROWN, TABLE
from tests.every import of_every


def foreign(parameters: Any = None, unlike: Any = None) -> Tree:
    """A tree as scikit-learn's reader gives it."""
    options = {name: value for name, value in ((PARAMETERS, parameters), (UNLIKE, unlike)) if value is not None}
    return replace(GROWN, grower=Grower(FOREIGN, options=options), program=Program("scikit-learn", numbers="float32"))


def test_a_tree_claims_the_learner_that_it_records_and_the_rows_as_they_are() -> None:
    [claim] = claims_of(GROWN, TABLE)
    assert (claim.tree, claim.learner, claim.table, claim.number) == (GROWN, rt.CART(), TABLE, None)
    [other] = claims_of(GROWN, TABLE, rt.CART(max_depth=1))
    assert other.learner == rt.CART(max_depth=1)


def test_that_of_a_program_claims_its_dialect_with_what_training_was_told() -> None:
    rows = rt.Table.from_columns({"x": ["0.1", "0.2"], "y": ["n", "y"]})
    [claim] = claims_of(foreign({"min_samples_leaf": "2", "max_leaves": 7}), rows)
    assert claim.learner == rt.CART.like("scikit-learn", min_samples_leaf=2)
    single = Fraction(13421773, 134217728)  # the nearest float32 to 0.1
    assert isinstance(claim.table, rt.Table)
    assert claim.table.columns["x"][0] == single


def test_each_tree_of_a_bag_claims_the_rows_that_were_drawn_for_it() -> None:
    bag = rt.Bagging(base=rt.CART(), trees=3, seed=1).grow(TABLE)
    for learner in (None, rt.CART()):
        for claim, member in zip(claims_of(bag, TABLE, learner), bag.members, strict=True):
            assert claim.table.sample().total() == member.tree.nodes[0].counts
            assert claim.learner == rt.CART()
    assert [claim.number for claim in claims_of(bag, TABLE)] == [0, 1, 2]


@of_every(
    [
        ([], None, "are no object"),
        (None, {}, "is no list"),
        ({}, ["class_weight balanced"], "it was trained with class_weight balanced, which an audit cannot repeat"),
    ]
)
def test_what_was_told_and_cannot_be_repeated_is_refused(parameters: Any, unlike: Any, message: str) -> None:
    with pytest.raises(rt.InputError, match=message):
        parameters_of(foreign(parameters, unlike))


def test_a_tree_that_records_nothing_has_to_be_told_its_learner() -> None:
    with pytest.raises(rt.InputError, match="does not say which learner grew it"):
        list(claims_of(replace(foreign(), program=Program("a program")), TABLE))
    (claim,) = claims_of(foreign(), TABLE)  # a known program has a profile
    assert claim.learner.grower().profile == "scikit-learn"
    assert parameters_of(foreign()) == {}
    assert parameters_of(GROWN) == {}
