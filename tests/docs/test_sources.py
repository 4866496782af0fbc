"""No running text cites a source document: its reader does not have it. Its key stands in a line of `Source:`."""

from __future__ import annotations

import re
from pathlib import Path

from tests.every import of_every

DOCS = Path(__file__).parents[2] / "docs"
ABOUT_THEM = {"errata.md", "traceability.md", "bibliography.md"}
PAGES = {
    path.relative_to(DOCS).as_posix(): path
    for path in sorted(DOCS.rglob("*.md"))
    if "tools" not in path.relative_to(DOCS).parts
}


@of_every(sorted(PAGES.keys() - ABOUT_THEM))
def test_running_text_cites_what_a_reader_can_have(page: str) -> None:
    lines = PAGES[page].read_text(encoding="utf-8").splitlines()
    cited = [line for line in lines if re.search(r"\bN[0-4]\b", line) and not line.startswith("Source:")]
    assert not cited
