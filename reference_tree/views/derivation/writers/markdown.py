r"""The derivation as a page: Markdown with formulas in TeX.

Formulas stand between `$` or `$$`, those that follow one another in one `aligned` block with their signs below one
another. Tables are Markdown tables. A name from the data is `\text{...}` in a formula, and escaped wherever else
Markdown would read something into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from reference_tree.views.derivation import blocks
from reference_tree.views.derivation.numerals import USUAL, Digits
from reference_tree.views.derivation.writers.typeset import Marks, Table, aligned, table_of
from reference_tree.views.names import markdown_name
from reference_tree.views.plots.plane import grid
from reference_tree.views.trees.text import lines

MARKS = Marks(markdown_name, lambda tex: f"${tex}$")


def write(page: Iterable[blocks.Block], digits: Digits = USUAL) -> Iterator[str]:
    r"""The lines of a derivation.

    Example:
        >>> for line in write([blocks.Title("The *end*"), blocks.Sentence("That is all.")]):
        ...     print(line)
        # The \*end\*
        <BLANKLINE>
        That is all.
    """
    for number, block in enumerate(page):
        if number:
            yield ""
        yield from _lines(block, digits)


def _lines(block: blocks.Block, digits: Digits) -> Iterator[str]:
    match block:
        case blocks.Title():
            yield f"# {markdown_name(block.text)}"
        case blocks.Facts():
            yield from (f"- {word}: {markdown_name(said)}" for word, said in block.lines)
        case blocks.Legend() | blocks.PartitionTable() | blocks.Ranking():
            yield from _table(table_of(block, MARKS, digits))
        case blocks.Heading():
            arrives = markdown_name(f"{block.arrives}: {', '.join(block.figures)}")
            yield from (f"## {_code(block.path)}", "", arrives)
        case blocks.Equations():
            sides = (row for equation in block.lines for row in aligned(equation, digits))
            *rows, last = [f"{left} &{right}".lstrip() for left, right in sides]
            yield from ("$$", r"\begin{aligned}", *(row + r" \\" for row in rows), last, r"\end{aligned}", "$$")
        case blocks.DecisionTable():
            yield f"**{markdown_name(block.title)}**"
            if block.rows:
                yield from ("", *_table(table_of(block, MARKS, digits)))
        case blocks.Sentence():
            yield markdown_name(block.text)
        case blocks.Plane():
            yield from _fenced(grid(block.test, block.points))
        case blocks.Drawing():
            yield from (f"## {markdown_name(block.title)}", "", *_fenced([*lines(block.tree)]))


def _table(table: Table) -> Iterator[str]:
    rule = [":--" if side == "l" else "--:" for side in table.sides]
    for row in (table.head, rule, *table.body):
        yield f"| {' | '.join(row)} |"


def _code(content: str) -> str:
    """A text as code, between more backticks than it has in a row."""
    fence = "`" * (_longest_run(content) + 1)
    return f"{fence} {content} {fence}" if len(fence) > 1 else f"`{content}`"


def _fenced(lines: Sequence[str]) -> Iterator[str]:
    fence = "`" * max(3, max(map(_longest_run, lines), default=0) + 1)
    yield from (f"{fence}text", *lines, fence)


def _longest_run(content: str) -> int:
    return max(map(len, re.findall("`+", content)), default=0)
