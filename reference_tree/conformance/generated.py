"""Generated tables: randomly drawn rows, so that the suite also has data that no author chose.

Every column has draws of its own from the [specified generator][reference_tree.chance.Chance], under the key
`column NAME`, one for each row; a gap is decided under `gaps NAME`. Any program can repeat them, though it need not: a
golden spells its table out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reference_tree.chance import Chance

TARGET = "y"


def drawn_columns(
    seed: int, rows: int, categories: Sequence[int] = (), numbers: Sequence[int] = (), classes: int = 2, gaps: int = 0
) -> dict[str, list[str]]:
    """The columns of a table, as text: `a1`, `a2`, ... of categories, `x1`, `x2`, ... of numbers, and the target `y`.

    Args:
        seed: the number of the table.
        rows: the number of rows.
        categories: for each categorical attribute, the number of its values: `a`, `b`, ..., or `v00`, `v01`, ... if
            these are more than ten.
        numbers: for each continuous attribute, the number of its values, the whole numbers from 0.
        classes: the number of classes; if 0, the target is a whole number from 0 to 9.
        gaps: one cell in `gaps` is missing, on average; if 0, no cell is. The target has no gaps.

    Example:
        >>> drawn_columns(1, rows=4, categories=[2], numbers=[5], gaps=4)
        {'a1': ['?', 'b', 'b', 'a'], 'x1': ['4', '4', '3', '?'], 'y': ['q', 'p', 'p', 'q']}
    """
    values: dict[str, Sequence[str]] = {
        f"a{place}": "abcdefghij"[:size] if size <= 10 else [f"v{value:02}" for value in range(size)]
        for place, size in enumerate(categories, start=1)
    }
    values |= {f"x{place}": "0123456789"[:size] for place, size in enumerate(numbers, start=1)}
    columns = {name: _cells(seed, name, rows, found, gaps) for name, found in values.items()}
    return {**columns, TARGET: _cells(seed, TARGET, rows, "pqrstuvwxz"[:classes] if classes else "0123456789")}


def continuous(columns: Iterable[str], classes: int) -> list[str]:
    """The names of the columns that are numbers."""
    return [name for name in columns if name.startswith("x") or (name == TARGET and not classes)]


def _cells(seed: int, name: str, rows: int, values: Sequence[str], gaps: int = 0) -> list[str]:
    chance, missing = Chance(seed, f"column {name}".encode()), Chance(seed, f"gaps {name}".encode())
    cells = [chance.choice(values) for _ in range(rows)]
    return ["?" if missing.below(gaps) == 0 else cell for cell in cells] if gaps else cells
