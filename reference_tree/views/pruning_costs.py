r"""Pruning by costs, worked out: both methods that put a price on each leaf.

1. `costs`: the cost function, $N_t H_t + \alpha$ against the sum over the leaves that are left below, with α for each.
2. `links`: cost-complexity pruning, round by round: $g(t) = (R(t) - R(T_t)) / (|\tilde T_t| - 1)$ of every link that is
   left, of which the weakest are cut, as long as their g is not above α.

The formulas that decide are run on worked numbers here, so what is shown is what was computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reference_tree.data.sample import Counts
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import Worked, work
from reference_tree.node import Node
from reference_tree.pruning.cost_complexity import Path
from reference_tree.pruning.cost_function import CostPruning, leaf_cost
from reference_tree.pruning.record import PathPruning
from reference_tree.pruning.risks import Risk, convention, misclassification
from reference_tree.tree import Tree
from reference_tree.views.blocks import Equation, Equations, Heading, Legend, Sentence, Symbol
from reference_tree.views.names import one_line
from reference_tree.views.pruning_parts import Part, compared, heading, of_node, quantity, total
from reference_tree.views.pruning_sheets import figure, rounded
from reference_tree.views.pruning_tables import Round, rounds

# Cost function.

COST = Symbol("C_α(t)", r"C_\alpha(t)")
COST_BELOW = Symbol("C_α(T_t)", r"C_\alpha(T_t)")
COST_LEGEND = Legend(
    (
        (COST, "the cost of node t as a leaf: its rows times their entropy, and α"),
        (COST_BELOW, "the cost of what is left below it: the same sum over its leaves, and α for each"),
    )
)


def costs(tree: Tree, found: CostPruning, alpha: Rational) -> Iterator[Part]:
    """The decisions of the cost function.

    Args:
        tree: before it was pruned.
        found: what pruning found.
        alpha: α, the price of a leaf in bits.

    Source:
        [N0 EN §4 eq. (5)], [N0 EN §4 recursion], [LiHang2019 §5.4]
    """
    left: dict[int, tuple[Worked, int]] = {}  # below a node that was judged: the bits its leaves leave open; how many
    for number, _, __, pruned in found.weighings:
        branches = [branch for branch in tree.nodes[number].branches if any(tree.nodes[branch].counts)]
        below = [left.get(branch) or (_bits(tree.nodes[branch].counts), 1) for branch in branches]
        own, bits, leaves = (
            _bits(tree.nodes[number].counts),
            total([bits for bits, _ in below]),
            sum(n for _, n in below),
        )
        left[number] = (own, 1) if pruned else (quantity(bits), leaves)
        as_leaf, as_tree = own + work(alpha), bits + work(alpha) * work(leaves)
        lines = (Equation(COST, as_leaf, "bits"), Equation(COST_BELOW, as_tree, "bits"))
        said = Sentence(_cheaper(as_leaf.value, as_tree.value))
        yield Part(frozenset({number}), (heading(tree, number), Equations(lines), said))


def _bits(counts: Counts) -> Worked:
    """N_t·H_t."""
    found: Worked = work(leaf_cost(work(list(counts))))
    return found


def _cheaper(as_leaf: Number, as_tree: Number) -> str:
    told = compared(as_leaf, as_tree, rounded)
    if as_leaf > as_tree:
        return f"{told}: the leaf costs more, and the subtree stays."
    if as_leaf == as_tree:
        return f"{told}: both cost the same, and the node becomes a leaf."
    return f"{told}: the leaf costs less, and takes the place of the subtree."


# Cost-complexity.

LINKS_LEGEND = Legend(
    (
        (Symbol("R(t)", "R(t)"), "the risk of node t as a leaf"),
        (Symbol("R(T_t)", "R(T_t)"), "the risk of the leaves that are left below it"),
        (Symbol("g(t)", "g(t)"), "what these leaves save, R(t) − R(T_t), for each of them but one"),
    )
)


def links(found: PathPruning, alpha: Number) -> Iterator[Part]:
    """The rounds of cost-complexity pruning, and before them the risk of each node as a leaf.

    Args:
        found: the tree that was taken, and the sequence.
        alpha: α, for which it was taken.

    Source:
        [Breiman1984 §3.3], [LiHang2019 §5.5.2]
    """
    tree = found.path.tree
    risk = convention(tree, found.profile, found.risk).risk or misclassification
    own = [_risk(tree, node, risk) for node in tree.nodes]
    asking = [number for number, node in enumerate(tree.nodes) if node.test is not None]
    if asking:
        lines = tuple(Equation(of_node("R", tree, number), own[number]) for number in asking)
        yield Part(frozenset(asking), (Sentence("The risk of each node, if it were a leaf:"), Equations(lines)))
    for number, one in enumerate(rounds(found), 1):
        alive = [link.node for link in one.links]
        below = _below(found.path, own, alive)
        lines = tuple(
            Equation(of_node("g", tree, link.node), _g(own[link.node], below[link.node], link.saved))
            for link in one.links
        )
        head = Heading(f"round {number}", "links", (str(len(alive)),), (str(len(alive)),))
        said = Sentence(_weakest(found.path, one, alpha))
        yield Part(frozenset(alive), (head, Equations(lines), said))


def _risk(tree: Tree, node: Node, risk: Risk) -> Worked:
    """R(t), by the rule that decides, as a share of all rows."""
    is_class = isinstance(node.label, str) and any(node.counts)
    worked = work(risk(replace(node, counts=tuple(work(list(node.counts)))) if is_class else node))
    found: Worked = worked / work(tree.nodes[0].weight)
    return found


def _below(path: Path, own: Sequence[Worked], alive: Sequence[int]) -> dict[int, Worked]:
    """R(T_t) of each link that is left."""
    found: dict[int, Worked] = {}
    for number in sorted(alive, reverse=True):  # in preorder, what is below a node has a higher number
        branches = path.tree.nodes[number].branches
        terms = [found[branch] if branch in found else quantity(own[branch]) for branch in branches]
        found[number] = quantity(total(terms))
    return found


def _g(leaf: Worked, subtree: Worked, saved: int) -> Worked:
    saving = quantity(leaf) - subtree
    return saving / work(saved) if saved else Worked(0, "number")


def _weakest(path: Path, one: Round, alpha: Number) -> str:
    """What the least g leads to."""
    least, leaves = one.step.alpha, one.step.leaves
    if not one.gone:
        return f"The least is above the price of a leaf, {compared(least, alpha)}: nothing more is cut."
    names = ", ".join(one_line(path.tree.path(top)) for top in one.step.weakest)
    left = f"{leaves} {'leaf is' if leaves == 1 else 'leaves are'} left, R(T) = {figure(one.step.risk)}"
    return f"The least is {figure(least)}; the links that are so weak are cut together: {names}. {left}."
