r"""Binary subsets: tests whether the value of an attribute is in a set.

A branch for each value makes many small branches, and small branches look pure. A learner of binary tests only
divides the values into two sets. With q values there are several searches for these:

1. `one_vs_rest` takes each value on its own against all others: q tests.
2. `all_subsets` takes every set of values against the rest: 2^(q-1) - 1 tests. Beyond `LIMIT` values it refuses.
3. `splitting.ordered_subsets` takes the cuts of an order, at most q - 1, and says where no winner is lost.

Each yields a `Grouping`: the test and its sample partition. No rows are counted for it; the rows of the multiway
partition are added up. Only values that some row of the node has are used. A value that no row has belongs to the rest:
it is not in the named set. The named side of a subset is the one *without the last value present*, and subsets come in
the order of their bit masks, the first value being the lowest bit (decision ties.split).

Source:
    [N3 Attributes with Many Values: binary splits]. They limit the preference for many values and do not end it: with
    two classes, free subsets still divide the values of an ID column into two pure sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from typing import NamedTuple

from reference_tree.data.errors import InputError, option
from reference_tree.data.questions import Multiway, Subset
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute

LIMIT = 16
"""The most values for which `all_subsets` tries every subset, 32 767 of them. Each further value doubles the work."""


_DIGITS = bytes.maketrans(b"01", b"\0\1")
# The digits of a mask as numbers.


class Grouping(NamedTuple):
    """A division of the values of an attribute into two sets, with its sample partition."""

    test: Subset
    """The test: a set of values against the rest."""
    table: Partition
    """The sample partition: the rows inside the set, and the rows outside."""


class Side(NamedTuple):
    """Some of the values that are present, and the sum of their counts."""

    mask: int
    """The bit mask of these values, the first value being the lowest bit."""
    row: Counts

    def joined(self, other: Side) -> Side:
        """The union of these values and some others."""
        return Side(self.mask | other.mask, tuple(a + b for a, b in zip(self.row, other.row, strict=True)))

    def without(self, part: Side) -> Side:
        """These values without some of them."""
        # The part lies within, so that an exclusive or takes its bits away.
        return Side(self.mask ^ part.mask, tuple(a - b for a, b in zip(self.row, part.row, strict=True)))


def partition_of_present(sample: Sample, attribute: Attribute) -> Partition:
    """The multiway sample partition on an attribute, without the values that no row has.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"colour": ["red", "blue", "red"], "y": ["no", "no", "yes"]})
        >>> some = table.sample().split(Multiway("colour", ("red",)))[0]
        >>> partition_of_present(some, table.schema.attribute("colour"))
        Partition(outcomes=(Outcome(relation='is', value='red'),), rows=((1, 1),), unknown=(0, 0))
    """
    outcomes, rows, unknown = sample.partition(Multiway.on(attribute))
    there = list(map(any, rows))
    return Partition(tuple(compress(outcomes, there)), tuple(compress(rows, there)), unknown)


# Of two values either one is the other against the rest: one test says it.
def one_vs_rest(attribute: str, table: Partition) -> Iterator[Grouping]:
    """Each value against all others.

    Args:
        attribute: the name of the attribute.
        table: its multiway sample partition.

    Returns:
        A test for each value that is present, in their order. For two values only that of the first, as the second
        would ask the same; for a single value none.

    Example:
        >>> from reference_tree.data.outcomes import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in ("overcast", "rainy", "sunny"))
        >>> outlook = Partition(outcomes, ((0, 4), (2, 3), (3, 2)), unknown=(0, 0))
        >>> for test, table in one_vs_rest("outlook", outlook):
        ...     print(test.name, table.rows)
        outlook in {overcast} ((0, 4), (5, 5))
        outlook in {rainy} ((2, 3), (3, 6))
        outlook in {sunny} ((3, 2), (2, 7))

    Source:
        [N3 Attributes with Many Values: binary splits], [LiHang2019 §5.5.1]
    """
    values = values_of(table)
    return groupings(attribute, table, values if len(values) > 2 else values[:-1])


def all_subsets(attribute: str, table: Partition) -> Iterator[Grouping]:
    """Every division of the values into two sets.

    Args:
        attribute: the name of the attribute.
        table: its multiway sample partition.

    Returns:
        2^(q-1) - 1 tests for q values that are present, in the order of their bit masks.

    Raises:
        InputError: more than `LIMIT` values are present.

    Example:
        >>> from reference_tree.data.outcomes import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in ("overcast", "rainy", "sunny"))
        >>> outlook = Partition(outcomes, ((0, 4), (2, 3), (3, 2)), unknown=(0, 0))
        >>> [test.name for test, _ in all_subsets("outlook", outlook)]
        ['outlook in {overcast}', 'outlook in {rainy}', 'outlook in {overcast, rainy}']

    Source:
        [N3 Attributes with Many Values: binary splits], [Breiman1984 §2.4]
    """
    values = values_of(table)
    if len(values) > LIMIT:
        raise InputError(
            f"{attribute} has {len(values)} values here, too many to try each subset of them (at most {LIMIT}); "
            f"ask one value against the rest ({option('branching', 'one-vs-rest')}), or merge some values"
        )
    # Of a set and its complement one is enough: the one without the last value. Each value doubles the list and is a
    # higher bit than all values before it, so the sets are in the order of their masks.
    sides: list[Side] = []
    for value in values[:-1]:
        sides += [value, *(side.joined(value) for side in sides)]
    return groupings(attribute, table, sides)


def number_of_values(table: Partition) -> int:
    """The number of values that at least one row has.

    Example:
        >>> number_of_values(Partition((), ((0, 4), (0, 0), (3, 2)), (0, 0)))
        2
    """
    return sum(1 for row in table.rows if any(row))


def values_of(table: Partition) -> list[Side]:
    """Each value that is present, as a side of its own."""
    return [Side(1 << place, row) for place, row in enumerate(row for row in table.rows if any(row))]


def groupings(attribute: str, table: Partition, sides: Iterable[Side]) -> Iterator[Grouping]:
    """The tests that name these sides."""
    present = [outcome.value for outcome, row in zip(table.outcomes, table.rows, strict=True) if any(row)]
    whole = [sum(column) for column in zip(*table.rows, strict=True)]
    for mask, inside in sides:
        # The lowest bit is the first value, hence the reversed digits. Only the side that is named is summed up; the
        # other is the difference from all rows, which is exact.
        digits = format(mask, "b").encode()[::-1].translate(_DIGITS)
        test = Subset(attribute, tuple(compress(present, digits)))
        outside = tuple(both - part for both, part in zip(whole, inside, strict=True))
        yield Grouping(test, Partition(test.outcomes, (inside, outside), table.unknown))
