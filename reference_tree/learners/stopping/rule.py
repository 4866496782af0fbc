"""The record of a stopping rule: everything that is known about a reason for a node to be a leaf.

A rule is one module of this folder: its formulas, and below them its record, a `StoppingRule`. The learners, tree
documents, goldens, derivations and audits are views of the records, so a new rule is one new file.

1. `StoppingRule` is the record. A rule that stops a node `before` any question is tried depends on the rows and the
   place of the node; one that stops it `after` the questions were compared depends on the best one. Some reasons are
   decided elsewhere, by a learner or a pruning, and have words alone.
2. `rules` has all records of the folder, in the order in which they are checked.
3. `Stops` has the rules of a learner with their bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from reference_tree.data.sample import Counts
from reference_tree.data.targets import Target
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.place import Place
from reference_tree.learners.recorded import Option
from reference_tree.records import records
from reference_tree.splitting.candidate import Candidate, RuleId

Before: TypeAlias = Callable[[Target, Counts, Place, Any], bool]
"""Whether a node is a leaf before any question is tried: from the target, the counts, the place and the bound."""
After: TypeAlias = Callable[[Candidate, Rational, Rational, Any], bool]
"""Whether it is one because of its best question, from this, the weights of node and sample, and the bound."""


@dataclass(frozen=True, eq=False, kw_only=True)
class StoppingRule:
    """A reason for a node to be a leaf.

    Args:
        name: the reason that a leaf records; the rule that a golden exercises is `stop.` with the name.
        words: why the node is a leaf, in a derivation; braces stand for facts of the node and options of the learner.
        message: the same in an audit.
        before: whether it stops a node before any question is tried.
        after: whether it stops a node because of its best question.
        option: the option of a learner that is its bound; empty if it has none.
        usual: the bound with which it stops nothing, and is not checked.
        always: whether it is checked with the usual bound, too, with which only a question that loses is not asked.
        figure: the figure that is compared with the bound, from the best question, its score, and the share of the
            sample at the node, a worked number.
        symbol: what stands before the bound in a comparison.
        facts: further facts of the best question for the braces of `words`.
        misapplied: the id of the rule that is misapplied if a node stops by this one and should not.
        described: the description of the option, where no learner states it: each that follows all rules has it.
        check: refuses a target that the rule is not for, from it and the bound.
    """

    name: str
    words: str = ""
    message: str = ""
    before: Before | None = None
    after: After | None = None
    option: str = ""
    usual: Any = None
    always: bool = False
    figure: Callable[[Candidate, Number, Number], Number] | None = None
    symbol: str = ""
    facts: Callable[[Candidate], Mapping[str, Number]] = lambda winner: {}
    misapplied: RuleId = ""
    described: Option | None = None
    check: Callable[[Target, Any], None] | None = None

    def __reduce__(self) -> Any:
        """A copy is the record itself."""
        return _named, (self.name,)


@cache
def rules() -> Mapping[str, StoppingRule]:
    """All records of this folder by name, in the order in which they are checked: those of the books come first.

    Example:
        >>> [rule.name for rule in rules().values() if rule.before]
        ['empty', 'pure', 'no-attributes', 'max-depth', 'min-samples-split']
    """
    return {rule.name: rule for rule in records(StoppingRule, first="bounds")}


def _named(name: str) -> StoppingRule:
    return rules()[name]


class Stops:
    """The stopping rules of a tree, with their bounds.

    Args:
        bounds: option → bound. A rule whose option is not there stops nothing.

    Example:
        >>> stops = Stops({"max_depth": 2, "epsilon": 0})
        >>> [rule.name for rule, bound in stops.after_rules], stops.asks_for_more
        (['epsilon'], False)

    Source:
        [N3 Avoiding Overfitting: pre-pruning], [N4 Learning Process: decision 2], [N4 Putting it together: step 4].
        N3 calls every reason to stop early pre-pruning.
    """

    def __init__(self, bounds: Mapping[str, Any]) -> None:
        found = [(rule, bounds.get(rule.option)) for rule in rules().values() if rule.option in ("", *bounds)]
        self.bounds = {rule.option: bound for rule, bound in found if rule.option}
        found = [(rule, bound) for rule, bound in found if not rule.option or rule.always or bound != rule.usual]
        self.checks = [(rule.check, bound) for rule, bound in found if rule.check is not None]
        self.before_rules = [(rule.before, bound, rule.name) for rule, bound in found if rule.before is not None]
        self.after_rules = [(rule, bound) for rule, bound in found if rule.after is not None]
        self.asks_for_more = any(bound != rule.usual for rule, bound in self.after_rules)
        """Whether a question may have to do more than not to lose."""

    def __reduce__(self) -> Any:
        """A copy has the same bounds."""
        return Stops, (self.bounds,)

    def but(self, **bounds: Any) -> Stops:
        """The same rules with some other bounds."""
        return Stops({**self.bounds, **bounds})

    def before(self, target: Target, total: Counts, place: Place) -> RuleId | None:
        """The first rule that makes a node a leaf before any question is tried; None if it may split.

        Raises:
            InputError: at the root, the target is one that a rule is not for.
        """
        if place.parent is None:
            for check, bound in self.checks:
                check(target, bound)
        for stops, bound, name in self.before_rules:
            if stops(target, total, place, bound):
                return name
        return None

    def after(self, winner: Candidate, weight: Rational = 1, whole: Rational = 1) -> RuleId | None:
        """The rule that makes a node a leaf because its best question is not good enough; None if it splits.

        Args:
            winner: the best question.
            weight: the weight of the node.
            whole: the weight of the whole sample.
        """
        for rule, bound in self.after_rules:
            if rule.after is not None and rule.after(winner, weight, whole, bound):
                return rule.name
        return None
