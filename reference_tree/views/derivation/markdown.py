r"""The derivation as a page: Markdown with formulas in TeX.

Formulas stand between `$` or `$$`, those that follow one another in one `aligned` block with their signs below one
another. Tables are Markdown tables. A name from the data is `\text{...}` in a formula, and escaped wherever else
Markdown would read something into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from reference_tree.exact.worked import Worked
from reference_tree.views.derivation import blocks
from reference_tree.views.derivation.notation import Chain, chain, summands, tex_pieces, text
from reference_tree.views.derivation.numerals import USUAL, Digits, exact_tex, in_units, tex_number, value_tex
from reference_tree.views.figures import EXACT, weight_text
from reference_tree.views.names import markdown_name
from reference_tree.views.plots.plane import grid

LINE = 90
"""How long a formula may be, counted in the characters it has as text, before it goes on in the next line."""

_SIGNS = {"=": "=", "≈": r"\approx"}


def write(page: Iterable[blocks.Block], digits: Digits = USUAL) -> Iterator[str]:
    r"""The lines of a derivation.

    Args:
        page: its blocks.
        digits: how figures are written.

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
        case blocks.Legend():
            yield from _table(["", "is"], [[f"${symbol.tex}$", meaning] for symbol, meaning in block.lines], "ll")
        case blocks.Heading():
            arrives = markdown_name(f"{block.arrives}: {', '.join(block.figures)}")
            yield from (f"## {_code(block.path)}", "", arrives)
        case blocks.Equations():
            *rows, last = [row for equation in block.lines for row in _rows(equation, digits)]
            yield from ("$$", r"\begin{aligned}", *(row + r" \\" for row in rows), last, r"\end{aligned}", "$$")
        case blocks.PartitionTable():
            yield from _partition(block, digits)
        case blocks.Ranking():
            body = [[markdown_name(one.name), one.score, markdown_name(one.fate)] for one in block.lines]
            yield from _table(["$A$", f"${block.symbol.tex}$", ""], body, "lrl")
        case blocks.DecisionTable():
            yield f"**{markdown_name(block.title)}**"
            if block.rows:
                head, *body = [[markdown_name(cell) for cell in row] for row in (block.head, *block.rows)]
                yield from ("", *_table(head, body, block.sides))
        case blocks.Sentence():
            yield markdown_name(block.text)
        case blocks.Listing():
            yield from (f"## {markdown_name(block.title)}", "", *_fenced(block.lines))
        case blocks.Plane():
            yield from _fenced(grid(block.test, block.points))


def _code(content: str) -> str:
    """A text as code, between more backticks than it has in a row."""
    fence = "`" * (_longest_run(content) + 1)
    return f"{fence} {content} {fence}" if len(fence) > 1 else f"`{content}`"


def _fenced(lines: Sequence[str]) -> Iterator[str]:
    fence = "`" * max(3, max(map(_longest_run, lines), default=0) + 1)
    yield from (f"{fence}text", *lines, fence)


def _longest_run(content: str) -> int:
    return max(map(len, re.findall("`+", content)), default=0)


# Equations.


def _rows(equation: blocks.Equation, digits: Digits) -> Iterator[str]:
    """The rows of an equation, `&` before the sign under which the others stand."""
    found = chain(equation.worked, digits)
    lines = [""] if found.expression is None else list(_broken(found.expression))
    results = _values(found, equation.unit)
    first = f"= {lines[0]} {results if len(lines) == 1 else ''}".replace("=  ", "").strip()
    yield f"{equation.symbol.tex} &{first}"
    for number, line in enumerate(lines[1:], 2):
        yield rf"&\quad {line} {results if number == len(lines) else ''}".rstrip()
    if digits.exact and (exactly := equation.logarithms) is not None:
        yield rf"&= {exact_tex(exactly)} \text{{ exactly}}"


def _values(found: Chain, unit: str = "") -> str:
    """The sides behind an expression."""
    written = [f"{_SIGNS[sign]} {tex_number(right)}" for sign, right in found.values]
    unit = in_units(found.values[-1].right, unit).removeprefix(found.values[-1].right)
    return " ".join(written) + (rf" \text{{{unit}}}" if unit else "")


def _broken(expression: Worked) -> Iterator[str]:
    """A sum in lines that are not too long."""
    line, taken = "", 0
    for piece, (_, term) in zip(tex_pieces(expression), summands(expression), strict=True):
        long = len(text(term)) + 2
        if line and taken + long > LINE:
            yield line
            line, taken = "", 0
        line, taken = f"{line} {piece}".lstrip(), taken + long
    yield line


# Tables.


def _partition(block: blocks.PartitionTable, digits: Digits) -> Iterator[str]:
    head = [markdown_name(name) for name in (block.attribute, *block.classes)]
    head += [f"${symbol.tex}$" for symbol, _ in block.shares]
    shares = [["-" if one is None else f"${value_tex(one, digits)}$" for one in column] for _, column in block.shares]
    body = [
        [markdown_name(label), *(weight_text(cell, EXACT) for cell in row), *further]
        for label, row, *further in zip(block.outcomes, block.rows, *shares, strict=True)
    ]
    if any(block.unknown):
        body.append(["?", *(weight_text(cell, EXACT) for cell in block.unknown), *("" for _ in shares)])
    sides = "l" + "r" * (len(head) - 1)
    if block.impurities:
        head.append(f"${block.symbol.tex}$")
        cells = zip_longest(body, (_impurity(worked, digits) for worked in block.impurities), fillvalue="")
        body, sides = [[*row, cell] for row, cell in cells], sides + "l"
    yield from _table(head, body, sides)


def _impurity(worked: Worked | None, digits: Digits) -> str:
    if not worked:
        return "-" if worked is None else "$0$"
    found = chain(worked, digits)
    expression = "" if found.expression is None else " ".join(tex_pieces(found.expression))
    return f"${f'{expression} {_values(found)}'.strip().removeprefix('= ')}$"


def _table(head: Sequence[str], body: Iterable[Sequence[str]], sides: str) -> Iterator[str]:
    rule = [":--" if side == "l" else "--:" for side in sides]
    for row in (head, rule, *body):
        yield f"| {' | '.join(row)} |"
