"""Tests in answers: the candidate of a node that a program means.

Two tests are the same if they divide the rows of a node alike: a threshold may lie anywhere between the
same two values, and a set may be named by its complement. Its branches may then stand in another order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple

from reference_tree.auditing.parting import branches_alike
from reference_tree.checking.mistakes import Malformed, text
from reference_tree.checking.quantities import quantity
from reference_tree.data.questions import Coordinate, Linear, Multiway, SeenSubset, Subset, Test, Threshold
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import nearest_double
from reference_tree.splitting.candidate import Candidate


class ReadQuestion(NamedTuple):
    """A test of an answer."""

    test: Test
    order: tuple[int, ...]
    """For each branch of the answer, the outcome of the test that it stands for."""


class Meant(NamedTuple):
    """The candidate that a test of an answer means."""

    candidate: Candidate
    branches: tuple[int, ...]
    """For each branch of the answer, the branch of the candidate."""


class AnswerReader:
    """Reads the tests of an answer about one table.

    A double in the place of a threshold stands for the value of the data it is nearest to, if there is one: 0.3 is
    smaller as a double than as it is written, and a program in doubles knows no other.
    """

    def __init__(self, sample: Sample) -> None:
        self._sample = sample
        self._attributes = {attribute.name: attribute for attribute in sample.schema.attributes}
        self._doubles: dict[str, dict[float, Rational]] = {}

    def question(
        self, entry: object, outcomes: object = None, *, strict: bool = False, seen: bool = False
    ) -> ReadQuestion:
        """A test.

        Args:
            entry: the test, as a tree document has it; its numbers may be doubles. A set may stand in it as `in`.
            outcomes: the conditions of its branches in order; None for the order of the package.
            strict: whether a threshold without conditions is asked with `<`.
            seen: whether a set may leave out some values.

        Raises:
            Malformed: it is none.
        """
        if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str):
            raise Malformed(f"{text(entry)} is no test")
        if not isinstance(outcomes, list | None):
            raise Malformed(f"{text(outcomes)} is no list of branches")
        # The conditions of the branches decide their order, and for a set also what is in it.
        conditions = None if outcomes is None else list(map(_condition, outcomes))
        kind = entry["kind"]
        if kind == "subset" and conditions is None and "in" in entry:
            conditions = [("in", entry["in"]), ("not_in", entry["in"])]
        # Whatever a wrong form leads to, the message names the test.
        try:
            if kind == "linear":
                return ReadQuestion(self._linear(entry), _order(conditions, ("le", "gt")))
            attribute = self._attribute(entry, kind)
            if kind == "multiway":
                return _multiway(attribute, conditions)
            if kind == "subset":
                return _subset(attribute, conditions, seen)
            return self._threshold(attribute, entry, conditions, strict)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise Malformed(f"{text(entry)} is no test: {error}") from None

    def _attribute(self, entry: Mapping[str, Any], kind: str) -> Attribute:
        attribute = self._attributes.get(entry["attribute"])
        if attribute is None:
            raise ValueError(f"there is no attribute {text(entry['attribute'])}")
        # A threshold needs numbers, and the other kinds need categories.
        if kind not in ("multiway", "subset", "threshold") or (kind == "threshold") != (attribute.values is None):
            raise ValueError(f"{attribute.name} is {attribute.kind}")
        return attribute

    def _threshold(
        self, attribute: Attribute, entry: Mapping[str, Any], conditions: list[tuple[str, Any]] | None, strict: bool
    ) -> ReadQuestion:
        below, above = ("lt", "ge") if strict else ("le", "gt")
        # The first condition says whether the test is strict.
        if conditions is not None:
            below, above = ("lt", "ge") if conditions[0][0] in ("lt", "ge") else ("le", "gt")
        test = Threshold(attribute.name, self._number(attribute.name, entry["threshold"]), strict=below == "lt")
        return ReadQuestion(test, _order(conditions, (below, above)))

    def _number(self, name: str, given: object) -> Rational:
        number = quantity(given)
        if not number.is_double:
            return number.value
        # A program in doubles writes the double of a value; so the value whose double it is, is meant.
        if name not in self._doubles:
            self._doubles[name] = {nearest_double(value): value for value in self._sample.ordered(name).values}
        return self._doubles[name].get(float(number.value), number.value)

    def _linear(self, entry: Mapping[str, Any]) -> Linear:
        weights: dict[Coordinate, Rational] = {}
        for name, weight in entry["weights"].items():
            domain = self._attributes[name].values
            if (domain is None) == isinstance(weight, dict) or (domain and not weight.keys() <= set(domain)):
                raise ValueError(f"{text(weight)} is no weight of {name}")
            # A number has one coordinate; a category has one for each of its values.
            parts = {None: weight} if domain is None else weight
            weights |= {Coordinate(name, value): quantity(one).value for value, one in parts.items()}
        return Linear.of(weights, quantity(entry["threshold"]).value)


def _condition(entry: object) -> tuple[str, Any]:
    if not isinstance(entry, dict) or len(entry) != 1:
        raise Malformed(f"{text(entry)} is no condition of a branch")
    ((relation, value),) = entry.items()
    return relation, value


def _order(conditions: list[tuple[str, Any]] | None, usual: tuple[str, str]) -> tuple[int, ...]:
    found = usual if conditions is None else tuple(relation for relation, _ in conditions)
    # Branches may stand in any order, but each condition stands once.
    if sorted(found) != sorted(usual):
        raise ValueError(f"its branches are {' and '.join(map(text, found))}, not {' and '.join(usual)}")
    return tuple(usual.index(relation) for relation in found)


def _multiway(attribute: Attribute, conditions: list[tuple[str, Any]] | None) -> ReadQuestion:
    if conditions is None:
        return ReadQuestion(Multiway.on(attribute), tuple(range(len(attribute.domain))))
    # A branch for each value, and one value for each branch.
    values = [value for _, value in conditions]
    for value in values:
        if value not in attribute.domain:
            raise ValueError(f"{attribute.name} has no value {text(value)}")
    if absent := [value for value in attribute.domain if value not in values]:
        raise ValueError(f"there is no branch for {', '.join(map(text, absent))}")
    if len(values) > len(attribute.domain):
        raise ValueError("there are two branches for one value")
    return ReadQuestion(Multiway.on(attribute), tuple(attribute.domain.index(value) for value in values))


def _subset(attribute: Attribute, conditions: list[tuple[str, Any]] | None, seen: bool) -> ReadQuestion:
    if conditions is None:
        raise ValueError("the conditions of its branches are absent")
    sides = [_side(attribute, *condition) for condition in conditions]
    # Values that no side has are those that no row of the node has; only some learners leave them out.
    unseen = tuple(value for value in attribute.domain if not any(value in side for side in sides))
    if len(sides) != 2 or sides[0] & sides[1] or not all(sides) or (unseen and not seen):
        raise ValueError(f"its branches do not part the values of {attribute.name}")
    inside = tuple(value for value in attribute.domain if value in sides[0])
    return ReadQuestion(
        SeenSubset(attribute.name, inside, unseen) if unseen else Subset(attribute.name, inside), (0, 1)
    )


def _side(attribute: Attribute, relation: str, value: Any) -> set[str]:
    named = {value} if relation == "is" else set(value)
    if relation not in ("is", "in", "not_in") or not named <= set(attribute.domain):
        raise ValueError(f"{relation} {text(value)} is no set of values of {attribute.name}")
    return set(attribute.domain) - named if relation == "not_in" else named


class Candidates:
    """The candidates of a node, found by the tests of an answer."""

    def __init__(self, sample: Sample, candidates: Iterable[Candidate]) -> None:
        self._sample = sample
        self._alike: dict[Hashable, list[Candidate]] = {}
        # Only candidates of one key can be the same; so a test is compared with few.
        for candidate in candidates:
            self._alike.setdefault(self._key(candidate.test), []).append(candidate)

    def meant(self, question: ReadQuestion) -> Meant | None:
        """The first candidate that divides the rows of the node as a test does; None if there is none."""
        test = question.test
        alike = self._alike.get(self._key(test), ())
        # The test itself comes first: another that divides the rows alike is second best.
        for candidate in sorted(alike, key=lambda candidate: candidate.test != test):
            if candidate.test == test:
                return Meant(candidate, question.order)
            if branches := branches_alike(test, candidate.test, self._sample):
                return Meant(candidate, tuple(branches[place] for place in question.order))
        return None

    def _key(self, test: Test) -> Hashable:
        """A key that two tests share if they divide the rows alike."""
        name = None if isinstance(test, Linear) else test.attribute  # sums of other weights may divide rows alike
        return test.kind, name, tuple(sorted(self._sample.partition(test).rows))
