"""The default side: questions and tables written out row by row."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.sample import Partition
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.splitting.default_side import LEFT, RIGHT, sent, splits

cells = st.lists(st.one_of(st.integers(0, 4), st.none()), min_size=1, max_size=9)


@given(cells, st.data())
def test_every_way_to_part_the_rows_is_asked_once(values: list[int | None], data: st.DataObject) -> None:
    labels = data.draw(st.lists(st.sampled_from("ab"), min_size=len(values), max_size=len(values)))
    table = Table.from_columns({"x": values, "y": labels}, continuous=["x"], categorical=["y"])
    found: set[Any] = set()
    for test, partition in splits(table.sample(), Attribute("x")):
        for side in (LEFT, RIGHT):
            taken = [test.branch({"x": value}) for value in values]
            sides = [side if branch is None else branch for branch in taken]
            rows = [
                tuple(
                    sum(1 for s, y in zip(sides, labels, strict=True) if (s, y) == (one, label))
                    for label in sorted({*labels})
                )
                for one in (LEFT, RIGHT)
            ]
            assert list(sent(partition, side).rows) == rows
            if len({*sides}) == 2:
                found.add(tuple(sides) if sides[0] == LEFT else tuple(1 - each for each in sides))
    distinct = sorted({value for value in values if value is not None})
    gaps = None in values
    # A cut for each gap between values, with the missing ones on either side; and whether there is a value.
    assert len(found) == (len(distinct) - 1) * (1 + gaps) + gaps if distinct else not found


def test_a_category_is_asked_against_all_others() -> None:
    table = Table.from_columns({"c": ["r", "g", None, "b"], "y": ["a", "a", "a", "a"]})
    questions = splits(table.sample(), table.schema.attribute("c"))
    assert [(test.name, partition.rows, partition.unknown) for test, partition in questions] == [
        ("c in {b}", ((1,), (2,)), (1,)),
        ("c in {g}", ((1,), (2,)), (1,)),
        ("c in {r}", ((1,), (2,)), (1,)),
    ]


def test_once_the_rows_are_sent_none_is_without_an_answer() -> None:
    table = Partition((), ((1, 0), (1, 0)), (0, 1))
    assert sent(table, LEFT) == Partition((), ((1, 1), (1, 0)), (0, 0))
