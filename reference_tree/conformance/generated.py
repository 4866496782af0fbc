"""Generated tables: rows that are drawn, so that no table of the suite has only what its author thought of.

Every column has draws of its own from the [specified generator](chance.md), under the key `column NAME`, one for each
row; a gap is decided under `gaps NAME`. Any program can repeat them, though it need not: a golden spells its table out.
"""

from __future__ import annotations

from collections.abc import Sequence

from reference_tree.chance import Chance

TARGET = "y"


def drawn_columns(
    seed: int,
    rows: int,
    categories: Sequence[int] = (),
    numbers: Sequence[int] = (),
    classes: int | None = 2,
    gaps: int | None = None,
) -> dict[str, list[str]]:
    """The columns of a table, as text: `a1`, `a2`, ... of categories, `x1`, `x2`, ... of numbers, and the target `y`.

    Args:
        seed: which table.
        rows: how many.
        categories: for each attribute of categories how many values it has: `a`, `b`, ...
        numbers: for each continuous attribute the number of whole numbers it has, from 0.
        classes: how many there are; None: the target is a whole number from 0 to 9.
        gaps: one cell of so many is missing, on the average; None: none is. The target has no gaps.

    Example:
        >>> drawn_columns(1, rows=4, categories=[2], numbers=[5], gaps=4)
        {'a1': ['?', 'b', 'b', 'a'], 'x1': ['4', '4', '3', '?'], 'y': ['q', 'p', 'p', 'q']}
    """
    columns = {f"a{place}": _cells(seed, f"a{place}", rows, "abcdefghij"[:size]) for place, size in _numbered(categories)}
    columns |= {f"x{place}": _cells(seed, f"x{place}", rows, list(map(str, range(size)))) for place, size in _numbered(numbers)}
    if gaps is not None:
        columns = {name: _with_gaps(seed, name, cells, gaps) for name, cells in columns.items()}
    return {**columns, TARGET: _cells(seed, TARGET, rows, "0123456789" if classes is None else "pqrstuvwxz"[:classes])}


def _numbered(sizes: Sequence[int]) -> list[tuple[int, int]]:
    return list(enumerate(sizes, start=1))


def _cells(seed: int, name: str, rows: int, values: Sequence[str]) -> list[str]:
    chance = Chance(seed, f"column {name}".encode())
    return [chance.choice(values) for _ in range(rows)]


def _with_gaps(seed: int, name: str, cells: Sequence[str], gaps: int) -> list[str]:
    chance = Chance(seed, f"gaps {name}".encode())
    return ["?" if chance.below(gaps) == 0 else cell for cell in cells]
