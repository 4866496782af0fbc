"""Mending: finding the rows that a node says its branches have, where its threshold sends other rows.

One wrong threshold moves rows, and then every count below it is wrong as well. The counts of the branches show where
the threshold was: at most one cut of the attribute divides the rows so. The node is blamed once, and the nodes below
are judged by the rows that its counts imply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from reference_tree.data.questions import Missing, Test, Threshold
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.targets import minus, plus
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.continuous_bisection import cuts_of_weight
from reference_tree.splitting.missing_values import branch_shares

Alike = Callable[[Counts, Counts], bool]
"""Decides whether stated counts agree with those found."""


def fit(stated: Sequence[Counts], found: Iterable[Counts], alike: Alike, but: int = 0) -> bool:
    """Whether the counts of branches agree with the parts of a sample, with at most `but` exceptions."""
    return sum(not alike(claimed, counted) for claimed, counted in zip(stated, found, strict=True)) <= but


def mended(
    test: Test, sample: Sample, missing: Missing, stated: Sequence[Counts], alike: Alike, off: Rational = 0
) -> Threshold | None:
    """The cut of the same attribute that divides the rows as the branches say; None if there is none.

    Args:
        test: the question of the node.
        sample: the rows at the node.
        missing: the rule for rows without an answer.
        stated: the counts of the branches.
        alike: compares them with the counts found.
        off: the largest difference of the weights of counts that are alike.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, 4, 9], "y": ["no", "yes", "yes"]}).sample()
        >>> mended(Threshold("x", 5), sample, Missing(), [(1, 0), (0, 2)], tuple.__eq__).name
        'x<=2.5'
    """
    if not isinstance(test, Threshold):
        return None
    weigh = sample.target.weight
    lower: Rational = weigh(stated[0])
    if missing.to == 0 or missing.shares:
        unknown, whole = weigh(sample.partition(test).unknown), weigh(sample.total())
        lower = lower - unknown if missing.to == 0 else lower * Fraction(whole - unknown, whole or 1)
    for cut in cuts_of_weight(sample, test.attribute, lower - off, lower + off):
        rows = list(cut.table.rows)
        if any(cut.table.unknown) and missing.to is not None:  # they are on one side, wherever the threshold is
            rows[missing.to] = minus(sample.total(), rows[1 - missing.to])
        elif any(cut.table.unknown) and missing.shares:  # they are divided as the rows that answer are
            shares = branch_shares([[sample.target.weight(row)] for row in rows])
            rows = [
                plus(row, tuple(share * weight for weight in cut.table.unknown))
                for row, share in zip(rows, shares, strict=True)
            ]
        if fit(stated, rows, alike):
            return replace(cut.test, strict=test.strict)
    return None
