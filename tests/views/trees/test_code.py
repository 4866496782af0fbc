"""A tree as code: run by Python and by SQLite, it answers as the tree does."""

from __future__ import annotations

import sqlite3
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.views.trees.code import to_python, to_sql
from tests import strategies

LEARNERS = [
    rt.C45(max_depth=3),
    rt.CART(),
    rt.CART(missing="stay"),
    rt.CART(missing="branch"),
    rt.CART(always_surrogates=True),
    rt.CART(branching="one-vs-rest"),
    rt.CART(branching="multiway"),
]


def truth(tree: rt.Tree, row: Any) -> Any:
    """The label where a row ends in one place, or none."""
    try:
        ends = tree.ends(row)
    except rt.InputError:  # a value without a branch, or a missing one without a rule
        return None
    return tree.answer(ends) if len(ends) == 1 and ends[0][1] == 1 else None


def by_python(tree: rt.Tree, rows: list[Any]) -> list[Any]:
    names: dict[str, Any] = {}
    exec(to_python(tree), names)
    return [names["predict"](row) for row in rows]


def by_sqlite(tree: rt.Tree, rows: list[Any]) -> list[Any]:
    connection = sqlite3.connect(":memory:")
    attributes = [attribute.name for attribute in tree.attributes]
    named = ", ".join('"' + name.replace('"', '""') + '"' for name in attributes)
    connection.execute(f"CREATE TABLE t (number, {named})")
    marks = ", ".join("?" * (len(attributes) + 1))
    for number, row in enumerate(rows):
        cells = [float(cell) if isinstance(cell, int | Fraction) else cell for cell in map(row.get, attributes)]
        connection.execute(f"INSERT INTO t VALUES ({marks})", [number, *cells])
    return [answer for _, answer in connection.execute(f"SELECT number, {to_sql(tree)} FROM t ORDER BY number")]


def check(tree: rt.Tree, rows: list[Any]) -> None:
    expected = [truth(tree, row) for row in rows]
    assert by_python(tree, rows) == expected
    for found, wanted in zip(by_sqlite(tree, rows), expected, strict=True):
        assert found == (wanted if isinstance(wanted, str | None) else pytest.approx(float(wanted)))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("learner", LEARNERS, ids=["C4.5", "CART", "stay", "branch", "surrogates", "rest", "multiway"])
@given(table=strategies.tables_with_gaps(), data=st.data())
def test_code_answers_as_the_tree(learner: Any, table: rt.Table, data: Any) -> None:
    tree = learner.grow(table)
    rows = [*table.rows()]
    others = [{**row, **{name: data.draw(st.sampled_from(rows))[name] for name in row}} for row in rows[:3]]
    check(tree, rows + others)


@pytest.mark.parametrize("name", ["play-tennis", "golf", "watermelon-3.0", "cats", "iris", "li-hang-5.2"])
def test_the_textbooks(name: str) -> None:
    table = rt.textbook(name)
    check(rt.CART().grow(table), [*table.rows()])
    if name == "watermelon-3.0":
        check(rt.CART(branching="linear", max_depth=2).grow(rt.textbook("watermelon-3.0a")), [*table.rows()])


def test_any_name_is_quoted() -> None:
    columns: dict[str, Any] = {"a'b\"c\\": ["x'y", 'z"w', "\\n", "'; DROP TABLE t; --"], "y": ["n'", 'y"', "\\", "{}"]}
    table = rt.Table.from_columns(columns)
    check(rt.ID3().grow(table), [*table.rows()])


def test_a_row_is_not_known_where_the_tree_has_no_answer() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    rows: list[Any] = [{"outlook": "fog"}, {"outlook": None}, {"outlook": "overcast"}]
    rows = [{"temperature": "hot", "humidity": "high", "wind": "weak", **row} for row in rows]
    assert by_python(tree, rows) == by_sqlite(tree, rows) == [None, None, "yes"]


def test_a_chain_is_code_as_far_as_python_reads_it() -> None:
    columns: dict[str, Any] = {"x": list(range(200)), "y": ["ab"[place % 2] for place in range(200)]}
    table = rt.Table.from_columns(columns)
    tree = rt.CART(max_depth=DEEPEST).grow(table)
    assert max(tree.depths()) == DEEPEST
    assert by_python(tree, [{"x": 0}, {"x": 199}]) == [tree.predict({"x": 0}), tree.predict({"x": 199})]
    with pytest.raises(rt.InputError, match="too deep for Python; write it as sql"):
        to_python(rt.CART().grow(table))
    assert to_sql(rt.CART().grow(table)).startswith("CASE WHEN")


def test_where_rows_are_divided_the_code_says_so() -> None:
    divided, whole = rt.C45().grow(rt.textbook("watermelon-2.0a")), rt.CART().grow(rt.textbook("golf"))
    assert to_python(divided).startswith("# A row without an answer is divided by this tree.")
    assert to_sql(divided).startswith("/* A row without an answer is divided by this tree.")
    assert not any("divided" in write(whole) for write in (to_python, to_sql))
