"""The rounds of boosting, gone through by hand: with weights, residuals and leaves that are rounded on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import log
from typing import NamedTuple

from reference_tree.conformance.books import PrintedFigure
from reference_tree.conformance.cases import case
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.exact.rounding import decimal


def by_hand(figure: PrintedFigure, shown: Fraction, places: int) -> Iterator[str]:
    """The ways of rounding on the way that give a figure of a round, the simplest first."""
    if case(figure.case).ensemble["name"] == "adaboost":  # type: ignore[index]
        yield from _adaboost(figure, shown, places)
        return
    ways = sorted(product((None, 3, 2), repeat=2), key=lambda way: sum(digits is not None for digits in way))
    for leaves, residuals in ways[1:]:
        found = boosted(figure.round or 1, leaves, residuals)
        if nearest(found.of(figure.score), places) == shown:
            what = {"leaves": leaves, "residuals": residuals}
            yield "from " + " and ".join(
                f"{name} rounded to {digits} decimals" for name, digits in what.items() if digits
            )


def nearest(value: Fraction, places: int | None) -> Fraction:
    """A number to some decimals, halves away from 0; as it is where none are named."""
    if places is None:
        return value
    sign = 1 if value >= 0 else -1
    return sign * Fraction(int(abs(value) * 10**places + Fraction(1, 2)), 10**places)


class Round(NamedTuple):
    """A round: the two predictions of its stump, what is left, and the sums of the trees."""

    leaves: tuple[Fraction, Fraction]
    left: Sequence[Fraction]
    sums: Sequence[Fraction]

    def of(self, score: str) -> Fraction:
        """The figure of a round by its name."""
        name, _, row = score.partition(" ")
        if row:
            return (self.left if name == "residual" else self.sums)[int(row) - 1]
        return self.leaves[int(name) - 1] if name.isdigit() else sum((r * r for r in self.left), Fraction(0))


def boosted(number: int, leaves: int | None, residuals: int | None) -> Round:
    """Round `number` of table 8.2, whose leaves and residuals are rounded to so many decimals."""
    left = [Fraction(row["y"] or 0) for row in case("boosting/li-hang-8.2").table().rows()]
    sums = [Fraction(0)] * len(left)
    both = (Fraction(0), Fraction(0))
    for _ in range(number):
        cut = min(range(1, len(left)), key=lambda at: _sse(left[:at]) + _sse(left[at:]))
        low, high = (nearest(sum(side, Fraction(0)) / len(side), leaves) for side in (left[:cut], left[cut:]))
        both = (low, high)
        predicted = [low] * cut + [high] * (len(left) - cut)
        left = [nearest(r - c, residuals) for r, c in zip(left, predicted, strict=True)]
        sums = [f + c for f, c in zip(sums, predicted, strict=True)]
    return Round(both, left, sums)


def _sse(numbers: Sequence[Fraction]) -> Fraction:
    mean = sum(numbers, Fraction(0)) / len(numbers)
    return sum(((r - mean) ** 2 for r in numbers), Fraction(0))


def _adaboost(figure: PrintedFigure, shown: Fraction, places: int) -> Iterator[str]:
    """The error from rounded weights, the vote from that error, and a weight as what is left to 1."""
    assert figure.round is not None
    rounds = list(AdaBoost(trees=3).rounds(case(figure.case).table()))
    found = rounds[figure.round - 1]
    for digits in (4, 5):
        weights = [nearest(Fraction(weight), digits) for weight in found.weights]
        error = sum((w for w, miss in zip(weights, found.missed, strict=True) if miss), Fraction(0))
        if figure.score == "error" and nearest(error, places) == shown:
            yield f"the sum of weights rounded to {digits} decimals"
        if figure.score == "alpha" and nearest(Fraction(log((1 - error) / error) / 2), places) == shown:
            yield f"from the error {decimal(error, digits)}, the sum of weights rounded to {digits} decimals"
        if figure.score.startswith("after "):
            after = found.after()
            same = after[int(figure.score.split()[1]) - 1]
            others = sum((nearest(Fraction(w), digits) for w in after if w != same), Fraction(0))
            if nearest((1 - others) / after.count(same), places) == shown:
                yield f"what the other weights, rounded to {digits} decimals, leave to 1"
