"""The kinds of case: the mistakes in the answer to each.

1. Decisions and trees are compared with their learner, node by node (`walking`).
2. Everything else is compared with the golden, member by member (`compared`). A golden says of each member what it is
   by its name: a number is compared within its tolerance, a threshold may lie anywhere in its interval, a label is any
   of those that tie, and everything else must be the same. Nodes are aligned by their places, not by the order in which
   they are listed, unless the order is the answer; `node` is a path for people, and is not compared. Members that an
   answer leaves out are not judged; members not in the golden are refused, as they may be misspelt.
3. Boosting and ensembles are judged in both ways. Where a program took another winner than the golden, what rests on
   that tree is another problem, and is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.checking.mistakes import Malformed, Mistake, differs, text, within
from reference_tree.checking.nodes import answered_nodes, objects
from reference_tree.checking.quantities import off, quantity, settled
from reference_tree.checking.walking import AnswerWalk
from reference_tree.conformance.cases import Case, Kind
from reference_tree.conformance.ensembles import ensemble_learner
from reference_tree.conformance.goldens import document
from reference_tree.conformance.tolerances import Total, tolerances
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.exact.rationals import is_number, rational
from reference_tree.learners.growing import grow, revisit
from reference_tree.learners.options import Options
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.tree_document import question_json
from reference_tree.tree_document.members import read_weight

WALKED = ("decisions", "tree", "nodes")
"""The members that are nodes of a grown tree."""


def mistakes_of(case: Case, answer: Any) -> Iterator[Mistake]:
    """The mistakes in the answer to a case, causes first.

    Args:
        case: the case.
        answer: the answer, in the form of `expected` in its golden; for a formula the number alone is enough.
    """
    try:
        # An answer comes from outside: whatever its form, it is a mistake and never an error.
        yield from _KINDS[case.kind](case, answer)
    except Malformed as error:
        yield Mistake("malformed", str(error))
    except RecursionError:
        yield Mistake("malformed", "it is nested too deeply")


def _formula(case: Case, answer: Any) -> Iterator[Mistake]:
    golden = document(case)
    expected = golden["expected"]
    # The same exact form needs no tolerance.
    if isinstance(answer, dict) and isinstance(answer.get("exact"), dict) and answer["exact"] == expected["exact"]:
        return
    total = [Fraction(rational(weight)) for weight in golden["total"]]
    try:
        missed = off(golden["quantity"], answer, rational(expected["digits"]), total)
    except ValueError as error:
        yield Mistake("malformed", str(error))
    else:
        if missed:
            yield Mistake("wrong-number", missed, rule=next(iter(golden["rules"]), ""))


def _grown(case: Case, answer: Any) -> Iterator[Mistake]:
    """The mistakes in a split or a tree."""
    table, learner = case.table(), case.base()
    # A tree is judged by the learner itself, for any winner of a tie is right; a golden has one of them.
    walk = AnswerWalk(learner, table, grow(learner, table), most=1 if case.kind == "split" else None)
    yield from walk.mistakes(answered_nodes(_object(answer, "decisions", "tree"), table.schema))


def _object(answer: Any, *members: str) -> Mapping[str, Any]:
    """An answer that is an object, with at least one of its members, and no others."""
    if not isinstance(answer, dict):
        raise Malformed(f"{text(answer)} is no object")
    # A member that is misspelt would be passed over.
    if strange := answer.keys() - set(members):
        raise Malformed(f"there is no member {text(min(strange))} here; there are {', '.join(members)}")
    if all(answer.get(member) is None for member in members):
        raise Malformed(f"it has none of {', '.join(members)}")
    return answer


def _as_written(case: Case, answer: Any) -> Iterator[Mistake]:
    """The mistakes in an answer that is compared with the golden directly."""
    expected = document(case)["expected"]
    if isinstance(expected, dict):
        _object(answer, *expected)
    yield from compared(expected, answer)


def _pruned(case: Case, answer: Any) -> Iterator[Mistake]:
    """A pruning. Pre-pruning grows, so an equal test may be taken; what rests on that choice is not judged."""
    expected = document(case)["expected"]
    given = _object(answer, *expected)
    # Pre-pruning compares accuracies, which follow from the winner that was taken: below another one they are another
    # problem.
    choices = [tuple(one["at"]) for one in _freely_chosen(case, expected, given)] if case.pre_prune else []
    if choices:
        expected, given = _apart_from(choices, expected), _apart_from(choices, given)
    yield from compared(expected, given)


def _freely_chosen(case: Case, expected: Mapping[str, Any], given: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The decisions in which another winner is asked than in the golden."""
    learner, table, held_out = case.base(), case.table(), case.validation_table()
    assert held_out is not None
    pre_pruning = PrePruning(learner, **(case.pre_prune or {}))
    tree = pre_pruning.grow(table, held_out)
    visits = revisit(tree, pre_pruning, table, held_out)
    # A choice is free only among the winners at the node; any other one is a mistake.
    winners = {tree.path(one.number): [question_json(q.test) for q in one.decision.winners] for one in visits}
    by_place = {tuple(one["at"]): one for one in expected["decisions"]}
    for one in objects(given, "decisions"):
        other = by_place.get(_place(one))
        if other and one.get("test") != other["test"] and one.get("test") in winners[other["node"]]:
            yield other


