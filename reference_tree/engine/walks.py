"""Walks: rows that go down a tree in one loop, each by its own cells.

In the book a row is read and tested by objects, and a table is divided at each node. Here each node is a *step*: a
place in the row, and the largest number that goes below, or the branch of each category. Numbers are compared as they
are kept: doubles with the largest double on the lower side (`reference_tree.data.held.last_double`), ranks with ranks.
A row with a cell that no step can place is *lost*, and goes by the book from the root: a gap, a value without a branch,
a sum of attributes, a cell of a strange type. So rules for missing values, and messages, are those of the book.

1. `ends` is the fast form for the rows of a table.
2. `ends_of_row` is the fast form for a row alone; the steps of a tree are kept as long as the tree.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias
from weakref import ref

from reference_tree import routing, tree
from reference_tree.data.asked import WHOLE, AskedRow, Placed
from reference_tree.data.held import LARGEST_SINGLE, last_double
from reference_tree.data.questions import Threshold
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.engine.integer_columns import place_of
from reference_tree.node import Node
from reference_tree.routing import Ends, Unseen
from reference_tree.twins import fast_form_of

Step: TypeAlias = tuple[Hashable, float | None, float, Any, Any]
"""The place of a cell in the row. Then for a number the largest that goes below, the largest that there is, and where
numbers go below and above; for a category None, 0, where each goes, and None."""

LOST = -sys.maxsize
"""Where a row goes that has to go by the book."""


class Steps:
    """The steps of a tree, each made when a row reaches its node first. A leaf n is written ~n.

    Args:
        nodes: the nodes of the tree.
        known: the attributes of the rows, by name.
    """

    def __init__(self, nodes: Sequence[Node], known: Mapping[str, Attribute]) -> None:
        self.nodes, self.known = nodes, known
        self._made: list[Step | None] = [None] * len(nodes)

    def to(self, number: int) -> int:
        """Where a row goes that reaches a node."""
        if (test := self.nodes[number].test) is None:
            return ~number
        attribute = self.known.get(test.attribute)
        fits = attribute is not None and isinstance(test, Threshold) == (attribute.values is None)
        return number if fits else LOST

    def _step(self, number: int) -> Step:
        node = self.nodes[number]
        test, ways = node.test, [*map(self.to, node.branches)]
        assert test is not None  # `to` sends no row to a leaf
        if isinstance(test, Threshold):
            step = self.compared(test, *ways)
        else:
            values = self.known[test.attribute].domain
            branches = [test.branch_of(value) for value in values]
            step = self.parted(test.attribute, [LOST if branch is None else ways[branch] for branch in branches])
        self._made[number] = step
        return step

    def compared(self, test: Threshold, below: int, above: int) -> Step:
        """The step of a test of a number."""
        name, form = test.attribute, self.known[test.attribute].held
        return name, last_double(test.threshold, form, strict=test.strict), _MOST, below, above

    def parted(self, name: str, to: list[int]) -> Step:
        """The step of a test of a category, which goes to one of these nodes."""
        return name, None, 0, dict(zip(self.known[name].domain, to, strict=True)), None

    def down(self, rows: Iterable[Any]) -> list[int]:
        """Where each row ends."""
        found, start, made = [], self.to(0), self._made
        for row in rows:
            number = start
            while number >= 0:
                place, last, most, below, above = made[number] or self._step(number)
                if last is None:
                    number = below[row[place]]
                else:
                    cell = row[place]
                    number = below if cell <= last else above if cell <= most else LOST
            found.append(number)
        return found


_MOST = sys.float_info.max


# Many rows.


class _OfTable(Steps):
    """The steps for rows of codes; where floats have only places, for the floats."""

    def __init__(self, nodes: Sequence[Node], table: Table) -> None:
        asked = {test.attribute for node in nodes if (test := node.test) is not None}
        there = (*table.schema.attributes, table.schema.target)
        super().__init__(nodes, {one.name: one for one in there if one.name in asked})
        self.place = {name: place for place, name in enumerate(self.known)}
        self.columns = [routing.column(table, name) for name in self.known]

    def compared(self, test: Threshold, below: int, above: int) -> Step:
        place = self.place[test.attribute]
        codes, values = self.columns[place]
        cut, most = place_of(test, values), len(values)
        last = codes.last if isinstance(codes, Placed) else (-1).__add__
        return place, last(cut), last(most), below, above

    def parted(self, name: str, to: list[int]) -> Step:
        return self.place[name], None, 0, [*to, LOST], None

    def rows(self) -> Iterable[tuple[float, ...]]:
        """The cells of each row."""
        return zip(*(codes.cells if isinstance(codes, Placed) else codes for codes, _ in self.columns), strict=True)


@fast_form_of(routing.ends)
def ends(nodes: Sequence[Node], table: Table, unseen: Unseen = "error") -> list[Ends]:
    """The nodes where each row of a table ends."""
    steps = _OfTable(nodes, table)
    numbers = steps.down(steps.rows()) if steps.columns else [steps.to(0)] * len(table)
    whole: dict[int, Ends] = {number: ((~number, 1),) for number in set(numbers)}
    found = [*map(whole.__getitem__, numbers)]
    if LOST in whole:
        lost = [row for row, number in enumerate(numbers) if number == LOST]
        by_the_book = routing.ends.__wrapped__(nodes, table.take(lost), unseen)  # type: ignore[attr-defined]
        for row, reached in zip(lost, by_the_book, strict=True):
            found[row] = reached
    return found


# A row alone.


class _StepCells(dict[str, Any]):
    """The cells of a row that have steps: a double stands for each number, and compares as the number does.

    Raises:
        KeyError: a cell has none, or there is no such cell.
    """

    def __init__(self, row: AskedRow, steps: _OfTree) -> None:
        super().__init__()
        self.row, self.given, self.steps = row, row.given, steps

    def __missing__(self, name: str) -> Any:
        known = self.steps.known[name]
        cell: Any = self.given[name] if known.treatment is None else self.row[name]
        kind, is_single = type(cell), known.held == "float32"
        # A fraction is compared as its nearest double. Rounding keeps the order, so this can go wrong only at the
        # double nearest to a threshold and beside it: these are doubtful, and such a row goes by the book.
        if kind is Fraction and not is_single:
            cell = cell.numerator / cell.denominator
            if cell in self.steps.doubtful(name):
                raise KeyError(name)
        elif kind is float or kind is int:
            if not abs(cell) <= (WHOLE if kind is int else LARGEST_SINGLE if is_single else _MOST):
                raise KeyError(name)
        elif kind is not str:
            raise KeyError(name)
        self[name] = cell
        return cell


class _OfTree(Steps):
    """The steps for rows as they are handed over."""

    def __init__(self, of: tree.Tree, known: Mapping[str, Attribute]) -> None:
        super().__init__(of.nodes, known)
        self.cuts = of.cuts
        self._doubtful: dict[str, set[float]] = {}

    def doubtful(self, name: str) -> set[float]:
        """The doubles that do not say on which side of a threshold a number is that they are nearest to.

        Rounding keeps the order of numbers: if two of them are nearest to different doubles, these compare as they do.
        """
        if name not in self._doubtful:
            cuts = self.cuts[name]
            if cuts is None:
                raise KeyError(name)
            near = [cut.numerator / cut.denominator for cut in cuts]
            beside = [math.nextafter(one, end) for one in near for end in (-math.inf, math.inf)]
            self._doubtful[name] = {*near, *beside}
        return self._doubtful[name]


_KEPT: dict[int, tuple[ref[tree.Tree], _OfTree]] = {}
"""The steps of the trees that there are, by their identity: to compare trees would take long."""


def _steps(of: tree.Tree, known: Mapping[str, Attribute]) -> _OfTree:
    kept = _KEPT.get(id(of))
    if kept is None or kept[1].known is not known:
        key = id(of)
        kept = _KEPT[key] = (ref(of, lambda _: _KEPT.pop(key, None)), _OfTree(of, known))
    return kept[1]


@fast_form_of(tree.ends_of_row)
def ends_of_row(of: tree.Tree, row: AskedRow, unseen: Unseen) -> Ends:
    """The nodes where a row ends, each with the share of the row that ends there."""
    steps = _steps(of, row.known)
    try:
        (number,) = steps.down([_StepCells(row, steps)])
    except (KeyError, TypeError, ArithmeticError):  # a cell that has no step
        number = LOST
    if number == LOST:
        return tree.ends_of_row.__wrapped__(of, row, unseen)  # type: ignore[attr-defined,no-any-return]
    return ((~number, 1),)
