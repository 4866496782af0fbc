"""Models in XGBoost's form; `test_against_xgboost` lets XGBoost load them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.exact.rounding import nearest_single

X, Y = [[x, x % 3] for x in range(12)], [x * x % 11 for x in range(12)]


def test_a_model_is_read_again(tmp_path: Path) -> None:
    model = rt.XGBRegressor(n_estimators=3, max_depth=3).fit(X, Y)
    model.save_model(tmp_path / "model.json")
    again = rt.XGBRegressor()
    again.load_model(tmp_path / "model.json")
    assert list(again.predict(X)) == pytest.approx(list(model.predict(X)), rel=1e-6)
    assert [list(row) for row in again.apply(X)] == [list(row) for row in model.apply(X)]
    with pytest.raises(rt.InputError, match="no model of a classifier"):
        rt.XGBClassifier().load_model(tmp_path / "model.json")


def test_classes_are_numbered(tmp_path: Path) -> None:
    model = rt.XGBClassifier(n_estimators=2, min_child_weight=0).fit(X, ["abc"[x % 3] for x in range(12)])
    model.save_model(tmp_path / "model.json")
    again = rt.XGBClassifier()
    again.load_model(tmp_path / "model.json")
    assert list(again.classes_) == [0, 1, 2]
    assert ["abc"[place] for place in again.predict(X)] == list(model.predict(X))


def test_thresholds_keep_every_row_on_its_side() -> None:
    rows: list[list[Any]] = [[Fraction(1, 3)], [Fraction(1, 3) + Fraction(1, 10**7)], [1]]
    model = rt.XGBRegressor(n_estimators=1, min_child_weight=0, tree_method="exact", reg_lambda=0).fit(rows, [0, 5, 9])
    (tree,) = json.loads(model.get_booster().save_raw())["learner"]["gradient_booster"]["model"]["trees"]
    at = [t for t, left in zip(tree["split_conditions"], tree["left_children"], strict=True) if left >= 0]
    assert all(nearest_single(t) == t for t in at)
    held = [nearest_single(float(row[0])) for row in rows]
    assert sorted(sum(x < t for x in held) for t in at) == [1, 2]


def test_what_is_not_written_is_refused(tmp_path: Path) -> None:
    model = rt.XGBRegressor(n_estimators=1).fit(X, Y)
    with pytest.raises(rt.InputError, match=r"name the file \.json"):
        model.save_model(tmp_path / "model.ubj")
    with pytest.raises(rt.InputError, match="dump_format"):
        model.get_booster().get_dump(dump_format="dot")
    named = rt.XGBRegressor(n_estimators=1, min_child_weight=0).fit([["a"], ["b"]] * 3, [1, 5] * 3)
    with pytest.raises(rt.InputError, match="a test of categories"):
        named.save_model(tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(AttributeError, match="XGBoost has it, and loads what save_model writes"):
        _ = model.get_booster().trees_to_dataframe
