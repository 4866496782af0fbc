"""Tables from columns and rows in Python, and what is wrong with them."""

from __future__ import annotations

import gc
import sqlite3
import tracemalloc
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table, binned, has_more_numbers, is_in_memory, is_read_in_part
from reference_tree.data.textbook import textbook
from tests import strategies
from tests.every import of_every
from tests.stores.databases import stored

WEATHER: dict[str, list[object]] = {
    "outlook": ["sunny", "rainy", None, "sunny"],
    "humidity": [70, 77.5, "80", None],
    "play": ["yes", "no", "yes", None],
}


@pytest.mark.covers("N1 §1.2 eq. (3)")
@pytest.mark.covers("N2 §2.1 step 1")
def test_columns_are_typed_and_the_last_is_the_target() -> None:
    table = Table.from_columns(WEATHER)
    assert table.schema.attributes == (Attribute("outlook", ("rainy", "sunny")), Attribute("humidity"))
    assert table.schema.target == Attribute("play", ("no", "yes"))
    assert table.schema.numbers == {"humidity": (70, Fraction(155, 2), 80)}


def test_a_row_without_its_target_is_left_out_and_counted() -> None:
    table = Table.from_columns(WEATHER)
    assert (len(table), table.left_out) == (3, 1)
    assert table.columns == {"outlook": [1, 0, None], "humidity": [70, Fraction(155, 2), 80], "play": [1, 0, 1]}


@pytest.mark.covers("N1 §1.2 eq. (1)", "N1 §1.2 eq. (2)")
def test_rows_are_given_back_as_they_came() -> None:
    rows = list(Table.from_columns(WEATHER).rows())
    assert rows[2] == {"outlook": None, "humidity": 80, "play": "yes"}
    assert list(Table.from_rows(rows).rows()) == rows


def test_a_key_that_a_row_lacks_is_missing() -> None:
    table = Table.from_rows([{"a": "x", "y": "1"}, {"b": "z", "y": "2"}], target="y")
    assert list(table.rows()) == [{"a": "x", "b": None, "y": 1}, {"a": None, "b": "z", "y": 2}]


def test_any_column_can_be_the_target() -> None:
    table = Table.from_columns(WEATHER, target="outlook")
    assert [attribute.name for attribute in table.schema.attributes] == ["humidity", "play"]
    assert table.schema.target.name == "outlook"
    assert table.left_out == 1


def test_a_column_of_weights_is_no_attribute() -> None:
    table = Table.from_columns({**WEATHER, "n": [2, Fraction(1, 3), "0.5", 1]}, weights="n")
    assert [attribute.name for attribute in table.schema.attributes] == ["outlook", "humidity"]
    assert table.schema.target.name == "play"
    assert table.weighted() == [2, Fraction(1, 3), Fraction(1, 2)]


def test_without_weights_every_row_weighs_one() -> None:
    assert Table.from_columns(WEATHER).weighted() == [1, 1, 1]


def test_types_can_be_set() -> None:
    columns = {"a": ["1", "2"], "b": ["1/2", "3"], "y": ["0", "1"]}
    table = Table.from_columns(columns, categorical=["a"], continuous=["b"])
    assert [attribute.kind for attribute in table.schema.attributes] == ["categorical", "continuous"]
    everything = Table.from_columns(columns, categorical="*")
    assert {a.kind for a in (*everything.schema.attributes, everything.schema.target)} == {"categorical"}


def test_a_table_may_have_no_attribute() -> None:
    table = Table.from_columns({"animal": ["cat", "dog"]})
    assert table.schema.attributes == ()
    assert table.sample().total() == (1, 1)


def test_the_root_sample_counts_the_weights() -> None:
    weighted = Table.from_columns({**WEATHER, "n": [2, Fraction(1, 3), "0.5", 1]}, weights="n")
    assert weighted.sample().total() == (Fraction(1, 3), Fraction(5, 2))


