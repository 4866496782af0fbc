"""Pages of reports: a table of programs and what they can do, what failed, and a badge.

1. `page_blocks` are the parts of a page of one or more reports: headings, paragraphs and tables.
2. `to_markdown`, `to_html` and `to_text` write the page.
3. `to_badge` draws how many of the cases that a program claims are right, as SVG.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import NamedTuple, get_args

from reference_tree.checking.reports import CaseOutcome, Report
from reference_tree.conformance.cases import Kind
from reference_tree.conformance.needs import NEEDS
from reference_tree.data.errors import InputError
from reference_tree.views.wording import one_line


class PageHeading(NamedTuple):
    """A heading, of level 1 or 2."""

    text: str
    level: int = 2


class Paragraph(NamedTuple):
    """A paragraph."""

    text: str


class Grid(NamedTuple):
    """A table; its first column has names, and the others what belongs to them."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


Block = PageHeading | Paragraph | Grid

# A table for each way to name what a program can do.
_WHAT: Mapping[str, tuple[str, Callable[[CaseOutcome], Iterable[str]]]] = {
    "kind": ("Kinds of case", lambda one: [one.kind]),
    "learner": ("Learners", lambda one: one.learners),
    "need": ("What cases need", lambda one: one.needs or ["nothing"]),
}
"""The capabilities of a program: what a case is, whose it is, and what it needs."""

NONE = "–"
"""The cell of what a program does not claim."""


def page_blocks(reports: Sequence[Report]) -> Iterator[Block]:
    """The parts of a page of reports."""
    yield PageHeading(_name(reports[0]) if len(reports) == 1 else "Programs, and what they can do", 1)
    yield Paragraph(
        "A cell says how many cases are right, of those that the program claims or answers. A case that fails as the "
        "claims say, with the reason, is not right, and is no failure."
    )
    heads = ("program", "version", "suite", "goldens", "cases", "right", "failed", "fail as expected", "not claimed")
    yield Grid(heads, [_totals(one) for one in reports])
    for title, capabilities in _WHAT.values():
        yield PageHeading(title)
        yield _matrix(reports, capabilities)
    for one in reports:
        # What failed comes with its cases; an expected failure that passes is a failure as well.
        for title, status in (("what failed", "failed"), ("what fails as expected", "excused")):
            found = [[case.id, case.verdict, case.message] for case in one.outcomes if case.status == status]
            found += [[pattern, "passes", "it is expected to fail"] for pattern in one.stale if status == "failed"]
            if found:
                yield PageHeading(f"{_name(one)}: {title}")
                yield Grid(("case", "verdict", "message"), found)


def _name(one: Report) -> str:
    return f"{one.claims.program} {one.claims.version}"


def _totals(one: Report) -> list[str]:
    counts = [one.count("passed"), one.count("failed") + len(one.stale), one.count("excused"), one.count("skipped")]
    whole = [one.claims.program, one.claims.version, one.suite, one.sha256[:12], len(one.outcomes), *counts]
    return list(map(str, whole))


def _matrix(reports: Sequence[Report], capabilities: Callable[[CaseOutcome], Iterable[str]]) -> Grid:
    """Programs × capabilities. A capability that no program has is left out."""
    # A column that no program has would be empty, and is left out.
    found = {name for one in reports for case in one.outcomes if case.judged for name in capabilities(case)}
    # Known names keep the order of the suite, and others follow by the alphabet.
    order = [*get_args(Kind), "nothing", *NEEDS]
    names = sorted(found, key=lambda name: (order.index(name) if name in order else len(order), name))
    rows = [
        [_name(one), *(_cell([case for case in one.outcomes if name in capabilities(case)]) for name in names)]
        for one in reports
    ]
    return Grid(("program", *names), rows)


def _cell(cases: Iterable[CaseOutcome]) -> str:
    # Cases that are not claimed and not answered count for nothing.
    statuses = [case.status for case in cases if case.judged]
    return f"{statuses.count('passed')} of {len(statuses)}" if statuses else NONE


# Pages.

_MARKS = re.compile(r"([\\`*_{}\[\]<>|#&~])")


def to_markdown(reports: Sequence[Report]) -> str:
    """The page in Markdown."""
    return "\n\n".join(map(_markdown, page_blocks(reports))) + "\n"


