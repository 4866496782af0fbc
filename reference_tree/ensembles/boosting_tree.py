r"""The boosting tree: regression trees, each fitted to the residuals of the earlier ones.

The model is a sum of trees, $f_M(x) = \sum_m T_m(x)$, and it starts from f_0 = 0. In round m:

1. `residuals` $r_{mi} = y_i - f_{m-1}(x_i)$ are the differences between each number and the sum of the trees so far.
2. Grow a regression tree T_m from them, which should have the least squared error of all trees of its size.
3. $f_m = f_{m-1} + T_m$.

For the squared error this is the whole algorithm: the loss of y under $f_{m-1} + T$ is that of r_m under T. A tree of
two leaves, a stump, is enough for each round. Rounds stop early if the loss is small enough; a loss of 0 always is.

Residuals are fractions, and grow by a few digits in each round; nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table, check_table
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.ensembles.learner import EnsembleLearner, counted, once_more
from reference_tree.exact.rationals import Rational, ascending, simplest
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Learner
from reference_tree.learners.options import Options
from reference_tree.learners.recorded import AMOUNT, described
from reference_tree.predictor import truth
from reference_tree.tree import Tree


# They are the negative derivatives of half of the squared loss by the predictions: fitting them is a step of gradient
# descent, for this loss alone [Friedman2001].
def residuals(numbers: Sequence[Rational], answers: Sequence[Rational]) -> list[Rational]:
    r"""The residuals of a model.

    $$r_{mi} = y_i - f_{m-1}(x_i)$$

    Args:
        numbers: y_1, ..., y_N; or their residuals under the trees before the last one.
        answers: f(x_1), ..., f(x_N); or the predictions of the last tree alone.

    Example:
        >>> residuals([5, 6, 9], [Fraction(11, 2), Fraction(11, 2), 9])
        [Fraction(-1, 2), Fraction(1, 2), 0]

    Source:
        [LiHang2019 §8.4.2 algorithm 8.3], [Friedman2001 §4.1]
    """
    return [simplest(Fraction(y) - answer) for y, answer in zip(numbers, answers, strict=True)]


def squared_loss(left: Sequence[Rational], weights: Sequence[Rational]) -> Fraction:
    r"""The squared loss of a model, from its residuals.

    $$L(y, f_m(x)) = \sum_{i=1}^{N} w_i \, (y_i - f_m(x_i))^2$$

    Args:
        left: the residuals y_i - f_m(x_i).
        weights: w_i, the weight of each row.

    Example:
        >>> squared_loss([Fraction(-1, 2), Fraction(1, 2), 0], [1, 1, 1])
        Fraction(1, 2)

    Source:
        [LiHang2019 §8.4.2]
    """
    return Fraction(sum(weight * r * r for weight, r in zip(weights, left, strict=True)))


def predicting(table: Table, numbers: Sequence[Rational]) -> Table:
    """The rows of a table with other numbers as their target.

    Example:
        >>> table = Table.from_columns({"x": [1, 2], "y": [5, 7]})
        >>> [row["y"] for row in predicting(table, [Fraction(-1, 2), 0]).rows()]
        [Fraction(-1, 2), 0]
    """
    # The numbers of a column belong to the schema; those of the residuals take the place of the target's, and
    # attributes keep theirs.
    name = table.schema.target.name
    schema = replace(table.schema, numbers={**table.schema.numbers, name: ascending(numbers)})
    return replace(table, schema=schema, columns={**table.columns, name: list(numbers)})


class Round(NamedTuple):
    """A round of a boosting tree."""

    number: int
    """The number m of the round, from 1."""
    residuals: Sequence[Rational]
    """r_m1, ..., r_mN, to which the tree was fitted."""
    rows: Table
    """The rows with these residuals as the target."""
    tree: Tree
    """The tree T_m."""
    left: Sequence[Rational]
    """The residuals under T_m, to which the next tree is fitted."""
    loss: Fraction
    """The loss L(y, f_m(x)) of all trees so far."""


@dataclass(frozen=True, kw_only=True)
class BoostingTree(EnsembleLearner):
    """The learner.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> table = textbook("li-hang-8.2")
        >>> for found in BoostingTree(trees=3).rounds(table):
        ...     print(found.tree.nodes[0].test.name, round(float(found.loss), 4))
        x<=6.5 1.93
        x<=3.5 0.8007
        x<=6.5 0.478
        >>> float(BoostingTree(trees=6).grow(table).predict({"x": 1}))
        5.63

    Source:
        [LiHang2019 §8.4.2 algorithm 8.3], [Friedman2001 §4.1]
    """

    name: ClassVar[str] = "boosting-tree"

    trees: int = described(100, words="the most rounds there are")
    base: Options = described(CART(max_depth=1), words="grows the trees; one for numbers")
    loss: Rational = described(0, AMOUNT, "the rounds stop once the squared error of the training rows is at most this")

    def grow(self, table: Table, progress: Callable[[int], None] | None = None, jobs: int = 1) -> Ensemble:
        """The ensemble for a table; see `EnsembleLearner.grow`. A round waits for the one before, whatever `jobs` says.

        Raises:
            InputError: the target is no number; or as the learner of the trees does.

        Source:
            [LiHang2019 §8.4.2 algorithm 8.3]
        """
        check_table(table)
        rounds = counted(self.rounds(table), progress)
        return self.ensemble(table, (Member(found.tree) for found in rounds), "sum", (0,))

    # The residuals are carried from round to round, and no sum of trees is computed: exact numbers make both the same.
    # Lengths of fractions grow with the rounds.
    def rounds(self, table: Table) -> Iterator[Round]:
        """The rounds, each computed on demand.

        Source:
            [LiHang2019 §8.4.2 algorithm 8.3], [Friedman2001 §4.1]
        """
        check_table(table)
        target = table.schema.target
        if target.values is not None:
            raise InputError(f"{target.name} is a class, and a boosting tree is for numbers; AdaBoost is for classes")
        left: Sequence[Rational] = truth(table)
        for m in range(1, self.trees + 1):
            fitted = left
            rows = predicting(table, fitted)
            tree = self.base.grow(rows)
            left = residuals(fitted, [Fraction(tree.answer(ends)) for ends in tree.ends_of(table)])
            loss = squared_loss(left, table.weighted())
            yield Round(m, fitted, rows, tree, left, loss)
            if loss <= self.loss:
                return

    def rounds_of(self, ensemble: Ensemble, table: Table) -> Iterator[Round]:
        """The rounds that grew an ensemble, computed again (`once_more`)."""
        return once_more(self.rounds(table), ensemble)

    def decided(self, ensemble: Ensemble, table: Table) -> Iterator[tuple[Learner, Table]]:
        """The learner and the rows of each tree; see `EnsembleLearner.decided`."""
        return ((self.base, found.rows) for found in self.rounds_of(ensemble, table))
