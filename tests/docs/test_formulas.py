"""Formulas stand where Markdown sees them: in the item of a list behind four blanks, or the dollars are printed."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_formula_in_a_list_is_indented_by_four_blanks() -> None:
    pages = [page for page in (ROOT / "docs").rglob("*.md") if (ROOT / "docs" / "tools") not in page.parents]
    files = [*(ROOT / "reference_tree").rglob("*.py"), *pages]
    astray = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in files
        for line in re.findall(r"^ {1,3}\$\$.*", file.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert not astray
