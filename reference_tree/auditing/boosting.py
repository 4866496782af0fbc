r"""Boosted trees of other programs, judged by enclosures of the derivatives that the program had.

`program_derivatives` encloses them, with all the roundings of the program. Each node is held against what follows from
the enclosures alone:

| verdict | of a question | of a leaf |
|:--|:--|:--|
| `optimal` | no other one is better, whatever the roundings were | its value is a rounding of -η·G/(H + λ) |
| `within-rounding` | another one may be better, depending on the roundings | - |
| `suboptimal` | another one is better, whatever the roundings were | - |
| `not-a-candidate` | a bound forbids it | - |
| `split-too-far` | it lies too deep, or gains less than γ and nothing below it asks | - |
| `stopped-early` | - | a question gains more than γ and ε, and no bound forbids it |
| `wrong-leaf` | - | its value is no such rounding, whatever the roundings were |
| `wrong-counts` | says another number of rows than arrive | the same |

A histogram learner asks among the edges of its bins alone. It is judged among these, to see whether it was right, and
among all gaps, to see what binning cost. If a model does not state its edges, the thresholds that it asks are taken.

1. `audit_boosted` puts together the parameters of training, and finds which cuts were tried.
2. `BoostedAudit` goes through the trees. A wrong leaf spoils the margins of all trees after it, so what is wrong in
   these counts as a consequence.
3. `boosted_nodes` judges the nodes of one tree.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, cast

from reference_tree.auditing.boosted_nodes import Bins, Judge, columns_of, left_of
from reference_tree.auditing.boosters import Booster, booster_of
from reference_tree.auditing.finding import VERDICTS, WITHIN_ROUNDING, Fault, Finding, Findings, shown
from reference_tree.auditing.program_derivatives import (
    derivatives,
    known,
    margins_before,
    start_of,
    targets_of,
)
from reference_tree.auditing.rounded import as_seen
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import COMBINATIONS, Ensemble
from reference_tree.ensembles.learner import side_by_side
from reference_tree.exact.intervals import Interval
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import significant
from reference_tree.tree import Tree
from reference_tree.tree_document.form import FOREIGN

SURE = ("optimal", WITHIN_ROUNDING)
"""The verdicts without a fault."""

RULE = "measure.gradient-gain"
"""The id of the rule by which questions and leaves are judged."""

Given = Sequence[Sequence[tuple[Rational, Rational]]]
"""For each tree the derivatives of each row."""


def is_boosted(found: object) -> bool:
    """Whether it is a boosted model of another program."""
    return isinstance(found, Ensemble) and COMBINATIONS[found.combine].adds and found.grower.name == FOREIGN


def edges_of(model: Ensemble, table: Table) -> Bins:
    """The bins of the rows, as far as a model shows them: every threshold of the model is an edge.

    Args:
        model: the model.
        table: the rows, as the program saw them.
    """
    thresholds: dict[str, set[tuple[Rational, bool]]] = {}
    for node in (node for member in model.members for node in member.tree.nodes):
        if isinstance(node.test, Threshold):
            thresholds.setdefault(node.test.attribute, set()).add((node.test.threshold, node.test.strict))
    found = {}
    for name, column in columns_of(table).items():
        strict = any(strict for _, strict in thresholds.get(name, ()))
        edges, place = sorted(edge for edge, _ in thresholds.get(name, ())), bisect_right if strict else bisect_left
        found[name] = [None if value is None else place(edges, value) for value in column]
    return found


def asks_values(model: Ensemble, table: Table) -> bool:
    """Whether every threshold of a model is a value of its column, as with histograms.

    Args:
        model: the model.
        table: the rows, as the program saw them.
    """
    values = {name: set(column) for name, column in columns_of(table).items()}
    nodes = (node for member in model.members for node in member.tree.nodes)
    questions = [node.test for node in nodes if isinstance(node.test, Threshold)]
    return bool(questions) and all(test.threshold in values[test.attribute] for test in questions)


def audit_boosted(
    model: Ensemble,
    table: Table,
    told: Mapping[str, Any] | None = None,
    *,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> BoostedAudit:
    """The audit of a boosted model of XGBoost, LightGBM or scikit-learn's `HistGradientBoosting`.

    Args:
        model: the model, as `foreign` reads it.
        table: the rows that it was trained on, of numbers, without weights.
        told: the parameters of training that the model does not state, as a document has them; see `Booster`.
        jobs: the number of trees judged at once, each in a process of its own.
        progress: called after each tree with the number of trees judged so far.

    Raises:
        InputError: the program is not known here, or did what nobody can repeat; a value is none; or the model and the
            rows do not fit together.
    """
    booster, remarks = booster_of(model, told or {})
    plain = BoostedAudit(model, table, booster, jobs=jobs, progress=progress)
    seen, bins = plain.seen, None
    if booster.tree_method == "auto":
        booster = replace(booster, tree_method="hist" if asks_values(model, seen) else "exact")
        how = "a value of its column" if booster.tree_method == "hist" else "between two values"
        remarks.append(f"tree_method is not stated, and taken for {booster.tree_method}: thresholds are {how}")
    if booster.tree_method == "hist":
        bins = edges_of(model, seen)
        remarks.append("the model does not tell its bins, and those of its cuts are taken that it asks somewhere")
    return replace(plain, booster=booster, bins=bins, twice=bins is not None, remarks=remarks)


@dataclass(frozen=True)
class BoostedAudit(Findings):
    """The findings about each node of each tree of a boosted model. Iterating over it judges the nodes.

    Args:
        model: an ensemble whose answers are added up.
        table: the rows that it was trained on, of numbers, without weights.
        booster: the parameters of the program.
        bins: the bins of a histogram learner, which cuts only between them; None if it cuts in every gap.
        given: for each tree the exact derivatives of each row, where the program was given them.
        twice: whether questions that are right among the bins are also compared with cuts in all gaps.
        jobs: the number of trees judged at once, each in a process of its own.
        progress: called after each tree with the number of trees judged so far.
        remarks: further remarks for the last line.
        only: the one node that is judged, and the place of its tree; None if all are judged.

    Raises:
        InputError: the trees ask of categories, a tree counts more than another one, or rows have weights.

    Example:
        >>> import reference_tree as rt
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 0, 6, 8]})
        >>> grown = rt.GradientBoosting(trees=1, base_score=0, base=rt.GradientTree(rate=1)).grow(table)
        >>> booster = Booster(loss="squared_error", rate=1)
        >>> [(found.verdict, found.said) for found in BoostedAudit(grown, table, booster)][:2]
        [('optimal', 'x<=2.5'), ('optimal', '0')]

    Source:
        [ChenGuestrin2016 §2.2 eq. (7)], [Moore1966]
    """

    verdicts: ClassVar[tuple[str, ...]] = ("optimal", WITHIN_ROUNDING, *VERDICTS[2:])

    model: Ensemble
    table: Table
    booster: Booster
    bins: Bins | None = None
    given: Given | None = None
    twice: bool = False
    jobs: int = 1
    progress: Callable[[int], None] | None = None
    remarks: Sequence[str] = ()
    only: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        """Refuse models and rows that cannot be judged."""
        classes, known = self.table.schema.target.values, self.model.target.values
        if known is not None and classes is None:
            name = self.table.schema.target.name
            raise InputError(f"the model has {len(known)} classes, and {name} is of numbers; read it as categorical")
        if known != classes:
            raise InputError("the table has other classes than the model, or has them in another order")
        columns = [attribute.name for attribute in self.table.schema.attributes]
        for attribute in self.model.attributes:
            if attribute.name not in columns:
                raise InputError(no_such("column", attribute.name, columns))
        if any(member.weight != 1 for member in self.model.members):
            raise InputError("its trees count differently, and how they were weighed cannot be replayed")
        if any(weight != 1 for weight in self.table.weighted()):
            raise InputError("boosted trees are judged without weights of rows, and these have some")
        if self.only is not None:
            number, place = self.only
            if not 0 <= place < len(self.model.members) or not 0 <= number < len(self.model.members[place].tree.nodes):
                raise InputError(f"there is no node {number}")

    @property
    def trees(self) -> Mapping[int | None, Tree]:
        """The trees by their numbers."""
        return {number: member.tree for number, member in enumerate(self.model.members)}

    @property
    def assumed(self) -> list[str]:
        """The assumptions made."""
        return list(self.remarks)

    @cached_property
    def seen(self) -> Table:
        """The rows as the program saw them."""
        return as_seen(self.table, self.model.members[0].tree)

    def __iter__(self) -> Iterator[Finding]:
        """The findings, in preorder, tree by tree."""
        plan = _Plan.of(self)
        if self.only is not None:
            number, place = self.only
            yield from (found for found in plan.findings(place) if found.number == number)
            return
        first: tuple[int, int] | None = None
        for found in side_by_side(plan.findings, len(self.model.members), self.jobs, self.progress):
            tree = found[0].tree
            if first is not None and first[0] != tree:
                found = [_after(one, first) for one in found]
            elif first is None:
                spoilt = next((one for one in found if one.verdict in ("wrong-leaf", "wrong-counts")), None)
                if spoilt is not None and tree is not None:
                    first = tree, spoilt.number if spoilt.cause is None else spoilt.cause
            yield from found

    @property
    def summary(self) -> str:
        """The findings in one line."""
        asks = [one for one in self.findings if self.trees[one.tree].nodes[one.number].test is not None]
        leaves = len(self.findings) - len(asks)
        counts = {verdict: sum(one.verdict == verdict for one in asks) for verdict in self.verdicts}
        proved = f"of {len(asks)} questions {counts['optimal']} proved optimal"
        proved += f", {counts[WITHIN_ROUNDING]} within rounding, {counts['suboptimal']} proved worse"
        others = sum(counts.values()) - counts["optimal"] - counts[WITHIN_ROUNDING] - counts["suboptimal"]
        proved += f", {others} wrong otherwise" * (others > 0)
        right = leaves - sum(one.verdict == "wrong-leaf" for one in self.findings)
        wrong = [] if self.is_right else [self.told_wrong]
        doubt = ["most leaves are wrong: these may be other rows than it was trained on, or other parameters"]
        parts = [*wrong, proved, f"{right} of {leaves} leaves add what their rows say", *self._binned(asks)]
        return "; ".join([*parts, *self.assumed, *(doubt if 2 * right < leaves else [])])

    def _binned(self, asks: Sequence[Finding]) -> Iterator[str]:
        if self.twice:
            worse = sum(bool(one.note) for one in asks)
            yield f"judged among the bins; among all gaps {worse} of these questions are proved worse"

    def at(self, number: int, tree: int = 0) -> Finding:
        """The finding at one node.

        Raises:
            InputError: there is no such node.
        """
        return next(iter(replace(self, only=(number, tree))))


def _after(found: Finding, first: tuple[int, int]) -> Finding:
    """The finding, marked as a consequence if its tree comes after the one whose leaf spoilt the margins."""
    tree, cause = first
    return replace(found, cause=cause, cause_tree=tree) if found.faults else found


class _Plan(NamedTuple):
    """The data needed to judge any of the trees, in a form that can be sent to another process."""

    model: Ensemble
    table: Table
    booster: Booster
    bins: Bins | None
    given: Given | None
    twice: bool
    steps: Sequence[Sequence[Rational]]
    """For each tree, the value that it adds to each row."""

    @classmethod
    def of(cls, audit: BoostedAudit) -> _Plan:
        seen, members = audit.seen, audit.model.members
        columns_of(seen)
        steps = [[Fraction(cast(Any, step)) for step in member.tree.predict(seen)] for member in members]
        return cls(audit.model, seen, audit.booster, audit.bins, audit.given, audit.twice, steps)

    def findings(self, number: int) -> list[Finding]:
        """The findings about one of the trees, in preorder."""
        booster, table = self.booster, self.table
        start = start_of(booster, self.model, table)
        if self.given is None:
            margins = margins_before(self.steps, start, booster, number)
            of = derivatives(booster, targets_of(table, booster.targets), margins, number % len(start))
        else:
            of = known([(Interval(g, g), Interval(h, h)) for g, h in self.given[number]])
        bias = start[number] if booster.from_average and number < len(start) else (Fraction(0), Fraction(0))
        among = Judge(booster, table, of, bias, self.bins)
        gaps = Judge(booster, table, of, bias, None) if self.twice else None
        return list(_tree_findings(self.model.members[number].tree, number, among, gaps))


def _tree_findings(tree: Tree, number: int, judge: Judge, gaps: Judge | None) -> Iterator[Finding]:
    booster = judge.booster
    capped = booster.max_leaves is not None and len(tree.leaves()) >= booster.max_leaves
    pending = [judge.root()]
    while pending:
        at = pending.pop()
        node, note = tree.nodes[at.number], ""
        if node.test is None:
            may_split = not capped and (booster.max_depth is None or at.depth < booster.max_depth)
            value = Fraction(cast(Any, node.label))
            verdict, message = judge.leaf(at, value, may_split=may_split)
            text = str(significant(value, 9))
        else:
            if not isinstance(node.test, Threshold):
                raise InputError("boosted trees are judged where they ask of numbers")
            left = left_of(node.test, node.missing.to, judge.columns[node.test.attribute], at.rows)
            has_leaves = all(tree.nodes[branch].test is None for branch in node.branches)
            verdict, message = judge.question(at, node.test, left, has_leaves=has_leaves)
            text = shown(node.test).name
            if gaps is not None and not message:
                found, better = gaps.question(at, node.test, left, has_leaves=has_leaves)
                note = f"among all gaps {found}: {better}" if better else ""
        stated = node.counts[0]
        if stated and stated != len(at.rows) and "counts" not in tree.silent:
            message = f"it says that {stated} rows arrive, and {len(at.rows)} do"
            verdict = "wrong-counts"
        if node.test is not None:
            cause = at.number if at.cause is None and verdict not in SURE else at.cause
            pending += at.part(left, node.branches, cause, judge.dropped(at))
        faults = (Fault(verdict, message, RULE),) if message else ()
        cause = at.cause if faults else None
        yield Finding(at.number, verdict, len(at.rows), text, faults, cause=cause, tree=number, note=note)


__all__ = ["BoostedAudit", "audit_boosted", "is_boosted"]
