"""Discretization: the columns of two books that are one column, intervals tried on all numbers, and what is refused."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.data.writers import to_arff
from reference_tree.learners.id3 import ID3
from reference_tree.splitting.discretization import (
    Bin,
    Discretization,
    bins_between,
    bins_of,
    discretize,
    equal_width,
    least_description,
    shortens,
)
from tests import strategies
from tests.made_up import House

TEMPERATURE = [Bin.parse("Cold", "(-inf, 70)"), Bin.parse("Mild", "[70, 75]"), Bin.parse("Hot", "(75, inf)")]
numbers = st.one_of(st.integers(-5, 5), st.fractions(-5, 5, max_denominator=4))


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


@pytest.mark.parametrize(
    ("intervals", "message"),
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
    ],
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


@pytest.mark.parametrize("bins", [2, 3, 7])
def test_bins_of_equal_width_are_those_of_scikit_learn_and_pandas(bins: int) -> None:
    pandas = pytest.importorskip("pandas")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    table = textbook("iris")
    for attribute in table.schema.attributes:
        cuts = equal_width(table, attribute.name, bins)
        column = [float(number) for number in table.columns[attribute.name] if number is not None]
        theirs = preprocessing.KBinsDiscretizer(bins, encode="ordinal", strategy="uniform")
        edges = theirs.fit([[x] for x in column]).bin_edges_[0]
        assert list(map(float, cuts)) == pytest.approx(list(edges[1:-1]), rel=1e-12)
        found = discretize(table, attribute.name, bins_between(cuts)).columns[attribute.name]
        pairs = zip(column, found, pandas.cut(column, bins, labels=False), strict=True)  # right-closed, as ours
        # Where a number lies on a cut, floats cannot say it.
        assert all(ours == theirs for x, ours, theirs in pairs if min(abs(x - cut) for cut in cuts) > 1e-9)


def test_two_numbers_have_a_range() -> None:
    assert equal_width(Table.from_columns({"x": [1, 3, 1], "y": [*"nyn"]}), "x", 2) == (2,)


def test_what_has_no_equal_bins_is_refused() -> None:
    table = Table.from_columns({"x": [1, 1], "c": ["a", "b"], "y": ["no", "yes"]})
    for attribute, bins, says in (
        ("x", 3, "fewer than two numbers"),
        ("c", 3, "categorical"),
        ("x", 1, "2 bins or more"),
    ):
        with pytest.raises(InputError, match=says):
            equal_width(table, attribute, bins)


def by_description(rows: list[tuple[float, str]]) -> list[float]:
    """The same recursion in floats, over the rows one by one."""

    def bits(part: list[tuple[float, str]]) -> float:
        return -sum(m / len(part) * math.log2(m / len(part)) for m in Counter(label for _, label in part).values())

    def kinds(part: list[tuple[float, str]]) -> int:
        return len({label for _, label in part})

    rows, best = sorted(rows), None
    for place in range(1, len(rows)):
        left, right = rows[:place], rows[place:]
        if left[-1][0] < right[0][0]:
            gain = bits(rows) - len(left) / len(rows) * bits(left) - len(right) / len(rows) * bits(right)
            if best is None or gain > best[0] + 1e-12:
                best = gain, left, right
    if best is None:
        return []
    gain, left, right = best
    delta = math.log2(3 ** kinds(rows) - 2) - kinds(rows) * bits(rows)
    delta += kinds(left) * bits(left) + kinds(right) * bits(right)
    if gain <= (math.log2(len(rows) - 1) + delta) / len(rows) + 1e-12:
        return []
    return [*by_description(left), (left[-1][0] + right[0][0]) / 2, *by_description(right)]


@given(st.lists(st.tuples(st.integers(0, 12), st.sampled_from("abc")), min_size=1, max_size=40))
def test_cuts_of_the_least_description_are_those_of_a_recursion_in_floats(rows: list[tuple[int, str]]) -> None:
    table = Table.from_columns({"x": [x for x, _ in rows], "y": [label for _, label in rows]})
    assert list(least_description(table, "x")) == by_description([(float(x), label) for x, label in rows])


@pytest.mark.slow
def test_every_small_cut_is_worth_its_bits_or_not_as_in_floats() -> None:
    for a, b, c, d in product(range(6), repeat=4):
        if a + b and c + d:
            rows = [(0.0, "n")] * a + [(0.0, "p")] * b + [(1.0, "n")] * c + [(1.0, "p")] * d
            assert shortens([[a, b], [c, d]]) == (by_description(rows) == [0.5])


def test_one_row_of_a_class_beside_five_of_another_is_worth_its_bits() -> None:
    """6 · 0.650 = 3.900 bits against log2(5) + log2(7) - 2 · 0.650 = 3.829."""
    assert shortens([[1, 0], [0, 5]])


def test_rows_of_one_class_are_not_worth_a_cut() -> None:
    """Of two rows neither side of the bound has a bit: log2(1) + log2(1) = 0."""
    assert not shortens([[1, 0], [1, 0]])


def test_of_equal_cuts_the_lowest_is_taken_and_each_once() -> None:
    columns: dict[str, list[Any]] = {"x": [1] * 20 + [2] * 20 + [3] * 20, "y": [*"a" * 20, *"b" * 20, *"c" * 20]}
    assert least_description(Table.from_columns(columns), "x") == (Fraction(3, 2), Fraction(5, 2))


IRIS = {
    "sepal length": [5.55, 6.15],
    "sepal width": [2.95, 3.35],
    "petal length": [2.45, 4.75],
    "petal width": [0.8, 1.75],
}
"""What the function `mdlp` of R's package discretization prints for iris."""


