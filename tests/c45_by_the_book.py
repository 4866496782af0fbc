"""C4.5 by the book: an oracle on rows, recursively, with missing values, weights, cuts, and every way to settle ties.

Nothing of the package's learner, measures or samples is in it. Counting is a walk over rows, a gain has 60 digits, and
two numbers that agree to 45 of them are equal; that no two agree to between 25 and 45 is asserted on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, NamedTuple, TypeAlias

import mpmath

from reference_tree.data.table import Table
from tests.oracles import Row, real

Weighted: TypeAlias = Sequence[tuple[Row, Fraction]]
Question: TypeAlias = tuple[str, Fraction | None]
"""An attribute, and the threshold if it is continuous."""

EQUAL, APART = mpmath.mpf(10) ** -45, mpmath.mpf(10) ** -25


class Options(NamedTuple):
    """What the oracle is told."""

    average: bool = True
    epsilon: Fraction = Fraction(0)
    max_depth: int | None = None
    min_samples_split: int = 0
    min_samples_leaf: Fraction = Fraction(0)


class Expected(NamedTuple):
    """A node of the oracle's tree."""

    counts: tuple[Fraction, ...]
    labels: tuple[str, ...]
    """All classes of most weight; for a node without rows, the answer above it."""
    stop: str | None
    winners: frozenset[Question] = frozenset()
    chosen: Question | None = None
    shares: tuple[Fraction, ...] = ()
    below: tuple[Any, ...] = ()


def largest(scores: Mapping[Question, Any]) -> list[Question]:
    """All of largest score, in their order."""
    top = max(scores.values())
    assert not any(EQUAL < top - score < APART for score in scores.values())
    return [question for question, score in scores.items() if top - score < EQUAL]


def reaches(score: Any, bound: Any) -> bool:
    assert not EQUAL < abs(score - bound) < APART
    return bool(score > bound - EQUAL)


