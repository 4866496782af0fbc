"""Rows and labels as people hold them."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.estimators.parameters import array_of, check_names, class_of, columns_of, entries_of

ROWS = [["a", 1.5], ["b", None]]


@pytest.mark.parametrize("library", ["lists", "tuples", "numpy", "pandas", "polars"])
def test_whatever_holds_the_rows_their_columns_are_the_same(library: str) -> None:
    held: Any = ROWS
    if library == "tuples":
        held = [("a", 1.5), ("b", None)]
    elif library != "lists":
        module = pytest.importorskip(library)
        columns = {"x0": ["a", "b"], "x1": [1.5, None]}
        held = module.array(ROWS, dtype=object) if library == "numpy" else module.DataFrame(columns)
    found = {column.name: list(column.cells) for column in columns_of(held)}
    assert found == {"x0": ["a", "b"], "x1": ["1.5", None]}


@pytest.mark.parametrize(("rows", "message"), [([], "0 samples"), ([[]], "0 feature"), (["ab"], "Expected 2D array")])
def test_what_is_no_table_is_refused(rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        columns_of(rows)


def test_labels_are_entries() -> None:
    assert entries_of((1, "a"), "y") == [1, "a"]
    with pytest.warns(UserWarning, match="A column-vector y was passed"):
        assert entries_of([[1], [2]], "y") == [1, 2]
    assert class_of(2.0) == 2.0
    with pytest.raises(InputError, match="Unknown label type: continuous"):
        class_of(2.5)


def test_answers_are_a_list_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert array_of([1, 2]) == [1, 2]


def test_other_columns_are_named() -> None:
    check_names(["a"], ["a"])
    with pytest.raises(ValueError, match="unseen at fit time:\n- b\n"):
        check_names(["b"], ["a"])
    with pytest.raises(ValueError, match="must be in the same order"):
        check_names(["b", "a"], ["a", "b"])
