"""Planting a fault: the learner asks `planted(name)` at the one place where an implementer would have gone wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_planted: list[str | None] = [None]
_asked: set[str] = set()


def planted(name: str) -> bool:
    """Whether the fault of this name is planted."""
    _asked.add(name)
    return name == _planted[-1]


@contextmanager
def plant(name: str | None) -> Iterator[set[str]]:
    """Plant a fault for a while; None: none. The names that were asked for meanwhile are collected."""
    _planted.append(name)
    _asked.clear()
    try:
        yield _asked
    finally:
        _planted.pop()
