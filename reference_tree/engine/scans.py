r"""Scans: an estimate of every cut of an attribute, from one walk over the rows sorted by it.

A learner asks every continuous attribute for its best cut, so it spends nearly all of its time on scores of cuts that
lose. These need not be exact, as long as their error is bounded. An *estimate* is of |D|·score, where D are the rows
whose value is known, and `Estimates` give the bound. The counts on the left of a cut are prefix sums: of classes, or of
y.

1. `entropy_of_classes`: with t(n) = n·log2 n, of n rows with c_j of class j, a cut with k rows on the left, l_j of
   class j, gains

    $$n \cdot \mathrm{gain} = t(n) - \sum_j t(c_j) + \sum_j [t(l_j) + t(c_j - l_j)] - [t(k) + t(n - k)]$$

2. `mistakes` for the misclassification error, and `deviations` for the absolute error: nothing is rounded there.

Gini, the squared error and the variance with n - 1 are in `square_scans`. Each has a form for rows of equal weight,
which runs in C, and one for any weights.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, chain, compress, count, cycle, pairwise
from operator import mul
from typing import Any, NamedTuple, TypeVar

from reference_tree.engine.terms import PLACES, estimated, short_terms
from reference_tree.exact.rationals import Rational

UNIT = Fraction(1, 1 << PLACES)
"""The unit of most estimates."""


class Estimates(NamedTuple):
    """Estimates of some cuts of one attribute."""

    values: Sequence[Any]
    """The estimate of each cut: an integer, or a float."""
    slack: Any
    """How far an estimate may be off, on either side."""
    unit: Rational = UNIT
    """The unit of the estimates and of the slack."""
    squares: bool = False
    """Whether a score is Σ (n·l - k·c)² over k·(n - k), for k of n rows on the left, which count l of the total c."""
    tops: Sequence[int] = ()
    """The sums Σ (n·l - k·c)², where they are known."""


# Entropy.


def slack_of_terms(whole: int, cut: int = 0) -> int:
    """The error of |D|·gain if its terms are `estimated`; the caller adds 2 for each term.

    Args:
        whole: the sum of the weights of all rows.
        cut: the number of rows whose true weight is larger, each by less than 1.
    """
    # Taking a weight of x from a cell changes t(cell) - t(side) by less than x·(log2 whole + 2), and t(class) -
    # t(whole) by less than the same again.
    slack = 2 * cut * (whole.bit_length() + 2) << PLACES
    # From 2^13 on, an estimated term is short by less than x·2^7 + 2 units. Cells, sides and classes sum to `whole`
    # each: together less than 4·whole·2^7.
    return slack if whole < 1 << 13 else slack + (whole << 9)


@lru_cache(maxsize=128)
def _pairs(n: int) -> list[int]:
    """The sums t(k) + t(n - k) for k = 0, ..., n, in units of 2^-32: each is short by less than 4."""
    terms = short_terms(n)[: n + 1]
    half = [below + above for below, above in zip(terms[: n // 2 + 1], reversed(terms), strict=False)]
    return half + half[: n - n // 2][::-1]


def _steps(n: int) -> list[int]:
    """The change of `_pairs` with each further row of n that goes to the left. All changes add up to 0."""
    pairs = _pairs(n)
    return [after - before for before, after in pairwise(pairs)]


def _in_a_row(values: list[int], times: int) -> list[int]:
    """Values for k = 0, ..., n, the last equal to the first, repeated for each attribute of a run."""
    return values if times == 1 else [*(values[:-1] * times), values[-1]]


def entropy_of_classes(labels: Sequence[int], flags: bytes, classes: Sequence[int]) -> Estimates:
    """The gain of cuts of rows that weigh 1.

    Args:
        labels: the class of each row, sorted by the attribute; for several attributes, one after the other.
        flags: for each place behind a row, 1 if there is a cut to estimate, else 0; 0 behind an attribute's last row.
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
        left = compress(accumulate(labels.translate(ONLY[one])), flags)
        places = compress(count(1), flags)
        found = [start + of_one[a] + of_other[k - a] - sides[k] for k, a in zip(places, left, strict=False)]
        return Estimates(found, 10)
    # The i-th row of a class takes the i-th step of that class, wherever it stands.
    steps = {label: cycle(_steps(classes[label])) for label in present}
    cells = start + sum([terms[classes[label]] for label in present])
    moved = accumulate(map(next, map(steps.__getitem__, labels)), initial=cells)
    # For each class two terms are added and one is subtracted; one is added for the whole, and two are subtracted for
    # the sides. Each is short by less than 2.
    at_cuts = compress(zip(moved, sides, strict=False), b"\0" + flags)
    return Estimates([now - of_sides for now, of_sides in at_cuts], 4 * len(present) + 4)


