"""One decision: the derivation of a node that stands in no tree yet.

A decision knows by whom it was made, of which rows and where. The way to that place is drawn as a tree in which nothing
else has grown, so that the node is worked out as it is in the derivation of a tree.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.data.errors import InputError, shown
from reference_tree.data.questions import Test
from reference_tree.learners.decision import Decision, Made
from reference_tree.learners.growing import Visit
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Block
from reference_tree.views.derivation.explain import Format, digits_of, writer
from reference_tree.views.derivation.nodes import work_out_node
from reference_tree.views.derivation.numerals import PLACES, Digits
from reference_tree.views.derivation.remarks import Given
from reference_tree.views.derivation.worked_nodes import WorkedNode


def explain_decision(
    decision: Decision, *, format: Format = "text", every: bool = False, digits: int = PLACES, exact: bool = False
) -> str:
    """How a learner decided at one node: what the letters mean, and then the node worked out.

    Args:
        decision: what a learner's `decide` returned.
        format: `text` for a terminal, `markdown` for a page.
        every: whether every cut of an attribute stands in its table, however many there are.
        digits: the decimals of figures that are rounded.
        exact: whether no fraction is rounded, and sums of logarithms are also written in full.

    Raises:
        InputError: the decision does not say by whom and where it was made.

    Example:
        >>> import reference_tree as rt
        >>> page = explain_decision(rt.ID3().decide(rt.textbook("play-tennis").sample()))
        >>> page.splitlines()[-1]
        'Split on outlook, with a margin of 0.094914 bits over the next best, humidity.'
    """
    if not isinstance(decision, Decision):
        raise InputError(f"{shown(decision)} is no decision; a learner's decide makes one of a sample")
    if decision.made is None:
        raise InputError("the decision does not say by whom and where it was made")
    tree, number = _grown_so_far(decision, decision.made)
    how = digits_of(tree, digits, exact=exact)
    blocks = _derived(decision, decision.made, tree, number, how, every)
    return "".join(f"{line}\n" for line in writer(format)(blocks, how))


def _derived(decision: Decision, made: Made, tree: Tree, number: int, digits: Digits, in_full: bool) -> Iterator[Block]:
    given = Given(tree, made.learner.grower().options, False, {}, digits)
    visit = Visit(number, made.place, made.sample, decision)
    node = WorkedNode.of(given, made.learner, visit, in_full)
    yield from work_out_node(node, alone=True)


def _grown_so_far(decision: Decision, made: Made) -> tuple[Tree, int]:
    """The way to the place as a tree, and the number of the node there; all other branches end in one leaf."""
    way, schema, label = list[Place](), made.sample.schema, decision.answer.label
    place = made.place
    while place.parent is not None:
        way.append(place)
        place = place.parent
    here, nothing, chosen = len(way), (0,) * len(decision.total), decision.chosen
    nodes = [
        Node(nothing, label, at.test, tuple(k + 1 if b == at.branch else here + 1 for b in range(_branches(at.test))))
        for k, at in enumerate(reversed(way))
    ]
    test = None if chosen is None else chosen.test
    below = (here + 1,) * _branches(test)
    nodes.append(Node(decision.total, label, test, below, decision.stop, missing=decision.missing))
    nodes.append(Node(nothing, label, stop="unknown"))
    return Tree(schema.target, schema.attributes, tuple(nodes)), here


def _branches(test: Test | None) -> int:
    return 0 if test is None else len(test.outcomes)
