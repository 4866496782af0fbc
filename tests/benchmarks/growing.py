"""How long trees take to grow, as ratios to other programs on the same rows.

    python -m tests.benchmarks.growing [--peers PYTHON] [--large] [--only WHAT]

`PYTHON` is an interpreter of an environment with the other learners that are written in Python. `--large` adds 100 000
rows. WHAT is `programs`, `rows`, `attributes`, `depth` or `gaps`.
"""

from __future__ import annotations

import argparse
import math
import platform
import resource
import time
from collections.abc import Iterable, Mapping
from itertools import chain

from reference_tree.learners.c45 import C45
from tests.benchmarks import programs
from tests.benchmarks.generated import Case, categorical, continuous, iris


def ratios(case: Case, python: str | None) -> None:
    """Seconds for every program, what it grew, and the ratio of ours to each."""
    own = programs.ours(case)
    others = {**programs.scikit_learn(case), **programs.rpart(case), **programs.j48(case)}
    for name in programs.PEERS if python else ():
        if found := programs.peer(name, python or "", case):
            others[name] = found
    print(f"\n{case.name}")
    everybody = {**own, **others}
    show("seconds", {name: grown.seconds for name, grown in everybody.items()})
    known = {name: grown for name, grown in everybody.items() if not math.isnan(grown.leaves)}
    show("leaves", {name: grown.leaves for name, grown in known.items()}, digits=0)
    show("training accuracy", {name: grown.accuracy for name, grown in known.items()}, digits=3)
    for name, mine in own.items():
        figures = {other: mine.seconds / theirs.seconds for other, theirs in others.items() if theirs.seconds}
        show(f"{name} over", figures, digits=3)


def show(what: str, figures: Mapping[str, float], digits: int = 4) -> None:
    """One line of figures."""
    print(f"  {what:22}", "  ".join(f"{name} {number:.{digits}f}" for name, number in figures.items()), flush=True)


def growth(what: str, cases: Iterable[tuple[int, Case, int | None]]) -> None:
    """How the time grows: seconds, and the exponent of the growth from one line to the next."""
    print(f"\nthe scan by gain, with {what}")
    last: tuple[int, float] | None = None
    for size, case, max_depth in cases:
        table = case.table()
        seconds = programs.least(lambda: programs.scanned(programs.fresh(table), "gain", max_depth))  # noqa: B023
        others = programs.scikit_learn(case, max_depth)
        figures = {"seconds": seconds, **{name: grown.seconds for name, grown in others.items()}}
        if last is not None:
            figures["exponent"] = math.log(seconds / last[1]) / math.log(size / last[0])
        show(str(size), figures)
        last = size, seconds


def gaps() -> None:
    """How long C4.5 takes where every fifth value is missing, so that rows divide again and again."""
    print("\nC4.5, every fifth value missing")
    for case in (iris(), continuous(300), continuous(1000), categorical(1000)):
        table = case.table(missing=0.2)
        for least in (2, 0) if len(case.rows) < 1000 else (2,):
            learner, start = C45(min_samples_leaf=least), time.process_time()
            tree = learner.grow(table)
            seconds = time.process_time() - start
            figures = {"seconds": seconds, "nodes": len(tree.nodes), "depth": max(tree.depths())}
            show(f"{case.name}, leaves of {least} at least", figures, digits=2)


def main() -> None:
    """Print everything, or what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", metavar="PYTHON")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--only", choices=["programs", "rows", "attributes", "depth", "gaps"])
    options = parser.parse_args()
    print(platform.python_implementation(), platform.python_version(), platform.machine())
    sizes = [1000, 10_000, *([100_000] if options.large else [])]
    if options.only in (None, "programs"):
        # One case after the other: what lies about in memory takes time.
        for case in chain([iris()], map(continuous, sizes), map(categorical, sizes[:2])):
            ratios(case, options.peers)
        ratios(categorical(10_000, classes=300), None)
    if options.only in (None, "rows"):
        growth("the number of rows", ((n, continuous(n), None) for n in (500, 1000, 2000, 4000, 8000, 16_000)))
    if options.only in (None, "attributes"):
        growth("the number of attributes", ((m, continuous(2000, m), None) for m in (5, 10, 20, 40)))
    if options.only in (None, "depth"):
        growth("the depth", ((d, continuous(4000), d) for d in (2, 4, 8, 16)))
    if options.only in (None, "gaps"):
        gaps()
    print(f"\nmost memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
