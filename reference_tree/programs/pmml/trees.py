"""The trees of PMML: a `TreeModel` as the nodes of a tree document.

What a node answers is its score; the counts of classes stand in its distribution. Converters write shares there, in
place of counts: if the node says how many rows it has, the counts follow; otherwise the tree has P(Y|X), and no counts
of rows.

**Surrogates.** Where each child has a compound predicate `surrogate`, its first part is the test, and the others
stand in if that is unknown, in order. The last may be `True` or `False`, for rows that answer none of them. How well
surrogates agree is not stated.

Source:
    [DMG2019 TreeModel]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from reference_tree.data.errors import InputError, no_such
from reference_tree.exact.rationals import Rational, decimal_text, exact_text, rational, shortened, simplest
from reference_tree.programs.documents import (
    HeldNode,
    HeldTest,
    Json,
    Key,
    StandIn,
    classified,
    double_of,
    multiway,
    single,
    subset,
    threshold,
)
from reference_tree.programs.pmml.children import NO_CHILD, STRATEGIES, Child, ChildTests, Strategies
from reference_tree.programs.pmml.fields import ModelFields
from reference_tree.programs.pmml.members import PREDICATES, Element
from reference_tree.programs.pmml.predicates import Types, Value, predicate_of, words

OPERATORS = {
    "equal": "in", "notEqual": "not_in", "lessOrEqual": "le", "greaterThan": "gt", "lessThan": "lt",
    "greaterOrEqual": "ge",
}  # fmt: skip
"""The operators that are read → their names in the condition of a branch."""
SIDES = {"le": "gt", "lt": "ge"}
"""The two sides of a number."""


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


def test_with_surrogates(
    below: Sequence[tuple[int, Element]], fields: ModelFields, strategies: Strategies, default: int | None
) -> HeldTest | None:
    """The test of a node whose children have surrogates; None if they have none, or are no branches of one test.

    Args:
        below: the children, by number.
        fields: the fields.
        strategies: the strategies of the model.
        default: the default child.
    """
    # Only if every child has surrogates are they those of one test.
    predicates = [each.first(*PREDICATES) for _, each in below]
    # One child without surrogates: then it is no test with surrogates.
    if not all(one is not None and one.get("booleanOperator") == "surrogate" for one in predicates):
        return None
    try:
        return _Reading(fields).test_of(
            below, [_way(one, ours=fields.ours) for one in predicates if one is not None], strategies, default
        )
    except InputError:
        return None  # it is worked out field by field


class _Reading:
    def __init__(self, fields: ModelFields) -> None:
        self.fields = fields

    def test_of(
        self, below: Sequence[tuple[int, Element]], ways: Sequence[Way], strategies: Strategies, default: int | None
    ) -> HeldTest | None:
        numbers = [number for number, _ in below]
        test, order = self._of_children([way.condition for way in ways], numbers)
        by_child = dict(zip(numbers, ways, strict=True))
        # The n-th surrogates of all children together are the n-th surrogate test.
        surrogates = [
            self._stand_in([by_child[child].surrogates[turn] for child in order], order)
            for turn in range(min(len(way.surrogates) for way in ways))
        ]
        # A last `True` names the child of rows that no surrogate decides.
        rest = next((child for child, way in by_child.items() if way.default), None)
        # The strategy decides where the surrogates do not.
        if rest is None and strategies.missing == "defaultChild":
            rest = default
        stays = strategies.missing == "lastPrediction" or strategies == ("none", "returnLastPrediction")
        if any(len(way.surrogates) != len(surrogates) for way in ways) or (rest is None and not stays):
            return None
        # Surrogates of `True` alone are a default.
        if not surrogates:
            return test if rest is None else test.with_default(rest)
        return replace(test, missing="surrogates", surrogates=surrogates, default=rest)

    def _of_children(self, conditions: Sequence[Condition], below: Sequence[int]) -> tuple[HeldTest, Sequence[int]]:
        """The test that the conditions of the children answer, and the children in the order of its branches."""
        # A last child with `True` takes all other rows.
        first, *others = conditions
        last = others[-1] if others else first
        rest = last.relation == "true"
        named = [*conditions[:-1]] if rest else list(conditions)
        if len({each.field for each in named}) != 1 or first.field not in self.fields.mining:
            raise InputError("the children are not those of one test")
        to, domain = list(below), self.fields.domain(first.field)
        if not self.fields.ours and not self.fields.is_number(first.field):
            self.fields.closed.add(first.field)  # a category in no list has no branch
        relations = [each.relation for each in named]
        # The two children are the sides of one number, in any order.
        if self.fields.is_number(first.field):
            values = {each.values for each in named}
            if (
                len(below) != 2
                or len(values) != 1
                or (len(named) == 2 and set(relations) not in ({"le", "gt"}, {"lt", "ge"}))
            ):
                raise InputError("the children are not the two sides of one number")
            relation = first.relation
            if relation in SIDES.values():
                to, relation = to[::-1], next(below for below, above in SIDES.items() if above == relation)
            if relation not in SIDES:
                raise InputError("the children are not the two sides of one number")
            return threshold(first.field, self._number(first), to, strict=relation == "lt"), to
        if rest or len(named) == 2:
            # The set comes first, and what is outside it second.
            if relations[0] == "not_in":
                to, named = to[::-1], named[::-1]
            whole = rest or named[-1].relation == "not_in" or {*named[0].values, *named[-1].values} >= set(domain)
            singles = not rest and all(each.relation == "in" and len(each.values) == 1 for each in named)
            if len(to) == 2 and whole and not singles and named[0].relation == "in":
                return subset(first.field, list(named[0].values), to), to
        if rest or any(each.relation != "in" or len(each.values) != 1 for each in named):
            raise InputError(f"the children divide {first.field} in a way that is not read")
        return multiway(first.field, [each.values[0] for each in named], to), to

    def _stand_in(self, conditions: Sequence[tuple[Condition, tuple[str, ...]]], order: Sequence[int]) -> StandIn:
        test, _ = self._of_children([condition for condition, _ in conditions], order)
        unseen = list(dict.fromkeys(value for _, values in conditions for value in values))
        return StandIn(test, "0", unseen)

    def _number(self, condition: Condition) -> str:
        (text,) = condition.values
        return decimal_text(rational(str(self.fields.value(condition.field, text))))


# Predicates.


def _way(predicate: Element, *, ours: bool) -> Way:
    """A predicate as a condition with surrogates, in order."""
    # Surrogates within a surrogate are read in one row, as they are asked.
    turns: list[tuple[Condition, tuple[str, ...]]] = []
    pending = [predicate]
    while pending:
        each = pending.pop(0)
        operator = each.attrib.get("booleanOperator") if each.name == "CompoundPredicate" else None
        if operator == "surrogate":
            pending = [*each.inner, *pending]
        elif ours and operator == "or" and each.inner[-1].name == "CompoundPredicate":
            condition, otherwise = each.inner  # or, where the value is among those unseen, what follows
            turns.append((_condition(condition), _condition(otherwise.inner[0]).values))
        else:
            turns.append((_condition(each), ()))
    # The last turn may be for all rows that are left.
    default = {"true": True, "false": False}.get(turns[-1][0].relation) if len(turns) > 1 else None
    (first, _), *others = turns
    return Way(first, tuple(others if default is None else others[:-1]), default)


def _condition(predicate: Element) -> Condition:
    name, attrib = predicate.name, predicate.attrib
    if name in ("True", "False"):
        return Condition("", name.lower(), ())
    # Only shapes that a test with surrogates can have; others are worked out field by field.
    if name == "SimplePredicate":
        if attrib["operator"] not in OPERATORS:
            raise InputError(no_such("operator", attrib["operator"], OPERATORS))
        return Condition(attrib["field"], OPERATORS[attrib["operator"]], (attrib["value"],))
    if name == "SimpleSetPredicate":
        relation = {"isIn": "in", "isNotIn": "not_in"}[attrib["booleanOperator"]]
        return Condition(attrib["field"], relation, words(predicate.inner[0].text))
    if any(part.name == "CompoundPredicate" for part in predicate.inner):
        raise InputError("a compound predicate within another one is not read")
    parts = list(map(_condition, predicate.inner))
    relation = {"or": "in", "and": "not_in"}.get(attrib["booleanOperator"], "")
    if not parts or any((part.field, part.relation) != (parts[0].field, relation) for part in parts):
        raise InputError(f"a compound predicate with {attrib['booleanOperator']} is not one about a set of values")
    return Condition(parts[0].field, relation, tuple(value for part in parts for value in part.values))


NEAR = Fraction(1, 10**6)
"""The largest distance between a printed share and the number that it stands for."""


class TreeModel:
    """A tree model, whose parts are read against the fields of the model around it.

    Args:
        model: the element.
        fields: the fields.
        classes: the classes of the target; none if a number is predicted.
        scored: what becomes of a score that is a number, as a model's targets say.
        outer: the fields of the model around it; None: it stands alone.
    """

    def __init__(
        self,
        model: Element,
        fields: ModelFields,
        classes: Sequence[str] = (),
        scored: Callable[[Rational], Rational] = lambda score: score,
        outer: Collection[str] | None = None,
    ) -> None:
        self.fields, self.classes, self.scored = fields, classes, scored
        self.is_number = model.attrib["functionName"] == "regression"
        if model.attrib["functionName"] not in ("regression", "classification"):
            raise InputError(
                no_such("function of a tree", model.attrib["functionName"], ("regression", "classification"))
            )
        self.in_floats = math_context(model) == "float"
        # Fields of inner models are known before their predicates are read.
        self.elements, self.below = _flat(model)
        self.names = fields.inner(model, outer)
        fields.derive(model.fields_of("LocalTransformations", "DerivedField"))
        self.strategies = _strategies(model)
        types = Types(fields.value, fields.is_number, self._field)
        self.nodes = [self._child(number, types) for number in range(len(self.elements))]

    def _field(self, name: str) -> tuple[str, Value | None]:
        """The field behind a name in a predicate, and the category that it indicates, if it does."""
        if name not in self.names and name not in self.fields.derived:
            raise InputError(f"{shortened(name)} is tested, which is not in the MiningSchema of the tree")
        return self.fields.of(name)

    def _child(self, number: int, types: Types) -> Child:
        element, below = self.elements[number], tuple(self.below[number])
        name = element.get("id", str(number))
        predicate = predicate_of(element, types, name)
        # A row that the root rejects has no answer.
        if number == 0 and predicate is not True:
            raise InputError("the predicate of the root is not True, so that some rows have no answer")
        default = None
        if "defaultChild" in element.attrib:
            named = {self.elements[one].get("id"): one for one in below}
            if element.attrib["defaultChild"] not in named:
                raise InputError(
                    f"the default child {element.attrib['defaultChild']} of node {name} is none of its children"
                )
            default = named[element.attrib["defaultChild"]]
        weight = _amount(element, "recordCount") if "recordCount" in element.attrib else None
        return Child(name, predicate, below, default, weight)

    def build(self) -> None:
        """Work the tests out, once all trees of the model have been read."""
        # Each node is checked, also one that no row reaches.
        for number in range(len(self.nodes)):
            self._distribution(number)  # refuses one that is not well formed, needed or not
        self.tests = ChildTests(self.nodes, self.fields, self.strategies, self._answer, self._direct)
        self.found = self.tests.build()

    def held(self, silent: frozenset[str]) -> Mapping[Key, HeldNode]:
        """The nodes of the document, without what is not stated of them; the root is 0."""
        return {number: self._with_answer(one, silent) for number, one in self.found.items()}

    def _direct(self, node: int) -> HeldTest | None:
        below = [(child, self.elements[child]) for child in self.below[node]]
        return test_with_surrogates(below, self.fields, self.strategies, self.nodes[node].default)

    def silent(self, *, hides_inner: bool) -> frozenset[str]:
        """The facts that are not stated of the nodes.

        Args:
            hides_inner: whether the answer of an inner node is that of rows which no child takes.
        """
        leaves = [number for number, below in enumerate(self.below) if not below]
        inner = [number for number, below in enumerate(self.below) if below]
        # PMML states no sum of squares.
        silent = {"errors"} if self.is_number else set()
        if not all(self._counts(number) is not None for number in leaves):
            silent |= {"counts"}
        elif hides_inner or not all(self._counts(number) is not None for number in inner):
            silent |= {"inner-counts"}
        if self.tells_shares:
            silent |= {"weights"}
        if hides_inner or any(self._label(number) is None for number in inner):
            silent |= {"inner-labels"}
        return frozenset(silent)

    # Answers.

    def _answer(self, number: int) -> Json:
        return {"of": number}

    def _with_answer(self, held: HeldNode, silent: frozenset[str]) -> HeldNode:
        """A node with its answer, without what is not stated of all nodes."""
        number, inner = held.answer["of"], held.test is not None
        words = [word for word in ("labels", "counts") if word in silent or (inner and f"inner-{word}" in silent)]
        return HeldNode(self._stated(number, words), held.test)

    def _stated(self, number: int, hides: Sequence[str]) -> Json:
        label, counts = self._label(number), None if "counts" in hides else self._counts(number)
        if label is None and "labels" not in hides:
            raise InputError(f"node {self.nodes[number].name} has no score")
        if self.is_number:
            n = {} if counts is None else {"n": exact_text(counts[""])}
            return n if "labels" in hides else {**n, "mean": exact_text(self._score(str(label)))}
        if counts is None:
            return {} if "labels" in hides else {"label": label}
        found = classified(counts, str(label))
        return {key: value for key, value in found.items() if "labels" not in hides or key == "counts"}

    def _score(self, text: str) -> Rational:
        """A score that is a number, as its program holds it, and as the targets make it."""
        number = rational(text)
        if self.in_floats:
            number = simplest(Fraction(single(double_of(text))))
        return self.scored(number)

    def _label(self, number: int) -> str | None:
        element = self.elements[number]
        # The score answers; without one, the class of the largest count does.
        if "score" in element.attrib or self.is_number:
            return element.attrib.get("score")
        counts = self._distribution(number)
        return max(counts, key=counts.__getitem__) if counts and any(counts.values()) else None

    def _counts(self, number: int) -> Mapping[str, Rational] | None:
        """The weight of each class at a node, or of all its rows; None if it is not stated."""
        if self.is_number:
            weight = self.nodes[number].weight
            return None if weight is None else {"": weight}
        found, weight = self._distribution(number), self.nodes[number].weight
        # Some converters write shares: times the rows of the node they are counts again.
        if found and self.has_shares and weight is not None and weight > 1:
            return {label: _whole(share * weight) for label, share in found.items()}
        return found or None

    def _distribution(self, number: int) -> Mapping[str, Rational]:
        """The distribution of a node: probabilities if they are stated and are no shares of the counts."""
        listed = self.elements[number].all("ScoreDistribution")
        if not listed:
            return {}
        of_counts, of_shares = (
            {one.attrib["value"]: _amount(one, key) for one in listed if key in one.attrib}
            for key in ("recordCount", "probability")
        )
        # A class without a count is not a class of count 0.
        if 0 < len(of_counts) < len(listed):
            raise InputError(f"node {self.nodes[number].name} states the recordCount of some classes alone")
        if len(of_shares) < len(listed):
            confident = {
                one.attrib["value"]: _amount(one, "confidence") for one in listed if "confidence" in one.attrib
            }
            of_shares = confident if len(of_counts) < len(listed) else {}
        if len(of_counts) < len(listed):
            return of_shares if len(of_shares) == len(listed) else {}
        # Probabilities that differ from the shares of the counts are smoothed or weighted, and they answer.
        whole = sum(map(Fraction, of_counts.values()), Fraction(0))
        if of_shares and whole and any(abs(of_counts[one] / whole - of_shares[one]) > NEAR for one in of_counts):
            return of_shares
        return of_counts

    @cached_property
    def has_shares(self) -> bool:
        """Whether the distributions hold shares: at each leaf, their sum is 1."""
        sums: list[Fraction] = [
            sum(map(Fraction, found.values()), Fraction(0)) for number, below in enumerate(self.below)
            if not below and (found := self._distribution(number))
        ]  # fmt: skip
        return bool(sums) and not self.is_number and all(abs(one - 1) <= NEAR for one in sums)

    @property
    def tells_shares(self) -> bool:
        """Whether shares stand for counts, and the numbers of rows are not stated."""
        return self.has_shares and not all(
            (weight := self.nodes[number].weight) is not None and weight > 1
            for number, below in enumerate(self.below) if not below
        )  # fmt: skip


def silent_of(trees: Sequence[TreeModel]) -> frozenset[str]:
    """The facts that are not stated of the nodes of some trees, once they are built.

    If no row ends at an inner node, the answer of one is that of the rows which no child takes, and has a leaf.
    """
    ends = [one.tests for one in trees]
    hides = any(one.stops for one in ends) and not any(one.stays for one in ends)
    return frozenset[str]().union(*(one.silent(hides_inner=hides) for one in trees))


def math_context(model: Element) -> str:
    """The numbers with which a model computes: doubles or floats.

    Raises:
        InputError: it computes in another way.
    """
    found = model.get("x-mathContext", "double")
    if found not in ("double", "float"):
        raise InputError(no_such("x-mathContext", found, ("double", "float")))
    return found


def _flat(model: Element) -> tuple[list[Element], list[list[int]]]:
    """The nodes of a tree in preorder, and for each the numbers of those below."""
    roots = model.all("Node")
    if len(roots) != 1:
        raise InputError("it holds no TreeModel with nodes" if not roots else "a tree model has one root")
    elements: list[Element] = []
    below: list[list[int]] = []
    pending: list[tuple[Element, int | None]] = [(roots[0], None)]
    # A stack: a tree may be a chain.
    while pending:
        element, above = pending.pop()
        if above is not None:
            below[above].append(len(elements))
        pending += [(one, len(elements)) for one in reversed(element.all("Node"))]
        elements.append(element)
        below.append([])
    return elements, below


def _strategies(model: Element) -> Strategies:
    missing = model.get("missingValueStrategy", "none")
    no_child = model.get("noTrueChildStrategy", "returnNullPrediction")
    if missing not in STRATEGIES:
        raise InputError(no_such("strategy for missing values", missing, STRATEGIES))
    if no_child not in NO_CHILD:
        raise InputError(no_such("strategy where no child is true", no_child, NO_CHILD))
    # Both strategies are of classes; under another name the first row that needs them is refused.
    if model.attrib["functionName"] == "regression" and missing in ("weightedConfidence", "aggregateNodes"):
        missing = f"{missing} of numbers"
    return Strategies(missing, no_child)


def _amount(element: Element, key: str) -> Rational:
    amount = rational(element.attrib[key])
    if amount < 0:
        raise InputError(f"a {key} is negative")
    return amount


def _whole(number: Rational) -> Rational:
    """The whole number that a product of a printed share is meant to be; if there is none so near, the product."""
    nearest = round(Fraction(number))
    return nearest if abs(Fraction(number) - nearest) <= NEAR * max(1, nearest) else number
