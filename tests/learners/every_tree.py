"""Every tree for a few rows, one by one: what optimal trees are held against.

Nothing is minimised here, nothing is kept for later, and no price of a leaf is known: `every_tree` says of each tree
what its leaves hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, TypeAlias

Row: TypeAlias = Mapping[str, Any]
Leaves: TypeAlias = tuple[tuple[Any, ...], ...]
"""The targets of the rows in each leaf."""


def every_tree(
    rows: Sequence[Row],
    target: str,
    branching: str,
    levels: int,
    least: int = 1,
    allowed: Callable[[Leaves], bool] = lambda _: True,
) -> Iterator[Leaves]:
    """The leaves of every tree of so many levels of questions at most.

    Every branch has so many rows at least, and what is below every question is allowed.
    """
    yield (tuple(row[target] for row in rows),)
    if levels:
        for parts in partings(rows, [name for name in rows[0] if name != target], branching):
            if all(len(part) >= least for part in parts):
                below = [list(every_tree(part, target, branching, levels - 1, least, allowed)) for part in parts]
                for chosen in product(*below):
                    found = tuple(leaf for leaves in chosen for leaf in leaves)
                    if allowed(found):
                        yield found


def partings(rows: Sequence[Row], names: Sequence[str], branching: str) -> Iterator[list[list[Row]]]:
    """What each question makes of some rows: those that part nothing are left out."""
    for name in names:
        values = sorted({row[name] for row in rows})
        if len(values) < 2:
            continue
        if branching == "multiway":
            yield [[row for row in rows if row[name] == value] for value in values]
            continue
        sides = (
            [values[:cut] for cut in range(1, len(values))]
            if not isinstance(values[0], str)
            else [[value] for value in values]
            if branching == "one-vs-rest"
            else [list(some) for size in range(1, len(values)) for some in combinations(values, size)]
        )
        for side in sides:
            yield [[row for row in rows if (row[name] in side) is inside] for inside in (True, False)]
