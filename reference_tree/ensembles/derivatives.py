r"""Derivatives: a table whose target is the derivatives of a loss, from which a gradient tree is grown.

Rows of equal target and margins have the same derivatives. They form one *case*; rows are counted by case, and a row
has no other identity.

1. `derived` computes the derivatives at the margins of the rows.
2. `given` takes them from two columns of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Row
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.table import Table
from reference_tree.data.targets import Gradients, Term
from reference_tree.ensembles.losses import Loss, LossCase, share_against
from reference_tree.exact.rationals import Rational

Known = TypeVar("Known", bound=Hashable)
"""The values that the rows of one case share: their target and margins, or their derivatives."""


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


def derived(table: Table, loss: Loss, cases: Sequence[LossCase], of: int = 0) -> DerivativeTable:
    """A table with the derivatives of a loss at the margins of its rows: step 1.

    Args:
        table: the data.
        loss: the loss that boosting minimises.
        cases: for each row its target and its margins.
        of: the class with respect to whose margin the derivatives are taken.

    Source:
        [ChenGuestrin2016 §2.2 eq. (3)], [Friedman2001 §3 algorithm 1]
    """
    return _by_case(table, cases, lambda case: loss.term(case, of))


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
    if min(cast(Any, table.columns[h])) < 0:
        raise InputError(f"the column {h} holds second derivatives, and one of them is negative")
    derivatives = (cast("Sequence[Rational]", table.columns[name]) for name in (g, h))
    terms = [Term(first, 0, second) for first, second in zip(*derivatives, strict=True)]
    attributes = table.without([name for name in (g, h) if name != table.schema.target.name])
    return _by_case(attributes, terms, lambda term: term)


def _by_case(table: Table, cases: Sequence[Known], term: Callable[[Known], Term]) -> DerivativeTable:
    """The table with the case of each row as its target, and the derivatives of each case."""
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
    return cast("Sequence[Rational]", list(table.columns[table.schema.target.name]))
