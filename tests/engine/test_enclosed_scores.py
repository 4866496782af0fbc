"""Enclosures: the integers hold the number, and numbers compare as the exact ones do, ties and near-ties included."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.data.sample import Partition
from reference_tree.engine.deferred import deferred
from reference_tree.engine.enclosed_scores import decisive_score, mixture, terms_of
from reference_tree.engine.enclosures import Enclosed
from reference_tree.engine.whole_rows import WholeRows
from reference_tree.exact.log_ratios import LogRatio
from reference_tree.exact.log_sums import LogSum, log
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini
from reference_tree.splitting.candidate import MEASURES, AbsoluteErrorReduction
from tests import oracles, strategies
from tests.every import of_every
from tests.oracles import exact_value, real
from tests.strategies import fractions

OF_LOGARITHMS = ("gain", "split_information", "split_information_with_unknown", "ratio")
Rows = Sequence[tuple[int, ...]]

RELATIONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq)


def enclosed(name: str, table: Partition) -> Any:
    return decisive_score(MEASURES[name], table)


def assert_holds(number: Any, exact: Any) -> None:
    """The integers are around the number."""
    low, high, bits = number.enclosed
    with mpmath.workdps(oracles.DIGITS):
        value, hair = exact_value(exact) * mpmath.mpf(2) ** bits, mpmath.mpf(10) ** -100
        assert low <= value + hair
        assert value - hair <= high


def assert_compared(numbers: Sequence[Any], others: Sequence[Any], values: Sequence[Any], its: Sequence[Any]) -> None:
    """Two numbers stand to one another as their values do."""
    for number, value in zip(numbers, values, strict=True):
        for other, its_value in zip(others, its, strict=True):
            for relation in RELATIONS:
                assert relation(number, other) == relation(value, its_value), (relation, value, its_value)


cells = st.one_of(st.integers(0, 12), st.just(0), strategies.weights, st.integers(0, 10**40))


@st.composite
def tables(draw: st.DrawFn, cells: st.SearchStrategy[Any] = cells) -> Partition:
    """A table of classes with two branches, so that every measure is defined."""
    rows = draw(strategies.partitions(rows=5, columns=4, cells=cells).filter(lambda t: sum(map(any, t)) > 1))
    unknown = [draw(st.one_of(st.just(0), strategies.weights)) for _ in rows[0]] if draw(st.booleans()) else None
    return Partition((), tuple(map(tuple, rows)), tuple(unknown or [0] * len(rows[0])))


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("name", OF_LOGARITHMS)
@given(tables())
def test_the_integers_are_around_the_score(name: str, table: Partition) -> None:
    number = enclosed(name, table)
    assert isinstance(number, Enclosed)
    assert_holds(number, MEASURES[name](table))
    assert number.exact == MEASURES[name](table)
    assert float(number) == float(MEASURES[name](table))


@pytest.mark.parametrize("name", OF_LOGARITHMS)
@given(tables(st.integers(0, 40)))
def test_they_are_close_together(name: str, table: Partition) -> None:
    low, high, bits = enclosed(name, table).enclosed
    assert high - low < 1 << bits - 50


def tables_of(columns: int, weights: Sequence[int]) -> Iterator[Partition]:
    """Every table of two branches with these weights of the classes."""
    for left in product(*(range(weight + 1) for weight in weights[:columns])):
        right = tuple(weight - part for weight, part in zip(weights, left, strict=True))
        if any(left) and any(right):
            yield Partition((), (left, right), (0,) * columns)


@pytest.mark.one_in(10, 20)
@pytest.mark.parametrize("name", ["gain", "ratio", "split_information"])
@pytest.mark.parametrize("weights", [(3, 7), (3, 6), (8, 4), (2, 3, 2), (1, 1, 1, 1), (20, 1)])
def test_every_two_tables_of_a_sample_compare_as_the_exact_scores(name: str, weights: tuple[int, ...]) -> None:
    """Of ten rows (0, 3), (3, 4) gains what (1, 6), (2, 1) does: also those ties are found that no signature tells."""
    every = list(tables_of(len(weights), weights))[:40]
    exact = [MEASURES[name](table) for table in every]
    assert_compared([enclosed(name, t) for t in every], [enclosed(name, t) for t in every], exact, exact)


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("name", OF_LOGARITHMS)
@given(tables(st.integers(0, 3)), st.data())
def test_tables_of_three_branches(name: str, table: Partition, data: st.DataObject) -> None:
    """Rows of the table dealt anew, so that many tie."""
    chance: Any = data.draw(st.randoms(use_true_random=False))
    columns = [chance.sample(column, len(column)) for column in zip(*table.rows, strict=True)]
    other = table._replace(rows=tuple(zip(*columns, strict=True)))
    if sum(map(any, other.rows)) > 1:
        exact = [MEASURES[name](one) for one in (table, other)]
        assert_compared([enclosed(name, table)], [enclosed(name, other)], exact[:1], exact[1:])


def test_the_teaching_examples() -> None:
    """Ties and bounds that floating point misses."""

    def of(name: str, *rows: tuple[int, ...]) -> Any:
        return enclosed(name, Partition((), rows, (0,) * len(rows[0])))

    assert of("gain", (1, 1), (2, 2)) == 0
    assert not of("gain", (4, 4), (1, 1)) < 0
    assert of("gain", (3, 0, 0), (0, 1, 2)) == 1
    assert not of("gain", (3, 0, 0), (0, 1, 2)) < 1
    assert of("ratio", (1, 0, 0), (0, 2, 0), (0, 0, 3)) == 1
    for name in ("gain", "ratio"):
        assert of(name, (0, 3), (3, 4)) == of(name, (1, 6), (2, 1))
    one, other = ((0, 2), (0, 3), (3, 1)), ((0, 3), (1, 3), (2, 0))
    assert of("ratio", *one) == of("ratio", *other)
    gains = [of("gain", (0, 4), (1, 0))] * 3
    assert all(gain >= sum(gains) * Fraction(1, 3) for gain in gains)
    assert of("gain", (0, 4), (2, 3), (3, 2)) > Fraction(24674981977443, 10**14)


# Long weights, near-ties and numbers of other kinds.


def test_near_ties_of_gains() -> None:
    """Long weights make gains that agree to a hundred digits."""
    for extra in (1, 0, -1):
        one = Partition((), ((10**60, 3 * 10**60), (5, 7)), (0, 0))
        other = Partition((), ((10**60, 3 * 10**60 + extra), (5, 7 - extra)), (0, 0))
        for name in ("gain", "ratio"):
            exact = [MEASURES[name](table) for table in (one, other)]
            assert_compared([enclosed(name, one)], [enclosed(name, other)], exact[:1], exact[1:])
            assert (enclosed(name, one) == enclosed(name, other)) == (extra == 0)


others = st.one_of(
    st.integers(-1, 2),
    fractions(-1, 2, max_denominator=12),
    st.builds(lambda n, c, k: LogSum({n: c}, k), st.integers(2, 9), fractions(-1, 1), fractions(-2, 2)),
)


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("name", ["gain", "split_information"])
@given(tables(st.one_of(st.integers(0, 9), strategies.weights)), others)
def test_they_compare_with_numbers_of_every_kind(name: str, table: Partition, other: Any) -> None:
    exact = MEASURES[name](table)
    assert_compared([enclosed(name, table)], [other, exact], [exact], [other, exact])
    if not isinstance(other, LogSum):
        assert (other < enclosed(name, table)) == (other < exact)


@pytest.mark.slow
@given(tables(st.integers(0, 9)), tables(st.integers(0, 9)), fractions(-2, 2, max_denominator=9), others)
def test_what_is_made_of_them_is_enclosed_in_turn(one: Partition, other: Partition, factor: Any, more: Any) -> None:
    mine, its = enclosed("gain", one), enclosed("gain", other)
    gains = [MEASURES["gain"](table) for table in (one, other)]
    made: list[tuple[Any, Any]] = [
        (mine + its, gains[0] + gains[1]),
        (sum([mine, its]), gains[0] + gains[1]),
        (mine * factor, gains[0] * factor),
        (factor * mine, gains[0] * factor),
        (mine + more, gains[0] + more),
        (mine - more, gains[0] - more),
        (mine / enclosed("split_information", other), gains[0] / MEASURES["split_information"](other)),
    ]
    for number, exact in made:
        assert_holds(number, exact)
        assert number.exact == exact
        assert number == exact
    assert mine - its == gains[0] - gains[1]
    assert not isinstance(mine - its, Enclosed)


def test_a_charge_that_is_more_than_the_gain() -> None:
    """A ratio can be negative, and its enclosure is turned round then."""
    table = Partition((), ((3, 3), (3, 2)), (0, 0))
    charged = (enclosed("gain", table) - log(7) / 11) / enclosed("split_information", table)
    exact = (MEASURES["gain"](table) - log(7) / 11) / MEASURES["split_information"](table)
    assert isinstance(exact, LogRatio)
    assert_holds(charged, exact)
    assert charged < 0
    assert charged > -1


def test_a_cost_that_cannot_be_told_from_nothing() -> None:
    table = Partition((), ((1, 0), (0, 10**40)), (0, 0))
    number = enclosed("ratio", table)
    assert number == 1
    assert_holds(number, 1)
    charged = (enclosed("gain", table) - 10**30) / enclosed("split_information", table)
    exact = (MEASURES["gain"](table) - 10**30) / MEASURES["split_information"](table)
    assert_holds(charged, exact)
    assert charged < -(10**60)


@of_every(OF_LOGARITHMS)
def test_deferred_weights_that_cannot_be_told_from_nothing(name: str) -> None:
    """Parts of rows without answers, far down. No score depends on what one unit of weight is."""
    tiny = deferred(Fraction(3**800, 7**488)) * Fraction(1, 2**100)
    rows, unknown = ((1, 2), (3, 1), (0, 4)), (1, 0)
    small = Partition(
        (), tuple(tuple(cell * tiny for cell in row) for row in rows), tuple(cell * tiny for cell in unknown)
    )
    exact = MEASURES[name](Partition((), rows, unknown))
    assert_holds(enclosed(name, small), exact)
    assert enclosed(name, small) == exact
    assert not enclosed(name, small) > exact


# Measures that are rationals, of whole units.

units = st.one_of(st.just(1), strategies.weights)


def in_units(rows: Rows, units: Sequence[Any], unknown: Sequence[int]) -> tuple[Partition, Partition]:
    """A table in whole units, and the same multiplied by them."""
    multiplied = tuple(cell * unit for cell, unit in zip(unknown, units, strict=True))
    rows_in_units = WholeRows(rows, units, tuple(unknown))
    return Partition((), rows_in_units, multiplied), Partition((), rows_in_units.rows, multiplied)


@pytest.mark.parametrize("name", ["gini_decrease", "misclassification_decrease"])
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=2, max_size=4), units, st.integers(0, 3))
def test_classes_in_whole_units(name: str, rows: Rows, unit: Any, unknown: int) -> None:
    assume(any(map(any, rows)))
    table, multiplied = in_units(rows, [unit] * 3, (unknown, 0, 1))
    assert decisive_score(MEASURES[name], table) == MEASURES[name](multiplied)


@given(tables(), units)
def test_scores_of_any_weights(table: Partition, y_unit: Any) -> None:
    """Weights of divided rows have no unit that is known: their common denominator is one."""
    assert decisive_score(MEASURES["gini_decrease"], table) == MEASURES["gini_decrease"](table)
    rows = [(sum(row), sum(y * w for y, w in enumerate(row, -1)) * y_unit, sum(row)) for row in table.rows]
    numbers = Partition((), tuple(rows), (sum(table.unknown), 1, 1))
    assert decisive_score(MEASURES["variance_reduction"], numbers) == MEASURES["variance_reduction"](numbers)


parts = st.lists(st.lists(st.integers(-9, 9), max_size=5), min_size=2, max_size=4).filter(any)


@given(parts, units, units, st.integers(0, 3))
def test_numbers_in_whole_units(parts: list[list[int]], unit: Any, y_unit: Any, unknown: int) -> None:
    rows = [(len(part), sum(part), sum(y * y for y in part)) for part in parts]
    table, multiplied = in_units(rows, (unit, unit * y_unit, unit * y_unit**2), (unknown, 0, 0))
    found = decisive_score(MEASURES["variance_reduction"], table)
    assert found == MEASURES["variance_reduction"](multiplied)


@given(parts, units, st.integers(0, 3))
def test_deviations_in_whole_units_of_numbers_that_are_there(parts: list[list[int]], unit: Any, unknown: int) -> None:
    numbers, present = list(range(-9, 10)), sorted({y for part in parts for y in part})
    rows = [tuple(map(part.count, present)) for part in parts]
    none = (unknown, *[0] * (len(present) - 1))
    places = [numbers.index(y) for y in present], len(numbers)
    whole = WholeRows(rows, [unit] * len(present), none, places)
    table = Partition((), whole, tuple(cell * unit for cell in none))
    everywhere = [tuple(part.count(y) * unit for y in numbers) for part in parts]
    book = AbsoluteErrorReduction(numbers)(Partition((), everywhere, (unknown * unit, *[0] * 18)))
    assert decisive_score(AbsoluteErrorReduction(numbers), table) == book


@given(st.lists(st.lists(st.integers(-9, 9), max_size=5), min_size=2, max_size=3), st.integers(0, 3), st.booleans())
def test_the_variance_with_n_minus_1_in_whole_units(parts: list[list[int]], unknown: int, heavy: bool) -> None:
    """Of tenths. Where a row weighs three units, the book answers."""
    assume(any(parts))
    unit = 3 if heavy else 1
    rows = WholeRows(
        [(len(part), sum(part), sum(y * y for y in part)) for part in parts],
        (unit, Fraction(unit, 10), Fraction(unit, 100)),
        (unknown, 0, 0),
    )
    table, by_hand = Partition((), rows, (unknown * unit, 0, 0)), Fraction(0)
    for ys, sign in [([y for part in parts for y in part], 1), *((part, -1) for part in parts if part)]:
        middle, weight = Fraction(sum(ys), len(ys)), len(ys) * unit
        squares = sum([(y - middle) ** 2 for y in ys], Fraction(0))
        by_hand += sign * weight * unit * squares / (100 * (weight - 1 or 1))
    found = decisive_score(MEASURES["sample_variance_reduction"], table)
    assert found == by_hand / ((sum(map(len, parts)) + unknown) * unit)
    assert found == MEASURES["sample_variance_reduction"](Partition((), rows.rows, table.unknown))


def test_other_measures_are_what_they_are() -> None:
    table, _ = in_units([(2, 3, 5), (1, 5, 25)], (2, 1, 1), (0, 0, 0))
    measure: Callable[[Partition], Any] = lambda table: len(table.rows)  # noqa: E731
    assert decisive_score(measure, table) == 2


# What tells that two scores are equal without any arithmetic.

rows_of_cells = st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=4)


@given(rows_of_cells, rows_of_cells)
def test_partitions_of_one_mixture_gain_the_same(one: Rows, other: Rows) -> None:
    """Of one sample: the weighted impurities of the rows add up to the same."""
    if mixture(one) == mixture(other):
        mixed = [[row for row in table if any(row)] for table in (one, other)]
        for impurity in (entropy, gini):
            left, right = (sum(sum(row) * impurity(row) for row in table) for table in mixed)
            assert left == right


@given(rows_of_cells, st.randoms(use_true_random=False), st.sampled_from([1, Fraction(1, 3), Fraction(5, 2)]))
def test_a_mixture_depends_on_no_order_and_no_pure_row(rows: Rows, chance: Any, factor: Any) -> None:
    dealt = [tuple(chance.sample(row, len(row))) for row in chance.sample(rows, len(rows))]
    shuffled = [*dealt, (0, 7, 0), (0, 0, 0)]
    assert mixture(shuffled) == mixture(rows)
    scaled = [tuple(cell * factor for cell in row) for row in rows]
    assert mixture(scaled) == frozenset((kind, often * factor) for kind, often in mixture(rows))  # type: ignore[attr-defined]
    halves = [tuple(Fraction(cell, 2) for cell in row) for row in rows for _ in range(2)]
    assert mixture(halves) == mixture(rows)


def test_the_mixtures_of_a_teaching_example() -> None:
    """Tables that gain the same without sharing a mixture are left to exact arithmetic."""
    assert mixture([(1, 1), (2, 0)]) == mixture([(1, 1), (1, 0), (1, 0)])
    assert mixture([(0, 3), (3, 4)]) != mixture([(1, 6), (2, 1)])


@given(st.lists(st.one_of(st.integers(0, 2**70), strategies.weights), max_size=6))
def test_sums_of_terms(weights: list[Any]) -> None:
    low, high = terms_of(weights)
    with mpmath.workdps(oracles.DIGITS):
        exact = mpmath.fsum(real(w) * mpmath.log(real(w), 2) for w in weights if w) * 2**64
        assert low <= exact + mpmath.mpf(10) ** -100
        assert exact - mpmath.mpf(10) ** -100 <= high


def test_pairs_of_scores_with_the_same_signature() -> None:
    """The order of the classes, of the branches, and pure branches make no difference."""
    first = Partition((), ((3, 1), (0, 2)), (0, 0))
    for rows in (((0, 2), (3, 1)), ((3, 1), (0, 1), (0, 1))):
        assert enclosed("gain", first) == enclosed("gain", first._replace(rows=rows))
    assert all(a != b for a, b in combinations([enclosed("gain", t) for t in tables_of(2, (1, 2))][:2], 2))
