"""Nodes of boosted trees judged where the rows are: the enclosures of `boosted_nodes`, by sums that a database counts.

The rows stand in a temporary table, each with whole numbers that enclose its derivatives (`stored_derivatives`). Of a
tree the database is asked

1. once for the sums of its leaves, from which those of all nodes follow;
2. once for each level and attribute for the cuts whose score may be above that of the question, or above what a leaf
   may leave. A score is estimated from above in doubles; what comes back is judged exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from operator import add, sub
from typing import Any, cast

from reference_tree.auditing.boosted_nodes import Arrival, BoostedCut, Enclosures
from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.program_derivatives import BITS, Ends, Known, Sums
from reference_tree.auditing.stored_derivatives import ENDS
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Subset, Test, Threshold
from reference_tree.exact.rationals import Rational
from reference_tree.stores.columns import StoredColumn
from reference_tree.stores.engines import ASCENDING, DESCENDING, Asked, Database, joined
from reference_tree.stores.samples import Part, cells
from reference_tree.stores.sql import condition
from reference_tree.tree import Tree

MOST = 100
"""The most cuts of an attribute that come back of one node: those of the largest estimates. If the others are not
certainly worse than one of these that is allowed, more are asked for."""

Path = tuple[Asked, ...]
Counted = tuple[int, ...]
"""Of some rows their number, the bounds of G and H, and how many have a value of each attribute with gaps."""


@dataclass(frozen=True)
class Key:
    """An attribute in the temporary table."""

    name: str
    """The column of its values."""
    column: StoredColumn
    edges: Sequence[Threshold] | None
    """The thresholds between its bins, ascending; None if every value is a bin."""

    @classmethod
    def of(cls, name: str, column: StoredColumn, asked: Iterable[Threshold] | None) -> Key:
        """The key of a column; `asked` are the thresholds that are edges of bins."""
        if asked is None or column.attribute.values is not None:
            return cls(name, column, None)
        plain = {(test.threshold, not test.strict): Threshold(test.attribute, *asked_at(test)) for test in asked}
        return cls(name, column, [plain[key] for key in sorted(plain)])

    @property
    def bin(self) -> str:
        """The column of its bins."""
        return self.name if self.edges is None else f"bin_{self.name}"

    def cells(self, mark: str) -> Iterator[Asked]:
        """Both columns in terms of the table."""
        yield Asked(f"{self.column.sql} AS {self.name}")
        if self.edges is not None:
            bins = _binned([condition(self.column, one.outcomes[0], mark) for one in self.edges], 0)
            yield f"CASE WHEN {self.column.sql} IS NOT NULL THEN " + bins + f" END AS {self.bin}"

    def sides(self, test: Test, default: int | None, mark: str) -> tuple[Asked, Asked]:
        """The conditions of both branches of a question; rows without a value go to the branch `default`."""
        left = condition(self.column.named(self.name), test.outcomes[0], mark)
        return _both(left, self.name, self.column.has_gaps, takes_unknown=default == 0)

    def cut(self, last: Any, *, takes_unknown: bool, mark: str) -> tuple[Asked, Asked]:
        """The conditions of both sides of a cut above a value."""
        left = Asked(f"{self.name} <= {mark}", (last,))
        return _both(left, self.name, self.column.has_gaps, takes_unknown=takes_unknown)


def asked_at(test: Threshold) -> tuple[Rational, None, bool]:
    """The threshold without its interval."""
    return test.threshold, None, test.strict


def _both(left: Asked, name: str, has_gaps: bool, *, takes_unknown: bool) -> tuple[Asked, Asked]:
    if not has_gaps:
        return left, "NOT (" + left + ")"
    if takes_unknown:
        return f"({name} IS NULL OR " + left + ")", f"({name} IS NOT NULL AND NOT (" + left + "))"
    return f"({name} IS NOT NULL AND " + left + ")", f"({name} IS NULL OR NOT (" + left + "))"


def _binned(conditions: Sequence[Asked], first: int) -> Asked:
    """The number of the first condition that holds, of ascending ones; after the last, their count."""
    if not conditions:
        return Asked(str(first))
    middle = len(conditions) // 2
    below, above = _binned(conditions[:middle], first), _binned(conditions[middle + 1 :], first + middle + 1)
    return "CASE WHEN " + conditions[middle] + " THEN " + below + " ELSE " + above + " END"


@dataclass(frozen=True, eq=False)
class Rows:
    """Some rows, by the conditions on their way."""

    by: StoredEnclosures = field(repr=False)
    path: Path
    other: Asked | None
    """The condition of the rows that part from them at the last question."""
    counted: Counted
    parted_by: tuple[str, bool] | None = None
    """The attribute that divides them from the others, and whether those without a value are here."""

    def __len__(self) -> int:
        return self.counted[0]

    def __eq__(self, other: object) -> bool:
        """Whether they are the same rows of a node."""
        if not isinstance(other, Rows) or self.counted[:5] != other.counted[:5]:
            return False
        if self.path == other.path or (self.parted_by == other.parted_by and self.parted_by is not None):
            return True
        one, its = (joined(" AND ", rows.path) for rows in (self, other))
        query = f"SELECT COUNT(*) FROM {self.by.source} WHERE CASE WHEN " + one + " THEN 1 ELSE 0 END <> "
        return not self.by.database.asked(query + "CASE WHEN " + its + " THEN 1 ELSE 0 END")[0][0]

    def __hash__(self) -> int:
        return hash(self.counted[:5])

    @property
    def sums(self) -> Sums:
        """The bounds of G and H."""
        return Sums(*self.counted[1:5])


@dataclass(frozen=True)
class Totals(Known):
    """Bounds of derivatives of which a database has the sums."""

    g: Sequence[tuple[int, int]] = ()
    h: Sequence[tuple[int, int]] = ()
    scale: int = 1
    most: int = 0
    n: int = 0
    alike: bool = False

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.n

    @property
    def is_alike(self) -> bool:
        """Whether all rows have one h."""
        return self.alike

    @property
    def largest(self) -> int:
        """The largest |g| of a row."""
        return self.most

    def sums(self, rows: Any) -> Sums:
        """The bounds of G and H of some rows."""
        return cast(Sums, rows.sums)


class StoredArrival(Arrival):
    """The rows that arrive at a node of a database."""

    __slots__ = ()

    def side(self, cut: BoostedCut) -> Any:
        """The rows that a question sends left."""
        rows = cast(Rows, self.rows)
        name, takes = cut.attribute, cut.takes_unknown
        key, last = rows.by.keys[name], rows.by.places[rows.path, name, cut.rows, takes][0]
        left, right = key.cut(last, takes_unknown=takes, mark=rows.by.database.engine.mark)
        there = len(self.orders[name])
        number = cut.rows + (len(rows) - there) * takes
        return Rows(rows.by, (*rows.path, left), right, (number, *cut.sums), (name, takes and there < len(rows)))

    def rest(self, left: Any) -> Any:
        """The rows that a question sends right."""
        rows = cast(Rows, self.rows)
        parted_by = None if left.parted_by is None else (left.parted_by[0], not left.parted_by[1])
        path = (*rows.path, left.other)
        return Rows(rows.by, path, left.path[-1], tuple(map(sub, rows.counted, left.counted)), parted_by)

    def parts(self, branches: Sequence[int], cause: int | None, dropped: frozenset[str]) -> Iterator[Arrival]:
        """The two parts of the rows, the second one first."""
        for number, rows in zip(reversed(branches), (self.rest(self.left), cast(Rows, self.left)), strict=True):
            yield rows.by.arrival(number, self.depth + 1, rows.path, cause, dropped)


class StoredEnclosures(Enclosures):
    """What follows for the nodes of one tree from sums that a database counts.

    Args:
        booster: the parameters of the program.
        of: the bounds of the derivatives.
        bias: the start that leaves hold.
        database: it has the table.
        table: the name of the temporary table.
        keys: its columns.
        no_edges: the places of the edges that the program did not ask, by attribute.
    """

    def __init__(
        self, booster: Booster, of: Totals, bias: Ends, database: Database, table: str, keys: Mapping[str, Key],
        no_edges: Mapping[str, frozenset[int]],
    ) -> None:  # fmt: skip
        super().__init__(booster, {}, of, bias)
        self.database, self.source, self.keys, self.no_edges = database, table, keys, no_edges
        self.where = "1 = 1"
        self.gapped = [key.name for key in keys.values() if key.column.has_gaps]
        self.places: dict[tuple[Path, str, int, bool], tuple[Any, Sequence[Rational]]] = {}
        """For each cut that came back its key, and the values between which it cuts."""
        self._counted: dict[Path, Counted] = {}
        self._cuts: dict[tuple[Path, str], tuple[Rational, list[BoostedCut]]] = {}
        self._others: dict[tuple[Path, str], float] = {}
        """The largest that S can be of the cuts that did not come back, where there can be such."""
        self._levels: list[dict[Path, Rational]] = []

    # Rows.

    def foresee(self, tree: Tree) -> None:
        """Ask for the sums of all nodes of a tree."""
        paths: list[Path] = [()] * len(tree.nodes)
        for number, node in enumerate(tree.nodes):
            if node.test is not None:
                sides = self._sides(node.test, node.missing.to)
                for branch, side in zip(node.branches, sides, strict=True):
                    paths[branch] = (*paths[number], side)
        leaves = [path for path, node in zip(paths, tree.nodes, strict=True) if node.test is None]
        for path, counted in zip(leaves, self._sums_of(leaves), strict=True):
            for end in range(len(path) + 1):
                before = self._counted.get(path[:end])
                self._counted[path[:end]] = counted if before is None else tuple(map(add, before, counted))
        self._levels = [{} for _ in range(max(map(len, paths)) + 1)]
        for node, path in zip(tree.nodes, paths, strict=True):
            whole = Sums(*self._counted[path][1:5])
            above: Rational = self.score(whole)[1] + self.enough_gain
            if node.test is not None:
                own = Sums(*self._counted[paths[node.branches[0]]][1:5])
                low = self.score(own, whole - own)[0]
                above = min(low, above) if self.booster.drops else low
            self._levels[len(path)][path] = above

    def _sums_of(self, paths: Sequence[Path]) -> list[Counted]:
        """What is counted of the rows on some paths, none of which is the beginning of another."""
        names = [*ENDS, *self.gapped]
        columns = [(Asked(name), name) for name in names]
        sums = ", ".join([*(f"SUM({name})" for name in ENDS), *(f"COUNT({name})" for name in self.gapped)])
        query = f"SELECT part, COUNT(*), {sums} FROM " + cells(self, [Part(path) for path in paths], columns)
        found = {int(part): tuple(map(int, row)) for part, *row in self.database.asked(query + " GROUP BY part")}
        return [found.get(number, (0,) * (1 + len(names))) for number in range(len(paths))]

    def _sides(self, test: Test, default: int | None) -> tuple[Asked, Asked]:
        if not isinstance(test, Threshold | Subset):
            raise InputError("boosted trees are judged if their tests are of a number, or of a set of categories")
        return self.keys[test.attribute].sides(test, default, self.database.engine.mark)

    def arrival(
        self, number: int, depth: int, path: Path, cause: int | None = None, dropped: frozenset[str] = frozenset()
    ) -> Arrival:
        """The rows on a path as they arrive at a node."""
        rows = self._rows(path)
        there = dict(zip(self.gapped, rows.counted[5:], strict=True))
        orders = {
            name: range(there.get(key.name, len(rows)))
            for name, key in self.keys.items()
            if key.column.attribute.values is None
        }
        return StoredArrival(number, depth, cast(Any, rows), orders, rows.sums, cause, dropped)

    def _rows(self, path: Path, other: Asked | None = None, by: tuple[str, bool] | None = None) -> Rows:
        if path not in self._counted:
            (self._counted[path],) = self._sums_of([path])
        return Rows(self, path, other, self._counted[path], by)

    def root(self) -> Arrival:
        """All rows."""
        return self.arrival(0, 0, ())

    @cached_property
    def whole(self) -> Sums:
        """The sums of all rows."""
        return self._rows(()).sums

    def left(self, at: Arrival, test: Test, default: int | None) -> Any:
        """The rows that a question sends to its first branch; those without a value go to the branch `default`."""
        left, right = self._sides(test, default)
        rows, (name,) = cast(Rows, at.rows), test.attributes
        there = len(at.orders.get(name, at.rows))
        return self._rows((*rows.path, left), right, (name, default == 0 and there < len(rows)))

    def distinct(self, at: Arrival, name: str) -> int:
        """The largest number of values that an attribute can have at a node."""
        return len(at.rows)

    def worth_of_any(self, rows: Any) -> Ends:
        """The bounds of the value of a leaf of some of the rows: a mean of their -g/h, brought nearer to 0."""
        double, least = self.database.engine.double, max(self.known.scale >> 64, 1)
        far = "CASE WHEN -gl > gh THEN -gl ELSE gh END"
        each = f"CAST({far} AS {double}) / CASE WHEN hl > {least} THEN hl ELSE {least} END"
        where = joined(" AND ", [Asked(self.where), *rows.path])
        query = f"SELECT MAX({each}), SUM({far}), MIN(gl), MAX(gh) FROM {self.source} WHERE " + where
        ((most, total, lowest, highest),) = self.database.asked(query)
        steepest = Fraction(most or 0) * (1 + Fraction(1, 2**40))
        reach = min(steepest, int(total or 0) / Fraction(self.reg_lambda + self.least))
        low, high = -reach if (highest or 0) > 0 else 0, reach if (lowest or 0) < 0 else 0
        start = self._start()
        return self.booster.rate * low + start[0], self.booster.rate * high + start[1]

    # Cuts.

    def ends(self, at: Arrival, cut: BoostedCut) -> Sequence[Rational]:
        """The values between which a question cuts."""
        return self.places[cast(Rows, at.rows).path, cut.attribute, cut.rows, cut.takes_unknown][1]

    def cuts(self, at: Arrival, name: str, above: Rational = -1) -> Iterator[BoostedCut]:
        """The questions about an attribute whose S may be above a limit; rows without a value may go either way."""
        path = cast(Rows, at.rows).path
        known = self._cuts.get((path, name))
        if known is None or known[0] > above:
            level = self._levels[at.depth] if known is None and at.depth < len(self._levels) else {}
            together = {one: its for one, its in level.items() if self._counted[one][0] > 1}
            self._ask(name, together | {path: min(above, together.get(path, above))}, MOST)
        limit, cuts = self._cuts[path, name]
        while (path, name) in self._others and not self._has_best(at, cuts, self._others[path, name]):
            self._ask(name, {path: limit}, 16 * len(cuts))
            limit, cuts = self._cuts[path, name]
        yield from cuts

    def _has_best(self, at: Arrival, cuts: Sequence[BoostedCut], others: float) -> bool:
        """Whether one of some cuts certainly is allowed, and certainly better than the others."""
        bounds = (self._bounded(at, cut) for cut in cuts if cut.is_edge)
        return any(found is not None and not found[2] and found[0] > others * 2.0**BITS for found in bounds)

    def _ask(self, name: str, nodes: Mapping[Path, Rational], most: int) -> None:
        """Ask for the cuts of an attribute at some nodes: a limit that S may be above, and the most of a node."""
        key, paths = self.keys[name], list(nodes)
        query = self._query(key, nodes, most)
        for path, above in nodes.items():
            self._cuts[path, name] = above, []
            self._others.pop((path, name), None)
        scores: dict[Path, list[float]] = {path: [] for path in paths}
        bad = self.no_edges.get(name, frozenset())
        for score, part, here, next_, *row in self.database.asked(query):
            path = paths[int(part)]
            scores[path].append(float(score))
            lost = bad and next_ is not None and {*range(int(here), int(next_))} <= bad
            self._cuts[path, name][1].append(self._cut(path, name, row, is_edge=not lost))
        for path in paths:
            self._cuts[path, name][1].sort(key=lambda cut: (cut.takes_unknown, cut.rows))
            if len(scores[path]) == most:
                self._others[path, name] = min(scores[path]) * (1 + 2.0**-40)

    def _cut(self, path: Path, name: str, row: Sequence[Any], *, is_edge: bool) -> BoostedCut:
        """A cut, as a query returned it."""
        last, following, takes, *sums = row
        rows, n, *own = map(int, sums)
        values = max(n, self._counted[path][0] - n) + 1 if self.rows_by_h else 0
        ends = [self.keys[name].column.value(one) for one in (last, following) if one is not None]
        self.places[path, name, rows, bool(takes)] = last, ends
        return BoostedCut(name, rows, bool(takes), Sums(*own), is_edge, values)

    def matching(self, at: Arrival, name: str, n: Rational | None, h: Ends | None) -> Iterator[BoostedCut]:
        """The questions about an attribute that send n rows left, with an H between bounds."""
        path = cast(Rows, at.rows).path
        where = [] if n is None else [f"ln = {n}"]
        where += [] if h is None else [f"lhl <= {floor(h[1])} AND lhh >= {floor(h[0])}"]
        cuts = self._sums(replace(self.keys[name], edges=None), [path])
        query = f"SELECT {', '.join(RETURNED)} FROM " + cuts + f" WHERE {' AND '.join([*where, 'rn > 0'])}"
        most, after = MOST, ""
        while found := self.database.asked(query + after + f" ORDER BY takes {ASCENDING}, bn {ASCENDING} LIMIT {most}"):
            for _, _, _, *row in found:
                yield self._cut(path, name, row, is_edge=True)
            _, _, takes, number, *_ = row
            after, most = f" AND (takes > {takes} OR takes = {takes} AND bn > {number})", 16 * most

    def _query(self, key: Key, nodes: Mapping[Path, Rational], most: int) -> Asked:
        """The query for the cuts of an attribute that may be above the limits, by an estimate of S from above."""
        least = max(0, -(-self.least.numerator // self.least.denominator))
        fewest = 1 if self.rows_by_h else max(1, -(-self.fewest.numerator // self.fewest.denominator))
        limits = [above.numerator / above.denominator for above in nodes.values()]
        limit = _case([one * (1 - 2.0**-40) if one > 0 else -1.0 for one in limits])
        sides = [_score([f"{one}{name}" for name in ENDS], self, self.database.engine.double) for one in "lr"]
        found = f"(SELECT cuts.*, {' + '.join(sides)} AS score FROM " + self._sums(key, list(nodes)) + ") AS scored"
        found = (
            "(SELECT scored.*, ROW_NUMBER() OVER (PARTITION BY part ORDER BY score "
            f"{DESCENDING}) AS place FROM " + found
            + f" WHERE ln >= {fewest} AND rn >= {fewest} AND lhh >= {least} AND rhh >= {least}"
            + f" AND score >= {limit}) AS near"
        )  # fmt: skip
        return f"SELECT {', '.join(['score', *RETURNED])} FROM " + found + f" WHERE place <= {most}"

    def _sums(self, key: Key, paths: Sequence[Path]) -> Asked:
        """The cuts of an attribute at some nodes as a subquery, with the sums of both sides."""
        engine, names, wholes = self.database.engine, ["n", *ENDS], [self._counted[path][:5] for path in paths]
        columns = [(Asked(key.bin), "k"), (Asked(key.name), "v"), *((Asked(name), name) for name in ENDS)]
        sums = ", ".join(f"SUM({name}) AS {name}" for name in ENDS)
        rows = cells(self, [Part(path) for path in paths], columns)
        counted = f"(SELECT part, k, MIN(v) AS first, MAX(v) AS last, COUNT(*) AS n, {sums} FROM " + rows
        counted += " WHERE part IS NOT NULL AND k IS NOT NULL GROUP BY part, k) AS counted"
        below = ", ".join(f"SUM({name}) OVER below AS b{name}" for name in names)
        all_ = ", ".join(f"SUM({name}) OVER whole AS a{name}" for name in names)
        whole = [_case([one[place] for one in wholes]) for place in range(len(names))]
        each = (f"CAST({case} AS {engine.whole}) AS w{name}" for case, name in zip(whole, names, strict=True))
        found = (
            "(SELECT part, k, last, LEAD(k) OVER below AS next_, LEAD(first) OVER below AS following, "
            f"{below}, {all_}, {', '.join(each)} FROM " + counted
            + f" WINDOW below AS (PARTITION BY part ORDER BY k {ASCENDING}), whole AS (PARTITION BY part)) AS sums"
        )  # fmt: skip
        ways = "SELECT 0 AS takes" + " UNION ALL SELECT 1" * key.column.has_gaps
        left = ", ".join(f"b{name} + takes * (w{name} - a{name}) AS l{name}" for name in names)
        found = f"(SELECT sums.*, takes, {left} FROM " + found + f" CROSS JOIN ({ways}) AS ways) AS lefts"
        right = ", ".join(f"w{name} - l{name} AS r{name}" for name in names)
        return f"(SELECT lefts.*, {right} FROM " + found + ") AS cuts"


RETURNED = ("part", "k", "next_", "last", "following", "takes", "bn", *(f"l{name}" for name in ("n", *ENDS)))
"""The columns of a cut: its node, its bin and the next one, its values, and the sums of its left side."""


def _case(values: Sequence[Any]) -> str:
    return f"CASE part {' '.join(f'WHEN {at} THEN {value!r}' for at, value in enumerate(values))} END"


def _score(side: Sequence[str], by: Enclosures, double: str) -> str:
    """The largest that the share of S of one side can be, in doubles."""
    gl, gh, hl, _ = side
    least, reg = (number.numerator / number.denominator for number in (by.least, by.reg_lambda))
    far = f"CAST(CASE WHEN -{gl} > {gh} THEN -{gl} ELSE {gh} END AS {double})"
    return f"{far} * {far} / (CAST(CASE WHEN {hl} > {least!r} THEN {hl} ELSE {least!r} END AS {double}) + {reg!r})"


__all__ = ["Key", "StoredEnclosures", "Totals", "asked_at"]
