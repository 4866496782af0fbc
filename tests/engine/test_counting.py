"""Packed gains: held against exact entropies, question by question."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting import packed_gains
from reference_tree.splitting.multiway import best_by_gain
from reference_tree.splitting.packed_gains import FINE, PROVING, SLACK, LeftOpen, leading
from tests import oracles, strategies
from tests.oracles import Counted


def winners(table: Table, available: frozenset[str]) -> list[str]:
    """The attributes of largest gain among those with two branches, each computed exactly from a count of the rows."""
    tables = {name: oracles.crosstab(table, name) for name in (a.name for a in table.schema.attributes)}
    gains = {
        name: information_gain(rows) for name, rows in tables.items() if name in available and sum(map(any, rows)) > 1
    }
    largest = max(gains.values(), default=0)
    return [name for name, gain in gains.items() if gain == largest]


def assert_alike(table: Table, available: frozenset[str]) -> None:
    expected = winners(table, available)
    packed = table.sample().packed()
    assert packed is not None
    found, equal = leading(packed, available)
    names = [test.attribute for test in found]
    assert set(expected) <= set(names)
    if equal:
        assert names == expected
    slow: Sample = Counted(table)
    for sample in (table.sample(), slow):
        assert [c.test.attribute for c in best_by_gain(sample, available, 0)] == expected


@given(strategies.categorical_tables(), st.data())
def test_small_tables(table: Table, data: st.DataObject) -> None:
    names = [attribute.name for attribute in table.schema.attributes]
    assert_alike(table, frozenset(data.draw(st.sets(st.sampled_from(names)))))
    assert_alike(table, frozenset(names))


@pytest.mark.parametrize("rows", [24, 25, 26, 60, 255, 256, 300])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_larger_tables_with_twins(rows: int, classes: int) -> None:
    """Of each attribute there is one more with other names for its values: every winner has a rival."""
    chance = random.Random(rows * classes)
    labels = [f"c{row if row < classes else chance.randrange(classes)}" for row in range(rows)]
    columns: dict[str, list[str]] = {}
    for attribute in "abc":
        codes = [chance.randrange(4) for _ in range(rows)]
        columns[attribute] = [f"v{code}" for code in codes]
        columns[attribute + "2"] = [f"v{3 - code}" for code in codes]
    table = Table.from_columns({**columns, "y": labels})
    assert_alike(table, frozenset(columns))
    assert len(winners(table, frozenset(columns))) >= 2


def test_of_few_rows_estimates_tell_whether_two_sums_are_the_same() -> None:
    """Every table of two branches and two classes of up to ten rows against every other one of as many rows."""
    known = LeftOpen(2, 1)
    for n in range(2, 11):
        halves = [(a, b, c, n - a - b - c) for a, b, c in itertools.product(range(n + 1), repeat=3) if a + b + c <= n]
        exact: dict[object, int] = {}
        for cells in halves:
            estimate = known[bytes(cells)]
            sum_of = n * conditional_entropy([cells[:2], cells[2:]])
            assert abs(exact.setdefault(sum_of, estimate) - estimate) <= SLACK
        estimates = sorted(exact.values())
        assert all(above - below > 2 * SLACK for below, above in itertools.pairwise(estimates))


def test_a_tie_of_unlike_tables_is_proved() -> None:
    """Ten rows, three of one class: (0, 3), (3, 4) opens as much as (1, 6), (2, 1). In floating point they differ."""
    known = LeftOpen(2, 1)
    assert abs(known[bytes([0, 3, 3, 4])] - known[bytes([1, 6, 2, 1])]) <= SLACK


def test_the_numbers_of_the_proof() -> None:
    """Sums of so many rows that differ do so by more than estimates can be off, as integers say."""
    assert 1 << FINE > PROVING ** (2 * PROVING) * 2 * SLACK
    assert 1 << FINE < (PROVING + 1) ** (2 * (PROVING + 1)) * 2 * SLACK


def test_an_estimate_is_within_what_is_allowed() -> None:
    chance = random.Random(1)
    for _ in range(200):
        rows = [tuple(chance.randrange(20) for _ in range(3)) for _ in range(4)]
        sum_of = sum(map(sum, rows)) * conditional_entropy(rows)
        estimate = LeftOpen(3, 1)[bytes(itertools.chain(*rows))]
        assert sum_of * 2**FINE - 3 * 4 < estimate < sum_of * 2**FINE + 3 * 12


def test_what_is_remembered_is_forgotten_when_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_gains, "_REMEMBERED", 5 * 204)
    known = LeftOpen(2, 1)
    for n in range(20):
        assert known[bytes([n, 0, 0, n])] == 0
        assert len(known) <= 5


def test_questions_that_cannot_be_asked() -> None:
    """A constant, and an attribute that is used up, are out of the question even where nothing gains more."""
    table = Table.from_columns(
        {"constant": ["x"] * 4, "a": ["p", "p", "q", "q"], "b": ["s", "t", "s", "t"], "best": list("kllk"), "y": "nyyn"}
    )
    packed = table.sample().packed()
    assert packed is not None

    def led(*available: str) -> list[str]:
        return [test.attribute for test in leading(packed, frozenset(available))[0]]

    assert led("constant", "a", "b") == ["a", "b"]
    assert led("constant", "a", "b", "best") == ["best"]
    assert led("constant") == led() == []


@pytest.mark.parametrize("rows", [PROVING, PROVING + 1])
def test_of_more_rows_estimates_prove_nothing(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all estimates be too close to tell: then only so few rows are said to be equal, and more are computed."""
    monkeypatch.setattr(packed_gains, "SLACK", 1 << FINE + 20)
    chance = random.Random(3)
    columns = {name: [chance.choice("pqr") for _ in range(rows)] for name in "abc"}
    table = Table.from_columns({**columns, "y": [chance.choice("ny") for _ in range(rows)]})
    packed, available = table.sample().packed(), frozenset("abc")
    assert packed is not None
    found, equal = leading(packed, available)
    assert (len(found), equal) == (3, rows <= PROVING)
    if not equal:
        assert [c.test.attribute for c in best_by_gain(table.sample(), available, 0)] == winners(table, available)
