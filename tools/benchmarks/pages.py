"""What a page weighs and when its largest part is seen on a slow phone, and how soon its figures answer.

`python -m tools.benchmarks.pages` prints it of some pages of the built site, in chromium: 1.6 Mbit/s, 150 ms a round
trip, a processor four times slower, an empty cache; the figures are played at full speed. Files are sent packed, as a
host does.
"""

from __future__ import annotations

import gzip
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from tests.docs.test_browser import ALONE, PROGRAMS, SITE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = ("", "measures/entropy/", "playground/")
BITS, ROUND_TRIP, SLOWER = 1_600_000, 150, 4
PHONE = {"width": 390, "height": 844}
PACKED = {".html", ".css", ".js", ".mjs", ".json", ".svg"}
TIMES = 5

LARGEST = """() => new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
    .observe({ type: "largest-contentful-paint", buffered: true }))"""

ANSWERS = """() => [...document.querySelectorAll("[data-play]")].map((figure) => {
    const seen = new Map();
    for (const one of figure.querySelectorAll("[data-does]")) {
        const name = one.dataset.does.split(" ")[0];
        if (!seen.has(name) && name !== "again" && one.checkVisibility()) seen.set(name, one);
    }
    const answer = (one) => { const start = performance.now(); one.click(); return performance.now() - start; };
    const first = [...seen.values()].map(answer), again = [...seen.values()].map(answer);
    return [figure.dataset.play, first[0] ?? 0, Math.max(0, ...first), Math.max(0, ...again)];
})"""


class Seen(NamedTuple):
    """A page on a slow phone."""

    kilobytes: float
    """Of all that the page asks for until it is idle, packed."""
    seconds: float
    """Until the largest part is seen."""


class _Packed(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Text is sent packed."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if path.suffix not in PACKED or not path.exists():
            return super().send_head()
        body = gzip.compress(path.read_bytes(), 6)
        self.send_response(200)
        kind = "text/javascript" if path.suffix in {".js", ".mjs"} else self.guess_type(path)
        headers = {"Content-Type": kind, "Content-Encoding": "gzip", "Content-Length": str(len(body))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        return BytesIO(body)


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of a site on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Packed, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def slow(browser: Browser, address: str) -> Seen:
    """A page on a slow phone, with an empty cache."""
    context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    tab = context.new_page()
    tools, received = context.new_cdp_session(tab), list[float]()
    tools.send("Network.enable")
    tools.on("Network.loadingFinished", lambda one: received.append(one["encodedDataLength"]))
    speed = {"latency": ROUND_TRIP, "downloadThroughput": BITS / 8, "uploadThroughput": BITS / 8, "offline": False}
    tools.send("Network.emulateNetworkConditions", speed)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    tab.goto(address, wait_until="networkidle", timeout=120_000)
    largest = tab.evaluate(LARGEST)
    context.close()
    return Seen(sum(received) / 1000, largest / 1000)


def answers(tab: Page, address: str) -> list[tuple[str, float, float, float]]:
    """The figures of a page: the milliseconds of the first answer, of the slowest first one, of the slowest later."""
    tab.goto(address, timeout=120_000)
    tab.wait_for_timeout(1500)
    return [tuple(one) for one in tab.evaluate(ANSWERS)]


def main(site: Path = SITE, pages: Sequence[str] = PAGES, times: int = TIMES) -> None:
    """Print a line for each page, the medians of some visits, and one for each of its figures, the best of them."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, served(site) as address:
        browser = playwright.chromium.launch(executable_path=f"/usr/bin/{PROGRAMS[0]}", args=ALONE)
        for page in pages:
            seen = [slow(browser, address + page) for _ in range(times)]
            kilobytes, seconds = (median(one[place] for one in seen) for place in (0, 1))
            print(f"/{page}: {kilobytes:.0f} kB, {seconds:.2f} s", flush=True)
            played = []
            for _ in range(times):
                context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
                played.append(answers(context.new_page(), address + page))
                context.close()
            for figures in zip(*played, strict=True):
                first, slowest, later = (min(one[place] for one in figures) for place in (1, 2, 3))
                print(
                    f"  {figures[0][0]}: first {first:.1f} ms, slowest {slowest:.1f} ms, again {later:.1f} ms",
                    flush=True,
                )


if __name__ == "__main__":
    main(pages=sys.argv[1:] or PAGES)
