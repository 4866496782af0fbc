"""Hypotheses: what the print or the file of a program leaves out about its training is inferred, and said.

A tree is first judged strictly, by what is told. Only where nodes are wrong then, the hypotheses are tried in a fixed
order (`orders`): first alone, then together. A hypothesis takes its value from the tree itself. It is accepted only if

1. under it every node of the tree is right, and
2. each of the hypotheses explains a node that is wrong without it; and where it explains a question, and not only a
   leaf, at least two nodes.

By the second rule a wrong question is not explained away: a bound may always be found under which a question alone is
right. Such a bound is only named in the assumptions.

If no hypothesis explains every node, the verdict is that under the one with the fewest wrong nodes; of equals the
first, and the strict verdict before all. So a tree that was grown to a depth of three, with a wrong threshold, is wrong at this
threshold, and not also at its leaves.

`HYPOTHESES` has the records. A tree of this package records how it was grown, so nothing is supposed about it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, Protocol

from reference_tree.auditing.boosters import PARAMETERS
from reference_tree.auditing.finding import Finding, Regret
from reference_tree.auditing.order import BY_DECREASE
from reference_tree.auditing.supposed import NOTHING, Repruning, Supposed
from reference_tree.auditing.weka import UNCOLLAPSED, by_reduced_errors, may_be_pruned, nearest, printed_options, pruned
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import significant
from reference_tree.foreign.indented import THRESHOLDS
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import grow
from reference_tree.learners.options import Options
from reference_tree.learners.registry import learner_named
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.splitting.missing_rules import with_gaps
from reference_tree.tree import Tree
from reference_tree.tree_document.form import FOREIGN

NONE = "none"
"""The word for a strict judgement."""

LARGEST = 20_000_000
"""The largest product of nodes and rows for which hypotheses are tried together, and not only alone."""


class Judged(Protocol):
    """What an audit found under some supposition."""

    def __iter__(self) -> Iterator[Finding]:
        """The findings, in preorder."""


@dataclass
class Seen:
    """What hypotheses are inferred from.

    Args:
        tree: the tree.
        learner: the learner by which it is judged strictly.
        table: its rows.
        rows: how many rows arrive at each node, each counted once.
        worths: for each node that could be split, how much of the impurity of all rows its best question takes.
        blamed: the nodes that are wrong in the strict audit.
    """

    tree: Tree
    learner: Options
    table: Table
    rows: Sequence[Rational]
    worths: Callable[[], Mapping[int, Regret]]
    blamed: Mapping[int, Finding]
    usual: Mapping[str, Any] = field(init=False)

    trees: dict[str, Tree] = field(default_factory=dict)
    """What learners grew, by their options."""

    def grown(self, learner: Learner) -> Tree:
        """The tree that a learner grows from the rows; it is grown once."""
        key = str(sorted(learner.grower().options.items()))
        if key not in self.trees:
            self.trees[key] = grow(learner, self.table)
        return self.trees[key]

    def __post_init__(self) -> None:
        """The options of the learner if nothing is told."""
        own = self.learner.grower()
        self.usual = learner_named(own.name, profile=own.profile).grower().options

    @cached_property
    def worth(self) -> Mapping[int, Regret]:
        """The same, found once."""
        return self.worths()

    @property
    def wrong(self) -> Mapping[int, Finding]:
        """The nodes that are wrong in the strict audit, and no consequence of others."""
        return causes(self.blamed)

    @property
    def program(self) -> str:
        """The program of the tree; empty if it is not known."""
        return "" if self.tree.program is None else self.tree.program.name

    @property
    def is_printed(self) -> bool:
        """Whether the tree was printed as text."""
        return THRESHOLDS in self.tree.grower.options

    def is_told(self, option: str) -> bool:
        """Whether an option differs from the one that the learner has if nothing is told, or the learner lacks it."""
        own = self.learner.grower().options
        return option not in own or own[option] != self.usual.get(option)

    @property
    def early(self) -> list[int]:
        """The wrong leaves that the learner would split."""
        return [number for number, one in self.wrong.items() if one.verdict == "stopped-early"]

    @property
    def asking(self) -> list[int]:
        """The nodes that ask."""
        return [number for number, node in enumerate(self.tree.nodes) if node.test is not None]

    @property
    def least_asking(self) -> int:
        """The least number of rows of a node that asks."""
        return int(min(self.rows[number] for number in self.asking))

    @property
    def least_branch(self) -> int:
        """The largest bound that every node that asks keeps: on each branch, or on two of them."""
        place = 1 if getattr(self.learner, "branch_minimum", "every") == "two" else 0
        return int(min(self._branch(number, place) for number in self.asking))

    def _branch(self, number: int, place: int) -> Rational:
        sizes = [self.rows[branch] for branch in self.tree.nodes[number].branches]
        some = sorted(size for size in sizes if size)
        return sorted(sizes)[-2] if place else min(some, default=0)


Tries = Callable[[Seen, Supposed], Iterator[Supposed]]
"""Infers from a tree what is supposed in addition."""


class Hypothesis(NamedTuple):
    """One way in which a tree may have been grown otherwise than is told."""

    name: str
    about: str
    """When it is tried, in words."""
    tries: Tries


# Bounds of the tree.


def _max_depth(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    depths = seen.tree.depths()
    deepest = max(depths)
    reached = [number for number in seen.early if depths[number] == deepest]
    if seen.is_told("max_depth") or not reached or not deepest:
        return
    leaves = sum(1 for number in seen.tree.leaves() if depths[number] == deepest)
    words = f"this looks like max_depth={deepest}, a depth that {leaves} leaves reach"
    yield so_far.also("max_depth", words, options={"max_depth": deepest})


def _min_samples_leaf(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if not seen.asking or seen.is_told("min_samples_leaf"):
        return
    least = seen.least_branch
    if least > max(Fraction(str(seen.usual["min_samples_leaf"])), 1):
        words = f"this looks like {_leaf_word(seen)}={least}, or a bound near it"
        yield so_far.also("min_samples_leaf", words, options={"min_samples_leaf": least})


def _leaf_word(seen: Seen) -> str:
    """What the program calls the bound."""
    return {"weka-j48": "-M", "rpart": "minbucket"}.get(seen.learner.profile or "", "min_samples_leaf")


def _looser_leaf(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    """A bound below the usual one, as a branch of the tree has fewer rows."""
    if not seen.asking or seen.is_told("min_samples_leaf"):
        return
    least = max(1, seen.least_branch)
    if least < Fraction(str(seen.usual["min_samples_leaf"])):
        words = f"this looks like {_leaf_word(seen)}={least}, as some branch has no more rows"
        yield so_far.also("min_samples_leaf", words, options={"min_samples_leaf": least})


def _min_samples_split(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if not seen.asking or seen.is_told("min_samples_split") or seen.program == "rpart":
        return
    least, most = seen.least_asking, max((seen.rows[number] for number in seen.early), default=0)
    if seen.early and least > 2:
        words = f"this looks like min_samples_split={_range(int(most) + 1, least)}"
        yield so_far.also("min_samples_split", words, options={"min_samples_split": least})


def _range(low: int, high: int) -> str:
    return str(high) if low >= high else f"{high}, or any number from {low}"


def _minsplit(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    """rpart links its bounds: minbucket is a third of minsplit, and minsplit three times minbucket."""
    if not seen.asking or seen.is_told("min_samples_split") or seen.is_told("min_samples_leaf"):
        return
    split, leaf = seen.least_asking, seen.least_branch
    linked = next(one for one in range(max(split, 1), 0, -1) if round(Fraction(one, 3)) <= leaf)
    for least, bucket in dict.fromkeys([(linked, round(Fraction(linked, 3))), (split, leaf)]):
        words = f"this looks like minsplit={least}, minbucket={bucket}, or bounds a little below"
        yield so_far.also("minsplit", words, options={"min_samples_split": least, "min_samples_leaf": max(1, bucket)})


def _min_impurity_decrease(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if not seen.early or not seen.asking or seen.is_told("min_impurity_decrease"):
        return
    worth = {number: one.best_score * one.weight for number, one in seen.worth.items()}
    whole = next(iter(seen.worth.values())).weight if worth else 0
    if not whole or not all(number in worth for number in (*seen.asking, *seen.early)):
        return
    low = max(worth[number] for number in seen.early) / whole
    high = min(worth[number] for number in seen.asking) / whole
    if (bound := _decimal(low, high)) is not None:
        words = f"this looks like min_impurity_decrease={decimal_text(bound)}, or a number near it"
        yield so_far.also("min_impurity_decrease", words, options={"min_impurity_decrease": bound})


def _decimal(low: Any, high: Any) -> Fraction | None:
    """A decimal of few digits above one number, and at most another; None if there is none."""
    if not low < high:
        return None
    middle = (float(low) + float(high)) / 2
    found = (Fraction(str(significant(Fraction(middle), digits))) for digits in (1, 2, 3, 6, 12, 17))
    return next((one for one in found if low < one <= high), None)


def _max_leaves(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    leaves, grower = len(seen.tree.leaves()), seen.learner.grower()
    is_weighed = any(grower.options.get(name) for name in ("priors", "loss"))
    if seen.early and leaves > 1 and grower.name in BY_DECREASE and not is_weighed:
        words = f"this looks like max_leaf_nodes={leaves}, where the leaf that takes most is split first"
        yield so_far.also("max_leaf_nodes", words, max_leaves=leaves)


# Prunings.


def _price(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    profile = {"rpart": "rpart", "scikit-learn": "scikit-learn"}.get(seen.learner.profile or "")
    if profile is not None and not isinstance(seen.table, Table):
        return
    if profile is not None:
        word = {"rpart": "cp", "scikit-learn": "ccp_alpha"}[profile]
        yield so_far.also(word, f"this looks like {word}", price=profile)


def _confidence(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if may_be_pruned(seen.tree, seen.learner) and isinstance(seen.table, Table):
        found = nearest(seen.tree, seen.table, seen.grown(so_far.learner(seen.learner)), is_usual=not so_far.options)
        yield so_far.also("confidence", f"this looks like pruning by {found.words}", repruning=Repruning(found.anew))


def _reduced_error(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if seen.learner.profile != "weka-j48" or not may_be_pruned(seen.tree, seen.learner):
        return
    whole = so_far._replace(options={**so_far.options, **UNCOLLAPSED})
    for folds in (3, 5, 10, 2):
        if (found := by_reduced_errors(whole.learner(seen.learner), seen.table, folds)) is not None:
            words = f"this looks like reduced-error pruning (-R -N {folds}), grown from {len(found[1])} of the rows"
            yield whole.also("reduced-error", words, repruning=Repruning(*found))


def _printed_options(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    printed = printed_options(seen.tree)
    if seen.learner.profile != "weka-j48" or printed is None or not isinstance(seen.table, Table):
        return
    words, options = f"as J48 prints its options: {printed.text}", printed.of_learner
    learner = so_far.also("", "", options=options).learner(seen.learner)
    if printed.folds:
        found = by_reduced_errors(learner, seen.table, printed.folds)
        repruning = None if found is None else Repruning(*found)
    else:
        repruning = None if printed.record is None else Repruning(pruned(seen.grown(learner), seen.table, printed.record))
    yield so_far.also("printed-options", words, options=options, repruning=repruning)


# What questions are compared by.


def _class_weight(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if seen.program == "scikit-learn" and seen.is_printed and seen.tree.target.values is not None:
        words = "this looks like class_weight='balanced'"
        yield so_far.also("class_weight", words, told={"class_weight": "balanced"})


def _criterion(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if seen.learner.grower().name != "cart" or seen.tree.target.values is None or seen.is_told("criterion"):
        return
    words = {"rpart": "parms=list(split='information')"}.get(seen.learner.profile or "", "criterion='entropy'")
    yield so_far.also("criterion", f"this looks like {words}", options={"criterion": "entropy"})


def _branching(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    is_binary = any(node.test is not None and node.test.kind == "subset" for node in seen.tree.nodes)
    if seen.learner.profile == "weka-j48" and is_binary and not seen.is_told("branching"):
        words = "this looks like binary splits (-B), as the tree asks one value against the others"
        yield so_far.also("branching", words, options={"branching": "one-vs-rest"})


def _priors(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    classes = seen.tree.target.values
    if seen.program != "rpart" or classes is None or seen.is_told("priors"):
        return
    equal = {label: Fraction(1, len(classes)) for label in classes}
    yield so_far.also("priors", "this looks like equal priors of the classes", options={"priors": equal})


# Rows without a value.


def _surrogates(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if seen.program != "rpart" or not seen.is_printed or not with_gaps(seen.table.sample()):
        return
    words = "surrogates are not printed; rows with a missing value go by those that are found anew"
    yield so_far.also("surrogates", words, options={"missing": "surrogates"}, silent=frozenset({"missing"}))


def _uncounted(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if seen.program == "rpart" and seen.is_printed and with_gaps(seen.table.sample()):
        words = "rows have gaps, and surrogates are not printed, so that counts are not judged"
        yield so_far.also("counts", words, silent=frozenset({"counts", "errors", "missing"}))


HYPOTHESES: Mapping[str, Hypothesis] = {
    one.name: one
    for one in (
        Hypothesis("printed-options", "J48 printed its options, which no other hypothesis may change", _printed_options),
        Hypothesis("surrogates", "rpart printed the tree, and rows have gaps", _surrogates),
        Hypothesis("max_depth", "leaves at the largest depth could be split", _max_depth),
        Hypothesis("min_samples_leaf", "all branches have more rows than the bound asks", _min_samples_leaf),
        Hypothesis("smaller-leaves", "a branch has fewer rows than the usual bound asks", _looser_leaf),
        Hypothesis("min_samples_split", "leaves that could be split have fewer rows than all inner nodes",
                   _min_samples_split),
        Hypothesis("minsplit", "the tree is one of rpart, whose bounds follow one another", _minsplit),
        Hypothesis("max_leaf_nodes", "leaves could be split, and the learner has an order of splits", _max_leaves),
        Hypothesis("min_impurity_decrease", "leaves that could be split would take less impurity than all inner nodes",
                   _min_impurity_decrease),
        Hypothesis("ccp_alpha", "the tree is one of scikit-learn, or of rpart, where the price is `cp`", _price),
        Hypothesis("confidence", "the tree is one of J48 or of release 8, and does not say that it is unpruned",
                   _confidence),
        Hypothesis("reduced-error", "the same of J48", _reduced_error),
        Hypothesis("branching", "J48 asks one value against the others", _branching),
        Hypothesis("class_weight", "scikit-learn printed the tree", _class_weight),
        Hypothesis("criterion", "Gini is told by nobody", _criterion),
        Hypothesis("priors", "the tree is one of rpart", _priors),
        Hypothesis("counts", "rpart printed the tree, and rows have gaps", _uncounted),
    )
}  # fmt: skip
"""The hypotheses by name, in the order in which they are tried alone."""

_BOUNDS = ("max_depth", "min_samples_leaf", "min_samples_split", "min_impurity_decrease", "ccp_alpha", "max_leaf_nodes")
_PAIRS = tuple((one, other) for place, one in enumerate(_BOUNDS) for other in _BOUNDS[place + 1 :])

ORDERS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "scikit-learn": (
        *((one,) for one in _BOUNDS), ("class_weight",), ("criterion",), *_PAIRS,
        *((word, one) for word in ("class_weight", "criterion") for one in _BOUNDS),
        ("max_depth", "min_samples_leaf", "min_samples_split"),
    ),
    "rpart": tuple(
        (*first, *rest)
        for first in (("surrogates",), ())
        for rest in (
            *(() if not first else ((),)), ("ccp_alpha",), ("max_depth",), ("max_depth", "ccp_alpha"), ("minsplit",),
            ("minsplit", "ccp_alpha"), ("max_depth", "minsplit"), ("max_depth", "minsplit", "ccp_alpha"),
            ("criterion",), ("criterion", "ccp_alpha"), ("criterion", "minsplit", "ccp_alpha"), ("priors",),
            ("priors", "ccp_alpha"), ("priors", "minsplit", "ccp_alpha"),
        )
    ) + (("counts",), ("counts", "ccp_alpha"), ("counts", "minsplit", "ccp_alpha")),
    "weka-j48": tuple(
        (*first, *rest)
        for rest in (("confidence",), ("reduced-error",), ("min_samples_leaf",), ("smaller-leaves",),
                     ("min_samples_leaf", "confidence"), ("smaller-leaves", "confidence"))
        for first in ((), ("branching",))
    ) + (("branching",),),
    "c45-r8": (("confidence",), ("min_samples_leaf",), ("min_samples_leaf", "confidence")),
    "": (*((one,) for one in _BOUNDS if one != "ccp_alpha"),
         *((one, other) for one, other in _PAIRS if "ccp_alpha" not in (one, other))),
}  # fmt: skip
"""The orders in which hypotheses are tried, by the profile of the learner; the last one for any other."""


WHOLE = frozenset({"confidence", "reduced-error", "branching", "surrogates"})
"""Hypotheses that a single question may support: the whole tree is grown anew and compared, or has another form."""


SEVERAL = 3
"""The least number of nodes that a change of questions has to explain, if a fault is left."""

OF_LEAVES = frozenset({"max_depth", "min_samples_split", "min_impurity_decrease", "max_leaf_nodes", "ccp_alpha"})
"""Hypotheses that make leaves, and leave questions as they are."""

OF_QUESTIONS = frozenset({"criterion", "class_weight", "priors"})
"""Hypotheses that only change which question is best."""


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


ALIASES: Mapping[str, str] = {"cp": "ccp_alpha", "maxdepth": "max_depth", "minbucket": "minsplit", "max_leaves": "max_leaf_nodes"}
"""Other names of hypotheses."""


def may_be_supposed(tree: Tree, learner: Learner) -> bool:
    """Whether a tree leaves out how it was grown: it is one of another program, which does not tell its training."""
    told = tree.grower.options.get(PARAMETERS, {})
    if tree.program is not None and tree.program.name == "Weka Id3":  # it has no options
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
    judged: Callable[[Supposed], Judged | None]
    only: Collection[str] | None = None

    def __post_init__(self) -> None:
        """Nothing is tried yet."""
        self.known: dict[tuple[str, ...], Mapping[int, Finding]] = {}
        self.begun: dict[tuple[str, ...], int] = {}
        """The suppositions under which only so many wrong nodes were sought."""
        self.doubt = ""
        """A hypothesis that would explain everything, and rests on one question alone."""

    def best(self) -> Supposed:
        """The first supposition under which every node is right; else the first one with the fewest wrong nodes."""
        for told in HYPOTHESES["printed-options"].tries(self.seen, NOTHING):
            return told
        best, least = NOTHING, len(self.seen.blamed)
        left = self.seen.blamed
        for names in self._order():
            for supposed in self._expanded(names) if self._may_help(names, left) else ():
                found = self._wrong(supposed, least)
                if len(found) >= least:
                    continue
                if found and not self._may_be_partial(names, found):
                    continue
                if not self._is_supported(names, found):
                    if not found and not self.doubt:
                        self.doubt = f"it would be right, if this were so: {'; '.join(supposed.words)}"
                    continue
                best, least, left = supposed, len(found), found
                if not found:
                    return best
        return best

    def _order(self) -> Iterator[tuple[str, ...]]:
        orders = ORDERS.get(self.seen.learner.profile or "", ORDERS[""])
        size = len(self.seen.tree.nodes) * len(self.seen.table)
        for names in orders:
            if (size <= LARGEST or len(names) == 1) and (self.only is None or {*names} <= {*self.only}):
                yield names

    def _may_help(self, names: Sequence[str], left: Mapping[int, Finding]) -> bool:
        """Whether hypotheses may explain what is still wrong: some make leaves alone, others change questions."""
        are_early = any(one.verdict == "stopped-early" for one in left.values())
        asks_otherwise = any(one.verdict != "stopped-early" for one in self.seen.blamed.values())
        if {*names} <= OF_LEAVES:
            return are_early
        return asks_otherwise or not {*names} & OF_QUESTIONS

    def _may_be_partial(self, names: Sequence[str], found: Mapping[int, Finding]) -> bool:
        """Whether hypotheses that leave something wrong may be taken: they hide no fault but those of leaves."""
        explained = len(self.seen.blamed) - len(found)
        if {*names} & OF_QUESTIONS:  # they may make any question right
            return len(found) == 1 and explained >= 2 * SEVERAL
        if not {*names} <= OF_LEAVES | WHOLE:  # what these leave is one fault, and they explain several nodes
            return len(causes(found)) == 1 and explained >= SEVERAL
        if {*names} & WHOLE:
            return True
        blamed = self.seen.blamed
        others = [number for number, one in blamed.items() if one.cause is None and one.verdict != "stopped-early"]
        return {*found} <= {*blamed} and all(number in found and found[number].cause is None for number in others)

    def _expanded(self, names: Sequence[str]) -> Iterator[Supposed]:
        found = [NOTHING]
        for name in names:
            found = [more for one in found for more in HYPOTHESES[name].tries(self.seen, one)]
        return iter(found)

    def _wrong(self, supposed: Supposed, most: int | None = None) -> Mapping[int, Finding]:
        """The nodes that are wrong under a supposition, the consequences of others included; of more, only so many."""
        words = supposed.words
        if words not in self.known or (words in self.begun and (most is None or most > self.begun[words])):
            found = self.judged(supposed)
            wrong = None if found is None else (one for one in found if one.faults and not one.excused)
            some = self.seen.blamed.values() if wrong is None else islice(wrong, most)
            self.known[words] = {one.number: one for one in some}
            self.begun.pop(words, None)
            if most is not None and len(self.known[words]) >= most:
                self.begun[words] = most
        return self.known[words]

    def _is_supported(self, names: Sequence[str], found: Mapping[int, Finding]) -> bool:
        """Whether each hypothesis explains enough that is wrong without it."""
        for left_out in names:
            rest = [name for name in names if name != left_out]
            without = min(map(self._wrong, self._expanded(rest)), key=len) if rest else self.seen.blamed
            explained = [one for number, one in without.items() if number not in found]
            if not explained or not self._is_enough(names, left_out, explained):
                return False
        return True

    def _is_enough(self, names: Sequence[str], name: str, explained: Sequence[Finding]) -> bool:
        """Whether what a hypothesis explains is enough: leaves, two nodes, or a bound that other branches meet exactly.

        Beside another hypothesis, a bound on branches may follow from a wrong question itself; so what follows from
        this question does not count.
        """
        if WHOLE & {*names} or all(one.verdict in ("stopped-early", "split-too-far") for one in explained):
            return True
        if name not in ("min_samples_leaf", "minsplit"):
            return len(explained) > 1
        causes = [one.number for one in explained if one.cause is None]
        if len(causes) > 1 or (len(names) == 1 and len(explained) > 1):
            return True
        seen = self.seen
        others = [branch for one in seen.asking if one not in causes for branch in seen.tree.nodes[one].branches]
        return any(seen.rows[branch] == seen.least_branch for branch in others)


def causes(wrong: Mapping[int, Finding]) -> dict[int, Finding]:
    """The wrong nodes that are no consequences of others."""
    return {number: one for number, one in wrong.items() if one.cause is None}
