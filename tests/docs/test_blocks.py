"""Every block of code of the pages prints what is on record, and each that a reader sees runs alone, as it stands."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.tools.blocks import DOCS, PAGES, ROOT, Block, blocks, prints, run
from docs.tools.pages import beneath
from tests.docs.record import RECORD, record_of
from tests.docs.test_learn import PATH

SLOW = {
    "auditing.md",
    "learners/c45.md",
    "learners/optimal.md",
    "selection/tables_and_pictures.md",
    "splitting/multivariate_nodes.md",
    "zh/splitting/multivariate_nodes.md",
}
"""The pages that compute for more than two seconds."""


def _name(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def _with_time(page: Path) -> object:
    return pytest.param(page, id=_name(page), marks=[pytest.mark.slow] if _name(page) in SLOW else [])


@pytest.mark.site  # `.ci/run` compares what was printed while the site was built; elsewhere the blocks run here
@pytest.mark.one_in(40)
@pytest.mark.parametrize("page", [_with_time(page) for page in PAGES])
def test_a_page_prints_what_is_on_record(page: Path) -> None:
    if page.name in {"playground.md", "six_trees.md", "check.md"}:
        pytest.importorskip("markdown")  # what a reader's Python runs is built by what builds the site
    record = record_of(page)
    assert record.exists(), "write it with: python -m tests.docs.record"
    assert prints(page) == record.read_text(encoding="utf-8"), "read the difference; then: python -m tests.docs.record"


def test_nothing_else_is_on_record() -> None:
    assert set(RECORD.rglob("*.txt")) == set(map(record_of, PAGES))


def _alone(block: Block) -> bool:
    try:
        run(block, {"__name__": "__main__"})
    except NameError:
        return False
    return True


@pytest.mark.filterwarnings("ignore:thresholds are rounded")  # a reader sees the remark, which stands on the page
@pytest.mark.one_in(10, 30)
@pytest.mark.parametrize("page", [page for page in PAGES if any(block.shown for block in blocks(page))], ids=_name)
def test_what_is_shown_runs_alone(page: Path) -> None:
    astray = [block.name for block in blocks(page) if block.shown and not _alone(block)]
    assert not astray, f"these lean on the blocks above them: {astray}"


# ------------------------------------------------------------------------------------------------- after an install

INSTALLED = """
import doctest, json, sys
for kind, text in json.load(sys.stdin):
    if kind == "session":
        example = doctest.DocTestParser().get_doctest(text, {}, "page", "page", 0)
        assert not doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed
    else:
        exec(compile(text, text, "exec"), {"__name__": "__main__"})
"""
"""Runs the code that a page shows: sessions at the prompt, and blocks, each alone."""

OF_LEARN = [page for name in PATH for page in (DOCS / f"{name}.md", beneath(DOCS / f"{name}.md")) if page.exists()]


@pytest.mark.one_in(40, 80)
@pytest.mark.parametrize("page", [_with_time(page) for page in OF_LEARN])
def test_what_a_page_of_learn_shows_runs_after_an_install(page: Path, tmp_path: Path) -> None:
    """The package is on the path, and nothing else of the project."""
    (tmp_path / "reference_tree").symlink_to(ROOT / "reference_tree", target_is_directory=True)
    sessions = "\n".join(
        re.findall(r"^ *```pycon\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    )
    shown = [("session", sessions), *(("block", block.code) for block in blocks(page) if block.shown)]
    command = [sys.executable, "-c", INSTALLED]
    told = subprocess.run(command, cwd=tmp_path, input=json.dumps(shown), text=True, capture_output=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
