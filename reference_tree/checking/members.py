"""Members: the expected and the answered value of JSON, compared member by member.

A golden says of each member what it is by its name, so one walk serves predictions, prunings, rounds and draws alike:

1. A number is compared within its tolerance; everything else must be the same.
2. Members that an answer leaves out are not judged; members not in the golden are refused, as they may be misspelt.
3. Nodes are aligned by where they stand, not by the order in which they are listed, unless the order is the answer.
4. A threshold may lie anywhere in its interval, and a label is any of those that tie.
5. `node` is a path for people, and thresholds may differ in it: it is not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.checking.mistakes import Mistake, differs, text, within
from reference_tree.checking.quantities import off, quantity, settled
from reference_tree.conformance.tolerances import Total, tolerances
from reference_tree.exact.rationals import is_number, rational
from reference_tree.tree_document.members import read_weight

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
    if _is_quantity(expected):
        yield from _number(expected, came, name)
    elif isinstance(expected, dict) and isinstance(came, dict):
        for mistake in _object(expected, came, name):
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


def _object(expected: Mapping[str, Any], came: Mapping[str, Any], name: str) -> Iterator[Mistake]:
    """Member by member. The members of a quantity, as those of `counts`, are such quantities themselves."""
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
    in_order = name == "decisions" and any(one.get("compared") for one in expected)
    by_node = name in _PLACES or (name == "decisions" and not in_order)
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
    speaks = expected.get("distribution") or expected.get("scores") or {}
    values = {label: rational(score["digits"] if isinstance(score, dict) else score) for label, score in speaks.items()}
    largest = [label for label, value in values.items() if value == max(values.values())]
    if came["label"] not in (*(expected.get("tied") or ()), *largest):
        yield from compared(expected["label"], came["label"], "label")


def _squares(expected: Mapping[str, Any], came: Mapping[str, Any]) -> Iterator[Mistake]:
    """The sum of squared deviations of a node, which doubles subtract from Σ y²."""
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
    """A question; a threshold may lie anywhere in its interval."""
    right, other = expected["test"], came["test"]
    if not isinstance(right, dict) or not isinstance(other, dict):
        yield from differs("wrong-question", right, other)
        return
    for key in ("kind", "attribute", "weights"):
        yield from within(differs("wrong-question", right.get(key), other.get(key)), key)
    if "threshold" in right and "threshold" in other:
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
    if not isinstance(other, dict) or list(right) != list(other) or right.keys().isdisjoint(("le", "gt", "lt", "ge")):
        yield from differs("wrong-branch", right, other)


_OTHERWISE: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Iterator[Mistake]]] = {
    "label": _label, "sse": _squares, "tied": _tied, "weight": _weight, "test": _test, "when": _conditions,
}  # fmt: skip
