"""The grid: what each kind of work takes, in CPU time, as a ratio to another program that does it on the same rows.

    python -m tools.benchmarks.grid [--only PATTERN] [--part cells|growth] [--limit SECONDS]
                                    [--json FILE] [--against FILE] [--package PATH]

PATTERN is a regular expression that a name has to match; FILE holds the figures of a run, to be compared with later
ones; PATH is where another copy of the package lies.

Growing goes from a table in memory to the tree, the sorting and counting of its rows included, and so does the other
program's. Reading and typing the data is left out, but where it is what is measured. Both take turns in one process,
and each time is the least of several: the first turn warms up. Where there is only time for one turn, it is that.
A cell is a process of its own, which is ended when one turn takes more than the limit.

*Growth* is the exponent of the time as its size doubles, the slope of a line through the logarithms. Work that is read
once from the data, and sorted, stays below 1.25.
"""

from __future__ import annotations

import argparse
import csv
import gc
import json
import math
import multiprocessing
import os
import platform
import re
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import tools.package  # isort: split

import reference_tree as rt
from reference_tree.pruning.choosing_alpha import choose
from reference_tree.pruning.cost_complexity import pruning_path
from reference_tree.selection.cross_validation import folds
from tools.benchmarks.generated import Case, book, categorical, continuous, draws, layered, numeric, scattered
from tools.benchmarks.programs import fresh

MOST_TURNS, ENOUGH = 30, 1.5
"""So many turns at most, and no more once they have taken so many seconds."""

Run = Callable[[], object]


class Work(NamedTuple):
    """What is to be done, here and elsewhere."""

    ours: Run
    theirs: Run | None = None


class Found(NamedTuple):
    """What it took, as far as it was done: seconds, or bytes a row."""

    ours: float | None = None
    theirs: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours to theirs; or ours alone, where there is nobody else."""
        return self.ours if self.ours is None or self.theirs is None else self.ours / self.theirs


class Kind(NamedTuple):
    """A kind of work, of some size."""

    name: str
    """With braces where the size belongs."""
    make: Callable[[int], Work]
    """Puts everything in place: that is not measured."""
    cells: Sequence[int]
    """The sizes in the grid."""
    growth: tuple[int, int] | None = None
    """The least and the largest of the sizes, each twice the one before, over which growth is measured."""
    beside: str = "scikit-learn"


# What is done.


def fitting(case: Case, criterion: str) -> Run:
    """scikit-learn's tree of the same rows, a missing value being a NaN."""
    numpy, trees = import_module("numpy"), import_module("sklearn.tree")
    rows, labels = numpy.array(case.rows, dtype=float), numpy.array(case.labels)
    weights = None if case.weights is None else numpy.array(case.weights)
    kind = trees.DecisionTreeClassifier if isinstance(case.labels[0], str) else trees.DecisionTreeRegressor
    return lambda: kind(criterion=criterion, random_state=0).fit(rows, labels, sample_weight=weights)


def growing(learner: Any, criterion: str, case_of: Callable[[int], Case], size: int) -> Work:
    """A full tree."""
    case = case_of(size)
    table = case.table()
    return Work(lambda: learner.grow(fresh(table)), fitting(case, criterion))


def boosting(criterion: Any, rounds: int, rows: int) -> Work:
    """Rounds of AdaBoost with stumps."""
    case = continuous(rows)
    table, numpy = case.table(), import_module("numpy")
    stump = rt.CART(criterion=criterion, max_depth=1, min_samples_split=0, min_samples_leaf=0)
    learner = rt.AdaBoost(base=stump, trees=rounds, algorithm="samme")
    trees, ensemble = import_module("sklearn.tree"), import_module("sklearn.ensemble")
    x, y = numpy.array(case.rows, dtype=float), numpy.array(case.labels)
    theirs = ensemble.AdaBoostClassifier(trees.DecisionTreeClassifier(max_depth=1), n_estimators=rounds, random_state=0)
    return Work(lambda: learner.grow(fresh(table)), lambda: theirs.fit(x, y))


