"""Arguments: what is no command and no option is told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Run, refused


@pytest.mark.parametrize(
    "arguments",
    [
        ["--target", "nothing"],
        ["--learner", "oracle"],
        ["--format", "png"],
        ["--epsilon", "much"],
        ["--epsilon", "nan"],
        ["--epsilon", "1e401"],
        ["--epsilon", "1" * 401],
        ["--epsilon=-1"],
        ["--max-depth", "-1"],
        ["--max-depth", "1.5"],
        ["--without", "nothing"],
        ["--categorical", "nothing"],
        ["--frobnicate"],
    ],
)
def test_bad_options(run: Run, weather: Path, arguments: list[str]) -> None:
    refused(run, "grow", weather, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["grow"],
        ["dance"],
        ["explain", "play-tennis", "--node", "/outlook=foggy"],
        ["explain", "play-tennis", "--node", "outlook"],
        ["explain", "play-tennis", "--no\nde"],
    ],
)
def test_bad_commands(run: Run, arguments: list[str]) -> None:
    refused(run, *arguments)
