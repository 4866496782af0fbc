"""Planting a change: the functions of the learner get the code of the changed module, for a while.

A changed program may not end, or may end in an error. It has a limit of CPU time, far above what any case takes, and
of memory; a program that exceeds it, or ends in an error, gives `None` in place of an answer.
"""

from __future__ import annotations

import gc
import json
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

from tests.conformance.changed.operators import Change, bare, changes
from tests.conformance.plain_doubles import answering

HERE = Path(answering.__file__).parent
LEARNER = ("bagging", "boosting", "drawing", "estimating", "formulas", "gradients", "growing", "pre_pruning",
           "predicting", "programs", "pruning", "rows", "searching", "slanted", "standing_in", "trees")  # fmt: skip
"""The modules of the learner; the others read prompts, plant faults by name, and write pages."""

SECONDS = 1.0
"""Of CPU for an answer; the slowest takes a tenth of a second."""


class Key(NamedTuple):
    """What names a fault, wherever its line stands."""

    module: str
    change: str


@cache
def catalogue() -> Mapping[Key, Change]:
    """All faults by rule."""
    found: dict[Key, Change] = {}
    for name in LEARNER:
        path = HERE / f"{name}.py"
        module = bare(path.read_text(encoding="utf-8"))
        found |= {Key(name, one.key): one for one in changes(module, str(path))}
    return found


@cache
def _functions(module: str) -> Mapping[tuple[str, int], list[FunctionType]]:
    """All functions that were written in a module, wherever they are kept."""
    found: dict[tuple[str, int], list[FunctionType]] = {}
    path = str(HERE / f"{module}.py")
    gc.unfreeze()
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename == path:
            found.setdefault((one.__code__.co_qualname, one.__code__.co_firstlineno), []).append(one)
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


@contextmanager
def planted(key: Key) -> Iterator[None]:
    """The functions of the learner are those with this fault for a while."""
    change = catalogue()[key]
    defaults = _defaults(key) if change.of_default else {}
    before: list[tuple[FunctionType, CodeType, Any]] = []
    try:
        for code in _codes(change.code()):
            for function in _functions(key.module).get((code.co_qualname, code.co_firstlineno), ()):
                free = function.__code__.co_freevars
                if len(code.co_freevars) in (0, len(free)):  # what no longer calls `super()` still has its cell
                    before.append((function, function.__code__, function.__defaults__))
                    function.__code__ = code if code.co_freevars else code.replace(co_freevars=free)
                    function.__defaults__ = defaults.get(code.co_qualname, function.__defaults__)
        yield
    finally:
        for function, code, own in before:
            function.__code__, function.__defaults__ = code, own


def _defaults(key: Key) -> Mapping[str, tuple[Any, ...]]:
    """The defaults of the arguments of a function with a fault in them."""
    names: dict[str, Any] = {"__name__": f"{answering.__package__}.{key.module}"}
    exec(catalogue()[key].code(), names)
    name = catalogue()[key].function
    found = names[name.partition(".")[0]]
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return {name: found.__defaults__}


class EndlessError(Exception):
    """A program that does not end."""


def _interrupt(_: int, __: FrameType | None) -> None:
    raise EndlessError


def answer(golden: Mapping[str, Any]) -> str | None:
    """The answer of the learner as it is now, as JSON; None if it ends in an error or not at all."""
    before = signal.signal(signal.SIGVTALRM, _interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return json.dumps(answering.answer(golden))
    except (Exception, RecursionError):
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# Where a case comes by.


def comes_by(golden: Mapping[str, Any]) -> Mapping[str, set[int]]:
    """The lines of the learner that a case comes by, by module."""
    found: dict[str, set[int]] = {str(HERE / f"{name}.py"): set() for name in LEARNER}

    def enter(frame: FrameType, event: str, _: Any) -> Any:
        lines = found.get(frame.f_code.co_filename)
        if lines is None:
            return None
        lines.add(frame.f_lineno)

        def step(frame: FrameType, event: str, _: Any) -> Any:
            assert lines is not None
            lines.add(frame.f_lineno)
            return step

        return step

    sys.settrace(enter)
    try:
        answering.answer(golden)
    finally:
        sys.settrace(None)
    return {Path(path).stem: lines for path, lines in found.items()}
