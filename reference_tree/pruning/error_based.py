"""Error-based pruning: the method of C4.5, which needs only the rows that the tree was grown from.

Each leaf is estimated to make more errors than it made in training (`error_limits`), and the fewer rows it has, the
larger the difference. So many small leaves are estimated to be worse than one large leaf, and pruning takes at each
inner node, from below, the best of three:

1. *keep* the subtree: its estimate is the sum over its leaves;
2. *replace* it by a leaf;
3. *raise* its largest branch into its place, and send all rows of the node down that branch.

A leaf is taken if its estimate is at most that of each alternative plus 0.1 errors; else the branch, if its estimate is
at most that of the subtree plus 0.1. A raised branch is then pruned itself, with its new rows. If branches are equally
large, the last of them is tried.

All of it is exact. The rules and figures of release 8 and of J48 are two profiles; without a profile, the limit is the
binomial one of the book.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, listed, no_such
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, exactly, rational
from reference_tree.learners.recorded import AMOUNT, TRUTH, Option, word
from reference_tree.node import Node
from reference_tree.pruning.cutting import PRUNED, postorder_below, pruned_by, recounted_below, shared_anew, stayed
from reference_tree.pruning.error_limits import LIMITS, ErrorLimit, binomial, normal, table
from reference_tree.pruning.method import PROFILE, Given, PruningMethod, Record
from reference_tree.selection.validation import staying
from reference_tree.splitting.missing_rules import with_gaps
from reference_tree.subtrees import assemble, leaf
from reference_tree.tree import Tree
from reference_tree.twins import twin

Verdict: TypeAlias = Literal["keep", "leaf", "raise"]
AtMost: TypeAlias = Callable[[Number, Number], bool]

MARGIN = Fraction(1, 10)
"""The number of errors by which a smaller tree may be worse."""


def at_most(estimate: Number, other: Number) -> bool:
    """Whether an estimate is at most another one plus the margin, as in C4.5.

    Example:
        >>> at_most(Fraction(11, 10), 1), at_most(Fraction(11, 10) + Fraction(1, 10**9), 1)
        (True, False)
    """
    return bool(estimate <= other + MARGIN)


def at_most_nearly(estimate: Number, other: Number) -> bool:
    """The comparison with the slack of 1e-6 of all comparisons in J48.

    Example:
        >>> at_most_nearly(Fraction(11, 10) + Fraction(1, 10**9), 1)
        True
    """
    return bool(estimate < other + MARGIN + Fraction(1, 10**6))


@dataclass(frozen=True, kw_only=True)
class ErrorBased:
    """The rules of error-based pruning.

    Args:
        confidence: CF, between 0 and 1; the smaller, the more is pruned.
        limit: how many errors a leaf is estimated to make.
        raising: whether a branch may take the place of the node above it.
        comparison: when one estimate is at most another.
        keeps_label: whether the class of a raised leaf that is counted anew stays if it is one of the largest;
            otherwise the first of the largest is taken.
        profile: the dialect that set the rules.
    """

    confidence: Rational = Fraction(1, 4)
    limit: ErrorLimit = binomial
    raising: bool = True
    comparison: AtMost = at_most
    keeps_label: bool = True
    profile: str | None = None

    def __post_init__(self) -> None:
        """Take the confidence as the exact value it has, and the limit by its name.

        Raises:
            InputError: it is none for which the limit is defined, or the limit has no name.
        """
        # Rules may be given by name, as in a document; from here on the object has the functions themselves.
        named: ErrorLimit | str = self.limit
        if isinstance(named, str):
            object.__setattr__(self, "limit", LIMITS.get(named))
        if self.limit not in LIMITS.values():
            raise InputError(f"a limit is one of {listed(LIMITS)}, so that a tree can record it")
        try:
            object.__setattr__(self, "confidence", Fraction(exactly(self.confidence)))
        except (TypeError, ValueError) as error:
            raise InputError(f"the confidence lies between 0 and 1: {error}") from error
        # Above 1/2 the deviate of the normal distribution would be negative, and the limit below the errors that were
        # made.
        most = Fraction(1, 2) if self.limit is normal else Fraction(1)
        if not 0 < self.confidence < 1 or self.confidence > most:
            raise InputError(f"the confidence lies between 0 and {most}, not at {self.confidence}")

    @classmethod
    def like(cls, profile: str, **rules: Any) -> ErrorBased:
        """The rules of a dialect; a rule that is given overrides the dialect's.

        Raises:
            InputError: there is no such profile.

        Example:
            >>> ErrorBased.like("weka-j48", raising=False).limit.__name__
            'normal'
        """
        if profile not in PROFILES:
            raise InputError(no_such("profile", profile, PROFILES, of="error-based pruning"))
        return cls(**{**PROFILES[profile], **rules, "profile": profile})

    def estimate(self, counts: Counts) -> Number:
        """The estimated errors of a leaf.

        Args:
            counts: the weight of each class in the leaf.

        Example:
            >>> float(ErrorBased().estimate((1, 15)))
            2.5537714195489802

        Source:
            [Quinlan1993 §4.2]
        """
        n = sum(counts)
        # Against the majority of these rows, which is the label of a leaf in their place.
        return self.limit(n - max(counts), n, Fraction(self.confidence))

    def options(self) -> dict[str, Any]:
        """The rules as a tree records them."""
        name = next(name for name, limit in LIMITS.items() if limit is self.limit)
        return {"profile": self.profile, "confidence": str(self.confidence), "limit": name, "raising": self.raising}


PROFILES: Mapping[str, Mapping[str, Any]] = {
    "c45-r8": {"limit": table},
    "weka-j48": {"limit": normal, "comparison": at_most_nearly, "keeps_label": False},
}
"""The dialects: for each, the rules that differ from the defaults."""


def usual_options(tree: Tree, data: Table) -> dict[str, Any]:
    """The options for a tree of C4.5 if none are given: the profile that it was grown by, or a limit for its rows.

    Args:
        tree: the tree.
        data: the rows that it was grown from.

    Example:
        >>> import reference_tree as rt
        >>> golf, melons = rt.textbook("golf"), rt.textbook("watermelon-2.0a")
        >>> usual_options(rt.C45().grow(golf), golf), usual_options(rt.C45.like("weka-j48").grow(golf), golf)
        ({}, {'profile': 'weka-j48'})
        >>> usual_options(rt.C45().grow(melons), melons)     # rows without the value are divided
        {'limit': 'table'}
    """
    # A tree that was grown by the rules of a program is pruned by its rules.
    if tree.grower.profile in PROFILES:
        return {"profile": tree.grower.profile}
    # The binomial limit is defined for whole rows, and rows that are divided over branches are not whole.
    weights = data.weights or ()
    is_divided = with_gaps(data.sample()) or any(Fraction(weight).denominator > 1 for weight in weights)
    return {"limit": "table"} if is_divided else {}


class EstimatedPart(NamedTuple):
    """A part of a subtree, with its estimated errors."""

    counts: Counts
    """The weight of each class."""
    estimate: Number
    """The estimated errors."""
    is_leaf: bool
    """Whether it is a single leaf, whose estimate follows from the counts."""


class Judgement(NamedTuple):
    """The estimates of an inner node that pruning compared, after all nodes below it were decided.

    A node whose branch was raised is not judged again: the branch is judged in its place.
    """

    node: int
    """The number of the node, in the tree before pruning."""
    leaf: Number
    """The estimated errors of the node as a leaf."""
    subtree: Number
    """The estimated errors of its remaining subtree."""
    branch: Number | None
    """The estimated errors of its largest branch with all rows of the node; None if branches are not raised."""
    largest: int | None
    """The number of that branch's node."""
    verdict: Verdict
    """The choice that was made."""
    counts: Counts
    """The weight of each class at the node; in a raised branch it differs from that of the grown tree."""
    parts: tuple[EstimatedPart, ...]
    """The terms of the subtree's estimate: its branches, and the rows that stay at the node, if any do."""
    raised: tuple[tuple[EstimatedPart, int], ...] = ()
    """The terms of the branch's estimate: its leaves with all rows of the node, each with the number of leaves that
    have the same errors and rows; and the rows that stay at its inner nodes, if any do."""


