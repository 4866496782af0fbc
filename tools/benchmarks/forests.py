"""How long a hundred trees take to grow, as a ratio to scikit-learn on the same rows.

    python -m tools.benchmarks.forests [--trees 100] [--rows 1000] [--jobs 2]

CPU seconds are those of one process that grows all trees; the seconds that pass are those of several. What is left out
of the bag is told besides, so that equal work is compared.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from reference_tree.ensembles.bagging import Bagging, out_of_bag
from reference_tree.ensembles.random_forest import RandomForest
from tools.benchmarks.generated import Case, continuous
from tools.benchmarks.programs import fresh


class Took(NamedTuple):
    """What growing an ensemble took, and what came of it."""

    cpu: float
    """Seconds, one tree after another."""
    passed: float
    """Seconds, several at once."""
    error: float
    """Out of the bag."""


def measured(grow: Callable[[int], Any], jobs: int) -> tuple[float, float]:
    """CPU seconds with one process, and the seconds that pass with several."""
    cpu = time.process_time()
    grow(1)
    cpu = time.process_time() - cpu
    passed = time.perf_counter()
    grow(jobs)
    return cpu, time.perf_counter() - passed


def ours(case: Case, learner: Bagging, jobs: int) -> Took:
    """This package."""
    table = case.table()
    error = out_of_bag(learner.grow(table), table).error
    return Took(*measured(lambda jobs: learner.grow(fresh(table), jobs=jobs), jobs), float(error or 0))


def scikit_learn(case: Case, name: str, trees: int, jobs: int) -> Took:
    """scikit-learn."""
    numpy, ensembles = import_module("numpy"), import_module("sklearn.ensemble")
    rows, labels = numpy.array(case.rows), numpy.array(case.labels)

    def grow(jobs: int, **options: bool) -> Any:
        model = getattr(ensembles, name)(n_estimators=trees, n_jobs=jobs, random_state=0, **options)
        return model.fit(rows, labels)

    return Took(*measured(grow, jobs), 1 - float(grow(1, oob_score=True).oob_score_))


def show(kind: str, mine: Took, theirs: Took) -> None:
    """A line for each, and the ratios."""
    for name, one in ((kind, mine), (f"{kind}, scikit-learn", theirs)):
        print(f"  {name:24} CPU {one.cpu:8.3f}  passed {one.passed:8.3f}  error out of the bag {one.error:.4f}")
    cpu, passed = mine.cpu / theirs.cpu, mine.passed / theirs.passed
    print(f"  {'ratio':24} CPU {cpu:8.1f}  passed {passed:8.1f}", flush=True)


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    case = continuous(options.rows)
    print(f"{options.trees} trees on {case.name}, {options.jobs} at once")
    trees, jobs = options.trees, options.jobs
    show("bagging", ours(case, Bagging(trees=trees), jobs), scikit_learn(case, "BaggingClassifier", trees, jobs))
    show(
        "forest", ours(case, RandomForest(trees=trees), jobs), scikit_learn(case, "RandomForestClassifier", trees, jobs)
    )


if __name__ == "__main__":
    main()
