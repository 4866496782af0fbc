"""Runs every program that is installed, audits its trees, writes the page, and lists which statements fail."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable

from tests.peers.seen import tried
from tools.report.boosters import models
from tools.report.page import page, written
from tools.report.peers import INSTALL, NOT_RUN, PEERS
from tools.report.programs import LEFT_OUT, PROGRAMS, Program
from tools.report.r_packages import PACKAGES
from tools.report.runs import Audited, audited
from tools.report.spark import SPARK


def main(arguments: Iterable[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tools.report", description=__doc__)
    parser.add_argument("--peers", metavar="PYTHON", help=f"the interpreter of: {INSTALL}")
    options = parser.parse_args(None if arguments is None else list(arguments))
    if options.peers is not None:
        os.environ["PEERS"] = options.peers
    absent: dict[str, str] = {}
    results: list[tuple[Program, list[Audited]]] = []
    for program in (*PROGRAMS, *PACKAGES, SPARK, *PEERS):
        if why := program.absent():
            absent[program.name] = why
            continue
        found = []
        for run in program.grow():
            found.append(audited(run))
            print(f"{run.program} {run.data}: {found[-1].nodes} nodes, {found[-1].wrong} wrong", file=sys.stderr)
        results.append((program, found))
    boosted, missing = models()
    written(page(results, boosted, {**absent, **missing}, [*LEFT_OUT, *NOT_RUN]))
    lines, all_hold = tried()
    print(*lines, sep="\n")
    return not all_hold


if __name__ == "__main__":
    sys.exit(main())
