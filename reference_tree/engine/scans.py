r"""Scans: an estimate of every cut of an attribute, from one walk over the rows in its order.

A learner asks every continuous attribute for its best cut, so nearly all of its time goes into scores that come to
nothing. They need not be exact, as long as it is known how wrong they can be. An *estimate* is of |D|·score, D being
the rows whose value is known, and `Estimates` say how far it may be off. What a cut has on its left is a prefix sum of
what is counted: of classes, or of y.

1. `entropy_of_classes`: with t(n) = n·log2 n, of n rows with c_j of class j, a cut with k rows on the left, l_j of
   class j, gains

    $$n \cdot \mathrm{gain} = t(n) - \sum_j t(c_j) + \sum_j [t(l_j) + t(c_j - l_j)] - [t(k) + t(n - k)]$$

2. `squares_of_classes` and `squares_of_numbers`: the decrease of Gini and the reduction of the squared error are both

    $$n \cdot \mathrm{score} = \frac{\sum_j (n l_j - k c_j)^2}{n\,k\,(n - k)}, \qquad
    \frac{(n s - k S)^2}{n\,k\,(n - k)}$$

   Of rows that weigh alike they are taken in doubles, whose roundings are part of the slack. A double can leave a cut
   out; it never chooses one.

3. `mistakes` for the share of mistakes, `variances` for the form with n - 1, and `deviations` for the absolute error.

Each has a form for rows that weigh alike, which runs along in C, and one for any weights.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, chain, compress, count, cycle, pairwise, repeat
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from reference_tree.engine.terms import PLACES, estimated, short_terms
from reference_tree.exact.rationals import Rational

TABLE = 1 << 15
"""Terms of whole weights that sum up to less are looked up."""


UNIT = Fraction(1, 1 << PLACES)
"""What most estimates are multiples of."""


class Estimates(NamedTuple):
    """Estimates of some cuts of one attribute."""

    values: Sequence[Any]
    """The estimate of each cut: an integer, or a float."""
    slack: Any
    """How far an estimate may be off, on either side."""
    unit: Rational = UNIT
    """What all of them are multiples of."""
    squares: bool = False
    """Whether a cut is worth the sum of (n·l - k·c)² over k·(n - k), of k rows among n that count l of all c."""
    tops: Sequence[int] = ()
    """These sums, where they are known."""


# Entropy.


def terms_up_to(whole: int, cut: int = 0) -> tuple[Callable[[int], int], int]:
    """A function that estimates the terms of weights, and how far a gain may be off that is made of them.

    Args:
        whole: what the weights of all rows sum up to.
        cut: of so many rows the true weight is larger, by less than 1.

    Returns:
        The function, and the slack of |D|·gain, to which 2 come for each term.
    """
    # To take a weight of x from a cell changes t(cell) - t(side) by less than x·(log2 whole + 2), and the same once
    # more for t(class) - t(whole).
    slack = 2 * cut * (whole.bit_length() + 2) << PLACES
    if whole < TABLE:
        return short_terms(whole).__getitem__, slack
    # An estimated term is short by less than x·2^7 + 2 units. Cells, sides and classes sum to `whole` each: together
    # less than 4·whole·2^7.
    return estimated, slack + (whole << 9)


@lru_cache(maxsize=1024)
def _pairs(n: int) -> list[int]:
    """For k = 0, ..., n the terms t(k) + t(n - k), in units of 2^-32, from below: each by less than 4."""
    terms = short_terms(n)[: n + 1]
    half = [below + above for below, above in zip(terms[: n // 2 + 1], reversed(terms), strict=False)]
    return half + half[: n - n // 2][::-1]


def _steps(n: int) -> list[int]:
    """What it changes that one more of n rows goes to the left. All of them together change nothing."""
    pairs = _pairs(n)
    return [after - before for before, after in pairwise(pairs)]


def _in_a_row(values: list[int], times: int) -> list[int]:
    """Values for k = 0, ..., n, of which the last is the first, for so many attributes one after the other."""
    return values if times == 1 else [*(values[:-1] * times), values[-1]]


def entropy_of_classes(labels: Sequence[int], flags: bytes, classes: Sequence[int]) -> Estimates:
    """The gain of cuts of rows that weigh 1.

    Args:
        labels: the class of each row in the order of the attribute; of several, one attribute after the other.
        flags: for each place behind a row whether there is a cut to estimate, 1 or 0; none behind an attribute's last.
        classes: how many rows each class has.

    Example:
        >>> found = entropy_of_classes(bytes([0, 0, 1, 1]), bytes([1, 1, 1]), (2, 2))
        >>> [f"{value / 2**32 / 4:.4f}" for value in found.values]
        ['0.3113', '1.0000', '0.3113']
    """
    n = sum(classes)
    times = len(labels) // n
    terms = short_terms(n)
    start = terms[n] - sum([terms[size] for size in classes])
    sides = _in_a_row(_pairs(n), times)
    present = [label for label, size in enumerate(classes) if size]
    if len(present) == 2 and isinstance(labels, bytes):
        one = present[1]
        of_one, of_other = (_in_a_row(_pairs(size), times) for size in (classes[one], n - classes[one]))
        left = compress(accumulate(labels.translate(_ONLY[one])), flags)
        places = compress(count(1), flags)
        found = [start + of_one[a] + of_other[k - a] - sides[k] for k, a in zip(places, left, strict=False)]
        return Estimates(found, 10)
    # The i-th row of a class takes the i-th step of that class, wherever it stands.
    steps = {label: cycle(_steps(classes[label])) for label in present}
    cells = start + sum([terms[classes[label]] for label in present])
    moved = accumulate(map(next, map(steps.__getitem__, labels)), initial=cells)
    # Of each class two terms are added and one subtracted; one is added for the whole, two are subtracted for the
    # sides. Each is short by less than 2.
    at_cuts = compress(zip(moved, sides, strict=False), b"\0" + flags)
    return Estimates([now - of_sides for now, of_sides in at_cuts], 4 * len(present) + 4)


def entropy_of_weights(
    labels: Sequence[int], weights: Sequence[int], flags: bytes, n: int = 0, is_cut: bool = False
) -> Estimates:
    """The gain of cuts of rows of any weights, in their unit.

    Args:
        labels: as for `entropy_of_classes`.
        weights: of each.
        flags: as for `entropy_of_classes`.
        n: how many rows an attribute has; 0: all are of one.
        is_cut: whether the true weights are larger, each by less than 1.
    """
    n = n or len(labels)
    classes = summed(labels[:n], weights[:n])
    whole = sum(classes.values())
    term, slack = terms_up_to(whole, n if is_cut else 0)
    slack += 8 * len(classes) + 8
    whole_terms = {label: term(weight) for label, weight in classes.items()}
    start, found = term(whole) - sum(whole_terms.values()), []
    for at, (label, weight, flag) in enumerate(zip(labels, weights, chain(flags, b"\0"), strict=False)):
        if at % n == 0:
            left, terms = dict.fromkeys(classes, 0), dict(whole_terms)
            cells, k, moved = sum(terms.values()), 0, set()
        left[label] += weight
        k += weight
        moved.add(label)
        if flag:
            while moved:  # since the last cut that was estimated
                a = left[one := moved.pop()]
                cells -= terms[one]
                terms[one] = term(a) + term(classes[one] - a)
                cells += terms[one]
            found.append(start + cells - term(k) - term(whole - k))
    return Estimates(found, slack)


# Mistakes.


def mistakes(labels: Sequence[int], weights: Sequence[int] | None, flags: bytes, n: int = 0) -> Estimates:
    """The decrease of the misclassification error; arguments as for `entropy_of_weights`. Nothing is rounded here.

    Example:
        >>> found = mistakes(bytes([0, 0, 1, 1]), None, bytes([1, 1, 1]))
        >>> [value / 2**32 / 4 for value in found.values]
        [0.25, 0.5, 0.25]
    """
    n, weights = n or len(labels), [1] * len(labels) if weights is None else weights
    classes = summed(labels[:n], weights[:n])
    most, found = max(classes.values()), []
    if len(classes) == 2:  # what one class has more than the other, d of D, says it all: max(l_1, l_2) = (k + |d|) / 2
        one = max(classes)
        ahead = [weight if label == one else -weight for label, weight in zip(labels, weights, strict=True)]
        lead = sum(ahead[:n])
        more = compress(prefix_sums(ahead, n), flags)
        return Estimates([abs(d) + abs(lead - d) - abs(lead) << PLACES - 1 for d in more], 0)
    for at, (label, weight, flag) in enumerate(zip(labels, weights, chain(flags, b"\0"), strict=False)):
        if at % n == 0:
            left, right = dict.fromkeys(classes, 0), dict(classes)
        left[label] += weight
        right[label] -= weight
        if flag:
            found.append(max(left.values()) + max(right.values()) - most << PLACES)
    return Estimates(found, 0)


# Squares: Gini, and the squared error.


FEW = 64
"""Of so many rows the squares are not rounded: the least common denominator of their scores is short."""


@lru_cache(maxsize=1024)
def _inverses(n: int) -> tuple[list[float] | list[int], Rational]:
    """For k = 1, ..., n the number 1 / (n·k·(n - k)), for k = n, where all squares are 0, a 0; and their unit.

    Few are integers. Many are doubles, correctly rounded.

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
    if len(present) == 2:  # one square is the other
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
    # Many are rounded three times: a top, an inverse, and their product.
    return Estimates(values, 0 if n <= FEW else max(values, default=0) * 2**-50, unit, True, tops)


