"""The record of a pruning method: all facts about one method of cutting back a tree.

A method is one module of this folder: its formulas, and below them its record, a `PruningMethod`. `prune`, the command
line, the goldens and the derivations are views of the records, so a new method is one new file.

1. The options of a method are described as those of learners are (`reference_tree.learners.recorded`); an option
   that excludes or needs another one has a `Conflict` with it.
2. `PruningMethod` is the record: options, how they are written into the tree, how the pruning is performed.
3. `methods` has all records of the folder, by name.

A method that compares two figures at each inner node needs nothing beside its formulas
(`reference_tree.pruning.comparing`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from reference_tree.data.table import Table
from reference_tree.learners.recorded import AMOUNT, Conflict, Domain, Option
from reference_tree.records import records
from reference_tree.tree import Tree

Record: TypeAlias = Mapping[str, Any]
"""A method and its options, in the form of a tree document."""
Given: TypeAlias = Mapping[str, Any]
"""The options that are given, by name."""


NAME = Domain(str, str, str, "a name", "name")

# Described once: two methods have these options, and an option has one meaning in all commands.
ALPHA = {"alpha": Option(None, AMOUNT, "the price of a leaf: in bits, or as a share of the rows")}
PROFILE = {"profile": Option(None, NAME, "the dialect of cost-complexity or error-based pruning to follow")}


# Conflicts are records of functions, so that Python and the command line refuse the same, each in its own words.
def needed(*names: str, words: Callable[[], str]) -> Conflict:
    """The lack of some options where one of them has to be given."""
    return Conflict(names, lambda given: not {*names} & {*given}, lambda _: words())


def with_other(name: str, other: str, words: Callable[[], str]) -> Conflict:
    """An option that is given without another one, which it is for."""
    return Conflict((name, other), lambda given: name in given and other not in given, lambda _: words())


def without_other(name: str, other: str, words: Callable[[], str]) -> Conflict:
    """An option that is given together with another one, which leaves it no effect."""
    return Conflict((name, other), lambda given: {name, other} <= {*given}, lambda _: words())


def no_data(given: Given) -> bool:
    """The answer of a method that never needs the rows that the tree was grown from."""
    return False


@dataclass(frozen=True, eq=False, kw_only=True)
class PruningMethod:
    """A method of pruning.

    Args:
        name: the name of the method in Python, on the command line and in documents.
        called: the noun in the title of its derivation: "pruned by ...".
        options: its options, by name.
        record: the record that the pruned tree keeps, from the tree, the given options and the cross-validation that
            chose α, if one did; without `method`.
        perform: the pruning: from the tree, the record, the rows it was grown from and the validation rows to the
            pruned tree with all figures.
        rules: the ids of the rules that a golden can exercise.
        conflicts: the given options that exclude each other, or the lack of one that is needed, by their names.
        needs_data: whether, with these options, the rows that the tree was grown from are needed.
    """

    name: str
    called: str
    record: Callable[[Tree, Given, Any], dict[str, Any]]
    perform: Callable[[Tree, Record, Table | None, Table | None], Any]
    options: Mapping[str, Option] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    needs_data: Callable[[Given], bool] = no_data


@cache
def methods() -> Mapping[str, PruningMethod]:
    """All records of this folder, by name.

    Example:
        >>> methods()["cost-function"].called
        'the cost function'
    """
    # Found in the folder: a new method is a file, and no list has to know it.
    return {record.name: record for record in records(PruningMethod)}
