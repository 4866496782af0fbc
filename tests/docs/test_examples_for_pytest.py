"""The worked tests of somebody else's project pass, and fail once its tree is wrong."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong", "verdict"),
    [
        ("", "", ""),
        ("max(useful", "min(useful", "suboptimal"),
        ('{"label": above}', '{"label": "?"}', "wrong-leaf"),
    ],
)
def test_the_example_tests_what_it_says(tmp_path: Path, right: str, wrong: str, verdict: str) -> None:
    shutil.copytree(ROOT / "docs/examples/pytest", tmp_path, dirs_exist_ok=True)
    file = tmp_path / "their_trees.py"
    text = file.read_text(encoding="utf-8")
    assert right in text
    file.write_text(text.replace(right, wrong) if right else text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": f"{ROOT}"}, capture_output=True, encoding="utf-8")
    assert run.returncode == bool(verdict), run.stdout + run.stderr
    assert verdict in run.stdout
