"""The decision: everything that a learner decides about one node.

It is either a leaf, with the reason to stop, or a split, with the candidates, the set of exact winners, and the chosen
one. `grow` takes the chosen test and drops the rest; `explain` prints it; a golden keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from reference_tree.data.errors import InputError, shown
from reference_tree.data.questions import REFUSED, Missing, Test
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import significant
from reference_tree.learners.place import Answer, Place, Ties, path_text
from reference_tree.records import late
from reference_tree.splitting.candidate import Candidate, RuleId
from reference_tree.splitting.continuous_bisection import number_of_cuts
from reference_tree.tree import Grower, Tree

Key = TypeVar("Key")
Value = TypeVar("Value")


# A tree is grown from thousands of decisions, and few of them are explained: their evidence costs nothing until
# somebody reads it.
@dataclass(frozen=True, eq=False, repr=False)
class OnDemand(Mapping[Key, Value]):
    """A mapping that is computed when it is first read.

    Example:
        >>> evidence = OnDemand(lambda: {"average": 3})
        >>> evidence["average"], len(evidence), evidence
        (3, 1, {'average': 3})
    """

    compute: Callable[[], Mapping[Key, Value]]

    @cached_property
    def _found(self) -> Mapping[Key, Value]:
        return self.compute()

    def __getitem__(self, key: Key) -> Value:
        return self._found[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return repr(self._found)


class Winners(Sequence[Candidate]):
    """The candidates of largest score: the first one, and those tied with it, which are computed on demand.

    Growing a tree reads only the first one, and on small samples most candidates are tied.

    Args:
        winning: gives the winners in the learner's order; its argument tells whether all ties are wanted.
    """

    def __init__(self, winning: Callable[[bool], Sequence[Candidate]]) -> None:
        # The first winner is all that growing needs: truth and the place 0 are answered from it, and everything else
        # computes the ties.
        self._winning, self._first = winning, winning(False)

    @cached_property
    def _all(self) -> tuple[Candidate, ...]:
        # The first stays the object that was chosen from: the second search makes an equal one, but another object.
        return (*self._first[:1], *self._winning(True)[1:])

    def __bool__(self) -> bool:
        return bool(self._first)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, place: Any) -> Any:
        return self._first[0] if place == 0 else self._all[place]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        # Equal to a tuple of the same candidates, and so with its hash.
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class Made(NamedTuple):
    """The arguments of a decision, from which it can be made again."""

    learner: Learner
    """The learner that decided."""
    sample: Sample
    """The rows at the node."""
    place: Place
    """The node's place in the tree."""


# The fields that are functions take no part in comparisons: two decisions are equal if their results are, however their
# candidates would be computed.
@dataclass(repr=False)
class Decision:
    """The decision of a learner at a node.

    It does not change after `decide` has returned it. It is not `frozen`, since each node has one, and a frozen one
    takes three times as long to make.

    Args:
        total: the weight of each class.
        answer: the prediction of the node as a leaf.
        stop: the rule that makes it a leaf; None for a split.
        considered: gives every test that was considered, including barred ones, in the learner's order.
        winners: the candidates that some resolution of exact ties can choose; also the best ones of a node that stops
            because they are not good enough.
        chosen: the winner that the tie rule takes; None for a leaf.
        judged_by: the name of the score that decides.
        missing: the rule for rows without the value.
        evidence: every other figure behind the decision.
        unlisted: gives the attributes with so many values that not every division of them is among the tests
            considered. The best one is; the next best may not be.
        beside: gives tests that include every best one beside the winners; None where all are looked through.
        made: the learner, the rows and the place; None if they are not recorded.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> ID3().decide(textbook("play-tennis").sample())
        <Decision at /: outlook, gain 0.24675>

    Source:
        [N4 Learning Process: decision 1], [N4 Learning Process: decision 2]. N4's two decisions, what to ask and when
        to stop, are one here.
    """

    total: Counts
    answer: Answer
    stop: RuleId | None
    considered: Callable[..., Iterable[Candidate]] = field(default=tuple, compare=False)
    winners: Sequence[Candidate] = ()
    chosen: Candidate | None = None
    judged_by: str = "gain"
    missing: Missing = REFUSED
    evidence: Mapping[RuleId, Number] = field(default_factory=dict)
    unlisted: Callable[[], Iterable[str]] = field(default=tuple, compare=False)
    beside: Callable[[], Iterable[Candidate]] | None = field(default=None, compare=False)
    made: Made | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        """The decision as a line of text, however many candidates there are."""
        where = "" if self.made is None else f" at {path_text(self.made.place)}"
        if self.chosen is None:
            return f"<Decision{where}: leaf {self.answer.label} ({self.stop})>"
        score = significant(self.chosen.scores[self.judged_by], 6)
        return f"<Decision{where}: {self.chosen.test.name}, {self.judged_by} {score}>"

    def _repr_markdown_(self) -> str | None:
        """The derivation that a notebook shows; None if it is too long to read."""
        text: str | None = late("views.notebook.decision_markdown")(self)
        return text

    def __reduce__(self) -> Any:
        """A copy is decided again from the same arguments: the searches that find candidates cannot be stored."""
        return super().__reduce__() if self.made is None else (_decided, self.made)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every test that was considered. Growing a tree does not need them, so they are computed on demand."""
        return tuple(self.considered())

    @cached_property
    def listed_in_part(self) -> tuple[str, ...]:
        """The attributes whose tests are not all candidates; if there are any, the margin is not known."""
        # Without a winner there is no margin that could be wrong.
        return tuple(self.unlisted()) if self.winners else ()

    @property
    def runner_up(self) -> Candidate | None:
        """The best candidate that is no winner, the first of equal ones; None if there is none, or it is not known."""
        return next(iter(self.next_best), None)

    @cached_property
    def next_best(self) -> Sequence[Candidate]:
        """The best candidates that are no winners, in the learner's order; empty if `runner_up` is None."""
        if self.listed_in_part:
            return ()
        # By key, and not by object: candidates are made anew when they are listed. What `beside` lists includes every
        # best candidate that is no winner, and may be far less than all.
        winning = {winner.key for winner in self.winners}
        candidates = self.candidates if self.beside is None else self.beside()
        others = [candidate for candidate in candidates if not candidate.barred and candidate.key not in winning]
        return best(others, attrgetter("score"))

    @property
    def margin(self) -> Number:
        """The lead of the chosen candidate (for a leaf, the first winner) over the runner-up; None without one."""
        if not self.winners or (second := self.runner_up) is None:
            return None
        # Of the exact scores: what decided may be a number that only compares as they do.
        return (self.chosen or self.winners[0]).scores[self.judged_by] - second.scores[self.judged_by]


