r"""Pattern tables: Shapley values of many rows, by look-ups.

What a path gives to the values depends only on the *pattern* of a row there: the set of attributes of the path whose
tests the row fails. A leaf has few patterns, and a tree few combinations of them:

1. `PathLayout` numbers the ends of all paths of a tree, with the attributes of each and their r_i.
2. `failing` gives for each code of a cell the ends that it fails, a bit in the field of each end; so the pattern of a
   row is a sum of one whole number for each attribute.
3. `Patterns` are the values that one end gives, by pattern: a field for each attribute in one whole number, either
   exact over a common denominator, or 2^BITS times the value, rounded down. `Rows` adds them up.
4. `values_by_patterns` and `nearest_by_patterns` add up the rows. A rounded sum is too small by less than one unit for
   each end that was rounded, which the lowest bits of its field count: if both bounds have the same nearest double,
   that is proved, and otherwise the row is added up exactly.

An attribute that the row satisfies has the factor a + b·t over b, with r = a/b, and one that it fails the number a over
b. So there is one product for each set of satisfied attributes, and all failed ones get the same value. The background
rows of interventional values are counted by pattern. A row that is divided at a node has no pattern, and goes path by
path (`reference_tree.attribution.leaf_polynomials`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import factorial, gcd, lcm
from operator import add, getitem, mul, or_
from typing import Any, Literal, NamedTuple

from reference_tree.attribution.attributions import Attributions, masses_of, nearest_values
from reference_tree.attribution.leaf_polynomials import (
    NoProductError,
    Parts,
    interactions_by_paths,
    parts_at,
    values_by_paths,
)
from reference_tree.attribution.shapley import Interactions, Values, interactions_of, values_of
from reference_tree.attribution.summands import Summand
from reference_tree.attribution.value_functions import Cells
from reference_tree.data.asked import AskedRow
from reference_tree.data.errors import InputError
from reference_tree.data.held import BINARY, LARGEST_SINGLE
from reference_tree.data.outcomes import not_there
from reference_tree.data.questions import Threshold
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Real
from reference_tree.exact.rounding import nearest_single
from reference_tree.tree import Ways
from reference_tree.twins import fast_form_of

BITS = 128
"""The bits behind the point of rounded values."""

FEW = 4
"""So few rows go path by path: no table is made for them."""

_FORMS: Mapping[int, Literal["B", "H", "I", "Q"]] = {8: "B", 16: "H", 32: "I", 64: "Q"}
"""The bits of a field of a pattern → the format of a memory view that reads such fields."""


# Cells by codes.


class Codes(NamedTuple):
    """The cells of an attribute by codes."""

    codes: Sequence[int]
    """For each row the code."""
    cuts: Mapping[tuple[Rational, bool], int]
    """Of numbers: threshold and whether its test is not strict → the number of lower cuts. A code counts those below
    the cell, and the last one is that of a missing cell."""
    cells: Sequence[Any]
    """Of other cells: the cell of each code."""


def coded(terms: Sequence[Summand], name: str, rows: Sequence[Cells]) -> Codes:
    """The cells of an attribute by codes: numbers by the cuts of all trees that they are beyond."""
    tests = [node.test for term in terms for node in term.tree.nodes if node.test and name in node.test.attributes]
    cuts = sorted({(test.threshold, not test.strict) for test in tests if isinstance(test, Threshold)})
    known: dict[Any, int] = {}
    if not tests or not all(isinstance(test, Threshold) for test in tests):
        return Codes([known.setdefault(_cell(row, name), len(known)) for row in rows], {}, list(known))
    below, at_most = ([_float_if_equal(cut) for cut, end in cuts if end is there] for there in (False, True))
    codes = []
    held = _held(rows, name)
    for row in rows:
        cell: Any = row.given.get(name) if held else None  # type: ignore[attr-defined]
        if type(cell) is not float or not abs(cell) <= LARGEST_SINGLE:  # which no NaN is
            if (cell := _cell(row, name)) is not None:
                cell = tests[0].value_of(cell)
        elif held == "float32":
            cell = nearest_single(cell)
        if cell not in known:
            beyond = len(cuts) + 1 if cell is None else bisect_right(below, cell) + bisect_left(at_most, cell)
            known[cell] = beyond
        codes.append(known[cell])
    return Codes(codes, {cut: place for place, cut in enumerate(cuts)}, ())


def _cell(row: Cells, name: str) -> Any:
    if name not in row:
        raise not_there(name)
    return row[name]


def _held(rows: Sequence[Cells], name: str) -> str:
    """The form of floats by which a double in a cell is read as it is; empty if cells are read by the book."""
    first = rows[0] if rows else None
    known = first.known.get(name) if isinstance(first, AskedRow) else None
    same = known is not None and all(isinstance(row, AskedRow) and row.known is first.known for row in rows)  # type: ignore[union-attr]
    as_it_is = same and known.treatment is None and known.held in ("exact", *BINARY)  # type: ignore[union-attr]
    return known.held if as_it_is else ""  # type: ignore[union-attr]


def _float_if_equal(number: Rational) -> Rational | float:
    """The double that equals a number, if there is one: doubles are compared faster than fractions."""
    double = float(number) if -(1 << 1000) < number < 1 << 1000 else 0.0
    return double if double == number else number


# The ends of a tree.


class PathLayout:
    """The ends of all paths of a tree, in preorder; where rows may stay at a node, its own end is before those below.

    Args:
        term: the tree.
        covered: whether the r_i are those by cover.
    """

    def __init__(self, term: Summand, *, covered: bool) -> None:
        nodes, self.term = term.tree.nodes, term
        self.first, self.after = [0] * len(nodes), [0] * len(nodes)
        self.ends: list[tuple[Fraction, Sequence[str], Sequence[tuple[int, int]]]] = []
        self.names: list[tuple[str, ...]] = [()] * len(nodes)  # those of the path to a node, in the order of the tests
        rests: list[list[tuple[int, int]]] = [[] for _ in nodes]
        for number, node in enumerate(nodes):
            self.first[number], above, r = len(self.ends), self.names[number], rests[number]
            if node.test is None:
                self.ends.append((term.values[number], above, r))
                continue
            if len(node.test.attributes) > 1:
                raise NoProductError(node.test.name)
            name = node.test.attribute
            names = above if name in above else (*above, name)
            place = names.index(name)
            places: list[int | None] = [*range(len(node.branches)), *([None] if node.missing.stays else [])]
            ways: Ways = term.shares(number) if covered else [(branch, 1) for branch in places]
            a, b = r[place] if names is above else (1, 1)
            for branch, share in ways:
                top, bottom = a * share.numerator, b * share.denominator
                common = gcd(top, bottom)
                below = [*r[:place], (top // common, bottom // common), *r[place + 1 :]]
                if branch is None:
                    self.ends.append((term.values[number], names, below))
                else:
                    self.names[node.branches[branch]], rests[node.branches[branch]] = names, below
            rests[number] = []
        for number in reversed(range(len(nodes))):
            branches = nodes[number].branches
            self.after[number] = self.after[max(branches)] if branches else self.first[number] + 1
        deepest = max(len(names) for _, names, _ in self.ends)
        if deepest > max(_FORMS):
            raise NoProductError(f"a path with {deepest} attributes")
        self.step = next(step for step in _FORMS if step >= deepest)
        self._every = sum(1 << self.step * place for place in range(len(self.ends)))

    def apart(self, key: int) -> memoryview[int]:
        """The pattern of each end."""
        held = memoryview(key.to_bytes(len(self.ends) * self.step // 8, "little"))
        return held.cast("B").cast(_FORMS[self.step])

    def failed(self, number: int, taken: int | None) -> int:
        """The ends below a node that a row fails which takes a branch: a bit for its attribute in their fields."""
        nodes = self.term.tree.nodes
        name = nodes[number].test.attribute  # type: ignore[union-attr]
        below = self._between(self.first[number], self.after[number])
        if taken is None:
            below ^= self._between(self.first[number], self.first[number] + 1)
        else:
            to = nodes[number].branches[taken]
            below ^= self._between(self.first[to], self.after[to])
        names = self.names[number]
        return below << (names.index(name) if name in names else len(names))

    def _between(self, first: int, after: int) -> int:
        return self._every >> self.step * (len(self.ends) - after + first) << self.step * first


def failing(layout: PathLayout, columns: Mapping[str, Codes]) -> dict[str, list[int | None]]:
    """For each attribute of a tree and each code the ends that a row fails; None: it has no pattern."""
    asking: dict[str, list[int]] = {}
    for number, node in enumerate(layout.term.tree.nodes):
        if node.test is not None:
            asking.setdefault(node.test.attribute, []).append(number)
    return {
        name: _by_cuts(layout, name, numbers, columns[name].cuts)
        if columns[name].cuts
        else [_of_cell(layout, name, numbers, cell) for cell in columns[name].cells]
        for name, numbers in asking.items()
    }


def _by_cuts(
    layout: PathLayout, name: str, numbers: Sequence[int], cuts: Mapping[tuple[Rational, bool], int]
) -> list[int | None]:
    """The ends that a number fails, by its code: between the cuts of the tree it is the same."""
    low, high = Counter[int](), Counter[int]()  # cut → the ends that numbers fail up to it, and beyond it
    for number in numbers:
        test: Any = layout.term.tree.nodes[number].test
        at = cuts[test.threshold, not test.strict]
        low[at] |= layout.failed(number, 0)
        high[at] |= layout.failed(number, 1)
    places = sorted(low)
    not_beyond = [*accumulate([low[at] for at in reversed(places)], or_, initial=0)][::-1]
    beyond = accumulate([high[at] for at in places], or_, initial=0)
    found: list[int | None] = []
    for cut, *fails in zip([*places, len(cuts)], not_beyond, beyond, strict=True):
        found += [or_(*fails)] * (cut + 1 - len(found))
    return [*found, _of_cell(layout, name, numbers, None)]


def _of_cell(layout: PathLayout, name: str, numbers: Sequence[int], cell: Any) -> int | None:
    """The ends that a cell fails; None if a row is divided there, asks a surrogate, or is refused."""
    fails = 0
    for number in numbers:
        try:
            parts: Parts = parts_at(layout.term, number, {name: cell})
        except (InputError, NoProductError):
            return None
        (taken,) = parts if len(parts) == 1 else [-1]
        if taken == -1 or parts[taken] != 1:
            return None
        fails |= layout.failed(number, taken)
    return fails


# What the ends give.


class Patterns(dict[int, int]):
    """What one end gives to the values of its attributes, by pattern: a field for each in one whole number.

    Args:
        end: the value there, the attributes of the path, and their r_i.
        fields: the first bit of the field of each attribute.
        background: pattern → number of background rows; None: by cover.
    """

    def __init__(
        self, end: tuple[Fraction, Sequence[str], Sequence[tuple[int, int]]], fields: Mapping[str, int],
        background: Mapping[int, int] | None,
    ) -> None:  # fmt: skip
        self.value, names, self.rests = end
        self.fields, self.background, d = [fields[name] for name in names], background, len(names)
        self.weights = [factorial(k) * factorial(d - 1 - k) for k in range(d)]
        self.over = factorial(d) * self.value.denominator  # of the numerators
        for _, b in self.rests if background is None else [(0, sum(background.values()))]:
            self.over *= b
        self.times, self.divided = 1, self.over
        self.sign: Callable[[int], int] = int
        self.count = 0
        self._products: dict[int, list[int]] = {0: [1]}

    @property
    def most(self) -> int:
        """A bound of what it gives. The r_i are at most 1, but for the rounding of a program's covers."""
        above, below = abs(self.value.numerator), self.value.denominator
        for a, b in self.rests if self.background is None else ():
            if not 0 <= a <= b:
                above, below = above * max(a, b, b - a), below * b
        return above // below + 1

    def weighed(self, satisfied: int) -> int:
        """The weighted sum of the coefficients of the product of the factors of some attributes."""
        known, rest = satisfied, []
        while known not in self._products:
            rest.append(known)
            known &= known - 1
        for known in reversed(rest):
            a, b = self.rests[(known & -known).bit_length() - 1]
            e = self._products[known & known - 1]
            middle = [a * high + b * low for low, high in pairwise(e)]
            self._products[known] = [a * e[0], *middle, b * e[-1]]
        return sum(map(mul, self.weights, self._products[satisfied]))

    def numerators(self, fails: int) -> list[int]:
        """For each attribute of the path its value times `over`."""
        scale, satisfied = self.value.numerator, 0
        for place, (a, _) in enumerate(self.rests):
            if fails >> place & 1:
                scale *= a
            else:
                satisfied |= 1 << place
        if not scale:
            return [0] * len(self.fields)
        lost = -scale * self.weighed(satisfied) if fails else 0
        return [
            lost if fails >> place & 1 else scale * (b - a) * self.weighed(satisfied ^ 1 << place)
            for place, (a, b) in enumerate(self.rests)
        ]

    def against(self, fails: int, background: Mapping[int, int]) -> list[int]:
        """The same from background rows: an attribute counts if the row or the other fails it, and not both."""
        d, lost = len(self.fields), 0
        won = [0] * d
        for theirs, rows in background.items():
            if fails & theirs or not fails | theirs:
                continue
            n, m = theirs.bit_count(), fails.bit_count()
            once = factorial(d) // factorial(n + m) * rows * self.value.numerator
            if m:
                lost -= once * factorial(n) * factorial(m - 1)
            if n:
                once *= factorial(n - 1) * factorial(m)
                for place in range(d):
                    if theirs >> place & 1:
                        won[place] += once
        return [lost if fails >> place & 1 else won[place] for place in range(d)]

    def __missing__(self, fails: int) -> int:
        given = self.numerators(fails) if self.background is None else self.against(fails, self.background)
        total = 0
        for field, numerator in zip(self.fields, given, strict=True):
            if numerator:
                whole, rest = divmod(self.sign(numerator * self.times), self.divided)
                total += (whole << self.count) + bool(rest) << field
        self[fails] = total
        return total