def test_an_attribute_can_be_left_out() -> None:
    table = Table.from_columns(WEATHER).without(["outlook"])
    assert [attribute.name for attribute in table.schema.attributes] == ["humidity"]
    assert list(table.columns) == ["humidity", "play"]
    with pytest.raises(InputError, match="there is no attribute 'wind'"):
        table.without(["wind"])
    with pytest.raises(InputError, match="play is the target"):
        table.without(["play"])


def test_nothing_is_left_of_a_continuous_attribute_that_is_left_out() -> None:
    table = Table.from_columns({"size": [1, 2, 3, 4], **WEATHER}).without(["humidity"])
    assert set(table.schema.numbers) == {"size"}
    assert table.sample().total() == table.without(["size"]).sample().total()


@given(st.permutations(range(4)))
def test_the_schema_does_not_depend_on_the_order_of_rows(order: list[int]) -> None:
    shuffled = {name: [cells[row] for row in order] for name, cells in WEATHER.items()}
    assert Table.from_columns(shuffled).schema == Table.from_columns(WEATHER).schema
    assert Table.from_columns(shuffled).schema.numbers == Table.from_columns(WEATHER).schema.numbers


@of_every(
    [
        (lambda: Table.from_columns({}), "there are no rows; at least one is needed"),
        (lambda: Table.from_rows([]), "there are no rows; at least one is needed"),
        (lambda: Table.from_columns({"a": [], "y": []}), "there are no rows; at least one is needed"),
        (lambda: Table.from_columns({"a": [1, 2], "y": [1]}), "column y: has 1 cells where a has 2"),
        (lambda: Table.from_columns(WEATHER, "wind"), "there is no column 'wind'; there are outlook, humidity, play"),
        (lambda: Table.from_columns(WEATHER, weights="n"), "there is no column 'n'; there are outlook, humidity, play"),
        (lambda: Table.from_columns(WEATHER, categorical=["z", "a"]), "there is no column 'z'"),
        (lambda: Table.from_columns({"y": ["1"]}, weights="y"), "cannot be the target and the weight at once"),
        (lambda: Table.from_columns(WEATHER, "play", weights="play"), "cannot be the target and the weight at once"),
        (lambda: Table.from_columns({"a": [1], "y": [None]}), "column y: the target is missing in every row"),
        (
            lambda: Table.from_columns({"a": [1, float("inf")], "y": [1, 2]}),
            "column a: row 2: inf is not a finite number",
        ),
        (lambda: Table.from_columns({"a": [1, "inf"], "y": [1, 2]}), "column a: row 2: inf is not a finite number"),
        (
            lambda: Table.from_columns({"n": [1, 0], "y": [1, 2]}, weights="n"),
            "column n: row 2: a weight is a positive",
        ),
        (
            lambda: Table.from_columns({"n": [1, -2], "y": [1, 2]}, weights="n"),
            "column n: row 2: a weight is a positive",
        ),
        (
            lambda: Table.from_columns({"n": [None, 1], "y": [1, 2]}, weights="n"),
            "column n: row 1: a weight is a positive",
        ),
        (lambda: Table.from_columns({"n": ["x"], "y": [1]}, weights="n"), "column n: row 1: 'x' is not a number"),
    ]
)
def test_bad_input_is_one_line(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        make()
    assert message in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_a_fault_after_a_row_that_was_left_out_names_the_row_as_it_was_given() -> None:
    with pytest.raises(InputError, match="row 3"):
        Table.from_columns({"n": [1, 1, 0], "y": ["a", None, "b"]}, weights="n")


@given(strategies.mixed_tables())
def test_another_column_can_be_predicted(table: Table) -> None:
    """The rows that have it, with all their values and weights; and back again, if none was left out."""
    for attribute in table.schema.attributes:
        cells = [row[attribute.name] for row in table.rows()]
        if not any(cell is not None for cell in cells):
            with pytest.raises(InputError, match="the target is missing in every row"):
                table.predicting(attribute.name)
            continue
        other = table.predicting(attribute.name)
        assert other.schema.target == attribute
        assert {a.name for a in other.schema.attributes} | {attribute.name} == set(table.columns)
        pairs = [
            (row, weight)
            for row, weight in zip(table.rows(), table.weighted(), strict=True)
            if row[attribute.name] is not None
        ]
        assert list(zip(other.rows(), other.weighted(), strict=True)) == pairs
        assert other.left_out == table.left_out + len(table) - len(pairs)
        if None not in cells:
            assert other.predicting(table.schema.target.name) == table


def test_a_column_that_is_not_there_cannot_be_predicted() -> None:
    table = Table.from_columns({"a": ["x"], "y": ["n"]})
    assert table.predicting("y") == table
    with pytest.raises(InputError, match="there is no attribute 'z'"):
        table.predicting("z")


@of_every(
    [
        ({"a": ["x", "\ud800"], "y": ["p", "q"]}, "a"),
        ({"a": ["x", "z"], "y": ["p", "q\udfff"]}, "y"),
        ({"a\udc00": [1, 2], "y": ["p", "q"]}, r"a\udc00"),
    ]
)
def test_half_of_a_surrogate_pair_is_refused_at_the_door(columns: dict[str, list[object]], column: str) -> None:
    """No file can hold it, so that a tree with it would have no document."""
    with pytest.raises(InputError) as refused:
        Table.from_columns(columns)
    assert str(refused.value).startswith(f"column {column}: ")
    assert str(refused.value).endswith("is no text: it holds half of a surrogate pair")
    assert str(refused.value).isascii()
    assert "\n" not in str(refused.value)


def test_a_character_beyond_the_first_plane_is_text() -> None:
    assert Table.from_columns({"a": ["🌳", "x"], "y": ["p", "q"]}).schema.attributes[0].values == ("x", "🌳")


@given(strategies.mixed_tables())
def test_codes_are_places_among_the_values(table: Table) -> None:
    """Whether the columns are what was read, or lists."""
    lists = Table(table.name, table.schema, {name: list(cells) for name, cells in table.columns.items()}, table.weights)
    assert lists == table
    for attribute in (*table.schema.attributes, table.schema.target):
        values = table.schema.numbers[attribute.name] if attribute.values is None else attribute.values
        rows = [row[attribute.name] for row in table.rows()]
        codes = list(table.codes(attribute.name))
        assert codes == list(lists.codes(attribute.name))
        assert rows == [values[code] if code < len(values) else None for code in codes]


@given(strategies.mixed_tables(), st.data())
def test_some_rows_are_a_table(table: Table, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(table) - 1), min_size=1))
    lists = Table(table.name, table.schema, {name: list(cells) for name, cells in table.columns.items()}, table.weights)
    rows, weights = list(table.rows()), table.weighted()
    for taken in (table.take(chosen), lists.take(chosen)):
        assert list(taken.rows()) == [rows[row] for row in chosen]
        assert list(taken.weighted()) == [weights[row] for row in chosen]
        for name, numbers in taken.schema.numbers.items():
            assert list(numbers) == sorted({rows[row][name] for row in chosen} - {None})  # type: ignore[type-var]


