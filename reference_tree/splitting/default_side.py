r"""The default side: the test of gradient boosting where some rows have no value.

All rows without the value take one side, the same in training and in prediction. That side is learned: the test is
scored with these rows on the left and with these rows on the right, and the better side is kept.

1. `splits` are the tests of an attribute: every cut, and whether the value is there at all.
2. `sent` adds the rows without the value to one side of a partition.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import added, plus
from reference_tree.splitting.binary_subsets import one_vs_rest, partition_of_present
from reference_tree.splitting.candidate import Asking
from reference_tree.splitting.continuous_bisection import cuts

LEFT, RIGHT = 0, 1


# A row without a value is on neither side yet: the learner scores the test with these rows on either side, and keeps
# the better one. Whether there is a value at all is a test of its own, where some rows have one and some have none.
def splits(sample: Sample, attribute: Attribute) -> Iterator[Asking]:
    """The tests of an attribute, each with its sample partition, whose `unknown` rows are on neither side yet.

    For a continuous attribute these are all cuts, thresholds ascending. If some rows have no value, the last test
    is whether there is one: its threshold is the largest value, so all rows with a value are on the left. For a
    categorical attribute each value is tried against all others.

    Args:
        sample: the rows at the node.
        attribute: the attribute of the tests.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"x": [1, 2, None], "y": ["no", "no", "yes"]})
        >>> [(test.name, found.rows, found.unknown) for test, found in splits(table.sample(), Attribute("x"))]
        [('x<=1.5', ((1, 0), (1, 0)), (0, 1)), ('x<=2', ((2, 0), (0, 0)), (0, 1))]

    Source:
        [ChenGuestrin2016 §3.1 algorithm 1], [ChenGuestrin2016 §3.4 algorithm 3]. Their attributes are continuous, and
        a category is a column of zeros and ones; a cut of it is one value against all others.
    """
    if attribute.values is not None:
        yield from one_vs_rest(attribute.name, partition_of_present(sample, attribute))
        return
    yield from cuts(sample, attribute.name)
    values, rows, unknown = sample.ordered(attribute.name)
    if any(unknown) and values:
        test = Threshold(attribute.name, values[-1])
        yield test, Partition(test.outcomes, (added(rows), (0,) * len(unknown)), unknown)


def sent(table: Partition, side: int) -> Partition:
    """A partition with the rows without the value on one side.

    Args:
        table: the sample partition.
        side: `LEFT` or `RIGHT`.

    Example:
        >>> sent(Partition((), ((1, 0), (1, 0)), (0, 1)), RIGHT).rows
        ((1, 0), (1, 1))

    Source:
        [ChenGuestrin2016 §3.4 algorithm 3]
    """
    # Nothing is unknown any more: the side is a part of the test from here on.
    rows = [plus(row, table.unknown) if place == side else row for place, row in enumerate(table.rows)]
    return Partition(table.outcomes, tuple(rows), (0,) * len(table.unknown))
