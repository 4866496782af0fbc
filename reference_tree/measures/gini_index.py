r"""The Gini index: the probability that two draws from a sample differ.

The Gini value of a sample is the probability that two rows, drawn with replacement, have different classes. It is 0 for
a pure sample and largest, 1 - 1/K, when all K classes are equally common. Unlike an entropy it is a rational number.

1. `gini` is the value of one sample.
2. `gini_index` is the average over the parts of a partition, weighted by their shares: the impurity after a split.
3. `binary_gini_index` is the same for one outcome against all others, CART's test of a categorical attribute.
4. `gini_decrease` is the decrease of the Gini value by a split.
"""

from __future__ import annotations

from collections.abc import Sequence

from reference_tree.exact.log_sums import Number
from reference_tree.exact.worked import formula
from reference_tree.measures.conditional_entropy import Table, by_class
from reference_tree.measures.entropy import total
from reference_tree.measures.measure import Measure, Quantity


# Σ p_k·(1 - p_k) = 1 - Σ p_k²: a rational function of counts. So two tests compare by integers, and no tie needs a
# proof.
@formula
def gini(counts: Sequence[Number]) -> Number:
    r"""The Gini value of a sample.

    $$\mathrm{Gini}(S) = 1 - \sum_{j=1}^{K} \left(\frac{|C_j|}{|S|}\right)^2$$

    Args:
        counts: |C_1|, ..., |C_K|, none negative, at least one positive.

    Returns:
        Gini(S), between 0 and 1 - 1/K; a fraction if the counts are exact.

    Raises:
        ValueError: a count is negative, or none is positive.

    Example:
        >>> gini([9, 5]), gini([7, 0]) == 0
        (Fraction(45, 98), True)

    Source:
        [N2 §2.3 two draws], [N2 §2.3 Gini], [N2 §2.3 purity], [Gini1912], [Simpson1949], [Breiman1984 §4.3]. N2 draws
        two samples at random; they have to be drawn with replacement. Simpson has the chance that they agree, Σ p².
    """
    n = total(counts)
    return 1 - sum((c / n) ** 2 for c in counts)


@formula
def gini_index(table: Table) -> Number:
    r"""The Gini index of a test: the average Gini value of its parts.

    $$\mathrm{Gini\_index}(S, A) = \sum_{i=1}^{V} \frac{|A_i|}{|S|} \mathrm{Gini}(A_i)$$

    Args:
        table: the sample partition s_ij: for each outcome A_i the weight of each class; an empty row adds nothing.

    Returns:
        Gini_index(S, A), between 0 and Gini(S).

    Raises:
        ValueError: a cell is negative, none is positive, or the rows differ in length.

    Example:
        >>> gini_index([[0, 4], [2, 3], [3, 2]])        # outlook, three branches
        Fraction(12, 35)
        >>> gini_index([[1, 0], [0, 1], [0, 1]]) == 0       # an ID column: nothing is better
        True

    Source:
        [N2 §2.3 Gini_index], [N2 §2.3 ID column], [N2 §2.3 remedies], [Zhou2016 §4.2.3]. With a branch for each value
        this is Zhou's index; CART proper has binary tests only (`binary_gini_index`). N2 calls it 基尼系数, which
        is the name of another quantity.
    """
    n = total(by_class(table))
    return sum(total(row) / n * gini(row) for row in table if any(row))


# The other outcomes are summed up: a test of one value against the rest does not see how the rest divides.
@formula
def binary_gini_index(table: Table, i: int) -> Number:
    r"""The Gini index of one outcome against all others.

    $$\mathrm{Gini}(S, A = a_i) = \frac{|A_i|}{|S|} \mathrm{Gini}(A_i) + \frac{|S \setminus A_i|}{|S|} \mathrm{Gini}(S
    \setminus A_i)$$

    Args:
        table: the sample partition s_ij of the attribute, a row for each value.
        i: the number of the one answer, from 0.

    Example:
        >>> binary_gini_index([[0, 4], [2, 3], [3, 2]], 0)      # overcast against the rest
        Fraction(5, 14)

    Source:
        [LiHang2019 §5.5.1], [Breiman1984 §4.3]
    """
    rest = by_class([row for j, row in enumerate(table) if j != i])
    return gini_index([table[i], rest])


# Not negative, and 0 only if all parts have the shares of the whole: p·(1 - p) is strictly concave, and the shares of
# the whole are the weighted mean of those of the parts.
@formula
def gini_decrease(table: Table) -> Number:
    r"""The decrease of the Gini value by a test.

    $$\Delta \mathrm{Gini}(S, A) = \mathrm{Gini}(S) - \mathrm{Gini\_index}(S, A)$$

    Args:
        table: the sample partition s_ij.

    Returns:
        The decrease, never negative.

    Example:
        >>> gini_decrease([[0, 4], [2, 3], [3, 2]])
        Fraction(57, 490)

    Source:
        [Breiman1984 §4.3]
    """
    return gini(by_class(table)) - gini_index(table)


GINI_INDEX = Measure(name="gini_index", of=gini_index, decreases=False, strictly_concave=True)

GINI_DECREASE = Measure(
    name="gini_decrease",
    of=gini_decrease,
    rule="measure.gini",
    called="Gini decrease",
    criterion="gini",
    beside=("gini_index",),
    strictly_concave=True,
    whole=(
        Quantity(
            "Gini(D) = 1 − Σ_k p_k²",
            "how often two of them, drawn at random with replacement, have different classes",
            gini,
        ),
    ),
    steps=(
        Quantity(
            "Gini(D, A) = Σ_i r_i·Gini(D_i)",
            "the Gini index of A: the mean Gini value of its outcomes",
            "gini_index",
        ),
        Quantity(
            "ΔGini(D, A) = Gini(D) − Gini(D, A)",
            "the Gini decrease: the reduction of the Gini value by the test",
            "gini_decrease",
        ),
    ),
)
