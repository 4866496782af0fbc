"""The tables of forests of R: what each package calls the parts of a node, and which columns are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from reference_tree.programs.inventory import Inventory

_TWICE = "it follows from other columns"
_TRAINED = "it tells how the trees were grown, and an answer needs the trees alone"
_CODES = "grow it from columns of numbers, such as model.matrix makes of a factor"


class Package(NamedTuple):
    """What a package calls the parts of a node."""

    left: str
    right: str
    feature: str
    at: str
    answer: str
    first: int
    """The number of the first feature."""
    root: str
    """The number of the root."""
    number: str
    """The column of the number of a node."""
    columns: Inventory
    """The columns of a table."""
    missing: str = ""
    """The number of the node for rows without a value."""
    is_strict: bool = False


def _columns(name: str, used: Sequence[str], no_effect: Mapping[str, str]) -> Inventory:
    """The columns of a table, in which each of those that are used has to be."""
    return Inventory(f"a tree of {name}", dict.fromkeys(used), no_effect, needed=used)


PACKAGES: Mapping[str, Package] = {
    "ranger": Package(
        "leftChild", "rightChild", "splitvarID", "splitval", "prediction", 0, "0", "nodeID",
        _columns(
            "ranger", ("nodeID", "leftChild", "rightChild", "splitvarID", "splitval"),
            {"node": "it counts the rows", "splitvarName": _TWICE, "terminal": _TWICE},
        ),
    ),
    "randomForest": Package(
        "left.daughter", "right.daughter", "split.var", "split.point", "prediction", 1, "1", "node",
        _columns(
            "randomForest", ("node", "left.daughter", "right.daughter", "split.var", "split.point"),
            {"status": _TWICE},
        ),
    ),
    "gbm": Package(
        "LeftNode", "RightNode", "SplitVar", "SplitCodePred", "SplitCodePred", 0, "0", "node",
        _columns(
            "gbm", ("node", "SplitVar", "SplitCodePred", "LeftNode", "RightNode", "MissingNode"),
            dict.fromkeys(("ErrorReduction", "Weight", "Prediction"), _TRAINED),
        ),
        "MissingNode", True,
    ),
}  # fmt: skip
"""Package → its names."""

FOREST = Inventory(
    "the table forest", dict.fromkeys(("package", "version", "kind", "start")),
    at={
        "corrected": (["FALSE"], "grow it with corr.bias = FALSE"),
        "equal": (["TRUE"], "grow it with the same cutoff for all classes"),
    },
    needed=("package", "version", "kind", "start", "corrected", "equal"),
)  # fmt: skip
COLUMNS = Inventory(
    "the table columns", {"column": None}, at={"factor": (["FALSE"], _CODES)}, needed=("column", "factor")
)
CLASSES = Inventory("the table classes", {"class": None}, needed=("class",))
