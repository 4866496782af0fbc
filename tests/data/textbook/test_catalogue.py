"""The catalogue, and that every table is what it says."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import reference_tree.data.textbook as package
from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers import read
from reference_tree.data.textbook import IN_ENGLISH, DataSet, describe, is_textbook, names, textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from tests.data.textbook.by_hand import rows_of
from tests.every import of_every

FOLDER = Path(package.__file__).parent
CONTRACT = [
    "play-tennis",
    "golf",
    "watermelon-2.0",
    "watermelon-2.0-train",
    "watermelon-2.0-validation",
    "watermelon-2.0a",
    "watermelon-3.0",
    "watermelon-3.0a",
    "loan",
    "cats",
    "li-hang-5.2",
    "li-hang-8.1",
    "li-hang-8.2",
    "contact-lenses",
    "iris",
]
EXAMPLES = [
    "play-tennis-id",
    "watermelon-2.0-id",
    "loan-id",
    "cats-id",
    "cats-categorical",
    "cats-regression",
    "cats-changed",
    "visitor",
    "item-id",
    "three-and-three",
]


def test_the_names_of_the_contract_and_the_examples_are_there() -> None:
    assert set(names()) == {*CONTRACT, *EXAMPLES}
    assert len(names()) == len(set(names()))


@of_every(list(names()))
def test_every_data_set_is_described(name: str) -> None:
    data_set = describe(name)
    assert isinstance(data_set, DataSet)
    assert data_set.name == name
    assert data_set.title
    assert data_set.provenance.endswith(".")
    assert data_set.used_for.endswith(".")
    assert data_set.sources
    assert data_set.notes == "" or data_set.notes.endswith(".")
    for text in (data_set.title, data_set.provenance, data_set.used_for, data_set.notes):
        assert text == " ".join(text.split())


@of_every(list(names()))
def test_every_table_is_as_described(name: str) -> None:
    table, data_set = textbook(name), describe(name)
    assert table.name == name
    assert table.left_out == 0
    assert table.schema.target.name == data_set.target
    columns = [attribute.name for attribute in table.schema.attributes]
    if data_set.columns:
        assert columns == [column for column in data_set.columns if column != data_set.target]


NUMBERS = {10: "ten", 13: "thirteen"}


@pytest.mark.parametrize("name", [name for name in names() if "missing" in describe(name).provenance])
def test_as_many_values_are_missing_as_is_said(name: str) -> None:
    missing = sum(cell is None for row in rows_of(name) for cell in row.values())
    assert f"with {NUMBERS.get(missing, missing)} values missing" in describe(name).provenance


@of_every(list(names()))
def test_every_chinese_word_has_an_english_one(name: str) -> None:
    table = textbook(name)
    attributes = (*table.schema.attributes, table.schema.target)
    words = {word for attribute in attributes for word in (attribute.name, *(attribute.values or ()))}
    assert {word for word in words if not word.isascii()} <= describe(name).glossary.keys()


@of_every([name for name in names() if describe(name).glossary])
def test_a_twin_in_english_has_the_same_rows_and_decisions(name: str) -> None:
    table, twin, words = textbook(name), textbook(f"{name}{IN_ENGLISH}"), describe(name).glossary
    assert len(set(words.values())) == len(words), "two words have one English one"
    translated = [
        {words.get(key, key): words.get(str(cell), cell) for key, cell in row.items()} for row in table.rows()
    ]
    assert translated == list(twin.rows())
    attributes = (*twin.schema.attributes, twin.schema.target)
    assert all(text.isascii() for one in attributes for text in (one.name, *(one.values or ())))
    assert twin.schema.target.name == describe(twin.name).target
    for learner in (CART(), CART(branching="multiway"), C45.like("zhou")):
        pairs = zip(learner.grow(table).nodes, learner.grow(twin).nodes, strict=True)
        assert all((one.counts, one.branches) == (other.counts, other.branches) for one, other in pairs)


def test_a_twin_is_asked_in_its_own_words() -> None:
    assert textbook("watermelon-2.0-id-en", categorical=["number"]) == textbook("watermelon-2.0-id-en")
    with pytest.raises(InputError, match="salary"):
        textbook("loan-en", categorical=["salary"])
    for name in ("golf-en", "-en", "loan-en-en"):
        assert not is_textbook(name)
        with pytest.raises(InputError, match="there is no textbook data set"):
            textbook(name)


@of_every([name for name in names() if not describe(name).rows and not describe(name).changes])
def test_the_file_itself_reads_the_same(name: str) -> None:
    data_set, table = describe(name), textbook(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # some number their rows
        read_back = read(FOLDER / data_set.file, data_set.target, categorical=data_set.categorical)
    attributes = {attribute.name: attribute for attribute in read_back.schema.attributes}
    assert all(attributes[attribute.name] == attribute for attribute in table.schema.attributes)
    assert all(read_back.columns[column] == cells for column, cells in table.columns.items())


@of_every(sorted(FOLDER.glob("*.csv")))
def test_the_files_have_one_form(file: Path) -> None:
    content = file.read_bytes()
    assert b"\r" not in content
    assert not content.startswith(b"\xef\xbb\xbf")
    assert content.endswith(b"\n")
    assert all(line == ",".join(cell.strip() for cell in line.split(",")) for line in content.decode().splitlines())
    assert file.name in {describe(name).file for name in names()}


@of_every(["编号", "ID", "id"])
def test_a_numbered_file_numbers_its_rows(column: str) -> None:
    found = [name for name in names() if column in describe(name).columns]
    assert found
    for name in found:
        assert [row[column] for row in rows_of(name)] == [str(place) for place in range(1, len(textbook(name)) + 1)]


@pytest.mark.parametrize("ask", [textbook, describe])
def test_an_unknown_name_is_answered_with_the_known_ones(ask: Callable[[str], object]) -> None:
    with pytest.raises(
        InputError, match=r"'play-tenis' \(did you mean play-tennis\?\); there are play-tennis, play-tennis-id"
    ):
        ask("play-tenis")
