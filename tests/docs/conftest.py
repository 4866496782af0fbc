"""What the tests of the built site share: its address on this machine, and chromium with a phone and a desk."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from tests.docs.test_browser import ALONE, PATIENCE, PROGRAMS, SCREENS, SITE, _absent, _Silent
from tests.docs.test_playground import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if not (SITE / "index.html").exists():
        _absent("the site is not built")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(SITE))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def screens() -> Iterator[dict[str, BrowserContext]]:
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        _absent("chromium is not installed")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        _absent("playwright is not installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=ALONE)
        contexts = {name: chromium.new_context(**screen) for name, screen in SCREENS.items()}
        for context in contexts.values():
            context.set_default_timeout(PATIENCE)
        yield contexts
        chromium.close()


@pytest.fixture
def opened(screens: dict[str, BrowserContext], address: str) -> Iterator[Callable[..., Page]]:
    """Opens a page of the site on a screen, in a tab that the end of the test closes."""
    tabs = []

    def open_page(page: str, screen: str = "phone") -> Page:
        tabs.append(tab := screens[screen].new_page())
        tab.goto(f"{address}/{page}")
        return tab

    yield open_page
    for tab in tabs:
        tab.close()


@pytest.fixture(scope="module")
def visitors(screens: dict[str, BrowserContext], address: str) -> dict[str, Visitor]:
    return {name: Visitor(screen.new_page(), f"{address}/playground/") for name, screen in screens.items()}


@pytest.fixture
def visitor(visitors: dict[str, Visitor]) -> Iterator[Callable[..., Visitor]]:
    yield lambda screen="desk": visitors[screen]
    for one in visitors.values():
        assert not one.elsewhere, "the playground asks another host"
        assert not one.complaints
