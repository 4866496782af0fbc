r"""Binary subsets: an attribute of many values asked whether its value is one of a few.

A branch for each value makes many small branches, and small branches look pure. A learner that asks binary questions
only has to part the values in two. With q values there are several ways to go about it:

1. `one_vs_rest` takes each value on its own against all others: q questions.
2. `all_subsets` takes every set of values against the rest: 2^(q-1) - 1 questions. Beyond `LIMIT` values it refuses.
3. `ordered_subsets` is Breiman's short cut: it puts the values in the order of the share of one class, or of the mean
   of a numeric target, and tries the cuts of that order, at most q - 1. `ordering_holds` says where no winner is lost.
4. `subset_splits` takes the short cut where it holds, and every subset elsewhere.
5. `program_subsets` takes it as programs do: for two classes and for numbers always, though small branches are barred.
6. `listed_subsets` are those that stand in a decision beside the winners: every subset, up to `LIMIT` values.

Each yields a `Grouping`: the question, and the sample partition it makes. Nothing is counted for it; the rows of the
multiway partition are added up. Only values that some row of the node has take part. A value that none has is on the
side of the rest: it is not in the set that is named. Of the two sides of a subset the one *without the last value
present* is named, and subsets come in the order of their bit masks, the first value being the lowest bit (decision
ties.split).

Source:
    [N3 Attributes with Many Values: binary splits]. They limit the preference for many values and do not end it: free
    subsets still part the values of an ID column into two pure sets, if there are two classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import accumulate, compress, groupby
from operator import itemgetter
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Subset
from reference_tree.data.sample import Counts, Partition
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.measures.conditional_entropy import conditional_distribution
from reference_tree.measures.variance import Moments, mean

LIMIT = 16
"""The most values of which `all_subsets` tries every subset: 32 767 of them. Each further value doubles the work."""

VARIANCE = "variance_reduction"
"""The measure of numeric targets: the rows of its tables are `Moments`, those of all other measures class counts."""

STRICTLY_CONCAVE = frozenset({"gain", "ratio", "gini_index", "gini_decrease", VARIANCE})
"""The measures that rest on a strictly concave impurity: entropy, Gini, variance."""


class Grouping(NamedTuple):
    """A way to part the values of an attribute in two, and what it makes of the sample."""

    test: Subset
    """The question: a set of values against the rest."""
    table: Partition
    """The sample partition: what is inside the set, and what is outside."""


class _Side(NamedTuple):
    """Some of the values that are present, the first one being the lowest bit, and the sum of their rows."""

    mask: int
    row: Counts


def one_vs_rest(attribute: str, table: Partition) -> Iterator[Grouping]:
    """Each value against all others.

    Args:
        attribute: its name.
        table: its multiway sample partition.

    Returns:
        A question for each value that is present, in their order. Of two values only the first, for the second would
        ask the same; of a single one none.

    Example:
        >>> from reference_tree.data.questions import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in ("overcast", "rainy", "sunny"))
        >>> outlook = Partition(outcomes, ((0, 4), (2, 3), (3, 2)), unknown=(0, 0))
        >>> for test, table in one_vs_rest("outlook", outlook):
        ...     print(test.name, table.rows)
        outlook in {overcast} ((0, 4), (5, 5))
        outlook in {rainy} ((2, 3), (3, 6))
        outlook in {sunny} ((3, 2), (2, 7))

    Source:
        [N3 Attributes with Many Values: binary splits], [LiHang2019 §5.5.1]
    """
    values = _values(table)
    return _groupings(attribute, table, values if len(values) > 2 else values[:-1])


def all_subsets(attribute: str, table: Partition) -> Iterator[Grouping]:
    """Every way to part the values in two.

    Args:
        attribute: its name.
        table: its multiway sample partition.

    Returns:
        2^(q-1) - 1 questions for q values that are present, in the order of their bit masks.

    Raises:
        InputError: more than `LIMIT` values are present.

    Example:
        >>> from reference_tree.data.questions import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in ("overcast", "rainy", "sunny"))
        >>> outlook = Partition(outcomes, ((0, 4), (2, 3), (3, 2)), unknown=(0, 0))
        >>> [test.name for test, _ in all_subsets("outlook", outlook)]
        ['outlook in {overcast}', 'outlook in {rainy}', 'outlook in {overcast, rainy}']

    Source:
        [N3 Attributes with Many Values: binary splits], [Breiman1984 §2.4]
    """
    values = _values(table)
    if len(values) > LIMIT:
        raise InputError(
            f"{attribute} has {len(values)} values here, too many to try each subset of them (at most {LIMIT}); "
            "ask one value against the rest (--branching one-vs-rest), or merge some values"
        )
    # Of a set and its complement one is enough: the one without the last value. Each value doubles the list and is a
    # higher bit than all before it, so the sets stand in the order of their masks.
    sides: list[_Side] = []
    for value in values[:-1]:
        sides += [value, *(_union(side, value) for side in sides)]
    return _groupings(attribute, table, sides)


def ordered_subsets(attribute: str, table: Partition, measure: str) -> Iterator[Grouping]:
    r"""The cuts of an order in which each value of the attribute stands for one number.

    $$P(C_j \mid A = a_1) \leq P(C_j \mid A = a_2) \leq \dots \qquad\text{or}\qquad \bar y_1 \leq \bar y_2 \leq \dots$$

    There is no cut between values of the same number: no winner parts them. If all values have the same, no question
    tells anything, and all are equally good: then all are listed, or beyond `LIMIT` values those of `one_vs_rest`.

    Args:
        attribute: its name.
        table: its multiway sample partition.
        measure: what the questions are judged by. For `VARIANCE` the number is the mean of the target, for all others
            the share of a class, C_j being the last one present.

    Returns:
        At most q - 1 questions for q values that are present, in the order of their bit masks. Where `ordering_holds`,
        every winner among `all_subsets` is one of them; the *second* best need not be.

    Example:
        >>> from reference_tree.data.questions import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in ("overcast", "rainy", "sunny"))
        >>> outlook = Partition(outcomes, ((0, 4), (2, 3), (3, 2)), unknown=(0, 0))
        >>> [test.name for test, _ in ordered_subsets("outlook", outlook, "gain")]      # yes: 2/5 sunny, 3/5 rainy, 1
        ['outlook in {overcast}', 'outlook in {overcast, rainy}']

    Source:
        [Breiman1984 §4.2] for two classes, [Fisher1958] for numbers, [HastieTibshiraniFriedman2009 §9.2.4] for both
    """
    values = _values(table)
    levels = _levels(values, measure)
    if len(levels) < 2:
        return all_subsets(attribute, table) if len(values) <= LIMIT else one_vs_rest(attribute, table)
    *cuts, whole = accumulate(levels, _union)
    last = values[-1].mask
    return _groupings(attribute, table, sorted(_rest(whole, cut) if cut.mask & last else cut for cut in cuts))


def ordering_holds(table: Partition, measure: str, minimum: Rational = 1) -> bool:
    """Whether every winner among all subsets is a cut of the order that `ordered_subsets` goes through.

    Three things are needed:

    - *One number a value.* The rows know at most two classes, or moments. With three classes a value is a point of a
      plane, and there is no order.
    - *A strictly concave impurity*, as entropy, Gini and the variance (with n) are. The misclassification error is
      concave, but not strictly: some winner is a cut of the order, and another may not be. The absolute error and the
      variance with n - 1 are no concave functions of the number at all.
    - *No rule that bars small branches*, or a cut of the order may be barred and another subset pass. The rule is idle
      if each value alone weighs enough.

    Missing values change nothing: with the same rows unknown, all subsets of an attribute have the same ρ.

    Args:
        table: the multiway sample partition of an attribute.
        measure: what the questions are judged by, as candidates name it.
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
    # A winner x with a positive score is a maximum over all sides, so over the corners, so, d being convex, over Z. And
    # as d is strictly convex but for that one line, x lies inside no segment of Z: it is a corner. Suppose that c is
    # outside, a and b are inside (perhaps a = b), and P_a ≤ P_c ≤ P_b. Then x_c = α·x_a + β·x_b with α, β ≥ 0, and a
    # small step from x along x_c stays in Z: forward by taking in a little of c, backward by giving up a little of a
    # and b. So x is no corner after all. The same holds with the sides exchanged. Hence all numbers inside are smaller
    # than all outside, or all are larger: a winner is a cut, and parts no equal numbers.
    #
    # If the best score is 0, then so is that of each value against the rest, and all numbers are equal.
    if measure not in STRICTLY_CONCAVE:
        return False
    classes = [any(column) for column in zip(*table.rows, strict=True)]
    weights = [row[0] if measure == VARIANCE else sum(row) for row in table.rows if any(row)]
    return (measure == VARIANCE or sum(classes) <= 2) and all(weight >= minimum for weight in weights)


