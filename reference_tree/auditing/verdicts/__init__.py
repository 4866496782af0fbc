"""Verdicts: what may be found at a node, in one table.

Most verdicts are found by the judge (`judging.Judge`). A file of this folder with a `Verdict` that finds its own faults
is a further one: audits, checks, their reports and the tables of the pages are views of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from reference_tree.records import records


class Verdict(NamedTuple):
    """A verdict."""

    name: str
    """One word."""
    about: str
    """What a node does that gets it."""
    rules: tuple[str, ...] = ()
    """How the ids of its rules begin, the likelier first."""
    rule: str = ""
    """The id of its rule, if the node exercises none of these."""
    by: tuple[str, ...] = ("audit", "check")
    """Who gives it."""
    is_right: bool = False
    """Whether it is no fault."""
    after: str = ""
    """The verdict after which it stands, if it is a file of its own."""
    finds: Callable[[Any, Any, Any], Iterable[str]] | None = None
    """Gives the faults in words, from the judge, what arrives and what is stated; None for a verdict of the judge."""


_AUDIT, _CHECK, _BOTH = ("audit",), ("check",), ("audit", "check")

# The order is that of causes: right verdicts first, then what is wrong about the rows, the test, the leaf, and the
# rest.
_OF_THE_JUDGE = (
    Verdict("optimal", "is one that the learner would make; a leaf where it would stop, too", by=_AUDIT, is_right=True),
    Verdict("optimal-tied", "the same, and other tests are exactly as good", by=_AUDIT, is_right=True),
    Verdict("within-rounding", "has a test that may be the best one, depending on the roundings of its program",
            by=_AUDIT, is_right=True),
    Verdict("wrong-threshold", "divides its rows otherwise than the counts of its branches state", by=_AUDIT),
    Verdict("wrong-counts", "has other counts than the rows that arrive", ("missing.weights", "missing."), "counts"),
    Verdict("wrong-table", "has other counts in the branches of a candidate", ("missing.", "branching."), by=_CHECK),
    Verdict("not-a-candidate", "has a test that the learner may not use there", ("candidate", "branching.")),
    Verdict("suboptimal", "has a test with a lower score than the best one", ("c45.average", "measure.")),
    Verdict("wrong-winners", "has another set of best candidates", ("ties.split", "measure."), by=_CHECK),
    Verdict("split-too-far", "has a test, where a rule makes it a leaf", ("stop.", "bound.")),
    Verdict("stopped-early", "is a leaf, where no rule makes it one", ("zero-gain", "bound.", "measure."), "stop"),
    Verdict("wrong-leaf", "has another prediction than that of its rows", ("empty-branch", "ties.class"), "label"),
    Verdict("wrong-tie", "has other classes that tie", ("ties.class", "empty-branch"), by=_CHECK),
    Verdict("wrong-surrogate", "lists a surrogate that its learner would not list there; a check says `wrong-missing`",
            rule="missing.surrogates", by=_AUDIT),
    Verdict("wrong-missing", "sends rows with a missing value elsewhere than its learner would", ("missing.",),
            "missing"),
    Verdict("wrong-share", "divides rows with a missing value otherwise than its learner would", ("missing.",),
            by=_CHECK),
    Verdict("wrong-stop", "is a leaf, but not for the reason that it says", ("stop.", "bound.")),
    Verdict("wrong-weight", "is the root of a tree of AdaBoost whose weight, or whose error, is not that of its rows",
            rule="adaboost.weight", by=_AUDIT),
    Verdict("absent", "has other nodes below it than its test has branches", by=_CHECK),
    Verdict("malformed", "has a part that does not have the form of an answer", by=_CHECK),
)  # fmt: skip


def _with_records() -> tuple[Verdict, ...]:
    # A record says after which verdict it stands, so that a new file changes no other one.
    found = list(_OF_THE_JUDGE)
    for one in records(Verdict):
        found.insert([other.name for other in found].index(one.after) + 1, one)
    return tuple(found)


# Read once: the place of a verdict is its rank among causes.
TABLE = _with_records()
"""Every verdict on a node, causes first."""
