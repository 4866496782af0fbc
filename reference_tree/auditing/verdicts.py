"""Verdicts: everything that may be found at a node, in one table, whoever states the node.

A node is stated by a tree, by a boosted tree, or by the answer to a golden. An audit and a check give it the same
verdicts, with the same texts and rules. They stand in the order of causes: a node with several faults gets the verdict
of the first of them. A figure of an answer that is too far off has a verdict of its own name, `wrong-gain`.

`BARS` and `STOPS` are the rules by which a learner does not ask a question, and does not ask at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from reference_tree.learners.stopping.rule import rules


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


TABLE: tuple[Verdict, ...] = (
    Verdict(
        "optimal", "is one that the learner would make; a leaf where it would stop, too", by=("audit",), is_right=True
    ),
    Verdict("optimal-tied", "the same, and other questions are exactly as good", by=("audit",), is_right=True),
    Verdict(
        "within-rounding",
        "asks a question that may be the best one, depending on the roundings of its program",
        by=("audit",),
        is_right=True,
    ),
    Verdict("wrong-threshold", "divides its rows otherwise than the counts of its branches say", by=("audit",)),
    Verdict(
        "wrong-counts", "has other counts than the rows that arrive", ("missing.weights", "missing."), rule="counts"
    ),
    Verdict(
        "wrong-table",
        "has other counts in the branches of a candidate",
        ("missing.", "branching."),
        by=("check",),
    ),
    Verdict("not-a-candidate", "asks what the learner may not ask there", ("candidate", "branching.")),
    Verdict("suboptimal", "asks a question that is worth less than the best one", ("c45.average", "measure.")),
    Verdict("wrong-winners", "has another set of best candidates", ("ties.split", "measure."), by=("check",)),
    Verdict("split-too-far", "asks, where a rule says that it is a leaf", ("stop.", "bound.")),
    Verdict("stopped-early", "is a leaf, where no rule says so", ("zero-gain", "bound.", "measure."), rule="stop"),
    Verdict("wrong-leaf", "answers otherwise than its rows say", ("empty-branch", "ties.class"), rule="label"),
    Verdict("wrong-tie", "has other classes that tie", ("ties.class", "empty-branch"), by=("check",)),
    Verdict(
        "wrong-surrogate",
        "lists a surrogate that its learner would not list there; a check says `wrong-missing`",
        rule="missing.surrogates",
        by=("audit",),
    ),
    Verdict(
        "wrong-missing",
        "sends rows without an answer elsewhere than its learner would",
        ("missing.",),
        rule="missing",
    ),
    Verdict(
        "wrong-share", "divides rows without an answer otherwise than its learner would", ("missing.",), by=("check",)
    ),
    Verdict("wrong-stop", "is a leaf, but not for the reason that it says", ("stop.", "bound.")),
    Verdict(
        "wrong-weight",
        "is the root of a tree of AdaBoost whose weight, or whose error, is not that of its rows",
        rule="adaboost.weight",
        by=("audit",),
    ),
    Verdict("absent", "has other nodes below it than its question has branches", by=("check",)),
    Verdict("malformed", "has a part that does not have the form of an answer", by=("check",)),
)
"""Every verdict on a node, causes first."""

VERDICTS = tuple(one.name for one in TABLE if "audit" in one.by)
"""The names of the verdicts of an audit, causes first."""

RIGHT = tuple(one.name for one in TABLE if one.is_right)
"""The names of those that are no fault."""

_FIGURE = Verdict("", "has a figure that is too far off", ("measure.",), by=("check",))


def verdict(name: str) -> Verdict:
    """The record of a verdict; that of any other figure if none has this name.

    Example:
        >>> verdict("wrong-leaf").rule, verdict("wrong-gain").rules, verdict("absent").rules
        ('label', ('measure.',), ())
    """
    found = next((one for one in TABLE if one.name == name), None)
    return found or _FIGURE._replace(name=name, rules=_FIGURE.rules if name.startswith("wrong-") else ())


def in_order(name: str) -> int:
    """The place of a verdict in the order of causes.

    Example:
        >>> sorted(["wrong-stop", "wrong-counts", "suboptimal"], key=in_order)
        ['wrong-counts', 'suboptimal', 'wrong-stop']
    """
    return next((place for place, one in enumerate(TABLE) if one.name == name), len(TABLE))


def rule_of(name: str, exercised: Iterable[str]) -> str:
    """The rule that a verdict is about.

    Args:
        name: the verdict.
        exercised: the rules that the decision at the node exercises.

    Example:
        >>> rule_of("suboptimal", ["measure.gini", "ties.class"]), rule_of("wrong-counts", ["measure.gini"])
        ('measure.gini', 'counts')
    """
    record, rules = verdict(name), sorted(exercised)
    return next((rule for start in record.rules for rule in rules if rule.startswith(start)), record.rule)


def page_table(by: str) -> str:
    """The verdicts of an `audit` or a `check`, as a table of Markdown."""
    lines = [f"| `{one.name}` | {one.about} |" for one in TABLE if by in one.by]
    return "\n".join(["| verdict | the node |", "|:--|:--|", *lines])


class Rule(NamedTuple):
    """A rule by which a learner does not ask: its words, and the id of the rule."""

    words: str
    id: str = ""


BARS: Mapping[str, Rule] = {
    "candidate": Rule("all rows that arrive give one answer", "candidate"),
    "min-samples-leaf": Rule("a branch gets fewer rows than the least that is allowed", "bound.min-samples-leaf"),
    "min-child-weight": Rule("a branch gets less than the least sum of second derivatives", "bound.min-child-weight"),
    "cut-gap": Rule("the two values are too close to be cut between", "bound.cut-gap"),
    "not-binned": Rule("no bin of the program ends between the two values", "bound.not-binned"),
    "used-up": Rule("the attribute was asked above, and is used up", "attribute.reuse"),
    "branching": Rule("the learner asks this attribute in another way", "branching"),
    "not-drawn": Rule("the attribute was not drawn for this node", "not-drawn"),
    "threshold-not-drawn": Rule("another threshold was drawn for this attribute", "threshold-not-drawn"),
    "average": Rule("its gain is below the average", "c45.average"),
    "not-best": Rule("another cut of the same attribute gains more", "c45.threshold"),
    "zero-gain": Rule("it gains nothing", "zero-gain"),
    "more-leaves": Rule("as good a tree has fewer leaves", "optimal.leaves"),
}
"""Why a question may not be asked, or may not compete, by the rule that bars it."""

STOPS: Mapping[str, Rule] = {
    rule.name: Rule(rule.message, rule.misapplied) for rule in rules().values() if rule.message or rule.misapplied
}
"""Why a node is a leaf, by the reason; and the rule that is applied wrongly by a node that stops for it too early."""
