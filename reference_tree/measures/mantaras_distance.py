r"""The distance of de Mántaras: how far the partition by a test is from the partition into classes.

Two partitions of a sample are alike if each tells the other. What the one does not tell of the other is a conditional
entropy, and the sum of both directions is a metric between partitions. Divided by the joint entropy it lies between 0
(the partitions are the same) and 1 (neither tells anything of the other). An attribute with
many values is finer than the classes, which adds to its distance, as split information lowers the gain ratio; a number
for each row can still be the nearest.

1. `mantaras_distance` is that distance. The best test is the nearest.
2. `mantaras_similarity` is 1 less the distance, the information gain divided by the joint entropy: the best test
   has the largest, as with every other measure.
"""

from __future__ import annotations

from reference_tree.exact.log_sums import Number
from reference_tree.exact.logarithms import Base
from reference_tree.exact.worked import formula
from reference_tree.measures.conditional_entropy import Table, by_class, by_outcome, joint_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.information_gain import ENTROPY, GAIN, REMAINING_ENTROPY, information_gain
from reference_tree.measures.measure import Measure, Quantity


@formula
def mantaras_distance(table: Table, base: Base = 2) -> Number:
    r"""The distance between the partition by a test and the partition into classes.

    $$d_N(S, A) = \frac{H(Y \mid A) + H(A \mid Y)}{H(Y, A)}
    = \frac{2\, H(Y, A) - H(Y) - H(A)}{H(Y, A)}$$

    Args:
        table: the sample partition s_ij.
        base: of the logarithm; the distance is the same for each.

    Returns:
        d_N(S, A), between 0 (each answer is one class, and each class one answer) and 1 (answers and classes are
        independent).

    Raises:
        ValueError: a cell is negative, or none is positive.
        ZeroDivisionError: all rows have one class and one outcome.

    Example:
        >>> mantaras_distance([[2, 0], [0, 2]]), mantaras_distance([[1, 1], [2, 2]])
        (0, 1)
        >>> float(mantaras_distance([[0, 4], [2, 3], [3, 2]]))        # outlook
        0.8913447485892436

    Source:
        [Mantaras1991 §3]
    """
    # H(Y|A) = H(Y, A) - H(A), and the same with both exchanged: three entropies are enough for the two conditional
    # ones. The joint entropy is 0 only if one cell has all rows; a node like that is pure, and a leaf before any test
    # is scored.
    joint = joint_entropy(table, base)
    return (2 * joint - entropy(by_class(table), base) - entropy(by_outcome(table), base)) / joint


@formula
def mantaras_similarity(table: Table, base: Base = 2) -> Number:
    r"""One less the distance of de Mántaras: the information gain, divided by the joint entropy.

    $$1 - d_N(S, A) = \frac{g(S, A)}{H(Y, A)}$$

    Args:
        table: the sample partition s_ij.
        base: of the logarithm.

    Returns:
        Between 0 and 1; the largest belongs to the test that is nearest to the classes.

    Raises:
        ValueError: a cell is negative, or none is positive.
        ZeroDivisionError: all rows have one class and one outcome.

    Example:
        >>> mantaras_similarity([[2, 0], [0, 2]])
        1

    Source:
        [Mantaras1991 §3]
    """
    return information_gain(table, base) / joint_entropy(table, base)


MANTARAS_SIMILARITY = Measure(
    name="mantaras_similarity",
    of=mantaras_similarity,
    rule="measure.mantaras",
    called="similarity",
    criterion="mantaras",
    whole=(ENTROPY,),
    steps=(
        REMAINING_ENTROPY,
        # The gain is no score of these candidates, so the derivation computes it by its formula, and not by its name.
        GAIN._replace(of=information_gain),
        Quantity(
            "H(D, A) = Σ_i Σ_k p_ik·log2(1/p_ik)",
            "the joint entropy of the classes and the outcomes, p_ik being the share of class k with outcome i",
            joint_entropy,
            "bits",
        ),
        Quantity("s(D, A) = g(D, A) / H(D, A)", "1 less the distance of de Mántaras", "mantaras_similarity"),
    ),
)
