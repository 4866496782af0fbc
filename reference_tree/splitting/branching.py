"""Branching: how an attribute is tested, and so how a node branches.

A branching is a record, a `Branching`, in a module of this folder: the tests of a categorical
attribute, and how one of them is recognised. The learners, the descriptions of their options, the audits and the rules
of goldens are views of the records, so a new branching is one new file. A continuous attribute is cut in two, whatever
the branching, unless all attributes are tested at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from reference_tree.data.questions import Multiway
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.schema import Attribute
from reference_tree.records import records
from reference_tree.splitting.binary_subsets import one_vs_rest, partition_of_present
from reference_tree.splitting.candidate import Asking

Search: TypeAlias = Callable[[str, Partition], Iterable[Asking]]
"""A function that gives the sets of values to try, from an attribute and the partition of its values."""

BranchingName: TypeAlias = Literal["subset", "one-vs-rest", "multiway"]


# `askings` makes the tests of an attribute, and `asks` recognises one by the sets of values on its branches: an audit
# has a tree of another program, whose tests nobody made here.
@dataclass(frozen=True, eq=False, kw_only=True)
class Branching:
    """How an attribute is tested.

    Args:
        name: the name that a tree document records; the rule that a golden exercises is `branching.` with the name.
        words: the test in words.
        askings: the tests of a categorical attribute, from the attribute, the rows and a search for sets.
        kind: the kind of the tests: `subset`, `multiway`, or `linear` if all attributes are tested at once.
        asks: whether a test of this kind is one of these, from the values that rows have, branch by branch.
        searches: whether it tries the sets of the search, which lists not all of them where there are many values.
    """

    name: str
    words: str
    askings: Callable[[Attribute, Sample, Search], Iterable[Asking]] = lambda attribute, sample, search: ()
    kind: str = "subset"
    asks: Callable[[Sequence[frozenset[str]]], bool] = lambda parts: len(parts) <= 2
    searches: bool = False


def sets_of_values(attribute: Attribute, sample: Sample, search: Search) -> Iterable[Asking]:
    """Sets of values against the rest.

    Source:
        [Breiman1984 §2.4], [N3 Attributes with Many Values: binary splits]
    """
    # Values that no row of the node has would double the number of sets, and change no partition.
    return search(attribute.name, partition_of_present(sample, attribute))


def single_values(attribute: Attribute, sample: Sample, search: Search) -> Iterable[Asking]:
    """One value against all others.

    Source:
        [LiHang2019 §5.5.1], [N3 Attributes with Many Values: binary splits]
    """
    return one_vs_rest(attribute.name, partition_of_present(sample, attribute))


def multiway(attribute: Attribute, sample: Sample, search: Search) -> Iterable[Asking]:
    """A branch for each value: the tree of Gini indices that Zhou and N2 call CART.

    Source:
        [N2 §2.3 choice], [Zhou2016 §4.2.3]
    """
    return [(test := Multiway.on(attribute), sample.partition(test))]


SUBSET = Branching(name="subset", words="whether its value is one of a set", askings=sets_of_values, searches=True)
ONE_VS_REST = Branching(
    name="one-vs-rest",
    words="whether it has one value",
    askings=single_values,
    # Either side may be the one that is named; of two values both are single.
    asks=lambda parts: len(parts) <= 2 and any(len(part) == 1 for part in parts),
)
MULTIWAY = Branching(
    name="multiway",
    words="a branch for each value",
    askings=multiway,
    kind="multiway",
    asks=lambda parts: all(len(part) == 1 for part in parts),
)
# Without `askings`: its tests are about no single attribute, and a search makes them (`splitting.multivariate_nodes`).
LINEAR = Branching(
    name="linear",
    words="all attributes are tested at once, a continuous one as a number, a categorical one as a number for each "
    "value, 1 or 0",
    kind="linear",
)


@cache
def branchings() -> Mapping[str, Branching]:
    """All records of this folder, by name; those of this module come first.

    Example:
        >>> [one.name for one in branchings().values() if one.kind == "subset"]
        ['subset', 'one-vs-rest']
    """
    return {record.name: record for record in records(Branching, first="branching")}


def of_one_attribute() -> Mapping[str, Branching]:
    """Those whose tests are each of one attribute."""
    return {name: one for name, one in branchings().items() if one.kind != "linear"}
