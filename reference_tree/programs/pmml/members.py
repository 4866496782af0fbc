"""The members of PMML: for each element its attributes and inner elements, used, without effect, or refused by name.

The names are those of PMML 4.4, of the releases before it, and of the extensions that converters write. An attribute
begins with a small letter, an element with a capital one.

A file may hold anything. A document type is refused before it is read, so that no entity is declared, expanded or
fetched; a loop reads all levels, and the elements that are kept are counted.

Source:
    [DMG2019]
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from reference_tree.data.errors import InputError
from reference_tree.programs.documents import MOST_NODES
from reference_tree.programs.inventory import Ignored, Inventory, UnreadError

TEXTS = ("Array", "Constant")
"""The elements whose text is used."""

PREDICATES = ("SimplePredicate", "SimpleSetPredicate", "CompoundPredicate", "True", "False")
"""The elements that say whether a row goes to a node."""

_NOTE = {"Extension": "a note of the program that wrote the file"}
_MODELS = ("TreeModel", "MiningModel")
_OTHER_MODELS = (
    "AnomalyDetectionModel", "AssociationModel", "BayesianNetworkModel", "BaselineModel", "ClusteringModel",
    "GaussianProcessModel", "GeneralRegressionModel", "NaiveBayesModel", "NearestNeighborModel", "NeuralNetwork",
    "RuleSetModel", "Scorecard", "SequenceModel", "SupportVectorMachineModel", "TextModel", "TimeSeriesModel",
)  # fmt: skip
_NO_TREES = dict.fromkeys(_OTHER_MODELS, "it is no model of trees")
_EXPRESSIONS = (
    "Constant", "Discretize", "MapValues", "NormContinuous", "TextIndex", "Aggregate", "Lag", "Apply",
)  # fmt: skip
_NO_LINES = tuple(name for name in (*_EXPRESSIONS, "NormDiscrete") if name not in ("Apply", "Constant"))
_AHEAD = "let the program that wrote the file do this before, and give the result as a column"
_UNREAD = dict.fromkeys(_EXPRESSIONS, _AHEAD)
_OF_A_MODEL = {
    "modelName": "a name", "algorithmName": "a name", "isScorable": "",
    "ModelStats": "it describes the training rows", "ModelExplanation": "it describes how good the model is",
    "ModelVerification": "rows with their predictions, for a test", **_NOTE,
}  # fmt: skip
_SCORABLE = {"isScorable": (("true", "1"), "it is not meant to predict")}


def _record(
    what: str,
    used: Collection[str] = (),
    no_effect: Mapping[str, str] = {},
    at: Mapping[str, tuple[Collection[Any], str]] = {},
    refused: Mapping[str, str] = {},
) -> Inventory:
    quiet = {name: why for name, why in {**_NOTE, **no_effect}.items() if name not in at}
    return Inventory(what, dict.fromkeys(used), quiet, at, refused)


MEMBERS: Mapping[str, Inventory] = {
    "PMML": _record(
        "PMML",
        ["version", "Header", "DataDictionary", "TransformationDictionary", *_MODELS],
        {"x-baseVersion": "the release that the program began with", "MiningBuildTask": "how the model was trained"},
        refused={**_NO_TREES, "RegressionModel": "it is no model of trees"},
    ),
    "Header": _record(
        "a Header", ["Application"],
        {"copyright": "a note", "description": "a note", "modelVersion": "a note", "Annotation": "a note",
         "Timestamp": "a note"},
    ),
    "Application": _record("an Application", ["name", "version"]),
    "DataDictionary": _record(
        "a DataDictionary", ["DataField"], {"numberOfFields": "the fields are counted"},
        refused={"Taxonomy": "write the categories of each level as a column"},
    ),
    "DataField": _record(
        "a DataField", ["name", "optype", "dataType", "Interval", "Value"],
        {"displayName": "a name for readers"},
        {"isCyclic": (("0",), "a cyclic field has another order")},
        {"taxonomy": "write the categories of each level as a column"},
    ),
    "Value": _record("a Value", ["value", "property"], {"displayValue": "a name for readers"}),
    "Interval": _record("an Interval", ["closure", "leftMargin", "rightMargin"]),
    "TransformationDictionary": _record(
        "a TransformationDictionary", ["DerivedField"], refused={"DefineFunction": _AHEAD}
    ),
    "LocalTransformations": _record("LocalTransformations", ["DerivedField"]),
    "DerivedField": _record(
        "a DerivedField", ["name", "optype", "dataType", "FieldRef", "NormDiscrete"],
        {"displayName": "a name for readers", "Interval": "the values it may have", "Value": "the values it may have"},
        refused=_UNREAD,
    ),
    "FieldRef": _record("a FieldRef", ["field"], refused={"mapMissingTo": _AHEAD}),
    "NormDiscrete": _record(
        "a NormDiscrete", ["field", "value"], {}, {"method": (("indicator",), _AHEAD)}, {"mapMissingTo": _AHEAD}
    ),
    "MiningSchema": _record("a MiningSchema", ["MiningField"]),
    "MiningField": _record(
        "a MiningField",
        ["name", "usageType", "optype", "outliers", "lowValue", "highValue", "missingValueReplacement",
         "missingValueTreatment", "invalidValueTreatment", "invalidValueReplacement"],
        {"importance": "a measure of the field in training"},
    ),
    "Targets": _record("Targets", ["Target"]),
    "Target": _record(
        "a Target", ["field", "optype", "castInteger", "min", "max", "rescaleConstant", "rescaleFactor", "TargetValue"]
    ),
    "TargetValue": _record(
        "a TargetValue", ["value"], {"displayValue": "a name for readers"},
        refused={"priorProbability": "it is the prediction of rows without one; remove it, and they are refused",
                 "defaultValue": "it is the prediction of rows without one; remove it, and they are refused"},
    ),
    "Output": _record("an Output", ["OutputField"]),
    "OutputField": _record(
        "an OutputField", ["name", "feature", "value", "isFinalResult", "dataType", "Apply", "Constant", "FieldRef",
                            "segmentId"],
        {"displayName": "a name for readers", "optype": "the type of an output",
         "targetField": "the target is the only one",
         "ruleFeature": "an output of rules", "algorithm": "an output of rules", "rank": "one of several outputs",
         "rankBasis": "one of several outputs", "rankOrder": "one of several outputs",
         "isMultiValued": "a list of outputs",
         "Decisions": "names of decisions, for readers", "Value": "the values it may have",
         **dict.fromkeys(_NO_LINES, "an output is no prediction; a model that takes it is refused")},
    ),
    "TreeModel": _record(
        "a TreeModel",
        ["functionName", "missingValueStrategy", "noTrueChildStrategy", "x-mathContext", "MiningSchema", "Output",
         "Targets", "LocalTransformations", "Node"],
        {**_OF_A_MODEL, "splitCharacteristic": "it describes the nodes",
         "missingValuePenalty": "it lowers the stated confidence of all classes alike"},
        _SCORABLE,
    ),
    "Node": _record(
        "a Node", ["id", "score", "recordCount", "defaultChild", *PREDICATES, "ScoreDistribution", "Node"],
        {"Partition": "it describes the training rows"},
        refused={"Regression": "a leaf with a regression is not read", "DecisionTree": "write it as nodes",
                 "EmbeddedModel": "write it as nodes"},
    ),
    "ScoreDistribution": _record("a ScoreDistribution", ["value", "recordCount", "confidence", "probability"]),
    "SimplePredicate": _record("a SimplePredicate", ["field", "operator", "value"]),
    "SimpleSetPredicate": _record("a SimpleSetPredicate", ["field", "booleanOperator", "Array"]),
    "CompoundPredicate": _record("a CompoundPredicate", ["booleanOperator", *PREDICATES]),
    "Array": _record("an Array", [], {"type": "the type of the field decides", "n": "the values are counted"}),
    "True": _record("True"),
    "False": _record("False"),
    "MiningModel": _record(
        "a MiningModel",
        ["functionName", "x-mathContext", "MiningSchema", "Output", "Targets", "LocalTransformations", "Segmentation"],
        _OF_A_MODEL, _SCORABLE,
        {"Regression": "write it as a segment", "DecisionTree": "write it as a segment"},
    ),
    "Segmentation": _record(
        "a Segmentation", ["multipleModelMethod", "Segment"],
        {"missingPredictionTreatment": "a row that one of the trees does not answer is refused",
         "missingThreshold": "a row that one of the trees does not answer is refused"},
        refused={"LocalTransformations": _AHEAD},
    ),
    "Segment": _record(
        "a Segment", ["weight", *PREDICATES, *_MODELS, "RegressionModel"], {"id": "a name"}, refused=_NO_TREES
    ),
    "RegressionModel": _record(
        "a RegressionModel", ["functionName", "normalizationMethod", "MiningSchema", "Output", "RegressionTable"],
        {**_OF_A_MODEL, "x-mathContext": "its terms are taken as they are", "modelType": "it describes the model",
         "targetFieldName": "the MiningSchema has it"},
        _SCORABLE,
        {"Targets": "the sum of the trees is the last step that is read", "LocalTransformations": _AHEAD},
    ),
    "RegressionTable": _record(
        "a RegressionTable", ["intercept", "targetCategory", "NumericPredictor"],
        refused={"CategoricalPredictor": "it is no sum of trees", "PredictorTerm": "it is no sum of trees"},
    ),
    "NumericPredictor": _record(
        "a NumericPredictor", ["name", "coefficient"], {}, {"exponent": (("1",), "it is no sum of trees")}
    ),
    "Apply": _record(
        "an Apply", ["function", "Apply", "Constant", "FieldRef"], {},
        {"invalidValueTreatment": (("returnInvalid",), _AHEAD)},
        {"mapMissingTo": _AHEAD, "defaultValue": _AHEAD, **dict.fromkeys(_NO_LINES, _AHEAD)},
    ),
    "Constant": _record("a Constant", [], {"dataType": "the field decides"}, {"missing": (("false",), _AHEAD)}),
}  # fmt: skip
"""The record of each element that is read."""


# A node with its predicate and a distribution of a few classes has about six elements.
MOST_ELEMENTS = 6 * MOST_NODES
"""The largest number of elements of a file that are kept."""

_DECLARATIONS = ("http://www.w3.org/2001/XMLSchema-instance", "http://www.w3.org/XML/1998/namespace")
"""The namespaces whose attributes say nothing of a model."""


@dataclass(slots=True)
class Element:
    """An element with the members that are used."""

    name: str
    attrib: Mapping[str, str]
    inner: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *names: str) -> list[Element]:
        """The inner elements of some names."""
        return [each for each in self.inner if each.name in names]

    def first(self, *names: str) -> Element | None:
        """The first inner element of some names."""
        return next(iter(self.all(*names)), None)

    def get(self, name: str, default: str = "") -> str:
        """An attribute."""
        return self.attrib.get(name, default)

    def fields_of(self, outer: str, inner: str) -> Iterator[Element]:
        """The inner elements of an inner element, if it is there."""
        for one in self.all(outer):
            yield from one.all(inner)


class _ElementParser:
    """Collects the elements of a file that are used, without recursion."""

    def __init__(self, ignored: Ignored) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []
        self._passed = 0
        """The number of open elements that are passed over."""
        self._kept, self._nodes, self._ignored = 0, 0, ignored

    def start(self, name: str, attrib: dict[str, str]) -> None:
        """An element begins."""
        called = _local(name)
        # Inside an element without effect everything is passed over, whatever it is called.
        if self._passed or not self._is_used(called):
            self._passed += 1
            return
        self._kept, self._nodes = self._kept + 1, self._nodes + (called == "Node")
        # Counted while it is read: a huge file is refused before it fills the memory.
        if self._kept > MOST_ELEMENTS or self._nodes > MOST_NODES:
            raise InputError(f"there are more than {MOST_NODES} nodes, or {MOST_ELEMENTS} elements")
        opened = Element(called, self._used_attributes(called, attrib))
        if self._open:
            self._open[-1].inner.append(opened)
        else:
            self.root = opened
        self._open.append(opened)

    def _is_used(self, name: str) -> bool:
        # The root has no element around it that could list it.
        if not self._open:
            if name != "PMML":
                raise InputError(f"its outermost element is {name}, not PMML")
            return True
        # Each element is a member of the one around it: used, without effect, or refused.
        above = MEMBERS[self._open[-1].name]
        above.check_member(name, name, self._ignored)
        return name in above.used

    def _used_attributes(self, name: str, attrib: Mapping[str, str]) -> dict[str, str]:
        inventory = MEMBERS[name]
        found = {}
        for key, value in attrib.items():
            # Attributes of a schema's location are of the file, and not of the model.
            if not key.startswith(_DECLARATIONS):
                inventory.check_member(key, value, self._ignored)
                if key in inventory.used:
                    found[key] = value
        return found

    def end(self, _: str) -> None:
        """An element ends."""
        if self._passed:
            self._passed -= 1
        else:
            self._open.pop()

    def data(self, text: str) -> None:
        """Text inside an element."""
        # Only arrays and constants have a text that counts.
        if not self._passed and self._open and self._open[-1].name in TEXTS:
            self._open[-1].text += text


def _local(name: str) -> str:
    """The name of an element without the namespace of PMML; those of other namespaces keep theirs."""
    space, _, local = name.rpartition(" ")
    return local if not space or "dmg.org/PMML" in space else name


def _refuse_document_type(*_: object) -> None:
    raise InputError("it declares a document type, which PMML has no need of and which could declare entities")


def parsed(text: str, ignored: Ignored) -> Element:
    """The outermost element of a file.

    Raises:
        InputError: it is no XML, or declares a document type, or is too large.
        UnreadError: it has a member that is not read.

    Example:
        >>> parsed('<PMML version="4.4"><Header/></PMML>', Ignored()).inner
        [Element(name='Header', attrib={}, inner=[], text='')]
    """
    # Twice: as text before the parser sees anything, and as an event of the parser.
    if "<!DOCTYPE" in text:
        _refuse_document_type()
    found, parser = _ElementParser(ignored), expat.ParserCreate(namespace_separator=" ")
    # The text of an element comes in fewer pieces.
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_document_type
    parser.StartElementHandler, parser.EndElementHandler = found.start, found.end
    parser.CharacterDataHandler = found.data
    try:
        parser.Parse(text, True)
    # Every refusal has the line of the file.
    except expat.ExpatError as error:
        raise InputError(f"it is no XML: {expat.ErrorString(error.code)}", line=error.lineno) from None
    except UnreadError as error:
        raise UnreadError(error.message, line=parser.CurrentLineNumber) from None
    except InputError as error:
        raise InputError(error.message, line=parser.CurrentLineNumber) from None
    assert found.root is not None
    return found.root
