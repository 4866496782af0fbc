"""The derivation as text for a terminal.

Lines are at most `WIDTH` columns wide, unless a single name is wider. A longer formula continues below, its signs under
one another. A wider table is turned: each outcome gets lines of its own, and zeros are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest

from reference_tree.exact.worked import Worked
from reference_tree.views.derivation import blocks
from reference_tree.views.derivation.notation import chain, text
from reference_tree.views.derivation.numerals import USUAL, NumberFormat, exact_text, in_units, value_text
from reference_tree.views.plots.plane import grid
from reference_tree.views.trees.text import lines as tree_lines
from reference_tree.views.wording import counts_of, enumerated, fill, padded, width

WIDTH = 110
"""The columns of a line."""

NARROW = 36
"""The fewest columns in which a formula is readable: if fewer are left, it moves to a line of its own."""

_CLOSE = {
    (blocks.PartitionTable, blocks.Equations),
    (blocks.PartitionTable, blocks.Sentence),
    (blocks.Ranking, blocks.Sentence),
    (blocks.Sentence, blocks.Sentence),
    (blocks.Sentence, blocks.Facts),
}
# Blocks with no blank line between them.


def write(page: Iterable[blocks.Block], digits: NumberFormat = USUAL) -> Iterator[str]:
    """The lines of a derivation.

    Example:
        >>> prices = blocks.DecisionTable("Prices", ("node", "α"), "lr", (("/", "1/2"), ("/wind=weak", "1/14")))
        >>> for line in write([prices, blocks.Sentence("That is all.")]):
        ...     print(line)
        Prices
        <BLANKLINE>
        node            α
        /             1/2
        /wind=weak   1/14
        <BLANKLINE>
        That is all.
    """
    previous: blocks.Block | None = None
    for block in page:
        if previous is not None and (type(previous), type(block)) not in _CLOSE:
            yield ""
        yield from _lines(block, digits)
        previous = block


def _lines(block: blocks.Block, digits: NumberFormat) -> Iterator[str]:
    match block:
        case blocks.Title():
            yield from _underlined([block.text], "═")
        case blocks.Facts():
            yield from _facts(block.lines)
        case blocks.Legend():
            yield from _facts([(symbol.text, meaning) for symbol, meaning in block.lines])
        case blocks.NodeHeading():
            yield from _heading(block)
        case blocks.Equations():
            yield from _equations(block, digits)
        case blocks.PartitionTable():
            yield from _partition(block, digits)
        case blocks.Ranking():
            yield from _ranking(block)
        case blocks.DecisionTable():
            yield from _decisions(block)
        case blocks.Sentence():
            yield from fill(block.text.split(" "), WIDTH)
        case blocks.Drawing():
            yield from (*_underlined([block.title], "─"), "", *tree_lines(block.tree))
        case blocks.Plane():
            yield from grid(block.test, block.points)


def _underlined(lines: Sequence[str], rule: str) -> Iterator[str]:
    yield from lines
    yield rule * min(max(map(width, lines)), WIDTH)


def _facts(lines: Sequence[tuple[str, str]]) -> Iterator[str]:
    room = max(width(word) for word, _ in lines)
    for word, value in lines:
        yield from _hanging(padded(word, room, left=True) + "   ", value.split(" "))


def _heading(block: blocks.NodeHeading) -> Iterator[str]:
    line = f"{block.path}   {block.arrives}: {', '.join(block.figures)}"
    if width(line) <= WIDTH:
        yield from _underlined([line], "─")
    else:
        yield from _underlined([*_broken(block.path), *_hanging(f"{block.arrives}: ", enumerated(block.brief))], "─")


def _broken(path: str) -> Iterator[str]:
    """A path in lines, broken before its slashes."""
    line = ""
    for step in re.split(r"(?<!\\)(?=/)", path):
        if line and width(line + step) > WIDTH:
            yield line
            line = ""
        line += step
    yield line


def _hanging(left: str, pieces: Sequence[str]) -> Iterator[str]:
    """Pieces after a text on the left; further lines begin below the first piece."""
    indent = width(left)
    if WIDTH - indent < NARROW:
        yield left.rstrip()
        left, indent = "    ", 4
    for line in fill(pieces, WIDTH - indent):
        yield left + line
        left = " " * indent


# Equations.


def _equations(block: blocks.Equations, digits: NumberFormat) -> Iterator[str]:
    names = [line.symbol.text for line in block.lines]
    room = max((width(name) for name in names if width(name) <= WIDTH // 3), default=3)
    for name, line in zip(names, block.lines, strict=True):
        if width(name) > room:
            yield name
            name = ""
        yield from _chained(padded(name, room, left=True), _sides(line.worked, digits, line.unit))
        if digits.exact and (exactly := line.logarithms) is not None:
            yield from _hanging(f"{' ' * room} = ", _pieces(exact_text(exactly) + " exactly"))


def _sides(worked: Worked, digits: NumberFormat, unit: str = "") -> list[str]:
    """The right sides of an equation, each with its sign before it."""
    expression, values = chain(worked, digits)
    found = [] if expression is None else [f"= {text(expression)}"]
    found += [f"{sign} {right}" for sign, right in values]
    sign, right = found[-1].split(" ", 1)
    return [*found[:-1], f"{sign} {in_units(right, unit)}"]


def _chained(left: str, sides: Sequence[str]) -> Iterator[str]:
    """A chain in one line if it fits, otherwise each side in a line of its own."""
    line = f"{left} {' '.join(sides)}"
    if width(line) <= WIDTH:
        yield line
        return
    for side in sides:
        sign, right = side.split(" ", 1)
        yield from _hanging(f"{left} {sign} ", _pieces(right))
        left = " " * width(left)


def _pieces(formula: str) -> list[str]:
    """A formula, cut before its signs, but not between bars."""
    return re.findall(r"(?:\|[^|]*\||[^ |]| (?![+−=≈] ))+", formula)


# Tables.


def _columns(rows: Sequence[Sequence[str]], sides: str, gap: int = 3) -> list[str]:
    """Rows of cells in columns, each aligned to the left or to the right."""
    rooms = [max(map(width, column)) for column in zip(*rows, strict=True)]
    cells = [zip(row, rooms, sides, strict=True) for row in rows]
    return [(" " * gap).join(padded(cell, room, left=side == "l") for cell, room, side in row) for row in cells]


def _partition(block: blocks.PartitionTable, digits: NumberFormat) -> Iterator[str]:
    rows = block.body(str, lambda share: value_text(share, digits))
    body = [[f"  {label}", *cells] for label, *cells in rows]
    head = [block.attribute, *block.classes, *(symbol.text for symbol, _ in block.shares)]
    columns = _columns([head, *body], "l" + "r" * (len(head) - 1))
    if width(columns[0]) + NARROW > WIDTH:
        yield from _turned(block, digits)
        return
    further = [] if not block.impurities else [block.symbol.text, *(_impurity(one, digits) for one in block.impurities)]
    for line, impurity in zip_longest(columns, further, fillvalue=""):
        yield from (_hanging(f"{line}   ", _pieces(impurity)) if impurity else [line.rstrip()])


def _impurity(worked: Worked | None, digits: NumberFormat) -> str:
    """The impurity of a part with its formula; for a pure part only 0."""
    if not worked:
        return "-" if worked is None else "0"
    return " ".join(_sides(worked, digits)).removeprefix("= ")


def _turned(block: blocks.PartitionTable, digits: NumberFormat) -> Iterator[str]:
    """A table too wide for a line: for each outcome its non-zero counts, and its figures below."""
    yield block.attribute
    impurities = block.impurities or (None,) * len(block.rows)
    for number, (label, row, impurity) in enumerate(zip(block.outcomes, block.rows, impurities, strict=True)):
        if any(row):
            yield f"  {label}"
            yield from _hanging("    ", enumerated(counts_of(block.classes, row, all_of_them=False)))
            for symbol, column in block.shares:
                if (share := column[number]) is not None:
                    # A rounded share is not equal to its decimals, and the page says so.
                    sign = "=" if share == Fraction(written := value_text(share, digits)) else "≈"
                    yield f"    {symbol.text} {sign} {written}"
            if impurity is not None:
                yield from _chained(f"    {block.symbol.text}", _sides(impurity, digits) if impurity else ["= 0"])
    if empty := [label for label, row in zip(block.outcomes, block.rows, strict=True) if not any(row)]:
        yield from _hanging("  without rows: ", enumerated(empty))
    if any(block.unknown):
        yield from _hanging("  ? ", enumerated(counts_of(block.classes, block.unknown, all_of_them=False)))


def _ranking(block: blocks.Ranking) -> Iterator[str]:
    rows = [[block.symbol.of(line.name).text, line.score] for line in block.lines]
    if max(width(symbol) for symbol, _ in rows) > WIDTH // 2:
        for (symbol, score), line in zip(rows, block.lines, strict=True):
            yield from (symbol, f"    {score}   {line.fate}")
    else:
        yield from (f"{shown}   {line.fate}" for shown, line in zip(_columns(rows, "lr"), block.lines, strict=True))


def _decisions(block: blocks.DecisionTable) -> Iterator[str]:
    """A table of decisions; if it is too wide, its columns move together, or the name of each row gets its own line."""
    yield block.title
    if not block.rows:
        return
    yield ""
    rows = [tuple(cell if isinstance(cell, str) else cell.text for cell in block.head), *block.rows]
    for gap in (3, 2):
        lines = [line.rstrip() for line in _columns(rows, block.sides, gap)]
        if max(map(width, lines)) <= WIDTH:
            yield from lines
            return
    for row, line in zip(rows, _columns([row[1:] for row in rows], block.sides[1:]), strict=True):
        yield from (row[0], f"    {line.rstrip()}")
