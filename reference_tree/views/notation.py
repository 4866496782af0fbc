r"""Notation: worked numbers as text for a terminal and as TeX for a page.

Both are read off the same expression (`reference_tree.exact.worked`), so the two can only say the same. A step that
is a formula of its own appears inside another one as its value: exact if it is rational, otherwise with six decimals;
`opened` shows what is in it.

1. `text` and `tex` write an expression; `summands` is where a long one can be broken.
2. `value_text`, `value_tex` and `decimal_of` write a value; a sum of logarithms in full is for `simplest_form`.
3. `chain` is what stands behind a quantity on the board: the expression, `=` what is equal to it, `≈` what is rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from reference_tree.exact.log_sums import LogRatio, LogRatioDifference, LogSum, Number
from reference_tree.exact.rationals import decimal_text
from reference_tree.exact.rounding import decimal, significant
from reference_tree.exact.worked import Worked
from reference_tree.views.simplest_form import log_name, log_tex

PLACES = 6
"""Decimals of an irrational number."""

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
    return Fraction(number)


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
    value = rational_value(number)
    if value is not None and "." in written and Fraction(written) == value:
        return written.rstrip("0").rstrip(".")
    return written


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
    r"""The value of an exact number as TeX.

    Example:
        >>> value_tex(Fraction(12, 35)), value_tex(3)
        ('\\frac{12}{35}', '3')
    """
    value = rational_value(number)
    written = value_text(number)
    if value is None or "/" not in written:
        return written
    sign, size = ("-" if value < 0 else ""), abs(value)
    return sign + (str(size) if size.denominator == 1 else rf"\frac{{{size.numerator}}}{{{size.denominator}}}")


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
    rounded = decimal_of(quantity.value)
    exact = rational_value(quantity.value)
    found = [Relation("=", write(opened(quantity)))]
    if exact is not None:
        found.append(Relation("=", value(quantity.value)))
    found.append(Relation("=" if exact is not None and Fraction(rounded) == exact else "≈", rounded))
    return list({relation.right: relation for relation in reversed(found)}.values())[::-1]


# Expressions.


def opened(quantity: Worked) -> Worked:
    """The expression inside the result of a formula; where that is but another formula's result, the one inside it."""
    while quantity.operation == "quantity":
        quantity = quantity.operands[0]
    return quantity


def summands(expression: Worked) -> list[tuple[str, Worked]]:
    """The terms of a sum, each with the sign before it; of anything else, the one term it is.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> a, b, c = work([1, 2, 3])
        >>> summands(a + b - c)
        [('+', Worked(1)), ('+', Worked(2)), ('-', Worked(3))]
    """
    found = []
    while expression.operation in (
        "+",
        "-",
    ):  # a loop, as a sum over the values of an attribute may have thousands of terms
        expression, last = expression.operands[0], (expression.operation, expression.operands[1])
        found.append(last)
    return [("+", expression), *reversed(found)]


def text(expression: Worked) -> str:
    """An expression as text.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.entropy import entropy
        >>> from reference_tree.measures.gini_index import gini
        >>> print(text(opened(entropy(work([9, 5])))))
        9/14·log2(14/9) + 5/14·log2(14/5)
        >>> print(text(opened(gini(work([9, 5])))))
        1 − ((9/14)² + (5/14)²)
    """
    match expression.operation:
        case "number" | "quantity":
            return _number_text(expression)
        case "log":
            return f"{log_name(expression.name)}({text(expression.operands[0])})"
        case "abs":
            return f"|{text(expression.operands[0])}|"
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
            return f"{log_tex(expression.name)} {_tex_argument(expression.operands[0])}"
        case "abs":
            return rf"\left\lvert {tex(expression.operands[0])} \right\rvert"
        case "*" if _is_one_distance(expression):
            return tex(expression.operands[1])
        case "^":
            base, exponent = map(_folded, expression.operands)
            written = tex(base) if base.operation == "number" else rf"\left({tex(base)}\right)"
            return f"{written}^{{{tex(exponent)}}}".replace("^{2}", "^2")
        case "/":
            above, below = map(_folded, expression.operands)
            return rf"\frac{{{tex(above)}}}{{{tex(below)}}}"
        case "*":
            left, right = map(_folded, expression.operands)
            return _tex_term(left) + (" " if right.operation == "log" else r" \cdot ") + _tex_term(right)
    return " ".join(tex_pieces(expression))


def tex_pieces(expression: Worked) -> list[str]:
    r"""A sum as TeX, cut before its signs.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> a, b, c = work([1, 2, 3])
        >>> tex_pieces(a + b / c)
        ['1', '+ \\frac{2}{3}']
    """
    (_, first), *others = summands(expression)
    return [tex(first), *(f"{sign} {_tex_term(term) if sign == '-' else tex(term)}" for sign, term in others)]


def _tex_argument(expression: Worked) -> str:
    """What a logarithm applies to."""
    return rf"\left({tex(expression)}\right)" if expression.operation in "+-*^" else tex(expression)


def _tex_term(expression: Worked) -> str:
    written = tex(expression)
    return rf"\left({written}\right)" if expression.operation in "+-" or written.startswith("-") else written
