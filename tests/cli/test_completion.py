"""Tests of shell completion: a real shell reads the script, and completes what a person has typed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from reference_tree.cli import parser
from reference_tree.cli.completion import SHELLS
from tests.cli.running import Run

COMPLETE = """
source {script}
COMP_WORDS=({words} "{last}")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_reference_tree
echo "${{COMPREPLY[*]}}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("reference-tree gr", "grow"),
        ("reference-tree grow pl", "play-tennis play-tennis-id"),
        ("reference-tree grow iris --learner c", "c45 cart"),
        ("reference-tree grow iris --max-d", "--max-depth"),
        ("reference-tree audit tree.json ir", "iris"),
        ("reference-tree prune tree.json iris --order ", "bottom-up best-first"),
        ("reference-tree grow iris --criterion t", "twoing"),
        ("reference-tree plot reg", "regions"),
        ("reference-tree completion z", "zsh"),
    ],
)
def test_bash_completes(run: Run, tmp_path: Path, typed: str, expected: str) -> None:
    script = tmp_path / "completion.bash"
    script.write_text(run("completion", "bash")[1], encoding="utf-8")
    words, _, last = typed.rpartition(" ")
    line = COMPLETE.format(script=script, words=words, last=last)
    found = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True).stdout.strip()
    assert found == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_completed_by_each_shell(run: Run, shell: str) -> None:
    out = run("completion", shell)[1]
    commands = parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    assert all(name in out for name in commands)  # type: ignore[union-attr]
