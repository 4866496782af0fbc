"""Metrics round by round, and rounds that end early."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.estimators.evaluation import METRICS, JudgedRow, Weighed, named
from tests.every import of_every

ROWS: Weighed = {JudgedRow(0, (0, Fraction(-1, 2))): 2, JudgedRow(1, (0, Fraction(1, 4))): 1, JudgedRow(1, (0, -1)): 3}


def test_metrics_are_those_of_the_definition() -> None:
    odds = [(0, -0.5, 2), (1, 0.25, 1), (1, -1, 3)]
    loss = sum(w * math.log(1 + math.exp(-f if y else f)) for y, f, w in odds) / 6
    assert float(METRICS["logloss"].measure(ROWS)) == pytest.approx(loss, abs=1e-14)
    assert float(METRICS["mlogloss"].measure(ROWS)) == pytest.approx(loss, abs=1e-14)
    assert METRICS["error"].measure(ROWS) == Fraction(1, 2)
    pairs = [(w * v, f < g) for y, f, w in odds if not y for z, g, v in odds if z]
    right = sum(w for w, inorder in pairs if inorder)
    assert METRICS["auc"].measure(ROWS) == Fraction(right, sum(w for w, _ in pairs))
    numbers = {JudgedRow(1, (3,)): 1, JudgedRow(2, (1,)): 3}
    assert METRICS["mae"].measure(numbers) == Fraction(5, 4)
    assert float(METRICS["rmse"].measure(numbers)) == math.sqrt(7 / 4)


@of_every([("lglos", "logloss"), ("rmse", "there is no eval_metric 'rmse'"), (print, "a function is not called here")])
def test_a_metric_that_there_is_not(metric: Any, message: str) -> None:
    with pytest.raises(rt.InputError, match=message):
        named(metric, "logistic")


X, Y = [[x] for x in range(24)], [x * x % 11 for x in range(24)]


def test_rounds_end_when_nothing_improves_and_the_best_answers(capsys: pytest.CaptureFixture[str]) -> None:
    model = rt.XGBRegressor(n_estimators=40, max_depth=2, early_stopping_rounds=2, learning_rate=1)
    model.fit(X[::2], Y[::2], eval_set=[(X[::2], Y[::2]), (X[1::2], Y[1::2])], verbose=True)
    values = model.evals_result()["validation_1"]["rmse"]
    assert len(values) == model.best_iteration + 3 == model.get_booster().num_boosted_rounds()
    assert values[model.best_iteration] == model.best_score == min(values)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == len(values)
    assert printed[0] == (
        f"[0]\tvalidation_0-rmse:{model.evals_result()['validation_0']['rmse'][0]:.5f}"
        f"\tvalidation_1-rmse:{values[0]:.5f}"
    )
    until = (0, model.best_iteration + 1)
    assert list(model.predict(X)) == list(model.predict(X, iteration_range=until))
    assert list(model.predict(X)) != list(model.predict(X, iteration_range=(0, len(values))))


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize(("verbose", "lines"), [(False, 0), (True, 5), (2, 3), (3, 3), (None, 0)])
def test_metrics_are_printed_as_often_as_is_said(verbose: Any, lines: int, capsys: pytest.CaptureFixture[str]) -> None:
    rt.XGBRegressor(n_estimators=5).fit(X, Y, eval_set=[(X, Y)], verbose=verbose)
    assert len(capsys.readouterr().out.splitlines()) == lines


def test_what_cannot_be_watched_is_told() -> None:
    with pytest.raises(rt.InputError, match="must have at least 1 validation dataset"):
        rt.XGBRegressor(early_stopping_rounds=2).fit(X, Y)
    with pytest.raises(rt.InputError, match="eval_set: 'c' is no class"):
        rt.XGBClassifier(n_estimators=1).fit([[1], [2]], ["a", "b"], eval_set=[([[1]], ["c"])])
    model = rt.XGBRegressor(n_estimators=1).fit(X, Y)
    with pytest.raises(rt.InputError, match="eval_set"):
        model.evals_result()
    with pytest.raises(AttributeError, match="early_stopping_rounds"):
        _ = model.best_iteration
    with pytest.raises(rt.InputError, match="the rounds go from 0 to 1"):
        model.predict(X, iteration_range=(0, 2))
