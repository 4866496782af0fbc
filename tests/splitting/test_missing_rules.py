"""Rules for missing values: how a question is judged, and the route of a row with a missing value it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Missing, SeenSubset, Subset, Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.splitting.missing_rules import (
    LEFT,
    RIGHT,
    ChosenTest,
    StandIns,
    better_side,
    by_shares,
    by_surrogates,
    known,
    missing_rules,
    sent,
    splits,
    spread,
    with_gaps,
)
from reference_tree.tree import Tree
from tests import strategies
from tests.every import of_every
from tests.made_up import House
from tests.strategies import tables_with_gaps

GAPS = Table.from_columns(
    {
        "x": [1, 1, 1, 2, 2, 2, 2, None],
        "z": [5, 5, 5, 7, 7, 7, 5, 5],
        "y": ["no", "no", "no", "yes", "yes", "yes", "yes", "no"],
    },
    categorical=["y"],
)


ALONE = Table.from_columns(
    {"x": [1, 1, 1, 2, 2, 2, 2, None], "y": ["no"] * 3 + ["yes"] * 4 + ["no"]}, categorical=["y"]
)


def decided(missing: str, **options: Any) -> Decision:
    return CART.with_options(missing=missing, **options).decide(GAPS.sample())


def sides(tree: Tree) -> list[tuple[Any, ...]]:
    return [tree.nodes[branch].counts for branch in tree.nodes[0].branches]


# ------------------------------------------------------------------------------------------------------- where they go


@of_every(
    [
        ("fractions", [(3 + Fraction(3, 7), 0), (Fraction(4, 7), 4)]),
        ("branch", [(3, 0), (1, 4)]),  # four of the seven that answer are above
        ("surrogates", [(4, 0), (0, 4)]),  # z is 5, as below
        ("stay", [(3, 0), (0, 4)]),
    ]
)
def test_a_row_goes_where_the_rule_says(rule: Any, expected: list[tuple[Any, ...]]) -> None:
    table = GAPS if rule == "surrogates" else ALONE
    tree = CART(missing=rule).grow(table)
    assert tree.nodes[0].test == Threshold("x", Fraction(3, 2), (1, 2))
    assert sides(tree) == expected
    tree.check(table)


def test_a_surrogate_is_asked_and_after_it_the_larger_side() -> None:
    missing = decided("surrogates").missing
    [surrogate] = missing.surrogates
    assert (surrogate.test, surrogate.branches) == (Threshold("z", 6, (5, 7)), (0, 1))
    assert surrogate.agreement == Fraction(6, 7)
    assert (missing.to, missing.stays) == (1, False)


def test_where_the_sides_are_equal_the_row_stays() -> None:
    table = Table.from_columns({"x": [1, 1, 2, 2, None], "y": list("nnyyn")})
    assert CART().decide(table.sample()).missing == Missing(stays=True)
    assert CART(missing="branch").decide(table.sample()).missing == Missing(to=0)


def test_surrogates_are_sought_where_they_are_needed_or_always() -> None:
    table = Table.from_columns({"x": [1, 1, 1, 2, 2], "z": [1, 1, 1, 2, 2], "y": list("nnnyy")})
    assert CART().decide(table.sample()).missing == Missing(to=0)
    assert len(CART(always_surrogates=True).decide(table.sample()).missing.surrogates) == 1
    assert CART(always_surrogates=True, max_surrogates=0).decide(table.sample()).missing == Missing(to=0)


def test_a_stand_in_may_send_a_single_row_one_way_but_no_half_of_one() -> None:
    columns: dict[str, list[Any]] = {"x": [1, 1, 2, None], "z": [1, 1, 2, 1], "y": list("nnyy")}
    assert len(CART().decide(Table.from_columns(columns).sample()).missing.surrogates) == 1
    columns["w"] = [1, 1, Fraction(1, 2), 1]
    light = Table.from_columns(columns, target="y", weights="w")
    learner = CART(min_samples_leaf=0, min_samples_split=0)
    assert learner.decide(light.sample()).missing.surrogates == ()


def test_a_set_that_is_never_wrong_stands_in_and_leaves_what_nobody_shows_outside() -> None:
    """Of the rows that answer x none has the value r."""
    columns: dict[str, list[Any]] = {"x": [1, 1, 2, None, None], "z": list("ppqrr"), "y": list("nnyny")}
    [surrogate] = CART().decide(Table.from_columns(columns).sample()).missing.surrogates
    assert (surrogate.test, surrogate.agreement) == (Subset("z", ("p",)), 1)


def test_what_is_sought_is_said_in_full() -> None:
    columns: dict[str, list[Any]] = {"x": [1, 1, 2, None], "z": list("ppqr"), "y": list("nnyy")}
    sample, question = Table.from_columns(columns).sample(), Threshold("x", Fraction(3, 2), (1, 2))
    table = sample.partition(question)
    chosen = ChosenTest(sample, question, table, table, sum, StandIns(seen=True))
    [surrogate] = by_surrogates(chosen).surrogates
    assert surrogate.test == SeenSubset("z", ("p",), ("r",))
    assert by_surrogates(chosen._replace(search=StandIns(errors=1))).surrogates == ()


def test_a_surrogate_asks_as_its_question_does() -> None:
    [surrogate] = decided("surrogates", threshold="below").missing.surrogates
    assert surrogate.test == Threshold("z", 6, (5, 7), strict=True)


def test_a_question_of_three_branches_has_no_surrogates() -> None:
    columns: dict[str, list[Any]] = {"a": ["p", "q", "r", "r", None], "b": list("pqrrr"), "y": list("klmmm")}
    decision = CART(branching="multiway", always_surrogates=True).decide(Table.from_columns(columns).sample())
    assert decision.missing == Missing(to=2)


def test_a_gap_in_the_rows_of_one_class_is_a_gap() -> None:
    for columns in ({"a": ["p", "q", None, "q"]}, {"a": [1, 2, None, 4]}):
        table = Table.from_columns({**columns, "y": list("nnyy")})
        assert with_gaps(table.sample()) == ["a"]
        assert with_gaps(table.take([0, 1, 3]).sample()) == []


def test_an_error_names_the_attribute_and_the_way_out() -> None:
    with pytest.raises(ValueError, match="values of x are missing, which missing='error' refuses"):
        decided("error")
    full = Table.from_columns({"x": [1, 2], "y": list("ny")})
    assert CART(missing="error").decide(full.sample()).missing == Missing()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("rule", [rule for rule in missing_rules() if rule != "error"])
@given(table=tables_with_gaps())
def test_a_tree_is_what_it_claims_to_be_under_every_rule(rule: Any, table: Table) -> None:
    CART(missing=rule, always_surrogates=True).grow(table).check(table)


@given(tables_with_gaps())
def test_no_weight_is_lost_or_won(table: Table) -> None:
    tree = CART(missing="fractions").grow(table)
    assert sum(sum(tree.nodes[leaf].counts) for leaf in tree.leaves()) == sum(map(Fraction, table.weighted()))


# ------------------------------------------------------------------------------------------------- how they are judged

rows = strategies.partitions(rows=3).filter(lambda table: sum(1 for row in table if any(row)) > 1)


def table_of(rows: list[list[Any]], lost: list[int]) -> Partition:
    return Partition((), tuple(map(tuple, rows)), tuple(lost[: len(rows[0])]))


def choose(tables: Sequence[Partition]) -> Partition:
    return max(tables, key=lambda table: gini_decrease(table.rows))  # the first of equals


@given(rows, st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_the_known_are_as_they_are(rows: list[list[int]], lost: list[int]) -> None:
    assert known(table_of(rows, lost), choose, sum, 0) == table_of(rows, lost)


def test_weights_of_numbers_are_not_sums_of_moments() -> None:
    table = Partition((), ((1, 100, 10000), (3, 0, 0)), (2, 2, 2))
    chosen = ChosenTest(GAPS.sample(), Threshold("x", 1), table, table, lambda row: row[0], StandIns())
    assert by_shares(chosen).shares == (Fraction(1, 4), Fraction(3, 4))


# ------------------------------------------------------------------------------------ rows that are counted in


def test_a_row_that_is_spread_goes_down_every_branch() -> None:
    tree = CART(missing="spread").grow(GAPS.without(["z"]))
    assert tree.nodes[0].test == Threshold("x", Fraction(3, 2), (1, 2))
    below = [tree.nodes[branch].counts for branch in tree.nodes[0].branches]
    assert below == [(3 + Fraction(3, 7), 0), (Fraction(4, 7), 4)]


def test_the_better_side_is_the_one_for_which_the_question_is_worth_more() -> None:
    decision = CART(missing="better-side").decide(GAPS.sample())
    assert (decision.missing.to, decision.chosen and decision.chosen.scores["gini_decrease"]) == (0, Fraction(1, 2))


def test_where_all_answer_the_better_side_is_the_larger_branch() -> None:
    table = Table.from_columns({"x": [1, 2, 2], "y": list("nyy")})
    assert CART(missing="better-side").decide(table.sample()).missing == Missing(to=1)


@given(rows, st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_what_is_spread_is_divided_by_shares(rows: list[list[int]], lost: list[int]) -> None:
    table = table_of(rows, lost)
    found = spread(table, choose, sum, 0)
    n = sum(map(sum, rows))
    for row, its in zip(found.rows, rows, strict=True):
        assert list(row) == [cell + Fraction(sum(its), n) * gone for cell, gone in zip(its, table.unknown, strict=True)]
    assert not any(found.unknown)


@given(rows, st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_no_branch_is_better_than_the_better_side(rows: list[list[int]], lost: list[int]) -> None:
    table = table_of(rows, lost)
    joined = [
        [
            [c + gone for c, gone in zip(row, table.unknown, strict=True)] if at == branch else row
            for at, row in enumerate(rows)
        ]
        for branch in range(len(rows))
    ]
    found = better_side(table, choose, sum, 0)
    assert gini_decrease(found.rows) == max(map(gini_decrease, joined))
    equals = [one for one in joined if gini_decrease(one) == gini_decrease(found.rows)]
    assert [list(row) for row in found.rows] == equals[-1]


@given(rows, st.lists(st.integers(0, 5), min_size=4, max_size=4), st.integers(1, 6))
def test_a_side_that_is_too_small_is_no_choice_while_there_is_another(
    rows: list[list[int]], lost: list[int], minimum: int
) -> None:
    table = table_of(rows, lost)
    sides = [
        [
            [c + gone for c, gone in zip(row, table.unknown, strict=True)] if at == branch else row
            for at, row in enumerate(rows)
        ]
        for branch in range(len(rows))
    ]
    fit = [side for side in sides if not any(0 < sum(row) < minimum for row in side)] or sides
    found = better_side(table, choose, sum, minimum)
    assert [list(row) for row in found.rows] in fit
    assert gini_decrease(found.rows) == max(map(gini_decrease, fit))


@pytest.mark.parametrize(
    ("a", "y", "question", "decrease"),
    [  # as scikit-learn 1.9 decides them
        ([None, 0, None, 1, 0], "qppqq", "a<=0.5", Fraction(1, 75)),
        ([4, 4, None, 3, None, 1, 2], "qpqppqp", "a<=1.5", Fraction(25, 294)),
    ],
)
def test_the_minimum_has_its_say_in_the_choice_of_a_side(a: list[Any], y: str, question: str, decrease: Any) -> None:
    table = Table.from_columns({"a": a, "y": list(y)})
    decision = CART.like("scikit-learn", min_samples_leaf=2).decide(table.sample())
    assert decision.chosen is not None
    assert (decision.chosen.test.name, decision.chosen.scores["gini_decrease"]) == (question, decrease)


def test_subsets_are_not_cut_from_an_order_where_unknown_rows_are_counted_in() -> None:
    """The best set, given that all rows with a missing value go to one side, is no cut of the order of the shares."""
    columns: dict[str, list[Any]] = {
        "a": ["p"] * 4 + ["q"] * 4 + ["r"] * 4 + [None] * 4,
        "y": list("nnny") + list("nnyy") + list("nyyy") + list("nnnn"),
    }
    decision = CART(missing="better-side").decide(Table.from_columns(columns).sample())
    assert {c.test for c in decision.candidates} == {Subset("a", ("p",)), Subset("a", ("q",)), Subset("a", ("p", "q"))}


def test_a_question_of_which_no_side_is_large_enough_is_barred() -> None:
    cells: dict[str, list[Any]] = {
        "a": ["p", "q", "q", None],
        "w": [Fraction(1, 2), 1, 1, Fraction(1, 4)],
        "y": [1, 2, 4, 3],
    }
    table = Table.from_columns(cells, weights="w", categorical=["a"])
    learner = CART.with_options(criterion="variance_n_minus_1", missing="better-side")
    assert learner.grow(table).nodes[0].stop == "min-samples-leaf"


# ------------------------------------------------------------------------------------------- a rule that is made up

MADE_UP = '''
"""A rule that no book has: a row with a missing value counts in the smallest branch, and goes there."""

from reference_tree.data.questions import Missing
from reference_tree.splitting.missing_rules import sent
from reference_tree.splitting.missing_rules import MissingRule


def smallest(rows, weight):
    """The number of the branch of least weight, the first of equal ones."""
    weights = [weight(row) for row in rows]
    return weights.index(min(weights))


RAREST = MissingRule(
    name="rarest",
    words="counts in the smallest branch, and goes there",
    way=lambda chosen: Missing(to=smallest(chosen.table.rows, chosen.weight)),
    join=lambda table, choose, weight, minimum: sent(table, smallest(table.rows, weight)),
)
'''

FOUND = """
import reference_tree as rt
from reference_tree.conformance.goldens import golden_of

