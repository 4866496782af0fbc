"""Drawn tables: cell by cell by the specification of the generator, not by the code that is tested."""

from __future__ import annotations

from hashlib import sha256

import pytest

from reference_tree.conformance.cases import cases
from reference_tree.conformance.generated import continuous, drawn_columns


def drawn(seed: int, key: str, n: int, times: int) -> list[int]:
    """Numbers below n: the highest bits of each digest that are as many as n - 1 has, those beyond left out."""
    found: list[int] = []
    block, bits = 0, (n - 1).bit_length()
    while len(found) < times:
        message = str(seed).encode() + b"\0" + key.encode() + b"\0" + block.to_bytes(8, "big")
        number = int.from_bytes(sha256(message).digest(), "big") >> (256 - bits)
        found += [number] if number < n else []
        block += 1
    return found


def test_each_column_is_drawn_by_itself() -> None:
    columns = drawn_columns(7, rows=9, categories=[3], numbers=[10], classes=5, gaps=4)
    gaps = {name: drawn(7, f"gaps {name}", 4, 9) for name in ("a1", "x1")}
    cells = {"a1": "abc", "x1": "0123456789"}
    for name, values in cells.items():
        places = drawn(7, f"column {name}", len(values), 9)
        assert columns[name] == ["?" if not gap else values[at] for gap, at in zip(gaps[name], places, strict=True)]
    assert columns["y"] == ["pqrst"[at] for at in drawn(7, "column y", 5, 9)]


def test_more_than_ten_categories_are_numbered() -> None:
    columns = drawn_columns(3, rows=20, categories=[40, 10])
    assert columns["a1"] == [f"v{at:02}" for at in drawn(3, "column a1", 40, 20)]
    assert columns["a2"] == ["abcdefghij"[at] for at in drawn(3, "column a2", 10, 20)]


@pytest.mark.parametrize(("classes", "names"), [(2, ["x1"]), (0, ["x1", "y"])])
def test_which_columns_are_numbers(classes: int, names: list[str]) -> None:
    columns = drawn_columns(1, rows=3, categories=[2], numbers=[4], classes=classes)
    assert continuous(columns, classes) == names
    assert set(columns["y"]) <= set("0123456789" if not classes else "pq")


def test_a_column_does_not_depend_on_the_others() -> None:
    assert drawn_columns(1, 5, [2, 3], [4])["a2"] == drawn_columns(1, 5, [3, 3])["a2"]


def test_a_case_may_say_how_its_table_is_drawn() -> None:
    table = cases()["generated/numbers"].table()
    assert table.schema.target.values is None
    assert [attribute.name for attribute in table.schema.attributes] == ["a1", "x1"]
    assert [str(number) for number in table.columns["x1"]] == drawn_columns(0, 12, [3], [6], 0)["x1"]
