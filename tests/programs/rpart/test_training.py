"""rpart: how a tree was trained."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.programs.rpart.tables import command_of, training

ROOT = [{"yval2.V2": "6", "yval2.V3": "2"}]
CLASSES = Attribute("y", ("a", "b"))


def pairs(**told: str) -> list[dict[str, str]]:
    """A table of names and values."""
    return [{"name": name, "value": value} for name, value in told.items()]


def test_priors_are_told_where_they_are_not_the_shares_of_the_rows() -> None:
    shares = pairs(prior1="0.75", prior2="0.25", loss1="0", loss2="1", loss3="1", loss4="0", split="2")
    assert training({"frame": ROOT, "parms": shares}, CLASSES, []) == [("told", {"criterion": "entropy"})]
    even = pairs(prior1="0.5", prior2="0.5", loss1="0", loss2="3", loss3="1", loss4="0", split="1")
    assert training({"frame": ROOT, "parms": even}, CLASSES, []) == [
        ("told", {
            "criterion": "gini", "priors": {"a": "1/2", "b": "1/2"}, "loss": {"a": {"b": "1"}, "b": {"a": "3"}},
        })
    ]  # fmt: skip


def test_a_parameter_that_is_not_known_is_refused() -> None:
    with pytest.raises(InputError, match="the table parms has shrink, which is not known for 2 classes"):
        training({"frame": ROOT, "parms": pairs(shrink="1")}, CLASSES, [])


def test_arguments_that_cannot_be_repeated_are_listed() -> None:
    arguments = pairs(formula="y ~ .", cost="c(1, 2)", subset="1:9")
    assert training({"arguments": arguments}, CLASSES, ["x, an ordered factor"]) == [
        ("unlike", ["x, an ordered factor", "cost = c(1, 2)", "subset = 1:9"])
    ]
    assert command_of({"arguments": arguments}) == "rpart(formula = y ~ ., cost = c(1, 2), subset = 1:9)"
    assert command_of({}) is None
