"""The tests of PMML: the children of a node, each with a predicate, as tests with branches.

A row goes to the first child whose predicate is true. The predicates may be about several fields, and need not exclude
one another. So a node is worked out field by field: for each value that a field may have, predicates become simpler or
are decided. Values with the same outcome are one branch. What is left undecided is the next test.

A row that no child takes has no answer, or that of the node (`noTrueChildStrategy`); it is then a leaf with this
answer. If a predicate is unknown because a value is missing, `missingValueStrategy` decides:

| strategy | a row whose value is missing |
|:--|:--|
| `none` | the predicate counts as false |
| `lastPrediction` | stays, and has the answer of the node |
| `nullPrediction` | has no answer: it is refused |
| `defaultChild` | goes to the default child |
| `weightedConfidence` | goes down all children that are not false, in proportion to their numbers of rows |
| `aggregateNodes` | goes down all of them, and the counts of the leaves are added up |

Source:
    [DMG2019 TreeModel]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, cast

from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import Rational, decimal_text, exact_text, shortened
from reference_tree.programs.documents import MOST_NODES, HeldNode, HeldTest, Json, Key, multiway, subset, threshold
from reference_tree.programs.pmml.fields import ModelFields
from reference_tree.programs.pmml.predicates import (
    OTHER,
    Among,
    Compared,
    Predicate,
    State,
    atoms,
    fields_of,
    given,
    settled,
)

STRATEGIES = ("none", "lastPrediction", "nullPrediction", "defaultChild", "weightedConfidence", "aggregateNodes")
"""The strategies for a row whose predicate is unknown."""
NO_CHILD = ("returnNullPrediction", "returnLastPrediction")
"""The strategies for a row that no child takes."""

Alternatives: TypeAlias = tuple[tuple[Predicate, int], ...]
"""Predicates that are not decided, each with the number of its child."""
LAST: Literal["last"] = "last"
"""The outcome that the node itself answers."""
NONE: Literal["none"] = "none"
"""The outcome that there is no answer."""


class Shared(NamedTuple):
    """The outcome that a row goes down several children."""

    children: tuple[int, ...]


Outcome: TypeAlias = int | Literal["last", "none"] | Shared | Alternatives
"""The outcome of a row at a node: a child, or one of the above; or predicates about further fields."""


class Child(NamedTuple):
    """A node of PMML."""

    name: str
    """Its id, for messages."""
    predicate: Predicate
    below: tuple[int, ...]
    default: int | None = None
    """The default child."""
    weight: Rational | None = None
    """The number of its rows."""


class Strategies(NamedTuple):
    """The rules for rows whose predicate is unknown, and for rows that no child takes."""

    missing: str = "none"
    no_child: str = "returnNullPrediction"


class ChildTests:
    """The nodes of a tree document, made of those of PMML.

    Args:
        nodes: the nodes of PMML; the root is the first.
        fields: the fields that their predicates are about.
        strategies: the strategies of the model.
        answer: the answer of a node of PMML, by its number.
        direct: the test of a node that is read as one with surrogates, and its children in their order.
    """

    def __init__(
        self,
        nodes: Sequence[Child],
        fields: ModelFields,
        strategies: Strategies,
        answer: Callable[[int], Json],
        direct: Callable[[int], HeldTest | None] = lambda _: None,
    ) -> None:
        self.nodes, self.fields, self.strategies = nodes, fields, strategies
        self.answer, self.direct = answer, direct
        self.held: dict[Key, HeldNode] = {}
        self.stops = False
        """Whether there are leaves for rows that no child takes."""
        self.stays = False
        """Whether a row may end at an inner node."""
        self._made = 0
        self._pending: list[tuple[int, int, Alternatives | None]] = []

    def build(self) -> Mapping[Key, HeldNode]:
        """The nodes of the document by their numbers; the root is 0.

        Raises:
            InputError: a node has a rule that no test has, or there are too many nodes.
        """
        # A stack of work in place of recursion: a pair of predicates may multiply the nodes.
        self._enter(0, 0)
        while self._pending:
            key, node, alternatives = self._pending.pop()
            if alternatives is None:
                self._node(key, node)
            else:
                self._ask(key, node, alternatives)
        return self.held

    def _enter(self, node: int, outcome: Outcome) -> int:
        """The number of a new node of the document for an outcome at a node of PMML."""
        # Numbers are given before nodes are made, so that branches can lead to them.
        key, self._made = self._made, self._made + 1
        # Predicates about several fields can make exponentially many nodes, so they are counted as they are made.
        if self._made > MOST_NODES:
            raise InputError(f"its predicates make more than {MOST_NODES} nodes")
        self._to(key, node, outcome)
        return key

    def _to(self, key: int, node: int, outcome: Outcome) -> None:
        if isinstance(outcome, int):
            self._pending.append((key, outcome, None))
        elif outcome == LAST:
            self.stops = True
            self.held[key] = HeldNode(self.answer(node))
        # A tree document has an answer for every row that it does not refuse.
        elif outcome == NONE or isinstance(outcome, Shared):
            raise InputError(
                f"node {self.nodes[node].name} has no answer for some rows that no child takes, which no tree here "
                "states; see noTrueChildStrategy"
            )
        else:
            self._pending.append((key, node, outcome))

    def _node(self, key: int, node: int) -> None:
        below = self.nodes[node].below
        if not below:
            self.held[key] = HeldNode(self.answer(node))
        # Children that are the branches of one test with surrogates stay one test.
        elif (test := self.direct(node)) is not None:
            moved = {child: self._enter(node, child) for child in below}
            default = None if test.default is None else moved[int(str(test.default))]
            others = [replace(one, test=_moved(one.test, moved)) for one in test.surrogates]
            self.stays = self.stays or default is None
            found = replace(_moved(test, moved), default=default, surrogates=others)
            self.held[key] = HeldNode(self.answer(node), found)
        else:
            self._to(key, node, self._outcome(node, tuple((self.nodes[one].predicate, one) for one in below)))

    def _outcome(self, node: int, alternatives: Alternatives) -> Outcome:
        """The outcome of predicates, as far as they are decided."""
        left: list[tuple[Predicate, int]] = []
        for predicate, child in alternatives:
            # A child that cannot be true is dropped; one that is sure ends the list, since the first true one
            # is taken.
            if predicate is False or (predicate is None and self.strategies.missing == "none"):
                continue
            if not left and predicate is True:
                return child
            # Unknown before any true one: here the strategy decides.
            if not left and predicate is None:
                return self._unknown(node, alternatives)
            left.append((predicate, child))
            if predicate is True:
                break
        if left:
            return tuple(left)
        return LAST if self.strategies.no_child == "returnLastPrediction" else NONE

    def _unknown(self, node: int, alternatives: Alternatives) -> Outcome:
        """The outcome of a row whose first predicate that is not false is unknown."""
        # Asked only if the unknown predicate comes before any true one.
        strategy = self.strategies.missing
        if strategy == "lastPrediction":
            return LAST
        if strategy == "nullPrediction":
            return NONE
        if strategy == "defaultChild":
            default = self.nodes[node].default
            return NONE if default is None else default
        if strategy not in STRATEGIES:
            raise InputError(f"rows without a value are divided by {strategy}, which is not read")
        return Shared(tuple(child for predicate, child in alternatives if predicate is not False))

    # A test about one field.

    def _ask(self, key: int, node: int, alternatives: Alternatives) -> None:
        """A test about the first field of some predicates."""
        # The first undecided predicate says which field decides next.
        field = fields_of(alternatives[0][0])[0]
        # Predicates about this field alone are decided by its value; those behind wait.
        others = (place for place, (one, _) in enumerate(alternatives) if not set(fields_of(one)) <= {field})
        run = max(1, next(others, len(alternatives)))  # the first predicates, which are about this field alone

        def outcome(state: State) -> Outcome:
            decided = tuple((given(one, field, state), child) for one, child in alternatives[:run])
            return self._outcome(node, (*decided, *alternatives[run:]))

        asked = [atom for one, _ in alternatives for atom in atoms(one) if atom.field == field]
        if self.fields.is_number(field):
            # Between two cuts all numbers have the same outcome, so one of each interval is enough.
            cuts = sorted({cast("Rational", atom.value) for atom in asked if isinstance(atom, Compared)})
            parts, bounds = _parted(cuts, outcome)
            missing, groups = self._settled(node, field, parts, outcome)
            self._numbers(key, node, field, groups, bounds, missing)
        else:
            first = [atom for one, _ in alternatives[:run] for atom in atoms(one)]
            self._categories(key, node, field, [one for one in first if isinstance(one, Among)], outcome)

    def _settled(
        self,
        node: int,
        field: str,
        parts: Sequence[tuple[Outcome, Sequence[State]]],
        outcome: Callable[[State], Outcome],
    ) -> tuple[Outcome, list[Outcome]]:
        """The outcome of a missing value, and of parts of the values; what a part decides is not asked again."""
        # What the field has decided is not asked again below.
        groups = [self._decided(node, one, field, states) for one, states in parts]
        # No missing value comes here: it was replaced or refused before.
        if self.fields.is_filled(field):
            return NONE, groups
        # A missing value is a state like any other.
        missing = outcome(None)
        same = [group for group, (one, _) in zip(groups, parts, strict=True) if one == missing]
        if not same or any(group != missing for group in same):  # it has a branch of its own
            missing = self._decided(node, missing, field, (None,))
        return missing, groups

    def _decided(self, node: int, outcome: Outcome, field: str, states: Sequence[State]) -> Outcome:
        """An outcome without tests about a field that have one answer for all of some values."""
        if not isinstance(outcome, tuple) or isinstance(outcome, Shared):
            return outcome
        return self._outcome(node, tuple((settled(one, field, states), child) for one, child in outcome))

    def _numbers(
        self,
        key: int,
        node: int,
        field: str,
        groups: Sequence[Outcome],
        bounds: Sequence[tuple[Rational, bool]],
        missing: Outcome,
    ) -> None:
        """Tests about a number: its intervals, each with an outcome, are parted one by one."""
        shares = self._shares(node, groups, missing)
        # No branch has the outcome of a missing value: a test of its own parts it off first.
        if shares is None and missing not in groups and not (missing in (LAST, NONE) and len(groups) > 1):
            key = self._whether_known(key, node, groups, missing, threshold_at=(field, self.fields.largest(field)))
            missing = NONE

        def asked(place: int, to: tuple[int, int]) -> HeldTest:
            at, strict = bounds[place]
            return threshold(field, decimal_text(at), to, strict=strict)

        self._in_turn(key, node, groups, asked, shares, missing)

    def _categories(
        self, key: int, node: int, field: str, asked: Sequence[Among], outcome: Callable[[State], Outcome]
    ) -> None:
        """Tests about a category: sets of values, each with an outcome, are parted one by one."""
        # Values of one outcome share a branch.
        parts: dict[Outcome, list[State]] = {}
        for value in (*self.fields.domain(field), *((OTHER,) if self.fields.is_open(field) else ())):
            parts.setdefault(outcome(value), []).append(value)
        missing, ends = self._settled(node, field, list(parts.items()), outcome)
        ends_of = {state: end for end, states in zip(ends, parts.values(), strict=True) for state in states}
        other = ends_of.pop(OTHER, None)
        found = {str(value): end for value, end in ends_of.items()}
        if self._is_multiway(_grouped(found), other, missing, asked):
            self._multiway(key, node, field, found, asked, missing)
        else:
            self._sets(key, node, field, asked, found, other, missing)

    def _sets(
        self,
        key: int,
        node: int,
        field: str,
        asked: Sequence[Among],
        found: Mapping[str, Outcome],
        other: Outcome | None,
        missing: Outcome,
    ) -> None:
        """Tests whether a category is in a set; the last set is that of all categories that are in no list."""
        groups = _grouped(found)
        # No row may end without an answer: such categories are refused, here or where rows are read.
        if other == NONE or groups.get(NONE):
            other = self._without_answers(node, field, groups, other)
        order = _order(groups, other, asked)
        shares = self._shares(node, order, missing)
        if shares is None and missing not in order and not (missing in (LAST, NONE) and len(order) > 1):
            if other is not None:  # one that is in no list is no missing one
                self.fields.closed.add(field)
                order = _order(groups, None, asked)
            key = self._whether_known(key, node, order, missing, subset_of=(field, list(found)))
            missing = NONE

        def test_of(place: int, to: tuple[int, int]) -> HeldTest:
            return subset(field, _listed(groups[order[place]], asked), to)

        self._in_turn(key, node, order, test_of, shares, missing)

    def _in_turn(
        self,
        key: int,
        node: int,
        order: Sequence[Outcome],
        ask: Callable[[int, tuple[int, int]], HeldTest],
        shares: Sequence[Rational] | None,
        missing: Outcome,
    ) -> None:
        """Tests that part outcomes from one another, one by one.

        Args:
            key: the number of the first test.
            node: the node of PMML.
            order: the outcomes.
            ask: the test that parts the outcome at a place from the later ones, by the nodes below it.
            shares: the weights of the outcomes, if a row without a value goes down all of them.
            missing: the outcome of a row without a value.
        """
        # One outcome needs no test.
        if len(order) == 1:
            self._to(key, node, order[0])
        for place, one in enumerate(order[:-1]):
            first = self._enter(node, one)
            rest = self._enter(node, order[-1]) if place + 2 == len(order) else self._reserved()
            test = ask(place, (first, rest))
            # Three ways for a row without a value: down all branches, down one, or no further.
            if shares is not None:
                test = self._dividing(test, shares[place], sum(shares[place + 1 :]))
            elif missing in order[place:]:
                test = test.with_default(first if one == missing else rest)
            elif missing == LAST and place == 0:
                self.stays = True
                test = replace(test, missing="stay")
            self.held[key] = HeldNode(self.answer(node), test)
            key = rest

    def _without_answers(
        self, node: int, field: str, groups: dict[Outcome, list[str]], other: Outcome | None
    ) -> Outcome | None:
        """Refuse categories that have no answer; those in no list are refused where rows are read."""
        if NONE in groups:
            raise InputError(
                f"node {self.nodes[node].name} has no answer for {field} {shortened(groups[NONE][0])}, which no tree "
                "here states; see noTrueChildStrategy"
            )
        self.fields.closed.add(field)
        return None if other == NONE else other

    @staticmethod
    def _is_multiway(
        groups: Mapping[Outcome, list[str]], other: Outcome | None, missing: Outcome, asked: Sequence[Among]
    ) -> bool:
        """Whether each value that children name has a child of its own; no other value has an answer."""
        # A branch for each value reads better than a chain of sets, and says the same.
        own = [one for one in groups if one != NONE]
        singles = all(isinstance(one, int) and len(groups[one]) == 1 for one in own)
        named = {value for one in asked if one.within for value in one.values}
        positive = all(one.within for one in asked)
        reaches = missing in (LAST, NONE) or missing in own or isinstance(missing, Shared)
        covered = named >= {groups[one][0] for one in own} if singles else False
        return len(own) > 1 and singles and positive and covered and other in (None, NONE) and reaches

    def _multiway(
        self,
        key: int,
        node: int,
        field: str,
        found: Mapping[str, Outcome],
        asked: Sequence[Among],
        missing: Outcome,
    ) -> None:
        """A test with a branch for each value."""
        # Branches stand in the order in which the children name their values.
        listed = [str(value) for one in asked for value in one.values]
        order = [value for value in dict.fromkeys([*listed, *found]) if found.get(value, NONE) != NONE]
        shares = self._shares(node, [found[value] for value in order], missing)
        keys = [self._enter(node, found[value]) for value in order]
        test = multiway(field, order, keys)
        if shares is not None:
            test = self._dividing(test, *shares)
        elif missing == LAST:
            self.stays = True
            test = replace(test, missing="stay")
        elif missing != NONE:
            default = next(one for one, value in zip(keys, order, strict=True) if found[value] == missing)
            test = test.with_default(default)
        self.held[key] = HeldNode(self.answer(node), test)

    # Missing values.

    def _reserved(self) -> int:
        """A number for a further test of the same node."""
        key, self._made = self._made, self._made + 1
        return key

    def _whether_known(
        self,
        key: int,
        node: int,
        groups: Sequence[Outcome],
        missing: Outcome,
        *,
        threshold_at: tuple[str, Rational] | None = None,
        subset_of: tuple[str, list[str]] | None = None,
    ) -> int:
        """A test whether a value is there: each number is at most the largest; the node for those that are.

        A row without a value goes to the other branch.
        """
        # A test of its own has two branches, so nothing can be shared among the children.
        if isinstance(missing, Shared):
            raise InputError(
                f"the children of node {self.nodes[node].name} are not the branches of one test, and rows "
                f"without a value are to be divided among them ({self.strategies.missing}), which is not read"
            )
        known = self._reserved()
        absent = self._enter(node, LAST if missing == NONE else missing)
        if threshold_at is not None:
            field, at = threshold_at
            test = threshold(field, decimal_text(at), (known, absent))
        else:
            assert subset_of is not None
            if not subset_of[1]:
                raise InputError(
                    f"a question whether {shortened(subset_of[0])} is missing is not read; list its values"
                )
            test = subset(*subset_of, (known, absent))
        if missing != NONE:
            test = test.with_default(absent)
        self.held[key] = HeldNode(self.answer(node), test)
        return known

    def _shares(self, node: int, groups: Sequence[Outcome], missing: Outcome) -> list[Rational] | None:
        """The weights of the branches, if a row without a value goes down all of them; else None.

        Raises:
            InputError: the branches are not the children.
        """
        if not isinstance(missing, Shared):
            return None
        # Shares are stated for children, so the branches have to be the children.
        if sorted(missing.children) != sorted(one for one in groups if isinstance(one, int)) or len(groups) != len(
            missing.children
        ):
            self._whether_known(0, node, groups, missing)  # refuses
        if self.strategies.missing == "aggregateNodes":
            return [1] * len(groups)
        weights = [self.nodes[int(str(one))].weight for one in groups]
        found = [one for one in weights if one is not None]
        if len(found) < len(weights) or not sum(found):
            raise InputError(f"a child of node {self.nodes[node].name} has no recordCount to weigh it with")
        return found

    def _dividing(self, test: HeldTest, *weights: Rational) -> HeldTest:
        """A test by which a row without an answer goes down every branch."""
        if self.strategies.missing == "aggregateNodes":
            return replace(test, missing="aggregate")
        # Rows that no child had are divided evenly.
        whole = sum(weights)
        shared = [
            replace(one, share=exact_text(Fraction(weight) / whole if whole else Fraction(1, len(weights))))
            for one, weight in zip(test.branches, weights, strict=True)
        ]
        return replace(test, branches=shared, missing="fractions")


def _moved(test: HeldTest, to: Mapping[int, int]) -> HeldTest:
    """A test whose branches lead to other numbers."""
    return replace(test, branches=[replace(one, to=to[int(str(one.to))]) for one in test.branches])


def _parted(
    cuts: Sequence[Rational], outcome: Callable[[State], Outcome]
) -> tuple[list[tuple[Outcome, list[State]]], list[tuple[Rational, bool]]]:
    """The outcomes of a number from below, each with numbers between all cuts, and the bounds between them.

    A bound is a cut, and whether it lies in the upper part.
    """
    # A number below all cuts, then each cut itself, and one between it and the next.
    first: Rational = cuts[0] - 1 if cuts else 0
    parts: list[tuple[Outcome, list[State]]] = [(outcome(first), [first])]
    bounds: list[tuple[Rational, bool]] = []
    for place, cut in enumerate(cuts):
        after = cuts[place + 1] if place + 1 < len(cuts) else cut + 2
        for strict, number in ((True, cut), (False, Fraction(cut + after) / 2)):
            if (found := outcome(number)) != parts[-1][0]:
                parts.append((found, []))
                bounds.append((cut, strict))
            parts[-1][1].append(number)
    return parts, bounds


def _order(groups: Mapping[Outcome, list[str]], other: Outcome | None, asked: Sequence[Among]) -> list[Outcome]:
    """The order in which sets of values are asked for: those that a child names first; the last is for all others."""
    named = [set(one.values) for one in asked if one.within]
    order = sorted(groups, key=lambda one: set(groups[one]) not in named)
    if other is not None:
        order = [*(one for one in order if one != other), other]
    elif len(order) > 1 and not named:
        denied = [set(one.values) for one in asked]
        order = sorted(order, key=lambda one: set(groups[one]) not in denied)
    return order


def _grouped(found: Mapping[str, Outcome]) -> dict[Outcome, list[str]]:
    """The categories of each outcome."""
    groups: dict[Outcome, list[str]] = {}
    for value, one in found.items():
        groups.setdefault(one, []).append(value)
    return groups


def _listed(values: Sequence[str], asked: Sequence[Among]) -> list[str]:
    """The values of a set, in the order in which a predicate names them."""
    same = (one.values for one in asked if set(one.values) == set(values))
    return [str(one) for one in dict.fromkeys(next(same, values))]
