"""Findings: what is found at a node, a verdict, faults, and what a test loses.

A node is stated by a tree, by a boosted tree, or by the answer to a golden. An audit and a check give it the same
verdicts (`verdicts.TABLE`), with the same texts and rules. They stand in the order of causes: a node with several
faults gets the verdict of the first of them. A figure of an answer that is too far off has a verdict of its own name,
`wrong-gain`.

`BARS` and `STOPS` are the rules by which a learner does not take a test, and takes none at all.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

from reference_tree.auditing.verdicts import TABLE, Verdict
from reference_tree.data.errors import number_of
from reference_tree.data.questions import Linear, Test, Threshold, path_step
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, decimal_text, rational
from reference_tree.exact.rounding import significant
from reference_tree.learners.stopping.bounds import rules
from reference_tree.tree import Tree

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
    # A check names a mistake after the figure that is wrong; such a verdict has no record of its own.
    found = next((one for one in TABLE if one.name == name), None)
    return found or _FIGURE._replace(name=name, rules=_FIGURE.rules if name.startswith("wrong-") else ())


def in_order(name: str) -> int:
    """The place of a verdict in the order of causes.

    Example:
        >>> sorted(["wrong-stop", "wrong-counts", "suboptimal"], key=in_order)
        ['wrong-counts', 'suboptimal', 'wrong-stop']
    """
    # A verdict that is not in the table follows from all others.
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
    # A node exercises several rules; the one whose id begins as the verdict expects is the broken one.
    record, rules = verdict(name), sorted(exercised)
    return next((rule for start in record.rules for rule in rules if rule.startswith(start)), record.rule)


def page_table(by: str) -> str:
    """The verdicts of an `audit` or a `check`, as a table of Markdown."""
    lines = [f"| `{one.name}` | {one.about} |" for one in TABLE if by in one.by]
    return "\n".join(["| verdict | the node |", "|:--|:--|", *lines])


class Reason(NamedTuple):
    """A rule by which a learner does not ask: its words, and the id of the rule."""

    words: str
    id: str = ""


# The keys are the words that bar a candidate: those of learners (`Candidate.barred`), and those of a judge.
BARS: Mapping[str, Reason] = {
    "candidate": Reason("all rows that arrive have one outcome", "candidate"),
    "min-samples-leaf": Reason("a branch gets fewer rows than the least that is allowed", "bound.min-samples-leaf"),
    "min-child-weight": Reason("a branch gets less than the least sum of second derivatives", "bound.min-child-weight"),
    "cut-gap": Reason("the two values are too close to be cut between", "bound.cut-gap"),
    "not-binned": Reason("no bin of the program ends between the two values", "bound.not-binned"),
    "used-up": Reason("the attribute was tested above, and is used up", "attribute.reuse"),
    "branching": Reason("the learner tests this attribute in another way", "branching"),
    "not-drawn": Reason("the attribute was not drawn for this node", "not-drawn"),
    "threshold-not-drawn": Reason("another threshold was drawn for this attribute", "threshold-not-drawn"),
    "average": Reason("its gain is below the average", "c45.average"),
    "not-best": Reason("another cut of the same attribute gains more", "c45.threshold"),
    "zero-gain": Reason("it gains nothing", "zero-gain"),
    "more-leaves": Reason("as good a tree has fewer leaves", "optimal.leaves"),
}
"""Why a test may not be taken, or may not compete, by the rule that bars it."""

# The rules that make leaves carry their own words, so that a new one needs no entry here.
STOPS: Mapping[str, Reason] = {
    rule.name: Reason(rule.message, rule.misapplied) for rule in rules().values() if rule.message or rule.misapplied
}
"""Why a node is a leaf, by the reason; and the rule that is applied wrongly by a node that stops for it too early."""

ASKS_OTHERWISE = ("not-a-candidate", "suboptimal")
"""The verdicts on a test from which faults below may follow, if the counts of its branches are not known."""

OF_ALL_ROWS = ("wrong-counts", "wrong-threshold")
"""The verdicts on the counts that a tree states, which are those of all rows."""

_LONG = 24
"""A condition of more characters is shown with a rounded threshold: the exact value of a double has fifty digits."""


def shown(test: Test) -> Test:
    """A test as it is shown: a threshold that is the exact value of a float is rounded to twelve digits.

    Example:
        >>> from fractions import Fraction
        >>> shown(Threshold("x", Fraction(0.1))).name, shown(Threshold("x", Fraction(5, 2))).name
        ('x<=0.1', 'x<=2.5')
    """
    # The exact value of a double has up to fifty digits; a short decimal is shown as it is.
    if not isinstance(test, Threshold | Linear) or len(decimal_text(test.threshold)) + 2 <= _LONG:
        return test
    return replace(test, threshold=rational(significant(test.threshold, 12)), interval=None)


@dataclass(frozen=True)
class Fault:
    """One fault of a node.

    Args:
        verdict: the verdict, one word.
        message: the fault in a sentence.
        rule: the id of the rule that it breaks.
    """

    verdict: str
    message: str
    rule: str


def fault(name: str, message: str, rule: str = "") -> Fault:
    """A fault, by the rule of its verdict if no other one is given."""
    return Fault(name, message, rule or verdict(name).rule)


class Text(NamedTuple):
    """A sentence about a fault that several judges find."""

    verdict: str
    words: str
    """The sentence; braces hold the figures."""
    rule: str = ""
    """The id of the rule; empty for that of the verdict."""


# Several judges find the same fault, and say it in the same words.
TEXTS: Mapping[str, Text] = {
    "arrivals": Text("wrong-counts", "it says that {said} arrive, and {found} do"),
    "figure": Text("wrong-counts", "its {figure} is {said}; its rows give {found}"),
    "weight": Text("wrong-weight", "its {figure} is {said}; its rows give {found}"),
    "prediction": Text("wrong-leaf", "it predicts {said}; its rows give {found}"),
    "addend": Text("wrong-leaf", "it adds {said}; its rows give {found}", "measure.gradient-gain"),
    "swapped": Text("wrong-threshold", "its branches are swapped: each has the rows that {test} sends to the other",
                    "threshold.position"),
    "moved": Text("wrong-threshold", "it asks {test}, but its branches have the rows of {other}", "threshold.position"),
    "divided": Text("wrong-threshold", "its branches say that they have other rows than {test} gives them", "counts"),
    "way": Text("wrong-missing", "rows with a missing value go to {said}, but its branches have them in {found}"),
}  # fmt: skip
"""The sentences that several judges say, or several ways to find where the rows of a node went."""


def of_text(name: str, **figures: object) -> Fault:
    """A fault by one of the `TEXTS`; a test is shown by its name.

    Example:
        >>> of_text("arrivals", said=5, found=4).message
        'it says that 5 arrive, and 4 do'
    """
    # Only tests are translated: figures are texts or numbers already.
    named, words, rule = TEXTS[name]
    in_words = {key: shown(one).name if isinstance(one, Test) else one for key, one in figures.items()}
    return fault(named, words.format(**in_words), rule)


def fault_of_way(test: Test, said: int, counted: int) -> Fault:
    """The fault of a node that states another branch for rows without an outcome than its counts show.

    Args:
        test: the test of the node.
        said: the branch that the node states.
        counted: the branch whose counts contain these rows.
    """
    return of_text("way", said=path_step(shown(test), said), found=path_step(shown(test), counted))


def by_cause(faults: Iterable[Fault | None]) -> tuple[Fault, ...]:
    """The faults of a node, causes first."""
    # The sort is stable: faults of one verdict stay in the order in which they were found.
    return tuple(sorted((one for one in faults if one is not None), key=lambda one: in_order(one.verdict)))


@dataclass(frozen=True)
class Regret:
    """The amount by which a test falls short of the best one.

    Args:
        score: the score of the test, per unit of weight.
        best: the name of the best test.
        best_score: the score of the best test.
        weight: the weight of the rows at the node.
        rank: the place of the test among all, from 1; None if it was not counted.
        among: the number of tests.
        margin: the lead of the best test over the next one; None if there is no other, or it was not counted.
        judged_by: the name of the score.
    """

    score: Number
    best: str
    best_score: Number
    weight: Rational
    judged_by: str
    rank: int | None = None
    among: int | None = None
    margin: Number | None = None

    @property
    def per_row(self) -> Number:
        """The loss per unit of weight."""
        return self.best_score - self.score

    @property
    def in_all(self) -> Number:
        """The loss at the node: the loss per unit of weight, times its weight."""
        return self.best_score * self.weight - self.score * self.weight


@dataclass(frozen=True)
class Finding:
    """The result of the audit at a node.

    Args:
        number: the number of the node.
        verdict: the verdict, one word; if there are faults, that of the first.
        rows: the weight of the rows that arrive.
        said: the test or the prediction of the node.
        faults: all faults of the node, causes first.
        regret: how far its test falls short; None if it does not, or if the node is a leaf.
        cause: the node of the same tree whose fault leads to this one; None if there is none.
        excused: why the faults are excused; empty if they are not, or if there are none.
        tree: the number of the tree, if there are several.
        note: a further remark about the node; empty if there is none.
    """

    number: int
    verdict: str
    rows: Rational
    said: str
    faults: tuple[Fault, ...] = ()
    regret: Regret | None = None
    cause: int | None = None
    excused: str = ""
    tree: int | None = None
    note: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the node has no fault."""
        return not self.faults


