"""Multiway splits: a branch for each value of a categorical attribute, as ID3 and C4.5 make them.

An attribute tested on a path has one value below it, so it is not tested again there. A declared value that no row has
gets a branch too: a row to be predicted may well have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

from reference_tree.data.questions import Multiway, Test
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.schema import Attribute
from reference_tree.exact.choosing import best, mixture, near_best
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.candidate import Candidate, barring_rule
from reference_tree.splitting.packed_gains import leading
from reference_tree.splitting.score_bounds import table_bounds


def multiway_candidates(
    sample: Sample, available: frozenset[str], measured: tuple[str, ...], minimum: Rational
) -> Iterator[Candidate]:
    """The multiway split on each categorical attribute that is still available, in table order.

    Args:
        sample: the rows at the node.
        available: attributes not yet tested above it.
        measured: the scores each candidate is judged by.
        minimum: the least weight of a branch that is not empty.

    Source:
        [N0 EN §3.1 step (5)], [N1 §1.4 step 5], [N2 §2.1 step 4], [N3 ID3 algorithm: step 2], [Quinlan1986 §4]. N2
        calls a branch a class.
    """
    for attribute in sample.schema.attributes:
        if attribute.name in available and attribute.kind == "categorical":
            yield multiway_candidate(sample, attribute, measured, minimum)


def multiway_candidate(sample: Sample, attribute: Attribute, measured: tuple[str, ...], minimum: Rational) -> Candidate:
    """The multiway split on one categorical attribute; arguments as for `multiway_candidates`."""
    test = _asked(attribute)
    table = sample.partition(test)
    return Candidate(test, table, measured, barring_rule(table, minimum))


class GainCandidate(Candidate):
    """A multiway split that nothing bars, judged by its gain; its table is counted when it is asked for.

    Args:
        test: the question.
        sample: the rows at the node.
    """

    measured = ("gain",)
    sample: Sample

    def __init__(self, test: Test, sample: Sample) -> None:
        self.__dict__["test"], self.__dict__["sample"] = test, sample  # it is frozen

    @cached_property
    def table(self) -> Partition:
        """Its sample partition."""
        return self.sample.partition(self.test)


def best_by_gain(sample: Sample, available: frozenset[str], minimum: Rational) -> tuple[Candidate, ...]:
    """The multiway splits of largest gain, decided exactly; arguments as for `multiway_candidates`.

    No value may be missing.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"a": ["x", "y", "y"], "b": ["x", "y", "x"], "y": ["no", "yes", "yes"]})
        >>> [candidate.test.name for candidate in best_by_gain(table.sample(), frozenset({"a", "b"}), 0)]
        ['a']
    """
    packed = sample.packed() if minimum <= 1 else None
    tests, equal = _leading_counted(sample, available, minimum) if packed is None else leading(packed, available)
    found = [GainCandidate(test, sample) for test in tests]
    return tuple(found if equal else best(found, lambda c: c.scores["gain"], lambda c: mixture(c.table.rows)))


def _leading_counted(sample: Sample, available: frozenset[str], minimum: Rational) -> tuple[list[Test], bool]:
    """What `packed_gains.leading` says, where every table has to be counted. Equal gains are left to be found equal."""
    every = multiway_candidates(sample, available, ("gain",), minimum)
    allowed = [candidate for candidate in every if candidate.barred is None]
    if len(allowed) > 1:
        allowed = near_best(allowed, lambda candidate: table_bounds(candidate.table, "gain"))
    return [candidate.test for candidate in allowed], len(allowed) < 2


@lru_cache(maxsize=1024)
def _asked(attribute: Attribute) -> Multiway:
    """The same question is asked at every node."""
    return Multiway.on(attribute)


__all__ = ["GainCandidate", "best_by_gain", "multiway_candidate", "multiway_candidates"]
