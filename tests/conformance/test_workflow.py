"""The workflow for other projects: what its steps run, run here."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / ".github/workflows/conformance.yml"
SMALLEST = ROOT / "docs/examples/smallest"

pytestmark = pytest.mark.skipif(
    shutil.which("bash") is None or not WORKFLOW.exists(), reason="needs bash, and is no part of a release"
)


def steps(folder: Path, answer: str) -> int:
    """Run the named steps, and give the exit status of the first that fails."""
    text = WORKFLOW.read_text(encoding="utf-8")
    shim = folder / "reference-tree"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m reference_tree "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    told = {"ANSWER": answer, "CLAIMS": str(SMALLEST / "claims.toml"), "VERSION": "0.9"}
    assert all(f"      {name}: ${{{{ inputs." in text for name in told)
    environment = {
        **os.environ, **told, "RUNNER_TEMP": str(folder), "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "PYTHONPATH": str(ROOT), "PATH": os.pathsep.join([str(folder), os.environ["PATH"]]),
    }  # fmt: skip
    named = re.findall(r"      - name: \w+\n        run: (?:\|\n((?: {10}.*\n)+)|(.*)\n)", text)
    assert len(named) == 3
    for block, line in named:
        run = subprocess.run(["bash", "-e", "-c", dedent(block) or line], env=environment, check=False, cwd=folder)
        if run.returncode:
            return run.returncode
    return 0


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "status"), [(f"{sys.executable} {SMALLEST / 'id3.py'}", 0), ("head -n 1 >/dev/null", 2)]
)
def test_the_steps(tmp_path: Path, answer: str, status: int) -> None:
    assert steps(tmp_path, answer) == status
    found = tmp_path / "conformance"
    if status == 0:
        report = json.loads((found / "report.json").read_text(encoding="utf-8"))
        assert report["program"]["version"] == "0.9"
        assert {path.name for path in found.iterdir()} == {"report.json", "report.html", "badge.svg", "conformance.xml"}
        assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("# ")
