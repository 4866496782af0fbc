"""The faults: what implementers of decision trees get wrong, each with the cases that are about it (`faults.toml`).

`FREE` are no faults: they are choices that every program may make otherwise, and no case may blame.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple


class Fault(NamedTuple):
    """A fault that can be planted."""

    name: str
    what: str
    """What is done, in a line."""
    cases: tuple[str, ...]
    """Those that are about it: each notices it."""


_LISTED = tomllib.loads(Path(__file__).with_name("faults.toml").read_text(encoding="utf-8"))
FAULTS = tuple(Fault(one["name"], one["what"], tuple(one["cases"])) for one in _LISTED["fault"])
FREE = tuple(Fault(one["name"], one["what"], tuple(one["cases"])) for one in _LISTED["free"])
