"""The objectives of XGBoost; models of most of them answer as they did in `test_kinds_of_booster`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.ensembles.ensemble import COMBINATIONS
from reference_tree.programs.boosted import SumRule
from reference_tree.programs.xgboost.models import OBJECTIVES, rule_of
from tests.every import of_every


def learner(name: str, base_score: str = "[5E-1]", classes: int = 0, targets: int = 1, **more: Any) -> dict[str, Any]:
    """The parts of a model that say how its sums are used."""
    sizes = {"num_class": str(classes), "num_target": str(targets)}
    return {"objective": {"name": name, **more}, "learner_model_param": {"base_score": base_score, **sizes}}


def test_each_has_a_rule_that_there_is() -> None:
    for name, (combine, _) in OBJECTIVES.items():
        found = rule_of(learner(name, classes=3 if combine == "softmax" else 0))
        assert isinstance(found, SumRule)
        assert found.combine in COMBINATIONS
        assert len(found.start) == (3 if combine == "softmax" else 1)


@of_every(
    [
        ("reg:squarederror", "5E-1", 0.5),  # as releases before 3 wrote it
        ("count:poisson", "[2E0]", 0.6931471805599453),
        ("binary:logistic", "[2.5E-1]", -1.0986122886681098),
        ("binary:logistic", "[1E0]", 13.745160575542522),
        ("binary:logistic", "[0E0]", -13.815509557963774),
        ("binary:logitraw", "[2.5E-1]", 0.25),
    ]
)
def test_where_the_sums_start(name: str, base_score: str, start: float) -> None:
    found = rule_of(learner(name, base_score))
    assert isinstance(found, SumRule)
    assert float(found.start[0]) == pytest.approx(start, rel=1e-7)


def test_several_outputs_have_names() -> None:
    found = rule_of(
        learner("reg:quantileerror", "[1,2]", targets=2, quantile_loss_param={"quantile_alpha": "[2E-1,0.75]"})
    )
    assert isinstance(found, dict)
    assert {name: rule.start for name, rule in found.items()} == {
        "quantile 0.2": [Fraction(1)],
        "quantile 0.75": [Fraction(2)],
    }
    assert [*rule_of(learner("reg:squarederror", targets=3))] == ["1", "2", "3"]


@of_every(
    [
        (learner("reg:new"), "its objective is reg:new, which is not read"),
        (learner("count:poisson", "[0]"), "base_score is not positive"),
        (learner("binary:logistic", "[2]"), "is no probability"),
        (learner("reg:squarederror", "[1,2]", targets=3), "its base_score has 2 numbers, and there are 3 sums"),
        (learner("reg:squarederror", classes=3), "it has 3 classes and 1 targets, which reg:squarederror cannot have"),
    ]
)
def test_others_are_refused(of: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rule_of(of)
