"""R's rpart, of Debian's packages `r-base-core` and `r-cran-rpart`.

`grow_trees.R` grows the trees and writes `frame`, `splits` and `csplit` with every digit. rpart asks `<`. It calls the
side of the lower mean left; a document always has the smaller numbers first, and a subset is what rpart sends left.

A row whose value is missing stays at the node under `usesurrogate=0`. Otherwise the surrogates decide, best first, and
after them the side on which more of the known weight went; rpart does not say which, so it is counted here.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tests.peers.data_sets import DataSet
from tests.peers.documents import Json, Node, Surrogate, averaged, classified, document, fraction, subset, threshold

SOURCE = Path(__file__).parent / "grow_trees.R"


def absent() -> str | None:
    """What is not installed, if anything is not."""
    if not shutil.which("Rscript"):
        return "there is no Rscript: install Debian's packages r-base-core and r-cran-rpart"
    return None if _r_has_rpart() else "R has no rpart: install Debian's package r-cran-rpart"


@cache
def _r_has_rpart() -> bool:
    return subprocess.run(["Rscript", "-e", "library(rpart)"], capture_output=True, check=False).returncode == 0


def grow(jobs: Sequence[tuple[DataSet, str]]) -> list[str]:
    """The documents of the trees that rpart grows from rows with arguments, for each job."""
    if not jobs:  # nothing is started for nothing
        return []
    with tempfile.TemporaryDirectory() as folder:
        lines = [job_line(Path(folder) / f"{place}.csv", *job) for place, job in enumerate(jobs)]
        command = ["Rscript", "--vanilla", str(SOURCE)]
        run = subprocess.run(command, input="".join(lines), capture_output=True, check=True, encoding="utf-8")
    return [convert(json.loads(line), *job) for line, job in zip(run.stdout.splitlines(), jobs, strict=True)]


def job_line(path: Path, data: DataSet, arguments: str) -> str:
    rows = (",".join("?" if math.isnan(number) else number.hex() for number in row) for row in data.numbers())
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")  # in hexadecimal nothing is rounded on the way
    kinds = [str(len(column.values or ())) for column in (*data.attributes, data.target)]
    return f"{path}\t{','.join(kinds)}\t{arguments}\n"


@dataclass(frozen=True)
class Fit:
    """A tree as `grow_trees.R` writes it, and the rows from which it was grown."""

    data: DataSet
    nodes: Mapping[int, Json]
    rest: Sequence[int]
    surrogates: bool

    def reaching(self, node: int) -> list[Sequence[str | None]]:
        """The rows that reach a node."""
        return [row for row, rest in zip(self.data.rows, self.rest, strict=True) if node in _ancestors(rest)]


def convert(tree: Mapping[str, Any], data: DataSet, arguments: str) -> str:
    """The document of a tree as `grow_trees.R` writes it."""
    nodes = {node["id"]: node for node in tree["nodes"]}
    fit = Fit(data, nodes, tree["rest"], "usesurrogate=0" not in arguments)
    version = f"{tree['version']} on R {tree['R']}"
    command = f"rpart({data.target.name} ~ ., {data.name}, {arguments})"
    source = {"program": "rpart", "version": version, "command": command}
    return document(data, source, {number: _node(number, fit) for number in nodes}, 1)


def _node(number: int, fit: Fit) -> Node:
    held = fit.nodes[number]
    answer = _answer(held, fit.data)
    if not held["splits"]:
        return Node(answer)
    primary, *others = held["splits"]
    test = _test(primary, number, fit.data)
    if not fit.data.has_missing:
        return replace(test, answer=answer)
    if not fit.surrogates:
        return replace(test, answer=answer, missing="stay")
    return replace(
        test,
        answer=answer,
        missing="surrogates",
        default=_larger_side(primary, number, fit),
        surrogates=tuple(_surrogate(split, number, fit.data) for split in others),
    )


def _surrogate(split: Json, number: int, data: DataSet) -> Surrogate:
    values = data.attributes[split["variable"]].values or ()
    unseen = tuple(value for value, side in zip(values, split.get("sides", ()), strict=True) if side == 0)
    return Surrogate(_test(split, number, data), fraction(split["agreement"]), unseen)


def _answer(held: Json, data: DataSet) -> Json:
    if data.target.values is None:
        return averaged(held["n"], held["yval"], held["dev"])
    return classified(held["counts"], data.target.values[int(held["yval"]) - 1], data.target.values)


def _test(split: Json, number: int, data: DataSet) -> Node:
    attribute, (left, right) = data.attributes[split["variable"]], (2 * number, 2 * number + 1)
    if "sides" in split:
        return subset(attribute, [place for place, side in enumerate(split["sides"]) if side < 0], (left, right))
    return threshold(attribute, split["point"], "lt", "ge", (left, right) if split["below"] < 0 else (right, left))


def _larger_side(split: Json, number: int, fit: Fit) -> int | None:
    """Where more rows with a known value go; none if the sides are equal."""
    attribute = fit.data.attributes[split["variable"]]
    cells = [row[split["variable"]] for row in fit.reaching(number)]
    sides = [_side(cell, split, attribute.values) for cell in cells if cell is not None]
    balance = sum(sides)
    return None if balance == 0 else 2 * number + (balance > 0)


def _side(cell: str, split: Json, values: Sequence[str] | None) -> int:
    if values is not None:
        return int(split["sides"][values.index(cell)])
    return int(split["below"]) if float(cell) < split["point"] else -int(split["below"])


def _ancestors(node: int) -> set[int]:
    """A node and all above it: each is half of the one below."""
    return {node >> level for level in range(node.bit_length())}