def predicting(case_of: Callable[..., Case], learner: Any, at_once: bool, size: int) -> Work:
    """The answers of a tree of 1 000 rows to others: row by row, or to all of a table, if there is a way."""
    grown, asked = case_of(1000), case_of(size, seed=2)
    table, theirs = asked.table(), fitting(grown, "gini")()
    tree, rows = learner.grow(grown.table()), list(table.rows())
    cells = import_module("numpy").array(asked.rows, dtype=float)
    if at_once and find_spec("reference_tree.routing") is None:
        raise NotImplementedError
    ours = partial(tree.predict, table) if at_once else lambda: [tree.predict(row) for row in rows]
    return Work(ours, lambda: theirs.predict(cells))  # type: ignore[attr-defined]


def decimals(size: int) -> list[list[float]]:
    """Rows of ten numbers of six decimals, and a class."""
    draw = draws(1)
    return [[*(round(number, 6) for number in islice(draw, 10)), int(2 * next(draw))] for _ in range(size)]


def written(size: int) -> Path:
    """Such rows in a file."""
    path = Path("decimals.csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[*"abcdefghij", "y"], *decimals(size)])
    return path


def reading(size: int) -> Work:
    """A table from a file, beside its cells as texts."""
    path = written(size)

    def texts() -> object:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    return Work(lambda: rt.read(path, categorical=["y"]), texts)


def from_lists(size: int) -> Work:
    """A table from lists of floats."""
    columns = dict(zip([*"abcdefghij", "y"], map(list, zip(*decimals(size), strict=True)), strict=True))
    return Work(lambda: rt.Table.from_columns(columns, categorical=["y"]))


def holding(sampled: bool, size: int) -> Work:
    """A table, or one with its sample, beside an array of floats."""
    path, numpy = written(size), import_module("numpy")

    def held() -> object:
        table = rt.read(path, categorical=["y"])
        sample = table.sample() if sampled else None
        for attribute in table.schema.attributes if sample else ():
            sample.ordered(attribute.name)  # type: ignore[union-attr]
        return table, sample

    return Work(held, lambda: numpy.ones((size, 10)))


def path_by_entropy(size: int) -> Work:
    """The sequence of prunings of a tree that has grown."""
    case = continuous(size)
    tree, theirs = rt.CART(criterion="entropy").grow(case.table()), fitting(case, "entropy")()
    path_of = import_module("sklearn.tree._tree").ccp_pruning_path
    return Work(lambda: pruning_path(tree, risk="entropy"), lambda: path_of(theirs.tree_))  # type: ignore[attr-defined]


def by_folds(size: int) -> Work:
    """α by ten-fold cross-validation, beside growing once."""
    table, fit = continuous(size).table(), rt.CART().grow
    held_out = folds(table, 10, seed=1)
    return Work(lambda: choose(fit, fresh(table), held_out), lambda: fit(fresh(table)))


def explaining(learner: Any, size: int) -> Work:
    """The whole derivation of a tree, beside growing it."""
    table = continuous(size).table()
    tree = learner.grow(table)
    return Work(lambda: rt.explain(tree, fresh(table)), lambda: learner.grow(fresh(table)))


def margin(learner: Any, size: int) -> Work:
    """By how much the best question at the root is better than the next, beside growing the tree."""
    table = continuous(size).table()
    return Work(lambda: learner.decide(fresh(table).sample()).margin, lambda: learner.grow(fresh(table)))


def noise(rows: int) -> Case:
    """Classes by chance alone."""
    return continuous(rows, wrong=0.5)


def lacking(case_of: Callable[[int], Case], rows: int) -> Case:
    """Rows of which every twentieth value is missing."""
    return case_of(rows).lacking(0.05)


def weighing(case_of: Callable[[int], Case], whole: bool, rows: int) -> Case:
    """Rows of different weight."""
    return case_of(rows).weighing(whole)


ZHOU, RELEASE_8 = rt.C45.like("zhou"), rt.C45.like("c45-r8")
GINI, ENTROPY, NUMBERS = rt.CART(criterion="gini"), rt.CART(criterion="entropy"), rt.CART(criterion="squared_error")
SAMPLE_VARIANCE, ABSOLUTE = rt.CART(criterion="variance_n_minus_1"), rt.CART(criterion="absolute_error")

KINDS = [
    Kind("CART entropy, {} x 10 continuous", partial(growing, ENTROPY, "entropy", continuous), [10_000], (500, 8000)),
    Kind("CART Gini, {} x 10 continuous", partial(growing, GINI, "gini", continuous), [10_000], (500, 8000)),
    Kind("CART entropy, iris", partial(growing, ENTROPY, "entropy", lambda _: book("iris")), [150]),
    Kind("CART Gini, iris", partial(growing, GINI, "gini", lambda _: book("iris")), [150]),
    Kind("CART entropy, {} x 10 noise", partial(growing, ENTROPY, "entropy", noise), [150, 300], (150, 2400)),
    Kind("CART Gini, {} x 10 noise", partial(growing, GINI, "gini", noise), [150, 300], (150, 2400)),
    Kind("CART Gini, 1000 x {} continuous", partial(growing, GINI, "gini", partial(continuous, 1000)), [], (5, 40)),
    Kind("ID3, {} x 10 categorical", partial(growing, rt.ID3(), "entropy", categorical), [150, 10_000], (500, 8000)),
    Kind("ID3, play tennis", partial(growing, rt.ID3(), "entropy", lambda _: book("play-tennis")), [14]),
    Kind("C4.5 zhou, {} x 10 continuous", partial(growing, ZHOU, "entropy", continuous), [1000], (250, 4000)),
    Kind("C4.5 release 8, {} x 10 continuous", partial(growing, RELEASE_8, "entropy", continuous), [1000], (250, 4000)),
    Kind(
        "CART Gini, 1000 x 10 continuous, {} classes",
        partial(growing, GINI, "gini", partial(layered, 1000)),
        [3, 10, 100],
        (4, 128),
    ),
    Kind("CART Gini, {} x 10 continuous, a class a row", partial(growing, GINI, "gini", scattered), [200], (50, 400)),
    Kind(
        "ID3, 10000 x 10 categorical, {} classes",
        lambda size: growing(rt.ID3(), "entropy", lambda classes: categorical(10_000, classes=classes), size),
        [100, 300, 1000],
        (64, 512),
    ),
    Kind(
        "ID3, 2000 x 10 categorical of {} values",
        lambda size: growing(rt.ID3(), "entropy", lambda values: categorical(2000, values=values), size),
        [1000],
        (64, 512),
    ),
    Kind(
        "CART Gini, {} x 10 continuous, whole weights",
        partial(growing, GINI, "gini", partial(weighing, continuous, True)),
        [1000],
        (250, 4000),
    ),
    Kind(
        "CART Gini, {} x 10 continuous, float weights",
        partial(growing, GINI, "gini", partial(weighing, continuous, False)),
        [1000],
        (250, 4000),
    ),
    Kind(
        "ID3, {} x 10 categorical, float weights",
        partial(growing, rt.ID3(), "entropy", partial(weighing, categorical, False)),
        [150, 1000],
        (250, 4000),
    ),
    Kind(
        "C4.5, {} x 10 continuous, 5 % missing",
        partial(growing, rt.C45(), "entropy", partial(lacking, continuous)),
        [150, 300],
        (75, 600),
    ),
    Kind(
        "C4.5, {} x 10 categorical, 5 % missing",
        partial(growing, rt.C45(), "entropy", partial(lacking, categorical)),
        [150, 300],
        (75, 600),
    ),
    Kind(
        "squared error, {} x 10", partial(growing, NUMBERS, "squared_error", numeric), [150, 1000, 10_000], (250, 4000)
    ),
    Kind("variance by n - 1, {} x 10", partial(growing, SAMPLE_VARIANCE, "squared_error", numeric), [150], (40, 320)),
    Kind(
        "absolute error, {} x 10",
        partial(growing, ABSOLUTE, "absolute_error", numeric),
        [50, 100, 200, 1000],
        (25, 400),
    ),
    Kind("AdaBoost, 50 stumps by Gini, {} x 10", partial(boosting, "gini", 50), [1000], (250, 2000)),
    Kind("AdaBoost, 50 stumps by mistakes, {} x 10", partial(boosting, "misclassification", 50), [1000], (250, 2000)),
    Kind("reading {} x 10 decimals from CSV", reading, [100_000], (2500, 20_000), "the module csv alone"),
    Kind("a table of {} x 10 floats in lists", from_lists, [100_000], (2500, 20_000), "nobody"),
    Kind("memory of {} x 10 decimals", partial(holding, False), [100_000], None, "numpy"),
    Kind("memory of {} x 10 decimals and a sample", partial(holding, True), [100_000], None, "numpy"),
    Kind("predicting {} rows of numbers, one by one", partial(predicting, continuous, GINI, False), [10_000]),
    Kind("predicting {} rows of codes, one by one", partial(predicting, categorical, rt.ID3(), False), [10_000]),
    Kind("predicting {} rows of numbers at once", partial(predicting, continuous, GINI, True), [100_000]),
    Kind("path by entropy, tree of {} rows", path_by_entropy, [11_000], (500, 8000)),
    Kind("α by 10 folds, {} rows", by_folds, [1000, 3000], (250, 2000), "growing once"),
    Kind("explain C4.5, {} x 10", partial(explaining, rt.C45()), [1000], (60, 480), "growing once"),
    Kind("explain CART, {} x 10", partial(explaining, GINI), [1000], (60, 480), "growing once"),
    Kind("margin of C4.5 at the root, {} x 10", partial(margin, rt.C45()), [1000], (250, 1000), "growing once"),
    Kind("margin of CART at the root, {} x 10", partial(margin, GINI), [1000], (250, 1000), "growing once"),
]


# How it is measured.


def seconds(run: Run) -> float:
    """The CPU time of one turn."""
    start = time.process_time()
    run()
    return time.process_time() - start


def bytes_of(run: Run) -> int:
    """The memory of what a run leaves."""
    tracemalloc.start()
    kept = run()
    gc.collect()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return held


def turns(work: Work) -> Iterator[Found]:
    """The least of the times so far, as often as there is more to tell."""
    ours, theirs = math.inf, math.inf
    taken = 0.0
    for _ in range(MOST_TURNS):
        if work.theirs:
            theirs = min(theirs, *(seconds(work.theirs) for _ in range(3)))
            yield Found(None if ours == math.inf else ours, theirs)
        last = seconds(work.ours)
        ours, taken = min(ours, last), taken + last
        yield Found(ours, theirs if work.theirs else None)
        if taken > ENOUGH:
            return


def weighed(work: Work, size: int) -> Iterator[Found]:
    """Bytes a row."""
    assert work.theirs
    yield Found(bytes_of(work.ours) / size, bytes_of(work.theirs) / size)


def _told(told: Connection, kind: Kind, size: int, alone: bool) -> None:
    try:
        work = kind.make(size)
    except NotImplementedError:
        return
    told.send(Found())
    work = work._replace(theirs=None) if alone else work
    for found in weighed(work, size) if kind.name.startswith("memory") else turns(work):
        told.send(found)


def measured(kind: Kind, size: int, limit: int, alone: bool = False) -> tuple[Found | None, bool]:
    """What a process of its own found, if it was ready before the limit; and whether it had to be ended."""
    context = multiprocessing.get_context("fork")
    patience = 5 * limit if kind.name.startswith("memory") else limit  # whoever counts each byte takes his time
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_told, args=(sender, kind, size, alone))
    process.start()
    sender.close()
    clock = ~(process.pid or 0) << 3 | 2  # the CPU clock of another process, as Linux numbers them
    found: Found | None = None
    since = 0.0
    try:
        while True:
            if receiver.poll(0.2):
                found, since = receiver.recv(), time.clock_gettime(clock)
            elif time.clock_gettime(clock) - since > patience:
                process.kill()
                return found, True
    except EOFError:
        return found, False
    finally:
        process.join()


