r"""The cost function: the entropy of a tree's leaves, plus a price for each leaf.

A fully grown tree fits its training data as well as it can, including the noise. The cost adds a price α for each leaf
to the entropy of the leaves, in bits:

$$C_\alpha(T) = \sum_{t=1}^{|T|} N_t H_t(T) + \alpha |T|$$

The sum is -log2 of the likelihood of the training data under the tree, each leaf having the distribution that makes it
most likely: the cost is a *penalised log-likelihood*, and α is the number of bits that a leaf has to save.

1. `leaf_cost` is the term of one leaf in the sum, and `cost` the cost of a whole tree.
2. `cost_function` prunes to the smallest cost. It goes through the tree from below: a node whose branches are settled
   becomes a leaf if that costs no more than the subtree below it. No pruning of the tree is cheaper than the result,
   and of those that cost as much none is smaller.

The costs of every node, as a leaf and with its subtree, are kept (`Weighing`): they fully explain the result. All of it
is exact: the sums are `LogSum`s, so α may be one as well.

Source:
    [N0 EN §4], [N1 §1.2 loss], [N1 §1.6], [LiHang2019 §5.4]. N0 calls the cost the sum of the entropies; each is
    weighted with the rows of its leaf. N1 calls the loss a regularised likelihood; it is the negative of its logarithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from reference_tree.data.errors import InputError, wording
from reference_tree.data.sample import Counts
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import exact_text, exactly, rational
from reference_tree.exact.reals import Real
from reference_tree.measures.entropy import entropy, self_information
from reference_tree.node import Node
from reference_tree.pruning.cutting import cut, postorder, pruned_by, stayed
from reference_tree.pruning.method import ALPHA, PruningMethod, needed
from reference_tree.tree import Tree


class Weighing(NamedTuple):
    """The two costs of an inner node that pruning compared, after all nodes below it were decided.

    Source:
        [N0 EN §4 recursion]
    """

    node: int
    """The number of the node, in the tree before pruning."""
    leaf: Number
    """The cost of the node as a leaf: N_t·H_t + α."""
    subtree: Number
    """The cost of the remaining leaves below it."""
    pruned: bool
    """Whether it became a leaf."""


class CostPruning(NamedTuple):
    """A pruned tree, with the costs that were compared."""

    tree: Tree
    """The pruned tree."""
    cost: Number
    """Its cost."""
    weighings: tuple[Weighing, ...]
    """Both costs of each inner node, in postorder."""


# Rows that stay at an inner node are coded with the distribution of all rows there, as that is the prediction they get;
# so the cost is no entropy of their own.
def leaf_cost(counts: Counts, rows: Counts | None = None) -> Number:
    r"""The cost of a leaf without its price: N_t times its entropy.

    $$N_t H_t(T) = \sum_{k} N_{tk} \log_2 \frac{N_t}{N_{tk}}$$

    It is -log2 of the likelihood that the leaf gives its rows.

    Args:
        counts: N_t1, ..., N_tK: the weight of each class in the leaf.
        rows: the rows whose part of the cost is wanted; None for all rows of the leaf.

    Returns:
        The cost in bits; 0 for an empty leaf, as for a pure one.

    Example:
        >>> float(leaf_cost((5, 9))), leaf_cost((4, 4)), leaf_cost((0, 0)) == 0
        (13.164003421388834, 8, True)

    Source:
        [N0 EN §4 eq. (5)], [N1 §1.2 loss], [LiHang2019 §5.4]
    """
    n = sum(counts)
    if rows is None:
        return n * entropy(counts) if n else 0
    return sum((row * self_information(Fraction(k) / n) for row, k in zip(rows, counts, strict=True) if row), 0)


def cost(tree: Tree, alpha: Number = 0) -> Number:
    r"""The cost of a tree.

    $$C_\alpha(T) = \sum_{t=1}^{|T|} N_t H_t(T) + \alpha |T|$$

    Rows that stay at a node, as a value is missing, add their part of that node's entropy.

    Args:
        tree: a tree that predicts classes.
        alpha: α, the price of a leaf in bits, at least 0: any exact number.

    Returns:
        C_α(T). A leaf that no training row reaches is not counted: it has no rows to describe, and whether it is there
        depends on which values were declared (decision cost.function).

    Raises:
        InputError: α is negative, or the tree predicts numbers or has no counts.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> cost(rt.ID3().grow(days), alpha=2), float(cost(rt.ID3(max_depth=0).grow(days), alpha=2))
        (10, 15.164003421388834)

    Source:
        [N0 EN §4 eq. (5)], [LiHang2019 §5.4]
    """
    alpha = _checked(tree, alpha)
    # A leaf without rows costs nothing, not even α, as it codes no row (decision cost.function).
    leaves = sum((_leaf(tree.nodes[number].counts, alpha) for number in tree.leaves()), 0)
    return leaves + sum((_staying_cost(tree.nodes, node) for node in tree.nodes), 0)


# One pass decides, without searching prunings: the costs of branches add up, so each is cheapest by itself. Entropies
# are compared exactly, and at equal costs the smaller tree wins, where rounding would decide by chance.
def cost_function(tree: Tree, alpha: Number) -> CostPruning:
    r"""The cheapest pruning of a tree, or if several are equal, the smallest of these.

    The inner nodes are decided from below. The cost of a tree is a sum over its leaves, so the best subtree of one
    branch does not depend on the other branches, and each node has two choices: to be a leaf, or to keep the best
    subtree of each branch.

    $$C_\alpha(t) = \min \Big( N_t H_t + \alpha,\; \sum_{s \text{ below } t} C_\alpha(s) \Big)$$

    Args:
        tree: a tree that predicts classes.
        alpha: α, the price of a leaf in bits, at least 0: any exact number.

    Returns:
        The pruned tree with both costs of each node. A node is pruned if they are equal.

    Raises:
        InputError: α is negative, or the tree predicts numbers or has no counts.

    Example:
        >>> import reference_tree as rt
        >>> pruning = cost_function(rt.ID3().grow(rt.textbook("play-tennis")), alpha=4)
        >>> for node, leaf, subtree, pruned in pruning.weighings:
        ...     print(node, float(leaf), float(subtree), pruned)
        2 8.854752972273344 8.0 False
        5 8.854752972273344 8.0 False
        0 17.164003421388834 20.0 True
        >>> len(pruning.tree.nodes)
        1

    Source:
        [N0 EN §4 recursion], [N0 EN §4 eq. (5)], [N1 §1.6], [N3 Occam's Razor], [LiHang2019 §5.4]. N0 and N1 do not
        say what happens when both cost the same; Li Hang prunes.
    """
    alpha = _checked(tree, alpha)
    costs: dict[int, Number] = {}
    weighings: list[Weighing] = []
    for number in postorder(tree):
        node = tree.nodes[number]
        costs[number] = _leaf(node.counts, alpha)
        if node.test is not None:
            below = sum((costs.pop(branch) for branch in node.branches), 0)
            as_leaf, as_subtree = costs[number], below + _staying_cost(tree.nodes, node)
            pruned = bool(as_leaf <= as_subtree)
            weighings.append(Weighing(number, as_leaf, as_subtree, pruned))
            costs[number] = as_leaf if pruned else as_subtree
    smaller = cut(tree, [weighing.node for weighing in weighings if weighing.pruned])
    noted = pruned_by(smaller, "cost-function", alpha=str(alpha))
    return CostPruning(noted, costs[0], tuple(weighings))


def _leaf(counts: Counts, alpha: Number) -> Number:
    """The cost of a leaf with its price; 0 for a leaf without rows."""
    occurring = present(counts)
    return leaf_cost(occurring) + alpha if occurring else 0


def present(counts: Counts) -> Counts:
    """The weights of the classes that occur: the others add nothing to the entropy, and may be many.

    Example:
        >>> present((0, 5, 0, 9))
        (5, 9)
    """
    return tuple(filter(None, counts))


def _staying_cost(nodes: Sequence[Node], node: Node) -> Number:
    """The part of the rows that stay at a node in the cost of the tree below it."""
    rows = stayed(nodes, node)
    return 0 if rows is None else leaf_cost(node.counts, rows)


def checked_alpha(alpha: Number) -> Number:
    """The exact value of the price of a leaf.

    Args:
        alpha: α; a float stands for its own binary value.

    Raises:
        InputError: α is negative, or no finite number.

    Example:
        >>> checked_alpha(0.5), checked_alpha(2.0)
        (Fraction(1, 2), 2)
    """
    try:
        # A sum of logarithms is a price as well: those at which a pruning changes are of this form.
        exact = alpha if isinstance(alpha, Real) else exactly(alpha)
    except (TypeError, ValueError) as error:
        raise InputError(f"alpha is the price of a leaf: {error}") from error
    if exact < 0:
        raise InputError(f"alpha is the price of a leaf and not negative, but {alpha}")
    return exact


def _checked(tree: Tree, alpha: Number) -> Number:
    # A number has no entropy; its tree is pruned by cost and complexity, whose risk is the squared error.
    if tree.target.values is None:
        raise InputError("the cost function is made of entropies, and this tree predicts numbers")
    if not any(tree.nodes[0].counts):
        raise InputError("this tree records no counts, and so has no cost")
    return checked_alpha(alpha)


def _lack() -> str:
    return f"cost-function needs the price of a leaf in bits: {wording('alpha=...', '--alpha NUMBER')}"


COST_FUNCTION = PruningMethod(
    name="cost-function",
    called="the cost function",
    options=ALPHA,
    conflicts=(needed("alpha", words=_lack),),
    record=lambda _, given, __: {"alpha": exact_text(given["alpha"])},
    perform=lambda tree, record, _, __: cost_function(tree, rational(record["alpha"])),
    rules=("cost.function",),
)
