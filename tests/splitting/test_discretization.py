"""Discretization: the columns of two books that are one column, intervals tried on all numbers, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.splitting.discretization import (
    Bin,
    Discretization,
    bins_between,
    discretize,
)
from tests import strategies
from tests.every import of_every
from tests.strategies import fractions

TEMPERATURE = [Bin.parse("Cold", "(-inf, 70)"), Bin.parse("Mild", "[70, 75]"), Bin.parse("Hot", "(75, inf)")]
numbers = st.one_of(st.integers(-5, 5), fractions(-5, 5, max_denominator=4))


@st.composite
def discretizations(draw: st.DrawFn) -> tuple[Discretization, list[Fraction], list[bool]]:
    """Bins with ends at some numbers, what these are, and for each whether it belongs to the bin below it."""
    ends = sorted(draw(st.sets(numbers, min_size=1, max_size=5)))
    down = draw(st.lists(st.booleans(), min_size=len(ends), max_size=len(ends)))
    bins = tuple(
        Bin(f"bin {place}", low, high, low_down is False, high_down is True)
        for place, (low, low_down, high, high_down) in enumerate(
            zip([None, *ends], [None, *down], [*ends, None], [*down, None], strict=True)
        )
    )
    return Discretization("x", bins), [Fraction(end) for end in ends], down


@given(discretizations(), numbers)
def test_each_number_has_the_bin_that_counting_ends_gives(
    found: tuple[Discretization, list[Fraction], list[bool]], number: Fraction
) -> None:
    discretization, ends, down = found
    below = sum(end < number or (end == number and not is_down) for end, is_down in zip(ends, down, strict=True))
    assert discretization.value_of(number) == f"bin {below}"
    assert [one.name for one in discretization.bins if one.holds(number)] == [f"bin {below}"]


@given(discretizations())
def test_a_bin_is_read_as_it_is_written(found: tuple[Discretization, list[Fraction], list[bool]]) -> None:
    for one in found[0].bins:
        assert Bin.parse(one.name, str(one).removeprefix(one.name)) == one


@pytest.mark.covers("N3 Continuous Attributes: before growing")
def test_the_numbers_of_golf_become_the_words_of_play_tennis() -> None:
    """Golf is play tennis with numbers, and the three intervals of N3 lead back: 70 and 75 are both mild."""
    golf, tennis = textbook("golf"), textbook("play-tennis")
    temperatures = {row["temperature"] for row in golf.rows()}
    assert {70, 75} <= temperatures
    words = {"Cold": "cool", "Mild": "mild", "Hot": "hot"}
    found = [words[str(row["temperature"])] for row in discretize(golf, "temperature", TEMPERATURE).rows()]
    assert found == [row["temperature"] for row in tennis.rows()]


def test_the_attribute_keeps_its_place_and_the_bins_their_order() -> None:
    golf = textbook("golf")
    table = discretize(golf, "temperature", TEMPERATURE)
    assert [a.name for a in table.schema.attributes] == [a.name for a in golf.schema.attributes]
    assert table.schema.attribute("temperature").values == ("Cold", "Mild", "Hot")
    assert table.schema.attribute("humidity").kind == "continuous"
    assert table.schema.numbers.keys() == {"humidity"}
    assert golf.schema.attribute("temperature").kind == "continuous"


def test_id3_grows_on_it_and_a_row_is_asked_by_its_bin() -> None:
    humidity = [Bin.parse("normal", "(-inf, 80]"), Bin.parse("high", "(80, inf)")]
    table = discretize(discretize(textbook("golf"), "temperature", TEMPERATURE), "humidity", humidity)
    tree = ID3().grow(table)
    rows = Discretization("humidity", tuple(humidity)), Discretization("temperature", tuple(TEMPERATURE))
    for row in textbook("golf").rows():
        assert tree.predict(rows[0].row(rows[1].row(row))) == row["play"]


@given(strategies.mixed_tables())
def test_what_is_missing_stays_missing_and_the_rest_as_it_is(table: Table) -> None:
    bins = [Bin.parse("low", "(-inf, 0)"), Bin.parse("zero", "[0, 0]"), Bin.parse("high", "(0, inf)")]
    sign = {-1: "low", 0: "zero", 1: "high"}
    before, after = list(table.rows()), list(discretize(table, "size", bins).rows())
    for old, new in zip(before, after, strict=True):
        size = old["size"]
        expected = None if size is None else sign[(Fraction(size) > 0) - (Fraction(size) < 0)]
        assert new == {**old, "size": expected}
    assert discretize(table, "size", bins).weights == table.weights


def test_a_continuous_target_becomes_classes() -> None:
    table = Table.from_columns({"ear": ["pointy", "floppy"], "weight": [Fraction(72, 10), 15]})
    classes = discretize(table, "weight", [Bin.parse("light", "(-inf, 10]"), Bin.parse("heavy", "(10, inf)")])
    assert classes.schema.target.values == ("light", "heavy")
    assert classes.sample().total() == (1, 1)


def test_a_row_without_the_attribute_or_its_value_is_left_alone() -> None:
    temperature = Discretization("temperature", tuple(TEMPERATURE))
    assert temperature.row({"wind": "weak"}) == {"wind": "weak"}
    assert temperature.row({"temperature": None}) == {"temperature": None}
    assert temperature.row({"temperature": "75.0"}) == {"temperature": "Mild"}
    with pytest.raises(InputError, match="'warm' is not a number, and only a number has a bin"):
        temperature.row({"temperature": "warm"})


@of_every(
    [
        ([], "there are no bins for x"),
        (["(0, 1)", "(1, 2)"], r"bins a \(0, 1\) and b \(1, 2\) of x: neither owns 1"),
        (["(0, 1]", "[1, 2)"], "both own 1"),
        (["(0, 1]", "(1.5, 2)"], "leave a gap"),
        (["(0, 1.5]", "(1, 2)"], "overlap, or are not in ascending order"),
        (["(1, 2)", "(0, 1]"], "overlap, or are not in ascending order"),
        (["(0, inf)", "(1, 2)"], "overlap, or are not in ascending order"),
        (["(0, 1)", "(-inf, 2)"], "overlap, or are not in ascending order"),
        (["(1, 1]"], r"no number lies in a \(1, 1\]"),
        (["[2, 1]"], r"no number lies in a \[2, 1\]"),
        (["[-inf, 1]"], "owns an end that it has not"),
        (["[1, inf]"], "owns an end that it has not"),
        (["1 to 2"], "'1 to 2' is no interval"),
        (["(1, 2, 3)"], "is no interval"),
        (["(one, 2)"], "'one' is not a number; an end of an interval is one, or -inf"),
        (["(0, nan)"], "not a finite number"),
        (["(inf, -inf)"], "not a finite number"),
    ]
)
def test_what_is_no_discretization_is_refused(intervals: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Discretization("x", tuple(Bin.parse(name, interval) for name, interval in zip("ab", intervals, strict=False)))


def test_two_bins_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two bins of x have the same name"):
        Discretization("x", (Bin.parse("a", "(0, 1)"), Bin.parse("a", "[1, 2)")))


def test_a_number_outside_all_bins_is_refused_with_its_row() -> None:
    table = Table.from_columns({"x": [1, None, Fraction(5, 2)], "y": ["no", "yes", "no"]})
    with pytest.raises(InputError, match=r"^row 3: 2.5 is in no bin of x: low \(-inf, 1\], high \(1, 2\)$"):
        discretize(table, "x", [Bin.parse("low", "(-inf, 1]"), Bin.parse("high", "(1, 2)")])


def test_only_a_continuous_attribute_is_discretized() -> None:
    with pytest.raises(InputError, match="outlook is categorical"):
        discretize(textbook("golf"), "outlook", TEMPERATURE)
    with pytest.raises(InputError, match="there is no attribute 'pressure'"):
        discretize(textbook("golf"), "pressure", TEMPERATURE)


# Cuts that the rows say.


@given(st.lists(numbers, min_size=1, max_size=4, unique=True).map(sorted), numbers)
def test_a_cut_belongs_to_the_bin_below_it(cuts: list[Fraction], number: Fraction) -> None:
    found = Discretization("x", bins_between(cuts))
    assert found.values.index(found.value_of(number)) == sum(cut < number for cut in cuts)


def test_a_bin_owns_no_end_unless_it_is_said() -> None:
    assert str(Bin("between", 0, 1)) == "between (0, 1)"


@pytest.mark.parametrize("cuts", [[75, 70], [70, 70]])
def test_cuts_that_are_not_ascending_are_refused(cuts: list[int]) -> None:
    with pytest.raises(InputError, match=f"{cuts[0]}, 70 are not ascending"):
        bins_between(cuts)
