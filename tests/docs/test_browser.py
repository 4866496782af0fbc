"""The built site in a real browser: on a phone and on a desk, light and dark, with nothing but this machine to ask.

Build the site first (see CONTRIBUTING.md). Without it, without chromium or without the extra `browser`, these tests are
skipped; with the environment variable BROWSER=required they fail instead.
"""

from __future__ import annotations

import json
import os
import re
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from tests.docs.test_learn import PATH

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
SITE = ROOT / "site"
PAGES = [
    path.relative_to(ROOT / "docs").with_suffix("").as_posix()
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if "tools" not in path.relative_to(ROOT / "docs").parts
]
DOCSTRINGS = [
    page
    for page in PAGES
    if re.fullmatch(
        r"(---\n.*?\n---\n)?(\s|# [^\n]*|::: [^\n]*(\n    [^\n]*)*)*",
        (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"),
        re.DOTALL,
    )
]
"""Pages of modules: nothing but a title and docstrings, all from one template."""

WRITTEN = [page for page in PAGES if page not in DOCSTRINGS]
PATIENCE = 90_000
"""Milliseconds for an answer on a busy machine; 4 seconds are usual."""
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
ALONE = [  # no name but this machine's is found, and chromium itself asks for nothing
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-sandbox",
]
SCREENS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    "desk": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
}


LOOKS = {**{name: screen["viewport"] for name, screen in SCREENS.items()}, "wide desk": {"width": 1440, "height": 900}}

SCROLL: dict[str, str] = {}
"""Pages with a table that scrolls on a phone or a wide desk, and why."""

LOOK = """() => {
    const wider = (kind) => [...document.querySelectorAll(kind)].filter((one) => one.scrollWidth > one.clientWidth);
    return {
        overflow: document.documentElement.scrollWidth - window.innerWidth,
        out_of_reach: wider(".frame:not([tabindex]), div.arithmatex:not([tabindex])").map((one) => one.innerText),
        scrolling: wider(".frame").map((one) => one.innerText.slice(0, 60)),
        beyond: Math.max(0, ...wider("div.arithmatex").map((one) => one.scrollWidth - one.clientWidth)),
        height: document.documentElement.scrollHeight,
    };
}"""


STILL = """addEventListener("DOMContentLoaded", () => {
    document.head.append(document.createElement("style"));
    document.head.lastChild.textContent = "* { transition: none !important }";
});"""
"""Nothing moves while the next screen comes."""


class Look(NamedTuple):
    """How a page fits a screen."""

    overflow: int
    out_of_reach: list[str]
    """Tables and formulas that scroll, and have no stop of the Tab key."""
    scrolling: list[str]
    """The tables that scroll."""
    beyond: int
    """So many pixels of a formula are out of sight, of the one that is cut off most."""
    height: int


class Visit(NamedTuple):
    """What was seen on one page."""

    complaints: list[str]
    elsewhere: list[str]
    formulas: int
    typeset: int
    fonts: list[str]
    looks: dict[str, Look]
    """By the name of the screen."""


def _absent(what: str) -> None:
    (pytest.fail if os.environ.get("BROWSER") == "required" else pytest.skip)(what)


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _url(page: str) -> str:
    return "/" if page == "index" else f"/{page.removesuffix('/index')}/"


class Reader:
    """One tab that goes from page to page, and notes what each asks for and complains of."""

    def __init__(self, tab: Page) -> None:
        self.tab, self.complaints, self.asked = tab, list[str](), list[str]()
        self.screens = list(LOOKS)
        tab.add_init_script(STILL)
        tab.on("request", lambda request: self.asked.append(request.url))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("console", lambda said: self.complaints.append(said.text) if said.type in {"error", "warning"} else None)

    def visit(self, url: str) -> Visit:
        """Open a page once, and look at it on every screen."""
        self.complaints, self.asked = [], []
        looks: dict[str, Look] = {}
        self.tab.set_viewport_size(LOOKS[self.screens[0]])
        self.tab.goto(url, wait_until="load")
        self.tab.evaluate("document.fonts.ready.then(() => true)")
        for name in self.screens:
            self.tab.set_viewport_size(LOOKS[name])
            looks[name] = Look(**self.tab.evaluate(LOOK))
        self.screens.reverse()  # the next page is opened on the screen that is there: to lay this one out again is dear
        return Visit(
            self.complaints,
            elsewhere=[url for url in self.asked if urlsplit(url).hostname not in {"127.0.0.1", None}],
            formulas=self.tab.locator(".arithmatex").count(),
            typeset=self.tab.locator(".arithmatex .katex-html").count(),
            fonts=self.tab.evaluate("[...document.fonts].filter(one => one.status == 'loaded').map(one => one.family)"),
            looks=looks,
        )


@pytest.fixture(scope="module")
def reader(screens: dict[str, BrowserContext]) -> Reader:
    return Reader(screens["phone"].new_page())


