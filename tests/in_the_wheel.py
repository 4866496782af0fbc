"""Run by the Python of an environment that holds the wheel alone: what other programs read is in it."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files

import reference_tree


def check() -> None:
    package = files("reference_tree")
    for schema in ("tree-1", "ensemble-1", "golden-2", "golden-prompt-2", "golden-archive-1"):
        assert json.loads((package / "schemas" / f"{schema}.schema.json").read_text("utf-8"))["$schema"]
    golden = (package / "goldens" / "id3" / "play-tennis.json").read_bytes()
    command = [sys.executable, "-m", "reference_tree", "golden", "id3/play-tennis"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == golden
    assert (package / "py.typed").is_file()


if __name__ == "__main__":
    check()
    print(f"reference_tree {reference_tree.__version__}: schemas, goldens and types are in the wheel")
