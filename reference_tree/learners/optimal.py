r"""The optimal tree: the best of all trees for the rows, instead of one grown greedily.

Other learners take the test that is best at its node. The best test at a node need not be the best for the tree: no
single test is informative about an exclusive or, but two solve it. This learner computes for each test the
cost of the best tree that begins with it (`least_cost`), and takes the one whose tree costs least. The cost is

$$C_\alpha(T) = \sum_{t \text{ leaf}} R(t) + \alpha |\tilde T|$$

where R(t) is the risk of a leaf, its error on its rows, and α is the price of a leaf, in the same unit.

1. If the rows have one target value, or a stopping rule forbids a split, the node is a leaf.
2. Otherwise find for each test the least cost of a tree that begins with it, C(D, A). The test *saves* the
   difference from the cost of the node as a leaf.
3. Take the test that saves most. Of equal tests, those with more leaves are barred. If none saves anything, the
   node is a leaf.
4. Do the same below. The best tree for the rows of a branch is a part of the best tree for all, so it is found again.

With α = 0 this is the smallest of the trees with the fewest mistakes. The search takes exponential time, and refuses
tables that are too large (decision optimal.limit).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.points import Points
from reference_tree.data.questions import Test
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import Worked, formula, work
from reference_tree.learners.decision import Decision, too_small
from reference_tree.learners.least_cost import LIMIT, State, Subproblems, Worth
from reference_tree.learners.options import Options, Profile
from reference_tree.learners.place import Place, answer_of
from reference_tree.learners.recorded import AMOUNT, described, word
from reference_tree.learners.stopping.bounds import falls_short, gains_nothing
from reference_tree.measures.conditional_entropy import by_class
from reference_tree.measures.entropy import entropy, total
from reference_tree.measures.gini_index import gini
from reference_tree.measures.variance import Moments, sse
from reference_tree.splitting.binary_subsets import all_subsets
from reference_tree.splitting.branching import BranchingName, branchings, of_one_attribute
from reference_tree.splitting.candidate import Asking, Candidate, RuleId, TableScore, barring_rule
from reference_tree.splitting.continuous_bisection import cuts
from reference_tree.splitting.missing_rules import with_gaps


@formula
def mistakes(counts: Sequence[Number]) -> Number:
    r"""The number of mistakes of a leaf that predicts the majority class.

    $$R(t) = N_t - \max_k N_{tk}$$

    Args:
        counts: N_t1, ..., N_tK: the weight of each class in the leaf.

    Example:
        >>> mistakes([5, 9])
        Fraction(5, 1)

    Source:
        [Breiman1984 §3.3], where it is divided by the rows of the table.
    """
    return total(counts) - max(counts)


class LeafRisk(NamedTuple):
    """The error of a leaf on its rows."""

    kind: Kind
    """The kind of target that it is for."""
    of: Callable[[Counts], Number]
    """Gives the risk from the summed counts of a leaf's rows, at least one."""


RiskName: TypeAlias = Literal["misclassification", "gini", "entropy", "squared_error"]

# Each is N times a concave impurity, so no split raises it: on this rests the bound of
# `least_cost.Subproblems.is_settled`.
RISKS: Mapping[str, LeafRisk] = {
    "misclassification": LeafRisk("categorical", mistakes),
    "gini": LeafRisk("categorical", formula(lambda counts: total(counts) * gini(counts))),
    "entropy": LeafRisk("categorical", formula(lambda counts: total(counts) * entropy(counts))),
    "squared_error": LeafRisk("continuous", lambda row: sse(Moments(*row))),
}
"""The risks by their names: R(t), added up over the rows of the leaf. In bits, the cost is that of N0's eq. (5)."""

USUAL: Mapping[Kind, str] = {"categorical": "misclassification", "continuous": "squared_error"}
"""The default risk for each kind of target."""