def test_a_column_that_is_not_there_has_no_codes() -> None:
    with pytest.raises(InputError, match="there is no attribute 'z'"):
        Table.from_columns({"a": ["x"], "y": ["n"]}).codes("z")


def test_a_table_is_shown_in_a_line() -> None:
    assert repr(Table.from_columns({"x": [1, 2], "y": ["n", "y"]}, name="t")) == "<Table t: 2 rows; x → y>"
    wide = Table.from_columns({**{f"x{place}": [1] for place in range(40)}, "y": ["n"]})
    assert repr(wide).endswith("x10, x11 and 28 more → y>")


def test_floats_and_gaps_mean_the_same_in_rows_columns_and_frames() -> None:
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    sizes = [43.35, float("nan"), 0.1, 7]
    columns = {"size": sizes, "y": [*"abab"]}
    rows = [{"size": size, "y": label} for size, label in zip(*columns.values(), strict=True)]
    base = sqlite3.connect(":memory:")
    base.row_factory = sqlite3.Row
    base.execute("create table t (size real, y text)")
    base.executemany("insert into t values (:size, :y)", [{**row, "size": _null(row["size"])} for row in rows])
    tables = [
        Table.from_columns(columns),
        Table.from_rows(rows),
        Table.from_rows(base.execute("select * from t")),
        Table.from_frame(pandas.DataFrame(columns)),
        Table.from_columns({**columns, "size": numpy.array(sizes)}),
        Table.from_columns({**columns, "size": numpy.array(sizes, "float32")}),
        Table.from_columns({**columns, "size": [*map(numpy.float64, sizes)]}),
        Table.from_columns({**columns, "size": [Decimal("43.35"), Decimal("NaN"), Fraction(1, 10), numpy.int8(7)]}),
        Table.from_columns({**columns, "size": ["43.35", None, 0.1, "7"]}),
    ]
    base.close()
    for table in tables:
        assert list(table.columns["size"]) == [Fraction(867, 20), None, Fraction(1, 10), 7]
        assert table.schema.attribute("size").held == "written"
    exact = [Table.from_columns(columns, numbers="exact"), Table.from_rows(rows, numbers="exact")]
    for table in exact:
        assert list(table.columns["size"]) == [Fraction(43.35), None, Fraction(0.1), 7]
        assert table.schema.attribute("size").held == "exact"
    with pytest.raises(InputError, match="numbers is 'written' or 'exact', not 'double'"):
        Table.from_columns(columns, numbers="double")  # type: ignore[arg-type]


