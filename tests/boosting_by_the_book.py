"""Gradient boosting by the book: an oracle on rows, recursively, that tries every question and either side.

Nothing of the package's learner, measures, samples or enclosures is in it. Derivatives are taken to 80 digits; two
gains that agree to 60 of them are equal, and that no two agree to between 30 and 60 is asserted on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from operator import eq, ge
from typing import Any, NamedTuple, TypeAlias

import mpmath

DIGITS = 80
EQUAL, APART = mpmath.mpf(10) ** -60, mpmath.mpf(10) ** -30

Row: TypeAlias = Mapping[str, Any]
Derivative: TypeAlias = Callable[[Any, Sequence[Any], int], tuple[Any, Any]]
"""From y, the margins and the place of the class that is meant: g and h."""


def number(value: Any) -> Any:
    return mpmath.mpf(Fraction(value).numerator) / Fraction(value).denominator


def squared(y: Any, margins: Sequence[Any], of: int) -> tuple[Any, Any]:
    return number(margins[0]) - number(y), mpmath.mpf(1)


def logistic(y: Any, margins: Sequence[Any], of: int) -> tuple[Any, Any]:
    """By numerical differentiation of the loss, for which nobody needs a formula of the derivatives."""
    f = number(margins[0])

    def loss(at: Any) -> Any:
        return mpmath.log(1 + mpmath.exp(at)) - y * at

    with mpmath.workdps(3 * DIGITS):
        return mpmath.diff(loss, f), mpmath.diff(loss, f, 2)


def softmax(y: Any, margins: Sequence[Any], of: int) -> tuple[Any, Any]:
    """The same; the second derivative is doubled, as XGBoost does."""
    fs = list(map(number, margins))

    def loss(at: Any) -> Any:
        return mpmath.log(mpmath.fsum(mpmath.exp(at if k == of else f) for k, f in enumerate(fs))) - (
            at if y == of else fs[y]
        )

    with mpmath.workdps(3 * DIGITS):
        return mpmath.diff(loss, fs[of]), 2 * mpmath.diff(loss, fs[of], 2)


class Weighed(NamedTuple):
    """A row with what it weighs, and its derivatives."""

    row: Row
    w: Any
    g: Any
    h: Any


class Question(NamedTuple):
    """A question; whether a value is on the left; where the rows go that have none; and what it gains."""

    attribute: str
    at: Any
    """The two values that it parts, one category, or `known`."""
    gain: Any
    to: int
    parts: tuple[list[Weighed], list[Weighed]]


def sums(rows: Sequence[Weighed]) -> tuple[Any, Any]:
    return mpmath.fsum(r.w * r.g for r in rows), mpmath.fsum(r.w * r.h for r in rows)


def score(rows: Sequence[Weighed], penalty: Any) -> Any:
    g, h = sums(rows)
    return g * g / (h + penalty)


def sides(rows: Sequence[Weighed], name: str) -> Iterator[tuple[Any, Callable[[Any], bool]]]:
    """The questions about an attribute: what names each, and whether a value is on its left."""
    values = sorted({r.row[name] for r in rows if r.row[name] is not None})
    if any(isinstance(value, str) for value in values):
        for value in values if len(values) > 2 else values[:-1]:
            yield value, partial(eq, value)
        return
    for low, high in pairwise(values):
        yield (low, high), partial(ge, low)
    if values and any(r.row[name] is None for r in rows):
        yield "known", lambda found: True


def questions(rows: Sequence[Weighed], names: Sequence[str], penalty: Any, least: Any) -> Iterator[Question]:
    """Every question that may be asked, with the better side for the rows without a value."""
    for name in names:
        for at, is_left in sides(rows, name):
            ways = []
            gaps = any(r.row[name] is None for r in rows)
            for to in (1, 0) if gaps else (0,):
                left = [r for r in rows if (to == 0 if r.row[name] is None else is_left(r.row[name]))]
                kept = set(map(id, left))
                right = [r for r in rows if id(r) not in kept]
                if not left or not right or any(sums(side)[1] < least - EQUAL for side in (left, right)):
                    continue
                gain = score(left, penalty) + score(right, penalty) - score(rows, penalty)
                ways.append(Question(name, at, gain, to, (left, right)))
            if ways:
                best = max(ways, key=lambda way: way.gain)
                yield next(way for way in ways if is_equal(way.gain, best.gain))


def is_equal(a: Any, b: Any) -> bool:
    distance = abs(a - b)
    assert distance < EQUAL or distance > APART, "two gains are too near to be told apart"
    return bool(distance < EQUAL)


def winners(rows: Sequence[Weighed], names: Sequence[str], penalty: Any, least: Any) -> list[Question]:
    found = list(questions(rows, names, penalty, least))
    most = max((one.gain for one in found), default=None)
    return [one for one in found if is_equal(one.gain, most)]
