r"""Cells: the finitely many kinds of value that the tests of some models can tell apart.

A threshold sends the numbers up to a last one to the left, so all numbers between two neighbouring cuts, of all trees
together, are answered alike. They are one *cell*. An attribute of numbers has a cell between any two cuts; an attribute
of categories has a cell for each category, and one for any *other* category, which no model names. Both have a cell for
a missing value. A model is then a function of finitely many cells, whatever real numbers a row has:

$$x \le t \iff \text{cell}(x) \le \text{cell}(t)$$

A cut is the last number *that rows can hold* on the lower side (`reference_tree.data.held.last_double`), so no cell is
empty, and that a program compares float32, or writes `<` for `<=`, is a matter of where the cuts lie.

A set of cells is the bits of a whole number. A *box* is a set of cells for some of the attributes.

1. `InputCells` are those of one attribute: what a test sends where, and a value in each.
2. `InputDomain` has those of all attributes. A cell that one of the models refuses is *outside*: nothing is said
   about it.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias

from reference_tree.data.asked import AskedRow
from reference_tree.data.errors import InputError, listed, no_such, shown
from reference_tree.data.held import LARGEST_SINGLE, Form, last_double, next_single
from reference_tree.data.questions import Linear, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.data.treatment import Treatment
from reference_tree.ensembles.ensemble import Ensemble, trees_of
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import nearest_single
from reference_tree.tree import Tree

Inputs: TypeAlias = Literal["double", "float32"]
"""The numbers that rows can hold."""
INPUTS: tuple[Inputs, ...] = ("double", "float32")
Box: TypeAlias = tuple[tuple[int, int], ...]
"""Place of an attribute → set of cells, ascending; an attribute that is not named may have any value."""
At: TypeAlias = Sequence[int]
"""One cell for each attribute: a row, as far as models can tell."""
LARGEST = math.nextafter(math.inf, 0)
"""The largest double. Infinities are no numbers of this package, and no row has one."""


@lru_cache(maxsize=1 << 18)  # the trees of a model share their thresholds
def cut(threshold: Rational, form: Form, strict: bool, inputs: Inputs) -> float:
    """The last number that rows can hold on the lower side of a threshold; -inf if there is none.

    Args:
        threshold: the threshold t.
        form: how the model holds numbers.
        strict: whether the lower side is `< t`.
        inputs: the numbers that rows can hold.

    Example:
        >>> from fractions import Fraction
        >>> cut(Fraction(1, 10), "double", False, "double"), cut(Fraction(1, 10), "double", False, "float32")
        (0.09999999999999999, 0.09999999403953552)
    """
    last = last_double(threshold, form, strict=strict) + 0.0  # -0 becomes 0
    return last if inputs == "double" or abs(last) > LARGEST_SINGLE else single_below(last)


def single_below(number: float) -> float:
    """The largest float32 that is at most a number."""
    near = nearest_single(number) + 0.0
    # Rounding to nearest went down, or the number is a float32.
    return near if near <= number else -next_single(-near)


def next_number(number: float, inputs: Inputs) -> float:
    """The next larger number that rows can hold."""
    return math.nextafter(number, math.inf) if inputs == "double" else -single_below(math.nextafter(-number, -math.inf))


@dataclass(frozen=True)
class InputCells:
    """The cells of one attribute. In order: the numbers, or the categories; a missing value; another category.

    Args:
        name: the name of the attribute.
        ends: of numbers, the cuts, ascending: cell i ends with the i-th, and one more follows them.
        values: the categories, sorted; None for numbers.
        inputs: the numbers that rows can hold.
        largest: the largest number that all models can hold.
        refused: the set of cells that are outside.
    """

    name: str
    ends: Sequence[float] = ()
    values: tuple[str, ...] | None = None
    inputs: Inputs = "double"
    largest: float = LARGEST
    refused: int = 0
    _sides: dict[Any, tuple[Test, tuple[int, ...], int]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def plain(self) -> int:
        """The number of cells before that of a missing value."""
        return len(self.ends) + 1 if self.values is None else len(self.values)

    @cached_property
    def missing(self) -> int:
        """The set of the missing value."""
        return 1 << self.plain

    def outer(self, *, others: bool, gaps: bool) -> int:
        """The set of the other categories, if rows have none, and of the missing value, likewise."""
        return (0 if gaps else self.missing) | (0 if others or self.values is None else self.missing << 1)

    @cached_property
    def all(self) -> int:
        """The set of all cells that no model refuses."""
        return ((1 << self.plain + (1 if self.values is None else 2)) - 1) & ~self.refused

    @cached_property
    def base(self) -> int:
        """The cell where all functions of `coordinates` but the constant are 0."""
        plain = self.all & ~self.missing if self.values is None else self.all
        return (plain or self.all).bit_length() - 1

    def sides(self, test: Test, attribute: Attribute) -> tuple[tuple[int, ...], int]:
        """The set of cells that a test sends down each branch, and the set of those that it cannot answer.

        Args:
            test: the test.
            attribute: the attribute of its tree, which says how values are read.
        """
        # By identity, as a hash of a test takes longer than its answer. The test is kept, so no other one has its id.
        key = id(test), attribute.held, attribute.treatment
        if (known := self._sides.get(key)) is None:
            made = self._numbers(test, attribute) if isinstance(test, Threshold) else self._asked(
                test, attribute, range(self.plain + 2)
            )  # fmt: skip
            known = self._sides[key] = (test, *made)
        return known[1], known[2]

    def _numbers(self, test: Threshold, attribute: Attribute) -> tuple[tuple[int, ...], int]:
        # The cells up to that of the last number on the lower side.
        last = cut(test.threshold, attribute.held, test.strict, self.inputs)
        whole = (1 << self.plain) - 1
        if last >= self.largest:
            low = whole
        else:
            low = 0 if last < -self.largest else (1 << bisect_left(self.ends, last) + 1) - 1
        if attribute.treatment is None:
            return (low, whole & ~low), self.missing
        # A missing value that is replaced goes where its replacement goes.
        replaced, unknown = self._asked(test, attribute, (self.plain,))
        return tuple(side | more for side, more in zip((low, whole & ~low), replaced, strict=True)), unknown

    def _asked(self, test: Test, attribute: Attribute, cells: Iterable[int]) -> tuple[tuple[int, ...], int]:
        """The same by asking the test itself, cell by cell; what is refused goes nowhere."""
        branches, unknown = [0] * len(test.outcomes), 0
        for cell in cells:
            # The row is read as the model reads rows: categories by number or name, replacements, codes.
            row = AskedRow({self.name: self.value(cell)}, {self.name: attribute})
            try:
                branch = test.branch(row)
            except InputError:
                continue
            if branch is None:
                unknown |= 1 << cell
            else:
                branches[branch] |= 1 << cell
        return tuple(branches), unknown

    def value(self, cell: int) -> Any:
        """A value in a cell, as short as possible; None for a missing one.

        Example:
            >>> cells = InputCells("x", (0.1, 2.5))
            >>> [cells.value(cell) for cell in range(4)]
            [0.0, 1.0, 4.0, None]
        """
        if cell == self.plain:
            return None
        if self.values is not None:
            return self.values[cell] if cell < self.plain else another(self.values)
        # A row is read by people, who like 4 better than 3.9999999999999996.
        low, high = self.bounds(cell)
        # Open ends are cut off near the numbers that models compare with.
        near = max(1.0, abs(low if cell else high))
        low, high = (max(low, high - near), high) if cell == 0 else (low, min(high, low + near))
        for digits in range(18):
            for middle in (round(low / 2 + high / 2, digits), round(high, digits)):
                if low < middle <= high and (self.inputs == "double" or nearest_single(middle) == middle):
                    return middle + 0.0
        return high

    def bounds(self, cell: int) -> tuple[float, float]:
        """The numbers of a cell: those above the first, up to the second."""
        low = self.ends[cell - 1] if cell else math.nextafter(-self.largest, -math.inf)
        return low, self.ends[cell] if cell < len(self.ends) else self.largest

    def cell_of(self, value: Any) -> int:
        """The cell of a value, as `value` gives it.

        Raises:
            InputError: a number is asked for, and it is none, or as large as no double.

        Example:
            >>> cells = InputCells("x", (0.1, 2.5))
            >>> [cells.cell_of(value) for value in (0, 0.1, 0.2, 9, None)]
            [0, 0, 1, 2, 3]
        """
        if value is None or value != value:
            return self.plain
        if self.values is None:
            try:
                number = float(value)
            except (TypeError, ValueError, OverflowError):  # such as a text, or 10^400
                number = math.inf
            if math.isinf(number):
                raise InputError(f"{self.name} is {shown(value)}, which is no finite number of doubles")
            return bisect_left(self.ends, number)
        return self.values.index(value) if value in self.values else self.plain + 1

    def coordinates(self, cells: int) -> dict[int, int]:
        """A set of cells as a sum of the constant 1, which is -1 here, and of one function for each cell but the base.

        Of numbers these are the steps [x <= cut], which are 0 for a missing value, and [x is missing]; of categories
        [x = category]. So the function of a number has a non-zero coefficient where it changes.

        Example:
            >>> cells = InputCells("x", (0.1, 2.5, 7.0), refused=1 << 4)
            >>> cells.coordinates(0b0110)  # above 0.1, up to 7: the step up to 7 less the step up to 0.1
            {0: -1, 2: 1}
        """
        # The value at the base cell is the constant, since all other functions are 0 there.
        inside = cells >> self.base & 1
        terms = {-1: 1} if inside else {}
        if self.values is not None:
            left = (cells ^ self.all if inside else cells) & self.all
            while left:
                cell = left.bit_length() - 1
                terms[cell] = -1 if inside else 1
                left ^= 1 << cell
            return terms
        # The cells where the set begins or ends: the bits that differ from the next one.
        changes = (cells ^ cells >> 1) & (1 << self.plain - 1) - 1
        while changes:
            cell = (changes & -changes).bit_length() - 1
            terms[cell] = 1 if cells >> cell & 1 else -1
            changes &= changes - 1
        # Of a missing value all steps are 0; so its function makes up for the constant.
        if self.all & self.missing and (absent := (1 if cells & self.missing else 0) - inside):
            terms[self.plain] = absent
        return terms

    def step_name(self, step: int) -> str:
        """The name of a function of `coordinates`, which depends on nothing but its cut, or its category."""
        if step == self.plain:
            return "missing"
        return self.ends[step].hex() if self.values is None else f"={self.values[step]}"

    @property
    def text(self) -> str:
        """The attribute and its values, but for numbers, as part of the domain of a function."""
        kind = "numbers" if self.values is None else f"of {self.values!r}"
        refuses = [
            word for word, cell in (("missing", self.plain), ("other", self.plain + 1)) if not self.all >> cell & 1
        ]
        return f"{self.name!r} {kind} without {refuses}"


def another(values: Sequence[str]) -> str:
    """A category that is not among some: the next whole number, if they are such."""
    if values and all(value.isdecimal() for value in values):
        return str(max(map(int, values)) + 1)
    return next(name for name in ("other", *(f"other {n}" for n in range(1, len(values) + 2))) if name not in values)


@dataclass(frozen=True)
class InputDomain:
    """The cells of all attributes that some models ask for: all rows, as far as the models can tell them apart."""

    attributes: tuple[InputCells, ...]

    @classmethod
    def of(
        cls, models: Sequence[Tree | Ensemble], inputs: Inputs = "double", *, others: bool = True, gaps: bool = True
    ) -> InputDomain:
        """The domain of some models.

        Args:
            models: the models.
            inputs: the numbers that rows can hold.
            others: whether rows can have categories that no model names.
            gaps: whether rows can have missing values.

        Raises:
            InputError: a test is of several attributes; an attribute is of numbers in one model and of categories in
                another; or its numbers are treated before a test sees them.

        Example:
            >>> import reference_tree as rt
            >>> domain = InputDomain.of([rt.ID3().grow(rt.textbook("play-tennis"))])
            >>> [(cells.name, bin(cells.all)) for cells in domain.attributes]
            [('humidity', '0b11'), ('outlook', '0b111'), ('wind', '0b11')]
        """
        if inputs not in INPUTS:
            raise InputError(no_such("form of numbers", inputs, INPUTS))
        # Each model may hold an attribute in a form of its own, and has thresholds in that form.
        tested: dict[str, list[tuple[Attribute, list[Test]]]] = {}
        for model in models:
            tests_of = _tests(model)  # what is no model is refused here
            forms = {one.name: one for one in model.attributes}
            for name, tests in tests_of.items():
                tested.setdefault(name, []).append((forms[name], tests))
        cells = [_cells(name, askers, inputs) for name, askers in sorted(tested.items())]
        # What is refused is known only after all cells are: a test is asked about each.
        known = {one.name: one for one in cells}
        refused = {one.name: one.outer(others=others, gaps=gaps) for one in cells}
        for model in models:
            _refusals(model, known, refused)
        # The cells of `sides` are kept: what is refused changes none of them.
        whole = [
            InputCells(one.name, one.ends, one.values, inputs, one.largest, refused[one.name], one._sides)
            for one in cells
        ]
        if empty := [one.name for one in whole if not one.all]:
            raise InputError(f"no value of {listed(empty)} is accepted by all models, so no row is left to compare")
        return cls(tuple(whole))

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each attribute."""
        return {one.name: place for place, one in enumerate(self.attributes)}

    def row(self, at: At) -> dict[str, Any]:
        """A row with a value in each cell."""
        return {one.name: one.value(cell) for one, cell in zip(self.attributes, at, strict=True)}

    def at(self, row: Mapping[str, Any]) -> list[int] | None:
        """The cells of a row; None if it has a cell that is outside, or lacks an attribute."""
        if any(one.name not in row for one in self.attributes):
            return None
        # A cell that is outside is no place for a witness: one of the models would refuse the row.
        at = [one.cell_of(row[one.name]) for one in self.attributes]
        return at if all(one.all >> cell & 1 for one, cell in zip(self.attributes, at, strict=True)) else None

    @property
    def outside(self) -> list[str]:
        """The values that are outside, as a model refuses them: `missing wind`, `other wind`."""
        names = []
        for one in self.attributes:
            names += [f"missing {one.name}"] * (one.refused >> one.plain & 1)
            if one.values is not None:
                names += [f"{value} {one.name}" for cell, value in enumerate(one.values) if one.refused >> cell & 1]
                names += [f"other {one.name}"] * (one.refused >> one.plain + 1 & 1)
        return names


