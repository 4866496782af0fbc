"""Invariants: everything that must hold for a tree and the data it claims to have been grown from.

The rows are sent down the tree once more, and each node is compared with the rows that arrive:

1. The nodes are in preorder, and each but the root has one node above it.
2. A node has a test, or a reason not to; if the reason depends only on the rows, it is true.
3. The counts are those of the rows that arrive; the label is a majority class, the mean, or a median of them; under
   priors and losses it is a class of least expected cost. A leaf without rows repeats the label of the node above it.
4. A test is about attributes of the table. A multiway test of an attribute occurs once on a path. Every
   row that answers has a branch. A threshold lies in its interval, if it has one, and no row changes sides within it.
5. A row without an outcome is sent on by exactly one rule, and the rule is complete: shares are those of the known
   rows, surrogates lead to branches of the node, and a row without an outcome of any surrogate has a path, too.
   A row that stays is in no branch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from reference_tree.data.questions import Linear, Test, Threshold, fits
from reference_tree.data.sample import Counts, Data, Partition, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import Values, most_common
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import significant
from reference_tree.measures.misclassification import Costs
from reference_tree.measures.variance import Moments, mean
from reference_tree.node import Deviations, Label, Node, TreeError
from reference_tree.routing import foreseen
from reference_tree.splitting.missing_values import branch_shares


class _Arrival(NamedTuple):
    """A node that is still to be visited, and the rows that arrive there."""

    number: int
    sample: Sample
    above: Label
    """The label of the node above."""
    asked: frozenset[str]
    """The multiway attributes tested on the path."""


class Best(NamedTuple):
    """The classes that a node may answer."""

    called: str
    of: Callable[[Counts], list[str]]
    """The best classes in class order, from the weight of each class."""


def check_nodes(
    target: Attribute,
    nodes: Sequence[Node],
    table: Data,
    *,
    by_majority: bool = True,
    costs: Costs | None = None,
) -> None:
    """Check that every invariant holds.

    Args:
        target: the attribute that the tree predicts.
        nodes: the tree.
        table: the data it was grown from.
        by_majority: whether a label must be the best one for the counts. It need not be if mistakes have costs that
            are not known.
        costs: priors and losses by which the best class is found; None: it is the majority class.

    Raises:
        TreeError: an invariant does not hold; the message names the node and the invariant.
    """
    if table.schema.target != target:
        raise TreeError(f"the tree predicts {target}; the table has {table.schema.target}")
    best = Best("the majority", partial(most_common, target)) if by_majority else None
    if by_majority and costs is not None:
        best = Best("the cheapest prediction", partial(costs.cheapest, target))
    arriving = [_Arrival(0, foreseen(table.sample(), nodes), "", frozenset())]
    expected = 0
    while arriving:
        arrival = arriving.pop()
        if arrival.number != expected or arrival.number >= len(nodes):
            raise TreeError(f"node {arrival.number} is out of preorder; {expected} was to come")
        expected += 1
        node = nodes[arrival.number]
        if fault := next(_faults(node, arrival, best), None):
            raise TreeError(f"node {arrival.number} {fault}")
        if node.test is not None:
            asked = arrival.asked | {node.test.attribute} if node.test.kind == "multiway" else arrival.asked
            parts = arrival.sample.split(node.test, node.missing)
            below = [_Arrival(*pair, node.label, asked) for pair in zip(node.branches, parts, strict=True)]
            arriving += reversed(below)
    if expected != len(nodes):
        raise TreeError(f"node {expected} has no node above it")


def _faults(node: Node, arrival: _Arrival, best: Best | None) -> Iterator[str]:
    """The faults of a node, found one at a time, since some figures take long to write."""
    sample = arrival.sample
    yield from _faults_of_shape(node)
    yield from _faults_of_reason(node, sample)
    yield from _faults_of_answer(node, arrival, best)
    if node.test is not None:
        for test in (node.test, *(surrogate.test for surrogate in node.missing.surrogates)):
            if not fits(test, sample.schema):
                yield f"asks for {test.name}, which the table has not, or not of that kind"
        if node.test.attribute in arrival.asked:
            yield "tests an attribute a second time"
        table = sample.partition(node.test)
        yield from _faults_of_branches(node, table, sample)
        yield from _faults_of_interval(node.test, table, sample)


def _faults_of_shape(node: Node) -> Iterator[str]:
    if (node.test is None) == (node.stop is None):
        yield f"asks {node.test and node.test.name} and has the reason {node.stop} to be a leaf"
    if len(node.branches) != (len(node.test.outcomes) if node.test else 0):
        yield "has not one branch for each outcome"
    yield from faults_of_missing(node)


def faults_of_missing(node: Node) -> Iterator[str]:
    """The faults of a node's rule for missing values that show without data."""
    missing, branches = node.missing, range(len(node.branches))
    if missing.shares and len(missing.shares) != len(branches):
        yield "has not one share for each branch"
    if missing.shares and (missing.surrogates or missing.to is not None or missing.stays):
        yield "divides a row with a missing value, and sends it elsewhere too"
    if missing.to is not None and (missing.stays or missing.to not in branches):
        yield f"sends a row with a missing value to branch {missing.to}, which is not there, or keeps it"
    if missing.surrogates and missing.to is None and not missing.stays:
        yield "has surrogates, but no way for a row without a value for any of them"
    for surrogate in missing.surrogates:
        if len(surrogate.branches) != len(surrogate.test.outcomes) or not {*surrogate.branches} <= {*branches}:
            yield f"has the surrogate {surrogate.test.name}, which does not lead to its branches"


