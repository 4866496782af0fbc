r"""Notation: exact and worked numbers as text for a terminal and as TeX for a page.

Both are read off the same expression (`reference_tree.exact.worked`), so the two can only say the same. A step that
is a formula of its own appears inside another one as its value: exact if it is rational, otherwise with six decimals;
`opened` shows what is in it.

1. `text` and `tex` write an expression; `summands` is where a long one can be broken.
2. `value_text`, `value_tex` and `decimal_of` write a value; `figure` and `rounded` do so in a table of decisions.
3. `chain` is what stands behind a quantity: the expression, `=` what is equal to it, `≈` what is rounded.
4. `exact_text` and `exact_tex` write a sum of logarithms in full, with the logarithms of primes alone. In these there
   is one form of each number, because the logarithms of primes are linearly independent over the rationals: 2·log2 12
   is 4 + 2·log2 3, and two gains are equal exactly when they are written alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from reference_tree.exact import rationals
from reference_tree.exact.binomial_limits import LimitSum
from reference_tree.exact.log_ratios import LogRatio, LogRatioDifference
from reference_tree.exact.log_sums import LogSum, Number
from reference_tree.exact.logarithms import Base
from reference_tree.exact.radicals import RadicalSum
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import decimal, significant
from reference_tree.exact.worked import Worked
from reference_tree.views.figures import EXACT, if_short, weight_text

PLACES = 6
"""Decimals of an irrational number."""

TRIAL = 1 << 16
"""The largest divisor that is tried to take a number apart. What is left then is shown as it is, which is as true,
though it may not be the only form."""

_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
# How tightly an operation binds; what is not listed stands for itself.


# Values.


class _Form:
    """A number by the way it is written down: what costs much to find out of it is found out once."""

    __slots__ = ("key", "number")

    def __init__(self, number: LogSum | LogRatio | LogRatioDifference) -> None:
        self.number, self.key = number, _form_of(number)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Form) and self.key == other.key


def _form_of(number: LogSum | LogRatio | LogRatioDifference) -> tuple[Any, ...]:
    if isinstance(number, LogSum):
        return (tuple(number.terms.items()), number.constant, number.base)
    if isinstance(number, LogRatio):
        return ("/", _form_of(number.numerator), _form_of(number.denominator))
    return ("-", _form_of(number.first), _form_of(number.second))


def rational_value(number: Number) -> Fraction | None:
    """The value of an exact number as a fraction, if it has one."""
    if isinstance(number, LogSum | LogRatio | LogRatioDifference):
        return _rational_of(_Form(number))
    return number.as_rational() if isinstance(number, RadicalSum | LimitSum) else Fraction(number)


@lru_cache(maxsize=1 << 14)
def _rational_of(form: _Form) -> Fraction | None:
    return form.number.as_rational()


@lru_cache(maxsize=1 << 14)
def _decimal_of(form: _Form, places: int) -> str:
    return decimal(form.number, places)


def decimal_of(number: Number, places: int = PLACES) -> str:
    """The value as a decimal, without needless zeros if it ends early, and with more digits where it would round to 0.

    Example:
        >>> decimal_of(Fraction(1, 2)), decimal_of(0), decimal_of(Fraction(1, 3)), decimal_of(Fraction(2, 3 * 10**9))
        ('0.5', '0', '0.333333', '0.000000000667')
    """
    irrational = isinstance(number, LogSum | LogRatio | LogRatioDifference)
    written = _decimal_of(_Form(number), places) if irrational else decimal(number, places)
    if not Fraction(written):
        return significant(number, 3) if number else "0"
    return _stripped(written, rational_value(number))


def _stripped(written: str, value: Rational | None) -> str:
    """A decimal without needless zeros, if it ends early."""
    ends = value is not None and "." in written and Fraction(written) == value
    return written.rstrip("0").rstrip(".") if ends else written


def value_text(number: Number) -> str:
    """The value of an exact number: exact if it is rational, as a decimal where that is shorter; otherwise rounded.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> value_text(entropy([1, 1])), value_text(Fraction(12, 35)), value_text(entropy([9, 5]))
        ('1', '12/35', '0.940286')
        >>> value_text(Fraction(1, 2)), value_text(Fraction(46141, 2500))
        ('1/2', '18.4564')
    """
    value = rational_value(number)
    if value is None:
        return decimal_of(number)
    written, fraction = decimal_text(value), str(value)
    return written if len(written) < len(fraction) else fraction


def value_tex(number: Number) -> str:
    r"""The value of an exact number as TeX: `12/35` is `\frac{12}{35}`."""
    value = rational_value(number)
    written = value_text(number)
    if value is None or "/" not in written:
        return written
    sign, size = ("-" if value < 0 else ""), abs(value)
    return sign + (str(size) if size.denominator == 1 else rf"\frac{{{size.numerator}}}{{{size.denominator}}}")


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
    short = if_short(value, 2 * EXACT)
    return weight_text(value) if short is None else rationals.exact_text(short).replace("-", "−")


def rounded(number: Number) -> str:
    """A figure of a decision as a decimal, without needless zeros if it ends early."""
    value = number if isinstance(number, int | Fraction) else number.as_rational()
    return _stripped(decimal(number, PLACES), value).replace("-", "−")


def compared(left: Number, right: Number, write: Callable[[Number], str] = figure) -> str:
    """Two numbers with the sign between them, and with as many decimals as it takes to see it.

    Args:
        left: a number.
        right: another one.
        write: how they are written.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> compared(8, log(3)), compared(log(9), 2 * log(3)), compared(log(3), log(3) + log(2) / 10**8)
        ('8 > 1.584963', '3.169925 = 3.169925', '1.584962500721 < 1.584962510721')
    """
    sign = "=" if left == right else "<" if left < right else ">"
    one, other = write(left), write(right)
    if sign != "=" and one.removeprefix("≈ ") == other.removeprefix("≈ "):
        places = places_apart(left, right, 2 * PLACES)
        one, other = decimal(left, places), decimal(right, places)
    return f"{one} {sign} {other}"


def places_apart(left: Number, right: Number, places: int = PLACES) -> int:
    """How many decimals it takes to see that two numbers differ; no more than the usual ones if they do not."""
    while left != right and decimal(left, places) == decimal(right, places):
        places *= 2
    return places


# Expressions.


class Relation(NamedTuple):
    """A step of a chain: `=` or `≈`, and what stands behind it."""

    sign: str
    right: str


def chain(quantity: Worked, write: Callable[[Worked], str], value: Callable[[Number], str]) -> list[Relation]:
    """What a quantity is: the formula with the figures put in, its value if that is rational, and its decimal.

    Args:
        quantity: the result of a formula.
        write: how an expression is written, `text` or `tex`.
        value: how a value is written, `value_text` or `value_tex`.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.gini_index import gini
        >>> [f"{sign} {right}" for sign, right in chain(gini(work([9, 5])), text, value_text)]
        ['= 1 − ((9/14)² + (5/14)²)', '= 45/98', '≈ 0.459184']
    """
    decimals = decimal_of(quantity.value)
    exact = None if is_rounded(quantity) else rational_value(quantity.value)
    is_figure = quantity.operation == "number" and quantity.name is not None
    found = [] if is_figure else [Relation("=", write(opened(quantity)))]
    if exact is not None:
        found.append(Relation("=", value(quantity.value)))
    found.append(Relation("=" if exact is not None and Fraction(decimals) == exact else "≈", decimals))
    return list({relation.right: relation for relation in reversed(found)}.values())[::-1]


def is_rounded(expression: Worked) -> bool:
    """Whether a number in an expression is written as it was rounded, so that it leads to a rounded result."""
    pending = [expression]
    while pending:
        one = pending.pop()
        if one.operation == "number" and one.name:
            return True
        pending += one.operands if one.operation != "quantity" else ()
    return False


def opened(quantity: Worked) -> Worked:
    """The expression inside the result of a formula; where that is but another formula's result, the one inside it."""
    while quantity.operation == "quantity":
        quantity = quantity.operands[0]
    return quantity


