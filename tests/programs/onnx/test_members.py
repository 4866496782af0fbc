"""Nothing of a model in ONNX is passed over: each member is used, listed as without effect, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from reference_tree.programs.onnx.members import MODEL, OPERATORS, TENSOR
from reference_tree.programs.onnx.wire import decoded
from tests.programs.closed_world import documents, effect, mutants
from tests.programs.onnx.files import every_model

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
