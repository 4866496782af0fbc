"""The members of PMML: for each element its attributes and inner elements, used, without effect, or refused by name.

The names are those of PMML 4.4, of the releases before it, and of the extensions that converters write. An attribute
begins with a small letter, an element with a capital one.

Source:
    [DMG2019]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from reference_tree.programs.inventory import Inventory

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
