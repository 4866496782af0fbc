"""Reducing: what is left is wrong in the same way, and nothing more can be left out of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.auditing.reducing import Reduced, left_out, reduce, smallest, without_counts
from reference_tree.data.questions import Threshold


@given(st.integers(0, 60), st.integers(1, 60), st.integers(0, 60))
def test_runs_of_each_length_leave_out_every_row(length: int, step: int, start: int) -> None:
    start = min(start, length)
    runs = list(left_out(length, step, start))
    first = runs[: -(-length // step) + (start % step > 0)]
    assert {row for run in first for row in range(run.start, run.start + run.step)} >= set(range(length))
    if step > 1 or start == 0:
        assert [run.start for run in runs if run.step == 1][-length:] == list(range(length))


@given(st.sets(st.integers(0, 99), max_size=5))
def test_the_smallest_part_that_is_wrong_is_found(wrong: set[int]) -> None:
    """Against what is known: a part is wrong if it holds all of some numbers."""

    def shorter(numbers: list[int]) -> list[list[int]]:
        return [[*numbers[: run.start], *numbers[run.start + run.step :]] for run in left_out(len(numbers))]

    found = smallest(list(range(100)), shorter, lambda some: next((one for one in some if wrong <= set(one)), None))
    assert set(found) == wrong or (len(found) == 1 and not wrong)


def wrong_trees() -> list[tuple[rt.Tree, rt.Table, rt.ID3 | rt.CART]]:
    days, iris = rt.textbook("play-tennis"), rt.textbook("iris")
    stump = rt.CART(max_depth=1)
    found: list[tuple[rt.Tree, rt.Table, rt.ID3 | rt.CART]] = [
        (rt.ID3().grow(days.without(["outlook"])), days, rt.ID3()),  # suboptimal
        (rt.ID3(max_depth=1).grow(days), days, rt.ID3()),  # stopped-early
        (rt.ID3().grow(days), days, rt.ID3(max_depth=1)),  # split-too-far
        (stump.grow(iris.without(["petal length", "petal width"])), iris, stump),
    ]
    tree = stump.grow(iris)
    leaf = replace(tree.nodes[1], label="virginica")
    found.append((replace(tree, nodes=(tree.nodes[0], leaf, tree.nodes[2])), iris, stump))  # wrong-leaf
    return found


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("place", range(5))
def test_what_is_left_is_wrong_in_the_same_way_and_minimal(place: int) -> None:
    tree, table, learner = wrong_trees()[place]
    before = rt.audit(tree, table, learner).wrong[0]
    found = reduce(tree, table, learner)
    assert same(before) == same(found.finding) == same(rt.audit(found.tree, found.table, learner).at(before.number))
    assert len(found.table) <= 5 < len(table)
    for row in range(len(found.table)):
        others = [other for other in range(len(found.table)) if other != row]
        assert not others or not is_wrong(found, found.table.take(others), learner, before)
    asked = {name for node in tree.nodes if node.test is not None for name in node.test.attributes}
    for name in {one.name for one in found.table.schema.attributes} - asked:
        kept = replace(found.tree, attributes=tuple(one for one in found.tree.attributes if one.name != name))
        smaller = replace(found, tree=kept)
        assert not is_wrong(smaller, found.table.without([name]), learner, before)


def same(finding: rt.Finding) -> tuple[int, str, str]:
    return finding.number, finding.faults[0].verdict, finding.faults[0].rule


def is_wrong(found: Reduced, table: rt.Table, learner: rt.ID3 | rt.CART, before: rt.Finding) -> bool:
    again = rt.audit(found.tree, table, learner).at(before.number)
    return bool(again.faults) and same(again) == same(before)


def test_counts_are_those_of_all_rows_and_only_attributes_go() -> None:
    iris = rt.textbook("iris")
    tree = rt.CART(max_depth=1).grow(iris)
    root = replace(tree.root, test=Threshold("petal length", 4))
    found = reduce(replace(tree, nodes=(root, *tree.nodes[1:])), iris, rt.CART(max_depth=1))
    assert found.finding.verdict == "wrong-threshold"
    assert len(found.table) == 150
    assert [one.name for one in found.table.schema.attributes] == ["petal length"]


def test_a_fitted_object_is_reduced() -> None:
    iris = rt.textbook("iris")
    rows = [[float(row["sepal length"]), float(row["sepal width"]), 0, 0] for row in iris.rows()]  # type: ignore[arg-type]
    labels = [row["species"] for row in iris.rows()]
    sklearn = pytest.importorskip("sklearn.tree")
    fitted = sklearn.DecisionTreeClassifier(max_depth=2).fit(rows, labels)
    found = reduce(fitted, iris)
    assert (found.finding.verdict, len(found.table)) == ("suboptimal", 3)


def test_a_named_node_and_an_end() -> None:
    days = rt.textbook("play-tennis")
    tree = rt.ID3(max_depth=1).grow(days)
    assert [reduce(tree, days, rt.ID3(), node=number).finding.number for number in (2, 3)] == [2, 3]
    assert len(reduce(tree, days, rt.ID3(), is_over=lambda: True).table) == 14
    tried: list[int] = []
    reduce(tree, days, rt.ID3(), progress=tried.append)
    assert tried == list(range(1, len(tried) + 1))


def test_what_cannot_be_reduced_is_refused() -> None:
    days = rt.textbook("play-tennis")
    tree = rt.ID3().grow(days)
    with pytest.raises(rt.InputError, match="no node is wrong"):
        reduce(tree, days)
    with pytest.raises(rt.InputError, match="node 1 is not wrong"):
        reduce(tree, days, node=1)
    with pytest.raises(rt.InputError, match="one tree is reduced at a time"):
        reduce(rt.RandomForest(trees=2).grow(days), days)


def test_a_tree_that_states_no_counts_is_right_on_any_rows() -> None:
    iris = rt.textbook("iris")
    tree = without_counts(rt.CART(max_depth=1).grow(iris))
    assert rt.audit(tree, iris).is_right
    assert rt.audit(tree, iris.take(range(0, 150, 3))).at(0).verdict == "optimal-tied"
