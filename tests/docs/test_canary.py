"""What the canary says of two sites."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.tools.canary import compare, settings
from docs.tools.pages import CONFIGURATION


def test_the_settings_are_those_of_the_site_without_templates() -> None:
    ours = CONFIGURATION.read_text(encoding="utf-8")
    theirs = settings(ours).splitlines()
    gone = [line for line in ours.splitlines() if line not in theirs]
    assert [line.partition(":")[0] for line in gone] == ["  custom_dir", "  - mike"]
    assert [line for line in theirs if line not in ours.splitlines()] == ["site_dir: other"]


def test_pages_and_words_that_are_missing_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for site, page, said in (
        ("ours", "a", '<p>one two <span lang="zh">熵</span></p>'),
        ("ours", "b", ""),
        ("theirs", "a", "<p>one three</p>"),
    ):
        folder = tmp_path / site / page
        folder.mkdir(parents=True)
        (folder / "index.html").write_text(f"<nav>x</nav><article>{said}</article>", encoding="utf-8")
    assert compare(tmp_path / "ours", tmp_path / "theirs") == 1
    said = capsys.readouterr().out
    assert "missing: b\n1 of 2 pages are there\n" in said
    assert "words with their language: 1, by Zensical 0\n" in said
    assert "  a: lacks 2 words (two 熵); has 1 words (three)\n" in said
