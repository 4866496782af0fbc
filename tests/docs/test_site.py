"""The built site as a whole: its path, its weight, what its pages say of themselves, and what the search has to search.

Build the site first (see CONTRIBUTING.md). Without it these tests are skipped; with SITE=required they fail instead.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from docs.tools import pages
from tests.docs.test_browser import PAGES, _url
from tests.every import of_every
from tools import surface

pytestmark = pytest.mark.site

SITE = Path(__file__).parents[2] / "site"
DESCRIPTION = re.compile(r'<meta name="description" content="(.*?)"', re.DOTALL)
NEXT = re.compile(r'<link rel="next" href="(.*?)"')
AT_ONCE = re.compile(r'<(?:link rel="stylesheet" href|script src)="(.*?)"')
TABLE = re.compile(r"<table(?P<attributes>[^>]*)>(?P<rows>.*?)</table>", re.DOTALL)


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    if not (SITE / "index.html").exists():
        (pytest.fail if os.environ.get("SITE") == "required" else pytest.skip)("the site is not built")


def _built_as(page: str) -> Path:
    return SITE / _url(page).strip("/") / "index.html"


def test_the_site_has_the_pages_of_its_sources_and_no_other() -> None:
    assert sorted(SITE.rglob("index.html")) == sorted(map(_built_as, PAGES))


def test_addresses_and_anchors_that_are_promised_are_there() -> None:
    """Those of `tools/recorded/surface/pages.txt`: others link to them. A page leads on to the one beneath it."""
    absent, ids = [], dict[str, set[str]]()
    for line in surface.recorded()["pages"]:
        address, _, anchor = line.partition("#")
        page = SITE / address.strip("/")
        if address not in ids:
            below = page.with_name(f"{page.name}{pages.BENEATH}")
            ids[address] = {""} if (page / "index.html").exists() else set()
            for built in (page / "index.html", below / "index.html"):
                if built.exists():
                    ids[address] |= {*re.findall(r'\b(?:id|name)="([^"]+)"', built.read_text(encoding="utf-8"))}
        if anchor not in ids[address]:
            absent.append(line)
    assert not absent


def test_no_page_says_its_title_twice() -> None:
    for page in map(_built_as, PAGES):
        article = page.read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]
        heads = [
            re.sub(r"<[^>]+>|¶", "", one).strip() for one in re.findall(r"<h[1-3].*?</h[1-3]>", article, re.DOTALL)
        ]
        assert heads[0] not in heads[1:], page
        first = article.partition("</h1>")[2].partition("<p>")[2]
        assert not first.startswith(f"{heads[0]}: "), page


def _weight(file: Path) -> int:
    return len(gzip.compress(file.read_bytes(), 6))


def part(name: str) -> list[str]:
    """The pages of a part of the navigation, in their order, without their suffix."""
    nav = pages.CONFIGURATION.read_text(encoding="utf-8").partition("\nnav:\n")[2]
    (lines,) = re.findall(rf"^  - {name}:\n((?:   .*\n)*)", nav, re.MULTILINE)
    return re.findall(r"([\w/]+)\.md$", lines, re.MULTILINE)


@pytest.mark.parametrize("language", ["", "zh/"])
def test_next_walks_from_the_first_page_along_the_path(language: str) -> None:
    walked, page = [], SITE / language / "index.html"
    for _ in part("Learn"):
        found = NEXT.search(page.read_text(encoding="utf-8"))
        assert found, page
        page = (page.parent / found[1] / "index.html").resolve()
        walked.append(page.parent.relative_to(SITE).as_posix())
    assert walked == [f"{language}{page}" for page in part("Learn")]


@of_every(PAGES)
def test_the_foot_of_a_page_leads_to_none_in_another_language(name: str) -> None:
    page = _built_as(name)
    foot = page.read_text(encoding="utf-8").partition('<footer class="md-footer">')[2]
    ways = re.findall(r'href="([^"]*)" class="md-footer__link', foot)
    there = [(page.parent / way).resolve().relative_to(SITE).as_posix() for way in ways]
    is_chinese = name.startswith("zh/")
    assert there
    assert all(f"{one}/".startswith("zh/") == is_chinese for one in there)


def test_the_path_is_an_evening_long() -> None:
    assert 12 <= len(part("Learn")) <= 30


WORDS = 15_000
"""The most words on the path, with those of tables, figures and formulas, before anything is unfolded: an evening."""


def test_the_path_is_read_in_an_evening() -> None:
    words = {page: words_seen(_article(page)) for page in part("Learn")}
    assert sum(words.values()) <= WORDS, sorted(words.items(), key=lambda pair: -pair[1])


class Seen(HTMLParser):
    """The text of a page as it is opened: without what is folded, scripts, and the formulas for screen readers."""

    INLINE = frozenset(["span", "a", "b", "i", "em", "strong", "code", "sub", "sup", "abbr", "wbr", "small"])
    ALONE = frozenset(["area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
    UNSEEN = frozenset(["script", "style", "template", "desc", "title"])

    def __init__(self) -> None:
        super().__init__()
        self.around: list[tuple[str, bool]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.text += [] if tag in self.INLINE else [" "]
        if tag not in self.ALONE:
            given = dict(attrs)
            formula = "katex-mathml" in (given.get("class") or "").split()
            self.around.append((tag, tag in self.UNSEEN or "hidden" in given or formula))

    def handle_endtag(self, tag: str) -> None:
        self.text += [] if tag in self.INLINE else [" "]
        while self.around and self.around.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self.around]
        folded = "details" in tags and "summary" not in tags
        if not folded and not any(unseen for _, unseen in self.around):
            self.text.append(data)


def words_seen(html: str) -> int:
    """How many words there are to read."""
    seen = Seen()
    seen.feed(html)
    return len("".join(seen.text).split())


def test_words_are_counted_as_they_are_seen() -> None:
    assert words_seen("<p>a <b>b</b>c</p><p>d</p><details><summary>e</summary>f</details><script>g</script>") == 4


@of_every(PAGES)
def test_a_page(name: str) -> None:
    page = _built_as(name)
    text = page.read_text(encoding="utf-8")
    descriptions = DESCRIPTION.findall(text)
    assert len(descriptions) == 1
    assert 5 <= len(unescape(descriptions[0]).strip()) <= 210
    assert not re.search(r"[<>{}\\]", descriptions[0]), descriptions[0]
    assert _weight(page) + sum(map(_weight, at_once(page))) < 300_000
    assert 'exec="on"' not in text, "a block that was not run"
    for found in TABLE.finditer(text):
        assert "rows" in found["attributes"] or "class=" in found["attributes"], "a table without its frame"


def at_once(page: Path) -> list[Path]:
    """The styles and scripts that a page asks for before it is shown."""
    return [(page.parent / asked).resolve() for asked in AT_ONCE.findall(page.read_text(encoding="utf-8"))]


def test_the_first_page_is_light() -> None:
    first = SITE / "index.html"
    assert _weight(first) + sum(map(_weight, at_once(first))) < 200_000


def test_the_search_has_prose_to_search_and_not_code() -> None:
    index = SITE / "search" / "search_index.json"
    entries = json.loads(index.read_text(encoding="utf-8"))["docs"]
    chinese = [entry for entry in entries if entry["location"].startswith("zh/")]
    english = [entry for entry in entries if entry not in chinese]
    translated = {entry["location"].partition("#")[0] for entry in chinese}
    for language, most in ((english, 260_000), (chinese, 1_100 * len(translated))):
        assert len(gzip.compress(json.dumps(language).encode(), 6)) < most
    assert not [entry["location"] for entry in entries if "from __future__" in entry["text"]]
    inside = {f"{page}/" for page in part("Inside")}
    boosts = {entry["location"]: entry.get("boost", 1) for entry in entries if entry["location"] in inside}
    assert boosts
    assert boosts == dict.fromkeys(boosts, 0.2)


def test_a_lesson_is_drawn() -> None:
    assert [page for page in part("Learn") if "<figure" not in _article(page)] == []


def _article(page: str) -> str:
    return (SITE / page / "index.html").read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]
