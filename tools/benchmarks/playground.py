"""How long the playground takes to answer, and how many bytes it loads, in chromium on this machine.

    python -m tools.benchmarks.playground

The site has to be built. A link is opened three times, each time by a new browser that has nothing in store, and the
medians are printed: of the time until the answer is there, and of the processor time that the browser takes for it,
which a busy machine makes little longer; then those of a second answer, once Python runs. The bytes of a file are given
as they are, and as gzip makes them, as a host of pages would send them.
"""

from __future__ import annotations

import gzip
import shutil
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from statistics import median
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.docs.test_browser import ALONE, PROGRAMS, SITE, _Silent

LINK = "#table=play-tennis&learner=id3&node=/outlook=sunny"
SHOWN = "text=At /outlook=sunny"


class Opened(NamedTuple):
    """A link that was opened, and then another node: seconds, seconds of the processors, and the files loaded."""

    first: float
    first_busy: float
    second: float
    second_busy: float
    files: list[str]


def opened(address: str, program: str) -> Opened:
    """Opens the link in a new browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=ALONE)
        context = chromium.new_context()
        asked: list[str] = []
        context.on("request", lambda request: asked.append(urlsplit(request.url).path))
        tab, session = context.new_page(), chromium.new_browser_cdp_session()

        def busy() -> float:
            return sum(float(one["cpuTime"]) for one in session.send("SystemInfo.getProcessInfo")["processInfo"])

        before, begun = busy(), perf_counter()
        tab.goto(f"{address}/playground/{LINK}")
        tab.locator(SHOWN).wait_for(timeout=120_000)
        first, first_busy = perf_counter() - begun, busy() - before
        before, begun = busy(), perf_counter()
        tab.locator('[data-path="/"]').press("Enter")
        tab.locator("text=outlook is best").wait_for()
        second, second_busy = perf_counter() - begun, busy() - before
        chromium.close()
    return Opened(first, first_busy, second, second_busy, asked)


def main() -> None:
    """Prints times and bytes."""
    program = next(path for name in PROGRAMS if (path := shutil.which(name)))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(SITE))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        runs = [opened(f"http://127.0.0.1:{server.server_port}", program) for _ in range(3)]
        server.shutdown()
    first, first_busy, second, second_busy = (median(column) for column in list(zip(*runs, strict=True))[:4])
    print(f"from opening a link to its answer: {first:.1f} s, {first_busy:.1f} s of the processors")
    print(f"another node after that: {second:.2f} s, {second_busy:.2f} s of the processors")
    files = {path: (SITE / path.lstrip("/")) for path in dict.fromkeys(runs[0].files)}
    contents = {path: (file / "index.html" if file.is_dir() else file).read_bytes() for path, file in files.items()}
    python = [path for path in contents if path.startswith(("/assets/pyodide/", "/assets/playground/"))]
    for said, paths in (("all", list(contents)), ("of these, Python and the playground", python)):
        plain = sum(len(contents[path]) for path in paths)
        packed = sum(len(gzip.compress(contents[path], mtime=0)) for path in paths)
        print(f"{said}: {len(paths)} files, {plain / 1e6:.1f} MB, {packed / 1e6:.1f} MB compressed")
    for path in python:
        print(f"  {path}  {len(contents[path])}  {len(gzip.compress(contents[path], mtime=0))}")


if __name__ == "__main__":
    main()
