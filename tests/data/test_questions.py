"""Questions: what they ask, what they accept as an answer, and how the way to a node is written."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import (
    Multiway,
    Subset,
    Test,
    Threshold,
    UnseenValueError,
    parse_path,
    path_step,
)
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table

names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8) | st.text(r"/=\a0", min_size=1, max_size=6)
values = st.lists(names, min_size=1, max_size=5, unique=True).map(tuple)
numbers = st.one_of(st.integers(-9, 9), st.fractions(-9, 9, max_denominator=12))

OUTLOOK = Multiway("outlook", ("overcast", "rainy", "sunny"))


@given(values, st.data())
def test_a_multiway_test_has_a_branch_for_each_value(values: tuple[str, ...], data: st.DataObject) -> None:
    test = Multiway("a", values)
    assert [test.branch({"a": value}) for value in values] == list(range(len(values)))
    other = data.draw(names.filter(lambda name: name not in values))
    with pytest.raises(UnseenValueError, match="was not seen in training"):
        test.branch({"a": other})


@given(values, names)
def test_a_subset_test_leaves_nothing_out(values: tuple[str, ...], value: str) -> None:
    assert Subset("a", values).branch({"a": value}) == (0 if value in values else 1)


@given(numbers, numbers, st.booleans())
def test_a_threshold_test_leaves_nothing_out(threshold: Fraction, value: Fraction, strict: bool) -> None:
    below = value < threshold if strict else value <= threshold
    assert Threshold("x", threshold, strict=strict).branch({"x": value}) == (0 if below else 1)


@given(st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.decimals(-99, 99), st.integers()), numbers)
def test_a_number_of_any_kind_is_its_exact_value(value: Any, threshold: Fraction) -> None:
    assert Threshold("x", threshold).branch({"x": value}) == (0 if Fraction(value) <= threshold else 1)


def test_a_number_can_be_written() -> None:
    test = Threshold("x", Fraction(1, 10))
    cells: list[Any] = ["0.1", "1/10", "0.10001", 0.1, Decimal("0.1")]
    assert [test.branch({"x": cell}) for cell in cells] == [0, 0, 1, 1, 0]


@pytest.mark.parametrize("cell", ["high", "", math.inf, -math.inf, [1], {}, 1j])
def test_what_is_no_number_has_no_branch(cell: Any) -> None:
    with pytest.raises(InputError, match=r"number; the tree asks for x<=1"):
        Threshold("x", 1).branch({"x": cell})


def test_a_category_may_be_any_value_that_a_table_takes_as_one() -> None:
    """What a table calls `True`, or `3`, is found again under that name."""
    columns: dict[str, list[object]] = {"windy": [True, False], "grade": [3, 4], "play": ["no", "yes"]}
    table = Table.from_columns(columns, categorical=["grade"])
    windy, grade = (Multiway.on(attribute) for attribute in table.schema.attributes)
    for row, cells in zip(table.rows(), zip(columns["windy"], columns["grade"], strict=True), strict=True):
        asked: dict[str, Any] = dict(zip(("windy", "grade"), cells, strict=True))
        assert windy.branch(asked) == windy.branch(row)
        assert grade.branch(asked) == grade.branch(row)


@pytest.mark.parametrize("test", [OUTLOOK, Subset("outlook", ("rainy",)), Threshold("outlook", 3)])
def test_a_missing_value_has_no_branch_and_an_absent_one_is_an_error(test: Test) -> None:
    assert test.branch({"outlook": None}) is None
    frame_says: Any = math.nan
    assert test.branch({"outlook": frame_says}) is None
    with pytest.raises(InputError, match="the row has no value for outlook"):
        test.branch({"humidity": "high"})


def test_how_questions_are_written() -> None:
    tests: list[Test] = [
        OUTLOOK,
        Subset("outlook", ("rainy", "sunny")),
        Threshold("humidity", Fraction(153, 2)),
        Threshold("humidity", Fraction(1, 3), strict=True),
    ]
    assert [test.name for test in tests] == [
        "outlook", "outlook in {rainy, sunny}", "humidity<=76.5", "humidity<1/3",
    ]  # fmt: skip
    assert [[test.step(branch) for branch in range(len(test.outcomes))] for test in tests] == [
        ["outlook=overcast", "outlook=rainy", "outlook=sunny"],
        ["outlook in {rainy, sunny}", "outlook not in {rainy, sunny}"],
        ["humidity<=76.5", "humidity>76.5"],
        ["humidity<1/3", "humidity>=1/3"],
    ]
    assert [[outcome.label for outcome in test.outcomes] for test in tests] == [
        ["overcast", "rainy", "sunny"],
        ["in {rainy, sunny}", "not in {rainy, sunny}"],
        ["<=76.5", ">76.5"],
        ["<1/3", ">=1/3"],
    ]


def test_a_multiway_test_is_on_a_whole_domain() -> None:
    assert Multiway.on(Attribute("outlook", ("overcast", "rainy", "sunny"))) == OUTLOOK
    with pytest.raises(InputError, match="humidity is continuous"):
        Multiway.on(Attribute("humidity"))


# Paths.


@given(st.lists(st.tuples(names, values, st.integers(0, 4)), max_size=5))
def test_a_path_is_the_steps_it_was_made_of(steps: list[tuple[str, tuple[str, ...], int]]) -> None:
    r"""Whatever stands in names and values, `/`, `=` and `\` among it."""
    written = [path_step(Multiway(name, values), branch % len(values)) for name, values, branch in steps]
    assert parse_path("/" + "/".join(written)) == tuple(written)


@given(names, names, names, names)
def test_different_steps_are_written_differently(a: str, v: str, b: str, w: str) -> None:
    one, other = path_step(Multiway(a, (v,)), 0), path_step(Multiway(b, (w,)), 0)
    assert (one == other) == ((a, v) == (b, w))


def test_paths() -> None:
    assert parse_path("/") == ()
    assert parse_path("/0/1") == ("0", "1")
    assert parse_path("/humidity<=75/outlook=sunny") == ("humidity<=75", "outlook=sunny")
    assert parse_path(r"/in\/out=a\=b") == (r"in\/out=a\=b",)
    assert parse_path("/a=b\n/c=d") == ("a=b\n", "c=d")


@pytest.mark.parametrize("path", ["", "outlook=sunny", "//", "/a//b", "/a/", "/a\\", "/a/b\\", "\\/a", " /a"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(InputError, match="the path"):
        parse_path(path)
