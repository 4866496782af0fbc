"""Answers: a file of JSON lines, `{"id": CASE, "answer": {...}}`, read strictly and a line at a time.

A number is a double, and is taken for exactly that double. What cannot be read ends the check with one line that says
where: text that is not UTF-8 or not JSON, a line without an id or with one that no case has, an id that stands twice.
What is *wrong* in an answer does not: NaN, or a number beyond the largest double, spoils its own answer alone.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO

from reference_tree.data.errors import InputError, hint
from reference_tree.exact.rationals import shortened
from reference_tree.tree_document.strict import closed, parsed, text

LONGEST = 1 << 24
"""The largest number of bytes of a line; no golden has a twentieth of it."""


def read_answers(source: str, known: Collection[str]) -> dict[str, Any]:
    """The answers of a file by the ids of their cases.

    Args:
        source: the name of a file, or `-` for standard input.
        known: the ids of all cases.

    Raises:
        InputError: the file cannot be read, or is no file of answers.
    """
    if source == "-":
        return _collected(sys.stdin.buffer, "standard input", known)
    try:
        with open(source, "rb") as file:
            return _collected(file, source, known)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=source) from None


def _collected(file: BinaryIO, path: str, known: Collection[str]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    lines: dict[str, int] = {}
    for number, line in _lines(file, path):
        try:
            fields = _fields(line)
            name = text(fields["id"])
            if name not in known:
                raise InputError(f"there is no case {shortened(name)}{hint(name, known)}; golden --list names them")
            if name in answers:
                raise InputError(f"the case {name} was answered in line {lines[name]} already; leave one of them out")
        except InputError as error:
            raise InputError(error.message, path=path, line=number, column=error.column) from None
        except ValueError as error:
            raise InputError(f'{error}; a line is {{"id": CASE, "answer": ...}}', path=path, line=number) from None
        answers[name], lines[name] = fields["answer"], number
    if not answers:
        raise InputError('holds no answers; each is a line, {"id": CASE, "answer": ...}', path=path)
    return answers


def _lines(file: BinaryIO, path: str) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, each with its number."""
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise InputError(f"is longer than {LONGEST} bytes", path=path, line=number)
        if stripped := line.strip():
            yield number, stripped


def _fields(line: bytes) -> Mapping[str, Any]:
    try:
        written = line.decode()
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", column=error.start + 1) from None
    return closed(parsed(written.removeprefix("\ufeff"), "an answer", constant=float), ["id", "answer"])
