r"""Risks: what the programs mean by R(t), by |T|, and by 1.

Cost-complexity pruning weighs the risk of a tree against its size. The book and the programs agree on the method and on
little else; so each of the three is a named rule here, and a profile is a choice of rules.

1. *Risk*: what a node gets wrong as a leaf, added up over its rows: `misclassification`, `gini_impurity` or
   `entropy_impurity`. Of a tree that predicts numbers it is the squared (or absolute) error under each of these names.
2. *Size*: `leaves_with_rows` or `questions`.
3. *Unit*: what is divided by at the end, so that trees can be compared: `per_row` or `per_root_risk`.

`convention` is the choice of a profile for a given tree (decision cost.R).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, listed
from reference_tree.exact.log_sums import Number
from reference_tree.learners.criteria import USUAL
from reference_tree.measures.gini_index import gini
from reference_tree.node import Node
from reference_tree.pruning.cost_function import leaf_cost
from reference_tree.tree import Tree

Risk: TypeAlias = Callable[[Node], Number]
"""What a node, as a leaf, gets wrong: an error for each of its rows, added up."""
Size: TypeAlias = Callable[[Node, bool], int]
"""What a node adds to the size of a tree: as a leaf, or as one that asks."""
Unit: TypeAlias = Callable[[Node, Risk], Number]
"""The risk that counts as 1, from the root and the risk."""


# R: what a leaf gets wrong.


def misclassification(node: Node) -> Number:
    r"""The weight of the rows that a leaf gets wrong; for a number, their squared error.

    $$N \, r(t) p(t) = N_t - \max_k N_{tk}$$

    Example:
        >>> misclassification(Node((5, 9), "yes")), misclassification(Node((3, 9, 41), 3))
        (5, 14)

    Source:
        [Breiman1984 §3.3] for classes, [Breiman1984 §8.5] for numbers
    """
    return node.weight - max(node.counts) if isinstance(node.label, str) else node.error


def gini_impurity(node: Node) -> Number:
    r"""The Gini value of a leaf for each of its rows; for a number, their squared error.

    $$N_t \, \mathrm{Gini}(t) = N_t - \sum_k \frac{N_{tk}^2}{N_t}$$

    Example:
        >>> gini_impurity(Node((5, 9), "yes"))
        Fraction(45, 7)

    Source:
        [LiHang2019 §5.5.2], [Breiman1984 §4.3]
    """
    if not isinstance(node.label, str):
        return node.error
    return node.weight * gini(node.counts) if node.weight else 0


def entropy_impurity(node: Node) -> Number:
    r"""The entropy of a leaf for each of its rows; for a number, their squared error.

    $$N_t H_t = \sum_k N_{tk} \log_2 \frac{N_t}{N_{tk}}$$

    Example:
        >>> entropy_impurity(Node((4, 4), "yes"))
        8

    Source:
        [LiHang2019 §5.4]
    """
    return leaf_cost(node.counts) if isinstance(node.label, str) else node.error


# |T|: what a tree costs.


def leaves_with_rows(node: Node, is_leaf: bool) -> int:
    """Size in leaves, |T̃|, as in the book. A leaf that no row reaches is not counted (decision cost.function)."""
    return 1 if is_leaf and node.weight else 0


def questions(_: Node, is_leaf: bool) -> int:
    """Size in splits, as rpart has it: of a binary tree the number of its leaves less 1, which makes no difference."""
    return 0 if is_leaf else 1


# The unit of R.


def per_row(root: Node, _: Risk) -> Number:
    """R is an average over all rows: R(t) = r(t)p(t)."""
    return root.weight


def per_root_risk(root: Node, risk: Risk) -> Number:
    """R is relative to the risk of the root, as rpart's `cp` and `rel error` are."""
    return risk(root) or 1  # a root without risk is the whole path


RISKS: Mapping[str, Risk] = {
    "misclassification": misclassification,
    "gini": gini_impurity,
    "entropy": entropy_impurity,
}
"""The rules for R by their names. A tree that predicts numbers has one risk, its error, under each of them."""


class Convention(NamedTuple):
    """What a program means by R, by |T|, and by 1."""

    risk: Risk | None
    """R; none: the impurity by which the tree was grown."""
    size: Size
    """|T|."""
    unit: Unit
    """1."""
    sequence: str = "weakest-links"
    """How the sequence of prunings is found."""


PROFILES: Mapping[str, Convention] = {
    "cart-1984": Convention(misclassification, leaves_with_rows, per_row),
    "li-hang": Convention(gini_impurity, leaves_with_rows, per_row),
    "scikit-learn": Convention(None, leaves_with_rows, per_row),
    "rpart": Convention(misclassification, questions, per_root_risk, "one-pass"),
}
"""The book's: misclassification even where the tree was grown by Gini. Li Hang's: Gini. scikit-learn's `ccp_alpha`: the
impurity of growing. rpart's `cp`: risk relative to the root's, size in splits, and the complexities of one pass."""


def convention(tree: Tree, profile: str, risk: str | None = None) -> Convention:
    """What a profile means for a tree.

    Args:
        tree: any tree with counts.
        profile: one of `PROFILES`.
        risk: another R than the profile's, by its name.

    Raises:
        InputError: there is no such profile or risk, the tree has no counts, or it does not say by which impurity it
            was grown and the profile asks for that.

    Example:
        >>> import reference_tree as rt
        >>> convention(rt.ID3().grow(rt.textbook("loan")), "rpart").risk.__name__
        'misclassification'
    """
    if profile not in PROFILES:
        raise InputError(f"there is no profile {profile!r} of cost-complexity pruning; there are {listed(PROFILES)}")
    if not tree.nodes[0].weight:
        raise InputError("this tree records no counts, and so has no risk")
    chosen = PROFILES[profile]
    if risk is not None:
        return chosen._replace(risk=_named(risk))
    if chosen.risk is None and tree.target.values is not None:
        return chosen._replace(risk=_as_grown(tree, profile))
    return chosen


def _named(risk: str) -> Risk:
    if risk not in RISKS:
        raise InputError(f"there is no risk {risk!r}; there are {listed(RISKS)}")
    return RISKS[risk]


def _as_grown(tree: Tree, profile: str) -> Risk:
    criterion = str(tree.grower.options.get("criterion"))
    criterion = USUAL[tree.target.kind] if criterion == "auto" else criterion
    if criterion not in RISKS:
        raise InputError(
            f"{profile} prunes by the impurity of growing, and the tree does not say which that was; name one of "
            f"{listed(RISKS)}"
        )
    return RISKS[criterion]
