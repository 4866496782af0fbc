"""Models in ONNX answer as onnxruntime does, for the rows that it was asked about."""

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
from reference_tree.programs.onnx.wire import decoded
from reference_tree.programs.reading import predictor_of_file, read_foreign
from reference_tree.tree import Tree
from tests.every import of_every
from tests.programs.onnx.files import FOLDER, every_model, operator_of, value_of, without_remarks

pytestmark = without_remarks


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
                answer = model.predict(row)
                # Older operators answer with float32 in any case, TreeEnsemble with what its input is.
                ours = [float(answer) if path.stem == "written-newer-doubles" else single(answer)]
                theirs = [numbers[place]]
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
