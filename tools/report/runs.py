"""A tree that a program grew, its rows, and what `reference-tree audit` finds in it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import reference_tree as rt
from reference_tree.cli import main
from reference_tree.data.writers import to_arff
from reference_tree.exact.rounding import significant
from tests.peers.data_sets import FOLDER, DataSet, data_set, read
from tests.peers.sources import arff

ROOT = Path(__file__).parents[2]
BUILD = Path("build/report")
"""Where the trees and the rows are written, from the root of the project."""
TEXTBOOK = ("watermelon-3.0", "loan", "play-tennis")
"""Tables of the package itself."""
GAPS = "wine-with-gaps"
"""The wines without every tenth cell."""
RIGHT = ("optimal", "optimal-tied")


@dataclass(frozen=True)
class Run:
    """A tree, its rows, and how it is audited.

    Args:
        program: who grew it.
        version: of the program.
        setting: what the program was told.
        tree: the file, from the root of the project.
        rows: likewise.
        options: of `reference-tree audit`.
    """

    program: str
    version: str
    setting: str
    tree: Path
    rows: Path
    options: Sequence[str]

    @property
    def data(self) -> str:
        """The name of the table."""
        return self.rows.stem

    @property
    def arguments(self) -> list[str]:
        """Those of the command that audits it."""
        return ["audit", self.tree.as_posix(), self.rows.as_posix(), *self.options]


@dataclass(frozen=True)
class Audited:
    """What an audit found in the tree of a run.

    Args:
        run: whose tree.
        counts: how many nodes there are of each verdict; those that are excused, under `excused`.
        rules: how many nodes break each rule, by their first fault; what follows from a node above is left out.
        first: what is said of the first cause; nothing where all is right.
        command: that repeats it.
        refused: why there is no audit; nothing where there is one.
    """

    run: Run
    counts: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, int] = field(default_factory=dict)
    first: str = ""
    command: str = ""
    refused: str = ""

    @property
    def nodes(self) -> int:
        """How many were judged."""
        return sum(self.counts.values())

    @property
    def wrong(self) -> int:
        """How many are wrong and not excused."""
        return sum(n for verdict, n in self.counts.items() if verdict not in (*RIGHT, "excused"))


def audited(run: Run) -> Audited:
    """What `reference-tree audit` says of a run."""
    out, said = io.StringIO(), io.StringIO()
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        status = main([*run.arguments, "--format", "jsonl"])
    command = shlex.join(["reference-tree", *run.arguments])
    if status == 2:
        return Audited(run, refused=said.getvalue().strip().splitlines()[-1], command=command)
    found = [json.loads(line) for line in out.getvalue().splitlines()]
    counts = Counter("excused" if one["status"] == "excused" else one["verdict"] for one in found)
    wrong = [one for one in found if one["status"] == "failed"]
    rules = Counter(one["faults"][0]["rule"] for one in wrong if "cause" not in one)
    if not wrong:
        return Audited(run, counts, command=command)
    first = wrong[0]
    rows = significant(Fraction(first["rows"]), 6)
    place = f"{first['id']}, where {rows} rows arrive and `{first['said']}` stands"
    return Audited(run, counts, rules, f"{place}: {first['message']}", f"{command} --node {first['node']}")


# The rows.


def rows_of(name: str) -> Path:
    """The file of a table, from the root of the project; one of the package is written first."""
    if (FOLDER / f"{name}.arff").exists():
        return (FOLDER / f"{name}.arff").relative_to(ROOT)
    if name == GAPS:
        whole = data_set("wine")
        width = len(whole.attributes)
        rows = [
            (*(None if (row * width + place) % 10 == 9 else cell for place, cell in enumerate(cells[:-1])), cells[-1])
            for row, cells in enumerate(whole.rows)
        ]
        return written(f"{name}.arff", _arff(whole, rows))
    return written(f"{name}.arff", to_arff(rt.textbook(name)))


def _arff(data: DataSet, rows: Sequence[tuple[str | None, ...]]) -> str:
    return arff(data.name, (*data.attributes, data.target), rows)


@cache
def table(name: str) -> DataSet:
    """The rows of a table as programs are given them."""
    return read(ROOT / rows_of(name))


def answered(name: str) -> Path:
    """The file of a table without the rows of which nothing but the target is known."""
    data = table(name)
    rows = [row for row in data.rows if any(cell is not None for cell in row[:-1])]
    return rows_of(name) if len(rows) == len(data.rows) else written(f"{name}-answered.arff", _arff(data, rows))


def written(name: str, text: str) -> Path:
    """A file of `build/report`, from the root of the project. A reader never meets half of it."""
    path = BUILD / name
    (ROOT / BUILD).mkdir(parents=True, exist_ok=True)
    draft = ROOT / BUILD / f"{name}.new"
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, ROOT / path)
    return path


def documents_written(name: str, documents: Sequence[Mapping[str, Any]]) -> Iterator[Path]:
    """Tree documents as files; of several, each with its number."""
    for number, document in enumerate(documents, start=1):
        beside = "" if len(documents) == 1 else f"-{number}"
        yield written(f"{name}{beside}.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
