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

Besides its questions and leaves a model states of its nodes some of: the number of rows, H, the answer that a node
would give as a leaf, and the gain of its question. Each of these has to follow from the rows that arrive.

Where one question is wrong, every statement below it is. What two branches state shows which rows they had:

1. If one branch at most disagrees with the rows that it gets, the question is as it was, and that branch is blamed
   itself: a row that leaves a branch comes to the other one.
2. If both disagree, the rows are divided in another way that agrees with both: with the branches swapped, with the rows
   without a value on the other side, or by another cut. The question is blamed once, and the nodes below are judged by
   the rows that they had.
3. If no way agrees with the rows that both state, the question is the cause of what is wrong below it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

from reference_tree.auditing.boosted_columns import Column, left_of
from reference_tree.auditing.boosted_nodes import Arrival, Cut, Judge, Judged, score
from reference_tree.auditing.boosters import PROGRAMS
from reference_tree.auditing.finding import Fault, Finding, by_cause, shown
from reference_tree.auditing.judging import fault_of_way
from reference_tree.auditing.program_derivatives import Ends, Sums
from reference_tree.auditing.stated import ROUNDED
from reference_tree.data.questions import Subset, Test, Threshold
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import significant
from reference_tree.foreign.boosted import STATEMENTS, Numbers
from reference_tree.tree import Tree

SURE = ("optimal", "within-rounding")
"""The verdicts without a fault."""

RULE = "measure.gradient-gain"
"""The id of the rule by which questions and leaves are judged."""

COUNTS = "counts"
"""The id of the rule that is broken if a node states other numbers than its rows have."""


class Side(NamedTuple):
    """The rows of a branch."""

    n: int
    """Their number."""
    sums: Sums
    rows: Collection[int] = ()
    """The rows; empty if they are not needed."""


class Route(NamedTuple):
    """The way of the rows at a node: as its question sends them, or as its branches state."""

    test: Test
    left: frozenset[int]
    """The rows that its question sends to the first branch."""
    own: Sums
    """The sums of these rows."""
    branches: Sequence[int]
    """The branches in the order of the sides."""
    fault: Fault | None = None
    is_cause: bool = False
    """Whether no way agrees with what the branches state, so that faults below may follow from it."""
    is_confirmed: bool = False
    """Whether both branches state something, and agree with their rows."""


