"""Calculable lines: a formula whose printed operands lead to its printed result.

A student with a pocket calculator works with what is printed. If operands and result are each rounded to six decimals,
about every third line is then wrong in its last digit: 4·0.543678 is 2.174712, and 4·U is 2.174713. So operands that
have to be rounded get as many decimals as it takes until the line comes out; the result is rounded correctly in any
case, and stays what it is.

1. `calculable` is an expression with such operands.
2. `line` is an equation of it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import rational
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked, work
from reference_tree.views.derivation.blocks import Equation, Symbol
from reference_tree.views.derivation.notation import PLACES, decimal_of, opened, rational_value
from reference_tree.views.figures import weight_text

MOST = 4 * PLACES
"""So many decimals are enough, unless the result lies on the very edge between two roundings."""

_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "abs": abs, "root": root,
    "^": lambda base, exponent: base ** int(exponent.value),
}  # fmt: skip


def line(symbol: Symbol, quantity: Worked, unit: str = "") -> Equation:
    """An equation that a calculator does not contradict."""
    return Equation(symbol, calculable(quantity), unit)


def calculable(quantity: Worked) -> Worked:
    """A result with operands that lead to it as it is printed.

    Operands with a short exact form stay as they are. The others are written as decimals.

    Example:
        >>> from reference_tree.exact.worked import work
        >>> from reference_tree.measures.entropy import entropy
        >>> from reference_tree.views.derivation.notation import text
        >>> found = work(14) * entropy(work([9, 5]))        # 13.164003 bits, but 14·0.940286 = 13.164004
        >>> text(calculable(found))
        '14·0.94028596'
    """
    expression = opened(quantity)
    result = decimal_of(quantity.value)
    shown = expression
    for places in range(PLACES, MOST):
        shown = _written(expression, places)
        if shown is expression or _as_printed(shown.value, result) == result:
            break
    return Worked(quantity.value, shown.operation, shown.operands, shown.name)


def _as_printed(value: Number, result: str) -> str:
    """What a calculator finds, with as many decimals as the result has."""
    return decimal(value, len(result.partition(".")[2]))


def _written(expression: Worked, places: int) -> Worked:
    """The expression with each operand that has no short form as a decimal; the same one if there is none."""
    found: dict[int, Worked] = {}
    pending = [(expression, False)]
    while pending:  # a loop: a sum may have thousands of terms
        one, below_done = pending.pop()
        if one.operation in ("number", "quantity"):
            found[id(one)] = _operand(one, places)
        elif not below_done:
            pending += [(one, True), *((below, False) for below in one.operands)]
        else:
            operands = [found[id(below)] for below in one.operands]
            same = all(new is old for new, old in zip(operands, one.operands, strict=True))
            found[id(one)] = one if same else _again(one, operands)
    return found[id(expression)]


def _again(expression: Worked, operands: list[Worked]) -> Any:
    """The same operation on other operands."""
    if expression.operation == "log":
        return work(log(operands[0], expression.name))
    return work(_OPERATIONS[expression.operation](*operands))


def _operand(operand: Worked, places: int) -> Worked:
    exact = rational_value(operand.value)
    if exact is not None and not weight_text(exact).startswith("≈"):
        return operand
    written = decimal(operand.value, places)
    return Worked(rational(written), "number", (), written)
