"""A release: everything that states the version agrees, and a dry run in a scratch clone cuts one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.tools import release
from docs.tools.release import digests, faults, moved_on, section, version_of

ROOT = Path(__file__).parents[2]
NEEDED = ("CITATION.cff", ".zenodo.json", "CHANGELOG.md", "pyproject.toml", release.STATED, "docs/tools/release.py")
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"

pytestmark = pytest.mark.skipif(not WORKFLOW.exists(), reason="what releases is no part of a release")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What states the version, in a folder of its own, with something that is not released."""
    for name in NEEDED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / release.SURFACE, tmp_path / release.SURFACE)
    log = tmp_path / "CHANGELOG.md"
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace("## [Unreleased]\n", "## [Unreleased]\n\n- A rule is new.\n", 1), encoding="utf-8")
    return tmp_path


def test_what_states_the_version_agrees() -> None:
    assert list(faults(ROOT)) == []


def test_a_version_that_moves_on_agrees_and_has_its_tag(clone: Path) -> None:
    moved_on(clone, "7.8.9", "2031-02-03")
    assert list(faults(clone, "v7.8.9")) == []
    assert version_of(clone) == "7.8.9"
    assert section(clone, "7.8.9")[0] == "2031-02-03"
    assert section(clone, "7.8.9")[1].startswith("- A rule is new.")
    assert section(clone, "Unreleased") == ("", "")
    assert "Production/Stable" in (clone / "pyproject.toml").read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match="lists nothing that is not released"):
        moved_on(clone, "7.9.0", "2031-02-04")


@pytest.mark.parametrize(
    ("version", "date", "told"),
    [
        ("7.8", "2031-02-03", "MAJOR.MINOR.PATCH"),
        ("7.8.9", "2031-02-30", "2031-02-30 is no date"),
        ("0.9.10", "2031-02-03", "0.9.10 is before"),
    ],
)
def test_a_version_does_not_go_back_and_has_a_date(clone: Path, version: str, date: str, told: str) -> None:
    with pytest.raises(SystemExit, match=told):
        moved_on(clone, version, date)
    assert version_of(clone) == version_of(ROOT)


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize(
    ("part", "old", "new", "least", "line"),
    [
        ("names", "", "rt.newly(table)\n", 1, "+ rt.newly(table)"),
        ("names", "rt.to_svg(", "rt.to_svg(first, ", 1, "+ rt.to_svg(first, "),
        ("names", "rt.to_svg(", "rt.to_xml(", 2, "- rt.to_svg("),
        ("rules", "rule counts\n", "", 2, "- rule counts"),
        ("cases", "cart/cats-linear ", "cart/cats-linear 0", 0, ""),
        ("cases", "", "cart/new 0123456789ab\n", 1, "+ cart/new 0123456789ab"),
        ("cases", "cart/cats-linear ", "cart/cats-lines ", 2, "- cart/cats-linear "),
        ("pages", "", "/frozen/#anew\n", 0, ""),
    ],
)
def test_the_kind_of_version_is_that_of_what_has_changed(
    clone: Path, part: str, old: str, new: str, least: int, line: str
) -> None:
    moved_on(clone, "8.0.0", "2031-02-02")  # what the present version has is released
    log = clone / "CHANGELOG.md"
    told = log.read_text(encoding="utf-8").replace("## [Unreleased]\n", "## [Unreleased]\n\n- More.\n", 1)
    log.write_text(told, encoding="utf-8")
    now = clone / release.SURFACE / f"{part}.txt"
    now.write_text(now.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    for kind, version in enumerate(("8.0.1", "8.1.0", "9.0.0")):
        if kind < least:
            with pytest.raises(SystemExit) as refused:
                moved_on(clone, version, "2031-02-03")
            assert f"needs a {release.KINDS[least]} one: {line}" in str(refused.value)
            assert version_of(clone) == "8.0.0"
    moved_on(clone, ("8.0.1", "8.1.0", "9.0.0")[least], "2031-02-03")


PLANTED = [
    ("CITATION.cff", "version: 7.8.9", "version: 7.8.8", "CITATION.cff has version 7.8.8"),
    ("CITATION.cff", "2031-02-03", "2031-02-30", "CHANGELOG.md dates version 7.8.9 2031-02-03"),
    ("CHANGELOG.md", "## [7.8.9] - 2031-02-03", "## [7.8.9]", "dates version 7.8.9 nowhere"),
    ("CHANGELOG.md", "## [7.8.9]", "## [7.8.8]", "says nothing of version 7.8.9"),
    ("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n- More.\n", "lists changes that are not released"),
    ("pyproject.toml", "5 - Production/Stable", "3 - Alpha", "does not have the status 5"),
    (release.STATED, '"7.8.9"', '"7.8.10"', "the tag is v7.8.9, and"),
    (f"{release.SURFACE}/rules.txt", "rule counts\n", "", "is not the surface of version 7.8.9"),
    (".zenodo.json", '"license": "MIT"', '"license": "GPL"', "has license 'GPL'"),
]


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize(("name", "old", "new", "told"), PLANTED)
def test_what_does_not_agree_is_told(clone: Path, name: str, old: str, new: str, told: str) -> None:
    moved_on(clone, "7.8.9", "2031-02-03")
    text = (clone / name).read_text(encoding="utf-8")
    assert old in text
    (clone / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert any(told in fault for fault in faults(clone, "v7.8.9"))


@pytest.mark.slow
def test_a_dry_run_cuts_a_release(clone: Path) -> None:
    """By the one command, from a repository of its own: a commit, a tag, and nothing left over."""

    def git(*words: str) -> str:
        named = ["-c", "user.name=a", "-c", "user.email=a@example.org", *words]
        return subprocess.run(["git", *named], cwd=clone, capture_output=True, text=True, check=True).stdout

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "docs/tools/release.py", *words]
        of = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
        of |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in of.items()}
        return subprocess.run(command, cwd=clone, env={**os_path(), **of}, capture_output=True, text=True, check=False)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "before")
    done = run("cut", "7.8.9", "2031-02-03")
    assert done.stdout == "v7.8.9 is tagged; publish it by: git push --follow-tags\n", done.stderr
    assert git("describe", "--exact-match").strip() == "v7.8.9"
    assert git("status", "--porcelain") == ""
    assert run("check", "v7.8.9").returncode == 0
    assert run("check", "v7.8.8").stderr.startswith("the tag is v7.8.8")
    assert "- A rule is new." in run("notes").stdout
    (clone / "CHANGELOG.md").write_text("changed", encoding="utf-8")
    assert "commit what has changed first" in run("cut", "7.9.0", "2031-02-04").stderr