@dataclass(frozen=True, kw_only=True)
class Optimal(Options):
    """The learner.

    Example:
        >>> from reference_tree.data.table import Table
        >>> either = {"a": [*"0011"], "b": [*"0101"], "y": [*"nyyn"]}
        >>> table = Table.from_columns(either, "y", categorical="*")
        >>> [len(Optimal(alpha=alpha).grow(table).leaves()) for alpha in (0, 1)]
        [4, 1]

    Source:
        [N1 §1.2 heuristic], [N1 §1.6], [N3 ID3 algorithm: greedy], [N3 Occam's Razor], [HyafilRivest1976],
        [NijssenFromont2007], [MurphyPazzani1994]. The notes leave the best tree aside. Hyafil and Rivest's optimal tree
        has the fewest expected tests. Murphy and Pazzani construct all trees that make no mistake, and find for
        many of their problems that smaller ones predict worse on average than slightly larger ones.
    """

    name: ClassVar[str] = "optimal"
    predicts = frozenset[Kind]({"categorical", "continuous"})
    profiles: ClassVar[dict[str, Profile]] = {}

    epsilon: Rational = described(0, words="a test has to save at least this, together with the tests below it")
    alpha: Rational = described(0, AMOUNT, "the price of a leaf, in the unit of the risk: rows, bits, or squared error")
    criterion: RiskName | Literal["auto"] = described(
        "auto", word("auto", RISKS), "the risk. `auto`: `misclassification` for classes, `squared_error` for numbers"
    )
    branching: BranchingName = described("subset", word(of_one_attribute()), "the tests of a categorical attribute")

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node: steps 1 to 3.

        Raises:
            InputError: at the root, values are missing, or the risk is for another kind of target; or the search takes
                too long.

        Source:
            [N1 §1.2 heuristic], [HyafilRivest1976]
        """
        place, whole = place or Place.root(sample), sample.total()
        answer = self.ties.labelled(place, answer_of(sample.schema.target, whole, place.inherited))
        if stop := self.stops.before(sample.target, whole, place):  # step 1
            return Decision(whole, answer, stop, judged_by="saving")
        _check_complete(sample)
        candidates = self.candidates(sample, place)  # step 2
        # Unlike greedy learners this one needs all candidates to decide: the saving of a test is that of the best tree
        # below.
        open_ = [candidate for candidate in candidates if candidate.barred is None]
        winners = tuple(best(open_, attrgetter("score")))
        decision = Decision(whole, answer, None, lambda: candidates, winners, judged_by="saving")
        if not winners:
            return replace(decision, stop=too_small(candidates))
        # Before ε is looked at: a test that saves nothing is no better than the leaf, whatever ε is.
        if gains_nothing(winners[0].score):  # step 3
            return replace(decision, stop="zero-gain")
        if falls_short(winners[0].score, self.epsilon):
            return replace(decision, stop="epsilon")
        return replace(decision, chosen=self.ties.chosen(place, winners, winners[0]))

    def risk_for(self, target: Attribute) -> str:
        """The name of the risk for a target.

        Raises:
            InputError: it is for another kind of target.
        """
        name = USUAL[target.kind] if self.criterion == "auto" else self.criterion
        if RISKS[name].kind != target.kind:
            others = " or ".join(other for other, one in RISKS.items() if one.kind == target.kind)
            raise InputError(f"the target {target.name} is {target.kind}, and {name} is no risk of it; say {others}")
        return name

    # The tests, with the cost and the size of the best trees that begin with them.

    def candidates(self, sample: Sample, place: Place) -> Sequence[Candidate]:
        """Every test with the cost and the size of the best tree that begins with it, in table order.

        Source:
            [HyafilRivest1976], [NijssenFromont2007]
        """
        points = sample.points([attribute.name for attribute in place.attributes(sample.schema)])
        questions = self.affordable(self.questions(sample, place), len(points.rows))
        bars = [barring_rule(table, self.min_samples_leaf, sample.target.weight) for _, table in questions]
        risk = RISKS[self.risk_for(sample.schema.target)].of
        # Costs are computed for the tests that no rule bars: of the others no tree can begin.
        worths = self.worths(points, place, risk, [test for test, _ in questions], [bar is None for bar in bars])
        rated = zip(questions, bars, worths, strict=True)
        return _without_larger([_candidate(*asking, bar, worth, risk, self.alpha) for asking, bar, worth in rated])

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate, taken from all candidates: its worth depends on the tests below it."""
        points = sample.points(test.attributes)

        def parts(question: Test) -> set[int]:
            (found,) = parts_of([question], points)
            return set(found)  # either of the two sides can be the named one

        wanted, candidates = parts(test), self.candidates(sample, place)
        alike = (one for one in candidates if one.test.attributes == test.attributes and parts(one.test) == wanted)
        return next(alike, Candidate(test, sample.partition(test), ("saving",), "candidate"))

    def questions(self, sample: Sample, place: Place) -> Iterator[Asking]:
        """Every test of each available attribute, with its sample partition."""
        for attribute in place.attributes(sample.schema):
            if attribute.values is None:
                yield from cuts(sample, attribute.name)
            else:
                yield from branchings()[self.branching].askings(attribute, sample, all_subsets)

    def affordable(self, questions: Iterable[Asking], rows: int) -> list[Asking]:
        """The tests as a list; too many tests for the number of rows are refused.

        Args:
            questions: the tests, one after another.
            rows: the number of different rows.

        Raises:
            InputError: there are too many tests for so many rows.
        """
        # Each test is a bit mask of the rows. One test more than allowed shows that they are too many: the subsets of
        # many values need not all be made.
        most = LIMIT // rows
        tests = list(islice(questions, most + 1))
        if len(tests) > most:
            raise InputError(
                f"more than {most} tests of {rows} different rows are too many to find the best of all trees; "
                "leave attributes out with --without NAME, or let --learner cart look for a good one"
            )
        return tests

    def worths(
        self,
        points: Points,
        place: Place,
        risk: Callable[[Counts], Number],
        tests: Sequence[Test],
        may_be_asked: Sequence[bool],
    ) -> list[list[Worth]]:
        """For each test the cost and the size of the best tree of each branch; none if a rule bars it.

        The partitions below a node are those that its own tests make of fewer rows.
        """
        parts = parts_of(tests, points)
        bounds = (self.alpha, self.epsilon, self.min_samples_split, self.min_samples_leaf)
        subproblems = Subproblems(points.rows, parts, risk, points.target.weight, *bounds)
        # The levels that are left below the branches of this node, each of which is one deeper.
        levels = None if self.max_depth is None else self.max_depth - place.depth - 1
        splits = [
            [State(part, levels) for part in each if part and allowed]
            for each, allowed in zip(parts, may_be_asked, strict=True)
        ]
        worths = subproblems.solve(state for split in splits for state in split)
        return [[worths[state] for state in split] for split in splits]


