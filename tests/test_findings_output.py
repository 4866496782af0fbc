"""Findings as text: a parser that is not ours reads them back, whatever a name holds."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from reference_tree.findings_output import FORMATS, Judged, as_json_lines, as_junit, as_text, exit_status
from tests.every import of_every

FINDINGS = [
    Judged("/", "passed", "optimal"),
    Judged('/颜色="<a&b>"', "failed", "wrong-counts", "4 for 5", ["two\nlines", "a bell: \a"], {"rows": [3, 4]}),
    Judged("/2", "excused", "suboptimal", "known"),
    Judged("/3", "skipped", "below", "another winner stands above"),
]


def test_a_person_reads_what_is_wrong_and_how_much_is_right() -> None:
    assert as_text(FINDINGS).splitlines() == [
        '/颜色="<a&b>" wrong-counts: 4 for 5',
        r"  two\nlines",
        r"  a bell: \x07",
        "/2 suboptimal: known",
        "below: another winner stands above (1): /3",
        "1 passed, 1 failed, 1 excused, 1 skipped",
    ]


def test_nothing_wrong_is_one_line() -> None:
    assert as_text(FINDINGS[:1], "every node is right") == "every node is right\n"


def test_each_json_line_is_an_object() -> None:
    read = [json.loads(line) for line in as_json_lines(FINDINGS).splitlines()]
    assert [one["status"] for one in read] == ["passed", "failed", "excused", "skipped"]
    assert read[1]["rows"] == [3, 4]
    assert read[1]["lines"] == ["two\nlines", "a bell: \a"]


def test_junit_is_xml_that_counts_itself() -> None:
    suite = ElementTree.fromstring(as_junit(FINDINGS, "a summary").encode())[0]
    cases = suite.findall("testcase")
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "1", "2")
    assert [len(case) for case in cases] == [0, 1, 1, 1]
    assert cases[1].get("name") == '/颜色="<a&b>"'
    assert cases[1][0].get("type") == "wrong-counts"
    assert suite.findtext("system-out") == "a summary"


@of_every(FORMATS.values())
def test_no_findings_are_written_too(write: object) -> None:
    assert callable(write)
    assert isinstance(write([]), str)


def test_only_a_failure_is_a_finding_of_the_command() -> None:
    assert exit_status(FINDINGS) == 1
    assert exit_status([FINDINGS[0], *FINDINGS[2:]]) == 0
