"""rpart: how its trees become documents, and what it does where the books leave a choice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.schema import Attribute
from tests.peers import rpart
from tests.peers.data_sets import DataSet
from tests.peers.tiny import ALIKE, SYMMETRIC, XOR, Grow, asked, nodes, tiny

CLASS = Attribute("class", ("n", "p"))
COLOUR = Attribute("colour", ("red", "green", "blue"))
FULL = "cp=-1, minsplit=2, minbucket=1, xval=0, usesurrogate=0, maxsurrogate=0, maxcompete=0"
SURROGATES = "cp=-1, minsplit=2, minbucket=1, xval=0, maxcompete=0"


# Converters, on trees as grow_trees.R writes them.


def held(number: int, counts: list[float], *splits: Mapping[str, Any]) -> Mapping[str, Any]:
    label = 1 + counts.index(max(counts))
    return {"id": number, "n": sum(counts), "dev": 0, "yval": label, "counts": counts, "splits": list(splits)}


def point(variable: int, number: float, below: int, agreement: float = 0) -> Mapping[str, Any]:
    return {"variable": variable, "point": number, "below": below, "agreement": agreement}


def fitted(*held_nodes: Mapping[str, Any], rest: list[int]) -> Mapping[str, Any]:
    return {"version": "0", "R": "0", "nodes": held_nodes, "rest": rest}


@pytest.fixture
def sized(tmp_path: Path) -> DataSet:
    rows = ["1 red n", "2 red p", "3 green p", "? blue p", "? red n"]
    return tiny(tmp_path, rows, [Attribute("size"), COLOUR, CLASS])


def test_smaller_numbers_come_first_though_rpart_calls_them_right(sized: DataSet) -> None:
    tree = fitted(held(1, [2, 3], point(0, 1.5, 1)), held(2, [1, 3]), held(3, [1, 0]), rest=[3, 2, 2, 1, 1])
    root, first, second = nodes(rpart.convert(tree, sized, FULL))
    assert root["branches"] == [{"when": {"lt": "1.5"}, "to": 1}, {"when": {"ge": "1.5"}, "to": 2}]
    assert (first["counts"], second["counts"]) == ({"n": "1"}, {"n": "1", "p": "3"})
    assert root["missing"] == {"rule": "stay"}


def test_surrogates_stand_best_first_with_what_they_have_not_seen(sized: DataSet) -> None:
    sides = {"variable": 1, "sides": [-1, 1, 0], "agreement": 2 / 3}
    tree = fitted(held(1, [2, 3], point(0, 1.5, -1), sides), held(2, [2, 0]), held(3, [0, 3]), rest=[2, 3, 3, 3, 2])
    root = nodes(rpart.convert(tree, sized, SURROGATES))[0]
    assert root["missing"] == {"rule": "surrogates", "to": 2}  # two of the three known rows are on the right
    assert root["surrogates"] == [
        {
            "test": {"kind": "subset", "attribute": "colour"},
            "branches": [{"when": {"in": ["red"]}, "to": 1}, {"when": {"not_in": ["red"]}, "to": 2}],
            "agreement": "2/3",
            "unseen": ["blue"],
        }
    ]


def test_a_regression_node_has_moments(tmp_path: Path) -> None:
    data = tiny(tmp_path, ["1 1", "2 2", "3 2"], [Attribute("a"), Attribute("y")])
    tree = fitted({"id": 1, "n": 3, "dev": 2 / 3, "yval": 5 / 3, "counts": [], "splits": []}, rest=[1, 1, 1])
    assert nodes(rpart.convert(tree, data, FULL)) == [
        {"id": 0, "n": "3", "mean": "5/3", "sse": "2/3", "stop": "unknown"}
    ]


# What rpart does.


@pytest.fixture
def grow(tmp_path: Path) -> Grow:
    if missing := rpart.absent():
        pytest.skip(missing)

    def nodes_of(rows: list[str], arguments: str = FULL, columns: Any = ()) -> Any:
        return nodes(rpart.grow([(tiny(tmp_path, rows, columns), arguments)])[0])

    return nodes_of


oracles = pytest.mark.oracles
every_split = pytest.mark.parametrize("split", ["gini", "information"])


@oracles
@every_split
def test_a_gain_of_zero_does_not_split(grow: Grow, split: str) -> None:
    assert len(grow(XOR, f"parms=list(split='{split}'), {FULL}")) == 1


@oracles
@every_split
def test_the_first_of_equal_attributes_wins(grow: Grow, split: str) -> None:
    assert asked(grow(ALIKE, f"parms=list(split='{split}'), {FULL}")[0]) == ("a", "3.5")


@oracles
@every_split
def test_the_lowest_of_equal_cuts_wins(grow: Grow, split: str) -> None:
    assert asked(grow(SYMMETRIC, f"parms=list(split='{split}'), {FULL}")[0]) == ("a", "2.5")


@oracles
def test_the_first_of_equally_frequent_classes_is_the_label(grow: Grow) -> None:
    columns = [Attribute("a"), Attribute("class", ("p", "n"))]
    root = grow(["1 n", "1 p"] * 4, FULL, columns)[0]
    assert (root["label"], root["tied"]) == ("p", ["p", "n"])


@oracles
def test_a_threshold_is_the_midpoint_and_belongs_to_the_larger_numbers(grow: Grow) -> None:
    root = grow(["1 n", "3 p"])[0]
    assert asked(root) == ("a", "2")
    assert [branch["when"] for branch in root["branches"]] == [{"lt": "2"}, {"ge": "2"}]


@oracles
def test_a_row_without_the_value_stays_at_the_node(grow: Grow) -> None:
    root, *leaves = grow(["1 1 n"] * 3 + ["2 1 p"] * 6 + ["? 1 p"])
    assert root["counts"] == {"n": "3", "p": "7"}
    assert [leaf["counts"] for leaf in leaves] == [{"n": "3"}, {"p": "6"}]


@oracles
def test_an_improvement_is_summed_over_the_rows_whose_value_is_known(grow: Grow) -> None:
    pure = ["1 1 n"] * 2 + ["2 2 p"] * 2  # both attributes part these without an error
    assert asked(grow([*pure, "? 1 n", "? 2 p"])[0])[0] == "b"
    assert asked(grow([*pure, "1 ? n", "2 ? p"])[0])[0] == "a"
    assert asked(grow([*pure, "? 1 n", "? 2 p", "1 2 n"])[0])[0] == "a"


@oracles
def test_a_row_without_any_value_is_left_out(grow: Grow) -> None:
    assert grow(["1 1 n"] * 3 + ["2 2 p"] * 6 + ["? ? p"])[0]["counts"] == {"n": "3", "p": "6"}


@oracles
def test_a_row_without_a_surrogate_goes_with_the_majority(grow: Grow) -> None:
    rows = ["1 1 n"] * 3 + ["2 1 p"] * 6 + ["? 1 n"]
    root, low, high = grow(rows, f"{SURROGATES}, maxdepth=1")
    assert root["missing"] == {"rule": "surrogates", "to": 2}
    assert (low["counts"], high["counts"]) == ({"n": "3"}, {"n": "1", "p": "6"})


@oracles
def test_a_row_stays_where_neither_side_is_the_majority(grow: Grow) -> None:
    root, low, high = grow(["1 1 n"] * 4 + ["2 1 p"] * 4 + ["? 1 n"], SURROGATES)
    assert root["missing"] == {"rule": "surrogates"}
    assert (low["counts"], high["counts"]) == ({"n": "4"}, {"p": "4"})


@oracles
@pytest.mark.parametrize(
    ("value", "threshold"), [("5", "3.5"), ("3", "2.5"), ("2", "4"), ("6", "4"), ("9", "4"), ("?", "4")]
)
def test_a_row_without_the_first_answer_moves_the_threshold_of_a_surrogate(
    grow: Grow, value: str, threshold: str
) -> None:
    stand_ins = zip("111111222222", [1, 1, 1, 2, 2, 6, 6, 6, 6, 7, 7, 2], strict=True)
    rows = [f"{first} {second} {'n' if first == '1' else 'p'}" for first, second in stand_ins]
    root = grow([*rows, f"? {value} n"], f"{SURROGATES}, maxdepth=1", [Attribute("a"), Attribute("b"), CLASS])[0]
    [found] = root["surrogates"]
    assert found["branches"][0]["when"] == {"lt": threshold}


@oracles
def test_a_surrogate_must_beat_the_majority(grow: Grow) -> None:
    rows = ["1 1 n"] * 4 + ["2 1 p"] * 3 + ["2 2 p"] * 3
    columns = [Attribute("a"), Attribute("b"), CLASS]
    agreement = grow([*rows, "? 2 p"], SURROGATES, columns)[0]["surrogates"][0]["agreement"]
    assert agreement == "7/10"  # four on the left and three on the right, of ten; the majority is six
    rows = ["1 1 n"] * 4 + ["2 1 p"] * 5 + ["2 2 p"]  # only one row would go right
    assert "surrogates" not in grow([*rows, "? 2 p"], SURROGATES, columns)[0]


@oracles
def test_numbers_reach_rpart_as_they_are(grow: Grow) -> None:
    assert asked(grow(["0.1 n", "0.30000000000000004 p"])[0]) == ("a", "0.2")
    assert asked(grow(["1e-5 n", "123456789.123456789 p"])[0]) == ("a", repr((1e-5 + 123456789.123456789) / 2))
