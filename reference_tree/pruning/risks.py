r"""Risks: the definitions of the risk R(t), the size |T|, and the unit of R, in the book and in programs.

Cost-complexity pruning weighs the risk of a tree against its size. The book and the programs agree on the method but on
little else; so each of the three is a named rule here, and a profile is a choice of rules.

1. *Risk*: the error of a node as a leaf, summed over its rows: `misclassification`, `gini_impurity` or
   `entropy_impurity`. For a tree that predicts numbers each of these names means the squared (or absolute) error.
2. *Size*: `leaves_with_rows`, or the number of splits.
3. *Unit*: the final divisor, which makes trees comparable: `per_row` or `per_root_risk`.

`convention` is the choice of a profile for a given tree (decision cost.R). If the tree was grown with priors or losses,
mistakes have the same costs here (`Tree.costs`): the risk is the expected loss of the node's prediction.

Where values are missing, rows can *stay* at an inner node. They get its prediction, and not that of a node below, so
each risk can also be computed for only these rows (`reference_tree.pruning.cutting.stayed`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeAlias

from reference_tree.data.errors import InputError, listed, no_such
from reference_tree.data.sample import Counts
from reference_tree.data.schema import Attribute
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import simplest
from reference_tree.learners.criteria import USUAL
from reference_tree.measures.gini_index import gini
from reference_tree.measures.misclassification import Costs
from reference_tree.node import Deviations, Node
from reference_tree.pruning.cost_function import leaf_cost, present
from reference_tree.tree import Tree


class Risk(Protocol):
    """The risk R(t) of a node as a leaf: the sum of an error for each of its rows."""

    def __call__(self, node: Node, rows: Counts | None = None, /) -> Number:
        """The risk.

        Args:
            node: the node, with its counts and its prediction.
            rows: the rows whose part of the risk is wanted; None for all rows of the node.
        """


Size: TypeAlias = Callable[[Node, bool], int]
"""Gives the part of a node in the size of a tree: as a leaf, or as an inner node."""
Unit: TypeAlias = Callable[[Node, Risk], Number]
"""Gives the risk that counts as 1, from the root and the risk."""


# R: the error of a leaf.


def misclassification(node: Node, rows: Counts | None = None) -> Number:
    r"""The weight of the rows that a leaf predicts wrongly; for a number, their squared error.

    $$N \, r(t) p(t) = N_t - \max_k N_{tk}$$

    Args:
        node: the leaf.
        rows: the rows whose part of the risk is wanted; None for all rows of the leaf.

    Example:
        >>> misclassification(Node((5, 9), "yes")), misclassification(Node((3, 9, 41), 3))
        (5, 14)
        >>> misclassification(Node((5, 9), "yes"), (2, 1))      # two of these three are not "yes"
        2

    Source:
        [Breiman1984 §3.3] for classes, [Breiman1984 §8.5] for numbers
    """
    if not isinstance(node.label, str):
        return _error(node, rows)
    if rows is None:
        # Of all rows the label has one of the largest counts. Of some rows alone it need not: these are counted with
        # the label of the node.
        return node.weight - max(node.counts)
    return sum(rows) - rows[_majority(node)]


def gini_impurity(node: Node, rows: Counts | None = None) -> Number:
    r"""The Gini value of a leaf for each of its rows; for a number, their squared error.

    $$N_t \, \mathrm{Gini}(t) = N_t - \sum_k \frac{N_{tk}^2}{N_t} = \sum_k N_{tk} \Bigl(1 - \frac{N_{tk}}{N_t}\Bigr)$$

    Args:
        node: the leaf.
        rows: the rows whose part of the risk is wanted, the terms of their classes in the last sum; None for all rows
            of the leaf.

    Example:
        >>> gini_impurity(Node((5, 9), "yes"))
        Fraction(45, 7)

    Source:
        [LiHang2019 §5.5.2], [Breiman1984 §4.3]
    """
    if not isinstance(node.label, str):
        return _error(node, rows)
    if rows is None:
        occurring = present(node.counts)
        return node.weight * gini(occurring) if occurring else 0
    # The probability that another draw from the node differs: for some of its rows the shares stay those of the node.
    return sum(row * (1 - Fraction(n) / node.weight) for row, n in zip(rows, node.counts, strict=True) if row)


def entropy_impurity(node: Node, rows: Counts | None = None) -> Number:
    r"""The entropy of a leaf for each of its rows; for a number, their squared error.

    $$N_t H_t = \sum_k N_{tk} \log_2 \frac{N_t}{N_{tk}}$$

    Args:
        node: the leaf.
        rows: the rows whose part of the risk is wanted, the terms of their classes in the sum; None for all rows of
            the leaf.

    Example:
        >>> entropy_impurity(Node((4, 4), "yes")), entropy_impurity(Node((4, 4), "yes"), (1, 0))
        (8, 1)

    Source:
        [LiHang2019 §5.4]
    """
    if not isinstance(node.label, str):
        return _error(node, rows)
    return leaf_cost(present(node.counts) if rows is None else node.counts, rows)


def _error(node: Node, rows: Counts | None) -> Number:
    """The squared or absolute error of numbers; for some of the rows, from their moments."""
    if rows is None:
        return node.error
    if isinstance(node.counts, Deviations):
        # No rows, no error; only rows that did stay would need deviations that nobody recorded.
        if not rows[0]:
            return 0
        raise InputError("rows stay at a node of this tree, and their absolute errors are not recorded; prune another")
    w, wy, wyy = rows
    assert not isinstance(node.label, str)
    return simplest(Fraction(wyy - 2 * node.label * wy + node.label * node.label * w))


def _majority(node: Node) -> int:
    """The place of the class that a node answers: one of the largest."""
    # A tie is recorded in `tied`, in class order; the label is the one that the tree says.
    largest = [place for place, count in enumerate(node.counts) if count == max(node.counts)]
    return largest[node.tied.index(str(node.label))] if len(node.tied) == len(largest) else largest[0]


# The costs of mistakes.


def expected_loss(costs: Costs, target: Attribute) -> Risk:
    r"""The risk under losses: the cost of a leaf's prediction on its rows.

    $$\sum_j C(i \mid j) \, w_j N_{tj}$$

    i is the prediction of the leaf, and w_j the weight of a row of the class j under the priors.

    Args:
        costs: priors and losses.
        target: the classes.

    Example:
        >>> risk = expected_loss(Costs((1, 1), ((0, 5), (1, 0))), Attribute("play", ("no", "yes")))
        >>> risk(Node((2, 8), "no")), risk(Node((2, 8), "yes"))
        (8, 10)

    Source:
        [Breiman1984 §2.4], [Breiman1984 §3.3]
    """

    def misclassification_cost(node: Node, rows: Counts | None = None) -> Number:
        answer = target.domain.index(str(node.label))
        weighed = costs.weighed(node.counts if rows is None else rows)
        return sum(row[answer] * weight for row, weight in zip(costs.loss, weighed, strict=True) if row[answer])

    return misclassification_cost


# The node is given other counts, and the impurity is computed as ever: priors are weights of rows, here as in growing.
def under_priors(risk: Risk, costs: Costs) -> Risk:
    """An impurity of the counts weighted by priors; losses do not change it.

    Example:
        >>> risk = under_priors(gini_impurity, Costs((9, 5), ((0, 1), (1, 0))))
        >>> risk(Node((5, 9), "yes"))       # 45 rows of either class
        Fraction(45, 1)
    """

    def weighed(node: Node, rows: Counts | None = None) -> Number:
        return risk(replace(node, counts=costs.weighed(node.counts)), None if rows is None else costs.weighed(rows))

    return weighed


# |T|: the size of a tree.


def leaves_with_rows(node: Node, is_leaf: bool) -> int:
    """Size in leaves, |T̃|, as in the book. A leaf that no row reaches is not counted (decision cost.function).

    Example:
        >>> leaves_with_rows(Node((0, 0), "yes"), True), leaves_with_rows(Node((5, 9), "yes"), True)
        (0, 1)
    """
    return 1 if is_leaf and node.weight else 0


def questions(_: Node, is_leaf: bool) -> int:
    """Size in splits, as in rpart: for a binary tree the number of its leaves less 1, which makes no difference.

    Example:
        >>> [PROFILES["rpart"].size(Node((5, 9), "yes"), is_leaf) for is_leaf in (True, False)]
        [0, 1]
    """
    return 0 if is_leaf else 1


# The unit of R.


def per_row(root: Node, _: Risk) -> Number:
    """R is an average over all rows: R(t) = r(t)p(t).

    Example:
        >>> per_row(Node((5, 9), "yes"), misclassification)
        14
    """
    return root.weight


def per_weighed_row(costs: Costs) -> Unit:
    """The unit under priors: the weight of all rows under the priors."""

    def weighed(root: Node, _: Risk) -> Number:
        return sum(costs.weighed(root.counts))

    return weighed


def shares(tree: Tree) -> Unit:
    """The unit in which R is an average over the rows of a tree, weighted by priors if there are any."""
    return per_row if tree.costs is None else per_weighed_row(tree.costs)


def per_root_risk(root: Node, risk: Risk) -> Number:
    """R is relative to the risk of the root, as are rpart's `cp` and `rel error`.

    Example:
        >>> per_root_risk(Node((5, 9), "yes"), misclassification)
        5
    """
    return risk(root) or 1  # a root without risk is the whole path


RISKS: Mapping[str, Risk] = {
    "misclassification": misclassification,
    "gini": gini_impurity,
    "entropy": entropy_impurity,
}
"""The rules for R by their names. A tree that predicts numbers has one risk, its error, under each of them."""


class Convention(NamedTuple):
    """A program's definitions of the risk R, the size |T|, and the unit of R."""

    risk: Risk | None
    """R; None for the impurity by which the tree was grown."""
    size: Size
    """|T|."""
    unit: Unit
    """The risk that counts as 1."""
    sequence: str = "weakest-links"
    """The algorithm that finds the sequence of prunings."""
    staying: bool = True
    """Whether the rows that stay at a node count in the risk of its subtree."""


