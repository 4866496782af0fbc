"""Growing where the data are: level by level, so that a database is asked once for all nodes of a level.

The decisions are those of `reference_tree.learners.growing`; only the order differs, and the nodes are numbered in
preorder afterwards. The rows at the branches of a node have to add up to the rows at the node: otherwise the
rows have changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import reduce
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.questions import fits
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.targets import plus
from reference_tree.exact.rationals import Rational
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import grown_below, kept
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.routing import foreseen, weights_at_ends
from reference_tree.stores.engines import Asked
from reference_tree.stores.samples import CHANGED, TOGETHER, SQLSample, counted
from reference_tree.tree import Tree
from reference_tree.twins import fast_form_of


@fast_form_of(foreseen, of=SQLSample)
def foreseen_by_level(sample: SQLSample, nodes: Sequence[Node]) -> SQLSample:
    """The sample, with the samples of all nodes below, so that one query counts for all those of a level."""
    arriving = {0: sample}
    for number, node in enumerate(nodes):
        here, test = arriving.pop(number, None), node.test
        if here is None or test is None or not fits(test, sample.schema):
            continue  # an invalid document: whoever asks for more says so
        parts = here.split(test, node.missing)
        arriving |= {branch: part for branch, part in zip(node.branches, parts, strict=False) if branch > number}
    return sample


@fast_form_of(weights_at_ends, of=SQLSample)
def counted_at_ends(sample: SQLSample, nodes: Sequence[Node]) -> Mapping[int, Mapping[Any, Rational]] | None:
    """The weight of the rows that end at each leaf, by target; None if a row is divided, or ends elsewhere."""
    arriving, ends = {0: sample}, dict[int, SQLSample]()
    for number, node in enumerate(nodes):
        if node.test is None:
            ends[number] = arriving[number]
        else:
            arriving |= zip(node.branches, arriving[number].split(node.test, node.missing), strict=True)
    if any(part.share != 1 for one in ends.values() for part in one.parts):
        return None
    table, target, leaves = sample.table, sample.target, list(ends.values())
    column = table.stored[sample.schema.target.name]
    keys = [] if column.attribute.values is not None else [Asked(column.sql)]
    groups = [one for at in range(0, len(leaves), TOGETHER) for one in counted(leaves[at : at + TOGETHER], keys)]
    nothing: Counts = (0,) * len(target.columns)
    if reduce(plus, (one for group in groups for one in group.values()), nothing) != tuple(sample.total()):
        return None
    found: dict[int, dict[Any, Rational]] = {number: {} for number in ends}
    for weights, group in zip(found.values(), groups, strict=True):
        for key, counts in group.items():
            pairs = [(column.value(*key), target.weight(counts))] if key else zip(target.columns, counts, strict=True)
            for truth, weight in pairs:
                if weight:
                    weights[truth] = weights.get(truth, 0) + weight
    return found


@fast_form_of(grown_below, of=SQLSample)
def grown_by_level(
    learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None
) -> Tree:
    """The tree that a learner grows from the rows at a place, one level after the other.

    Raises:
        InputError: the counts of the branches do not add up to those of their node.
    """
    assert isinstance(sample, SQLSample), "the fast form is that of this store"
    # Bins are for the best cut of all attributes, as CART asks; others would pay for a view that they do not need.
    with sample.kept() if isinstance(learner, CART) else nullcontext(sample) as there:
        grown = _grown(learner, there, place, progress)
    return Tree(sample.schema.target, sample.schema.attributes, tuple(_in_preorder(grown)), learner.grower())


def _grown(
    learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None
) -> list[tuple[Node, list[int]]]:
    """The nodes, level by level, each with the numbers of its branches."""
    grown = list[tuple[Node, list[int]]]()
    level: list[tuple[Place, Sample, list[int]]] = [(place, sample, [])]
    while level:
        below: list[tuple[Place, Sample, list[int]]] = []
        split: list[tuple[Sample, list[Sample]]] = []
        for here, rows, siblings in level:
            decision, branches = learner.decide(rows, here), list[int]()
            if decision.chosen is not None:
                children = here.children(rows, decision.chosen.test, decision.answer, decision.missing)
                if not any(decision.chosen.table.unknown):  # others may stay where they are
                    split.append((rows, [part for _, part in children]))
                below += [(child, part, branches) for child, part in children]
            siblings.append(len(grown))
            grown.append((kept(decision), branches))
            if progress is not None:
                progress(len(grown))
        for whole, parts in split:
            if reduce(plus, (part.total() for part in parts)) != tuple(whole.total()):
                raise InputError(CHANGED)
        level = below
    return grown


def _in_preorder(grown: list[tuple[Node, list[int]]]) -> list[Node]:
    """The nodes of a tree in preorder, from nodes with the numbers of their branches; the root is the first."""
    order, pending = list[int](), [0]
    while pending:
        order.append(pending.pop())
        pending += reversed(grown[order[-1]][1])
    numbers = {old: new for new, old in enumerate(order)}
    return [replace(grown[old][0], branches=tuple(numbers[branch] for branch in grown[old][1])) for old in order]


__all__ = ["foreseen_by_level", "grown_by_level"]
