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
    REFUSED,
    Missing,
    Multiway,
    Subset,
    Surrogate,
    Test,
    Threshold,
    UnseenValueError,
    parse_path,
    path_step,
)
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from tests.every import of_every
from tests.strategies import fractions

names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8) | st.text(r"/=\a0", min_size=1, max_size=6)
values = st.lists(names, min_size=1, max_size=5, unique=True).map(tuple)
numbers = st.one_of(st.integers(-9, 9), fractions(-9, 9, max_denominator=12))

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


@of_every(["high", "", math.inf, -math.inf, [1], {}, 1j])
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


@of_every([OUTLOOK, Subset("outlook", ("rainy",)), Threshold("outlook", 3)])
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


@of_every(["", "outlook=sunny", "//", "/a//b", "/a/", "/a\\", "/a/b\\", "\\/a", " /a"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(InputError, match="the path"):
        parse_path(path)


QUESTION = Threshold("x", 2)
INSTEAD = (Surrogate(Threshold("b", 0), (1, 0), Fraction(1)), Surrogate(Threshold("c", 0), (0, 1), Fraction(1)))
RULES = {
    "fractions": Missing(shares=(Fraction(1, 3), Fraction(2, 3))),
    "surrogates": Missing(surrogates=INSTEAD, to=0),
    "branch": Missing(to=1),
    "stay": Missing(stays=True),
    "error": REFUSED,
}


@of_every(RULES)
def test_a_rule_has_a_name(name: str) -> None:
    assert RULES[name].rule == name


@of_every(RULES)
def test_an_answer_is_followed_under_every_rule(name: str) -> None:
    assert RULES[name].ways(QUESTION, {"x": 2}) == [(0, 1)]
    assert RULES[name].ways(QUESTION, {"x": 3}) == [(1, 1)]


def test_where_a_row_without_an_answer_goes() -> None:
    assert RULES["fractions"].ways(QUESTION, {"x": None}) == [(0, Fraction(1, 3)), (1, Fraction(2, 3))]
    assert RULES["branch"].ways(QUESTION, {"x": None}) == [(1, 1)]
    assert RULES["stay"].ways(QUESTION, {"x": None}) == [(None, 1)]
    with pytest.raises(InputError, match="the value of x is missing"):
        REFUSED.ways(QUESTION, {"x": None})


def test_surrogates_are_asked_in_turn() -> None:
    """The first is turned round; one that the row does not know at all is passed over."""
    rule = RULES["surrogates"]
    assert rule.ways(QUESTION, {"x": None, "b": 0, "c": 9}) == [(1, 1)]
    assert rule.ways(QUESTION, {"x": None, "b": None, "c": 9}) == [(1, 1)]
    assert rule.ways(QUESTION, {"x": None, "c": -1}) == [(0, 1)]
    assert rule.ways(QUESTION, {"x": None, "b": None, "c": None}) == [(0, 1)]


def test_a_set_of_rows_goes_where_its_rows_go() -> None:
    rows = [{"x": None, "b": b, "c": c} for b in (None, 0, 1) for c in (None, 0, 1)]

    def answers(test: Test, among: list[int]) -> list[list[int]]:
        branches = [test.branch(rows[row]) for row in among]
        return [[row for row, to in zip(among, branches, strict=True) if to == branch] for branch in (0, 1, None)]

    for rule in RULES.values():
        found: dict[int, list[tuple[int, object]]] = {row: [] for row in range(len(rows))}
        for branch, groups in enumerate(rule.routes(list(range(len(rows))), 2, answers)):
            for group, share in groups:
                for row in group:
                    found[row].append((branch, share))
        for row, ways in found.items():
            expected = [] if rule.rule == "error" else rule.ways(QUESTION, rows[row])
            assert ways == [way for way in expected if way[0] is not None]
