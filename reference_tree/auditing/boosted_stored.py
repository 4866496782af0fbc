"""Boosted models audited where the rows are: the judge of `boosted_nodes`, who asks a database for sums.

The rows of a round stand in a temporary table: the value or the bin of each attribute, the margins before the round,
and whole numbers that enclose the derivatives of one tree (`stored_derivatives`). Of a tree the database is asked

1. once for the sums of its leaves, from which those of all nodes follow;
2. for each level and attribute once, for the cuts whose score may be above that of the question, or above what a leaf
   may leave; a score is estimated from above in doubles, and what comes back is judged exactly.

Bins are those of the cuts that the model asks somewhere; these questions are not compared with cuts in all gaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from operator import add, sub
from typing import Any, cast

from reference_tree.auditing.boosted_nodes import Arrival, Cut, Judge
from reference_tree.auditing.boosted_trees import JudgedTree
from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.program_derivatives import Ends, Known, Margins, Sums, start_of
from reference_tree.auditing.stored_derivatives import ENDS, Stage, derived, in_floats, outward, staged, unit_of
from reference_tree.data.errors import InputError
from reference_tree.data.outcomes import Outcome
from reference_tree.data.questions import Subset, Test, Threshold
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rationals import Rational
from reference_tree.foreign.boosted import Numbers, statements_of
from reference_tree.stores.columns import StoredColumn
from reference_tree.stores.engines import Asked, Database, joined
from reference_tree.stores.samples import Part, cells, numbered
from reference_tree.stores.sql import SQLTable, condition
from reference_tree.tree import Tree

MOST = 100
"""The most cuts of an attribute that come back of one node: those of the largest estimates."""

NAMES = count()
"""The numbers of temporary tables."""

Path = tuple[Asked, ...]
Counted = tuple[int, ...]
"""Of some rows their number, the bounds of G and H, and how many have a value of each attribute with gaps."""


@dataclass(frozen=True)
class Key:
    """A column of the temporary table: the value of an attribute, or the number of its bin."""

    name: str
    """Its name in the temporary table."""
    column: StoredColumn
    edges: Sequence[Threshold] | None
    """The thresholds between the bins, ascending; None if it has the value."""

    @classmethod
    def of(cls, name: str, column: StoredColumn, asked: Iterable[Threshold] | None) -> Key:
        """The key of a column; `asked` are the thresholds that are edges of bins."""
        if asked is None or column.attribute.values is not None:
            return cls(name, column, None)
        plain = {(test.threshold, not test.strict): Threshold(test.attribute, *_at(test)) for test in asked}
        return cls(name, column, [plain[key] for key in sorted(plain)])

    def cell(self, mark: str) -> Asked:
        """The column in terms of the table."""
        if self.edges is None:
            return Asked(self.column.sql)
        bins = _binned([condition(self.column, one.outcomes[0], mark) for one in self.edges], 0)
        return f"CASE WHEN {self.column.sql} IS NOT NULL THEN " + bins + " END"

    def sides(self, test: Test, default: int | None, mark: str) -> tuple[Asked, Asked]:
        """The conditions of both branches of a question; rows without a value go to the branch `default`."""
        if self.edges is not None and isinstance(test, Threshold):
            place = self.edges.index(Threshold(test.attribute, *_at(test)))
            return self.cut(place, takes_unknown=default == 0, mark=mark)
        left = condition(replace(self.column, sql=self.name), test.outcomes[0], mark)
        return _both(left, self.name, self.column.has_gaps, takes_unknown=default == 0)

    def cut(self, last: Any, *, takes_unknown: bool, mark: str) -> tuple[Asked, Asked]:
        """The conditions of both sides of a cut above a key."""
        left = Asked(f"{self.name} <= {mark}", (last,))
        return _both(left, self.name, self.column.has_gaps, takes_unknown=takes_unknown)


def _at(test: Threshold) -> tuple[Rational, None, bool]:
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

    judge: StoredJudge = field(repr=False)
    path: Path
    other: Asked | None
    """The condition of the rows that part from them at the last question."""
    counted: Counted
    by: tuple[str, bool] | None = None
    """The attribute that divides them from the others, and whether those without a value are here."""

    def __len__(self) -> int:
        return self.counted[0]

    def __eq__(self, other: object) -> bool:
        """Whether they are the same rows of a node."""
        if not isinstance(other, Rows) or self.counted[:5] != other.counted[:5]:
            return False
        if self.path == other.path or (self.by == other.by and self.by is not None):
            return True
        one, its = (joined(" AND ", rows.path) for rows in (self, other))
        query = f"SELECT COUNT(*) FROM {self.judge.source} WHERE CASE WHEN " + one + " THEN 1 ELSE 0 END <> "
        return not self.judge.database.asked(query + "CASE WHEN " + its + " THEN 1 ELSE 0 END")[0][0]

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

    def side(self, cut: Cut) -> Any:
        """The rows that a question sends left."""
        rows = cast(Rows, self.rows)
        name, takes = cut.attribute, cut.takes_unknown
        key, last = rows.judge.keys[name], rows.judge.places[rows.path, name, cut.rows, takes][0]
        left, right = key.cut(last, takes_unknown=takes, mark=rows.judge.database.engine.mark)
        there = len(self.orders[name])
        number = cut.rows + (len(rows) - there) * takes
        return Rows(rows.judge, (*rows.path, left), right, (number, *cut.sums), (name, takes and there < len(rows)))

    def rest(self, left: Any) -> Any:
        """The rows that a question sends right."""
        rows = cast(Rows, self.rows)
        by = None if left.by is None else (left.by[0], not left.by[1])
        path = (*rows.path, left.other)
        return Rows(rows.judge, path, left.path[-1], tuple(map(sub, rows.counted, left.counted)), by)

    def part(self, left: Any, own: Sums, branches: Sequence[int], cause: int | None, dropped: frozenset[str]) -> Any:
        """The two parts of the rows, the second one first."""
        judge = cast(Rows, self.rows).judge
        for number, rows in zip(reversed(branches), (self.rest(left), left), strict=True):
            yield judge.arrival(number, self.depth + 1, rows.path, cause, dropped)


class StoredJudge(Judge):
    """Judges the nodes of one tree, by sums that a database counts.

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
        self._cuts: dict[tuple[Path, str], tuple[Rational, list[Cut]]] = {}
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
            above: Rational = self.score(whole)[1] + self._enough()
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
            raise InputError("boosted trees are judged where they ask of a number, or of a set of categories")
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
        reach = min(Fraction(most or 0) * (1 + Fraction(1, 2**40)), int(total or 0) / Fraction(self.reg_lambda + self.least))
        low, high = -reach if (highest or 0) > 0 else 0, reach if (lowest or 0) < 0 else 0
        start = self._start()
        return self.booster.rate * low + start[0], self.booster.rate * high + start[1]

    # Cuts.

    def ends(self, at: Arrival, cut: Cut) -> Sequence[Rational]:
        """The values between which a question cuts."""
        return self.places[cast(Rows, at.rows).path, cut.attribute, cut.rows, cut.takes_unknown][1]

    def cuts(self, at: Arrival, name: str, above: Rational = -1) -> Iterator[Cut]:
        """The questions about an attribute whose S may be above a limit; rows without a value may go either way."""
        path = cast(Rows, at.rows).path
        known = self._cuts.get((path, name))
        if known is None or known[0] > above:
            together = {path: above}
            if known is None and above >= 0 and at.depth < len(self._levels):
                level = self._levels[at.depth]
                together |= {one: min(its, above) if one == path else its for one, its in level.items()}
            self._ask(name, {one: its for one, its in together.items() if self._counted[one][0] > 1 or one == path})
        yield from self._cuts[path, name][1]

    def _ask(self, name: str, nodes: Mapping[Path, Rational]) -> None:
        """Ask for the cuts of an attribute at some nodes, each with a limit that S may be above."""
        key, paths = self.keys[name], list(nodes)
        query = self._query(key, nodes)
        for path, above in nodes.items():
            self._cuts[path, name] = above, []
        bad = self.no_edges.get(name, frozenset())
        for part, last, following, takes, rows, *row in self.database.asked(query):
            path, is_edge = paths[int(part)], True
            n, *own = map(int, row)
            if key.edges is None:
                ends: Sequence[Rational] = [key.column.value(one) for one in (last, following) if one is not None]
            else:
                beyond = len(key.edges) if following is None else int(following)
                is_edge = following is None or not {*range(int(last), beyond)} <= bad
                ends = (key.edges[min(int(last), len(key.edges) - 1)].threshold,) * 2
            values = max(n, self._counted[path][0] - n) + 1 if self.rows_by_h else 0
            self.places[path, name, int(rows), bool(takes)] = last, ends
            self._cuts[path, name][1].append(Cut(name, int(rows), bool(takes), Sums(*own), is_edge, values))
        for path in paths:
            self._cuts[path, name][1].sort(key=lambda cut: (cut.takes_unknown, cut.rows))

    def _query(self, key: Key, nodes: Mapping[Path, Rational]) -> Asked:
        """The query for cuts: the sums of both sides of each, and the estimate of S from above."""
        engine, names = self.database.engine, ["n", *ENDS]
        wholes = [self._counted[path][:5] for path in nodes]
        columns = [(Asked(key.name), "k"), *((Asked(name), name) for name in ENDS)]
        sums = ", ".join(f"SUM({name}) AS {name}" for name in ENDS)
        counted = f"(SELECT part, k, COUNT(*) AS n, {sums} FROM " + cells(self, [Part(path) for path in nodes], columns)
        counted += " WHERE part IS NOT NULL AND k IS NOT NULL GROUP BY part, k) AS counted"
        below = ", ".join(f"SUM({name}) OVER below AS b{name}" for name in names)
        all_ = ", ".join(f"SUM({name}) OVER whole AS a{name}" for name in names)
        whole = ", ".join(
            f"CAST({_case([one[place] for one in wholes])} AS {engine.whole}) AS w{name}" for place, name in enumerate(names)
        )
        found = (
            f"(SELECT part, k, LEAD(k) OVER below AS next_, {below}, {all_}, {whole} FROM " + counted
            + " WINDOW below AS (PARTITION BY part ORDER BY k), whole AS (PARTITION BY part)) AS sums"
        )  # fmt: skip
        ways = "SELECT 0 AS takes" + " UNION ALL SELECT 1" * key.column.has_gaps
        left = ", ".join(f"b{name} + takes * (w{name} - a{name}) AS l{name}" for name in names)
        found = f"(SELECT sums.*, takes, {left} FROM " + found + f" CROSS JOIN ({ways}) AS ways) AS lefts"
        sides = [_score([f"{one}{name}" for name in ENDS], self, engine.double) for one in "lr"]
        right = ", ".join(f"w{name} - l{name} AS r{name}" for name in names)
        found = f"(SELECT lefts.*, {right} FROM " + found + ") AS both_"
        found = f"(SELECT both_.*, {' + '.join(sides)} AS score FROM " + found + ") AS scored"
        least = max(0, -(-self.least.numerator // self.least.denominator))
        fewest = 1 if self.rows_by_h else -(-self.fewest.numerator // self.fewest.denominator)
        limits = [above.numerator / above.denominator for above in nodes.values()]
        limit = _case([one * (1 - 2.0**-40) if one > 0 else -1.0 for one in limits])
        found = (
            "(SELECT scored.*, ROW_NUMBER() OVER (PARTITION BY part ORDER BY score DESC) AS place FROM " + found
            + f" WHERE ln >= {fewest} AND rn >= {fewest} AND ln > 0 AND lhh >= {least} AND rhh >= {least}"
            + f" AND score >= {limit}) AS near"
        )  # fmt: skip
        returned = ", ".join(["part", "k", "next_", "takes", "bn", *(f"l{name}" for name in names)])
        is_all = all(above < 0 for above in nodes.values())
        return f"SELECT {returned} FROM " + found + ("" if is_all else f" WHERE place <= {MOST}")


def _case(values: Sequence[Any]) -> str:
    return f"CASE part {' '.join(f'WHEN {at} THEN {value!r}' for at, value in enumerate(values))} END"


def _score(side: Sequence[str], judge: Judge, double: str) -> str:
    """The largest that the share of S of one side can be, in doubles."""
    gl, gh, hl, _ = side
    least, reg = (number.numerator / number.denominator for number in (judge.least, judge.reg_lambda))
    far = f"CAST(CASE WHEN -{gl} > {gh} THEN -{gl} ELSE {gh} END AS {double})"
    return f"{far} * {far} / (CAST(CASE WHEN {hl} > {least!r} THEN {hl} ELSE {least!r} END AS {double}) + {reg!r})"


@dataclass
class StoredPlan:
    """What is needed to judge the trees of a model one after the other, in a database."""

    model: Ensemble
    booster: Booster
    table: SQLTable
    keys: Mapping[str, Key]
    start: Margins
    statements: Sequence[Numbers]
    no_edges: Mapping[str, frozenset[int]]
    by_tree: bool
    """Whether the edges are those that each tree asks itself."""
    names: list[str] = field(default_factory=list)
    """The temporary tables that stand."""
    _round: int = 0
    _moved: dict[int, Sequence[tuple[Any, Ends]]] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Ensemble, table: SQLTable, booster: Booster, not_asked: Sequence[Test], *, twice: bool) -> StoredPlan:
        """The plan of an audit; the questions that the program did not ask are no edges.

        Args:
            model: the model.
            table: the rows as the program saw them.
            booster: the parameters of the program.
            not_asked: questions that the program did not ask.
            twice: whether the bins are those of the cuts that the model asks.

        Raises:
            InputError: the database lacks float32, which the program has; or it judges questions without H.
        """
        engine = table.database.engine
        floats = {booster.margins} | ({booster.targets} if table.schema.target.values is None else set())
        if "float32" in floats and not engine.single:
            raise table.database.error("its program adds in float32, which this engine lacks; take in_memory()")
        if not booster.newton:
            raise table.database.error("its questions are judged without second derivatives; take in_memory()")
        asked: dict[str, list[Threshold]] = {attribute.name: [] for attribute in model.attributes}
        for member in model.members:
            for node in member.tree.nodes:
                if isinstance(node.test, Threshold):
                    asked[node.test.attribute].append(node.test)
        keys = {
            name: Key.of(f"k{place}", table.stored[name], asked[name] if twice else None)
            for place, name in enumerate(asked)
        }
        no_edges = {name: _lost(key, asked[name], not_asked) for name, key in keys.items() if key.edges}
        by_tree = twice and booster.tree_method == "approx"
        plan = cls(model, booster, table, keys, (), statements_of(model), no_edges, by_tree)
        plan.start = plan._started()
        return plan

    # The tables.

    @property
    def database(self) -> Database:
        """The database."""
        return self.table.database

    def close(self) -> None:
        """Remove the temporary tables."""
        while self.names:
            self.database.forget(self.names.pop())

    def _keep(self, query: Asked) -> str:
        """The name of a temporary table of what a query returns."""
        name = f"reference_tree_{next(NAMES)}"
        self.database.keep(name, query)
        self.names.append(name)
        return name

    def _rows(self) -> Asked:
        """The rows with their keys, target and weight."""
        engine, target = self.database.engine, self.table.schema.target
        column = self.table.stored[target.name]
        if target.values is None:
            y = Asked(in_floats(f"CAST({column.sql} AS {engine.double})", self.booster.targets, engine))
        else:
            found = [(condition(column, Outcome("is", name), engine.mark), place) for place, name in enumerate(target.values)]
            y = "CASE " + joined(" ", ["WHEN " + one + f" THEN {place}" for one, place in found]) + " END"
        weight = self.table.weight
        w = "1" if weight is None else f"CAST({weight.sql} AS {engine.double})"
        if weight is not None and engine.single:
            w = in_floats(w, "float32", engine)
        columns = [one.cell(engine.mark) + f" AS {one.name}" for one in self.keys.values()]
        wanted = joined(", ", [*columns, y + " AS y", Asked(f"{w} AS w")])
        return "(SELECT " + wanted + f" FROM {self.table.source} WHERE {self.table.where}) AS given"

    def _started(self) -> Margins:
        """The bounds of the margins before the first tree."""
        if not (self.booster.from_average and self.booster.loss == "squared_error"):
            return start_of(self.booster, self.model, cast(Any, self.table))
        query = "SELECT SUM(w * y), SUM(w * ABS(y)), SUM(w), COUNT(*) FROM " + self._rows()
        total, size, weight, n = map(Fraction, self.database.asked(query)[0])
        off = 4 * (n + 2) * size / weight / 2**53  # the roundings of the program, and those of the database
        return ((total / weight - off, total / weight + off),)

    @property
    def names_of_margins(self) -> list[str]:
        """The columns of the bounds of all margins."""
        return [f"{end}{place}" for place in range(len(self.start)) for end in "lh"]

    def _first(self) -> str:
        double = self.database.engine.double
        ends = [end for margin in self.start for end in outward(*margin)]
        columns = ", ".join(
            f"CAST({end!r} AS {double}) AS {name}" for name, end in zip(self.names_of_margins, ends, strict=True)
        )
        return self._keep(f"SELECT given.*, {columns} FROM " + self._rows())

    def _next(self, before: str) -> str:
        """The rows before the next round: each tree of this round adds what its leaf says, or what bounds say."""
        sums, engine = len(self.start), self.database.engine
        stages, columns = list[Stage](), list[str]()
        first = self.booster.from_average and self._round == 0  # a leaf of this round holds the start already
        for place in range(sums):
            ends = zip("lh", self._steps(self._round * sums + place), strict=True)
            stages.append({f"step{place}{end}": step for end, step in ends})
            for end in "lh":
                moved = f"step{place}{end}" if first else f"({end}{place} + step{place}{end})"
                columns.append(in_floats(moved, self.booster.margins, engine) + f" AS {end}{place}")
        kept = [*(key.name for key in self.keys.values()), "y", "w", *columns]
        return self._keep(staged(before, stages, kept))

    def _steps(self, number: int) -> list[Asked]:
        """The bounds of what a tree adds to a row."""
        tree, engine = self.model.members[number].tree, self.database.engine
        paths: list[Path] = [()] * len(tree.nodes)
        for node, path in zip(tree.nodes, paths, strict=True):
            if node.test is not None:
                (name,) = node.test.attributes
                sides = self.keys[name].sides(node.test, node.missing.to, engine.mark)
                for branch, side in zip(node.branches, sides, strict=True):
                    paths[branch] = (*path, side)
        leaves = [(path, Fraction(cast(Any, node.label))) for node, path in zip(tree.nodes, paths, strict=True) if node.test is None]
        bounds = [outward(value, value) for _, value in leaves]
        part = numbered([Part(path) for path, _ in leaves])
        found = []
        for end in (0, 1):
            values = " ".join(f"WHEN {at} THEN CAST({both[end]!r} AS {engine.double})" for at, both in enumerate(bounds))
            step = "CASE " + part + f" {values} END"
            for rows, ends in self._moved.get(number, ()):
                where = joined(" AND ", [Asked("1 = 1"), *rows.path])
                step = "CASE WHEN " + where + f" THEN CAST({outward(*ends)[end]!r} AS {engine.double}) ELSE " + step + " END"
            found.append(step)
        return found

    # The trees.

    def moved(self, number: int, rows: Sequence[tuple[Any, Ends]]) -> None:
        """Take other bounds of what a tree added to some rows."""
        self._moved[number] = rows

    def judged(self, number: int) -> JudgedTree:
        """One of the trees; they are judged in their order."""
        sums, tree = len(self.start), self.model.members[number].tree
        if not self.names:
            self._first()
        while self._round < number // sums:
            self._next(self.names[-1])
            self._round += 1
            self.database.forget(self.names.pop(-2))
        before, engine = self.names[-1], self.database.engine
        lows = ", ".join(f"MIN({name})" if name[0] == "l" else f"MAX({name})" for name in self.names_of_margins)
        query = Asked(f"SELECT COUNT(*), MAX(w), MIN(w), MIN(y), MAX(y), {lows} FROM {before}")
        n, heavy, light, *ends = self.database.asked(query)[0]
        size = max(abs(float(end)) for end in ends[2:])
        largest = 1.0 if self.booster.loss != "squared_error" else size + max(abs(float(end)) for end in ends[:2])
        unit = unit_of(max(largest, 1.0) * max(1.0, float(heavy)), n, engine)
        stages = derived(self.booster, sums, number % sums, size, engine, unit)
        table = self._keep(staged(before, stages, [*(key.name for key in self.keys.values()), *ENDS]))
        ((least, most),) = self.database.asked(Asked(f"SELECT MIN(gl), MAX(gh) FROM {table}"))
        of = Totals(scale=2**unit, most=max(-int(least), int(most)), n=n, alike=heavy == light)
        bias = self.start[number] if self.booster.from_average and number < sums else (Fraction(0), Fraction(0))
        no_edges = self.no_edges
        if self.by_tree:
            no_edges = {name: _lost(key, _asked(tree, name), ()) for name, key in self.keys.items() if key.edges}
        judge = StoredJudge(self.booster, of, bias, self.database, table, self.keys, no_edges)
        judge.foresee(tree)
        try:
            return JudgedTree.of(tree, number, judge, self.statements[number], twice=False)
        finally:
            self.database.forget(self.names.pop())


def _asked(tree: Tree, name: str) -> list[Threshold]:
    return [node.test for node in tree.nodes if isinstance(node.test, Threshold) and node.test.attribute == name]


def _lost(key: Key, asked: Sequence[Threshold], not_asked: Sequence[Test]) -> frozenset[int]:
    """The places of the edges of a key that no question asks but those that were not asked."""
    remaining = [_at(test) for test in asked]
    for test in not_asked:
        if isinstance(test, Threshold) and _at(test) in remaining and test in asked:
            remaining.remove(_at(test))
    return frozenset(place for place, edge in enumerate(key.edges or ()) if _at(edge) not in remaining)


__all__ = ["StoredPlan"]
