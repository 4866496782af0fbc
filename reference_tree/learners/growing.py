"""Growing: apply a learner's decision from the root down.

A stack holds the places that are still to be grown. The first branch of a node is grown with its whole subtree before
the second, so nodes are made and numbered in preorder. Nothing recurses: a deep tree only needs more memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from reference_tree.data.errors import InputError, columns_option, listed
from reference_tree.data.questions import Multiway, Test, fits
from reference_tree.data.sample import Data, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.table import check_table
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.place import Answer, Place
from reference_tree.routing import foreseen
from reference_tree.tree import Node, Tree
from reference_tree.twins import twin


class Visit(NamedTuple):
    """A node of a grown tree, visited again with the rows that reach it."""

    number: int
    place: Place
    sample: Sample
    decision: Decision


def grow(
    learner: Learner, table: Data, progress: Callable[[int], None] | None = None, validation: Data | None = None
) -> Tree:
    """The tree that a learner grows from a table, node by node.

    Args:
        learner: the learner that decides each node.
        table: the data.
        progress: called after each node with the number of nodes so far.
        validation: rows held out, for a learner that uses them before it splits.

    Raises:
        InputError: the target is of a kind that the learner does not predict, or an override of a tie names a node that
            the tree does not have, or chooses a test for a leaf.

    Source:
        [N0 EN §3.1 step (5)], [N0 EN §3.1 step (6)], [N1 §1.4 step 5], [N1 §1.4 step 6], [N1 §1.2 heuristic], [N1 §1.2
        parts], [N2 §1 goal], [N2 §1 recursion], [N2 §2.1 step 7], [N3 ID3 algorithm: step 3], [N4 Decision tree
        learning], [N4 Learning Process: step 1], [N4 Learning Process: step 2], [N4 Learning Process: step 3], [N4
        Putting it together], [N4 Putting it together: step 1], [N4 Putting it together: step 3], [Hunt1966],
        [HyafilRivest1976]. N0 and N1 return the tree before they recur; it is returned when no place is left. Hunt's
        system divided and conquered first; Hyafil and Rivest show that the tree of the fewest expected tests is
        NP-complete to find.
    """
    check_table(table)
    _check_target(learner, table.schema.target)
    sample, held_out = table.sample(), None if validation is None else validation.sample()
    tree = grown_below(learner, sample, Place.root(sample, held_out), progress)
    # An override can name a node that never comes into being, which shows only now.
    if learner.ties.any:
        learner.ties.check(tree)
    return learner.finish(tree)


# Nothing below a node is decided before the node is, and a decision reads its place and sample alone: the order of
# growth matters for numbers of nodes, and not for the tree.
@twin
def grown_below(learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None) -> Tree:
    """The tree that a learner grows from the rows at a place, before `Learner.finish`.

    Args:
        learner: the learner that decides each node.
        sample: the rows that reach the place.
        place: the place of the first node.
        progress: called after each node with the number of nodes so far.
    """
    nodes, below = list[Node](), list[list[int]]()
    schema, pending = sample.schema, [(place, sample, list[int]())]
    while pending:
        place, sample, siblings = pending.pop()
        decision, branches = learner.decide(sample, place), list[int]()
        siblings.append(len(nodes))
        if decision.chosen is not None:
            # The last branch is put on the stack first, so that the first one is grown next.
            children = place.children(sample, decision.chosen.test, decision.answer, decision.missing)
            pending += [(child, part, branches) for child, part in reversed(children)]
        nodes.append(kept(decision))
        below.append(branches)  # they are numbered while they are grown
        if progress is not None:
            progress(len(nodes))
    linked = (replace(node, branches=tuple(to)) if to else node for node, to in zip(nodes, below, strict=True))
    return Tree(schema.target, schema.attributes, tuple(linked), learner.grower())


def kept(decision: Decision) -> Node:
    """What a tree keeps of a decision: no candidates and no samples. Its branches are not known yet."""
    answer, test = decision.answer, None if decision.chosen is None else decision.chosen.test
    return Node(decision.total, answer.label, test, (), decision.stop, answer.tied, answer.prior, decision.missing)


# The tree says where rows go, and not the decision: a tree that another learner grew is walked as it is, and each node
# is decided from the rows that do reach it.
def revisit(tree: Tree, learner: Learner, table: Data, validation: Data | None = None) -> Iterator[Visit]:
    """Walk down a tree with the rows of a table, and let a learner decide each node.

    Args:
        tree: any tree, grown by this learner or not.
        learner: the learner that decides.
        table: the data.
        validation: rows held out, for a learner that uses them before it splits.

    Raises:
        InputError: the table lacks an attribute that the tree asks for, or has it with other values; or it has other
            classes, or the same in another order.
    """
    _check_target(learner, table.schema.target)
    check_classes(tree, table)
    sample, held_out = foreseen(table.sample(), tree.nodes), None if validation is None else validation.sample()
    pending = [(0, Place.root(sample, held_out), sample)]
    while pending:
        number, place, sample = pending.pop()
        decision = learner.decide(sample, place)
        yield Visit(number, place, sample, decision)
        node = tree.nodes[number]
        if node.test is not None:
            check_question(node.test, table)
            answer = Answer(node.label, decision.answer.counts)
            below = zip(node.branches, place.children(sample, node.test, answer, node.missing), strict=True)
            pending += [(branch, child, part) for branch, (child, part) in reversed(list(below))]


def _check_target(learner: Learner, target: Attribute) -> None:
    if target.kind not in learner.predicts:
        what, kind = ("classes", "categorical") if target.values is None else ("numbers", "continuous")
        refusal = f"the target {target.name} is {target.kind}, and this learner predicts {what}"
        raise InputError(f"{refusal}; say {columns_option(kind, target.name)}")


def check_classes(tree: Tree, table: Data) -> None:
    """Refuse a table with another target than the tree. Counts are by position, so the order of classes matters, too.

    Raises:
        InputError: the target has another name, or is of another kind, or its classes or their order differ.
    """
    predicted, target = tree.target, table.schema.target
    other = "the tree was not grown from this table"
    if predicted.name != target.name:
        raise InputError(f"{other}: it predicts {predicted.name}, and the target here is {target.name}")
    if predicted.values is None:  # a tree that adds to a sum is compared with the cases of its table
        return
    if target.values is None:
        raise InputError(f"{other}: it predicts {predicted.name} as classes, and here that is a number")
    if predicted.values != target.values:
        order = " in another order" if sorted(predicted.domain) == sorted(target.domain) else ""
        raise InputError(
            f"{other}: its classes are {listed(predicted.domain)}, and here {listed(target.domain)}{order}"
        )


def check_question(test: Test, table: Data) -> None:
    """Refuse a test that a table does not have.

    Raises:
        InputError: the table lacks an attribute, or has it with other values.
    """
    attributes = [table.schema.attribute(name) for name in test.attributes]
    # A branch that is missing is told by its value; any other difference between the values means another attribute.
    if isinstance(test, Multiway) and (left := set(attributes[0].domain) - set(test.values)):
        raise InputError(f"the tree asks for {test.name}, and has no branch for {min(left)}")
    multiway = isinstance(test, Multiway) and test.values != attributes[0].values
    if multiway or not fits(test, table.schema):
        difference = f"{attributes[0].name} is another attribute in this table"
        raise InputError(f"the tree asks for {test.name} as {test.kind}, but {difference}")
