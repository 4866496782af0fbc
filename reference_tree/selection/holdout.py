r"""Hold-out: some rows are held out, so that a tree can be tested on rows that it was not grown from.

1. `dealt` puts the rows of a table into a drawn order: class by class, each class shuffled, or all shuffled together.
2. `holdout` holds out the rows at evenly spaced places of that order: a given share of each class.
3. `take` is the table of some rows.
4. `error` is the error of a tree on a table: its error rate, or for numbers the mean squared error.

Rows have the numbers 0, 1, 2, ... in the order of the file. They are drawn by a seed (`reference_tree.chance`), so the
same file and seed give the same rows on any machine, in any language.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError, number_of
from reference_tree.data.table import Table, check_table
from reference_tree.exact.rationals import Rational, exactly, shortened
from reference_tree.predictor import Predictor
from reference_tree.routing import Unseen

FINEST = 1 << 64
"""The largest denominator of a share: that of any float between 1/2048 and 1 is smaller."""


class Split(NamedTuple):
    """A table in two parts.

    Source:
        [N3 Avoiding Overfitting: validation set]
    """

    training: Table
    """The rows that the tree is grown from (N3's growing set)."""
    validation: Table
    """The rows that the tree is tested on."""


# The rows are taken at even distances from an order that goes class by class: each class loses its share up to one row,
# without a quota that had to be rounded for each. The start u makes every row equally likely to be held out.
def holdout(table: Table, seed: int, share: Rational = Fraction(1, 3), *, stratified: bool = True) -> Split:
    r"""A table divided at random into a training and a validation part.

    Of the rows in their drawn order, row i is held out if a whole number lies in (pi + u, p(i+1) + u], where p is the
    share:

    $$\lfloor p (i + 1) + u \rfloor > \lfloor p i + u \rfloor \qquad i = 0, \dots, n - 1$$

    So of any m consecutive rows ⌊pm⌋ or ⌈pm⌉ are held out; that holds for all rows, and if the order goes class by
    class, for each class. The start u = r/q, with p = a/q in lowest terms, is drawn first, as r below q. Then the
    fractional part of pi + u is each of 0, 1/q, ..., (q-1)/q with equal probability, and for a of these q values the
    interval contains a whole number: every row is held out with probability p.

    Args:
        table: the data.
        seed: the seed of the division.
        share: p, the share of the rows to be held out, between 0 and 1.
        stratified: whether each class has its share; a numeric target has no classes.

    Returns:
        The two parts, each with its rows in the order of the file.

    Raises:
        InputError: the share is not between 0 and 1, or one of the parts would have less than one row.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> split = holdout(textbook("play-tennis"), seed=1)
        >>> len(split.training), len(split.validation)
        (9, 5)

    Source:
        [N2 §3.1 hold-out], [N3 Avoiding Overfitting: validation set], [N3 Reduced-Error Pruning: split]. Neither says
        how many rows, nor whether each class should have its share.
    """
    check_table(table)
    p, n, chance = _share(share), len(table), Chance(seed, b"holdout")
    if p * n < 1 or (1 - p) * n < 1:
        rows = number_of(n, "row")
        raise InputError(f"a share of {shortened(str(share))[1:-1]} of {rows} leaves a part without rows; take another")
    if p.denominator > FINEST:
        raise InputError(f"a share has a denominator of at most 2^64; take a simpler one than {shortened(str(share))}")
    u = Fraction(chance.below(p.denominator), p.denominator)
    order = dealt(table, chance, stratified)
    return divided(table, [row for i, row in enumerate(order) if floor(p * (i + 1) + u) > floor(p * i + u)])


def _share(share: Rational) -> Fraction:
    try:
        p = Fraction(exactly(share))
    except (TypeError, ValueError) as error:
        raise InputError(f"the share of rows to hold out lies between 0 and 1: {error}") from error
    if not 0 < p < 1:
        raise InputError(f"the share of rows to hold out lies between 0 and 1, not at {shortened(str(share))}")
    return p


def dealt(table: Table, chance: Chance, stratified: bool = True) -> list[int]:
    """The numbers of all rows in a random order: the rows of the first class, shuffled, then those of the second, ...

    Args:
        table: the data.
        chance: the source of the draws.
        stratified: whether to go class by class; otherwise, and for a numeric target, all rows are shuffled together.

    Example:
        >>> table = Table.from_columns({"x": [1, 2, 3, 4, 5], "y": ["no", "yes", "no", "yes", "no"]})
        >>> dealt(table, Chance(0)), dealt(table, Chance(0), stratified=False)
        ([0, 2, 4, 3, 1], [0, 2, 1, 3, 4])
    """
    check_table(table)
    target = table.schema.target
    if not stratified or target.values is None:
        return chance.shuffled(range(len(table)))
    classes = table.columns[target.name]
    strata = [[row for row, code in enumerate(classes) if code == label] for label in range(len(target.values))]
    return [row for stratum in strata for row in chance.shuffled(stratum)]


def divided(table: Table, held: Iterable[int]) -> Split:
    """The two parts of a table, given the numbers of the rows that are held out.

    Raises:
        InputError: a row does not exist, or a part has no rows.
    """
    # Both parts keep the order of the table, whatever the order of the draw was: ties between rows stay as they are in
    # the whole table.
    kept_back = set(held)
    return Split(
        take(table, [row for row in range(len(table)) if row not in kept_back]), take(table, sorted(kept_back))
    )


def take(table: Table, rows: Sequence[int]) -> Table:
    """The table of some rows, in the order given; a number given twice occurs twice.

    The domain of a categorical column stays as declared: a value that none of the rows has may still occur later.
    The distinct numbers of a continuous column are those of the remaining rows, since a threshold must not depend on
    the others.

    Args:
        table: the data.
        rows: the numbers of rows, from 0.

    Raises:
        InputError: no rows are left, or a row does not exist.

    Example:
        >>> table = Table.from_columns({"x": [5, 7, 9], "y": ["no", "yes", "no"]})
        >>> part = take(table, [2, 0])
        >>> list(part.columns["x"]), part.schema.target.values, part.schema.numbers["x"]
        ([9, 5], ('no', 'yes'), (5, 9))
    """
    if not rows:
        raise InputError("there are no rows; at least one is needed")
    # `left_out` counts the rows of a file that had no target. Those have been reported with the whole table.
    return replace(table.take(rows), left_out=0)


def error(tree: Predictor[Any, Any], table: Table, unseen: Unseen = "error") -> Fraction:
    r"""The error of a tree on a table: the error rate, or for numbers the mean squared error.

    $$e = \frac{1}{W} \sum_{i} w_i \, [\hat{y}_i \ne y_i] \qquad\text{or}\qquad
    e = \frac{1}{W} \sum_{i} w_i (\hat{y}_i - y_i)^2 \qquad W = \sum_i w_i$$

    Args:
        tree: a tree, which predicts ŷ_i for row i.
        table: the rows, with y_i and the weight w_i.
        unseen: how to treat a value for which there is no branch, as for `Tree.predict`.

    Returns:
        e, exact. For classes it is 1 minus the accuracy.

    Raises:
        InputError: the table has another target, or the tree has no prediction for a row.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> error(ID3(max_depth=0).grow(textbook("play-tennis")), textbook("play-tennis"))
        Fraction(5, 14)

    Source:
        [N3 Overfitting], [Mitchell1997 §3.7.1]
    """
    if tree.target.values is None:
        return tree.mean_squared_error(table, unseen)
    return 1 - tree.accuracy(table, unseen)
