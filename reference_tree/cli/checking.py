"""Checking: a program's answers are compared with the goldens."""

from __future__ import annotations

import argparse

from reference_tree.checking.check import check
from reference_tree.cli.goldens import KINDS, needs
from reference_tree.cli.output import deliver
from reference_tree.findings_output import exit_status


def add_checking(command: argparse.ArgumentParser) -> None:
    """The options of `check`."""
    add = command.add_argument
    add("answers", metavar="ANSWERS", help='JSON lines, {"id": CASE, "answer": ...}; - for standard input')
    what = "lines of PATTERN REASON: the cases that are known to fail, and why"
    add("--expected-failures", metavar="FILE", help=what)
    add("--kind", action="append", choices=KINDS, help="only cases of this kind; may be repeated")
    what = "cases that have to be answered, as far as they are judged: an id, or a pattern as '*'; may be repeated"
    add("--require", action="append", metavar="PATTERN", help=what)
    what = "only cases that need nothing but these, separated by commas; '' is nothing"
    add("--needs", metavar="WORDS", type=needs, help=what)


def run_check(options: argparse.Namespace) -> int:
    """`check ANSWERS`: report for each case whether the answer passes; the exit status is 1 if one does not."""
    checked = check(
        options.answers,
        expected_failures=options.expected_failures or (),
        kinds=options.kind or (),
        needs=options.needs,
        required=options.require or (),
    )
    deliver(checked.write(options.format), options.output)
    return exit_status(checked.judged)
