"""The learner in Go: a fault planted in it is noticed where it is. `test_reports.py` has the cases that it claims."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from reference_tree.conformance.goldens import prompt
from tests.checking.answering import judged, kept

FOLDER = Path(__file__).parents[2] / "docs/examples/go"
GO = shutil.which("go")

pytestmark = pytest.mark.skipif(GO is None, reason="go is not here")


def answers(source: Path, folder: Path, names: list[str]) -> dict[str, Any]:
    """What the program, compiled in a folder, answers to cases."""
    assert GO is not None
    files = sorted(map(str, source.glob("*.go")))
    subprocess.run([GO, "build", "-o", str(folder / "learner"), *files], check=True, timeout=600)
    told = "\n".join(json.dumps(prompt(kept(name))) for name in names)
    run = subprocess.run(
        [folder / "learner"], input=told, capture_output=True, check=True, encoding="utf-8", timeout=60
    )
    return {line["id"]: line["answer"] for line in map(json.loads, run.stdout.splitlines())}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "before", "after", "name", "verdict"),
    [
        (
            "grow.go",
            "compare(c.gain, average) >= 0",
            "compare(c.gain, average) >= -1",
            "c45/loan-by-id",
            "not-a-candidate",
        ),
        ("grow.go", "mul(part.weight, share)", "share", "missing/two-gaps-on-a-path", "wrong-counts"),
    ],
)
def test_a_planted_fault_is_noticed(
    file: str, before: str, after: str, name: str, verdict: str, tmp_path: Path
) -> None:
    folder = tmp_path / "go"
    shutil.copytree(FOLDER, folder)
    source = (folder / file).read_text(encoding="utf-8")
    assert source.count(before) == 1
    (folder / file).write_text(source.replace(before, after), encoding="utf-8")
    assert verdict in {one.verdict for one in judged(name, answers(folder, tmp_path, [name])[name])}