def summands(expression: Worked) -> list[tuple[str, Worked]]:
    """The terms of a sum, each with the sign before it; of anything else, the one term it is."""
    found = []
    while expression.operation in ("+", "-"):  # a loop: a sum over an attribute's values may have thousands of terms
        expression, last = expression.operands[0], (str(expression.operation), expression.operands[1])
        found.append(last)
    return [("+", expression), *reversed(found)]


def text(expression: Worked) -> str:
    """An expression as text.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.entropy import entropy
        >>> print(text(opened(entropy(work([9, 5])))))
        9/14·log2(14/9) + 5/14·log2(14/5)
    """
    match expression.operation:
        case "number" | "quantity":
            return _number_text(expression)
        case "log":
            return f"{_log_text(expression.name)}({text(expression.operands[0])})"
        case "abs":
            return f"|{text(expression.operands[0])}|"
        case "root" if expression.operands[1] == Fraction(1, 2):
            return f"√({text(expression.operands[0])})"
        case "root":
            return f"{_bracketed(expression.operands[0], 3, strictly=True)}^({text(expression.operands[1])})"
        case "*" if _is_one_distance(expression):
            return text(expression.operands[1])
        case "^":
            base = _bracketed(_folded(expression.operands[0]), 3, strictly=True)
            return base + text(expression.operands[1]).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        case "*" | "/" as sign:
            left, right = map(_folded, expression.operands)
            bar = "/" if _is_short(left) and _is_short(right) else " / "
            return _bracketed(left, 2) + ("·" if sign == "*" else bar) + _bracketed(right, 2, strictly=True)
    (_, first), *others = summands(expression)
    return text(first) + "".join(
        f" {'−' if s == '-' else '+'} {_bracketed(term, 1, strictly=s == '-')}" for s, term in others
    )


