"""The record of a pruning: done again, it leads to the same tree, and to no other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.exact.log_sums import LogSum
from reference_tree.learners.options import Options
from reference_tree.pruning.choosing_alpha import PathPruning, step_of
from reference_tree.pruning.cost_complexity import cost_complexity, pruning_path
from reference_tree.pruning.cost_function import cost_function
from reference_tree.pruning.error_based import ErrorBased, error_based, rules_of
from reference_tree.pruning.error_limits import table
from reference_tree.pruning.method import methods
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.pruning.record import (
    is_one_pass,
    perform,
    retraced,
    rounds,
)
from reference_tree.pruning.reduced_error import best_first, bottom_up
from reference_tree.selection.holdout import holdout
from reference_tree.tree import Tree
from tests.every import of_every
from tests.pruning.prunings import small_trees
from tests.strategies import at_most
from tests.views.pruned import (
    BEST_FIRST,
    BOTTOM_UP,
    BY_ENTROPY,
    BY_GINI,
    COST,
    ERRORS,
    FULL,
    PATH,
    RECORDS,
    RPART,
    TRAINING,
    VALIDATION,
    ZHOU,
)  # fmt: skip

DONE: list[tuple[dict[str, Any], Tree]] = [
    (COST, cost_function(FULL, Fraction(7, 5)).tree),
    (PATH, cost_complexity(FULL, Fraction(1, 20))),
    (BY_GINI, cost_complexity(FULL, Fraction(1, 15), "li-hang")),
    (BY_ENTROPY, cost_complexity(FULL, Fraction(2, 15), risk="entropy")),
    (BOTTOM_UP, bottom_up(FULL, VALIDATION, "keep").pruned),
    (BEST_FIRST, best_first(FULL, VALIDATION, "prune").pruned),
    (ERRORS, error_based(FULL, TRAINING, ErrorBased.like("c45-r8")).tree),
]


@of_every(DONE)
def test_a_record_does_what_the_method_does_and_is_what_the_tree_keeps(record: dict[str, Any], expected: Tree) -> None:
    act = perform(FULL, record, TRAINING, VALIDATION)
    assert act.before is FULL
    assert act.after == expected
    assert act.after.grower.options["pruning"] == [record] == [act.record]


@pytest.mark.parametrize("rules", [ErrorBased(), ErrorBased(limit=table, raising=False, confidence=Fraction(1, 9))])
def test_rules_of_error_based_pruning_come_back(rules: ErrorBased) -> None:
    assert rules_of(rules.options()) == rules
    assert rules_of(ErrorBased.like("weka-j48", raising=False).options()) == ErrorBased.like("weka-j48", raising=False)


def test_a_price_that_is_a_sum_of_logarithms_is_known_by_its_text() -> None:
    path = pruning_path(rt.C45().grow(rt.textbook("iris")), risk="entropy")
    prices = [step.alpha for step in path.steps if isinstance(step.alpha, LogSum)]
    assert prices
    assert [step_of(path, str(price)).alpha for price in prices] == prices
    with pytest.raises(ValueError, match="is not a number"):
        step_of(path, "log2(3)")


@of_every(
    [
        ({}, "there is no pruning method 'None'; there are cost-complexity, cost-function, "),
        ({"method": "by-hand"}, "there is no pruning method 'by-hand'"),
        ({"method": "cost-function"}, "not the options of cost-function: the option 'alpha' is absent"),
        ({"method": "cost-function", "alpha": 3}, "not the options of cost-function"),
        ({"method": "cost-function", "alpha": "much"}, "not the options of cost-function: 'much' is not a number"),
        ({"method": "cost-function", "alpha": "-1"}, "alpha is the price of a leaf"),
        ({**PATH, "profile": "cart"}, "there is no profile 'cart'"),
        ({**PATH, "risk": "luck"}, "there is no risk 'luck'"),
        ({**BOTTOM_UP, "order": "at-random"}, "there is no order 'at-random' with ties 'keep'"),
        ({**BOTTOM_UP, "on_equal": "stop"}, "there is no order 'bottom-up' with ties 'stop'"),
        ({**ERRORS, "limit": "luck"}, "there is no limit 'luck'; there are binomial, table, normal"),
        ({**ERRORS, "confidence": "2"}, "the confidence lies between 0 and 1, not at 2"),
        ({"method": "pessimistic", "m": "1"}, "not the options of pessimistic: there is no option 'm'"),
        ({"method": "minimum-error", "m": "-9"}, "not negative, but -9"),
        ({"method": "minimum-error", "m": 2}, "not the options of minimum-error"),
        (
            {"method": "critical-value", "measure": "gain"},
            "not the options of critical-value: the option 'critical_value' is absent",
        ),
        ({"method": "critical-value", "critical_value": "1", "measure": "x"}, "there is no measure of classes 'x'"),
    ]
)
def test_a_record_that_nobody_wrote(record: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        perform(FULL, record, TRAINING, VALIDATION)


def test_a_method_says_which_rows_it_wants() -> None:
    with pytest.raises(InputError, match="needs a validation set, and none is given"):
        perform(FULL, BOTTOM_UP, TRAINING)
    with pytest.raises(InputError, match="the rows that the tree was grown from are needed"):
        perform(FULL, ERRORS)
    assert set(methods()) == {record["method"] for record in RECORDS}


# Going back.


def test_a_tree_that_was_never_pruned_has_no_past() -> None:
    past = retraced(FULL, TRAINING)
    assert (past.learner, past.grown, past.pre_pruned, past.acts) == (ZHOU, FULL, None, ())


def test_rparts_sequence_is_for_questions_with_two_answers() -> None:
    with pytest.raises(InputError, match="rpart's pass is for tests with two outcomes"):
        perform(FULL, RPART)
    tree = rt.CART().grow(TRAINING)
    pruned = perform(tree, RPART).after
    assert pruned == cost_complexity(tree, Fraction(1, 20), "rpart")
    assert [_one_pass(tree, record) for record in (RPART, PATH)] == [True, False]
    assert retraced(pruned, TRAINING).acts[0].after == pruned


def _one_pass(tree: Tree, record: dict[str, Any]) -> bool:
    found = perform(tree, record).found
    assert isinstance(found, PathPruning)
    return is_one_pass(found)


@of_every([record for record in RECORDS if record is not RPART])
def test_a_pruned_tree_is_retraced_from_its_document(record: dict[str, Any]) -> None:
    pruned = perform(FULL, record, TRAINING, VALIDATION).after
    past = retraced(rt.from_json(rt.to_json(pruned)), TRAINING, VALIDATION)
    assert (past.learner, past.grown) == (ZHOU, FULL)
    assert [act.after for act in past.acts] == [pruned]


def test_several_prunings_follow_one_another() -> None:
    once = perform(FULL, COST).after
    twice = perform(once, BOTTOM_UP, None, VALIDATION).after
    thrice = perform(twice, {**COST, "alpha": "100"}).after
    past = retraced(thrice, TRAINING, VALIDATION)
    assert [act.record["method"] for act in past.acts] == ["cost-function", "reduced-error", "cost-function"]
    assert [act.before.nodes for act in past.acts] == [FULL.nodes, once.nodes, twice.nodes]
    assert once.nodes != twice.nodes != thrice.nodes


@of_every([ZHOU, rt.C45(ties=ZHOU.ties), rt.CART(criterion="entropy")])
def test_pre_pruning_is_retraced_with_what_the_learner_alone_would_have_done(learner: Options) -> None:
    inner = replace(learner, ties=rt.Ties())
    tree = PrePruning(inner, "split").grow(TRAINING, VALIDATION)
    past = retraced(tree, TRAINING, VALIDATION)
    assert past.pre_pruned is not None
    assert past.learner == inner
    assert past.grown.nodes == tree.nodes
    assert past.pre_pruned.full == inner.grow(TRAINING)
    decisions, weight = past.pre_pruned.tree_steps, len(VALIDATION)
    root = replace(inner, max_depth=0).grow(TRAINING)
    assert decisions[0].before == weight - weight * root.accuracy(VALIDATION)
    left = [one.after if one.step.done else one.before for one in decisions][-1]
    assert left == weight - weight * tree.accuracy(VALIDATION)


def test_pruned_after_pre_pruning() -> None:
    tree = PrePruning(rt.ID3(), "split").grow(TRAINING, VALIDATION)
    pruned = perform(tree, COST).after
    past = retraced(pruned, TRAINING, VALIDATION)
    assert past.pre_pruned is not None
    assert past.acts[0].after.nodes == pruned.nodes


def test_another_tree_than_the_records_lead_to_is_refused() -> None:
    pruned = perform(FULL, COST).after
    with pytest.raises(InputError, match="another tree comes of these rows"):
        retraced(replace(pruned, nodes=FULL.nodes), TRAINING)
    with pytest.raises(InputError, match="another tree comes of these rows"):
        retraced(replace(FULL, grower=pruned.grower), TRAINING)
    split = holdout(rt.textbook("watermelon-2.0"), seed=1)
    tree = perform(rt.ID3().grow(split.training), COST).after
    with pytest.raises(InputError, match="another tree comes of these rows"):
        retraced(tree, rt.textbook("watermelon-2.0"))


def test_a_past_that_cannot_be_read() -> None:
    pruned = perform(FULL, BOTTOM_UP, None, VALIDATION).after
    with pytest.raises(InputError, match="needs a validation set"):
        retraced(pruned, TRAINING)
    with pytest.raises(InputError, match="pre-pruned by a validation set; give it, too"):
        retraced(PrePruning(rt.ID3()).grow(TRAINING, VALIDATION), TRAINING)
    entries: tuple[Any, ...] = ("by hand", [1], [[]], {})
    for entry in entries:
        grower = replace(FULL.grower, options={**FULL.grower.options, "pruning": entry})
        with pytest.raises(InputError, match="does not say in a readable way"):
            retraced(replace(FULL, grower=grower), TRAINING)


@given(small_trees(), st.integers(0, 5))
@at_most(30)
def test_the_rounds_end_where_the_tree_was_taken(tree: Tree, number: int) -> None:
    path = pruning_path(tree)
    step = path.steps[min(number, len(path.steps) - 1)]
    record = {"method": "cost-complexity", "profile": "cart-1984", "alpha": str(step.alpha)}
    found = perform(tree, record).found
    assert isinstance(found, PathPruning)
    done = list(rounds(found))
    gone = frozenset[int]().union(*(one.gone for one in done))
    assert gone == {
        n for n, node in enumerate(tree.nodes) if node.test is not None and tree.path(n) not in _asked(found)
    }
    for one in done:
        least = min(link.g for link in one.links)
        assert one.step.alpha == least
        assert bool(one.gone) == (least <= step.alpha)


def _asked(found: PathPruning) -> set[str]:
    return {found.tree.path(n) for n, node in enumerate(found.tree.nodes) if node.test is not None}
