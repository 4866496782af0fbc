"""Pruning sequences of other programs: rpart's `cptable` and scikit-learn's `cost_complexity_pruning_path`.

They belong to trees of `recordings`, and are recorded beside them: `python -m tests.peers.pruning_paths` runs the
programs and writes every sequence anew.

A row of a file is a tree of the sequence, the smallest last:

- rpart: `cp`, the number of splits, the relative error; and of cross-validation the error and its standard error, both
  relative to the root's. A tree is the best one for a cp from its own up to that of the smaller one. The cp of the
  largest tree is the one it was grown with.
- scikit-learn: `ccp_alpha`, the impurity of all leaves, and the number of leaves. It cuts one link at a time, so that
  an alpha can stand twice, up to rounding; the leaves are those of the tree that it fits for an alpha halfway to the
  next one, and none where that is too near to say.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tests.peers import rpart, scikit_learn
from tests.peers.data_sets import RECORDED, DataSet, data_set
from tests.peers.recordings import RECORDINGS, Recording

SOURCE = Path(__file__).parent / "prune_trees.R"

Row: TypeAlias = tuple[float, ...]


@dataclass(frozen=True)
class PathRecording:
    """A sequence in `tests/recorded`, and the tree it belongs to."""

    tree: Recording

    @property
    def path(self) -> Path:
        """The file."""
        return RECORDED / f"{self.tree.program}-paths" / f"{self.tree.data}.{self.tree.setting}.json"

    def rows(self) -> list[Row]:
        """What is recorded."""
        return [tuple(row) for row in json.loads(self.path.read_text(encoding="utf-8"))["rows"]]


def _with_plain_risk() -> Iterator[PathRecording]:
    """Trees of rpart whose risk is the number of errors, or the squared error, and all trees of scikit-learn."""
    for recording in RECORDINGS:
        if recording.program == "scikit-learn" or (
            recording.program == "rpart" and recording.setting not in ("prior", "loss")
        ):
            yield PathRecording(recording)


PATHS = tuple(_with_plain_risk())

FOLDS = 5
CROSS_VALIDATED = tuple(
    PathRecording(
        Recording("rpart", name, "cross-validation", (f"cp=0, xval=rep(1:{FOLDS}, length.out={rows}), maxcompete=0",))
    )
    for name in ("iris", "wine", "glass", "breast-cancer-wisconsin", "pima", "diabetes")
    for rows in [len(data_set(name).rows)]
)
"""Tables with two columns more, `xerror` and `xstd`: the rows take turns in five folds."""


def absent(recording: PathRecording) -> str | None:
    """What is not installed of what made a sequence."""
    return rpart.absent() if recording.tree.program == "rpart" else scikit_learn.absent()


def run(recordings: Sequence[PathRecording]) -> dict[PathRecording, str]:
    """The files as the programs give them today."""
    by_rpart = [r for r in recordings if r.tree.program == "rpart"]
    by_scikit_learn = [r for r in recordings if r.tree.program == "scikit-learn"]
    found = [*_cptables(by_rpart), *(_ccp_path(r) for r in by_scikit_learn)]
    return dict(zip((*by_rpart, *by_scikit_learn), found, strict=True))


def _cptables(recordings: Sequence[PathRecording]) -> Iterator[str]:
    if not recordings:  # nothing is started for nothing
        return
    with tempfile.TemporaryDirectory() as folder:
        jobs = [(r.tree.rows(), r.tree.arguments[0]) for r in recordings]
        lines = [rpart.job_line(Path(folder) / f"{place}.csv", *job) for place, job in enumerate(jobs)]
        command = ["Rscript", "--vanilla", str(SOURCE)]
        output = subprocess.run(command, input="".join(lines), capture_output=True, check=True, encoding="utf-8").stdout
    for recording, line in zip(recordings, output.splitlines(), strict=True):
        found = json.loads(line)
        data, arguments = recording.tree.rows(), recording.tree.arguments[0]
        command_line = f"rpart({data.target.name} ~ ., {data.name}, {arguments})$cptable"
        version = f"{found['version']} on R {found['R']}"
        source = {"program": "rpart", "version": version, "command": command_line}
        columns = ("cp", "splits", "relative error", "cross-validated error", "standard error")
        yield _written(source, columns[: len(found["rows"][0])], found["rows"][::-1])


def _ccp_path(recording: PathRecording) -> str:
    data, criterion = recording.tree.rows(), recording.tree.arguments[0]
    model, rows, target = model_of(data, criterion)
    path = model.cost_complexity_pruning_path(rows, target)
    alphas = [float(alpha) for alpha in path.ccp_alphas]
    table = [
        (alpha, float(impurity), leaves_at(data, criterion, alpha, above))
        for alpha, impurity, above in zip(alphas, path.impurities, [*alphas[1:], 2 * alphas[-1]], strict=True)
    ]
    command = f"{type(model).__name__}(criterion={criterion!r}, random_state=0).cost_complexity_pruning_path(...)"
    version = importlib.import_module("sklearn").__version__
    source = {"program": "scikit-learn", "version": version, "command": f"{command} on {data.name}"}
    return _written(source, ("ccp_alpha", "impurity", "leaves"), table)


def leaves_at(data: DataSet, criterion: str, alpha: float, above: float) -> int | None:
    """The leaves of the tree fitted with an alpha between two of the sequence."""
    if above - alpha <= 1e-12 * above:
        return None
    model, rows, target = model_of(data, criterion, (alpha + above) / 2)
    return int(model.fit(rows, target).get_n_leaves())


def model_of(data: DataSet, criterion: str, alpha: float = 0.0) -> tuple[Any, list[list[float]], Sequence[float]]:
    """The model that grows the recorded tree, its rows and its target."""
    trees = importlib.import_module("sklearn.tree")
    name = "DecisionTreeRegressor" if data.target.values is None else "DecisionTreeClassifier"
    *columns, target = zip(*data.numbers(), strict=True)
    rows = [list(row) for row in zip(*columns, strict=True)]
    return getattr(trees, name)(criterion=criterion, random_state=0, ccp_alpha=alpha), rows, target


def _written(source: dict[str, str], columns: Sequence[str], rows: Sequence[Sequence[float | None]]) -> str:
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    return f'{{"source": {json.dumps(source)},\n "columns": {json.dumps(columns)},\n "rows": [\n{lines}\n ]}}\n'


if __name__ == "__main__":
    for recorded, text in run([*PATHS, *CROSS_VALIDATED]).items():
        recorded.path.parent.mkdir(exist_ok=True)
        recorded.path.write_text(text, encoding="utf-8")
