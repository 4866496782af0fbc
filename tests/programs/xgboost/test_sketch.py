"""The sketch of XGBoost: edge by edge as the program chooses them, recorded, and asked anew where it is installed."""

from __future__ import annotations

import pytest

from reference_tree.exact.rounding import nearest_single
from reference_tree.programs.xgboost.bins import (
    RANKED,
    SPACED,
    Rules,
    Summary,
    carried,
    edges,
    merged,
    most_entries,
    pruned,
    release_of,
    summary_of,
)
from tests.every import of_every
from tests.programs.xgboost_columns import (
    LONG,
    SMALL,
    Column,
    chosen,
    columns,
    digest,
    long_columns,
    recorded,
    small_columns,
)


def ours(column: Column, rules: Rules) -> list[float]:
    """The edges of a column by the rules of a release."""
    weights = column.weights or [1.0] * len(column.values)
    known = [(value, weight) for value, weight in zip(column.values, weights, strict=True) if value is not None]
    return edges([value for value, _ in known], [weight for _, weight in known], column.max_bin, rules)


@of_every(sorted(recorded()))
def test_the_recorded_edges_of_a_release(release: str) -> None:
    rules = release_of(release).sketch
    found = [ours(column, rules) for column in small_columns()]
    assert len(found) == SMALL
    assert found == recorded()[release][:SMALL]


@pytest.mark.parametrize("release", ["3.2.0", "3.4.1"])
def test_the_recorded_digests_of_a_release(release: str) -> None:
    rules = release_of(release).sketch
    found = [digest(ours(column, rules)) for column in long_columns()]
    assert len(found) == LONG
    assert found == recorded()[release][SMALL:]


def test_the_recorded_columns_tell_the_rules_apart() -> None:
    differing = [column for column in small_columns() if ours(column, SPACED) != ours(column, RANKED)]
    assert len(differing) > SMALL // 3
    assert any(column.weights is None for column in differing)


@pytest.mark.oracles
@pytest.mark.slow
def test_the_edges_of_500_columns_are_those_of_the_program() -> None:
    """Up to 20 000 rows, as many distinct numbers or a few; gaps; weights whose sums are rounded, and weights of 0."""
    pytest.importorskip("numpy")
    rules = release_of(pytest.importorskip("xgboost").__version__).sketch
    wrong = []
    for number, column in enumerate(columns(380, 500, 20_000, (2, 3, 16, 64, 200, 256))):
        if ours(column, rules) != chosen(column):
            wrong.append(number)
    assert wrong == []


def of(*pairs: tuple[int, float]) -> Summary:
    return summary_of(pairs)


@pytest.mark.parametrize("rules", [SPACED, RANKED], ids=["spaced", "ranked"])
def test_few_numbers_are_all_edges_but_the_lowest(rules: Rules) -> None:
    values = [3, 1, 2, 3, 1] * 100
    assert edges(values, [0.1] * 500, 3, rules) == [2, 3]
    assert edges([7] * 9, [1.0] * 9, 2, rules) == []
    assert edges([], [], 2, rules) == []


@pytest.mark.parametrize("rules", [SPACED, RANKED], ids=["spaced", "ranked"])
def test_rows_that_weigh_nothing_are_no_edges(rules: Rules) -> None:
    assert edges([1, 2, 3, 4], [1.0, 0.0, 1.0, 1.0], 8, rules) == [3, 4]


def test_rows_that_weigh_nothing_make_room() -> None:
    """The program counts them when it chooses how much it keeps: that they are left out has to be told."""
    values = [(number * 7919) % 400 for number in range(400)]
    found = {left_out: edges(values, [1.0] * 400, 4, RANKED, left_out) for left_out in (0, 10_000)}
    assert found[0] != found[10_000]
    assert found[10_000] == edges([*values, *[0] * 10_000], [*[1.0] * 400, *[0.0] * 10_000], 4)


def test_the_order_of_rows_matters_once_a_queue_is_full() -> None:
    values = [(number * 7919) % 1000 for number in range(1000)]
    assert edges(values, [1.0] * 1000, 4) != edges(sorted(values), [1.0] * 1000, 4)
    assert edges(values[:20], [1.0] * 20, 4) == edges(sorted(values[:20]), [1.0] * 20, 4)


def test_ranks_of_a_merged_summary_are_those_of_all_rows() -> None:
    """Nothing was forgotten, so that every bound is a rank."""
    one, other = [(1, 2.0), (5, 1.0), (9, 1.0)], [(0, 1.0), (5, 3.0), (12, 1.0)]
    assert merged(of(*one), of(*other)) == of(*one, *other)
    assert merged(of(*other), of(*one)) == of(*one, *other)
    assert merged([], of(*one)) == merged(of(*one), []) == of(*one)


def test_bounds_enclose_the_rank_of_every_number_that_is_kept() -> None:
    values = [(number * 7919) % 500 for number in range(500)]
    levels: list[Summary] = []
    for begin in range(0, 500, 50):
        levels = carried(levels, of(*((value, 1.0) for value in values[begin : begin + 50])), 20)
        assert all(len(level) <= 20 for level in levels)
    joined: Summary = []
    for level in levels:
        joined = merged(joined, level)
    assert joined[-1].high == 500
    for entry in joined:
        assert entry.low <= entry.value <= entry.high - 1
        assert entry.after - entry.low == entry.weight == 1


def test_the_rounding_of_ranks_decides() -> None:
    """XGBoost 3.2.0 chooses the edge 9; with ranks that are not rounded to float32 it would be 8."""
    weights = (0.1, 5.3, 5.3, 1 / 3, 0.7, 0.1, 0.1, 1 / 3, 5.3, 5.3, 0.7, 1 / 3, 0.1, 5.3, 0.1, 1 / 3, 5.3, 1 / 3)
    assert edges(range(18), list(map(nearest_single, weights)), 2, SPACED) == [9]


def test_pruning_keeps_both_ends_and_no_more_than_asked() -> None:
    whole = of(*((value, 1.0 + value % 3) for value in range(100)))
    for size in (2, 3, 7, 50, 99):
        kept = pruned(whole, size)
        assert len(kept) <= size
        assert (kept[0], kept[-1]) == (whole[0], whole[-1])
    assert pruned(whole, 100) == whole


def test_a_summary_of_few_rows_keeps_all_of_them() -> None:
    for rows in range(1, 60):
        for bins in (2, 3, 16, 256):
            assert most_entries(rows, bins, 2) >= min(rows, 2 * bins)
