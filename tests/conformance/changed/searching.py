"""The search for the smallest table that tells a fault from the right program.

Cases are drawn that are like those of the suite which come by the fault: of the same kind, with tables of a few rows,
and with some other values of options. A case tells a fault if the check finds nothing in what the learner answers, and
a mistake once the fault is planted. The first that does is shrunk, as a finding of `fuzz` is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from reference_tree.chance import Chance
from reference_tree.checking.fuzzing import reductions
from reference_tree.checking.kinds import mistakes_of
from reference_tree.conformance.cases import Case, cases
from reference_tree.conformance.generated import TARGET, continuous, drawn_columns
from reference_tree.conformance.goldens import document
from tests.conformance.changed.planting import Key, answer, catalogue, comes_by, planted
from tests.conformance.plain_doubles import answering, table
from tests.conformance.plain_doubles.planting import plant


class Drawn(NamedTuple):
    """A case that was drawn, with what the learner answers and where it comes by."""

    case: Case
    golden: Mapping[str, Any]
    right: str
    lines: Mapping[str, set[int]]


# Draws.


def drawn(of: Case, seed: int, number: int) -> Case:
    """A case like another one."""
    chance = Chance(seed, f"{of.id} {number}".encode())
    if of.kind == "formula":
        return replace(of, id=f"drawn/{seed}-{number}", arguments=tuple(_counts(one, chance) for one in of.arguments))
    whole = of.table()
    kinds = [column.kind for column in whole.schema.attributes]
    classes = 0 if whole.schema.target.kind == "continuous" else 2 + (chance.below(3) == 0)
    columns: dict[str, Any] = {
        "rows": 2 + chance.below(4 + chance.below(10)),
        "categories": [2 + chance.below(3) for _ in range(_few(chance))] if "categorical" in kinds else [],
        "numbers": [2 + chance.below(9) for _ in range(chance.below(3))] if "continuous" in kinds else [],
        "classes": classes,
        "gaps": 3 + chance.below(6) if "?" in str(of.data) or chance.below(4) == 0 else 0,
    }
    if not columns["categories"] and not columns["numbers"]:
        columns["categories" if "categorical" in kinds else "numbers"] = [3]
    own = int.from_bytes(f"{of.id} {seed} {number}".encode(), "big")
    data = drawn_columns(own, **columns)
    more: dict[str, Any] = {}
    if chance.below(3) == 0 or of.weights:
        more["weights"] = tuple(chance.choice(("1", "1", "2", "3", "1/2")) for _ in data[TARGET])
    if of.kind in ("predict", "ensemble"):
        asked = drawn_columns(own + 1, **{**columns, "rows": 3})
        more["ask"] = {name: cells for name, cells in asked.items() if name != TARGET}
    if of.validation:
        more["validation"] = drawn_columns(own + 2, **{**columns, "rows": 2 + chance.below(8)})
        more["validation_weights"] = ()
    return replace(
        of, id=f"drawn/{seed}-{number}", data=data, target=TARGET, without=(), rows=(), printed=(), sources=(), note="",
        continuous=tuple(continuous(data, classes)), listed="all", **{"weights": (), **more},
        learner=None if of.learner is None else _options(of.learner, classes, chance),
        ensemble=None if of.ensemble is None else _options(of.ensemble, classes, chance),
    )  # fmt: skip


def _few(chance: Chance) -> int:
    """A number of columns: up to two, or six now and then."""
    return 6 if chance.below(8) == 0 else chance.below(3)


def _counts(one: Any, chance: Chance) -> Any:
    if isinstance(one, list | tuple):
        size = len(one) + chance.below(3) - 1 if one and not isinstance(one[0], list | tuple) else len(one)
        return [_counts(one[min(place, len(one) - 1)], chance) for place in range(max(1, size))]
    return str(chance.below(6)) if isinstance(one, str) else one


def _options(given: Mapping[str, Any], classes: int, chance: Chance) -> dict[str, Any]:
    """Options like those of a case, some with values that another case has."""
    options = {name: value for name, value in given.items() if name not in ("ties", "cuts")}
    told = [one for each in cases().values() for one in (each.learner, each.ensemble) if one is not None]
    others = [one for one in told if one["name"] == given["name"]]
    for name in sorted({name for one in others for name in one} - {"name", "ties", "cuts", "profile", "base"}):
        pool = list(dict.fromkeys(str(one[name]) for one in others if isinstance(one.get(name), str)))
        whole = list(dict.fromkeys(one[name] for one in others if type(one.get(name)) in (int, bool)))
        if (pool or whole) and chance.below(8) == 0:
            options[name] = chance.choice([*pool, *whole])
    names = "pqr"[:classes]
    if "priors" in options:
        shares = [1 + chance.below(3) for _ in names]
        options["priors"] = {one: f"{n}/{sum(shares)}" for one, n in zip(names, shares, strict=True)}
    if "loss" in options:
        options["loss"] = {one: {other: str(1 + chance.below(4)) for other in names if other != one} for one in names}
    return options


# What tells a fault.


def made(case: Case) -> Drawn | None:
    """A case with what the learner answers, if it claims the case and is right."""
    try:
        golden = document(case)
        if not answering.claims(golden) or "exact" in golden["needs"]:
            return None
        with plant(None):
            right = answer(golden)
        if right is None or any(True for _ in mistakes_of(case, json.loads(right))):
            return None
        return Drawn(case, golden, right, comes_by(golden))
    except Exception:  # whatever is refused: options that exclude each other, tables that no learner takes
        return None


def tells(one: Drawn, key: Key) -> bool:
    """Whether a case tells a fault from the right program."""
    lines = catalogue()[key].lines
    if not any(line in one.lines[key.module] for line in lines):
        return False
    with planted(key):
        came = answer(one.golden)
    if came is None or came == one.right:
        return came is None
    try:
        return any(True for _ in mistakes_of(one.case, json.loads(came)))
    except (ValueError, TypeError, ArithmeticError, LookupError):
        return True


def shrunk(one: Drawn, key: Key) -> Drawn:
    """The smallest case found that still tells a fault."""
    smaller: Drawn | None = one
    while smaller is not None:
        one, smaller = smaller, None
        if isinstance(one.case.data, Mapping) and one.case.kind != "formula":
            found = (made(case) for case in reductions(one.case) if len(case.data) > 1)
            smaller = next((other for other in found if other is not None and tells(other, key)), None)
    return one


@cache
def pool(kind: str, seed: int, size: int) -> Sequence[Drawn]:
    """Cases of a kind that are drawn, those of the shortest goldens first."""
    like = [cases()[name] for name in table.measured() if cases()[name].kind == kind]
    found = (made(drawn(like[number % len(like)], seed, number)) for number in range(size))
    return sorted((one for one in found if one is not None), key=lambda one: len(json.dumps(one.golden)))


KINDS = ("split", "tree", "predict", "prune", "ensemble", "rounds", "formula")
"""The kinds of case that are drawn, in this order; the tier of formulas is to stay small."""


def found(keys: Iterable[Key], seed: int, size: int) -> Iterator[tuple[Key, Case | None]]:
    """Each fault, with the smallest case that tells it; None if none of the draws does.

    Args:
        keys: the faults.
        seed: of the draws.
        size: the number of draws of each kind.
    """
    before: list[Drawn] = []
    for key in keys:
        known = next((one for one in before if tells(one, key)), None)
        first = known or next((one for kind in KINDS for one in pool(kind, seed, size) if tells(one, key)), None)
        if first is not None and known is None:
            first = shrunk(first, key)
            before.append(first)
        yield key, None if first is None else first.case
