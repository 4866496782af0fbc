"""Models in ONNX answer as onnxruntime does, and nothing of their graphs is passed over."""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.held import held
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.programs.inventory import UnreadError
from reference_tree.programs.onnx.members import MODEL, OPERATORS, TENSOR
from reference_tree.programs.onnx.wire import decoded
from reference_tree.programs.reading import predictor_of_file, read_foreign
from reference_tree.tree import Tree
from tests.every import of_every
from tests.programs.closed_world import documents, effect, mutants
from tests.programs.recording import HERE

FOLDER = HERE / "onnx"
REFUSED = {"ada": "'ArgMax'", "lightgbm-codes": "'BRANCH_EQ'", "xgboost-poisson": "'Mul'"}
FILES = [path for path in sorted(FOLDER.glob("*.onnx")) if path.stem not in REFUSED]
every_model = pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
pytestmark = pytest.mark.filterwarnings("ignore:.*no node sends a row:UserWarning")


def value_of(kind: str) -> Any:
    return decoded((FOLDER / f"{kind}.onnx").read_bytes())


def operator_of(value: Any) -> dict[str, Any]:
    """The attributes of the operator that holds the trees."""
    found: dict[str, Any] = value["graph"]["node"][0]["attribute"]
    return found


def answers_of(path: Path) -> Iterator[tuple[dict[str, Any], Sequence[float], str | None]]:
    """The rows that onnxruntime was asked about, its numbers or scores, and its labels."""
    told = json.loads(path.with_suffix(".answers.json").read_text(encoding="utf-8"))
    labels = told.get("labels", [None] * len(told["rows"]))
    for row, numbers, label in zip(told["rows"], told.get("numbers", told.get("scores")), labels, strict=True):
        yield {f"x{place}": cell for place, cell in enumerate(row)}, numbers, label


def single(number: Any) -> float:
    return float(held(number if isinstance(number, int) else float(number), "float32"))


@every_model
def test_a_model_answers_as_onnxruntime_does(path: Path) -> None:
    """The recorded answers are those of onnxruntime 1.32; sums are equal to the last bit, and so are labels."""
    for place, output in enumerate(read_foreign(path) if path.stem == "tree-two-numbers" else [None]):
        model: Tree | Ensemble = predictor_of_file(path, output=None if output is None else str(place + 1))
        is_linked = isinstance(model, Ensemble) and model.combine in ("softmax", "logistic", "ova", "exp")
        for row, numbers, label in answers_of(path):
            if label is None:
                ours, theirs = [single(model.predict(row))], [numbers[place]]
            else:
                assert model.predict(row) == label
                ours, theirs = list(map(single, model.distribution(row).values())), list(numbers)
            # The exponential function of its processor may be off by a unit in the last place.
            assert ours == (pytest.approx(theirs, rel=2e-6) if is_linked else theirs)


@every_model
def test_a_model_says_how_it_held_its_numbers(path: Path) -> None:
    document = read_foreign(path)[0]
    form = "double" if "double" in path.stem else "float32"
    assert (document["program"]["name"], document["program"]["numbers"]) == ("ONNX", form)
    assert document["learner"]["options"].get("producer", "written").split()[0].lower() in (
        "skl2onnx", "onnxmltools", "written",
    )  # fmt: skip


def test_a_tree_of_classes_is_a_tree_and_a_forest_has_a_sum_for_each_class() -> None:
    (tree,) = read_foreign(FOLDER / "tree-classes.onnx")
    assert (tree["format"], tree["target"]["classes"]) == ("reference-tree/tree/1", ["0", "1", "2"])
    (forest,) = read_foreign(FOLDER / "forest-names.onnx")
    assert (forest["combine"], forest["target"]["classes"]) == ("shares", ["a", "b", "c"])
    assert [each["of"] for each in forest["trees"]] == ["a", "b", "c"] * 3


def test_a_base_value_is_added_after_the_trees() -> None:
    (document,) = read_foreign(FOLDER / "boosting-number.onnx")
    assert document["start"] == ["0"]
    assert [len(tree["nodes"]) for tree in document["trees"]] == [7, 7, 7, 1]


