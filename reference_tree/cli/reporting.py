r"""The command `bug`, which writes the report of a mistake: a command, its output, and the smallest table for it.

1. The files of the command are copied to an empty folder under plain names, and the command runs there. So a report has
   no path, and no file is written over.
2. `said_alike` is the part that the result shares with others: the line of an error without its numbers and names; the
   place of a traceback. A wrong node of an audit is reduced by `reference_tree.auditing.reducing`.
3. Lines, and then columns, of a table in text are left out as long as the command ends alike.
4. `report_of` writes it down with the versions.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import os
import platform
import re
import shlex
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import reference_tree
from reference_tree.auditing.reducing import left_out, smallest
from reference_tree.cli.options import seconds
from reference_tree.cli.output import deliver, ending_after, remark, show_tries, wipe
from reference_tree.data.errors import InputError
from reference_tree.data.readers.c45_files import beside
from reference_tree.data.readers.text import decode
from reference_tree.data.writers import csv_text

SECONDS = 60
"""How long a table is reduced, if nothing else is said."""

TABLES = (".csv", ".tsv", ".tab", ".psv", ".txt", ".data", ".dat", ".arff", ".jsonl")
"""The endings of tables in text, whose lines can be left out."""

TO = ("-o", "--output", "--to", "--reduce", "--archive")
"""The options that name an output."""

_SEPARATORS = {".csv": ",;\t|", ".tsv": "\t", ".tab": "\t", ".psv": "|", ".txt": ",;\t|"}
_NO_TEXT = (
    "(It is no text. `reference-tree data FILE -o rows.csv` writes its rows as text; report the command with these.)"
)
_PACKED = (".gz", ".bz2", ".xz", ".zip")
_MOST_LINES = 60
"""The most lines of a table, or of an output, in a report."""


class Ran(NamedTuple):
    """The result of a command."""

    status: int
    text: str
    """Its output, standard error last; or its traceback."""
    alike: str
    """The part that it shares with other commands of the same fault; empty if it did not go wrong."""


def add_reporting(command: argparse.ArgumentParser) -> None:
    """The options of `bug`."""
    what = "the command that goes wrong, as in: bug -- grow rows.csv --learner c45"
    command.add_argument("words", metavar="COMMAND", nargs="+", help=what)
    what = f"reduce the table no longer than this (default: {SECONDS})"
    command.add_argument("--seconds", metavar="S", type=seconds, default=SECONDS, help=what)


def run_bug(options: argparse.Namespace) -> None:
    """`bug -- COMMAND`: write a report of a fault, with the smallest table that shows it."""
    words = list(options.words)
    words = (
        words[1:] if words[0] == "reference-tree" else words[3:] if words[1:3] == ["-m", "reference_tree"] else words
    )
    if not words or words[0] == "bug":
        raise InputError("there is no command to report; write it behind --, as in: bug -- grow rows.csv")
    with tempfile.TemporaryDirectory() as folder:
        plain, files = with_plain_names(words, Path(folder))
        with contextlib.chdir(folder), ending_after(options.seconds) as is_over:
            before = {name: _lines(Path(name)) for name in files}
            ran = run(options.main, plain)
            if not ran.alike:
                remark("the command ends without an error; say in the report what you expect instead")
            elif plain[0] == "audit" and ran.status == 1 and "--reduce" not in plain:
                plain, files, ran = _audit_reduced(options.main, plain, files, ran)
            else:
                for name in files:
                    ran = _with_fewer_lines(options.main, name, plain, ran, is_over)
            wipe()
            text = report_of(plain, ran, {name: (_lines(Path(name)), before.get(name, [])) for name in files})
    if files:
        remark("the report holds rows of your table; read it before you send it")
    home = os.path.expanduser("~")
    deliver(text.replace(home, "~") if home.strip("/") else text, options.output)  # in a container it may be /


def with_plain_names(words: Sequence[str], folder: Path) -> tuple[list[str], list[str]]:
    """The words with the names of copies of their files in a folder; and these names.

    Raises:
        InputError: the rows come from standard input, or from a database that is reached by an address.
    """
    plain, files = list[str](), dict[str, str]()
    for place, word in enumerate(words):
        flag, sign, value = word.partition("=") if word.startswith("--") else ("", "", word)
        if value == "-" or "://" in value:
            raise InputError(f"{'-' if value == '-' else 'an address'} cannot be reported; write the rows to a file")
        path = Path(value)
        if value and path.is_file() and not (place and words[place - 1] in TO) and flag not in TO:
            if value not in files:
                stem = "tree" if _ending(path) == ".json" else "table"
                while stem in {name.partition(".")[0] for name in files.values()}:
                    stem = f"other-{stem}"
                for one in _with_its_pair(path):
                    files[value if one is path else str(one)] = name = f"{stem}{_ending(one)}"
                    (folder / name).write_bytes(one.read_bytes())
            value = files[value]
        elif re.search(r"[\\/]", value) and not _is_path_of_node(value):
            value = path.name
        plain.append(f"{flag}{sign}{value}")
    return plain, list(files.values())


def _ending(path: Path) -> str:
    return "".join(path.suffixes[-2 if path.suffix.lower() in _PACKED else -1 :]).lower()


def _with_its_pair(path: Path) -> list[Path]:
    """A file, and the one that is read with it: a file `.names` declares the columns of one `.data`."""
    other = beside(path)
    return [path, other] if _ending(path).startswith((".names", ".data")) and other.is_file() else [path]


def _is_path_of_node(word: str) -> bool:
    """Whether a word with a slash may be the path of a node: no folder of it is there."""
    path = Path(word)
    return word.startswith("/") and not (len(path.parts) > 2 and path.parent.exists())


Main = Callable[[Sequence[str]], int]
"""The command line: words → the exit status."""


def run(main: Main, words: Sequence[str]) -> Ran:
    """The result of a command."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(words)
    except SystemExit as stopped:
        status = stopped.code if isinstance(stopped.code, int) else 1
    except Exception as error:
        text = _traceback(error)
        return Ran(1, out.getvalue() + text, f"{type(error).__name__} {text.splitlines()[-2].partition(':')[2]}")
    text = out.getvalue() + err.getvalue()
    last = (err.getvalue().splitlines() or [""])[-1]
    return Ran(status, text, {0: "", 1: "a finding"}.get(status, said_alike(last)))


