"""Pages of reports: their sums agree, a name from outside does no harm, and the badge says what the report says."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from reference_tree.checking.report_pages import PAGES, Grid, page_blocks, to_badge, to_html, to_markdown, to_text
from reference_tree.checking.reports import CaseOutcome, Report
from reference_tree.conformance.claims import Claims
from reference_tree.data.errors import InputError

CASES = [
    CaseOutcome("formula/a", "formula", [], [], True, "passed", "passes", ""),
    CaseOutcome("id3/a", "tree", ["id3"], ["missing", "cuts"], True, "failed", "fails", "1 mistake"),
    CaseOutcome("id3/b", "tree", ["id3"], ["cuts"], True, "passed", "passes", ""),
    CaseOutcome(
        "boosting/a", "rounds", ["adaboost", "cart"], [], True, "excused", "not-answered", "as expected: not yet"
    ),
    CaseOutcome("predict/a", "predict", ["c45"], [], False, "skipped", "not-claimed", ""),
]
OURS = Report(Claims("ours", "1.2"), "2.0.0", "0" * 64, CASES)
RIGHT = replace(OURS, claims=Claims("right", "3"), outcomes=CASES[:1])


def grids(*reports: Report) -> list[Grid]:
    return [block for block in page_blocks(reports) if isinstance(block, Grid)]


def test_programs_and_what_they_can_do() -> None:
    totals, kinds, learners, needs, failed, excused = grids(OURS, RIGHT)
    assert totals.rows == [
        ["ours", "1.2", "2.0.0", "0" * 12, "5", "2", "1", "1", "1"],
        ["right", "3", "2.0.0", "0" * 12, "1", "1", "0", "0", "0"],
    ]
    assert kinds.head == ("program", "formula", "tree", "rounds")
    assert kinds.rows == [["ours 1.2", "1 of 1", "1 of 2", "0 of 1"], ["right 3", "1 of 1", "–", "–"]]
    assert (learners.head, learners.rows[0]) == (
        ("program", "adaboost", "cart", "id3"),
        ["ours 1.2", "0 of 1", "0 of 1", "1 of 2"],
    )
    assert (needs.head, needs.rows[0]) == (
        ("program", "nothing", "cuts", "missing"),
        ["ours 1.2", "1 of 2", "1 of 2", "0 of 1"],
    )
    assert failed.rows == [["id3/a", "fails", "1 mistake"]]
    assert excused.rows == [["boosting/a", "not-answered", "as expected: not yet"]]


def test_every_row_is_as_wide_as_its_head_and_what_is_stale_is_a_failure() -> None:
    stale = replace(RIGHT, stale=["id3/*"])
    for grid in grids(OURS, stale):
        assert {len(row) for row in grid.rows} == {len(grid.head)}
    assert ["id3/*", "passes", "it is expected to fail"] in grids(stale)[-1].rows
    assert to_text([OURS, stale]) == "ours 1.2: 2 of 4, 1 failed, suite 2.0.0\nright 3: 1 of 1, 1 failed, suite 2.0.0\n"


NASTY = replace(OURS, claims=Claims("a|b <script>\n# *c* `d` [e](f) & \x1b[31m", "1"))


def test_a_name_does_no_harm() -> None:
    assert "<script>" not in to_html([NASTY])
    assert "\\<script\\>" in to_markdown([NASTY])
    assert "\x1b" not in "".join(PAGES[form]([NASTY]) for form in PAGES)
    assert to_text([NASTY]).count("\n") == 1
    for line in to_markdown([NASTY]).splitlines():
        assert not line.startswith("|") or line.replace("\\|", "").count("|") > 3
    HTMLParser().feed(to_html([NASTY]))


@pytest.mark.parametrize(
    ("one", "said", "colour"), [(OURS, "2 of 4, 1 failed", "#b3261e"), (RIGHT, "1 of 1", "#2a6e1e")]
)
def test_the_badge(one: Report, said: str, colour: str) -> None:
    drawing = ElementTree.fromstring(to_badge([one]))
    texts = [part.text for part in drawing.iter() if part.tag.endswith("text")]
    assert texts == ["decision trees", said]
    assert drawing.get("aria-label") == f"decision trees: {said}"
    assert colour in to_badge([one])
    widths = [int(part.get("width", "0")) for part in drawing.iter() if part.tag.endswith("rect")]
    assert sum(widths) == int(drawing.get("width", "0"))


def test_a_badge_is_of_one_program() -> None:
    with pytest.raises(InputError, match="a badge is of one program, and there are 2 reports"):
        to_badge([OURS, RIGHT])
