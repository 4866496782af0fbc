"""Reports: a line where all is right, causes first, the same as JSON lines and JUnit."""

from __future__ import annotations

import json
from fractions import Fraction
from xml.etree import ElementTree as ET

import reference_tree as rt
from reference_tree.auditing import audit
from reference_tree.auditing.report import judged, path_of, report
from reference_tree.data.questions import Threshold
from tests.auditing.trees import TABLE, changed

GROWN = rt.CART().grow(TABLE)
SPOILT = changed(GROWN, 0, test=Threshold("z", Fraction(3, 2)))


def test_one_line_where_all_is_right() -> None:
    assert report(audit(GROWN, TABLE)) == "5 nodes are right; cart\n"


def test_causes_are_told_and_what_follows_is_counted() -> None:
    text = report(audit(SPOILT, TABLE), again=lambda finding: f"repeat {finding.number}")
    assert text.splitlines() == [
        "node 0 wrong-threshold: its branches say that they have other rows than z<=1.5 gives them",
        "  / asks z<=1.5; 8 rows arrive",
        "  best: x<=3.5, gini_decrease 0.3, 0.133333 above the next",
        "  loses 0.3 per row, 2.4 in all; rank 9 of 11 questions",
        "  3 findings below follow from this one",
        "  also suboptimal: z<=1.5 has gini_decrease 0, and x<=3.5 has 0.3 (rule measure.gini)",
        "  rule counts",
        "  again: repeat 0",
        "1 of 5 nodes is wrong, from which 3 follow; cart",
    ]


def test_json_lines_hold_every_node() -> None:
    lines = [json.loads(line) for line in report(audit(SPOILT, TABLE), "jsonl").splitlines()]
    assert sorted(line["node"] for line in lines) == [0, 1, 2, 3, 4]
    assert lines[0]["regret"] == {
        "judged_by": "gini_decrease", "best": "x<=3.5", "per_row": "0.3", "in_all": "2.4",
        "margin": "0.13333333333333333333", "rank": 9, "among": 11,
    }  # fmt: skip
    assert [line.get("cause") for line in lines[1:]] == [0, 0, 0, None]


def test_junit_has_a_case_for_each_node() -> None:
    suite = ET.fromstring(report(audit(SPOILT, TABLE), "junit"))[0]
    assert (suite.get("tests"), suite.get("failures")) == ("5", "4")


def test_a_leaf_that_is_excused() -> None:
    stump = rt.CART(max_depth=1).grow(TABLE)
    found = audit(stump, TABLE, rt.CART(), pruned=True)
    assert [one.status for one in judged(found)] == ["passed", "passed", "excused"]
    assert report(found) == (
        "3 nodes are right, 1 excused; cart; the tree was pruned, so that a leaf may be where the learner would split\n"
    )


def test_a_long_path_is_cut_short() -> None:
    n = 40
    table = rt.Table.from_columns({"x": [*range(n)], "y": ["p" if i % 2 else "n" for i in range(n)]})
    tree = rt.CART().grow(table)
    deepest = max(audit(tree, table).findings, key=lambda finding: tree.depths()[finding.number])
    assert path_of(tree, deepest).startswith(".../")
    assert len(path_of(tree, deepest).split("/")) == 13
