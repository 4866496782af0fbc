r"""Bagging: trees that are grown from samples drawn with replacement, and that vote.

A single tree is sensitive to its data: a change in one row may change the test at its root. Trees of slightly
different tables make different mistakes, and together they make fewer.

1. `bootstrap` draws m of m rows with replacement. Some are drawn several times, others not at all.
2. `resampled` is the table of the drawn rows: each row with the number of its draws as a weight.
3. `Bagging` grows a tree from each of B such tables. They vote; for numbers the mean is taken.
4. `out_of_bag` predicts each row by the trees for which it was not drawn. So every row tests the ensemble, but no tree
   that was grown from it.

A row is not drawn with the probability (1 - 1/m)^m, which tends to 1/e: more than a third of all rows is left to test
each tree (`out_of_bag_share`).

Source:
    [N4 Using multiple decision trees: sensitivity], [Breiman1996 §1]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table, check_table
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.ensembles.learner import EnsembleLearner, side_by_side
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import grow
from reference_tree.learners.recorded import SEED, TRUTH, described, word
from reference_tree.measures.contingency import Contingency
from reference_tree.node import Label
from reference_tree.predictor import truth
from reference_tree.routing import Unseen


# The draws of a tree depend on the seed and its number, and on no other tree: trees can be grown in any order, at once,
# or again one by one.
def bootstrap(m: int, seed: int, number: int = 0) -> tuple[int, ...]:
    """How often each of m rows is drawn in m draws with replacement.

    Each draw is one of the m rows, all equally likely and independent.

    Args:
        m: the number of rows, at least one.
        seed: the seed of the draws.
        number: the number of the tree, from 0. The draws for different trees are independent.

    Returns:
        For each row the number of its draws; they add up to m.

    Example:
        >>> bootstrap(10, seed=0), bootstrap(10, seed=0, number=1)
        ((1, 1, 1, 3, 0, 0, 2, 1, 1, 0), (0, 2, 1, 2, 0, 2, 0, 2, 1, 0))

    Source:
        [N4 Sampling with replacement], [N4 Random forest algorithm: bagging], [Efron1979], [Breiman1996 §1]
    """
    chance, drawn = Chance(seed, f"bootstrap {number}".encode("ascii")), [0] * m
    for _ in range(m):
        drawn[chance.below(m)] += 1
    return tuple(drawn)


def out_of_bag_share(m: int) -> Fraction:
    r"""The probability that a row is not among m draws from m rows.

    $$P = \left(1 - \frac{1}{m}\right)^m \longrightarrow \frac{1}{e} \qquad m \to \infty$$

    Args:
        m: the number of rows.

    Example:
        >>> [round(float(out_of_bag_share(m)), 4) for m in (1, 2, 10, 1000)]
        [0.0, 0.25, 0.3487, 0.3677]

    Source:
        [Breiman1996 §6.3], [Zhou2016 §2.2.3]
    """
    return Fraction(m - 1, m) ** m


# The drawn rows keep the order of the table, with weights in the place of copies. Minimum sizes are weights, so that
# they count a row as often as it was drawn.
def resampled(table: Table, drawn: Sequence[int] | None) -> Table:
    """The table of some draws: the drawn rows, each with its weight times the number of its draws.

    A row that was drawn twice is one row of twice the weight, since no decision can distinguish that from two rows.

    Args:
        table: the data.
        drawn: how often each row was drawn; None for the table itself.

    Raises:
        InputError: the draws are of another number of rows.

    Example:
        >>> table = Table.from_columns({"x": [5, 7, 9], "y": ["no", "yes", "no"]})
        >>> part = resampled(table, (2, 0, 1))
        >>> list(part.columns["x"]), part.weights
        ([5, 9], [2, 1])

    Source:
        [N4 Sampling with replacement]
    """
    if drawn is None:
        return table
    if len(drawn) != len(table):
        raise InputError(f"the tree was not grown from this table: draws are of {len(drawn)} rows, not {len(table)}")
    rows = [row for row, times in enumerate(drawn) if times]
    part = table.take(rows)
    weights = [drawn[row] * weight for row, weight in zip(rows, part.weighted(), strict=True)]
    return replace(part, weights=weights, left_out=0)


Combine: TypeAlias = Literal["vote", "mean"]


@dataclass(frozen=True, kw_only=True)
class Bagging(EnsembleLearner):
    """The learner.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.c45 import C45
        >>> bag = Bagging(base=C45(), trees=25, seed=1).grow(textbook("golf"))
        >>> bag.predict({"outlook": "sunny", "temperature": 70, "humidity": 70, "windy": "false"})
        'yes'

    Source:
        [N4 Random forest algorithm: bagging], [N4 Random forest algorithm: B], [N4 Random forest algorithm: bagged
        trees], [Breiman1996 §1], [Breiman1996 §6.2]. N4 has this algorithm under the name of random forests, which it
        is not yet. It recommends from 64 to 228 trees; the course that it follows says 128.
    """

    name: ClassVar[str] = "bagging"

    seed: int = described(0, SEED, "the seed of the draws")
    resample: bool = described(
        True, TRUTH, "whether rows are drawn; otherwise all trees are grown from the table itself"
    )
    combine: Combine = described(
        "vote",
        word(Combine),
        "how the trees are combined: by `vote`, which for numbers is the mean, or by the `mean` of their distributions",
    )

    def grow(self, table: Table, progress: Callable[[int], None] | None = None, jobs: int = 1) -> Ensemble:
        """The ensemble for a table; see `EnsembleLearner.grow`.

        Source:
            [N4 Random forest algorithm: bagging], [Breiman1996 §1]
        """
        check_table(table)
        members = side_by_side(partial(self.member, table), self.trees, jobs, progress)
        return self.ensemble(table, members, self.rule(table.schema.target.values is None))

    def member(self, table: Table, number: int) -> Member:
        """One of the trees, by its number from 0, independent of the others."""
        drawn = bootstrap(len(table), self.seed, number) if self.resample else None
        # `grow`, and not the learner's own method: the learner of a forest only decides (`DrawnAttributes`).
        return Member(grow(self.learner(number), resampled(table, drawn)), drawn=drawn)

    def decided(self, ensemble: Ensemble, table: Table) -> Iterator[tuple[Learner, Table]]:
        """The learner and the rows of each tree; see `EnsembleLearner.decided`."""
        for number, member in enumerate(ensemble.members):
            yield self.learner(number), resampled(table, member.drawn)

    def rule(self, numeric: bool) -> str:
        """The rule that combines the trees; for numbers it is always the mean."""
        return "mean" if numeric else self.combine


class OutOfBag(NamedTuple):
    """The out-of-bag predictions of the rows of a table, and their error."""

    answers: tuple[Label | None, ...]
    """For each row the prediction of the trees for which it was not drawn; None if it was drawn for every tree."""
    trees: tuple[int, ...]
    """For each row the number of these trees."""
    contingency: Contingency | None
    """The rows that have a prediction, by target and prediction; None if no row has one."""

    @property
    def error(self) -> Fraction | None:
        """The weighted share of wrong predictions, or their mean squared error; None without predictions."""
        if (contingency := self.contingency) is None:
            return None
        return contingency.mean_squared_error if contingency.classes is None else 1 - contingency.accuracy


def out_of_bag(ensemble: Ensemble, table: Table, unseen: Unseen = "majority") -> OutOfBag:
    """The out-of-bag estimate of the error: each row is predicted only by the trees that were grown without it.

    Args:
        ensemble: an ensemble grown from the table, by draws.
        table: the data.
        unseen: the rule for a value that none of the rows drawn for a tree has.

    Raises:
        InputError: the ensemble records no draws, or those of another table.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> days = textbook("play-tennis")
        >>> found = out_of_bag(Bagging(trees=25).grow(days), days)
        >>> found.trees[0], found.answers[:3], found.error
        (6, ('no', 'no', 'no'), Fraction(1, 2))

    Source:
        [Breiman2001 §3.1]
    """
    drawn = draws_of(ensemble, table)
    answers: list[Label | None] = []
    trees: list[int] = []
    for row, ends in enumerate(ensemble.ends_of(table, unseen)):
        # A tree that was grown without the row knows nothing of it. A row that every tree has drawn has no prediction,
        # and does not count.
        outside = [number for number, draws in enumerate(drawn) if not draws[row]]
        trees.append(len(outside))
        answers.append(ensemble.part(outside).answer(tuple(ends[number] for number in outside)) if outside else None)
    return OutOfBag(tuple(answers), tuple(trees), _beside_truth(table, answers))


def draws_of(ensemble: Ensemble, table: Table) -> list[tuple[int, ...]]:
    """The draws from a table for each tree of an ensemble.

    Raises:
        InputError: the ensemble records no draws, or those of another table.
    """
    # An ensemble from a document may not record its draws: then no row can be called out of bag.
    drawn = [member.drawn or () for member in ensemble.members]
    if any(len(draws) != len(table) for draws in drawn):
        raise InputError("the ensemble does not record what was drawn from this table for each of its trees")
    return drawn


def _beside_truth(table: Table, answers: Sequence[Label | None]) -> Contingency | None:
    # By weight, as every error here.
    judged = [row for row, answer in enumerate(answers) if answer is not None]
    if not judged:
        return None
    part = table.take(judged)
    return Contingency.of(truth(part), [answers[row] for row in judged], part.weighted(), table.schema.target.values)
