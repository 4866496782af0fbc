"""A command, as its user types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from reference_tree.cli import main
from tests.cli.running import WEATHER, Run


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command: its exit status, standard output and standard error."""

    def command(*arguments: object) -> tuple[int, str, str]:
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stopped:  # argparse
            status = int(stopped.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return command


@pytest.fixture
def weather(tmp_path: Path) -> Path:
    """A file of six days."""
    path = tmp_path / "weather.csv"
    path.write_text(WEATHER, encoding="utf-8")
    return path