def _markdown(block: Block) -> str:
    if isinstance(block, PageHeading):
        return f"{'#' * block.level} {_escaped(block.text)}"
    if isinstance(block, Paragraph):
        return _escaped(block.text)
    # Columns of counts are set to the right, the others to the left.
    marks = [":--", *("--:" if _counts(place, block) else ":--" for place in range(1, len(block.head)))]
    lines = [list(map(_escaped, block.head)), marks, *(list(map(_escaped, row)) for row in block.rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escaped(text: str) -> str:
    # Names and messages come from outside: no sign of them may be read as Markdown.
    return _MARKS.sub(r"\\\1", one_line(text))


def _counts(place: int, block: Grid) -> bool:
    """Whether a column has numbers."""
    return all(re.fullmatch(r"\d+( of \d+)?|–", row[place]) for row in block.rows)


_STYLE = (
    "body{font:16px/1.5 sans-serif;margin:2em auto;max-width:60em;padding:0 1em}table{border-collapse:collapse}"
    "div{overflow-x:auto}td,th{border-bottom:1px solid #999;padding:.2em .6em;text-align:left;vertical-align:top}"
)


def to_html(reports: Sequence[Report]) -> str:
    """The page in HTML, of one file."""
    blocks = "\n".join(map(_html, page_blocks(reports)))
    title = escape(one_line(next(page_blocks(reports)).text))  # type: ignore[union-attr]
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>{head}<title>{title}</title><style>{_STYLE}</style></head>\n'
        f"<body>\n{blocks}\n</body>\n</html>\n"
    )


def _html(block: Block) -> str:
    if isinstance(block, PageHeading):
        return f"<h{block.level}>{escape(one_line(block.text))}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{escape(one_line(block.text))}</p>"
    head = "".join(f'<th scope="col">{escape(one_line(cell))}</th>' for cell in block.head)
    rows = "\n".join(f"<tr>{''.join(f'<td>{escape(one_line(cell))}</td>' for cell in row)}</tr>" for row in block.rows)
    return f"<div><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>"


def to_text(reports: Sequence[Report]) -> str:
    """A line for each program."""
    return "".join(f"{one_line(_name(one))}: {_said(one)}, suite {one_line(one.suite)}\n" for one in reports)


def _said(one: Report) -> str:
    """How many cases of those that are judged are right."""
    judged = sum(case.judged for case in one.outcomes)
    # An entry that excuses nothing any more counts as a failure.
    failed = one.count("failed") + len(one.stale)
    return f"{one.count('passed')} of {judged}" + (f", {failed} failed" if failed else "")


# The badge.

_WIDTH = Fraction(13, 2)
"""The width of a letter, in pixels: the letters are stretched to it, whatever font there is."""

LABEL = "decision trees"


def to_badge(reports: Sequence[Report]) -> str:
    """The badge of a program: how many cases are right; green if nothing failed, and red otherwise.

    Raises:
        InputError: there is more than one report.

    Example:
        >>> from reference_tree.conformance.claims import Claims
        >>> case = CaseOutcome("formula/entropy-pure", "formula", [], [], True, "passed", "passes", "")
        >>> "decision trees: 1 of 1" in to_badge([Report(Claims("ours", "1.2"), "2.0.0", "", [case])])
        True
    """
    if len(reports) > 1:
        raise InputError(f"a badge is of one program, and there are {len(reports)} reports")
    (one,) = reports
    said, colour = _said(one), "#2a6e1e" if one.passed else "#b3261e"
    # The width follows from the number of letters, and `textLength` stretches them to it.
    left, right = (int(_WIDTH * len(words)) + 12 for words in (LABEL, said))
    whole = f"{escape(LABEL)}: {escape(said)}"
    parts = ((0, left, "#444", LABEL), (left, right, colour, said))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{whole}">'
        f"<title>{whole}</title>\n"
        + "".join(
            f'<rect x="{start}" width="{width}" height="20" fill="{fill}"/>'
            f'<text x="{start + 6}" y="14" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" '
            f'textLength="{width - 12}">{escape(words)}</text>\n'
            for start, width, fill, words in parts
        )
        + "</svg>\n"
    )


PAGES: Mapping[str, Callable[[Sequence[Report]], str]] = {
    "text": to_text, "markdown": to_markdown, "html": to_html, "svg": to_badge,
}  # fmt: skip
"""The forms in which reports are written; the SVG is the badge."""
