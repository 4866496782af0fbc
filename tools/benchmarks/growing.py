"""How long full trees take to grow, as ratios to other programs on the same rows.

    python -m tools.benchmarks.growing [--peers PYTHON] [--large]

`PYTHON` is an interpreter of an environment with the other learners that are written in Python. `--large` adds 100 000
rows. What else the package does, and how its time grows, is measured by `tools.benchmarks.grid`.
"""

from __future__ import annotations

import argparse
import math
import platform
import resource
from collections.abc import Mapping
from itertools import chain

from tools.benchmarks import programs
from tools.benchmarks.generated import Case, book, categorical, continuous


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


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", metavar="PYTHON")
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    print(platform.python_implementation(), platform.python_version(), platform.machine())
    sizes = [1000, 10_000, *([100_000] if options.large else [])]
    # One case after the other: what lies about in memory takes time.
    for case in chain([book("iris")], map(continuous, sizes), map(categorical, sizes[:2])):
        ratios(case, options.peers)
    ratios(categorical(10_000, classes=300), None)
    print(f"\nmost memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
