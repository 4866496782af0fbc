"""Binary subsets: every set of values, against combinations; Breiman's order, against every set; and its limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import chain, combinations
from statistics import median
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway, Outcome, Subset
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.gini_index import gini_decrease, gini_index
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import Moments, moments, variance_reduction
from reference_tree.splitting.binary_subsets import (
    LIMIT,
    VARIANCE,
    Grouping,
    all_subsets,
    listed_subsets,
    one_vs_rest,
    ordered_subsets,
    ordering_holds,
    program_subsets,
    subset_splits,
)
from reference_tree.splitting.missing_values import ratio_with_missing, split_information_with_unknown
from tests import strategies
from tests.laws import is_independent

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


# ------------------------------------------------------------------------------------------------- which questions


@given(small)
def test_every_set_is_asked_once_in_the_order_of_masks(rows: Rows) -> None:
    values = present(rows)
    others = values[:-1]
    expected = chain.from_iterable(combinations(others, size) for size in range(1, len(others) + 1))
    in_order = sorted(expected, key=lambda names: sum(1 << values.index(name) for name in names))
    assert asked(all_subsets("x", partition(rows))) == ["".join(names) for names in in_order]
    assert len(in_order) == 2 ** max(len(values) - 1, 0) - 1


@given(small)
def test_each_value_against_the_rest(rows: Rows) -> None:
    values = present(rows)
    assert asked(one_vs_rest("x", partition(rows))) == {0: [], 1: [], 2: values[:1]}.get(len(values), values)


@given(small)
def test_the_tables_are_sums_over_the_values(rows: Rows) -> None:
    for listing in (one_vs_rest, all_subsets):
        for test, table in listing("x", partition(rows)):
            inside = [row for name, row in zip("abcde", rows, strict=False) if name in test.values]
            outside = [row for name, row in zip("abcde", rows, strict=False) if name not in test.values]
            assert table.rows == tuple(tuple(map(sum, zip(*side, strict=True))) for side in (inside, outside))


@given(strategies.mixed_tables())
def test_the_tables_are_those_the_sample_counts(table: Table) -> None:
    """With weights, missing values, and values that nobody has."""
    attribute = table.schema.attribute("colour")
    assume(attribute.values)
    multiway = table.sample().partition(Multiway.on(attribute))
    for listing in (one_vs_rest, all_subsets):
        for test, found in listing("colour", multiway):
            assert found == table.sample().partition(test)


def test_a_value_that_nobody_has_is_with_the_rest() -> None:
    table = partition([[1, 0], [0, 0], [0, 1], [1, 1], [0, 0]])  # a, c and d are present
    assert asked(all_subsets("x", table)) == ["a", "c", "ac"]
    assert asked(one_vs_rest("x", table)) == ["a", "c", "d"]
    assert asked(ordered_subsets("x", table, "gain")) == ["a", "c"]  # shares 0, 1, 1/2
    for listing in (all_subsets, one_vs_rest):
        for test, _ in listing("x", table):
            assert [test.branch({"x": absent}) for absent in "be"] == [1, 1]


@pytest.mark.parametrize(
    ("attribute", "value", "index"),
    [
        ("年龄", "青年", "0.440000"), ("年龄", "中年", "0.480000"), ("年龄", "老年", "0.440000"),
        ("信贷情况", "非常好", "0.363636"), ("信贷情况", "好", "0.474074"), ("信贷情况", "一般", "0.320000"),
    ],
)  # fmt: skip
def test_li_hangs_loans(attribute: str, value: str, index: str) -> None:
    loan = textbook("loan")
    multiway = loan.sample().partition(Multiway.on(loan.schema.attribute(attribute)))
    found = {test: gini_index(table.rows) for test, table in one_vs_rest(attribute, multiway)}
    assert decimal(found[Subset(attribute, (value,))]) == index


def test_two_values_are_one_question() -> None:
    loan = textbook("loan")
    multiway = loan.sample().partition(Multiway.on(loan.schema.attribute("有工作")))
    ((_, table),) = one_vs_rest("有工作", multiway)
    assert gini_index(table.rows) == Fraction(8, 25)
    assert list(all_subsets("有工作", multiway)) == list(one_vs_rest("有工作", multiway))


def test_cart_asks_play_tennis_for_overcast() -> None:
    tennis = textbook("play-tennis")
    questions = [
        grouping
        for attribute in tennis.schema.attributes
        for grouping in all_subsets(attribute.name, tennis.sample().partition(Multiway.on(attribute)))
    ]
    best = min(questions, key=lambda grouping: gini_index(grouping.table.rows))
    assert (best.test, gini_index(best.table.rows)) == (Subset("outlook", ("overcast",)), Fraction(5, 14))


# ---------------------------------------------------------------------------------------- the order, where it holds


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


def many(number: int, cycle: Rows) -> Partition:
    rows = tuple(tuple(cycle[place % len(cycle)]) for place in range(number))
    return Partition(tuple(Outcome("is", f"v{place}") for place in range(number)), rows, (0,) * len(rows[0]))


def test_beyond_the_limit_every_subset_is_refused_at_once() -> None:
    with pytest.raises(InputError, match=r"^postcode has 17 values here, too many .*\(at most 16\); ask one value"):
        all_subsets("postcode", many(LIMIT + 1, [[1, 2], [2, 1]]))
    with pytest.raises(InputError, match="40 values"):
        subset_splits("postcode", many(40, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]), "gain")


@pytest.mark.slow
def test_up_to_the_limit_there_is_every_subset() -> None:
    table = many(LIMIT, [[1, 2, 0], [2, 1, 1]])
    padded = table._replace(
        outcomes=(*table.outcomes, Outcome("is", "absent")), rows=(*table.rows, (0, 0, 0))
    )  # a value that nobody has does not count
    tests = [test.values for test, _ in all_subsets("x", padded)]
    assert len(set(tests)) == len(tests) == 2 ** (LIMIT - 1) - 1


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


def test_there_is_nothing_to_ask_of_one_value_or_none() -> None:
    for rows in ([[3, 1]], [[3, 1], [0, 0]], [[0, 0]]):
        table = partition(rows)
        for listing in (one_vs_rest("x", table), all_subsets("x", table), ordered_subsets("x", table, "gain")):
            assert list(listing) == []
    assert list(all_subsets("x", Partition((), (), (0, 0)))) == list(subset_splits("x", Partition((), (), ()), "gain"))


# --------------------------------------------------------------------------------------------- as programs go about it


@given(two_classes(cells))
def test_programs_try_the_cuts_of_the_order(rows: Rows) -> None:
    """Cuts of the values sorted by the share of a class, of whichever; and every winner is among them."""
    table = partition(rows)
    share = {name: Fraction(rows["abcdef".index(name)][1]) / sum(rows["abcdef".index(name)]) for name in present(rows)}
    order = sorted(share, key=lambda name: share[name])
    sides = [frozenset(order[:cut]) for cut in range(1, len(order))]
    found = [frozenset(name) for name in asked(program_subsets("x", table, "gain"))]
    assert len(found) == len(order) - 1
    assert all(side in sides or frozenset(order) - side in sides for side in found)
    assert max(map(MEASURES["gain"], (g.table for g in program_subsets("x", table, "gain")))) == max(
        map(MEASURES["gain"], (g.table for g in all_subsets("x", table)))
    )


def test_programs_cut_between_values_of_equal_share_where_nothing_else_passes() -> None:
    rows = [(4, 1), (2, 2), (2, 2), (1, 4)]
    large = [g for g in program_subsets("x", partition(rows), "gain") if min(map(sum, g.table.rows)) >= 9]
    assert asked(large) == ["ab"]


@given(small.filter(lambda rows: len(rows[0]) > 2 and two_present(rows)))
def test_of_three_classes_programs_try_every_set(rows: Rows) -> None:
    assert asked(program_subsets("x", partition(rows), "gain")) == asked(all_subsets("x", partition(rows)))


@given(samples_of_numbers.filter(two_present))
def test_of_numbers_programs_cut_the_order_of_the_means(rows: Rows) -> None:
    found = list(program_subsets("x", partition(rows), VARIANCE))
    assert len(found) == len(present(rows)) - 1
    best = max(reduction(g.table.rows) for g in all_subsets("x", partition(rows)))
    assert max(reduction(g.table.rows) for g in found) == best


@pytest.mark.parametrize("rows", [[(3, 1)], [(3, 1), (0, 0)]])
def test_of_one_value_there_is_nothing_to_ask(rows: Rows) -> None:
    assert list(program_subsets("x", partition(rows), "gain")) == []


@pytest.mark.parametrize("values", [2, LIMIT, LIMIT + 1])
def test_all_subsets_are_listed_up_to_the_limit(values: int) -> None:
    table = partition([(n, values - n) for n in range(values)])
    expected = all_subsets("x", table) if values <= LIMIT else subset_splits("x", table, "gain")
    listed = list(listed_subsets("x", table, "gain"))
    assert listed == list(expected)
    assert len(listed) == (2 ** (values - 1) - 1 if values <= LIMIT else values - 1)


def test_beyond_the_limit_nothing_is_listed_where_the_order_does_not_hold() -> None:
    with pytest.raises(InputError, match="too many"):
        listed_subsets("x", partition([(1, n, 2) for n in range(LIMIT + 1)]), "gain")
