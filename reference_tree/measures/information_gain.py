r"""Information gain: the decrease of uncertainty by a test.

It is the entropy of the class before the outcome is known, minus the conditional entropy afterwards. It is never
negative, and 0 exactly if outcome and class are independent. It is symmetric, the mutual information of the two, and
does not show a cause.

1. `information_gain` is the difference of entropies.
2. `mutual_information` is the same number from the joint distribution alone: a formula to check the first one.

Source:
    [N0 CN §3 conclusion], [N2 §2.1 purity], [N3 Measuring purity: gain]. N0 reads an influence into it; being
    symmetric, it can show none.
"""

from __future__ import annotations

from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.logarithms import Base
from reference_tree.exact.worked import formula
from reference_tree.measures.conditional_entropy import (
    Table,
    by_class,
    by_outcome,
    conditional_entropy,
    joint_distribution,
)
from reference_tree.measures.entropy import entropy
from reference_tree.measures.measure import Measure, Quantity


# Not negative, and 0 only if outcome and class are independent: knowing the outcome cannot raise the entropy on average
# [CoverThomas2006 thm. 2.6.5]. For a single outcome it can.
@formula
def information_gain(table: Table, base: Base = 2) -> Number:
    r"""The information gain of a test.

    $$g(S, A) = H(S) - H(S|A)$$

    Args:
        table: the sample partition s_ij: for each outcome A_i the weight of each class.
        base: the base of the logarithm; 2 gives bits.

    Returns:
        g(S, A), between 0 and the smaller of H(S) and H(A).

    Raises:
        ValueError: a cell is negative, none is positive, or the rows differ in length.

    Example:
        >>> outlook = [[0, 4], [2, 3], [3, 2]]
        >>> float(information_gain(outlook))
        0.24674981977443916
        >>> information_gain([[1, 1], [2, 2]]) == 0, information_gain([[1, 0], [0, 1]]) == 1
        (True, True)
        >>> ear, face, whiskers = [[1, 4], [4, 1]], [[3, 4], [2, 1]], [[1, 3], [4, 2]]      # ten animals; dogs, cats
        >>> [f"{float(information_gain(table)):.2f}" for table in (ear, face, whiskers)]
        ['0.28', '0.03', '0.12']

    Source:
        [N0 CN §4], [N0 EN §2 eq. (3)], [N1 §1.3 eq. (8)], [N2 §2.1 Gain], [N3 Gain], [N3 Information Gain: S_v], [N3
        Information Gain: ear shape], [N4 Choosing a split: weighted average], [N4 Choosing a split: information gain],
        [N4 Learning Process: all cats on the left], [N4 figure: choosing a split], [Quinlan1986 §4]. N0's example comes
        to 3 bits; it is 1, as no gain exceeds H(S). N1 writes |D_i|/D for |D_i|/|D|. N4 calls its weights w the sizes
        of the branches; they are shares of the node.
    """
    return entropy(by_class(table), base) - conditional_entropy(table, base)


@formula
def mutual_information(table: Table, base: Base = 2) -> Number:
    r"""The mutual information of outcome and class: the information gain from the joint distribution alone.

    $$I(X; Y) = \sum_{i,j} p_{ij} \log_b \frac{p_{ij}}{p_{i\cdot}\, p_{\cdot j}}$$

    Args:
        table: the sample partition s_ij.
        base: the base of the logarithm.

    Example:
        >>> mutual_information([[0, 4], [2, 3], [3, 2]]) == information_gain([[0, 4], [2, 3], [3, 2]])
        True

    Source:
        [CoverThomas2006 §2.3]
    """
    # A cell without rows adds 0·log 0 = 0. Every other cell has two positive margins, so that no quotient is undefined.
    joint = joint_distribution(table)
    p_outcome, p_class = by_outcome(joint), by_class(joint)
    return sum(
        p * log(p / (p_outcome[i] * p_class[j]), base) for i, row in enumerate(joint) for j, p in enumerate(row) if p
    )


ENTROPY = Quantity("H(D) = Σ_k p_k·log2(1/p_k)", "the entropy of their classes, in bits", entropy, "bits")
REMAINING_ENTROPY = Quantity(
    "H(D|A) = Σ_i r_i·H(D_i)",
    "the conditional entropy: the mean entropy of the outcomes of A",
    conditional_entropy,
    "bits",
)
GAIN = Quantity("g(D, A) = H(D) − H(D|A)", "the information gain of A: the reduction of the entropy", "gain", "bits")

INFORMATION_GAIN = Measure(
    name="gain",
    of=information_gain,
    rule="measure.information-gain",
    called="gain",
    criterion="entropy",
    strictly_concave=True,
    whole=(ENTROPY,),
    steps=(REMAINING_ENTROPY, GAIN),
)
