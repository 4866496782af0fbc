r"""AdaBoost: trees grown one after the other, each with more weight on the rows that earlier trees got wrong.

Every row has a weight. At first all weights are equal. In round m:

1. Grow a tree G_m from the weighted rows; or, by resampling, from rows that are drawn in proportion to their weights.
2. Its `weighted_error` e_m is the weight of the rows that it gets wrong.
3. Its `coefficient` α_m is the weight of its vote: the smaller the error, the larger the coefficient.
4. `reweighted`: the rows that it gets wrong gain weight, and the others lose weight, such that this tree would be no
   better than chance on the new weights.

In the end the trees vote. The rounds stop early if a tree makes no mistake, which leaves nothing to learn from, or if
a tree is no better than chance.

No step needs rounding. Li Hang writes the new weight of a row as $w e^{\mp\alpha}/Z$, with a logarithm, an exponential
and a root; they cancel, and the result is rational (`factors`). So weights and errors are fractions, and a coefficient
is the logarithm of one. Each round doubles the digits of the weights; if their common denominator would be longer than
a bound, the weights are put on a grid (`on_grid`).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, compress
from operator import ne
from typing import ClassVar, Literal, TypeAlias

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table, check_table
from reference_tree.ensembles.bagging import resampled
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.ensembles.learner import EnsembleLearner, counted, once_more
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import nearest_multiple
from reference_tree.exact.worked import formula
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Learner
from reference_tree.learners.options import Options
from reference_tree.learners.recorded import AMOUNT, SEED, TRUTH, Conflict, described, whole, word
from reference_tree.predictor import truth
from reference_tree.tree import Tree


def weighted_error(weights: Sequence[Number], missed: Sequence[bool]) -> Number:
    r"""The error of a round: the weight of the rows that its tree gets wrong.

    $$e_m = \sum_{i=1}^{N} w_{mi} \, [G_m(x_i) \neq y_i]$$

    Args:
        weights: w_m1, ..., w_mN, which add up to 1.
        missed: whether the tree gets each row wrong.

    Example:
        >>> weighted_error([Fraction(1, 10)] * 10, [False] * 6 + [True] * 3 + [False])
        Fraction(3, 10)

    Source:
        [N4 XGBoost: deliberate practice], [LiHang2019 §8.1.2 algorithm 8.1], [FreundSchapire1997 §4]. N4 has no rule
        for the weights of mistakes.
    """
    return sum(compress(weights, missed), start=Fraction(0))


# Of all coefficients this one makes Z(α) = (1 - e)·exp(-α) + e·exp(α), the sum of the weights before they are divided
# by it, as small as it can be: 2√(e(1 - e)) [FreundSchapire1997].
@formula
def coefficient(error: Number) -> Number:
    r"""The weight of a tree's vote.

    $$\alpha_m = \frac{1}{2} \ln \frac{1 - e_m}{e_m}$$

    Args:
        error: e_m, above 0 and below 1.

    Returns:
        α_m, exact; above 0 for a tree that is better than chance.

    Raises:
        ValueError: the error is 0 or 1, where the logarithm is not finite.

    Example:
        >>> coefficient(Fraction(3, 10)), float(coefficient(Fraction(3, 10)))
        (1/2·ln(7) - 1/2·ln(3), 0.4236489301936018)

    Source:
        [LiHang2019 §8.1.2 eq. (8.2)], [FreundSchapire1997 §4]. Freund and Schapire omit the ½, which changes no
        vote.
    """
    _check_error(error)
    return log((1 - error) / error, math.e) / 2


# For two classes this is twice `coefficient`, for every tree: no vote is decided otherwise.
@formula
def coefficient_of_classes(error: Number, classes: Number) -> Number:
    r"""The weight of a tree's vote for K classes: a tree that guesses is right in one case of K.

    $$\alpha_m = \ln \frac{1 - e_m}{e_m} + \ln (K - 1)$$

    Args:
        error: e_m, above 0 and below 1.
        classes: K, at least 2.

    Returns:
        α_m; for two classes twice the `coefficient`, which changes no vote.

    Example:
        >>> coefficient_of_classes(Fraction(3, 5), 3), float(coefficient_of_classes(Fraction(3, 5), 3))
        (2·ln(2) - ln(3), 0.2876820724517809)

    Source:
        [ZhuZouRossetHastie2009 SAMME]
    """
    _check_error(error)
    return log((1 - error) / error, math.e) + log(classes - 1, math.e)


def _check_error(error: Number) -> None:
    if not 0 < error < 1:
        raise ValueError(f"an error between 0 and 1 has a coefficient, and {error} has none")


# α is a logarithm, but the weights never need it: exp(2α) = (1 - e)/e is rational, and so are the new weights.
def factors(error: Number, classes: int = 2) -> tuple[Number, Number]:
    r"""The factors of the weights: of a row that the tree gets right, and of a row that it gets wrong.

    $$\frac{w_{m+1,i}}{w_{mi}} = \frac{1}{K (1 - e_m)} \;\text{(right)}, \qquad \frac{K - 1}{K e_m} \;\text{(wrong)}$$

    Args:
        error: e_m, above 0 and below 1.
        classes: K; for AdaBoost.M1 always 2.

    Returns:
        Both factors; afterwards the rows that the tree got wrong weigh 1 - 1/K together, the error of guessing.

    Example:
        >>> factors(Fraction(3, 10))
        (Fraction(5, 7), Fraction(5, 3))

    Source:
        [LiHang2019 §8.1.2 eq. (8.4)], [FreundSchapire1997 §4], [ZhuZouRossetHastie2009 SAMME]. Li Hang writes
        $e^{\mp\alpha_m}/Z_m$. With his α_m and $Z_m = 2\sqrt{e_m (1 - e_m)}$ that is 1/(2(1 - e_m)) and 1/(2 e_m).
    """
    # SAMME keeps the weight of a right answer and multiplies that of a wrong one by exp α = (K-1)(1-e)/e. All rows
    # together then weigh (1-e) + e·(K-1)(1-e)/e = K(1-e), by which both factors are divided.
    return 1 / (classes * (1 - error)), (classes - 1) / (classes * error)


# All wrong rows weigh (K - 1)/K afterwards: the tree is no better than chance on the new weights, so that the next one
# has to differ.
def reweighted(weights: Sequence[Rational], missed: Sequence[bool], classes: int = 2) -> list[Rational]:
    """The weights of the next round, which add up to 1 as well.

    Args:
        weights: w_m1, ..., w_mN.
        missed: whether the tree of this round gets each row wrong; it gets some wrong, and some right.
        classes: as for `factors`.

    Example:
        >>> after = reweighted([Fraction(1, 10)] * 10, [False] * 6 + [True] * 3 + [False])
        >>> after[0], after[6], round(float(after[0]), 4), round(float(after[6]), 4)
        (Fraction(1, 14), Fraction(1, 6), 0.0714, 0.1667)

    Source:
        [N4 XGBoost: deliberate practice], [LiHang2019 §8.1.2 eq. (8.4)], [FreundSchapire1997 §4]
    """
    by = factors(weighted_error(weights, missed), classes)
    return [weight * by[miss] for weight, miss in zip(weights, missed, strict=True)]


def factor_by_rate(error: Number, classes: Number, rate: Rational) -> Rational:
    r"""The factor of the weight of a wrong row with a learning rate, before all weights are divided by their sum.

    $$c = \Bigl( (K - 1) \frac{1 - e_m}{e_m} \Bigr)^{\nu}$$

    Args:
        error: e_m, above 0 and below 1.
        classes: K; for AdaBoost.M1 always 2.
        rate: ν.

    Returns:
        c, which is irrational, rounded to a multiple of 2^-64.

    Example:
        >>> factor_by_rate(Fraction(1, 5), 2, Fraction(1, 2))
        Fraction(2, 1)

    Source:
        [ZhuZouRossetHastie2009 SAMME]. ν is a learning rate; the paper has none.
    """
    # A power to a rate is irrational in general. The factor is rounded here, once a round, and the weights are rational
    # again.
    return nearest_multiple(root((classes - 1) * (1 - error) / error, rate), 64)


def on_grid(weights: Sequence[Rational], bits: int | None) -> list[Rational]:
    """The weights unchanged if they are short; otherwise as whole multiples of one unit.

    A round doubles the digits of the weights, so they cannot stay exact for long. Beyond a bound each is rounded to the
    nearest multiple of 2^-bits that is not 0, and all are divided by their sum. Everything after that is computed from
    these weights without further rounding.

    Args:
        weights: weights that add up to 1.
        bits: the common denominator of short weights is at most 2^bits. None if all weights count as short.

    Example:
        >>> third, rest = Fraction(1, 3), Fraction(2, 3)
        >>> on_grid([third, rest], bits=2), on_grid([third, rest], bits=1)
        ([Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 2), Fraction(1, 2)])
    """
    if bits is None or math.lcm(*(weight.denominator for weight in weights)) <= 1 << bits:
        return list(weights)
    # At least one unit: a row must not drop out of the sample by rounding.
    units = [max(1, round(weight * (1 << bits))) for weight in weights]
    total = sum(units)
    return [Fraction(unit, total) for unit in units]


def drawn_by_weight(weights: Sequence[Rational], draws: int, chance: Chance) -> tuple[int, ...]:
    """How often each row is drawn, with replacement and in proportion to its weight.

    A draw is a number below the common denominator d of the weights. The first d·w_1 numbers belong to the first row,
    the next d·w_2 to the second row, and so on. So no probability is rounded.

    Args:
        weights: weights that add up to 1.
        draws: the number of draws.
        chance: the source of the draws.

    Raises:
        ValueError: the common denominator is larger than the range of a draw.

    Example:
        >>> drawn_by_weight([Fraction(1, 2), Fraction(1, 6), Fraction(1, 3)], 600, Chance(seed=1))
        (280, 117, 203)

    Source:
        [N4 XGBoost: resampling], [FreundSchapire1996], [Breiman1998]
    """
    common = math.lcm(*(weight.denominator for weight in weights))
    ends = list(accumulate(int(weight * common) for weight in weights))
    drawn = [0] * len(weights)
    for _ in range(draws):
        # The row whose part of the numbers contains the draw: the first that ends above it.
        drawn[bisect_right(ends, chance.below(common))] += 1
    return tuple(drawn)


def training_rows(table: Table, weights: Sequence[Rational], drawn: Sequence[int] | None = None) -> Table:
    """The rows that a tree is grown from: all rows with their weights, or the drawn rows, each as often as drawn.

    Args:
        table: the data.
        weights: w_m1, ..., w_mN.
        drawn: how often each row was drawn; None if the tree learns from all rows.
    """
    # The draw has used the weights up: the drawn rows count once for each time.
    if drawn is not None:
        return resampled(replace(table, weights=None), drawn)
    total = sum(table.weighted())
    return replace(table, weights=[simplest(Fraction(weight * total)) for weight in weights])


def training_error_bound(errors: Sequence[Rational]) -> Number:
    r"""An upper bound of the training error of AdaBoost.M1, computed only from the errors of its rounds.

    $$\frac{1}{N} \sum_{i=1}^{N} [G(x_i) \neq y_i] \;\leq\; \prod_{m=1}^{M} 2 \sqrt{e_m (1 - e_m)}$$

    Each factor is below 1 if e_m is below ½: the training error falls exponentially as long as each tree is better than
    chance by some fixed margin.

    Args:
        errors: e_1, ..., e_M.

    Returns:
        The bound, exact: it can be compared with a fraction without rounding.

    Example:
        >>> bound = training_error_bound([Fraction(3, 10), Fraction(3, 14), Fraction(2, 11)])
        >>> float(bound), bound < 1
        (0.5801925340982738, True)

    Source:
        [LiHang2019 §8.2 theorem 8.1], [LiHang2019 §8.2 theorem 8.2], [FreundSchapire1997 §5.1 theorem 10]. Li Hang has
        two classes; Freund and Schapire allow more.
    """
    # Round m multiplies the weight of a row by exp(∓α_m)/Z_m, with Z_m = 2√(e_m(1-e_m)). A row is predicted wrongly
    # only if the trees that got it wrong have at least as many votes as the others; then the product of its exp(∓α_m)
    # is at least 1, and its final weight is at least 1/N divided by the product of all Z_m. All rows together weigh 1.
    return root(math.prod((4 * error * (1 - error) for error in errors), start=Fraction(1)))


# The rounds.


@dataclass(frozen=True)
class WeightedRound:
    """A round of AdaBoost.

    Args:
        number: m, from 1.
        weights: w_m1, ..., w_mN, which add up to 1.
        drawn: how often each row was drawn; None if the tree has learnt from all rows, by their weights.
        rows: the rows that the tree has learnt from.
        tree: G_m.
        missed: whether the tree gets each row wrong.
        classes: K of `factors`: for AdaBoost.M1 always 2.
        rate: ν, the learning rate.
    """

    number: int
    weights: Sequence[Rational]
    drawn: tuple[int, ...] | None
    rows: Table
    tree: Tree
    missed: Sequence[bool]
    classes: int
    rate: Rational = 1

    @cached_property
    def error(self) -> Rational:
        """The error e_m."""
        error: Rational = weighted_error(self.weights, self.missed)
        return error

    @property
    def is_perfect(self) -> bool:
        """Whether the tree makes no mistake: there is nothing more to learn from, and its vote would be infinite."""
        return not self.error

    @property
    def is_chance(self) -> bool:
        """Whether the tree is no better than chance: e_m ≥ 1 - 1/K, and its vote would be 0 or negative."""
        return self.error >= 1 - Fraction(1, self.classes)

    def after(self) -> list[Rational]:
        """The weights of the next round, if there is one."""
        # With a rate the factors no longer make the sum 1, so that it is divided out.
        if self.rate != 1:
            factor = factor_by_rate(self.error, self.classes, self.rate)
            weights = [
                weight * factor if miss else weight for weight, miss in zip(self.weights, self.missed, strict=True)
            ]
            return [Fraction(weight) / sum(weights) for weight in weights]
        return reweighted(self.weights, self.missed, self.classes)


def kept(rounds: Sequence[WeightedRound]) -> Sequence[WeightedRound]:
    """The rounds whose trees vote.

    A tree without a mistake would have an infinite vote: it is the only one kept. A tree that is no better than chance
    is left out, unless there is no other.

    Args:
        rounds: all rounds, at least one.
    """
    *before, last = rounds
    if last.is_perfect:
        return [last]
    return (before or [last]) if last.is_chance else rounds


MOST_BITS = 240
"""The most bits of a grid. A draw distinguishes 2^256 numbers, and a grid may have a few more units than 2^bits."""


Algorithm: TypeAlias = Literal["m1", "samme"]


@dataclass(frozen=True, kw_only=True)
class AdaBoost(EnsembleLearner):
    """The learner.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> table = textbook("li-hang-8.1")
        >>> boosted = AdaBoost(trees=3).grow(table)
        >>> for tree, alpha, *_ in boosted.members:
        ...     print(tree.nodes[0].test.name, round(float(alpha), 4))
        x<=2.5 0.4236
        x<=8.5 0.6496
        x<=5.5 0.752
        >>> boosted.accuracy(table)
        Fraction(1, 1)

    Source:
        [N4 XGBoost: deliberate practice], [N4 XGBoost: resampling], [LiHang2019 §8.1.2 algorithm 8.1],
        [FreundSchapire1997 §5.1], [ZhuZouRossetHastie2009 SAMME]. N4 has this under the name of XGBoost, which
        neither draws by weights nor votes.
    """

    name: ClassVar[str] = "adaboost"

    conflicts = (
        Conflict(
            ("resample", "bits"),
            lambda learner: learner.resample and learner.bits is None,
            lambda _: "rows are drawn by weights of a bounded length: bits may not be None",
        ),
    )

    trees: int = described(100, words="the largest number of rounds")
    base: Options = described(
        CART(criterion="misclassification", max_depth=1, min_samples_split=0, min_samples_leaf=0),
        words="grows the trees. The weights that it is given add up to those of the table, so that its bounds on "
        "weights mean what they mean for one tree; by default it has none",
    )
    algorithm: Algorithm = described(
        "m1",
        word(Algorithm),
        "`m1` stops at an error of 1/2; `samme` at 1 - 1/K, and its votes are `coefficient_of_classes`. For two "
        "classes they are the same",
    )
    resample: bool = described(False, TRUTH, "whether each tree is grown from rows that are drawn by their weights")
    rate: Rational = described(
        1,
        AMOUNT,
        "ν, by which the logarithms of the factors of the weights, and the votes, are multiplied",
        since="2026-11-26",
    )
    seed: int = described(0, SEED, "the seed of the draws")
    bits: int | None = described(
        64,
        whole(8, MOST_BITS, or_none=True),
        "the length of the weights, which are put on a grid. None: they stay exact, however long they become",
    )

    def grow(self, table: Table, progress: Callable[[int], None] | None = None, jobs: int = 1) -> Ensemble:
        """The ensemble for a table; see `EnsembleLearner.grow`. A round waits for the one before, whatever `jobs` says.

        Raises:
            InputError: the target is a number; or as the learner of the trees does.

        Source:
            [LiHang2019 §8.1.2 algorithm 8.1], [FreundSchapire1997 §5.1]
        """
        return self.of_rounds(table, kept(list(counted(self.rounds(table), progress))))

    def of_rounds(self, table: Table, rounds: Sequence[WeightedRound]) -> Ensemble:
        """The ensemble of the rounds whose trees vote."""
        return self.ensemble(table, (Member(found.tree, self.vote(found), found.drawn) for found in rounds), "vote")

    def rounds(self, table: Table) -> Iterator[WeightedRound]:
        """The rounds, each computed on demand; `kept` selects those that vote.

        Source:
            [N4 XGBoost: deliberate practice], [LiHang2019 §8.1.2 algorithm 8.1], [FreundSchapire1997 §5.1]
        """
        check_table(table)
        target = table.schema.target
        if target.values is None:
            raise InputError(f"{target.name} is a number, and AdaBoost is for classes; a boosting tree is for numbers")
        # Classes that no row has would make guessing look harder than it is.
        classes = 2 if self.algorithm == "m1" else len(set(table.codes(target.name)))
        right, total = truth(table), sum(table.weighted())
        weights: Sequence[Rational] = [Fraction(weight) / total for weight in table.weighted()]
        for number in range(1, self.trees + 1):
            drawn = self._drawn(weights, number) if self.resample else None
            rows = training_rows(table, weights, drawn)
            tree = self.base.grow(rows)
            # Judged on the rows of the table, also those that were not drawn: their weights have to change, too. A
            # drawn sample may lack a value; its rows then get the majority.
            missed = map(ne, map(tree.answer, tree.ends_of(table, "majority")), right)
            this_round = WeightedRound(number, weights, drawn, rows, tree, list(missed), classes, self.rate)
            yield this_round
            if this_round.is_perfect or this_round.is_chance:
                return
            # Rounded between the rounds, and not within: a round is exact for the weights that it was given.
            weights = on_grid(this_round.after(), self.bits)

    def vote(self, found: WeightedRound) -> Number:
        """The weight of the vote of a round's tree; for a single tree it does not matter."""
        if found.is_perfect or found.is_chance:
            return 1
        return self.coefficient(found.error, found.classes)

    def coefficient(self, error: Number, classes: Number) -> Number:
        """α_m of the algorithm, times ν."""
        found = coefficient(error) if self.algorithm == "m1" else coefficient_of_classes(error, classes)
        return found if self.rate == 1 else self.rate * found

    def _drawn(self, weights: Sequence[Rational], number: int) -> tuple[int, ...]:
        return drawn_by_weight(weights, len(weights), Chance(self.seed, f"adaboost {number}".encode("ascii")))

    def rounds_of(self, ensemble: Ensemble, table: Table) -> Iterator[WeightedRound]:
        """The rounds that grew an ensemble, computed again (`once_more`)."""
        return once_more(kept(list(self.rounds(table))), ensemble)

    def decided(self, ensemble: Ensemble, table: Table) -> Iterator[tuple[Learner, Table]]:
        """The learner and the rows of each tree; see `EnsembleLearner.decided`."""
        return ((self.base, found.rows) for found in self.rounds_of(ensemble, table))
