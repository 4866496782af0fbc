r"""Gain ratio: the information gain, divided by the split information.

An attribute with many values cuts a sample into many small parts, which are pure because they are small: its gain is
high, but means little. The entropy of the *partition*, regardless of the class, measures this fragmentation. The ratio
of the two is at most 1, and 1 only if the attribute is a function of the class.

1. `split_information` is the entropy of the partition. The textbooks call it intrinsic value IV(a), split information,
   or H_A(D).
2. `gain_ratio` divides the gain by it.

It reduces the preference for many values but does not always remove it: an ID column still wins on the play-tennis
table.

Source:
    [N0 CN §5 many values], [N0 EN §2 many values], [N2 §2.2 two causes], [N2 §2.2 intrinsic value], [N3 Attributes with
    Many Values: disadvantage], [N3 Attributes with Many Values: penalty], [WhiteLiu1994]. N0 and N2 say that the
    preference is gone.
"""

from __future__ import annotations

from reference_tree.exact.log_sums import Number
from reference_tree.exact.logarithms import Base
from reference_tree.exact.worked import formula
from reference_tree.measures.conditional_entropy import Table, by_outcome
from reference_tree.measures.entropy import entropy
from reference_tree.measures.information_gain import ENTROPY, GAIN, REMAINING_ENTROPY, information_gain
from reference_tree.measures.measure import Measure, Quantity


# The classes are summed up first: two tests that send the same weights down their branches have the same split
# information, whatever the classes there are.
@formula
def split_information(table: Table, base: Base = 2) -> Number:
    r"""The entropy of the partition itself, whatever the classes are.

    $$H_A(S) = \sum_{i=1}^{V} \frac{|A_i|}{|S|} \log_b \frac{|S|}{|A_i|}$$

    Args:
        table: the sample partition s_ij.
        base: the base of the logarithm; 2 gives bits.

    Returns:
        H_A(S), between 0 (all rows have one outcome) and log V.

    Raises:
        ValueError: a row's weight is negative, or none is positive.

    Example:
        >>> float(split_information([[0, 4], [2, 3], [3, 2]]))
        1.5774062828523452
        >>> split_information([[1, 0], [0, 1], [1, 0], [0, 1]])     # an ID column of four rows: log2 4
        2

    Source:
        [N0 CN §5 H_X(Y)], [N0 CN §5 ID column], [N0 CN §5 large n], [N0 EN §2 eq. (4)], [N1 §1.3 eq. (10)], [N2 §2.2
        IV], [N2 §2.2 ID column], [N3 SplitInfo], [Quinlan1986 §7]. N1 misses the minus sign. N0 says that splitting
        raises the entropy of Y: what H_X(Y) measures is the partition by X. N0 and N3 use n and c for the number of
        values, which is V.
    """
    return entropy(by_outcome(table), base)


# The split information is 0 only where one branch has all rows. There the gain is 0, too, and the quotient undefined.
# No learner divides so: the rule `candidate` bars such a test before it is scored (`splitting.candidate`).
@formula
def gain_ratio(table: Table, base: Base = 2) -> Number:
    r"""The information gain ratio of a test.

    $$g_R(S, A) = \frac{g(S, A)}{H_A(S)}$$

    Args:
        table: the sample partition s_ij.
        base: the base of the logarithms; the ratio does not depend on it.

    Returns:
        g_R(S, A), between 0 and 1.

    Raises:
        ZeroDivisionError: all rows have one outcome, so H_A(S) is 0 and the ratio is undefined.

    Example:
        >>> float(gain_ratio([[0, 4], [2, 3], [3, 2]]))
        0.15642756242117517
        >>> gain_ratio([[1, 0], [0, 2], [0, 1]]) < 1, gain_ratio([[1, 0], [0, 3]]) == 1
        (True, True)

    Source:
        [N0 CN §5 g_R], [N0 EN §2 eq. (4)], [N1 §1.3 eq. (9)], [N2 §2.2 Gain_ratio], [N3 GainRatio], [Quinlan1986 §7].
        Dividing by H(S) instead, as is often seen, is another quantity and can choose another attribute.
    """
    return information_gain(table, base) / split_information(table, base)


SPLIT_INFORMATION = Measure(name="split_information", of=split_information, decreases=False)

# A ratio is no decrease of an impurity. The order of the values still holds its winners: the proof in
# `splitting.ordered_subsets.ordering_holds` puts g - r·s, with the largest ratio r, in the place of the decrease.
GAIN_RATIO = Measure(
    name="ratio",
    of=gain_ratio,
    rule="measure.gain-ratio",
    called="ratio",
    strictly_concave=True,
    whole=(ENTROPY,),
    steps=(
        REMAINING_ENTROPY,
        GAIN,
        Quantity(
            "H_A(D) = Σ_i r_i·log2(1/r_i)",
            "the split information: the entropy of the outcomes themselves",
            "split_information",
            "bits",
        ),
        Quantity("g_R(D, A) = g(D, A) / H_A(D)", "the gain ratio", "ratio"),
    ),
)
