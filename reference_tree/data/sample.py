"""The sample: the weighted part of a table that reaches a node, and the only door to its data.

What a measure, a splitter or a learner may know of the data is the *sample partition*: a table with a row for each
outcome of a question and a column for each class, the weight of the rows that gave that answer in the cells; or the
same in the order of a continuous attribute. Loops above this door run over outcomes and values; a row of the data has
no identity there. Whoever can answer `GROUP BY answer` and `GROUP BY value ORDER BY value` can take the place of
`Sample`.

The notation: A_1, ..., A_V are the outcomes, C_1, ..., C_K the classes, s_ij = |A_i ∩ C_j| the weight in cell (i, j).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.questions import Outcome, Test
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Target
from reference_tree.exact.rationals import Rational

Counts: TypeAlias = tuple[Rational, ...]
"""One row of s_ij, exact and additive: the weight of each class, or what else the target counts."""


class Partition(NamedTuple):
    """The sample partition of one question.

    Source:
        [N0 EN §1 table], [N0 EN §1 s_ij]. N0 lets s_ij stand for a sample, a set and a count; here it is the count.
    """

    outcomes: tuple[Outcome, ...]
    """In branch order, empty ones included."""
    rows: tuple[Counts, ...]
    """For each outcome, the weight of each class."""
    unknown: Counts
    """The weight of each class whose answer is missing."""


class Ordered(NamedTuple):
    """A sample in the order of a continuous attribute: parallel sequences, ascending, without any row's identity."""

    values: Sequence[int]
    """Ranks; `schema.value(attribute, rank)` is the exact number."""
    targets: Sequence[int]
    """The class of each, as a code."""
    weights: Sequence[Rational]
    """The weight of each."""
    unknown: Counts
    """The weight of each class whose value is missing."""


class Sample(Protocol):
    """The weighted rows that reach a node. How they are stored is nobody else's affair."""

    @property
    def schema(self) -> Schema:
        """What the columns are."""

    @property
    def target(self) -> Target:
        """What is counted: the columns of every row below."""

    def total(self) -> Counts:
        """The row of the whole sample: |C_1|, ..., |C_K|."""

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question: GROUP BY answer, class."""

    def ordered(self, attribute: str) -> Ordered:
        """The sample in the order of a continuous attribute: GROUP BY value, class ORDER BY value."""

    def split(self, test: Test, missing: Missing = REFUSED) -> tuple[Sample, ...]:
        """The parts of the sample that give each answer, in branch order.

        Args:
            test: the question.
            missing: where a row without an answer goes. Its weight is multiplied by its share of each branch; where
                there is no way for it, it is in no part.
        """
