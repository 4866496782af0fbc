"""One tree of a boosted model: its findings, and what it added to the sum of each row when it was trained.

A fault that was made in a file after training has to be told from what follows for the later trees: they were fitted to
the sums that the program had. So each row gets bounds for what the tree may have added to it:

| the row ends in | it added |
|:--|:--|
| a leaf without a fault | the value of the leaf |
| a leaf of another value than its rows say | anything between both |
| a leaf that stands for a subtree | anything that a leaf of some of its rows may add |
| a node below a test that nobody can mend | anything between the leaves below that test |

Later trees are judged within these bounds, so that one fault raises no alarm there, and a second fault is found.

Where one test is wrong, every statement below it is. What two branches state shows which rows they had:

1. If one branch at most disagrees with the rows that it gets, the test is as it was, and that branch is blamed
   itself: a row that leaves a branch comes to the other one.
2. If both disagree, the rows are divided in another way that agrees with both: with the branches swapped, with the rows
   without a value on the other side, or by another cut. The test is blamed once, and the nodes below are judged by
   the rows that they had.
3. If no way agrees with the rows that both state, the test is the cause of what is wrong below it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

from reference_tree.auditing.boosted_judging import RULE, EnclosedJudge
from reference_tree.auditing.boosted_nodes import BoostedCut, BoostedRows, Enclosures, RankedColumn, left_of
from reference_tree.auditing.finding import Fault, Finding, by_cause, fault, fault_of_way, of_text, shown
from reference_tree.auditing.program_derivatives import Ends
from reference_tree.auditing.stated import ROUNDED
from reference_tree.data.questions import Test, Threshold
from reference_tree.exact.rounding import significant
from reference_tree.programs.boosted import STATEMENTS
from reference_tree.tree import Tree

SURE = ("optimal", "within-rounding")
"""The verdicts without a fault."""


class Route(NamedTuple):
    """The way of the rows at a node: as its test sends them, or as its branches state."""

    at: BoostedRows
    """The node, with the rows that go to the first branch."""
    test: Test
    branches: Sequence[int]
    """The branches in the order of the sides."""
    fault: Fault | None = None
    is_cause: bool = False
    """Whether no way agrees with what the branches state, so that faults below may follow from it."""
    is_confirmed: bool = False
    """Whether both branches state something, and agree with their rows."""


class JudgedTree(NamedTuple):
    """A tree of a boosted model, judged."""

    findings: list[Finding]
    """The findings, in preorder."""
    moved: Sequence[tuple[Collection[int], Ends]]
    """The bounds of what it added to some rows; to all others it added what their leaves say."""
    not_asked: Sequence[Test]
    """The tests that the program did not have when it was trained."""

    @classmethod
    def of(cls, number: int, judge: EnclosedJudge, twice: bool) -> JudgedTree:
        """One of the trees.

        Args:
            number: its number.
            judge: the judge of its nodes.
            twice: whether tests are also compared with cuts in all gaps.
        """
        walk = _Walk(number, judge, twice)
        return cls(list(walk.in_order(walk.findings())), walk.moved, walk.not_asked)


class _Walk:
    """The walk down a tree."""

    def __init__(self, number: int, judge: EnclosedJudge, twice: bool) -> None:
        self.tree, self.number, self.judge, self.twice = judge.tree, number, judge, twice
        self.not_asked: list[Test] = []
        self.moved: list[tuple[Collection[int], Ends]] = []
        """Rows that may not have been sent as the tree says, or to another value, with what was added to them."""
        self.is_moved = False
        self.leaves: dict[int, tuple[Fraction, Sequence[int]]] = {}
        """For each leaf that may be split, about what its best test gains, and its rows."""

    def findings(self) -> Iterator[Finding]:
        """The findings, in preorder."""
        pending = [self.judge.by.root()]
        while pending:
            at = pending.pop()
            # A leaf ends the way of its rows; what it adds to them is bounded for the trees that follow.
            if (test := self.tree.nodes[at.number].test) is None:
                yield self._leaf(at)
                continue
            route = self._route(at, test)
            finding = self._question(route, test)
            # The rows went another way than the test says: what the tree added to them is not what its leaves say now.
            if route.fault is not None and not route.is_cause:
                self.is_moved = True
                if route.test != test:
                    self.not_asked.append(test)
            # Where no way of the rows agrees with the branches, nothing below is a fault of its own.
            is_cause = route.is_cause or finding.verdict == "split-too-far"
            is_cause = is_cause or (finding.verdict not in SURE and not route.is_confirmed)
            cause = at.number if at.cause is None and is_cause else at.cause
            # The second part is yielded first, so that the first branch is taken next: preorder.
            pending += route.at.parts(route.branches, cause, self.judge.by.dropped(at))
            yield finding

    def in_order(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings; below a cap on leaves, the leaf whose best test gains most should have been split next."""
        found = list(findings)
        early = [one for one in found if one.verdict == "stopped-early" and one.cause is None]
        # Only a cap has an order: without one, each leaf is judged alone.
        if self.judge.by.booster.max_leaves is None or not early:
            yield from found
            return
        # Best-first growth splits the leaf that gains most. So of all leaves that could be split only this one is at
        # fault.
        first = max(self.leaves, key=lambda number: self.leaves[number][0])
        if found[first] not in early:
            rows = self.leaves[first][1]
            self.moved.append((rows, self.judge.by.worth_of_any(rows)))
            late = fault("stopped-early", "of the leaves that the cap allows to split, its best test gains most", RULE)
            faults = by_cause([*found[first].faults, late])
            found[first] = replace(found[first], faults=faults, verdict=faults[0].verdict)
        for one in found:
            yield replace(one, cause=first) if one in early and one.number != first else one

    def _question(self, route: Route, test: Test) -> Finding:
        at, judge = route.at, self.judge
        stated = judge.stated.of(at.number)._replace(test=route.test)
        judged = judge.judge(at, stated)
        faults = by_cause([route.fault, *judged.faults])
        if route.is_cause:  # unless other rows arrive than it says
            faults = by_cause([*judge.counts(at, stated), *judge.answer(at, stated)] or [route.fault])
        said = shown(test).name
        return self._finding(at, judged.verdict, said, faults, judged.note if self.twice else "")

    def _leaf(self, at: BoostedRows) -> Finding:
        judge, stated = self.judge, self.judge.stated.of(at.number)
        assert stated.label is not None  # a boosted model is its leaves
        judged, value = judge.judge(at, stated), Fraction(stated.label)
        # Leaves under a cap compete: what each would gain is kept until all are known.
        if judged.gain is not None and at.cause is None:
            self.leaves[at.number] = judged.gain, at.rows
        # The bounds of what the program's own tree added to these rows: of the whole subtree, if it is unknown where
        # they went; of any leaf, if it should have split; of the right leaf, if the value is wrong.
        ends = value, value
        if at.cause is not None:
            values = [Fraction(leaf.label) for leaf in self._below(at.cause)]
            ends = min(values), max(values)
        elif judged.choice is not None:
            ends = judge.by.worth_of_any(at.rows)
        elif any(one.verdict == "wrong-leaf" for one in judged.faults):
            ends = judge.worth(at)
        if self.is_moved or ends != (value, value):
            self.moved.append((at.rows, (min(ends[0], value), max(ends[1], value))))
        return self._finding(at, "optimal", str(significant(value, 9)), judged.faults)

    def _below(self, number: int) -> Iterator[Any]:
        """The leaves below a node."""
        pending = [number]
        while pending:
            node = self.tree.nodes[pending.pop()]
            pending += node.branches
            if node.test is None:
                yield node

    def _finding(self, at: BoostedRows, verdict: str, said: str, faults: tuple[Fault, ...], note: str = "") -> Finding:
        verdict = faults[0].verdict if faults else verdict
        cause = at.cause if faults else None
        return Finding(at.number, verdict, len(at.rows), said, faults, cause=cause, tree=self.number, note=note)

    # The two branches of a node.

    def _route(self, at: BoostedRows, test: Test) -> Route:
        """The way of the rows at a node that asks."""
        node, by = self.tree.nodes[at.number], self.judge.by
        to, branches = node.missing.to, node.branches
        # As the tree says, if both sides agree with what the branches state, or one does and the other is at fault
        # itself.
        at = _with(at, by, by.left(at, test, to))
        sides = _sides(at)
        fit = [self._fit([branch], [side]) for branch, side in zip(branches, sides, strict=True)]
        says = [self._says(branch) or self.tree.nodes[branch].test is None for branch in branches]
        if all(fit) or (any(fit) and all(says)):
            return Route(at, test, branches, is_confirmed=all(fit) and all(says))
        # Otherwise the repairs, the smallest first: exchanged branches, the other way for rows without a value, another
        # cut.
        if self._fit(branches, sides[::-1]):
            return Route(at, test, branches[::-1], of_text("swapped", test=test), is_confirmed=True)
        if to is not None:
            others = _with(at, by, by.left(at, test, 1 - to))
            if others.left != at.left and self._fit(branches, _sides(others)):
                return Route(others, test, branches, fault_of_way(test, to, 1 - to), is_confirmed=True)
        if not any(fit) and (cut := self._cut(at, branches, test.attributes[0])) is not None:
            asked = self._asked(at, cut, isinstance(test, Threshold) and test.strict)
            found, there = of_text("moved", test=test, other=asked), at._replace(left=at.side(cut), own=cut.sums)
            return Route(there, asked, branches, found, is_confirmed=True)
        stated = (self.judge.stated.of(branch) for branch in branches)
        # One branch alone contradicts its rows: its figures are at fault, and it is blamed when it is judged.
        if not all(any(self.judge.counts(side, one)) for side, one in zip(sides, stated, strict=True)):
            return Route(at, test, branches)
        return Route(at, test, branches, of_text("divided", test=test), is_cause=True)

    def _fit(self, branches: Sequence[int], sides: Sequence[BoostedRows]) -> bool:
        sides = [side._replace(number=branch) for branch, side in zip(branches, sides, strict=True)]
        return all(map(self.judge.fits, sides))

    def _says(self, number: int, names: Sequence[str] = STATEMENTS[:3]) -> bool:
        stated = self.judge.stated.of(number)
        return bool(stated.counts and stated.counts[0]) or any(name in stated.figures for name in names)

    def _cut(self, at: BoostedRows, branches: Sequence[int], name: str) -> BoostedCut | None:
        """The cut that divides the rows as both branches state, of the attribute that is asked if there is one."""
        stated, by = self.judge.stated.of(branches[0]), self.judge.by
        n, h = (stated.counts and stated.counts[0]) or None, stated.figures.get("h")
        if n is None and h is None:
            return None
        # Cuts are sought by the rows on the left and by their H, as far as stated, and confirmed by all that both
        # branches state.
        units = None if h is None else h * by.known.scale
        off = 0 if units is None else 2 * self.judge.near * units + ROUNDED * by.whole.h_high
        for other in sorted(at.orders, key=lambda one: one != name):
            for cut in by.matching(at, other, n, None if units is None else (units - off, units + off)):
                if self._fit(branches, _sides(_with(at, by, at.side(cut)))):
                    return cut
        return None

    def _asked(self, at: BoostedRows, cut: BoostedCut, strict: bool) -> Threshold:
        """A test that divides the rows as a cut does."""
        ends = self.judge.by.ends(at, cut)
        # A strict test sends the value itself to the right, so that it has to name the next one.
        if strict and len(ends) > 1:
            return Threshold(cut.attribute, ends[1], strict=True)
        return Threshold(cut.attribute, ends[0])


def _with(at: BoostedRows, by: Enclosures, left: frozenset[int]) -> BoostedRows:
    return at._replace(left=left, own=by.known.sums(left))


def _sides(at: BoostedRows) -> list[BoostedRows]:
    """What arrives at both branches, not yet sorted."""
    rows = at.left, at.rest(at.left)
    return [at._replace(rows=cast(Any, some), whole=sums) for some, sums in zip(rows, at.sides, strict=True)]


def added(tree: Tree, columns: Mapping[str, RankedColumn], rows: int) -> list[Ends]:
    """What a tree adds to each row, by its leaves."""
    found: list[Ends] = [(Fraction(0), Fraction(0))] * rows
    pending: list[tuple[int, Sequence[int] | frozenset[int]]] = [(0, range(rows))]
    while pending:
        number, there = pending.pop()
        node = tree.nodes[number]
        if node.test is None:
            ends = (Fraction(node.label),) * 2
            for row in there:
                found[row] = ends
            continue
        (name,) = node.test.attributes
        left = left_of(node.test, node.missing.to, columns[name], there)
        pending += zip(node.branches, (left, frozenset(there) - left), strict=True)
    return found
