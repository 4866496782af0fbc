r"""Contenders: what C4.5 and its relatives compare, and who of them wins.

A question passes three gates before it is asked:

1. An attribute sends the best of its questions: the only one a categorical attribute has, the cuts of largest *gain* of
   a continuous one (`Group`). Where a dialect charges for cuts, the charge has been taken off (`Contender`).
2. A rule says whose gain is large enough to compete by the *ratio*: `above_average`, `near_average` or `everyone`.
3. The largest ratio wins, whichever of its tied questions each attribute sends (`possible_winners`); `first_kept` is
   the one to be asked, the first of equals.

Two numbers are compared by their bounds, which are integers, and exactly only where these overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from reference_tree.data.schema import Schema
from reference_tree.exact.choosing import Bounds, best, mixture, multiset, near_best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.long_numbers import floor_of
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.candidate import MEASURES, Candidate
from reference_tree.splitting.missing_values import (
    SplitInformation,
    split_information_of_known,
    split_information_with_unknown,
)
from reference_tree.splitting.ratio_bounds import UNIT, cost_bounds, gain_bounds, quotient

Score: TypeAlias = Literal["net_gain", "split_information", "ratio"]
"""What contenders are compared by."""

UNSCORED = frozenset({"candidate", "min-samples-leaf", "cut-gap"})
"""The rules that bar a question from being scored at all: it is none, or not tried."""

TOLERANCE = Fraction(1, 1000)
"""How far below the average Quinlan's program and Weka's let a gain fall (decision c45.average)."""

MANY_VALUES = Fraction(3, 10)
"""An attribute has very many values if they are at least this share of the weight of the table."""


@dataclass(frozen=True)
class Contender(Candidate):
    r"""A candidate with what a dialect charges for it.

    $$\mathrm{gain}_{\mathrm{net}}(D, A) = \mathrm{Gain}(D, A) - \mathrm{penalty}, \qquad
    \mathrm{ratio}(D, A) = \frac{\mathrm{gain}_{\mathrm{net}}(D, A)}{\mathrm{IV}(A)}$$

    Args:
        split_information: the opinion of what the cutting costs where answers are missing.
        penalty: what is taken off the gain; none: nothing, and the scores do not mention it.

    Example:
        >>> from reference_tree.data.questions import Threshold
        >>> from reference_tree.data.sample import Partition
        >>> table = Partition((), ((2, 0), (0, 2)), (0, 0))
        >>> Contender(Threshold("x", 2), table, ("gain",), penalty=Fraction(1, 4)).scores["net_gain"]
        3/4

    Source:
        [Quinlan1996 §3]
    """

    split_information: SplitInformation = split_information_of_known
    penalty: Number | None = None

    @cached_property
    def scores(self) -> Mapping[str, Number]:
        """Name → exact score; none for what is barred before anything is computed."""
        if self.barred in UNSCORED:
            return {}
        gain = self._gain
        cost = self.split_information(self.table.rows, self.table.unknown)
        if self.penalty is None:
            return {"gain": gain, "split_information": cost, "ratio": gain / cost}
        net = gain - self.penalty
        paid = {"penalty": self.penalty, "net_gain": net}
        return {"gain": gain, **paid, "split_information": cost, "ratio": net / cost}

    @property
    def net_gain(self) -> Number:
        """The gain, less the penalty if there is one."""
        return self.scores["gain" if self.penalty is None else "net_gain"]

    def score(self, name: Score) -> Number:
        """What it is compared by. Of a single class there is nothing to learn, which takes no logarithms to say."""
        if self.penalty is None and name != "split_information" and self._is_of_one_class:
            return 0
        if self.penalty is None and name == "net_gain":
            return self._gain
        return self.net_gain if name == "net_gain" else self.scores[name]

    @cached_property
    def _gain(self) -> Number:
        return MEASURES["gain"](self.table)

    @cached_property
    def _is_of_one_class(self) -> bool:
        """Whether all rows that answer are of one class; then they are in every part."""
        return sum(1 for cells in zip(*self.table.rows, strict=True) if any(cells)) <= 1

    @cached_property
    def weight(self) -> Rational:
        """|D|, the weight of all rows at the node."""
        return sum(map(sum, self.table.rows)) + sum(self.table.unknown)

    @cached_property
    def signature(self) -> Hashable:
        """What all scores follow from. Of the contenders of one node those with the same have the same scores."""
        unknown = sum(self.table.unknown)
        classes = multiset([tuple(map(sum, zip(*self.table.rows, strict=True)))]) if unknown else ()
        return multiset(self.table.rows), classes, unknown, id(self.penalty), self.split_information

    @cached_property
    def gain_bounds(self) -> Bounds:
        """|D| times the net gain."""
        low, high = gain_bounds(self.table)
        if self.penalty is None:
            return Bounds(low, high)
        least, most, scale = self.penalty.enclosure(UNIT.bit_length())
        # The penalty is not negative; |D| is between `below` and `below` + 1 units of 2^-128.
        below = floor_of(self.weight, 2 * UNIT.bit_length())
        units = scale << 2 * UNIT.bit_length()
        return Bounds(low - -(-most * UNIT * (below + 1) // units), high - max(least, 0) * UNIT * below // units)

    @cached_property
    def cost_bounds(self) -> Bounds:
        """|D| times the split information."""
        return cost_bounds(self.table, with_unknown=self.split_information is split_information_with_unknown)

    @cached_property
    def ratio_bounds(self) -> Bounds:
        """The ratio."""
        return quotient(self.gain_bounds, self.cost_bounds)

    def bounds(self, name: Score) -> Bounds:
        """The enclosure of a score, in a unit that all contenders of a node share."""
        if name == "ratio":
            return self.ratio_bounds
        return self.gain_bounds if name == "net_gain" else self.cost_bounds

    def unit(self, name: Score) -> Rational:
        """What 1 is in that unit."""
        return UNIT if name == "ratio" else UNIT * self.weight


Group: TypeAlias = Sequence[Contender]
"""The contenders that one attribute may send; the first one is sent if nobody says otherwise."""


class Setting(NamedTuple):
    """What a rule may know besides the contenders."""

    schema: Schema
    weight: Callable[[], Rational]
    """The weight of the whole table, if it is asked for."""


Contenders: TypeAlias = Callable[[Sequence[Group], Setting], tuple[Sequence[Group], Mapping[str, Number]]]
"""A rule that says which attributes may compete by their ratio, and on what figures that rests."""


# Comparing two.


def exceeds(one: Contender, other: Contender, score: Score, by: Rational = 0) -> bool:
    """Whether one contender beats another one of the same node by more than a margin.

    Args:
        one: the contender.
        other: the one it has to beat.
        score: by which.
        by: the margin, not negative.
    """
    mine, its = one.bounds(score), other.bounds(score)
    margin = by * one.unit(score) if by else 0
    if mine.low >= its.high + margin:
        return True
    if mine.high <= its.low + margin or one.signature == other.signature:
        return False
    return bool(_difference(one, other, score) > by if by else one.score(score) > other.score(score))


def _difference(one: Contender, other: Contender, score: Score) -> Number:
    return one.score(score) - other.score(score)


def is_more_than(one: Contender, score: Score, bound: Rational) -> bool:
    """Whether a score is above a rational bound."""
    low, high = one.bounds(score)
    margin = bound * one.unit(score)
    return low > margin or (high > margin and bool(one.score(score) > bound))


# The best question of an attribute.


def best_of(contenders: Sequence[Contender], score: Score) -> list[Contender]:
    """All contenders of one attribute with the largest score, in their order."""
    near = near_best(contenders, lambda contender: contender.bounds(score))
    # The cuts of one attribute part the same rows, which cost the same; so what they leave mixed says what they gain.
    leaves = score == "net_gain" and len({id(contender.penalty) for contender in near}) == 1
    alike = (lambda one: mixture(one.table.rows)) if leaves else (lambda one: one.signature)
    return best(near, lambda contender: contender.score(score), alike)


def first_kept(contenders: Iterable[Contender], score: Score, slack: Rational) -> Contender:
    """The contender that is left of a walk in which each has to beat the one before it by more than the slack.

    Without any slack it is the first of the best. With some it may be a little worse than the best; then which one it
    is depends on all that came before.

    Example:
        >>> from reference_tree.data.questions import Threshold
        >>> from reference_tree.data.sample import Partition
        >>> tables = [((1, 3), (3, 1)), ((0, 4), (4, 0))]
        >>> walk = [Contender(Threshold("x", i), Partition((), table, (0, 0)), ()) for i, table in enumerate(tables)]
        >>> first_kept(walk, "ratio", 0).test.threshold, first_kept(walk, "ratio", 1).test.threshold
        (1, 0)
    """
    walk = iter(contenders)
    kept = next(walk)
    for contender in walk:
        if exceeds(contender, kept, score, slack):
            kept = contender
    return kept


# Who may compete by the ratio.


def average_gain(groups: Sequence[Group]) -> Number:
    r"""The mean of the attributes' gains, each counted once.

    $$\overline{g} = \frac{1}{m} \sum_{a} \mathrm{Gain}(D, a)$$

    Source:
        [N0 EN §3.2 notice], [N2 §2.2 average], [Quinlan1993 §2.2]
    """
    return sum(group[0].net_gain for group in groups) * Fraction(1, len(groups))


def everyone(groups: Sequence[Group], setting: Setting) -> tuple[Sequence[Group], Mapping[str, Number]]:
    """All attributes: the plain gain ratio.

    Source:
        [N1 §1.5 step 3], [LiHang2019 §5.3.2]. N0 gives both rules, this one first, and does not choose.
    """
    return groups, {}


def above_average(groups: Sequence[Group], setting: Setting) -> tuple[Sequence[Group], Mapping[str, Number]]:
    """The attributes whose gain is at least the average.

    Source:
        [N0 EN §3.2 notice], [N2 §2.2 average], [Quinlan1993 §2.2]. N0, N2 and Zhou say *above* the average, which lets
        nobody through when all gains are equal; Quinlan says at least (decision c45.average). N0 takes the larger of
        the ratios, where the largest is meant.
    """
    return _reaching(groups, groups, 0)


def near_average(groups: Sequence[Group], setting: Setting) -> tuple[Sequence[Group], Mapping[str, Number]]:
    """The attributes whose gain is at least the average less 1/1000, an average of ordinary attributes.

    An attribute whose values are as many as three tenths of the rows of the table raises the average beyond what
    others can reach, so its gain is left out; unless all attributes of the table are such. It can win all the same. If
    nobody is left to average over, nobody competes.

    Source:
        [Quinlan1993 §2.2]; the tolerance and the very many values are in the programs alone, release 8 and J48. Both
        count the rows of the table, whatever they weigh. Here it is the weight, as everywhere: a row of weight 2 is as
        good as two rows.
    """
    usual = ordinary(setting)
    counted = [group for group in groups if group[0].test.attribute in usual]
    return _reaching(groups, counted, TOLERANCE) if counted else ([], {})


def ordinary(setting: Setting) -> frozenset[str]:
    """The attributes that do not have very many values, by the weight of the table; all of them, if all have."""
    categorical = [a for a in setting.schema.attributes if a.kind == "categorical"]
    most = MANY_VALUES * setting.weight() if categorical else 0
    many = {attribute.name for attribute in categorical if len(attribute.domain) >= most}
    names = frozenset(attribute.name for attribute in setting.schema.attributes)
    return names if len(many) == len(names) else names - many


CONTENDERS: Mapping[str, Contenders] = {
    "above-average": above_average,
    "near-average": near_average,
    "everyone": everyone,
}
"""The rules by the names under which a tree document records them."""


class _Average(Mapping[str, Number]):
    """The evidence of an average, which is computed if somebody looks at it."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self._groups = groups

    def __getitem__(self, rule: str) -> Number:
        if rule != "average":
            raise KeyError(rule)
        return self.value

    @cached_property
    def value(self) -> Number:
        """The average."""
        return average_gain(self._groups)

    def __iter__(self) -> Iterator[str]:
        return iter(("average",))

    def __len__(self) -> int:
        return 1


