r"""Misclassification: the costs of mistakes.

The majority class and the Gini index assume that every mistake costs the same, and that the classes are as common in
the population as in the sample. If not, a *loss matrix* states the cost of predicting i where j is right, and *priors*
state how common each class is in the population.

1. `expected_costs` are the costs of each possible prediction; that of a leaf is the cheapest.
2. `prior_weights` scale the counts of the classes so that the classes are as common as the priors say.
3. `altered_priors` include the costs in the priors: a class whose mistakes are expensive counts as if it were more
   common. Any impurity then takes the costs into account.
4. `generalized_gini` includes them in the Gini value itself.
5. `Costs` are priors and losses for the classes of a table; `Costs.cheapest` is the prediction of a leaf.

If every mistake costs the same, the cheapest prediction is one of the most common classes, and
`misclassification_error` is its share of mistakes, by which boosting chooses stumps.

A loss matrix C(i|j) has a row for each true class j and a column for each prediction i, and zeros where both are the
same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from reference_tree.data.errors import InputError, listed
from reference_tree.data.sample import Counts, Partition
from reference_tree.data.schema import Attribute
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import formula
from reference_tree.measures.conditional_entropy import Table, by_class
from reference_tree.measures.entropy import total
from reference_tree.measures.measure import Measure, Quantity

Priors: TypeAlias = Mapping[str, Rational]
"""Class → its prior; only the ratios matter."""
Loss: TypeAlias = Mapping[str, Mapping[str, Rational]]
"""True class → prediction → the cost. A pair that is not named costs 1, the right prediction nothing."""


# Concave, but not strictly: a test whose parts all have the majority of the whole scores 0, however pure one of them
# is. Two parts that differ in purity alone are not told apart [Breiman1984 §4.1]; so CART grows by another measure.
@formula
def misclassification_error(counts: Sequence[Number]) -> Number:
    r"""The share of mistakes of the majority class.

    $$R(S) = 1 - \max_j \frac{|C_j|}{|S|}$$

    Args:
        counts: |C_1|, ..., |C_K|, none negative, at least one positive.

    Returns:
        R(S), between 0 and 1 - 1/K.

    Raises:
        ValueError: a count is negative, or none is positive.

    Example:
        >>> misclassification_error([9, 5]), misclassification_error([7, 0]) == 0
        (Fraction(5, 14), True)

    Source:
        [Breiman1984 §4.1]
    """
    n = total(counts)
    return 1 - max(c / n for c in counts)


@formula
def misclassification_rate(table: Table) -> Number:
    r"""The share of mistakes if each part predicts its own majority: the training error of a stump.

    $$R(S, A) = \sum_{i=1}^{V} \frac{|A_i|}{|S|} R(A_i)$$

    Args:
        table: the sample partition s_ij; an empty row adds nothing.

    Example:
        >>> misclassification_rate([[3, 0], [3, 4]])        # x <= 2.5 in table 8.1 of Li Hang
        Fraction(3, 10)

    Source:
        [Breiman1984 §4.1], [LiHang2019 §8.1.3]
    """
    n = total(by_class(table))
    return sum(total(row) / n * misclassification_error(row) for row in table if any(row))


@formula
def misclassification_decrease(table: Table) -> Number:
    r"""The decrease of the misclassification error by a test.

    $$\Delta R(S, A) = R(S) - R(S, A)$$

    Args:
        table: the sample partition s_ij.

    Returns:
        The decrease, never negative. It is 0 if all parts have the majority of the whole, however much purer they are:
        that is why trees are grown by the Gini value or the entropy.

    Example:
        >>> misclassification_decrease([[3, 0], [3, 4]]), misclassification_decrease([[1, 3], [2, 8]]) == 0
        (Fraction(1, 10), True)

    Source:
        [Breiman1984 §4.1], [LiHang2019 §8.1.3]
    """
    return misclassification_error(by_class(table)) - misclassification_rate(table)


def expected_costs(counts: Sequence[Number], loss: Table) -> list[Number]:
    r"""The cost of each prediction on a sample.

    $$r_i = \sum_{j=1}^{K} C(i \mid j)\, |C_j|$$

    Args:
        counts: |C_1|, ..., |C_K|; under priors, the adjusted weights.
        loss: C(i|j), a row for each true class.

    Returns:
        r_1, ..., r_K. The smallest one belongs to the prediction of a leaf.

    Example:
        >>> expected_costs([9, 5], [[0, 1], [5, 0]])        # to miss the second class is five times as bad
        [25, 9]

    Source:
        [Breiman1984 §2.4]
    """
    # The matrix has a row for each true class; C(i|j) is read with the prediction first.
    return [sum(row[answer] * count for row, count in zip(loss, counts, strict=True)) for answer in range(len(loss[0]))]


def prior_weights(counts: Sequence[Number], priors: Sequence[Number]) -> list[Number]:
    r"""The weight of a row of each class that makes the classes as common as the priors say.

    $$w_j = \frac{\pi_j}{|C_j|} \qquad\text{so that}\qquad p(j, t) = w_j\, |C_j(t)|$$

    Args:
        counts: |C_1|, ..., |C_K| of the whole sample, at the root.
        priors: π_1, ..., π_K; they need not add up to 1, since only their ratios matter.

    Returns:
        w_1, ..., w_K; for a class without rows π_j, which has no effect.

    Example:
        >>> from fractions import Fraction
        >>> prior_weights([Fraction(9), Fraction(5)], [1, 1])
        [Fraction(1, 9), Fraction(1, 5)]

    Source:
        [Breiman1984 §2.4]
    """
    # A class without rows has no row to be weighed: any factor will do, and `Costs.of` replaces one that is 0.
    return [prior / count if count else prior for prior, count in zip(priors, counts, strict=True)]


def altered_priors(priors: Sequence[Number], loss: Table) -> list[Number]:
    r"""Priors that combine priors and costs.

    $$\pi'_j \propto \pi_j \sum_{i=1}^{K} C(i \mid j)$$

    For two classes, unit costs under these priors are equivalent to the costs themselves. For more classes they are an
    approximation: the costs of the different mistakes with one class are added up.

    Args:
        priors: π_1, ..., π_K.
        loss: C(i|j), a row for each true class.

    Example:
        >>> altered_priors([1, 1], [[0, 1], [5, 0]])
        [1, 5]

    Source:
        [Breiman1984 §4.4.3]
    """
    # They are not divided by their sum: only ratios matter, as in all priors here.
    return [prior * sum(row) for prior, row in zip(priors, loss, strict=True)]


# The shares of a pair are multiplied in both orders, so that only C(i|j) + C(j|i) matters: of an asymmetric loss this
# measure sees the symmetric part alone.
@formula
def generalized_gini(counts: Sequence[Number], loss: Table) -> Number:
    r"""The Gini value with costs: the average cost of predicting one draw by another.

    $$\mathrm{Gini}_C(S) = \sum_{i \neq j} C(i \mid j)\, \frac{|C_i|}{|S|} \frac{|C_j|}{|S|}$$

    Args:
        counts: |C_1|, ..., |C_K|, none negative, at least one positive.
        loss: C(i|j), a row for each true class.

    Returns:
        The value; with unit costs, that of `gini`. It depends only on the sum of C(i|j) and C(j|i): for two classes it
        is a multiple of the plain value, whatever the costs.

    Raises:
        ValueError: a count is negative, or none is positive.

    Example:
        >>> generalized_gini([1, 1, 2], [[0, 1, 1], [1, 0, 1], [4, 4, 0]])
        Fraction(11, 8)

    Source:
        [Breiman1984 §4.4.2]
    """
    n = total(counts)
    return sum(
        loss[j][i] * (counts[i] / n) * (counts[j] / n) for i in range(len(counts)) for j in range(len(counts)) if i != j
    )


# The form Σ C(i|j)·p_i·p_j is not concave for every loss matrix, so that the decrease can be negative.
@formula
def generalized_gini_decrease(table: Table, loss: Table) -> Number:
    r"""The decrease of the Gini value with costs by a test.

    $$\Delta = \mathrm{Gini}_C(S) - \sum_{i=1}^{V} \frac{|A_i|}{|S|} \mathrm{Gini}_C(A_i)$$

    Args:
        table: the sample partition s_ij.
        loss: C(i|j), a row for each true class.

    Returns:
        The decrease. With some costs it can be negative: this impurity is not concave for every loss matrix.

    Raises:
        ValueError: a cell is negative, none is positive, or the rows differ in length.

    Example:
        >>> generalized_gini_decrease([[1, 1, 0], [0, 0, 2]], [[0, 1, 1], [1, 0, 1], [4, 4, 0]])
        Fraction(9, 8)

    Source:
        [Breiman1984 §4.4.2]
    """
    whole = by_class(table)
    left = sum(total(row) / total(whole) * generalized_gini(row, loss) for row in table if any(row))
    return generalized_gini(whole, loss) - left


@dataclass(frozen=True)
class Costs:
    """Priors and losses for the classes of a table.

    Args:
        weights: the weight of a row of each class under the priors.
        loss: a row for each true class, a column for each prediction.

    Example:
        >>> play = Attribute("play", ("no", "yes"))
        >>> Costs.of(play, (5, 9), {"no": 1, "yes": 1}, None)
        Costs(weights=(9, 5), loss=((0, 1), (1, 0)))
    """

    weights: tuple[int, ...]
    loss: tuple[tuple[Rational, ...], ...]

    @classmethod
    def of(cls, target: Attribute, everyone: Counts, priors: Priors | None, loss: Loss | None) -> Costs:
        """The priors and losses for a target.

        Args:
            target: the classes.
            everyone: the weight of each class at the root.
            priors: how common the classes are; None if as common as in the sample.
            loss: the costs of mistakes; None if each costs 1.

        Raises:
            InputError: the target is a number; or a class is unknown, has rows and no prior, or all mistakes with it
                cost nothing.

        Source:
            [Breiman1984 §2.4], [Breiman1984 §4.4]
        """
        if target.values is None:
            raise InputError(f"the target {target.name} is continuous: only classes have priors and losses")
        matrix = _matrix(target, loss or {})
        if priors is None:
            # Every row weighs 1: the classes are as common as in the sample.
            return cls((1,) * len(target.domain), matrix)
        _check_names(target, priors)
        given = [priors.get(label, 0) for label in target.domain]
        for label, prior, count in zip(target.domain, given, everyone, strict=True):
            if count and not prior:
                raise InputError(f"the class {label} has rows, and needs a prior above 0")
        # Scaled by the counts of the whole sample, not of the node: the weight of a row does not change as the tree
        # grows.
        weights = prior_weights([Fraction(count) for count in everyone], given)
        return cls(_integers([weight or 1 for weight in weights]), matrix)  # a class of weight 0 has no rows

    def altered(self) -> Costs:
        """These costs with the losses included in the weights: unit costs under altered priors.

        Example:
            >>> Costs((9, 5), ((0, 1), (5, 0))).altered().weights
            (9, 25)

        Source:
            [Breiman1984 §4.4]
        """
        return Costs(_integers(altered_priors(self.weights, self.loss)), self.loss)

    def weighed(self, row: Counts) -> Counts:
        """The weights of the classes, adjusted by the priors."""
        return tuple(weight * count for weight, count in zip(self.weights, row, strict=True))

    def cheapest(self, target: Attribute, counts: Counts) -> list[str]:
        """The classes of least cost as a prediction, in class order.

        Args:
            target: the classes.
            counts: the weight of each class, or its share.

        Source:
            [Breiman1984 §2.4]
        """
        # Costs are exact, so equal ones are a tie, and are listed as such.
        each = expected_costs(self.weighed(counts), self.loss)
        return [label for label, cost in zip(target.domain, each, strict=True) if cost == min(each)]

    def weighed_table(self, table: Partition) -> Partition:
        """A table with all rows adjusted by the priors."""
        return Partition(table.outcomes, tuple(map(self.weighed, table.rows)), self.weighed(table.unknown))


def _matrix(target: Attribute, loss: Loss) -> tuple[tuple[Rational, ...], ...]:
    _check_names(target, loss)
    for right, row in loss.items():
        _check_names(target, row)
        if row.get(right):
            raise InputError(f"a correct prediction costs nothing, and that of {right} is given a loss of {row[right]}")
    matrix = tuple(
        tuple(0 if answer == right else loss.get(right, {}).get(answer, 1) for answer in target.domain)
        for right in target.domain
    )
    # Altered priors would give a class whose mistakes cost nothing the weight 0: its rows would vanish from every
    # score.
    for right, costs in zip(target.domain, matrix, strict=True):
        if not any(costs) and len(costs) > 1:
            raise InputError(f"no mistake with the class {right} costs anything; at least one has to")
    return matrix


def _check_names(target: Attribute, named: Mapping[str, object]) -> None:
    if strange := [label for label in named if label not in target.domain]:
        raise InputError(f"{target.name} has no class {strange[0]!r}; it has {listed(target.domain)}")


def _integers(weights: Sequence[Rational]) -> tuple[int, ...]:
    """The smallest integers in the same ratios."""
    # A score depends on shares alone, so a common factor is free to choose. With integers, weighed counts stay
    # integers.
    common = lcm(*(Fraction(weight).denominator for weight in weights))
    whole = [int(weight * common) for weight in weights]
    divisor = gcd(*whole) or 1
    return tuple(weight // divisor for weight in whole)


MISCLASSIFICATION_RATE = Measure(name="misclassification_rate", of=misclassification_rate, decreases=False)

MISCLASSIFICATION_DECREASE = Measure(
    name="misclassification_decrease",
    of=misclassification_decrease,
    rule="measure.misclassification",
    called="error decrease",
    criterion="misclassification",
    beside=("misclassification_rate",),
    whole=(
        Quantity("R(D) = 1 − max_k p_k", "the share of them that are not of the majority", misclassification_error),
    ),
    steps=(
        Quantity(
            "R(D, A) = Σ_i r_i·R(D_i)",
            "the share that is left when each part has its own majority",
            "misclassification_rate",
        ),
        Quantity(
            "ΔR(D, A) = R(D) − R(D, A)",
            "the error decrease: the reduction of the error by the test",
            "misclassification_decrease",
        ),
    ),
)
