"""scikit-learn's GradientBoosting, as one document that answers and is audited as the model."""

from __future__ import annotations

import json
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.foreign import read_foreign

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
        assert list(map(float, found.predict(table))) == pytest.approx(list(model.predict(X)), rel=1e-12)
    else:
        shares = [list(map(float, each.values())) for each in found.distribution(table)]
        assert np.allclose(shares, model.predict_proba(X), rtol=1e-12)
    assert rt.audit(model, table).is_right


def test_what_cannot_be_repeated_is_refused() -> None:
    model, _, table = fitted("diabetes", subsample=0.5, max_features=3)
    with pytest.raises(InputError, match=r"trained with subsample 0.5, max_features 3, which an audit cannot repeat"):
        rt.audit(model, table)


def test_another_loss_gives_its_trees_one_by_one() -> None:
    model, *_ = fitted("diabetes", loss="huber")
    assert len(read_foreign(model)) == 3
