"""The closed world of scikit-learn's objects: member by member, removed, renamed, added and changed.

Then the answer changes as the program's own does, or the member is listed as without effect, or it is refused by name.
"""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError, InputWarning
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.reader import readers
from reference_tree.programs.reading import read_foreign
from reference_tree.programs.scikit_learn.members import KNOWN, NOT_READ, TREES, known, release_of, remarks_on
from reference_tree.tree_document import predictor_from_json

np: Any = pytest.importorskip("numpy")
sklearn: Any = pytest.importorskip("sklearn")
ensemble: Any = pytest.importorskip("sklearn.ensemble")
trees: Any = pytest.importorskip("sklearn.tree")

ROWS = 24
X = np.column_stack([np.arange(ROWS) * 7 % ROWS, np.arange(ROWS) % 5, np.arange(ROWS) % 3]).astype(float)
NUMBERS = (X[:, 0] * X[:, 1] % 11 + X[:, 2] / 4).tolist()
NAMES = [*"abc"]
LABELS = [NAMES[int(number) % 3] for number in NUMBERS]
TABLE = [dict(zip(["x0", "x1", "x2"], row, strict=True)) for row in X.tolist()]
WEIGHTS = [1 + place % 3 / 2 for place in range(ROWS)]

FEW: dict[str, dict[str, Any]] = {
    "RandomForest": {"n_estimators": 3}, "ExtraTrees": {"n_estimators": 3}, "Bagging": {"n_estimators": 3},
    "AdaBoost": {"n_estimators": 3}, "GradientBoosting": {"n_estimators": 2, "max_depth": 2},
    "HistGradientBoosting": {"max_iter": 2, "min_samples_leaf": 3},
}  # fmt: skip


def options_of(name: str) -> dict[str, Any]:
    return FEW.get(name.removesuffix("Classifier").removesuffix("Regressor"), {"max_depth": 3})


def fitted(name: str) -> Any:
    """A model of a class, fitted to weighted rows."""
    kind = getattr(trees if name in TREES else ensemble, name)
    model = kind(random_state=1, **options_of(name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, LABELS if name.endswith("Classifier") else NUMBERS, WEIGHTS)


def answers(model: Any) -> list[Any]:
    """What the program answers, with its shares."""
    shares = model.predict_proba(X).tolist() if hasattr(model, "predict_proba") else []
    return [list(map(str, model.predict(X))), *shares] if shares else [model.predict(X).tolist()]


def read(model: Any) -> list[Any]:
    """What is read of it answers, likewise."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        (document,) = read_foreign(model, target="y")
    found: Any = predictor_from_json(json.dumps(document))
    if found.target.values is None:
        return [list(map(float, found.predict(TABLE)))]
    return [found.predict(TABLE), *(list(map(float, each.values())) for each in found.distribution(TABLE))]


def is_same(ours: list[Any], theirs: list[Any]) -> bool:
    if ours and isinstance(ours[0][0], str):
        return bool(ours[0] == theirs[0] and np.allclose(ours[1:], theirs[1:], rtol=1e-9))
    return bool(np.allclose(ours, theirs, rtol=1e-9))


def changed(value: Any) -> Iterator[Any]:
    """Other values in the place of one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | np.integer):
        yield from (value + 1, -1)
    elif isinstance(value, float | np.floating):
        yield from (value * 2 + 1, value / 2)
    elif isinstance(value, str):
        yield "another"
    elif isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        yield from (value[::-1] * 2 + 1, value + 1)
    elif isinstance(value, np.ndarray | list) and len(value) > 1:
        yield from (value[:-1], value[::-1])
    yield from (None, 5, "other", object())


def outcome(model: Any, name: str, listed: bool) -> str:
    """Whether a model is refused by this name, or answers as the program does; otherwise it is silent."""
    try:
        ours = read(model)
    except InputError as error:
        is_named = name in str(error) or "is not fitted" in str(error)
        return "refused" if is_named else f"refused without its name: {error}"
    try:
        theirs = answers(model)
    except Exception as error:  # whatever the program raises where a member is lacking
        of_other_rows = "features, but" in str(error)  # rows with as many columns as the model says would be answered
        return "no effect" if listed or of_other_rows else f"silent: the program answers {error}"
    if is_same(ours, theirs):
        return "same"
    return "no effect" if listed else "silent: another answer"


