"""The scripts on the page of findings print what the page says."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.peers import weka
from tools.report import peers
from tools.report.runs import ROOT

PAGE = (ROOT / "docs/conformance/findings.md").read_text(encoding="utf-8")


def section(name: str) -> str:
    """A section of the page."""
    return PAGE.split(f"\n## {name}\n")[1].split("\n## ")[0]


def block(text: str, language: str) -> str:
    """The first block of a language in a section."""
    found = re.search(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def has_tree() -> bool:
    """Whether R and its package are installed."""
    if not shutil.which("Rscript"):
        return False
    return subprocess.run(["Rscript", "-e", "library(tree)"], capture_output=True, check=False).returncode == 0


def output(command: list[str], script: str = "", folder: Path | None = None) -> str:
    """What a command prints."""
    return subprocess.run(command, input=script, capture_output=True, check=True, encoding="utf-8", cwd=folder).stdout


def test_each_finding_has_its_version_and_what_was_expected() -> None:
    for name in ("tree", "Weka SimpleCart", "LightGBM", "chefboost"):
        assert re.search(r"\*\* \([^)]*\d+\.\d+", section(name))
        assert "\nExpected: " in section(name)


@pytest.mark.oracles
@pytest.mark.parametrize(
    ("name", "language", "command"),
    [("tree", "r", ["Rscript", "--vanilla", "-"]), ("LightGBM", "python", [sys.executable, "-W", "ignore", "-"])],
)
def test_a_script_prints_what_the_page_says(name: str, language: str, command: list[str]) -> None:
    if name == "tree" and not has_tree():
        pytest.skip("R has no package tree: install it from CRAN")
    if name == "LightGBM" and not importlib.util.find_spec("lightgbm"):
        pytest.skip("there is no LightGBM")
    text = section(name)
    assert output(command, block(text, language)) == block(text, "text")


@pytest.mark.oracles
def test_chefboost_asks_a_number_once(tmp_path: Path) -> None:
    if missing := peers.absent():
        pytest.skip(missing)
    text = section("chefboost")
    command = [os.environ["PEERS"], "-W", "ignore", "-"]
    assert output(command, block(text, "python"), tmp_path) == block(text, "text")


@pytest.mark.oracles
def test_simple_cart_splits_without_a_gain(tmp_path: Path) -> None:
    if missing := weka.absent():
        pytest.skip(missing)
    text = section("Weka SimpleCart")
    (tmp_path / "zero.arff").write_text(block(text, 'text title="zero.arff"'), encoding="utf-8")
    arguments = block(text, "bash").split()[3:-1]
    printed = output(["java", "-cp", str(weka.JAR), *arguments, str(tmp_path / "zero.arff")])
    assert block(text, "text") in printed
