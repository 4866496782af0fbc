"""The report of an audit: one line where all is right, and otherwise the faults, causes first.

A fault comes with the node and its rows, what it asks, the best test and the margin, its rank, what it loses per
row and in all, the diagnosis in a sentence, the rule, and the command that repeats it. What follows from a fault above
is counted there, not repeated. As JSON lines and JUnit (`reference_tree.findings_output`) every node is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from reference_tree.auditing.finding import Finding, Findings, Regret, shown
from reference_tree.data.errors import number_of
from reference_tree.data.questions import path_step
from reference_tree.exact.rationals import exact_text
from reference_tree.exact.rounding import significant
from reference_tree.findings_output import FORMATS, Judged, Status
from reference_tree.tree import Tree

_STEPS = 12
"""The number of steps of a path that are shown: in a deep tree, the last ones."""

Again = Callable[[Finding], str]
"""The command that repeats a finding."""


def judged(found: Findings, again: Again | None = None) -> list[Judged]:
    """The findings of an audit in the order of the report: causes, their consequences, right nodes.

    Args:
        found: the audit.
        again: makes the command that repeats a finding; None if no command is shown.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.auditing.audit import audit
        >>> days = rt.textbook("play-tennis")
        >>> for one in judged(audit(rt.ID3(max_depth=1).grow(days), days, rt.ID3()))[:1]:
        ...     print(one)
        node 2 stopped-early: no rule stops here, and wind has gain 0.970951
          /outlook=rainy predicts yes; 5 rows arrive
          rule stop.max-depth
    """
    # A consequence is counted at its cause. Causes come first, then their consequences, then what is right.
    follow = Counter(map(_cause_of, found.wrong))
    rest = [finding for finding in found.findings if not finding.faults or finding.excused]
    trees = found.trees
    return [
        _judged(finding, trees[finding.tree], follow[finding.tree, finding.number], again)
        for finding in (*found.wrong, *rest)
    ]


def _cause_of(finding: Finding) -> tuple[int | None, int | None]:
    """The tree and the number of the node that a finding follows from; the number is None if there is no such node."""
    return finding.tree, finding.cause


def report(found: Findings, form: str = "text", again: Again | None = None) -> str:
    """The report of an audit.

    Args:
        found: the audit.
        form: `text`, `jsonl` or `junit`. In a text, the consequences of a fault are only counted.
        again: makes the command that repeats a finding; None if no command is shown.
    """
    every = judged(found, again)
    if form == "text":
        # A person reads causes alone; programs are given every node.
        every = [one for one in every if one.status == "failed" and "cause" not in one.details]
    return FORMATS[form](every, found.summary)


def _judged(finding: Finding, tree: Tree, follow: int, again: Again | None) -> Judged:
    name = f"node {finding.number}" if finding.tree is None else f"tree {finding.tree + 1}, node {finding.number}"
    if not finding.faults:
        return Judged(name, "passed", finding.verdict, details=_details(finding))
    # The first fault names the node, and the others follow in a line each.
    first, *others = finding.faults
    lines = list(_lines(finding, tree, follow))
    lines += [f"also {fault.verdict}: {fault.message} (rule {fault.rule})" for fault in others]
    lines += [f"rule {first.rule}"]
    if again is not None:
        lines.append(f"again: {again(finding)}")
    status: Status = "excused" if finding.excused else "failed"
    message = finding.excused or first.message
    return Judged(name, status, finding.verdict, message, lines, {"path": path_of(tree, finding), **_details(finding)})


def path_of(tree: Tree, finding: Finding) -> str:
    """The path of a node; in a deep tree, its last steps.

    Example:
        >>> import reference_tree as rt
        >>> path_of(rt.ID3().grow(rt.textbook("play-tennis")), Finding(3, "optimal", 3, "no"))
        '/outlook=rainy/wind=strong'
    """
    # A path is read from the root, but in a deep tree its end tells where the node is.
    conditions = tree.conditions(finding.number)
    steps = "/".join(path_step(shown(test), branch) for test, branch in conditions[-_STEPS:])
    return f".../{steps}" if len(conditions) > _STEPS else f"/{steps}"


def _lines(finding: Finding, tree: Tree, follow: int) -> Iterator[str]:
    does = "asks" if tree.nodes[finding.number].test is not None else "predicts"
    rows = f"{number_of(finding.rows, 'row', significant(finding.rows, 12))} arrive{'s' * (finding.rows == 1)}"
    yield f"{path_of(tree, finding)} {does} {finding.said}; {rows}"
    if finding.regret is not None:
        # The best test, its lead, and what the node's own test loses.
        yield from _of_regret(finding.regret)
    if follow:
        where = "below" if finding.tree is None else "in this tree"
        yield f"{number_of(follow, 'finding')} {where} follow{'s' * (follow == 1)} from this one"


def _of_regret(regret: Regret) -> Iterator[str]:
    margin = "" if regret.margin is None else f", {significant(regret.margin, 6)} above the next"
    yield f"best: {regret.best}, {regret.judged_by} {significant(regret.best_score, 6)}{margin}"
    rank = "" if regret.rank is None else f"; rank {regret.rank} of {regret.among} questions"
    yield f"loses {significant(regret.per_row, 6)} per row, {significant(regret.in_all, 6)} in all{rank}"


def _details(finding: Finding) -> Mapping[str, Any]:
    """The details for a program: exact numbers as texts, irrational ones to twenty digits."""
    found: dict[str, Any] = {"node": finding.number, "rows": exact_text(finding.rows), "said": finding.said}
    if finding.tree is not None:
        found["tree"] = finding.tree
    if finding.cause is not None:
        found["cause"] = finding.cause
    if finding.note:
        found["note"] = finding.note
    if finding.faults:
        # Each fault keeps its rule, so that findings can be counted by rule.
        found["faults"] = [{"verdict": f.verdict, "message": f.message, "rule": f.rule} for f in finding.faults]
    if (regret := finding.regret) is not None:
        # Numbers go out as texts, for a reader in doubles would round them.
        numbers = {"per_row": regret.per_row, "in_all": regret.in_all, "margin": regret.margin}
        figures = {name: significant(number) for name, number in numbers.items() if number is not None}
        found["regret"] = {
            "judged_by": regret.judged_by,
            "best": regret.best,
            **figures,
            **({} if regret.rank is None else {"rank": regret.rank, "among": regret.among}),
        }
    return found
