"""Cross-validation: folds like cards, errors like those of another program, and one standard error without a root."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.selection.cross_validation import (
    Trial,
    best,
    cross_validate,
    folds,
    simplest_near_best,
    splits,
    trials,
)
from tests.every import of_every
from tests.selection.test_holdout import numbered, rows, seeds
from tests.strategies import fractions

errors = st.lists(fractions(0, 1, max_denominator=12), min_size=2, max_size=6)


@given(st.text("abc", min_size=2, max_size=60), st.integers(2, 12), seeds, st.booleans())
def test_every_row_is_in_one_fold_and_no_fold_has_more_than_its_share(
    classes: str, k: int, seed: int, stratified: bool
) -> None:
    k = min(k, len(classes))
    found = folds(numbered(classes), k, seed, stratified=stratified)
    assert sorted(row for fold in found for row in fold) == list(range(len(classes)))
    assert all(list(fold) == sorted(fold) for fold in found)
    sizes = [len(fold) for fold in found]
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= 1
    if stratified:
        counts = [Counter(classes[row] for row in fold) for fold in found]
        for label in set(classes):
            assert max(c[label] for c in counts) - min(c[label] for c in counts) <= 1


def test_the_folds_that_a_seed_means_will_never_change() -> None:
    table = numbered("aaaaabbbbbbbbb")
    assert folds(table, 3, seed=1) == ((0, 1, 7, 10, 11), (2, 3, 5, 8, 12), (4, 6, 9, 13))
    assert folds(table, 3, seed=1, stratified=False) == ((2, 4, 8, 11, 12), (1, 3, 6, 7, 9), (0, 5, 10, 13))


def test_splits_hold_out_one_fold_after_another() -> None:
    table = numbered("aabbab")
    assert [(rows(s.training), rows(s.validation)) for s in splits(table, [(0, 3), (1, 5), (2, 4)])] == [
        ([1, 2, 4, 5], [0, 3]), ([0, 2, 3, 4], [1, 5]), ([0, 1, 3, 5], [2, 4]),
    ]  # fmt: skip


@of_every([0, 1, 15])
def test_a_number_of_folds_that_cannot_be_dealt_is_refused(k: int) -> None:
    with pytest.raises(InputError, match="14 rows can be dealt into 2 to 14 folds"):
        folds(rt.textbook("play-tennis"), k, seed=1)
    with pytest.raises(InputError, match="at least two folds, not 1"):
        cross_validate(rt.ID3().grow, rt.textbook("play-tennis"), [(0, 1)])


def test_one_row_at_a_time() -> None:
    """With as many folds as rows, a leaf without attributes answers with the majority of the thirteen others."""
    table = rt.textbook("play-tennis")
    every = folds(table, 14, seed=3)
    assert sorted(every) == [(row,) for row in range(14)]
    trial = cross_validate(rt.ID3(max_depth=0).grow, table, every)
    assert trial.mean == Fraction(5, 14)
    assert set(trial.accuracies) == {0, 1}


def test_the_errors_are_those_of_trees_that_have_not_seen_the_fold() -> None:
    """By hand: the tree of the other rows, asked about each row of the fold."""
    table = rt.textbook("golf")
    held = folds(table, 4, seed=9)
    trial = cross_validate(rt.C45().grow, table, held)
    everything = list(table.rows())
    for fold, found, training in zip(held, trial.errors, trial.training_errors, strict=True):
        others = [row for number, row in enumerate(everything) if number not in fold]
        tree = rt.C45().grow(Table.from_rows(others, "play", categorical=["outlook", "windy", "play"]))
        wrong = [tree.predict(everything[number], "majority") != everything[number]["play"] for number in fold]
        assert found == Fraction(sum(wrong), len(wrong))
        assert training == 0


@of_every(["max_depth", "epsilon", "min_samples_split", "min_samples_leaf"])
def test_any_option_can_be_tried(option: str) -> None:
    table = rt.textbook("iris")
    values: dict[str, list[Any]] = {
        "max_depth": [0, 1, 2, 5],
        "epsilon": [1, Fraction(1, 2), 0],
        "min_samples_split": [100, 20, 2],
        "min_samples_leaf": [40, 10, 1],
    }
    held = folds(table, 3, seed=5)
    tried = trials(values[option], lambda value: rt.C45(**{option: value}).grow, table, held)
    assert [trial.value for trial in tried] == values[option]
    assert all(len(trial.errors) == 3 for trial in tried)
    assert tried[-1].training_errors <= tried[0].training_errors
    assert best(tried).mean == min(trial.mean for trial in tried)


@pytest.mark.covers("N4 Putting it together: cross-validation")
def test_n4_the_maximum_depth_by_cross_validation() -> None:
    """Depth 0 can tell one iris in three, depth 1 two; more than two levels of questions gain next to nothing."""
    table = rt.textbook("iris")
    tried = trials(range(6), lambda depth: rt.C45(max_depth=depth).grow, table, folds(table, 10, seed=1))
    means = [trial.mean for trial in tried]
    assert means[:2] == [Fraction(2, 3), Fraction(1, 3)]
    assert max(means[2:]) < Fraction(1, 12)
    assert best(tried).value in range(2, 6)
    assert 2 <= simplest_near_best(tried).value <= best(tried).value


@given(errors)
def test_mean_and_standard_error_are_those_of_the_statistics_module(found: list[Fraction]) -> None:
    trial = Trial(None, tuple(found), ())
    assert trial.mean == statistics.mean(found)
    assert trial.squared_standard_error == statistics.variance(found) / len(found)
    assert trial.accuracies == tuple(1 - one for one in found)


@given(
    st.integers(2, 6).flatmap(
        lambda k: st.lists(st.lists(fractions(0, 1, max_denominator=9), min_size=k, max_size=k), min_size=1, max_size=6)
    )
)
def test_the_rule_of_one_standard_error_in_floats_and_without(found: list[list[Fraction]]) -> None:
    """Where floats are far enough from equality, the root decides as the squares do."""
    tried = [Trial(place, tuple(one), ()) for place, one in enumerate(found)]
    chosen, least = simplest_near_best(tried), best(tried)
    assert chosen.value <= least.value
    limit = float(least.mean) + float(least.squared_standard_error) ** 0.5
    for trial in tried[: chosen.value]:
        assert float(trial.mean) > limit - 1e-9
    assert float(chosen.mean) < limit + 1e-9


def test_exactly_one_standard_error_is_near_enough() -> None:
    """Errors 0 and 2/5: the mean is 1/5, and so is the standard error. In floats the sum is below 2/5, or above."""
    near = Trial("simple", (Fraction(2, 5), Fraction(2, 5)), ())
    least = Trial("complex", (Fraction(0), Fraction(2, 5)), ())
    assert simplest_near_best([near, least]) is near
    too_far = Trial("simple", (Fraction(2, 5), Fraction(2, 5) + Fraction(1, 10**30)), ())
    assert simplest_near_best([too_far, least]) is least


def test_of_equals_the_simplest_is_best() -> None:
    one, two = Trial(1, (Fraction(1, 3), Fraction(0)), ()), Trial(2, (Fraction(0), Fraction(1, 3)), ())
    assert best([one, two]) is one
    assert simplest_near_best([one, two]) is one


def test_a_fold_of_rows_that_are_not_there_is_refused() -> None:
    days = rt.textbook("play-tennis")
    wrong: list[tuple[list[tuple[int, ...]], str]] = [
        ([(0,), (-1,)], "there is no row -1; the rows are 0 to 13"),
        ([(0,), (99,)], "there is no row 99; the rows are 0 to 13"),
        ([(0, 1), (1, 2)], "row 1 is held out twice"),
    ]
    for held_out, message in wrong:
        with pytest.raises(InputError, match=message):
            cross_validate(rt.ID3().grow, days, held_out)


def test_one_row_is_not_dealt() -> None:
    with pytest.raises(InputError, match="one row cannot be dealt into folds"):
        folds(numbered("a"), 2, seed=1)


def test_numbers_have_no_accuracy() -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4], "y": [1, 2, 4, 80]}, target="y")
    held_out = folds(table, 2, seed=1)
    one = cross_validate(rt.CART().grow, table, held_out)
    (other,) = trials([1], lambda depth: rt.CART(max_depth=depth).grow, table, held_out)
    for errors_of in (one, other):
        with pytest.raises(InputError, match="the target is numeric, and so has no accuracy"):
            _ = errors_of.accuracies


LEARNERS: list[tuple[Any, dict[str, list[Any]]]] = [
    (rt.CART(), {"max_depth": [0, 1, 3]}),
    (rt.Bagging(trees=3), {"max_depth": [0, 2]}),
    (rt.RandomForest(seed=4), {"trees": [1, 4]}),
    (rt.RandomForest(trees=3), {"attributes": [1, "all"]}),
    (rt.AdaBoost(), {"trees": [1, 5]}),
    (rt.GradientBoosting(trees=3), {"rate": [Fraction(1, 10), 1]}),
    (rt.GradientBoosting(trees=2), {"subsample": [Fraction(1, 2), 1]}),
]


@pytest.mark.one_in(7)
@pytest.mark.parametrize(("learner", "option"), LEARNERS, ids=lambda one: type(one).__name__)
def test_an_option_of_any_learner_is_selected_as_counted_row_by_row(learner: Any, option: Any) -> None:
    iris = rt.textbook("iris")
    table = iris.take(range(0, len(iris), 4))
    found = rt.select(learner, table, 3, seed=2, **option)
    ((name, values),) = option.items()
    rows, truth = list(table.rows()), table["species"]
    for trial, value in zip(found.trials, values, strict=True):
        has = name in {one.name for one in fields(learner)}
        base = None if has or not hasattr(learner, "base") else replace(learner.base, **{name: value})
        each = replace(learner, **({name: value} if base is None else {"base": base}))
        for fold, error in zip(folds(table, 3, seed=2), trial.errors, strict=True):
            grown = each.grow(table.take([row for row in range(len(table)) if row not in fold]))
            assert error == Fraction(sum(grown.predict(rows[row]) != truth[row] for row in fold), len(fold))
    assert found.option == name
    assert found.chosen in found.trials
    assert found.learner.grow(table).accuracy(table) > 0


def test_what_select_refuses() -> None:
    with pytest.raises(InputError, match=r"there is no option 'deep' of cart"):
        rt.select(rt.RandomForest(trees=2), rt.textbook("iris"), deep=[1, 2])
    with pytest.raises(InputError, match=r"chooses one option, not 2; say it as in max_depth=range\(5\)"):
        rt.select(rt.CART(), rt.textbook("iris"), max_depth=[1], epsilon=[0])


def test_the_chosen_learner_keeps_its_dialect_and_may_have_an_option_that_dialects_have() -> None:
    table = rt.textbook("iris")
    found = rt.select(rt.CART.like("rpart"), table, 3, max_depth=[1, 2])
    assert (found.learner.profile, found.learner.max_depth) == ("rpart", found.chosen.value)
    assert rt.select(rt.CART(), table, 3, merge_leaves=[False]).learner.merge_leaves is False
