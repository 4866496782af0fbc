"""rpart, R's program for CART, and rules that SimpleCart shares: the differences from the textbook.

1. The sets of values that are tried: `program_subsets`.
2. The rows in the denominator of the agreement of a surrogate: `primary_known`.
3. Numbers are asked to be below the threshold, not at most. A test that gains nothing is not asked. A threshold
   has to send two rows to each side to be a surrogate, and a set of values has to send two rows to the wrong side.
   These are options of `reference_tree.programs.cart_options`.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.data.sample import Partition
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.binary_subsets import Grouping, all_subsets, values_of
from reference_tree.splitting.ordered_subsets import VARIANCE, cuts_of_order, numbered
from reference_tree.splitting.surrogates import Pair


def program_subsets(attribute: str, table: Partition, measure: str, minimum: Rational = 1) -> Iterator[Grouping]:
    """The tests that rpart and Weka's SimpleCart try.

    They use the shortcut whenever the target is a number or has two classes, even if a minimum bars some cuts of the
    order; then the best test that may compete need not be among those tried. Values of equal number keep their own
    order, and a cut may lie between them, since there may be no other cut that the minimum does not bar.

    Args:
        attribute: the name of the attribute.
        table: its multiway sample partition, with a column for every class of the target.
        measure: the measure that tests are judged by.
        minimum: has no effect; it is here because `subset_splits` passes it.

    Returns:
        The q - 1 cuts of the order; for three classes or more all subsets, in the order of their bit masks.

    Raises:
        InputError: there are three classes or more, and more than `LIMIT` values are present.

    Example:
        >>> from reference_tree.data.outcomes import Outcome
        >>> from reference_tree.splitting.ordered_subsets import subset_splits
        >>> outcomes = tuple(Outcome("is", value) for value in "abc")
        >>> table = Partition(outcomes, ((0, 1), (1, 0), (1, 1)), unknown=(0, 0))
        >>> for name, search in (("all", subset_splits), ("tried", program_subsets)):   # branches of at least 2 rows
        ...     print(name, [t.name for t, parts in search("x", table, "gain", 2) if min(map(sum, parts.rows)) >= 2])
        all ['x in {a, b}']
        tried []

    Source:
        [Breiman1984 §4.2]. rpart's rules are in its `gini.c`, `anova.c` and `graycode.c`.
    """
    # Three classes have no single order that is sure to hold the best set: rpart tries all sets.
    if measure != VARIANCE and len(table.unknown) > 2:
        return all_subsets(attribute, table)
    # By the share of a class, or by the mean; the sort is stable, so equal values keep their order.
    order = [value for _, value in numbered(values_of(table), measure)]
    return cuts_of_order(attribute, table, order) if order else iter(())


def primary_known(known: Pair, unknown: Pair) -> Pair:
    """All rows that answer the test: rpart's denominator. One without an answer to the surrogate counts as wrong.

    Source:
        [Breiman1984 §5.3.1] has the other one; rpart offers both, in `surrogatestyle`, with this one as default.
    """
    # Rows whose surrogate has no value stand in the denominator, and in no numerator.
    return (known[0] + unknown[0], known[1] + unknown[1])
