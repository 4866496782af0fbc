"""Arrays: the lists and tensors of numbers of an operator, and the form in which its nodes stand in them.

Until `ai.onnx.ml` 4 a node has a number in its tree, and a leaf is a node of the mode `LEAF`. In `TreeEnsemble`, the
operator since 5, inner nodes and leaves stand in arrays of their own, trees begin where `tree_roots` says, and modes
are numbers. `as_older` brings these arrays into the older form, so that all that follows reads one form.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.programs.documents import Json, item, refuse_many
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.onnx.members import TENSOR

FLOAT, UINT8, DOUBLE = 1, 2, 11
_TYPES: Mapping[int, tuple[str, str]] = {
    FLOAT: ("f", "float_data"), UINT8: ("B", "int32_data"), DOUBLE: ("d", "double_data"),
}  # fmt: skip
"""The type of a tensor → the form of a number in `raw_data`, and the list in which numbers stand otherwise."""

MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER")
AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


def numbers(held: Json, name: str, ignored: Ignored) -> list[Any]:
    """A list of numbers: of float32, or a tensor of doubles."""
    if f"{name}_as_tensor" not in held:
        return list(held.get(name, []))
    if held.get(name):
        raise InputError(f"{name} is there twice")
    return of_tensor(held[f"{name}_as_tensor"], name, ignored)


def of_tensor(tensor: Json, name: str, ignored: Ignored) -> list[Any]:
    """The numbers of a tensor.

    Raises:
        InputError: it claims more or fewer than it has.
        UnreadError: they are of another type than float32, double and, for modes, bytes.
    """
    TENSOR.check(tensor, ignored)
    if tensor["data_type"] not in _TYPES:
        raise UnreadError(f"{name} is a tensor of type {tensor['data_type']}, and float32 and double are read")
    form, plain = _TYPES[tensor["data_type"]]
    raw = tensor.get("raw_data", b"")
    found = [*tensor.get(plain, []), *struct.unpack(f"<{len(raw) // struct.calcsize(form)}{form}", raw)]
    if prod(tensor["dims"]) != len(found):
        raise InputError(f"the tensor of {name} has {len(found)} numbers, and its dims are {tensor['dims']}")
    return found


def as_older(held: Json, ignored: Ignored) -> dict[str, Any]:
    """The attributes of a `TreeEnsemble` as those of a `TreeEnsembleRegressor`.

    Raises:
        InputError: a node is reached by two branches, or an array is too short.
    """
    modes, splits = (of_tensor(held[name], name, ignored) for name in ("nodes_modes", "nodes_splits"))
    weights, tracks = of_tensor(held["leaf_weights"], "leaf_weights", ignored), held.get(TRACKS, [])
    refuse_many(len(modes) + len(weights))
    nodes = {name: [] for name in NODES}  # type: dict[str, list[Any]]
    votes: dict[str, list[Any]] = {f"target_{part}": [] for part in ("treeids", "nodeids", "ids", "weights")}
    seen: set[int] = set()
    for tree, root in enumerate(held["tree_roots"]):
        for number, (place, is_leaf, to) in enumerate(_walked(held, root, seen)):
            feature, at, mode = 0, 0.0, "LEAF"
            if is_leaf:
                found = (tree, number, item(held["leaf_targetids"], place), item(weights, place))
                for name, value in zip(votes, found, strict=True):
                    votes[name].append(value)
            else:
                feature, at, mode = held["nodes_featureids"][place], splits[place], item(MODES, modes[place])
            track = 0 if is_leaf or not tracks else tracks[place]
            for name, value in zip(NODES, (tree, number, feature, mode, *to, at, track), strict=True):
                nodes[name].append(value)
    # A node that no root leads to would be passed over.
    if len(seen) != len(modes):
        raise InputError(f"of its {len(modes)} nodes {len(seen)} belong to a tree")
    return {
        **nodes, **votes, "n_targets": held.get("n_targets", 1),
        "aggregate_function": item(AGGREGATES, held.get("aggregate_function", 1)),
        "post_transform": item(TRANSFORMS, held.get("post_transform", 0)),
    }  # fmt: skip


TRACKS = "nodes_missing_value_tracks_true"
NODES = (
    "nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_modes", "nodes_truenodeids", "nodes_falsenodeids",
    "nodes_values", TRACKS,
)  # fmt: skip
"""The arrays of nodes in the older form."""


def _walked(held: Json, root: int, seen: set[int]) -> Iterator[tuple[int, bool, tuple[int, int]]]:
    """The nodes of a tree, level by level: the place in the arrays, whether it is a leaf, and the numbers below."""
    sides = [(held[f"nodes_{side}nodeids"], held[f"nodes_{side}leafs"]) for side in ("true", "false")]
    if any(each not in (0, 1) for _, leaves in sides for each in leaves):
        raise InputError("nodes_trueleafs or nodes_falseleafs has a number that is neither 0 nor 1")
    pending, size = [(root, False)], 1
    for place, is_leaf in pending:
        if is_leaf:
            yield place, True, (0, 0)
            continue
        if place in seen:
            raise InputError(f"node {place} is reached by two branches, or lies below itself")
        seen.add(place)
        below = [(item(ids, place), bool(item(leaves, place))) for ids, leaves in sides]
        # A tree that is one leaf is written as a node that leads to it on both sides.
        if place == root and below[0] == below[1] and below[0][1]:
            yield below[0][0], True, (0, 0)
            return
        yield place, False, (size, size + 1)
        pending += below
        size += 2
