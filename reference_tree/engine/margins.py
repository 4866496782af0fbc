"""Margins: the sums of a boosted ensemble for the rows of a table, and the derivatives at them, as integers.

Leaf values lie on a grid, and so do margins: they are integers over one denominator. A round adds one integer to the
margin of a row, and works out one probability for each margin that occurs. Nothing is made of fractions that nobody
reads.

1. `WholeMargins` are the margins of the rows.
2. `updated_margins` adds the values of some trees to them.
3. `derived` is the table of a round: rows of one target and equal margins are a case, and have one pair of derivatives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from operator import add
from typing import Any, TypeAlias, cast

from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.engine.derivative_columns import CaseDerivatives, WholeGradients
from reference_tree.engine.integer_columns import Columns, multiples
from reference_tree.engine.short_exponentials import (
    LOGISTIC_OFF,
    ONE,
    PLACES,
    logistic_floor,
    softmax_floors,
    softmax_off,
)
from reference_tree.engine.store import Store
from reference_tree.ensembles import derivatives, gradient_boosting
from reference_tree.ensembles.derivatives import DerivativeTable, Loss, LossCase, Margins, share_against
from reference_tree.ensembles.ensemble import Member
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.learners.decision import OnDemand
from reference_tree.twins import fast_form_of

_LONG = 256
"""The most bits of the denominator of margins; those without a grid soon have more, and are added by the book."""


class WholeMargins(Sequence[Margins]):
    """The margins of some rows, as integers over one denominator; read as exact numbers.

    Args:
        columns: for each margin of a row, those of all rows.
        over: the denominator.

    Example:
        >>> margins = WholeMargins([[1, 4]], 2)
        >>> margins[0], list(margins)
        ((Fraction(1, 2),), [(Fraction(1, 2),), (2,)])
    """

    def __init__(self, columns: Sequence[Sequence[int]], over: int) -> None:
        self.columns, self.over = columns, over
        self.sample: Sample | None = None
        """The rows of the table that was asked for last, so that they are sorted once."""
        self.shares: dict[Sequence[int], Sequence[int]] = {}
        """The probability of each class, for the margins of some rows."""

    @classmethod
    def of(cls, margins: Sequence[Margins]) -> WholeMargins | None:
        """These margins; None if their denominator is long."""
        if isinstance(margins, WholeMargins):
            return margins
        distinct = {id(row): row for row in margins}  # at first all rows have one object
        over = math.lcm(*{margin.denominator for row in distinct.values() for margin in row})
        if over.bit_length() > _LONG:
            return None
        whole = {key: [int(margin * over) for margin in row] for key, row in distinct.items()}
        return cls(list(zip(*map(whole.__getitem__, map(id, margins)), strict=True)), over)

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[place] for place in range(len(self))[row]]
        return tuple(simplest(Fraction(column[row], self.over)) for column in self.columns)

    def __iter__(self) -> Iterator[Margins]:
        return map(self.__getitem__, range(len(self)))


@fast_form_of(gradient_boosting.updated_margins)
def updated_margins(margins: Sequence[Margins], members: Sequence[Member], table: Table) -> Sequence[Margins]:
    """The margins of the rows of a table after the values of some trees are added, each value converted once a leaf."""
    before = WholeMargins.of(margins)
    steps = [cast(list[Rational], member.tree.predict(table)) for member in members]
    values = [{id(step): step for step in of_rows} for of_rows in steps]  # rows of one leaf share its value
    given = before and math.lcm(before.over, *{step.denominator for each in values for step in each.values()})
    if before is None or not given or given.bit_length() > _LONG:
        return gradient_boosting.updated_margins.__wrapped__(margins, members, table)  # type: ignore[attr-defined,no-any-return]
    columns: list[Sequence[int]] = list(before.columns)
    if given > before.over:
        columns = [[margin * (given // before.over) for margin in column] for column in columns]
    for place, (of_rows, of_leaf) in enumerate(zip(steps, values, strict=True)):
        whole = {key: int(step * given) for key, step in of_leaf.items()}
        at = place % len(columns)
        columns[at] = list(map(add, columns[at], map(whole.__getitem__, map(id, of_rows))))
    after = WholeMargins(columns, given)
    after.sample = before.sample
    return after


# The derivatives of a round.

Key: TypeAlias = tuple[int, ...]
"""A case: the code of the target, and the margins."""


@dataclass(frozen=True, eq=False)
class MarginRows(DerivativeTable):
    """A table whose target is the derivatives of a loss, and whose rows are sorted already.

    Args:
        rows_of_table: all rows of the table, counted in any way.
    """

    rows_of_table: Store = field(kw_only=True)

    def sample(self) -> Sample:
        """All rows, as the sample that reaches the root."""
        known, name = self.rows_of_table, self.schema.target.name
        columns = Columns(self.schema, {**known.columns.codes, name: cast(Any, self.table.columns[name])})
        found = Store(columns, known.counted, known.rows, known.weights, known.unit)
        found._runs = known.runs
        return found.against(self.target)


class CasesOnDemand(Sequence[LossCase]):
    """Cases that are made of their keys when they are read."""

    def __init__(self, keys: Sequence[Key], make: Callable[[Key], LossCase]) -> None:
        self.keys, self.make = keys, make

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, place: Any) -> Any:
        return list(map(self.make, self.keys[place])) if isinstance(place, slice) else self.make(self.keys[place])


@fast_form_of(derivatives.derived)
def derived(table: Table, loss: Loss, margins: Sequence[Margins], of: int = 0) -> DerivativeTable:
    """A table with the derivatives of a loss at the margins of its rows."""
    whole = WholeMargins.of(margins)
    if whole is None or (found := _boosted(table, loss, whole, of)) is None:
        return derivatives.derived.__wrapped__(table, loss, margins, of)  # type: ignore[attr-defined,no-any-return]
    return found


def _boosted(table: Table, loss: Loss, margins: WholeMargins, of: int) -> DerivativeTable | None:
    target = table.schema.target
    numbers = None if target.values is not None else table.schema.numbers[target.name]
    places: dict[Key, int] = {}
    codes = [
        places.setdefault(key, len(places)) for key in zip(table.codes(target.name), *margins.columns, strict=True)
    ]
    keys = list(places)
    whole = _WHOLE[loss.term](keys, margins, of, numbers or ())
    if whole is None:
        return None
    if margins.sample is None:
        margins.sample = table.sample()
    if not isinstance(margins.sample, Store):
        return None

    def case(key: Key) -> LossCase:
        y = key[0] if numbers is None else numbers[key[0]]
        return LossCase(y, tuple(simplest(Fraction(margin, margins.over)) for margin in key[1:]))

    cases, names = CasesOnDemand(keys, case), tuple(map(str, range(len(keys))))
    terms = OnDemand(lambda: {name: loss.term(one, of) for name, one in zip(names, cases, strict=True)})
    known = {column: each for column, each in table.schema.numbers.items() if column != target.name}
    schema = replace(table.schema, target=Attribute(target.name, names), numbers=known)
    counted = replace(table, schema=schema, columns={**table.columns, target.name: codes})
    return MarginRows(counted, WholeGradients(terms, share_against, whole=whole), cases, rows_of_table=margins.sample)


def squared_error(
    keys: Sequence[Key], margins: WholeMargins, of: int, numbers: Sequence[Rational]
) -> CaseDerivatives | None:
    """The derivatives F - y and 1."""
    whole, unit = multiples(numbers)
    over = math.lcm(margins.over, unit.denominator)
    if over.bit_length() > _LONG:
        return None
    times, y_times = over // margins.over, unit.numerator * (over // unit.denominator)
    return CaseDerivatives([f * times - whole[y] * y_times for y, f in keys], [1] * len(keys), (Fraction(1, over), 1))


def logistic(
    keys: Sequence[Key], margins: WholeMargins, of: int, numbers: Sequence[Rational]
) -> CaseDerivatives | None:
    """The derivatives p - y and p(1 - p), by the probability of the positive margin."""
    shares, g, h = dict[int, int](), list[int](), list[int]()
    if not any(margin for _, margin in keys):
        return None  # nothing is irrational
    for y, margin in keys:
        size = abs(margin)
        if (low := shares.get(size)) is None:
            low = shares[size] = logistic_floor(size, margins.over)
        rest = ONE - low - LOGISTIC_OFF  # at least: 1 - p, the probability of the negative margin
        g.append((low if margin >= 0 else rest) - y * ONE)
        h.append(max(low * rest, 0) >> PLACES)
    return CaseDerivatives(g, h, (Fraction(1, ONE),) * 2, (LOGISTIC_OFF, LOGISTIC_OFF + 1))


def softmax(keys: Sequence[Key], margins: WholeMargins, of: int, numbers: Sequence[Rational]) -> CaseDerivatives | None:
    """The derivatives p_k - [y = k] and 2·p_k(1 - p_k)."""
    shares, off, g, h = margins.shares, softmax_off(len(margins.columns)), list[int](), list[int]()
    if all(len(set(fs)) == 1 for _, *fs in keys):
        return None  # nothing is irrational
    for key in keys:
        if (known := shares.get(fs := key[1:])) is None:  # the trees of all classes in a round need it
            known = shares[fs] = softmax_floors(fs, margins.over)
        low = known[of]
        g.append(low - (key[0] == of) * ONE)
        h.append(max(low * (ONE - low - off), 0) >> PLACES - 1)
    return CaseDerivatives(g, h, (Fraction(1, ONE),) * 2, (off, 2 * off + 1))


_WHOLE: Mapping[Callable[..., Any], Callable[..., CaseDerivatives | None]] = {
    derivatives.squared_error: squared_error,
    derivatives.logistic: logistic,
    derivatives.softmax: softmax,
}
"""The derivatives of each loss as integers."""
