"""Overfitting: Mitchell's definition, and curves on which training error and true error part."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given

import reference_tree as rt
from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.selection.cross_validation import folds, trials
from reference_tree.selection.holdout import Split, divided, error, holdout, take
from reference_tree.selection.overfitting import Point, complexity_curve, learning_curve, mean_curve, overfits
from tests import strategies

BITS = 6


def truth() -> Table:
    """All instances there are, each with its weight: y is the first of six bits, and one time in four the other one."""
    columns: dict[str, list[object]] = {name: [] for name in [*(f"b{k}" for k in range(BITS)), "w", "y"]}
    for bits in product(["no", "yes"], repeat=BITS):
        for label in ("no", "yes"):
            for k in range(BITS):
                columns[f"b{k}"].append(bits[k])
            columns["y"].append(label)
            columns["w"].append(3 if label == bits[0] else 1)
    return Table.from_columns(columns, "y", weights="w")


def drawn(table: Table, size: int, seed: int) -> Table:
    """Rows drawn by their weights, with replacement, each then with weight 1."""
    urn = [row for row, weight in enumerate(table.weighted()) for _ in range(int(weight))]
    chance = Chance(seed, b"a sample")
    rows = take(table, [chance.choice(urn) for _ in range(size)])
    return Table.from_rows(list(rows.rows()), "y")


TRUTH = truth()
SAMPLE = drawn(TRUTH, 60, seed=1)


@pytest.mark.covers("N2 §3 goal", "N3 Overfitting", "N4 Learning Process: why limit the depth")
def test_a_full_tree_learns_the_noise_and_a_stump_the_truth() -> None:
    full, stump = rt.ID3().grow(SAMPLE), rt.ID3(max_depth=1).grow(SAMPLE)
    assert error(stump, TRUTH) == Fraction(1, 4), "no hypothesis does better"
    assert error(full, SAMPLE) < error(stump, SAMPLE)
    assert error(full, TRUTH) > error(stump, TRUTH)
    assert overfits(full, stump, SAMPLE, TRUTH)
    assert not overfits(stump, full, SAMPLE, TRUTH)


@given(strategies.categorical_tables(rows=10), strategies.categorical_tables(rows=10))
def test_no_two_hypotheses_show_it_of_one_another(one: Table, other: Table) -> None:
    first, second = rt.ID3().grow(one), rt.ID3(max_depth=1).grow(one)
    training, distribution = one, take(one, [0])
    assert not overfits(first, first, training, distribution)
    assert not (overfits(first, second, training, distribution) and overfits(second, first, training, distribution))


def test_both_inequalities_are_strict() -> None:
    """A tree that fits no better does not overfit, nor one that is no worse on the truth."""
    twins = Table.from_columns({"a": ["u", "v"], "b": ["s", "t"], "y": ["no", "yes"]})
    by_a, by_b = rt.ID3().grow(twins), rt.ID3(ties=rt.Ties(choose={"/": "b"})).grow(twins)
    like_b = Table.from_columns({"a": ["u", "v"], "b": ["t", "s"], "y": ["yes", "no"]})
    assert error(by_a, twins) == error(by_b, twins) == error(by_b, like_b) == 0
    assert error(by_a, like_b) == 1
    assert not overfits(by_a, by_b, twins, like_b)
    training = Table.from_columns({"a": ["u", "v"], "y": ["no", "yes"]})
    even = Table.from_columns({"a": ["u", "u"], "y": ["no", "yes"]})
    stump, leaf = rt.ID3().grow(training), rt.ID3(max_depth=0).grow(training)
    assert error(stump, training) < error(leaf, training)
    assert error(stump, even) == error(leaf, even)
    assert not overfits(stump, leaf, training, even)


@pytest.mark.covers("N4 Putting it together: maximum depth")
def test_the_curve_of_growing_depth() -> None:
    points = complexity_curve(range(BITS + 1), lambda depth: rt.ID3(max_depth=depth).grow, Split(SAMPLE, TRUTH))
    training, held_out = [point.training for point in points], [point.held_out for point in points]
    assert len(points) == BITS + 1
    assert training == sorted(training, reverse=True), "deeper trees fit better"
    assert min(held_out) == held_out[1] == Fraction(1, 4)
    assert held_out[-1] > held_out[1]
    for point in points:
        tree = rt.ID3(max_depth=int(point.value)).grow(SAMPLE)
        assert point == (point.value, error(tree, SAMPLE), error(tree, TRUTH))


def test_the_curve_of_what_cross_validation_found() -> None:
    table = rt.textbook("golf")
    tried = trials([0, 1, 2], lambda depth: rt.C45(max_depth=depth).grow, table, folds(table, 3, seed=2))
    points = mean_curve(tried)
    assert [point.value for point in points] == [0, 1, 2]
    assert [point.held_out for point in points] == [trial.mean for trial in tried]
    assert [point.training for point in points] == [sum(t.training_errors) / 3 for t in tried]


def test_the_learning_curve_ends_with_all_rows() -> None:
    split = holdout(rt.textbook("iris"), seed=1)
    points = learning_curve(rt.C45().grow, split, [5, 20, 100], seed=7)
    tree = rt.C45().grow(split.training)
    assert points[-1] == Point(100, error(tree, split.training), error(tree, split.validation))
    assert [point.value for point in points] == [5, 20, 100]
    assert points[0].held_out > points[-1].held_out


def test_a_larger_sample_holds_the_smaller_one() -> None:
    seen: list[set[int]] = []

    def fit(table: Table) -> rt.Tree:
        seen.append({int(row["x"]) for row in table.rows()})  # type: ignore[arg-type]
        return rt.C45().grow(table)

    table = Table.from_columns({"x": list(range(30)), "y": ["no", "yes", "yes"] * 10})
    learning_curve(fit, divided(table, range(20, 30)), [1, 5, 10, 20], seed=3)
    assert all(small < large for small, large in pairwise(seen))
    order = Chance(3, b"learning curve").shuffled(range(20))
    assert seen == [set(order[:size]) for size in (1, 5, 10, 20)]


@pytest.mark.parametrize("size", [0, 11])
def test_a_size_that_is_none_is_refused(size: int) -> None:
    split = divided(Table.from_columns({"x": list(range(12)), "y": ["no", "yes"] * 6}), [0, 1])
    with pytest.raises(InputError, match="from 1 to 10 rows here, not from"):
        learning_curve(rt.C45().grow, split, [size], seed=1)