FITTED = {"measures/entropy", "measures/gini_index", "learners/c45", "ensembles/adaboost"}
"""Pages whose formulas fit a phone, each of them in one or two lines."""

LONG = {
    "auditing",
    "engine",
    "conformance/faults",
    "conformance/goldens",
    "cli",
    "estimators",
    "foreign",
    "traceability",
}
"""Pages that fold what a reader looks up."""

FIGURES = """async () => {
    const page = new DOMParser().parseFromString(await (await fetch(location)).text(), "text/html");
    const said = (root) => [...root.querySelectorAll("[data-play] [data-is]")].map((one) => one.textContent);
    return [said(page), said(document), document.querySelectorAll("[data-play] :disabled").length];
}"""
"""What figures say before the script comes and after it, and how many buttons do nothing."""


def _is_sound(reader: Reader, address: str, page: str) -> None:
    """A page is opened once for all that is looked at."""
    seen = reader.visit(address + _url(page))
    _fits(seen, page)
    if page in FITTED:
        assert seen.looks["phone"].beyond <= 1
        assert seen.typeset > 1
    if page in LONG:
        assert seen.looks["phone"].height < 50_000
        _a_link_unfolds(reader.tab)
    if reader.tab.locator("[data-play]").count():
        _what_stands_there_stays(reader.tab)
    if page.removeprefix("zh/") in PATH:
        reader.tab.set_viewport_size(LOOKS["phone"])
        _an_exercise_can_be_answered(reader.tab, "正确。" if page.startswith("zh/") else "Right.")
    assert not seen.complaints


@pytest.mark.parametrize("page", [page for page in WRITTEN if page.removeprefix("zh/") in PATH])
def test_a_page_of_the_path(reader: Reader, address: str, page: str) -> None:
    _is_sound(reader, address, page)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("page", [page for page in WRITTEN if page.removeprefix("zh/") not in PATH])
def test_a_page(reader: Reader, address: str, page: str) -> None:
    _is_sound(reader, address, page)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("page", DOCSTRINGS)
def test_a_page_of_docstrings(reader: Reader, address: str, page: str) -> None:
    _fits(reader.visit(address + _url(page)), page)


def _fits(seen: Visit, page: str) -> None:
    assert not seen.elsewhere, "the page asks another host"
    assert not seen.complaints
    for look in seen.looks.values():
        assert look.overflow <= 0, "the page is wider than the screen"
        assert not look.out_of_reach, "something scrolls that the keyboard does not reach"
    scrolling = [*seen.looks["phone"].scrolling, *seen.looks["wide desk"].scrolling]
    assert bool(scrolling) == (page in SCROLL), f"tables are wider than their column: {scrolling}"
    assert seen.typeset == seen.formulas, "a formula is left as TeX"
    assert any(font.startswith("KaTeX_") for font in seen.fonts) or not seen.formulas, (
        "the fonts of the formulas are not loaded"
    )


def _a_link_unfolds(tab: Page) -> None:
    folded = tab.locator("details.abstract :is([id^=reference_tree], table)").last
    assert not folded.is_visible()
    if name := folded.get_attribute("id"):
        tab.evaluate("name => { location.hash = name; }", name)
        folded.wait_for()


def _what_stands_there_stays(tab: Page) -> None:
    tab.wait_for_function("() => !document.querySelector('[data-play]:not(.alive)')")
    before, after, disabled = tab.evaluate(FIGURES)
    assert before == after
    assert not disabled


def _an_exercise_can_be_answered(tab: Page, right: str) -> None:
    figure = tab.locator("[data-play=exercise].alive, [data-play=build].alive").first
    figure.wait_for()
    if figure.get_attribute("data-play") == "exercise":
        one = json.loads(figure.locator("script").inner_text())["state"]["tasks"][0]
        if one["options"]:
            figure.locator(f"[data-does='choose {one['options'].index(one['right'])}']").click()
        else:
            figure.locator("input").fill(one["right"])
            figure.locator("[type=submit]").click()
        assert figure.locator("[data-is=told]").inner_text() == right


def test_what_stood_on_a_page_of_learn_is_found_beneath_it(screens: dict[str, BrowserContext], address: str) -> None:
    tab = screens["desk"].new_page()
    for part, page in (("what-floats-get-wrong", "entropy_more"), ("the-curve", "entropy")):
        tab.goto(f"{address}/measures/entropy/#{part}")
        tab.wait_for_url(f"{address}/measures/{page}/#{part}")
    tab.close()


def test_a_question_of_the_first_page_shows_its_candidates(screens: dict[str, BrowserContext], address: str) -> None:
    tab = screens["desk"].new_page()
    tab.goto(address)
    assert [section.get_attribute("id") for section in tab.query_selector_all(".at") if section.is_visible()] == [
        "at-0"
    ]
    tab.click('a[href="#at-5"]')
    (shown,) = [section for section in tab.query_selector_all(".at") if section.is_visible()]
    assert "humidity" in shown.inner_text()
    assert "0.9710" in shown.inner_text()
    tab.close()
