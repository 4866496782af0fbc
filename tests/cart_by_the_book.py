"""CART by the book: an oracle on rows, recursively, that tries every question there is.

Nothing of the package's learner, measures or samples is in it. Counting is a walk over rows, all sets of values are
tried, impurities are written as one reads them: a probability that two draws differ, squared distances from a mean,
distances from a median. Entropies, which are irrational, are taken to 60 digits; two scores that agree to 45 of them
are equal, and that no two agree to between 25 and 45 is asserted on the way.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, NamedTuple, TypeAlias

import mpmath

from reference_tree.data.table import Table
from tests.oracles import Row, real

Weighted: TypeAlias = Sequence[tuple[Row, Fraction]]
Impurity: TypeAlias = Callable[[Sequence[tuple[Any, Fraction]]], Any]
"""Of weighted answers, by their weight: n times the impurity of the sample."""
Question: TypeAlias = tuple[str, Any]
"""An attribute, and the threshold, or the set of values that is asked for; None for a branch for each value."""

EQUAL, APART = mpmath.mpf(10) ** -45, mpmath.mpf(10) ** -25


def weight(answers: Sequence[tuple[Any, Fraction]]) -> Fraction:
    return sum((w for _, w in answers), Fraction(0))


def shares(answers: Sequence[tuple[Any, Fraction]]) -> dict[Any, Fraction]:
    """The share of each class."""
    found: dict[Any, Fraction] = {}
    for label, w in answers:
        found[label] = found.get(label, Fraction(0)) + w
    return {label: w / weight(answers) for label, w in found.items()}


def gini(answers: Sequence[tuple[Any, Fraction]]) -> Fraction:
    """The chance that two draws differ, written out over all pairs of classes."""
    p = shares(answers)
    return weight(answers) * sum((p[a] * p[b] for a in p for b in p if a != b), Fraction(0))


def entropy(answers: Sequence[tuple[Any, Fraction]]) -> Any:
    return -real(weight(answers)) * mpmath.fsum(real(p) * mpmath.log(real(p), 2) for p in shares(answers).values())


def mistakes(answers: Sequence[tuple[Any, Fraction]]) -> Fraction:
    """The weight that the best of all constant answers gets wrong."""
    return min(sum((w for label, w in answers if label != said), Fraction(0)) for said, _ in answers)


def squared(answers: Sequence[tuple[Any, Fraction]]) -> Fraction:
    mean = sum(y * w for y, w in answers) / weight(answers)
    return sum(((y - mean) ** 2 * w for y, w in answers), Fraction(0))


def unbiased(answers: Sequence[tuple[Any, Fraction]]) -> Fraction:
    """The variance with n - 1, times n; of whole weights."""
    values = [Fraction(y) for y, w in answers for _ in range(int(w))]
    return len(values) * statistics.variance(values) if len(values) > 1 else Fraction(0)


def absolute(answers: Sequence[tuple[Any, Fraction]]) -> Fraction:
    """The least sum of distances to any of the values."""
    return min(sum((abs(y - centre) * w for y, w in answers), Fraction(0)) for centre, _ in answers)


IMPURITIES: Mapping[str, Impurity] = {
    "gini": gini,
    "entropy": entropy,
    "misclassification": mistakes,
    "squared_error": squared,
    "variance_n_minus_1": unbiased,
    "absolute_error": absolute,
}


def is_below(score: Any, bound: Any) -> bool:
    """Whether a score is less: exactly, where both are fractions."""
    if isinstance(score, Fraction) and isinstance(bound, Fraction):
        return score < bound
    difference = real(bound) - score if isinstance(bound, Fraction) else bound - score
    assert not EQUAL < abs(difference) < APART
    return bool(difference > EQUAL)


class Options(NamedTuple):
    """What the oracle is told."""

    criterion: str
    branching: str = "subset"
    epsilon: Fraction = Fraction(0)
    max_depth: int | None = None
    min_samples_split: Fraction = Fraction(2)
    min_samples_leaf: Fraction = Fraction(1)
    min_impurity_decrease: Fraction = Fraction(0)
    weights: Mapping[Any, Fraction] = {}
    """What a row of each class counts in an impurity, if not its weight."""


class Expected(NamedTuple):
    """A node of the oracle's tree."""

    weight: Fraction
    stop: str | None
    winners: frozenset[Question] = frozenset()
    score: Any = None


