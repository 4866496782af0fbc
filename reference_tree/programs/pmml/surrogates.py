"""Surrogates in PMML: the children of a node as the branches of one question, with questions that stand in for it.

Where each child has a compound predicate `surrogate`, its first part is the question, and the others stand in if that
is unknown, in order. The last may be `True` or `False`, for rows that answer none of them. How well surrogates agree is
not stated.

Source:
    [DMG2019 TreeModel]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from reference_tree.data.errors import InputError, no_such
from reference_tree.exact.rationals import decimal_text, rational
from reference_tree.programs.documents import Question, StandIn, multiway, subset, threshold
from reference_tree.programs.pmml.fields import Fields
from reference_tree.programs.pmml.members import PREDICATES
from reference_tree.programs.pmml.predicates import words
from reference_tree.programs.pmml.questions import Strategies
from reference_tree.programs.pmml.xml import Element

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


def question_with_surrogates(
    below: Sequence[tuple[int, Element]], fields: Fields, strategies: Strategies, default: int | None
) -> Question | None:
    """The question of a node whose children have surrogates; None if they have none, or are no branches of a question.

    Args:
        below: the children, by number.
        fields: the fields.
        strategies: the strategies of the model.
        default: the default child.
    """
    predicates = [each.first(*PREDICATES) for _, each in below]
    if not all(one is not None and one.get("booleanOperator") == "surrogate" for one in predicates):
        return None
    try:
        return _Reading(fields).question(
            below, [_way(one, ours=fields.ours) for one in predicates if one is not None], strategies, default
        )
    except InputError:
        return None  # it is worked out field by field


class _Reading:
    def __init__(self, fields: Fields) -> None:
        self.fields = fields

    def question(
        self, below: Sequence[tuple[int, Element]], ways: Sequence[Way], strategies: Strategies, default: int | None
    ) -> Question | None:
        numbers = [number for number, _ in below]
        question, order = self._of_children([way.condition for way in ways], numbers)
        by_child = dict(zip(numbers, ways, strict=True))
        surrogates = [
            self._stand_in([by_child[child].surrogates[turn] for child in order], order)
            for turn in range(min(len(way.surrogates) for way in ways))
        ]
        rest = next((child for child, way in by_child.items() if way.default), None)
        if rest is None and strategies.missing == "defaultChild":
            rest = default
        stays = strategies.missing == "lastPrediction" or strategies == ("none", "returnLastPrediction")
        if any(len(way.surrogates) != len(surrogates) for way in ways) or (rest is None and not stays):
            return None
        if not surrogates:
            return question if rest is None else question.with_default(rest)
        return replace(question, missing="surrogates", surrogates=surrogates, default=rest)

    def _of_children(self, conditions: Sequence[Condition], below: Sequence[int]) -> tuple[Question, Sequence[int]]:
        """The question that the conditions of the children answer, and the children in the order of its branches."""
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
        question, _ = self._of_children([condition for condition, _ in conditions], order)
        unseen = list(dict.fromkeys(value for _, values in conditions for value in values))
        return StandIn(question, "0", unseen)

    def _number(self, condition: Condition) -> str:
        (text,) = condition.values
        return decimal_text(rational(str(self.fields.value(condition.field, text))))


# Predicates.


def _way(predicate: Element, *, ours: bool) -> Way:
    """A predicate as a condition with surrogates, in order."""
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
        return Condition(attrib["field"], relation, words(predicate.inner[0].text))
    if any(part.name == "CompoundPredicate" for part in predicate.inner):
        raise InputError("a compound predicate within another one is not read")
    parts = list(map(_condition, predicate.inner))
    relation = {"or": "in", "and": "not_in"}.get(attrib["booleanOperator"], "")
    if not parts or any((part.field, part.relation) != (parts[0].field, relation) for part in parts):
        raise InputError(f"a compound predicate with {attrib['booleanOperator']} is not one about a set of values")
    return Condition(parts[0].field, relation, tuple(value for part in parts for value in part.values))