def _reaching(
    groups: Sequence[Group], counted: Sequence[Group], tolerance: Rational
) -> tuple[Sequence[Group], Mapping[str, Number]]:
    """The groups whose gain is at least the average of some of them, less a tolerance."""
    average = _Average(counted)
    low = sum(group[0].gain_bounds.low for group in counted)
    high = sum(group[0].gain_bounds.high for group in counted)
    m = len(counted)
    less = m * tolerance * UNIT * groups[0][0].weight if tolerance else 0
    if m == len(groups) and len({group[0].signature for group in groups}) == 1:
        return groups, average  # equal numbers are as large as their average

    def reaches(group: Group) -> bool:
        mine = group[0].gain_bounds
        if m * mine.low >= high - less:
            return True
        if m * mine.high <= low - less:
            return False
        return bool(group[0].net_gain >= average.value - tolerance)

    return [group for group in groups if reaches(group)], average


# Who wins.


def possible_winners(groups: Sequence[Group], slack: Rational = 0) -> tuple[Contender, ...]:
    """The contenders of largest ratio, whichever of its tied questions each attribute sends.

    One can win if no other attribute is *bound* to beat it, that is, if its ratio is at least the smallest that each
    other one could come with. The first one given is the one to be taken if nobody says otherwise: the first question
    stands for its attribute, and the first attribute is taken of equals. With some slack that one need not be among
    the best; it is listed all the same.
    """
    usual = first_kept((group[0] for group in groups), "ratio", slack)
    floor = max(min(one.ratio_bounds.low for one in group) for group in groups)  # who is below it, is beaten
    winners = [
        contender
        for place, group in enumerate(groups)
        for contender in group
        if contender.ratio_bounds.high > floor
        and all(_can_beat(contender, other) for at, other in enumerate(groups) if at != place)
    ]
    return (usual, *(winner for winner in winners if winner is not usual))


def _can_beat(contender: Contender, others: Group) -> bool:
    """Whether its ratio is at least the smallest of some others."""
    return any(not exceeds(other, contender, "ratio") for other in others)
