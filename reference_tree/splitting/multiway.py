"""Multiway splits: a branch for each value of a categorical attribute, as ID3 and C4.5 make them.

Below the test of an attribute, all rows have one value of it, so it is not tested again there. A declared value that no
row has gets a branch too: a row to be predicted may have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from reference_tree.data.questions import Multiway
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.exact.choosing import best
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.candidate import Candidate, barring_rule
from reference_tree.twins import twin


# In table order, which is the order in which ties are broken.
def multiway_candidates(
    sample: Sample, available: frozenset[str], measured: tuple[str, ...], minimum: Rational
) -> Iterator[Candidate]:
    """The multiway split on each categorical attribute that is still available, in table order.

    Args:
        sample: the rows at the node.
        available: the attributes that are not tested above the node.
        measured: the names of the scores of each candidate.
        minimum: the least weight of a branch that is not empty.

    Source:
        [N0 EN §3.1 step (5)], [N1 §1.4 step 5], [N2 §2.1 step 4], [N3 ID3 algorithm: step 2], [Quinlan1986 §4]. N2
        calls a branch a class.
    """
    for attribute in sample.schema.attributes:
        if attribute.name in available and attribute.kind == "categorical":
            yield multiway_candidate(sample, attribute, measured, minimum)


def multiway_candidate(sample: Sample, attribute: Attribute, measured: tuple[str, ...], minimum: Rational) -> Candidate:
    """The multiway split on one categorical attribute; arguments as for `multiway_candidates`.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> days = textbook("play-tennis")
        >>> multiway_candidate(days.sample(), days.schema.attribute("outlook"), ("gain",), minimum=1)
        <Candidate outlook: gain 0.24675>
    """
    # A branch for each declared value, in this order in every node: goldens name branches by their number.
    test = Multiway.on(attribute)
    table = sample.partition(test)
    return Candidate(test, table, measured, barring_rule(table, minimum))


@twin
def best_multiway(
    sample: Sample, attributes: Sequence[Attribute], measured: tuple[str, ...], minimum: Rational, ties: bool = True
) -> Sequence[Candidate]:
    """The multiway splits of largest score on some categorical attributes, among those that no rule bars.

    Args:
        sample: the rows at the node.
        attributes: the attributes that may be tested.
        measured: as for `multiway_candidates`; the last score decides.
        minimum: as for `multiway_candidates`.
        ties: whether all of the best are wanted, or only the first of them.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> days = textbook("play-tennis")
        >>> best_multiway(days.sample(), days.schema.attributes, ("gain",), minimum=1)
        [<Candidate outlook: gain 0.24675>]
    """
    found = [multiway_candidate(sample, attribute, measured, minimum) for attribute in attributes]
    winners = best([candidate for candidate in found if candidate.barred is None], attrgetter("score"))
    return winners if ties else winners[:1]
