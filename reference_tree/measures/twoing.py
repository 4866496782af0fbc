r"""Twoing: how differently the classes go to the two sides of a test.

Gini asks how pure the sides are. Twoing asks how far apart they are: it adds up, over the classes, the difference
between a class's share on the left and on the right. A test that divides the classes into two groups, each of them
on a side of its own, has the largest value, whether or not the sides are pure. Breiman offers it for many classes; for
two it is half of the Gini decrease, so that it chooses the same tests.

`twoing` is the value of a test with two sides.
"""

from __future__ import annotations

from reference_tree.exact.log_sums import Number
from reference_tree.exact.worked import formula
from reference_tree.measures.conditional_entropy import Table, by_class
from reference_tree.measures.entropy import total
from reference_tree.measures.measure import Measure, Quantity


@formula
def twoing(table: Table) -> Number:
    r"""The twoing value of a test with two sides.

    $$\Phi(S, A) = \frac{p_L\, p_R}{4} \left( \sum_{j=1}^{K} \bigl| p(j \mid L) - p(j \mid R) \bigr| \right)^2$$

    Args:
        table: the sample partition s_ij of the two sides L and R: for each the weight of each class.

    Returns:
        Φ(S, A), between 0 (both sides have the same shares) and 1/4; p_L and p_R are the shares of the sides, and
        p(j|L) and p(j|R) those of the class j on a side. If a side is empty, it is 0.

    Raises:
        ValueError: there are not two sides, a cell is negative, or none is positive.

    Example:
        >>> twoing([[2, 0], [0, 2]])                # the sides have no class in common
        Fraction(1, 4)
        >>> twoing([[3, 0, 0], [0, 2, 1]])          # one class against the others, though these stay mixed
        Fraction(1, 4)
        >>> twoing([[1, 2], [2, 4]])                # the same shares on both sides
        Fraction(0, 1)

    Source:
        [Breiman1984 §4.3]
    """
    # With two classes both differences are the same, δ: the value is p_L·p_R·δ², and the Gini decrease 2·p_L·p_R·δ².
    n = total(by_class(table))
    if len(table) != 2:
        raise ValueError(f"twoing compares two sides, not {len(table)}")
    left, right = table
    if not any(left) or not any(right):
        # 0 as the kind of number that n is: a worked one keeps its derivation.
        return n - n
    w_l, w_r = total(left), total(right)
    apart = sum(abs(c_l / w_l - c_r / w_r) for c_l, c_r in zip(left, right, strict=True))
    return w_l / n * (w_r / n) / 4 * apart**2


TWOING = Measure(
    name="twoing",
    of=twoing,
    rule="measure.twoing",
    called="twoing value",
    criterion="twoing",
    strictly_concave=True,  # for two classes, where it is half of the Gini decrease; an order is not used for more
    two_sides=True,
    steps=(
        Quantity(
            "Φ(D, A) = r_L·r_R/4·(Σ_k |p_k(D_L) − p_k(D_R)|)²",
            "the twoing value of A: how differently the classes go to its two sides L and R",
            "twoing",
        ),
    ),
)