class ErrorPruning(NamedTuple):
    """A pruned tree, with the estimates that were compared."""

    tree: Tree
    """The pruned tree."""
    estimate: Number
    """Its estimated errors on as many rows as it was grown from."""
    judgements: tuple[Judgement, ...]
    """The judgements of the nodes, in the order in which they were made."""


def error_based(tree: Tree, data: Table | None = None, rules: ErrorBased | None = None) -> ErrorPruning:
    """A tree without the subtrees that are estimated to do no better than a leaf, or than one of their branches.

    Args:
        tree: a tree that predicts classes.
        data: the rows that it was grown from; needed if branches may be raised, as rows then take new paths.
        rules: the rules for estimates and decisions; None for those of the book, with CF = 1/4.

    Raises:
        InputError: the tree predicts numbers or has no counts, it was grown with priors or losses, which the estimates
            ignore, its rows of each class are not as many as those of the table, or there is no table and branches may
            be raised.
        UndecidedError: two estimates by the binomial limit could not be compared; no such case is known.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("golf")
        >>> pruning = error_based(rt.C45().grow(days), days)
        >>> for node, leaf, subtree, branch, _, verdict, *_ in pruning.judgements:
        ...     print(node, f"{float(leaf):.3f} {float(subtree):.3f} {float(branch):.3f} {verdict}")
        2 3.203 2.110 3.203 keep
        5 3.203 2.110 3.203 keep
        0 6.769 5.392 7.743 keep

    Source:
        [Quinlan1993 §4.2]
    """
    rules = ErrorBased() if rules is None else rules
    if tree.target.values is None:
        raise InputError("error-based pruning counts errors of classes, and this tree predicts numbers")
    if not tree.nodes[0].weight:
        raise InputError("this tree records no counts, and so has no errors")
    if tree.costs is not None:
        raise InputError(
            "error-based pruning weighs all errors alike, and this tree was grown with priors or losses; prune it by "
            "cost-complexity"
        )
    if rules.raising:
        _check(tree, data)
    return _Pruner(tree, data if rules.raising else None, rules).prune()


