r"""Notation: worked numbers as text for a terminal and as TeX for a page.

No printed line contradicts its own digits. An expression is written in the figures that a reader sees, and evaluated
once more in these (`printed`): if they do not yield the result as printed, they get more digits (`chain`). So a pocket
calculator confirms every line, though every value behind it is exact. `numerals` defines how a single number is
written.

1. `printed` is an expression in these figures; `text` and `tex` write it, `summands` is where a long one is broken.
2. `chain` is the right side of an equation: the expression, `=` and an equal value, `≈` and a rounded one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import count
from operator import add, mul, sub, truediv
from typing import NamedTuple

from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.radicals import root
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked
from reference_tree.views.derivation.numerals import (
    USUAL,
    NumberFormat,
    _ends,
    decimal_of,
    is_short,
    log_tex,
    log_text,
    minus,
    rational_value,
    tex_number,
    value_text,
)

_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
# How tightly an operation binds; operations that are not listed bind tightest.

EXPONENTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Digits as exponents."""

SHORT = 12
"""The most characters of two figures that are divided by a bar without blanks."""

_APPLIED: Mapping[str, Callable[[Worked, Worked], Worked]] = {"+": add, "-": sub, "*": mul, "/": truediv}


# Expressions in the printed figures.


def printed(expression: Worked, digits: NumberFormat = USUAL) -> Worked:
    """An expression of the figures as they are written; its value is the result of a calculator with these figures.

    The result of another formula is one figure in it, and so are weights that are added up. The ratio of two weights
    that are not both short decimals is one fraction: 22/15 of 119/15 is 22/119. A sum has one notation for its figures.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.gain_ratio import gain_ratio
        >>> ratio = printed(opened(gain_ratio(work([[0, 4], [2, 3], [3, 2]]))))
        >>> text(ratio), ratio.value == Fraction("0.246750") / Fraction("1.577406")
        ('0.246750 / 1.577406', True)
    """
    return _printed(expression, _Notation(digits, digits), {})


class _Notation(NamedTuple):
    """The form of the figures of an expression."""

    shares: NumberFormat
    figures: NumberFormat
    is_settled: bool = False
    """Whether a sum around the expression has fixed the notation."""


def _printed(expression: Worked, how: _Notation, weights: dict[int, bool]) -> Worked:
    """The terms of an expression; `weights` records by id which expressions inside are known to be weights, or not."""
    match expression.operation:
        case "number" | "quantity":
            return _as_printed(expression, how.figures)
        case "+" | "-":
            # All figures of one sum are written alike, so that a reader can add them up as they stand.
            how = how if how.is_settled else _one_notation(expression, how.figures, weights)
            (_, first), *others = summands(expression)
            total = _printed(first, how, weights)
            for sign, term in others:
                total = _APPLIED[sign](total, _printed(term, how, weights))
            return total
        case "log":
            inner: Worked = log(_printed(expression.operands[0], how, weights), expression.name)
            return inner
        case "root":
            of: Worked = root(*(_printed(one, how, weights) for one in expression.operands))
            return of
        case "abs":
            return abs(_printed(expression.operands[0], how, weights))
    are_weights = [_is_weight(one, weights) for one in expression.operands]
    if expression.operation == "/" and all(are_weights):
        if not _is_plain(expression, how.figures):
            return _as_printed(expression, how.shares)
        # A weight within a share is a decimal where that ends early: a fraction within a fraction is hard to read.
        above, below = (_as_printed(one, how.figures._replace(fractions=False)) for one in expression.operands)
        return above / below
    left, right = (
        _as_printed(one, how.figures) if is_weight and one.operation == "+" else _printed(one, how, weights)
        for one, is_weight in zip(expression.operands, are_weights, strict=True)
    )
    return left ** int(right.value) if expression.operation == "^" else _APPLIED[expression.operation](left, right)


def _is_plain(ratio: Worked, digits: NumberFormat) -> bool:
    """Whether both sides of a ratio are short decimals, so that it is written as it was given."""
    return all(_ends(rational_value(one.value), digits.places) for one in ratio.operands)


def _one_notation(expression: Worked, digits: NumberFormat, weights: dict[int, bool]) -> _Notation:
    """The notation of a sum: fractions, if there are any and no figure is rounded; decimals otherwise."""
    figures, shares, ratios = list[Worked](), list[Worked](), list[Worked]()
    # A stack instead of recursion: a sum is a chain as deep as it has terms.
    pending = [expression]
    while pending:
        one = pending.pop()
        if one.operation == "quantity" or (one.operation == "number" and one.name is None):
            figures.append(one)
        elif one.operation == "/" and all(_is_weight(operand, weights) for operand in one.operands):
            (ratios if _is_plain(one, digits) else shares).append(one)
        elif one.operation in ("+", "-", "*", "/"):
            pending += one.operands
        elif one.operation == "^":
            pending.append(one.operands[0])
    as_decimals = digits if digits.exact else digits._replace(terms=0)
    as_fractions = digits._replace(fractions=True)
    of_shares = as_decimals if any(_is_rounded(one, digits) for one in shares) else as_fractions
    # One rounded figure makes the whole sum decimal: it would not add up beside exact fractions.
    if of_shares == as_decimals or any(_is_rounded(one, digits) for one in figures):
        return _Notation(of_shares, as_decimals, True)
    has_fraction = bool(ratios) or any("/" in value_text(one.value, digits) for one in (*figures, *shares))
    return _Notation(of_shares, as_fractions if has_fraction else digits, True)


