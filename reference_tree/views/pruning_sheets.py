"""Sheets: tables of decisions, before they are written as text or as a page.

A derivation is made of blocks. Where a pruning is told with a line for each decision, it is made of sheets; both may
stand in one page.

1. `figure` writes a number of a sheet exactly, `rounded` as a decimal; `score` tells how good a tree is.
2. `write` writes a page of sheets and blocks, as text for a terminal or as Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias, cast

from reference_tree.exact.log_sums import Number
from reference_tree.exact.long_numbers import is_deferred, shortened
from reference_tree.exact.rationals import Rational, exact_text
from reference_tree.exact.rounding import decimal, significant
from reference_tree.selection.validation import Judged
from reference_tree.views import board, markdown
from reference_tree.views.arrivals import EXACT, weight_text
from reference_tree.views.blocks import Block
from reference_tree.views.names import markdown_name, padded, width
from reference_tree.views.notation import PLACES


class Sheet(NamedTuple):
    """A table of decisions."""

    title: str
    """What is decided."""
    head: tuple[str, ...]
    """What the columns are; the first names the line."""
    sides: str
    """For each column whether it stands to the left, `l`, or to the right, `r`."""
    rows: tuple[tuple[str, ...], ...]


Page: TypeAlias = Iterable[Sheet | Block]
Form: TypeAlias = Literal["text", "markdown"]


def figure(number: Number) -> str:
    """A figure of a decision: exact if it is rational and short, otherwise rounded.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> figure(Fraction(1, 150)), figure(log(8)), figure(log(3)), figure(Fraction(1, 3) ** 32)
        ('1/150', '3', '1.584963', '≈ 0.00000000000000053966')
    """
    value = number if isinstance(number, int | Fraction) else number.as_rational()
    if value is None:
        return rounded(number)
    value = shortened(value, 2 * EXACT)
    if is_deferred(value):
        return weight_text(value)
    short = value.denominator == 1 or value.numerator.bit_length() + value.denominator.bit_length() <= 2 * EXACT
    return exact_text(value).replace("-", "−") if short else weight_text(value)


def rounded(number: Number) -> str:
    """A figure as a decimal, without needless zeros if it ends early.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> rounded(Fraction(57, 5)), rounded(log(3)), rounded(log(8)), rounded(Fraction(1, 3))
        ('11.4', '1.584963', '3', '0.333333')
    """
    value = number if isinstance(number, int | Fraction) else number.as_rational()
    written = decimal(number, PLACES)
    if value is not None and Fraction(written) == value:
        written = written.rstrip("0").rstrip(".")
    return written.replace("-", "−")


def score(errors: Rational, judged: Judged, *, numbers: bool) -> str:
    """How good a tree is on the validation rows: its accuracy in per cent, or the mean of its squared errors.

    Args:
        errors: what it gets wrong.
        judged: of the validation rows.
        numbers: whether it predicts numbers.

    Example:
        >>> score(3, Judged(7, [], []), numbers=False), score(3, Judged(7, [], []), numbers=True)
        ('57.1 %', '0.428571')
    """
    share = Fraction(errors) / Fraction(judged.weight)
    return significant(share, 6) if numbers else f"{decimal(100 * (1 - share), 1)} %"


def write(page: Page, form: Form) -> Iterator[str]:
    """The lines of a page.

    Example:
        >>> prices = Sheet("Prices", ("node", "α"), "lr", (("/", "1/2"), ("/wind=weak", "1/14")))
        >>> for line in write([prices], "text"):
        ...     print(line)
        Prices
        <BLANKLINE>
        node            α
        /             1/2
        /wind=weak   1/14
    """
    for number, part in enumerate(_parts(page, form)):
        if number:
            yield ""
        yield from part


def _parts(page: Page, form: Form) -> Iterator[Iterator[str]]:
    """The lines of each sheet, and of the blocks between two of them."""
    table, derivation = (_text, board.write) if form == "text" else (_markdown, markdown.write)
    for is_sheet, items in groupby(page, key=lambda item: isinstance(item, Sheet)):
        if is_sheet:
            yield from map(table, cast(Iterator[Sheet], items))
        else:
            yield derivation(cast(Iterator[Block], items))


def _text(sheet: Sheet) -> Iterator[str]:
    """Cells under one another; where names are too long for that, each has a line of its own, above its figures."""
    yield sheet.title
    if not sheet.rows:
        return
    yield ""
    rows = [sheet.head, *sheet.rows]
    lines = _aligned(rows, sheet.sides)
    if max(map(width, lines)) <= board.WIDTH:
        yield from lines
        return
    for row, line in zip(rows, _aligned([row[1:] for row in rows], sheet.sides[1:]), strict=True):
        yield from (row[0], f"    {line}")


def _aligned(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    rooms = [max(map(width, column)) for column in zip(*rows, strict=True)]
    cells = [[*zip(row, rooms, sides, strict=True)] for row in rows]
    return ["   ".join(padded(cell, room, left=side == "l") for cell, room, side in row).rstrip() for row in cells]


def _markdown(sheet: Sheet) -> Iterator[str]:
    yield f"**{markdown_name(sheet.title)}**"
    if not sheet.rows:
        return
    yield ""
    rule = [":--" if side == "l" else "--:" for side in sheet.sides]
    named = [[markdown_name(cell) for cell in row] for row in (sheet.head, *sheet.rows)]
    yield from (f"| {' | '.join(row)} |" for row in (named[0], rule, *named[1:]))
