"""The rules of the house that a program can check: who may import whom, and what nobody may import."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.every import of_every

ROOT = Path(__file__).parents[1]
PACKAGE = "reference_tree"

FLOORS: dict[
    str, list[str]
] = {  # a module imports only from lines above its own, and within its folder without circles
    "the numbers": ["exact", "chance", "records"],
    "the twins": ["twins"],
    "the book": [
        "data",
        "measures",
        "splitting",
        "node",
        "routing",
        "plain",  # ID3, C4.5 and CART, each on one screen
        "invariants",
        "predictor",
        "tree",
        "subtrees",
        "learners",
        "selection",
        "pruning",
        "ensembles",
        "attribution",
        "functions",
    ],
    "beside the book": ["engine", "stores", "tree_document", "programs"],
    "the tools": [
        "views",
        "findings_output",
        "conformance",
        "auditing",
        "checking",
        "estimators",
        "_offered",  # what `import reference_tree as rt` offers
        "",  # the package itself
        "cli",
        "__main__",
    ],
}
LAYOUT = [line for floor in FLOORS.values() for line in floor]

CHANCE_AND_TIME = {"random", "secrets", "uuid", "time", "datetime", "locale"}
UNSAFE_STORES = {"pickle", "marshal", "shelve"}
RUNS_TEXT = {"eval", "exec", "compile", "__import__"}


def _module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = {_module_name(path): path for path in sorted((ROOT / PACKAGE).rglob("*.py"))}
every_module = of_every(PATHS)


@cache
def _parsed(module: str) -> ast.Module:
    return ast.parse(PATHS[module].read_text(encoding="utf-8"))


def _base(module: str, node: ast.ImportFrom) -> str:
    """The module that `from ... import` names, relative ones resolved."""
    if not node.level:
        return node.module or ""
    package = module if PATHS[module].name == "__init__.py" else module.rpartition(".")[0]
    parents = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*parents, node.module] if node.module else parents)


def _imports(module: str) -> Iterator[str]:
    for node in ast.walk(_parsed(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(module, node)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if inner in PATHS else base


@cache
def imports(module: str) -> frozenset[str]:
    """Every module that a module imports, wherever in it the import stands."""
    return frozenset(_imports(module))


def _own_imports(module: str) -> set[str]:
    return {name for name in imports(module) if name.split(".")[0] == PACKAGE}


def line_of(module: str) -> int:
    """The line of the layout on which a module stands."""
    return LAYOUT.index(module.split(".")[1] if "." in module else "")


def test_the_package_is_found() -> None:
    assert PACKAGE in PATHS
    assert len(PATHS) > 5


@every_module
def test_every_module_stands_in_the_layout(module: str) -> None:
    assert (module.split(".")[1] if "." in module else "") in LAYOUT


@every_module
def test_imports_go_upwards(module: str) -> None:
    below = {name for name in _own_imports(module) if line_of(name) > line_of(module)}
    assert not below, f"{module} imports from below its own line of the layout: {sorted(below)}"


@every_module
def test_imports_of_the_package_exist(module: str) -> None:
    assert _own_imports(module) <= PATHS.keys()


def test_no_imports_run_in_circles() -> None:
    try:
        TopologicalSorter({module: _own_imports(module) - {module} for module in PATHS}).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def floor_of(module: str) -> str:
    """The floor on which a module stands."""
    line = LAYOUT[line_of(module)]
    return next(floor for floor, lines in FLOORS.items() if line in lines)


@every_module
def test_the_book_knows_neither_engine_nor_dialects(module: str) -> None:
    if floor_of(module) in ("the numbers", "the twins", "the book"):
        folders = {name.split(".")[1] for name in _own_imports(module) if "." in name}
        assert not folders & {"engine", "programs"}


@every_module
def test_the_package_alone_names_its_engine(module: str) -> None:
    """And that at run time, for the folder may not be there."""
    if module.startswith(f"{PACKAGE}.engine"):
        return
    assert not {name for name in _own_imports(module) if name.startswith(f"{PACKAGE}.engine")}
    named = f"{PACKAGE}.engine" in PATHS[module].read_text(encoding="utf-8")
    assert named == (module == PACKAGE)


@every_module
def test_only_the_standard_library_is_imported(module: str) -> None:
    foreign = {name.split(".")[0] for name in imports(module)} - sys.stdlib_module_names - {PACKAGE}
    assert not foreign


@every_module
def test_nothing_depends_on_chance_time_or_place(module: str) -> None:
    assert not {name.split(".")[0] for name in imports(module)} & CHANCE_AND_TIME


@every_module
def test_no_text_is_run_as_code(module: str) -> None:
    names = {node.id for node in ast.walk(_parsed(module)) if isinstance(node, ast.Name)}
    assert not names & RUNS_TEXT
    assert not {name.split(".")[0] for name in imports(module)} & UNSAFE_STORES


def test_importing_the_package_loads_only_the_standard_library() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {PACKAGE}.cli, {PACKAGE}._offered; print(*sys.modules)"
    )
    run = subprocess.run(  # -S: as if nothing were installed
        [sys.executable, "-S", "-E", "-s", "-c", code], capture_output=True, check=True, encoding="utf-8"
    )
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert PACKAGE in loaded
    assert not loaded - sys.stdlib_module_names - {PACKAGE, "__main__"}
