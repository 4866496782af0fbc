"""Reduced-error pruning by Weka: trees of J48 and REPTree before and after it.

Both programs draw the rows that they hold out. `GrowTrees.java` is told which rows to hold out instead, and calls what
the programs themselves grow and prune with: of J48 under `-R` a tree's `buildTree` and `prune`; of REPTree
`buildClassifier` without pruning, then its tree's `insertHoldOutSet` and `reducedErrorPrune`.

`python -m tests.peers.reduced_errors` runs Weka and writes every tree anew.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from reference_tree.data.readers import read
from reference_tree.data.table import Table
from reference_tree.selection.holdout import take
from tests.peers import weka
from tests.peers.data_sets import RECORDED, DataSet, data_set

DATA = ("iris", "wine", "breast-cancer-wisconsin", "glass", "pima", "vote", "labor", "soybean", "credit-g")
FOLDER = RECORDED / "weka-reduced-errors"

ASKS_LIKE = {"J48": "J48", "REPTree": "SimpleCart"}
"""The learner of `weka` whose thresholds ask the same: `<=` or `<`."""
GROWS = {
    "J48": "PruneableClassifierTree.buildTree, as J48 calls it under -R -M 2",
    "REPTree": "REPTree.buildClassifier under -M 2 -P",
}
PRUNES = {"J48": f"{GROWS['J48']}, and prune", "REPTree": f"{GROWS['REPTree']}, insertHoldOutSet and reducedErrorPrune"}
COUNTS = {"J48": f"{GROWS['J48']}, and errorsForLeaf", "REPTree": f"{GROWS['REPTree']}, and insertHoldOutSet"}


@dataclass(frozen=True)
class Pruned:
    """A tree that is pruned by rows it was not grown from: row i, counted from 0, where i mod `folds` is `held_out`."""

    program: str
    data: str
    folds: int = 3
    held_out: int = 2

    @property
    def name(self) -> str:
        """As a test calls it."""
        return f"{self.program}/{self.data}/{self.held_out} mod {self.folds}"

    def path(self, part: str) -> Path:
        """The file of one of its `Trees`."""
        return FOLDER / f"{self.data}.{self.program}.{part}.json"

    def validation(self) -> Table:
        """The rows that are held out."""
        table = read(str(data_set(self.data).path))
        return take(table, range(self.held_out, len(table), self.folds))

    def training(self) -> DataSet:
        """The other rows."""
        data = data_set(self.data)
        kept = tuple(row for i, row in enumerate(data.rows) if i % self.folds != self.held_out)
        return replace(data, rows=kept)


@dataclass(frozen=True)
class Trees:
    """The documents of a tree before and after, and a list: what is wrong at each node of `grown` if it is a leaf."""

    grown: str
    pruned: str
    wrong: str


PARTS = tuple(part.name for part in fields(Trees))

PRUNINGS = tuple(Pruned(program, data) for program in ASKS_LIKE for data in DATA)
"""What is recorded: every third row is held out."""


def recorded(pruning: Pruned) -> Trees:
    """The files."""
    return Trees(*(pruning.path(part).read_text(encoding="utf-8") for part in PARTS))


def run(prunings: Sequence[Pruned]) -> list[Trees]:
    """The same documents as Weka gives them today."""
    flags = (" -U", "")
    lines = weka.run([(f"{p.program}-held-out", data_set(p.data), _options(p) + u) for p in prunings for u in flags])
    pairs = zip(prunings, lines[::2], lines[1::2], strict=True)
    return [
        Trees(_document(p, grown, False), _document(p, pruned, True), _wrong(p, grown)) for p, grown, pruned in pairs
    ]


def _options(pruning: Pruned) -> str:
    return f"-M 2 -N {pruning.folds} -H {pruning.held_out}"


def _document(pruning: Pruned, line: str, is_pruned: bool) -> str:
    tree = json.loads(line)
    text = weka.convert(tree, ASKS_LIKE[pruning.program], data_set(pruning.data), "")
    source = json.loads(text)["learner"]["source"]
    command = PRUNES[pruning.program] if is_pruned else GROWS[pruning.program]
    return text.replace(json.dumps(source), json.dumps(_source(pruning, tree["version"], command)))


def _wrong(pruning: Pruned, line: str) -> str:
    tree = json.loads(line)
    source = _source(pruning, tree["version"], COUNTS[pruning.program])
    return f'{{"source": {json.dumps(source)},\n "wrong": {json.dumps([node["wrong"] for node in tree["nodes"]])}}}\n'


def _source(pruning: Pruned, version: str, command: str) -> dict[str, str]:
    held_out = f"held out is row i of {pruning.data}.arff, from 0, where i mod {pruning.folds} = {pruning.held_out}"
    return {"program": f"Weka {pruning.program}", "version": version, "command": f"{command}; {held_out}"}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for pruning, trees in zip(PRUNINGS, run(PRUNINGS), strict=True):
        for part in PARTS:
            pruning.path(part).write_text(getattr(trees, part), encoding="utf-8")