def _is_rounded(number: Worked, digits: NumberFormat) -> bool:
    """Whether a number cannot be written as a fraction."""
    value = rational_value(number.value)
    return value is None or not (digits.exact or is_short(value, digits))


def _as_printed(expression: Worked, digits: NumberFormat) -> Worked:
    """The value of an expression as a number of the printed digits, which it keeps as its name."""
    if expression.operation == "number" and expression.name is not None:
        return expression
    written = value_text(expression.value, digits)
    return Worked(Fraction(written), "number", name=minus(written))


def _is_weight(expression: Worked, found: dict[int, bool]) -> bool:
    """Whether a number was given, or added up from given numbers; a quantity without operands is a figure."""
    if id(expression) not in found:  # the weight of all rows is in every term of a sum
        pending, is_weight = [expression], True
        while pending and is_weight:
            one = pending.pop()
            given = one.operation == "number" and one.name is None
            is_weight = given or one.operation == "+" or (one.operation == "quantity" and bool(one.operands))
            pending += one.operands
        found[id(expression)] = is_weight
    return found[id(expression)]


def opened(quantity: Worked) -> Worked:
    """The expression inside the result of a formula; a result that is only another formula's result is opened, too."""
    while quantity.operation == "quantity" and quantity.operands:
        quantity = quantity.operands[0]
    return quantity


def written_out(expression: Worked) -> Worked:
    """An expression in which the results of other formulas are written out, unless they are 0 or 1.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.gini_index import gini
        >>> text(work(4) * gini(work([3, 1]))), text(written_out(work(4) * gini(work([3, 1]))))
        ('4·0.375', '4·(1 − ((3/4)² + (1/4)²))')
    """
    if expression.operation in ("+", "-"):
        (_, total), *others = [(sign, written_out(term)) for sign, term in summands(expression)]
        for sign, term in others:
            total = _APPLIED[sign](total, term)
        return total
    if expression.operation == "quantity":
        inner = opened(expression)
        return expression if inner is expression or expression.value in (0, 1) else written_out(inner)
    return Worked(expression.value, expression.operation, tuple(map(written_out, expression.operands)), expression.name)


def one_figure(number: Number | Worked) -> Worked:
    """A number, or the result of a formula, as one figure of a further formula."""
    if isinstance(number, Worked):
        return Worked(number.value, "quantity", (number,), "quantity")
    value = rational_value(number)
    return Worked(number if value is None else value, "quantity", (), "figure")


def summands(expression: Worked) -> list[tuple[str, Worked]]:
    """The terms of a sum, each with its sign; any other expression is a single term."""
    found = []
    while expression.operation in ("+", "-"):  # a loop: a sum over an attribute's values may have thousands of terms
        expression, last = expression.operands[0], (str(expression.operation), expression.operands[1])
        found.append(last)
    return [("+", expression), *reversed(found)]


class Chain(NamedTuple):
    """The right side of an equation."""

    expression: Worked | None
    """The formula with the printed figures inserted; None if it is no more than the result."""
    values: tuple[tuple[str, str], ...]
    """The value, if it is a fraction, and its decimal, each behind `=` or `≈`."""


def chain(quantity: Worked, digits: NumberFormat = USUAL) -> Chain:
    """The right side of an equation: the formula with the figures inserted, a fraction if it has one, and its decimal.

    The figures have enough digits for a calculator to reproduce the printed decimal.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.gini_index import gini
        >>> expression, values = chain(gini(work([9, 5])))
        >>> text(expression), [f"{sign} {right}" for sign, right in values]
        ('1 − ((9/14)² + (5/14)²)', ['= 45/98', '≈ 0.459184'])
    """
    value, exact = quantity.value, rational_value(quantity.value)
    (shown,) = in_enough_digits([(opened(quantity), value)], digits)
    in_fractions = shown.operation in ("+", "-") and "/" in (formula := _text(shown)) and "." not in formula
    decimals, written = decimal_of(value, digits.places), value_text(value, digits._replace(fractions=in_fractions))
    same = exact is not None and shown.value == exact
    found = [("=", minus(written))] if same and "/" in written else []
    found.append(("=" if same and Fraction(decimals) == exact else "≈", minus(decimals)))
    return Chain(None if _text(shown) in {right for _, right in found} else shown, tuple(found))


def in_enough_digits(equations: Sequence[tuple[Worked, Number]], digits: NumberFormat) -> list[Worked]:
    """Expressions with the same number of digits, enough for a calculator to reproduce the printed decimals.

    There is such a number of digits, because no value lies halfway between two decimals (`decimal_of`).
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
            return f"{log_text(expression.name)}({_text(expression.operands[0])})"
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
            return _bracketed(base, 3, strictly=True) + str(exponent.value).translate(EXPONENTS)
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
    """Whether a product is a distance of weight 1, whose factor is not written."""
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
            return f"{log_tex(expression.name)} {written}"
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
    r"""A sum of printed figures as TeX, cut before its signs: `1` and `+ \frac{2}{3}`."""
    (_, first), *others = summands(expression)
    return [_tex(first), *(f"{sign} {_tex_term(term) if sign == '-' else _tex(term)}" for sign, term in others)]


def _tex_term(expression: Worked) -> str:
    written = _tex(expression)
    return rf"\left({written}\right)" if expression.operation in "+-" or written.startswith("-") else written
