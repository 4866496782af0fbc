"""Printed thresholds: before a printed tree is judged, each threshold becomes the one that its program may have had.

A threshold is printed with some digits (`reference_tree.programs.printouts`). Where rows lie between the numbers
that are printed alike, any of these may be the threshold, and they divide the rows in different ways. The tree is not
wrong if one of the ways is right. So, from the root down, a threshold is taken that

1. divides the rows into the counts that the tree states, or else
2. is the one that the learner would take, or else
3. is the printed one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from reference_tree.auditing.claims import Claim
from reference_tree.auditing.finding import shown
from reference_tree.auditing.judging import DecidedArrival, way_of
from reference_tree.auditing.parting import fit
from reference_tree.auditing.walk import Walk
from reference_tree.data.errors import listed, number_of
from reference_tree.data.questions import Test, Threshold
from reference_tree.data.sample import Sample
from reference_tree.data.table import is_in_memory
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.learners.place import Answer, Place
from reference_tree.node import Node
from reference_tree.programs.practices import DrawnByProgram
from reference_tree.programs.printouts import PrintedDigits

MOST_TRIED = 200
"""The most thresholds that are tried at a node; beyond that the printed one is taken."""


class Other(NamedTuple):
    """A threshold that was taken for a printed one."""

    node: int
    printed: Threshold
    taken: Threshold


def as_program_had(claim: Claim) -> Claim:
    """The claim with the thresholds that the program may have had, if its tree was printed.

    Args:
        claim: a tree, with its learner and its rows.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.tree import Grower
        >>> table = rt.Table.from_columns({"x": ["0.001", "0.004"], "y": ["a", "b"]})
        >>> tree = rt.CART().grow(table)
        >>> root = replace(tree.nodes[0], test=Threshold("x", 0))  # as it is printed with two decimals
        >>> printed = replace(tree, nodes=(root, *tree.nodes[1:]), grower=Grower(options={"rounded": {"places": 2}}))
        >>> as_program_had(Claim(printed, rt.CART(), table)).assumed
        '1 threshold is taken to be another one that is printed alike: x<=0.0025 for x<=0 at node 0'
    """
    # Which thresholds are possible depends on the rows between the printed numbers; so these have to be at hand. A
    # learner that replays draws has thresholds of its own.
    digits = PrintedDigits.of(claim.tree.grower.options)
    if digits is None or not is_in_memory(claim.table) or isinstance(claim.learner, DrawnByProgram):
        return claim
    numbers = {one.name: claim.table.schema.numbers[one.name] for one in claim.tree.attributes if one.values is None}
    nodes = [node.test for node in claim.tree.nodes if isinstance(node.test, Threshold)]
    # Where no value lies between numbers that are printed alike, nothing needs to be decided anew.
    if not any(len(_others(test, numbers[test.attribute], digits)) > 1 for test in nodes):
        return claim
    others = list(_taken(claim, digits))
    if not others:
        return claim
    taken = {one.node: one.taken for one in others}
    tree = replace(
        claim.tree,
        nodes=tuple(
            replace(node, test=taken[number]) if number in taken else node
            for number, node in enumerate(claim.tree.nodes)
        ),
    )
    named = [f"{shown(one.taken).name} for {shown(one.printed).name} at node {one.node}" for one in others]
    number = number_of(len(others), "threshold")
    told = (
        f"{number} {'is' if len(others) == 1 else 'are'} taken to be another one that is printed alike: {listed(named)}"
    )
    return claim._replace(tree=tree, assumed="; ".join(filter(None, [claim.assumed, told])))


def _others(test: Threshold, values: Sequence[Rational], digits: PrintedDigits) -> list[Threshold]:
    """The thresholds that are printed like that of a test, one for each way to divide some ascending values.

    Example:
        >>> [one.name for one in _others(Threshold("x", 0), [-1, Fraction(1, 1000), 2], PrintedDigits(places=2))]
        ['x<=0', 'x<=0.003']
    """
    # The numbers that are printed alike form an interval. Only ways to divide its values differ, so one threshold
    # stands for each way.
    low, high = digits.between(test.threshold)
    if low == high:
        return [test]
    near = [value for value in values if low <= value <= high]
    ends_of = [low, *near, high]
    middles = [(start + end) / 2 for start, end in pairwise(ends_of)]
    # The printed threshold comes first, so that of equals it is taken.
    ways = {test.place_in(values): test}
    for at in [*ends_of, *middles] if digits.are_values else [*middles, *ends_of]:
        other = replace(test, threshold=simplest(Fraction(at)))
        ways.setdefault(other.place_in(values), other)
    return list(ways.values())[:MOST_TRIED]


def _taken(claim: Claim, digits: PrintedDigits) -> Iterator[Other]:
    """The thresholds that are not the printed ones, from the root down."""
    walk, tree = Walk(claim), claim.tree
    sample = claim.table.sample()
    pending = [(0, Place.root(sample), sample, sample.total())]
    # From the root down, because the rows below depend on the threshold that is taken here.
    while pending:
        number, place, rows, above = pending.pop()
        node = tree.nodes[number]
        if node.test is None:
            continue
        at = DecidedArrival(place, rows, walk.learner.decide(rows, place), above, number)
        test = node.test
        if isinstance(test, Threshold):
            best = _best(walk, at, node, test, digits)
            if best is not test:
                yield Other(number, test, best)
            test = best
        below = _children(walk, at, node, test)
        pending += [(to, *child, rows.total()) for to, child in zip(node.branches, below, strict=True)][::-1]


def _children(walk: Walk, at: DecidedArrival, node: Node, test: Test) -> list[tuple[Place, Sample]]:
    answer = Answer(at.decision.answer.label, at.decision.answer.counts)
    return at.place.children(at.sample, test, answer, way_of(walk.judge, walk.tree, node, at, test))


def _best(walk: Walk, at: DecidedArrival, node: Node, test: Threshold, digits: PrintedDigits) -> Threshold:
    """The first of the thresholds that are printed alike that fits best."""
    values = [*at.sample.schema.numbers[test.attribute]]
    others = _others(test, values, digits)
    if len(others) == 1:
        return test
    stated = [counts for counts in map(walk.stated.counts, node.branches) if counts is not None]
    alike = partial(walk.judge.near.rows, above=at.sample.total())

    def fits(other: Threshold) -> tuple[bool, bool]:
        parts = [part.total() for _, part in _children(walk, at, node, other)]
        agrees = len(stated) == len(node.branches) and fit(stated, parts, alike)
        return agrees, walk.judge.winner(at, other) is not None

    # Agreement with the counts goes before the learner's choice; of equals `max` takes the first.
    return max(others, key=fits)