class Statements:
    """What a tree states of its nodes.

    Args:
        tree: the tree.
        numbers: what its model states besides.
        judge: the judge of its nodes.
    """

    def __init__(self, tree: Tree, numbers: Numbers, judge: Judge) -> None:
        self.tree, self.numbers, self.judge = tree, numbers, judge
        self.near = judge.booster.stated

    def stated(self, name: str, number: int) -> Fraction | None:
        """A number that is stated of a node; None if it is not."""
        return self.numbers[name][number] if name in self.numbers else None

    def n(self, number: int) -> Rational | None:
        """The number of rows that a node states; None if it states none."""
        return None if "counts" in self.tree.silent else self.tree.nodes[number].counts[0] or None

    def more(self, number: int) -> Rational:
        """What may have been added to λ at a node: below a question about categories."""
        parent = self.tree.parents[number][0] if number else 0
        return self.judge.booster.category_lambda if isinstance(self.tree.nodes[parent].test, Subset) else 0

    # One node.

    def of_rows(self, number: int, side: Side) -> Iterator[str]:
        """The statements of a node about its rows that are not true of these."""
        n, h = self.n(number), self.stated("h", number)
        if n is not None and n != side.n:
            yield f"it says that {n} rows arrive, and {side.n} do"
        if h is not None and not _lies(h, self._h_of(side.sums), 0):
            yield self._differs("h", h, self._h_of(side.sums))

    def _h_of(self, sums: Sums) -> Ends:
        scale, near = self.judge.known.scale, self.near
        lost = ROUNDED * self.judge.whole.h_high / scale
        return Fraction(sums.h_low) / scale * (1 - near) - lost, Fraction(sums.h_high) / scale * (1 + near) + lost

    def of_answer(self, number: int, side: Side) -> Iterator[str]:
        """The statements of a node about its answer that do not follow from these rows."""
        weight, value = self.stated("weight", number), self.stated("value", number)
        node = self.tree.nodes[number]
        if not side.n:
            return
        if weight is not None:
            ends = self.judge.worth_of(side.sums, 1)
            scaled = node.test is None and _lies(weight, self.judge.worth_of(side.sums), self.near)
            if not scaled and not _lies(weight, ends, self.near):
                yield self._differs("weight", weight, ends)
        if value is not None and not (number == 0 and (value == 0 or self.judge.is_start(value))):
            ends = self.judge.worth_of(side.sums, more=self.more(number))
            if not _lies(value, ends, self.near):
                yield self._differs("value", value, ends)

    def of_gain(self, number: int, own: Sums, rest: Sums) -> Iterator[str]:
        """The gain that a node states, if that of its question is another one."""
        gain = self.stated("gain", number)
        if gain is None:
            return
        judge, scale = self.judge, self.judge.known.scale
        (low, high), parent = judge.score(own, rest), judge.score(own + rest)
        if isinstance(self.tree.nodes[number].test, Subset):
            reg = judge.reg_lambda + judge.booster.category_lambda * scale
            low = score([own, rest], reg, judge.least)[0]
        off = judge.slack * (high + parent[1]) + self.near * high
        ends = (low - parent[1] - off) / scale - judge.booster.gamma, (high - parent[0] + off) / scale
        if (
            number == 0
            and judge.booster.idle_root
            and _lies(gain, ((low - off) / scale, (high + off) / scale), self.near)
        ):
            return  # HistGradientBoosting takes 0 for the score of the root
        if not _lies(gain, ends, self.near):
            yield self._differs("gain", gain, ends)

    def _differs(self, name: str, own: Fraction, ends: Ends) -> str:
        """A statement that is not true, by the name that the program gives it."""
        program = "" if self.tree.program is None else self.tree.program.name
        called = PROGRAMS[program].stated[name] if program in PROGRAMS else name
        bounds = " to ".join(dict.fromkeys(significant(end, 9) for end in ends))
        return f"its {called} is {significant(own, 9)}; its rows give {bounds}"

    def _fits(self, number: int, side: Side) -> bool:
        """Whether everything that a node states is true of some rows."""
        if any(self.of_rows(number, side)) or any(self.of_answer(number, side)):
            return False
        node = self.tree.nodes[number]
        if node.test is not None or not side.n:
            return True
        sums = side.sums if self.judge.booster.newton else self.judge.leaves.sums(side.rows)
        low, high = self.judge.worth_of(sums, more=self.more(number))
        return low <= Fraction(cast(Any, node.label)) <= high

    def _says(self, number: int, names: Sequence[str] = STATEMENTS[:3]) -> bool:
        return self.n(number) is not None or any(self.stated(name, number) is not None for name in names)

    # The two branches of a node.

    def route(self, at: Arrival) -> Route:
        """The way of the rows at a node that asks."""
        node, judge = self.tree.nodes[at.number], self.judge
        test, to = cast(Test, node.test), node.missing.to
        left = judge.left(at, test, to)
        sides = self._sides(at, left)
        own = sides[0].sums
        fit = [self._fits(branch, side) for branch, side in zip(node.branches, sides, strict=True)]
        says = [self._says(branch) or self.tree.nodes[branch].test is None for branch in node.branches]
        if all(fit) or (any(fit) and all(says)):
            return Route(test, left, own, node.branches, is_confirmed=all(fit) and all(says))
        if self._fit(node.branches, sides[::-1]):
            message = f"its branches are swapped: each has the rows that {shown(test).name} sends to the other"
            fault = Fault("wrong-threshold", message, COUNTS)
            return Route(test, left, own, node.branches[::-1], fault, is_confirmed=True)
        if to is not None:
            others = judge.left(at, test, 1 - to)
            if others != left and self._fit(node.branches, there := self._sides(at, others)):
                fault = fault_of_way(test, to, 1 - to)
                return Route(test, others, there[0].sums, node.branches, fault, is_confirmed=True)
        if not any(fit) and (cut := self._cut(at, node.branches, test.attributes[0])) is not None:
            asked = self._asked(at, cut, isinstance(test, Threshold) and test.strict)
            message = f"it asks {shown(test).name}, but its branches have the rows of {shown(asked).name}"
            fault = Fault("wrong-threshold", message, "threshold.position")
            return Route(asked, at.side(cut), cut.sums, node.branches, fault, is_confirmed=True)
        rows = [any(self.of_rows(branch, side)) for branch, side in zip(node.branches, sides, strict=True)]
        if not all(rows):
            return Route(test, left, own, node.branches)
        message = f"its branches say that they have other rows than {shown(test).name} gives them"
        return Route(test, left, own, node.branches, Fault("wrong-threshold", message, COUNTS), is_cause=True)

    def _fit(self, branches: Sequence[int], sides: Sequence[Side]) -> bool:
        return all(self._fits(branch, side) for branch, side in zip(branches, sides, strict=True))

    def _sides(self, at: Arrival, left: frozenset[int]) -> tuple[Side, Side]:
        own = self.judge.known.sums(left)
        rest = at.rest(left)
        return Side(len(left), own, left), Side(len(rest), at.whole - own, rest)

    def _cut(self, at: Arrival, branches: Sequence[int], name: str) -> Cut | None:
        """The cut that divides the rows as both branches state, of the attribute that is asked if there is one."""
        n, h = self.n(branches[0]), self.stated("h", branches[0])
        if n is None and h is None:
            return None
        units = None if h is None else h * self.judge.known.scale
        off = 0 if units is None else 2 * self.near * units + ROUNDED * self.judge.whole.h_high
        for other in sorted(at.orders, key=lambda one: one != name):
            for cut in self.judge.matching(at, other, n, None if units is None else (units - off, units + off)):
                if self._fit(branches, self._sides(at, at.side(cut))):
                    return cut
        return None

    def _asked(self, at: Arrival, cut: Cut, strict: bool) -> Threshold:
        """A question that divides the rows as a cut does."""
        ends = self.judge.ends(at, cut)
        if strict and len(ends) > 1:
            return Threshold(cut.attribute, ends[1], strict=True)
        return Threshold(cut.attribute, ends[0])


