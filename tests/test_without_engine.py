"""The package without its engine: `rm -r reference_tree/engine` leaves every golden, law and tie as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from filecmp import dircmp
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GOLDENS = ROOT / "tests" / "goldens"
FOLDERS = ["learners", "splitting", "pruning"]
"""Whose tests are run against the package without its engine."""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, but for its engine, and with the tests."""
    folder = tmp_path_factory.mktemp("bare")
    unwanted = shutil.ignore_patterns("engine", "__pycache__")
    for name in ("reference_tree", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
    shutil.copytree(ROOT / "docs" / "schemas", folder / "docs" / "schemas")
    shutil.copytree(ROOT / "docs" / "tools", folder / "docs" / "tools", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    assert not (folder / "reference_tree" / "engine").exists()
    return folder


def python(folder: Path, *arguments: str, **more: str) -> str:
    """What a program says that runs in a folder, with the package that is there."""
    environment: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(folder), "PYTHONUTF8": "1", **more}
    run = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def assert_same_files(found: Path, expected: Path) -> None:
    """The same folders with the same files, byte for byte."""
    pending = [dircmp(found, expected)]
    compared = 0
    while pending:
        both = pending.pop()
        assert both.left_only == both.right_only == both.funny_files == []
        for name in both.common_files:
            assert (Path(both.left) / name).read_bytes() == (Path(both.right) / name).read_bytes(), name
            compared += 1
        pending += both.subdirs.values()
    assert compared > 20


LOADED = "import reference_tree, sys; from reference_tree.twins import FAST_FORMS; print(len(FAST_FORMS), reference_tree.__file__)"  # noqa: E501


def test_there_is_no_engine(bare: Path) -> None:
    forms, file = python(bare, "-c", LOADED).split()
    assert (forms, Path(file).parents[1]) == ("0", bare)
    assert python(ROOT, "-c", LOADED).split()[0] != "0"
    assert python(ROOT, "-c", LOADED, REFERENCE_TREE_ENGINE="off").split()[0] == "0"


@pytest.mark.slow
def test_an_engine_that_is_off_stays_off_whoever_imports_it() -> None:
    imported = f"import reference_tree.engine; {LOADED}"
    assert python(ROOT, "-c", imported, REFERENCE_TREE_ENGINE="off").split()[0] == "0"


DIVIDED = """
import reference_tree as rt
from tests.strategies import perforated

table = perforated(40)
for learner in (rt.C45(), rt.C45(min_samples_leaf=2), rt.C45.like("c45-r8"), rt.CART(missing="fractions")):
    tree = learner.grow(table)
    print(rt.to_json(tree), rt.to_text(tree), rt.explain(tree, table) if len(tree.nodes) < 40 else "")
"""


@pytest.mark.slow
def test_rows_without_an_answer_are_divided_alike(bare: Path) -> None:
    """Some weights have 460 bits: the engine does not multiply them out, and the book does."""
    assert python(bare, "-c", DIVIDED) == python(ROOT, "-c", DIVIDED)


@pytest.mark.slow
def test_the_goldens_are_the_same(bare: Path) -> None:
    python(bare, "-m", "reference_tree", "golden", "--to", "written")
    assert_same_files(bare / "written", GOLDENS)


@pytest.mark.slow
def test_the_goldens_are_the_same_where_the_engine_is_off(tmp_path: Path) -> None:
    python(ROOT, "-m", "reference_tree", "golden", "--to", str(tmp_path), "c45/*", REFERENCE_TREE_ENGINE="off")
    assert_same_files(tmp_path / "c45", GOLDENS / "c45")


@pytest.mark.more
@pytest.mark.long
def test_the_laws_hold_all_the_same(bare: Path) -> None:
    """But for chains of hundreds of nodes and for folds, which take the book long, and what compares with the book."""
    folders = [f"tests/{name}" for name in FOLDERS]
    options = ["-x", "-q", "-p", "no:cacheprovider", "-k", "not chain and not choosing_alpha and not by_the_book"]
    said = python(bare, "-m", "pytest", *options, *folders)
    assert "passed" in said
