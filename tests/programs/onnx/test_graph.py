"""The operators around the trees: those that are read, and those that are refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.inventory import UnreadError
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document.reading import read_predictor
from tests.every import of_every
from tests.programs.onnx.files import FOLDER, REFUSED, value_of, without_remarks

pytestmark = without_remarks


@of_every(list(REFUSED))
def test_an_operator_or_a_mode_that_is_not_read_is_named(kind: str) -> None:
    with pytest.raises(InputError, match=f"{REFUSED[kind]}.*read the model that it was made of"):
        read_foreign(FOLDER / f"{kind}.onnx")


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


@pytest.mark.parametrize("types", [[11], [1, 11]])
def test_a_cast_to_double_does_not_bring_back_what_a_float32_has_lost(types: list[int], tmp_path: Path) -> None:
    """As onnxruntime 1.32: the float32 of 0.2999999999 is above 0.3, and so not less than the threshold."""
    value = value_of("written-doubles")
    graph = value["graph"]
    graph["input"][0]["type"]["tensor_type"]["elem_type"] = 12 - types[0]
    names = ["X", *(f"cast {place}" for place, _ in enumerate(types))]
    graph["node"][0]["input"] = names[-1:]
    graph["node"][:0] = [
        {"op_type": "Cast", "input": [given], "output": [made], "attribute": {"to": to}}
        for given, made, to in zip(names, names[1:], types, strict=False)
    ]
    (document,) = read_foreign(value)
    assert {name: document["program"][name] for name in ("numbers", "sums")} == {"numbers": "float32", "sums": "double"}
    (tmp_path / "model.json").write_text(json.dumps(document), encoding="utf-8")
    model: Any = read_predictor(tmp_path / "model.json")
    answers = [model.predict({"x0": x, "x1": 0}) for x in (0.2999999999, 0.3, 0.2)]
    assert answers[0] == answers[1] != answers[2]
