r"""What is stated of a node, in one record, and how near its numbers have to be to the exact ones.

A tree of this package is exact. A program prints fractions of a row in a few digits, or adds up n doubles with an error
of at most n·2⁻⁵³ of the sum of their sizes. So the weights of n rows are right within n·2⁻⁵³, or within `HELD` if they
are few, as are the shares and agreements that a document states (5 000 rows of weight 0.1 are off by 2⁻⁴³). Errors and
scores are differences of sums of w·y² or w·|y|, so they may lose much of their precision if the numbers differ much in
size. Within `ROUNDED` of the sum of sizes,

1. an error that a node states is right, and so is a mean;
2. a test is as good as the best one;
3. a test reaches a bound, or misses it.

A program may make a leaf where the impurity that it found is at most `EPSILON`, and no leaf where all rows agree and it
found more (`found_no_impurity`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from reference_tree.auditing.finding import Regret
from reference_tree.data.questions import Missing, Test
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import Values, added
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.learners.decision import Learner
from reference_tree.learners.place import Answer
from reference_tree.node import Derivatives, Deviations, Label, Node
from reference_tree.programs.boosted import Numbers
from reference_tree.programs.indented import THRESHOLDS
from reference_tree.programs.practices import EPSILON
from reference_tree.tree import Tree
from reference_tree.tree_document.form import ROUNDED as HELD

NOT_JUDGED = ("unknown", "pruned", "pre-pruned", "collapsed")
"""The reasons of leaves that are not compared with the learner's."""


class Stated(NamedTuple):
    """What is stated of a node. What is None is not stated, and is not judged."""

    counts: Counts | None = None
    """The counts of the rows that arrive."""
    label: Label | None = None
    """The prediction."""
    test: Test | None = None
    """The test; None for a leaf."""
    stop: str | None = None
    """Why it is a leaf."""
    missing: Missing | None = None
    """Where rows without an outcome go."""
    figures: Mapping[str, Fraction] = {}
    """Further numbers about the node, by name."""


@dataclass(frozen=True)
class Statements:
    """What a tree states of its nodes.

    Args:
        tree: the tree.
        numbers: further numbers about each of its nodes, by name; None where nothing is stated.

    Example:
        >>> import reference_tree as rt
        >>> found = Statements(rt.ID3().grow(rt.textbook("play-tennis"))).of(1)
        >>> found.counts, found.label, found.test, found.stop
        ((0, 4), 'yes', None, 'pure')
    """

    tree: Tree
    numbers: Numbers = field(default_factory=dict)

    def of(self, number: int) -> Stated:
        """What is stated of a node."""
        node, silent = self.tree.nodes[number], self.tree.silent
        return Stated(
            node.counts if self.tells("counts", node) else None,
            node.label if self.tells("labels", node) else None,
            node.test,
            # A reason that comes from pruning is none of the learner's, and is not compared with its own.
            None if node.test is not None or node.stop in NOT_JUDGED else node.stop,
            None if "missing" in silent else node.missing,
            {name: found for name, each in self.numbers.items() if (found := each[number]) is not None},
        )

    def tells(self, word: str, node: Node) -> bool:
        """Whether the tree states the `labels`, or the `counts`, of a node."""
        silent = self.tree.silent
        # A program may state counts or labels of its leaves alone.
        if word in silent or (node.test is not None and f"inner-{word}" in silent):
            return False
        return word != "counts" or self.has_counts

    @cached_property
    def has_counts(self) -> bool:
        """Whether any node of the tree has counts; if none has, the tree does not state them."""
        return any(any(node.counts) for node in self.tree.nodes)

    def counts(self, number: int) -> Counts | None:
        """The counts that the tree states of a node; where it states those of leaves alone, the sum of those below."""
        node = self.tree.nodes[number]
        if self.tells("counts", node):
            return node.counts
        # The rows of an inner node are those of its leaves; sums of shares would mean nothing.
        is_sum = "inner-counts" in self.tree.silent and "weights" not in self.tree.silent  # shares do not add up
        return self._sums[number] if is_sum and self.has_counts else None

    @cached_property
    def _sums(self) -> list[Counts | None]:
        """For each node the sum of the counts of the leaves below it; None if one of them states none."""
        found: list[Counts | None] = [None] * len(self.tree.nodes)
        for number, node in reversed(list(enumerate(self.tree.nodes))):
            parts = [found[branch] for branch in node.branches]
            if node.test is None:
                found[number] = node.counts if self.tells("counts", node) else None
            # Deviations are taken from the median of each node, and do not add up.
            elif all(part is not None and not isinstance(part, Deviations) for part in parts):
                found[number] = tuple(added([part for part in parts if part is not None]))
        return found


