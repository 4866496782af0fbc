"""Repruning: a tree of a program that prunes is compared with what pruning leaves of the tree that the learner grows.

A print seldom says how a tree was pruned. Two comparisons find it out.

1. *Cost-complexity* pruning (`ccp_alpha`, or `cp`) cuts subtrees and moves nothing. So the leaves of the
   tree are grown on, and the sequence of prunings of the whole is computed: the tree has to be one of them. `by_price`
   finds the prices of its leaves.
2. *Error-based and reduced-error pruning* may raise a branch. So the tree is grown anew and pruned, and both are
   compared from the root down. `compared` says of each node whether it stands at the same place in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, cast

from reference_tree.auditing.finding import Fault, Finding, fault
from reference_tree.auditing.judging import DecidedArrival
from reference_tree.auditing.parting import branches_alike
from reference_tree.data.errors import InputError
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import significant
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import grown_below
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.programs.practice import error_based
from reference_tree.programs.practices import practice_like
from reference_tree.pruning.cost_complexity import Path, pruning_path
from reference_tree.pruning.record import perform
from reference_tree.subtrees import assemble, counterparts
from reference_tree.tree import Tree

PRUNED_TOO = "grown and pruned anew, the tree has the same node here"
BELOW = "a node above is none of the tree that is grown and pruned anew, so what pruning left here is not known"
TIED = "pruning may cut here, as questions below tie, and another tree may have been grown from them"
CUT = "pruning cuts here, at the price that the whole tree shows"

LARGEST = 100_000
"""The largest number of nodes of a tree whose sequence of prunings is computed."""


class Regrown(NamedTuple):
    """What is found by growing and pruning anew."""

    excuses: Mapping[int, str] = {}
    """The nodes that need not be what the learner makes of their rows, and why."""
    faults: Mapping[int, Fault] = {}
    """The nodes that pruning would not leave as they are."""
    causes: Mapping[int, int] = {}
    """For each node below such a node, or below another test, that node."""
    differs: int = 0
    """The number of places from which on the trees differ."""


def compared(tree: Tree, table: Table, anew: Tree) -> Regrown:
    """Compare a tree with the one that was grown from the same rows and pruned anew, from the root down.

    Args:
        tree: the tree.
        table: the rows.
        anew: the other tree.

    Example:
        >>> import reference_tree as rt
        >>> golf = rt.textbook("golf")
        >>> grown = rt.C45.like("weka-j48").grow(golf)
        >>> tree = rt.prune(grown, "error-based", golf)
        >>> found = compared(tree, golf, tree)
        >>> len(found.excuses), found.faults, found.differs
        (8, {}, 0)
    """
    excuses, faults, causes = dict[int, str](), dict[int, Fault](), dict[int, int]()
    differs = 0
    pending = [(0, 0, table.sample())]
    # Both trees are walked down side by side, on the rows that reach both.
    while pending:
        number, place, sample = pending.pop()
        node, other = tree.nodes[number], anew.nodes[place]
        order = None if node.test is None or other.test is None else branches_alike(node.test, other.test, sample)
        # Two leaves, or two tests that divide the rows alike, stand at the same place.
        if node.test is None and other.test is None:
            excuses[number] = PRUNED_TOO
        elif node.test is not None and other.test is not None and order is not None:
            excuses[number] = PRUNED_TOO
            parts = sample.split(other.test, other.missing)
            pending += [(below, other.branches[to], parts[to]) for below, to in zip(node.branches, order, strict=True)]
        else:
            # From here on the trees differ, and what stands below in one has no counterpart in the other.
            differs += 1
            # A test where pruning leaves a leaf is a fault of its own; the other differences are left to the judge of
            # the node.
            if node.test is not None and other.test is None:
                faults[number] = fault("split-too-far", "grown and pruned anew, the tree has a leaf here")
            for below in _below(tree, number):
                causes[below] = number
                if tree.nodes[below].test is None:
                    excuses[below] = BELOW
    return Regrown(excuses, faults, causes, differs)


def _below(tree: Tree, number: int) -> Iterator[int]:
    pending = list(tree.nodes[number].branches)
    while pending:
        yield (below := pending.pop())
        pending += tree.nodes[below].branches


# Error-based pruning.

CONFIDENCES = ("1/4", "1/10", "1/20", "1/5", "1/2", "3/10", "3/20", "2/5", "7/20", "9/20", "1/100", "1/1000")
"""The confidences that are tried, the usual one first."""

OFTEN = 5
"""Of these, the number that is tried where another bound is supposed as well."""


class Nearest(NamedTuple):
    """A pruning that gives a tree, or comes near it."""

    anew: Tree
    words: str


def nearest(tree: Tree, table: Table, grown: Tree, *, is_usual: bool = True) -> Nearest:
    """The error-based pruning that gives a tree; if none does, the first that differs from it in the fewest places.

    Args:
        tree: the tree.
        table: its rows.
        grown: the tree before it is pruned.
        is_usual: whether all confidences are tried, or those that are met often.
    """
    practice, found = practice_like(grown.grower.profile), dict[int, Nearest]()
    for confidence, raising in _rules(is_usual=is_usual):
        record = error_based(practice.profile, practice.limit, confidence, raising=raising)
        anew = perform(grown, record, table, None).after
        said = f"a confidence of {decimal_text(Fraction(confidence))}{'' if raising else ', without raising (-S)'}"
        # Nodes of the other tree alone are a difference, too; below a place that differs they are no further one.
        differs = max(compared(tree, table, anew).differs, int(len(anew.nodes) != len(tree.nodes)))
        found.setdefault(differs, Nearest(anew, said))
        if not differs:
            break
    return found[min(found)]


def _rules(*, is_usual: bool) -> Iterator[tuple[str, bool]]:
    for confidence in CONFIDENCES if is_usual else CONFIDENCES[:OFTEN]:
        yield confidence, True
        yield confidence, False


# Cost-complexity pruning.

SIMILAR = Fraction(3, 2)
"""How much larger the price of a leaf may be than that of the tree, where ties leave open what grew below it."""


class _Recorder:
    """A learner, and whether any test that it chose tied with another one."""

    def __init__(self, learner: Learner) -> None:
        self.learner, self.has_ties = learner, False

    def decide(self, sample: Sample, place: Place) -> Decision:
        """The decision of the learner."""
        decision = self.learner.decide(sample, place)
        self.has_ties |= decision.chosen is not None and len(decision.winners) > 1
        return decision

    def __getattr__(self, name: str) -> Any:
        """Everything else is that of the learner."""
        return getattr(self.learner, name)


@dataclass
class Prices:
    """The price at which cost-complexity pruning gives a tree.

    Args:
        tree: the tree.
        learner: the learner that grows its leaves on.
        profile: the definitions of risk and size, as for `pruning_path`.
    """

    tree: Tree
    learner: Learner
    profile: str
    arrivals: dict[int, DecidedArrival] = field(default_factory=dict)
    """What arrived at each node."""
    tied: set[int] = field(default_factory=set)
    """The leaves below which tests tie, if they are grown on."""
    doubtful: set[int] = field(default_factory=set)
    """Of these, the leaves that some other tree of these tests may explain."""
    bounds: tuple[Number, Number | None] | None = None
    """The least price that gives the tree, and the least that gives a smaller one; None if no price gives it."""

    @property
    def words(self) -> str:
        """The price in words."""
        practice = practice_like(self.profile)
        name = practice.price
        if self.bounds is None:
            return f"this looks like a pruning by {name}, which no price gives"
        return f"this looks like {name}={price_between(*self.bounds, practice.usual_prices)}, or a number near it"

    def judged(self, found: Sequence[Finding]) -> list[Finding]:
        """The findings, where each leaf that could be split is excused if the price of the tree cuts there."""
        if len(self.arrivals) != len(self.tree.nodes):
            return list(found)
        # Every leaf that could be split is grown on, so that the whole is the tree before it was pruned.
        grown, places = self._grown_on(found)
        if len(grown.nodes) > LARGEST:
            return list(found)
        try:
            path = pruning_path(grown, self.profile)
        except InputError:
            return list(found)
        kept = self._nearest(path, places)
        # Where ties leave open what grew below a leaf, no price of this tree need fit exactly.
        kept -= self._may_be_cut(path, places, kept)
        judged = [self._of_one(one, places.get(one.number), kept) for one in found]
        is_all = all(one.excused or not one.faults for one in judged)
        return list(found) if is_all and self.bounds is None else judged

    def _of_one(self, found: Finding, place: int | None, kept: frozenset[int]) -> Finding:
        is_kept = place in kept
        if self.tree.nodes[found.number].test is None:
            if is_kept or [one.verdict for one in found.faults] != ["stopped-early"]:
                return found
            return replace(found, excused=TIED if found.number in self.doubtful else CUT)
        if is_kept or found.faults:
            return found
        cut = fault("split-too-far", "pruning at the price that the other leaves show cuts here")
        return replace(found, faults=(cut,), verdict=cut.verdict)

    def _grown_on(self, found: Sequence[Finding]) -> tuple[Tree, dict[int, int]]:
        """The tree whose leaves are grown on where they could be split, and where its nodes are there."""
        nodes = list[Node]()
        for number, node in enumerate(self.tree.nodes):
            answer = self.arrivals[number].decision.answer
            # Of labels that tie, the stated one is kept.
            label = node.label if isinstance(node.label, str) and node.label in answer.tied else answer.label
            nodes.append(Node(self.arrivals[number].decision.total, label, node.test, node.branches, node.stop))
        for one in found:
            if [each.verdict for each in one.faults] == ["stopped-early"]:
                at = self.arrivals[one.number]
                recorder = _Recorder(self.learner)
                below = grown_below(cast(Learner, recorder), at.sample, at.place).nodes
                self.tied |= {one.number} if recorder.has_ties else set()
                start = len(nodes) - 1  # the root of what is grown takes the place of the leaf
                moved = [replace(each, branches=tuple(to + start for to in each.branches)) for each in below]
                nodes[one.number] = moved[0]
                nodes += moved[1:]
        whole = replace(self.tree, nodes=tuple(nodes), grower=self.learner.grower())
        grown = assemble(replace(whole, program=None), {})
        return grown, dict(counterparts(self.tree, grown))

    def _may_be_cut(self, path: Path, places: Mapping[int, int], kept: frozenset[int]) -> frozenset[int]:
        """Nodes that a price nearby cuts, and that the tree lacks, where ties leave open what grew there."""
        own = frozenset(place for number, place in places.items() if self.tree.nodes[number].test is not None)
        tops = {places[number]: number for number in self.tied if places.get(number) in kept}
        whole = frozenset(one for top in tops for one in (top, *_below(path.tree, top))) & kept
        if self.bounds is not None or not tops or kept - whole != own:
            return frozenset()
        # The price is that of the last subtree that the tree lacks.
        reached = [step.alpha for step in path.steps if not {*step.weakest} & kept]
        price = reached[-1] if reached else 0
        if not price:
            return frozenset()
        left = {*tops}
        for step in path.steps:
            cut = {below for top in step.weakest for below in (top, *_below(path.tree, top))}
            if left & cut and step.alpha > SIMILAR * price:
                return frozenset()
            left -= cut
        self.doubtful = {*tops.values()}
        self.bounds = (price, None)
        return whole

    def _nearest(self, path: Path, places: Mapping[int, int]) -> frozenset[int]:
        """The nodes that still ask in the pruning that is most like the tree; of equals, the first."""
        own = frozenset(place for number, place in places.items() if self.tree.nodes[number].test is not None)
        nodes = path.tree.nodes
        # The sequence of prunings, as the sets of nodes that still ask after each step.
        asking = [frozenset(place for place, node in enumerate(nodes) if node.test is not None)]  # nothing is cut
        for step in path.steps:
            cut = {below for top in step.weakest for below in (top, *_below(path.tree, top))}
            asking.append(asking[-1] - cut)
        steps = [0, *(step.alpha for step in path.steps)]
        for place, (before, after) in enumerate(pairwise(asking)):
            if after < own < before:  # links of one price, which doubles may put on either side of it
                self.bounds = (steps[place + 1], steps[place + 1])
                return own
        # Of all prunings the one that differs in the fewest nodes; `min` takes the first of equals.
        nearest = min(range(len(asking)), key=lambda place: len(asking[place] ^ own))
        if asking[nearest] == own:
            last = max(place for place, one in enumerate(asking) if one == own)
            self.bounds = (steps[nearest], steps[last + 1] if last + 1 < len(steps) else None)
        return asking[nearest]


def price_between(low: Number, high: Number | None, usual: Sequence[Rational] = ()) -> str:
    """A price in a range, in few digits: a usual one if that lies in it.

    Example:
        >>> price_between(Fraction(1, 300), Fraction(1, 75)), price_between(0, 1, [Fraction(1, 100)])
        ('0.008', '0.01')
    """
    for one in usual:
        if low <= one and (high is None or one < high):
            return decimal_text(one)
    if high is None:
        return str(significant(low, 3))
    middle = (float(low) + float(high)) / 2
    # The middle of the range in as few digits as still lie in it.
    texts = (Fraction(str(significant(Fraction(middle), digits))) for digits in (1, 2, 3, 6, 12))
    return next((decimal_text(one) for one in texts if low <= one < high), str(significant(low, 6)))


__all__ = ["Prices", "Regrown", "compared", "price_between"]
