r"""Importance: how much the predictions of a tree, or of an ensemble, depend on each attribute.

1. `impurity_importance`, the mean decrease in impurity, adds up the decreases of impurity by the tests of an
   attribute. It needs no data, and favours attributes of many values, which gain by chance.
2. `permutation_importance` shuffles the column of an attribute and measures how much the error increases. It takes any
   rows; on held-out rows it shows the importance of the attribute for new rows.
3. `out_of_bag_importance` does the same tree by tree, with the rows that were not drawn for the tree.
4. `gain_importance` is for boosted ensembles: the mean gain of a test of the attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.linear_tests import Linear
from reference_tree.data.sample import Counts
from reference_tree.data.table import Table
from reference_tree.data.targets import added
from reference_tree.ensembles.bagging import draws_of
from reference_tree.ensembles.ensemble import Ensemble, trees_of
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Number
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini
from reference_tree.measures.gradient_gain import gradient_gain
from reference_tree.node import Derivatives, Deviations, Node
from reference_tree.routing import Unseen
from reference_tree.selection.holdout import error
from reference_tree.tree import Tree

IMPURITIES: Mapping[str, Callable[[Counts], Number]] = {"gini": gini, "entropy": entropy}
"""The impurities of classes, by name. Numbers have their variance, or their mean absolute deviation."""


# Without a row looked at: the counts that a tree keeps are enough. Importance by training rows favours attributes of
# many values, which reduce the impurity by chance as well (`measures.permuted_labels`).
def impurity_importance(
    predictor: Tree | Ensemble, impurity: str = "gini", *, normalised: bool = False
) -> dict[str, Number]:
    r"""The decrease of the impurity of the training rows by the tests of each attribute.

    $$I(a) = \sum_{t \,:\, a_t = a} \frac{1}{N} \Bigl( N_t \, i(t) - \sum_{v} N_{t_v} \, i(t_v) \Bigr)$$

    For an ensemble it is the mean over its trees. Normalised, the figures are divided by their sum, unless that is 0.
    (To divide those of each tree first, before the mean, gives others.)

    Args:
        predictor: the tree, with a_t, the attribute tested at node t; i(t), its impurity; N_t, its weight; and the
            nodes t_v below. Or trees. Rows that stay at t, as a value is missing, are not counted at t.
        impurity: the impurity of classes: `gini` or `entropy`.
        normalised: whether the figures are shares.

    Returns:
        For each attribute I(a), 0 for one that is never tested.

    Raises:
        InputError: there is no such impurity, a test has several attributes, or rows stay at a node of a
            tree that was grown by absolute error.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.CART().grow(rt.textbook("play-tennis"))
        >>> {name: str(figure) for name, figure in impurity_importance(tree).items()}
        {'outlook': '53/245', 'temperature': '0', 'humidity': '9/70', 'wind': '4/35'}

    Source:
        [Breiman1984 §5.3.4]. There the decreases by surrogates count as well; here only the tests of the nodes do.
    """
    if impurity not in IMPURITIES:
        raise InputError(no_such("impurity", impurity, IMPURITIES))
    trees = trees_of(predictor)
    found: dict[str, Number] = {attribute.name: Fraction(0) for attribute in predictor.attributes}
    for tree in trees:
        for name, decrease in _decreases(tree, IMPURITIES[impurity]).items():
            found[name] += decrease * Fraction(1, len(trees))
    return _shares(found) if normalised else found


def _shares(found: dict[str, Number]) -> dict[str, Number]:
    """The figures divided by their sum; unchanged if the sum is 0."""
    # A tree of one leaf has reduced nothing, and no share of nothing is larger than another.
    whole = sum(found.values())
    return found if whole == 0 else {name: figure / whole for name, figure in found.items()}


def _decreases(tree: Tree, impurity: Callable[[Counts], Number]) -> dict[str, Number]:
    """The decrease of impurity by the tests of each tested attribute."""
    decreases: dict[str, Number] = {}
    for node in tree.nodes:
        if node.test is not None:
            if isinstance(node.test, Linear):
                raise InputError(
                    f"{node.test.name} tests several attributes at once: none of them has a part of its own"
                )
            below = [tree.nodes[branch] for branch in node.branches]
            left = sum(_weighted_impurity(branch, impurity) for branch in below)
            # Impurities times weights: the decreases then add up along the tree, to the one from the root to all
            # leaves.
            decrease = _weighted_impurity(_going_on(node, below), impurity) - left
            decreases[node.test.attribute] = decreases.get(node.test.attribute, 0) + decrease / tree.nodes[0].weight
    return decreases


def _going_on(node: Node, below: Sequence[Node]) -> Node:
    """The node without the rows that stay there because they have the value of neither its test nor a surrogate.

    Raises:
        InputError: rows stay, and the tree was grown by absolute error, which the counts do not determine.
    """
    # Rows that stay are in no branch: counted before the test and not after it, they would look like a decrease.
    if node.weight == sum(branch.weight for branch in below):
        return node
    if isinstance(node.counts, Deviations):
        raise InputError("rows with a missing value stay at a node, and absolute errors do not add up without them")
    return replace(node, counts=added([branch.counts for branch in below]))


def _weighted_impurity(node: Node, impurity: Callable[[Counts], Number]) -> Number:
    """The impurity of a node times its weight.

    Raises:
        InputError: the node counts derivatives.
    """
    if isinstance(node.counts, Derivatives):
        raise InputError("the trees count derivatives, and no impurity; their importance is measured by gain")
    if not node.weight:
        return Fraction(0)
    return node.weight * impurity(node.counts) if isinstance(node.label, str) else Fraction(node.error)


SPLIT_IMPORTANCES = ("gain", "weight", "cover", "total_gain", "total_cover")
"""The measures of the tests of a boosted ensemble."""


def gain_importance(ensemble: Ensemble, reg_lambda: Rational = 1, *, normalised: bool = False) -> dict[str, Number]:
    r"""The mean gain of a test of each attribute in a boosted ensemble.

    $$I(a) = \frac{1}{|T_a|} \sum_{t \in T_a} \mathrm{gain}(t), \qquad T_a = \{ t : a_t = a \}$$

    Args:
        ensemble: the trees, fitted to the derivatives of a loss. T_a are the nodes of all trees that ask about a; their
            gain is the `gradient_gain`.
        reg_lambda: λ, with which the trees were grown.
        normalised: whether the figures are shares.

    Returns:
        For each attribute I(a), 0 for one that is never tested.

    Raises:
        InputError: a tree counts no derivatives.

    Example:
        >>> import reference_tree as rt
        >>> ensemble = rt.GradientBoosting(trees=2).grow(rt.textbook("li-hang-8.2"))
        >>> {name: round(float(gain), 4) for name, gain in gain_importance(ensemble).items()}
        {'x': 4.6882}

    Source:
        [ChenGuestrin2016 §2.2 eq. (7)]. The sum in place of the mean is `total_gain`.
    """
    return split_importance(ensemble, "gain", reg_lambda, normalised=normalised)


def split_importance(
    ensemble: Ensemble, by: str = "gain", reg_lambda: Rational = 1, reg_alpha: Rational = 0, *, normalised: bool = False
) -> dict[str, Number]:
    """The importance of each attribute by its tests, by any measure of `SPLIT_IMPORTANCES`.

    Args:
        ensemble: the trees, fitted to the derivatives of a loss.
        by: the mean `gain` of a test; its mean `cover`, the sum of the second derivatives of the rows that reach
            it; `total_gain` and `total_cover`, their sums; or `weight`, the number of tests.
        reg_lambda: λ, with which the trees were grown.
        reg_alpha: α.
        normalised: whether the figures are shares.

    Raises:
        InputError: there is no such kind, or a tree counts no derivatives.

    Example:
        >>> import reference_tree as rt
        >>> ensemble = rt.GradientBoosting(trees=2).grow(rt.textbook("li-hang-8.2"))
        >>> [float(split_importance(ensemble, by)["x"]) for by in ("weight", "cover", "total_cover")]
        [5.0, 7.0, 35.0]
    """
    if by not in SPLIT_IMPORTANCES:
        raise InputError(no_such("importance", by, SPLIT_IMPORTANCES))
    measured: dict[str, list[Number]] = {attribute.name: [] for attribute in ensemble.attributes}
    for member in ensemble.members:
        nodes = member.tree.nodes
        for node in nodes:
            if node.test is not None:
                if not isinstance(node.counts, Derivatives):
                    raise InputError("the trees count no derivatives; their importance is measured by impurity")
                sides = [nodes[branch].counts for branch in node.branches]
                figure = gradient_gain(sides, reg_lambda, reg_alpha) if "gain" in by else node.counts.h
                measured[node.test.attributes[0]].append(1 if by == "weight" else figure)
    # A mean over tests, and not over rows or trees: an attribute that is tested once with a large gain is ahead of one
    # that is tested often.
    means = not by.startswith("total") and by != "weight"
    figures: dict[str, Number] = {
        name: sum(each, Fraction(0)) / (len(each) if means else 1) if each else Fraction(0)
        for name, each in measured.items()
    }
    return _shares(figures) if normalised else figures


# Shuffling keeps the distribution of the column, and breaks only its relation to the rest. The same draws serve for
# every model of one table, so that two models differ by what they predict, and not by luck.
def permutation_importance(
    predictor: Tree | Ensemble, table: Table, seed: int = 0, repeats: int = 5, unseen: Unseen = "majority"
) -> dict[str, Fraction]:
    r"""The increase of the error on some rows if the column of an attribute is shuffled.

    $$I(a) = \frac{1}{R} \sum_{r=1}^{R} e(D^{a, r}) - e(D)$$

    Args:
        predictor: the tree or ensemble; e is its error rate, or for numbers its mean squared error.
        table: D, the rows. D^(a,r) is the same table with the column of a in the r-th random order.
        seed: the seed of the orders.
        repeats: R, at least 1.
        unseen: the rule for a value without a branch.

    Returns:
        For each attribute I(a), which is below 0 if the predictions happen to improve.

    Raises:
        InputError: as for `Tree.predict`, or the number of repeats is below 1.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.CART(max_depth=1).grow(rt.textbook("iris"))
        >>> found = permutation_importance(tree, rt.textbook("iris"))
        >>> [name for name, figure in found.items() if figure]
        ['petal length']

    Source:
        [Breiman2001 §10], where the rows are those out of the bag.
    """
    if repeats < 1:
        raise InputError(f"a column is shuffled at least once, not {repeats} times")
    before = error(predictor, table, unseen)

    def after(name: str) -> Fraction:
        tables = (_shuffled(table, name, seed, str(repeat)) for repeat in range(repeats))
        return sum((error(predictor, shuffled, unseen) for shuffled in tables), Fraction(0)) / repeats

    return {attribute.name: after(attribute.name) - before for attribute in predictor.attributes}


def out_of_bag_importance(
    ensemble: Ensemble, table: Table, seed: int = 0, unseen: Unseen = "majority"
) -> dict[str, Fraction]:
    r"""The increase of each tree's error on the rows that were not drawn for it, if a column is shuffled.

    $$I(a) = \frac{1}{B} \sum_{b=1}^{B} \bigl( e_b(D_b^a) - e_b(D_b) \bigr)$$

    Args:
        ensemble: the trees b, with the draws for each; e_b is the error rate of a tree, or its mean squared error.
        table: the table that they were grown from. D_b are its rows that were not drawn for tree b, D_b^a the same with
            the column of a in a random order. A tree for which all rows were drawn is left out.
        seed: the seed of the orders.
        unseen: the rule for a value without a branch.

    Raises:
        InputError: the ensemble records no draws from this table, or every row was drawn for every tree.

    Source:
        [Breiman2001 §10]. Breiman counts the votes of all trees; his program, as here, goes tree by tree.
    """
    increases = {attribute.name: Fraction(0) for attribute in ensemble.attributes}
    judged = 0
    for number, (member, drawn) in enumerate(zip(ensemble.members, draws_of(ensemble, table), strict=True)):
        # Every row was drawn for this tree, so that none can judge it.
        if 0 not in drawn:
            continue
        rows, judged = table.take([row for row, times in enumerate(drawn) if not times]), judged + 1
        before = error(member.tree, rows, unseen)
        for name in increases:
            # Tree by tree: the ensemble as a whole has seen nearly every row.
            increases[name] += error(member.tree, _shuffled(rows, name, seed, f"tree {number}"), unseen) - before
    if not judged:
        raise InputError("every row was drawn for every tree: none is left to judge them")
    return {name: figure / judged for name, figure in increases.items()}


def _shuffled(table: Table, name: str, seed: int, what: str) -> Table:
    """The rows of a table with the column of an attribute in a random order."""
    # The key has the attribute and the repeat, so each column has draws of its own, whatever other columns there are.
    order = Chance(seed, f"permutation {what} {name}".encode()).shuffled(range(len(table)))
    return replace(table, columns={**table.columns, name: table.take(order).columns[name]})
