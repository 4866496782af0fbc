"""The blocks of code that run while the site is built, and what they print.

Where the environment names a file by `PRINTED`, this Markdown extension writes there what each block printed while the
site was built, and `prints` reads it there, so that nothing is computed twice.
"""

from __future__ import annotations

import html
import json
import os
import re
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import chdir
from functools import cache, partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from markdown import Markdown

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if 'exec="on"' in page.read_text(encoding="utf-8")]
FENCE = re.compile(r'^( *)```python ([^\n]*exec="on"[^\n]*)\n(.*?)^\1```$', re.MULTILINE | re.DOTALL)

RAN = "blocks that ran"
"""Among the names of a session while the site is built: the code that gave them."""


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
    """Have the names of the blocks of a page, so that the page below it (`beneath`) goes on with them.

    A block runs silently, unless it ran in these names while the site was built.
    """
    saying = names["print"]
    for block in blocks(DOCS / f"{page}.md"):
        if "session" in block.options and block.code.strip() not in names.get(RAN, ()):
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
    said, built = [], printed_while_built(os.environ.get("PRINTED"))
    for number, block in enumerate(blocks(page), 1):
        names: dict[str, Any] = {"__name__": "page"}
        if session := block.options.get("session"):
            names = sessions.setdefault(session, names)
        printed = run(block, names) if built is None else built[session or "", block.code.strip()]
        if text := readable(block, printed):
            said.append(f"--- block {number}\n{text}\n")
    return "\n".join(said)


# While the site is built.


@cache
def printed_while_built(file: str | None) -> Mapping[tuple[str, str], str] | None:
    """What the blocks printed while the site was built, by session and code; None if that was not written down.

    Raises:
        ValueError: the same code of a session printed two things.
    """
    if file is None or not Path(file).exists():
        return None
    found: dict[tuple[str, str], str] = {}
    for line in Path(file).read_text(encoding="utf-8").splitlines():
        session, code, printed = json.loads(line)
        if found.setdefault((session, code), printed) != printed:
            raise ValueError(f"of the session {session!r} this printed two things:\n{code}")
    return found


@cache
def noted(file: str | None) -> None:
    """Have the blocks that run from now on noted among the names of their session, and what they print in a file."""
    python: Any = import_module("markdown_exec._internal.formatters.python")
    run_python = python._run_python
    if file:
        Path(file).write_text("", encoding="utf-8")

    def told(code: str, *args: Any, **options: Any) -> str:
        printed: str = run_python(code, *args, **options)
        session = options.get("session") or ""
        if session:
            python._sessions_globals[session].setdefault(RAN, set()).add(code.strip())
        if file:
            with open(file, "a", encoding="utf-8") as lines:
                lines.write(json.dumps([session, code.strip(), printed]) + "\n")
        return printed

    python._run_python = told


def makeExtension(**options: object) -> Any:  # noqa: N802  (Python-Markdown's name)
    """What Python-Markdown calls to load the extension `docs.tools.blocks` of mkdocs.yml."""
    from markdown.extensions import Extension

    class BlocksExtension(Extension):
        def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (Python-Markdown's name)
            noted(os.environ.get("PRINTED"))

    return BlocksExtension(**options)
