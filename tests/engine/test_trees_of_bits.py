"""Trees of bits: the tree is the one of the book, node by node, whatever ties or is barred."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.chance import Chance
from reference_tree.data.table import Table
from reference_tree.engine import trees_of_bits
from reference_tree.engine.trees_of_bits import LEAST_ROWS, MOST_CLASSES, MOST_VALUES, grown, left_to_others
from reference_tree.learners import growing
from reference_tree.learners.cart import CART
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.twins import by_the_book
from tests.every import of_every

BOOK: Any = growing.grown_below
OPTIONS: dict[str, dict[str, Any]] = {
    "all of it": {},
    "bounds": {"max_depth": 3, "min_samples_leaf": 2, "min_samples_split": 5},
    "fractions": {"missing": "fractions", "min_samples_split": 0, "min_samples_leaf": Fraction(5, 2)},
    "nowhere": {"missing": "stay"},
}


@st.composite
def tables_of_few_values(draw: st.DrawFn) -> Table:
    """Some numbers without gaps, of which few or many are equal, and up to five classes."""
    size, classes = draw(st.integers(2, 40)), draw(st.integers(1, 5))

    def column(cells: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(cells, min_size=size, max_size=size))

    columns = {name: column(st.integers(0, draw(st.integers(0, 12)))) for name in "pqr"}
    columns["y"] = column(st.sampled_from("abcde"[:classes]))
    return Table.from_columns(columns, target="y", continuous=["p", "q", "r"])


def drawn(size: int, values: int, classes: int) -> Table:
    """Drawn numbers, and classes that depend on them a little."""
    chance = Chance(1, b"bits")
    columns: dict[str, list[Any]] = {name: [chance.below(values) for _ in range(size)] for name in "abcd"}
    sums = [a + b * c for a, b, c in zip(columns["a"], columns["b"], columns["c"], strict=True)]
    columns["y"] = ["pqrstuvwxz"[(one // 2 + chance.below(2)) % classes] for one in sums]
    return Table.from_columns(columns, target="y")


def walked(learner: Any, table: Table, **more: Any) -> tuple[Node, ...] | None:
    """What the walk gives, if it takes the learner and the rows."""
    sample = table.sample()
    found = grown(learner, sample, Place.root(sample)._replace(**more))
    return None if found is None else tuple(found)


def by_the_decisions(learner: Any, table: Table, **more: Any) -> tuple[Node, ...]:
    """The nodes of the textbook loop over the rows as the engine keeps them."""
    sample = table.sample()
    nodes: tuple[Node, ...] = BOOK.__wrapped__(learner, sample, Place.root(sample)._replace(**more)).nodes
    return nodes


@pytest.mark.one_in(3, 8)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@given(data=st.data())
def test_trees_are_those_of_the_book(criterion: Any, options: dict[str, Any], data: st.DataObject) -> None:
    table, learner = data.draw(tables_of_few_values()), CART(criterion=criterion, **options)
    with pytest.MonkeyPatch.context() as few:
        few.setattr(trees_of_bits, "LEAST_ROWS", 2)
        found = walked(learner, table)
    assert repr(found) == repr(by_the_decisions(learner, table))
    with by_the_book():
        assert learner.grow(table).nodes == found


@pytest.mark.slow
@pytest.mark.parametrize(("values", "classes"), [(2, 2), (10, 3), (MOST_VALUES, MOST_CLASSES)])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_trees_of_more_rows(criterion: Any, values: int, classes: int) -> None:
    """So many that rows get new bits where nodes are small."""
    table, learner = drawn(500, values, classes), CART(criterion=criterion)
    assert repr(walked(learner, table)) == repr(by_the_decisions(learner, table))


def test_rows_stay_what_they_are_when_they_get_new_bits() -> None:
    sample: Any = drawn(100, 3, 2).sample()
    growth = trees_of_bits.GrowingBits(CART(), CART(), sample, Place.root(sample))
    every = growth.in_bits(sample.rows)
    some = trees_of_bits.BitRows(every.space, 1 << 5 | 1 << 7 | 1 << 99, 3)
    again = growth.in_bits(some)
    assert list(every) == list(range(100))
    assert list(some) == list(again) == [5, 7, 99]
    assert again.bits == 0b111
    assert some[1:] == [7, 99]
    assert growth.count(some) == growth.count(again) == growth.count([5, 7, 99])


def test_growing_goes_on_from_any_place() -> None:
    table, learner = drawn(80, 4, 3), CART(max_depth=4)
    for depth in (2, 4, 5):
        assert walked(learner, table, depth=depth) == by_the_decisions(learner, table, depth=depth)


@pytest.mark.parametrize("otherwise", ["draw-on", "leaf"])
def test_attributes_are_drawn_at_each_node_of_a_forest(otherwise: Any) -> None:
    learner, table = rt.RandomForest(seed=3, attributes=1, otherwise=otherwise).learner(1), drawn(90, 4, 2)
    assert repr(walked(learner, table)) == repr(by_the_decisions(learner, table))


GAPS = Table.from_columns({"a": [1, None] * LEAST_ROWS, "y": list("ny") * LEAST_ROWS}, continuous=["a"])
WEIGHED = Table.from_columns(
    {"a": [1, 2] * LEAST_ROWS, "w": [1, 2] * LEAST_ROWS, "y": list("ny") * LEAST_ROWS}, target="y", weights="w"
)


@of_every(
    [
        (CART(epsilon=Fraction(1, 9)), drawn(80, 4, 2), "more than take the first"),
        (CART(branching="linear", search="oc1"), drawn(80, 4, 2), "more than take the first"),
        (CART(), drawn(80, 9, MOST_CLASSES + 1), "many classes"),
        (CART(), rt.textbook("cats-regression"), "a number"),
        (CART(criterion="misclassification"), drawn(80, 4, 2), "counts mistakes"),
        (CART(), drawn(LEAST_ROWS - 1, 4, 2), "few"),
        (CART(), WEIGHED, "weigh"),
        (CART(), drawn(400, MOST_VALUES + 1, 2), "many values"),
        (CART(), GAPS, "a value is missing"),
    ]
)
def test_what_is_left_to_others_has_a_reason(learner: CART, table: Table, reason: str) -> None:
    sample: Any = table.sample()
    assert reason in left_to_others(learner, sample, Place.root(sample))
    assert walked(learner, table) is None


def test_other_learners_and_samples_are_left_to_others() -> None:
    assert walked(CART(), drawn(80, 4, 2))
    assert walked(rt.ID3(), drawn(80, 4, 2)) is None
    with by_the_book():
        assert walked(CART(), drawn(80, 4, 2)) is None
