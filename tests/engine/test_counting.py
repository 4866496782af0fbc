"""Counting: what the engine leaves of the categorical attributes has every textbook winner in it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Missing, Multiway
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.engine.counting import promising_attributes
from reference_tree.engine.store import Store
from reference_tree.exact.choosing import best
from reference_tree.learners.id3 import ID3
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.multiway import multiway_candidate
from reference_tree.twins import by_the_book
from tests import oracles, strategies
from tests.engine.test_store import stored


def winners(sample: Any, attributes: Sequence[Attribute], minimum: Any = 0) -> list[str]:
    """The attributes of largest gain among those that may be asked, by exact arithmetic."""
    with by_the_book():
        found = [multiway_candidate(sample, attribute, ("gain",), minimum) for attribute in attributes]
        eligible = [candidate for candidate in found if candidate.barred is None]
        return [candidate.test.attribute for candidate in best(eligible, lambda candidate: candidate.score)]


def assert_none_is_lost(sample: Store, attributes: Sequence[Attribute], minimum: Any = 0) -> None:
    found = promising_attributes(sample, attributes, "gain", minimum)
    assert [attribute for attribute in attributes if attribute in found] == list(found)
    assert winners(sample, found, minimum) == winners(sample, attributes, minimum)
    fewer = promising_attributes(sample, attributes, "gain", minimum, ties=False)
    assert [attribute for attribute in found if attribute in fewer] == list(fewer)
    assert winners(sample, fewer, minimum)[:1] == winners(sample, attributes, minimum)[:1]


def chosen(table: Table, data: st.DataObject) -> list[Attribute]:
    return [attribute for attribute in table.schema.attributes if data.draw(st.booleans())]


@given(strategies.categorical_tables(), st.data(), st.sampled_from([0, 1, 2, 5]))
def test_rows_that_weigh_alike(table: Table, data: st.DataObject, minimum: int) -> None:
    for attributes in (table.schema.attributes, chosen(table, data)):
        assert_none_is_lost(stored(table), attributes, minimum)


@given(
    strategies.columns(classes=5),
    st.sampled_from([strategies.weights, st.integers(1, 10**30), st.sampled_from([0.1, 1.5]), st.just(Fraction(2, 3))]),
    st.data(),
    st.sampled_from([0, 1, Fraction(5, 2)]),
)
def test_rows_of_all_weights(columns: dict[str, list[Any]], weights: Any, data: st.DataObject, minimum: Any) -> None:
    size = len(columns["y"])
    columns = {**columns, "w": data.draw(st.lists(weights, min_size=size, max_size=size))}
    table = Table.from_columns(columns, target="y", weights="w", categorical=["*"])
    sample = stored(table)
    assert_none_is_lost(sample, table.schema.attributes, minimum)
    for part in sample.split(Multiway.on(table.schema.attributes[0])):
        assert_none_is_lost(part, table.schema.attributes, minimum)


@given(strategies.columns(rows=30, attributes=3, values=4), st.data())
def test_parts_of_rows_with_their_shares(columns: dict[str, list[Any]], data: st.DataObject) -> None:
    """Rows without an answer to one question are in every branch; all of them answer the others."""
    gaps = data.draw(st.lists(st.booleans(), min_size=len(columns["y"]), max_size=len(columns["y"])))
    columns = {"lost": [None if gap else "pq"[row % 2] for row, gap in enumerate(gaps)], **columns}
    table = Table.from_columns(columns, categorical=["*"])
    lost, *others = table.schema.attributes
    shares = Missing(tuple(Fraction(1, len(lost.domain)) for _ in lost.domain))
    for part in stored(table).split(Multiway.on(lost), shares):
        assert_none_is_lost(part, others)


def crosstab_winners(table: Table) -> list[str]:
    """The attributes of largest gain, from a count of the rows in dictionaries."""
    tables = {a.name: oracles.crosstab(table, a.name) for a in table.schema.attributes}
    gains = {name: information_gain(rows) for name, rows in tables.items() if sum(map(any, rows)) > 1}
    largest = max(gains.values(), default=0)
    return [name for name, gain in gains.items() if gain == largest]


@pytest.mark.one_in(1, 5)
@pytest.mark.parametrize("rows", [24, 60, 255, 256, 300])
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
    expected = crosstab_winners(table)
    assert len(expected) >= 2
    assert [w.test.attribute for w in ID3().decide(table.sample()).winners] == expected
    assert_none_is_lost(stored(table), table.schema.attributes)
    assert len(promising_attributes(stored(table), table.schema.attributes, "gain")) == len(expected)


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize(("rows", "values", "classes"), [(300, 300, 2), (400, 3, 300), (255, 200, 6)])
def test_a_thousand_cells(rows: int, values: int, classes: int) -> None:
    chance = random.Random(values)
    columns = {name: [f"v{chance.randrange(values)}" for _ in range(rows)] for name in "abc"}
    table = Table.from_columns({**columns, "y": [f"c{chance.randrange(classes)}" for _ in range(rows)]})
    assert_none_is_lost(stored(table), table.schema.attributes)


def test_a_tie_of_unlike_tables() -> None:
    """Ten rows, three of one class: (0, 3), (3, 4) opens as much as (1, 6), (2, 1). In floating point they differ."""
    table = Table.from_columns({"a": list("qqqpppqqqq"), "b": list("sttsssssst"), "y": list("kkklllllll")})
    names = [w.test.attribute for w in ID3().decide(table.sample()).winners]
    assert names == crosstab_winners(table) == ["a", "b"]
    assert_none_is_lost(stored(table), table.schema.attributes)


def test_questions_that_cannot_be_asked() -> None:
    """A constant is out of the question even where nothing gains more."""
    columns: dict[str, list[Any]] = {
        "constant": ["x"] * 4, "a": list("ppqq"), "b": list("stst"), "best": list("kllk"), "y": list("nyyn"),
    }  # fmt: skip
    table = Table.from_columns(columns)
    sample, every = stored(table), {a.name: a for a in table.schema.attributes}
    assert winners(sample, promising_attributes(sample, [*every.values()][:3], "gain")) == ["a", "b"]
    assert [a.name for a in promising_attributes(sample, [*every.values()], "gain")] == ["best"]
    assert winners(sample, promising_attributes(sample, [every["constant"]], "gain")) == []
    assert not promising_attributes(sample, [], "gain")
    larger = stored(Table.from_columns({name: 3 * cells for name, cells in columns.items() if name != "best"}))
    assert winners(larger, promising_attributes(larger, larger.schema.attributes, "gain", ties=False))[:1] == ["a"]


def test_what_the_engine_has_no_form_for_is_left_to_the_book() -> None:
    table = Table.from_columns({"a": list("ppqq"), "b": list("stst"), "y": list("nyyn")})
    assert promising_attributes(stored(table), table.schema.attributes, "ratio") == table.schema.attributes
    with by_the_book():
        sample = table.sample()
    assert promising_attributes(sample, table.schema.attributes, "gain") == table.schema.attributes


def test_a_branch_that_is_too_small_by_a_hair() -> None:
    """What cut weights do not tell is left open: the attribute is kept, and is no measure for the others."""
    hair = Fraction(1, 1 << 60)
    columns: dict[str, list[Any]] = {"a": list("ppqqqq"), "b": list("ststst"), "y": list("nnyyyy"), "w": [1 + hair] * 6}
    columns["w"][5] += hair
    sample = stored(Table.from_columns(columns, target="y", weights="w"))
    assert winners(sample, sample.schema.attributes, 2 + 3 * hair) == ["b"]
    assert_none_is_lost(sample, sample.schema.attributes, 2 + 3 * hair)


def test_of_pure_partitions_the_first_may_be_too_small() -> None:
    """Both leave one class in each branch; a branch of c is too small by a hair, and none of d."""
    hair = Fraction(1, 1 << 60)
    columns: dict[str, list[Any]] = {"c": list("ppqqrr"), "d": list("sstttt"), "y": list("nnyyyy"), "w": [1 + hair] * 6}
    columns["w"][2] -= 3 * hair
    sample = stored(Table.from_columns(columns, target="y", weights="w"))
    assert winners(sample, sample.schema.attributes, 2) == ["d"]
    assert_none_is_lost(sample, sample.schema.attributes, 2)


def test_weights_that_are_cut_do_not_mislead() -> None:
    """Cut to 15 places, 2047 is as much as 1025, and half of 2049: so it looks as if b left more open than a."""
    columns: dict[str, list[Any]] = {
        "a": list("ppqsq"), "b": list("qsppq"), "y": list("nynyn"), "w": [2047, 2047, 2049, 1025, 30_000 << 10]
    }  # fmt: skip
    table = Table.from_columns(columns, target="y", weights="w")
    assert winners(stored(table), table.schema.attributes) == ["b"]
    assert_none_is_lost(stored(table), table.schema.attributes)


def test_more_rows_than_two_bytes_can_count() -> None:
    rows = 1 << 16
    table = Table.from_columns({"a": ["p"] * rows, "b": ["s", *["t"] * (rows - 1)], "y": ["n", *["m"] * (rows - 1)]})
    assert [one.name for one in promising_attributes(stored(table), table.schema.attributes, "gain")] == ["b"]
