"""ID3: held against the book's recursion over rows, node by node; and what the books leave open."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import chain, repeat
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.learners.growing import revisit
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Tree
from tests import strategies
from tests.every import of_every
from tests.laws import LearnerLaws
from tests.oracles import UNBOUND, Bounds, Grown, grown
from tests.strategies import fractions


class TestLaws(LearnerLaws):
    def learner(self) -> ID3:
        return ID3()


class TestLawsWithBounds(LearnerLaws):
    """Shares of the sample do not change when it is duplicated, but bounds on its size would."""

    def learner(self) -> ID3:
        return ID3(epsilon=Fraction(1, 20), max_depth=3)


def by_the_book(table: Table, bounds: Bounds = UNBOUND) -> Grown:
    domains = {attribute.name: attribute.domain for attribute in (*table.schema.attributes, table.schema.target)}
    return grown(list(table.rows()), domains, table.schema.target.name, bounds)


def assert_by_the_book(table: Table, bounds: Bounds = UNBOUND) -> None:
    learner = ID3(**bounds._asdict())
    tree = learner.grow(table)
    tree.check(table)
    visits = list(revisit(tree, learner, table))
    pending, number = [by_the_book(table, bounds)], 0
    while pending:
        expected, node, decision = pending.pop(), tree.nodes[number], visits[number].decision
        assert (node.counts, node.stop) == (expected.counts, expected.stop)
        assert node.label == expected.majority[0]
        assert node.tied == (expected.majority if len(expected.majority) > 1 else ())
        assert node.prior == (expected.stop == "empty")
        if expected.stop is None:
            assert tuple(winner.test.attribute for winner in decision.winners) == expected.winners
            assert node.test is not None
            assert node.test.attribute == expected.winners[0]
            assert [outcome.value for outcome in node.test.outcomes] == [value for value, _ in expected.branches]
        pending += [below for _, below in reversed(expected.branches)]
        number += 1
    assert number == len(tree.nodes)


bounds = st.builds(
    Bounds,
    fractions(0, 1, max_denominator=5),
    st.one_of(st.none(), st.integers(0, 3)),
    st.integers(0, 6),
    st.integers(0, 4),
)


@pytest.mark.covers(
    "N0 CN §4 choice",
    "N0 EN §3.1 step (3)",
    "N1 §1.4 step 3",
    "N2 §2.1 step 6",
    "N3 ID3 algorithm: step 1",
    "N4 Putting it together: step 2",
)
@settings(max_examples=6 * settings().max_examples)  # it takes a millisecond
@given(strategies.categorical_tables())
def test_by_the_book(table: Table) -> None:
    assert_by_the_book(table)


@given(strategies.categorical_tables(), bounds)
def test_by_the_book_with_bounds(table: Table, bounds: Bounds) -> None:
    assert_by_the_book(table, bounds)


@pytest.mark.covers("N0 EN §3.1", "N1 §1.4", "N2 §2.1 procedure", "N3 ID3 algorithm")
@pytest.mark.parametrize(
    "name",
    ["play-tennis", "play-tennis-id", "watermelon-2.0", "watermelon-2.0-train", "loan", "contact-lenses", "visitor"],
)
def test_textbook_tables_by_the_book(name: str) -> None:
    assert_by_the_book(textbook(name))


@of_every(range(4))
def test_larger_tables_by_the_book(seed: int) -> None:
    chance = random.Random(seed)
    size = 60
    columns = {f"a{index}": [str(chance.randrange(2 + index)) for _ in range(size)] for index in range(4)}
    columns["y"] = [str(chance.randrange(3)) for _ in range(size)]
    assert_by_the_book(Table.from_columns(columns, categorical="*"))


def table_of(target: list[Any], **columns: list[Any]) -> Table:
    return Table.from_columns({**columns, "y": target}, categorical="*")


def shapes(tree: Tree) -> list[tuple[str, str, str | None]]:
    return [(tree.path(number), str(node.label), node.stop) for number, node in enumerate(tree.nodes)]


@pytest.mark.covers("N4 Learning Process: decision 1")
def test_the_root_of_play_tennis() -> None:
    decision = ID3().decide(textbook("play-tennis").sample())
    assert decision.chosen is not None
    assert (decision.chosen.test.attribute, len(decision.winners)) == ("outlook", 1)
    assert decision.runner_up is not None
    assert decision.runner_up.test.attribute == "humidity"
    assert decision.margin is not None
    assert decimal(decision.margin) == "0.094914"


def test_three_winners_at_the_second_node_of_the_watermelons() -> None:
    table = textbook("watermelon-2.0")
    tree = ID3().grow(table)
    (visit,) = (visit for visit in revisit(tree, ID3(), table) if tree.path(visit.number) == "/纹理=清晰")
    assert [winner.test.attribute for winner in visit.decision.winners] == ["根蒂", "脐部", "触感"]
    assert {decimal(winner.scores["gain"]) for winner in visit.decision.winners} == {"0.458106"}
    assert visit.decision.chosen is visit.decision.winners[0]


@pytest.mark.covers("N1 §1.4 step 5", "N0 EN §3.1 step (4)")
def test_epsilon_of_exactly_the_gain_splits_and_a_hair_more_does_not() -> None:
    """Six rows of the classes 3, 1, 2: the first against the rest gains one bit, and 0.9999999999999998 in floats."""
    table = table_of(list("aaabcc"), first=list("yyynnn"))
    assert ID3(epsilon=1).grow(table).nodes[0].stop is None
    for epsilon in (Fraction("1.0000000000000000001"), 1 + Fraction(1, 10**400)):
        tree = ID3(epsilon=epsilon).grow(table)
        assert shapes(tree) == [("/", "a", "epsilon")]
    decision = ID3(epsilon=2).decide(table.sample())
    assert (decision.stop, len(decision.winners), decision.chosen) == ("epsilon", 1, None)


def test_an_exclusive_or_is_grown_though_nothing_gains_at_its_root() -> None:
    table = table_of(list("nyyn"), a=list("xxyy"), b=list("xyxy"))
    tree = ID3().grow(table)
    assert tree.accuracy(table) == 1
    assert len(tree.leaves()) == 4
    assert ID3(epsilon=Fraction(1, 10**9)).grow(table).nodes[0].stop == "epsilon"


def test_a_constant_attribute_is_no_candidate_even_where_nothing_gains() -> None:
    """Its gain of 0 would tie with the halves of the exclusive or, and it stands first."""
    table = table_of(list("nyyn"), always=list("cccc"), a=list("xxyy"), b=list("xyxy"))
    decision = ID3().decide(table.sample())
    assert [(c.test.attribute, c.barred) for c in decision.candidates] == [
        ("always", "candidate"),
        ("a", None),
        ("b", None),
    ]
    assert ID3().grow(table).accuracy(table) == 1


@pytest.mark.covers("N2 §1 case 2", "N0 EN §3.1 step (2)", "N1 §1.4 step 2")
def test_equal_rows_with_different_classes_end() -> None:
    table = table_of(list("nyy"), a=list("xxx"), b=list("zzz"))
    assert shapes(ID3().grow(table)) == [("/", "y", "no-candidates")]
    table = table_of(list("nyyn"), a=list("xxxx"))
    root = ID3().grow(table).nodes[0]
    assert (root.label, root.tied, root.stop) == ("n", ("n", "y"), "no-candidates")
    table = table_of(list("nyyy"), a=list("xxyy"))
    assert shapes(ID3().grow(table)) == [("/", "y", None), ("/a=x", "n", "no-attributes"), ("/a=y", "y", "pure")]


def test_an_id_wins_and_learns_nothing() -> None:
    table = textbook("play-tennis-id")
    tree = ID3().grow(table)
    assert tree.nodes[0].test is not None
    assert tree.nodes[0].test.attribute == "day"
    assert len(tree.nodes) == 15


def test_an_id_of_a_thousand_values() -> None:
    size = 1000
    table = table_of([str(row % 7) for row in range(size)], id=[f"{row:04}" for row in range(size)], odd=["x"] * size)
    tree = ID3().grow(table)
    assert len(tree.nodes) == size + 1
    assert tree.accuracy(table) == 1
    tree.check(table)


def test_a_single_row_and_a_single_class() -> None:
    assert shapes(ID3().grow(table_of(["n"], a=["x"]))) == [("/", "n", "pure")]
    assert shapes(ID3().grow(table_of(["n"] * 3, a=list("xyz")))) == [("/", "n", "pure")]


def test_thirty_classes() -> None:
    size = 120
    table = table_of(
        [f"c{row % 30:02}" for row in range(size)],
        a=[str(row % 5) for row in range(size)],
        b=[str(row % 6) for row in range(size)],
        c=[str(row // 40) for row in range(size)],
    )
    assert_by_the_book(table)
    assert ID3().grow(table).accuracy(table) == 1


def test_no_attribute_at_all() -> None:
    table = Table.from_columns({"y": ["n", "y", "y"]})
    assert shapes(ID3().grow(table)) == [("/", "y", "no-attributes")]


@pytest.mark.covers("N2 §1 case 3")
def test_an_empty_branch_answers_as_the_node_above() -> None:
    """N2 §1, case 3: no melon with a clear texture and a curled root is light."""
    table = textbook("watermelon-2.0")
    tree = ID3().grow(table)
    empty = [number for number, node in enumerate(tree.nodes) if node.prior]
    assert empty
    for number in empty:
        node, above = tree.nodes[number], tree.nodes[tree.parents[number][0]]
        assert (node.label, node.stop, node.counts) == (above.label, "empty", (0, 0))
        assert node.tied == ()


def test_depth_and_size() -> None:
    table = textbook("play-tennis")
    for depth in range(4):
        tree = ID3(max_depth=depth).grow(table)
        assert max(tree.depths()) == min(depth, 2)
        tree.check(table)
    assert len(ID3(min_samples_split=5).grow(table).nodes) == 8
    assert [ID3(min_samples_split=6).grow(table).nodes[n].stop for n in (1, 2, 3)] == [
        "pure", "min-samples-split", "min-samples-split",
    ]  # fmt: skip
    decision = ID3(min_samples_leaf=5).decide(table.sample())
    assert {c.test.attribute: c.barred for c in decision.candidates} == {
        "outlook": "min-samples-leaf", "temperature": "min-samples-leaf", "humidity": None, "wind": None,
    }  # fmt: skip
    assert ID3(min_samples_leaf=8).grow(table).nodes[0].stop == "min-samples-leaf"


@given(strategies.columns(), st.data())
def test_by_the_book_with_weights(columns: dict[str, list[Any]], data: st.DataObject) -> None:
    """Weights of sixths, where the book has so many rows: the same winners at each node, the counts a sixth."""
    size = len(columns["y"])
    sixths = data.draw(st.lists(st.sampled_from([2, 3, 4, 6, 12]), min_size=size, max_size=size))
    weighted = Table.from_columns({**columns, "w": [Fraction(n, 6) for n in sixths]}, target="y", weights="w")
    repeated = Table.from_columns({name: list(chain(*map(repeat, cells, sixths))) for name, cells in columns.items()})
    assert_by_the_book(repeated)
    visits = zip(*(revisit(ID3().grow(t), ID3(), t) for t in (weighted, repeated)), strict=True)
    for one, other in visits:
        assert [c.test for c in one.decision.winners] == [c.test for c in other.decision.winners]
        assert [count * 6 for count in one.decision.total] == list(other.decision.total)
        assert one.decision.stop == other.decision.stop


def test_weights_count_as_so_many_rows() -> None:
    columns: dict[str, list[Any]] = {"a": list("xxyz"), "b": list("uvuv"), "y": list("nyyn")}
    weights = [3, 1, 2, 5]
    weighted = Table.from_columns({**columns, "w": weights}, target="y", weights="w")
    repeated = {
        name: [cell for cell, w in zip(cells, weights, strict=True) for _ in range(w)]
        for name, cells in columns.items()
    }
    assert ID3().grow(weighted) == ID3().grow(Table.from_columns(repeated))


@of_every(
    [
        ({"a": ["x", "y"], "size": [1, 2], "y": ["n", "y"]}, "the attribute size is continuous"),
        (
            {"size": [1, 2], "mass": [1, 2], "y": ["n", "y"]},
            r"the attributes size, mass are continuous, .* or categorical=\['NAME'\] for each",
        ),
        (
            {"a": ["x", None], "y": ["n", "y"]},
            r"the attribute a has missing values, .*; say ID3\.like\('zhou'\), .* or table\.without\(\['a'\]\)$",
        ),
        ({"a": ["x", None, "z"], "b": ["x", "z", None], "y": list("nyy")}, "the attributes a, b have missing values"),
        ({"a": ["x", "y"], "y": [1, 2]}, "the target y is continuous"),
    ]
)
def test_what_id3_has_no_rule_for_is_refused(columns: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ID3().grow(Table.from_columns(columns))


def test_the_options_come_back_from_the_tree() -> None:
    learner = ID3(epsilon=Fraction(1, 3), max_depth=4, min_samples_split=2, min_samples_leaf=Fraction(5, 2))
    grower = learner.grower()
    assert grower.name == "id3"
    assert grower.options == {
        "epsilon": "1/3", "max_depth": 4, "min_samples_split": "2", "min_samples_leaf": "2.5",
        "ties": {"split": "first", "class": "first", "at": {}},
    }  # fmt: skip
    assert ID3.of(grower.options) == learner
    assert ID3.of(ID3().grower().options) == ID3()


def test_a_bound_given_as_a_float_is_the_value_of_that_float() -> None:
    learner = ID3(epsilon=0.1, min_samples_split=2.0)  # type: ignore[arg-type]
    assert learner.epsilon == Fraction(0.1) != Fraction(1, 10)
    assert learner.grower().options["epsilon"] == "0.1000000000000000055511151231257827021181583404541015625"
    assert ID3.of(learner.grower().options) == learner


@of_every(
    [
        {"epsilon": float("nan")},
        {"epsilon": "0.1"},
        {"max_depth": -1},
        {"max_depth": 1.5},
        {"max_depth": True},
        {"min_samples_leaf": None},
    ]
)
def test_what_is_no_bound_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError)):
        ID3(**options)


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": "a lot"}, {"epsilon": 1}, {"max_depth": "3"}, {"min_samples_leaf": None}, {"ties": {}},
        {"ties": []}, {"ties": None}, {"ties": {"at": []}}, {"ties": {"at": {"/": "outlook"}}},
        {"ties": {"at": {"/": 3}}}, {"ties": {"at": {"/": {"chose": "outlook"}}}},
    ],
)  # fmt: skip
def test_options_that_are_none_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="these are not the options of id3"):
        ID3.of({**ID3().grower().options, **change})
    absent = {key: value for key, value in ID3().grower().options.items() if key not in change}
    with pytest.raises(InputError, match="these are not the options of id3"):
        ID3.of(absent)
