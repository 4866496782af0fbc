"""Weka: J48, SimpleCart and Id3 of Debian's package `weka`.

`GrowTrees.java` grows the trees and writes what the program's objects hold, by reflection; the printout would round.
J48 asks `<=` and SimpleCart `<`; both send a row with a missing value down every branch, in shares.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from tests.peers.data_sets import DataSet
from tests.peers.documents import Json, Node, classified, document, multiway, shares, subset, threshold

JAR = Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))
SOURCE = Path(__file__).parent / "GrowTrees.java"

Job: TypeAlias = tuple[str, DataSet, str]
"""What to grow: a learner, the rows, its options."""

COMMANDS = {
    "J48": "weka.classifiers.trees.J48 {options} -t {data}",
    "J48-uncollapsed": "C45PruneableClassifierTree.buildTree, as J48 calls it under -U {options}, without collapse",
    "SimpleCart": "weka.classifiers.trees.SimpleCart {options} -t {data}",
    "Id3": "weka.classifiers.trees.Id3 -t {data}",
}
"""What grows the same tree from a command line, or within the program."""


def absent() -> str | None:
    """What is not installed, if anything is not."""
    if not JAR.exists():
        return f"there is no {JAR}: install Debian's package weka, or set WEKA_JAR"
    return None if shutil.which("javac") else "there is no Java compiler: install a JDK of version 11 or later"


def grow(jobs: Sequence[Job]) -> list[str]:
    """The documents of the trees, one a job."""
    return [convert(json.loads(line), *job) for line, job in zip(run(jobs), jobs, strict=True)]


def run(jobs: Sequence[Job]) -> list[str]:
    """The trees as `GrowTrees` writes them, one a job."""
    if not jobs:  # nothing is started for nothing
        return []
    lines = (f"{learner}\t{data.path}\t{options}\n" for learner, data, options in jobs)
    return _java([SOURCE.stem], "".join(lines)).splitlines()


def printout(program: str, data: DataSet, options: str) -> str:
    """What a class of Weka prints on the command line."""
    return _java([program, *options.split(), "-no-cv", "-t", str(data.path)])


def _java(arguments: Sequence[str], lines: str = "") -> str:
    command = ["java", "-cp", os.pathsep.join([str(JAR), _compiled()]), *arguments]
    return subprocess.run(command, input=lines, capture_output=True, check=True, encoding="utf-8").stdout


@cache
def _compiled() -> str:
    """A folder with the classes of `GrowTrees.java`, for as long as this process lives."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    command = ["javac", "-encoding", "UTF-8", "-nowarn", "-cp", str(JAR), "-d", folder, str(SOURCE)]
    subprocess.run(command, capture_output=True, check=True)
    return folder


def convert(tree: Mapping[str, Any], learner: str, data: DataSet, options: str) -> str:
    """The document of a tree as `GrowTrees` writes it."""
    nodes = {number: _node(node, learner, data) for number, node in enumerate(_labelled(tree["nodes"]))}
    command = COMMANDS[learner].format(options=options, data=data.path.name)
    return document(data, {"program": f"Weka {learner}", "version": tree["version"], "command": command}, nodes, 0)


def _labelled(nodes: Sequence[Json]) -> list[Json]:
    """Id3 has no label for a leaf without rows; it gets that of the node above, as such leaves have elsewhere."""
    labels = {0: nodes[0]["label"]}
    for number, node in enumerate(nodes):
        for son in node.get("sons", ()):
            labels[son] = labels[number] if nodes[son]["label"] < 0 else nodes[son]["label"]
    return [{**node, "label": labels[number]} for number, node in enumerate(nodes)]


def _node(node: Json, learner: str, data: DataSet) -> Node:
    classes = data.target.domain
    answer = classified(node["counts"], classes[node["label"]], classes)
    if "attribute" not in node:
        return Node(answer)
    test = _test(node, learner, data)
    if not (data.has_missing and node["shares"]):
        return replace(test, answer=answer)
    parts = zip(test.branches, shares(node["shares"]), strict=True)
    branches = tuple(replace(branch, share=share) for branch, share in parts)
    return replace(test, answer=answer, branches=branches, missing="fractions")


def _test(node: Json, learner: str, data: DataSet) -> Node:
    attribute = data.attributes[node["attribute"]]
    if node["kind"] == "multiway":
        return multiway(attribute, node["sons"])
    if node["kind"] == "subset":
        return subset(attribute, node["value"], node["sons"])
    relations = ("lt", "ge") if learner == "SimpleCart" else ("le", "gt")
    return threshold(attribute, node["value"], *relations, node["sons"])