def subset_splits(attribute: str, table: Partition, measure: str, minimum: Rational = 1) -> Iterator[Grouping]:
    """The questions among which are all winners of `all_subsets`, as few as can be had easily.

    Args:
        attribute: its name.
        table: its multiway sample partition.
        measure: what the questions are judged by.
        minimum: the least weight of a branch.

    Returns:
        Those of `ordered_subsets` where `ordering_holds`, otherwise all, in the order of their bit masks.

    Raises:
        InputError: the ordering does not hold, and more than `LIMIT` values are present.

    Example:
        >>> from reference_tree.data.questions import Outcome
        >>> outcomes = tuple(Outcome("is", str(value)) for value in range(40))
        >>> id_column = Partition(outcomes, ((0, 1), (1, 0)) * 20, unknown=(0, 0))
        >>> [table.rows for _, table in subset_splits("id", id_column, "gini_index")]       # a single cut: pure
        [((0, 20), (20, 0))]

    Source:
        [Breiman1984 §4.2]
    """
    if ordering_holds(table, measure, minimum):
        return ordered_subsets(attribute, table, measure)
    return all_subsets(attribute, table)


def program_subsets(attribute: str, table: Partition, measure: str, minimum: Rational = 1) -> Iterator[Grouping]:
    """The questions that rpart and Weka's SimpleCart try.

    They go by the short cut wherever the target is a number or has two classes, also where a minimum bars some cuts of
    the order; the best question that may compete need not be among them. Values of equal number keep their own order,
    and a cut may lie between them, for a cut that bars nobody may lie nowhere else.

    Args:
        attribute: its name.
        table: its multiway sample partition, with a column for every class of the target.
        measure: what the questions are judged by.
        minimum: makes no difference; it is there because `subset_splits` asks for it.

    Returns:
        The q - 1 cuts of the order, for three classes or more all subsets, in the order of their bit masks.

    Raises:
        InputError: there are three classes, and more than `LIMIT` values are present.

    Example:
        >>> from reference_tree.data.questions import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in "abc")
        >>> table = Partition(outcomes, ((0, 1), (1, 0), (1, 1)), unknown=(0, 0))
        >>> for name, search in (("all", subset_splits), ("tried", program_subsets)):   # branches of at least 2 rows
        ...     print(name, [t.name for t, parts in search("x", table, "gain", 2) if min(map(sum, parts.rows)) >= 2])
        all ['x in {a, b}']
        tried []

    Source:
        [Breiman1984 §4.2]. What rpart does is read in its `gini.c`, `anova.c` and `graycode.c`.
    """
    if measure != VARIANCE and len(table.unknown) > 2:
        return all_subsets(attribute, table)
    ordered = _numbered(_values(table), measure)
    if len(ordered) < 2:
        return iter(())
    *cuts, whole = accumulate((value for _, value in ordered), _union)
    last = max(value.mask for _, value in ordered)
    return _groupings(attribute, table, sorted(_rest(whole, cut) if cut.mask & last else cut for cut in cuts))


