"""Ablation: what each part of the engine earns.

    python -m tools.benchmarks.ablation [--only PATTERN]

PATTERN is a regular expression that the name of a part has to match.

Each part is switched off by itself: the textbook function answers in its place, or a plainer form of the engine. Some
cells of the grid are done with it and without it, in turns, in one process; each time is the least of several. *Lines*
are those of the modules, classes and functions that would go. What earns nothing anywhere does not stay.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple
from unittest.mock import patch

import reference_tree as rt
from reference_tree.data.questions import Threshold
from reference_tree.engine import (
    bisection,
    counting,
    deferred,
    derivative_columns,
    enclosed_scores,
    enclosures,
    gradient_scans,
    integer_columns,
    long_logarithms,
    margins,
    medians,
    polynomials,
    raised_branches,
    scans,
    short_exponentials,
    square_scans,
    store,
    subsets,
    trees_of_bits,
    trees_of_cuts,
    trees_of_gradients,
    trees_of_ratios,
    trees_of_sets,
    trees_of_values,
    walks,
    weakest_links,
    whole_rows,
    whole_trees,
)
from reference_tree.engine.bisection import _changes, boundaries
from reference_tree.engine.counting import Packed, _kind, _mixed, _near, packed_of
from reference_tree.engine.enclosed_scores import _signature, mixture
from reference_tree.engine.enclosures import Enclosed
from reference_tree.engine.integer_columns import SortedRun, place_of, taker
from reference_tree.engine.store import Store
from reference_tree.engine.whole_rows import WeightSums, WholeRows, spread, times
from reference_tree.exact.exponentials import softmax_bounds
from reference_tree.learners.cart import AttributeTests
from reference_tree.twins import FAST_FORMS
from tools.benchmarks.generated import categorical, continuous, numeric
from tools.benchmarks.grid import KINDS, Kind, Work, growing, row, seconds, spelled
from tools.benchmarks.predicting import frame_of

ENOUGH, TURNS = 2.0, 20
"""So many seconds, or so many turns, are enough."""

Off = Callable[[], Any]
"""What switches a part off, as a context."""


class Part(NamedTuple):
    """A part of the engine."""

    name: str
    off: Off
    source: Sequence[object]
    """What would go."""
    cells: Sequence[tuple[str, int]]
    """Where it is measured: kinds of work of the grid, and sizes."""


# What is switched off, and how.


def book(*names: str) -> Off:
    """Some textbook functions answer themselves."""

    @contextmanager
    def off() -> Iterator[None]:
        fast_forms = {name: FAST_FORMS.pop(name) for name in names}
        try:
            yield
        finally:
            FAST_FORMS.update(fast_forms)

    return off


def plain(owner: object, name: str, form: object) -> Off:
    """A plainer form is in the place of a function or a bound."""
    return partial(patch.object, owner, name, form)


def nothing(*_: object, **__: object) -> None:
    """A function that never has an answer."""


def multiplied(whole: Any, units: Any, unknown: Any, places: Any) -> tuple[Any, ...]:
    """Rows that are multiplied by their units at once."""
    return tuple(spread(map(times, row, units), places) for row in whole)


def every_cut(labels: object, cuts: bytes, n: int) -> bytes:
    """All cuts, boundary points or not."""
    return cuts


def every_item(items: Sequence[object], kinds: object) -> list[object]:
    """All items, of one kind or not."""
    return list(items)


def all_beside(questions: AttributeTests, winners: object) -> Iterator[Any]:
    """Every question."""
    return questions.candidates()


def sought_again(sample: object, key: object, find: Callable[[], object]) -> object:
    """A search, each time."""
    return find()


def plain_cells(sample: Store, rows: Sequence[int]) -> Sequence[int]:
    """The classes of some rows, as integers."""
    return taker(rows)(sample.counted.of)


_sorted = Store._sorted


def with_ranks(sample: Store, name: str, rows: Sequence[int]) -> SortedRun:
    """Rows sorted by an attribute with their ranks, whether or not two are equal."""
    run = _sorted(sample, name, rows)
    return run._replace(ranks=sample.values_of(name, run.rows))


@contextmanager
def rounded_squares() -> Iterator[None]:
    """Squares of few rows are doubles, as those of many are."""
    tables = (square_scans._inverses, square_scans._variance_terms)
    with patch.object(square_scans, "FEW", 1):
        for table in tables:
            table.cache_clear()
        yield
    for table in tables:
        table.cache_clear()


@contextmanager
def every_test_of_gradients() -> Iterator[None]:
    """Every test is judged exactly."""
    with patch.object(trees_of_gradients, "grown", nothing), book("best_splits")():
        yield


def of_the_book(top: int, bottom: int) -> int:
    """A probability by the exponentials of the book."""
    low, _ = softmax_bounds([0, Fraction(-top, bottom)], short_exponentials.PLACES)[0]
    return low


def pruning(size: int) -> Work:
    """Error-based pruning of a full tree of C4.5."""
    table, learner = continuous(size).table(), rt.C45()
    tree = learner.grow(table)
    return Work(lambda: rt.prune(tree, "error-based", table), nothing)


def explaining(size: int) -> Work:
    """The explanation of a tree."""
    table = continuous(size).table()
    tree = rt.CART(max_depth=4).grow(table)
    return Work(lambda: rt.explain(tree, table), nothing)


def predicting(size: int) -> Work:
    """The answers to the rows of a frame."""
    training, asked = frame_of(2000, 1), frame_of(size, 2).drop(columns="y")
    tree = rt.CART(max_depth=8).grow(rt.Table.from_frame(training))
    return Work(lambda: tree.predict(asked), nothing)


def voting(size: int) -> Work:
    """The answers of a forest to the rows of a table."""
    table = continuous(size).table()
    forest = rt.RandomForest(trees=20).grow(table)
    return Work(lambda: forest.predict(table), nothing)


# The parts.

NUMBERS, NOISE = ("CART entropy, {} x 10 continuous", 10_000), ("CART Gini, {} x 10 noise", 150)
GINI, SQUARES = ("CART Gini, {} x 10 continuous", 10_000), ("squared error, {} x 10", 1000)
ABSOLUTE, SAMPLE = ("absolute error, {} x 10", 200), ("variance by n - 1, {} x 10", 150)
ID3, FEW_ID3 = ("ID3, {} x 10 categorical", 10_000), ("ID3, {} x 10 categorical", 150)
FLOATS, ID3_FLOATS = (
    ("CART Gini, {} x 10 continuous, float weights", 1000),
    ("ID3, {} x 10 categorical, float weights", 1000),
)
C45, RELEASE_8 = ("C4.5 zhou, {} x 10 continuous", 1000), ("C4.5 release 8, {} x 10 continuous", 1000)
GAPS, NO_VALUE = ("C4.5, {} x 10 continuous, 5 % missing", 150), ("C4.5, {} x 10 categorical, 5 % missing", 300)
CLASSES = ("ID3, 10000 x 10 categorical, {} classes", 300)
ROWS, CODES = "predicting {} rows of numbers, one by one", "predicting {} rows of codes, one by one"
PATH = ("path by entropy, tree of {} rows", 2000)

# Trees of which the learner decides every node.
DECIDED_ID3 = Kind(
    "ID3, {} x 10 categorical, two rows a branch",
    partial(growing, rt.ID3(min_samples_leaf=2), "entropy", categorical),
    [150],
)
DECIDED_ABSOLUTE = Kind(
    "absolute error, {} x 10, at least ε",
    partial(growing, rt.CART(criterion="absolute_error", epsilon=Fraction(1, 10**6)), "absolute_error", numeric),
    [100],
)
FOREST = Kind(
    "five trees of one attribute of ten, {} rows",
    partial(growing, rt.RandomForest(trees=5, attributes=1), "gini", continuous),
    [500],
)
MANY_GAPS = Kind(
    "C4.5, {} x 10 continuous, 20 % missing",
    partial(growing, rt.C45(), "entropy", lambda size: continuous(size).lacking(0.2)),
    [150],
)
BETTER_SIDE = Kind(
    "CART, the better side, {} x 10 continuous, 20 % missing",
    partial(growing, rt.CART(missing="better-side"), "gini", lambda size: continuous(size).lacking(0.2)),
    [150],
)
DECIDED_FLOATS = Kind(
    "C4.5, {} x 10 continuous, float weights",
    partial(growing, rt.C45(), "entropy", lambda size: continuous(size).weighing(False)),
    [300],
)
EXPLAINED = Kind("explanation of CART Gini, depth 4, {} x 10 continuous", lambda size: explaining(size), [1000])
VOTES = Kind("predicting {} rows by twenty trees", lambda size: voting(size), [1000])
SETS = Kind("CART Gini, {} x 10 categorical", partial(growing, rt.CART(), "gini", categorical), [1000])
FEW = Kind(
    "CART Gini, {} x 10 numbers of four values",
    partial(growing, rt.CART(), "gini", lambda size: categorical(size)._replace(categorical=False)),
    [10_000],
)
GRADIENTS = Kind(
    "three rounds of boosting, {} x 10",
    partial(growing, rt.GradientBoosting(trees=3), "squared_error", numeric),
    [200],
)
LOGISTIC = Kind(
    "fifty rounds of boosting two classes, {} x 10",
    partial(growing, rt.GradientBoosting(trees=50), "gini", continuous),
    [1000],
)
RAISED = Kind("error-based pruning, {} x 10", lambda size: pruning(size), [1000])
WORK = {
    kind.name: kind
    for kind in (*KINDS, DECIDED_ID3, DECIDED_ABSOLUTE, FOREST, MANY_GAPS, SETS, GRADIENTS, LOGISTIC, RAISED)
}
FRAMED = Kind("predicting {} rows of a frame at once", lambda size: predicting(size), [100_000])
WORK |= {kind.name: kind for kind in (BETTER_SIDE, DECIDED_FLOATS, EXPLAINED, FEW, FRAMED, VOTES)}

BOOSTED = [(GRADIENTS.name, 200), (LOGISTIC.name, 1000)]

PARTS = [
    # Textbook functions in the place of their fast forms.
    Part("the store", book("whole_sample"), [store, integer_columns], [NOISE, FEW_ID3]),
    Part("cuts by estimates", book("promising_cuts"), [bisection, scans, square_scans], [GAPS, RELEASE_8]),
    Part("number of cuts", book("number_of_cuts"), [bisection.number_of_cuts], [RELEASE_8]),
    Part("attributes by estimates", book("best_multiway"), [counting], [(DECIDED_ID3.name, 150)]),
    Part("enclosed scores", book("decisive_score"), [enclosures, enclosed_scores], [C45, GAPS, NO_VALUE, CLASSES]),
    Part("medians", book("by_values", "deviations"), [medians], [(DECIDED_ABSOLUTE.name, 100)]),
    Part("weakest links in line", book("weakest_first"), [weakest_links], [PATH]),
    Part("trees of cuts", plain(trees_of_cuts, "grown", nothing), [trees_of_cuts], [NUMBERS, NOISE, SQUARES]),
    Part("trees of bits", plain(trees_of_bits, "grown", nothing), [trees_of_bits], [(FEW.name, 10_000)]),
    Part("trees of sets", plain(trees_of_sets, "grown", nothing), [trees_of_sets], [(SETS.name, 1000)]),
    Part("trees of values", plain(trees_of_values, "grown", nothing), [trees_of_values], [ID3, FEW_ID3]),
    Part("trees of ratios", plain(trees_of_ratios, "grown", nothing), [trees_of_ratios], [C45, GAPS, NO_VALUE]),
    Part(
        "gradients by estimates",
        every_test_of_gradients,
        [gradient_scans, derivative_columns.Doubles, derivative_columns.Bounds, derivative_columns.RowDerivatives],
        [(GRADIENTS.name, 200)],
    ),
    Part("trees of gradients", plain(trees_of_gradients, "grown", nothing), [trees_of_gradients], BOOSTED),
    Part("margins as integers", book("derived", "updated_margins"), [margins, short_exponentials], BOOSTED),
    Part("values added once a leaf", book("updated_margins"), [margins.updated_margins], BOOSTED),
    Part("sets by integers", book("promising_subsets"), [subsets], [(SETS.name, 1000)]),
    Part("branches that are tried", book("arriving"), [raised_branches], [(RAISED.name, 1000)]),
    Part("values by ranks", book("values_around"), [bisection.values_around], [(RAISED.name, 1000)]),
    Part("walks", book("ends", "ends_of_row"), [walks], [(ROWS, 10_000), (CODES, 10_000), (FRAMED.name, 100_000)]),
    Part("shares on demand", book("branch_shares"), [whole_rows.branch_shares], [C45, GAPS, (MANY_GAPS.name, 150)]),
    Part("rows without a value", book("without_value"), [store.without_value], [(BETTER_SIDE.name, 150), RELEASE_8]),
    # Plainer forms of the engine.
    Part("whole rows", plain(store, "WholeRows", multiplied), [WholeRows], [FLOATS, (DECIDED_FLOATS.name, 300), GAPS]),
    Part(
        "next best by estimates",
        plain(AttributeTests, "beside", all_beside),
        [bisection._but],
        [(EXPLAINED.name, 1000)],
    ),
    Part("drawn attributes", plain(trees_of_cuts, "AmongSome", ()), [], [(FOREST.name, 500)]),
    Part(
        "deferred weights",
        plain(deferred, "SHORT", 2**60),
        [deferred, polynomials, long_logarithms],
        [(MANY_GAPS.name, 150)],
    ),
    Part("sums of weights taken once", plain(store, "WeightSums", nothing), [WeightSums], [(MANY_GAPS.name, 150)]),
    Part("places by integers", plain(walks, "place_of", Threshold.place_in), [place_of], [(VOTES.name, 1000)]),
    Part("exponentials by tables", plain(margins, "logistic_floor", of_the_book), [short_exponentials], BOOSTED[1:]),
    Part("boundary points", plain(bisection, "boundaries", every_cut), [boundaries, _changes], [NUMBERS, GINI]),
    Part("a search made once", plain(Store, "once", sought_again), [Store.once], [C45, RELEASE_8, GAPS]),
    Part("classes as bytes", plain(Store, "cells", plain_cells), [Store.cells], [NUMBERS, GINI, FLOATS]),
    Part("no ranks if all values differ", plain(Store, "_sorted", with_ranks), [], [GINI, SQUARES]),
    Part("few squares exact", rounded_squares, [], [SQUARES, SAMPLE]),
    Part("deviations of sorted numbers", plain(scans, "SORTED", 0), [scans._growing_deviations], [ABSOLUTE]),
    Part("packed rows", plain(counting, "packed_of", nothing), [Packed, packed_of, _near], [ID3, FEW_ID3, ID3_FLOATS]),
    Part("pure attributes first", plain(counting, "SMALL", 0), [counting._is_pure], [ID3, ID3_FLOATS]),
    Part("one of equal attributes", plain(counting, "_first_of_each", every_item), [_kind, _mixed], [ID3, FEW_ID3]),
    Part("equal by signature", plain(Enclosed, "_is_like", nothing), [_signature, mixture], [C45, GAPS, RELEASE_8]),
    Part("no search for cycles", plain(gc, "disable", nothing), [whole_trees.no_search_for_cycles], [SQUARES]),
]


# How it is measured.


def earned(part: Part, name: str, size: int) -> tuple[float, float]:
    """The least time with a part, and without it."""
    run = WORK[name].make(size).ours
    run()
    found: list[tuple[float, float]] = []
    while len(found) < 2 or (len(found) < TURNS and sum(map(sum, found)) < ENOUGH):
        with_it = seconds(run)
        with part.off():
            found.append((with_it, seconds(run)))
    return min(with_it for with_it, _ in found), min(without for _, without in found)


def lines(source: Sequence[Any]) -> int:
    """How many lines some modules, classes and functions have."""
    return sum(len(inspect.getsource(one).splitlines()) for one in source)


def main() -> None:
    """Print a row for each part and cell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="PATTERN", default="")
    options = parser.parse_args()
    import_module("sklearn.tree")
    row("part", "lines", "work", "seconds with it", "without / with")
    row(":--", "--:", ":--", "--:", "--:")
    for part in PARTS:
        if re.search(options.only, part.name):
            for name, size in part.cells:
                with_it, without = earned(part, name, size)
                row(part.name, str(lines(part.source)), name.format(size), spelled(with_it), spelled(without / with_it))


if __name__ == "__main__":
    main()