def test_the_cuts_of_iris_are_the_published_ones() -> None:
    table = textbook("iris")
    assert {name: list(map(float, least_description(table, name))) for name in IRIS} == IRIS


def test_rows_without_a_number_say_nothing_and_what_cannot_be_described_is_refused() -> None:
    rows: dict[str, list[Any]] = {"x": [1] * 8 + [2] * 8, "y": ["no"] * 8 + ["yes"] * 8}
    gaps = {"x": [*rows["x"], None, None, None], "y": [*rows["y"], "no", "no", "maybe"]}
    assert least_description(Table.from_columns(gaps), "x") == (Fraction(3, 2),)
    with pytest.raises(InputError, match="of the classes of rows, and z is a number"):
        least_description(Table.from_columns({**rows, "z": list(range(16))}), "x")
    with pytest.raises(InputError, match="the rows have weights"):
        least_description(Table.from_columns({"w": [2] * 16, **rows}, weights="w"), "x")


@pytest.mark.oracles
def test_weka_cuts_where_the_description_gets_shorter(tmp_path: Path) -> None:
    weka = Path("/usr/share/java/weka.jar")
    if not weka.exists() or shutil.which("java") is None:
        pytest.skip("needs Weka")
    file = tmp_path / "iris.arff"
    file.write_text(to_arff(textbook("iris")), encoding="utf-8")
    command = ["java", "-cp", str(weka), "weka.filters.supervised.attribute.Discretize", "-c", "last", "-i", str(file)]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    for name, cuts in IRIS.items():
        (line,) = [line for line in printed.splitlines() if line.startswith(f"@attribute '{name}'")]
        assert [float(end) for end in re.findall(r"-([\d.]+)\]", line)] == cuts


def test_bins_as_people_write_them() -> None:
    golf = textbook("golf")
    assert list(map(str, bins_of(golf, "temperature", "very cold (-inf,70);Hot[70,inf)")[0])) == [
        "very cold (-inf, 70)",
        "Hot [70, inf)",
    ]
    assert [one.name for one in bins_of(golf, "temperature", "entropy")[0]] == ["(-inf, inf)"]
    assert [one.name for one in bins_of(golf, "temperature", "-0.5, 1e1")[0]] == [
        "(-inf, -0.5]",
        "(-0.5, 10]",
        "(10, inf)",
    ]
    with pytest.raises(InputError, match="'a' is not a number"):
        bins_of(golf, "temperature", "Cold (a, b)")


MADE_UP = '''
"""Equal frequency: as many rows in each interval, as far as equal numbers allow."""

from fractions import Fraction

from reference_tree.splitting.discretization import Discretizer


def equal_frequency(table, attribute, bins):
    """The cuts between the k parts of the sorted column."""
    column = sorted(number for number in table.columns[attribute] if number is not None)
    places = (len(column) * part // bins for part in range(1, bins))
    return tuple(sorted({Fraction(column[at - 1] + column[at]) / 2 for at in places if column[at - 1] < column[at]}))


EQUAL_FREQUENCY = Discretizer(
    name="equal-frequency", words="{} intervals of equal frequency", cuts=equal_frequency, parameter="N"
)
'''

FOUND = """
from reference_tree.conformance.cases import Case
from reference_tree.conformance.goldens import document

case = Case("bins/made-up", "bins", "made up", data="golf", bins="equal-frequency:3", attribute="temperature")
found = document(case)
print(found["rules"], found["numbers"][-1], found["expected"][-1])
"""


def test_a_made_up_discretizer_is_one_file(tmp_path: Path) -> None:
    house, arff = House.with_module("reference_tree.splitting", MADE_UP, tmp_path), str(tmp_path / "golf.arff")
    cut = ["data", "golf", "--discretize", "temperature", "equal-frequency:3"]
    data, _, audited, explained, helped, refused = house.commands(
        [*cut, "-o", arff],
        ["grow", arff, "--learner", "c45", "-o", "tree.json"],
        ["audit", "tree.json", arff],
        ["explain", arff, "--learner", "c45"],
        ["data", "--help"],
        [*cut[:-1], "equal-frequency"],
    )
    assert "temperature: 3 intervals of equal frequency, cut at 69.5\n" in data.err
    assert " are right" in audited.out
    assert "(-inf, 69.5]" in explained.out
    assert "; equal-width:K; entropy; equal-frequency:N" in " ".join(helped.out.split())
    assert (refused.status, "equal-width:K, entropy or equal-frequency:N" in refused.err) == (2, True)
    assert house.python(FOUND) == "['discretization.equal-frequency'] 85 (69.5, inf)\n"
