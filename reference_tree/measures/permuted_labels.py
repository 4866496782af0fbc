r"""Permuted labels: the decrease of impurity by chance alone.

Shuffle the classes among the rows. An attribute is then independent of the class, while the numbers of rows of each
outcome and of each class stay the same. A test will still decrease the impurity, since some parts become purer by
chance, and the more outcomes there are, the larger the decrease. The decrease *on average over all permutations* is the
bias of a measure toward the attribute.

With the margins of the sample partition fixed, each cell is hypergeometric, so the average is a finite sum, and exact:

1. `hypergeometric` is the probability that a cell holds k rows.
2. `expected_information_gain` and `expected_gini_decrease` are the averages.
3. `adjusted_information_gain` and `adjusted_gini_decrease` are the measures minus their averages: 0 on average for an
   uninformative attribute, however many values it has, and exactly 0 for an attribute that numbers the rows.

An average over permutations needs rows to permute: the weights are whole numbers here.

Source:
    [WhiteLiu1994], [DobraGehrke2001], [VinhEppsBailey2010], [N2 §2.3 remedies]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import comb

from reference_tree.exact.log_sums import Number
from reference_tree.measures.conditional_entropy import Table, by_class, by_outcome
from reference_tree.measures.entropy import entropy, self_information, total
from reference_tree.measures.gini_index import gini, gini_decrease
from reference_tree.measures.information_gain import information_gain


def hypergeometric(k: int, answer: int, label: int, n: int) -> Fraction:
    r"""The probability that exactly k of the rows of an outcome are of a class, if the classes are shuffled.

    $$P(s_{ij} = k) = \binom{|C_j|}{k} \binom{|S| - |C_j|}{|A_i| - k} \Big/ \binom{|S|}{|A_i|}$$

    Args:
        k: the number of rows in the cell, at least 0.
        answer: |A_i|, the number of rows that give the answer.
        label: |C_j|, the number of rows of the class.
        n: |S|, the number of all rows, at least |A_i| and |C_j|.

    Example:
        >>> [str(hypergeometric(k, answer=2, label=2, n=4)) for k in range(3)]
        ['1/6', '2/3', '1/6']

    Source:
        [WhiteLiu1994], [VinhEppsBailey2010]
    """
    # `comb` refuses a negative number; where k exceeds the class, it is 0 by itself.
    if k > answer:
        return Fraction(0)
    return Fraction(comb(label, k) * comb(n - label, answer - k), comb(n, answer))


def expected_information_gain(table: Table) -> Number:
    r"""The information gain of a test, averaged over all permutations of the classes.

    $$E[\mathrm{Gain}] = H(S) - \sum_{i,j} \sum_{k} P(s_{ij} = k)\, \frac{k}{|S|} \log_2 \frac{|A_i|}{k}$$

    Args:
        table: the sample partition s_ij, of whole numbers; an empty row adds nothing.

    Returns:
        The average in bits, exact: a sum of logarithms. It is 0 for a test with one outcome, and H(S) for a test
        with a different outcome for each row, since no permutation changes that.

    Raises:
        ValueError: a weight is no whole number or negative, or none is positive.

    Example:
        >>> outlook, wind = [[0, 4], [2, 3], [3, 2]], [[3, 3], [2, 6]]      # of play tennis
        >>> [round(float(expected_information_gain(table)), 6) for table in (outlook, wind)]
        [0.129867, 0.060146]

    Source:
        [WhiteLiu1994], [VinhEppsBailey2010], [N3 Attributes with Many Values: disadvantage], [N2 §2.2 two causes].
        White and Liu show the bias by simulations; Vinh, Epps and Bailey have the sum.
    """
    return entropy(_whole(by_class(table))) - _expected(table, self_information)


def expected_gini_decrease(table: Table) -> Number:
    r"""The decrease of the Gini value by a test, averaged over all permutations of the classes.

    $$E[\Delta \mathrm{Gini}] = \mathrm{Gini}(S)
    - \sum_{i,j} \sum_{k} P(s_{ij} = k)\, \frac{k}{|S|} \Big( 1 - \frac{k}{|A_i|} \Big)
    = \mathrm{Gini}(S)\, \frac{V - 1}{|S| - 1}$$

    Args:
        table: the sample partition s_ij, of whole numbers; an empty row adds nothing. V is the number of nonempty rows.

    Returns:
        The average, a fraction: it depends on the outcomes only by their number less one, to which it is proportional.

    Raises:
        ValueError: a weight is no whole number or negative, or none is positive.

    Example:
        >>> outlook, wind = [[0, 4], [2, 3], [3, 2]], [[3, 3], [2, 6]]      # of play tennis: 45/98 by 2/13, and by 1/13
        >>> [str(expected_gini_decrease(table)) for table in (outlook, wind)]
        ['45/637', '45/1274']

    Source:
        [WhiteLiu1994], [DobraGehrke2001], [N2 §2.3 ID column]. The papers are cited for the bias, not for the formula.
    """
    return gini(_whole(by_class(table))) - _expected(table, lambda share: 1 - share)


def adjusted_information_gain(table: Table) -> Number:
    r"""The information gain in excess of chance.

    $$\mathrm{Gain}(S, A) - E[\mathrm{Gain}]$$

    Args:
        table: the sample partition s_ij, of whole numbers.

    Returns:
        The difference in bits, exact: negative for a test that gains less than by chance.

    Raises:
        ValueError: a weight is no whole number or negative, or none is positive.

    Example:
        >>> adjusted_information_gain([[1, 0], [1, 0], [0, 1]]) == 0        # the number of the row
        True

    Source:
        [N2 §2.3 remedies], [VinhEppsBailey2010]. They also divide it by its largest possible value.
    """
    return information_gain(table) - expected_information_gain(table)


def adjusted_gini_decrease(table: Table) -> Number:
    r"""The decrease of the Gini value in excess of chance.

    $$\Delta \mathrm{Gini}(S, A) - E[\Delta \mathrm{Gini}]$$

    Args:
        table: the sample partition s_ij, of whole numbers.

    Returns:
        The difference, a fraction: negative for a test that decreases the Gini value less than by chance.

    Raises:
        ValueError: a weight is no whole number or negative, or none is positive.

    Example:
        >>> adjusted_gini_decrease([[1, 0], [1, 0], [0, 1]]), str(adjusted_gini_decrease([[2, 0], [0, 1]]))
        (Fraction(0, 1), '2/9')

    Source:
        [N2 §2.3 remedies], [DobraGehrke2001]. N2 asks for a suitable correction, and gives none. How Dobra and
        Gehrke correct the bias was not looked up.
    """
    return gini_decrease(table) - expected_gini_decrease(table)


def _expected(table: Table, surprise: Callable[[Fraction], Number]) -> Number:
    """The impurity after a test, averaged over all permutations.

    It is the mean over the rows of the `surprise` of a row's class, computed from the share of that class among the
    rows with the same outcome.
    """
    # A permutation changes no margin, so the terms of a cell depend on its two margins alone: equal outcomes and equal
    # classes share their terms. The mean of a sum is the sum of the means, although the cells depend on one another.
    answers, labels = (Counter(filter(None, _whole(margin))) for margin in (by_outcome(table), by_class(table)))
    n = sum(labels.elements())
    return sum(
        (
            times * others * hypergeometric(k, answer, label, n) * Fraction(k, n) * surprise(Fraction(k, answer))
            for answer, times in answers.items()
            for label, others in labels.items()
            # Fewer common rows than answer + label - n are impossible, and k = 0 adds nothing.
            for k in range(max(1, answer + label - n), min(answer, label) + 1)
        ),
        Fraction(0),
    )


def _whole(margin: list[Number]) -> list[int]:
    """A margin as whole numbers.

    Raises:
        ValueError: a weight is no whole number, one is negative, or none is positive.
    """
    if any(count != int(count) for count in margin):
        raise ValueError(f"only whole rows can be permuted, and the weights add up to {', '.join(map(str, margin))}")
    total(margin)  # it refuses an invalid sample
    return [int(count) for count in margin]