def prefix_sums(steps: Sequence[int], n: int) -> Iterator[int]:
    """The sums of the first step, the first two, and so on, which begin anew after each n of them.

    Example:
        >>> list(prefix_sums([1, 2, 3, 3, 1, 2], 3))
        [1, 3, 6, 3, 4, 6]
    """
    if n < len(steps):
        whole, steps = sum(steps[:n]), list(steps)
        steps[n::n] = [step - whole for step in steps[n::n]]
    return accumulate(steps)


def squares_of_class_weights(
    labels: Sequence[int], weights: Sequence[int], flags: bytes, n: int = 0, is_cut: bool = False
) -> Estimates:
    """The decrease of Gini of cuts of rows of any weights, in their unit; arguments as for `entropy_of_weights`."""
    n = n or len(labels)
    present = set(labels[:n])
    if len(present) == 2:  # one square is the other
        one = max(present)
        of_one = labels.translate(_ONLY[one]) if isinstance(labels, bytes) else [int(label == one) for label in labels]
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
    # Σ l²/k changes by less than twice a weight that is taken away: on either side, and for all rows together, which
    # makes 4 for each row whose weight was cut.
    return _of_sides(tops, sides, whole, 4 * n << PLACES if is_cut else 0)


def _of_sides(tops: Iterable[int], sides: Iterable[int], whole: int, slack: int) -> Estimates:
    """Numbers over n·k·(n - k), which may be off by some slack themselves."""
    # A quotient by k·(n - k) alone loses less than a unit, which is worth at most 1. The inverse of n has 32 places at
    # least, and the cut at the end loses less than 1.
    length = whole.bit_length()
    more = max(0, PLACES + 1 - length)
    inverse, back = (1 << PLACES + length) // max(whole, 1), length + more  # weights may all have been cut to 0
    found = [(top << more) // (k * (whole - k) or 1) * inverse >> back for top, k in zip(tops, sides, strict=True)]
    return Estimates(found, (max(found, default=0) >> PLACES - 1) + 2 + slack)


def centred(numbers: Sequence[int]) -> tuple[Sequence[float], Rational]:
    """For each of n numbers n·y - Σ y, as a multiple of a unit; and the unit.

    Example:
        >>> centred([1, 2, 6])
        ([-6, -3, 9], 1)
    """
    n, whole = len(numbers), sum(numbers)
    return scaled([n * number - whole for number in numbers], n)


def scaled(steps: Sequence[int], n: int) -> tuple[Sequence[float], Rational]:
    """Steps as they are, of few rows; of many as doubles between -1 and 1, rounded, in units of a power of two."""
    if n <= FEW:
        return steps, 1
    unit = 1 << max(map(abs, steps)).bit_length()
    return [step / unit for step in steps], unit


def squares_of_numbers(steps: Sequence[float], flags: bytes, n: int, unit: Rational) -> Estimates:
    """The reduction of the squared error by cuts of rows that weigh 1.

    Args:
        steps: of each row n·y - Σ y, as `centred` gives it; in the order of the attribute, of several one after the
            other.
        flags: as for `entropy_of_classes`.
        n: how many rows an attribute has.
        unit: of the steps.
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
    # of at most 1/n lose less than 4u/n. Half of the slack is to spare, for what is computed with it.
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


def variances(
    numbers: Sequence[int], weights: Sequence[int] | None, flags: bytes, unit: Rational, n: int = 0
) -> Estimates:
    r"""What cuts take from the variance with n - 1.

    $$n\,s^2 - \sum_i n_i\, s_i^2, \qquad n_i\, s_i^2 = \frac{n_i \sum y^2 - (\sum y)^2}{n_i - 1}$$

    Args:
        numbers: y of each row in the order of the attribute.
        weights: of each; none: 1.
        flags: as for `entropy_of_classes`.
        unit: of weight.
        n: as for `entropy_of_weights`.

    Source:
        [N4 Regression Tree: variance reduction], [Ng2022]
    """
    n = n or len(numbers)
    if weights is None and unit == 1 and n <= 4 * FEW:
        return _exact_variances(numbers, flags, n)
    top, bottom = unit.numerator, unit.denominator
    each = [1] * len(numbers) if weights is None else weights
    sums = list(map(mul, numbers, each))
    squares = list(map(mul, numbers, sums))
    whole, total, all_squares = sum(each[:n]), sum(sums[:n]), sum(squares[:n])

    def spread(n: int, s: int, q: int) -> int:
        """(n·q - s²) / (n - 1) with n in its unit, but for a factor that all have; a weight of 1 is divided by 1."""
        return ((n * q - s * s) * top << PLACES) // (n * top - bottom or bottom) if n * top >= bottom else 0

    start = spread(whole, total, all_squares)
    at_cuts = compress(zip(prefix_sums(each, n), prefix_sums(sums, n), prefix_sums(squares, n), strict=True), flags)
    found = [start - spread(n, s, q) - spread(whole - n, total - s, all_squares - q) for n, s, q in at_cuts]
    return Estimates(found, 3)


def _exact_variances(numbers: Sequence[int], flags: bytes, n: int) -> Estimates:
    """The same of few rows that weigh 1: nothing is rounded."""
    of_whole, of_squares, of_sums, unit = _variance_terms(n)
    total, times = sum(numbers[:n]), len(numbers) // n
    steps = [n * number - total for number in numbers]
    squares = [step * step for step in steps]
    start = list(map(mul, of_whole, repeat(sum(squares[:n])))) * times
    at_places = zip(start, accumulate(steps), prefix_sums(squares, n), of_squares * times, of_sums * times, strict=True)
    values = [whole - q * by_q + s * s * by_s for whole, s, q, by_q, by_s in at_places]
    return Estimates(list(compress(values, flags)), 0, unit)


@lru_cache(maxsize=64)
def _variance_terms(n: int) -> tuple[list[int], list[int], list[int], Rational]:
    """For k = 1, ..., n what the squares of all rows are multiplied by, those on the left, and the square of their sum.

    With z = n·y - Σ y, which come to 0, and s = Σ z and q = Σ z² of k rows on the left, and Q = Σ z² of all,

        n_1·s_1² = (k·q - s²) / (k - 1),  n_2·s_2² = ((n - k)·(Q - q) - s²) / (n - k - 1),

    each 0 if it is of one row. The last number is the unit of their sum.
    """
    common = lcm(*range(1, n))
    inverses = [0, 0, *(common // (k - 1) for k in range(2, n + 1))]
    sides = [(k * inverses[k], (n - k) * inverses[n - k], inverses[k] + inverses[n - k]) for k in range(1, n)]
    of_whole = [n * inverses[n] - right for _, right, _ in sides]
    of_squares = [left - right for left, right, _ in sides]
    return [*of_whole, 0], [*of_squares, 0], [*(both for *_, both in sides), 0], Fraction(1, common * n * n)


def deviations(
    ranks: Sequence[int], weights: Sequence[int] | None, numbers: Sequence[int], flags: bytes, n: int = 0
) -> Estimates:
    """What cuts take from the absolute error; exact.

    Args:
        ranks: of the number of each row, in the order of the attribute; of several, one attribute after the other.
        weights: of each; none: 1.
        numbers: the number behind each rank, ascending.
        flags: as for `entropy_of_classes`.
        n: as for `entropy_of_weights`.
    """
    n = n or len(ranks)
    found: list[int] = []
    for first in range(0, len(ranks), n):
        mine = ranks[first : first + n]
        if weights is None and n <= SORTED:
            ys = list(map(numbers.__getitem__, mine))
            below, above = _growing_deviations(ys), _growing_deviations(ys[::-1])[::-1]
        else:
            each = [1] * n if weights is None else weights[first : first + n]
            above = _shrinking_deviations(mine, each, numbers)
            below = _shrinking_deviations(mine[::-1], each[::-1], numbers)[::-1]
        whole, at_cuts = above[0], compress(zip(below, above[1:], strict=False), flags[first : first + n])
        found += [whole - left - right for left, right in at_cuts]
    return Estimates(found, 0, 1)


SORTED = 1 << 12
"""So many numbers at most are kept sorted, as to put one in takes time in proportion to those behind it."""


def _growing_deviations(ys: Sequence[int]) -> list[int]:
    """The sum of absolute deviations from the median, of the first number, the first two, and so on.

    Whatever lies between the lower and the upper median is a median. So one more number adds its distance from that
    range: its nearest point is a median before, and after.

    Example:
        >>> _growing_deviations([1, 2, 6, 0])
        [0, 1, 5, 7]
    """
    ascending, found, total = list[int](), list[int](), 0
    for k, y in enumerate(ys):
        if k:
            if y < (lower := ascending[(k - 1) // 2]):
                total += lower - y
            elif y > (upper := ascending[k // 2]):
                total += y - upper
        insort(ascending, y)
        found.append(total)
    return found


def _shrinking_deviations(ranks: Sequence[int], weights: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """The sum of absolute deviations from the median, of all rows, all but the first, all but the first two, and so on.

    The ranks that are left are linked, and as one row after the other is taken away, the median moves by a step or so.
    """
    # The ranks are 1 to m here; 0 and m + 1 are the ends.
    of_rank = summed(ranks, weights)
    ys, weight_at = [0, *numbers, 0], [0, *(of_rank.get(rank, 0) for rank in range(len(numbers))), 0]
    after, before = list(range(1, len(ys) + 1)), list(range(-1, len(ys) - 1))
    whole, total = sum(weights), sum(map(mul, ys, weight_at))
    middle, below, sum_below = 1, 0, 0  # the lower median, the weight in front of it, and the sum of that
    found = []
    for rank, weight in zip(ranks, weights, strict=True):
        while 2 * (below + weight_at[middle]) < whole:
            below += weight_at[middle]
            sum_below += weight_at[middle] * ys[middle]
            middle = after[middle]
        while 2 * below >= whole:
            middle = before[middle]
            below -= weight_at[middle]
            sum_below -= weight_at[middle] * ys[middle]
        found.append(total - 2 * sum_below - ys[middle] * (whole - 2 * below))
        at = rank + 1
        product = weight * ys[at]
        whole -= weight
        total -= product
        weight_at[at] -= weight
        if at < middle:
            below -= weight
            sum_below -= product
        if not weight_at[at]:
            if at == middle:
                middle = after[at]
            after[before[at]], before[after[at]] = after[at], before[at]
    return found


def summed(labels: Iterable[int], weights: Iterable[int]) -> dict[int, int]:
    """The weight of each class."""
    found: dict[int, int] = {}
    for label, weight in zip(labels, weights, strict=True):
        found[label] = found.get(label, 0) + weight
    return found


_ONLY = [bytes(int(other == label) for other in range(256)) for label in range(256)]
# For `bytes.translate`: 1 for a label and 0 for all others.
