"""ID3: Quinlan's first decision-tree learner, for categorical attributes.

At each node, starting from all rows at the root:

1. If all rows have one class, the node is a leaf with that class.
2. If no attribute is left, it is a leaf with the majority class.
3. Otherwise compute the information gain of each attribute, and let A_g be the best.
4. If its gain is below ε, the node is a leaf with the majority class.
5. Otherwise make a branch for each value of A_g.
6. Do the same below each branch, with the rows that have the value, and without A_g.

`ID3.decide` makes these steps; `growing.grow` is the loop. The points that the books leave open are settled as follows:
an attribute with fewer than two non-empty branches is no candidate, a branch without rows is a leaf with the majority
of the node above it, equal gains are resolved in table order, and equal majorities in class order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NoReturn

from reference_tree.data.errors import InputError, columns_option, listed, wording
from reference_tree.data.questions import Multiway, Test
from reference_tree.data.sample import Sample
from reference_tree.exact.rationals import Rational
from reference_tree.learners.decision import Decision, Winners, placed, too_small
from reference_tree.learners.options import Options, Profile
from reference_tree.learners.place import Place, majority
from reference_tree.learners.recorded import described
from reference_tree.splitting.candidate import Candidate, barring_rule
from reference_tree.splitting.multiway import best_multiway, multiway_candidates


@dataclass(frozen=True, kw_only=True)
class ID3(Options):
    """The learner.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> ID3().grow(table).predict({"wind": "weak"})
        'yes'

    Source:
        [N0 EN §3.1], [N1 §1.4], [N1 §1.4 maximum likelihood], [N2 §2.1 procedure], [N3 ID3 algorithm], [N3 ID3
        algorithm: greedy], [Quinlan1986 §4]. The books recur; here a loop keeps the nodes still to be grown. ID3
        selects by maximum likelihood, as N1 says, only while ε is 0. N3 names neither a reason to stop nor what an
        empty branch becomes.
    """

    name: ClassVar[str] = "id3"
    profiles: ClassVar[dict[str, Profile]] = {}
    follows_rules: ClassVar[bool] = True
    spells_dialects = False

    epsilon: Rational = described(0, words="a split needs a gain of at least this many bits")

    # The check for numbers and gaps is made at the root, after the rules that need no test: a table of one class has
    # its leaf without it.
    @placed
    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node: steps 1 to 5.

        Raises:
            InputError: at the root, an attribute is continuous, or has missing values.

        Source:
            [N0 EN §3.1], [N1 §1.4]
        """
        place, total = place or Place.root(sample), sample.total()
        answer = self.ties.labelled(place, majority(sample.schema.target, total, place.inherited))
        if stop := self.stops.before(sample.target, total, place):  # steps 1 and 2
            return Decision(total, answer, stop)
        if place.parent is None:
            self.check(sample)
        candidates = partial(self.candidates, sample, place)
        winners = self.winners(sample, place)  # step 3
        if not winners:
            return Decision(total, answer, too_small(candidates()), candidates)
        chosen = self.ties.chosen(place, winners, winners[0])
        if stop := self.stops.after(chosen):  # step 4
            return Decision(total, answer, stop, candidates, winners)
        return Decision(total, answer, None, candidates, winners, chosen)  # step 5

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate."""
        table = sample.partition(test)
        return Candidate(test, table, ("gain",), barring_rule(table, self.min_samples_leaf))

    def candidates(self, sample: Sample, place: Place) -> Iterator[Candidate]:
        """The multiway split on each available attribute, in table order."""
        return multiway_candidates(sample, place.available, ("gain",), self.min_samples_leaf)

    def winners(self, sample: Sample, place: Place) -> Sequence[Candidate]:
        """All candidates with the largest gain, decided exactly.

        Source:
            [N0 CN §4 choice], [N0 CN §5 overfitting], [N0 EN §3.1 step (3)], [N1 §1.4 step 3], [N2 §2.1 step 6], [N3
            ID3 algorithm: step 1], [N4 Putting it together: step 2]. N2 compares over the values of one attribute; it
            is over the attributes.
        """
        attributes = place.attributes(sample.schema)
        return Winners(partial(best_multiway, sample, attributes, ("gain",), self.min_samples_leaf))

    def check(self, sample: Sample) -> None:
        """Refuse continuous attributes and missing values. The check at the root is enough for all nodes below.

        Raises:
            InputError: an attribute is continuous, or has missing values.
        """
        attributes = sample.schema.attributes
        if numbers := [a.name for a in attributes if a.kind == "continuous"]:
            _refuse(numbers, ("is continuous", "are continuous"), ("without", "categorical"))
        if gaps := [a.name for a in attributes if any(sample.partition(Multiway.on(a)).unknown)]:
            _refuse(gaps, ("has missing values", "have missing values"), ("without",))


def _refuse(names: Sequence[str], what: tuple[str, str], options: Sequence[str]) -> NoReturn:
    others = wording(
        "ID3.like('zhou'), which has one, or C45 or CART", "--profile zhou, which has one, or --learner c45 or cart"
    )
    one, many = what
    columns = " or ".join(columns_option(name, names[0] if len(names) == 1 else "NAME") for name in options)
    advised = f"{others}, or {columns}{' for each' * (len(names) > 1)}"
    if len(names) == 1:
        raise InputError(f"the attribute {names[0]} {one}, which ID3 has no rule for; say {advised}")
    raise InputError(f"the attributes {listed(names)} {many}, which ID3 has no rule for; say {advised}")