@pytest.mark.parametrize("name", KNOWN)
def test_no_member_is_passed_over(name: str) -> None:
    model, silent = fitted(name), []
    assert is_same(read(model), answers(model))
    inventory = KNOWN[name].members
    for member in sorted(vars(model)):
        for what, other in variants(model, member):
            listed = member in inventory.no_effect or (what == "removed" and member in inventory.at)
            found = outcome(other, member, listed)
            if found not in ("refused", "same", "no effect"):
                silent.append((member, what, found))
    assert silent == []


def variants(model: Any, member: str) -> Iterator[tuple[str, Any]]:
    """The model without a member, with one of another name, and with other values of it."""
    held = vars(model)[member]
    for what in ("removed", "renamed", "added"):
        other = copy.copy(model)
        if what != "added":
            delattr(other, member)
        if what != "removed":
            setattr(other, f"{member}_more", held)
        yield what, other
    for value in changed(held):
        other = copy.copy(model)
        setattr(other, member, value)
        yield f"changed to {value!r}", other


@pytest.mark.parametrize("name", KNOWN)
def test_the_nodes_of_a_tree_are_read_as_the_program_reads_them(name: str) -> None:
    """A number that is changed in the arrays of the first tree is changed in the answer, or is listed."""
    model = fitted(name)
    arrays = first_arrays(model)
    inner = 0
    for field, value in changes_of_nodes(arrays):
        held = arrays[field][inner].copy()
        arrays[field][inner] = value
        assert is_same(read(model), answers(model)), field
        arrays[field][inner] = held


def first_arrays(model: Any) -> Any:
    """The arrays of the nodes of the first tree of a model, by their names."""
    if hasattr(model, "_predictors"):
        return model._predictors[0][0].nodes
    first = model if hasattr(model, "tree_") else np.ravel(model.estimators_)[0]
    return {name: getattr(first.tree_, name) for name in ("threshold", "feature", "value")}


def changes_of_nodes(arrays: Any) -> Iterator[tuple[str, Any]]:
    """Another threshold, and another feature."""
    is_binned = not isinstance(arrays, dict)
    yield "num_threshold" if is_binned else "threshold", 2.5
    yield "feature_idx" if is_binned else "feature", 1


def test_the_classes_that_are_read_are_read_exactly() -> None:
    class Mine(trees.DecisionTreeClassifier):  # type: ignore[misc]
        def predict(self, X: Any, check_input: bool = True) -> Any:
            return super().predict(X, check_input)[::-1]

    model = Mine().fit(X, LABELS)
    with pytest.raises(UnreadError, match=r"Mine of .* is a class of its own, derived from DecisionTreeClassifier"):
        read_foreign(model)
    with pytest.warns(InputWarning, match="ignored, as told: Mine"):
        (document,) = read_foreign(model, ignore_members=["Mine"])
    assert "ignored, as told: Mine" in document["learner"]["options"]["remarks"]


def test_a_class_that_looks_alike_is_refused() -> None:
    """As those of other packages do; the name of the class alone is not enough."""
    look = type("RandomForestClassifier", (), {"__module__": "elsewhere.ensemble"})()
    vars(look).update(vars(fitted("RandomForestClassifier")))
    with pytest.raises(UnreadError, match=r"RandomForestClassifier of elsewhere\.ensemble is no class of scikit-learn"):
        read_foreign(look)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (lambda: ensemble.IsolationForest(n_estimators=2).fit(X), "IsolationForest is not read: its answer is a score"),
        (lambda: ensemble.RandomTreesEmbedding(n_estimators=2).fit(X), "RandomTreesEmbedding is not read"),
        (lambda: ensemble.AdaBoostRegressor(n_estimators=2).fit(X, NUMBERS), "a weighted median"),
        (
            lambda: ensemble.VotingClassifier([("a", trees.DecisionTreeClassifier())]).fit(X, LABELS),
            "VotingClassifier is not read; read the trees",
        ),
        (
            lambda: ensemble.BaggingClassifier(ensemble.RandomForestClassifier(2), 2).fit(X, LABELS),
            "BaggingClassifier is made of RandomForestClassifier, and only ensembles of trees are read",
        ),
        (
            lambda: ensemble.AdaBoostClassifier(ensemble.RandomForestClassifier(2), n_estimators=2).fit(X, LABELS),
            "AdaBoostClassifier is made of RandomForestClassifier",
        ),
        (
            lambda: (
                pytest.importorskip("sklearn.pipeline").make_pipeline(trees.DecisionTreeClassifier()).fit(X, LABELS)
            ),
            "Pipeline is not read: what its steps before the last do",
        ),
        (
            lambda: (
                pytest.importorskip("sklearn.multiclass")
                .OneVsRestClassifier(trees.DecisionTreeClassifier())
                .fit(X, LABELS)
            ),
            "OneVsRestClassifier is not read; read the trees",
        ),
        (
            lambda: (
                pytest.importorskip("sklearn.model_selection")
                .GridSearchCV(trees.DecisionTreeClassifier(), {}, cv=2)
                .fit(X, LABELS)
            ),
            "GridSearchCV is not read: read its best_estimator_",
        ),
        (
            lambda: (
                pytest.importorskip("sklearn.multioutput")
                .MultiOutputClassifier(trees.DecisionTreeClassifier())
                .fit(X, list(zip(LABELS, LABELS, strict=True)))
            ),
            "MultiOutputClassifier is not read; read the trees",
        ),
    ],
)
def test_models_of_other_kinds_are_refused_by_name(model: Any, words: str) -> None:
    columns = {f"x{place}": column for place, column in enumerate(X.T.tolist())}
    table, fitted = rt.Table.from_columns({**columns, "y": LABELS}, "y"), model()
    for ask in (read_foreign, lambda model: rt.audit(model, table)):
        with pytest.raises(UnreadError, match=words):
            ask(fitted)


