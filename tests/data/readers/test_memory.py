"""Memory: what would not fit is refused before it is read, and a failure leaves no file behind."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from reference_tree.cli import main
from reference_tree.data.errors import InputError
from reference_tree.data.readers import memory, read

ROWS = b"wind,play\n" + b"weak,yes\nstrong,no\n" * 50


@pytest.mark.parametrize("name", ["days.csv", "days.csv.gz"])
def test_a_table_that_would_not_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(ROWS) if name.endswith("gz") else ROWS)
    needed = len(ROWS) * memory.TIMES_ITS_SIZE
    monkeypatch.setattr(memory, "available", lambda: needed)
    assert len(list(read(path).rows())) == 100
    monkeypatch.setattr(memory, "available", lambda: needed - 1)
    with pytest.raises(InputError, match=r"would need at least .* are available; .*rt\.sql"):
        read(path)


def test_it_is_not_read_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "days.csv"
    path.write_bytes(ROWS)
    monkeypatch.setattr(memory, "available", lambda: 1)
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail("it is read"))
    with pytest.raises(InputError, match="would need"):
        read(path)


def test_a_system_that_says_nothing_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: None)
    memory.refuse_beyond_memory(10**18, "days.csv")


def test_the_smaller_of_two_bounds_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tmp_path / "meminfo"
    said.write_text("MemTotal: 9 kB\nMemAvailable:   3 kB\n")
    monkeypatch.setattr(memory, "_SYSTEM", said)
    monkeypatch.setattr(memory, "_of_limit", lambda: 5000)
    assert memory.available() == 3072
    monkeypatch.setattr(memory, "_of_limit", lambda: 2000)
    assert memory.available() == 2000


@pytest.mark.parametrize(("error", "status"), [(MemoryError, 2), (KeyboardInterrupt, 130)])
def test_nothing_is_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException], status: int
) -> None:
    data, output = tmp_path / "days.csv", tmp_path / "tree.json"
    data.write_bytes(ROWS)
    output.write_text("as it was")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", fail)  # the last step, when all is written beside its place
    assert main(["grow", str(data), "-o", str(output)]) == status
    assert output.read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["days.csv", "tree.json"]
