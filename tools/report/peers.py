"""Learners written in Python alone, from the package index: three that install and run today.

They run in an environment of their own, whose interpreter is the value of `PEERS` (`python -m tools.report --peers`
says how it is made). A small adapter reads the tree of each.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import decimal_text, rational
from reference_tree.programs.documents import HeldNode, TreeOrigin, document, multiway, threshold
from reference_tree.tree import Program as Grower
from tests.peers.data_sets import DataSet
from tools.report.programs import MIXED, NUMERIC, Program
from tools.report.runs import Run, documents_written, rows_of, table

SCRIPT = Path(__file__).with_name("grow_peers.py")
SILENT = frozenset({"inner-labels", "counts", "missing"})
INSTALL = "python -m venv build/peers && build/peers/bin/pip install chefboost imodels six numpy-ml Orange3"
"""What makes the environment. imodels needs six, and does not say so."""
NOT_RUN = (
    ("decision-tree-id3", "does not build on Python 3.11"),
    (
        "party and partykit",
        "their conditional inference trees ask by the p-values of permutation tests, which no learner here does",
    ),
    ("H2O", "runs, but its trees are those of gradient boosting over bins of histograms that it does not tell"),
    ("DecisionTree", "runs, but its nodes have branches only where the entropy falls: that is no division of the rows"),
)
"""Others that were tried."""


def absent() -> str | None:
    """What is not installed, if anything is not."""
    return None if os.environ.get("PEERS") else f"PEERS does not name an interpreter: {INSTALL}"


def grown(learner: str, data: DataSet, argument: str = "") -> tuple[str, Any]:
    """The version of a learner, and what it holds of a tree."""
    columns = (*data.attributes, data.target)
    rows = [
        [float(str(cell)) if column.values is None else cell for cell, column in zip(row, columns, strict=True)]
        for row in data.rows
    ]
    command = [os.environ["PEERS"], str(SCRIPT), learner, argument]
    given = json.dumps(
        {"names": [column.name for column in columns], "values": [column.values for column in columns], "rows": rows}
    )
    output = subprocess.run(command, input=given, capture_output=True, check=True, encoding="utf-8").stdout
    version, held = json.loads(output)
    return version, held


# chefboost writes a function in Python. It is read, and never run.


def chefboost_nodes(text: str, attributes: Sequence[Attribute]) -> dict[int, HeldNode]:
    """The nodes of the function that chefboost writes."""
    (function,) = [one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)]
    nodes: dict[int, HeldNode] = {}
    pending: list[tuple[int, list[ast.stmt]]] = [(0, function.body)]
    free = 1
    while pending:
        number, body = pending.pop()
        (step,) = body
        if isinstance(step, ast.Return):
            assert isinstance(step.value, ast.Constant)
            nodes[number] = HeldNode({"label": str(step.value.value)})
            continue
        ways = list(_ways(step))
        to = range(free, free + len(ways))
        free += len(ways)
        attribute = attributes[ways[0][0]]
        if attribute.values is not None:
            ways.sort(key=lambda way: attribute.domain.index(str(way[2])))
        told = [value for _, _, value, _ in ways]
        if attribute.values is None:
            first, second = (to[::-1] if isinstance(ways[0][1], ast.Gt) else to)[:2]
            nodes[number] = HeldNode(
                {}, threshold(attribute.name, decimal_text(rational(repr(told[0]))), (first, second))
            )
        else:
            nodes[number] = HeldNode({}, multiway(attribute.name, [str(one) for one in told], to))
        pending += [(place, below) for place, (_, _, _, below) in zip(to, ways, strict=True)]
    return nodes


def _ways(step: ast.stmt) -> Iterator[tuple[int, ast.cmpop, Any, list[ast.stmt]]]:
    """Of `if obj[3] == 'a': ... elif ...` each branch: the column, the comparison, the value, and what comes then.

    What stands under `else` is for values that no row had.
    """
    while isinstance(step, ast.If):
        asked = step.test
        assert isinstance(asked, ast.Compare)
        assert isinstance(asked.left, ast.Subscript)
        yield ast.literal_eval(asked.left.slice), asked.ops[0], ast.literal_eval(asked.comparators[0]), step.body
        step = step.orelse[0]


# imodels keeps XML: a leaf has the number of its class.


def imodels_nodes(text: str, classes: Sequence[str], attributes: Sequence[Attribute]) -> dict[int, HeldNode]:
    """The nodes of the tree of imodels' C45TreeClassifier."""
    nodes: dict[int, HeldNode] = {}
    pending, free = [(0, ElementTree.fromstring(text))], 1
    while pending:
        number, element = pending.pop()
        below = list(element)
        if not below:
            nodes[number] = HeldNode({"label": classes[int(float(element.text or ""))]})
            continue
        to = range(free, free + len(below))
        free += len(below)
        assert [one.get("flag") for one in below] == ["l", "r"]
        name, at = attributes[int(below[0].tag[1:])].name, rational(below[0].get("feature", ""))
        nodes[number] = HeldNode({}, threshold(name, decimal_text(at), to, strict=True))
        pending += zip(to, below, strict=True)
    return nodes


