"""Runs every program that is installed, and says which claims hold; `pages` writes the releases into the pages."""

from __future__ import annotations

import sys

from tests.peers.seen import tried, write_lines


def main(arguments: list[str]) -> int:
    """The command."""
    if arguments == ["pages"]:
        write_lines()
        return 0
    lines, all_hold = tried()
    print(*lines, sep="\n")
    return not all_hold


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