def _decided(learner: Learner, sample: Sample, place: Place) -> Decision:
    """The decision of a learner about some rows, at a place."""
    return learner.decide(sample, place)


Decide = TypeVar("Decide", bound=Callable[..., Decision])


def placed(decide: Decide) -> Decide:
    """A learner's `decide` that records in each decision the learner, the rows and the place."""

    @wraps(decide)
    def placing(learner: Learner, sample: Sample, place: Place | None = None) -> Decision:
        # A table in the place of its sample is the commonest slip at this door, and would fail much later.
        if not hasattr(sample, "partition"):
            advice = "a table's is table.sample()" if hasattr(sample, "sample") else "table.sample() is one"
            raise InputError(f"{shown(sample)} is no sample; {advice}")
        decision = decide(learner, sample, place)
        decision.made = Made(learner, sample, place or Place.root(sample))
        return decision

    return cast(Decide, placing)


class Learner(Protocol):
    """A learner of trees: a pure function that decides a node, and the name and options that a tree records."""

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision about the rows that reach a place; without a place, the root.

        The decision for a leaf that is `empty` or `pure` may depend only on the rows and the prediction above, so equal
        leaves can share one.
        """

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate at a place, whether or not the learner would try it: for audits.

        It has the scores that the learner gives it, and the rule that bars it by its partition, if one does. No other
        test is considered.
        """

    def finish(self, tree: Tree) -> Tree:
        """The tree after the last step of the learner, which follows growing."""

    def grower(self) -> Grower:
        """The learner's name, profile and every option, as text."""

    @property
    def predicts(self) -> frozenset[Kind]:
        """The kinds of target that it can predict."""

    @property
    def ties(self) -> Ties:
        """The overrides of ties."""


Deciding: TypeAlias = Callable[[Any, Place], Decision]
"""What decides the rows that reach a place."""


@runtime_checkable
class AmongSome(Learner, Protocol):
    """A learner that lets another one decide, at each node among some of the attributes."""

    @property
    def base(self) -> Learner:
        """The learner that decides."""

    def seen(self, sample: Sample, place: Place) -> Place:
        """The place with only these attributes, as the other learner sees it first.

        If no test about them can split the node, more may be shown to it.
        """

    def looked_at(self, sample: Sample, place: Place, decide: Deciding | None = None) -> tuple[Place, Decision]:
        """The place with the attributes that were shown at last, and the decision there.

        Args:
            sample: the rows.
            place: the place.
            decide: decides as `base` does.
        """


# A rule that bars small branches explains a leaf only where some test would have had two branches without it.
def too_small(candidates: Iterable[Candidate]) -> RuleId:
    """The rule that makes a node without any eligible candidate a leaf: every split is too small, or there is none.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> too_small([]), ID3(min_samples_leaf=9).decide(textbook("play-tennis").sample()).stop
        ('no-candidates', 'min-samples-leaf')
    """
    barred = any(candidate.barred == "min-samples-leaf" for candidate in candidates)
    return "min-samples-leaf" if barred else "no-candidates"


def none_eligible(
    sample: Sample, attributes: Sequence[Attribute], about: Callable[[Attribute], Iterable[Candidate]]
) -> RuleId:
    """The rule of `too_small` where no test is eligible: both sides of a cut have rows, so any cut was too small.

    Args:
        sample: the rows at the node.
        attributes: the attributes that may be tested.
        about: gives the tests of one of them.
    """
    # A store counts cuts faster than it lists them, and one is enough.
    if any(number_of_cuts(sample, one.name) for one in attributes if one.values is None):
        return "min-samples-leaf"
    return too_small(candidate for one in attributes if one.values is not None for candidate in about(one))
