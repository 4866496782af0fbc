"""The XML of PMML: the elements of a file, each member of which is used, without effect, or refused by name.

A file may hold anything. A document type is refused before it is read, so that no entity is declared, expanded or
fetched; a loop reads all levels, and the elements that are kept are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from reference_tree.data.errors import InputError
from reference_tree.programs.documents import MOST_NODES
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.pmml.members import MEMBERS, TEXTS

MOST_ELEMENTS = 6 * MOST_NODES
"""The largest number of elements of a file that are kept."""

_DECLARATIONS = ("http://www.w3.org/2001/XMLSchema-instance", "http://www.w3.org/XML/1998/namespace")
"""The namespaces whose attributes say nothing of a model."""


@dataclass(slots=True)
class Element:
    """An element with the members that are used."""

    name: str
    attrib: Mapping[str, str]
    inner: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *names: str) -> list[Element]:
        """The inner elements of some names."""
        return [each for each in self.inner if each.name in names]

    def first(self, *names: str) -> Element | None:
        """The first inner element of some names."""
        return next(iter(self.all(*names)), None)

    def get(self, name: str, default: str = "") -> str:
        """An attribute."""
        return self.attrib.get(name, default)

    def fields_of(self, outer: str, inner: str) -> Iterator[Element]:
        """The inner elements of an inner element, if it is there."""
        for one in self.all(outer):
            yield from one.all(inner)


class _Parser:
    """Collects the elements of a file that are used, without recursion."""

    def __init__(self, ignored: Ignored) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []
        self._passed = 0
        """How many elements are open that are passed over."""
        self._kept, self._nodes, self._ignored = 0, 0, ignored

    def start(self, name: str, attrib: dict[str, str]) -> None:
        """An element begins."""
        called = _local(name)
        if self._passed or not self._is_used(called):
            self._passed += 1
            return
        self._kept, self._nodes = self._kept + 1, self._nodes + (called == "Node")
        if self._kept > MOST_ELEMENTS or self._nodes > MOST_NODES:
            raise InputError(f"there are more than {MOST_NODES} nodes, or {MOST_ELEMENTS} elements")
        opened = Element(called, self._used_attributes(called, attrib))
        if self._open:
            self._open[-1].inner.append(opened)
        else:
            self.root = opened
        self._open.append(opened)

    def _is_used(self, name: str) -> bool:
        if not self._open:
            if name != "PMML":
                raise InputError(f"its outermost element is {name}, not PMML")
            return True
        above = MEMBERS[self._open[-1].name]
        above.check_member(name, name, self._ignored)
        return name in above.used

    def _used_attributes(self, name: str, attrib: Mapping[str, str]) -> dict[str, str]:
        inventory = MEMBERS[name]
        found = {}
        for key, value in attrib.items():
            if not key.startswith(_DECLARATIONS):
                inventory.check_member(key, value, self._ignored)
                if key in inventory.used:
                    found[key] = value
        return found

    def end(self, _: str) -> None:
        """An element ends."""
        if self._passed:
            self._passed -= 1
        else:
            self._open.pop()

    def data(self, text: str) -> None:
        """Text inside an element."""
        if not self._passed and self._open and self._open[-1].name in TEXTS:
            self._open[-1].text += text


def _local(name: str) -> str:
    """The name of an element without the namespace of PMML; those of other namespaces keep theirs."""
    space, _, local = name.rpartition(" ")
    return local if not space or "dmg.org/PMML" in space else name


def _refuse_document_type(*_: object) -> None:
    raise InputError("it declares a document type, which PMML has no need of and which could declare entities")


def parsed(text: str, ignored: Ignored) -> Element:
    """The outermost element of a file.

    Raises:
        InputError: it is no XML, or declares a document type, or is too large.
        UnreadError: it has a member that is not read.

    Example:
        >>> parsed('<PMML version="4.4"><Header/></PMML>', Ignored()).inner
        [Element(name='Header', attrib={}, inner=[], text='')]
    """
    if "<!DOCTYPE" in text:
        _refuse_document_type()
    found, parser = _Parser(ignored), expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_document_type
    parser.StartElementHandler, parser.EndElementHandler = found.start, found.end
    parser.CharacterDataHandler = found.data
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise InputError(f"it is no XML: {expat.ErrorString(error.code)}", line=error.lineno) from None
    except UnreadError as error:
        raise UnreadError(error.message, line=parser.CurrentLineNumber) from None
    except InputError as error:
        raise InputError(error.message, line=parser.CurrentLineNumber) from None
    assert found.root is not None
    return found.root