def _tests(model: Tree | Ensemble) -> dict[str, list[Test]]:
    """The tests of a model, surrogates included, by attribute.

    Raises:
        InputError: a test is of several attributes.
    """
    tests: dict[str, list[Test]] = {}
    for tree in trees_of(model):
        for node in tree.nodes:
            if node.test is not None:
                for test in (node.test, *(surrogate.test for surrogate in node.missing.surrogates)):
                    if isinstance(test, Linear):
                        raise InputError(f"{test.name} is a test of several attributes, whose cells are no boxes")
                    tests.setdefault(test.attribute, []).append(test)
    return tests


def _cells(name: str, askers: Sequence[tuple[Attribute, list[Test]]], inputs: Inputs) -> InputCells:
    """The cells of an attribute, all of them."""
    if len({attribute.values is None for attribute, _ in askers}) > 1:
        raise InputError(f"{name} has numbers in one model, and categories in the other")
    if askers[0][0].values is not None:
        values = {value for attribute, tests in askers for value in (*attribute.domain, *_named(tests))}
        return InputCells(name, (), tuple(sorted(values)), inputs)
    # A number beyond the largest float32 is refused by a model that holds float32.
    largest = LARGEST_SINGLE if inputs == "float32" or any(one.held == "float32" for one, _ in askers) else LARGEST
    ends = set()
    for attribute, tests in askers:
        if attribute.treatment not in (None, replaces(attribute)):
            raise InputError(f"the numbers of {name} are treated before a test sees them, which is not compared here")
        for test in tests:
            assert isinstance(test, Threshold)
            last = cut(test.threshold, attribute.held, test.strict, inputs)
            # A cut beyond all numbers divides nothing.
            if -largest <= last < largest:
                ends.add(last)
    return InputCells(name, sorted(ends), None, inputs, largest)