PROFILES: Mapping[str, Convention] = {
    "cart-1984": Convention(misclassification, leaves_with_rows, per_row),
    "li-hang": Convention(gini_impurity, leaves_with_rows, per_row),
    "scikit-learn": Convention(None, leaves_with_rows, per_row),
    "rpart": Convention(misclassification, questions, per_root_risk, "one-pass", staying=False),
}
"""The book's: misclassification even where the tree was grown by Gini. Li Hang's: Gini. scikit-learn's `ccp_alpha`: the
impurity of growing. rpart's `cp`: risk relative to the root's, size in splits, and the
complexities of one pass, in which the risk of a test is that of its two branches."""


def convention(tree: Tree, profile: str, risk: str | None = None) -> Convention:
    """The convention of a profile, for a tree.

    Args:
        tree: any tree with counts.
        profile: one of `PROFILES`.
        risk: another R than the profile's, by its name.

    Returns:
        The rules, including the priors and the losses of the tree.

    Raises:
        InputError: there is no such profile or risk, the tree has no counts, or it does not record the impurity by
            which it was grown and the profile needs it.

    Example:
        >>> import reference_tree as rt
        >>> convention(rt.ID3().grow(rt.textbook("loan")), "rpart").risk.__name__
        'misclassification'
    """
    if profile not in PROFILES:
        raise InputError(no_such("profile", profile, PROFILES, of="cost-complexity pruning"))
    if not tree.nodes[0].weight:
        raise InputError("this tree records no counts, and so has no risk")
    # A risk that is named overrides the profile's; a profile without one takes the impurity of growing, which for
    # numbers is the error anyway.
    chosen = PROFILES[profile]
    if risk is not None:
        if risk not in RISKS:
            raise InputError(no_such("risk", risk, RISKS))
        chosen = chosen._replace(risk=RISKS[risk])
    elif chosen.risk is None and tree.target.values is not None:
        chosen = chosen._replace(risk=_as_grown(tree, profile))
    if tree.costs is None or chosen.risk is None:
        return chosen
    # Rows and mistakes have the weights and costs of growing.
    own, costs = chosen.risk, tree.costs
    risk_of_costs = expected_loss(costs, tree.target) if own is misclassification else under_priors(own, costs)
    return chosen._replace(risk=risk_of_costs, unit=per_weighed_row(costs) if chosen.unit is per_row else chosen.unit)


def _as_grown(tree: Tree, profile: str) -> Risk:
    criterion = str(tree.grower.options.get("criterion"))
    criterion = USUAL[tree.target.kind] if criterion == "auto" else criterion
    if criterion not in RISKS:
        raise InputError(
            f"{profile} prunes by the impurity of growing, and the tree does not say which that was; name one of "
            f"{listed(RISKS)}"
        )
    return RISKS[criterion]
