"""Discretizers: cuts beside those of other programs and of a recursion in floats, and one that is made up."""

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
from reference_tree.splitting.discretization import bins_between, discretize
from reference_tree.splitting.discretizers import bins_of, equal_width, least_description, shortens
from tests.made_up import House


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

from reference_tree.splitting.discretization import Bin
from reference_tree.splitting.discretizers import Discretizer, Step


def equal_frequency(table, attribute, bins):
    """The only step: the cuts between the k parts of the sorted column."""
    column = sorted(number for number in table.columns[attribute] if number is not None)
    places = (len(column) * part // bins for part in range(1, bins))
    cuts = sorted({Fraction(column[at - 1] + column[at]) / 2 for at in places if column[at - 1] < column[at]})
    return [Step(Bin("", None, None), table.sample(), tuple(cuts), "the parts have equally many rows")]


EQUAL_FREQUENCY = Discretizer(
    name="equal-frequency", words="{} intervals of equal frequency", steps=equal_frequency, parameter="N"
)
'''

FOUND = """
from reference_tree.conformance.cases import Case
from reference_tree.conformance.goldens import document

case = Case("bins/made-up", "bins", "made up", data="golf", bins="equal-frequency:3", attribute="temperature")
found = document(case)
print(found["rules"], found["numbers"][-1], found["expected"][-1])
"""


@pytest.mark.slow
def test_a_made_up_discretizer_is_one_file(tmp_path: Path) -> None:
    house, arff = House.with_module("reference_tree.splitting", MADE_UP, tmp_path), str(tmp_path / "golf.arff")
    cut = ["data", "golf", "--discretize", "temperature", "equal-frequency:3"]
    data, derived, _, audited, explained, helped, refused = house.commands(
        [*cut, "-o", arff],
        ["explain", *cut[1:]],
        ["grow", arff, "--learner", "c45", "-o", "tree.json"],
        ["audit", "tree.json", arff],
        ["explain", arff, "--learner", "c45"],
        ["data", "--help"],
        [*cut[:-1], "equal-frequency"],
    )
    assert "temperature: 3 intervals of equal frequency, cut at 69.5\n" in data.err
    assert "Cut at 69.5: the parts have equally many rows.\n" in derived.out
    assert " are right" in audited.out
    assert "(-inf, 69.5]" in explained.out
    assert "; equal-width:K; entropy; equal-frequency:N" in " ".join(helped.out.split())
    assert (refused.status, "equal-width:K, entropy or equal-frequency:N" in refused.err) == (2, True)
    assert house.python(FOUND) == "['discretization.equal-frequency'] 85 (69.5, inf)\n"
