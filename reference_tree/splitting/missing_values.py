r"""Missing values: the score of a test where some rows have no value, and the routes of these rows.

A row with a missing value has no branch of its own, but it is not left out, since its other values are known. So

- the gain of a test is that of the rows with a value, multiplied by their share of the weight (problem a);
- a row without the value goes down *every* branch, a fraction of it in each (problem b).

1. `known_fraction` ρ is the share of the sample with a value, `known_class_shares` p̃_k the shares of the classes among
   these rows, and `branch_shares` r̃_v the shares of the outcomes.
2. `gain_with_missing` is ρ times the information gain among the rows with a value. The largest one wins.
3. `ratio_with_missing` divides that gain by the split information, which has two definitions:
   `split_information_of_known` counts the known outcomes only, `split_information_with_unknown` counts "unknown" as one
   more outcome, as C4.5 does.
4. `reference_tree.data.questions.child_weight` is the weight of a row without the value in a branch; the store of rows
   computes it. The computation is then repeated in each child.

A *table* is the sample partition s_ij of the known outcomes, a row for each outcome and a column for each class;
*unknown* are the weights of the classes among the rows without the value. All shares are ratios of weights, not of
numbers of rows: below the first missing value the two differ.

Source:
    [N2 §4.2 problem a], [N2 §4.2 problem b], [N2 §4.2 summary], [N2 §4.2 summary step 6], [N2 §4.2 summary step 8],
    [Zhou2016 §4.4.2], [Quinlan1989]. N2's summary takes ratios of counts, which is right only while all weights are 1;
    it chooses among values where attributes are meant; and going back to its first step, it would set all weights back
    to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from reference_tree.exact.log_sums import Number
from reference_tree.exact.logarithms import Base
from reference_tree.exact.worked import formula
from reference_tree.measures.conditional_entropy import Table, by_class, by_outcome
from reference_tree.measures.entropy import entropy, total
from reference_tree.measures.information_gain import information_gain
from reference_tree.twins import twin

SplitInformation: TypeAlias = Callable[[Table, Sequence[Number]], Number]
"""The split information, from the table and the unknown weights: the gain ratios of programs differ in this rule."""


# A weight of 0 in all known rows is a ρ of 0, and no error: an attribute may be missing in every row of a node.
@formula
def known_fraction(table: Table, unknown: Sequence[Number]) -> Number:
    r"""The share of the sample whose value is known.

    $$\rho = \frac{\sum_{x \in \tilde D} w_x}{\sum_{x \in D} w_x}$$

    Args:
        table: the sample partition of the known outcomes.
        unknown: the weight of each class among the rows without the value.

    Returns:
        ρ, between 0 (no row has a value) and 1 (every row has one).

    Raises:
        ValueError: a weight is negative, or none is positive.

    Example:
        >>> texture = [[3, 0], [1, 6], [4, 1]]      # of fifteen melons: blurred, clear, slightly blurred; bad, good
        >>> known_fraction(texture, [1, 1]), known_fraction(texture, [0, 0]) == 1
        (Fraction(15, 17), True)

    Source:
        [N2 §4.2 reasons], [N2 §4.2 weights], [N2 §4.2 summary step 5], [Zhou2016 §4.4.2]. N2's summary calls D a
        subset; it is all rows of the node.
    """
    known = by_class(table)
    everyone = total([*known, *unknown])
    return total(known) / everyone if any(known) else 0


def known_class_shares(table: Table) -> list[Number]:
    r"""The share of each class among the rows whose value is known.

    $$\tilde p_k = \frac{\sum_{x \in \tilde D_k} w_x}{\sum_{x \in \tilde D} w_x}$$

    Args:
        table: the sample partition of the known outcomes.

    Returns:
        p̃_1, ..., p̃_K; they add up to 1.

    Raises:
        ValueError: no outcome is known.

    Example:
        >>> [str(p) for p in known_class_shares([[3, 0], [1, 6], [4, 1]])]
        ['8/15', '7/15']

    Source:
        [N2 §4.2 weights], [Zhou2016 §4.4.2]
    """
    known = by_class(table)
    n = total(known)
    return [weight / n for weight in known]


@twin
def branch_shares(table: Table) -> list[Number]:
    r"""The share of each outcome among the rows whose value is known.

    $$\tilde r_v = \frac{\sum_{x \in \tilde D^v} w_x}{\sum_{x \in \tilde D} w_x}$$

    A row without the value goes down the branch v to this extent, in training and in prediction.

    Args:
        table: the sample partition of the known outcomes.

    Returns:
        r̃_1, ..., r̃_V; they add up to 1, and a branch that no row takes has 0.

    Raises:
        ValueError: no outcome is known.

    Example:
        >>> [str(r) for r in branch_shares([[3, 0], [1, 6], [4, 1]])]
        ['1/5', '7/15', '1/3']

    Source:
        [N2 §4.2 weights], [N2 §4.2 summary step 7], [Zhou2016 §4.4.2]
    """
    known = by_outcome(table)
    n = total(known)
    return [weight / n for weight in known]


# Written as a product, and not as a mean over all rows: Ent(D̃) is of the known rows, so that an attribute is not
# blamed for classes it was never asked about.
@formula
def gain_with_missing(table: Table, unknown: Sequence[Number], base: Base = 2) -> Number:
    r"""The information gain of a test where some rows have no value.

    $$\mathrm{Gain}(D, a) = \rho \cdot \mathrm{Gain}(\tilde D, a)
    = \rho \left( \mathrm{Ent}(\tilde D) - \sum_{v=1}^{V} \tilde r_v\, \mathrm{Ent}(\tilde D^v) \right), \qquad
    \mathrm{Ent}(\tilde D) = \sum_{k=1}^{K} \tilde p_k \log_b \frac{1}{\tilde p_k}$$

    A row without the value tells nothing, so it counts with a gain of 0.

    Args:
        table: the sample partition of the known outcomes.
        unknown: the weight of each class among the rows without the value.
        base: of the logarithm; 2 gives bits.

    Returns:
        The gain, between 0 and the gain among the known rows.

    Raises:
        ValueError: a weight is negative, or no outcome is known.

    Example:
        >>> texture = [[3, 0], [1, 6], [4, 1]]
        >>> float(gain_with_missing(texture, [0, 0])), float(gain_with_missing(texture, [1, 1]))
        (0.4800349703474297, 0.42356026795361446)

    Source:
        [N2 §4.2 Gain], [N2 §4.2 summary step 2], [N2 §4.2 summary step 3], [N2 §4.2 summary step 4], [N2 §4.2 summary
        step 5], [Zhou2016 §4.4.2], [Quinlan1993 §3.1]. N2's entropy has a bracket too many, and its summary counts
        rows where weights are meant.
    """
    return known_fraction(table, unknown) * information_gain(table, base)


@formula
def split_information_of_known(table: Table, unknown: Sequence[Number], base: Base = 2) -> Number:
    r"""The split information of the known outcomes: the entropy of the shares r̃_v.

    $$H(\tilde r_1, \dots, \tilde r_V) = \sum_{v=1}^{V} \tilde r_v \log_b \frac{1}{\tilde r_v}$$

    Args:
        table: the sample partition of the known outcomes.
        unknown: not used; every `SplitInformation` takes it.
        base: of the logarithm; 2 gives bits.

    Returns:
        Between 0 (all known outcomes are the same) and log V.

    Raises:
        ValueError: a weight is negative, or no outcome is known.

    Example:
        >>> split_information_of_known([[2, 0], [1, 1]], [2, 2]) == 1
        True

    Source:
        [Zhou2016 §4.4.2]. Neither he nor N2 has a gain ratio with missing values; this is the intrinsic value of his
        §4.2.2 with the shares r̃_v that he defines (decision missing.ratio).
    """
    return entropy(by_outcome(table), base)


# A test whose values are often missing pays for the surprise whether there is one. Quinlan's program counts so
# [Quinlan1993], the textbooks do not.
@formula
def split_information_with_unknown(table: Table, unknown: Sequence[Number], base: Base = 2) -> Number:
    r"""The split information with "unknown" as one more outcome.

    $$H(\rho \tilde r_1, \dots, \rho \tilde r_V, 1 - \rho)
    = H(\rho, 1 - \rho) + \rho\, H(\tilde r_1, \dots, \tilde r_V)$$

    Args:
        table: the sample partition of the known outcomes.
        unknown: the weight of each class among the rows without the value.
        base: of the logarithm; 2 gives bits.

    Returns:
        Between 0 and log(V + 1).

    Raises:
        ValueError: a weight is negative, or none is positive.

    Example:
        >>> split_information_with_unknown([[2, 0], [1, 1]], [2, 2])       # of 1/4, 1/4, 1/2
        3/2

    Source:
        [Quinlan1993 §3.1]
    """
    return entropy([*by_outcome(table), sum(unknown)], base)


@formula
def ratio_with_missing(
    table: Table,
    unknown: Sequence[Number],
    split_information: SplitInformation = split_information_of_known,
) -> Number:
    r"""The gain ratio of a test where some rows have no value.

    $$\frac{\rho \cdot \mathrm{Gain}(\tilde D, a)}{H(\tilde r_1, \dots, \tilde r_V)} \qquad\text{or}\qquad
    \frac{\rho \cdot \mathrm{Gain}(\tilde D, a)}{H(\rho \tilde r_1, \dots, \rho \tilde r_V, 1 - \rho)}$$

    Either can be the larger. Counting "unknown" as an outcome often raises the split information and so lowers the
    ratio. Where few rows have a value, and each another one, the entropy of the known outcomes alone is the larger one.

    Args:
        table: the sample partition of the known outcomes.
        unknown: the weight of each class among the rows without the value.
        split_information: the definition of the split information.

    Returns:
        The ratio: at most ρ with the first definition, at most 1 with the second.

    Raises:
        ValueError: a weight is negative, or no outcome is known.
        ZeroDivisionError: the split information is 0: all rows have one outcome, so that the ratio is undefined.

    Example:
        >>> table, unknown = [[2, 0], [0, 2]], [1, 1]
        >>> ratio_with_missing(table, unknown) == known_fraction(table, unknown)
        True
        >>> float(ratio_with_missing(table, unknown, split_information_with_unknown))
        0.42061983571430495
        >>> table, unknown = [[1, 0], [0, 1]] * 4, [4, 4]       # eight outcomes of eight rows, eight rows without
        >>> ratio_with_missing(table, unknown), ratio_with_missing(table, unknown, split_information_with_unknown)
        (1/6, 1/5)

    Source:
        [N2 §4.2 Gain], [Quinlan1993 §3.1]. N2 leaves the ratio open (decision missing.ratio).
    """
    return gain_with_missing(table, unknown) / split_information(table, unknown)