def _lies(number: Fraction, ends: Ends, near: Rational) -> bool:
    off = near * abs(number)
    return ends[0] - off <= number <= ends[1] + off


class JudgedTree(NamedTuple):
    """A tree of a boosted model, judged."""

    findings: list[Finding]
    """The findings, in preorder."""
    moved: Sequence[tuple[Collection[int], Ends]]
    """The bounds of what it added to some rows; to all others it added what their leaves say."""
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
        return cls(list(walk.in_order(walk.findings())), walk.moved, walk.not_asked)


class _Walk:
    """The walk down a tree."""

    def __init__(self, tree: Tree, number: int, judge: Judge, statements: Statements, twice: bool) -> None:
        self.tree, self.number, self.judge, self.statements, self.twice = tree, number, judge, statements, twice
        booster = judge.booster
        self.capped = booster.max_leaves is not None and len(tree.leaves()) >= booster.max_leaves
        self.not_asked: list[Test] = []
        self.moved: list[tuple[Collection[int], Ends]] = []
        """Rows that may not have been sent as the tree says, or to another value, with what was added to them."""
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
            self.moved.append((rows, self.judge.worth_of_any(rows)))
            fault = Fault("stopped-early", "of the leaves that the cap allows to split, its best test gains most", RULE)
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
            self.moved.append((at.rows, (min(ends[0], value), max(ends[1], value))))
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