# What is printed.


def spelled(number: float | None, digits: int = 3) -> str:
    """A number to some digits, or a dash."""
    if number is None:
        return "-"
    return f"{number:.{digits}g}" if abs(number) < 10**digits else f"{number:,.0f}".replace(",", " ")


def row(*cells: str) -> None:
    """A line of a table."""
    print("|", " | ".join(cells), "|", flush=True)


def cell_row(name: str, kind: Kind, found: Found | None, ended: bool, limit: int, before: Any) -> dict[str, Any]:
    """Print a cell, and give what is kept of it."""
    told = f"> {limit} s" if found else f"> {limit} s to begin"
    found = found or Found()
    over = ended and found.ours is None
    least = Found(limit, found.theirs).ratio if over and found.theirs else None
    cells = [name, told if over else spelled(found.ours), spelled(found.theirs), kind.beside]
    cells.append(f"> {spelled(least)}" if least else spelled(found.ratio))
    if before is not None:
        then = Found(before.get("ours"), before.get("theirs")).ratio
        change = (found.ratio or least or 0) / then if then else 0
        cells.append(f"> {before['limit']} s" if before.get("limit") else spelled(then))
        cells.append(("> " if least else "") + f"{change:.2f}" if change else "-")
    row(*cells)
    return {**found._asdict(), "beside": kind.beside, "limit": limit if over else None}


