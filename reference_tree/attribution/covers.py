"""Covers: the weight of each node, by which an unknown attribute sends a row down all branches.

Where an attribute is unknown, a row goes down each branch by its share of the training rows: the cover of the node
below, divided by that of the node. Programs weigh by different numbers, and the values differ:

| cover | the number of a node | stated by | weighed by |
|:--|:--|:--|:--|
| `weights` | the weight of its training rows | all trees grown here, scikit-learn, LightGBM (a count) | shap for scikit-learn, LightGBM's `pred_contrib` |
| `sum_hessian` | the sum of their second derivatives | XGBoost, LightGBM, gradient boosting here | XGBoost's `pred_contribs` |

`covers_of` takes the weights where nodes state them, and otherwise the sums of second derivatives.

Source:
    [Lundberg2020 §methods], [ChenGuestrin2016 §3.3]. The explainers were asked themselves: shap 0.51.0, XGBoost 3.2.0,
    LightGBM 4.7.0. LightGBM counts rows even if they have weights.
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from reference_tree.data.errors import InputError, no_such, option
from reference_tree.ensembles.ensemble import Ensemble, trees_of
from reference_tree.exact.rationals import Rational
from reference_tree.node import Derivatives
from reference_tree.records import late
from reference_tree.tree import Tree

GivenCover: TypeAlias = "str | Sequence[Sequence[Any]]"
"""The name of a cover; or for each tree the cover of each node."""

COVERS = ("weights", "sum_hessian")
"""The covers by name."""


def cover_of(predictor: Tree | Ensemble) -> str:
    """The name of the cover that is taken if none is named.

    Example:
        >>> import reference_tree as rt
        >>> cover_of(rt.ID3().grow(rt.textbook("play-tennis")))
        'weights'
    """
    return COVERS["counts" in trees_of(predictor)[0].silent]


def covers_of(predictor: Tree | Ensemble, cover: GivenCover | None = None) -> list[Sequence[Rational]]:
    """The cover of each node, for each tree.

    Args:
        predictor: the tree or the ensemble.
        cover: `weights` or `sum_hessian`; or the numbers themselves. None: `cover_of`.

    Raises:
        InputError: there is no such cover, the nodes do not state it, or an inner node has none: then its branches have
            no shares.

    Example:
        >>> import reference_tree as rt
        >>> covers_of(rt.ID3(max_depth=1).grow(rt.textbook("play-tennis")))
        [[14, 4, 5, 5]]
    """
    trees = trees_of(predictor)
    cover = cover_of(predictor) if cover is None else cover
    if isinstance(cover, str) and cover not in COVERS:
        raise InputError(no_such("cover", cover, COVERS))
    found: list[Sequence[Rational]] = (
        [*map(_read, cover)] if not isinstance(cover, str)
        else _weights(predictor, trees) if cover == "weights"
        else _second_derivatives(predictor, trees)
    )  # fmt: skip
    if list(map(len, found)) != [len(tree.nodes) for tree in trees]:
        raise InputError(f"{option('cover')}: a number for each node of each tree is needed")
    for tree, each in zip(trees, found, strict=True):
        for number, node in enumerate(tree.nodes):
            if each[number] < 0 or (node.test is not None and not each[number]):
                raise InputError(
                    f"the node {tree.path(number)} has the cover {each[number]}, and its branches no shares; "
                    f"{option('background')} needs no cover"
                )
    return found


def _read(numbers: Sequence[Any]) -> list[Fraction]:
    return [Fraction(number) for number in numbers]


def _weights(predictor: Tree | Ensemble, trees: Sequence[Tree]) -> list[Sequence[Rational]]:
    if any("counts" in tree.silent for tree in trees):
        raise InputError("the model does not state the weights of its nodes; say another cover")
    own = [[node.weight for node in tree.nodes] for tree in trees]
    return [numbers.get("cover", each) for numbers, each in zip(_stated(predictor, trees), own, strict=True)]


def _second_derivatives(predictor: Tree | Ensemble, trees: Sequence[Tree]) -> list[Sequence[Rational]]:
    found: list[Sequence[Rational]] = []
    for tree, numbers in zip(trees, _stated(predictor, trees), strict=True):
        own = [node.counts.h if isinstance(node.counts, Derivatives) else None for node in tree.nodes]
        each = numbers.get("h", own)
        if None in each or not any(each):
            raise InputError("the model does not state the sums of the second derivatives of its nodes")
        found.append([Fraction(float(h)) for h in each])  # they are told as the shortest decimals of doubles
    return found


def _stated(predictor: Tree | Ensemble, trees: Sequence[Tree]) -> list[Any]:
    """What a model of another program states of the nodes of each tree."""
    found: list[Any] = [{}] * len(trees)
    return found if isinstance(predictor, Tree) else late("programs.boosted.statements_of")(predictor)
