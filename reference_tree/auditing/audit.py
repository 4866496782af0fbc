"""The audit: every node of any tree, held against the data and the learner that it claims.

A greedy learner decides at one node at a time, so a tree is right if each of its nodes is one that the learner would
make of the rows that arrive there. Two right trees may differ, for exact ties are common.

1. The rows are sent down the tree itself, as the program saw them that grew it: rounded to its doubles or float32.
2. At each node the learner decides. The node is held against that (`judging`).
3. Where a threshold sends other rows than the branches say they have, the node is blamed once, and what is below it is
   judged by the rows that it says (`mending`). What cannot be mended is the cause of what is wrong below.

The findings come in preorder, one after the other: no more is kept than the nodes that are still to come.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from reference_tree.auditing.boosters import TOLD, UNLIKE
from reference_tree.auditing.finding import VERDICTS, Fault, Finding, Findings, Regret, shown
from reference_tree.auditing.judging import Arrival, Judge, best_weight, way_of
from reference_tree.auditing.mending import fit, mended
from reference_tree.auditing.order import BY_DECREASE, Late, late
from reference_tree.auditing.rounded import Moved, moved_rows
from reference_tree.data.errors import InputError, listed
from reference_tree.data.questions import Test, Threshold
from reference_tree.data.sample import Counts, Data, Sample
from reference_tree.data.table import Table, check_table
from reference_tree.data.targets import added
from reference_tree.ensembles.bagging import resampled
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.registry import ENSEMBLES, ensemble_learner_of
from reference_tree.foreign import read_foreign
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import check_classes, check_question, grown_below
from reference_tree.learners.options import Options
from reference_tree.learners.place import Answer, Place
from reference_tree.learners.registry import PRUNING, learner_named, learner_of
from reference_tree.node import Derivatives
from reference_tree.tree import Tree
from reference_tree.tree_document import predictor_from_json
from reference_tree.tree_document.form import FOREIGN
from reference_tree.tree_document.silence import SILENCES

PROGRAMS: Mapping[str, tuple[str, str]] = {
    "scikit-learn": ("cart", "scikit-learn"),
    "rpart": ("cart", "rpart"),
    "Weka J48": ("c45", "weka-j48"),
    "C4.5": ("c45", "c45-r8"),
}
"""The learner and the profile for the trees of a program, where nothing else is said."""

OF_TREES = ("max_leaves", "pruned", "drawn_once")
"""What a program was told that is nothing of the learner: when a tree had to end, that it was pruned, and that its
attributes were drawn once for all of its nodes."""

_PRUNED = ("pruned", "pre-pruned")
"""The reasons of leaves that are not for the learner to give."""


def audit(
    tree: Tree | Ensemble | Any,
    table: Table,
    learner: Learner | None = None,
    *,
    validation: Table | None = None,
    pruned: bool = False,
    max_leaves: int | None = None,
    ranks: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Audit:
    """Hold every node of a tree against the data and the learner that it claims.

    Args:
        tree: any tree, or an ensemble, which is audited tree by tree; or a fitted object of scikit-learn, whose
            columns are those of the table, in their order.
        table: the rows that it was grown from.
        learner: who is asked; none: the one that the tree records. Of an ensemble, who grows its trees.
        validation: rows held out, for a learner that asks them before it splits.
        pruned: whether the tree was pruned once it was grown: then a leaf is right where the learner would split.
        max_leaves: the cap on leaves that the program had: a tree that has so many may have any leaf.
        ranks: whether the questions are counted that are better than a bad one, which takes long on many rows.
        progress: told how many nodes were judged, after each of them.

    Raises:
        InputError: no learner is known; the table has other columns, or classes in another order; or the tree is one
            of boosting by another program, whose derivatives are not known (`BoostedAudit` encloses them).

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> print(audit(rt.ID3().grow(days), days))
        8 nodes are right; id3
        >>> wrong = rt.ID3().grow(days.without(["outlook"]))
        >>> found = audit(wrong, days).wrong[0]
        >>> found.verdict, found.said, found.regret.best, float(found.regret.in_all)
        ('suboptimal', 'humidity', 'outlook', 1.3288004577693655)
    """
    check_table(table)
    if not isinstance(tree, Tree | Ensemble):
        tree = predictor_of(tree, table)
    told = told_of(tree if isinstance(tree, Tree) else tree.members[0].tree)
    max_leaves, pruned = told.get("max_leaves", None) if max_leaves is None else max_leaves, pruned or "pruned" in told
    if max_leaves is not None and max_leaves < 1:
        raise InputError(f"a tree has at least one leaf, and the cap is {max_leaves}")
    claims = tuple(_claims(tree, table, learner))
    for one in claims:
        check_classes(one.tree, one.table)
        if isinstance(one.tree.nodes[0].counts, Derivatives) and isinstance(one.table, Table):
            raise InputError(
                "the tree adds to a sum, and was fitted to what the trees before it left undone; "
                "reference_tree.ensembles.derivatives.given makes a table of its derivatives"
            )
    return Audit(claims, table, validation, pruned, max_leaves, ranks, progress)


def predictor_of(model: Any, table: Table) -> Tree | Ensemble:
    """The tree or the ensemble of a fitted object, with the names that a table has.

    Raises:
        InputError: no reader knows it, or it is several trees, and not known how they answer together.
    """
    schema = table.schema
    names = [attribute.name for attribute in schema.attributes]
    found = read_foreign(model, target=schema.target.name, attributes=names, classes=schema.target.values or ())
    if len(found) != 1:
        raise InputError(f"holds {len(found)} trees, and not how they answer together; read_foreign reads each")
    return predictor_from_json(json.dumps(found[0]))


class Claim(NamedTuple):
    """A tree, and what it claims to have been grown by and from."""

    tree: Tree
    learner: Learner
    table: Data
    number: int | None = None
    """Of the tree, where there are several."""


def _claims(tree: Tree | Ensemble, table: Table, learner: Learner | None) -> Iterator[Claim]:
    if isinstance(tree, Tree):
        yield Claim(tree, learner or _recorded(tree), _as_seen(table, tree))
        return
    trees = [member.tree for member in tree.members]
    if tree.grower.name in ENSEMBLES and learner is None:
        decided = ensemble_learner_of(tree.grower).decided(tree, table)
        for number, (one, (by, rows)) in enumerate(zip(trees, decided, strict=True)):
            yield Claim(one, by, rows, number)
        return
    for number, (one, member) in enumerate(zip(trees, tree.members, strict=True)):
        yield Claim(one, learner or _recorded(one), resampled(_as_seen(table, one), member.drawn), number)


def told_of(tree: Tree) -> Mapping[str, Any]:
    """What a program was told, as its document states it, in the names of the learner of ours.

    Raises:
        InputError: it was told what nobody can repeat.
    """
    options = tree.grower.options if tree.grower.name == FOREIGN else {}
    told, unlike = options.get(TOLD, {}), options.get(UNLIKE, [])
    if not isinstance(told, dict) or not isinstance(unlike, list):
        raise InputError("what its program was told is no object, or what cannot be repeated is no list")
    if unlike:
        raise InputError(f"it was trained with {listed(list(map(str, unlike)))}, which an audit cannot repeat")
    return told


def _as_seen(table: Table, tree: Tree) -> Table:
    """The rows as the program saw them that wrote a tree; a store that is no table is taken as it is."""
    numbers = "exact" if tree.program is None else tree.program.numbers
    return table if numbers == "exact" else table.rounded(numbers)


def _recorded(tree: Tree) -> Learner:
    """The learner that a tree records; of another program's, that whose dialect it is, with what training was told."""
    if tree.grower.name == FOREIGN:
        if (told := told_of(tree)) and (known := PROGRAMS.get(tree.program.name if tree.program else "")):
            name, profile = known
            options = {option: value for option, value in told.items() if option not in OF_TREES}
            usual = learner_named(name, profile=profile).grower()
            return learner_of(replace(usual, options={**usual.options, **options}))
        raise InputError("the tree does not say which learner grew it; say which one it is held against")
    return learner_of(tree.grower)


