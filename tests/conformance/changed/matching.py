"""All faults by rule against all cases: which case notices which fault first, and which faults none notices.

Cases are asked in the order of the bytes of their goldens, so that the case beside a fault is the smallest that notices
it. A case notices a fault if the check finds a mistake in the answer, or if there is none although the case is claimed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Any, NamedTuple

from reference_tree.checking.kinds import mistakes_of
from reference_tree.conformance.cases import cases
from tests.conformance.changed.planting import Key, answer, catalogue, comes_by, planted
from tests.conformance.plain_doubles import table

DRAWN = ("pairs/", "told/")
"""The folders of cases that were drawn, for pairs of options and for faults."""


class Noticed(NamedTuple):
    """How a fault is noticed."""

    case: str
    how: str
    """`mistake`, or `broken`: no answer came."""


@cache
def by_size() -> Sequence[str]:
    """The cases that doubles can pass, the smallest first; those that were drawn for faults come last."""
    sizes = {name: len(json.dumps(table.golden(name))) for name in table.measured()}
    return sorted(sizes, key=lambda name: (name.startswith(DRAWN), sizes[name], name))


@cache
def reached(name: str) -> Mapping[str, Collection[int]]:
    """The lines that a case comes by."""
    return comes_by(table.golden(name))


def coming_by(key: Key) -> Iterator[str]:
    """The cases that come by a fault."""
    lines = catalogue()[key].lines
    return (name for name in by_size() if any(line in reached(name)[key.module] for line in lines))


def notices(name: str, key: Key) -> str | None:
    """How a case notices a fault, if it does."""
    with planted(key):
        came = answer(table.golden(name))
    if came is None:
        return "broken"
    if came == table.plain(name).answer:
        return None
    return "mistake" if _is_wrong(name, came) else None


def _is_wrong(name: str, came: str) -> bool:
    try:
        given: Any = json.loads(came)
        return any(True for _ in mistakes_of(cases()[name], given))
    except (ValueError, TypeError, ArithmeticError, LookupError):
        return True


def first(key: Key) -> Noticed | None:
    """The smallest case that finds a mistake; an error is one that comes in each of the smallest cases."""
    broken = 0
    for name in coming_by(key):
        how = notices(name, key)
        if how == "mistake":
            return Noticed(name, how)
        broken += how == "broken"
        if broken == _BROKEN:
            break
    return Noticed("", "broken") if broken else None


_BROKEN = 3
"""A program that ends in an error in so many cases, and is wrong in none before: its author sees that."""


def all_first(keys: Sequence[Key], jobs: int) -> Iterator[tuple[Key, Noticed | None]]:
    """Each fault, with the case that notices it."""
    for name in by_size():  # before the processes part
        table.plain(name)
        reached(name)
    catalogue()
    with ProcessPoolExecutor(jobs) as pool:
        yield from zip(keys, pool.map(first, keys, chunksize=8), strict=True)
