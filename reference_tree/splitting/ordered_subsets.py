"""Ordered subsets: Breiman's shortcut to the best set of values.

The best of all sets of q values is one of 2^(q-1) - 1 tests (`splitting.binary_subsets`). If every value can be
represented by one number, q - 1 tests are enough.

1. `ordered_subsets` sorts the values by the share of one class, or by the mean of a numeric target, and tries the cuts
   of that order. `ordering_holds` says where no winner is lost.
2. `subset_splits` takes the shortcut where it holds, for more classes that of `splitting.corner_subsets`, and every
   subset elsewhere.
3. `promising_subsets` is what a learner compares, where the engine has a fast form.
4. `listed_subsets` are the tests that a decision lists beside the winners: every subset, up to `LIMIT` values.

Source:
    [Breiman1984 §4.2], [Fisher1958], [HastieTibshiraniFriedman2009 §9.2.4]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, groupby
from operator import itemgetter

from reference_tree.data.errors import InputError, option
from reference_tree.data.sample import Partition
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.measures.conditional_entropy import conditional_distribution
from reference_tree.measures.variance import Moments, mean
from reference_tree.splitting.binary_subsets import (
    LIMIT,
    Grouping,
    Side,
    all_subsets,
    groupings,
    number_of_values,
    one_vs_rest,
    values_of,
)
from reference_tree.splitting.corner_subsets import STRICTLY_CONCAVE, corner_subsets, corners_hold
from reference_tree.twins import twin

VARIANCE = "variance_reduction"
"""The measure of numeric targets: the rows of its tables are `Moments`, those of all other measures class counts."""


def ordered_subsets(attribute: str, table: Partition, measure: str) -> Iterator[Grouping]:
    r"""The cuts of the values of an attribute, sorted by one number for each value.

    $$P(C_j \mid A = a_1) \leq P(C_j \mid A = a_2) \leq \dots \qquad\text{or}\qquad \bar y_1 \leq \bar y_2 \leq \dots$$

    There is no cut between values of the same number: no winner separates them. If all values have the same number, no
    test is informative, and all are equally good: then all are listed, or beyond `LIMIT` values those of
    `one_vs_rest`.

    Args:
        attribute: the name of the attribute.
        table: its multiway sample partition.
        measure: the measure that scores the tests. For `VARIANCE` the number is the mean of the target, for all
            others the share of a class, C_j being the last one present.

    Returns:
        At most q - 1 tests for q values that are present, in the order of their bit masks. Where `ordering_holds`,
        every winner among `all_subsets` is one of them; the *second* best need not be.

    Example:
        >>> from reference_tree.data.outcomes import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in ("overcast", "rainy", "sunny"))
        >>> outlook = Partition(outcomes, ((0, 4), (2, 3), (3, 2)), unknown=(0, 0))
        >>> [test.name for test, _ in ordered_subsets("outlook", outlook, "gain")]      # yes: 2/5 sunny, 3/5 rainy, 1
        ['outlook in {overcast}', 'outlook in {overcast, rainy}']

    Source:
        [Breiman1984 §4.2] for two classes, [Fisher1958] for numbers, [HastieTibshiraniFriedman2009 §9.2.4] for both
    """
    values = values_of(table)
    # Values of the same number are joined: no winner separates them.
    ranked = groupby(numbered(values, measure), key=itemgetter(0))
    levels = [reduce(Side.joined, (value for _, value in level)) for _, level in ranked]
    if len(levels) < 2:
        return all_subsets(attribute, table) if len(values) <= LIMIT else one_vs_rest(attribute, table)
    return cuts_of_order(attribute, table, levels)


def ordering_holds(table: Partition, measure: str, minimum: Rational = 1) -> bool:
    """Whether every winner among all subsets is a cut of the order of `ordered_subsets`.

    Three conditions are needed:

    - *One number for each value.* The rows count at most two classes, or moments. With three classes a value is a point
      of a plane, and there is no order (`splitting.corner_subsets` has what takes its place).
    - *A strictly concave impurity*, such as entropy, Gini and the variance (with n). The misclassification error is
      concave, but not strictly: some winner is a cut of the order, and another may not be. The absolute error and the
      variance with n - 1 are not concave functions of the number at all.
    - *No rule that bars small branches*; otherwise a cut of the order may be barred while another subset passes. The
      rule has no effect if each value alone weighs enough.

    Missing values change nothing: with the same rows unknown, all subsets of an attribute have the same ρ.

    Args:
        table: the multiway sample partition of an attribute.
        measure: the measure that scores the tests, as candidates name it.
        minimum: the least weight of a branch.

    Example:
        >>> two, three = Partition((), ((1, 3), (2, 2)), (0, 0)), Partition((), ((1, 3, 0), (2, 2, 1)), (0, 0, 0))
        >>> ordering_holds(two, "gain"), ordering_holds(two, "gain", minimum=5), ordering_holds(three, "gain")
        (True, False, False)

    Source:
        [Breiman1984 §4.2], [Fisher1958], [HastieTibshiraniFriedman2009 §9.2.4]
    """
    # Proof. A value v is the vector x_v = (w, w·P) of its weight w and its number P, and a side is the sum x of its
    # values. So all sides lie in the polytope Z = {Σ t_v·x_v : 0 ≤ t_v ≤ 1}, and each corner of Z is a side, the empty
    # one (0) and the full one (X) among them.
    #
    # By weight, the impurity φ falls by d(x) = f(X) - f(x) - f(X - x), where f(w, w·P) = w·φ(P). As φ is strictly
    # concave, f is linear along a line through 0 and strictly concave along any other. So d is convex along every line,
    # and strictly so along all but the one through 0 and X, where it is 0. For the ratio, whose maximum r is positive,
    # d(x) - r·s(x) takes the place of d(x): s, the split information by weight, is a strictly concave function of w. It
    # is 0 for the winners, and for no side more: s(0) and s(X) are 0, or positive with "unknown" as an outcome.
    #
    # A winner x with a positive score is a maximum over all sides, hence over the corners, and as d is convex, over Z.
    # As d is strictly convex but for that one line, x lies inside no segment of Z: it is a corner. Suppose that c is
    # outside, a and b are inside (perhaps a = b), and P_a ≤ P_c ≤ P_b. Then x_c = α·x_a + β·x_b with α, β ≥ 0, and a
    # small step from x along x_c stays in Z: forward by taking in a little of c, backward by giving up a little of a
    # and b. So x is no corner after all. The same holds with the sides exchanged. Hence all numbers inside are smaller
    # than all outside, or all are larger: a winner is a cut, and separates no equal numbers.
    #
    # If the best score is 0, then so is that of each value against the rest, and all numbers are equal.
    if measure not in STRICTLY_CONCAVE:
        return False
    classes = [any(column) for column in zip(*table.rows, strict=True)]
    weights = [row[0] if measure == VARIANCE else sum(row) for row in table.rows if any(row)]
    return (measure == VARIANCE or sum(classes) <= 2) and all(weight >= minimum for weight in weights)


def subset_splits(attribute: str, table: Partition, measure: str, minimum: Rational = 1) -> Iterator[Grouping]:
    """Tests that include every winner of `all_subsets`: cuts of the order or corners where these hold, or all.

    Args:
        attribute: the name of the attribute.
        table: its multiway sample partition.
        measure: the measure that scores the tests.
        minimum: the least weight of a branch.

    Returns:
        The tests of `ordered_subsets` where `ordering_holds`, those of `corner_subsets` where `corners_hold`,
        otherwise all; in the order of their bit masks.

    Raises:
        InputError: neither holds, and more than `LIMIT` values are present.

    Example:
        >>> from reference_tree.data.outcomes import Outcome
        >>> outcomes = tuple(Outcome("is", str(value)) for value in range(40))
        >>> id_column = Partition(outcomes, ((0, 1), (1, 0)) * 20, unknown=(0, 0))
        >>> [table.rows for _, table in subset_splits("id", id_column, "gini_index")]       # a single cut: pure
        [((0, 20), (20, 0))]

    Source:
        [Breiman1984 §4.2]
    """
    if ordering_holds(table, measure, minimum):
        return ordered_subsets(attribute, table, measure)
    if measure != VARIANCE and corners_hold(table, measure, minimum):
        return corner_subsets(attribute, table)
    return _every_subset(attribute, table, measure)


def _every_subset(attribute: str, table: Partition, measure: str) -> Iterator[Grouping]:
    """The tests of `all_subsets`; where they are too many, the refusal says if a bound alone is the obstacle."""
    try:
        return all_subsets(attribute, table)
    except InputError as error:
        if not (ordering_holds(table, measure, minimum=0) or corners_hold(table, measure, minimum=0)):
            raise
        advice = f"or leave out {option('min_samples_leaf')}, without which fewer subsets would do"
        raise InputError(f"{error.message}; {advice}") from None


@twin
def promising_subsets(
    attribute: str, table: Partition, measure: str, minimum: Rational = 1, numbers: Sequence[Rational] = ()
) -> Iterator[Grouping]:
    """Tests that include every winner of `all_subsets`: those of `subset_splits`; others may be left out.

    Args:
        attribute: the name of the attribute.
        table: its multiway sample partition.
        measure: the measure that scores the tests.
        minimum: the least weight of a branch.
        numbers: the numbers of the columns, where rows are counted by their number.

    Example:
        >>> from reference_tree.data.outcomes import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in ("overcast", "rainy", "sunny"))
        >>> outlook = Partition(outcomes, ((0, 4), (2, 3), (3, 2)), unknown=(0, 0))
        >>> [test.name for test, _ in promising_subsets("outlook", outlook, "gain")][0]
        'outlook in {overcast}'

    Source:
        [Breiman1984 §4.2]
    """
    return subset_splits(attribute, table, measure, minimum)


def listed_subsets(attribute: str, table: Partition, measure: str, minimum: Rational = 1) -> Iterator[Grouping]:
    """The tests that a decision lists: those of `all_subsets` up to `LIMIT` values, of `subset_splits` beyond it.

    The winners are among few tests (`subset_splits`). Their margin shows only beside all others, as the second best
    need not be a cut of the order.

    Args:
        attribute: the name of the attribute.
        table: its multiway sample partition.
        measure: the measure that scores the tests.
        minimum: the least weight of a branch.

    Raises:
        InputError: the ordering does not hold, and more than `LIMIT` values are present.

    Example:
        >>> from reference_tree.data.outcomes import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in ("overcast", "rainy", "sunny"))
        >>> outlook = Partition(outcomes, ((0, 4), (2, 3), (3, 2)), unknown=(0, 0))
        >>> len(list(subset_splits("outlook", outlook, "gain"))), len(list(listed_subsets("outlook", outlook, "gain")))
        (2, 3)

    Source:
        [Breiman1984 §4.2]
    """
    within = number_of_values(table) <= LIMIT
    return all_subsets(attribute, table) if within else subset_splits(attribute, table, measure, minimum)


def numbered(values: list[Side], measure: str) -> list[tuple[Number, Side]]:
    """The values with their numbers, sorted by number; equal numbers in the order of their masks."""
    if measure == VARIANCE:
        return sorted((mean(Moments(*value.row)), value) for value in values)
    column = max((place for _, row in values for place, cell in enumerate(row) if cell), default=0)
    return sorted((conditional_distribution(value.row)[column], value) for value in values)


def cuts_of_order(attribute: str, table: Partition, order: Iterable[Side]) -> Iterator[Grouping]:
    """The tests that cut an order. Of the two sides the one without the last value has the smaller mask."""
    *cuts, whole = accumulate(order, Side.joined)
    return groupings(attribute, table, sorted(min(cut, whole.without(cut)) for cut in cuts))
