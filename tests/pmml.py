"""PMML, read by the words of its specification and nothing else: an interpreter of `TreeModel` for the tests.

A predicate is true, false or unknown. Of the children of a node the first whose predicate is true is entered; at the
first one that is unknown the strategy for missing values takes over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element, fromstring

PMML = "{http://www.dmg.org/PMML-4_4}"

COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "equal": lambda a, b: a == b,
    "notEqual": lambda a, b: a != b,
    "lessThan": lambda a, b: a < b,
    "lessOrEqual": lambda a, b: a <= b,
    "greaterThan": lambda a, b: a > b,
    "greaterOrEqual": lambda a, b: a >= b,
}

PREDICATES = ("True", "False", "SimplePredicate", "CompoundPredicate", "SimpleSetPredicate")

STRUCTURE: Mapping[str, tuple[str, set[str], set[str]]] = {
    "PMML": (r"Header DataDictionary TreeModel ", {"version"}, set()),
    "Header": (r"Application ", set(), {"copyright"}),
    "Application": (r"", {"name"}, {"version"}),
    "DataDictionary": (r"(DataField )+", set(), {"numberOfFields"}),
    "DataField": (r"(Value )*", {"name", "optype", "dataType"}, set()),
    "Value": (r"", {"value"}, set()),
    "TreeModel": (
        r"MiningSchema Node ",
        {"functionName"},
        {"missingValueStrategy", "noTrueChildStrategy", "splitCharacteristic"},
    ),
    "MiningSchema": (r"(MiningField )+", set(), set()),
    "MiningField": (r"", {"name"}, {"usageType", "invalidValueTreatment"}),
    "Node": (
        rf"({'|'.join(PREDICATES)}) (ScoreDistribution )*(Node )*",
        set(),
        {"id", "score", "recordCount"},
    ),
    "ScoreDistribution": (r"", {"value", "recordCount"}, {"confidence", "probability"}),
    "SimplePredicate": (r"", {"field", "operator", "value"}, set()),
    "CompoundPredicate": (rf"(({'|'.join(PREDICATES)}) ){{2,}}", {"booleanOperator"}, set()),
    "True": (r"", set(), set()),
    "False": (r"", set(), set()),
}
"""Of each element, from the schema of PMML 4.4: its children in their order, and what attributes it must and may have.
Only what this package writes."""


class Model:
    """A tree model that answers rows."""

    def __init__(self, document: str) -> None:
        self.root = fromstring(document.encode("utf-8"))
        self.model = self.child(self.root, "TreeModel")
        self.strategy = self.model.get("missingValueStrategy", "none")
        fields = self.child(self.root, "DataDictionary")
        self.continuous = {one.get("name") for one in fields if one.get("optype") == "continuous"}
        (self.target,) = [
            one.get("name") for one in self.child(self.model, "MiningSchema") if one.get("usageType") == "target"
        ]

    @staticmethod
    def child(element: Element, name: str) -> Element:
        """The one child of this name."""
        (found,) = element.findall(PMML + name)
        return found

    def check(self) -> None:
        """The structure of the document: elements, their order, their attributes, and names that lead somewhere."""
        for element in self.root.iter():
            name = element.tag.removeprefix(PMML)
            children, must, may = STRUCTURE[name]
            written = "".join(f"{one.tag.removeprefix(PMML)} " for one in element)
            assert re.fullmatch(children, written), (name, written)
            assert must <= set(element.attrib) <= must | may, (name, element.attrib)
        fields = self.child(self.root, "DataDictionary")
        assert fields.get("numberOfFields") == str(len(fields))
        known = [one.get("name") for one in fields]
        assert [one.get("name") for one in self.child(self.model, "MiningSchema")] == known
        assert len(set(known)) == len(known)
        assert {one.get("field") for one in self.root.iter(f"{PMML}SimplePredicate")} <= set(known)
        ids = [one.get("id") for one in self.root.iter(f"{PMML}Node")]
        assert len(set(ids)) == len(ids)

    def answer(self, row: Mapping[str, Any]) -> tuple[Any, dict[str, Fraction]]:
        """The answer, none if there is none, and the confidence of each class."""
        return self.enter(self.child(self.model, "Node"), row)

    def enter(self, node: Element, row: Mapping[str, Any]) -> tuple[Any, dict[str, Fraction]]:
        """What a row is answered that has come to a node."""
        below = node.findall(f"{PMML}Node")
        for child in below:
            found = self.holds(child[0], row)
            if found is None:
                return self.unknown(node, below, row)
            if found:
                return self.enter(child, row)
        stays = self.model.get("noTrueChildStrategy") == "returnLastPrediction"
        return self.said(node) if stays or not below else (None, {})

    def unknown(self, node: Element, below: list[Element], row: Mapping[str, Any]) -> tuple[Any, dict[str, Fraction]]:
        """What it is answered where a predicate is unknown."""
        if self.strategy == "lastPrediction":
            return self.said(node)
        if self.strategy == "weightedConfidence":
            open_ones = [one for one in below if self.holds(one[0], row) is not False]
            whole = sum(Fraction(one.get("recordCount", "")) for one in open_ones)
            mixed: dict[str, Fraction] = {}
            for one in open_ones:
                for value, share in self.enter(one, row)[1].items():
                    part = share * Fraction(one.get("recordCount", "")) / whole
                    mixed[value] = mixed.get(value, Fraction(0)) + part
            return max(mixed, key=mixed.__getitem__), mixed
        assert self.strategy == "nullPrediction"
        return None, {}

    def said(self, node: Element) -> tuple[Any, dict[str, Fraction]]:
        """What a node answers."""
        score = node.get("score", "")
        shares = {
            one.get("value", ""): Fraction(one.get("confidence", ""))
            for one in node.findall(f"{PMML}ScoreDistribution")
        }
        return Fraction(score) if self.target in self.continuous else score, shares

    def holds(self, predicate: Element, row: Mapping[str, Any]) -> bool | None:
        """Whether a predicate is true; none where that is unknown."""
        name = predicate.tag.removeprefix(PMML)
        if name in ("True", "False"):
            return name == "True"
        if name == "SimplePredicate":
            field, value = predicate.get("field", ""), predicate.get("value", "")
            if row.get(field) is None:
                return None
            operator = COMPARE[predicate.get("operator", "")]
            return operator(row[field], Fraction(value) if field in self.continuous else value)
        assert name == "CompoundPredicate"
        found = [self.holds(one, row) for one in predicate]
        match predicate.get("booleanOperator"):
            case "or":
                return True if True in found else None if None in found else False
            case "and":
                return False if False in found else None if None in found else True
            case "surrogate":
                return next((one for one in found if one is not None), None)
        raise AssertionError(predicate.get("booleanOperator"))
