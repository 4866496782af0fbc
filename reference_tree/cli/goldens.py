"""The commands `golden`, which writes cases; `check`, which compares a program's answers with them; and `report`."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

from reference_tree.checking.check import check
from reference_tree.checking.report_pages import PAGES
from reference_tree.checking.reports import read_report, report, report_text
from reference_tree.cli.options import add_conflicts, is_for
from reference_tree.cli.output import deliver, show_step, wipe
from reference_tree.conformance.archive import archive, line
from reference_tree.conformance.cases import Case, Kind, cases_like
from reference_tree.conformance.goldens import document, golden_text, prompt
from reference_tree.conformance.needs import NEEDS, dialects
from reference_tree.data.errors import InputError, no_such
from reference_tree.findings_output import exit_status
from reference_tree.tree_document.files import deliver_all

KINDS = get_args(Kind)


_NONE = "no golden case is like that; golden --list names all"


def add_goldens(command: argparse.ArgumentParser) -> None:
    """The options of `golden`."""
    add = command.add_argument
    add("cases", metavar="CASE", nargs="*", help="the id of a case, or a pattern, as 'id3/*' (default: all)")
    add("--kind", choices=KINDS, help="only cases of this kind")
    what = "only cases that need nothing but these, separated by commas; '' is nothing"
    add("--needs", metavar="WORDS", type=needs, help=what)
    add("--prompts", action="store_true", help="leave out the answers; without --to, write JSON lines")
    add("--list", action="store_true", help="name the cases instead")
    add("--to", metavar="FOLDER", help="write one file for each case here")
    add("--archive", metavar="FILE", help="write one ZIP file: a manifest, and JSON lines for each tier")


def needs(text: str) -> frozenset[str]:
    """The needs of cases, as words separated by commas."""
    words = frozenset(filter(None, text.split(",")))
    for word in sorted(words):
        if word not in (known := [*NEEDS, *dialects()]):
            raise argparse.ArgumentTypeError(no_such("need", word, known))
    return words


def run_golden(options: argparse.Namespace) -> None:
    """`golden [CASE…]`: write golden cases."""
    chosen = [found for found in cases_like(options.cases) if options.kind in (None, found.kind)]
    if not chosen:
        raise InputError(_NONE)
    if options.list and options.needs is None:  # which asks no golden to be worked out
        _list(((found.id, found.title) for found in chosen), options.output)
        return
    _check_target(options, len(chosen))
    try:
        written = list(_wanted(chosen, options.needs))
    finally:
        wipe()
    if not written:
        raise InputError(_NONE)
    documents = [prompt(made) if options.prompts else made for made in written]
    if options.list:
        _list(((made["id"], made["title"]) for made in written), options.output)
    elif options.archive is not None:
        deliver_all({options.archive: archive(documents)})
    elif options.to is not None:
        for made in documents:
            deliver(golden_text(made), str(_folder_of(Path(options.to) / f"{made['id']}.json")))
    elif options.prompts:
        deliver("".join(map(line, documents)), options.output)
    else:
        deliver(golden_text(documents[0]), options.output)


def _check_target(options: argparse.Namespace, cases: int) -> None:
    """Refuse a case that cannot be written, before it is worked out."""
    if options.archive == "-":
        raise InputError("an archive is no text, and needs a file: --archive FILE")
    if options.to is not None:
        _folder_of(Path(options.to) / "golden.json")
    if cases > 1 and not (options.list or options.prompts or options.to or options.archive):
        raise InputError("more than one golden case needs a folder to be written to: --to FOLDER; or --archive FILE")


def _folder_of(file: Path) -> Path:
    """A file whose folder is there."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a folder: {error.strerror}", path=str(file.parent)) from None
    return file


def _wanted(chosen: Sequence[Case], needs: Collection[str] | None) -> Iterator[dict[str, Any]]:
    """The goldens of the cases that need nothing else."""
    for number, found in enumerate(chosen, start=1):
        show_step(number, len(chosen), "case")
        made = document(found)
        if needs is None or set(made["needs"]) <= set(needs):
            yield made


def _list(named: Iterable[tuple[str, str]], output: str | None) -> None:
    deliver("".join(f"{name:42} {title}\n" for name, title in named), output)


# Checking.


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
    what = "what the program claims, as TOML: these cases have to be answered"
    add("--claims", metavar="FILE", help=what)
    what = "judge the goldens of this file, and not those of the suite; may be repeated"
    add("--golden", action="append", metavar="FILE", help=what)
    add("--report", metavar="FILE", help="write the report here, too: as JSON, to be published; with --claims")
    add("--program-version", metavar="TEXT", help="the version of the program, where the claims have none")
    add_conflicts(
        command,
        is_for("program_version", "a report", "--report FILE"),
        is_for("report", "what a program claims", "--claims FILE"),
    )


def run_check(options: argparse.Namespace) -> int:
    """`check ANSWERS`: report for each case whether the answer passes; the exit status is 1 if one does not."""
    if options.report in ("-", options.output) and options.report is not None:
        raise InputError("a report needs a file of its own: --report FILE")
    checked = check(
        options.answers,
        expected_failures=options.expected_failures or (),
        kinds=options.kind or (),
        needs=options.needs,
        required=options.require or (),
        claims=options.claims,
        goldens=options.golden or (),
    )
    found = checked.write(options.format)
    if options.report is not None:
        beside = {} if options.output in (None, "-") else {options.output: found}
        deliver_all({options.report: report_text(report(checked, options.program_version)), **beside})
    if options.report is None or options.output in (None, "-"):
        deliver(found, options.output)
    return exit_status(checked.judged)


# Reports.


def add_paging(command: argparse.ArgumentParser) -> None:
    """The options of `report`."""
    command.add_argument("reports", metavar="REPORT", nargs="+", help="what check --report wrote")


def run_report(options: argparse.Namespace) -> None:
    """`report REPORT…`: a page of reports, or the badge of one."""
    deliver(PAGES[options.format](list(map(read_report, options.reports))), options.output)
