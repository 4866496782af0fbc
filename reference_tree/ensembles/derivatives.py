r"""Derivatives: the losses that boosting minimises, and the table from which a gradient tree is grown.

A row has a target y and a *margin* F, the sum of the ensemble so far: a number, or for more than two classes a number
for each. A loss l(y, F) is replaced by its second-order expansion about F. The next tree uses only its derivatives:

$$g = \frac{\partial l}{\partial F}, \qquad h = \frac{\partial^2 l}{\partial F^2}$$

| loss | l(y, F) | g | h |
|:--|:--|:--|:--|
| `squared_error` | (F - y)²/2 | F - y | 1 |
| `logistic` | ln(1 + e^F) - y·F | p - y | p(1 - p) |
| `softmax` | ln Σ e^F_k - F_y | p_k - [y = k] | 2·p_k(1 - p_k) |

with p = σ(F), or p_k the share of e^F_k. So a derivative consists of rationals and of at most one probability, as a
`DerivativeTerm` records. An irrational probability is enclosed.

Rows of equal target and margins have the same derivatives. They form one *case*; rows are counted by case, and a row
has no other identity.

1. `LOSSES` has the losses, each with its derivatives and the rule of its predictions.
2. `derived` computes the derivatives at the margins of the rows.
3. `given` takes them from two columns of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Row
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.table import Table
from reference_tree.data.targets import DerivativeTerm, Gradients
from reference_tree.exact.exponentials import softmax_bounds
from reference_tree.exact.intervals import Interval
from reference_tree.exact.rationals import Rational
from reference_tree.twins import twin

Margins: TypeAlias = tuple[Rational, ...]
"""The sums of an ensemble for a row: one number, or one for each class."""


class LossCase(NamedTuple):
    """The values that determine the derivatives of a row."""

    y: Rational
    """The number, or the index of the class."""
    margins: Margins


def squared_error(case: LossCase, of: int) -> DerivativeTerm:
    r"""The derivatives of half of the squared error.

    $$l = \tfrac{1}{2} (F - y)^2, \qquad g = F - y, \qquad h = 1$$

    Source:
        [Friedman2001 §4.1], [LiHang2019 §8.4.2]. Without the ½ both derivatives are twice as large, and leaves are the
        same while λ is 0.
    """
    return DerivativeTerm(case.margins[0] - case.y, 0, 1)


def logistic(case: LossCase, of: int) -> DerivativeTerm:
    r"""The derivatives of the negative log-likelihood of two classes, y being 0 or 1.

    $$l = \ln(1 + e^F) - y F, \qquad g = p - y, \qquad h = p (1 - p), \qquad p = \frac{1}{1 + e^{-F}}$$

    As σ(-F) = 1 - σ(F), the probability of a positive margin is enough for both signs.

    Source:
        [FriedmanHastieTibshirani2000 §4], [Friedman2001 §4.5]. Their F is half of the log odds, and half of this one.
    """
    # Of F and -F one probability is enough, as they add up to 1: that of the positive margin, so that rows of either
    # sign share a symbol. At F = 0 it is 1/2, and nothing is irrational.
    f = case.margins[0]
    if not f:
        return DerivativeTerm(Fraction(1, 2) - case.y, 0, Fraction(1, 4))
    return DerivativeTerm(-case.y, 1, 1, (-f,)) if f > 0 else DerivativeTerm(1 - case.y, -1, 1, (f,))


def softmax(case: LossCase, of: int) -> DerivativeTerm:
    r"""The derivatives of the negative log-likelihood of K classes by the margin of one of them.

    $$l = \ln \sum_k e^{F_k} - F_y, \qquad g_k = p_k - [y = k], \qquad h_k = 2 p_k (1 - p_k), \qquad
    p_k = \frac{e^{F_k}}{\sum_j e^{F_j}}$$

    Source:
        [Friedman2001 §4.6]. The second derivative is p_k(1 - p_k); XGBoost's `multi:softprob` doubles it, as is done
        here.
    """
    # Only differences of margins matter, in any order: cases that agree in them have one symbol. If all margins are
    # equal, the share is 1/K. The factor 2 of h is XGBoost's.
    own, right = case.margins[of], int(case.y == of)
    others = tuple(sorted(margin - own for place, margin in enumerate(case.margins) if place != of))
    if any(others):
        return DerivativeTerm(-right, 1, 2, others)
    p = Fraction(1, len(case.margins))
    return DerivativeTerm(p - right, 0, 2 * p * (1 - p))


@lru_cache(maxsize=1 << 14)
def share_against(others: Margins, bits: int) -> Interval:
    r"""The probability of a class, enclosed, from the margins of the other classes relative to its own.

    $$p = \frac{1}{1 + \sum_j e^{d_j}}$$

    Args:
        others: d_j, the margin of each other class less that of the class.
        bits: the precision in bits.

    Example:
        >>> share_against((0, 0), 10)
        Interval(1/3, 1/3)

    Source:
        [Friedman2001 §4.6]
    """
    if not any(others):
        return Interval(*2 * [Fraction(1, 1 + len(others))])
    # The share of 0 among 0 and the others: the first of the bounds.
    low, high = softmax_bounds((0, *others), bits)[0]
    return Interval(Fraction(low, 1 << bits), Fraction(high, 1 << bits))


class Loss(NamedTuple):
    """A loss, with the rule of its predictions."""

    term: Callable[[LossCase, int], DerivativeTerm]
    """Gives the terms of the derivatives, from a case and the place of the class whose margin is meant."""
    combine: str
    """The rule that combines the trees (`ensemble.COMBINATIONS`)."""
    classes: int | None
    """The number of classes it is for, 0 for any number; None if it is for numbers."""

    def suits(self, target: Attribute) -> bool:
        """Whether it suits a target."""
        return self.classes is None if target.values is None else self.classes in (0, len(target.values))


LossName: TypeAlias = Literal["squared_error", "logistic", "softmax"]

LOSSES: Mapping[str, Loss] = {
    "squared_error": Loss(squared_error, "sum", None),
    "logistic": Loss(logistic, "logistic", 2),
    "softmax": Loss(softmax, "softmax", 0),
}
"""The losses by the names that a document records."""


Known = TypeVar("Known", bound=Hashable)
"""The values that the rows of one case share: their target and margins, or their derivatives."""


# It offers what growing asks of a table, no more: growing cannot tell it from a table, and has no case for boosting.
@dataclass(frozen=True, eq=False)
class DerivativeTable:
    """A table whose target is the derivatives of a loss.

    Args:
        table: the data, with the cases as classes.
        target: the derivatives of each case.
        cases: the values that the rows of each case share, in the order of the classes.
    """

    table: Table
    target: Gradients
    cases: Sequence[Any]

    @property
    def name(self) -> str:
        """The name of the table in messages."""
        return self.table.name

    @property
    def schema(self) -> Schema:
        """The columns of the table."""
        return self.table.schema

    def sample(self) -> Sample:
        """All rows, as the sample that reaches the root."""
        return self.table.sample().against(self.target)

    def rows(self) -> Iterator[Row]:
        """Each row as a mapping from column to value."""
        return self.table.rows()

    def weighted(self) -> Sequence[Rational]:
        """The weight of each row."""
        return self.table.weighted()


@twin
def derived(table: Table, loss: Loss, margins: Sequence[Margins], of: int = 0) -> DerivativeTable:
    """A table with the derivatives of a loss at the margins of its rows: step 1.

    Args:
        table: the data.
        loss: the loss that boosting minimises.
        margins: the margins of each row.
        of: the class with respect to whose margin the derivatives are taken.

    Source:
        [ChenGuestrin2016 §2.2 eq. (3)], [Friedman2001 §3 algorithm 1]
    """
    # A case is a target with its margins: rows that agree in both have the same derivatives in this round.
    return _by_case(table, list(map(LossCase, targets(table), margins)), lambda case: loss.term(case, of))


def given(table: Table, g: str, h: str) -> DerivativeTable:
    """A table that has the derivatives as columns: those of a round of another program, or of another loss.

    Args:
        table: the data.
        g: the column of the first derivatives. Neither column remains an attribute.
        h: the column of the second derivatives, none of them negative.

    Raises:
        InputError: a column does not exist, is categorical, has missing values, or a second derivative is negative.

    Example:
        >>> from reference_tree.learners.gradient_tree import GradientTree
        >>> table = Table.from_columns({"x": [1, 2, 3], "g": [-1, -1, 2], "h": [1, 1, 1], "y": [0, 0, 0]})
        >>> tree = GradientTree(reg_lambda=0, rate=1).grow(given(table, "g", "h"))
        >>> tree.nodes[0].test.name, [node.label for node in tree.nodes]
        ('x<=2.5', [0, 1, -2])
    """
    for name in (g, h):
        if table.schema.attribute(name).values is not None or any(cell is None for cell in table.columns[name]):
            raise InputError(f"the column {name} holds a derivative for each row, which is a number")
    # With a negative H the expanded loss has no minimum, and a leaf no best value.
    columns: list[Any] = [table.columns[name] for name in (g, h)]
    if min(columns[1]) < 0:
        raise InputError(f"the column {h} holds second derivatives, and one of them is negative")
    terms = [DerivativeTerm(first, 0, second) for first, second in zip(*columns, strict=True)]
    # A derivative as an attribute would tell the tree what it has to find out.
    attributes = table.without([name for name in (g, h) if name != table.schema.target.name])
    return _by_case(attributes, terms, lambda term: term)


def _by_case(table: Table, cases: Sequence[Known], term: Callable[[Known], DerivativeTerm]) -> DerivativeTable:
    """The table with the case of each row as its target, and the derivatives of each case."""
    # Cases are numbered as they come, and stand in the table as classes of its target: a sample counts them as it
    # counts classes.
    places: dict[Known, int] = {}
    codes = [places.setdefault(case, len(places)) for case in cases]
    names, target = tuple(map(str, places.values())), table.schema.target.name
    numbers = {column: found for column, found in table.schema.numbers.items() if column != target}
    schema = replace(table.schema, target=Attribute(target, names), numbers=numbers)
    counted = replace(table, schema=schema, columns={**table.columns, target: codes})
    return DerivativeTable(
        counted, Gradients(dict(zip(names, map(term, places), strict=True)), share_against), list(places)
    )


def targets(table: Table) -> Sequence[Rational]:
    """The target of each row: the number, or the index of its class."""
    numbers: list[Any] = list(table.columns[table.schema.target.name])
    return numbers
