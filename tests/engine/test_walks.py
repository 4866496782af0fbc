"""Walks: a row that goes down in one loop ends where it ends by the book, or is refused in the same words."""

from __future__ import annotations

import gc
import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree import routing
from reference_tree.data.asked import unlabelled
from reference_tree.data.columns import Column
from reference_tree.data.held import Form
from reference_tree.engine import walks
from reference_tree.routing import Unseen
from reference_tree.twins import by_the_book

FORMS: tuple[Form, ...] = ("written", "exact", "double", "float32")
HUGE = (2**53, 2**53 + 1, -(10**30), 10**400, 1.7976931348623157e308, 5e-324, -0.0)
STRANGE = ("2.45", "1/3", "1_0", "x", math.inf, math.nan, None, True, Decimal("0.1"), "1e400")


def same(asked: Callable[[], Any]) -> Any:
    """What is answered, or the refusal, which are those of the book."""

    def said() -> Any:
        try:
            return asked()
        except rt.InputError as error:
            return str(error)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = said()
        with by_the_book():
            assert found == said()
    return found


@st.composite
def trees(draw: st.DrawFn) -> rt.Tree:
    """Trees of two columns of numbers and one of categories, with thresholds of all forms and rules for gaps."""
    size = draw(st.integers(4, 16))
    number = st.one_of(st.integers(0, 9), st.decimals(0, 10, places=2).map(str), st.sampled_from([*HUGE[:3], None]))
    cells = {name: draw(st.lists(number, min_size=size, max_size=size)) for name in "xz"}
    columns: dict[str, list[Any]] = {**cells, "a": draw(st.lists(st.sampled_from("pqr"), min_size=size, max_size=size))}
    columns["y"] = draw(st.lists(st.sampled_from("klm"), min_size=size, max_size=size))
    table = rt.Table.from_columns(columns, "y", categorical=["a"], continuous=["x", "z"])
    learners = [rt.CART(), rt.CART(missing="fractions"), rt.CART(missing="spread"), rt.C45(), rt.C45.like("c45-r8")]
    tree = draw(st.sampled_from(learners)).grow(table)
    form = draw(st.sampled_from(FORMS))
    return replace(tree, attributes=tuple(replace(one, held=form) for one in tree.attributes))


@given(trees(), st.data())
def test_every_row_ends_where_it_ends_by_the_book(tree: rt.Tree, data: st.DataObject) -> None:
    cuts = [cut for found in tree.cuts.values() for cut in found or ()] or [Fraction(1)]
    near = [cut.numerator / cut.denominator for cut in cuts if abs(Fraction(cut)) < 10**300]
    beside = [math.nextafter(one, end) for one in near for end in (-math.inf, math.inf)]
    exact = [cut + sign * Fraction(1, 10**30) for cut in cuts for sign in (-1, 0, 1)]
    floats = st.sampled_from([*near, *beside, 1.5])
    numbers = st.one_of(floats, st.sampled_from([*exact, *HUGE]), st.integers(0, 9), st.sampled_from(STRANGE))
    category = st.sampled_from([*"pqru", None, 1])
    size = data.draw(st.integers(1, 6))
    rows = [{"x": data.draw(numbers), "z": data.draw(numbers), "a": data.draw(category)} for _ in range(size)]
    plain = [{"x": data.draw(floats), "z": data.draw(st.integers(0, 9)), "a": data.draw(category)} for _ in rows]
    for unseen in get_args(Unseen):
        for some in (rows, plain):
            same(partial(tree.predict, some, unseen))
            for row in some:
                same(partial(tree.predict, row, unseen))
                same(partial(tree.ends, row, unseen))
            same(partial(as_frame, tree, [Column(name, [row[name] for row in some]) for name in "xza"], unseen))


def as_frame(tree: rt.Tree, columns: list[Column], unseen: Unseen) -> Any:
    """What a tree predicts for the columns of a frame."""
    return tree.predict(unlabelled(columns, tree.attributes, tree.target, tree.cuts), unseen)


@pytest.mark.parametrize(
    ("learner", "name"),
    [(rt.CART(), "iris"), (rt.C45(), "golf"), (rt.ID3(), "play-tennis"), (rt.C45(), "watermelon-2.0a")],
)
def test_a_table_is_lost_nowhere_but_at_gaps(learner: Any, name: str) -> None:
    table = rt.textbook(name)
    tree = learner.grow(table)
    assert routing.ends(tree.nodes, table) == routing.ends.__wrapped__(tree.nodes, table)  # type: ignore[attr-defined]
    steps = walks._OfTable(tree.nodes, table)
    lost = [number == walks.LOST for number in steps.down(steps.rows())]
    asked = [column for column in steps.known if None in table.columns[column]]
    assert any(lost) == bool(asked)


def test_rows_that_the_steps_hold_do_not_go_by_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = rt.CART().grow(rt.textbook("iris"))
    monkeypatch.setattr(rt.Tree, "way", None)
    row = {"petal length": 2.45, "petal width": 1, "sepal length": Fraction(11, 2), "sepal width": 3.0}
    assert tree.predict(row) == "setosa"
    with pytest.raises(TypeError):
        tree.predict({**row, "petal length": "2.45"})


@pytest.mark.parametrize("form", FORMS)
def test_a_fraction_beside_a_threshold_is_compared_as_it_is(form: Form) -> None:
    grown = rt.CART().grow(rt.Table.from_columns({"x": ["0.1", "0.3"], "y": ["n", "y"]}))
    assert grown.cuts == {"x": [Fraction(1, 5)]}
    tree = replace(grown, attributes=(replace(grown.attributes[0], held=form),))
    least = Fraction(1, 10**40)
    for number in (Fraction(1, 5) - least, Fraction(1, 5), Fraction(1, 5) + least, Fraction(1, 7), 10 ** Fraction(400)):
        same(partial(tree.predict, {"x": number}))


def test_a_float_that_a_float32_cannot_hold_is_refused_on_either_side() -> None:
    tree = rt.CART().grow(rt.Table.from_columns({"x": ["0.1", "0.3"], "y": ["n", "y"]}).rounded("float32"))
    for number in (-1e300, 1e300):
        assert "too large for a float32" in same(partial(tree.predict, {"x": number}))


def test_the_steps_of_a_tree_go_with_it() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    key = id(tree)
    assert tree.predict({"outlook": "overcast"}) == "yes"
    assert key in walks._KEPT
    del tree
    gc.collect()
    assert key not in walks._KEPT
