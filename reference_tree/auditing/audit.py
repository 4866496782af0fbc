"""The audit: every node of a tree is checked against the data and the learner that the tree claims.

A greedy learner decides at one node at a time, so a tree is right if each of its nodes is one that the learner would
make of the rows that arrive there. Two right trees may differ, because exact ties are common.

1. `claims` reads from each tree the learner and the rows that it says it was grown by and from.
2. `walk` goes down a tree and judges its nodes.
3. `Audit` puts together the findings about all trees.

The findings come in preorder, one after the other; only the nodes still to be judged are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, cast

from reference_tree.auditing.boosting import BoostedAudit, audit_boosted, is_boosted
from reference_tree.auditing.claims import Claim, claims_of, counted_once, parameters_of, predictor_of, recorded
from reference_tree.auditing.excuses import BY_PRUNING
from reference_tree.auditing.explaining import Search, asked_for, may_be_supposed
from reference_tree.auditing.finding import Finding, Findings
from reference_tree.auditing.hypotheses import NOTHING, Seen, Supposed
from reference_tree.auditing.printed_thresholds import as_program_had
from reference_tree.auditing.rounded import Moved, moved_rows
from reference_tree.auditing.stated import Statements, states_way
from reference_tree.auditing.walk import Walk
from reference_tree.data.errors import InputError, listed, number_of
from reference_tree.data.sample import Data
from reference_tree.data.table import Table, check_table, is_in_memory, is_read_in_part
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rationals import Rational
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import check_classes
from reference_tree.learners.options import Options
from reference_tree.learners.registry import PRUNING, learner_named
from reference_tree.node import Derivatives
from reference_tree.programs.documents import NOTES
from reference_tree.programs.practices import practice_of
from reference_tree.programs.words import first_of, with_told, with_words
from reference_tree.splitting.missing_rules import known, missing_rules, with_gaps
from reference_tree.tree import Tree
from reference_tree.tree_document.silence import SILENCES


def audit(
    tree: Tree | Ensemble | Any,
    table: Data,
    learner: Learner | None = None,
    *,
    validation: Table | None = None,
    pruned: bool = False,
    max_leaves: int | None = None,
    ranks: bool = True,
    told: Mapping[str, Any] | None = None,
    progress: Callable[[int], None] | None = None,
    assume: str | None = None,
    **options: Any,
) -> Audit | BoostedAudit:
    """Check every node of a tree against the data and the learner that the tree claims.

    Args:
        tree: any tree, or an ensemble, which is audited tree by tree; an estimator of this package, fitted to columns
            of these names; or a fitted object of scikit-learn, XGBoost or LightGBM, whose columns are those of the
            table, in their order.
        table: the rows that the tree was grown from.
        learner: the learner that grows the tree, or the trees of an ensemble; None for the one that is recorded.
        validation: the validation rows, for a learner that prunes before it splits.
        pruned: whether the tree was pruned after it was grown: then a leaf may stand where the learner would split.
        max_leaves: the program's limit on leaves: in a tree that reaches it, any leaf is allowed.
        ranks: whether a bad test is ranked among all tests, which takes long on many rows; in a database only
            where columns have few values.
        told: the training parameters of a boosted model of another program that the model does not state, by the
            names of `BoosterParameters`. Of the other arguments only the table and the progress apply to such a model.
        progress: called after each node with the number of nodes judged so far; for a boosted model, of trees.
        assume: what may be supposed about a tree of another program, where it is wrong by what is told: the names of
            `HYPOTHESES` with commas between them, or `none`. None: all of them.
        **options: options of the learner, by its own names or those of other programs, such as `maxdepth`
            (`reference_tree.programs.words`).

    Returns:
        The findings: an `Audit`; for a boosted model of another program, a `BoostedAudit`.

    Raises:
        InputError: no learner is known; the table has other columns, or classes in another order; the tree is one of
            boosting, without the rest of the model; or an argument does not apply to such a tree.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> print(audit(rt.ID3().grow(days), days))
        8 nodes are right; id3
        >>> wrong = rt.ID3().grow(days.without(["outlook"]))
        >>> found = audit(wrong, days).wrong[0]
        >>> found.verdict, found.said, found.regret.best, float(found.regret.in_all)
        ('suboptimal', 'humidity', 'outlook', 1.3288004577693655)
    """
    # What is audited becomes a tree or an ensemble of this package, under the names of the table.
    check_table(table)
    table = cast(Table, table)  # another store of rows answers the same tests
    if isinstance(grown := getattr(tree, "tree_", None), Tree | Ensemble):  # an estimator of this package
        tree = grown
    if not isinstance(tree, Tree | Ensemble):
        tree = predictor_of(tree, table)
    table = tree.under_names(table)
    validation = None if validation is None else tree.under_names(validation)
    # The trees of a boosted model have no learner to repeat: each was fitted to derivatives that follow from the
    # others.
    if isinstance(tree, Ensemble) and is_boosted(tree):
        if pruned or any(given is not None for given in (learner, validation, max_leaves)):
            raise InputError("a boosted model has no learner, no validation, no pruning and no cap but those in told")
        return audit_boosted(tree, table, told, progress=progress)
    if told is not None:
        raise InputError(
            "told is for boosted models of other programs; a tree of a learner records its training parameters"
        )
    # An option that is given goes before the one that the tree records. Some are no option of a learner, but say how
    # the tree came to be: these are added to what its document tells.
    stated = parameters_of(tree if isinstance(tree, Tree) else tree.members[0].tree)
    if options:
        learner, further = with_words(learner or recorded(first_of(tree)), options)
        pruned, max_leaves = pruned or further.pop("pruned", False), further.pop("max_leaves", max_leaves)
        tree = with_told(tree, further)
    max_leaves = stated.get("max_leaves") if max_leaves is None else max_leaves
    if max_leaves is not None and max_leaves < 1:
        raise InputError(f"a tree has at least one leaf, and the cap is {max_leaves}")
    # A rank counts all cuts, and a store that is read in part would have to hand over every value.
    ranks = ranks and not is_read_in_part(table)
    given = _Given(tree, table, learner, validation, pruned or "pruned" in stated, max_leaves, ranks, progress)
    # First by what is told alone. Hypotheses are for what is wrong then, and only where the program left something out.
    strict = given.audit(NOTHING)
    if not strict.is_right and _has_no_price(first_of(tree)) and is_in_memory(table):
        strict = given.without_price() or strict
    names = asked_for(assume)
    if not names or not isinstance(tree, Tree) or not may_be_supposed(tree, strict.claims[0].learner):
        return strict
    return given.explained(strict, names)


class _Given(NamedTuple):
    """What an audit is given."""

    tree: Tree | Ensemble
    table: Table
    learner: Learner | None
    validation: Table | None
    pruned: bool
    max_leaves: int | None
    ranks: bool
    progress: Callable[[int], None] | None

    def audit(self, supposed: Supposed, doubt: str = "", alone: Mapping[int, str] | None = None) -> Audit:
        """The audit under a supposition."""
        tree, table, learner = self.tree, self.table, self.learner
        if isinstance(tree, Tree) and supposed != NOTHING:
            learner = supposed.learner(learner or recorded(tree))
            tree = supposed.tree(tree)
            # Under reduced-error pruning a tree was grown from some of the rows: its counts are those.
            if supposed.repruning is not None and supposed.repruning.rows is not None:
                table = table.take(supposed.repruning.rows)
        # A printed threshold stands for several: the likeliest is put in its place before anything is judged.
        claims = tuple(map(as_program_had, claims_of(tree, table, learner)))
        for one in claims:
            check_classes(one.tree, one.table)
            if isinstance(one.tree.nodes[0].counts, Derivatives) and is_in_memory(one.table):
                raise InputError(
                    "the tree adds to a sum, and was fitted to what the trees before it left undone; "
                    "reference_tree.ensembles.derivatives.given makes a table of its derivatives"
                )
        cap = self.max_leaves if supposed.max_leaves is None else supposed.max_leaves
        found = Audit(claims, table, self.validation, self.pruned, cap, self.ranks, self.progress)
        return replace(found, supposed=supposed, doubt=doubt, alone=alone or {})

    def without_price(self) -> Audit | None:
        """The audit of a tree that is pruned at the price 0, by which its program still takes back what gains nothing.

        None if that does not explain every node, or only another price does.
        """
        practice = practice_of(first_of(self.tree))
        found = self.audit(NOTHING.also("told-cp", practice.at_no_price, price=practice.profile))
        walk = found.walk(found.claims[0])
        # The price is judged by the walk: it has to be 0, for another price is no explanation of what is told.
        if not found.is_right or walk.prices is None:
            return None
        list(walk.findings())
        return found if walk.prices.bounds is not None and walk.prices.bounds[0] == 0 else None

    def explained(self, strict: Audit, names: Collection[str]) -> Audit:
        """The audit under the hypotheses that explain the most."""
        wrong = {one.number: one for one in strict.wrong}
        if not wrong:
            return strict
        # The search audits the tree many times: ranks and progress are for the last time.
        quiet = self._replace(ranks=False, progress=None)

        def judged(supposed: Supposed) -> Audit | None:
            try:
                return quiet.audit(supposed)
            except InputError:  # the learner has nothing to do with such options
                return None

        search = Search(self._seen(strict, wrong), judged, names)
        best = search.best()
        if best == NOTHING and not search.doubt and not search.alone:
            return strict
        return self.audit(best, search.doubt, search.alone)

    def _seen(self, strict: Audit, wrong: Mapping[int, Finding]) -> Seen:
        claim = strict.claims[0]
        base = self.learner or recorded(claim.tree)
        assert isinstance(base, Options)

        # A cap that no tree reaches makes the walk note the worth and the branches of each node, and excuses nothing.
        def noted(found: Audit, one: Claim) -> Walk:
            walk = replace(found, max_leaves=len(claim.tree.nodes) + 1, ranks=False).walk(one)
            for _ in walk.in_turn():
                pass
            return walk

        # Bounds count rows, whatever these weigh.
        def once(one: Claim) -> Claim:
            return one._replace(table=replace(one.table, weights=None)) if is_in_memory(one.table) else one

        rows = [finding.rows for finding in strict.findings]
        # So where rows have weights, the numbers at the nodes are found once more without these.
        if is_in_memory(claim.table) and counted_once(claim.table) is not None:
            rows = [
                finding.rows for finding in replace(strict, claims=(once(claim),), ranks=False, progress=None).findings
            ]
        # Where surrogates are not printed, the walk does not know where rows without a value went; the printed numbers
        # do.
        if practice_of(claim.tree).counts_all_rows:
            counts = map(Statements(claim.tree).counts, range(len(rows)))
            is_class = claim.tree.target.values is not None
            weights = [None if one is None else sum(one) if is_class else one[0] for one in counts]
            rows = [own if one is None else one for own, one in zip(rows, weights, strict=True)]

        # A bound on branches counts the rows by which a test is scored: those that have a value, but for a rule that
        # counts the others in.
        def sides(supposed: Supposed) -> Mapping[int, Sequence[Rational]]:
            rule = missing_rules().get(getattr(base, "missing", ""))
            if (rule is None or rule.join is known) and with_gaps(claim.table.sample()):
                found = self._replace(ranks=False, progress=None).audit(supposed)
                return noted(found, once(found.claims[0])).sides
            asking = ((number, node) for number, node in enumerate(claim.tree.nodes) if node.test is not None)
            return {number: [rows[one] for one in node.branches] for number, node in asking}

        return Seen(claim.tree, base, self.table, rows, lambda: noted(strict, claim).best, sides, wrong)


def _has_no_price(tree: Tree) -> bool:
    """Whether a tree says that it was pruned at the price 0, and its program takes something back even so."""
    practice = practice_of(tree)
    return bool(practice.at_no_price) and tree.grower.options.get(practice.price) == "0"


@dataclass(frozen=True)
class Audit(Findings):
    """The findings, node by node, and their summary. `audit` makes one.

    Iterating over it judges the nodes; `findings` keeps what was found.
    """

    claims: tuple[Claim, ...]
    table: Table
    validation: Table | None = None
    pruned: bool = False
    max_leaves: int | None = None
    ranks: bool = True
    progress: Callable[[int], None] | None = None
    only: tuple[int, int] | None = None
    """The node that is judged, with those above it, and the place of its tree; None if all nodes are judged."""
    supposed: Supposed = NOTHING
    """What is supposed besides what is told."""
    doubt: str = ""
    """A hypothesis that explains every node, and rests on one test alone."""
    alone: Mapping[int, str] = field(default_factory=dict)
    """Nodes that would be wrong alone under another hypothesis, which stands beside them in words."""

    def __iter__(self) -> Iterator[Finding]:
        """The findings, in preorder, tree by tree."""
        count, number, claims = 0, None, self.claims
        # One node is asked for: only its tree is walked, and there only the way to it.
        if self.only is not None:
            number, place = self.only
            if not 0 <= place < len(claims) or not 0 <= number < len(claims[place].tree.nodes):
                raise InputError(f"there is no node {number}")
            claims = claims[place : place + 1]
        for claim in claims:
            for finding in self.walk(claim).findings(number):
                count += 1
                if self.progress is not None:
                    self.progress(count)
                # Under another hypothesis this node would be the only fault, so that it is not hidden among the
                # consequences.
                if finding.cause is not None and finding.number in self.alone:
                    note = f"it alone would be wrong, if this were so: {self.alone[finding.number]}"
                    finding = replace(finding, cause=None, note=note)
                yield finding

    def walk(self, claim: Claim) -> Walk:
        """The walk down one of the trees."""
        return Walk(claim, self.validation, self.pruned, self.max_leaves, self.ranks, self.supposed)

    def at(self, number: int, tree: int = 0) -> Finding:
        """The finding at one node; only this node and those above it are judged.

        Raises:
            InputError: there is no such node.
        """
        return replace(self, only=(number, tree)).findings[0]

    @property
    def trees(self) -> Mapping[int | None, Tree]:
        """The trees by their numbers; the number of a single tree is None."""
        return {claim.number: claim.tree for claim in self.claims}

    @cached_property
    def moved(self) -> tuple[Moved, ...]:
        """The rows that reach another leaf with the values given than with those that the program saw."""
        if not is_in_memory(self.table):
            return ()
        return tuple(found for claim in self.claims for found in moved_rows(claim.tree, self.table, claim.number))

    @property
    def assumed(self) -> list[str]:
        """The assumptions made, and what was not judged."""
        return list(dict.fromkeys([*self._supposed(), *(note for one in self.claims for note in self._assumed(one))]))

    def _supposed(self) -> Iterator[str]:
        """What is supposed, and whether it explains everything."""
        for name, words in zip(self.supposed.names, self.supposed.words, strict=True):
            walk = self.walk(self.claims[0])
            # The price is known only after the walk has judged every leaf.
            if name in ("ccp_alpha", "cp") and walk.prices is not None:
                list(walk.findings())
                yield f"{walk.prices.words}; judged so"
            else:
                yield f"{words}; judged so"
        if self.supposed.names and not self.is_right:
            yield "no hypothesis explains every node; this is the one that leaves the fewest wrong"
        if self.doubt and not self.is_right:
            yield self.doubt

    def _assumed(self, claim: Claim) -> Iterator[str]:
        program = claim.tree.program
        yield from claim.tree.grower.options.get(NOTES, ())
        if program is not None and program.numbers != "exact":
            yield f"judged on the values as {program.name} held them, rounded to {program.numbers}"
            if not is_in_memory(self.table):
                yield "no row was sought that ends elsewhere with the values given"
        if not self.is_right and is_read_in_part(self.table):
            yield "wrong tests are not ranked, as not all values of the columns are read"
        # What a tree does not state is no fault, but the reader has to know that nobody looked at it.
        yield from (f"not stated and not judged: {SILENCES[word]}" for word in SILENCES if word in claim.tree.silent)
        if _lacks_ways(claim):
            yield "rows with a missing value go where the counts of the tree show, or else where its learner sends them"
        if not Statements(claim.tree).has_counts and "counts" not in claim.tree.silent:
            yield f"not stated and not judged: {SILENCES['counts']}"
        if claim.assumed:
            yield claim.assumed
        if getattr(claim.learner, "cuts", None):
            yield "numbers of many values are cut where the bins of the program end, which are taken from all rows"
        if any(node.stop in BY_PRUNING for node in claim.tree.nodes):
            yield "leaves that say that they were pruned may be where the learner would split"
        if self.pruned or PRUNING in claim.tree.grower.options:
            yield "the tree was pruned, so that a leaf may be where the learner would split"
        # Rows are sent as the tree says in any case; whether its surrogates are right is judged only if the learner
        # looks for some.
        if any(node.missing.surrogates for node in claim.tree.nodes):
            if self.walk(claim).judge.search is None:
                yield "surrogates are not judged, for the learner looks for none"
            yield "rows with a missing value are taken to go where the surrogates of the tree send them"
        if self.max_leaves is not None:
            how = "judged where nothing else is wrong" if self.walk(claim).has_order else "not judged"
            yield f"the leaves are capped at {self.max_leaves}; in which order nodes were split is {how}"

    @property
    def summary(self) -> str:
        """The findings in one line."""
        nodes = len(self.findings)
        tied = self.counts.get("optimal-tied", 0)
        by = self._learners()
        ties = f", {tied} of them by a tie" if tied else ""
        if rounded := self.counts.get("within-rounding", 0):
            ties += f", {rounded} within rounding"
        excused = f", {self.counts['excused']} excused" if "excused" in self.counts else ""
        if self.is_right:
            outcome = f"{number_of(nodes, 'node')} {'are' if nodes > 1 else 'is'} right{ties}{excused}"
        else:
            outcome = f"{self.told_wrong}{excused}"
        if self.moved:
            rows = sorted({found.row for found in self.moved})
            outcome += f"; as given, {len(rows)} row{'s end' if len(rows) > 1 else ' ends'} elsewhere: "
            outcome += listed([str(row) for row in rows])
        return "; ".join([outcome, by, *self.assumed])

    def _learners(self) -> str:
        grower = self.claims[0].learner.grower()
        profile = [] if grower.profile is None else [f"profile {grower.profile}"]
        trees = [f"{len(self.claims)} trees"] if len(self.claims) > 1 else []
        plain = learner_named(grower.name, profile=grower.profile)
        described = {name: one.usual for name, one in plain.of_dialects().items() if one.usual is not None}
        # Only what differs from the dialect is named: the profile says the rest.
        usual = {**described, **plain.grower().options}  # a document lacks newer options at their defaults
        changed = [f"{name} {one}" for name, one in grower.options.items() if name in usual and one != usual[name]]
        return ", ".join([*trees, grower.name, *profile, *changed])


def _lacks_ways(claim: Claim) -> bool:
    """Whether a test has no outcome for some row, and the tree does not state where such rows go."""
    tests = (node.test for node in claim.tree.nodes if node.test is not None and not states_way(claim.tree, node))
    sample = claim.table.sample()
    return any(any(sample.partition(test).unknown) for test in {test.attributes: test for test in tests}.values())


__all__ = ["Audit", "audit"]
