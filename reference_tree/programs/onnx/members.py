"""The members of a model in ONNX: used, without effect on an answer, or refused by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reference_tree.programs.inventory import Inventory

SOURCE = "read the model that it was made of"
_TEXT = "it is a text for its user"
_NAME = "it is a name, which nothing refers to"

_NODES = (
    "nodes_featureids", "nodes_modes", "nodes_nodeids", "nodes_treeids", "nodes_truenodeids", "nodes_falsenodeids",
)  # fmt: skip


def _trees(what: str, of: str, own: Iterable[str], refused: Mapping[str, str]) -> Inventory:
    """The attributes of an operator of trees; numbers stand in a list of float32, or in a tensor of doubles."""
    numbers = ("nodes_values", "base_values", f"{of}_weights")
    votes = [f"{of}_{part}" for part in ("ids", "nodeids", "treeids")]
    return Inventory(
        what,
        dict.fromkeys(
            [*_NODES, "nodes_missing_value_tracks_true", "post_transform", *votes, *own, *numbers]
            + [f"{name}_as_tensor" for name in numbers]
        ),
        dict.fromkeys(("nodes_hitrates", "nodes_hitrates_as_tensor"), "how often a node was reached only saves time"),
        refused=refused,
        needed=[*_NODES, *votes],
    )


AGGREGATED = "aggregate_function"
REGRESSOR = "TreeEnsembleRegressor"
CLASSIFIER = "TreeEnsembleClassifier"

ENSEMBLE = "TreeEnsemble"
_SPLITS = (
    "tree_roots", "nodes_featureids", "nodes_modes", "nodes_splits", "nodes_truenodeids", "nodes_trueleafs",
    "nodes_falsenodeids", "nodes_falseleafs", "leaf_targetids", "leaf_weights",
)  # fmt: skip

OPERATORS: Mapping[str, Inventory] = {
    ENSEMBLE: Inventory(
        f"a {ENSEMBLE}",
        dict.fromkeys((*_SPLITS, "nodes_missing_value_tracks_true", "n_targets", AGGREGATED, "post_transform")),
        {"nodes_hitrates": "how often a node was reached only saves time"},
        refused={"membership_values": f"tests of sets of values are not; {SOURCE}"},
        needed=_SPLITS,
    ),
    REGRESSOR: _trees(f"a {REGRESSOR}", "target", ("n_targets", AGGREGATED), {}),
    CLASSIFIER: _trees(f"a {CLASSIFIER}", "class", ("classlabels_int64s", "classlabels_strings"), {}),
    "Cast": Inventory("a Cast", {"to": None}, needed=("to",)),
    "ZipMap": Inventory("a ZipMap", dict.fromkeys(("classlabels_int64s", "classlabels_strings"))),
    "Identity": Inventory("an Identity", {}),
    "Exp": Inventory("an Exp", {}),
}
"""The operators that are read → their attributes."""

TENSOR = Inventory(
    "a tensor", dict.fromkeys(("dims", "data_type", "float_data", "int32_data", "double_data", "raw_data")),
    {"name": _NAME, "doc_string": _TEXT}, needed=("dims", "data_type"),
)  # fmt: skip
"""A list of numbers in a form of its own."""

_VALUE = Inventory(
    "an input",
    {
        "name": None,
        "type": Inventory("a type", {
            "tensor_type": Inventory("a type of tensor", {"elem_type": None, "shape": Inventory("a shape", {
                "dim": Inventory("a dimension", {"dim_value": None}, {"dim_param": "it names a size that is open"}),
            })}, needed=("elem_type",)),
        }, needed=("tensor_type",)),
    },
    {"doc_string": _TEXT}, needed=("name", "type"),
)  # fmt: skip

MODEL = Inventory(
    "a model in ONNX",
    {
        "producer_name": None,
        "producer_version": None,
        "opset_import": Inventory("a set of operators", {"domain": None, "version": None}),
        "graph": Inventory(
            "a graph",
            {
                "node": Inventory(
                    "an operator", dict.fromkeys(("input", "output", "op_type", "domain", "attribute")),
                    {"name": _NAME, "doc_string": _TEXT}, needed=("input", "output", "op_type"),
                ),
                "input": _VALUE,
                "output": Inventory("an output", {"name": None}, {"type": "it follows", "doc_string": _TEXT}),
            },
            {"name": _NAME, "doc_string": _TEXT, "value_info": "what it says of values follows from the operators"},
            {"initializer": ([[]], f"no constants are read; {SOURCE}")},
            needed=("node", "input", "output"),
        ),
    },
    {
        "ir_version": "it is that of the container, whose fields are checked", "domain": _NAME, "model_version": _TEXT,
        "doc_string": _TEXT, "metadata_props": _TEXT,
    },
    needed=("graph", "opset_import"),
)  # fmt: skip
"""A model, with its graph of operators; `OPERATORS` has their attributes."""
