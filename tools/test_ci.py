"""`.ci/run` ends as its parts do: with 0 where all of them pass, and else with what the one says that failed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tools.chosen import NOT_FOUND, mark_further_cases

RUN = Path(__file__).parents[1] / ".ci" / "run"
TOOLS = ("pip", "ruff", "mypy", "zizmor")


@pytest.mark.skipif(os.name == "nt" or not RUN.exists(), reason="needs a POSIX shell, and is no part of a release")
@pytest.mark.parametrize("status", [0, 3])
def test_it_ends_as_its_parts_do(tmp_path: Path, status: int) -> None:
    """The programs do nothing here, and mypy ends with this status. Where a part passes, no job is left to kill."""
    made = "".join(f'printf "exit {status * (tool == "mypy")}" >"$3/bin/{tool}"; ' for tool in TOOLS)
    programs = {
        "git": "exit 0",
        "tar": "exit 0",
        "python3": f'[ "$2" != venv ] || {{ mkdir -p "$3/bin"; {made} chmod +x "$3"/bin/*; }}',
    }
    for name, does in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    done = subprocess.run(["bash", RUN, "lints"], env={**os.environ, "PATH": path}, capture_output=True, check=False)
    assert done.returncode == status, done.stderr.decode()


@pytest.mark.again
def test_what_was_skipped_elsewhere_is_found_here(request: pytest.FixtureRequest) -> None:
    """Cases that are not depend on what is installed or built: name them all, and skip some."""
    assert not request.config.stash[NOT_FOUND]


def _items_marked(request: pytest.FixtureRequest, mark: pytest.MarkDecorator) -> list[pytest.Item]:
    items: list[pytest.Item] = [
        pytest.Function.from_parent(request.node.parent, name=f"test_many[{number}]", callobj=lambda: None)
        for number in range(7)
    ]
    for item in items:
        item.add_marker(mark)
    mark_further_cases(items)
    return items


def test_each_third_case_stands_for_the_others(request: pytest.FixtureRequest) -> None:
    items = _items_marked(request, pytest.mark.one_in(3))
    assert [item.name[-2] for item in items if not item.get_closest_marker("more")] == ["0", "3", "6"]
    assert not any(item.get_closest_marker("slow") for item in items)


def test_of_those_that_stand_for_the_others_some_are_quick(request: pytest.FixtureRequest) -> None:
    items = _items_marked(request, pytest.mark.one_in(2, 6))
    assert [item.name[-2] for item in items if not item.get_closest_marker("more")] == ["0", "2", "4", "6"]
    assert [item.name[-2] for item in items if item.get_closest_marker("slow")] == ["2", "4"]
