"""Changed files of PMML: every member of a file removed, renamed, added to, and changed; each under a name of its own.

The answers of a program to each of them are recorded: see `recorded/pmml/changed.json`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, fromstring, register_namespace, tostring

from reference_tree.programs.pmml.members import MEMBERS

SPACE = "http://www.dmg.org/PMML-4_4"
register_namespace("", SPACE)

CHOICES = {
    "closure": ["openOpen", "openClosed", "closedOpen", "closedClosed"],
    "property": ["valid", "invalid", "missing"],
    "outliers": ["asIs", "asMissingValues", "asExtremeValues"],
    "invalidValueTreatment": ["returnInvalid", "asIs", "asMissing", "asValue"],
    "missingValueTreatment": ["asIs", "asMean", "returnInvalid"],
    "usageType": ["active", "target", "supplementary"],
    "missingValueStrategy": ["none", "lastPrediction", "nullPrediction", "defaultChild"],
    "noTrueChildStrategy": ["returnNullPrediction", "returnLastPrediction"],
    "multipleModelMethod": ["sum", "average", "weightedAverage", "median", "max", "modelChain"],
    "normalizationMethod": ["logit", "softmax", "none", "probit"],
    "castInteger": ["round", "ceiling", "floor"],
    "operator": ["lessThan", "lessOrEqual", "greaterThan", "greaterOrEqual", "equal", "notEqual", "isMissing",
                 "isNotMissing"],
    "booleanOperator": ["and", "or", "xor", "surrogate", "isIn", "isNotIn"],
    "functionName": ["classification", "regression", "clustering"],
    "feature": ["predictedValue", "probability", "transformedValue"],
    "x-mathContext": ["float", "double"],
    "optype": ["continuous", "categorical", "ordinal"],
    "dataType": ["double", "float", "integer", "string", "date"],
}  # fmt: skip
"""The values that are tried for an attribute; a number is raised and lowered, a name gets another letter."""


def _changes(name: str, value: str) -> list[str]:
    if name in CHOICES:
        return [one for one in CHOICES[name] if one != value]
    try:
        number = float(value)
    except ValueError:
        return [f"{value}q", "male" if value != "male" else "female"]
    return [f"{number + 1:g}", f"{number - 1.5:g}", f"{value}q"]


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def mutations(text: str) -> Iterator[tuple[str, str]]:
    """The changed files, each under the name of its change; the first is the file as it is."""
    root = fromstring(text)
    yield "as it is", text
    size = len(list(root.iter()))
    for place in range(size):
        for what, change in _of_element(list(root.iter())[place]):
            changed = copy.deepcopy(root)
            element = list(changed.iter())[place]
            above = next((one for one in changed.iter() if element in list(one)), None)
            if not change(element, above):
                continue
            yield f"{place} {_local(list(root.iter())[place])} {what}", tostring(changed, encoding="unicode")


def changes_of(text: str) -> Iterator[tuple[str, str]]:
    """The changed files, of changes of one kind to elements of one name the first; without those of probabilities.

    These are outputs, and no predictions: further answers under further names.
    """
    outputs = {place for place, one in enumerate(fromstring(text).iter()) if one.get("feature") == "probability"}
    seen: set[str] = set()
    for label, changed in (*mutations(text), *additions(text)):
        place, _, kind = label.partition(" ")
        if kind not in seen and not (place.isdigit() and int(place) in outputs):
            seen.add(kind)
            yield label, changed


KNOWN: Mapping[str, Sequence[str]] = {
    **CHOICES,
    **dict.fromkeys(("lowValue", "recordCount", "rescaleFactor", "rescaleConstant", "min", "weight"), ("3",)),
    **dict.fromkeys(("highValue", "max"), ("20",)), "isScorable": ("false",), "isCyclic": ("1",), "exponent": ("2",),
    **dict.fromkeys(("missingValueReplacement", "invalidValueReplacement"), ("7", "male")), "segmentId": ("1",),
    "missingPredictionTreatment": ("skipSegment", "returnMissing"), "isFinalResult": ("false",), "rank": ("2",),
    "splitCharacteristic": ("binarySplit", "multiSplit"), "confidence": ("0.4",), "probability": ("0.4",),
}  # fmt: skip
"""The values that are tried for an attribute that an element may have, and has not."""

_AGAIN = '<DerivedField name="fare" optype="continuous" dataType="float"><FieldRef field="age"/></DerivedField>'
INSIDE: Mapping[str, Sequence[tuple[str, int, str]]] = {
    "PMML": [("TransformationDictionary", 2, _AGAIN)],
    "MiningModel": [("Targets", 1, '<Target rescaleFactor="3"/>'), ("LocalTransformations", 1, _AGAIN)],
    "TreeModel": [("Targets", 1, '<Target rescaleFactor="3"/>'),
                  ("Targets", 1, '<Target field="y" rescaleFactor="3"/>'), ("LocalTransformations", 1, _AGAIN)],
    "DataDictionary": [('DataField name="fare" optype="continuous" dataType="float"', 0, "")],
    "DataField": [('Interval closure="closedOpen" leftMargin="3" rightMargin="25"', 0, ""),
                  ('Value value="7" property="missing"', 0, ""), ('Value value="male" property="invalid"', 0, "")],
    "MiningSchema": [('MiningField name="age" missingValueReplacement="7"', 0, "")],
    "Node": [("True", 0, ""), ('Node score="5"', 1, "<False/>"),
             ('ScoreDistribution value="dies" recordCount="9"', 1, "")],
    "CompoundPredicate": [("False", 0, "")],
    "Segment": [("False", 0, "")],
}  # fmt: skip
"""The elements that are tried inside an element that may have them: with attributes, the place, and what they hold."""


def additions(text: str) -> Iterator[tuple[str, str]]:
    """The files with one member more that PMML knows, to the first element of each name."""
    root = fromstring(text)
    for place, element in enumerate(root.iter()):
        name = _local(element)
        known = MEMBERS.get(name)
        attributes = [] if known is None else [*known.used, *known.no_effect, *known.at, *known.refused]
        for key in attributes:
            for value in KNOWN.get(key, ["1"]) if key[0].islower() and key not in element.attrib else ():
                changed = copy.deepcopy(root)
                list(changed.iter())[place].set(key, value)
                yield f"{place} {name} +{key}={value}", tostring(changed, encoding="unicode")
        for opened, where, held in INSIDE.get(name, ()):
            changed = copy.deepcopy(root)
            (inner,) = fromstring(f'<x xmlns="{SPACE}"><{opened}>{held}</{opened.partition(" ")[0]}></x>')
            list(changed.iter())[place].insert(where, inner)
            yield f"{place} {name} +<{opened}>{held}", tostring(changed, encoding="unicode")


def _of_element(element: Element) -> Iterator[tuple[str, Callable[[Element, Element | None], bool]]]:
    def removed(one: Element, above: Element | None) -> bool:
        if above is not None:
            above.remove(one)
        return above is not None

    def renamed(one: Element, above: Element | None) -> bool:
        one.tag += "Other"
        return above is not None

    def with_attribute(one: Element, _: Element | None) -> bool:
        one.set("strange", "1")
        return True

    def with_element(one: Element, _: Element | None) -> bool:
        SubElement(one, f"{{{SPACE}}}Strange")
        return True

    yield from (("removed", removed), ("renamed", renamed), ("+strange", with_attribute), ("+Strange", with_element))
    for name, value in element.attrib.items():
        yield f"{name} removed", _set(name)
        yield f"{name} renamed", _set(name, {f"{name}Other": value})
        for other in _changes(name, value):
            yield f"{name}={other}", _set(name, {name: other})


def _set(name: str, instead: Mapping[str, str] = {}) -> Callable[[Element, Element | None], bool]:
    """A change that removes an attribute, and sets others."""

    def change(one: Element, _: Element | None) -> bool:
        del one.attrib[name]
        one.attrib.update(instead)
        return True

    return change


HEAD = (
    f'<PMML version="4.4" xmlns="{SPACE}"><Header copyright="none"><Application name="by hand" version="1"/></Header>'
)
FIELDS = """<DataField name="sex" optype="categorical" dataType="string" displayName="the sex"><Value value="male"/>
<Value value="female"/><Value value="?" property="missing"/></DataField>
<DataField name="age" optype="continuous" dataType="double">
<Interval closure="closedOpen" leftMargin="0" rightMargin="120"/><Value value="-1" property="missing"/></DataField>
<DataField name="fare" optype="continuous" dataType="float"/>"""
SCHEMA = """<MiningField name="sex" invalidValueTreatment="asMissing" importance="0.5"/>
<MiningField name="age" outliers="asExtremeValues" lowValue="2" highValue="70" missingValueReplacement="30"
missingValueTreatment="asMean" invalidValueTreatment="asValue" invalidValueReplacement="40"/>
<MiningField name="fare" usageType="active"/>"""


def _leaf(number: str, score: str, predicate: str, counts: tuple[int, ...] = ()) -> str:
    listed = "".join(f'<ScoreDistribution value="{value}" recordCount="{count}"/>'
                     for value, count in zip(("dies", "lives"), counts, strict=False))  # fmt: skip
    return f'<Node id="{number}" score="{score}" recordCount="{sum(counts)}">{predicate}{listed}</Node>'


CLASSES = f"""{HEAD}<DataDictionary numberOfFields="4"><DataField name="out" optype="categorical" dataType="string">
<Value value="dies"/><Value value="lives"/></DataField>{FIELDS}</DataDictionary>
<TreeModel functionName="classification" missingValueStrategy="defaultChild" noTrueChildStrategy="returnLastPrediction"
splitCharacteristic="multiSplit"><MiningSchema><MiningField name="out" usageType="target"/>{SCHEMA}</MiningSchema>
<Output><OutputField name="p" optype="continuous" dataType="double" feature="probability" value="lives"/></Output>
<Node id="0" score="dies" recordCount="20" defaultChild="2"><True/><ScoreDistribution value="dies" recordCount="12"/>
<ScoreDistribution value="lives" recordCount="8"/>
<Node id="1" score="lives" recordCount="8" defaultChild="4">
<SimplePredicate field="sex" operator="equal" value="female"/>
<ScoreDistribution value="dies" recordCount="2"/><ScoreDistribution value="lives" recordCount="6"/>
{_leaf("3", "dies", '<SimplePredicate field="fare" operator="lessThan" value="7.1"/>', (2, 1))}
{_leaf("4", "lives", '<SimplePredicate field="fare" operator="greaterOrEqual" value="7.1"/>', (0, 5))}</Node>
<Node id="2" score="dies" recordCount="12" defaultChild="6"><SimpleSetPredicate field="sex" booleanOperator="isIn">
<Array n="1" type="string">male</Array></SimpleSetPredicate>
<ScoreDistribution value="dies" recordCount="10"/><ScoreDistribution value="lives" recordCount="2"/>
{
    _leaf(
        "5",
        "lives",
        '<CompoundPredicate booleanOperator="and"><SimplePredicate field="age" operator="lessThan" value="13"/>'
        '<SimplePredicate field="fare" operator="greaterThan" value="5"/></CompoundPredicate>',
        (1, 2),
    )
}
{_leaf("6", "dies", '<SimplePredicate field="age" operator="greaterOrEqual" value="35"/>', (5, 0))}</Node></Node>
</TreeModel></PMML>"""

NUMBERS = f"""{HEAD}<DataDictionary><DataField name="y" optype="continuous" dataType="double"/>{FIELDS}</DataDictionary>
<TransformationDictionary><DerivedField name="female" optype="continuous" dataType="double">
<NormDiscrete field="sex" value="female"/></DerivedField></TransformationDictionary>
<TreeModel functionName="regression" missingValueStrategy="lastPrediction" noTrueChildStrategy="returnLastPrediction">
<MiningSchema><MiningField name="y" usageType="target"/>{SCHEMA}</MiningSchema>
<Targets><Target field="y" min="1" max="8" rescaleFactor="2" rescaleConstant="0.75" castInteger="floor"/></Targets>
<Node id="0" score="4"><True/>
<Node id="1" score="2.5"><SimplePredicate field="female" operator="greaterThan" value="0.5"/>
<Node id="2" score="-3"><SimplePredicate field="fare" operator="isMissing"/></Node>
<Node id="3" score="9"><SimplePredicate field="age" operator="lessOrEqual" value="13"/></Node></Node>
<Node id="4" score="6"><CompoundPredicate booleanOperator="surrogate">
<SimplePredicate field="fare" operator="lessThan" value="5"/>
<SimplePredicate field="age" operator="lessThan" value="40"/></CompoundPredicate></Node></Node></TreeModel></PMML>"""

_TREE = """<Segment id="{0}"{1}><True/><TreeModel functionName="regression" missingValueStrategy="none"
noTrueChildStrategy="returnLastPrediction"><MiningSchema><MiningField name="age"/></MiningSchema>
<Node score="{2}"><True/>
<Node score="{3}"><SimplePredicate field="age" operator="lessThan" value="{4}"/></Node></Node></TreeModel></Segment>"""
CHAIN = f"""{HEAD}<DataDictionary><DataField name="out" optype="categorical" dataType="string"><Value value="dies"/>
<Value value="lives"/></DataField>{FIELDS}</DataDictionary>
<MiningModel functionName="classification">
<MiningSchema><MiningField name="out" usageType="target"/>{SCHEMA}</MiningSchema>
<Segmentation multipleModelMethod="modelChain"><Segment id="1"><True/>
<MiningModel functionName="regression"><MiningSchema><MiningField name="age"/></MiningSchema>
<Output>
<OutputField name="sum" optype="continuous" dataType="double" feature="predictedValue" isFinalResult="false"/></Output>
<Targets><Target rescaleFactor="0.5" rescaleConstant="0.25"/></Targets>
<Segmentation multipleModelMethod="weightedAverage">{_TREE.format(1, ' weight="2"', -1.5, 2, 20)}
{_TREE.format(2, ' weight="1"', 0.25, -2.5, 45)}</Segmentation></MiningModel></Segment>
<Segment id="2"><True/><RegressionModel functionName="classification" normalizationMethod="logit">
<MiningSchema><MiningField name="out" usageType="target"/><MiningField name="sum"/></MiningSchema>
<Output><OutputField name="p" optype="continuous" dataType="double" feature="probability" value="lives"/></Output>
<RegressionTable intercept="0.5" targetCategory="lives"><NumericPredictor name="sum" coefficient="1.5" exponent="1"/>
</RegressionTable><RegressionTable intercept="0" targetCategory="dies"/></RegressionModel></Segment></Segmentation>
</MiningModel></PMML>"""

FILES = {"classes": CLASSES, "numbers": NUMBERS, "chain": CHAIN}
"""Files by hand, in which most members have an effect."""

ROWS: list[dict[str, object]] = [
    {"sex": "female", "age": 10.0, "fare": 8.0}, {"sex": "male", "age": 10.0, "fare": 8.0},
    {"sex": "male", "age": 36.0, "fare": 3.0}, {"sex": None, "age": None, "fare": None},
    {"sex": "?", "age": -1.0, "fare": 7.0}, {"sex": "other", "age": 150.0, "fare": 4.0},
    {"sex": "female", "age": 1.0, "fare": 7.1}, {"sex": "female", "age": 100.0, "fare": None},
    {"sex": "male", "age": 120.0, "fare": 6.0}, {"sex": "male", "age": 12.5, "fare": 4.0},
    {"sex": "female", "age": 44.0, "fare": 7.0}, {"sex": "male", "age": 0.0, "fare": None},
]  # fmt: skip
"""Rows that reach most nodes, with missing, invalid and extreme values."""
