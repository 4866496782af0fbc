"""A pocket calculator, held against the printed lines of a derivation.

It knows nothing but what is printed: it takes the figures of a line as they stand there, works the formula out with
fifty digits, rounds once to as many decimals as the result has, and the two have to be the same.
"""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from fractions import Fraction

_TOKEN = re.compile(r"log(\d+)|ln|\d+(?:\.\d+)?|[()|+−·/²^√]")
_SIGN = re.compile(r" ([=≈]) ")
_UNIT = re.compile(r" bits?$")

ROUNDED = re.compile(r"( {2,})≈ (?=[\d.]+(?: {2,}|$))")
"""The sign before a cell of a table that is rounded."""

DIGITS = 50
"""What the calculator works with."""


def check(text: str) -> int:
    """Work out every arithmetic line of a text, and every difference; how many there were."""
    found = 0
    for line in re.sub(r"\n\s+(?=[=≈+−] )", " ", text).splitlines():
        found += check_line(line)
    return found + sum(map(check_ranking, re.split(r"\n\n", text)))


def check_line(line: str) -> int:
    """Work out a line, if there is arithmetic in it; how many results it has."""
    line = ROUNDED.sub(r"\1", line)
    line = re.sub(r"^.*falls short: (.*) < .*$", r"\1", line)
    line = re.sub(r"^.*agrees in ([^:]*):.*$", r"\1", line)
    if match := re.fullmatch(r"(.* ≈ )([\d.−]+)(?: bits?)? = (.*) exactly", line):
        start, rounded, exact = match.groups()
        check_statement(exact, "≈", rounded, line)
        line = start + rounded
    parts = _SIGN.split(_UNIT.sub("", line.rstrip()))
    sides, signs = parts[::2], parts[1::2]
    if not signs:
        return 0
    first = next((n for n in reversed(range(len(sides))) if not _is_arithmetic(sides[n])), -1)
    if first >= 0:  # of the row of a table, the last cell is meant
        cell = re.split(r" {3,}", sides[first])[-1]
        if _is_arithmetic(cell):
            sides, signs = [cell, *sides[first + 1 :]], signs[first:]
        else:
            sides, signs = sides[first + 1 :], signs[first + 1 :]
    for sign, side in zip(signs, sides[1:], strict=True):
        check_statement(sides[0], sign, side, line)
    return max(len(sides) - 1, 0)


def check_statement(formula: str, sign: str, side: str, line: str) -> None:
    """Whether a calculator comes from the formula to the other side."""
    value, result = worked_out(formula), worked_out(side)
    if sign == "=":
        assert abs(value - result) < Fraction(1, 10**40), f"not equal in {line!r}"
        return
    assert re.fullmatch(r"−?\d+(?:\.\d+)?", side), f"{side!r} is no rounded figure in {line!r}"
    decimals = len(side.partition(".")[2])
    assert round(value, decimals) == result, f"{float(round(value, decimals))} and not {side} in {line!r}"


def check_ranking(block: str) -> int:
    """Work out by how much each candidate of a ranking is behind, and the margin below it."""
    lines = [re.fullmatch(r"(?:\S.*\))? +(−?\d+(?:\.\d+)?)   (.*)", line) for line in block.splitlines()]
    ranked = [(worked_out(match[1]), match[2]) for match in lines if match]
    best = next((score for score, fate in ranked if fate.startswith(("chosen", "the best", "exact tie"))), None)
    found = 0
    for score, fate in ranked:
        if match := re.match(r"(behind|ahead) by ([\d.]+)", fate):
            assert best is not None
            apart = best - score if match[1] == "behind" else score - best
            decimals = len(match[2].partition(".")[2])
            assert round(apart, decimals) == Fraction(match[2]), f"{float(apart)} and not {match[2]} in {block!r}"
            found += 1
    return found


def _is_arithmetic(text: str) -> bool:
    try:
        worked_out(text)
    except NotArithmeticError:
        return False
    return True


class NotArithmeticError(ValueError):
    """A text is no formula of figures."""


def worked_out(formula: str) -> Fraction:
    """The value of a formula; of a logarithm, fifty digits."""
    tokens = [match[0] for match in _TOKEN.finditer(formula)]
    if _TOKEN.sub("", formula).strip() or "   " in formula.strip():
        raise NotArithmeticError(formula)
    try:
        return _Parser(tokens).value()
    except (IndexError, ValueError) as error:
        raise NotArithmeticError(formula) from error


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def value(self) -> Fraction:
        result = self.sum()
        if self.tokens:
            raise ValueError(f"left over: {self.tokens}")
        return result

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def close(self, bracket: str) -> None:
        if self.tokens.pop(0) != bracket:
            raise ValueError(f"no {bracket}")

    def sum(self) -> Fraction:
        result = self.product()
        while self.peek() in ("+", "−"):
            result = result + self.product() if self.tokens.pop(0) == "+" else result - self.product()
        return result

    def product(self) -> Fraction:
        result = self.power()
        while self.peek() in ("·", "/"):
            result = result * self.power() if self.tokens.pop(0) == "·" else result / self.power()
        return result

    def power(self) -> Fraction:
        if self.peek() == "−":
            self.tokens.pop(0)
            return -self.power()
        result = self.atom()
        if self.peek() == "²":
            self.tokens.pop(0)
            result **= 2
        elif self.peek() == "^":
            self.tokens.pop(0)
            result = power(result, self.atom())
        return result

    def atom(self) -> Fraction:
        token = self.tokens.pop(0)
        if token == "(":
            result = self.sum()
            self.close(")")
            return result
        if token == "|":
            result = abs(self.sum())
            self.close("|")
            return result
        if token == "√":
            return power(self.atom(), Fraction(1, 2))
        if token.startswith("l"):
            return logarithm(self.atom(), token.removeprefix("log"))
        return Fraction(token)


def power(x: Fraction, exponent: Fraction) -> Fraction:
    """A power to fifty digits."""
    with localcontext() as context:
        context.prec = DIGITS + 5
        base, by = (Decimal(number.numerator) / number.denominator for number in (x, exponent))
        return Fraction(base**by)


def logarithm(x: Fraction, base: str) -> Fraction:
    """A logarithm to fifty digits; `ln` is the natural one."""
    with localcontext() as context:
        context.prec = DIGITS + 5
        found = (Decimal(x.numerator) / x.denominator).ln()
        return Fraction(found if base == "ln" else found / Decimal(base).ln())


_FRACTION_FIGURE = re.compile(r"(?:^|[·+−(] ?)\(?\d+/\d+\)?(?= [+−]|\)|$)(?!\)²)")
# A fraction that is a term of a sum or a factor in it. What stands before a factor is a share: `9/14·0.5`.


def mixed(text: str) -> list[str]:
    """The sums in which a figure is a fraction and another one a decimal; not those of logarithms and roots."""
    found = []
    for line in re.sub(r"\n\s+(?=[=≈+−] )", " ", text).splitlines():
        for side in _SIGN.split(re.sub(r"^.* {3,}", "", line)):
            is_sum = " + " in side or " − " in side
            if is_sum and _is_arithmetic(side) and "." in side and _FRACTION_FIGURE.search(side):
                found.append(side)
    return found
