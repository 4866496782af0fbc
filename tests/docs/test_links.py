"""Every link of the built site leads somewhere: to a page, a file, and a place on the page.

MkDocs checks the links that are typed; those that a block prints, and those of its table of contents, only stand in the
HTML. Build the site first (see CONTRIBUTING.md). Without it these tests are skipped; with the environment variable
SITE=required they fail instead.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.site

SITE = Path(__file__).parents[2] / "site"
ASKED = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src", "use": "href"}
"""Elements that name another place, and the attribute that does."""


class Places(HTMLParser):
    """The anchors of a page, and what it points to, with the line it stands on."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors = Counter[str]()
        self.asked: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what an element is called, and what it asks for."""
        for name, value in attributes:
            if value and (name == "id" or (tag, name) == ("a", "name")):
                self.anchors[value] += 1
            elif value and name == ASKED.get(tag):
                self.asked.append((self.getpos()[0], value))


@cache
def places(page: Path) -> Places:
    """What stands on a page."""
    seen = Places()
    seen.feed(page.read_text(encoding="utf-8"))
    return seen


def pages() -> list[Path]:
    """The pages of the site; the error page speaks of addresses from the root, which only a server knows."""
    return [page for page in sorted(SITE.rglob("*.html")) if page.name != "404.html"]


@cache
def target_of(folder: Path, path: str) -> Path | None:
    """The file that a link in a folder means; None if there is none."""
    target = (folder / unquote(path)).resolve()
    if target.is_dir():
        target /= "index.html"
    return target if target.is_file() else None


def leads_astray(page: Path, link: str) -> str | None:
    """Why a link leads nowhere, or none if it leads somewhere or away from the site."""
    address = urlsplit(link)
    if address.scheme or address.netloc:
        return None
    target = target_of(page.parent, address.path) if address.path else page
    if target is None:
        return "no such page"
    anchor = unquote(address.fragment)
    if target.parent.name in {"playground", "check"} and anchor.startswith("table="):
        return None  # a state, which tests/docs/test_playground.py and test_check.py open
    if anchor and target.suffix == ".html" and anchor not in places(target).anchors:
        return "no such place"
    return None


def astray() -> Iterator[str]:
    """The links that lead nowhere."""
    for page in pages():
        for line, link in places(page).asked:
            if why := leads_astray(page, link):
                yield f"{page.relative_to(SITE)}:{line}: {link}: {why}"


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    if not (SITE / "index.html").exists():
        (pytest.fail if os.environ.get("SITE") == "required" else pytest.skip)("the site is not built")


def test_every_link_leads_somewhere() -> None:
    found = list(astray())
    assert not found, f"{len(found)} dead links:\n" + "\n".join(found)


def test_a_place_has_a_name_of_its_own() -> None:
    twice = [
        f"{page.relative_to(SITE)}#{anchor}"
        for page in pages()
        for anchor, often in places(page).anchors.items()
        if often > 1
    ]
    assert not twice
