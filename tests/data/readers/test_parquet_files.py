"""Parquet: what pyarrow writes is read, by pyarrow or by polars; without either, one line says what to install."""

from __future__ import annotations

import io
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.readers import parquet_files, read
from reference_tree.data.readers.parquet_files import parquet_table
from reference_tree.data.readers.raw import Layout


def test_without_a_library_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_files, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"^a.parquet: is Parquet, which .*: pip install pyarrow, or save it as CSV$"):
        parquet_table(b"PAR1", "a.parquet")


@pytest.mark.oracles
@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_what_pyarrow_writes_is_read(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    pyarrow: Any = pytest.importorskip("pyarrow")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip(library)
    monkeypatch.setattr(parquet_files, "find_spec", lambda name: name == library or None)
    columns = {"x": [0.1, None, 2.5], "n": [1, 2, 3], "y": ["a", "b", "a"]}
    file = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), file)
    file.seek(0)
    table = read(file)
    assert [None if x is None else float(x) for x in table.columns["x"]] == columns["x"]
    assert list(table.columns["n"]) == columns["n"]
    with pytest.raises(InputError, match="unpacks to more than 10 bytes"):
        parquet_table(file.getvalue(), "a.parquet", Layout(largest=10))
    with pytest.raises(InputError, match=f"a.parquet: cannot be read by {library}: "):
        parquet_table(file.getvalue()[:40], "a.parquet")
