"""Models of treelite answer as treelite does, and nothing of their JSON is passed over."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.inventory import UnreadError
from reference_tree.programs.reading import predictor_of_file, read_foreign
from reference_tree.programs.treelite.models import MODEL
from tests.every import of_every
from tests.programs.closed_world import effect, mutants
from tests.programs.recording import HERE

FILES = [path for path in sorted((HERE / "treelite").glob("*.json")) if ".answers" not in path.name]
every_model = pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])


def model_of(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "treelite" / f"{kind}.json").read_text(encoding="utf-8"))
    return found


@every_model
def test_a_model_answers_as_treelite_does(path: Path) -> None:
    """The recorded answers are those of `treelite.gtil.predict`, release 4.8.1; sums are float32 or doubles there."""
    told = json.loads(path.with_name(f"{path.stem}.answers.json").read_text(encoding="utf-8"))
    model = predictor_of_file(path)
    names = [attribute.name for attribute in model.attributes]
    for cells, answer in zip(told["rows"], told["answers"], strict=True):
        row = dict(zip(names, cells, strict=True))
        if model.target.values is None:
            ours = [float(model.predict(row))]
        else:
            ours = list(map(float, model.distribution(row).values()))[-len(answer) :]
        assert all(math.isclose(a, b, rel_tol=0, abs_tol=2e-7) for a, b in zip(ours, answer, strict=True))


@every_model
def test_a_model_says_how_it_held_its_numbers(path: Path) -> None:
    (document,) = read_foreign(path)
    is_single = json.loads(path.read_text(encoding="utf-8"))["threshold_type"] == "float32"
    assert document["program"]["name"] == "treelite"
    assert document["program"]["numbers"] == ("float32" if is_single else "double")
    relations = {
        next(iter(n["branches"][0]["when"])) for tree in document["trees"] for n in tree["nodes"] if "test" in n
    }
    assert relations == {"lt" if is_single else "le"}  # as in XGBoost, and as in scikit-learn and LightGBM


EXCUSED = {
    "sigmoid_alpha": "it is of the logistic function alone",
    "leaf_output_type": "the rounding of a sum, which a mean of shares has not",
}


@every_model
def test_nothing_of_a_model_is_passed_over(path: Path) -> None:
    model = json.loads(path.read_text(encoding="utf-8"))
    before = read_foreign(model, program="treelite")
    silent = []
    for mutant in mutants(model):
        try:
            is_same = read_foreign(mutant.value, program="treelite") == before
        except InputError:
            continue
        if is_same and effect(MODEL, mutant.path) != "no effect" and mutant.path[-1] not in EXCUSED:
            silent.append((mutant.path, mutant.how))
    assert silent == []


@of_every(
    [
        ("boosting-number", {"postprocessor": "exponential_standard_ratio"}, "its postprocessor is"),
        ("boosting-number", {"num_target": 2}, "2 targets at once"),
        ("boosting-number", {"threshold_type": "float16"}, "its threshold_type is"),
        ("forest-classes", {"average_tree_output": False}, "not averaged alone"),
        ("forest-classes", {"base_scores": [1.0, 0.0, 0.0]}, "not averaged alone"),
        ("forest-two-classes", {"postprocessor": "softmax"}, "leaves are vectors"),
    ]
)
def test_a_model_that_answers_otherwise_is_refused_by_name(case: tuple[str, dict[str, Any], str]) -> None:
    kind, change, message = case
    with pytest.raises(UnreadError, match=message):
        read_foreign(model_of(kind) | change)


@of_every(
    [
        ({"node_type": "categorical_test_node"}, "categorical_test_node"),
        ({"comparison_op": ">"}, "and < and <= are read"),
        ({"category_list": [1]}, "tests of categories"),
        ({"left_child": 0}, "reached by two branches"),
        ({"node_id": 5}, "stands at the place of node 0"),
        ({"split_feature_id": 9}, "a node tests feature 9"),
        ({"threshold": math.inf}, "no number that a double could hold"),
    ]
)
def test_a_node_that_is_not_read_is_refused(case: tuple[dict[str, Any], str]) -> None:
    change, message = case
    model = model_of("boosting-number")
    model["trees"][0]["nodes"][0] |= change
    with pytest.raises(InputError, match=message):
        read_foreign(model)


def test_classes_and_features_can_be_named() -> None:
    model = model_of("forest-two-classes")
    (document,) = read_foreign(model, target="y", attributes=["a", "b", "c"], classes=["no", "yes"])
    assert document["target"] == {"name": "y", "kind": "categorical", "classes": ["no", "yes"]}
    assert [attribute["name"] for attribute in document["attributes"]] == ["a", "b", "c"]


def test_the_model_itself_is_read_as_the_file_that_it_would_write() -> None:
    class Loaded:
        def dump_as_json(self, *, pretty_print: bool) -> str:
            return json.dumps(model_of("xgboost"), indent=2 if pretty_print else None)

    assert read_foreign(Loaded()) == read_foreign(model_of("xgboost"))


def test_a_leaf_that_has_a_test_is_refused_by_name() -> None:
    model = model_of("forest-two-classes")
    leaf = next(node for node in model["trees"][0]["nodes"] if "leaf_value" in node)
    leaf |= {"threshold": 1.5, "left_child": 1}
    with pytest.raises(InputError, match=f"node {leaf['node_id']} is a leaf, and has left_child, threshold, too"):
        read_foreign(model)
