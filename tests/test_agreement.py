"""Agreement: the engine says of random tables what the book says, node by node."""

from __future__ import annotations

from typing import Any

import pytest

from tests import agreement
from tests.agreement import difference
from tests.every import of_every


@of_every(range(10))
def test_every_answer_is_that_of_the_book(seed: int) -> None:
    assert difference(seed) is None


@pytest.mark.more
def test_many_tables() -> None:
    assert [told for seed in range(100, 400) if (told := difference(seed))] == []


def test_a_difference_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two ways that do not agree, the first answer is named in which they do not."""
    ways = iter([[("nodes", 1), ("labels", 2)], [("nodes", 1), ("labels", 3)]])
    monkeypatch.setattr(agreement, "answers", lambda *_: iter(next(ways)))
    assert difference(5) == "seed 5: labels"


def test_a_missing_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    ways: Any = iter([[("nodes", 1)], [("nodes", 1), ("labels", 3)]])
    monkeypatch.setattr(agreement, "answers", lambda *_: iter(next(ways)))
    assert difference(5) == "seed 5: 1 answers, and 2 by the book"
