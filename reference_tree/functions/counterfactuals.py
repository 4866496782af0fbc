"""Counterfactuals: the nearest row that a model predicts as wanted.

A search takes boxes of rows in the order of their distance from the row that is changed. So the first box of which all
rows are predicted as wanted has the nearest one, and no other measure of closeness, gradient or neighbour is needed. If
the steps end before, the distance of the nearest box that is left is a bound.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from reference_tree.data.errors import InputError, listed, no_such, option, shown
from reference_tree.exact.rationals import Rational, exactly
from reference_tree.functions.boxes import Sums, own_labels, sums_of
from reference_tree.functions.cells import InputCells, InputDomain, Inputs, next_number
from reference_tree.functions.questions import Model, searched
from reference_tree.functions.searches import Bounded, Region, class_trees, parted, possible, restricted, summed_trees

Distance: TypeAlias = Literal["l1", "l0"]
DISTANCES: tuple[Distance, ...] = ("l1", "l0")
Scores: TypeAlias = Mapping[str, list[Bounded]]
"""Class → the trees of its score; the empty name for a number."""
Change: TypeAlias = tuple[Rational, Any]
"""The least change that leads into a cell, and the value there."""


@dataclass(frozen=True)
class Counterfactual:
    """The nearest row that is predicted as wanted.

    Args:
        row: the row; None if none was met.
        distance: its distance; None likewise.
        bound: no such row is nearer; infinite if there is none.
    """

    row: dict[str, Any] | None
    distance: Rational | None
    bound: Rational | float

    @property
    def proved(self) -> bool:
        """Whether the row is the nearest, or there is none."""
        return self.distance == self.bound or self.bound == math.inf


def counterfactual(
    model: Model,
    row: Mapping[str, Any],
    target: Any,
    *,
    distance: Distance = "l1",
    scale: Mapping[str, Any] | None = None,
    fixed: Collection[str] = (),
    inputs: Inputs = "double",
    max_steps: int = 10_000,
) -> Counterfactual:
    """The nearest row that a model predicts as wanted.

    No value becomes missing, and none a category that the model does not name.

    Args:
        model: the model.
        row: the row that is changed.
        target: the class that is wanted; of numbers the least and the most of the exact score, None for no bound.
        distance: `l1`, the sum of the changes, each divided by its scale, where another category is a change of 1; or
            `l0`, the number of changes.
        scale: the unit of attributes of numbers, as their standard deviations; 1 where none is given.
        fixed: attributes that are not changed.
        inputs: the numbers that rows can hold.
        max_steps: the most boxes to look at.

    Raises:
        InputError: the row lacks an attribute that the model asks for; there is no such attribute, class or distance; a
            unit is not above 0; or the model divides rows with a missing value.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.CART(max_depth=2).grow(rt.textbook("iris"))
        >>> found = counterfactual(tree, {"petal length": 4, "petal width": 1}, "virginica")
        >>> found.row, found.proved
        ({'petal length': 4, 'petal width': 1.7500000000000002}, True)

    Source:
        [Kantchelian2016], where the nearest row of another class is an evasion.
    """
    if distance not in DISTANCES:
        raise InputError(no_such("distance", distance, DISTANCES))
    domain, sums = searched(model, inputs, whole_rows=True)
    # A tree predicts the class of its leaf, which need not have the largest share.
    if own_labels(model, domain):
        sums = sums_of(model, domain, labels=True)
    if absent := [name for name in domain.places if name not in row]:
        raise InputError(f"the row has no value for {listed(absent)}, which the model asks for")
    units = _units(scale or {}, [one.name for one in model.attributes], fixed)
    scores, judged = _wanted(sums, domain, target)
    # Distances are measured between values as the model holds them.
    read = model.reading(row)
    changes = [_changes(cells, read[cells.name], distance, units.get(cells.name, 1)) for cells in domain.attributes]
    region = [sum(1 << cell for cell in costs) & domain.attributes[place].all for place, costs in enumerate(changes)]
    # Cells that no change leads to are left out from the beginning.
    for place, cells in enumerate(domain.attributes):
        if cells.name in fixed:
            region[place] &= 1 << cells.cell_of(read[cells.name])
        scores = _within(scores, place, tuple(region))

    def nearest(place: int, among: int) -> Change:
        return min(
            (change for cell, change in changes[place].items() if among >> cell & 1), key=lambda change: change[0]
        )

    def price(region: Region) -> Rational:
        return sum(nearest(place, among)[0] for place, among in enumerate(region))

    # Equal distances go in the order in which they were met, so the result is always the same.
    order = itertools.count()
    start = tuple(region)
    heap = [(price(start), next(order), scores, start)] if all(start) and judged(scores) is not False else []
    for _ in range(max_steps):
        if not heap:
            return Counterfactual(None, None, math.inf)
        cost, _, some, here = heapq.heappop(heap)
        # The nearest box of all: whatever is left is as far or farther.
        if judged(some):
            values = {cells.name: nearest(place, here[place])[1] for place, cells in enumerate(domain.attributes)}
            # Only what has to change does; the other values stay as they were handed over.
            changed = {name: value for name, value in values.items() if value != read[name]}
            return Counterfactual({**row, **changed}, cost, cost)
        widest = max((tree for trees in some.values() for tree in trees), key=lambda tree: tree.high - tree.low)
        for place, part in parted(here, widest):
            left = _within(some, place, part)
            # A box without any row as wanted is dropped.
            if judged(left) is not False:
                heapq.heappush(heap, (price(part), next(order), left, part))
    return Counterfactual(None, None, heap[0][0] if heap else math.inf)


def _units(scale: Mapping[str, Any], known: Collection[str], fixed: Collection[str]) -> dict[str, Rational]:
    """The units of the attributes, exactly; a name that no attribute has would be passed over."""
    for name in (*scale, *fixed):
        if name not in known:
            raise InputError(no_such("attribute", name, known))
    units = {name: exactly(unit) for name, unit in scale.items()}
    # A distance in units of 0 is none, and in negative ones the farthest row is the nearest.
    if wrong := [name for name, unit in units.items() if unit <= 0]:
        raise InputError(f"{option('scale')}: the unit of {wrong[0]} is more than 0, not {shown(scale[wrong[0]])}")
    return units


def _within(scores: Scores, place: int, region: Region) -> Scores:
    return {name: [restricted(tree, place, region) for tree in trees] for name, trees in scores.items()}


def _wanted(sums: Sums, domain: InputDomain, target: Any) -> tuple[Scores, Callable[[Scores], bool | None]]:
    """The scores, and the function that says whether all rows of a box are as wanted, or none; else None."""
    if sums.classes:
        if target not in sums.classes:
            raise InputError(no_such("class", target, sums.classes))

        def of_class(scores: Scores) -> bool | None:
            # All rows of the box have the class if no other one can win.
            left = possible(scores)
            return None if len(left) > 1 and target in left else left == [target]

        return class_trees(sums, domain), of_class
    if isinstance(target, str) or not isinstance(target, Sequence) or len(target) != 2:
        raise InputError(f"{option('target')}: of numbers it is the least and the most, not {shown(target)}")
    trees, whole = summed_trees([(1, sums.scores[""])], domain)
    least, most = (None if bound is None else Fraction(exactly(bound)) * whole for bound in target)

    def of_number(scores: Scores) -> bool | None:
        # The bounds of all trees, added up, enclose the score of each row.
        low, high = (sum(ends) for ends in zip(*((tree.low, tree.high) for tree in scores[""]), strict=True))
        if (least is not None and high < least) or (most is not None and low > most):
            return False
        return True if (least is None or low >= least) and (most is None or high <= most) else None

    return {"": trees}, of_number


def _changes(cells: InputCells, value: Any, distance: Distance, unit: Any) -> dict[int, Change]:
    """The cells that a value can be changed to, each with the change."""
    # The own cell costs nothing, even that of a missing value, which no change leads to.
    own = cells.cell_of(value)
    changes: dict[int, Change] = {}
    for cell in range(cells.plain):
        if cell == own or not cells.all >> cell & 1:
            continue
        # A number goes no farther into a cell than to its nearer end.
        there = cells.value(cell)
        change: Rational = 1
        if cells.values is None and value is not None:
            low, high = cells.bounds(cell)
            there = high if value > high else next_number(low, cells.inputs)
            change = 1 if distance == "l0" else abs(Fraction(there) - value) / Fraction(unit)
        changes[cell] = change, there
    return {own: (0, value), **changes}