def _number_text(expression: Worked) -> str:
    """A number as text: a weight as in the data, whether given or added up; the result of a formula as its value."""
    if expression.operation == "number" and expression.name:
        return str(expression.name).replace("-", "−")
    is_whole = isinstance(expression.value, int | Fraction) and expression.value.denominator == 1
    written = decimal_text(expression.value) if is_whole or _is_weight(expression) else value_text(expression.value)
    return written.replace("-", "−")


def _is_weight(expression: Worked) -> bool:
    """Whether a number was given, or added up from such numbers."""
    pending = [expression]
    while pending:
        one = pending.pop()
        if one.operation not in ("number", "+", "quantity"):
            return False
        pending += one.operands
    return True


def _folded(expression: Worked) -> Worked:
    """An expression inside another one: numbers of the data that were only added up are one number there."""
    adds_up = expression.operation == "+" and _is_weight(expression)
    return Worked(expression.value, "number") if adds_up else expression


def _is_one_distance(product: Worked) -> bool:
    """Whether a product is a distance that counts once, and is written without saying so."""
    weight, distance = product.operands
    return weight.operation == "number" and weight == 1 and distance.operation == "abs"


def _is_short(expression: Worked) -> bool:
    """Whether an expression is but a number, so that a bar beside it needs no air."""
    return (
        expression.operation in ("number", "quantity")
        and rational_value(expression.value) is not None
        and _binding(expression, _number_text(expression)) == 4
    )


def _bracketed(operand: Worked, rank: int, strictly: bool = False) -> str:
    written = text(operand)
    bound = _binding(operand, written)
    return f"({written})" if bound < rank or (strictly and bound == rank) else written


def _binding(expression: Worked, written: str) -> int:
    if expression.operation in ("number", "quantity"):  # a fraction shown as p/q binds like a division
        return 1 if written.startswith("−") else 2 if "/" in written else 4
    return _RANK.get(expression.operation, 4)


def tex(expression: Worked) -> str:
    r"""An expression as TeX.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.entropy import entropy
        >>> print(tex(opened(entropy(work([9, 5])))))
        \frac{9}{14} \log_2 \frac{14}{9} + \frac{5}{14} \log_2 \frac{14}{5}
    """
    match expression.operation:
        case "number" | "quantity":
            written = _number_text(expression).replace("−", "-")
            return value_tex(expression.value) if "/" in written else written
        case "log":
            of = expression.operands[0]
            return f"{_log_tex(expression.name)} " + (rf"\left({tex(of)}\right)" if of.operation in "+-*^" else tex(of))
        case "abs":
            return rf"\left\lvert {tex(expression.operands[0])} \right\rvert"
        case "root" if expression.operands[1] == Fraction(1, 2):
            return rf"\sqrt{{{tex(expression.operands[0])}}}"
        case "root":
            return rf"\left({tex(expression.operands[0])}\right)^{{{text(expression.operands[1])}}}"
        case "*" if _is_one_distance(expression):
            return tex(expression.operands[1])
        case "^":
            base, exponent = map(_folded, expression.operands)
            plain = base.operation in ("number", "quantity") and not set("−/") & set(_number_text(base))
            written = tex(base) if plain else rf"\left({tex(base)}\right)"
            return f"{written}^{{{tex(exponent)}}}".replace("^{2}", "^2")
        case "/":
            above, below = map(_folded, expression.operands)
            return rf"\frac{{{tex(above)}}}{{{tex(below)}}}"
        case "*":
            left, right = map(_folded, expression.operands)
            return _tex_term(left) + (" " if right.operation == "log" else r" \cdot ") + _tex_term(right)
    return " ".join(tex_pieces(expression))


