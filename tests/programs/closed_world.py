"""A walk over the members of a file: each is removed, renamed, changed, and a member is added beside it.

`mutants` changes a value of JSON, `mutants_of_lines` a text of lines `key=value`; other forms yield `Mutant`s of their
own. `judged` says what a reader makes of a mutant: it refuses it, reads another document, or the same. The same is
right only if the member is listed as without effect, or if `excused` says why; everything else is silent.
"""

from __future__ import annotations

import copy
import faulthandler
import multiprocessing
import os
import re
import resource
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.programs.inventory import Inventory
from reference_tree.programs.reading import read_foreign

HOW = ("removed", "renamed", "changed", "added")
OUTCOMES = ("used", "no effect", "excused", "refused", "silent")


class Mutant(NamedTuple):
    """A file with one change."""

    path: tuple[str, ...]
    """The names of the objects around the member, and its own; lists are left out."""
    how: str
    """`removed`, `renamed`, `changed` or `added`."""
    value: Any
    """The changed file, as the reader takes it."""


def mutants(value: Any) -> Iterator[Mutant]:
    """A value of JSON with one member changed; of objects that stand at one place, the first that has the member."""
    seen: set[tuple[str, ...]] = set()
    for place, path in _places(value, (), ()):
        if path in seen:
            continue
        seen.add(path)
        for how in HOW if path[-1] != ADDED else HOW[-1:]:
            found = copy.deepcopy(value)
            inner = found
            for step in place[:-1]:
                inner = inner[step]
            if _apply(inner, place[-1], how):
                yield Mutant(path, how, found)


ADDED = "a_new_member"


def _places(
    value: Any, place: tuple[Any, ...], path: tuple[str, ...]
) -> Iterator[tuple[tuple[Any, ...], tuple[str, ...]]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield (*place, name), (*path, name)
            yield from _places(inner, (*place, name), (*path, name))
        yield (*place, ADDED), (*path, ADDED)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _places(inner, (*place, number), path)


def _apply(inner: dict[str, Any], name: str, how: str) -> bool:
    """Change a member; whether it could be changed."""
    if how == "added":
        inner[ADDED] = 1
        return name == ADDED
    value = inner.pop(name)
    if how == "renamed":
        inner[f"{name}_"] = value
    elif how == "changed":
        inner[name] = changed(value)
        return bool(inner[name] != value)
    return True


def changed(value: Any) -> Any:
    """Another value of the same kind; an object stays as it is, since its members are changed."""
    if isinstance(value, dict) or value is None:
        return value if isinstance(value, dict) else 1
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return changed_text(value)
    if value and isinstance(value[0], dict):
        return value[:-1]
    return [changed(value[0]), *value[1:]] if value else [1]


def changed_text(text: str) -> str:
    """A text with its first number one larger; with a letter more if it has none."""
    number = re.search(r"-?\d+(\.\d+)?(E-?\d+)?", text)
    if number is None:
        return f"{text}x"
    more = str(int(number[0]) + 1) if number[0].lstrip("-").isdigit() else repr(float(number[0]) + 1)
    return text[: number.start()] + more + text[number.end() :]


def mutants_of_lines(text: str) -> Iterator[Mutant]:
    """A text of blocks of lines `key=value`, and of parameters `[key: value]`, with one line changed."""
    lines, block, seen = text.split("\n"), "head", set[tuple[str, ...]]()
    for number, line in enumerate(lines):
        block = "tree" if line.startswith("Tree=") else "tail" if line == "end of trees" else block
        found = re.fullmatch(r"\[(.*?): (.*)\]|(\w+)=(.*)", line)
        if found is None or line.startswith("Tree="):
            continue
        is_parameter = found[1] is not None
        key, value = (found[1], found[2]) if is_parameter else (found[3], found[4])
        path = ("parameters" if is_parameter else block, key)
        if path in seen:
            continue
        seen.add(path)

        def written(key: str, value: str, is_parameter: bool = is_parameter) -> str:
            return f"[{key}: {value}]" if is_parameter else f"{key}={value}"

        for how, instead in (
            ("removed", []),
            ("renamed", [written(f"{key}_", value)]),
            ("changed", [written(key, changed_text(value))]),
            ("added", [line, written(f"{key}_more", "1")]),
        ):
            yield Mutant(
                path if how != "added" else (path[0], ADDED),
                how,
                "\n".join([*lines[:number], *instead, *lines[number + 1 :]]),
            )


def effect(inventory: Inventory, path: Sequence[str]) -> str | None:
    """What an inventory says of a member: `used`, `no effect`, or None if it is not known.

    Below what it does not walk into it says of all members what it says of the object around.
    """
    for place, name in enumerate(path):
        if name in inventory.no_effect or name in inventory.at:
            return "no effect"
        if name not in inventory.used:
            return None
        inner = inventory.used[name]
        if inner is None:
            return "used"
        if place + 1 < len(path):
            inventory = inner
    return "used"


def documents(value: Any) -> Any:
    """What is read of a file; None if it is refused, in one line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return read_foreign(value)
        except InputError as error:
            if "\n" in str(error):
                raise AssertionError("a refusal is one line") from error
            return None


def judged(mutant: Mutant, plain: Any, says: Callable[[Sequence[str]], str | None], excused: Mapping[str, str]) -> str:
    """What becomes of a mutant.

    Args:
        mutant: the changed file.
        plain: the documents of the file as it was.
        says: what the inventories say of a member, by its path.
        excused: what may be without effect though it is used, each with its reason: `removed learner.feature_types`.
    """
    found = documents(mutant.value)
    if found is None:
        return "refused"
    if found != plain:
        return "used"
    if says(mutant.path) == "no effect":
        return "no effect"
    return "excused" if any(re.fullmatch(one, f"{mutant.how} {'.'.join(mutant.path)}") for one in excused) else "silent"


CHILDREN = multiprocessing.get_context("forkserver")
"""A fork of this process would wait for ever for the threads that a program has started here."""

CHILDREN.set_forkserver_preload(["xgboost", "lightgbm", "tests.programs.test_closed_world"])
MOST_SECONDS = 120


def in_a_child(run: Callable[[], Any]) -> Any:
    """What a function gives in a process of its own: a changed file may end the program that reads it.

    None if it raises an exception, `ended` if its process ends before it gives anything, or does not end.
    """
    reads, writes = CHILDREN.Pipe(duplex=False)
    child = CHILDREN.Process(target=_in_here, args=(run, writes))
    child.start()
    writes.close()
    try:
        return reads.recv() if reads.poll(MOST_SECONDS) else "ended"
    except EOFError:
        return "ended"
    finally:
        reads.close()
        child.kill()
        child.join()


def _in_here(run: Callable[[], Any], writes: Connection) -> None:
    faulthandler.disable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        given = run()
    except BaseException:
        given = None
    writes.send(given)


class Row(NamedTuple):
    """The row of a table: a format, how many files and members were tried, and what became of the mutants."""

    form: str
    files: int
    members: int
    outcomes: Counter[str]

    def __str__(self) -> str:
        """The row in Markdown."""
        return " | ".join(
            ["", self.form, str(self.files), str(self.members), *(str(self.outcomes[one]) for one in OUTCOMES), ""]
        ).strip()


def table(rows: Sequence[Row]) -> str:
    """A table of rows in Markdown."""
    head = ("format", "files", "members", *OUTCOMES)
    return "\n".join([f"| {' | '.join(head)} |", f"|:--|{'--:|' * (len(head) - 1)}", *map(str, rows)])
