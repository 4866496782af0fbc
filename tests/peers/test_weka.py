"""Weka: how its trees become documents, and what it does where the books leave a choice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.schema import Attribute
from tests.peers import weka
from tests.peers.data_sets import DataSet, data_set
from tests.peers.tiny import ALIKE, SYMMETRIC, XOR, Grow, asked, nodes, tiny

CLASS = Attribute("class", ("n", "p"))
COLOUR = Attribute("colour", ("red", "green", "blue"))


# Converters, on trees as GrowTrees.java writes them.


def held(counts: list[float], label: int, **asks: Any) -> Mapping[str, Any]:
    return {"counts": counts, "label": label, **asks}


@pytest.fixture
def coloured(tmp_path: Path) -> DataSet:
    return tiny(tmp_path, ["red 1 n", "? 2 p", "green 3 p"], [COLOUR, Attribute("size"), CLASS])


def test_a_multiway_node_has_a_branch_for_each_value_and_its_share(coloured: DataSet) -> None:
    asks = {"attribute": 0, "kind": "multiway", "value": None, "sons": [1, 2, 3], "shares": [0.5, 0.5, 0.0]}
    leaves = [held([1.0, 0.5], 0), held([0.0, 1.5], 1), held([0.0, 0.0], 1)]
    document = weka.convert({"version": "0", "nodes": [held([1.0, 2.0], 1, **asks), *leaves]}, "J48", coloured, "-U")
    root, *below = nodes(document)
    assert root["test"] == {"kind": "multiway", "attribute": "colour"}
    assert [branch["when"] for branch in root["branches"]] == [{"is": "red"}, {"is": "green"}, {"is": "blue"}]
    assert [branch["share"] for branch in root["branches"]] == ["1/2", "1/2", "0"]
    assert root["missing"] == {"rule": "fractions"}
    assert below[0] == {"id": 1, "counts": {"n": "1", "p": "1/2"}, "label": "n", "stop": "unknown"}
    assert below[1] == {"id": 2, "counts": {"p": "3/2"}, "label": "p", "stop": "pure"}
    assert below[2] == {"id": 3, "counts": {}, "label": "p", "stop": "empty", "prior": True}


@pytest.mark.parametrize(("learner", "relations"), [("J48", ["le", "gt"]), ("SimpleCart", ["lt", "ge"])])
def test_a_threshold_is_the_shortest_decimal(coloured: DataSet, learner: str, relations: list[str]) -> None:
    asks = {"attribute": 1, "kind": "threshold", "value": 1.5, "sons": [1, 2], "shares": [0.5, 0.5]}
    tree = {"version": "0", "nodes": [held([1, 2], 1, **asks), held([1, 0], 0), held([0, 2], 1)]}
    root = nodes(weka.convert(tree, learner, coloured, ""))[0]
    assert root["test"] == {"kind": "threshold", "attribute": "size", "threshold": "1.5"}
    assert [branch["when"] for branch in root["branches"]] == [{relation: "1.5"} for relation in relations]


def test_a_subset_is_named_by_the_values_of_its_first_branch(coloured: DataSet) -> None:
    asks = {"attribute": 0, "kind": "subset", "value": [0, 2], "sons": [1, 2], "shares": [0.5, 0.5]}
    tree = {"version": "0", "nodes": [held([1, 2], 1, **asks), held([1, 0], 0), held([0, 2], 1)]}
    when = [branch["when"] for branch in nodes(weka.convert(tree, "SimpleCart", coloured, ""))[0]["branches"]]
    assert when == [{"in": ["red", "blue"]}, {"not_in": ["red", "blue"]}]


def test_a_leaf_that_id3_leaves_without_a_label_has_that_of_the_node_above(coloured: DataSet) -> None:
    asks = {"attribute": 0, "kind": "multiway", "value": None, "sons": [1, 2, 3], "shares": []}
    tree = {"version": "0", "nodes": [held([1, 2], 1, **asks), held([1, 0], 0), held([0, 2], 1), held([0, 0], -1)]}
    assert nodes(weka.convert(tree, "Id3", coloured, ""))[3]["label"] == "p"


# What Weka does.


@pytest.fixture
def grow(tmp_path: Path) -> Grow:
    if missing := weka.absent():
        pytest.skip(missing)

    def nodes_of(rows: list[str], learner: str = "J48", options: str = "-U -M 2", columns: Any = ()) -> Any:
        return nodes(weka.grow([(learner, tiny(tmp_path, rows, columns), options)])[0])

    return nodes_of


oracles = pytest.mark.oracles
both_learners = pytest.mark.parametrize(("learner", "options"), [("J48", "-U -M 2"), ("SimpleCart", "-U -H -M 1")])


@oracles
@both_learners
def test_a_gain_of_zero_does_not_split(grow: Grow, learner: str, options: str) -> None:
    assert len(grow(XOR, learner, options)) == 1


@oracles
@both_learners
def test_the_first_of_equal_attributes_wins(grow: Grow, learner: str, options: str) -> None:
    assert asked(grow(ALIKE, learner, options)[0])[0] == "a"


@oracles
@pytest.mark.parametrize(("learner", "options", "cut"), [("J48", "-U -M 2", "2"), ("SimpleCart", "-U -M 1", "2.5")])
def test_the_lowest_of_equal_cuts_wins(grow: Grow, learner: str, options: str, cut: str) -> None:
    assert asked(grow(SYMMETRIC, learner, options)[0]) == ("a", cut)


@oracles
def test_j48_moves_a_threshold_to_the_largest_value_of_all_rows_below_the_midpoint(grow: Grow) -> None:
    left = [f"{x} 0 {label}" for x, label in [(1, "n"), (2, "n"), (10, "p"), (11, "p")] for _ in range(4)]
    right = [f"{x} 1 q" for x in (4, 5, 7, 8) for _ in range(4)]
    root, *below = grow(left + right)  # below b, the midpoint of 2 and 10 is 6; the 5 lies on the other side of b
    assert asked(root)[0] == "b"
    assert asked(below[0]) == ("a", "5")


@oracles
def test_j48_wants_two_rows_on_each_side_of_a_cut_and_a_tenth_of_the_rows_per_class(grow: Grow) -> None:
    few = [f"{x} {'n' if x <= 5 else 'p'}" for x in range(1, 101)]
    assert asked(grow(few)[0]) == ("a", "5")  # 0.1 · 100 / 2 = 5
    fewer = [f"{x} {'n' if x <= 4 else 'p'}" for x in range(1, 101)]
    assert asked(grow(fewer)[0]) == ("a", "5")  # 4 would be pure, but leaves too few on the left


@oracles
def test_j48_charges_a_cut_for_the_cuts_that_were_tried(grow: Grow) -> None:
    # gain = 0.2516, and 3 of 5 cuts leave two rows on each side: log2(3) / 6 = 0.2642
    assert len(grow(["1 n", "2 n", "3 p", "4 p", "5 n", "6 n"])) == 1
    assert len(grow(["1 n", "2 n", "3 p", "4 p", "5 n", "6 n"] * 2)) > 1


@oracles
def test_j48_does_not_try_a_gap_of_a_hundred_thousandth(grow: Grow) -> None:
    assert len(grow(["1.00001 n", "1.00002 p"] * 10)) == 1
    assert len(grow(["1.00001 n", "1.000021 p"] * 10)) == 3


@oracles
def test_j48_collapses_a_subtree_that_saves_no_error(grow: Grow) -> None:
    rows = ["1 n"] * 10 + ["2 n"] * 6 + ["2 p"] * 4
    assert len(grow(rows, "J48-uncollapsed", "-M 2")) == 3
    assert len(grow(rows)) == 1


@oracles
@both_learners
def test_the_first_of_equally_frequent_classes_is_the_label(grow: Grow, learner: str, options: str) -> None:
    columns = [Attribute("a"), Attribute("class", ("p", "n"))]
    root = grow(["1 n", "1 p"] * 4, learner, options, columns)[0]
    assert (root["label"], root["tied"]) == ("p", ["p", "n"])


@oracles
def test_j48_gives_a_branch_without_rows_the_label_of_the_node_above(grow: Grow) -> None:
    root, *leaves = grow(["red n"] * 6 + ["green p"] * 4, columns=[COLOUR, CLASS])
    assert root["label"] == "n"
    assert (leaves[2]["label"], leaves[2]["stop"]) == ("n", "empty")


@oracles
def test_id3_gives_a_branch_without_rows_no_label(tmp_path: Path) -> None:
    if missing := weka.absent():
        pytest.skip(missing)
    data = tiny(tmp_path, ["red n", "green p"], [COLOUR, CLASS])
    raw = weka.run([("Id3", data, "")])[0]
    assert json.loads(raw)["nodes"][3] == {"counts": [0, 0], "label": -1}


@oracles
@both_learners
def test_a_row_without_the_value_goes_down_every_branch_in_shares(grow: Grow, learner: str, options: str) -> None:
    root, low, high = grow(["1 n"] * 3 + ["2 p"] * 6 + ["? p"], learner, options)
    assert [branch["share"] for branch in root["branches"]] == ["1/3", "2/3"]
    assert (low["counts"], high["counts"]) == ({"n": "3", "p": "1/3"}, {"p": "20/3"})


@oracles
def test_simple_cart_makes_a_leaf_of_less_than_twice_the_minimum(grow: Grow) -> None:
    rows = ["1 n", "2 p", "3 p"]
    assert len(grow(rows, "SimpleCart", "-U -M 1")) == 3
    assert len(grow(rows, "SimpleCart", "-U -M 2")) == 1


@oracles
def test_simple_cart_looks_for_no_other_split_when_the_best_leaves_too_few(grow: Grow) -> None:
    rows = ["1 n", "2 p", "2 p", "3 p", "4 p", "5 p", "6 p", "7 p"]  # 1.5 is best; 2.5 would leave enough
    assert len(grow(rows, "SimpleCart", "-U -M 2")) == 1


@oracles
def test_j48_grows_the_same_tree_from_its_own_command(tmp_path: Path) -> None:
    if missing := weka.absent():
        pytest.skip(missing)
    printed = weka.printout("weka.classifiers.trees.J48", data_set("labor"), "-U -M 2")
    grown = nodes(weka.grow([("J48", data_set("labor"), "-U -M 2")])[0])
    assert f"Size of the tree : \t{len(grown)}\n" in printed
    assert "wage-increase-first-year <= 2.5\n" in printed
