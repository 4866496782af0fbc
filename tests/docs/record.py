"""What the pages print, as a record to compare with: `python -m tests.docs.record` writes it anew.

Read the difference (`git diff tests/recorded/pages`) as one reads a page: a winner that vanished from a table shows.
"""

from __future__ import annotations

from pathlib import Path

from docs.tools.blocks import DOCS, PAGES, ROOT, prints

RECORD = ROOT / "tests" / "recorded" / "pages"


def record_of(page: Path) -> Path:
    """Where it is written what a page prints."""
    return RECORD / page.relative_to(DOCS).with_suffix(".txt")


def main() -> None:
    """Write what every page prints, and remove the records of pages that print nothing."""
    kept = {record_of(page): prints(page) for page in PAGES}
    for record, said in kept.items():
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(said, encoding="utf-8")
    for record in set(RECORD.rglob("*.txt")) - set(kept):
        record.unlink()


if __name__ == "__main__":
    main()
