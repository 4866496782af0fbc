"""The operators around the trees: those that are read, and those that are refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.inventory import UnreadError
from reference_tree.programs.reading import read_foreign
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