@pytest.mark.parametrize("kind", ["DecisionTree", "ExtraTree", "RandomForest", "ExtraTrees"])
@pytest.mark.parametrize("what", ["Classifier", "Regressor"])
def test_two_targets_are_refused_in_one_line(kind: str, what: str) -> None:
    name = f"{kind}{what}"
    y = list(zip(LABELS, LABELS[::-1], strict=True)) if what == "Classifier" else X[:, :2]
    model = getattr(trees if name in TREES else ensemble, name)(**options_of(name)).fit(X, y)
    table = rt.Table.from_columns(
        {**{f"x{place}": column for place, column in enumerate(X.T.tolist())}, "y": LABELS}, "y"
    )
    for ask in (read_foreign, lambda model: rt.audit(model, table)):
        with pytest.raises(InputError, match=f"{name} predicts 2 targets at once; fit one model for each") as error:
            ask(model)
        assert "\n" not in str(error.value)


def test_a_bag_of_two_targets_is_refused() -> None:
    with pytest.raises(InputError, match="DecisionTreeRegressor predicts 2 targets at once"):
        read_foreign(ensemble.BaggingRegressor(n_estimators=2).fit(X, X[:, :2]))


def test_columns_of_the_table_in_another_order_are_those_of_the_model() -> None:
    pandas = pytest.importorskip("pandas")
    model = trees.DecisionTreeClassifier(random_state=0).fit(pandas.DataFrame(X, columns=["p", "q", "r"]), LABELS)
    columns = dict(zip(["p", "q", "r"], X.T.tolist(), strict=True))
    turned = {"r": columns["r"], "p": columns["p"], "q": columns["q"], "y": LABELS}
    assert rt.audit(model, rt.Table.from_columns(turned, "y")).is_right


def test_a_release_that_was_never_tried_is_remarked_on() -> None:
    model = fitted("DecisionTreeClassifier")
    model._sklearn_version = "1.10.0"  # as a model that was saved by it has
    assert release_of(model) == "1.10.0"
    with pytest.warns(InputWarning, match="scikit-learn 1.10.0 was not tried"):
        read_foreign(model)
    assert remarks_on(None) != remarks_on("1.6.1") == []


def test_the_inventories_are_those_of_the_reader_and_the_refused_are_no_known_ones() -> None:
    held = readers()["scikit_learn"].inventories
    assert [one.members for one in KNOWN.values()] == list(held[: len(KNOWN)])
    assert not NOT_READ.keys() & KNOWN.keys()
    for one in KNOWN.values():
        assert not one.members.used.keys() & (one.members.no_effect.keys() | one.members.at.keys())
        assert one.lacking - {"monotonic_cst", "_n_samples", "_sample_weight"} <= set(one.members.used)


def test_the_class_of_a_model_is_told() -> None:
    assert known(trees.DecisionTreeClassifier(), Ignored()).name == "DecisionTreeClassifier"