class Book:
    """The learner.

    Args:
        table: where the rows come from.
        options: when to stop, and what is asked.
    """

    def __init__(self, table: Table, options: Options) -> None:
        self.table, self.options, self.target = table, options, table.schema.target.name
        self.domains = {attribute.name: attribute.values for attribute in table.schema.attributes}
        self.rows = [(row, Fraction(w)) for row, w in zip(table.rows(), table.weighted(), strict=True)]

    def answers(self, rows: Weighted) -> list[tuple[Any, Fraction]]:
        return [(row[self.target], w) for row, w in rows]

    def counted(self, rows: Weighted) -> list[tuple[Any, Fraction]]:
        """The same as an impurity sees them."""
        return [(label, w * self.options.weights.get(label, 1)) for label, w in self.answers(rows)]

    def questions(self, rows: Weighted) -> Iterator[Question]:
        """Every question that parts some rows from others."""
        for name, domain in self.domains.items():
            found = {row[name] for row, _ in rows} - {None}
            if domain is None:
                yield from ((name, Fraction(a + b) / 2) for a, b in pairwise(sorted(found)))
                continue
            values = [value for value in domain if value in found]
            if self.options.branching == "multiway":
                yield from [(name, None)] if len(values) > 1 else []
            elif self.options.branching == "one-vs-rest":
                yield from ((name, frozenset([value])) for value in (values if len(values) > 2 else values[:-1]))
            else:
                for size in range(1, len(values)):
                    yield from ((name, frozenset(some)) for some in combinations(values[:-1], size))

    def parts(self, rows: Weighted, question: Question) -> list[Weighted]:
        """The rows that give each answer; those that give none are in no part."""
        name, asked = question
        known = [(row, w) for row, w in rows if row[name] is not None]
        if asked is None:
            return [[(row, w) for row, w in known if row[name] == value] for value in self.domains[name] or ()]

        def first(row: Row) -> bool:
            return bool(row[name] in asked) if isinstance(asked, frozenset) else bool(row[name] <= asked)

        return [[(row, w) for row, w in known if first(row)], [(row, w) for row, w in known if not first(row)]]

    def score(self, rows: Weighted, question: Question) -> Any:
        """What the question takes away, per unit of the weight of all rows."""
        impurity = IMPURITIES[self.options.criterion]
        parts = [self.counted(part) for part in self.parts(rows, question) if part]
        taken = impurity([answer for part in parts for answer in part]) - sum(map(impurity, parts))
        whole = weight(self.counted(rows))
        return taken / whole if isinstance(taken, Fraction) else taken / real(whole)

    def decided(self, rows: Weighted, depth: int = 0) -> Expected:
        """What happens at a node that these rows reach."""
        with mpmath.workdps(60):
            return self._decided(rows, depth)

    def _decided(self, rows: Weighted, depth: int) -> Expected:
        options, n = self.options, weight(self.answers(rows))
        if len({row[self.target] for row, _ in rows}) == 1:
            return Expected(n, "pure")
        if options.max_depth is not None and depth >= options.max_depth:
            return Expected(n, "max-depth")
        if n < options.min_samples_split:
            return Expected(n, "min-samples-split")
        every = list(self.questions(rows))
        large = [q for q in every if self._is_large(rows, q)]
        if not large:
            return Expected(n, "min-samples-leaf" if every else "no-candidates")
        scores = {question: self.score(rows, question) for question in large}
        top = max(scores.values())
        winners = frozenset(question for question, score in scores.items() if not is_below(score, top))
        if is_below(top, options.epsilon):
            return Expected(n, "epsilon", winners, top)
        share = Fraction(weight(self.counted(rows)), weight(self.counted(self.rows)))
        if is_below(top * (share if isinstance(top, Fraction) else real(share)), options.min_impurity_decrease):
            return Expected(n, "min-impurity-decrease", winners, top)
        return Expected(n, None, winners, top)

    def _is_large(self, rows: Weighted, question: Question) -> bool:
        sizes = [weight(self.answers(part)) for part in self.parts(rows, question) if part]
        return min(sizes) >= self.options.min_samples_leaf
