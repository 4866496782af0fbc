"""HistGradientBoosting of scikit-learn: what is read answers every row as it does, and is audited."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from reference_tree.auditing.boosting import BoostedAudit
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import COMBINATIONS, Ensemble
from reference_tree.programs.boosters import booster_of
from reference_tree.programs.reading import read_foreign
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


@pytest.mark.parametrize("loss", ["absolute_error", "quantile"])
def test_other_losses_add_up_alike_and_are_not_audited(loss: str) -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    options = {"loss": loss, "quantile": 0.3 if loss == "quantile" else None, **OPTIONS}
    model = ensemble.HistGradientBoostingRegressor(**options).fit(X, y)
    table = Table.from_columns({**{f"x{place}": column.tolist() for place, column in enumerate(X.T)}, "y": y.tolist()})
    (document,) = read_foreign(model, target="y")
    found: Any = predictor_from_json(json.dumps(document))
    assert list(map(float, found.predict(table))) == list(model.predict(X))
    with pytest.raises(InputError, match=f"its objective is {loss}|trained with loss {loss}"):
        booster_of(found, {})


@pytest.mark.parametrize("loss", ["poisson", "gamma"])
def test_an_exponential_of_the_sum_is_read_with_its_link_or_refused_by_name(loss: str) -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    model = ensemble.HistGradientBoostingRegressor(loss=loss, **OPTIONS).fit(X, y)
    if "exp" not in COMBINATIONS:
        with pytest.raises(InputError, match=f"HistGradientBoostingRegressor has loss {loss}, and no document has"):
            read_foreign(model)
        return
    table = Table.from_columns({**{f"x{place}": column.tolist() for place, column in enumerate(X.T)}, "y": y.tolist()})
    (document,) = read_foreign(model, target="y")
    found: Any = predictor_from_json(json.dumps(document))
    assert list(map(float, found.predict(table))) == pytest.approx(list(model.predict(X)), rel=1e-14)


def test_tests_of_categories_are_refused_by_name() -> None:
    X, y = datasets.load_iris(return_X_y=True)
    X = np.column_stack([X[:, 0].round(), X[:, 1]])
    model = ensemble.HistGradientBoostingClassifier(max_iter=1, categorical_features=[0]).fit(X, y)
    with pytest.raises(InputError, match="tests of categories are not read; encode the categories as numbers before"):
        read_foreign(model)
