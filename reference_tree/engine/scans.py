r"""Scans: a whole-number estimate of every cut of an attribute, from one walk over the rows in its order.

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

3. `variances` for the form with n - 1, and `deviations` for the absolute error.

Each has a form for rows that weigh alike, which runs along in C, and one for any weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, compress, count, islice
from typing import NamedTuple

from reference_tree.engine.terms import BITS, PLACES, estimated, short_terms

TABLE = 1 << 20
"""Terms of whole weights up to this are looked up."""


class Estimates(NamedTuple):
    """Estimates of some cuts of one attribute."""

    values: Sequence[int]
    """The estimate of each cut."""
    slack: int
    """How far an estimate may be off, on either side."""
    bits: int = PLACES
    """All are in units of 2^-bits."""


# Entropy.


@lru_cache(maxsize=1024)
def _pairs(n: int) -> list[int]:
    """For k = 0, ..., n the terms t(k) + t(n - k), in units of 2^-32, from below: each by less than 4."""
    terms = short_terms(n)[: n + 1]
    half = [below + above for below, above in zip(terms[: n // 2 + 1], reversed(terms), strict=False)]
    return half + half[: n - n // 2][::-1]


def _steps(n: int) -> list[int]:
    """What it changes that one more of n rows goes to the left."""
    pairs = _pairs(n)
    return [after - before for before, after in zip(pairs, pairs[1:], strict=False)]


def entropy_of_classes(labels: Sequence[int], flags: bytes, classes: Sequence[int]) -> Estimates:
    """The gain of cuts of rows that weigh 1.

    Args:
        labels: the class of each row in the order of the attribute.
        flags: for each place between two neighbours whether there is a cut to estimate, 1 or 0.
        classes: how many rows each class has.

    Example:
        >>> found = entropy_of_classes(bytes([0, 0, 1, 1]), bytes([1, 1, 1]), (2, 2))
        >>> [f"{value / 2**32 / 4:.4f}" for value in found.values]
        ['0.3113', '1.0000', '0.3113']
    """
    n = len(labels)
    terms = short_terms(n)
    start = terms[n] - sum([terms[size] for size in classes])
    sides = _pairs(n)
    present = [label for label, size in enumerate(classes) if size]
    if len(present) == 2 and isinstance(labels, bytes):
        one = present[1]
        of_one, of_other = _pairs(classes[one]), _pairs(n - classes[one])
        left = compress(accumulate(labels.translate(_ONLY[one])), flags)
        places = compress(count(1), flags)
        found = [start + of_one[a] + of_other[k - a] - sides[k] for k, a in zip(places, left, strict=False)]
        return Estimates(found, 10)
    # The i-th row of a class takes the i-th step of that class, wherever it stands.
    steps = {label: iter(_steps(classes[label])) for label in present}
    cells = start + sum([terms[classes[label]] for label in present])
    moved = accumulate(map(next, map(steps.__getitem__, labels)), initial=cells)
    # Of each class two terms are added and one subtracted; one is added for the whole, two are subtracted for the
    # sides. Each is short by less than 2.
    at_cuts = compress(zip(moved, sides, strict=False), b"\0" + flags)
    return Estimates([now - of_sides for now, of_sides in at_cuts], 4 * len(present) + 4)


def entropy_of_weights(labels: Sequence[int], weights: Sequence[int], flags: bytes) -> Estimates:
    """The gain of cuts of rows of any weights, in their unit; arguments as for `entropy_of_classes`."""
    weights, shift = shortened(weights)
    right = _by_class(labels, weights)
    whole = sum(right.values())
    if whole < TABLE:
        term, slack = short_terms(whole).__getitem__, 8 * len(right) + 8
    else:
        # An estimated term is short by less than x·2^7 + 2 units. Cells, sides and classes sum to `whole` each:
        # together less than 4·whole·2^7, and 2 for each term. If weights were cut, each by less than 1: to take a
        # weight of x from a cell changes t(cell) - t(side) by less than x·(62 + 2), and the same once more for t(class)
        # - t(whole): less than 2^7·n·2^32, which `whole` ≥ 2^58 outweighs 2^9-fold as long as n < 2^26.
        term, slack = estimated, (whole << 10) + 8 * len(right) + 8
    left = dict.fromkeys(right, 0)
    terms = {label: term(weight) for label, weight in right.items()}
    cells = sum(terms.values())
    start, k, found = term(whole) - cells, 0, []
    for label, weight, flag in zip(labels, weights, flags + b"\0", strict=True):
        a = left[label] + weight
        b = right[label] - weight
        left[label], right[label] = a, b
        k += weight
        now = term(a) + term(b)
        cells += now - terms[label]
        terms[label] = now
        if flag:
            found.append(start + cells - term(k) - term(whole - k))
    return Estimates([value << shift for value in found], slack << shift)


# Squares: Gini, and the squared error.


@lru_cache(maxsize=1024)
def _inverses(n: int) -> tuple[list[int], int]:
    """For k = 1, ..., n - 1 the number 1 / (n·k·(n - k)), in units of 2^-bits, from below; and the bits.

    There are so many of them that each number is too small by less than its 2^-24th part. For k = 0 and k = n, where
    all squares are 0, there is a 0.
    """
    bits = 3 * n.bit_length() + 22
    half = [0, *((1 << bits) // (n * k * (n - k)) for k in range(1, n // 2 + 1))]
    return half + half[: n - n // 2][::-1], bits


def _of_quotients(values: Sequence[int], bits: int) -> Estimates:
    """Estimates made with inverses: each is short by less than its 2^-23rd part."""
    return Estimates(values, (max(values, default=0) >> 23) + 1, bits)


def squares_of_classes(labels: Sequence[int], flags: bytes, classes: Sequence[int]) -> Estimates:
    """The decrease of Gini of cuts of rows that weigh 1; arguments as for `entropy_of_classes`.

    Example:
        >>> found = squares_of_classes(bytes([0, 0, 1, 1]), bytes([1, 1, 1]), (2, 2))
        >>> [f"{value / 2**found.bits / 4:.4f}" for value in found.values]
        ['0.1667', '0.5000', '0.1667']
    """
    n = len(labels)
    present = [label for label, size in enumerate(classes) if size]
    if len(present) == 2:  # one square is the other
        other, one = present
        found = _squares(map({other: -classes[one], one: n - classes[one]}.__getitem__, labels), n, flags)
        return found._replace(bits=found.bits - 1)
    inverse, bits = _inverses(n)
    # Σ_j (n·l_j - k·c_j)² = n²·Σ l_j² - 2·n·k·Σ l_j·c_j + k²·Σ c_j². One more row of class j adds the next odd number
    # to the first sum, and c_j to the second.
    whole = sum([classes[label] ** 2 for label in present])
    odd = {label: count(1, 2) for label in present}
    squares = accumulate(map(next, map(odd.__getitem__, labels)))
    mixed = accumulate(map(classes.__getitem__, labels))
    at_cuts = compress(zip(count(1), squares, mixed, strict=False), flags)
    return _of_quotients([(n * (n * a - 2 * k * b) + k * k * whole) * inverse[k] for k, a, b in at_cuts], bits)


def squares_of_class_weights(labels: Sequence[int], weights: Sequence[int], flags: bytes) -> Estimates:
    """The decrease of Gini of cuts of rows of any weights, in their unit."""
    n = len(labels)
    weights, shift = shortened(weights)
    classes = _by_class(labels, weights)
    whole = sum(classes.values())
    left = dict.fromkeys(classes, 0)
    squares = mixed = k = 0
    total = sum([weight**2 for weight in classes.values()])
    found = []
    for label, weight, flag in zip(labels, weights, flags + b"\0", strict=True):
        a = left[label]
        left[label] = a + weight
        squares += weight * (2 * a + weight)
        mixed += weight * classes[label]
        k += weight
        if flag:
            square = whole * (whole * squares - 2 * k * mixed) + k * k * total
            found.append((square << PLACES) // (whole * k * (whole - k)) if 0 < k < whole else 0)
    # Σ l²/k changes by less than twice a weight that is taken away: on either side, and for all rows together, which
    # makes 4 for each row whose weight was cut.
    slack = 1 + (4 * n << PLACES if shift else 0)
    return Estimates([value << shift for value in found], slack << shift)


def squares_of_numbers(numbers: Sequence[int], flags: bytes) -> Estimates:
    """The reduction of the squared error by cuts of rows that weigh 1.

    Args:
        numbers: y of each row in the order of the attribute.
        flags: as for `entropy_of_classes`.
    """
    n, whole = len(numbers), sum(numbers)
    return _squares([n * number - whole for number in numbers], n, flags)


def _squares(steps: Iterable[int], n: int, flags: bytes) -> Estimates:
    """The squares d² over n·k·(n - k), where d is the sum of the steps of the k rows on the left."""
    inverse, bits = _inverses(n)
    at_cuts = zip(compress(accumulate(steps), flags), compress(islice(inverse, 1, None), flags), strict=False)
    return _of_quotients([d * d * part for d, part in at_cuts], bits)


def squares_of_weighted_numbers(numbers: Sequence[int], weights: Sequence[int], flags: bytes) -> Estimates:
    """The reduction of the squared error by cuts of rows of any weights, in their unit."""
    spread = max(numbers, default=0) - min(numbers, default=0)
    weights, shift = shortened(weights)
    products = [number * weight for number, weight in zip(numbers, weights, strict=True)]
    whole, total = sum(weights), sum(products)
    found = []
    for k, s in zip(compress(accumulate(weights), flags), compress(accumulate(products), flags), strict=True):
        d = whole * s - k * total
        found.append((d * d << PLACES) // (whole * k * (whole - k)) if 0 < k < whole else 0)
    slack = 1 + (4 * len(numbers) * spread * spread << PLACES if shift else 0)
    return Estimates([value << shift for value in found], slack << shift)


def variances(numbers: Sequence[int], weights: Sequence[int] | None, flags: bytes, top: int, bottom: int) -> Estimates:
    r"""What cuts take from the variance with n - 1.

    $$n\,s^2 - \sum_i n_i\, s_i^2, \qquad n_i\, s_i^2 = \frac{n_i \sum y^2 - (\sum y)^2}{n_i - 1}$$

    Args:
        numbers: y of each row in the order of the attribute.
        weights: of each; none: 1.
        flags: as for `entropy_of_classes`.
        top: the unit of weight is top / bottom.
        bottom: see there.

    Source:
        [N4 Regression Tree: variance reduction], [Ng2022]
    """
    each = [1] * len(numbers) if weights is None else weights
    sums = [number * weight for number, weight in zip(numbers, each, strict=True)]
    squares = [number * product for number, product in zip(numbers, sums, strict=True)]
    whole, total, all_squares = sum(each), sum(sums), sum(squares)

    def spread(n: int, s: int, q: int) -> int:
        """(n·q - s²) / (n - 1) with n in its unit, but for a factor that all have."""
        return ((n * q - s * s) * top << PLACES) // (n * top - bottom) if n * top > bottom else 0

    start = spread(whole, total, all_squares)
    at_cuts = compress(zip(accumulate(each), accumulate(sums), accumulate(squares), strict=True), flags)
    found = [start - spread(n, s, q) - spread(whole - n, total - s, all_squares - q) for n, s, q in at_cuts]
    return Estimates(found, 3)


def deviations(ranks: Sequence[int], weights: Sequence[int] | None, numbers: Sequence[int], flags: bytes) -> Estimates:
    """What cuts take from the absolute error; exact.

    Args:
        ranks: of the number of each row, in the order of the attribute.
        weights: of each; none: 1.
        numbers: the number behind each rank, ascending.
        flags: as for `entropy_of_classes`.
    """
    each = [1] * len(ranks) if weights is None else list(weights)
    below = _running_deviations(ranks, each, numbers)
    above = _running_deviations(ranks[::-1], each[::-1], numbers)[::-1]
    at_cuts = compress(zip(below, above[1:], strict=False), flags)
    return Estimates([below[-1] - left - right for left, right in at_cuts], 0, 0)


def _running_deviations(ranks: Sequence[int], weights: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """The sum of absolute deviations from the median, of the first row, the first two rows, and so on.

    The weights and the weighted sums below each rank stand in two binary indexed trees, so each row takes a logarithmic
    number of steps.
    """
    present = sorted(set(ranks))
    place_of = {rank: place + 1 for place, rank in enumerate(present)}
    size, top = len(present), 1 << len(present).bit_length()
    tree, sums = [0] * (size + 1), [0] * (size + 1)
    weight_of_all = sum_of_all = 0
    found = []
    for rank, weight in zip(ranks, weights, strict=True):
        number = numbers[rank]
        product = weight * number
        place = place_of[rank]
        while place <= size:
            tree[place] += weight
            sums[place] += product
            place += place & -place
        weight_of_all += weight
        sum_of_all += product
        # The lower median is the first number at which twice the weight up to it is at least the whole weight.
        at = below = sum_below = 0
        step = top
        while step:
            after = at + step
            if after <= size and 2 * (below + tree[after]) < weight_of_all:
                at = after
                below += tree[after]
                sum_below += sums[after]
            step >>= 1
        median = numbers[present[at]]
        found.append(sum_of_all - 2 * sum_below - median * (weight_of_all - 2 * below))
    return found


# What weights have in common.


def shortened(weights: Sequence[int]) -> tuple[Sequence[int], int]:
    """The weights over 2^shift, cut after the point so that their sum is below 2^60; and the shift.

    Example:
        >>> shortened([3, 5]), shortened([1 << 100, 1 << 98])
        (([3, 5], 0), ([576460752303423488, 144115188075855872], 41))
    """
    shift = max(0, sum(weights).bit_length() - 60)
    return ([weight >> shift for weight in weights], shift) if shift else (weights, 0)


def _by_class(labels: Sequence[int], weights: Sequence[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for label, weight in zip(labels, weights, strict=True):
        found[label] = found.get(label, 0) + weight
    return found


_ONLY = [bytes(int(other == label) for other in range(256)) for label in range(256)]
# For `bytes.translate`: 1 for a label and 0 for all others.
