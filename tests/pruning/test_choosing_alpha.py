"""Choosing α: the folds' trees by hand, geometric means by other arithmetic, and R's rpart on given folds."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import log
from reference_tree.pruning.choosing_alpha import (
    Estimate,
    choose,
    corresponding,
    is_at_most_geometric_mean,
    loss_by,
    losses,
    smallest_within,
)
from reference_tree.pruning.cost_complexity import Step, cost_complexity, pruning_path
from reference_tree.selection.cross_validation import folds
from reference_tree.selection.holdout import divided, error
from tests import strategies
from tests.every import of_every
from tests.strategies import fractions

IRIS = rt.textbook("iris")
grow = rt.C45().grow
positive = fractions(Fraction(1, 60), 10, max_denominator=60)


# The geometric mean.


@given(positive, positive, positive)
def test_the_mean_is_never_drawn_and_yet_decided(g: Fraction, low: Fraction, high: Fraction) -> None:
    with mpmath.workprec(300):
        mean = mpmath.sqrt(mpmath.mpf(low.numerator) / low.denominator * high.numerator / high.denominator)
        difference = mpmath.mpf(g.numerator) / g.denominator - mean
        if abs(difference) > mpmath.mpf(2) ** -200:
            assert is_at_most_geometric_mean(g, low, high) == (difference < 0)
        else:
            assert is_at_most_geometric_mean(g, low, high)
    assert is_at_most_geometric_mean(low, low, low)


def test_the_mean_with_nothing_is_nothing() -> None:
    assert is_at_most_geometric_mean(0, 0, 5)
    assert not is_at_most_geometric_mean(Fraction(1, 10**9), 0, 5)
    assert is_at_most_geometric_mean(0, 1, 5)


def test_sums_of_logarithms_have_a_mean_too() -> None:
    assert is_at_most_geometric_mean(log(9), log(3), 4 * log(3))  # 2 log 3 = √(log 3 · 4 log 3), exactly
    assert not is_at_most_geometric_mean(log(9) + Fraction(1, 10**12), log(3), 4 * log(3))
    assert is_at_most_geometric_mean(log(5), log(3), log(25) * 2)
    for g, answer in ((2, True), (3, False)):  # √(log 3 · 3 log 3) = 2.745...
        assert is_at_most_geometric_mean(g, log(3), 3 * log(3)) == answer
    assert not is_at_most_geometric_mean(0 * log(3) + 1, 0 * log(3), log(3))


# Cross-validation.


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("profile", ["cart-1984", "li-hang"])
def test_every_row_is_judged_by_the_tree_that_was_grown_without_it(profile: str) -> None:
    held_out = folds(IRIS, 4, seed=3)
    choice = choose(grow, IRIS, held_out, profile)
    steps = choice.path.steps
    alphas = [float(step.alpha) for step in steps]
    for k, estimate in enumerate(choice.estimates):
        total, squares = Fraction(0), Fraction(0)
        for fold in held_out:
            split = divided(IRIS, fold)
            # A mean of doubles is good enough here: no price of a fold lies that near to one.
            mean = Fraction((alphas[k] * alphas[k + 1]) ** 0.5) if k + 1 < len(steps) else Fraction(10)
            stands = cost_complexity(grow(split.training), mean, profile)
            missed = error(stands, split.validation) * len(fold)
            total, squares = total + missed, squares + missed
        assert estimate.risk == total / len(IRIS)
        assert estimate.squared_standard_error == estimate.risk * (1 - estimate.risk) / len(IRIS)


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("missing", ["surrogates", "fractions", "stay", "branch"])
@given(data=st.data())
def test_rows_that_go_down_once_lose_what_they_lose_in_each_tree(missing: Any, data: st.DataObject) -> None:
    """By brute force: every tree of the sequence answers every row, and the losses are added up."""
    training, held_out = data.draw(strategies.tables_with_gaps()), data.draw(strategies.tables_with_gaps())
    shared = [a.name for a in training.schema.attributes if a in held_out.schema.attributes]
    numbers = [
        name for name in "xz" if all(any(n is not None for n in t.columns.get(name, ())) for t in (training, held_out))
    ]
    if training.schema.attributes != held_out.schema.attributes and len(shared) < len(training.schema.attributes):
        training = training.without([a.name for a in training.schema.attributes if a.name not in shared])
    if numeric := data.draw(st.sampled_from(["", *numbers])):
        training, held_out = training.predicting(numeric), held_out.predicting(numeric)
    risk = data.draw(st.sampled_from([None, "gini", "entropy"]))
    path = pruning_path(rt.CART(missing=missing).grow(training), risk=risk)
    first = data.draw(st.integers(0, len(path.steps) - 1))

    def loss(found: Any, true: Any) -> Fraction:
        if numeric:
            return Fraction(Fraction(found) - true) ** 2
        return Fraction(3 * ord(found) + ord(true), 7) if found != true else Fraction(0)

    target, weights = held_out.schema.target.name, held_out.weighted()
    once = losses(path, first, held_out, "majority", loss)
    assert len(once) == len(path.steps)
    for step, found in list(zip(path.steps, once, strict=True))[first:]:
        tree = path.at(step)
        lost = [loss(tree.predict(row, "majority"), row[target]) for row in held_out.rows()]
        assert found == (
            sum(weight * loss for weight, loss in zip(weights, lost, strict=True)),
            sum(weight * loss * loss for weight, loss in zip(weights, lost, strict=True)),
        )


def test_a_row_that_is_divided_loses_what_the_mixture_of_its_leaves_loses() -> None:
    training = divided(IRIS, range(0, 150, 3)).training
    path = pruning_path(rt.CART(missing="fractions").grow(training))
    rows = [dict(row) for row in list(IRIS.rows())[::7]]
    names = [attribute.name for attribute in IRIS.schema.attributes]
    for place, row in enumerate(rows):  # each without one, two, three of its measurements, or all
        row.update(dict.fromkeys(names[place % 4 :]))
    columns = {name: [row[name] for row in rows] for name in (*names, "species")}
    held_out = Table.from_columns(columns, "species", continuous=names)
    found = losses(path, 0, held_out, "error", lambda found, true: 3 * len(found) + len(true) if found != true else 0)
    for step, (once, squares) in zip(path.steps, found, strict=True):
        tree = path.at(step)
        pairs = [(str(tree.predict(row)), str(row["species"])) for row in rows]
        lost = [3 * len(answer) + len(true) if answer != true else 0 for answer, true in pairs]
        assert (once, squares) == (sum(lost), sum(loss * loss for loss in lost))


def test_what_ended_in_a_smaller_tree_is_no_part_of_its_mixture() -> None:
    """A row that answers neither question: of its halves, x ≤ 1 says n with 8 rows to 2, x > 1 says p.

    In all three trees the mixture is 4/10 against 6/10. With the leaves below x ≤ 1 besides, once it is a leaf itself,
    there would be 8/10 for n.
    """
    columns: dict[str, list[Any]] = {"x": [1] * 10 + [2] * 10, "z": [1] * 8 + [2] * 2 + [1] * 10}
    training = Table.from_columns({**columns, "y": [*"n" * 8, *"p" * 12]})
    path = pruning_path(rt.CART(missing="fractions").grow(training))
    assert [step.leaves for step in path.steps] == [3, 2, 1]
    row = Table.from_columns({"x": [None], "z": [None], "y": ["n"]}, continuous=["x", "z"])
    assert losses(path, 0, row, "error", lambda found, true: int(found != true)) == [(1, 1)] * 3


def test_a_question_that_is_no_more_asked_refuses_no_value() -> None:
    """The tree of tennis has one smaller tree, the root; and for the root alone no outlook is unknown."""
    path = pruning_path(rt.ID3().grow(rt.textbook("play-tennis")))
    foggy = Table.from_columns(
        {"outlook": ["foggy"], "temperature": ["hot"], "humidity": ["high"], "windy": ["no"], "play": ["no"]}
    )
    assert losses(path, 1, foggy, "error", lambda found, true: int(found != true))[1:] == [(1, 1)]
    with pytest.raises(InputError, match="foggy"):
        losses(path, 0, foggy, "error", lambda found, true: 0)


def test_the_best_and_the_chosen() -> None:
    choice = choose(grow, IRIS, folds(IRIS, 5, seed=1))
    risks = [estimate.risk for estimate in choice.estimates]
    assert choice.best == max(k for k, risk in enumerate(risks) if risk == min(risks))
    assert len(choice.tree.leaves()) == choice.path.steps[choice.chosen].leaves
    generous = choose(grow, IRIS, folds(IRIS, 5, seed=1), standard_errors=2)
    assert generous.chosen == choice.chosen + 1
    assert choice.standard_errors == 1
    exact = choose(grow, IRIS, folds(IRIS, 5, seed=1), standard_errors=0)
    assert exact.chosen == exact.best


def estimates(*pairs: tuple[str, str]) -> list[Estimate]:
    step = Step(0, (), 1, 0)
    return [Estimate(step, Fraction(risk), Fraction(square)) for risk, square in pairs]


def test_one_standard_error_is_decided_by_squares() -> None:
    found = estimates(("0.2", "1"), ("0.1", "2/10000"), ("11/100", "1"), ("1141421356/10000000000", "1"), ("0.2", "1"))
    assert smallest_within(found, 1, 1) == 3  # 0.1 + 0.01·√2 = 0.11414213562...
    above = [*found[:3], estimates(("1141421357/10000000000", "1"))[0]]
    assert smallest_within(above, 1, 1) == 2
    assert smallest_within(found, 1, 0) == 1


def test_for_the_last_tree_stands_the_root() -> None:
    path = pruning_path(grow(IRIS))
    other = pruning_path(grow(divided(IRIS, range(0, 150, 7)).training))
    assert corresponding(path, other)[-1] == len(other.steps) - 1
    assert corresponding(path, path) == list(range(len(path.steps)))
    assert all(one <= two for one, two in pairwise(corresponding(path, other)))


def test_folds_hold_each_row_once() -> None:
    for held_out in ([(0, 1), (1, 2)], [tuple(range(150))], [(0,), (1,)]):
        with pytest.raises(InputError, match="hold each row once, and are two at least"):
            choose(grow, IRIS, held_out)


def test_weights_count() -> None:
    """A row of weight 2 is two rows."""
    rows = [("p", "n"), ("p", "n"), ("q", "y"), ("q", "y"), ("q", "n"), ("p", "y")]
    table = Table.from_columns({"a": [a for a, _ in rows], "y": [y for _, y in rows], "w": [2] * 6}, "y", weights="w")
    twice = Table.from_columns({"a": [a for a, _ in rows * 2], "y": [y for _, y in rows * 2]}, "y")
    held = [(0, 2, 4), (1, 3, 5)]
    found = choose(grow, table, held).estimates
    doubled = choose(grow, twice, [tuple(sorted((*fold, *(row + 6 for row in fold)))) for fold in held]).estimates
    assert [(e.risk, e.squared_standard_error) for e in found] == [(e.risk, e.squared_standard_error) for e in doubled]


def test_mistakes_cost_on_held_out_rows_what_they_cost_in_growing() -> None:
    table = Table.from_columns({"x": list(range(1, 11)), "y": list("nnnnnnpnpn")}, target="y")
    held_out = folds(table, 2, seed=1)
    learner = rt.CART(loss={"p": {"n": 2}})
    last = choose(learner.grow, table, held_out).estimates[-1]
    cost = {("n", "p"): 1, ("p", "n"): 2}
    losses = []
    for fold in held_out:
        split = divided(table, fold)
        answer = str(learner.grow(split.training).nodes[0].label)
        losses += [cost.get((str(row["y"]), answer), 0) for row in split.validation.rows()]
    mean = Fraction(sum(losses), 10)
    assert last.risk == mean
    assert last.squared_standard_error == sum((loss - mean) ** 2 for loss in losses) / 100


def test_under_priors_held_out_rows_count_with_what_they_stand_for() -> None:
    table = Table.from_columns({"x": list(range(1, 11)), "y": list("nnnnnnpnpn")}, target="y")
    learner = rt.CART(priors={"n": 1, "p": 1}, max_depth=0)
    choice = choose(learner.grow, table, folds(table, 2, seed=1))
    assert choice.path.steps[-1].risk == Fraction(1, 2)
    assert choice.estimates[-1].risk == Fraction(
        1, 2
    )  # whatever the answer, all of one class are wrong, and half count


def test_what_a_row_stands_for_is_told_by_the_whole_table() -> None:
    """Under equal priors the seven rows of n are half of ten, and so are the three of p; the last leaf has p alone."""
    table = Table.from_columns({"x": list(range(1, 11)), "y": list("nnnnnnnppp")}, target="y")
    loss = loss_by(rt.CART(priors={"n": 1, "p": 1}).grow(table))
    assert (loss("p", "n"), loss("n", "p"), loss("p", "p")) == (Fraction(5, 7), Fraction(5, 3), 0)


def test_a_tree_by_absolute_error_whose_last_leaf_has_no_row_is_known_as_one() -> None:
    columns: dict[str, list[Any]] = {"a": list("ppppqqqq"), "b": list("uustsstt"), "y": [90, 90, 90, 90, 5, 5, 0, 0]}
    tree = rt.CART(criterion="absolute_error", branching="multiway").grow(Table.from_columns(columns))
    assert tree.nodes[-1].stop == "empty"
    assert loss_by(tree)(7, 4) == 3


def test_a_tree_by_absolute_error_is_judged_by_absolute_errors() -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4, 5, 6], "y": [1, 2, 4, 10, 11, 40]}, target="y")
    learner = rt.CART(criterion="absolute_error")
    held_out = ((0, 2, 4), (1, 3, 5))
    last = choose(learner.grow, table, held_out).estimates[-1]
    # Without the first fold 2, 10 and 40 are left, of median 10; without the second 1, 4 and 11, of median 4.
    losses = [abs(1 - 10), abs(4 - 10), abs(11 - 10), abs(2 - 4), abs(10 - 4), abs(40 - 4)]
    assert last.risk == Fraction(sum(losses), 6)
    mean = Fraction(sum(losses), 6)
    assert last.squared_standard_error == sum((loss - mean) ** 2 for loss in losses) / 36


def test_a_tree_of_numbers_is_judged_by_squared_errors() -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4, 5, 6], "y": [1, 2, 4, 10, 11, 40]}, target="y")
    last = choose(rt.CART().grow, table, ((0, 2, 4), (1, 3, 5))).estimates[-1]
    # Without the first fold 2, 10 and 40 are left, of mean 52/3; without the second 1, 4 and 11, of mean 16/3.
    losses = [(y - Fraction(52, 3)) ** 2 for y in (1, 4, 11)] + [(y - Fraction(16, 3)) ** 2 for y in (2, 10, 40)]
    mean = sum(losses) / 6
    assert last.risk == mean
    assert last.squared_standard_error == sum((loss - mean) ** 2 for loss in losses) / 36


@of_every([-1, float("nan"), float("inf"), "one"])
def test_what_is_no_number_of_standard_errors_is_refused(standard_errors: Any) -> None:
    with pytest.raises(InputError, match="the standard errors that a tree may be worse"):
        choose(grow, IRIS, folds(IRIS, 2, seed=1), standard_errors=standard_errors)
