r"""Rules for missing values: what a learner does about rows that do not answer its question.

Two things have to be settled, and a rule of this module settles both.

*How the question is judged.* By the rows that answer it, to the extent of their weight (`known`). Some programs count
the others in (`reference_tree.dialects.counted_in`).

*Where such a row then goes.* Down every branch by shares, to the side that a surrogate question says, to one branch,
nowhere, or it is refused.

| rule | judged by | a row without an answer |
|:--|:--|:--|
| `surrogates` | known | goes to the side that its first answered surrogate says, else to the larger side |
| `fractions` | known | goes down every branch, by shares |
| `branch` | known | takes the branch of most known weight, the first of equals |
| `stay` | known | goes nowhere, and is answered by the node |
| `error` | - | is refused |

Source:
    [N2 §4.2 problem a], [N2 §4.2 problem b], [Breiman1984 §5.3]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, columns_option, option
from reference_tree.data.missing import REFUSED, Missing, Surrogate
from reference_tree.data.questions import Multiway, Test, Threshold
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.splitting.surrogates import Denominator, both_known, larger_side, surrogates
from reference_tree.twins import twin

Weight: TypeAlias = Callable[[Counts], Rational]
"""What a row of a partition weighs."""


class StandIns(NamedTuple):
    """How surrogates are sought: the arguments of `splitting.surrogates.surrogates`."""

    denominator: Denominator = both_known
    minimum: Rational = 1
    most: int | None = None
    errors: Rational = 0
    seen: bool = False
    """As for `surrogates`: whether a value that no row with both answers has is treated as unseen."""
    strict: bool = False
    """Whether thresholds are asked with `<`."""
    always: bool = False
    """Whether they are sought also where all rows of the node answer the question."""


class ChosenTest(NamedTuple):
    """A question that is to be asked, and what a rule may know of it."""

    sample: Sample
    """The rows at the node."""
    test: Test
    """The question."""
    table: Partition
    """Its sample partition."""
    counted: Partition
    """The same with the rows counted in that do not answer, if they are."""
    weight: Weight
    """Of a row of these tables."""
    search: StandIns
    """How surrogates are sought."""


Choice: TypeAlias = Callable[[Sequence[Partition]], Partition]
"""Chooses, of several partitions by one question, that of the largest score, the first of equals."""

Join: TypeAlias = Callable[[Partition, Choice, Weight, Rational], Partition]
"""From the partition by a question, the one that is measured; the last argument is the least weight of a branch."""
Way: TypeAlias = Callable[[ChosenTest], Missing]
"""Where a row without an answer goes."""


def no_check(sample: Sample) -> None:
    """Accept every sample."""


class MissingRule(NamedTuple):
    """A rule: how questions are judged, and where rows without an answer go."""

    join: Join
    way: Way
    check: Callable[[Sample], None] = no_check
    """Refuses a sample at the root that the rule is not for."""


# How a question is judged.


def known(table: Partition, choose: Choice, weight: Weight, minimum: Rational) -> Partition:
    """By the rows that answer; the measure multiplies the score by their share of the weight.

    Source:
        [N2 §4.2 problem a], [Zhou2016 §4.4.2]
    """
    return table


# Where a row goes.


def by_shares(chosen: ChosenTest) -> Missing:
    """Down every branch, to the share r̃_v of the rows that took it.

    Source:
        [N2 §4.2 weights], [Zhou2016 §4.4.2]
    """
    return Missing(shares=tuple(branch_shares([[chosen.weight(row)] for row in chosen.table.rows])))


def by_surrogates(chosen: ChosenTest) -> Missing:
    """To the side that the first answered surrogate says, else to the larger side, else nowhere.

    Only a question of two branches has surrogates.

    Source:
        [Breiman1984 §5.3.2]. It does not say what becomes of a row where both sides are equally large; in rpart it
        stays.
    """
    to = larger_side(chosen.table, chosen.weight)
    if len(chosen.table.rows) != 2 or not (chosen.search.always or any(chosen.table.unknown)):
        return Missing(to=to, stays=to is None)
    found = surrogates(chosen.sample, chosen.test, *chosen.search[:5])
    return Missing(surrogates=tuple(_made_strict(one, chosen.search.strict) for one in found), to=to, stays=to is None)


def to_the_larger_branch(chosen: ChosenTest) -> Missing:
    """To the branch of most known weight, the first of equals."""
    weights = [chosen.weight(row) for row in chosen.table.rows]
    return Missing(to=weights.index(max(weights)))


def nowhere(chosen: ChosenTest) -> Missing:
    """Nowhere: the node answers."""
    return Missing(stays=True)


def refused(chosen: ChosenTest) -> Missing:
    """A row without an answer is an error, here and in prediction."""
    return REFUSED


def refuse_gaps(sample: Sample) -> None:
    """What the rule `error` does before anything is grown.

    Raises:
        InputError: a row of the sample does not answer some question.
    """
    if names := with_gaps(sample):
        raise InputError(
            f"values of {', '.join(names)} are missing, which {option('missing', 'error')} refuses; say "
            f"another rule, or {columns_option('without', names[0])}"
        )


def with_gaps(sample: Sample) -> list[str]:
    """The attributes that are missing in some row of the sample."""
    return [attribute.name for attribute in sample.schema.attributes if any(without_value(sample, attribute))]


@twin
def without_value(sample: Sample, attribute: Attribute) -> Counts:
    """The row of those that have no value of an attribute: what any question about it leaves open."""
    test = Threshold(attribute.name, 0) if attribute.values is None else Multiway.on(attribute)
    return sample.partition(test).unknown


MISSING: dict[str, MissingRule] = {
    "surrogates": MissingRule(known, by_surrogates),
    "fractions": MissingRule(known, by_shares),
    "branch": MissingRule(known, to_the_larger_branch),
    "stay": MissingRule(known, nowhere),
    "error": MissingRule(known, refused, refuse_gaps),
}
"""The rules by the names under which a tree document records them; `reference_tree.dialects` adds those of programs."""


def _made_strict(surrogate: Surrogate, strict: bool) -> Surrogate:
    if isinstance(surrogate.test, Threshold) and strict:
        return surrogate._replace(test=replace(surrogate.test, strict=True))
    return surrogate
