"""Trees of sets: the tree is the one of the book, node by node, whatever ties, weighs or is barred."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.chance import Chance
from reference_tree.data.table import Table
from reference_tree.engine.trees_of_sets import FEW, grown, left_to_the_book
from reference_tree.learners import growing
from reference_tree.learners.cart import CART
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.twins import by_the_book
from tests import strategies
from tests.every import of_every

BOOK: Any = growing.grown_below
OPTIONS: dict[str, dict[str, Any]] = {
    "all of it": {},
    "bounds": {"max_depth": 2, "min_samples_leaf": 2, "min_samples_split": 5},
    "fractions": {"missing": "fractions", "min_samples_split": 0, "min_samples_leaf": Fraction(3, 2)},
    "nowhere": {"missing": "stay"},
}


@st.composite
def tables_of_categories(draw: st.DrawFn, numeric: bool) -> Table:
    """Categories without gaps, of which few or many are equal, perhaps beside a number; rows weigh what they will."""
    size = draw(st.integers(2, 16))

    def column(cells: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(cells, min_size=size, max_size=size))

    of_y = st.sampled_from([-1, 0, 1, 2.5, Fraction(1, 3)]) if numeric else st.sampled_from("nym"[: 2 + size % 4 // 3])
    columns = {name: column(st.sampled_from("abcdefghijkl"[: draw(st.integers(1, 12))])) for name in "pqr"}
    if draw(st.booleans()):
        columns["number"] = column(st.integers(-2, draw(st.integers(0, 9))))
    columns["w"] = column(draw(st.sampled_from([st.just(1), st.just(2), st.integers(1, 3), strategies.weights])))
    columns["y"] = column(of_y)
    return Table.from_columns(
        columns, target="y", weights="w", continuous=[*columns.keys() & {"number"}, *(["y"] if numeric else [])]
    )


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


@pytest.mark.one_in(4, 12)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@given(data=st.data())
def test_trees_are_those_of_the_book(criterion: Any, options: dict[str, Any], data: st.DataObject) -> None:
    table = data.draw(tables_of_categories(numeric=criterion == "squared_error"))
    learner = CART(criterion=criterion, **options)
    found = walked(learner, table)
    assert repr(found) == repr(by_the_decisions(learner, table))
    with by_the_book():
        assert learner.grow(table).nodes == found


def drawn(size: int, values: int, numeric: bool) -> Table:
    """Drawn categories, and classes or numbers that depend on them."""
    chance = Chance(1, b"sets")
    columns: dict[str, list[Any]] = {
        name: [f"v{chance.below(values):02}" for _ in range(size)] for name in ("a", "b", "c")
    }
    sums = [int(a[1:]) * 3 + int(b[1:]) ** 2 % 7 for a, b in zip(columns["a"], columns["b"], strict=True)]
    columns["y"] = [one + chance.below(4) for one in sums] if numeric else ["ny"[one // 3 % 2] for one in sums]
    return Table.from_columns(columns, target="y", continuous=["y"] if numeric else [])


@pytest.mark.slow
@pytest.mark.parametrize("values", [3, 20, 60])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_trees_of_more_rows(criterion: Any, values: int) -> None:
    table, learner = drawn(300, values, criterion == "squared_error"), CART(criterion=criterion)
    assert repr(walked(learner, table)) == repr(by_the_decisions(learner, table))


def test_the_learner_is_asked_only_where_numbers_do_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, decide = list[int](), CART.decide

    def counting(learner: CART, sample: Any, place: Any = None) -> Any:
        asked.append(len(sample.rows))
        return decide(learner, sample, place)

    monkeypatch.setattr(CART, "decide", counting)
    nodes = walked(CART(), drawn(200, 9, numeric=True))
    assert nodes is not None
    assert len(asked) < len(nodes) / 20
    asked.clear()
    # No attribute tells anything alone, but both together: the tie of all tests is the learner's to resolve.
    walked(CART(), Table.from_columns({"a": list("ppqq"), "b": list("pqpq"), "y": list("nyyn")}))
    assert asked == [4]
    # Three classes meet.
    walked(CART(), Table.from_columns({"a": list("pqr"), "y": list("lmn")}))
    assert asked == [4, 3]


def test_more_values_than_few_are_for_the_learner_where_branches_are_barred() -> None:
    for values in (FEW, FEW + 1):
        names = [f"v{place}" for place in range(values)]
        table = Table.from_columns({"a": names * 2, "y": [0, *range(2 * values - 1)]}, continuous=["y"])
        learner = CART(min_samples_leaf=3)
        assert walked(learner, table) == by_the_decisions(learner, table)


@pytest.mark.parametrize("otherwise", ["draw-on", "leaf"])
def test_attributes_are_drawn_at_each_node_of_a_forest(otherwise: Any) -> None:
    learner, table = rt.RandomForest(seed=3, attributes=1, otherwise=otherwise).learner(1), drawn(90, 4, numeric=False)
    assert repr(walked(learner, table)) == repr(by_the_decisions(learner, table))


def test_growing_goes_on_from_any_place() -> None:
    table, learner = drawn(40, 3, numeric=True), CART(max_depth=4)
    for depth in (2, 4, 5):
        assert walked(learner, table, depth=depth) == by_the_decisions(learner, table, depth=depth)


PLAIN = Table.from_columns({"a": list("ppqr"), "y": list("nyyn")})
LONG = Table.from_columns({"a": list("pq") * 40, "x": list(range(80)), "y": list("nyyn") * 20}, target="y")
GAPS = Table.from_columns({"a": ["p", None, "q"], "y": ["n", "y", "n"]})


@of_every(
    [
        (CART(epsilon=Fraction(1, 9)), PLAIN, "more than take the first"),
        (CART(ties=rt.Ties(choose={"/": "a"})), PLAIN, "more than take the first"),
        (CART(priors={"n": 1, "y": 2}), PLAIN, "more than take the first"),
        (CART(branching="one-vs-rest"), PLAIN, "other than sets"),
        (CART(branching="multiway"), PLAIN, "other than sets"),
        (CART(criterion="misclassification"), PLAIN, "no other criterion"),
        (CART(), rt.textbook("iris"), "all attributes are numbers"),
        (CART(), LONG, "a number has many values"),
        (CART(), GAPS, "a value is missing"),
    ]
)
def test_what_is_left_to_the_book_has_a_reason(learner: CART, table: Table, reason: str) -> None:
    sample: Any = table.sample()
    assert reason in left_to_the_book(learner, sample, Place.root(sample))
    assert walked(learner, table) is None


def test_other_learners_and_samples_are_left_to_the_book() -> None:
    assert walked(CART(), PLAIN)
    assert walked(rt.ID3(), PLAIN) is None
    with by_the_book():
        assert walked(CART(), PLAIN) is None
