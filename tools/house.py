"""The house in numbers: modules and lines of each folder, comments, and helpers that one caller has.

    python -m tools.house [--helpers]

A *helper of one call* is a function of at most three lines of code that is named once, where it is called: a private
one in its module, a method or a public one in the package. It costs its reader a jump, and its caller reads as well
without it. A function that stands for more than its lines is none: one with an example or a source, a property, a
method that a base class or a protocol asks for, a function that a test or a page names.
"""

from __future__ import annotations

import argparse
import ast
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "reference_tree"
SHORT = 3
"""The most lines of code of a helper."""


class Folder(NamedTuple):
    """A folder of the package with all below it; the modules of the package itself are the folder `.`."""

    name: str
    modules: int
    lines: int
    code: int
    """Lines that are neither blank, nor comment, nor docstring."""
    comments: int
    """Lines with a comment."""


class Helper(NamedTuple):
    """A short function with one caller."""

    file: str
    line: int
    name: str
    lines: int


@cache
def tree_of(path: Path) -> ast.Module:
    """A module, read."""
    return ast.parse(path.read_text(encoding="utf-8"))


def modules() -> list[Path]:
    """All modules of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def lines_of_code(text: str) -> set[int]:
    """The numbers of the lines that are neither blank, nor comment, nor docstring."""
    found = {number for number, line in enumerate(text.splitlines(), 1) if line.strip() and line.strip()[0] != "#"}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found -= set(range(node.lineno, (node.end_lineno or 0) + 1))
    return found


def comments(path: Path) -> int:
    """The number of lines with a comment, those for tools aside."""
    with path.open("rb") as file:
        found = [token.string for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT]
    return sum(1 for text in found if not re.match(r"# (noqa|type:|fmt:|pragma)", text))


def folders() -> list[Folder]:
    """Each folder of the package in order, and the whole."""
    found: dict[str, list[Path]] = {}
    for path in modules():
        found.setdefault(path.relative_to(PACKAGE).parts[0] if path.parent != PACKAGE else ".", []).append(path)
    return [counted(name, paths) for name, paths in [*sorted(found.items()), ("together", modules())]]


def counted(name: str, paths: list[Path]) -> Folder:
    """Some modules as one folder."""
    texts = [path.read_text(encoding="utf-8") for path in paths]
    lines, code = sum(len(text.splitlines()) for text in texts), sum(len(lines_of_code(text)) for text in texts)
    return Folder(name, len(paths), lines, code, sum(map(comments, paths)))


def named(path: Path) -> Iterator[str]:
    """Every name that a module uses, as often as it does, imports aside."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def called(path: Path) -> Iterator[str]:
    """Every name that a module calls."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr


def defined(path: Path) -> Iterator[ast.FunctionDef]:
    """The functions and methods of a module, those inside another one aside."""
    pending: list[ast.AST] = [tree_of(path)]
    while pending:
        for node in ast.iter_child_nodes(pending.pop()):
            if isinstance(node, ast.FunctionDef):
                yield node
            elif isinstance(node, ast.ClassDef):
                pending.append(node)


def helpers() -> list[Helper]:
    """The helpers of one call."""
    names = {path: Counter(named(path)) for path in modules()}
    calls = {path: Counter(called(path)) for path in modules()}
    everywhere, definitions = sum(names.values(), Counter[str]()), Counter[str]()
    for path in modules():
        definitions.update(node.name for node in defined(path))
    return [
        Helper(path.relative_to(PACKAGE).as_posix(), node.lineno, node.name, lines)
        for path in modules()
        for node in defined(path)
        if (lines := len(_lines_in(path).intersection(_body(node)))) <= SHORT
        and not node.decorator_list
        and not {"Example:", "Source:"} & set((ast.get_docstring(node) or "").split())
        and node.name not in _words_outside()
        and is_named_once(node.name, names[path], calls[path], everywhere, definitions)
        and not (_is_method(node) and is_inherited(node.name, names[path], everywhere, definitions))
    ]


def is_named_once(
    name: str, names: Counter[str], calls: Counter[str], everywhere: Counter[str], definitions: Counter[str]
) -> bool:
    """Whether a function of this name is named once: in its module if it is private, otherwise in the package."""
    if name.startswith("__"):  # Python calls it
        return False
    if name.startswith("_"):
        return names[name] == calls[name] == 1
    return definitions[name] == everywhere[name] == calls[name] == 1


def is_inherited(name: str, names: Counter[str], everywhere: Counter[str], definitions: Counter[str]) -> bool:
    """Whether a method of this name may be that of several classes: one more defines it, or another module calls it."""
    return definitions[name] > 1 or everywhere[name] > names[name]


def _is_method(node: ast.FunctionDef) -> bool:
    return [argument.arg for argument in node.args.args[:1]] == ["self"]


@cache
def _lines_in(path: Path) -> set[int]:
    return lines_of_code(path.read_text(encoding="utf-8"))


def _body(node: ast.FunctionDef) -> range:
    return range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1)


@cache
def _words_outside() -> frozenset[str]:
    """Every word of the tests and of the pages."""
    kinds = {"tests": "py", "tools": "py", "docs": "[mp][dy]"}
    paths = [path for folder, kind in kinds.items() for path in (ROOT / folder).rglob(f"*.{kind}")]
    return frozenset(word for path in paths for word in re.findall(r"\w+", path.read_text(encoding="utf-8")))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--helpers", action="store_true", help="name the helpers of one call")
    options = parser.parse_args()
    if options.helpers:
        for helper in helpers():
            print(f"{helper.file}:{helper.line} {helper.name} {helper.lines}")
    else:
        tell()


def tell() -> None:
    """Print the table of folders, and how many helpers there are."""
    print("\n| folder | modules | lines | code | comments in 100 lines |\n| :-- |" + " --: |" * 4)
    for name, count, lines, code, said in folders():
        print(f"| {name} | {count} | {lines} | {code} | {100 * said / lines:.1f} |")
    print(f"\n{len(helpers())} helpers of one call")


if __name__ == "__main__":
    main()
