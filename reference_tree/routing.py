"""Routing: sending all rows of a table down a tree at once.

One row goes down a tree test by test. A whole table goes down node by node: a node tests all its rows together,
and each value of a column only once. So a row costs little more than two look-ups for each test, and every row ends
where it would have ended alone.

1. `column` is a column by codes: numbers are compared as ranks, categories as places in their domain.
2. `rows_reaching` are the rows that reach each node, in preorder.
3. `ends` are the nodes where each row ends, with the share of the row that ends there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from reference_tree.data.outcomes import not_there
from reference_tree.data.questions import NoRuleError, Row, Test, Threshold, UnseenValueError
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational
from reference_tree.node import Node
from reference_tree.twins import twin

Unseen = Literal["error", "majority"]
"""The rule for a value without a branch: it is refused, or the node that asks for it answers."""
Ends: TypeAlias = tuple[tuple[int, Rational], ...]
"""The nodes where a row ends, in preorder, each with the share of the row that ends there."""
Shares: TypeAlias = Mapping[int, Rational]
"""The shares of some rows; a row that is not listed is whole."""


@twin
def foreseen(sample: Sample, nodes: Sequence[Node]) -> Sample:
    """A sample that will go down a tree; a store may prepare to answer for all nodes of a level at once.

    Args:
        sample: the rows that reach the root.
        nodes: the tree.
    """
    return sample


@twin
def weights_at_ends(sample: Sample, nodes: Sequence[Node]) -> Mapping[int, Mapping[str | Rational, Rational]] | None:
    """For each node where rows end, their weight by target, if a store counts them; None if rows are sent one by one.

    Args:
        sample: the rows that reach the root; they have no value that the tree does not know.
        nodes: the tree.
    """
    return None


class CodedColumn(NamedTuple):
    """A column."""

    codes: Sequence[int]
    """For each row the index of its value; the number of values if it is missing."""
    values: Sequence[Any]
    """The domain, or the distinct numbers in ascending order."""

    def value(self, code: int) -> str | Rational | None:
        """The value of a code; None for a missing one."""
        value: str | Rational | None = self.values[code] if code < len(self.values) else None
        return value


def column(table: Table, name: str) -> CodedColumn:
    """A column of a table, possibly the target.

    Example:
        >>> table = Table.from_columns({"x": [7, None, 5], "y": ["no", "yes", "no"]})
        >>> list(column(table, "x").codes), list(column(table, "y").codes)
        ([1, 2, 0], [0, 1, 0])
    """
    attribute = table.schema.attribute(name)
    values = table.schema.numbers[name] if attribute.values is None else attribute.values
    return CodedColumn(table.codes(name), values)


class Arrival(NamedTuple):
    """The rows that reach a node."""

    number: int
    """The number of the node."""
    rows: list[int]
    """The rows, by their places in the table."""
    shares: Shares
    """The shares of the rows that reach the node only in part."""
    ending: list[int]
    """The rows that go no further."""


def rows_reaching(
    nodes: Sequence[Node], table: Table, unseen: Unseen = "error", leaves: Collection[int] = ()
) -> Iterator[Arrival]:
    """The rows of a table that reach each node of a tree, in preorder; nodes without rows are left out.

    Args:
        nodes: the nodes of the tree.
        table: the rows.
        unseen: how to treat a value for which there is no branch.
        leaves: the numbers of nodes that count as leaves.

    Raises:
        InputError: the tree has no branch for the answer of a row, or for its lack; as for `Tree.predict`.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> for number, rows, _, ending in rows_reaching(rt.ID3(max_depth=1).grow(days).nodes, days):
        ...     print(number, len(rows), ending)
        0 14 []
        1 4 [2, 6, 11, 12]
        2 5 [3, 4, 5, 9, 13]
        3 5 [0, 1, 7, 8, 10]
    """
    router = _Router(table, unseen)
    pending: list[tuple[int, list[int], Shares]] = [(0, list(range(len(table))), {})]
    while pending:
        number, rows, shares = pending.pop()
        node = nodes[number]
        if node.test is None or number in leaves:
            yield Arrival(number, rows, shares, rows)
            continue
        below, ending = router.sent_on(node, rows, shares)
        yield Arrival(number, rows, shares, ending)
        pending += [
            (to, *arriving) for to, arriving in zip(node.branches[::-1], below[::-1], strict=True) if arriving[0]
        ]


@twin
def ends(nodes: Sequence[Node], table: Table, unseen: Unseen = "error") -> list[Ends]:
    """The nodes where each row of a table ends.

    Args:
        nodes: the nodes of the tree.
        table: the rows.
        unseen: how to treat a value for which there is no branch.

    Raises:
        InputError: as for `rows_reaching`.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> ends(rt.ID3(max_depth=1).grow(days).nodes, days)[:3]
        [((3, 1),), ((3, 1),), ((1, 1),)]
    """
    found: list[Ends] = [()] * len(table)
    for number, _, shares, ending in rows_reaching(nodes, table, unseen):
        whole = ((number, 1),)
        for row in ending:  # a whole row ends once, unless it goes down every branch whole
            found[row] = (*found[row], (number, shares[row])) if row in shares else (*found[row], *whole)
    return found


class _Parted(NamedTuple):
    """Rows by the outcome of a test."""

    answered: list[list[int]]
    """For each outcome, the rows that give it."""
    unknown: list[int]
    """The rows that do not answer."""
    unseen: list[int]
    """The rows whose value has no outcome."""


class _Router:
    """Sends the rows of a table on from a node. A column is coded once, when a test needs it."""

    def __init__(self, table: Table, unseen: Unseen) -> None:
        self._table, self._unseen = table, unseen
        self._names = {attribute.name for attribute in (*table.schema.attributes, table.schema.target)}
        self._columns: dict[str, CodedColumn] = {}

    def sent_on(
        self, node: Node, rows: list[int], shares: Shares
    ) -> tuple[list[tuple[list[int], dict[int, Rational]]], list[int]]:
        """The rows that go down each branch of a node, with their shares, and the rows that go no further."""
        assert node.test is not None
        answered, unknown, ending = self._parted(node.test, rows)
        below = [(going, _times(1, going, shares)) for going in answered]
        if unknown:
            for (going, parts), routes in zip(below, self._routes(node, unknown, ending), strict=True):
                for more, share in routes:
                    going += more
                    parts |= _times(share, more, shares)
        return below, ending

    def _routes(self, node: Node, unknown: list[int], ending: list[int]) -> list[list[tuple[list[int], Rational]]]:
        """For each branch, the rows without an answer that take it, and their share. Others are added to `ending`."""

        def instead(test: Test, rows: list[int]) -> list[list[int]]:
            """The rows by their answers to a surrogate; last, the rows that do not answer or lack its attribute."""
            if not self._names.issuperset(test.attributes):
                return [*([] for _ in test.outcomes), rows]
            answered, unknown, unseen = self._parted(test, rows)
            ending.extend(unseen)
            return [*answered, unknown]

        assert node.test is not None
        routes = node.missing.routes(unknown, len(node.branches), instead)
        going = [[(rows, share) for rows, share in branch if share] for branch in routes]
        settled = {row for branch in going for rows, _ in branch for row in rows}.union(ending)
        left = [row for row in unknown if row not in settled]
        if left and not node.missing.stays:
            raise NoRuleError(node.test.attribute)
        ending += left
        return going

    def _parted(self, test: Test, rows: list[int]) -> _Parted:
        columns = [self._column(name) for name in test.attributes]
        if isinstance(test, Threshold) and test.attribute in self._table.schema.numbers:
            return _by_rank(test, columns[0], rows)
        found = _Parted([[] for _ in test.outcomes], [], [])
        places: dict[tuple[int, ...], list[int]] = {}  # the group of the rows with some values
        for row in rows:
            codes = tuple(each.codes[row] for each in columns)
            if codes not in places:
                cells = map(CodedColumn.value, columns, codes)
                places[codes] = self._place(test, dict(zip(test.attributes, cells, strict=True)), found)
            places[codes].append(row)
        return found

    def _place(self, test: Test, row: Row, found: _Parted) -> list[int]:
        try:
            branch = test.branch(row)
        except UnseenValueError:
            if self._unseen == "error":
                raise
            return found.unseen
        return found.unknown if branch is None else found.answered[branch]

    def _column(self, name: str) -> CodedColumn:
        if name not in self._columns:
            if name not in self._names:
                raise not_there(name)
            self._columns[name] = column(self._table, name)
        return self._columns[name]


def _by_rank(test: Threshold, cells: CodedColumn, rows: list[int]) -> _Parted:
    """Rows by a threshold: it is located once among the distinct numbers, and then ranks are compared."""
    cut, missing = test.place_in(cells.values), len(cells.values)
    found = _Parted([[], []], [], [])
    (below, above), unknown, _ = found
    for row in rows:
        code = cells.codes[row]
        (below if code < cut else above if code < missing else unknown).append(row)
    return found


def _times(share: Rational, rows: list[int], shares: Shares) -> dict[int, Rational]:
    """The shares of some rows, each multiplied by a share: row → product. Whole rows are left out."""
    if share == 1:
        return {row: shares[row] for row in rows if row in shares} if shares else {}
    return {row: shares.get(row, 1) * share for row in rows}
