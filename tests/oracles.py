"""Oracles: slow and obvious ways to the same results, with none of the package's code in them.

1. `cells` and `crosstab` count rows in dictionaries; `Counted` is a whole sample that does.
2. `exact_value` is the value of a sum of logarithms to 250 digits.
3. `float_gain` and `float_ratio` are what most programs compute.
4. `purity` orders the splits of a sample by information gain, in whole numbers.
5. `grown` is ID3 as the books have it, on rows, recursively.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import mpmath

from reference_tree.data.errors import InputError
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import REFUSED, Missing, Test, UnseenValueError
from reference_tree.data.sample import Ordered, Partition
from reference_tree.data.table import Table
from reference_tree.data.targets import Branches, Classes, Moments, Target, Values
from reference_tree.exact.log_ratios import LogRatio
from reference_tree.exact.log_sums import LogSum, log
from reference_tree.exact.rationals import Rational

DIGITS = 250
"""Decimal digits of the high-precision oracle."""

Row: TypeAlias = Mapping[str, Any]


def real(value: Any) -> Any:
    """A rational number to `DIGITS` digits."""
    return mpmath.mpf(Fraction(value).numerator) / Fraction(value).denominator


def exact_value(number: Any) -> Any:
    """The value of a number of the package to `DIGITS` digits, from the logarithms of mpmath."""
    with mpmath.workdps(DIGITS):
        if isinstance(number, LogRatio):
            return exact_value(number.numerator) / exact_value(number.denominator)
        if isinstance(number, LogSum):
            logs = (real(c) * mpmath.log(n) for n, c in number.terms.items())
            base = mpmath.e if number.base == math.e else number.base
            return real(number.constant) + mpmath.fsum(logs) / mpmath.log(base)
        return real(number)


def float_entropy(counts: Sequence[int]) -> float:
    """-Σ p·log2 p as it is usually written, in floats.

    The logarithms are rounded correctly, so that nothing here depends on the machine.
    """
    found, n = 0.0, sum(counts)
    for count in counts:
        if count:
            found -= count / n * float(log(Fraction(count / n)))
    return found


def float_gain(table: Sequence[Sequence[int]]) -> float:
    """The information gain as it is usually written, in floats: subtracted branch by branch."""
    whole = [sum(column) for column in zip(*table, strict=True)]
    gain = float_entropy(whole)
    for row in table:
        gain -= sum(row) / sum(whole) * float_entropy(row)
    return gain


def float_ratio(table: Sequence[Sequence[int]]) -> float:
    """The gain ratio as it is usually written, in floats."""
    return float_gain(table) / float_entropy([sum(row) for row in table])


def cells(rows: Iterable[Row], attribute: str, target: str) -> Counter[tuple[Any, Any]]:
    """How often each pair of answer and class occurs."""
    return Counter((row[attribute], row[target]) for row in rows)


def crosstab(table: Table, attribute: str) -> list[list[int]]:
    """The sample partition of a categorical attribute: a row for each value, a column for each class."""
    found = cells(table.rows(), attribute, table.schema.target.name)
    values, classes = table.schema.attribute(attribute).domain, table.schema.target.domain
    return [[found[value, label] for label in classes] for value in values]


class Counted:
    """A sample that counts its rows one by one: the slow twin of the one in memory, and a second keeper of its promise.

    Args:
        table: where the rows come from.
        rows: those of the sample, each with its weight.
        target: what is counted; none: the classes, or the moments of a numeric target.
    """

    def __init__(
        self, table: Table, rows: Iterable[tuple[Row, Rational]] | None = None, target: Target | None = None
    ) -> None:
        self.table, self.schema = table, table.schema
        self.rows = list(zip(table.rows(), table.weighted(), strict=True) if rows is None else rows)
        classes = table.schema.target.values
        self.target: Target = target or (Moments() if classes is None else Classes(classes))

    def counted(self, row: Row) -> tuple[Rational, ...] | None:
        """What a row of weight 1 adds to the columns; nothing, if it is left out."""
        found = row[self.schema.target.name]
        if isinstance(self.target, Moments):
            return 1, found, found * found
        if isinstance(self.target, Branches):
            try:
                branch = self.target.test.branch(row)
            except UnseenValueError:
                branch = None
            return None if branch is None else tuple(int(branch == one) for one in range(len(self.target.columns)))
        among: Sequence[Any] = self.target.numbers if isinstance(self.target, Values) else self.target.columns
        return tuple(int(found == one) for one in among) if found in among else None

    def count(self, rows: Iterable[tuple[Row, Rational]]) -> tuple[Rational, ...]:
        total: list[Rational] = [0] * len(self.target.columns)
        for row, weight in rows:
            for column, found in enumerate(self.counted(row) or ()):
                total[column] += weight * found
        return tuple(total)

    def total(self) -> tuple[Rational, ...]:
        return self.count(self.rows)

    def parts(self, test: Test) -> list[list[tuple[Row, Rational]]]:
        """The rows of each branch, and then those without an answer; one that no outcome fits is in none."""
        found: list[list[tuple[Row, Rational]]] = [[] for _ in (*test.outcomes, None)]
        for row, weight in self.rows:
            try:
                branch = test.branch(row)
            except UnseenValueError:
                continue
            found[-1 if branch is None else branch].append((row, weight))
        return found

    def partition(self, test: Test) -> Partition:
        *rows, unknown = map(self.count, self.parts(test))
        return Partition(test.outcomes, tuple(rows), unknown)

    def points(self, attributes: Sequence[str]) -> Points:
        counted = ((row, self.count([(row, weight)])) for row, weight in self.rows if self.counted(row) is not None)
        return gathered(coordinates_of(self.schema, attributes), counted, self.target)

    def ordered(self, attribute: str) -> Ordered:
        values = sorted({row[attribute] for row, _ in self.rows} - {None})
        rows = [self.count(pair for pair in self.rows if pair[0][attribute] == value) for value in values]
        return Ordered(values, rows, self.count(pair for pair in self.rows if pair[0][attribute] is None))

    def split(self, test: Test, missing: Missing = REFUSED) -> tuple[Counted, ...]:
        parts: list[list[tuple[Row, Rational]]] = [[] for _ in test.outcomes]
        for row, weight in self.rows:
            try:
                ways = missing.ways(test, row)
            except InputError:  # no branch for its value, or no rule
                continue
            for branch, share in ways:
                if branch is not None:
                    parts[branch].append((row, weight * share))
        return tuple(Counted(self.table, part, self.target) for part in parts)

    def against(self, target: Target) -> Counted:
        found = Counted(self.table, self.rows, target)
        found.rows = [(row, weight) for row, weight in self.rows if found.counted(row) is not None]
        return found


def purity(parts: Iterable[Sequence[int]]) -> Fraction:
    """2 to the power of -n·H(S|A): the larger, the more the question tells. Whole numbers decide, no logarithm.

    n·H(S|A) = Σ n_i·log n_i - Σ s_ij·log s_ij, so the power is a quotient of products of n^n.
    """
    above, below = 1, 1
    for part in parts:
        above *= math.prod(count**count for count in part)
        below *= sum(part) ** sum(part)
    return Fraction(above, below)


def gains_at_least(parts: Sequence[Sequence[int]], epsilon: Fraction) -> bool:
    """Whether the information gain in bits is at least ε = p/q: 2^(q·n·gain) ≥ 2^(n·p)."""
    whole = [sum(column) for column in zip(*parts, strict=True)]
    n = sum(whole)
    return bool((purity(parts) / purity([whole])) ** epsilon.denominator >= Fraction(2) ** (n * epsilon.numerator))


class Grown(NamedTuple):
    """A node of the oracle's tree."""

    counts: tuple[int, ...]
    majority: tuple[str, ...]
    """All classes that have most rows; for a node without rows, the answer above it."""
    winners: tuple[str, ...]
    """All attributes of largest gain; none for a leaf."""
    stop: str | None
    branches: tuple[tuple[str, Grown], ...]


