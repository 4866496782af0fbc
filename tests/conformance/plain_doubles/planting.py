"""Planting a fault: the learner asks `planted(name)` at the one place where an implementer would have gone wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_planted: list[str] = []
_asked: set[str] = set()


def planted(name: str) -> bool:
    """Whether the fault of this name is planted."""
    _asked.add(name)
    return name in _planted


@contextmanager
def plant(name: str | None) -> Iterator[None]:
    """Plant a fault for a while; None: none."""
    _planted[:] = [] if name is None else [name]
    try:
        yield
    finally:
        _planted.clear()


def asked() -> frozenset[str]:
    """Every name that the learner has asked for since it was imported."""
    return frozenset(_asked)
