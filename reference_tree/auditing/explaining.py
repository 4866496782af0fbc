"""Explaining: what the print or the file of a program leaves out about its training is inferred, and said.

A tree is first judged strictly, by what is told. Only where nodes are wrong then, the hypotheses are tried in a fixed
order (`programs.practice.Practice.order`): first alone, then together. A hypothesis takes its value from the tree
itself. It is accepted only if

1. under it every node of the tree is right, and
2. each of the hypotheses explains a node that is wrong without it; and where it explains a test, and not only a
   leaf, at least two nodes, unless the tree states its counts, which show a wrong test anyway; or, of weights of
   classes, one node in a tree of many tests, of which another would be wrong under weights that are not its own.

One wrong node is likelier than two options that explain it. By the second rule a wrong test is not explained away:
a bound may often be found under which a test alone is right. Such a bound is only named in the assumptions.

If no hypothesis explains every node, the verdict is that under the one with the fewest wrong nodes; of equals the
first, and the strict verdict before all. So a tree that was grown to a depth of three, with a wrong threshold, is
wrong at this threshold, and not also at its leaves. A node that seems to be a consequence, and that would be wrong
alone under some other hypothesis, is named as well: either may be the fault.

A tree of this package records how it was grown, so nothing is supposed about it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from reference_tree.auditing.finding import Finding
from reference_tree.auditing.hypotheses import HYPOTHESES, NOTHING, Seen, Supposed, causes
from reference_tree.auditing.order import late
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.table import is_in_memory
from reference_tree.learners.decision import Learner
from reference_tree.programs.boosters import PARAMETERS
from reference_tree.programs.practices import practice_like, practice_of
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.tree import Tree
from reference_tree.tree_document.form import FOREIGN

NONE = "none"
"""The word for a strict judgement."""

LARGEST = 20_000_000
"""The largest product of nodes and rows for which hypotheses are tried together, and not only alone."""


class Hearing(Protocol):
    """What an audit found under some supposition."""

    def __iter__(self) -> Iterator[Finding]:
        """The findings, in preorder."""

    def at(self, number: int, tree: int = 0) -> Finding:
        """The finding at one node."""


WHOLE = frozenset({"confidence", "reduced-error", "branching", "surrogates", "priors", "losses"})
"""Hypotheses that a single test may support: the whole tree is grown anew, has another form, or states them."""


SEVERAL = 3
"""The least number of nodes that a change of tests has to explain, if a fault is left."""


OF_LEAVES = frozenset({"max_depth", "min_samples_split", "min_impurity_decrease", "max_leaf_nodes", "ccp_alpha"})
"""Hypotheses that make leaves, and leave tests as they are."""

OF_QUESTIONS = frozenset({"criterion", "class_weight", "priors", "losses"})
"""Hypotheses that only change which test is best."""

MANY = 30
"""The least rows of a node whose test alone shows weights of classes: few of so many tests would be right."""

MANY_TESTS = 6
"""The least tests of a tree that shows them, too: under weights that it was not grown by, some other test is wrong."""


# The search.


def asked_for(assume: str | None) -> Collection[str]:
    """The hypotheses that may be tried.

    Args:
        assume: their names, with commas between them; `none` for a strict judgement; None for all.

    Raises:
        InputError: there is no such hypothesis.

    Example:
        >>> sorted(asked_for("max_depth,cp")), asked_for("none")
        (['ccp_alpha', 'max_depth'], [])
    """
    if assume is None:
        return tuple(HYPOTHESES)
    if assume == NONE:
        return []
    names = [ALIASES.get(name.strip(), name.strip()) for name in assume.split(",")]
    for name in names:
        if name not in HYPOTHESES:
            raise InputError(no_such("hypothesis", name, [NONE, *HYPOTHESES]))
    return names


ALIASES: Mapping[str, str] = {
    "cp": "ccp_alpha",
    "maxdepth": "max_depth",
    "minbucket": "minsplit",
    "max_leaves": "max_leaf_nodes",
}
"""Other names of hypotheses."""


def may_be_supposed(tree: Tree, learner: Learner) -> bool:
    """Whether a tree leaves out how it was grown: it is one of another program, which does not tell its training."""
    told = tree.grower.options.get(PARAMETERS, {})
    if tree.program is None or not practice_of(tree).has_options:
        return False
    return tree.grower.name == FOREIGN and not told and not isinstance(learner, PrePruning)


@dataclass
class Search:
    """Tries hypotheses.

    Args:
        seen: what they are inferred from.
        judged: the audit under a supposition.
        only: the names of the hypotheses that are tried; None for all.
    """

    seen: Seen
    judged: Callable[[Supposed], Hearing | None]
    only: Collection[str] | None = None

    def __post_init__(self) -> None:
        """Nothing is tried yet."""
        self.known: dict[tuple[str, ...], Mapping[int, Finding]] = {}
        self.has_counts = self.seen.has_counts
        self.begun: dict[tuple[str, ...], int] = {}
        """The suppositions under which only so many wrong nodes were sought."""
        self.likely: dict[tuple[str, ...], bool] = {}
        """Whether supposed weights of classes mend the first wrong node."""
        self.doubt = ""
        """A hypothesis that would explain everything, and rests on one test alone."""
        self.alone: dict[int, str] = {}
        """Nodes that would be wrong alone, with what follows from them, and under what: in words."""

    def best(self) -> Supposed:
        """The first supposition under which every node is right; else the first one with the fewest wrong nodes."""
        # Options that a program printed hold; what they leave wrong is wrong.
        for told in HYPOTHESES["printed-options"].tries(self.seen, NOTHING):
            return told
        best, least = NOTHING, len(self.seen.blamed)
        left = self.seen.blamed
        # A supposition is taken if it leaves fewer nodes wrong than the best so far, hides no fault, and is supported.
        for names in self._order():
            for supposed in self._expanded(names) if self._may_help(names, left) else ():
                found = self._wrong(supposed, least)
                if len(found) >= least:
                    continue
                # One fault would be left: it is named beside the verdict, whichever supposition is taken in the end.
                if len(one := causes(found)) == 1:
                    self.alone.setdefault(next(iter(one)), "; ".join(supposed.words))
                if found and not self._may_be_partial(names, found):
                    continue
                if not self._is_supported(supposed, names, found):
                    if not found and not self.doubt:
                        self.doubt = f"it would be right, if this were so: {'; '.join(supposed.words)}"
                    continue
                best, least, left = supposed, len(found), found
                if not found:
                    return best
        return best

    def _order(self) -> Iterator[tuple[str, ...]]:
        orders = practice_like(self.seen.learner.profile).order
        rows = len(self.seen.table) if is_in_memory(self.seen.table) else LARGEST
        # Each supposition is an audit; on large tables only single hypotheses are affordable.
        size = len(self.seen.tree.nodes) * rows
        for names in orders:
            if (size <= LARGEST or len(names) == 1) and (self.only is None or {*names} <= {*self.only}):
                yield names

    def _may_help(self, names: Sequence[str], left: Mapping[int, Finding]) -> bool:
        """Whether hypotheses may explain what is still wrong: some make leaves alone, others change tests."""
        are_early = any(one.verdict == "stopped-early" for one in left.values())
        asks_otherwise = self.seen.asks_otherwise
        if {*names} <= OF_LEAVES:
            return are_early
        return asks_otherwise or not {*names} & OF_QUESTIONS

    def _may_be_partial(self, names: Sequence[str], found: Mapping[int, Finding]) -> bool:
        """Whether hypotheses that leave something wrong may be taken: they hide no fault but those of leaves."""
        # The more freely a hypothesis explains, the more it has to explain: weights of classes make nearly any test
        # right, and bounds make leaves alone.
        explained = len(self.seen.blamed) - len(found)
        if "max_leaf_nodes" in names and not self._has_order():
            return False
        if {*names} & {"priors", "losses"} and not self.has_counts:  # without them the counts would be printed
            return len(causes(found)) == 1
        if {*names} & OF_QUESTIONS:  # they may make any test right
            return len(causes(found)) == 1 and explained >= 2 * max(SEVERAL, len(found))
        if not {*names} <= OF_LEAVES | WHOLE:  # what these leave is one fault, and they explain several nodes
            return len(causes(found)) == 1 and explained >= SEVERAL
        if {*names} & WHOLE:
            return True
        # A bound makes leaves. So every wrong test has to stay wrong, and as a fault of its own.
        blamed = self.seen.blamed
        others = [number for number, one in blamed.items() if one.cause is None and one.verdict != "stopped-early"]
        return {*found} <= {*blamed} and all(number in found and found[number].cause is None for number in others)

    def _has_order(self) -> bool:
        """Whether every leaf that could be split takes less than the nodes that were split while it stood there."""
        worth = {number: one.best_score * one.weight for number, one in self.seen.worth.items()}
        return {*self.seen.asking} <= {*worth} and not any(one.loss > 0 for one in late(self.seen.tree, worth))

    def _expanded(self, names: Sequence[str]) -> Iterator[Supposed]:
        # The values of several hypotheses are combined, each inferred under those before it.
        found = iter([NOTHING])
        for name in names:
            found = self._with(name, found)
        return filter(self._is_likely, found)

    def _with(self, name: str, before: Iterator[Supposed]) -> Iterator[Supposed]:
        """What is supposed, and one hypothesis more; each is made when it is asked for."""
        for one in before:
            yield from HYPOTHESES[name].tries(self.seen, one)

    def _is_guess(self, supposed: Supposed) -> bool:
        """Whether weights of classes are supposed that the tree does not state."""
        return not self.has_counts and isinstance(supposed.told.get("class_weight"), Mapping)

    def _is_likely(self, supposed: Supposed) -> bool:
        """Whether weights of classes, where they are tried one after the other, mend the first wrong node."""
        if not self._is_guess(supposed):
            return True
        if supposed.words not in self.likely:
            first = next(
                (number for number, one in causes(self.seen.blamed).items() if one.verdict != "stopped-early"), 0
            )
            found = self.judged(supposed)
            self.likely[supposed.words] = found is not None and not found.at(first).faults
        return self.likely[supposed.words]

    def _wrong(self, supposed: Supposed, most: int | None = None) -> Mapping[int, Finding]:
        """The nodes that are wrong under a supposition, the consequences of others included; of more, only so many."""
        words = supposed.words
        # Once as many are wrong as under the best supposition, the audit may stop: the number is all that is compared.
        # It is taken up again if more are asked for.
        if words not in self.known or (words in self.begun and (most is None or most > self.begun[words])):
            found = self.judged(supposed)
            wrong = None if found is None else (one for one in found if one.faults and not one.excused)
            some = self.seen.blamed.values() if wrong is None else islice(wrong, most)
            self.known[words] = {one.number: one for one in some}
            self.begun.pop(words, None)
            if most is not None and len(self.known[words]) >= most:
                self.begun[words] = most
        return self.known[words]

    def _is_supported(self, supposed: Supposed, names: Sequence[str], found: Mapping[int, Finding]) -> bool:
        """Whether each hypothesis explains enough that is wrong without it; two options explain more than one node."""
        if len(self.seen.blamed) < len({*names} & (OF_LEAVES | OF_QUESTIONS) - WHOLE):
            return False
        # Without this hypothesis, the others do their best: what they leave, and all together do not, is what it
        # explains.
        for left_out in names:
            rest = [name for name in names if name != left_out]
            without = min(map(self._wrong, self._expanded(rest)), key=len) if rest else self.seen.blamed
            explained = [one for number, one in without.items() if number not in found]
            if not explained or not self._is_enough(supposed, names, left_out, explained):
                return False
        return True

    def _explains_questions(self, supposed: Supposed, explained: Sequence[Finding]) -> bool:
        """Whether what a change of tests explains is enough: one test of many rows, or two wrong nodes.

        Nothing of another criterion, of balanced weights or of equal priors is read off the tree, so that a wrong
        test is right under it by chance alone. Of other weights there are many.
        """
        causes = [one for one in explained if one.cause is None and one.verdict not in ("stopped-early", "wrong-leaf")]
        weights = supposed.told.get("class_weight")
        if self.seen.practice.omits_counts_if_weighed:
            return True
        if not isinstance(weights, Mapping):
            return bool(causes) or len(explained) > 1
        if sum(one.cause is None and one.verdict != "stopped-early" for one in explained) > 1:
            return True
        # Under weights that are not its own, a tree of many tests has another wrong one, and a test of many rows is
        # seldom right.
        is_large = len(self.seen.asking) >= MANY_TESTS
        return "2" in weights.values() and (is_large or any(self.seen.rows[one.number] >= MANY for one in causes))

    def _is_enough(self, supposed: Supposed, names: Sequence[str], name: str, explained: Sequence[Finding]) -> bool:
        """Whether what a hypothesis explains is enough: leaves, two nodes, or a bound that other branches meet exactly.

        Where a tree states its counts, these show a wrong test whatever is supposed, so that one node is enough.
        Beside another hypothesis, a bound on branches may follow from a wrong test itself; so what follows from
        this test does not count.
        """
        if (
            self.has_counts
            or WHOLE & {*names}
            or all(fault.verdict in ("stopped-early", "split-too-far") for one in explained for fault in one.faults)
        ):
            return True
        if name in OF_QUESTIONS:
            return self._explains_questions(supposed, explained)
        if name not in ("min_samples_leaf", "minsplit"):
            return len(explained) > 1
        # A bound on branches follows from the least branch, which may be that of a wrong test itself.
        causes = [one.number for one in explained if one.cause is None]
        if len(causes) > 1 or (len(names) == 1 and len(explained) > 1):
            return True
        seen, (least, _) = self.seen, self.seen.bounds(supposed)
        if any(seen.rows[one] - 2 * least >= MANY for one in causes):  # one of many cuts that keep the bound
            return True
        return any(least in sizes for one, sizes in seen.branches(supposed).items() if one not in causes)