def _faults_of_reason(node: Node, sample: Sample) -> Iterator[str]:
    found = sample.total()
    reasons = {"pure": sample.target.is_pure(found), "empty": not any(found)}  # these depend only on the rows
    if not reasons.get(node.stop or "", True):
        yield f"gives the reason {node.stop}"
    if node.prior == any(found):
        yield f"is marked as prior={node.prior}"


def _faults_of_answer(node: Node, arrival: _Arrival, best: Best | None) -> Iterator[str]:
    target, found = arrival.sample.schema.target, arrival.sample.total()
    if not any(found):
        if any(node.counts):
            yield f"has the counts {_figures(node.counts)}; nothing arrives"
        if node.label != arrival.above:
            yield f"has the label {_label(node.label)}; the node above has {_label(arrival.above)}"
        if node.tied:
            yield f"lists the tie {' = '.join(node.tied)}"
    elif target.values is not None:
        yield from _faults_of_class(node, found, target, best)
    elif isinstance(node.counts, Deviations):
        yield from _faults_of_median(node, arrival.sample)
    else:
        yield from _faults_of_mean(node, found)


def _faults_of_class(node: Node, found: Counts, target: Attribute, best: Best | None) -> Iterator[str]:
    if node.counts != found:
        yield f"has the counts {_figures(node.counts)}; {_figures(found)} arrive"
    if best is None:
        if node.label not in target.domain:
            yield f"has the label {_label(node.label)}, which is no class"
        return
    labels = best.of(found)
    if node.label not in labels:
        yield f"has the label {_label(node.label)}; {best.called} is {' or '.join(labels)}"
    if node.tied != (tuple(labels) if len(labels) > 1 else ()):
        yield f"lists the tie {' = '.join(node.tied) or 'of none'}"


def _faults_of_mean(node: Node, found: Counts) -> Iterator[str]:
    if node.counts != found:
        yield f"has the moments {_figures(node.counts)}; {_figures(found)} arrive"
    if node.label != (right := Fraction(mean(Moments(*found)))):
        yield f"has the label {_label(node.label)}; the mean is {significant(right)}"


def _faults_of_median(node: Node, sample: Sample) -> Iterator[str]:
    """The faults of a median, which is any number with at most half of the weight on each side."""
    numbers = sample.schema.numbers[sample.schema.target.name]
    weights, label = sample.against(Values(numbers)).total(), Fraction(node.label)
    pairs = list(zip(numbers, weights, strict=True))
    below = sum(weight for number, weight in pairs if number < label)
    above = sum(weight for number, weight in pairs if number > label)
    if 2 * max(below, above) > sum(weights):
        yield f"has the label {_label(node.label)}, which is no median"
    deviations = (sum(weights), label, sum(weight * abs(number - label) for number, weight in pairs))
    if node.counts != deviations:
        yield f"has the deviations {_figures(node.counts)}; they are {_figures(deviations)}"


def _faults_of_branches(node: Node, table: Partition, sample: Sample) -> Iterator[str]:
    weight = sample.target.weight
    if tuple(map(sum, zip(*table.rows, table.unknown, strict=True))) != sample.total():
        yield "has no branch for some of the rows that arrive"
    if any(table.unknown) and node.missing.rule == "error":
        yield "has no rule for the rows that arrive with a missing value"
    given, known = node.missing.shares, [[weight(row)] for row in table.rows]
    if (
        given
        and not node.missing.aggregates
        and any(map(any, known))
        and list(given) != (found := branch_shares(known))
    ):
        yield f"has the shares {_figures(given)}; its rows have {_figures(found)}"


def _faults_of_interval(test: Test, table: Partition, sample: Sample) -> Iterator[str]:
    if not isinstance(test, Threshold | Linear) or test.interval is None:
        return
    low, high = test.interval
    strict = isinstance(test, Threshold) and test.strict
    inside = low < test.threshold <= high if strict else low <= test.threshold < high
    ends: list[Test] = [replace(test, threshold=low)]
    if isinstance(test, Threshold):  # sums have no strict test; they are only compared with the lower end
        ends = [replace(test, threshold=low, strict=False), replace(test, threshold=high, strict=True)]
    if not inside or any(sample.partition(end).rows != table.rows for end in ends):
        ends_text = " and ".join(map(significant, test.interval))
        yield f"asks {test.name}, but that is not the same question anywhere between {ends_text}"


def _figures(weights: Sequence[Rational]) -> str:
    return f"({', '.join(map(significant, weights))})"


def _label(label: Label) -> str:
    return label if isinstance(label, str) else significant(label)