class Rows(dict[int, int]):
    """The sums over the ends of a tree, by the pattern of all ends."""

    def __init__(self, ends: Sequence[Patterns], layout: PathLayout) -> None:
        self.ends, self.layout = ends, layout

    def __missing__(self, key: int) -> int:
        found = self[key] = sum(map(getitem, self.ends, self.layout.apart(key)))
        return found


class PatternSums:
    """The values of rows as sums of whole numbers.

    Args:
        terms: the trees; their weights are fractions.
        names: the attributes.
        rows: the rows.
        background: the background rows, for interventional values.
        bits: the bits behind the point; None: exact, of one tree.
        sign: `abs` for the sums of what the ends give in absolute value.

    Raises:
        NoProductError: a path is too long for a pattern, a test is of several attributes, or a background row has none.
    """

    def __init__(
        self, terms: Sequence[Summand], names: Sequence[str], rows: Sequence[Cells],
        background: Sequence[Cells] | None, bits: int | None = BITS, sign: Callable[[int], int] = int,
    ) -> None:  # fmt: skip
        self.names, self.odd = names, set[int]()
        asked = {name for term in terms for name in term.tree.cuts}
        columns = {name: coded(terms, name, rows) for name in names if name in asked}
        behind = {name: coded(terms, name, background) for name in columns} if background is not None else None
        places = {name: place for place, name in enumerate(names)}
        made = [(Fraction(term.weight), *_tables(term, places, behind)) for term in terms]
        self.over = lcm(*(table.over for *_, each in made for table in each)) if bits is None else 1 << bits
        most = sum(table.most * abs(weight) for weight, _, each in made for table in each)
        ends = sum(len(each) for *_, each in made)
        self.count = ends.bit_length()  # the bits that count the ends that were rounded
        self.width = ((int(most) + 1) * self.over << self.count).bit_length() // 8 * 8 + 16
        self.totals = [0] * len(rows)
        for weight, layout, each in made:
            for table in each:
                table.fields = [self.width * place for place in table.fields]
                table.times, table.divided = self.over * weight.numerator, table.over * weight.denominator
                table.sign, table.count = sign, self.count
            keys, odd = _keys(failing(layout, columns), columns, len(rows))
            self.odd |= odd
            self.totals = list(map(add, self.totals, map(Rows(each, layout).__getitem__, keys)))
            for table in each:
                table.clear()

    def numerators(self) -> list[list[tuple[int, int]]]:
        """For each row and attribute two bounds of the sum, over `over`: each end that was rounded is up to 1 less."""
        size, width, half, ends = len(self.names), self.width // 8, 1 << self.width - 1, (1 << self.count) - 1
        lifted = sum(half << self.width * place for place in range(size))
        cuts = range(0, size * width, width)
        return [
            [(n >> self.count, (n >> self.count) + (n & ends)) for n in fields]
            for fields in (
                [int.from_bytes(held[cut : cut + width], "little") - half for cut in cuts]
                for held in ((total + lifted).to_bytes(size * width + 1, "little") for total in self.totals)
            )
        ]


