r"""Gradient gain: the score of a test in gradient boosting, and the value of a leaf.

A tree of a boosted ensemble is fitted to a loss by its second-order expansion. A sample is then described by three
sums: its weight n, the sum G of the first derivatives, and the sum H of the second derivatives. A leaf that adds w to
the margins of its rows changes the expanded loss, with the penalty λ on large leaves, by

$$G w + \tfrac{1}{2} (H + \lambda) w^2$$

1. `leaf_weight` is the w for which this is least.
2. `structure_score` is twice the decrease of the loss at this w.
3. `gradient_gain` is the increase of that score by a test: the gain of a split in boosting.
4. `shrunk` is G where the penalty has a further term α·|w|, which pulls small leaves to 0.

These functions omit the factor ½ of the paper, in the gains and in the comparison with γ.
"""

from __future__ import annotations

from collections.abc import Sequence

from reference_tree.exact.intervals import Interval
from reference_tree.exact.log_sums import Number
from reference_tree.exact.worked import formula


def shrunk(g: Number, reg_alpha: Number = 0) -> Number:
    r"""G, pulled towards 0 by α: the soft threshold.

    $$T_\alpha(G) = \operatorname{sign}(G) \, \max(|G| - \alpha, 0)$$

    With the penalty $\alpha |w|$ the minimizer of the expanded loss, and its decrease, are those of $T_\alpha(G)$.

    Args:
        g: G, the sum of the first derivatives.
        reg_alpha: α, not negative.

    Example:
        >>> shrunk(5, 2), shrunk(-5, 2), shrunk(1, 2), shrunk(Interval(1, 5), 2)
        (3, -3, 0, Interval(0, 3))

    Source:
        [HastieTibshiraniFriedman2009 §3.4.2]. The paper of Chen and Guestrin has λ alone.
    """
    if not reg_alpha:
        return g
    if isinstance(g, Interval):  # the function never decreases
        return Interval(shrunk(g.low, reg_alpha), shrunk(g.high, reg_alpha))
    if g > reg_alpha:
        return g - reg_alpha
    # `0 * g` is 0 as the kind of number that g is, so that a worked number keeps its derivation.
    return g + reg_alpha if g + reg_alpha < 0 else 0 * g


@formula
def leaf_weight(
    derivatives: Sequence[Number], reg_lambda: Number = 0, rate: Number = 1, reg_alpha: Number = 0
) -> Number:
    r"""The value that a leaf adds to the sum: the minimizer of the expanded loss, times the learning rate.

    $$w = -\eta \, \frac{G}{H + \lambda}$$

    Args:
        derivatives: n, G and H: the weight, and the sums of the first and second derivatives.
        reg_lambda: λ, the penalty on large leaves.
        rate: η, the learning rate.
        reg_alpha: α; G stands for $T_\alpha(G)$ (`shrunk`).

    Raises:
        ZeroDivisionError: H + λ is 0.

    Example:
        >>> leaf_weight((2, -3, 2)), leaf_weight((2, -3, 2), reg_lambda=1)
        (Fraction(3, 2), Fraction(1, 1))

    Source:
        [ChenGuestrin2016 §2.2 eq. (5)], [ChenGuestrin2016 §2.3], [Friedman2001 §5]. Friedman writes ν for η.
    """
    _, g, h = derivatives
    return -rate * shrunk(g, reg_alpha) / (h + reg_lambda)


# The expanded loss G·w + (H + λ)·w²/2 is least at w = -G/(H + λ), where it is -G²/(2(H + λ)) [ChenGuestrin2016 eq. (5),
# (6)]. The factor 1/2 is left out, here and in γ: it is the same for every test.
@formula
def structure_score(derivatives: Sequence[Number], reg_lambda: Number = 0, reg_alpha: Number = 0) -> Number:
    r"""The structure score of a leaf: twice the decrease of the expanded loss at the best weight.

    $$\frac{G^2}{H + \lambda}$$

    Args:
        derivatives: n, G and H.
        reg_lambda: λ.
        reg_alpha: α; G stands for $T_\alpha(G)$ (`shrunk`).

    Raises:
        ZeroDivisionError: H + λ is 0.

    Example:
        >>> structure_score((2, -3, 2)), structure_score((2, -3, 2), reg_lambda=1)
        (Fraction(9, 2), Fraction(3, 1))

    Source:
        [ChenGuestrin2016 §2.2 eq. (6)]
    """
    _, g, h = derivatives
    return shrunk(g, reg_alpha) ** 2 / (h + reg_lambda)


@formula
def gradient_gain(table: Sequence[Sequence[Number]], reg_lambda: Number = 0, reg_alpha: Number = 0) -> Number:
    r"""The gain of a test: twice the decrease of the expanded loss.

    $$\mathrm{gain} = \frac{G_L^2}{H_L + \lambda} + \frac{G_R^2}{H_R + \lambda}
    - \frac{(G_L + G_R)^2}{H_L + H_R + \lambda}$$

    Args:
        table: (n, G, H) of each side.
        reg_lambda: λ.
        reg_alpha: α, with which each G is $T_\alpha(G)$ (`shrunk`), that of the whole too.

    Returns:
        The gain, never negative if λ is 0. Equation (7) of the paper is half of it, minus γ.

    Raises:
        ZeroDivisionError: a side has H + λ = 0.

    Example:
        >>> gradient_gain([(2, -3, 2), (2, 3, 2)]), gradient_gain([(2, -3, 2), (2, 3, 2)], reg_lambda=1)
        (Fraction(9, 1), Fraction(6, 1))

    Source:
        [ChenGuestrin2016 §2.2 eq. (7)], [ChenGuestrin2016 §3.1 algorithm 1]. Equation (7) has a factor ½ and a term -γ,
        the score of algorithm 1 neither. Without the ½, the γ with which this gain is compared is twice that of the
        paper.
    """
    whole = [sum(column) for column in zip(*table, strict=True)]
    parts = sum(structure_score(side, reg_lambda, reg_alpha) for side in table)
    return parts - structure_score(whole, reg_lambda, reg_alpha)
