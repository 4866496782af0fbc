"""The rules of release 8 one by one, at their edges."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import LogSum, Number
from reference_tree.learners.c45 import MEASURED, above_average
from reference_tree.programs.c45.release8 import (
    BRANCH_MINIMUM,
    CUT_MINIMUM,
    PENALTY,
    as_in_any_branch,
    at_midpoint,
    at_observed_value,
    every_branch,
    log_of_tries,
    near_average,
    no_charge,
    ordinary,
    tenth_of_a_class,
    two_large_branches,
)
from reference_tree.programs.c45_options import ChargedCandidate
from reference_tree.splitting.continuous_bisection import allowed_cuts, cut_points, number_of_cuts
from tests.every import of_every
from tests.oracles import exact_value
from tests.strategies import fractions


@of_every(
    [
        (2, 40, 2, 2),  # exactly the minimum
        (2, 41, 2, Fraction(41, 20)),
        (2, 500, 2, 25),  # exactly the most
        (2, 501, 2, 25),
        (2, Fraction(201, 4), 2, Fraction(201, 80)),
        (0, 10, 3, Fraction(1, 3)),
        (30, 400, 1, 30),
        (30, 4000, 1, 30),
    ]
)
def test_a_tenth_of_a_class(minimum: int, known: int, classes: int, least: Fraction) -> None:
    assert tenth_of_a_class(minimum, known, classes) == least
    assert as_in_any_branch(minimum, known, classes) == minimum


@given(st.integers(1, 9999), fractions(Fraction(1, 100), 10**4))
def test_the_penalty_is_what_it_takes_to_name_the_cut(tries: int, weight: Fraction) -> None:
    assert abs(2 ** (exact_value(log_of_tries(tries, weight)) * weight.numerator / weight.denominator) - tries) < 1e-9
    assert no_charge(tries, weight) is None


@of_every(
    [
        ([2, 2], 2, True, True),
        ([2, Fraction(199, 100)], 2, False, False),
        ([2, 2, 1], 2, False, True),
        ([5, 0, 0], 0, True, False),
        ([5, 1, 0], 0, True, True),
        ([1] * 14, 2, False, False),
    ]
)
def test_how_many_branches_have_to_be_large_enough(weights: list[int], minimum: int, every: bool, two: bool) -> None:
    assert (every_branch(weights, minimum), two_large_branches(weights, minimum)) == (every, two)


numbers = st.lists(fractions(0, 20, max_denominator=4), min_size=2, max_size=9, unique=True).map(sorted)


@given(numbers, st.data())
def test_the_observed_value_parts_the_rows_of_the_node_as_the_midpoint_does(
    everywhere: list[Fraction], data: st.DataObject
) -> None:
    """Whatever the other values of the table are."""
    here = sorted(data.draw(st.sets(st.sampled_from(everywhere), min_size=2)))
    for low, high, middle in zip(here, here[1:], cut_points(here), strict=False):
        cut = Threshold("x", middle, (low, high))
        placed = at_observed_value(cut, everywhere, 0)
        assert placed.threshold == max(value for value in everywhere if value <= middle)
        assert low <= placed.threshold < high
        assert placed.interval == (low, high)
        assert at_midpoint(cut, everywhere, 0) is cut


def test_with_some_slack_a_value_just_above_the_midpoint_counts_as_not_above_it() -> None:
    values = (0, Fraction(5_000_004, 10**6), 10)
    cut, slack = Threshold("x", 5, (0, 10)), Fraction(1, 10**6)
    assert at_observed_value(cut, values, 0).threshold == 0
    assert at_observed_value(cut, values, 3 * slack).threshold == 0
    assert at_observed_value(cut, values, 4 * slack).threshold == values[1]


@given(st.lists(fractions(0, 2, max_denominator=5), min_size=2, max_size=12), fractions(0, 1, max_denominator=5))
def test_close_neighbours_are_not_cut_apart(values: list[Fraction], width: Fraction) -> None:
    table = Table.from_columns({"x": values, "y": ["n", *"p" * (len(values) - 1)]}, target="y")
    ascending = sorted(values)
    wide = [(low, high) for low, high in pairwise(ascending) if high - low > width]
    assert [cut.test.interval for cut in allowed_cuts(table.sample(), "x", gap=width) if cut.test.interval] == wide
    assert number_of_cuts(table.sample(), "x", gap=width) == len(wide)


# Which gains count in the average, and by how much one may miss it.


def question(rows: list[tuple[int, int]], penalty: Number | None = None, name: str = "x") -> ChargedCandidate:
    return ChargedCandidate(Threshold(name, 0), Partition((), tuple(rows), (0, 0)), MEASURED, penalty=penalty)


def test_near_the_average_is_enough_for_the_programs() -> None:
    """Two gains, of 1 and of 1 less a penalty: their average lies half their difference above the lower one."""
    for distance, competing in ((Fraction(2, 1000), 2), (Fraction(2001, 1_000_000), 1)):
        groups = [[question([(6, 0), (0, 6)])], [question([(6, 0), (0, 6)], LogSum({}, distance))]]
        assert len(near_average(groups)) == competing
        assert len(above_average(groups)) == 1


SCHEMA = Schema((Attribute("x"), Attribute("a", tuple("pqr"))), Attribute("y", ("n", "p")))


@of_every([(14, False), (10, True), (Fraction(101, 10), False)])
def test_very_many_values_are_three_tenths_of_the_rows(weight: Fraction, many: bool) -> None:
    assert ordinary(SCHEMA, weight) == ({"x"} if many else {"x", "a"})


def test_if_all_attributes_have_very_many_values_all_count() -> None:
    schema = Schema((Attribute("a", tuple("pqr")), Attribute("b", tuple("pqrs"))), Attribute("y", ("n", "p")))
    assert ordinary(schema, 10) == {"a", "b"}
    assert ordinary(schema, 11) == {"a"}


def test_the_names_of_rules_are_unique() -> None:
    for rules in (BRANCH_MINIMUM, CUT_MINIMUM, PENALTY):
        assert len(set(rules.values())) == len(rules)
