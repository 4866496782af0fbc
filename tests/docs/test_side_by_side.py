"""The commands of the page that puts five prunings side by side print what the page shows above them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "pruning" / "side_by_side.md"


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    """What the page has found: its first blocks are run, as the site runs them, up to the trees."""
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r'^```python [^\n]*session="five"\n(.*?)^```$', text, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), names)
        if "trees" in names:
            return names
    raise AssertionError("the page makes no trees")


def commands() -> list[list[str]]:
    (block,) = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [shlex.split(line) for line in block.replace("\\\n", " ").splitlines()]


def name_of(words: list[str]) -> str:
    """The method of a command, as the page calls it."""
    return "pre-pruning" if words[3] == "grow" else words[words.index("--method") + 1].replace("cost-f", "cost f")


def test_the_commands_print_the_trees_of_the_page(
    shown: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    grown, *five = commands()
    assert main(grown[3:]) == 0
    assert rt.read_tree("full.json").nodes == shown["full"].nodes
    assert [name_of(words) for words in five] == shown["names"]
    for words in five:
        assert words[:3] == ["python3", "-m", "reference_tree"]
        assert main(words[3:]) == 0
        printed = capsys.readouterr().out
        assert printed.endswith(rt.to_text(shown["trees"][name_of(words)]))
        if words[3] == "grow":
            continue
        for number, found in shown["said"].items():
            path, lines = shown["full"].path(number), printed.splitlines()
            at = next(at for at, line in enumerate(lines) if line == path or line.startswith(f"{path} "))
            line = lines[at + 1] if lines[at] == path else lines[at]  # where the table is wide, a path has its own line
            pruned = line.endswith(("becomes a leaf", "is cut", "goes with it"))
            assert found[name_of(words)].startswith("**") == pruned


def test_the_table_has_the_figures_that_the_commands_print(
    shown: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the page compares two figures of a node, `--explain` of the same command says the same."""
    monkeypatch.chdir(tmp_path)
    grown, *five = commands()
    main(grown[3:])
    capsys.readouterr()
    for words in five:
        if (name := name_of(words)) in ("cost function", "reduced-error"):
            main(["--explain" if word == "--show" else word for word in words[3:]])
            printed = capsys.readouterr().out
            compared = re.findall(r"^([\d.]+ [<=>] [\d.]+): ", printed, re.MULTILINE)
            assert compared == [found[name].strip("*") for found in shown["said"].values()]
