"""Surrogates: whether a node lists the surrogates that its learner would find.

For each other attribute, a learner looks for the test that agrees best with the test of the node. It lists
these by their agreement, as far as they beat the blind rule and there is room. So for each listed surrogate:

1. It agrees as well as the tree says.
2. No test about its attribute agrees better, and it may be a surrogate at all: it sends enough rows to each side.
3. No surrogate listed after it or left out agrees better; there are no more than are allowed.

Equal surrogates may stand in any order, and any test about an attribute that agrees as well as the best is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from reference_tree.auditing.finding import Fault, shown
from reference_tree.data.questions import Surrogate, Test, Threshold
from reference_tree.data.sample import Sample
from reference_tree.data.targets import Branches
from reference_tree.exact.rounding import significant
from reference_tree.splitting.missing_rules import StandIns
from reference_tree.splitting.surrogates import Denominator, agreement, best_surrogate

RULE = "missing.surrogates"
"""The id of the rule that a wrong surrogate breaks."""


class Listed(NamedTuple):
    """A surrogate of a tree, and how well it agrees with the test of its node."""

    surrogate: Surrogate
    agrees: Fraction

    @property
    def name(self) -> str:
        """The name of its test."""
        return shown(self.surrogate.test).name


def faults(
    listed: tuple[Surrogate, ...], test: Test, sample: Sample, search: StandIns, slack: Fraction | None
) -> Iterator[Fault]:
    """The faults of the surrogates of a node.

    Args:
        listed: the surrogates of the tree, in its order.
        test: the test of the node.
        sample: the rows at the node.
        search: the learner's search for surrogates.
        slack: the error allowed for a stated agreement; None if agreements are not stated.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.data.questions import Threshold
        >>> columns = {"a": [1, 1, 2, 2], "b": [1, 1, 2, 2], "c": [1, 2, 2, 2], "y": ["n", "n", "y", "y"]}
        >>> sample = rt.Table.from_columns(columns).sample()
        >>> a, b, c = (Threshold(name, Fraction(3, 2)) for name in "abc")
        >>> worse, better = Surrogate(c, (0, 1), Fraction(3, 4)), Surrogate(b, (0, 1), 1)
        >>> search = StandIns(always=True)
        >>> list(faults((better, worse), a, sample, search, Fraction(0)))
        []
        >>> for fault in faults((worse, better), a, sample, search, Fraction(0)):
        ...     print(fault.message)
        the surrogate c<=1.5 stands before b<=1.5, which agrees for more rows: 1 against 0.75

    Source:
        [Breiman1984 §5.3.2]
    """
    is_sought = search.always or any(sample.partition(test).unknown)
    if not listed and not is_sought:
        return  # there is nothing to judge, and the search takes longer than growing the node
    # The branch of each row becomes its class: a surrogate is then a test that predicts the branch.
    against = sample.against(Branches(test))
    found = [Listed(one, agrees(one, against, search.denominator)) for one in listed]
    best = best_ones(test, sample, against, search)
    for one in found:
        # What is stated is judged first, and then whether a better one exists.
        if slack is not None and abs(one.surrogate.agreement - one.agrees) > slack:
            stated = significant(one.surrogate.agreement, 6)
            yield _fault(f"{one.name} is said to agree for {stated} of the rows, and does for {_share(one.agrees)}")
        attribute = one.surrogate.test.attribute
        if attribute not in best:
            yield _fault(f"{one.name} is of no use, or may not stand in")
        elif one.agrees < best[attribute].agreement:
            other = f"{best[attribute].test.name}, about the same, does for {_share(best[attribute].agreement)}"
            yield _fault(f"{one.name} agrees for {_share(one.agrees)} of the rows; {other}")
        elif one.agrees > best[attribute].agreement:
            yield _fault(f"{one.name} may not stand in, though it agrees for {_share(one.agrees)}")
        elif isinstance(one.surrogate.test, Threshold) and (
            (least := min(map(sum, against.partition(one.surrogate.test).rows))) < search.minimum
        ):
            sent = f"{significant(Fraction(least), 6)} of the rows with both values"
            yield _fault(f"{one.name} sends only {sent} to one side; {search.minimum} are needed")
    # Neighbours in order are enough: a list is sorted if each pair is.
    for before, after in pairwise(found):
        if before.agrees < after.agrees:
            more = f"{_share(after.agrees)} against {_share(before.agrees)}"
            yield _fault(f"{before.name} stands before {after.name}, which agrees for more rows: {more}")
    if search.most is not None and len(found) > search.most:
        yield _fault(f"{found[-1].name} is one too many: there may be {search.most}")
    if is_sought:
        yield from _left_out(found, best, search)


def _left_out(found: list[Listed], best: Mapping[str, Surrogate], search: StandIns) -> Iterator[Fault]:
    """The faults of surrogates that are missing: all useful ones should be listed, as far as there is room."""
    attributes = {one.surrogate.test.attribute for one in found}
    is_full = search.most is not None and len(found) >= search.most
    # A full list may leave out what agrees no better than its last one.
    least = min((one.agrees for one in found), default=Fraction(1))  # of none there is room for none
    for name, one in best.items():
        if name not in attributes and not (is_full and one.agreement <= least):
            yield _fault(f"{one.test.name} is left out, which agrees for {_share(one.agreement)}")


def agrees(one: Surrogate, against: Sample, denominator: Denominator) -> Fraction:
    """The share of the rows that a surrogate sends to the same branch as the test of its node.

    Args:
        one: the surrogate.
        against: the rows, counted by the branches of that test.
        denominator: the rule for the rows of which it is a share.
    """
    table = against.partition(one.test)
    right = sum(row[branch] for row, branch in zip(table.rows, one.branches, strict=True))
    # The denominator decides whether rows without the surrogate's value count.
    left_known, right_known = (sum(column) for column in zip(*table.rows, strict=True))
    left_unknown, right_unknown = table.unknown
    counted = denominator((left_known, right_known), (left_unknown, right_unknown))
    return agreement(right, counted) if any(counted) else Fraction(0)


def best_ones(test: Test, sample: Sample, against: Sample, search: StandIns) -> dict[str, Surrogate]:
    """For each other attribute, the test that agrees best, if it is useful."""
    everyone = sample if search.seen else None
    found = {
        attribute.name: best_surrogate(against, attribute, search.denominator, search.minimum, search.errors, everyone)
        for attribute in sample.schema.attributes
        if attribute.name != test.attribute
    }
    return {name: one.surrogate for name, one in found.items() if one is not None and one.association > 0}


def _share(agrees: Fraction | int) -> str:
    return str(significant(Fraction(agrees), 6))


def _fault(message: str) -> Fault:
    return Fault("wrong-surrogate", f"the surrogate {message}", RULE)
