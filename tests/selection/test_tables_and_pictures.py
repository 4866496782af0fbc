"""Tables and pictures: that they are what they say, and that learners do on them what the page says."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.selection.holdout import error
from reference_tree.selection.tables_and_pictures import SIZE, bars, bright, customers, longest_lines, pixels
from tests.every import of_every


def neuron(table: rt.Table) -> rt.Tree:
    """One weighted sum, and on which side of a number it is."""
    return rt.CART(branching="linear", search="lda", max_depth=1).grow(table)


def gets_it(row: Mapping[str, Any]) -> str:
    return (
        "yes" if row["income"] > 60 or (row["income"] > 30 and row["job"] == "yes" and row["home"] == "own") else "no"
    )


def test_a_loan_follows_from_four_questions() -> None:
    plain = list(customers(300, seed=5).rows())
    assert all(row["loan"] == gets_it(row) for row in plain)
    assert {row["loan"] for row in plain} == {"no", "yes"}
    wrong = sum(row["loan"] != gets_it(row) for row in customers(1000, seed=5, wrong=10).rows())
    assert 70 < wrong < 130


def test_a_picture_without_noise_has_one_bar() -> None:
    for row in bars(60, seed=3, flipped=0).rows():
        lit = [(y, x) for y, line in enumerate(pixels(row)) for x, pixel in enumerate(line) if pixel]
        ys, xs = ({place[k] for place in lit} for k in (0, 1))
        assert len(lit) == 3
        assert (len(ys), len(xs)) == ((1, 3) if row["bar"] == "lies" else (3, 1))
        along = sorted(xs if row["bar"] == "lies" else ys)
        assert along == list(range(along[0], along[0] + 3))


def test_flipping_changes_at_most_so_many_pixels() -> None:
    for row in bars(60, seed=3, flipped=2).rows():
        assert sum(map(sum, pixels(row))) in (1, 2, 3, 4, 5)


def test_bright_is_more_than_half() -> None:
    for row in bright(60, seed=3).rows():
        assert (row["bright"] == "yes") == (sum(map(sum, pixels(row))) >= SIZE * SIZE // 2 + 1)


def test_the_longest_lines_are_counted() -> None:
    pictures = bars(60, seed=3)
    for row, found in zip(pictures.rows(), longest_lines(pictures).rows(), strict=True):
        picture = pixels(row)
        assert found["row"] == max(sum(picture[y][x] for x in range(SIZE)) for y in range(SIZE))
        assert found["column"] == max(sum(picture[y][x] for y in range(SIZE)) for x in range(SIZE))
        assert found["bar"] == row["bar"]


@of_every([customers, bars, bright])
def test_a_seed_draws_the_same_and_another_seed_others(draw: object) -> None:
    first, again, other = (list(draw(20, seed=seed).rows()) for seed in (1, 1, 2))  # type: ignore[operator]
    assert first == again != other


@pytest.mark.slow
@pytest.mark.covers("N4 When to use decision trees: trees", "N4 When to use decision trees: neural networks")
def test_a_tree_is_better_on_a_table_and_a_weighted_sum_on_what_pixels_add_up_to() -> None:
    seen, unseen = 100, 200
    by_tree, by_sum = (
        {draw.__name__: error(grow(draw(seen, seed=1)), draw(unseen, seed=2)) for draw in (customers, bright, bars)}
        for grow in (rt.CART().grow, neuron)
    )
    assert by_tree["customers"] < Fraction(1, 50) < Fraction(1, 20) < by_sum["customers"]
    assert by_sum["bright"] < Fraction(1, 6) < Fraction(1, 4) < by_tree["bright"]
    assert min(by_tree["bars"], by_sum["bars"]) > Fraction(1, 5)


@pytest.mark.covers("N4 When to use decision trees: neural networks")
def test_with_columns_that_mean_something_both_tell_bars_apart() -> None:
    seen, unseen = longest_lines(bars(200, seed=1)), longest_lines(bars(300, seed=2))
    for grow in (rt.CART().grow, neuron):
        assert error(grow(seen), unseen) < Fraction(1, 10)


@pytest.mark.covers("N4 When to use decision trees: trees")
def test_units_do_not_matter_to_a_tree() -> None:
    """An increasing function of a column leaves every cut the same rows, so the same tree comes out."""
    table = customers(120, seed=4, wrong=10)
    rows = [{**row, "income": row["income"] ** 3, "age": 2 * row["age"] - 7} for row in table.rows()]  # type: ignore[operator]
    other = rt.Table.from_rows(rows, "loan", categorical=["job", "home", "day", "loan"], continuous=["age", "income"])
    trees = [rt.CART().grow(one) for one in (table, other)]
    assert [node.counts for node in trees[0].nodes] == [node.counts for node in trees[1].nodes]
    assert [node.test and node.test.attribute for node in trees[0].nodes] == [
        node.test and node.test.attribute for node in trees[1].nodes
    ]


@pytest.mark.covers("N4 When to use decision trees: trees")
def test_the_order_of_columns_does_not_matter_to_a_tree() -> None:
    """So it cannot matter to it which pixels lie side by side."""
    table = bars(60, seed=4)
    names = [attribute.name for attribute in table.schema.attributes]
    turned = rt.Table.from_rows(
        [{name: row[name] for name in [*names[::-1], "bar"]} for row in table.rows()],
        "bar",
        categorical=["bar"],
        continuous=names,
    )
    winners = [{c.test.name for c in rt.CART().decide(one.sample()).winners} for one in (table, turned)]
    assert winners[0] == winners[1]
