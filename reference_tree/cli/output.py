"""Output: printed, or written to a file, so that a failure loses nothing.

A file is written under a temporary name beside its place and moved there once it is whole. What is no ordinary file, a
device or a pipe, is written to and never replaced. A reader of our standard output that has seen enough is no error.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from reference_tree.cli.progress import is_reading, wipe
from reference_tree.data.errors import InputError, in_one_line
from reference_tree.views.names import one_line

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
        text: what there is to say.
        output: the file; none, or `-`: standard output.

    Raises:
        InputError: it cannot be written there.
        BrokenPipeError: nobody reads standard output any more.
    """
    if output in (None, "-"):
        _print(text)
    else:
        deliver_all({output: text})


def deliver_all(texts: Mapping[str, str | bytes]) -> None:
    """Write files, all of them or none: they are moved into place once every one of them is whole.

    Args:
        texts: file → what there is to say, or the bytes of a file that is no text.

    Raises:
        InputError: one cannot be written, or two names are of one file.
    """
    whole: dict[Path, str] = {}
    try:
        for output, text in texts.items():
            written = text.encode() if isinstance(text, str) else text
            with _writing(output):
                target = Path(output)
                if target.exists() and not target.is_file():
                    target.write_bytes(written)
                    continue
                target = target.resolve()  # where a link leads to a file, that file
                if target in whole:
                    raise InputError("is named twice; each file needs a name of its own", path=output)
                handle, whole[target] = tempfile.mkstemp(dir=target.parent, prefix=".reference-tree-")
                with os.fdopen(handle, "wb") as file:
                    file.write(written)
                os.chmod(whole[target], stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask())
        for target in list(whole):
            with _writing(str(target)):
                os.replace(whole[target], target)
                del whole[target]
    finally:
        for temporary in whole.values():
            os.unlink(temporary)


@contextmanager
def _writing(output: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path=output) from None


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
    """Give up what could not be printed: it must not be tried again on the way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


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
    """Forget what was said, and what was not: a command ends."""
    _remarks.clear()


def say_what_is_new() -> None:
    """Say what was kept and is not said yet."""
    for text in [text for text, printed in _remarks.items() if not printed]:
        wipe()
        say(text)
        _remarks[text] = True


def say(text: str) -> None:
    """Say something on standard error."""
    print(f"reference-tree: {in_one_line(text)}", file=sys.stderr)
