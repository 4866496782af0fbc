"""Gradient scans: the questions that are kept have all the best among them, and few others."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.engine.gradient_scans import bounds_of, doubles_of, promising_splits, scanned
from reference_tree.engine.store import Store
from reference_tree.ensembles.derivatives import LOSSES, derived
from reference_tree.ensembles.derivatives import given as given_derivatives
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.learners.gradient_sums import Sides
from reference_tree.learners.gradient_tree import GradientTree
from tests.ensembles.test_gradient_boosting import tables
from tests.every import of_every
from tests.strategies import fractions

bounds = st.tuples(st.sampled_from([0, 1, Fraction(1, 10)]), st.sampled_from([0, Fraction(1, 4), 1, Fraction(7, 3)]))


@given(tables(), bounds, st.lists(fractions(-3, 3, max_denominator=2**30), min_size=3, max_size=3))
@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(2, 5)])
def test_the_best_are_among_them(
    alpha: Fraction, table: Table, bound: tuple[Fraction, Fraction], margins: list[Fraction]
) -> None:
    penalty, least = bound
    classes = table.schema.target.values
    name = "squared_error" if classes is None else "logistic" if len(classes) == 2 else "softmax"
    width = 3 if name == "softmax" else 1
    of_rows = [tuple(margins[(row + k) % 3] for k in range(width)) for row in range(len(table))]
    sample = derived(table, LOSSES[name], of_rows).sample()
    learner = GradientTree(reg_lambda=penalty, reg_alpha=alpha, min_child_weight=least)
    attributes = sample.schema.attributes
    assert isinstance(sample, Store)
    kept = {test for test, _ in promising_splits(sample, attributes, bounds_of(learner)) or ()}
    everything = list(learner.candidates(sample, attributes))
    free = [candidate for candidate in everything if candidate.barred is None]
    best = [candidate.test for candidate in free if all(candidate.score >= other.score for other in free)]
    assert kept.issuperset(best)


@given(tables(), bounds, st.lists(fractions(-3, 3, max_denominator=2**30), min_size=3, max_size=3))
def test_an_estimate_is_off_by_its_slack_at_most(
    table: Table, bound: tuple[Fraction, Fraction], margins: list[Fraction]
) -> None:
    classes = table.schema.target.values
    name = "squared_error" if classes is None else "logistic" if len(classes) == 2 else "softmax"
    of_rows = [tuple(margins[(row + k) % 3] for k in range(3 if name == "softmax" else 1)) for row in range(len(table))]
    sample = derived(table, LOSSES[name], of_rows).sample()
    learner = GradientTree(reg_lambda=bound[0], min_child_weight=bound[1])
    assert isinstance(sample, Store)
    if (doubles := doubles_of(sample, bounds_of(learner))) is None:
        return
    scan = scanned(sample, doubles, sample.rows, sample.whole[0], sample.runs)
    # All estimates are in one unit, so differences of gains tell it: those of the cuts against those of the book.
    gains = []
    for cuts in scan.cuts:
        for place, score in zip(cuts.places(-1.0), cuts.scores, strict=True):
            test = cuts.test(sample, place)
            sides = Sides(sample, test, sample.partition(test), cuts.side)
            if sides.table.rows[0][0] and sides.table.rows[1][0] and learner.barred(sides) is None:
                gains.append((score, sides.gain(bound[0])))
    for one, gain in gains:
        for other, less in gains:
            if one - other > 2 * scan.slack:
                assert gain > less
            elif gain > less:
                assert one - other > -2 * scan.slack


def test_few_others_are_counted() -> None:
    table = rt.textbook("iris").predicting("petal width")
    learner = GradientBoosting(trees=1)
    ensemble = learner.grow(table)
    sample = next(learner.decided(ensemble, table))[1].sample()
    attributes = [one for one in sample.schema.attributes if one.values is None]
    assert isinstance(sample, Store)
    assert len(promising_splits(sample, attributes, bounds_of(GradientTree())) or ()) == 1


@of_every([0, 2, 3])
def test_a_least_weight_is_heeded(least: int) -> None:
    columns = {"x": [1, 2, 3, 4, 5], "g": [9, 1, -2, -1, -2], "h": [1, 1, 1, 1, 1], "y": [0] * 5}
    tree = GradientTree(min_samples_leaf=least, max_depth=1).grow(
        given_derivatives(Table.from_columns(columns, target="y"), "g", "h")
    )
    expected = {0: "x<=1.5", 2: "x<=2.5", 3: None}[least]
    assert (tree.nodes[0].test.name if tree.nodes[0].test else None) == expected
    assert least != 3 or tree.nodes[0].stop == "min-samples-leaf"
