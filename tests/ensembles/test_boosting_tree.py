"""The boosting tree: Li Hang's table 8.2, and laws."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.ensembles.registry import ensemble_learner_of
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.growing import grow
from tests.learners.test_cart_by_the_book import numeric_tables
from tests.strategies import at_most

LI_HANG = textbook("li-hang-8.2")


def test_the_six_rounds_of_table_8_2() -> None:
    rounds = list(BoostingTree(trees=6).rounds(LI_HANG))
    questions = [next(found.tree.rules()).conditions[0] for found in rounds]
    assert questions == [f"x<={cut}" for cut in (6.5, 3.5, 6.5, 4.5, 6.5, 2.5)]
    losses = [round(float(found.loss), 4) for found in rounds]
    assert losses == [1.9300, 0.8007, 0.4780, 0.3056, 0.2289, 0.1722]
    left, right = (round(float(rounds[1].tree.nodes[leaf].label), 4) for leaf in (1, 2))
    assert (left, right) == (-0.5133, 0.22)
    printed = [-0.68, -0.54, -0.33, 0.16, 0.56, 0.81, -0.01, -0.21, 0.09, 0.14]  # table 8.3
    assert [float(r) for r in rounds[0].left] == pytest.approx(printed, abs=0.005)


def test_the_sum_of_six_stumps_is_a_function_of_six_steps() -> None:
    """By the book, with its figures that are rounded on the way: 5.63, 5.82, 6.56, 6.83 and 8.95."""
    boosted = BoostingTree(trees=6).grow(LI_HANG)
    found = [round(float(boosted.predict({"x": x})), 2) for x in (1, 3, 4, 5, 7)]
    assert found == pytest.approx([5.63, 5.82, 6.55, 6.82, 8.95], abs=0.011)
    assert boosted.mean_squared_error(LI_HANG) * 10 == list(BoostingTree(trees=6).rounds(LI_HANG))[-1].loss


@at_most(30)
@given(numeric_tables())
def test_each_tree_is_grown_from_what_the_sum_of_those_before_it_leaves(table: Table) -> None:
    boost = BoostingTree(trees=4)
    try:
        rounds = list(boost.rounds(table))
    except InputError:  # a rule for missing values that this table has no use for
        return
    truth: list[Any] = [row["y"] for row in table.rows()]
    rows = [{name: cell for name, cell in row.items() if name != "y"} for row in table.rows()]
    before = [Fraction(0)] * len(table)
    for found in rounds:
        left = [y - f for y, f in zip(truth, before, strict=True)]
        assert list(found.residuals) == left
        fitted = Table.from_columns(
            {**{name: [row[name] for row in rows] for name in rows[0]}, "w": list(table.weighted()), "y": left},
            target="y", weights="w", categorical=["a", "b"], continuous=["x", "z", "y"],
        )  # fmt: skip
        assert [node.label for node in boost.base.grow(fitted).nodes] == [node.label for node in found.tree.nodes]
        before = [f + Fraction(found.tree.predict(row)) for f, row in zip(before, rows, strict=True)]
        assert found.loss == sum(w * (y - f) ** 2 for w, y, f in zip(table.weighted(), truth, before, strict=True))


@at_most(30)
@given(numeric_tables())
def test_the_loss_never_rises(table: Table) -> None:
    losses = [found.loss for found in BoostingTree(trees=5).rounds(replace(table, weights=None))]
    assert all(after <= before for before, after in pairwise(losses))


@at_most(30)
@given(numeric_tables())
def test_the_sum_is_what_the_rounds_leave(table: Table) -> None:
    *_, last = BoostingTree(trees=3).rounds(table)
    boosted = BoostingTree(trees=3).grow(table)
    truth: list[Any] = [row["y"] for row in table.rows()]
    assert [y - f for y, f in zip(truth, boosted.predict(table), strict=True)] == list(last.left)


def test_each_tree_can_be_decided_once_more() -> None:
    boost = BoostingTree(trees=3)
    ensemble = boost.grow(LI_HANG)
    for member, (learner, rows) in zip(ensemble.members, boost.decided(ensemble, LI_HANG), strict=True):
        assert grow(learner, rows).nodes == member.tree.nodes
    for other in (LI_HANG.take(range(7)), LI_HANG.take([0, 0, 0])):  # of equal rows one tree leaves nothing
        with pytest.raises(InputError, match="grown from a table with other rows"):
            list(boost.decided(ensemble, other))


def test_it_stops_when_the_loss_is_small_enough() -> None:
    assert len(BoostingTree(loss=Fraction(1, 5)).grow(LI_HANG).members) == 6
    assert len(BoostingTree(base=CART()).grow(LI_HANG).members) == 1  # a full tree leaves nothing


def test_copies_weigh_what_weights_do() -> None:
    columns: dict[str, list[Any]] = {"x": [1, 2, 3, 4], "y": [5, 7, 6, 9]}
    weighted = Table.from_columns({**columns, "w": [1, 3, 2, 1]}, target="y", weights="w")
    copied = {name: [cells[row] for row in (0, 1, 1, 1, 2, 2, 3)] for name, cells in columns.items()}
    copies = Table.from_columns(copied)
    one, other = (BoostingTree(trees=5).grow(table) for table in (weighted, copies))
    assert [member.tree.nodes for member in one.members] == [member.tree.nodes for member in other.members]


def test_classes_are_not_added_up() -> None:
    with pytest.raises(InputError, match="is a class, and a boosting tree is for numbers; AdaBoost is for classes"):
        BoostingTree().grow(textbook("li-hang-8.1"))
    with pytest.raises(InputError, match="this learner predicts classes"):
        BoostingTree(base=C45()).grow(LI_HANG)


def test_a_document_records_every_option() -> None:
    boost = BoostingTree(base=CART(max_depth=2), trees=3, loss=Fraction(1, 3))
    assert ensemble_learner_of(boost.grower()) == boost


def test_it_says_how_far_it_is() -> None:
    counts: list[int] = []
    BoostingTree(trees=3).grow(LI_HANG, counts.append)
    assert counts == [1, 2, 3]
