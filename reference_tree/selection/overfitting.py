r"""Overfitting: a smaller error on the training sample, and a larger one on the distribution it was drawn from.

1. `overfits` is the definition: of two hypotheses, one has the smaller error on the training rows, and the other on
   the whole distribution.
2. `complexity_curve` is the error of trees of growing complexity on both, and `learning_curve` that of one learner on
   more and more rows. Where the two errors of a curve diverge, a tree has begun to memorise its sample.

All errors are fractions. `views.plots.curves` draws the curves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational
from reference_tree.selection.cross_validation import Fit, Trial, mean
from reference_tree.selection.holdout import Split, dealt, error, take
from reference_tree.tree import Tree

Value = TypeVar("Value", bound=Rational)


# Both comparisons are strict: equal errors show nothing. The two trees need not come from one learner, nor one be a
# pruning of the other.
def overfits(h: Tree, h_prime: Tree, training: Table, truth: Table) -> bool:
    r"""Whether a hypothesis h overfits the training data, as shown by another one, h'.

    $$e_S(h) < e_S(h') \quad\text{and}\quad e_D(h') < e_D(h)$$

    A hypothesis overfits if there is *some* other one for which this holds; so False only says that h' does not
    show it.

    Args:
        h: the hypothesis that may overfit.
        h_prime: another one of the same space.
        training: the sample S.
        truth: the distribution D: all possible instances, each with its weight. If they are not known, a validation
            table replaces it; the result is then an estimate.

    Raises:
        InputError: a table has another target, or a tree has no prediction for one of its rows.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> training, truth = textbook("watermelon-2.0-train"), textbook("watermelon-2.0-validation")
        >>> overfits(ID3().grow(training), ID3(max_depth=1).grow(training), training, truth)
        True

    Source:
        [N3 Overfitting], [N2 §3 goal], [Mitchell1997 §3.7.1]
    """
    return error(h, training) < error(h_prime, training) and error(h_prime, truth) < error(h, truth)


class Point(NamedTuple):
    """A point of a curve: two errors over a quantity that is varied."""

    value: Rational
    """The quantity that is varied: a depth, α, a number of rows."""
    training: Fraction
    """The error on the training rows."""
    held_out: Fraction
    """The error on rows that the tree has not seen."""


def complexity_curve(values: Iterable[Value], fit: Callable[[Value], Fit], split: Split) -> list[Point]:
    """The errors of the trees for each value of an option.

    Args:
        values: the values of the option.
        fit: for a value, the function that makes a tree with it.
        split: the rows to grow from, and the rows to test on.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> split = Split(textbook("watermelon-2.0-train"), textbook("watermelon-2.0-validation"))
        >>> for point in complexity_curve(range(4), lambda depth: ID3(max_depth=depth).grow, split):
        ...     print(*point)
        0 1/2 3/7
        1 3/10 3/7
        2 1/10 4/7
        3 0 5/7

    Source:
        [N4 Putting it together: maximum depth]
    """
    grown = ((value, fit(value)(split.training)) for value in values)
    return [Point(value, error(tree, split.training), error(tree, split.validation)) for value, tree in grown]


def mean_curve(tried: Iterable[Trial[Value]]) -> list[Point]:
    """The curve of the mean errors in cross-validation."""
    return [Point(trial.value, mean(trial.training_errors), trial.mean) for trial in tried]


def learning_curve(fit: Fit, split: Split, sizes: Iterable[int], seed: int) -> list[Point]:
    """The errors of trees grown from more and more rows.

    The rows are shuffled once, and each tree gets the first of them: a larger sample contains the smaller ones.

    Args:
        fit: makes a tree from a table.
        split: the rows to grow from, and the rows to test on.
        sizes: the numbers of rows to grow from.
        seed: the seed of the order of the rows.

    Raises:
        InputError: a size is not between 1 and the number of training rows.

    Source:
        [Mitchell1997 §3.7.1]
    """
    order = dealt(split.training, Chance(seed, b"learning curve"), stratified=False)
    return [_learned(fit, split, order, size) for size in sizes]


def _learned(fit: Fit, split: Split, order: Sequence[int], size: int) -> Point:
    if not 1 <= size <= len(order):
        raise InputError(f"a tree can be grown from 1 to {len(order)} rows here, not from {size}")
    # In the order of the table, so that the largest part is the training table itself.
    part = take(split.training, sorted(order[:size]))
    tree = fit(part)
    return Point(size, error(tree, part), error(tree, split.validation))