def parts_of(tests: Sequence[Test], points: Points) -> list[list[int]]:
    """For each test the points of each outcome, as bit masks.

    Example:
        >>> from reference_tree.data.questions import Threshold
        >>> from reference_tree.data.textbook import textbook
        >>> points = textbook("li-hang-5.2").sample().points(["x"])
        >>> [f"{part:010b}" for part in parts_of([Threshold("x", 3)], points)[0]]
        ['0000000111', '1111111000']
    """
    rows = [
        {
            coordinate.attribute: cell if coordinate.value is None else coordinate.value
            for coordinate, cell in zip(points.coordinates, point, strict=True)
            if coordinate.value is None or cell  # for a categorical attribute, the coordinate that is 1
        }
        for point in points.values
    ]
    masks = []
    for test in tests:
        parts = [0] * len(test.outcomes)
        for place, row in enumerate(rows):
            branch = test.branch(row)
            assert branch is not None, "a value is missing"
            parts[branch] |= 1 << place
        masks.append(parts)
    return masks


def _candidate(
    test: Test,
    table: Partition,
    bar: RuleId | None,
    branches: Sequence[Worth],
    risk: Callable[[Counts], Number],
    alpha: Number,
) -> Candidate:
    """A test as a candidate, with the cost, the size and the saving of the best tree that begins with it."""
    costs, leaves = [worth.cost for worth in branches], [worth.leaves for worth in branches]

    def saving(table: Partition) -> Number:
        # The leaf's cost is computed from the table, so that a worked table shows it; the trees below stand with their
        # costs.
        return risk(tuple(by_class(table.rows))) + alpha - sum(costs, 0)

    measures: Mapping[str, TableScore] = {
        "cost": lambda table: _added(costs, table),
        "leaves": lambda table: _added(leaves, table),
        "saving": saving,
    }
    return Candidate(test, table, tuple(measures), bar, None, measures)


def _added(figures: Sequence[Number], table: Partition) -> Number:
    """The sum over the branches; of a worked table, with its terms."""
    is_worked = any(isinstance(cell, Worked) for row in table.rows for cell in row)
    return sum(map(work, figures) if is_worked else figures, 0)


def _without_larger(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; those that save most, but with more leaves than needed, are barred: the rule `more-leaves`."""
    # Equal savings are equal costs, and of these the search wants the smallest trees. A larger one stays a candidate,
    # barred by a rule of its own, so that an explanation can show it.
    cheapest = best([candidate for candidate in candidates if candidate.barred is None], attrgetter("score"))
    fewest = min((candidate.scores["leaves"] for candidate in cheapest), default=0)
    larger = {candidate.key for candidate in cheapest if candidate.scores["leaves"] > fewest}
    return [replace(one, barred="more-leaves") if one.key in larger else one for one in candidates]


def _check_complete(sample: Sample) -> None:
    """Refuse missing values: the costs here do not cover the routes of rows without a value."""
    if names := with_gaps(sample):
        raise InputError(
            f"values of {', '.join(names)} are missing, which the optimal tree has no rule for; "
            f"say --learner cart, or --without {names[0]}"
        )