def _check(tree: Tree, data: Table | None) -> None:
    """Check that the rows are those of the tree, if branches may be raised."""
    if data is None:
        raise InputError("to raise a branch, the rows that the tree was grown from are needed")
    if data.schema.target != tree.target or not set(tree.attributes) <= set(data.schema.attributes):
        raise InputError("the tree was grown from a table with other columns")
    # Other counts prove that the rows are others; equal counts prove nothing.
    if data.sample().total() != tree.nodes[0].counts:
        raise InputError("the tree was grown from other rows: those of the table have other classes")


class Arriving(NamedTuple):
    """The leaves and inner nodes at which rows end below a node."""

    leaves: list[Counts]
    """The weight of each class at every leaf that some row reaches."""
    rests: list[tuple[Counts, Counts]]
    """For each inner node at which rows stay, these rows, and all rows that reach it."""


@twin
def arriving(nodes: Mapping[int, Node], samples: Mapping[int, Sample], place: int, branch: int) -> Arriving:
    """The leaves and inner nodes that all rows of a node reach if one of its branches takes its place.

    Args:
        nodes: the nodes of a tree, by place.
        samples: the rows at each place.
        place: the place of the node.
        branch: the place of the branch.

    Returns:
        Leaves and inner nodes in preorder, the last branch first.
    """
    arrivals = Arriving([], [])
    pending = [(branch, samples[place])]
    while pending:
        here, sample = pending.pop()
        node, counts = nodes[here], sample.total()
        # Nothing to estimate, and an empty leaf adds no error.
        if not any(counts):
            continue
        if node.test is None:
            arrivals.leaves.append(counts)
        else:
            # The rows of the node replace those that the branch was grown from, so its shares are those of the rows
            # that come now.
            parts = sample.split(node.test, shared_anew(node, sample))
            rest = staying(counts, [part.total() for part in parts]) if node.missing.stays else ()
            if any(rest):
                arrivals.rests.append((rest, counts))
            pending += zip(node.branches, parts, strict=True)
    return arrivals