table = rt.Table.from_columns({"x": [1, 1, 1, 2, 2, None], "y": list("nnnyyn")})
print("`rarest`: counts in the smallest branch" in rt.CART.options()["missing"].meaning)
print('"rule": "branch", "to": 1' in golden_of(rt.CART(missing="rarest", max_depth=1), table))
"""


@pytest.mark.slow
def test_a_made_up_rule_is_one_file(tmp_path: Path) -> None:
    house, gaps = House.with_module("reference_tree.splitting", MADE_UP, tmp_path), str(tmp_path / "gaps.csv")
    (tmp_path / "gaps.csv").write_text("x,z,y\n1,5,n\n1,5,n\n1,7,n\n2,7,y\n2,5,y\n,7,n\n", encoding="utf-8")
    options = [gaps, "--learner", "cart", "--missing", "rarest"]
    _, audited, explained, helped = house.commands(
        ["grow", *options, "-o", "tree.json"], ["audit", "tree.json", gaps], ["explain", *options], ["grow", "--help"]
    )
    assert " are right" in audited.out
    assert re.search(r"\n  >1\.5 +1 +2 ", explained.out)
    assert "Counted in: 1 row with a missing value." in explained.out
    assert "Rows without an outcome of x<=1.5 (1 row) go to >1.5." in explained.out
    assert "spread, better-side, rarest" in " ".join(helped.out.split())
    assert house.python(FOUND) == "True\nTrue\n"


cells = st.lists(st.one_of(st.integers(0, 4), st.none()), min_size=1, max_size=9)


@given(cells, st.data())
def test_every_way_to_part_the_rows_is_asked_once(values: list[int | None], data: st.DataObject) -> None:
    labels = data.draw(st.lists(st.sampled_from("ab"), min_size=len(values), max_size=len(values)))
    table = Table.from_columns({"x": values, "y": labels}, continuous=["x"], categorical=["y"])
    found: set[Any] = set()
    for test, partition in splits(table.sample(), Attribute("x")):
        for side in (LEFT, RIGHT):
            taken = [test.branch({"x": value}) for value in values]
            sides = [side if branch is None else branch for branch in taken]
            rows = [
                tuple(
                    sum(1 for s, y in zip(sides, labels, strict=True) if (s, y) == (one, label))
                    for label in sorted({*labels})
                )
                for one in (LEFT, RIGHT)
            ]
            assert list(sent(partition, side).rows) == rows
            if len({*sides}) == 2:
                found.add(tuple(sides) if sides[0] == LEFT else tuple(1 - each for each in sides))
    distinct = sorted({value for value in values if value is not None})
    gaps = None in values
    # A cut for each gap between values, with the missing ones on either side; and whether there is a value.
    assert len(found) == (len(distinct) - 1) * (1 + gaps) + gaps if distinct else not found


def test_a_category_is_asked_against_all_others() -> None:
    table = Table.from_columns({"c": ["r", "g", None, "b"], "y": ["a", "a", "a", "a"]})
    questions = splits(table.sample(), table.schema.attribute("c"))
    assert [(test.name, partition.rows, partition.unknown) for test, partition in questions] == [
        ("c in {b}", ((1,), (2,)), (1,)),
        ("c in {g}", ((1,), (2,)), (1,)),
        ("c in {r}", ((1,), (2,)), (1,)),
    ]


def test_once_the_rows_are_sent_none_is_without_an_answer() -> None:
    table = Partition((), ((1, 0), (1, 0)), (0, 1))
    assert sent(table, LEFT) == Partition((), ((1, 1), (1, 0)), (0, 0))
