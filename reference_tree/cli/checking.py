"""Checking: a program's answers held against the goldens."""

from __future__ import annotations

import argparse

from reference_tree.checking.check import check
from reference_tree.cli.output import deliver
from reference_tree.findings_output import exit_status


def run_check(options: argparse.Namespace) -> int:
    """`check ANSWERS`: say of each case whether the answer passes; the exit status is 1 if one does not."""
    checked = check(
        options.answers,
        expected_failures=options.expected_failures or (),
        kinds=options.kind or (),
        needs=None if options.needs is None else [word for word in options.needs.split(",") if word],
    )
    deliver(checked.write(options.format), options.output)
    return exit_status(checked.judged)
