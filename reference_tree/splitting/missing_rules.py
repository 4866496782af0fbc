r"""Rules for missing values: the treatment of rows without the value that a test needs.

A rule decides two things, and is a record, a `MissingRule`, in a module of this folder. The learners, the descriptions
of their options and the command line are views of the records, so a new rule is one new file.

*The score of the test.* In the books it is that of the rows with a value, multiplied by their share of the weight
(`known`). Some programs count in the rows without one, divided over the branches (`spread`), or all of them in one
branch, the one that makes the test better (`better_side`).

*The route of such a row.* It goes down every branch by shares, to the side that a surrogate chooses, to one
branch, or nowhere, or it is refused.

In gradient boosting a test has a *default side*: all rows without the value take it, in training and in prediction. It
is learned: the test is scored with these rows on the left and on the right, and the better side is kept. `splits` are
the tests of an attribute, and `sent` adds the rows without the value to one side of a partition.

Source:
    [N2 §4.2 problem a], [N2 §4.2 problem b], [Breiman1984 §5.3]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, columns_option, option
from reference_tree.data.questions import REFUSED, Missing, Multiway, Surrogate, Test, Threshold
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import added, plus
from reference_tree.exact.rationals import Rational
from reference_tree.records import records
from reference_tree.splitting.binary_subsets import one_vs_rest, partition_of_present
from reference_tree.splitting.candidate import Asking, large_enough
from reference_tree.splitting.continuous_bisection import cuts
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.splitting.surrogates import Denominator, both_known, larger_side, surrogates
from reference_tree.twins import twin

LEFT, RIGHT = 0, 1


# A row without a value is on neither side yet: the learner scores the test with these rows on either side, and keeps
# the better one. Whether there is a value at all is a test of its own, where some rows have one and some have none.
def splits(sample: Sample, attribute: Attribute) -> Iterator[Asking]:
    """The tests of an attribute, each with its sample partition, whose `unknown` rows are on neither side yet.

    For a continuous attribute these are all cuts, thresholds ascending. If some rows have no value, the last test
    is whether there is one: its threshold is the largest value, so all rows with a value are on the left. For a
    categorical attribute each value is tried against all others.

    Args:
        sample: the rows at the node.
        attribute: the attribute of the tests.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"x": [1, 2, None], "y": ["no", "no", "yes"]})
        >>> [(test.name, found.rows, found.unknown) for test, found in splits(table.sample(), Attribute("x"))]
        [('x<=1.5', ((1, 0), (1, 0)), (0, 1)), ('x<=2', ((2, 0), (0, 0)), (0, 1))]

    Source:
        [ChenGuestrin2016 §3.1 algorithm 1], [ChenGuestrin2016 §3.4 algorithm 3]. Their attributes are continuous, and
        a category is a column of zeros and ones; a cut of it is one value against all others.
    """
    if attribute.values is not None:
        yield from one_vs_rest(attribute.name, partition_of_present(sample, attribute))
        return
    yield from cuts(sample, attribute.name)
    values, rows, unknown = sample.ordered(attribute.name)
    if any(unknown) and values:
        test = Threshold(attribute.name, values[-1])
        yield test, Partition(test.outcomes, (added(rows), (0,) * len(unknown)), unknown)


def sent(table: Partition, side: int) -> Partition:
    """A partition with the rows without the value on one side.

    Args:
        table: the sample partition.
        side: `LEFT` or `RIGHT`.

    Example:
        >>> sent(Partition((), ((1, 0), (1, 0)), (0, 1)), RIGHT).rows
        ((1, 0), (1, 1))

    Source:
        [ChenGuestrin2016 §3.4 algorithm 3]
    """
    # Nothing is unknown any more: the side is a part of the test from here on.
    rows = [plus(row, table.unknown) if place == side else row for place, row in enumerate(table.rows)]
    return Partition(table.outcomes, tuple(rows), (0,) * len(table.unknown))


Weight: TypeAlias = Callable[[Counts], Rational]
"""The weight of a row of a partition."""


class StandIns(NamedTuple):
    """The parameters of the search for surrogates, as for `splitting.surrogates.surrogates`."""

    denominator: Denominator = both_known
    minimum: Rational = 1
    most: int | None = None
    errors: Rational = 0
    seen: bool = False
    """Whether a value that no row with both values has is treated as unseen."""
    strict: bool = False
    """Whether thresholds are tested with `<`."""
    always: bool = False
    """Whether surrogates are sought even if all rows of the node have the value."""


class ChosenTest(NamedTuple):
    """A chosen test, with the facts that a rule may use."""

    sample: Sample
    """The rows at the node."""
    test: Test
    """The test."""
    table: Partition
    """Its sample partition."""
    counted: Partition
    """The partition by which it was scored, which may include the rows without the value."""
    weight: Weight
    """Gives the weight of a row of these tables."""
    search: StandIns
    """The parameters of the search for surrogates."""


Choice: TypeAlias = Callable[[Sequence[Partition]], Partition]
"""Chooses, among several partitions by one test, the one of largest score, the first of equal ones."""

Join: TypeAlias = Callable[[Partition, Choice, Weight, Rational], Partition]
"""Gives the partition that is scored, from that of the test; the last argument is the least weight of a branch."""
Way: TypeAlias = Callable[[ChosenTest], Missing]
"""Gives the route of a row without the value."""


# The score of a test.


def known(table: Partition, choose: Choice, weight: Weight, minimum: Rational) -> Partition:
    """The rows with a value; the measure multiplies the score by their share of the weight.

    Source:
        [N2 §4.2 problem a], [Zhou2016 §4.4.2]
    """
    return table


def spread(table: Partition, choose: Choice, weight: Weight, minimum: Rational) -> Partition:
    """Judge by all rows: those without a value are divided over the branches, by the shares of those with one.

    A test whose value few rows have looks worse, since the same mixture is added to all branches.
    """
    # The shares are of weights, which for moments and gradients is the first column alone.
    shares = branch_shares([[weight(row)] for row in table.rows])
    rows = (
        tuple(cell + share * lost for cell, lost in zip(row, table.unknown, strict=True))
        for row, share in zip(table.rows, shares, strict=True)
    )
    return Partition(table.outcomes, tuple(rows), (0,) * len(table.unknown))


def better_side(table: Partition, choose: Choice, weight: Weight, minimum: Rational) -> Partition:
    """Judge by all rows: those without a value all take the branch that makes it better; on a tie, the last.

    A branch for which a side is too small is no choice; if there is no other, the test is barred. To separate the rows
    with a value from those without is no test here.
    """
    # From the last branch on, for `choose` keeps the first of equal ones.
    joined = [sent(table, branch) for branch in reversed(range(len(table.rows)))]
    fit = [table for table in joined if large_enough(map(weight, table.rows), minimum)]
    return choose(fit) if fit else joined[0]


# The route of a row without the value.


def by_shares(chosen: ChosenTest) -> Missing:
    """Down every branch, weighted by the share r̃_v of the rows that took it.

    Source:
        [N2 §4.2 weights], [Zhou2016 §4.4.2]
    """
    return Missing(shares=tuple(branch_shares([[chosen.weight(row)] for row in chosen.table.rows])))


def by_surrogates(chosen: ChosenTest) -> Missing:
    """To the side that the first surrogate with a known value chooses, else to the larger side, else nowhere.

    Only a test of two branches has surrogates.

    Source:
        [Breiman1984 §5.3.2]. It leaves open the route of a row if both sides are equally large; here it stays.
    """
    to = larger_side(chosen.table, chosen.weight)
    # No row of the node needs a stand-in, and the search would cost as much as the tests themselves; the larger side is
    # known anyway.
    if len(chosen.table.rows) != 2 or not (chosen.search.always or any(chosen.table.unknown)):
        return Missing(to=to, stays=to is None)
    found = surrogates(chosen.sample, chosen.test, *chosen.search[:5])
    return Missing(surrogates=tuple(_made_strict(one, chosen.search.strict) for one in found), to=to, stays=to is None)


def to_the_larger_branch(chosen: ChosenTest) -> Missing:
    """To the branch of most known weight, the first of equal ones."""
    weights = [chosen.weight(row) for row in chosen.table.rows]
    return Missing(to=weights.index(max(weights)))


def nowhere(chosen: ChosenTest) -> Missing:
    """Nowhere: the row gets the prediction of the node."""
    return Missing(stays=True)


def refused(chosen: ChosenTest) -> Missing:
    """No route: a row without the value is an error, here and in prediction."""
    return REFUSED


def to_the_better_side(chosen: ChosenTest) -> Missing:
    """To the branch for which the test was judged; if all rows have the value, to the branch of most weight."""
    # The branch that weighs more than its known rows got the others: the choice is read off, and not made again.
    gained = [counted != known for counted, known in zip(chosen.counted.rows, chosen.table.rows, strict=True)]
    return Missing(to=gained.index(True)) if any(gained) else to_the_larger_branch(chosen)


def refuse_gaps(sample: Sample) -> None:
    """Refuse missing values before anything is grown: the rule `error`.

    Raises:
        InputError: a value is missing in a row of the sample.
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
    """The counts of the rows without a value of an attribute, which have no outcome of its tests."""
    # Any test of the attribute will do: a row without the value has no outcome in each.
    test = Threshold(attribute.name, 0) if attribute.values is None else Multiway.on(attribute)
    return sample.partition(test).unknown


