"""Binary subsets: every set of values, against combinations, and its limit."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import assume, given

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway, Outcome, Subset
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.measures.gini_index import gini_index
from reference_tree.splitting.binary_subsets import LIMIT, all_subsets, number_of_values, one_vs_rest
from tests import strategies
from tests.every import of_every
from tests.splitting.subsets import Rows, asked, many, partition, present, small

# ------------------------------------------------------------------------------------------------- which questions


@pytest.mark.covers("N3 Attributes with Many Values: binary splits")
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
    for listing in (all_subsets, one_vs_rest):
        for test, _ in listing("x", table):
            assert [test.branch({"x": absent}) for absent in "be"] == [1, 1]


@of_every([
        ("年龄", "青年", "0.440000"), ("年龄", "中年", "0.480000"), ("年龄", "老年", "0.440000"),
        ("信贷情况", "非常好", "0.363636"), ("信贷情况", "好", "0.474074"), ("信贷情况", "一般", "0.320000"),
    ])  # fmt: skip
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


# --------------------------------------------------------------------------------------------------------- the limit


def test_beyond_the_limit_every_subset_is_refused_at_once() -> None:
    with pytest.raises(InputError, match=r"^postcode has 17 values here, too many .*\(at most 16\); ask one value"):
        all_subsets("postcode", many(LIMIT + 1, [[1, 2], [2, 1]]))


@pytest.mark.slow
def test_up_to_the_limit_there_is_every_subset() -> None:
    table = many(LIMIT, [[1, 2, 0], [2, 1, 1]])
    padded = table._replace(
        outcomes=(*table.outcomes, Outcome("is", "absent")), rows=(*table.rows, (0, 0, 0))
    )  # a value that nobody has does not count
    tests = [test.values for test, _ in all_subsets("x", padded)]
    assert len(set(tests)) == len(tests) == 2 ** (LIMIT - 1) - 1


def test_there_is_nothing_to_ask_of_one_value_or_none() -> None:
    for rows in ([[3, 1]], [[3, 1], [0, 0]], [[0, 0]]):
        table = partition(rows)
        for listing in (one_vs_rest("x", table), all_subsets("x", table)):
            assert list(listing) == []
    assert list(all_subsets("x", Partition((), (), (0, 0)))) == []


@given(small)
def test_a_value_counts_where_some_row_has_it(rows: Rows) -> None:
    assert number_of_values(partition(rows)) == len(present(rows))


def test_as_many_values_as_the_limit_are_taken() -> None:
    assert next(all_subsets("postcode", many(LIMIT, [[1, 2], [2, 1]]))).table.rows
