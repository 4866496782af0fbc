r"""Extended ID3: the tree by information gain, with numbers cut in two and missing values by fractions.

It is ID3 with the extensions of the gain in N2 §4 and Zhou:

1. The tests of a continuous attribute are whether it is at most t, for each cut point t. It can be tested again.
2. Where values are missing, the gain is multiplied by the share ρ of the rows with a value. A row without one
   goes down every branch, divided in proportion to the rows that took each branch.

The test of largest gain is chosen, whether it is a multiway split or a cut. C4.5 adopts both rules, and compares the
attributes by their gain ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal, TypeAlias

from reference_tree.data.questions import Missing
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.exact.choosing import best
from reference_tree.learners.decision import Decision, placed
from reference_tree.learners.id3 import ID3
from reference_tree.learners.options import Profile
from reference_tree.learners.place import Place
from reference_tree.learners.recorded import described, word
from reference_tree.splitting.candidate import Candidate, barring_rule
from reference_tree.splitting.continuous_bisection import Cut, CutSearch, cuts, promising_cuts
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.splitting.multiway import multiway_candidate

Cuts: TypeAlias = Callable[[Sample, str], Iterable[Cut]]
"""A function that gives the cuts to try, from the rows at a node and a continuous attribute."""


# Its name stays `id3`: a document with options that ID3 does not have is read as this class (`ID3.widest`), so that one
# name serves for both.
@dataclass(frozen=True, kw_only=True)
class ExtendedID3(ID3):
    """The learner.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> tree = ID3.like("zhou").grow(textbook("watermelon-3.0"))
        >>> tree.predict({"纹理": "清晰", "密度": "0.4"})
        '是'

    Source:
        [N2 §4.1], [N2 §4.2 summary], [N2 §4.2 summary step 6], [Zhou2016 §4.4]. N2's summary chooses among values where
        attributes are meant, and sets all weights back to 1 where it begins again.
    """

    missing: Literal["fractions"] = described("fractions", word("fractions"), "the rule for missing values")

    @placed
    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node: the steps of ID3, and a row without the value goes down every branch.

        Source:
            [N2 §4.2 problem b], [N2 §4.2 summary step 7], [Zhou2016 §4.4.2]
        """
        decision = super().decide(sample, place)
        if decision.chosen is None:
            return decision
        # The shares are those of training, and are kept with the node: prediction divides a row just as growing did.
        return replace(decision, missing=Missing(shares=tuple(branch_shares(decision.chosen.table.rows))))

    def check(self, sample: Sample) -> None:
        """Accept every attribute: this learner has rules for numbers and for missing values."""

    def candidates(self, sample: Sample, place: Place) -> Iterator[Candidate]:
        """The multiway split on each available categorical attribute, and every cut of each continuous one."""
        for attribute in place.attributes(sample.schema):
            yield from self.questions(sample, attribute, cuts)

    def winners(self, sample: Sample, place: Place) -> tuple[Candidate, ...]:
        """All candidates with the largest gain, decided exactly.

        Source:
            [N2 §4.1 Gain], [N2 §4.1 choice], [N2 §4.2 Gain], [N2 §4.2 summary step 6], [Zhou2016 §4.4]. The largest of
            the attributes' gains, each that of its best cut, is the largest gain of all.
        """
        # A barred test is left out before scores are compared: where one branch has all rows, its gain would be 0, and
        # could tie with the best.
        candidates = [
            candidate
            for attribute in place.attributes(sample.schema)
            for candidate in self.questions(sample, attribute, self.promising_cuts)
            if candidate.barred is None
        ]
        return tuple(best(candidates, attrgetter("score")))

    def questions(self, sample: Sample, attribute: Attribute, tried: Cuts) -> Iterator[Candidate]:
        """The multiway split on a categorical attribute, or the cuts of a continuous one that are tried.

        Source:
            [N2 §4.1 T_a], [Zhou2016 §4.4.1]
        """
        if attribute.kind == "categorical":
            yield multiway_candidate(sample, attribute, ("gain",), self.min_samples_leaf)
        else:
            for test, table in tried(sample, attribute.name):
                yield Candidate(test, table, ("gain",), barring_rule(table, self.min_samples_leaf))

    def promising_cuts(self, sample: Sample, attribute: str) -> list[Cut]:
        """Cuts of a continuous attribute that include all of its best ones."""
        return promising_cuts(sample, [attribute], CutSearch("gain", self.min_samples_leaf))


ID3.widest = ExtendedID3
ID3.profiles["zhou"] = Profile(ExtendedID3, {})
