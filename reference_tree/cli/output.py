"""Output: printed, or written to a file, so that a failure loses nothing (`reference_tree.tree_document.files`).

A reader of our standard output that has seen enough is no error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from reference_tree.cli.progress import is_reading, wipe
from reference_tree.data.errors import InputError, in_one_line
from reference_tree.tree_document.files import deliver_all
from reference_tree.views.wording import one_line

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