def run_of(
    program: str,
    version: str,
    setting: str,
    name: str,
    nodes: dict[Any, HeldNode],
    options: Sequence[str],
    root: int = 0,
) -> Run:
    """A tree whose nodes were read, as a document and a run."""
    data = table(name)
    source = TreeOrigin(Grower(program, version, "exact", SILENT))
    found = document(source, data.target, data.attributes, nodes, root)
    stem = "-".join([program.lower(), *(setting.lower(),) * bool(setting), name])
    (path,) = documents_written(stem.replace(" ", "-"), [found])
    return Run(program, version, setting, path, rows_of(name), options)


# Nodes of numpy-ml and Orange hold one another; the adapter lists them.


def listed_nodes(
    listed: Sequence[Sequence[Any]], classes: Sequence[str], attributes: Sequence[Attribute]
) -> dict[int, HeldNode]:
    """The nodes of a tree: a branch that no row takes is absent in Orange's, and a leaf here, as in a prediction."""
    nodes: dict[int, HeldNode] = {}
    for number, (first, *rest) in enumerate(listed):
        if not rest:
            nodes[number] = HeldNode({"label": classes[first]})
            continue
        attribute, (at, *to) = attributes[first], rest
        asked = multiway(attribute.name, attribute.domain, to) if attribute.values else None
        nodes[number] = HeldNode({}, asked or threshold(attribute.name, decimal_text(rational(at)), to))
    return nodes


def _orange() -> Iterator[Run]:
    options = [
        "--learner", "cart", "--criterion", "entropy", "--branching", "multiway", "--option", "zero_gain", "stops",
    ]  # fmt: skip
    for name in (*MIXED, *NUMERIC):
        data = table(name)
        version, (nodes, classes) = grown("Orange", data)
        found = listed_nodes(nodes, classes, data.attributes)
        yield run_of("Orange", version, "sufficient_majority=1", name, found, options)


def _chefboost() -> Iterator[Run]:
    depth = ["--max-depth", "5"]
    dialects = {
        "ID3": ["--learner", "id3", *depth],
        "C4.5": ["--learner", "c45", "--profile", "li-hang", *depth],
        "CART": ["--learner", "cart", "--branching", "multiway", *depth],
    }
    for algorithm, options in dialects.items():
        for name in (
            "weather-nominal",
            "contact-lenses",
            "loan",
            *(("weather-numeric", "iris") * (algorithm != "ID3")),
        ):
            data = table(name)
            version, text = grown("chefboost", data, algorithm)
            yield run_of("chefboost", version, algorithm, name, chefboost_nodes(text, data.attributes), options)


def _imodels() -> Iterator[Run]:
    for name in ("iris", "wine"):
        data = table(name)
        version, (text, classes) = grown("imodels", data)
        options = ["--learner", "c45", "--profile", "li-hang"]
        yield run_of(
            "imodels", version, "C45TreeClassifier", name, imodels_nodes(text, classes, data.attributes), options
        )


def _numpy_ml() -> Iterator[Run]:
    for criterion in ("gini", "entropy"):
        for name in ("iris", "wine", "breast-cancer-wisconsin"):
            data = table(name)
            version, (nodes, classes) = grown("numpy-ml", data, criterion)
            options = ["--learner", "cart", "--criterion", criterion]
            found = listed_nodes(nodes, classes, data.attributes)
            yield run_of("numpy-ml", version, f"criterion={criterion}", name, found, options)


PEERS: tuple[Program, ...] = (
    Program(
        "chefboost",
        "`--learner id3`, `--learner c45 --profile li-hang` (the ratio alone, no average filter) and `--learner cart "
        "--branching multiway` (Gini, a branch for every value), each at most five deep. What it writes is Python, "
        "which is parsed and not run.",
        _chefboost,
        absent,
        "Of a column with more than 20 values it tries the least, the largest, the mean, and the mean plus or minus "
        "whole multiples of the standard deviation, and no gap between them: so its source says. That is how it comes "
        "to cuts such as `sepal length<=7.036246710058401`. A column that was asked, a number too, is not asked again "
        "below ([smallest table](findings.md#chefboost)).",
    ),
    Program(
        "Orange",
        "`--learner cart` with gain in bits, a branch for every value, and no split without a gain. It is the class "
        "`TreeLearner`, with `binarize=False, sufficient_majority=1`.",
        _orange,
        absent,
    ),
    Program(
        "imodels",
        "`--learner c45 --profile li-hang`: of each attribute the cut of largest gain, of these the largest ratio. It "
        "is the class `C45TreeClassifier`.",
        _imodels,
        absent,
    ),
    Program(
        "numpy-ml",
        "`--learner cart`, by either criterion. It is the class `DecisionTree` in its file `trees/dt.py`, which is "
        "loaded alone: the package is older than Python 3.10 and cannot be imported there. Attributes are tried in an "
        "order drawn with `seed=1`, which decides between equal questions.",
        _numpy_ml,
        absent,
    ),
)
