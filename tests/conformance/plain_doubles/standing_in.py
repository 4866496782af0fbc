"""Surrogates in plain doubles: surrogate tests for missing values.

They are looked for among the rows of a node that answer both questions. About a number every cut is tried, either way
round (`cuts`); of a category each value goes where most of its rows belong (`sets`). The question about an attribute
that agrees best is kept if it beats sending all rows to the larger side (`best_about`), and the best of all comes first
(`found`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tests.conformance.plain_doubles import formulas
from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.rows import NOISE, Case, Data, Question, Weighted, number, values_of

StandIn = tuple[Question, list[int]]
"""A question with its agreement, and for each of its branches the one of the node that it means."""
Known = Sequence[tuple[Case, float, int]]
"""Rows that answer both questions, each with its weight and the branch of the node that it takes."""


def found(asks: Question, rows: Sequence[Weighted], data: Data, options: Mapping[str, Any]) -> list[StandIn]:
    """The questions that stand in for another one at a node."""
    is_needed = any(asks.branch(row) is None for row, _ in rows) or planted("surrogates-sought-everywhere")
    is_always = options["always_surrogates"] and not planted("surrogates-sought-where-needed")
    if len(asks.outcomes) != 2 or not (is_needed or is_always):
        return []
    if planted("surrogates-of-the-whole-table"):
        rows = data.rows
    least = 0.0 if planted("surrogates-of-a-single-row") else number(options["surrogate_minimum"])
    others = [name for name in data.names if name != asks.test.get("attribute") or planted("own-attribute-stands-in")]
    standing = [best for name in others if (best := best_about(name, asks, rows, data, least)) is not None]
    if planted("last-of-equal-surrogates"):
        standing.reverse()
    by = "association" if planted("surrogates-by-association") else "agreement"
    if not planted("surrogates-in-table-order"):
        standing.sort(key=lambda one: round(one[0].scores[by], 9), reverse=True)
    if planted("least-agreement-first"):
        standing.reverse()
    most = 1 if planted("one-surrogate-is-kept") else options["max_surrogates"]
    return standing if planted("every-surrogate-is-kept") else standing[:most]


def best_about(name: str, asks: Question, rows: Sequence[Weighted], data: Data, least: float) -> StandIn | None:
    """The question about an attribute that agrees best, if it beats the larger side."""
    first = [(row, w, place) for row, w in rows if (place := asks.branch(row)) is not None]
    if planted("agreement-of-rows-not-weights"):
        first = [(row, 1.0, place) for row, _, place in first]
    known = [one for one in first if one[0][name] is not None]
    if data.domains[name] is None:
        tried = [one for one in cuts(name, known) if min(sent(one[0], known)) > least - NOISE]
    else:
        tried = list(sets(name, known))
    if not tried:
        return None
    right = [sum(w for row, w, place in known if means[asked.branch(row) or 0] == place) for asked, means in tried]
    judged = [purity(asked, known, data) for asked, _ in tried] if planted("surrogates-by-purity") else right
    equal = [place for place, one in enumerate(judged) if one > max(judged) - NOISE]
    best = equal[-1 if planted("last-of-equal-surrogates") else 0]
    sides = both_sides(first if planted("gaps-disagree") else known)
    larger = max(sides)
    if planted("larger-side-of-all-who-answer"):
        larger = max(both_sides(first)) / sum(both_sides(first)) * sum(sides)
    beats = right[best] > larger + (-NOISE if planted("as-good-as-the-larger-side") else NOISE)
    if not (beats or planted("larger-side-not-asked")):
        return None
    whole = sum(w for _, w in rows) if planted("agreement-of-all-rows") else sum(sides)
    asked, means = tried[best]
    asked.scores = {"agreement": right[best] / whole, "association": (right[best] - max(sides)) / (min(sides) or 1.0)}
    return asked, [0, 1] if planted("turned-surrogate-told-straight") else means


def sent(asked: Question, known: Known) -> list[float]:
    """The weight that takes either branch of a question."""
    return [sum(w for row, w, _ in known if asked.branch(row) == side) for side in (0, 1)]


def both_sides(known: Known) -> list[float]:
    """The weight that takes either branch of the node."""
    return [sum(w for _, w, place in known if place == side) for side in (0, 1)]


def cuts(name: str, known: Known) -> Iterator[StandIn]:
    """Every cut of a number, either way round."""
    for low, high in pairwise(sorted(values_of([(row, w) for row, w, _ in known], name))):
        t = high if planted("surrogate-a-gap-off") else low if planted("lower-value-as-threshold") else (low + high) / 2
        test = {"kind": "threshold", "attribute": name, "threshold": t}
        yield Question(test, [{"le": t}, {"gt": t}], [], []), [0, 1]
        if not planted("surrogates-never-turned"):
            yield Question(test, [{"le": t}, {"gt": t}], [], []), [1, 0]


def sets(name: str, known: Known) -> Iterator[StandIn]:
    """The one set that sends each value where most of its rows belong; the last value is not in the set."""
    values = list(dict.fromkeys(str(row[name]) for row, _, _ in known))
    parts = [[value for value in values if belongs(known, name, value) == side] for side in (0, 1)]
    if not all(parts):
        return
    named = 1 if max(values) in parts[0] else 0
    if planted("surrogate-set-by-its-complement"):
        named = 1 - named
    others: dict[str, Any] = {"not_in": parts[named]}
    if planted("values-not-met-say-nothing"):
        others = {"in": parts[1 - named]}
    yield Question({"kind": "subset", "attribute": name}, [{"in": parts[named]}, others], [], []), [named, 1 - named]


def belongs(known: Known, name: str, value: str) -> int:
    """The branch that most rows of a value take; of as many in both the one that more rows take."""
    left, right = both_sides([one for one in known if one[0][name] == value])
    if abs(left - right) < NOISE:
        left, right = both_sides(known)
    return 0 if left > right + NOISE else 1


def purity(asked: Question, known: Known, data: Data) -> float:
    """What a question takes from the Gini value of the classes."""
    classes = data.domains[data.target] or []
    parts = [[row for row, _, _ in known if asked.branch(row) == side] for side in (0, 1)]
    table = [[float(sum(row[data.target] == label for row in part)) for label in classes] for part in parts]
    return formulas.decrease(formulas.gini, table) if classes else 0.0
