"""One tree of a boosted model: its findings, and what it added to the sum of each row when it was trained.

A fault that was made in a file after training has to be told from what follows for the later trees: they were fitted to
the sums that the program had. So each row gets bounds for what the tree may have added to it:

| the row ends in | it added |
|:--|:--|
| a leaf without a fault | the value of the leaf |
| a leaf of another value than its rows say | anything between both |
| a leaf that stands for a subtree | anything that a leaf of some of its rows may add |
| a node below a question that nobody can mend | anything between the leaves below that question |

Later trees are judged within these bounds, so that one fault raises no alarm there, and a second fault is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

from reference_tree.auditing.boosted_columns import Column, left_of
from reference_tree.auditing.boosted_nodes import Arrival, Judge, Judged
from reference_tree.auditing.boosted_statements import RULE as COUNTS
from reference_tree.auditing.boosted_statements import Route, Side, Statements
from reference_tree.auditing.finding import Fault, Finding, by_cause, shown
from reference_tree.auditing.program_derivatives import Ends
from reference_tree.data.questions import Test
from reference_tree.exact.rounding import significant
from reference_tree.foreign.boosted import Numbers
from reference_tree.tree import Tree

SURE = ("optimal", "within-rounding")
"""The verdicts without a fault."""

RULE = "measure.gradient-gain"
"""The id of the rule by which questions and leaves are judged."""


class JudgedTree(NamedTuple):
    """A tree of a boosted model, judged."""

    findings: list[Finding]
    """The findings, in preorder."""
    steps: Sequence[Ends] | None
    """The bounds of what it added to each row; None if it added what its leaves say."""
    not_asked: Sequence[Test]
    """The questions that the program did not ask when it was trained."""

    @classmethod
    def of(cls, tree: Tree, number: int, judge: Judge, numbers: Numbers, twice: bool) -> JudgedTree:
        """One of the trees.

        Args:
            tree: the tree.
            number: its number.
            judge: the judge of its nodes.
            numbers: what its model states of the nodes.
            twice: whether questions are also compared with cuts in all gaps.
        """
        walk = _Walk(tree, number, judge, Statements(tree, numbers, judge), twice)
        findings = list(walk.in_order(walk.findings()))
        steps = walk.steps()
        return cls(findings, steps, walk.not_asked)


class _Walk:
    """The walk down a tree."""

    def __init__(self, tree: Tree, number: int, judge: Judge, statements: Statements, twice: bool) -> None:
        self.tree, self.number, self.judge, self.statements, self.twice = tree, number, judge, statements, twice
        booster = judge.booster
        self.capped = booster.max_leaves is not None and len(tree.leaves()) >= booster.max_leaves
        self.not_asked: list[Test] = []
        self.added: dict[int, Ends] = {}
        """For each row that may not have been sent as the tree says, or to another value, what was added to it."""
        self.is_moved = False
        self.leaves: dict[int, tuple[Fraction, Sequence[int]]] = {}
        """For each leaf that may be split, about what its best question gains, and its rows."""

    def findings(self) -> Iterator[Finding]:
        """The findings, in preorder."""
        pending = [self.judge.root()]
        while pending:
            at = pending.pop()
            if self.tree.nodes[at.number].test is None:
                yield self._leaf(at)
                continue
            route = self.statements.route(at)
            finding = self._question(at, route)
            if route.fault is not None and not route.is_cause:
                self.is_moved = True
                if route.test != self.tree.nodes[at.number].test:
                    self.not_asked.append(cast(Test, self.tree.nodes[at.number].test))
            is_cause = route.is_cause or finding.verdict == "split-too-far"
            is_cause = is_cause or (finding.verdict not in SURE and not route.is_confirmed)
            cause = at.number if at.cause is None and is_cause else at.cause
            pending += at.part(route.left, route.own, route.branches, cause, self.judge.dropped(at))
            yield finding

    def in_order(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings; below a cap on leaves, the leaf whose best question gains most should have been split next."""
        found = list(findings)
        early = [one for one in found if one.verdict == "stopped-early" and one.cause is None]
        if self.judge.booster.max_leaves is None or not early:
            yield from found
            return
        first = max(self.leaves, key=lambda number: self.leaves[number][0])
        if found[first] not in early:
            rows = self.leaves[first][1]
            self.added |= dict.fromkeys(rows, self.judge.worth_of_any(rows))
            fault = Fault(
                "stopped-early", "of the leaves that the cap allows to split, its best question gains most", RULE
            )
            faults = by_cause([*found[first].faults, fault])
            found[first] = replace(found[first], faults=faults, verdict=faults[0].verdict)
        for one in found:
            yield replace(one, cause=first) if one in early and one.number != first else one

    def _question(self, at: Arrival, route: Route) -> Finding:
        judge, statements = self.judge, self.statements
        has_leaves = all(self.tree.nodes[branch].test is None for branch in route.branches)
        found = judge.question(at, route.test, route.left, route.own, has_leaves=has_leaves)
        stated = list(self._of_statements(at))
        faults = [None if route.is_cause and stated else route.fault, *stated]  # other rows arrive than it says
        if not route.is_cause:
            faults += [Fault(found.verdict, found.message, RULE)] if found.message else []
            faults += [
                Fault("wrong-counts", said, COUNTS)
                for said in statements.of_gain(at.number, route.own, at.whole - route.own)
            ]
        note = f"among all gaps suboptimal: {found.among_gaps}" if self.twice and found.among_gaps else ""
        return self._finding(at, found.verdict, shown(cast(Test, self.tree.nodes[at.number].test)).name, faults, note)

    def _leaf(self, at: Arrival) -> Finding:
        judge, node = self.judge, self.tree.nodes[at.number]
        deepest = judge.booster.max_depth
        may_split = not self.capped and (deepest is None or at.depth < deepest)
        value = Fraction(cast(Any, node.label))
        found = judge.leaf(at, value, self.statements.more(at.number))
        early = judge.stop(at) if may_split else Judged("optimal")
        if may_split and at.cause is None:
            self.leaves[at.number] = early.about, at.rows
        faults = list(self._of_statements(at))
        faults += [Fault(one.verdict, one.message, RULE) for one in (early, found) if one.message]
        ends = value, value
        if at.cause is not None:
            values = [Fraction(cast(Any, leaf.label)) for leaf in self._below(at.cause)]
            ends = min(values), max(values)
        elif early.message:
            ends = judge.worth_of_any(at.rows)
        elif found.message:
            ends = judge.worth_of(judge.leaves.sums(at.rows))
        if self.is_moved or ends != (value, value):
            self.added |= dict.fromkeys(at.rows, (min(ends[0], value), max(ends[1], value)))
        return self._finding(at, "optimal", str(significant(value, 9)), faults)

    def _below(self, number: int) -> Iterator[Any]:
        """The leaves below a node."""
        pending = [number]
        while pending:
            node = self.tree.nodes[pending.pop()]
            pending += node.branches
            if node.test is None:
                yield node

    def _of_statements(self, at: Arrival) -> Iterator[Fault]:
        side = Side(len(at.rows), at.whole)
        said = [*self.statements.of_rows(at.number, side), *self.statements.of_answer(at.number, side)]
        yield from (Fault("wrong-counts", message, COUNTS) for message in said)

    def _finding(self, at: Arrival, verdict: str, said: str, faults: Sequence[Fault | None], note: str = "") -> Finding:
        found = by_cause(faults)
        verdict = found[0].verdict if found else verdict
        cause = at.cause if found else None
        return Finding(at.number, verdict, len(at.rows), said, found, cause=cause, tree=self.number, note=note)

    def steps(self) -> Sequence[Ends] | None:
        """The bounds of what the tree added to each row; None if they are what its leaves say."""
        if not self.added:
            return None
        steps = added(self.tree, self.judge.columns, len(self.judge.known.g))
        return [self.added.get(row, step) for row, step in enumerate(steps)]


def added(tree: Tree, columns: Mapping[str, Column], rows: int) -> list[Ends]:
    """What a tree adds to each row, by its leaves."""
    found: list[Ends] = [(Fraction(0), Fraction(0))] * rows
    pending: list[tuple[int, Sequence[int] | frozenset[int]]] = [(0, range(rows))]
    while pending:
        number, there = pending.pop()
        node = tree.nodes[number]
        if node.test is None:
            ends = (Fraction(cast(Any, node.label)),) * 2
            for row in there:
                found[row] = ends
            continue
        (name,) = node.test.attributes
        left = left_of(node.test, node.missing.to, columns[name], there)
        pending += zip(node.branches, (left, frozenset(there) - left), strict=True)
    return found
