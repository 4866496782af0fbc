"""XGBoost's dialect: what it says of a cut, and of a gain that is nearly nothing; `tests.peers` has the program."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import given
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.programs.xgboost.bins import RANKED, RELEASES, SPACED, binned, release_of
from tests.every import of_every


def test_a_cut_is_asked_with_less_than() -> None:
    data = given(Table.from_columns({"x": [1, 2, None], "g": [5, -5, 5], "h": [1, 1, 1], "y": [0] * 3}), "g", "h")
    test = GradientTree.like("xgboost").grow(data).nodes[0].test
    assert test is not None
    assert (test.name, test.branch({"x": Fraction(3, 2)})) == ("x<1.5", 1)


@pytest.mark.parametrize(("gain", "splits"), [(Fraction(1, 10**6), False), (Fraction(2, 10**6), True)])
def test_a_gain_has_to_be_more_than_a_millionth(gain: Fraction, splits: bool) -> None:
    # Two rows of g = ±1 and h = 1/gain gain 2·gain, without a penalty.
    columns: dict[str, Any] = {"x": [1, 2], "g": [1, -1], "h": [2 / gain] * 2, "y": [0, 0]}
    tree = GradientTree.like("xgboost", reg_lambda=0).grow(given(Table.from_columns(columns), "g", "h"))
    assert (len(tree.nodes) == 3) == splits


def test_numbers_go_to_the_lower_edge_of_their_bin() -> None:
    table = rt.Table.from_columns({"x": [0, 1, 2, 3, 4, None], "y": [0, 0, 1, 1, 1, 2]})
    assert list(binned(table, 3, SPACED).columns["x"]) == [0, 0, 2, 3, 3, None]
    found = binned(table, max_bin=3)
    assert list(found.columns["x"]) == [0, 1, 1, 3, 3, None]
    assert list(found.columns["y"]) == list(table.columns["y"])
    assert binned(table).columns["x"] == table.columns["x"]


def test_weights_move_edges_and_have_to_be_float32() -> None:
    rows = {"x": list(range(9)), "w": [1] * 8 + [9], "y": [0] * 9}
    found = binned(Table.from_columns(rows, target="y", weights="w"), 3)
    assert list(map(int, found.schema.numbers["x"])) == [0, 5, 8]
    rows["w"][0] = 10**39
    with pytest.raises(rt.InputError, match="too large for float32"):
        binned(Table.from_columns(rows, target="y", weights="w"), 3)


# Releases.


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        (None, "3.4"),
        ("3.2", "3.2"),
        ("3.2.0", "3.2"),
        ("3.3.0", "3.3"),
        ("3.4.1", "3.4"),
        ("3.9", "3.4"),
        ("4.0", "3.4"),
    ],
)
def test_a_release_has_the_record_of_the_newest_that_is_not_newer(asked: str | None, known: str) -> None:
    assert release_of(asked) is RELEASES[known]


@pytest.mark.parametrize("asked", ["3.1.3", "2.1", "0.90"])
def test_a_release_that_is_older_than_all_records_is_refused(asked: str) -> None:
    with pytest.raises(rt.InputError, match=f"release='{asked}' of XGBoost is older than 3.2, the oldest"):
        release_of(asked)


@pytest.mark.parametrize("asked", ["", "3", "newest", "hist"])
def test_what_is_no_release_is_refused(asked: str) -> None:
    with pytest.raises(rt.InputError, match=f"release='{asked}' is no release of XGBoost; say one such as 3.4"):
        release_of(asked)


def test_what_the_records_say() -> None:
    assert [release.sketch for release in RELEASES.values()] == [SPACED, RANKED, RANKED]
    assert [release.enables_categories for release in RELEASES.values()] == [False, True, True]
    leaves = [release.unlike["reg:absoluteerror"] for release in RELEASES.values()]
    assert ["median" in each for each in leaves] == [True, True, False]


@of_every(
    [
        ([1, 2, 5, 9], [0, 0, 9, 9], "x<5", 1),  # nothing is missing: a gap goes right
        ([1, 2, 9, None], [0, 0, 9, 9], "x<9", 1),
        ([1, 2, 9, None], [0, 0, 9, 0], "x<9", 0),
        ([1, 2, 4, None], [0, 0, 0, 9], "x<8.00001", 1),  # whether there is a value
    ]
)
def test_a_histogram_asks_below_the_next_number(x: Any, y: Any, name: str, to: int) -> None:
    learner = GradientTree.like("xgboost-hist", max_depth=1, min_child_weight=0, reg_lambda=0)
    table = rt.Table.from_columns({"x": x, "y": y})
    root = GradientBoosting(base=learner, trees=1).grow(table).members[0].tree.nodes[0]
    assert (root.test.name if root.test else None, root.missing.to) == (name, to)


def test_whether_there_is_a_value_is_asked_far_above_the_largest() -> None:
    learner = GradientTree.like("xgboost", max_depth=1, min_child_weight=0, reg_lambda=0)
    table = rt.Table.from_columns({"x": [1, 2, 4, None], "y": [0, 0, 0, 9]})
    root = GradientBoosting(base=learner, trees=1).grow(table).members[0].tree.nodes[0]
    assert root.test is not None
    assert (root.test.name, root.missing.to) == ("x<8.000001", 1)


@pytest.mark.parametrize(("profile", "nodes"), [("xgboost", 7), ("xgboost-hist", 1)])
def test_a_histogram_does_not_wait_for_what_is_below(profile: str, nodes: int) -> None:
    table = rt.Table.from_columns({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": [0, 9, 9, 1]})
    learner = GradientTree.like(profile, min_child_weight=0, reg_lambda=0, gamma=30)  # the root gains 1/4
    (member,) = GradientBoosting(base=learner, trees=1).grow(table).members
    assert len(member.tree.nodes) == nodes