class Bounds(NamedTuple):
    """When to stop."""

    epsilon: Fraction = Fraction(0)
    max_depth: int | None = None
    min_samples_split: int = 0
    min_samples_leaf: int = 0


UNBOUND = Bounds()


def grown(
    rows: Sequence[Row],
    domains: Mapping[str, Sequence[str]],
    target: str,
    bounds: Bounds = UNBOUND,
    above: str = "",
    depth: int = 0,
) -> Grown:
    """ID3 by the book: the tree for some rows, where `domains` are the attributes that are left, and the target."""
    classes = domains[target]
    count = Counter(row[target] for row in rows)
    counts = tuple(count[label] for label in classes)
    majority = tuple(label for label in classes if count[label] == max(counts)) if rows else (above,)
    attributes = [name for name in domains if name != target]

    def leaf(reason: str) -> Grown:
        return Grown(counts, majority, (), reason, ())

    if not rows:
        return leaf("empty")
    if len(count) == 1:
        return leaf("pure")
    if not attributes:
        return leaf("no-attributes")
    if bounds.max_depth is not None and depth >= bounds.max_depth:
        return leaf("max-depth")
    if len(rows) < bounds.min_samples_split:
        return leaf("min-samples-split")
    parted = {a: {v: [row for row in rows if row[a] == v] for v in domains[a]} for a in attributes}
    splitting = {a: parts for a, parts in parted.items() if sum(1 for part in parts.values() if part) > 1}
    large = {
        a: [[Counter(row[target] for row in part)[label] for label in classes] for part in parts.values()]
        for a, parts in splitting.items()
        if all(len(part) >= bounds.min_samples_leaf for part in parts.values() if part)
    }
    if not large:
        return leaf("min-samples-leaf" if splitting else "no-candidates")
    most = max(purity(table) for table in large.values())
    winners = tuple(a for a, table in large.items() if purity(table) == most)
    if not gains_at_least(large[winners[0]], bounds.epsilon):
        return leaf("epsilon")
    below = {name: domain for name, domain in domains.items() if name != winners[0]}
    branches = tuple(
        (value, grown(part, below, target, bounds, majority[0], depth + 1))
        for value, part in parted[winners[0]].items()
    )
    return Grown(counts, majority, winners, None, branches)