class Findings:
    """The findings of an audit, node by node."""

    verdicts: ClassVar[tuple[str, ...]] = VERDICTS
    """Every possible verdict, causes first."""

    @abstractmethod
    def __iter__(self) -> Iterator[Finding]:
        """The findings, in preorder, tree by tree."""

    @property
    @abstractmethod
    def trees(self) -> Mapping[int | None, Tree]:
        """The trees by their numbers; the number of a single tree is None."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """The findings in one line."""

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings."""
        return tuple(self)

    @property
    def wrong(self) -> list[Finding]:
        """The findings with faults that are not excused, causes first."""
        # Causes come first, and each group stays in preorder.
        wrong = [finding for finding in self.findings if finding.faults and not finding.excused]
        return sorted(wrong, key=lambda finding: finding.cause is not None)

    @property
    def is_right(self) -> bool:
        """Whether no node is wrong."""
        return not self.wrong

    @property
    def counts(self) -> dict[str, int]:
        """The number of nodes of each verdict; excused nodes are counted under `excused`."""
        # An excused node is counted once, and not under the verdict that is excused.
        found = Counter("excused" if finding.excused else finding.verdict for finding in self.findings)
        return {verdict: found[verdict] for verdict in (*self.verdicts, "excused") if found[verdict]}

    @property
    def told_wrong(self) -> str:
        """The number of wrong nodes, and of those that follow from others, in words."""
        nodes, wrong = len(self.findings), self.wrong
        # A consequence is counted, and not blamed again.
        causes = sum(1 for finding in wrong if finding.cause is None)
        follow = f", from which {len(wrong) - causes} follow" if len(wrong) > causes else ""
        return f"{causes} of {number_of(nodes, 'node')} {'are' if causes > 1 else 'is'} wrong{follow}"

    def __str__(self) -> str:
        return self.summary
