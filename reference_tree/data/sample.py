"""The sample: the weighted part of a table that reaches a node, and the only door to its data.

Measures, splitters and learners see only the *sample partition*: a table with a row for each outcome of a question and
a column for each class, whose cells are weights of rows; or the same table with a row for each value of a continuous
attribute, in order. Code above this interface loops over outcomes and values; a row of the data has no identity there.
A store that can answer `GROUP BY answer` and `GROUP BY value ORDER BY value` can be a `Sample`.

The notation: A_1, ..., A_V are the outcomes, C_1, ..., C_K the classes, s_ij = |A_i ∩ C_j| the weight in cell (i, j).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.points import Points
from reference_tree.data.questions import Outcome, Row, Test
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Counts, Target
from reference_tree.exact.rationals import Rational, decimal_text


class Partition(NamedTuple):
    """The sample partition of one question.

    Source:
        [N0 EN §1 table], [N0 EN §1 s_ij]. N0 lets s_ij stand for a sample, a set and a count; here it is the count.
    """

    outcomes: tuple[Outcome, ...]
    """The outcomes in branch order, including those that no row gives."""
    rows: Sequence[Counts]
    """For each outcome, the weight of each class."""
    unknown: Counts
    """The weight of each class among the rows without an answer."""


class Ordered(NamedTuple):
    """The sample partition of a continuous attribute, value by value: parallel sequences."""

    values: Sequence[Rational]
    """The distinct values, ascending."""
    rows: Sequence[Counts]
    """For each value, the weight of each class among the rows that have it."""
    unknown: Counts
    """The weight of each class among the rows without a value."""


class Sample(Protocol):
    """The weighted rows that reach a node, in any store that has these methods."""

    @property
    def schema(self) -> Schema:
        """The columns of the table."""

    @property
    def target(self) -> Target:
        """The target, whose columns are counted in every row below."""

    def total(self) -> Counts:
        """The counts of the whole sample: |C_1|, ..., |C_K|, or the other columns of the target."""

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question: GROUP BY answer, target."""

    def ordered(self, attribute: str) -> Ordered:
        """The sample partition of a continuous attribute, value by value: GROUP BY value, target ORDER BY value."""

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as a linear test sees it: GROUP BY the values of all these attributes at once."""

    def split(self, test: Test, missing: Missing = REFUSED) -> Sequence[Sample]:
        """The parts of the sample that give each answer, in branch order.

        Args:
            test: the question.
            missing: the rule for a row without an answer. Its weight is multiplied by the share of each branch; or the
                first surrogate that it answers decides the branch; or it takes the one branch for all such rows. If no
                rule applies, it is in no part.
        """

    def against(self, target: Target) -> Sample:
        """The same rows counted by another target, without the rows that have no value there."""


def sample_text(sample: Sample) -> str:
    """A sample as a line of text, however many rows it has.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> textbook("play-tennis").sample()
        <Sample: no 5, yes 9>
    """
    counts = zip(sample.target.columns, sample.total(), strict=True)
    texts = [f"{name} {decimal_text(count)}" for name, count in islice(counts, _SHOWN)]
    return f"<Sample: {', '.join(texts)}{', ...' * (len(sample.target.columns) > _SHOWN)}>"


_SHOWN = 12
"""The most columns of a sample that its text shows."""


class Data(Protocol):
    """The part of a table that growing, explaining and pruning need: its columns, and its rows as a sample.

    A store that is no `Table` can implement it. `rows` and `weighted` are needed only to evaluate a tree row by row.
    """

    @property
    def name(self) -> str:
        """The name of the table in messages."""

    @property
    def schema(self) -> Schema:
        """The columns of the table."""

    def sample(self) -> Sample:
        """All rows, as the sample that reaches the root."""

    def rows(self) -> Iterator[Row]:
        """Each row as a mapping of column to value."""

    def weighted(self) -> Sequence[Rational]:
        """The weight of each row."""


__all__ = ["Counts", "Data", "Ordered", "Partition", "Sample"]
