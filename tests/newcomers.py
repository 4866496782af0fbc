"""Newcomers: a copy of the package with made-up records, each in one file of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class House(NamedTuple):
    """A copy of the package."""

    path: Path

    @classmethod
    def of(cls, path: Path, newcomers: Mapping[str, str]) -> House:
        """A copy with some more files: path in the package → text."""
        shutil.copytree(ROOT / "reference_tree", path / "reference_tree", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "docs" / "schemas", path / "docs" / "schemas")
        for file, text in newcomers.items():
            assert not (path / "reference_tree" / file).exists()
            (path / "reference_tree" / file).write_text(text, encoding="utf-8")
        return cls(path)

    def run(self, *arguments: str) -> str:
        """What a command prints."""
        return self._done("-m", "reference_tree", *arguments).stdout

    def refused(self, *arguments: str) -> str:
        """The message of a command that is refused."""
        done = self._done("-m", "reference_tree", *arguments, check=False)
        assert done.returncode == 2
        return done.stderr

    def told_wrong(self, *arguments: str) -> str:
        """What a command prints that ends with the status 1."""
        done = self._done("-m", "reference_tree", *arguments, check=False)
        assert done.returncode == 1
        return done.stdout

    def told(self, *arguments: str) -> str:
        """What a command says beside what it prints."""
        return self._done("-m", "reference_tree", *arguments).stderr

    def python(self, script: str) -> str:
        """What a script prints."""
        return self._done("-c", script).stdout

    def _done(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments], cwd=self.path, capture_output=True, encoding="utf-8", check=check
        )
