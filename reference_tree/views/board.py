"""The board: a derivation as text for a terminal."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator

from reference_tree.exact.log_sums import LogSum
from reference_tree.exact.rationals import decimal_text
from reference_tree.exact.worked import Worked
from reference_tree.views.derivation import (
    Block,
    Equation,
    Exactly,
    Heading,
    PartitionTable,
    Ranking,
    Sentence,
    counted,
)
from reference_tree.views.notation import decimal_of, exact_text, opened, rational_value, text, value_text

WIDTH = 110
"""Longer formulas go on in the next line."""


def write(blocks: Iterable[Block]) -> Iterator[str]:
    """The lines of a derivation."""
    previous: Block | None = None
    for block in blocks:
        if _starts_paragraph(block, previous):
            yield ""
        yield from _lines(block)
        previous = block


def _starts_paragraph(block: Block, previous: Block | None) -> bool:
    if previous is None:
        return False
    follows_table = isinstance(block, Equation | Exactly) and isinstance(previous, Equation | PartitionTable)
    follows_ranking = isinstance(block, Sentence) and isinstance(previous, Ranking | Sentence | PartitionTable)
    return not (follows_table or follows_ranking)


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield from _heading(block)
    elif isinstance(block, Equation):
        yield from _equation(block)
    elif isinstance(block, Exactly):
        if isinstance(block.value, LogSum) and rational_value(block.value) is None:
            yield from _wrapped("  exactly ", exact_text(block.value))
    elif isinstance(block, PartitionTable):
        yield from _table(block)
    elif isinstance(block, Ranking):
        yield from _ranking(block)
    else:
        yield from textwrap.wrap(block.text, WIDTH)


def _heading(block: Heading) -> Iterator[str]:
    n = decimal_text(sum(block.counts))
    line = f"{block.path}   {n} row{'s' if n != '1' else ''}: {counted(block.classes, block.counts)}"
    yield from (line, "─" * min(width(line), WIDTH))


def _equation(block: Equation) -> Iterator[str]:
    yield from _wrapped(f"{block.symbol.text} = ", f"{_worked_out(block)} {block.unit}".rstrip())


def _worked_out(block: Equation) -> str:
    """The formula with the figures put in, and its value; the fraction too, where it is one."""
    value = value_text(block.worked.value)
    results = dict.fromkeys([text(opened(block.worked)), value, decimal_of(block.worked.value)])
    return " = ".join(results)


def _wrapped(left: str, right: str) -> Iterator[str]:
    lines = textwrap.wrap(right, max(WIDTH - width(left), 40), break_long_words=False) or [""]
    yield left + lines[0]
    yield from (" " * width(left) + line for line in lines[1:])


def _table(block: PartitionTable) -> Iterator[str]:
    head = [block.attribute, *block.classes, block.symbol.text]
    body = []
    for outcome, row, worked in zip(block.outcomes, block.rows, block.impurities, strict=True):
        impurity = "-" if worked is None else _part(worked)
        body.append([f"  {outcome.label}", *map(decimal_text, row), impurity])
    yield from aligned([head, *body], left={0, len(head) - 1})


def _part(worked: Worked) -> str:
    value = value_text(worked.value)
    return value if worked.value == 0 else f"{text(opened(worked))} = {value}"


def _ranking(block: Ranking) -> Iterator[str]:
    rows = [[symbol.text, "" if score is None else decimal_of(score), fate] for symbol, score, fate in block.lines]
    yield from aligned(rows, left={0, 2})


def aligned(rows: list[list[str]], left: set[int]) -> Iterator[str]:
    """Rows of cells in columns; numbers stand to the right, the named columns to the left."""
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [_padded(cell, widths[i], i in left) for i, cell in enumerate(row)]
        yield "   ".join(cells).rstrip()


def _padded(cell: str, wanted: int, to_the_left: bool) -> str:
    blanks = " " * (wanted - width(cell))
    return cell + blanks if to_the_left else blanks + cell


def width(line: str) -> int:
    """How many columns of a terminal a text takes: Chinese characters take two, combining marks none.

    Example:
        >>> width("play"), width("纹理")
        (4, 4)
    """
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