def states_way(tree: Tree, node: Node) -> bool:
    """Whether a tree states where rows without an outcome go; the program of a tree has some rule, even if unstated."""
    return "missing" not in tree.silent and not (tree.program is not None and node.missing.rule == "error")


def records(tree: Tree, learner: Learner) -> bool:
    """Whether a tree of this package is checked against the learner that it records."""
    own, claimed = tree.grower, learner.grower()
    if tree.program is not None or (own.name, own.profile) != (claimed.name, claimed.profile):
        return False
    return all(own.options.get(name) == value for name, value in claimed.options.items())


# How near numbers have to be.

ROUNDED = Fraction(1, 2**40)
"""The error allowed for a difference of sums of doubles in a program, in proportion to the sum of sizes."""

PRINTED = Fraction(1, 10**6)
"""The relative error allowed for a fractional count that a program printed."""

SMALLEST = Fraction(1, 2**1022)
"""The smallest normal double: below it a product y² loses its digits."""

ABSOLUTE = ("absolute_error_reduction",)
"""The scores that are sums of |y|; all other scores for numbers are sums of y²."""


@dataclass(frozen=True)
class Closeness:
    """How far the numbers of one tree may be from the exact ones.

    Args:
        target: the attribute that is predicted.
        numbers: how the program of the tree holds numbers; None for a tree of this package, all of whose are exact.
        has_errors: whether the errors of its nodes are stated.
        agreement: the error allowed for the agreement of a surrogate; None if agreements are not stated.
        added: the number of rows whose weights its program added up.
        printed: how many digits of its means its program printed; None if it did not print them.
        has_weights: whether counts are numbers of rows; otherwise they are the shares of the classes.
    """

    target: Attribute
    numbers: str | None = None
    has_errors: bool = True
    agreement: Fraction | None = Fraction(0)
    added: int = 0
    printed: MeanDigits | None = None
    has_weights: bool = True

    @classmethod
    def of(cls, tree: Tree, rows: int = 0) -> Closeness:
        """That of a tree of so many rows."""
        # A tree of this package has nothing to allow for: every number of it is exact.
        numbers = None if tree.program is None else tree.program.numbers
        agreement = Fraction(0) if numbers is None else ROUNDED
        is_told = tree.grower.options.get("agreement") != "not told"
        has_errors = not {"errors", "labels", "inner-labels"} & tree.silent
        agreement_told, has_weights = agreement if is_told else None, "weights" not in tree.silent
        return cls(tree.target, numbers, has_errors, agreement_told, rows, MeanDigits.of(tree), has_weights)

    @property
    def adds_doubles(self) -> bool:
        """Whether the scores are those of a program that adds up the numbers to be predicted."""
        return self.numbers is not None and self.target.values is None

    def adds_weights(self, *totals: Counts) -> bool:
        """Whether the scores are those of a program that adds up classes by weights which are no whole numbers.

        Args:
            totals: the counts of the rows at a node, and at others that its program adds up or subtracts.
        """
        is_by_class = self.numbers is not None and self.target.values is not None
        return is_by_class and any(Fraction(count).denominator > 1 for total in totals for count in total)

    def weight(self, own: Rational, found: Rational, above: Rational) -> bool:
        """Whether a tree may have stated this weight.

        Args:
            own: the weight that is stated.
            found: the weight that is found.
            above: the weight that was added up, or divided.
        """
        if own == found or self.numbers is None:
            return own == found
        # A program that prints whole counts prints them exactly; only fractions of a row are rounded.
        if self.numbers == "exact":
            return found.denominator > 1 and abs(Fraction(own - found)) <= self.off(found)
        return abs(Fraction(own - found)) <= self.off(above)

    def off(self, above: Rational) -> Rational:
        """The largest difference of a stated weight from the one that is found.

        Args:
            above: the weight that was printed, added up, or divided.
        """
        if self.numbers is None:
            return 0
        return PRINTED * (1 + above) if self.numbers == "exact" else max(HELD, Fraction(self.added, 2**53)) * above

    def counts(self, own: Counts, found: Counts, above: Counts) -> bool:
        """Whether stated counts are those found: of each class, or the number of rows and their error.

        The mean is the prediction of a node, and is judged as such.

        Args:
            own: the counts that the node states.
            found: the counts of the rows that arrive.
            above: the moments of the rows at the parent, from which a program may have subtracted those of the other
                branch.
        """
        if self.target.values is not None and not isinstance(own, Derivatives):
            if not self.has_weights:
                return are_shares(own, found)
            return all(self.weight(*pair, sum(above)) for pair in zip(own, found, strict=True))
        # Of numbers the weight comes first; where it differs, the error says nothing more.
        is_same = self.weight(own[0], found[0], above[0])
        if not is_same or not own[0] or type(own) is not type(found):  # of parts the weight alone is known
            return is_same
        if isinstance(own, Derivatives):
            return self.numbers is not None or own == found
        if not self.has_errors:
            return True
        # The error of the node is compared, and not its sums, because programs state impurities.
        ours, theirs = (Fraction(Node(counts, 0).error) for counts in (found, own))
        is_absolute = isinstance(found, Deviations)
        return ours == theirs or (self.numbers is not None and is_near(ours - theirs, above, absolute=is_absolute))

    def rows(self, own: Counts, found: Counts, above: Counts) -> bool:
        """Whether counts are alike, and so are the means of numbers, as far as a program of doubles states them.

        Args:
            own: the counts that the node states.
            found: the counts of the rows that arrive.
            above: as for `counts`.
        """
        if not self.counts(own, found, above):
            return False
        if not self.adds_doubles or isinstance(own, Derivatives | Deviations) or not own[0] or not found[0]:
            return True
        is_told = self.numbers != "exact" and self.has_errors
        return not is_told or is_near_mean(Fraction(own[1]) / own[0] - Fraction(found[1]) / found[0], found)

    def label(self, label: Label, answer: Answer, sample: Sample) -> bool:
        """Whether a node may predict this: the largest class, or the mean or the median of its rows.

        Args:
            label: the prediction that is stated.
            answer: the prediction of the learner.
            sample: the rows at the node.
        """
        right, counts, total = answer.label, answer.counts, sample.total()
        if isinstance(label, str) or isinstance(right, str):
            if label in (right, *answer.tied):
                return True
            of = dict(zip(self.target.domain, total, strict=True))
            # Classes whose weights differ by less than a rounding may tie for the program.
            nearly = max(of.values()) - ROUNDED * sum(of.values())
            return self.adds_weights(total) and of.get(str(label), 0) >= nearly
        if label == right:
            return True
        label, right = Fraction(label), Fraction(right)
        # Any number that halves the weights is a median, so that a whole interval may be stated.
        if isinstance(counts, Deviations):
            return _is_median(label, sample, Fraction(0) if self.numbers is None else ROUNDED)
        if self.numbers is None:
            return False
        if isinstance(counts, Derivatives):
            return abs(label - right) <= Fraction(1, 2**18) * (1 + abs(right))  # a float32, from sums of float32
        if self.printed is not None and abs(label - right) <= self.printed.half_a_unit(label):
            return True
        return is_near_mean(label - right, counts)

    def score(self, regret: Regret, sample: Sample) -> bool:
        """Whether a test falls so little short of the best one that a program may have found it the best.

        Args:
            regret: by how much it falls short.
            sample: the rows at the node.
        """
        if self.adds_doubles:
            return is_near(regret.in_all, sample.total(), absolute=regret.judged_by in ABSOLUTE)
        return self.adds_weights(sample.total()) and bool(regret.per_row <= ROUNDED)


