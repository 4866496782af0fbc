r"""Scans of squares: an estimate of every cut by Gini, the squared error, or the variance with n - 1.

1. `squares_of_classes` and `squares_of_numbers`: let a cut have k of the n rows on its left, with l_j of the c_j rows
   of class j, or s of the sum S of y. The decrease of Gini and the reduction of the squared error are

    $$n \cdot \mathrm{score} = \frac{\sum_j (n l_j - k c_j)^2}{n\,k\,(n - k)}, \qquad
    \frac{(n s - k S)^2}{n\,k\,(n - k)}$$

2. `variances_of_numbers`, and `variances` of rows of any weights, for the form with n - 1.

For few rows of equal weight nothing is rounded: the scores have a short common denominator, so they are integers. For
many such rows the scores are doubles, and the slack includes their rounding errors. A double can leave a cut out; it
never chooses one. Rows of unequal weight are summed up in integers, and the quotients are rounded down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, compress, cycle, repeat
from math import lcm
from operator import mul

from reference_tree.engine.scans import ONLY, Estimates, prefix_sums, summed
from reference_tree.engine.terms import PLACES
from reference_tree.exact.rationals import Rational

FEW = 64
"""The most rows for which nothing is rounded: the least common denominator of their scores is short."""


@lru_cache(maxsize=128)
def _inverses(n: int) -> tuple[list[float] | list[int], Rational]:
    """1 / (n·k·(n - k)) for k = 1, ..., n - 1, then a 0 for k = n, where all squares are 0; and the unit of these.

    For few rows they are integers. For many they are doubles, correctly rounded.

    Example:
        >>> _inverses(4)
        ([4, 3, 4, 0], Fraction(1, 48))
    """
    if n <= FEW:
        common = lcm(*[k * (n - k) for k in range(1, n)])
        return [*(common // (k * (n - k)) for k in range(1, n)), 0], Fraction(1, n * common)
    half = [1 / (n * k * (n - k)) for k in range(1, n // 2 + 1)]
    return [*half, *half[: (n - 1) // 2][::-1], 0.0], 1


def squares_of_classes(labels: Sequence[int], flags: bytes, classes: Sequence[int]) -> Estimates:
    """The decrease of Gini of cuts of rows that weigh 1; arguments as for `entropy_of_classes`.

    Example:
        >>> found = squares_of_classes(bytes([0, 0, 1, 1]), bytes([1, 1, 1]), (2, 2))
        >>> [f"{float(value * found.unit) / 4:.4f}" for value in found.values]
        ['0.1667', '0.5000', '0.1667']
    """
    n = sum(classes)
    present = [label for label, size in enumerate(classes) if size]
    if len(present) == 2:  # the squares of both classes are equal
        other, one = present
        (of_other, of_one), unit = scaled([-classes[one], classes[other]], n)
        step_of = {other: of_other, one: of_one}
        found = squares_of_numbers(list(map(step_of.__getitem__, labels)), flags, n, unit)
        return found._replace(unit=2 * found.unit)
    # Σ_j (n·l_j - k·c_j)² = n²·Σ l_j² - 2·n·k·Σ l_j·c_j + k²·Σ c_j². One more row of class j adds the next odd number
    # to the first sum, and c_j to the second.
    whole = sum([classes[label] ** 2 for label in present])
    odd = {label: cycle(range(1, 2 * classes[label], 2)) for label in present}
    squares = prefix_sums(list(map(next, map(odd.__getitem__, labels))), n)
    mixed = prefix_sums(list(map(classes.__getitem__, labels)), n)
    at_cuts = compress(zip(cycle(range(1, n + 1)), squares, mixed, strict=False), flags)
    tops = [n * (n * a - 2 * k * b) + k * k * whole for k, a, b in at_cuts]
    inverses, unit = _inverses(n)
    values = list(map(mul, tops, compress(cycle(inverses), flags)))
    # For many rows there are three roundings: of a top, of an inverse, and of their product.
    return Estimates(values, 0 if n <= FEW else max(values, default=0) * 2**-50, unit, True, tops)


def squares_of_class_weights(
    labels: Sequence[int], weights: Sequence[int], flags: bytes, n: int = 0, is_cut: bool = False
) -> Estimates:
    """The decrease of Gini of cuts of rows of any weights, in their unit; arguments as for `entropy_of_weights`."""
    n = n or len(labels)
    present = set(labels[:n])
    if len(present) == 2:  # the squares of both classes are equal
        one = max(present)
        of_one = labels.translate(ONLY[one]) if isinstance(labels, bytes) else [int(label == one) for label in labels]
        alike = squares_of_weighted_numbers(of_one, weights, flags, n, is_cut)
        return alike._replace(unit=2 * alike.unit)
    classes = summed(labels[:n], weights[:n])
    whole, total = sum(classes.values()), sum([weight**2 for weight in classes.values()])
    steps = []
    for at, (label, weight) in enumerate(zip(labels, weights, strict=True)):
        if at % n == 0:
            left = dict.fromkeys(classes, 0)
        a = left[label]
        left[label] = a + weight
        steps.append(weight * (2 * a + weight))
    mixed = list(map(mul, weights, map(classes.__getitem__, labels)))
    sides = list(compress(prefix_sums(weights, n), flags))
    at_cuts = zip(sides, compress(prefix_sums(steps, n), flags), compress(prefix_sums(mixed, n), flags), strict=True)
    tops = (whole * (whole * a - 2 * k * b) + k * k * total for k, a, b in at_cuts)
    # If a weight is reduced, Σ l²/k of its side changes by less than twice the reduction, and so does the sum of all
    # rows: together 4 for each row whose weight was rounded down.
    return _of_sides(tops, sides, whole, 4 * n << PLACES if is_cut else 0)


def _of_sides(tops: Iterable[int], sides: Iterable[int], whole: int, slack: int) -> Estimates:
    """The quotients of numbers by n·k·(n - k); `slack` is the error that the numbers have already."""
    # A quotient by k·(n - k) alone loses less than a unit, which is worth at most 1. The inverse of n has at least 32
    # places, and the rounding at the end loses less than 1.
    length = whole.bit_length()
    more = max(0, PLACES + 1 - length)
    inverse, back = (1 << PLACES + length) // max(whole, 1), length + more  # weights may all have been cut to 0
    found = [(top << more) // (k * (whole - k) or 1) * inverse >> back for top, k in zip(tops, sides, strict=True)]
    return Estimates(found, (max(found, default=0) >> PLACES - 1) + 2 + slack)


def centred(numbers: Sequence[int]) -> tuple[Sequence[float], Rational]:
    """n·y - Σ y of each of n numbers y, as a multiple of a unit; and the unit.

    Example:
        >>> centred([1, 2, 6])
        ([-6, -3, 9], 1)
    """
    n, whole = len(numbers), sum(numbers)
    return scaled([n * number - whole for number in numbers], n)


def scaled(steps: Sequence[int], n: int) -> tuple[Sequence[float], Rational]:
    """The steps unchanged for few rows; for many, as rounded doubles between -1 and 1, and the power of two as unit."""
    if n <= FEW:
        return steps, 1
    unit = 1 << max(map(abs, steps)).bit_length()
    return [step / unit for step in steps], unit


def squares_of_numbers(steps: Sequence[float], flags: bytes, n: int, unit: Rational) -> Estimates:
    """The reduction of the squared error by cuts of rows that weigh 1.

    Args:
        steps: n·y - Σ y of each row, as `centred` gives it, sorted by the attribute; for several attributes, one after
            the other.
        flags: as for `entropy_of_classes`.
        n: how many rows an attribute has.
        unit: the unit of the steps.
    """
    inverses, unit_of_inverses = _inverses(n)
    at_places = zip(accumulate(steps), inverses * (len(steps) // n), strict=True)
    values = list(compress([s * s * inverse for s, inverse in at_places], flags))
    if n <= FEW:
        return Estimates(values, 0, unit_of_inverses, True)
    # The exact steps of an attribute sum up to 0, and none is above 1, so the sum P of the k rows on the left is at
    # most min(k, n - k) ≤ n / 2. Let u = 2^-53. A step is off by at most u, and each addition by at most u times its
    # result; after m steps the sum is off by at most e = m·u·(1 + n/2 + e), which is below m·n·u·(1 + 2^-20) for n ≥ 2.
    # So P² / n·k·(n - k) is off by at most (2·|P|·e + e²) / n·k·(n - k) ≤ 4e/n² + e²/n; and three roundings of a number
    # of at most 1/n lose less than 4u/n. The slack is twice that or more, for the rounding of what is computed from it.
    e = len(steps) * n * 2.0**-52
    return Estimates(values, (4 * e / n + e * e + 2.0**-50) / n, unit * unit, True)


def squares_of_weighted_numbers(
    numbers: Sequence[int], weights: Sequence[int], flags: bytes, n: int = 0, is_cut: bool = False
) -> Estimates:
    """The reduction of the squared error by cuts of rows of any weights, in their unit."""
    n = n or len(numbers)
    whole, total = sum(weights[:n]), sum(map(mul, numbers[:n], weights))
    # With s = Σ w·y on the left, n·s - k·S is the sum of w·(n·y - S), which comes to 0 over an attribute.
    steps = map(mul, weights, [whole * number - total for number in numbers])
    tops = [difference * difference for difference in compress(accumulate(steps), flags)]
    spread = max(numbers[:n]) - min(numbers[:n]) if is_cut else 0
    return _of_sides(tops, compress(prefix_sums(weights, n), flags), whole, 4 * n * spread * spread << PLACES)


def variances_of_numbers(steps: Sequence[float], flags: bytes, n: int, unit: Rational) -> Estimates:
    r"""The reduction of the variance with n - 1 by cuts of rows that weigh 1; arguments as for `squares_of_numbers`.

    With z = n·y - Σ y, which add up to 0, s = Σ z and q = Σ z² over the k rows on the left, and Q = Σ z² over all rows,

    $$n^2\, n_1 s_1^2 = \frac{k\,q - s^2}{k - 1}, \qquad n^2\, n_2 s_2^2 = \frac{(n - k)(Q - q) - s^2}{n - k - 1},$$

    each 0 if it is of one row.

    Source:
        [N4 Regression Tree: variance reduction], [Ng2022]
    """
    of_whole, of_squares, of_sums, unit_of_terms = _variance_terms(n)
    times, squares = len(steps) // n, [step * step for step in steps]
    start = list(map(mul, of_whole, repeat(sum(squares[:n])))) * times
    at_places = zip(start, accumulate(steps), prefix_sums(squares, n), of_squares * times, of_sums * times, strict=True)
    values = list(compress([whole - q * by_q + s * s * by_s for whole, s, q, by_q, by_s in at_places], flags))
    if n <= FEW:
        return Estimates(values, 0, unit_of_terms)
    # In units of 1/n², with u = 2^-53 and m steps: s is off by at most e < m·n·u, as above; q, which is below n + 1, by
    # less than m·u·(2n + 12) ≤ 8m·n·u, including the subtraction behind each attribute; and Q by less than 2n²·u. The
    # factors of q and Q are at most 2, and that of s² is at most 4/|s|, as |s| ≤ min(k, n - k): together less than
    # (4 + 16 + 9)·m·n·u. The roundings of factors, products and their sum lose less than 40n·u ≤ 20m·n·u.
    return Estimates(values, len(steps) * 2.0**-47 / n, unit_of_terms * unit * unit)


@lru_cache(maxsize=128)
def _variance_terms(n: int) -> tuple[list[float], list[float], list[float], Rational]:
    """The factors of Q, q and s² for k = 1, ..., n, and their unit; integers for few rows, doubles for many."""
    common = lcm(*range(1, n)) * n * n if n <= FEW else 1
    of_one = [common // (k * n * n) if n <= FEW else 1 / (k * n * n) for k in range(1, n)]
    inverses = [0, 0, *of_one]  # of 0, ..., n rows
    sides = [(k * inverses[k], (n - k) * inverses[n - k], inverses[k] + inverses[n - k]) for k in range(1, n)]
    of_whole = [n * inverses[n] - right for _, right, _ in sides]
    of_squares = [left - right for left, right, _ in sides]
    return [*of_whole, 0], [*of_squares, 0], [*(both for *_, both in sides), 0], Fraction(1, common)


def variances(
    numbers: Sequence[int], weights: Sequence[int] | None, flags: bytes, unit: Rational, n: int = 0
) -> Estimates:
    r"""The reduction of the variance with n - 1 by cuts of rows of any weights.

    $$n\,s^2 - \sum_i n_i\, s_i^2, \qquad n_i\, s_i^2 = \frac{n_i \sum y^2 - (\sum y)^2}{n_i - 1}$$

    Args:
        numbers: y of each row, sorted by the attribute.
        weights: the weight of each row; None if all weigh 1.
        flags: as for `entropy_of_classes`.
        unit: the unit of the weights.
        n: as for `entropy_of_weights`.

    Source:
        [N4 Regression Tree: variance reduction], [Ng2022]
    """
    n = n or len(numbers)
    top, bottom = unit.numerator, unit.denominator
    each = [1] * len(numbers) if weights is None else weights
    sums = list(map(mul, numbers, each))
    squares = list(map(mul, numbers, sums))
    whole, total, all_squares = sum(each[:n]), sum(sums[:n]), sum(squares[:n])

    def spread(n: int, s: int, q: int) -> int:
        """(n·q - s²) / (n - 1) for n in units, up to a common factor; for a weight of 1 the divisor is 1."""
        return ((n * q - s * s) * top << PLACES) // (n * top - bottom or bottom) if n * top >= bottom else 0

    start = spread(whole, total, all_squares)
    at_cuts = compress(zip(prefix_sums(each, n), prefix_sums(sums, n), prefix_sums(squares, n), strict=True), flags)
    found = [start - spread(n, s, q) - spread(whole - n, total - s, all_squares - q) for n, s, q in at_cuts]
    return Estimates(found, 3)
