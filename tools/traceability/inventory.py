"""What the source documents N0 to N4 contain, and which docstrings of the package answer to it.

1. `documents` and `items` are the parts of each document: sections, equations, algorithms and their steps, examples,
   figures, tables and remarks (`N0.toml` to `N4.toml`).
2. `errata` are the faults found in them (`errata.toml`), `bibliography` the literature (`bibliography.toml`).
3. `citations` reads the `Source:` section of a docstring; `documented` walks through all docstrings of the package.
4. `citers` joins the two. `unknown` is what a lint has to report. What it takes to cover an item is in `covering.py`.

A citation stands in brackets. Its first word is a key of the bibliography; for N0 to N4 all of it is the id of an item:
`[N0 EN §2 eq. (1)]`, `[Quinlan1986 §4]`. An item belongs to a chapter, the module that is to cover it, without the name
of the package (`measures.entropy`); as long as that module does not exist, the item is to come.

`python -m tools.traceability.inventory` writes the pages that show all this.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = "reference_tree"
DOCUMENTS = ("N0", "N1", "N2", "N3", "N4")

_SOURCE_SECTION = re.compile(r"^Source:\n((?:[ \t].*\n?|\n)*)", re.MULTILINE)
_CITATION = re.compile(r"\[([A-Z][^\[\]]*)\]")


@dataclass(frozen=True)
class Document:
    """A source document: its text is not part of the project, so what identifies it stands here."""

    key: str
    title: str
    file: str
    lines: int
    sha256: str


@dataclass(frozen=True)
class Item:
    """A part of a source document that the project has to answer to."""

    id: str
    kind: str
    title: str
    chapter: str
    line: int
    errata: tuple[str, ...] = ()

    @property
    def document(self) -> str:
        return self.id.split()[0]

    def contains(self, other: Item) -> bool:
        """Whether the id of the other one continues this one: `N2 §2` contains `N2 §2.1` and `N2 §2.1 step 4`."""
        return other.id.startswith((f"{self.id} ", f"{self.id}.", f"{self.id}:"))


@dataclass(frozen=True)
class Erratum:
    """A fault of a source document: what it says and what it should say, in Markdown with TeX."""

    id: str
    source: str
    line: int
    severity: str
    says: str
    should: str
    settled_by: tuple[str, ...]
    also: tuple[int, ...] = ()

    @property
    def lines(self) -> tuple[int, ...]:
        return (self.line, *self.also)


@dataclass(frozen=True)
class Reference:
    """A work of the bibliography."""

    key: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int | None = None
    doi: str = ""
    isbn: str = ""


@dataclass(frozen=True)
class Documented:
    """Something with a docstring: a module, or a public function, class or method, whose `name` is then not empty."""

    module: str
    name: str
    docstring: str

    @property
    def path(self) -> str:
        """Where it stands, without the name of the package: `measures.entropy.entropy`."""
        return ".".join(part for part in (self.module, self.name) if part).removeprefix(f"{PACKAGE}.")


# ---------------------------------------------------------------------------------------------------- what is written


@cache
def _load(name: str) -> Mapping[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def _hashable(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in record.items()}


@cache
def documents() -> tuple[Document, ...]:
    """The five source documents."""
    return tuple(Document(**_load(key)["document"]) for key in DOCUMENTS)


@cache
def items() -> tuple[Item, ...]:
    """The parts of all source documents, in their order."""
    return tuple(Item(**_hashable(record)) for key in DOCUMENTS for record in _load(key)["item"])


@cache
def errata() -> tuple[Erratum, ...]:
    """The faults of all source documents, in the order of their ids."""
    return tuple(Erratum(**_hashable(record)) for record in _load("errata")["erratum"])


@cache
def bibliography() -> tuple[Reference, ...]:
    """The works that a docstring may cite, N0 to N4 among them, in the order of the file."""
    return tuple(Reference(key=key, **_hashable(record)) for key, record in _load("bibliography").items())


# ------------------------------------------------------------------------------------------------ what is programmed


def citations(docstring: str) -> tuple[str, ...]:
    """The citations in the `Source:` section of a Google-style docstring, without their brackets.

    Example:
        >>> citations('''The mean.
        ...
        ...     Returns:
        ...         A number in [0, 1]; see [Nowhere].
        ...
        ...     Source:
        ...         [N1 §1.3
        ...         eq. (4)], [Quinlan1986 §4]. Both say more of [0, 1].
        ...     ''')
        ('N1 §1.3 eq. (4)', 'Quinlan1986 §4')
    """
    section = _SOURCE_SECTION.search(inspect.cleandoc(docstring))
    return tuple(" ".join(found.split()) for found in _CITATION.findall(section[1])) if section else ()


@cache
def modules() -> Mapping[str, ModuleType]:
    """Every module of the package under its name, imported; `__main__` is left out, for importing it would run it."""
    package = importlib.import_module(PACKAGE)
    names = [found.name for found in pkgutil.walk_packages(package.__path__, f"{PACKAGE}.")]
    inner = {name: importlib.import_module(name) for name in sorted(names) if not name.endswith(".__main__")}
    return {PACKAGE: package, **inner}


def public_functions() -> Iterator[Documented]:
    """The public functions, classes and methods of the package, each where it is defined."""
    for home, module in modules().items():
        for name, value in _public(module):
            if (inspect.isroutine(value) or inspect.isclass(value)) and value.__module__ == home:
                yield from _with_methods(home, name, value)


def documented() -> Iterator[Documented]:
    """The modules of the package, then what `public_functions` finds in them."""
    yield from (Documented(name, "", module.__doc__ or "") for name, module in modules().items())
    yield from public_functions()


def _public(scope: object) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in vars(scope).items() if not name.startswith("_"))


def _with_methods(module: str, name: str, value: object) -> Iterator[Documented]:
    yield Documented(module, name, value.__doc__ or "")
    if inspect.isclass(value):
        for inner, member in _public(value):
            if isinstance(member, property) or _is_method(inner, member):
                yield Documented(module, f"{name}.{inner}", member.__doc__ or "")


def _is_method(name: str, member: object) -> bool:
    """Whether a member is a method; a field whose default is a function has a name of its own."""
    return inspect.isroutine(member) and getattr(member, "__name__", name) == name


# ------------------------------------------------------------------------------------------------------- their meeting


@cache
def citers() -> Mapping[str, tuple[Documented, ...]]:
    """Who in the package cites what: citations, as they stand, to the docstrings that hold them."""
    found: dict[str, list[Documented]] = defaultdict(list)
    for one in documented():
        for citation in dict.fromkeys(citations(one.docstring)):
            found[citation].append(one)
    return {citation: tuple(who) for citation, who in found.items()}


def unknown(citation: str) -> bool:
    """Whether a citation names nothing: no work of the bibliography, or no item of a source document."""
    key = citation.split()[0]
    if key in DOCUMENTS:
        return citation not in {item.id for item in items()}
    return key not in {reference.key for reference in bibliography()}


def due(item: Item) -> bool:
    """Whether the module that has to answer to the item exists."""
    return f"{PACKAGE}.{item.chapter}" in modules()


if __name__ == "__main__":
    from tools.traceability import pages

    pages.write()
