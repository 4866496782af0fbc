"""What the pages say of other programs, and a run that sees it again: `python -m tests.peers.seen`.

A sentence about a program is true of the releases in which it was seen. `tests/recorded/seen.toml` has these releases,
and each page names them in one line. `report` lists what the newest release no longer does.
"""

from __future__ import annotations

from tests.peers.seen import boosters, databases, peers, quinlan, r, scikit_learn, spark, weka
from tests.peers.seen.record import CLAIMS, Claim, no_longer, recorded, release, tried, write_lines

RUNS = (boosters, databases, peers, quinlan, r, scikit_learn, spark, weka)
"""The modules that put claims on record."""

__all__ = ["CLAIMS", "RUNS", "Claim", "no_longer", "recorded", "release", "tried", "write_lines"]
