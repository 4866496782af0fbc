"""The measures, as anybody would write them down: counts or weights in doubles, logarithms to base 2.

A table is a row of class weights for each branch; for numbers a row of moments, n, Σy and Σy².
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from statistics import mean as average

from tests.conformance.plain_doubles.planting import planted

Row = Sequence[float]
Table = Sequence[Row]


def columns(table: Table) -> list[float]:
    """The sum of the rows."""
    return [sum(column) for column in zip(*table, strict=True)]


def log(x: float) -> float:
    """To base 2."""
    return math.log(x) if planted("natural-logarithm") else math.log2(x)


def entropy(counts: Row) -> float:
    """Σ p log 1/p over the classes that are there."""
    n = sum(counts)
    if planted("smoothed-logarithm"):
        return -sum(c / n * log(c / n + 1e-10) for c in counts)
    if planted("difference-of-logarithms"):
        return log(n) - sum(c * log(c) for c in counts if c) / n
    value = sum(c / n * log(n / c) for c in counts if c)
    return value / math.log2(max(2, len(counts))) if planted("logarithm-to-base-k") else value


def gini(counts: Row) -> float:
    """1 - Σ p²."""
    n = sum(counts)
    if planted("gini-of-two-classes"):
        return 2 * counts[0] / n * (1 - counts[0] / n)
    if planted("gini-of-cubes"):
        return 1 - sum((c / n) ** 3 for c in counts)
    value = 1 - sum((c / n) ** 2 for c in counts)
    return value * n / (n - 1) if planted("gini-n-minus-1") and n > 1 else value


def twoing(table: Table) -> float:
    """The product p q, over 4, times the squared sum of |p(j, left) - p(j, right)| over the classes j."""
    first, others = table[0], columns(table[1:])
    left, right = sum(first), sum(others)
    apart = sum(abs(a / left - b / right) for a, b in zip(first, others, strict=True)) if left and right else 0.0
    return left * right / (left + right) ** 2 / 4 * apart**2


def chi_squared_confidence(table: Table) -> float:
    """The probability that chance alone makes χ² smaller, by the series of the incomplete gamma function."""
    classes, n = columns(table), sum(columns(table))
    expected = [[sum(row) * c / n for c in classes] for row in table]
    pairs = [(o, e) for row, of in zip(table, expected, strict=True) for o, e in zip(row, of, strict=True) if e]
    if planted("chi-squared-over-the-counts"):
        x = sum((o - e) ** 2 / o for o, e in pairs if o) / 2
    else:
        x = sum((o - e) ** 2 / e for o, e in pairs) / 2
    kinds = 2 if planted("chi-squared-of-two-classes") else sum(1 for c in classes if c)
    freedom = (sum(1 for row in table if any(row)) - 1) * (kinds - 1)
    a = freedom / 2 if not planted("chi-squared-of-one-degree") else 0.5
    term = math.exp(a * math.log(x) - x - math.lgamma(a + 1)) if x else 0.0
    total, k = 0.0, a
    while k < x or term > 1e-17:
        total, k = total + term, k + 1
        term *= x / k
    return total


def misclassification(counts: Row) -> float:
    """The share of all classes but the most frequent one."""
    return 1 - max(counts) / sum(counts)


def mean(moments: Row) -> float:
    """Σy / n."""
    return moments[1] / moments[0]


def squared_error(moments: Row) -> float:
    """Σ (y - ȳ)²."""
    n, y, yy = moments
    return yy - y * y / n if n else 0.0


def variance(moments: Row, unbiased: bool = False) -> float:
    """By n, or by n - 1; of a single row it is 0."""
    n = moments[0] - (unbiased or planted("variance-n-minus-1"))
    return squared_error(moments) / n if n > 0 else 0.0


def remaining(impurity: Callable[[Row], float], table: Table, size: Callable[[Row], float] = sum) -> float:
    """The impurity that is left in the branches, on the average of the rows."""
    parts = [row for row in table if size(row)]
    if planted("unweighted-branches"):
        return average(map(impurity, parts))
    n = sum(map(size, parts))
    return sum(size(row) / n * impurity(row) for row in parts)


def decrease(impurity: Callable[[Row], float], table: Table, size: Callable[[Row], float] = sum) -> float:
    """What a question takes away from the impurity."""
    return impurity(columns(table)) - remaining(impurity, table, size)


def gain(table: Table) -> float:
    """H(D) - H(D|A)."""
    return decrease(entropy, table)


def split_information(table: Table) -> float:
    """The entropy of the answers."""
    return entropy([sum(row) for row in table])


def gain_ratio(table: Table) -> float:
    """The gain, divided by what the cutting costs."""
    return gain(table) / (entropy(columns(table)) if planted("gain-over-entropy") else split_information(table))


def weight(moments: Row) -> float:
    """How many rows the moments are of."""
    return moments[0]


def variance_reduction(table: Table, unbiased: bool = False) -> float:
    """The variance, less that of the branches."""
    return decrease(lambda row: variance(row, unbiased), table, weight)


def median(counts: Row, numbers: Sequence[float]) -> float:
    """The middle one of numbers, halfway between two where half of the weight lies on either side."""
    if planted("mean-for-median"):
        return sum(c * y for c, y in zip(counts, numbers, strict=True)) / sum(counts)
    if planted("median-without-weights"):
        counts = [float(c > 0) for c in counts]
    below = list(accumulate(counts))
    lower = next(y for y, reached in zip(numbers, below, strict=True) if reached >= below[-1] / 2 - 1e-9)
    upper = next(y for y, reached in zip(numbers, below, strict=True) if reached > below[-1] / 2 + 1e-9)
    return (lower + upper) / 2


def absolute_deviation(counts: Row, numbers: Sequence[float]) -> float:
    """The distances from the median, added up."""
    middle = median(counts, numbers)
    return sum(c * abs(y - middle) for c, y in zip(counts, numbers, strict=True))


def absolute_error_reduction(table: Table, numbers: Sequence[float]) -> float:
    """What a question takes away from the distance a row."""
    return decrease(lambda row: absolute_deviation(row, numbers) / sum(row), table)
