"""Raised branches: the rows that a raised branch had before are not sent down it again.

A branch that is tried in the place of its node gets the rows of the other branches besides its own. Its own rows are
counted in its leaves already, so only the rows of the other branches are sent down and added.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import add

from reference_tree.data.sample import Counts, Sample
from reference_tree.node import Node
from reference_tree.pruning import error_based
from reference_tree.pruning.cutting import postorder_below
from reference_tree.pruning.error_based import Arriving
from reference_tree.splitting.missing_rules import with_gaps
from reference_tree.twins import fast_form_of


@fast_form_of(error_based.arriving)
def arriving(nodes: Mapping[int, Node], samples: Mapping[int, Sample], place: int, branch: int) -> Arriving:
    """The leaves that all rows of a node reach if one of its branches takes its place.

    If some row has a missing value, the textbook function is used, as that row may then be divided differently.
    """
    if with_gaps(samples[place]):
        textbook = error_based.arriving.__wrapped__  # type: ignore[attr-defined]
        by_the_book: Arriving = textbook(nodes, samples, place, branch)
        return by_the_book
    more: dict[int, Counts] = {}
    coming = [(branch, samples[other]) for other in nodes[place].branches if other != branch]
    while coming:
        here, sample = coming.pop()
        node, counts = nodes[here], sample.total()
        if node.test is not None and any(counts):
            coming += zip(node.branches, sample.split(node.test), strict=True)
        elif any(counts):
            more[here] = tuple(map(add, more.get(here, node.counts), counts))
    below = (here for here in reversed(postorder_below(nodes, branch)) if nodes[here].test is None)
    return Arriving([counts for here in below if any(counts := more.get(here, nodes[here].counts))], [])
