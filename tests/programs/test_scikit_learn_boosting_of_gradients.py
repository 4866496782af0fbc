"""scikit-learn's GradientBoosting, as one document that answers and is audited as the model."""

from __future__ import annotations

import json
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError, InputWarning
from reference_tree.programs.reading import read_foreign

np: Any = pytest.importorskip("numpy")
datasets: Any = pytest.importorskip("sklearn.datasets")
ensemble: Any = pytest.importorskip("sklearn.ensemble")

pytestmark = pytest.mark.oracles


def fitted(name: str, **options: Any) -> tuple[Any, Any, rt.Table]:
    """A model of a public table, with its rows."""
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    kind = ensemble.GradientBoostingRegressor if name == "diabetes" else ensemble.GradientBoostingClassifier
    model = kind(n_estimators=3, random_state=0, **options).fit(X, y)
    columns: dict[str, list[Any]] = {f"x{place}": column.tolist() for place, column in enumerate(X.T)}
    columns["y"] = y.tolist() if name == "diabetes" else [str(one) for one in y]
    return model, X, rt.Table.from_columns(columns, "y", categorical=[] if name == "diabetes" else ["y"])


@pytest.mark.parametrize("name", ["diabetes", "breast_cancer", "iris"])
def test_it_answers_as_it_does_and_is_right(name: str) -> None:
    model, X, table = fitted(name)
    (document,) = read_foreign(model, target="y")
    found: Any = rt.predictor_from_json(json.dumps(document))
    if name == "diabetes":
        assert list(map(float, found.predict(table))) == list(model.predict(X))
    else:
        shares = [list(map(float, each.values())) for each in found.distribution(table)]
        assert np.allclose(shares, model.predict_proba(X), rtol=1e-12)
    assert rt.audit(model, table).is_right


def test_what_cannot_be_repeated_is_refused() -> None:
    model, _, table = fitted("diabetes", subsample=0.5, max_features=3)
    with pytest.raises(InputError, match=r"trained with subsample 0.5, max_features 3, which an audit cannot repeat"):
        rt.audit(model, table)


def test_a_bound_that_is_a_share_counts_rows() -> None:
    model, _, table = fitted("iris", min_samples_leaf=0.1)
    assert rt.audit(model, table).is_right
    free, _, table = fitted("iris")
    (document,) = read_foreign(free, target="y")
    document["learner"]["options"]["told"]["min_samples_leaf"] = "0.1"
    assert not rt.audit(rt.predictor_from_json(json.dumps(document)), table).is_right


@pytest.mark.parametrize("loss", ["absolute_error", "huber", "quantile"])
def test_other_losses_of_numbers_add_up_alike_and_are_not_audited(loss: str) -> None:
    model, X, table = fitted("diabetes", loss=loss)
    (document,) = read_foreign(model, target="y")
    assert list(map(float, rt.predictor_from_json(json.dumps(document)).predict(table))) == list(model.predict(X))
    with pytest.raises(InputError, match=f"its objective is {loss}|trained with loss {loss}"):
        rt.audit(model, table)


def test_the_exponential_loss_has_the_share_of_twice_the_sum() -> None:
    model, X, table = fitted("breast_cancer", loss="exponential")
    (document,) = read_foreign(model, target="y")
    found: Any = rt.predictor_from_json(json.dumps(document))
    assert found.predict(table) == [str(one) for one in model.predict(X)]
    shares = [list(map(float, each.values())) for each in found.distribution(table)]
    assert np.allclose(shares, model.predict_proba(X), rtol=1e-12)
    with pytest.raises(InputError, match="trained with loss exponential, which an audit cannot repeat"):
        rt.audit(model, table)


def test_a_start_that_differs_from_row_to_row_is_refused() -> None:
    trees = pytest.importorskip("sklearn.tree")
    model, *_ = fitted("diabetes", init=trees.DecisionTreeRegressor(max_depth=1))
    with pytest.raises(InputError, match="GradientBoostingRegressor starts its sums from what init_ answers"):
        read_foreign(model)
    dummy = pytest.importorskip("sklearn.dummy")
    model, *_ = fitted("iris", init=dummy.DummyClassifier(strategy="stratified"))
    with pytest.raises(InputError, match="DummyClassifier of strategy stratified"):
        read_foreign(model)
    model, X, table = fitted("diabetes", init=dummy.DummyRegressor(strategy="median"))
    (document,) = read_foreign(model, target="y")
    assert list(map(float, rt.predictor_from_json(json.dumps(document)).predict(table))) == list(model.predict(X))


def test_a_sum_of_exactly_zero_is_remarked_on() -> None:
    """GradientBoosting answers its second class then, and HistGradientBoosting its first."""
    model = ensemble.GradientBoostingClassifier(n_estimators=1).fit([[0], [0]], [*"ab"])
    assert list(model.predict([[0]])) == ["b"]
    with pytest.warns(InputWarning, match="of a row whose sum is exactly 0 GradientBoosting answers b, and here"):
        read_foreign(model)
