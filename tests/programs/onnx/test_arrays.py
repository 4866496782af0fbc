"""Arrays of nodes in both forms, and tensors that claim what they have not."""

from __future__ import annotations

import copy
import struct
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.inventory import Ignored
from reference_tree.programs.onnx.arrays import as_older, of_tensor
from reference_tree.programs.reading import read_foreign
from tests.every import of_every
from tests.programs.onnx.files import operator_of, value_of


@of_every(
    [
        ({"data_type": 1, "dims": [2], "float_data": [0.5, 2.0]}, [0.5, 2.0]),
        ({"data_type": 11, "dims": [1, 2], "double_data": [0.1, 0.2]}, [0.1, 0.2]),
        ({"data_type": 11, "dims": [1], "raw_data": struct.pack("<d", 0.1)}, [0.1]),
        ({"data_type": 2, "dims": [3], "int32_data": [0, 1, 4]}, [0, 1, 4]),
        ({"data_type": 2, "dims": [2], "raw_data": b"\1\2"}, [1, 2]),
    ]
)
def test_the_numbers_of_a_tensor_stand_in_lists_or_in_bytes(case: tuple[dict[str, Any], list[float]]) -> None:
    tensor, found = case
    assert of_tensor(tensor, "splits", Ignored()) == found


@of_every(
    [
        ({"data_type": 10, "dims": [0]}, "splits is a tensor of type 10"),
        ({"data_type": 1, "dims": [2], "float_data": [0.5]}, "has 1 numbers, and its dims are"),
        ({"data_type": 11, "dims": [1], "raw_data": b"abc"}, "cut|buffer|bytes"),
        ({"data_type": 1, "dims": [0], "external_data": b""}, "external_data"),
    ]
)
def test_a_tensor_that_is_not_whole_is_refused(case: tuple[dict[str, Any], str]) -> None:
    tensor, message = case
    with pytest.raises((InputError, struct.error), match=message):
        of_tensor(tensor, "splits", Ignored())


def test_a_tree_of_one_leaf_is_a_node_that_leads_to_it_twice() -> None:
    older = as_older(operator_of(value_of("written-newer")), Ignored())
    assert older["nodes_treeids"] == [0, 0, 0, 1, 1, 1, 1, 1, 2]
    assert older["nodes_modes"][-1] == "LEAF"
    assert older["target_weights"][-1] == pytest.approx(3.2)
    (document,) = read_foreign(value_of("written-newer"))
    assert [len(tree["nodes"]) for tree in document["trees"]] == [3, 5, 1]


@of_every(
    [
        ({"tree_roots": [0, 3]}, "of its 4 nodes 2 belong to a tree"),
        ({"tree_roots": [0, 0, 1, 3]}, "node 0 is reached by two branches"),
        ({"nodes_truenodeids": [0, 1, 3, 5]}, "reached by two branches, or lies below itself"),
        ({"nodes_truenodeids": [9, 2, 3, 5]}, "too short"),
        ({"nodes_falsenodeids": [-1, 2, 4, 5]}, "counted from 0"),
        ({"leaf_targetids": [0, 0]}, "too short"),
        ({"aggregate_function": 3}, "its aggregate_function is 'MAX'"),
        ({"post_transform": 2}, "its post_transform is 'LOGISTIC'"),
        ({"nodes_trueleafs": [1, 0, 2, 1]}, "neither 0 nor 1"),
        ({"membership_values": {}}, "tests of sets of values are not"),
        ({"n_targets": 2}, "adds to none of its 2 outputs"),
    ]
)
def test_arrays_that_do_not_fit_are_refused(case: tuple[dict[str, Any], str]) -> None:
    change, message = case
    value = copy.deepcopy(value_of("written-newer"))
    operator_of(value).update(change)
    with pytest.raises(InputError, match=message):
        read_foreign(value)