def _keys(
    parts: Mapping[str, Sequence[int | None]], columns: Mapping[str, Codes], size: int
) -> tuple[list[int], set[int]]:
    """The pattern of each row, and the rows that have none."""
    keys, odd = [0] * size, set[int]()
    for name, part in parts.items():
        codes = columns[name].codes
        keys = list(map(add, keys, map([one or 0 for one in part].__getitem__, codes)))
        if None in part:
            odd.update(row for row, code in enumerate(codes) if part[code] is None)
    return keys, odd


def _tables(
    term: Summand, places: Mapping[str, int], behind: Mapping[str, Codes] | None
) -> tuple[PathLayout, list[Patterns]]:
    """The ends of a tree with their tables; against background rows, by the number of these with each pattern."""
    layout = PathLayout(term, covered=behind is None)
    if behind is None:
        return layout, [Patterns(end, places, None) for end in layout.ends]
    counts = [Counter[int]() for _ in layout.ends]
    size = max((len(column.codes) for column in behind.values()), default=1)
    keys, odd = _keys(failing(layout, behind), behind, size)
    if odd:
        raise NoProductError("a background row that is divided")
    for key, times in Counter(keys).items():
        for count, fails in zip(counts, layout.apart(key), strict=True):
            count[fails] += times
    return layout, [Patterns(end, places, count) for end, count in zip(layout.ends, counts, strict=True)]


