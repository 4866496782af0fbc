"""Records: ideas that are one file each, found by looking into their folder.

A measure, a pruning method or a stopping rule is a module with its formulas and its record. Whatever needs all of them
is a view of the records, so a new one is one new file.

A method may hand its work to a room that is built upon its class: a tree is drawn and saved by the room of trees. The
class then has the method from the start, and `late` finds the function when it is called.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

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


def late(place: str) -> Any:
    """A function of the package, imported now: for a method whose work is done in a room above that of its class.

    Args:
        place: its module and its name, without the package.

    Example:
        >>> float(late("measures.entropy.entropy")([1, 1]))
        1.0
    """
    module, _, name = place.rpartition(".")
    return getattr(import_module(f"{__package__}.{module}"), name)
