"""A page states its address where the address of the site is known, and none where it is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.tools.pages import CONFIGURATION

commands = pytest.importorskip("mkdocs.commands.build")
config = pytest.importorskip("mkdocs.config")


def _site(folder: Path) -> Path:
    """The site of two pages, by the settings and the theme of ours."""
    pages, site = folder / "pages", folder / "site"
    for name in ("index.md", "zh/index.md"):
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_text("# A page\n\nThe first paragraph of a page describes it, if no sentence is bold.\n")
    settings = {"docs_dir": str(pages), "site_dir": str(site), "plugins": [], "markdown_extensions": [], "nav": None}
    commands.build(config.load_config(str(CONFIGURATION), **settings))
    return site


def _stated(page: Path) -> list[str]:
    return re.findall(r'(?:rel="canonical" href|property="og:url" content)="(.*?)"', page.read_text(encoding="utf-8"))


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


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("address", [None, ""])
def test_no_address_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str | None) -> None:
    monkeypatch.delenv("SITE_URL", raising=False)
    if address is not None:
        monkeypatch.setenv("SITE_URL", address)
    site = _site(tmp_path)
    assert _stated(site / "index.html") == []
    assert "<loc>" not in (site / "sitemap.xml").read_text(encoding="utf-8")
