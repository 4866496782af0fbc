r"""Pre-pruning: a split is made only if it improves the predictions for held-out rows.

At each node, before it is split:

1. The learner chooses the split, from the training rows alone.
2. As a leaf, the node predicts the majority of its training rows. The validation rows that this predicts correctly
   are counted.
3. After the split, each child predicts the majority of *its* training rows. The correct validation rows are counted
   again.
4. The split is made if more rows are correct after it. If not, the node is a leaf, and splits below it are never tried:
   that is the *horizon effect*.

The predictions for all other rows do not change, so comparing these few rows compares whole trees.

`PrePruning` is a learner around a learner. It takes that learner's decision, and then checks it on the validation rows,
which go down the tree with the training rows (`Place.holdout`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, get_args

from reference_tree.data.errors import InputError, listed
from reference_tree.data.questions import REFUSED, Test
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Kind
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational
from reference_tree.learners.decision import Decision, placed
from reference_tree.learners.growing import grow, revisit
from reference_tree.learners.options import Options
from reference_tree.learners.place import Place, Ties
from reference_tree.learners.registry import learner_of
from reference_tree.selection.validation import (
    Step,
    check_staying,
    check_validation,
    staying,
    weight_of,
    wrong,
)
from reference_tree.splitting.candidate import Candidate, RuleId
from reference_tree.tree import Grower, Tree

OPTION = "pre_pruning"
"""The name by which the grower of a tree records its pre-pruning."""

OnEqual = Literal["stop", "split"]


@dataclass(frozen=True)
class PrePruning:
    """A learner that asks held-out rows before it splits.

    Args:
        learner: chooses the splits.
        on_equal: the choice if a split changes nothing on the validation rows, or if none of them reaches the node:
            `stop` (Zhou, N2: a split has to improve) or `split` (N0: a split is cancelled if it does worse).

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> training, validation = textbook("watermelon-2.0-train"), textbook("watermelon-2.0-validation")
        >>> zhou = ID3(ties=Ties(choose={"/": "脐部"}, label={"/": "是"}))
        >>> tree = PrePruning(zhou).grow(training, validation)
        >>> [node.stop for node in tree.nodes]
        [None, 'pre-pruned', 'pure', 'pre-pruned']

    Source:
        [N0 EN §4 pre-pruning], [N2 §3.1 definition], [N2 §3.1 greedy], [Zhou2016 §4.3.1]. N0 cancels the *pruning*
        where it means the split, and calls the validation set a test set; N2 says that the split of the highest
        validation accuracy is taken, but its own step 1 is right: the training rows choose, the validation rows accept
        or refuse.
    """

    learner: Options
    on_equal: OnEqual = "stop"

    def __post_init__(self) -> None:
        """Refuse an unknown rule.

        Raises:
            InputError: there is no such rule for equality.
        """
        if self.on_equal not in get_args(OnEqual):
            rules = listed(get_args(OnEqual))
            raise InputError(f"where a split changes nothing there is a choice of {rules}, not {self.on_equal!r}")

    # The learner decides first, from the training rows alone; the validation rows may only refuse its test, and never
    # choose another. The refused test stays among the winners of the decision, for whoever explains the leaf. Nothing
    # is looked at further down: of an exclusive or, no first split helps.
    @placed
    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node: that of the learner, unless the validation rows are against it.

        Raises:
            InputError: there are no validation rows; or as for the learner.

        Source:
            [N2 §3.1 step 1], [N2 §3.1 step 2], [N2 §3.1 step 3], [N2 §3.1 step 4], [N2 §3.1 underfitting]. N2 leaves
            open what happens if both are equal (decision prepruning.equal).
        """
        if place is None or place.holdout is None:
            raise InputError("pre-pruning needs a validation set, and none is given")
        decision = self.learner.decide(sample, place)
        if decision.chosen is None:
            return decision
        before = wrong(place.holdout.schema.target, place.holdout.total(), decision.answer.label)
        after = self._wrong_after(decision, sample, place)
        decision = replace(decision, evidence={**decision.evidence, **_evidence(place.holdout, before, after)})
        if after < before or (after == before and self.on_equal == "split"):
            return decision
        return replace(decision, stop="pre-pruned", chosen=None, missing=REFUSED)

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate of the learner."""
        return self.learner.judge_one(sample, place, test)

    def _wrong_after(self, decision: Decision, sample: Sample, place: Place) -> Rational:
        """The error of the validation rows if the node is split, and its children are leaves."""
        assert decision.chosen is not None
        assert place.holdout is not None
        # A child as a leaf is decided by the learner itself with a depth of 0, so that empty children, ties and losses
        # are as in growing.
        target, leaf = place.holdout.schema.target, replace(self.learner, max_depth=0)
        errors: Rational = 0
        totals = []
        for child, part in place.children(sample, decision.chosen.test, decision.answer, decision.missing):
            assert child.holdout is not None
            totals.append(child.holdout.total())
            errors += wrong(target, totals[-1], leaf.decide(part, child).answer.label)
        # Validation rows that go down no branch keep the prediction of the node.
        rest = staying(place.holdout.total(), totals)
        check_staying(rest, decision.chosen.test, decision.missing)
        return errors + wrong(target, rest, decision.answer.label)

    def grow(self, table: Table, validation: Table, progress: Callable[[int], None] | None = None) -> Tree:
        """The tree for a table.

        Args:
            table: the data to grow from.
            validation: the held-out rows.
            progress: called after each node with the number of nodes so far.

        Raises:
            InputError: the validation set has another target, a row without its class, a class or a value that the
                table does not have, or lacks a column of the table; or as for the learner.

        Source:
            [N2 §3.1 step 5], [N2 §3.1 cost]
        """
        # Once for the whole tree, and against all attributes: which of them will be tested is not known yet.
        check_validation(validation, table.schema.target, table.schema.attributes)
        return grow(self, table, progress, validation)

    def finish(self, tree: Tree) -> Tree:
        """The tree after the last step of the learner, which follows growing."""
        return self.learner.finish(tree)

    def grower(self) -> Grower:
        """The learner, with one more option."""
        grower = self.learner.grower()
        return replace(grower, options={**grower.options, OPTION: {"on_equal": self.on_equal}})

    @classmethod
    def of(cls, grower: Grower) -> PrePruning:
        """The learner that grew a pre-pruned tree.

        Raises:
            InputError: it was not pre-pruned, or these are not the options of a learner.

        Example:
            >>> from reference_tree.learners.id3 import ID3
            >>> PrePruning.of(PrePruning(ID3(max_depth=3)).grower()) == PrePruning(ID3(max_depth=3))
            True
        """
        # What is left without this option is a learner as any other: pre-pruning is a learner around a learner.
        options = dict(grower.options)
        recorded: Mapping[str, Any] = options.pop(OPTION, {})
        if set(recorded) != {"on_equal"} or recorded["on_equal"] not in ("stop", "split"):
            raise InputError(f"{grower.name} records no way of pre-pruning that is known")
        return cls(learner_of(replace(grower, options=options)), recorded["on_equal"])

    @property
    def predicts(self) -> frozenset[Kind]:
        """The kinds of target that it can predict."""
        return self.learner.predicts

    @property
    def ties(self) -> Ties:
        """The overrides of ties."""
        return self.learner.ties


def _evidence(holdout: Sample, before: Rational, after: Rational) -> dict[RuleId, Rational]:
    """The evidence for a decision: the weight of the validation rows, and the errors on them before and after it.

    For classes the accuracies are included, unless no validation row reaches the node.
    """
    weight = weight_of(holdout)
    evidence: dict[RuleId, Rational] = {"validation": weight, "wrong-before": before, "wrong-after": after}
    # Without rows there is no share of them, and a split changes nothing: the rule for equal errors decides.
    if weight and holdout.schema.target.values is not None:
        evidence |= {"accuracy-before": 1 - Fraction(before) / weight, "accuracy-after": 1 - Fraction(after) / weight}
    return evidence


def steps(tree: Tree, learner: PrePruning, table: Table, validation: Table) -> Iterator[Step]:
    """The decisions of pre-pruning at the nodes of the tree that it grew, in preorder.

    A step is done if the split was made. `tree_steps` gives the errors of the whole tree, beginning with those of a
    single leaf at the root.

    Args:
        tree: the tree that `learner.grow` has grown from the tables.
        learner: the learner that grew it.
        table: the data.
        validation: the held-out rows.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> from reference_tree.selection.validation import node_errors, tree_steps
        >>> training, validation = textbook("watermelon-2.0-train"), textbook("watermelon-2.0-validation")
        >>> learner = PrePruning(ID3(ties=Ties(choose={"/": "脐部"}, label={"/": "是"})))
        >>> tree = learner.grow(training, validation)
        >>> errors = node_errors(tree, validation).as_leaf[0]
        >>> for found in tree_steps(steps(tree, learner, training, validation), errors):     # of seven rows
        ...     print(tree.path(found.step.number), found.before, found.after)
        / 4 2
        /脐部=凹陷 2 3
        /脐部=稍凹 2 2
    """
    for visit in revisit(tree, learner, table, validation):
        # Read from the decisions, and not computed again. A leaf of another reason was never asked.
        evidence = visit.decision.evidence
        if "wrong-before" in evidence:
            done = visit.decision.chosen is not None
            yield Step(visit.number, evidence["wrong-before"], evidence["wrong-after"], done)
