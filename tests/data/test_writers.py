"""Writers: what is written reads back as the same table, whatever stands in it."""

from __future__ import annotations

import csv
import io
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers import read
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table, assemble
from reference_tree.data.textbook import names, textbook
from reference_tree.data.writers import (
    ABSENT,
    WRITERS,
    Undeclared,
    csv_text,
    to_arff,
    to_csv,
    undeclared,
    weight_column,
)
from tests import strategies
from tests.every import of_every
from tests.strategies import fractions

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
AWKWARD = ["?", "", "NA", "1", "1e3", "nan", " a ", "a\tb", 'say "no"', "a,b", "\\", "'", "%", "{", "\ufeff"]
awkward = st.one_of(texts, st.sampled_from(AWKWARD))
settle = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def columns(table: Table) -> tuple[Attribute, ...]:
    return (*table.schema.attributes, table.schema.target)


def same(table: Table, other: Table) -> bool:
    """Whether two tables are one: kinds, order of values, cells, weights, numbers."""
    return (
        table.schema == other.schema
        and dict(table.schema.numbers) == dict(other.schema.numbers)
        and list(table.rows()) == list(other.rows())
        and list(table.weighted()) == list(other.weighted())
    )


def read_back(table: Table, folder: Path, suffix: str) -> Table:
    file = folder / f"table.{suffix}"
    file.write_text(WRITERS[suffix](table), encoding="utf-8", newline="\n")
    if suffix == "arff":
        return read(file)
    kinds = undeclared(table)
    weights = None if table.weights is None else weight_column(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # some columns number the rows, or name them
        return read(file, weights=weights, categorical=kinds.categorical, continuous=kinds.continuous)


@st.composite
def tables(draw: st.DrawFn, cells: st.SearchStrategy[str] = awkward) -> Table:
    """Tables with declared domains in any order, more values than rows have, names of all kinds, and weights."""
    size = draw(st.integers(1, 5))
    titles = draw(st.lists(cells.filter(lambda text: text.strip()), min_size=2, max_size=4, unique=True))
    raw = []
    for place, title in enumerate(titles):
        missing = [] if place == len(titles) - 1 else [st.none()]
        if draw(st.booleans()):
            numbers = st.one_of(*missing, fractions(-3, 3, max_denominator=12))
            raw.append(Column(title, draw(st.lists(numbers, min_size=size, max_size=size)), Attribute(title)))
            continue
        domain = draw(st.lists(cells, min_size=1, max_size=4, unique=True))
        values: Any = st.one_of(*missing, st.sampled_from(domain))
        column = draw(st.lists(values, min_size=size, max_size=size))
        raw.append(Column(title, column, Attribute(title, tuple(domain))))
    weights = draw(st.sampled_from([None, "how much"]))
    if weights in titles:
        weights = None
    if weights:
        raw.append(Column(weights, draw(st.lists(strategies.weights, min_size=size, max_size=size))))
    return assemble(raw, titles[-1], weights, (), (), "table", Origin())


@settle
@given(tables())
def test_an_arff_file_is_the_same_table(tmp_path: Path, table: Table) -> None:
    assert same(read_back(table, tmp_path, "arff"), table)


@settle
@given(tables())
def test_a_csv_file_is_the_same_table_but_for_what_is_said_to_be_lost(tmp_path: Path, table: Table) -> None:
    spelled = {text for column in columns(table) for text in (column.name, *(column.values or ()))}
    unwritable = {value for column in columns(table) for value in column.values or ()} & {"?", "", "NA"}
    if unwritable or any("\r" in text or "\0" in text for text in spelled):
        with pytest.raises(InputError):
            to_csv(table)
        return
    back = read_back(table, tmp_path, "csv")
    assert list(back.rows()) == list(table.rows())
    assert list(back.weighted()) == list(table.weighted())
    lost = set(undeclared(table).values)
    for ours, theirs in zip(columns(table), columns(back), strict=True):
        assert (ours != theirs) == (ours.name in lost)


@pytest.mark.parametrize("suffix", ["arff", "csv", "tsv"])
def test_every_awkward_value_reads_back(tmp_path: Path, suffix: str) -> None:
    values = [value for value in AWKWARD if suffix == "arff" or value not in ("?", "", "NA")]
    table = Table.from_columns({"x": [*values, None], "y": [*values, "b"]}, categorical=["*"])
    assert same(read_back(table, tmp_path, suffix), table)


@pytest.mark.parametrize("name", names())
def test_every_textbook_table_is_the_same_in_both_forms(tmp_path: Path, name: str) -> None:
    table = textbook(name)
    assert same(read_back(table, tmp_path, "arff"), table)
    assert same(read_back(table, tmp_path, "csv"), table)
    assert not undeclared(table).values


@given(tables(st.text("ab,\"' \n", min_size=1, max_size=4)))
def test_another_reader_of_csv_sees_the_same_cells(table: Table) -> None:
    header, *rows = csv.reader(io.StringIO(to_csv(table), newline=""))
    there = columns(table)
    assert header[-len(there) :] == [attribute.name for attribute in there]
    for row, cells in zip(table.rows(), rows, strict=True):
        for attribute, cell in zip(there, cells[-len(there) :], strict=True):
            known = row[attribute.name]
            assert (None if cell == ABSENT else Fraction(cell) if attribute.values is None else cell) == known


def test_what_no_csv_file_says() -> None:
    found = [
        Column("size", ["S", "L"], Attribute("size", ("S", "M", "L"))),
        Column("zip", ["10", "9"], Attribute("zip", ("10", "9"))),
        Column("share", [Fraction(1, 3), 1], Attribute("share")),
        Column("y", ["no", "yes"], Attribute("y", ("no", "yes"))),
    ]
    table = assemble(found, None, None, (), (), "table", Origin())
    assert undeclared(table) == Undeclared(("zip",), ("share",), ("size",))


def test_commas_in_values_may_be_taken_for_those_of_decimals() -> None:
    table = Table.from_columns({"size": ["1,5", "2,5"], "y": ["no", "yes"]})
    assert [undeclared(table, sign).categorical for sign in (",", "\t")] == [(), ("size",)]


@of_every(["?", "", "NA", "a\rb", "a\0b"])
def test_a_value_that_a_csv_file_cannot_hold_is_refused(value: str) -> None:
    with pytest.raises(InputError, match=r"column x: .*\.arff"):
        to_csv(Table.from_columns({"x": [value, "b"], "y": ["no", "yes"]}))


def test_a_column_without_any_value_has_no_domain_to_declare() -> None:
    with pytest.raises(InputError, match=r"column x: .*leave it out"):
        to_arff(Table.from_columns({"x": [None, None], "y": ["no", "yes"]}))


def test_a_field_is_quoted_only_where_it_must_be() -> None:
    assert csv_text(["a", "b"], [["x,y", 'he said "no"'], ["", "line\nend"], [" ", "a b"]]) == (
        'a,b\n"x,y","he said ""no"""\n,"line\nend"\n" ",a b\n'
    )
