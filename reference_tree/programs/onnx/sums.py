"""Sums: what the leaves of a model in ONNX add to which sum, and what the answer is made of the sums.

Each leaf has votes: the place of a sum, and a number. A sum is that of a target, or of a class; two classes may have
one sum together. `base_values` are added after the trees, so they are the last tree here, which is a leaf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from reference_tree.data.errors import InputError, listed, shown
from reference_tree.programs.boosted import Grown, SumRule
from reference_tree.programs.documents import HeldNode, Json, classified, exact, finite, item
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.onnx.arrays import numbers
from reference_tree.programs.onnx.members import SOURCE

NONE = "NONE"
"""The `post_transform` of sums that are the answer."""

Votes: TypeAlias = Mapping[tuple[int, int], Mapping[int, float]]
"""The tree and the node of a leaf → the place of a sum → what is added to it."""
Trees: TypeAlias = Mapping[int, Mapping[int, HeldNode]]
"""The number of a tree → the number of a node → the node."""


def votes_of(held: Json, of: str, trees: Trees, sums: int, ignored: Ignored) -> Votes:
    """What the leaves add to the sums."""
    weights = numbers(held, f"{of}_weights", ignored)
    found: dict[tuple[int, int], dict[int, float]] = {
        (tree, place): {} for tree, nodes in trees.items() for place, node in nodes.items() if node.test is None
    }
    parts = [held[f"{of}_{part}"] for part in ("treeids", "nodeids", "ids")]
    for tree, place, to, weight in zip(*parts, weights, strict=True):
        if (votes := found.get((tree, place))) is None or to in votes:
            raise InputError(f"node {place} of tree {tree} is no leaf, or adds to a sum twice")
        if not 0 <= to < sums:
            raise InputError(f"a leaf adds to sum {to}, and there are {sums}, counted from 0")
        votes[to] = finite(weight)
    if empty := [key for key, votes in found.items() if not votes]:
        raise InputError(f"node {empty[0][1]} of tree {empty[0][0]} is a leaf that adds nothing")
    return found


def grown_of(trees: Trees, votes: Votes, base: Sequence[float]) -> Iterator[Grown]:
    """The trees, one for each sum that they add to, and what is added after them, each as a leaf."""
    for tree, nodes in trees.items():
        for to in sorted({to for place, node in nodes.items() if not node.test for to in votes[tree, place]}):
            # A leaf that says nothing of a sum adds 0 to it.
            values = {
                place: node if node.test else HeldNode({"value": exact(votes[tree, place].get(to, 0.0))})
                for place, node in nodes.items()
            }
            yield Grown(values, to)
    yield from (Grown({0: HeldNode({"value": exact(number)})}, to) for to, number in enumerate(base) if number)


def rule_of_targets(held: Json, link: str, base: Sequence[float]) -> SumRule | dict[str, SumRule]:
    """The rule for the sum; where there are several targets, that of each."""
    for name, only in (("post_transform", NONE), ("aggregate_function", "SUM")):
        if held.get(name, only) != only:
            raise UnreadError(f"its {name} is {shown(held[name])}, and {only} is read; {SOURCE}")
    size = held.get("n_targets", 1)
    if len(base) not in (0, size):
        raise InputError(f"it has {size} targets, and {len(base)} base_values")
    return SumRule(link, [0]) if size == 1 else {str(place + 1): SumRule(link, [0]) for place in range(size)}


def rule_of_classes(held: Json, votes: Votes, base: Sequence[float], size: int) -> SumRule:
    """The rule for the sums of classes."""
    transform, sums = held.get("post_transform", NONE), {to for each in votes.values() for to in each}
    one_sum = size == 2 and len(sums) == 1
    # Of two classes with a sum each, onnxruntime and the standard make different labels.
    if size < 3 and not one_sum:
        raise UnreadError(f"it has {size} classes with {len(sums)} sums, and 2 classes with one sum are read; {SOURCE}")
    if len(base) not in (0, 1 if one_sum else size):
        raise InputError(f"it has {len(base)} base_values, and there are {1 if one_sum else size} sums")
    rules = (
        {NONE: "share", "LOGISTIC": "logistic"}
        if one_sum
        else {NONE: "shares", "LOGISTIC": "ova", "SOFTMAX": "softmax"}
    )
    if transform not in rules:
        raise UnreadError(f"its post_transform is {shown(transform)}, and {listed(list(rules))} are read; {SOURCE}")
    if transform == NONE and not are_shares(votes, base):
        raise UnreadError(f"its sums are no probabilities, and nothing is made of them; {SOURCE}")
    return SumRule(rules[transform], [0] * (1 if one_sum else size), size)


def are_shares(votes: Votes, base: Sequence[float]) -> bool:
    """Whether sums may be probabilities: nothing is negative, and only trees are added up."""
    return not any(base) and all(vote >= 0 for each in votes.values() for vote in each.values())


def answer_of(votes: Mapping[int, float], classes: Sequence[str] | None) -> Json:
    """The number at a leaf, or the shares of the classes; of two classes, one may be left out."""
    if classes is None:
        return {"mean": exact(votes[0])}
    shares = [Fraction(votes.get(place, 0)) for place in range(len(classes))]
    if len(votes) == 1 and len(classes) == 2:
        (share,) = map(Fraction, votes.values())
        shares = [1 - share, share]
    # The first of equal shares answers, as by argmax.
    return classified(dict(zip(classes, shares, strict=True)), item(classes, shares.index(max(shares))))