def listed_subsets(attribute: str, table: Partition, measure: str, minimum: Rational = 1) -> Iterator[Grouping]:
    """The questions that a decision lists: those of `all_subsets` up to `LIMIT` values, of `subset_splits` beyond it.

    The winners are found among few (`subset_splits`). By how much they win is seen only beside all others, for the
    second best need not be a cut of the order.

    Args:
        attribute: its name.
        table: its multiway sample partition.
        measure: what the questions are judged by.
        minimum: the least weight of a branch.

    Raises:
        InputError: the ordering does not hold, and more than `LIMIT` values are present.

    Example:
        >>> from reference_tree.data.questions import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in ("overcast", "rainy", "sunny"))
        >>> outlook = Partition(outcomes, ((0, 4), (2, 3), (3, 2)), unknown=(0, 0))
        >>> len(list(subset_splits("outlook", outlook, "gain"))), len(list(listed_subsets("outlook", outlook, "gain")))
        (2, 3)

    Source:
        [Breiman1984 §4.2]
    """
    within = number_of_values(table) <= LIMIT
    return all_subsets(attribute, table) if within else subset_splits(attribute, table, measure, minimum)


def number_of_values(table: Partition) -> int:
    """How many values some row has."""
    return sum(1 for row in table.rows if any(row))


def _values(table: Partition) -> list[_Side]:
    """Each value that is present, on its own."""
    return [_Side(1 << place, row) for place, row in enumerate(row for row in table.rows if any(row))]


def _numbered(values: list[_Side], measure: str) -> list[tuple[Number, _Side]]:
    """The values with their numbers, in the order of these; equal ones in the order of their masks."""
    column = max((place for _, row in values for place, cell in enumerate(row) if cell), default=0)

    def number(row: Counts) -> Number:
        return mean(Moments(*row)) if measure == VARIANCE else conditional_distribution(row)[column]

    return sorted((number(value.row), value) for value in values)


def _levels(values: list[_Side], measure: str) -> list[_Side]:
    """The values in the order of their numbers, those of the same number united."""
    numbered = _numbered(values, measure)
    return [reduce(_union, (value for _, value in level)) for _, level in groupby(numbered, key=itemgetter(0))]


def _union(one: _Side, other: _Side) -> _Side:
    return _Side(one.mask | other.mask, tuple(a + b for a, b in zip(one.row, other.row, strict=True)))


def _rest(whole: _Side, side: _Side) -> _Side:
    return _Side(whole.mask ^ side.mask, tuple(a - b for a, b in zip(whole.row, side.row, strict=True)))


def _groupings(attribute: str, table: Partition, sides: Iterable[_Side]) -> Iterator[Grouping]:
    """The questions that name these sides."""
    present = [outcome.value for outcome, row in zip(table.outcomes, table.rows, strict=True) if any(row)]
    whole = [sum(column) for column in zip(*table.rows, strict=True)]
    for mask, inside in sides:
        bits = (digit == "1" for digit in reversed(format(mask, "b")))
        test = Subset(attribute, tuple(compress(present, bits)))
        outside = tuple(both - part for both, part in zip(whole, inside, strict=True))
        yield Grouping(test, Partition(test.outcomes, (inside, outside), table.unknown))
