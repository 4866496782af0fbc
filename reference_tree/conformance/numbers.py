"""Numbers in a golden: exactly, as the nearest double, and as digits for people.

No JSON number stands for a real. A rational is a string, `"12/35"`; a sum of logarithms is its coefficients over one
denominator, `{"over": "14", "log2": {"14": "14", "9": "-9", "5": "-5"}}` for (14·log2 14 - 9·log2 9 - 5·log2 5) / 14;
natural logarithms stand under `ln`. A ratio is a pair of these, `numerator` and `denominator`, and the difference of
two ratios is a pair of ratios, `minuend` and `subtrahend`. An estimate of errors is a `constant` and a list of
`radicals`, each a `coefficient` times a `base` to an `exponent`, or of `limits`, each a `coefficient` times the
binomial limit of some `errors` among `rows` at a `confidence`. Beside it stand the correctly rounded double in
hexadecimal, and twenty correctly rounded digits, or as many more as it takes to read them back as the same double.
"""

from __future__ import annotations

from itertools import count
from math import e
from typing import Any

from reference_tree.data.sample import Counts, Partition
from reference_tree.exact.binomial_limits import LimitSum
from reference_tree.exact.log_ratios import LogRatio, LogRatioDifference
from reference_tree.exact.log_sums import LogSum, Number
from reference_tree.exact.radicals import RadicalSum
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import nearest_double, significant


def number_json(number: Number) -> dict[str, Any]:
    """A number in three spellings.

    Example:
        >>> from reference_tree.measures.gini_index import gini
        >>> number_json(gini([9, 5]))
        {'exact': '45/98', 'double': '0x1.d6343eb1a1f59p-2', 'digits': '0.4591836734693877551'}
    """
    double = nearest_double(number)
    digits = next(text for n in count(20) if float(text := significant(number, n)) == double)
    return {"exact": exact_json(number), "double": double.hex(), "digits": digits}


def exact_json(number: Number) -> str | dict[str, Any]:
    """The exact value.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> exact_json(entropy([9, 5]))
        {'over': '14', 'log2': {'14': '14', '9': '-9', '5': '-5'}}
        >>> exact_json(entropy([1, 1]))
        '1'
    """
    if isinstance(number, LogRatioDifference):
        value = number.as_rational()
        pair = {"minuend": exact_json(number.first), "subtrahend": exact_json(number.second)}
        return pair if value is None else str(value)
    if isinstance(number, LogRatio):
        value = number.as_rational()
        pair = {"numerator": exact_json(number.numerator), "denominator": exact_json(number.denominator)}
        return pair if value is None else str(value)
    if isinstance(number, RadicalSum | LimitSum):
        value = number.as_rational()
        return _estimate(number) if value is None else str(value)
    if not isinstance(number, LogSum):
        return str(number)
    if (value := number.as_rational()) is not None:
        return str(value)
    over, terms = number.over()
    coefficients: dict[str, int] = {}
    for n, c in terms:  # a whole number q is q·log2 2; there is none beside natural logarithms
        coefficients[str(max(n, 2))] = coefficients.get(str(max(n, 2)), 0) + c
    return {"over": str(over), "ln" if number.base == e else "log2": {n: str(c) for n, c in coefficients.items()}}


def _estimate(number: RadicalSum | LimitSum) -> dict[str, Any]:
    """A sum of roots or of binomial limits, its terms in ascending order."""
    if isinstance(number, RadicalSum):
        radicals = [
            {"coefficient": str(c), "base": str(base), "exponent": str(exponent)}
            for (base, exponent), c in sorted(number.terms.items())
        ]
        return {"constant": str(number.constant), "radicals": radicals}
    limits = [
        {"coefficient": str(c), "errors": limit.errors, "rows": limit.rows, "confidence": str(limit.confidence)}
        for limit, c in sorted(number.terms.items())
    ]
    return {"constant": str(number.constant), "limits": limits}


def weights_json(weights: Counts) -> list[str]:
    """Weights as strings."""
    return [weight_json(weight) for weight in weights]


def weight_json(weight: Rational) -> str:
    """A weight as a string: an integer, or p/q in lowest terms."""
    return str(weight)


def table_json(table: Partition) -> dict[str, Any]:
    """A sample partition: a row of weights for each outcome, and the weights whose answer is missing."""
    return {"rows": [weights_json(row) for row in table.rows], "unknown": weights_json(table.unknown)}
