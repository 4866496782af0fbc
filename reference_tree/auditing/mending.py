"""Mending: the rows that a node says its branches have, where its threshold sends others.

One wrong threshold moves rows, and then every count below it is wrong as well. What the branches say of their rows
tells where the threshold was: at most one cut of the attribute divides the rows so. The node is blamed once, and what
is below it is judged by the rows that it says it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from reference_tree.data.missing import Missing
from reference_tree.data.questions import Test, Threshold
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.targets import minus
from reference_tree.splitting.continuous_bisection import cuts

Alike = Callable[[Counts, Counts], bool]
"""Whether counts that are stated are those that were found."""


def fit(stated: Sequence[Counts], found: Iterable[Counts], alike: Alike, but: int = 0) -> bool:
    """Whether the counts of branches are those of the parts of a sample, with at most so many exceptions."""
    return sum(not alike(claimed, counted) for claimed, counted in zip(stated, found, strict=True)) <= but


def mended(test: Test, sample: Sample, missing: Missing, stated: Sequence[Counts], alike: Alike) -> Threshold | None:
    """The cut of the same attribute that divides the rows as the branches say; none if there is none.

    Args:
        test: what the node asks.
        sample: the rows at the node.
        missing: where a row goes that does not answer.
        stated: the counts of the branches.
        alike: compares them with those that are found.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, 4, 9], "y": ["no", "yes", "yes"]}).sample()
        >>> mended(Threshold("x", 5), sample, Missing(), [(1, 0), (0, 2)], tuple.__eq__).name
        'x<=2.5'
    """
    if not isinstance(test, Threshold):
        return None
    for cut in cuts(sample, test.attribute):
        rows = list(cut.table.rows)
        if any(cut.table.unknown) and missing.to is not None:  # they are on one side, wherever the threshold is
            rows[missing.to] = minus(sample.total(), rows[1 - missing.to])
        if fit(stated, rows, alike):
            return replace(cut.test, strict=test.strict)
    return None
