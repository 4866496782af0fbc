r"""Pessimistic pruning: errors with a correction for continuity, and one standard error for the subtree.

A tree makes fewer errors on the rows it was grown from than on others, and the more leaves it has, the more so. Each
leaf is charged half an error: the correction for continuity of a binomial distribution,

$$n'(t) = e(t) + \tfrac{1}{2} \qquad n'(T_t) = \sum_{l} \bigl(e(l) + \tfrac{1}{2}\bigr)$$

and the subtree is kept only if it is better by more than the standard error of its own number of errors:

$$\mathrm{SE}(T_t) = \sqrt{\frac{n'(T_t)\,(N_t - n'(T_t))}{N_t}}$$

Nodes are compared from the root down, each with its subtree as it was grown. Below a node that becomes a leaf nothing
is looked at, and no other rows are needed.

1. `corrected_errors` and `standard_error` are the formulas.
2. `PESSIMISTIC` is the record of the method.
"""

from __future__ import annotations

from fractions import Fraction

from reference_tree.exact.log_sums import Number
from reference_tree.exact.radicals import root
from reference_tree.exact.worked import formula
from reference_tree.measures.measure import Quantity
from reference_tree.pruning.comparing import Comparison, comparing


@formula
def corrected_errors(errors: Number) -> Number:
    r"""The errors of a leaf with the correction for continuity.

    $$n'(t) = e(t) + \tfrac{1}{2}$$

    Args:
        errors: e(t), the weight of the rows that are wrong.

    Example:
        >>> corrected_errors(2)
        Fraction(5, 2)

    Source:
        [Quinlan1987], [Esposito1997]
    """
    return errors + Fraction(1, 2)


@formula
def standard_error(errors: Number, rows: Number) -> Number:
    r"""The standard error of a number of errors.

    $$\mathrm{SE} = \sqrt{\frac{n' (N - n')}{N}}$$

    Args:
        errors: n', corrected.
        rows: N, the weight of the rows.

    Returns:
        SE; 0 where the correction makes more errors than there are rows, which weights below 1 allow.

    Example:
        >>> standard_error(2, 4) == 1, standard_error(3, 2)
        (True, Fraction(0, 1))

    Source:
        [Quinlan1987], [Esposito1997]
    """
    # Corrected errors may exceed the rows, if there are many small leaves: the variance would be negative, and 0 takes
    # its place, as the kind of number that the errors are.
    return root(errors * (rows - errors) / rows) if errors <= rows else errors - errors


# From the root down, and each node once: a subtree is compared as it was grown. A node above that is pruned takes all
# decisions below with it [Quinlan1987].
COMPARISON = Comparison(
    leaf=Quantity(
        "n'(t) = e(t) + 1/2",
        "the errors e(t) of node t as a leaf on the training rows, with a correction for continuity",
        lambda here: corrected_errors(here.wrong),
    ),
    below=Quantity(
        "n'(T_t) = Σ_l (e(l) + 1/2)",
        "the same for the leaves l below it that a training row reaches",
        lambda here: sum(part.figure for part in here.parts),
    ),
    allowed=Quantity(
        "SE(T_t) = √(n'(T_t)·(N_t − n'(T_t))/N_t)",
        "the standard error of n'(T_t), N_t being the rows of the node",
        lambda here, below: standard_error(below, here.rows),
    ),
    from_above=True,
)

PESSIMISTIC = comparing(
    lambda record: COMPARISON,
    name="pessimistic",
    called="pessimistic errors",
    rules=("pessimistic.standard-error",),
)