@dataclass(frozen=True)
class Audit(Findings):
    """Findings, node by node, and what they come to. `audit` makes one.

    To go through it is to judge the nodes; `findings` keeps what was found.
    """

    claims: tuple[Claim, ...]
    table: Table
    validation: Table | None = None
    pruned: bool = False
    max_leaves: int | None = None
    ranks: bool = True
    progress: Callable[[int], None] | None = None
    only: tuple[int, int] | None = None
    """The one node that is judged, and the place of its tree; no other one is that is not above it. None: all are."""

    def __iter__(self) -> Iterator[Finding]:
        """The findings, in preorder, tree by tree."""
        count, number, claims = 0, None, self.claims
        if self.only is not None:
            number, place = self.only
            if not 0 <= place < len(claims) or not 0 <= number < len(claims[place].tree.nodes):
                raise InputError(f"there is no node {number}")
            claims = claims[place : place + 1]
        for claim in claims:
            for finding in _Walk(claim, self).findings(number):
                count += 1
                if self.progress is not None:
                    self.progress(count)
                yield finding

    def at(self, number: int, tree: int = 0) -> Finding:
        """What is found at one node; no other one is judged that is not above it.

        Raises:
            InputError: there is no such node.
        """
        return replace(self, only=(number, tree)).findings[0]

    @property
    def trees(self) -> Mapping[int | None, Tree]:
        """The trees by their numbers; one alone has none."""
        return {claim.number: claim.tree for claim in self.claims}

    @cached_property
    def moved(self) -> tuple[Moved, ...]:
        """The rows that end elsewhere as they are given than as the program saw them."""
        return tuple(found for claim in self.claims for found in moved_rows(claim.tree, self.table, claim.number))

    @property
    def assumed(self) -> list[str]:
        """What was taken for granted, or not judged."""
        return list(dict.fromkeys(note for claim in self.claims for note in self._assumed(claim)))

    def _assumed(self, claim: Claim) -> Iterator[str]:
        program = claim.tree.program
        if program is not None and program.numbers != "exact":
            yield f"judged on the values as {program.name} held them, rounded to {program.numbers}"
        yield from (f"not told and not judged: {SILENCES[word]}" for word in SILENCES if word in claim.tree.silent)
        if not Judge(claim.tree, claim.learner).has_counts and "counts" not in claim.tree.silent:
            yield f"not told and not judged: {SILENCES['counts']}"
        if any(node.stop in _PRUNED for node in claim.tree.nodes):
            yield "leaves that say that they were pruned may be where the learner would split"
        if self.pruned or PRUNING in claim.tree.grower.options:
            yield "the tree was pruned, so that a leaf may be where the learner would split"
        if any(node.missing.surrogates for node in claim.tree.nodes):
            if Judge(claim.tree, claim.learner).search is None:
                yield "surrogates are not judged, for the learner looks for none"
            yield "rows without an answer are taken to go where the surrogates of the tree send them"
        if self.max_leaves is not None:
            how = "judged where nothing else is wrong" if _Walk(claim, self).has_order else "not judged"
            yield f"the leaves are capped at {self.max_leaves}; in which order nodes were split is {how}"

    @property
    def summary(self) -> str:
        """What was found, in a line."""
        nodes = len(self.findings)
        tied = self.counts.get("optimal-tied", 0)
        by = self._learners()
        ties = f", {tied} of them by a tie" if tied else ""
        excused = f", {self.counts['excused']} excused" if "excused" in self.counts else ""
        if self.is_right:
            told = f"{nodes} node{'s are' if nodes > 1 else ' is'} right{ties}{excused}"
        else:
            told = f"{self.told_wrong}{excused}"
        if self.moved:
            rows = sorted({found.row for found in self.moved})
            told += f"; as given, {len(rows)} row{'s end' if len(rows) > 1 else ' ends'} elsewhere: "
            told += listed([str(row) for row in rows])
        return "; ".join([told, by, *self.assumed])

    def _learners(self) -> str:
        grower = self.claims[0].learner.grower()
        profile = [] if grower.profile is None else [f"profile {grower.profile}"]
        trees = [f"{len(self.claims)} trees"] if len(self.claims) > 1 else []
        usual = learner_named(grower.name, profile=grower.profile).grower().options
        said = [f"{name} {told}" for name, told in grower.options.items() if name in usual and told != usual[name]]
        return ", ".join([*trees, grower.name, *profile, *said])


