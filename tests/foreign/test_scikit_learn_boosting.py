"""HistGradientBoosting of scikit-learn: what is read answers every row as it does, and is audited."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from reference_tree.auditing.boosters import booster_of
from reference_tree.auditing.boosting import BoostedAudit
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.foreign import read_foreign
from reference_tree.tree_document import predictor_from_json

np: Any = pytest.importorskip("numpy")
datasets: Any = pytest.importorskip("sklearn.datasets")
ensemble: Any = pytest.importorskip("sklearn.ensemble")

OPTIONS = {"max_iter": 2, "max_leaf_nodes": 4, "learning_rate": 0.3}


def gaps(X: Any) -> Any:
    """The same with a tenth of the values missing."""
    return np.where(np.random.RandomState(0).rand(*X.shape) < 0.1, np.nan, X)


CASES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "two classes": ("load_breast_cancer", lambda X: X),
    "three classes": ("load_iris", lambda X: X),
    "numbers": ("load_diabetes", lambda X: X),
    "gaps": ("load_iris", gaps),
}


def fitted(name: str, **options: Any) -> tuple[Any, Any, Table, Ensemble]:
    """A model, its rows, and what is read of it."""
    load, change = CASES[name]
    data = getattr(datasets, load)()
    X, numeric = change(data.data), load == "load_diabetes"
    y = data.target if numeric else np.array([f"c{place}" for place in data.target])
    kind = "HistGradientBoostingRegressor" if numeric else "HistGradientBoostingClassifier"
    model = getattr(ensemble, kind)(**{**OPTIONS, **options}).fit(X, y)
    columns: dict[str, Any] = {
        f"x{place}": [None if np.isnan(cell) else cell for cell in X[:, place].tolist()] for place in range(X.shape[1])
    }
    table = Table.from_columns({**columns, "y": y.tolist()}, "y", categorical=[] if numeric else ["y"])
    (document,) = read_foreign(model, target="y")
    found = predictor_from_json(json.dumps(document))
    assert isinstance(found, Ensemble)
    return model, X, table, found


def bins_of(model: Any, X: Any) -> dict[str, list[Any]]:
    """The bin of each row, by the edges that the program holds."""
    edges = model._bin_mapper.bin_thresholds_
    return {
        f"x{place}": [None if np.isnan(cell) else int(np.searchsorted(edges[place], cell)) for cell in X[:, place]]
        for place in range(X.shape[1])
    }


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_it_answers_as_it_does(name: str) -> None:
    model, X, table, found = fitted(name)
    rows = list(table.rows())
    if name == "numbers":
        assert list(map(float, found.predict(rows))) == pytest.approx(list(model.predict(X)), rel=1e-12)
        return
    assert found.predict(rows) == list(model.predict(X))
    shares = [list(map(float, each.values())) for each in found.distribution(rows)]
    assert np.allclose(shares, model.predict_proba(X), rtol=1e-12)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_every_node_is_right_among_all_of_its_bins(name: str) -> None:
    model, X, table, found = fitted(name)
    audit = BoostedAudit(found, table, booster_of(found, {})[0], bins_of(model, X))
    assert audit.is_right, audit.wrong[0]
    assert audit.counts.get("optimal", 0) >= 0.9 * len(audit.findings)


@pytest.mark.slow
def test_a_moved_threshold_is_named() -> None:
    model, X, table, found = fitted("two classes")
    tree = found.members[0].tree
    test = tree.nodes[0].test
    assert isinstance(test, Threshold)
    column = sorted(value for value in table.columns[test.attribute] if isinstance(value, int | float))
    nodes = (replace(tree.nodes[0], test=Threshold(test.attribute, column[50])), *tree.nodes[1:])
    spoilt = replace(found, members=(found.members[0]._replace(tree=replace(tree, nodes=nodes)), *found.members[1:]))
    wrong = BoostedAudit(spoilt, table, booster_of(found, {})[0], bins_of(model, X)).wrong
    assert (wrong[0].tree, wrong[0].number, wrong[0].verdict) == (0, 0, "wrong-threshold")


def test_a_tree_without_a_question_adds_nothing() -> None:
    """Of fewer than forty rows no cut leaves twenty on either side, and the program sets no value then."""
    y = [0.1, 0.7, 0.4, 0.2, 0.9]
    model = ensemble.HistGradientBoostingRegressor(max_iter=2).fit([[place] for place in range(5)], y)
    (document,) = read_foreign(model, target="y")
    assert [node["value"] for tree in document["trees"] for node in tree["nodes"]] == ["0", "0"]
    table = Table.from_columns({"x0": [0, 1, 2, 3, 4], "y": y})
    found = predictor_from_json(json.dumps(document))
    assert isinstance(found, Ensemble)
    booster = booster_of(found, {})[0]
    assert BoostedAudit(found, table, booster).is_right
    document["trees"][1]["nodes"][0]["value"] = "1/1000"
    spoilt = predictor_from_json(json.dumps(document))
    assert isinstance(spoilt, Ensemble)
    (wrong,) = BoostedAudit(spoilt, table, booster).wrong
    assert (wrong.tree, wrong.verdict) == (1, "wrong-leaf")


def test_what_cannot_be_repeated_is_named() -> None:
    *_, found = fitted("three classes", early_stopping=True, max_features=0.5)
    with pytest.raises(InputError, match=r"max_features 0.5, early_stopping on rows that were held out"):
        booster_of(found, {})


def test_another_loss_gives_its_trees_one_by_one() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    model = ensemble.HistGradientBoostingRegressor(loss="absolute_error", **OPTIONS).fit(X, y)
    assert len(read_foreign(model)) == 2


def test_members_that_are_not_as_they_were_known_are_refused() -> None:
    X, y = datasets.load_iris(return_X_y=True)
    model = ensemble.HistGradientBoostingClassifier(max_iter=1, categorical_features=[0]).fit(
        np.column_stack([X[:, 0].round(), X[:, 1]]), y
    )
    with pytest.raises(InputError, match="tests categories"):
        read_foreign(model)
    old = np.zeros(1, dtype=[("value", float), ("count", int)])
    members = {"_predictors": [[SimpleNamespace(nodes=old)]], "n_features_in_": 1, "classes_": ["a", "b"]}
    with pytest.raises(InputError, match="its nodes have no left, right, feature_idx"):
        read_foreign(SimpleNamespace(**members))
