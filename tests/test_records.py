"""Records: all of a folder, in order."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

import reference_tree
from reference_tree.learners.stopping.bounds import StoppingRule
from reference_tree.measures.measure import Measure
from reference_tree.pruning.method import PruningMethod
from reference_tree.records import late, records
from tools.test_architecture import PATHS, imports

PACKAGE = Path(reference_tree.__file__).parent


def test_a_folder_has_records_of_its_kind_alone() -> None:
    kinds: list[type[Any]] = [Measure, PruningMethod, StoppingRule]
    for kind in kinds:
        found = records(kind)
        assert found
        assert all(isinstance(record, kind) for record in found)
        assert len({record.name for record in found}) == len({id(record) for record in found})


def test_the_first_module_comes_first() -> None:
    found = [record.name for record in records(StoppingRule, first="bounds")]
    assert found[:2] == ["empty", "pure"]


def _planted(module: Path) -> list[str]:
    """The attributes that a module gives to classes of other modules."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)]
    targets = [target for one in assigned for target in (one.targets if isinstance(one, ast.Assign) else [one.target])]
    return [
        f"{target.value.id}.{target.attr}"
        for target in targets
        if isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id[0].isupper()
        and target.value.id not in own
    ]


def test_no_module_gives_a_class_of_another_a_method() -> None:
    """The profiles of a learner alone come from other modules: the package itself imports all of these."""
    found = {name for module in PACKAGE.rglob("*.py") for name in _planted(module)}
    assert {name.partition(".")[2] for name in found} == {"profiles", "widest"}


def test_what_is_found_late_is_there() -> None:
    places = {
        place for module in PACKAGE.rglob("*.py") for place in re.findall(r"\blate\(\"(.+?)\"\)", module.read_text())
    }
    assert "views.notebook.table_text" in places
    assert all(callable(late(place)) for place in places)


ATTRIBUTES_OF_CLASSES = """
import importlib, json, sys
import reference_tree  # as each module of it does first

def classes():
    modules = [module for name, module in sys.modules.items() if name.startswith("reference_tree")]
    found = {one for module in modules for one in vars(module).values() if isinstance(one, type)}
    return {one: set(vars(one)) for one in found if one.__module__.startswith("reference_tree")}

first = classes()
for module in json.loads(sys.argv[1]):
    importlib.import_module(module)
    first = classes() | first
for one, attributes in classes().items():
    if added := {name for name in attributes ^ first[one] if not name.startswith(("__abstract", "_abc", "__anno"))}:
        print(one.__qualname__, *sorted(added))
print(len(first))
"""


@pytest.mark.slow
def test_a_class_is_the_same_whatever_was_imported() -> None:
    """Modules are imported one by one, each after those that it needs: so a class is seen before a module above it."""
    order = TopologicalSorter({module: imports(module) & PATHS.keys() - {module} for module in PATHS}).static_order()
    modules = [module for module in order if not module.endswith("__main__")]
    code = [sys.executable, "-c", ATTRIBUTES_OF_CLASSES, json.dumps(modules)]
    done = subprocess.run(code, capture_output=True, check=True, encoding="utf-8", cwd=PACKAGE.parent)
    *differing, classes = done.stdout.splitlines()
    assert not differing
    assert int(classes) > 400