class _Pending(NamedTuple):
    """A node that is still to be judged."""

    number: int
    place: Place
    sample: Sample
    cause: int | None
    """The node above whose question sends other rows than its branches say."""
    leaf: int | None
    """The node above that should have been a leaf."""


class _Question(NamedTuple):
    """What a node asks: as it says, or as it says its rows were divided."""

    test: Test
    children: Sequence[tuple[Place, Sample]]
    fault: Fault | None = None
    is_cause: bool = False
    """Whether what is wrong below may follow from it."""


class _Walk:
    """One walk down a tree."""

    def __init__(self, claim: Claim, of: Audit) -> None:
        self.tree, self.learner, self.table, self.number = claim
        self.of, self.judge = of, Judge(claim.tree, claim.learner, of.ranks)
        self.pruned = of.pruned or PRUNING in claim.tree.grower.options
        self.capped = of.max_leaves is not None and len(claim.tree.leaves()) >= of.max_leaves
        self.best: dict[int, Regret] = {}
        """What each node under a cap would lose as a leaf, as far as it could be split."""

    def findings(self, only: int | None = None) -> Iterator[Finding]:
        """What is found at each node in preorder, or at one. The order of splits is judged when all are known."""
        if not (self.capped and self.has_order):
            yield from self.in_turn(only)
            return
        found = list(self.in_turn())
        if all(not finding.faults or finding.excused for finding in found):
            for one in late(self.tree, {number: best.in_all for number, best in self.best.items()}):
                found[one.leaf] = self._late(found[one.leaf], one)
        yield from (finding for finding in found if only in (None, finding.number))

    @property
    def has_order(self) -> bool:
        """Whether it is known which leaf a learner splits next: its score is a decrease, and rows have one weight."""
        grower = self.learner.grower()
        is_weighed = any(grower.options.get(name) for name in ("priors", "loss"))
        return grower.name in BY_DECREASE and not (self.pruned or is_weighed or "draws" in self.tree.silent)

    def _late(self, finding: Finding, one: Late) -> Finding:
        """The finding of a leaf that is worth as much as a node that was split, or more."""
        if not finding.excused:
            return finding
        if one.loss == 0:
            return replace(
                finding, excused=f"{finding.excused}; node {one.node}, which was split, takes exactly as much"
            )
        best, other = self.best[one.leaf], self.best[one.node]
        message = f"{best.best} takes more of the impurity of the whole tree than node {one.node}, which was split"
        regret = replace(best, score=other.in_all / best.weight)
        fault = Fault("stopped-early", message, "order.best-first")
        return replace(finding, faults=(fault,), excused="", regret=regret)

    def in_turn(self, only: int | None = None) -> Iterator[Finding]:
        """What is found at each node in preorder, or at one, whatever is found at others."""
        wanted = None if only is None else {only, *self._above(only)}
        sample, taken_back = self.table.sample(), self._taken_back()
        holdout = None if self.of.validation is None else self.of.validation.sample()
        pending = [_Pending(0, Place.root(sample, holdout), sample, None, None)]
        while pending:
            here = pending.pop()
            node = self.tree.nodes[here.number]
            decision = self.learner.decide(here.sample, self._asking(here.place, node.test))
            at = Arrival(node, here.place, here.sample)
            if self.capped and decision.chosen is not None and node.stop not in _PRUNED:
                best, by = decision.winners[0], decision.judged_by
                self.best[here.number] = Regret(0, shown(best.test).name, best.scores[by], best_weight(here.sample), by)
            if node.test is None:
                finding = self._leaf(here, at, decision)
            else:
                check_question(node.test, self.table)
                asked = self._asked(at, decision, node.test)
                finding = self._inner(here, at, decision, asked)
                cause = here.number if asked.is_cause else here.cause
                leaf = here.number if here.leaf is None and decision.chosen is None else here.leaf
                below = zip(node.branches, asked.children, strict=True)
                pending += [_Pending(to, *child, cause, leaf) for to, child in reversed(list(below))]
            if wanted is not None:
                pending = [one for one in pending if one.number in wanted]
            if here.number in taken_back:
                message = "what is below it makes no fewer mistakes, and the learner takes it back in the end"
                finding = _with(finding, Fault("split-too-far", message, "stop.collapsed"))
            if only in (None, here.number):
                yield finding

    def _asking(self, place: Place, test: Test | None) -> Place:
        """A place where a node might ask what it asks; where attributes were drawn, nobody knows which others."""
        if test is None or "draws" not in self.tree.silent:
            return place
        return place._replace(available=place.available & frozenset(test.attributes))

    def _above(self, number: int) -> Iterator[int]:
        while number > 0:
            number = self.tree.parents[number][0]
            yield number

    # A node that asks.

    def _asked(self, at: Arrival, decision: Decision, test: Test) -> _Question:
        """The question of a node with the rows of its branches: those that it says, where one cut divides them so."""
        node, judge = at.node, self.judge
        missing = way_of(self.tree, node, decision, at.sample, test)
        answer = Answer(node.label if judge.tells("labels", node) else decision.answer.label, decision.answer.counts)
        children = at.place.children(at.sample, test, answer, missing)
        below = [self.tree.nodes[branch] for branch in node.branches]
        stated = [child.counts for child in below]
        told = all(map(judge.tells_counts, below))
        # A row that leaves a branch comes to another one: where a single one differs, its counts are at fault.
        if not told or fit(stated, (part.total() for _, part in children), judge.alike, but=1):
            return _Question(test, children)
        there = mended(test, at.sample, missing, stated, judge.alike)
        if there is not None:
            message = f"it asks {shown(test).name}, but its branches have the rows of {shown(there).name}"
            fault = Fault("wrong-threshold", message, "threshold.position")
            return _Question(there, at.place.children(at.sample, there, answer, missing), fault)
        if not self._adds_up(stated, at.sample):
            return _Question(test, children)  # the counts of a branch are wrong, and it will be blamed itself
        verdict = "wrong-threshold" if isinstance(test, Threshold) else "wrong-counts"
        fault = Fault(
            verdict, f"its branches say that they have other rows than {shown(test).name} gives them", "counts"
        )
        return _Question(test, children, fault, is_cause=True)

    def _adds_up(self, stated: Sequence[Counts], sample: Sample) -> bool:
        """Whether branches say together that they have the rows that arrive."""
        if self.tree.target.values is not None:
            return tuple(added(stated)) == tuple(sample.total())
        return bool(sum(counts[0] for counts in stated) == best_weight(sample))

    def _inner(self, here: _Pending, at: Arrival, decision: Decision, asked: _Question) -> Finding:
        verdict, fault, regret = self.judge.judged_question(at, decision, asked.test)
        others = () if asked.fault is not None else self.judge.faults_of_surrogates(at, asked.test)
        return self._finding(here, at, decision, [asked.fault, fault, *others], verdict, regret)

    # A leaf.

    def _leaf(self, here: _Pending, at: Arrival, decision: Decision) -> Finding:
        fault, regret = self.judge.judged_leaf(decision)
        finding = self._finding(here, at, decision, [fault], "optimal", regret)
        excuse = self._excuse(at) if fault is not None and finding.faults == (fault,) else ""
        return replace(finding, excused=excuse) if excuse else finding

    def _excuse(self, at: Arrival) -> str:
        """Why a leaf is right where the learner would split."""
        if self.pruned or at.node.stop in _PRUNED:
            return "the tree was pruned"
        if "draws" in self.tree.silent and self._is_bounded():
            return "the attributes that were drawn may have had no question that the bounds allow"
        if self.capped:
            return f"the tree has as many leaves as it may have, {self.of.max_leaves}"
        is_taken_back = (
            self._finishes() and len(self.learner.finish(grown_below(self.learner, at.sample, at.place)).nodes) == 1
        )
        return "the learner splits here, and takes it back in the end" if is_taken_back else ""

    def _is_bounded(self) -> bool:
        """Whether the attributes that were drawn may have no question, and others have one.

        A forest draws until an attribute has some cut. Only where a bound bars all of them is the node a leaf; or where
        the tree has drawn its attributes once.
        """
        if "drawn_once" in told_of(self.tree):
            return True
        options = self.learner.grower().options
        return (options.get("min_samples_leaf", "1"), options.get("min_impurity_decrease", "0")) != ("1", "0")

    def _finishes(self) -> bool:
        """Whether the learner may do something to a tree in the end."""
        return not isinstance(self.learner, Options) or type(self.learner).finish is not Options.finish

    def _taken_back(self) -> frozenset[int]:
        """The nodes that ask, of which the learner would make leaves in the end."""
        if self.pruned or not self._finishes() or not all(map(self.judge.tells_counts, self.tree.nodes)):
            return frozenset()
        finished, found = self.learner.finish(self.tree), set[int]()
        pending = [(0, 0)]
        while pending:
            number, place = pending.pop()
            node, other = self.tree.nodes[number], finished.nodes[place]
            if node.test is not None and other.test is None:
                found.add(number)
            else:
                pending += zip(node.branches, other.branches, strict=True)
        return frozenset(found)

    # What both have in common.

    def _finding(
        self,
        here: _Pending,
        at: Arrival,
        decision: Decision,
        faults: Iterable[Fault | None],
        verdict: str,
        regret: Regret | None,
    ) -> Finding:
        said = str(at.node.label) if at.node.test is None else shown(at.node.test).name
        every = [*self.judge.faults_of_counts(at, decision), *self.judge.faults_of_answer(at, decision)]
        every += [fault for fault in faults if fault is not None]
        every.sort(key=lambda fault: VERDICTS.index(fault.verdict))
        weight = best_weight(at.sample)
        found = every[0].verdict if every else verdict
        cause = here.cause if every else None
        if cause is None and found == "split-too-far":
            cause = here.leaf
        return Finding(here.number, found, weight, said, tuple(every), regret, cause, "", self.number)


def _with(finding: Finding, fault: Fault) -> Finding:
    faults = sorted((*finding.faults, fault), key=lambda one: VERDICTS.index(one.verdict))
    return replace(finding, faults=tuple(faults), verdict=faults[0].verdict)


__all__ = ["Audit", "Claim", "audit"]
