"""Layout: where the nodes of a tree stand in a drawing.

Across, each subtree has a band of its own, as broad as its leaves or as its root, whichever is more. Bands lie side by
side and never overlap, so neither nodes nor branches can. A node stands in the middle of its first and its last child,
as far as its own band goes (`centres`). Along the tree, all nodes of one depth stand on one level (`levels`); or, as
nothing else is in a band, just behind the node above them, which is shorter (`families`).

All are loops over the nodes in preorder, backwards where below has to come before above. A chain of fifty thousand
nodes is no deeper for them than a stump.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate


def centres(branches: Sequence[Sequence[int]], breadths: Sequence[int], gap: int) -> list[int]:
    """Where the middle of each node lies across the tree.

    Args:
        branches: for each node, in preorder, the numbers of the nodes below it.
        breadths: how much room each takes.
        gap: between two neighbours.

    Example:
        >>> centres([(1, 2), (), (3, 4), (), ()], [10, 10, 10, 10, 10], 2)
        [14, 5, 23, 17, 29]
    """
    inside = [0] * len(branches)
    bands = list(breadths)
    for number in reversed(range(len(branches))):
        if branches[number]:
            inside[number] = sum(bands[below] + gap for below in branches[number]) - gap
            bands[number] = max(bands[number], inside[number])
    starts = [0] * len(branches)
    for number, below in enumerate(branches):
        start = starts[number] + (bands[number] - inside[number]) // 2
        for child in below:
            starts[child] = start
            start += bands[child] + gap
    found = [0] * len(branches)
    for number in reversed(range(len(branches))):
        low = starts[number] + breadths[number] // 2
        high = starts[number] + bands[number] - (breadths[number] + 1) // 2
        below = branches[number]
        wanted = (found[below[0]] + found[below[-1]]) // 2 if below else low
        found[number] = min(max(wanted, low), high)
    return found


def levels(branches: Sequence[Sequence[int]], heights: Sequence[int], gaps: Sequence[int]) -> list[int]:
    """Where each node begins along the tree, if all of one depth begin together.

    Args:
        branches: for each node, in preorder, the numbers of the nodes below it.
        heights: how much room each takes along the tree.
        gaps: how much room each needs before it, for its branch; a level takes the largest.
    """
    level = [0] * len(branches)
    highest, widest = [0], [0]
    for number, below in enumerate(branches):
        highest[level[number]] = max(highest[level[number]], heights[number])
        widest[level[number]] = max(widest[level[number]], gaps[number])
        if below and level[number] + 1 == len(highest):
            highest.append(0)
            widest.append(0)
        for child in below:
            level[child] = level[number] + 1
    starts = list(accumulate(a + b for a, b in zip([0, *highest], widest, strict=False)))
    return [starts[one] for one in level]


def families(branches: Sequence[Sequence[int]], heights: Sequence[int], gaps: Sequence[int]) -> list[int]:
    """Where each node begins along the tree, if it does so as soon as its siblings can; arguments as for `levels`."""
    starts = [0] * len(branches)
    for number, below in enumerate(branches):
        start = starts[number] + heights[number] + max((gaps[child] for child in below), default=0)
        for child in below:
            starts[child] = start
    return starts
