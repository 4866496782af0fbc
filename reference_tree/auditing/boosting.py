r"""Boosted trees of other programs, judged by enclosures of the derivatives that the program had.

`program_derivatives` encloses them, with all the roundings of the program. Each node is held against what follows from
the enclosures alone:

| verdict | of a test | of a leaf |
|:--|:--|:--|
| `optimal` | no other one is better, whatever the roundings were | its value is a rounding of -η·G/(H + λ) |
| `within-rounding` | another one may be better, depending on the roundings | - |
| `suboptimal` | another one is better, whatever the roundings were | - |
| `not-a-candidate` | a bound forbids it | - |
| `split-too-far` | it lies too deep, or gains less than γ and nothing below it asks | - |
| `stopped-early` | - | a test gains more than γ and ε, and no bound forbids it |
| `wrong-leaf` | - | its value is no such rounding, whatever the roundings were |
| `wrong-counts` | says another number of rows than arrive | the same |

A histogram learner asks among the edges of its bins alone. It is judged among these, to see whether it was right, and
among all gaps, to see what binning cost. If a model does not state its edges, the thresholds that it asks are taken.

1. `audit_boosted` puts together the parameters of training, and finds which cuts were tried.
2. `BoostedAudit` goes through the trees. A wrong leaf spoils the margins of all trees after it, so what is wrong in
   these counts as a consequence.
3. `boosted_judging` judges the nodes of one tree.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import ceil
from typing import Any, ClassVar, TypeGuard

from reference_tree.auditing.boosted_judging import EnclosedJudge
from reference_tree.auditing.boosted_nodes import Bins, Enclosures, RankedColumn, columns_of
from reference_tree.auditing.boosted_trees import JudgedTree, added
from reference_tree.auditing.finding import VERDICTS, Finding, Findings
from reference_tree.auditing.program_derivatives import (
    Ends,
    Margins,
    Replay,
    derivatives,
    known,
    rounded,
    start_of,
    targets_of,
)
from reference_tree.auditing.rounded import as_seen
from reference_tree.data.errors import InputError, no_such, number_of
from reference_tree.data.questions import Test, Threshold
from reference_tree.data.sample import Data
from reference_tree.data.table import Table, in_memory
from reference_tree.ensembles.ensemble import COMBINATIONS, Ensemble
from reference_tree.ensembles.learner import side_by_side
from reference_tree.exact.rationals import Rational
from reference_tree.programs.boosted import Numbers, statements_of
from reference_tree.programs.boosters import CLASS_WEIGHT, PARAMETERS, BoosterParameters, booster_of
from reference_tree.programs.documents import NOTES
from reference_tree.programs.practices import by_class, part_of
from reference_tree.tree import Tree
from reference_tree.tree_document.form import FOREIGN

Given = Sequence[Sequence[tuple[Rational, Rational]]]
"""For each tree the derivatives of each row."""


def is_boosted(found: object) -> TypeGuard[Ensemble]:
    """Whether it is a boosted model of another program."""
    return isinstance(found, Ensemble) and COMBINATIONS[found.combine].adds and found.grower.name == FOREIGN


def edges_of(
    columns: Mapping[str, RankedColumn], trees: Iterable[Tree], but: Iterable[Test] = ()
) -> dict[str, RankedColumn]:
    """The columns with bins as far as trees show them: every threshold that they ask is an edge.

    Args:
        columns: the columns.
        trees: the trees.
        but: tests that are no edges, because the program never had them.
    """
    asked = [test for tree in trees for test in (node.test for node in tree.nodes) if isinstance(test, Threshold)]
    edges: dict[str, set[int]] = {name: set() for name in columns}
    wrong = Counter(but)
    for test in asked:
        # A threshold of a wrong tree is none of the program's; it is left out as often as it was asked wrongly.
        if wrong[test] > 0:
            wrong[test] -= 1
        else:
            # The end of a bin is the rank at which the test divides, whichever number in the gap it names.
            place = bisect_left if test.strict else bisect_right
            edges[test.attribute].add(place(columns[test.attribute].values, test.threshold))
    found = {}
    for name, column in columns.items():
        ends = sorted(edges[name])
        # A value lies in the bin that the ends below it count.
        found[name] = column._replace(bins=[bisect_right(ends, rank) for rank in range(len(column.values))])
    return found


def asks_values(model: Ensemble, seen: Table) -> bool:
    """Whether nearly every threshold of a model is a value of its column, as with histograms.

    Args:
        model: the model.
        seen: the rows, as the program saw them.
    """
    nodes = (node for member in model.members for node in member.tree.nodes)
    questions = [node.test for node in nodes if isinstance(node.test, Threshold)]
    values = {name: set(column.values) for name, column in columns_of(seen).items()}
    return 4 * sum(test.threshold in values[test.attribute] for test in questions) > 3 * len(questions)


def audit_boosted(
    model: Ensemble,
    table: Data,
    told: Mapping[str, Any] | None = None,
    *,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> BoostedAudit:
    """The audit of a boosted model of another program.

    Args:
        model: the model, as `foreign` reads it.
        table: the rows that it was trained on; those of a store are taken into memory, for each row has derivatives of
            its own.
        told: the parameters of training that the model does not state, as a document has them; see `BoosterParameters`.
        jobs: the number of trees judged at once, each in a process of its own.
        progress: called after each tree with the number of trees judged so far.

    Raises:
        InputError: the program is not known here, or did what nobody can repeat; a value is none; or the model and the
            rows do not fit together.
    """
    booster, remarks = booster_of(model, told or {})
    rows = _by_class(in_memory(table), {**model.grower.options.get(PARAMETERS, {}), **(told or {})}.get(CLASS_WEIGHT))
    if 0 < booster.min_samples_leaf < 1:  # a share of the rows, rounded up
        booster = replace(booster, min_samples_leaf=ceil(part_of(booster.min_samples_leaf, len(rows))))
    # The rows as the program held them decide what its thresholds look like.
    plain = BoostedAudit(model, rows, booster, jobs=jobs, progress=progress)
    # Histograms cut at values of the data, and an exact search cuts between two: the thresholds tell which it was.
    if booster.tree_method == "auto":
        booster = replace(booster, tree_method="hist" if asks_values(model, plain.seen) else "exact")
        how = "a value of its column" if booster.tree_method == "hist" else "between two values"
        remarks.append(f"tree_method is not stated, and taken for {booster.tree_method}: thresholds are {how}")
    if booster.tree_method == "hist":
        remarks.append("the model does not state its bins; they are taken from the thresholds of its tests")
    if booster.tree_method == "approx":
        remarks.append("the bins are made anew for each tree; they are taken from the thresholds of its tests")
    if any(attribute.values is not None for attribute in plain.seen.schema.attributes):
        remarks.append("which categories go to which side is not judged, only what follows for the rows")
    return replace(plain, booster=booster, twice=booster.tree_method in ("hist", "approx"), remarks=remarks)


def _by_class(table: Table, stated: object) -> Table:
    """The rows with the weights of their classes, of which balanced ones follow from the numbers of rows."""
    return table if stated is None else by_class(table, stated, replace(table, weights=None))


@dataclass(frozen=True)
class BoostedAudit(Findings):
    """The findings about each node of each tree of a boosted model. Iterating over it judges the nodes.

    Args:
        model: an ensemble whose answers are added up.
        table: the rows that it was trained on.
        booster: the parameters of the program.
        bins: the bins of a histogram learner, which cuts only between them; None if it cuts in every gap, or if they
            are not known.
        given: for each tree the exact derivatives of each row, where the program was given them.
        twice: whether the bins, if they are not given, are those of the cuts that the model asks; and whether
            tests that are right among the bins are also compared with cuts in all gaps.
        jobs: the number of trees judged at once, each in a process of its own.
        progress: called after each tree with the number of trees judged so far.
        remarks: further remarks for the last line.
        only: the one node that is judged, and the place of its tree; None if all are judged.

    Raises:
        InputError: a tree counts more than another one, or the rows do not suit the model.

    Example:
        >>> import reference_tree as rt
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 0, 6, 8]})
        >>> grown = rt.GradientBoosting(trees=1, base_score=0, base=rt.GradientTree(rate=1)).grow(table)
        >>> booster = BoosterParameters(loss="squared_error", rate=1)
        >>> [(found.verdict, found.said) for found in BoostedAudit(grown, table, booster)][:2]
        [('optimal', 'x<=2.5'), ('optimal', '0')]

    Source:
        [ChenGuestrin2016 §2.2 eq. (7)], [Moore1966]
    """

    verdicts: ClassVar[tuple[str, ...]] = tuple(one for one in VERDICTS if one != "optimal-tied")

    model: Ensemble
    table: Table
    booster: BoosterParameters
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
        # The derivatives follow from the classes by their places, so these have to be the same on both sides.
        if known is not None and classes is None:
            name = self.table.schema.target.name
            raise InputError(f"the model has {len(known)} classes, and {name} is of numbers; read it as categorical")
        if known != classes:
            raise InputError("the table has other classes than the model, or has them in another order")
        columns = {attribute.name: attribute for attribute in self.table.schema.attributes}
        for attribute in self.model.attributes:
            if attribute.name not in columns:
                raise InputError(no_such("column", attribute.name, list(columns)))
            if (attribute.values is None) != (columns[attribute.name].values is None):
                kind = columns[attribute.name].kind
                raise InputError(f"{attribute.name} is {attribute.kind} in the model, and {kind} in the table")
        # A tree was fitted to margins in which those before it counted as they did then; later weights hide how.
        if any(member.weight != 1 for member in self.model.members):
            raise InputError("its trees count differently, and how they were weighed cannot be replayed")
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
        return [*self.model.grower.options.get(NOTES, ()), *self.remarks]

    @cached_property
    def seen(self) -> Table:
        """The rows as the program saw them."""
        return as_seen(self.table, self.model.members[0].tree)

    def __iter__(self) -> Iterator[Finding]:
        """The findings, in preorder, tree by tree."""
        found = self._judged([])
        # The bins were taken from all thresholds. If some of these were never asked, the bins are another set, and
        # everything is judged once more among them.
        wrong = [test for tree in found for test in tree.not_asked]
        if wrong and self.twice and self.bins is None:  # what the program did not ask is no edge of its bins
            found = self._judged(wrong)
        for tree in found:
            number = tree.findings[0].tree
            if self.only is None or number == self.only[1]:
                yield from (one for one in tree.findings if self.only is None or one.number == self.only[0])

    def _judged(self, not_asked: Sequence[Test]) -> list[JudgedTree]:
        """The trees, if the program never had these tests."""
        # One after the other: where a fault changes what a tree added, the next ones are judged anew.
        plan, found = _Plan.of(self, not_asked), list[JudgedTree]()
        count = len(self.model.members) if self.only is None else self.only[1] + 1
        # Trees are judged side by side, and each is judged by the margins before it; so a tree that moved rows ends the
        # batch.
        while (done := len(found)) < count:
            progress = None if self.progress is None else partial(_shifted, self.progress, done)
            for one in side_by_side(partial(_from, plan, done), count - done, self.jobs, progress):
                found.append(one)
                if one.moved:
                    plan.moved(len(found) - 1, one.moved)
                    break
        return found

    @property
    def summary(self) -> str:
        """The findings in one line."""
        asks = [one for one in self.findings if self.trees[one.tree].nodes[one.number].test is not None]
        leaves = len(self.findings) - len(asks)
        counts = {verdict: sum(one.verdict == verdict for one in asks) for verdict in self.verdicts}
        proved = f"of {number_of(len(asks), 'question')} {counts['optimal']} proved optimal"
        proved += f", {counts['within-rounding']} within rounding, {counts['suboptimal']} proved worse"
        others = sum(counts.values()) - counts["optimal"] - counts["within-rounding"] - counts["suboptimal"]
        proved += f", {others} wrong otherwise" * (others > 0)
        right = leaves - sum(any(fault.verdict == "wrong-leaf" for fault in one.faults) for one in self.findings)
        wrong = [] if self.is_right else [self.told_wrong]
        is_ordered = self.seen.schema.target.values is not None
        causes = "other parameters, or the classes in another order" if is_ordered else "or other parameters"
        doubt = [f"most of a tree is wrong: these may be other rows than it was trained on, {causes}"]
        first = [one for one in self.findings if one.tree == self.findings[0].tree]
        # Where most of a tree is wrong, the rows or the parameters are likelier to be others than every node to be at
        # fault.
        is_doubtful = 2 * right < leaves or 2 * sum(bool(one.faults) for one in first) > len(first)
        adds = "adds what its" if leaves == 1 else "add what their"
        parts = [*wrong, proved, f"{right} of {number_of(leaves, 'leaf')} {adds} rows give"]
        if self.twice:
            worse = sum(bool(one.note) for one in asks)
            parts.append(f"judged among the bins; among all gaps {worse} of these questions are proved worse")
        return "; ".join([*parts, *self.assumed, *(doubt if is_doubtful else [])])

    def at(self, number: int, tree: int = 0) -> Finding:
        """The finding at one node.

        Raises:
            InputError: there is no such node.
        """
        return next(iter(replace(self, only=(number, tree))))


def _from(plan: _Plan, first: int, number: int) -> JudgedTree:
    return plan.judged(first + number)


def _shifted(progress: Callable[[int], None], done: int, number: int) -> None:
    progress(done + number)


@dataclass(frozen=True)
class _Plan:
    """The data needed to judge any of the trees, in a form that can be sent to another process."""

    model: Ensemble
    booster: BoosterParameters
    columns: Mapping[str, RankedColumn]
    start: Margins
    targets: Sequence[Rational]
    weights: Sequence[Fraction] | None
    given: Given | None
    twice: bool
    bins_of: str | None
    """Whose cuts are the edges of bins: `model`, `tree`; None if they are given, or if all gaps are cut."""
    steps: list[Sequence[Ends]]
    """For each tree, the bounds of the value that it adds to each row."""
    statements: Sequence[Numbers]

    @classmethod
    def of(cls, audit: BoostedAudit, not_asked: Sequence[Test] = ()) -> _Plan:
        """The plan of an audit; the tests that the program never had are no edges."""
        model, booster, seen = audit.model, audit.booster, audit.seen
        columns = columns_of(seen, audit.bins)
        bins_of = None
        if audit.twice and audit.bins is None:
            bins_of = "tree" if booster.tree_method == "approx" else "model"
            # The bins of a histogram hold for all trees; of `approx` they are made anew for each.
            if bins_of == "model":
                columns = edges_of(columns, (member.tree for member in model.members), not_asked)
        # What each tree adds to each row is known before it is judged: it is what its leaves say.
        steps: list[Sequence[Ends]] = [added(member.tree, columns, len(seen)) for member in model.members]
        weights = [rounded(weight, booster.targets) for weight in seen.weighted()]
        return cls(
            model, booster, columns, start_of(booster, model, seen), targets_of(seen, booster.targets),
            None if all(weight == 1 for weight in weights) else weights, audit.given, audit.twice, bins_of, steps,
            statements_of(model),
        )  # fmt: skip

    @cached_property
    def replay(self) -> Replay:
        """The margins."""
        return Replay(self.steps, self.start, self.booster)

    def moved(self, number: int, rows: Sequence[tuple[Iterable[int], Ends]]) -> None:
        """Take other bounds of what a tree added to some rows."""
        self.steps[number] = steps = list(self.steps[number])
        for some, ends in rows:
            for row in some:
                steps[row] = ends

    def judged(self, number: int) -> JudgedTree:
        """One of the trees."""
        booster, sums, tree = self.booster, len(self.start), self.model.members[number].tree
        # Derivatives follow from the margins before the tree, unless the program was handed them.
        if self.given is None:
            margins = self.replay.before(number)
            of = derivatives(booster, self.targets, margins, number % sums, self.weights)
        else:
            of = known([(g, g, h, h) for g, h in self.given[number]])
        bias = self.start[number] if booster.from_average and number < sums else (Fraction(0), Fraction(0))
        columns = self.columns
        if self.bins_of == "tree":  # of a tree without a test the cuts of all others stand for its own
            asks = [tree] if len(tree.nodes) > 1 else [member.tree for member in self.model.members]
            columns = edges_of(columns, asks)
        judge = EnclosedJudge(tree, self.statements[number], Enclosures(booster, columns, of, bias))
        return JudgedTree.of(number, judge, self.twice)


__all__ = ["BoostedAudit", "audit_boosted", "is_boosted"]
