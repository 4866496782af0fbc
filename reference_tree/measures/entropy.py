r"""Entropy: the uncertainty of the class of a sample.

The entropy of a distribution is the average self-information of one draw from it. It is 0 if every draw is the same,
and largest, log n, if all n outcomes are equally likely. It depends only on the probabilities, not on the outcomes
themselves.

1. `self_information` is the surprise of one outcome of probability p.
2. `entropy` averages it over a sample, given as the counts of its classes.
3. `entropy_of_distribution` and `entropy_of_proportion` are the same, from probabilities.

Counts are the weights |C_1|, ..., |C_K| of the classes. Everything is in bits unless another base is given.

Source:
    [N0 CN §1 (2)], [N0 CN §1 (3)], [N3 Measuring purity], [N3 Measuring purity: one class]. N3 says that the entropy
    falls as one class grows: it does so only beyond the even share.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.logarithms import Base
from reference_tree.exact.worked import formula


# As log(1/p), and not as -log p: each term of an entropy is then positive, and stands in a derivation as teachers write
# it. Of the integers only 1 passes the check; as a fraction its reciprocal stays exact, where 1/1 would be a float.
def self_information(p: Number, base: Base = 2) -> Number:
    r"""The surprise of an outcome, in coin tosses.

    $$I(p) = \log_b \frac{1}{p}$$

    Learning which of 1/p equally likely outcomes happened is like learning the results of log2 1/p tosses of a fair
    coin.

    Args:
        p: the probability of the outcome, above 0 and at most 1.
        base: the base of the logarithm; 2 gives bits, `math.e` nats.

    Returns:
        I(p), at least 0: 0 for a certain outcome.

    Raises:
        ValueError: p is not above 0 and at most 1.

    Example:
        >>> self_information(Fraction(1, 8)), self_information(1), self_information(0.25)
        (3, 0, 2.0)

    Source:
        [N2 §2.1 coins], [Shannon1948 §6]. Written log(1/p) rather than -log p, so that a float never comes out as -0.0.
    """
    if not 0 < p <= 1:
        raise ValueError(f"a probability with a surprise is above 0 and at most 1, not {p}")
    return log(1 / (Fraction(p) if isinstance(p, int) else p), base)


# Every measure of counts divides by this sum: a sample without a distribution is refused here, and nowhere else.
@formula
def total(counts: Sequence[Number]) -> Number:
    r"""The weight of a sample.

    $$|S| = \sum_{j=1}^{K} |C_j|$$

    Args:
        counts: |C_1|, ..., |C_K|, none negative, at least one positive.

    Raises:
        TypeError: the counts are not a list or tuple, but one number.
        ValueError: a count is negative, or none is positive.

    Example:
        >>> total([9, 5])
        Fraction(14, 1)

    Source:
        [N0 EN §2 eq. (1)]
    """
    if not isinstance(counts, list | tuple):
        raise TypeError(f"the counts of a sample are several numbers, such as [9, 5], not {counts}")
    if any(c < 0 for c in counts):
        raise ValueError(f"a count is negative: {_listed(counts)}")
    if not any(counts):
        raise ValueError("no count is positive: an empty sample has no distribution")
    return sum(counts)


# p·log(1/p) tends to 0 with p, so a class without rows adds nothing, and its logarithm is never asked for.
@formula
def entropy(counts: Sequence[Number], base: Base = 2) -> Number:
    r"""The empirical entropy of a sample.

    $$H(S) = \sum_{j=1}^{K} \frac{|C_j|}{|S|} \log_b \frac{|S|}{|C_j|}$$

    Args:
        counts: |C_1|, ..., |C_K|: the weight of each class in the sample, none negative, at least one positive.
        base: the base of the logarithm; 2 gives bits, `math.e` nats.

    Returns:
        H(S), between 0 and log K. It is exact if the counts are: it compares without rounding, and its `float()` is
        correctly rounded.

    Raises:
        ValueError: a count is negative, or none is positive.

    Example:
        >>> float(entropy([9, 5]))      # play tennis
        0.940285958670631
        >>> entropy([7, 0]) == 0        # an empty class adds nothing: 0 log 0 = 0
        True
        >>> entropy([1, 1, 1, 1]), entropy([1, 1, 1], base=3)
        (2, 1)

    Source:
        [N0 EN §2 eq. (1)], [N0 EN §2 maximum likelihood], [N2 §2.1 Ent], [N2 §2.1 step 3], [Shannon1948 §6]. The
        relative frequencies are the maximum-likelihood estimates of the probabilities. Both notes leave 0 log 0 open:
        it is 0, by continuity.
    """
    n = total(counts)
    return sum(c / n * self_information(c / n, base) for c in counts if c)


@formula
def entropy_of_distribution(probabilities: Sequence[Number], base: Base = 2) -> Number:
    r"""The entropy of a random variable with a given distribution.

    $$H(X) = \sum_{i=1}^{n} p_i \log_b \frac{1}{p_i}, \qquad p_i = P(X = x_i)$$

    Args:
        probabilities: p_1, ..., p_n, none negative. Exact ones have to add up to 1; floats may differ from it by their
            rounding.
        base: the base of the logarithm.

    Returns:
        H(X), between 0 and log n.

    Raises:
        ValueError: a probability is negative, or they do not add up to 1.

    Example:
        >>> entropy_of_distribution([Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])
        3/2
        >>> entropy_of_distribution([0.5, 0.5])
        1.0

    Source:
        [N0 CN §1 (1)], [N1 §1.3 eq. (4)], [N1 §1.3 eq. (5)], [Shannon1948 §6]. N1 numbers the values up to N, the
        number of instances; n is the number of values.
    """
    if any(p < 0 for p in probabilities):
        raise ValueError(f"a probability is negative: {_listed(probabilities)}")
    # Exact probabilities add up to 1 exactly. Of n floats each is off by at most 2^-53, and so is each partial sum: all
    # together by less than n·2^-52.
    missing = sum(probabilities) - 1
    tolerance = len(probabilities) * 2**-52 if isinstance(missing, float) else 0
    if not -tolerance <= missing <= tolerance:
        raise ValueError(f"the probabilities {_listed(probabilities)} do not add up to 1")
    return sum(p * self_information(p, base) for p in probabilities if p)


@formula
def entropy_of_proportion(p: Number, base: Base = 2) -> Number:
    r"""The entropy of a sample of two classes with the proportions p and 1 - p.

    $$H(p) = p \log_b \frac{1}{p} + (1 - p) \log_b \frac{1}{1 - p}$$

    Args:
        p: the proportion of one class, from 0 to 1.
        base: the base of the logarithm.

    Returns:
        H(p): 0 for p = 0 and p = 1, and the largest, 1 bit, for p = 1/2.

    Raises:
        ValueError: p is not between 0 and 1.

    Example:
        >>> float(entropy_of_proportion(Fraction(4, 5)))    # four of five are cats
        0.7219280948873623
        >>> entropy_of_proportion(Fraction(1, 2)), entropy_of_proportion(0)
        (1, 0)

    Source:
        [N3 E(S)], [N3 Entropy: extremes], [N4 Measuring purity: H(p_1)], [N4 Measuring purity: p_0], [N4 Measuring
        purity: three and three], [N4 Measuring purity: extremes]. N3 first puts it as p_yes + p_no, which is 1; its
        second expression is the entropy.
    """
    if not 0 <= p <= 1:
        raise ValueError(f"a proportion is between 0 and 1, not {p}")
    return sum(q * self_information(q, base) for q in (p, 1 - p) if q)


def maximum_entropy(n: int, base: Base = 2) -> Number:
    r"""The entropy of n equally likely outcomes: the upper bound of every entropy.

    $$0 \leq H(X) \leq \log_b n$$

    Args:
        n: the number of outcomes (of classes, not of rows).
        base: the base of the logarithm.

    Example:
        >>> maximum_entropy(8), maximum_entropy(3) == entropy([5, 5, 5])
        (3, True)

    Source:
        [N1 §1.3 eq. (6)], [N2 §2.1 coins]. N1 has N, the number of instances, for n: a bound too, but a loose one.
    """
    if n < 1:
        raise ValueError(f"a distribution has at least one outcome, not {n}")
    # By Jensen's inequality, as the logarithm is concave: Σ p·log(1/p) ≤ log Σ p·(1/p) = log n [CoverThomas2006 thm.
    # 2.6.4].
    return log(n, base)


def _listed(numbers: Sequence[Number]) -> str:
    return ", ".join(str(getattr(number, "value", number)) for number in numbers)
