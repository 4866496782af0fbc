"""Bagging: draws that anybody can repeat, trees that are those of their draws, and an estimate by the rows left out."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.auditing import audit
from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.bagging import Bagging, bootstrap, out_of_bag, out_of_bag_share, resampled
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from tests import strategies
from tests.every import of_every


@pytest.mark.covers("N4 Sampling with replacement")
@given(st.integers(1, 60), st.integers(0, 9), st.integers(0, 9))
def test_as_many_are_drawn_as_there_are_one_after_another(m: int, seed: int, number: int) -> None:
    chance = Chance(seed, b"bootstrap %d" % number)
    counted = Counter(chance.below(m) for _ in range(m))
    assert bootstrap(m, seed, number) == tuple(counted[row] for row in range(m))


def test_draws_that_will_never_change() -> None:
    """The golden: who repeats them elsewhere can begin here."""
    assert bootstrap(10, 0) == (1, 1, 1, 3, 0, 0, 2, 1, 1, 0)
    assert bootstrap(10, 0, 1) == (0, 2, 1, 2, 0, 2, 0, 2, 1, 0)


@of_every([1, 2, 3, 4])
def test_the_share_out_of_bag_is_that_of_all_possible_draws(m: int) -> None:
    left_out = sum(0 not in draws for draws in product(range(m), repeat=m))
    assert out_of_bag_share(m) == Fraction(left_out, m**m)


def test_the_share_out_of_bag_tends_to_1_over_e() -> None:
    """From below, and by 1/(2em) less: the next term of the series."""
    for m in (10, 100, 1000):
        gap = 1 / math.e - float(out_of_bag_share(m))
        assert 0 < gap < 1 / (2 * math.e * m) * (1 + 1 / m)


def test_as_many_rows_are_left_out_as_is_to_be_expected() -> None:
    """Over 400 samples of 100 rows: within four standard deviations, which are less than those of a binomial count."""
    m, samples = 100, 400
    share = sum(bootstrap(m, 3, number).count(0) for number in range(samples)) / (m * samples)
    expected = float(out_of_bag_share(m))
    assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / (m * samples))


@given(strategies.mixed_tables(), st.integers(0, 99))
def test_a_sample_with_weights_is_the_table_with_rows_repeated(table: Table, seed: int) -> None:
    """What one row of twice the weight decides, two rows decide."""
    drawn = bootstrap(len(table), seed)
    repeated = table.take([row for row, times in enumerate(drawn) for _ in range(times)])
    weighted = resampled(table, drawn)
    learner = CART(min_samples_split=0, min_samples_leaf=0, max_depth=3)
    if sum(weighted.weighted()) == 0:
        return
    assert learner.grow(weighted).nodes == learner.grow(repeated).nodes


@given(strategies.categorical_tables(), st.integers(0, 99))
def test_every_row_drawn_once_is_the_table(table: Table, seed: int) -> None:
    """Equal weights are no weights."""
    assert resampled(replace(table, left_out=2), (1,) * len(table)).left_out == 0
    assert ID3().grow(resampled(table, (1,) * len(table))) == ID3().grow(table)
    assert ID3().grow(resampled(table, (3,) * len(table))).predict(table) == ID3().grow(table).predict(table)


@given(strategies.categorical_tables())
def test_one_tree_without_draws_is_the_tree(table: Table) -> None:
    bag = Bagging(base=ID3(), trees=1, resample=False).grow(table)
    assert bag.members[0].tree == ID3().grow(table)
    assert bag.predict(table) == ID3().grow(table).predict(table)


@pytest.mark.covers("N4 Random forest algorithm: bagging", "N4 Random forest algorithm: bagged trees")
def test_each_tree_is_the_tree_of_its_own_draws() -> None:
    """By the pseudo-code of N4: the new training set of size m written out, row by row."""
    table, rows = textbook("iris"), list(textbook("iris").rows())
    bag = Bagging(base=CART(), trees=5, seed=7).grow(table)
    for number, member in enumerate(bag.members):
        assert member.drawn == bootstrap(150, 7, number)
        new = [row for row, times in zip(rows, member.drawn or (), strict=True) for _ in range(times)]
        assert len(new) == 150
        columns = {name: [row[name] for row in new] for name in rows[0]}
        assert member.tree.nodes == CART().grow(Table.from_columns(columns, "species")).nodes
        member.tree.check(resampled(table, member.drawn))
    assert bag.combine == "vote"
    votes = [Counter(member.tree.predict(row) for member in bag.members) for row in rows]
    assert bag.predict(table) == [min(vote, key=lambda label: (-vote[label], label)) for vote in votes]


def test_the_order_in_which_trees_are_grown_changes_nothing() -> None:
    table, learner = textbook("golf"), Bagging(base=C45(), trees=6, seed=2)
    backwards = [learner.member(table, number) for number in reversed(range(6))]
    assert list(learner.grow(table).members) == backwards[::-1]
    assert learner.grow(table).members[:3] == replace(learner, trees=3).grow(table).members


def test_numbers_are_answered_by_their_mean() -> None:
    table = textbook("iris").predicting("sepal length")
    bag = Bagging(trees=4, base=CART(max_depth=2)).grow(table)
    row = next(table.rows())
    answers = [Fraction(member.tree.predict(row)) for member in bag.members]
    assert bag.combine == "mean"
    assert bag.predict(row) == sum(answers) / 4


def by_hand(bag: Any, table: Table) -> list[Any]:
    """For each row the answer of the trees that have not seen it, and how many these are."""
    found: list[Any] = []
    for number, row in enumerate(table.rows()):
        answers = [m.tree.predict(row, "majority") for m in bag.members if not m.drawn[number]]
        votes = Counter(answers)
        order = table.schema.target.domain
        found.append((max(order, key=lambda c: (votes[c], -order.index(c))) if answers else None, len(answers)))
    return found


def test_rows_out_of_bag_are_answered_by_trees_that_have_not_seen_them() -> None:
    table = textbook("iris")
    bag = Bagging(trees=6, seed=1).grow(table)
    found, expected = out_of_bag(bag, table), by_hand(bag, table)
    assert list(zip(found.answers, found.trees, strict=True)) == expected
    truths = [row["species"] for row in table.rows()]
    judged = [(answer, truth) for (answer, _), truth in zip(expected, truths, strict=True) if answer is not None]
    assert len(judged) < 150, "some row was drawn for all six"
    assert found.error == Fraction(sum(answer != truth for answer, truth in judged), len(judged))


def test_the_estimate_of_numbers_is_a_squared_error() -> None:
    table = textbook("iris").predicting("sepal length")
    bag = Bagging(trees=10, seed=1, base=CART(max_depth=3)).grow(table)
    found = out_of_bag(bag, table)
    errors: list[Any] = []
    for number, row in enumerate(table.rows()):
        answers: list[Any] = [m.tree.predict(row) for m in bag.members if not (m.drawn or ())[number]]
        errors += [(Fraction(sum(answers)) / len(answers) - Fraction(row["sepal length"] or 0)) ** 2] if answers else []
    assert found.error == sum(errors) / len(errors)


def test_an_estimate_needs_draws_and_rows_that_were_left_out() -> None:
    table = textbook("golf")
    with pytest.raises(InputError, match="does not record what was drawn from this table"):
        out_of_bag(Bagging(trees=2, resample=False).grow(table), table)
    with pytest.raises(InputError, match="does not record what was drawn from this table"):
        out_of_bag(Bagging(trees=2).grow(table), textbook("iris"))
    bag = Bagging(trees=1).grow(table)
    every = replace(bag, members=(bag.members[0]._replace(drawn=(1,) * len(table)),))
    assert out_of_bag(every, table).error is None


@pytest.mark.covers("N4 Random forest algorithm: B")
def test_more_trees_change_ever_fewer_answers() -> None:
    """Of the rows of iris, asked out of the bag: the answers of 40 trees are nearer to those of 80 than those of 5."""
    table = textbook("iris")
    bag = Bagging(trees=80, seed=4).grow(table)
    final = bag.predict(table)
    apart = [sum(a != b for a, b in zip(bag.part(range(b)).predict(table), final, strict=True)) for b in (1, 5, 40)]
    assert apart == sorted(apart, reverse=True)
    assert apart[0] > apart[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trees": 0}, "a whole number from 1, not 0"),
        ({"trees": True}, "a whole number from 1, not True"),
        ({"base": Bagging()}, "grown by a learner of trees"),
        ({"combine": "sum"}, "there is no 'sum'"),
        ({"seed": 1.5}, "it is a whole number"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Bagging(**options)


@pytest.mark.covers("N4 Using multiple decision trees: sensitivity")
def test_a_small_change_of_the_data_changes_the_tree() -> None:
    """The course's ten cats: with other whiskers of one of them, and as they are drawn for ten trees."""
    cats, changed = textbook("cats").without(["weight"]), textbook("cats-changed")
    differ = [one for one, other in zip(cats.rows(), changed.rows(), strict=True) if one != other]
    assert len(differ) == 1
    bag = Bagging(base=ID3(), trees=10, seed=1).grow(cats)
    trees = [ID3().grow(cats), ID3().grow(changed), *(member.tree for member in bag.members)]
    asked = [tree.nodes[0].test.attribute for tree in trees if tree.nodes[0].test is not None]
    assert asked[0] != asked[1]
    assert len(set(asked[2:])) > 1


def test_draws_of_other_rows_are_refused() -> None:
    table = textbook("play-tennis")
    forest = RandomForest(trees=2, seed=1).grow(table)
    for rows in (range(5), [*range(14), 0]):
        with pytest.raises(InputError, match=r"not grown from this table: draws are of 14 rows, not (5|15)$"):
            audit(forest, table.take(list(rows)))
