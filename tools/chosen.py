"""Which cases of a test run: those that stand for others, and those that were skipped elsewhere."""

from __future__ import annotations

from collections import Counter

import pytest

NOT_FOUND = pytest.StashKey[list[str]]()
"""What `AGAIN` names and no test is called."""


def mark_further_cases(items: list[pytest.Item]) -> None:
    """Of the cases of a test that is marked `one_in(n, m)`, all but each n-th are `more`, all but each m-th `slow`."""
    cases: Counter[str] = Counter()
    for item in items:
        if mark := item.get_closest_marker("one_in"):
            test = item.nodeid.partition("[")[0]
            if cases[test] % mark.args[0]:
                item.add_marker(pytest.mark.more)
            elif cases[test] % mark.args[-1]:
                item.add_marker(pytest.mark.slow)
            cases[test] += 1