def os_path() -> dict[str, str]:
    import os

    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def test_digests_are_those_of_two_builds_that_are_alike(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.whl").write_bytes(b"abc")
    said = digests(tmp_path / "one", tmp_path / "two")
    assert said == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.whl\n"
    (tmp_path / "two" / "a.whl").write_bytes(b"abd")
    with pytest.raises(SystemExit, match=r"not alike: a\.whl"):
        digests(tmp_path / "one", tmp_path / "two")


def test_the_workflow_does_what_contributing_says() -> None:
    """Each step of a release stands in it; the order is that of the jobs' needs."""
    text = WORKFLOW.read_text(encoding="utf-8")
    for step in (
        "docs/tools/release.py check", "SOURCE_DATE_EPOCH", "docs/tools/release.py digests dist other",
        "actions/attest-build-provenance@", "pypa/gh-action-pypi-publish@", "golden --archive dist/goldens.zip",
        "SHA256SUMS", "docs/tools/release.py notes",
    ):  # fmt: skip
        assert step in text, step
    assert re.findall(r"^  (\w+):\n    needs: (.*)$", text, re.MULTILINE) == [
        ("build", "[checks, thorough]"), ("index", "build"), ("publish", "index"), ("site", "publish"),
    ]  # fmt: skip


def test_metadata_of_a_doi_is_complete() -> None:
    said = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
    assert {"title", "upload_type", "description", "creators", "license", "keywords"} <= set(said)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert said["keywords"] == re.findall(r"^  - ([^:\n]+)$", citation.partition("keywords:")[2], re.MULTILINE)