class Book:
    """The learner.

    Args:
        table: where the rows come from.
        options: when to stop, and whether the average gain lets attributes through.
    """

    def __init__(self, table: Table, options: Options) -> None:
        self.table, self.options, self.target = table, options, table.schema.target.name
        self.classes = table.schema.target.domain
        self.domains = {attribute.name: attribute.values for attribute in table.schema.attributes}

    def root(self) -> Expected:
        """The tree."""
        rows = [(row, Fraction(w)) for row, w in zip(self.table.rows(), self.table.weighted(), strict=True)]
        with mpmath.workdps(60):
            return self.grown(rows, frozenset(name for name, domain in self.domains.items() if domain is not None))

    def answer(self, row: Row, question: Question) -> Any:
        name, threshold = question
        value = row[name]
        return value if threshold is None or value is None else value <= threshold

    def answers(self, question: Question) -> Sequence[Any]:
        domain = self.domains[question[0]]
        return (True, False) if domain is None else domain

    def weigh(self, rows: Weighted) -> tuple[Fraction, ...]:
        return tuple(sum((w for row, w in rows if row[self.target] == label), Fraction(0)) for label in self.classes)

    def spread(self, weights: Sequence[Fraction]) -> Any:
        shares = [real(w / sum(weights)) for w in weights if w]
        return -mpmath.fsum(p * mpmath.log(p, 2) for p in shares)

    def parts(self, rows: Weighted, question: Question) -> list[Weighted]:
        return [[pair for pair in rows if self.answer(pair[0], question) == a] for a in self.answers(question)]

    def gain_and_cost(self, rows: Weighted, question: Question) -> tuple[Any, Any]:
        """ρ·Gain(D̃, a) and H(r̃), of the rows that answer."""
        known = [pair for part in self.parts(rows, question) for pair in part]
        weight = sum(w for _, w in known)
        inside = mpmath.mpf(0)
        for part in self.parts(rows, question):
            if part:
                inside += real(sum(w for _, w in part) / weight) * self.spread(self.weigh(part))
        rho = real(weight / sum(w for _, w in rows))
        cost = self.spread([sum((w for _, w in part), Fraction(0)) for part in self.parts(rows, question)])
        return rho * (self.spread(self.weigh(known)) - inside), cost

    def questions(self, rows: Weighted, left: frozenset[str]) -> Iterator[Question]:
        for name, domain in self.domains.items():
            if domain is None:
                values = sorted({row[name] for row, _ in rows if row[name] is not None})
                yield from ((name, (Fraction(a) + Fraction(b)) / 2) for a, b in pairwise(values))
            elif name in left:
                yield (name, None)

    def splits(self, rows: Weighted, question: Question) -> bool:
        return sum(1 for part in self.parts(rows, question) if part) > 1

    def is_large(self, rows: Weighted, question: Question) -> bool:
        return all(sum(w for _, w in p) >= self.options.min_samples_leaf for p in self.parts(rows, question) if p)

    def winners(self, rows: Weighted, allowed: Sequence[Question]) -> tuple[dict[Question, Any], list[list[Question]]]:
        """The ratios, and for each attribute that may compete its cuts of largest gain."""
        measured = {question: self.gain_and_cost(rows, question) for question in allowed}
        gains = {question: gain for question, (gain, _) in measured.items()}
        names = dict.fromkeys(name for name, _ in allowed)
        groups = [largest({q: gain for q, gain in gains.items() if q[0] == name}) for name in names]
        if self.options.average:
            mean = mpmath.fsum(gains[group[0]] for group in groups) / len(groups)
            groups = [group for group in groups if reaches(gains[group[0]], mean)]
        return {question: gain / cost for question, (gain, cost) in measured.items()}, groups

    def stops(self, counts: tuple[Fraction, ...], left: frozenset[str], depth: int) -> str | None:
        options, continuous = self.options, any(domain is None for domain in self.domains.values())
        if not any(counts):
            return "empty"
        if sum(1 for count in counts if count) == 1:
            return "pure"
        if not left and not continuous:
            return "no-attributes"
        if options.max_depth is not None and depth >= options.max_depth:
            return "max-depth"
        return "min-samples-split" if sum(counts) < options.min_samples_split else None

    def grown(self, rows: Weighted, left: frozenset[str], above: str = "", depth: int = 0) -> Expected:
        counts = self.weigh(rows)
        labels = tuple(label for label, count in zip(self.classes, counts, strict=True) if count == max(counts))
        if stop := self.stops(counts, left, depth):
            return Expected(counts, labels if rows else (above,), stop)
        splitting = [question for question in self.questions(rows, left) if self.splits(rows, question)]
        allowed = [question for question in splitting if self.is_large(rows, question)]
        if not allowed:
            return Expected(counts, labels, "min-samples-leaf" if splitting else "no-candidates")
        ratios, groups = self.winners(rows, allowed)
        winners = frozenset(
            question
            for sent in product(*groups)  # every way to settle the ties within attributes
            for question in largest({question: ratios[question] for question in sent})
        )
        chosen = largest({group[0]: ratios[group[0]] for group in groups})[0]
        epsilon = real(self.options.epsilon)
        if not reaches(ratios[chosen], epsilon):
            return Expected(counts, labels, "epsilon", winners)
        winners = frozenset(question for question in winners if reaches(ratios[question], epsilon))
        shares, parts = self.shared(rows, chosen)
        below = tuple(self.grown(part, left - {chosen[0]}, labels[0], depth + 1) for part in parts)
        return Expected(counts, labels, None, winners, chosen, shares, below)

    def shared(self, rows: Weighted, question: Question) -> tuple[tuple[Fraction, ...], list[Weighted]]:
        """The shares of the branches, and who goes down each."""
        parts = self.parts(rows, question)
        known = sum(w for part in parts for _, w in part)
        shares = tuple(sum((w for _, w in part), Fraction(0)) / known for part in parts)
        unknown = [(row, w) for row, w in rows if self.answer(row, question) is None]
        return shares, [
            [*part, *((row, w * share) for row, w in unknown if share)]
            for part, share in zip(parts, shares, strict=True)
        ]

    def distribution(self, node: Expected, row: Row, above: Expected | None = None) -> dict[str, Fraction]:
        """P(Y|X): at a leaf the shares of its classes, otherwise those of the branches, each as far as the row goes."""
        if node.chosen is None:
            counts = node.counts if any(node.counts) or above is None else above.counts
            return {label: count / sum(counts) for label, count in zip(self.classes, counts, strict=True)}
        found = self.answer(row, node.chosen)
        mixed = dict.fromkeys(self.classes, Fraction(0))
        for answer, share, below in zip(self.answers(node.chosen), node.shares, node.below, strict=True):
            part = share if found is None else Fraction(answer == found)
            if part:
                for label, p in self.distribution(below, row, node).items():
                    mixed[label] += part * p
        return mixed


# ------------------------------------------------------------------------------------------------ Quinlan's release 8


class Grown(NamedTuple):
    """A node as release 8 leaves it."""

    counts: tuple[Fraction, ...]
    label: str
    question: Question | None = None
    below: tuple[Any, ...] = ()
    errors: Fraction = Fraction(0)
    """Those of its leaves, also where it has been collapsed."""


class Attempt(NamedTuple):
    """What release 8 notes for an attribute: the gain after the penalty, the split information, the cut."""

    gain: Any
    info: Any
    cut: Fraction | None = None


