r"""Release 8 of Quinlan's program C4.5: its rules that the textbooks do not have, or state differently.

1. The least weight on each side of a cut: `tenth_of_a_class`.
2. The penalty of a cut for having been chosen among many: `log_of_tries`.
3. The number of branches that have to be large enough: `two_large_branches`.
4. The place of the threshold in its gap: `at_observed_value`.
5. The gains that count in the average, and the tolerance below it: `near_average`, `ordinary`.
6. "Unknown" as an outcome of its own in the split information
   (`reference_tree.splitting.missing_values.split_information_with_unknown`).
7. The subtrees removed after the tree is grown: `collapsed`.

Each rule stands beside that of the textbooks, which has no such effect. `reference_tree.programs.c45_options` is the
learner that uses them.

Collapsing removes a split that saves no error on its own training rows. Quinlan's program and Weka's grow by the gain
ratio, which can be positive although the majority is the same in all branches. Such a split predicts nothing new. So
after a tree is grown, a subtree becomes a leaf wherever its leaves together make as many errors as the leaf would. This
is no pruning: no estimate is involved, and "unpruned" trees are collapsed too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import TypeAlias

from reference_tree.data.questions import Threshold
from reference_tree.data.schema import Schema, SortedNumbers
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.rationals import Rational
from reference_tree.learners.c45 import TiedTests, average_gain
from reference_tree.node import Node
from reference_tree.splitting.candidate import large_enough
from reference_tree.splitting.missing_values import (
    SplitInformation,
    split_information_of_known,
    split_information_with_unknown,
)
from reference_tree.subtrees import assemble, leaf
from reference_tree.tree import Tree

CutMinimum: TypeAlias = Callable[[Rational, Rational, int], Rational]
"""The least weight on each side of a cut, from that of a branch, the known weight and the number of classes."""
Penalty: TypeAlias = Callable[[int, Rational], Number | None]
"""The penalty of a cut, from the number of cuts tried and the weight of the node."""
BranchMinimum: TypeAlias = Callable[[Sequence[Rational], Rational], bool]
"""Whether the branches are large enough, from their weights and the least weight of a branch."""
Position: TypeAlias = Callable[[Threshold, Sequence[Rational], Rational], Threshold]
"""A cut with its threshold moved, from the cut, all values of the attribute in the table, and the slack."""

MOST = 25
"""The most that release 8 and J48 demand on each side of a cut, unless every branch needs more."""

TOLERANCE = Fraction(1, 1000)
"""The amount by which a gain may be below the average in both programs (decision c45.average)."""

MANY_VALUES = Fraction(3, 10)
"""An attribute has very many values if their number is at least this share of the weight of the table."""


def as_in_any_branch(minimum: Rational, known: Rational, classes: int) -> Rational:
    """Each side of a cut has to be as large as any branch: the rule of the textbook."""
    return minimum


@lru_cache(maxsize=1 << 12)
def tenth_of_a_class(minimum: Rational, known: Rational, classes: int) -> Rational:
    r"""On each side of a cut, a tenth of the known weight per class, within bounds.

    $$m = \max\left(\mathrm{minimum},\ \min\left(\frac{|\tilde D|}{10\,K},\ 25\right)\right)$$

    A single row can always be split off, and such a split predicts little.

    Args:
        minimum: the least weight of a branch.
        known: |D̃|, the weight of the rows that have a value.
        classes: K, the number of declared classes, including those without rows.

    Example:
        >>> [str(tenth_of_a_class(2, known, 3)) for known in (30, 150, 155, 6000)]
        ['2', '5', '31/6', '25']

    Source:
        [Quinlan1993 §2.4]; the figures are those of the programs, release 8 and J48. If the minimum is above 25, and
        the tenth larger still, J48 is content with 25; release 8 refuses such a cut, and so does this rule.
    """
    # The bound of 25 holds for the tenth, not for the user's own minimum.
    tenth = min(known * Fraction(1, 10 * classes), Fraction(MOST))
    return tenth if tenth > minimum else minimum


def no_charge(tries: int, weight: Rational) -> Number | None:
    """A cut costs nothing: the rule of the textbooks.

    Source:
        [N2 §4.1 Gain], [Quinlan1993 §2.4]
    """
    return None


@lru_cache(maxsize=1 << 12)
def log_of_tries(tries: int, weight: Rational) -> Number | None:
    r"""The number of bits that say which of the cuts was chosen, per row.

    $$\mathrm{penalty} = \frac{\log_2 (N - 1)}{|D|}$$

    Args:
        tries: N - 1, the number of cuts tried.
        weight: |D|, the weight of all rows at the node, including those without a value.

    Example:
        >>> log_of_tries(8, 14), log_of_tries(1, 14)
        (3/14, 0)

    Source:
        [Quinlan1996 §3]. He writes N for the number of distinct values; the programs count the cuts that they try.
    """
    # The bits that name one of N - 1 cuts are sent once, for all rows together.
    return log(tries) / weight


def every_branch(weights: Sequence[Rational], minimum: Rational) -> bool:
    """Every branch with any weight has at least the minimum: the rule of the textbook."""
    return large_enough(weights, minimum)


def two_large_branches(weights: Sequence[Rational], minimum: Rational) -> bool:
    """At least two branches have at least the minimum; the others may be of any size.

    This protects C4.5 from a column that numbers the rows.

    Example:
        >>> two_large_branches([1] * 14, 2), two_large_branches([5, 4, 1], 2)
        (False, True)

    Source:
        [Quinlan1993 §2.3]
    """
    # A branch without any row does not count, even if the minimum is 0.
    return sum(1 for weight in weights if weight and weight >= minimum) >= 2


def at_midpoint(cut: Threshold, values: Sequence[Rational], slack: Rational) -> Threshold:
    """The threshold halfway between the two values: the rule of the textbooks.

    Source:
        [N2 §4.1 T_i], [N4 Continuous valued features: midpoints]
    """
    return cut


def at_observed_value(cut: Threshold, values: Sequence[Rational], slack: Rational) -> Threshold:
    """The threshold at the largest value of the whole table that is not above the midpoint.

    A tree then shows only numbers that occur in the data. It divides the rows of the node as before; but the threshold
    may be a value that no row of the node has.

    Args:
        cut: the cut at the midpoint.
        values: the values of the attribute in the whole table, ascending.
        slack: a value above the midpoint by at most this counts as not above it.

    Example:
        >>> at_observed_value(Threshold("humidity", Fraction(155, 2), (75, 80)), (65, 70, 75, 77, 80), 0).threshold
        77

    Source:
        [Quinlan1993 §2.4]
    """
    # The table's sorted numbers have a search of their own; any other list is bisected.
    up_to = values.up_to if isinstance(values, SortedNumbers) else partial(bisect_right, values)
    # With a slack, a value a little above the midpoint counts as not above it.
    most = cut.threshold + slack if slack else cut.threshold
    # A gap narrower than the slack: without this, both neighbours would fall on one side.
    if slack and cut.interval is not None and most >= cut.interval[1]:  # the value above the cut stays above it
        place = up_to(cut.interval[1]) - 1
    else:
        place = up_to(most)
    return Threshold(cut.attribute, values[place - 1], cut.interval, cut.strict)


def near_average(attributes: Sequence[TiedTests]) -> Sequence[TiedTests]:
    """The attributes whose gain is at least the average minus 1/1000.

    Source:
        [Quinlan1993 §2.2]; the tolerance is only in the programs, release 8 and J48.
    """
    average = average_gain(questions[0].gain for questions in attributes)
    return reaching(attributes, average)


def reaching(attributes: Sequence[TiedTests], average: Number) -> Sequence[TiedTests]:
    """The attributes whose gain is at least an average minus the tolerance."""
    # Every representative of an attribute has the same gain, so the first one stands for all.
    return [questions for questions in attributes if questions[0].gain >= average - TOLERANCE]


def ordinary(schema: Schema, weight: Rational) -> frozenset[str]:
    """The attributes that do not have very many values, by the weight of the table; all attributes, if all have.

    An attribute with three tenths as many values as the table has rows raises the average beyond the reach of
    others, so its gain is left out of the average. It can still win.

    Source:
        Release 8 and J48. Both count the rows of the table, whatever they weigh. Here it is the weight, as everywhere:
        a row of weight 2 counts as two rows.
    """
    # Only declared values count. A number has one cut, however many values it has.
    categorical = [attribute for attribute in schema.attributes if attribute.kind == "categorical"]
    most = MANY_VALUES * weight
    many = {attribute.name for attribute in categorical if len(attribute.domain) >= most}
    names = frozenset(attribute.name for attribute in schema.attributes)
    # If all had very many, no attribute would be left to average.
    return names if len(many) == len(names) else names - many


CUT_MINIMUM: Mapping[str, CutMinimum] = {"same": as_in_any_branch, "tenth-of-a-class": tenth_of_a_class}
PENALTY: Mapping[str, Penalty] = {"none": no_charge, "log-of-tries": log_of_tries}
BRANCH_MINIMUM: Mapping[str, BranchMinimum] = {"every": every_branch, "two": two_large_branches}
POSITION: Mapping[str, Position] = {"midpoint": at_midpoint, "observed-value": at_observed_value}
SPLIT_INFORMATION: Mapping[str, SplitInformation] = {
    "of-known": split_information_of_known,
    "with-unknown": split_information_with_unknown,
}


LEAST_SAVING = Fraction(1, 1000)
"""A subtree is kept if it makes fewer errors than a leaf by more than this."""

Collapse: TypeAlias = Callable[[Tree], Tree]
"""A rule for a tree after it is grown."""


def kept_whole(tree: Tree) -> Tree:
    """The grown tree, unchanged."""
    return tree


def training_errors(tree: Tree) -> list[Rational]:
    r"""The training errors of the leaves below each node, by weight.

    $$e(T_t) = \sum_{l \in T_t} \left( N_l - \max_j N_{lj} \right)$$

    Args:
        tree: a class tree with its counts.

    Returns:
        A number for each node; that of a leaf is its own error.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3(max_depth=1).grow(rt.textbook("play-tennis"))
        >>> [str(errors) for errors in training_errors(tree)]
        ['4', '0', '2', '2']

    Source:
        [Quinlan1993]
    """
    errors: list[Rational] = [own_errors(node) for node in tree.nodes]
    # One pass from the leaves up, without recursion.
    for number in reversed(range(len(tree.nodes))):  # in preorder, the nodes below a node have higher numbers
        if below := tree.nodes[number].branches:
            errors[number] = sum(errors[branch] for branch in below)
    return errors


def own_errors(node: Node) -> Rational:
    """The weight of the rows that a node gets wrong as a leaf: all but the majority."""
    return sum(node.counts) - max(node.counts)


def collapsed(tree: Tree) -> Tree:
    r"""The tree with a leaf in place of every subtree that saves no error.

    $$e(T_t) \geq N_t - \max_j N_{tj} - \tfrac{1}{1000}$$

    All errors are counted in the tree as it was grown: for a subtree above, it makes no difference whether a subtree
    below it collapses. So the result does not depend on the order of the nodes.

    Args:
        tree: a class tree as it was grown.

    Returns:
        The same nodes, but fewer; a new leaf has the reason `collapsed`, and the label of the node.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"a": list("ppppqqqq"), "y": list("nnnnnnny")})
        >>> tree = rt.ID3().grow(table)
        >>> len(tree.nodes), [(node.stop, node.label) for node in collapsed(tree).nodes]
        (3, [('collapsed', 'n')])

    Source:
        [Quinlan1993]. It is in the program and in none of the sections: while it forms a tree, release 8 tests a
        node when all below it is done. J48 does it from the root down.
    """
    # Counted in the tree as grown, so that the order of collapsing does not matter.
    errors = training_errors(tree)
    leaves = {
        number: leaf(node, "collapsed")
        for number, node in enumerate(tree.nodes)
        # The programs compare doubles, and allow a thousandth for their rounding; weights are exact here.
        if node.branches and errors[number] >= own_errors(node) - LEAST_SAVING
    }
    return assemble(tree, leaves) if leaves else tree


COLLAPSE: Mapping[str, Collapse] = {"never": kept_whole, "no-fewer-errors": collapsed}
"""The rules by their names in a tree document."""