class MeanDigits(NamedTuple):
    """The most digits of any mean that a program printed: behind the point, and in all but zeros at the ends."""

    places: int
    figures: int

    @classmethod
    def of(cls, tree: Tree) -> MeanDigits | None:
        """Those of a printed tree of numbers; None for any other tree."""
        if THRESHOLDS not in tree.grower.options or tree.target.values is not None:
            return None
        means = [decimal_text(abs(Fraction(tree.nodes[leaf].label))) for leaf in tree.leaves()]
        figures = (len(mean.replace(".", "").strip("0")) for mean in means)
        return cls(max(len(mean.partition(".")[2]) for mean in means), max(figures))

    def half_a_unit(self, mean: Fraction) -> Fraction:
        """Half a unit of the last digit that is printed of a mean.

        Example:
            >>> MeanDigits(3, 7).half_a_unit(Fraction("24517.06")), MeanDigits(2, 2).half_a_unit(Fraction("0.4"))
            (Fraction(1, 200), Fraction(1, 200))
        """
        # MeanDigits are printed up to a number in all: the more stand before the point, the fewer behind it.
        whole = len(str(int(abs(mean)))) if abs(mean) >= 1 else 0
        return Fraction(1, 2) / Fraction(10) ** min(self.places, max(self.figures, whole) - whole)


