"""Answers: what the walk of the book gives is what `predict` gives."""

from __future__ import annotations

from random import Random

from reference_tree.functions.answers import predicted
from reference_tree.functions.answers import tested as attributes_tested
from tests.functions.drawn_pairs import drawn_model, rows


def test_a_prediction_is_that_of_predict() -> None:
    chance = Random(3)
    for target in ("sum", "mean", "vote", "logistic", "classes") * 3:
        model = drawn_model(chance, target)
        assert attributes_tested(model) <= {"a", "b", "c"}
        refused = [f"{kind} {name}" for kind in ("missing", "other") for name in "abc"]
        for row in list(rows("double", refused, [model]))[:30]:
            assert predicted(model, row) == model.predict(row)
