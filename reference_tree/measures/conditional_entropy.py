r"""Conditional entropy: the remaining uncertainty of the class when the outcome of a test is known.

A test splits a sample into a part for each outcome. Each part has its own class distribution, with its own
entropy; the conditional entropy is the average of these, weighted by the shares of the parts in the sample.

1. `joint_distribution` and `conditional_distribution` turn the sample partition into probabilities.
2. `conditional_entropy` is the average entropy of the rows.
3. `joint_entropy` is the entropy of all cells together; the chain rule H(X, Y) = H(X) + H(Y|X) relates the two.

A *table* is the sample partition s_ij: a row for each outcome A_i, a column for each class C_j.
"""

from __future__ import annotations

from collections.abc import Sequence

from reference_tree.exact.log_sums import Number
from reference_tree.exact.logarithms import Base
from reference_tree.exact.worked import formula
from reference_tree.measures.entropy import entropy, total

Table = Sequence[Sequence[Number]]


def by_class(table: Table) -> list[Number]:
    """The weight of each class: the column sums of the sample partition.

    Raises:
        ValueError: the table has no rows, or rows of different length.

    Example:
        >>> by_class([[0, 4], [2, 3], [3, 2]])
        [5, 9]
    """
    if not table:
        raise ValueError("the sample partition has no rows")
    try:
        # Transposed at once: rows of different lengths are noticed here, before a class could be counted in the column
        # of another one.
        columns = list(zip(*table, strict=True))
    except TypeError:
        raise ValueError("the sample partition is a table: a row of weights for each outcome") from None
    except ValueError:
        raise ValueError("the rows of the sample partition have different lengths") from None
    return [sum(column) for column in columns]


@formula
def weight(row: Sequence[Number]) -> Number:
    r"""The weight of one outcome: a row sum of the sample partition.

    $$|A_i| = \sum_{j=1}^{K} s_{ij}$$

    Args:
        row: a row of the sample partition, which may have no weight.

    Example:
        >>> weight([2, 3]) == 5
        True

    Source:
        [N0 EN §1]
    """
    return sum(row)


def by_outcome(table: Table) -> list[Number]:
    """The weight of each outcome: the row sums of the sample partition.

    Example:
        >>> [str(n) for n in by_outcome([[0, 4], [2, 3], [3, 2]])]
        ['4', '5', '5']
    """
    return [weight(row) for row in table]


# Both distributions divide by a sum that `total` has found positive: an outcome without rows has no distribution of its
# own, and is refused.
def joint_distribution(table: Table) -> list[list[Number]]:
    r"""The joint distribution of outcome and class.

    $$p_{ij} = P(X = x_i, Y = y_j) = \frac{s_{ij}}{|S|}$$

    Args:
        table: the sample partition s_ij.

    Example:
        >>> [[str(p) for p in row] for row in joint_distribution([[1, 0], [1, 2]])]
        [['1/4', '0'], ['1/4', '1/2']]

    Source:
        [N0 CN §2 (1)]
    """
    n = total(by_class(table))
    return [[cell / n for cell in row] for row in table]


def conditional_distribution(row: Sequence[Number]) -> list[Number]:
    r"""The distribution of the class among the rows of one outcome.

    $$P(Y = y_j \mid X = x_i) = \frac{p_{ij}}{p_i} = \frac{s_{ij}}{s_{i\cdot}}$$

    Args:
        row: one row of the sample partition, or of joint probabilities, which have the same ratios.

    Example:
        >>> [str(p) for p in conditional_distribution([2, 3])]
        ['2/5', '3/5']

    Source:
        [N0 CN §2 (2)]. N0 calls it Bayes' formula; it is the definition of conditional probability.
    """
    n = total(row)
    return [cell / n for cell in row]


# An outcome without rows has no distribution, and the share 0 in the average: it is left out, as a class without rows
# is in an entropy. The test therefore may have outcomes that no row of the node has.
@formula
def conditional_entropy(table: Table, base: Base = 2) -> Number:
    r"""The empirical conditional entropy of the class, given the outcome.

    $$H(S|A) = \sum_{i=1}^{V} \frac{|A_i|}{|S|} H(A_i)$$

    Args:
        table: the sample partition s_ij: for each outcome A_i the weight of each class; an empty row adds nothing.
        base: the base of the logarithm; 2 gives bits.

    Returns:
        H(S|A), between 0 and H(S).

    Raises:
        ValueError: a cell is negative, none is positive, or the rows differ in length.

    Example:
        >>> outlook = [[0, 4], [2, 3], [3, 2]]      # overcast, rainy, sunny; no, yes
        >>> float(conditional_entropy(outlook))
        0.6935361388961919
        >>> conditional_entropy([[1, 0], [0, 1]]) == 0      # the outcome determines the class
        True

    Source:
        [N0 CN §2 (3)] for a row, [N0 CN §2 (4)] for their average, [N0 CN §3], [N0 EN §2 eq. (2)], [N1 §1.3 eq. (7)],
        [N1 §1.3 empirical], [N2 §2.1 step 5], [Shannon1948 §6]. The middle line of N0's equation has the joint
        probability where the conditional one belongs; the last line is right. N0's example gives -2 for two pure rows,
        where both terms are 0. N2's step leaves out that the average is weighted; its formula has the weights.
    """
    n = total(by_class(table))
    return sum(total(row) / n * entropy(row, base) for row in table if any(row))


@formula
def joint_entropy(table: Table, base: Base = 2) -> Number:
    r"""The entropy of outcome and class together.

    $$H(X, Y) = \sum_{i,j} p_{ij} \log_b \frac{1}{p_{ij}} = H(X) + H(Y|X)$$

    Args:
        table: the sample partition s_ij.
        base: the base of the logarithm.

    Example:
        >>> joint_entropy([[1, 1], [1, 1]])
        2

    Source:
        [Shannon1948 §6], [CoverThomas2006 §2.2]
    """
    # The shape of the table does not matter here: an outcome and a class together are one outcome of a pair.
    return entropy([cell for row in table for cell in row], base)