def _is_median(label: Fraction, sample: Sample, slack: Fraction) -> bool:
    """Whether at most half of the weight, up to a slack, lies on either side of a number."""
    numbers = sample.schema.numbers[sample.schema.target.name]
    weights = sample.against(Values(tuple(numbers))).total()
    below = sum(weight for number, weight in zip(numbers, weights, strict=True) if number < label)
    above = sum(weight for number, weight in zip(numbers, weights, strict=True) if number > label)
    return bool(2 * max(below, above) <= sum(weights) * (1 + slack))


def is_near(difference: Number, added: Counts, *, absolute: bool = False) -> bool:
    """Whether two figures differ so little that they may be equal to a program.

    Args:
        difference: the difference of two sums over rows.
        added: the moments of the rows that were added up.
        absolute: whether |y| was added up, and not y²; their sum is at most √(n·Σy²).

    Example:
        >>> is_near(5, (6, 2 * 10**12 + 10, 2 * 10**24 + 30)), is_near(5, (4, 10, 30))
        (True, False)
    """
    # By Cauchy and Schwarz (Σw|y|)² is at most Σw·Σwy², so that sums of |y| are bounded by the moments.
    w, _, squares = map(Fraction, added)
    off = abs(Fraction(difference))  # every figure of a regression tree is rational
    return bool(off**2 <= ROUNDED**2 * w * squares) if absolute else bool(off <= ROUNDED * squares + SMALLEST * w)


def is_near_mean(difference: Rational, found: Counts) -> bool:
    """Whether a mean may be off by this difference; the mean of |y| is at most 1 + Σy²/n.

    Args:
        difference: the stated mean minus the exact one.
        found: the moments of the rows at the node.
    """
    return bool(abs(Fraction(difference)) <= ROUNDED * (1 + Fraction(found[2]) / found[0]))


def found_no_impurity(node: Node) -> bool | None:
    """Whether a program found no impurity at a node, as the node states it; None if the node does not state it.

    Example:
        >>> found_no_impurity(Node((2, 6, 18), 3)), found_no_impurity(Node((2, 6, 20), 3))
        (True, False)
    """
    if isinstance(node.label, str) or isinstance(node.counts, Derivatives) or not node.counts[0]:
        return None
    return Fraction(node.error) <= EPSILON * node.counts[0]


def are_shares(own: Counts, found: Counts) -> bool:
    """Whether counts are the shares of the classes, as a program prints them.

    Example:
        >>> are_shares((Fraction("0.333333333333"), Fraction("0.666666666667")), (4, 8)), are_shares((1, 0), (4, 8))
        (True, False)
    """
    stated, rows = Fraction(sum(own)), Fraction(sum(found))
    if not stated or not rows:
        return stated == rows
    return all(abs(one / stated - other / rows) <= PRINTED for one, other in zip(own, found, strict=True))
