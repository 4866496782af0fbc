"""The blocks of code that run while the site is built, and what they print."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterator
from contextlib import chdir
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if 'exec="on"' in page.read_text(encoding="utf-8")]
FENCE = re.compile(r'^( *)```python ([^\n]*exec="on"[^\n]*)\n(.*?)^\1```$', re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A block of a page."""

    page: Path
    line: int
    """The number of its first line of code, from 1."""
    options: dict[str, str]
    code: str

    @property
    def name(self) -> str:
        """Where it stands."""
        return f"{self.page.relative_to(DOCS).as_posix()}:{self.line}"

    @property
    def shown(self) -> bool:
        """Whether a reader sees the code, and may copy it."""
        return "source" in self.options


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page that run, in their order."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start(3)) + 1
        yield Block(page, line, dict(re.findall(r'(\w+)="(.*?)"', found[2])), textwrap.dedent(found[3]))


def run(block: Block, names: dict[str, Any]) -> str:
    """What a block prints, where the site is built; its names stay in `names`."""
    printed = StringIO()
    names["print"] = partial(print, file=printed)  # as the site has it: what a module prints is not on the page
    with chdir(ROOT):
        exec(compile("\n" * (block.line - 1) + block.code, str(block.page), "exec"), names)
    return printed.getvalue()


def recall(page: str, names: dict[str, Any]) -> None:
    """Run the blocks of a page silently, so that the page below it (`beneath`) goes on with their names."""
    saying = names["print"]
    for block in blocks(DOCS / f"{page}.md"):
        if "session" in block.options:
            run(block, names)
    names["print"] = saying


def readable(block: Block, printed: str) -> str:
    """What of the output a reader reads: of a drawing only its words, each line of them once."""
    if "html" in block.options or block.options.get("result") == "xml":
        words = re.findall(r">([^<>]*[^<>\s][^<>]*)<", re.sub(r"(?s)<(style|script)\b.*?</\1>", "", printed))
        printed = "\n".join(dict.fromkeys(html.unescape(word).strip() for word in words))
    return "\n".join(line.rstrip() for line in printed.strip("\n").splitlines()).strip("\n")


def prints(page: Path) -> str:
    """What the blocks of a page print, one after the other."""
    sessions: dict[str, dict[str, Any]] = {}
    said = []
    for number, block in enumerate(blocks(page), 1):
        names: dict[str, Any] = {"__name__": "page"}
        if session := block.options.get("session"):
            names = sessions.setdefault(session, names)
        if text := readable(block, run(block, names)):
            said.append(f"--- block {number}\n{text}\n")
    return "\n".join(said)
