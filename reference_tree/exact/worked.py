"""Worked numbers: numbers that record how they were computed.

A formula is written once. Run on counts it gives an exact number; run on *worked* numbers the same lines give the same
exact number together with the expression that led to it, with its figures. That expression is the derivation that a
teacher would write on the board. It cannot differ from the program's computation, because it records that computation.

1. `work` turns counts into worked numbers.
2. Arithmetic builds the expression: 5/14, log2(14/5), their product, a sum.
3. `formula` marks a textbook function. Its result becomes a *quantity*: a named step, which an enclosing formula shows
   as a number, and whose own expression can be shown as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeAlias

from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.logarithms import Base
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import Rational

Operation: TypeAlias = Literal["number", "+", "-", "*", "/", "^", "abs", "log", "root", "quantity"]
P = ParamSpec("P")


class Worked:
    """An exact number and the expression that it came from.

    Args:
        value: the exact number.
        operation: the operation that made it; `number` for a given number, `quantity` for the result of a formula.
        operands: the operands of the operation; for a root the number and the exponent.
        name: for a quantity the name of the formula, for a logarithm the base, for a number its text if unusual.

    Example:
        >>> p = work(5) / work(14)
        >>> p.value, p.operation, [operand.value for operand in p.operands]
        (Fraction(5, 14), '/', [5, 14])
    """

    __slots__ = ("name", "operands", "operation", "value")

    def __init__(self, value: Number, operation: Operation, operands: Sequence[Worked] = (), name: Any = None) -> None:
        self.value, self.operation, self.operands, self.name = value, operation, tuple(operands), name

    def __add__(self, other: Number) -> Worked:
        return Worked(self.value + _one(other).value, "+", (self, _one(other)))

    def __radd__(self, other: Number) -> Worked:
        return self if other == 0 else _one(other) + self  # sum() starts from a plain 0

    def __sub__(self, other: Number) -> Worked:
        return Worked(self.value - _one(other).value, "-", (self, _one(other)))

    def __rsub__(self, other: Number) -> Worked:
        return _one(other) - self

    def __mul__(self, other: Number) -> Worked:
        return Worked(self.value * _one(other).value, "*", (self, _one(other)))

    def __rmul__(self, other: Number) -> Worked:
        return _one(other) * self

    def __truediv__(self, other: Number) -> Worked:
        return Worked(_exact(self.value) / _one(other).value, "/", (self, _one(other)))

    def __rtruediv__(self, other: Number) -> Worked:
        if other == 1 and self.operation == "/":  # 1/(5/14) is written 14/5
            return self.operands[1] / self.operands[0]
        return _one(other) / self

    def __pow__(self, exponent: int) -> Worked:
        return Worked(self.value**exponent, "^", (self, _one(exponent)))

    def __abs__(self) -> Worked:
        return Worked(abs(self.value), "abs", (self,))

    def __eq__(self, other: object) -> bool:
        return bool(self.value == (other.value if isinstance(other, Worked) else other))

    def __lt__(self, other: Number) -> bool:
        return bool(self.value < _one(other).value)

    def __le__(self, other: Number) -> bool:
        return bool(self.value <= _one(other).value)

    def __gt__(self, other: Number) -> bool:
        return bool(self.value > _one(other).value)

    def __ge__(self, other: Number) -> bool:
        return bool(self.value >= _one(other).value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __hash__(self) -> int:
        return hash(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        return f"Worked({self.value!r})"


def work(number: Any) -> Any:
    """A worked number for a number, or worked numbers for a sequence (of sequences) of numbers.

    Example:
        >>> work([9, 5])
        [Worked(9), Worked(5)]
    """
    return [work(item) for item in number] if isinstance(number, Sequence) else _one(number)


def _one(number: Number) -> Worked:
    return number if isinstance(number, Worked) else Worked(number, "number")


def formula(function: Callable[P, Number]) -> Callable[P, Number]:
    """Mark a textbook formula: integers in its first argument become exact, and its result on worked numbers is named.

    This is the only place where integers are converted: `5 / 14` is a float in Python, `Fraction(5) / 14` a fraction.

    Example:
        >>> @formula
        ... def share(counts):
        ...     return counts[0] / sum(counts)
        >>> share([5, 9]), share([0.5, 1.5])
        (Fraction(5, 14), 0.25)
        >>> share(work([5, 9])).name
        'share'
    """

    @wraps(function)
    def lifted(*args: P.args, **kwargs: P.kwargs) -> Number:
        # Integers become fractions here, and only here: inside a formula a quotient of counts is then exact.
        result = function(_lift(args[0]), *args[1:], **kwargs)  # type: ignore[arg-type]
        return Worked(result.value, "quantity", (result,), function.__name__) if isinstance(result, Worked) else result

    return lifted


def _lift(argument: Any) -> Any:
    if type(argument) is Fraction:  # the most common case; the other checks take longer
        return argument
    if isinstance(argument, tuple | list):  # this check takes a tenth of the time of the one for any sequence
        return [_exact(item) if isinstance(item, int) else _lift(item) for item in argument]
    if isinstance(argument, int | float | Fraction):
        return _exact(argument)
    if isinstance(argument, Sequence):
        if isinstance(argument, str):
            raise TypeError(f"{argument!r} is a text, where numbers are counted")
        return [_lift(item) for item in argument]
    if hasattr(argument, "tolist"):  # numpy's numbers and arrays would be divided as floats
        return _lift(argument.tolist())
    if argument is None:
        raise TypeError("None is given, where numbers are counted")
    if isinstance(argument, Iterable):
        return [_lift(item) for item in argument]
    return _exact(argument)


def _exact(number: Any) -> Any:
    return Fraction(number) if isinstance(number, int) else number


@log.register
def _log_of_worked(x: Worked, base: Base = 2) -> Worked:
    return Worked(log(_exact(x.value), base), "log", (x,), base)


@root.register
def _root_of_worked(x: Worked, exponent: Rational | Worked = Fraction(1, 2)) -> Worked:
    return Worked(root(_exact(x.value), _one(exponent).value), "root", (x, _one(exponent)))
