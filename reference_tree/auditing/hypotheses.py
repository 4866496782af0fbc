"""Hypotheses: what the print or the file of a program leaves out about its training is inferred from the tree.

`HYPOTHESES` has the records: a name, where it is tried, and how it takes its value from what is `Seen`: the tree, the
rows at its nodes, and the nodes that are wrong in a strict audit. `reference_tree.auditing.explaining` tries them. What
they add to what is told is `Supposed`, at which the walk down a tree looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from reference_tree.auditing.finding import Finding, Regret
from reference_tree.auditing.order import BY_DECREASE
from reference_tree.auditing.repruning import nearest
from reference_tree.auditing.stated import Statements
from reference_tree.data.sample import Data
from reference_tree.data.table import Table, is_in_memory
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import significant
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import grow
from reference_tree.learners.options import Options
from reference_tree.learners.registry import learner_named
from reference_tree.programs.indented import THRESHOLDS
from reference_tree.programs.practice import Practice
from reference_tree.programs.practices import practice_like, practice_of
from reference_tree.programs.words import with_told
from reference_tree.pruning.record import perform
from reference_tree.splitting.missing_rules import with_gaps
from reference_tree.tree import Tree

SOME = 5
"""The number of bounds above the least branch that are tried, for the branch may be one of a wrong test."""


# What a hypothesis adds to what is told.


class Repruning(NamedTuple):
    """The tree as it is grown and pruned anew."""

    anew: Tree
    """The tree to be compared with."""
    rows: tuple[int, ...] | None = None
    """The rows from which it is grown; None for all."""


class Supposed(NamedTuple):
    """What is supposed besides what is told."""

    names: tuple[str, ...] = ()
    """The hypotheses."""
    words: tuple[str, ...] = ()
    """Each hypothesis in words, with its value."""
    options: Mapping[str, Any] = {}
    """Options of the learner."""
    max_leaves: int | None = None
    """A cap on leaves."""
    told: Mapping[str, Any] = {}
    """What the program might have told of its training."""
    silent: frozenset[str] = frozenset()
    """What is not judged."""
    price: str = ""
    """The profile of a cost-complexity pruning, at some price."""
    repruning: Repruning | None = None
    """A pruning that is repeated."""

    def learner(self, base: Learner) -> Learner:
        """The learner, with the options that are supposed."""
        # A learner without options, such as a pre-pruning, is taken as it is.
        return base.but(**self.options) if self.options and isinstance(base, Options) else base

    def tree(self, tree: Tree) -> Tree:
        """The tree, with what its program might have told."""
        changed = with_told(tree, self.told)
        assert isinstance(changed, Tree)
        tree = changed
        # What is supposed to be unstated is treated as any other silence of a program.
        if self.silent and tree.program is not None:
            tree = replace(tree, program=tree.program._replace(silent=tree.program.silent | self.silent))
        return tree

    def rows(self, table: Table) -> Table:
        """The rows that the tree was grown from."""
        if self.repruning is None or self.repruning.rows is None:
            return table
        return table.take(self.repruning.rows)

    def also(self, name: str, words: str, **changes: Any) -> Supposed:
        """The same, and one hypothesis more."""
        # Hypotheses add up: a later one goes before an earlier one only where both name the same option.
        options = {**self.options, **changes.pop("options", {})}
        return self._replace(names=(*self.names, name), words=(*self.words, words), options=options, **changes)


NOTHING = Supposed()


# What it is inferred from.


@dataclass
class Seen:
    """What hypotheses are inferred from.

    Args:
        tree: the tree.
        learner: the learner by which it is judged strictly.
        table: its rows.
        rows: how many rows arrive at each node, each counted once.
        worths: for each node that could be split, how much of the impurity of all rows its best test takes.
        sides: for each node that asks, the rows of its branches that a bound on branches counts, under what is
            supposed.
        blamed: the nodes that are wrong in the strict audit.
    """

    tree: Tree
    learner: Options
    table: Data
    # Bounds count rows whatever they weigh, and so do these.
    rows: Sequence[Rational]
    worths: Callable[[], Mapping[int, Regret]]
    sides: Callable[[Supposed], Mapping[int, Sequence[Rational]]]
    blamed: Mapping[int, Finding]
    usual: Mapping[str, Any] = field(init=False)

    trees: dict[str, Tree] = field(default_factory=dict)
    """What learners grew, by their options."""
    counted: dict[tuple[str, ...], Mapping[int, Sequence[Rational]]] = field(default_factory=dict)
    """The rows of branches, by what is supposed."""

    def grown(self, learner: Learner) -> Tree:
        """The tree that a learner grows from the rows; it is grown once."""
        # Learners of equal options grow equal trees, whatever object they are.
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
    def practice(self) -> Practice:
        """How the program of the tree trains and prints."""
        return practice_of(self.tree)

    @property
    def judged_as(self) -> Practice:
        """How the program trains whose dialect the tree is judged by: the tree itself may name no program."""
        return practice_like(self.learner.profile)

    @property
    def may_be_pruned(self) -> bool:
        """Whether the tree may have been pruned by its errors."""
        return self.judged_as.may_be_pruned(self.tree)

    @property
    def is_printed(self) -> bool:
        """Whether the tree was printed as text."""
        return THRESHOLDS in self.tree.grower.options

    def is_told(self, option: str) -> bool:
        """Whether an option differs from the one that the learner has if nothing is told, or the learner lacks it."""
        own = self.learner.grower().options
        return option not in own or own[option] != self.usual.get(option)

    @cached_property
    def has_counts(self) -> bool:
        """Whether the tree states the counts of some node."""
        return Statements(self.tree).has_counts

    @property
    def asks_otherwise(self) -> bool:
        """Whether something is wrong besides leaves that could be split; such a leaf may have a wrong answer, too."""
        return any(fault.verdict != "stopped-early" for one in self.blamed.values() for fault in one.faults)

    @property
    def early(self) -> list[int]:
        """The wrong leaves that the learner would split."""
        return [
            number for number, one in self.blamed.items() if any(each.verdict == "stopped-early" for each in one.faults)
        ]

    @property
    def asking(self) -> list[int]:
        """The nodes that ask."""
        return [number for number, node in enumerate(self.tree.nodes) if node.test is not None]

    @property
    def least_asking(self) -> int:
        """The least number of rows of a node that asks."""
        return int(min(self.rows[number] for number in self.asking))

    def branches(self, supposed: Supposed) -> Mapping[int, Sequence[Rational]]:
        """The rows of branches that a bound on branches counts; they are found once."""
        # What is supposed may send rows without a value elsewhere, and so other rows to the nodes below.
        if supposed.words not in self.counted:
            self.counted[supposed.words] = self.sides(supposed)
        return self.counted[supposed.words]

    def bounds(self, supposed: Supposed) -> tuple[int, list[int]]:
        """The largest bound that every node that asks keeps: on each branch, or on two of them. And the next larger."""
        two = self.learner.grower().options.get("branch_minimum") == "two"
        bound = {
            number: int(sorted(sizes)[-2] if two else min((size for size in sizes if size), default=0))
            for number, sizes in self.branches(supposed).items()
        }
        least = min(bound.values())
        # These go up to the largest that every node keeps whose test is right.
        most = min((size for number, size in bound.items() if number not in self.blamed), default=0)
        return least, sorted({size for size in bound.values() if least < size <= most})[:SOME]


def causes(wrong: Mapping[int, Finding]) -> dict[int, Finding]:
    """The wrong nodes that are no consequences of others."""
    return {number: one for number, one in wrong.items() if one.cause is None}


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
    # A bound on the depth leaves leaves at the largest depth that could still be split; without one, nothing shows it.
    deepest = max(depths)
    reached = [number for number in seen.early if depths[number] == deepest]
    if seen.is_told("max_depth") or not reached or not deepest:
        return
    leaves = sum(1 for number in seen.tree.leaves() if depths[number] == deepest)
    words = f"this looks like max_depth={deepest}, a depth that {leaves} leaves reach"
    yield so_far.also("max_depth", words, options={"max_depth": deepest})


def _min_samples_leaf(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if seen.is_told("min_samples_leaf"):
        return
    # A tree of one leaf shows no bound.
    bounds = [*USUAL_BOUNDS]
    if seen.asking:
        least, larger = seen.bounds(so_far)
        # Pruning may have taken the smallest branches away, so that the bound was below the least one that is left.
        smaller = [one for one in USUAL_BOUNDS if one < least] if seen.may_be_pruned else []
        bounds = [least, *smaller, *larger]
    for bound in dict.fromkeys(bounds):
        # A bound of 1, or the usual one, is what was judged already.
        if bound > max(Fraction(1), Fraction(str(seen.usual["min_samples_leaf"]))):
            words = f"this looks like {_leaf_word(seen)}={bound}, or a bound near it"
            yield so_far.also("min_samples_leaf", words, options={"min_samples_leaf": bound})


USUAL_BOUNDS = (5, 10, 3, 4, 20, 6, 8, 15, 7, 9, 12, 25, 30, 50, 100)
"""The least numbers of rows that are tried where the tree may not show the bound."""


def _leaf_word(seen: Seen) -> str:
    """What the program calls the bound."""
    return seen.judged_as.words.get("min_samples_leaf", "min_samples_leaf")


def _looser_leaf(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    """A bound below the usual one, as a branch of the tree has fewer rows."""
    if not seen.asking or seen.is_told("min_samples_leaf"):
        return
    least = max(1, seen.bounds(so_far)[0])
    if least < Fraction(str(seen.usual["min_samples_leaf"])):
        words = f"this looks like {_leaf_word(seen)}={least}, as some branch has no more rows"
        yield so_far.also("min_samples_leaf", words, options={"min_samples_leaf": least})


def _min_samples_split(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if not seen.asking or seen.is_told("min_samples_split") or seen.practice.links_bounds:
        return
    # The bound lies above every leaf that could be split, and at most at the least node that was.
    least, most = seen.least_asking, max((seen.rows[number] for number in seen.early), default=0)
    if seen.early and least > 2:
        words = f"this looks like min_samples_split={_range(int(most) + 1, least)}"
        yield so_far.also("min_samples_split", words, options={"min_samples_split": least})


def _range(low: int, high: int) -> str:
    return str(high) if low >= high else f"{high}, or any number from {low}"


def _minsplit(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    """Bounds that are linked: minbucket is a third of minsplit, and minsplit three times minbucket."""
    if not seen.asking or seen.is_told("min_samples_split") or seen.is_told("min_samples_leaf"):
        return
    split, (least_leaf, larger) = seen.least_asking, seen.bounds(so_far)
    # Several pairs of bounds may explain the same leaves; each is a supposition of its own.
    bounds = list[tuple[int, int]]()
    # Either bound may have been given, and the other follows: first the largest minsplit whose minbucket every branch
    # keeps, then both as they are seen.
    for leaf in (least_leaf, *larger):
        linked = next(one for one in range(max(split, 1), 0, -1) if round(Fraction(one, 3)) <= leaf)
        bounds += [(linked, round(Fraction(linked, 3))), (split, leaf)]
    for least, bucket in dict.fromkeys(bounds):
        words = f"this looks like minsplit={least}, minbucket={bucket}, or bounds a little below"
        yield so_far.also("minsplit", words, options={"min_samples_split": least, "min_samples_leaf": max(1, bucket)})


def _min_impurity_decrease(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if not seen.early or not seen.asking or seen.is_told("min_impurity_decrease"):
        return
    # The bound is on the decrease per row of the whole table: above what any early leaf would take, and at most what
    # each inner node takes.
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
    # Only the words round here: whether the number lies between the two is decided exactly.
    middle = (float(low) + float(high)) / 2
    found = (Fraction(str(significant(Fraction(middle), digits))) for digits in (1, 2, 3, 6, 12, 17))
    return next((one for one in found if low < one <= high), None)


def _max_leaves(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    leaves, grower = len(seen.tree.leaves()), seen.learner.grower()
    # Under priors or losses the worth of a leaf is no decrease times its rows, so that there is no known order.
    is_weighed = any(grower.options.get(name) for name in ("priors", "loss"))
    if seen.early and leaves > 1 and grower.name in BY_DECREASE and not is_weighed:
        words = f"this looks like max_leaf_nodes={leaves}, where the leaf that takes most is split first"
        yield so_far.also("max_leaf_nodes", words, max_leaves=leaves)


# Prunings.


def _price(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    # Whether some price explains the tree is found by the walk, which sees every leaf (`repruning.Prices`).
    word = seen.judged_as.price
    if word and is_in_memory(seen.table):
        yield so_far.also(word, f"this looks like {word}", price=seen.judged_as.profile)


def _confidence(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if seen.may_be_pruned and is_in_memory(seen.table):
        found = nearest(seen.tree, seen.table, seen.grown(so_far.learner(seen.learner)), is_usual=not so_far.options)
        yield so_far.also("confidence", f"this looks like pruning by {found.words}", repruning=Repruning(found.anew))


def _reduced_error(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    practice = seen.judged_as
    if practice.by_folds is None or not seen.may_be_pruned or not is_in_memory(seen.table):
        return
    whole = so_far._replace(options={**so_far.options, **practice.uncollapsed})
    # The usual number of folds, and another one that is met.
    for folds in (3, 5):
        if (found := practice.by_folds(whole.learner(seen.learner), seen.table, folds)) is not None:
            words = f"this looks like reduced-error pruning (-R -N {folds}), grown from {len(found[1])} of the rows"
            yield whole.also("reduced-error", words, repruning=Repruning(*found))


def _printed_options(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    practice = seen.judged_as
    printed = practice.printed_options(seen.tree)
    if printed is None or not is_in_memory(seen.table):
        return
    # The printed options are those of the learner and of its pruning; both are repeated.
    words, options = f"as J48 prints its options: {printed.text}", printed.of_learner
    learner = so_far.also("", "", options=options).learner(seen.learner)
    repruning = None
    if printed.folds and practice.by_folds is not None:
        found = practice.by_folds(learner, seen.table, printed.folds)
        repruning = None if found is None else Repruning(*found)
    elif printed.record is not None:
        repruning = Repruning(perform(seen.grown(learner), printed.record, seen.table, None).after)
    yield so_far.also("printed-options", words, options=options, repruning=repruning)


# What tests are compared by.


def _class_weight(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    """Balanced weights; then those that the counts state, or else, where a test is wrong, those met often."""
    if not seen.practice.weighs_classes or not seen.is_printed or seen.tree.target.values is None:
        return
    words = "this looks like class_weight='balanced'"
    yield so_far.also("class_weight", words, told={"class_weight": "balanced"})
    found: Iterator[Mapping[str, Rational]] = iter(())
    # Counts show the weights. Without them weights are tried, but only where they may be needed: for a wrong test.
    if seen.has_counts:
        found = _stated_weights(seen)
    elif seen.asks_otherwise:
        found = _usual_weights(seen.tree.target.values)
    for weights in found:
        told = {label: decimal_text(weight) for label, weight in weights.items()}
        shown = ", ".join(f"{label}: {weight}" for label, weight in told.items())
        yield so_far.also("class_weight", f"this looks like class_weight {shown}", told={"class_weight": told})


HEAVIER = (2, 3, 5, 10)
"""How much heavier than the others some classes are taken to be, where a tree states no counts."""

MOST_CLASSES = 5
"""The most classes for which several are taken to be heavier."""


def _usual_weights(labels: Sequence[str]) -> Iterator[dict[str, int]]:
    """Weights in which some classes are heavier than the others, all by the same factor.

    Example:
        >>> [one for one in _usual_weights("pq")][:3]
        [{'p': 2, 'q': 1}, {'p': 1, 'q': 2}, {'p': 3, 'q': 1}]
    """
    # Of many classes, one is taken to be heavier than the rest, or lighter.
    sizes = range(1, len(labels)) if len(labels) <= MOST_CLASSES else (1, len(labels) - 1)
    for factor in HEAVIER:
        for size in sizes:
            for heavy in combinations(labels, size):
                yield {label: factor if label in heavy else 1 for label in labels}


def _stated_weights(seen: Seen) -> Iterator[dict[str, Fraction]]:
    """The weights that the counts of the leaves show: as near as they are printed, and then of few digits."""
    # The sum of a class over all leaves is its weight times its rows.
    rows, stated = _rows_of_classes(seen), _stated_of_classes(seen)
    labels = tuple(stated)
    if {*rows} != {*labels} or not all(rows.values()) or not all(stated.values()):
        return
    leaves = seen.tree.leaves()
    whole = {label: Fraction(stated[label]) / rows[label] for label in labels}
    # A count is printed to two decimals, so the sum of n leaves is off by at most n/200.
    near = {label: _roundest(one, Fraction(len(leaves), 200 * rows[label])) for label, one in whole.items()}
    rough = {label: _roundest(one, one / 20) for label, one in whole.items()}
    yield from (one for one in ([near] if near == rough else [near, rough]) if {*one.values()} != {1})


def _rows_of_classes(seen: Seen) -> dict[str, Rational]:
    """The number of rows of each class."""
    table = replace(seen.table, weights=None) if is_in_memory(seen.table) else seen.table
    return dict(zip(table.schema.target.values or (), table.sample().total(), strict=True))


def _stated_of_classes(seen: Seen) -> dict[str, Rational]:
    """The sums of the counts of the leaves."""
    leaves = [seen.tree.nodes[leaf].counts for leaf in seen.tree.leaves()]
    return dict(zip(seen.tree.target.values or (), map(sum, zip(*leaves, strict=True)), strict=True))


def _roundest(number: Fraction, slack: Fraction) -> Fraction:
    """The number with the least denominator that is near another one.

    Example:
        >>> _roundest(Fraction("2.004"), Fraction(1, 100)), _roundest(Fraction("0.667"), Fraction(1, 1000))
        (Fraction(2, 1), Fraction(2, 3))
    """
    size = 1
    # The first denominator that reaches the slack is the least one.
    while abs((found := Fraction(round(number * size), size)) - number) > slack:
        size += 1
    return found


def _criterion(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if seen.learner.grower().name != "cart" or seen.is_told("criterion"):
        return
    # The profile judges by its own criterion, so only the others are tried.
    is_number = seen.tree.target.values is None
    for other in seen.judged_as.criteria_of_numbers if is_number else ("entropy",):
        words = seen.judged_as.words.get("criterion", f"criterion='{other}'")
        yield so_far.also("criterion", f"this looks like {words}", options={"criterion": other})


def _branching(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    word = seen.judged_as.words.get("branching")
    if not word or seen.is_told("branching"):
        return
    kinds = {node.test.kind for node in seen.tree.nodes if node.test is not None}
    if "subset" in kinds:
        words = f"this looks like {word}, as the tree asks one value against the others"
    # Tests of categories may all have been pruned away: those that were raised are still the ones below them.
    elif kinds <= {"threshold"} and any(len(one.values or ()) > 2 for one in seen.tree.attributes):
        words = f"this looks like {word}, with tests of categories that were pruned away"
    else:
        return
    yield so_far.also("branching", words, options={"branching": "one-vs-rest"})


def _priors(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    """The priors that are printed at the root."""
    priors = seen.practice.priors(seen.tree)
    if not priors or seen.is_told("priors"):
        return
    words = ", ".join(f"{label} {decimal_text(share)}" for label, share in priors.items())
    yield so_far.also("priors", f"the root has the priors {words}", options={"priors": priors})


def _losses(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    """The cost of each error that the printed losses of nodes show. For an error that is shown nowhere, usual costs."""
    costs = seen.practice.costs(seen.tree)
    if not costs or seen.is_told("loss"):
        return
    classes = sorted(seen.tree.target.values or ())
    words = ", ".join(f"{said} for {true} costs {decimal_text(cost)}" for (true, said), cost in sorted(costs.items()))
    # Errors that no node shows do not matter for these nodes, but for the choice among tests: each usual cost is a
    # supposition of its own.
    is_whole = len(costs) == len(classes) * (len(classes) - 1)
    for usual in (1,) if is_whole else (1, *HEAVIER):
        loss = {true: {said: costs.get((true, said), usual) for said in classes if said != true} for true in classes}
        others = "" if is_whole else f"; other errors are taken to cost {usual}"
        yield so_far.also("losses", f"the losses of its nodes show that {words}{others}", options={"loss": loss})


# Rows without a value.


def _surrogates(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if not seen.practice.omits_surrogates or not seen.is_printed or not with_gaps(seen.table.sample()):
        return
    words = "surrogates are not printed; rows with a missing value go by those that are found anew"
    yield so_far.also("surrogates", words, options={"missing": "surrogates"}, silent=frozenset({"missing"}))


def _uncounted(seen: Seen, so_far: Supposed) -> Iterator[Supposed]:
    if seen.tree.target.values is not None and seen.has_counts and _rows_of_classes(seen) != _stated_of_classes(seen):
        return  # wherever rows go, the leaves have all of them
    if seen.practice.omits_surrogates and seen.is_printed and with_gaps(seen.table.sample()):
        words = "rows have gaps, and surrogates are not printed, so that counts are not judged"
        yield so_far.also("counts", words, silent=frozenset({"counts", "errors", "missing"}))


HYPOTHESES: Mapping[str, Hypothesis] = {
    one.name: one
    for one in (
        Hypothesis("printed-options", "J48 printed its options; nothing else is tried then", _printed_options),
        Hypothesis("surrogates", "rpart printed the tree, and rows have gaps", _surrogates),
        Hypothesis("max_depth", "leaves at the largest depth could be split", _max_depth),
        Hypothesis("min_samples_leaf", "all branches have more rows than the bound asks, or none shows it",
                   _min_samples_leaf),
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
        Hypothesis("branching", "J48 asks one value against the others, or asks no category", _branching),
        Hypothesis("class_weight", "scikit-learn printed the tree", _class_weight),
        Hypothesis("criterion", "Gini is told by nobody", _criterion),
        Hypothesis("priors", "the tree is one of rpart", _priors),
        Hypothesis("losses", "the same, where probabilities are shares of the rows, and losses are not", _losses),
        Hypothesis("counts", "rpart printed the tree, and rows have gaps", _uncounted),
    )
}  # fmt: skip
"""The hypotheses by name, in the order in which they are tried alone."""


def page_table() -> str:
    """The hypotheses, as a table of Markdown."""
    lines = [f"| `{one.name}` | {one.about} |" for one in HYPOTHESES.values()]
    return "\n".join(["| hypothesis | is tried where |", "|:--|:--|", *lines])
