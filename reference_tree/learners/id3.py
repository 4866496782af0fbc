"""ID3: Quinlan's first decision-tree learner, for categorical attributes.

At each node, starting from all rows at the root:

1. If all rows have one class, the node is a leaf with that class.
2. If no attribute is left, it is a leaf with the majority class.
3. Otherwise compute the information gain of each attribute, and let A_g be the best.
4. If its gain is below ε, the node is a leaf with the majority class.
5. Otherwise make a branch for each value of A_g.
6. Do the same below each branch, with the rows that have the value, and without A_g.

`ID3.decide` is these steps; `growing.grow` is the loop. What the books leave open is settled as follows: an attribute
with fewer than two non-empty branches is no candidate, a branch without rows is a leaf with the majority of the node
above it, equal gains are resolved in table order, equal majorities in class order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.exact.choosing import best, multiset, near_best
from reference_tree.exact.rationals import Rational, decimal_text, exactly, rational
from reference_tree.learners.decision import Decision, majority
from reference_tree.learners.growing import grow
from reference_tree.learners.place import Place
from reference_tree.learners.stopping import Stops, falls_short
from reference_tree.learners.ties import Ties
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.multiway import gain_bounds, multiway_candidates
from reference_tree.tree import Grower, Tree


@dataclass(frozen=True)
class ID3:
    """The learner.

    Args:
        epsilon: a split needs a gain of at least this many bits.
        max_depth: no node lies deeper; the root has depth 0. None: no limit.
        min_samples_split: a node with less weight is a leaf.
        min_samples_leaf: a split that leaves less weight in a branch that is not empty is no candidate.
        ties: overrides for exact ties.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> ID3().grow(table).predict({"wind": "weak"})
        'yes'

    Source:
        [N0 EN §3.1], [N1 §1.4], [N1 §1.4 maximum likelihood], [N2 §2.1 procedure], [N3 ID3 algorithm], [Quinlan1986
        §4]. The books recur; here a loop keeps the nodes still to be grown. ID3 selects by maximum likelihood, as N1
        says, only while ε is 0. N3 names neither a reason to stop nor what an empty branch becomes.
    """

    epsilon: Rational = 0
    max_depth: int | None = None
    min_samples_split: Rational = 0
    min_samples_leaf: Rational = 0
    ties: Ties = field(default_factory=Ties)

    def __post_init__(self) -> None:
        """Take every bound as the exact value it has.

        Raises:
            ValueError: a bound is no number, or the depth no whole one.
        """
        for bound in ("epsilon", "min_samples_split", "min_samples_leaf"):
            object.__setattr__(self, bound, exactly(getattr(self, bound)))
        if not (self.max_depth is None or (type(self.max_depth) is int and self.max_depth >= 0)):
            raise ValueError(f"the maximum depth is a whole number from 0, or None, not {self.max_depth!r}")

    @classmethod
    def like(cls, profile: str, **options: Any) -> ID3:
        """The learner in a dialect: ID3 has none.

        Raises:
            InputError: always.
        """
        raise InputError(f"there is no profile {profile!r} of id3; it has none")

    def grow(self, table: Table) -> Tree:
        """The tree for a table.

        Raises:
            InputError: the table has a continuous or missing value, which ID3 has no rule for.
        """
        return grow(self, table)

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """What to do at a node: steps 1 to 5.

        Source:
            [N0 EN §3.1], [N1 §1.4]
        """
        place = place or Place.root(sample)
        total = sample.total()
        answer = self.ties.labelled(place, majority(sample.schema.target, total, place.inherited))
        if stop := Stops(self.max_depth, self.min_samples_split).reason(total, place):  # steps 1 and 2
            return Decision(total, answer, stop)
        candidates = tuple(self.candidates(sample, place))  # step 3
        winners = self.winners(candidates)
        if not winners:
            stop = "min-samples-leaf" if any(c.barred == "min-samples-leaf" for c in candidates) else "no-candidates"
            return Decision(total, answer, stop, candidates)
        if self.epsilon and falls_short(winners[0].scores["gain"], self.epsilon):  # step 4
            return Decision(total, answer, "epsilon", candidates, winners)
        return Decision(
            total, answer, None, candidates, winners, self.ties.chosen(place, winners, winners[0])
        )  # step 5

    def candidates(self, sample: Sample, place: Place) -> Iterator[Candidate]:
        """The multiway split on each attribute that is left, in table order.

        Raises:
            InputError: an attribute is continuous, or has missing values here.
        """
        for attribute in sample.schema.attributes:
            if attribute.kind == "continuous":
                _refuse(attribute, "is continuous", f"--without {attribute.name}, or --categorical {attribute.name}")
        for candidate in multiway_candidates(sample, place.available, ("gain",), self.min_samples_leaf):
            if any(candidate.table.unknown):
                attribute = sample.schema.attribute(candidate.test.attribute)
                _refuse(attribute, "has missing values", f"--without {attribute.name}")
            yield candidate

    def winners(self, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        """All candidates with the largest gain, decided exactly.

        Source:
            [N0 CN §4 choice], [N0 EN §3.1 step (3)], [N1 §1.4 step 3], [N2 §2.1 step 6], [N3 ID3 algorithm: step 1],
            [N4 Putting it together: step 2]. N2 compares over the values of one attribute; it is over the attributes.
        """
        allowed = [candidate for candidate in candidates if candidate.barred is None]
        if all(isinstance(count, int) for candidate in allowed for row in candidate.table.rows for count in row):
            allowed = near_best(allowed, lambda candidate: gain_bounds(candidate.table))
        return tuple(best(allowed, lambda c: c.scores["gain"], lambda c: multiset(c.table.rows)))

    def grower(self) -> Grower:
        """The learner as a tree document records it."""
        options = {
            "epsilon": decimal_text(self.epsilon),
            "max_depth": self.max_depth,
            "min_samples_split": decimal_text(self.min_samples_split),
            "min_samples_leaf": decimal_text(self.min_samples_leaf),
            "ties": {"split": "first", "class": "first", "at": self.ties.options()},
        }
        return Grower("id3", None, options)

    @classmethod
    def of(cls, options: Mapping[str, Any], profile: str | None = None) -> ID3:
        """The learner that a tree document records.

        Raises:
            InputError: an option is unknown, absent or not a number.
        """
        try:
            return cls(
                epsilon=rational(options["epsilon"]),
                max_depth=options["max_depth"],
                min_samples_split=rational(options["min_samples_split"]),
                min_samples_leaf=rational(options["min_samples_leaf"]),
                ties=Ties.of(options["ties"]["at"]),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"these are not the options of id3: {error}") from None


def _refuse(attribute: Attribute, what: str, advice: str) -> NoReturn:
    raise InputError(f"the attribute {attribute.name} {what}, which ID3 has no rule for; say {advice}")
