"""Quantities in answers: numbers, however a program writes them, and how far each is from the exact one.

A program answers with what it has. A JSON number is a double and stands for exactly that double; a text is a double in
hexadecimal, `0x1.8p+1`, or an exact number, `17/3`; an object is one of a golden's own forms. All are read exactly, so
nothing is rounded before a distance is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import e
from typing import Any, NamedTuple

from reference_tree.conformance.tolerances import tolerance
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.rationals import OWN_DIGITS, Rational, exactly, rational, shortened
from reference_tree.exact.rounding import significant

_HEXADECIMAL = re.compile(r"[+-]?0x[0-9a-f]*\.?[0-9a-f]*(p[+-]?[0-9]{1,4})?", re.IGNORECASE | re.ASCII)


class CheckedQuantity(NamedTuple):
    """A number of an answer."""

    value: Rational
    is_double: bool
    """Whether it is a double, and so possibly only the nearest double to the intended number."""


def quantity(given: object) -> CheckedQuantity:
    """A number of an answer, read exactly.

    Raises:
        ValueError: the value is no number.

    Example:
        >>> quantity(0.5), quantity("1/3")
        (CheckedQuantity(value=Fraction(1, 2), is_double=True), CheckedQuantity(value=Fraction(1, 3), is_double=False))
        >>> quantity("0x1.8p+1").value, quantity({"exact": "2/3", "double": "0x1.5555555555555p-1"}).value
        (3, Fraction(2, 3))
        >>> float(quantity({"over": "14", "log2": {"14": "14", "9": "-9", "5": "-5"}}).value)
        0.940285958670631
    """
    # Python takes True for 1; an answer does not mean it so.
    if isinstance(given, bool) or given is None or isinstance(given, list):
        raise ValueError(f"{shortened(str(given))} is no number")
    if isinstance(given, dict):
        return _of_object(given)
    if not isinstance(given, str):
        try:
            return CheckedQuantity(exactly(given), isinstance(given, float))
        except TypeError as error:  # Python's, for JSON has nothing else
            raise ValueError(str(error)) from None
    # A text in hexadecimal is a double, and every other text is an exact number.
    if _HEXADECIMAL.fullmatch(given):
        try:
            return CheckedQuantity(exactly(float.fromhex(given)), True)
        except OverflowError:
            raise ValueError(f"{shortened(given)} is beyond the largest double") from None
    return CheckedQuantity(rational(given, OWN_DIGITS), False)


def _of_object(given: dict[str, Any]) -> CheckedQuantity:
    """One of a golden's forms. Of a form that is only a sum of roots or of limits, the double beside it is read."""
    # The exact form is read where it is one, and the double beside it otherwise.
    exact = given.get("exact", given)
    if isinstance(exact, str):
        return quantity(exact)
    if isinstance(exact, dict) and exact.keys() & {"over", "numerator", "minuend"}:
        try:
            return CheckedQuantity(settled(_exactly(exact)), False)
        except (AttributeError, KeyError, TypeError, ZeroDivisionError):
            raise ValueError(f"{shortened(str(exact))} is no sum of logarithms") from None
    for name in ("double", "digits"):
        if isinstance(given.get(name), str):
            return quantity(given[name])
    raise ValueError(f"{shortened(str(given))} is no number")


def _exactly(given: object) -> Number:
    """A rational, a sum of logarithms, a ratio of such sums, or a difference of ratios."""
    if not isinstance(given, dict):
        return Fraction(rational(str(given)))
    if "minuend" in given:
        return _exactly(given["minuend"]) - _exactly(given["subtrahend"])
    if "numerator" in given:
        return settled(_exactly(given["numerator"])) / settled(_exactly(given["denominator"]))
    base = e if "ln" in given else 2
    terms = (rational(c) * log(int(rational(n)), base) for n, c in given["ln" if base == e else "log2"].items())
    return sum(terms, Fraction(0)) / rational(given["over"])


_BITS = 200
"""The number of bits to which an irrational number is taken; its tolerance is some 50 bits."""


_LONG = 60
"""The largest number of digits that is shown."""


def settled(number: Number) -> Fraction:
    """A number as a fraction: itself, or one that is nearer to it than any tolerance."""
    if isinstance(number, int | Fraction):
        return Fraction(number)
    if (value := number.as_rational()) is not None:
        return Fraction(value)
    # The middle of the enclosure is nearer than any tolerance: that has some 50 bits, and this 200.
    low, high, scale = number.enclosure(_BITS)
    return Fraction(low + high, 2 * scale)


_ALIKE = Fraction(1, 10**9)
"""The largest distance between two factors that count as the same."""


def off(name: str, given: object, exact: Number, total: Sequence[Fraction] = (), judged_by: str = "") -> str:
    """The message that a number of an answer is too far off; empty if it is not.

    Args:
        name: the name of the quantity in the list of tolerances.
        given: the value in the answer.
        exact: the exact value.
        total: the weights that arrive at the node.
        judged_by: the score that decides there.

    Raises:
        ValueError: the answer has no number.

    Example:
        >>> off("gain", 0.25, Fraction(1, 4), [Fraction(9), Fraction(5)])
        ''
        >>> off("gain", 0.5, Fraction(1, 4), [Fraction(9), Fraction(5)])
        'expected 0.25, came 0.5, off by 0.25 where 3.55e-15 is allowed'
    """
    # Both are exact, so the distance is; only the tolerance allows for the roundings of a program.
    came, value = Fraction(quantity(given).value), settled(exact)
    reach = tolerance(name).reach(value, total, judged_by)
    distance = abs(came - value)
    if distance <= reach:
        return ""
    # A reader is shown both numbers, their distance, and what would have been allowed.
    message = f"expected {shown(value)}, came {shown(came)}"
    allowed = _short(reach) if reach else "nothing"
    return f"{message}, off by {_short(distance)} where {allowed} is allowed{_slip(came, value)}"


_SLIPS = (
    (-1, "it has the other sign"),
    (log(2.0, e), "it is in nats, not in bits"),
    (log(2.0, 10), "its logarithm has base 10"),
)
"""Factors of a classic mistake, and what it is."""


def _slip(came: Fraction, value: Rational) -> str:
    """The classic mistake that gives a number, if there is one."""
    # A known factor names the mistake: a sign, or another base of the logarithm.
    for factor, words in _SLIPS:
        if value and abs(came / value - Fraction(factor)) < _ALIKE:
            return f"; {words}"
    return ""


def shown(value: Rational) -> str:
    """A number for a person, to 17 digits.

    Example:
        >>> shown(Fraction(1, 3)), shown(7)
        ('0.33333333333333333', '7')
    """
    return significant(value, 17) if abs(value) < 10**_LONG else f"a number of more than {_LONG} digits"


def _short(value: Fraction) -> str:
    """A distance, to three digits."""
    try:
        return f"{float(value):.3g}"
    except OverflowError:
        return "more than any double"
