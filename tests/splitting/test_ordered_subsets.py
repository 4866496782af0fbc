"""Breiman's order: against every set, where it holds and where it does not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, islice
from statistics import median
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Outcome
from reference_tree.data.sample import Partition
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import Moments, moments, variance_reduction
from reference_tree.splitting.binary_subsets import LIMIT, Grouping, all_subsets, one_vs_rest
from reference_tree.splitting.missing_values import ratio_with_missing, split_information_with_unknown
from reference_tree.splitting.ordered_subsets import (
    VARIANCE,
    listed_subsets,
    ordered_subsets,
    ordering_holds,
    subset_splits,
)
from tests.every import of_every
from tests.laws import is_independent
from tests.splitting.subsets import (
    MEASURES,
    Rows,
    asked,
    cells,
    many,
    partition,
    reduction,
    samples_of_numbers,
    two_classes,
    two_present,
    winners,
)

# ---------------------------------------------------------------------------------------- the order, where it holds


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("measure", MEASURES)
@given(rows=st.one_of(two_classes(st.integers(0, 3)), two_classes(cells)))
def test_two_classes_every_winner_and_no_other_is_a_cut_of_the_order(measure: str, rows: Rows) -> None:
    table, score = partition(rows), MEASURES[measure]
    assert ordering_holds(table, measure, minimum=Fraction(1, 30))
    assert winners(ordered_subsets("x", table, measure), score) == winners(all_subsets("x", table), score)


@given(samples_of_numbers)
def test_numbers_every_winner_and_no_other_is_a_cut_of_the_order(rows: Rows) -> None:
    assume(two_present(rows))
    table = partition(rows)
    assert ordering_holds(table, VARIANCE)
    expected = winners(all_subsets("x", table), lambda found: reduction(found.rows))
    assert winners(ordered_subsets("x", table, VARIANCE), lambda found: reduction(found.rows)) == expected


@pytest.mark.slow
@given(two_classes(st.integers(0, 3)), st.tuples(st.integers(0, 3), st.integers(0, 3)))
def test_missing_values_change_nothing(rows: Rows, unknown: tuple[int, int]) -> None:
    table = partition(rows)._replace(unknown=unknown)

    def score(found: Partition) -> Any:
        return ratio_with_missing(found.rows, found.unknown, split_information_with_unknown)

    assert winners(ordered_subsets("x", table, "ratio"), score) == winners(all_subsets("x", table), score)


@given(two_classes(st.integers(0, 3)), st.integers(0, 2))
def test_a_third_class_that_nobody_has_is_no_matter(rows: Rows, place: int) -> None:
    wider = partition([[*row[:place], 0, *row[place:]] for row in rows])
    assert ordering_holds(wider, "gain")
    assert asked(ordered_subsets("x", wider, "gain")) == asked(ordered_subsets("x", partition(rows), "gain"))
    assert winners(ordered_subsets("x", wider, "gain"), MEASURES["gain"]) == winners(
        all_subsets("x", partition(rows)), MEASURES["gain"]
    )


@given(two_classes(st.integers(0, 3)))
def test_the_cuts_are_few_and_part_smaller_from_larger_shares(rows: Rows) -> None:
    assume(not is_independent([list(row) for row in rows]))
    share = {name: Fraction(row[1], sum(row)) for name, row in zip("abcdef", rows, strict=False) if any(row)}
    found = asked(ordered_subsets("x", partition(rows), "gini_index"))
    assert len(found) == len(set(share.values())) - 1
    assert found == sorted(found, key=lambda names: sum(1 << list(share).index(name) for name in names))
    for names in found:
        inside, outside = [share[n] for n in names], [share[n] for n in share if n not in names]
        assert max(inside) < min(outside) or max(outside) < min(inside)
        assert list(share)[-1] not in names


@given(two_classes(st.integers(0, 3)))
def test_if_all_shares_are_equal_all_questions_are(rows: Rows) -> None:
    first = next(row for row in rows if any(row))
    table = partition([tuple(sum(row) * cell for cell in first) for row in rows])
    assert list(ordered_subsets("x", table, "gain")) == list(all_subsets("x", table))


# ---------------------------------------------------------------------------------------------- and where it does not


def test_with_three_classes_the_order_of_one_share_loses_the_winner() -> None:
    table = partition([[0, 0, 1], [0, 1, 0], [2, 0, 0]])  # the shares of the last class: 1, 0, 0
    assert not ordering_holds(table, "gini_index")
    assert winners(all_subsets("x", table), MEASURES["gini_index"]) == ["ab"]
    assert asked(ordered_subsets("x", table, "gini_index")) == ["a"]
    assert winners(subset_splits("x", table, "gini_index"), MEASURES["gini_index"]) == ["ab"]


def test_with_a_minimum_branch_the_order_loses_every_candidate() -> None:
    table = partition([[0, 1], [1, 0], [1, 1]])  # shares 1, 0, 1/2

    def large(groupings: Iterable[Grouping]) -> list[str]:
        return asked(g for g in groupings if all(sum(row) >= 2 for row in g.table.rows))

    assert large(ordered_subsets("x", table, "gain")) == []
    assert large(all_subsets("x", table)) == large(subset_splits("x", table, "gain", minimum=2)) == ["ab"]
    assert not ordering_holds(table, "gain", minimum=2)
    assert ordering_holds(table, "gain", minimum=1)
    assert ordering_holds(partition([[2, 0], [1, 1], [0, 0]]), "gain", minimum=2), "each value alone is large enough"


def test_unless_it_is_said_a_branch_weighs_one_row_at_least() -> None:
    whole, halves = partition([[1, 0], [0, 1], [1, 1]]), partition([[Fraction(1, 2), 0], [0, 1], [1, 1]])
    assert [ordering_holds(table, "gain") for table in (whole, halves)] == [True, False]
    assert [len(list(subset_splits("x", table, "gain"))) for table in (whole, halves)] == [2, 3]
    assert len(list(listed_subsets("x", many(LIMIT + 1, [[1, 0], [0, 1]]), "gain"))) == 1
    with pytest.raises(InputError, match="too many"):
        listed_subsets("x", many(LIMIT + 1, [[Fraction(1, 2), 0], [0, 1]]), "gain")


def test_the_weight_of_numbers_is_how_many_there_are() -> None:
    table = partition([moments([5]), moments([-1, -2])])
    assert ordering_holds(table, VARIANCE)
    assert not ordering_holds(table, VARIANCE, minimum=2)


@given(two_classes(st.integers(0, 3)))
def test_the_misclassification_error_keeps_its_value(rows: Rows) -> None:
    def right(table: Partition) -> Any:
        return sum(max(row) for row in table.rows)

    table = partition(rows)
    assert not ordering_holds(table, "error")
    cuts, subsets = list(ordered_subsets("x", table, "error")), list(all_subsets("x", table))
    assert max(right(found.table) for found in cuts) == max(right(found.table) for found in subsets)


def test_the_misclassification_error_loses_a_winner() -> None:
    def right(table: Partition) -> Any:
        return sum(max(row) for row in table.rows)

    table = partition([[0, 3], [0, 1], [1, 1]])  # wherever it is parted, one row is wrong
    assert winners(all_subsets("x", table), right) == ["a", "b", "ab"]
    assert winners(ordered_subsets("x", table, "error"), right) == ["ab"]


def test_the_variance_with_n_less_1_loses_the_winner() -> None:
    def unbiased(table: Partition) -> Any:
        return variance_reduction([Moments(*row) for row in table.rows], unbiased=True)

    table = partition([(3, 6, 20), (1, 2, 4), (3, 5, 9), (4, 7, 25), (2, 3, 5)])
    cuts, subsets = list(ordered_subsets("x", table, VARIANCE)), list(all_subsets("x", table))
    assert max(unbiased(found.table) for found in cuts) < max(unbiased(found.table) for found in subsets)
    assert not ordering_holds(table, "variance_reduction_unbiased")


def test_the_absolute_error_loses_the_winner_in_the_order_of_medians() -> None:
    samples = {"a": [1] * 7, "b": [4, 4, 4, 9, 9], "c": [1, 1, 6, 6, 6], "d": [9] * 7}

    def error(names: Iterable[str]) -> Any:
        values = [y for name in names for y in samples[name]]
        return sum(abs(y - median(values)) for y in values)

    def parted(names: Sequence[str]) -> Any:
        return error(names) + error(set(samples) - set(names))

    everything = [names for size in (1, 2, 3) for names in combinations(samples, size)]
    assert min(map(parted, everything)) == 30
    order = sorted(samples, key=lambda name: median(samples[name]))
    assert min(parted(order[:size]) for size in (1, 2, 3)) == 40
    assert not ordering_holds(partition([moments(sample) for sample in samples.values()]), "absolute_error")


def test_the_second_best_need_not_be_a_cut_of_the_order() -> None:
    table = partition([[0, 3], [0, 1], [3, 1]])
    of_all, of_cuts = (
        sorted((gini_decrease(found.table.rows) for found in listing), reverse=True)
        for listing in (all_subsets("x", table), ordered_subsets("x", table, "gini_decrease"))
    )
    assert len(of_all) == 3
    assert of_cuts == of_all[:1], "of the order there is but one cut"


# --------------------------------------------------------------------------------------------------------- the limit


def test_beyond_the_limit_three_classes_are_refused_where_planes_do_not_hold() -> None:
    with pytest.raises(InputError, match="40 values"):
        subset_splits("postcode", many(40, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]), "misclassification_decrease")


def test_it_is_said_when_only_the_least_weight_of_a_branch_is_in_the_way() -> None:
    half, advice = Fraction(1, 2), "leave out min_samples_leaf"
    with pytest.raises(InputError, match=advice):
        subset_splits("postcode", many(40, [[half, 0], [0, half]]), "gain", minimum=2)
    with pytest.raises(InputError, match=advice):
        subset_splits("postcode", many(40, [[half, 0, 0], [0, half, 0], [0, 0, half]]), "gain", minimum=2)
    with pytest.raises(InputError, match="too many") as caught:
        subset_splits("postcode", many(40, [[half, 0], [0, half]]), "misclassification_decrease", minimum=2)
    assert advice not in str(caught.value)


@pytest.mark.parametrize(("values", "third"), [(LIMIT, "v0v1"), (LIMIT + 1, "v2")])
def test_all_subsets_of_equal_values_are_asked_up_to_the_limit(values: int, third: str) -> None:
    assert asked(islice(ordered_subsets("x", many(values, [[1, 1]]), "gain"), 3)) == ["v0", "v1", third]


def test_at_the_limit_all_subsets_are_listed_still() -> None:
    table = many(LIMIT, [[1, 0], [0, 1]])  # of whose order there is but one cut
    assert asked(islice(listed_subsets("x", table, "gain"), 3)) == ["v0", "v1", "v0v1"]


def test_the_order_knows_no_limit() -> None:
    rows = [[place, 1] for place in range(300)]
    table = Partition(tuple(Outcome("is", str(place)) for place in range(300)), tuple(map(tuple, rows)), (0, 0))
    assert len(list(ordered_subsets("x", table, "gain"))) == 299
    assert len(list(one_vs_rest("x", table))) == 300


def test_of_many_equal_questions_one_a_value_is_listed() -> None:
    table = many(40, [[1, 1]])
    found = list(subset_splits("x", table, "gain"))
    assert [grouping.test.values for grouping in found] == [(f"v{place}",) for place in range(40)]
    assert all(information_gain(grouping.table.rows) == 0 for grouping in found)


def test_a_value_that_nobody_has_has_no_place_in_the_order() -> None:
    table = partition([[1, 0], [0, 0], [0, 1], [1, 1], [0, 0]])  # shares 0, none, 1, 1/2, none
    assert asked(ordered_subsets("x", table, "gain")) == ["a", "c"]


@of_every([[[3, 1]], [[3, 1], [0, 0]], [[0, 0]]])
def test_one_value_or_none_has_no_order(rows: Rows) -> None:
    assert list(ordered_subsets("x", partition(rows), "gain")) == []
    assert list(subset_splits("x", Partition((), (), ()), "gain")) == []


@pytest.mark.parametrize("values", [2, pytest.param(LIMIT, marks=pytest.mark.slow), LIMIT + 1])
def test_all_subsets_are_listed_up_to_the_limit(values: int) -> None:
    table = partition([(n, values - n) for n in range(values)])
    expected = all_subsets("x", table) if values <= LIMIT else subset_splits("x", table, "gain")
    listed = list(listed_subsets("x", table, "gain"))
    assert listed == list(expected)
    assert len(listed) == (2 ** (values - 1) - 1 if values <= LIMIT else values - 1)


def test_beyond_the_limit_nothing_is_listed_where_neither_order_nor_planes_hold() -> None:
    with pytest.raises(InputError, match="too many"):
        listed_subsets("x", partition([(1, n, 2) for n in range(LIMIT + 1)]), "misclassification_decrease")