class Release8:
    """What release 8 of C4.5 does, step by step, without the rounding of its 32-bit floats.

    It was written from a reading of the program (build.c, contin.c, discr.c, info.c), not from the package: the steps
    are the program's, in its order, and a value that the program marks by a gain of -0.001 is None here.

    Args:
        table: the rows; the program knows no weights, and takes them as fractions of rows.
        minimum: the option -m.
    """

    def __init__(self, table: Table, minimum: int = 2) -> None:
        self.book, self.minimum = Book(table, Options()), minimum
        self.rows = [(row, Fraction(w)) for row, w in zip(table.rows(), table.weighted(), strict=True)]
        everything = sum(w for _, w in self.rows)
        self.many = {n for n, domain in self.book.domains.items() if domain and 10 * len(domain) >= 3 * everything}
        if len(self.many) == len(self.book.domains):
            self.many = set()
        self.numbers = {
            name: sorted({Fraction(value) for row, _ in self.rows if (value := row[name]) is not None})
            for name, domain in self.book.domains.items()
            if domain is None
        }

    def root(self) -> Grown:
        """The tree."""
        with mpmath.workdps(60):
            return self.form_tree(self.rows, frozenset())

    def form_tree(self, rows: Weighted, tested: frozenset[str]) -> Grown:
        counts = self.book.weigh(rows)
        cases, most = sum(counts), max(counts)
        label = self.book.classes[counts.index(most)]
        wrong = cases - most
        leaf = Grown(counts, label, errors=wrong)
        if most == cases or cases < 2 * self.minimum:
            return leaf
        found: dict[str, Attempt] = {}
        for name, domain in self.book.domains.items():
            attempt = self.continuous(rows, name) if domain is None else None
            if domain is not None and name not in tested:
                attempt = self.discrete(rows, name)
            if attempt is not None:
                found[name] = attempt
        counted = [attempt.gain for name, attempt in found.items() if name not in self.many]
        average = mpmath.fsum(counted) / len(counted) if counted else mpmath.mpf(10) ** 6
        best, best_value = None, mpmath.mpf(-1) / 1000
        for name, (gain, info, _) in found.items():
            if reaches(gain, average - mpmath.mpf(1) / 1000) and above(info, mpmath.mpf(1) / 1000):
                value = gain / info
                if above(value, best_value):
                    best, best_value = name, value
        if best is None:
            return leaf
        return self.sprout(rows, tested, leaf, (best, found[best].cut))

    def sprout(self, rows: Weighted, tested: frozenset[str], leaf: Grown, question: Question) -> Grown:
        _, parts = self.book.shared(rows, question)
        below = [
            self.form_tree(part, tested | {question[0]})
            if part
            else Grown((Fraction(0),) * len(leaf.counts), leaf.label)
            for part in parts
        ]
        errors = sum((branch.errors for branch in below), Fraction(0))
        if errors >= leaf.errors - Fraction(1, 1000):
            return leaf._replace(errors=errors)
        return Grown(leaf.counts, leaf.label, question, tuple(below), errors)

    def discrete(self, rows: Weighted, name: str) -> Attempt | None:
        parts = self.book.parts(rows, (name, None))
        weights = [sum((w for _, w in part), Fraction(0)) for part in parts]
        if sum(1 for weight in weights if weight >= self.minimum) < 2:
            return None
        return Attempt(self.gain(rows, parts), self.info(rows, weights))

    def continuous(self, rows: Weighted, name: str) -> Attempt | None:
        known = [(row, w) for row, w in rows if row[name] is not None]
        weight = sum((w for _, w in known), Fraction(0))
        if weight < 2 * self.minimum:
            return None
        least = weight / (10 * len(self.book.classes))
        least = Fraction(self.minimum) if least <= self.minimum else min(least, Fraction(25))
        tried: list[tuple[Any, Any, Fraction]] = []
        for low, high in pairwise(sorted({Fraction(row[name]) for row, _ in known})):
            parts = [[p for p in known if p[0][name] <= low], [p for p in known if p[0][name] > low]]
            sides = [sum((w for _, w in part), Fraction(0)) for part in parts]
            if min(sides) >= least and high - low > Fraction(1, 10**5):
                tried.append((self.gain(rows, parts), self.info(rows, sides), (low + high) / 2))
        cost = mpmath.log(max(len(tried), 1), 2) / real(sum(w for _, w in rows))
        best = Attempt(mpmath.mpf(0), None)
        for gain, info, middle in tried:
            if above(gain - cost, best.gain):
                best = Attempt(gain - cost, info, max(value for value in self.numbers[name] if value <= middle))
        return best if best.cut is not None else None

    def gain(self, rows: Weighted, parts: Sequence[Weighted]) -> Any:
        everyone = real(sum(w for _, w in rows))
        known = [pair for part in parts for pair in part]
        bits = self.book.spread(self.book.weigh(known)) * real(sum(w for _, w in known))
        for part in parts:
            if part:
                bits -= self.book.spread(self.book.weigh(part)) * real(sum(w for _, w in part))
        return bits / everyone

    def info(self, rows: Weighted, weights: Sequence[Fraction]) -> Any:
        unknown = sum((w for _, w in rows), Fraction(0)) - sum(weights)
        return self.book.spread([*weights, unknown])


def above(score: Any, bound: Any) -> bool:
    assert not EQUAL < abs(score - bound) < APART
    return bool(score > bound + EQUAL)
