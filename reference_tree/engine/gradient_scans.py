r"""Gradient scans: the tests that can be the best by the derivatives of a loss, from one walk over the rows.

Both derivatives of a row are one long integer (`counted.derivatives`), so one prefix sum gives G and H of a cut. The
score of every cut

$$\frac{G_L^2}{H_L + \lambda} + \frac{G_R^2}{H_R + \lambda}$$

is estimated by integers; the gain is the score less a term that all cuts of a node share. Rows without a value are
tried on either side. Only the tests whose estimates come near the best are counted exactly.

*The error of an estimate.* The two quotients are rounded down, each by less than a unit. Where derivatives are
enclosed, a sum over rows of weight n is too small by at most δ = n·off. A quotient G²/(H + λ) is then off by at most
2Qδ + Q²δ + δ²/(H + λ), where Q ≥ |G|/(H + λ). As (|G|/(H + λ))² is a quotient divided by H + λ, the largest quotient
and the smallest h bound it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import compress, count
from math import ceil, isqrt
from typing import NamedTuple

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import Gradients
from reference_tree.engine.bisection import places
from reference_tree.engine.integer_columns import SortedRun
from reference_tree.engine.scans import prefix_sums
from reference_tree.engine.store import Store
from reference_tree.exact.rationals import Rational
from reference_tree.learners import gradient_tree
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.splitting import missing_rules
from reference_tree.splitting.candidate import Asking, Candidate
from reference_tree.splitting.continuous_bisection import midpoint
from reference_tree.twins import fast_form_of

PRECISION = 64
"""About the number of binary places of an estimate."""


class Scale(NamedTuple):
    """The numbers that the scores of a node are computed with, in the units of its derivatives."""

    shift: int
    """A sum of both derivatives is G·2^shift + H."""
    whole: int
    """The sum of both derivatives of all rows."""
    penalty: tuple[int, int]
    """Numerator and denominator of λ."""
    bits: int
    """Estimates are in units of 2^-bits."""
    off: int
    """By how much a sum may be too small."""
    least: int
    """The least H of a side."""
    shrinking: tuple[int, int]
    """Numerator and denominator of α."""

    def scores(self, lefts: Sequence[int], whole: int) -> list[int]:
        """The estimated scores of cuts with these sums on the left; -1 if a side is surely too small."""
        shift, (top, below), bits = self.shift, self.penalty, self.bits
        alpha, parts = self.shrinking
        squared = parts * parts
        mask, least, found = (1 << shift) - 1, max(self.least - self.off, 0 if top else 1), []
        # Both derivatives of the left side are one integer: H in the low bits, G above it.
        for left in lefts:
            right = whole - left
            h, k = left & mask, right & mask
            if h < least or k < least:
                found.append(-1)
                continue
            g, f = left >> shift, right >> shift
            if alpha:
                g, f = abs(g) * parts - alpha, abs(f) * parts - alpha
                g, f = g if g > 0 else 0, f if f > 0 else 0
            one, other = (h * below + top) * squared, (k * below + top) * squared
            found.append((g * g * below << bits) // one + (f * f * below << bits) // other)
        return found

    def is_sure(self, left: int, right: int) -> bool:
        """Whether both sides are surely large enough."""
        mask = (1 << self.shift) - 1
        return min(left & mask, right & mask) >= self.least


class GradientScan(NamedTuple):
    """The tests of some attributes, with their estimates."""

    run: SortedRun
    unknown: int
    """The sum of both derivatives of the rows without a value."""
    sums: list[int]
    """For each cut the sum of both derivatives of the rows on its left."""
    at: list[int]
    """The places of the cuts."""
    scores: list[int]


@fast_form_of(gradient_tree.best_splits)
def best_splits(learner: GradientTree, sample: Sample, attributes: Sequence[Attribute]) -> list[Candidate]:
    """The tests of largest gain, sought among the promising ones only.

    If λ is 0, no h may be cut to 0: a side of such rows would seem to have no H.
    """
    if (
        isinstance(sample, Store)
        and isinstance(sample.target, Gradients)
        and learner.min_samples_leaf <= sample.unit
        and (learner.reg_lambda or not sample.target.off or all(sample.target.h.values()))
    ):
        penalties = learner.reg_lambda, learner.reg_alpha
        promising = promising_splits(sample, attributes, penalties, learner.min_child_weight)
        return learner.best_of(sample, promising)
    return gradient_tree.best_splits.__wrapped__(learner, sample, attributes)  # type: ignore[attr-defined,no-any-return]


def promising_splits(
    sample: Store, attributes: Sequence[Attribute], penalties: tuple[Rational, Rational], min_child_weight: Rational
) -> list[Asking]:
    """The tests that can be the best of all.

    Args:
        sample: the rows at the node, counted by `Gradients`.
        attributes: the attributes that may be split on.
        penalties: λ and α.
        min_child_weight: the least H of a side.

    Returns:
        The tests in the order of the attributes, thresholds ascending.
    """
    scale = _scale(sample, penalties, min_child_weight)
    names = {attribute.name for attribute in attributes}
    scanned = [_scanned(sample, run.of(name), scale) for run in sample.runs for name in run.names if name in names]
    floor = _best(scanned, scale) - 2 * _slack(sample, scanned, scale)
    found = {one.run.names[0]: list(_near(sample, one, floor)) for one in scanned}
    askings: list[Asking] = []
    for attribute in attributes:
        categorical = attribute.values is not None
        askings += missing_rules.splits(sample, attribute) if categorical else found[attribute.name]
    return askings


def _scale(sample: Store, penalties: tuple[Rational, Rational], min_child_weight: Rational) -> Scale:
    counted, target = sample.counted, sample.target
    assert isinstance(target, Gradients)
    unit = Fraction(counted.y_unit) * sample.unit
    penalty, shrinking = (Fraction(each / unit) for each in penalties)
    whole = sum(_sums(sample, sample.rows))
    weight = sample.target.weight(sample.total())
    return Scale(
        counted.shift,
        whole,
        (penalty.numerator, penalty.denominator),
        max(0, PRECISION - max(0, unit.denominator.bit_length() - unit.numerator.bit_length())),
        ceil(weight * target.off / unit),
        ceil(min_child_weight / unit),
        (shrinking.numerator, shrinking.denominator),
    )


def _sums(sample: Store, rows: Sequence[int]) -> list[int]:
    """Both derivatives of each of some rows, times the weight of the row."""
    cells, weights = list(sample.cells(rows)), sample.multiples(rows)
    return cells if weights is None else [weight * cell for weight, cell in zip(weights, cells, strict=True)]


def _scanned(sample: Store, run: SortedRun, scale: Scale) -> GradientScan:
    if not run.rows:
        return GradientScan(run, 0, [], [], [])
    n = run.size
    flags = places(sample, run)
    steps = _sums(sample, run.rows)
    known = sum(steps)
    unknown = scale.whole - known
    some_unknown = n < len(sample.rows)
    if some_unknown:  # the last test is whether a row has a value
        flags = flags[:-1] + b"\1"
    at, sums = list(compress(count(1), flags)), list(compress(prefix_sums(steps, n), flags))
    scores = scale.scores(sums, scale.whole)
    if some_unknown:  # `scores` has the rows without a value on the right, `others` on the left
        others = scale.scores([left + unknown for left in sums[:-1]], scale.whole)
        scores = [*map(max, scores, others), scores[-1]]
    return GradientScan(run, unknown, sums, at, scores)


def _best(scanned: Sequence[GradientScan], scale: Scale) -> int:
    """The largest estimate of a test whose sides are surely large enough; -1 if there is none."""
    best = -1
    for one in scanned:
        if max(one.scores, default=-1) <= best:
            continue
        for left, place, score in zip(one.sums, one.at, one.scores, strict=True):
            if score > best:
                ways = {left, left + one.unknown} if place < one.run.size else {left}
                sure = [way for way in ways if scale.is_sure(way, scale.whole - way)]
                best = max([best, *scale.scores(sure, scale.whole)])
    return best


def _slack(sample: Store, scanned: Sequence[GradientScan], scale: Scale) -> int:
    """A bound of the error of an estimate, in either direction."""
    if not scale.off:
        return 2
    most = max((score for one in scanned for score in one.scores), default=0)
    top, below = scale.penalty
    mask = (1 << scale.shift) - 1
    least = max(1, min(each & mask for each in _sums(sample, sample.rows)) * below + top)  # h + λ, of a single row
    q = isqrt(max(most, 1) * below // least >> scale.bits) + 2
    off = scale.off
    return 2 + (2 * (2 * q * off + q * q * off + off * off * below // least + 1) << scale.bits)


def _near(sample: Store, one: GradientScan, floor: int) -> Iterator[Asking]:
    """The tests whose estimates are near the best, thresholds ascending."""
    run, (name,) = one.run, one.run.names
    numbers, n, least = sample.schema.numbers[name], one.run.size, max(floor, 0)
    for place in [place for place, score in zip(one.at, one.scores, strict=True) if score >= least]:
        ranks = sample.values_of(name, run.rows[place - 1 : place + 1])
        below = numbers[ranks[0]]
        # The last place is behind all known rows: the test whether a row has a value at all.
        if place == n:
            test = Threshold(name, below)
        else:
            test = Threshold(name, midpoint(below, numbers[ranks[1]]), (below, numbers[ranks[1]]))
        sides = [sample.count(rows) for rows in (run.rows[:place], run.rows[place:])]
        yield test, sample.table(test, sides, sample.unknown(run))
