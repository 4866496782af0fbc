"""Whether a derivation is closed: each figure in its arithmetic follows from figures before it, or from the table.

A line of arithmetic has formulas and what they come to. A figure in its first formula has a source if

1. it is printed above, in a heading, a table or a formula, with as many digits, with more or fewer of them, or as a
   decimal of six digits where it is a fraction;
2. or a formula above comes to it: its value, worked out with fifty digits, rounds to the figure;
3. or it is the sum of figures of one row or one column of a table above, a number of rows; or a quotient of two such
   figures, a share, or its reciprocal in a logarithm;
4. or it is a constant of the formulas: 0, 1, 2, or the base of a logarithm.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, islice, takewhile
from math import comb, erfc, sqrt

from tests.views.calculator import ROUNDED, NotArithmeticError, worked_out

_NUMERAL = re.compile(r"(?<![\w.])(?:\d+/[1-9]\d*|\d+(?:\.\d+)?)(?![\w.]*[A-Za-z])")
_SIGN = re.compile(r" [=≈] ")
_STATED = re.compile(
    r" ≈ [\d.]+, \S+ ≈ |^ +\d+(, for .*?)? {2,}[^·(−]* ≈ [^·(−]*$|^(leaf|predicts)  |^ {4}\S+\(D_i\) . \S+$"
)
"""A row of a table, or a fact, in which a rounded figure stands."""
_WEIGHT = re.compile(r"^/.*   (?:a weight of (?:≈ )?)?([\d./]+)(?: rows?)?(?::|$)")
_CONFIDENCE = re.compile(r"^CF = (\S+) ")
_UNIT = re.compile(r" bits?$")
SEARCHED = ("C(D, ", "leaves(D, ")
"""Sums of what the search through all trees found for each branch; they have no other source."""
SIX = 6
"""The decimals of a figure whose fraction may stand further below."""
RECENT = 60
"""So many figures of the rows above are looked at for a share, which is a quotient of two of them."""
EXACTLY = 600
"""The same for a share that is written as a fraction."""
MILLIONTH = Fraction(1, 2 * 10**6)
"""How far a fraction may be from a quotient of decimals of its line."""
SIX_DIGITS = Fraction(1, 10**5)
"""How far a quotient of two figures of six digits may be from that of the numbers, as a part of it."""
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
        self._printed: set[Fraction] = set()
        """The figures as they stand there."""
        self._weights: list[Fraction] = []
        """The weights of the nodes."""
        self._beside: list[Fraction] = []
        """Other figures of a line that is read."""
        self._slack = Fraction(0)
        """By how much of itself a quotient of weights may be wrong, since some of them are rounded."""
        self._confidences: list[Fraction] = []
        self._add({*CONSTANTS, self._whole, *given})

    def _add(self, figures: Iterable[Fraction]) -> None:
        for figure in figures:
            place = bisect_left(self._known, figure)
            if self._known[place : place + 1] != [figure]:
                self._known.insert(place, figure)

    def line(self, text: str) -> list[str]:
        """Read a line; the figures in its arithmetic that have no source."""
        self._confidences += [Fraction(figure) for figure in _CONFIDENCE.findall(text)]
        self._slack = max(self._slack, SIX_DIGITS * ("  ≈ " in text or (text.startswith("/") and "≈ " in text)))
        text = ROUNDED.sub(r"\1", text)
        if text.startswith("/") or _STATED.search(text):
            self._table(text.replace("≈ ", ""))
            self._weights += [Fraction(weight) for weight in _WEIGHT.findall(text)]
            self._add(_figures(text))
            return []
        sides = _SIGN.split(_UNIT.sub("", text.rstrip()))
        cell = re.split(r" {3,}", sides[0])[-1]  # of the row of a table, the last cell is meant
        self._table(sides[0][: len(sides[0]) - len(cell)])
        formulas = [side for side in (cell, *sides[1:]) if _is_arithmetic(side)]
        missing = []
        if len(sides) > 1 and formulas:
            self.equalities += len(formulas) - _is_arithmetic(cell)
            self._add(abs(worked_out(part)) for part in _parts(formulas[0]) if all(map(self.has, _numerals(part))))
            self._beside = [*_figures(sides[0]), *map(Fraction, _numerals(formulas[0]))]
            missing = [numeral for numeral in _numerals(formulas[0]) if not self.has(numeral)]
            self._beside = []
            if len(sides) == 2 and missing == [sides[1]] == [formulas[0]] and self.solves(sides[0], sides[1]):
                missing = []
            self._add(abs(worked_out(part)) for formula in formulas for part in (formula, *_parts(formula)))
        if not formulas:
            self._table(text)
        self._printed |= {*_figures(text)}
        self._add(_figures(text))
        return missing

    def solves(self, name: str, figure: str) -> bool:
        """Whether a figure solves the equation of an upper limit, or of a deviate of the normal distribution."""
        (confidence,) = self._confidences or [Fraction(0)]
        half = Fraction(1, 2 * 10 ** len(figure.partition(".")[2]))
        ends = [Fraction(figure) - half, Fraction(figure) + half]
        if limit := re.fullmatch(r"U\((\d+), (\d+)\) *", name):
            errors, rows = map(int, limit.groups())
            above, below = (sum(comb(rows, k) * u**k * (1 - u) ** (rows - k) for k in range(errors + 1)) for u in ends)
        elif name.strip() == "z":
            above, below = (Fraction(erfc(z / sqrt(2)) / 2) for z in ends)
        else:
            return False
        return below <= confidence <= above

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
        self._recent = [*self._recent, *row, *sums, *columns][-EXACTLY:]

    def has(self, numeral: str) -> bool:
        """Whether a figure has a source."""
        if "/" in numeral and all(map(self.has, numeral.split("/"))):
            return True
        value, places = Fraction(numeral), len(numeral.partition(".")[2])
        half = Fraction(1, 2 * 10**places) if places else Fraction(0)
        if self._is_known(value, half) or ("/" in numeral and round(value, SIX) in self._printed):
            return True
        if any(
            self._is_longer(value, fewer) for fewer in range(min(6, max(places - 5, 6 - len(str(int(value))))), places)
        ):
            return True
        shares = (value, 1 / value) if value else ()
        if value and self._is_known(1 / value, half / value**2 + MILLIONTH):
            return True
        above = self._recent[-(RECENT if half else EXACTLY) :]
        return any(
            self._is_share(share, half, above) or self._is_share(share, half or MILLIONTH, []) for share in shares
        )

    def _is_known(self, value: Fraction, half: Fraction) -> bool:
        first = bisect_left(self._known, value - half)
        return first < len(self._known) and self._known[first] <= value + half

    def _is_share(self, share: Fraction, half: Fraction, above: list[Fraction]) -> bool:
        """Whether a figure is a quotient of two figures, of the rows above or of its line; then it is one itself."""
        half = max(half, share * self._slack)
        of = sorted({*above, self._whole, *self._weights, *self._beside} - {share, 1 / share if share else share})
        places = [(y, bisect_left(of, (share - half) * y)) for y in of if y > 0]
        found = any(place < len(of) and of[place] <= (share + half) * y for y, place in places)
        self._add([share] * found)
        return found

    def _is_longer(self, value: Fraction, places: int) -> bool:
        """Whether a figure is one of fewer decimals above, with more of them."""
        half = Fraction(51, 100 * 10**places)
        found = islice(self._known, bisect_left(self._known, value - half), None)
        return any(round(one, places) == one for one in takewhile(lambda one: one <= value + half, found))


def unsourced(page: str, given: Iterable[Fraction] = (), whole: int = 0) -> tuple[int, list[str]]:
    """The number of equalities of a page, and its figures without a source, each with its line."""
    read, missing = Page(given, whole), list[str]()
    preface, nodes, rest = page.partition("\n\nThe nodes")
    if nodes:
        read.line(preface)
    for line in re.sub(r"\n +(?=[=≈+−] )", " ", nodes + rest if nodes else page).splitlines():
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
    """What stands in brackets of a formula, and its first terms added up."""
    for part in re.findall(r"\(([^()]*)\)", formula):
        if _is_arithmetic(part):
            yield part
    signs = [sign.start() for sign in re.finditer(r" [+−] ", formula)]
    yield from (part for sign in signs if _is_arithmetic(part := formula[:sign]))
    yield from re.findall(r"(?<![·/\d] )(?<![·/\d.])[\d./]*\d \+ \d[\d./]*(?! ?[·/²\d])", formula)


def _numerals(formula: str) -> list[str]:
    return list(_NUMERAL.findall(re.sub(r"log\d+|\^\d+", "", formula)))


def _figures(text: str) -> Iterator[Fraction]:
    for numeral in re.findall(r"\d+/[1-9]\d*|\d+(?:\.\d+)?", text):
        yield Fraction(numeral)
