"""Boxes: the sum over the leaves is what the model predicts, with every rule for gaps."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.exact.log_sums import log
from reference_tree.functions.answers import exact_score
from reference_tree.functions.boxes import added, sums_of, value_at
from reference_tree.functions.cells import InputDomain
from tests.attribution.drawn_trees import drawn_row, drawn_tree
from tests.functions.drawn_pairs import drawn_model, rows, scores


def test_the_boxes_of_a_row_add_up_to_its_prediction() -> None:
    """Divided rows, rows that stay, surrogates: trees that another room draws."""
    chance = Random(1)
    for _ in range(25):
        tree = drawn_tree(chance, 4).tree
        domain = InputDomain.of([tree])
        boxes, whole = added([(1, sums_of(tree, domain).scores[""])])
        for _ in range(10):
            row = drawn_row(chance)
            if (at := domain.at(row)) is not None:
                assert Fraction(value_at(boxes, at), whole) == tree.predict(row) == exact_score(tree, row)


def test_scores_are_those_of_the_model() -> None:
    chance = Random(2)
    for target in ("sum", "mean", "vote", "logistic", "classes") * 4:
        model = drawn_model(chance, target)
        domain = InputDomain.of([model])
        sums = sums_of(model, domain)
        for row in list(rows("double", domain.outside, [model]))[:40]:
            at = domain.at(row)
            assert at is not None
            for name, score in sums.scores.items():
                boxes, whole = added([(1, score)])
                said = scores(model, row)
                value = Fraction(value_at(boxes, at), whole)
                assert value == (said[name] if isinstance(said, dict) else said) == exact_score(model, row, name)


def test_what_is_no_rational_sum_is_refused() -> None:
    golf = rt.textbook("golf")
    boosted = rt.AdaBoost(trees=2).grow(golf)
    with pytest.raises(InputError, match="weights of the trees are logarithms"):
        sums_of(boosted, InputDomain.of([boosted]))
    started = replace(rt.GradientBoosting(trees=2).grow(golf), start=(log(2),))
    with pytest.raises(InputError, match="the sum starts from a logarithm"):
        rt.fingerprint(started)
    melons = rt.textbook("watermelon-2.0a")
    forest = rt.Bagging(base=rt.C45.like("zhou"), trees=2).grow(melons)
    with pytest.raises(InputError, match="the vote of a divided row is no sum"):
        rt.fingerprint(forest)