def said_alike(line: str) -> str:
    """A line without its numbers, its quoted words, and the place behind a colon.

    Example:
        >>> said_alike("reference-tree: table.csv, line 3, column x: 'a' is not a number")
        'is not a number'
    """
    return re.sub(r"'[^']*'|[0-9]+", "", line.rpartition(": ")[2]).strip()


def _traceback(error: Exception) -> str:
    """A traceback whose files are named within the package, those outside by their last name alone."""
    root = str(Path(reference_tree.__file__).parents[1])
    lines = ["Traceback (most recent call last):"]
    for frame in traceback.extract_tb(error.__traceback__)[1:]:
        name = frame.filename
        name = Path(name).relative_to(root).as_posix() if name.startswith(root) else Path(name).name
        lines.append(f"  {name}, line {frame.lineno}: in {frame.name}: {frame.line}")
    return "\n".join([*lines, *traceback.format_exception_only(error)])


# The smallest table.


class _SmallerTable(NamedTuple):
    lines: Sequence[str]
    step: int
    start: int = 0


def _with_fewer_lines(main: Main, name: str, words: Sequence[str], ran: Ran, is_over: Callable[[], bool]) -> Ran:
    """Write a table back with as few lines and columns as show the fault; the result of the command then."""
    path = Path(name)
    if path.suffix not in TABLES or not (lines := _lines(path)):
        return ran
    last, tries = ran, 0

    def first(candidates: Iterable[_SmallerTable]) -> _SmallerTable | None:
        nonlocal last, tries
        for left in candidates:
            if is_over():
                return None
            tries += 1
            show_tries(tries)
            _write(path, left.lines)
            if (found := run(main, words)).alike == ran.alike:
                last = found
                return left
        return None

    left = smallest(
        _SmallerTable(lines, len(lines) // 2), lambda one: _smaller(one, _SEPARATORS.get(path.suffix, "")), first
    )
    _write(path, left.lines)
    return last


def _smaller(left: _SmallerTable, separators: str) -> Iterator[_SmallerTable]:
    """A step smaller: without a run of lines, except the first line; then without a column."""
    head, rows = left.lines[:1], left.lines[1:]
    for run in left_out(len(rows), min(left.step, len(rows)), min(left.start, len(rows))):
        yield _SmallerTable([*head, *rows[: run.start], *rows[run.start + run.step :]], run.step, run.start)
    for separator in separators:
        cells = list(csv.reader(left.lines, delimiter=separator))
        if len({len(row) for row in cells}) == 1 and len(cells[0]) > 1:
            for place in range(len(cells[0])):
                names, *rest = [[*row[:place], *row[place + 1 :]] for row in cells]
                yield left._replace(lines=csv_text(names, rest, separator).splitlines(keepends=True))
            return


def _lines(path: Path) -> list[str]:
    """The lines of a file of text; none of another one. Bytes that are not UTF-8 stay as they are."""
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    return [] if "\0" in text else text.splitlines(keepends=True)


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")


def _readable(lines: Sequence[str], name: str) -> list[str]:
    """Lines as characters; none if their bytes are those of no text."""
    with warnings.catch_warnings(), contextlib.suppress(InputError):
        warnings.simplefilter("ignore")
        content = "".join(lines).encode("utf-8", "surrogateescape")
        return decode(content, name).splitlines() if content.strip() else []
    return []


def _audit_reduced(main: Main, words: list[str], files: list[str], ran: Ran) -> tuple[list[str], list[str], Ran]:
    """The audit of the smallest rows on which the first wrong node is wrong, if its tree can be reduced."""
    smaller = run(main, [*words, "--reduce", "."])
    again = re.search(r"^  again: reference-tree (.*)$", smaller.text, re.MULTILINE)
    if smaller.status != 1 or again is None:
        return words, files, ran
    words = shlex.split(again[1])
    return words, words[1:3], run(main, words)


# The report.


def report_of(words: Sequence[str], ran: Ran, files: dict[str, tuple[list[str], list[str]]]) -> str:
    """The report, as Markdown.

    Args:
        words: the command.
        ran: its result.
        files: name → the lines of the file, and those that it had.
    """
    expected = "(What you expect instead, and why: the passage of a book, another program, or the arithmetic.)"
    command = _fenced(f"$ reference-tree {shlex.join(words)}", "text")
    printed = _fenced(_cut(ran.text.splitlines()), "text")
    parts = [
        f"### What is wrong\n\n{expected}",
        f"### The command\n\n{command}\n\nExit status {ran.status}:\n\n{printed}",
    ]
    for name, (left, before) in files.items():
        lines = _readable(left, name)
        of = f" of {len(before)}" if len(lines) < len(before) else ""
        told = f"### {name}, {len(lines)}{of} lines"
        kind = Path(name).suffix[1:]
        parts.append(
            f"{told}\n\n{_fenced(_cut([line.rstrip() for line in lines]), kind)}"
            if lines
            else f"### {name}\n\n{_NO_TEXT}"
        )
    python = f"{platform.python_implementation()} {platform.python_version()}"
    versions = {
        "reference_tree": reference_tree.__version__,
        "Python": python,
        "system": f"{platform.system()} {platform.machine()}",
        "encoding": sys.getfilesystemencoding(),
    }
    rows = [f"| {name} | {version} |" for name, version in versions.items()]
    parts.append("\n".join(["### Versions\n", "| of | is |", "|:--|:--|", *rows]))
    return "\n\n".join(parts) + "\n"


def _cut(lines: Sequence[str]) -> str:
    more = len(lines) - _MOST_LINES
    return "\n".join([*lines[:_MOST_LINES], *([f"... and {more} more lines"] if more > 0 else [])])


def _fenced(text: str, kind: str) -> str:
    """A block of code, with a fence that the text does not hold."""
    fence = "`" * max([3, *(len(found) + 1 for found in re.findall("`{3,}", text))])
    return f"{fence}{kind}\n{text}\n{fence}"


__all__ = ["add_reporting", "report_of", "run_bug", "said_alike", "with_plain_names"]
