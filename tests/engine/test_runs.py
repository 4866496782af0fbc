"""Runs: the rows of an attribute, and what is left of them if only some rows are."""

from __future__ import annotations

import pytest

from reference_tree.engine.runs import SortedRun

BOTH = SortedRun(("x", "z"), [3, 1, 2, 2, 3, 1], [0, 0, 4, 1, 2, 2])


def test_the_rows_of_one_attribute() -> None:
    assert BOTH.size == 3
    assert BOTH.of("x") == SortedRun(("x",), [3, 1, 2], [0, 0, 4])
    assert BOTH.of("z") == SortedRun(("z",), [2, 3, 1], [1, 2, 2])


@pytest.mark.parametrize("ranked", [False, True])
def test_some_of_the_rows(ranked: bool) -> None:
    run = BOTH if ranked else BOTH._replace(ranks=None)
    assert run.within({2, 3}) == SortedRun(("x", "z"), [3, 2, 2, 3], [0, 4, 1, 2] if ranked else None)
    assert run.within({2, 3}).of("z").rows == [2, 3]
    assert run.within(()).size == 0


@pytest.mark.parametrize("ranked", [False, True])
def test_some_of_the_rows_and_the_others(ranked: bool) -> None:
    run = BOTH if ranked else BOTH._replace(ranks=None)
    assert run.parted({2, 3}) == (run.within({2, 3}), run.within({1}))
    assert run.parted(()) == (run.within(()), run)