def _apart_from(choices: Collection[tuple[int, ...]], pruning: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a pruning about nodes that are neither among these nor below them, and not about the whole tree."""
    apart = [
        {name: value for name, value in one.items() if not name.startswith("accuracy")}
        for one in pruning.get("decisions") or ()
        # A node stands below a choice if its place begins with that of the choice.
        if not any(_place(one)[: len(place)] == place for place in choices)
    ]
    return {"decisions": apart}


def _place(decision: Mapping[str, Any]) -> tuple[int, ...]:
    """The place of a decision; the root, if none is stated."""
    at = decision.get("at")
    return tuple(at) if isinstance(at, list) and all(type(one) is int for one in at) else ()


def _rounds(case: Case, answer: Any) -> Iterator[Mistake]:
    """Round by round, until the program departs from the golden by a choice that is free."""
    table = case.table()
    learner = ensemble_learner(case.ensemble or {}, _base(case))
    expected = document(case)["expected"]
    # Votes decide by comparison, so that all may have been multiplied by one factor.
    rounds = _by_one_factor(expected["rounds"], objects(_object(answer, *expected), "rounds"))
    assert isinstance(learner, AdaBoost | BoostingTree)
    gone: Iterator[Any] = learner.rounds(table)
    # What a round begins with is judged before its tree, and what follows from the tree after it.
    for number, (found, one, ours) in enumerate(zip(expected["rounds"], rounds, gone, strict=False)):
        if says_nothing(one, found):
            yield Mistake("absent", "nothing is said of it", f"rounds[{number}]")
        yield from within(compared(_given(found), _given(one)), f"rounds[{number}]")
        walk = AnswerWalk(learner.base, ours.rows, ours.tree)
        if any(one.get(name) is not None for name in WALKED):
            yield from within(walk.mistakes(answered_nodes(one, table.schema)), f"rounds[{number}]")
        # The next weights depend on what this tree gets wrong, so that after a free choice nothing is known of the
        # golden's rounds.
        if walk.departed or (walk.moved and found.get("drawn") is not None):
            return
        yield from within(compared(_left(found), _left(one)), f"rounds[{number}]")
    if len(rounds) != len(expected["rounds"]):
        yield Mistake("wrong-rounds", f"expected {len(expected['rounds'])} rounds, came {len(rounds)}", "rounds")
    yield from compared({"answers": expected["answers"]}, {"answers": answer.get("answers", expected["answers"])})


def _by_one_factor(expected: Sequence[Mapping[str, Any]], rounds: list[Any]) -> list[Any]:
    """The rounds of an answer whose votes may all be the same multiple of those of the golden: divided by it."""
    pairs = ((found.get("vote"), one.get("vote")) for found, one in zip(expected, rounds, strict=False))
    ours, its = next(((ours, its) for ours, its in pairs if ours is not None and its is not None), (None, None))
    try:
        # The first vote that both state gives the factor; all others are held against it.
        factor = Fraction(quantity(its).value) / rational(ours["digits"]) if ours else Fraction(1)
        votes = [None if one.get("vote") is None else Fraction(quantity(one["vote"]).value) / factor for one in rounds]
    except (ArithmeticError, ValueError):
        return rounds  # what is wrong is reported where they are compared
    if factor <= 0 or abs(factor - 1) < _SAME:
        return rounds
    return [one if vote is None else {**one, "vote": float(vote)} for one, vote in zip(rounds, votes, strict=True)]


_SAME = Fraction(1, 1 << 40)
"""A factor within this distance of 1 counts as 1."""

_GIVEN = ("round", "weights", "drawn", "residuals")
"""The members with which a round begins; everything else in it depends on its tree."""


def _given(one: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name in _GIVEN}


def _left(one: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name not in (*_GIVEN, *WALKED)}


def _base(case: Case) -> Options | None:
    return case.base() if case.learner else None


def _together(case: Case, answer: Any) -> Iterator[Mistake]:
    """The mistakes tree by tree. The trees of a boosted ensemble depend on one another, those of a bag do not."""
    table = case.table()
    learner = ensemble_learner(case.ensemble or {}, _base(case))
    expected = document(case)["expected"]
    given = _object(answer, *expected)
    ensemble = learner.grow(table)
    trees, departed = objects(given, "trees"), False
    decided = learner.decided(ensemble, table)
    # Each tree is judged by the learner and the rows that are its own.
    for number, (found, one, (by, rows)) in enumerate(zip(expected["trees"], trees, decided, strict=False)):
        if says_nothing(one, found):
            yield Mistake("absent", "nothing is said of it", f"trees[{number}]")
        walk = AnswerWalk(by, rows, ensemble.members[number].tree)
        if one.get("nodes") is not None:
            yield from within(walk.mistakes(answered_nodes({"tree": one["nodes"]}, table.schema)), f"trees[{number}]")
        # Rows that were not drawn for a tree may lie in the gap of a threshold: moved, it predicts them otherwise.
        departed |= walk.departed or (walk.moved and found["drawn"] is not None)
        # In a boosted ensemble the trees that follow are fitted to what this one left.
        if departed and found["drawn"] is None:
            return
        kept = {name: value for name, value in one.items() if name != "shown" or not walk.departed}
        yield from within(compared(found, {**kept, "nodes": found["nodes"]}), f"trees[{number}]")
    if trees and len(trees) != len(expected["trees"]):
        yield Mistake("wrong-trees", f"expected {len(expected['trees'])} trees, came {len(trees)}", "trees")
    if not departed:
        rest = {name: value for name, value in given.items() if name != "trees"}
        yield from compared(expected, rest)


_KINDS: Mapping[Kind, Callable[[Case, Any], Iterator[Mistake]]] = {
    "formula": _formula,
    "bins": _as_written,
    "split": _grown,
    "tree": _grown,
    "predict": _as_written,
    "prune": _pruned,
    "ensemble": _together,
    "attribution": _as_written,
    "draws": _as_written,
    "rounds": _rounds,
}


# Members.

_FOR_PEOPLE = frozenset({"node", "rules", "rule"})
"""The members that are meant for people."""

_PLACES = frozenset({"compared", "ends", "links", "cut"})
"""The lists of nodes whose order has no meaning."""


def compared(expected: Any, came: Any, name: str = "") -> Iterator[Mistake]:
    """The mistakes in a value of JSON.

    Args:
        expected: the value in the golden.
        came: the value in the answer.
        name: the name of the member that holds it.

    Example:
        >>> for mistake in compared({"share": "7/15", "stop": "pure"}, {"share": 0.4666666666666667, "stop": "empty"}):
        ...     print(mistake)
        stop: wrong-stop: expected pure, came empty
    """
    # The golden decides what a value is; the answer may write it in any of the forms.
    if _is_quantity(expected):
        yield from _number(expected, came, name)
    elif isinstance(expected, dict) and isinstance(came, dict):
        for mistake in _members(expected, came, name):
            yield _placed(mistake, expected)
    elif isinstance(expected, list) and isinstance(came, list):
        yield from _list(expected, came, name)
    else:
        yield from differs(_wrong(name), expected, came)


def _wrong(name: str) -> str:
    return f"wrong-{name.replace('_', '-') or 'answer'}"


def _is_quantity(expected: object) -> bool:
    """Whether a value of a golden is a number."""
    if isinstance(expected, dict):
        return "exact" in expected
    return type(expected) is int or (isinstance(expected, str) and is_number(expected))


def _number(expected: Any, came: Any, name: str, total: Total = ()) -> Iterator[Mistake]:
    if is_same(expected, came):
        return
    # An exact number has its digits beside it, which are enough for any tolerance.
    written = expected["digits"] if isinstance(expected, dict) else str(expected)
    try:
        missed = off(name if name in tolerances() else "leaves", came, rational(written), total)
    except ValueError as error:
        yield Mistake("malformed", str(error))
    else:
        if missed:
            yield Mistake(_wrong(name), missed)


def is_same(expected: Any, came: Any) -> bool:
    """Whether a number of an answer is written as the golden has it."""
    exact = came.get("exact") if isinstance(came, dict) and isinstance(expected, dict) else came
    return (
        type(exact) is type(expected) and exact == expected
        if not isinstance(expected, dict)
        else exact == expected["exact"]
    )


def _members(expected: Mapping[str, Any], came: Mapping[str, Any], name: str) -> Iterator[Mistake]:
    """Member by member. The members of a quantity, as those of `counts`, are such quantities themselves."""
    # What the answer leaves out is not judged; what it has, the golden must have, too.
    for key, value in came.items():
        if key in _FOR_PEOPLE:
            continue
        if key not in expected:
            yield Mistake("malformed", f"there is no member {text(key)} here; there are {', '.join(expected)}")
        elif key in _OTHERWISE and name not in tolerances():
            yield from within(_OTHERWISE[key](expected, came), key)
        else:
            yield from within(compared(expected[key], value, name if name in tolerances() else key), key)


def _placed(mistake: Mistake, expected: Mapping[str, Any]) -> Mistake:
    """A mistake, with the node and the first rule of the innermost part of the golden that names them."""
    if mistake.at is None and "at" in expected:
        mistake = mistake._replace(at=tuple(expected["at"]), path=expected.get("node", ""))
    if not mistake.rule and expected.get("rules"):
        mistake = mistake._replace(rule=expected["rules"][0])
    return mistake


def _list(expected: Sequence[Any], came: Sequence[Any], name: str) -> Iterator[Mistake]:
    # Decisions that compare several nodes are steps of a sequence, whose order is the answer.
    in_order = name == "decisions" and any(one.get("compared") for one in expected)
    by_node = name in _PLACES or (name == "decisions" and not in_order)
    # Entries are paired by their node, or by their number, and what is left on either side is a mistake.
    came_at = dict(zip(_places(came, by_node), enumerate(came), strict=True))
    for place, one in zip(_places(expected, by_node), expected, strict=True):
        if place in came_at:
            where, other = came_at.pop(place)
            if name not in _PLACES and says_nothing(other, one):
                yield Mistake("absent", "nothing is said of it", f"[{where}]")
            yield from within(compared(one, other, name), f"[{where}]")
        else:
            yield Mistake(
                "absent", f"there is nothing about {text(one.get('node', place) if isinstance(one, dict) else one)}"
            )
    for number, one in came_at.values():
        yield Mistake(_wrong(name), f"there is one too many: {text(one)}", f"[{number}]")


def says_nothing(came: Any, expected: Any) -> bool:
    """Whether an answer has an empty object where the golden has members."""
    if not isinstance(expected, dict) or not isinstance(came, dict):
        return False
    named = _FOR_PEOPLE | {"at", "id", "round", "to"}
    return bool(expected.keys() - named) and not {key for key in came if came[key] is not None} - named


def _places(entries: Sequence[Any], by_node: bool) -> list[Hashable]:
    """The places of the entries of a list: their numbers, or their nodes with the number of earlier occurrences."""
    if not by_node:
        return list(range(len(entries)))
    found: list[Hashable] = []
    before: dict[str, int] = {}
    for one in entries:
        node = str(one.get("at", one.get("id"))) if isinstance(one, dict) else ""
        before[node] = before.get(node, -1) + 1
        found.append((node, before[node]))
    return found


# Parts that are not compared member by member.


def _label(expected: Mapping[str, Any], came: Mapping[str, Any]) -> Iterator[Mistake]:
    """A label may be any of those that tie: those that the golden lists, or has the same largest number for."""
    # Where two labels have the same largest number, each of them may be said.
    speaks = expected.get("distribution") or expected.get("scores") or {}
    values = {label: rational(score["digits"] if isinstance(score, dict) else score) for label, score in speaks.items()}
    largest = [label for label, value in values.items() if value == max(values.values())]
    if came["label"] not in (*(expected.get("tied") or ()), *largest):
        yield from compared(expected["label"], came["label"], "label")


def _squares(expected: Mapping[str, Any], came: Mapping[str, Any]) -> Iterator[Mistake]:
    """The sum of squared deviations of a node, which doubles subtract from Σ y²."""
    # Σ(y − m)² is Σy² − n·m² to a program of doubles: the tolerance follows from the size of these sums.
    n, mean, sse = (rational(expected[name]) for name in ("n", "mean", "sse"))
    yield from _number(expected["sse"], came["sse"], "sse", tuple(map(Fraction, (n, n * mean, sse + n * mean**2))))


def _tied(expected: Mapping[str, Any], came: Mapping[str, Any]) -> Iterator[Mistake]:
    if not isinstance(came["tied"], list | None) or sorted(expected["tied"] or [], key=str) != sorted(
        came["tied"] or [], key=str
    ):
        yield from differs("wrong-tie", expected["tied"], came["tied"])


def _weight(expected: Mapping[str, Any], came: Mapping[str, Any]) -> Iterator[Mistake]:
    """The weight of a tree, which may be a sum of logarithms."""
    if expected["weight"] == came["weight"]:
        return
    try:
        missed = off("vote", came["weight"], read_weight(expected["weight"]))
    except ValueError as error:
        yield Mistake("malformed", str(error))
    else:
        if missed:
            yield Mistake("wrong-weight", missed)


def _test(expected: Mapping[str, Any], came: Mapping[str, Any]) -> Iterator[Mistake]:
    """A test; a threshold may lie anywhere in its interval."""
    right, other = expected["test"], came["test"]
    if not isinstance(right, dict) or not isinstance(other, dict):
        yield from differs("wrong-question", right, other)
        return
    for key in ("kind", "attribute", "weights"):
        yield from within(differs("wrong-question", right.get(key), other.get(key)), key)
    if "threshold" in right and "threshold" in other:
        # Every threshold between the two values divides the rows alike; of an end the nearest double is meant.
        low, high = map(rational, right.get("interval") or (right["threshold"],) * 2)
        try:
            value = quantity(other["threshold"]).value
        except ValueError as error:
            yield Mistake("malformed", str(error), "threshold")
            return
        is_at_end = settled(value) in (float(low), float(high))  # the nearest double stands for the number
        if not low <= value <= high and not is_at_end:
            where = f"it lies in [{right['interval'][0]}, {right['interval'][1]}]" if low < high else f"it is {low}"
            yield Mistake("wrong-threshold", f"{text(other['threshold'])} came; {where}", "threshold")


def _conditions(expected: Mapping[str, Any], came: Mapping[str, Any]) -> Iterator[Mistake]:
    """A condition of a branch: what values there are; of a threshold only on which side it is."""
    right, other = expected["when"], came["when"]
    # The number of a threshold was judged with the test, so that a branch says only its side.
    if not isinstance(other, dict) or list(right) != list(other) or right.keys().isdisjoint(("le", "gt", "lt", "ge")):
        yield from differs("wrong-branch", right, other)


_OTHERWISE: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Iterator[Mistake]]] = {
    "label": _label, "sse": _squares, "tied": _tied, "weight": _weight, "test": _test, "when": _conditions,
}  # fmt: skip
