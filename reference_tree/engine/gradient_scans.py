r"""Gradient scans: the tests that can be the best by the derivatives of a loss, from one walk over the rows.

The score of every cut

$$\frac{G_L^2}{H_L + \lambda} + \frac{G_R^2}{H_R + \lambda}$$

is estimated by doubles; the gain is the score less a term that all cuts of a node share. Rows without a value are tried
on either side. Only the tests whose estimates come near the best are counted exactly.

*The sums are exact.* Derivatives are integers (`derivative_columns`), which are cut to doubles that hold integers: so
few bits are kept that no sum of rows needs more than 53. Then no addition rounds, and rows of the same cases have the
same sums in any order. λ is held in the same way.

*The error of an estimate.* A sum of rows of weight n is too small by at most δ, which is n times what a row may lack.
With Q ≥ |G|/(H + λ), a quotient G²/(H + λ) is then off by at most 2Qδ_g + Q²δ_h + δ_g²/(H + λ), and by its own
roundings. As Q² is a quotient divided by H + λ, the largest score and the least H + λ bound it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, compress, count, islice
from typing import NamedTuple

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.engine.bisection import places
from reference_tree.engine.derivative_columns import Doubles, RowDerivatives
from reference_tree.engine.integer_columns import Rows, SortedRun
from reference_tree.engine.store import Store
from reference_tree.exact.rationals import Rational
from reference_tree.learners import gradient_tree
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.splitting import missing_rules
from reference_tree.splitting.candidate import Asking, Candidate
from reference_tree.splitting.continuous_bisection import midpoint
from reference_tree.splitting.missing_rules import LEFT, RIGHT
from reference_tree.twins import fast_form_of


class CutScores(NamedTuple):
    """The cuts of one attribute whose sides may be large enough, with the rows without a value on one side."""

    name: str
    run: SortedRun
    """The rows of the node that have a value, sorted by all attributes of the run."""
    at: int
    """The place of the attribute in the run."""
    side: int
    """The side of the rows without a value."""
    flags: bytes
    """For each place behind a row, 1 if there is a cut."""
    first: int
    """The number of cuts before those that are scored."""
    scores: list[float]
    """Their estimates."""

    def places(self, floor: float) -> Iterator[int]:
        """The places of the cuts that score at least so much, ascending."""
        spots = islice(compress(count(1), self.flags), self.first, None)
        return (place for place, score in zip(spots, self.scores, strict=False) if score >= floor)

    def parts(self, place: int) -> tuple[Rows, Rows]:
        """The rows that have a value, on each side of a cut."""
        first = self.at * self.run.size
        return self.run.rows[first : first + place], self.run.rows[first + place : first + self.run.size]

    def test(self, sample: Store, place: int) -> Threshold:
        """The test of a cut; behind all rows that have a value it is the test whether there is one."""
        numbers, codes = sample.schema.numbers[self.name], sample.columns.codes[self.name]
        last = self.at * self.run.size + place
        below = numbers[codes[self.run.rows[last - 1]]]
        if place == self.run.size:
            return Threshold(self.name, below)
        above = numbers[codes[self.run.rows[last]]]
        return Threshold(self.name, midpoint(below, above), (below, above))


class GradientScan(NamedTuple):
    """The cuts of a node with their estimates."""

    cuts: Sequence[CutScores]
    best: float
    """The largest estimate of a cut whose sides are surely large enough; -1 if there is none."""
    slack: float
    """The most by which an estimate may be off."""
    gain: tuple[float, float]
    """The gain of the best cut, from below and from above."""
    any_cut: bool
    """Whether there is a cut at all, perhaps with sides that are too small."""

    @property
    def floor(self) -> float:
        """No cut that scores less is the best."""
        return self.best - 2 * self.slack


def scanned(sample: Store, doubles: Doubles, rows: Rows, weight: int, runs: Sequence[SortedRun]) -> GradientScan:
    """The estimates of all cuts of a node.

    Args:
        sample: the rows at the node, or more of them.
        doubles: the derivatives of the rows of the table, and the bounds of the learner.
        rows: the rows at the node.
        weight: their weight, in whole units.
        runs: the same rows, sorted by attributes.
    """
    bounds = doubles.bounds
    whole = sum(map(doubles.g.__getitem__, rows)), sum(map(doubles.h.__getitem__, rows)) + 2 * bounds.reg_lambda
    off = weight * doubles.off[0] + bounds.reg_alpha * 2.0**-52, weight * doubles.off[1] + bounds.lambda_off
    # With its λ, a side has at least so much: surely, or perhaps.
    sure = bounds.min_child_weight + bounds.reg_lambda
    least = max(sure - off[1], doubles.least_h + bounds.reg_lambda)
    found, best, most, any_cut = list[CutScores](), -1.0, 0.0, False
    for run in runs:
        n, all_flags = run.size, _places(sample, run, len(rows))
        any_cut = any_cut or 1 in all_flags
        for at, name in enumerate(run.names if whole[1] >= 2 * least else ()):
            here, flags = run.rows[at * n : at * n + n], all_flags[at * n : at * n + n]
            for side, lefts, heights in _sums(doubles, here, flags, whole, n < len(rows)):
                # The second derivatives are not negative, so their sums ascend.
                first, last = bisect_left(heights, least), bisect_right(heights, whole[1] - least)
                if first >= last:
                    continue
                scores = bounds.scores(lefts[first:last], heights[first:last], whole)
                found.append(CutScores(name, run, at, side, flags, first, scores))
                highest = max(scores)
                most = max(most, highest)
                if highest > best:
                    from_, to = bisect_left(heights, sure) - first, bisect_right(heights, whole[1] - sure) - first
                    best = max(best, max(scores[max(from_, 0) : max(to, 0)], default=-1.0))
    # Both sides have an error, and so has the quotient of the node, which the gain is less.
    slack = 2 * bounds.error(most, least, off) + most * 2.0**-48
    node, height = bounds.score(whole[0], whole[1] - bounds.reg_lambda), whole[1] - bounds.reg_lambda
    both = slack + bounds.error(node, height, off) + node * 2.0**-48
    return GradientScan(found, best, slack, (best - node - both, most - node + both), any_cut)


def _sums(
    doubles: Doubles, rows: Rows, flags: bytes, whole: tuple[float, float], some_unknown: bool
) -> Iterator[tuple[int, Sequence[float], Sequence[float]]]:
    """For the cuts of an attribute G and H + λ of their left sides, with the rows without a value on either side.

    Args:
        doubles: the derivatives of the rows of the table.
        rows: the rows of the node that have a value, sorted by it.
        flags: for each place behind one of them, 1 if there is a cut.
        whole: G and H + 2λ of the node.
        some_unknown: whether there are rows without a value.
    """
    if 1 not in flags:
        return
    g, h, reg_lambda = doubles.g.__getitem__, doubles.h.__getitem__, doubles.bounds.reg_lambda
    lefts = list(compress(accumulate(map(g, rows)), flags))
    # The first sum is that of no row, and has no flag: so λ is added to each of the others.
    heights = list(compress(accumulate(map(h, rows), initial=reg_lambda), b"\0" + flags))
    yield RIGHT, lefts, heights
    if some_unknown:
        # The last cut has all rows with a value on the left, and those without one have to be on the right.
        more_g, more_h = whole[0] - sum(map(g, rows)), whole[1] - 2 * reg_lambda - sum(map(h, rows))
        yield LEFT, [left + more_g for left in lefts[:-1]], [height + more_h for height in heights[:-1]]


def _places(sample: Store, run: SortedRun, rows: int) -> bytes:
    """The places of the cuts of a run; if it lacks some of so many rows, also those behind all of its rows."""
    flags, n = places(sample, run), run.size
    if not 0 < n < rows:
        return flags
    ends = bytearray(flags)
    ends[n - 1 :: n] = bytes([1]) * len(run.names)
    return bytes(ends)


@fast_form_of(gradient_tree.best_splits)
def best_splits(learner: GradientTree, sample: Sample, attributes: Sequence[Attribute]) -> list[Candidate]:
    """The tests of largest gain, sought among the promising ones only."""
    if isinstance(sample, Store) and learner.min_samples_leaf <= sample.unit:
        promising = promising_splits(sample, attributes, bounds_of(learner))
        if promising is not None:
            return learner.best_of(sample, promising)
    return gradient_tree.best_splits.__wrapped__(learner, sample, attributes)  # type: ignore[attr-defined,no-any-return]


def bounds_of(learner: GradientTree) -> tuple[Rational, ...]:
    """The numbers that a learner compares sums with: λ, α, the least H of a side, and ε."""
    return learner.reg_lambda, learner.reg_alpha, learner.min_child_weight, learner.epsilon


def promising_splits(sample: Store, attributes: Sequence[Attribute], bounds: Sequence[Rational]) -> list[Asking] | None:
    """The tests that can be the best of all.

    Args:
        sample: the rows at the node, counted by `Gradients`.
        attributes: the attributes that may be split on.
        bounds: λ, α, the least H of a side, and ε.

    Returns:
        The tests in the order of the attributes, thresholds ascending; None if there are no estimates.
    """
    if (doubles := doubles_of(sample, bounds)) is None:
        return None
    names = {attribute.name for attribute in attributes}
    runs = [run.at(at) for run in sample.runs for at, name in enumerate(run.names) if name in names]
    scan = scanned(sample, doubles, sample.rows, sample.whole[0], runs)
    near: dict[str, set[int]] = {}
    runs_of: dict[str, CutScores] = {}
    for cuts in scan.cuts:
        runs_of[cuts.name] = cuts
        near.setdefault(cuts.name, set()).update(cuts.places(scan.floor))
    askings: list[Asking] = []
    for attribute in attributes:
        if attribute.values is not None:
            askings += missing_rules.splits(sample, attribute)
        for place in sorted(near.get(attribute.name, ())):
            cuts = runs_of[attribute.name]
            test, sides = cuts.test(sample, place), [sample.count(rows) for rows in cuts.parts(place)]
            askings.append((test, sample.table(test, sides, sample.unknown(cuts.run))))
    return askings


def doubles_of(sample: Store, bounds: Sequence[Rational]) -> Doubles | None:
    """The derivatives of the rows of a sample as doubles; None if its rows weigh otherwise than in the table."""
    rows: RowDerivatives | None = sample.counted.rows
    if rows is None or rows.weights is not sample.weights or rows.unit != sample.unit:
        return None
    return rows.doubles(*bounds)