@fast_form_of(values_of)
def values_by_patterns(term: Summand, rows: Sequence[Cells], background: Sequence[Cells] | None = None) -> list[Values]:
    """The Shapley values of a tree for each row, exactly."""
    if len(rows) < FEW:
        return [values_by_paths(term, row, background) for row in rows]
    try:
        sums = PatternSums([term._replace(weight=1)], term.names, rows, background, None)
    except NoProductError:
        return [values_by_paths(term, row, background) for row in rows]
    told = [
        {name: Fraction(n, sums.over) for name, (n, _) in zip(term.names, each, strict=True)}
        for each in sums.numerators()
    ]
    for number in sums.odd:
        told[number] = values_by_paths(term, rows[number], background)
    return told


@fast_form_of(interactions_of)
def interactions_of_rows(
    term: Summand, rows: Sequence[Cells], background: Sequence[Cells] | None = None
) -> list[Interactions]:
    """The interaction values of a tree for each row, path by path."""
    return [interactions_by_paths(term, row, background) for row in rows]


@fast_form_of(nearest_values)
def nearest_by_patterns(found: Attributions) -> list[dict[str, float]]:
    """The doubles that are nearest to the values, from sums that are rounded down."""
    sums = _rounded(found, int)
    if sums is None:
        return [{name: float(value) for name, value in each.items()} for each in found.values]
    told, over, unsure = list[dict[str, float]](), sums.over, sums.odd
    for number, each in enumerate(sums.numerators()):
        low = [n / over for n, _ in each]
        told.append(dict(zip(found.names, low, strict=True)))
        if low != [n / over for _, n in each]:
            unsure.add(number)
    for number, values in zip(sorted(unsure), found.of_rows(sorted(unsure)).values, strict=True):
        told[number] = {name: float(value) for name, value in values.items()}
    return told


@fast_form_of(masses_of)
def masses_by_patterns(found: Attributions) -> list[dict[str, Fraction]]:
    """The masses of the values of each row, by less than a unit of 2^-`BITS` for each end too large."""
    sums = _rounded(found, abs)
    if sums is None or sums.odd:
        return masses_of.__wrapped__(found)  # type: ignore[attr-defined,no-any-return]
    return [
        dict(zip(found.names, [Fraction(most, sums.over) for _, most in row], strict=True)) for row in sums.numerators()
    ]


def _rounded(found: Attributions, sign: Callable[[int], int]) -> PatternSums | None:
    """The rounded sums; None if there are none."""
    if any(isinstance(term.weight, Real) for term in found.explained.summands):
        return None
    try:
        return PatternSums(found.explained.summands, found.names, found.rows, found.background, sign=sign)
    except NoProductError:
        return None
