r"""Minimum-error pruning: the expected error of a leaf by the estimate of Laplace, or by an m-estimate.

The share of the mistakes in a leaf underestimates its errors, for the leaf predicts the class that happens to be the
most common. An estimate of the class's probability that starts from the prior probabilities corrects it. With Laplace's
rule, which adds one row of each of the k classes,

$$E(t) = \frac{n - n_c + k - 1}{n + k}$$

and with an m-estimate, which adds m rows that are divided like the whole sample,

$$E(t) = \frac{n - n_c + (1 - p_c)\,m}{n + m}$$

From below, a node becomes a leaf if that is expected to err no more than its branches, each weighed by its share of the
rows. The larger m, the smaller the tree.

1. `laplace_error` and `m_error` are the estimates of a leaf, from those of `reference_tree.measures.class_probability`;
   `backed_up_error` is that of a subtree.
2. `MINIMUM_ERROR` is the record of the method.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from reference_tree.data.errors import InputError
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import exact_text, rational
from reference_tree.exact.worked import formula
from reference_tree.learners.recorded import AMOUNT, Option
from reference_tree.measures.class_probability import laplace, m_estimate
from reference_tree.measures.measure import Quantity
from reference_tree.pruning.comparing import Comparison, SubtreePart, comparing
from reference_tree.pruning.method import Record


@formula
def laplace_error(rows: Number, right: Number, classes: int) -> Number:
    r"""The expected error of a leaf by Laplace's rule of succession.

    $$E(t) = 1 - \frac{n_c + 1}{n + k} = \frac{n - n_c + k - 1}{n + k}$$

    Args:
        rows: n, the weight of the rows.
        right: n_c, the weight of the class that the leaf predicts.
        classes: k, the number of classes.

    Example:
        >>> laplace_error(4, 4, 2), laplace_error(5, 3, 2)
        (Fraction(1, 6), Fraction(3, 7))

    Source:
        [NiblettBratko1986], [Esposito1997]
    """
    # The error is what the estimate leaves to the other classes: for k classes at least (k - 1)/(n + k), even in a pure
    # leaf, so that small leaves pay for their size.
    return 1 - laplace(right, rows, classes)


@formula
def m_error(rows: Number, right: Number, prior: Number, m: Number) -> Number:
    r"""The expected error of a leaf by an m-estimate.

    $$E(t) = 1 - \frac{n_c + m\,p_c}{n + m} = \frac{n - n_c + (1 - p_c)\,m}{n + m}$$

    Args:
        rows: n, the weight of the rows.
        right: n_c, the weight of the class that the leaf predicts.
        prior: p_c, the share of this class in the whole sample.
        m: the weight of the prior.

    Example:
        >>> m_error(4, 4, Fraction(1, 2), 2), m_error(4, 3, Fraction(1, 2), 0)
        (Fraction(1, 6), Fraction(1, 4))

    Source:
        [CestnikBratko1991], [Cestnik1990], [Esposito1997]
    """
    return 1 - m_estimate(right, rows, prior, m)


@formula
def backed_up_error(parts: Sequence[SubtreePart], rows: Number) -> Number:
    r"""The expected error of a subtree.

    $$E(T_t) = \sum_b \frac{n_b}{n} E(b)$$

    Args:
        parts: the branches, with their rows and their expected errors.
        rows: n, the weight of the rows.

    Example:
        >>> backed_up_error([SubtreePart(4, Fraction(1, 6)), SubtreePart(2, Fraction(1, 4))], 6)
        Fraction(7, 36)

    Source:
        [NiblettBratko1986], [Esposito1997]
    """
    # Rows that stay count as a part of their own, so that the shares add up to 1.
    return sum(n / rows * error for n, error in parts)


def _estimate(record: Record) -> Quantity:
    """The expected error of a leaf."""
    if "m" not in record:
        return Quantity(
            "E(t) = (n − n_c + k − 1) / (n + k)",
            "the expected error of node t as a leaf: of its n rows n_c have the class that it predicts, one of k",
            # Classes that no training row has are not counted: a declared class would make every leaf look worse.
            lambda here: laplace_error(here.rows, here.right, sum(1 for weight in here.whole if weight)),
        )
    # With m = 0 it is the share of errors, which never prunes but at a tie.
    m = Fraction(rational(record["m"]))
    if m < 0:
        raise InputError(f"m is the weight of the prior and not negative, but {m}")
    return Quantity(
        "E(t) = (n − n_c + (1 − p_c)·m) / (n + m)",
        f"the expected error of node t as a leaf, with m = {m} rows of the prior: of its n rows n_c have the class that"
        " it predicts, whose share of all rows is p_c",
        lambda here: m_error(here.rows, here.right, here.whole[here.answer] / sum(here.whole), m),
    )


def _figures(record: Record) -> Comparison:
    below = Quantity(
        "E(T_t) = Σ_b n_b/n·E(b)",
        "the same of the subtree below it, over its branches b",
        lambda here: backed_up_error(here.parts, here.rows),
    )
    return Comparison(leaf=_estimate(record), below=below)


MINIMUM_ERROR = comparing(
    _figures,
    name="minimum-error",
    called="minimum error",
    options={"m": Option(None, AMOUNT, "the weight of the prior in a leaf, in rows (default: one of each class)")},
    record=lambda _, given: {"m": exact_text(given["m"])} if "m" in given else {},
    rules=("minimum-error.estimate",),
)
