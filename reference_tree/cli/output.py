"""Output: printed, or written to a file, so that a failure loses nothing; and the progress of a command.

A reader of our standard output that has seen enough is no error. `reference_tree.tree_document.files` writes files.

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from reference_tree.data.errors import InputError, in_one_line
from reference_tree.tree_document.files import deliver_all
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


ENDINGS: Mapping[str, str] = {
    ".txt": "text", ".json": "json", ".dot": "dot", ".gv": "dot", ".mmd": "mermaid", ".svg": "svg", ".md": "markdown",
    ".html": "html", ".htm": "html", ".csv": "csv", ".py": "python", ".sql": "sql", ".pmml": "pmml",
    ".jsonl": "jsonl", ".xml": "junit",
}  # fmt: skip
"""How a file is written whose name ends like this, if no format is given."""

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".pdf", ".eps", ".ps", ".webp")
"""The endings of pictures that are not written."""


def format_for(given: str | None, output: str | None, formats: Sequence[str]) -> str:
    """The format in which a command writes.

    Args:
        given: the format that is named; none: as the file's name ends, or the first one.
        output: the file; none: standard output.
        formats: those that the command has.

    Raises:
        InputError: the file's name ends like none of them, and no format is named.

    Example:
        >>> format_for(None, "tree.svg", ["text", "svg"]), format_for("text", "tree.svg", ["text", "svg"])
        ('svg', 'text')
    """
    end = Path(output or "").suffix.lower()
    found = given or (ENDINGS.get(end) if end else formats[0])
    if found is None or found not in formats:
        ends = ", ".join(one for one in ENDINGS if ENDINGS[one] in formats)
        by_option = f", or say --format {', '.join(formats)}" if len(formats) > 1 else ""
        drawn = "; a drawing is written as .svg, which a browser prints" if end in PICTURES and "svg" in formats else ""
        hint = f"; end the name in {ends}{by_option}{drawn}"
        raise InputError(f"{found or f'{end!r}'} is not written here{hint if ends else ''}", path=output)
    return found


def deliver(text: str, output: str | None) -> None:
    """Print, or write to a file.

    Args:
        text: the message.
        output: the file; none, or `-`: standard output.

    Raises:
        InputError: it cannot be written there.
        BrokenPipeError: nobody reads standard output any more.
    """
    if output in (None, "-"):
        _print(text)
    else:
        deliver_all({output: text})


def make_folder(folder: Path) -> None:
    """Make a folder, if there is none.

    Raises:
        InputError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a folder: {error.strerror}", path=str(folder)) from None


def _print(text: str) -> None:
    """Print, and see at once whether it arrives."""
    if sys.stdout is None:
        raise InputError("there is no standard output; name a file with --output")
    if sys.stdout.isatty():  # which would obey what a name may hold
        text = "".join(map(_harmless, text.splitlines(keepends=True)))
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_output()
        raise InputError(f"cannot be written: {error.strerror}", path="standard output") from None


def _harmless(line: str) -> str:
    """A line without control characters; they are shown as Python writes them."""
    ending = "\n" if line.endswith("\n") else ""
    return one_line(line.removesuffix("\n")) + ending


def forget_output() -> None:
    """Give up the text that could not be printed: it must not be tried again on the way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_remarks: dict[str, bool] = {}
"""The text of a remark → whether it was printed."""


def remark(text: str) -> None:
    """Say something of the input on standard error, once, before the work begins: it may be a reason to stop.

    While a file is being read the remark waits until it is read: if it cannot be, the error is the only line.
    """
    _remarks.setdefault(text, False)
    if not is_reading():
        say_what_is_new()


def forget_remarks() -> None:
    """Forget all remarks, said or not: a command ends."""
    _remarks.clear()


def say_what_is_new() -> None:
    """Say the remarks that were kept and are not said yet."""
    for text in [text for text, printed in _remarks.items() if not printed]:
        wipe()
        say(text)
        _remarks[text] = True


def say(text: str) -> None:
    """Say something on standard error."""
    print(f"reference-tree: {in_one_line(text)}", file=sys.stderr)