class _Pruner:
    """A tree while it is being pruned. Its places keep their numbers, but their nodes may change.

    Args:
        tree: the grown tree.
        data: its rows; None if no branch is raised.
        rules: the rules for estimates and decisions.
    """

    def __init__(self, tree: Tree, data: Table | None, rules: ErrorBased) -> None:
        self._tree, self._rules = tree, rules
        self._nodes = dict(enumerate(tree.nodes))
        # A raised branch stands in another node's place; a judgement names the node of the grown tree that it is about.
        self._origin = list(range(len(tree.nodes)))
        self._samples: dict[int, Sample] = {}
        self._known: dict[tuple[Number, Number], Number] = {}
        # Leaves are estimated at once, inner nodes when they are judged: from below, so that their branches have an
        # estimate by then.
        self._estimates = {n: self._estimate(node.counts) for n, node in self._nodes.items() if node.test is None}
        self._judgements: list[Judgement] = []
        if data is not None:
            self._send(0, data.sample())

    def prune(self) -> ErrorPruning:
        """Judge every node from below, a raised branch again, and assemble the remaining tree."""
        # A branch that was raised has other rows than before, and all that was decided below it is decided again: its
        # places go back on the stack.
        pending = postorder_below(self._nodes, 0)[::-1]
        while pending:
            place = pending.pop()
            if self._nodes[place].test is not None and self._judge(place) == "raise":
                pending += postorder_below(self._nodes, place)[::-1]
        noted = pruned_by(assemble(self._tree, self._nodes), "error-based", **self._rules.options())
        return ErrorPruning(noted, self._estimates[0], tuple(self._judgements))

    def _judge(self, place: int) -> Verdict:
        """Compare the three estimates of a node, and carry out the choice."""
        node = self._nodes[place]
        as_leaf = self._estimate(node.counts)
        parts = tuple(self._parts(node))
        as_subtree = sum((part.estimate for part in parts), 0)
        # Only the largest branch is tried, as in C4.5 [Quinlan1993].
        largest = self._largest(place) if self._samples else None
        raised = () if largest is None else tuple(self._raised(largest, place))
        as_branch = None if largest is None else sum((part.estimate * times for part, times in raised), 0)
        verdict = self._verdict(as_leaf, as_subtree, as_branch)
        origin = None if largest is None else self._origin[largest]
        estimates = as_leaf, as_subtree, as_branch
        self._judgements.append(Judgement(self._origin[place], *estimates, origin, verdict, node.counts, parts, raised))
        if largest is not None and verdict == "raise":
            # The node of the branch moves up with its own branches, which keep their places. The other branches are
            # reached no more.
            self._nodes[place], self._origin[place] = self._nodes[largest], self._origin[largest]
            self._send(place, self._samples[place])
        else:
            self._nodes[place] = leaf(node, PRUNED) if verdict == "leaf" else node
            self._estimates[place] = as_leaf if verdict == "leaf" else as_subtree
        return verdict

    def _estimate(self, counts: Counts) -> Number:
        """The estimated errors of a leaf. They depend on rows and errors alone, and few of these pairs differ."""
        kind = sum(counts), max(counts)
        if kind not in self._known:
            self._known[kind] = self._rules.estimate(counts)
        return self._known[kind]

    def _parts(self, node: Node) -> Iterator[EstimatedPart]:
        """The branches of a node, and the rows that stay at it."""
        for branch in node.branches:
            below = self._nodes[branch]
            yield EstimatedPart(below.counts, self._estimates[branch], below.test is None)
        if (rest := stayed(self._nodes, node)) is not None and any(rest):
            yield EstimatedPart(rest, self._staying(rest, node.counts), False)

    def _staying(self, rows: Counts, counts: Counts) -> Number:
        """The estimate of the rows that stay at an inner node: their share of its errors as a leaf."""
        return self._estimate(counts) * (Fraction(sum(rows)) / Fraction(sum(counts)))

    def _verdict(self, as_leaf: Number, as_subtree: Number, as_branch: Number | None) -> Verdict:
        is_at_most = self._rules.comparison
        # The leaf first, as it is the smallest, then the branch: each may be worse than the subtree by the margin.
        if is_at_most(as_leaf, as_subtree) and (as_branch is None or is_at_most(as_leaf, as_branch)):
            return "leaf"
        return "raise" if as_branch is not None and is_at_most(as_branch, as_subtree) else "keep"

    def _largest(self, place: int) -> int:
        """The branch that most of the rows take; the last one if several are equal."""
        node = self._nodes[place]
        assert node.test is not None
        weights = [sum(row) for row in self._samples[place].partition(node.test).rows]
        # The second of the three numbers makes the last of equal branches win, as in the program.
        return max(zip(weights, range(len(weights)), node.branches, strict=True))[2]

    def _raised(self, branch: int, place: int) -> Iterator[tuple[EstimatedPart, int]]:
        """The parts of a branch in the place of its node, largest first. Leaves of equal rows and errors are one."""
        leaves, rests = arriving(self._nodes, self._samples, place, branch)
        for rest, counts in rests:
            yield EstimatedPart(rest, self._staying(rest, counts), False), 1
        # In a tree of many equal leaves an explanation lists each kind once.
        alike = {(sum(counts), max(counts)): counts for counts in leaves}
        times = Counter((sum(counts), max(counts)) for counts in leaves)
        for kind in sorted(alike, reverse=True):
            yield EstimatedPart(alike[kind], self._estimate(alike[kind]), True), times[kind]

    def _send(self, place: int, sample: Sample) -> None:
        """Send rows down from a node, and count them at all nodes below it."""
        # Every place below is counted again at once; the estimates of inner ones follow when they are judged.
        arrived = recounted_below(self._nodes, place, sample, self._tree.target, self._rules.keeps_label)
        for here, node, rows in arrived:
            self._nodes[here], self._samples[here] = node, rows
            if node.test is None:
                self._estimates[here] = self._estimate(node.counts)


