"""The rows from which J48 grows a tree that it prunes by reduced errors, and those by which it prunes.

Weka orders the rows by their classes: from the first row on, each row of its class that comes later is exchanged with
the row behind the last one of that class. Then it takes each k-th row, from the first, from the second, and so on. The
last of the k folds prunes, and the others grow the tree. Which rows these are depends on no seed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from reference_tree.data.table import Table
from reference_tree.predictor import truth


def reduced_error_rows(table: Table, folds: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The numbers of the rows from which the tree is grown, and of those by which it is pruned; None if a part is empty.

    Args:
        table: the rows, in the order of the file.
        folds: how many parts there are (`-N`).

    Example:
        >>> import reference_tree as rt
        >>> reduced_error_rows(rt.textbook("golf"), 3)[1]
        (3, 7, 9, 13)
    """
    if table.schema.target.values is None or len(table) < folds:
        return None
    order = stratified(truth(table), folds)
    size, more = divmod(len(order), folds)
    first = (folds - 1) * size + more
    held_out = order[first : first + size]
    return tuple(order[:first]) + tuple(order[first + size :]), tuple(held_out)


def stratified(labels: Sequence[Hashable], folds: int) -> list[int]:
    """The order of the rows before they are divided into folds.

    Example:
        >>> stratified([*"abab"], 2)
        [0, 1, 2, 3]
    """
    order, place = list(range(len(labels))), 1
    while place < len(order):
        own = labels[order[place - 1]]
        for later in range(place, len(order)):
            if labels[order[later]] == own:
                order[place], order[later] = order[later], order[place]
                place += 1
        place += 1
    return [row for start in range(folds) for row in order[start::folds]]
