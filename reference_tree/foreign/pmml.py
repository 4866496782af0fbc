"""PMML: a `TreeModel`, the form in which programs hand models to one another.

A node has a predicate, and a row goes to the first child whose predicate is true. Children are read as the branches of
one question where they are that: two sides of a number, the values of a category, or some values against the others;
the last may be `True`, for all that is left. What else PMML can say is refused.

Where a predicate is unknown, since there is no value, `missingValueStrategy` decides: the row stays, has no answer,
goes down every branch by the number of rows, or to the default child. Surrogates stand in a compound predicate behind
the question. How well they agree is not stated.

A file may hold anything. A document type is refused before it is read, so that no entity is declared, expanded or
fetched; a loop reads all levels, and the elements that are kept are counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple
from xml.parsers import expat

from reference_tree.data.errors import InputError, no_such
from reference_tree.data.held import Form
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, decimal_text, exact_text, rational, shortened
from reference_tree.foreign.documents import (
    MOST_NODES,
    Held,
    Json,
    Question,
    Source,
    StandIn,
    classified,
    document,
    multiway,
    single,
    subset,
    threshold,
)
from reference_tree.foreign.indented import text_of
from reference_tree.foreign.programs import Names, Reader
from reference_tree.tree import Program

MOST_ELEMENTS = 6 * MOST_NODES
"""The largest number of elements of a file that are kept."""

OPERATORS = {
    "equal": "in", "notEqual": "not_in", "lessOrEqual": "le", "greaterThan": "gt", "lessThan": "lt",
    "greaterOrEqual": "ge",
}  # fmt: skip
"""The operators that are read → their names in the condition of a branch."""
SIDES = {"le": "gt", "lt": "ge"}
"""The two sides of a number."""
STRATEGIES = {
    "lastPrediction": "stay", "nullPrediction": None, "none": None, "defaultChild": "branch",
    "weightedConfidence": "fractions", "aggregateNodes": "fractions",
}  # fmt: skip
"""The strategy for a row whose predicate is unknown → the rule in a tree document."""
PREDICATES = ("SimplePredicate", "SimpleSetPredicate", "CompoundPredicate", "True", "False")
KEPT = {*PREDICATES, "Array", "DataField", "Value", "MiningField", "ScoreDistribution", "Application", "PMML"}
"""The elements that are kept, besides nodes and the model."""
_HEAD = re.compile(r"(?s)\A\s*<(?:.*<)?(?:[\w.-]+:)?PMML")
_WORDS = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)')

OURS = "reference_tree"
"""The program whose decimals are exact."""


@dataclass(slots=True)
class Element:
    """An element that is kept, with its inner elements."""

    name: str
    attrib: Mapping[str, str]
    inner: list[Element] = field(default_factory=list)
    text: str = ""


@dataclass(slots=True)
class TreeNode:
    """A node of a tree model."""

    attrib: Mapping[str, str]
    inner: list[Element] = field(default_factory=list)
    below: list[int] = field(default_factory=list)


class Condition(NamedTuple):
    """The condition under which a row goes to a child."""

    field: str
    relation: str
    """`le`, `lt`, `ge`, `gt`, `in`, `not_in`; or `true` and `false`, for every row and for none."""
    values: tuple[str, ...]


class Way(NamedTuple):
    """The condition under which a row goes to a child, and the surrogates if it is unknown."""

    condition: Condition
    surrogates: tuple[tuple[Condition, tuple[str, ...]], ...]
    """Conditions, each with the values that leave it unknown."""
    default: bool | None
    """Whether a row goes there if all conditions are unknown; None if that is not stated."""


def documents(value: Any, names: Names) -> list[dict[str, Any]]:
    """The document of the tree model; PMML states all names, and mostly that of the target.

    Raises:
        InputError: it is no PMML, holds no tree model or several, or uses a feature that is not read.
    """
    return [_Model(_parsed(text_of(value)), names.target).document()]


READER = Reader("a tree model of PMML", documents, _HEAD)


# XML.


class _Parser:
    """Collects the elements of a file that are kept, without recursion."""

    def __init__(self) -> None:
        self.nodes: list[TreeNode] = []
        self.model: Mapping[str, str] | None = None
        self.elements: list[Element] = []
        self._open: list[TreeNode | Element | None] = []
        self._kept = 0

    def start(self, name: str, attrib: dict[str, str]) -> None:
        """An element begins."""
        name = name.rpartition(":")[2]
        above = next((each for each in reversed(self._open[-1:]) if each is not None), None)
        opened: TreeNode | Element | None = None
        if name in ("MiningModel", "TreeModel"):
            if name == "MiningModel" or self.model is not None:
                raise InputError("it holds a model of several trees; write each as a TreeModel of its own")
            self.model = attrib
        elif name == "Node":
            opened = TreeNode(attrib)
            if isinstance(above, TreeNode):
                above.below.append(len(self.nodes))
            elif self.nodes:
                raise InputError("a tree model has one root")
            self.nodes.append(opened)
        elif name in KEPT:
            opened = Element(name, attrib)
            (above.inner if above is not None else self.elements).append(opened)
        elif isinstance(above, TreeNode) and name not in ("Extension", "Partition"):
            raise InputError(f"a node holds {shortened(name)}, which is not read")
        self._kept += opened is not None
        if self._kept > MOST_ELEMENTS or len(self.nodes) > MOST_NODES:
            raise InputError(f"there are more than {MOST_NODES} nodes, or {MOST_ELEMENTS} elements")
        self._open.append(opened)

    def end(self, name: str) -> None:
        """An element ends."""
        self._open.pop()

    def data(self, text: str) -> None:
        """Text inside an element; only arrays have text."""
        above = self._open[-1] if self._open else None
        if isinstance(above, Element) and above.name == "Array":
            above.text += text


def _refuse_document_type(*_: object) -> None:
    raise InputError("it declares a document type, which PMML has no need of and which could declare entities")


def _parsed(text: str) -> _Parser:
    if "<!DOCTYPE" in text:
        _refuse_document_type()
    found, parser = _Parser(), expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_document_type
    parser.StartElementHandler, parser.EndElementHandler = found.start, found.end
    parser.CharacterDataHandler = found.data
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise InputError(f"it is no XML: {expat.ErrorString(error.code)}", line=error.lineno) from None
    except InputError as error:
        raise InputError(error.message, line=parser.CurrentLineNumber) from None
    return found


# The model.


class _Model:
    """A tree model, whose parts are read against its fields."""

    def __init__(self, parsed: _Parser, target: str) -> None:
        if parsed.model is None or not parsed.nodes:
            raise InputError("it holds no TreeModel with nodes")
        self.model_attrib, self.nodes = parsed.model, parsed.nodes
        fields = {each.attrib["name"]: each for each in _named(parsed.elements, "DataField")}
        goals = [each.attrib["name"] for each in _named(parsed.elements, "MiningField")
                 if each.attrib.get("usageType") in ("target", "predicted")]  # fmt: skip
        self.goal = goals[0] if goals else target
        self.is_number = self.model_attrib["functionName"] == "regression"
        self.program = next((each.attrib["name"] for each in _named(parsed.elements, "Application")), "PMML")
        self.version = next((each.attrib.get("version") for each in _named(parsed.elements, "PMML")), None)
        self.ways = [None if number == 0 else _way(_predicate(node)) for number, node in enumerate(self.nodes)]
        tested: dict[str, dict[str, None]] = {}
        for way in self.ways:
            for condition, unseen in () if way is None else ((way.condition, ()), *way.surrogates):
                if condition.relation not in ("true", "false"):
                    tested.setdefault(condition.field, {}).update(dict.fromkeys((*condition.values, *unseen)))
        if strange := tested.keys() - fields.keys():
            raise InputError(f"{min(strange)} is tested, which is no DataField; derived fields are not read")
        self.types = {name: each.attrib.get("dataType", "double") for name, each in fields.items()}
        self.attributes = {
            name: _attribute(each, tested.get(name, {})) for name, each in fields.items() if name != self.goal
        }
        self.classes = self._classes(fields.get(self.goal))

    def document(self) -> dict[str, Any]:
        """The tree document."""
        leaves = [node for node in self.nodes if not node.below]
        inner = [node for node in self.nodes if node.below]
        silent = {"errors"} if self.is_number else set()
        if not all(map(self._counted, leaves)):
            silent |= {"counts"}
        elif not all(map(self._counted, inner)):
            silent |= {"inner-counts"}
        if not all(self._label(node) is not None for node in inner):
            silent |= {"inner-labels"}
        held = {}
        for number, node in enumerate(self.nodes):
            words = ("labels", "counts")
            hides = [word for word in words if word in silent or (node.below and f"inner-{word}" in silent)]
            held[number] = Held(self._answer(number, node, hides), self._question(node) if node.below else None)
        types = {self.types[name] for name, each in self.attributes.items() if each.values is None}
        numbers: Form = "exact" if self.program == OURS else "float32" if types == {"float"} else "double"
        remarks = [("form", f"PMML {self.version}")]
        if any(one.question is not None and one.question.surrogates for one in held.values()):
            remarks.append(("agreement", "not told"))
        source = Source(Program(self.program, None, numbers, frozenset(silent)), remarks=remarks)
        goal = Attribute(self.goal, None if self.is_number else self.classes)
        return document(source, goal, list(self.attributes.values()), held, 0)

    def _classes(self, goal: Element | None) -> tuple[str, ...]:
        if self.is_number:
            return ()
        listed = [] if goal is None else [each.attrib["value"] for each in goal.inner]
        scores = [node.attrib["score"] for node in self.nodes if "score" in node.attrib]
        counted = [each.attrib["value"] for node in self.nodes for each in _named(node.inner, "ScoreDistribution")]
        return tuple(dict.fromkeys(listed or sorted({*scores, *counted})))

    # Answers.

    def _counted(self, node: TreeNode) -> bool:
        if self.is_number:
            return "recordCount" in node.attrib
        return bool(found := _named(node.inner, "ScoreDistribution")) and all(
            "recordCount" in one.attrib for one in found
        )

    def _label(self, node: TreeNode) -> str | None:
        if "score" in node.attrib or self.is_number:
            return node.attrib.get("score")
        counts = {one.attrib["value"]: _weight(one) for one in _named(node.inner, "ScoreDistribution")}
        return max(counts, key=counts.__getitem__) if counts else None

    def _answer(self, number: int, node: TreeNode, hides: Sequence[str]) -> Json:
        label = self._label(node)
        if label is None and "labels" not in hides:
            raise InputError(f"node {node.attrib.get('id', number)} has no score")
        if self.is_number:
            n = {} if "counts" in hides else {"n": exact_text(_weight(node))}
            return n if "labels" in hides else {**n, "mean": exact_text(rational(str(label)))}
        if "counts" in hides:
            return {} if "labels" in hides else {"label": label}
        counts = {one.attrib["value"]: _weight(one) for one in _named(node.inner, "ScoreDistribution")}
        found = classified(counts, str(label))
        return {key: value for key, value in found.items() if "labels" not in hides or key == "counts"}

    # Questions.

    def _question(self, node: TreeNode) -> Question:
        ways = [way for child in node.below if (way := self.ways[child]) is not None]
        place = node.attrib.get("id", "without an id")
        question, order = self._question_of_children([way.condition for way in ways], node.below, place)
        by_child = dict(zip(node.below, ways, strict=True))
        surrogates = [
            self._stand_in([by_child[child].surrogates[turn] for child in order], order, place)
            for turn in range(min(len(way.surrogates) for way in ways))
        ]
        strategy = self.model_attrib.get("missingValueStrategy", "none")
        if strategy not in STRATEGIES:
            raise InputError(no_such("strategy for missing values", strategy, STRATEGIES))
        rule, default = STRATEGIES[strategy], next((child for child, way in by_child.items() if way.default), None)
        if rule == "branch":
            named = {self.nodes[child].attrib.get("id"): child for child in node.below}
            default = named.get(node.attrib.get("defaultChild"))
        elif strategy == "none":
            default = default if default is not None else next(
                (child for child, way in by_child.items() if way.condition.relation == "true"), None
            )  # fmt: skip
            stays = self.model_attrib.get("noTrueChildStrategy") == "returnLastPrediction"
            rule = None if not stays else "stay"
        if surrogates:
            return replace(question, missing="surrogates", surrogates=surrogates, default=default)
        if default is not None:
            return replace(question, missing="branch", default=default)
        if rule != "fractions":
            return question if rule in (None, "branch") else replace(question, missing=rule)
        weights = {child: _weight(self.nodes[child]) for child in node.below}
        whole = sum(weights.values())
        if not whole:
            return question
        shared = [
            replace(one, share=exact_text(Fraction(weights[int(str(one.to))]) / whole)) for one in question.branches
        ]
        return replace(question, branches=shared, missing="fractions")

    def _question_of_children(
        self, conditions: Sequence[Condition], below: Sequence[int], place: str
    ) -> tuple[Question, Sequence[int]]:
        """The question that the conditions of the children answer, and the children in the order of its branches."""
        first, *others = conditions
        last = others[-1] if others else first
        rest = last.relation == "true"
        named = [*conditions[:-1]] if rest else list(conditions)
        if len({each.field for each in named}) != 1 or first.field not in self.attributes:
            raise InputError(f"the children of node {place} are not those of one test")
        attribute, to = self.attributes[first.field], list(below)
        relations = [each.relation for each in named]
        if attribute.values is None:
            values = {each.values for each in named}
            if (
                len(below) != 2
                or len(values) != 1
                or (len(named) == 2 and set(relations) not in ({"le", "gt"}, {"lt", "ge"}))
            ):
                raise InputError(f"the children of node {place} are not the two sides of one number")
            relation = first.relation
            if relation in SIDES.values():
                to, relation = to[::-1], next(below for below, above in SIDES.items() if above == relation)
            if relation not in SIDES:
                raise InputError(f"the children of node {place} are not the two sides of one number")
            return threshold(first.field, self._number(first), to, strict=relation == "lt"), to
        if rest or len(named) == 2:
            if relations[0] == "not_in":
                to, named = to[::-1], named[::-1]
            whole = (
                rest or named[-1].relation == "not_in" or {*named[0].values, *named[-1].values} >= set(attribute.domain)
            )
            singles = not rest and all(each.relation == "in" and len(each.values) == 1 for each in named)
            if len(to) == 2 and whole and not singles and named[0].relation == "in":
                return subset(first.field, list(named[0].values), to), to
        if rest or any(each.relation != "in" or len(each.values) != 1 for each in named):
            raise InputError(f"the children of node {place} divide {first.field} in a way that is not read")
        return multiway(first.field, [each.values[0] for each in named], to), to

    def _stand_in(
        self, conditions: Sequence[tuple[Condition, tuple[str, ...]]], order: Sequence[int], place: str
    ) -> StandIn:
        question, _ = self._question_of_children([condition for condition, _ in conditions], order, place)
        unseen = list(dict.fromkeys(value for _, values in conditions for value in values))
        return StandIn(question, "0", unseen)

    def _number(self, condition: Condition) -> str:
        """A threshold: the decimal, or the float that the type of its field makes of it."""
        (text,) = condition.values
        value = rational(text)
        if self.program == OURS:
            return decimal_text(value)
        near = float(value)
        return decimal_text(Fraction(single(near) if self.types[condition.field] == "float" else near))


def _named(elements: Sequence[Element], name: str) -> list[Element]:
    return [each for each in elements if each.name == name]


def _attribute(data_field: Element, tested: Mapping[str, None]) -> Attribute:
    name = data_field.attrib["name"]
    if data_field.attrib.get("optype") == "continuous":
        return Attribute(name)
    values = [each.attrib["value"] for each in data_field.inner]
    return Attribute(name, tuple(dict.fromkeys([*values, *tested])))


def _weight(element: Element | TreeNode) -> Rational:
    weight = rational(element.attrib["recordCount"])
    if weight < 0:
        raise InputError("a recordCount is negative")
    return weight


# Predicates.


def _predicate(node: TreeNode) -> Element:
    found = [each for each in node.inner if each.name in PREDICATES]
    if len(found) != 1:
        raise InputError(f"node {node.attrib.get('id', 'without an id')} has {len(found)} predicates")
    return found[0]


def _way(predicate: Element) -> Way:
    """A predicate as a condition with surrogates, in order."""
    turns: list[tuple[Condition, tuple[str, ...]]] = []
    pending = [predicate]
    while pending:
        each = pending.pop(0)
        operator = each.attrib.get("booleanOperator") if each.name == "CompoundPredicate" else None
        if operator == "surrogate":
            pending = [*each.inner, *pending]
        elif operator == "or" and each.inner[-1].name == "CompoundPredicate":
            condition, otherwise = each.inner  # or, where the value is among those unseen, what follows
            turns.append((_condition(condition), _condition(otherwise.inner[0]).values))
        else:
            turns.append((_condition(each), ()))
    default = {"true": True, "false": False}.get(turns[-1][0].relation) if len(turns) > 1 else None
    (first, _), *others = turns
    return Way(first, tuple(others if default is None else others[:-1]), default)


def _condition(predicate: Element) -> Condition:
    name, attrib = predicate.name, predicate.attrib
    if name in ("True", "False"):
        return Condition("", name.lower(), ())
    if name == "SimplePredicate":
        if attrib["operator"] not in OPERATORS:
            raise InputError(no_such("operator", attrib["operator"], OPERATORS))
        return Condition(attrib["field"], OPERATORS[attrib["operator"]], (attrib["value"],))
    if name == "SimpleSetPredicate":
        relation = {"isIn": "in", "isNotIn": "not_in"}[attrib["booleanOperator"]]
        return Condition(attrib["field"], relation, _array(predicate.inner[0].text))
    if any(part.name == "CompoundPredicate" for part in predicate.inner):
        raise InputError("a compound predicate within another one is not read")
    parts = list(map(_condition, predicate.inner))
    relation = {"or": "in", "and": "not_in"}.get(attrib["booleanOperator"], "")
    if not parts or any((part.field, part.relation) != (parts[0].field, relation) for part in parts):
        raise InputError(f"a compound predicate with {attrib['booleanOperator']} is not one about a set of values")
    return Condition(parts[0].field, relation, tuple(value for part in parts for value in part.values))


def _array(text: str) -> tuple[str, ...]:
    r"""The values of an array: words, in quotes where they hold blanks.

    Example:
        >>> _array('sunny "partly cloudy" "a \\" b"')
        ('sunny', 'partly cloudy', 'a " b')
    """
    return tuple((quoted.replace('\\"', '"') if word == "" else word) for quoted, word in _WORDS.findall(text))