def _null(number: float) -> float | None:
    return None if number != number else number


def test_a_table_is_indexed_by_column_by_row_and_by_slice() -> None:
    table = Table.from_columns({"x": [5, None, 9], "y": ["no", "yes", "no"]}, target="y")
    assert (table["x"], table[1]) == ([5, None, 9], {"x": None, "y": "yes"})
    assert [list(part.rows()) for part in (table[1:], table.head(1))] == [
        list(table.rows())[1:],
        list(table.rows())[:1],
    ]
    assert [table[number] for number in range(len(table))] == list(table.rows())
    with pytest.raises(InputError, match="no column"):
        table["z"]
    with pytest.raises(IndexError):
        table[3]


def test_a_column_of_three_rows_costs_half_a_kilobyte() -> None:
    columns: dict[str, Sequence[object]] = {f"x{place}": [1.5, 2.5, place + 0.5] for place in range(2000)}
    columns["y"] = ["a", "b", "a"]
    Table.from_columns(columns, "y")
    gc.disable()  # nothing waits for a collection, either
    tracemalloc.start()
    try:
        table = Table.from_columns(columns, "y")
        kept, most = (size / len(table.columns) for size in tracemalloc.get_traced_memory())
    finally:
        tracemalloc.stop()
        gc.enable()
    assert kept < 650
    assert most < 1600


# What an audit asks of any store.


def test_a_store_says_itself_what_it_has_read() -> None:
    golf = textbook("golf")
    there = stored(golf)
    assert (is_in_memory(golf), is_in_memory(there)) == (True, False)
    assert not is_read_in_part(golf)
    assert not is_read_in_part(there)
    name = next(one.name for one in golf.schema.attributes if one.values is None)
    different = len(golf.schema.numbers[name])
    for most in (different - 1, different):
        assert has_more_numbers(golf, name, most) == has_more_numbers(there, name, most) == (different > most)


def test_bins_are_the_same_in_every_store() -> None:
    golf = textbook("golf").rounded("double")
    name = next(one.name for one in golf.schema.attributes if one.values is None)
    bins = {name: [(72.0, 70.0), (80.0, 75.0), (90.0, 90.0)]}
    found = binned(golf, bins).sample().ordered(name)
    assert found == binned(stored(textbook("golf")).rounded("double"), bins).sample().ordered(name)
    below = sum(cell <= 72 for cell in golf.columns[name] if cell is not None)
    assert sum(map(sum, found.rows[:1])) == below