def entropy_of_weights(
    labels: Sequence[int], weights: Sequence[int], flags: bytes, n: int = 0, is_cut: bool = False
) -> Estimates:
    """The gain of cuts of rows of any weights, in their unit.

    Args:
        labels: as for `entropy_of_classes`.
        weights: the weight of each row.
        flags: as for `entropy_of_classes`.
        n: how many rows an attribute has; 0 if all rows belong to one attribute.
        is_cut: whether the true weights are larger, each by less than 1.
    """
    n = n or len(labels)
    classes = summed(labels[:n], weights[:n])
    whole = sum(classes.values())
    slack = slack_of_terms(whole, n if is_cut else 0) + 8 * len(classes) + 8
    whole_terms = {label: estimated(weight) for label, weight in classes.items()}
    start, found = estimated(whole) - sum(whole_terms.values()), []
    for at, (label, weight, flag) in enumerate(zip(labels, weights, chain(flags, b"\0"), strict=False)):
        if at % n == 0:
            left, terms = dict.fromkeys(classes, 0), dict(whole_terms)
            cells, k, moved = sum(terms.values()), 0, set()
        left[label] += weight
        k += weight
        moved.add(label)
        if flag:
            while moved:  # the classes of the rows since the last estimated cut
                a = left[one := moved.pop()]
                cells -= terms[one]
                terms[one] = estimated(a) + estimated(classes[one] - a)
                cells += terms[one]
            found.append(start + cells - estimated(k) - estimated(whole - k))
    return Estimates(found, slack)


# Mistakes.


def mistakes(labels: Sequence[int], weights: Sequence[int] | None, flags: bytes, n: int = 0) -> Estimates:
    """The decrease of the misclassification error, exactly; arguments as for `entropy_of_weights`.

    Example:
        >>> found = mistakes(bytes([0, 0, 1, 1]), None, bytes([1, 1, 1]))
        >>> [value / 2**32 / 4 for value in found.values]
        [0.25, 0.5, 0.25]
    """
    n, weights = n or len(labels), [1] * len(labels) if weights is None else weights
    classes = summed(labels[:n], weights[:n])
    most, found = max(classes.values()), []
    if len(classes) == 2:  # the difference d = l_1 - l_2 is enough: max(l_1, l_2) = (k + |d|) / 2
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


# The absolute error.


def deviations(
    ranks: Sequence[int], weights: Sequence[int] | None, numbers: Sequence[int], flags: bytes, n: int = 0
) -> Estimates:
    """The reduction of the absolute error by cuts, exactly.

    Args:
        ranks: the rank of each row's y, sorted by the attribute; for several attributes, one after the other.
        weights: the weight of each row; None if all weigh 1.
        numbers: the number of each rank, ascending.
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
"""The most numbers that are kept in a sorted list: an insertion takes time in proportion to the numbers behind it."""


def _growing_deviations(ys: Sequence[int]) -> list[int]:
    """The sum of absolute deviations from the median, of the first number, the first two, and so on.

    Every number between the lower and the upper median is a median. So one more number adds its distance from that
    range: the nearest point of the range is a median before and after.

    Example:
        >>> _growing_deviations([1, 2, 6, 0])
        [0, 1, 5, 7]
    """
    ascending: list[int] = []
    found: list[int] = []
    total = 0
    for k, y in enumerate(ys):
        if k:
            # All numbers between the lower and the upper median have the same sum of deviations. A number beyond them
            # adds its distance to the nearer one; a number between them adds nothing.
            if y < (lower := ascending[(k - 1) // 2]):
                total += lower - y
            elif y > (upper := ascending[k // 2]):
                total += y - upper
        insort(ascending, y)
        found.append(total)
    return found


def _shrinking_deviations(ranks: Sequence[int], weights: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """The sum of absolute deviations from the median, of all rows, all but the first, all but the first two, and so on.

    The ranks that are left form a linked list. As each row is taken away, the median moves by about one step.
    """
    # The ranks are 1 to m here; 0 and m + 1 mark the ends of the list.
    of_rank = summed(ranks, weights)
    ys, weight_at = [0, *numbers, 0], [0, *(of_rank.get(rank, 0) for rank in range(len(numbers))), 0]
    after, before = list(range(1, len(ys) + 1)), list(range(-1, len(ys) - 1))
    whole, total = sum(weights), sum(map(mul, ys, weight_at))
    middle, below, sum_below = 1, 0, 0  # the lower median, the weight below it, and the weighted sum of y below it
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


# Sums that several scans share.


Step = TypeVar("Step", int, float)


def prefix_sums(steps: Sequence[Step], n: int) -> Iterator[Step]:
    """The sums of the first step, the first two, and so on, which start again after every n steps.

    Example:
        >>> list(prefix_sums([1, 2, 3, 3, 1, 2], 3))
        [1, 3, 6, 3, 4, 6]
    """
    if n < len(steps):
        whole, steps = sum(steps[:n]), list(steps)
        steps[n::n] = [step - whole for step in steps[n::n]]
    return accumulate(steps)


def summed(labels: Iterable[int], weights: Iterable[int]) -> dict[int, int]:
    """The sum of the weights of each class."""
    found: dict[int, int] = {}
    for label, weight in zip(labels, weights, strict=True):
        found[label] = found.get(label, 0) + weight
    return found


ONLY = [bytes(int(other == label) for other in range(256)) for label in range(256)]
"""For `bytes.translate`: each table turns one label into 1 and all others into 0."""
