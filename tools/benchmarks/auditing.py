"""What an audit takes: scikit-learn's trees of four public tables, and one of 10^5 rows and ten attributes.

    python -m tools.benchmarks.auditing [ROWS]

Each line is a tree: its nodes, how many are right and by a tie, the seconds of processor time to audit it and for our
own learner to grow one, both per node in milliseconds, and the most memory that the process has had so far. The large
table is drawn from a seed: whole numbers, the class a noisy function of two of them.
"""

from __future__ import annotations

import importlib
import json
import resource
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any, NamedTuple

import reference_tree as rt
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import from_json
from tests.auditing.planted import TABLES, Fitted, fitted


class Measured(NamedTuple):
    """What an audit took."""

    name: str
    nodes: int
    right: int
    tied: int
    audit: float
    grow: float
    megabytes: float

    def __str__(self) -> str:
        each = (1000 * seconds / self.nodes for seconds in (self.audit, self.grow))
        return (
            f"{self.name:22} {self.nodes:6} nodes, {self.right:6} right, {self.tied:5} by a tie; "
            f"audit {self.audit:8.2f} s ({next(each):6.2f} ms a node), grow {self.grow:8.2f} s ({next(each):6.2f} ms); "
            f"{self.megabytes:5.0f} MB"
        )


def measured(name: str, tree: Fitted, learner: Any) -> Measured:
    """Audit a tree, and grow one of the same rows."""
    document = from_json(tree.written)
    started = process_time()
    right = tied = nodes = 0
    for finding in rt.audit(document, tree.table, learner, ranks=False):
        nodes, right, tied = nodes + 1, right + finding.is_right, tied + (finding.verdict == "optimal-tied")
    audited = process_time()
    learner.grow(tree.table.rounded("float32"))
    grown = process_time()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measured(name, nodes, right, tied, audited - started, grown - audited, most)


def large(rows: int, columns: int = 10) -> Fitted:
    """scikit-learn's tree of a large table."""
    numpy, trees = importlib.import_module("numpy"), importlib.import_module("sklearn.tree")
    chance = numpy.random.default_rng(1)
    x = chance.integers(0, 1000, (rows, columns)).astype(float)
    noise = chance.normal(0, 150, rows)
    y = (x[:, 0] + x[:, 1] + noise > 1000).astype(int)
    model = trees.DecisionTreeClassifier(random_state=0).fit(x, y)
    names = [f"x{place}" for place in range(columns)]
    cells = {name: [int(value) for value in x[:, place]] for place, name in enumerate(names)}
    table = rt.Table.from_columns({**cells, "y": [str(one) for one in y]}, "y", categorical=["y"])
    (document,) = read_foreign(model, target="y", attributes=names)
    return Fitted(table, json.dumps(document), x, y, model)


def lines(rows: int) -> Iterator[Measured]:
    """What each audit takes."""
    for name in TABLES:
        criterion = "squared_error" if name == "diabetes" else "gini"
        yield measured(name, fitted(name, criterion), rt.CART.like("scikit-learn", criterion=criterion))
    yield measured(f"{rows} x 10", large(rows), rt.CART.like("scikit-learn"))


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000):
        print(line, flush=True)
