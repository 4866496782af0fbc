"""Trees of cuts: the tree is the one of the book, node by node, whatever ties."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.engine import square_scans, trees_of_cuts
from reference_tree.engine.trees_of_cuts import grown
from reference_tree.learners import growing
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Learner
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.twins import by_the_book
from tests import strategies
from tests.every import of_every
from tools.benchmarks.generated import continuous, layered, numeric

BOOK: Any = growing.grown_below
CLASSES = ["gini", "entropy", "misclassification"]
NUMBERS = ["squared_error", "variance_n_minus_1", "absolute_error"]
OPTIONS: dict[str, dict[str, Any]] = {
    "all of it": {},
    "bounds": {"max_depth": 2, "min_samples_leaf": 2, "min_samples_split": 5},
    "fractions": {"missing": "fractions", "min_samples_split": 0},
    "branch": {"missing": "branch", "min_samples_leaf": Fraction(3, 2)},
    "nowhere": {"missing": "stay"},
    "refused": {"missing": "error"},
}


@st.composite
def tables_of_numbers(draw: st.DrawFn, numeric: bool) -> Table:
    """Some numbers without gaps, of which many are equal, or none; the rows weigh what they will."""
    size = draw(st.integers(2, 12))

    def column(cells: st.SearchStrategy[Any], unique: bool = False) -> list[Any]:
        return draw(st.lists(cells, min_size=size, max_size=size, unique=unique))

    of_cells = [st.integers(0, 3), st.integers(0, 30), st.sampled_from([0.1, 0.2, 0.30000000000000004, 0.3, -1.5])]
    weights = draw(st.sampled_from([st.just(1), st.just(1), st.just(2), st.integers(1, 3), strategies.weights]))
    columns = {name: column(draw(st.sampled_from(of_cells))) for name in "abc"[: draw(st.integers(1, 3))]}
    columns["d"] = column(st.integers(0, 99), unique=True)
    columns["w"] = column(weights)
    columns["y"] = column(draw(st.sampled_from(of_cells)) if numeric else st.sampled_from("nmy"[: 2 + size % 2]))
    every = [name for name in columns if name not in "wy"]
    return Table.from_columns(columns, target="y", weights="w", continuous=[*every, *(["y"] if numeric else [])])


def walked(learner: Any, table: Table, **more: Any) -> tuple[Node, ...] | None:
    """What the walk gives, if it takes the learner and the rows."""
    sample = table.sample()
    found = grown(learner, sample, Place.root(sample)._replace(**more))
    return None if found is None else tuple(found)


def by_the_decisions(learner: Learner, table: Table, **more: Any) -> tuple[Node, ...]:
    """The nodes of the textbook loop over the rows as the engine keeps them."""
    sample = table.sample()
    tree: Tree = BOOK.__wrapped__(learner, sample, Place.root(sample)._replace(**more))
    return tree.nodes


def assert_alike(learner: CART, table: Table) -> None:
    found = walked(learner, table)
    assert repr(found) == repr(by_the_decisions(learner, table))
    with by_the_book():
        assert learner.grow(table).nodes == found


@pytest.mark.one_in(9, 18)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("criterion", [*CLASSES, *NUMBERS])
@given(data=st.data())
def test_trees_are_those_of_the_book(criterion: Any, options: dict[str, Any], data: st.DataObject) -> None:
    table = data.draw(tables_of_numbers(numeric=criterion in NUMBERS))
    assert_alike(CART(criterion=criterion, **options), table)


@pytest.mark.one_in(2, 4)
@pytest.mark.parametrize(
    ("criterion", "case"),
    [
        ("gini", continuous),
        ("entropy", continuous),
        ("gini", lambda rows: layered(rows, 9)),
        ("gini", lambda rows: continuous(rows).weighing(True)),
        ("entropy", lambda rows: continuous(rows).weighing(False)),
        ("squared_error", numeric),
        ("variance_n_minus_1", numeric),
        ("absolute_error", numeric),
    ],
)
def test_trees_of_more_rows(criterion: Any, case: Callable[[int], Any]) -> None:
    """So many that squares are rounded, and a cut is left out by its estimate."""
    table = case(3 * square_scans.FEW).table()
    learner = CART(criterion=criterion)
    assert repr(walked(learner, table)) == repr(by_the_decisions(learner, table))


def test_a_node_is_decided_by_the_learner_where_estimates_do_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of equal gain by different counts: which of them is the larger is not for estimates to say."""
    table = Table.from_columns({"a": [0, 0, 1, 1, 2, 2], "b": [0, 1, 1, 2, 2, 0], "y": list("nnyyny")}, target="y")
    asked = list[int]()
    decide = CART.decide

    def counting(learner: CART, sample: Any, place: Any = None) -> Any:
        asked.append(len(sample.rows))
        return decide(learner, sample, place)

    monkeypatch.setattr(CART, "decide", counting)
    monkeypatch.setattr(trees_of_cuts, "first_of", lambda sample, found: [1, 2])
    found = walked(CART(), table)
    monkeypatch.undo()
    assert asked
    assert found == by_the_decisions(CART(), table)


def test_growing_goes_on_from_any_place() -> None:
    table, learner = rt.textbook("iris"), CART(max_depth=4)
    for depth in (2, 4, 5):
        assert walked(learner, table, depth=depth) == by_the_decisions(learner, table, depth=depth)


@pytest.mark.parametrize("weight", [2, Fraction(1, 3)])
def test_bounds_are_held_against_weights_and_not_rows(weight: Any) -> None:
    columns = {"x": range(12), "y": [0, 1, 5, 6, 20, 22, 40, 41, 43, 70, 75, 99], "w": [weight] * 12}
    table = Table.from_columns({name: list(cells) for name, cells in columns.items()}, target="y", weights="w")
    learners = [CART(min_samples_split=least * weight, min_samples_leaf=0) for least in (0, 3, 6)]
    trees = [walked(learner, table) for learner in learners]
    assert trees == [by_the_decisions(learner, table) for learner in learners]
    assert len({len(tree) for tree in trees if tree is not None}) == 3


def test_progress_is_told_after_each_node() -> None:
    told, sample = list[int](), rt.textbook("iris").sample()
    found = grown(CART(), sample, Place.root(sample), told.append)
    assert found is not None
    assert told == [*range(1, len(found) + 1)]


@of_every(
    [
        rt.C45(),
        rt.CART.like("scikit-learn"),
        CART(epsilon=Fraction(1, 9)),
        CART(min_impurity_decrease=Fraction(1, 9)),
        CART(branching="linear", search="oc1"),
        CART(priors={"setosa": 1, "versicolor": 2, "virginica": 3}),
        CART(always_surrogates=True),
        CART(ties=rt.Ties(choose={"/": "petal length"})),
    ]
)
def test_what_else_is_asked_for_is_left_to_the_book(learner: Any) -> None:
    assert walked(learner, rt.textbook("iris")) is None


def test_other_tables_are_left_to_the_book() -> None:
    assert walked(CART(), rt.textbook("iris"))
    for table in (rt.textbook("golf"), Table.from_columns({"x": [1, None, 3], "y": ["n", "y", "n"]})):
        assert walked(CART(), table) is None
    assert walked(CART(), rt.textbook("iris"), available=frozenset({"petal length"})) is None
    with by_the_book():
        assert walked(CART(), rt.textbook("iris")) is None
