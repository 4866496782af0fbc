"""Progress: the present step of a command, and how far it has come.

A loop reports its steps with `show` and `show_step`; on a terminal they are written on standard error, and wiped in the
end. From the second second on, the line is renewed every second with the time that has passed, whatever the command
does. A command that is interrupted says how far it came.

No clock is read: the operating system sends a signal every second, and the signals are counted. Where there are none
(on Windows, and outside the main thread), the steps alone are shown.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from reference_tree.views.wording import one_line

Item = TypeVar("Item")

_STEP = 500
"""The number of nodes after which the count on the terminal moves on."""
_PATIENCE = 2
"""The seconds after which a command is shown that reports no step."""


@dataclass
class _Progress:
    """How far a command has come."""

    command: str = ""
    step: str = ""
    seconds: int = 0
    is_reading: bool = False
    after_reading: Callable[[], None] = lambda: None

    def __str__(self) -> str:
        what = self.step or self.command
        return what if self.seconds < _PATIENCE else f"{what}, {self.seconds} s"

    def tick(self, *_: object) -> None:
        """Count a second."""
        self.seconds += 1
        if self.seconds >= _PATIENCE and is_watched():
            # by the system call: the signal may arrive while another line is being written
            os.write(sys.stderr.fileno(), f"\r{self}\x1b[K".encode(errors="backslashreplace"))


_progress = _Progress()


@contextmanager
def running(command: str, after_reading: Callable[[], None]) -> Iterator[None]:
    """Count the seconds of a command while it runs.

    Args:
        command: the words for it while no step is reported, as `grow iris.csv`.
        after_reading: called when a file is read: it prints the remarks, which may be a reason to stop.
    """
    _progress.__init__(one_line(command), after_reading=after_reading)  # type: ignore[misc]
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    former: Any = signal.signal(signal.SIGALRM, _progress.tick)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def how_far() -> str:
    """The step of an interrupted command, and its duration; empty if none has begun."""
    if not _progress.command:
        return ""
    step = f": {_progress.step}" if _progress.step else ""
    return f"{_progress.command}{step}, after {_progress.seconds} s"


def show(nodes: int) -> None:
    """Show how many nodes there are."""
    _progress.step = f"{nodes} nodes"
    if nodes % _STEP == 0:
        _show(_progress.step)


@contextmanager
def ending_after(seconds: float | None) -> Iterator[Callable[[], bool]]:
    """Whether this many seconds are over; None for no limit."""
    over = threading.Event()
    timer = threading.Timer(threading.TIMEOUT_MAX if seconds is None else seconds, over.set)
    timer.daemon = True
    timer.start()
    try:
        yield over.is_set
    finally:
        timer.cancel()


def show_tries(tries: int) -> None:
    """Show how many smaller tables were tried."""
    _show(f"{tries} smaller tables tried")


def show_step(done: int, of: int, what: str = "tree") -> None:
    """Show that one more tree of this number is being grown."""
    _show(f"{what} {done} of {of}")


def _show(step: str) -> None:
    _progress.step = step
    if is_watched():
        print(f"\r{_progress}", end="", file=sys.stderr, flush=True)


def watched(items: Iterable[Item], counts: type[object]) -> Iterator[Item]:
    """The same items; each of a certain kind is shown as one more node, and the count is wiped in the end."""
    nodes = 0
    for item in items:
        if isinstance(item, counts):
            nodes += 1
            show(nodes)
        yield item
    wipe()


@contextmanager
def reading(source: str) -> Iterator[None]:
    """Show the name of a file while it is read; then remarks on it are said."""
    _progress.is_reading = True
    _progress.step = f"reading {one_line(source)}"
    if is_watched():
        print(f"\r{_progress}", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        _progress.is_reading = False
        wipe()
    _progress.after_reading()


def is_reading() -> bool:
    """Whether a file is being read."""
    return _progress.is_reading


def wipe() -> None:
    """Remove the progress. The step is over, unless an exception ends it: then `how_far` names it."""
    if sys.exception() is None:
        _progress.step = ""
    if is_watched():
        print("\r\x1b[K", end="", file=sys.stderr)


def is_watched() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()
