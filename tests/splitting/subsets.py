"""Partitions of attributes of a few values, and what is asked about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from reference_tree.data.questions import Outcome
from reference_tree.data.sample import Partition
from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.gini_index import gini_decrease, gini_index
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import Moments, moments, variance_reduction
from reference_tree.splitting.binary_subsets import Grouping
from tests import strategies

Rows = Sequence[Sequence[Any]]
Score = Callable[[Partition], Any]


def reduction(rows: Rows) -> Any:
    return variance_reduction([Moments(*row) for row in rows])


MEASURES: dict[str, Score] = {
    "gain": lambda table: information_gain(table.rows),
    "ratio": lambda table: gain_ratio(table.rows),
    "gini_index": lambda table: -gini_index(table.rows),
    "gini_decrease": lambda table: gini_decrease(table.rows),
}


def partition(rows: Rows) -> Partition:
    """A sample partition of the values a, b, c, ..."""
    outcomes = tuple(Outcome("is", chr(ord("a") + place)) for place in range(len(rows)))
    return Partition(outcomes, tuple(map(tuple, rows)), (0,) * len(rows[0]))


def many(number: int, cycle: Rows) -> Partition:
    rows = tuple(tuple(cycle[place % len(cycle)]) for place in range(number))
    return Partition(tuple(Outcome("is", f"v{place}") for place in range(number)), rows, (0,) * len(rows[0]))


def asked(groupings: Iterable[Grouping]) -> list[str]:
    return ["".join(grouping.test.values) for grouping in groupings]


def winners(groupings: Iterable[Grouping], score: Score) -> list[str]:
    found = list(groupings)
    scores = [score(grouping.table) for grouping in found]
    return [name for name, value in zip(asked(found), scores, strict=True) if value == max(scores)]


def present(rows: Rows) -> list[str]:
    return [chr(ord("a") + place) for place, row in enumerate(rows) if any(row)]


def two_present(rows: Rows) -> bool:
    return len(present(rows)) > 1


cells = st.one_of(st.just(0), strategies.weights)
small = strategies.partitions(rows=5, columns=3, cells=st.integers(0, 3))
samples_of_numbers = st.lists(st.lists(st.integers(-3, 3), max_size=4), min_size=2, max_size=5).map(
    lambda samples: [moments(sample) for sample in samples]
)


@st.composite
def two_classes(draw: st.DrawFn, cells: st.SearchStrategy[Any]) -> Rows:
    """The partition of an attribute of at most six values, of two classes; ties of shares are common."""
    rows = draw(st.lists(st.tuples(cells, cells), min_size=2, max_size=6))
    assume(two_present(rows))
    return rows
