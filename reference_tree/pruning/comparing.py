"""Comparing: the pruning methods that set a figure of a node as a leaf against one of the subtree below it.

Many methods differ in nothing but their two figures: an estimate of the errors, with and without the subtree, or a
critical value and the best score below. `Comparison` is such a method, as formulas; everything else follows.

1. `Here` is a node as the formulas see it: its counts, and its branches with their figures.
2. `compared_pruning` decides each inner node from below, or from above; it keeps both figures exactly.
3. `comparing` makes the record of a method of a comparison.

The derivation evaluates the same formulas on worked numbers, so it shows what decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Counts, Partition
from reference_tree.exact.log_sums import Number
from reference_tree.exact.worked import work
from reference_tree.learners.recorded import Option
from reference_tree.measures.measure import Quantity
from reference_tree.pruning.cutting import cut, postorder, pruned_by, stayed
from reference_tree.pruning.method import Given, PruningMethod, Record
from reference_tree.tree import Tree


class SubtreePart(NamedTuple):
    """A part of the subtree of a node: a branch, or the rows that stay at the node, which count as a leaf."""

    rows: Number
    """The weight of its rows."""
    figure: Number
    """Its figure: that of a leaf, or of the subtree that is left below."""


# All that a formula may look at: so a method cannot depend on the rest of the tree, and can be worked at one node by
# hand.
class Here(NamedTuple):
    """A node, as the formulas of a comparison see it."""

    rows: Number
    """The weight of its rows, n."""
    right: Number
    """The weight of the class that it predicts, n_c."""
    wrong: Number
    """The weight of the other classes, e."""
    answer: int
    """The place of the class that it predicts."""
    whole: Counts
    """The weight of each class at the root."""
    parts: tuple[SubtreePart, ...] = ()
    """The parts of its subtree that a training row reaches; none for a leaf."""
    table: Partition = Partition((), (), ())
    """The sample partition of its test, from the counts of its branches."""

    def counting(self, counts: Counts) -> Here:
        """The same node with some of its rows."""
        rows, right = Fraction(sum(counts)), Fraction(counts[self.answer])  # so that no quotient is a float
        return self._replace(rows=rows, right=right, wrong=rows - right)


# `is_reached` turns the comparison round: a figure that has to be reached keeps the subtree where it is equal; errors
# that are equal do not, as the leaf is smaller.
@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """Two figures of each inner node, and their comparison.

    Args:
        leaf: the figure of the node as a leaf, a function of `Here`.
        below: the figure of the subtree below it, a function of `Here`, from the figures of its parts.
        allowed: the excess that the figure as a leaf may have, a function of `Here` and of the figure below; None for
            nothing.
        steps: quantities that are shown before, functions of `Here`.
        end: the figure of a leaf as a part of a subtree; None for that of `leaf`.
        is_reached: whether the figure as a leaf is one that the subtree has to reach; it is pruned if it does not.
            Otherwise the node is pruned if the figure as a leaf is at most the one below.
        from_above: whether each node is compared with its subtree as it was grown, beginning at the root.
        words: the meaning of a verdict: of a pruned node, and of one that stays.
    """

    leaf: Quantity
    below: Quantity
    allowed: Quantity | None = None
    steps: tuple[Quantity, ...] = ()
    end: Callable[[Here], Number] | None = None
    is_reached: bool = False
    from_above: bool = False
    words: tuple[str, str] = ("the node becomes a leaf", "the subtree stays")

    def of_end(self, here: Here) -> Number:
        """The figure of a leaf as a part of a subtree."""
        return self.leaf.of(here) if self.end is None else self.end(here)

    def sides(self, here: Here, below: Number) -> tuple[Number, Number]:
        """The two figures that are compared."""
        return self.leaf.of(here), below if self.allowed is None else below + self.allowed.of(here, below)

    def prunes(self, leaf: Number, subtree: Number) -> bool:
        """Whether a node with these figures becomes a leaf."""
        return bool(leaf > subtree if self.is_reached else leaf <= subtree)


class NodeComparison(NamedTuple):
    """The comparison of an inner node."""

    node: int
    """The number of the node, in the tree before pruning."""
    leaf: Number
    """The figure as a leaf."""
    subtree: Number
    """The figure of the subtree, with what was allowed."""
    pruned: bool
    """Whether it became a leaf."""
    here: Here
    """The node, with the figures of the parts of its subtree."""


class ComparedPruning(NamedTuple):
    """A pruned tree, with the figures that were compared."""

    tree: Tree
    """The pruned tree."""
    decisions: tuple[NodeComparison, ...]
    """The comparisons in their order."""
    comparison: Comparison
    """The method."""


def compared_pruning(tree: Tree, comparison: Comparison, record: Record) -> ComparedPruning:
    """Prune a tree by comparisons.

    Args:
        tree: a tree that predicts classes.
        comparison: the figures of the method.
        record: the method and its options, as the pruned tree keeps them.

    Raises:
        InputError: the tree predicts numbers, has no counts, or was grown with priors or losses.

    Source:
        [Esposito1997]
    """
    _check(tree, record["method"])
    figures: dict[int, Number] = {}
    comparisons: dict[int, NodeComparison] = {}
    for number in postorder(tree):
        here = _here(tree, number, figures, comparison)
        # From below a node that was pruned passes up its figure as a leaf. From above nothing is decided yet: the
        # subtrees are those of the grown tree.
        figures[number] = comparison.of_end(here) if here.rows else 0  # of a leaf without rows it is not used
        if here.parts:
            below = comparison.below.of(here)
            leaf, subtree = comparison.sides(here, below)
            pruned = comparison.prunes(leaf, subtree)
            comparisons[number] = NodeComparison(number, leaf, subtree, pruned, here)
            if comparison.from_above or not pruned:
                figures[number] = below
    # From above, a node below a pruned one was compared, but decides nothing.
    decided = tuple(_from_above(tree, comparisons) if comparison.from_above else comparisons.values())
    smaller = cut(tree, [one.node for one in decided if one.pruned])
    return ComparedPruning(pruned_by(smaller, **record), decided, comparison)


def _check(tree: Tree, method: str) -> None:
    if tree.target.values is None:
        raise InputError(f"{method} pruning counts classes, and this tree predicts numbers")
    if not tree.nodes[0].weight:
        raise InputError("this tree records no counts, and so has no errors")
    if tree.costs is not None:
        raise InputError(
            f"{method} pruning weighs all errors alike, and this tree was grown with priors or losses; prune it by "
            "cost-complexity"
        )


def _from_above(tree: Tree, found: Mapping[int, NodeComparison]) -> Iterator[NodeComparison]:
    """The decisions from the root down: below a node that is pruned, there are none."""
    # Only below a node that stays is there anything to decide. The branches are put down in reverse, so that decisions
    # come in preorder.
    pending = [0]
    while pending:
        number = pending.pop()
        if number in found:
            yield found[number]
            pending += () if found[number].pruned else tree.nodes[number].branches[::-1]


def _here(tree: Tree, number: int, figures: dict[int, Number], comparison: Comparison) -> Here:
    """A node with the figures of its branches, which are no longer needed afterwards."""
    node, whole = tree.nodes[number], tuple(map(Fraction, tree.nodes[0].counts))
    answer = tree.target.domain.index(str(node.label))
    here = Here(0, 0, 0, answer, whole).counting(node.counts)
    if node.test is None:
        return here
    # Each figure is read once, by the node above, so at most one figure for each open branch is kept.
    below = [(tree.nodes[branch].counts, figures.pop(branch)) for branch in node.branches]
    # Rows that stay are judged as a leaf with the prediction of the node, which is what they get. Branches that no row
    # reached have no rate of errors, and are left out.
    rest = stayed(tree.nodes, node) or tuple(0 for _ in whole)
    parts = [SubtreePart(Fraction(sum(counts)), figure) for counts, figure in below if any(counts)]
    if any(rest):
        parts.append(SubtreePart(Fraction(sum(rest)), comparison.of_end(here.counting(rest))))
    return here._replace(parts=tuple(parts), table=Partition((), tuple(counts for counts, _ in below), rest))


def worked(here: Here) -> Here:
    """A node in worked numbers, on which the formulas record their derivation."""
    # The formulas run again on these numbers: what is shown is what decided, and not a second formula.
    table = Partition((), work(here.table.rows), work(here.table.unknown))
    parts = tuple(SubtreePart(*work(part)) for part in here.parts)
    rows, right, wrong, whole = work((here.rows, here.right, here.wrong, here.whole))
    return here._replace(rows=rows, right=right, wrong=wrong, whole=whole, parts=parts, table=table)


def comparing(
    figures: Callable[[Record], Comparison],
    *,
    name: str,
    called: str,
    rules: tuple[str, ...],
    options: Mapping[str, Option] = MappingProxyType({}),
    record: Callable[[Tree, Given], dict[str, Any]] = lambda tree, given: dict(given),
) -> PruningMethod:
    """The record of a method that compares.

    Args:
        figures: its figures, with the options of a record.
        name: the name of the method.
        called: the noun in the title of its derivation.
        rules: the ids of the rules by which it decides.
        options: its options.
        record: the options that a pruned tree keeps, from the tree and the given options.
    """

    def perform(tree: Tree, kept: Record, _: Any, __: Any) -> ComparedPruning:
        # A record comes from a document: an option that nobody reads is refused.
        if strange := sorted({*kept} - {*options}):
            raise ValueError(f"there is no option {strange[0]!r}")
        return compared_pruning(tree, figures(kept), {"method": name, **kept})

    return PruningMethod(
        name=name,
        called=called,
        options=options,
        rules=rules,
        record=lambda tree, given, _: record(tree, given),
        perform=perform,
    )
