"""The graph of a model in ONNX: which operator holds the trees, and what the others make of its answer.

Each operator takes values and makes others. `flow` goes through them from the input on, and says of each value what it
is: the rows, a label, the scores of classes, a sum, or e to its power. What it cannot say of, is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError, listed, shown
from reference_tree.data.held import Form
from reference_tree.programs.documents import Json
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.onnx.members import CLASSIFIER, ENSEMBLE, MODEL, OPERATORS, REGRESSOR, SOURCE

FLOAT, INT64, DOUBLE = 1, 7, 11
"""The types of numbers that are read."""
FORMS: Mapping[int, Form] = {FLOAT: "float32", DOUBLE: "double"}

NEWEST = 5
"""The newest set of operators of `ai.onnx.ml` whose rules were looked into."""

ROWS, LABEL, SCORES, SUM, EXP = "rows", "label", "scores", "sum", "exp"

MADE: Mapping[tuple[str, str], tuple[str, ...]] = {
    (REGRESSOR, ROWS): (SUM,), (ENSEMBLE, ROWS): (SUM,), (CLASSIFIER, ROWS): (LABEL, SCORES),
    ("ZipMap", SCORES): (SCORES,), ("Exp", SUM): (EXP,),
    **{("Identity", value): (value,) for value in (ROWS, LABEL, SCORES, SUM, EXP)},
}  # fmt: skip
"""An operator and what it takes → what it makes."""

CAST = {ROWS: (FLOAT, DOUBLE), LABEL: (INT64,)}
"""The types to which a value is cast, and stays what it is."""


class Flow(NamedTuple):
    """What a graph computes."""

    kind: str
    """The operator of its trees."""
    held: Json
    """The attributes of that operator."""
    values: Form
    """The form that values have passed through; what a float32 has lost, a cast to double does not bring back."""
    sums: Form
    """The form in which values are compared, and sums held."""
    link: str
    """`sum`, or `exp`."""
    size: int
    """The number of features; 0 if the input does not say it."""


def flow(model: Json, ignored: Ignored) -> Flow:
    """What the graph of a model computes.

    Raises:
        InputError: two operators contradict one another.
        UnreadError: an operator, or another member, is not read.
    """
    graph = model["graph"]
    # An operator that is not read says more than the constants that it needs, so operators come first.
    for node in graph["node"]:
        if node["op_type"] not in OPERATORS or node.get("domain", "") not in ("", "ai.onnx.ml"):
            raise UnreadError(f"it has an operator {shown(node['op_type'])}, which is not read; {SOURCE}")
        OPERATORS[node["op_type"]].check(node.get("attribute", {}), ignored)
    MODEL.check(model, ignored)
    sets = {each.get("domain", ""): each.get("version", 0) for each in model["opset_import"]}
    if strange := sets.keys() - {"", "ai.onnx.ml"}:
        raise UnreadError(f"it imports the operators of {listed(sorted(strange))}, which are not read; {SOURCE}")
    if not 0 < (version := sets.get("ai.onnx.ml", 0)) <= NEWEST:
        raise UnreadError(f"its operators are those of ai.onnx.ml {version}, and 1 to {NEWEST} are read; {SOURCE}")
    if len(graph["input"]) != 1:
        raise UnreadError("it has several inputs; convert it with one that holds all features")
    (given,) = graph["input"]
    tensor = given["type"]["tensor_type"]
    elements, held, ensembles = tensor["elem_type"], {given["name"]: ROWS}, []
    types = {elements}
    for node in graph["node"]:
        kind, attributes = node["op_type"], node.get("attribute", {})
        takes = held.get(node["input"][0], "") if len(node["input"]) == 1 else ""
        if kind == "Cast" and attributes["to"] in CAST.get(takes, ()):
            makes: tuple[str, ...] = (takes,)
            # A cast before the trees decides in which form values are compared.
            elements = attributes["to"] if takes == ROWS else elements
            types.add(elements)
        else:
            makes = MADE.get((kind, takes), ())
        if len(makes) != len(node["output"]):
            raise UnreadError(f"its {kind} takes {takes or 'another value'}, which is not read; {SOURCE}")
        held |= zip(node["output"], makes, strict=True)
        ensembles += [(kind, attributes)] if kind in (ENSEMBLE, REGRESSOR, CLASSIFIER) else []
    answers = {held.get(each["name"], "") for each in graph["output"]}
    # What is not the answer of these trees, such as a second sum, would be passed over.
    if len(ensembles) != 1 or answers not in ({LABEL, SCORES}, {LABEL}, {SCORES}, {SUM}, {EXP}):
        raise UnreadError(f"its answer is not that of one operator of trees; {SOURCE}")
    if elements not in FORMS:
        raise UnreadError(f"its input has the type {elements}; convert it with float32 or double, which are read")
    (kind, attributes) = ensembles[0]
    for node in graph["node"]:
        if node["op_type"] == "ZipMap" and labels(node["attribute"]) != labels(attributes):
            raise InputError("its ZipMap names other classes than its trees")
    dims = tensor.get("shape", {}).get("dim", [])
    size = dims[-1].get("dim_value", 0) if dims else 0
    values = FORMS[min(types)] if types <= FORMS.keys() else FORMS[elements]
    return Flow(kind, attributes, values, FORMS[elements], EXP if answers == {EXP} else SUM, size)


def labels(attributes: Mapping[str, Any]) -> list[str]:
    """The names of the classes.

    Raises:
        InputError: they are named twice, or not at all.
    """
    found = [list(map(str, attributes[name])) for name in attributes if name.startswith("classlabels_")]
    if len(found) != 1:
        raise InputError("its classes are named by one of classlabels_int64s and classlabels_strings")
    return found[0]
