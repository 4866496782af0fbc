r"""Typesetting: equations in lines of TeX, and tables in rows of cells, for every kind of page.

1. `aligned` is an equation in lines, each in two parts, whose signs stand below one another.
2. `table_of` is a block as a table; `Marks` says how a page writes a name from the data, and a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from reference_tree.exact.worked import Worked
from reference_tree.views.derivation import blocks
from reference_tree.views.derivation.notation import Chain, chain, summands, tex_pieces, text
from reference_tree.views.derivation.numerals import Digits, exact_tex, in_units, tex_number, value_tex

LINE = 90
"""How long a formula may be, counted in the characters it has as text, before it goes on in the next line."""

_SIGNS = {"=": "=", "≈": r"\approx"}

Tabular: TypeAlias = blocks.Legend | blocks.PartitionTable | blocks.Ranking | blocks.DecisionTable


class Marks(NamedTuple):
    """How a page writes what is no number."""

    name: Callable[[str], str]
    """A text with names from the data, escaped."""
    formula: Callable[[str], str]
    """A formula that is given in TeX."""


class Table(NamedTuple):
    """Cells, as the page has them."""

    head: Sequence[str]
    body: Sequence[Sequence[str]]
    sides: str
    """For each column whether it stands to the left, `l`, or to the right, `r`."""


# Equations.


def aligned(equation: blocks.Equation, digits: Digits) -> Iterator[tuple[str, str]]:
    """The lines of an equation in TeX: what stands left of the sign, if anything does, and the rest."""
    found = chain(equation.worked, digits)
    lines = [""] if found.expression is None else list(_broken(found.expression))
    results = _values(found, equation.unit)
    first = f"= {lines[0]} {results if len(lines) == 1 else ''}".replace("=  ", "").strip()
    yield equation.symbol.tex, first
    for number, line in enumerate(lines[1:], 2):
        yield "", rf"\quad {line} {results if number == len(lines) else ''}".rstrip()
    if digits.exact and (exactly := equation.logarithms) is not None:
        yield "", rf"= {exact_tex(exactly)} \text{{ exactly}}"


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


def table_of(block: Tabular, marks: Marks, digits: Digits) -> Table:
    """The cells of a block that is a table."""
    match block:
        case blocks.Legend():
            return Table(["", "is"], [[marks.formula(one.tex), marks.name(said)] for one, said in block.lines], "ll")
        case blocks.Ranking():
            body = [[marks.name(one.name), one.score, marks.name(one.fate)] for one in block.lines]
            return Table([marks.formula("A"), marks.formula(block.symbol.tex), ""], body, "lrl")
        case blocks.DecisionTable():
            head = [marks.name(cell) if isinstance(cell, str) else marks.formula(cell.tex) for cell in block.head]
            return Table(head, [[marks.name(cell) for cell in row] for row in block.rows], block.sides)
        case blocks.PartitionTable():
            return _partition(block, marks, digits)


def _partition(block: blocks.PartitionTable, marks: Marks, digits: Digits) -> Table:
    head = [marks.name(name) for name in (block.attribute, *block.classes)]
    head += [marks.formula(symbol.tex) for symbol, _ in block.shares]
    body = block.body(marks.name, lambda share: marks.formula(value_tex(share, digits)))
    sides = "l" + "r" * (len(head) - 1)
    if not block.impurities:
        return Table(head, body, sides)
    impurities = ["-" if worked is None else marks.formula(_impurity(worked, digits)) for worked in block.impurities]
    cells = [[*row, cell] for row, cell in zip_longest(body, impurities, fillvalue="")]
    return Table([*head, marks.formula(block.symbol.tex)], cells, sides + "l")


def _impurity(worked: Worked, digits: Digits) -> str:
    if not worked:
        return "0"
    found = chain(worked, digits)
    expression = "" if found.expression is None else " ".join(tex_pieces(found.expression))
    return f"{expression} {_values(found)}".strip().removeprefix("= ")
