"""Which tests are about which parts of the source documents, and whether they enter the code that answers to them.

A test says what it is about with a mark: `@pytest.mark.covers("N2 §4.2 weights")`.

1. `coverings` reads the marks from the sources of the tests.
2. `code_of` are the functions behind a docstring that cites an item: itself; the public methods of a class, or its
   constructor if it has none; the functions of a module. What is there for speed (`engine/`) does not count.
3. `watched` looks on while a marked test runs, and fails it if it enters none of them. `conftest.py` calls it,
   and fails a marked test that is skipped.
4. `paragraphs` finds the paragraphs of the site that are about an item: they begin with its anchor, `anchor_of`.
5. `lacking` joins it all: what an item still lacks to be covered.
6. `state` is how far an item is covered. `kills` has for each tested item a fault of its code that its tests notice;
   `killing.py` finds them.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from docs.tools.pages import page_of
from tools.mutation.mutants import Key
from tools.traceability.inventory import PACKAGE, ROOT, Documented, Item, citers, items, modules

TESTS = ROOT / "tests"
DOCS = ROOT / "docs"
ENGINE = f"{PACKAGE}.engine"
MARK = "covers"


class Covering(NamedTuple):
    """A test that is about an item."""

    file: str
    """Below the folder of the tests."""
    test: str
    """With its class, if it has one."""


# ---------------------------------------------------------------------------------------------------------- the tests


@cache
def coverings() -> Mapping[str, tuple[Covering, ...]]:
    """The marked tests of each id, in the order of their files and lines."""
    found: dict[str, dict[Covering, None]] = defaultdict(dict)
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if f"mark.{MARK}(" in text:
            for name, id_ in _marked(ast.parse(text), ""):
                found[id_][Covering(path.relative_to(TESTS).as_posix(), name)] = None
    return {id_: tuple(tests) for id_, tests in found.items()}


def _marked(scope: ast.Module | ast.ClassDef, inside: str) -> Iterator[tuple[str, str]]:
    for node in scope.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name.lower().startswith("test"):
            name = inside + node.name
            yield from ((name, id_) for decorator in node.decorator_list for id_ in _ids(decorator))
            if isinstance(node, ast.ClassDef):
                yield from _marked(node, f"{name}::")


def _ids(decorator: ast.expr) -> Iterator[str]:
    """The ids of the marks in a decorator, which may stand at a single parameter."""
    for call in ast.walk(decorator):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == MARK:
            texts = (inner for argument in call.args for inner in ast.walk(argument) if isinstance(inner, ast.Constant))
            yield from (str(text.value) for text in texts)


# ----------------------------------------------------------------------------------------------------------- the code


def of_the_book(one: Documented) -> bool:
    """Whether it is more than a fast form."""
    return not one.module.startswith(ENGINE)


@cache
def code_of(one: Documented) -> frozenset[CodeType]:
    """The functions behind a docstring."""
    found: Any = modules()[one.module]
    for part in one.name.split(".") if one.name else ():
        found = inspect.getattr_static(found, part)
    return frozenset(_codes(found))


def _codes(value: Any) -> Iterator[CodeType]:
    if isinstance(value, ModuleType):
        own = (one for name, one in vars(value).items() if getattr(one, "__module__", "") == value.__name__)
        yield from (code for one in own if not isinstance(one, ModuleType) for code in _codes(one))
    elif inspect.isclass(value):
        methods = {name: code for name, member in vars(value).items() for code in _codes(member) if name[0] != "_"}
        yield from methods.values() or _codes(vars(value).get("__new__") or vars(value).get("__init__"))
    elif isinstance(value, property):
        yield from _codes(value.fget)
    elif isinstance(value, cached_property):
        yield from _codes(value.func)
    elif isinstance(value, staticmethod | classmethod):
        yield from _codes(value.__func__)
    elif isinstance(inner := inspect.unwrap(value) if callable(value) else value, FunctionType):
        yield inner.__code__


@contextmanager
def watched(ids: Iterable[str]) -> Iterator[None]:
    """Look on while a test runs that is about some items.

    Raises:
        AssertionError: no function that cites one of them was entered.
    """
    awaited = {id_: _citing_code(id_) for id_ in ids}
    if not awaited:
        yield
        return
    before = sys.getprofile()

    def entering(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and (found := [id_ for id_, codes in awaited.items() if frame.f_code in codes]):
            for id_ in found:
                del awaited[id_]
            if not awaited:
                sys.setprofile(before)  # the rest of the test runs at its own speed

    sys.setprofile(entering)
    try:
        yield
    finally:
        sys.setprofile(before)
    assert not awaited, f"the test is said to cover {', '.join(awaited)}, and enters no function that cites it"


def _citing_code(id_: str) -> frozenset[CodeType]:
    return frozenset().union(*(code_of(one) for one in citers().get(id_, ()) if of_the_book(one)))


# ---------------------------------------------------------------------------------------------------------- the pages

_ANCHOR = re.compile(r'<a id="(n\d-[^"]+)"></a>')


def anchor_of(id_: str) -> str:
    """The anchor of an item on a page.

    Example:
        >>> anchor_of("N0 EN §2 many values"), anchor_of("N3 Occam's Razor")
        ('n0-en-2-many-values', 'n3-occams-razor')
    """
    return "-".join(re.findall(r"[\w.]+", id_.lower().replace("'", "")))


@cache
def paragraphs() -> Mapping[str, Path]:
    """Anchor → the page where a paragraph begins with it. Several anchors may share a paragraph."""
    found: dict[str, Path] = {}
    for path in sorted(DOCS.rglob("*.md")):
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            anchors = _ANCHOR.findall(block)
            if anchors and len(_ANCHOR.sub("", block).split()) < 10:
                raise ValueError(f"{path}: the anchors {', '.join(anchors)} stand before no paragraph")
            for anchor in anchors:
                if anchor in found:
                    raise ValueError(f"{path}: the anchor {anchor} stands on {found[anchor]} as well")
                found[anchor] = path
    return found


# -------------------------------------------------------------------------------------------------------- their meeting


def code(item: Item) -> tuple[Documented, ...]:
    """What cites the item and is of the book."""
    return tuple(one for one in citers().get(item.id, ()) if of_the_book(one))


def parts(item: Item) -> tuple[Item, ...]:
    """The items in a section; none of what is no section, or what code cites as a whole."""
    if item.kind != "section" or code(item):
        return ()
    return tuple(other for other in items() if item.contains(other))


def page_of_item(item: Item) -> Path | None:
    """The page where the item is discussed: a remark in a paragraph of its own, anything else with its code."""
    if item.kind == "remark":
        return paragraphs().get(anchor_of(item.id))
    pages = (page_of(Path(*one.module.split(".")[1:]).with_suffix(".py")) for one in code(item))
    return next((path for path in pages if path.exists()), None)


def lacking(item: Item) -> tuple[str, ...]:
    """What an item lacks to be covered: code, a test, a page; a section without code of its own is covered by parts."""
    if inside := parts(item):
        return ("a part",) if any(map(lacking, inside)) else ()
    has = {"code": code(item), "a test": coverings().get(item.id), "a page": page_of_item(item)}
    return tuple(name for name, found in has.items() if not found)


@cache
def open_items() -> Mapping[Item, tuple[str, ...]]:
    """The items that are not covered, each with what it lacks."""
    return {item: missing for item in items() if (missing := lacking(item))}


# ------------------------------------------------------------------------------------------------------------ how far

KILLED = Path(__file__).parent / "killed.toml"
STATES = {
    "tested": "a test that is about it notices a fault of the code that cites it: it kills a mutant of this code",
    "shown": "the code that cites it runs in a test that is about it, and no mutant of this code is killed",
    "discussed": "a remark in a paragraph of a page, with code that runs, and no mutant of this code is killed",
    "open": "something of this is lacking",
}
"""How far an item is covered, and what that means. A section is covered as far as the least of its parts."""


class Kill(NamedTuple):
    """A mutant of the code that cites an item, which a test of the item kills."""

    id: str
    module: str
    line: str
    mutation: str

    @property
    def key(self) -> Key:
        """What names the mutant."""
        return Key(self.module, self.line, self.mutation)


@cache
def kills() -> Mapping[str, Kill]:
    """The recorded mutant of each item that has one."""
    return {entry["id"]: Kill(**entry) for entry in tomllib.loads(KILLED.read_text(encoding="utf-8"))["killed"]}


def state(item: Item) -> str:
    """How far an item is covered."""
    if inside := parts(item):
        return max(map(state, inside), key=list(STATES).index)
    if lacking(item):
        return "open"
    return "tested" if item.id in kills() else "discussed" if item.kind == "remark" else "shown"
