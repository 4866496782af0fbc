"""Records: ideas that are one file each, found by looking into their folder.

A measure, a pruning method or a stopping rule is a module with its formulas and its record. Whatever needs all of them
is a view of the records, so a new one is one new file.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

Record = TypeVar("Record")


def records(kind: type[Record], first: str = "") -> list[Record]:
    """The records of a kind in the folder where the kind is defined, by module and then as they stand in it.

    Args:
        kind: the class of the records.
        first: the module whose records come before all others.

    Example:
        >>> from reference_tree.measures.measure import Measure
        >>> [record.called for record in records(Measure) if record.name == "twoing"]
        ['twoing value']
    """
    folder = str(import_module(kind.__module__).__package__)
    names = [module.name for module in iter_modules(import_module(folder).__path__)]
    modules = [import_module(f"{folder}.{name}") for name in sorted(names, key=lambda name: name != first)]
    return [record for module in modules for record in vars(module).values() if isinstance(record, kind)]