# The two halves can be combined freely: `join` says what is scored in training, `way` where a row goes then and later.
@dataclass(frozen=True, eq=False, kw_only=True)
class MissingRule:
    """A rule: the score of a test, and the route of rows without the value.

    Args:
        name: the name that a tree document records.
        words: what becomes of a row without the value, and how it counts if it does.
        way: its route.
        join: the partition that is scored.
        check: refuses a sample at the root to which the rule does not apply.
    """

    name: str
    words: str
    way: Way
    join: Join = known
    check: Callable[[Sample], None] = lambda sample: None


MissingName: TypeAlias = Literal["surrogates", "fractions", "branch", "stay", "error", "spread", "better-side"]

SURROGATES = MissingRule(
    name="surrogates",
    words="goes to the side of the first surrogate whose value is known, else to the larger side",
    way=by_surrogates,
)
FRACTIONS = MissingRule(name="fractions", words="goes down every branch, by shares", way=by_shares)
BRANCH = MissingRule(
    name="branch", words="takes the branch of most known weight, the first of equal ones", way=to_the_larger_branch
)
STAY = MissingRule(name="stay", words="goes nowhere, and gets the prediction of the node", way=nowhere)
ERROR = MissingRule(name="error", words="is refused", way=refused, check=refuse_gaps)
SPREAD = MissingRule(
    name="spread", words="goes down every branch, by shares, and counts there", way=by_shares, join=spread
)
BETTER_SIDE = MissingRule(
    name="better-side",
    words="counts on the side that makes the test better, and goes there",
    way=to_the_better_side,
    join=better_side,
)


@cache
def missing_rules() -> Mapping[str, MissingRule]:
    """All records of this folder, by name; those of this module come first.

    Example:
        >>> missing_rules()["stay"].words
        'goes nowhere, and gets the prediction of the node'
    """
    return {rule.name: rule for rule in records(MissingRule, first="missing_rules")}


def _made_strict(surrogate: Surrogate, strict: bool) -> Surrogate:
    if isinstance(surrogate.test, Threshold) and strict:
        return surrogate._replace(test=replace(surrogate.test, strict=True))
    return surrogate