def test_gaps_take_the_false_branch_and_a_remark_says_so() -> None:
    with pytest.warns(InputWarning, match="no node sends a row without a value to its true branch"):
        (document,) = read_foreign(FOLDER / "tree-number.onnx")
    root = document["nodes"][0]
    assert root["missing"] == {"rule": "branch", "to": root["branches"][1]["to"]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (document,) = read_foreign(FOLDER / "lightgbm-number.onnx")  # its nodes have sides


@of_every(list(REFUSED))
def test_an_operator_or_a_mode_that_is_not_read_is_named(kind: str) -> None:
    with pytest.raises(InputError, match=f"{REFUSED[kind]}.*read the model that it was made of"):
        read_foreign(FOLDER / f"{kind}.onnx")


# Of some members a change has no effect, since they say once more what others say.
TWICE = {
    ("removed", "post_transform"): "NONE is what is said where nothing is", ("removed", "domain"): "names are unique",
    ("removed", "base_values"): "they are 0", ("removed", "shape"): "the nodes say how many features there are",
    ("removed", "dim"): "likewise", ("removed", "dim_value"): "likewise", ("removed", "n_targets"): "1 is the default",
    ("changed", "nodes_missing_value_tracks_true"): "of a node that is a leaf, or of no tree's root",
    ("removed", "nodes_missing_value_tracks_true"): "0 is said where nothing is",
    ("changed", "nodes_featureids"): "of a tree that is a leaf", ("removed", "version"): "an older set",
    ("changed", "dim"): "the nodes say how many", ("changed", "output"): "the scores say the label, too",
    ("changed", "opset_import"): "the set without the operators of trees",
    ("changed", "version"): "the sets to 5 have the same rules", ("changed", "base_values"): "a sum that is not read",
}  # fmt: skip


def of_model(path: Sequence[str]) -> str | None:
    """What the inventories say of a member; those of an operator stand under its name."""
    if path[:3] == ("graph", "node", "attribute") and len(path) > 3:
        if len(path) > 4:
            return effect(TENSOR, path[4:])
        said = {effect(inventory, path[3:]) for inventory in OPERATORS.values()}
        return next((each for each in ("no effect", "used") if each in said), None)
    return effect(MODEL, path)


@every_model
@pytest.mark.one_in(8)
def test_nothing_of_a_model_is_passed_over(path: Path) -> None:
    value = decoded(path.read_bytes())
    before = documents(value)
    silent = {
        (mutant.how, ".".join(mutant.path))
        for mutant in mutants(value)
        if documents(mutant.value) == before and of_model(mutant.path) != "no effect"
    }
    assert {each for each in silent if (each[0], each[1].rpartition(".")[2]) not in TWICE} == set()


@of_every(
    [
        ({"post_transform": "PROBIT"}, "its post_transform is 'PROBIT'"),
        ({"aggregate_function": "MAX"}, "its aggregate_function is 'MAX', and SUM is read"),
        ({"nodes_modes": ["BRANCH_NEQ"] * 7}, "a node tests by 'BRANCH_NEQ'"),
        ({"nodes_treeids": [0, 1, 0, 0, 0, 0, 0]}, "not beside one another"),
        ({"nodes_nodeids": [1, 0, 2, 3, 4, 5, 6]}, "does not begin with its node 0"),
        ({"nodes_nodeids": [0, 1, 1, 3, 4, 5, 6]}, "two nodes of one number|no leaf"),
        ({"nodes_truenodeids": [0, 2, 0, 0, 5, 0, 0]}, "reached by two branches"),
        ({"nodes_featureids": [9, 0, 0, 0, 0, 0, 0]}, "a node tests feature 9"),
        ({"nodes_values": [1.0]}, "nodes_values is of 1 nodes, and there are 7"),
        ({"target_nodeids": [2, 2, 5, 6]}, "adds to a sum twice"),
        ({"target_nodeids": [0, 3, 5, 6]}, "node 0 of tree 0 is no leaf"),
        ({"target_ids": [0, 0, 0, 1]}, "adds to sum 1, and there are 1"),
        ({"base_values": [1.0, 2.0]}, "1 targets, and 2 base_values"),
        ({"colour": [1]}, "has a member 'colour', which is not known here"),
    ]
)
def test_attributes_that_do_not_fit_are_refused(case: tuple[dict[str, Any], str]) -> None:
    change, message = case
    value = value_of("tree-number")
    operator_of(value).update(change)
    with pytest.raises(InputError, match=message) as refused:
        read_foreign(value)
    assert "\n" not in str(refused.value)


@of_every(
    [
        ("forest-two-classes", {"class_ids": [0, 1, *[0] * 9]}, "2 classes with 2 sums"),
        ("forest-two-classes", {"classlabels_strings": ["a", "b"]}, "named by one of"),
        ("forest-two-classes", {"classlabels_int64s": [0, 2]}, "ZipMap names other classes"),
        ("forest-two-classes", {"base_values": [0.5]}, "its sums are no probabilities"),
        (
            "forest-two-classes",
            {"post_transform": "SOFTMAX"},
            "its post_transform is 'SOFTMAX', and NONE, LOGISTIC are",
        ),
    ]
)
def test_classes_that_runtimes_disagree_about_are_refused(case: tuple[str, dict[str, Any], str]) -> None:
    kind, change, message = case
    value = value_of(kind)
    operator_of(value).update(change)
    with pytest.raises(InputError, match=message):
        read_foreign(value)


@of_every(
    [
        (["graph", "input", 0, "type", "tensor_type"], {"elem_type": 7}, "its input has the type 7"),
        (["graph", "node", 0], {"input": ["Y"]}, "takes another value"),
        (["graph", "node", 0], {"output": ["variable", "more"]}, "which is not read"),
        (["graph", "output", 0], {"name": "X"}, "not that of one operator of trees"),
        (["opset_import", 1], {"domain": "com.example"}, "imports the operators of com.example"),
        (["opset_import", 0], {"domain": "ai.onnx.ml", "version": 6}, "those of ai.onnx.ml 6, and 1 to 5 are read"),
        (["graph"], {"initializer": [{"name": "one"}]}, "no constants are read"),
        ([], {"field 25": b""}, "has a member 'field 25'"),
    ]
)
def test_a_graph_that_is_not_read_is_refused(case: tuple[list[Any], dict[str, Any], str]) -> None:
    path, change, message = case
    value = inner = value_of("tree-number")
    for step in path:
        inner = inner[step]
    inner.update(change)
    with pytest.raises(InputError, match=message):
        read_foreign(value)


def test_a_graph_with_two_inputs_is_refused() -> None:
    value = value_of("tree-number")
    value["graph"]["input"] *= 2
    with pytest.raises(UnreadError, match="several inputs; convert it with one"):
        read_foreign(value)


def test_rows_that_are_cast_before_the_trees_are_compared_as_they_were_cast() -> None:
    value = value_of("tree-number")
    nodes = value["graph"]["node"]
    value["graph"]["input"][0]["type"]["tensor_type"]["elem_type"] = 11
    nodes[0]["input"] = ["as float32"]
    nodes.insert(0, {"op_type": "Cast", "input": ["X"], "output": ["as float32"], "attribute": {"to": 1}})
    assert read_foreign(value) == read_foreign(FOLDER / "tree-number.onnx")


def test_the_model_itself_is_read_as_its_file_and_the_reader_changes_nothing_of_a_value() -> None:
    content = (FOLDER / "forest-names.onnx").read_bytes()

    class ModelProto:
        def SerializeToString(self) -> bytes:  # noqa: N802  (the name of the package)
            return content

    value = decoded(content)
    as_it_was = copy.deepcopy(value)
    assert read_foreign(ModelProto()) == read_foreign(content) == read_foreign(value)
    assert value == as_it_was


def test_names_are_those_that_are_given() -> None:
    (document,) = read_foreign(
        FOLDER / "tree-two-classes.onnx", target="y", attributes=["a", "b", "c"], classes=["n", "y"]
    )
    assert document["target"] == {"name": "y", "kind": "categorical", "classes": ["n", "y"]}
    assert [each["name"] for each in document["attributes"]] == ["a", "b", "c"]
