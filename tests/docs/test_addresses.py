"""Pages and releases state the addresses that their builder tells, and none of their own."""

from __future__ import annotations

import email
import re
import tarfile
import zipfile
from email.message import Message
from pathlib import Path

import pytest

from docs.tools.pages import CONFIGURATION

commands = pytest.importorskip("mkdocs.commands.build")
config = pytest.importorskip("mkdocs.config")
hatchling = pytest.importorskip("hatchling.build")
addresses = pytest.importorskip("docs.tools.addresses")
ROOT = CONFIGURATION.parent


def _site(folder: Path) -> Path:
    """The site of two pages, by the settings and the theme of ours."""
    pages, site = folder / "pages", folder / "site"
    for name in ("index.md", "zh/index.md"):
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_text("# A page\n\nThe first paragraph of a page describes it, if no sentence is bold.\n")
    folders = {"docs_dir": str(pages), "site_dir": str(site)}
    commands.build(config.load_config(str(CONFIGURATION), **folders, plugins=[], markdown_extensions=[], nav=None))
    return site


def _stated(page: Path) -> list[str]:
    return re.findall(r'(?:rel="canonical" href|property="og:url" content)="(.*?)"', page.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of other packages
@pytest.mark.parametrize("address", ["https://site.example/trees", "https://site.example/trees/"])
def test_a_page_and_the_sitemap_state_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("SITE_URL", address)
    site = _site(tmp_path)
    assert _stated(site / "index.html") == ["https://site.example/trees/"] * 2
    assert _stated(site / "zh" / "index.html") == ["https://site.example/trees/zh/"] * 2
    listed = re.findall("<loc>(.*?)</loc>", (site / "sitemap.xml").read_text(encoding="utf-8"))
    assert listed == ["https://site.example/trees/", "https://site.example/trees/zh/"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("address", [None, ""])
def test_no_address_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str | None) -> None:
    monkeypatch.delenv("SITE_URL", raising=False)
    if address is not None:
        monkeypatch.setenv("SITE_URL", address)
    site = _site(tmp_path)
    assert _stated(site / "index.html") == []
    assert "<loc>" not in (site / "sitemap.xml").read_text(encoding="utf-8")


def _metadata(source: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Message:
    """What the wheel of a source says of itself."""
    monkeypatch.chdir(source)
    with zipfile.ZipFile(folder / hatchling.build_wheel(str(folder))) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_string(wheel.read(name).decode())


@pytest.mark.slow
def test_a_release_states_its_addresses_and_so_does_what_is_built_from_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REPOSITORY_URL", "https://host.example/us/tree")
    monkeypatch.setenv("SITE_URL", "https://site.example/trees/")
    monkeypatch.chdir(ROOT)
    with tarfile.open(tmp_path / hatchling.build_sdist(str(tmp_path))) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = (path for path in tmp_path.iterdir() if path.is_dir())
    release = _metadata(ROOT, tmp_path, monkeypatch)
    monkeypatch.delenv("REPOSITORY_URL")
    monkeypatch.delenv("SITE_URL")
    for metadata in (release, _metadata(source, tmp_path, monkeypatch)):
        tag = f"https://host.example/us/tree/blob/v{metadata['Version']}"
        assert metadata.get_all("Project-URL") == [
            "Documentation, https://site.example/trees",
            "Repository, https://host.example/us/tree",
            "Issues, https://host.example/us/tree/issues",
            f"Changelog, {tag}/CHANGELOG.md",
        ]
        links = [
            link.replace("/raw/", "/blob/") for link in re.findall(r"\]\(([^#].*?)\)", str(metadata.get_payload()))
        ]
        assert f"{tag}/CONTRIBUTING.md" in links
        assert [link for link in links if not (ROOT / link.removeprefix(f"{tag}/").partition("#")[0]).is_file()] == []


@pytest.mark.slow
def test_a_wheel_whose_builder_tells_no_address_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REPOSITORY_URL", raising=False)
    monkeypatch.delenv("SITE_URL", raising=False)
    metadata = _metadata(ROOT, tmp_path, monkeypatch)
    assert metadata.get_all("Project-URL") is None
    assert metadata.get_payload() == (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_release_shows_the_picture_and_leads_to_the_files_of_its_tag() -> None:
    text = addresses.absolute((ROOT / "README.md").read_text(encoding="utf-8"), "https://repo.example/rt", "v1.0.0")
    assert (
        "](https://repo.example/rt/raw/v1.0.0/docs/assets/play-tennis.svg)](https://repo.example/rt/blob/v1.0.0/"
        in text
    )
