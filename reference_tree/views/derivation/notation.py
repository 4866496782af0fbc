r"""Notation: exact and worked numbers as text for a terminal and as TeX for a page.

No printed line contradicts its own digits. An expression is written in the figures that a reader sees, and is worked
out in these once more (`printed`): if they do not lead to the result as it is printed, they get more digits (`chain`).
So a pocket calculator finds every line right, though every value behind it is exact.

1. `Digits` says how figures are written: so many decimals, or exactly. `value_text` writes one.
2. `printed` is an expression in these figures; `text` and `tex` write it, `summands` is where a long one is broken.
3. `chain` is what stands behind a quantity: the expression, `=` what is equal to it, `≈` what is rounded.
4. `exact_text` and `exact_tex` write a sum of logarithms in full, with the logarithms of primes alone. In these there
   is one form of each number, because the logarithms of primes are linearly independent over the rationals: 2·log2 12
   is 4 + 2·log2 3, and two gains are equal exactly when they are written alike.
5. `figure`, `rounded` and `compared` write figures in a sentence or a table of decisions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import count
from operator import add, mul, sub, truediv
from typing import NamedTuple

from reference_tree.exact import rationals
from reference_tree.exact.binomial_limits import LimitSum
from reference_tree.exact.log_ratios import LogRatio, LogRatioDifference
from reference_tree.exact.log_sums import LogSum, Number, log
from reference_tree.exact.logarithms import Base
from reference_tree.exact.radicals import RadicalSum, root
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import decimal, significant
from reference_tree.exact.worked import Worked
from reference_tree.views.figures import EXACT, if_short, weight_text

PLACES = 6
"""Decimals of a number that is rounded, unless others are asked for."""

TRIAL = 1 << 16
"""The largest divisor that is tried to take a number apart. What is left then is shown as it is, which is as true,
though it may not be the only form."""


class Digits(NamedTuple):
    """How figures are written."""

    places: int = PLACES
    """Decimals of a number that is rounded."""
    exact: bool = False
    """Whether a rational number is never rounded, and a sum of logarithms written in full as well."""
    terms: int = 1000
    """A fraction is shown as one if its numerator and its denominator are less than this."""


USUAL = Digits()
"""Six decimals."""

_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
# How tightly an operation binds; what is not listed stands for itself.

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

SHORT = 12
"""Characters up to which two figures stand at a bar without blanks."""

_APPLIED: Mapping[str, Callable[[Worked, Worked], Worked]] = {"+": add, "-": sub, "*": mul, "/": truediv}


# Values.


def rational_value(number: Number) -> Fraction | None:
    """The value of an exact number as a fraction, if it has one that can be written down."""
    if isinstance(number, LogSum | LogRatio | LogRatioDifference):
        return number.as_rational()
    if isinstance(number, RadicalSum | LimitSum):
        return number.as_rational()
    if type(number) not in (int, Fraction):  # a number that is multiplied out only if it is short
        number = if_short(number, 2 * EXACT)
    return None if number is None else Fraction(number)


def decimal_of(number: Number, places: int = PLACES) -> str:
    """The value as a decimal, without needless zeros if it ends early, and with more digits where it would round to 0.

    It gets one more digit if it ends there, so that no value lies halfway between two that may be printed.

    Example:
        >>> decimal_of(Fraction(1, 2)), decimal_of(0), decimal_of(Fraction(1, 3)), decimal_of(Fraction(2, 3 * 10**9))
        ('0.5', '0', '0.333333', '0.000000000667')
        >>> decimal_of(Fraction(1, 128)), decimal_of(Fraction(1, 256))
        ('0.0078125', '0.003906')
    """
    return _decimal(number, rational_value(number), places)


def _decimal(number: Number, value: Fraction | None, places: int) -> str:
    """The same of a number whose rational value, if it has one, is known."""
    if value is None:
        written = decimal(number, places)
    else:
        written = _stripped(decimal(value, places + _ends(value, places + 1)), value)
    return written if Fraction(written) or value == 0 else significant(number, 3)


def _stripped(written: str, value: Rational | None) -> str:
    """A decimal without needless zeros, if it ends early."""
    ends = value is not None and "." in written and Fraction(written) == value
    return written.rstrip("0").rstrip(".") if ends else written


def value_text(number: Number, digits: Digits = USUAL) -> str:
    """A figure as it is written: a decimal if it ends early, a fraction if it has few digits, otherwise rounded.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> value_text(entropy([1, 1])), value_text(Fraction(12, 35)), value_text(entropy([9, 5]))
        ('1', '12/35', '0.940286')
        >>> value_text(Fraction(1, 4)), value_text(Fraction(29186, 1225)), value_text(Fraction(1, 3), Digits(3, True))
        ('0.25', '23.825306', '1/3')
    """
    value = rational_value(number)
    if value is not None and (digits.exact or _ends(value, digits.places)):
        return decimal_text(value)
    short = value is not None and max(abs(value.numerator), value.denominator) < digits.terms
    return str(value) if short else _decimal(number, value, digits.places)


def _ends(value: Rational | None, places: int) -> bool:
    """Whether a number is a decimal of no more than so many places."""
    return value is not None and 10**places % value.denominator == 0


def value_tex(number: Number, digits: Digits = USUAL) -> str:
    r"""The same as TeX: `12/35` is `\frac{12}{35}`."""
    return tex_number(value_text(number, digits))


def tex_number(written: str) -> str:
    """A figure as text, in TeX."""
    above, bar, below = written.replace("−", "-").partition("/")
    sign = "-" if above.startswith("-") else ""
    return rf"{sign}\frac{{{above.removeprefix('-')}}}{{{below}}}" if bar else above


def in_units(written: str, unit: str) -> str:
    """A figure with its unit: `0.4 bits`, `1 bit`."""
    return f"{written} {unit.removesuffix('s') if written == '1' else unit}".rstrip()


# Figures of decisions.


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


# Expressions in the figures that are printed.


def printed(expression: Worked, digits: Digits = USUAL) -> Worked:
    """An expression of the figures as they are written; its value is what a calculator makes of these.

    The result of another formula is one figure there, and so are weights that are added up, and the ratio of two
    weights that are no short decimals: 22/15 of 119/15 is 22/119.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.gain_ratio import gain_ratio
        >>> ratio = printed(opened(gain_ratio(work([[0, 4], [2, 3], [3, 2]]))))
        >>> text(ratio), ratio.value == Fraction("0.246750") / Fraction("1.577406")
        ('0.246750 / 1.577406', True)
    """
    return _printed(expression, digits, {})


def _printed(expression: Worked, digits: Digits, weights: dict[int, bool]) -> Worked:
    """The same; of the expressions in it that were looked at, by their ids, whether they are weights."""
    match expression.operation:
        case "number" | "quantity":
            return _one_figure(expression, digits)
        case "+" | "-":
            (_, first), *others = summands(expression)
            total = _printed(first, digits, weights)
            for sign, term in others:
                total = _APPLIED[sign](total, _printed(term, digits, weights))
            return total
        case "log":
            inner: Worked = log(_printed(expression.operands[0], digits, weights), expression.name)
            return inner
        case "root":
            of: Worked = root(*(_printed(one, digits, weights) for one in expression.operands))
            return of
        case "abs":
            return abs(_printed(expression.operands[0], digits, weights))
    are_weights = [_is_weight(one, weights) for one in expression.operands]
    plain = all(_ends(rational_value(one.value), digits.places) for one in expression.operands)
    if expression.operation == "/" and all(are_weights) and not plain:
        return _one_figure(expression, digits)
    left, right = (
        _one_figure(one, digits) if is_weight and one.operation == "+" else _printed(one, digits, weights)
        for one, is_weight in zip(expression.operands, are_weights, strict=True)
    )
    return left ** int(right.value) if expression.operation == "^" else _APPLIED[expression.operation](left, right)


def _one_figure(expression: Worked, digits: Digits) -> Worked:
    """What an expression comes to, as a number of the digits that are printed, which it keeps as its name."""
    if expression.operation == "number" and expression.name is not None:
        return expression
    written = value_text(expression.value, digits)
    return Worked(Fraction(written), "number", name=written.replace("-", "−"))


def _is_weight(expression: Worked, found: dict[int, bool]) -> bool:
    """Whether a number was given, or added up from such numbers, and is not yet a figure."""
    if id(expression) not in found:  # the weight of all rows is in every term of a sum
        pending, is_weight = [expression], True
        while pending and is_weight:
            one = pending.pop()
            is_weight = one.operation in ("+", "quantity") or (one.operation == "number" and one.name is None)
            pending += one.operands
        found[id(expression)] = is_weight
    return found[id(expression)]


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


class Relation(NamedTuple):
    """A step of a chain: `=` or `≈`, and the figure behind it."""

    sign: str
    right: str


class Chain(NamedTuple):
    """What stands behind a quantity."""

    expression: Worked | None
    """The formula with the figures put in, as they are printed; none where it is but the result."""
    values: tuple[Relation, ...]
    """The value, if it is a fraction, and its decimal."""


def chain(quantity: Worked, digits: Digits = USUAL) -> Chain:
    """What a quantity is: the formula with the figures put in, its value if that is a fraction, and its decimal.

    The figures have as many digits as it takes for a calculator to come to the decimal that is printed.

    Args:
        quantity: the result of a formula.
        digits: how figures are written.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.gini_index import gini
        >>> expression, values = chain(gini(work([9, 5])))
        >>> text(expression), [f"{sign} {right}" for sign, right in values]
        ('1 − ((9/14)² + (5/14)²)', ['= 45/98', '≈ 0.459184'])
    """
    value, exact = quantity.value, rational_value(quantity.value)
    decimals, written = decimal_of(value, digits.places), value_text(value, digits)
    (shown,) = in_enough_digits([(opened(quantity), value)], digits)
    same = exact is not None and shown.value == exact
    found = [Relation("=", written.replace("-", "−"))] if same and "/" in written else []
    found.append(Relation("=" if same and Fraction(decimals) == exact else "≈", decimals.replace("-", "−")))
    return Chain(None if _text(shown) in {right for _, right in found} else shown, tuple(found))


def in_enough_digits(equations: Sequence[tuple[Worked, Number]], digits: Digits) -> list[Worked]:
    """Expressions in as many digits, the same for all, as it takes for a calculator to come to the decimals printed.

    There is such a number of digits, because no value lies halfway between two decimals (`decimal_of`).

    Args:
        equations: each expression, and what it comes to.
        digits: how figures are written.
    """
    places = [max(digits.places, len(decimal_of(value, digits.places).partition(".")[2])) for _, value in equations]
    results = [decimal(value, n) for (_, value), n in zip(equations, places, strict=True)]
    for more in count(digits.places):
        shown = [printed(expression, digits._replace(places=more)) for expression, _ in equations]
        if [decimal(one.value, n) for one, n in zip(shown, places, strict=True)] == results:
            return shown
    raise AssertionError("the digits of a number have no end")


# Text.


def text(expression: Worked) -> str:
    """An expression as text.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.entropy import entropy
        >>> print(text(opened(entropy(work([9, 5])))))
        9/14·log2(14/9) + 5/14·log2(14/5)
    """
    return _text(printed(expression))


def _text(expression: Worked) -> str:
    match expression.operation:
        case "number":
            return str(expression.name)
        case "log":
            return f"{_log_text(expression.name)}({_text(expression.operands[0])})"
        case "root" if expression.operands[1] == Fraction(1, 2):
            return f"√({_text(expression.operands[0])})"
        case "root":
            return f"{_bracketed(expression.operands[0], 3, strictly=True)}^({_text(expression.operands[1])})"
        case "abs":
            return f"|{_text(expression.operands[0])}|"
        case "*" if _is_one_distance(expression):
            return _text(expression.operands[1])
        case "^":
            base, exponent = expression.operands
            return _bracketed(base, 3, strictly=True) + str(exponent.value).translate(_RAISED)
        case "*" | "/" as sign:
            left, right = (_bracketed(one, 2, strictly=last) for last, one in enumerate(expression.operands))
            short = all(one.operation == "number" for one in expression.operands) and len(left + right) <= SHORT
            return left + ("·" if sign == "*" else "/" if short and "/" not in left + right else " / ") + right
    (_, first), *others = summands(expression)
    return _text(first) + "".join(
        f" {'−' if s == '-' else '+'} {_bracketed(term, 1, strictly=s == '-')}" for s, term in others
    )


def _bracketed(operand: Worked, rank: int, strictly: bool | int = False) -> str:
    written = _text(operand)
    bound = _RANK.get(operand.operation, 4)
    if operand.operation == "number":  # a fraction shown as p/q binds like a division
        bound = 1 if written.startswith("−") else 2 if "/" in written else 4
    return f"({written})" if bound < rank or (strictly and bound == rank) else written


def _is_one_distance(product: Worked) -> bool:
    """Whether a product is a distance that counts once, and is written without saying so."""
    weight, distance = product.operands
    return weight.operation == "number" and weight == 1 and distance.operation == "abs"


# TeX.


def tex(expression: Worked) -> str:
    r"""An expression as TeX.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.entropy import entropy
        >>> print(tex(opened(entropy(work([9, 5])))))
        \frac{9}{14} \log_2 \frac{14}{9} + \frac{5}{14} \log_2 \frac{14}{5}
    """
    return " ".join(tex_pieces(printed(expression)))


def _tex(expression: Worked) -> str:
    match expression.operation:
        case "number":
            return tex_number(str(expression.name))
        case "log":
            of = expression.operands[0]
            written = rf"\left({_tex(of)}\right)" if of.operation in "+-*^" else _tex(of)
            return f"{_log_tex(expression.name)} {written}"
        case "root" if expression.operands[1] == Fraction(1, 2):
            return rf"\sqrt{{{_tex(expression.operands[0])}}}"
        case "root":
            return rf"\left({_tex(expression.operands[0])}\right)^{{{_text(expression.operands[1])}}}"
        case "abs":
            return rf"\left\lvert {_tex(expression.operands[0])} \right\rvert"
        case "*" if _is_one_distance(expression):
            return _tex(expression.operands[1])
        case "^":
            base, exponent = expression.operands
            plain = base.operation == "number" and not set("−/") & set(str(base.name))
            return (_tex(base) if plain else rf"\left({_tex(base)}\right)") + f"^{exponent.value}"
        case "/":
            above, below = map(_tex, expression.operands)
            return rf"\frac{{{above}}}{{{below}}}"
        case "*":
            left, right = map(_tex_term, expression.operands)
            return left + (" " if expression.operands[1].operation == "log" else r" \cdot ") + right
    return " ".join(tex_pieces(expression))


def tex_pieces(expression: Worked) -> list[str]:
    r"""A sum, of the figures that are printed, as TeX, cut before its signs: `1` and `+ \frac{2}{3}`."""
    (_, first), *others = summands(expression)
    return [_tex(first), *(f"{sign} {_tex_term(term) if sign == '-' else _tex(term)}" for sign, term in others)]


def _tex_term(expression: Worked) -> str:
    written = _tex(expression)
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
