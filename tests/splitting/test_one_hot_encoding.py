"""One-hot encoding: what it asks is one value against the rest, and so the tree changes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.splitting.binary_subsets import one_vs_rest
from reference_tree.splitting.one_hot_encoding import indicator, one_hot
from reference_tree.tree import Tree
from tests import strategies

EARS = Table.from_columns(
    {"id": [1, 2, 3, 4], "ear": ["pointy", "oval", "floppy", None], "cat": ["yes", "no", "no", "yes"]}
)


def binary(table: Table, name: str) -> Sequence[tuple[object, ...]]:
    return table.sample().partition(Multiway.on(table.schema.attribute(name))).rows


def mistakes(tree: Tree) -> int:
    return sum(sum(node.counts) - max(node.counts, default=0) for node in tree.nodes if node.test is None)  # type: ignore[misc]


@pytest.mark.covers("N4 One-hot encoding: ear shape", "N4 figure: one-hot")
def test_n4s_ears() -> None:
    table = one_hot(EARS)
    assert [a.name for a in table.schema.attributes] == ["id", "ear=floppy", "ear=oval", "ear=pointy"]
    assert {a.values for a in table.schema.attributes[1:]} == {("0", "1")}
    ears = [[row[f"ear={shape}"] for shape in ("pointy", "floppy", "oval")] for row in table.rows()]
    assert ears == [["1", "0", "0"], ["0", "0", "1"], ["0", "1", "0"], [None] * 3]
    assert [row["id"] for row in table.rows()] == [1, 2, 3, 4]
    assert EARS.schema.attribute("ear").values == ("floppy", "oval", "pointy")


@pytest.mark.covers("N4 One-hot encoding: k features")
@given(strategies.mixed_tables())
def test_in_each_row_that_answers_one_is_hot(table: Table) -> None:
    for old, new in zip(table.rows(), one_hot(table).rows(), strict=True):
        names = [indicator("colour", value) for value in table.schema.attribute("colour").domain]
        if old["colour"] is None:
            assert all(new[name] is None for name in names)
        else:
            assert [name for name in names if new[name] == "1"] == [f"colour={old['colour']}"]
            assert [new[name] for name in names].count("0") == len(names) - 1
        assert {name: old[name] for name in ("size", "class")} == {name: new[name] for name in ("size", "class")}


@given(strategies.mixed_tables())
def test_each_new_attribute_asks_for_one_value_against_the_rest(table: Table) -> None:
    attribute, encoded = table.schema.attribute("colour"), one_hot(table)
    if len(attribute.domain) > 2:  # of two values, one against the rest is asked once
        for test, partition in one_vs_rest("colour", table.sample().partition(Multiway.on(attribute))):
            assert binary(encoded, indicator("colour", test.values[0])) == partition.rows[::-1]


@given(strategies.categorical_tables(rows=20, values=4))
def test_the_grown_tree_makes_as_many_mistakes(table: Table) -> None:
    """Both part what can be parted; how many rows then stand with others of equal values is in the data."""
    encoded = one_hot(table)
    tree = ID3().grow(encoded)
    tree.check(encoded)
    assert mistakes(tree) == mistakes(ID3().grow(table))
    assert all(len(node.branches) in (0, 2) for node in tree.nodes)


@pytest.mark.covers("N4 One-hot encoding: more than two values")
@pytest.mark.parametrize(
    ("name", "multiway", "binary"), [("play-tennis", (8, 5), (13, 7)), ("watermelon-2.0", (14, 9), (13, 7))]
)
def test_it_changes_the_tree(name: str, multiway: tuple[int, int], binary: tuple[int, int]) -> None:
    """Nodes and leaves: there are trees that get larger, and some that get smaller."""
    table = textbook(name)
    found = [ID3().grow(one) for one in (table, one_hot(table))]
    assert [(len(tree.nodes), sum(node.test is None for node in tree.nodes)) for tree in found] == [multiway, binary]


def test_an_encoded_attribute_can_be_asked_again_about_another_value() -> None:
    tree = ID3().grow(one_hot(textbook("play-tennis")))
    asked = {node.test.attribute for node in tree.nodes if node.test}
    assert {"outlook=overcast", "outlook=rainy"} <= asked


def test_only_the_named_attributes_are_encoded() -> None:
    table = one_hot(textbook("play-tennis"), ["outlook"])
    assert [a.name for a in table.schema.attributes] == [
        "outlook=overcast", "outlook=rainy", "outlook=sunny", "temperature", "humidity", "wind",
    ]  # fmt: skip
    assert one_hot(textbook("play-tennis"), []).schema == textbook("play-tennis").schema


def test_what_cannot_be_encoded_is_refused() -> None:
    with pytest.raises(InputError, match="play is the target"):
        one_hot(textbook("golf"), ["play"])
    with pytest.raises(InputError, match="humidity is continuous"):
        one_hot(textbook("golf"), ["humidity"])
    with pytest.raises(InputError, match="there is no attribute 'pressure'"):
        one_hot(textbook("golf"), ["pressure"])


@pytest.mark.parametrize("taken", ["ear=pointy", "cat"])
def test_a_name_that_is_taken_is_refused(taken: str) -> None:
    columns = {"ear": ["pointy", "oval"], taken: ["a", "b"], "ear=oval" if taken == "cat" else "cat": ["yes", "no"]}
    with pytest.raises(InputError, match=r"the encoding needs the name 'ear=\w+', which is taken"):
        one_hot(Table.from_columns(columns), ["ear"])
