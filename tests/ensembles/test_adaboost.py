"""AdaBoost: Li Hang's table 8.1, laws, and an oracle that weighs rows with exponentials, roots and logarithms."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.adaboost import (
    AdaBoost,
    coefficient,
    coefficient_of_classes,
    drawn_by_weight,
    factors,
    on_grid,
    reweighted,
    training_error_bound,
    weighted_error,
)
from reference_tree.ensembles.registry import ensemble_learner_of
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.growing import grow
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Tree
from reference_tree.twins import by_the_book
from tests import strategies
from tests.every import of_every
from tests.oracles import exact_value, real
from tests.strategies import at_most, fractions

LI_HANG = textbook("li-hang-8.1")
STUMP = CART(max_depth=1, min_samples_split=0, min_samples_leaf=0)


# Li Hang's table 8.1.


@pytest.mark.covers("N4 XGBoost: deliberate practice")
def test_the_three_rounds_of_table_8_1() -> None:
    first, second, third = AdaBoost(trees=3).rounds(LI_HANG)
    asked = [next(found.tree.rules()).conditions for found in (first, second, third)]
    assert asked == [("x<=2.5",), ("x<=8.5",), ("x<=5.5",)]
    assert [found.error for found in (first, second, third)] == [Fraction(3, 10), Fraction(3, 14), Fraction(2, 11)]
    printed = [[0.07143] * 6 + [0.16667] * 3 + [0.07143], [0.0455] * 3 + [0.1667] * 3 + [0.1060] * 3 + [0.0455]]
    for found, figures in zip((first, second), printed, strict=True):
        assert [float(weight) for weight in found.after()] == pytest.approx(figures, abs=1e-4)


def test_the_coefficients_of_table_8_1() -> None:
    """The book prints 0.7514 for the third: it computes with e = 0.1820, rounded from 2/11 = 0.18181..."""
    boosted = AdaBoost(trees=3).grow(LI_HANG)
    assert [round(float(member.weight), 4) for member in boosted.members] == [0.4236, 0.6496, 0.7520]
    assert round(math.log((1 - 0.1820) / 0.1820) / 2, 4) == 0.7514
    assert boosted.accuracy(LI_HANG) == 1


def test_in_the_first_round_two_cuts_tie() -> None:
    found = next(AdaBoost().rounds(LI_HANG))
    decision = AdaBoost().base.decide(LI_HANG.sample())
    assert [winner.test.name for winner in decision.winners] == ["x<=2.5", "x<=8.5"]
    assert {winner.scores["misclassification_rate"] for winner in decision.winners} == {Fraction(3, 10)}
    assert found.tree.nodes[0].test == decision.winners[0].test


# Formulas, against the form that the books have.


@st.composite
def answered(draw: st.DrawFn, rows: int = 8) -> tuple[list[Fraction], list[bool]]:
    """Weights that add up to 1, and which rows are missed: some are, and some are not."""
    whole = draw(st.lists(st.integers(1, 99), min_size=2, max_size=rows))
    missed = draw(st.lists(st.booleans(), min_size=len(whole), max_size=len(whole)).filter(lambda m: len(set(m)) == 2))
    return [Fraction(weight, sum(whole)) for weight in whole], missed


@given(answered())
def test_weights_are_those_of_exponentials_over_their_sum(case: tuple[list[Fraction], list[bool]]) -> None:
    """w·exp(-α·y·G)/Z, to 250 digits, with Z summed up."""
    weights, missed = case
    with mpmath.workdps(250):
        error = mpmath.fsum(real(w) for w, miss in zip(weights, missed, strict=True) if miss)
        alpha = mpmath.log((1 - error) / error) / 2
        raised = [real(w) * mpmath.exp(alpha if miss else -alpha) for w, miss in zip(weights, missed, strict=True)]
        z = mpmath.fsum(raised)
        for weight, one in zip(reweighted(weights, missed), raised, strict=True):
            assert abs(real(weight) - one / z) < mpmath.mpf(10) ** -240
        assert abs(exact_value(coefficient(weighted_error(weights, missed))) - alpha) < mpmath.mpf(10) ** -240
        assert abs(z - 2 * mpmath.sqrt(error * (1 - error))) < mpmath.mpf(10) ** -240


@given(answered(), st.integers(2, 6))
def test_weights_of_classes_are_those_of_samme(case: tuple[list[Fraction], list[bool]], classes: int) -> None:
    """w·exp(α·[wrong]), divided by the sum."""
    weights, missed = case
    with mpmath.workdps(250):
        error = mpmath.fsum(real(w) for w, miss in zip(weights, missed, strict=True) if miss)
        alpha = mpmath.log((1 - error) / error) + mpmath.log(classes - 1)
        raised = [real(w) * (mpmath.exp(alpha) if miss else 1) for w, miss in zip(weights, missed, strict=True)]
        for weight, one in zip(reweighted(weights, missed, classes), raised, strict=True):
            assert abs(real(weight) - one / mpmath.fsum(raised)) < mpmath.mpf(10) ** -240
        found = coefficient_of_classes(weighted_error(weights, missed), classes)
        assert abs(exact_value(found) - alpha) < mpmath.mpf(10) ** -240


@given(answered(), st.integers(2, 6))
def test_the_reweighted_sample_makes_the_last_tree_as_good_as_chance(
    case: tuple[list[Fraction], list[bool]], classes: int
) -> None:
    weights, missed = case
    after = reweighted(weights, missed, classes)
    assert sum(after) == 1
    assert weighted_error(after, missed) == 1 - Fraction(1, classes)


def test_factors_that_classes_of_two_share_with_m1() -> None:
    assert factors(Fraction(1, 4)) == (Fraction(2, 3), 2)
    assert factors(Fraction(1, 4), 3) == (Fraction(4, 9), Fraction(8, 3))


@of_every([0, 1, Fraction(-1, 2)])
def test_an_error_without_a_coefficient(error: Any) -> None:
    for formula in (coefficient, lambda e: coefficient_of_classes(e, 3)):
        with pytest.raises(ValueError, match="has none"):
            formula(Fraction(error))


# The grid, and the draws.


@given(st.lists(st.integers(1, 10**12), min_size=1, max_size=9), st.integers(1, 40))
def test_weights_on_a_grid(whole: list[int], bits: int) -> None:
    """Short ones stay; of others each is a number of units, the nearest one, over the sum of these numbers."""
    weights = [Fraction(weight, sum(whole)) for weight in whole]
    found = on_grid(weights, bits)
    if math.lcm(*(weight.denominator for weight in weights)) <= 2**bits:
        assert found == weights
        return
    below = [weight * 2**bits - Fraction(1, 2) for weight in weights]
    assume(all(least.denominator > 1 for least in below))  # none is halfway between two
    units = [max(1, math.ceil(least)) for least in below]
    assert found == [Fraction(unit, sum(units)) for unit in units]


def test_without_a_bound_nothing_is_rounded() -> None:
    long = [Fraction(1, 3**500), 1 - Fraction(1, 3**500)]
    assert on_grid(long, None) == long


@given(st.lists(st.integers(1, 30), min_size=1, max_size=6), st.integers(0, 50), st.integers(0, 9))
def test_draws_are_by_units_of_weight(whole: list[int], draws: int, seed: int) -> None:
    """A list with every row as often as it has units of weight; a draw is a place in it."""
    weights = [Fraction(weight, sum(whole)) for weight in whole]
    common = math.lcm(*(weight.denominator for weight in weights))
    urn = [row for row, weight in enumerate(weights) for _ in range(int(weight * common))]
    chance, counted = Chance(seed), Counter[int]()
    for _ in range(draws):
        counted[chance.choice(urn)] += 1
    assert drawn_by_weight(weights, draws, Chance(seed)) == tuple(counted[row] for row in range(len(weights)))


# Laws.


def trees_of(found: Any) -> list[Any]:
    return [member.tree.nodes for member in found.members]


tables = strategies.mixed_tables(rows=10)


@at_most(30)
@given(tables)
def test_equal_weights_are_no_weights(table: Table) -> None:
    """Round 1 is the plain tree, counts included; and rows that all weigh 3 are rows that weigh 1, boosted."""
    assert next(AdaBoost(base=STUMP).rounds(table)).tree.nodes == STUMP.grow(table).nodes
    plain, three = replace(table, weights=None), replace(table, weights=[3] * len(table))
    one, other = (AdaBoost(base=STUMP, trees=4).grow(which) for which in (plain, three))
    assert [m.weight for m in one.members] == [m.weight for m in other.members]
    assert one.predict(plain) == other.predict(plain)
    questions = [[[node.test for node in nodes] for nodes in trees_of(found)] for found in (one, other)]
    assert questions[0] == questions[1]


@at_most(30)
@given(strategies.columns(rows=8), st.data(), st.sampled_from(["m1", "samme"]))
def test_weights_are_as_good_as_copies(columns: dict[str, list[str]], data: st.DataObject, algorithm: Any) -> None:
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(columns["y"]), max_size=len(columns["y"])))
    weighted = Table.from_columns({**columns, "w": times}, target="y", weights="w")
    copies = {
        name: [cell for cell, n in zip(cells, times, strict=True) for _ in range(n)] for name, cells in columns.items()
    }
    boost = AdaBoost(base=STUMP, trees=5, algorithm=algorithm, bits=None)
    one, other = boost.grow(weighted), boost.grow(Table.from_columns(copies))
    assert trees_of(one) == trees_of(other)
    assert [member.weight for member in one.members] == [member.weight for member in other.members]


@at_most(40)
@given(tables, st.sampled_from([None, 64]))
def test_the_training_error_is_within_its_bound(table: Table, bits: int | None) -> None:
    rounds = [found for found in AdaBoost(trees=4, bits=bits).rounds(table) if not found.is_chance]
    if not rounds:
        return
    boosted = AdaBoost(trees=len(rounds), bits=bits).grow(table)
    assert 1 - boosted.accuracy(table, "majority") <= training_error_bound([found.error for found in rounds])


@given(st.lists(fractions(Fraction(1, 50), Fraction(49, 50)), max_size=6))
def test_the_bound_is_the_product_of_roots(errors: list[Fraction]) -> None:
    with mpmath.workdps(60):
        product = mpmath.fprod(2 * mpmath.sqrt(real(e) * (1 - real(e))) for e in errors)
        found = training_error_bound(errors)
        assert float(found) == float(product)
    assert training_error_bound([]) == 1


@at_most(30)
@given(tables)
def test_for_two_classes_samme_is_m1_with_votes_of_twice_the_size(table: Table) -> None:
    if len(set(table.codes(table.schema.target.name))) != 2:
        return
    m1, samme = (AdaBoost(base=STUMP, trees=4, algorithm=name).grow(table) for name in ("m1", "samme"))
    assert trees_of(m1) == trees_of(samme)
    if m1.members[0].weight != 1:
        assert [2 * member.weight for member in m1.members] == [member.weight for member in samme.members]
    assert m1.predict(table) == samme.predict(table)


@at_most(30)
@given(strategies.columns(rows=10, classes=3), st.sampled_from(["m1", "samme"]))
def test_the_class_of_most_votes_is_the_answer(columns: dict[str, list[str]], algorithm: Any) -> None:
    """The votes added up to 250 digits; a tie goes to the first class."""
    table = Table.from_columns(columns)
    boosted = AdaBoost(base=STUMP, trees=6, algorithm=algorithm).grow(table)
    for row, predicted in zip(table.rows(), boosted.predict(table), strict=True):
        votes = {label: mpmath.mpf(0) for label in table.schema.target.domain}
        for member in boosted.members:
            votes[str(member.tree.predict(row))] += exact_value(member.weight)
        most = max(votes.values())
        assert predicted == next(label for label, vote in votes.items() if abs(vote - most) < mpmath.mpf(10) ** -200)


@at_most(30)
@given(tables, st.integers(0, 5))
def test_resampling_grows_each_tree_from_copies_of_what_was_drawn(table: Table, seed: int) -> None:
    for found in AdaBoost(base=STUMP, trees=3, resample=True, seed=seed).rounds(table):
        assert found.drawn is not None
        assert sum(found.drawn) == len(table)
        rows = [row for row, n in enumerate(found.drawn) for _ in range(n)]
        copies = STUMP.grow(replace(table, weights=None).take(rows))
        assert [node.test for node in found.tree.nodes] == [node.test for node in copies.nodes]
        assert [node.counts for node in found.tree.nodes] == [node.counts for node in copies.nodes]
        missed = [tree != row for tree, row in zip(copies.predict(table, "majority"), truths(table), strict=True)]
        assert list(found.missed) == missed


def truths(table: Table) -> list[Any]:
    return [row[table.schema.target.name] for row in table.rows()]


@pytest.mark.covers("N4 XGBoost: resampling")
def test_what_was_missed_is_drawn_more_often() -> None:
    """The rows that the first tree of table 8.1 misses then weigh a half, and come up as often as the others."""
    drawn = Counter[bool]()
    for seed in range(200):
        first, *more = AdaBoost(trees=2, resample=True, seed=seed).rounds(LI_HANG)
        for found in more:
            assert weighted_error(found.weights, first.missed) == Fraction(1, 2)
            for times, miss in zip(found.drawn or (), first.missed, strict=True):
                drawn[miss] += times
    assert drawn[True] / drawn.total() == pytest.approx(0.5, abs=0.03)


@at_most(15)
@given(tables, st.booleans())
def test_by_the_book_the_ensemble_is_the_same(table: Table, resample: bool) -> None:
    boost = AdaBoost(trees=4, resample=resample)
    with by_the_book():
        expected = boost.grow(table)
    assert boost.grow(table) == expected


@pytest.mark.parametrize("resample", [False, True])
def test_each_tree_can_be_decided_once_more(resample: bool) -> None:
    boost = AdaBoost(trees=3, resample=resample)
    ensemble = boost.grow(LI_HANG)
    for member, (learner, rows) in zip(ensemble.members, boost.decided(ensemble, LI_HANG), strict=True):
        assert grow(learner, rows).nodes == member.tree.nodes
    with pytest.raises(InputError, match="grown from a table with other rows"):
        list(boost.decided(ensemble, LI_HANG.take(range(7))))


def test_to_decide_every_tree_once_more_the_rounds_are_gone_once(monkeypatch: pytest.MonkeyPatch) -> None:
    boost, grows, grown = AdaBoost(trees=6), CART.grow, 0
    ensemble = boost.grow(LI_HANG)

    def counting(learner: CART, table: Table) -> Tree:
        nonlocal grown
        grown += 1
        return grows(learner, table)

    monkeypatch.setattr(CART, "grow", counting)
    assert len(list(boost.decided(ensemble, LI_HANG))) == grown == 6


# When it stops.


def test_a_tree_without_a_mistake_is_kept_alone() -> None:
    boosted = AdaBoost(base=CART(), trees=9).grow(LI_HANG)
    assert len(boosted.members) == 1
    assert boosted.members[0].weight == 1
    assert boosted.accuracy(LI_HANG) == 1


def test_one_found_later_outvotes_all_before_it() -> None:
    """Rows of which a single question parts the classes; but it need not be found from the rows that are drawn."""
    table = Table.from_columns({"x": [1, 2, 3, 4, 5, 6], "y": list("aaabbb")})
    late = 0
    for seed in range(30):
        boost = AdaBoost(base=STUMP, resample=True, seed=seed)
        *before, last = boost.rounds(table)
        if before and last.is_perfect:
            late += 1
            boosted = boost.grow(table)
            assert [member.tree for member in boosted.members] == [last.tree]
            assert boosted.accuracy(table) == 1
    assert late


def test_a_tree_that_is_no_better_than_chance_ends_it() -> None:
    """An exclusive or: every stump is right about half of the rows."""
    table = Table.from_columns({"a": list("pprr"), "b": list("prpr"), "y": list("nyyn")})
    rounds = list(AdaBoost().rounds(table))
    assert [(found.error, found.is_chance) for found in rounds] == [(Fraction(1, 2), True)]
    boosted = AdaBoost().grow(table)
    assert [member.weight for member in boosted.members] == [1]
    deeper = AdaBoost(base=CART(max_depth=2)).grow(table)
    assert deeper.accuracy(table) == 1


def test_of_four_classes_a_stump_knows_two() -> None:
    """It is wrong about half of the rows, which is too much for M1, and better than a guess."""
    table = Table.from_columns({"x": [1, 2, 3, 4], "y": list("abcd")})
    assert [(found.error, found.is_chance) for found in AdaBoost(trees=3).rounds(table)] == [(Fraction(1, 2), True)]
    first, *more = AdaBoost(algorithm="samme", trees=3).rounds(table)
    assert (first.error, first.is_chance) == (Fraction(1, 2), False)
    assert float(AdaBoost(algorithm="samme").vote(first)) == math.log(3)
    assert len(more) == 2
    assert all(sum(found.weights) == 1 for found in more)


# What it is told.


@of_every([ID3(max_depth=1), C45(max_depth=1), CART(max_depth=2)])
def test_any_learner_of_classes_will_do(learner: Any) -> None:
    table = textbook("loan")
    boosted = AdaBoost(base=learner, trees=5).grow(table)
    assert boosted.accuracy(table) >= learner.grow(table).accuracy(table)


@pytest.mark.parametrize(
    "boost", [AdaBoost(), AdaBoost(base=C45(), trees=7, algorithm="samme", resample=True, seed=3, bits=100)]
)
def test_a_document_records_every_option(boost: AdaBoost) -> None:
    assert ensemble_learner_of(boost.grower()) == boost


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bits": 7}, "it is a whole number from 8 to 240"),
        ({"bits": True}, "it is a whole number from 8 to 240"),
        ({"resample": True, "bits": None}, "rows are drawn by weights of a bounded length"),
        ({"trees": 0}, "it is a whole number from 1"),
    ],
)
def test_options_that_are_none(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AdaBoost(**options)


def test_numbers_are_not_voted_on() -> None:
    with pytest.raises(InputError, match="y is a number, and AdaBoost is for classes; a boosting tree is for numbers"):
        AdaBoost().grow(textbook("li-hang-8.2"))


def test_it_says_how_far_it_is() -> None:
    counts: list[int] = []
    AdaBoost(trees=3).grow(LI_HANG, counts.append)
    assert counts == [1, 2, 3]
