"""Write the page about the faults: `python -m tests.conformance.plain_doubles`."""

from __future__ import annotations

from tests.conformance.changed.record import section
from tests.conformance.plain_doubles.table import PAGE, page

if __name__ == "__main__":
    PAGE.write_text(page() + section(), encoding="utf-8")
