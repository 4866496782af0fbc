r"""Gradient boosting: a sum of trees, each fitted to the derivatives of the loss at the sum of the earlier trees.

This is the algorithm of XGBoost, in the exact greedy form of Chen and Guestrin (2016). At first every row has the same
*margin* F, the start. In each round:

1. `derived`: compute for each row the first and second derivative of the loss at its margin (`losses`, `derivatives`).
2. Grow a tree from them (`learners.gradient_tree`), and let `pruned` remove the splits that gain less than γ. For more
   than two classes there is a tree for the margin of each, all from the derivatives at the beginning of the round.
3. Add the value of its leaf to the margin of each row.

The margin of a new row is the sum of the start and the leaf values of all trees. For a number the margin is the
prediction; for classes it gives the probabilities: by the logistic function, or for several classes by the softmax.

Unlike AdaBoost, it neither reweights rows nor draws them by their errors, and its trees do not vote.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from operator import mul
from typing import ClassVar, Literal, TypeAlias

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table, check_table
from reference_tree.ensembles.derivatives import (
    LOSSES,
    DerivativeTable,
    Loss,
    LossName,
    Margins,
    derived,
    targets,
)
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.ensembles.learner import EnsembleLearner, counted
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import nearest_multiple
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.growing import grow, revisit
from reference_tree.learners.options import Options
from reference_tree.learners.recorded import SEED, SHARE, described, number, word
from reference_tree.pruning.cutting import cut, postorder
from reference_tree.tree import Tree
from reference_tree.twins import twin


def fitted(learner: GradientTree, data: DerivativeTable) -> Tree:
    """The tree of a round: grown, pruned by γ, and with numbers as predictions.

    Source:
        [ChenGuestrin2016 §3.1 algorithm 1]
    """
    tree = grow(learner, data)
    # γ is heeded after growing, as a weak split may have a strong one below it. The gains are those that the tree was
    # grown by, decided again from the same rows.
    if learner.gamma > 0:
        gains = {
            visit.number: visit.decision.winners[0].score
            for visit in revisit(tree, learner, data)
            if visit.decision.chosen
        }
        tree = pruned(tree, gains, learner.gamma)
    # While it grew, its target were cases; what it predicts are numbers that are added up.
    return replace(tree, target=Attribute(tree.target.name))


def pruned(tree: Tree, gains: Mapping[int, Number], gamma: Rational) -> Tree:
    r"""The tree without the splits that gain less than γ, unless a split below them stays.

    This goes from below: a node whose branches are all leaves becomes a leaf itself if its gain is below γ. A split of
    small gain stays if a split below it gains enough.

    Args:
        tree: the grown tree.
        gains: the gain of each inner node.
        gamma: γ, in the scale of `gradient_gain`: without the factor ½.

    Source:
        [ChenGuestrin2016 §2.2 eq. (7)]. The paper subtracts γ from each gain, and does not say when a negative one is
        refused; XGBoost prunes so, with a γ that is twice the paper's.
    """
    leaves = {place for place, node in enumerate(tree.nodes) if node.test is None}
    below: set[int] = set()
    # From below, for a node is a leaf as soon as all its branches are.
    for place in postorder(tree):
        node = tree.nodes[place]
        if node.test is not None and leaves.issuperset(node.branches) and gains[place] < gamma:
            leaves.add(place)
            below.add(place)
    return cut(tree, below)


ClassStart: TypeAlias = Literal["even", "shares"]


@dataclass(frozen=True, kw_only=True)
class GradientBoosting(EnsembleLearner):
    """The learner.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> table = textbook("li-hang-8.2")
        >>> stumps = GradientTree(max_depth=1, reg_lambda=0, rate=1, grid=None)
        >>> sums = GradientBoosting(base=stumps, trees=6, base_score=0).grow(table)
        >>> [member.tree.nodes[0].test.name for member in sums.members]
        ['x<=6.5', 'x<=3.5', 'x<=6.5', 'x<=4.5', 'x<=6.5', 'x<=2.5']
        >>> round(float(10 * sums.mean_squared_error(table)), 4)
        0.1722

    Source:
        [ChenGuestrin2016 §2.2], [ChenGuestrin2016 §3.1 algorithm 1], [Friedman2001 §3 algorithm 1], [Friedman2002],
        [N4 XGBoost: extreme gradient boosting], [N4 XGBoost: qualities]. N4 describes rows drawn by how wrong they
        were, which is AdaBoost by resampling. Friedman draws a share of the rows without replacement, and so does
        `subsample`; XGBoost draws for each row whether it takes part.
    """

    name: ClassVar[str] = "gradient"
    fits: ClassVar[str | None] = GradientTree.name

    base: Options = described(GradientTree(), words="grows the trees. Its `rate` is the learning rate η")
    trees: int = described(100, words="the number of rounds. Each grows a tree, or of K > 2 classes one for each")
    loss: LossName | Literal["auto"] = described(
        "auto",
        word("auto", LOSSES),
        "`squared_error`, `logistic` for two classes, `softmax` for any number of them; `auto` is what the target "
        "asks for",
    )
    base_score: Rational | None = described(
        None,
        number(or_none=True),
        "the prediction for every row before the first round: a number, or for two classes the probability of the "
        "second. None: their mean, or the share of that class; with `softmax` what `class_start` says",
    )
    class_start: ClassStart = described(
        "even",
        word(ClassStart),
        "the margins of `softmax` before the first round: `even`, all of them 0; or `shares`, the logarithms of the "
        "shares of the classes",
        since="2026-11-26",
    )
    subsample: Rational = described(1, SHARE, "the share of the rows that each tree is grown from")
    seed: int = described(0, SEED, "the seed of all draws, of rows and of columns")

    def grow(self, table: Table, progress: Callable[[int], None] | None = None, jobs: int = 1) -> Ensemble:
        """The ensemble for a table; each tree depends on the one before, so `jobs` makes no difference.

        Raises:
            InputError: the loss does not fit the target, or the base score does not fit the loss.
            UndecidedError: a comparison cannot be settled (`exact.intervals`).

        Source:
            [Friedman2001 §3 algorithm 1], [ChenGuestrin2016 §2.2]
        """
        check_table(table)
        loss = self.loss_for(table.schema.target)
        start = self.start(table, loss)
        return self.ensemble(table, counted(self.members(table, start), progress), loss.combine, start)

    def members(self, table: Table, start: Margins) -> Iterator[Member]:
        """The trees, round by round, each computed on demand.

        Args:
            table: the data.
            start: the initial margins of every row.
        """
        margins: Sequence[Margins] = [start] * len(table)
        for m in range(self.trees):
            grown = []
            for k in range(len(start)):
                # All trees of a round see the margins from before it: none corrects another one of its own round.
                grown.append(self.member(table, margins, m * len(start) + k))
                yield grown[k]
            margins = updated_margins(margins, grown, table)

    def member(self, table: Table, margins: Sequence[Margins], number: int) -> Member:
        """One of the trees, by its number from 0, fitted at the margins after the earlier rounds."""
        several = len(margins[0]) > 1
        label = table.schema.target.domain[number % len(margins[0])] if several else None
        # Rows that were not drawn have no say in this tree, but their margins move by it, too.
        tree = fitted(self.learner(number), self.data(table, margins, number))
        return Member(tree, drawn=self.drawn(len(table), number), of=label)

    def data(self, table: Table, margins: Sequence[Margins], number: int) -> DerivativeTable:
        """The rows from which one of the trees is grown, with their derivatives."""
        loss, drawn = self.loss_for(table.schema.target), self.drawn(len(table), number)
        if drawn is not None:
            rows = [row for row, times in enumerate(drawn) if times]
            table, margins = table.take(rows), [margins[row] for row in rows]
        return derived(table, loss, margins, number % len(margins[0]))

    def decided(self, ensemble: Ensemble, table: Table) -> Iterator[tuple[GradientTree, DerivativeTable]]:
        """The learner and the rows of each tree; see `EnsembleLearner.decided`."""
        k = len(ensemble.start)
        margins: Sequence[Margins] = [ensemble.start] * len(table)
        # The margins are computed again from the trees as they stand in the ensemble, pruned and rounded: these are
        # what the later trees were fitted to.
        for first in range(0, len(ensemble.members), k):
            for place in range(first, first + k):
                yield self.learner(place), self.data(table, margins, place)
            margins = updated_margins(margins, ensemble.members[first : first + k], table)

    def learner(self, number: int) -> GradientTree:
        """The learner of one of the trees.

        Raises:
            InputError: the base learner does not fit trees to derivatives.
        """
        if not isinstance(self.base, GradientTree):
            raise InputError(f"gradient boosting fits trees to derivatives, which {self.base.name} does not")
        return replace(self.base, seed=self.seed, tree=number)

    def drawn(self, m: int, number: int) -> tuple[int, ...] | None:
        """The rows, of m, that one of the trees is grown from, 1 or 0 for each; None for all.

        Source:
            [Friedman2002]. Here ⌊f·m⌋ rows are drawn, and at least one.
        """
        if self.subsample == 1:
            return None
        in_turn = Chance(self.seed, b"rows of tree %d" % number).one_by_one(range(m))
        # Without replacement: a share of the rows, each once [Friedman2002].
        chosen = set(islice(in_turn, max(1, math.floor(self.subsample * m))))
        return tuple(int(row in chosen) for row in range(m))

    def loss_for(self, target: Attribute) -> Loss:
        """The loss of this name, or for `auto` the default one for a target.

        Raises:
            InputError: the loss is for another kind of target.
        """
        usual = "squared_error" if target.values is None else "logistic" if len(target.values) == 2 else "softmax"
        loss = LOSSES[usual if self.loss == "auto" else self.loss]
        if not loss.suits(target):
            raise InputError(f"the loss {self.loss} does not suit the target {target.name}; say {usual}")
        return loss

    def start(self, table: Table, loss: Loss) -> Margins:
        """The initial margins of every row.

        For numbers it is the base score, or their mean; under the logistic loss, the log odds of the second class, on
        the grid; under softmax 0 for every class, so all are equally likely, or what `log_shares` gives.

        Raises:
            InputError: a base score is given that is no probability between 0 and 1, or although the loss is softmax;
                or one of two classes has no rows.

        Source:
            [Friedman2001 §3 algorithm 1], [Friedman2001 §4.5]. Friedman's F is half of the log odds; the margin here is
            the whole.
        """
        if loss.classes == 0:
            # A number added to all margins changes no share.
            if self.base_score is not None:
                raise InputError("of softmax only the differences of margins count; leave the base score out")
            if self.class_start == "even":
                return (0,) * len(table.schema.target.domain)
            return tuple(map(self.on_grid, log_shares(weights_of_classes(table))))
        score = self.base_score
        if score is None:
            score = mean_target(table)
        if table.schema.target.values is None:
            return (score,)
        # The log odds of 0 and 1 are infinite: with a single class there is nothing to learn.
        if not 0 < score < 1:
            if self.base_score is None:
                classes = table.schema.target.domain
                raise InputError(
                    f"no row is of class {classes[1 - int(score)]}; say the base score, the probability of {classes[1]}"
                )
            raise InputError(f"the base score is the probability of the second class, between 0 and 1, and not {score}")
        # Even odds are exactly 0; other log odds are irrational, and start on the grid of the leaves, so that all
        # margins stay rational.
        odds = Fraction(score) / (1 - score)
        return (0,) if odds == 1 else (self.on_grid(log(odds, math.e)),)

    def on_grid(self, value: Number) -> Rational:
        """A margin rounded to the grid of the leaf values; without a grid, to a whole number."""
        return simplest(nearest_multiple(value, self.learner(0).grid or 0))


def mean_target(table: Table) -> Rational:
    """The weighted mean of the targets: of two classes, the share of the second."""
    weights = table.weighted()
    return simplest(sum(map(mul, weights, targets(table)), Fraction(0)) / sum(weights))


MILLIONTH = Fraction(1, 10**6)
"""What is added to the share of each class, so that a class without rows has a logarithm."""


def weights_of_classes(table: Table) -> list[Rational]:
    """The weight of the rows of each class, in class order."""
    weights: list[Rational] = [0] * len(table.schema.target.domain)
    for weight, code in zip(table.weighted(), targets(table), strict=True):
        weights[int(code)] += weight
    return weights


def log_shares(weights: Sequence[Rational]) -> list[Number]:
    r"""The logarithm of the share of each class, less their mean: margins that predict the shares by softmax.

    $$F_k = \ln p_k - \frac{1}{K} \sum_j \ln p_j, \qquad p_k = \frac{w_k}{\sum_j w_j} + 10^{-6}$$

    Args:
        weights: w_1, ..., w_K, the weight of each class.

    Example:
        >>> [round(float(margin), 4) for margin in log_shares([80, 15, 5])]
        [1.4822, -0.1918, -1.2904]

    Source:
        [Friedman2001 §4.6]. So starts XGBoost since 3.1, the millionth included; before, it started from equal margins.
    """
    whole = sum(weights)
    # Less their mean, so that the margins add up to 0; a number added to all of them would change no share.
    logs = [log(Fraction(weight) / whole + MILLIONTH, math.e) for weight in weights]
    mean = sum(logs) / len(logs)
    return [each - mean for each in logs]


@twin
def updated_margins(margins: Sequence[Margins], members: Sequence[Member], table: Table) -> Sequence[Margins]:
    """The margins of the rows of a table after the values of some trees are added: step 3.

    Args:
        margins: the margins before.
        members: the trees, those of all classes in turn.
        table: the rows.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> table = textbook("li-hang-8.2")
        >>> leaf = GradientTree(max_depth=0, reg_lambda=0, rate=1, grid=None)
        >>> members = GradientBoosting(base=leaf, trees=1, base_score=0).grow(table).members
        >>> updated_margins([(0,)] * 10, members, table)[0]      # the mean
        (Fraction(7307, 1000),)
    """
    # The trees of a round are in class order, so that the place of a tree is that of its margin.
    updated = [list(row) for row in margins]
    for place, member in enumerate(members):
        for row, step in zip(updated, member.tree.predict(table), strict=True):
            row[place % len(row)] += Fraction(step)
    return [tuple(simplest(Fraction(margin)) for margin in row) for row in updated]