def grid(kinds: Sequence[Kind], limit: int, against: Any) -> dict[str, Any]:
    """Every cell."""
    compared = ["before", "ratio to before"] if against else []
    row("cell", "ours", "theirs", "beside", "ratio", *compared)
    row(":--", "--:", "--:", ":--", "--:", *["--:" for _ in compared])
    kept = {}
    for kind in kinds:
        for size in kind.cells:
            name = kind.name.format(size)
            before = against.get("cells", {}).get(name, {}) if against else None
            kept[name] = cell_row(name, kind, *measured(kind, size, limit), limit, before)
    return kept


def slope(sizes: Sequence[int], times: Sequence[float]) -> float | None:
    """The exponent: the slope of the line of least squares through the logarithms."""
    xs, ys = [math.log(size) for size in sizes], [math.log(each) for each in times]
    if len(xs) < 2:
        return None
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def growth(kinds: Sequence[Kind], limit: int, against: Any) -> dict[str, Any]:
    """How the time of every kind grows, as far as the limit allows."""
    row("growth", "sizes", "seconds", "exponent", *(["before"] if against else []))
    row(":--", ":--", ":--", "--:", *(["--:"] if against else []))
    kept = {}
    for kind in kinds:
        if kind.growth is None:
            continue
        size, last = kind.growth
        sizes: list[int] = []
        times: list[float] = []
        while size <= last and not (times and times[-1] > limit / 4):
            found, _ = measured(kind, size, limit, alone=True)
            if found is None or found.ours is None:
                break
            sizes.append(size)
            times.append(found.ours)
            size *= 2
        exponent = slope(sizes, times)
        flag = " (!)" if exponent is not None and exponent > 1.25 else ""
        told = [", ".join(map(str, sizes)), ", ".join(map(spelled, times)), spelled(exponent) + flag]
        before = [spelled(against.get("growth", {}).get(kind.name, {}).get("exponent"))] if against else []
        row(kind.name.format("n"), *told, *before)
        kept[kind.name] = {"sizes": sizes, "seconds": times, "exponent": exponent}
    return kept


def main() -> None:
    """Print the tables, or those that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="PATTERN", default="")
    parser.add_argument("--part", choices=["cells", "growth"])
    parser.add_argument("--limit", metavar="SECONDS", type=int, default=20)
    parser.add_argument("--json", metavar="FILE", type=Path)
    parser.add_argument("--against", metavar="FILE", type=Path)
    parser.add_argument("--package", metavar="PATH", help=tools.package.__doc__)
    options = parser.parse_args()
    against = json.loads(options.against.read_text(encoding="utf-8")) if options.against else None
    asked = [kind for kind in KINDS if re.search(options.only, kind.name)]
    for name in ("numpy", "sklearn.tree"):  # once, before any process is forked
        import_module(name)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"{python}, scikit-learn {import_module('sklearn').__version__}, {platform.machine()}\n")
    kept: dict[str, Any] = {"python": python}
    where = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if options.part != "growth":
            kept["cells"] = grid(asked, options.limit, against)
            print()
        if options.part != "cells":
            kept["growth"] = growth(asked, options.limit, against)
        os.chdir(where)
    if options.json:
        options.json.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
