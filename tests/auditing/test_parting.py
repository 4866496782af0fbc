"""Parting alike: held against the branch of every row, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.auditing.judging import shares_of
from reference_tree.auditing.parting import fit, is_asked, mended, parts_like
from reference_tree.data.questions import Coordinate, Linear, Missing, Multiway, SeenSubset, Subset, Test, Threshold
from reference_tree.data.sample import Counts
from tests.every import of_every

ROWS: list[dict[str, Any]] = [
    {"x": x, "c": c, "y": "no" if x else "yes"} for x, c in zip([0, 0, 1, 3, 3, 7], "abcaab", strict=True)
]
TABLE = rt.Table.from_rows(ROWS, "y")
THRESHOLDS = [
    Threshold("x", t, strict=strict) for t in (-1, 0, Fraction(1, 2), 1, 2, 3, 5, 7) for strict in (False, True)
]
SUBSETS = [Subset("c", values) for values in (("a",), ("b",), ("c",), ("a", "b"), ("b", "c"), ("a", "b", "c"))]


def branches(test: Test) -> Sequence[frozenset[int]]:
    """The rows of each branch that has any."""
    found: dict[int | None, set[int]] = {}
    for number, row in enumerate(ROWS):
        found.setdefault(test.branch(row), set()).add(number)
    return sorted(map(frozenset, found.values()), key=sorted)


@given(st.sampled_from(THRESHOLDS), st.sampled_from(THRESHOLDS))
def test_thresholds(one: Threshold, other: Threshold) -> None:
    below = [{number for number, row in enumerate(ROWS) if test.branch(row) == 0} for test in (one, other)]
    assert parts_like(one, other, TABLE.sample()) == (below[0] == below[1])


@given(st.sampled_from([*SUBSETS, Multiway("c", ("a", "b", "c"))]), st.sampled_from(SUBSETS))
def test_sets_of_values(one: Test, other: Test) -> None:
    assert parts_like(one, other, TABLE.sample()) == (branches(one) == branches(other))


def test_values_that_no_row_has_may_stand_on_either_side() -> None:
    part = TABLE.sample().split(Threshold("x", 2))[1]  # a, a, b
    assert parts_like(Subset("c", ("a",)), Subset("c", ("b",)), part)
    assert parts_like(Subset("c", ("a",)), Subset("c", ("a", "c")), part)
    assert parts_like(Multiway("c", ("a", "b", "c")), Subset("c", ("a",)), part)
    assert parts_like(SeenSubset("c", ("a",), ("c",)), Subset("c", ("a",)), part)


def test_weighted_sums() -> None:
    one = Linear(((Coordinate("x"), 2), (Coordinate("c", "a"), 1)), 3)
    for threshold, same in ((Fraction(7, 2), True), (1, False), (Fraction(31, 10), True)):
        other = Linear(one.weights, threshold)
        assert parts_like(one, other, TABLE.sample()) == same == (branches(one) == branches(other))


def test_questions_about_other_attributes_are_others() -> None:
    rows = [{"a": x, "b": x, "y": "no" if x else "yes"} for x in (0, 1)]
    sample = rt.Table.from_rows(rows, "y").sample()
    assert not parts_like(Threshold("a", Fraction(1, 2)), Threshold("b", Fraction(1, 2)), sample)
    assert not parts_like(Threshold("x", 1), Subset("c", ("a",)), TABLE.sample())


@of_every([("multiway", (0, 1, 0)), ("one-vs-rest", (1, 1, 0)), ("subset", (1, 1, 0)), ("linear", (0, 0, 0))])
def test_what_is_asked(branching: str, asked: tuple[int, int, int]) -> None:
    tests = (Subset("c", ("a", "b")), Threshold("x", 1), Linear(((Coordinate("x"), 1),), 1))
    assert [is_asked(branching, test, TABLE.sample()) for test in tests[:2]] == [bool(one) for one in asked[:2]]
    assert is_asked(branching, tests[2], TABLE.sample()) == (branching == "linear")


# Mending: the one cut that has the stated counts is found, and none where there is none.

DAYS = rt.Table.from_columns({"x": [1, 2, 2, None, 5, 8, 9], "y": [*"nnynyny"]})
CUTS = [Threshold("x", t) for t in (1, 3, 6, 8)]


def alike(stated: Counts, found: Counts) -> bool:
    return tuple(stated) == tuple(found)


@given(st.sampled_from(CUTS), st.sampled_from(CUTS), st.sampled_from([0, 1]))
def test_the_cut_that_was_is_found_again(was: Threshold, now: Threshold, to: int) -> None:
    sample, missing = DAYS.sample(), Missing(to=to)
    stated = [part.total() for part in sample.split(was, missing)]
    found = mended(now, sample, missing, stated, alike)
    assert found is not None
    assert parts_like(found, was, sample)


@given(st.sampled_from(CUTS), st.sampled_from(CUTS))
def test_rows_that_are_divided_go_by_the_shares_of_the_cut_that_was(was: Threshold, now: Threshold) -> None:
    sample = DAYS.sample()
    stated = [part.total() for part in sample.split(was, Missing(shares=shares_of(sample, was)))]
    found = mended(now, sample, Missing(shares=shares_of(sample, now)), stated, alike)
    assert found is not None
    assert parts_like(found, was, sample)


def test_no_cut_has_other_counts() -> None:
    sample = DAYS.sample()
    assert mended(CUTS[0], sample, Missing(to=0), [(2, 2), (2, 1)], alike) is None
    assert mended(Subset("x", ("a",)), sample, Missing(), [(2, 2), (2, 1)], alike) is None


def test_so_many_may_differ() -> None:
    assert not fit([(1, 0), (0, 1)], [(1, 0), (0, 2)], alike)
    assert fit([(1, 0), (0, 1)], [(1, 0), (0, 2)], alike, but=1)
