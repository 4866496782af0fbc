"""Whether a derivation is closed: each figure in its arithmetic follows from figures before it, or from the table.

A line of arithmetic has formulas and what they come to. A figure in its first formula has a source if

1. it is printed above, in a heading, a table or a formula, with as many digits, or with more or fewer of them;
2. or a formula above comes to it: its value, worked out with fifty digits, rounds to the figure;
3. or it is the sum of figures of one row or one column of a table above, a number of rows; or a quotient of two such
   figures, a share;
4. or it is a constant of the formulas: 0, 1, 2, or the base of a logarithm.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, islice, takewhile

from tests.views.calculator import NotArithmeticError, worked_out

_NUMERAL = re.compile(r"(?<![\w.])(?:\d+/[1-9]\d*|\d+(?:\.\d+)?)(?![\w.]*[A-Za-z])")
_SIGN = re.compile(r" [=≈] ")
_UNIT = re.compile(r" bits?$")
SEARCHED = ("C(D, ", "leaves(D, ")
"""Sums of what the search through all trees found for each branch; they have no other source."""
RECENT = 60
"""So many figures of the rows above are looked at for a share, which is a quotient of two of them."""
CONSTANTS = frozenset(map(Fraction, (0, 1, 2)))


class Page:
    """What is printed so far."""

    def __init__(self, given: Iterable[Fraction] = (), whole: int = 0) -> None:
        """With the figures of the table that is given, and the number of its rows."""
        self._known: list[Fraction] = []
        self.equalities = 0
        self._rows: list[list[Fraction]] = []
        self._recent: list[Fraction] = []
        self._whole = Fraction(whole)
        self._add({*CONSTANTS, self._whole, *given})

    def _add(self, figures: Iterable[Fraction]) -> None:
        for figure in figures:
            place = bisect_left(self._known, figure)
            if self._known[place : place + 1] != [figure]:
                self._known.insert(place, figure)

    def line(self, text: str) -> list[str]:
        """Read a line; the figures in its arithmetic that have no source."""
        sides = _SIGN.split(_UNIT.sub("", text.rstrip()))
        cell = re.split(r" {3,}", sides[0])[-1]  # of the row of a table, the last cell is meant
        self._table(sides[0][: len(sides[0]) - len(cell)])
        formulas = [side for side in (cell, *sides[1:]) if _is_arithmetic(side)]
        missing = []
        if len(sides) > 1 and formulas:
            self.equalities += len(formulas) - _is_arithmetic(cell)
            missing = [numeral for numeral in _numerals(formulas[0]) if not self.has(numeral)]
            self._add(abs(worked_out(part)) for formula in formulas for part in (formula, *_parts(formula)))
        if text.startswith("/") or not formulas:
            self._table(text)
        self._add(_figures(text))
        return missing

    def searched(self, text: str) -> None:
        """Read a sum of what a search found."""
        self.equalities += text.count(" = ") + text.count(" ≈ ") - 1
        self._add(_figures(text))

    def _table(self, text: str) -> None:
        """Add the cells of a row of a table, and what the row, and the columns of it and the rows above, come to."""
        row = list(_figures(text))
        if not row:
            self._rows = []
            return
        self._rows.append(row)
        sums = {sum(some, Fraction(0)) for many in (2, 3, len(row)) for some in combinations(row[-8:], many)}
        down = [sum((one[place] for one in self._rows), Fraction(0)) for place in range(min(map(len, self._rows)))]
        columns = {*down, *(sum(down[:classes], Fraction(0)) for classes in (2, 3))}
        self._add({*row, *sums, *columns})
        self._recent = [*self._recent, *row, *sums, *columns][-RECENT:]

    def has(self, numeral: str) -> bool:
        """Whether a figure has a source."""
        if "/" in numeral and all(map(self.has, numeral.split("/"))):
            return True
        value, places = Fraction(numeral), len(numeral.partition(".")[2])
        half = Fraction(1, 2 * 10**places) if places else Fraction(0)
        first = bisect_left(self._known, value - half)
        if first < len(self._known) and self._known[first] <= value + half:
            return True
        if any(self._is_longer(value, fewer) for fewer in range(max(places - 3, 3), places)):
            return True
        of = [*self._recent, self._whole]
        return any(y and abs(x / y - value) <= half for x in of for y in of)

    def _is_longer(self, value: Fraction, places: int) -> bool:
        """Whether a figure is one of fewer decimals above, with more of them."""
        half = Fraction(51, 100 * 10**places)
        found = islice(self._known, bisect_left(self._known, value - half), None)
        return any(round(one, places) == one for one in takewhile(lambda one: one <= value + half, found))


def unsourced(page: str, given: Iterable[Fraction] = (), whole: int = 0) -> tuple[int, list[str]]:
    """The number of equalities of a page, and its figures without a source, each with its line."""
    read, missing = Page(given, whole), list[str]()
    preface, nodes, rest = page.partition("\n\nThe nodes")
    read.line(preface)
    for line in re.sub(r"\n\s+(?=[=≈+−] )", " ", nodes + rest).splitlines():
        if line.startswith(SEARCHED):
            read.searched(line)
            continue
        missing += [f"{figure} in {line!r}" for figure in read.line(line)]
    return read.equalities, missing


def _is_arithmetic(text: str) -> bool:
    try:
        worked_out(text)
    except (NotArithmeticError, ZeroDivisionError):
        return False
    return True


def _parts(formula: str) -> Iterator[str]:
    """What stands in brackets of a formula, and its terms."""
    for part in re.findall(r"\(([^()]*)\)", formula):
        if _is_arithmetic(part):
            yield part


def _numerals(formula: str) -> list[str]:
    return list(_NUMERAL.findall(re.sub(r"log\d+|\^\d+", "", formula)))


def _figures(text: str) -> Iterator[Fraction]:
    for numeral in re.findall(r"\d+/[1-9]\d*|\d+(?:\.\d+)?", text):
        yield Fraction(numeral)
