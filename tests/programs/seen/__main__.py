"""Runs every program that is installed, and says which claims hold; `pages` writes the releases into the pages."""

from __future__ import annotations

import sys

from tests.programs.seen import CLAIMS, recorded, release
from tests.programs.seen.record import write_lines


def main(arguments: list[str]) -> int:
    """The command."""
    if arguments == ["pages"]:
        write_lines()
        return 0
    gone = []
    for program in recorded():
        claims = [claim for claim in CLAIMS if claim.program == program]
        if (found := release(program)) is None:
            print(f"{program}: not here, {len(claims)} claims are not tried")
            continue
        held = {claim.run: claim.holds() for claim in claims}
        no_longer = [claim for claim in claims if not held[claim.run]]
        print(f"{program} {found}: {len(claims) - len(no_longer)} of {len(claims)} claims hold, by {len(held)} runs")
        gone += no_longer
    for claim in gone:
        print(f"  no longer so: {claim.page}: {claim.words} ({claim.run})")
    return bool(gone)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
