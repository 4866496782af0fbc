"""Kinds of table that people have, and what the commands say of each when they are told nothing but its name.

`python -m tests.cli.kinds_of_table` writes the record anew, `tests/recorded/kinds-of-table.txt`. For each table it has
the exit status of `grow`, `explain`, `predict`, `score` and `prune`, and all that they print on standard error. The
rows are real, those of `tests/recorded/data`; they are written as people write them.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import reference_tree as rt
from reference_tree.cli import main
from reference_tree.data.writers import WRITERS

RECORD = Path(__file__).parents[1] / "recorded" / "kinds-of-table.txt"
DATA = RECORD.parent / "data"
COMMANDS: Mapping[str, Sequence[str]] = {
    "grow": ("grow", "{table}", "--output", "tree.json"),
    "explain": ("explain", "{table}", "--output", "page.html"),
    "predict": ("predict", "tree.json", "{table}", "--output", "answers.csv"),
    "score": ("score", "{table}", "--output", "score.txt"),
    "prune": ("prune", "tree.json", "{table}", "--output", "pruned.json"),
}
"""What is run, in this order."""

Grid: TypeAlias = list[list[str]]


def rows(name: str, most: int = 100) -> Grid:
    """A header and about so many rows, evenly taken."""
    grid = list(csv.reader(io.StringIO(WRITERS["csv"](rt.read(DATA / f"{name}.arff")))))
    return [grid[0], *grid[1 :: max(1, len(grid) // most)]]


def text(grid: Grid, separator: str = ",", quoting: int = csv.QUOTE_MINIMAL, end: str = "\n") -> str:
    """The rows as the standard library writes them."""
    written = io.StringIO()
    csv.writer(written, delimiter=separator, quoting=quoting, lineterminator=end).writerows(grid)  # type: ignore[arg-type]
    return written.getvalue()


def beside(name: str, grid: Grid, cell: Callable[[int], str]) -> Grid:
    """The rows with one more column before them."""
    return [[name, *grid[0]], *([cell(place), *row] for place, row in enumerate(grid[1:]))]


def changed(grid: Grid, column: int, cell: Callable[[int, str], str]) -> Grid:
    """The rows with other cells in a column."""
    return [grid[0], *([*r[:column], cell(n, r[column]), *r[column + 1 :]] for n, r in enumerate(grid[1:]))]


def kinds() -> Iterator[tuple[str, str, bytes]]:
    """What each table is, its name, and its bytes."""
    iris, wine, cpu = rows("iris"), rows("wine"), rows("cpu")
    people = ["Ada Lovelace", "Blaise Pascal", "Émile Borel", "王贞仪", 'Grace "Amazing" Hopper', "O'Neil, Cathy"]
    yield "numbers and a class", "iris.csv", text(iris).encode()
    yield "semicolons", "wine.csv", text(wine, ";").encode()
    yield "tabs", "glass.tsv", text(rows("glass"), "\t").encode()
    yield "bars", "diabetes.txt", text(rows("diabetes"), "|").encode()
    words = [[cell.replace(" ", "_") for cell in row] for row in iris]
    yield "blanks", "iris.txt", "".join("  ".join(row) + "\n" for row in words).encode()
    yield "no header", "bare.csv", text(iris[1:]).encode()
    yield "packed", "iris.csv.gz", gzip.compress(text(iris).encode(), mtime=0)
    yield "numbered rows, as pandas writes them", "pandas.csv", text(beside("", iris, str)).encode()
    yield "from Excel", "excel.csv", ("\ufeff" + "sep=;\r\n" + text(iris, ";", end="\r\n")).encode()
    yield "every cell quoted", "quoted.csv", text(iris, quoting=csv.QUOTE_ALL).encode()
    yield "categories with gaps", "vote.csv", text(rows("vote")).encode()
    yield "categories and numbers with gaps", "labor.csv", text(rows("labor")).encode()
    yield "categories and numbers", "credit.csv", text(rows("credit-g")).encode()
    yield "many classes", "soybean.csv", text(rows("soybean")).encode()
    yield "a number to predict", "cpu.csv", text(cpu).encode()
    dated = beside("day", iris, lambda n: f"2024-{n % 12 + 1:02}-{n % 28 + 1:02}")
    yield "dates", "dates.csv", text(dated).encode()
    priced = changed(cpu, 1, lambda n, cell: f"${int(cell):,}.00")
    yield "prices", "prices.csv", text(priced).encode()
    commas = [[cell.replace(".", ",") for cell in row] for row in iris]
    yield "decimal commas", "commas.csv", text(commas, ";").encode()
    yield "names", "names.csv", text(beside("name", iris, lambda n: f"{people[n % 6]} {n}")).encode()
    yield "numbers of rows", "numbers.csv", text(beside("id", iris, lambda n: str(n + 1))).encode()
    odd = changed(iris, 0, lambda n, cell: "-" if n == 7 else cell)
    yield "one odd cell", "odd.csv", text(odd).encode()
    notes = beside("note", iris, lambda n: f'said "{people[n % 6]}",\nand <b>left</b>; {n % 5}')
    yield "text of several lines", "notes.csv", text(notes).encode()
    yield "one column", "one.csv", text([row[:1] for row in iris]).encode()
    yield "no rows", "none.csv", text(iris[:1]).encode()
    yield "unicode text from Excel", "unicode.txt", text(iris, "\t", end="\r\n").encode("utf-16")
    yield "blank columns behind the last", "blank.csv", text([[*row, "", ""] for row in iris]).encode()
    yield "few rows", "few.csv", text(iris[:1] + iris[1::30]).encode()
    yield "another encoding", "latin.csv", text(beside("café", iris, lambda n: "é")).encode("latin-1")


def told(table: str) -> Iterator[str]:
    """What each command says of a table, in the folder where it lies."""
    for name, arguments in COMMANDS.items():
        if name in ("predict", "prune") and not os.path.exists("tree.json"):
            continue
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            status = main([argument.format(table=table) for argument in arguments])
        yield f"  {name}: {status}"
        yield from (f"    {line}" for line in said.getvalue().splitlines())


def record() -> str:
    """What the commands say of all tables."""
    lines: list[str] = []
    for what, name, content in kinds():
        lines.append(f"{what}, {name}")
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            Path(name).write_bytes(content)
            lines += told(name)
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    RECORD.write_text(record(), encoding="utf-8", newline="\n")
