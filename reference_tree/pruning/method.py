"""The record of a pruning method: everything that is known about a way to cut back a tree.

A method is one module of this folder: its formulas, and below them its record, a `PruningMethod`. `prune`, the command
line, the goldens and the derivations are views of the records, so a new method is one new file.

1. `PruningOption` is an option of a method, with its name, values and words.
2. `PruningMethod` is the record: options, how they are written into the tree, how the pruning is performed.
3. `methods` has all records of the folder, by name.

A method that compares two figures at each inner node needs nothing beside its formulas
(`reference_tree.pruning.comparing`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Literal, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, option
from reference_tree.data.table import Table
from reference_tree.exact.rationals import exact_text, exactly
from reference_tree.tree import Tree

Record: TypeAlias = Mapping[str, Any]
"""A method and its options, in the form of a tree document."""
Given: TypeAlias = Mapping[str, Any]
"""The options that are given, by name."""


class PruningOption(NamedTuple):
    """An option of a pruning method."""

    name: str
    """Its name in Python; the flag is `--name`."""
    meaning: str
    """Its help."""
    kind: Literal["number", "whole", "name", "rows", "truth"]
    """Its values: an exact number, an integer, a text, a table, or yes and no."""
    sign: str = ""
    """What stands for a value in the help."""
    values: tuple[str, ...] = ()
    """The values of a text, if they are few."""


ALPHA = PruningOption("alpha", "the price of a leaf: in bits, or as a share of the rows", "number", "NUMBER")
PROFILE = PruningOption("profile", "the dialect of cost-complexity or error-based pruning to follow", "name", "NAME")


def unconditional(given: Collection[str]) -> None:
    """The check of a method whose options may all be given or left out."""


def no_data(given: Given) -> bool:
    """The answer of a method that never needs the rows that the tree was grown from."""
    return False


@dataclass(frozen=True, eq=False, kw_only=True)
class PruningMethod:
    """A way to prune a tree.

    Args:
        name: the name of the method in Python, on the command line and in documents.
        called: the noun in the title of its derivation: "pruned by ...".
        options: its options.
        record: the record that the pruned tree keeps, from the tree, the given options and the cross-validation that
            chose α, if one did; without `method`.
        perform: the pruning: from the tree, the record, the rows it was grown from and the validation rows to the
            pruned tree with all figures.
        rules: the ids of the rules that a golden can exercise.
        check: refuses given options that exclude each other, or the lack of one that is needed.
        needs_data: whether, with these options, the rows that the tree was grown from are needed.
    """

    name: str
    called: str
    record: Callable[[Tree, Given, Any], dict[str, Any]]
    perform: Callable[[Tree, Record, Table | None, Table | None], Any]
    options: tuple[PruningOption, ...] = ()
    rules: tuple[str, ...] = ()
    check: Callable[[Collection[str]], None] = unconditional
    needs_data: Callable[[Given], bool] = no_data


@cache
def methods() -> Mapping[str, PruningMethod]:
    """All records of this folder, by name.

    Example:
        >>> methods()["cost-function"].called
        'the cost function'
    """
    package = __name__.rpartition(".")[0]
    modules = [import_module(f"{package}.{module.name}") for module in iter_modules(import_module(package).__path__)]
    records = [record for module in modules for record in vars(module).values() if isinstance(record, PruningMethod)]
    return {record.name: record for record in records}


def number_given(name: str, value: Any) -> str:
    """The exact text of a number that is given as an option.

    Raises:
        InputError: it is no number.

    Example:
        >>> number_given("alpha", 0.25)
        '1/4'
    """
    try:
        return exact_text(Fraction(exactly(value)))
    except (TypeError, ValueError) as error:
        raise InputError(f"{option(name)}: {error}") from None
