"""axe finds nothing serious on the pages: light and dark, on a phone and on a desk.

As for the other tests in a browser, the site is built first; `npm ci --prefix docs/tools` brings axe.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.docs.test_browser import SCREENS, STILL, _absent, _url

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[2] / "docs" / "tools" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [
    "index",
    "learn/what_is_a_tree",
    "measures/entropy",
    "measures/information_gain",
    "measures/gain_ratio",
    "splitting/continuous_bisection",
    "splitting/missing_values",
    "pruning/cost_complexity",
    "learners/cart",
    "learners/id3",
    "pruning/side_by_side",
    "six_trees",
    "zh/measures/information_gain",
    "zh/learners/id3",
    "playground",
    "check",
    "zh/check",
    "conformance/report",
    "decisions",
    "exact/reals",
    "views",
    "glossary",
    "zh/glossary",
    "zh/howto/sheets",
    "zh/slips",
    "learners/stopping",
    "measures/gini_index",
]
THEIRS: dict[str, str] = {}
"""Rules that the theme's own markup breaks, and why that stays so."""

# Two frames after a resize the theme has made code that is too wide focusable.
FINDINGS = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    .then(() => axe.run(document, {resultTypes: ["violations"]})).then(({violations}) => violations
    .filter(({impact}) => ["serious", "critical"].includes(impact))
    .flatMap(({id, nodes}) => nodes.map(({html}) => [id, html.slice(0, 200)])))"""


@pytest.fixture(scope="module")
def tab(screens: dict[str, BrowserContext]) -> Iterator[Page]:
    if not AXE.exists():
        _absent("axe is not installed")
    page = screens["desk"].new_page()
    page.add_init_script(STILL)  # colours change at once
    page.emulate_media(reduced_motion="reduce")
    yield page
    page.close()


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("number", "page"), list(enumerate(PAGES)), ids=PAGES)
def test_axe_finds_nothing_serious(tab: Page, address: str, number: int, page: str) -> None:
    tab.goto(address + _url(page))
    tab.add_script_tag(path=AXE)
    for place, screen in enumerate(SCREENS.values()):
        # every other page is dark on the phone, the others on the desk
        scheme: Literal["light", "dark"] = "dark" if (number + place) % 2 else "light"
        tab.set_viewport_size(screen["viewport"])
        tab.emulate_media(color_scheme=scheme)
        found = [(rule, html) for rule, html in tab.evaluate(FINDINGS) if rule not in THEIRS]
        assert not found, f"{scheme}, {screen['viewport']['width']} pixels wide"


def test_axe_finds_what_is_there_to_find(tab: Page, address: str) -> None:
    tab.goto(f"{address}/404.html")
    tab.add_script_tag(path=AXE)
    tab.evaluate(
        "document.querySelector('article').innerHTML = '<img src=x><p style=color:#ddd;background:#fff>pale</p>'"
    )
    assert {"image-alt", "color-contrast"} <= {rule for rule, _ in tab.evaluate(FINDINGS)}
