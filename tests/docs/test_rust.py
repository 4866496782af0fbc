"""The learner in Rust: exact, it passes every case it claims, and a fault planted in it is noticed where it is."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.conformance.cases import cases
from reference_tree.conformance.claims import read_claims
from reference_tree.conformance.goldens import prompt
from tests.checking.answering import judged, kept

FOLDER = Path(__file__).parents[2] / "docs/examples/rust"
RUST = shutil.which("rustc")

pytestmark = pytest.mark.skipif(RUST is None, reason="rustc is not here")


def answers(source: Path, folder: Path, names: list[str]) -> dict[str, Any]:
    """What the program, compiled in a folder, answers to cases."""
    assert RUST is not None
    command = [
        RUST,
        "-C",
        "overflow-checks=on",
        "--edition",
        "2021",
        "-o",
        str(folder / "learner"),
        str(source / "main.rs"),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    told = "\n".join(json.dumps(prompt(kept(name))) for name in names)
    run = subprocess.run(
        [folder / "learner"], input=told, capture_output=True, check=True, encoding="utf-8", timeout=60
    )
    return {line["id"]: line["answer"] for line in map(json.loads, run.stdout.splitlines())}


@pytest.mark.slow
def test_it_passes_every_case_it_claims(tmp_path: Path) -> None:
    claims = read_claims(FOLDER / "claims.toml")
    claimed = [name for name in cases() if claims.cover(kept(name))]
    checked = rt.check(answers(FOLDER, tmp_path, claimed), claims=claims)
    assert checked.passed, str(checked)
    assert len(claimed) >= 90


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "name", "verdict"),
    [
        ("depth >= deepest", "depth > deepest", "id3/play-tennis-one-level", "split-too-far"),
        ("x > *at }", "x > *at + Rational(1, 10) }", "cart/watermelon-3.0a", "wrong-table"),
    ],
)
def test_a_planted_fault_is_noticed(before: str, after: str, name: str, verdict: str, tmp_path: Path) -> None:
    folder = tmp_path / "rust"
    shutil.copytree(FOLDER, folder)
    source = (folder / "learner.rs").read_text(encoding="utf-8")
    assert source.count(before) == 1
    (folder / "learner.rs").write_text(source.replace(before, after), encoding="utf-8")
    assert verdict in {one.verdict for one in judged(name, answers(folder, tmp_path, [name])[name])}
