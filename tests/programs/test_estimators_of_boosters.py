"""Fitted objects of XGBoost and LightGBM in the shape of scikit-learn's: their classes, and derived classes."""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.programs.inventory import UnreadError
from reference_tree.programs.reading import read_foreign

X = [[float(place)] for place in range(40)]


def few(package: str, name: str) -> Any:
    """A class of a program, and the options that make a small model."""
    quiet: dict[str, Any] = {"verbose": -1, "min_child_samples": 1} if package == "lightgbm" else {}
    return getattr(pytest.importorskip(package), name), {"n_estimators": 2, **quiet}


@pytest.mark.parametrize("labels", [["no", "yes"], [3, 7], ["a", "b", "c"], [-1, 1]])
def test_classes_are_those_of_the_object(labels: list[Any]) -> None:
    kind, options = few("lightgbm", "LGBMClassifier")
    model = kind(**options).fit(X, [labels[place % len(labels)] for place in range(40)])
    (document,) = read_foreign(model)
    assert document["target"]["classes"] == list(map(str, labels))
    (named,) = read_foreign(model, classes=[*"xyz"[: len(labels)]])
    assert named["target"]["classes"] == [*"xyz"[: len(labels)]], "names that are given come first"


@pytest.mark.parametrize(("package", "name"), [("lightgbm", "LGBMRegressor"), ("xgboost", "XGBRegressor")])
def test_a_class_of_its_own_is_refused_by_name(package: str, name: str) -> None:
    kind, options = few(package, name)
    odd = type("Odd", (kind,), {"predict": lambda self, X: -super(kind, self).predict(X)})
    model = odd(**options).fit(X, [one for (one,) in X])
    with pytest.raises(UnreadError, match=f"^Odd of .* is a class of its own, derived from {name}"):
        read_foreign(model)
    with pytest.warns(match="Odd"):
        (document,) = read_foreign(model, ignore_members=["Odd"])
    assert document["trees"] == read_foreign(kind(**options).fit(X, [one for (one,) in X]))[0]["trees"]
