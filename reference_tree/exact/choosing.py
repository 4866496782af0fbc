"""Choosing: all best candidates, decided without rounding.

Equal best splits are common, so the result is not one candidate but the *set* of exact maxima; a documented rule of the
learner then takes one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from reference_tree.exact.reals import Number

Item = TypeVar("Item")


# A lone candidate is the best without a score, which may be undefined or slow. Of more of them each is compared once
# with the best so far, and not sorted: comparisons of irrational numbers are the cost.
def best(candidates: Iterable[Item], score: Callable[[Item], Number]) -> list[Item]:
    """All candidates with the largest score, in their order.

    Args:
        candidates: any items. If there are none, the result is empty; a single one is the best without being scored.
        score: gives an exact number for each.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> best(["2·log 3", "3", "log 9"], {"2·log 3": 2 * log(3), "3": 3, "log 9": log(9)}.get)
        ['2·log 3', 'log 9']
    """
    items = list(candidates)
    if len(items) < 2:
        return items
    winners, highest = [items[0]], score(items[0])
    for item in items[1:]:
        found = score(item)
        if found > highest:
            winners, highest = [item], found
        elif found == highest:
            winners.append(item)
    return winners
