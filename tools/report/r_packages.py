"""Packages of R: tree, and C50 with Quinlan's C5.0, both from CRAN; `R_LIBS` says where they are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import decimal_text, rational
from reference_tree.exact.rounding import nearest_single
from reference_tree.programs.documents import HeldNode, multiway, subset, threshold
from tests.peers.data_sets import DataSet
from tests.peers.rpart import job_line
from tools.report.peers import run_of
from tools.report.programs import MIXED, NUMERIC, Program
from tools.report.runs import Run, table

SCRIPT = Path(__file__).with_name("grow_r_packages.R")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def absent(package: str) -> str | None:
    """What is not installed, if anything is not."""
    if not shutil.which("Rscript"):
        return "there is no Rscript: install Debian's package r-base-core"
    found = subprocess.run(["Rscript", "-e", f"library({package})"], capture_output=True, check=False)
    return f"R has no package {package}: install it from CRAN" if found.returncode else None


def grown(package: str, tables: Sequence[DataSet], criterion: str) -> Iterator[tuple[str, list[str]]]:
    """The version of a package, and the lines of each tree."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = ""
        for number, data in enumerate(tables):
            path, kinds = job_line(Path(folder, f"{number}.csv"), data, "").split("\t")[:2]
            jobs += f"{package}\t{path}\t{kinds}\t{criterion}\n"
        command = ["Rscript", "--vanilla", str(SCRIPT)]
        output = subprocess.run(command, input=jobs, capture_output=True, check=True, encoding="utf-8").stdout
    for text in re.split("^# ", output, flags=re.MULTILINE)[1:]:
        version, *lines = text.splitlines()
        yield version.strip(), [line for line in lines if line]


def tree_nodes(lines: Sequence[str], data: DataSet) -> dict[Any, HeldNode]:
    """The nodes of tree's frame: node 2k and 2k + 1 are below node k; `:ab` is the set of the first two values."""
    nodes: dict[Any, HeldNode] = {}
    for line in lines:
        node, variable, left, _, answer = line.split("\t")
        number = int(node)
        if variable == "<leaf>":
            nodes[number] = HeldNode({"label": _class(answer, data)})
            continue
        attribute, below = data.attributes[int(variable[1:]) - 1], (2 * number, 2 * number + 1)
        if attribute.values is None:
            question = threshold(attribute.name, left[1:], below, strict=True)
        else:
            values = [attribute.domain[LETTERS.index(letter)] for letter in left[1:]]
            question = subset(attribute.name, values, below)
        nodes[number] = HeldNode({}, question)
    return nodes


def c50_nodes(lines: Sequence[str], data: DataSet) -> dict[Any, HeldNode]:
    """The nodes of C5.0's text, in preorder; the first branch of a question is for rows without a value."""
    nodes: dict[Any, HeldNode] = {}
    told = [_members(line) for line in lines if line.startswith("type=")]
    pending: list[list[int]] = []
    asked: list[tuple[int, Mapping[str, str], list[int]]] = []
    for number, one in enumerate(told):
        if pending:
            pending[-1].append(number)
        if one["type"] == "0":
            nodes[number] = HeldNode({"label": _class(one["class"], data)})
        else:
            asked.append((number, one, []))
            pending.append(asked[-1][2])
        while pending and len(pending[-1]) == int(next(a[1]["forks"] for a in asked if a[2] is pending[-1])):
            pending.pop()
    for number, one, below in asked:
        attribute = data.attributes[int(one["att"][1:]) - 1]
        del nodes[below[0]]
        if one["type"] == "2":
            nodes[number] = HeldNode({}, threshold(attribute.name, _single(one["cut"]), below[1:]))
            continue
        to = dict(zip(_groups(one, attribute), below[1:], strict=True))
        leaf: dict[str, Any] = {value: node for group, node in to.items() for value in group}
        for place, value in enumerate(attribute.domain):
            node, own = leaf[value], (number, place)
            if len(next(group for group in to if value in group)) > 1:
                nodes[own] = nodes[node]  # leaves of one class that C5.0 has put together
                leaf[value] = own
        nodes[number] = HeldNode(
            {}, multiway(attribute.name, attribute.domain, [leaf[value] for value in attribute.domain])
        )
    reached = {branch.to for held in nodes.values() if held.test for branch in held.test.branches}
    return {key: held for key, held in nodes.items() if key in reached or key == 0}


def _groups(one: Mapping[str, str], attribute: Attribute) -> list[tuple[str, ...]]:
    """The values of each branch but the first."""
    if "elts" not in one:
        return [(value,) for value in attribute.domain]
    return [tuple(attribute.domain[int(code)] for code in group.split(",")) for group in one["elts"].split(";")[1:]]


def _single(printed: str) -> str:
    """The shortest decimal of the float32 that is printed, as the rows have it: `4.9000001` is 4.9."""
    held = nearest_single(float(printed))
    shorter = (f"{float(printed):.{digits}g}" for digits in range(1, 10))
    return decimal_text(rational(next(one for one in shorter if nearest_single(float(one)) == held)))


def _members(line: str) -> Mapping[str, str]:
    groups = [group.replace('"', "") for group in re.findall(r'elts=((?:"[^"]*",?)+)', line)]
    return {**dict(re.findall(r'(\w+)="([^"]*)"', line)), **({"elts": ";".join(groups)} if groups else {})}


def _class(code: str, data: DataSet) -> str:
    return data.target.domain[int(code)]


READERS: Mapping[str, Callable[[Sequence[str], DataSet], dict[Any, HeldNode]]] = {"tree": tree_nodes, "C50": c50_nodes}


TOO_DEEP = {("tree", "gini", "wine")}
"""It ends there with `maximum depth reached`."""
ROOTS = {"tree": 1, "C50": 0}


def _runs(package: str, settings: Mapping[str, Sequence[str]], names: Sequence[str]) -> Iterator[Run]:
    for setting, options in settings.items():
        chosen = [name for name in names if (package, setting, name) not in TOO_DEEP]
        tables = [table(name) for name in chosen]
        for name, (version, lines) in zip(chosen, grown(package, tables, setting), strict=True):
            nodes = READERS[package](lines, table(name))
            yield run_of(package, version, setting, name, nodes, options, ROOTS[package])


PACKAGES = (
    Program(
        "tree",
        "`--learner cart` with either criterion; the trees are full (`mincut = 1, minsize = 2, mindev = 0`). "
        "Thresholds are read as they are printed.",
        partial(
            _runs,
            "tree",
            {
                "deviance": ["--learner", "cart", "--criterion", "entropy"],
                "gini": ["--learner", "cart", "--criterion", "gini"],
            },
            (*MIXED, *NUMERIC),
        ),
        partial(absent, "tree"),
        'Of a number, `split = "gini"` takes the cut by the right side alone: in `src/grow.c` the line `ldev = (totw - '
        "cntl)*ysum;` stands twice where `ldev -= (totw - cntl)*ysum;` is meant, and what the left side gave is lost. "
        "[The smallest table](findings.md#tree) shows it. With the wines it ends with `maximum depth reached`.",
    ),
    Program(
        "C50",
        "`--learner c45 --profile c45-r8`, as C5.0 has no profile of its own: what is wrong here may be what C5.0 does "
        "otherwise on purpose. The trees are grown with `subset = FALSE, noGlobalPruning = TRUE, CF = 1`.",
        partial(
            _runs,
            "C50",
            {"minCases=2": ["--learner", "c45", "--profile", "c45-r8"]},
            (*MIXED, *NUMERIC),
        ),
        partial(absent, "C50"),
    ),
)
"""Those of R that are no part of R itself."""