# The record.


def rules_of(record: Record) -> ErrorBased:
    """The rules of error-based pruning that a record names.

    Example:
        >>> rules_of(ErrorBased.like("weka-j48").options()) == ErrorBased.like("weka-j48")
        True
    """
    # The record states all rules but those that only a profile has.
    profile, confidence = record["profile"], Fraction(rational(record["confidence"]))
    if (limit := record["limit"]) not in LIMITS:
        raise InputError(no_such("limit", str(limit), LIMITS))
    rules: dict[str, Any] = {"confidence": confidence, "limit": LIMITS[limit], "raising": record["raising"]}
    return ErrorBased(**rules) if profile is None else ErrorBased.like(profile, **rules)


def _record(_: Tree, given: Given, __: Any) -> dict[str, Any]:
    rules = {name: given[name] for name in ("confidence", "limit", "raising") if name in given}
    if "limit" in rules:
        if rules["limit"] not in LIMITS:
            raise InputError(no_such("limit", str(rules["limit"]), LIMITS))
        rules["limit"] = LIMITS[rules["limit"]]
    return (ErrorBased.like(given["profile"], **rules) if "profile" in given else ErrorBased(**rules)).options()


ERROR_BASED = PruningMethod(
    name="error-based",
    called="estimated errors",
    options={
        "confidence": Option(Fraction(1, 4), AMOUNT, "smaller prunes more"),
        **PROFILE,
        "limit": Option(None, word(LIMITS), "the estimate of the errors of a leaf"),
        "raising": Option(None, TRUTH, "whether a branch may replace its node (default: yes)"),
    },
    record=_record,
    perform=lambda tree, record, data, _: error_based(tree, data, rules_of(record)),
    rules=("error-based.largest", "error-based.limit"),
    needs_data=lambda given: given.get("raising") is not False,
)
