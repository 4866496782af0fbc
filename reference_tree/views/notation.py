r"""Notation: worked numbers as text for a terminal and as TeX for a page.

Both are read off the same expression (`reference_tree.exact.worked`), so the two can only say the same. A step that is a formula of
its own appears inside another one as its value: exact if it is rational, otherwise with six decimals; `opened` shows what is in it.
"""

from __future__ import annotations

from fractions import Fraction

from reference_tree.exact.log_sums import LogRatio, LogSum, Number
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked

PLACES = 6
"""Decimals of an irrational number."""

_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
# How tightly an operation binds; what is not listed stands for itself.


def rational_value(number: Number) -> Fraction | None:
    """The value of an exact number as a fraction, if it has one."""
    return number.as_rational() if isinstance(number, LogSum | LogRatio) else Fraction(number)


def value_text(number: Number, places: int = PLACES) -> str:
    """The value of an exact number: exact if it is rational, otherwise as a decimal.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> value_text(entropy([1, 1])), value_text(Fraction(12, 35)), value_text(entropy([9, 5]))
        ('1', '12/35', '0.940286')
    """
    value = rational_value(number)
    return decimal(number, places) if value is None else str(value)


def decimal_of(number: Number, places: int = PLACES) -> str:
    """The value as a decimal, without needless zeros if it ends early.

    Example:
        >>> decimal_of(Fraction(1, 2)), decimal_of(0), decimal_of(Fraction(1, 3))
        ('0.5', '0', '0.333333')
    """
    value = rational_value(number)
    written = decimal(number, places)
    if value is not None and "." in written and Fraction(written) == value:
        return written.rstrip("0").rstrip(".")
    return written


def opened(quantity: Worked) -> Worked:
    """The expression inside the result of a formula; where that is but another formula's result, the one inside it."""
    while quantity.operation == "quantity":
        quantity = quantity.operands[0]
    return quantity


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
            return value_text(expression.value)
        case "log":
            name = f"log{expression.name}" if isinstance(expression.name, int) else "ln"
            return f"{name}({text(expression.operands[0])})"
        case "^":
            base = _bracketed(expression.operands[0], 3, strictly=True)
            return base + text(expression.operands[1]).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    left, right = expression.operands
    rank = _RANK[expression.operation]
    tight = all(operand.operation in ("number", "quantity") and _is_whole(operand) for operand in (left, right))
    sign = {"+": " + ", "-": " − ", "*": "·", "/": "/" if tight else " / "}[expression.operation]
    return _bracketed(left, rank) + sign + _bracketed(right, rank, strictly=expression.operation in "-/")


def _is_whole(expression: Worked) -> bool:
    value = rational_value(expression.value)
    return value is not None and value.denominator == 1


def _bracketed(operand: Worked, rank: int, strictly: bool = False) -> str:
    written, bound = text(operand), _binding(operand)
    return f"({written})" if bound < rank or (strictly and bound == rank) else written


def _binding(expression: Worked) -> int:
    if expression.operation in ("number", "quantity"):  # a fraction shown as p/q binds like a division
        value = rational_value(expression.value)
        return 2 if value is not None and value.denominator != 1 else 4
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
            return value_tex(expression.value)
        case "log":
            name = rf"\log_{{{expression.name}}}" if isinstance(expression.name, int) else r"\ln"
            return f"{name} {_tex_factor(expression.operands[0])}".replace("log_{2}", "log_2")
        case "^":
            base, exponent = expression.operands
            written = tex(base) if _is_whole(base) and base.operation != "/" else rf"\left({tex(base)}\right)"
            return f"{written}^{{{tex(exponent)}}}".replace("^{2}", "^2")
        case "/":
            return rf"\frac{{{tex(expression.operands[0])}}}{{{tex(expression.operands[1])}}}"
        case "*":
            left, right = expression.operands
            dot = " " if right.operation == "log" else r" \cdot "
            return _tex_term(left) + dot + _tex_term(right)
    left, right = expression.operands
    subtracted = _tex_term(right) if expression.operation == "-" else tex(right)
    return f"{tex(left)} {expression.operation} {subtracted}"


def _tex_factor(expression: Worked) -> str:
    """What a logarithm applies to."""
    written = tex(expression)
    return rf"\left({written}\right)" if expression.operation in "+-*^" or written.startswith("-") else written


def _tex_term(expression: Worked) -> str:
    return rf"\left({tex(expression)}\right)" if expression.operation in "+-" else tex(expression)


def value_tex(number: Number) -> str:
    r"""The value of an exact number as TeX.

    Example:
        >>> value_tex(Fraction(12, 35)), value_tex(3)
        ('\\frac{12}{35}', '3')
    """
    value = rational_value(number)
    if value is None:
        return decimal(number, PLACES)
    sign, size = ("-" if value < 0 else ""), abs(value)
    return sign + (str(size) if size.denominator == 1 else rf"\frac{{{size.numerator}}}{{{size.denominator}}}")


def exact_text(number: Number) -> str:
    """A sum of logarithms over one denominator, as text.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> print(exact_text(entropy([9, 5])))
        (14·log2 14 − 9·log2 9 − 5·log2 5) / 14
    """
    if not isinstance(number, LogSum):
        return str(number)
    over, coefficients = number.over()
    written = "".join(_signed_term(c, f"log2 {n}" if n > 1 else "") for n, c in coefficients)
    written = "−" + written[3:] if written.startswith(" − ") else written[3:] or "0"
    return f"({written}) / {over}" if over != 1 else written


def exact_tex(number: Number) -> str:
    r"""A sum of logarithms over one denominator, as TeX.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> print(exact_tex(entropy([9, 5])))
        \tfrac{1}{14}\left(14 \log_2 14 - 9 \log_2 9 - 5 \log_2 5\right)
    """
    if not isinstance(number, LogSum):
        return value_tex(number)
    over, coefficients = number.over()
    written = "".join(_signed_term(c, rf"\log_2 {n}" if n > 1 else "", " ", "-") for n, c in coefficients)
    written = "-" + written[3:] if written.startswith(" - ") else written[3:] or "0"
    return rf"\tfrac{{1}}{{{over}}}\left({written}\right)" if over != 1 else written


def _signed_term(coefficient: int, factor: str, times: str = "·", minus: str = "−") -> str:
    size = abs(coefficient)
    shown = str(size) if not factor else factor if size == 1 else f"{size}{times}{factor}"
    return f" {minus if coefficient < 0 else '+'} {shown}"