def replaces(attribute: Attribute) -> Treatment:
    """The treatment that replaces missing values as an attribute does, and changes no number."""
    return Treatment(missing=None if attribute.treatment is None else attribute.treatment.missing)


def _named(tests: Iterable[Test]) -> Iterable[str]:
    """The categories that tests name."""
    for test in tests:
        yield from getattr(test, "values", ())
        yield from getattr(test, "unseen", ())


def _refusals(model: Tree | Ensemble, known: Mapping[str, InputCells], refused: dict[str, int]) -> None:
    """Add the cells that a node of a model refuses: categories without a branch, gaps without a rule."""
    forms = {one.name: one for one in model.attributes}
    for tree in trees_of(model):
        for number, node in enumerate(tree.nodes):
            if node.test is None:
                continue
            for test in (node.test, *(surrogate.test for surrogate in node.missing.surrogates)):
                name = test.attribute
                branches, unknown = known[name].sides(test, forms[name])
                refused[name] |= known[name].all & ~unknown & ~sum(branches)
            # A node without a rule refuses a gap, even if few rows with one reach it.
            rule = node.missing
            if not rule.shares and rule.to is None and (not rule.stays or number in tree.unstated):
                refused[node.test.attribute] |= known[node.test.attribute].sides(
                    node.test, forms[node.test.attribute]
                )[1]  # fmt: skip
