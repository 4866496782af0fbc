"""Trees of gradients: the tree is the one of the book, node by node, whatever ties, is barred, or is missing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.chance import Chance
from reference_tree.data.table import Table
from reference_tree.engine.trees_of_gradients import grown
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.exact.rationals import UndecidedError
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.place import Place
from reference_tree.tree_document import to_json
from reference_tree.twins import by_the_book
from tests.every import of_every


@st.composite
def numbers_with_gaps(draw: st.DrawFn) -> Table:
    """Some numbers, of which few or many are equal or missing, and a target of each kind."""
    size, kind = draw(st.integers(3, 12)), draw(st.sampled_from(["number", "ab", "abc"]))

    def column(cells: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(cells, min_size=size, max_size=size))

    cells = st.integers(0, draw(st.sampled_from([3, 99])))
    columns = {name: column(st.one_of(cells, cells, st.none()) if draw(st.booleans()) else cells) for name in "pq"}
    columns["w"] = column(st.sampled_from([1, 2, Fraction(1, 2)])) if draw(st.booleans()) else [1] * size
    columns["y"] = column(st.sampled_from([1, 2, Fraction(1, 3), -4]) if kind == "number" else st.sampled_from(kind))
    if kind != "number":
        columns["y"][: len(kind)] = kind
    names = ["p", "q", "y"] if kind == "number" else ["p", "q"]
    return Table.from_columns(columns, target="y", weights="w", continuous=names)


learners = st.builds(
    GradientTree,
    max_depth=st.sampled_from([1, 3, None]),
    reg_lambda=st.sampled_from([1, Fraction(1, 10), 0, 100]),
    reg_alpha=st.sampled_from([0, 0, Fraction(2, 5)]),
    min_child_weight=st.sampled_from([0, Fraction(1, 4), 1]),
    epsilon=st.sampled_from([0, Fraction(1, 10)]),
    rate=st.sampled_from([1, Fraction(3, 10)]),
    min_samples_split=st.sampled_from([0, 3]),
    colsample_bynode=st.sampled_from([1, 1, Fraction(1, 2)]),
)


def grown_so(learner: GradientBoosting, table: Table) -> str:
    """The document of the ensemble."""
    try:
        return to_json(learner.grow(table))
    except UndecidedError:
        return ""


@given(numbers_with_gaps(), learners)
def test_trees_are_those_of_the_book(table: Table, base: GradientTree) -> None:
    learner = GradientBoosting(base=base, trees=3)
    fast = grown_so(learner, table)
    with by_the_book():
        # The book compares every two tests; where it cannot, the engine may not have to.
        assert grown_so(learner, table) in (fast, "")


def drawn(rows: int) -> Table:
    """Drawn numbers, and classes that depend on them a little."""
    chance = Chance(1, b"gradients")
    columns: dict[str, list[Any]] = {name: [chance.below(50) for _ in range(rows)] for name in "abc"}
    sums = [a + b - c + chance.below(30) for a, b, c in zip(*columns.values(), strict=True)]
    return Table.from_columns({**columns, "y": ["pq"[one > 60] for one in sums]}, target="y")


def test_a_tie_of_many_rows_is_found_by_their_cases() -> None:
    """In the first round all rows of a class are one case, and cuts that divide the classes alike gain the same."""
    table = Table.from_columns({"a": [1, 2, 3, 4] * 3, "b": [4, 3, 2, 1] * 3, "y": [*"ppqq"] * 3}, target="y")
    tree = GradientBoosting(trees=1, base=GradientTree(max_depth=1)).grow(table).members[0].tree
    assert tree.nodes[0].test is not None
    assert tree.nodes[0].test.name == "a<=2.5"


@pytest.mark.parametrize("depth", [2, 6])
def test_no_decision_is_asked_for_where_estimates_are_enough(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table, base, asked = drawn(200), GradientTree(max_depth=depth), list[int]()
    learner, decide = GradientBoosting(base=base, trees=3), GradientTree.decide

    def counted(self: GradientTree, sample: Any, place: Any = None) -> Any:
        asked.append(1)
        return decide(self, sample, place)

    whole = learner.grow(table)
    monkeypatch.setattr(GradientTree, "decide", counted)
    assert learner.grow(table).members == whole.members
    assert 10 * len(asked) < sum(len(member.tree.nodes) for member in whole.members)


@of_every([{"threshold": "below"}, {"grid": None}, {"min_samples_leaf": 2}])
def test_other_trees_grow_by_decisions(options: dict[str, Any]) -> None:
    table, learner = drawn(12), GradientBoosting(trees=1)
    sample = next(learner.decided(learner.grow(table), table))[1].sample()
    assert grown(GradientTree(**options), sample, Place.root(sample)) is None
    assert grown(GradientTree(), sample, Place.root(sample)) is not None