def tex_pieces(expression: Worked) -> list[str]:
    r"""A sum as TeX, cut before its signs: `1` and `+ \frac{2}{3}`."""
    (_, first), *others = summands(expression)
    return [tex(first), *(f"{sign} {_tex_term(term) if sign == '-' else tex(term)}" for sign, term in others)]


def _tex_term(expression: Worked) -> str:
    written = tex(expression)
    return rf"\left({written}\right)" if expression.operation in "+-" or written.startswith("-") else written


# Sums of logarithms in full.


def in_primes(number: LogSum) -> LogSum:
    """The same sum with the logarithms of primes alone, and a whole number for those of the base.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> in_primes(2 * log(12)), in_primes(log(9) - 2 * log(3))
        (4 + 2·log2(3), 0)
    """
    over, whole = number.over()
    terms = {n: Fraction(c, over) for n, c in whole}
    constant, base = terms.pop(1, Fraction(0)), number.base
    if not isinstance(base, int):
        return LogSum(_split(terms), constant, base)
    terms = _split({**terms, base: terms.get(base, 0) + constant})  # q is q·log_b b
    constant = terms.pop(base, Fraction(0))  # where the base is no prime, it has come apart as well
    return LogSum(terms, constant, base)


def _split(terms: Mapping[int, Fraction]) -> dict[int, Fraction]:
    split: dict[int, Fraction] = {}
    for n, c in terms.items():
        for prime in prime_factors(n):
            split[prime] = split.get(prime, Fraction(0)) + c
    return split


@lru_cache(maxsize=1 << 14)
def prime_factors(n: int) -> tuple[int, ...]:
    """The primes whose product is n, ascending, each as often as it divides n; what is left at `TRIAL` stays whole."""
    found, divisor = [], 2
    while divisor * divisor <= n and divisor < TRIAL:
        while n % divisor == 0:
            found.append(divisor)
            n //= divisor
        divisor += 1
    return (*found, n) if n > 1 else tuple(found)


def exact_text(number: LogSum) -> str:
    """A sum of logarithms over one denominator, as text. Numbers that are equal are written alike.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> print(exact_text(entropy([9, 5])))
        (14·log2 7 + 14 − 5·log2 5 − 18·log2 3) / 14
    """
    over, written = _over(number, _log_text(number.base), "·", "−")
    return f"({written}) / {over}" if over != 1 else written


def exact_tex(number: LogSum) -> str:
    r"""A sum of logarithms over one denominator, as TeX. Numbers that are equal are written alike.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> print(exact_tex(entropy([9, 5])))
        \tfrac{1}{14} \bigl(14 \log_2 7 + 14 - 5 \log_2 5 - 18 \log_2 3\bigr)
    """
    over, written = _over(number, _log_tex(number.base), " ", "-")
    return rf"\tfrac{{1}}{{{over}}} \bigl({written}\bigr)" if over != 1 else written


def _over(number: LogSum, log: str, times: str, minus: str) -> tuple[int, str]:
    """The common denominator, and the sum above it."""
    over, terms = in_primes(number).over()
    written = ""
    for n, coefficient in terms:
        size, factor = abs(coefficient), f"{log} {n}" if n > 1 else ""
        sign = minus if coefficient < 0 else "+"
        term = str(size) if not factor else factor if size == 1 else f"{size}{times}{factor}"
        written += f" {sign} {term}" if written else minus * (coefficient < 0) + term
    return over, written or "0"


def _log_text(base: Base) -> str:
    return "ln" if base == math.e else f"log{base}"


def _log_tex(base: Base) -> str:
    return r"\ln" if base == math.e else r"\log_2" if base == 2 else rf"\log_{{{base}}}"
