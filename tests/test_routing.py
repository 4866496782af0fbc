"""Routing: a whole table ends where its rows end one by one, whatever is missing, unseen or absent."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing, Multiway, SeenSubset, Surrogate, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.node import Node
from reference_tree.routing import ends, rows_reaching
from reference_tree.splitting.missing_rules import missing_rules
from reference_tree.tree import Tree, Unseen
from tests import strategies
from tests.strategies import fractions

LEARNERS: list[dict[str, Any]] = [
    *({"missing": rule} for rule in missing_rules() if rule != "error"),
    {"missing": "fractions", "priors": {"k": 1, "l": 2, "m": 3}},
    {"missing": "spread", "loss": {"k": {"l": 3}, "m": {"k": 2}}},
    {"missing": "surrogates", "profile": "rpart"},
]


@st.composite
def tables(draw: st.DrawFn, numeric: bool = False, rows: int = 12) -> rt.Table:
    """Rows to be predicted: gaps, values that no other table has, and numbers that lie between those of others."""
    size = draw(st.integers(1, rows))

    def column(cells: st.SearchStrategy[Any], gaps: bool = True) -> list[Any]:
        return draw(st.lists(st.one_of(st.none(), cells) if gaps else cells, min_size=size, max_size=size))

    columns = {
        "a": column(st.sampled_from("pqru")),
        "x": column(st.one_of(st.integers(-1, 4), fractions(0, 3, max_denominator=2))),
        "b": column(st.sampled_from("st")),
        "z": column(fractions(0, 1, max_denominator=4)),
        "w": column(strategies.weights, gaps=False),
        "y": column(st.integers(0, 9) if numeric else st.sampled_from("klm"), gaps=False),
    }
    categorical, continuous = ["a", "b", *([] if numeric else "y")], ["x", "z", *("y" if numeric else [])]
    return rt.Table.from_columns(columns, "y", weights="w", categorical=categorical, continuous=continuous)


def learner(options: dict[str, Any]) -> rt.CART:
    rest = {name: value for name, value in options.items() if name != "profile"}
    return rt.CART.like(options["profile"], **rest) if "profile" in options else rt.CART(**rest)


def agree(tree: Tree, table: rt.Table, unseen: Unseen) -> None:
    """All results for a table are the results for its rows; where one of them is refused, so is the table."""
    rows = list(table.rows())
    try:
        expected = [tree.ends(row, unseen) for row in rows]
    except InputError:
        with pytest.raises(InputError):
            ends(tree.nodes, table, unseen)
        return
    assert ends(tree.nodes, table, unseen) == expected
    answers = [tree.predict(row, unseen) for row in rows]
    assert tree.predict(table, unseen) == tree.predict(rows, unseen) == answers
    truth = [row[tree.target.name] for row in rows]
    weights, total = table.weighted(), Fraction(sum(table.weighted()))
    if tree.target.values is None:
        errors = [(Fraction(one) - Fraction(other or 0)) ** 2 for one, other in zip(answers, truth, strict=True)]
        assert (
            tree.mean_squared_error(table, unseen) == sum(map(Fraction.__mul__, errors, map(Fraction, weights))) / total
        )
        return
    assert tree.distribution(table, unseen) == [tree.distribution(row, unseen) for row in rows]
    hits = sum(weight for weight, one, other in zip(weights, answers, truth, strict=True) if one == other)
    assert tree.accuracy(table, unseen) == hits / total


@pytest.mark.slow
@given(tables(), tables(), st.sampled_from(LEARNERS), st.sampled_from(["error", "majority"]))
def test_a_table_of_classes(training: rt.Table, table: rt.Table, options: dict[str, Any], unseen: Unseen) -> None:
    labels = set(training.schema.target.domain)
    named = {k: v for k, v in options.items() if k not in ("priors", "loss") or labels == set("klm")}
    agree(learner(named).grow(training), table, unseen)


@pytest.mark.slow
@given(tables(), tables(), st.sampled_from(["error", "majority"]))
def test_a_table_with_many_branches(training: rt.Table, table: rt.Table, unseen: Unseen) -> None:
    agree(rt.C45().grow(training), table, unseen)


@given(
    tables(numeric=True), tables(numeric=True), st.sampled_from(["squared_error", "absolute_error"]),
    st.sampled_from(sorted(set(missing_rules()) - {"error"})),
)  # fmt: skip
def test_a_table_of_numbers(training: rt.Table, table: rt.Table, criterion: Any, missing: Any) -> None:
    agree(rt.CART(criterion=criterion, missing=missing).grow(training), table, "majority")


def complete(table: rt.Table) -> rt.Table | None:
    """The rows without gaps; none if there are none."""
    rows = [row for row in table.rows() if None not in row.values()]
    return rt.Table.from_rows(rows, "y", categorical=["a", "b", "y"], continuous=["x", "z"]) if rows else None


@given(tables(rows=6), tables())
def test_a_table_and_weighted_sums(training: rt.Table, table: rt.Table) -> None:
    if part := complete(training):
        tree = rt.CART(branching="linear", missing="branch").grow(part.without(["a", "b"]))
        agree(tree, table, "error")


@given(tables(), tables())
def test_the_rule_that_there_is_none(training: rt.Table, table: rt.Table) -> None:
    if part := complete(training):
        agree(rt.CART(missing="error").grow(part), table, "majority")


AB = Attribute("y", ("a", "b"))
LEAVES = (Node((2, 1), "a", stop="unknown"), Node((1, 2), "b", stop="unknown"))


def stump(missing: Missing) -> Tree:
    root = Node((3, 3), "b", Threshold("x", 1), (1, 2), missing=missing)
    return Tree(AB, (Attribute("x"), Attribute("c", ("p", "q", "r"))), (root, *LEAVES))


def test_surrogates_that_cannot_be_asked_or_have_not_seen_a_value() -> None:
    """One that is not in the table is passed over; one that does not know a value leaves the row with the node."""
    absent = Surrogate(Threshold("elsewhere", 1), (0, 1), 1)
    seen = Surrogate(SeenSubset("c", ("p",), ("r",)), (1, 0), 1)
    all_of = Surrogate(Multiway("c", ("p", "q")), (1, 0), 1)
    table = rt.Table.from_columns({"x": [None, None, None, 1], "c": ["p", "q", "r", "r"], "y": list("abab")})
    found = {
        (seen, absent): [((2, 1),), ((1, 1),), ((0, 1),), ((1, 1),)],
        (absent, all_of): [((2, 1),), ((1, 1),), ((0, 1),), ((1, 1),)],
    }
    for surrogates, expected in found.items():
        tree = stump(Missing(surrogates=surrogates, stays=True))
        assert ends(tree.nodes, table, "majority") == expected
        agree(tree, table, "majority")
    agree(stump(Missing(surrogates=(all_of,), stays=True)), table, "error")
    with pytest.raises(InputError, match="the value 'r' of c was not seen"):
        ends(stump(Missing(surrogates=(all_of,), to=1)).nodes, table)
    with pytest.raises(InputError, match="the value of x is missing, and this tree has no rule"):
        ends(stump(Missing(surrogates=(seen,))).nodes, table)


def test_columns_of_another_kind_are_read_as_a_row_is() -> None:
    table = rt.Table.from_columns({"x": ["0.5", "2", "1"], "c": [1, 2, 1], "y": list("aba")}, categorical=["x"])
    agree(stump(Missing()), table, "error")
    nodes = (Node((1, 1), "a", Multiway("c", ("1", "3")), (1, 2)), *LEAVES)
    tree = Tree(AB, (Attribute("c", ("1", "3")),), nodes)
    assert tree.predict(table, "majority") == ["a", "a", "a"]
    agree(tree, table, "majority")
    with pytest.raises(InputError, match="the value '2' of c was not seen"):
        tree.predict(table)
    with pytest.raises(InputError, match="'x' is not a number; the tree asks for x<=1"):
        stump(Missing()).predict(rt.Table.from_columns({"x": ["x"], "c": [1], "y": ["a"]}))


def test_a_column_that_is_not_there_is_asked_for_only_where_rows_come() -> None:
    bare = rt.Table.from_columns({"x": [0, 2], "y": ["a", "b"]})
    inner = Node((1, 2), "b", Threshold("z", 1), (3, 4), missing=Missing(to=0))
    tree = replace(stump(Missing()), nodes=(stump(Missing()).nodes[0], LEAVES[0], inner, *LEAVES))
    assert tree.predict(rt.Table.from_columns({"x": [0, 1], "y": ["a", "b"]})) == ["a", "a"]
    with pytest.raises(InputError, match="the row has no value for z"):
        tree.predict(bare)


def test_nodes_that_count_as_leaves_are_not_asked() -> None:
    days = rt.textbook("play-tennis")
    tree = rt.ID3().grow(days)
    whole = list(rows_reaching(tree.nodes, days))
    assert [arrival.number for arrival in whole] == list(range(len(tree.nodes)))
    assert [arrival.number for arrival in rows_reaching(tree.nodes, days, leaves={0})] == [0]
    top = list(rows_reaching(tree.nodes, days, leaves={2, 5}))
    assert [(arrival.number, sorted(arrival.rows)) for arrival in top] == [
        (arrival.number, sorted(arrival.rows)) for arrival in whole if tree.parents[arrival.number][0] < 1
    ]
    assert sorted(row for arrival in top for row in arrival.ending) == list(range(14))


@pytest.mark.slow
def test_a_chain_of_fifty_thousand_questions_is_gone_down() -> None:
    length = 50_000
    nodes = [Node((1, 1), "a", Threshold("x", i), (2 * i + 1, 2 * i + 2)) for i in range(length)]
    both = [each for node in nodes for each in (node, LEAVES[0])]
    tree = Tree(AB, (Attribute("x"),), (*both, LEAVES[1]))
    assert tree.predict(rt.Table.from_columns({"x": [-1, length], "y": ["a", "b"]})) == ["a", "b"]
