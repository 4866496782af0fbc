"""Strategies: the samples, sample partitions and small data sets that properties are tried on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from hypothesis import settings
from hypothesis import strategies as st

from reference_tree.data.table import Table

Counts: TypeAlias = list[Any]
Partition: TypeAlias = list[list[Any]]

BASES = (2, 3, 10, math.e)


def fractions(
    min_value: Fraction | int | None = None,
    max_value: Fraction | int | None = None,
    *,
    max_denominator: int | None = None,
) -> st.SearchStrategy[Fraction]:
    """What `st.fractions` draws from the same choices, in half of the time: a denominator, then a numerator.

    Example:
        >>> from hypothesis import find
        >>> find(fractions(Fraction(1, 3), 2, max_denominator=9), lambda one: one > 1)
        Fraction(4, 3)
    """
    low, high = (None if bound is None else Fraction(bound) for bound in (min_value, max_value))
    if low is not None and low == high:
        return st.just(low)
    finer = math.lcm(*(bound.denominator for bound in (low, high) if bound is not None))

    @cache
    def over(denominator: int) -> st.SearchStrategy[Fraction]:
        parts = denominator * finer
        least, most = (None if bound is None else int(parts * bound) for bound in (low, high))
        return st.integers(least, most).map(lambda numerator: Fraction(numerator, parts))

    if max_denominator is None:
        return st.integers(1).flatmap(over)
    return st.integers(1, max_denominator).flatmap(over).map(lambda drawn: drawn.limit_denominator(max_denominator))


bases = st.sampled_from(BASES)
weights = st.one_of(st.integers(1, 9), fractions(Fraction(1, 30), 9, max_denominator=30))
"""Weights of a row: whole ones, and those of a row with a missing value."""


def at_most(examples: int) -> settings:
    """For a property that takes long to try: not more examples than that, whatever the profile says."""
    return settings(max_examples=min(examples, settings().max_examples))


def counts(
    smallest: int = 1, largest: int = 6, cells: st.SearchStrategy[Any] | None = None
) -> st.SearchStrategy[Counts]:
    """The weights of some classes, not all of them 0."""
    cells = st.integers(0, 40) if cells is None else cells
    return st.lists(cells, min_size=smallest, max_size=largest).filter(any)


fractional_counts = counts(cells=st.one_of(st.just(0), weights))
"""The same, with weights as missing values make them."""


@st.composite
def partitions(
    draw: st.DrawFn, rows: int = 4, columns: int = 4, cells: st.SearchStrategy[Any] | None = None
) -> Partition:
    """A sample partition s_ij: rows of equal length, not all of it 0."""
    cells = st.integers(0, 12) if cells is None else cells
    width = draw(st.integers(1, columns))
    row = st.lists(cells, min_size=width, max_size=width)
    return draw(st.lists(row, min_size=1, max_size=rows).filter(lambda table: any(map(any, table))))


def independent_partitions() -> st.SearchStrategy[Partition]:
    """Sample partitions in which every answer has the same distribution of classes: s_ij = a_i·c_j."""
    return st.builds(lambda answers, classes: [[a * c for c in classes] for a in answers], counts(1, 4), counts(1, 4))


@st.composite
def columns(
    draw: st.DrawFn, rows: int = 12, attributes: int = 4, values: int = 3, classes: int = 3
) -> dict[str, list[str]]:
    """The columns of a small table of categories, `a0`, `a1`, ... and the target `y`; so small that ties are common."""
    size = draw(st.integers(1, rows))

    def column(prefix: str, most: int) -> list[str]:
        codes = draw(st.lists(st.integers(0, draw(st.integers(0, most - 1))), min_size=size, max_size=size))
        return [f"{prefix}{code}" for code in codes]

    found = {f"a{index}": column("v", values) for index in range(draw(st.integers(1, attributes)))}
    return {**found, "y": column("c", classes)}


def categorical_tables(**sizes: int) -> st.SearchStrategy[Table]:
    """Small tables of categories."""
    return columns(**sizes).map(Table.from_columns)


@st.composite
def mixed_tables(draw: st.DrawFn, rows: int = 14) -> Table:
    """Small tables with categories, numbers, missing values and weights of all kinds."""
    size = draw(st.integers(1, rows))

    def column(cells: st.SearchStrategy[Any], missing: bool = True) -> list[Any]:
        known = st.one_of(st.none(), cells) if missing else cells
        return draw(st.lists(known, min_size=size, max_size=size))

    found: dict[str, Sequence[object]] = {
        "colour": column(st.sampled_from(["red", "green", "blue"])),
        "size": column(st.one_of(st.integers(-3, 3), fractions(-2, 2, max_denominator=6))),
        "weight": column(weights, missing=False),
        "class": column(st.sampled_from(["no", "yes", "maybe"]), missing=False),
    }
    weighted = draw(st.booleans())
    if not weighted:
        del found["weight"]
    return Table.from_columns(
        found, weights="weight" if weighted else None, categorical=["colour", "class"], continuous=["size"]
    )


@st.composite
def tables_with_gaps(draw: st.DrawFn, rows: int = 9) -> Table:
    """Small tables of two categories and two numbers, often missing, with weights; small enough for ties."""
    size = draw(st.integers(1, rows))

    def column(cells: st.SearchStrategy[Any]) -> list[Any]:
        gaps = st.one_of(st.none(), cells) if draw(st.booleans()) else cells
        return draw(st.lists(gaps, min_size=size, max_size=size))

    columns: dict[str, list[Any]] = {
        "a": column(st.sampled_from("pqr")),
        "x": column(st.integers(0, 3)),
        "b": column(st.sampled_from("st")),
        "z": column(fractions(0, 1, max_denominator=3)),
        "w": draw(st.lists(weights if draw(st.booleans()) else st.just(1), min_size=size, max_size=size)),
        "y": draw(st.lists(st.sampled_from("klm"), min_size=size, max_size=size)),
    }
    left_out = draw(st.sets(st.sampled_from("axbz"), max_size=3))
    kept = {name: cells for name, cells in columns.items() if name not in left_out}
    numbers = [name for name in "xz" if name in kept]
    return Table.from_columns(kept, weights="w", categorical=["*"], continuous=numbers)


def perforated(rows: int) -> Table:
    """Ten numbers in each row, of which every fifth is missing, and classes that have nothing to do with them."""
    state, columns = 7, {}

    def drawn(below: int) -> int:
        nonlocal state
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        return (state >> 33) % below

    for column in range(10):
        columns[f"x{column}"] = [drawn(1000) if drawn(5) else None for _ in range(rows)]
    return Table.from_columns({**columns, "y": ["pq"[drawn(2)] for _ in range(rows)]}, target="y", categorical=["y"])
