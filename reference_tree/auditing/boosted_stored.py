"""Boosted models audited where the rows are: the temporary tables of an audit, round by round.

The rows of a round stand in a temporary table: the value and the bin of each attribute, the target, and the margins
before the round, in the floats of the program. For each tree another one has the bounds of the derivatives, by which
`stored_nodes` judges it. Both are removed as soon as they are not needed, whatever happens.

Bins are those of the cuts that the model asks somewhere; these questions are not compared with cuts in all gaps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Any, cast

from reference_tree.auditing.boosted_judging import EnclosedJudge
from reference_tree.auditing.boosted_trees import JudgedTree
from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.program_derivatives import Ends, Margins, start_of
from reference_tree.auditing.stored_derivatives import ENDS, Stage, derived, in_floats, outward, staged, unit_of
from reference_tree.auditing.stored_nodes import Key, StoredEnclosures, Totals, asked_at
from reference_tree.data.outcomes import Outcome
from reference_tree.data.questions import Test, Threshold
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.foreign.boosted import Numbers, statements_of
from reference_tree.stores.engines import Asked, Database, joined
from reference_tree.stores.samples import Part, numbered
from reference_tree.stores.sql import SQLTable, condition
from reference_tree.tree import Tree

NAMES = count()
"""The numbers of temporary tables."""


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
    def of(
        cls, model: Ensemble, table: SQLTable, booster: Booster, not_asked: Sequence[Test], *, twice: bool
    ) -> StoredPlan:
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
            name: Key.of(f"v{place}", table.stored[name], asked[name] if twice else None)
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
            each = (condition(column, Outcome("is", name), engine.mark) for name in target.values)
            y = "CASE " + joined(" ", ["WHEN " + one + f" THEN {place}" for place, one in enumerate(each)]) + " END"
        weight = self.table.weight
        w = "1" if weight is None else f"CAST({weight.sql} AS {engine.double})"
        if weight is not None and engine.single:
            w = in_floats(w, self.booster.targets, engine)
        columns = [cell for one in self.keys.values() for cell in one.cells(engine.mark)]
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

    @property
    def _columns(self) -> list[str]:
        """The columns of all attributes."""
        return list(dict.fromkeys(name for key in self.keys.values() for name in (key.name, key.bin)))

    def _first(self) -> str:
        engine = self.database.engine
        ends = [end for margin in self.start for end in outward(*margin)]
        columns = ", ".join(
            f"CAST({engine.double_of(end)} AS {engine.double}) AS {name}"
            for name, end in zip(self.names_of_margins, ends, strict=True)
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
        kept = [*self._columns, "y", "w", *columns]
        return self._keep(staged(before, stages, kept))

    def _steps(self, number: int) -> list[Asked]:
        """The bounds of what a tree adds to a row."""
        tree, engine = self.model.members[number].tree, self.database.engine
        paths: list[tuple[Asked, ...]] = [()] * len(tree.nodes)
        for node, path in zip(tree.nodes, paths, strict=True):
            if node.test is not None:
                (name,) = node.test.attributes
                sides = self.keys[name].sides(node.test, node.missing.to, engine.mark)
                for branch, side in zip(node.branches, sides, strict=True):
                    paths[branch] = (*path, side)
        leaves = [at for at, node in enumerate(tree.nodes) if node.test is None]
        values = [Fraction(cast(Any, tree.nodes[at].label)) for at in leaves]
        part = numbered([Part(paths[at]) for at in leaves])
        found = []
        for end in (0, 1):
            held = [f"CAST({engine.double_of(outward(value, value)[end])} AS {engine.double})" for value in values]
            step = "CASE " + part + " " + " ".join(f"WHEN {at} THEN {one}" for at, one in enumerate(held)) + " END"
            for rows, ends in self._moved.get(number, ()):
                where = joined(" AND ", [Asked("1 = 1"), *rows.path])
                other = f"CAST({engine.double_of(outward(*ends)[end])} AS {engine.double})"
                step = "CASE WHEN " + where + f" THEN {other} ELSE " + step + " END"
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
        table = self._keep(staged(before, stages, [*self._columns, *ENDS]))
        ((least, most),) = self.database.asked(Asked(f"SELECT MIN(gl), MAX(gh) FROM {table}"))
        of = Totals(scale=2**unit, most=max(-int(least), int(most)), n=n, alike=heavy == light)
        bias = self.start[number] if self.booster.from_average and number < sums else (Fraction(0), Fraction(0))
        no_edges = self.no_edges
        if self.by_tree:
            no_edges = {name: _lost(key, _asked(tree, name), ()) for name, key in self.keys.items() if key.edges}
        by = StoredEnclosures(self.booster, of, bias, self.database, table, self.keys, no_edges)
        by.foresee(tree)
        try:
            return JudgedTree.of(number, EnclosedJudge(tree, self.statements[number], by), twice=False)
        finally:
            self.database.forget(self.names.pop())


def _asked(tree: Tree, name: str) -> list[Threshold]:
    return [node.test for node in tree.nodes if isinstance(node.test, Threshold) and node.test.attribute == name]


def _lost(key: Key, asked: Sequence[Threshold], not_asked: Sequence[Test]) -> frozenset[int]:
    """The places of the edges of a key that no question asks but those that were not asked."""
    remaining = [asked_at(test) for test in asked]
    for test in not_asked:
        if isinstance(test, Threshold) and asked_at(test) in remaining and test in asked:
            remaining.remove(asked_at(test))
    return frozenset(place for place, edge in enumerate(key.edges or ()) if asked_at(edge) not in remaining)


__all__ = ["StoredPlan"]
