"""Kinds of table that people have, and what the commands print about each if they are given nothing but its name.

`python -m tests.cli.kinds_of_table` writes the record anew, `tests/recorded/kinds-of-table.txt`. For each table it has
the exit status of `grow`, `explain`, `predict`, `score` and `prune`, and all that they print on standard error. The
rows of most are real, those of `tests/recorded/data`, written as people write them; a few are made.
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
    for what, name, content in odd_ones():
        yield what, name, content.encode()


def made(cell: Callable[[int], str], header: str = "a,b,class", classes: str = "xyz") -> str:
    """A small table whose first cells are these."""
    return f"{header}\n" + "".join(f"{cell(n)},{n % 5},{classes[n % len(classes)]}\n" for n in range(24))


def odd_ones() -> Iterator[tuple[str, str, str]]:
    """What each of some made tables is, its name, and its text: each is odd in one way."""
    plain = made(lambda n: str(n % 7))
    yield "carriage returns alone", "mac.csv", plain.replace("\n", "\r")
    yield "empty lines", "empty.csv", "\n\n" + plain.replace("\n", "\n\n")
    yield "rows of commas behind the last", "commas.csv", plain + ",,\n,,\n"
    yield "a comment before the header", "comment.csv", "# of the web\n" + plain
    yield "a comment behind the last row", "source.csv", plain + "# of the web\n"
    yield "a sum behind the last row", "sum.csv", plain + "sum,48,\n"
    yield "rows that end in a comma", "ends.csv", plain.replace("\n", ",\n").replace("class,", "class")
    rows_of_r = (f'"{n + 1}" {n % 7} {n % 5} "{"xyz"[n % 3]}"\n' for n in range(24))
    yield "as R writes it", "r.txt", '"a" "b" "class"\n' + "".join(rows_of_r)
    yield "a name twice", "twice.csv", made(str, "a,a,class")
    yield "a name of two words", "words.csv", made(lambda n: f"N{n}", "my id,b,class")
    yield "unicode names", "unicode.csv", made(lambda n: str(n % 7), "größe,温度,класс", "да☀")
    yield "one class", "same.csv", made(lambda n: str(n % 7), classes="x")
    yield "one row", "row.csv", "a,b,class\n1,2,x\n"
    wide = [[f"c{place}" for place in range(300)], *([str(n * place % 11) for place in range(300)] for n in range(12))]
    yield "300 columns", "wide.csv", text(wide)
    yield "exponents", "exponents.csv", made(lambda n: f"{n % 7}.5e-{n % 3}")
    yield "an exponent that is too long", "long.csv", made(lambda n: f"1e{n}00")
    yield "NaN among numbers", "nan.csv", made(lambda n: "NaN" if n == 7 else str(n))
    yield "null among numbers", "null.csv", made(lambda n: "null" if n == 7 else str(n))
    yield "percent signs", "percent.csv", made(lambda n: f"{n % 7} %")
    yield "signs between thousands", "thousands.csv", made(lambda n: f"{n % 7}'{n % 7}00.50")
    yield "another minus sign", "minus.csv", made(lambda n: f"−{n % 7}")
    yield "numbers that begin with 0", "codes.csv", made(lambda n: f"0{n % 7}2")
    yield "TRUE and FALSE", "truth.csv", made(lambda n: "TRUE" if n % 3 else "FALSE")
    yield "a quote within a cell", "inches.csv", made(lambda n: f'{n}" pipe')
    yield "JSON", "rows.csv", '[{"a": 1, "class": "x"}]\n'
    yield "a page", "page.csv", "<!DOCTYPE html>\n<html></html>\n"


def messages(table: str) -> Iterator[str]:
    """What each command says of a table, in the folder where it lies."""
    for name, arguments in COMMANDS.items():
        if name in ("predict", "prune") and not os.path.exists("tree.json"):
            continue
        stderr = io.StringIO()
        with contextlib.redirect_stderr(stderr):
            status = main([argument.format(table=table) for argument in arguments])
        yield f"  {name}: {status}"
        yield from (f"    {line}" for line in stderr.getvalue().splitlines())


def record() -> str:
    """What the commands say of all tables."""
    lines: list[str] = []
    for what, name, content in kinds():
        lines.append(f"{what}, {name}")
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            Path(name).write_bytes(content)
            lines += messages(name)
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    RECORD.write_text(record(), encoding="utf-8", newline="\n")
