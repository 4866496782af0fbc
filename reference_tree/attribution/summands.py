"""Summands: the answer that is explained, as a weighted sum of trees.

Shapley values are linear: the values of a sum are the sums of the values. So a predictor is explained tree by tree, if
its answer is a sum over its trees, and the answer of each tree a sum over the leaves that a row reaches:

- a number: the label of the leaf; of a mean, divided by the weight of all trees;
- P(Y|X) of a class: its share among the rows of the leaf;
- the votes for a class: 1 where the leaf has its label, times the weight of the tree;
- a *margin*: the sum of a start and of the labels, before a link makes a number or a probability of it.

1. `Summand` is a tree with the value and the cover of each node.
2. `summed` is a predictor as a sum of them. What is no such sum is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.attribution.covers import GivenCover, covers_of
from reference_tree.data.asked import AskedRow
from reference_tree.data.errors import InputError, listed, option
from reference_tree.ensembles.ensemble import COMBINATIONS, Ensemble, trees_of
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Number
from reference_tree.routing import Ends
from reference_tree.tree import Tree, Ways

MARGIN = "margin"
"""The name of a sum of trees, before its link."""


class Summand(NamedTuple):
    """A tree of a sum."""

    tree: Tree
    """The tree."""
    values: Sequence[Fraction]
    """The value of each node: what a row that ends there adds to the answer, but for the weight."""
    cover: Sequence[Rational] = ()
    """The cover of each node; none is needed where unknown cells are those of background rows."""
    weight: Number = 1
    """The factor of the tree."""

    @property
    def names(self) -> list[str]:
        """The attributes that the tree asks for, surrogates included, in table order."""
        return [one.name for one in self.tree.attributes if one.name in self.tree.cuts]

    def shares(self, number: int) -> Ways:
        """The branches of a node, each with its share of the cover; where rows stay, the node has what is left."""
        node, whole = self.tree.nodes[number], Fraction(self.cover[number])
        ways: Ways = [(branch, self.cover[below] / whole) for branch, below in enumerate(node.branches)]
        return [*ways, (None, 1 - sum(share for _, share in ways))] if node.missing.stays else ways

    def answer(self, row: Mapping[str, Any]) -> Fraction:
        """The answer of the tree for a row, but for the weight: the mean of the nodes where it ends."""
        ends: Ends = self.tree.ends(row)
        return sum((share * self.values[number] for number, share in ends), Fraction(0))


class Sum(NamedTuple):
    """An answer that is a sum of trees."""

    of: str
    """The name of the answer: `P(yes)`, `votes for yes`, `margin`, or the target."""
    start: Number
    """What is added to the trees."""
    summands: Sequence[Summand]
    """The trees."""

    def answer(self, row: AskedRow) -> Number:
        """The exact answer for a row; a program that adds up floats rounds it."""
        return self.start + sum(each.weight * each.answer(row) for each in self.summands)


def summed(
    predictor: Tree | Ensemble, values: str | None = None, cover: GivenCover | None = None, *, covered: bool = True
) -> Sum:
    """The answer of a predictor as a sum of trees.

    Args:
        predictor: the tree or the ensemble.
        values: the class that is explained, or `margin`. By default the number; of two classes the second; of a sum
            with a link its margin.
        cover: the cover of the nodes, as for `covers_of`.
        covered: whether a cover is needed.

    Raises:
        InputError: there is no such class, several classes and none is named, or the answer is no sum over the trees.

    Example:
        >>> import reference_tree as rt
        >>> found = summed(rt.ID3(max_depth=1).grow(rt.textbook("play-tennis")))
        >>> found.of, [str(value) for value in found.summands[0].values]
        ('P(yes)', ['9/14', '1', '3/5', '2/5'])
    """
    trees = trees_of(predictor)
    if any(tree.aggregates for tree in trees):
        raise InputError("rows with a missing value go whole down several branches, and what they get is no sum")
    covers = covers_of(predictor, cover) if covered else [()] * len(trees)
    adds = isinstance(predictor, Ensemble) and COMBINATIONS[predictor.combine].adds
    if predictor.target.values is None or adds:
        return _numbers(predictor, values, covers, adds=adds)
    label = _class_of(predictor, values)
    if isinstance(predictor, Ensemble) and predictor.combine != "mean":
        if any(sum(map(bool, node.missing.shares)) > 1 for tree in trees for node in tree.nodes):
            raise InputError("rows with a missing value are divided, and the vote of a divided row is no sum")
        votes = [tuple(Fraction(node.label == label) for node in tree.nodes) for tree in trees]
        weights = [member.weight for member in predictor.members]
        return Sum(f"votes for {label}", 0, list(map(Summand, trees, votes, covers, weights)))
    shares = [tuple(tree.shares(((n, 1),))[label] for n in range(len(tree.nodes))) for tree in trees]
    return Sum(f"P({label})", 0, list(map(Summand, trees, shares, covers, _mean(predictor))))


def _numbers(
    predictor: Tree | Ensemble, values: str | None, covers: Sequence[Sequence[Rational]], *, adds: bool
) -> Sum:
    """A number that is predicted, or a margin: of K classes that of one of them."""
    if isinstance(predictor, Tree) or not adds:
        if values is not None:
            raise InputError(f"{option('values')}: {predictor.target.name} is a number; leave it out")
        trees = trees_of(predictor)
        labels = [tuple(Fraction(node.label) for node in tree.nodes) for tree in trees]
        return Sum(predictor.target.name, 0, list(map(Summand, trees, labels, covers, _mean(predictor))))
    of, place = None, 0
    if COMBINATIONS[predictor.combine].classes is None:
        of = _class_of(predictor, values)
        place = predictor.target.domain.index(of)
    elif values not in (None, MARGIN):
        raise InputError(f"{option('values')}: the probability of {values} is no sum of trees; say {MARGIN}")
    summands = [
        Summand(tree, tuple(Fraction(node.label) for node in tree.nodes), cover, weight)
        for (tree, weight, _, adds_to), cover in zip(predictor.members, covers, strict=True)
        if adds_to == of
    ]
    plain = predictor.combine == "sum" and values is None
    name = predictor.target.name if plain else MARGIN if of is None else f"{MARGIN} of {of}"
    return Sum(name, predictor.start[place], summands)


def _mean(predictor: Tree | Ensemble) -> list[Number]:
    """The weight of each tree in a mean."""
    if isinstance(predictor, Tree):
        return [1]
    whole = sum(member.weight for member in predictor.members)
    return [Fraction(member.weight) / whole for member in predictor.members]


def _class_of(predictor: Tree | Ensemble, values: str | None) -> str:
    """The class that is named, or the second of two."""
    domain = predictor.target.domain
    if values is None and len(domain) == 2:
        return domain[1]
    if values not in domain:
        raise InputError(f"{option('values')}: name the class that is explained: {listed(domain)}")
    return values
