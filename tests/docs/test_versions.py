"""The sites of several versions stand beside each other, and the older ones stay."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mike")

ROOT = Path(__file__).parents[2]
SCRIPT = "docs/tools/versions.sh"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("bash") is None, reason="needs a POSIX shell")]

SETTINGS = """site_name: trees
site_url: !ENV [SITE_URL, ""]
theme: {name: material, font: false}
extra:
  version: {provider: !ENV [VERSIONS, ""]}
plugins:
  - mike: {canonical_version: latest}
"""


def git(folder: Path, *words: str) -> str:
    named = ["-c", "user.name=a", "-c", "user.email=a@example.org", *words]
    return subprocess.run(["git", *named], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A small site with our script and our settings for versions, and a remote repository beside it."""
    clone = tmp_path / "clone"
    (clone / SCRIPT).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / SCRIPT, clone / SCRIPT)
    (clone / "docs" / "index.md").write_text("# Trees\n", encoding="utf-8")
    (clone / "mkdocs.yml").write_text(SETTINGS, encoding="utf-8")
    git(tmp_path, "init", "-q", "--bare", "remote")
    git(clone, "init", "-q", "-b", "main")
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "a site")
    return clone


def deploy(clone: Path, name: str) -> None:
    (clone / "docs" / "index.md").write_text(f"# Trees of {name}\n", encoding="utf-8")
    of = {"SITE_URL": "https://trees.example/t/", "REMOTE": str(clone.parent / "remote")}
    of["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    named = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(
        ["bash", SCRIPT, name], cwd=clone, env={**os.environ, **of, **named}, check=True, capture_output=True
    )
    git(clone, "branch", "-D", "gh-pages")  # the next machine knows only what is remote


def test_the_settings_for_versions_are_those_of_our_site() -> None:
    ours = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for line in SETTINGS.splitlines():
        if "version" in line:
            assert line in ours


def test_older_sites_stay_and_addresses_lead_to_the_latest(clone: Path) -> None:
    for name in ("v1.0.0", "main", "v1.1.0", "v1.0.1"):
        deploy(clone, name)
    remote = clone.parent / "remote"
    said = {one["version"]: one for one in json.loads(git(remote, "show", "gh-pages:versions.json"))}
    assert {name: (one["title"], one["aliases"]) for name, one in said.items()} == {
        "dev": ("of today", []), "1.1": ("1.1.0", ["latest"]), "1.0": ("1.0.1", []),
    }  # fmt: skip
    for folder, name in (("1.0", "v1.0.1"), ("1.1", "v1.1.0"), ("latest", "v1.1.0"), ("dev", "main")):
        page = git(remote, "show", f"gh-pages:{folder}/index.html")
        assert f"Trees of {name}" in page
        assert re.findall(r'rel="canonical" href="(.*?)"', page) == ["https://trees.example/t/latest/"]
        assert re.search(r'"provider": *"mike"', page)
    assert "latest/" in git(remote, "show", "gh-pages:index.html")
    assert git(remote, "ls-tree", "gh-pages", "latest").startswith("040000 tree")
